// Package layout holds the paths of files against patterns that a person writes:
// --layout templates, which name the factors in a path, and the patterns of --ignore
// and --join.
package layout

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/secret"
)

// List holds patterns; the first that matches counts.
type List []pattern

// Part is what a template names in a path.
type Part struct{ Name, Text string }

// A pattern matches the whole path of a file relative to PATH. {name} takes the
// shortest text without "/", {_} the same without keeping it, * any text without
// "/", ** any text at all. Everything else stands for itself.
//
//	{build}/{version}/run{rep}_Tier{pool}_RW_{threads}th.sysbench.txt
type pattern struct {
	template string
	re       *regexp.Regexp
	names    []string // per group
}

var letters = regexp.MustCompile(`^\pL[\pL\pN_]*$`)

// isName bounds the length by itself: as part of the expression it is compiled for each
// letter anew.
func isName(name string) bool { return letters.MatchString(name) && utf8.RuneCountInString(name) <= 40 }

// Parse reads patterns.
func Parse(templates ...string) (List, error) {
	var list List
	for _, t := range templates {
		l, err := parseOne(t)
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}

func parseOne(template string) (pattern, error) {
	l := pattern{template: template}
	bad := func(why string) (pattern, error) {
		return pattern{}, fmt.Errorf("layout %q: %s", template, why)
	}
	if strings.TrimSpace(template) == "" {
		return bad("it is empty")
	}
	if strings.HasPrefix(template, "^") {
		return parseExpression(template)
	}
	var re strings.Builder
	re.WriteString(`^`)
	rest := strings.TrimPrefix(template, "./")
	for rest != "" {
		switch {
		case strings.HasPrefix(rest, "**/"):
			re.WriteString(`(?:.*/)?`)
			rest = rest[3:]
		case strings.HasPrefix(rest, "**"):
			re.WriteString(`.*`)
			rest = rest[2:]
		case rest[0] == '*':
			re.WriteString(`[^/]*`)
			rest = rest[1:]
		case rest[0] == '{':
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return bad("a { has no }")
			}
			name := rest[1:end]
			rest = rest[end+1:]
			switch {
			case name == "_":
				re.WriteString(`[^/]*?`)
				continue
			case !isName(name):
				return bad(fmt.Sprintf("{%s} is no name; use letters, digits and _", name))
			case secret.Name(name):
				return bad(fmt.Sprintf("{%s} would keep a secret; use {_}", name))
			}
			re.WriteString(`([^/]+?)`)
			l.names = append(l.names, column.Name(name))
		case rest[0] == '}':
			return bad("a } has no {")
		default:
			n := strings.IndexAny(rest, "*{}")
			if n < 0 {
				n = len(rest)
			}
			re.WriteString(regexp.QuoteMeta(rest[:n]))
			rest = rest[n:]
		}
	}
	re.WriteString(`$`)
	compiled, err := regexp.Compile(`(?s)` + re.String())
	if err != nil {
		return bad(err.Error())
	}
	l.re = compiled
	return l, nil
}

// parseExpression reads a layout that begins with ^: a regular expression whose
// named groups are the factors, for names that templates cannot take apart.
//
//	^(?P<build>[^/]+)/run(?P<rep>\d+)_(?P<threads>\d+)th\.txt$
func parseExpression(text string) (pattern, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return pattern{}, fmt.Errorf("layout %q: %w", text, err)
	}
	l := pattern{template: text, re: re}
	for _, name := range re.SubexpNames()[1:] {
		switch {
		case name == "":
		case !isName(name):
			return pattern{}, fmt.Errorf("layout %q: %s is no name; use letters, digits and _", text, name)
		case secret.Name(name):
			return pattern{}, fmt.Errorf("layout %q: %s would keep a secret; leave the group without a name", text, name)
		}
		l.names = append(l.names, column.Name(name))
	}
	return l, nil
}

// Match gives what the first template that fits says of a path. For a file in an
// archive that is the path inside, because a template is written for the folder that
// was packed, then the whole one with the archive as a folder; a template with "!" is
// for the path as it is.
func (list List) Match(rel string) ([]Part, bool) {
	candidates := []string{rel[strings.LastIndexByte(rel, '!')+1:], strings.ReplaceAll(rel, "!", "/")}
	for _, l := range list {
		for _, c := range candidates {
			if strings.Contains(l.template, "!") {
				c = rel
			}
			if found, ok := l.match(c); ok {
				return found, true
			}
		}
	}
	return nil, false
}

// match gives what a path says. The same name twice must say the same.
func (l pattern) match(path string) ([]Part, bool) {
	m := l.re.FindStringSubmatch(path)
	if m == nil {
		return nil, false
	}
	var found []Part
	for i, name := range l.names {
		if name == "" || m[i+1] == "" { // a part that need not be there
			continue
		}
		at := slices.IndexFunc(found, func(p Part) bool { return p.Name == name })
		if at < 0 {
			found = append(found, Part{name, m[i+1]})
		} else if found[at].Text != m[i+1] {
			return nil, false
		}
	}
	return found, true
}

// Fits tells whether a path, or the name at its end, fits one of the patterns.
func (list List) Fits(rel string) bool {
	return slices.ContainsFunc(list, func(l pattern) bool {
		if strings.Contains(l.template, "/") {
			return l.re.MatchString(rel)
		}
		return l.re.MatchString(rel[strings.LastIndexAny(rel, "/!")+1:])
	})
}

package ingest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/naming"
	"noisefloor/ingest/internal/secret"
)

// A layout is a --layout template: it matches the whole path of a file relative
// to PATH. {name} takes the shortest text without "/", {_} the same without
// keeping it, * any text without "/", ** any text at all. Everything else
// stands for itself.
//
//	{build}/{version}/run{rep}_Tier{pool}_RW_{threads}th.sysbench.txt
type layout struct {
	template string
	re       *regexp.Regexp
	names    []string // per group
}

var layoutName = regexp.MustCompile(`^\pL[\pL\pN_]{0,39}$`)

func parseLayout(template string) (layout, error) {
	l := layout{template: template}
	bad := func(why string) (layout, error) {
		return layout{}, fmt.Errorf("layout %q: %s", template, why)
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
			case !layoutName.MatchString(name):
				return bad(fmt.Sprintf("{%s} is no name; use letters, digits and _", name))
			case secretName(name):
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
func parseExpression(text string) (layout, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return layout{}, fmt.Errorf("layout %q: %w", text, err)
	}
	l := layout{template: text, re: re}
	for _, name := range re.SubexpNames()[1:] {
		switch {
		case name == "":
		case !layoutName.MatchString(name):
			return layout{}, fmt.Errorf("layout %q: %s is no name; use letters, digits and _", text, name)
		case secretName(name):
			return layout{}, fmt.Errorf("layout %q: %s would keep a secret; leave the group without a name", text, name)
		}
		l.names = append(l.names, column.Name(name))
	}
	return l, nil
}

// match gives what a path says. The same name twice must say the same.
func (l layout) match(path string) ([]named, bool) {
	m := l.re.FindStringSubmatch(path)
	if m == nil {
		return nil, false
	}
	var found []named
	for i, name := range l.names {
		if name == "" || m[i+1] == "" { // a part that need not be there
			continue
		}
		at := slices.IndexFunc(found, func(n named) bool { return n.name == name })
		if at >= 0 {
			if found[at].value.String() != m[i+1] {
				return nil, false
			}
			continue
		}
		found = append(found, named{name, datasets.Text(secret.Clean(m[i+1])), "layout"})
	}
	return found, true
}

// matchLayouts tries every template on the path. For a file in an archive that is
// the path inside, because a template is written for the folder that was packed,
// then the whole one with the archive as a folder; a template with "!" is for the
// path as it is.
func matchLayouts(layouts []layout, rel string) ([]named, bool) {
	candidates := []string{rel[strings.LastIndexByte(rel, '!')+1:], strings.ReplaceAll(rel, "!", "/")}
	for _, l := range layouts {
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

// typeLayouts turns the texts of a layout into values: a name whose texts all are
// numbers is a number.
func typeLayouts(files []*file) {
	whole := map[string]bool{}
	kinds := map[string]datasets.Kind{}
	for _, f := range files {
		for _, n := range f.laidOut {
			if _, ok := whole[n.name]; !ok {
				whole[n.name] = !column.Textual(n.name)
			}
			whole[n.name] = whole[n.name] && naming.NumberWord.MatchString(n.value.String())
			kinds[n.name] = column.Unify(kinds[n.name], column.Value(n.name, n.value.String()).Kind())
		}
	}
	for _, f := range files {
		for i := range f.laidOut {
			n := &f.laidOut[i]
			if _, builtin := column.Builtin(n.name); builtin {
				continue // Fill knows what it needs; launch 01 stays 01
			}
			v := column.Value(n.name, n.value.String())
			if whole[n.name] {
				v = column.Value("", strings.TrimLeft(n.value.String(), "0"))
				if v.IsNull() {
					v = datasets.Int(0)
				}
				n.value = v
				continue
			}
			n.value = column.Convert(v, kinds[n.name])
		}
	}
}

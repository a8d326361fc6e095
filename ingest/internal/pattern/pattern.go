// Package pattern has regular expressions that say quickly of most texts that they
// do not match: every format is asked for every file, and a file is of one.
//
// A match needs certain words. Those are found in the expression itself, and looked
// for first:
//
//	(?m)^CPU op-mode\(s\):|^MemTotal:\s+\d+ kB$		"CPU op-mode(s):" or "MemTotal:"
package pattern

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Pattern is a regular expression and the words of which every match has one;
// without words it is an ordinary one. Most calls of the program need few of them.
type Pattern struct {
	expr    string
	compile sync.Once // when it is first asked

	re    *regexp.Regexp
	words []word
	folds bool // some word stands for all spellings with other case
}

// word is in lower case if it folds.
type word struct {
	text  []byte
	folds bool
}

// MustCompile gives a pattern that panics, when it is first asked, if the expression is
// none.
func MustCompile(expr string) *Pattern { return &Pattern{expr: expr} }

func (p *Pattern) compiled() *Pattern {
	p.compile.Do(func() {
		p.re = regexp.MustCompile(p.expr)
		tree, _ := syntax.Parse(p.expr, syntax.Perl) // as regexp did
		p.words = fewest(words(tree))
		for i, w := range p.words {
			p.folds = p.folds || w.folds
			p.words[i].text = bytes.TrimLeft(w.text, " ,-") // looking for what is everywhere takes long
		}
	})
	return p
}

// Match tells whether the text has a match.
func (p *Pattern) Match(text []byte) bool { return p.possible(text) && p.re.Match(text) }

// FindIndex gives the place of the first match, nil if there is none.
func (p *Pattern) FindIndex(text []byte) []int {
	if !p.possible(text) {
		return nil
	}
	return p.re.FindIndex(text)
}

// FindAllIndex gives the places of the first n matches.
func (p *Pattern) FindAllIndex(text []byte, n int) [][]int {
	if !p.possible(text) {
		return nil
	}
	return p.re.FindAllIndex(text, n)
}

// FindAllStringSubmatchIndex gives the places of all matches and of their groups.
func (p *Pattern) FindAllStringSubmatchIndex(text string) [][]int {
	if !p.possible([]byte(text)) {
		return nil
	}
	return p.re.FindAllStringSubmatchIndex(text, -1)
}

// possible tells whether one of the words is there.
func (p *Pattern) possible(text []byte) bool {
	if p.compiled().words == nil {
		return true
	}
	var lower []byte
	if p.folds {
		if !isASCII(text) { // where a K may be a sign for kelvin
			return true
		}
		lower = bytes.ToLower(text)
	}
	for _, w := range p.words {
		in := text
		if w.folds {
			in = lower
		}
		if bytes.Contains(in, w.text) {
			return true
		}
	}
	return false
}

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// words finds the words of which every match of an expression has one; nil if there
// are no such words.
func words(re *syntax.Regexp) []word {
	if all := exact(re); telling(all) > 0 {
		return all
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return words(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return words(re.Sub[0])
		}
	case syntax.OpConcat: // all of them are needed: the most telling will do
		var best []word
		take := func(list []word) {
			if telling(list) > telling(best) {
				best = list
			}
		}
		run := []word{{}} // of neighbours
		for _, sub := range re.Sub {
			next := exact(sub)
			if longer := product(run, next); longer != nil {
				run = longer
				continue
			}
			take(run)
			if run = next; next == nil {
				run = []word{{}}
				take(words(sub))
			}
		}
		take(run)
		return best
	case syntax.OpAlternate:
		var all []word
		for _, sub := range re.Sub {
			w := words(sub)
			if w == nil {
				return nil
			}
			all = append(all, w...)
		}
		return all
	}
	return nil
}

// maxWords bounds how many words an expression may be written out as.
const maxWords = 32

// exact gives all texts that an expression matches; nil if they are many.
func exact(re *syntax.Regexp) []word {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []word{{}}
	case syntax.OpLiteral:
		if slices.Contains(re.Rune, utf8.RuneError) {
			return nil // matches bytes that are no text
		}
		text, folds := string(re.Rune), re.Flags&syntax.FoldCase != 0
		if folds {
			text = strings.ToLower(text)
		}
		return []word{{[]byte(text), folds}}
	case syntax.OpCapture:
		return exact(re.Sub[0])
	case syntax.OpQuest:
		if all := exact(re.Sub[0]); all != nil {
			return append([]word{{}}, all...)
		}
	case syntax.OpConcat:
		all := []word{{}}
		for _, sub := range re.Sub {
			all = product(all, exact(sub))
		}
		return all
	case syntax.OpAlternate:
		var all []word
		for _, sub := range re.Sub {
			e := exact(sub)
			if e == nil || len(all)+len(e) > maxWords {
				return nil
			}
			all = append(all, e...)
		}
		return all
	}
	return nil
}

// product sets each word of b behind each of a; nil if one is nil or they are many.
func product(a, b []word) (all []word) {
	if len(a)*len(b) > maxWords {
		return nil
	}
	for _, x := range a {
		for _, y := range b {
			w := word{slices.Concat(x.text, y.text), x.folds || y.folds}
			if w.folds {
				w.text = bytes.ToLower(w.text)
			}
			all = append(all, w)
		}
	}
	return all
}

// telling is how much the least of the words says: a sign says more than a letter,
// and a blank nothing.
func telling(words []word) int {
	least := 0
	for i, w := range words {
		n := 0
		for _, r := range string(w.text) {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				n++
			case !unicode.IsSpace(r):
				n += 2
			}
		}
		if i == 0 || n < least {
			least = n
		}
	}
	return least
}

// fewest leaves out the words that hold another.
func fewest(words []word) (list []word) {
	for i, w := range words {
		if !slices.ContainsFunc(words[:i], func(o word) bool { return o.folds == w.folds && bytes.Contains(w.text, o.text) }) {
			list = append(list, w)
		}
	}
	return list
}

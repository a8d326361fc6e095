package pattern

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Line is a regular expression for one line of a log. Such an expression hardly ever
// leaves a choice: it begins with the line, or with a sign that is rare, and a run of
// digits ends where the next word begins. So it is walked along the line, ten times as
// fast as package regexp does, which counts with every choice at every byte; where one
// was wrong, the walk goes back. An expression for which that will not do, and a line on
// which it goes back too often, are left to package regexp.
type Line struct {
	expr    string
	compile sync.Once // when it is first asked

	re       *regexp.Regexp
	start    *step // nil: only re
	anchored bool
}

// MustLine gives an expression that panics, when it is first asked, if it is none.
func MustLine(expr string) *Line { return &Line{expr: expr} }

func (l *Line) compiled() *Line {
	l.compile.Do(func() {
		l.re = regexp.MustCompile(l.expr)
		tree, _ := syntax.Parse(l.expr, syntax.Perl) // as regexp did
		b := builder{}
		start := b.build(tree, &step{op: opMatched})
		l.anchored = anchored(tree)
		if !b.cannot && l.re.NumSubexp() < mostGroups && (l.anchored || !hasEmpty(tree) && !start.begins()[utf8.RuneSelf]) {
			l.start = start
			start.begins()
		}
	})
	return l
}

// walks tells whether the line can be walked along. Each choice may take a call.
func (l *Line) walks(line string) bool { return l.compiled().start != nil && len(line) <= longest }

// MatchString is that of package regexp.
func (l *Line) MatchString(line string) bool {
	if !l.walks(line) {
		return l.re.MatchString(line)
	}
	w := walkAlong(line)
	found := l.find(&w, 0)
	if w.lost() {
		return l.re.MatchString(line)
	}
	return found
}

// FindStringSubmatch is that of package regexp.
func (l *Line) FindStringSubmatch(line string) []string {
	if !l.walks(line) {
		return l.re.FindStringSubmatch(line)
	}
	w := walkAlong(line)
	found := l.find(&w, 0)
	switch {
	case w.lost():
		return l.re.FindStringSubmatch(line)
	case !found:
		return nil
	}
	return w.said(l.re.NumSubexp())
}

// FindAllStringSubmatch is that of package regexp, without a bound.
func (l *Line) FindAllStringSubmatch(line string) (list [][]string) {
	if !l.walks(line) || l.anchored {
		return l.re.FindAllStringSubmatch(line, -1)
	}
	w := walkAlong(line)
	for from := 0; l.find(&w, from); from = w.end {
		list = append(list, w.said(l.re.NumSubexp()))
	}
	if w.lost() {
		return l.re.FindAllStringSubmatch(line, -1)
	}
	return list
}

// FindAllStringSubmatchIndex is that of package regexp, without a bound.
func (l *Line) FindAllStringSubmatchIndex(line string) (list [][]int) {
	if !l.walks(line) || l.anchored {
		return l.re.FindAllStringSubmatchIndex(line, -1)
	}
	w := walkAlong(line)
	for from := 0; l.find(&w, from); from = w.end {
		at := []int{w.begin, w.end}
		for _, place := range w.groups[2 : 2*(l.re.NumSubexp()+1)] {
			at = append(at, int(place))
		}
		list = append(list, at)
	}
	if w.lost() {
		return l.re.FindAllStringSubmatchIndex(line, -1)
	}
	return list
}

// find finds the first match from a place on.
func (l *Line) find(w *walk, from int) bool {
	begins := l.start.begins()
	for w.begin = from; w.begin <= len(w.text); w.begin++ {
		if l.anchored || w.begin < len(w.text) && begins[w.text[w.begin]] {
			for i := range w.groups[:2*(l.re.NumSubexp()+1)] {
				w.groups[i] = -1
			}
			if w.match(l.start, w.begin) {
				return true
			}
		}
		if l.anchored || w.lost() {
			return false
		}
	}
	return false
}

// said gives the match and its groups.
func (w *walk) said(groups int) []string {
	list := make([]string, groups+1)
	list[0] = w.text[w.begin:w.end]
	for i := range list[1:] {
		if from, to := w.groups[2*i+2], w.groups[2*i+3]; to >= 0 {
			list[i+1] = w.text[from:to]
		}
	}
	return list
}

const (
	longest    = 64 << 10 // of a line
	mostGroups = 16       // of an expression
	mostCopies = 10       // of a part that is repeated so often
	// perTry bytes is about what it costs to try a way; of these a short line may have
	// leastTries.
	perTry     = 16
	leastTries = 1000
)

// walk is a way along a line.
type walk struct {
	text   string
	left   int // bytes that may be looked at yet
	begin  int // of the match
	end    int
	groups [2 * mostGroups]int32
}

func walkAlong(line string) walk {
	return walk{text: line, left: perTry*leastTries + 4*len(line)}
}

// lost tells whether the walk was given up.
func (w *walk) lost() bool { return w.left < 0 }

// match tells whether the text from at on matches from a step on.
func (w *walk) match(s *step, at int) bool {
	w.left -= perTry
	text := w.text
	for !w.lost() {
		switch s.op {
		case opMatched:
			w.end = at
			return true
		case opText:
			if !strings.HasPrefix(text[at:], s.text) {
				return false
			}
			at += len(s.text)
		case opOne:
			if at == len(text) || !s.set[text[at]] {
				return false
			}
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
		case opCounted:
			n := 0
			for ; n < s.most && at < len(text) && s.set[text[at]]; n++ {
				_, size := utf8.DecodeRuneInString(text[at:])
				at += size
				w.left--
			}
			if n < s.least {
				return false
			}
		case opRun:
			if s.lazy {
				return w.lazily(s, at)
			}
			to := at
			for last := at + min(s.most, len(text)-at); to < last && s.set[text[to]]; to++ {
			}
			if w.left -= to - at; to-at < s.least {
				return false
			}
			if !s.sure {
				follow := s.next.begins()
				for ; to > at+s.least; to-- {
					if (to == len(text) || follow[text[to]]) && w.try(s.next, to) {
						return true
					}
				}
			}
			at = to
		case opGroup:
			w.groups[s.group] = int32(at)
		case opChoice:
			next, arrived := w.choose(s, at)
			if next == nil {
				return arrived
			}
			s = next
			continue
		case opBegin:
			if at > 0 {
				return false
			}
		case opEnd:
			if at < len(text) {
				return false
			}
		case opWord, opInside:
			if (w.inside(at-1) != w.inside(at)) != (s.op == opWord) {
				return false
			}
		}
		s = s.next
	}
	return false
}

func (w *walk) lazily(s *step, at int) bool {
	follow := s.next.begins()
	for n := 0; !w.lost(); n++ {
		if n >= s.least && (at == len(w.text) || follow[w.text[at]]) && w.try(s.next, at) {
			return true
		}
		if n == s.most || at == len(w.text) || !s.set[w.text[at]] {
			return false
		}
		at++
		w.left--
	}
	return false
}

// inside tells whether a byte belongs to a word.
func (w *walk) inside(at int) bool {
	if at < 0 || at >= len(w.text) {
		return false
	}
	c := w.text[at]
	return c == '_' || c-'0' <= 9 || c|0x20-'a' < 26
}

// choose gives the way to go, the last one if no other led to the end; nil if there is
// none, or one has arrived there.
func (w *walk) choose(s *step, at int) (way *step, arrived bool) {
	for _, next := range s.ways {
		if at < len(w.text) && !next.begins()[w.text[at]] || next.op == opText && !strings.HasPrefix(w.text[at:], next.text) {
			continue
		}
		if s.sure && at < len(w.text) {
			return next, false
		}
		if way != nil && w.try(way, at) {
			return nil, true
		}
		way = next
	}
	return way, false
}

// try is match where another way is left: what was noted on this one is forgotten then.
func (w *walk) try(s *step, at int) bool {
	kept := w.groups
	if w.match(s, at) {
		return true
	}
	w.groups = kept
	return false
}

package pattern

import (
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Line is a regular expression for one line, anchored at its beginning as nearly all
// of those for the lines of a log are. Such an expression hardly ever leaves a choice:
// a run of digits ends where the next word begins. So it is walked along the line, ten
// times as fast as package regexp does, which counts with every choice at every byte;
// where one was wrong, the walk goes back. An expression for which that will not do,
// and a line on which it goes back too often, are left to package regexp.
type Line struct {
	expr    string
	compile sync.Once // when it is first asked

	re    *regexp.Regexp
	start *step // nil: only re
}

// MustLine gives an expression that panics, when it is first asked, if it is none.
func MustLine(expr string) *Line { return &Line{expr: expr} }

func (l *Line) compiled() *Line {
	l.compile.Do(func() {
		l.re = regexp.MustCompile(l.expr)
		tree, _ := syntax.Parse(l.expr, syntax.Perl) // as regexp did
		b := builder{}
		if start := b.build(tree, &step{op: opMatched}); !b.cannot && anchored(tree) && l.re.NumSubexp() < mostGroups {
			l.start = start
		}
	})
	return l
}

// MatchString is that of package regexp.
func (l *Line) MatchString(line string) bool {
	if l.compiled().start == nil {
		return l.re.MatchString(line)
	}
	w := walkAlong(line)
	ok := w.match(l.start, 0)
	if w.lost() {
		return l.re.MatchString(line)
	}
	return ok
}

// FindStringSubmatch is that of package regexp.
func (l *Line) FindStringSubmatch(line string) []string {
	if l.compiled().start == nil {
		return l.re.FindStringSubmatch(line)
	}
	w := walkAlong(line)
	for i := range w.groups[:2*(l.re.NumSubexp()+1)] {
		w.groups[i] = -1
	}
	ok := w.match(l.start, 0)
	switch {
	case w.lost():
		return l.re.FindStringSubmatch(line)
	case !ok:
		return nil
	}
	list := make([]string, l.re.NumSubexp()+1)
	list[0] = line[:w.end]
	for i := range list[1:] {
		if from, to := w.groups[2*i+2], w.groups[2*i+3]; to >= 0 {
			list[i+1] = line[from:to]
		}
	}
	return list
}

const (
	mostGroups = 16 // of an expression
	mostCopies = 10 // of a part that is repeated so often
	// perTry bytes is about what it costs to try a way; of these a short line may have
	// leastTries.
	perTry     = 16
	leastTries = 1000
)

// anchored tells whether matches begin at the beginning of the line only.
func anchored(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginText:
		return true
	case syntax.OpConcat, syntax.OpCapture:
		return anchored(re.Sub[0])
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !anchored(sub) })
	}
	return false
}

// step is a place in an expression.
type step struct {
	op    op
	next  *step
	text  string
	set   *byteSet
	least int // of a run
	most  int
	lazy  bool
	group int // index of the place that is noted
	ways  []*step
	// sure: no byte of a run could also begin what follows; no two ways begin with the
	// same byte.
	sure  bool
	begin *byteSet // what it may begin with, once known
}

// byteSet is a set of bytes.
type byteSet [256]bool

type op int8

const (
	opMatched op = iota
	opText       // these bytes
	opRun        // so many bytes of a set
	opOne        // one character, which is not ASCII or of a set
	opGroup      // a group begins or ends
	opChoice     // one of the ways, the first that goes on to the end
	opBegin
	opEnd
	opWord   // \b
	opInside // \B
)

// builder makes steps of an expression, from its end on.
type builder struct {
	cannot bool
}

func (b *builder) build(re *syntax.Regexp, next *step) *step {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return next
	case syntax.OpLiteral:
		if slices.Contains(re.Rune, utf8.RuneError) {
			break
		}
		if re.Flags&syntax.FoldCase != 0 { // [eE] is one of these, too
			return b.anyCase(re.Rune, next)
		}
		return &step{op: opText, text: string(re.Rune), next: next}
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return b.run(re, 1, 1, false, next)
	case syntax.OpBeginText:
		return &step{op: opBegin, next: next}
	case syntax.OpEndText:
		return &step{op: opEnd, next: next}
	case syntax.OpWordBoundary:
		return &step{op: opWord, next: next}
	case syntax.OpNoWordBoundary:
		return &step{op: opInside, next: next}
	case syntax.OpCapture:
		end := &step{op: opGroup, group: 2*re.Cap + 1, next: next}
		return &step{op: opGroup, group: 2 * re.Cap, next: b.build(re.Sub[0], end)}
	case syntax.OpConcat:
		for _, sub := range slices.Backward(re.Sub) {
			next = b.build(sub, next)
		}
		return next
	case syntax.OpAlternate:
		ways := make([]*step, len(re.Sub))
		for i, sub := range re.Sub {
			ways[i] = b.build(sub, next)
		}
		return choose(ways)
	case syntax.OpQuest:
		return b.repeat(re, 0, 1, next)
	case syntax.OpStar:
		return b.repeat(re, 0, -1, next)
	case syntax.OpPlus:
		return b.repeat(re, 1, -1, next)
	case syntax.OpRepeat:
		return b.repeat(re, re.Min, re.Max, next)
	}
	b.cannot = true
	return next
}

// anyCase is for a word with small or large letters. Those of kelvin and an old s are
// some, too.
func (b *builder) anyCase(text []rune, next *step) *step {
	for _, r := range slices.Backward(text) {
		if r >= utf8.RuneSelf || unicode.SimpleFold(unicode.SimpleFold(r)) != r {
			b.cannot = true
			return next
		}
		set := &byteSet{}
		set[r], set[unicode.SimpleFold(r)] = true, true
		next = &step{op: opRun, set: set, least: 1, most: 1, sure: true, next: next}
	}
	return next
}

// repeat is for a part from least to most times, below 0 without an end.
func (b *builder) repeat(re *syntax.Regexp, least, most int, next *step) *step {
	sub, lazy := re.Sub[0], re.Flags&syntax.NonGreedy != 0
	switch sub.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		if most < 0 {
			most = math.MaxInt
		}
		return b.run(sub, least, most, lazy, next)
	}
	if lazy || max(least, most) > mostCopies || hasEmpty(sub) {
		b.cannot = true
		return next
	}
	if most < 0 {
		again := &step{op: opChoice}
		again.begin = &byteSet{} // not known before the part is
		for c := range again.begin {
			again.begin[c] = true
		}
		way := b.build(sub, again)
		if b.cannot {
			return next
		}
		*again = *choose([]*step{way, next})
		next = again
	}
	for range most - least {
		next = choose([]*step{b.build(sub, next), next})
	}
	for range least {
		next = b.build(sub, next)
	}
	return next
}

// hasEmpty tells whether a part may match nothing.
func hasEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return hasEmpty(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || hasEmpty(re.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !hasEmpty(sub) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, hasEmpty)
	}
	return true
}

// run is for so many bytes of a set of characters: all that are not ASCII have to be in
// it or none of them, so that the bytes say as much as the characters.
func (b *builder) run(re *syntax.Regexp, least, most int, lazy bool, next *step) *step {
	ranges := re.Rune
	switch re.Op {
	case syntax.OpAnyChar:
		ranges = []rune{0, utf8.MaxRune}
	case syntax.OpAnyCharNotNL:
		ranges = []rune{0, '\n' - 1, '\n' + 1, utf8.MaxRune}
	}
	s := &step{op: opRun, set: &byteSet{}, least: least, most: most, lazy: lazy, next: next}
	for i := 0; i < len(ranges); i += 2 {
		from, to := ranges[i], ranges[i+1]
		if to >= utf8.RuneSelf && (to != utf8.MaxRune || from > utf8.RuneSelf) {
			b.cannot = true
			return next
		}
		for c := from; c <= min(to, 0xff); c++ {
			s.set[c] = true
		}
	}
	follow := next.begins()
	s.sure = !slices.ContainsFunc(all[:], func(c byte) bool { return s.set[c] && follow[c] })
	const high = utf8.RuneSelf
	switch {
	case !s.set[high]:
	case least == 1 && most == 1:
		s.op = opOne
	case least > 1 || most != math.MaxInt || (lazy || !s.sure) && follow[high]: // a character may be cut
		b.cannot = true
	}
	return s
}

// all are the bytes.
var all = func() (list [256]byte) {
	for i := range list {
		list[i] = byte(i)
	}
	return list
}()

// choose is the step that goes one of the ways, the first if it leads to the end.
func choose(ways []*step) *step {
	s := &step{op: opChoice, ways: ways, sure: true}
	for _, c := range all {
		n := 0
		for _, way := range ways {
			if way.begins()[c] {
				n++
			}
		}
		s.sure = s.sure && n <= 1
	}
	return s
}

// begins gives the bytes that what follows may begin with.
func (s *step) begins() *byteSet {
	if s.begin == nil {
		begin := byteSet{}
		add := func(more *byteSet) {
			for c := range more {
				begin[c] = begin[c] || more[c]
			}
		}
		switch s.op {
		case opMatched:
			for c := range begin {
				begin[c] = true
			}
		case opText:
			begin[s.text[0]] = true
		case opRun:
			if add(s.set); s.least == 0 {
				add(s.next.begins())
			}
		case opOne:
			add(s.set)
		case opChoice:
			for _, way := range s.ways {
				add(way.begins())
			}
		case opEnd: // nothing
		default:
			add(s.next.begins())
		}
		s.begin = &begin
	}
	return s.begin
}

// walk is a way along a line.
type walk struct {
	text   string
	left   int // bytes that may be looked at yet
	end    int // of the match
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
		if at < len(w.text) && !next.begins()[w.text[at]] {
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

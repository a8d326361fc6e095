package pattern

import (
	"math"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
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
	opCounted    // so many of these
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
		once := (&builder{}).build(sub, &step{op: opMatched}) // the part may ask what it begins with itself
		again := &step{op: opChoice, ways: []*step{once, next}}
		again.begins()
		way := b.build(sub, again)
		if b.cannot {
			return next
		}
		*again = *choose([]*step{way, next})
		again.begins() // nothing is noted later: many walk at a time
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
	case (lazy || !s.sure) && follow[high]: // a character may be cut
		b.cannot = true
	case least > 1 || most != math.MaxInt:
		if s.op = opCounted; lazy || !s.sure {
			b.cannot = true
		}
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
		case opRun, opCounted:
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

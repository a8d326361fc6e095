package sysbench

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/secret"
)

// The kinds of problem.
const (
	KindForeign    = "foreign-line"         // nothing that sysbench prints
	KindBroken     = "broken-line"          // starts like a line of sysbench, goes on otherwise
	KindTorn       = "torn-line"            // the text ends, or was cut, inside this line
	KindLong       = "long-line"            // longer than 64 KiB: the rest was read over
	KindZeros      = "nul-bytes"            // left by a crash
	KindMissing    = "intervals-missing"    // a gap between report lines
	KindRepeated   = "intervals-repeated"   // two report lines for one time
	KindBackwards  = "intervals-backwards"  // a report line for an earlier time
	KindCut        = "text-cut"             // a line like "..", with no gap that shows what is gone
	KindWrapped    = "counter-wrapped"      // below zero or beyond anything possible
	KindTotals     = "totals-disagree"      // report lines against summary
	KindRate       = "rate-disagrees"       // count and time against the printed rate
	KindAboveMax   = "percentile-above-max" // percentiles are grid values, so a little is normal
	KindCheckpoint = "checkpoint"           // the totals are not those of the whole run
	KindFatal      = "fatal"                // FATAL messages of sysbench
	KindAlert      = "alert"                // ALERT messages
	KindWarning    = "warning"              // WARNING messages
)

// maxTold is how many problems of one kind get a record of their own; more are
// counted in the last one.
const maxTold = 50

// problems collects what was not understood, one record per kind, or one per
// case for the kinds whose text is about the case.
type problems struct {
	list []datasets.Problem
	last map[string]int // index in list by kind
	told map[string]int
}

func (p *problems) add(kind string, line int, text []byte) {
	if i, ok := p.last[kind]; ok {
		p.list[i].Count++
		return
	}
	p.put(kind, line, presentable(string(text)))
}

// more counts n further cases of a kind.
func (p *problems) more(kind string, n int) {
	if i, ok := p.last[kind]; ok {
		p.list[i].Count += n
	}
}

func (p *problems) put(kind string, line int, text string) {
	if p.last == nil {
		p.last, p.told = map[string]int{}, map[string]int{}
	}
	p.last[kind] = len(p.list)
	p.list = append(p.list, datasets.Problem{Line: line, Kind: kind, Text: text, Count: 1})
}

// each gives the problems in the order of lines.
func (p *problems) each(give func(datasets.Problem)) {
	slices.SortStableFunc(p.list, func(a, b datasets.Problem) int { return cmp.Compare(a.Line, b.Line) })
	for _, problem := range p.list {
		give(problem)
	}
}

// note counts a problem of which the first example is enough.
func (s *scan) note(kind string, text []byte) { s.problems.add(kind, s.rd.number, text) }

// tell records a problem whose text is about this one case.
func (s *scan) tell(kind string, line int, text string) {
	if s.problems.told[kind] >= maxTold {
		s.problems.list[s.problems.last[kind]].Count++
		return
	}
	s.problems.put(kind, line, presentable(text))
	s.problems.told[kind]++
}

const maxText = 200 // bytes, by the definition of datasets.Problem

// presentable makes a piece of a stranger's text fit to be stored and shown:
// without passwords, valid UTF-8, on one line, not longer than maxText.
func presentable(text string) string {
	if len(text) > 10*maxText {
		text = text[:10*maxText]
		if i := strings.LastIndexByte(text, ' '); i > 0 {
			text = text[:i] // the last word may be a user:password that has lost its @host
		}
	}
	text = strings.ToValidUTF8(secret.CleanCommand(text), "?")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	if len(text) <= maxText {
		return text
	}
	end := maxText - len("...")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

package load

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
	"math"
	"sync"
	"unicode"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
)

// The kinds of problem that Scan itself finds.
const (
	KindForeign = "foreign-line" // nothing that the tool prints
	KindBroken  = "broken-line"  // starts like a line of the tool, goes on otherwise
	KindTorn    = "torn-line"    // the text ends, or was cut, inside this line
	KindLong    = "long-line"    // longer than 64 KiB
	KindZeros   = "nul-bytes"    // left by a crash
)

// A Verdict says whose a line is.
type Verdict int8

const (
	Foreign Verdict = iota // nothing that the parser knows
	Apart                  // understood, but no part of the open run
	Mine                   // a line of the open run
	Broken                 // starts like a line of the tool and goes on otherwise
)

// A Parser reads the lines of one tool.
type Parser interface {
	// Line takes a line, trimmed and not empty. It calls b.Begin where a run
	// starts and fills b.Run.
	Line(b *Book, line []byte) Verdict
	// End settles a run that is over: its status, what follows from its numbers.
	// It gives false if there is no run after all.
	End(b *Book) bool
}

// Book holds the open run of a text and what was not understood.
type Book struct {
	Run Run
	// Beside tells runs apart that share their bytes, those of one line for example:
	// it counts for the hash of the run at hand.
	Beside string
	Torn   bool // the line at hand may have lost its end

	out      Out
	parser   Parser
	rd       *lines.Reader
	problems lines.Problems
	open     bool
	parts    int
	err      error
	above    string // see Above
	foreign  int
}

// Open tells whether a run is open.
func (b *Book) Open() bool { return b.open }

// Begin ends the open run and starts another one at the line at hand.
func (b *Book) Begin() {
	b.Finish()
	n := b.rd.Number
	b.Run = Run{Part: b.parts + 1, FirstLine: n, LastLine: n, Options: map[string]datasets.Value{}, Metrics: map[string]float64{}}
	b.rd.Track()
	b.open, b.Beside = true, ""
}

// BeginCell starts a run in a cell of the line at hand, which holds several.
func (b *Book) BeginCell(beside string) {
	b.Begin()
	b.rd.Mark()
	b.Beside = beside
}

// Finish gives the open run to the caller.
func (b *Book) Finish() {
	if !b.open {
		return
	}
	b.open = false
	if !b.parser.End(b) {
		b.rd.Forget()
		return
	}
	if b.Run.Hash = b.rd.Digest(); b.Beside != "" {
		b.Run.Hash = sha256.Sum256(append(b.Run.Hash[:], b.Beside...))
	}
	b.parts++
	if b.err == nil && b.out.Found != nil {
		b.err = b.out.Found(&b.Run)
	}
}

// Note counts a problem of the line at hand; the first of a kind is kept.
func (b *Book) Note(kind string, text []byte) { b.problems.AddLine(b.rd, kind, text) }

// Row adds a report line at t of which nothing is known but what fill sets.
func (b *Book) Row(t float64, fill func(iv *datasets.Interval)) {
	nan := math.NaN()
	iv := datasets.Interval{T: t, Threads: nan, TPS: nan, QPS: nan, Reads: nan, Writes: nan, Other: nan,
		LatencyPct: nan, Percentile: nan, Errors: nan, Reconnects: nan, QueueLength: nan, Concurrency: nan}
	fill(&iv)
	b.Run.Intervals.Add(iv)
}

// Step is the time between report lines, for tools that print counts and not
// rates: the distance from the one before, else from the start.
func (b *Book) Step(t float64) float64 {
	if n := b.Run.Intervals.Len(); n > 0 {
		return t - b.Run.Intervals.At(n-1).T
	}
	return t
}

var readers = sync.Pool{New: func() any { return lines.NewReader() }}

// Scan offers every line of a text to the parser, first as it stands, then
// without what others put in front of it. A line that the end of the text cut is
// offered only if it does not end in a digit, which might be half a number.
func Scan(text io.Reader, out Out, parser Parser) error {
	b := &Book{out: out, parser: parser, rd: readers.Get().(*lines.Reader)}
	defer func() {
		b.rd.Release()
		readers.Put(b.rd)
	}()
	var whole hash.Hash
	if out.Text != nil {
		whole = sha256.New()
	}
	b.rd.Reset(text, whole, out.Others)
	for b.err == nil {
		line, complete, ok := b.rd.Next()
		if !ok {
			break
		}
		b.line(line, complete)
	}
	if b.err == nil {
		b.Finish()
	}
	if b.err == nil && b.rd.Err() != io.EOF {
		b.err = b.rd.Err()
	}
	if out.Text != nil {
		*out.Text = b.rd.DigestWhole()
	}
	if out.Problem != nil {
		b.problems.Each(out.Problem)
	}
	return b.err
}

func (b *Book) line(text []byte, whole bool) {
	if b.rd.Long {
		b.Note(KindLong, text)
		return
	}
	if i := bytes.IndexByte(text, 0); i >= 0 { // what stood before a crash has lost its end
		b.Note(KindZeros, nil)
		text, whole = text[:i], false
	}
	if bytes.IndexByte(text, 0x1b) >= 0 {
		text = lines.Bare(nil, text)
	}
	if rest, ok := bytes.CutPrefix(text, lines.BOM); ok {
		text = rest
		b.rd.Start += int64(len(lines.BOM))
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return
	}
	if last := text[len(text)-1]; !whole && (last-'0' <= 9 || last == '.' || last == ',' || last == ':') {
		b.Note(KindTorn, text)
		return
	}
	b.Torn = !whole
	broken := false
	bare := text
	for layer := 0; layer <= 4 && len(bare) > 0; layer++ {
		switch b.parser.Line(b, bare) {
		case Mine:
			b.own()
			return
		case Apart:
			return
		case Broken:
			broken = true
		}
		under := lines.Undress(bare)
		if len(under) == len(bare) {
			break
		}
		bare = under
	}
	says := func(text []byte) bool { // rulers say nothing
		return bytes.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	}
	switch {
	case !says(text):
	case broken:
		b.Note(KindBroken, text)
	case !whole && b.open:
		b.Note(KindTorn, text)
	default:
		b.Note(KindForeign, text)
		if says(bare) {
			if b.foreign++; b.foreign == 1 {
				b.above = string(bare)
			}
		}
	}
}

// Above gives the first line that nobody knows since the last one of a run, and how
// many such lines there are: one alone may be a title.
func (b *Book) Above() (text string, lines int) { return b.above, b.foreign }

// own makes the line at hand the last of the open run so far.
func (b *Book) own() {
	b.foreign = 0
	if b.open {
		b.Run.LastLine = b.rd.Number
		b.rd.Mark()
	}
}

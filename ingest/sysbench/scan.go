package sysbench

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
	"strings"
	"sync"
	"unicode"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/digits"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/sums"
)

// Run is one run found in a text.
//
// Threads is that of the option block; without one, of the first report line.
//
// Workload is named in a command line before the run, or by the lines that the
// tests cpu, memory, fileio, threads, mutex and the built-in oltp of 0.4 print.
//
// Options holds what the option block says (report_interval_s, rate, seed,
// warmup_s, validate, debug, checkpoints, forced_shutdown_s) and the options of a
// command line before the run (tables, table_size, time_s, max_events, ...).
//
// Metrics: tps is the log's own "transactions: N (X per sec.)" to the last digit;
// reads_per_s, writes_per_s, other_per_s are count over duration_s, and so is qps
// before 1.0 and eps where neither tps nor eps is printed. latency_p95 has the
// percentile that the log has.
//
// Intervals: TPS is events per second for tests without transactions. A latency
// of 0.00 in an interval in which nothing finished is NaN.
type Run = load.Run

// Tool is sysbench for the registry of ingest.
var Tool = load.Tool{
	Name: "sysbench", Sniff: Sniff, Threads: threadsIn,
	Scan: func(text io.Reader, out load.Out) error {
		return (&Scanner{Found: out.Found, Problem: out.Problem, Text: out.Text, Others: out.Others, Chunk: out.Chunk}).Scan(text)
	},
}

var threadsLine = []byte("Number of threads:")

// threadsIn finds the threads in the option block of a log's first run.
func threadsIn(head []byte) int {
	_, rest, ok := bytes.Cut(head, threadsLine)
	if !ok {
		return 0
	}
	n, size, decimals := digits.Fixed(bytes.TrimLeft(rest, " \t"), 0)
	if size == 0 || decimals > 0 || n > 1e9 {
		return 0
	}
	return int(n)
}

// A Scanner reads texts. Found and Problem are called as Scan says; nil is
// allowed.
type Scanner struct {
	Found   func(*Run) error
	Problem func(datasets.Problem)

	// Chunk, if set, bounds the memory of a run of any length: each time 65 536
	// report lines have come together it is called with them, and they are its own.
	// part is the Part that the run will have when it is found, so that the rows can
	// be kept under it until the hash is known. Found then gets the rest of the rows;
	// it is always called for a run that had chunks. Runs of fewer lines are never
	// cut. Without Chunk a run holds all its rows (104 bytes each).
	Chunk func(part int, rows *datasets.Intervals) error

	// Text, if set, gets the SHA-256 of the text as it was read, up to an error.
	// It costs next to nothing if the text is one run.
	Text *[sha256.Size]byte

	// Others hash together with this scan; nil: nobody.
	Others *sums.Group
}

const chunkRows = 64 << 10

// Scan reads text to its end. found is called once per run, in order; the Run,
// its slices and its maps are used again after found returns. problem is called
// at the end, once per kind of thing not understood and once per gap or
// contradiction, in the order of lines. The error is that of the reader or of
// found, never one of the text; runs read before it have been given to found, the
// one it interrupted as truncated.
func Scan(text io.Reader, found func(*Run) error, problem func(datasets.Problem)) error {
	return (&Scanner{Found: found, Problem: problem}).Scan(text)
}

// Scan is Scan with the scanner's own callbacks.
func (c *Scanner) Scan(text io.Reader) error {
	s := scans.Get().(*scan)
	defer scans.Put(s)
	s.reset(c, text)
	for s.err == nil {
		line, whole, ok := s.rd.Next()
		if !ok {
			break
		}
		s.line(line, whole)
	}
	if s.err == nil {
		s.finish()
	}
	if s.err == nil && s.rd.Err() != io.EOF {
		s.err = s.rd.Err()
	}
	if c.Text != nil {
		*c.Text = s.rd.DigestWhole()
	}
	if c.Problem != nil {
		s.problems.Each(c.Problem)
	}
	s.rd.Release()
	s.Scanner = nil
	return s.err
}

var scans = sync.Pool{New: func() any { return newScan() }}

// A scan is one pass over a text.
type scan struct {
	*Scanner
	err      error
	sniffs   bool // only whether it is sysbench at all is asked
	rd       *lines.Reader
	problems lines.Problems
	echo     echo // the last command line, for the run that will follow it
	worded   bool // the text has more of sysbench than report lines
	strong   bool // something was read that only sysbench prints

	// A quoted query that goes on: its quotes so far (0: there is none), the kind of
	// quote, and how many more lines are taken for it.
	query      int
	quote      byte
	queryLines int

	saying string // kind of the last message, for "(last message repeated 3 times)"

	parts     int // runs found so far
	open      bool
	run       Run
	iv        datasets.Interval // the report line at hand
	shapes    shapes            // of report lines
	recent    [2]*shape         // of these: the last, and the one before it that was another
	learned   bool              // the line at hand has one of these
	scratch   []byte
	digits    []byte
	torn      bool                      // the line at hand may have lost its end
	raw       []byte                    // it as it stands, with what others put before it
	dated     string                    // the moment that a line since the last run told, "" if none did
	coming    int                       // threads of the next measurement, where a line says so
	notes     map[string]datasets.Value // what a harness wrote about the runs that follow
	titles    map[byte]string           // of them, by the rulers beside
	rulers    []byte                    // in the order in which they came
	above     []byte                    // the last line that nobody knew
	aboveAt   int                       // its number
	overAbove []byte                    // the line above that
	ruler     byte                      // of the line before, if it was nothing else
	state
}

// state is what must be remembered about the open run besides its data.
type state struct {
	header   bool // "Running the test with following options:" was read
	started  bool // "Threads started!"
	finished bool // the last line of the final summary was read
	prepared bool // it is the output of prepare or cleanup
	help     bool
	fatal    bool
	forced   bool // shut down with transactions unfinished

	section        section
	seen           uint32 // sections, one bit each
	checkpoint     bool   // inside a checkpoint report
	checkpointDone bool   // at its end
	checkpoints    int

	pace
	hooked   hooked
	segments segments
	clients  clients
	stamps   stamps
	hostTool hostTool
}

func newScan() *scan {
	s := new(scan)
	s.rd = lines.NewReader()
	s.recent = [2]*shape{{}, {}}
	s.run.Options = map[string]datasets.Value{}
	s.run.Metrics = map[string]float64{}
	return s
}

func (s *scan) reset(c *Scanner, text io.Reader) {
	var whole hash.Hash
	if c.Text != nil {
		whole = sha256.New()
	}
	s.rd.Reset(text, whole, c.Others)
	s.Scanner, s.err, s.sniffs = c, nil, false
	s.problems = lines.Problems{}
	s.echo = echo{}
	s.query, s.saying, s.strong, s.worded = 0, "", false, false
	s.raw, s.dated, s.coming, s.notes = nil, "", 0, nil
	s.titles, s.rulers, s.ruler, s.aboveAt = nil, nil, 0, 0
	s.parts, s.open, s.state = 0, false, state{}
}

// A verdict says whose a line is.
type verdict int8

const (
	foreign verdict = iota // nothing that we know
	apart                  // understood, but no part of the open run
	mine                   // a line of the open run
)

// belongs is the verdict on a line that means nothing by itself.
func (s *scan) belongs() verdict {
	if s.open && !s.finished {
		return mine
	}
	return apart
}

// line takes one line of the text. whole says that its line end was read.
func (s *scan) line(text []byte, whole bool) {
	s.raw = text
	if whole && len(text) > 0 && text[0] == '[' && parseThds(text, &s.iv) {
		s.shapes.learn(s.rd.Line(), 0, len(text), &s.iv)
		s.interval()
		s.own()
		s.stretch()
		return
	}
	if s.rd.Long {
		s.longLine(text)
		return
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		s.zeros(text, whole)
		return
	}
	if bytes.IndexByte(text, 0x1b) >= 0 {
		bare, ok := lines.Uncoloured(text)
		if !ok {
			s.scratch = lines.Bare(s.scratch[:0], text)
			bare = s.scratch
		}
		text = bare
	}
	if rest, ok := bytes.CutPrefix(text, lines.BOM); ok {
		text = rest
		s.rd.Start += int64(len(lines.BOM))
	}
	s.torn = !whole
	text = bytes.TrimSpace(text)
	if len(text) > 0 && (text[0] == '{' || text[0] == '<') { // what is in front of the line looks like a line itself
		text = lines.Undress(text)
	}
	if s.read(text); s.learned {
		s.learned = false
		s.stretch()
	}
}

// zeros reads what stands between NUL bytes, which a crashed machine leaves in
// place of what was not yet on disk: everything before them has lost its end.
func (s *scan) zeros(text []byte, whole bool) {
	s.note(KindZeros, nil)
	start, stop := s.rd.Start, s.rd.Stop
	for i := 0; i < len(text); {
		n := bytes.IndexByte(text[i:], 0)
		if n < 0 {
			n = len(text) - i
		}
		if n > 0 {
			last := i+n == len(text)
			s.rd.Start, s.rd.Stop = start+int64(i), start+int64(i+n)
			s.line(text[i:i+n], whole && last)
		}
		i += n + 1
	}
	s.rd.Stop = stop
}

// longLine takes the head of a line that is longer than any line of sysbench,
// queries in messages apart.
func (s *scan) longLine(head []byte) {
	s.note(KindLong, head)
	s.torn = true
	if s.belongs() == mine && s.message(bytes.TrimSpace(head)) == mine {
		s.own()
	}
	s.query = 0
}

// read takes a trimmed line, undresses it as far as needed and records what
// nobody understood.
func (s *scan) read(b []byte) {
	if s.query == 0 {
		b = lines.Untagged(b)
	}
	plain, commas := b, false
	if s.query == 0 {
		if plain, commas = plainNumbers(s.digits[:0], b); commas {
			s.digits = plain
		}
	}
	if s.glued(b) {
		return
	}
	if s.undressed(plain, b, commas) || commas && s.undressed(b, b, false) { // rows of a CSV hook, behind a time stamp
		return
	}
	switch {
	case s.sniffs && s.query == 0: // what scripts write is nobody's proof
	case s.query == 0 && (s.harness(b) || s.hostLine(b)):
	case s.query > 0:
		s.goOn(b)
		if s.belongs() == mine {
			s.own()
		}
	case lines.CutMark(b):
		s.cutHere(b)
	case s.help:
		s.own()
	case !wordy(b):
		if len(b) >= 3 && strings.IndexByte("=-#*~_", b[0]) >= 0 {
			s.ruler = b[0]
		}
	case s.torn && s.belongs() == mine:
		s.note(KindTorn, b)
	default:
		if m := lines.Moment(b); m != "" {
			s.dated = m
			if lines.OnlyMoment(b) {
				return
			}
		}
		if !s.banner(b) {
			s.note(KindForeign, b)
			s.above, s.aboveAt = append(s.above[:0], b...), s.rd.Number
			s.overAbove = append(s.overAbove[:0], s.rd.Above(1)...)
		}
	}
}

// undressed takes a line off its layers until somebody knows it. commas says that
// there were some in the numbers of what was read.
func (s *scan) undressed(text, read []byte, commas bool) bool {
	for range 5 {
		if len(text) == 0 {
			return true
		}
		if v := s.match(text); v != foreign {
			if commas && v == mine {
				s.note(KindLocale, read)
			}
			if v == mine {
				s.own()
			}
			return true
		}
		under := lines.Undress(text)
		if len(under) == len(text) {
			return false
		}
		text = under
	}
	return false
}

// wordy tells whether a line has a letter or a digit; rulers and fences have
// none and say nothing.
func wordy(b []byte) bool {
	return bytes.ContainsFunc(b, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// match offers a line to everyone who may know it.
func (s *scan) match(b []byte) verdict {
	switch c := b[0]; {
	case c == '[':
		return s.bracket(b)
	case c == '{', c == '}', c == '"', c == ']', c == ',', c == '[' && len(b) == 1:
		return s.jsonLine(b)
	case c == '(':
		return s.repeated(b)
	case c-'0' <= 9:
		if v := s.csvRow(b); v != foreign {
			return v
		}
		return s.numeric(b)
	}
	for _, by := range [...]func(*scan, []byte) verdict{
		(*scan).version, (*scan).message, (*scan).headings, (*scan).announced, (*scan).keyed, (*scan).phrase, (*scan).command,
	} {
		if v := by(s, b); v != foreign {
			return v
		}
	}
	return foreign
}

// glued finds a version line behind the torn last line of a run that was killed
// in the middle of it.
//
//	[ 17s ] thds: 8 tps: 93sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)
func (s *scan) glued(b []byte) bool {
	i := bytes.Index(b, []byte("sysbench "))
	if i <= 0 || s.belongs() != mine {
		return false
	}
	if _, ok := versionOf(b[i:]); !ok {
		return false
	}
	for text := b; ; { // a time stamp before a version line is no torn line
		under := lines.Undress(text)
		if _, ok := versionOf(under); ok {
			return false
		}
		if len(under) == len(text) {
			break
		}
		text = under
	}
	s.note(KindTorn, b[:i])
	s.version(b[i:])
	s.own()
	return true
}

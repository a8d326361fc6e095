package hoststat

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/secret"
)

// Clock says what the times of the samples of a file count from.
type Clock int8

const (
	// Reports: the file has no times; T counts its reports, so that two reports are
	// T apart by 1.
	Reports Clock = iota
	// OfDay: seconds since the midnight before the first report, of an unknown day.
	OfDay
	// Moments: seconds since 1970.
	Moments
)

// Series is what a file holds. The samples have the tool as source and no run yet.
type Series struct {
	Samples datasets.Samples
	Clock   Clock
	// Start is the time of the first report on the same clock, also where it is not
	// among the samples because it was an average since the machine started.
	Start float64
	// Reports is how many there were, averages since the start apart.
	Reports int
}

// Options say what a text itself does not.
type Options struct {
	// Day is the midnight before the first report where times have no date, or a
	// doubtful one; zero is unknown.
	Day time.Time
	TZ  *time.Location // of times without a zone
	// From is when a tool that writes no times was started, and Every how many
	// seconds lie between its reports; zero is unknown.
	From  time.Time
	Every float64
}

const (
	longest = 64 << 10
	// MaxSamples of one file: about 80 MB, a day of 1 s reports of a hundred CPUs
	// has more and is read to here.
	MaxSamples = 4 << 20
)

// Scan reads a text of the kind to its end. What the machine did before the tool
// began is no measurement: the first report of iostat, vmstat and dstat, which is
// the average since the machine started, is left out. A last line without an end
// was torn off, perhaps in the middle of a number, and is not read.
func Scan(kind Kind, text io.Reader, opt Options, problem func(datasets.Problem)) (Series, error) {
	s := &scanner{kind: kind, opt: opt, names: map[[2]string]int32{}, tables: map[string]heading{}, courses: map[string]*course{}, began: -1, stamp: opt.From, programs: map[string]bool{}, sums: map[[2]string]int{}, disks: map[string]disk{}, cpus: map[string]map[float64][2]float64{}}
	if s.opt.TZ == nil {
		s.opt.TZ = time.UTC
	}
	s.out.Start = math.NaN()
	head, text, err := peek(text)
	if err != nil && err != io.EOF {
		return s.out, err
	}
	if s.kind == Prometheus {
		err = s.prometheus(text)
	} else if isJSON(head) {
		err = s.json(text)
	} else {
		err = s.text(text)
	}
	if s.out.Reports = s.most; s.out.Clock == Reports {
		s.out.Reports = s.reports
	}
	if s.alike && s.reports == 1 { // pidstat -h without an interval looks the same
		s.out.Samples, s.out.Reports = datasets.Samples{}, 0
	}
	if s.threads.unlisted() { // sums of a part of them
		s.out.Samples.Cut(s.threads.from)
	}
	s.out.Samples.Own("", string(kind))
	if problem != nil {
		s.problems.Each(problem)
	}
	return s.out, err
}

// peek looks at the first bytes of a text that are no blanks.
func peek(text io.Reader) (head []byte, whole io.Reader, err error) {
	var kept []byte
	one := make([]byte, 64)
	for len(bytes.TrimSpace(kept)) < 12 && len(kept) < 4096 && err == nil {
		var n int
		n, err = text.Read(one)
		kept = append(kept, one[:n]...)
	}
	if err != nil && err != io.EOF {
		return kept, text, err
	}
	return kept, io.MultiReader(bytes.NewReader(kept), text), err
}

type scanner struct {
	kind     Kind
	opt      Options
	out      Series
	problems lines.Problems
	names    map[[2]string]int32 // metric and device -> the number of the series
	tables   map[string]heading  // that were there before, by their lines
	cells    []string            // of the line, in memory that is used again
	values   []float64           // likewise

	line    int
	reports int     // that are measurements, of all tables
	most    int     // of one table
	booted  bool    // the average since the start has passed
	now     float64 // time of the report that is read
	since   bool    // it is the average since the start
	head    heading
	began   time.Duration // the time that the heading has
	timed   bool          // iostat: a time stands before each report
	cpuOnly bool          // iostat: the report has its table of CPUs and no other yet
	utc     bool          // vmstat: the times are in UTC
	mega    bool          // vmstat: memory is in MiB
	sadfOf  string        // what the rows of sadf -d are of
	courses map[string]*course
	full    bool
	stamp   time.Time // a line of its own said so, before the reports that follow
	after   float64   // how many these are

	// pidstat and top
	programs map[string]bool
	sums     map[[2]string]int // where in the samples the values of the report are, by metric and program
	sumsOf   int               // the report
	threads  threads           // of the report of top -H
	alike    bool              // an average since the start looks as any other report

	unit  float64         // free, df: bytes
	disks map[string]disk // diskstats: as they were last

	// Prometheus
	instance string                            // of the first series
	cpus     map[string]map[float64][2]float64 // by metric and time: the sum over CPUs, and how many
	// dstat
	csv    bool
	groups []string
	widths []int   // columns of each group
	places []place // what each column is of
}

// heading is a line of column names, and what they mean.
type heading struct {
	text    string
	columns []meaning // without the first, if that is the name of a device
	device  string    // what the first column names: "", "cpu", "device", ...
	skip    bool      // a table that is not read
	thread  int       // pidstat: the column of threads; -1 if there is none
	program int       // pidstat, top: the column of the program

	rows  map[string]*rowsOf // by device
	names map[string]*rowsOf // by the name of the device, as rows have it
}

// meaning is what a column means: its series in base units, "" if it is not read.
type meaning struct {
	metric string
	scale  float64
}

// text reads a file line by line.
func (s *scanner) text(text io.Reader) error {
	read := s.reader()
	var bare []byte
	return lines.Each(text, longest, func(number int, line []byte, whole bool) {
		s.line = number
		if !whole && len(bytes.TrimRight(line, " \t\r\x00")) > 0 {
			s.problems.Add("torn-line", number, line)
			return
		}
		if bytes.IndexByte(line, escape) >= 0 {
			bare = lines.Bare(bare[:0], line)
			line = bare
		}
		line = bytes.TrimRight(line, " \t\r\x00")
		if bytes.HasPrefix(line, []byte("TS ")) {
			if at, ok := stamped(string(line)); ok {
				s.stamp, s.after = at, 0
				return
			}
		}
		read(line)
	})
}

// escape begins a sequence for a terminal.
const escape = 0x1b

// reader gives the function that reads a line of the kind.
func (s *scanner) reader() func(line []byte) {
	switch s.kind {
	case Vmstat:
		return s.vmstat
	case Dstat:
		return s.dstat
	case Pidstat:
		return s.pidstat
	case Top:
		return s.top
	case Free:
		return s.free
	case Meminfo:
		return s.meminfo
	case Df:
		return s.df
	case Disks:
		return s.diskstats
	}
	return s.sysstat
}

// course is how the times of one table of a file went on: sar prints its tables
// one behind the other, each from the beginning.
type course struct {
	last, step float64
	days       float64 // midnights passed, in seconds
	reports    int
}

const day = 86400

// ofDay begins a report at a time of day, which rises over midnight.
func (s *scanner) ofDay(table string, clock time.Duration) {
	c, kind, t := s.course(table), OfDay, clock.Seconds()
	if !s.opt.Day.IsZero() {
		kind, t = Moments, t+float64(s.opt.Day.Unix())
	}
	if t += c.days; t < c.last-day/2 {
		c.days += day
		t += day
	}
	s.at(c, kind, t)
}

// moment begins a report at a moment.
func (s *scanner) moment(table string, t time.Time) {
	s.at(s.course(table), Moments, float64(t.UnixMicro())/1e6)
}

// next begins a report without a time of its own.
func (s *scanner) next() {
	if s.stamp.IsZero() {
		s.begin(Reports, 0)
		s.now = float64(s.reports)
		return
	}
	every := s.opt.Every
	if every == 0 {
		every = 1
	}
	s.moment("", s.stamp.Add(time.Duration(s.after*every*float64(time.Second))))
	s.after++
}

func (s *scanner) course(table string) *course {
	c := s.courses[table]
	if c == nil {
		c = &course{last: math.NaN()}
		if len(s.courses) < 1000 {
			s.courses[table] = c
		}
	}
	return c
}

// at begins a report, and says where its time does not follow the one before.
func (s *scanner) at(c *course, clock Clock, t float64) {
	switch d := t - c.last; {
	case math.IsNaN(d) || d == 0: // the first; or two within a second
	case d < 0:
		s.tell("clock-step", "the clock goes back by "+secondsWord(-d))
	case c.step > 0 && d > 2*c.step+1:
		s.tell("gap", secondsWord(d)+" without a report, which come every "+secondsWord(c.step))
	case c.step == 0 || d < c.step:
		c.step = d
	}
	c.last = t
	if s.begin(clock, t) {
		c.reports++
		s.most = max(s.most, c.reports)
	}
	s.now = t
}

// begin counts the report that begins, unless it is the average since the start
// with which these tools begin.
func (s *scanner) begin(clock Clock, t float64) (measures bool) {
	if math.IsNaN(s.out.Start) {
		s.out.Clock, s.out.Start = clock, t
	}
	s.since = !s.booted && (s.kind == Iostat || s.kind == Vmstat || s.kind == Dstat || s.kind == Top || s.kind == Disks)
	if s.booted = true; !s.since {
		s.reports++
	}
	return !s.since
}

func secondsWord(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) + " s" }

// tell records a problem in words of this program, not of the file.
func (s *scanner) tell(kind, text string) { s.problems.Add(kind, s.line, []byte(text)) }

// put records a value of the report.
func (s *scanner) put(c meaning, device string, value float64) {
	if s.counts(&c, value) {
		s.out.Samples.Append(s.metric(c.metric, device), s.now, value*c.scale)
	}
}

// mostPercent is what no share of anything has, and be it of a thousand CPUs.
const mostPercent = 1e5

// counts tells whether a value is to be recorded.
func (s *scanner) counts(c *meaning, value float64) bool {
	if c.metric == "" || s.since || math.IsNaN(value) {
		return false
	}
	if value < 0 || value > 1e18 || value > mostPercent && strings.HasSuffix(c.metric, "_pct") {
		s.tell("impossible-number", c.metric+" "+strconv.FormatFloat(value, 'g', -1, 64))
		return false
	}
	if s.out.Samples.Len() >= MaxSamples {
		if !s.full {
			s.full = true
			s.tell("too-many-values", "the file is read to here: it has more than "+strconv.Itoa(MaxSamples)+" values")
		}
		return false
	}
	return true
}

// metric gives the number of the series of a metric and device.
func (s *scanner) metric(metric, device string) int32 {
	key := [2]string{metric, device}
	n, known := s.names[key]
	if !known {
		if device != "" {
			metric += " " + secret.Clean(strings.ToValidUTF8(device, "?"))
		}
		n = s.out.Samples.Number(metric)
		s.names[key] = n
	}
	return n
}

// Package perfstat reads what perf stat prints: for people in any locale, with -x
// and with -j, at once and at intervals (-I), repeated (-r), and split up (-A,
// --per-core, --per-socket, --per-thread, --for-each-cgroup).
//
// Times are in seconds whatever perf prints (msec, ns). An event that was not
// counted has no value: its share of the time is 0, or unknown if the machine does
// not support it. Counts of parts (CPU0, S0-D0-C0) come with their sum over all of
// them. Intervals become series, and their sums counters. What perf computes beside
// a count (GHz, K/sec) is left out; metrics that have a line of their own stay.
package perfstat

import (
	"bytes"
	"io"
	"math"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
)

// A Stat is what a text holds. Rows have no RunID.
type Stat struct {
	Counters []datasets.Counter
	Series   datasets.Samples
	// Started is the moment that perf stat -o writes into its file, in words: "Tue
	// Mar  4 20:24:57 2025".
	Started string
	Target  string // "system wide", "process id '4711'", "'sleep 1'"
}

// Source is the source of the series.
const Source = "perf stat"

// Elapsed, User and Sys are the events of the times that perf prints below the
// counts. Elapsed is how long the counts of the same scope were taken.
const (
	Elapsed = "seconds elapsed"
	User    = "seconds user"
	Sys     = "seconds sys"
)

const (
	longest = 64 << 10
	// sampled lines decide how a text is written: the separator and the decimal
	// point.
	sampled = 200
)

// Scan reads a text to its end. The error is that of the reader.
func Scan(text io.Reader, problem func(datasets.Problem)) (Stat, error) {
	s := scanner{totals: map[key]*total{}}
	var head [][]byte
	err := lines.Each(text, longest, func(number int, line []byte, whole bool) {
		switch {
		case !whole && !isWhole(line):
			s.problems.Add("cut-line", number, bytes.TrimSpace(line))
		case s.style != undecided:
			s.line(number, line)
		case len(head) < sampled-1:
			head = append(head, bytes.Clone(line))
		default:
			s.take(append(head, bytes.Clone(line)))
			head = nil
		}
	})
	if s.style == undecided {
		s.take(head)
	}
	s.finish()
	s.stat.Series.Own("", Source)
	if problem != nil {
		s.problems.Each(problem)
	}
	return s.stat, err
}

// isWhole tells of a last line without an end that nothing of it is lost: the times
// below the counts and objects show it. Others are left out: of cache-misses and
// 100.00 % may be left cache and 10.
func isWhole(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) == 0 || text[0] == '#' || timeLine.MatchString(string(text)) && !bytes.Contains(text, []byte("+-")) || text[0] == '{' && text[len(text)-1] == '}'
}

// style is how a text is written.
type style int8

const (
	undecided style = iota
	people
	separated // -x
	objects   // -j
	pairs     // "cycles<tab>6728483884", which harnesses make of it
)

type scanner struct {
	stat      Stat
	problems  lines.Problems
	style     style
	separator string
	comma     bool // the decimal point is one

	block   int  // of several texts one behind the other
	summary bool // --summary: the sums are printed

	totals map[key]*total
	order  []key
	last   float64 // time of the last interval
}

// row is one count, however it was written.
type row struct {
	time     float64 // NaN without -I
	sum      bool    // of --summary
	scope    string
	value    float64
	missing  string // notCounted, notSupported
	unit     string
	event    string
	variance float64 // in percent
	running  float64 // in percent
	metric   bool    // computed by perf
}

const (
	notCounted   = "<not counted>"
	notSupported = "<not supported>"
)

func newRow() row {
	return row{time: math.NaN(), value: math.NaN(), variance: math.NaN(), running: math.NaN()}
}

// take decides how the text is written by its first lines, and reads them.
func (s *scanner) take(head [][]byte) {
	s.style = s.decide(head)
	for i, line := range head {
		s.line(i+1, line)
	}
}

func (s *scanner) decide(head [][]byte) style {
	all := string(bytes.Join(head, []byte("\n")))
	if strings.Contains(all, "Performance counter stats for") || peopleHead.MatchString(all) {
		if m := decimals.FindStringSubmatch(all); m != nil {
			s.comma = m[1]+m[2] == ","
		}
		return people
	}
	if strings.Contains(all, `"counter-value"`) || strings.Contains(all, `"metric-value"`) {
		return objects
	}
	best, most := "", 0
	for _, separator := range []string{";", "\t", "|", "/", ","} {
		n := 0
		for _, line := range head {
			if _, kind := separatedRow(string(line), separator); kind == "" {
				n++
			}
		}
		if n > most {
			best, most = separator, n
		}
	}
	switch {
	case separatedByComma.MatchString(all): // every line says why it is not read
		s.separator = ","
		return separated
	case most > 0:
		s.separator = best
		return separated
	case pairLine.MatchString(all):
		return pairs
	}
	return people
}

func (s *scanner) line(number int, line []byte) {
	text := strings.ToValidUTF8(string(bytes.TrimRight(line, " \t\r\x00")), "\ufffd")
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return
	}
	if trimmed[0] == '#' && (s.style != people || !isMetricLine(trimmed)) {
		if started, ok := strings.CutPrefix(trimmed, "# started on "); ok && s.stat.Started == "" {
			s.stat.Started = strings.TrimSpace(started)
		}
		return
	}
	var r row
	kind := ""
	switch s.style {
	case people:
		r, kind = s.people(text)
	case separated:
		r, kind = separatedRow(text, s.separator)
	case objects:
		r, kind = object(trimmed)
	case pairs:
		r, kind = pair(trimmed)
	}
	switch kind {
	case "":
		s.add(r)
	case nothing:
	default:
		s.problems.Add(kind, number, []byte(trimmed))
	}
}

// nothing is the kind of a line that is understood and has no count.
const nothing = "nothing"

// key is what is summed up over intervals and over parts.
type key struct {
	scope, event string
	block        int
}

type total struct {
	unit              string
	value, running    float64
	variance          float64
	counted, rows     int // rows with a value, and all
	supported, metric bool
}

func (s *scanner) add(r row) {
	r.scope = strings.TrimSpace(r.scope)
	scale, unit := baseUnit(r.unit)
	r.value, r.unit = r.value*scale, unit
	if !math.IsNaN(r.time) && !r.sum {
		metric := r.event
		if r.scope != "" {
			metric += " " + r.scope
		}
		if !math.IsNaN(r.value) {
			s.stat.Series.Append(s.stat.Series.Number(metric), r.time, r.value)
		}
		s.last = max(s.last, r.time)
		if s.summary || r.metric {
			return
		}
	}
	if r.sum && !s.summary { // perf prints the sums itself
		s.summary = true
		clear(s.totals)
		s.order = nil
	}
	s.count(key{r.scope, r.event, s.block}, r)
	if r.scope != "" && !r.metric {
		r.variance = math.NaN() // that of a part says nothing about the sum
		s.count(key{"", r.event, s.block}, r)
	}
}

func (s *scanner) count(k key, r row) {
	t := s.totals[k]
	if t == nil {
		t = &total{unit: r.unit, variance: r.variance, metric: r.metric}
		s.totals[k] = t
		s.order = append(s.order, k)
	}
	t.rows++
	t.supported = t.supported || r.missing != notSupported
	if math.IsNaN(r.value) {
		return
	}
	t.counted++
	t.value += r.value
	running := r.running
	if math.IsNaN(running) {
		running = 100
	}
	t.running += running
}

// finish makes counters of the totals.
func (s *scanner) finish() {
	if s.last > 0 && s.totals[key{"", Elapsed, s.block}] == nil {
		r := newRow()
		r.event, r.unit, r.value = Elapsed, "s", s.last
		s.count(key{"", Elapsed, s.block}, r)
	}
	for _, k := range s.order {
		t := s.totals[k]
		c := datasets.Counter{Event: k.event, Unit: t.unit, Scope: k.scope, Value: math.NaN(), RunningPct: math.NaN(), Variance: t.variance / 100}
		if s.block > 1 {
			c.Scope = strings.TrimSpace(blockName(k.block) + " " + k.scope)
		}
		switch {
		case t.counted > 0:
			// What was not counted in some intervals or parts counts as no time.
			c.Value, c.RunningPct = t.value, t.running/float64(t.rows)
		case t.supported:
			c.RunningPct = 0
		}
		s.stat.Counters = append(s.stat.Counters, c)
	}
}

// Package serverstat reads what a server says about itself while a benchmark runs:
// SHOW GLOBAL STATUS, the wait summaries of performance_schema and sys, SHOW ENGINE
// INNODB STATUS, information_schema.innodb_metrics and SHOW PROCESSLIST, as the
// clients print them, one after the other in one file or each in its own.
//
//  1. Scan cuts a text into snapshots and keeps of each kind the first, the last,
//     and what happened from one to the next.
//  2. Join puts the parts of all files of one run in order and takes the
//     difference: what the server counted is since its start, and says something
//     about a run only as a difference.
//
// A counter that falls has been reset, and what it says is then a problem and no
// number. What is a level and no count (Threads_running) is told by its name.
package serverstat

import (
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/client"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/lines"
)

// Kind is what a snapshot is of.
type Kind string

const (
	Status  Kind = "server status"
	Waits   Kind = "wait summary"
	InnoDB  Kind = "InnoDB status"
	Metrics Kind = "InnoDB metrics"
)

// Kinds are all of them, in the order in which they are joined.
var Kinds = []Kind{Status, InnoDB, Metrics, Waits, Sessions}

// A Snapshot is what the server said at one moment.
type Snapshot struct {
	Line   int
	At     time.Time // zero = unknown
	Uptime float64   // seconds; NaN = unknown
	Values map[string]float64
	Counts map[string]float64 // of waits: how often; Values are seconds
	// rounded is by how much a value may be off that was printed for people: 1.54 m.
	rounded map[string]float64
	// falling: no value is above the one before it, as in a list that is cut to
	// the largest.
	falling bool
	words   map[string]bool // names whose values are no numbers
	last    float64
}

// A Part is the snapshots of one kind in one text.
type Part struct {
	Kind        Kind
	Source      string // of the text, set by whoever joins parts
	First, Last *Snapshot
	Snapshots   int
	Series      datasets.Samples // seconds since First
	gauges      map[string]bool  // beside those that Level knows
	steps       [][2]float64     // from one snapshot to the next, seconds since First: those in which counts are known
	restarted   string           // why no difference over all of it can be had
	broken      map[string]bool  // names that fell
}

// Found is what a text holds.
type Found struct {
	Parts    []*Part // at most one of a kind, by first appearance
	Settings [][2]string
}

// Options say what a text itself does not.
type Options struct {
	TZ *time.Location // of times without a zone
	// From is when process lists without a time began, and Every how many seconds lie
	// between two; zero is unknown.
	From  time.Time
	Every float64
}

// Scan reads a text to its end. The error is that of the reader.
func Scan(text io.Reader, opt Options, problem func(datasets.Problem)) (Found, error) {
	s := scanner{opt: opt, courses: map[Kind]*course{}}
	err := client.Scan(text, s.row, s.other, s.cut)
	s.finish()
	if problem != nil {
		s.problems.Each(problem)
	}
	return s.found, err
}

type scanner struct {
	opt      Options
	found    Found
	problems lines.Problems
	courses  map[Kind]*course
	course   *course   // the one that had the last line
	now      time.Time // the last moment that was written

	result  int // number of the last result
	kind    Kind
	monitor *monitor
	abreast []*Snapshot       // statuses side by side
	states  map[string]string // of sessions: the names of their series
}

// cut takes the torn line at the end. Of a process list sessions are missing then.
func (s *scanner) cut(line int, text string) {
	if c := s.courses[Sessions]; c != nil {
		c.cur = nil
	}
	if isSession(&client.Row{Cells: strings.Split(text, "\t")}) {
		text = ""
	}
	s.problems.Add("cut-line", line, []byte(text))
}

var (
	snapshotTime = regexp.MustCompile(`^TS (\d{9,10}(?:\.\d+)?)\b`)
	statusName   = regexp.MustCompile(`^(?:[A-Z]|rocksdb_|wsrep_)[A-Za-z0-9_]*$`)
	noise        = regexp.MustCompile(`^(?:(?:mysql|MariaDB|mariadb)\b.*>|\d+ rows? in set|mysql(?:admin)?: \[Warning\]|(?:mysqladmin|mariadb-admin|mysql|mariadb): |Bye$|[-=#*+~]{3,}|Query OK|#|Warning: Using a password|Empty set|(?i:now|sysdate|current_timestamp|unix_timestamp)(?:\(\))?$)`)
)

// other takes a line that is no row of a result: a date, a line of InnoDB's text,
// the prompt of a client.
func (s *scanner) other(number int, text string) {
	if strings.Contains(text, "INNODB MONITOR OUTPUT") || s.monitor != nil {
		s.monitorLine(number, text)
		return
	}
	trimmed := strings.TrimSpace(text)
	if s.exporter(number, trimmed) {
		return
	}
	moment := ""
	if m := snapshotTime.FindStringSubmatch(trimmed); m != nil {
		moment = m[1]
	} else {
		moment = lines.Moment([]byte(trimmed))
	}
	if moment == "" && len(trimmed) < 20 && !strings.HasPrefix(trimmed, "=") && !strings.HasPrefix(trimmed, "-") {
		moment = trimmed // seconds since 1970
	}
	if moment != "" {
		if t, _, err := column.Time(moment, s.opt.TZ); err == nil {
			s.moment(t)
			return
		}
	}
	if !noise.MatchString(trimmed) && len(s.courses) > 0 {
		s.problems.Add("unknown-line", number, []byte(trimmed))
	}
}

func (s *scanner) moment(t time.Time) {
	s.now = t
	for _, c := range s.courses {
		c.stamped = false
	}
}

// row takes a row of a result.
func (s *scanner) row(r *client.Row) {
	if s.monitor != nil && r.Columns == nil { // a line of InnoDB's text that has tabs in it
		s.monitorLine(r.Line, strings.Join(r.Cells, "\t"))
		return
	}
	if r.Result != s.result {
		s.result = r.Result
		s.heading(r)
	}
	if r.Columns == nil {
		s.bare(r)
		return
	}
	if m, ok := r.Cell("now()", "sysdate()", "current_timestamp", "current_timestamp()", "unix_timestamp()", "now"); ok {
		if t, _, err := column.Time(m, s.opt.TZ); err == nil {
			s.moment(t)
		}
	}
	switch s.kind {
	case Status:
		name, _ := r.Cell("variable_name")
		value, ok := r.Cell("value", "variable_value")
		if ok {
			s.variable(r.Line, name, value)
		}
	case Waits:
		s.wait(r)
	case Metrics:
		s.metric(r)
	case Sessions:
		command, _ := r.Cell("command")
		state, _ := r.Cell("state")
		info, _ := r.Cell("info")
		if id, _ := r.Cell("id"); number.MatchString(id) { // else a line of a statement
			s.session(r.Line, command, state, info)
		}
	case InnoDB:
		if status, ok := r.Cell("status"); ok && strings.Contains(status, "INNODB MONITOR OUTPUT") {
			for _, line := range strings.Split(status, "\n") {
				s.monitorLine(r.Line, line)
			}
		}
	}
}

// heading tells by the headings what a result is of, and where a snapshot begins.
func (s *scanner) heading(r *client.Row) {
	has := func(names ...string) bool { _, ok := r.Cell(names...); return ok }
	s.kind = ""
	switch {
	case r.Columns == nil:
		if isSession(r) {
			s.end(Sessions)
		}
		return
	case has("command") && has("state") && has("time") && has("user"):
		s.kind = Sessions
	case has("variable_name"):
		s.kind = Status
	case has("event_name", "events") && has("sum_timer_wait", "total_latency") && !has("digest"):
		s.kind = Waits
	case has("name") && has("count") && !has("event_name"):
		s.kind = Metrics
	case has("type") && has("name") && has("status"):
		s.kind = InnoDB
		return
	case has("now()", "sysdate()", "current_timestamp", "current_timestamp()", "unix_timestamp()", "now"):
		return
	default:
		s.problems.Add("unread-result", r.Line, []byte("a result with the headings "+strings.Join(r.Columns, ", ")))
		return
	}
	s.end(s.kind)
}

// bare takes a row without headings: of a status or of variables, or of several
// statuses side by side.
func (s *scanner) bare(r *client.Row) {
	switch {
	case isSession(r):
		s.session(r.Line, r.Cells[4], r.Cells[6], r.Cells[7])
	case len(r.Cells) == 3 && r.Cells[0] == "InnoDB":
		for _, line := range strings.Split(r.Cells[2], "\n") {
			s.monitorLine(r.Line, line)
		}
	case len(r.Cells) > 2 && statusName.MatchString(r.Cells[0]) && !slices.ContainsFunc(r.Cells[1:], func(c string) bool { return !isNumber(c) }):
		s.sideBySide(r)
	case len(r.Cells) == 2:
		s.variable(r.Line, r.Cells[0], r.Cells[1])
	default:
		s.problems.Add("unknown-line", r.Line, []byte(strings.Join(r.Cells, " ")))
	}
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// snapshot gives the one that is being filled.
func (s *scanner) snapshot(k Kind, line int) *Snapshot {
	c := s.course
	if c == nil || c.part.Kind != k {
		c = s.courses[k]
	}
	if c == nil {
		c = newCourse(k, &s.problems)
		s.courses[k] = c
		s.found.Parts = append(s.found.Parts, c.part)
	}
	s.course = c
	if c.cur == nil {
		names := 0
		if c.part.Last != nil {
			names = len(c.part.Last.Values)
		}
		c.cur = newSnapshot(line, names)
		if !c.stamped {
			c.cur.At, c.stamped = s.now, true
		}
		if k == Sessions && s.now.IsZero() && !s.opt.From.IsZero() {
			c.cur.At = s.opt.From.Add(seconds(float64(c.part.Snapshots) * s.opt.Every))
		}
	}
	return c.cur
}

// newSnapshot gives one that will have about as many names.
func newSnapshot(line, names int) *Snapshot {
	return &Snapshot{Line: line, Uptime: math.NaN(), Values: make(map[string]float64, names), falling: true, last: math.Inf(1)}
}

// end ends the snapshot of a kind.
func (s *scanner) end(k Kind) {
	if c := s.courses[k]; c != nil {
		c.end()
	}
}

func (s *scanner) finish() {
	if s.monitor != nil {
		s.endMonitor()
	}
	s.endAbreast()
	parts := s.found.Parts[:0]
	for _, p := range s.found.Parts {
		c := s.courses[p.Kind]
		c.finish()
		if p.Snapshots > 0 {
			parts = append(parts, p)
		}
	}
	s.found.Parts = parts
}

// maxNames of one snapshot; a server has about 600 variables and 1300 instruments.
const (
	maxNames    = 20_000
	longestName = 200
)

// set keeps a value; the second of a name is added where sum is true.
func (n *Snapshot) set(name string, v float64, sum bool) {
	if len(name) > longestName || math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	was, has := n.Values[name]
	switch {
	case !has:
		n.add(name, v)
		return
	case sum:
		v += was
	}
	n.keep(name, v)
}

// add is set for a name that is not there yet.
func (n *Snapshot) add(name string, v float64) {
	if len(name) <= longestName && len(n.Values) < maxNames && !math.IsNaN(v) && !math.IsInf(v, 0) {
		n.keep(name, v)
	}
}

func (n *Snapshot) keep(name string, v float64) {
	n.Values[name] = v
	n.falling = n.falling && v <= n.last
	n.last = v
}

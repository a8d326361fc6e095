// Package activesessions reads how many sessions were active on average, and on
// what, over time: what "aws pi get-resource-metrics" and describe-dimension-keys
// print, and tables with a column for each wait event or a row for each event and
// time, as CSV or JSON.
//
// Such an export covers an hour or a day, in which many benchmarks ran: During cuts
// out what belongs to one run.
package activesessions

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/pattern"
)

// A Load is what one export holds.
type Load struct {
	Events []*Event // by name
	total  *Event   // of all events, where the export has it
	// From and To bound averages without times.
	From, To time.Time
}

// An Event is the sessions that waited for one thing, or were on the CPU.
type Event struct {
	Name    string
	Points  []Point // by time
	Average float64 // over the export, where that is all it says; else NaN
}

// A Point is the average over the period that ends at its time, as Performance
// Insights has it.
type Point struct {
	At       int64 // microseconds since 1970
	Sessions float64
}

// Source is the source of the series.
const Source = "active sessions"

// maxPoints bounds what is kept of a file: 200 events every second for six hours.
const maxPoints = 1 << 22

// The headings by which a table is known.
var (
	timeHeads  = strings.Fields("timestamp time date datetime ts @timestamp period_end time_utc")
	eventHeads = strings.Fields("wait_event wait_event_name event event_name wait wait_name db.wait_event.name db_wait_event_name waitevent")
	valueHeads = strings.Fields("aas average_active_sessions avg_active_sessions active_sessions avg_sessions sessions db.load.avg db_load_avg dbload db_load load")
	waitName   = regexp.MustCompile(`^(?:wait/)?(?:io|synch|lock)/\S+$|^(?:IO|Lock|LWLock|Client|Timeout|IPC|BufferPin|Extension|Activity):\w+$|^DBLoad(?:CPU|NonCPU)?$`)
	loadJSON   = pattern.MustCompile(`"MetricList"\s*:|"AlignedStartTime"\s*:|"db\.load\.avg"|"db\.wait_event(?:\.name)?"`)
)

// isWait tells the name of a wait. A table of another kind has hundreds of columns.
func isWait(name string) bool {
	return (strings.ContainsAny(name, "/:") || strings.HasPrefix(name, "DBLoad")) && waitName.MatchString(name)
}

// Sniff tells whether the head of a file is of such an export.
func Sniff(head []byte) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(head, lines.BOM))
	if len(text) == 0 {
		return false
	}
	if text[0] == '{' || text[0] == '[' {
		if loadJSON.Match(text) {
			return true
		}
		first, _, _ := bytes.Cut(text, []byte("}"))
		return rowKeys(first)
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	_, ok := shapeOf(string(line))
	return ok
}

// jsonKey is a key of an object.
var jsonKey = regexp.MustCompile(`"([^"]+)"\s*:`)

func rowKeys(object []byte) bool {
	var keys []string
	for _, m := range jsonKey.FindAllSubmatch(object, 20) {
		keys = append(keys, strings.ToLower(string(m[1])))
	}
	return holds(keys, timeHeads) && holds(keys, eventHeads) && holds(keys, valueHeads)
}

func holds(names, any []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(any, n) })
}

// Scan reads a text to its end. Times without a zone are taken in tz. The error is
// that of the reader.
func Scan(text io.Reader, tz *time.Location, problem func(datasets.Problem)) (*Load, error) {
	s := &scanner{tz: tz, load: &Load{}, events: map[string]*Event{}}
	first := make([]byte, 1)
	var head []byte
	for { // to the first byte that is no blank
		n, err := text.Read(first)
		if n > 0 {
			if head = append(head, first[0]); !bytes.ContainsAny(first, " \t\r\n\xef\xbb\xbf\x00") || len(head) > 1<<16 {
				break
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return s.load, err
		}
	}
	all := io.MultiReader(bytes.NewReader(bytes.TrimPrefix(head, lines.BOM)), text)
	var err error
	if last := len(head) - 1; last >= 0 && (head[last] == '{' || head[last] == '[') {
		err = s.json(all)
	} else {
		err = s.table(all)
	}
	s.finish()
	if problem != nil {
		s.problems.Each(problem)
	}
	return s.load, err
}

type scanner struct {
	tz       *time.Location
	load     *Load
	events   map[string]*Event
	problems lines.Problems
	points   int
	cells    []string // of a row, in memory that is used again
}

func (s *scanner) event(name string) *Event {
	e := s.events[name]
	if e == nil {
		e = &Event{Name: name, Average: math.NaN()}
		s.events[name] = e
		if name == "" {
			s.load.total = e
		} else {
			s.load.Events = append(s.load.Events, e)
		}
	}
	return e
}

// add adds a point of an event, "" for all of them.
func (s *scanner) add(line int, name string, at time.Time, sessions float64) {
	if math.IsNaN(sessions) || math.IsInf(sessions, 0) || sessions < 0 || at.IsZero() || len(name) > 300 {
		return
	}
	if s.points++; s.points > maxPoints {
		s.problems.Add("too-long", line, []byte("points from here on are left out"))
		return
	}
	e := s.event(name)
	e.Points = append(e.Points, Point{at.UnixMicro(), sessions})
}

// moment reads a time, in words or in seconds since 1970: 1.5270264E9.
func (s *scanner) moment(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, "eE") || strings.Count(text, ".") == 1 && !strings.ContainsAny(text, ":-") {
		if f, ok := number(text); ok && f > 1e8 && f < 1e11 {
			sec, frac := math.Modf(f)
			return time.Unix(int64(sec), int64(math.Round(frac*1e6))*1000).UTC(), true
		}
	}
	t, _, err := column.Time(text, s.tz)
	return t, err == nil
}

func (s *scanner) finish() {
	sortPoints := func(e *Event) {
		slices.SortStableFunc(e.Points, func(a, b Point) int { return cmp.Compare(a.At, b.At) })
	}
	slices.SortFunc(s.load.Events, func(a, b *Event) int { return strings.Compare(a.Name, b.Name) })
	for _, e := range s.load.Events {
		sortPoints(e)
	}
	if s.load.total != nil {
		sortPoints(s.load.total)
	}
}

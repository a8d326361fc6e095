package sysbench

import (
	"bytes"
	"maps"
	"math"
	"regexp"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/secret"
)

// noteNames are the keys of a harness that say in other words what a data set
// has a word for.
var noteNames = map[string]string{"mysqlversion": "version", "mysqlproducer": "product", "runnumber": "rep", "testidentifyer": "test_name", "actiontype": "action"}

// harness reads the lines that harnesses put between runs. What they say holds
// for the runs that follow, until the next line of the kind.
//
//	META: testIdentifyer=percona-840;dimension=large;runNumber=1;subtest=select_run_inlist;engine=innodb;mysqlversion=8.4.0
//	Workload: oltp_read_write
//	THREADS=8
//	Thread = 2
func (s *scan) harness(b []byte) bool {
	if m := testNote.FindSubmatch(b); m != nil && s.belongs() != mine {
		if s.notes = maps.Clone(s.notes); s.notes == nil {
			s.notes = map[string]datasets.Value{}
		}
		s.notes["subtest"] = datasets.Text(string(m[1]))
		return true
	}
	if rest, ok := bytes.CutPrefix(b, []byte("META: ")); ok {
		notes := map[string]datasets.Value{}
		for _, pair := range strings.Split(secret.CleanCommand(string(rest)), ";") {
			key, value, ok := strings.Cut(pair, "=")
			name := column.Name(key)
			flat := strings.ReplaceAll(name, "_", "")
			if to, known := noteNames[flat]; known {
				name = to
			}
			switch {
			case !ok, name == "", value == "", secret.Name(key), name == "host", name == "producer", flat == "execcommand", flat == "execdate":
				continue
			}
			notes[name] = load.Typed(name, value)
		}
		s.notes = notes
		return true
	}
	return b[0]|0x20 == 't' && threadsNote.Match(b) // the option block says it too
}

// testNote is a test that comes with sysbench, by its name or the path of its script.
var testNote = regexp.MustCompile(`(?i)^(?:workload|test|script|benchmark|test[ _]?(?:name|type|case)|scenario) ?[:=] ?(?:\S*/)?((?:oltp|select_random|bulk|update|tpcc)(?:_[a-z_]+)?)(?:\.lua)?$`)

var threadsNote = regexp.MustCompile(`^(?:THREADS=|Threads? ?[=:] ?)\d+$`)

// stamps are what stood before the first and the last report line of a run.
type stamps struct {
	first, last   []byte
	firstT, lastT float64
}

// clocked keeps what stands before the report line at t.
func (s *scan) clocked(line []byte, t float64) {
	if len(line) < 2 || line[0] == '[' && (line[1] == ' ' || line[1]-'0' <= 9) {
		return
	}
	raw := line[:min(len(line), 48)]
	if s.stamps.first == nil {
		s.stamps.first, s.stamps.firstT = bytes.Clone(raw), t
	}
	s.stamps.last, s.stamps.lastT = append(s.stamps.last[:0], raw...), t
}

// clockSteps compares the clock of the stamps with that of sysbench, which
// nothing sets: over midnight the time of day starts anew, and a clock that was
// set goes on from elsewhere.
func (s *scan) clockSteps() {
	c := &s.stamps
	if len(c.first) == 0 || c.lastT <= c.firstT {
		return
	}
	var went time.Duration
	if a, b := lines.Moment(c.first), lines.Moment(c.last); a != "" && b != "" {
		from, _, err := column.Time(a, time.UTC)
		to, _, err2 := column.Time(b, time.UTC)
		if err != nil || err2 != nil {
			return
		}
		went = to.Sub(from)
	} else {
		from, ok := lines.Clock(c.first)
		to, ok2 := lines.Clock(c.last)
		if !ok || !ok2 {
			return
		}
		const day = 24 * time.Hour
		went = to - from
		took := time.Duration((c.lastT - c.firstT) * float64(time.Second))
		went += ((took - went + day/2) / day) * day // as many midnights as fit best
	}
	// The stamp is set when the line arrives: a little late, and never far. Where the
	// stamps hardly go on at all they were put on later, and say nothing.
	took := c.lastT - c.firstT
	if math.Abs(went.Seconds()) < 1+.1*took {
		s.run.Stamp = ""
		return
	}
	if off := went.Seconds() - took; math.Abs(off) > 5+.01*took {
		s.contradict(KindClock, "the time stamps go on %.0f s while the report lines go on %.0f s: the clock was set", went.Seconds(), took)
	}
}

// missingClients tells a measurement of which the reports of some processes are
// not there: what the others say is no result of it.
func (s *scan) missingClients() {
	r := &s.run
	want := s.clients.want
	if want == 0 || r.Threads == 0 || r.Threads >= want {
		return
	}
	s.contradict(KindClients, "%d clients were announced, the reports are of %d", want, r.Threads)
	if s.coming > 0 && len(s.clients.parts) == 0 {
		return // the text goes on: the line means something else
	}
	if r.Status == datasets.Complete {
		r.Status = datasets.Truncated
	}
	clear(r.Metrics)
	r.Intervals.Cut(0)
	r.Buckets = r.Buckets[:0]
}

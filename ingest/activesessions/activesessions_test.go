package activesessions

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

func told(text io.Reader) (list []scantest.Record, err error) {
	var problems []scantest.Record
	l, err := Scan(text, time.UTC, func(p datasets.Problem) {
		problems = append(problems, scantest.Problem(p))
	})
	for _, e := range l.all() {
		text := fmt.Sprintf("%q:", e.Name)
		if !math.IsNaN(e.Average) {
			text += fmt.Sprintf(" average %g", e.Average)
		}
		for _, p := range e.Points {
			text += fmt.Sprintf(" %s %g", time.UnixMicro(p.At).UTC().Format("15:04:05"), p.Sessions)
		}
		list = append(list, scantest.Record{Text: text})
	}
	return append(list, problems...), err
}

// 1527026400 is 2018-05-22T22:00:00Z.
const (
	metrics = `{"AlignedEndTime": 1.5270270E9, "AlignedStartTime": 1.5270264E9, "Identifier": "db-X", "MetricList": [
 {"Key": {"Metric": "db.load.avg"}, "DataPoints": [{"Timestamp": 1527026700.0, "Value": 1.5}, {"Timestamp": 1527027000.0, "Value": 0.75}]},
 {"Key": {"Metric": "db.load.avg", "Dimensions": {"db.wait_event.name": "CPU", "db.wait_event.type": "CPU"}}, "DataPoints": [{"Timestamp": 1527026700.0, "Value": 1.0}, {"Timestamp": 1527027000.0, "Value": null}]},
 {"DataPoints": [{"Timestamp": "2018-05-22T22:05:00Z", "Value": 0.25}, {"Timestamp": "2018-05-22 22:10:00+00:00", "Value": 0.5}], "Key": {"Dimensions": {"db.wait_event.name": "wait/io/table/sql/handler"}, "Metric": "db.load.avg"}},
 {"Key": {"Metric": "os.cpuUtilization.total.avg"}, "DataPoints": [{"Timestamp": 1527026700.0, "Value": 77}]},
 {"Key": {"Metric": "db.load.avg", "Dimensions": {"db.sql.statement": "SELECT 1"}}, "DataPoints": [{"Timestamp": 1527026700.0, "Value": 0.1}]}]}
`
	keys   = `{"AlignedStartTime": 1527026400, "AlignedEndTime": 1527026460, "Keys": [{"Dimensions": {"db.wait_event.name": "CPU"}, "Total": 0.75}, {"Dimensions": {"db.wait_event.name": "wait/io/a"}, "Total": 0.5}]}` + "\n"
	wide   = "Timestamp,CPU,wait/io/table/sql/handler,\"wait/synch/mutex/innodb/x\"\n2018-05-22T22:05:00Z,1.5,0.25,\n2018-05-22T22:10:00Z,1,0.5,2\n"
	long   = "timestamp\twait_event\taas\n2018-05-22 22:05:00\tCPU\t1.5\n2018-05-22 22:05:00\twait/io/a\t0.25\n"
	rows   = `[{"timestamp": "2018-05-22T22:05:00Z", "wait_event": "CPU", "aas": 1.5}, {"timestamp": "2018-05-22T22:05:00Z", "wait_event": "wait/io/a", "aas": 0.25}]` + "\n"
	byLine = `{"ts": 1527026700, "event": "CPU", "sessions": 1.5}` + "\n" + `{"ts": 1527026700, "event": "wait/io/a", "sessions": 0.25}` + "\n"
	cloud  = "timestamp;DBLoad;DBLoadCPU;DBLoadNonCPU\n2018-05-22 22:05:00;1,75;1,5;0,25\n"
)

func TestForms(t *testing.T) {
	is := func(text string, want ...string) {
		t.Helper()
		scantest.Finds(t, told, text, want...)
	}
	is(metrics, `"CPU": 22:05:00 1`, `"wait/io/table/sql/handler": 22:05:00 0.25 22:10:00 0.5`, `"": 22:05:00 1.5 22:10:00 0.75`, "@1 no-wait 2: a metric that is not the load of a wait event: os.cpuUtilization.total.avg")
	is(keys, `"CPU": average 0.75`, `"wait/io/a": average 0.5`)
	is(wide, `"CPU": 22:05:00 1.5 22:10:00 1`, `"wait/io/table/sql/handler": 22:05:00 0.25 22:10:00 0.5`, `"wait/synch/mutex/innodb/x": 22:10:00 2`)
	for _, text := range []string{long, rows, byLine} {
		is(text, `"CPU": 22:05:00 1.5`, `"wait/io/a": 22:05:00 0.25`)
	}
	is(cloud, `"CPU": 22:05:00 1.5`, `"other than CPU": 22:05:00 0.25`, `"": 22:05:00 1.75`)
	is(wide[:len(wide)-1], `"CPU": 22:05:00 1.5`, `"wait/io/table/sql/handler": 22:05:00 0.25`, "@3 cut-line 1: 2018-05-22T22:10:00Z,1,0.5,2")
	is("timestamp,wait_event,aas\nsoon,CPU,1\n2018-05-22 22:05:00,CPU,much\n", "@2 bad-time 1: soon,CPU,1", "@3 bad-number 1: 2018-05-22 22:05:00,CPU,much")
}

func TestSniff(t *testing.T) {
	for _, text := range []string{metrics, keys, wide, long, rows, byLine, cloud, "\ufeff" + wide} {
		if !Sniff([]byte(text)) {
			t.Errorf("not known: %.60s", text)
		}
	}
	for _, text := range []string{"", "{}", `{"threads": 8}`, `[{"time": 1, "event": "x"}]`, "timestamp,tps,cpu\n", "event_name,count_star,sum_timer_wait\n", "time,sessions\n", "a/b,c\n", "epoch,usr,sys\n", `{"timestamp": 1, "sessions": 4, "tps": 5}`} {
		if Sniff([]byte(text)) {
			t.Errorf("taken for an export: %q", text)
		}
	}
}

func load(t *testing.T, text string) *Load {
	t.Helper()
	l, err := Scan(strings.NewReader(text), time.UTC, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestDuring(t *testing.T) {
	at := func(clock string) time.Time {
		if clock == "" {
			return time.Time{}
		}
		v, err := time.Parse(time.RFC3339, "2018-05-22T"+clock+"Z")
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	is := func(text, started string, duration float64, want ...string) {
		t.Helper()
		waits, series, problem := load(t, text).During(at(started), duration)
		var got []string
		for _, w := range waits {
			got = append(got, fmt.Sprintf("%s %.6g s %.6g", w.Event, w.Sum, w.AvgSessions))
		}
		for _, s := range series {
			got = append(got, fmt.Sprintf("%g s %s %g", s.T, s.Metric, s.Value))
		}
		if problem != "" {
			got = append(got, problem)
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("from %q, %g s: got\n%s\nwant\n%s", started, duration, g, w)
		}
	}
	// By hand: periods of 300 s end at 22:05 and 22:10; a run over the last 60 s of the first and the first 180 s of the second.
	is(metrics, "22:04:00", 240, "CPU 60 s 0.25", "wait/io/table/sql/handler 105 s 0.4375", "not named 60 s 0.25",
		"60 s CPU 1", "360 s CPU 0", "60 s wait/io/table/sql/handler 0.25", "360 s wait/io/table/sql/handler 0.5", "60 s not named 0.25", "360 s not named 0.25")
	is(metrics, "22:01:00", 60, "CPU 60 s 1", "wait/io/table/sql/handler 15 s 0.25", "not named 15 s 0.25")
	is(metrics, "22:09:00", 120, "wait/io/table/sql/handler 30 s 0.5", "not named 15 s 0.25", "only 60 of the 120 s of the run are in the export")
	is(metrics, "23:00:00", 60, "the export is of 2018-05-22T22:00:00Z to 2018-05-22T22:10:00Z, and the run is not in it")
	is(metrics, "", 500, "CPU 300 s 0.5", "wait/io/table/sql/handler 225 s 0.375", "not named 150 s 0.25",
		"300 s CPU 1", "600 s CPU 0", "300 s wait/io/table/sql/handler 0.25", "600 s wait/io/table/sql/handler 0.5", "300 s not named 0.25", "600 s not named 0.25")
	is(strings.ReplaceAll(wide, "22:05:00Z", "20:05:00Z"), "", 60, "the export covers 15000 s and the run took 60 s, but nobody knows when it began")
	is(keys, "22:00:00", 60, "CPU 45 s 0.75", "wait/io/a 30 s 0.5")
	is(keys, "23:00:00", 60, "an average over 60 s that is not about this run of 60 s")
	is(wide, "", math.NaN(), "CPU 750 s 1.25", "wait/io/table/sql/handler 225 s 0.375", "wait/synch/mutex/innodb/x 600 s 1", "300 s CPU 1.5", "600 s CPU 1",
		"300 s wait/io/table/sql/handler 0.25", "600 s wait/io/table/sql/handler 0.5", "300 s wait/synch/mutex/innodb/x 0", "600 s wait/synch/mutex/innodb/x 2")
}

func texts() []string { return []string{metrics, keys, wide, long, rows, byLine, cloud} }

func TestScanner(t *testing.T) { scantest.Check(t, told, texts()...) }

func TestCut(t *testing.T) { scantest.Cut(t, points, scantest.Partly, texts()...) }

// points tells each point of a load apart.
func points(text io.Reader) (list []scantest.Record, err error) {
	all, err := told(text)
	for _, r := range all {
		name, rest, _ := strings.Cut(r.Text, `":`)
		words := strings.Fields(rest)
		if r.Line > 0 || len(words) < 2 {
			list = append(list, r)
			continue
		}
		for i := 0; i < len(words); i += 2 {
			list = append(list, scantest.Record{Text: name + " " + words[i] + " " + words[i+1]})
		}
	}
	return list, err
}

func FuzzScan(f *testing.F) {
	for _, text := range texts() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Scan(bytes.NewReader(text), time.UTC, func(p datasets.Problem) {
			if p.Kind == "" || p.Count < 1 || len(p.Text) > 200 {
				t.Fatalf("%+v", p)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		waits, series, _ := l.During(time.Time{}, math.NaN())
		for _, w := range waits {
			if w.Sum < 0 || w.AvgSessions < 0 || math.IsInf(w.AvgSessions, 0) {
				t.Fatalf("%+v", w)
			}
		}
		for _, s := range series {
			if math.IsNaN(s.T) || s.Value < 0 {
				t.Fatalf("%+v", s)
			}
		}
		Sniff(text)
	})
}

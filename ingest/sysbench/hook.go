package sysbench

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/digits"
)

// Report hooks of Lua scripts print report lines of their own, and often totals
// in place of the summary. What they print has no percentile in it: 95, the
// default of sysbench, is taken where neither a heading nor a command line says
// otherwise.

// hooked is what must be remembered about the hooks of the open run.
type hooked struct {
	rows    bool    // report lines came from a hook
	columns []cell  // of the CSV rows, by the heading line; nil: those of report_csv
	final   bool    // the next CSV row is the total: "Final report :"
	summary bool    // the next CSV row is the one below TEST SUMMARY
	total   *totals // a row for no running threads: the total if no other follows
	assumed bool    // the percentile is the default one
	rounded bool    // the total time is in whole seconds

	object object
}

// totals are what a hook reports at the end of a run.
type totals struct {
	row     datasets.Interval
	seconds float64
}

// A cell is what stands in one column of CSV rows.
type cell int8

const (
	otherColumn cell = iota
	timeColumn
	threadsColumn
	tpsColumn
	qpsColumn
	readsColumn
	writesColumn
	othersColumn
	latencyColumn
	errorsColumn
	reconnectsColumn
)

// reportCSV are the columns of sysbench.report_csv, which prints no headings.
var reportCSV = []cell{timeColumn, threadsColumn, tpsColumn, qpsColumn, readsColumn, writesColumn, othersColumn, latencyColumn, errorsColumn, reconnectsColumn}

// columnNames are the headings of BMK-kit and of a mongo script.
var columnNames = map[string]cell{
	"time": timeColumn, "thds": threadsColumn, "threads": threadsColumn, "tps": tpsColumn, "events": tpsColumn, "qps": qpsColumn, "ops": qpsColumn,
	"r": readsColumn, "reads": readsColumn, "w": writesColumn, "writes": writesColumn, "o": othersColumn, "other": othersColumn,
	"latency_ms": latencyColumn, "lat": latencyColumn, "err/s": errorsColumn, "errors": errorsColumn, "reconn/s": reconnectsColumn, "reconnects": reconnectsColumn,
}

// headings reads the line above CSV rows, and what announces the last one.
//
//	time,thds,tps,qps,r,w,o,lat95,err/s,reconn/s
//	time,threads,events,ops,reads,writes,other,latency_ms,errors,reconnects
//	Final report :
//	TEST SUMMARY:
//	TotalTime,RunningThreads,totalEvents,Events/s,Tot Operations,operations/s,tot reads,reads/s,Tot writes,writes/s,oterOps/s,latencyPct95(μs) ,…
func (s *scan) headings(b []byte) verdict {
	switch {
	case string(b) == "Final report :":
		if s.belongs() == mine {
			s.hooked.final = true
		}
		return s.belongs()
	case string(b) == "TEST SUMMARY:":
		return s.belongs()
	case bytes.HasPrefix(b, []byte("TotalTime,RunningThreads,totalEvents,Events/s,")):
		s.strong = true
		if s.belongs() == mine {
			s.hooked.summary = true
		}
		return s.belongs()
	case s.torn, !bytes.HasPrefix(b, []byte("time,th")):
		return foreign
	}
	var columns []cell
	percentile := 0.0
	for _, name := range strings.Split(string(b), ",") {
		name = strings.TrimSpace(name)
		c := columnNames[name]
		if part, ok := strings.CutPrefix(name, "lat"); ok && c == otherColumn {
			if p, ok := digits.All(part, 0); ok {
				c, percentile = latencyColumn, p
			}
		}
		columns = append(columns, c)
	}
	if len(columns) < 3 || columns[1] != threadsColumn || columns[2] != tpsColumn {
		return foreign
	}
	s.strong = true
	if s.belongs() == mine && !s.hooked.final { // the heading below "Final report :" is the same
		s.hooked.columns = columns
	}
	if s.belongs() != mine { // a text of nothing but rows begins with their headings
		s.begin()
		s.hooked.columns = columns
	}
	if percentile > 0 {
		s.run.Options["percentile"] = datasets.Int(int64(percentile))
	}
	return mine
}

// csvRow reads a report line of a hook, most of all that of sysbench.report_csv:
//
//	1,8,1685.27,33705.40,23593.78,6741.08,3370.54,1.23,0.00,0.00
//	1,8,1685,27,33705,40,23593,78,6741,08,3370,54,1,23,0,00,0,00          where a locale writes decimal commas
//	1;2;1722.96
func (s *scan) csvRow(b []byte) verdict {
	if s.hooked.summary && s.belongs() == mine {
		s.hooked.summary = false
		return s.testSummary(b)
	}
	if bytes.IndexByte(b, ';') > 0 {
		c := cursor{b: bytes.ReplaceAll(b, []byte(","), []byte("."))}
		t := c.num(0)
		c.text(";")
		threads := c.num(0)
		c.text(";")
		rate := c.num(0)
		if c.bad || len(c.b) > 0 || s.belongs() != mine || s.torn && !twoDecimals(b) {
			return foreign
		}
		s.iv = unknown(t)
		s.iv.Threads, s.iv.TPS = threads, rate
		return s.hookRow(b)
	}
	columns := s.hooked.columns
	if columns == nil || s.belongs() != mine {
		columns = reportCSV
	}
	rest := b
	if commas := bytes.Count(b, []byte(",")); commas != len(columns)-1 {
		if commas != 2*len(columns)-3 {
			return foreign
		}
		if rest = unpaired(b); rest == nil {
			return foreign
		}
		s.note(KindLocale, b)
	}
	iv := unknown(0)
	for i, kind := range columns {
		v, size, decimals := number(rest, 0)
		whole := kind == timeColumn || kind == threadsColumn
		plain := s.hooked.columns == nil || s.belongs() != mine // report_csv prints two decimals
		if size == 0 || whole && decimals > 0 || !whole && plain && decimals != 2 || i == len(columns)-1 && s.torn && decimals != 2 {
			return foreign
		}
		if rest = rest[size:]; i < len(columns)-1 {
			if len(rest) == 0 || rest[0] != ',' {
				return foreign
			}
			rest = bytes.TrimLeft(rest[1:], " ")
		}
		switch kind {
		case timeColumn:
			iv.T = v
		case threadsColumn:
			iv.Threads = v
		case tpsColumn:
			iv.TPS = v
		case qpsColumn:
			iv.QPS = v
		case readsColumn:
			iv.Reads = v
		case writesColumn:
			iv.Writes = v
		case othersColumn:
			iv.Other = v
		case latencyColumn:
			iv.LatencyPct = v / 1000
		case errorsColumn:
			iv.Errors = v
		case reconnectsColumn:
			iv.Reconnects = v
		}
	}
	if len(rest) > 0 {
		return foreign
	}
	s.iv = iv
	return s.hookRow(b)
}

// unpaired writes a row whose decimal marks are commas with points: behind time and
// threads each number has two decimals, the next cell. nil: it is no such row.
func unpaired(b []byte) []byte {
	cells := bytes.Split(b, []byte(","))
	for i, c := range cells {
		decimals := i > 2 && i%2 == 1
		if c = bytes.TrimLeft(c, " "); len(c) == 0 || len(bytes.Trim(c, "0123456789")) > 0 || decimals && len(c) != 2 {
			return nil
		}
	}
	plain := bytes.Join(cells[:2], []byte(","))
	for i := 2; i+1 < len(cells); i += 2 {
		plain = append(append(append(append(plain, ','), cells[i]...), '.'), cells[i+1]...)
	}
	return plain
}

// hookRow takes the report line in s.iv, which may turn out to be the total.
func (s *scan) hookRow(b []byte) verdict {
	iv := &s.iv
	s.plausible(iv, b)
	if s.hooked.final && s.belongs() == mine {
		s.hooked.final = false
		s.hooked.total = &totals{s.percentiled(*iv), iv.T}
		s.finished = true
		return mine
	}
	// The cumulative report of the same hook runs when no thread does any more.
	if iv.Threads == 0 && s.belongs() == mine && s.rows > 0 && s.hooked.rows && iv.T >= s.last {
		s.hooked.total = &totals{s.percentiled(*iv), iv.T}
		return mine
	}
	if early := s.hooked.total; early != nil && s.belongs() == mine && iv.T > early.seconds { // it was a line like others
		later := *iv
		s.hooked.total = nil
		s.iv = early.row
		s.interval()
		s.iv = later
	}
	v := s.interval()
	s.hooked.rows = true
	last := s.run.Intervals.Len() - 1
	row := s.percentiled(s.run.Intervals.At(last))
	s.run.Intervals.Set(last, &row)
	return v
}

// percentiled says which percentile the latency of a row is.
func (s *scan) percentiled(iv datasets.Interval) datasets.Interval {
	if math.IsNaN(iv.LatencyPct) {
		return iv
	}
	p, told := s.run.Options["percentile"].Number()
	if !told {
		p = 95
		s.hooked.assumed = true
	}
	if iv.Percentile = p; p == 0 || iv.LatencyPct == 0 && iv.TPS == 0 {
		iv.LatencyPct = math.NaN()
	}
	return iv
}

// settleHooks turns the totals of a hook into metrics when the run ends.
func (s *scan) settleHooks() {
	if s.hooked.assumed {
		s.tell(KindPercentile, s.run.FirstLine, "report lines of a hook do not name their percentile; 95, the default, is taken")
	}
	t := s.hooked.total
	if t == nil {
		return
	}
	s.hooked.total, s.hooked.rounded = nil, true
	s.finished = true
	m := s.run.Metrics
	for name, v := range map[string]float64{"tps": t.row.TPS, "qps": t.row.QPS, "reads_per_s": t.row.Reads, "writes_per_s": t.row.Writes, "other_per_s": t.row.Other,
		"errors_per_s": t.row.Errors, "reconnects_per_s": t.row.Reconnects, "duration_s": t.seconds} {
		if _, known := m[name]; !known && !math.IsNaN(v) {
			m[name] = v
		}
	}
	if !math.IsNaN(t.row.LatencyPct) && t.row.LatencyPct > 0 {
		m["latency_p"+datasets.Float(t.row.Percentile).String()] = t.row.LatencyPct
	}
}

// testSummary reads the row below TEST SUMMARY, of scripts with
// --stats_format=csv. Its latencies are in seconds where the heading says
// milliseconds, and the percentile in milliseconds where it says microseconds; a
// sum far beyond threads x time shows a version that has mended that.
//
//	120,1,1527.00,12.72,1527.00,12.72,1527.00,12.72,0.00,0.00,0.00,183.21,0.00,0.00,0.00,0.00,0.05,0.27,0.08,120.06
func (s *scan) testSummary(b []byte) verdict {
	const cells = 20
	var v [cells]float64
	fields := bytes.Split(b, []byte(","))
	if len(fields) != cells {
		return s.broken(b)
	}
	for i, f := range fields {
		n, size, decimals := number(f, 0)
		if size == 0 || size != len(f) || i == cells-1 && s.torn && decimals != 2 {
			return s.broken(b)
		}
		v[i] = n
	}
	seconds := 1.0
	if v[19] > 100*v[0]*math.Max(1, float64(s.run.Threads)) {
		seconds = 1e-3
	}
	for i, name := range [cells]string{0: "duration_s", 2: "transactions", 3: "tps", 4: "queries", 5: "qps", 6: "reads", 7: "reads_per_s", 8: "writes", 9: "writes_per_s",
		10: "other_per_s", 12: "errors", 13: "errors_per_s", 14: "reconnects", 15: "reconnects_per_s"} {
		if name != "" {
			s.limited(b, name, v[i], maxRate)
		}
	}
	s.limited(b, "latency_p95", v[11]/1000*seconds, maxSeconds)
	for i, name := range []string{"latency_min", "latency_max", "latency_avg", "latency_sum"} {
		s.limited(b, name, v[16+i]*seconds, maxSeconds)
	}
	s.hooked.total, s.hooked.assumed, s.hooked.rounded = nil, false, true // the heading names 95
	s.finished = true
	return mine
}

// An object is the JSON text at hand that a hook prints over many lines.
type object struct {
	depth  int // braces that are open
	begun  int // line number of "time"
	row    datasets.Interval
	values map[string]float64 // of a cumulative object, by key
}

// jsonLine reads a line of the report objects of sysbench.report_json and of the
// cumulative one of sysbench's own empty-test.lua, whose latencies are in seconds.
// Up to 1.0.13 the objects stand one after the other, later in a list whose end
// is missing where the run was killed: both are read alike.
//
//	{
//	  "time":    1,
//	  "threads": 2,
//	  "tps": 1289432.06,
//	  "qps": {
//	    "total": 0.00,
//	    "reads": 0.00,
//	    …
//	  },
//	  "latency": 0.00,
//	  "errors": 0.00,
//	  "reconnects": 0.00
//	},
func (s *scan) jsonLine(b []byte) verdict {
	o := &s.hooked.object
	switch b[0] {
	case '{':
		if len(b) > 1 {
			return s.jsonObject(b)
		}
		o.depth++
		if o.depth == 1 {
			*o = object{depth: 1, row: unknown(0), values: map[string]float64{}}
		}
		return s.inObject()
	case '[', ']', ',':
		return s.inObject()
	case '}':
		if o.depth == 0 {
			return foreign
		}
		if o.depth--; o.depth == 0 {
			return s.jsonEnd(b)
		}
		return s.inObject()
	}
	if o.depth == 0 || s.torn {
		return foreign
	}
	key, val, ok := bytes.Cut(b, []byte(":"))
	if !ok {
		return foreign
	}
	name := strings.Trim(strings.TrimSpace(string(key)), `"`)
	val = bytes.TrimSpace(val)
	if string(val) == "{" {
		o.depth++
		return s.inObject()
	}
	val = bytes.TrimSuffix(val, []byte(","))
	v, size, _ := number(val, 0)
	if size == 0 || size != len(val) {
		return foreign
	}
	if name == "tps" && o.begun == s.rd.Number-2 && s.belongs() != mine {
		before := *o
		s.begin() // a text of nothing but objects
		o = &s.hooked.object
		*o = before
	}
	s.member(o, name, v)
	return s.inObject()
}

func (s *scan) member(o *object, name string, v float64) {
	fields := map[string]*float64{"time": &o.row.T, "threads": &o.row.Threads, "tps": &o.row.TPS, "total": &o.row.QPS, "reads": &o.row.Reads, "writes": &o.row.Writes,
		"other": &o.row.Other, "latency": &o.row.LatencyPct, "errors": &o.row.Errors, "reconnects": &o.row.Reconnects}
	if name == "time" {
		o.begun = s.rd.Number
	}
	o.values[name] = v
	if f := fields[name]; f != nil {
		*f = v
	}
	if name == "latency" {
		o.row.LatencyPct = v / 1000
	}
}

// inObject is the verdict on a line of punctuation or a member.
func (s *scan) inObject() verdict {
	if s.belongs() == mine && (s.hooked.object.depth > 0 || s.hooked.rows) {
		return mine
	}
	return apart
}

// jsonEnd takes a whole object: a report line, a total, or nothing of ours.
func (s *scan) jsonEnd(b []byte) verdict {
	o := s.hooked.object
	has := func(names ...string) bool {
		for _, n := range names {
			if _, ok := o.values[n]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case s.belongs() != mine:
		return apart
	case has("time", "threads", "tps", "total", "latency"):
		s.iv = o.row
		return s.hookRow(b)
	case has("time_total", "events", "latency_avg"):
		s.strong = true
		v := o.values
		for name, key := range map[string]string{"duration_s": "time_total", "events": "events", "reads": "reads", "writes": "writes", "other": "other", "errors": "errors", "reconnects": "reconnects"} {
			if n, ok := v[key]; ok {
				s.limited(b, name, n, maxRate)
			}
		}
		for _, name := range []string{"latency_min", "latency_avg", "latency_max", "latency_sum"} {
			if n, ok := v[name]; ok {
				s.limited(b, name, n, maxSeconds)
			}
		}
		if n, ok := v["latency_pct"]; ok {
			row := unknown(0)
			row.LatencyPct, row.TPS = n, 1
			if row = s.percentiled(row); !math.IsNaN(row.LatencyPct) {
				s.limited(b, "latency_p"+datasets.Float(row.Percentile).String(), n, maxSeconds)
			}
		}
		s.hooked.total = nil
		s.finished = true
		return mine
	}
	return foreign
}

// jsonObject reads an object that stands in one line.
func (s *scan) jsonObject(b []byte) verdict {
	var values map[string]any
	if json.Unmarshal(bytes.TrimSuffix(b, []byte(",")), &values) != nil || s.belongs() != mine {
		return foreign
	}
	o := &object{row: unknown(0), values: map[string]float64{}}
	for name, v := range values {
		switch v := v.(type) {
		case float64:
			s.member(o, name, v)
		case map[string]any:
			for name, v := range v {
				if v, ok := v.(float64); ok {
					s.member(o, name, v)
				}
			}
		}
	}
	if len(o.values) == 0 {
		return foreign
	}
	s.hooked.object = *o
	return s.jsonEnd(b)
}

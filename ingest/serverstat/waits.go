package serverstat

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"noisefloor/ingest/internal/client"
)

// wait takes a row of events_waits_summary_global_by_event_name or of a summary by
// thread, user, host or instance, which add up, or of sys.waits_global_by_latency
// and its twin with x$:
//
//	EVENT_NAME	COUNT_STAR	SUM_TIMER_WAIT
//	wait/io/table/sql/handler	607078	770870789766
//	| wait/io/socket/sql/client_connection | 692758 | 28.07 s       | 40.52 us    | 256.09 ms   |
func (s *scanner) wait(r *client.Row) {
	name, _ := r.Cell("event_name", "events")
	count, _ := r.Cell("count_star", "total")
	total, _ := r.Cell("sum_timer_wait", "total_latency")
	if strings.EqualFold(name, "event_name") || strings.EqualFold(total, "null") {
		return
	}
	seconds, off, ok := period(total)
	times, err := strconv.ParseFloat(count, 64)
	if !ok || name == "" {
		s.problems.Add("unknown-line", r.Line, []byte(strings.Join(r.Cells, " ")))
		return
	}
	if !isWait(name) {
		return
	}
	n := s.snapshot(Waits, r.Line)
	if n.Counts == nil {
		n.Counts, n.rounded = map[string]float64{}, map[string]float64{}
	}
	n.set(name, seconds, true)
	if _, kept := n.Values[name]; !kept {
		return
	}
	if err == nil {
		n.Counts[name] += times
	}
	if off > 0 {
		n.rounded[name] += off
	}
}

// isWait tells waits from stages, statements and transactions, which are in tables
// of the same shape, and from idle: a session that has nothing to do is not active.
func isWait(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	switch first {
	case "idle", "stage", "statement", "transaction", "memory":
		return false
	}
	return true
}

var (
	forPeople = regexp.MustCompile(`^(\d+(?:\.(\d+))?) ?(ps|ns|us|µs|ms|s|m|min|h|d|w)$`)
	clockTime = regexp.MustCompile(`^(?:(\d+)\.)?(\d+):(\d\d):(\d\d)(?:\.(\d+))?$`)
)

var inSeconds = map[string]float64{"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400}

// period reads a time in picoseconds, as performance_schema has it, or as
// sys.format_time writes it: 1.54 m, 00:00:01.54. off is by how much it may be
// rounded.
func period(text string) (seconds, off float64, ok bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil && v >= 0 && !math.IsInf(v, 0) {
		return v * 1e-12, 0, true
	}
	if m := forPeople.FindStringSubmatch(text); m != nil {
		v, _ := strconv.ParseFloat(m[1], 64)
		unit := inSeconds[m[3]]
		return v * unit, unit / 2 * math.Pow10(-len(m[2])), true
	}
	if m := clockTime.FindStringSubmatch(text); m != nil {
		days, _ := strconv.ParseFloat("0"+m[1], 64)
		hours, _ := strconv.ParseFloat(m[2], 64)
		minutes, _ := strconv.ParseFloat(m[3], 64)
		seconds, _ := strconv.ParseFloat(m[4]+"."+m[5]+"0", 64)
		return days*86400 + hours*3600 + minutes*60 + seconds, math.Pow10(-len(m[5])) / 2, true
	}
	return 0, 0, false
}

// metric takes a row of information_schema.innodb_metrics:
//
//	NAME	SUBSYSTEM	COUNT	MAX_COUNT	...	TIME_RESET	STATUS	TYPE	COMMENT
//	lock_deadlocks	lock	12	12	...	NULL	enabled	counter	Number of deadlocks
//	| buffer_pool_pages_dirty |   518 |       1 | value |
func (s *scanner) metric(r *client.Row) {
	name, _ := r.Cell("name")
	count, _ := r.Cell("count")
	if enabled, ok := r.Cell("status", "enabled"); ok && (enabled == "disabled" || enabled == "0" || enabled == "NO") {
		return
	}
	v, err := strconv.ParseFloat(count, 64)
	if err != nil || name == "" {
		s.problems.Add("unknown-line", r.Line, []byte(strings.Join(r.Cells, " ")))
		return
	}
	n := s.snapshot(Metrics, r.Line)
	n.set(name, v, false)
	kind, _ := r.Cell("type")
	comment, _ := r.Cell("comment")
	if kind == "value" || v < 0 || strings.HasPrefix(comment, "Current ") || metricLevel(name) {
		s.courses[Metrics].part.gauges[name] = true
	}
}

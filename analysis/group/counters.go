package group

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// Counters gives runs what was counted beside them as metrics, so that every
// question can be asked about them as about tps:
//
//	instructions_per_s, instructions_per_transaction, ipc, ...
//
// and instructions as counted, for ratios of one's own (instructions/queries),
// where the count covers the run. What perf computed itself (percentages,
// stalled cycles per insn) is a metric as it is. A rate is over the time that was counted; a transaction then costs the
// rate over the run's own rate of transactions, so that counting for ten
// seconds of a minute is no mistake. Events are told apart by their modifiers:
// cycles:u is cycles_u. A metric that a run has already stays.
//
// What the server counted itself goes the same way, over the time between its own
// snapshots: com_commit_per_s, innodb_rows_read_per_transaction. Of its hundreds of
// counts those that stand at zero for all runs are left out.
//
// The columns come back with the new ones.
func Counters(runs []datasets.Run, columns []datasets.Column, counters func(yield func([]datasets.Counter) error) error) ([]datasets.Column, Counted, error) {
	byRun := map[string]*counted{}
	metrics := Counted{server: map[string]bool{}}
	alive := map[string]bool{} // what the server counted, by event
	err := counters(func(rows []datasets.Counter) error {
		for i := range rows {
			if strings.HasSuffix(rows[i].Scope, datasets.SeveralRuns) {
				continue
			}
			c := byRun[rows[i].RunID]
			if c == nil {
				c = &counted{events: map[string]*countedEvent{}, elapsed: map[string]float64{}}
				byRun[rows[i].RunID] = c
			}
			if ofServer(rows[i].Scope) && rows[i].Value != 0 {
				alive[rows[i].Event] = true
			} else if ofServer(rows[i].Scope) && !alive[rows[i].Event] {
				alive[rows[i].Event] = false
			}
			c.add(&rows[i])
		}
		return nil
	})
	if err != nil {
		return columns, Counted{}, err
	}
	seen := map[string]bool{}
	for _, c := range columns {
		seen[c.Name] = true
	}
	for i := range runs {
		c := byRun[runs[i].ID]
		if c == nil {
			continue
		}
		c.metrics(&runs[i], alive, func(name string, server bool, v float64) {
			if _, has := runs[i].Metrics[name]; has || math.IsNaN(v) || math.IsInf(v, 0) {
				return
			}
			if !seen[name] {
				seen[name] = true
				metrics.Names = append(metrics.Names, name)
				metrics.server[name] = server
			}
			if runs[i].Metrics == nil {
				runs[i].Metrics = map[string]float64{}
			}
			runs[i].Metrics[name] = v
		})
	}
	slices.SortFunc(metrics.Names, func(a, b string) int {
		return cmp.Or(cmp.Compare(metrics.rank(a), metrics.rank(b)), strings.Compare(a, b))
	})
	for _, name := range metrics.Names {
		columns = append(columns, datasets.Column{Name: name, Kind: datasets.FloatKind, Role: datasets.Metric, Unit: unit.Of(name)})
	}
	return columns, metrics, nil
}

// Counted names the metrics that counters became: cost and instructions first, what
// perf counted before what the server did.
type Counted struct {
	Names  []string
	server map[string]bool
}

// telling are the counts of the server that say where its work goes; the others are
// shown when they are asked for.
var telling = strings.Fields(`questions com_commit innodb_rows_read innodb_rows_inserted innodb_rows_updated innodb_rows_deleted innodb_buffer_pool_read_requests innodb_buffer_pool_reads
	innodb_buffer_pool_pages_flushed innodb_buffer_pool_wait_free innodb_data_reads innodb_data_read innodb_data_writes innodb_data_written innodb_data_fsyncs innodb_os_log_written innodb_os_log_fsyncs innodb_log_waits
	innodb_row_lock_waits innodb_row_lock_time_s created_tmp_disk_tables handler_read_rnd_next sort_merge_passes bytes_sent bytes_received cpu_time_s
	innodb_os_file_reads innodb_os_file_writes innodb_os_fsyncs innodb_pages_read innodb_pages_written lock_deadlocks rocksdb_bytes_written`)

// rank sorts what people ask first to the front.
func (m *Counted) rank(metric string) int {
	if m.server[metric] {
		if i := slices.Index(telling, strings.TrimSuffix(metric, perTransaction)); i >= 0 {
			return 100 + i
		}
		return 200
	}
	asked := []string{"instructions_per_transaction", "cycles_per_transaction", "ipc", "instructions_per_s", "cycles_per_s"}
	if i := slices.Index(asked, metric); i >= 0 {
		return i
	}
	switch {
	case strings.HasSuffix(metric, perTransaction):
		return len(asked)
	case strings.HasSuffix(metric, perSecond):
		return len(asked) + 1
	}
	return len(asked) + 2
}

const (
	perTransaction = "_per_transaction"
	perSecond      = "_per_s"
)

// counted is what was counted beside one run.
type counted struct {
	events  map[string]*countedEvent // by metric name
	order   []string
	elapsed map[string]float64 // seconds, by who counted: "" for perf, or the scope of the server
}

// ofServer tells what a server counted itself.
func ofServer(scope string) bool {
	return scope == datasets.ServerScope || scope == datasets.InnoDBScope || scope == datasets.InnoDBMetricsScope
}

// counter tells who counted: "" for perf, whatever the part.
func counter(scope string) string {
	if ofServer(scope) {
		return scope
	}
	return ""
}

type countedEvent struct {
	unit     string
	event    string
	by       string  // "" or a scope of the server
	value    float64 // of all of it
	parts    float64 // sum over CPUs, sockets or threads
	hasValue bool
	n        int // parts
}

// elapsedEvents are the names of the time that was counted: that of perf's own
// line, and that of its event.
var elapsedEvents = []string{"seconds elapsed", "duration_time"}

func (c *counted) add(r *datasets.Counter) {
	if math.IsNaN(r.Value) {
		return
	}
	if slices.Contains(elapsedEvents, r.Event) {
		seconds := r.Value
		if r.Unit != "s" { // perf counts it in nanoseconds
			seconds /= 1e9
		}
		by := counter(r.Scope)
		c.elapsed[by] = max(c.elapsed[by], seconds)
		return
	}
	name := counterName(r.Event)
	if r.Unit == "s" { // "seconds user" is user_s
		name = strings.TrimPrefix(name, "seconds_") + "_s"
	}
	e := c.events[name]
	if e == nil {
		e = &countedEvent{unit: r.Unit, event: r.Event, by: counter(r.Scope)}
		c.events[name] = e
		c.order = append(c.order, name)
	}
	switch {
	case r.Scope == "" || e.by != "":
		e.value, e.hasValue = r.Value, true
	default:
		e.parts += r.Value
		e.n++
	}
}

// counterName makes an event a column name: "cpu_core/cycles/u" is
// cpu_core_cycles_u.
func counterName(event string) string {
	words := strings.FieldsFunc(strings.ToLower(event), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	return strings.Join(words, "_")
}

// isComputed tells what perf worked out itself from what it counted: shares,
// ratios ("stalled cycles per insn"), and whatever is no whole number. Another
// rate of these means nothing.
func (e *countedEvent) isComputed(name string, v float64) bool {
	return e.by == "" && (e.unit == "%" || e.unit == "" && (strings.Contains(name, "_per_") || v != math.Trunc(v)))
}

// coversRun is how far the time counted and the run may differ for a count to
// be the run's own: perf is started and stopped by hand.
const coversRun = .02

func (c *counted) metrics(r *datasets.Run, alive map[string]bool, give func(name string, server bool, v float64)) {
	rate := math.NaN() // transactions per second
	for _, name := range []string{"tps", "eps"} {
		if v := r.Metric(name); v > 0 {
			rate = v
			break
		}
	}
	for _, name := range c.order {
		e := c.events[name]
		if living, ofServer := alive[e.event]; e.by != "" && ofServer && !living {
			continue
		}
		put := func(name string, v float64) { give(name, e.by != "", v) }
		elapsed := c.elapsed[e.by]
		whole := elapsed == 0 || math.Abs(elapsed/r.Duration-1) <= coversRun
		if elapsed == 0 {
			elapsed = r.Duration
		}
		v := e.value
		if !e.hasValue {
			v = e.parts
		}
		if e.isComputed(name, v) {
			if !e.hasValue {
				v /= float64(e.n)
			}
			put(name, v)
			continue
		}
		if elapsed > 0 {
			put(name+perSecond, v/elapsed)
			put(name+perTransaction, v/elapsed/rate)
		}
		if whole {
			put(name, v)
		}
		if other, ok := c.events[strings.Replace(name, "instructions", "cycles", 1)]; ok && strings.Contains(name, "instructions") {
			cycles := other.value
			if !other.hasValue {
				cycles = other.parts
			}
			put(strings.Replace(name, "instructions", "ipc", 1), v/cycles)
		}
	}
}

// Of picks the metrics of one event, or ("") of all, that mean something beside each
// other: rates, costs and shares, not bare counts; and of the server's, only the cost
// of what says where its work goes. hidden is how many events of the server stay
// behind for that. The error is for an event that was not counted.
func (m *Counted) Of(event string) (picked []string, hidden int, err error) {
	var events []string
	left := map[string]bool{}
	for _, name := range m.Names {
		of, isRate := strings.CutSuffix(name, perSecond)
		of, isCost := strings.CutSuffix(of, perTransaction)
		if !isRate && !isCost && slices.Contains(m.Names, name+perSecond) {
			continue
		}
		if !slices.Contains(events, of) {
			events = append(events, of)
		}
		switch {
		case event == "" && m.server[name] && !slices.Contains(telling, of):
			left[of] = true
		case event == "" && m.server[name] && !isCost:
		case event == "" || of == counterName(event):
			picked = append(picked, name)
		}
	}
	if picked == nil && event != "" {
		return nil, 0, Unknown{"event", event, events}
	}
	return picked, len(left), nil
}

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
// The columns come back with the new ones, whose names are in metrics, cost and
// instructions first.
func Counters(runs []datasets.Run, columns []datasets.Column, counters func(yield func([]datasets.Counter) error) error) (_ []datasets.Column, metrics []string, err error) {
	byRun := map[string]*counted{}
	err = counters(func(rows []datasets.Counter) error {
		for i := range rows {
			c := byRun[rows[i].RunID]
			if c == nil {
				c = &counted{events: map[string]*countedEvent{}}
				byRun[rows[i].RunID] = c
			}
			c.add(&rows[i])
		}
		return nil
	})
	if err != nil {
		return columns, nil, err
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
		c.metrics(&runs[i], func(name string, v float64) {
			if _, has := runs[i].Metrics[name]; has || math.IsNaN(v) || math.IsInf(v, 0) {
				return
			}
			if !seen[name] {
				seen[name] = true
				metrics = append(metrics, name)
			}
			if runs[i].Metrics == nil {
				runs[i].Metrics = map[string]float64{}
			}
			runs[i].Metrics[name] = v
		})
	}
	slices.SortFunc(metrics, func(a, b string) int {
		return cmp.Or(cmp.Compare(counterRank(a), counterRank(b)), strings.Compare(a, b))
	})
	for _, name := range metrics {
		columns = append(columns, datasets.Column{Name: name, Kind: datasets.FloatKind, Role: datasets.Metric, Unit: unit.Of(name)})
	}
	return columns, metrics, nil
}

// counterRank sorts what people ask first to the front.
func counterRank(metric string) int {
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
	elapsed float64 // seconds; 0 = not told
}

type countedEvent struct {
	unit     string
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
		c.elapsed = max(c.elapsed, seconds)
		return
	}
	name := counterName(r.Event)
	if r.Unit == "s" { // "seconds user" is user_s
		name = strings.TrimPrefix(name, "seconds_") + "_s"
	}
	e := c.events[name]
	if e == nil {
		e = &countedEvent{unit: r.Unit}
		c.events[name] = e
		c.order = append(c.order, name)
	}
	switch {
	case r.Scope == "":
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
	return e.unit == "%" || e.unit == "" && (strings.Contains(name, "_per_") || v != math.Trunc(v))
}

// coversRun is how far the time counted and the run may differ for a count to
// be the run's own: perf is started and stopped by hand.
const coversRun = .02

func (c *counted) metrics(r *datasets.Run, put func(name string, v float64)) {
	elapsed := c.elapsed
	whole := elapsed == 0 || math.Abs(elapsed/r.Duration-1) <= coversRun
	if elapsed == 0 {
		elapsed = r.Duration
	}
	rate := math.NaN() // transactions per second
	for _, name := range []string{"tps", "eps"} {
		if v := r.Metric(name); v > 0 {
			rate = v
			break
		}
	}
	for _, name := range c.order {
		e := c.events[name]
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

// CountersOf picks the metrics of one event, or ("") of all, that mean something
// beside each other: rates, costs and shares, not bare counts. The error is for
// an event that was not counted.
func CountersOf(metrics []string, event string) ([]string, error) {
	var picked, events []string
	for _, name := range metrics {
		of, isRate := strings.CutSuffix(name, perSecond)
		of, isCost := strings.CutSuffix(of, perTransaction)
		if !isRate && !isCost && slices.Contains(metrics, name+perSecond) {
			continue
		}
		if !slices.Contains(events, of) {
			events = append(events, of)
		}
		if event == "" || of == counterName(event) {
			picked = append(picked, name)
		}
	}
	if picked == nil && event != "" {
		return nil, Unknown{"event", event, events}
	}
	return picked, nil
}

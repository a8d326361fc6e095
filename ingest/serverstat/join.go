package serverstat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"noisefloor/datasets"
)

// Run is what is known of the run that snapshots lie around.
type Run struct {
	Started  time.Time // zero = unknown
	Duration float64   // seconds; NaN = unknown
}

// Rows are what snapshots say about a run; they have no RunID yet.
type Rows struct {
	Counters []datasets.Counter
	Waits    []datasets.Wait
	Series   datasets.Samples
	Seconds  float64 // from the first snapshot to the last; NaN = unknown
}

// Elapsed is the event of the seconds that the counts of the same scope took.
const Elapsed = "seconds elapsed"

// Join takes the difference over all parts of one run, kind by kind. The parts come
// in the order in which they are taken to have been written where no time says
// otherwise.
func Join(parts []*Part, run Run, problem func(datasets.Problem)) Rows {
	rows := Rows{Seconds: math.NaN()}
	j := joiner{run: run, rows: &rows, problem: problem, counted: map[string]bool{}, pair: math.NaN()}
	for _, k := range Kinds {
		var of []*Part
		for _, p := range parts {
			if p.Kind == k {
				of = append(of, p)
			}
		}
		switch {
		case len(of) == 0:
		case k == Sessions:
			j.sessions(inOrder(of))
		default:
			j.kind(k, inOrder(of))
		}
	}
	return rows
}

// inOrder sorts parts by time, where all have it. Not by Uptime, which falls when the
// server is started again.
func inOrder(parts []*Part) []*Part {
	parts = slices.Clone(parts)
	if !slices.ContainsFunc(parts, func(p *Part) bool { return p.First.At.IsZero() }) {
		slices.SortStableFunc(parts, func(a, b *Part) int { return a.First.At.Compare(b.First.At) })
	}
	return parts
}

type joiner struct {
	run     Run
	rows    *Rows
	problem func(datasets.Problem)
	counted map[string]bool // events, by the first kind that has them
	pair    float64         // seconds between the two statuses of a pair; NaN = there is no pair
}

func (j *joiner) say(p *Part, kind, format string, args ...any) {
	j.problem(datasets.Problem{Source: p.Source, Line: p.First.Line, Kind: kind, Text: fmt.Sprintf(format, args...), Count: 1})
}

func (j *joiner) kind(k Kind, parts []*Part) {
	first, last := parts[0].First, parts[len(parts)-1].Last
	snapshots := 0
	whole := &Part{Kind: k, Source: parts[len(parts)-1].Source, First: first, Last: last, gauges: map[string]bool{}, broken: map[string]bool{}}
	for i, p := range parts {
		snapshots += p.Snapshots
		for name, is := range p.gauges {
			whole.gauges[name] = whole.gauges[name] || is
		}
		for name := range p.broken {
			whole.broken[name] = true
		}
		whole.restarted = cmp.Or(whole.restarted, p.restarted)
		if i > 0 {
			whole.restarted = cmp.Or(whole.restarted, restarted(parts[i-1].Last, p.First))
			whole.fell(parts[i-1].Last, p.First)
		}
	}
	j.series(parts)
	seconds, known := between(first, last)
	if !known {
		seconds = math.NaN()
		if snapshots == 2 {
			seconds = j.pair
		}
	} else if k == Status && snapshots == 2 {
		j.pair = seconds
	}
	whole.fell(first, last)
	switch {
	case snapshots == 1 && (k == InnoDB || k == Metrics) && len(j.rows.Counters) > 0:
		return // its levels are in the series, and a status counts the rest
	case snapshots == 1:
		j.say(parts[0], "one-snapshot", "one %s: %s", k, Lonely(k))
		return
	case whole.restarted != "":
		j.say(whole, "restarted", "%s; nothing is counted over that", whole.restarted)
		return
	case known && seconds <= 0 || first == last:
		j.say(whole, "no-time", "no time passes from the first %s to the last", k)
		return
	case k == Waits && len(whole.broken)*4 > len(first.Values):
		name := sorted(whole.broken)[0]
		j.say(whole, "went-back", "%d of %d waits fell, the first %s: the summary was emptied in between, or this is another server; no waits", len(whole.broken), len(first.Values), name)
		return
	case len(whole.broken) > 0: // of waits too: those of a table go with its definition
		names := sorted(whole.broken)
		j.say(whole, "went-back", "%d counts fell and are left out, the first %s from %.6g to %.6g", len(names), names[0], first.Values[names[0]], last.Values[names[0]])
	}
	if math.IsNaN(j.rows.Seconds) {
		j.rows.Seconds = seconds
	}
	seconds = j.work(whole, seconds)
	if k == Waits {
		j.waits(whole, seconds)
	} else {
		j.counts(whole, seconds)
	}
}

// Lonely says why one snapshot says nothing about a run.
func Lonely(k Kind) string {
	if k == Sessions {
		return "what sessions did at one moment says nothing about a run"
	}
	return "it counts since the start of the server, a run needs one before it and one after"
}

// sessions takes what sessions did over time, of which there is no difference.
func (j *joiner) sessions(parts []*Part) {
	snapshots := 0
	for _, p := range parts {
		snapshots += p.Snapshots
	}
	switch {
	case snapshots == 1:
		j.say(parts[0], "one-snapshot", "one %s: %s", Sessions, Lonely(Sessions))
	case len(parts) == 1 && parts[0].First.At.IsZero():
		j.say(parts[0], "no-time", "%d snapshots of the %s, and no time at any", snapshots, Sessions)
	default:
		j.series(parts)
	}
}

// How much longer than the run the time between two snapshots may be for all of
// their difference to be the run's: the client connects, the shell starts programs.
const (
	slackSeconds = 5
	slackShare   = .1
)

// work gives the seconds in which the difference came about. Snapshots before and
// after a run are a little further apart than the run is long, and the server works
// in the run: what it did in these seconds it did in the run's.
func (j *joiner) work(p *Part, seconds float64) float64 {
	duration := j.run.Duration
	shortest := duration
	if seconds == math.Trunc(seconds) { // whole seconds may be almost one more
		shortest--
	}
	if !(duration > 0) || !(seconds > 0) || seconds < shortest {
		return seconds
	}
	if seconds-duration <= max(slackSeconds, slackShare*duration) {
		return duration
	}
	j.say(p, "longer-than-run", "the snapshots are %.4g s apart and the run takes %.4g s: what the server did besides is in the difference", seconds, duration)
	return seconds
}

var scopes = map[Kind]string{Status: datasets.ServerScope, InnoDB: datasets.InnoDBScope, Metrics: datasets.InnoDBMetricsScope}

// inTime are the counters that count time, and what of a second.
var inTime = map[string]float64{"Innodb_row_lock_time": 1e-3, "Cpu_time": 1, "Busy_time": 1, "lock_row_lock_time": 1e-3}

func (j *joiner) counts(p *Part, seconds float64) {
	row := datasets.Counter{Scope: scopes[p.Kind], RunningPct: 100, Variance: math.NaN()}
	from := len(j.rows.Counters)
	names := sorted(p.Last.Values)
	if from == 0 {
		j.counted = make(map[string]bool, len(names))
	}
	j.rows.Counters = slices.Grow(j.rows.Counters, len(names)+1)
	for _, name := range names {
		was, known := p.First.Values[name]
		if !known || p.level(name) || p.broken[name] || j.counted[name] {
			continue
		}
		j.counted[name] = true
		row.Event, row.Value, row.Unit = name, p.Last.Values[name]-was, ""
		if scale := inTime[name]; scale > 0 {
			row.Value, row.Unit = row.Value*scale, "s"
		}
		j.rows.Counters = append(j.rows.Counters, row)
	}
	if len(j.rows.Counters) > from && seconds > 0 {
		row.Event, row.Value, row.Unit = Elapsed, seconds, "s"
		j.rows.Counters = append(j.rows.Counters, row)
	}
}

// waits takes the difference of two summaries. An event that only one of them has
// is new, unless the lists are cut to the largest: then nobody knows.
func (j *joiner) waits(p *Part, seconds float64) {
	a, b := p.First, p.Last
	cut := a.falling && b.falling && len(a.Values) > 1 && len(a.Values) == len(b.Values)
	unknown, rounded, lost := 0, 0, ""
	for name := range a.Values {
		if _, ok := b.Values[name]; !ok && a.Counts[name] > 0 && !cut {
			lost = max(lost, name)
		}
	}
	if lost != "" {
		j.say(p, "went-back", "%s is in the first summary and not in the last: the summary was emptied in between, or one is cut", lost)
	}
	for _, name := range sorted(b.Values) {
		if p.broken[name] {
			j.rows.Waits = append(j.rows.Waits, datasets.Wait{Event: name, Count: math.NaN(), Sum: math.NaN(), AvgSessions: math.NaN()})
			continue
		}
		was, known := a.Values[name]
		if !known && cut {
			unknown++
			continue
		}
		sum, count := b.Values[name]-was, b.Counts[name]-a.Counts[name]
		if off := a.rounded[name] + b.rounded[name]; off > 0 && off > .05*sum {
			if count > 0 {
				rounded++
			}
			continue
		}
		if count < 0 {
			count = math.NaN()
		}
		if sum == 0 && !(count > 0) {
			continue
		}
		w := datasets.Wait{Event: name, Count: count, Sum: sum, AvgSessions: math.NaN()}
		if seconds > 0 {
			w.AvgSessions = sum / seconds
		}
		j.rows.Waits = append(j.rows.Waits, w)
	}
	if unknown > 0 {
		j.say(p, "cut-list", "both summaries end at %d events: what %d of the last one had before is not known, and they are left out", len(b.Values), unknown)
	}
	if rounded > 0 {
		j.say(p, "rounded", "the times are rounded for people, so that the difference of %d events means nothing; sys.x$waits_global_by_latency has them whole", rounded)
	}
}

// series moves the values over time of each part to where they belong: seconds
// since the start of the run, or of the first part where that is unknown.
func (j *joiner) series(parts []*Part) {
	for i, p := range parts {
		shift := 0.0
		switch {
		case !j.run.Started.IsZero() && !p.First.At.IsZero():
			shift = p.First.At.Sub(j.run.Started).Seconds()
		case i > 0:
			s, ok := between(parts[0].First, p.First)
			if !ok {
				continue
			}
			shift = s
		}
		from := j.rows.Series.Len()
		j.rows.Series.AddAll(&p.Series)
		for k := range j.rows.Series.T[from:] {
			j.rows.Series.T[from+k] += shift
		}
	}
}

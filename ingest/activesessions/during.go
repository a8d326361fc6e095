package activesessions

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"noisefloor/datasets"
)

// Rest is the event of the sessions that no event of the export stands for: an
// export names the largest only.
const Rest = "not named"

// During gives what was waited for in a run: the averages over it, weighed by how
// much of each period lies in it, and the points over time. A run whose beginning is
// not known takes an export that is hardly longer than itself. The problem, if there
// is one, is why there is nothing, or less than the run.
func (l *Load) During(started time.Time, duration float64) (waits []datasets.Wait, series []datasets.Sample, problem string) {
	times := l.times()
	if len(times) == 0 {
		return l.averages(started, duration)
	}
	period := l.period(times)
	first, last := times[0].Add(-seconds(period)), times[len(times)-1]
	span := last.Sub(first).Seconds()
	from, to := first, last
	switch known := duration > 0; {
	case known && !started.IsZero():
		from, to = started, started.Add(seconds(duration))
	case known && span > 1.5*duration+period:
		return nil, nil, fmt.Sprintf("the export covers %.0f s and the run took %.0f s, but nobody knows when it began", span, duration)
	}
	covered := 0.0
	weight := make([]float64, len(times)) // seconds of the period that lie in the run
	for i, t := range times {
		begin := t.Add(-seconds(period))
		if i > 0 && times[i-1].After(begin) {
			begin = times[i-1]
		}
		if begin.Before(from) {
			begin = from
		}
		end := t
		if end.After(to) {
			end = to
		}
		weight[i] = max(0, end.Sub(begin).Seconds())
		covered += weight[i]
	}
	if covered == 0 {
		return nil, nil, fmt.Sprintf("the export is of %s to %s, and the run is not in it", first.Format(time.RFC3339), last.Format(time.RFC3339))
	}
	if length := to.Sub(from).Seconds(); covered < .9*length {
		problem = fmt.Sprintf("only %.0f of the %.0f s of the run are in the export", covered, length)
	}
	for _, e := range l.withRest(times) {
		at := map[int64]float64{}
		for _, p := range e.Points {
			at[p.At] += p.Sessions
		}
		sum := 0.0
		var course []datasets.Sample
		for i, t := range times {
			v := at[t.UnixMicro()]
			sum += v * weight[i]
			if weight[i] >= period/10 { // less is about what was before or after
				course = append(course, datasets.Sample{T: t.Sub(from).Seconds(), Source: Source, Metric: e.Name, Value: v})
			}
		}
		if sum == 0 {
			continue
		}
		waits = append(waits, datasets.Wait{Event: e.Name, Count: math.NaN(), Sum: sum, AvgSessions: sum / covered})
		if len(course) > 1 {
			series = append(series, course...)
		}
	}
	return waits, series, problem
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// times lists the times at which anything is known, in order: an event that is not
// named at one of these was not waited for.
func (l *Load) times() []time.Time {
	seen := map[int64]bool{}
	for _, e := range l.all() {
		for _, p := range e.Points {
			seen[p.At] = true
		}
	}
	list := make([]time.Time, 0, len(seen))
	for _, at := range slices.Sorted(maps.Keys(seen)) {
		list = append(list, time.UnixMicro(at).UTC())
	}
	return list
}

func (l *Load) all() []*Event {
	if l.total == nil {
		return l.Events
	}
	return append(slices.Clone(l.Events), l.total)
}

// period is the usual time from one point to the next, in seconds.
func (l *Load) period(times []time.Time) float64 {
	if len(times) == 1 {
		return max(0, l.To.Sub(l.From).Seconds(), 1)
	}
	gaps := make([]float64, 0, len(times)-1)
	for i := range times[1:] {
		gaps = append(gaps, times[i+1].Sub(times[i]).Seconds())
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// withRest gives the events, and what is missing from them to the load of all.
func (l *Load) withRest(times []time.Time) []*Event {
	if l.total == nil {
		return l.Events
	}
	named := map[int64]float64{}
	for _, e := range l.Events {
		for _, p := range e.Points {
			named[p.At] += p.Sessions
		}
	}
	rest := &Event{Name: Rest}
	matters := false
	for _, p := range l.total.Points {
		missing := p.Sessions - named[p.At]
		matters = matters || missing > .005*p.Sessions
		rest.Points = append(rest.Points, Point{p.At, max(0, missing)})
	}
	if !matters {
		return l.Events
	}
	return append(slices.Clone(l.Events), rest)
}

// averages gives an export without times, which is of one run if it is about as
// long.
func (l *Load) averages(started time.Time, duration float64) (waits []datasets.Wait, _ []datasets.Sample, problem string) {
	span := l.To.Sub(l.From).Seconds()
	if duration > 0 && span > 0 && (span > 1.5*duration || !started.IsZero() && (started.After(l.To) || started.Add(seconds(duration)).Before(l.From))) {
		return nil, nil, fmt.Sprintf("an average over %.0f s that is not about this run of %.0f s", span, duration)
	}
	if !(span > 0) {
		span = math.NaN()
	}
	for _, e := range l.Events {
		if e.Average > 0 {
			waits = append(waits, datasets.Wait{Event: e.Name, Count: math.NaN(), Sum: e.Average * span, AvgSessions: e.Average})
		}
	}
	return waits, nil, ""
}

// Empty tells whether nothing was found.
func (l *Load) Empty() bool {
	return len(l.times()) == 0 && !slices.ContainsFunc(l.Events, func(e *Event) bool { return e.Average > 0 })
}

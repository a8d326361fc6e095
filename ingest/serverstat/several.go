package serverstat

import (
	"fmt"
	"math"
	"time"

	"noisefloor/datasets"
)

// During cuts out what belongs to a run of a part that goes on over several: what was
// counted in the run, steps that it has only a part of by that part, and levels while
// it went on. why says what is in the way, or what is not right.
func (p *Part) During(run Run) (rows Rows, why string) {
	rows.Seconds = math.NaN()
	switch {
	case p.First.At.IsZero() || len(p.steps) == 0:
		return rows, "snapshots without times"
	case run.Started.IsZero() || !(run.Duration > 0):
		return rows, "when the run began nobody knows"
	}
	from := run.Started.Sub(p.First.At).Seconds()
	to := from + run.Duration
	weight := map[float64]float64{} // seconds of the step that lie in the run, by its end
	covered := 0.0
	for _, s := range p.steps {
		if w := min(s[1], to) - max(s[0], from); w > 0 {
			weight[s[1]] = w
			covered += w
		}
	}
	if covered == 0 {
		return rows, "no snapshots are of the time of the run"
	}
	if covered < .9*run.Duration {
		why = fmt.Sprintf("only %.0f of the %.0f s of the run lie between snapshots", covered, run.Duration)
	}
	rows.Seconds = covered
	type total struct {
		sum            float64
		samples, steps int // over all, and those of the run
	}
	totals := make([]total, len(p.Series.Names))
	for _, k := range p.Series.Metric {
		totals[k].samples++
	}
	for i, k := range p.Series.Metric {
		of, t, v := &totals[k], p.Series.T[i], p.Series.Value[i]
		if of.samples == 1 { // it stands still
			of.sum, of.steps = covered*v, len(weight)
			t = from
		} else if w := weight[t]; w > 0 {
			of.sum += w * v
			of.steps++
		}
		// A level is of its moment, a rate of the step that ends there.
		if t >= from && t <= to {
			rows.Series.Append(rows.Series.Number(p.Series.Names[k]), t-from, v)
		}
	}
	rows.Series.Own("", string(p.Kind))
	named := map[string]total{}
	for k, name := range p.Series.Names {
		named[name] = totals[k]
	}
	for _, name := range sorted(p.Last.Values) {
		switch rate := named[name+"/s"]; {
		case p.level(name):
		case p.Kind == Waits:
			if of := named[name]; of.sum > 0 && of.steps == len(weight) {
				rows.Waits = append(rows.Waits, datasets.Wait{Event: name, Count: math.NaN(), Sum: of.sum, AvgSessions: of.sum / covered})
			}
		// A count that was set back within the run lacks that step.
		case rate.steps == len(weight) || rate.samples == 0 && !p.broken[name] && p.First.Values[name] == p.Last.Values[name]:
			c := datasets.Counter{Event: name, Value: rate.sum, Scope: scopes[p.Kind], RunningPct: 100, Variance: math.NaN()}
			if scale := inTime[name]; scale > 0 {
				c.Value, c.Unit = c.Value*scale, "s"
			}
			rows.Counters = append(rows.Counters, c)
		}
	}
	if len(rows.Counters) > 0 {
		rows.Counters = append(rows.Counters, datasets.Counter{Event: Elapsed, Value: covered, Unit: "s", Scope: scopes[p.Kind], RunningPct: 100, Variance: math.NaN()})
	}
	return rows, why
}

// Around takes the difference of a snapshot before several runs and one behind them.
// It is of all of them together, and its scope says so. Waits have no scope and are
// left out.
// ok is false where they lie around another time than the run's. The parts have two
// snapshots in all.
func Around(parts []*Part, run Run, problem func(datasets.Problem)) (rows Rows, ok bool) {
	rows = Join(parts, Run{Duration: math.NaN()}, problem)
	parts = inOrder(parts)
	before, after := parts[0].First, parts[len(parts)-1].Last
	if slack := seconds(slackSeconds); !run.Started.IsZero() && !before.At.IsZero() && !after.At.IsZero() {
		late := run.Duration > 0 && run.Started.Add(seconds(run.Duration)-slack).After(after.At)
		if late || run.Started.Add(slack).Before(before.At) {
			return Rows{Seconds: math.NaN()}, false
		}
	}
	if run.Duration > rows.Seconds+1 {
		return Rows{Seconds: math.NaN()}, false
	}
	kept := rows.Counters[:0]
	for _, c := range rows.Counters {
		if c.Value != 0 {
			c.Scope += datasets.SeveralRuns
			kept = append(kept, c)
		}
	}
	return Rows{Counters: kept, Seconds: rows.Seconds}, true
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

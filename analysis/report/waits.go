package report

import (
	"cmp"
	"math"
	"slices"

	"noisefloor/analysis/profile"
	"noisefloor/datasets"
)

// waiting is how many sessions waited on average, by run and event.
type waiting map[string]map[string]float64

func waits(in Input, event string) (waiting, error) {
	sessions := waiting{}
	if in.Waits == nil {
		return sessions, nil
	}
	durations := map[string]float64{}
	for i := range in.Runs {
		durations[in.Runs[i].ID] = in.Runs[i].Duration
	}
	err := in.Waits(func(rows []datasets.Wait) error {
		for i := range rows {
			w := &rows[i]
			avg := w.AvgSessions
			if math.IsNaN(avg) {
				avg = w.Sum / durations[w.RunID]
			}
			if math.IsInf(avg, 0) || event != "" && w.Event != event {
				continue
			}
			if sessions[w.RunID] == nil {
				sessions[w.RunID] = map[string]float64{}
			}
			sessions[w.RunID][w.Event] += avg
		}
		return nil
	})
	return sessions, err
}

func (s waiting) has() map[string]bool {
	runs := map[string]bool{}
	for id := range s {
		runs[id] = true
	}
	return runs
}

// addWaits answers for every stratum and contender whose runs say what they
// waited for.
func (r *Report) addWaits(in Input, sessions waiting, opt Options) error {
	if len(sessions) == 0 {
		return nil
	}
	g, varies := r.besideOptions(in, sessions.has(), opt)
	if !varies {
		g.By, g.Base = "", ""
	}
	design, cells, warnings, err := beside(in, sessions.has(), g)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		r.warn(w)
	}
	series, err := coursesOf(in, sessions)
	if err != nil {
		return err
	}
	contenders := []int{0} // nothing to compare: one arm, that of all runs
	if varies {
		contenders = nil
		for i := 1; i < len(design.Arms); i++ {
			contenders = append(contenders, i)
		}
	}
	first := len(r.Waits)
	for c := range cells {
		cell := &cells[c]
		for _, contender := range contenders {
			w := Waited{Stratum: cell.Stratum, Doubts: cell.Warnings}
			var runs []profile.Waiting
			var ofArm [2][]placedRun
			for i, run := range cell.Runs {
				if varies && run.Arm != 0 && run.Arm != contender {
					continue
				}
				run.Arm = min(run.Arm, 1, contender)
				runs = append(runs, profile.Waiting{Run: run, Sessions: sessions[cell.RunIDs[i]]})
				ofArm[run.Arm] = append(ofArm[run.Arm], placedRun{cell.RunIDs[i], run.Slot})
			}
			switch {
			case !varies:
				w.Result = profile.TopWaits(runs, profileOptions(opt, nil))
			case len(ofArm[0]) == 0 || len(ofArm[1]) == 0:
				continue
			default:
				w.BaseLevel, w.Level = design.Base, design.Arms[contender]
				w.Result = profile.Waits(runs, profileOptions(opt, aliased(design, contender)))
			}
			for arm := range w.Courses {
				w.Courses[arm] = average(ofArm[arm], series, sessions)
			}
			r.Waits = append(r.Waits, w)
		}
	}
	var family []*profile.Result
	for i := first; i < len(r.Waits); i++ {
		family = append(family, &r.Waits[i].Result)
	}
	profile.Adjust(family...)
	return nil
}

type placedRun struct {
	id   string
	slot float64
}

// courseBins is how many times a course has at most: about one to five pixels.
const courseBins = 120

// courses are the series of waits, by run and event.
type courses map[string]map[string][]datasets.Sample

// coursesOf reads the series of waits, run by run and event by event: those
// whose metric is a wait event of their run.
func coursesOf(in Input, sessions waiting) (courses, error) {
	all := courses{}
	if in.Series == nil {
		return all, nil
	}
	err := in.Series(func(rows []datasets.Sample) error {
		for _, s := range rows {
			if v, waits := sessions[s.RunID][s.Metric]; !waits || math.IsNaN(v) || math.IsNaN(s.Value) || math.IsNaN(s.T) {
				continue
			}
			if all[s.RunID] == nil {
				all[s.RunID] = map[string][]datasets.Sample{}
			}
			all[s.RunID][s.Metric] = append(all[s.RunID][s.Metric], s)
		}
		return nil
	})
	return all, err
}

// average is the mean course of some runs: in bins of equal time, each run by
// its mean in the bin, over the runs that have it. Where no run has a series
// the runs stand beside each other in the order in which they ran.
func average(runs []placedRun, of courses, sessions waiting) Course {
	longest, most := 0.0, 0
	for _, run := range runs {
		for _, samples := range of[run.id] {
			for _, s := range samples {
				longest = max(longest, s.T)
			}
			most = max(most, len(samples))
		}
	}
	if !(longest > 0) {
		return inRunOrder(runs, sessions)
	}
	bins := min(most, courseBins)
	c := Course{Events: map[string][]float64{}}
	for b := range bins {
		c.T = append(c.T, (float64(b)+.5)*longest/float64(bins))
	}
	seen := make([]float64, bins) // runs that say anything in the bin
	for _, run := range runs {
		in := make([]bool, bins)
		for event, samples := range of[run.id] {
			sum, n := make([]float64, bins), make([]float64, bins)
			for _, s := range samples {
				b := min(int(s.T/longest*float64(bins)), bins-1)
				if b < 0 {
					continue
				}
				sum[b] += s.Value
				n[b]++
				in[b] = true
			}
			if c.Events[event] == nil {
				c.Events[event] = make([]float64, bins)
			}
			for b := range bins {
				if n[b] > 0 {
					c.Events[event][b] += sum[b] / n[b]
				}
			}
		}
		for b := range bins {
			if in[b] {
				seen[b]++
			}
		}
	}
	// A time at which no run says anything is no time without waits.
	known := func(y []float64) []float64 {
		var kept []float64
		for b, v := range y {
			if seen[b] > 0 {
				kept = append(kept, v)
			}
		}
		return kept
	}
	for event, y := range c.Events {
		for b := range y {
			y[b] /= seen[b]
		}
		c.Events[event] = known(y)
	}
	c.T = known(c.T)
	return c
}

func inRunOrder(runs []placedRun, sessions waiting) Course {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b placedRun) int { return cmp.Compare(a.slot, b.slot) })
	c := Course{InRunOrder: true, Events: map[string][]float64{}}
	for i, run := range runs {
		c.T = append(c.T, float64(i+1))
		for event, v := range sessions[run.id] {
			if math.IsNaN(v) {
				continue
			}
			if c.Events[event] == nil {
				c.Events[event] = make([]float64, len(runs))
			}
			c.Events[event][i] = v
		}
	}
	return c
}

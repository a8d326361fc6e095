package main

import (
	"fmt"
	"math"
	"strings"

	"noisefloor/analysis/group"
	"noisefloor/analysis/steady"
	"noisefloor/datasets"
)

// span is the part of a run that is kept: from < t <= to.
type span struct{ from, to float64 }

// steadySpans gives the steady part of each run: what lies behind the one cut that
// all runs of its stratum have in common, less the drain at the end, when some of
// the threads have finished. It says for each stratum what was cut.
func steadySpans(data *opened, runs []datasets.Run, columns []datasets.Column) (map[string]span, []string, error) {
	courses, err := courses(data, runs)
	if err != nil {
		return nil, nil, err
	}
	_, cells, _, err := group.Analyse(runs, columns, group.Options{})
	if err != nil {
		return nil, nil, err
	}
	spans := map[string]span{}
	var said []string
	for _, c := range cells {
		if !c.Primary {
			continue
		}
		var results []steady.Result
		for _, id := range c.RunIDs {
			if course, ok := courses[id]; ok {
				results = append(results, course.Result)
			}
		}
		if len(results) == 0 {
			continue
		}
		stratum := orAll(group.Words(c.Stratum))
		cut, ok, warnings := steady.Common(results)
		switch {
		case !ok:
			var why []string
			for _, w := range warnings {
				why = append(why, w.Text())
			}
			said = append(said, fmt.Sprintf("%s: report lines are kept from the start: %s", stratum, strings.Join(why, " ")))
			cut = math.Inf(-1)
		case cut > 0:
			said = append(said, fmt.Sprintf("%s: report lines up to %g s are left out, in all %d runs alike", stratum, cut, len(results)))
		default:
			said = append(said, fmt.Sprintf("%s: steady from the start", stratum))
		}
		for _, id := range c.RunIDs {
			if course, ok := courses[id]; ok {
				spans[id] = span{cut, course.end}
			}
		}
	}
	drained := 0
	for _, course := range courses {
		if course.drained {
			drained++
		}
	}
	if drained > 0 {
		said = append(said, fmt.Sprintf("in %d runs the last lines, with fewer threads than the run has, are left out", drained))
	}
	return spans, said, nil
}

// course is how one run went.
type course struct {
	steady.Result
	end     float64 // of the lines with all threads
	drained bool
}

// courses looks at each run as its report lines go by.
func courses(data *opened, runs []datasets.Run) (map[string]course, error) {
	threads := map[string]float64{}
	for i := range runs {
		threads[runs[i].ID] = float64(runs[i].Threads)
	}
	found := map[string]course{}
	var id string
	var t, tps, running []float64
	done := func() {
		if _, wanted := threads[id]; wanted && len(t) > 0 {
			n := len(t)
			for n > 1 && running[n-1] < threads[id] {
				n--
			}
			found[id] = course{steady.Analyse(t[:n], tps[:n], steady.Options{}), t[n-1], n < len(t)}
		}
		t, tps, running = t[:0], tps[:0], running[:0]
	}
	err := data.Intervals(func(lines []datasets.Interval) error {
		for _, l := range lines {
			if l.RunID != id {
				done()
				id = l.RunID
			}
			t, tps, running = append(t, l.T), append(tps, l.TPS), append(running, l.Threads)
		}
		return nil
	})
	done()
	return found, err
}

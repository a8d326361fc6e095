package profile

import (
	"math"
	"slices"
	"strings"

	"noisefloor/analysis/compare"
)

// Waiting is what one run waited for.
type Waiting struct {
	compare.Run
	// Sessions is, by event, how many sessions waited for it on average: the
	// sum of their waits over the wall time, which are average active sessions.
	// NaN is an event that was waited for, nobody knows how long.
	Sessions map[string]float64
}

// Waits compares wait events of two arms in one stratum, each on the plain
// scale of sessions, so that they add up to the load. An event that a run does
// not name was not waited for.
func Waits(runs []Waiting, opt Options) Result {
	opt = opt.withDefaults()
	var res Result
	places := make([]*Run, len(runs))
	for i := range runs {
		places[i] = &Run{Run: runs[i].Run}
	}
	res.frame(places, opt)
	values := make([]compare.Run, len(runs))
	for _, event := range events(runs) {
		row := blank(event, Wait, Sessions)
		for i, r := range runs {
			values[i] = r.Run
			values[i].Value = r.Sessions[event]
		}
		row.fill(compare.Judge(values, opt.compare()), 0, func(v float64) float64 { return v })
		res.Rows = append(res.Rows, row)
	}
	res.sort()
	return res
}

func events(runs []Waiting) []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range runs {
		for name, v := range r.Sessions {
			if !seen[name] && !math.IsNaN(v) {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

package report

import (
	"slices"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/steady"
	"noisefloor/datasets"
)

// regrouped gives cells that are sorted otherwise than those of the comparison, a
// curve's or a series', with the values after the cut of their own strata, and for
// each cell what is to be said about it. Each level of a curve is a stratum. One
// curve, and one series, uses one kind of value: where a level has no cut, whole
// runs count at all levels.
func (r *Report) regrouped(in Input, courses *runCourses, design group.Design, x string, cells []group.Cell) ([]group.Cell, [][]analysis.Warning, error) {
	doubts := make([][]analysis.Warning, len(cells))
	if courses.keepWarmup || !courses.lined() {
		return cells, doubts, nil
	}
	levels, of := byLevel(x, cells)
	c := newCourses(design, levels)
	for i := range c.runs {
		s := &c.runs[i]
		s.Result = steady.Analyse(nil, nil, steady.Options{}) // no lines: too short to tell
		if k, known := courses.at[s.RunID]; known {
			s.Result, s.Metric, c.within[i] = courses.runs[k].Result, courses.runs[k].Metric, courses.within[k]
		}
	}
	c.cut(in)
	means, err := c.measure(in)
	if err != nil {
		return nil, nil, err
	}
	cut := c.cutCells(levels, means)
	if len(r.Parts) == 1 {
		r.SteadyStrata = c.strata
	}
	result := slices.Clone(cells)
	for i := range result {
		var own []int // its levels
		lacking := 0
		for k := range levels {
			if of[k] == i {
				own = append(own, k)
				if !c.counts(&cut[k], &levels[k]) {
					lacking++
				}
			}
		}
		switch {
		case lacking == 0:
			values := map[string]float64{}
			for _, k := range own {
				for j, id := range cut[k].RunIDs {
					values[id] = cut[k].Runs[j].Value
				}
			}
			result[i].Runs = slices.Clone(result[i].Runs)
			for j, id := range result[i].RunIDs {
				result[i].Runs[j].Value = values[id]
			}
		case lacking < len(own):
			doubts[i] = []analysis.Warning{analysis.CurveWholeRuns{X: x, Lacking: lacking, Of: len(own)}}
		default:
			doubts[i] = latest(cut, levels, own)
		}
	}
	return result, doubts, nil
}

// counts tells whether the values of a cell are those of the steady part: after a
// cut, or of whole runs that have nothing to cut.
func (c *runCourses) counts(cut, whole *group.Cell) bool {
	if len(whole.Runs) == 0 || &cut.Runs[0] != &whole.Runs[0] {
		return true
	}
	return c.strata[c.place[stratumWords(whole.Stratum)]].Cut == 0 && len(cut.Warnings) == len(whole.Warnings)
}

// latest are the doubts that cutting gave to some cells, of each kind the last.
func latest(cut, whole []group.Cell, own []int) []analysis.Warning {
	var list []analysis.Warning
	for _, k := range own {
		for _, w := range cut[k].Warnings[len(whole[k].Warnings):] {
			at := slices.IndexFunc(list, func(o analysis.Warning) bool { return o.Kind() == w.Kind() })
			if at < 0 {
				list = append(list, w)
			} else {
				list[at] = w
			}
		}
	}
	return list
}

// byLevel divides cells by the number that their curves are drawn against; of
// tells which cell each part is from. Cells of no curve stay whole.
func byLevel(x string, cells []group.Cell) (parts []group.Cell, of []int) {
	for i := range cells {
		c := &cells[i]
		if len(c.Xs) == 0 {
			parts, of = append(parts, *c), append(of, i)
			continue
		}
		for _, level := range slices.Compact(slices.Sorted(slices.Values(c.Xs))) {
			part := *c
			part.Stratum = append(slices.Clone(c.Stratum), group.Field{Name: x, Value: datasets.Float(level)})
			part.Runs, part.RunIDs, part.Xs = nil, nil, nil
			for j := range c.Runs {
				if c.Xs[j] == level {
					part.Runs, part.RunIDs = append(part.Runs, c.Runs[j]), append(part.RunIDs, c.RunIDs[j])
				}
			}
			parts, of = append(parts, part), append(of, i)
		}
	}
	return parts, of
}

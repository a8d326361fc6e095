package compare

import (
	"math"
	"slices"

	"noisefloor/analysis"
)

// conditional is the interval for one day alone, with launches as replicates:
// pooled if the arms have the same number of launches and every launch the
// same number of runs, else the wider of pooled and Welch. Welch alone has too
// little to go on with two launches an arm; pooled alone trusts that launches
// of few and of many runs vary alike (docs/calibration.md shows all three).
func (t *table) conditional(r *Result, d *day, widen float64) analysis.Warning {
	base, contender := d.arm[0].launches, d.arm[1].launches
	if base == nil || contender == nil {
		return analysis.LaunchUnknown{}
	}
	fewest := min(len(base), len(contender))
	if fewest < 2 {
		return analysis.LaunchAliased{Base: len(base), Contender: len(contender)}
	}
	tests := launchTests(base, contender)
	for i := range tests {
		if !(tests[i].SE > tooSmall*t.largest) {
			return nil // launches that agree to the last digit show no noise to judge by
		}
		tests[i].Widen = widen
	}
	lo, hi := widest(tests, r.Confidence)
	r.Conditional = &Conditional{Lo: r.fromWork(lo), Hi: r.fromWork(hi), Launches: fewest, Tests: tests}
	return analysis.OnlyThatDay{Day: d.name, Launches: fewest}
}

func launchTests(base, contender []launch) []Test {
	var m [2][]float64
	alike := len(base) == len(contender)
	for arm, ls := range [2][]launch{base, contender} {
		for _, l := range ls {
			m[arm] = append(m[arm], l.mean)
			alike = alike && l.runs == base[0].runs
		}
	}
	tests := []Test{Pooled(m[0], m[1])}
	if !alike {
		tests = append(tests, Welch(m[0], m[1]))
	}
	return tests
}

// widen is the step of the metric, on the working scale, if runs of one cell
// spread by less than half of it (or nobody knows by how much), else 0.
func (t *table) widen(grid float64) float64 {
	if grid == 0 || t.aggregate == MergedHistograms {
		return 0
	}
	step := math.Log(grid)
	if t.withinSD() >= step/2 {
		return 0
	}
	return step
}

// ruleOfThree: zero events in an exposure bound the rate by 3/exposure with
// 95 % confidence, as exp(-3) = .0498 (Hanley and Lippman-Hand 1983, JAMA 249,
// 1743-1745).
const ruleOfThree = 3

// boundZero bounds the rates of two arms that never counted anything. The
// interval of the difference keeps its level too: it can only miss on one
// side, and there one arm's rate is beyond that arm's bound.
func (r *Result) boundZero(exposure [2]float64, interval bool) analysis.Warning {
	w := analysis.AllZero{UpperBase: math.NaN(), UpperContender: math.NaN()}
	if exposure[0] > 0 && exposure[1] > 0 {
		w.UpperBase, w.UpperContender = ruleOfThree/exposure[0], ruleOfThree/exposure[1]
		if interval {
			scale := math.Log(1-r.Confidence) / math.Log(1-0.95)
			r.Lo, r.Hi = -w.UpperBase*scale, w.UpperContender*scale
			r.LoAdj, r.HiAdj = r.Lo, r.Hi
		}
	}
	return w
}

const (
	fewestAlike = 8     // days below which a resemblance of neighbours is nothing to see
	alikeBeyond = 2.326 // standard errors: 1 % of independent days are called alike
)

// daysAlike doubts daily differences of which neighbours resemble each other: the
// t test takes days as independent. It is von Neumann's ratio (1941, Ann. Math.
// Statist. 12, 367-395) as Young standardised it (1941, same volume, 293-300). Of
// false verdicts that come from differences with a correlation of .9 it catches
// a sixth in 10 days and two thirds in 20.
func (r rule) daysAlike() analysis.Warning {
	n := len(r.days)
	if r.method != DayDifferences || n < fewestAlike {
		return nil
	}
	d := differences(means(r.cells[0]), means(r.cells[1]))
	_, ss := meanAndSquares(d)
	var steps float64
	for i := range n - 1 {
		steps += square(d[i+1] - d[i])
	}
	correlation := 1 - steps/(2*ss)
	if !(correlation > alikeBeyond*math.Sqrt(float64(n-2)/float64(n*n-1))) { // NaN too
		return nil
	}
	return analysis.DaysAlike{Days: n, Correlation: correlation}
}

// wildBeyond is how many median absolute deviations from the median of its cell
// make a run worth a look: for normal noise 3.4 standard deviations.
const wildBeyond = 5

// wildRuns names runs far from the others of their arm and day. A cell of
// three can have a tiny deviation by accident, so the scale is the larger of
// the cell's own and that of all cells together, and at least one step of a
// grid.
func (t *table) wildRuns(grid float64) []analysis.WildRun {
	if t.notPositive > 0 {
		return nil
	}
	var cells []*cell
	var deviations [][]float64 // parallel to cells and their values
	var all []float64
	for _, d := range t.days {
		for _, c := range d.arm {
			if c == nil || len(c.values) < 3 { // of two runs neither is the odd one
				continue
			}
			dev := fromMedian(c.values)
			cells, deviations = append(cells, c), append(deviations, dev)
			sorted := slices.Clone(dev)
			slices.Sort(sorted)
			all = append(all, sorted[len(dev)%2:]...) // of an odd number one is the median, and says nothing of the spread
		}
	}
	if len(cells) == 0 {
		return nil
	}
	common := analysis.Median(all)
	if common == 0 && t.scale == Difference {
		return nil // of rates that are mostly zero any other value would be far
	}
	if grid > 1 {
		common = max(common, math.Log(grid))
	}
	var wild []analysis.WildRun
	for i, c := range cells {
		limit := max(wildBeyond*max(common, analysis.Median(deviations[i])), tooSmall*t.largest)
		for j, x := range deviations[i] {
			if x > limit {
				m := c.members[j]
				wild = append(wild, analysis.WildRun{ID: m.ID, Arm: armName(m.Arm), Day: m.Day, Value: m.Value})
			}
		}
	}
	return wild
}

// fromMedian are the absolute deviations from the median.
func fromMedian(x []float64) []float64 {
	m := analysis.Median(x)
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = math.Abs(v - m)
	}
	return d
}

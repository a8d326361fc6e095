package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"noisefloor/analysis/compare"
	"noisefloor/analysis/internal/power"
	"noisefloor/analysis/internal/truth"
)

// sdRun is the run-to-run SD of all simulations, 1 %: only ratios matter, as
// everything is done on logs.
const sdRun = 0.01

// gridStudy is the acceptance test of the default rule.
func gridStudy() *study {
	s := &study{
		title: "The default rule",
		text: "Arms share days; sd(day) and sd(day x arm) are in units of sd(run). *Answered* is the share of experiments with two shared days or more: " +
			"the others, where too many runs were lost, are no verdict of this rule and not counted in the other columns (*-* = none was left). " +
			"*False* is the share of verdicts without a true change, promised 5 (4.3 to 5.7 in every cell, 4.8 to 5.2 over all, wider by chance with few repetitions). " +
			"*Power* is at the change that the plan gives 80 % in the balanced design, *plan* what `plan` promises for the days and runs that were left, promised within 2. " +
			"*Coverage* of the 95 % interval is taken at that change. The order of runs plays no role here.",
		columns: []string{"answered", "false", "coverage", "power", "plan"},
		promise: gridPromise,
	}
	s.overDesigns([]int{1, 3, 5}, gridCell)
	return s
}

// overDesigns adds a cell for each design of the grid.
func (s *study) overDesigns(runs []int, simulate func(n truth.Nested, reps int, rng *rand.Rand) []share) {
	s.labels = []string{"days", "runs", "sd(day)", "sd(day x arm)", "missing"}
	for _, days := range []int{2, 3, 5, 10} {
		for _, runs := range runs {
			for _, day := range []float64{0, 1, 4} {
				for _, dayArm := range []float64{0, .5} {
					for _, missing := range []float64{0, .2} {
						n := truth.Nested{Days: days, Runs: runs, SDRun: sdRun, SDDay: day * sdRun, SDDayArm: dayArm * sdRun, Missing: missing}
						s.cells = append(s.cells, cell{
							labels:   []string{strconv.Itoa(days), strconv.Itoa(runs), number(day), number(dayArm), number(100*missing) + " %"},
							simulate: func(reps int, rng *rand.Rand) []share { return simulate(n, reps, rng) },
						})
					}
				}
			}
		}
	}
}

// Columns of the grid.
const (
	answered = iota
	falseRate
	coverage
	powerFound
	powerPlanned
	gridColumns
)

func gridCell(n truth.Nested, reps int, rng *rand.Rand) []share {
	found := make([]share, gridColumns)
	null := lab{truth: n, opt: compare.Options{Better: 1, IgnoreOrder: true}}
	df := float64(n.Days - 1)
	balanced := n.VarDifference([2]int{n.Runs, n.Runs}, [2]int{})
	alternative := null
	alternative.truth.Effect = power.Delta(df, .05, .8) * math.Sqrt(balanced/float64(n.Days))
	plans := map[[2]float64]float64{}
	for range reps {
		r := null.judge(rng)
		ok := r.Method == compare.DayDifferences
		found[answered].add(ok)
		if ok {
			found[falseRate].add(changed(r))
		}
		r = alternative.judge(rng)
		if r.Method != compare.DayDifferences {
			continue
		}
		effect := alternative.truth.Effect
		found[coverage].add(covers(r, effect))
		found[powerFound].add(changed(r))
		ncp := effect / realisedSE(n, alternative.drawn)
		key := [2]float64{r.DF, ncp}
		plan, known := plans[key]
		if !known {
			plan = power.Power(r.DF, ncp, .05)
			plans[key] = plan
		}
		found[powerPlanned].addValue(plan)
	}
	return found
}

// realisedSE is the true standard error of the estimate, given which runs
// exist: Var d_j = 2 sd_AD^2 + sd_e^2 (1/n_1j + 1/n_2j), over the shared days.
func realisedSE(n truth.Nested, runs []truth.Run) float64 {
	var counts [][2]int
	for i, r := range runs { // days come one after the other
		if i == 0 || r.Day != runs[i-1].Day {
			counts = append(counts, [2]int{})
		}
		counts[len(counts)-1][r.Arm]++
	}
	var sum float64
	shared := 0
	for _, c := range counts {
		if c[0] > 0 && c[1] > 0 {
			sum += n.VarDifference(c, [2]int{})
			shared++
		}
	}
	return math.Sqrt(sum) / float64(shared)
}

func gridPromise(s *study) (broken []string) {
	var sum, variance float64
	cells := 0
	for _, c := range s.cells {
		f := c.found
		if f[falseRate].n == 0 {
			continue
		}
		cells++
		sum += f[falseRate].value()
		variance += f[falseRate].sd(.05) * f[falseRate].sd(.05)
		if !f[falseRate].near(.05, .007) {
			broken = append(broken, fmt.Sprintf("%s: %v %% false verdicts", c.name(), f[falseRate]))
		}
		if !f[coverage].near(.95, .007) {
			broken = append(broken, fmt.Sprintf("%s: coverage %v %%", c.name(), f[coverage]))
		}
		if !f[powerFound].near(f[powerPlanned].value(), .02) {
			broken = append(broken, fmt.Sprintf("%s: power %v %%, planned %v %%", c.name(), f[powerFound], f[powerPlanned]))
		}
	}
	if mean := sum / float64(cells); !(math.Abs(mean-.05) <= max(.002, 4*math.Sqrt(variance)/float64(cells))) {
		broken = append(broken, fmt.Sprintf("%.2f %% false verdicts on average", 100*mean))
	}
	return broken
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

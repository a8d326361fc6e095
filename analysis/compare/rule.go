package compare

import (
	"math"
	"slices"

	"noisefloor/analysis"
)

// rule is what the design table says about a design: which cells count, and by
// which method, or why there is no verdict.
type rule struct {
	method string
	cells  [2][]*cell
	days   []*day // behind the cells if they are paired by day, else nil
	notes  []analysis.Warning
	// borrowed is the test of BorrowedNoise, but for its estimate.
	borrowed Test
}

// choose is the design table of METHODS.md section 3. Fewer than two shared
// days means the t test on day means, and one shared day among them only makes
// it more cautious. With unequal runs on two days an arm it is refused, shared
// day or not: pooled holds its level in some such designs but not in all
// (docs/calibration.md, "One shared day among days of their own").
func (t *table) choose(dayReason string) rule {
	shared := t.sharedDays()
	own := [2][]*cell{t.cells(0, true), t.cells(1, true)}
	n0, n1 := len(own[0]), len(own[1])
	var r rule
	switch {
	case len(shared) >= 2:
		r = onDays(DayDifferences, shared...)
	case n0 >= 2 && n0 == n1 && sameRuns(own):
		r = rule{method: DayMeansPooled, cells: own}
	case n0 >= 3 && n1 >= 3:
		r = rule{method: DayMeansPooledAndWelch, cells: own}
	default:
		return t.refuse(dayReason)
	}
	if u := t.unknownDay(); u != nil {
		r.notes = append(r.notes, analysis.RunsWithoutDay{Runs: runsIn(u.arm[:]...), Reason: dayReason})
	}
	if r.method != DayDifferences {
		r.notes = append(r.notes, t.checkSequence())
	}
	return r
}

// refuse says which row of the design table forbids a verdict, and which cells
// the bare observation comes from: a day that both arms have, else everything.
func (t *table) refuse(dayReason string) rule {
	shared := t.sharedDays()
	own := [2][]*cell{t.cells(0, true), t.cells(1, true)}
	unknown := t.unknownDay()
	var r rule
	switch {
	case len(shared) == 1:
		r = onDays(NoMethod, shared[0])
	case unknown != nil && unknown.shared():
		r = onDays(NoMethod, unknown)
	default:
		r = rule{method: NoMethod, cells: [2][]*cell{t.cells(0, false), t.cells(1, false)}}
	}
	remedy := t.remedy()
	var why analysis.Warning
	switch {
	case unknown != nil:
		all := append(t.cells(0, false), t.cells(1, false)...)
		why = analysis.DayUnknown{Runs: runsIn(unknown.arm[:]...), Of: runsIn(all...), Reason: dayReason, Remedy: remedy}
	case t.oneRunAnArm():
		why = analysis.OneRunAnArm{Remedy: remedy}
	case len(own[0]) >= 2 && len(own[1]) >= 2:
		why = analysis.UnevenDays{Base: len(own[0]), Contender: len(own[1]), Shared: len(shared), Remedy: remedy}
	case len(shared) == 1:
		why = analysis.OneSharedDay{Day: shared[0].name, Remedy: remedy}
	case len(own[0]) == 1 && len(own[1]) == 1:
		why = analysis.SeparateSingleDays{Base: own[0][0].day, Contender: own[1][0].day, Remedy: remedy}
	default:
		why = analysis.TooFewDays{Base: len(own[0]), Contender: len(own[1]), Remedy: remedy}
	}
	if unknown != nil && t.oneRunAnArm() { // both are true, and knowing the day would not help
		r.notes = append(r.notes, analysis.OneRunAnArm{Remedy: remedy})
	}
	r.notes = append(r.notes, why)
	return r
}

func onDays(method string, days ...*day) rule {
	r := rule{method: method, days: days}
	for _, d := range days {
		for arm, c := range d.arm {
			r.cells[arm] = append(r.cells[arm], c)
		}
	}
	return r
}

func (t *table) oneRunAnArm() bool {
	for arm := range 2 {
		for _, c := range t.cells(arm, false) {
			for _, n := range c.runs {
				if n > 1 {
					return false
				}
			}
		}
		if len(t.cells(arm, false)) > 1 {
			return false
		}
	}
	return true
}

// sameRuns tells whether every day of both arms has the same number of runs.
func sameRuns(own [2][]*cell) bool {
	for _, cs := range own {
		for _, c := range cs {
			if !slices.Equal(c.runs, own[0][0].runs) {
				return false
			}
		}
	}
	return true
}

func means(cs []*cell) []float64 {
	m := make([]float64, len(cs))
	for i, c := range cs {
		m[i] = c.mean
	}
	return m
}

// tests are the tests of the method; nil without one. A warning says why a
// method that was asked for by name has none.
func (t *table) tests(r rule) ([]Test, analysis.Warning) {
	if name := t.opt.Method; name != "" && r.method != NoMethod && r.method != BorrowedNoise {
		test, refusal := t.named(r, name)
		return []Test{test}, refusal
	}
	return r.tests(), nil
}

func (r rule) tests() []Test {
	base, contender := means(r.cells[0]), means(r.cells[1])
	switch r.method {
	case DayDifferences:
		return []Test{Paired(base, contender)}
	case DayMeansPooled:
		return []Test{Pooled(base, contender)}
	case DayMeansPooledAndWelch:
		return []Test{Pooled(base, contender), Welch(base, contender)}
	case BorrowedNoise:
		r.borrowed.Estimate = mean(contender) - mean(base)
		return []Test{r.borrowed}
	}
	return nil
}

// side describes an arm as far as it counts; its mean is on the working scale.
func (t *table) side(r rule, arm int) Side {
	cs := r.cells[arm]
	s := Side{Runs: runsIn(cs...), Days: len(cs), Launches: launchesIn(cs), Mean: mean(means(cs))}
	if u := t.unknownDay(); u != nil && slices.Contains(cs, u.arm[arm]) {
		s.Days = 0
	}
	return s
}

// dropped names the known days that the rule does not use.
func (t *table) dropped(r rule) []string {
	names := slices.Clone(t.lost) // in headlines
	for _, d := range t.days {
		for arm, c := range d.arm {
			if c != nil && d.name != "" && !slices.Contains(r.cells[arm], c) && !slices.Contains(names, d.name) {
				names = append(names, d.name)
			}
		}
	}
	return names
}

// remedy prices the smallest design that answers: 3 days x 3 runs an arm, if
// only the spread between runs counted. The day's own share is unknown here,
// so the true floor is higher.
func (t *table) remedy() analysis.Remedy {
	const days, runs = 3, 3
	se := t.withinSD() * math.Sqrt(2./runs/days/float64(t.strata))
	base := mean(means(t.cells(0, false)))
	return analysis.Remedy{AtBest: relative(t.scale, base, delta(days-1, floorLevel)*se)}
}

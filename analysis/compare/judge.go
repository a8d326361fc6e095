package compare

import (
	"math"
	"slices"

	"noisefloor/analysis"
)

// tooSmall is the spread of differences, relative to the values they are made
// of, below which it is rounding error: a hundred times that of a sum of a few
// hundred float64.
const tooSmall = 1e-12

// Judge answers for one metric in one stratum: is the contender different from
// the base? Runs may come in any order. The answer stands for this comparison
// alone; Adjust makes it one of a family.
func Judge(runs []Run, opt Options) Result {
	opt = opt.withDefaults()
	t := tabulate(runs, opt)
	var n notes
	if wild := t.wildRuns(opt.Grid); len(wild) > 0 {
		n.add(analysis.WildRuns{Runs: wild})
	}
	return t.judge(opt, n)
}

// notes collects what forbids a verdict apart from what only casts doubt.
type notes struct{ refusals, doubts []analysis.Warning }

func (n *notes) add(ws ...analysis.Warning) {
	for _, w := range ws {
		if _, ok := w.(analysis.Refusal); ok {
			n.refusals = append(n.refusals, w)
		} else if w != nil {
			n.doubts = append(n.doubts, w)
		}
	}
}

// judge gives the verdict on a table, of one stratum or of the mean of many.
func (t *table) judge(opt Options, n notes) Result {
	r := blank(opt)
	r.Design = t.design()
	t.observe(&r, opt, &n)
	r.Warnings = append(n.refusals, n.doubts...)
	r.decide(len(n.refusals) > 0)
	return r
}

// observe fills the numbers of a result, as many as the design supports.
func (t *table) observe(r *Result, opt Options, n *notes) {
	if t.notFinite > 0 {
		n.add(analysis.NotFinite{Runs: t.notFinite})
	}
	if opt.LeftOut[0] != opt.LeftOut[1] {
		n.add(analysis.LossesDiffer{Base: opt.LeftOut[0], Contender: opt.LeftOut[1]})
	}
	for arm, runs := range r.Design.Runs {
		if runs == 0 {
			n.add(analysis.MissingArm{Arm: armName(arm), Remedy: t.remedy()})
			return
		}
	}
	if t.notPositive > 0 {
		n.add(analysis.NotPositive{Runs: t.notPositive})
		return
	}

	rule := t.choose(opt.DayReason)
	if rule.method == NoMethod {
		var lacks analysis.Warning
		rule, lacks = t.borrow(rule, opt.Donor)
		n.add(lacks)
	}
	n.add(rule.notes...)
	r.Aggregate = t.aggregate
	r.Base, r.Contender = t.side(rule, 0), t.side(rule, 1)
	estimate := r.Contender.Mean - r.Base.Mean
	if math.IsNaN(estimate) || math.IsInf(estimate, 0) {
		n.add(analysis.TooLarge{})
		return
	}
	r.Estimate = r.fromWork(estimate)
	r.Base.Mean, r.Contender.Mean = r.fromWork(r.Base.Mean), r.fromWork(r.Contender.Mean)

	// What the design lacks, whatever the values.
	if !t.oneRunAnArm() || rule.method == BorrowedNoise { // one run each always is a block, and is refused for more than that
		n.add(checkOrder(rule.days, opt.IgnoreOrder)...)
	}
	if opt.Maximum {
		n.add(analysis.MaximumOfMany{})
	}
	if len(opt.Aliased) > 0 {
		n.add(analysis.AliasedConditions{Names: opt.Aliased})
	}
	r.Design.DroppedDays = t.dropped(rule)
	if len(r.Design.DroppedDays) > 0 {
		n.add(analysis.DaysDropped{Days: r.Design.DroppedDays})
	}
	widen := t.widen(opt.Grid)
	if rule.method == NoMethod && len(rule.days) == 1 && len(n.refusals) == 1 {
		// The one day is all that stands against it, not order or a condition.
		n.add(t.conditional(r, rule.days[0], widen))
	}
	if widen > 0 && (len(n.refusals) == 0 || r.Conditional != nil) {
		n.add(analysis.GridWidened{Step: opt.Grid - 1})
	}
	if t.allZero {
		n.add(r.boundZero(opt.Exposure, len(n.refusals) == 0))
	}
	if len(n.refusals) > 0 {
		return
	}
	switch have := min(r.Base.Days, r.Contender.Days); {
	case opt.Looks > 1 && have > mostLooks:
		n.add(analysis.ManyLooks{Days: have, Most: mostLooks})
	case opt.Looks <= 1 && opt.PlannedDays > 0 && have != opt.PlannedDays:
		n.add(analysis.PlannedDays{Have: have, Planned: opt.PlannedDays})
	}
	if t.atCeiling > 0 {
		n.add(analysis.AtCeiling{Runs: t.atCeiling, Ceiling: opt.Ceiling})
	}
	if t.allZero {
		return
	}

	// What the values lack.
	tests, few := t.tests(rule)
	if few != nil {
		n.add(few)
		return
	}
	for i := range tests {
		switch se := tests[i].SE; {
		case math.IsNaN(se) || math.IsInf(se, 0):
			n.add(analysis.TooLarge{})
			return
		case se <= tooSmall*t.largest:
			n.add(analysis.NoSpread{})
			return
		}
		tests[i].Widen = widen
	}
	n.add(rule.daysAlike())
	r.Method = rule.method
	if opt.Method != "" && rule.method != BorrowedNoise {
		r.Method = opt.Method
		r.Estimate = r.fromWork(tests[0].Estimate)
		n.add(analysis.MethodAsked{Method: opt.Method})
	}
	r.measure(tests)
}

// measure turns t tests into the numbers of a row that stands alone.
func (r *Result) measure(tests []Test) {
	r.Tests, r.Family = tests, 1
	lo, hi := widest(tests, r.Confidence)
	r.Lo, r.Hi = r.fromWork(lo), r.fromWork(hi)
	for i, t := range tests { // of several, the least favourable
		if p := t.P(); i == 0 || p > r.P {
			r.P, r.SE, r.DF = p, t.SE, t.DF
		}
		if r.Scale == Ratio {
			if p := t.pWithin(math.Log1p(r.Margin)); i == 0 || p > r.PEquiv {
				r.PEquiv = p
			}
		}
	}
	r.LoAdj, r.HiAdj = r.Lo, r.Hi
	r.PAdjusted, r.PEquivAdjusted = r.P, r.PEquiv
	r.NoiseFloor = r.noiseFloor()
}

// decide turns adjusted numbers into a verdict. NaN decides nothing, as every
// comparison with it is false.
func (r *Result) decide(refused bool) {
	r.Warnings = without(r.Warnings, analysis.AloneItWouldStand{}.Kind(), analysis.OneLookWouldStand{}.Kind(), analysis.NoBetterSide{}.Kind())
	r.ExceedsMargin, r.Settle = false, Settle{}
	if refused {
		r.Verdict = analysis.Unsupported
		return
	}
	nothing := 0. // no change, as Estimate counts
	if r.Scale == Ratio {
		nothing = 1
		r.ExceedsMargin = r.LoAdj > 1+r.Margin || r.HiAdj < 1/(1+r.Margin)
	}
	changed := r.PAdjusted < r.Level
	better := r.Estimate > nothing == (r.Better > 0)
	switch {
	case changed && r.Better != 0 && better:
		r.Verdict = analysis.Faster
	case changed && r.Better != 0:
		r.Verdict = analysis.Slower
	case r.PEquivAdjusted < r.Level:
		r.Verdict = analysis.Equivalent
	default:
		r.Verdict = analysis.Inconclusive
	}
	switch {
	case changed && r.Better == 0:
		r.Warnings = append(r.Warnings, analysis.NoBetterSide{Change: r.Estimate - nothing})
	case r.Verdict == analysis.Inconclusive:
		r.Settle = r.settle()
		switch {
		case r.P < r.Level:
			r.Warnings = append(r.Warnings, analysis.AloneItWouldStand{Family: r.Family})
		case r.Looks > 1 && r.P < 1-r.Confidence:
			r.Warnings = append(r.Warnings, analysis.OneLookWouldStand{})
		}
	}
}

// without gives the warnings of other kinds, in a slice of its own.
func without(ws []analysis.Warning, kinds ...string) []analysis.Warning {
	var kept []analysis.Warning
	for _, w := range ws {
		if !slices.Contains(kinds, w.Kind()) {
			kept = append(kept, w)
		}
	}
	return kept
}

package profile

import (
	"cmp"
	"math"
	"slices"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
)

// All is the row of everything that was sampled. Its share is 1, so that it
// only has a cost for each transaction.
const All = "[all]"

// Diff compares the symbols of two arms (Arm 0 and 1) in one stratum: their
// shares, and if all runs know their transactions, what they cost each. Rows
// stand alone until Adjust has seen them all.
func Diff(c *Collect, opt Options) Result {
	opt = opt.withDefaults()
	runs := c.usable()
	var res Result
	res.frame(runs, opt)
	if len(runs) == 0 {
		return res
	}
	j := judge{opt: opt, runs: runs, weights: res.weights(runs), places: make([]compare.Run, len(runs))}
	shares := scale{Share, newLogit(runs)}
	scales := []scale{shares}
	if !slices.ContainsFunc(runs, func(r *Run) bool { return !(r.Transactions > 0) }) {
		cost := scale{PerTransaction, newRate(runs)}
		scales = append(scales, cost)
		all := func(r *Run) float64 { return r.Weight }
		res.Rows = append(res.Rows, j.row(All, Total, cost, samplesOf(runs, all), all))
	}
	for s, symbol := range c.Symbols {
		inSelf := func(r *Run) float64 { return at(r.Self, s) }
		inTotal := func(r *Run) float64 { return at(r.Total, s) }
		self, total := samplesOf(runs, inSelf), samplesOf(runs, inTotal)
		if total < opt.MinSamples {
			res.Rare.Symbols++
			res.Rare.Share += self
			continue
		}
		leaf := !slices.ContainsFunc(runs, func(r *Run) bool { return inSelf(r) != inTotal(r) })
		whole := !slices.ContainsFunc(runs, func(r *Run) bool { return inTotal(r) < r.Weight*(1-1e-9) })
		for _, on := range scales {
			var first *Row
			if self >= opt.MinSamples && !(leaf && whole) {
				first = j.row(symbol, Self, on, self, inSelf)
				res.Rows = append(res.Rows, first)
			}
			switch {
			case whole: // 100 % in every run: says nothing that All does not
			case leaf && first != nil:
				twin := *first
				twin.Kind, twin.twin = Total, first
				res.Rows = append(res.Rows, &twin)
			default:
				res.Rows = append(res.Rows, j.row(symbol, Total, on, total, inTotal))
			}
		}
	}
	res.Rare.Below = opt.MinSamples
	res.Rare.Share /= samplesOf(runs, func(r *Run) float64 { return r.Weight })
	res.sort()
	return res
}

// samplesOf is the mean over runs of a weight, counted in samples.
func samplesOf(runs []*Run, weight func(*Run) float64) float64 {
	sum := 0.0
	for _, r := range runs {
		sum += weight(r) / r.Weight * r.Samples
	}
	return sum / float64(len(runs))
}

// frame asks the design table once, with values that say nothing: what is
// wrong with the design is wrong for every symbol.
func (res *Result) frame(runs []*Run, opt Options) {
	places := make([]compare.Run, len(runs))
	for i, r := range runs {
		places[i] = r.Run
		// Any values that never differ by the same: those would be refused.
		places[i].Value = math.Sin(float64(i*i + 1))
	}
	r := compare.Judge(places, opt.compare())
	res.Design, res.Method = r.Design, r.Method
	res.Runs = [2]int{r.Base.Runs, r.Contender.Runs}
	res.Days = [2]int{r.Base.Days, r.Contender.Days}
	for _, w := range r.Warnings {
		switch w.(type) {
		case analysis.WildRuns, analysis.NoSpread, analysis.NoBetterSide, analysis.AloneItWouldStand:
			// about the values
		default:
			res.Warnings = append(res.Warnings, unpriced(w))
		}
	}
}

// weights are those that make the estimate of a sum over the runs: each day the
// same, in it each launch, in it each run; of the base negative. A run that the
// design does not use has none.
func (res *Result) weights(runs []*Run) []float64 {
	uses := func(r *Run) bool { return r.Day != "" }
	switch shared := res.Design.SharedDays; {
	case res.Method == compare.DayDifferences, res.Method == compare.NoMethod && len(shared) == 1:
		uses = func(r *Run) bool { return slices.Contains(shared, r.Day) }
	case res.Method == compare.NoMethod:
		uses = func(r *Run) bool { return true }
	}
	type launch struct {
		arm         int
		day, launch string
	}
	type day struct {
		arm int
		day string
	}
	inLaunch, launches, days := map[launch]int{}, map[day]int{}, [2]int{}
	for _, r := range runs {
		if !uses(r) {
			continue
		}
		l, d := launch{r.Arm, r.Day, r.Launch}, day{r.Arm, r.Day}
		if inLaunch[l]++; inLaunch[l] == 1 {
			if launches[d]++; launches[d] == 1 {
				days[r.Arm]++
			}
		}
	}
	weights := make([]float64, len(runs))
	for i, r := range runs {
		if !uses(r) {
			continue
		}
		d := day{r.Arm, r.Day}
		weights[i] = 1 / float64(days[r.Arm]*launches[d]*inLaunch[launch{r.Arm, r.Day, r.Launch}])
		if r.Arm == 0 {
			weights[i] = -weights[i]
		}
	}
	return weights
}

// judge answers symbol by symbol.
type judge struct {
	opt     Options
	runs    []*Run
	weights []float64
	places  []compare.Run // scratch
}

func (j *judge) row(symbol string, kind Kind, on scale, samples float64, weight func(*Run) float64) *Row {
	row := blank(symbol, kind, on.name)
	row.Samples = samples
	share := 0.0
	for i, r := range j.runs {
		w := weight(r)
		share += w / r.Weight / float64(len(j.runs))
		j.places[i] = r.Run
		j.places[i].Value = on.to(r, w)
	}
	variance := 0.0
	for i, r := range j.runs {
		variance += j.weights[i] * j.weights[i] * on.variance(r, share)
	}
	row.fill(compare.Judge(j.places, j.opt.compare()), math.Sqrt(variance), on.from)
	if on.name == PerTransaction && row.Base > 0 {
		row.Ratio, row.RatioLo, row.RatioHi = row.Contender/row.Base, 1+row.Lo/row.Base, 1+row.Hi/row.Base
	}
	return row
}

// fill takes the answer on the working scale, with no standard error below the
// floor, back to the scale of the row.
func (row *Row) fill(r compare.Result, floor float64, from func(float64) float64) {
	row.Base, row.Contender = from(r.Base.Mean), from(r.Contender.Mean)
	row.Diff = row.Contender - row.Base
	// The bounds hold the base where it was seen: what is uncertain is the
	// difference.
	bound := func(d float64) float64 { return from(r.Base.Mean+d) - row.Base }
	if r.Verdict != analysis.Unsupported {
		row.Call = NotShown
	}
	row.level = r.Level
	if len(r.Tests) > 0 {
		p, lo, hi := raised(r.Tests, floor, r.Confidence)
		row.P, row.Lo, row.Hi, row.Tested = p, bound(lo), bound(hi), true
	}
	if c := r.Conditional; c != nil {
		p, lo, hi := raised(c.Tests, floor, r.Confidence)
		row.Conditional = &Conditional{Lo: bound(lo), Hi: bound(hi), P: p, Q: math.NaN(), Launches: c.Launches}
	}
	for _, w := range r.Warnings {
		if _, ok := w.(analysis.NoSpread); ok {
			row.Warnings = append(row.Warnings, w)
		}
	}
}

// raised lifts the standard errors of tests to the floor; of several tests the
// least favourable counts.
func raised(tests []compare.Test, floor, confidence float64) (p, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range tests {
		tests[i].SE = max(tests[i].SE, floor)
		l, h := tests[i].Interval(confidence)
		p, lo, hi = max(p, tests[i].P()), min(lo, l), max(hi, h)
	}
	return p, lo, hi
}

// Adjust gives every row its q: Benjamini and Hochberg (1995) over all rows of
// all the results, whichever strata, contenders, kinds and scales they come
// from, and calls those below the level. Rows that no design supports do not
// count; a symbol that calls nothing counts once. Adjusting again starts
// afresh.
func Adjust(results ...*Result) {
	var tested, conditional, twins []*Row
	for _, res := range results {
		for _, row := range res.Rows {
			switch {
			case row.twin != nil:
				twins = append(twins, row)
			case row.Tested:
				tested = append(tested, row)
			case row.Conditional != nil:
				conditional = append(conditional, row)
			}
		}
	}
	for i, q := range falseDiscovery(tested, func(r *Row) float64 { return r.P }) {
		tested[i].Q = q
		tested[i].decide()
	}
	for i, q := range falseDiscovery(conditional, func(r *Row) float64 { return r.Conditional.P }) {
		conditional[i].Conditional.Q = q
	}
	for _, row := range twins { // their Conditional is shared
		row.Q, row.Call = row.twin.Q, row.twin.Call
	}
}

func falseDiscovery(rows []*Row, p func(*Row) float64) []float64 {
	ps := make([]float64, len(rows))
	for i, r := range rows {
		ps[i] = p(r)
	}
	return compare.BenjaminiHochberg(ps)
}

func (row *Row) decide() {
	switch {
	case !(row.Q < row.level):
		row.Call = NotShown
	case row.Diff > 0:
		row.Call = Grew
	default:
		row.Call = Shrank
	}
}

// sort puts what was called first, then by the size of the difference; shares
// before the other scales.
func (res *Result) sort() {
	slices.SortStableFunc(res.Rows, func(a, b *Row) int {
		return cmp.Or(
			cmp.Compare(order(a.Scale), order(b.Scale)),
			cmp.Compare(math.Abs(b.Diff), math.Abs(a.Diff)),
			cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Kind, b.Kind))
	})
}

func order(s Scale) int { return slices.Index([]Scale{Share, PerTransaction, Sessions}, s) }

// unpriced takes out of a refusal what change another design would show: it was
// worked out from values that say nothing.
func unpriced(w analysis.Warning) analysis.Warning {
	none := analysis.Remedy{AtBest: math.NaN()}
	switch w := w.(type) {
	case analysis.MissingArm:
		w.Remedy = none
		return w
	case analysis.DayUnknown:
		w.Remedy = none
		return w
	case analysis.OneRunAnArm:
		w.Remedy = none
		return w
	case analysis.OneSharedDay:
		w.Remedy = none
		return w
	case analysis.SeparateSingleDays:
		w.Remedy = none
		return w
	case analysis.TooFewDays:
		w.Remedy = none
		return w
	case analysis.UnevenDays:
		w.Remedy = none
		return w
	}
	return w
}

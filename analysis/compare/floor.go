package compare

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/power"
)

const (
	floorLevel = 0.05 // the noise floor is a change seen with
	floorPower = 0.80 // this power at that level, by definition (DESIGN.md section 2)

	// settleQuantile: a plan that uses the observed SD is too small half the
	// time; its 80 % upper bound is the usual guard (Browne 1995, Statistics in
	// Medicine 14, 1933-1940).
	settleQuantile = 0.80
	// mostDays that a plan proposes; beyond that nobody follows it.
	mostDays = 100
)

// deltas keeps power.Delta, a root search, by (df, level): a page asks for the
// same few again and again.
var deltas sync.Map

// delta is the true difference, in standard errors, that a t test with df
// degrees of freedom detects with 80 % power. Fractions of a degree of freedom
// (Welch) are dropped, which errs on the high side.
func delta(df, level float64) float64 {
	type key struct{ df, level float64 }
	k := key{max(1, math.Floor(df)), level}
	if d, ok := deltas.Load(k); ok {
		return d.(float64)
	}
	d := power.Delta(k.df, level, floorPower)
	deltas.Store(k, d)
	return d
}

// noiseFloor is the change that these tests detect; its range is the chi-square
// interval of the standard error.
func (r *Result) noiseFloor() analysis.Estimate {
	e := analysis.Estimate{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Confidence: 0.95}
	var worst float64
	for _, t := range r.Tests {
		d := delta(t.DF, floorLevel)
		floor := d*t.SE + t.Widen
		if floor <= worst {
			continue
		}
		worst = floor
		chi := distuv.ChiSquared{K: t.DF}
		low := math.Sqrt(t.DF / chi.Quantile(0.975))
		high := math.Sqrt(t.DF / chi.Quantile(0.025))
		e.Value = r.relative(floor)
		e.Lo, e.Hi = r.relative(d*t.SE*low+t.Widen), r.relative(d*t.SE*high+t.Widen)
	}
	return e
}

// settle finds the fewest shared days, at the present number of runs a day,
// that detect the observed effect or the margin, whichever is larger, at the
// level that the family leaves to each. Where the present days already detect
// the margin, the observed effect is the open question. For arms on days of
// their own the spread of day means stands in as an upper bound.
func (r *Result) settle() Settle {
	if len(r.Tests) == 0 || r.Base.Days == 0 || r.Contender.Days == 0 {
		return Settle{}
	}
	goal := math.Abs(r.Tests[0].Estimate)
	floor := r.floors()
	days := 0
	if r.Scale == Ratio {
		days = daysToSee(max(goal, math.Log1p(r.Margin)), floor)
	}
	if days <= min(r.Base.Days, r.Contender.Days) {
		days = daysToSee(goal, floor)
	}
	if days == 0 {
		return Settle{}
	}
	effect := r.relative(floor(days))
	if math.IsNaN(effect) { // relative to a base of zero
		return Settle{}
	}
	present := float64(r.Base.Days + r.Contender.Days)
	runs := max(1, int(math.Round(float64(r.Base.Runs+r.Contender.Runs)/present)))
	return Settle{Days: days, RunsPerDay: runs, Effect: effect}
}

// daysToSee is the fewest days whose floor is at most goal; 0 = too many.
func daysToSee(goal float64, floor func(days int) float64) int {
	few, many := 2, mostDays // the floor falls with the days: search between
	if !(floor(many) <= goal) {
		return 0
	}
	for few < many {
		if middle := (few + many) / 2; floor(middle) <= goal {
			many = middle
		} else {
			few = middle + 1
		}
	}
	return few
}

// floors gives what so many shared days would detect, on the working scale,
// with the 80 % upper bound of the spread of a daily difference.
func (r *Result) floors() func(days int) float64 {
	level := r.Level / float64(max(1, r.Family))
	var sd, widen float64
	for _, t := range r.Tests {
		upper := math.Sqrt(t.DF / distuv.ChiSquared{K: t.DF}.Quantile(1-settleQuantile))
		perDay := t.SE * math.Sqrt(2/(1/float64(r.Base.Days)+1/float64(r.Contender.Days)))
		sd, widen = max(sd, perDay*upper), max(widen, t.Widen)
	}
	return func(days int) float64 {
		return delta(float64(days-1), level)*sd/math.Sqrt(float64(days)) + widen
	}
}

func (r *Result) relative(x float64) float64 { return relative(r.Scale, r.Base.Mean, x) }

// relative turns a difference on the working scale into a relative change; on
// the difference scale against the base mean, NaN if that is zero.
func relative(scale Scale, base, x float64) float64 {
	if scale == Ratio {
		return math.Expm1(x)
	}
	if base == 0 {
		return math.NaN()
	}
	return x / math.Abs(base)
}

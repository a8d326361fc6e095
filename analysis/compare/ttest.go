package compare

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Test is one t test of a difference on the working scale (logs, or the unit
// itself).
type Test struct {
	Estimate, SE, DF float64
	exact            exact   // nil: Student's t
	Widen            float64 // the metric's step, if that is coarser than its noise: the interval grows by it at both ends
}

// Paired is the t test of daily differences.
func Paired(base, contender []float64) Test {
	d := make([]float64, len(base))
	for i := range d {
		d[i] = contender[i] - base[i]
	}
	m, ss := meanAndSquares(d)
	n := float64(len(d))
	return Test{Estimate: m, SE: math.Sqrt(ss / (n - 1) / n), DF: n - 1}
}

// Pooled is Student's two-sample t test. With equal numbers it holds its level
// even if the variances differ somewhat.
func Pooled(base, contender []float64) Test {
	m0, ss0 := meanAndSquares(base)
	m1, ss1 := meanAndSquares(contender)
	n0, n1 := float64(len(base)), float64(len(contender))
	df := n0 + n1 - 2
	return Test{Estimate: m1 - m0, SE: math.Sqrt((ss0 + ss1) / df * (1/n0 + 1/n1)), DF: df}
}

// Welch is the two-sample t test with a variance of each arm's own: Welch
// (1947), Biometrika 34, 28-35; degrees of freedom as Satterthwaite (1946),
// Biometrics Bulletin 2, eq. 17.
func Welch(base, contender []float64) Test {
	m0, ss0 := meanAndSquares(base)
	m1, ss1 := meanAndSquares(contender)
	n0, n1 := float64(len(base)), float64(len(contender))
	v0, v1 := ss0/(n0-1)/n0, ss1/(n1-1)/n1
	df := (v0 + v1) * (v0 + v1) / (v0*v0/(n0-1) + v1*v1/(n1-1))
	return Test{Estimate: m1 - m0, SE: math.Sqrt(v0 + v1), DF: df}
}

// Interval is the two-sided interval at a confidence, 0.95 for 95 %.
func (t Test) Interval(confidence float64) (lo, hi float64) {
	if t.exact != nil {
		lo, hi = invert(t.exact, t.Estimate, t.SE, 1-confidence)
		return lo - t.Widen, hi + t.Widen
	}
	half := tQuantile(0.5+confidence/2, t.DF)*t.SE + t.Widen
	return t.Estimate - half, t.Estimate + half
}

// P is two-sided and agrees with Interval: with Widen it is the test that the
// true difference lies within one step of zero.
func (t Test) P() float64 {
	if t.exact != nil {
		if math.Abs(t.Estimate) <= t.Widen {
			return 1
		}
		return twoSided(t.exact, math.Copysign(t.Widen, t.Estimate))
	}
	return min(1, 2*t.upper((math.Abs(t.Estimate)-t.Widen)/t.SE))
}

// pWithin is the larger of the two one-sided p against a true difference
// outside -margin..margin: Schuirmann (1987), J. Pharmacokinet. Biopharm. 15,
// 657-680, "two one-sided tests". A margin below the step is never reached.
func (t Test) pWithin(margin float64) float64 {
	if t.exact != nil {
		return max(t.pAbove(-margin), t.pBelow(margin))
	}
	return t.upper((margin - math.Abs(t.Estimate) - t.Widen) / t.SE)
}

// pAbove is one-sided, against a true difference of bound or less.
func (t Test) pAbove(bound float64) float64 {
	if t.exact != nil {
		_, greater := t.exact.tails(bound + t.Widen)
		return greater
	}
	return t.upper((t.Estimate - t.Widen - bound) / t.SE)
}

// pBelow likewise, against one of bound or more.
func (t Test) pBelow(bound float64) float64 {
	if t.exact != nil {
		less, _ := t.exact.tails(bound - t.Widen)
		return less
	}
	return t.upper((bound - t.Estimate - t.Widen) / t.SE)
}

// upper is P(T > x).
func (t Test) upper(x float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: t.DF}.CDF(-x)
}

// tQuantile sharpens gonum's quantile, whose inverse beta function stops at
// about 1e-8, by Newton steps on its distribution function.
func tQuantile(p, df float64) float64 {
	dist := distuv.StudentsT{Sigma: 1, Nu: df}
	x := dist.Quantile(p)
	for range 2 {
		if step := (dist.CDF(x) - p) / dist.Prob(x); !math.IsNaN(step) && !math.IsInf(step, 0) {
			x -= step
		}
	}
	return x
}

// widest is the interval that holds those of all tests.
func widest(tests []Test, confidence float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, t := range tests {
		l, h := t.Interval(confidence)
		lo, hi = min(lo, l), max(hi, h)
	}
	return lo, hi
}

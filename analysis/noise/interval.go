package noise

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis"
)

// chiSquare bounds a variance estimated with df degrees of freedom by a
// chi-square, as Estimate of the variance: df v/chi2 at both ends.
func chiSquare(variance, df, confidence float64) analysis.Estimate {
	e := analysis.Estimate{Value: variance, Lo: math.NaN(), Hi: math.NaN(), Confidence: confidence}
	if df > 0 && variance > 0 {
		chi := distuv.ChiSquared{K: df}
		tail := (1 - confidence) / 2
		e.Lo, e.Hi = df*variance/chi.Quantile(1-tail), df*variance/chi.Quantile(tail)
	}
	return e
}

// MLS bounds the component (outer - inner)/outer.PerGroup of a balanced
// analysis of variance by the modified large sample method, cut off at 0
// (Graybill & Wang 1980 for sums; Ting, Burdick, Graybill, Jeyaratnam & Lu 1990
// for differences, as in Burdick & Graybill 1992, chapter 3, and in Montgomery,
// Design and Analysis of Experiments, eqs. 13.26 and 13.27, lower bound). Each
// bound is the large-sample one with coefficients G, H that make it exact when
// either mean square is 0, and a cross term that makes it exact where the
// bound itself is 0.
func MLS(outer, inner MeanSquare, confidence float64) analysis.Estimate {
	a, b := outer.MS(), inner.MS()
	k := outer.PerGroup
	e := analysis.Estimate{Value: (a - b) / k, Lo: math.NaN(), Hi: math.NaN(), Confidence: confidence}
	if outer.DF < 1 || inner.DF < 1 {
		return e
	}
	n1, n2 := float64(outer.DF), float64(inner.DF)
	tail := (1 - confidence) / 2
	chi1, chi2 := distuv.ChiSquared{K: n1}, distuv.ChiSquared{K: n2}
	f := distuv.F{D1: n1, D2: n2}
	g1, h1 := 1-n1/chi1.Quantile(1-tail), n1/chi1.Quantile(tail)-1
	g2, h2 := 1-n2/chi2.Quantile(1-tail), n2/chi2.Quantile(tail)-1
	upper, lower := f.Quantile(1-tail), f.Quantile(tail)
	g12 := (sq(upper-1) - sq(g1*upper) - sq(h2)) / upper
	h12 := (sq(1-lower) - sq(h1*lower) - sq(g2)) / lower
	vl := sq(g1*a) + sq(h2*b) + g12*a*b
	vu := sq(h1*a) + sq(g2*b) + h12*a*b
	e.Lo = max(0, (a-b-math.Sqrt(max(0, vl)))/k)
	e.Hi = max(0, (a-b+math.Sqrt(max(0, vu)))/k)
	return e
}

// Total is the sum of all variance components with Satterthwaite's (1946)
// interval: df = 2 total^2 / Var(total), the variance from the expected REML
// information, which in a balanced design is the one of the mean squares.
func Total(f Fit, confidence float64) (total analysis.Estimate, df float64) {
	ones := make([]float64, len(f.Var))
	for i := range ones {
		ones[i] = 1
	}
	cov, err := f.varCov()
	if err != nil {
		return chiSquare(dot(ones, f.Var), math.NaN(), confidence), math.NaN()
	}
	return combine(ones, f.Var, cov, confidence)
}

// combine is the same for any weighted sum of variances with covariance cov.
func combine(weight, variance, cov []float64, confidence float64) (analysis.Estimate, float64) {
	value := dot(weight, variance)
	df := 2 * sq(value) / quadratic(cov, weight)
	return chiSquare(value, df, confidence), df
}

func sq(x float64) float64 { return x * x }

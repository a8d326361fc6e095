// Package power says how large an effect must be, counted in standard errors,
// for a t test to see it.
//
// The noncentral t distribution is computed as what it is, T = (Z + ncp)/S with
// Z normal and S = sqrt(chi2/df): its distribution function is the mean of a
// smooth function over S, or over Z, and the plain trapezoid sum of such a mean
// converges exponentially (Trefethen & Weideman 2014). AS 243 (Lenth 1989),
// which gonum's distuv.NoncentralT follows, falls back to a two-digit
// approximation once exp(-ncp^2/2) underflows, at |ncp| = 38; a test with one
// degree of freedom at a level adjusted for many comparisons asks for more.
package power

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// CDF returns P(T <= t) for the noncentral t distribution with df degrees of
// freedom and noncentrality ncp, to about 1e-13 absolute. df may be +Inf.
func CDF(t, df, ncp float64) float64 {
	checkDF(df)
	if math.IsNaN(ncp) || math.IsInf(ncp, 0) {
		panic("power: ncp must be finite")
	}
	switch {
	case math.IsInf(df, 1):
		return phi(t - ncp)
	case math.Abs(ncp) > farthestZ && math.Abs(t) > math.Sqrt(2*df):
		return overZ(t, df, ncp)
	}
	return overS(t, df, ncp)
}

// Power returns the probability that a two-sided t test at level alpha
// rejects, when the effect is ncp standard errors.
func Power(df, ncp, alpha float64) float64 {
	crit := Critical(df, alpha)
	return CDF(-crit, df, ncp) + CDF(-crit, df, -ncp)
}

// Delta returns the effect, in standard errors, that a two-sided t test at
// level alpha detects with the given power: 16.3, 5.7, 3.8, 3.1 at 1, 2, 4, 9
// degrees of freedom for 80 % at 5 %. It is 0 if power <= alpha.
func Delta(df, alpha, power float64) float64 {
	checkLevel("power", power)
	checkLevel("alpha", alpha)
	if power <= alpha {
		return 0
	}
	surplus := func(ncp float64) float64 { return Power(df, ncp, alpha) - power }
	lo, hi := 0.0, 1+Critical(df, alpha)
	fLo, fHi := alpha-power, surplus(hi)
	for fHi < 0 {
		lo, fLo = hi, fHi
		hi *= 2
		fHi = surplus(hi)
	}
	// Regula falsi with the Illinois rule (Dowell & Jarratt 1971): an end that
	// stays twice counts half.
	side := 0
	for range 100 {
		mid := hi - fHi*(hi-lo)/(fHi-fLo)
		f := surplus(mid)
		switch {
		case math.Abs(f) <= 1e-13 || hi-lo <= 1e-13*hi:
			return mid
		case f < 0:
			lo, fLo = mid, f
			if side < 0 {
				fHi /= 2
			}
			side = -1
		default:
			hi, fHi = mid, f
			if side > 0 {
				fLo /= 2
			}
			side = 1
		}
	}
	return hi
}

// Critical returns the value that |T| exceeds with probability alpha under no
// effect. df may be +Inf.
func Critical(df, alpha float64) float64 {
	checkDF(df)
	checkLevel("alpha", alpha)
	// Above 1e8 degrees of freedom t and the normal agree to 1e-8, and the
	// incomplete beta function behind the t quantile loses digits.
	if df > 1e8 {
		return -distuv.UnitNormal.Quantile(alpha / 2)
	}
	return -distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(alpha / 2)
}

// overS is P(Z <= t S - ncp) as a mean over S. In u = log S the density is
// proportional to exp(-df (expm1(2u)/2 - u)) with its mode at 0, and falls off
// fast on both sides. Dividing by the sum of the weights replaces the gamma
// functions of the constant.
func overS(t, df, ncp float64) float64 {
	// exp(-40) = 4e-18 is nothing beside 1 in double precision.
	const negligible = 40
	// The sum must resolve the density (width 1/sqrt(2 df) in u, and a Fourier
	// transform that falls like exp(-pi w/4)) and the step of phi (width
	// 1/ncp): half a width leaves an error of exp(-39).
	h := min(0.125, 0.5/math.Sqrt(2*df), 0.5/(1+math.Abs(ncp)))
	total, weights := phi(t-ncp), 1.0
	for _, side := range [2]float64{-h, h} {
		for i := 1; ; i++ {
			u := side * float64(i)
			lost := df * (math.Expm1(2*u)/2 - u)
			if lost > negligible {
				break
			}
			w := math.Exp(-lost)
			total += w * phi(t*math.Exp(u)-ncp)
			weights += w
		}
	}
	return total / weights
}

// farthestZ is where the normal density, 1e-18, is nothing beside 1.
const farthestZ = 9

// overZ is P(S >= (Z + ncp)/t) as a mean over Z, for the effects far out that
// overS would need a very fine step for. The chi-square has its kink at
// Z = -ncp, out of reach, and its width in Z is at least 1.
func overZ(t, df, ncp float64) float64 {
	const h = 0.125
	var total, weights float64
	for z := -float64(farthestZ); z <= farthestZ; z += h {
		w := math.Exp(-z * z / 2)
		weights += w
		s := (z + ncp) / t
		x := df * s * s / 2
		switch {
		case t > 0 && s <= 0:
			total += w
		case t > 0:
			total += w * mathext.GammaIncRegComp(df/2, x)
		case s > 0:
			total += w * mathext.GammaIncReg(df/2, x)
		}
	}
	return total / weights
}

func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

func checkDF(df float64) {
	if !(df > 0) {
		panic("power: degrees of freedom must be positive")
	}
}

func checkLevel(name string, p float64) {
	if !(p > 0 && p < 1) {
		panic("power: " + name + " must lie between 0 and 1")
	}
}

package power

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g within %g", what, got, want, tol)
	}
}

func TestCDF(t *testing.T) {
	cdf := func(x, df, ncp, want float64) {
		t.Helper()
		near(t, "CDF", CDF(x, df, ncp), want, 2e-12)
	}
	// R 4.2.2 pt(x, df, ncp), noise/testdata/oracle.R.
	cdf(2, 1, 2, 3.67791415270476e-01)
	cdf(2, 5, 1.5, 6.31449247255621e-01)
	cdf(-1, 3, 1, 3.59765707612434e-02)
	cdf(0, 4, 2.5, 6.20966532577613e-03)
	cdf(12.706204736432, 1, 16, 2.09353353087388e-01)
	cdf(4.303, 2, 5.7, 1.94963638912603e-01)
	cdf(2.262, 9, 3.1, 2.12397216534781e-01)
	cdf(3, 200, 4, 1.6043866230206e-01)
	cdf(1.96, 1e6, 2.8, 2.00454282055245e-01)
	cdf(-3, 7, -2, 2.4274059736889e-01)
	cdf(40, 2, 30, 5.69827062956281e-01)
	// By hand: no noncentrality and one degree of freedom is Cauchy.
	cdf(1, 1, 0, 0.75)
	// By hand: infinite degrees of freedom are the normal.
	cdf(1, math.Inf(1), 1, 0.5)
}

// Beyond |ncp| = 38, where AS 243 gives up: both ways of integrating agree, the
// tails mirror each other, and one degree of freedom has the limit
// P(T <= t) = P(S >= ncp/t) with S half-normal.
func TestCDFFarOut(t *testing.T) {
	agree := func(x, df, ncp float64) {
		t.Helper()
		near(t, "over Z", overZ(x, df, ncp), overS(x, df, ncp), 1e-13)
		near(t, "mirrored", CDF(x, df, ncp), 1-CDF(-x, df, -ncp), 1e-13)
	}
	agree(90, 3, 80)
	agree(20, 1, 9.5)
	agree(12, 60, 10)
	agree(-30, 2, -50)
	agree(100, 7.5, 110)
	near(t, "opposite signs", CDF(50, 3, -40), 1, 0)
	near(t, "opposite signs", CDF(-50, 3, 40), 0, 1e-15)
	near(t, "CDF(2000,1,1000)", CDF(2000, 1, 1000), math.Erfc(0.5/math.Sqrt2), 1e-7)
}

func TestDelta(t *testing.T) {
	delta := func(df, want float64) {
		t.Helper()
		near(t, "Delta", Delta(df, 0.05, 0.8), want, 1e-10*want)
	}
	// R 4.2.2 uniroot on pt(ncp=), noise/testdata/oracle.R; METHODS: 16.3, 5.7, 3.8, 3.1.
	delta(1, 1.63340088698951e+01)
	delta(2, 5.65348926619226e+00)
	delta(4, 3.7610595538206e+00)
	delta(9, 3.14963288644955e+00)
	delta(19, 2.95358486981817e+00)
	delta(99, 2.82912632781371e+00)
	// By hand: z(.975) + z(.8), the other tail being 2e-6.
	near(t, "Delta at infinity", Delta(math.Inf(1), 0.05, 0.8), 1.959963984540054+0.8416212335729143, 2e-5)
	// An effect that the level alone detects.
	near(t, "Delta at power = alpha", Delta(3, 0.05, 0.05), 0, 0)
	near(t, "Delta just above", Delta(3, 0.05, math.Nextafter(0.05, 1)), 0, 1e-4)
}

func TestPowerTTest(t *testing.T) {
	// R 4.2.2 power.t.test(n=6, sd=.015, type="paired", strict=TRUE).
	se := 0.015 / math.Sqrt(6)
	near(t, "delta for 80 %", Delta(5, 0.05, 0.8)*se, 2.15181717306013e-02, 1e-12)
	near(t, "power at .02", Power(5, 0.02/se, 0.05), 7.42563397913945e-01, 1e-12)
	// No effect: the level itself.
	near(t, "power at 0", Power(5, 0, 0.05), 0.05, 1e-12)
	near(t, "power, effect of either sign", Power(5, -2, 0.05), Power(5, 2, 0.05), 1e-15)
}

func TestCritical(t *testing.T) {
	// R 4.2.2 qt(.975, df).
	near(t, "df 1", Critical(1, 0.05), 12.7062047361747, 1e-10)
	near(t, "df 9", Critical(9, 0.05), 2.2621571627982, 1e-10)
	near(t, "df infinite", Critical(math.Inf(1), 0.05), 1.959963984540054, 1e-12)
}

func TestProgrammersErrorsPanic(t *testing.T) {
	panics := func(what string, f func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s: no panic", what)
			}
		}()
		f()
	}
	panics("df 0", func() { Power(0, 1, 0.05) })
	panics("df NaN", func() { Power(math.NaN(), 1, 0.05) })
	panics("alpha 0", func() { Power(3, 1, 0) })
	panics("power 1", func() { Delta(3, 0.05, 1) })
	panics("ncp infinite", func() { CDF(1, 3, math.Inf(1)) })
}

func BenchmarkDelta(b *testing.B) {
	for b.Loop() {
		Delta(2, 0.05, 0.8)
	}
}

func BenchmarkDeltaAdjusted(b *testing.B) {
	for b.Loop() {
		Delta(1, 0.05/144, 0.8)
	}
}

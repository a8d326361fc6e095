package steady

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestMean(t *testing.T) {
	nan := math.NaN()
	check := func(name string, t0, y []float64, cut, mean, se, ess float64) {
		t.Helper()
		m, s, e := Mean(t0, y, cut)
		for _, v := range [][2]float64{{m, mean}, {s, se}, {e, ess}} {
			if !(math.Abs(v[0]-v[1]) <= 1e-12*math.Abs(v[1])) && !(math.IsNaN(v[0]) && math.IsNaN(v[1])) {
				t.Errorf("%s: mean %g, se %g, ess %g; want %g, %g, %g", name, m, s, e, mean, se, ess)
				return
			}
		}
	}
	check("nothing", nil, nil, 0, nan, nan, nan)
	check("all before the cut", []float64{1, 2}, []float64{5, 6}, 2, nan, nan, nan)
	check("one line", []float64{1, 2}, []float64{5, 6}, 1, 6, nan, 1)
	check("no cut known", []float64{1, 2}, []float64{5, 6}, nan, nan, nan, nan)
	check("all equal", []float64{1, 2, 3}, []float64{.1, .1, .1}, 0, .1, 0, 3)
	check("all zero", []float64{1, 2, 3}, []float64{0, 0, 0}, 0, 0, 0, 3)
	check("a line without a value", []float64{1, 2, 3, 4}, []float64{7, nan, 7, math.Inf(1)}, 0, 7, 0, 2)
}

// By hand: values 1 1 0 0 -1 -1 0 0 have autocovariances (divided by 8) of .5,
// .25 (lags 0, 1: products 1 0 0 0 1 0 0 = 2, 2/8); lags beyond 8/4 = 2 are not
// looked at. Without the correction the sum is 2 (.5 + .25) - .5 = 1.
func TestLongRunVarianceByHand(t *testing.T) {
	e := []float64{1, 1, 0, 0, -1, -1, 0, 0}
	slot := []int{0, 1, 2, 3, 4, 5, 6, 7}
	// Nothing fitted: no correction.
	if v, long := longRunVariance(e, slot, 0); v != 0.5 || long != 1 {
		t.Errorf("variance %g, long run %g; want .5, 1", v, long)
	}
	// One fitted: long run L over 8 goes back into lag 0, and 7/8 of it into lag 1.
	// Round 2: L = 1 gives .5 + 1/8 and .25 + 7/64, so 2 (.984375) - .625 = 1.34375.
	// Round 3: L = 1.34375 gives .66796875 and .39697265625, so 1.4619140625.
	if v, long := longRunVariance(e, slot, 1); v != .66796875 || long != 1.4619140625 {
		t.Errorf("variance %g, long run %.12g; want .66796875, 1.4619140625", v, long)
	}
	// With a hole of one slot in the middle, the pair 0, -1 across it is gone; its
	// product was 0.
	holed := []int{0, 1, 2, 3, 5, 6, 7, 8}
	if a := autocovarianceAt(e, holed, 1); a.sum != 2 || a.pairs != 6 {
		t.Errorf("lag 1 with a hole: %+v; want sum 2 of 6 pairs", a)
	}
	// Lag 2 over the hole: 0-2, 1-3, 3-5 (slot), 5-7, 6-8: products 0 0 0 0 0.
	if a := autocovarianceAt(e, holed, 2); a.sum != 0 || a.pairs != 5 {
		t.Errorf("lag 2 with a hole: %+v; want sum 0 of 5 pairs", a)
	}
}

// AR(1) noise has tau = (1+phi)/(1-phi).
func TestTau(t *testing.T) {
	for _, phi := range []float64{-0.5, 0, 0.3, 0.6, 0.9} {
		rng := rand.New(rand.NewPCG(8, 8))
		const n = 40_000
		y := addNoise(constant(n, 100), 1, phi, rng)
		_, se, ess := Mean(seconds(n), y, 0)
		want := max(1, (1+phi)/(1-phi)) // never better than independent
		if tau := n / ess; math.Abs(tau/want-1) > 0.1 {
			t.Errorf("phi %.1f: tau %.2f, want %.2f", phi, tau, want)
		}
		if sd := se * math.Sqrt(n/want); math.Abs(sd-1) > 0.1 {
			t.Errorf("phi %.1f: the standard error says an sd of %.3f, want 1", phi, sd)
		}
	}
}

// The interval mean +- t(ess-1) se holds the truth about as often as it says.
func TestCoverage(t *testing.T) {
	const reps = 1000
	// 5000 runs at n 60: 96.8 94.9 93.4 86.9 %; 300: 96.4 95.3 94.9 93.5; 900: 95.7
	// 95.4 96.0 95.1. As if independent, phi 0.6: 66 %.
	bars := map[int][4]float64{60: {0.95, 0.93, 0.91, 0.84}, 300: {0.94, 0.935, 0.93, 0.91}}
	for _, n := range []int{60, 300} {
		for k, phi := range []float64{0, 0.3, 0.6, 0.9} {
			rng := rand.New(rand.NewPCG(9, uint64(k)))
			at := seconds(n)
			var covered, naive float64
			for range reps {
				y := addNoise(constant(n, 100), 1, phi, rng)
				mean, se, ess := Mean(at, y, 0)
				if math.Abs(mean-100) <= quantileT(ess-1)*se {
					covered++
				}
				if _, sd := meanSD(y); math.Abs(mean-100) <= 1.96*sd/math.Sqrt(float64(n)) {
					naive++
				}
			}
			t.Logf("n %d, phi %.1f: covers %.1f %%; as if independent %.1f %%", n, phi, 100*covered/reps, 100*naive/reps)
			if covered/reps < bars[n][k] {
				t.Errorf("n %d, phi %.1f: covers %.3f, want %.3f", n, phi, covered/reps, bars[n][k])
			}
		}
	}
}

func quantileT(df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: max(df, 0.5)}.Quantile(0.975)
}

// A trend is seen in noise without one no more often than the level says.
func TestTrendFalseAlarms(t *testing.T) {
	const reps = 1000
	// 5000 runs at n 20: 0.6 1.4 4.0 %; 60: 0.5 1.0 2.0; 300: 0.6 1.0 1.5; 900: 0.9 0.7
	// 1.1.
	bars := map[int][3]float64{20: {0.015, 0.03, 0.06}, 60: {0.015, 0.02, 0.035}, 300: {0.015, 0.02, 0.03}, 900: {0.02, 0.02, 0.025}}
	for _, n := range []int{20, 60, 300, 900} {
		slot := make([]int, n)
		for i := range slot {
			slot[i] = i
		}
		for k, phi := range []float64{0, 0.3, 0.6} {
			rng := rand.New(rand.NewPCG(10, uint64(k)))
			at := seconds(n)
			var alarms, seen float64
			for range reps {
				y := addNoise(constant(n, 100), 1, phi, rng)
				if fitLine(at, y, slot).p < trendLevel {
					alarms++
				}
				for i := range y { // 2 sd from one end to the other
					y[i] += 2 * float64(i) / float64(n-1)
				}
				if fitLine(at, y, slot).p < trendLevel {
					seen++
				}
			}
			t.Logf("n %d, phi %.1f: false alarms %.1f %%; sees 2 sd from end to end in %.0f %%", n, phi, 100*alarms/reps, 100*seen/reps)
			if alarms/reps > bars[n][k] {
				t.Errorf("n %d, phi %.1f: false alarms %.3f, want at most %.3f", n, phi, alarms/reps, bars[n][k])
			}
		}
	}
}

func TestFitLine(t *testing.T) {
	slot := []int{0, 1, 2, 3, 4, 5}
	check := func(name string, t0, y []float64, from, to float64, drifts bool) {
		t.Helper()
		l := fitLine(t0, y, slot[:len(y)])
		if math.Abs(l.from-from) > 1e-12 || math.Abs(l.to-to) > 1e-12 || l.drifts(0.01) != drifts {
			t.Errorf("%s: %+v, drifts %v; want from %g to %g, drifts %v", name, l, l.drifts(0.01), from, to, drifts)
		}
	}
	six := []float64{1, 2, 3, 4, 5, 6}
	check("a straight line", six, []float64{10, 11, 12, 13, 14, 15}, 10, 15, true)
	check("a straight line within the margin", six, []float64{1000, 1001, 1002, 1003, 1004, 1005}, 1000, 1005, false)
	check("flat", six, []float64{3, 3, 3, 3, 3, 3}, 3, 3, false)
	check("one time", []float64{2, 2, 2, 2, 2, 2}, six, 3.5, 3.5, false)
	check("two values", []float64{1, 2}, []float64{1, 9}, 5, 5, false)
	// By hand: slope of 0 1 0 1 0 1 on 1..6 is 1.5/17.5, about the mean .5.
	check("up and down", six, []float64{0, 1, 0, 1, 0, 1}, 0.5-2.5*1.5/17.5, 0.5+2.5*1.5/17.5, false)
}

// By hand: batches of 5 with means 0, 10, 10, ...: leaving out the first makes
// the sum of squares 0.
func TestMSER5(t *testing.T) {
	check := func(name string, y []float64, want int) {
		t.Helper()
		if got := mser5(y); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	check("one low batch", append(constant(5, 0), constant(45, 10)...), 5)
	check("equal", constant(50, 3), 0)
	check("too short for a batch", constant(4, 3), -1)
	check("a step in the second half", append(constant(60, 0), constant(40, 10)...), -1)
	check("a step in the first half", append(constant(40, 0), constant(60, 10)...), 40)
}

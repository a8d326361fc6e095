package history

import (
	"math"
	"math/rand/v2"
	"testing"

	"noisefloor/analysis/internal/truth"
)

// close compares to a relative error.
func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*max(1, math.Abs(b)) }

// The variance of a step is that of the sum it is defined by.
func TestStepVariance(t *testing.T) {
	for _, phi := range []float64{0, .3, .6, .95} {
		for _, n := range [][2]int{{1, 1}, {3, 40}, {25, 7}} {
			var want float64
			total := n[0] + n[1]
			weight := func(i int) float64 {
				if i < n[0] {
					return -1 / float64(n[0])
				}
				return 1 / float64(n[1])
			}
			for i := range total {
				for j := range total {
					want += weight(i) * weight(j) * math.Pow(phi, math.Abs(float64(i-j)))
				}
			}
			if got := stepVariance(float64(n[0]), float64(n[1]), float64(n[0]), float64(n[1]), phi); !near(got, want, 1e-9) {
				t.Errorf("phi %g, %v points: %g, want %g", phi, n, got, want)
			}
		}
	}
	if got := stepVariance(3, 4, 6, 2, 0); !near(got, 1./6+1./2, 1e-15) { // by hand
		t.Errorf("with weights: %g", got)
	}
}

// The spread from running sums is that of the residuals themselves.
func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 50
	y, w := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i], w[i] = rng.NormFloat64(), .5+rng.Float64()
	}
	at := []int{7, 8, 30}
	s := newSearch(y, w, 1, math.NaN(), 0)
	sp := s.spread(at)
	var rss, c0, c1 float64
	from := 0
	for _, to := range append(at, n) {
		var sw, m float64
		for i := from; i < to; i++ {
			sw, m = sw+w[i], m+w[i]*y[i]
		}
		m /= sw
		for i := from; i < to; i++ {
			rss += w[i] * (y[i] - m) * (y[i] - m)
			c0 += (y[i] - m) * (y[i] - m)
			if i > from {
				c1 += (y[i] - m) * (y[i-1] - m)
			}
		}
		from = to
	}
	if !near(sp.variance, rss/(n-4), 1e-10) || !near(sp.phi, max(0, c1/c0), 1e-10) || sp.df != n-4 {
		t.Errorf("variance %g, phi %g, df %g; want %g, %g, %d", sp.variance, sp.phi, sp.df, rss/(n-4), c1/c0, n-4)
	}
}

// By hand: 1 2 3 has the mean 2, residuals -1 0 1, c0 = 2, c1 = 0; with n = 3 no
// bias can be taken out. 1..10: c0 = 82.5, c1 = 57.75, r = .7, (10 r + 1)/6 =
// 1.33, at the bound. Half a standard error goes off both.
func TestNullPhi(t *testing.T) {
	check := func(want float64, y ...float64) {
		t.Helper()
		if got := nullPhi(y); !near(got, want, 1e-12) {
			t.Errorf("phi of %v = %g, want %g", y, got, want)
		}
	}
	check(mostPhi-.5/math.Sqrt(3), 1, 2, 3)
	check(mostPhi-.5/math.Sqrt(10), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	check(0, 4, 4, 4, 4)
	check(0, 1, -1, 1, -1, 1, -1, 1, -1)
}

// Of many series, the mean of the estimate is the truth less half a standard
// error, give or take what the bound at 0 adds.
func TestNullPhiIsUnbiased(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	y := make([]float64, 60)
	for _, phi := range []float64{.3, .6} {
		sum := 0.
		const reps = 4000
		for range reps {
			truth.Series{Points: len(y), Phi: phi}.Draw(y, rng)
			sum += nullPhi(y) / reps
		}
		if want := phi - .5/math.Sqrt(60); math.Abs(sum-want) > .02 {
			t.Errorf("mean estimate %.3f, truth %.1f", sum, phi)
		}
	}
}

func TestRoughNoiseIgnoresASteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	y := make([]float64, 5000)
	truth.Series{Points: len(y), Phi: .4, Steps: []truth.Step{{At: 1000, By: 5}, {At: 3000, By: -8}}}.Draw(y, rng)
	phi, variance := roughNoise(y)
	if math.Abs(phi-.4) > .06 || math.Abs(variance-1) > .1 {
		t.Errorf("phi %.3f, variance %.3f, truth .4 and 1", phi, variance)
	}
}

// What settle keeps at a threshold is what strongest says: something, exactly
// up to the maximal statistic.
func TestStrongestIsTheHighestThresholdThatKeepsAChange(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	y := make([]float64, 80)
	tried := 0
	for range 400 {
		truth.Series{Points: len(y), Phi: .5}.Draw(y, rng)
		s := newSearch(y, nil, leastPoints, math.NaN(), 0)
		if len(s.proposed) == 0 {
			continue
		}
		tried++
		m := s.strongest()
		for _, c := range []struct {
			limit float64
			keeps bool
		}{{m, true}, {math.Nextafter(m, 0), true}, {math.Nextafter(m, math.Inf(1)), false}} {
			at, _ := s.settle(func(stat float64) bool { return stat >= c.limit }, 0)
			if (len(at) > 0) != c.keeps {
				t.Fatalf("at %g of %g: %d changes", c.limit, m, len(at))
			}
		}
	}
	if tried < 20 {
		t.Fatalf("%d series with proposals", tried)
	}
}

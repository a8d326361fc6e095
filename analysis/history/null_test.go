package history

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"noisefloor/analysis/internal/truth"
)

func TestTailIsMonotone(t *testing.T) {
	for _, n := range []int{10, 17, 100, 365, 5000, 1_000_000} {
		for _, phi := range []float64{0, .25, .6, .95} {
			for _, wild := range []float64{0, .02, .3} {
				tail := theNull.tail(n, phi, wild)
				if !slices.IsSorted(tail.quantiles) {
					t.Fatalf("n %d, phi %g: quantiles %v", n, phi, tail.quantiles)
				}
				last := 1.
				for stat := 0.; stat < 40; stat += .1 {
					p := tail.p(stat)
					if p > last || p <= 0 {
						t.Fatalf("n %d, phi %g: p(%g) = %g after %g", n, phi, stat, p, last)
					}
					last = p
				}
			}
		}
	}
}

func TestQuantileIsTheInverseOfP(t *testing.T) {
	tail := theNull.tail(80, .3, 0)
	for _, p := range []float64{.05, .02, .01, .003, .001, 1e-5} {
		if got := tail.p(tail.quantile(p)); !near(got, p, 1e-6) {
			t.Errorf("p of the quantile of %g is %g", p, got)
		}
	}
	if tail.p(math.Inf(1)) != leastP {
		t.Error("p is never 0")
	}
}

// Wild points make the test more careful, never less.
func TestWildPointsRaiseTheBar(t *testing.T) {
	for _, n := range []int{50, 300, 1000} {
		if tame, wild := theNull.tail(n, 0, 0).quantile(.01), theNull.tail(n, 0, .1).quantile(.01); !(wild > tame) {
			t.Errorf("%d points: %.2f without, %.2f with wild points", n, tame, wild)
		}
	}
}

// The table is what the code of today simulates.
func TestTableIsUpToDate(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	const reps = 3000
	for _, c := range []truth.Series{{Points: 20}, {Points: 100, Phi: .4}, {Points: 300, T3: true}} {
		kind := 0
		if c.T3 {
			kind = 1
		}
		i, j := slices.Index(theNull.points, float64(c.Points)), slices.Index(theNull.phis, c.Phi)
		for k, p := range theNull.probabilities {
			if p > .1 || p < .01 {
				continue
			}
			limit, over := theNull.cells[kind][i][j].quantiles[k], 0
			y := make([]float64, c.Points)
			for range reps {
				c.Draw(y, rng)
				if stat, _ := MaximalStatistic(y); stat > limit {
					over++
				}
			}
			share := float64(over) / reps
			// Four standard errors of this and of the table's own; a quantile of 0 is
			// exceeded by fewer.
			if se := math.Sqrt(p * (1 - p) * (1./reps + 1./6000)); share > p+4*se || limit > 0 && share < p-4*se {
				t.Errorf("%+v: %.4f exceed the quantile of %g (just history-null)", c, share, p)
			}
			break
		}
	}
}

// With replicates, the null of two points is a t test: half of all pairs differ
// by more than the median of |t|, 1 in 20 by more than its .975 quantile, where
// a change is proposed at all.
func TestReplicateTailOfTwoPointsIsT(t *testing.T) {
	tail := replicateTail([]float64{1, 1}, 1, 8, rand.New(rand.NewPCG(1, 1)))
	if got, want := tail.quantile(.05), 2.306; math.Abs(got-want) > .12 { // t table, 8 df
		t.Errorf("5 %% quantile %.3f, want %.3f", got, want)
	}
	if p := tail.p(1e9); p != 1./(replicateReps+1) {
		t.Errorf("p beyond all simulated is %g", p)
	}
}

func TestChiSquare(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, df := range []float64{3, 500} {
		var sum, squares float64
		const reps = 20000
		for range reps {
			x := chiSquare(df, rng)
			sum, squares = sum+x, squares+x*x
		}
		m := sum / reps
		if v := squares/reps - m*m; math.Abs(m/df-1) > .03 || math.Abs(v/(2*df)-1) > .06 {
			t.Errorf("df %g: mean %.2f, variance %.2f", df, m, v)
		}
	}
}

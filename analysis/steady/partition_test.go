package steady

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// bruteForce is optimal partitioning as its definition says: every last
// segment tried, nothing pruned, each cost from the values themselves. It
// returns the lowest total, and the total of the given ends.
func bruteForce(y []float64, penalty float64, ends []int) (lowest, given float64) {
	n := len(y)
	mean, sd := meanSD(y)
	grid := resolution(y) / sd
	cost := func(from, to int) float64 {
		var m, ss float64
		for _, v := range y[from:to] {
			m += (v - mean) / sd / float64(to-from)
		}
		for _, v := range y[from:to] {
			d := (v-mean)/sd - m
			ss += d * d
		}
		return float64(to-from) * math.Log(ss/float64(to-from)+grid*grid/12+1e-10)
	}
	best := make([]float64, n+1)
	for to := 1; to <= n; to++ {
		best[to] = math.Inf(1)
		for from := 0; from+minSegment <= to; from++ {
			before := best[from] + penalty
			if from == 0 {
				before = 0
			}
			best[to] = min(best[to], before+cost(from, to))
		}
	}
	given = penalty * float64(len(ends)-1)
	from := 0
	for _, to := range ends {
		given += cost(from, to)
		from = to
	}
	return best[n], given
}

func TestPartitionIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	changes := 0
	for round := range 400 {
		n := 10 + rng.IntN(90)
		y := make([]float64, n)
		level, sd := 0.0, 1.0
		for i := range y {
			if rng.IntN(12) == 0 {
				level, sd = 5*rng.NormFloat64(), math.Exp(rng.NormFloat64())
			}
			y[i] = level + sd*rng.NormFloat64()
			if round%3 == 0 {
				y[i] = math.Round(y[i]) // ties, and stretches without any variance
			}
		}
		if _, sd := meanSD(y); sd == 0 {
			continue
		}
		for _, penalty := range []float64{0.5, 4, penaltyPerLog * math.Log(float64(n))} {
			// Of two partitions that cost the same either is right.
			got := partition(y, penalty)
			if lowest, cost := bruteForce(y, penalty, got); cost > lowest+1e-6 {
				t.Fatalf("round %d, n %d, penalty %g: ends %v cost %g, brute force %g", round, n, penalty, got, cost, lowest)
			}
			changes += len(got) - 1
		}
	}
	if changes < 1000 {
		t.Fatalf("only %d changes in all: the comparison saw little", changes)
	}
}

func TestPartition(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	noise := func(n int, level, sd float64) []float64 {
		return addNoise(constant(n, level), sd, 0, rng)
	}
	same := func(name string, y []float64, want ...int) {
		t.Helper()
		if got := partition(y, penaltyPerLog*math.Log(float64(len(y)))); !slices.Equal(got, want) {
			t.Errorf("%s: ends %v, want %v", name, got, want)
		}
	}
	same("all equal", constant(100, 7), 100)
	same("a value less", []float64{0, .1, 0, .1, 9, 9.1, 9, 9.1, 9}, 9)
	same("the shortest that can be cut", []float64{0, .1, 0, .1, 0, 9, 9.1, 9, 9.1, 9}, 5, 10)
	same("a step without noise", append(constant(30, 1), constant(70, 2)...), 30, 100)
	same("a step of 20 sd", append(noise(30, 0, 1), noise(70, 20, 1)...), 30, 100)
	same("a step far from 0", append(noise(30, 1e6, 1), noise(70, 1e6+20, 1)...), 30, 100)
}

// A change of the variance alone is a change too.
func TestPartitionSeesVariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	y := append(addNoise(constant(100, 0), 1, 0, rng), addNoise(constant(100, 0), 5, 0, rng)...)
	ends := partition(y, penaltyPerLog*math.Log(200))
	if len(ends) != 2 || ends[0] < 90 || ends[0] > 110 {
		t.Errorf("ends %v, want one change near 100", ends)
	}
}

// Shift and scale change nothing about where the cuts are.
func TestPartitionShiftScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 50 {
		y := addNoise(bimodal(200, 25, rng), 0.03, 0.3, rng)
		want := partition(y, 20)
		for _, f := range [][2]float64{{0, 1e-9}, {0, 1e12}, {1000, 1}, {-3, 7.3}, {0, -1}} {
			z := make([]float64, len(y))
			for i, v := range y {
				z[i] = f[0] + f[1]*v
			}
			if got := partition(z, 20); !slices.Equal(got, want) {
				t.Errorf("%g + %g y: ends %v, want %v", f[0], f[1], got, want)
			}
		}
	}
}

func BenchmarkPartition2000(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 7))
	y := addNoise(constant(mostPoints, 1), 0.03, 0.3, rng)
	for b.Loop() {
		partition(y, penaltyPerLog*math.Log(mostPoints))
	}
}

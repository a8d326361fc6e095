package steady

import (
	"fmt"
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

// plain is optimal partitioning with the costs of partition, but with every start
// tried for every end.
func plain(y []float64, penalty float64) []int {
	n := len(y)
	cost, ok := newSegmentCost(y)
	if !ok || n < 2*minSegment {
		return []int{n}
	}
	best, previous := make([]float64, n+1), make([]int, n+1)
	best[0] = -penalty
	for now := minSegment; now <= n; now++ {
		at := previous[now-1]
		lowest := best[at] + cost.of(at, now)
		for start := range now - minSegment + 1 {
			if start > 0 && start < minSegment {
				continue
			}
			if value := best[start] + cost.of(start, now); value < lowest {
				lowest, at = value, start
			}
		}
		best[now], previous[now] = lowest+penalty, at
	}
	var ends []int
	for end := n; end > 0; end = previous[end] {
		ends = append(ends, end)
	}
	slices.Reverse(ends)
	return ends
}

// Nothing that is passed over changes a cut, in runs of all shapes, with and
// without spikes and rounding, at any price.
func TestPartitionEqualsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	flat, cut := 0, 0
	for _, s := range shapes {
		for round := range 24 {
			n := 10 + rng.IntN(390)
			y := addNoise(s.course(n, rng), []float64{0, 0.001, 0.03, 0.3}[rng.IntN(4)], 0.3*float64(rng.IntN(3)), rng)
			switch round % 4 {
			case 1:
				for i := range y {
					y[i] = math.Round(y[i]*50) / 50
				}
			case 2:
				y[rng.IntN(n)] *= 100
			}
			penalties := []float64{1, 10, 20, penaltyPerLog * math.Log(float64(n))}
			if cost, ok := newSegmentCost(y); ok && n >= 2*minSegment {
				// The lowest at which the run is taken for flat, where a bound too low would show.
				low, high := 0.0, 1e5
				for range 40 {
					if mid := (low + high) / 2; cost.isFlat(mid) {
						high = mid
					} else {
						low = mid
					}
				}
				penalties = append(penalties, high)
			}
			for _, penalty := range penalties {
				got, want := partition(y, penalty), plain(y, penalty)
				if !slices.Equal(got, want) {
					t.Fatalf("%s, round %d, n %d, penalty %g: ends %v, want %v", s.name, round, n, penalty, got, want)
				}
				if cost, ok := newSegmentCost(y); ok && cost.isFlat(penalty) {
					flat++
				} else if len(want) > 1 {
					cut++
				}
			}
		}
	}
	if flat < 300 || cut < 300 {
		t.Errorf("%d flat, %d cut: the comparison saw little", flat, cut)
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

// A flat run is known for flat at once; a step goes all the way.
func BenchmarkPartition(b *testing.B) {
	for _, n := range []int{60, 300, mostPoints} {
		for _, kind := range []string{"flat", "step"} {
			b.Run(fmt.Sprintf("%s-%d", kind, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(7, 7))
				var runs [20][]float64
				for i := range runs {
					runs[i] = addNoise(constant(n, 1), 0.03, 0.3, rng)
					for j := 0; kind == "step" && j < n/5; j++ {
						runs[i][j] -= 0.2
					}
				}
				for i := 0; b.Loop(); i++ {
					partition(runs[i%len(runs)], penaltyPerLog*math.Log(float64(n)))
				}
			})
		}
	}
}

package history

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// bruteForce is optimal partitioning without any pruning, by its definition.
func bruteForce(y, w []float64, least int, penalty float64) (changes []int, cost float64) {
	n := len(y)
	best, last := make([]float64, n+1), make([]int, n+1)
	best[0] = -penalty
	for t := 1; t <= n; t++ {
		best[t] = math.Inf(1)
		for s := 0; s <= t-least; s++ {
			var sw, m float64
			for i := s; i < t; i++ {
				sw += w[i]
				m += w[i] * y[i]
			}
			m /= sw
			c := 0.
			for i := s; i < t; i++ {
				c += w[i] * (y[i] - m) * (y[i] - m)
			}
			if v := best[s] + c + penalty; v < best[t] {
				best[t], last[t] = v, s
			}
		}
	}
	for t := last[n]; t > 0; t = last[t] {
		changes = append(changes, t)
	}
	slices.Sort(changes)
	return changes, best[n]
}

// The functional pruning loses nothing: the partition is the one that trying
// everything finds, at the same cost.
func TestPartitionIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for trial := range 400 {
		n := 2 + rng.IntN(60)
		least := 1 + rng.IntN(4)
		if n < least {
			continue
		}
		penalty := math.Exp(3 * rng.NormFloat64())
		y, w := make([]float64, n), make([]float64, n)
		level := 0.
		for i := range y {
			if rng.IntN(10) == 0 {
				level = 3 * rng.NormFloat64()
			}
			y[i], w[i] = level+rng.NormFloat64(), 1
			if trial%3 == 1 {
				w[i] = .2 + 3*rng.Float64()
			}
			if trial%5 == 1 { // ties
				y[i] = math.Round(y[i])
			}
		}
		p := newPartition(n, least, penalty, slices.Min(y), slices.Max(y))
		for i := range y {
			p.push(y[i], w[i])
		}
		_, want := bruteForce(y, w, least, penalty)
		if got := p.cost[n] - penalty; math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("trial %d, %d points, least %d, penalty %.3g: cost %.12g, want %.12g", trial, n, least, penalty, got, want)
		}
		from := 0
		for _, at := range append(p.changes(), n) {
			if at-from < least {
				t.Fatalf("trial %d: a segment of %d points, least %d", trial, at-from, least)
			}
			from = at
		}
	}
}

// The partitions of ruptures 1.1.10, Pelt(model="l2", min_size=m, jump=1), on the
// series of testdata/partition.py.
func TestPartitionAgreesWithRuptures(t *testing.T) {
	y := make([]float64, 120)
	for i := range y { // the same as in the script
		y[i] = math.Sin(float64(i*i)) + 2*float64(i/30%2) + float64(i/75)
	}
	for _, c := range []struct {
		least   int
		penalty float64
		want    []int
	}{
		{1, 5, []int{30, 60, 75, 90}},
		{1, 1, []int{21, 24, 30, 37, 43, 46, 49, 60, 62, 65, 68, 71, 75, 77, 78, 84, 90, 96, 106, 109, 112, 115}},
		{3, 2, []int{30, 60, 75, 84, 90}},
		{3, 8, []int{30, 60, 75, 90}},
	} {
		p := newPartition(len(y), c.least, c.penalty, slices.Min(y), slices.Max(y))
		for _, v := range y {
			p.push(v, 1)
		}
		if got := p.changes(); !slices.Equal(got, c.want) {
			t.Errorf("least %d, penalty %g: changes %v, want %v", c.least, c.penalty, got, c.want)
		}
	}
}

// Few candidates live, also where nothing changes: that is what makes it
// linear.
func TestPartitionPrunesWhereNothingChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 20000
	p := newPartition(n, leastPoints, 2*math.Log(n), -6, 6)
	most := 0
	for range n {
		p.push(rng.NormFloat64(), 1)
		most = max(most, len(p.pieces))
	}
	// Maidstone et al. (2017), figure 2: a few tens.
	if most > 100 {
		t.Errorf("%d pieces at once", most)
	}
}

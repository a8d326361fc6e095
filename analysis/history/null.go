package history

import (
	"math"
	"math/rand/v2"
	"slices"
)

// The null distribution of the maximal statistic: what search.strongest is in
// series without any change. null_table.go has its quantiles, simulated by
// analysis/internal/nullmax for series of n normal points with autocorrelation
// phi, and again with the heavy tails of t3; what lies between is interpolated.
// A table, and no simulation at each call, because it costs nothing and gives
// everyone the same p.

// nullTable is a grid over the number of points, phi and the tail.
type nullTable struct {
	points, phis  []float64
	probabilities []float64       // descending
	cells         [2][][]nullCell // by tail (normal, t3), points, phi
}

// nullCell is one cell of the simulation.
type nullCell struct {
	wild      float64   // mean share of points that tame pulls in
	quantiles []float64 // of the maximal statistic, exceeded with the probabilities
}

// tail is the null for one series: quantiles that are exceeded with the
// probabilities.
type tail struct {
	probabilities, quantiles []float64
	floor                    float64 // p is never smaller
}

// tail interpolates for n points, phi and the share of wild points.
func (t *nullTable) tail(n int, phi, wild float64) tail {
	if n < fewDifferences {
		n = min(n, lastShort) // proposals are made otherwise from fewDifferences on
	}
	i, f := bracket(t.points, float64(n), math.Log)
	j, g := bracket(t.phis, phi, func(x float64) float64 { return x })
	blend := func(kind int) nullCell {
		out := nullCell{quantiles: make([]float64, len(t.probabilities))}
		for _, c := range []struct {
			cell   nullCell
			weight float64
		}{
			{t.cells[kind][i][j], (1 - f) * (1 - g)}, {t.cells[kind][i][j+1], (1 - f) * g},
			{t.cells[kind][i+1][j], f * (1 - g)}, {t.cells[kind][i+1][j+1], f * g},
		} {
			out.wild += c.weight * c.cell.wild
			for k, q := range c.cell.quantiles {
				out.quantiles[k] += c.weight * q
			}
		}
		return out
	}
	normal, heavy := blend(0), blend(1)
	share := (wild - normal.wild) / (tailReach * (heavy.wild - normal.wild))
	share = min(max(0, share), mostTail)
	q := make([]float64, len(t.probabilities))
	for k := range q {
		// Heavy tails never make the test more lenient.
		q[k] = normal.quantiles[k] + share*max(0, heavy.quantiles[k]-normal.quantiles[k])
		if k > 0 { // simulated quantiles may be out of step
			q[k] = max(q[k], q[k-1])
		}
	}
	return tail{t.probabilities, q, leastP}
}

// lastShort is the last number of points in the table below fewDifferences.
const lastShort = 70

// A series shows more or fewer wild points than its noise has on average: half
// as many as t3 noise count as t3, and somewhat more than t3 is allowed for.
const (
	tailReach = .5
	mostTail  = 1.2
)

// bracket finds the cell of a grid that x lies in, and how far along it; beyond
// the last it stays at the last, below the first at the first.
func bracket(grid []float64, x float64, scale func(float64) float64) (i int, f float64) {
	i, _ = slices.BinarySearch(grid, x)
	i = min(max(i-1, 0), len(grid)-2)
	f = (scale(x) - scale(grid[i])) / (scale(grid[i+1]) - scale(grid[i]))
	return i, min(max(0, f), 1)
}

// p is the probability of a maximal statistic as large as this. Between
// quantiles its logarithm is linear in the statistic's square, as a normal tail
// nearly is, and beyond the last one goes on so.
func (t tail) p(stat float64) float64 {
	if math.IsInf(stat, 1) {
		return t.floor
	}
	n := len(t.quantiles)
	k := 0
	for k < n && t.quantiles[k] < stat {
		k++
	}
	if k == 0 {
		return 1 // the grid begins at one half; nobody asks for more
	}
	if k == n {
		k = n - 1
	}
	a, b := t.quantiles[k-1], t.quantiles[k]
	if b <= a {
		return t.probabilities[k-1]
	}
	f := (stat*stat - a*a) / (b*b - a*a)
	logP := math.Log(t.probabilities[k-1]) + f*(math.Log(t.probabilities[k])-math.Log(t.probabilities[k-1]))
	return max(math.Exp(logP), t.floor)
}

// leastP is what p never falls below: what the table says beyond its last
// quantile is an extrapolation, and says no more than "very small".
const leastP = 1e-9

// replicateReps is how many series the null of a few points with replicates is
// simulated with.
const replicateReps = 4999

// replicateTail simulates the null of the maximal statistic for a few points
// whose variances are known, but for a common factor, from replicates with df
// degrees of freedom.
func replicateTail(weights []float64, least int, df float64, rng *rand.Rand) tail {
	n := len(weights)
	stats := make([]float64, replicateReps)
	y := make([]float64, n)
	for r := range stats {
		for i, w := range weights {
			y[i] = rng.NormFloat64() / math.Sqrt(w)
		}
		stats[r] = newSearch(y, weights, least, chiSquare(df, rng)/df, 0).strongest()
	}
	slices.Sort(stats)
	// Quantiles at (k+1)/(B+1): the observed series is one of the B+1 (Davison &
	// Hinkley 1997, section 4.2.3).
	t := tail{floor: 1. / (replicateReps + 1)}
	for _, p := range append(slices.Clone(nullProbabilities), t.floor) {
		k := int(math.Round(p*(replicateReps+1))) - 1
		t.probabilities = append(t.probabilities, p)
		t.quantiles = append(t.quantiles, stats[replicateReps-1-k])
	}
	return t
}

// nullProbabilities are the levels of which quantiles are kept.
var nullProbabilities = []float64{.5, .3, .2, .15, .1, .07, .05, .035, .025, .015, .01, .005, .0025, .001}

// chiSquare draws a chi-square variable: squares of normals for a few degrees of
// freedom, Wilson & Hilferty (1931) for many.
func chiSquare(df float64, rng *rand.Rand) float64 {
	if df > 200 {
		c := 1 - 2/(9*df) + rng.NormFloat64()*math.Sqrt(2/(9*df))
		return df * c * c * c
	}
	sum := 0.
	for range int(math.Round(df)) {
		z := rng.NormFloat64()
		sum += z * z
	}
	return sum
}

// quantile is the statistic that is exceeded with probability p; 0 if fewer
// series than that have any change proposed.
func (t tail) quantile(p float64) float64 {
	n := len(t.quantiles)
	k := 0
	for k < n && t.probabilities[k] > p {
		k++
	}
	if k == 0 {
		return t.quantiles[0]
	}
	k = min(k, n-1)
	a, b := t.quantiles[k-1], t.quantiles[k]
	f := (math.Log(p) - math.Log(t.probabilities[k-1])) / (math.Log(t.probabilities[k]) - math.Log(t.probabilities[k-1]))
	return math.Sqrt(max(0, a*a+f*(b*b-a*a)))
}

// MaximalStatistic is the statistic whose null distribution is simulated, for a
// series that the noise is learnt from, and how many of its points are pulled in.
func MaximalStatistic(y []float64) (stat float64, pulled int) {
	z := slices.Clone(y)
	m := mean(z)
	for i := range z {
		z[i] -= m
	}
	z, pulled, _ = tame(z)
	return newSearch(z, nil, leastPoints, math.NaN(), 0).strongest(), pulled
}

// NullProbabilities are the levels that the table has quantiles of.
func NullProbabilities() []float64 { return slices.Clone(nullProbabilities) }

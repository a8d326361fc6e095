package history

import (
	"math"
	"slices"
)

// penaltyFactor is Schwarz's criterion for a change: a mean and a place are two
// more numbers, 2 sigma^2 log n (Yao 1988, "Estimating the number of
// change-points via Schwarz' criterion"), with the long-run variance for
// sigma^2 where neighbours are alike. It only proposes; the test decides.
const penaltyFactor = 2

// mostPhi bounds the autocorrelation: beyond it a series is a random walk, in
// which no level exists. The table of the null ends there.
const mostPhi = .95

// fewDifferences tell little of the autocorrelation: that around the best single
// step stands in for it where it is smaller. Those of more points tell a series
// that wanders from one with steps.
const fewDifferences = 100

// search looks for changes of the mean in one series.
type search struct {
	*partition
	n                int
	sum, square, lag []float64 // running sums of y, y^2 and y times its predecessor, unweighted
	variance         float64   // of a point of weight 1, if replicates tell it; else NaN
	floor            float64   // what the metric's resolution adds at least
	proposed         []int
}

// newSearch proposes changes: the best partition there is under the penalty. The
// values have a mean of about 0, the weights one of 1; nil is equal weights.
func newSearch(y, weights []float64, least int, variance, floor float64) *search {
	n := len(y)
	s := &search{n: n, variance: variance, floor: floor, lag: make([]float64, n+1)}
	longRun := max(variance, floor)
	if math.IsNaN(variance) {
		phi, v := roughNoise(y)
		if around := splitPhi(y); n < fewDifferences && around < phi {
			phi, v = around, v*(1-phi)/(1-around)
		}
		phi = max(0, phi-1/math.Sqrt(float64(n))) // a standard error less: proposals may be many, not few
		longRun = max(v, floor) * (1 + phi) / (1 - phi)
	}
	s.partition = newPartition(n, least, penaltyFactor*longRun*math.Log(float64(n)), slices.Min(y), slices.Max(y))
	w := 1.
	for t, v := range y {
		if weights != nil {
			w = weights[t]
		}
		s.push(v, w)
		if t > 0 {
			s.lag[t+1] = s.lag[t] + v*y[t-1]
		}
	}
	s.sum, s.square = s.first, s.second
	if weights != nil {
		s.sum, s.square = make([]float64, n+1), make([]float64, n+1)
		for t, v := range y {
			s.sum[t+1], s.square[t+1] = s.sum[t]+v, s.square[t]+v*v
		}
	}
	if longRun > 0 {
		s.proposed = s.changes()
	}
	return s
}

// roughNoise learns the autocorrelation and the variance of single points from
// differences of neighbours and of next neighbours, without the largest fifth
// of them, which is where steps are: E d1^2 = 2 s^2 (1 - phi), E d2^2 =
// 2 s^2 (1 - phi^2). Values that are mostly equal leave nothing; then all
// differences count, as if independent.
func roughNoise(y []float64) (phi, variance float64) {
	n := len(y)
	if n < 3 {
		return 0, 0
	}
	squares := make([]float64, n-1)
	all := 0.
	for i := range squares {
		d := y[i+1] - y[i]
		squares[i] = d * d
		all += d * d
	}
	one := trimmedMean(squares)
	if one == 0 {
		return 0, all / float64(n-1) / 2
	}
	squares = squares[:n-2]
	for i := range squares {
		d := y[i+2] - y[i]
		squares[i] = d * d
	}
	phi = min(max(0, trimmedMean(squares)/one-1), mostPhi)
	return phi, one / 2 / (1 - phi)
}

const (
	keptShare = .8 // of the squares
	// keptMean is the mean of the smallest 80 % of squared standard normals:
	// (.8 - 2 q phi(q))/.8 with q = 1.2816 the .9 quantile.
	keptMean = .4378
)

// trimmedMean is the mean of squares of normal values, learnt from the smaller
// ones. It reorders them.
func trimmedMean(squares []float64) float64 {
	kept := max(1, int(math.Ceil(keptShare*float64(len(squares)))))
	quickselect(squares, kept-1)
	sum := 0.
	for _, v := range squares[:kept] {
		sum += v
	}
	return sum / float64(kept) / keptMean
}

// nullPhi is the autocorrelation of the series if nothing changes in it, which
// is what the null is simulated with: a change makes it larger, and the test
// more careful. The lag-one coefficient r has the bias -(1 + 4 phi)/n (Kendall
// 1954, "Note on bias in the estimation of autocorrelation"). Since phi cannot be
// below 0 here, and a step adds to it, that alone makes the test too careful in
// short series (1 % false alarms at 20 points); half a standard error (1/sqrt n,
// Bartlett 1946) less holds the rate as well. Nor need it be more than a standard
// error above the autocorrelation around the best single step, which a large step
// leaves alone: that by itself would be too small (10 to 21 % false alarms), as the
// best step takes part of the wandering away. With it a step of two SDs in 20 points
// is found in 56 % instead of 40 %.
func nullPhi(y []float64) float64 {
	n := float64(len(y))
	mean := 0.
	for _, v := range y {
		mean += v / n
	}
	var c0, c1 float64
	for i, v := range y {
		c0 += (v - mean) * (v - mean)
		if i > 0 {
			c1 += (v - mean) * (y[i-1] - mean)
		}
	}
	if c0 == 0 {
		return 0
	}
	none := max(0, unbiased(c1/c0, n, 1)-.5/math.Sqrt(n))
	return min(none, splitPhi(y)+1/math.Sqrt(n))
}

// splitPhi is the autocorrelation around the two levels of the best single step.
func splitPhi(y []float64) float64 {
	n := len(y)
	total := 0.
	for _, v := range y {
		total += v
	}
	best, at, sum := -1., 0, 0.
	for k := 1; k < n; k++ {
		sum += y[k-1]
		if k < leastPoints || n-k < leastPoints {
			continue
		}
		d := sum/float64(k) - (total-sum)/float64(n-k)
		if gain := d * d * float64(k) * float64(n-k); gain > best {
			best, at = gain, k
		}
	}
	a, b := mean(y[:at]), mean(y[at:])
	var c0, c1, last float64
	for i, v := range y {
		m := b
		if i < at {
			m = a
		}
		c0 += (v - m) * (v - m)
		if i > 0 && i != at {
			c1 += (v - m) * last
		}
		last = v - m
	}
	if c0 == 0 {
		return 0
	}
	return unbiased(c1/c0, float64(n), 2)
}

// unbiased takes Kendall's bias out of a lag-one coefficient, for n points
// around so many fitted means.
func unbiased(r, n, means float64) float64 {
	if n <= 4*means+1 {
		return mostPhi
	}
	return min(max(0, (n*r+means)/(n-4*means)), mostPhi)
}

// spread is the noise of the points around the levels of a partition.
type spread struct {
	variance float64 // of a point of weight 1
	phi      float64 // as it is, for the statistic
	careful  float64 // phi less its bias, for intervals
	df       float64
}

func (s *search) spread(at []int) spread {
	if !math.IsNaN(s.variance) {
		return spread{variance: max(s.variance, s.floor)}
	}
	var weighted, c0, c1 float64
	from := 0
	for j := 0; j <= len(at); j++ {
		to := s.n
		if j < len(at) {
			to = at[j]
		}
		w, wy := s.weight[to]-s.weight[from], s.first[to]-s.first[from]
		m := wy / w
		weighted += s.second[to] - s.second[from] - m*wy
		n, sum := float64(to-from), s.sum[to]-s.sum[from]
		c0 += s.square[to] - s.square[from] - 2*m*sum + n*m*m
		pairs := s.lag[to] - s.lag[from+1]
		c1 += pairs - m*(s.sum[to]-s.sum[from+1]+s.sum[to-1]-s.sum[from]) + (n-1)*m*m
		from = to
	}
	n, means := float64(s.n), float64(len(at)+1)
	sp := spread{df: n - means}
	// Sums of squares below a rounding error of their terms are zero.
	if tiny := 1e-12 * s.square[s.n]; weighted > tiny && c0 > tiny {
		sp.variance = weighted / sp.df
		sp.phi = min(max(0, c1/c0), mostPhi)
		sp.careful = unbiased(c1/c0, n, means)
	}
	sp.variance = max(sp.variance, s.floor)
	return sp
}

// mean of the points from..to-1.
func (s *search) mean(from, to int) float64 {
	return (s.first[to] - s.first[from]) / (s.weight[to] - s.weight[from])
}

// difference is the step at b between the levels a..b-1 and b..c-1, and its
// standard error.
func (s *search) difference(a, b, c int, sp spread, phi float64) (step, se float64) {
	step = s.mean(b, c) - s.mean(a, b)
	w1, w2 := s.weight[b]-s.weight[a], s.weight[c]-s.weight[b]
	return step, math.Sqrt(sp.variance * stepVariance(float64(b-a), float64(c-b), w1, w2, phi))
}

// stepVariance is the variance of the difference of the means of n1 and the
// next n2 points of an AR(1) series of variance 1: with k lags,
// Var = (1 + 2 sum (1 - k/n) phi^k)/n and Cov = phi (1 - phi^n1)(1 - phi^n2) /
// ((1 - phi)^2 n1 n2) (Priestley 1981, section 5.3.2). The weights w1 and w2
// stand for n1 and n2 where points are known with unequal precision.
func stepVariance(n1, n2, w1, w2, phi float64) float64 {
	if phi == 0 {
		return 1/w1 + 1/w2
	}
	p1, p2, q := 1-math.Pow(phi, n1), 1-math.Pow(phi, n2), 1-phi
	inflation := func(n, p float64) float64 { return (1+phi)/q - 2*phi*p/(n*q*q) }
	return inflation(n1, p1)/w1 + inflation(n2, p2)/w2 - 2*phi*p1*p2/(q*q*w1*w2)
}

// statistics are the steps of a partition in standard errors, unsigned.
func (s *search) statistics(at []int, sp spread) []float64 {
	stats := make([]float64, len(at))
	a := 0
	for j, b := range at {
		c := s.n
		if j+1 < len(at) {
			c = at[j+1]
		}
		step, se := s.difference(a, b, c, sp, sp.phi)
		switch {
		case se > 0:
			stats[j] = math.Abs(step) / se
		case step != 0:
			stats[j] = math.Inf(1)
		}
		a = b
	}
	return stats
}

func least(stats []float64) int {
	k := 0
	for j := range stats {
		if stats[j] < stats[k] {
			k = j
		}
	}
	return k
}

// strongest is the maximal statistic whose null distribution the test needs:
// the highest threshold at which settle would keep a change. Settling at a
// threshold drops the weakest change until the weakest passes, so that is the
// largest, over its steps, of the weakest statistic.
func (s *search) strongest() float64 {
	best := 0.
	at := slices.Clone(s.proposed)
	for len(at) > 0 {
		stats := s.statistics(at, s.spread(at))
		k := least(stats)
		best = max(best, stats[k])
		at = slices.Delete(at, k, k+1)
	}
	return best
}

// settle drops the weakest of the proposed changes until all that are left
// pass: the test, and the smallest effect that is asked for.
func (s *search) settle(passes func(stat float64) bool, effect float64) (at []int, tooSmall int) {
	at = slices.Clone(s.proposed)
	for len(at) > 0 {
		stats := s.statistics(at, s.spread(at))
		if k := least(stats); !passes(stats[k]) {
			at = slices.Delete(at, k, k+1)
			continue
		}
		steps := make([]float64, len(at))
		a := 0
		for j, b := range at {
			c := s.n
			if j+1 < len(at) {
				c = at[j+1]
			}
			steps[j] = math.Abs(s.mean(b, c) - s.mean(a, b))
			a = b
		}
		k := least(steps)
		if steps[k] >= effect {
			return at, tooSmall
		}
		tooSmall++
		at = slices.Delete(at, k, k+1)
	}
	return nil, tooSmall
}

// placeLimit bounds the places where a change may as well be: those whose sum
// of squares is less than so many long-run variances above the best. For a small
// step the excess is the maximum of two independent exponential variables of
// mean 2 (Siegmund 1988, "Confidence sets in change-point problems"), and
// (1 - exp(-x/2))^2 = .95 at 7.352.
const placeLimit = 7.352

// places are the first points that the change at b, between a and c, could have
// as well.
func (s *search) places(a, b, c int, sp spread) (lo, hi int) {
	limit := placeLimit * sp.variance * (1 + sp.careful) / (1 - sp.careful)
	cost := func(k int) float64 { // less what does not depend on k
		d1, d2 := s.first[k]-s.first[a], s.first[c]-s.first[k]
		return -d1*d1/(s.weight[k]-s.weight[a]) - d2*d2/(s.weight[c]-s.weight[k])
	}
	best := cost(b)
	lo, hi = b, b
	for k := a + 1; k < c; k++ {
		if cost(k)-best <= limit {
			lo, hi = min(lo, k), max(hi, k)
		}
	}
	return lo, hi
}

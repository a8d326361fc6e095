package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis"
)

// exact is a test that counts arrangements instead of trusting a distribution.
type exact interface {
	// tails are the one-sided p values against a difference of shift: that the
	// true one is less, that it is greater.
	tails(shift float64) (less, greater float64)
	// smallest two-sided p that these data could give at all.
	smallest() float64
	// jumps are the shifts at which the tails change; nil = too many to list.
	jumps() []float64
}

// twoSided doubles the smaller tail, as R's wilcox.test does.
func twoSided(e exact, shift float64) float64 {
	less, greater := e.tails(shift)
	return min(1, 2*min(less, greater))
}

// invert is the interval of all differences that the test does not reject at the
// level: the tails are monotone in the shift, so each bound is found by bisection
// to the last digits. Infinite where no shift is rejected.
func invert(e exact, estimate, scale, level float64) (lo, hi float64) {
	if jumps := e.jumps(); jumps != nil {
		return invertAt(e, jumps, level)
	}
	bound := func(side float64) float64 {
		rejected := func(shift float64) bool {
			less, greater := e.tails(shift)
			if side < 0 {
				return greater < level/2
			}
			return less < level/2
		}
		in, out := estimate, estimate+side*scale
		for n := 0; !rejected(out); n++ {
			if n == 60 { // 2^60 times the spread: never
				return math.Inf(int(side))
			}
			out = estimate + 2*(out-estimate)
		}
		for range 50 { // to 2^-50 of the way: as many digits as the values have
			middle := in + (out-in)/2
			if middle == in || middle == out {
				break
			}
			if rejected(middle) {
				out = middle
			} else {
				in = middle
			}
		}
		return in
	}
	return bound(-1), bound(1)
}

// invertAt looks between the jumps only, where the tails are constant.
func invertAt(e exact, jumps []float64, level float64) (lo, hi float64) {
	slices.Sort(jumps)
	jumps = slices.Compact(jumps)
	n := len(jumps)
	between := func(i int) float64 { // a shift between jumps i-1 and i
		switch {
		case i == 0:
			return jumps[0] - 1
		case i == n:
			return jumps[n-1] + 1
		}
		return jumps[i-1] + (jumps[i]-jumps[i-1])/2
	}
	first := sort.Search(n+1, func(i int) bool { // not rejected from below
		_, greater := e.tails(between(i))
		return greater >= level/2
	})
	last := sort.Search(n+1, func(i int) bool { // rejected from above
		less, _ := e.tails(between(i))
		return less < level/2
	}) - 1
	lo, hi = math.Inf(-1), math.Inf(1)
	if first > 0 {
		lo = jumps[first-1]
	}
	if last < n {
		hi = jumps[last]
	}
	return lo, hi
}

// mostExact is the number of ranked values from which on the normal
// approximation takes over from counting; R does so at 50 an arm.
const mostExact = 50

// signedRank is Wilcoxon's (1945) test of daily differences: Biometrics Bulletin
// 1, 80-83. The estimate is the median of their pairwise means, Hodges and Lehmann
// (1963), Ann. Math. Statist. 34, 598-611. Ties get mean ranks and the exact
// distribution of these; zero differences are dropped.
func signedRank(base, contender []float64) Test {
	d := differences(base, contender)
	test := Paired(base, contender) // for the noise floor
	test.Estimate, test.exact = analysis.Median(signs(d).jumps()), signs(d)
	return test
}

// signs are differences to be ranked by size.
type signs []float64

func (d signs) tails(shift float64) (less, greater float64) {
	var size []float64
	var up []bool
	for _, x := range d {
		if x != shift {
			size, up = append(size, math.Abs(x-shift)), append(up, x > shift)
		}
	}
	ranks := doubleRanks(size)
	observed, most := 0, 0
	for i, r := range ranks {
		most += r
		if up[i] {
			observed += r
		}
	}
	if len(ranks) >= mostExact {
		var variance float64
		for _, r := range ranks {
			variance += float64(r) * float64(r) / 4
		}
		return normalTails(float64(observed), float64(most)/2, math.Sqrt(variance))
	}
	// How many of the 2^n signings give each sum.
	ways := make([]float64, most+1)
	ways[0] = 1
	for _, r := range ranks {
		for s := most; s >= r; s-- {
			ways[s] += ways[s-r]
		}
	}
	return countTails(ways, observed)
}

// jumps are the means of all pairs (Walsh averages).
func (d signs) jumps() []float64 {
	var walsh []float64
	for i := range d {
		for j := i; j < len(d); j++ {
			walsh = append(walsh, (d[i]+d[j])/2)
		}
	}
	return walsh
}

func (d signs) smallest() float64 { return math.Pow(2, 1-float64(len(d))) }

// rankSum is the test of Wilcoxon (1945) and of Mann and Whitney (1947), Ann.
// Math. Statist. 18, 50-60, on values of both arms; the estimate is the median of
// all differences (Hodges and Lehmann 1963).
func rankSum(base, contender []float64) Test {
	test := Welch(base, contender) // for the noise floor
	s := samples{base, contender}
	test.Estimate, test.exact = analysis.Median(s.jumps()), s
	return test
}

// samples are two arms to be ranked together.
type samples struct{ base, contender []float64 }

func (s samples) tails(shift float64) (less, greater float64) {
	n, m := len(s.base), len(s.contender)
	values := slices.Clone(s.base)
	for _, y := range s.contender {
		values = append(values, y-shift)
	}
	ranks := doubleRanks(values)
	observed, most := 0, 0
	for i, r := range ranks {
		most += r
		if i >= n {
			observed += r
		}
	}
	if n+m >= mostExact {
		// The variance with ties: that of drawing m of the ranks.
		centre := float64(most) * float64(m) / float64(n+m)
		var ss float64
		for _, r := range ranks {
			ss += square(float64(r) - float64(most)/float64(n+m))
		}
		return normalTails(float64(observed), centre, math.Sqrt(ss*float64(m)*float64(n)/float64(n+m)/float64(n+m-1)))
	}
	if tied(ranks) {
		return countTails(choices(ranks, m), observed)
	}
	return countTails(untied(n+m, m), observed)
}

// tied tells doubled ranks with ties by their squares, which a mean rank makes
// smaller.
func tied(ranks []int) bool {
	sum, n := 0, len(ranks)
	for _, r := range ranks {
		sum += r * r
	}
	return sum != 4*n*(n+1)*(2*n+1)/6
}

// choices counts, for each sum, how many choices of m of the ranks have it.
func choices(ranks []int, m int) []float64 {
	most := 0
	for _, r := range ranks {
		most += r
	}
	ways := make([][]float64, m+1)
	for k := range ways {
		ways[k] = make([]float64, most+1)
	}
	ways[0][0] = 1
	for i, r := range ranks {
		for k := min(i+1, m); k >= 1; k-- {
			for sum := most; sum >= r; sum-- {
				ways[k][sum] += ways[k-1][sum-r]
			}
		}
	}
	return ways[m]
}

// countedOnce holds the choices of untied, by their two numbers.
var countedOnce sync.Map

// untied is choices for the ranks of n values without ties, which are always the
// same: a bound is found by asking for them ten times, a simulation asks millions
// of times.
func untied(n, m int) []float64 {
	key := [2]int{n, m}
	if known, ok := countedOnce.Load(key); ok {
		return known.([]float64)
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = 2 * (i + 1)
	}
	ways := choices(ranks, m)
	countedOnce.Store(key, ways)
	return ways
}

func (s samples) jumps() []float64 {
	all := make([]float64, 0, len(s.base)*len(s.contender))
	for _, x := range s.base {
		for _, y := range s.contender {
			all = append(all, y-x)
		}
	}
	return all
}

func (s samples) smallest() float64 {
	return min(1, 2/binomial(len(s.base)+len(s.contender), len(s.base)))
}

func binomial(n, k int) float64 {
	b := 1.
	for i := range k {
		b = b * float64(n-i) / float64(i+1)
	}
	return b
}

// doubleRanks are twice the ranks, so that mean ranks of ties are whole.
func doubleRanks(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	ranks := make([]int, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = i + j + 1 // twice the mean of i+1..j
		}
		i = j
	}
	return ranks
}

func countTails(ways []float64, observed int) (less, greater float64) {
	var total float64
	for sum, w := range ways {
		total += w
		if sum <= observed {
			less += w
		}
		if sum >= observed {
			greater += w
		}
	}
	return less / total, greater / total
}

// normalTails has the continuity correction: half a rank, which is one here,
// where ranks are doubled.
func normalTails(observed, centre, sd float64) (less, greater float64) {
	if sd == 0 {
		return 1, 1
	}
	return distuv.UnitNormal.CDF((observed - centre + 1) / sd), distuv.UnitNormal.CDF((centre - observed + 1) / sd)
}

const (
	// mostArrangements is how many signings or relabellings are gone through one by one;
	// beyond that so many are drawn.
	mostArrangements = 1 << 14
	permutationSeed  = 0x9e3779b97f4a7c15 // second word of the generator, any constant
)

// arrangements are the sums that other signs or labels would have given: of
// values raw, and of how far each sum moves when the difference is shifted.
type arrangements struct {
	raw, moves   []float64
	own, ownMove float64
	least        float64
}

func (a arrangements) tails(shift float64) (less, greater float64) {
	observed := a.own - shift*a.ownMove
	// Sums of the same values in another order differ in the last digits.
	slack := 1e-12 * (math.Abs(a.own) + math.Abs(shift*a.ownMove))
	for i := range a.raw {
		sum := a.raw[i] - shift*a.moves[i]
		if sum <= observed+slack {
			less++
		}
		if sum >= observed-slack {
			greater++
		}
	}
	n := float64(len(a.raw))
	return less / n, greater / n
}

func (a arrangements) smallest() float64 { return a.least }

func (a arrangements) jumps() []float64 { return nil }

// signFlips is Fisher's (1935, The Design of Experiments, section 21) randomization
// test of daily differences: had the arms changed places on a day, its
// difference would have the other sign.
func signFlips(base, contender []float64, seed uint64) Test {
	d := differences(base, contender)
	test := Paired(base, contender)
	n := len(d)
	a := arrangements{ownMove: float64(n), least: math.Pow(2, 1-float64(n))}
	for _, x := range d {
		a.own += x
	}
	add := func(minus func(i int) bool) {
		var sum, moves float64
		for i, x := range d {
			if minus(i) {
				sum, moves = sum-x, moves-1
			} else {
				sum, moves = sum+x, moves+1
			}
		}
		a.raw, a.moves = append(a.raw, sum), append(a.moves, moves)
	}
	if n < 63 && 1<<n <= mostArrangements {
		for bits := range uint64(1) << n {
			add(func(i int) bool { return bits>>i&1 == 1 })
		}
	} else {
		rng := rand.New(rand.NewPCG(seed, permutationSeed))
		add(func(int) bool { return false }) // what was seen is one of them (Phipson and Smyth 2010)
		for range mostArrangements {
			add(func(int) bool { return rng.Uint64()&1 == 1 })
		}
	}
	test.exact = a
	return test
}

// relabelled is the permutation test of day means of arms on days of their own.
func relabelled(base, contender []float64, seed uint64) Test {
	test := Welch(base, contender)
	all := append(slices.Clone(base), contender...)
	n, m := len(base), len(contender)
	count := binomial(n+m, m)
	a := arrangements{ownMove: float64(m), least: min(1, 2/count)}
	for _, y := range contender {
		a.own += y
	}
	add := func(chosen []int) {
		var sum, moves float64
		for _, i := range chosen {
			sum += all[i]
			if i >= n {
				moves++
			}
		}
		a.raw, a.moves = append(a.raw, sum), append(a.moves, moves)
	}
	if count <= mostArrangements {
		chosen := make([]int, m)
		for i := range chosen {
			chosen[i] = i
		}
		for more := true; more; more = nextChoice(chosen, n+m) {
			add(chosen)
		}
	} else {
		rng := rand.New(rand.NewPCG(seed, permutationSeed))
		own := make([]int, m)
		for i := range own {
			own[i] = n + i
		}
		add(own)
		for range mostArrangements {
			add(rng.Perm(n + m)[:m])
		}
	}
	test.exact = a
	return test
}

// nextChoice steps to the next choice of len(chosen) out of n, in order; false
// after the last.
func nextChoice(chosen []int, n int) bool {
	m := len(chosen)
	for i := m - 1; i >= 0; i-- {
		if chosen[i] < n-m+i {
			chosen[i]++
			for j := i + 1; j < m; j++ {
				chosen[j] = chosen[j-1] + 1
			}
			return true
		}
	}
	return false
}

func differences(base, contender []float64) []float64 {
	d := make([]float64, len(base))
	for i := range d {
		d[i] = contender[i] - base[i]
	}
	return d
}

func square(x float64) float64 { return x * x }

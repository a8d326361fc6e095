package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Adjust makes the verdicts of a family (all strata and contenders of one
// metric) hold together: the chance of any false faster or slower stays at the
// level, and apart from it that of any false equivalent. Methods are "holm"
// (also ""), "bh" (the share of false ones among those called, instead) and
// "none". Rows that were not tested, because the design is unsupported or
// nothing was ever counted, do not count. The bounds LoAdj and HiAdj are
// Bonferroni's for either method, wider than Holm's p would need, as Holm has
// no simple interval. Adjusting again starts afresh.
func Adjust(family []*Result, method string) error {
	var correct func([]float64) []float64
	switch method {
	case "", "holm":
		correct = holm
	case "bh":
		correct = BenjaminiHochberg
	case "none":
		correct = slices.Clone[[]float64]
	default:
		return fmt.Errorf("compare: no adjustment called %q: holm, bh or none", method)
	}
	var tested []*Result
	var p, pEquiv []float64
	for _, r := range family {
		if len(r.Tests) > 0 {
			tested = append(tested, r)
			p, pEquiv = append(p, r.P), append(pEquiv, r.PEquiv)
		}
	}
	size := len(tested)
	if method == "none" {
		size = 1
	}
	p, pEquiv = correct(p), correct(pEquiv)
	for i, r := range tested {
		r.Family = size
		r.PAdjusted, r.PEquivAdjusted = p[i], pEquiv[i]
		lo, hi := widest(r.Tests, 1-(1-r.Confidence)/float64(size))
		r.LoAdj, r.HiAdj = r.fromWork(lo), r.fromWork(hi)
		r.decide(false)
	}
	return nil
}

// holm steps down: Holm (1979), Scand. J. Statist. 6, 65-70. NaN stay NaN but
// count, as somebody looked.
func holm(p []float64) []float64 {
	adjusted := slices.Clone(p)
	var running float64
	for rank, i := range ascending(p) {
		running = max(running, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = running
	}
	return adjusted
}

// BenjaminiHochberg steps up: Benjamini and Hochberg (1995), J. R. Statist.
// Soc. B 57, 289-300. What it gives are q-values: called below a level, that
// share of the calls is false at most, as expected. NaN stay NaN, as in holm.
func BenjaminiHochberg(p []float64) []float64 {
	adjusted := slices.Clone(p)
	running := 1.
	for rank, i := range slices.Backward(ascending(p)) {
		running = min(running, float64(len(p))/float64(rank+1)*p[i])
		adjusted[i] = running
	}
	return adjusted
}

// ascending gives the indices of the numbers in p, smallest first.
func ascending(p []float64) []int {
	var index []int
	for i, x := range p {
		if !math.IsNaN(x) {
			index = append(index, i)
		}
	}
	slices.SortStableFunc(index, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return index
}

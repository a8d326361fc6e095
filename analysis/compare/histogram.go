package compare

import (
	"cmp"
	"math"
	"slices"
)

// Histogram counts what one run measured, by bucket.
type Histogram struct {
	Centres []float32 // of the buckets, in log; positive, best ascending
	Counts  []uint32
}

// Quantile is a quantile of several histograms merged: the place inside its
// bucket is interpolated in log, as the buckets are equal there. Grid is the
// ratio of neighbouring centres. NaN if nothing was counted.
func Quantile(q, grid float64, hs ...*Histogram) float64 {
	var total float64
	hs = slices.Clone(hs)
	for k, h := range hs {
		for _, c := range h.Counts {
			total += float64(c)
		}
		if !slices.IsSorted(h.Centres) {
			hs[k] = h.sorted()
		}
	}
	rest := q * total
	next := make([]int, len(hs)) // bucket of each
	for {
		centre, more := float32(math.Inf(1)), false
		for k, h := range hs {
			if i := next[k]; i < len(h.Counts) {
				centre, more = min(centre, h.Centres[i]), true
			}
		}
		if !more {
			return math.NaN()
		}
		count := 0.
		for k, h := range hs {
			if i := next[k]; i < len(h.Counts) && h.Centres[i] == centre {
				count += float64(h.Counts[i])
				next[k]++
			}
		}
		if count > 0 && rest <= count {
			return float64(centre) * math.Pow(grid, rest/count-0.5)
		}
		rest -= count
	}
}

func (h *Histogram) sorted() *Histogram {
	order := make([]int, len(h.Counts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(h.Centres[a], h.Centres[b]) })
	s := &Histogram{}
	for _, i := range order {
		s.Centres, s.Counts = append(s.Centres, h.Centres[i]), append(s.Counts, h.Counts[i])
	}
	return s
}

// quantile is the log of a quantile of runs taken together.
func (t *table) quantile(members []Run) float64 {
	hs := make([]*Histogram, len(members))
	for i, r := range members {
		hs[i] = r.Histogram
	}
	return math.Log(Quantile(t.opt.Quantile, t.opt.Grid, hs...))
}

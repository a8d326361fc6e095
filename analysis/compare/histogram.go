package compare

import (
	"cmp"
	"math"
	"slices"
)

// Histogram counts what one run measured, by bucket.
type Histogram struct {
	Centres []float32 // of the buckets, in log; positive and ascending
	Counts  []uint32
}

// Quantile is a quantile of several histograms merged: the place inside its
// bucket is interpolated in log, as the buckets are equal there. Grid is the
// ratio of neighbouring centres. NaN if nothing was counted.
func Quantile(q, grid float64, hs ...*Histogram) float64 {
	type bucket struct {
		centre float32
		count  float64
	}
	var merged []bucket
	var total float64
	for _, h := range hs {
		for i, c := range h.Counts {
			merged = append(merged, bucket{h.Centres[i], float64(c)})
			total += float64(c)
		}
	}
	slices.SortFunc(merged, func(a, b bucket) int { return cmp.Compare(a.centre, b.centre) })
	rest := q * total
	for i := 0; i < len(merged); {
		centre, count := merged[i].centre, 0.
		for ; i < len(merged) && merged[i].centre == centre; i++ {
			count += merged[i].count
		}
		if count > 0 && rest <= count {
			return float64(centre) * math.Pow(grid, rest/count-0.5)
		}
		rest -= count
	}
	return math.NaN()
}

// quantile is the log of a quantile of runs taken together.
func (t *table) quantile(members []Run) float64 {
	hs := make([]*Histogram, len(members))
	for i, r := range members {
		hs[i] = r.Histogram
	}
	return math.Log(Quantile(t.opt.Quantile, t.opt.Grid, hs...))
}

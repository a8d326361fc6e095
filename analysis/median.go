package analysis

import (
	"math"
	"slices"
)

// Median of some numbers, which stay in their order; NaN of none.
func Median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	s := slices.Clone(x)
	slices.Sort(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

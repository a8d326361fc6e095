package history

import (
	"math"
	"slices"
)

const (
	// wildWindow is how many points, the point itself in the middle, say what is
	// usual around it. Three of five make the median, so three points in a row
	// are a level of their own and two are not: leastPoints follows from it.
	wildWindow = 5
	// leastPoints is the fewest points of a level whose noise is learnt from the
	// series itself.
	leastPoints = 3
	// wildLimit is how far, in robust SDs, a point may lie from the median of its
	// window before it is pulled in: 3 as in Hampel's identifier (Davies & Gather
	// 1993, "The identification of multiple outliers").
	wildLimit = 3
	// farOut is how many times as far a point lies that people are told of, and
	// that the median stands in for: of normal points one in thirty is beyond the
	// limit itself, as the median of five is so often the point in its middle.
	farOut = 2
	// madToSD makes the median absolute deviation an SD for normal values:
	// 1/Phi^-1(3/4).
	madToSD = 1.4826
)

// tame pulls wild points in to the limit, so that one bad night is no change.
// It tells how many it pulled in, and which were so far out that the median took
// their place. Values that are mostly equal have no robust
// spread, and nothing is pulled in.
func tame(y []float64) (tamed []float64, pulled int, wild []int) {
	tamed = slices.Clone(y)
	n := len(y)
	if n < wildWindow {
		return tamed, 0, nil
	}
	middle := func(i int) float64 {
		from := min(max(0, i-wildWindow/2), n-wildWindow)
		return medianOfFive(y[from], y[from+1], y[from+2], y[from+3], y[from+4])
	}
	off := make([]float64, n)
	for i := range y {
		off[i] = math.Abs(y[i] - middle(i))
	}
	limit := wildLimit * madToSD * median(off)
	if limit == 0 {
		return tamed, 0, nil
	}
	for i := range y {
		m := middle(i)
		switch d := y[i] - m; {
		case math.Abs(d) > farOut*limit:
			tamed[i] = m
			wild = append(wild, i)
			pulled++
		case math.Abs(d) > limit:
			tamed[i] = m + math.Copysign(limit, d)
			pulled++
		}
	}
	return tamed, pulled, wild
}

// medianOfFive needs six comparisons.
func medianOfFive(a, b, c, d, e float64) float64 {
	if a > b {
		a, b = b, a
	}
	if c > d {
		c, d = d, c
	}
	if a > c { // the smaller of a and c is below three others, so it is not the median
		b, c, d = d, a, b
	}
	if b > e {
		b, e = e, b
	}
	// The median is the second smallest of b <= e and c <= d.
	if b < c {
		return min(e, c)
	}
	return min(b, d)
}

// median reorders what it is given.
func median(v []float64) float64 {
	n := len(v)
	hi := quickselect(v, n/2)
	if n%2 == 1 {
		return hi
	}
	return (slices.Max(v[:n/2]) + hi) / 2
}

// quickselect puts the k-th smallest at its place and smaller ones before it
// (Hoare 1961, algorithm 65), with the median of three as pivot.
func quickselect(v []float64, k int) float64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		a, b, c := v[lo], v[(lo+hi)/2], v[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}

package scaling

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"noisefloor/analysis/internal/levmar"
)

// A band that holds the whole curve at once is wider than intervals that each
// hold one point. How much wider depends on how many ways the curve can bend: the
// factor is the quantile of the largest |t| along the curve, for days whose
// curves differ in scale and shape as the model says.

// bandDraws makes the factor exact to about one percent.
const bandDraws = 2000

// bend is how the log of a curve moves with each thing that differs from day to
// day: a direction is its values on the grid, one standard deviation long.
type bend [][]float64

// bends are the directions of a fit: its scale, by the spread of the days'
// scales, and its shape, by what least squares leaves of the cells.
func bends(f *fit, grid []float64, natural bool) bend {
	s := f.s
	days := len(s.days)
	up := make([]float64, len(grid))
	for g := range up {
		up[g] = deviation(f.logs)
	}
	directions := bend{up}

	// Only parameters that are free to move bend the curve.
	var free []int
	for _, r := range f.law.regions(s.logMeans(natural), false) {
		if r.holds(f.p) {
			for j, v := range f.p {
				if v > r.lo[j] && v < r.hi[j] {
					free = append(free, j)
				}
			}
			break
		}
	}
	m, n := len(s.y), len(free)
	df := m - days - n
	if n == 0 || df < 1 {
		return directions
	}
	jac := make([]float64, m*n)
	grads := make([][]float64, len(s.axis.levels))
	for k, x := range s.axis.levels {
		grads[k] = make([]float64, len(f.p))
		f.law.logShape(f.p, x, grads[k])
	}
	centre := make([]float64, n)
	for d := range s.days {
		from, to := s.start[d], s.start[d+1]
		for c, j := range free {
			var g float64
			for i := from; i < to; i++ {
				g += grads[s.level[i]][j]
			}
			g /= float64(to - from)
			centre[c] += g / float64(days)
			for i := from; i < to; i++ {
				jac[c*m+i] = grads[s.level[i]][j] - g
			}
		}
	}
	inverse, ok := levmar.Inverse(jac, m, n)
	if !ok {
		return directions
	}
	var ss float64
	if natural {
		for i, r := range f.residuals(true) {
			ss += sq(r / s.y[i])
		}
	} else {
		ss = f.rss
	}
	var root mat.Cholesky
	if !root.Factorize(mat.NewSymDense(n, inverse)) {
		return directions
	}
	var l mat.TriDense
	root.LTo(&l)
	perDay := math.Sqrt(ss / float64(df) * float64(days))
	grad := make([]float64, len(f.p))
	bent := make(bend, n)
	for c := range bent {
		bent[c] = make([]float64, len(grid))
	}
	for g, x := range grid {
		f.law.logShape(f.p, x, grad)
		for c := range bent {
			for b := c; b < n; b++ {
				bent[c][g] += perDay * (grad[free[b]] - centre[b]) * l.At(b, c)
			}
		}
	}
	return append(directions, bent...)
}

// deviation is the standard deviation of a sample.
func deviation(v []float64) float64 {
	m := mean(v)
	var ss float64
	for _, x := range v {
		ss += sq(x - m)
	}
	return math.Sqrt(ss / float64(len(v)-1))
}

// widen gives the factor of a simultaneous band over the grid from so many days:
// the quantile of max |mean / (sd/sqrt(days))| over the grid, when the days'
// curves are normal along the directions.
func widen(directions bend, days int, confidence float64, rng *rand.Rand) float64 {
	if days < 2 || len(directions) == 0 {
		return math.NaN()
	}
	return widenEach(directions, slices.Repeat([]int{days}, len(directions[0])), confidence, rng)[0]
}

// widenEach is widen where points rest on unequal numbers of days, two at least:
// all get the factor of one p, which the smallest p along the curve is below in as
// many cases as the band may fail.
func widenEach(directions bend, days []int, confidence float64, rng *rand.Rand) []float64 {
	kinds := slices.Compact(slices.Sorted(slices.Values(days)))
	draws := make([]float64, kinds[len(kinds)-1]*len(directions))
	largest := make([][]float64, len(kinds)) // |t| of each draw
	for k := range kinds {
		largest[k] = make([]float64, bandDraws)
	}
	for b := range bandDraws {
		for i := range draws {
			draws[i] = rng.NormFloat64()
		}
		for g, own := range days {
			var sum, squares float64
			for d := range own {
				var v float64
				for c, w := range draws[d*len(directions) : (d+1)*len(directions)] {
					v += w * directions[c][g]
				}
				sum += v
				squares += v * v
			}
			n := float64(own)
			if variance := (squares - sum*sum/n) / (n - 1); variance > 0 {
				k, _ := slices.BinarySearch(kinds, own)
				largest[k][b] = math.Max(largest[k][b], math.Abs(sum/n)/math.Sqrt(variance/n))
			}
		}
	}
	at := int(math.Ceil(confidence*bandDraws)) - 1
	factor := make([]float64, len(kinds))
	if len(kinds) == 1 {
		slices.Sort(largest[0])
		factor[0] = largest[0][at]
	} else {
		p := make([]float64, bandDraws)
		for b := range p {
			p[b] = 1
			for k, n := range kinds {
				p[b] = math.Min(p[b], 2*student(n).Survival(largest[k][b]))
			}
		}
		slices.Sort(p)
		for k, n := range kinds {
			factor[k] = student(n).Quantile(1 - p[bandDraws-1-at]/2)
		}
	}
	each := make([]float64, len(days))
	for g, own := range days {
		k, _ := slices.BinarySearch(kinds, own)
		each[g] = math.Max(factor[k], quantile(own, confidence))
	}
	return each
}

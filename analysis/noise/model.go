package noise

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Model is a linear mixed model: fixed effects, and one random intercept per
// group of each random term. Terms may be nested (any depth) or crossed.
type Model struct {
	Y      []float64
	X      []float64 // fixed design, row-major, len(X)/len(Y) columns; nil = one intercept
	Groups [][]int   // per random term, the group of each row; any numbering
}

var (
	// ErrNoSpread: every row is explained exactly by the fixed effects.
	ErrNoSpread = errors.New("noise: nothing varies beyond the fixed effects: all components are 0 and have no likelihood")
	// ErrNoResidual: the innermost groups hold equal rows, so the residual
	// variance is 0 and no ratio to it exists.
	ErrNoResidual = errors.New("noise: rows do not differ inside the innermost groups: take one row per group")
)

// problem is a model made ready for many evaluations: rows that share their
// fixed effects and all their groups are one cell, the fixed design is
// orthonormal, and y is centred and scaled. None of this changes the
// criterion by more than a known constant, and it is what makes values of
// 1e-9 or offsets of 1e12 harmless.
type problem struct {
	n, p  int
	cells int
	count []float64 // rows per cell
	w     []float64 // cells x (p+1): orthonormal X, then y as the cell's mean residual over scale
	group [][]int   // per term, the group 0..size-1 of each cell
	size  []int     // groups per term
	chain []int     // terms from the outermost in, if each is nested in the one before; else nil

	within float64   // sum of squares inside cells, over scale^2
	scale  float64   // 1 if nothing varies
	varies bool      // anything at all beyond the fixed effects
	base   []float64 // fixed effects already taken out of y, in the orthonormal basis
	r      []float64 // p x p upper triangle: X = Q R
	logR   float64   // log|det R|
}

func newProblem(m Model) (*problem, error) {
	n := len(m.Y)
	if m.X != nil && (n == 0 || len(m.X)%n != 0) {
		panic("noise: len(X) is not a multiple of len(Y)")
	}
	for _, g := range m.Groups {
		if len(g) != n {
			panic("noise: a random term needs one group per row")
		}
	}
	if n == 0 {
		return nil, errors.New("noise: no rows")
	}
	x := m.X
	if x == nil {
		x = slices.Repeat([]float64{1}, n)
	}
	for i, v := range m.Y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("noise: row %d is %v: leave rows without a value out", i, v)
		}
	}
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errors.New("noise: the fixed design has a value that is not finite")
		}
	}
	pr := &problem{n: n, p: len(x) / n}
	if n <= pr.p {
		return nil, fmt.Errorf("noise: %d rows cannot estimate %d fixed effects and a variance", n, pr.p)
	}
	groups := make([][]int, len(m.Groups))
	for t, g := range m.Groups {
		var size int
		groups[t], size = renumber(g)
		pr.size = append(pr.size, size)
	}
	pr.findChain(groups)
	pr.gather(m.Y, x, groups)
	if err := pr.orthonormalise(); err != nil {
		return nil, err
	}
	pr.centreAndScale()
	return pr, nil
}

// checkTerms refuses random terms that no data could estimate.
func (pr *problem) checkTerms() error {
	for t, size := range pr.size {
		if size < 2 {
			return fmt.Errorf("noise: random term %d has one group: it is the intercept", t)
		}
		if size == pr.n {
			return fmt.Errorf("noise: random term %d has one row per group: it is the residual", t)
		}
		for u := range t {
			if pr.size[u] == size && nested(pr.group[t], pr.group[u], size) {
				return fmt.Errorf("noise: random terms %d and %d are the same groups", u, t)
			}
		}
		// The part of the groups' indicators that the fixed effects leave over.
		q := make([]float64, size*pr.p)
		for i := range pr.cells {
			for j := range pr.p {
				q[pr.group[t][i]*pr.p+j] += pr.count[i] * pr.w[i*(pr.p+1)+j]
			}
		}
		left := float64(pr.n) - dot(q, q)
		if left < 1e-9*float64(pr.n) {
			return fmt.Errorf("noise: random term %d is aliased with the fixed effects", t)
		}
	}
	return nil
}

// renumber maps any group numbers to 0..size-1 in order of appearance.
func renumber(group []int) ([]int, int) {
	of := numbersOf(group)
	out := make([]int, len(group))
	size := 0
	for i, g := range group {
		k := of(g)
		if *k < 0 {
			*k = size
			size++
		}
		out[i] = *k
	}
	return out, size
}

// numbersOf gives room for a number per group, -1 at first: a slice where groups
// are numbered from about 0, as they mostly are, else a map.
func numbersOf(group []int) func(int) *int {
	least, most := 0, 0
	for _, g := range group {
		least, most = min(least, g), max(most, g)
	}
	if least == 0 && most < 8*len(group) {
		seen := slices.Repeat([]int{-1}, most+1)
		return func(g int) *int { return &seen[g] }
	}
	seen := make(map[int]*int, 16)
	return func(g int) *int {
		k := seen[g]
		if k == nil {
			k = new(int)
			*k = -1
			seen[g] = k
		}
		return k
	}
}

// nested says whether each inner group lies inside one outer group.
func nested(inner, outer []int, innerSize int) bool {
	parent := slices.Repeat([]int{-1}, innerSize)
	for i, g := range inner {
		if parent[g] < 0 {
			parent[g] = outer[i]
		} else if parent[g] != outer[i] {
			return false
		}
	}
	return true
}

func (pr *problem) findChain(groups [][]int) {
	chain := make([]int, len(groups))
	for t := range chain {
		chain[t] = t
	}
	slices.SortStableFunc(chain, func(a, b int) int { return pr.size[a] - pr.size[b] })
	for i := 1; i < len(chain); i++ {
		if !nested(groups[chain[i]], groups[chain[i-1]], pr.size[chain[i]]) {
			return
		}
	}
	pr.chain = chain
}

// gather turns rows into cells. Means and squares are taken about the first
// value of each cell, so that equal values give exactly 0 and a large common
// offset costs no digits (Chan, Golub & LeVeque 1983).
func (pr *problem) gather(y, x []float64, groups [][]int) {
	p := pr.p
	compare := func(a, b int) int {
		for _, g := range groups {
			if g[a] != g[b] {
				return g[a] - g[b]
			}
		}
		return slices.Compare(x[a*p:(a+1)*p], x[b*p:(b+1)*p])
	}
	order := pr.together(groups, compare)
	pr.group = make([][]int, len(groups))
	pr.w = make([]float64, 0, pr.n*(p+1))
	origin := y[0]
	for start := 0; start < pr.n; {
		end := start + 1
		for end < pr.n && compare(order[start], order[end]) == 0 {
			end++
		}
		i := order[start]
		mean, ss := meanAbout(y, order[start:end])
		pr.within += ss
		pr.count = append(pr.count, float64(end-start))
		pr.w = append(pr.w, x[i*p:(i+1)*p]...)
		pr.w = append(pr.w, (y[i]-origin)+mean)
		for t, g := range groups {
			pr.group[t] = append(pr.group[t], g[i])
		}
		start = end
	}
	pr.cells = len(pr.count)
	pr.base = []float64{origin} // orthonormalise gives it its place
}

// together orders the rows so that those of one cell are neighbours. The term with
// most groups nearly always tells the cells; where it does not, rows of a group
// are sorted.
func (pr *problem) together(groups [][]int, compare func(a, b int) int) []int {
	order := make([]int, pr.n)
	if len(groups) == 0 {
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, compare)
		return order
	}
	finest := 0
	for t, size := range pr.size {
		if size > pr.size[finest] {
			finest = t
		}
	}
	end := make([]int, pr.size[finest]+1) // where each group's rows begin, then end
	for _, g := range groups[finest] {
		end[g+1]++
	}
	for g := range pr.size[finest] {
		end[g+1] += end[g]
	}
	for i, g := range groups[finest] {
		order[end[g]] = i
		end[g]++
	}
	begin := 0
	for _, to := range end[:pr.size[finest]] {
		rows := order[begin:to]
		if slices.ContainsFunc(rows, func(i int) bool { return compare(rows[0], i) != 0 }) {
			slices.SortStableFunc(rows, compare)
		}
		begin = to
	}
	return order
}

// meanAbout returns the mean of y[rows] less the first of them, and the sum of
// squares about the mean.
func meanAbout(y []float64, rows []int) (mean, ss float64) {
	first := y[rows[0]]
	for _, r := range rows {
		mean += y[r] - first
	}
	mean /= float64(len(rows))
	var drift float64
	for _, r := range rows {
		d := (y[r] - first) - mean
		ss += d * d
		drift += d
	}
	return mean, max(0, ss-drift*drift/float64(len(rows)))
}

// orthonormalise replaces X by Q of X = Q R, by Gram-Schmidt with rows
// weighted by their counts. Each column is swept twice: "twice is enough"
// (Giraud, Langou, Rozloznik & van den Eshof 2005).
func (pr *problem) orthonormalise() error {
	p, s := pr.p, pr.p+1
	pr.r = make([]float64, p*p)
	for j := range p {
		length := math.Sqrt(pr.dotColumns(j, j))
		for range 2 {
			for k := range j {
				d := pr.dotColumns(k, j)
				pr.r[k*p+j] += d
				for i := range pr.cells {
					pr.w[i*s+j] -= d * pr.w[i*s+k]
				}
			}
		}
		left := math.Sqrt(pr.dotColumns(j, j))
		if !(left > 1e-10*length) {
			return fmt.Errorf("noise: column %d of the fixed design is a combination of the columns before it", j)
		}
		pr.r[j*p+j] = left
		pr.logR += math.Log(left)
		for i := range pr.cells {
			pr.w[i*s+j] /= left
		}
	}
	// The origin was subtracted from y; that is a fixed effect only if the
	// constant lies in the span of X. If it does not, put it back.
	origin := pr.base[0]
	pr.base = make([]float64, p)
	for j := range p {
		for i := range pr.cells {
			pr.base[j] += pr.count[i] * pr.w[i*s+j]
		}
	}
	span := true
	for i := range pr.cells {
		if math.Abs(dot(pr.base, pr.w[i*s:i*s+p])-1) > 1e-9 {
			span = false
		}
	}
	if !span {
		for i := range pr.cells {
			pr.w[i*s+p] += origin
		}
		origin = 0
	}
	for j := range pr.base {
		pr.base[j] *= origin
	}
	return nil
}

func (pr *problem) dotColumns(a, b int) float64 {
	var sum float64
	s := pr.p + 1
	for i, c := range pr.count {
		sum += c * pr.w[i*s+a] * pr.w[i*s+b]
	}
	return sum
}

// centreAndScale takes the least-squares fixed effects out of y and divides it
// by its root mean square, so that the cross-products that follow are of the
// order of 1 and cancel nothing.
func (pr *problem) centreAndScale() {
	p, s := pr.p, pr.p+1
	var largest float64
	for i := range pr.cells {
		largest = max(largest, math.Abs(pr.w[i*s+p]))
	}
	for range 2 { // the second sweep takes out the rounding of the first
		for j := range p {
			d := pr.dotColumns(j, p)
			pr.base[j] += d
			for i := range pr.cells {
				pr.w[i*s+p] -= d * pr.w[i*s+j]
			}
		}
	}
	rms := math.Sqrt((pr.dotColumns(p, p) + pr.within) / float64(pr.n-p))
	// Below a few rounding errors of the largest value there is no spread.
	pr.scale, pr.varies = 1, rms > 4*0x1p-52*largest
	if pr.varies {
		pr.scale = rms
	} else {
		pr.within = 0
	}
	for i := range pr.cells {
		if !pr.varies {
			pr.w[i*s+p] = 0
		}
		pr.w[i*s+p] /= pr.scale
	}
	pr.within /= pr.scale * pr.scale
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

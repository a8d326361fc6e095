package noise

import (
	"math"
	"slices"
)

// An engine evaluates the covariance V = I + sum of ratio[t] Z_t Z_t' of one
// problem, ratio being variance over residual variance, without forming it.
type engine interface {
	// eval fills the lower triangle of m with W' inv(V) W, W the orthonormal X
	// and y side by side ((p+1) x (p+1)), and returns log|V|.
	eval(ratio, m []float64) float64
	// slopes adds up, for each term at the ratios of the last eval, the groups'
	// z' inv(V) z in trace and u u', u = W' inv(V) z, in the lower triangle of
	// cross ((p+1) x (p+1)).
	slopes(trace []float64, cross [][]float64)
	// start returns ratios to begin a search at.
	start() []float64
}

func newEngine(pr *problem) engine {
	if pr.chain != nil {
		return newTree(pr)
	}
	return newDense(pr)
}

// tree is the engine for nested terms. A group of rows whose effect has
// variance ratio a acts like one row: its weighted mean, with precision
// d/(1 + a d) where d is the precision of that mean given the effect. Going
// from the innermost groups out, the cross-products about the group means add
// up to W' inv(V) W, a sum of squares at every step, so nothing cancels; going
// back in gives what the gradient needs. Both cost a few operations a group.
type tree struct {
	p      int
	term   []int // per level, outermost first, the term
	levels []treeLevel
	inside []float64 // cross-products inside the innermost groups
	root   treeLevel // the one group that holds all
	ratio  []float64
	u      []float64
}

type treeLevel struct {
	parent []int
	d      []float64 // precision of the group's mean, given its effect
	e      []float64 // the same with the effect in the error: d/(1 + ratio d)
	mean   []float64 // groups x (p+1)
	offset []float64 // groups x (p+1): what the outer effects predict for the mean
	spread []float64 // posterior variance of the sum of outer effects and this one
}

func makeLevel(groups, s int) treeLevel {
	buf := make([]float64, groups*(3+2*s))
	cut := func(k int) []float64 { out := buf[:k:k]; buf = buf[k:]; return out }
	return treeLevel{parent: make([]int, groups), d: cut(groups), e: cut(groups), spread: cut(groups),
		mean: cut(groups * s), offset: cut(groups * s)}
}

func newTree(pr *problem) *tree {
	s := pr.p + 1
	t := &tree{p: pr.p, term: pr.chain, inside: make([]float64, s*s), root: makeLevel(1, s),
		ratio: make([]float64, len(pr.chain)), u: make([]float64, s)}
	for l, term := range pr.chain {
		lev := makeLevel(pr.size[term], s)
		if l > 0 {
			for i, g := range pr.group[term] {
				lev.parent[g] = pr.group[pr.chain[l-1]][i]
			}
		}
		t.levels = append(t.levels, lev)
	}
	inner, innerOf := &t.root, slices.Repeat([]int{0}, pr.cells)
	if l := len(t.levels); l > 0 {
		inner, innerOf = &t.levels[l-1], pr.group[pr.chain[l-1]]
	}
	gatherMeans(inner, innerOf, pr.count, pr.w, t.inside, t.u)
	t.inside[s*s-1] += pr.within
	return t
}

// gatherMeans sets d and mean of the level from weighted parts, and adds the
// parts' cross-products about those means to the lower triangle of m. x is
// room for one part.
func gatherMeans(lev *treeLevel, parent []int, weight, part, m, x []float64) {
	s := len(x)
	clear(lev.d)
	clear(lev.mean)
	for i, g := range parent {
		w := weight[i]
		lev.d[g] += w
		mean, from := lev.mean[g*s:][:s], part[i*s:][:s]
		for j, v := range from {
			mean[j] += w * v
		}
	}
	for g, d := range lev.d {
		mean := lev.mean[g*s:][:s]
		for j := range mean {
			mean[j] /= d
		}
	}
	for i, g := range parent {
		mean, from := lev.mean[g*s:][:s], part[i*s:][:s]
		for j, v := range from {
			x[j] = v - mean[j]
		}
		addSquare(m, x, weight[i])
	}
}

func (t *tree) eval(ratio, m []float64) float64 {
	copy(t.ratio, ratio)
	copy(m, t.inside)
	var logDet float64
	for l := len(t.levels) - 1; l >= 0; l-- {
		lev, a := &t.levels[l], ratio[t.term[l]]
		det := 1.0
		for g, d := range lev.d {
			lev.e[g] = d / (1 + a*d)
			if det *= 1 + a*d; det > 1e200 { // one logarithm for many groups
				logDet += math.Log(det)
				det = 1
			}
		}
		logDet += math.Log(det)
		outer := &t.root
		if l > 0 {
			outer = &t.levels[l-1]
		}
		gatherMeans(outer, lev.parent, lev.e, lev.mean, m, t.u)
	}
	addSquare(m, t.root.mean, t.root.d[0])
	return logDet
}

func (t *tree) slopes(trace []float64, cross [][]float64) {
	s := t.p + 1
	outer := &t.root // predicts 0, for certain
	for l := range t.levels {
		lev, a := &t.levels[l], t.ratio[t.term[l]]
		sum, product := 0.0, cross[t.term[l]]
		for g, e := range lev.e {
			parent := lev.parent[g]
			above := outer.spread[parent]
			mean, offset, from := lev.mean[g*s:][:s], lev.offset[g*s:][:s], outer.offset[parent*s:][:s]
			for j, m := range mean {
				u := e * (m - from[j])
				t.u[j] = u
				offset[j] = from[j] + a*u
			}
			addSquare(product, t.u, 1)
			shrink := 1 / (1 + a*lev.d[g])
			lev.spread[g] = a*shrink + shrink*shrink*above
			sum += e - e*e*above
		}
		trace[t.term[l]] += sum
		outer = lev
	}
}

// addSquare adds weight x x' to the lower triangle of m.
func addSquare(m, x []float64, weight float64) {
	for j, a := range x {
		a *= weight
		row := m[j*len(x):][:j+1]
		for k := range row {
			row[k] += a * x[k]
		}
	}
}

// start takes the ratio of neighbouring mean squares for what it would be in a
// balanced design: 1 + (rows per group) x (component's ratio). Degrees of
// freedom are counted roughly; it is only a start.
func (t *tree) start() []float64 {
	s := t.p + 1
	k := len(t.levels)
	m := make([]float64, s*s)
	square := make([]float64, k+1) // mean square per level, then the residual
	zero := make([]float64, k)
	t.eval(zero, m)
	var rows float64
	for l := range k {
		lev, groups, outer := &t.levels[l], 1, &t.root
		if l > 0 {
			outer, groups = &t.levels[l-1], len(t.levels[l-1].d)
		}
		var ss float64
		for g, d := range lev.d {
			dev := lev.mean[g*s+t.p] - outer.mean[lev.parent[g]*s+t.p]
			ss += d * dev * dev
			if l == k-1 {
				rows += d
			}
		}
		square[l] = ss / float64(max(1, len(lev.d)-groups))
	}
	start := make([]float64, k)
	if k == 0 {
		return start
	}
	free := rows - float64(len(t.levels[k-1].d))
	square[k] = t.inside[s*s-1] / max(1, free)
	for l := range k {
		perGroup := rows / float64(len(t.levels[l].d))
		inner := max(square[l+1], 1e-12*square[l])
		if inner > 0 && square[l] > inner {
			// In units of the residual, not of the level below.
			start[t.term[l]] = (square[l] - inner) / perGroup / max(square[k], 1e-12*square[l])
		}
	}
	return start
}

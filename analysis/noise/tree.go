package noise

import (
	"math"
	"slices"
)

// An engine evaluates the covariance V = I + sum of ratio[t] Z_t Z_t' of one
// problem, ratio being variance over residual variance, without forming it.
type engine interface {
	// eval fills m with W' inv(V) W, W the orthonormal X and y side by side
	// ((p+1) x (p+1), both triangles), and returns log|V|.
	eval(ratio, m []float64) float64
	// visit reports, for each group g of each term at the ratios of the last
	// eval, h = z_g' inv(V) z_g and u = W' inv(V) z_g. u is only lent.
	visit(f func(term int, h float64, u []float64))
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
	gatherMeans(inner, innerOf, pr.count, pr.w, t.inside, s)
	t.inside[s*s-1] += pr.within
	return t
}

// gatherMeans sets d and mean of the level from weighted parts, and adds the
// parts' cross-products about those means to m.
func gatherMeans(lev *treeLevel, parent []int, weight, part, m []float64, s int) {
	clear(lev.d)
	clear(lev.mean)
	for i, g := range parent {
		lev.d[g] += weight[i]
		for j := range s {
			lev.mean[g*s+j] += weight[i] * part[i*s+j]
		}
	}
	for g, d := range lev.d {
		for j := range s {
			lev.mean[g*s+j] /= d
		}
	}
	for i, g := range parent {
		a, b := part[i*s:i*s+s], lev.mean[g*s:g*s+s]
		for j := range s {
			dj := weight[i] * (a[j] - b[j])
			for k := range j + 1 {
				m[j*s+k] += dj * (a[k] - b[k])
			}
		}
	}
}

func (t *tree) eval(ratio, m []float64) float64 {
	s := t.p + 1
	copy(t.ratio, ratio)
	copy(m, t.inside)
	var logDet float64
	for l := len(t.levels) - 1; l >= 0; l-- {
		lev, a := &t.levels[l], ratio[t.term[l]]
		for g, d := range lev.d {
			lev.e[g] = d / (1 + a*d)
			logDet += math.Log1p(a * d)
		}
		outer := &t.root
		if l > 0 {
			outer = &t.levels[l-1]
		}
		gatherMeans(outer, lev.parent, lev.e, lev.mean, m, s)
	}
	for j := range s {
		for k := range j + 1 {
			m[j*s+k] += t.root.d[0] * t.root.mean[j] * t.root.mean[k]
			m[k*s+j] = m[j*s+k]
		}
	}
	return logDet
}

func (t *tree) visit(f func(term int, h float64, u []float64)) {
	s := t.p + 1
	outer := &t.root // predicts 0, for certain
	for l := range t.levels {
		lev, a := &t.levels[l], t.ratio[t.term[l]]
		for g, e := range lev.e {
			above := outer.spread[lev.parent[g]]
			for j := range s {
				o := outer.offset[lev.parent[g]*s+j]
				t.u[j] = e * (lev.mean[g*s+j] - o)
				lev.offset[g*s+j] = o + a*t.u[j]
			}
			shrink := 1 / (1 + a*lev.d[g])
			lev.spread[g] = a*shrink + shrink*shrink*above
			f(t.term[l], e-e*e*above, t.u)
		}
		outer = lev
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

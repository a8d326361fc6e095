package noise

import (
	"errors"
	"math"
)

// MeanSquare is one line of an analysis of variance.
type MeanSquare struct {
	SS       float64
	DF       int
	PerGroup float64 // rows per group (mean if they differ); 1 for the residual
}

// MS is the mean square, NaN without degrees of freedom.
func (m MeanSquare) MS() float64 {
	if m.DF < 1 {
		return math.NaN()
	}
	return m.SS / float64(m.DF)
}

// Table is a sequential analysis of variance of nested terms after the fixed
// effects.
type Table struct {
	Lines []MeanSquare // one per random term, then the residual
	Order []int        // terms from the outermost in
	// Balanced: every mean square has the expectation residual + sum of (rows
	// per group x variance) over its own and the inner terms.
	Balanced bool
}

// ANOVA returns the analysis of variance of a model with nested terms.
func ANOVA(m Model) (Table, error) {
	pr, err := newProblem(m)
	if err != nil {
		return Table{}, err
	}
	if pr.chain == nil {
		return Table{}, errors.New("noise: an analysis of variance in sequence needs nested terms")
	}
	return pr.anova(), nil
}

// anova takes each term's sum of squares as what its group means explain
// beyond the fixed effects and the term around it: rows about group means,
// fixed effects about group means, and a regression of the one on the other.
func (pr *problem) anova() Table {
	p, s := pr.p, pr.p+1
	table := Table{Order: pr.chain, Balanced: true, Lines: make([]MeanSquare, len(pr.size)+1)}
	unit := pr.scale * pr.scale
	// Before any term: X is orthonormal and y orthogonal to it.
	outer, outerRank := pr.dotColumns(p, p)+pr.within, p
	for _, t := range pr.chain {
		lev := makeLevel(pr.size[t], s)
		m := make([]float64, s*s)
		gatherMeans(&lev, pr.group[t], pr.count, pr.w, m, make([]float64, s))
		m[s*s-1] += pr.within
		left, rank := regress(m, p)
		rank += pr.size[t]
		table.Lines[t] = MeanSquare{SS: max(0, outer-left) * unit, DF: rank - outerRank, PerGroup: float64(pr.n) / float64(pr.size[t])}
		table.Balanced = table.Balanced && pr.balanced(&lev)
		outer, outerRank = left, rank
	}
	table.Lines[len(pr.size)] = MeanSquare{SS: outer * unit, DF: pr.n - outerRank, PerGroup: 1}
	return table
}

// regress returns what is left of the last row's sum of squares after
// regression on the p others, and their rank. X was orthonormal, so a pivot of
// 1e-10 is a column that has nothing inside groups.
func regress(m []float64, p int) (left float64, rank int) {
	s := p + 1
	a := append([]float64(nil), m...)
	for j := range p {
		if pivot := a[j*s+j]; pivot > 1e-10 {
			rank++
			for i := j + 1; i < s; i++ {
				f := a[i*s+j] / pivot
				for k := j + 1; k <= i; k++ {
					a[i*s+k] -= f * a[k*s+j]
				}
			}
		}
	}
	return max(0, a[s*s-1]), rank
}

// balanced: groups of one size, and group means of the fixed columns that lie
// in the span of the columns, so that the projections on groups and on X
// commute. With A = Q'(group means of Q) that is trace A = |A|^2: all
// eigenvalues of A are 0 or 1.
func (pr *problem) balanced(lev *treeLevel) bool {
	p, s := pr.p, pr.p+1
	a := make([]float64, p*p)
	for g, d := range lev.d {
		if d != lev.d[0] {
			return false
		}
		for j := range p {
			for k := range p {
				a[j*p+k] += d * lev.mean[g*s+j] * lev.mean[g*s+k]
			}
		}
	}
	var trace float64
	for j := range p {
		trace += a[j*p+j]
	}
	return math.Abs(trace-dot(a, a)) < 1e-9
}

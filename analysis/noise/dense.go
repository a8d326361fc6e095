package noise

import "math"

// dense is the engine for crossed terms: V is reduced to a matrix with one row
// per group of any term, A = I + L Z'Z L with L the diagonal of root ratios,
// log|V| = log|A| and inv(V) = I - Z L inv(A) L Z' (Bates, Maechler, Bolker &
// Walker 2015, sections 3.2 and 3.4, dense instead of sparse).
type dense struct {
	p, q  int
	term  []int     // of each group
	terms int       // number of terms
	zz    []float64 // Z'Z, q x q
	zw    []float64 // Z'W, q x (p+1)
	ww    []float64 // W'W, lower triangle
	chol  []float64 // lower triangle of A
	a     []float64 // inv(chol) L Z'W
	b     []float64 // inv(chol) L Z'Z
	root  []float64 // L
	u     []float64
}

func newDense(pr *problem) *dense {
	s, q := pr.p+1, 0
	first := make([]int, len(pr.size))
	for t, size := range pr.size {
		first[t] = q
		q += size
	}
	e := &dense{p: pr.p, q: q, terms: len(pr.size), term: make([]int, q), zz: make([]float64, q*q),
		zw: make([]float64, q*s), ww: make([]float64, s*s), chol: make([]float64, q*q),
		a: make([]float64, q*s), b: make([]float64, q*q), root: make([]float64, q), u: make([]float64, s)}
	for t, size := range pr.size {
		for g := range size {
			e.term[first[t]+g] = t
		}
	}
	for i, c := range pr.count {
		w := pr.w[i*s : i*s+s]
		for t := range pr.size {
			g := first[t] + pr.group[t][i]
			for j, v := range w {
				e.zw[g*s+j] += c * v
			}
			for u := range pr.size {
				e.zz[g*q+first[u]+pr.group[u][i]] += c
			}
		}
		addSquare(e.ww, w, c)
	}
	e.ww[s*s-1] += pr.within
	return e
}

func (e *dense) eval(ratio, m []float64) float64 {
	q, s := e.q, e.p+1
	for g, t := range e.term {
		e.root[g] = math.Sqrt(ratio[t])
	}
	for g := range q {
		for h := range g + 1 {
			e.chol[g*q+h] = e.root[g] * e.root[h] * e.zz[g*q+h]
		}
		e.chol[g*q+g]++
	}
	// A is the identity plus a positive semidefinite matrix: this cannot fail.
	cholesky(e.chol, q)
	var logDet float64
	for g := range q {
		logDet += 2 * math.Log(e.chol[g*q+g])
		for j := range s {
			e.a[g*s+j] = e.root[g] * e.zw[g*s+j]
		}
	}
	solveLower(e.chol, q, e.a, s)
	copy(m, e.ww)
	for g := range q {
		addSquare(m, e.a[g*s:g*s+s], -1)
	}
	return logDet
}

func (e *dense) slopes(trace []float64, cross [][]float64) {
	q, s := e.q, e.p+1
	for g := range q {
		for h := range q {
			e.b[g*q+h] = e.root[g] * e.zz[g*q+h]
		}
	}
	solveLower(e.chol, q, e.b, q)
	for g := range q {
		h := e.zz[g*q+g]
		copy(e.u, e.zw[g*s:g*s+s])
		for k := range q {
			bk := e.b[k*q+g]
			h -= bk * bk
			for j := range s {
				e.u[j] -= bk * e.a[k*s+j]
			}
		}
		trace[e.term[g]] += h
		addSquare(cross[e.term[g]], e.u, 1)
	}
}

// start has no mean squares to go by: a component as large as the residual.
func (e *dense) start() []float64 {
	start := make([]float64, e.terms)
	for t := range start {
		start[t] = 1
	}
	return start
}

// cholesky replaces the lower triangle of the n x n matrix a by L of a = L L'
// and says whether a was positive definite.
func cholesky(a []float64, n int) bool {
	for j := range n {
		for k := range j {
			f := a[j*n+k]
			for i := j; i < n; i++ {
				a[i*n+j] -= f * a[i*n+k]
			}
		}
		if !(a[j*n+j] > 0) {
			return false
		}
		d := math.Sqrt(a[j*n+j])
		for i := j; i < n; i++ {
			a[i*n+j] /= d
		}
	}
	return true
}

// solveLower replaces the n x k matrix b by inv(L) b.
func solveLower(l []float64, n int, b []float64, k int) {
	for i := range n {
		row := b[i*k : i*k+k]
		for j := range i {
			f := l[i*n+j]
			if f == 0 {
				continue
			}
			for c, v := range b[j*k : j*k+k] {
				row[c] -= f * v
			}
		}
		for c := range row {
			row[c] /= l[i*n+i]
		}
	}
}

// solveUpper replaces the n x k matrix b by inv(L') b.
func solveUpper(l []float64, n int, b []float64, k int) {
	for i := n - 1; i >= 0; i-- {
		row := b[i*k : i*k+k]
		for j := i + 1; j < n; j++ {
			f := l[j*n+i]
			for c, v := range b[j*k : j*k+k] {
				row[c] -= f * v
			}
		}
		for c := range row {
			row[c] /= l[i*n+i]
		}
	}
}

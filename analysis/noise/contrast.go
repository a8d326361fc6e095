package noise

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// TTest is a contrast of the fixed effects with its t test.
type TTest struct {
	Estimate, SE, DF, T, P float64
}

// Contrast tests c'Beta = 0 by Kenward & Roger (1997, sections 2 and 3) and by
// Satterthwaite (Fai & Cornelius 1996, as lmerTest). For a single contrast
// Kenward and Roger's F is a t: with one numerator degree of freedom their A1
// and A2 are equal, the scale factor is exactly 1, and m reduces to
// df = 2 v^2/(g'Wg), v = c'Phi c, g its gradient by the variances, W the inverse
// of the expected REML information. The standard error is from their adjusted
// Phi_A = Phi + 2 Phi (sum W_ij (Q_ij - P_i Phi P_j)) Phi. Components at 0 stay
// in W. Satterthwaite takes the observed information and leaves them out: at
// the boundary it pools what Kenward-Roger does not. DF is NaN if the
// information is singular.
func Contrast(f Fit, c []float64) (kr, satterthwaite TTest) {
	pr := f.problem
	if pr == nil {
		panic("noise: Contrast needs a Fit made by REML")
	}
	if len(c) != pr.p {
		panic("noise: a contrast needs one coefficient per fixed effect")
	}
	cu := f.curvature()
	p, k := pr.p, cu.k
	sigma := math.Sqrt(f.Var[k-1])
	q := append([]float64(nil), c...)
	solveLower(transpose(pr.r, p), p, q, 1)
	a := multiply(cu.phi, q, p) // Phi c
	v := dot(q, a)
	gradient := make([]float64, k)
	for i := range k {
		gradient[i] = dot(a, multiply(cu.first[i], a, p))
	}
	estimate := dot(c, f.Beta)

	sat := math.NaN()
	if w, err := cu.observed(); err == nil {
		sat = 2 * v * v / quadratic(w, gradient)
	}
	satterthwaite = newTTest(estimate, sigma*math.Sqrt(v), sat)

	krDF, krV := math.NaN(), v
	if w, err := cu.expected(); err == nil {
		krDF = 2 * v * v / quadratic(w, gradient)
		for i := range k {
			ai := multiply(cu.phi, multiply(cu.first[i], a, p), p)
			for j := range k {
				// a' (Q_ij - P_i Phi P_j) a; Q_ij summed with Q_ji is the
				// second derivative of X' inv(V) X.
				u := dot(a, multiply(cu.second[i*k+j], a, p))/2 - dot(multiply(cu.first[j], a, p), ai)
				krV += 2 * w[i*k+j] * u
			}
		}
	}
	kr = newTTest(estimate, sigma*math.Sqrt(krV), krDF)
	return kr, satterthwaite
}

func newTTest(estimate, se, df float64) TTest {
	t := TTest{Estimate: estimate, SE: se, DF: df, T: estimate / se, P: math.NaN()}
	if df > 0 && !math.IsNaN(t.T) {
		t.P = 2 * distuv.StudentsT{Sigma: 1, Nu: df}.Survival(math.Abs(t.T))
	}
	return t
}

// curvature holds derivatives at a fit by the k variances (random terms, then
// residual) in units of the residual variance.
type curvature struct {
	k, p    int
	phi     []float64   // inverse of X' inv(V) X
	first   [][]float64 // of X' inv(V) X by variance i, p x p
	second  [][]float64 // and by variance j, at i*k+j
	trace   []float64   // tr(P V_i)
	info    []float64   // tr(P V_i P V_j): twice the expected information
	hessian []float64   // of -2 log restricted likelihood: twice the observed one
	zero    []bool      // component at the boundary
}

// curvature differentiates the engine's exact first derivatives once more by
// the ratios, numerically. What concerns the residual variance follows without
// it, because everything is homogeneous in the variances (Euler): M = X'inv(V)X
// has degree -1, so sum v_i dM/dv_i = -M, and likewise further down.
func (f Fit) curvature() curvature {
	pr := f.problem
	c := newRestricted(pr)
	terms, p, k := len(pr.size), pr.p, len(pr.size)+1
	ratio := make([]float64, terms)
	for t, th := range f.Theta {
		ratio[t] = th * th
	}
	c.eval(ratio)
	df, sigma2 := c.df(), c.rss/c.df()
	cu := curvature{k: k, p: p, phi: append([]float64(nil), c.phi...), first: matrices(k, p*p), second: matrices(k*k, p*p),
		trace: make([]float64, k), info: make([]float64, k*k), hessian: make([]float64, k*k), zero: make([]bool, k)}
	copy(cu.zero, f.AtBoundary)
	square := make([]float64, k)         // y'P V_i P y
	squareBy := make([]float64, k*k)     // its derivative by variance j
	m, s, last := c.inX(c.m), p+1, terms // last: the residual
	c.slopes()
	for t := range terms {
		cu.trace[t], square[t] = c.trace[t], c.square[t]/sigma2
		for i, v := range c.inX(c.cross[t]) {
			cu.first[t][i] = -v
		}
	}
	for j := range terms {
		by := c.derivatives(ratio, j)
		for t := range terms {
			cu.info[t*k+j] = -by[t*(s*s+2)]
			squareBy[t*k+j] = by[t*(s*s+2)+1] / sigma2
			for i, v := range c.inX(by[t*(s*s+2)+2 : (t+1)*(s*s+2)]) {
				cu.second[t*k+j][i] = -v
			}
		}
	}
	for t := range terms {
		for j := range t {
			cu.info[t*k+j] = (cu.info[t*k+j] + cu.info[j*k+t]) / 2
			cu.info[j*k+t] = cu.info[t*k+j]
			squareBy[t*k+j] = (squareBy[t*k+j] + squareBy[j*k+t]) / 2
			squareBy[j*k+t] = squareBy[t*k+j]
			for i := range p * p {
				mean := (cu.second[t*k+j][i] + cu.second[j*k+t][i]) / 2
				cu.second[t*k+j][i], cu.second[j*k+t][i] = mean, mean
			}
		}
	}
	// The residual, by Euler; it stands at variance 1.
	cu.trace[last], square[last] = df, df
	for i := range p * p {
		cu.first[last][i] = -m[i]
	}
	for t, r := range ratio {
		cu.trace[last] -= r * cu.trace[t]
		square[last] -= r * square[t]
		for i := range p * p {
			cu.first[last][i] -= r * cu.first[t][i]
		}
	}
	for j := range k {
		info, by := cu.trace[j], -2*square[j]
		for i, r := range ratio {
			info -= r * cu.info[i*k+j]
			by -= r * squareBy[i*k+j]
		}
		cu.info[last*k+j], cu.info[j*k+last] = info, info
		squareBy[last*k+j], squareBy[j*k+last] = by, by
		for i := range p * p {
			second := -2 * cu.first[j][i]
			for t, r := range ratio {
				second -= r * cu.second[t*k+j][i]
			}
			cu.second[last*k+j][i], cu.second[j*k+last][i] = second, second
		}
	}
	for i := range cu.hessian {
		cu.hessian[i] = -cu.info[i] - squareBy[i]
	}
	return cu
}

// derivatives returns, for every term, the derivatives of trace, square and
// cross by ratio j, one after the other.
func (c *restricted) derivatives(ratio []float64, j int) []float64 {
	at := append([]float64(nil), ratio...)
	state := func(r float64) []float64 {
		at[j] = r
		c.eval(at)
		c.slopes()
		var out []float64
		for t := range c.cross {
			out = append(append(out, c.trace[t], c.square[t]), c.cross[t]...)
		}
		return out
	}
	// A step of 1e-4 in x (see ratios) leaves a relative error near 1e-8.
	h := 1e-4 * (1/c.perGroup[j] + ratio[j])
	if ratio[j] > h {
		lo, hi := state(ratio[j]-h), state(ratio[j]+h)
		for i := range hi {
			hi[i] = (hi[i] - lo[i]) / (2 * h)
		}
		return hi
	}
	here, one, two := state(ratio[j]), state(ratio[j]+h), state(ratio[j]+2*h)
	for i := range here {
		here[i] = (4*one[i] - 3*here[i] - two[i]) / (2 * h)
	}
	return here
}

// inX returns the part of a (p+1) x (p+1) lower triangle that belongs to X, as
// a full p x p matrix.
func (c *restricted) inX(m []float64) []float64 {
	p := c.pr.p
	out := make([]float64, p*p)
	for j := range p {
		for k := range p {
			out[j*p+k] = m[max(j, k)*(p+1)+min(j, k)]
		}
	}
	return out
}

// expected is the covariance of the variances by the expected information, in
// units of the residual variance squared.
func (cu *curvature) expected() ([]float64, error) {
	return twice(inverse(cu.info, cu.k))
}

// varCov is the covariance of the variances by the expected information.
func (f Fit) varCov() ([]float64, error) {
	cu := f.curvature()
	w, err := cu.expected()
	residual := f.Var[len(f.Var)-1]
	for i := range w {
		w[i] *= residual * residual
	}
	return w, err
}

// observed is the same by the observed information, with components at 0
// taken as known: in lme4's parameter theta the criterion and every function of
// the variances are flat there, so they drop out (lmerTest).
func (cu *curvature) observed() ([]float64, error) {
	var active []int
	for i, zero := range cu.zero {
		if !zero {
			active = append(active, i)
		}
	}
	m := len(active)
	part := make([]float64, m*m)
	for a, i := range active {
		for b, j := range active {
			part[a*m+b] = cu.hessian[i*cu.k+j]
		}
	}
	w, err := twice(inverse(part, m))
	if err != nil {
		return nil, err
	}
	out := make([]float64, cu.k*cu.k)
	for a, i := range active {
		for b, j := range active {
			out[i*cu.k+j] = w[a*m+b]
		}
	}
	return out, nil
}

func twice(a []float64, err error) ([]float64, error) {
	for i := range a {
		a[i] *= 2
	}
	return a, err
}

func matrices(n, size int) [][]float64 {
	out := make([][]float64, n)
	buf := make([]float64, n*size)
	for i := range out {
		out[i] = buf[i*size : (i+1)*size]
	}
	return out
}

func multiply(a, x []float64, n int) []float64 {
	out := make([]float64, n)
	for i := range n {
		out[i] = dot(a[i*n:i*n+n], x)
	}
	return out
}

func quadratic(a, x []float64) float64 { return dot(x, multiply(a, x, len(x))) }

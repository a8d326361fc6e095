package noise

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Fit is a model fitted by restricted maximum likelihood.
type Fit struct {
	Beta       []float64 // fixed effects
	Cov        []float64 // their covariance given the components, row-major
	Var        []float64 // variance per random term, then the residual
	Theta      []float64 // sqrt(Var) per random term over the residual SD, as lme4's theta
	Criterion  float64   // -2 log restricted likelihood, lme4's REML criterion
	AtBoundary []bool    // per random term: the estimate is exactly 0
	Status     Status

	problem *problem
}

// Status says how the search for an optimum ended.
type Status struct {
	Converged bool
	Steps     int
	Slope     float64 // steepest slope left, criterion per unit of log variance
}

// Err is nil if the search converged.
func (s Status) Err() error {
	if s.Converged {
		return nil
	}
	return fmt.Errorf("noise: REML did not converge in %d steps, slope %.2g left", s.Steps, s.Slope)
}

// REML estimates the variance components and fixed effects of m. The residual
// variance and the fixed effects are profiled out (Bates, Maechler, Bolker &
// Walker 2015, section 3.4), so the search is over one ratio per random term, with
// the exact gradient and from several starts. The error means that there is
// no estimate; a search that ended early is in Status.
func REML(m Model) (Fit, error) {
	pr, err := newProblem(m)
	if err != nil {
		return Fit{}, err
	}
	if err := pr.checkTerms(); err != nil {
		return Fit{}, err
	}
	if !pr.varies {
		return Fit{}, ErrNoSpread
	}
	c := newRestricted(pr)
	x, status := c.search()
	for _, v := range x {
		if v > vastRatio {
			return Fit{}, ErrNoResidual
		}
	}
	return c.fit(x, status), nil
}

// restricted evaluates the restricted likelihood of one problem, in units of
// the residual variance, without allocating.
type restricted struct {
	pr  *problem
	eng engine
	m   []float64 // W' inv(V) W, lower triangle

	// Set by eval.
	logV, logX float64
	rss        float64   // generalised residual sum of squares
	phi        []float64 // inverse of X' inv(V) X, p x p
	beta       []float64 // fixed effects in the orthonormal basis

	// Set by slopes, per term.
	trace  []float64   // tr(P ZZ')
	square []float64   // y'P ZZ' P y
	cross  [][]float64 // W' inv(V) ZZ' inv(V) W, lower triangle

	perGroup []float64 // rows per group: the scale on which a ratio matters
	ratio    []float64
	chol     []float64
}

func newRestricted(pr *problem) *restricted {
	p, s, k := pr.p, pr.p+1, len(pr.size)
	c := &restricted{pr: pr, eng: newEngine(pr), m: make([]float64, s*s), phi: make([]float64, p*p),
		beta: make([]float64, p), trace: make([]float64, k), square: make([]float64, k),
		perGroup: make([]float64, k), ratio: make([]float64, k), chol: make([]float64, p*p)}
	for t, size := range pr.size {
		c.perGroup[t] = float64(pr.n) / float64(size)
		c.cross = append(c.cross, make([]float64, s*s))
	}
	return c
}

// eval sets the pieces of the likelihood at the given ratios.
func (c *restricted) eval(ratio []float64) {
	p, s := c.pr.p, c.pr.p+1
	c.logV = c.eng.eval(ratio, c.m)
	for j := range p {
		copy(c.chol[j*p:j*p+j+1], c.m[j*s:j*s+j+1])
		c.beta[j] = c.m[p*s+j]
	}
	if !cholesky(c.chol, p) {
		// Only rounding gets here, at ratios far out; the search turns back.
		c.logX, c.rss = math.NaN(), math.NaN()
		return
	}
	c.logX = 0
	clear(c.phi)
	for j := range p {
		c.logX += 2 * math.Log(c.chol[j*p+j])
		c.phi[j*p+j] = 1
	}
	solveLower(c.chol, p, c.phi, p)
	solveUpper(c.chol, p, c.phi, p)
	solveLower(c.chol, p, c.beta, 1)
	c.rss = c.m[p*s+p] - dot(c.beta, c.beta)
	solveUpper(c.chol, p, c.beta, 1)
}

// slopes sets trace, square and cross at the ratios of the last eval.
// With P = inv(V) - inv(V) X phi X' inv(V), the derivative of log|V| +
// log|X' inv(V) X| by a ratio is tr(P ZZ'), that of rss is -y'P ZZ' P y
// (Searle, Casella & McCulloch 1992, section 6.6).
func (c *restricted) slopes() {
	p, s := c.pr.p, c.pr.p+1
	clear(c.trace)
	for t := range c.cross {
		clear(c.cross[t])
	}
	c.eng.slopes(c.trace, c.cross)
	for t, u := range c.cross {
		square := u[p*s+p]
		for j := range p {
			square -= 2 * c.beta[j] * u[p*s+j]
			for l := range p {
				ujl := u[max(j, l)*s+min(j, l)]
				c.trace[t] -= c.phi[j*p+l] * ujl
				square += c.beta[j] * c.beta[l] * ujl
			}
		}
		c.square[t] = square
	}
}

func (c *restricted) df() float64 { return float64(c.pr.n - c.pr.p) }

// at is -2 log restricted likelihood for a residual variance sigma2, in units
// of scale^2.
func (c *restricted) at(sigma2 float64) float64 {
	return c.logV + c.logX + 2*c.pr.logR + c.rss/sigma2 +
		c.df()*math.Log(2*math.Pi*sigma2*c.pr.scale*c.pr.scale)
}

// profiled is the same at the residual variance that minimises it.
func (c *restricted) profiled() float64 { return c.at(c.rss / c.df()) }

// The search runs in x = log(1 + rows per group x ratio). In a balanced
// one-way design the criterion is groups x + S exp(-x): convex everywhere,
// with an honest slope at the boundary x = 0, where theta itself has none.
func (c *restricted) ratios(x []float64) []float64 {
	for t, v := range x {
		c.ratio[t] = math.Expm1(v) / c.perGroup[t]
	}
	return c.ratio
}

// chain is d ratio / d x.
func (c *restricted) chain(t int, x float64) float64 { return math.Exp(x) / c.perGroup[t] }

// vastRatio in x is a ratio of 2e17 per group, standard deviations 5e8 apart:
// beyond what rows in double precision can show, so the residual is 0.
// largestX keeps the search finite.
const (
	vastRatio = 40
	largestX  = 45
)

// search minimises the profiled criterion from several starts and keeps the
// lowest: restricted likelihoods of unbalanced data can have two modes.
func (c *restricted) search() ([]float64, Status) {
	k := len(c.perGroup)
	criterion := c.descent()
	lower, upper := make([]float64, k), make([]float64, k)
	for t := range upper {
		upper[t] = largestX
	}
	if best := c.balancedOptimum(); best != nil {
		_, status := minimise(criterion, best, lower, upper, nil)
		return best, status
	}
	moments := c.eng.start()
	for t, r := range moments {
		moments[t] = min(math.Log1p(r*c.perGroup[t]), largestX)
	}
	none, large := make([]float64, k), make([]float64, k)
	for t := range large {
		large[t] = 3 // a component 20 times the residual's share in a group mean
	}
	best := moments
	bestValue, status := minimise(criterion, best, lower, upper, nil)
	if k == 0 {
		return best, status
	}
	for _, x := range [][]float64{none, large} {
		value, st := minimise(criterion, x, lower, upper, best)
		if value < bestValue-1e-9 || (st.Converged && !status.Converged && value < bestValue+1e-9) {
			best, bestValue, status = x, value, st
		}
	}
	return best, status
}

// descent is the profiled criterion with its slope, as the search asks for it.
func (c *restricted) descent() func(x, slope []float64) float64 {
	return func(x, slope []float64) float64 {
		c.eval(c.ratios(x))
		c.slopes()
		for t := range slope {
			slope[t] = (c.trace[t] - c.df()*c.square[t]/c.rss) * c.chain(t, x[t])
		}
		return c.profiled()
	}
}

// balancedOptimum is the minimum of a balanced design, in the coordinates of the
// search; nil if the design is not balanced, or a level has no degrees of
// freedom. The criterion is then the sum over the lines of the analysis of
// variance of DF (log m + MS/m), m the expected mean squares, which cannot rise
// from a level to the one inside it. In log m that is convex and so has one
// minimum: the mean squares themselves, and where they rise, neighbours pooled
// until they do not (Thompson 1962; this is isotonic regression). The search
// that starts there only confirms it.
func (c *restricted) balancedOptimum() []float64 {
	if c.pr.chain == nil {
		return nil
	}
	table := c.pr.anova()
	if !table.Balanced {
		return nil
	}
	type pool struct {
		ss, df float64
		lines  int
	}
	var pools []pool
	for _, t := range append(slices.Clone(table.Order), len(table.Lines)-1) {
		line := table.Lines[t]
		if line.DF < 1 {
			return nil
		}
		pools = append(pools, pool{line.SS, float64(line.DF), 1})
		for n := len(pools); n > 1 && pools[n-1].ss*pools[n-2].df >= pools[n-2].ss*pools[n-1].df; n = len(pools) {
			in := pools[n-1]
			pools = pools[:n-1]
			out := &pools[n-2]
			out.ss, out.df, out.lines = out.ss+in.ss, out.df+in.df, out.lines+in.lines
		}
	}
	var m []float64
	for _, p := range pools {
		for range p.lines {
			m = append(m, p.ss/p.df)
		}
	}
	residual := m[len(m)-1]
	if !(residual > 0) {
		return nil
	}
	x := make([]float64, len(c.perGroup))
	for k, t := range table.Order {
		x[t] = min(math.Log1p((m[k]-m[k+1])/residual), largestX)
	}
	return x
}

// fit reports the state at x in the units of the model.
func (c *restricted) fit(x []float64, status Status) Fit {
	pr, p := c.pr, c.pr.p
	c.eval(c.ratios(x))
	sigma2 := c.rss / c.df() * pr.scale * pr.scale
	f := Fit{Criterion: c.profiled(), Status: status, problem: pr}
	for _, r := range c.ratio {
		f.Theta = append(f.Theta, math.Sqrt(r))
		f.Var = append(f.Var, r*sigma2)
		f.AtBoundary = append(f.AtBoundary, r == 0)
	}
	f.Var = append(f.Var, sigma2)
	gamma := make([]float64, p)
	for j := range p {
		gamma[j] = pr.base[j] + pr.scale*c.beta[j]
	}
	f.Beta = pr.fromBasis(gamma, 1)
	// Cov = inv(R) (sigma2 phi) inv(R'): from the left, transpose, again.
	half := pr.fromBasis(c.phi, p)
	f.Cov = pr.fromBasis(transpose(half, p), p)
	for i := range f.Cov {
		f.Cov[i] *= sigma2
	}
	return f
}

// fromBasis returns inv(R) b for a p x k matrix b: coefficients of the
// orthonormal columns as coefficients of X.
func (pr *problem) fromBasis(b []float64, k int) []float64 {
	out := slices.Clone(b)
	solveUpper(transpose(pr.r, pr.p), pr.p, out, k)
	return out
}

func transpose(a []float64, n int) []float64 {
	out := make([]float64, n*n)
	for i := range n {
		for j := range n {
			out[j*n+i] = a[i*n+j]
		}
	}
	return out
}

var errSingular = errors.New("noise: the information about the components is singular")

// inverse returns the inverse of the symmetric positive definite n x n matrix
// a, scaled to a unit diagonal first: variances of very different size are no
// reason to fail.
func inverse(a []float64, n int) ([]float64, error) {
	d := make([]float64, n)
	l := make([]float64, n*n)
	out := make([]float64, n*n)
	for i := range n {
		if !(a[i*n+i] > 0) {
			return nil, errSingular
		}
		d[i] = 1 / math.Sqrt(a[i*n+i])
		out[i*n+i] = 1
	}
	for i := range n {
		for j := range n {
			l[i*n+j] = a[i*n+j] * d[i] * d[j]
		}
	}
	if !cholesky(l, n) {
		return nil, errSingular
	}
	solveLower(l, n, out, n)
	solveUpper(l, n, out, n)
	for i := range n {
		for j := range n {
			out[i*n+j] *= d[i] * d[j]
		}
	}
	return out, nil
}

// Package levmar fits curves by least squares: it finds the parameters, inside a
// box, for which the squares of the residuals add up to least, and says how the
// search ended.
//
// It is the method of Levenberg (1944) and Marquardt (1963) with the scaling of
// Moré, "The Levenberg-Marquardt algorithm: implementation and theory" (1978),
// section 6, the damping of Nielsen, "Damping parameter in Marquardt's method"
// (1999), and Gauss-Newton steps at the end, which gain the last digits. Steps
// come from a QR decomposition of the Jacobian, never from its square. A Solver
// keeps its memory: fitting again allocates nothing.
package levmar

import "math"

// Func computes m residuals at the parameters p into r, and their derivatives:
// jac[j*m+i] is that of residual i by parameter j. It gives false where the model
// has no value; the search then steps back.
type Func func(p, r, jac []float64) bool

// Status says how a search ended.
type Status int

const (
	Converged Status = iota // no direction inside the box leads down
	Stalled                 // no step leads down any more, although the slope says so
	StepLimit               // still going down when the steps ran out
	NoValue                 // the model has no value at the start
)

func (s Status) String() string {
	return [...]string{"converged", "stalled", "ran out of steps", "no value at the start"}[s]
}

// Options bound and stop the search; the zero value is unbounded.
type Options struct {
	Lo, Hi []float64 // the box; nil = unbounded
	Steps  int       // 0 = 1000
}

// Result is where the search ended. P belongs to the Solver until its next use.
type Result struct {
	P           []float64
	SS          float64 // sum of squared residuals
	Status      Status
	Steps       int // steps taken
	Evaluations int
}

// Solver finds minima, one after the other.
type Solver struct {
	m, n         int
	p, next      []float64
	r, trial     []float64 // residuals at p and at next
	jac, nextJac []float64
	qr           []float64 // jac, then its decomposition
	q            []float64 // Q'r
	damped, rhs  []float64 // the small system of a damped step
	step         []float64
	scale, norms []float64
	free         []int
	decomposed   bool // at p
}

// Constants of the search.
const (
	// offset is how much of the residuals may still lie in the plane of the
	// Jacobian's columns at a minimum, as a share of their length (Bates & Watts
	// 1981, "A relative offset orthogonality convergence criterion"; they ask for
	// a thousandth): what is left to gain is its square, 1e-14 of the sum.
	offset = 1e-7
	// settled is the relative length of an undamped step that is as good as none:
	// ten digits are more than anyone reads. It serves, too, where residuals are
	// nothing but rounding and offset means nothing.
	settled = 1e-10
	// firstDamping is small: the first step is nearly Gauss and Newton's, cut
	// short where that leads up (Nielsen's tau for a start believed good).
	firstDamping = 1e-3
	// shrink is the most by which a good step lowers the damping (Nielsen has 1/3).
	shrink = 0.1
	// accept is the least part of the predicted gain that a step must bring
	// (Moré 1978, section 3).
	accept = 1e-4
	// polish is the most Gauss-Newton steps at the end. With small residuals three
	// are enough, since each doubles the digits; with large ones the error shrinks
	// by a constant factor a step.
	polish = 50
	// lost is the share of a column that is no more than rounding of the others.
	lost = 1e-14
	// tiny is a step that changes nothing in sixteen digits.
	tiny = 1e-15
)

// Minimise searches from start, which is first moved into the box.
func (s *Solver) Minimise(f Func, m int, start []float64, opt Options) Result {
	n := len(start)
	s.resize(m, n)
	copy(s.p, start)
	s.decomposed = false
	for j := range s.p {
		s.p[j] = opt.clip(j, s.p[j])
		s.scale[j] = 0
	}
	res := Result{P: s.p, Evaluations: 1}
	if !s.evaluate(f, s.p, s.r, s.jac) {
		res.Status, res.SS = NoValue, math.NaN()
		return res
	}
	res.SS = dot(s.r, s.r)
	limit := opt.Steps
	if limit == 0 {
		limit = 1000
	}
	mu, grow := firstDamping, 2.0
	res.Status = StepLimit
	for res.Steps < limit {
		s.decompose(opt)
		if s.atMinimum(res.SS) {
			break
		}
		moved := false
		for {
			s.dampedStep(mu)
			size, predicted := s.propose(opt)
			if !(size > tiny) {
				break
			}
			res.Evaluations++
			ss := math.Inf(1)
			// Most steps are taken, so their derivatives are computed at once.
			if s.evaluate(f, s.next, s.trial, s.nextJac) {
				ss = dot(s.trial, s.trial)
			}
			gain := (res.SS - ss) / predicted
			if predicted > 0 && gain > accept {
				mu *= math.Max(shrink, 1-cube(2*gain-1))
				grow = 2
				moved = true
				break
			}
			mu *= grow
			grow *= 2
			if math.IsInf(mu, 1) {
				break
			}
		}
		if !moved {
			break
		}
		res.Steps++
		s.take(&res)
	}
	if res.Steps < limit {
		s.polish(f, opt, &res)
	}
	return res
}

// atMinimum tells whether what is left to gain is lost in rounding.
func (s *Solver) atMinimum(ss float64) bool {
	n := min(len(s.free), s.m)
	inPlane := dot(s.q[:n], s.q[:n])
	return inPlane <= sq(offset)*ss
}

// polish takes undamped steps while they get shorter and do not lead up, and
// settles the status. Near the minimum the sum of squares is flat to rounding long
// before the parameters are, so rounding is allowed for.
func (s *Solver) polish(f Func, opt Options, res *Result) {
	const rounding = 1e-9 // of residuals that are a millionth of the data
	last := math.Inf(1)
	for range polish {
		s.decompose(opt)
		if !s.fullRank() {
			break
		}
		s.dampedStep(0)
		size, _ := s.propose(opt)
		if !(size < last) {
			break
		}
		last = size
		if size <= settled {
			break
		}
		res.Evaluations++
		if !s.evaluate(f, s.next, s.trial, s.nextJac) || !(dot(s.trial, s.trial) <= res.SS*(1+rounding)) {
			break
		}
		s.take(res)
	}
	s.decompose(opt)
	res.Status = Stalled
	if last <= settled || s.atMinimum(res.SS) {
		res.Status = Converged
	}
}

// take moves to the parameters that were tried.
func (s *Solver) take(res *Result) {
	s.decomposed = false
	s.p, s.next = s.next, s.p
	s.r, s.trial = s.trial, s.r
	s.jac, s.nextJac = s.nextJac, s.jac
	res.P, res.SS = s.p, dot(s.r, s.r)
}

func (s *Solver) evaluate(f Func, p, r, jac []float64) bool {
	if !f(p, r, jac) {
		return false
	}
	ss := dot(r, r)
	var nothing float64 // times infinity or NaN it is NaN
	for _, v := range jac {
		nothing += 0 * v
	}
	return nothing == 0 && !math.IsInf(ss, 1) && !math.IsNaN(ss)
}

// decompose finds which parameters may move, those that no bound holds, and
// makes QR of their columns: qr then holds R above its diagonal, column by column,
// and q holds Q'r.
func (s *Solver) decompose(opt Options) {
	if s.decomposed {
		return
	}
	s.decomposed = true
	s.free = s.free[:0]
	for j := range s.n {
		column := s.jac[j*s.m : (j+1)*s.m]
		s.norms[j] = math.Sqrt(dot(column, column))
		s.scale[j] = math.Max(s.scale[j], s.norms[j])
		slope := dot(column, s.r)
		if opt.Lo != nil && s.p[j] <= opt.Lo[j] && slope >= 0 || opt.Hi != nil && s.p[j] >= opt.Hi[j] && slope <= 0 {
			continue
		}
		copy(s.qr[len(s.free)*s.m:], column)
		s.free = append(s.free, j)
	}
	copy(s.q, s.r)
	triangulate(s.qr, s.q, s.m, len(s.free))
}

// fullRank tells whether a step without damping is defined: the diagonal of R
// is not lost in rounding.
func (s *Solver) fullRank() bool {
	if s.m < len(s.free) {
		return false
	}
	for k, j := range s.free {
		if !(math.Abs(s.qr[k*s.m+k]) > lost*s.norms[j]) {
			return false
		}
	}
	return true
}

// dampedStep solves for the step of least |R step + q|² + mu |D step|², D the
// scale of the parameters.
func (s *Solver) dampedStep(mu float64) {
	n := len(s.free)
	rows := 2 * n
	have := min(s.m, n)
	for k, j := range s.free {
		column := s.damped[k*rows : (k+1)*rows]
		clear(column)
		copy(column, s.qr[k*s.m:k*s.m+min(k+1, have)])
		d := s.scale[j]
		if d == 0 {
			d = 1
		}
		column[n+k] = math.Sqrt(mu) * d
	}
	clear(s.rhs[:rows])
	for k := range have {
		s.rhs[k] = -s.q[k]
	}
	if mu > 0 {
		triangulate(s.damped, s.rhs, rows, n)
	}
	for k := n - 1; k >= 0; k-- {
		sum := s.rhs[k]
		for l := k + 1; l < n; l++ {
			sum -= s.damped[l*rows+k] * s.step[l]
		}
		if d := s.damped[k*rows+k]; d != 0 {
			s.step[k] = sum / d
		} else {
			s.step[k] = 0
		}
	}
}

// propose fills next with the step, kept in the box. It gives the step's size
// relative to the parameters', and the fall of the sum of squares that the linear
// model predicts.
func (s *Solver) propose(opt Options) (size, predicted float64) {
	copy(s.next, s.p)
	var moved, length float64
	for k, j := range s.free {
		s.next[j] = opt.clip(j, s.p[j]+s.step[k])
		s.step[k] = s.next[j] - s.p[j]
	}
	for j := range s.n {
		moved += sq(s.scale[j] * (s.next[j] - s.p[j]))
		length += sq(s.scale[j] * s.p[j])
	}
	n := min(len(s.free), s.m)
	for k := range n {
		v := s.q[k]
		predicted += v * v
		for l := k; l < len(s.free); l++ {
			v += s.qr[l*s.m+k] * s.step[l]
		}
		predicted -= v * v
	}
	if length == 0 {
		length = 1
	}
	return math.Sqrt(moved / length), predicted
}

// Inverse gives the inverse of J'J, row by row, of a Jacobian of m rows and n
// columns stored column by column. With the variance of a residual it is the
// covariance of the estimates. False: the columns are not independent.
func Inverse(jac []float64, m, n int) ([]float64, bool) {
	c := make([]float64, n*n)
	qr, unused := append([]float64{}, jac[:m*n]...), make([]float64, m)
	triangulate(qr, unused, m, n)
	for j := range n {
		if column := jac[j*m : (j+1)*m]; m < n || !(math.Abs(qr[j*m+j]) > lost*math.Sqrt(dot(column, column))) {
			return c, false
		}
	}
	// inverse is that of R, upper triangular, column by column.
	inverse := make([]float64, n*n)
	for l := range n {
		inverse[l*n+l] = 1 / qr[l*m+l]
		for k := l - 1; k >= 0; k-- {
			var sum float64
			for i := k + 1; i <= l; i++ {
				sum += qr[i*m+k] * inverse[l*n+i]
			}
			inverse[l*n+k] = -sum / qr[k*m+k]
		}
	}
	for a := range n {
		for b := range n {
			for l := max(a, b); l < n; l++ {
				c[a*n+b] += inverse[l*n+a] * inverse[l*n+b]
			}
		}
	}
	return c, true
}

func (o Options) clip(j int, v float64) float64 {
	if o.Lo != nil {
		v = math.Max(v, o.Lo[j])
	}
	if o.Hi != nil {
		v = math.Min(v, o.Hi[j])
	}
	return v
}

func (s *Solver) resize(m, n int) {
	s.m, s.n = m, n
	s.p, s.next, s.step = grown(s.p, n), grown(s.next, n), grown(s.step, n)
	s.scale, s.norms = grown(s.scale, n), grown(s.norms, n)
	s.r, s.trial, s.q = grown(s.r, m), grown(s.trial, m), grown(s.q, m)
	s.jac, s.nextJac, s.qr = grown(s.jac, m*n), grown(s.nextJac, m*n), grown(s.qr, m*n)
	s.damped, s.rhs = grown(s.damped, 2*n*n), grown(s.rhs, 2*n)
	if cap(s.free) < n {
		s.free = make([]int, 0, n)
	}
}

func grown(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

package scaling

import (
	"math"
	"slices"

	"noisefloor/analysis/internal/levmar"
)

// fit is a law with its parameters found. Each day has a scale of its own, so
// that a slow day is no level's fault; the curve's scale is that of a typical day,
// the geometric mean of the days'.
type fit struct {
	law    law
	s      *sample
	p      []float64
	logs   []float64 // log scale of each day
	scale  float64   // log scale of the curve
	rss    float64
	status levmar.Status
	bound  bool // a parameter ended on a bound that is a convention
}

// log is the log of the curve at x.
func (f *fit) log(x float64) float64 { return f.scale + f.law.logShape(f.p, x, nil) }

func (f *fit) values() []float64 { return f.law.values(math.Exp(f.scale), f.p) }

// ok tells whether a fit can be used: a search that stalled stands where
// rounding let it, one that ran out of steps does not.
func (f *fit) ok() bool {
	return f != nil && (f.status == levmar.Converged || f.status == levmar.Stalled)
}

// fitter fits laws; it keeps its memory from fit to fit.
type fitter struct {
	solver  levmar.Solver
	natural bool

	// of the fit under way
	law     law
	plain   plain // the same; nil if it is not
	s       *sample
	shape   []float64 // per level: log of the shape, or the shape itself
	grads   []float64 // per level, by parameter
	centred []float64 // y less the day's mean
	mean    []float64
	call    levmar.Func
}

func newFitter(natural bool) *fitter {
	f := &fitter{natural: natural}
	f.call = f.onLogs
	if natural {
		f.call = f.onValues
	}
	return f
}

// fit searches all regions of the law and takes the best end. Where warm is given,
// a box that holds it is searched once, from there.
func (f *fitter) fit(l law, s *sample, y []float64, warm []float64, extended bool) *fit {
	f.law, f.s = l, s
	f.plain, _ = l.(plain)
	f.prepare()
	var best *fit
	var warmed *region
	for i, r := range l.regions(y, extended) {
		if warmed != nil && slices.Equal(r.lo, warmed.lo) && slices.Equal(r.hi, warmed.hi) {
			continue
		}
		if warm != nil && r.holds(warm) {
			r.start, warmed = warm, &r
		}
		f.reserve(len(r.start))
		res := f.solver.Minimise(f.call, len(s.y), r.start, levmar.Options{Lo: r.lo, Hi: r.hi})
		if res.Status == levmar.NoValue || best != nil && !(res.SS < best.rss) {
			continue
		}
		best = &fit{law: l, s: s, p: append([]float64{}, res.P...), rss: res.SS, status: res.Status}
		for j, v := range best.p {
			if v == r.lo[j] || v == r.hi[j] {
				free := l.regions(y, true)[i]
				best.bound = best.bound || free.lo[j] < v && v == r.lo[j] || free.hi[j] > v && v == r.hi[j]
			}
		}
	}
	if best != nil {
		f.scales(best)
	}
	return best
}

func (r *region) holds(p []float64) bool {
	for j, v := range p {
		if !(v >= r.lo[j] && v <= r.hi[j]) {
			return false
		}
	}
	return true
}

func (f *fitter) reserve(parameters int) {
	levels := len(f.s.axis.levels)
	if cap(f.grads) < levels*parameters {
		f.grads = make([]float64, levels*parameters)
	}
	f.grads = f.grads[:levels*parameters]
	if cap(f.mean) < parameters {
		f.mean = make([]float64, parameters)
	}
	f.mean = f.mean[:parameters]
}

// prepare takes the days' means off y.
func (f *fitter) prepare() {
	s := f.s
	if cap(f.shape) < len(s.axis.levels) {
		f.shape = make([]float64, len(s.axis.levels))
	}
	f.shape = f.shape[:len(s.axis.levels)]
	f.centred = append(f.centred[:0], s.y...)
	if f.natural {
		return
	}
	for d := range s.days {
		cells := f.centred[s.start[d]:s.start[d+1]]
		m := mean(cells)
		for i := range cells {
			cells[i] -= m
		}
	}
}

// curve evaluates the law at all levels.
func (f *fitter) curve(p []float64, slopes bool) bool {
	for k, x := range f.s.axis.levels {
		var grad []float64
		if slopes {
			grad = f.grads[k*len(p) : (k+1)*len(p)]
		}
		var h float64
		switch {
		case f.natural && f.plain != nil:
			h = f.plain.shape(p, x, grad)
		case f.natural:
			h = math.Exp(f.law.logShape(p, x, grad))
		default:
			h = f.law.logShape(p, x, grad)
		}
		if math.IsNaN(h) || math.IsInf(h, 0) {
			return false
		}
		f.shape[k] = h
	}
	return true
}

// onLogs is least squares on logs. There a day's scale is an intercept, and the
// best one makes the day's residuals add up to 0: day means are taken off both
// sides, and the scales need no search.
func (f *fitter) onLogs(p, r, jac []float64) bool {
	if !f.curve(p, true) {
		return false
	}
	s := f.s
	m, n := len(s.y), len(p)
	for d := range s.days {
		from, to := s.start[d], s.start[d+1]
		share := 1 / float64(to-from)
		var h float64
		for i := from; i < to; i++ {
			h += f.shape[s.level[i]]
		}
		h *= share
		for i := from; i < to; i++ {
			r[i] = f.shape[s.level[i]] - h - f.centred[i]
		}
		for j := range n {
			column := jac[j*m:]
			var g float64
			for i := from; i < to; i++ {
				g += f.grads[s.level[i]*n+j]
			}
			g *= share
			for i := from; i < to; i++ {
				column[i] = f.grads[s.level[i]*n+j] - g
			}
		}
	}
	return true
}

// onValues is least squares on the values themselves. A day's best scale is
// sum(y s)/sum(s²) for the shape s, and its derivatives belong to the residuals'
// (variable projection: Golub & Pereyra 1973).
func (f *fitter) onValues(p, r, jac []float64) bool {
	if !f.curve(p, true) {
		return false
	}
	s := f.s
	m, n := len(s.y), len(p)
	shape, grads := f.shape, f.grads
	for d := range s.days {
		from, to := s.start[d], s.start[d+1]
		y, level, r := s.y[from:to], s.level[from:to], r[from:to]
		var ys, ss float64
		for i, k := range level {
			v := shape[k]
			ys += y[i] * v
			ss += v * v
		}
		scale := ys / ss
		if !(scale > 0) {
			return false
		}
		for i, k := range level {
			r[i] = scale*shape[k] - y[i]
		}
		for j := range n {
			column := jac[j*m+from : j*m+to]
			var yg, sg float64
			for i, k := range level {
				v := shape[k]
				g := v * grads[k*n+j]
				column[i] = g
				yg += y[i] * g
				sg += v * g
			}
			slope := (yg - 2*scale*sg) / ss
			for i, k := range level {
				column[i] = shape[k]*slope + scale*column[i]
			}
		}
	}
	return true
}

// scales finds each day's scale at the parameters of the fit.
func (f *fitter) scales(best *fit) {
	s := f.s
	f.curve(best.p, false)
	best.logs = make([]float64, len(s.days))
	for d := range s.days {
		var sum, ss, n float64
		for i := s.start[d]; i < s.start[d+1]; i++ {
			v := f.shape[s.level[i]]
			if f.natural {
				sum, ss = sum+s.y[i]*v, ss+v*v
			} else {
				sum, n = sum+s.y[i]-v, n+1
			}
		}
		best.logs[d] = sum / n
		if f.natural {
			best.logs[d] = math.Log(sum / ss)
		}
	}
	best.scale = mean(best.logs)
}

// residuals are y less the fit, cell by cell.
func (f *fit) residuals(natural bool) []float64 {
	r := make([]float64, len(f.s.y))
	for d := range f.s.days {
		for i := f.s.start[d]; i < f.s.start[d+1]; i++ {
			h := f.logs[d] + f.law.logShape(f.p, f.s.axis.levels[f.s.level[i]], nil)
			if natural {
				h = math.Exp(h)
			}
			r[i] = f.s.y[i] - h
		}
	}
	return r
}

func mean(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

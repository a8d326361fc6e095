package scaling

import "math"

// peak is best or worst in the middle: a parabola in log y against log x (or x):
//
//	log f(x) = a + b u + c u²
//
// with u from -1 to 1 over the measured range. It is a description, not a
// theory: it says where the best value is, not why.
type peak struct{ axis }

func newPeak(a axis) law { return peak{a} }

func (l peak) logShape(p []float64, x float64, grad []float64) float64 {
	u := 2*l.unit(x) - 1
	if grad != nil {
		grad[0], grad[1] = u, u*u
	}
	return p[0]*u + p[1]*u*u
}

func (l peak) regions(y []float64, extended bool) []region {
	return box([]float64{rise(y) / 2, 0}, []float64{-farLog, -farLog}, []float64{farLog, farLog})
}

// terms: the curvature is the log of what the ends of the range lose (below 0)
// or win against its middle.
func (l peak) terms() []termName {
	return []termName{{"turn", OfX, l.log, -inf, inf}, {"at_turn", OfY, true, 0, inf}, {"curvature", Number, false, -inf, inf}}
}

func (l peak) values(scale float64, p []float64) []float64 {
	x := l.turn(p)
	return []float64{x, scale * math.Exp(l.logShape(p, x, nil)), p[1]}
}

func (l peak) turn(p []float64) float64 {
	if p[1] == 0 {
		return math.NaN()
	}
	return l.at((1 - p[0]/(2*p[1])) / 2)
}

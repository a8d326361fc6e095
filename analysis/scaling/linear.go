package scaling

import "math"

// linear is a straight line that stays above zero over the measured range:
//
//	f(x) = intercept + slope x
//
// Its parameter is the log of its ratio from the last level to the first, which
// any line above zero has.
type linear struct{ axis }

func newLinear(a axis) law { return linear{axis{a.levels, false}} }

func (l linear) logShape(p []float64, x float64, grad []float64) float64 {
	u, ratio := l.unit(x), math.Exp(p[0])
	s := 1 - u + ratio*u
	if grad != nil {
		grad[0] = ratio * u / s
	}
	return math.Log(s)
}

func (l linear) regions(y []float64, extended bool) []region {
	return box([]float64{rise(y)}, []float64{-farLog}, []float64{farLog})
}

// farLog bounds logs of ratios: e^50 is no measurement.
const farLog = 50

func (l linear) terms() []termName {
	return []termName{{"intercept", OfY, false, -inf, inf}, {"slope", YPerX, false, -inf, inf}}
}

func (l linear) values(scale float64, p []float64) []float64 {
	slope := scale * math.Expm1(p[0]) / (l.hi() - l.lo())
	return []float64{scale - slope*l.lo(), slope}
}

func (l linear) turn([]float64) float64 { return math.NaN() }

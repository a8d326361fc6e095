package scaling

import "math"

// power is a straight line on paper with two log scales:
//
//	f(x) = coefficient x^exponent
type power struct{}

func newPower(axis) law { return power{} }

func (power) logShape(p []float64, x float64, grad []float64) float64 {
	log := math.Log(x)
	if grad != nil {
		grad[0] = log
	}
	return p[0] * log
}

func (power) regions(y []float64, extended bool) []region {
	return box([]float64{0}, []float64{-farLog}, []float64{farLog})
}

func (power) terms() []termName {
	return []termName{{"coefficient", OfY, true, 0, inf}, {"exponent", Number, false, -inf, inf}}
}

func (power) values(scale float64, p []float64) []float64 { return []float64{scale, p[0]} }
func (power) turn([]float64) float64                      { return math.NaN() }

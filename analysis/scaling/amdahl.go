package scaling

import "math"

// amdahl is throughput when a share sigma of the work is done by one at a time
// (Amdahl 1967, "Validity of the single processor approach"):
//
//	f(N) = lambda N / (1 + sigma (N-1))
//
// It levels off at lambda/sigma.
type amdahl struct{}

func newAmdahl(axis) law { return amdahl{} }

func (l amdahl) logShape(p []float64, n float64, grad []float64) float64 {
	return math.Log(l.shape(p, n, grad))
}

func (amdahl) shape(p []float64, n float64, grad []float64) float64 {
	d := 1 + p[0]*(n-1)
	if !(d > 0) {
		return math.NaN()
	}
	if grad != nil {
		grad[0] = (1 - n) / d
	}
	return n / d
}

func (amdahl) regions(y []float64, extended bool) []region {
	if extended {
		return box([]float64{.1}, []float64{-inf}, []float64{inf})
	}
	return box([]float64{.1}, []float64{0}, []float64{1})
}

func (amdahl) terms() []termName {
	return []termName{{"sigma", Number, false, 0, 1}, {"lambda", YPerX, true, 0, inf}}
}

func (amdahl) values(scale float64, p []float64) []float64 { return []float64{p[0], scale} }
func (amdahl) turn([]float64) float64                      { return math.NaN() }

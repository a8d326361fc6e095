package scaling

import "math"

// gustafson is throughput when the work grows with the clients and a share alpha
// of it does not (Gustafson 1988, "Reevaluating Amdahl's law"):
//
//	f(N) = lambda (N - alpha (N-1))
type gustafson struct{}

func newGustafson(axis) law { return gustafson{} }

func (l gustafson) logShape(p []float64, n float64, grad []float64) float64 {
	return math.Log(l.shape(p, n, grad))
}

func (gustafson) shape(p []float64, n float64, grad []float64) float64 {
	s := n - p[0]*(n-1)
	if !(s > 0) {
		return math.NaN()
	}
	if grad != nil {
		grad[0] = (1 - n) / s
	}
	return s
}

func (gustafson) regions(y []float64, extended bool) []region {
	if extended {
		return box([]float64{.5}, []float64{-inf}, []float64{inf})
	}
	return box([]float64{.5}, []float64{0}, []float64{1})
}

func (gustafson) terms() []termName {
	return []termName{{"alpha", Number, false, 0, 1}, {"lambda", YPerX, true, 0, inf}}
}

func (gustafson) values(scale float64, p []float64) []float64 { return []float64{p[0], scale} }
func (gustafson) turn([]float64) float64                      { return math.NaN() }

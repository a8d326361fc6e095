package scaling

import "math"

// usl is the Universal Scalability Law (Gunther 1993; Guerrilla Capacity
// Planning, 2007, eq. 4.31): contention sigma, the share of the work done by one
// at a time, and coherency kappa, the price of each pair of clients that must
// agree:
//
//	f(N) = lambda N / (1 + sigma (N-1) + kappa N (N-1))
//
// It peaks at sqrt((1-sigma)/kappa).
type usl struct{ axis }

func newUSL(a axis) law { return usl{a} }

func (l usl) logShape(p []float64, n float64, grad []float64) float64 {
	return math.Log(l.shape(p, n, grad))
}

func (usl) shape(p []float64, n float64, grad []float64) float64 {
	d := 1 + p[0]*(n-1) + p[1]*n*(n-1)
	if !(d > 0) {
		return math.NaN()
	}
	if grad != nil {
		grad[0] = (1 - n) / d
		grad[1] = n * (1 - n) / d
	}
	return n / d
}

func (l usl) regions(y []float64, extended bool) []region {
	// Of the two, kappa is felt last: a tenth at the last level.
	start := []float64{.1, .1 / sq(l.hi())}
	if extended {
		return box(start, []float64{-inf, -inf}, []float64{inf, inf})
	}
	return box(start, []float64{0, 0}, []float64{1, inf})
}

func (usl) terms() []termName {
	return []termName{{"sigma", Number, true, 0, 1}, {"kappa", Number, true, 0, inf}, {"lambda", YPerX, true, 0, inf}}
}

func (usl) values(scale float64, p []float64) []float64 { return []float64{p[0], p[1], scale} }

func (usl) turn(p []float64) float64 {
	switch {
	case p[0] >= 1:
		return math.NaN()
	case !(p[1] > 0):
		return inf
	}
	return math.Sqrt((1 - p[0]) / p[1])
}

func sq(x float64) float64 { return x * x }

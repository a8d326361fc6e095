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
	start := l.guess(y)
	if extended {
		return box(start, []float64{-inf, -inf}, []float64{inf, inf})
	}
	return box(start, []float64{0, 0}, []float64{1, inf})
}

// guess starts near the end: as N/f(N) is a parabola in N-1 (Gunther 2007, section
// 5.5), ordinary least squares finds its three terms, here of 1 = N/f(N) f(N)/N so
// that every level counts the same.
func (l usl) guess(y []float64) []float64 {
	hi := l.hi()
	var a [3][4]float64 // normal equations, both sides
	for k, n := range l.levels {
		z := math.Exp(y[k]-y[0]) / n
		v := z * (n - 1) / hi
		w := v * n / hi
		a[0][0] += z * z
		a[0][1] += z * v
		a[0][2] += z * w
		a[0][3] += z
		a[1][1] += v * v
		a[1][2] += v * w
		a[1][3] += v
		a[2][2] += w * w
		a[2][3] += w
	}
	a[1][0], a[2][0], a[2][1] = a[0][1], a[0][2], a[1][2]
	for i := range a { // Gauss and Jordan's; the start needs few digits
		for k := range a {
			if k == i {
				continue
			}
			f := a[k][i] / a[i][i]
			for j := i; j < 4; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	lambda := a[0][3] / a[0][0] // its inverse, that is
	sigma, kappa := a[1][3]/a[1][1]/lambda/hi, a[2][3]/a[2][2]/lambda/sq(hi)
	if !(lambda > 0) || !known(sigma) || !known(kappa) {
		// Of the two, kappa is felt last: a tenth at the last level.
		return []float64{.1, .1 / sq(hi)}
	}
	return []float64{sigma, kappa}
}

func (usl) terms() []termName {
	return []termName{{"sigma", Number, false, 0, 1}, {"kappa", Number, false, 0, inf}, {"lambda", YPerX, true, 0, inf}}
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

package scaling

import "math"

// segmented is two lines that meet in a knee, as where a table cache or the
// cores run out. On a log axis the lines are of log y against log x, and their
// steepness is an exponent; on a linear one of y against x.
type segmented struct{ axis }

func newSegmented(a axis) law { return segmented{a} }

// The parameters are the place of the knee, 0 to 1 over the range, and the log of
// the ratio of knee and end to the first level.
func (l segmented) logShape(p []float64, x float64, grad []float64) float64 {
	knee, u := p[0], l.unit(x)
	// w goes from 0 to 1 along the piece that x is on, dw its derivative by knee.
	first := u < knee
	w, dw := u/knee, -u/sq(knee)
	if !first {
		w, dw = (u-knee)/(1-knee), (u-1)/sq(1-knee)
	}
	from, to := 0.0, p[1]
	if !first {
		from, to = p[1], p[2]
	}
	var h, dFrom, dTo, dKnee float64
	if l.log {
		h, dFrom, dTo, dKnee = from+(to-from)*w, 1-w, w, (to-from)*dw
	} else {
		a, b := math.Exp(from), math.Exp(to)
		s := a + (b-a)*w
		h, dFrom, dTo, dKnee = math.Log(s), a*(1-w)/s, b*w/s, (b-a)*dw/s
	}
	if grad != nil {
		grad[0], grad[1], grad[2] = dKnee, dTo, 0
		if !first {
			grad[1], grad[2] = dFrom, dTo
		}
	}
	return h
}

// regions: one for each gap between levels. Inside a gap no level changes from
// one piece to the other, so the squares are smooth there; two levels at least
// stand on either side.
func (l segmented) regions(y []float64, extended bool) []region {
	var list []region
	for i := 1; i+2 < len(l.levels); i++ {
		low, high := l.unit(l.levels[i]), l.unit(l.levels[i+1])
		start := []float64{(low + high) / 2, (y[i]+y[i+1])/2 - y[0], rise(y)}
		list = append(list, region{start, []float64{low, -farLog, -farLog}, []float64{high, farLog, farLog}})
	}
	return list
}

func (l segmented) terms() []termName {
	steepness, unit := "exponent", Number
	if !l.log {
		steepness, unit = "slope", YPerX
	}
	return []termName{{"knee", OfX, l.lo() >= 0, l.levels[1], l.levels[len(l.levels)-2]}, {"at_knee", OfY, true, 0, inf},
		{steepness + "_before", unit, false, -inf, inf}, {steepness + "_after", unit, false, -inf, inf}}
}

func (l segmented) values(scale float64, p []float64) []float64 {
	knee := l.at(p[0])
	if l.log {
		return []float64{knee, scale * math.Exp(p[1]), p[1] / math.Log(knee/l.lo()), (p[2] - p[1]) / math.Log(l.hi()/knee)}
	}
	at := scale * math.Exp(p[1])
	return []float64{knee, at, (at - scale) / (knee - l.lo()), (scale*math.Exp(p[2]) - at) / (l.hi() - knee)}
}

func (l segmented) turn(p []float64) float64 {
	if p[1]*(p[2]-p[1]) < 0 {
		return l.at(p[0])
	}
	return math.NaN()
}

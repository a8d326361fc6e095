package scaling

import "math"

// saturating goes from a start at x = 0 to a plateau, in one direction (Michaelis
// & Menten 1913, with a start that need not be 0):
//
//	f(x) = (start half + plateau x) / (half + x)
//
// At x = half, half of the way is done. With a start of 0 it is Amdahl's curve.
type saturating struct{ axis }

func newSaturating(a axis) law { return saturating{a} }

// The parameters are the log of half and start/plateau.
func (l saturating) logShape(p []float64, x float64, grad []float64) float64 {
	half := math.Exp(p[0])
	top, below := p[1]*half+x, half+x
	if !(top > 0) {
		return math.NaN()
	}
	if grad != nil {
		grad[0] = half * (p[1]/top - 1/below)
		grad[1] = half / top
	}
	return math.Log(top / below)
}

// regions: beyond a hundred times the last level, or below a hundredth of the
// first, nothing could tell one half from another.
func (l saturating) regions(y []float64, extended bool) []region {
	lo := l.lo()
	if lo <= 0 {
		lo = l.levels[1]
	}
	low, high := math.Log(lo/100), math.Log(l.hi()*100)
	least := 0.0
	if extended {
		least = -inf
	}
	var list []region
	for _, share := range []float64{.2, .5, .8} {
		half := math.Log(lo)*(1-share) + math.Log(l.hi())*share
		list = append(list, region{[]float64{half, math.Exp(-rise(y)) / 2}, []float64{low, least}, []float64{high, inf}})
	}
	return list
}

func (l saturating) terms() []termName {
	return []termName{{"start", OfY, false, 0, inf}, {"plateau", OfY, true, 0, inf}, {"half", OfX, true, 0, inf}}
}

func (l saturating) values(scale float64, p []float64) []float64 {
	return []float64{scale * p[1], scale, math.Exp(p[0])}
}

func (l saturating) turn([]float64) float64 { return math.NaN() }

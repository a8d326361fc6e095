package noise

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis"
)

// ProfileSD bounds the standard deviation of one component (a random term, or
// len(terms) for the residual) by the profile of the *restricted* likelihood:
// all values at which the best REML criterion of the other parameters is
// within the chi-square quantile of its minimum. lme4's confint profiles the
// ML criterion instead, which is another and shorter interval. Lo is 0 if 0
// lies within.
func ProfileSD(f Fit, component int, confidence float64) (analysis.Estimate, error) {
	pr := f.problem
	if pr == nil {
		panic("noise: ProfileSD needs a Fit made by REML")
	}
	if component < 0 || component >= len(f.Var) {
		panic("noise: no such component")
	}
	e := analysis.Estimate{Value: math.Sqrt(f.Var[component]), Lo: math.NaN(), Hi: math.NaN(), Confidence: confidence}
	limit := math.Sqrt(distuv.ChiSquared{K: 1}.Quantile(confidence))
	p := newProfile(f, component)
	// The signed root of the rise is nearly linear in the SD, and so quick to
	// solve; at the estimate it is 0.
	rise := func(sd float64) float64 { return math.Sqrt(max(0, p.at(sd)-f.Criterion)) - limit }
	lo := 0.0
	if component == len(f.Var)-1 {
		for lo = e.Value / 2; rise(lo) < 0; lo /= 2 {
		}
	}
	var err error
	if lo == 0 && rise(0) <= 0 {
		e.Lo = 0
	} else if e.Lo, err = crossing(rise, e.Value, lo); err != nil {
		return e, err
	}
	from, hi := e.Value, 2*e.Value
	if hi == 0 {
		hi = math.Sqrt(f.Var[len(f.Var)-1]) / 8
	}
	for tries := 0; rise(hi) < 0; tries++ {
		if tries == 200 {
			return e, errors.New("noise: the profile has no upper end")
		}
		from, hi = hi, 2*hi
	}
	e.Hi, err = crossing(rise, from, hi)
	return e, err
}

// profile is the best criterion with one component held.
type profile struct {
	c         *restricted
	component int
	start     []float64 // log residual variance (unless held), then x of the free terms
	x         []float64
	slope     []float64
	lower     []float64
	upper     []float64
}

func newProfile(f Fit, component int) *profile {
	p := &profile{c: newRestricted(f.problem), component: component}
	terms := len(f.Theta)
	add := func(start, lower, upper float64) {
		p.start, p.lower, p.upper = append(p.start, start), append(p.lower, lower), append(p.upper, upper)
	}
	if component < terms {
		sigma2 := f.Var[terms] / sq(f.problem.scale)
		// e^30 up or down is a factor of 3e6 in the SD.
		add(math.Log(sigma2), math.Log(sigma2)-30, math.Log(sigma2)+30)
	}
	for t, th := range f.Theta {
		if t != component {
			add(math.Log1p(sq(th)*p.c.perGroup[t]), 0, largestX)
		}
	}
	p.x, p.slope = make([]float64, len(p.start)), make([]float64, len(p.start))
	return p
}

// at returns the best criterion with the component's SD held.
func (p *profile) at(sd float64) float64 {
	c := p.c
	held := sq(sd / c.pr.scale)
	terms := len(c.perGroup)
	residual := p.component == terms
	criterion := func(x, slope []float64) float64 {
		sigma2, rest := held, x
		if !residual {
			sigma2, rest = math.Exp(x[0]), x[1:]
		}
		i := 0
		for t := range terms {
			if t == p.component {
				c.ratio[t] = held / sigma2
				continue
			}
			c.ratio[t] = math.Expm1(rest[i]) / c.perGroup[t]
			i++
		}
		c.eval(c.ratio)
		c.slopes()
		byRatio := func(t int) float64 { return c.trace[t] - c.square[t]/sigma2 }
		if !residual {
			// log sigma2 moves the held component's ratio the other way.
			slope[0] = c.df() - c.rss/sigma2 - byRatio(p.component)*c.ratio[p.component]
		}
		i = len(x) - len(rest)
		for t := range terms {
			if t != p.component {
				slope[i] = byRatio(t) * c.chain(t, x[i])
				i++
			}
		}
		return c.at(sigma2)
	}
	copy(p.x, p.start)
	value, _ := minimise(criterion, p.x, p.lower, p.upper, nil)
	return value
}

// crossing finds where f changes sign between a and b by regula falsi with the
// Illinois rule (Dowell & Jarratt 1971).
func crossing(f func(float64) float64, a, b float64) (float64, error) {
	fa, fb := f(a), f(b)
	if fa == 0 {
		return a, nil
	}
	if math.IsNaN(fa) || math.IsNaN(fb) || (fa > 0) == (fb > 0) {
		return math.NaN(), errors.New("noise: the profile does not cross its limit where it should")
	}
	for range 200 {
		c := (a*fb - b*fa) / (fb - fa)
		if math.Abs(b-a) <= 1e-10*math.Abs(c) || c == a || c == b {
			return c, nil
		}
		fc := f(c)
		switch {
		case math.Abs(fc) <= 1e-11:
			return c, nil
		case (fc > 0) == (fb > 0):
			fa /= 2
		default:
			a, fa = b, fb
		}
		b, fb = c, fc
	}
	return b, nil
}

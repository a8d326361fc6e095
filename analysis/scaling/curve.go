package scaling

import (
	"math"
	"math/rand/v2"

	"noisefloor/analysis"
)

// Term is one number of a curve, with its interval.
type Term struct {
	Name string
	Unit Unit
	analysis.Estimate
}

// Point is a place on a curve: the interval that holds this point, and the band
// that holds all points at once.
type Point struct {
	X float64
	analysis.Estimate
	BandLo, BandHi float64
}

// Observed is what was measured at one level.
type Observed struct {
	X, Mean, Low, High float64 // mean by the law's scale; lowest and highest run
	Runs               int
}

// Peak is where a curve is best.
type Peak struct {
	X      analysis.Estimate // place; NaN bounds are unknown, which may be infinite
	Y      analysis.Estimate // value there
	Within bool              // inside the measured range
}

// Curve is the law of one arm.
type Curve struct {
	Arm        int
	Law        string
	Terms      []Term
	Peak       *Peak // nil where the law does not turn, or turns the other way
	AICc       float64
	LackOfFitP float64
	Misfit     float64 // largest relative distance of a level's mean from the curve
	MisfitAt   float64
	Days       int // known days; 0 = unknown
	Runs       int
	Observed   []Observed
	Points     []Point
	Warnings   []analysis.Warning

	reps *replicates
}

// newCurve takes everything that is printed out of the fits.
func newCurve(r *replicates, opt Options, grid []float64, rng *rand.Rand) Curve {
	f := r.full
	c := Curve{AICc: aicc(f.rss, len(f.s.y), 1+len(f.p)+len(f.s.days)), Days: len(f.s.days), Runs: f.s.runs, reps: r}
	m := f.misfit(opt.Natural)
	c.LackOfFitP = m.p()
	c.MisfitAt, c.Misfit = f.worst(opt.Natural)
	c.Misfit = math.Abs(c.Misfit)
	for i, t := range f.law.terms() {
		e := r.term(i, t, opt.Confidence)
		c.Terms = append(c.Terms, Term{t.name, t.unit, e})
		if t.name == "knee" && (e.Value == t.lo || e.Value == t.hi) {
			c.Warnings = append(c.Warnings, analysis.KneeAtEdge{At: e.Value})
		} else if known(t.lo) && e.Value == t.lo || known(t.hi) && e.Value == t.hi {
			c.Warnings = append(c.Warnings, analysis.TermAtBound{Term: t.name, Bound: e.Value})
		}
	}
	if len(f.s.days) > 1 && r.days() < 2 {
		c.Warnings = append(c.Warnings, analysis.SearchUnsettled{Law: opt.Law, Without: "one of the days"})
	}
	c.addPeak(opt)
	c.addPoints(opt, grid, rng)
	return c
}

// addPoints evaluates the curve on the grid, with intervals and the band.
func (c *Curve) addPoints(opt Options, grid []float64, rng *rand.Rand) {
	r := c.reps
	factor := math.NaN()
	if r.days() > 1 {
		factor = widen(bends(r.full, grid, opt.Natural), r.days(), opt.Confidence, rng)
	}
	for _, x := range grid {
		c.Points = append(c.Points, pointOf(x, r.full.log(x), of(r.wideWithout, at(x)), opt.Confidence, factor))
	}
}

func at(x float64) func(*fit) float64 { return func(f *fit) float64 { return f.log(x) } }

// pointOf makes a point from logs: value +- t or factor standard errors.
func pointOf(x, log float64, without []float64, confidence, factor float64) Point {
	se := spread(without)
	half, wide := quantile(len(without), confidence)*se, factor*se
	return Point{X: x, Estimate: analysis.Estimate{Value: math.Exp(log), Lo: math.Exp(log - half), Hi: math.Exp(log + half), Confidence: confidence},
		BandLo: math.Exp(log - wide), BandHi: math.Exp(log + wide)}
}

// addPeak finds where the curve is best.
func (c *Curve) addPeak(opt Options) {
	r := c.reps
	f := r.full
	a := f.s.axis
	x := f.law.turn(f.p)
	if !known(x) || x <= 0 && a.log {
		if math.IsInf(x, 1) && opt.Better >= 0 {
			c.Warnings = append(c.Warnings, analysis.NoPeak{Last: a.hi()})
		}
		return
	}
	u := a.unit(x)
	rises := slope(f, u-nearby) > 0
	if rises != (opt.Better >= 0) {
		return
	}
	p := Peak{Within: x >= a.lo() && x <= a.hi()}
	turns := of(r.wideWithout, func(f *fit) float64 { return f.law.turn(f.p) })
	all := r.days() > 1
	for _, t := range turns {
		all = all && known(t)
	}
	switch {
	case r.days() < 2:
		p.X = estimate(x, nil, opt.Confidence)
	case all && (a.log || a.lo() >= 0):
		p.X = onLogs(x, turns, opt.Confidence)
	case all:
		p.X = estimate(x, turns, opt.Confidence)
	default:
		p.X = r.whereLevel(u, opt.Confidence)
		p.X.Value = x
	}
	top := func(f *fit) float64 { return math.Exp(f.log(f.law.turn(f.p))) }
	p.Y = finiteBounds(onLogs(top(f), of(r.wideWithout, top), opt.Confidence))
	c.Peak = &p
	if !p.Within {
		c.Warnings = append(c.Warnings, analysis.PeakOutside{At: x, Lowest: a.lo(), Highest: a.hi()})
	}
	if r.days() > 1 {
		if math.IsNaN(p.X.Hi) {
			c.Warnings = append(c.Warnings, analysis.PeakOpen{Upper: true})
		}
		if math.IsNaN(p.X.Lo) {
			c.Warnings = append(c.Warnings, analysis.PeakOpen{})
		}
	}
}

// nearby is a step along the axis, its range being 1, that is small against
// levels and large against rounding.
const nearby = 1e-4

// slope is the steepness of the log of a curve along its axis.
func slope(f *fit, u float64) float64 {
	a := f.s.axis
	return (f.log(a.at(u+nearby)) - f.log(a.at(u-nearby))) / (2 * nearby)
}

// whereLevel is the interval of a turn by Fieller's argument (1954): all places
// where the slope's interval holds 0. It serves where the curve does not turn at
// all without one of the days, and may be open.
func (r *replicates) whereLevel(u float64, confidence float64) analysis.Estimate {
	a := r.full.s.axis
	t := quantile(r.days(), confidence)
	level := func(u float64) bool {
		half := t * spread(of(r.wideWithout, func(f *fit) float64 { return slope(f, u) }))
		return math.Abs(slope(r.wide, u)) <= half
	}
	// Farther out than the range is wide, nothing was measured that could tell.
	return analysis.Estimate{Lo: a.edge(level, u, -1, u-2), Hi: a.edge(level, u, 1, u+2), Confidence: confidence}
}

// edge walks from u, where a condition holds, up or down to where it ends; NaN if
// it holds as far as the limit.
func (a axis) edge(holds func(u float64) bool, u, direction, limit float64) float64 {
	const stride = 1.0 / 128 // of the range: finer than anyone sets a level
	in := u
	for {
		out := in + direction*stride
		if direction*(out-limit) > 0 {
			return math.NaN()
		}
		if holds(out) {
			in = out
			continue
		}
		for range 40 { // halves it to twelve digits
			mid := (in + out) / 2
			if holds(mid) {
				in = mid
			} else {
				out = mid
			}
		}
		return a.at(in)
	}
}

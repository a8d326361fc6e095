// Package history answers "which version made it slower?": it takes a series
// of points over versions, commits or dates, each with its runs inside, finds
// where the level changes, and says by how much, how sure, and between which
// neighbours.
//
// What it gives holds the series-wise false-alarm rate: of series in which
// nothing changes, at most the stated share shows any change, also where
// neighbouring points are alike and where the noise has heavy tails. It refuses
// where the design cannot tell: a few points, each on a day of its own, say
// nothing, however many runs each has.
//
// The road: order.go puts the points in order; basis.go decides what the noise
// is learnt from; partition.go proposes changes (exact optimal partitioning),
// search.go tests them, null.go knows how large the largest statistic gets
// where nothing changes; live.go appends; events.go puts the changes of several
// metrics together; factors.go tells the effects of two factors apart.
package history

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis"
)

// Run is one value with its place in the design. Unknown names are "".
type Run struct {
	Day   string
	Nest  []string // units between day and run, outermost first: load, launch
	Slot  float64  // running order within the day; NaN = unknown
	Value float64
}

// Point is one version, commit or date.
type Point struct {
	Label string
	Runs  []Run
	// Place is where the point stands in a longer list of commits, so that the
	// ones nobody measured can be counted; -1 = there is no list.
	Place int
}

// Options are the user's choices; the zero value is the published default.
type Options struct {
	Confidence float64 // of the intervals; 0 = 0.95
	FalseAlarm float64 // share of series without a change that may show one; 0 = 0.05
	MinSegment int     // fewest points of a level; 0 = 3, or 1 where replicates tell the noise
	MinEffect  float64 // smallest relative change worth telling
	// Better is 1 if more is better, -1 if less is, 0 if neither.
	Better int
	// Additive changes are differences; else they are ratios, and values must be
	// above zero.
	Additive bool
	// Grid is the ratio of neighbouring values that the metric can take; 0 =
	// fine.
	Grid float64
	// IgnoreOrder gives verdicts also where one level always ran before the
	// other inside the days.
	IgnoreOrder bool
	Rand        *rand.Rand // nil = seed 1
}

func (o Options) confidence() float64 { return orElse(o.Confidence, .95) }
func (o Options) falseAlarm() float64 { return orElse(o.FalseAlarm, .05) }

func orElse(v, otherwise float64) float64 {
	if v == 0 {
		return otherwise
	}
	return v
}

// Basis is what the noise was learnt from.
type Basis string

const (
	BasisNone     Basis = "none"     // nothing can be told
	BasisSeries   Basis = "series"   // the points themselves: how far they scatter around their level
	BasisBlocks   Basis = "blocks"   // days that all points share
	BasisDays     Basis = "days"     // days of each point's own
	BasisLaunches Basis = "launches" // the outermost unit that repeats inside the only day
)

// Result is what a series shows.
type Result struct {
	Points   []Level
	Changes  []Change
	Segments []Segment
	Basis    Basis
	Runs     int
	Days     int // known ones; 0 = unknown
	// Conditional: the claim holds on that day alone; verdicts are unsupported.
	Conditional bool
	Noise       float64 // SD of one point around its level: relative, or in the metric's unit if additive; NaN = unknown
	Phi         float64 // autocorrelation of the points if nothing changed, which the test allows for
	DF          float64
	FalseAlarm  float64 // that the test was held to, for this series
	MinSegment  int
	TooSmall    int // changes that passed the test and not MinEffect
	// Detectable is the step in the middle of the series that would just pass
	// the test, as a fraction (or in the unit): smaller ones are missed more
	// often than not.
	Detectable float64
	Warnings   []analysis.Warning
}

// Supported tells whether the design can answer at all.
func (r *Result) Supported() bool { return r.Basis != BasisNone && !r.Conditional }

// Level is a point as it is drawn: the mean of its runs and how far they lie.
type Level struct {
	Label   string
	Value   float64 // NaN = no usable run
	Lo, Hi  float64 // lowest and highest run
	Runs    int
	Days    int
	Segment int // -1 = in none
	Wild    bool
}

// Segment is a stretch of points without a change.
type Segment struct {
	First, Last int // points
	Value       float64
}

// Change is a step from one level to the next.
type Change struct {
	Before, At    int // last point of the old level, first of the new one
	AtLo, AtHi    int // the new level may as well begin at any of these
	Unmeasured    int // commits of the list between Before and At
	From, To      float64
	Ratio, Lo, Hi float64 // new level over old one; the difference if additive
	Confidence    float64
	P             float64 // probability of a change this clear anywhere in a series without any
	PAdjusted     float64 // and for looking at several series
	Verdict       analysis.Verdict
	Exceeds       bool // all of Lo..Hi is beyond MinEffect
	Warnings      []analysis.Warning
}

// prepared is a series with everything but the choice of the level.
type prepared struct {
	opt    Options
	design *design
	result Result
	points []int // of the series, with values, in order: what search counts from 0
	search *search
	null   tail
	shift  float64 // taken off the working values
	df     float64 // of the variance if replicates tell it; 0 = learnt from the series
}

// Analyse looks for changes in one series. Points must be in order, oldest
// first; points without a usable value are gaps.
func Analyse(points []Point, opt Options) Result {
	p := prepare(points, opt)
	return p.at(opt.falseAlarm(), 1)
}

// Family looks at several series of one metric at once, and holds the
// false-alarm rate for all of them together: Holm (1979) over the series' own.
func Family(series [][]Point, opt Options) []Result {
	all := make([]*prepared, len(series))
	results := make([]Result, len(series))
	open := 0
	for i := range series {
		all[i] = prepare(series[i], opt)
		if all[i].search != nil {
			open++
		}
	}
	done := make([]bool, len(series))
	for {
		found := 0
		for i, p := range all {
			if done[i] {
				continue
			}
			results[i] = p.at(opt.falseAlarm()/float64(max(open, 1)), float64(max(open, 1)))
			if len(results[i].Changes) > 0 {
				done[i] = true
				found++
			}
		}
		if open -= found; found == 0 || open == 0 {
			return results
		}
	}
}

// working is a value on the scale that changes are added on.
func (o Options) working(v float64) (float64, bool) {
	if math.IsNaN(v) || math.IsInf(v, 0) || !o.Additive && v <= 0 {
		return math.NaN(), false
	}
	if o.Additive {
		return v, true
	}
	return math.Log(v), true
}

// natural turns working values back.
func (o Options) natural(x float64) float64 {
	if o.Additive {
		return x
	}
	return math.Exp(x)
}

func (o Options) minEffect() float64 {
	if o.Additive {
		return o.MinEffect
	}
	return math.Log1p(o.MinEffect)
}

// prepare works out the points' values, what their noise is learnt from, and
// the proposed changes.
func prepare(points []Point, opt Options) *prepared {
	if opt.Rand == nil {
		opt.Rand = rand.New(rand.NewPCG(1, 0))
	}
	p := &prepared{opt: opt}
	p.result = Result{Basis: BasisNone, Noise: math.NaN(), Phi: math.NaN(), Detectable: math.NaN()}
	d := newDesign(points, opt, mostReplicated)
	p.design = d
	p.result.Points, p.result.Runs, p.result.Days = d.levels, d.runs, len(d.days)
	p.result.Warnings = append(p.result.Warnings, d.warnings...)
	p.points = d.usable
	b := d.basis()
	p.result.Basis, p.result.Conditional = b.kind, b.conditional
	p.result.Warnings = append(p.result.Warnings, b.warnings...)
	if b.kind == BasisNone {
		return p
	}
	y := b.values // the design's, which nobody asks again
	p.shift = mean(y)
	for i := range y {
		y[i] -= p.shift
	}
	floor := 0.
	if opt.Grid > 1 {
		// Rounding to steps of a grid adds a twelfth of the squared step (Sheppard
		// 1898).
		floor = math.Log(opt.Grid) * math.Log(opt.Grid) / 12
	}
	if b.kind == BasisSeries {
		p.result.MinSegment = max(leastPoints, opt.MinSegment)
		var wild []int
		var pulled int
		y, pulled, wild = tame(y)
		for _, i := range wild {
			p.result.Points[p.points[i]].Wild = true
		}
		if len(wild) > 0 {
			p.result.Warnings = append(p.result.Warnings, analysis.WildPoints{Labels: p.labels(wild), Of: len(y)})
		}
		phi := nullPhi(y)
		p.result.Phi = phi
		p.null = theNull.tail(len(y), phi, float64(pulled)/float64(len(y)))
		p.search = newSearch(y, b.weights, p.result.MinSegment, math.NaN(), floor)
		return p
	}
	p.df = b.df
	p.result.DF = b.df
	p.result.MinSegment = max(1, opt.MinSegment)
	weights := b.weights
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(y))
	}
	p.null = replicateTail(weights, p.result.MinSegment, b.df, opt.Rand)
	p.search = newSearch(y, weights, p.result.MinSegment, b.variance, floor)
	return p
}

func (p *prepared) labels(points []int) []string {
	var labels []string
	for _, i := range points {
		labels = append(labels, p.result.Points[p.points[i]].Label)
	}
	return labels
}

// at finishes the result for one false-alarm rate; series is how many series
// share it. Results of one series share their points: the last one holds.
func (p *prepared) at(falseAlarm, series float64) Result {
	r := p.result
	r.Warnings = slices.Clone(r.Warnings)
	r.FalseAlarm = falseAlarm
	s := p.search
	if s == nil {
		return r
	}
	passes := func(stat float64) bool { return p.null.p(stat) <= falseAlarm }
	at, tooSmall := s.settle(passes, p.opt.minEffect())
	r.TooSmall = tooSmall
	sp := s.spread(at)
	if p.df == 0 {
		r.DF = sp.df
	}
	r.Noise = math.Sqrt(sp.variance)
	edges := append(append([]int{0}, at...), s.n)
	for j := range len(edges) - 1 {
		first, last := edges[j], edges[j+1]-1
		r.Segments = append(r.Segments, Segment{p.points[first], p.points[last], p.opt.natural(p.shift + s.mean(first, last+1))})
		for i := first; i <= last; i++ {
			r.Points[p.points[i]].Segment = j
		}
	}
	stats := s.statistics(at, sp)
	t := math.NaN()
	if r.DF >= 1 && len(at) > 0 {
		t = distuv.StudentsT{Sigma: 1, Nu: r.DF}.Quantile(.5 + p.opt.confidence()/2)
	}
	for j := range at {
		r.Changes = append(r.Changes, p.change(edges[j], edges[j+1], edges[j+2], stats[j], t, sp, series, &r))
	}
	r.Detectable = p.detectable(sp, falseAlarm)
	if sp.variance == 0 {
		r.Warnings = append(r.Warnings, analysis.NoSpread{})
	}
	if r.TooSmall > 0 {
		r.Warnings = append(r.Warnings, analysis.ChangesTooSmall{Changes: r.TooSmall, MinEffect: p.opt.MinEffect})
	}
	return r
}

// change describes the step at b between a and c; t is the quantile of its
// interval.
func (p *prepared) change(a, b, c int, stat, t float64, sp spread, series float64, r *Result) Change {
	s, opt := p.search, p.opt
	step, se := s.difference(a, b, c, sp, sp.careful)
	change := Change{
		Before: p.points[b-1], At: p.points[b],
		From: opt.natural(p.shift + s.mean(a, b)), To: opt.natural(p.shift + s.mean(b, c)),
		Ratio: opt.natural(step), Lo: opt.natural(step - t*se), Hi: opt.natural(step + t*se), Confidence: opt.confidence(),
		P: p.null.p(stat),
	}
	change.PAdjusted = min(1, change.P*series)
	lo, hi := s.places(a, b, c, sp)
	change.AtLo, change.AtHi = p.points[lo], p.points[hi]
	before, at := p.design.points[change.Before].Place, p.design.points[change.At].Place
	if before >= 0 && at > before {
		change.Unmeasured = at - before - 1
	}
	effect := opt.minEffect()
	change.Exceeds = step-t*se > effect || step+t*se < -effect
	switch {
	case opt.Better*sign(step) > 0:
		change.Verdict = analysis.Faster
	case opt.Better*sign(step) < 0:
		change.Verdict = analysis.Slower
	}
	if r.Conditional || sp.variance == 0 {
		change.Verdict = analysis.Unsupported
	}
	if r.Basis == BasisBlocks || r.Basis == BasisLaunches {
		if w := p.order(a, b, c); w != nil {
			change.Warnings = append(change.Warnings, w)
			if _, refused := w.(analysis.Refusal); refused {
				change.Verdict = analysis.Unsupported
			}
		}
	}
	return change
}

// order doubts a change if one level always ran before the other inside the
// days.
func (p *prepared) order(a, b, c int) analysis.Warning {
	days, unknown, side := p.design.separated(a, b, c)
	first := "older level"
	if side > 0 {
		first = "newer level"
	}
	switch {
	case unknown > 0:
		return analysis.OrderUnknown{Days: unknown, Of: days}
	case side == 0:
		return nil
	case p.opt.IgnoreOrder:
		return analysis.OrderIgnored{First: first}
	}
	return analysis.SameOrder{First: first}
}

// detectable is the step at the middle that just passes: half of such steps do.
// Where fewer series than the false-alarm rate have any change proposed, what
// is proposed decides.
func (p *prepared) detectable(sp spread, falseAlarm float64) float64 {
	s := p.search
	half := s.n / 2
	stat := max(p.null.quantile(falseAlarm), math.Sqrt(penaltyFactor*math.Log(float64(s.n))))
	_, se := s.difference(0, half, s.n, sp, sp.careful)
	if p.opt.Additive {
		return stat * se
	}
	return math.Expm1(stat * se)
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func mean(v []float64) float64 {
	m := 0.
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

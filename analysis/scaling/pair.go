package scaling

import (
	"math"
	"math/rand/v2"
	"slices"

	"noisefloor/analysis"
)

// Pair is a contender's curve against the base's.
type Pair struct {
	Arm         int  // the contender
	Days        int  // that both have
	ByLevel     bool // from the levels alone, as no law describes the data
	Ratio       []Point
	Ranges      []Range
	Crossings   []Crossing
	Differences []Difference
	Warnings    []analysis.Warning
}

// Range is a stretch of levels over which the band of the ratio leaves out 1.
type Range struct {
	From, To float64
	Above    bool // the contender's value is the higher one
}

// Crossing is a level at which the curves are equal; its interval holds all
// levels around it at which they cannot be told apart.
type Crossing struct {
	analysis.Estimate
	Above bool // the contender's value is the higher one after it
}

// Difference is how a term of the contender compares with the base's.
type Difference struct {
	Name  string
	Ratio bool // contender/base, else contender - base
	Unit  Unit // of a difference
	analysis.Estimate
}

// newPair compares two curves on the days that both arms have: what a day does to
// both cancels. Where the law does not describe the data, it compares the levels.
func newPair(f *fitter, l law, describes bool, base, contender *Curve, opt Options, grid []float64, rng *rand.Rand) Pair {
	p := Pair{Arm: contender.Arm}
	a, b := base.reps, contender.reps
	shared := func(days []string) func(string) bool {
		return func(day string) bool { return day != "" && slices.Contains(days, day) }
	}
	sa, sb := a.full.s.only(shared(b.full.s.days)), b.full.s.only(shared(a.full.s.days))
	p.Days = len(sa.days)
	if p.Days > 1 && (len(sa.days) < len(a.full.s.days) || len(sb.days) < len(b.full.s.days)) {
		// Days of one arm only would move its curve and not the other's.
		if sharedA, sharedB := f.replicate(l, sa), f.replicate(l, sb); sharedA.full.ok() && sharedB.full.ok() {
			a, b = sharedA, sharedB
		}
	}
	if d := len(a.wideWithout); d != len(b.wideWithout) || d != p.Days { // a fit without a day failed
		p.Days = min(p.Days, 1)
	}
	if p.Days < 2 {
		p.Warnings = append(p.Warnings, analysis.NoSharedCurveDays{Shared: p.Days})
	}
	d := pairing{a: a, b: b, axis: a.full.s.axis, days: p.Days, confidence: opt.Confidence}
	factor := math.NaN()
	if d.days > 1 {
		factor = widen(d.bends(grid, opt.Natural), d.days, opt.Confidence, rng)
	}
	for _, x := range grid {
		p.Ratio = append(p.Ratio, pointOf(x, d.log(x), d.without(x), opt.Confidence, factor))
	}
	p.Crossings = d.crossings(grid)
	for _, c := range p.Crossings {
		if d.days > 1 && (math.IsNaN(c.Lo) || math.IsNaN(c.Hi)) {
			p.Warnings = append(p.Warnings, analysis.CrossingOpen{At: c.Value})
		}
	}
	p.Ranges = d.ranges(grid, factor)
	p.Differences = d.differences(base, contender)
	if !describes {
		p.Warnings = slices.DeleteFunc(p.Warnings, func(w analysis.Warning) bool { _, open := w.(analysis.CrossingOpen); return open })
		if p.Days == 0 { // unknown days: what was seen, without an interval
			sa, sb = base.reps.full.s, contender.reps.full.s
		}
		p.byLevel(sa, sb, opt, rng)
	}
	return p
}

// pairing is both arms' fits, day by day.
type pairing struct {
	a, b       *replicates
	axis       axis
	days       int // shared; without two there are no intervals
	confidence float64
}

// log is the log of the ratio at x.
func (d *pairing) log(x float64) float64 { return d.b.full.log(x) - d.a.full.log(x) }

// without is log from the fits without each shared day.
func (d *pairing) without(x float64) []float64 { return d.each(at(x), at(x)) }

// each subtracts the base's number from the contender's, day by day.
func (d *pairing) each(contender, base func(*fit) float64) []float64 {
	if d.days < 2 {
		return nil
	}
	v := of(d.b.wideWithout, contender)
	for i, w := range of(d.a.wideWithout, base) {
		v[i] -= w
	}
	return v
}

// bends are the directions in which the ratio differs from day to day: the
// difference of the scales, and both shapes.
func (d *pairing) bends(grid []float64, natural bool) bend {
	a, b := bends(d.a.full, grid, natural), bends(d.b.full, grid, natural)
	up := make([]float64, len(grid))
	between := make([]float64, d.days)
	for i := range between {
		between[i] = d.b.full.logs[i] - d.a.full.logs[i]
	}
	for g := range up {
		up[g] = deviation(between)
	}
	return slices.Concat(bend{up}, a[1:], b[1:])
}

// crossings are where the ratio is 1 inside the range. The interval of each is
// made of all levels around it whose ratio has 1 in its interval (Fieller 1954);
// a bound that leaves the range is not known.
func (d *pairing) crossings(grid []float64) []Crossing {
	var list []Crossing
	for i := 1; i < len(grid); i++ {
		lo, hi := d.log(grid[i-1]), d.log(grid[i])
		if !(lo < 0 && hi >= 0 || lo > 0 && hi <= 0) {
			continue
		}
		from, to := d.axis.unit(grid[i-1]), d.axis.unit(grid[i])
		for range 50 { // halves it to fifteen digits
			mid := (from + to) / 2
			if (d.log(d.axis.at(mid)) > 0) == (lo > 0) {
				from = mid
			} else {
				to = mid
			}
		}
		u := (from + to) / 2
		c := Crossing{Above: hi > lo, Estimate: analysis.Estimate{Value: d.axis.at(u), Lo: math.NaN(), Hi: math.NaN(), Confidence: d.confidence}}
		if d.days > 1 {
			t := quantile(d.days, d.confidence)
			equal := func(u float64) bool {
				x := d.axis.at(u)
				return math.Abs(d.log(x)) <= t*spread(d.without(x))
			}
			c.Lo, c.Hi = d.axis.edge(equal, u, -1, 0), d.axis.edge(equal, u, 1, 1)
		}
		list = append(list, c)
	}
	return list
}

// ranges are where the band of the ratio leaves out 1.
func (d *pairing) ranges(grid []float64, factor float64) []Range {
	if math.IsNaN(factor) {
		return nil
	}
	side := func(x float64) int {
		log := d.log(x)
		if math.Abs(log) <= factor*spread(d.without(x)) {
			return 0
		}
		if log > 0 {
			return 1
		}
		return -1
	}
	// between is where a side begins or ends, inside the band's own claim.
	between := func(is int, inside, outside float64) float64 {
		in, out := d.axis.unit(inside), d.axis.unit(outside)
		for range 40 {
			mid := (in + out) / 2
			if side(d.axis.at(mid)) == is {
				in = mid
			} else {
				out = mid
			}
		}
		return d.axis.at(in)
	}
	var list []Range
	last := 0
	for i, x := range grid {
		now := side(x)
		if now != last {
			if last != 0 {
				list[len(list)-1].To = between(last, grid[i-1], x)
			}
			if now != 0 {
				from := x
				if i > 0 {
					from = between(now, x, grid[i-1])
				}
				list = append(list, Range{From: from, Above: now > 0})
			}
		}
		if now != 0 {
			list[len(list)-1].To = x
		}
		last = now
	}
	return list
}

// differences compare the peaks, then the terms: as ratios where both are above
// 0 by their meaning, else as differences.
func (d *pairing) differences(base, contender *Curve) []Difference {
	var list []Difference
	add := func(name string, unit Unit, ratio bool, value func(*fit) float64) {
		take := value
		if ratio {
			take = func(f *fit) float64 { return math.Log(value(f)) }
		}
		v := take(d.b.full) - take(d.a.full)
		if !known(v) {
			return
		}
		e := estimate(take(d.b.wide)-take(d.a.wide), d.each(take, take), d.confidence)
		e = finiteBounds(analysis.Estimate{Value: v, Lo: math.Min(e.Lo, v), Hi: math.Max(e.Hi, v), Confidence: d.confidence})
		if ratio {
			e.Value, e.Lo, e.Hi = math.Exp(e.Value), math.Exp(e.Lo), math.Exp(e.Hi)
		}
		list = append(list, Difference{name, ratio, unit, e})
	}
	turn := func(f *fit) float64 { return f.law.turn(f.p) }
	if base.Peak != nil && contender.Peak != nil {
		add("peak_value", OfY, true, func(f *fit) float64 { return math.Exp(f.log(turn(f))) })
		add("peak_position", OfX, d.axis.lo() >= 0, turn)
	}
	for i, t := range d.a.full.law.terms() {
		if base.Peak != nil && contender.Peak != nil && (t.name == "turn" || t.name == "at_turn") {
			continue // the peak says it
		}
		add(t.name, t.unit, t.positive, func(f *fit) float64 { return f.values()[i] })
	}
	return list
}

package steady

import (
	"math"

	"noisefloor/analysis"
	"noisefloor/datasets/unit"
)

// level is the mean of some values and their sum of squares about it.
type level struct{ n, mean, squares float64 }

func levelOf(y []float64) level {
	mean, sd := meanSD(y)
	n := float64(len(y))
	return level{n: n, mean: mean, squares: n * sd * sd}
}

// and pools two levels (Chan, Golub and LeVeque 1983).
func (a level) and(b level) level {
	if a.n == 0 {
		return b
	}
	n, d := a.n+b.n, b.mean-a.mean
	return level{n: n, mean: a.mean + d*b.n/n, squares: a.squares + b.squares + d*d*a.n*b.n/n}
}

// movedBy is how far the mean moves if b is added, as a fraction.
func (a level) movedBy(b level) float64 {
	return math.Abs(a.and(b).mean-a.mean) / math.Abs(a.mean)
}

// variance of one value.
func (a level) variance() float64 { return a.squares / max(1, a.n-1) }

// stretch is a segment of the partition.
type stretch struct {
	from, to   int     // points of the course
	start, end float64 // seconds
	level
}

// course is a run cut where its level changes.
type course struct {
	points    series // without spikes, in blocks if long
	run       series // all lines with a value
	stretches []stretch
	tau       float64 // points per independent one, inside the stretches
	margin    float64
}

func newCourse(points, run series, margin float64) *course {
	c := &course{points: points, run: run, margin: margin}
	from := 0
	for _, to := range partition(points.y, penaltyPerLog*math.Log(float64(points.len()))) {
		c.stretches = append(c.stretches, c.stretch(from, to))
		from = to
	}
	e := make([]float64, points.len())
	for _, s := range c.stretches {
		for i := s.from; i < s.to; i++ {
			e[i] = points.y[i] - s.mean
		}
	}
	// One tau for the whole run: a short stretch alone cannot tell its own.
	c.tau = 1
	if _, sd := meanSD(e); sd > 0 {
		for i := range e {
			e[i] /= sd
		}
		variance, longRun := longRunVariance(e, points.slot, len(c.stretches))
		c.tau = longRun / variance
	}
	return c
}

// stretch is that of points from up to to. What lies between two points, spikes
// for example, belongs to the later stretch, at the end to the last.
func (c *course) stretch(from, to int) stretch {
	s := stretch{from: from, to: to, start: c.run.t[0] - c.run.step, end: c.points.t[to-1], level: levelOf(c.points.y[from:to])}
	if from > 0 {
		s.start = c.points.t[from-1]
	}
	if to == c.points.len() {
		s.end = c.run.t[c.run.len()-1]
	}
	return s
}

func (c *course) seconds() float64 {
	return c.stretches[len(c.stretches)-1].end - c.stretches[0].start
}

// same says whether an earlier stretch is on a level: they differ by less than
// the margin, or by less than two standard errors of their difference (one
// would part a third of all pairs that are equal). A short stretch does not know
// its own spread, and if it is a steep ramp its spread would excuse everything:
// it is taken to have that of the level.
func (c *course) same(s, level level) bool {
	spread := s.variance()
	if s.n < needIntervals {
		spread = level.variance()
	}
	noise := math.Sqrt(spread/max(1, s.n/c.tau) + level.variance()/max(1, level.n/c.tau))
	return math.Abs(s.mean-level.mean) <= max(c.margin*math.Abs(level.mean), 2*noise)
}

// part is the steady part of a course: the stretches from first to the end. The
// steady level is that of the stretches marked on; the others are excursions.
type part struct {
	first int
	on    []bool // per stretch of the course
	level
}

// longestExcursion from the level is a tenth of the run. What stays away longer
// is another level, unless it moves the mean by less than the margin: real
// servers wander by a percent or two for minutes.
const longestExcursion = 0.1

// steadyPart joins stretches from the end backwards. The warning says why there
// is none.
func (c *course) steadyPart() (part, analysis.Warning) {
	last := len(c.stretches) - 1
	end, seconds := c.stretches[last].end, c.seconds()
	if first, l := c.climb(); l.drifts(c.margin) && c.coversLastQuarter(first) {
		return part{}, analysis.StillTrending{From: l.from, To: l.to, Seconds: end - c.stretches[first].start}
	}
	// A run may begin and end in the middle of an excursion. That is told from
	// another level by an excursion of the same kind in between, or it is so slight
	// that it does not matter.
	changes := c.stretches[last].start
	var trend analysis.Warning
	for to := last; to >= 0 && end-c.stretches[to].end <= longestExcursion*seconds; to-- {
		p := c.joined(to)
		if !c.recurs(p, to+1, last+1) && !c.slight(p, to) {
			continue
		}
		if c.stretches[p.first].start-c.stretches[0].start <= longestExcursion*seconds && c.recurs(p, 0, p.first) {
			c.extend(&p, 0)
		}
		if start := c.stretches[p.first].start; !c.coversLastQuarter(p.first) || c.run.len()-c.firstLine(p) < minSegment {
			changes = min(changes, start)
		} else if l := c.fit(p.first, to); l.drifts(c.margin) {
			trend = analysis.StillTrending{From: l.from, To: l.to, Seconds: end - start}
		} else {
			return p, nil
		}
	}
	if trend != nil {
		return part{}, trend
	}
	return part{}, analysis.LevelStillChanges{At: changes, Of: end}
}

// climb is the line through the end of the run: through the last two stretches if
// it fits them better than a step does, for a climb is easily cut into a
// staircase of which each step looks level; else through the last.
func (c *course) climb() (first int, l line) {
	last := len(c.stretches) - 1
	if last > 0 {
		steps := c.stretches[last-1].squares + c.stretches[last].squares
		if l := c.fit(last-1, last); l.squares < steps {
			return last - 1, l
		}
	}
	return last, c.fit(last, last)
}

func (c *course) coversLastQuarter(first int) bool {
	s := c.stretches
	return s[first].start <= s[len(s)-1].end-lastQuarter*c.seconds()
}

// fit is the line through stretches first to last.
func (c *course) fit(first, last int) line {
	from, to := c.stretches[first].from, c.stretches[last].to
	return fitLine(c.points.t[from:to], c.points.y[from:to], c.points.slot[from:to])
}

// joined is the steady part with its level at stretch `to` and before: what
// comes earlier belongs to it as long as it has the same level and makes no
// trend of it. An excursion in between is bridged if it is short or slight and
// what lies before it is no shorter: a warm-up that passes through the later
// level on its way up must not count as a return.
func (c *course) joined(to int) part {
	p := part{first: to, on: make([]bool, len(c.stretches)), level: c.stretches[to].level}
	p.on[to] = true
	away, back := 0.0, 0.0 // seconds off the level, and on it again before that
	var off level
	for k := to - 1; k >= 0; k-- {
		s := c.stretches[k]
		if !c.same(s.level, p.level) {
			off = off.and(s.level)
			away, back = away+back+s.end-s.start, 0
			if away > longestExcursion*c.seconds() && p.movedBy(off) > c.margin {
				break
			}
			continue
		}
		if back += s.end - s.start; back < away {
			continue
		}
		if c.fit(k, to).drifts(c.margin) {
			break
		}
		c.extend(&p, k)
		away, back, off = 0, 0, level{}
	}
	return p
}

// extend lets the steady part begin with an earlier stretch.
func (c *course) extend(p *part, first int) {
	was := p.level
	for p.first > first {
		p.first--
		if s := c.stretches[p.first]; c.same(s.level, was) {
			p.on[p.first] = true
			p.level = p.level.and(s.level)
		}
	}
}

// recurs says whether every stretch from lo up to hi that is off the level has
// its like inside the steady part: at least half as far off, to the same side.
func (c *course) recurs(p part, lo, hi int) bool {
	for _, s := range c.stretches[lo:hi] {
		if c.same(s.level, p.level) {
			continue
		}
		like := false
		for k := p.first; k < len(c.stretches); k++ {
			inside := !p.on[k] && (k < lo || k >= hi)
			like = like || inside && (c.stretches[k].mean-p.mean)/(s.mean-p.mean) >= 0.5
		}
		if !like {
			return false
		}
	}
	return true
}

// slight says whether what follows stretch `to` moves the mean by less than a
// tenth of the margin. Inside the steady part the whole margin is allowed; at the
// end nothing shows that the level comes back.
func (c *course) slight(p part, to int) bool {
	var after level
	for _, s := range c.stretches[to+1:] {
		after = after.and(s.level)
	}
	return p.movedBy(after) <= c.margin/10
}

// before is the level of all that the cut removes.
func (c *course) before(p part) (l level) {
	for _, s := range c.stretches[:p.first] {
		l = l.and(s.level)
	}
	return l
}

// stopped says whether the steady level is that of nothing being done.
func (c *course) stopped(p part) bool {
	return p.first > 0 && p.mean == 0 && c.before(p).mean != 0
}

func (c *course) class(p part, better unit.Better) Class {
	gain := p.mean - c.before(p).mean
	if better == unit.Lower {
		gain = -gain
	}
	switch {
	case p.first == 0:
		return Flat
	case gain < 0:
		return SlowDown
	}
	return WarmUp
}

// firstLine is the first line of the steady part, among all lines. Lines of
// one time are not parted.
func (c *course) firstLine(p part) int {
	if p.first == 0 {
		return 0
	}
	k := c.points.from[c.stretches[p.first].from]
	for k+1 < c.run.len() && c.run.t[k] == c.run.t[k-1] {
		k++
	}
	return k
}

// segments are the stretches as the caller sees them.
func (c *course) segments(p part, settled bool) []Segment {
	segments := make([]Segment, len(c.stretches))
	for i, s := range c.stretches {
		segments[i] = Segment{
			Start: s.start, End: s.end,
			Mean: s.mean, SD: math.Sqrt(s.squares / max(1, s.n-1)),
			Steady: settled && p.on[i],
		}
	}
	return segments
}

// doubts says what inside the steady part is not on its level.
func (c *course) doubts(p part) []analysis.Warning {
	var off level
	w := analysis.Excursions{Change: math.NaN()}
	for k := p.first; k < len(c.stretches); k++ {
		if s := c.stretches[k]; !p.on[k] {
			if p.on[max(p.first, k-1)] {
				w.Times++
			}
			w.Seconds += s.end - s.start
			off = off.and(s.level)
		}
	}
	if w.Times == 0 {
		return nil
	}
	if p.mean != 0 {
		w.Change = off.mean/p.mean - 1
	}
	return []analysis.Warning{w}
}

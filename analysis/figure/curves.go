package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Curve is one arm's curve through its runs.
type Curve struct {
	Arm    int
	Line   []BandPoint // ascending in X
	Levels []Level
	Peak   *Mark // best place on the curve; nil = none to show
}

// BandPoint is a place on a curve with its band; a band that is NaN is not drawn.
type BandPoint struct{ X, Y, Lo, Hi float64 }

// Level is what was measured at one level: the mean, the lowest and the highest
// run.
type Level struct{ X, Mean, Low, High float64 }

// Mark is a place that the picture points out, with the interval of its X.
type Mark struct{ X, Y, Lo, Hi float64 }

// CurvePlot is several curves above one axis.
type CurvePlot struct {
	Title        string
	Arms         []string // names, for the legend; none = no legend
	XName, YName string
	LogX         bool
	Curves       []Curve
	Crossings    []Mark   // Y is not used
	Notes        []string // what the marks say, in words, below the axis
	// One is the level that stands out, such as 1 in a picture of ratios, whose
	// axis then is around it; 0 = none, and the axis begins at 0.
	One float64
}

// curveHeight is the height of the plotting area in pixels.
const curveHeight = 230.0

// armDashes tell curves apart in print: the base is solid.
var armDashes = [][]vg.Length{nil, {7, 3}, {2, 3}, {9, 3, 2, 3}}

// Draw lays the curves out in a width. Bands are shaded, levels have a mark at the
// mean and a line from the lowest to the highest run, the best place of a curve is
// a ring with a line down to its interval, a crossing a line across with its
// interval below.
func (c CurvePlot) Draw(width float64) Figure {
	const left, right = 50.0, 12.0
	legend := layLegend(c.Arms, width)
	if len(c.Arms) == 0 {
		legend.height = 0
	}
	yName := wrap(c.YName, smallSize, width)
	top := legend.height + lineHeight*float64(len(yName)) + 6
	bottom := top + curveHeight
	var notes []string
	for _, n := range c.Notes {
		notes = append(notes, wrap(n, smallSize, width)...)
	}
	xName := wrap(c.XName, smallSize, width)
	under := bottom + laneHeight*float64(c.lanes()) + 2
	height := under + lineHeight*float64(1+len(xName)+len(notes)) + 10
	return Figure{
		Title: c.Title, Width: width, Height: math.Ceil(height),
		Desc: fmt.Sprintf("%d curves of %s against %s, with bands, measured levels and marks.", len(c.Curves), c.YName, c.XName),
		paint: func(p *pen) {
			legend.paint(p)
			for i, s := range yName {
				p.text(Muted, smallSize, 0, legend.height+lineHeight*float64(i)+10, start, false, s)
			}
			x, y, ok := c.scales(left+4, width-right, bottom, top)
			if ok {
				c.paintAxes(p, x, y, left, width-right, under)
				for _, curve := range c.Curves {
					curve.paintBand(p, x, y)
				}
				for _, curve := range c.Curves {
					curve.paint(p, x, y)
				}
				c.paintMarks(p, x, y, bottom)
			}
			at := under + lineHeight
			for _, s := range xName {
				at += lineHeight
				p.text(Muted, smallSize, (left+width-right)/2, at, middle, false, s)
			}
			for _, s := range notes {
				at += lineHeight
				p.text(Text, smallSize, 0, at, start, false, s)
			}
		},
	}
}

// laneHeight is the room of one interval below the axis.
const laneHeight = 7.0

// lanes are the intervals below the axis, one for each mark.
func (c *CurvePlot) lanes() int {
	n := len(c.Crossings)
	for _, curve := range c.Curves {
		if curve.Peak != nil {
			n++
		}
	}
	return n
}

// scales holds all that is measured and all curves; bands may leave it by a
// little, so that one wide band does not flatten everything.
func (c *CurvePlot) scales(left, right, bottom, top float64) (x, y scale, ok bool) {
	x = scale{lo: math.Inf(1), hi: math.Inf(-1), p0: left, p1: right, log: c.LogX}
	low, high := math.Inf(1), math.Inf(-1)
	bandLow, bandHigh := math.Inf(1), math.Inf(-1)
	for _, curve := range c.Curves {
		for _, pt := range curve.Line {
			if finite(pt.X) && finite(pt.Y) {
				x.lo, x.hi = math.Min(x.lo, pt.X), math.Max(x.hi, pt.X)
				low, high = math.Min(low, pt.Y), math.Max(high, pt.Y)
				if finite(pt.Lo) && finite(pt.Hi) {
					bandLow, bandHigh = math.Min(bandLow, pt.Lo), math.Max(bandHigh, pt.Hi)
				}
			}
		}
		for _, l := range curve.Levels {
			if finite(l.X) && finite(l.Low) && finite(l.High) {
				x.lo, x.hi = math.Min(x.lo, l.X), math.Max(x.hi, l.X)
				low, high = math.Min(low, l.Low), math.Max(high, l.High)
			}
		}
	}
	if !(x.lo < x.hi) || x.log && x.lo <= 0 {
		return x, y, false
	}
	y = scale{lo: 0, p0: bottom, p1: top}
	if c.One != 0 {
		low, high = math.Min(low, c.One), math.Max(high, c.One)
		room := math.Max(high-low, .02*c.One)
		low, high = math.Max(math.Min(bandLow, low), low-1.5*room), math.Min(math.Max(bandHigh, high), high+1.5*room)
		room = .05 * math.Max(high-low, .02*c.One)
		y.lo, y.hi = low-room, high+room
		return x, y, y.lo < y.hi
	}
	y.hi = 1.06 * math.Max(high, math.Min(bandHigh, 1.25*high))
	return x, y, y.hi > 0
}

func (c *CurvePlot) paintAxes(p *pen, x, y scale, left, right, under float64) {
	at := ticks(y.lo, y.hi, 4)
	unit, sign := thousands(y.hi)
	scaled := make([]float64, len(at))
	for i := range at {
		scaled[i] = at[i] / unit
	}
	for i, label := range tickLabels(scaled) {
		py := y.at(at[i])
		p.horizontal(Rule, 1, left, right, py)
		if at[i] != 0 {
			label += sign
		}
		p.text(Muted, smallSize, left-6, py+4, end, false, label)
	}
	if c.One != 0 {
		p.horizontal(Muted, 1.2, left, right, y.at(c.One))
	}
	var levels []float64
	for _, curve := range c.Curves {
		for _, l := range curve.Levels {
			levels = append(levels, l.X)
		}
	}
	slices.Sort(levels)
	last := math.Inf(-1)
	for _, level := range slices.Compact(levels) {
		px := x.at(level)
		label := trim(level)
		half := textWidth(label, smallSize) / 2
		p.vertical(Rule, 1, px, y.p0, y.p0+4)
		if at := math.Min(px, p.canvas.Max.X.Points()-half); at-half > last+5 {
			last = at + half
			p.text(Muted, smallSize, at, under+lineHeight-2, middle, false, label)
		}
	}
}

// paintBand shades between the bounds, kept inside the picture.
func (c *Curve) paintBand(p *pen, x, y scale) {
	var upper, lower []point
	for _, pt := range c.Line {
		if !finite(pt.X) || !finite(pt.Lo) || !finite(pt.Hi) {
			continue
		}
		lo, _ := y.clamp(pt.Lo)
		hi, _ := y.clamp(pt.Hi)
		upper, lower = append(upper, point{x.at(pt.X), hi}), append(lower, point{x.at(pt.X), lo})
	}
	if len(upper) < 2 {
		return
	}
	slices.Reverse(lower)
	p.fill(ArmInk(c.Arm).fade(.2), append(upper, lower...)...)
}

func (c *Curve) paint(p *pen, x, y scale) {
	k := ArmInk(c.Arm)
	var line []point
	for _, pt := range c.Line {
		if finite(pt.X) && finite(pt.Y) {
			py, _ := y.clamp(pt.Y)
			line = append(line, point{x.at(pt.X), py})
		}
	}
	if len(line) > 1 {
		p.line(k, 1.8, armDashes[c.Arm%len(armDashes)], line...)
	}
	for _, l := range c.Levels {
		if !finite(l.X) || !finite(l.Mean) {
			continue
		}
		px := x.at(l.X)
		if finite(l.Low) && finite(l.High) && l.High > l.Low {
			lo, _ := y.clamp(l.Low)
			hi, _ := y.clamp(l.High)
			p.vertical(k, 1.2, px, lo, hi)
		}
		py, _ := y.clamp(l.Mean)
		p.mark(armShape(c.Arm), k, 3.4, px, py)
	}
}

// paintMarks points out peaks and crossings, and draws their intervals in lanes
// below the axis.
func (c *CurvePlot) paintMarks(p *pen, x, y scale, bottom float64) {
	lane := bottom + laneHeight/2 + 3
	show := func(m Mark, k Ink, ringed bool) {
		if !finite(m.X) {
			return
		}
		px, out := x.clamp(m.X)
		if out == 0 {
			to := y.p1
			if ringed {
				to, _ = y.clamp(m.Y)
			}
			p.line(k, 1, []vg.Length{2, 3}, point{px, y.p0}, point{px, to})
			if ringed {
				p.mark(ring, k, 5, px, to)
			}
		}
		lo, hi := m.Lo, m.Hi
		if finite(lo) || finite(hi) { // an open side ends in an arrow
			if !finite(lo) {
				lo = math.Inf(-1)
			}
			if !finite(hi) {
				hi = math.Inf(1)
			}
			interval(p, x, lane, k, disc, 2.2, m.X, lo, hi)
		}
		lane += laneHeight
	}
	for i := range c.Curves {
		if m := c.Curves[i].Peak; m != nil {
			show(*m, ArmInk(c.Curves[i].Arm), true)
		}
	}
	for _, m := range c.Crossings {
		show(m, Text, false)
	}
}

package figure

import (
	"fmt"
	"math"
	"slices"
)

// Point is one run's value at one level of a numeric factor.
type Point struct {
	X, Y float64
	Arm  int
}

// Levels draws every run against a numeric factor, such as threads, in powers
// of two, beginning at zero: each arm has a colour and a form of its own, a line
// from its lowest to its highest run and a bar at the mean. No curve is fitted.
func Levels(title string, arms []string, points []Point, xName, yName string, width float64) Figure {
	const (
		left, right = 46.0, 10.0
		plotHeight  = 210.0
	)
	legend := layLegend(arms, width)
	top := legend.height + lineHeight + 6
	return Figure{
		Title: title, Width: width, Height: top + plotHeight + 2*lineHeight + 8,
		Desc: fmt.Sprintf("%d runs; %s against %s, one form for each arm.", len(points), yName, xName),
		paint: func(p *pen) {
			legend.paint(p)
			xs, high := levelsOf(points)
			if len(xs) == 0 {
				return
			}
			v := scale{lo: 0, hi: high * 1.06, p0: top + plotHeight, p1: top}
			aside := 8 + widestShift*float64(len(arms))/2 // room for the arms beside their level
			x := levelScale(xs, left+aside, width-right-aside)
			at := ticks(0, v.hi, 4)
			unit, sign := thousands(v.hi)
			scaled := make([]float64, len(at))
			for i := range at {
				scaled[i] = at[i] / unit
			}
			for i, label := range tickLabels(scaled) {
				y := v.at(at[i])
				p.horizontal(Rule, 1, left, width-right, y)
				if at[i] == 0 {
					label = "0"
				} else {
					label += sign
				}
				p.text(Muted, smallSize, left-6, y+4, end, false, label)
			}
			p.text(Muted, smallSize, 0, top-7, start, false, yName)
			last := math.Inf(-1)
			for _, level := range xs {
				px := x.at(level)
				label := trim(level)
				half := textWidth(label, smallSize) / 2
				p.vertical(Rule, 1, px, top+plotHeight, top+plotHeight+4)
				if px-half > last+5 {
					last = px + half
					p.text(Muted, smallSize, px, top+plotHeight+lineHeight, middle, false, label)
				}
			}
			p.text(Muted, smallSize, (left+width-right)/2, top+plotHeight+2*lineHeight, middle, false, xName)

			nearest := width
			for i := 1; i < len(xs); i++ {
				nearest = math.Min(nearest, x.at(xs[i])-x.at(xs[i-1]))
			}
			step := math.Min(widestShift, nearest/float64(len(arms)+1))
			for arm := range arms {
				shift := (float64(arm) - float64(len(arms)-1)/2) * step
				for _, level := range xs {
					paintLevel(p, points, arm, level, x.at(level)+shift, v)
				}
			}
		},
	}
}

// widestShift is how far apart, in pixels, arms stand at one level.
const widestShift = 8.0

// MostMarks is how many runs of an arm have marks of their own at a level; of
// more, a thick line holds the middle half.
const MostMarks = 40

// paintLevel draws the runs of one arm at one level.
func paintLevel(p *pen, points []Point, arm int, level, px float64, v scale) {
	k := ArmInk(arm)
	var ys []float64
	sum := 0.0
	for _, pt := range points {
		if pt.Arm == arm && pt.X == level && finite(pt.Y) {
			ys = append(ys, pt.Y)
			sum += pt.Y
		}
	}
	n := len(ys)
	if n <= MostMarks {
		for _, y := range ys {
			p.mark(armShape(arm), k.fade(.6), 2.6, px, v.at(y))
		}
	}
	if n > 1 {
		slices.Sort(ys)
		p.vertical(k, 1, px, v.at(ys[0]), v.at(ys[n-1]))
		if n > MostMarks {
			p.vertical(k.fade(.6), 5, px, v.at(ys[n/4]), v.at(ys[n-1-n/4]))
		}
		p.horizontal(k, 2, px-4, px+4, v.at(sum/float64(n)))
	}
}

// levelsOf are the distinct levels, ascending, and the highest value.
func levelsOf(points []Point) (xs []float64, high float64) {
	for _, pt := range points {
		if finite(pt.X) && finite(pt.Y) {
			xs = append(xs, pt.X)
			high = math.Max(high, pt.Y)
		}
	}
	slices.Sort(xs)
	if high == 0 {
		high = 1
	}
	return slices.Compact(xs), high
}

// levelScale is logarithmic, since thread counts double; a level of zero or
// below asks for a linear one.
func levelScale(xs []float64, p0, p1 float64) scale {
	s := scale{lo: xs[0], hi: xs[len(xs)-1], p0: p0, p1: p1, log: xs[0] > 0}
	if s.lo == s.hi { // one level stands in the middle
		s.lo, s.hi = s.lo/2, s.hi*2
		if !s.log {
			s.lo, s.hi = xs[0]-1, xs[0]+1
		}
	}
	return s
}

// thousands is the common unit of an axis that ends at high.
func thousands(high float64) (unit float64, sign string) {
	switch {
	case high >= 2e9:
		return 1e9, "G"
	case high >= 2e6:
		return 1e6, "M"
	case high >= 2e4:
		return 1e3, "k"
	}
	return 1, ""
}

// legend names the arms above a picture, on as many lines as it takes.
type legend struct {
	height float64
	items  []legendItem
}

type legendItem struct {
	arm   int
	lines []string
	x, y  float64
}

func layLegend(arms []string, width float64) legend {
	l := legend{height: lineHeight}
	x, y := 0.0, 0.0
	for i, name := range arms {
		lines := wrap(name, textSize, width-16)
		w := 0.0
		for _, s := range lines {
			w = math.Max(w, textWidth(s, textSize))
		}
		if x > 0 && x+16+w > width {
			x, y = 0, l.height
		}
		l.items = append(l.items, legendItem{arm: i, lines: lines, x: x, y: y})
		l.height = math.Max(l.height, y+lineHeight*float64(len(lines)))
		x += 16 + w + 14
	}
	l.height += 4
	return l
}

func (l legend) paint(p *pen) {
	for _, it := range l.items {
		p.mark(armShape(it.arm), ArmInk(it.arm), 4, it.x+6, it.y+8)
		for j, s := range it.lines {
			p.text(Text, textSize, it.x+16, it.y+12+lineHeight*float64(j), start, false, s)
		}
	}
}

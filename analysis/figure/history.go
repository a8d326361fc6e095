package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"noisefloor/analysis"
)

// HistoryPoint is one version, commit or date; NaN is a gap.
type HistoryPoint struct {
	Label         string
	Value, Lo, Hi float64 // mean of its runs, lowest and highest run
	Wild          bool    // far from its neighbours
}

// HistoryLevel is a stretch of points without a change.
type HistoryLevel struct {
	First, Last int
	Value       float64
}

// HistoryChange is where a new level begins.
type HistoryChange struct {
	At, AtLo, AtHi int    // first point of the new level, and which others it could be
	Label          string // the point and the size of the change: "8.0.30 −5.1 %"
	Verdict        analysis.Verdict
}

// History draws a series in its order: a mark for each point with a line from
// its lowest to its highest run, the levels as bars, and a dashed line with its
// label where a level begins, on a band over the points at which it may have
// begun as well. The axis does not begin at zero.
func History(title string, points []HistoryPoint, levels []HistoryLevel, changes []HistoryChange, xName, yName string, width float64) Figure {
	const (
		left, right = 52.0, 10.0
		plotHeight  = 200.0
	)
	h := historyLayout{points: points, x0: left, x1: width - right}
	heads, headHeight := h.placeChanges(changes, width)
	names := wrap(yName, smallSize, width)
	top := headHeight + lineHeight*float64(len(names)) + 6
	bottom := top + plotHeight
	xNames := wrap(xName, smallSize, width)
	return Figure{
		Title: title, Width: width, Height: bottom + lineHeight*float64(1+len(xNames)) + 8,
		Desc: fmt.Sprintf("%d points in order, %d changes of level.", len(points), len(changes)),
		paint: func(p *pen) {
			for i, s := range names {
				p.text(Muted, smallSize, 0, headHeight+lineHeight*float64(i)+11, start, false, s)
			}
			lo, hi := h.bounds(levels)
			v := scale{lo: lo, hi: hi, p0: bottom - 4, p1: top + 4}
			for _, c := range changes {
				if c.AtHi > c.AtLo {
					p.rect(Band, h.at(float64(c.AtLo)-.75), top, h.at(float64(c.AtHi)-.25), bottom)
				}
			}
			h.paintAxis(p, v, width-right)
			for i, c := range changes {
				k := VerdictInk(c.Verdict)
				x := h.at(float64(c.At) - .5)
				p.line(k, 1, []vg.Length{4, 3}, point{x, heads[i].y + lineHeight*float64(len(heads[i].lines)-1) + 4}, point{x, bottom})
			}
			h.paintPoints(p, v)
			for _, l := range levels {
				if y, out := v.clamp(l.Value); out == 0 {
					p.horizontal(Text, 2, h.at(float64(l.First)-.4), h.at(float64(l.Last)+.4), y)
				}
			}
			for i, c := range changes {
				for j, s := range heads[i].lines {
					p.text(VerdictInk(c.Verdict), smallSize, heads[i].x, heads[i].y+lineHeight*float64(j), start, true, s)
				}
			}
			h.paintLabels(p, changes, bottom)
			for i, s := range xNames {
				p.text(Muted, smallSize, (left+width-right)/2, bottom+lineHeight*float64(2+i), middle, false, s)
			}
		},
	}
}

// historyLayout says where the points stand.
type historyLayout struct {
	points []HistoryPoint
	x0, x1 float64
}

func (h historyLayout) at(i float64) float64 {
	return h.x0 + (i+.5)/math.Max(1, float64(len(h.points)))*(h.x1-h.x0)
}

// head is the label of a change: its first baseline.
type head struct {
	x, y  float64
	lines []string
}

// placeChanges sets the labels above the plot, each as near to its line as the
// ones before it let it.
func (h historyLayout) placeChanges(changes []HistoryChange, width float64) (heads []head, height float64) {
	var ends []float64 // of what stands in each row
	for _, c := range changes {
		const wordGap = 10.0
		lines := wrap(Glyph(c.Verdict)+" "+c.Label, boldSize*smallSize/textSize, width)
		w := 0.0
		for _, s := range lines {
			w = math.Max(w, boldWidth(s, smallSize))
		}
		x := math.Max(0, math.Min(h.at(float64(c.At)-.5)-4, width-w))
		row := 0
		for ; ; row++ {
			free := true
			for j := range lines {
				if row+j < len(ends) && ends[row+j] > x {
					free = false
				}
			}
			if free {
				break
			}
		}
		for j := range lines {
			for row+j >= len(ends) {
				ends = append(ends, math.Inf(-1))
			}
			ends[row+j] = x + w + wordGap
		}
		heads = append(heads, head{x, lineHeight*float64(row) + 12, lines})
	}
	return heads, lineHeight * float64(len(ends))
}

// bounds is the range of values, levels and runs, with a little room.
func (h historyLayout) bounds(levels []HistoryLevel) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	take := func(values ...float64) {
		for _, v := range values {
			if finite(v) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	for _, p := range h.points {
		take(p.Value, p.Lo, p.Hi)
	}
	for _, l := range levels {
		take(l.Value)
	}
	switch {
	case lo > hi:
		return 0, 1
	case lo == hi:
		pad := math.Max(math.Abs(lo)*.05, 1e-9)
		return lo - pad, hi + pad
	}
	pad := .04 * (hi - lo)
	return lo - pad, hi + pad
}

func (h historyLayout) paintAxis(p *pen, v scale, right float64) {
	at := ticks(v.lo, v.hi, 4)
	unit, sign := thousands(math.Max(math.Abs(v.lo), math.Abs(v.hi)))
	scaled := make([]float64, len(at))
	for i := range at {
		scaled[i] = at[i] / unit
	}
	for i, label := range tickLabels(scaled) {
		y, out := v.clamp(at[i])
		if out != 0 {
			continue
		}
		p.horizontal(Rule, 1, h.x0, right, y)
		p.text(Muted, smallSize, h.x0-6, y+4, end, false, label+sign)
	}
}

// paintPoints draws each point, or where several share a pixel, the range they
// cover.
func (h historyLayout) paintPoints(p *pen, v scale) {
	const crowded = 2.0 // points to a pixel
	step := (h.x1 - h.x0) / math.Max(1, float64(len(h.points)))
	if step < 1/crowded {
		type span struct{ lo, hi float64 }
		columns := map[int]span{}
		for i, pt := range h.points {
			if !finite(pt.Value) {
				continue
			}
			x := int(h.at(float64(i)))
			s, ok := columns[x]
			if !ok {
				s = span{pt.Value, pt.Value}
			}
			columns[x] = span{math.Min(s.lo, pt.Value), math.Max(s.hi, pt.Value)}
		}
		for x := int(h.x0); x <= int(h.x1); x++ { // in order: the same picture each time
			if s, ok := columns[x]; ok {
				p.vertical(ArmInk(0).fade(.7), 1, float64(x)+.5, v.at(s.lo)+.5, v.at(s.hi)-.5)
			}
		}
		return
	}
	r := math.Min(3.2, math.Max(1.3, step*.35))
	for i, pt := range h.points {
		x := h.at(float64(i))
		if finite(pt.Lo) && finite(pt.Hi) && pt.Hi > pt.Lo {
			p.vertical(ArmInk(0).fade(.6), 1.2, x, v.at(pt.Lo), v.at(pt.Hi))
		}
		if !finite(pt.Value) {
			continue
		}
		s := disc
		if pt.Wild {
			s = ring
		}
		p.mark(s, ArmInk(0), r, x, v.at(pt.Value))
	}
}

// paintLabels names points below the axis: the first, the last and those where
// a level begins, then as many others as fit. A name that does not fit is left
// out, never cut; those of changes stand above the plot too.
func (h historyLayout) paintLabels(p *pen, changes []HistoryChange, bottom float64) {
	type span struct{ from, to float64 }
	var taken []span
	try := func(i int) {
		label := h.points[i].Label
		half := textWidth(label, smallSize) / 2
		x := math.Max(h.x0+half-40, math.Min(h.at(float64(i)), h.x1-half))
		s := span{x - half - 3, x + half + 3}
		if 2*half > h.x1-h.x0 || slices.ContainsFunc(taken, func(t span) bool { return s.from < t.to && t.from < s.to }) {
			return
		}
		taken = append(taken, s)
		p.vertical(Rule, 1, h.at(float64(i)), bottom, bottom+4)
		p.text(Muted, smallSize, x, bottom+lineHeight, middle, false, label)
	}
	n := len(h.points)
	if n == 0 {
		return
	}
	for _, c := range changes {
		try(c.At)
	}
	try(n - 1)
	try(0)
	// Halve the steps until nothing more fits.
	const fewest = 12. // pixels that a name takes at least
	for step := n; float64(step)*(h.x1-h.x0) > fewest*float64(n); step = (step + 1) / 2 {
		for i := step / 2; i < n; i += step {
			try(i)
		}
		if step == 1 {
			break
		}
	}
}

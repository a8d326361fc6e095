package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Size of one panel of the small multiples: two stand beside each other on a
// phone.
const (
	panelWidth  = 160.0
	panelHeight = 88.0
)

// Panel draws one run over time, small, to stand in a grid with others of its
// stratum: lo and hi are the range they share, length is how many seconds the
// longest of them lasts. Up to cut (in seconds; NaN or 0 = nothing) lies what is
// not counted: it is shaded, and the dashed line is the mean of the rest. Missing
// report lines and values that are NaN leave a gap.
func Panel(title string, t, y []float64, arm int, lo, hi, length, cut float64) Figure {
	if len(t) != len(y) {
		panic("figure: times and values must be as many")
	}
	t, y = gapped(blocks(t, y, panelPoints))
	if !finite(lo) || !finite(hi) || !(length > 0) { // nothing known
		lo, hi, length = 0, 1, 1
	}
	if lo == hi {
		lo, hi = lo-.5, hi+.5
	}
	return Figure{
		Title: title, Width: panelWidth, Height: panelHeight,
		Desc: fmt.Sprintf("one run over %s seconds; the shared range goes from %s to %s.", short(length), short(lo), short(hi)),
		paint: func(p *pen) {
			const left, top, bottom = 2.0, 4.0, panelHeight - 15
			x := scale{lo: 0, hi: length, p0: left, p1: panelWidth - 3}
			v := scale{lo: lo, hi: hi, p0: bottom - 2, p1: top + 2}
			p.rect(Band, left, top, panelWidth-2, bottom)
			from := left
			if cut > 0 {
				from, _ = x.clamp(cut)
				p.rect(Rule, left, top, from, bottom)
			}
			sum, n := 0.0, 0
			var stretch []point
			draw := func() {
				if len(stretch) == 1 { // a point between two gaps
					p.mark(disc, ArmInk(arm), 1.2, stretch[0].x, stretch[0].y)
				} else if len(stretch) > 1 {
					p.line(ArmInk(arm), 1.3, nil, stretch...)
				}
				stretch = nil
			}
			for i := range t {
				if !finite(y[i]) || !finite(t[i]) {
					draw()
					continue
				}
				if !(t[i] <= cut) {
					sum, n = sum+y[i], n+1
				}
				px, _ := x.clamp(t[i])
				py, _ := v.clamp(y[i])
				stretch = append(stretch, point{px, py})
			}
			draw()
			if n > 0 {
				py, _ := v.clamp(sum / float64(n))
				p.line(Muted, .8, []vg.Length{3, 3}, point{from, py}, point{panelWidth - 2, py})
			}
			const axisSize = 10
			p.text(Muted, axisSize, left, panelHeight-4, start, false, short(lo)+" to "+short(hi))
			p.text(Muted, axisSize, panelWidth-3, panelHeight-4, end, false, short(length)+" s")
		},
	}
}

// panelPoints is about one point to a pixel.
const panelPoints = 150

// blocks averages a series that has more points than can be seen, in blocks of
// equal time. A block without a value is NaN.
func blocks(t, y []float64, most int) ([]float64, []float64) {
	if len(t) <= most {
		return t, y
	}
	first, last := math.Inf(1), math.Inf(-1)
	for _, at := range t {
		if finite(at) {
			first, last = math.Min(first, at), math.Max(last, at)
		}
	}
	bt, by, n := make([]float64, most), make([]float64, most), make([]int, most)
	for i, at := range t {
		if finite(at) && finite(y[i]) {
			b := min(int(float64(most)*(at-first)/(last-first)), most-1)
			by[b], n[b] = by[b]+y[i], n[b]+1
		}
	}
	for b := range most {
		bt[b] = first + (float64(b)+.5)*(last-first)/float64(most)
		by[b] /= float64(n[b]) // 0/0 is NaN
	}
	return bt, by
}

// gapped puts a NaN where report lines are missing, so that no line is drawn
// through time that nobody saw: where a step is more than twice the typical one,
// and half a step for the clock's slack.
func gapped(t, y []float64) ([]float64, []float64) {
	var steps []float64
	for i := 1; i < len(t); i++ {
		if finite(t[i] - t[i-1]) {
			steps = append(steps, t[i]-t[i-1])
		}
	}
	if len(steps) == 0 {
		return t, y
	}
	slices.Sort(steps)
	limit := 2.5 * steps[len(steps)/2]
	var gt, gy []float64
	for i := range t {
		if i > 0 && t[i]-t[i-1] > limit {
			gt, gy = append(gt, (t[i]+t[i-1])/2), append(gy, math.NaN())
		}
		gt, gy = append(gt, t[i]), append(gy, y[i])
	}
	return gt, gy
}

package figure

import (
	"fmt"
	"math"

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
// longest of them lasts. The dashed line is the run's own mean. Values that are
// NaN leave a gap.
func Panel(title string, t, y []float64, arm int, lo, hi, length float64) Figure {
	if len(t) != len(y) {
		panic("figure: times and values must be as many")
	}
	t, y = blocks(t, y, panelPoints)
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
				sum, n = sum+y[i], n+1
				px, _ := x.clamp(t[i])
				py, _ := v.clamp(y[i])
				stretch = append(stretch, point{px, py})
			}
			draw()
			if n > 0 {
				py, _ := v.clamp(sum / float64(n))
				p.line(Muted, .8, []vg.Length{3, 3}, point{left, py}, point{panelWidth - 2, py})
			}
			const axisSize = 10
			p.text(Muted, axisSize, left, panelHeight-4, start, false, short(lo)+" to "+short(hi))
			p.text(Muted, axisSize, panelWidth-3, panelHeight-4, end, false, short(length)+" s")
		},
	}
}

// panelPoints is about one point to a pixel.
const panelPoints = 150

// blocks averages a series that has more points than can be seen, block by
// block, so that no stretch of it is left out. A block of NaN stays NaN.
func blocks(t, y []float64, most int) ([]float64, []float64) {
	if len(t) <= most {
		return t, y
	}
	bt, by := make([]float64, most), make([]float64, most)
	for b := range most {
		from, to := b*len(t)/most, (b+1)*len(t)/most
		st, sy, nt, ny := 0.0, 0.0, 0, 0
		for i := from; i < to; i++ {
			if finite(t[i]) {
				st, nt = st+t[i], nt+1
			}
			if finite(y[i]) {
				sy, ny = sy+y[i], ny+1
			}
		}
		bt[b], by[b] = math.NaN(), math.NaN()
		if nt > 0 {
			bt[b] = st / float64(nt)
		}
		if ny > 0 {
			by[b] = sy / float64(ny)
		}
	}
	return bt, by
}

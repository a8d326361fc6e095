package figure

import (
	"fmt"
	"math"
)

// Bar is a row of a bar picture: what the base and the contender have, and the
// difference with its interval, all in the unit of the axis. NaN is unknown.
type Bar struct {
	Group           string
	Label           string
	Base, Contender float64
	Diff, Lo, Hi    float64
	Called          bool // the difference is a claim
	Note            string
	Word            string
}

// Bars draws two thin bars in each row, one an arm, and beside the contender's
// end the interval of the difference: where the contender's bar would end if
// the base stayed. An interval that leaves out the end of the base's bar is a
// difference.
func Bars(title, base, contender, axis string, rows []Bar, width float64) Figure {
	r := rowPlot{title: title, axis: axis, x: scale{}}
	r.desc = fmt.Sprintf("%d rows; each has a bar for %s, a bar for %s, and the interval of the difference. The table beside it has the same numbers.", len(rows), base, contender)
	claims := false
	for _, b := range rows {
		for _, v := range []float64{b.Base, b.Contender, b.Base + b.Hi, b.Base + b.Lo} {
			if finite(v) {
				r.x.lo, r.x.hi = min(r.x.lo, v), max(r.x.hi, v)
			}
		}
		claims = claims || b.Called
	}
	// An interval of next to no data must not flatten all bars.
	longest := 0.0
	for _, b := range rows {
		longest = max(longest, zeroed(b.Base), zeroed(b.Contender))
	}
	if longest > 0 {
		r.x.lo, r.x.hi = max(r.x.lo, -.25*longest), min(r.x.hi, 1.6*longest)
	}
	if !(r.x.hi > r.x.lo) {
		r.x.hi = r.x.lo + 1
	}
	r.ticks = ticks(r.x.lo, r.x.hi, 5)
	r.tickLabels = tickLabels(r.ticks)
	for _, b := range rows {
		r.rows = append(r.rows, row{
			group: b.Group, label: b.Label, note: b.Note, word: b.Word, ink: barInk(b),
			mark: func(p *pen, x scale, y float64) {
				bar := func(arm int, v, y0 float64) {
					if finite(v) {
						end, _ := x.clamp(v)
						p.rect(ArmInk(arm).fade(.75), x.at(0), y0, end, y0+4)
					}
				}
				bar(0, b.Base, y-6)
				bar(1, b.Contender, y-1)
				s := ring
				if b.Called {
					s = square
				}
				if finite(b.Lo) && finite(b.Hi) {
					interval(p, x, y+6, barInk(b), s, 2.5, b.Base+b.Diff, b.Base+b.Lo, b.Base+b.Hi)
				}
			},
		})
	}
	r.legend = []string{fmt.Sprintf("upper bar: %s (blue); lower bar: %s (orange); line under them: where the contender's bar may end, from the interval of the difference", base, contender)}
	if claims {
		r.legend = append(r.legend, "filled square: called, beyond what runs of one build do; ring: seen, but not shown")
	}
	return r.figure(width)
}

func zeroed(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

func barInk(b Bar) Ink {
	switch {
	case b.Called && b.Diff > 0:
		return armInks[4]
	case b.Called:
		return armInks[0]
	}
	return Muted
}

package figure

import (
	"fmt"
	"math"
	"slices"

	"noisefloor/analysis"
)

// Change is one row of a forest plot. Numbers are relative changes as
// fractions (.01 = contender 1 % above base); NaN is unknown.
type Change struct {
	Group            string // heading of a block of rows: the contender
	Label            string // the stratum
	Estimate, Lo, Hi float64
	Floor            float64 // noise floor of this row
	Verdict          analysis.Verdict
	Note             string // the numbers, as text
}

// Forest draws changes with their intervals under each other, on the band of
// the margin, with the noise floor as a pair of ticks in each row. The axis is
// logarithmic, so that twice as fast and half as fast lie equally far from no
// change. better is +1 where a higher metric is better, -1 where a lower one
// is, 0 where neither is.
func Forest(title string, rows []Change, margin float64, better int, width float64) Figure {
	r := rowPlot{title: title, x: changeScale(rows, margin), axis: "change against the base"}
	r.desc = fmt.Sprintf("%d rows; each shows the change of the contender against the base with its interval, and the verdict in words. The table beside it has the same numbers.", len(rows))
	switch better {
	case 1:
		r.left, r.right = "slower", "faster"
	case -1:
		r.left, r.right = "faster", "slower"
	default:
		r.left, r.right = "lower", "higher"
	}
	lo, hi := 100*math.Expm1(r.x.lo), 100*math.Expm1(r.x.hi)
	percent := ticks(lo, hi, 5)
	for i, label := range tickLabels(percent) {
		r.ticks = append(r.ticks, math.Log1p(percent[i]/100))
		if percent[i] > 0 {
			label = "+" + label
		}
		r.tickLabels = append(r.tickLabels, label+" %")
	}
	m := math.Log1p(margin)
	r.behind = func(p *pen, x scale, y0, y1 float64) {
		p.rect(Band, x.at(-m), y0, x.at(m), y1)
		p.vertical(Muted.fade(.5), 1, x.at(0), y0, y1)
	}
	floors := false
	for _, c := range rows {
		k := VerdictInk(c.Verdict)
		floors = floors || c.Floor > 0
		r.rows = append(r.rows, row{
			group: c.Group, label: c.Label, note: c.Note, word: Glyph(c.Verdict) + " " + string(c.Verdict), ink: k,
			mark: func(p *pen, x scale, y float64) {
				if c.Floor > 0 {
					f := math.Log1p(c.Floor)
					for _, v := range []float64{-f, f} {
						if px, out := x.clamp(v); out == 0 {
							p.vertical(Muted, 1.5, px, y-6, y+6)
						}
					}
				}
				interval(p, x, y, k, verdictShape(c.Verdict), 4, math.Log1p(c.Estimate), math.Log1p(c.Lo), math.Log1p(c.Hi))
			},
		})
	}
	r.legend = []string{fmt.Sprintf("grey band: the margin, ±%s %%, smaller changes do not matter", trim(100*margin))}
	if floors {
		r.legend = append(r.legend, "grey ticks: the noise floor, this design misses smaller changes more often than 1 time in 5")
	}
	return r.figure(width)
}

// verdictShape: a claim is filled, a hollow ring is an observation without one.
func verdictShape(v analysis.Verdict) shape {
	switch v {
	case analysis.Faster, analysis.Slower:
		return square
	case analysis.Equivalent:
		return diamond
	case analysis.Inconclusive:
		return disc
	}
	return ring
}

// changeScale spans the estimates that have an interval, and the margin, on a
// log axis. What lies far beyond the typical interval runs off the axis, so
// that one row without enough data does not flatten all others.
func changeScale(rows []Change, margin float64) scale {
	m := math.Log1p(margin)
	s := scale{lo: -1.5 * m, hi: 1.5 * m}
	include := func(v, limit float64) {
		if finite(v) {
			s.lo, s.hi = math.Min(s.lo, math.Max(v, -limit)), math.Max(s.hi, math.Min(v, limit))
		}
	}
	var bounds []float64
	for _, c := range rows {
		if lo, hi := math.Log1p(c.Lo), math.Log1p(c.Hi); finite(lo) && finite(hi) {
			bounds = append(bounds, math.Max(math.Abs(lo), math.Abs(hi)))
			include(math.Log1p(c.Estimate), math.Inf(1))
		}
	}
	limit := math.Inf(1)
	if len(bounds) > 0 {
		slices.Sort(bounds)
		// Twice what reaches half of the rows keeps those on half of the axis.
		limit = 2 * math.Max(bounds[len(bounds)/2], math.Max(-s.lo, s.hi))
	}
	for _, c := range rows {
		include(math.Log1p(c.Estimate), limit)
		include(math.Log1p(c.Lo), limit)
		include(math.Log1p(c.Hi), limit)
	}
	pad := .05 * (s.hi - s.lo)
	s.lo, s.hi = s.lo-pad, s.hi+pad
	return s
}

func trim(v float64) string { return fmt.Sprintf("%g", math.Round(v*1e6)/1e6) }

package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Spread is one level of variance: the standard deviation between days,
// launches or runs, as a fraction of the mean, with its interval.
type Spread struct {
	Group      string // the stratum
	Level      string // "day to day", "launch to launch", "run to run"
	SD, Lo, Hi float64
	Note       string // the numbers in words; "unknown (one day)" where SD is NaN
}

// Spreads draws variance components with their intervals.
func Spreads(title string, rows []Spread, width float64) Figure {
	r := rowPlot{title: title, axis: "standard deviation, % of the mean"}
	r.desc = fmt.Sprintf("%d rows; each shows how far days, launches or runs scatter, with an interval.", len(rows))
	high := 0.0
	var bounds []float64
	for _, s := range rows {
		if finite(s.SD) {
			high = math.Max(high, s.SD)
		}
		if finite(s.Hi) {
			bounds = append(bounds, s.Hi)
		}
	}
	if len(bounds) > 0 {
		slices.Sort(bounds)
		// An upper bound from two days can be a hundred times the estimate; it
		// ends in an arrow instead of flattening every other row.
		high = math.Max(high, math.Min(bounds[len(bounds)-1], 4*math.Max(high, bounds[len(bounds)/2]/2)))
	}
	if high == 0 {
		high = .01
	}
	r.x = scale{lo: 0, hi: high * 1.05}
	percent := ticks(0, 100*r.x.hi, 4)
	for i, label := range tickLabels(percent) {
		r.ticks = append(r.ticks, percent[i]/100)
		r.tickLabels = append(r.tickLabels, label+" %")
	}
	for _, s := range rows {
		r.rows = append(r.rows, row{group: s.Group, label: s.Level, note: s.Note, ink: Muted,
			mark: func(p *pen, x scale, y float64) {
				if math.IsNaN(s.SD) {
					p.line(Muted, 1, dotted, point{x.p0, y}, point{x.p1, y})
					return
				}
				k, form := levelMark(s.Level)
				interval(p, x, y, k, form, 3.6, s.SD, s.Lo, s.Hi)
			}})
	}
	return r.figure(width)
}

// levelMark gives each level of nesting its own look; the label says the same
// in words.
func levelMark(level string) (Ink, shape) {
	switch {
	case strings.HasPrefix(level, "day"):
		return armInks[2], diamond
	case strings.HasPrefix(level, "launch"):
		return armInks[5], square
	}
	return Muted, disc
}

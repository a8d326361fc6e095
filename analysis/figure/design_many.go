package figure

import (
	"fmt"
	"math"
	"slices"

	"noisefloor/analysis"
)

// MostTicks is how many runs a picture of the design shows one by one.
const MostTicks = 2000

// designOfMany draws arms x days where there are too many runs for ticks: a
// lane for each arm, a column for each day, and a cell the darker the more runs
// of the arm that day has.
func designOfMany(title string, arms, days []string, runs []Place, width float64) Figure {
	names, lane, left := layNames(arms, width)
	order := slices.Clone(days)
	column := map[string]int{}
	for i, day := range order {
		column[day] = i
	}
	for _, r := range runs {
		if _, known := column[r.Day]; !known {
			column[r.Day] = len(order)
			order = append(order, r.Day)
		}
	}
	count := make([][]int, len(arms))
	for i := range count {
		count[i] = make([]int, len(order))
	}
	most, fewest := 0, math.MaxInt
	for _, r := range runs {
		count[r.Arm][column[r.Day]]++
	}
	for _, c := range count {
		most, fewest = max(most, slices.Max(c)), min(fewest, slices.Min(c))
	}
	const head = lineHeight + 4
	height := head
	for _, h := range lane {
		height += h
	}
	label := func(i int) string {
		if order[i] == "" {
			return "day unknown"
		}
		return order[i]
	}
	cells := fmt.Sprintf("%d runs an arm a day", most)
	if fewest < most {
		cells = fmt.Sprintf("%d to %d runs an arm a day, darker for more", fewest, most)
	}
	return Figure{
		Title: title, Width: width, Height: height + 2*lineHeight,
		Desc: fmt.Sprintf("%d runs of %s on %s; %s.", len(runs), analysis.Counted(len(arms), "arm"), analysis.Counted(len(order), "day"), cells),
		paint: func(p *pen) {
			x := scale{lo: 0, hi: float64(len(order)), p0: left, p1: width - 2}
			p.text(Muted, smallSize, left, lineHeight-2, start, false, label(0))
			if len(order) > 1 {
				p.text(Muted, smallSize, width-2, lineHeight-2, end, false, label(len(order)-1))
			}
			y := head
			for arm := range arms {
				top, bottom := y+2, y+lane[arm]-2
				for j, s := range names[arm] {
					p.text(Text, smallSize, left-10, y+(lane[arm]-13*float64(len(names[arm])))/2+13*float64(j)+10, end, false, s)
				}
				p.rect(Band, left, top, width-2, bottom)
				for from := 0; from < len(order); {
					to := from + 1
					for to < len(order) && count[arm][to] == count[arm][from] { // one rectangle for equal days
						to++
					}
					if n := count[arm][from]; n > 0 {
						p.rect(ArmInk(arm).fade(.25+.6*float64(n)/float64(most)), x.at(float64(from)), top, x.at(float64(to)), bottom)
					}
					from = to
				}
				y += lane[arm]
			}
			p.text(Muted, smallSize, left, y+lineHeight, start, false, fmt.Sprintf("%d days, %s", len(order), cells))
		},
	}
}

// layNames wraps the names of arms, with the height of each lane and where the
// picture beside them begins.
func layNames(arms []string, width float64) (names [][]string, lane []float64, left float64) {
	widest := 0.0
	for _, a := range arms {
		widest = math.Max(widest, textWidth(a, smallSize))
	}
	left = math.Min(widest, width*.26) + 10
	for _, a := range arms {
		lines := wrap(a, smallSize, left-10)
		names = append(names, lines)
		lane = append(lane, math.Max(20, 13*float64(len(lines))+6))
	}
	return names, lane, left
}

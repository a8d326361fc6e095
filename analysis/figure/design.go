package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"noisefloor/analysis"
)

// Place is where one run stands in the design.
type Place struct {
	Arm    int
	Day    string  // "" = unknown
	Launch string  // "" = unknown
	Slot   float64 // when it ran relative to others of its day; NaN = unknown
}

// Design draws arms x days x runs: a lane for each arm, a block for each day,
// and in it a tick for each run in running order. Launches are shaded behind
// their runs. Where an arm has no run on a day, its lane is empty and says so.
// Days stand in the order given; those without a run are drawn too. Thousands of
// runs are counted per arm and day instead.
func Design(title string, arms, days []string, runs []Place, width float64) Figure {
	if len(runs) > MostTicks {
		return designOfMany(title, arms, days, runs, width)
	}
	d := layDesign(arms, days, runs, width)
	return Figure{
		Title: title,
		Desc: fmt.Sprintf("%s of %s on %s. Each tick is one run, in the order they ran.",
			analysis.Counted(len(runs), "run"), analysis.Counted(len(arms), "arm"), analysis.Counted(len(d.blocks), "day")),
		Width: width, Height: d.height,
		paint: d.paint,
	}
}

// design is the laid-out picture.
type design struct {
	arms   [][]string // wrapped names
	lane   []float64  // height of each lane
	lanes  float64    // height of all lanes
	head   float64    // room for the label of a day
	left   float64    // where days begin
	step   float64    // pixels from run to run
	blocks []dayBlock
	height float64
}

type dayBlock struct {
	label       []string // wrapped
	x, y, width float64
	step        float64 // pixels from run to run; a long label leaves room
	runs        []Place // in running order
	ordered     bool
}

const (
	dayGap    = 16.0
	widestRun = 9.0 // pixels from run to run in a small design
	// closestRun keeps runs apart; below it, days move to a further line.
	closestRun = 2.4
)

func layDesign(arms, days []string, runs []Place, width float64) *design {
	d := &design{}
	d.arms, d.lane, d.left = layNames(arms, width)
	for _, h := range d.lane {
		d.lanes += h
	}
	order := slices.Clone(days)
	byDay := map[string][]Place{}
	for _, r := range runs {
		if len(byDay[r.Day]) == 0 && !slices.Contains(order, r.Day) {
			order = append(order, r.Day)
		}
		byDay[r.Day] = append(byDay[r.Day], r)
	}
	room := width - d.left - 2
	most := 1
	for _, day := range order {
		b := dayBlock{runs: byDay[day], ordered: true}
		for _, r := range b.runs {
			b.ordered = b.ordered && !math.IsNaN(r.Slot)
		}
		if b.ordered {
			slices.SortStableFunc(b.runs, func(a, c Place) int { return cmp.Compare(a.Slot, c.Slot) })
		}
		b.label = wrap(dayLabel(day, len(b.runs), b.ordered), smallSize, room)
		d.head = math.Max(d.head, 13*float64(len(b.label))+5)
		most = max(most, len(b.runs))
		d.blocks = append(d.blocks, b)
	}

	total := dayGap * float64(max(0, len(order)-1))
	d.step = math.Min(widestRun, (room-total)/float64(max(1, len(runs))))
	d.step = math.Max(d.step, closestRun)
	d.step = math.Min(d.step, room/float64(most)) // even the longest day fits a line
	x, y := d.left, 0.0
	for i := range d.blocks {
		b := &d.blocks[i]
		b.width = d.step * float64(len(b.runs))
		for _, s := range b.label {
			b.width = math.Min(room, math.Max(b.width, textWidth(s, smallSize)))
		}
		if x > d.left && x+b.width > width-2 {
			x, y = d.left, y+d.head+d.lanes+12
		}
		b.x, b.y = x, y
		b.step = math.Min(widestRun, b.width/math.Max(1, float64(len(b.runs))))
		x += b.width + dayGap
	}
	d.height = math.Ceil(y + d.head + d.lanes + 6)
	return d
}

func (d *design) paint(p *pen) {
	named := -1.0 // the line of blocks that has its lanes named
	for _, b := range d.blocks {
		y := b.y + d.head
		if b.y != named {
			named = b.y
			for i, lines := range d.arms {
				top := y + (d.lane[i]-13*float64(len(lines)))/2
				for j, s := range lines {
					p.text(Text, smallSize, d.left-10, top+13*float64(j)+10, end, false, s)
				}
				y += d.lane[i]
			}
		}
		for i, s := range b.label {
			p.text(Muted, smallSize, b.x, b.y+12+13*float64(i), start, false, s)
		}
		d.paintDay(p, b)
	}
}

// paintDay draws the lanes of one day.
func (d *design) paintDay(p *pen, b dayBlock) {
	y := b.y + d.head
	for arm := range d.arms {
		top, bottom := y+2, y+d.lane[arm]-2
		p.rect(Band, b.x, top, b.x+b.width, bottom)
		k := ArmInk(arm)
		empty := true
		first, last := -1, -1 // stretch of runs of one launch
		launch := ""
		shade := func() {
			if launch != "" && first >= 0 {
				p.rect(k.fade(.2), b.x+b.step*float64(first), top, b.x+b.step*float64(last+1), bottom)
			}
			first = -1
		}
		for i, r := range b.runs {
			if r.Arm != arm {
				continue
			}
			empty = false
			// A launch that another arm interrupts is two stretches: what is
			// shaded is what ran without a break.
			if first >= 0 && (r.Launch != launch || i != last+1) {
				shade()
			}
			if first < 0 {
				first, launch = i, r.Launch
			}
			last = i
		}
		shade()
		if empty {
			p.line(Muted, 1, dotted, point{b.x, (top + bottom) / 2}, point{b.x + b.width, (top + bottom) / 2})
			label := "no runs"
			half := textWidth(label, smallSize) / 2
			if b.width > 2*half+12 {
				mid := b.x + b.width/2
				p.rect(Band, mid-half-4, top, mid+half+4, bottom)
				p.text(Muted, smallSize, mid, (top+bottom)/2+4, middle, false, label)
			}
		}
		thick := math.Min(5, math.Max(.8, b.step*.62))
		for i, r := range b.runs {
			if r.Arm == arm {
				mid := b.x + b.step*(float64(i)+.5)
				p.rect(k, mid-thick/2, top+2, mid+thick/2, bottom-2)
			}
		}
		y += d.lane[arm]
	}
}

func dayLabel(day string, runs int, ordered bool) string {
	if day == "" {
		day = "day unknown"
	}
	if runs == 1 {
		return day + ", 1 run"
	}
	label := fmt.Sprintf("%s, %d runs", day, runs)
	if !ordered {
		label += ", order unknown"
	}
	return label
}

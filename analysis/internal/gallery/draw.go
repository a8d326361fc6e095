package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"noisefloor/analysis/compare"
)

// Size of a picture, and the room inside it.
const (
	width, height           = 250., 104.
	left, right, top, floor = 8., 242., 8., 84.
)

// Okabe and Ito's blue and vermillion; shapes say it too.
const (
	blue, vermillion, grey, ink, rule = "#0072b2", "#d55e00", "#9aa2ab", "#3c434b", "#d5d9dd"
)

// mark is one run in a picture.
type mark struct {
	run   compare.Run
	aside bool    // takes no part
	ring  bool    // the one that is spoken of
	place float64 // in the order of its day, also where the run itself does not say
}

// parse reads lines such as "d1 A 100 101x 140!": a day (? = unknown), an arm with
// its launch behind a slash, and values; x takes no part, ! is ringed. The arms
// take turns inside a day, and who begins changes from day to day; from "block" on
// the base comes first, from "swap" on the contender, and with "unplaced" nobody
// knows.
func parse(lines []string) (marks []mark) {
	block, swap, unplaced := false, false, false
	days, made := map[string]int{}, map[string]int{}
	for _, line := range lines {
		switch line {
		case "block":
			block = true
			continue
		case "swap":
			swap = true
			continue
		case "unplaced":
			unplaced = true
			continue
		}
		f := strings.Fields(line)
		if _, ok := days[f[0]]; !ok {
			days[f[0]] = len(days)
		}
		d := days[f[0]]
		arm, launch, _ := strings.Cut(f[1], "/")
		a := strings.Index("AB", arm)
		day := f[0]
		if day == "?" {
			day = ""
		}
		for _, v := range f[2:] {
			m := mark{aside: strings.HasSuffix(v, "x"), ring: strings.HasSuffix(v, "!")}
			value, err := strconv.ParseFloat(strings.TrimRight(v, "x!"), 64)
			if err != nil {
				panic(err)
			}
			k := made[f[0]+arm]
			made[f[0]+arm]++
			slot := float64(1000*d + 2*k + (a+d)%2)
			switch {
			case swap:
				slot = float64(1000*d + 100*(1-a) + k)
			case block:
				slot = float64(1000*d + 100*a + k)
			}
			m.place = slot
			if unplaced {
				slot = math.NaN()
			}
			m.run = compare.Run{Arm: a, Day: day, Launch: launch, Slot: slot, Value: value, ID: "run" + strconv.Itoa(len(marks)+1)}
			marks = append(marks, m)
		}
	}
	return marks
}

// strip draws runs day by day, in the order they ran, base as discs and contender
// as squares.
func strip(lines ...string) string {
	marks := parse(lines)
	lo, hi := math.Inf(1), math.Inf(-1)
	var days []string
	slots := map[string][]float64{}
	for _, m := range marks {
		lo, hi = min(lo, m.run.Value), max(hi, m.run.Value)
		if _, ok := slots[m.run.Day]; !ok {
			days = append(days, m.run.Day)
		}
		slots[m.run.Day] = append(slots[m.run.Day], m.place)
	}
	if hi == lo {
		lo, hi = lo-1, hi+1
	}
	room := (right - left) / float64(len(days))
	var b strings.Builder
	for i, day := range days {
		x := left + float64(i)*room
		name := day
		if name == "" {
			name = "day unknown"
		}
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%.0f" fill="#f2f4f5"/><text x="%.1f" y="98" text-anchor="middle">%s</text>`,
			x+2, top-4, room-4, floor-top+8, x+room/2, name)
		for _, m := range marks {
			if m.run.Day != day {
				continue
			}
			place := 0
			for _, s := range slots[day] {
				if s < m.place {
					place++
				}
			}
			px := x + room*(float64(place)+.75)/(float64(len(slots[day]))+.5)
			py := floor - (floor-top)*(m.run.Value-lo)/(hi-lo)
			b.WriteString(shape(m, px, py))
		}
	}
	return svg(b.String())
}

func shape(m mark, x, y float64) string {
	colour := []string{blue, vermillion}[m.run.Arm]
	fill := colour
	if m.aside {
		colour, fill = grey, "none"
	}
	s := fmt.Sprintf(`<circle cx="%.1f" cy="%.1f" r="3.2" fill="%s" stroke="%s"/>`, x, y, fill, colour)
	if m.run.Arm == 1 {
		s = fmt.Sprintf(`<rect x="%.1f" y="%.1f" width="6" height="6" fill="%s" stroke="%s"/>`, x-3, y-3, fill, colour)
	}
	if m.ring {
		s += fmt.Sprintf(`<circle cx="%.1f" cy="%.1f" r="7" fill="none" stroke="%s"/>`, x, y, ink)
	}
	return s
}

// series draws the course of one run: throughput against seconds; a cut is a
// dashed line, NaN a gap.
func series(cut float64, y ...float64) string {
	lo, hi := 0., 0.
	for _, v := range y {
		if !math.IsNaN(v) {
			hi = max(hi, v)
		}
	}
	at := func(i int) float64 { return left + (right-left)*float64(i)/float64(max(1, len(y)-1)) }
	var b strings.Builder
	fmt.Fprintf(&b, `<line x1="%.0f" y1="%.0f" x2="%.0f" y2="%.0f" stroke="%s"/>`, left, floor, right, floor, rule)
	if cut > 0 {
		x := left + (right-left)*cut
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f" stroke="%s" stroke-dasharray="3 3"/>`, x, top-4, x, floor, ink)
	}
	pen := "M"
	b.WriteString(`<path fill="none" stroke="` + blue + `" stroke-width="1.3" d="`)
	for i, v := range y {
		if math.IsNaN(v) {
			pen = "M"
			continue
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", pen, at(i), floor-(floor-top)*(v-lo)/(hi-lo))
		pen = "L"
	}
	fmt.Fprintf(&b, `"/><text x="%.0f" y="98">0 s</text><text x="%.0f" y="98" text-anchor="end">time</text>`, left, right)
	return svg(b.String())
}

// bars draws spreads with their intervals, each as "name sd lo hi"; hi may be inf.
func bars(rows ...string) string {
	var b strings.Builder
	room := (floor + 8 - top) / float64(len(rows))
	for i, row := range rows {
		f := strings.Fields(row)
		y := top + room*(float64(i)+.5)
		fmt.Fprintf(&b, `<text x="%.0f" y="%.1f">%s</text>`, left, y+3.5, f[0])
		if len(f) == 1 {
			fmt.Fprintf(&b, `<text x="90" y="%.1f" fill="%s">unknown</text>`, y+3.5, grey)
			continue
		}
		var v [3]float64
		for k := range v {
			x, err := strconv.ParseFloat(f[k+1], 64)
			if err != nil {
				panic(err)
			}
			v[k] = 90 + min(x, 10)*15
		}
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="2"/><circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`, v[1], y, v[2], y, grey, v[0], y, blue)
	}
	return svg(b.String())
}

func svg(body string) string {
	s := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="sans-serif" font-size="10" fill="%s"><rect width="%.0f" height="%.0f" fill="#ffffff"/>`,
		width, height, width, height, ink, width, height)
	return s + body + "</svg>\n"
}

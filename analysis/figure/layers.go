package figure

import (
	"fmt"
	"slices"
)

// Layer is one band of a stacked picture; nil or NaN is nothing.
type Layer struct {
	Name string
	Y    []float64 // parallel to the times
}

// layerInks are told apart by their lightness too; the last is for what is left
// over.
var layerInks = []Ink{armInks[0], armInks[1], armInks[3], armInks[2], armInks[5], armInks[4]}

// MostLayers is how many bands a stacked picture tells apart.
const MostLayers = 6

// Layers draws what adds up over time, the first layer at the bottom, on a
// range from 0 to hi that several such pictures may share. Bands beyond
// MostLayers are grey. Each is named at the right, or, on a phone, below.
func Layers(title, yName, xName string, t []float64, layers []Layer, hi, width float64) Figure {
	for _, l := range layers {
		if len(l.Y) != len(t) {
			panic("figure: times and values must be as many")
		}
	}
	const left, top, tall = 34.0, 8.0, 150.0
	beside := width >= narrowBelow
	right := width - 4
	nameWidth := 0.0
	if beside {
		for _, l := range layers {
			nameWidth = max(nameWidth, textWidth(l.Name, smallSize)+16)
		}
		nameWidth = min(nameWidth, width*.36)
		right = width - nameWidth - 8
	}
	type entry struct {
		ink   Ink
		lines []string
	}
	var entries []entry
	for i, l := range slices.Backward(layers) { // the top layer first, as they stand
		room := width - 16
		if beside {
			room = nameWidth - 14
		}
		entries = append(entries, entry{layerInk(i), wrap(l.Name, smallSize, room)})
	}
	legend := 0.0
	for _, e := range entries {
		legend += lineHeight * float64(len(e.lines))
	}
	height := top + tall + 2*lineHeight + 4
	if beside {
		height = max(height, top+legend)
	} else {
		height += legend
	}
	desc := fmt.Sprintf("%d layers stacked over time.", len(layers))
	if finite(hi) {
		desc = fmt.Sprintf("%d layers stacked over time, at most %s together.", len(layers), short(hi))
	}
	return Figure{
		Title: title, Desc: desc, Width: width, Height: height,
		paint: func(p *pen) {
			if len(t) == 0 || !(hi > 0) {
				p.text(Muted, smallSize, left, top+tall/2, start, false, "nothing over time")
				return
			}
			from, to := slices.Min(t), slices.Max(t)
			if from == to {
				from, to = from-.5, to+.5
			}
			x := scale{lo: from, hi: to, p0: left, p1: right}
			y := scale{lo: 0, hi: hi, p0: top + tall, p1: top}
			at := ticks(0, hi, 4)
			for i, label := range tickLabels(at) {
				p.horizontal(Rule, 1, left, right, y.at(at[i]))
				p.text(Muted, smallSize, left-5, y.at(at[i])+4, end, false, label)
			}
			below := make([]float64, len(t))
			for i, l := range layers {
				var shape []point
				for j := range t {
					shape = append(shape, point{x.at(t[j]), y.at(min(below[j], hi))})
				}
				for j := range slices.Backward(t) {
					if v := l.Y[j]; v > 0 && finite(v) {
						below[j] += v
					}
					shape = append(shape, point{x.at(t[j]), y.at(min(below[j], hi))})
				}
				p.titled(l.Name, func() {
					p.fill(layerInk(i), shape...)
					p.line(Paper, .7, nil, shape[len(t):]...)
				})
			}
			seconds := ticks(from, to, 5)
			for i, label := range tickLabels(seconds) {
				p.text(Muted, smallSize, x.at(seconds[i]), top+tall+lineHeight, middle, false, label)
			}
			p.text(Muted, smallSize, left, top+tall+2*lineHeight, start, false, yName+" against "+xName)
			ly, lx := top, right+8
			if !beside {
				ly, lx = top+tall+2*lineHeight+4, 0
			}
			for _, e := range entries {
				p.rect(e.ink, lx, ly+2, lx+9, ly+11)
				for _, s := range e.lines {
					p.text(Text, smallSize, lx+14, ly+11, start, false, s)
					ly += lineHeight
				}
			}
		},
	}
}

func layerInk(i int) Ink {
	if i < MostLayers {
		return layerInks[i]
	}
	return Muted.fade(.55)
}

package figure

import "math"

// rowPlot is a picture of rows above one common axis: a label, a mark on the
// axis, a note, a word. Wide, they stand beside each other; on a phone, the
// texts stand above the mark. Labels are wrapped, never cut.
type rowPlot struct {
	title, desc string
	rows        []row
	x           scale // lo, hi and log; the pixels are set by the layout
	ticks       []float64
	tickLabels  []string
	left, right string // what the two directions of the axis mean
	axis        string // what the axis shows
	legend      []string
	behind      func(p *pen, x scale, y0, y1 float64)
}

type row struct {
	group string // heading, printed where it changes
	label string
	note  string
	word  string
	ink   Ink // of word
	mark  func(p *pen, x scale, y float64)
}

// narrowBelow is the width, in pixels, under which texts move above the marks.
const narrowBelow = 520.0

const (
	lineHeight = 15.0
	rowGap     = 11.0
	barHeight  = 18.0 // room of a mark that stands under its texts
	groupGap   = 8.0
)

// figure lays the rows out and gives the picture that draws them.
func (r *rowPlot) figure(width float64) Figure {
	l := r.lay(width)
	return Figure{Title: r.title, Desc: r.desc, Width: width, Height: l.height, paint: func(p *pen) {
		l.paintAxis(p)
		for i := range r.rows {
			l.paintRow(p, &r.rows[i], &l.at[i])
		}
	}}
}

// rowLayout is where everything of a rowPlot stands.
type rowLayout struct {
	*rowPlot
	width, height float64
	narrow        bool
	x             scale
	wordWidth     float64
	top, bottom   float64 // of the rows
	at            []rowPlace
	foot          []string // what stands under the axis
}

type rowPlace struct {
	group, labels, notes []string // wrapped
	top, bar             float64
	beside               bool    // narrow: the note stands at the end of the label's line
	from, to             float64 // stretch of the axis behind the row
}

func (r *rowPlot) lay(width float64) *rowLayout {
	const pad = 10.0
	l := &rowLayout{rowPlot: r, width: width, narrow: width < narrowBelow, x: r.x, at: make([]rowPlace, len(r.rows))}
	labelWidth, noteWidth := 0.0, 0.0
	for _, row := range r.rows {
		labelWidth = math.Max(labelWidth, textWidth(row.label, textSize))
		noteWidth = math.Max(noteWidth, textWidth(row.note, smallSize))
		l.wordWidth = math.Max(l.wordWidth, boldWidth(row.word, textSize))
	}
	if l.narrow {
		labelWidth, noteWidth = width-l.wordWidth-pad, width
		l.x.p0, l.x.p1 = 14, width-14
	} else {
		labelWidth, noteWidth = math.Min(labelWidth, width*.28), math.Min(noteWidth, width*.3)
		l.x.p0 = labelWidth + 1.5*pad
		l.x.p1 = width - l.wordWidth - noteWidth - 2.5*pad
	}

	y := 4.0
	if r.left != "" || r.right != "" {
		y += lineHeight
	}
	l.top = y
	group := ""
	for i, row := range r.rows {
		at := &l.at[i]
		if row.group != group {
			group = row.group
			if i > 0 {
				y += groupGap
			}
			if group != "" {
				at.group = wrap(group, textSize, width*textSize/boldSize)
				y += float64(len(at.group))*lineHeight + 4
			}
		}
		at.top = y
		at.labels = wrap(row.label, textSize, labelWidth)
		at.notes = wrap(row.note, smallSize, noteWidth)
		if l.narrow {
			at.beside = row.word == "" && len(at.labels) == 1 && textWidth(row.label, textSize)+pad+textWidth(row.note, smallSize) < width
			y += lineHeight * float64(len(at.labels))
			if !at.beside {
				y += lineHeight * float64(len(at.notes))
			}
			at.bar = y + barHeight/2
			at.from, at.to = y, y+barHeight
			y += barHeight + 6
		} else {
			lines := lineHeight * float64(max(len(at.labels), len(at.notes)))
			at.bar = y + lines/2
			at.from, at.to = max(y-rowGap/2, 0), y+lines+rowGap-rowGap/2
			y += lines + rowGap
		}
	}
	l.bottom = y
	if r.axis != "" {
		l.foot = wrap(r.axis, smallSize, width)
	}
	for _, s := range r.legend {
		l.foot = append(l.foot, wrap(s, smallSize, width)...)
	}
	l.height = math.Ceil(l.bottom + lineHeight*float64(1+len(l.foot)) + 12)
	return l
}

func (l *rowLayout) paintAxis(p *pen) {
	// The axis stands behind the marks only, so that no line crosses a text.
	for i := 0; i < len(l.at); {
		from, to := l.at[i].from, l.at[i].to
		for i++; i < len(l.at) && l.at[i].from == to; i++ {
			to = l.at[i].to
		}
		if l.behind != nil {
			l.behind(p, l.x, from, to)
		}
		for _, v := range l.ticks {
			p.vertical(Rule, 1, l.x.at(v), from, to)
		}
	}
	last := math.Inf(-1)
	for i, v := range l.ticks {
		px := l.x.at(v)
		p.vertical(Rule, 1, px, l.bottom-2, l.bottom+3)
		half := textWidth(l.tickLabels[i], smallSize) / 2
		if px-half < math.Max(last+6, 0) || px+half > l.width {
			continue
		}
		last = px + half
		p.text(Muted, smallSize, px, l.bottom+lineHeight, middle, false, l.tickLabels[i])
	}
	if l.left != "" {
		p.text(Muted, smallSize, l.x.p0, lineHeight-2, start, false, "← "+l.left)
	}
	if l.right != "" {
		p.text(Muted, smallSize, l.x.p1, lineHeight-2, end, false, l.right+" →")
	}
	y := l.bottom + lineHeight + 6
	for _, s := range l.foot {
		y += lineHeight
		p.text(Muted, smallSize, 0, y, start, false, s)
	}
}

func (l *rowLayout) paintRow(p *pen, row *row, at *rowPlace) {
	const ascent = 11.0 // from the top of a line to its baseline
	column := func(lines []string, x, top float64, k Ink, size float64, bold bool) {
		for i, s := range lines {
			p.text(k, size, x, top+lineHeight*float64(i)+ascent, start, bold, s)
		}
	}
	column(at.group, 0, at.top-lineHeight*float64(len(at.group))-4, Text, textSize, true)
	if l.narrow {
		column(at.labels, 0, at.top, Text, textSize, false)
		if at.beside {
			p.text(Muted, smallSize, l.width, at.top+ascent, end, false, row.note)
		} else {
			column(at.notes, 0, at.top+lineHeight*float64(len(at.labels)), Muted, smallSize, false)
		}
		p.text(row.ink, textSize, l.width, at.top+ascent, end, true, row.word)
	} else {
		centred := func(lines []string) float64 { return at.bar - lineHeight*float64(len(lines))/2 }
		column(at.labels, 0, centred(at.labels), Text, textSize, false)
		column(at.notes, l.x.p1+10, centred(at.notes), Muted, smallSize, false)
		p.text(row.ink, textSize, l.width-l.wordWidth, at.bar-lineHeight/2+ascent, start, true, row.word)
	}
	if row.mark != nil {
		row.mark(p, l.x, at.bar)
	}
}

// interval draws a mark with its interval; what lies beyond the axis ends in an
// arrow head.
func interval(p *pen, x scale, y float64, k Ink, s shape, r, value, lo, hi float64) {
	head := func(at, dir float64) {
		p.fill(k, point{at, y}, point{at - dir*6, y - 4}, point{at - dir*6, y + 4})
	}
	if !math.IsNaN(lo) && !math.IsNaN(hi) {
		x0, out0 := x.clamp(lo)
		x1, out1 := x.clamp(hi)
		p.horizontal(k, 2, x0, x1, y)
		if out0 < 0 {
			head(x0, -1)
		}
		if out1 > 0 {
			head(x1, 1)
		}
	}
	if math.IsNaN(value) {
		return
	}
	if px, out := x.clamp(value); out == 0 {
		p.mark(s, k, r, px, y)
	} else {
		head(px, float64(out))
	}
}

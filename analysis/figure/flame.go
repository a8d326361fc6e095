package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Frame is one box of a flame graph: a function, called from the box that it
// stands under. Shares are of all samples of an arm.
type Frame struct {
	Name            string
	Base, Contender float64
	Marked          bool // its symbol was called: drawn with a frame
	Note            string
	Children        []Frame
}

// Sizes of a flame graph in pixels.
const (
	flameRow = 17.0
	// flameThin is the narrowest box that is drawn: a finger or a pointer finds
	// nothing thinner, and most stacks of a profile are.
	flameThin = 1.0
	flameDeep = 60 // rows; what lies deeper is not drawn, said
)

// Flame draws the difference of two arms as a flame graph that hangs down: the
// root is at the top, and a box stands under its caller. A box is as wide as
// the mean of its two shares, so that what is gone and what is new are both
// seen. Vermillion with a + has a larger share in the contender, blue with a −
// a smaller one, the paler the closer; grey is the same. Each box tells its
// numbers as a title, which browsers show when pointed at. Boxes less than a
// pixel wide are left out.
func Flame(title, base, contender string, root Frame, width float64) Figure {
	f := flame{width: width, base: base, contender: contender}
	f.place(&root, 0, width, 0)
	rows := min(f.rows, flameDeep)
	legend := []string{
		fmt.Sprintf("width: share of the samples, mean of %s and %s", base, contender),
		fmt.Sprintf("− blue: less in %s; + vermillion: more; full colour: %s points or beyond", contender, pointsWords(f.full())),
	}
	if f.marked {
		legend = append(legend, "framed: called, the difference is beyond what runs of one build do; the others are what was seen")
	} else {
		legend = append(legend, "no box is framed: these differences are what was seen, none is called")
	}
	if f.rows > flameDeep {
		legend = append(legend, fmt.Sprintf("not drawn: what lies more than %d calls deep", flameDeep))
	}
	var foot []string
	for _, s := range legend {
		foot = append(foot, wrap(s, smallSize, width)...)
	}
	height := float64(rows)*flameRow + 8 + float64(len(foot))*lineHeight
	return Figure{
		Title: title, Width: width, Height: height,
		Desc: fmt.Sprintf("a flame graph of the difference between %s and %s, %d boxes; the table beside it has the numbers.", base, contender, len(f.boxes)),
		paint: func(p *pen) {
			for _, b := range f.boxes {
				if b.row < rows {
					f.paint(p, b)
				}
			}
			y := float64(rows)*flameRow + 8
			for _, s := range foot {
				y += lineHeight
				p.text(Muted, smallSize, 0, y-4, start, false, s)
			}
		},
	}
}

func pointsWords(share float64) string { return short(100 * share) }

type flame struct {
	width           float64
	base, contender string
	rows            int
	boxes           []box
	marked          bool
	largest         float64 // difference among the boxes
}

type box struct {
	*Frame
	x0, x1 float64
	row    int
}

// place lays a frame and what it calls into x0..x1, the widest first: their
// order says nothing, and the widest side by side are read most easily.
func (f *flame) place(fr *Frame, x0, x1 float64, row int) {
	f.boxes = append(f.boxes, box{fr, x0, x1, row})
	f.rows = max(f.rows, row+1)
	f.marked = f.marked || fr.Marked
	f.largest = max(f.largest, math.Abs(fr.Contender-fr.Base))
	all, sum := (fr.Base+fr.Contender)/2, 0.0
	children := make([]*Frame, len(fr.Children))
	for i := range fr.Children {
		children[i] = &fr.Children[i]
		sum += (fr.Children[i].Base + fr.Children[i].Contender) / 2
	}
	if all = max(all, sum); !(all > 0) { // no child stands outside
		return
	}
	slices.SortStableFunc(children, func(a, b *Frame) int {
		return cmp.Or(cmp.Compare(b.Base+b.Contender, a.Base+a.Contender), cmp.Compare(a.Name, b.Name))
	})
	x := x0
	for _, c := range children {
		w := (c.Base + c.Contender) / 2 / all * (x1 - x0)
		if w >= flameThin {
			f.place(c, x, x+w, row+1)
		}
		x += w
	}
}

// full is the difference that has full colour: the largest there is, but at
// least a point, so that a picture of nothing is pale.
func (f *flame) full() float64 { return max(f.largest, .01) }

// faintest is the share of full from which on a box has colour at all.
const faintest = .04

func (f *flame) paint(p *pen, b box) {
	diff := b.Contender - b.Base
	// The square root lets small differences be seen beside a large one.
	strength := math.Sqrt(math.Abs(diff) / f.full())
	ink, sign := Band, ""
	switch {
	case math.Abs(diff) < faintest*f.full():
	case diff > 0:
		ink, sign = armInks[4].fade(.15+.6*strength), "+"
	default:
		ink, sign = armInks[0].fade(.15+.6*strength), "−"
	}
	y := float64(b.row) * flameRow
	note := fmt.Sprintf("%s: %s %s %%, %s %s %% of samples", b.Name, f.base, percentWords(b.Base), f.contender, percentWords(b.Contender))
	if b.Note != "" {
		note += "; " + b.Note
	}
	p.titled(note, func() {
		gap := min(.5, (b.x1-b.x0)/4)
		p.rect(ink, b.x0+gap, y+.5, b.x1-gap, y+flameRow-.5)
		if b.Marked {
			p.line(Text, 1.2, nil, point{b.x0 + 1, y + 1}, point{b.x1 - 1, y + 1}, point{b.x1 - 1, y + flameRow - 1}, point{b.x0 + 1, y + flameRow - 1}, point{b.x0 + 1, y + 1})
		}
		if label := fitted(sign, b.Name, smallSize, b.x1-b.x0-6); label != "" {
			p.text(Text, smallSize, b.x0+3, y+flameRow-5, start, false, label)
		}
	})
}

func percentWords(share float64) string { return short(math.Round(1e4*share) / 100) }

// fitted is a name with its sign as far as it fits, with an ellipsis where it
// is cut; "" where less than three letters would be left. The whole name is in
// the title of the box.
func fitted(sign, name string, size, width float64) string {
	label := name
	if sign != "" {
		label = sign + " " + name
	}
	if textWidth(label, size) <= width {
		return label
	}
	const ellipsis = "…"
	cut := fitting(label, size, width-textWidth(ellipsis, size))
	if utf8.RuneCountInString(cut) < utf8.RuneCountInString(sign)+4 {
		return ""
	}
	return cut + ellipsis
}

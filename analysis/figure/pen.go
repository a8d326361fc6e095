package figure

import (
	"image/color"
	"math"
	"strings"
	"sync"

	"github.com/mattn/go-runewidth"
	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// pen draws on a canvas in pixels from the top left corner.
type pen struct {
	canvas draw.Canvas
	height float64
}

type point struct{ x, y float64 }

func (p *pen) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(p.height - y)}
}

func (p *pen) path(points []point) (path vg.Path) {
	for i, pt := range points {
		if i == 0 {
			path.Move(p.at(pt.x, pt.y))
		} else {
			path.Line(p.at(pt.x, pt.y))
		}
	}
	return path
}

func (p *pen) line(k color.Color, width float64, dashes []vg.Length, points ...point) {
	path := p.path(points)
	p.canvas.SetLineStyle(draw.LineStyle{Color: k, Width: vg.Length(width), Dashes: dashes})
	p.canvas.Stroke(path)
}

func (p *pen) horizontal(k color.Color, width, x0, x1, y float64) {
	p.line(k, width, nil, point{x0, y}, point{x1, y})
}

func (p *pen) vertical(k color.Color, width, x, y0, y1 float64) {
	p.line(k, width, nil, point{x, y0}, point{x, y1})
}

func (p *pen) fill(k color.Color, points ...point) {
	path := p.path(points)
	path.Close()
	p.canvas.SetColor(k)
	p.canvas.Fill(path)
}

func (p *pen) rect(k color.Color, x0, y0, x1, y1 float64) {
	p.fill(k, point{x0, y0}, point{x1, y0}, point{x1, y1}, point{x0, y1})
}

// shape is the form of a mark; arms differ in it as well as in colour.
type shape int

const (
	disc shape = iota
	square
	triangle
	diamond
	ring // hollow: there is a value, and nothing is claimed
)

// armShape is the form of the i-th arm.
func armShape(i int) shape { return []shape{disc, square, triangle, diamond}[i%4] }

// mark draws a form of about the same area whatever its shape.
func (p *pen) mark(s shape, k color.Color, r, x, y float64) {
	switch s {
	case square:
		r *= .88
		p.rect(k, x-r, y-r, x+r, y+r)
	case triangle:
		r *= 1.25
		p.fill(k, point{x, y - r}, point{x + r*.9, y + r*.6}, point{x - r*.9, y + r*.6})
	case diamond:
		r *= 1.25
		p.fill(k, point{x, y - r}, point{x + r, y}, point{x, y + r}, point{x - r, y})
	default:
		var path vg.Path
		path.Move(p.at(x+r, y))
		path.Arc(p.at(x, y), vg.Length(r), 0, 2*math.Pi)
		path.Close()
		if s == ring {
			p.canvas.SetColor(Paper)
			p.canvas.Fill(path)
			p.canvas.SetLineStyle(draw.LineStyle{Color: k, Width: 1.5})
			p.canvas.Stroke(path)
			return
		}
		p.canvas.SetColor(k)
		p.canvas.Fill(path)
	}
}

// anchor says which end of a text stands at its point.
type anchor int

const (
	start anchor = iota
	middle
	end
)

// Sizes of text in pixels: the smallest is what a phone still shows legibly.
const (
	textSize  = 12.0
	smallSize = 11.0
)

func (p *pen) text(k color.Color, size, x, y float64, a anchor, bold bool, s string) {
	p.canvas.SetColor(k)
	if c, ok := p.canvas.Canvas.(*svg); ok {
		c.text(size, p.at(x, y), [...]string{"start", "middle", "end"}[a], bold, s)
		return
	}
	f := face(size, bold)
	x -= f.Width(s).Points() * [...]float64{0, .5, 1}[a]
	p.canvas.FillString(f, p.at(x, y), s)
}

// titled gives what draw draws a title, which browsers show when pointed at; a
// PNG has none.
func (p *pen) titled(title string, draw func()) {
	c, ok := p.canvas.Canvas.(*svg)
	if !ok {
		draw()
		return
	}
	c.body.WriteString("<g><title>" + escape(title) + "</title>")
	draw()
	c.body.WriteString("</g>")
}

var fonts = font.NewCache(liberation.Collection())

func face(size float64, bold bool) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return fonts.Lookup(f, vg.Length(size))
}

// terminal counts wide characters the same in every locale.
var terminal = &runewidth.Condition{StrictEmojiNeutral: true}

// latin holds the advance widths, in ems, of the characters below U+0250.
var latin = sync.OnceValue(func() (ems [0x250]float64) {
	const size = 1000
	f := face(size, false)
	for r := range ems {
		ems[r] = f.Width(string(rune(r))).Points() / size
	}
	return ems
})

// textWidth is how wide a text may get on a page: the page's font is the
// reader's, and common ones (DejaVu Sans, Verdana) are up to 15 % wider than
// Liberation Sans, in slim letters by .06 em, in signs of arithmetic by half.
// What Liberation has no glyph for counts by its cells.
func textWidth(s string, size float64) float64 {
	ems := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("<>=+~^#", r):
			ems += .84
		case int(r) < len(latin()):
			ems += max(latin()[r]*1.15, latin()[r]+.06)
		default:
			ems += float64(terminal.RuneWidth(r)) * .62
		}
	}
	return ems * size
}

// boldWidth is textWidth for headings and verdicts.
func boldWidth(s string, size float64) float64 { return textWidth(s, size*boldSize/textSize) }

// boldSize is the size of regular text that is as wide as bold text of
// textSize: DejaVu Sans Bold is the widest of the common ones.
const boldSize = textSize * 1.18

// wrap breaks a text into lines of at most width pixels: at spaces, after a
// separator, and where there is none, anywhere. Nothing is left out.
func wrap(s string, size, width float64) []string {
	var lines []string
	line := ""
	for _, piece := range pieces(s) {
		for {
			if textWidth(strings.TrimRight(line+piece, " "), size) <= width {
				line += piece
				break
			}
			if line != "" {
				lines = append(lines, strings.TrimRight(line, " "))
				line = ""
				continue
			}
			head := fitting(piece, size, width)
			lines = append(lines, head)
			piece = piece[len(head):]
		}
	}
	return append(lines, strings.TrimRight(line, " "))
}

// pieces cuts a text after each place where a line may end.
func pieces(s string) []string {
	return strings.FieldsFunc(breakable.Replace(s), func(r rune) bool { return r == 0 })
}

var breakable = strings.NewReplacer("\x00", "", " ", " \x00", "/", "/\x00", "_", "_\x00", "-", "-\x00", ",", ",\x00", ".", ".\x00", "=", "=\x00")

// fitting is the longest beginning that fits, at least one character.
func fitting(s string, size, width float64) string {
	n := 0
	for i, r := range s {
		end := i + len(string(r))
		if n > 0 && textWidth(s[:end], size) > width {
			break
		}
		n = end
	}
	return s[:n]
}

var dotted = []vg.Length{1, 3}

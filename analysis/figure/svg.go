package figure

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svg is a vg.Canvas that writes SVG for a web page. gonum's own vgsvg writes
// fixed colours and places each text by its left edge, measured in Liberation
// Sans: on a page with another font, right-aligned and centred labels end up
// beside their place. This one writes the ink's class beside its colour, and
// text with the anchor that it was meant to have. Any gonum plot can be drawn
// on it.
type svg struct {
	width, height float64
	body          bytes.Buffer
	states        []svgState
}

type svgState struct {
	colour color.Color
	width  vg.Length
	dashes []vg.Length
	offset vg.Length
	m      matrix
}

// matrix maps the canvas (y up) to the page (y down): x' = a x + c y + e,
// y' = b x + d y + f.
type matrix struct{ a, b, c, d, e, f float64 }

func (m matrix) apply(p vg.Point) (x, y float64) {
	px, py := p.X.Points(), p.Y.Points()
	return m.a*px + m.c*py + m.e, m.b*px + m.d*py + m.f
}

// scale is by how much lengths grow; canvases turn and scale, they do not
// shear.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

var _ vg.CanvasSizer = (*svg)(nil)

func newSVG(width, height float64) *svg {
	c := &svg{width: width, height: height}
	c.states = []svgState{{m: matrix{a: 1, d: -1, f: height}}}
	vg.Initialize(c)
	return c
}

func (c *svg) top() *svgState { return &c.states[len(c.states)-1] }

func (c *svg) Size() (w, h vg.Length)      { return vg.Length(c.width), vg.Length(c.height) }
func (c *svg) SetLineWidth(w vg.Length)    { c.top().width = w }
func (c *svg) SetColor(colour color.Color) { c.top().colour = colour }
func (c *svg) Push()                       { c.states = append(c.states, *c.top()) }
func (c *svg) Pop()                        { c.states = c.states[:len(c.states)-1] }
func (c *svg) SetLineDash(d []vg.Length, offset vg.Length) {
	c.top().dashes, c.top().offset = d, offset
}

func (c *svg) Rotate(rad float64) {
	m := &c.top().m
	sin, cos := math.Sincos(rad)
	m.a, m.b, m.c, m.d = m.a*cos+m.c*sin, m.b*cos+m.d*sin, m.c*cos-m.a*sin, m.d*cos-m.b*sin
}

func (c *svg) Translate(p vg.Point) {
	m := &c.top().m
	m.e, m.f = m.apply(p)
}

func (c *svg) Scale(x, y float64) {
	m := &c.top().m
	m.a, m.b, m.c, m.d = m.a*x, m.b*x, m.c*y, m.d*y
}

func (c *svg) Stroke(p vg.Path) {
	s := c.top()
	if s.width <= 0 {
		return
	}
	fmt.Fprintf(&c.body, `<path d="%s" fill="none" stroke-width="%s"%s`, c.path(p), number(s.width.Points()*s.m.scale()), paintedWith("stroke", "s-", s.colour))
	if len(s.dashes) > 0 {
		dashes := make([]string, len(s.dashes))
		for i, d := range s.dashes {
			dashes[i] = number(d.Points() * s.m.scale())
		}
		fmt.Fprintf(&c.body, ` stroke-dasharray="%s" stroke-dashoffset="%s"`, strings.Join(dashes, " "), number(s.offset.Points()))
	}
	c.body.WriteString("/>")
}

func (c *svg) Fill(p vg.Path) {
	fmt.Fprintf(&c.body, `<path d="%s"%s/>`, c.path(p), paintedWith("fill", "f-", c.top().colour))
}

func (c *svg) path(p vg.Path) string {
	var b strings.Builder
	m := c.top().m
	point := func(command string, pts ...vg.Point) {
		b.WriteString(command)
		for i, pt := range pts {
			x, y := m.apply(pt)
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(number(x) + " " + number(y))
		}
	}
	for i, part := range p {
		switch part.Type {
		case vg.MoveComp:
			point("M", part.Pos)
		case vg.LineComp:
			point("L", part.Pos)
		case vg.CurveComp:
			command := "Q"
			if len(part.Control) == 2 {
				command = "C"
			}
			point(command, append(part.Control[:len(part.Control):len(part.Control)], part.Pos)...)
		case vg.CloseComp:
			b.WriteByte('Z')
		case vg.ArcComp:
			at := func(angle float64) vg.Point {
				sin, cos := math.Sincos(angle)
				return vg.Point{X: part.Pos.X + part.Radius*vg.Length(cos), Y: part.Pos.Y + part.Radius*vg.Length(sin)}
			}
			if i == 0 {
				point("M", at(part.Start))
			} else if p[i-1].Type != vg.MoveComp {
				point("L", at(part.Start))
			}
			// SVG cannot draw a full turn in one piece; two halves are never
			// ambiguous about which way is long, either.
			sweep := 0
			if (part.Angle > 0) == (m.a*m.d-m.b*m.c > 0) {
				sweep = 1
			}
			r := number(part.Radius.Points() * m.scale())
			for _, share := range []float64{.5, 1} {
				point(fmt.Sprintf("A%s %s 0 0 %d ", r, r, sweep), at(part.Start+share*part.Angle))
			}
		}
	}
	return b.String()
}

// FillString writes text from its left edge, as vg asks for.
func (c *svg) FillString(face font.Face, pt vg.Point, text string) {
	c.text(face.Font.Size.Points(), pt, "start", false, text)
}

// text writes text by its anchor: start, middle or end.
func (c *svg) text(size float64, pt vg.Point, anchor string, bold bool, text string) {
	s := c.top()
	x, y := s.m.apply(pt)
	fmt.Fprintf(&c.body, `<text x="%s" y="%s" font-size="%s"%s`, number(x), number(y), number(size*s.m.scale()), paintedWith("fill", "f-", s.colour))
	if anchor != "start" {
		fmt.Fprintf(&c.body, ` text-anchor="%s"`, anchor)
	}
	if bold {
		c.body.WriteString(` font-weight="600"`)
	}
	if angle := math.Atan2(s.m.b, s.m.a); angle != 0 {
		fmt.Fprintf(&c.body, ` transform="rotate(%s %s %s)"`, number(angle*180/math.Pi), number(x), number(y))
	}
	fmt.Fprintf(&c.body, `>%s</text>`, escape(text))
}

// DrawImage inlines a picture; heat maps of gonum plots are drawn that way.
func (c *svg) DrawImage(rect vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic("figure: image cannot be encoded: " + err.Error())
	}
	x0, y0 := c.top().m.apply(rect.Min)
	x1, y1 := c.top().m.apply(rect.Max)
	fmt.Fprintf(&c.body, `<image x="%s" y="%s" width="%s" height="%s" href="data:image/png;base64,%s"/>`,
		number(min(x0, x1)), number(min(y0, y1)), number(math.Abs(x1-x0)), number(math.Abs(y1-y0)), base64.StdEncoding.EncodeToString(b.Bytes()))
}

// paintedWith gives the attribute of a colour and, for an Ink, the class that
// overrides it on a page.
func paintedWith(attribute, prefix string, colour color.Color) string {
	if k, ok := colour.(Ink); ok {
		s := fmt.Sprintf(` class="%s%s" %s="%s"`, prefix, k.name, attribute, hex(k.light))
		if k.opacity > 0 {
			s += fmt.Sprintf(` %s-opacity="%s"`, attribute, opacity(k.opacity))
		}
		return s
	}
	n := color.NRGBAModel.Convert(colour).(color.NRGBA)
	s := fmt.Sprintf(` %s="%s"`, attribute, hex(n))
	if n.A < 255 {
		s += fmt.Sprintf(` %s-opacity="%s"`, attribute, opacity(float64(n.A)/255))
	}
	return s
}

// number prints a coordinate to a tenth of a pixel, which no eye resolves.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// escape makes any text safe between tags and inside double quotes. Bytes that
// XML does not allow become U+FFFD.
func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&#34;")
		case r == '\'':
			b.WriteString("&#39;")
		case r < 0x20 && r != '\t' && r != '\n', r == 0xfffe, r == 0xffff:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func opacity(v float64) string { return strconv.FormatFloat(v, 'g', 2, 64) }

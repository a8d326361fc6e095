// Package figure draws results. Each picture is a function that takes slices
// and small structs and gives a Figure, which writes itself as SVG for a page
// or as PNG for a notebook.
//
// Colours never stand alone: a verdict also has a word and a glyph, an arm also
// has a shape of its own. The palette is that of Okabe and Ito, "Color
// Universal Design" (2008), darkened or lightened until each colour can be seen
// on the page it stands on.
package figure

import (
	"fmt"
	"image/png"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Figure is a picture that has not been drawn yet.
type Figure struct {
	Title  string  // what the picture is
	Desc   string  // what it shows, for readers who cannot see it
	Width  float64 // in pixels of a page at its natural size
	Height float64
	paint  func(p *pen)
}

// SVG draws the figure for a page. Shapes carry the colours of the light page
// and, beside them, the classes of Style, which follow the reader's theme. Text
// is set in the page's own font.
func (f Figure) SVG() string {
	c := newSVG(f.Width, f.Height)
	f.paint(&pen{canvas: draw.NewCanvas(c, vg.Length(f.Width), vg.Length(f.Height)), height: f.Height})
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="figure" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" role="img" aria-label="%[3]s" font-family="sans-serif"><title>%[3]s</title><desc>%[4]s</desc>`,
		number(f.Width), number(f.Height), escape(f.Title), escape(f.Desc))
	b.Write(c.body.Bytes())
	b.WriteString("</svg>")
	return b.String()
}

// PNG draws the figure for a notebook, with scale pixels of the image to a
// pixel of the page: 2 is sharp on most screens. Text is set in Liberation
// Sans.
func (f Figure) PNG(w io.Writer, scale float64) error {
	width, height := vg.Length(f.Width), vg.Length(f.Height)
	// A point is 1/72 inch, and figures count one point as one pixel.
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(int(72*scale)))
	f.paint(&pen{canvas: draw.NewCanvas(c, width, height), height: f.Height})
	return png.Encode(w, c.Image())
}

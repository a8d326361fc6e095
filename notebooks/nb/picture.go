package nb

import (
	"bytes"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"noisefloor/analysis/figure"
)

// sharp is how many pixels of a picture come to one of the page.
const sharp = 2

// margin keeps labels at the edge of a plot whole.
const margin = 6

// small is the width of a figure that stands among others on a page; alone it is
// shown half as large again.
const small = 300

// Picture shows a figure; of one that there is nothing for, that there is none.
func Picture(f figure.Figure) {
	if f.Height == 0 {
		Say("No picture: there is nothing to draw.")
		return
	}
	zoom := 1.0
	if f.Width < small {
		zoom = 1.5
	}
	var png bytes.Buffer
	if err := f.PNG(&png, zoom*sharp); err != nil {
		stop(err)
	}
	showPNG(f.Title+": "+f.Desc, png.Bytes(), zoom*f.Width, zoom*f.Height)
}

// Plot shows a plot of your own, so many pixels wide and high.
func Plot(p *plot.Plot, width, height float64) {
	// A point is 1/72 inch, and a point counts as a pixel.
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(width), vg.Length(height)), vgimg.UseDPI(72*sharp))
	p.Draw(draw.Crop(draw.New(c), margin, -margin, margin, -margin))
	var png bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&png); err != nil {
		stop(err)
	}
	text := "a plot"
	if p.Title.Text != "" {
		text = p.Title.Text
	}
	showPNG(text, png.Bytes(), width, height)
}

func showPNG(text string, png []byte, width, height float64) {
	size := map[string]int{"width": int(width), "height": int(height)}
	show(text, protocol.MIMEImagePNG, png, map[string]any{string(protocol.MIMEImagePNG): size})
}

// Plots have a sans face, as the figures do.
func init() {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
}

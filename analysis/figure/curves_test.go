package figure

import (
	"bytes"
	"flag"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden images of this package; look at them")

// curvePlots are the pictures of curves as they come, by what they show.
func curvePlots() map[string]CurvePlot {
	usl := func(arm int, sigma, kappa float64, band float64) Curve {
		at := func(n float64) float64 { return 900 * n / (1 + sigma*(n-1) + kappa*n*(n-1)) }
		c := Curve{Arm: arm}
		for i := range 65 {
			n := math.Pow(2, 9*float64(i)/64)
			c.Line = append(c.Line, BandPoint{n, at(n), at(n) * (1 - band), at(n) * (1 + band)})
		}
		for i := range 10 {
			n := math.Pow(2, float64(i))
			mean := at(n) * (1 + .02*math.Sin(float64(3*i+arm)))
			c.Levels = append(c.Levels, Level{n, mean, mean * .97, mean * 1.04})
		}
		top := math.Sqrt((1 - sigma) / kappa)
		c.Peak = &Mark{top, at(top), top * .8, top * 1.3}
		return c
	}
	two := CurvePlot{
		Title: "tps against threads", Arms: []string{"9.6.0", "9.7.0-er"}, XName: "threads", YName: "tps (1/s, higher is better)", LogX: true,
		Curves:    []Curve{usl(0, .02, 1e-4, .05), usl(1, .03, 2e-5, .04)},
		Crossings: []Mark{{X: 125.5, Lo: 110, Hi: 150}},
		Notes:     []string{"Best of 9.6.0 at 99 threads (79 to 129).", "Best of 9.7.0-er at 220 threads (176 to 286).", "They cross at 126 threads (110 to 150)."},
	}
	oneDay := two
	oneDay.Curves = []Curve{usl(0, .02, 1e-4, math.NaN()), usl(1, .03, 2e-5, math.NaN())}
	for i := range oneDay.Curves {
		oneDay.Curves[i].Peak.Lo, oneDay.Curves[i].Peak.Hi = math.NaN(), math.NaN()
	}
	oneDay.Crossings = []Mark{{X: 125.5, Lo: math.NaN(), Hi: math.NaN()}}
	ratio := CurvePlot{Title: "9.7.0-er against 9.6.0", XName: "threads", YName: "9.7.0-er / 9.6.0: ratio of tps", LogX: true, One: 1,
		Crossings: []Mark{{X: 20, Lo: 12, Hi: math.NaN()}}, Notes: []string{"Faster from 40 to 512 threads."}}
	line := Curve{}
	for i := range 65 {
		n := math.Pow(2, 9*float64(i)/64)
		r := .97 + .05*float64(i)/64*1.3
		line.Line = append(line.Line, BandPoint{n, r, r - .02, r + .02})
	}
	for i := range 10 {
		line.Levels = append(line.Levels, Level{math.Pow(2, float64(i)), .97 + .065*float64(i)/9 + .004*math.Sin(float64(2*i)), math.NaN(), math.NaN()})
	}
	ratio.Curves = []Curve{line}
	hosts := CurvePlot{Title: "seconds against entries", Arms: []string{"hosts", "dnsmasq"}, XName: "entries", YName: "seconds_per_100k (s)",
		Curves: []Curve{{Arm: 0}, {Arm: 1}}, Crossings: []Mark{{X: 288, Lo: math.NaN(), Hi: math.NaN()}}, Notes: []string{"They cross at 288 entries; no interval: four levels of one run each repeat nothing."}}
	for i := range 65 {
		x := 2 + 1000*float64(i)/64
		hosts.Curves[0].Line = append(hosts.Curves[0].Line, BandPoint{x, 1.49 + .0117*x, math.NaN(), math.NaN()})
		hosts.Curves[1].Line = append(hosts.Curves[1].Line, BandPoint{x, 4.87, math.NaN(), math.NaN()})
	}
	for i, x := range []float64{2, 102, 252, 1002} {
		a, b := []float64{1.516, 2.6598, 4.4474, 13.2376}[i], []float64{4.8068, 4.9224, 4.9286, 4.831}[i]
		hosts.Curves[0].Levels = append(hosts.Curves[0].Levels, Level{x, a, a, a})
		hosts.Curves[1].Levels = append(hosts.Curves[1].Levels, Level{x, b, b, b})
	}
	return map[string]CurvePlot{"two-curves-that-cross": two, "one-day-without-bands": oneDay, "ratio-with-band": ratio, "linear-axis": hosts}
}

// pixelsApart counts pixels that differ by more than a tenth of a colour's range.
func pixelsApart(t *testing.T, a, b []byte) (n int) {
	t.Helper()
	first, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	second, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	size := first.Bounds()
	if size != second.Bounds() {
		return size.Dx() * size.Dy()
	}
	apart := func(x, y uint32) bool { return max(x, y)-min(x, y) > 0xffff/10 }
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			r, g, b, _ := first.At(x, y).RGBA()
			s, h, c, _ := second.At(x, y).RGBA()
			if apart(r, s) || apart(g, h) || apart(b, c) {
				n++
			}
		}
	}
	return n
}

// Golden images, in the width of a desk and of a phone. Rounding may move a few
// pixels on other processors.
func TestCurvesGolden(t *testing.T) {
	for name, plot := range curvePlots() {
		for suffix, width := range map[string]float64{"": 760, "-phone": 328} {
			var b bytes.Buffer
			if err := plot.Draw(width).PNG(&b, 1); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+suffix+".png")
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			golden, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := pixelsApart(t, b.Bytes(), golden); n > 20 {
				t.Errorf("%s differs in %d pixels; go test ./analysis/figure -update writes it, then look at it", path, n)
			}
		}
	}
}

func TestCurvesWithoutAnything(t *testing.T) {
	for _, plot := range []CurvePlot{
		{Title: "empty"},
		{Title: "one level", Arms: []string{"a"}, Curves: []Curve{{Levels: []Level{{1, 2, 2, 2}}}}},
		{Title: "zero on a log axis", LogX: true, Arms: []string{"a"}, Curves: []Curve{{Levels: []Level{{0, 2, 2, 2}, {1, 2, 2, 2}}}}},
		{Title: "not numbers", Arms: []string{"a"}, Curves: []Curve{{Line: []BandPoint{{math.NaN(), 1, 1, 1}, {2, math.Inf(1), 1, 1}}, Peak: &Mark{math.NaN(), 1, 1, 1}}}},
	} {
		parse(t, plot.Draw(328).SVG())
	}
}

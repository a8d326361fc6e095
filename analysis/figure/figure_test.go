package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"noisefloor/analysis"
)

// hostile names come from paths, logs and metadata.
var hostile = []string{
	`<script>alert("x")</script>`, `</svg><svg onload=alert(1)>`, `a"b'c&d`, "\u202egnp.exe", "nul\x00esc\x1b", "bad\xff", "高負荷テスト",
	strings.Repeat("long_name/", 30), strings.Repeat("x", 200), "",
}

var nan = math.NaN()

// gallery is one of each figure, with names as they come, in a width.
func gallery(names []string, width float64) []Figure {
	verdicts := []analysis.Verdict{analysis.Faster, analysis.Slower, analysis.Equivalent, analysis.Inconclusive, analysis.Unsupported}
	var changes []Change
	var spreads []Spread
	var places []Place
	var points []Point
	for i, name := range names {
		c := Change{Group: name, Label: name, Estimate: .01 * float64(i-3), Lo: .01*float64(i-3) - .02, Hi: .01*float64(i-3) + .02, Floor: .03, Verdict: verdicts[i%5], Note: name}
		if c.Verdict == analysis.Unsupported {
			c.Lo, c.Hi, c.Floor = nan, nan, nan
		}
		changes = append(changes, c)
		spreads = append(spreads, Spread{name, "run to run", .01, .005, .05, name}, Spread{name, "day to day", nan, nan, nan, "unknown (one day)"}, Spread{name, "launch", .02, 0, math.Inf(1), ""})
		for j := range 6 {
			places = append(places, Place{Arm: i, Day: []string{"2026-11-28", "2026-11-29", ""}[j%3], Launch: name, Slot: float64(j*len(names) + i)})
			points = append(points, Point{X: math.Pow(2, float64(j)), Y: 1000 * float64(j+i), Arm: i})
		}
	}
	var curves []Curve
	for i := range names {
		curve := Curve{Arm: i, Peak: &Mark{X: 8, Y: 4000, Lo: 2, Hi: math.Inf(1)}}
		for _, pt := range points {
			if pt.Arm == i {
				curve.Line = append(curve.Line, BandPoint{pt.X, pt.Y, -pt.Y, 9 * pt.Y})
				curve.Levels = append(curve.Levels, Level{pt.X, pt.Y, pt.Y / 2, pt.Y * 2})
			}
		}
		curves = append(curves, curve)
	}
	long := strings.Join(names, " ")
	return []Figure{
		CurvePlot{Title: "curves", Arms: names, XName: "threads", YName: long, LogX: true, Curves: curves, Crossings: []Mark{{X: 4, Lo: nan, Hi: 900}, {X: 4000}}, Notes: names}.Draw(width),
		CurvePlot{Title: "curves around one", Arms: names, XName: long, YName: "ratio", Curves: curves, One: 1}.Draw(width),
		CurvePlot{Title: "no curves", Arms: names}.Draw(width),
		Forest("changes", changes, .01, 1, width),
		Forest("no changes", nil, .01, 0, width),
		Spreads("spreads", spreads, width),
		Spreads("no spreads", nil, width),
		Design("design", names, []string{"2026-11-28", "2026-11-29", "2026-11-30"}, places, width),
		Design("empty design", names, nil, nil, width),
		Panel("panel", []float64{1, 2, 3, 4}, []float64{5, nan, 7, math.Inf(1)}, 1, 4, 8, 10, 2),
		Panel("empty panel", nil, nil, 0, nan, nan, 0, nan),
		Levels("levels", names, points, "threads", "tps", width),
		Levels("no levels", names, nil, "threads", "tps", width),
		Flame("flame", names[0], names[len(names)-1], hostileFrames(names), width),
		Flame("no flame", "", "", Frame{}, width),
		Bars("bars", names[0], names[len(names)-1], "percent", hostileBars(names), width),
		Bars("no bars", "", "", "", nil, width),
		Layers("layers", names[0], names[len(names)-1], []float64{1, 2, 3}, hostileLayers(names), 20, width),
		Layers("no layers", "", "", nil, nil, nan, width),
	}
}

// parse checks that a document is XML without markup that its names brought
// along, and gives the text it shows.
func parse(t *testing.T, doc string) string {
	t.Helper()
	var shown strings.Builder
	d := xml.NewDecoder(strings.NewReader(doc))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return shown.String()
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%.2000s", err, doc)
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "svg", "g", "title", "desc", "path", "text":
			default:
				t.Errorf("element <%s> does not belong here", e.Name.Local)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") {
					t.Errorf("attribute %s runs code", a.Name.Local)
				}
			}
		case xml.CharData:
			shown.Write(e)
		}
	}
}

func TestFiguresAreXMLWhateverTheNames(t *testing.T) {
	for _, width := range []float64{328, 760} {
		for _, f := range gallery(hostile, width) {
			doc := f.SVG()
			parse(t, doc)
			for _, want := range []string{`role="img"`, "viewBox=", "<title>", "<desc>"} {
				if !strings.Contains(doc, want) {
					t.Errorf("%s: no %s", f.Title, want)
				}
			}
			if strings.Contains(doc, "NaN") || strings.Contains(doc, "Inf") {
				t.Errorf("%s: a coordinate is no number", f.Title)
			}
		}
	}
}

var (
	paths       = regexp.MustCompile(` d="([^"]*)"`)
	coordinates = regexp.MustCompile(`[ML ](-?[0-9.]+) (-?[0-9.]+)`)
	textPlace   = regexp.MustCompile(`<text x="(-?[0-9.]+)" y="(-?[0-9.]+)"`)
)

// Everything drawn lies inside the picture, and text begins inside it.
func TestFiguresStayInside(t *testing.T) {
	for _, width := range []float64{328, 760} {
		for _, f := range gallery(hostile, width) {
			doc := f.SVG()
			places := textPlace.FindAllStringSubmatch(doc, -1)
			for _, d := range paths.FindAllStringSubmatch(doc, -1) {
				if !strings.Contains(d[1], "A") { // the radii of an arc are no places
					places = append(places, coordinates.FindAllStringSubmatch(d[1], -1)...)
				}
			}
			for _, place := range places {
				x, _ := strconv.ParseFloat(place[1], 64)
				y, _ := strconv.ParseFloat(place[2], 64)
				if x < -1 || x > f.Width+1 || y < -1 || y > f.Height+1 {
					t.Errorf("%s at width %g: %s is outside %g x %g", f.Title, width, place[0], f.Width, f.Height)
					break
				}
			}
		}
	}
}

// No name is cut: wrapped over several lines, all of it is there.
func TestNamesAreWhole(t *testing.T) {
	name := "a-very-long-level-of-a-factor/with_parts/" + strings.Repeat("and-more.", 12)
	squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	for _, width := range []float64{328, 760} {
		for _, f := range gallery([]string{name}, width) {
			if strings.HasPrefix(f.Title, "no ") || strings.HasPrefix(f.Title, "empty ") || f.Title == "panel" {
				continue
			}
			if !strings.Contains(squeeze(parse(t, f.SVG())), name) {
				t.Errorf("%s at width %g cuts the name", f.Title, width)
			}
		}
	}
}

func TestPNG(t *testing.T) {
	for _, f := range gallery([]string{"glibc", "jemalloc"}, 760) {
		var b bytes.Buffer
		if err := f.PNG(&b, 2); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := img.Bounds().Dx(), int(2*f.Width); got < want-1 || got > want+1 {
			t.Errorf("%s: %d pixels wide, want %d", f.Title, got, want)
		}
	}
}

// An interval far beyond the others ends in an arrow, the others keep their
// room.
func TestChangeScaleIgnoresOneWildInterval(t *testing.T) {
	rows := []Change{
		{Estimate: .02, Lo: .01, Hi: .03}, {Estimate: -.02, Lo: -.03, Hi: -.01}, {Estimate: 0, Lo: -.01, Hi: .01},
		{Estimate: .01, Lo: -.99, Hi: 40},
	}
	s := changeScale(rows, .01)
	if s.lo < math.Log(.8) || s.hi > math.Log(1.2) {
		t.Errorf("scale %.3f to %.3f: one interval flattens the others", s.lo, s.hi)
	}
	if s.lo > math.Log1p(-.03) || s.hi < math.Log1p(.03) {
		t.Errorf("scale %.3f to %.3f: ordinary intervals do not fit", s.lo, s.hi)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   int
		labels string
	}{
		{0, 10, 5, "0 2 4 6 8 10"},
		{-3.1, 3.1, 5, "−2 0 2"},
		{0, .05, 5, "0.00 0.01 0.02 0.03 0.04 0.05"},
		{-.25, .25, 5, "−0.2 −0.1 0.0 0.1 0.2"},
		{1000, 1000, 5, "1000"},
	} {
		if got := strings.Join(tickLabels(ticks(c.lo, c.hi, c.want)), " "); got != c.labels {
			t.Errorf("ticks(%g, %g) = %s, want %s", c.lo, c.hi, got, c.labels)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{812.4, "812"}, {9.8765, "9.88"}, {1234, "1234"}, {12345, "12.3k"}, {999999, "1000k"}, {2.5e6, "2.5M"}, {.00123, "0.00123"}, {0, "0"}, {-4, "−4"},
	} {
		if got := short(c.v); got != c.want {
			t.Errorf("short(%g) = %s, want %s", c.v, got, c.want)
		}
	}
}

func TestBlocksAverageAll(t *testing.T) {
	var x, y []float64
	for i := range 1000 {
		x, y = append(x, float64(i)), append(y, 1)
	}
	y[500] = 101
	bx, by := blocks(x, y, 100)
	if len(bx) != 100 || len(by) != 100 {
		t.Fatalf("%d times, %d values", len(bx), len(by))
	}
	// By hand: blocks are 9.99 s long, 500 s falls into number 50, which has the
	// ten seconds from 500 to 509; their mean is (9 + 101)/10.
	if by[50] != 11 || by[49] != 1 {
		t.Errorf("blocks 49 and 50 are %g and %g, want 1 and 11", by[49], by[50])
	}
	if sx, _ := blocks(x[:50], y[:50], 100); len(sx) != 50 {
		t.Errorf("a short series is kept, got %d points", len(sx))
	}
}

// Report lines 11 to 297 are missing: no line is drawn through them.
func TestGapsStayGaps(t *testing.T) {
	x, y := []float64{8, 9, 10, 298, 299, 300}, []float64{1, 2, 3, 4, 5, 6}
	gx, gy := gapped(x, y)
	if len(gx) != 7 || !math.IsNaN(gy[3]) || gx[3] != 154 {
		t.Errorf("times %v, values %v", gx, gy)
	}
	if n := strings.Count(Panel("run", x, y, 0, 0, 10, 300, nan).SVG(), "s-arm0"); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
	if gx, _ := gapped(x[:3], y[:3]); len(gx) != 3 {
		t.Errorf("a gap where there is none: %v", gx)
	}
}

// contrast is the ratio of WCAG 2.2, "contrast ratio" and "relative luminance".
func contrast(a, b [3]uint8) float64 {
	luminance := func(c [3]uint8) float64 {
		l := 0.0
		for i, weight := range []float64{.2126, .7152, .0722} {
			v := float64(c[i]) / 255
			if v <= .04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+.055)/1.055, 2.4)
			}
			l += weight * v
		}
		return l
	}
	la, lb := luminance(a), luminance(b)
	return (math.Max(la, lb) + .05) / (math.Min(la, lb) + .05)
}

// Words need 4.5 : 1, marks 3 : 1 (WCAG 2.2, 1.4.3 and 1.4.11), on both pages.
func TestInksCanBeSeen(t *testing.T) {
	rgb := func(k Ink, dark bool) [3]uint8 {
		if dark {
			return [3]uint8{k.dark.R, k.dark.G, k.dark.B}
		}
		return [3]uint8{k.light.R, k.light.G, k.light.B}
	}
	check := func(k, ground Ink, least float64) {
		t.Helper()
		for _, dark := range []bool{false, true} {
			if got := contrast(rgb(k, dark), rgb(ground, dark)); got < least {
				t.Errorf("%s on %s (dark %v): %.2f, want %g", k.name, ground.name, dark, got, least)
			}
		}
	}
	for _, k := range verdictInks {
		check(k, Paper, 4.5)
		check(k, Band, 3)
	}
	for _, ground := range []Ink{Paper, Band} {
		check(Text, ground, 4.5)
		check(Muted, ground, 4.5)
	}
	for _, k := range armInks {
		check(k, Paper, 3)
		check(k, Band, 2.5) // the band only says where a lane is
	}
}

func TestStyleKnowsEveryInk(t *testing.T) {
	style := Style()
	class := regexp.MustCompile(`class="([fs]-[a-z0-9]+)"`)
	for _, f := range gallery([]string{"a", "b", "c", "d", "e", "f", "g"}, 760) {
		for _, m := range class.FindAllStringSubmatch(f.SVG(), -1) {
			if !strings.Contains(style, "."+m[1]+"{") {
				t.Errorf("%s: class %s has no style", f.Title, m[1])
			}
		}
	}
}

func ExampleForest() {
	f := Forest("Change of tps", []Change{
		{Label: "8 threads", Estimate: -.041, Lo: -.05, Hi: -.032, Floor: .026, Verdict: analysis.Slower, Note: "−4.1 % (−5.0 to −3.2 %)"},
	}, .01, 1, 328)
	fmt.Println(strings.Contains(f.SVG(), "« slower"), f.Width)
	// Output: true 328
}

package figure

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"noisefloor/analysis"
)

var updateHistory = flag.Bool("update-history", false, "rewrite the golden images of the history; look at them before they are committed")

// historyExamples are pictures as reports have them: versions with several runs
// each, nights with a wild one and a gap, a long series, and nothing at all.
func historyExamples(width float64) map[string]Figure {
	var versions []HistoryPoint
	for i, v := range []string{"10.1.8", "10.1.13", "10.1.23", "10.2.11", "10.11.5", "11.4.5"} {
		y := []float64{1510, 1502, 1506, 1421, 1339, 1342}[i]
		versions = append(versions, HistoryPoint{Label: v, Value: y, Lo: y - 9 - float64(i), Hi: y + 11})
	}
	var nights []HistoryPoint
	for i := range 60 {
		y := 18000 + 140*math.Sin(float64(i*i))
		if i >= 22 {
			y -= 900
		}
		if i >= 45 {
			y += 420
		}
		p := HistoryPoint{Label: fmt.Sprintf("2026-%02d-%02d", 10+i/30, 1+i%30), Value: y, Lo: y - 90, Hi: y + 90}
		if i == 10 {
			p.Value, p.Lo, p.Hi, p.Wild = 16100, 16050, 16140, true
		}
		if i == 33 {
			p.Value, p.Lo, p.Hi = nan, nan, nan
		}
		nights = append(nights, p)
	}
	var long []HistoryPoint
	for i := range 5000 {
		y := 100 + math.Sin(float64(i)*float64(i))
		if i >= 3000 {
			y -= 2
		}
		long = append(long, HistoryPoint{Label: fmt.Sprintf("c%04d", i), Value: y, Lo: y, Hi: y})
	}
	return map[string]Figure{
		"versions": History("tps over version", versions, []HistoryLevel{{0, 2, 1506}, {3, 3, 1421}, {4, 5, 1340}},
			[]HistoryChange{{At: 3, AtLo: 3, AtHi: 3, Label: "10.2.11 −5.6 %", Verdict: analysis.Slower}, {At: 4, AtLo: 4, AtHi: 4, Label: "10.11.5 −5.7 %", Verdict: analysis.Unsupported}},
			"version, as versions", "tps (1/s, higher is better)", width),
		"nights": History("tps over day", nights, []HistoryLevel{{0, 21, 18010}, {22, 44, 17110}, {45, 59, 17530}},
			[]HistoryChange{{At: 22, AtLo: 21, AtHi: 24, Label: "2026-10-23 −5.0 %", Verdict: analysis.Slower}, {At: 45, AtLo: 45, AtHi: 45, Label: "2026-11-16 +2.4 % (known)", Verdict: analysis.Faster}},
			"day, by date", "tps (1/s, higher is better)", width),
		"long":  History("qps over commit", long, []HistoryLevel{{0, 2999, 100}, {3000, 4999, 98}}, []HistoryChange{{At: 3000, AtLo: 2990, AtHi: 3012, Label: "c3000 −2.00 %", Verdict: analysis.Slower}}, "commit, by the list of commits", "qps", width),
		"empty": History("nothing", nil, nil, nil, "version", "tps", width),
	}
}

// The examples are the golden images: a pixel may differ by rounding, not more.
func TestHistoryImages(t *testing.T) {
	for _, width := range []float64{328, 760} {
		for name, f := range historyExamples(width) {
			var got bytes.Buffer
			if err := f.PNG(&got, 1); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", fmt.Sprintf("history-%s-%g.png", name, width))
			if *updateHistory {
				if err := os.MkdirAll("testdata", 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, got.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v (go test ./analysis/figure -update-history draws it)", err)
			}
			if share := differing(t, want, got.Bytes()); share > .0005 {
				t.Errorf("%s: %.2f %% of the pixels differ", file, 100*share)
			}
		}
	}
}

// differing is the share of pixels whose colours differ visibly.
func differing(t *testing.T, a, b []byte) float64 {
	t.Helper()
	decode := func(data []byte) image.Image {
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	x, y := decode(a), decode(b)
	if x.Bounds() != y.Bounds() {
		return 1
	}
	n, of := 0, 0
	for py := x.Bounds().Min.Y; py < x.Bounds().Max.Y; py++ {
		for px := x.Bounds().Min.X; px < x.Bounds().Max.X; px++ {
			of++
			ra, ga, ba, _ := x.At(px, py).RGBA()
			rb, gb, bb, _ := y.At(px, py).RGBA()
			const visible = 0x2000
			for _, d := range []int{int(ra) - int(rb), int(ga) - int(gb), int(ba) - int(bb)} {
				if d > visible || d < -visible {
					n++
					break
				}
			}
		}
	}
	return float64(n) / float64(of)
}

// Labels of changes stand apart, however close the changes are.
func TestHistoryLabelsDoNotOverlap(t *testing.T) {
	h := historyLayout{points: make([]HistoryPoint, 40), x0: 52, x1: 318}
	var changes []HistoryChange
	for i := range 12 {
		changes = append(changes, HistoryChange{At: 3*i + 1, Label: fmt.Sprintf("8.0.%d −%d.0 %%", i, i), Verdict: analysis.Slower})
	}
	heads, _ := h.placeChanges(changes, 328)
	for i, a := range heads {
		for _, b := range heads[:i] {
			wa, wb := boldWidth(strings.Join(a.lines, ""), smallSize), boldWidth(strings.Join(b.lines, ""), smallSize)
			if a.y == b.y && a.x < b.x+wb && b.x < a.x+wa {
				t.Errorf("labels at %v and %v overlap", a, b)
			}
		}
	}
}

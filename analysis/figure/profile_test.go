package figure

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func hostileFrames(names []string) Frame {
	root := Frame{Name: "all", Base: 1, Contender: 1}
	for i, name := range names {
		share := 1 / float64(len(names))
		child := Frame{Name: name, Base: share, Contender: share * (1 + .1*float64(i-3)), Marked: i%2 == 0, Note: name}
		deep := 3
		if i == 0 {
			deep = 70 // deeper than is drawn
		}
		for range deep {
			child = Frame{Name: name, Base: child.Base, Contender: child.Contender, Children: []Frame{child}}
		}
		root.Children = append(root.Children, child)
	}
	return root
}

func hostileBars(names []string) []Bar {
	bars := []Bar{{Label: "nothing known", Base: nan, Contender: nan, Diff: nan, Lo: nan, Hi: nan}, {Label: "endless", Base: 1, Contender: 2, Diff: 1, Lo: math.Inf(-1), Hi: math.Inf(1)}}
	for i, name := range names {
		bars = append(bars, Bar{Label: name, Base: float64(i), Contender: float64(i) + 1, Diff: 1, Lo: -.5, Hi: 2.5, Called: i%2 == 0, Note: name, Word: "grew"})
	}
	return bars
}

func hostileLayers(names []string) []Layer {
	var layers []Layer
	for i, name := range names {
		layers = append(layers, Layer{name, []float64{float64(i) / 4, nan, -1}})
	}
	return layers
}

// frames is a tree of 1, .6 and .4, of which the last has changed.
func frames(base, contender float64) Frame {
	return Frame{Name: "all", Base: 1, Contender: 1, Children: []Frame{
		{Name: "parse", Base: 1 - base, Contender: 1 - contender},
		{Name: "execute_the_query", Base: base, Contender: contender, Marked: true, Note: "grew"},
	}}
}

func TestFlameTellsMoreFromLess(t *testing.T) {
	for _, c := range []struct {
		base, contender float64
		sign, ink, not  string
	}{
		{.4, .5, "+ execute_the_query", armInks[4].name, "− execute_the_query"},
		{.5, .4, "− execute_the_query", armInks[0].name, "+ execute_the_query"},
	} {
		svg := Flame("f", "glibc", "jemalloc", frames(c.base, c.contender), 760).SVG()
		box := svg[strings.LastIndex(svg, "<g><title>"+"execute"):]
		for _, want := range []string{">" + c.sign + "<", `class="f-` + c.ink + `"`, "; grew</title>", fmt.Sprintf("glibc %g %%, jemalloc %g %%", 100*c.base, 100*c.contender)} {
			if !strings.Contains(box, want) {
				t.Errorf("%v to %v: no %q in\n%s", c.base, c.contender, want, box)
			}
		}
		if strings.Contains(svg, c.not) {
			t.Errorf("%v to %v: %q", c.base, c.contender, c.not)
		}
	}
}

// Boxes stand under their callers and inside them.
func TestFlameNests(t *testing.T) {
	f := flame{}
	root := frames(.4, .5)
	f.place(&root, 0, 760, 0)
	if len(f.boxes) != 3 {
		t.Fatalf("%d boxes", len(f.boxes))
	}
	// By hand: means .55 and .45, the wider first.
	for i, want := range []box{{x0: 0, x1: 760}, {x0: 0, x1: .55 * 760, row: 1}, {x0: .55 * 760, x1: 760, row: 1}} {
		got := f.boxes[i]
		if math.Abs(got.x0-want.x0) > 1e-9 || math.Abs(got.x1-want.x1) > 1e-9 || got.row != want.row {
			t.Errorf("box %d: %v to %v in row %d, want %v to %v in row %d", i, got.x0, got.x1, got.row, want.x0, want.x1, want.row)
		}
	}
}

func TestFlameOfNoDifferenceIsPale(t *testing.T) {
	svg := Flame("f", "a", "b", frames(.4, .4001), 760).SVG()
	if boxes := svg[:strings.LastIndex(svg, "</g>")]; strings.Contains(boxes, armInks[4].name) || strings.Contains(boxes, armInks[0].name) {
		t.Error("a hundredth of a point has colour")
	}
}

func TestFitted(t *testing.T) {
	for _, c := range []struct {
		sign, name string
		width      float64
		want       string
	}{
		{"+", "malloc", 200, "+ malloc"},
		{"", "malloc", 200, "malloc"},
		{"+", "malloc", 8, ""},
	} {
		if got := fitted(c.sign, c.name, smallSize, c.width); got != c.want {
			t.Errorf("%s %s in %v: %q, want %q", c.sign, c.name, c.width, got, c.want)
		}
	}
	cut := fitted("−", "Prepared_statement::execute", smallSize, 90)
	if !strings.HasPrefix(cut, "− Pre") || !strings.HasSuffix(cut, "…") || textWidth(cut, smallSize) > 90 {
		t.Errorf("%q", cut)
	}
}

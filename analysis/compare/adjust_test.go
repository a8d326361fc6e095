package compare

import (
	"math"
	"slices"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

// By hand: sorted .005 .01 .03 .04, Holm x 4 3 2 1 and never falling, BH x 4/1
// 4/2 4/3 4/4 and never rising from the end. R's p.adjust says the same.
func TestHolmAndBH(t *testing.T) {
	check := func(name string, got, want []float64) {
		t.Helper()
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", name, got, want)
				return
			}
		}
	}
	p := []float64{.01, .04, .03, .005}
	check("holm", holm(p), []float64{.03, .06, .06, .02})
	check("bh", BenjaminiHochberg(p), []float64{.02, .04, .04, .02})
	check("input untouched", p, []float64{.01, .04, .03, .005})
	check("never above 1", holm([]float64{.9, .8}), []float64{1, 1})
	check("ties", holm([]float64{.02, .02}), []float64{.04, .04})
	check("one", holm([]float64{.02}), []float64{.02})
	if got := holm([]float64{.01, math.NaN()}); got[0] != .02 || !math.IsNaN(got[1]) {
		t.Errorf("NaN counts and stays: %v", got)
	}
	if len(holm(nil)) != 0 || len(BenjaminiHochberg(nil)) != 0 {
		t.Error("an empty family has adjusted p")
	}
}

// familyOf judges strata with these true ratios.
func familyOf(ratios ...float64) []*Result {
	var family []*Result
	for i, ratio := range ratios {
		r := Judge(draw(truth.Nested{Days: 5, Runs: 3, SDRun: .004, SDDay: .1, Effect: math.Log(ratio)}, uint64(i)), Options{Better: 1})
		family = append(family, &r)
	}
	return family
}

func adjust(t *testing.T, family []*Result, method string) {
	t.Helper()
	if err := Adjust(family, method); err != nil {
		t.Fatal(err)
	}
}

func TestAloneItWouldStand(t *testing.T) {
	r := Judge(aloneRuns(), Options{Better: 1})
	wantVerdict(t, "alone", r, analysis.Faster)
	family := append(familyOf(1, 1, 1), &r)
	adjust(t, family, "")
	wantVerdict(t, "among four", r, analysis.Inconclusive)
	if w := warned[analysis.AloneItWouldStand](t, r); w.Family != 4 || w.Text() != "alone it would stand; among the 4 looked at it does not." {
		t.Errorf("%+v: %s", w, w.Text())
	}
	if !(r.Lo > 1 && r.LoAdj < 1) {
		t.Errorf("lo %v, adjusted %v: want 1 between them", r.Lo, r.LoAdj)
	}
	// Again, and with less: nothing is left over from before.
	adjust(t, family, "none")
	wantVerdict(t, "none", r, analysis.Faster)
	silent[analysis.AloneItWouldStand](t, r)
	if r.LoAdj != r.Lo || r.HiAdj != r.Hi || r.PAdjusted != r.P || r.Family != 1 {
		t.Errorf("unadjusted: %v to %v, p %v of a family of %d", r.LoAdj, r.HiAdj, r.PAdjusted, r.Family)
	}
	adjust(t, family, "holm")
	adjust(t, family, "holm")
	if n := len(slices.DeleteFunc(kinds(r), func(k string) bool { return k != "alone-it-would-stand" })); n != 1 {
		t.Errorf("%d warnings that alone it would stand, want 1", n)
	}
}

// Equivalence is adjusted apart: among many it needs more.
func TestEquivalenceIsAdjustedApart(t *testing.T) {
	family := familyOf(1, 1.5, 1.5, 1.5)
	r := family[0]
	p := r.PEquiv
	adjust(t, family, "holm")
	near(t, "adjusted TOST p", r.PEquivAdjusted, 4*p, 1e-12)
	near(t, "p of a clear change", family[1].PEquivAdjusted, 1, 1e-12)
}

// Rows that were not tested neither change nor count.
func TestUntestedRowsDoNotCount(t *testing.T) {
	r := Judge(aloneRuns(), Options{Better: 1})
	one := Judge(session("d1 A 1", "d1 B 2"), Options{})
	zero := Judge(session("d1 A 0", "d1 B 0", "d2 A 0", "d2 B 0"), Options{Scale: Difference})
	adjust(t, []*Result{&one, &r, &zero}, "holm")
	wantVerdict(t, "tested alone", r, analysis.Faster)
	if r.Family != 1 {
		t.Errorf("family of %d, want 1", r.Family)
	}
	wantVerdict(t, "one run an arm", one, analysis.Unsupported)
	wantVerdict(t, "all zero", zero, analysis.Inconclusive)
	if !math.IsNaN(one.PAdjusted) || !math.IsNaN(zero.PAdjusted) {
		t.Errorf("p out of nowhere: %v, %v", one.PAdjusted, zero.PAdjusted)
	}
}

// Bonferroni's bounds: the t quantile at 1 - .05/(2 x 4), by hand at 1 df.
func TestAdjustedBounds(t *testing.T) {
	runs := session("d1 A 100 100", "d1 B 110 110", "d2 A 200", "d2 B 240")
	r := Judge(runs, Options{Better: 1})
	family := append(familyOf(1, 1, 1), &r)
	adjust(t, family, "holm")
	a, b := math.Log(1.1), math.Log(1.2)
	near(t, "lo_adj", r.LoAdj, math.Exp((a+b)/2-math.Tan(math.Pi*(.5-.00625))*(b-a)/2), 1e-9)
}

func TestUnknownMethod(t *testing.T) {
	if err := Adjust(nil, "bonferroni?"); err == nil {
		t.Error("an unknown method is taken")
	}
}

package history

import (
	"fmt"
	"math"
	"testing"

	"noisefloor/analysis"
)

// wiggle is the deterministic noise of testdata/factors.R.
func wiggle(i int) float64 { return math.Sin(float64(i * i)) }

func truthOf(b, v int) float64 {
	y := 7 + .04*float64(b-1) - []float64{0, .05, .2}[v-1]
	if b == 2 && v == 3 {
		y += .03
	}
	return y
}

var studyFactors = [2]string{"build", "version"}
var studyLevels = [2][]string{{"gcc", "lto"}, {"5.6", "5.7", "8.0"}}

// loads are 3 loads x 3 runs a cell on one day, as in the script.
func loads() []Combination {
	var all []Combination
	i := 0
	for b := 1; b <= 2; b++ {
		for v := 1; v <= 3; v++ {
			c := Combination{Levels: [2]int{b - 1, v - 1}}
			for load := 1; load <= 3; load++ {
				for range 3 {
					i++
					y := truthOf(b, v) + .02*wiggle(100*b+10*v+load) + .005*wiggle(i)
					c.Runs = append(c.Runs, Run{Day: "2026-11-30", Nest: []string{fmt.Sprint(load), ""}, Slot: nan, Value: math.Exp(y)})
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// sharedDays are all cells on each of 4 days.
func sharedDays() []Combination {
	var all []Combination
	for b := 1; b <= 2; b++ {
		for v := 1; v <= 3; v++ {
			c := Combination{Levels: [2]int{b - 1, v - 1}}
			for day := 1; day <= 4; day++ {
				i := (day-1)*6 + (b-1)*3 + v
				y := truthOf(b, v) + .3*wiggle(day) + .01*wiggle(i+50)
				c.Runs = append(c.Runs, Run{Day: fmt.Sprint("d", day), Slot: nan, Value: math.Exp(y)})
			}
			all = append(all, c)
		}
	}
	return all
}

// effect finds one effect of a study.
func effect(t *testing.T, st *Study, factor, level, at, other string) *Effect {
	t.Helper()
	for i := range st.Effects {
		if e := &st.Effects[i]; e.Factor == factor && e.Level == level && e.At == at && e.Other[1] == other {
			return e
		}
	}
	t.Fatalf("no effect of %s %s at %q, other %q", factor, level, at, other)
	return nil
}

func checkEffect(t *testing.T, what string, e *Effect, ratio, lo, hi, p float64) {
	t.Helper()
	if !near(e.Ratio, ratio, 1e-8) || !near(e.Lo, lo, 1e-8) || !near(e.Hi, hi, 1e-8) || math.Abs(e.P-p) > 1e-6*p {
		t.Errorf("%s: %.9f (%.9f to %.9f), p %.9g; want %.9f (%.9f to %.9f), p %.9g", what, e.Ratio, e.Lo, e.Hi, e.P, ratio, lo, hi, p)
	}
}

// R 4.2.2, testdata/factors.R: nine runs as three loads of three are three
// replicates.
func TestFactorsWithLoads(t *testing.T) {
	st, err := Factors(studyFactors, studyLevels, loads(), Options{Better: 1})
	if err != nil {
		t.Fatal(err)
	}
	if st.Basis != BasisLaunches || !st.Conditional || st.DF != 12 || st.Cells[0].Units != 3 || st.Cells[0].Runs != 9 {
		t.Fatalf("basis %s, df %g, cells %+v", st.Basis, st.DF, st.Cells)
	}
	checkEffect(t, "build", effect(t, &st, "build", "lto", "", ""), 1.040982197, 1.022872941, 1.059412065, 0.000316350623)
	checkEffect(t, "version", effect(t, &st, "version", "8.0", "", ""), 0.842029611, 0.824124516, 0.860323716, 6.90523381e-10)
	checkEffect(t, "simple", effect(t, &st, "version", "8.0", "gcc", ""), 0.828303855, 0.803505146, 0.853867930, 1.28551269e-08)
	checkEffect(t, "interaction", effect(t, &st, "build", "lto", "", "8.0"), 1.033416434, 0.989934141, 1.078808663, 0.121574375)
	checkEffect(t, "whole", &st.Whole, 0.876332219, 0.850095582, 0.903378601, 6.48430415e-07)
	s := st.Shares[0]
	if want := [3]float64{-0.302477676, -0.575594499, -0.119218353}; !near(s.Share, want[0], 1e-8) || !near(s.Lo, want[1], 1e-7) || !near(s.Hi, want[2], 1e-7) {
		t.Errorf("share of build %.9f (%.9f to %.9f)", s.Share, s.Lo, s.Hi)
	}
	if !near(st.Shares[0].Share+st.Shares[1].Share, 1, 1e-12) {
		t.Error("shares add up to 1")
	}
	if e := effect(t, &st, "version", "8.0", "", ""); e.Verdict != analysis.Unsupported || !has[analysis.OnlyThatDay](st.Warnings) {
		t.Errorf("one day gives no verdict: %s %v", e.Verdict, st.Warnings)
	}
}

// R 4.2.2, testdata/factors.R: on shared days each contrast is a t test of its
// daily values.
func TestFactorsOnSharedDays(t *testing.T) {
	st, err := Factors(studyFactors, studyLevels, sharedDays(), Options{Better: 1})
	if err != nil {
		t.Fatal(err)
	}
	if st.Basis != BasisBlocks || st.Conditional || st.DF != 3 {
		t.Fatalf("basis %s, df %g", st.Basis, st.DF)
	}
	checkEffect(t, "build", effect(t, &st, "build", "lto", "", ""), 1.053718007, 1.044796975, 1.062715212, 0.000290809836)
	checkEffect(t, "interaction", effect(t, &st, "build", "lto", "", "8.0"), 1.014892304, 0.994310417, 1.035900228, 0.105358683)
	if e := effect(t, &st, "version", "8.0", "", ""); e.Verdict != analysis.Slower {
		t.Errorf("20 %% slower on four days: %s, p %g", e.Verdict, e.PAdjusted)
	}
	if e := effect(t, &st, "build", "lto", "", "8.0"); e.Verdict != "" {
		t.Errorf("an interaction is neither faster nor slower: %s", e.Verdict)
	}
}

// The residual mean square of R's two-way aov, testdata/factors.R, is the noise
// of a series over the same six points.
func TestBlocksAgreeWithR(t *testing.T) {
	var points []Point
	for i, c := range sharedDays() {
		points = append(points, Point{Label: fmt.Sprint(i), Place: -1, Runs: c.Runs})
	}
	b := newDesign(points, Options{}, len(points)).basis()
	if want := 3.71806411049e-05; b.kind != BasisBlocks || b.df != 15 || !near(4*b.variance/want, 1, 1e-9) {
		t.Errorf("mean square %.12g on %g df, want %.12g on 15", 4*b.variance, b.df, want)
	}
}

// A combination that nobody ran takes the level with it that lacks most.
func TestFactorsWithAMissingCombination(t *testing.T) {
	all := loads()
	st, err := Factors(studyFactors, studyLevels, append(all[:4:4], all[5]), Options{Better: 1}) // lto 5.7 is missing
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Levels[1]) != 2 || st.Levels[1][1] != "8.0" || !has[analysis.LevelsMissing](st.Warnings) {
		t.Errorf("levels %v, %v", st.Levels, st.Warnings)
	}
	if _, err := Factors(studyFactors, studyLevels, all[:3], Options{}); err == nil {
		t.Error("one build is no study")
	}
}

// Nothing repeated: effects without intervals, and no shares.
func TestFactorsWithoutReplicates(t *testing.T) {
	all := loads()
	for i := range all {
		all[i].Runs = all[i].Runs[:3] // one load
	}
	st, err := Factors(studyFactors, studyLevels, all, Options{Better: 1})
	if err != nil {
		t.Fatal(err)
	}
	e := effect(t, &st, "version", "8.0", "", "")
	if st.Basis != BasisNone || !math.IsNaN(e.Lo) || !math.IsNaN(e.P) || math.IsNaN(e.Ratio) || e.Verdict != analysis.Unsupported || !math.IsNaN(st.Shares[0].Share) {
		t.Errorf("basis %s, %+v, %+v", st.Basis, e, st.Shares)
	}
	if !has[analysis.NothingRepeats](st.Warnings) {
		t.Errorf("%v", st.Warnings)
	}
}

// No change at all: there is nothing to share out.
func TestSharesOfNothing(t *testing.T) {
	all := sharedDays()
	for i := range all {
		for j := range all[i].Runs {
			all[i].Runs[j].Value = math.Exp(.01 * wiggle(7*i+j))
		}
	}
	st, err := Factors(studyFactors, studyLevels, all, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(st.Shares[0].Share) || !has[analysis.ShareUnknown](st.Warnings) {
		t.Errorf("%+v", st.Shares)
	}
}

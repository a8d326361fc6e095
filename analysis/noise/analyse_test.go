package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"noisefloor/analysis"
)

func analysed(t *testing.T, runs []Run) Result {
	t.Helper()
	r, err := Analyse(runs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func component(t *testing.T, r Result, level string) Component {
	t.Helper()
	for _, c := range r.Components {
		if c.Level == level {
			return c
		}
	}
	t.Fatalf("no component %s in %+v", level, r.Components)
	return Component{}
}

func isUnknown(t *testing.T, r Result, level string) {
	t.Helper()
	c := component(t, r, level)
	for _, v := range []float64{c.Var, c.SDRel, c.Lo, c.Hi, c.Share} {
		if !math.IsNaN(v) {
			t.Errorf("%s should be unknown: %+v", level, c)
			return
		}
	}
	if c.Method != MethodUnknown {
		t.Errorf("%s: method %q", level, c.Method)
	}
}

// warned finds the one warning of type W.
func warned[W analysis.Warning](t *testing.T, r Result) W {
	t.Helper()
	var found []W
	for _, w := range r.Warnings {
		if w, ok := w.(W); ok {
			found = append(found, w)
		}
	}
	if len(found) != 1 {
		var none W
		t.Errorf("%d warnings of kind %s in %v, want 1", len(found), none.Kind(), r.Warnings)
		return none
	}
	return found[0]
}

func silent[W analysis.Warning](t *testing.T, r Result) {
	t.Helper()
	for _, w := range r.Warnings {
		if _, ok := w.(W); ok {
			t.Errorf("unexpected warning: %s", w.Text())
		}
	}
}

// on places values on one day, as separate runs.
func on(day string, values ...float64) []Run {
	var out []Run
	for _, v := range values {
		out = append(out, Run{Day: day, Value: v})
	}
	return out
}

func with(groups ...[]Run) []Run {
	var out []Run
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

func ofArm(arm int, runs []Run) []Run {
	for i := range runs {
		runs[i].Arm = arm
	}
	return runs
}

// A published case: three runs of one day.
func TestOneDay(t *testing.T) {
	r := analysed(t, on("2026-01-01", 8554, 8459, 8460))
	// By hand: SD of the three logs, 0.64 %.
	near(t, "repeatability", r.Repeatability.Value, 0.0064, 5e-5)
	near(t, "df", component(t, r, RunLevel).DF, 2, 0)
	// R 4.2.2 qchisq(c(.025,.975), 2): 0.05063562, 7.377759.
	closeTo(t, "upper", r.Repeatability.Hi, r.Repeatability.Value*math.Sqrt(2/0.05063562), 1e-6)
	closeTo(t, "lower", r.Repeatability.Lo, r.Repeatability.Value*math.Sqrt(2/7.377759), 1e-6)
	isUnknown(t, r, Day)
	if !math.IsNaN(r.DayToDay.Value) || !math.IsNaN(r.DayToDay.Hi) {
		t.Errorf("day-to-day of one day: %+v", r.DayToDay)
	}
	closeTo(t, "mean", r.Mean, math.Cbrt(8554*8459*8460), 1e-12)
	if w := warned[analysis.DayToDayUnknown](t, r); w != (analysis.DayToDayUnknown{Days: 1, Runs: 3}) {
		t.Errorf("%+v", w)
	}
	if r.Days != 1 || r.Runs != 3 || r.Launches != 0 || r.Intervals != 0 {
		t.Errorf("counts %+v", r)
	}
	for _, f := range r.Floors {
		if !math.IsNaN(f.MDE) {
			t.Errorf("a floor from one day: %+v", f)
		}
		if f.Days > 1 && !(f.Lo > 0 && math.IsInf(f.Hi, 1)) {
			t.Errorf("a design of several days is at least as noisy as its runs: %+v", f)
		}
		if f.Days == 1 && !math.IsNaN(f.Lo) {
			t.Errorf("one day cannot answer: %+v", f)
		}
	}
}

// The same case: two days, one run each.
func TestTwoDaysOneRunEach(t *testing.T) {
	r := analysed(t, with(on("d1", 9118), on("d2", 8450)))
	// By hand: log(9118/8450)/sqrt 2 = 5.4 %; R qchisq(c(.975,.025), 1) =
	// 5.023886, 0.0009820691: 2.4 to 172 %.
	sd := math.Log(9118.0/8450) / math.Sqrt2
	closeTo(t, "SD of day means", r.DayToDay.Value, sd, 1e-12)
	near(t, "printed", r.DayToDay.Value, 0.054, 5e-4)
	closeTo(t, "lower", r.DayToDay.Lo, sd/math.Sqrt(5.023886), 1e-6)
	closeTo(t, "upper", r.DayToDay.Hi, sd/math.Sqrt(0.0009820691), 1e-6)
	if m := component(t, r, Day).Method; m != MethodChiSquare {
		t.Errorf("method %q", m)
	}
	isUnknown(t, r, RunLevel)
	if !math.IsNaN(r.Repeatability.Value) {
		t.Errorf("repeatability of single runs: %+v", r.Repeatability)
	}
	if w := warned[analysis.OneComponent](t, r); w != (analysis.OneComponent{Outer: Day, Inner: RunLevel, Shown: Day}) {
		t.Errorf("%+v", w)
	}
	w := warned[analysis.WideInterval](t, r)
	if w.Level != Day || w.DF != 1 || !strings.Contains(w.Text(), "says almost nothing") || !strings.Contains(w.Text(), "between 2.4 % and 170 %") {
		t.Errorf("%+v: %s", w, w.Text())
	}
	closeTo(t, "mean", r.Mean, math.Sqrt(9118*8450), 1e-12)
	silent[analysis.DayToDayUnknown](t, r)
}

func TestDayUnknown(t *testing.T) {
	r := analysed(t, on("", 100, 101, 99, 100.5))
	isUnknown(t, r, Day)
	if w := warned[analysis.DayToDayUnknown](t, r); w.Days != 0 || !strings.Contains(w.Text(), "--set day=") {
		t.Errorf("%+v", w)
	}
	if r.Days != 0 {
		t.Errorf("days %d", r.Days)
	}
	if !(r.Repeatability.Value > 0) {
		t.Errorf("%+v", r.Repeatability)
	}
	// Some known, some not: those without are left out and counted.
	r = analysed(t, with(on("", 1, 2), on("d1", 100, 101, 99), on("d2", 103, 104, 103.5)))
	if w := warned[analysis.RunsWithoutDay](t, r); w.Runs != 2 {
		t.Errorf("%+v", w)
	}
	if r.Runs != 6 || r.Days != 2 {
		t.Errorf("runs %d days %d", r.Runs, r.Days)
	}
}

// A balanced day x run design against its mean squares.
func TestBalancedDays(t *testing.T) {
	runs := with(on("a", 100, 101, 102), on("b", 110, 111, 109), on("c", 95, 96, 94), on("d", 104, 104.5, 105), on("e", 99, 98, 98.5))
	r := analysed(t, runs)
	m := Model{Groups: [][]int{blocks(15, 3)}}
	for _, run := range runs {
		m.Y = append(m.Y, math.Log(run.Value))
	}
	table, err := ANOVA(m)
	if err != nil {
		t.Fatal(err)
	}
	day, run := component(t, r, Day), component(t, r, RunLevel)
	closeTo(t, "day", day.Var, (table.Lines[0].MS()-table.Lines[1].MS())/3, 1e-9)
	closeTo(t, "run", run.Var, table.Lines[1].MS(), 1e-9)
	want := MLS(table.Lines[0], table.Lines[1], 0.95)
	closeTo(t, "day lower", day.Lo, math.Sqrt(want.Lo), 1e-9)
	closeTo(t, "day upper", day.Hi, math.Sqrt(want.Hi), 1e-9)
	if day.Method != MethodMLS || run.Method != MethodChiSquare || day.DF != 4 || run.DF != 10 {
		t.Errorf("%+v %+v", day, run)
	}
	near(t, "shares", day.Share+run.Share, 1, 1e-12)
	closeTo(t, "total", sq(r.Total.Value), day.Var+run.Var, 1e-9)
	closeTo(t, "day-to-day", r.DayToDay.Value, day.SDRel, 0)
	warned[analysis.RestartsUnknown](t, r)
	silent[analysis.WideInterval](t, r)
}

// One run fewer, and the intervals are profiles.
func TestUnbalancedDaysAreProfiled(t *testing.T) {
	r := analysed(t, with(on("a", 100, 101, 102), on("b", 110, 111, 109), on("c", 95, 96, 94), on("d", 104, 104.5)))
	day := component(t, r, Day)
	if day.Method != MethodProfile || !(day.Lo > 0 && day.Lo < day.SDRel && day.SDRel < day.Hi) {
		t.Errorf("%+v", day)
	}
}

// twoArms has both arms on each day: days x launches x runs, made from a seed.
func twoArms(seed uint64, days, launches, runs int, sdDay, sdAD, sdLaunch, sdRun float64) []Run {
	rng := rand.New(rand.NewPCG(seed, 1))
	var out []Run
	for d := range days {
		day := sdDay * rng.NormFloat64()
		for a := range 2 {
			cell := sdAD * rng.NormFloat64()
			for l := range launches {
				launch := sdLaunch * rng.NormFloat64()
				for range runs {
					r := Run{Arm: a, Day: fmt.Sprint("day", d), Value: 1000 * math.Exp(day+cell+launch+sdRun*rng.NormFloat64())}
					if launches > 1 {
						r.Launch = fmt.Sprint("l", l)
					}
					out = append(out, r)
				}
			}
		}
	}
	return out
}

func TestTwoArms(t *testing.T) {
	r := analysed(t, twoArms(1, 6, 1, 4, 0.05, 0.02, 0, 0.01))
	for _, level := range []string{Day, DayArm, RunLevel} {
		c := component(t, r, level)
		if !(c.Lo <= c.SDRel && c.SDRel <= c.Hi) || c.Method == MethodUnknown {
			t.Errorf("%+v", c)
		}
	}
	// METHODS section 8: delta 5.65348926619226 at 2 degrees of freedom
	// (R, oracle.R), SE^2 = (2 AD + 2 run/3)/3.
	se := math.Sqrt((2*component(t, r, DayArm).Var + 2*component(t, r, RunLevel).Var/3) / 3)
	for _, f := range r.Floors {
		if f.Days == 3 && f.RunsPerDay == 3 {
			closeTo(t, "floor 3x3", f.MDE, math.Expm1(5.65348926619226*se), 1e-9)
			if !(f.Lo < f.MDE && f.MDE < f.Hi) {
				t.Errorf("%+v", f)
			}
		}
		if f.Days == 1 && !math.IsNaN(f.MDE) {
			t.Errorf("one day cannot answer: %+v", f)
		}
	}
	silent[analysis.FloorFromDayToDay](t, r)
}

// The range of the floor of the very design that was run is the chi-square
// range of its standard error with days - 1 degrees of freedom.
func TestFloorRange(t *testing.T) {
	r, err := Analyse(twoArms(2, 5, 1, 3, 0.05, 0.02, 0, 0.01), Options{Designs: []Design{{5, 3}}})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Floors[0]
	// R 4.2.2 qchisq(c(.025,.975), 4): 0.4844186, 11.14329.
	ratio := math.Log1p(f.Hi) / math.Log1p(f.MDE)
	closeTo(t, "upper", ratio, math.Sqrt(4/0.4844186), 1e-5)
	closeTo(t, "lower", math.Log1p(f.Lo)/math.Log1p(f.MDE), math.Sqrt(4/11.14329), 1e-5)
}

func TestLaunches(t *testing.T) {
	r := analysed(t, twoArms(3, 4, 2, 3, 0.05, 0.01, 0.02, 0.01))
	c := component(t, r, Launch)
	if c.Method != MethodMLS || c.DF != 8 || r.Launches != 16 {
		t.Errorf("%+v, %d launches", c, r.Launches)
	}
	silent[analysis.RestartsUnknown](t, r)
	// One launch a day and arm: one with day:arm.
	runs := twoArms(3, 4, 1, 3, 0.05, 0.02, 0, 0.01)
	for i := range runs {
		runs[i].Launch = "only"
	}
	r = analysed(t, runs)
	isUnknown(t, r, Launch)
	if w := warned[analysis.OneComponent](t, r); w != (analysis.OneComponent{Outer: DayArm, Inner: Launch, Shown: DayArm}) {
		t.Errorf("%+v", w)
	}
	// Every run its own launch: one with run, and shown there.
	for i := range runs {
		runs[i].Launch = fmt.Sprint(i)
	}
	r = analysed(t, runs)
	isUnknown(t, r, Launch)
	if w := warned[analysis.OneComponent](t, r); w != (analysis.OneComponent{Outer: Launch, Inner: RunLevel, Shown: RunLevel}) {
		t.Errorf("%+v", w)
	}
	if !(r.Repeatability.Value > 0) {
		t.Errorf("%+v", r.Repeatability)
	}
}

func TestOneRunPerCell(t *testing.T) {
	runs := twoArms(4, 5, 1, 1, 0.05, 0.02, 0, 0.01)
	r, err := Analyse(runs, Options{Designs: []Design{{5, 1}, {5, 4}}})
	if err != nil {
		t.Fatal(err)
	}
	if w := warned[analysis.OneComponent](t, r); w != (analysis.OneComponent{Outer: DayArm, Inner: RunLevel, Shown: DayArm}) {
		t.Errorf("%+v", w)
	}
	isUnknown(t, r, RunLevel)
	if c := component(t, r, DayArm); c.DF != 4 || c.Method != MethodChiSquare {
		t.Errorf("%+v", c)
	}
	// More runs a day are not promised to help, but may.
	one, four := r.Floors[0], r.Floors[1]
	closeTo(t, "floor of 5x4", four.MDE, one.MDE, 1e-12)
	closeTo(t, "its lower end", math.Log1p(four.Lo), math.Log1p(one.Lo)/2, 1e-9)
}

func TestArmsOnTheirOwnDays(t *testing.T) {
	// One day each: nothing but repeatability.
	r := analysed(t, with(on("a", 100, 101, 102), ofArm(1, on("b", 110, 111, 109))))
	isUnknown(t, r, Day)
	isUnknown(t, r, DayArm)
	if w := warned[analysis.DayMovesWithArm](t, r); w.Days != 2 {
		t.Errorf("%+v", w)
	}
	if c := component(t, r, RunLevel); c.DF != 4 {
		t.Errorf("%+v", c)
	}
	// Two days each: day-to-day holds day:arm, and the floor stands on it.
	r = analysed(t, with(on("a", 100, 101, 102), on("b", 104, 105, 103),
		ofArm(1, on("c", 110, 111, 109)), ofArm(1, on("d", 120, 121, 119))))
	isUnknown(t, r, DayArm)
	if w := warned[analysis.DayArmUnknown](t, r); w.SharedDays != 0 {
		t.Errorf("%+v", w)
	}
	warned[analysis.FloorFromDayToDay](t, r)
	if c := component(t, r, Day); c.DF != 2 || c.Method != MethodMLS {
		t.Errorf("%+v", c)
	}
}

// Intervals inside runs: the innermost level is the interval.
func TestIntervals(t *testing.T) {
	r := analysed(t, rowsOf(t, "profile", nil))
	ref := references(t, "profile")
	closeTo(t, "day", component(t, r, Day).Var, ref["var:day"], 1e-4)
	closeTo(t, "run", component(t, r, RunLevel).Var, ref["var:run"], 1e-4)
	closeTo(t, "interval", component(t, r, Interval).Var, ref["var:Residual"], 1e-4)
	if r.Days != 6 || r.Runs != 24 || r.Intervals != 247 {
		t.Errorf("%d days %d runs %d intervals", r.Days, r.Runs, r.Intervals)
	}
	closeTo(t, "repeatability", sq(r.Repeatability.Value), ref["var:run"], 1e-4)
	// Every run with a single value: values are runs, whatever they are called.
	one := on("a", 1, 2, 3)
	for i := range one {
		one[i].Run = fmt.Sprint(i)
	}
	if r := analysed(t, one); r.Intervals != 0 || r.Runs != 3 {
		t.Errorf("%d runs %d intervals", r.Runs, r.Intervals)
	}
}

func TestZeroSpread(t *testing.T) {
	// All equal.
	r := analysed(t, with(on("a", 7, 7, 7), on("b", 7, 7, 7)))
	near(t, "repeatability", r.Repeatability.Value, 0, 0)
	near(t, "day-to-day", r.DayToDay.Value, 0, 0)
	if !math.IsNaN(r.Repeatability.Hi) {
		t.Errorf("an upper bound from ties: %+v", r.Repeatability)
	}
	for _, f := range r.Floors {
		if !math.IsNaN(f.MDE) {
			t.Errorf("a floor of nothing: %+v", f)
		}
	}
	// Equal within days: day-to-day is the spread of the days' values.
	r = analysed(t, with(on("a", 7, 7, 7), on("b", 8, 8, 8), on("c", 7.5, 7.5, 7.5)))
	near(t, "repeatability", r.Repeatability.Value, 0, 0)
	want := chiSquare(variance(math.Log(7), math.Log(8), math.Log(7.5)), 2, 0.95)
	closeTo(t, "day-to-day", r.DayToDay.Value, math.Sqrt(want.Value), 1e-9)
	closeTo(t, "upper", r.DayToDay.Hi, math.Sqrt(want.Hi), 1e-9)
	if w := warned[analysis.ZeroSpread](t, r); w.Level != RunLevel {
		t.Errorf("%+v", w)
	}
	// A single tie is no case of its own.
	r = analysed(t, on("a", 7, 7, 8))
	closeTo(t, "one tie", sq(r.Repeatability.Value), variance(math.Log(7), math.Log(7), math.Log(8)), 1e-9)
	silent[analysis.ZeroSpread](t, r)
	// Arms that differ by the very same factor every day, one run each.
	r = analysed(t, with(on("a", 100), ofArm(1, on("a", 200)), on("b", 50), ofArm(1, on("b", 100))))
	near(t, "day:arm", component(t, r, DayArm).Var, 0, 0)
	if w := warned[analysis.ZeroSpread](t, r); w.Level != DayArm {
		t.Errorf("%+v", w)
	}
}

func variance(v ...float64) float64 {
	var mean, ss float64
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		ss += sq(x - mean)
	}
	return ss / float64(len(v)-1)
}

func TestTooFew(t *testing.T) {
	r := analysed(t, on("a", 5))
	isUnknown(t, r, Day)
	isUnknown(t, r, RunLevel)
	near(t, "mean of one", r.Mean, 5, 1e-15)
	if w := warned[analysis.TooFewForNoise](t, r); w != (analysis.TooFewForNoise{Runs: 1, Arms: 1}) {
		t.Errorf("%+v", w)
	}
	r = analysed(t, with(on("a", 5), ofArm(1, on("a", 6))))
	if w := warned[analysis.TooFewForNoise](t, r); w != (analysis.TooFewForNoise{Runs: 2, Arms: 2}) {
		t.Errorf("%+v", w)
	}
}

func TestValuesWithoutALogarithm(t *testing.T) {
	refuses := func(v float64, say string) {
		t.Helper()
		_, err := Analyse(on("a", 1, v, 2), Options{})
		if err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("value %v: %v, want %q in it", v, err, say)
		}
	}
	refuses(0, "positive")
	refuses(-1, "positive")
	refuses(math.Copysign(0, -1), "positive")
	refuses(math.NaN(), "leave runs without a number out")
	refuses(math.Inf(1), "leave runs without a number out")
	if _, err := Analyse(nil, Options{}); err == nil {
		t.Error("no runs: no error")
	}
	if _, err := Analyse(on("a", math.SmallestNonzeroFloat64, math.MaxFloat64), Options{}); err != nil {
		t.Errorf("extreme values: %v", err)
	}
}

// Offsets and units: relative spread of 1e-13 on top of 1e12 is still seen,
// and a unit of 1e-9 changes no fraction.
func TestUnitsAndOffsets(t *testing.T) {
	runs := twoArms(5, 4, 1, 3, 0.03, 0.01, 0, 0.01)
	a := analysed(t, runs)
	for i := range runs {
		runs[i].Value *= 1e-12
	}
	b := analysed(t, runs)
	for i := range a.Components {
		closeTo(t, a.Components[i].Level, b.Components[i].SDRel, a.Components[i].SDRel, 1e-8)
	}
	closeTo(t, "mean", b.Mean, a.Mean*1e-12, 1e-12)
	r := analysed(t, on("a", 1e12+1, 1e12+3, 1e12+2))
	closeTo(t, "SD 1 on 1e12", r.Repeatability.Value, 1e-12, 1e-6)
}

// Days weigh equally in the mean, however many runs they have.
func TestMean(t *testing.T) {
	r := analysed(t, with(on("a", 100, 100, 100, 100), on("b", 400)))
	closeTo(t, "mean", r.Mean, 200, 1e-12)
	// Two arms of equal weight, launches of equal weight in a day.
	runs := with(on("a", 100, 100, 100, 400), ofArm(1, on("a", 800)))
	for i, l := range []string{"x", "x", "x", "y", "z"} {
		runs[i].Launch = l
	}
	closeTo(t, "mean", analysed(t, runs).Mean, 400, 1e-12)
}

func TestCallersSliceIsLeftAlone(t *testing.T) {
	runs := twoArms(6, 3, 2, 2, 0.03, 0.01, 0.01, 0.01)
	before := append([]Run(nil), runs...)
	analysed(t, runs)
	for i := range runs {
		if runs[i] != before[i] {
			t.Fatalf("run %d changed", i)
		}
	}
}

// Every warning has a kind and a sentence.
func TestWarningTexts(t *testing.T) {
	for _, w := range []analysis.Warning{
		analysis.TooFewForNoise{Runs: 1, Arms: 1}, analysis.DayToDayUnknown{Days: 1, Runs: 3}, analysis.DayToDayUnknown{},
		analysis.DayMovesWithArm{Days: 2}, analysis.OneComponent{Outer: Day, Inner: RunLevel, Shown: Day},
		analysis.DayArmUnknown{}, analysis.RestartsUnknown{}, analysis.WideInterval{Level: DayArm, Lo: 0, Hi: 3, DF: 1},
		analysis.ZeroSpread{Level: RunLevel}, analysis.FloorFromDayToDay{}, analysis.VarianceNotConverged{Slope: 1},
	} {
		if text := w.Text(); len(text) < 40 || !strings.HasSuffix(text, ".") || strings.Contains(text, "%!") {
			t.Errorf("%s: %q", w.Kind(), text)
		}
		if w.Kind() != strings.ToLower(w.Kind()) || strings.ContainsAny(w.Kind(), " _") {
			t.Errorf("kind %q", w.Kind())
		}
	}
}

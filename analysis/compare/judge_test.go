package compare

import (
	"math"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

// The t tests against R 4 on its data set sleep (Student 1908): t.test(extra ~
// group, ...) as printed in R's own documentation and textbooks.
func TestAgainstSleep(t *testing.T) {
	group1 := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	group2 := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	check := func(name string, test Test, df, p, lo, hi float64) {
		t.Helper()
		near(t, name+" estimate", test.Estimate, 1.58, 1e-12)
		near(t, name+" df", test.DF, df, 1e-4)
		near(t, name+" p", test.P(), p, 2e-4)
		l, h := test.Interval(.95)
		near(t, name+" lo", l, lo, 1e-6)
		near(t, name+" hi", h, hi, 1e-6)
	}
	check("paired", Paired(group1, group2), 9, 0.002833, 0.7001142, 2.4598858)
	check("Welch", Welch(group1, group2), 17.776, 0.07939, -0.2054832, 3.3654832)
	check("pooled", Pooled(group1, group2), 18, 0.07919, -0.203874, 3.363874)
}

// Quantiles of t have closed forms at 1 and 2 degrees of freedom; the others
// are from tables (R qt).
func TestTQuantile(t *testing.T) {
	check := func(p, df, want float64) {
		t.Helper()
		near(t, "quantile", tQuantile(p, df), want, 1e-11)
	}
	check(.975, 1, math.Tan(math.Pi*.475))
	check(.9999, 1, math.Tan(math.Pi*.4999))
	check(.975, 2, .475/math.Sqrt(.5*.975*.025))
	check(.75, 2, .25/math.Sqrt(.5*.75*.25))
	near(t, "4 df", tQuantile(.975, 4), 2.7764451052, 1e-10)
	near(t, "9 df", tQuantile(.975, 9), 2.2621571628, 1e-10)
}

// Two days, by hand: d = log 1.1, log 1.2, and t with one degree of freedom is
// the Cauchy distribution.
func TestTwoDaysByHand(t *testing.T) {
	r := Judge(session("d1 A 100 100", "d1 B 110 110", "d2 A 200", "d2 B 240"), Options{Better: 1})
	a, b := math.Log(1.1), math.Log(1.2)
	mean, se := (a+b)/2, (b-a)/2
	near(t, "estimate", r.Estimate, math.Exp(mean), 1e-12)
	near(t, "se", r.SE, se, 1e-9)
	near(t, "p", r.P, 1-2/math.Pi*math.Atan(mean/se), 1e-9)
	near(t, "lo", r.Lo, math.Exp(mean-math.Tan(math.Pi*.475)*se), 1e-9)
	near(t, "hi", r.Hi, math.Exp(mean+math.Tan(math.Pi*.475)*se), 1e-9)
	near(t, "base mean", r.Base.Mean, math.Sqrt(100*200), 1e-12)
	near(t, "contender mean", r.Contender.Mean, math.Sqrt(110*240), 1e-12)
	if r.DF != 1 || r.Method != DayDifferences || r.Base.Runs != 3 || r.Base.Days != 2 || r.Family != 1 {
		t.Errorf("df %v, method %s, base %+v, family %d", r.DF, r.Method, r.Base, r.Family)
	}
	wantVerdict(t, "10 and 20 % on two days", r, analysis.Inconclusive)
}

// Three days, by hand: t with two degrees of freedom has P(T > t) = 1/2 - t /
// (2 sqrt(2 + t^2)), and chi-square with two its quantile -2 log(1-q).
func TestThreeDaysByHand(t *testing.T) {
	r := Judge(session("d1 A 1000", "d1 B 1001", "d2 A 1000", "d2 B 1000", "d3 A 1001", "d3 B 1000"), Options{Better: 1})
	se := math.Log(1.001) / math.Sqrt(3)
	upper := func(x float64) float64 { return .5 - x/(2*math.Sqrt(2+x*x)) }
	near(t, "se", r.SE, se, 1e-9)
	near(t, "p", r.P, 1, 1e-6)
	near(t, "TOST p", r.PEquiv, upper(math.Log(1.01)/se), 1e-6)
	wantVerdict(t, "a tenth of a percent", r, analysis.Equivalent)
	// 5.65 standard errors at 2 df (METHODS.md section 8: 5.7).
	near(t, "floor", r.NoiseFloor.Value, math.Expm1(5.7*se), .02)
	near(t, "floor, low", r.NoiseFloor.Lo/r.NoiseFloor.Value, math.Sqrt(2/(-2*math.Log(.025))), .01)
	near(t, "floor, high", r.NoiseFloor.Hi/r.NoiseFloor.Value, math.Sqrt(2/(-2*math.Log(.975))), .03)
}

// delta as METHODS.md section 8 prints it.
func TestDelta(t *testing.T) {
	for days, want := range map[float64]float64{2: 16.3, 3: 5.7, 5: 3.8, 10: 3.1} {
		near(t, "delta", delta(days-1, .05), want, .02)
	}
	if delta(2.9, .05) != delta(2, .05) || delta(.5, .05) != delta(1, .05) {
		t.Error("fractions of a degree of freedom count")
	}
}

// Averages go run, launch, day: launch 1 has three runs and counts once.
func TestLaunchesWeighEqually(t *testing.T) {
	r := Judge(session("d1 A/1 100 100 100", "d1 A/2 400", "d1 B/1 200", "d2 A/1 100", "d2 B/1 101"), Options{})
	near(t, "base mean", r.Base.Mean, math.Sqrt(200*100), 1e-12)
	if r.Base.Launches != 3 || r.Contender.Launches != 2 {
		t.Errorf("launches %d and %d, want 3 and 2", r.Base.Launches, r.Contender.Launches)
	}
}

// Every verdict on data where it is true.
func TestVerdicts(t *testing.T) {
	quiet := truth.Nested{Days: 5, Runs: 3, Mean: 7, SDDay: .05, SDRun: .005}
	check := func(name string, n truth.Nested, effect float64, better int, want analysis.Verdict) {
		t.Helper()
		n.Effect = math.Log(effect)
		r := Judge(draw(n, 1), Options{Better: better})
		wantVerdict(t, name, r, want)
		if want == analysis.Faster || want == analysis.Slower {
			if !(r.Lo <= effect && effect <= r.Hi) {
				t.Errorf("%s: %v to %v misses the true %v", name, r.Lo, r.Hi, effect)
			}
		}
	}
	check("5 % more of what should be high", quiet, 1.05, 1, analysis.Faster)
	check("5 % less of what should be high", quiet, .95, 1, analysis.Slower)
	check("5 % more of what should be low", quiet, 1.05, -1, analysis.Slower)
	check("5 % less of what should be low", quiet, .95, -1, analysis.Faster)
	check("nothing, seen well", quiet, 1, 1, analysis.Equivalent)
	check("5 % more of what has no better side", quiet, 1.05, 0, analysis.Inconclusive)
	loud := quiet
	loud.SDRun = .1
	check("nothing, seen badly", loud, 1, 1, analysis.Inconclusive)
	check("something, seen badly", loud, 1.02, 1, analysis.Inconclusive)
	single := quiet
	single.Days = 1
	check("5 % on one day", single, 1.05, 1, analysis.Unsupported)
}

func TestExceedsMargin(t *testing.T) {
	check := func(name string, effect float64, want bool) {
		t.Helper()
		r := Judge(draw(truth.Nested{Days: 5, Runs: 3, SDRun: .001, Effect: math.Log(effect)}, 1), Options{Better: 1})
		if r.ExceedsMargin != want {
			t.Errorf("%s: exceeds margin is %v", name, r.ExceedsMargin)
		}
	}
	check("5 % up", 1.05, true)
	check("5 % down", .95, true)
	check("half a percent: real, but less than anyone cares about", 1.005, false)
	check("nothing", 1, false)
}

// A metric without a better side says that it changed, not which way is good.
func TestNoBetterSide(t *testing.T) {
	r := Judge(draw(truth.Nested{Days: 5, Runs: 3, SDRun: .001, Effect: .05}, 1), Options{})
	if w := warned[analysis.NoBetterSide](t, r); !(w.Change > .04) {
		t.Errorf("change %v, want .05", w.Change)
	}
}

// At 99 % the interval, the level of the verdict and that of equivalence move
// together, so that they cannot contradict each other.
func TestConfidenceSetsTheLevel(t *testing.T) {
	runs := session("d1 A 100", "d1 B 104", "d2 A 100", "d2 B 105", "d3 A 100", "d3 B 107", "d4 A 100", "d4 B 111")
	r := Judge(runs, Options{Better: 1})
	wantVerdict(t, "95 %", r, analysis.Faster)
	r = Judge(runs, Options{Better: 1, Confidence: .99})
	wantVerdict(t, "99 %", r, analysis.Inconclusive)
	if !(r.Lo < 1) {
		t.Errorf("inconclusive, but the interval begins at %v", r.Lo)
	}
}

// Looking every day tests at .01 (METHODS.md section 3).
func TestLooks(t *testing.T) {
	runs := session("d1 A 100", "d1 B 104", "d2 A 100", "d2 B 105", "d3 A 100", "d3 B 107", "d4 A 100", "d4 B 111")
	r := Judge(runs, Options{Better: 1, Looks: 10})
	near(t, "level", r.Level, .01, 1e-12)
	wantVerdict(t, "p above .01", r, analysis.Inconclusive)
	if r = Judge(runs, Options{Better: 1, PlannedDays: 10}); r.DaysPlanned != 10 {
		t.Errorf("planned %d, want 10", r.DaysPlanned)
	}
	if w := warned[analysis.PlannedDays](t, r); w != (analysis.PlannedDays{Have: 4, Planned: 10}) {
		t.Errorf("%+v", w)
	}
	silent[analysis.PlannedDays](t, Judge(runs, Options{PlannedDays: 4}))
}

// Values of a grid with neighbours 1.01817 apart (sysbench percentiles).
func TestGrid(t *testing.T) {
	const step = 1.01817
	grid := func(steps ...float64) []Run { // one run an arm a day, base on 10 ms
		var runs []Run
		for d, s := range steps {
			first := d % 2
			runs = append(runs,
				Run{Arm: 0, Day: truth.DayName(d), Slot: float64(10*d + first), Value: .010},
				Run{Arm: 1, Day: truth.DayName(d), Slot: float64(10*d + 1 - first), Value: .010 * math.Pow(step, s)})
		}
		return runs
	}
	opt := Options{Better: -1, Grid: step}
	wantVerdict(t, "no spread at all", Judge(grid(1, 1, 1, 1), opt), analysis.Unsupported)

	plain, gridded := Judge(grid(9, 10, 10, 11), Options{Better: -1}), Judge(grid(9, 10, 10, 11), opt)
	near(t, "lo is a step lower", gridded.Lo*step, plain.Lo, 1e-9)
	near(t, "hi is a step higher", gridded.Hi/step, plain.Hi, 1e-9)
	near(t, "floor is a step higher", 1+gridded.NoiseFloor.Value, (1+plain.NoiseFloor.Value)*step, 1e-9)
	warned[analysis.GridWidened](t, gridded)
	wantVerdict(t, "ten steps", gridded, analysis.Slower)
	wantVerdict(t, "a step or none, without the grid", Judge(grid(1, 1, 1, 1, 1, 1, 2), Options{Better: -1}), analysis.Slower)
	wantVerdict(t, "a step or none", Judge(grid(1, 1, 1, 1, 1, 1, 2), opt), analysis.Inconclusive)
	opt.Margin = .018
	wantVerdict(t, "equal, at a margin below a step", Judge(grid(0, 0, 0, 0, 0, 0, .01), opt), analysis.Inconclusive)
	opt.Margin = .03
	wantVerdict(t, "equal, at a margin above a step", Judge(grid(0, 0, 0, 0, 0, 0, .01), opt), analysis.Equivalent)

	// Runs of a cell that spread by more than half a step show the noise.
	spread := Judge(session("d1 A 10 11 12", "d1 B 11 12 13", "d2 A 10 11 12", "d2 B 11 13 14"), Options{Better: -1, Grid: step})
	silent[analysis.GridWidened](t, spread)
}

// With a grid, p and the widened interval still agree about zero.
func TestGridPAgreesWithInterval(t *testing.T) {
	for seed := range uint64(200) {
		n := truth.Nested{Days: 3, Runs: 2, SDRun: .002, Effect: .03}
		r := Judge(draw(n, seed), Options{Better: -1, Grid: 1.01817})
		if (r.Lo <= 1 && 1 <= r.Hi) != (r.P >= .05) {
			t.Errorf("seed %d: %v to %v, but p %v", seed, r.Lo, r.Hi, r.P)
		}
	}
}

// Errors per second: differences, no margin, no ratio.
func TestDifference(t *testing.T) {
	opt := Options{Scale: Difference, Better: -1}
	r := Judge(session("d1 A 0 0", "d1 B 1 1.2", "d2 A 0 0.1", "d2 B 1.1 1.2", "d3 A 0 0", "d3 B 1.3 1.1"), opt)
	wantVerdict(t, "errors where none were", r, analysis.Slower)
	near(t, "estimate", r.Estimate, (1.1+1.1+1.2)/3, 1e-9)
	if !math.IsNaN(r.Margin) || !math.IsNaN(r.PEquiv) || r.ExceedsMargin {
		t.Errorf("a margin on the difference scale: %v, p %v, exceeds %v", r.Margin, r.PEquiv, r.ExceedsMargin)
	}
	r = Judge(session("d1 A 0 1", "d1 B 1 0", "d2 A 0 1.5", "d2 B 1 0", "d3 A 1 0", "d3 B 0 1.2"), opt)
	wantVerdict(t, "errors on both sides", r, analysis.Inconclusive)
}

// Nothing ever counted: the rule of three.
func TestAllZero(t *testing.T) {
	zero := session("d1 A 0 0", "d1 B 0 0", "d2 A 0 0", "d2 B 0 0")
	r := Judge(zero, Options{Scale: Difference, Better: -1, Exposure: [2]float64{100, 300}})
	wantVerdict(t, "all zero", r, analysis.Inconclusive)
	if w := warned[analysis.AllZero](t, r); w != (analysis.AllZero{UpperBase: .03, UpperContender: .01}) {
		t.Errorf("bounds %+v, want 3/100 and 3/300", w)
	}
	near(t, "lo", r.Lo, -.03, 1e-12)
	near(t, "hi", r.Hi, .01, 1e-12)
	r = Judge(zero, Options{Scale: Difference, Better: -1})
	wantVerdict(t, "all zero, time unknown", r, analysis.Inconclusive)
	if w := warned[analysis.AllZero](t, r); !math.IsNaN(w.UpperBase) || !math.IsNaN(r.Lo) {
		t.Errorf("bounds out of nowhere: %+v", w)
	}
	r = Judge(zero[:4], Options{Scale: Difference, Exposure: [2]float64{100, 300}})
	wantVerdict(t, "all zero on one day", r, analysis.Unsupported)
	warned[analysis.AllZero](t, r)
	wantVerdict(t, "all zero as a ratio", Judge(zero, Options{}), analysis.Unsupported)
}

// Wild runs are named, and stay.
func TestWildRuns(t *testing.T) {
	runs := session("d1 A 100 101 99 100 102", "d1 B 100 101 99 50 101", "d2 A 100 101 99 100 102", "d2 B 100 101 99 100 101")
	for i := range runs {
		if runs[i].Value == 50 {
			runs[i].ID = "3f2a"
		}
	}
	r := Judge(runs, Options{Better: 1})
	w := warned[analysis.WildRuns](t, r)
	if want := (analysis.WildRun{ID: "3f2a", Arm: "contender", Day: "d1", Value: 50}); len(w.Runs) != 1 || w.Runs[0] != want {
		t.Errorf("%+v, want %+v", w.Runs, want)
	}
	if r.Contender.Runs != 10 {
		t.Errorf("%d runs of the contender, want all 10", r.Contender.Runs)
	}
	silent[analysis.WildRuns](t, Judge(session("d1 A 100 101", "d1 B 100 300", "d2 A 100 101", "d2 B 100 101"), Options{})) // of two, neither is odd
	silent[analysis.WildRuns](t, Judge(session("d1 A 100 100 100", "d1 B 100 100 100", "d2 A 7 7 7", "d2 B 8 8 8"), Options{}))
	warned[analysis.WildRuns](t, Judge(session("d1 A 100 100 100", "d1 B 100 100 90", "d2 A 7 7 7", "d2 B 8 8 8"), Options{})) // among equals
	silent[analysis.WildRuns](t, Judge(session("d1 A 100 100 100", "d1 B 100 100 101.8", "d2 A 7 7 7", "d2 B 8 8 8"), Options{Grid: 1.01817}))
}

// In clean normal data few runs are named: at most 3 % with 3 runs a cell.
func TestWildRunsAreRareInCleanData(t *testing.T) {
	named, all := 0, 0
	for seed := range uint64(300) {
		r := Judge(draw(truth.Nested{Days: 4, Runs: 3, SDRun: .01, SDDay: .1}, seed), Options{})
		all += 24
		for _, w := range r.Warnings {
			if wild, ok := w.(analysis.WildRuns); ok {
				named += len(wild.Runs)
			}
		}
	}
	if share := float64(named) / float64(all); share > .03 {
		t.Errorf("%.1f %% of clean runs are called wild", 100*share)
	}
}

// What would settle it: enough days for the goal, one fewer is not enough.
func TestSettle(t *testing.T) {
	n := truth.Nested{Days: 4, Runs: 3, SDRun: .02, SDDayArm: .01}
	found := 0
	for seed := range uint64(100) {
		r := Judge(draw(n, seed), Options{Better: 1})
		if r.Verdict != analysis.Inconclusive {
			if r.Settle != (Settle{}) {
				t.Errorf("seed %d: %s, but %+v would settle it", seed, r.Verdict, r.Settle)
			}
			continue
		}
		if r.Settle == (Settle{}) {
			continue
		}
		found++
		goal, floor := max(math.Abs(math.Log(r.Estimate)), math.Log1p(.01)), r.floors()
		if floor(n.Days) <= goal { // these days see the margin already
			goal = math.Abs(math.Log(r.Estimate))
		}
		if floor(r.Settle.Days) > goal || (r.Settle.Days > 2 && floor(r.Settle.Days-1) <= goal) {
			t.Errorf("seed %d: %d days see %v and %d see %v, the goal is %v", seed, r.Settle.Days, floor(r.Settle.Days),
				r.Settle.Days-1, floor(r.Settle.Days-1), goal)
		}
		if r.Settle.RunsPerDay != 3 {
			t.Errorf("seed %d: %d runs a day, want 3", seed, r.Settle.RunsPerDay)
		}
		near(t, "effect", r.Settle.Effect, math.Expm1(floor(r.Settle.Days)), 1e-9)
	}
	if found < 10 {
		t.Errorf("only %d of 100 sessions could be settled", found)
	}
}

// By hand: SE .01/sqrt(3) on 3 days, so the SD of a daily difference is .01 and
// its 80 % upper bound .01 sqrt(2/(-2 log .8)) = .0212.
func TestFloors(t *testing.T) {
	r := Result{Scale: Ratio, Level: .05, Family: 1, Base: Side{Days: 3}, Contender: Side{Days: 3}, Tests: []Test{{SE: .01 / math.Sqrt(3), DF: 2}}}
	near(t, "10 days", r.floors()(10), 3.1*.01*math.Sqrt(1/-math.Log(.8))/math.Sqrt(10), .02)
}

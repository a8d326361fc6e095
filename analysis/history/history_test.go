package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

var nan = math.NaN()

// nights makes points of one run a day each.
func nights(y ...float64) []Point {
	points := make([]Point, len(y))
	for i, v := range y {
		points[i] = Point{Label: fmt.Sprintf("n%03d", i), Place: -1, Runs: []Run{{Day: fmt.Sprintf("d%03d", i), Slot: nan, Value: v}}}
	}
	return points
}

// drawn is a series around 100 with an SD of 1 %.
func drawn(seed uint64, s truth.Series) []float64 {
	y := make([]float64, s.Points)
	s.Draw(y, rand.New(rand.NewPCG(seed, 0)))
	for i := range y {
		y[i] = 100 * math.Exp(.01*y[i])
	}
	return y
}

// Truth seed 1: 60 points, -5 % from 20 on, +3 % from 45 on, noise 1 %.
func TestFindsWhatIsThere(t *testing.T) {
	y := drawn(1, truth.Series{Points: 60, Steps: []truth.Step{{At: 20, By: -5}, {At: 45, By: 3}}})
	r := Analyse(nights(y...), Options{Better: 1})
	if len(r.Changes) != 2 || r.Basis != BasisSeries || !r.Supported() {
		t.Fatalf("basis %s, changes %+v", r.Basis, r.Changes)
	}
	for i, want := range []struct {
		at      int
		log     float64
		verdict analysis.Verdict
	}{{20, -.05, analysis.Slower}, {45, .03, analysis.Faster}} {
		c := r.Changes[i]
		if c.AtLo > want.at || c.AtHi < want.at || c.Before != c.At-1 {
			t.Errorf("change %d at %d (%d to %d), truth %d", i, c.At, c.AtLo, c.AtHi, want.at)
		}
		if !(c.Lo < math.Exp(want.log) && math.Exp(want.log) < c.Hi) || c.Verdict != want.verdict || c.P > 1e-3 || c.PAdjusted != c.P {
			t.Errorf("change %d: %.4f (%.4f to %.4f), p %g, %s", i, c.Ratio, c.Lo, c.Hi, c.P, c.Verdict)
		}
	}
	if len(r.Segments) != 3 || r.Points[19].Segment != 0 || r.Points[20].Segment != 1 || r.Points[59].Segment != 2 {
		t.Errorf("segments %+v", r.Segments)
	}
	if math.Abs(r.Noise-.01) > .003 {
		t.Errorf("noise %.4f, truth .01", r.Noise)
	}
	// A metric of which less is better turns the words round, not the numbers.
	less := Analyse(nights(y...), Options{Better: -1})
	if less.Changes[0].Verdict != analysis.Faster || less.Changes[0].Ratio != r.Changes[0].Ratio {
		t.Errorf("less is better: %+v", less.Changes[0])
	}
	if none := Analyse(nights(y...), Options{}); none.Changes[0].Verdict != "" {
		t.Error("a metric without a better side is neither faster nor slower")
	}
}

// Scaling all values, or counting in other units, changes no ratio and no p.
func TestScaleInvariance(t *testing.T) {
	y := drawn(2, truth.Series{Points: 50, Steps: []truth.Step{{At: 30, By: 4}}})
	a := Analyse(nights(y...), Options{})
	for i := range y {
		y[i] *= 1e9
	}
	b := Analyse(nights(y...), Options{})
	if len(a.Changes) != 1 || len(b.Changes) != 1 || !near(a.Changes[0].Ratio, b.Changes[0].Ratio, 1e-9) || !near(a.Changes[0].P, b.Changes[0].P, 1e-6) {
		t.Errorf("%+v\n%+v", a.Changes, b.Changes)
	}
}

// Reversing time turns the change round at the same place.
func TestReversal(t *testing.T) {
	y := drawn(3, truth.Series{Points: 50, Steps: []truth.Step{{At: 30, By: 5}}})
	a := Analyse(nights(y...), Options{})
	slices.Reverse(y)
	b := Analyse(nights(y...), Options{})
	if len(a.Changes) != 1 || len(b.Changes) != 1 || a.Changes[0].At != 50-b.Changes[0].At || !near(a.Changes[0].Ratio*b.Changes[0].Ratio, 1, 1e-9) {
		t.Errorf("%+v\n%+v", a.Changes, b.Changes)
	}
}

func TestGapsAndUnequalRepeats(t *testing.T) {
	y := drawn(4, truth.Series{Points: 40, Steps: []truth.Step{{At: 20, By: -6}}})
	points := nights(y...)
	points[5].Runs = nil
	points[6].Runs[0].Value = nan
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range points {
		for range rng.IntN(4) {
			if i != 5 && i != 6 {
				points[i].Runs = append(points[i].Runs, Run{Day: points[i].Runs[0].Day, Slot: nan, Value: y[i] * math.Exp(.01*rng.NormFloat64())})
			}
		}
	}
	r := Analyse(points, Options{Better: 1})
	if len(r.Changes) != 1 || r.Changes[0].AtLo > 20 || r.Changes[0].AtHi < 20 {
		t.Fatalf("changes %+v", r.Changes)
	}
	if !math.IsNaN(r.Points[5].Value) || r.Points[5].Segment != -1 || r.Points[6].Runs != 0 {
		t.Errorf("gaps %+v %+v", r.Points[5], r.Points[6])
	}
}

// Points with many runs inside count more where the scatter inside explains
// that between: by hand, weights 1/(between + inside/size).
func TestPrecisePointsCountMore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	points := nights(make([]float64, 30)...)
	for i := range points {
		points[i].Runs = nil
		size := 1
		if i%2 == 0 {
			size = 9
		}
		for range size {
			points[i].Runs = append(points[i].Runs, Run{Day: fmt.Sprint("d", i), Slot: nan, Value: math.Exp(.1 * rng.NormFloat64())})
		}
	}
	b := newDesign(points, Options{}, len(points)).basis()
	if len(b.weights) != 30 || !(b.weights[0] > 2*b.weights[1]) {
		t.Errorf("weights %v", b.weights)
	}
	if m := mean(b.weights); !near(m, 1, 1e-12) {
		t.Errorf("mean weight %g", m)
	}
}

func TestDegenerateSeries(t *testing.T) {
	constant := make([]float64, 30)
	stair := make([]float64, 30)
	for i := range constant {
		constant[i], stair[i] = 5, 5
		if i >= 15 {
			stair[i] = 6
		}
	}
	check := func(what string, r Result, changes int, basis Basis) {
		t.Helper()
		if len(r.Changes) != changes || r.Basis != basis {
			t.Errorf("%s: %d changes, basis %s: %+v", what, len(r.Changes), r.Basis, r.Changes)
		}
		for _, c := range r.Changes {
			if math.IsNaN(c.Ratio) || c.P <= 0 {
				t.Errorf("%s: %+v", what, c)
			}
		}
	}
	check("none", Analyse(nil, Options{}), 0, BasisNone)
	check("one", Analyse(nights(1), Options{}), 0, BasisNone)
	check("nine", Analyse(nights(1, 2, 3, 4, 5, 6, 7, 8, 9), Options{}), 0, BasisNone)
	check("all missing", Analyse(nights(nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan), Options{}), 0, BasisNone)
	check("all equal", Analyse(nights(constant...), Options{}), 0, BasisSeries)
	r := Analyse(nights(stair...), Options{Better: 1})
	check("two values", r, 1, BasisSeries)
	if r.Changes[0].Verdict != analysis.Unsupported || !has[analysis.NoSpread](r.Warnings) {
		t.Errorf("without any spread nothing is claimed: %+v %v", r.Changes[0], r.Warnings)
	}
	infinite := slices.Clone(stair)
	infinite[3], infinite[4], infinite[5] = math.Inf(1), 0, -2
	r = Analyse(nights(infinite...), Options{})
	if !has[analysis.NotPositive](r.Warnings) || r.Points[3].Runs != 0 {
		t.Errorf("values without a logarithm: %v", r.Warnings)
	}
	r = Analyse(nights(infinite...), Options{Additive: true})
	if r.Points[4].Runs != 1 {
		t.Error("zero and below are values where changes are differences")
	}
}

func has[W analysis.Warning](ws []analysis.Warning) bool {
	return slices.ContainsFunc(ws, func(w analysis.Warning) bool { _, ok := w.(W); return ok })
}

// A metric that moves in steps: its resolution is part of the noise.
func TestGridAddsNoise(t *testing.T) {
	y := make([]float64, 40)
	for i := range y {
		y[i] = 10
		if i >= 20 {
			y[i] = 10 * 1.01817
		}
	}
	r := Analyse(nights(y...), Options{Better: -1, Grid: 1.01817})
	if len(r.Changes) != 1 || r.Changes[0].Verdict != analysis.Slower || !(r.Changes[0].Hi > r.Changes[0].Ratio) {
		t.Errorf("%+v", r.Changes)
	}
	// By hand: a twelfth of the squared step.
	if want := math.Log(1.01817) / math.Sqrt(12); !near(r.Noise, want, 1e-6) {
		t.Errorf("noise %g, want %g", r.Noise, want)
	}
}

func TestMinimumSegmentAndEffect(t *testing.T) {
	y := drawn(5, truth.Series{Points: 60, Steps: []truth.Step{{At: 20, By: -9}, {At: 26, By: 9}, {At: 40, By: 3}}})
	if r := Analyse(nights(y...), Options{}); len(r.Changes) != 3 {
		t.Fatalf("%+v", r.Changes)
	}
	r := Analyse(nights(y...), Options{MinSegment: 10})
	for _, s := range r.Segments {
		if s.Last-s.First+1 < 10 {
			t.Errorf("a level of %d points", s.Last-s.First+1)
		}
	}
	if r.MinSegment != 10 {
		t.Errorf("min segment %d", r.MinSegment)
	}
	r = Analyse(nights(y...), Options{MinEffect: .06})
	if len(r.Changes) != 2 || r.TooSmall != 1 || !has[analysis.ChangesTooSmall](r.Warnings) {
		t.Errorf("%d changes, %d too small", len(r.Changes), r.TooSmall)
	}
	for _, c := range r.Changes {
		if !c.Exceeds {
			t.Errorf("9 %% with 1 %% noise exceeds 6 %%: %+v", c)
		}
	}
}

func TestWildNightIsNoChange(t *testing.T) {
	y := drawn(6, truth.Series{Points: 50})
	y[30], y[31] = 60, 70
	r := Analyse(nights(y...), Options{})
	if len(r.Changes) != 0 || !r.Points[30].Wild || !r.Points[31].Wild || !has[analysis.WildPoints](r.Warnings) {
		t.Errorf("%+v %v", r.Changes, r.Warnings)
	}
}

// Commits that nobody measured lie between.
func TestUnmeasured(t *testing.T) {
	points := nights(drawn(7, truth.Series{Points: 40, Steps: []truth.Step{{At: 20, By: -9}}})...)
	for i := range points {
		points[i].Place = 10 * i
	}
	if r := Analyse(points, Options{}); len(r.Changes) != 1 || r.Changes[0].Unmeasured != 9 {
		t.Errorf("%+v", r.Changes)
	}
}

// Six versions, as people compare them: what the design can tell depends on
// days and launches, not on how many runs there are.
func versions(days, launches, runs int, sdDay, sdLaunch float64, steps ...float64) []Point {
	rng := rand.New(rand.NewPCG(1, uint64(days*100+launches)))
	var points []Point
	dayEffect := make([]float64, days)
	for d := range dayEffect {
		dayEffect[d] = .05 * rng.NormFloat64()
	}
	slot := 0.
	level := 0.
	for v := range 6 {
		if v < len(steps) {
			level += steps[v]
		}
		p := Point{Label: fmt.Sprintf("10.%d", v), Place: -1}
		for d := range days {
			own := sdDay * rng.NormFloat64()
			for l := range launches {
				launch := sdLaunch * rng.NormFloat64()
				for range runs {
					slot++
					p.Runs = append(p.Runs, Run{Day: fmt.Sprintf("2026-11-%02d", d+1), Nest: []string{fmt.Sprint(v, d, l)},
						Slot:  float64(l)*1000 + slot, // rounds: every version in each
						Value: 1000 * math.Exp(level+dayEffect[d]+own+launch+.002*rng.NormFloat64())})
				}
			}
		}
		points = append(points, p)
	}
	return points
}

func TestVersionsOnSharedDays(t *testing.T) {
	r := Analyse(versions(4, 2, 2, .003, .003, 0, 0, 0, -.06, 0, 0), Options{Better: 1})
	if r.Basis != BasisBlocks || r.DF != 15 || len(r.Changes) != 1 { // (6 - 1)(4 - 1)
		t.Fatalf("basis %s, df %g, %+v", r.Basis, r.DF, r.Changes)
	}
	c := r.Changes[0]
	if c.At != 3 || c.Verdict != analysis.Slower || !(c.Lo < math.Exp(-.06) && math.Exp(-.06) < c.Hi) || c.P > .01 {
		t.Errorf("%+v", c)
	}
}

func TestVersionsOnOneDay(t *testing.T) {
	r := Analyse(versions(1, 5, 2, 0, .004, 0, 0, -.06, 0, 0, 0), Options{Better: 1})
	if r.Basis != BasisLaunches || !r.Conditional || r.Supported() || r.DF != 24 { // 6 (5 - 1)
		t.Fatalf("basis %s, df %g", r.Basis, r.DF)
	}
	if !has[analysis.OnlyThatDay](r.Warnings) || len(r.Changes) != 1 || r.Changes[0].At != 2 || r.Changes[0].Verdict != analysis.Unsupported {
		t.Errorf("%+v %v", r.Changes, r.Warnings)
	}
}

func TestVersionsWithoutReplicates(t *testing.T) {
	one := versions(1, 1, 9, 0, 0, 0, -.2)
	if r := Analyse(one, Options{}); r.Basis != BasisNone || len(r.Changes) != 0 || !has[analysis.NothingRepeats](r.Warnings) {
		t.Errorf("nine runs of one launch repeat nothing: %+v %v", r.Basis, r.Warnings)
	}
	for i := range one {
		for j := range one[i].Runs {
			one[i].Runs[j].Nest = nil
		}
	}
	if r := Analyse(one, Options{}); r.Basis != BasisNone {
		t.Errorf("unknown launches repeat nothing: %s", r.Basis)
	}
	if r := Analyse(nights(100, 101, 80, 81, 82, 79), Options{}); r.Basis != BasisNone {
		t.Errorf("six points on six days: %s", r.Basis)
	}
}

func TestVersionsOnDaysOfTheirOwn(t *testing.T) {
	points := versions(3, 1, 2, .004, 0, 0, 0, 0, -.2)
	for i := range points {
		for j := range points[i].Runs {
			points[i].Runs[j].Day = fmt.Sprint(points[i].Label, points[i].Runs[j].Day)
		}
	}
	r := Analyse(points, Options{Better: 1})
	if r.Basis != BasisDays || r.DF != 12 || !has[analysis.PointsInSequence](r.Warnings) { // 6 (3 - 1)
		t.Errorf("basis %s, df %g, %v", r.Basis, r.DF, r.Warnings)
	}
}

// All runs of the old level before all of the new one, on every day: drift
// would look the same.
func TestBlockOrderIsRefused(t *testing.T) {
	points := versions(3, 1, 2, .002, .002, 0, 0, 0, -.1)
	for i := range points {
		for j := range points[i].Runs {
			points[i].Runs[j].Slot = float64(i*100 + j)
		}
	}
	r := Analyse(points, Options{Better: 1})
	if len(r.Changes) != 1 || r.Changes[0].Verdict != analysis.Unsupported || !has[analysis.SameOrder](r.Changes[0].Warnings) {
		t.Fatalf("%+v", r.Changes)
	}
	r = Analyse(points, Options{Better: 1, IgnoreOrder: true})
	if r.Changes[0].Verdict != analysis.Slower || !has[analysis.OrderIgnored](r.Changes[0].Warnings) {
		t.Errorf("%+v", r.Changes)
	}
	for i := range points {
		points[i].Runs[0].Slot = nan
	}
	if r = Analyse(points, Options{Better: 1}); !has[analysis.OrderUnknown](r.Changes[0].Warnings) || r.Changes[0].Verdict != analysis.Slower {
		t.Errorf("%+v", r.Changes)
	}
}

// Four series, one with a change: p counts them all, and the quiet ones stay
// quiet.
func TestFamily(t *testing.T) {
	var series [][]Point
	for k := range 4 {
		s := truth.Series{Points: 40}
		if k == 2 {
			s.Steps = []truth.Step{{At: 25, By: 4}}
		}
		series = append(series, nights(drawn(uint64(10+k), s)...))
	}
	rs := Family(series, Options{})
	for k, r := range rs {
		want := 0
		if k == 2 {
			want = 1
		}
		if len(r.Changes) != want {
			t.Errorf("series %d: %d changes", k, len(r.Changes))
		}
	}
	if c := rs[2].Changes[0]; !near(c.PAdjusted, 4*c.P, 1e-12) {
		t.Errorf("p %g, adjusted %g", c.P, c.PAdjusted)
	}
	if rs[0].FalseAlarm != .05/3 || rs[2].FalseAlarm != .05/4 { // Holm: three are left
		t.Errorf("levels %g and %g", rs[0].FalseAlarm, rs[2].FalseAlarm)
	}
	if alone := Family(series[2:3], Options{}); alone[0].Changes[0].PAdjusted != alone[0].Changes[0].P {
		t.Error("one series is no family")
	}
}

// The same call gives the same numbers.
func TestDeterministic(t *testing.T) {
	points := versions(1, 5, 2, 0, .004, 0, 0, -.02, 0, 0, 0)
	a, b := Analyse(points, Options{}), Analyse(points, Options{})
	if len(a.Changes) != len(b.Changes) || len(a.Changes) > 0 && a.Changes[0].P != b.Changes[0].P {
		t.Errorf("%+v\n%+v", a.Changes, b.Changes)
	}
}

// A smaller sibling of docs/history.md: series without a change, of every kind
// and length, hold the false-alarm rate.
func TestFalseAlarms(t *testing.T) {
	const reps = 600
	for _, c := range []struct {
		phi  float64
		t3   bool
		most float64
	}{{0, false, .05}, {0, true, .05}, {.3, false, .05}, {.6, false, .10}} {
		for _, n := range []int{20, 50, 100, 300} {
			rng := rand.New(rand.NewPCG(3, uint64(n)))
			y := make([]float64, n)
			alarms := 0
			for range reps {
				truth.Series{Points: n, Phi: c.phi, T3: c.t3}.Draw(y, rng)
				if len(Analyse(nights(y...), Options{Additive: true}).Changes) > 0 {
					alarms++
				}
			}
			// Four standard errors: this runs on every change of the code.
			if share := float64(alarms) / reps; share > c.most+4*math.Sqrt(c.most*(1-c.most)/reps) {
				t.Errorf("phi %g, t3 %v, %d points: %.3f false alarms", c.phi, c.t3, n, share)
			}
		}
	}
}

// Six versions without a difference: on shared days, and inside one day.
func TestFalseAlarmsWithReplicates(t *testing.T) {
	const reps = 150
	for _, c := range []struct{ days, launches int }{{3, 1}, {1, 4}} {
		alarms := 0
		for r := range reps {
			rng := rand.New(rand.NewPCG(4, uint64(r)))
			var points []Point
			for v := range 6 {
				p := Point{Label: fmt.Sprint(v), Place: -1}
				for d := range c.days {
					for l := range c.launches {
						p.Runs = append(p.Runs, Run{Day: fmt.Sprint(d), Nest: []string{fmt.Sprint(l)}, Slot: nan, Value: math.Exp(.05*float64(d) + .01*rng.NormFloat64())})
					}
				}
				points = append(points, p)
			}
			if len(Analyse(points, Options{}).Changes) > 0 {
				alarms++
			}
		}
		if share := float64(alarms) / reps; share > .05+4*math.Sqrt(.05*.95/reps) {
			t.Errorf("%d days, %d launches: %.3f false alarms", c.days, c.launches, share)
		}
	}
}

// Steps of 3 SDs in the middle of 50 points are found, where they are, and the
// intervals hold them.
func TestPowerAndCoverage(t *testing.T) {
	const reps, n = 400, 50
	rng := rand.New(rand.NewPCG(5, 5))
	y := make([]float64, n)
	found, covered := 0, 0
	for range reps {
		truth.Series{Points: n, Steps: []truth.Step{{At: n / 2, By: 3}}}.Draw(y, rng)
		r := Analyse(nights(y...), Options{Additive: true})
		if len(r.Changes) == 1 && r.Changes[0].AtLo <= n/2 && n/2 <= r.Changes[0].AtHi {
			found++
			if r.Changes[0].Lo <= 3 && 3 <= r.Changes[0].Hi {
				covered++
			}
		}
	}
	if found < .9*reps || float64(covered) < .92*float64(found) {
		t.Errorf("found %d of %d, covered %d", found, reps, covered)
	}
}

func BenchmarkAnalyse10000(b *testing.B) {
	y := make([]float64, 10000)
	truth.Series{Points: len(y)}.Draw(y, rand.New(rand.NewPCG(1, 1)))
	points := nights(y...)
	for b.Loop() {
		Analyse(points, Options{Additive: true})
	}
}

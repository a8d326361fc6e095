package steady

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/analysis"
	"noisefloor/datasets/unit"
)

func warned[W analysis.Warning](r Result) bool {
	return slices.ContainsFunc(r.Warnings, func(w analysis.Warning) bool { _, ok := w.(W); return ok })
}

// noisy is a course at 1000 with 2 % of noise of phi .3.
func noisy(seed uint64, parts ...[]float64) []float64 {
	y := slices.Concat(parts...)
	return scaled(addNoise(y, 0.02, 0.3, rand.New(rand.NewPCG(seed, 0))), 1000)
}

func TestAnalyse(t *testing.T) {
	check := func(name string, y []float64, opt Options, class Class, cutLo, cutHi float64) Result {
		t.Helper()
		r := Analyse(seconds(len(y)), y, opt)
		if r.Class != class || class.Settled() && !(r.Cut >= cutLo && r.Cut <= cutHi) {
			t.Errorf("%s: %s, cut %g; want %s, cut %g..%g; %+v", name, r.Class, r.Cut, class, cutLo, cutHi, r.Segments)
		}
		return r
	}
	flat := func(n int) []float64 { return constant(n, 1) }
	latency := Options{Better: unit.Lower}

	check("flat", noisy(1, flat(120)), Options{}, Flat, 0, 0)
	check("low first third", noisy(2, constant(40, 0.8), flat(80)), Options{}, WarmUp, 36, 44)
	check("high first third", noisy(3, constant(40, 1.2), flat(80)), Options{}, SlowDown, 36, 44)
	check("high latency first", noisy(3, constant(40, 1.2), flat(80)), latency, WarmUp, 36, 44)
	check("low latency first", noisy(2, constant(40, 0.8), flat(80)), latency, SlowDown, 36, 44)
	check("three seconds low", noisy(4, []float64{0.2, 0.5, 0.8}, flat(117)), Options{}, WarmUp, 2, 6)
	check("below the margin", noisy(5, constant(60, 0.995), flat(60)), Options{}, Flat, 0, 0)
	check("a wider margin", noisy(2, constant(40, 0.8), flat(80)), Options{Margin: 0.3}, Flat, 0, 0)
	check("change at 2/3", noisy(6, constant(80, 0.8), flat(40)), Options{}, WarmUp, 76, 84)
	check("change at 4/5", noisy(7, constant(96, 0.8), flat(24)), Options{}, NoSteadyState, 0, 0)
	loud := noisy(9, flat(60))
	for i := range loud {
		loud[i] = 1000 + 4*(loud[i]-1000)
	}
	check("the variance alone changes", append(loud, noisy(8, flat(60))...), Options{}, Flat, 0, 0)

	r := check("long stall in the middle", noisy(10, flat(150), constant(20, 0.5), flat(130)), Options{}, Flat, 0, 0)
	if !warned[analysis.Excursions](r) || len(r.Segments) != 3 || r.Segments[1].Steady || !r.Segments[2].Steady {
		t.Errorf("long stall: %+v, %v", r.Segments, r.Warnings)
	}
	check("a stall too long to be one", noisy(11, flat(130), constant(50, 0.5), flat(120)), Options{}, WarmUp, 176, 184)
	check("ends in a stall like an earlier one", noisy(12, flat(150), constant(20, 0.5), flat(118), constant(12, 0.5)), Options{}, Flat, 0, 0)
	check("begins in a stall like a later one", noisy(12, constant(12, 0.5), flat(118), constant(20, 0.5), flat(150)), Options{}, Flat, 0, 0)
	r = check("away for long, but slightly", noisy(18, flat(300), constant(100, 0.96), flat(300)), Options{}, Flat, 0, 0)
	if len(r.Segments) != 3 || r.Segments[1].Steady {
		t.Errorf("away for long: %+v", r.Segments)
	}
	check("ends slightly lower", noisy(19, flat(1180), constant(20, 0.95)), Options{}, Flat, 0, 0)
	check("ends in a stall like none", noisy(13, flat(280), constant(20, 0.5)), Options{}, NoSteadyState, 0, 0)
	check("passes through the level on its way up", noisy(14, constant(20, 0.5), flat(6), constant(25, 1.2), flat(249)), Options{}, WarmUp, 46, 54)

	r = check("slow fill", noisy(15, first(1, func(x float64) float64 { return 0.64 + 0.36*x })(300, nil)), Options{}, NoSteadyState, 0, 0)
	if !math.IsNaN(r.Mean) || !math.IsNaN(r.Cut) || r.First != -1 || len(r.Warnings) == 0 {
		t.Errorf("no steady state has no steady mean: %+v", r)
	}
	climbs := noisy(16, first(1, func(x float64) float64 { return 0.99 + 0.02*x })(600, nil))
	for i := range climbs { // 4 % from end to end, in noise of 4 %: too little for a cut
		climbs[i] = 1000 + 2*(climbs[i]-1000)
	}
	r = check("climbs within one segment", climbs, Options{}, NoSteadyState, 0, 0)
	if !warned[analysis.StillTrending](r) || len(r.Segments) != 1 {
		t.Errorf("climbs: %v", r.Warnings)
	}
	r = check("climbs in steps", noisy(16, first(1, func(x float64) float64 { return 0.92 + 0.16*x })(300, nil)), Options{}, NoSteadyState, 0, 0)
	if !warned[analysis.StillTrending](r) || len(r.Segments) < 2 {
		t.Errorf("climbs in steps: %+v, %v", r.Segments, r.Warnings)
	}
	r = check("hangs", append(noisy(17, flat(60)), constant(60, 0)...), Options{}, NoSteadyState, 0, 0)
	if !slices.Contains(r.Warnings, analysis.Warning(analysis.Stopped{At: 60})) {
		t.Errorf("hangs: %v", r.Warnings)
	}
	check("errors that end", append(noisy(17, flat(60)), constant(60, 0)...), latency, WarmUp, 60, 60)
}

func TestSpikes(t *testing.T) {
	y := noisy(20, constant(200, 1))
	for _, i := range []int{70, 120, 121, 199} {
		y[i] = 100
	}
	r := Analyse(seconds(200), y, Options{})
	if r.Class != Flat || !slices.Equal(r.Spikes, []int{70, 120, 121, 199}) || !warned[analysis.SpikesKept](r) {
		t.Errorf("%s, spikes %v, %v", r.Class, r.Spikes, r.Warnings)
	}
	// Kept in the mean.
	sum := 0.0
	for _, v := range y {
		sum += v / 200
	}
	if math.Abs(r.Mean-sum) > 1e-9 {
		t.Errorf("mean %g, want that of all lines, %g", r.Mean, sum)
	}
	// On both sides of the threshold, by hand: 51 values 0..50 have median 25, P10
	// 5 and P90 45, so that 25 + 3 x 40 = 145 is the last value that is no spike.
	ladder := make([]float64, 51)
	for i := range ladder {
		ladder[i] = float64(i * 20 % 51) // each of 0..50 once, out of order
	}
	at := slices.Index(ladder, 50)
	for _, c := range []struct {
		v     float64
		spike bool
	}{{145, false}, {math.Nextafter(145, 200), true}} {
		ladder[at] = c.v
		run, _ := read(seconds(51), ladder)
		if _, spikes := run.withoutSpikes(); (len(spikes) > 0) != c.spike {
			t.Errorf("value %v: spikes %v", c.v, spikes)
		}
	}
}

// The window of the middle values slides: held against sorting each window.
func TestSpikesSlidingWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	y := make([]float64, 300)
	for i := range y {
		y[i] = math.Round(5 * math.Exp(rng.NormFloat64()))
	}
	run, _ := read(seconds(len(y)), y)
	_, got := run.withoutSpikes()
	var want []int
	started := false
	for i, v := range y {
		lo := min(max(0, i-25), len(y)-51)
		w := slices.Sorted(slices.Values(y[lo : lo+51]))
		far := math.Abs(v-w[25]) > 3*max(w[45]-w[5], resolution(y))
		if started = started || !far; far && started {
			want = append(want, i)
		}
	}
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("spikes %v, want %v", got, want)
	}
}

func TestTooShort(t *testing.T) {
	check := func(name string, at, y []float64, class Class, want analysis.Warning) {
		t.Helper()
		r := Analyse(at, y, Options{})
		if r.Class != class || want != nil && !slices.Contains(r.Warnings, want) {
			t.Errorf("%s: %s, %v; want %s, %v", name, r.Class, r.Warnings, class, want)
		}
	}
	nan := math.NaN()
	check("nothing", nil, nil, TooShort, analysis.TooFewIntervals{Have: 0, Need: 20})
	check("19 lines", seconds(19), noisy(30, constant(19, 1)), TooShort, analysis.TooFewIntervals{Have: 19, Need: 20})
	check("20 lines", seconds(20), noisy(30, constant(20, 1)), Flat, nil)
	check("no value at all", seconds(50), constant(50, nan), TooShort, analysis.TooFewIntervals{Have: 0, Need: 20})
	check("only infinities", seconds(50), constant(50, math.Inf(-1)), TooShort, analysis.TooFewIntervals{Have: 0, Need: 20})
	check("times unknown", constant(50, nan), constant(50, 1), TooShort, analysis.TooFewIntervals{Have: 0, Need: 20})

	// A published log with `..` in the middle: 10 lines at the start, 6 at the end.
	cut := func(head, tail int) []float64 { return append(seconds(head), seconds(300)[300-tail:]...) }
	check("10 + 6 of 300", cut(10, 6), noisy(31, constant(16, 1)), TooShort, analysis.TooFewIntervals{Have: 16, Need: 20})
	check("20 + 20 of 300", cut(20, 20), noisy(32, constant(40, 1)), TooShort, analysis.IntervalsMissing{Missing: 260, Of: 300, TooMany: true})
	check("75 + 75 of 300", cut(75, 75), noisy(33, constant(150, 1)), Flat, analysis.IntervalsMissing{Missing: 150, Of: 300})
	check("75 + 74 of 300", cut(75, 74), noisy(33, constant(149, 1)), TooShort, analysis.IntervalsMissing{Missing: 151, Of: 300, TooMany: true})

	holed := noisy(34, constant(60, 0.8), constant(240, 1))
	for i := 7; i < 300; i += 10 {
		holed[i] = nan
	}
	check("every tenth line without a value", seconds(300), holed, WarmUp, analysis.IntervalsMissing{Missing: 30, Of: 300})
}

// Times of other kinds than 1, 2, 3.
func TestTimes(t *testing.T) {
	y := noisy(40, constant(60, 0.8), constant(240, 1))
	want := Analyse(seconds(300), y, Options{})
	at := func(f func(i int) float64) []float64 {
		s := make([]float64, len(y))
		for i := range s {
			s[i] = f(i)
		}
		return s
	}
	check := func(name string, times []float64, cut, kept float64) {
		t.Helper()
		r := Analyse(times, y, Options{})
		if r.Class != want.Class || r.First != want.First || math.Abs(r.Cut-cut) > 1e-6 || math.Abs(r.Kept-kept) > 1e-6 || math.Abs(r.SE-want.SE) > 1e-9 {
			t.Errorf("%s: %s, first %d, cut %g, kept %g, se %g; want %s, %d, %g, %g, %g", name, r.Class, r.First, r.Cut, r.Kept, r.SE, want.Class, want.First, cut, kept, want.SE)
		}
	}
	cut, kept := want.Cut, want.Kept
	if cut != float64(want.First) || kept != 300-cut {
		t.Fatalf("cut %g, first %d, kept %g", cut, want.First, kept)
	}
	check("every 10 s", at(func(i int) float64 { return 10 * float64(i+1) }), 10*cut, 10*kept)
	check("every 0.1 s", at(func(i int) float64 { return 0.1 * float64(i+1) }), 0.1*cut, 0.1*kept)
	check("from 0", at(func(i int) float64 { return float64(i) }), cut-1, kept)
	check("unix time", at(func(i int) float64 { return 1.7e9 + float64(i+1) }), 1.7e9+cut, kept)
	check("jitter", at(func(i int) float64 { return float64(i+1) + 0.2*math.Sin(float64(7*i)) }),
		cut+0.2*math.Sin(7*(cut-1)), kept+0.2*math.Sin(7*299)-0.2*math.Sin(7*(cut-1)))

	r := Analyse(constant(300, 5), y, Options{})
	if !r.Class.Settled() && r.Class != NoSteadyState {
		t.Errorf("one time for all: %s", r.Class)
	}
	swapped := seconds(300)
	z := slices.Clone(y)
	swapped[100], swapped[101], z[100], z[101] = swapped[101], swapped[100], z[101], z[100]
	r = Analyse(swapped, z, Options{})
	if !slices.Contains(r.Warnings, analysis.Warning(analysis.TimesOutOfOrder{Lines: 1})) || r.Cut != want.Cut || r.Mean != want.Mean {
		t.Errorf("two lines swapped: cut %g, mean %g, %v", r.Cut, r.Mean, r.Warnings)
	}
}

func TestConstant(t *testing.T) {
	for _, v := range []float64{0, 1, -3, 0.1, 1e-300, 1e140} {
		r := Analyse(seconds(100), constant(100, v), Options{})
		if r.Class != Flat || r.Mean != v || r.SE != 0 || r.ESS != 100 || r.Cut != 0 || r.Kept != 100 || !warned[analysis.ZeroSpread](r) {
			t.Errorf("%g: %+v", v, r)
		}
	}
}

// What is scaled or played at another speed keeps its class and its cut, the
// caller's slices are left alone, and the parts of a result agree.
func TestProperties(t *testing.T) {
	for k, s := range shapes {
		for seed := range uint64(6) {
			rng := rand.New(rand.NewPCG(seed, uint64(k)))
			y := scaled(addNoise(s.course(300, rng), 0.03, 0.3, rng), 1000)
			at := seconds(300)
			y0, at0 := slices.Clone(y), slices.Clone(at)
			r := Analyse(at, y, Options{})
			if !slices.Equal(y, y0) || !slices.Equal(at, at0) {
				t.Fatalf("%s: the input was changed", s.name)
			}
			checkResult(t, s.name, at, y, r)
			for _, by := range []float64{1. / 1024, 1e6, 3} {
				q := Analyse(at, scaled(slices.Clone(y), by), Options{})
				if q.Class != r.Class || q.First != r.First || !slices.Equal(q.Spikes, r.Spikes) || len(q.Segments) != len(r.Segments) {
					t.Errorf("%s, scaled by %g: %s, first %d; want %s, %d", s.name, by, q.Class, q.First, r.Class, r.First)
				}
			}
			// A throughput is a latency upside down: what was warm-up is slow-down.
			swap := map[Class]Class{WarmUp: SlowDown, SlowDown: WarmUp}
			q := Analyse(at, y, Options{Better: unit.Lower})
			if want, ok := swap[r.Class]; q.Class != want && (ok || q.Class != r.Class) || q.First != r.First {
				t.Errorf("%s with lower better: %s, was %s", s.name, q.Class, r.Class)
			}
		}
	}
}

func checkResult(t *testing.T, name string, at, y []float64, r Result) {
	t.Helper()
	if r.Segments[0].Start != r.Start || r.Segments[len(r.Segments)-1].End != r.End {
		t.Errorf("%s: segments from %g to %g, run from %g to %g", name, r.Segments[0].Start, r.Segments[len(r.Segments)-1].End, r.Start, r.End)
	}
	for i := 1; i < len(r.Segments); i++ {
		if r.Segments[i].Start != r.Segments[i-1].End {
			t.Errorf("%s: segment %d begins at %g, the one before ends at %g", name, i, r.Segments[i].Start, r.Segments[i-1].End)
		}
	}
	if !r.Class.Settled() {
		if !math.IsNaN(r.Cut) || !math.IsNaN(r.Mean) || r.First != -1 {
			t.Errorf("%s: %s has a steady part: %+v", name, r.Class, r)
		}
		return
	}
	mean, se, ess := Mean(at, y, r.Cut)
	if mean != r.Mean || se != r.SE || ess != r.ESS {
		t.Errorf("%s: Mean after the cut %g %g %g, result %g %g %g", name, mean, se, ess, r.Mean, r.SE, r.ESS)
	}
	if !(at[r.First] > r.Cut) || r.First > 0 && at[r.First-1] > r.Cut {
		t.Errorf("%s: first %d at %g, cut %g", name, r.First, at[r.First], r.Cut)
	}
	if (r.Class == Flat) != (r.First == 0) || r.End-r.Cut < lastQuarter*(r.End-r.Start) {
		t.Errorf("%s: %s with the first steady line %d, cut %g of %g", name, r.Class, r.First, r.Cut, r.End)
	}
	if !(r.SE > 0 && r.ESS >= 1 && r.Tau >= 1) {
		t.Errorf("%s: se %g, ess %g, tau %g", name, r.SE, r.ESS, r.Tau)
	}
}

func TestBlocks(t *testing.T) {
	y := noisy(50, constant(3600, 0.8), constant(18_000, 1))
	y[15_000] = 1 // a spike, seen before the averaging
	var r Result
	best := time.Hour
	for try := 0; try < 5 && best > time.Second; try++ { // the machine may be busy
		start := time.Now()
		r = Analyse(seconds(len(y)), y, Options{})
		best = min(best, time.Since(start))
	}
	if best > time.Second {
		t.Errorf("21 600 intervals took %v, want at most 1 s", best)
	}
	if r.Class != WarmUp || math.Abs(r.Cut-3600) > 22 || r.Blocked != 11 || !slices.Equal(r.Spikes, []int{15_000}) || !warned[analysis.AveragedInBlocks](r) {
		t.Errorf("%s, cut %g, blocks of %d, spikes %v, %v", r.Class, r.Cut, r.Blocked, r.Spikes, r.Warnings)
	}
	checkResult(t, "blocks", seconds(len(y)), y, r)
	if r := Analyse(seconds(2000), y[:2000], Options{}); r.Blocked != 0 {
		t.Errorf("2000 intervals in blocks of %d", r.Blocked)
	}
	if r := Analyse(seconds(2001), y[:2001], Options{}); r.Blocked != 2 || r.Class != Flat {
		t.Errorf("2001 intervals in blocks of %d, %s", r.Blocked, r.Class)
	}
}

func TestCommon(t *testing.T) {
	settled := func(class Class, cut, end float64) Result { return Result{Class: class, Cut: cut, End: end} }
	none, short := Result{Class: NoSteadyState, End: 300}, Result{Class: TooShort}
	check := func(name string, cut float64, refusal *analysis.NoCommonCut, results ...Result) {
		t.Helper()
		got, ok, warnings := Common(results)
		if refusal == nil {
			if !ok || got != cut || len(warnings) != 0 {
				t.Errorf("%s: %g, %v, %v; want %g", name, got, ok, warnings, cut)
			}
			return
		}
		if ok || !math.IsNaN(got) || len(warnings) != 1 || warnings[0] != analysis.Warning(*refusal) {
			t.Errorf("%s: %g, %v, %+v; want %+v", name, got, ok, warnings, *refusal)
		}
	}
	check("the latest", 60, nil, settled(Flat, 0, 300), settled(WarmUp, 60, 300), settled(SlowDown, 30, 300))
	check("one run", 0, nil, settled(Flat, 0, 300))
	check("one without", 0, &analysis.NoCommonCut{Unsteady: 1, Of: 3, Cut: 60}, settled(WarmUp, 60, 300), none, settled(Flat, 0, 300))
	check("one too short", 0, &analysis.NoCommonCut{TooShort: 1, Of: 2, Cut: 60}, settled(WarmUp, 60, 300), short)
	check("a quarter is left", 225, nil, settled(WarmUp, 225, 900), settled(Flat, 0, 300))
	check("less than a quarter is left", 0, &analysis.NoCommonCut{Late: 1, Of: 2, Cut: 226}, settled(WarmUp, 226, 900), settled(Flat, 0, 300))
	check("no runs", 0, &analysis.NoCommonCut{Cut: math.Inf(-1)})
}

func TestWarnings(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range []analysis.Warning{
		analysis.TooFewIntervals{Have: 1, Need: 20}, analysis.IntervalsMissing{Missing: 3, Of: 60}, analysis.TimesOutOfOrder{Lines: 1},
		analysis.LevelStillChanges{At: 280, Of: 300}, analysis.StillTrending{From: 128, To: 199, Seconds: 300}, analysis.Stopped{At: 60},
		analysis.Excursions{Times: 2, Seconds: 30, Change: -0.4}, analysis.SpikesKept{Intervals: 1}, analysis.AveragedInBlocks{Intervals: 21600, PerBlock: 11},
		analysis.FewEffective{ESS: 4.2, Intervals: 60}, analysis.CutDisputed{Cut: 10, Mean: 100, OtherCut: 50, OtherMean: 120}, analysis.NoCommonCut{Unsteady: 1, Late: 1, Of: 6, Cut: 200},
	} {
		if text := w.Text(); seen[w.Kind()] || len(text) < 40 || !strings.HasSuffix(text, ".") || strings.Contains(text, "%!") {
			t.Errorf("%s: %q", w.Kind(), text)
		}
		seen[w.Kind()] = true
		t.Log(w.Kind()+":", w.Text())
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"lengths":         func() { Analyse(seconds(3), seconds(4), Options{}) },
		"lengths of Mean": func() { Mean(seconds(3), seconds(4), 0) },
		"margin":          func() { Analyse(seconds(3), seconds(3), Options{Margin: -1}) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "steady: ") {
					t.Errorf("%s: panic %q", name, text)
				}
			}()
			f()
		}()
	}
}

// Garbage never panics and always has a class.
func TestGarbage(t *testing.T) {
	rng := rand.New(rand.NewPCG(60, 0))
	odd := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, 1e150, 5e-324, 1e-200, math.MaxFloat64}
	for range 3000 {
		n := rng.IntN(80)
		at, y := make([]float64, n), make([]float64, n)
		for i := range y {
			at[i], y[i] = float64(i), odd[rng.IntN(2+rng.IntN(len(odd)-1))]
			if rng.IntN(4) == 0 {
				at[i] = odd[rng.IntN(len(odd))]
			}
		}
		if r := Analyse(at, y, Options{}); r.Class == "" || r.Class.Settled() && (math.IsNaN(r.Mean) || math.IsNaN(r.SE) || math.IsNaN(r.ESS)) {
			t.Fatalf("%v %v: %+v", at, y, r)
		}
	}
}

// The zero value of every field of a result says that nothing is known only
// through NaN: no float of a run too short to tell is 0.
func TestUnknownIsNaN(t *testing.T) {
	v := reflect.ValueOf(Analyse(nil, nil, Options{}))
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Float64 && !math.IsNaN(f.Float()) {
			t.Errorf("%s is %g", v.Type().Field(i).Name, f.Float())
		}
	}
}

func BenchmarkAnalyse(b *testing.B) {
	for _, n := range []int{60, 900, 21_600} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			t, y := seconds(n), noisy(70, constant(n/10, 0.8), constant(n-n/10, 1))
			for b.Loop() {
				Analyse(t, y, Options{})
			}
		})
	}
}

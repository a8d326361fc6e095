package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

// mess draws a design of any shape: few days or many, known or not, launches
// or not, values that are fine, equal, zero, negative, huge or no number.
func mess(rng *rand.Rand) ([]Run, Options) {
	days := []string{"", "d1", "d2", "d3", "d10"}[rng.IntN(3):]
	days = days[:1+rng.IntN(len(days))]
	if rng.IntN(3) > 0 {
		days = slices.DeleteFunc(slices.Clone(days), func(d string) bool { return d == "" })
	}
	value := func() float64 { return 100 * math.Exp(.02*rng.NormFloat64()) }
	switch rng.IntN(8) {
	case 0:
		value = func() float64 { return float64(100 + rng.IntN(2)) }
	case 1:
		odd := []float64{0, -1, math.NaN(), math.Inf(1), 1e-300, 1e300, 100, 101}
		value = func() float64 { return odd[rng.IntN(len(odd))] }
	case 2:
		value = func() float64 { return float64(rng.IntN(3)) }
	case 3:
		value = func() float64 { return 0 }
	}
	effect := [2]float64{1, []float64{1, 1, .8, 1.3}[rng.IntN(4)]}
	var runs []Run
	for _, d := range days {
		for arm := range 2 {
			for range rng.IntN(4) {
				r := Run{Arm: arm, Day: d, Slot: float64(rng.IntN(1000)), Value: value() * effect[arm]}
				if rng.IntN(2) == 0 {
					r.Launch = []string{"1", "2", "3"}[rng.IntN(3)]
				}
				if rng.IntN(20) == 0 {
					r.Slot = math.NaN()
				}
				runs = append(runs, r)
			}
		}
	}
	opt := Options{Better: rng.IntN(3) - 1, IgnoreOrder: rng.IntN(2) == 0}
	if rng.IntN(3) == 0 {
		opt.Scale = Difference
		opt.Exposure = [2]float64{100, 200}
	}
	if rng.IntN(4) == 0 {
		opt.Grid = 1.01817
	}
	if rng.IntN(10) == 0 {
		opt.Aliased = []string{"host"}
	}
	return runs, opt
}

// What holds for every result, whatever was put in.
func TestProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	met := map[analysis.Verdict]int{}
	for i := range 4000 {
		runs, opt := mess(rng)
		before := slices.Clone(runs)
		r := Judge(runs, opt)
		met[r.Verdict]++
		fail := func(what string) {
			t.Helper()
			t.Fatalf("design %d: %s\n%s\n%+v\n%+v", i, what, show(r), opt, runs)
		}
		if !slices.EqualFunc(before, runs, func(a, b Run) bool {
			return a.Day == b.Day && a.Arm == b.Arm && math.Float64bits(a.Value) == math.Float64bits(b.Value)
		}) {
			fail("the input was changed")
		}

		refused := slices.ContainsFunc(r.Warnings, func(w analysis.Warning) bool { _, ok := w.(analysis.Refusal); return ok })
		if (r.Verdict == analysis.Unsupported) != refused {
			fail("unsupported without a refusal, or a refusal without it")
		}
		if tested := len(r.Tests) > 0; tested {
			for _, x := range []float64{r.Estimate, r.P, r.SE, r.DF, r.PAdjusted} {
				if math.IsNaN(x) {
					fail("NaN behind a verdict")
				}
			}
			if math.IsNaN(r.Lo) || math.IsNaN(r.Hi) || !(r.Lo <= r.Estimate && r.Estimate <= r.Hi) {
				fail("the interval does not hold its estimate")
			}
			nothing := 0.
			if r.Scale == Ratio {
				nothing = 1
			}
			// Equal to rounding; a p of exactly the level never occurs.
			if (r.Lo <= nothing && nothing <= r.Hi) != (r.P >= .05) {
				fail("p and the interval disagree")
			}
			if r.Verdict == analysis.Unsupported {
				fail("tested, but unsupported")
			}
		} else if r.Verdict != analysis.Unsupported && r.Verdict != analysis.Inconclusive {
			fail("a verdict without a test")
		}
		if s := Sentence(r, "tps", "a", "b", ""); strings.Contains(s, "NaN") || strings.Contains(s, "%!") {
			fail("the sentence: " + s)
		}

		rng.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		if again := Judge(runs, opt); show(again) != show(r) {
			fail("another order of runs gives\n" + show(again))
		}
		checkMirror(t, i, runs, opt, r)
	}
	for _, v := range []analysis.Verdict{analysis.Faster, analysis.Slower, analysis.Inconclusive, analysis.Unsupported} {
		if met[v] < 20 {
			t.Errorf("only %d results are %s: the designs do not reach it", met[v], v)
		}
	}
}

// checkMirror: swapping the arms mirrors the verdict and inverts the interval.
func checkMirror(t *testing.T, design int, runs []Run, opt Options, r Result) {
	t.Helper()
	opt.Exposure[0], opt.Exposure[1] = opt.Exposure[1], opt.Exposure[0]
	m := Judge(swapped(runs), opt)
	mirror := map[analysis.Verdict]analysis.Verdict{analysis.Faster: analysis.Slower, analysis.Slower: analysis.Faster}
	want, ok := mirror[r.Verdict]
	if !ok {
		want = r.Verdict
	}
	invert := func(x float64) float64 {
		if r.Scale == Ratio {
			return 1 / x
		}
		return -x
	}
	same := func(a, b float64) bool {
		return a == b || (math.IsNaN(a) && math.IsNaN(b)) || math.Abs(a-b) <= 1e-9*(math.Abs(a)+math.Abs(b)) || math.Abs(a-b) < 1e-12
	}
	if m.Verdict != want || !same(m.Lo, invert(r.Hi)) || !same(m.Hi, invert(r.Lo)) || !same(m.Estimate, invert(r.Estimate)) ||
		!same(m.P, r.P) || !same(m.PEquiv, r.PEquiv) || m.ExceedsMargin != r.ExceedsMargin || m.Method != r.Method ||
		!slices.Equal(kinds(m), kinds(r)) {
		t.Fatalf("design %d: mirrored it is\n%s, not the mirror of\n%s\n%+v", design, show(m), show(r), runs)
	}
}

// The verdicts on clean nested data mirror too, with all four reached.
func TestMirrorOnTruth(t *testing.T) {
	met := map[analysis.Verdict]int{}
	for seed := range uint64(200) {
		for _, effect := range []float64{0, .005, .02} {
			runs := draw(truth.Nested{Days: 4, Runs: 2, SDRun: .005, SDDay: .1, Effect: effect}, seed)
			r := Judge(runs, Options{Better: 1})
			met[r.Verdict]++
			checkMirror(t, int(seed), runs, Options{Better: 1}, r)
		}
	}
	for _, v := range []analysis.Verdict{analysis.Faster, analysis.Equivalent, analysis.Inconclusive} {
		if met[v] < 20 {
			t.Errorf("only %d results are %s", met[v], v)
		}
	}
}

// Options that are no options are mistakes of the program.
func TestPanics(t *testing.T) {
	check := func(name string, f func()) {
		t.Helper()
		defer func() {
			if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "compare: ") {
				t.Errorf("%s: no panic that says why", name)
			}
		}()
		f()
	}
	check("confidence 95", func() { Judge(nil, Options{Confidence: 95}) })
	check("margin below zero", func() { Judge(nil, Options{Margin: -.01}) })
	check("grid below one", func() { Judge(nil, Options{Grid: .018}) })
	check("third arm", func() { Judge([]Run{{Arm: 2, Value: 1}}, Options{}) })
}

func BenchmarkJudge(b *testing.B) {
	runs := draw(truth.Nested{Days: 5, Runs: 3, SDRun: .01, SDDay: .1}, 1)
	for b.Loop() {
		Judge(runs, Options{Better: 1})
	}
}

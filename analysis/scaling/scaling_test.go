package scaling

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

var clients = Options{Clients: true, Better: 1}

// uslOf is a USL curve.
func uslOf(sigma, kappa, lambda float64) func(arm int, x float64) float64 {
	return func(_ int, n float64) float64 { return lambda * n / (1 + sigma*(n-1) + kappa*n*(n-1)) }
}

// sweep draws 5 days x 2 runs of each of 8 thread counts, noise 1 %.
func sweep(f func(arm int, x float64) float64, arms int, seed uint64) []Run {
	c := truth.Curve{Levels: threads.levels, Days: 5, Runs: 2, Arms: arms, F: f, SDDay: .03, SDCell: .005, SDRun: .01}
	return draw(c, seed)
}

func draw(c truth.Curve, seed uint64) []Run {
	var runs []Run
	for _, r := range c.Draw(nil, rand.New(rand.NewPCG(seed, 0))) {
		runs = append(runs, Run{Arm: r.Arm, Day: r.Day, X: r.X, Value: r.Value})
	}
	return runs
}

func has[W analysis.Warning](warnings []analysis.Warning) (W, bool) {
	for _, w := range warnings {
		if found, ok := w.(W); ok {
			return found, true
		}
	}
	var none W
	return none, false
}

func want[W analysis.Warning](t *testing.T, warnings []analysis.Warning) W {
	t.Helper()
	w, ok := has[W](warnings)
	if !ok {
		t.Errorf("no %s among %v", reflect.TypeFor[W]().Name(), texts(warnings))
	}
	return w
}

func never[W analysis.Warning](t *testing.T, warnings []analysis.Warning) {
	t.Helper()
	if w, ok := has[W](warnings); ok {
		t.Errorf("unexpected: %s", w.Text())
	}
}

func texts(warnings []analysis.Warning) (list []string) {
	for _, w := range warnings {
		list = append(list, w.Text())
	}
	return list
}

// Truth seed 1: sigma .02, kappa 1e-4, lambda 900, peak at sqrt(.98/1e-4) = 98.99.
func TestRecoversUSL(t *testing.T) {
	opt := clients
	opt.Confidence = .999 // one draw: how often 95 % holds is docs/calibration-curves.md
	r := analysed(t, sweep(uslOf(.02, 1e-4, 900), 1, 1), opt)
	if r.Law != "usl" {
		t.Errorf("law %q: %+v", r.Law, r.Choices)
	}
	c := &r.Curves[0]
	for name, truth := range map[string]float64{"sigma": .02, "kappa": 1e-4, "lambda": 900} {
		e := c.term(t, name)
		if !(e.Lo < truth && truth < e.Hi) || !(e.Lo < e.Value && e.Value < e.Hi) {
			t.Errorf("%s: %g (%g to %g), truth %g", name, e.Value, e.Lo, e.Hi, truth)
		}
	}
	if c.Peak == nil || !c.Peak.Within || !(c.Peak.X.Lo < 98.99 && 98.99 < c.Peak.X.Hi) {
		t.Errorf("peak %+v", c.Peak)
	}
	if c.Days != 5 || c.Runs != 80 || len(c.Observed) != 8 || c.Observed[0].Runs != 10 {
		t.Errorf("%d days, %d runs, %d levels", c.Days, c.Runs, len(c.Observed))
	}
	for _, p := range c.Points {
		if !(p.BandLo < p.Lo && p.Lo < p.Value && p.Value < p.Hi && p.Hi < p.BandHi) {
			t.Fatalf("point %+v", p)
		}
	}
	never[analysis.NoLawFits](t, r.Warnings)
	never[analysis.PeakOutside](t, c.Warnings)
}

// Each law is found again among the others.
func TestChoosesTheLaw(t *testing.T) {
	check := func(want string, f func(x float64) float64, opt Options) {
		t.Helper()
		right := 0
		for seed := range uint64(5) {
			r := analysed(t, sweep(func(_ int, x float64) float64 { return f(x) }, 1, seed), opt)
			if r.Law == want {
				right++
			}
		}
		if right < 4 { // Akaike's criterion takes a richer law now and then
			t.Errorf("%s is found in %d of 5", want, right)
		}
	}
	check("usl", func(n float64) float64 { return 900 * n / (1 + .05*(n-1) + 1e-3*n*(n-1)) }, clients)
	check("amdahl", func(n float64) float64 { return 900 * n / (1 + .05*(n-1)) }, clients)
	check("gustafson", func(n float64) float64 { return 900 * (n - .3*(n-1)) }, clients)
	check("power", func(n float64) float64 { return 900 * math.Pow(n, .6) }, clients)
	check("linear", func(x float64) float64 { return 1.5 + .0117*x }, Options{Better: -1})
	check("saturating", func(x float64) float64 { return (40*9 + 10*x) / (9 + x) }, Options{Better: -1})
	check("peak", func(x float64) float64 { return 900 * math.Exp(-.2*sq(math.Log(x/10))) }, Options{Better: 1})
	check("segmented", func(x float64) float64 { return 900 * math.Min(x, 16*math.Pow(x/16, .1)) }, clients)
}

// A staircase is none of the laws: the levels are 1, 1, 3, 3, 3, 9, 9, 9 times 100.
func TestNoneFits(t *testing.T) {
	stairs := func(_ int, x float64) float64 {
		switch {
		case x < 3:
			return 100
		case x < 30:
			return 300
		}
		return 900
	}
	r := analysed(t, sweep(stairs, 1, 1), clients)
	if r.Law != "" || r.Closest == "" {
		t.Errorf("law %q, closest %q", r.Law, r.Closest)
	}
	if w := want[analysis.NoLawFits](t, r.Warnings); w.Misfit < .05 {
		t.Errorf("misfit %g", w.Misfit)
	}
	// Asked for one law, it says that this one misses.
	opt := clients
	opt.Law = "usl"
	r = analysed(t, sweep(stairs, 1, 1), opt)
	if w := want[analysis.LawMisses](t, r.Warnings); w.Law != "usl" || r.Law != "" {
		t.Errorf("%+v, law %q", w, r.Law)
	}
	// Within a margin of 50 %, nobody cares.
	opt.Margin = 3
	if r = analysed(t, sweep(stairs, 1, 1), opt); r.Law != "usl" {
		t.Errorf("law %q with a wide margin", r.Law)
	}
}

func TestTooFewLevels(t *testing.T) {
	runs := slices.DeleteFunc(sweep(uslOf(.02, 1e-4, 900), 1, 1), func(r Run) bool { return r.X > 4 })
	r := analysed(t, runs, clients)
	if w := want[analysis.TooFewLevels](t, r.Warnings); w != (analysis.TooFewLevels{Laws: "usl, peak, saturating, segmented", Have: 3, Need: 4}) {
		t.Errorf("%+v", w)
	}
	opt := clients
	opt.Law = "usl"
	if _, err := Analyse(runs, opt); err == nil || !strings.Contains(err.Error(), "3 levels are too few for usl, which takes 4") {
		t.Errorf("usl on three levels: %v", err)
	}
}

// One day: numbers, and no interval anywhere.
func TestOneDay(t *testing.T) {
	check := func(day string, days int) {
		t.Helper()
		runs := draw(truth.Curve{Levels: threads.levels, Days: 1, Runs: 3, Arms: 2, F: uslOf(.02, 1e-4, 900), SDRun: .01}, 1)
		for i := range runs {
			runs[i].Day = day
		}
		opt := clients
		opt.Arms = 2
		r := analysed(t, runs, opt)
		if w := want[analysis.OneDayCurve](t, r.Warnings); w.Days != days {
			t.Errorf("%+v", w)
		}
		c := &r.Curves[0]
		for _, term := range c.Terms {
			if !math.IsNaN(term.Lo) || !math.IsNaN(term.Hi) || math.IsNaN(term.Value) {
				t.Errorf("%s: %+v", term.Name, term.Estimate)
			}
		}
		p := c.Points[3]
		if !math.IsNaN(p.Lo) || !math.IsNaN(p.BandHi) || !math.IsNaN(c.LackOfFitP) || c.Peak == nil || !math.IsNaN(c.Peak.X.Hi) {
			t.Errorf("%+v, p %g, peak %+v", p, c.LackOfFitP, c.Peak)
		}
		if pair := r.Pairs[0]; len(pair.Ranges) > 0 || !math.IsNaN(pair.Ratio[0].Lo) {
			t.Errorf("%+v", pair.Ranges)
		}
		want[analysis.NoSharedCurveDays](t, r.Pairs[0].Warnings)
	}
	check("2026-11-30", 1)
	check("", 0)
}

// Throughput per client rises: sigma stays at 0, and it is said why.
func TestSuperlinear(t *testing.T) {
	f := func(_ int, n float64) float64 { return 900 * n / (1 - .004*(n-1) + 4e-5*n*(n-1)) }
	opt := clients
	opt.Law = "usl"
	r := analysed(t, sweep(f, 1, 1), opt)
	c := &r.Curves[0]
	if e := c.term(t, "sigma"); e.Value != 0 || e.Lo != 0 {
		t.Errorf("sigma %+v", e)
	}
	want[analysis.TermAtBound](t, c.Warnings)
	if w := want[analysis.Superlinear](t, c.Warnings); w.From != 1 || w.To < 16 {
		t.Errorf("%+v", w)
	}
}

// Truth kappa = 0: the interval is one-sided, and there is no peak.
func TestTermOnItsBound(t *testing.T) {
	opt := clients
	opt.Law = "usl"
	for seed := range uint64(20) {
		r := analysed(t, sweep(uslOf(.05, 0, 900), 1, seed), opt)
		c := &r.Curves[0]
		e := c.term(t, "kappa")
		if e.Lo < 0 || e.Value < 0 || !(e.Hi > 0) {
			t.Errorf("seed %d: kappa %+v", seed, e)
		}
		if e.Value == 0 {
			if w := want[analysis.TermAtBound](t, c.Warnings); w.Term != "kappa" || e.Lo != 0 {
				t.Errorf("seed %d: %+v, %+v", seed, w, e)
			}
			want[analysis.NoPeak](t, c.Warnings)
			if c.Peak != nil {
				t.Errorf("seed %d: a peak at %g", seed, c.Peak.X.Value)
			}
		}
	}
}

// The peak lies at sqrt(.98/2e-6) = 700, beyond 128.
func TestPeakOutside(t *testing.T) {
	opt := clients
	opt.Law = "usl"
	r := analysed(t, sweep(uslOf(.02, 2e-6, 900), 1, 3), opt)
	c := &r.Curves[0]
	if c.Peak != nil {
		if w := want[analysis.PeakOutside](t, c.Warnings); c.Peak.Within || w.At < 128 {
			t.Errorf("%+v %+v", c.Peak, w)
		}
	} else {
		want[analysis.NoPeak](t, c.Warnings)
	}
}

// The two arms cross at 1.5 + .0117 x = 4.85, x = 286.3.
func TestCrossing(t *testing.T) {
	f := func(arm int, x float64) float64 { return []float64{1.5 + .0117*x, 4.85}[arm] }
	c := truth.Curve{Levels: []float64{2, 102, 252, 502, 1002}, Days: 5, Runs: 2, Arms: 2, F: f, SDDay: .02, SDCell: .005, SDRun: .01}
	r := analysed(t, draw(c, 2), Options{Arms: 2, Better: -1, Law: "linear"})
	if len(r.Pairs) != 1 || len(r.Pairs[0].Crossings) != 1 {
		t.Fatalf("%+v", r.Pairs)
	}
	p := r.Pairs[0]
	x := p.Crossings[0]
	if !(x.Lo < 286.3 && 286.3 < x.Hi) || x.Hi-x.Lo > 60 || x.Above {
		t.Errorf("%+v", x)
	}
	if len(p.Ranges) != 2 || !p.Ranges[0].Above || p.Ranges[1].Above || p.Ranges[0].From != 2 || p.Ranges[1].To != 1002 {
		t.Fatalf("%+v", p.Ranges)
	}
	// The band claims less than the crossing's interval leaves open.
	if !(p.Ranges[0].To <= x.Lo && x.Hi <= p.Ranges[1].From) {
		t.Errorf("ranges %+v and crossing %+v", p.Ranges, x)
	}
}

// Public measurements, restated: seconds of 100 000 look-ups against entries of a
// hosts file, of the resolver's file and of dnsmasq; a line against a constant.
// By hand from the first and last of the lines: near 290 entries.
func TestHostsAgainstDnsmasq(t *testing.T) {
	hosts := table([]float64{2, 102, 252, 1002}, []float64{1.516, 2.6598, 4.4474, 13.2376})
	dnsmasq := table([]float64{2, 102, 252, 1002}, []float64{4.8068, 4.9224, 4.9286, 4.831})
	for i := range dnsmasq {
		dnsmasq[i].Arm = 1
	}
	r := analysed(t, append(hosts, dnsmasq...), Options{Arms: 2, Better: -1})
	if r.Law != "linear" {
		t.Errorf("law %q, %+v", r.Law, r.Choices)
	}
	if len(r.Pairs[0].Crossings) != 1 {
		t.Fatalf("%+v", r.Pairs[0].Crossings)
	}
	x := r.Pairs[0].Crossings[0]
	if math.Abs(x.Value-290) > 10 || !math.IsNaN(x.Lo) || !math.IsNaN(x.Hi) || x.Above {
		t.Errorf("crossing %+v", x)
	}
	if w := want[analysis.OneDayCurve](t, r.Warnings); !strings.Contains(w.Text(), "4 levels of one run each repeat nothing") {
		t.Error(w.Text())
	}
}

// Two arms that are one, ten times: the band leaves out 1 in at most a few.
func TestNoDifference(t *testing.T) {
	opt := clients
	opt.Arms, opt.Law = 2, "usl"
	differ := 0
	for seed := range uint64(40) {
		r := analysed(t, sweep(uslOf(.02, 1e-4, 900), 2, seed), opt)
		if len(r.Pairs[0].Ranges) > 0 {
			differ++
		}
	}
	if differ > 6 { // the 99.7 % point of 40 draws at 5 %
		t.Errorf("%d of 40 equal pairs differ somewhere", differ)
	}
}

// The contender peaks later and higher: sigma .02 against .03, kappa as much.
func TestDifferences(t *testing.T) {
	f := func(arm int, n float64) float64 {
		return 900 * n / (1 + []float64{.03, .02}[arm]*(n-1) + 1e-3*n*(n-1))
	}
	opt := clients
	opt.Arms, opt.Law, opt.Confidence = 2, "usl", .999
	r := analysed(t, sweep(f, 2, 2), opt)
	top := func(arm int) (x, y float64) {
		x = math.Sqrt((1 - []float64{.03, .02}[arm]) / 1e-3)
		return x, f(arm, x)
	}
	x0, y0 := top(0)
	x1, y1 := top(1)
	truths := map[string]float64{"peak_value": y1 / y0, "peak_position": x1 / x0, "sigma": -.01, "kappa": 0, "lambda": 1}
	for _, d := range r.Pairs[0].Differences {
		truth, ok := truths[d.Name]
		if !ok || !(d.Lo < truth && truth < d.Hi) {
			t.Errorf("%+v, truth %g", d, truth)
		}
		delete(truths, d.Name)
	}
	if len(truths) > 0 {
		t.Errorf("missing: %v in %+v", truths, r.Pairs[0].Differences)
	}
	if rs := r.Pairs[0].Ranges; len(rs) != 1 || !rs[0].Above {
		t.Errorf("%+v", rs)
	}
}

// A day that only one arm has, ten times as fast, moves nothing.
func TestDaysOfOneArm(t *testing.T) {
	runs := sweep(uslOf(.02, 1e-4, 900), 2, 1)
	opt := clients
	opt.Arms, opt.Law = 2, "usl"
	before := analysed(t, runs, opt).Pairs[0]
	for _, x := range threads.levels {
		runs = append(runs, Run{Arm: 1, Day: "d99", X: x, Value: 9000 * x})
	}
	after := analysed(t, runs, opt).Pairs[0]
	if after.Days != 5 || math.Abs(after.Ratio[5].Value-before.Ratio[5].Value) > 1e-9 {
		t.Errorf("%d days, ratio %g, before %g", after.Days, after.Ratio[5].Value, before.Ratio[5].Value)
	}
}

func TestErrors(t *testing.T) {
	check := func(name string, runs []Run, opt Options, want string) {
		t.Helper()
		if _, err := Analyse(runs, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	good := sweep(uslOf(.02, 1e-4, 900), 1, 1)
	bad := func(v, x float64) []Run { return append(slices.Clone(good), Run{Day: "d01", X: x, Value: v}) }
	check("no runs", nil, clients, "there are no runs")
	check("zero", bad(0, 1), clients, "1 of 81 runs")
	check("negative", bad(-1, 1), clients, "1 of 81 runs")
	check("not a number", bad(math.NaN(), 1), clients, "1 of 81 runs")
	check("infinite", bad(math.Inf(1), 1), clients, "1 of 81 runs")
	check("level not a number", bad(1, math.NaN()), clients, "1 of 81 runs")
	check("unknown law", good, Options{Law: "uls"}, `no law called "uls"`)
	check("one level", good[:2], clients, "the same level")
	check("two levels", good[:4], clients, "2 levels are too few for power, which takes 3")
	check("power at zero", table([]float64{0, 1, 2, 3}, []float64{1, 2, 3, 4}), Options{Law: "power"}, "above zero")
}

// Levels at and below zero: laws that need none take part.
func TestLevelZero(t *testing.T) {
	r := analysed(t, table([]float64{0, 1, 2, 3, 4}, []float64{1, 2.01, 2.98, 4.02, 5}), Options{})
	if r.Law != "linear" || r.LogX {
		t.Errorf("law %q, log %v", r.Law, r.LogX)
	}
	want[analysis.LawNotFitted](t, r.Warnings)
}

// The same runs in another order, with another unit, give the same answer, and
// the caller's slice stays as it was.
func TestInvariance(t *testing.T) {
	runs := sweep(uslOf(.02, 1e-4, 900), 2, 4)
	opt := clients
	opt.Arms = 2
	kept := slices.Clone(runs)
	a := analysed(t, runs, opt)
	if !slices.Equal(kept, runs) {
		t.Error("the caller's runs have changed")
	}
	rand.New(rand.NewPCG(9, 0)).Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	for i := range runs {
		runs[i].Value *= 1000
	}
	b := analysed(t, runs, opt)
	if a.Law != b.Law {
		t.Errorf("law %q and %q", a.Law, b.Law)
	}
	for i, p := range a.Pairs[0].Ratio {
		q := b.Pairs[0].Ratio[i]
		near(t, "ratio", q.Value, p.Value, 1e-6)
		near(t, "band", q.BandHi, p.BandHi, 1e-5)
	}
	for i, term := range a.Curves[0].Terms {
		factor := 1.0
		if term.Unit == OfY || term.Unit == YPerX {
			factor = 1000
		}
		near(t, term.Name, b.Curves[0].Terms[i].Value, factor*term.Value, 1e-4)
	}
}

// Equal values at every level: a flat curve, no panic, nothing claimed.
func TestDegenerate(t *testing.T) {
	flat := func(_ int, x float64) float64 { return 100 }
	c := truth.Curve{Levels: threads.levels, Days: 3, Runs: 2, Arms: 2, F: flat}
	r := analysed(t, draw(c, 1), Options{Arms: 2, Better: 1})
	if len(r.Pairs[0].Ranges) > 0 {
		t.Errorf("%+v", r.Pairs[0].Ranges)
	}
	for _, w := range append(r.Warnings, r.Curves[0].Warnings...) {
		if strings.Contains(w.Text(), "NaN") {
			t.Error(w.Text())
		}
	}
}

func TestAxis(t *testing.T) {
	check := func(levels []float64, log bool) {
		t.Helper()
		var runs []Run
		for _, x := range levels {
			runs = append(runs, Run{X: x, Value: 1})
		}
		if a := newAxis(runs, false); a.log != log {
			t.Errorf("%v: log %v", levels, a.log)
		}
	}
	check(threads.levels, true)
	check(schemas.levels, false)
	check([]float64{1, 10, 100}, true)
	check([]float64{0, 1, 2, 4}, false)
	check([]float64{2, 102, 252, 1002}, true)
	a := threads
	near(t, "middle", a.at(.5), math.Sqrt(128), 1e-12)
	near(t, "and back", a.unit(a.at(.3)), .3, 1e-12)
}

// Three levels of noise on one day: runs scatter by 1 %, so a staircase of 300 %
// is no law even if days moved single levels by 2 %, and a law is kept.
func TestOneDayRejects(t *testing.T) {
	stairs := func(_ int, x float64) float64 { return 100 * math.Pow(3, math.Floor(math.Log2(x)/3)) }
	check := func(f func(int, float64) float64, law string) {
		t.Helper()
		r := analysed(t, draw(truth.Curve{Levels: threads.levels, Days: 1, Runs: 3, Arms: 2, F: f, SDRun: .01, SDCell: .01}, 1), Options{Arms: 2, Clients: true, Better: 1})
		if r.Law != law {
			t.Errorf("law %q, want %q", r.Law, law)
		}
		if law == "" {
			if w := want[analysis.NoLawFits](t, r.Warnings); !w.OneDay {
				t.Errorf("%+v", w)
			}
			if p := r.Pairs[0]; !p.ByLevel || len(p.Ratio) != 8 || len(p.Ranges) > 0 || r.Curves[0].Peak != nil {
				t.Errorf("%+v", p)
			}
		}
	}
	check(stairs, "")
	check(uslOf(.05, 1e-3, 900), "usl")
}

// One run a level shows no scatter: a law that misses by a few percent is drawn
// with that doubt, one that misses by more than runs ever scatter is not.
func TestNothingRepeats(t *testing.T) {
	draw := func(f func(float64) float64, off float64) Result {
		var runs []Run
		for k := range 8 {
			x := math.Exp2(float64(k))
			y := f(x)
			if k == 4 {
				y *= 1 + off
			}
			runs = append(runs, Run{X: x, Value: y})
		}
		return analysed(t, runs, Options{Law: "", Better: 1, Clients: true})
	}
	smooth := func(x float64) float64 { return uslOf(.05, 1e-3, 900)(0, x) }
	if r := draw(smooth, .06); r.Law == "" {
		t.Errorf("%v", r.Warnings)
	} else if w := want[analysis.MisfitUntested](t, r.Warnings); w.At != 16 || w.Misfit < .02 {
		t.Errorf("%+v", w)
	}
	stairs := func(x float64) float64 { return 100 * math.Pow(3, math.Floor(math.Log2(x)/3)) }
	r := draw(stairs, 0)
	if w := want[analysis.NoLawFits](t, r.Warnings); r.Law != "" || !w.Alone {
		t.Errorf("law %q, %+v", r.Law, w)
	}
}

// No law describes a staircase; its levels still compare. Truth: the contender is
// 10 % higher up to 8.
func TestByLevel(t *testing.T) {
	f := func(arm int, x float64) float64 {
		y := 100 * math.Pow(3, math.Floor(math.Log2(x)/3))
		if arm == 1 && x <= 8 {
			y *= 1.1
		}
		return y
	}
	opt := clients
	opt.Arms = 2
	p := analysed(t, sweep(f, 2, 1), opt).Pairs[0]
	if !p.ByLevel || len(p.Ranges) != 1 || p.Ranges[0] != (Range{From: 1, To: 8, Above: true}) {
		t.Errorf("%+v", p.Ranges)
	}
	if len(p.Ratio) != 8 || math.Abs(p.Ratio[0].Value-1.1) > .03 || len(p.Crossings) > 0 || len(p.Differences) > 0 {
		t.Errorf("%+v", p)
	}
	// Without a difference, its band leaves out 1 in few.
	differ := 0
	for seed := range uint64(60) {
		if len(analysed(t, sweep(func(_ int, x float64) float64 { return f(0, x) }, 2, seed), opt).Pairs[0].Ranges) > 0 {
			differ++
		}
	}
	if differ > 8 { // the 99.7 % point of 60 draws at 5 %
		t.Errorf("%d of 60 equal pairs differ somewhere", differ)
	}
}

// Arms on days of their own, and no law: what was seen stands there without an
// interval. Without a level in common there is nothing to set side by side.
func TestByLevelOnDaysApart(t *testing.T) {
	runs := func(from [2]int) []Run {
		var runs []Run
		for arm, day := range []string{"2026-04-10", "2026-04-22"} {
			for k := range 8 {
				x := math.Exp2(float64(from[arm] + k))
				for rep := range 3 {
					y := 100 * math.Pow(3, math.Floor(math.Log2(x)/3)) * (1 + .1*float64(arm)) * (1 + .001*float64(rep))
					runs = append(runs, Run{Arm: arm, Day: day, X: x, Value: y})
				}
			}
		}
		return runs
	}
	opt := clients
	opt.Arms = 2
	r := analysed(t, runs([2]int{0, 0}), opt)
	want[analysis.NoLawFits](t, r.Warnings)
	p := r.Pairs[0]
	if len(p.Ratio) != 8 || len(p.Ranges) > 0 {
		t.Fatalf("%+v", p)
	}
	for _, pt := range p.Ratio {
		near(t, "ratio", pt.Value, 1.1, 1e-9)
		if !math.IsNaN(pt.Lo) || !math.IsNaN(pt.BandHi) {
			t.Errorf("an interval from nothing: %+v", pt)
		}
	}
	if r := analysed(t, runs([2]int{0, 20}), opt); r.Law == "" && len(r.Pairs) > 0 {
		t.Errorf("%+v", r.Pairs)
	}
}

// A level with two days of five is told with more doubt, and does not cost the
// others theirs; together they still hold the band's promise.
func TestBandOfUnequalDays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	days := []int{2, 5, 5, 3, 5, 5, 5, 5}
	outside := 0
	const reps = 60
	for range reps {
		differences := make([][]float64, len(days))
		levels := make([]int, len(days))
		for k, n := range days {
			levels[k] = k
			for range n {
				differences[k] = append(differences[k], .01*rng.NormFloat64())
			}
		}
		directions := levelBends(differences, levels)
		factors := widenEach(directions, days, .95, rng)
		if alone := widen(directions, 5, .95, rng); factors[1] > 1.5*alone || factors[0] < 5*alone {
			t.Fatalf("factors %v; with five days everywhere %v", factors, alone)
		}
		missed := false
		for k, d := range differences {
			missed = missed || math.Abs(mean(d)) > factors[k]*deviation(d)/math.Sqrt(float64(len(d)))
		}
		if missed {
			outside++
		}
	}
	if outside > 8 { // the 99.7 % point of 60 draws at 5 %
		t.Errorf("%d of %d bands miss the truth", outside, reps)
	}
}

// A day with one level of eight says nothing of the curve; days of which some
// runs know nothing cannot be told apart; levels on days of their own are one day.
func TestPartialDays(t *testing.T) {
	runs := sweep(uslOf(.02, 1e-4, 900), 1, 1)
	whole := analysed(t, runs, clients).Curves[0]
	more := append(slices.Clone(runs), Run{Day: "d98", X: 8, Value: 9000}, Run{Day: "d99", X: 8, Value: 9000})
	r := analysed(t, more, clients)
	if w := want[analysis.PartialDays](t, r.Warnings); w != (analysis.PartialDays{Days: 2, Of: 7}) {
		t.Errorf("%+v", w)
	}
	if c := r.Curves[0]; c.Days != 5 || c.Runs != 80 || c.Terms[0] != whole.Terms[0] {
		t.Errorf("%d days, %d runs, %+v", c.Days, c.Runs, c.Terms)
	}
	r = analysed(t, append(slices.Clone(runs), Run{X: 8, Value: 6000}), clients)
	if w := want[analysis.OneDayCurve](t, r.Warnings); w.Unknown != 1 || w.Runs != 81 || !math.IsNaN(r.Curves[0].Terms[0].Lo) {
		t.Errorf("%+v", w)
	}
	alone := slices.Clone(runs)
	for i := range alone {
		alone[i].Day = strings.Repeat("i", int(alone[i].X))
	}
	r = analysed(t, alone, clients)
	if w := want[analysis.PartialDays](t, r.Warnings); !w.Pooled || !math.IsNaN(r.Curves[0].Terms[0].Lo) {
		t.Errorf("%+v", w)
	}
}

package profile

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/internal/truth"
)

func answered(c *Collect, opt Options) Result {
	res := Diff(c, opt)
	Adjust(&res)
	return res
}

func called(res Result) (n int) {
	for _, r := range res.Rows {
		if r.Called() {
			n++
		}
	}
	return n
}

func find(t *testing.T, res Result, symbol string, kind Kind, scale Scale) *Row {
	t.Helper()
	i := slices.IndexFunc(res.Rows, func(r *Row) bool { return r.Symbol == symbol && r.Kind == kind && r.Scale == scale })
	if i < 0 {
		t.Fatalf("no row %s %s %s", symbol, kind, scale)
	}
	return res.Rows[i]
}

func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.10g, want %.10g", name, got, want)
	}
}

func warned[W analysis.Warning](t *testing.T, ws []analysis.Warning) (found W) {
	t.Helper()
	for _, w := range ws {
		if v, ok := w.(W); ok {
			return v
		}
	}
	t.Errorf("no warning %T in %v", found, ws)
	return found
}

// collected makes stacks of simulated counts: main, one of ten callers, symbol.
func collected(runs []truth.Profile, transactions float64) *Collect {
	c := &Collect{}
	stacks := make([][]string, len(runs[0].Counts))
	for i := range stacks {
		stacks[i] = []string{"main", fmt.Sprint("caller", i%10), fmt.Sprint("f", i)}
	}
	for _, p := range runs {
		r := c.Open(compare.Run{Arm: p.Arm, Day: p.Day, Launch: p.Launch, Slot: p.Slot}, transactions)
		for i, n := range p.Counts {
			c.Add(r, stacks[i], float64(n), float64(n))
		}
	}
	return c
}

// session is written as "day arm launch: stack count, stack count".
func session(t *testing.T, runs ...string) *Collect {
	t.Helper()
	c := &Collect{}
	for i, text := range runs {
		place, stacks, _ := strings.Cut(text, ": ")
		fields := strings.Fields(place)
		run := compare.Run{Day: fields[0], Arm: map[string]int{"A": 0, "B": 1}[fields[1]], Slot: float64(i)}
		if len(fields) > 2 {
			run.Launch = fields[2]
		}
		r := c.Open(run, 1000)
		for _, s := range strings.Split(stacks, ", ") {
			frames, count, _ := strings.Cut(s, " ")
			n, err := strconv.ParseFloat(count, 64)
			if err != nil {
				t.Fatal(err)
			}
			c.Add(r, strings.Split(frames, ";"), n, n)
		}
	}
	return c
}

// R 4.2: testdata/reference.R, which shares no line with the code.
func TestAgreesWithR(t *testing.T) {
	c := &Collect{}
	for i, rec := range records(t, "counts.csv") {
		run := compare.Run{Launch: rec["launch"], Arm: int(number(t, rec["arm"])), Day: rec["day"], Slot: float64(i * 7 % 20)}
		r := c.Open(run, number(t, rec["transactions"]))
		for s := range 8 {
			n := number(t, rec[fmt.Sprint("f", s)])
			c.Add(r, []string{"main", fmt.Sprint("c", s%2), fmt.Sprint("f", s)}, n, n)
		}
	}
	res := answered(c, Options{MinSamples: 1})
	want := records(t, "expected.csv")
	rows := 0
	for _, r := range res.Rows {
		if r.twin == nil {
			rows++
		}
	}
	if rows != len(want) {
		t.Errorf("%d rows, R has %d", rows, len(want))
	}
	for _, rec := range want {
		r := find(t, res, rec["symbol"], Kind(rec["kind"]), Scale(rec["scale"]))
		name := strings.Join([]string{r.Symbol, string(r.Kind), string(r.Scale)}, " ")
		for _, v := range []struct {
			field string
			got   float64
		}{{"base", r.Base}, {"contender", r.Contender}, {"diff", r.Diff}, {"lo", r.Lo}, {"hi", r.Hi}, {"p", r.P}, {"q", r.Q}} {
			near(t, name+" "+v.field, v.got, number(t, rec[v.field]), 1e-8)
		}
	}
	if f1 := find(t, res, "f1", Self, Share); f1.Call != Grew {
		t.Errorf("f1 grew by e^.6 in truth: %s, q %v", f1.Call, f1.Q)
	}
}

func records(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var recs []map[string]string
	for _, line := range lines[1:] {
		rec := map[string]string{}
		for i, head := range lines[0] {
			rec[head] = strings.TrimSpace(line[i])
		}
		recs = append(recs, rec)
	}
	return recs
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Two recordings of one build: in at most 5 % of pairs is any symbol called,
// whatever days and launches do to the shares.
func TestNothingIsCalledInOneBuild(t *testing.T) {
	const pairs = 40
	for i, build := range []truth.Profiles{
		{Days: 2, Runs: 2},
		{Days: 3, Runs: 1, SDDayArm: .1, SDRun: .1},
		{Days: 3, Launches: 2, Runs: 1, SDLaunch: .3, SDRun: .05},
		{Days: 5, Runs: 1, SDRun: .3},
		{Days: 10, Runs: 1, SDDayArm: .05},
	} {
		build.Samples, build.Shares = 1000, truth.Zipf(60)
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		wrong := 0
		for range pairs {
			if called(answered(collected(build.Draw(rng), 1000), Options{MinSamples: 5})) > 0 {
				wrong++
			}
		}
		// 5 % of 40 are 2; 6 or more have a probability of 1.4 % if it is 5 %.
		if wrong > 5 {
			t.Errorf("%d days x %d runs: a symbol called in %d of %d pairs of one build", build.Days, build.Runs, wrong, pairs)
		}
	}
}

// Without the floor under the standard error, two days of two runs called a
// symbol in 9 or 10 of 100 pairs of one build: chance gives some rare symbol the
// same difference twice.
func TestSpreadByChanceIsNoEvidence(t *testing.T) {
	c := session(t,
		"d1 A: main;f 20, main;g 980", "d1 B: main;f 30, main;g 970",
		"d2 B: main;f 30, main;g 971", "d2 A: main;f 20, main;g 980",
	)
	r := find(t, answered(c, Options{}), "f", Self, Share)
	// By hand: log odds ratio of 30.5/970.5 and 20.5/980.5, about; sampling alone
	// gives it sqrt(2/25/2) = .2 at least.
	if se := math.Abs(math.Log(30./970/(20./980))) / cauchy(r.P); !(se > .19 && se < .22) || r.Call != NotShown {
		t.Errorf("standard error %v, %s, p %v", se, r.Call, r.P)
	}
}

// cauchy is the t of a two-sided p with one degree of freedom, a Cauchy
// variable.
func cauchy(p float64) float64 { return math.Tan(math.Pi * (1 - p) / 2) }

func TestFindsWhatChanged(t *testing.T) {
	build := truth.Profiles{Days: 8, Runs: 2, Samples: 4000, Shares: truth.Zipf(60), Effect: make([]float64, 60), SDDayArm: .02, SDRun: .03}
	build.Effect[5] = math.Log(1.6)
	rng := rand.New(rand.NewPCG(1, 1))
	found, covered, false_ := 0, 0, 0
	const sessions = 20
	for range sessions {
		res := answered(collected(build.Draw(rng), 1000), Options{})
		r := find(t, res, "f5", Self, Share)
		if r.Call == Grew {
			found++
		}
		base, changed := trueShares(build)
		if d := changed[5] - base[5]; r.Lo <= d && d <= r.Hi {
			covered++
		}
		for _, r := range res.Rows {
			if r.Kind == Self && r.Scale == Share && r.Symbol != "f5" && r.Called() {
				false_++
			}
		}
	}
	if found < 18 {
		t.Errorf("f5 takes 1.6 times as much: found in %d of %d sessions", found, sessions)
	}
	if covered < 16 { // 95 % of 20 are 19; 15 or fewer: below .3 %
		t.Errorf("its interval holds the truth in %d of %d sessions", covered, sessions)
	}
	if false_ > 8 { // the others do lose 2 % of their share, which is true
		t.Errorf("%d other calls", false_)
	}
}

func trueShares(p truth.Profiles) (base, changed []float64) {
	var sum [2]float64
	base, changed = make([]float64, len(p.Shares)), make([]float64, len(p.Shares))
	for i, s := range p.Shares {
		base[i], changed[i] = s, s*math.Exp(p.Effect[i])
		sum[0], sum[1] = sum[0]+base[i], sum[1]+changed[i]
	}
	for i := range base {
		base[i], changed[i] = base[i]/sum[0], changed[i]/sum[1]
	}
	return base, changed
}

// A faster build: the same shares, fewer samples a transaction.
func TestFasterBuildHasTheSameShares(t *testing.T) {
	build := truth.Profiles{Days: 6, Runs: 2, Samples: 4000, Shares: truth.Zipf(20)}
	runs := build.Draw(rand.New(rand.NewPCG(1, 2)))
	c := collected(runs, 1000)
	for i, r := range c.Runs {
		r.Transactions *= 1 + .002*float64(i%5)
		if r.Arm == 1 {
			r.Transactions *= 1.25
		}
	}
	res := answered(c, Options{})
	all := find(t, res, All, Total, PerTransaction)
	near(t, "cost of a transaction", all.Ratio, 1/1.25, .005)
	if all.Call != Shrank || !(all.RatioHi < .9) {
		t.Errorf("%s, %v to %v", all.Call, all.RatioLo, all.RatioHi)
	}
	for _, r := range res.Rows {
		if r.Scale == Share && r.Called() {
			t.Errorf("share of %s %s, q %v", r.Symbol, r.Call, r.Q)
		}
		if r.Scale == PerTransaction && r.Samples > 300 && r.Call != Shrank {
			t.Errorf("cost of %s: %s, ratio %v, q %v", r.Symbol, r.Call, r.Ratio, r.Q)
		}
	}
}

func TestOneProfileAnArmIsUnsupported(t *testing.T) {
	res := answered(session(t, "d1 A: main;f 100, main;g 900", "d1 B: main;f 200, main;g 800"), Options{})
	warned[analysis.OneRunAnArm](t, res.Warnings)
	r := find(t, res, "f", Self, Share)
	near(t, "observed difference", r.Diff, .1, 1e-12)
	if r.Call != Unsupported || !math.IsNaN(r.Lo) || !math.IsNaN(r.Hi) || !math.IsNaN(r.Q) || r.Tested || r.Conditional != nil {
		t.Errorf("%+v", r)
	}
}

func TestOneDayHasAnIntervalOfItsLaunches(t *testing.T) {
	res := answered(session(t,
		"d1 A 1: main;f 100, main;g 900", "d1 B 2: main;f 200, main;g 800",
		"d1 B 3: main;f 210, main;g 790", "d1 A 4: main;f 110, main;g 890"), Options{})
	warned[analysis.OneSharedDay](t, res.Warnings)
	r := find(t, res, "f", Self, Share)
	if r.Call != Unsupported || r.Conditional == nil || !(r.Conditional.Lo < r.Diff && r.Diff < r.Conditional.Hi) || r.Conditional.Launches != 2 || math.IsNaN(r.Conditional.Q) {
		t.Fatalf("%+v, %+v", r, r.Conditional)
	}
	if !math.IsNaN(r.Q) || !math.IsNaN(r.Lo) {
		t.Errorf("an unsupported row has q %v, lo %v", r.Q, r.Lo)
	}
}

func TestAlwaysFirstIsRefused(t *testing.T) {
	c := session(t,
		"d1 A: main;f 100, main;g 900", "d1 B: main;f 200, main;g 800",
		"d2 A: main;f 105, main;g 895", "d2 B: main;f 210, main;g 790",
		"d3 A: main;f 101, main;g 899", "d3 B: main;f 190, main;g 810")
	warned[analysis.SameOrder](t, answered(c, Options{}).Warnings)
	if r := find(t, answered(c, Options{IgnoreOrder: true}), "f", Self, Share); !r.Tested {
		t.Errorf("--ignore order: %+v", r)
	}
	if w := warned[analysis.AliasedConditions](t, answered(c, Options{Aliased: []string{"host (a, b)"}}).Warnings); len(w.Names) != 1 {
		t.Errorf("%v", w)
	}
}

// A root that is in every stack, and a symbol that calls nothing, are said
// once; a symbol that calls itself counts once.
func TestSelfAndTotal(t *testing.T) {
	c := session(t, "d1 A: main;f;f;g 30, main;f 20, main 50", "d1 B: main;f;f;g 30, main;f 20, main 50")
	res := Diff(c, Options{})
	near(t, "f itself", find(t, res, "f", Self, Share).Base, .2, 1e-12)
	near(t, "f with what it calls", find(t, res, "f", Total, Share).Base, .5, 1e-12)
	near(t, "main itself", find(t, res, "main", Self, Share).Base, .5, 1e-12)
	near(t, "cost of all", find(t, res, All, Total, PerTransaction).Base, .1, 1e-12)
	if !find(t, res, "g", Total, Share).Twin() || find(t, res, "f", Total, Share).Twin() {
		t.Error("g calls nothing, f does")
	}
	for _, r := range res.Rows {
		if r.Symbol == "main" && r.Kind == Total && r.Scale == Share {
			t.Error("main is in every stack")
		}
	}
}

func TestRareSymbolsAreCounted(t *testing.T) {
	res := Diff(session(t, "d1 A: main;f 19, main;g 981", "d1 B: main;f 19, main;h 5, main;g 976"), Options{})
	if res.Rare.Symbols != 2 || res.Rare.Below != 20 {
		t.Errorf("%+v", res.Rare)
	}
	near(t, "share of the rare", res.Rare.Share, (38.+5)/2000, 1e-12)
}

// Of periods alone, the median stack weighs what a sample does.
func TestSamplesOfWeightsAlone(t *testing.T) {
	c := &Collect{}
	r := c.Open(compare.Run{}, math.NaN())
	for range 10 {
		c.Add(r, []string{"f"}, 1e6, math.NaN())
	}
	c.Add(r, []string{"f", "g"}, 30e6, math.NaN())
	c.Add(r, nil, 1e6, math.NaN())
	c.Add(r, []string{"f"}, math.NaN(), 1) // no weight: nothing
	c.Add(r, []string{"f"}, -1, 1)
	near(t, "samples", c.usable()[0].Samples, 41, 1e-9)
	near(t, "weight", r.Weight, 41e6, 0)
	if !slices.Contains(c.Symbols, "[no stack]") {
		t.Errorf("%v", c.Symbols)
	}
}

func TestNothingToCompare(t *testing.T) {
	for _, c := range []*Collect{{}, session(t, "d1 A: main 5")} {
		res := answered(c, Options{})
		if called(res) != 0 {
			t.Errorf("%+v", res)
		}
		warned[analysis.MissingArm](t, res.Warnings)
	}
}

// The scales lead back to where they came from, at 0 and 1 too.
func TestScalesInvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &Run{Weight: rapid.Float64Range(1, 1e12).Draw(t, "weight"), Samples: rapid.Float64Range(1, 1e6).Draw(t, "samples"), Transactions: rapid.Float64Range(1, 1e6).Draw(t, "transactions")}
		x := rapid.SampledFrom([]float64{0, 1, rapid.Float64Range(0, 1).Draw(t, "share")}).Draw(t, "x")
		if got := newLogit([]*Run{r}).from(newLogit([]*Run{r}).to(r, x*r.Weight)); math.Abs(got-x) > 1e-9 {
			t.Errorf("share %v comes back as %v", x, got)
		}
		want := x * r.Weight / r.Transactions
		if got := newRate([]*Run{r}).from(newRate([]*Run{r}).to(r, x*r.Weight)); math.Abs(got-want) > 1e-9*max(want, r.Weight/r.Transactions) {
			t.Errorf("cost %v comes back as %v", want, got)
		}
	})
}

func TestAdjustAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	res := answered(collected(truth.Profiles{Days: 4, Runs: 1, Samples: 500, Shares: truth.Zipf(20)}.Draw(rng), 10), Options{})
	before := fmt.Sprint(res.Rows[3].Q, res.Rows[3].Call)
	Adjust(&res)
	if again := fmt.Sprint(res.Rows[3].Q, res.Rows[3].Call); again != before {
		t.Errorf("adjusted twice: %s, then %s", before, again)
	}
}

// Average active sessions: differences on the plain scale, t on days. By hand:
// differences 1.0, 1.2, 1.1: mean 1.1, se .1/sqrt 3, t(2) = 4.302653.
func TestWaits(t *testing.T) {
	run := func(day string, arm int, lock float64) Waiting {
		w := Waiting{Run: compare.Run{Day: day, Arm: arm, Slot: math.NaN()}, Sessions: map[string]float64{"io": .5 + lock/100}}
		if lock > 0 {
			w.Sessions["lock"] = lock
		}
		return w
	}
	res := Waits([]Waiting{run("d1", 0, .5), run("d1", 1, 1.5), run("d2", 0, .6), run("d2", 1, 1.8), run("d3", 0, 0), run("d3", 1, 1.1)}, Options{})
	Adjust(&res)
	r := find(t, res, "lock", Wait, Sessions)
	near(t, "difference", r.Diff, 1.1, 1e-12)
	near(t, "lo", r.Lo, 1.1-4.302653*.1/math.Sqrt(3), 1e-6)
	near(t, "hi", r.Hi, 1.1+4.302653*.1/math.Sqrt(3), 1e-6)
	near(t, "base", r.Base, 1.1/3, 1e-12)
	if r.Call != Grew {
		t.Errorf("%s, q %v", r.Call, r.Q)
	}
	if res.Rows[0] != r {
		t.Error("the largest difference comes first")
	}
}

func TestTop(t *testing.T) {
	// By hand, of days: logits of 100/1000 and 120/1000.
	res := Top(session(t, "d1 A: main;f 100, main;g 900", "d2 A: main;f 120, main;g 880"), Options{})
	r := find(t, res, "f", Self, Share)
	if !(r.Base > .109 && r.Base < .11) || !(r.Lo < .1 && r.Hi > .12) {
		t.Errorf("%+v", r)
	}
	if res.Rows[0].Symbol != "main" || res.Runs != [2]int{2, 0} || res.Days != [2]int{2, 0} {
		t.Errorf("%+v %v %v", res.Rows[0], res.Runs, res.Days)
	}
	if one := find(t, Top(session(t, "d1 A: main;f 100, main;g 900"), Options{}), "f", Self, Share); !math.IsNaN(one.Lo) {
		t.Errorf("one run has an interval: %+v", one)
	}
	if launches := find(t, Top(session(t, "d1 A 1: main;f 100, main;g 900", "d1 A 2: main;f 120, main;g 880"), Options{}), "f", Self, Share); math.IsNaN(launches.Lo) {
		t.Errorf("two launches have none: %+v", launches)
	}
	w := TopWaits([]Waiting{{Run: compare.Run{Day: "d1"}, Sessions: map[string]float64{"io": 1}}, {Run: compare.Run{Day: "d2"}, Sessions: map[string]float64{"io": 2}}}, Options{})
	near(t, "sessions", w.Rows[0].Base, 1.5, 1e-12)
}

func TestFlame(t *testing.T) {
	f := NewFlame("all", 2)
	f.Add(0, []string{"main", "[lib]", "[lib]", "[lib]", "g"}, .5)
	f.Add(1, []string{"main", "[lib]", "g"}, .25)
	f.Add(1, []string{"main", "main"}, .75)
	type shape struct {
		Name     string
		Weight   []float64
		Children []shape
	}
	var shapeOf func(f *Flame) shape
	shapeOf = func(f *Flame) shape {
		s := shape{Name: f.Name, Weight: f.Weight}
		for _, c := range f.Children {
			s.Children = append(s.Children, shapeOf(c))
		}
		return s
	}
	want := shape{"all", []float64{.5, 1}, []shape{{"main", []float64{.5, 1}, []shape{
		{"[lib]", []float64{.5, .25}, []shape{{"g", []float64{.5, .25}, nil}}},
		{"main", []float64{0, .75}, nil},
	}}}}
	if diff := cmp.Diff(want, shapeOf(f)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A process that was renamed between the arms is one, and what it calls is compared
// frame by frame; a process that both have stays what it is.
func TestJoinRenamed(t *testing.T) {
	f := NewFlame("all", 2)
	f.Add(0, []string{"mysqld", "main", "parse"}, .5)
	f.Add(0, []string{"mysqld", "main", "run"}, .25)
	f.Add(0, []string{"perf", "main"}, .25)
	f.Add(1, []string{"mariadbd", "main", "parse"}, .9)
	f.Add(1, []string{"perf", "main"}, .1)
	j := f.JoinRenamed([2]int{0, 1})
	one := j.Children[0]
	if one.Name != "mysqld | mariadbd" || !slices.Equal(one.Weight, []float64{.75, .9}) || len(j.Children) != 2 {
		t.Fatalf("%+v", one)
	}
	main := one.Children[0]
	if len(one.Children) != 1 || len(main.Children) != 2 || !slices.Equal(main.Children[0].Weight, []float64{.5, .9}) {
		t.Errorf("%+v", main)
	}
	if len(f.Children) != 3 {
		t.Error("the graph itself was changed")
	}
	f.Add(1, []string{"mysqld", "main"}, .01)
	if f.JoinRenamed([2]int{0, 1}) != f {
		t.Error("a process that both arms have was joined with another")
	}
}

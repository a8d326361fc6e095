package compare

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

// refusals: each on a design for which it is true.
var refusals = []struct {
	name string
	runs []Run
	opt  Options
	kind string
	says string // part of the text
}{
	{"one shared day", session("d1 A 100 101", "d1 B 110 111"), Options{}, "one-shared-day", "run both arms, alternating, on at least 3 days: with 3 runs an arm a day"},
	{"one shared day, and one more of the base", session("d1 A 100 101", "d1 B 110 111", "d2 A 100"), Options{}, "one-shared-day", "(d1)"},
	{"one run an arm", session("d1 A 100", "d1 B 110"), Options{}, "one-run-an-arm", "on at least 3 days"},
	{"one run an arm, on days of their own", session("d1 A 100", "d2 B 110"), Options{}, "one-run-an-arm", "on at least 3 days"},
	{"one run an arm, days unknown", session("? A 100", "? B 110"), Options{}, "one-run-an-arm", "on at least 3 days"},
	{"days unknown", session("? A 100 101", "? B 110 111"), Options{DayReason: "no date in the log"}, "day-unknown", "these runs is unknown (no date in the log)"},
	{"days unknown: what to say", session("? A 100 101", "? B 110 111"), Options{}, "day-unknown", "--set day=..., with {day} in --layout, with a column day in a table or with --day-from mtime"},
	{"days of the contender unknown", session("d1 A 100", "d2 A 101", "d3 A 102", "? B 110 111 112"), Options{}, "day-unknown", "3 of 6 runs"},
	{"each arm on a day of its own", session("d1 A 100 101 99", "d2 B 110 111 112"), Options{}, "separate-single-days", "d1 only and the contender on d2 only"},
	{"a day against three", session("d1 A 100 101 99", "d2 B 110", "d3 B 110", "d4 B 112"), Options{}, "too-few-days", "the base has 1 day, the contender 3 days"},
	{"two days against three of their own", session("d1 A 100", "d2 A 101", "d3 B 110", "d4 B 111", "d5 B 112"), Options{}, "uneven-days", "unequal numbers of days"},
	{"two days each, runs differ", session("d1 A 100", "d2 A 101 102", "d3 B 110", "d4 B 111"), Options{}, "uneven-days", "share 0 of their 2 and 2 days"},
	// Calibration ("one shared day among days of their own"): pooled would hold
	// 5 % in this very case, but passes it with other unequal runs (6.3 % for 1 1
	// against 5 5), and hardly ever speaks where days differ. So the strict
	// reading for all of them.
	{"one shared day and two each, runs differ", session("d1 A 100", "d2 A 101 102", "d2 B 110 111", "d3 B 112"), Options{}, "uneven-days", "share 1 of their 2 and 2 days"},
	{"base first on every day", inBlocks(session("d1 A 100 101", "d1 B 110 111", "d2 A 100 101", "d2 B 111 112"), 0, "d1", "d2"), Options{}, "same-order", "all runs of the base came before"},
	{"contender first on every day", inBlocks(session("d1 A 100 101", "d1 B 110 111", "d2 A 100 101", "d2 B 111 112"), 1, "d1", "d2"), Options{}, "same-order", "all runs of the contender"},
	{"base first on every day, one run each", inBlocks(session("d1 A 100", "d1 B 110", "d2 A 101", "d2 B 110", "d3 A 102", "d3 B 113"), 0, "d1", "d2", "d3"), Options{}, "same-order", "--ignore order"},
	{"arms on hosts of their own", session("d1 A 100 101", "d1 B 110 111", "d2 A 100 101", "d2 B 111 112"), Options{Aliased: []string{"host (a, b)", "kernel"}}, "aliased-conditions", "run both arms under the same host and kernel, or pass --ignore host,kernel"},
	{"every day the same difference", session("d1 A 100 100", "d1 B 110 110", "d2 A 100 100", "d2 B 110 110"), Options{}, "no-spread", "finer metric"},
	{"the same ratio on days of different speed", session("d1 A 100", "d1 B 110", "d2 A 200", "d2 B 220", "d3 A 30", "d3 B 33"), Options{}, "no-spread", "finer metric"},
	{"equal means on separate days", session("d1 A 100", "d2 A 100", "d3 B 110", "d4 B 110"), Options{}, "no-spread", "finer metric"},
	{"no run of the base", session("d1 B 100", "d2 B 101"), Options{}, "missing-arm", "the base has no complete run"},
	{"no run at all", nil, Options{}, "missing-arm", "no complete run"},
	{"zero as a ratio", session("d1 A 0 1", "d1 B 1 1", "d2 A 1 1", "d2 B 1 1"), Options{}, "not-positive", "1 run with a value of zero or below"},
	{"negative as a ratio", session("d1 A -2 -1", "d1 B 1 1", "d2 A 1 1", "d2 B 1 1"), Options{}, "not-positive", "2 runs with"},
	{"sums overflow", session("d1 A -1.7e308", "d1 B 1.7e308", "d2 A 1", "d2 B 3"), Options{Scale: Difference}, "too-large", "too large"},
}

func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		r := Judge(c.runs, c.opt)
		wantVerdict(t, c.name, r, analysis.Unsupported)
		i := slices.Index(kinds(r), c.kind)
		if i < 0 {
			t.Errorf("%s: warnings %v, want %s", c.name, kinds(r), c.kind)
			continue
		}
		if text := r.Warnings[i].Text(); !strings.Contains(text, c.says) {
			t.Errorf("%s: %q does not say %q", c.name, text, c.says)
		}
		if !math.IsNaN(r.Lo) || !math.IsNaN(r.Hi) || !math.IsNaN(r.P) || !math.IsNaN(r.PEquiv) || !math.IsNaN(r.NoiseFloor.Value) || r.Method != NoMethod {
			t.Errorf("%s: numbers without a verdict: %v to %v, p %v, method %s", c.name, r.Lo, r.Hi, r.P, r.Method)
		}
	}
}

// An unsupported row has its ratio all the same, as an observation, from days
// that both arms have where there are any.
func TestUnsupportedKeepsItsObservation(t *testing.T) {
	check := func(name string, want float64, lines ...string) {
		t.Helper()
		r := Judge(session(lines...), Options{})
		near(t, name, r.Estimate, want, 1e-12)
		near(t, name+": means", r.Contender.Mean/r.Base.Mean, want, 1e-12)
	}
	check("one shared day", 1.1, "d1 A 100", "d1 B 110")
	check("one shared day and another of the base", 1.1, "d1 A 100 100", "d1 B 110", "d2 A 500")
	check("separate days", 1.2, "d1 A 100 100", "d2 B 120 120")
	check("days unknown", 1.3, "? A 100", "? B 130")
	check("one arm's days unknown", 1.4, "d1 A 100", "d2 A 100", "? B 140")
}

// Designs that answer, and by which rule.
func TestDesignsThatAnswer(t *testing.T) {
	check := func(name, method string, lines ...string) Result {
		t.Helper()
		r := Judge(session(lines...), Options{Better: 1})
		if r.Method != method || r.Verdict == analysis.Unsupported {
			t.Errorf("%s: %s by %s (%v), want %s", name, r.Verdict, r.Method, kinds(r), method)
		}
		return r
	}
	check("two shared days, a run each", DayDifferences, "d1 A 100", "d1 B 110", "d2 A 101", "d2 B 110")
	check("two days each, alike", DayMeansPooled, "d1 A 100 101", "d2 A 101 103", "d3 B 110 111", "d4 B 111 112")
	check("one shared day and two each, alike", DayMeansPooled, "d1 A 100", "d2 A 101", "d2 B 110", "d3 B 112")
	check("three days each, runs differ", DayMeansPooledAndWelch, "d1 A 100", "d2 A 101 103", "d3 A 102", "d4 B 111", "d5 B 111 113", "d6 B 115 116")
	check("three against four", DayMeansPooledAndWelch, "d1 A 100", "d2 A 101", "d3 A 102", "d4 B 111", "d5 B 111", "d6 B 115", "d7 B 115")

	r := check("two shared days and one of the base alone", DayDifferences, "d1 A 100", "d1 B 110", "d3 A 101", "d3 B 110", "d2 A 900")
	if w := warned[analysis.DaysDropped](t, r); !slices.Equal(w.Days, []string{"d2"}) || !slices.Equal(r.Design.DroppedDays, []string{"d2"}) {
		t.Errorf("dropped %v, want d2", w.Days)
	}
	near(t, "the dropped day plays no role", r.Estimate, math.Sqrt(1.1*110/101), 1e-12)
	if !slices.Equal(r.Design.SharedDays, []string{"d1", "d3"}) || r.Design.Days != [2]int{3, 2} || r.Base.Days != 2 {
		t.Errorf("%+v, base %+v", r.Design, r.Base)
	}

	r = check("two shared days and runs of unknown day", DayDifferences, "d1 A 100", "d1 B 110", "d2 A 101", "d2 B 110", "? A 900 900")
	if w := warned[analysis.RunsWithoutDay](t, r); w.Runs != 2 {
		t.Errorf("%d runs without a day, want 2", w.Runs)
	}
}

// The larger p of pooled and Welch, and the wider interval: 3 tight days
// against 4 loose ones, and the other way round.
func TestLeastFavourableOfTwo(t *testing.T) {
	check := func(name string, lines ...string) {
		t.Helper()
		r := Judge(session(lines...), Options{Better: 1})
		if len(r.Tests) != 2 {
			t.Fatalf("%s: %d tests, want pooled and Welch", name, len(r.Tests))
		}
		p, w := r.Tests[0], r.Tests[1]
		near(t, name+": p", r.P, max(p.P(), w.P()), 1e-12)
		lo0, _ := p.Interval(.95)
		lo1, _ := w.Interval(.95)
		near(t, name+": lo", r.Lo, math.Exp(min(lo0, lo1)), 1e-12)
	}
	check("few tight", "d1 A 100", "d2 A 100.1", "d3 A 100.2", "d4 B 101", "d5 B 107", "d6 B 95", "d7 B 120")
	check("few loose", "d1 A 100", "d2 A 120", "d3 A 90", "d4 B 101", "d5 B 101.1", "d6 B 101.2", "d7 B 101.3")
}

func TestOrder(t *testing.T) {
	lines := []string{"d1 A 100 101", "d1 B 110 111", "d2 A 100 101", "d2 B 111 112", "d3 A 100 101", "d3 B 111 113"}
	judge := func(runs []Run, opt Options) Result { return Judge(runs, opt) }

	silent[analysis.SameOrder](t, judge(session(lines...), Options{}))
	silent[analysis.OrderUnknown](t, judge(session(lines...), Options{}))
	// A block on two of three days.
	silent[analysis.SameOrder](t, judge(inBlocks(session(lines...), 0, "d1", "d2"), Options{}))
	// Counterbalanced: base first, contender first, base first.
	silent[analysis.SameOrder](t, judge(inBlocks(inBlocks(session(lines...), 0, "d1", "d3"), 1, "d2"), Options{}))

	blocks := inBlocks(session(lines...), 0, "d1", "d2", "d3")
	warned[analysis.SameOrder](t, judge(blocks, Options{}))
	r := judge(blocks, Options{IgnoreOrder: true, Better: 1})
	wantVerdict(t, "order ignored", r, analysis.Faster)
	if w := warned[analysis.OrderIgnored](t, r); w.First != "base" {
		t.Errorf("the %s came first, want the base", w.First)
	}
	// On one day nobody knows: a doubt, as the others may be accident.
	if w := warned[analysis.OrderUnknown](t, judge(unplaced(blocks, "d2"), Options{})); w != (analysis.OrderUnknown{Days: 1, Of: 3}) {
		t.Errorf("%+v", w)
	}
	r = judge(unplaced(session(lines...), "d1", "d2", "d3"), Options{Better: 1})
	wantVerdict(t, "order unknown", r, analysis.Faster)
	warned[analysis.OrderUnknown](t, r)
}

func TestArmsInSequence(t *testing.T) {
	lines := []string{"d1 A 100", "d2 A 101", "d3 B 110", "d4 B 111"}
	if w := warned[analysis.ArmsInSequence](t, Judge(session(lines...), Options{})); w.First != "base" {
		t.Errorf("the %s came first, want the base", w.First)
	}
	if w := warned[analysis.ArmsInSequence](t, Judge(swapped(session(lines...)), Options{})); w.First != "contender" {
		t.Errorf("the %s came first, want the contender", w.First)
	}
	silent[analysis.ArmsInSequence](t, Judge(session("d1 A 100", "d2 B 110", "d3 A 101", "d4 B 111"), Options{}))
	// Where no run says when it was, the names of the days do.
	warned[analysis.ArmsInSequence](t, Judge(unplaced(session(lines...), "d4"), Options{}))
	silent[analysis.ArmsInSequence](t, Judge(unplaced(session("d1 A 100", "d2 B 110", "d3 A 101", "d4 B 111"), "d4"), Options{}))
	// Order numbers that begin anew every day.
	anew := session(lines...)
	for i := range anew {
		anew[i].Slot = 1
	}
	warned[analysis.ArmsInSequence](t, Judge(anew, Options{}))
}

// One day with launches: an interval for that day only, by hand. Launch means
// log 100, log 102 and log 110, log 114; t(.975) with 2 df is 4.302653.
func TestConditional(t *testing.T) {
	lines := []string{"d1 A/1 100", "d1 B/1 110", "d1 A/2 102", "d1 B/2 114"}
	r := Judge(session(lines...), Options{Better: 1})
	wantVerdict(t, "one day", r, analysis.Unsupported)
	if r.Conditional == nil {
		t.Fatalf("no conditional interval: %v", kinds(r))
	}
	a, b := math.Log(1.02), math.Log(114./110)
	se := math.Sqrt((a*a/2 + b*b/2) / 2)
	mid := (math.Log(110) + math.Log(114) - math.Log(100) - math.Log(102)) / 2
	near(t, "lo", r.Conditional.Lo, math.Exp(mid-4.302653*se), 1e-6)
	near(t, "hi", r.Conditional.Hi, math.Exp(mid+4.302653*se), 1e-6)
	if w := warned[analysis.OnlyThatDay](t, r); w != (analysis.OnlyThatDay{Day: "d1", Launches: 2}) || r.Conditional.Launches != 2 {
		t.Errorf("%+v, conditional %+v", w, r.Conditional)
	}

	none := func(name string, r Result) {
		t.Helper()
		if r.Conditional != nil {
			t.Errorf("%s: a conditional interval %+v", name, r.Conditional)
		}
	}
	r = Judge(session("d1 A/1 100 101", "d1 B/1 110 111"), Options{})
	none("one launch an arm", r)
	if w := warned[analysis.LaunchAliased](t, r); w != (analysis.LaunchAliased{Base: 1, Contender: 1}) {
		t.Errorf("%+v", w)
	}
	r = Judge(session("d1 A/1 100 101", "d1 A/2 100", "d1 B/1 110 111"), Options{})
	none("one launch of the contender", r)
	warned[analysis.LaunchAliased](t, r)
	r = Judge(session("d1 A 100 101", "d1 B 110 111"), Options{})
	none("launches unknown", r)
	warned[analysis.LaunchUnknown](t, r)
	none("one arm first all day", Judge(inBlocks(session(lines...), 0, "d1"), Options{}))
	none("hosts differ", Judge(session(lines...), Options{Aliased: []string{"host"}}))
	none("launches alike to the last digit", Judge(session("d1 A/1 100", "d1 B/1 110", "d1 A/2 100", "d1 B/2 110"), Options{}))

	// Days unknown count as one day, and the sentence keeps its if.
	r = Judge(session("? A/1 100", "? B/1 110", "? A/2 102", "? B/2 114"), Options{})
	if r.Conditional == nil || !strings.Contains(warned[analysis.OnlyThatDay](t, r).Text(), "if all of it ran on one day") {
		t.Errorf("days unknown: conditional %+v", r.Conditional)
	}
	// Uneven launches: the wider of pooled and Welch.
	r = Judge(session("d1 A/1 100 101", "d1 B/1 110", "d1 A/2 102", "d1 B/2 114", "d1 B/3 111"), Options{})
	if r.Conditional == nil {
		t.Error("2 and 3 launches: no conditional interval")
	}
}

func TestLossesDiffer(t *testing.T) {
	lines := session("d1 A 100", "d1 B 110", "d2 A 101", "d2 B 110")
	if w := warned[analysis.LossesDiffer](t, Judge(lines, Options{LeftOut: [2]int{0, 3}})); w != (analysis.LossesDiffer{Base: 0, Contender: 3}) {
		t.Errorf("%+v", w)
	}
	silent[analysis.LossesDiffer](t, Judge(lines, Options{LeftOut: [2]int{2, 2}}))
}

func TestNotFiniteIsLeftOut(t *testing.T) {
	r := Judge(session("d1 A 100 NaN", "d1 B 110 +Inf", "d2 A 101", "d2 B 110 -Inf"), Options{Better: 1})
	if w := warned[analysis.NotFinite](t, r); w.Runs != 3 {
		t.Errorf("%d runs left out, want 3", w.Runs)
	}
	clean := Judge(session("d1 A 100", "d1 B 110", "d2 A 101", "d2 B 110"), Options{Better: 1})
	if r.P != clean.P || r.Estimate != clean.Estimate {
		t.Errorf("p %v and estimate %v, without them %v and %v", r.P, r.Estimate, clean.P, clean.Estimate)
	}
}

// The remedy says what the spread of runs allows: SD s in a cell gives
// 5.7 s sqrt(2/9) on 3 days x 3 runs, by hand.
func TestRemedyAtBest(t *testing.T) {
	r := Judge(session("d1 A 100 102", "d1 B 110 112.2"), Options{})
	s := math.Log(1.02) / math.Sqrt2
	w := warned[analysis.OneSharedDay](t, r)
	near(t, "at best", w.AtBest, math.Expm1(5.7*s*math.Sqrt(2./9)), .02)
	if text := w.Text(); !strings.Contains(text, "3.8 % at best") {
		t.Errorf("%q", text)
	}
	r = Judge(session("d1 A 100", "d1 B 110"), Options{})
	if w := warned[analysis.OneRunAnArm](t, r); !math.IsNaN(w.AtBest) || strings.Contains(w.Text(), "NaN") {
		t.Errorf("%+v: %s", w, w.Text())
	}
}

// Days come in time order: by slots, else by the numbers in their names.
func TestDaysInTimeOrder(t *testing.T) {
	check := func(name string, want []string, runs []Run) {
		t.Helper()
		if got := Judge(runs, Options{}).Design.SharedDays; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	lines := []string{"s10 A 100 101", "s10 B 100 102", "s9 A 100 101", "s9 B 103 104", "t A 100 101", "t B 100 105"}
	check("by slots", []string{"s10", "s9", "t"}, session(lines...))
	check("by name", []string{"s9", "s10", "t"}, unplaced(session(lines...), "s10", "s9", "t"))
}

// Every kind of warning in warnings_compare.go is reached by a test above, and
// each has a sentence without gaps.
func TestEveryWarningIsReachable(t *testing.T) {
	source, err := os.ReadFile("../warnings_compare.go")
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, m := range regexp.MustCompile(`\) Kind\(\) string +\{ return "([^"]+)" \}`).FindAllStringSubmatch(string(source), -1) {
		declared = append(declared, m[1])
	}
	seen := map[string]bool{}
	note := func(r Result) {
		for _, w := range r.Warnings {
			seen[w.Kind()] = true
			text := w.Text()
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "%!") || strings.Contains(text, "NaN") || strings.Contains(text, "  ") {
				t.Errorf("%s: %q", w.Kind(), text)
			}
			if refusal, ok := w.(analysis.Refusal); ok && text != refusal.Why()+"; "+refusal.Do()+"." {
				t.Errorf("%s: the text is not why and do", w.Kind())
			}
		}
	}
	for _, c := range refusals {
		note(Judge(c.runs, c.opt))
	}
	two := []string{"d1 A 100", "d1 B 110", "d2 A 101", "d2 B 110"}
	note(Judge(session(append(two, "d3 A 100", "? A 5")...), Options{LeftOut: [2]int{1, 2}, PlannedDays: 9, Grid: 1.01817}))
	note(Judge(unplaced(session(two...), "d1"), Options{}))
	note(Judge(inBlocks(session(two...), 0, "d1", "d2"), Options{IgnoreOrder: true}))
	note(Judge(session("d1 A 1 NaN 1", "d2 A 1.1 1.2 1.1", "d3 B 1 2 1", "d4 B 1 1 1"), Options{}))
	note(Judge(session("d1 A 1 1 1.1", "d1 B 1 1 90", "d2 A 1 1 1", "d2 B 1 1.1 1"), Options{}))
	note(Judge(session("d1 A/1 1 2", "d1 B/1 1 2"), Options{}))
	note(Judge(session("d1 A/1 1 2", "d1 A/2 1 3", "d1 B/1 1 2", "d1 B/2 2"), Options{}))
	note(Judge(session("d1 A 0", "d1 B 0", "d2 A 0", "d2 B 0"), Options{Scale: Difference, Exposure: [2]float64{1, 1}}))
	note(Judge(draw(truth.Nested{Days: 5, Runs: 3, SDRun: .001, Effect: .05}, 1), Options{}))
	note(Judge(wandering(1, 2, 3, 4, 5, 6, 7, 8), Options{}))
	h, _ := Headline(nil, Options{})
	note(h)
	h, _ = Headline([]Stratum{{Label: "a", Runs: session(two...)}, {Label: "b", Runs: session("d1 A 1")}}, Options{})
	note(h)
	alone, other := Judge(aloneRuns(), Options{Better: 1}), Judge(aloneRuns(), Options{Better: 1})
	if err := Adjust([]*Result{&alone, &other}, "holm"); err != nil {
		t.Fatal(err)
	}
	note(alone)
	for _, kind := range declared {
		if !seen[kind] {
			t.Errorf("%s is never reached", kind)
		}
	}
	if len(declared) < 30 {
		t.Errorf("only %d kinds found in the source", len(declared))
	}
}

// aloneRuns have a p between .025 and .05: significant alone, not twice.
func aloneRuns() []Run {
	return session("d1 A 100", "d1 B 101.5", "d2 A 100", "d2 B 102.27", "d3 A 100", "d3 B 102.9")
}

func ExampleJudge() {
	runs := []Run{
		{Arm: 0, Day: "2026-01-05", Slot: 1, Value: 1000}, {Arm: 1, Day: "2026-01-05", Slot: 2, Value: 1043},
		{Arm: 1, Day: "2026-01-06", Slot: 3, Value: 1071}, {Arm: 0, Day: "2026-01-06", Slot: 4, Value: 1030},
		{Arm: 0, Day: "2026-01-07", Slot: 5, Value: 985}, {Arm: 1, Day: "2026-01-07", Slot: 6, Value: 1025},
	}
	r := Judge(runs, Options{Better: +1})
	fmt.Println(Sentence(r, "tps", "9.6", "9.7", "8 threads"))
	r = Judge(runs[:2], Options{Better: +1})
	fmt.Println(Sentence(r, "tps", "9.6", "9.7", "8 threads"))
	// Output:
	// 9.7 is 4.1 % faster than 9.6 at 8 threads, 95 % interval 3.7 to 4.5 %
	// 9.7 against 9.6 at 8 threads: unsupported, as there is one run an arm, which shows no spread at all (observed: +4.3 %); run both arms, alternating, on at least 3 days: with 3 runs an arm a day the spread inside a day shows as well as the spread between days
}

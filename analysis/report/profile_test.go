package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/internal/truth"
	"noisefloor/analysis/profile"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

// profiledSession is a simulated session with profiles, waits and counters
// beside its runs: on each day so many runs of each arm, alternating; f5 takes
// 1.8 times as much in the contender. Symbol f7 has a hostile name.
func profiledSession(days, runs int) Input {
	p := truth.Profiles{Days: days, Runs: runs, Samples: 3000, Shares: truth.Zipf(40), Effect: make([]float64, 40), SDDayArm: .02, SDRun: .02}
	p.Effect[5] = math.Log(1.8)
	rng := rand.New(rand.NewPCG(1, 8))
	var in Input
	var stacks []datasets.Stack
	var waits []datasets.Wait
	var series []datasets.Sample
	for i, r := range p.Draw(rng) {
		run := datasets.Run{
			ID: fmt.Sprintf("%016x", i+1), Source: fmt.Sprint("run", i, ".log"), Part: 1, Tool: "sysbench", Status: datasets.Complete, Workload: "oltp_read_only", Threads: 8,
			Duration: 60, Day: strings.Replace(r.Day, "d", "2026-01-", 1), Order: int(r.Slot)%1000 + 1,
			Factors: map[string]datasets.Value{"version": datasets.Text([]string{"9.6.0", "9.7.0"}[r.Arm]), "profiled": datasets.Bool(true)},
			Metrics: map[string]float64{"tps": 1000 * (1 + .01*rng.NormFloat64()), "transactions": 60000 * (1 + .01*rng.NormFloat64() + .1*float64(r.Arm))},
		}
		in.Runs = append(in.Runs, run)
		for s, n := range r.Counts {
			name := fmt.Sprint("f", s)
			if s == 7 {
				name = evil
			}
			if n > 0 {
				stacks = append(stacks,
					datasets.Stack{RunID: run.ID, Event: "cycles", Comm: "mysqld", Frames: []string{"main", fmt.Sprint("caller", s%4), name}, Weight: 1000 * float64(n), Samples: float64(n)},
					datasets.Stack{RunID: run.ID, Event: "faults", Comm: "mysqld", Frames: []string{"main", "fault"}, Weight: float64(n), Samples: math.NaN()})
			}
		}
		lock := .5 + .02*rng.NormFloat64() + float64(r.Arm)
		waits = append(waits, datasets.Wait{RunID: run.ID, Event: "wait/lock", Count: 100, Sum: 60 * lock, AvgSessions: math.NaN()},
			datasets.Wait{RunID: run.ID, Event: "wait/io", Count: 10, Sum: math.NaN(), AvgSessions: 2 + .1*rng.NormFloat64()})
		for t := range 30 {
			series = append(series, datasets.Sample{RunID: run.ID, T: float64(2 * t), Source: "performance_schema", Metric: "wait/lock", Value: lock * float64(t) / 15},
				datasets.Sample{RunID: run.ID, T: float64(2 * t), Source: "performance_schema", Metric: "wait/io", Value: 2},
				datasets.Sample{RunID: run.ID, T: float64(2 * t), Source: "iostat", Metric: "util", Value: 99})
		}
	}
	in.Columns = []datasets.Column{
		{Name: "version", Kind: datasets.TextKind, Role: datasets.Factor}, {Name: "profiled", Kind: datasets.BoolKind, Role: datasets.Factor},
		{Name: "tps", Kind: datasets.FloatKind, Role: datasets.Metric, Unit: tps}, {Name: "transactions", Kind: datasets.FloatKind, Role: datasets.Metric},
	}
	in.Stacks = func(yield func([]datasets.Stack) error) error { return yield(stacks) }
	in.Waits = func(yield func([]datasets.Wait) error) error { return yield(waits) }
	in.Series = func(yield func([]datasets.Sample) error) error { return yield(series) }
	return in
}

func built(t *testing.T, in Input, opt Options) *Report {
	t.Helper()
	r, err := Build(in, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func contains(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", what, want, text)
		}
	}
}

func profileRow(t *testing.T, rows []profileDoc, symbol, kind, scale, event string) profileDoc {
	t.Helper()
	i := slices.IndexFunc(rows, func(d profileDoc) bool {
		return d.Symbol == symbol && d.Kind == kind && d.Scale == scale && (d.Event == nil && event == "" || d.Event != nil && *d.Event == event)
	})
	if i < 0 {
		t.Fatalf("no row %s %s %s %s", symbol, kind, scale, event)
	}
	return rows[i]
}

func TestProfileFindsTheSymbol(t *testing.T) {
	r := built(t, profiledSession(6, 2), Options{Parts: []Part{PartProfile}})
	if len(r.Profiles) != 2 || r.Profiles[0].Event != "cycles" || r.Profiles[1].Event != "faults" {
		t.Fatalf("%d profiles: events are never mixed", len(r.Profiles))
	}
	row := profileRow(t, profileDocs(r), "f5", "self", "share", "cycles")
	if *row.Call != "grew" || row.Runs != 24 || *row.Days != 6 || *row.BaseLevel != "9.6.0" || !(row.Lo > 0) {
		t.Errorf("%+v", row)
	}
	all := profileRow(t, profileDocs(r), profile.All, "total", "per-transaction", "cycles")
	if *all.Call != "shrank" || math.Abs(float64(all.Ratio)-1/1.1) > .01 { // the same samples for a tenth more transactions
		t.Errorf("%+v", all)
	}
	text := printed(t, r, table.Screen{})
	contains(t, "text", text, "Profile of cycles, 9.7.0 against 9.6.0", "changed their share in 12 + 12 runs on 6 days: f5 +", "% fewer cycles (-", "For each transaction 1 symbol costs more, ", "Cost of a transaction, in cycles", "faults, 9.7.0 against 9.6.0: nothing to tell apart")
	if strings.Contains(text, "ran under a profiler") {
		t.Error("the profiled runs are what it is about")
	}
}

func TestProfileOfOneRunAnArmIsUnsupported(t *testing.T) {
	r := built(t, profiledSession(1, 1), Options{Parts: []Part{PartProfile}})
	row := profileRow(t, profileDocs(r), "f5", "self", "share", "cycles")
	if *row.Call != "unsupported" || !math.IsNaN(float64(row.Lo)) || !math.IsNaN(float64(row.Q)) || !(row.Diff > .02) {
		t.Errorf("%+v", row)
	}
	_, doc := encoded(t, r)
	first := doc["profile"].([]any)[0].(map[string]any)
	if first["lo"] != nil || first["q"] != nil || first["diff"] == nil {
		t.Errorf("%v", first)
	}
	for _, key := range strings.Fields("symbol kind base contender diff lo hi q runs days event scale stratum base_level contender_level ratio p call samples conditional warnings") {
		if _, ok := first[key]; !ok {
			t.Errorf("no key %s", key)
		}
	}
	if len(first) != 21 {
		t.Errorf("%d keys: docs/profiles.md lists them", len(first))
	}
	var kinds []string
	for _, w := range doc["warnings"].([]any) {
		kinds = append(kinds, w.(map[string]any)["kind"].(string))
	}
	if !slices.Contains(kinds, "one-run-an-arm") {
		t.Errorf("warnings %v", kinds)
	}
	contains(t, "text", printed(t, r, table.Screen{}), "unsupported", "Nothing can be called changed in these 2 profiles: there is one run an arm", "differences seen are no claim")
}

func TestProfileEvent(t *testing.T) {
	r := built(t, profiledSession(2, 1), Options{Parts: []Part{PartProfile}, Profile: ProfileOptions{Event: "faults"}})
	if len(r.Profiles) != 1 || r.Profiles[0].Event != "faults" {
		t.Errorf("%d profiles", len(r.Profiles))
	}
	if _, err := Build(profiledSession(1, 1), Options{Profile: ProfileOptions{Event: "cycle"}}); err == nil || !strings.Contains(err.Error(), `did you mean "cycles"?`) {
		t.Errorf("%v", err)
	}
}

// In a whole report the profiles stand beside the runs that were not profiled.
func TestReportShowsProfiles(t *testing.T) {
	in := profiledSession(3, 2)
	for i := range in.Runs { // as many runs without a profile
		r := in.Runs[i]
		r.ID, r.Order = fmt.Sprintf("%016x", 1000+i), 100+r.Order
		r.Factors = map[string]datasets.Value{"version": r.Factors["version"], "profiled": datasets.Bool(false)}
		in.Runs = append(in.Runs, r)
	}
	r := built(t, in, Options{})
	if len(r.Profiles) != 2 || len(r.Waits) != 1 || len(r.Comparisons) == 0 {
		t.Fatalf("%d profiles, %d waits, %d comparisons", len(r.Profiles), len(r.Waits), len(r.Comparisons))
	}
	page := rendered(t, r)
	tags(t, page) // nothing broke out of its place
	contains(t, "page", page, `<section id="profiles">`, `<section id="waits">`, "Differential flame graph", "<title>f5: 9.6.0 ", "Cost of a transaction", "Waits over time in 9.7.0")
	if r.Comparisons[0].Base.Runs != 6 {
		t.Errorf("compared %d runs: those under a profiler are set aside", r.Comparisons[0].Base.Runs)
	}
}

func TestProfilesOfOneArm(t *testing.T) {
	in := profiledSession(3, 1)
	stacks := in.Stacks
	in.Stacks = func(yield func([]datasets.Stack) error) error { // of the contender alone
		return stacks(func(rows []datasets.Stack) error {
			return yield(slices.DeleteFunc(slices.Clone(rows), func(s datasets.Stack) bool {
				i := slices.IndexFunc(in.Runs, func(r datasets.Run) bool { return r.ID == s.RunID })
				return in.Runs[i].Factors["version"] == datasets.Text("9.6.0")
			}))
		})
	}
	r := built(t, in, Options{})
	if len(r.Profiles) != 0 || !slices.Contains(r.Warnings, analysis.Warning(analysis.ProfilesOfOneArm{Runs: 3, By: "version"})) {
		t.Errorf("%d profiles, %v", len(r.Profiles), r.Warnings)
	}
	alone := built(t, in, Options{Parts: []Part{PartProfile}})
	if len(alone.Profiles) != 2 || alone.Profiles[0].Level != "" {
		t.Fatalf("%d profiles", len(alone.Profiles))
	}
	contains(t, "text", printed(t, alone, table.Screen{}), "most goes to f0 ", "3 runs on 3 days")
}

func TestProfileTop(t *testing.T) {
	r := built(t, profiledSession(3, 1), Options{Parts: []Part{PartProfile}, Profile: ProfileOptions{Event: "cycles", Top: true}})
	if len(r.Profiles) != 2 || r.Profiles[1].BaseLevel != "9.7.0" || r.Profiles[1].Level != "" {
		t.Fatalf("%+v", r.Profiles)
	}
	row := profileRow(t, profileDocs(r), "f0", "self", "share", "cycles")
	if row.Call != nil || !math.IsNaN(float64(row.Diff)) || !(row.Lo < row.Base && row.Base < row.Hi) {
		t.Errorf("%+v", row)
	}
}

func TestWaitsGrew(t *testing.T) {
	r := built(t, profiledSession(4, 1), Options{Parts: []Part{PartWaits}})
	lock := profileRow(t, profileDocs(r), "wait/lock", "wait", "sessions", "")
	if *lock.Call != "grew" || math.Abs(float64(lock.Diff)-1) > .05 || !(lock.Lo > .9 && lock.Hi < 1.1) {
		t.Errorf("%+v", lock)
	}
	if io := profileRow(t, profileDocs(r), "wait/io", "wait", "sessions", ""); *io.Call != "not shown" {
		t.Errorf("%+v", io)
	}
	c := r.Waits[0].Courses[1]
	if c.InRunOrder || len(c.T) != 30 || math.Abs(c.Events["wait/io"][3]-2) > 1e-9 || c.Events["util"] != nil {
		t.Errorf("%+v", c)
	}
	contains(t, "text", printed(t, r, table.Screen{}), "1 of 2 waits changed in 4 + 4 runs on 4 days: wait/lock +", "All waits together: 2.")
	tags(t, rendered(t, r))
}

// Without a series the runs stand side by side.
func TestWaitsInRunOrder(t *testing.T) {
	in := profiledSession(2, 1)
	in.Series = nil
	c := built(t, in, Options{Parts: []Part{PartWaits}}).Waits[0].Courses[0]
	if !c.InRunOrder || len(c.T) != 2 {
		t.Errorf("%+v", c)
	}
}

func TestNothingBeside(t *testing.T) {
	in := profiledSession(2, 1)
	in.Stacks, in.Waits, in.Series = nil, nil, nil
	if r := built(t, in, Options{}); len(r.Profiles)+len(r.Waits) != 0 {
		t.Error("profiles of nothing")
	}
}

func TestBesideKeepsTheRuns(t *testing.T) {
	in := profiledSession(1, 1)
	withBeside(in.Runs, map[string]bool{in.Runs[0].ID: true}, group.Options{})
	if in.Runs[0].Factors["profiled"].IsNull() || in.Runs[0].Metrics["tps"] == 0 {
		t.Error("the caller's runs changed")
	}
}

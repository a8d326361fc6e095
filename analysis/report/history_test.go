package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/history"
	"noisefloor/datasets"
)

// changed is what the verb history shows, written by hand: a change of two
// metrics in one event, a known one, a quiet series, one that cannot tell, and
// a factor study, among them names from outside.
func changed() *Report {
	level := func(label string, v float64, segment int) history.Level {
		return history.Level{Label: label, Value: v, Lo: v * .99, Hi: v * 1.01, Runs: 3, Days: 1, Segment: segment}
	}
	points := []history.Level{level("8.0.9", 1000, 0), level("8.0.11", 1003, 0), level(evil, 950, 1), level("8.0.42", 948, 1), level("9.7.0-er", 990, 2)}
	points[1].Wild = true
	h := History{Over: "version", Order: "as versions", Metric: "tps", Unit: tps, Primary: true, Stratum: stratum(8, "oltp_read_only"), Notes: []string{"", "redo log " + evil},
		Result: history.Result{Points: points, Basis: history.BasisSeries, Runs: 15, Days: 5, Noise: .01, Phi: .2, DF: 3, FalseAlarm: .05, MinSegment: 3, Detectable: .03,
			Segments: []history.Segment{{First: 0, Last: 1, Value: 1001}, {First: 2, Last: 3, Value: 949}, {First: 4, Last: 4, Value: 990}},
			Changes: []history.Change{
				{Before: 1, At: 2, AtLo: 2, AtHi: 3, Unmeasured: 4, From: 1001, To: 949, Ratio: .948, Lo: .94, Hi: .956, Confidence: .95, P: 1e-9, PAdjusted: 2e-9, Verdict: analysis.Slower, Exceeds: true,
					Warnings: []analysis.Warning{analysis.MovesAlong{Condition: "kernel", Before: "6.1", After: evil}}},
				{Before: 3, At: 4, AtLo: 4, AtHi: 4, From: 949, To: 990, Ratio: 1.043, Lo: 1.03, Hi: 1.056, Confidence: .95, P: .01, PAdjusted: .02, Verdict: analysis.Faster},
			},
			Warnings: []analysis.Warning{analysis.WildPoints{Labels: []string{"8.0.11"}, Of: 5}},
		}}
	p95 := h
	p95.Metric, p95.Unit, p95.Primary, p95.Notes = "latency_p95", second, false, []string{""}
	p95.Changes = []history.Change{{Before: 1, At: 2, AtLo: 1, AtHi: 3, From: .01, To: .0104, Ratio: 1.04, Lo: 1.02, Hi: 1.06, Confidence: .95, P: .001, PAdjusted: .001, Verdict: analysis.Slower}}
	quiet := h
	quiet.Stratum, quiet.Notes, quiet.Changes, quiet.Segments = stratum(64, "oltp_read_only"), nil, nil, []history.Segment{{First: 0, Last: 4, Value: 1000}}
	cannot := quiet
	cannot.Stratum, cannot.Segments = stratum(128, "oltp_read_only"), nil
	cannot.Basis, cannot.Noise, cannot.Phi, cannot.Detectable = history.BasisNone, nan, nan, nan
	cannot.Warnings = []analysis.Warning{analysis.NothingRepeats{Points: 5, Need: 10, Days: 5}}
	errs := quiet
	errs.Metric, errs.Unit, errs.Primary, errs.Additive, errs.Notes = "errors_per_s", perSec, false, true, []string{""}
	errs.Changes = []history.Change{{Before: 1, At: 2, AtLo: 2, AtHi: 2, From: 0, To: .4, Ratio: .4, Lo: .2, Hi: .6, Confidence: .95, P: .004, PAdjusted: .008, Verdict: analysis.Slower}}
	study := history.Study{Factors: [2]string{"build", evil}, Levels: [2][]string{{"gcc", "lto"}, {"5.6.51", "8.0.42"}}, Basis: history.BasisBlocks, DF: 4, Noise: nan,
		Cells: []history.Cell{{Levels: [2]string{"gcc", "5.6.51"}, Value: 1000, Runs: 9, Units: 3}},
		Effects: []history.Effect{
			{Factor: "build", Level: "lto", Base: "gcc", Ratio: 1.04, Lo: 1.03, Hi: 1.05, P: .001, PAdjusted: .002, Verdict: analysis.Faster, Confidence: .95},
			{Factor: "build", Level: "lto", Base: "gcc", At: "8.0.42", Ratio: 1.05, Lo: 1.03, Hi: 1.07, P: .001, PAdjusted: .001, Confidence: .95},
			{Factor: "build", Level: "lto", Base: "gcc", Other: [2]string{"5.6.51", "8.0.42"}, Ratio: 1.02, Lo: .99, Hi: 1.05, P: .2, PAdjusted: .2, Confidence: .95},
		},
		Whole:  history.Effect{Level: "lto, 8.0.42", Base: "gcc, 5.6.51", Ratio: .85, Lo: .83, Hi: .87, P: 1e-6, PAdjusted: 1e-6, Verdict: analysis.Slower, Confidence: .95},
		Shares: []history.Share{{Factor: "build", Share: -.25, Lo: -.3, Hi: -.2}, {Factor: evil, Share: 1.25, Lo: 1.2, Hi: 1.3}},
	}
	return &Report{
		Version: "test", Seed: 1, Parts: []Part{PartHistory}, Inputs: Inputs{Runs: 15, Complete: 15, Folder: "results"},
		Design:  group.Design{Days: []string{"d1", "d2", "d3", "d4", "d5"}},
		History: []History{h, quiet, cannot, p95, errs},
		Events:  []Event{{Before: "8.0.11", At: evil, Members: []EventMember{{0, 0}, {3, 0}, {4, 0}}}, {Before: "8.0.42", At: "9.7.0-er", Members: []EventMember{{0, 1}}}},
		Factors: []FactorStudy{{Metric: "tps", Unit: tps, Primary: true, Study: study}, {Metric: "latency_p95", Unit: second, Failed: "no " + evil}},
	}
}

func TestHistoryJSONKeys(t *testing.T) {
	_, doc := encoded(t, changed())
	h := doc["history"].([]any)[0].(map[string]any)
	for _, key := range strings.Fields("series order metric unit better scale stratum basis supported points levels changes false_alarm_rate min_segment noise phi detectable warnings") {
		if _, ok := h[key]; !ok {
			t.Errorf("a series has no %s", key)
		}
	}
	c := h["changes"].([]any)[0].(map[string]any)
	for key, want := range map[string]any{"before": "8.0.11", "at": evil, "ratio": .948, "lo": .94, "hi": .956, "p": 1e-9, "p_adjusted": 2e-9, "unmeasured": 4., "event": 1., "acknowledged": nil, "difference": nil} {
		if c[key] != want {
			t.Errorf("%s is %v, want %v", key, c[key], want)
		}
	}
	additive := doc["history"].([]any)[4].(map[string]any)["changes"].([]any)[0].(map[string]any)
	if additive["ratio"] != nil || additive["difference"].(map[string]any)["value"] != .4 {
		t.Errorf("a difference is no ratio: %v", additive)
	}
	f := doc["factors"].([]any)[0].(map[string]any)
	for i, kind := range []string{"main", "simple", "interaction"} {
		if got := f["effects"].([]any)[i].(map[string]any)["kind"]; got != kind {
			t.Errorf("effect %d is %v, want %s", i, got, kind)
		}
	}
}

func TestAskHistory(t *testing.T) {
	check := func(what string, r *Report, kind compare.Gate, named bool, want compare.Outcome) {
		t.Helper()
		if g := r.AskHistory(kind, named); g.Outcome != want || (want == compare.Passed) != (len(g.Reasons) == 0) {
			t.Errorf("%s: %v, %q; want %v", what, g.Outcome, g.Reasons, want)
		}
	}
	r := changed()
	check("a slower newest level of any metric", r, compare.GateSlower, false, compare.Failed)
	r.History[3].Notes[0], r.History[4].Notes[0] = "known", "known"
	check("what is known does not count, what cannot tell does", r, compare.GateSlower, false, compare.CannotAnswer)
	r.History = r.History[:2]
	check("nothing open", r, compare.GateSlower, false, compare.Passed)
	r.History[0].Notes[1] = ""
	check("faster is not slower", r, compare.GateSlower, false, compare.Passed)
	check("but changed", r, compare.GateChanged, false, compare.Failed)
	r.History = nil
	check("no series", r, compare.GateSlower, false, compare.CannotAnswer)
}

// nightlyRows are a run a night, with a step of -6 % at the 15th of 30 nights.
func nightlyRows() []datasets.Run {
	var runs []datasets.Run
	for i := range 30 {
		tps := 1000 * (1 + .01*math.Sin(float64(i*i)))
		if i >= 15 {
			tps *= .94
		}
		runs = append(runs, datasets.Run{ID: string(rune('a' + i)), Status: datasets.Complete, Day: "2026-11-" + string(rune('0'+(i+1)/10)) + string(rune('0'+(i+1)%10)),
			Metrics: map[string]float64{"tps": tps}})
	}
	return runs
}

// A report has the section when its days are a series, and says nothing of one
// when they are few.
func TestReportFindsItsSeries(t *testing.T) {
	r, err := Build(Input{Runs: nightlyRows()}, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.History) != 1 || len(r.History[0].Changes) != 1 || r.History[0].Over != "day" || r.History[0].Points[r.History[0].Changes[0].At].Label != "2026-11-16" {
		t.Fatalf("%+v", r.History)
	}
	r, err = Build(Input{Runs: nightlyRows()[:9]}, Options{Seed: 1})
	if err != nil || len(r.History) != 0 {
		t.Errorf("nine days are no series: %+v %v", r.History, err)
	}
	r, err = Build(Input{Runs: nightlyRows()}, Options{Seed: 1, Parts: []Part{PartHistory}, History: HistoryOptions{
		Acknowledged: []Acknowledgement{{At: "2026-11-16", Metric: "tps", Note: "new disk"}}, Direction: analysis.Slower}})
	if err != nil || r.History[0].Notes[0] != "new disk" || r.AskHistory(compare.GateSlower, false).Outcome != compare.Passed {
		t.Errorf("a known change: %+v %v", r.History, err)
	}
	r, err = Build(Input{Runs: nightlyRows()}, Options{Seed: 1, Parts: []Part{PartHistory}, History: HistoryOptions{Direction: analysis.Faster}})
	if err != nil || len(r.History[0].Changes) != 0 || r.History[0].Hidden != 1 {
		t.Errorf("slower is not faster: %+v %v", r.History, err)
	}
}

// A host that changes with the versions is named at the change, and above it,
// however many hosts there are.
func TestHistoryNamesHosts(t *testing.T) {
	for _, hosts := range []func(version int) string{
		func(version int) string { return fmt.Sprint("host", version/5) },
		func(version int) string { return fmt.Sprint("host", version) },
	} {
		var runs []datasets.Run
		for version := range 10 {
			for day := range 3 {
				tps := 1000 + float64((7*version+3*day)%5)
				if version >= 5 {
					tps *= .9
				}
				runs = append(runs, datasets.Run{ID: fmt.Sprint(version, day), Status: datasets.Complete, Day: fmt.Sprint("2026-03-1", day), Host: hosts(version),
					Factors: map[string]datasets.Value{"version": datasets.Text(fmt.Sprint("8.0.3", version))}, Metrics: map[string]float64{"tps": tps}})
			}
		}
		version := datasets.Column{Name: "version", Kind: datasets.TextKind, Role: datasets.Factor}
		r, err := Build(Input{Runs: runs, Columns: []datasets.Column{version}}, Options{Seed: 1, Parts: []Part{PartHistory}})
		if err != nil || len(r.History) != 1 || len(r.History[0].Changes) != 1 {
			t.Fatalf("%+v %v", r.History, err)
		}
		want := analysis.MovesAlong{Condition: "host", Before: hosts(4), After: hosts(5)}
		if !slices.Contains(r.History[0].Changes[0].Warnings, analysis.Warning(want)) {
			t.Errorf("%v; want %v", r.History[0].Changes[0].Warnings, want)
		}
		if lines := designLines(r); len(lines) != 2 || !strings.HasSuffix(lines[1], "may be its doing: host.") {
			t.Errorf("%q", lines)
		}
	}
}

package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/steady"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// timed are runs of two arms on three days with a report line a second. course
// says what a run does, relative to its level; total is what its log says.
type timed struct {
	lines  int
	course func(arm, threads, day, rep, second int) float64
	tool   string
}

const timedLevel = 1000.0

func (c timed) input(threads ...int) Input {
	rng := rand.New(rand.NewPCG(1, 9))
	nan := math.NaN()
	in := Input{Folder: "results", Columns: []datasets.Column{
		{Name: "version", Kind: datasets.TextKind, Role: datasets.Factor},
		{Name: "tps", Kind: datasets.FloatKind, Role: datasets.Metric, Unit: unit.Of("tps")},
		{Name: "latency_p95", Kind: datasets.FloatKind, Role: datasets.Metric, Unit: unit.Of("latency_p95")},
	}}
	var lines []datasets.Interval
	for _, n := range threads {
		for day := range 3 {
			for rep := range 3 {
				for arm := range 2 {
					id := fmt.Sprintf("%d-%d-%d-%d", n, day, rep, arm)
					sum, level := 0.0, timedLevel*math.Exp(0.002*rng.NormFloat64())
					for s := 1; s <= c.lines; s++ {
						y := level * (c.course(arm, n, day, rep, s) + 0.004*rng.NormFloat64())
						sum += y
						lines = append(lines, datasets.Interval{RunID: id, T: float64(s), Threads: float64(n), TPS: y, QPS: 20 * y, Reads: nan, Writes: nan, Other: nan, LatencyPct: nan, Percentile: nan, Errors: nan, Reconnects: nan, QueueLength: nan, Concurrency: nan})
					}
					tps := level
					if c.lines > 0 {
						tps = sum / float64(c.lines)
					}
					in.Runs = append(in.Runs, datasets.Run{
						ID: id, Source: id + ".log", Part: 1, Tool: c.tool, Status: datasets.Complete, Threads: n, Duration: float64(max(1, c.lines)), Day: fmt.Sprintf("2026-01-0%d", day+1), Order: 2*rep + arm ^ day&1 + 1,
						Factors: map[string]datasets.Value{"version": datasets.Text([]string{"8.0.1", "8.0.2"}[arm])},
						Metrics: map[string]float64{"tps": tps, "latency_p95": 0.01 * math.Exp(0.01*rng.NormFloat64())},
					})
				}
			}
		}
	}
	in.Intervals = func(yield func([]datasets.Interval) error) error {
		for part := range slices.Chunk(lines, 101) { // runs go over the ends of chunks
			if err := yield(part); err != nil {
				return err
			}
		}
		return nil
	}
	return in
}

func builtFrom(t *testing.T, in Input, opt Options) *Report {
	t.Helper()
	r, err := Build(in, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rowOf(t *testing.T, r *Report, metric string, threads int64) *Comparison {
	t.Helper()
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.Metric == metric && (len(c.Stratum) == 0 || c.Stratum[0].Value == datasets.Int(threads)) {
			return c
		}
	}
	t.Fatalf("no row of %s at %d threads", metric, threads)
	return nil
}

func has(ws []analysis.Warning, want analysis.Warning) bool {
	return slices.ContainsFunc(ws, func(w analysis.Warning) bool { return w == want })
}

// low is a course that is a share lower for so many seconds.
func low(seconds int, share float64) func(second int) float64 {
	return func(second int) float64 {
		if second <= seconds {
			return 1 - share
		}
		return 1
	}
}

// The base warms up for 20 s in one run in three, the contender never does: by
// the totals the contender is faster, after the cut that all share it is not.
func TestCommonCut(t *testing.T) {
	c := timed{lines: 60, tool: "sysbench", course: func(arm, threads, day, rep, second int) float64 {
		if arm == 0 {
			return low(20, 0.4)(second)
		}
		return 1
	}}
	r := builtFrom(t, c.input(8), Options{})
	row := rowOf(t, r, "tps", 8)
	if math.Abs(row.Estimate-1) > 0.004 || row.Cut != 20 || row.Verdict == analysis.Faster {
		t.Errorf("%s, ratio %g, cut %g; the arms are equal after 20 s", row.Verdict, row.Estimate, row.Cut)
	}
	if latency := rowOf(t, r, "latency_p95", 8); !has(latency.Doubts, analysis.WholeRun{Cut: 20}) || !math.IsNaN(latency.Cut) {
		t.Errorf("a percentile of whole runs: cut %g, %v", latency.Cut, latency.Doubts)
	}
	if len(r.SteadyStrata) != 1 || r.SteadyStrata[0].Cut != 20 || r.SteadyStrata[0].Classes[steady.WarmUp] != 9 || r.SteadyStrata[0].Classes[steady.Flat] != 9 {
		t.Errorf("strata %+v", r.SteadyStrata)
	}
	for _, s := range r.Steady {
		if s.CommonCut != 20 || !(math.Abs(s.SteadyTPS/timedLevel-1) < 0.01) || s.Class == steady.Flat && s.Cut != 0 || s.Metric != "tps" {
			t.Errorf("%s: %s, own cut %g, common %g, steady %g", s.RunID, s.Class, s.Cut, s.CommonCut, s.SteadyTPS)
		}
		in := row.Runs[slices.IndexFunc(row.Runs, func(x compare.Run) bool { return x.ID == s.RunID+".log" })]
		if in.Value != s.SteadyTPS {
			t.Errorf("%s is compared with %g, its steady mean is %g", s.RunID, in.Value, s.SteadyTPS)
		}
	}
	text := textOf(t, r)
	for _, want := range []string{"the first 20 s are left out in all runs", "9 flat, 9 warm-up", "known for whole runs only: it includes the first 20 s"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no word of %q in\n%s", want, text)
		}
	}

	kept := builtFrom(t, c.input(8), Options{KeepWarmup: true})
	row = rowOf(t, kept, "tps", 8)
	if row.Estimate < 1.1 || row.Verdict != analysis.Faster || !math.IsNaN(row.Cut) {
		t.Errorf("warm-up kept: %s, ratio %g, cut %g", row.Verdict, row.Estimate, row.Cut)
	}
	if text := textOf(t, kept); !strings.Contains(text, "as asked with --keep-warmup") {
		t.Error(text)
	}
}

// One run of one stratum still climbs at its end: that stratum compares whole runs,
// of both arms, and so does the average over the strata.
func TestOneKindOfValue(t *testing.T) {
	climbs := func(threads int) timed {
		return timed{lines: 60, tool: "sysbench", course: func(arm, n, day, rep, second int) float64 {
			if n == threads && arm == 1 && day == 0 && rep == 0 {
				return 0.7 + 0.3*float64(second)/60
			}
			return low(15, 0.3)(second)
		}}
	}
	r := builtFrom(t, climbs(8).input(8, 64), Options{})
	refused, cut := rowOf(t, r, "tps", 8), rowOf(t, r, "tps", 64)
	want := analysis.NoCommonCut{Unsteady: 1, Of: 18, Cut: 15}
	if !has(refused.Doubts, want) || !math.IsNaN(refused.Cut) || refused.Base.Mean > 0.95*timedLevel {
		t.Errorf("8 threads: cut %g, base %g, %v", refused.Cut, refused.Base.Mean, refused.Doubts)
	}
	if cut.Cut != 15 || math.Abs(cut.Base.Mean/timedLevel-1) > 0.01 {
		t.Errorf("64 threads: cut %g, base %g", cut.Cut, cut.Base.Mean)
	}
	i := slices.IndexFunc(r.Headlines, func(h Headline) bool { return h.Metric == "tps" })
	if h := r.Headlines[i]; !has(h.Warnings, analysis.HeadlineWholeRuns{}) || h.Base.Mean > 0.95*timedLevel {
		t.Errorf("headline: base %g, %v", h.Base.Mean, h.Warnings)
	}
	// Where all strata have a cut, the average takes it.
	r = builtFrom(t, climbs(0).input(8, 64), Options{})
	i = slices.IndexFunc(r.Headlines, func(h Headline) bool { return h.Metric == "tps" })
	if h := r.Headlines[i]; has(h.Warnings, analysis.HeadlineWholeRuns{}) || math.Abs(h.Base.Mean/timedLevel-1) > 0.01 {
		t.Errorf("headline: base %g, %v", h.Base.Mean, h.Warnings)
	}
}

// Only one arm warms up, and one run has no steady state: what is claimed of whole
// runs is the warm-up, and the claim says so.
func TestWarmupInTheClaim(t *testing.T) {
	course := func(climbs bool) timed {
		return timed{lines: 60, tool: "sysbench", course: func(arm, n, day, rep, second int) float64 {
			switch {
			case climbs && arm == 1 && day == 0 && rep == 0:
				return 0.9 + 0.2*float64(second)/60
			case arm == 0:
				return low(15, 0.3)(second)
			}
			return 1
		}}
	}
	const said = "some runs warm up for 15 s, and as no cut fits all of them, that is in it"
	for _, climbs := range []bool{true, false} {
		r := builtFrom(t, course(climbs).input(8), Options{})
		answer := newAnswer(r).Lines[0]
		if strings.Contains(answer.Sentence, said) != climbs || (answer.Verdict == analysis.Faster) != climbs {
			t.Errorf("climbs %v: %s %s", climbs, answer.Verdict, answer.Sentence)
		}
	}
}

// Flat runs keep the totals of their logs to the last digit.
func TestNothingToCut(t *testing.T) {
	c := timed{lines: 60, tool: "sysbench", course: func(arm, threads, day, rep, second int) float64 { return 1 }}
	in := c.input(8)
	a, b := rowOf(t, builtFrom(t, in, Options{}), "tps", 8), rowOf(t, builtFrom(t, in, Options{KeepWarmup: true}), "tps", 8)
	if a.Cut != 0 || !math.IsNaN(b.Cut) || a.Estimate != b.Estimate || a.P != b.P || len(a.Doubts) != 0 {
		t.Errorf("cut %g, ratio %g and %g, %v", a.Cut, a.Estimate, b.Estimate, a.Doubts)
	}
}

// Logs without report lines say so on each row; tables of totals have none to miss.
func TestNoReportLines(t *testing.T) {
	c := timed{tool: "sysbench", course: nil}
	r := builtFrom(t, c.input(8), Options{})
	if row := rowOf(t, r, "tps", 8); !has(row.Doubts, analysis.NoReportLines{}) || len(r.Steady) != 0 {
		t.Errorf("logs: %v, %d courses", row.Doubts, len(r.Steady))
	}
	c.tool = ""
	r = builtFrom(t, c.input(8), Options{})
	if row := rowOf(t, r, "tps", 8); len(row.Doubts) != 0 || len(r.Steady) != 0 {
		t.Errorf("tables: %v, %d courses", row.Doubts, len(r.Steady))
	}
	if text := textOf(t, builtFrom(t, c.input(8), Options{Parts: []Part{PartSteady}})); !strings.Contains(text, "report lines") {
		t.Error(text)
	}
}

// While the load generator drains, fewer threads run: such lines at the end do
// not count.
func TestDrain(t *testing.T) {
	l := lines{t: []float64{1, 2, 3, 4, 5, 6, 7, 8}, threads: []float64{8, 8, 7, 8, 8, 8, 8, 3}, values: [][]float64{{1, 2, 3, 4, 5, 6, 7, 8}}}
	l.dropDrain()
	if len(l.t) != 7 || len(l.values[0]) != 7 {
		t.Errorf("%d lines left", len(l.t))
	}
	ramp := lines{t: []float64{1, 2, 3, 4}, threads: []float64{8, 4, 2, 1}, values: [][]float64{{1, 2, 3, 4}}}
	if ramp.dropDrain(); len(ramp.t) != 4 {
		t.Errorf("a ramp down of threads is no drain: %d lines left", len(ramp.t))
	}
	nan := math.NaN()
	unknown := lines{t: []float64{1, 2}, threads: []float64{nan, nan}, values: [][]float64{{1, 2}}}
	if unknown.dropDrain(); len(unknown.t) != 2 {
		t.Errorf("threads unknown: %d lines left", len(unknown.t))
	}
}

// Workers finish in any order; the report is the same.
func TestSteadyIsDeterministic(t *testing.T) {
	c := timed{lines: 40, tool: "sysbench", course: func(arm, threads, day, rep, second int) float64 {
		if (day+rep)%2 == 0 {
			return 0.7 + 0.3*float64(second)/40
		}
		return 1
	}}
	in := c.input(1, 2, 4, 8, 16, 32, 64, 128)
	text, series := "", []string(nil)
	for range 5 {
		r := builtFrom(t, in, Options{Parts: []Part{PartSteady}})
		var ids []string
		for _, s := range r.Series {
			ids = append(ids, s.RunID)
		}
		if len(r.Series) > panelsShown || len(r.Series) == 0 || r.Series[0].Class != steady.NoSteadyState {
			t.Fatalf("%d series, the first %s", len(r.Series), r.Series[0].Class)
		}
		now := textOf(t, r)
		if text == "" {
			text, series = now, ids
		}
		if now != text || !reflect.DeepEqual(ids, series) {
			t.Fatalf("two calls differ:\n%s\n%s", now, text)
		}
	}
}

func TestSteadyJSON(t *testing.T) {
	c := timed{lines: 60, tool: "sysbench", course: func(arm, threads, day, rep, second int) float64 {
		if day == 2 && rep == 2 {
			return 0.7 + 0.3*float64(second)/60
		}
		return 1
	}}
	var out bytes.Buffer
	if err := JSON(&out, builtFrom(t, c.input(8), Options{Parts: []Part{PartSteady}})); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Steady      []map[string]any
		Comparisons []any
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Steady) != 18 || len(doc.Comparisons) != 0 {
		t.Fatalf("%d runs, %d comparisons", len(doc.Steady), len(doc.Comparisons))
	}
	classes := map[any]int{}
	for _, s := range doc.Steady {
		for _, key := range []string{"run_id", "class", "cut_s", "kept_s", "mean", "se", "ess", "common_cut_s", "steady_tps", "warnings"} {
			if _, ok := s[key]; !ok {
				t.Errorf("no key %s", key)
			}
		}
		classes[s["class"]]++
		if s["class"] == "no steady state" && (s["mean"] != nil || s["cut_s"] != nil || len(s["warnings"].([]any)) == 0) {
			t.Errorf("%v", s)
		}
	}
	if classes["no steady state"] != 2 || classes["flat"] != 16 {
		t.Errorf("%v", classes)
	}
}

func textOf(t *testing.T, r *Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := Text(&out, r, table.Screen{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A table of intervals without times is fitted on its rows; with times, the run
// is what its mean leaves over.
func TestVarianceOfIntervals(t *testing.T) {
	check := func(name string, timesKnown bool) {
		t.Helper()
		c := timed{lines: 30, course: func(arm, threads, day, rep, second int) float64 { return 1 }}
		in := c.input(8)
		if !timesKnown {
			intervals := in.Intervals
			in.Intervals = func(yield func([]datasets.Interval) error) error {
				return intervals(func(rows []datasets.Interval) error {
					rows = slices.Clone(rows)
					for i := range rows {
						rows[i].T = math.NaN()
					}
					return yield(rows)
				})
			}
		}
		r := builtFrom(t, in, Options{Group: group.Options{Metrics: []string{"tps"}}, Parts: []Part{PartVariance}})
		v := r.Variance[0]
		last := v.Components[len(v.Components)-1]
		if v.Intervals != 18*30 || v.Runs != 18 || last.Level != "interval" || math.Abs(last.SDRel/0.004-1) > 0.1 {
			t.Errorf("%s: %d intervals of %d runs, %+v", name, v.Intervals, v.Runs, last)
		}
		if text := textOf(t, r); !strings.Contains(text, "interval") || !strings.Contains(text, "What the spread is made of") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	check("times", true)
	check("rows", false)
}

package report

import (
	"maps"
	"math"
	"slices"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/datasets"
)

// warming are runs of which the newer arm is 40 % low for 20 s.
func warming(arm, _, _, _, second int) float64 {
	if arm == 1 {
		return low(20, 0.4)(second)
	}
	return 1
}

// Curves and series use the steady part, as comparisons do: the arms are equal
// after 20 s, and 13 % apart by their totals.
func TestCurvesAndSeriesAreCut(t *testing.T) {
	in := timed{lines: 60, tool: "sysbench", course: warming}.input(1, 2, 4, 8)
	for _, c := range []struct {
		keep bool
		want float64
	}{{false, 1}, {true, 1 - .4*20/60}} {
		r := builtFrom(t, in, Options{KeepWarmup: c.keep, Parts: []Part{PartScaling}})
		if len(r.Curves) != 1 || len(r.Curves[0].Curves) != 2 {
			t.Fatalf("curves %+v", r.Curves)
		}
		for i, o := range r.Curves[0].Curves[1].Observed {
			if got := o.Mean / r.Curves[0].Curves[0].Observed[i].Mean; math.Abs(got-c.want) > .006 {
				t.Errorf("keep %v: at %g the arms are as 1 to %.3f, want %.3f", c.keep, o.X, got, c.want)
			}
		}
		r = builtFrom(t, in, Options{KeepWarmup: c.keep, Parts: []Part{PartHistory}, Group: grouped("version")})
		for i := range r.History {
			h := &r.History[i]
			if h.Metric != "tps" {
				continue
			}
			if got := h.Points[1].Value / h.Points[0].Value; math.Abs(got-c.want) > .006 {
				t.Errorf("keep %v: the versions are as 1 to %.3f, want %.3f", c.keep, got, c.want)
			}
		}
		r = builtFrom(t, factored(in), Options{KeepWarmup: c.keep, Parts: []Part{PartHistory}, History: HistoryOptions{Factors: []string{"version", "build"}}})
		for _, f := range r.Factors {
			if f.Metric == "tps" && f.Failed == "" && math.Abs(f.Effects[0].Ratio-c.want) > .006 {
				t.Errorf("keep %v: the effect of the version is %.3f, want %.3f", c.keep, f.Effects[0].Ratio, c.want)
			}
		}
	}
}

// Where one level never gets steady, whole runs are drawn at all of them.
func TestCurveOfOneKind(t *testing.T) {
	in := timed{lines: 60, tool: "sysbench", course: func(arm, threads, day, rep, second int) float64 {
		if threads == 4 {
			return 1 + float64(second)/40 // fills up until the end
		}
		return warming(arm, threads, day, rep, second)
	}}.input(1, 2, 4, 8)
	r := builtFrom(t, in, Options{Parts: []Part{PartScaling}})
	if !has(r.Curves[0].Warnings, analysis.CurveWholeRuns{X: "threads", Lacking: 1, Of: 4}) {
		t.Errorf("warnings %v", r.Curves[0].Warnings)
	}
	if o := r.Curves[0].Curves[1].Observed[0]; math.Abs(o.Mean/timedLevel-(1-.4*20/60)) > .006 {
		t.Errorf("at 1 thread %.1f, want the mean of whole runs", o.Mean)
	}
	// A series without a cut says so.
	in = timed{lines: 60, tool: "sysbench", course: func(_, _, _, _, second int) float64 { return 1 + float64(second)/40 }}.input(8)
	r = builtFrom(t, in, Options{Parts: []Part{PartHistory}, Group: grouped("version")})
	for _, h := range r.History {
		if h.Metric == "tps" && !has(h.Warnings, analysis.NoCommonCut{Unsteady: 18, Of: 18, Cut: math.Inf(-1)}) {
			t.Errorf("warnings %v", h.Warnings)
		}
	}
}

func grouped(by string) group.Options { return group.Options{By: by} }

// factored gives every run a build, the same runs in both.
func factored(in Input) Input {
	in.Columns = append(slices.Clone(in.Columns), datasets.Column{Name: "build", Kind: datasets.TextKind, Role: datasets.Factor})
	in.Runs = slices.Clone(in.Runs)
	for i := range in.Runs {
		r := &in.Runs[i]
		r.Factors = maps.Clone(r.Factors)
		r.Factors["build"] = datasets.Text([]string{"base", "lto"}[i/2%2])
	}
	return in
}

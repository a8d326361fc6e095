package compare

import (
	"math"
	"testing"

	"noisefloor/analysis"
)

const step = 1.01817

// By hand: of 10 in the bucket at 1 and 10 at 2, the 95th percentile lies nine
// tenths up the upper bucket, in log, from 2/sqrt(step) to 2 sqrt(step).
func TestQuantile(t *testing.T) {
	h := &Histogram{Centres: []float32{1, 2}, Counts: []uint32{10, 10}}
	near(t, "p95", Quantile(.95, step, h), 2*math.Pow(step, .9-.5), 1e-12)
	near(t, "p50 is the upper edge of the lower", Quantile(.5, step, h), math.Sqrt(step), 1e-12)
	near(t, "p0", Quantile(0, step, h), 1/math.Sqrt(step), 1e-12)
	a := &Histogram{Centres: []float32{2, 1}, Counts: []uint32{4, 10}} // in any order
	b := &Histogram{Centres: []float32{2, 3}, Counts: []uint32{6, 0}}
	near(t, "merged", Quantile(.95, step, a, b), Quantile(.95, step, h), 1e-12)
	if q := Quantile(.95, step); !math.IsNaN(q) {
		t.Errorf("%v of nothing", q)
	}
}

// Runs of a day and arm are merged, not averaged: 100 events at 1 and 1 of 1
// event at 8 have their median at 1, whatever the mean of the runs says.
func TestMergedHistograms(t *testing.T) {
	runs := session("d1 A 1 8", "d1 B 1 8", "d2 A 1 8", "d2 B 2 9", "d3 A 1 8", "d3 B 2 9")
	for i := range runs {
		count := uint32(100)
		if runs[i].Value >= 8 {
			count = 1
		}
		runs[i].Histogram = &Histogram{Centres: []float32{float32(runs[i].Value)}, Counts: []uint32{count}}
	}
	opt := Options{Better: -1, Grid: step, Quantile: .5}
	r := Judge(runs, opt)
	if r.Aggregate != MergedHistograms {
		t.Errorf("aggregate %s", r.Aggregate)
	}
	near(t, "ratio", r.Estimate, math.Pow(2, 2./3), .002) // the place inside the bucket moves a little
	silent[analysis.GridWidened](t, r)
	runs[0].Histogram = nil // then nothing is merged
	if r = Judge(runs, opt); r.Aggregate != MeanOfRuns {
		t.Errorf("aggregate %s with a run that has no histogram", r.Aggregate)
	}
}

// The largest value sysbench can print may stand for any larger one.
func TestCeiling(t *testing.T) {
	opt := Options{Better: -1, Grid: step, Ceiling: 100}
	r := Judge(session("d1 A 90", "d1 B 100", "d2 A 91", "d2 B 100"), opt)
	if w := warned[analysis.AtCeiling](t, r); w != (analysis.AtCeiling{Runs: 2, Ceiling: 100}) {
		t.Errorf("%+v", w)
	}
	silent[analysis.AtCeiling](t, Judge(session("d1 A 90", "d1 B 99", "d2 A 91", "d2 B 99"), opt))
}

package load

import (
	"math"
	"testing"

	"noisefloor/datasets"
)

func TestSum(t *testing.T) {
	row := func(t, tps float64) datasets.Interval {
		return datasets.Interval{T: t, Threads: 4, TPS: tps, LatencyPct: .01, Percentile: 95}
	}
	a := Run{Threads: 20000, Status: datasets.Complete, Options: map[string]datasets.Value{"time_s": datasets.Int(90), "seed": datasets.Int(1)},
		Metrics:   map[string]float64{"tps": 100, "events": 9000, "latency_sum": 90, "latency_min": .002, "latency_max": .5, "latency_avg": .01, "latency_p95": .02, "duration_s": 90, "fairness_events_sd": 1, "qps": 5},
		Intervals: datasets.IntervalsOf(row(1, 100), row(2, 110), row(3, 90)), Buckets: []datasets.Bucket{{Value: .001, Count: 3}, {Value: .002, Count: 1}}}
	b := Run{Threads: 12768, Status: datasets.Complete, Options: map[string]datasets.Value{"time_s": datasets.Int(90), "seed": datasets.Int(2)},
		Metrics:   map[string]float64{"tps": 60.5, "events": 1000, "latency_sum": 30, "latency_min": .001, "latency_max": .4, "latency_avg": .03, "latency_p95": .04, "duration_s": 90.5, "fairness_events_sd": 1},
		Intervals: datasets.IntervalsOf(row(1, 50), row(3, 60), row(3, 70), row(4, 1)), Buckets: []datasets.Bucket{{Value: .002, Count: 5}, {Value: .004, Count: 2}}}
	got := Sum([]Run{a, b})
	want := map[string]float64{"tps": 160.5, "events": 10000, "latency_sum": 120, "latency_min": .001, "latency_max": .5, "latency_avg": .012, "duration_s": 90.5} // by hand
	if len(got.Metrics) != len(want) {
		t.Errorf("%v", got.Metrics)
	}
	for name, v := range want {
		if got.Metrics[name] != v {
			t.Errorf("%s is %v, want %v", name, got.Metrics[name], v)
		}
	}
	if got.Threads != 32768 || got.Clients != 2 || got.Status != datasets.Complete || len(got.Options) != 1 {
		t.Errorf("%+v", got)
	}
	if iv := got.Intervals.Rows(); len(iv) != 2 || iv[0].TPS != 150 || iv[1].T != 3 || iv[1].TPS != 150 || iv[1].Threads != 8 || !math.IsNaN(iv[1].LatencyPct) {
		t.Errorf("%v", iv)
	}
	if k := got.Buckets; len(k) != 3 || k[1] != (datasets.Bucket{Value: .002, Count: 6}) {
		t.Errorf("%v", k)
	}
	b.Status, b.Buckets = datasets.Truncated, nil
	if got := Sum([]Run{a, b}); got.Status != datasets.Truncated || got.Buckets != nil {
		t.Errorf("%+v", got)
	}
}

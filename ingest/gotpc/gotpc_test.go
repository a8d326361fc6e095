package gotpc

import (
	"math"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/scantest"
)

// The texts have the shape of real logs; their numbers are ours.
const (
	tpcc = `go-tpc tpcc -H db1 -P 4000 -p hunter2 --warehouses 100 -T 64 --time 20s run
[Current] DELIVERY - Takes(s): 9.9, Count: 400, TPM: 2424.2, Sum(ms): 24000.0, Avg(ms): 60.0, 50th(ms): 54.5, 90th(ms): 92.3, 95th(ms): 104.9, 99th(ms): 159.4, 99.9th(ms): 260.0, Max(ms): 302.0
[Current] NEW_ORDER - Takes(s): 9.9, Count: 4500, TPM: 27272.7, Sum(ms): 135000.0, Avg(ms): 30.0, 50th(ms): 27.3, 90th(ms): 46.1, 95th(ms): 54.5, 99th(ms): 79.7, 99.9th(ms): 142.6, Max(ms): 151.0
[Current] PAYMENT - Takes(s): 9.9, Count: 4300, TPM: 26060.6, Sum(ms): 64500.0, Avg(ms): 15.0, 50th(ms): 14.2, 90th(ms): 22.0, 95th(ms): 26.2, 99th(ms): 41.9, 99.9th(ms): 75.5, Max(ms): 80.0
[Current] DELIVERY - Takes(s): 10.0, Count: 410, TPM: 2460.0, Sum(ms): 24600.0, Avg(ms): 60.0, 50th(ms): 54.5, 90th(ms): 92.3, 95th(ms): 104.9, 99th(ms): 159.4, 99.9th(ms): 260.0, Max(ms): 302.0
[Current] NEW_ORDER - Takes(s): 10.0, Count: 4550, TPM: 27300.0, Sum(ms): 136500.0, Avg(ms): 30.0, 50th(ms): 27.3, 90th(ms): 46.1, 95th(ms): 52.4, 99th(ms): 79.7, 99.9th(ms): 142.6, Max(ms): 151.0
[Current] NEW_ORDER_ERR - Takes(s): 10.0, Count: 5, TPM: 30.0, Sum(ms): 50.0, Avg(ms): 10.0, 50th(ms): 10.0, 90th(ms): 10.0, 95th(ms): 10.0, 99th(ms): 10.0, 99.9th(ms): 10.0, Max(ms): 10.0
[Current] PAYMENT - Takes(s): 10.0, Count: 4340, TPM: 26040.0, Sum(ms): 65100.0, Avg(ms): 15.0, 50th(ms): 14.2, 90th(ms): 22.0, 95th(ms): 26.2, 99th(ms): 41.9, 99.9th(ms): 75.5, Max(ms): 80.0
Finished
[Summary] DELIVERY - Takes(s): 19.9, Count: 810, TPM: 2442.2, Sum(ms): 48600.0, Avg(ms): 60.0, 50th(ms): 54.5, 90th(ms): 92.3, 95th(ms): 104.9, 99th(ms): 159.4, 99.9th(ms): 260.0, Max(ms): 302.0
[Summary] NEW_ORDER - Takes(s): 20.0, Count: 9050, TPM: 27150.0, Sum(ms): 271500.0, Avg(ms): 30.0, 50th(ms): 27.3, 90th(ms): 46.1, 95th(ms): 54.5, 99th(ms): 79.7, 99.9th(ms): 142.6, Max(ms): 151.0
[Summary] NEW_ORDER_ERR - Takes(s): 20.0, Count: 5, TPM: 15.0, Sum(ms): 50.0, Avg(ms): 10.0, 50th(ms): 10.0, 90th(ms): 10.0, 95th(ms): 10.0, 99th(ms): 10.0, 99.9th(ms): 10.0, Max(ms): 10.0
[Summary] PAYMENT - Takes(s): 20.0, Count: 8640, TPM: 25920.0, Sum(ms): 129600.0, Avg(ms): 15.0, 50th(ms): 14.2, 90th(ms): 22.0, 95th(ms): 26.2, 99th(ms): 41.9, 99.9th(ms): 75.5, Max(ms): 80.0
tpmC: 27150.0, tpmTotal: 55500.0, efficiency: 2111.2%
`
	older = `[Summary] NEW_ORDER - Takes(s): 20.0, Count: 9050, TPM: 27150.0, Sum(ms): 271500, Avg(ms): 30, 90th(ms): 48, 99th(ms): 80, 99.9th(ms): 144
tpmC: 27150.0, efficiency: 2111.2%
`
	tpch = `[Current] Q1: 3.96s
[Current] Q2: 1.04s
[Summary] Q1: 3.96s
[Summary] Q2: 1.04s
`
)

var logs = []string{tpcc, older, tpch, tpcc + tpcc}

func TestTPCC(t *testing.T) {
	f := scantest.Text(t, Tool, tpcc)
	if len(f.Runs) != 1 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	r := f.Runs[0]
	if r.Status != datasets.Complete || r.Threads != 64 || r.Workload != "tpcc" || r.Options["warehouses"] != datasets.Int(100) || len(r.Options) != 1 {
		t.Errorf("%s", scantest.Dump(r))
	}
	// By hand: 810 + 9050 + 8640 transactions in 20 s.
	is(t, r, map[string]float64{"tpmc": 27150, "tpm": 55500, "transactions": 18500, "new_orders": 9050, "tps": 925, "errors": 5, "errors_per_s": .25, "duration_s": 20,
		"latency_avg": .03, "latency_p50": .0273, "latency_p90": .0461, "latency_p95": .0545, "latency_p99": .0797, "latency_p999": .1426, "latency_max": .151})
	if r.Intervals.Len() != 2 || r.Intervals.At(0).T != 9.9 || r.Intervals.At(1).T != 19.9 || r.Intervals.At(1).TPS != 930 || r.Intervals.At(1).Errors != .5 || r.Intervals.At(1).LatencyPct != .0524 {
		t.Errorf("%v", r.Intervals.Rows())
	}
}

func TestOlder(t *testing.T) {
	is(t, scantest.Text(t, Tool, older).Runs[0], map[string]float64{"tpmc": 27150, "transactions": 9050, "new_orders": 9050, "tps": 452.5, "errors": 0, "errors_per_s": 0, "duration_s": 20,
		"latency_avg": .03, "latency_p90": .048, "latency_p99": .08, "latency_p999": .144})
}

func TestTPCH(t *testing.T) {
	f := scantest.Text(t, Tool, tpch)
	if len(f.Runs) != 1 || f.Runs[0].Workload != "tpch" {
		t.Fatalf("%v", f)
	}
	is(t, f.Runs[0], map[string]float64{"elapsed": 5, "q1_elapsed": 3.96, "q2_elapsed": 1.04})
}

func TestKilled(t *testing.T) {
	f := scantest.Text(t, Tool, tpcc[:strings.Index(tpcc, "Finished")])
	if len(f.Runs) != 1 || f.Runs[0].Status != datasets.Truncated || f.Runs[0].Intervals.Len() != 1 || len(f.Runs[0].Metrics) > 0 {
		t.Errorf("%v", f)
	}
}

func is(t *testing.T, r load.Run, want map[string]float64) {
	t.Helper()
	if len(r.Metrics) != len(want) {
		t.Errorf("%s", scantest.Dump(r))
	}
	for name, v := range want {
		if math.Abs(r.Metrics[name]-v) > 1e-12*v {
			t.Errorf("%s is %v, want %v", name, r.Metrics[name], v)
		}
	}
}

package tpccmysql

import (
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/scantest"
)

// The texts have the shape of real logs; their numbers are ours.
const (
	current = `***************************************
*** ###easy### TPC-C Load Generator ***
***************************************
option h with value '127.0.0.1'
option w with value '100'
option c with value '32'
option r with value '10'
option l with value '30'
<Parameters>
     [server]: 127.0.0.1
     [port]: 3306
     [DBname]: tpcc
       [user]: root
       [pass]: hunter2
  [warehouse]: 100
 [connection]: 32
     [rampup]: 10 (sec.)
    [measure]: 30 (sec.)

RAMP-UP TIME.(10 sec.)

MEASURING START.

  10, trx: 12920, 95%: 9.483, 99%: 18.738, max_rt: 213.169, 12919|98.778, 1292|101.096, 1293|443.955, 1293|670.842
  20, trx: 12666, 95%: 7.074, 99%: 15.578, max_rt: 53.733, 12668|50.420, 1267|35.846, 1266|58.292, 1267|37.421
  30, trx: 13269, 95%: 6.806, 99%: 13.126, max_rt: 41.425, 13267|27.968, 1327|32.242, 1327|40.529, 1327|29.580

STOPPING THREADS................................

<Raw Results>
  [0] sc:38000 lt:855  rt:0  fl:3 avg_rt: 5.2 (5)
  [1] sc:38854 lt:0  rt:0  fl:0 avg_rt: 2.1 (5)
  [2] sc:3886 lt:0  rt:0  fl:0 avg_rt: 1.2 (5)
  [3] sc:3886 lt:0  rt:0  fl:0 avg_rt: 10.0 (80)
  [4] sc:3887 lt:0  rt:0  fl:0 avg_rt: 5.0 (20)
 in 30 sec.

<Raw Results2(sum ver.)>
  [0] sc:38001  lt:855  rt:0  fl:3
  [1] sc:38854  lt:0  rt:0  fl:0
  [2] sc:3886  lt:0  rt:0  fl:0
  [3] sc:3886  lt:0  rt:0  fl:0
  [4] sc:3887  lt:0  rt:0  fl:0

<Constraint Check> (all must be [OK])
 [transaction percentage]
        Payment: 43.42% (>=43.0%) [OK]
   Order-Status: 4.34% (>= 4.0%) [OK]
       Delivery: 4.34% (>= 4.0%) [OK]
    Stock-Level: 4.34% (>= 4.0%) [OK]
 [response time (at least 90% passed)]
      New-Order: 97.80%  [OK]
        Payment: 100.00%  [OK]
   Order-Status: 100.00%  [OK]
       Delivery: 100.00%  [OK]
    Stock-Level: 100.00%  [OK]

<TpmC>
                 77710.000 TpmC
`
	old = `***************************************
*** ###easy### TPC-C Load Generator ***
***************************************
<Parameters>
  [warehouse]: 10
 [connection]: 16
MEASURING START.

  10, 1292(0):1.8|2.2, 1291(0):0.6|0.9, 129(0):0.3|0.3, 129(0):2.0|2.0, 130(0):4.6|5.2
  20, 1300(3):1.8|2.2, 1299(0):0.6|0.9, 130(0):0.3|0.3, 131(0):2.0|2.0, 130(0):4.6|5.2
`
)

var logs = []string{current, old, current + current}

func TestCurrent(t *testing.T) {
	f := scantest.Text(t, Tool, current)
	if len(f.Runs) != 1 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	r := f.Runs[0]
	if r.Status != datasets.Complete || r.Threads != 32 || r.Workload != "tpcc" || r.Options["warehouses"] != datasets.Int(100) || r.Options["rampup_s"] != datasets.Int(10) {
		t.Errorf("%s", scantest.Dump(r))
	}
	// By hand: 38855+38854+3886+3886+3887 transactions in 30 s.
	is(t, r, map[string]float64{"tpmc": 77710, "transactions": 89368, "new_orders": 38855, "tps": 89368. / 30, "errors": 3, "errors_per_s": .1, "duration_s": 30, "latency_avg": .0052})
	if r.Intervals.Len() != 3 || r.Intervals.At(1).TPS != 2913.4 || r.Intervals.At(1).LatencyPct != .007074 || r.Intervals.At(1).Percentile != 95 { // by hand: 12666+12668+1267+1266+1267 in 10 s
		t.Errorf("%v", r.Intervals.Rows())
	}
	if strings.Contains(f.String(), "hunter2") {
		t.Errorf("the password came out: %v", f)
	}
}

func TestOld(t *testing.T) {
	r := scantest.Text(t, Tool, old).Runs[0]
	if r.Status != datasets.Truncated || r.Threads != 16 || r.Intervals.Len() != 2 || r.Intervals.At(0).TPS != 297.1 || r.Intervals.At(0).LatencyPct == r.Intervals.At(0).LatencyPct {
		t.Errorf("%s", scantest.Dump(r))
	}
}

func TestDisagreement(t *testing.T) {
	f := scantest.Text(t, Tool, strings.Replace(current, "77710.000", "77000.000", 1))
	if len(f.Problems) != 1 || f.Problems[0].Text != "38855 new orders in 30 s are 77710.000 per minute, the log says 77000.000" {
		t.Errorf("%v", f)
	}
}

func TestTwoRuns(t *testing.T) {
	if f := scantest.Text(t, Tool, current+current); len(f.Runs) != 2 || f.Runs[1].Metrics["tpmc"] != 77710 || f.Runs[1].Intervals.Len() != 3 {
		t.Errorf("%v", f)
	}
}

func is(t *testing.T, r load.Run, want map[string]float64) {
	t.Helper()
	if len(r.Metrics) != len(want) {
		t.Errorf("%s", scantest.Dump(r))
	}
	for name, v := range want {
		if r.Metrics[name] != v {
			t.Errorf("%s is %v, want %v", name, r.Metrics[name], v)
		}
	}
}

package ycsb

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
	java = `Command line: -db site.ycsb.db.JdbcClient -P workloads/workloada -threads 16 -p db.passwd=hunter2 -p recordcount=1000000 -t
YCSB Client 0.17.0

Loading workload...
Starting test.
2026-01-31 10:11:12:345 0 sec: 0 operations; est completion in 0 second
2026-01-31 10:11:22:345 10 sec: 494000 operations; 49400 current ops/sec; est completion in 11 seconds [READ: Count=247000, Max=20015, Min=90, Avg=312.0, 90=450, 99=900, 99.9=2100, 99.99=9000] [UPDATE: Count=247000, Max=30015]
2026-01-31 10:11:32:455 20 sec: 1000000 operations; 50049.46 current ops/sec; [CLEANUP: Count=16, Max=5, Min=0, Avg=1, 90=1, 99=5, 99.9=5, 99.99=5]
[OVERALL], RunTime(ms), 20110
[OVERALL], Throughput(ops/sec), 49726.504226752855
[TOTAL_GCS_PS_Scavenge], Count, 7
[READ], Operations, 499540
[READ], AverageLatency(us), 312.0
[READ], MinLatency(us), 90
[READ], MaxLatency(us), 20015
[READ], 95thPercentileLatency(us), 512
[READ], 99thPercentileLatency(us), 900
[READ], Return=OK, 499540
[CLEANUP], Operations, 16
[UPDATE], Operations, 500460
[UPDATE], AverageLatency(us), 412.5
[UPDATE], Return=OK, 500400
[UPDATE], Return=ERROR, 60
`
	goYCSB = `***************** properties *****************
"threadcount"="16"
"mysql.password"="hunter2"
"recordcount"="1000000"
"dotransactions"="true"
**********************************************
READ   - Takes(s): 10.0, Count: 499540, OPS: 49954.0, Avg(us): 312, Min(us): 90, Max(us): 20015, 50th(us): 290, 90th(us): 450, 95th(us): 512, 99th(us): 900, 99.9th(us): 2100, 99.99th(us): 9000
TOTAL  - Takes(s): 10.0, Count: 999540, OPS: 99954.0, Avg(us): 400, Min(us): 90, Max(us): 20015, 50th(us): 290, 90th(us): 450, 95th(us): 512, 99th(us): 900, 99.9th(us): 2100, 99.99th(us): 9000
UPDATE - Takes(s): 10.0, Count: 500000, OPS: 50000.0, Avg(us): 488, Min(us): 90, Max(us): 20015, 50th(us): 290, 90th(us): 450, 95th(us): 512, 99th(us): 900, 99.9th(us): 2100, 99.99th(us): 9000
Run finished, takes 20.00038017s
READ   - Takes(s): 20.0, Count: 1000540, OPS: 50027.0, Avg(us): 312, Min(us): 90, Max(us): 20015, 50th(us): 290, 90th(us): 450, 95th(us): 512, 99th(us): 900, 99.9th(us): 2100, 99.99th(us): 9000
TOTAL  - Takes(s): 20.0, Count: 2000540, OPS: 100027.0, Avg(us): 400, Min(us): 90, Max(us): 20015, 50th(us): 290, 90th(us): 450, 95th(us): 512, 99th(us): 900, 99.9th(us): 2100, 99.99th(us): 9000
UPDATE - Takes(s): 20.0, Count: 1000000, OPS: 50000.0, Avg(us): 488, Min(us): 90, Max(us): 20015, 50th(us): 290, 90th(us): 450, 95th(us): 512, 99th(us): 900, 99.9th(us): 2100, 99.99th(us): 9000
`
)

var logs = []string{java, goYCSB, java + java}

func TestJava(t *testing.T) {
	f := scantest.Text(t, Tool, java)
	if len(f.Runs) != 1 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	r := f.Runs[0]
	if r.Status != datasets.Complete || r.Threads != 16 || r.Workload != "workloada" || r.Version != "0.17.0" || r.Options["records"] != datasets.Int(1000000) || r.Options["phase"] != datasets.Text("run") {
		t.Errorf("%s", scantest.Dump(r))
	}
	is(t, r, map[string]float64{"duration_s": 20.11, "ops": 49726.504226752855, "errors": 60, "read_operations": 499540, "read_latency_avg": .000312, "read_latency_min": .00009,
		"read_latency_max": .020015, "read_latency_p95": .000512, "read_latency_p99": .0009, "update_operations": 500460, "update_latency_avg": .0004125})
	if r.Intervals.Len() != 2 || r.Intervals.At(0).T != 10 || r.Intervals.At(1).TPS != 50049.46 {
		t.Errorf("%v", r.Intervals.Rows())
	}
	if strings.Contains(f.String(), "hunter2") {
		t.Errorf("the password came out: %v", f)
	}
}

func TestGo(t *testing.T) {
	f := scantest.Text(t, Tool, goYCSB)
	if len(f.Runs) != 1 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	r := f.Runs[0]
	if r.Status != datasets.Complete || r.Threads != 16 || r.Options["phase"] != datasets.Text("run") {
		t.Errorf("%s", scantest.Dump(r))
	}
	is(t, r, map[string]float64{"duration_s": 20, "ops": 100027, "read_operations": 1000540, "update_operations": 1000000,
		"latency_avg": .0004, "latency_min": .00009, "latency_max": .020015, "latency_p50": .00029, "latency_p90": .00045, "latency_p95": .000512, "latency_p99": .0009, "latency_p999": .0021, "latency_p9999": .009,
		"read_latency_avg": .000312, "read_latency_min": .00009, "read_latency_max": .020015, "read_latency_p50": .00029, "read_latency_p90": .00045, "read_latency_p95": .000512, "read_latency_p99": .0009, "read_latency_p999": .0021, "read_latency_p9999": .009,
		"update_latency_avg": .000488, "update_latency_min": .00009, "update_latency_max": .020015, "update_latency_p50": .00029, "update_latency_p90": .00045, "update_latency_p95": .000512, "update_latency_p99": .0009, "update_latency_p999": .0021, "update_latency_p9999": .009})
	if r.Intervals.Len() != 1 || r.Intervals.At(0).TPS != 99954 { // by hand: (499540 + 500000) / 10
		t.Errorf("%v", r.Intervals.Rows())
	}
}

func TestKilled(t *testing.T) {
	for _, text := range []string{java[:strings.Index(java, "[OVERALL]")], goYCSB[:strings.Index(goYCSB, "Run finished")]} {
		f := scantest.Text(t, Tool, text)
		if len(f.Runs) != 1 || f.Runs[0].Status != datasets.Truncated || len(f.Runs[0].Metrics) > 0 {
			t.Errorf("%v", f)
		}
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

package hammerdb

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
	console = `HammerDB CLI v4.12
Copyright (C) 2003-2024 Steve Shaw
Type "help" for a list of commands
Database set to MySQL
Benchmark set to TPC-C for MySQL
Changed connection:mysql_host from 127.0.0.1 to db1 for MySQL
Changed tpcc:mysql_pass from mysql to hunter2 for MySQL
Changed tpcc:mysql_count_ware from 1 to 20 for MySQL
Value true for tpcc:mysql_allwarehouse is the same as existing value true, no change made
Dictionary Settings for MySQL
tpcc       {
 mysql_num_vu           = 4
 mysql_pass             = hunter2
 mysql_storage_engine   = innodb
}
Script loaded, Type "print script" to view
TEST SEQUENCE STARTED
4 VU TEST
Vuser 1 created MONITOR - WAIT IDLE
Vuser 2 created - WAIT IDLE
5 Virtual Users Created with Monitor VU
Vuser 1:RUNNING
Vuser 1:DBVersion:8.0.44
Vuser 1:Beginning rampup time of 5 minutes
Vuser 2:RUNNING
Vuser 2:Processing 10000000 transactions with output suppressed...
Vuser 1:Rampup 1 minutes complete ...
Timer: 1 minutes elapsed
Vuser 1:Rampup complete, Taking start Transaction Count.
Vuser 1:Timing test period of 10 in minutes
Vuser 1:1 ...,
24840 MySQL tpm
Vuser 1:Test complete, Taking end Transaction Count.
Vuser 1:4 Active Virtual Users configured
Vuser 1:TEST RESULT : System achieved 8153 NOPM from 24772 MySQL TPM
Vuser 1:FINISHED SUCCESS
Vuser 2:FINISHED SUCCESS
ALL VIRTUAL USERS COMPLETE
vudestroy success
8 VU TEST
Vuser 1:Beginning rampup time of 5 minutes
Vuser 1:Timing test period of 10 in minutes
Vuser 1:8 Active Virtual Users configured
Vuser 1:TEST RESULT : System achieved 15010 NOPM from 45011 MySQL TPM
>>>>> PROC: NEWORD
CALLS: 150100	MIN: 0.567ms	AVG: 1.867ms	MAX: 100.902ms	TOTAL: 290932.117ms
P99: 4.567ms	P95: 3.132ms	P50: 1.672ms	SD: 881.192	RATIO: 53.183%
>>>>> PROC: PAYMENT
CALLS: 150100	MIN: 0.167ms	AVG: 0.867ms	MAX: 90.902ms	TOTAL: 90932.117ms
TEST SEQUENCE COMPLETE
`
	logFile = `Hammerdb Log @ Fri Jul 05 09:54:28 BST 2019
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
Vuser 1:Beginning rampup time of 2 minutes
Timestamp 1 @ Fri Jul 05 09:54:28 BST 2019
Vuser 1:Timing test period of 5 in minutes
Error in Virtual User 2: mysqlexec/db server: Lost connection to MySQL server during query
Vuser 2:FINISHED FAILED
Vuser 1:TEST RESULT : System achieved 260515 MariaDB TPM at 112135 NOPM
`
	one     = "Vuser 1:TEST RESULT : System achieved 112135 NOPM from 260515 MariaDB TPM\n"
	queries = `HammerDB CLI v5.0
Benchmark set to TPC-H for MariaDB
1 VU TEST
Vuser 1:Executing Query 14 (1 of 22)
Vuser 1:Completed 1 query set(s) in 23 seconds
Vuser 1:Geometric mean of query times returning rows (21) is 0.63241
Vuser 1:FINISHED SUCCESS
`
	build = `HammerDB CLI v4.12
Benchmark set to TPC-C for MySQL
BUILDING 20 WAREHOUSES WITH 5 VIRTUAL USERS, 4 ACTIVE = 5 TOTAL
Vuser 1:CREATING TPCC SCHEMA
Vuser 2:Loading Warehouse 1
Vuser 1:TPCC SCHEMA COMPLETE
`
)

var logs = []string{console, logFile, one, queries, build}

func is(t *testing.T, r load.Run, status datasets.Status, threads int, want map[string]float64) {
	t.Helper()
	if r.Threads != threads || r.Status != status || len(r.Metrics) != len(want) {
		t.Errorf("%s", scantest.Dump(r))
	}
	for name, v := range want {
		if got := r.Metrics[name]; math.Abs(got-v) > 1e-15*math.Abs(v) {
			t.Errorf("%s is %v, want %v", name, got, v)
		}
	}
}

func TestConsole(t *testing.T) {
	f := scantest.Text(t, Tool, console)
	if len(f.Runs) != 2 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	is(t, f.Runs[0], datasets.Complete, 4, map[string]float64{"nopm": 8153, "tpm": 24772, "duration_s": 600})
	is(t, f.Runs[1], datasets.Complete, 8, map[string]float64{"nopm": 15010, "tpm": 45011, "duration_s": 600,
		"latency_min": .000567, "latency_avg": .001867, "latency_max": .100902, "latency_p99": .004567, "latency_p95": .003132, "latency_p50": .001672})
	r := f.Runs[0]
	if r.Version != "4.12" || r.Workload != "tproc-c" || r.Options["warehouses"] != datasets.Int(20) || r.Options["rampup_s"] != datasets.Float(300) ||
		r.Options["server_version"] != datasets.Text("8.0.44") || r.Options["all_warehouses"] != datasets.Bool(true) {
		t.Errorf("%s", scantest.Dump(r))
	}
	if strings.Contains(f.String(), "hunter2") {
		t.Errorf("the password came out: %v", f)
	}
}

func TestLogFile(t *testing.T) {
	f := scantest.Text(t, Tool, logFile)
	if len(f.Runs) != 1 || len(f.Problems) != 1 || f.Problems[0].Count != 2 || f.Runs[0].Stamp != "Fri Jul 05 09:54:28 BST 2019" {
		t.Fatalf("%v", f)
	}
	is(t, f.Runs[0], datasets.FatalWithSummary, 0, map[string]float64{"nopm": 112135, "tpm": 260515, "duration_s": 300})
}

func TestOneLine(t *testing.T) {
	is(t, scantest.Text(t, Tool, one).Runs[0], datasets.Complete, 0, map[string]float64{"nopm": 112135, "tpm": 260515})
}

func TestQueries(t *testing.T) {
	f := scantest.Text(t, Tool, queries)
	is(t, f.Runs[0], datasets.Complete, 1, map[string]float64{"duration_s": 23, "elapsed": 23, "query_time_geomean": .63241})
	if f.Runs[0].Workload != "tproc-h" {
		t.Errorf("%v", f)
	}
}

func TestBuildIsNoRun(t *testing.T) {
	if f := scantest.Text(t, Tool, build); len(f.Runs) > 0 {
		t.Errorf("%v", f)
	}
}

func TestCut(t *testing.T) {
	f := scantest.Text(t, Tool, console[:strings.Index(console, "Vuser 1:Test complete")])
	if len(f.Runs) != 1 || f.Runs[0].Status != datasets.Truncated {
		t.Errorf("%v", f)
	}
}

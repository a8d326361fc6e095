package pgbench

import (
	"math"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/scantest"
)

// What pgbench 15.18 wrote on a machine that had other work, and below a summary as
// versions before 9.6 and 14 wrote it.
const (
	steps = `pgbench (15.18 (Debian 15.18-0+deb12u1))
starting vacuum...end.
progress: 1.0 s, 581.9 tps, lat 6.709 ms stddev 16.693, 0 failed
progress: 2.0 s, 561.1 tps, lat 7.179 ms stddev 14.628, 0 failed
progress: 3.0 s, 372.0 tps, lat 10.627 ms stddev 20.154, 0 failed
progress: 4.0 s, 552.8 tps, lat 7.334 ms stddev 10.817, 0 failed
progress: 5.0 s, 686.8 tps, lat 5.785 ms stddev 4.999, 0 failed
progress: 6.0 s, 767.5 tps, lat 5.195 ms stddev 5.699, 0 failed
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 2
query mode: simple
number of clients: 4
number of threads: 2
maximum number of tries: 1
duration: 6 s
number of transactions actually processed: 3526
number of failed transactions: 0 (0.000%)
latency average = 6.795 ms
latency stddev = 12.479 ms
initial connection time = 13.274 ms
tps = 588.002122 (without initial connection time)
`
	limited = `pgbench (15.18 (Debian 15.18-0+deb12u1))
starting vacuum...end.
progress: 1.0 s, 188.7 tps, lat 8.400 ms stddev 11.078, 0 failed, lag 2.195 ms, 7 skipped
progress: 2.0 s, 213.5 tps, lat 5.253 ms stddev 7.576, 0 failed, lag 0.755 ms, 5 skipped
progress: 3.0 s, 201.0 tps, lat 3.895 ms stddev 2.625, 0 failed, lag 0.342 ms, 0 skipped
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 2
query mode: simple
number of clients: 4
number of threads: 2
maximum number of tries: 1
duration: 4 s
number of transactions actually processed: 782
number of failed transactions: 0 (0.000%)
number of transactions skipped: 31 (3.813%)
number of transactions above the 20.0 ms latency limit: 34/782 (4.348%)
latency average = 6.177 ms
latency stddev = 9.557 ms
rate limit schedule lag: avg 1.261 (max 19.798) ms
initial connection time = 12.787 ms
tps = 196.183356 (without initial connection time)
statement latencies in milliseconds and failures:
         0.002           0  \set aid random(1, 100000 * :scale)
         0.001           0  \set bid random(1, 1 * :scale)
         0.001           0  \set tid random(1, 10 * :scale)
         0.001           0  \set delta random(-5000, 5000)
         0.556           0  BEGIN;
         0.176           0  UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
         0.130           0  SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
         0.131           0  UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
         0.956           0  UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;
         0.096           0  INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);
         2.867           0  END;
`
	prepared = `pgbench (15.18 (Debian 15.18-0+deb12u1))
starting vacuum...end.
transaction type: <builtin: select only>
scaling factor: 2
query mode: prepared
number of clients: 2
number of threads: 1
maximum number of tries: 1
number of transactions per client: 200
number of transactions actually processed: 400/400
number of failed transactions: 0 (0.000%)
latency average = 0.272 ms
initial connection time = 8.649 ms
tps = 7362.008356 (without initial connection time)
statement latencies in milliseconds and failures:
         0.000           0  \set aid random(1, 100000 * :scale)
         0.180           0  SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
`
	connecting = `pgbench (15.18 (Debian 15.18-0+deb12u1))
starting vacuum...end.
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 2
query mode: simple
number of clients: 2
number of threads: 1
maximum number of tries: 1
duration: 3 s
number of transactions actually processed: 365
number of failed transactions: 0 (0.000%)
latency average = 16.468 ms
average connection time = 4.774 ms
tps = 121.448788 (including reconnection times)
`
	several = `pgbench (15.18 (Debian 15.18-0+deb12u1))
starting vacuum...end.
transaction type: multiple scripts
scaling factor: 2
query mode: simple
number of clients: 2
number of threads: 1
maximum number of tries: 3
duration: 3 s
number of transactions actually processed: 8289
number of failed transactions: 0 (0.000%)
number of transactions retried: 0 (0.000%)
total number of retries: 0
latency average = 0.723 ms
initial connection time = 5.841 ms
tps = 2765.849747 (without initial connection time)
SQL script 1: a.sql
 - weight: 3 (targets 75.0% of total)
 - 6298 transactions (76.0% of total, tps = 2101.498577)
 - number of failed transactions: 0 (0.000%)
 - number of transactions retried: 0 (0.000%)
 - total number of retries: 0
 - latency average = 0.126 ms
 - latency stddev = 1.501 ms
 - statement latencies in milliseconds, failures and retries:
         0.126           0           0  select 1;
SQL script 2: <builtin: simple update>
 - weight: 1 (targets 25.0% of total)
 - 1991 transactions (24.0% of total, tps = 664.351170)
 - number of failed transactions: 0 (0.000%)
 - number of transactions retried: 0 (0.000%)
 - total number of retries: 0
 - latency average = 2.570 ms
 - latency stddev = 5.073 ms
 - statement latencies in milliseconds, failures and retries:
         0.001           0           0  \set aid random(1, 100000 * :scale)
         0.000           0           0  \set bid random(1, 1 * :scale)
         0.000           0           0  \set tid random(1, 10 * :scale)
         0.000           0           0  \set delta random(-5000, 5000)
         0.068           0           0  BEGIN;
         0.234           0           0  UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
         0.219           0           0  SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
         0.141           0           0  INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);
         1.906           0           0  END;
`
	before14 = "transaction type: TPC-B (sort of)\nscaling factor: 10\nquery mode: simple\nnumber of clients: 10\nnumber of threads: 1\nnumber of transactions per client: 1000\nnumber of transactions actually processed: 10000/10000\n" +
		"latency average: 117.235 ms\ntps = 85.184871 (including connections establishing)\ntps = 85.296346 (excluding connections establishing)\n"
)

var logs = []string{steps, limited, prepared, connecting, several, before14, "$ PGPASSWORD=hunter2 pgbench -c 4 -R 200 db\n" + steps + before14}

func one(t *testing.T, text string) load.Run {
	t.Helper()
	f := scantest.Text(t, Tool, text)
	if len(f.Runs) != 1 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	return f.Runs[0]
}

func is(t *testing.T, r load.Run, status datasets.Status, threads int, workload string, want map[string]float64) {
	t.Helper()
	if r.Status != status || r.Threads != threads || r.Workload != workload || len(r.Metrics) != len(want) {
		t.Errorf("%s", scantest.Dump(r))
	}
	for name, v := range want {
		if got, ok := r.Metrics[name]; !ok || math.Abs(got-v) > 1e-12*v {
			t.Errorf("%s is %v, want %v", name, got, v)
		}
	}
}

// The numbers are those of the texts, milliseconds / 1000.
func TestSummaries(t *testing.T) {
	r := one(t, steps)
	is(t, r, datasets.Complete, 4, "TPC-B (sort of)", map[string]float64{"tps": 588.002122, "transactions": 3526, "errors": 0, "latency_avg": .006795, "latency_stddev": .012479, "duration_s": 6})
	if r.Version != "15.18" || r.Options["scale"] != datasets.Int(2) || r.Options["worker_threads"] != datasets.Int(2) || r.Options["time_s"] != datasets.Int(6) || r.Options["query_mode"] != datasets.Text("simple") {
		t.Errorf("%s", scantest.Dump(r))
	}
	if iv := r.Intervals.Rows(); len(iv) != 6 || iv[0].T != 1 || iv[5].T != 6 || iv[5].TPS != 767.5 || iv[5].Errors != 0 {
		t.Errorf("%v", iv)
	}
	r = one(t, limited)
	is(t, r, datasets.Complete, 4, "TPC-B (sort of)", map[string]float64{"tps": 196.183356, "transactions": 782, "errors": 0, "transactions_skipped": 31, "transactions_late": 34, "latency_avg": .006177, "latency_stddev": .009557, "lag_avg": .001261, "lag_max": .019798, "duration_s": 4})
	r = one(t, prepared) // pgbench makes tps of count and time, so does this of them the time: 400 / 7362.008356
	is(t, r, datasets.Complete, 2, "select only", map[string]float64{"tps": 7362.008356, "transactions": 400, "errors": 0, "latency_avg": .000272, "duration_s": 400 / 7362.008356})
	is(t, one(t, connecting), datasets.Complete, 2, "TPC-B (sort of)", map[string]float64{"tps": 121.448788, "transactions": 365, "errors": 0, "latency_avg": .016468, "duration_s": 3})
	// What single scripts did is not the run's.
	is(t, one(t, several), datasets.Complete, 2, "multiple scripts", map[string]float64{"tps": 2765.849747, "transactions": 8289, "errors": 0, "transactions_retried": 0, "retries": 0, "latency_avg": .000723, "duration_s": 3})
	is(t, one(t, before14), datasets.Complete, 10, "TPC-B (sort of)", map[string]float64{"tps": 85.296346, "transactions": 10000, "latency_avg": .117235, "duration_s": 10000 / 85.296346})
	is(t, one(t, strings.Replace(prepared, "<builtin: select only>", "/home/me/a b.sql", 1)), datasets.Complete, 2, "a b.sql", map[string]float64{"tps": 7362.008356, "transactions": 400, "errors": 0, "latency_avg": .000272, "duration_s": 400 / 7362.008356})
}

// pgbench names the server where its version is another than its own.
func TestServerVersion(t *testing.T) {
	for banner, want := range map[string][2]string{
		"pgbench (15.18 (Debian 15.18-0+deb12u1))":                                          {"15.18", "15.18"},
		"pgbench (18beta3, server 13.22)":                                                   {"18beta3", "13.22"},
		"pgbench (16.4 (Ubuntu 16.4-1.pgdg22.04+1), server 17.0 (Debian 17.0-1.pgdg120+1))": {"16.4", "17.0"},
	} {
		r := one(t, banner+prepared[strings.IndexByte(prepared, '\n'):])
		if r.Version != want[0] || r.Options["server_version"] != datasets.Text(want[1]) {
			t.Errorf("%s: %s", banner, scantest.Dump(r))
		}
	}
	if _, ok := one(t, before14).Options["server_version"]; ok {
		t.Error("a server that no line tells")
	}
}

func TestBroken(t *testing.T) {
	// Killed: the progress is there, and no totals.
	r := one(t, steps[:strings.Index(steps, "transaction type")])
	if is(t, r, datasets.Truncated, 0, "", nil); r.Intervals.Len() != 6 {
		t.Errorf("%v", r.Intervals.Rows())
	}
	is(t, one(t, steps[:strings.Index(steps, "tps = ")]), datasets.Truncated, 4, "TPC-B (sort of)", map[string]float64{"transactions": 3526, "errors": 0, "latency_avg": .006795, "latency_stddev": .012479})
	// A client that gave up.
	f := scantest.Text(t, Tool, "pgbench: error: client 3 script 0 aborted in command 4 query 0: ERROR:  deadlock detected\n"+steps+"pgbench: error: Run was aborted; the above results are incomplete.\n")
	if len(f.Runs) != 1 || f.Runs[0].Status != datasets.FatalWithSummary || len(f.Problems) != 1 || f.Problems[0].Kind != "client-aborted" || f.Problems[0].Line != 1 {
		t.Errorf("%v", f)
	}
	f = scantest.Text(t, Tool, "pgbench (15.18 (Debian 15.18-0+deb12u1))\npgbench: error: connection to server on socket \"/tmp/.s.PGSQL.5432\" failed: No such file or directory\n")
	if len(f.Runs) != 1 || f.Runs[0].Status != datasets.FailedToStart {
		t.Errorf("%v", f)
	}
}

func TestSeveralRuns(t *testing.T) {
	f := scantest.Text(t, Tool, "$ PGPASSWORD=hunter2 pgbench -c 4 -R 200 db\n"+steps+prepared+before14+steps)
	if len(f.Runs) != 4 || len(f.Problems) > 0 || f.Runs[0].Options["rate"] != datasets.Int(200) || f.Runs[3].Intervals.Len() != 6 || strings.Contains(f.String(), "hunter2") {
		t.Errorf("%v", f)
	}
}

// pgbench -i, and its list of transactions, are no run.
func TestOthers(t *testing.T) {
	prepare := "dropping old tables...\ncreating tables...\ngenerating data (client-side)...\n100000 of 200000 tuples (50%) done (elapsed 0.12 s, remaining 0.12 s)\nvacuuming...\ncreating primary keys...\n" +
		"done in 0.66 s (drop tables 0.00 s, create tables 0.05 s, client-side generate 0.40 s, vacuum 0.08 s, primary keys 0.13 s).\n"
	if f := scantest.Text(t, Tool, prepare); !Sniff([]byte(prepare)) || len(f.Runs) > 0 || len(f.Problems) > 0 {
		t.Errorf("%v", f)
	}
	if Sniff([]byte("0 1 2592 0 1796080791 611548\n")) || Sniff([]byte("we ran pgbench (see below)\n")) {
		t.Error("taken for a report")
	}
}

// --progress-timestamp.
func TestTimeOfDay(t *testing.T) {
	r := one(t, "progress: 1796080790.0 s, 500.0 tps, lat 1.000 ms stddev 0.100\nprogress: 1796080795.0 s, 600.0 tps, lat 1.000 ms stddev 0.100\n")
	if iv := r.Intervals.Rows(); r.Stamp != "2026-11-30T23:19:45Z" || len(iv) != 2 || iv[0].T != 5 || iv[1].T != 10 || iv[1].TPS != 600 { // date -u -d @1796080785
		t.Errorf("%q %v", r.Stamp, iv)
	}
}

package mysqlslap

import (
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/scantest"
)

// The texts have the shape of real reports; their numbers are ours.
const (
	report = `mysqlslap --concurrency=8,16 --iterations=3 --auto-generate-sql --auto-generate-sql-load-type=mixed -uroot -phunter2
Benchmark
	Running for engine innodb
	Average number of seconds to run all queries: 1.250 seconds
	Minimum number of seconds to run all queries: 1.201 seconds
	Maximum number of seconds to run all queries: 1.402 seconds
	Number of clients running queries: 8
	Average number of queries per client: 125

Benchmark
	Running for engine innodb
	Average number of seconds to run all queries: 0.500 seconds
	Minimum number of seconds to run all queries: 0.480 seconds
	Maximum number of seconds to run all queries: 0.530 seconds
	Number of clients running queries: 16
	Average number of queries per client: 62

`
	noEngine = `Benchmark
	Average number of seconds to run all queries: 0.001 seconds
	Minimum number of seconds to run all queries: 0.001 seconds
	Maximum number of seconds to run all queries: 0.002 seconds
	Number of clients running queries: 4
	Average number of queries per client: 0
`
	csv = "innodb,mixed,1.250,1.201,1.402,8,125\ninnodb,mixed,0.500,0.480,0.530,16,62\n,read,2.000,1.900,2.100,1,1000\n"
)

var logs = []string{report, noEngine, csv}

func TestReport(t *testing.T) {
	f := scantest.Text(t, Tool, report)
	if len(f.Runs) != 2 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	is(t, f.Runs[0], 8, map[string]float64{"elapsed": 1.25, "elapsed_min": 1.201, "elapsed_max": 1.402, "qps": 800})    // by hand: 8 x 125 / 1.25
	is(t, f.Runs[1], 16, map[string]float64{"elapsed": .5, "elapsed_min": .48, "elapsed_max": .53, "qps": 16 * 62 * 2}) // by hand
	if r := f.Runs[0]; r.Workload != "mixed" || r.Options["engine"] != datasets.Text("innodb") || r.Options["queries_per_client"] != datasets.Int(125) {
		t.Errorf("%s", scantest.Dump(r))
	}
}

func TestFewQueries(t *testing.T) { // 0 queries for each client say nothing
	f := scantest.Text(t, Tool, noEngine)
	is(t, f.Runs[0], 4, map[string]float64{"elapsed": .001, "elapsed_min": .001, "elapsed_max": .002})
}

func TestCSV(t *testing.T) {
	f := scantest.Text(t, Tool, csv)
	if len(f.Runs) != 3 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	is(t, f.Runs[2], 1, map[string]float64{"elapsed": 2, "elapsed_min": 1.9, "elapsed_max": 2.1, "qps": 500}) // by hand
	if f.Runs[2].Workload != "read" {
		t.Errorf("%s", scantest.Dump(f.Runs[2]))
	}
}

func TestCut(t *testing.T) {
	f := scantest.Text(t, Tool, report[:len(report)-60])
	if len(f.Runs) != 2 || f.Runs[0].Status != datasets.Complete || f.Runs[1].Status != datasets.Truncated {
		t.Errorf("%v", f)
	}
}

func is(t *testing.T, r load.Run, threads int, want map[string]float64) {
	t.Helper()
	if r.Threads != threads || r.Status != datasets.Complete || len(r.Metrics) != len(want) {
		t.Errorf("%s", scantest.Dump(r))
	}
	for name, v := range want {
		if r.Metrics[name] != v {
			t.Errorf("%s is %v, want %v", name, r.Metrics[name], v)
		}
	}
}

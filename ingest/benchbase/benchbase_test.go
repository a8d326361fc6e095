package benchbase

import (
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// The texts have the shape of real summaries, of BenchBase 2023 and of OLTP-Bench; their
// numbers are ours.
const (
	summary = `{
 "Start timestamp (milliseconds)": 1772471782702,
 "Current Timestamp (milliseconds)": 1772471847872,
 "Elapsed Time (nanoseconds)": 60000083167,
 "DBMS Type": "MYSQL",
 "DBMS Version": "8.4.3",
 "Benchmark Type": "tpcc",
 "Final State": "EXIT",
 "Measured Requests": 20124,
 "isolation": "TRANSACTION_SERIALIZABLE",
 "scalefactor": "1",
 "terminals": "4",
 "Latency Distribution": {
  "95th Percentile Latency (microseconds)": 21760,
  "Maximum Latency (microseconds)": 83377,
  "Median Latency (microseconds)": 10669,
  "Minimum Latency (microseconds)": 2185,
  "25th Percentile Latency (microseconds)": 4564,
  "90th Percentile Latency (microseconds)": 20857,
  "99th Percentile Latency (microseconds)": 38279,
  "75th Percentile Latency (microseconds)": 17479,
  "Average Latency (microseconds)": 11850
 },
 "Throughput (requests/second)": 335.3995356515603,
 "Goodput (requests/second)": 330.2999954258213
}
`
	oltpbench = `{
    "Current Timestamp (milliseconds)": 1772471847872,
    "isolation": "TRANSACTION_READ_COMMITTED",
    "DBMS Version": null,
    "terminals": "16",
    "DBMS Type": "mysql",
    "Latency Distribution": {
        "95th Percentile Latency (microseconds)": 51237,
        "Maximum Latency (microseconds)": 76220,
        "Average Latency (microseconds)": 29874
    },
    "Benchmark Type": "ycsb",
    "scalefactor": "10.0",
    "Throughput (requests/second)": 1333.5
}
`
)

var oneLine = strings.ReplaceAll(strings.TrimSuffix(summary, "\n"), "\n", "") + "\n"

func TestSummary(t *testing.T) {
	for _, text := range []string{summary, oneLine} {
		f := scantest.Text(t, Tool, text)
		if len(f.Runs) != 1 || len(f.Problems) > 0 {
			t.Fatalf("%v", f)
		}
		r := f.Runs[0]
		if r.Status != datasets.Complete || r.Threads != 4 || r.Workload != "tpcc" || r.Stamp != "2026-03-02T17:16:22.702Z" || // date -u -d @1772471782
			r.Options["version"] != datasets.Text("8.4.3") || r.Options["product"] != datasets.Text("mysql") || r.Options["isolation"] != datasets.Text("serializable") || r.Options["scale"] != datasets.Int(1) {
			t.Errorf("%s %s", r.Stamp, scantest.Dump(r))
		}
		want := map[string]float64{"tps": 335.3995356515603, "goodput_per_s": 330.2999954258213, "requests": 20124, "duration_s": 60.000083167, "latency_min": .002185, "latency_p25": .004564, "latency_p50": .010669,
			"latency_p75": .017479, "latency_p90": .020857, "latency_p95": .02176, "latency_p99": .038279, "latency_max": .083377, "latency_avg": .01185}
		for name, v := range want {
			if r.Metrics[name] != v {
				t.Errorf("%s is %v, want %v", name, r.Metrics[name], v)
			}
		}
		if len(r.Metrics) != len(want) {
			t.Errorf("%s", scantest.Dump(r))
		}
	}
	f := scantest.Text(t, Tool, oltpbench+summary)
	if len(f.Runs) != 2 || f.Runs[0].Status != datasets.Complete || f.Runs[0].Threads != 16 || f.Runs[0].Metrics["tps"] != 1333.5 || f.Runs[0].Options["version"] != (datasets.Value{}) || f.Runs[0].Stamp != "2026-03-02T17:17:27.872Z" {
		t.Errorf("%v", f)
	}
	f = scantest.Text(t, Tool, summary[:strings.Index(summary, ` "Throughput`)])
	if len(f.Runs) != 1 || f.Runs[0].Status != datasets.Truncated {
		t.Errorf("%v", f)
	}
	f = scantest.Text(t, Tool, strings.Replace(summary, "21760", "-1", 1))
	if _, has := f.Runs[0].Metrics["latency_p95"]; has || len(f.Problems) != 1 || f.Problems[0].Kind != "impossible-number" || f.Problems[0].Line != 14 {
		t.Errorf("%v", f)
	}
	if Sniff([]byte(`{"tps": 100, "latency": {"p95": 1}}`)) {
		t.Error("taken for a summary")
	}
}

package table

import (
	"math"
	"testing"

	"noisefloor/datasets/unit"
)

func TestKnown(t *testing.T) {
	check := func(heading, name, base string, scale float64, better unit.Better) {
		t.Helper()
		gotName, u, gotScale, ok := known(heading)
		if !ok || gotName != name || u.Name != base || math.Abs(gotScale/scale-1) > 1e-12 || u.Better != better {
			t.Errorf("%s: got %s, %+v, %v, %v", heading, gotName, u, gotScale, ok)
		}
	}
	check("p99_us", "latency_p99", "s", 1e-6, unit.Lower)
	check("P99[μs]", "latency_p99", "s", 1e-6, unit.Lower)
	check("avg_us", "latency_avg", "s", 1e-6, unit.Lower)
	check("Avg[ms]", "latency_avg", "s", 1e-3, unit.Lower)
	check("95th percentile (ms)", "latency_p95", "s", 1e-3, unit.Lower)
	check("lat_ms", "latency", "s", 1e-3, unit.Lower)
	check("latency_p95_ms", "latency_p95", "s", 1e-3, unit.Lower)
	check("p99 latency (ms)", "latency_p99", "s", 1e-3, unit.Lower)
	check("tps", "tps", "1/s", 1, unit.Higher)
	check("TotalQPS", "qps", "1/s", 1, unit.Higher)
	check("Transactions per Second (TPS)", "tps", "1/s", 1, unit.Higher)
	check("Transactions per second", "tps", "1/s", 1, unit.Higher)
	check("queries_per_sec", "qps", "1/s", 1, unit.Higher)
	check("Throughput (QPS)", "qps", "1/s", 1, unit.Higher)
	check("New Orders per Minute (NOPM)", "nopm", "1/min", 1, unit.Higher)
	check("throughput", "throughput", "1/s", 1, unit.Higher)
	check("seconds_per_100k", "seconds_per_100k", "s", 1, unit.Lower)
	for _, h := range []string{"y", "Yield", "diameter", "arm", "max", "min", "p"} {
		if name, u, _, ok := known(h); ok {
			t.Errorf("%s: taken for the metric %s, %+v", h, name, u)
		}
	}
}

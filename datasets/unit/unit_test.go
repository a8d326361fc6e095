package unit

import (
	"fmt"
	"math"
	"testing"
)

func TestOf(t *testing.T) {
	is := func(metric, name string, better Better) {
		t.Helper()
		if got := Of(metric); got != (Unit{name, better}) {
			t.Errorf("Of(%q) = %+v, want %q %v", metric, got, name, better)
		}
	}
	is("tps", "1/s", Higher)
	is("qps", "1/s", Higher)
	is("eps", "1/s", Higher)
	is("steady_tps", "1/s", Higher)
	is("TPS", "1/s", Higher)
	is("avg_tps", "1/s", Higher)
	is("tps_avg", "1/s", Higher)
	is("nopm", "1/min", Higher)
	is("tpm", "1/min", Higher)
	is("reads_per_s", "1/s", Higher)
	is("other_per_s", "1/s", Higher)
	is("errors_per_s", "1/s", Lower)
	is("ignored_errors_per_s", "1/s", Lower)
	is("reconnects_per_s", "1/s", Lower)
	is("read_misses_per_s", "1/s", Lower) // a miss is a miss, even of a read
	is("read_bytes_per_s", "B/s", Neither)
	is("checkpoints_per_s", "1/s", Neither) // a rate of something not known
	is("latency_avg", "s", Lower)
	is("latency_p95", "s", Lower)
	is("latency_pct", "s", Lower)
	is("steady_latency_p99", "s", Lower)
	is("p99", "s", Lower)
	is("p99.9", "s", Lower)
	is("duration", "s", Lower)
	is("duration_s", "s", Lower)
	is("elapsed", "s", Lower)
	is("seconds_per_100k", "s", Lower)
	is("query_time", "s", Lower)
	is("fairness_time_stddev", "s", Neither)
	is("fairness_events_avg", "1", Neither)
	is("rss", "B", Neither)
	is("peak_rss", "B", Neither)
	is("bytes", "B", Neither)
	is("transactions", "1", Neither)
	is("errors", "1", Lower)
	is("instructions", "", Neither)
	is("pool", "", Neither) // begins with p, but is no percentile
	is("", "", Neither)
	is("instructions/transactions", "", Neither)
	is("elapsed/transactions", "s", Lower)
	is("bytes/transactions", "B", Neither)
	is("tps/qps", "1", Higher)
	is("bytes/latency", "B/s", Neither)
	is("latency/tps", "s/(1/s)", Lower)
	is("threads/latency", "1/s", Neither)
}

func TestHeading(t *testing.T) {
	is := func(h, name, text string, factor float64) {
		t.Helper()
		n, u, f := Heading(h)
		if n != name || u != text || f != factor {
			t.Errorf("Heading(%q) = %q %q %g, want %q %q %g", h, n, u, f, name, text, factor)
		}
	}
	// Headings seen in the wild.
	is("P99[μs]", "p99", "μs", 1e-6) // Greek mu
	is("P99[µs]", "p99", "µs", 1e-6) // micro sign
	is("tps (1/s)", "tps", "1/s", 1)
	is("avg_us", "avg", "us", 1e-6)
	is("latency_ms_95th_percentile", "latency_95th_percentile", "ms", 1e-3)
	is("p95_ms", "p95", "ms", 1e-3)
	is("latencyAvgMs", "latency_avg", "ms", 1e-3)
	is("seconds_per_100k", "seconds_per_100k", "", 1)
	is("Time, s", "time", "s", 1)
	is("Time, min", "time", "min", 60)
	is("Time (h)", "time", "h", 3600)
	is("RSS (MiB)", "rss", "MiB", 1<<20)
	is("RSS [KiB]", "rss", "KiB", 1<<10)
	is("size KB", "size", "kb", 1e3)
	is("Read (kB)", "read", "kB", 1e3)
	is("Latency ms", "latency", "ms", 1e-3)
	is("Lat.avg(ms)", "lat_avg", "ms", 1e-3)
	is("elapsed_s", "elapsed", "s", 1)
	is("duration_s", "duration", "s", 1)
	is("tps", "tps", "", 1)
	is("ms", "time", "ms", 1e-3)
	is("(ms)", "time", "ms", 1e-3)
	is("bytes", "bytes", "bytes", 1)
	// Rates.
	is("req/s", "req_per_s", "1/s", 1)
	is("queries_per_sec", "queries_per_s", "1/s", 1)
	is("errors_per_s", "errors_per_s", "1/s", 1)
	is("orders (1/min)", "orders", "1/min", 1.0/60)
	is("read [MB/s]", "read", "MB/s", 1e6)
	is("read_mb_per_s", "read_bytes_per_s", "mb/s", 1e6)
	is("load (kops/s)", "load", "kops/s", 1e3)
	is("load (K/s)", "load", "K/s", 1e3)
	is("net (Mbit/s)", "net", "Mbit/s", 125000)
	is("rows (k)", "rows", "k", 1e3)
	is("rows (M)", "rows", "M", 1e6)
	is("rows (G)", "rows", "G", 1e9)
	// What looks like a unit and is none.
	is("latency_min", "latency_min", "", 1) // the smallest, not minutes
	is("min", "min", "", 1)
	is("arm_b", "arm_b", "", 1)
	is("Plan (b)", "plan_b", "", 1)
	is("Thread(s)", "threads", "", 1)
	is("Time(s)", "time", "s", 1)
	is("avg(s)", "avg", "s", 1)
	is("Lag (s)", "lag", "s", 1)
	is("errors_per_min", "errors_per_min", "", 1)
	is("latency (p95)", "latency_p95", "", 1)
	is("latency, p95", "latency_p95", "", 1)
	// Names.
	is("MySQL Version", "mysql_version", "", 1)
	is("InnoDB buffer pool", "innodb_buffer_pool", "", 1)
	is("CPU (%)", "cpu_pct", "", 1)
	is("  Threads  ", "threads", "", 1)
	is("スレッド", "スレッド", "", 1)
	is("***", "unnamed", "", 1)
	is("", "unnamed", "", 1)
}

func TestWith(t *testing.T) {
	is := func(name, text string, want Unit) {
		t.Helper()
		if got := With(name, text); got != want {
			t.Errorf("With(%q, %q) = %+v, want %+v", name, text, got, want)
		}
	}
	is("avg", "us", Unit{"s", Lower})
	is("p99", "μs", Unit{"s", Lower})
	is("throughput", "MB/s", Unit{"B/s", Higher})
	is("something", "1/s", Unit{"1/s", Neither})
	is("tps", "", Unit{"1/s", Higher})
}

func TestScale(t *testing.T) {
	is := func(u string, values []float64, unit string, factor float64) {
		t.Helper()
		if got := ScaleFor(Unit{Name: u}, values...); got != (Scale{unit, factor}) {
			t.Errorf("ScaleFor(%q, %v) = %+v, want %q %g", u, values, got, unit, factor)
		}
	}
	is("s", []float64{0.0021, 0.0008, 0.31}, "ms", 1e-3)
	is("s", []float64{1, 2, 3}, "s", 1)
	is("s", []float64{math.Nextafter(1, 0)}, "ms", 1e-3) // both sides of a threshold
	is("s", []float64{4e-6}, "µs", 1e-6)
	is("s", []float64{0, math.NaN(), math.Inf(1), 2}, "s", 1) // only the 2 has a say
	is("s", nil, "s", 1)
	is("B", []float64{3 << 20}, "MiB", 1<<20)
	is("B", []float64{1023}, "B", 1)
	is("B/s", []float64{1 << 30}, "GiB/s", 1<<30)
	is("1/s", []float64{45123}, "1/s", 1)
	is("1/s", []float64{451230}, "k/s", 1e3)
	is("1", []float64{2e6}, "M", 1e6)
	is("1", []float64{12}, "", 1)
	is("1/min", []float64{260515}, "k/min", 1e3)
	is("s/(1/s)", []float64{1e-5}, "s/(1/s)", 1)
}

func TestFormat(t *testing.T) {
	is := func(s Scale, v float64, digits int, want string) {
		t.Helper()
		if got := s.Format(v, digits); got != want {
			t.Errorf("Format(%v, %d) = %q, want %q", v, digits, got, want)
		}
	}
	ms := Scale{"ms", 1e-3}
	is(ms, 0.0123456, 4, "12.35")
	is(ms, 0.5, 3, "500")
	is(Scale{}, 1234.6, 3, "1235")
	is(Scale{}, 9.996, 3, "10.0")
	is(Scale{}, 0.00012345, 3, "0.000123")
	is(Scale{}, -2.5, 2, "-2.5")
	is(Scale{}, 7, 1, "7")
	is(Scale{}, 7, 0, "7")
	is(Scale{}, 0, 3, "0")
	is(Scale{}, math.NaN(), 3, "–")
	is(Scale{}, math.Inf(1), 3, "∞")
	is(Scale{}, math.Inf(-1), 3, "-∞")
}

func ExampleHeading() {
	name, text, factor := Heading("P99[μs]")
	fmt.Println(name, text, factor, With(name, text))
	// Output: p99 μs 1e-06 {s lower}
}

func ExampleScale() {
	latencies := []float64{0.00231, 0.00087, 0.0124}
	scale := ScaleFor(Of("latency_p95"), latencies...)
	for _, v := range latencies {
		fmt.Println(scale.Format(v, 3), scale.Unit)
	}
	// Output:
	// 2.31 ms
	// 0.870 ms
	// 12.4 ms
}

func FuzzHeading(f *testing.F) {
	for _, h := range []string{"P99[μs]", "Time, s", "a/b (x)", "\xff(s)", "%", "[]", ",s", "0,\x88\xd6/h"} {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, h string) {
		name, _, factor := Heading(h)
		if name == "" || !(factor > 0) {
			t.Errorf("Heading(%q) = %q, factor %g", h, name, factor)
		}
	})
}

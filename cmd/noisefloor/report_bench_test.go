//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// manyRuns writes a data set of days x 4 arms x 10 thread counts x 5 runs, each
// with its report lines, days and runs scattering by 1 %.
func manyRuns(tb testing.TB, dir string, days, lines int) {
	tb.Helper()
	w, err := datasets.OpenWriter(dir)
	if err != nil {
		tb.Fatal(err)
	}
	defer w.Close()
	rng := rand.New(rand.NewPCG(1, 0))
	columns := []datasets.Column{
		{Name: "allocator", Kind: datasets.TextKind, Role: datasets.Factor},
		{Name: "tps", Kind: datasets.FloatKind, Role: datasets.Metric, Unit: unit.Of("tps")},
		{Name: "qps", Kind: datasets.FloatKind, Role: datasets.Metric, Unit: unit.Of("qps")},
		{Name: "latency_p95", Kind: datasets.FloatKind, Role: datasets.Metric, Unit: unit.Of("latency_p95")},
	}
	nan := math.NaN()
	start := time.Date(2025, 1, 1, 6, 0, 0, 0, time.UTC)
	for d := range days {
		b := &datasets.Batch{Columns: columns}
		order := 0
		dayEffect := 0.01 * rng.NormFloat64()
		for rep := range 5 {
			for t := range 10 {
				for arm, name := range []string{"glibc", "jemalloc", "mimalloc", "tcmalloc"} {
					order++
					threads := 1 << t
					id := fmt.Sprintf("%016x", rng.Uint64())
					path := fmt.Sprintf("day%03d/%s_%d_%dth.log", d, name, rep, threads)
					level := 1000 * math.Pow(float64(threads), 0.5) * math.Exp(dayEffect+0.01*rng.NormFloat64()+0.004*float64(arm))
					b.Runs = append(b.Runs, datasets.Run{
						ID: id, Source: path, Part: 1, SHA256: strings.Repeat(id, 4), Tool: "sysbench", ToolVersion: "1.0.20", Workload: "oltp_read_only", Status: datasets.Complete,
						Threads: threads, Duration: float64(10 * lines), Host: "db1", Day: start.AddDate(0, 0, d).Format(time.DateOnly), Launch: fmt.Sprintf("%s-%d", name, rep),
						Order: order, Started: start.AddDate(0, 0, d).Add(time.Duration(order) * time.Minute), StartedFrom: "log",
						Factors: map[string]datasets.Value{"allocator": datasets.Text(name)},
						Metrics: map[string]float64{"tps": level, "qps": 20 * level, "latency_p95": 0.005 * math.Exp(0.01*rng.NormFloat64())},
					})
					b.Sources = append(b.Sources, datasets.Source{Path: path, SHA256: strings.Repeat(id, 4), Size: 24816, Kind: "sysbench", Tool: "sysbench", Version: "1.0.20", Runs: 1})
					for i := range lines {
						tps := level * (1 + 0.03*rng.NormFloat64())
						b.Intervals.Add(datasets.Interval{RunID: id, T: float64(10 * (i + 1)), Threads: float64(threads), TPS: tps, QPS: 20 * tps,
							Reads: 14 * tps, Writes: 4 * tps, Other: 2 * tps, LatencyPct: 0.005, Percentile: 95, Errors: 0, Reconnects: 0, QueueLength: nan, Concurrency: nan})
					}
				}
			}
		}
		if err := w.Add(b); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkReportOfManyRuns times the command itself on data sets of 10 000 and
// 100 000 runs of 30 report lines, and 10 000 of 300. Bars on two cores: 2 s; 15 s
// and 1 GB; 2 s; pages below 5 MB.
func BenchmarkReportOfManyRuns(b *testing.B) {
	binary := built(b, b.TempDir())
	for _, size := range []struct{ days, lines int }{{50, 30}, {500, 30}, {50, 300}} {
		b.Run(fmt.Sprintf("%d-runs-of-%d-lines", 200*size.days, size.lines), func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "dataset")
			manyRuns(b, dir, size.days, size.lines)
			page := filepath.Join(b.TempDir(), "report.html")
			var seconds []float64
			var peak int64
			b.ResetTimer()
			for range max(3, b.N) {
				s, memory := timed(b, exec.Command(binary, "report", dir, "--html", page, "--quiet"))
				seconds, peak = append(seconds, s), max(peak, memory)
			}
			b.StopTimer()
			info, err := os.Stat(page)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(mid(seconds), "s/report")
			b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
			b.ReportMetric(float64(info.Size())/1e6, "page-MB")
		})
	}
}

// BenchmarkReport10000 is the same inside this process, for a profiler.
func BenchmarkReport10000(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "dataset")
	manyRuns(b, dir, 50, 30)
	page := filepath.Join(b.TempDir(), "report.html")
	for b.Loop() {
		if code := run(context.Background(), strings.NewReader(""), io.Discard, io.Discard, []string{"report", dir, "--html", page}); code != exitDone {
			b.Fatal(code)
		}
	}
}

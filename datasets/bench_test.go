package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// benchIntervals is report lines as sysbench 1.0 prints them: two decimals, and
// the columns that hardly change.
func benchIntervals(id string, n int, rng *rand.Rand) []Interval {
	round := func(x float64) float64 { return math.Round(x*100) / 100 }
	nan := math.NaN()
	rows := make([]Interval, n)
	for i := range rows {
		tps := round(1200 + 80*rng.NormFloat64())
		rows[i] = Interval{
			RunID: id, T: float64(i + 1), Threads: 8, TPS: tps, QPS: round(20 * tps), Reads: round(14 * tps), Writes: round(4*tps + rng.Float64()),
			Other: round(2*tps + rng.Float64()), LatencyPct: round(9+rng.NormFloat64()) / 1e3, Percentile: 95, QueueLength: nan, Concurrency: nan,
		}
	}
	return rows
}

// BenchmarkWriteIntervals stages and commits a million report lines of 300-line
// logs, one batch a log.
func BenchmarkWriteIntervals(b *testing.B) {
	const logs, lines = 3334, 300
	rng := rand.New(rand.NewPCG(1, 1))
	batches := make([]*Batch, logs)
	for i := range batches {
		id := fmt.Sprintf("%016x", rng.Uint64())
		batches[i] = &Batch{Runs: []Run{testRun(id, fmt.Sprintf("%d.log", i), 1)}, Intervals: IntervalsOf(benchIntervals(id, lines, rng)...)}
	}
	size := int64(0)
	b.SetBytes(logs * lines * intervalsLayout.rowBytes())
	b.ResetTimer()
	for b.Loop() {
		b.StopTimer()
		dir := b.TempDir()
		b.StartTimer()
		addTo(b, dir, batches...)
		b.StopTimer()
		for _, p := range partsOf(b, dir, intervalsTable) {
			size = p.Bytes
		}
		os.RemoveAll(dir)
		b.StartTimer()
	}
	b.ReportMetric(float64(logs*lines)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(size)/(logs*lines), "disk-B/row")
}

func BenchmarkReadIntervals(b *testing.B) {
	const lines = 1 << 20
	dir := b.TempDir()
	rng := rand.New(rand.NewPCG(1, 1))
	addTo(b, dir, &Batch{Runs: []Run{testRun("id", "x.log", 1)}, Intervals: IntervalsOf(benchIntervals("id", lines, rng)...)})
	b.SetBytes(lines * intervalsLayout.rowBytes())
	for b.Loop() {
		r := must(Open(dir))(b)
		sum := 0.0
		noError(b, r.Intervals(func(rows []Interval) error {
			for i := range rows {
				sum += rows[i].TPS
			}
			return nil
		}))
		r.Close()
	}
	b.ReportMetric(lines*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// benchRuns adds 100 000 runs with 8 factors and 12 metrics.
func benchRuns(b *testing.B, dir string) {
	w := must(OpenWriter(dir))(b)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 100 {
		batch := &Batch{}
		for k := range 1000 {
			r := testRun(fmt.Sprintf("%016x", rng.Uint64()), fmt.Sprintf("pgo/9.7.0/run%d_%d.log", i, k), 1)
			for f := range 6 {
				r.Factors[fmt.Sprintf("factor%d", f)] = Text(fmt.Sprint("level", k%(f+2)))
			}
			for m := range 10 {
				r.Metrics[fmt.Sprintf("metric%d", m)] = rng.NormFloat64()
			}
			batch.Runs = append(batch.Runs, r)
		}
		noError(b, w.Add(batch))
	}
	noError(b, w.Commit())
	noError(b, w.Close())
}

func BenchmarkReadRuns(b *testing.B) {
	dir := b.TempDir()
	benchRuns(b, dir)
	for b.Loop() {
		r := must(Open(dir))(b)
		runs, _, err := r.Runs()
		noError(b, err)
		r.Close()
		if len(runs) != 100_000 {
			b.Fatal(len(runs))
		}
	}
}

// BenchmarkOpenWriter is what an ingest pays before it can add the first run to
// a data set of 100 000.
func BenchmarkOpenWriter(b *testing.B) {
	dir := b.TempDir()
	benchRuns(b, dir)
	for b.Loop() {
		noError(b, must(OpenWriter(dir))(b).Close())
	}
}

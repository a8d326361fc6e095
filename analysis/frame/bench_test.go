package frame

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
)

// pandasRead times, in a pandas that is warm, the reading of the file whose name
// comes in.
const pandasRead = `
import sys, time
import pandas
for line in sys.stdin:
    start = time.perf_counter()
    rows = len(pandas.read_feather(line.strip()))
    print(time.perf_counter() - start, rows, flush=True)
`

// BenchmarkAgainstPandas reads a table of 1e6 report lines as a data frame, in
// turn with pandas on the same Arrow file, so that the ratio holds when the
// machine's speed drifts. Bar: 3 times pandas.
func BenchmarkAgainstPandas(b *testing.B) {
	python := os.Getenv("NOISEFLOOR_PYTHON")
	if python == "" {
		b.Fatal("NOISEFLOOR_PYTHON names no Python with pandas and pyarrow: just bench sets it")
	}
	dir := manyIntervals(b, 1_000_000)
	parts, err := filepath.Glob(filepath.Join(dir, "intervals", "*.arrow"))
	if err != nil || len(parts) != 1 {
		b.Fatal(err, parts)
	}
	pandas := exec.Command(python, "-c", pandasRead)
	pandas.Stderr = os.Stderr
	ask, err := pandas.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	answer, err := pandas.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := pandas.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(answer)
	read := func() float64 {
		fmt.Fprintln(ask, parts[0])
		if !lines.Scan() {
			b.Fatal("pandas gives no answer")
		}
		seconds, rows, _ := strings.Cut(lines.Text(), " ")
		v, err := strconv.ParseFloat(seconds, 64)
		if err != nil || rows != "1000000" {
			b.Fatal(err, lines.Text())
		}
		return v
	}
	read() // pandas loads the rest of itself
	var ours, theirs, ratios []float64
	b.ResetTimer()
	for range max(9, b.N) {
		start := time.Now()
		r, err := datasets.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		f, err := Read(r, "intervals")
		if err != nil || f.Nrow() != 1_000_000 {
			b.Fatal(err, f.Nrow())
		}
		r.Close()
		ours = append(ours, time.Since(start).Seconds())
		theirs = append(theirs, read())
		ratios = append(ratios, ours[len(ours)-1]/theirs[len(theirs)-1])
	}
	b.StopTimer()
	ask.Close()
	if err := pandas.Wait(); err != nil {
		b.Fatal(err)
	}
	for _, v := range [][]float64{ours, theirs, ratios} {
		slices.Sort(v)
	}
	b.ReportMetric(ratios[len(ratios)/2], "x-pandas")
	b.Logf("a frame %.3f s, pandas %.3f s (medians of %d, in turn)", ours[len(ours)/2], theirs[len(theirs)/2], len(ours))
}

// manyIntervals is a data set with so many report lines of 600 s runs.
func manyIntervals(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	w, err := datasets.OpenWriter(dir)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	cents := func(mean, sd float64) float64 { return math.Round(100*(mean+sd*rng.NormFloat64())) / 100 }
	for run := 0; run*600 < n; run++ {
		id := fmt.Sprintf("%016x", run+1)
		batch := &datasets.Batch{Runs: []datasets.Run{{ID: id, Source: id + ".log", Part: 1, Status: datasets.Complete}}}
		for t := range min(600, n-run*600) {
			tps := cents(1000, 20)
			batch.Intervals.Add(datasets.Interval{RunID: id, T: float64(t + 1), Threads: 8, TPS: tps, QPS: math.Round(2000*tps) / 100,
				Reads: math.Round(1400*tps) / 100, Writes: math.Round(400*tps) / 100, Other: math.Round(200*tps) / 100, LatencyPct: cents(8, 0.5) / 1000, Percentile: 95, QueueLength: math.NaN(), Concurrency: math.NaN()})
		}
		if err := w.Add(batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

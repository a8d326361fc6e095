//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// treeBytes is the size of the generated tree of logs.
const treeBytes = 1 << 30

// BenchmarkIngestAgainstMawk sets the ingest of a 1 GB tree of sysbench logs
// against one mawk that picks the columns of the report lines out of it. Bar: 4
// times mawk, under 256 MB; it was 3.9 to 4.4 times and 145 to 165 MB when this was
// written.
func BenchmarkIngestAgainstMawk(b *testing.B) { againstMawk(b, makeTree(treeBytes)) }

func againstMawk(b *testing.B, tree treeMaker) {
	ingestAgainst(b, "mawk", tree, `mawk '/thds:/{print $2,$5,$7,$9,$11,$14,$16,$18}' OFS=, "$@"`)
}

// treeMaker fills a folder and lists its logs.
type treeMaker = func(b *testing.B, dir string) (size int64, files []string)

// BenchmarkIngestAgainstScript sets it against what somebody published: a shell
// command in NOISEFLOOR_SCRIPT that has the logs in "$@". Bar: 10 times as fast as
// one that reads all columns.
func BenchmarkIngestAgainstScript(b *testing.B) {
	script := os.Getenv("NOISEFLOOR_SCRIPT")
	if script == "" {
		b.Skip(`no NOISEFLOOR_SCRIPT='command "$@"'`)
	}
	ingestAgainst(b, "script", makeTree(treeBytes/8), script)
}

// ingestAgainst reads the same files with both in turn, so that the ratio holds when
// the machine's speed drifts.
func ingestAgainst(b *testing.B, name string, logs treeMaker, command string) {
	dir := b.TempDir()
	binary := built(b, dir)
	tree := filepath.Join(dir, "logs")
	size, files := logs(b, tree)
	var ours, theirs, ratios []float64
	var peak int64
	syscall.Sync() // what has just been written is not to compete with what follows
	b.ResetTimer()
	for range max(3, b.N) {
		out := filepath.Join(dir, "dataset")
		if err := os.RemoveAll(out); err != nil {
			b.Fatal(err)
		}
		t1, memory := timed(b, exec.Command(binary, "ingest", tree, "--out", out, "--quiet"))
		t2, _ := timed(b, exec.Command("sh", append([]string{"-c", "{ " + command + "\n} > /dev/null", name}, files...)...))
		ours, theirs, ratios = append(ours, t1), append(theirs, t2), append(ratios, t2/t1)
		peak = max(peak, memory)
	}
	b.StopTimer()
	b.ReportMetric(mid(ratios), "x-"+name)
	b.ReportMetric(float64(size)/mid(ours)/1e6, "MB/s")
	b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
	b.Logf("%d files, %d MB: noisefloor %.2f s, %s %.2f s (medians of %d, in turn)", len(files), size>>20, mid(ours), name, mid(theirs), len(ours))
}

// BenchmarkIngestSmallLogs reads 100 000 logs of 5 to 15 report lines, and then the
// unchanged folder again. Bar: 10 000 files a second, under 256 MB.
func BenchmarkIngestSmallLogs(b *testing.B) {
	const logs = 100_000
	dir := b.TempDir()
	binary := built(b, dir)
	tree := filepath.Join(dir, "logs")
	rng := rand.New(rand.NewPCG(1, 0))
	for n := range logs {
		writeLog(b, tree, rng, n, 5+rng.IntN(11))
	}
	syscall.Sync()
	b.ResetTimer()
	for range b.N {
		out := filepath.Join(dir, "dataset")
		if err := os.RemoveAll(out); err != nil {
			b.Fatal(err)
		}
		for _, again := range []string{"", "-again"} {
			seconds, peak := timed(b, exec.Command(binary, "ingest", tree, "--out", out, "--quiet"))
			b.ReportMetric(logs/seconds, "files/s"+again)
			b.ReportMetric(float64(peak)/(1<<20), "peak-MB"+again)
		}
	}
}

func timed(b *testing.B, c *exec.Cmd) (seconds float64, peak int64) {
	b.Helper()
	start := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	seconds = time.Since(start).Seconds()
	if u, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = u.Maxrss << 10 // kB on Linux
	}
	return seconds, peak
}

func mid(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

// makeTree writes logs of 900 to 20 000 report lines, as real ones have.
func makeTree(bytes int64) treeMaker {
	return func(b *testing.B, dir string) (size int64, files []string) {
		b.Helper()
		rng := rand.New(rand.NewPCG(1, 0))
		for n := 0; size < bytes; n++ {
			name, written := writeLog(b, dir, rng, n, 900+rng.IntN(19_100))
			size += written
			files = append(files, name)
		}
		return size, files
	}
}

// writeLog writes the n-th log below a folder.
func writeLog(b *testing.B, dir string, rng *rand.Rand, n, seconds int) (name string, size int64) {
	b.Helper()
	threads := 1 << rng.IntN(10)
	name = filepath.Join(dir, fmt.Sprintf("9.%d.0", n%2), fmt.Sprintf("2026-01-%02d_run%d_%dth.log", 1+n/40%28, n, threads))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 64<<10)
	makeLog(w, rng, threads, seconds)
	err = w.Flush()
	if info, statErr := f.Stat(); statErr == nil {
		size = info.Size()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		b.Fatal(err)
	}
	return name, size
}

func makeLog(w *bufio.Writer, rng *rand.Rand, threads, seconds int) {
	fmt.Fprintf(w, "sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)\n\nRunning the test with following options:\nNumber of threads: %d\nReport intermediate results every 1 second(s)\nInitializing random number generator from current time\n\n\nInitializing worker threads...\n\nThreads started!\n\n", threads)
	events := 0
	for s := 1; s <= seconds; s++ {
		tps := 900 + 200*rng.Float64()
		events += int(tps)
		fmt.Fprintf(w, "[ %ds ] thds: %d tps: %.2f qps: %.2f (r/w/o: %.2f/%.2f/%.2f) lat (ms,95%%): %.2f err/s: 0.00 reconn/s: 0.00\n",
			s, threads, tps, 20*tps, 14*tps, 4*tps, 2*tps, 10+5*rng.Float64())
	}
	fmt.Fprintf(w, `SQL statistics:
    queries performed:
        read:                            %d
        write:                           %d
        other:                           %d
        total:                           %d
    transactions:                        %d (%.2f per sec.)
    queries:                             %d (%.2f per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          %d.0005s
    total number of events:              %d

Latency (ms):
         min:                                    1.05
         avg:                                    1.24
         max:                                   24.62
         95th percentile:                        1.39
         sum:                               %d.00

Threads fairness:
    events (avg/stddev):           %.4f/9.90
    execution time (avg/stddev):   %d.0/0.00

`, 14*events, 4*events, 2*events, 20*events, events, float64(events)/float64(seconds), 20*events, 20*float64(events)/float64(seconds),
		seconds, events, 999*seconds, float64(events)/float64(threads), seconds)
}

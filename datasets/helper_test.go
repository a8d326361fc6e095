package datasets

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// tb is *testing.T, *testing.B and *rapid.T.
type tb interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// same compares rows: NaN equals NaN, and a map without keys equals none.
var same = cmp.Options{
	cmpopts.EquateNaNs(), cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b Value) bool { return a == b }),
}

func wantSame(t tb, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got, same); d != "" {
		t.Fatalf("%s: -want +got\n%.4000s", what, d)
	}
}

func must[T any](v T, err error) func(tb) T {
	return func(t tb) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func noError(t tb, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// addTo opens the data set, adds the batches, commits and closes.
func addTo(t tb, dir string, batches ...*Batch) {
	t.Helper()
	w := must(OpenWriter(dir))(t)
	for _, b := range batches {
		noError(t, w.Add(b))
	}
	noError(t, w.Commit())
	noError(t, w.Close())
}

// content is a whole data set in memory.
type content struct {
	Runs      []Run
	Columns   []Column
	Intervals []Interval
	Buckets   []Bucket
	Stacks    []Stack
	Counters  []Counter
	Waits     []Wait
	Series    []Sample
	Settings  []Setting
	Problems  []Problem
	Sources   []Source
}

func readAll(t tb, dir string) content {
	t.Helper()
	r := must(Open(dir))(t)
	defer r.Close()
	return contentOf(t, r)
}

func contentOf(t tb, r *Reader) content {
	t.Helper()
	var c content
	var err error
	c.Runs, c.Columns, err = r.Runs()
	noError(t, err)
	noError(t, r.Intervals(func(rows []Interval) error { c.Intervals = append(c.Intervals, rows...); return nil }))
	noError(t, r.Buckets(func(rows []Bucket) error { c.Buckets = append(c.Buckets, rows...); return nil }))
	noError(t, r.Stacks(func(rows []Stack) error { c.Stacks = append(c.Stacks, rows...); return nil }))
	noError(t, r.Counters(func(rows []Counter) error { c.Counters = append(c.Counters, rows...); return nil }))
	noError(t, r.Waits(func(rows []Wait) error { c.Waits = append(c.Waits, rows...); return nil }))
	noError(t, r.Series(func(rows []Sample) error { c.Series = append(c.Series, rows...); return nil }))
	noError(t, r.Settings(func(rows []Setting) error { c.Settings = append(c.Settings, rows...); return nil }))
	c.Problems, err = r.Problems()
	noError(t, err)
	c.Sources = r.Sources()
	counts := map[string]int64{
		"runs": int64(len(c.Runs)), "intervals": int64(len(c.Intervals)), "histograms": int64(len(c.Buckets)),
		"stacks": int64(len(c.Stacks)), "counters": int64(len(c.Counters)), "waits": int64(len(c.Waits)), "series": int64(len(c.Series)),
		"settings": int64(len(c.Settings)), "problems": int64(len(c.Problems)),
	}
	wantSame(t, "Counts", r.Counts(), counts)
	return c
}

// testRun is a run of 8 threads with a version, tps and an unknown start.
func testRun(id, source string, part int) Run {
	return Run{
		ID: id, Source: source, Part: part, SHA256: "sha of " + source, Tool: "sysbench", ToolVersion: "1.0.20",
		Workload: "oltp_read_write", Status: Complete, Threads: 8, Duration: 25, Day: "2026-01-31", StartedFrom: "log",
		Factors: map[string]Value{"version": Text("9.7.0"), "rep": Int(int64(part))},
		Metrics: map[string]float64{"tps": 1000 + float64(part), "latency_p95": .0123},
	}
}

// testBatch is what one log gives: n runs of 5 report lines, 3 buckets, 2
// settings each, what was measured beside them, one problem.
func testBatch(source string, n int) *Batch {
	b := &Batch{
		Columns: []Column{{Name: "version", Kind: TextKind, Role: Factor, Guess: "path segment 1"}},
		Sources: []Source{{Path: source, SHA256: "sha of " + source, Size: 1000, Kind: "sysbench", Tool: "sysbench", Version: "1.0.20", Runs: n}},
	}
	b.Problems = []Problem{{Source: source, Line: 3, Kind: "unknown-line", Text: "WARNING: something", Count: 2}}
	for part := 1; part <= n; part++ {
		id := fmt.Sprintf("%s#%d", source, part)
		b.Runs = append(b.Runs, testRun(id, source, part))
		b.Intervals.Add(testIntervals(id, 5)...)
		for k := range 3 {
			b.Buckets = append(b.Buckets, Bucket{RunID: id, Value: .001 * float64(k+1), Count: int64(10 * k)})
		}
		addBeside(b, id)
		b.Settings = append(b.Settings,
			Setting{RunID: id, Source: source, Name: "innodb_buffer_pool_size", Value: "34359738368"},
			Setting{RunID: id, Source: source, Name: "sync_binlog", Value: ""})
	}
	return b
}

// addBeside adds a profile of two stacks, a counter, a wait and a series.
func addBeside(b *Batch, id string) {
	nan := math.NaN()
	n := float64(len(id))
	b.Stacks = append(b.Stacks,
		Stack{RunID: id, Event: "cycles", Comm: "mariadbd", Frames: []string{"start_thread", "do_command", "row_search_mvcc"}, Weight: 1e6 * n, Samples: n},
		Stack{RunID: id, Event: "cycles", Comm: "swapper", Weight: 5, Samples: nan})
	b.Counters = append(b.Counters, Counter{RunID: id, Event: "instructions", Value: 1e12 + n, RunningPct: 83.25, Scope: "CPU0", Variance: nan})
	b.Waits = append(b.Waits, Wait{RunID: id, Event: "wait/io/file/innodb/innodb_log_file", Count: 7, Sum: 1.5, AvgSessions: .06})
	b.Series.Add(Sample{RunID: id, T: 1, Source: "mpstat", Metric: "usr", Value: 97}, Sample{RunID: id, T: 2, Source: "mpstat", Metric: "usr", Value: nan})
}

func testIntervals(id string, n int) []Interval {
	nan := math.NaN()
	rows := make([]Interval, n)
	for i := range rows {
		x := float64(i + 1)
		rows[i] = Interval{RunID: id, T: x, Threads: 8, TPS: 1000 + x, QPS: 20000 + x, Reads: 14000 + x, Writes: 4000 + x, Other: 2000 + x,
			LatencyPct: .0123 + x/1e5, Percentile: 95, Errors: 0, Reconnects: 0, QueueLength: nan, Concurrency: nan}
	}
	return rows
}

// filesOf lists the files below dir, the lock apart.
func filesOf(t tb, dir string) []string {
	t.Helper()
	var names []string
	noError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && e.Name() != lockFile {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	}))
	return names
}

// onlyListed checks that nothing but listed parts and dataset.json is there.
func onlyListed(t tb, dir string) {
	t.Helper()
	m, _, err := readManifest(dir)
	noError(t, err)
	listed := m.files()
	for _, name := range filesOf(t, dir) {
		if name != manifestFile && !listed[name] {
			t.Errorf("%s is left over", name)
		}
	}
}

func partsOf(t tb, dir, table string) []part {
	t.Helper()
	m, _, err := readManifest(dir)
	noError(t, err)
	return m.Tables[table].Parts
}

func manifestBytes(t tb, dir string) string {
	t.Helper()
	return string(must(os.ReadFile(filepath.Join(dir, manifestFile)))(t))
}

func contains(t tb, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", parts)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not say %q", err, p)
		}
	}
}

var testTime = time.Date(2026, 1, 31, 12, 30, 15, 123456000, time.UTC)

// fastDir gives a folder in memory where there is one: what these tests are
// about does not depend on the disk, and they sync hundreds of times.
func fastDir(t tb) (dir string, remove func()) {
	t.Helper()
	for _, base := range []string{"/dev/shm", ""} {
		if dir, err := os.MkdirTemp(base, "noisefloor-test-"); err == nil {
			return dir, func() { os.RemoveAll(dir) }
		}
	}
	t.Fatal("no folder for temporary files")
	return "", nil
}

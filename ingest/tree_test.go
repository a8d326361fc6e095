package ingest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
)

// logText is what sysbench 1.0.20 prints for a short run of oltp_read_write.
// mark makes its bytes, and so the run, its own.
func logText(threads, intervals, mark int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\nNumber of threads: %d\n", threads)
	b.WriteString("Report intermediate results every 1 second(s)\nInitializing random number generator from current time\n\n\nInitializing worker threads...\n\nThreads started!\n\n")
	per := 100*threads + mark%97
	for i := range intervals {
		tps := float64(per)
		fmt.Fprintf(&b, "[ %ds ] thds: %d tps: %.2f qps: %.2f (r/w/o: %.2f/%.2f/%.2f) lat (ms,95%%): 9.22 err/s: 0.00 reconn/s: 0.00\n", i+1, threads, tps, 20*tps, 14*tps, 4*tps, 2*tps)
	}
	total := per * intervals
	fmt.Fprintf(&b, `SQL statistics:
    queries performed:
        read:                            %d
        write:                           %d
        other:                           %d
        total:                           %d
    transactions:                        %d  (%.2f per sec.)
    queries:                             %d (%.2f per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          %d.000%ds
    total number of events:              %d

Latency (ms):
         min:                                    1.04
         avg:                                    3.55
         max:                                   13.72
         95th percentile:                        5.88
         sum:                                %d.02

Threads fairness:
    events (avg/stddev):           %.4f/0.00
    execution time (avg/stddev):   %d.0000/0.00

`, 14*total, 4*total, 2*total, 20*total, total, float64(total)/float64(intervals), 20*total, 20*float64(total)/float64(intervals),
		intervals, mark%10, total, 100*mark, float64(total)/float64(threads), intervals)
	return b.String()
}

const failedLog = "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\nNumber of threads: 8\n\nInitializing worker threads...\n\n" +
	"FATAL: unable to connect to MySQL server on host 'db7', port 3306, aborting...\nFATAL: error 2003: Can't connect to MySQL server on 'db7' (111)\nFATAL: `thread_init' function failed: connection creation failed\n"

// tree writes files below a temporary folder. A value "log 8" is a log with that
// many threads, each file's different.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	plant(t, dir, files)
	return dir
}

func plant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for i, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		var threads int
		if n, _ := fmt.Sscanf(text, "log %d", &threads); n == 1 && len(text) < 8 {
			text = logText(threads, 5, i+1)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// memory is a sink that keeps a copy of everything.
type memory struct {
	batch   datasets.Batch
	columns map[string]datasets.Column
	ids     map[string]bool
	fresh   int // runs not seen before
	adds    int
	fail    error
}

func (m *memory) Add(b *datasets.Batch) error {
	if m.fail != nil {
		return m.fail
	}
	if m.columns == nil {
		m.columns, m.ids = map[string]datasets.Column{}, map[string]bool{}
	}
	m.adds++
	for _, c := range b.Columns {
		if _, ok := m.columns[c.Name]; !ok {
			m.columns[c.Name] = c
		}
	}
	for _, r := range b.Runs {
		if !m.ids[r.ID] {
			m.ids[r.ID] = true
			m.fresh++
		}
	}
	m.batch.Runs = append(m.batch.Runs, b.Runs...)
	m.batch.Intervals.Add(b.Intervals.Rows()...)
	m.batch.Buckets = append(m.batch.Buckets, b.Buckets...)
	m.batch.Stacks = append(m.batch.Stacks, b.Stacks...)
	m.batch.Counters = append(m.batch.Counters, b.Counters...)
	m.batch.Waits = append(m.batch.Waits, b.Waits...)
	m.batch.Series.Add(b.Series.Rows()...)
	m.batch.Settings = append(m.batch.Settings, b.Settings...)
	m.batch.Problems = append(m.batch.Problems, b.Problems...)
	m.batch.Sources = append(m.batch.Sources, b.Sources...)
	return nil
}

// run by its source; the test fails if there is not just one.
func (m *memory) run(t *testing.T, source string) datasets.Run {
	t.Helper()
	var found []datasets.Run
	for _, r := range m.batch.Runs {
		if r.Source == source {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d runs of %s", len(found), source)
	}
	return found[0]
}

// factors writes what was found out about a run: its factors, in order, and the
// built-in columns that ingest fills.
func (m *memory) factors(r datasets.Run) string {
	var parts []string
	for _, name := range []string{"threads", "workload", "day", "session", "launch", "order", "host", "started_from"} {
		if name == "workload" && r.Workload == guessedMix {
			continue // of nearly all logs here
		}
		if v := r.Value(name); !v.IsNull() {
			parts = append(parts, name+"="+v.String())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Factors)) {
		if m.columns[name].Guess != "the log" {
			parts = append(parts, name+"="+r.Factors[name].String())
		}
	}
	return strings.Join(parts, " ")
}

func (m *memory) problem(kind string) (datasets.Problem, bool) {
	i := slices.IndexFunc(m.batch.Problems, func(p datasets.Problem) bool { return p.Kind == kind })
	if i < 0 {
		return datasets.Problem{}, false
	}
	return m.batch.Problems[i], true
}

// ingestTree runs an ingest that must not fail.
func ingestTree(t *testing.T, opt Options, paths ...string) (*memory, Summary) {
	t.Helper()
	m := &memory{}
	s, err := Run(context.Background(), paths, opt, m)
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

// checkFactors ingests a tree and compares what was found out about some logs.
func checkFactors(t *testing.T, files map[string]string, opt Options, want map[string]string) (*memory, Summary) {
	t.Helper()
	m, s := ingestTree(t, opt, tree(t, files))
	for source, factors := range want {
		if got := m.factors(m.run(t, source)); got != factors {
			t.Errorf("%s:\ngot  %s\nwant %s\n%s", source, got, factors, strings.Join(s.Guesses, "\n"))
		}
	}
	return m, s
}

func mentions(list []string, text string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, text) })
}

// guessedMix is the workload that the statements of the logs here show.
const guessedMix = "oltp_read_write"

package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
)

func TestPresetDescribes(t *testing.T) {
	checkFactors(t, map[string]string{"series22/res06/sysbench.ro.8.res": "log 8", "series22/res07/sysbench.rw.16.res": "log 16"}, Options{Layout: []string{"hgxl64"}}, map[string]string{
		"series22/res06/sysbench.ro.8.res": "threads=8 workload=ro rep=6 series=22", "series22/res07/sysbench.rw.16.res": "threads=16 workload=rw rep=7 series=22",
	})
}

func TestExpressionLayout(t *testing.T) {
	checkFactors(t, map[string]string{"a-b-2026-01-31/x.log": "log 8"}, Options{Layout: []string{`^(?P<build>.+)-(?P<day>\d{4}-\d\d-\d\d)/`}}, map[string]string{"a-b-2026-01-31/x.log": "threads=8 day=2026-01-31 build=a-b"})
}

// The logs of parallel clients are one measurement.
func TestParallelClients(t *testing.T) {
	m, s := checkFactors(t, map[string]string{
		"20260131120000_16_5_1_out": "log 8", "20260131120000_16_5_2_out": "log 8", "20260131130000_8_5_1_out": "log 8",
	}, Options{Layout: []string{"bmk-kit"}}, map[string]string{
		"20260131120000_16_5_1_out": "threads=16 started_from=name seconds=5 users=16",
		"20260131130000_8_5_1_out":  "threads=8 started_from=name client=1 seconds=5 users=8",
	})
	r := m.run(t, "20260131120000_16_5_1_out")
	if r.Clients != 2 || r.Metrics["tps"] != 801+802 || r.SHA256 == "" || len(m.batch.Runs) != 2 || m.batch.Intervals.Len() != 10 || m.batch.Intervals.At(0).TPS != 801+802 {
		t.Errorf("%+v", r)
	}
	if !mentions(s.Joined, "2 logs of parallel clients") {
		t.Errorf("%q", s.Joined)
	}
	// Kept apart as asked.
	m, _ = checkFactors(t, map[string]string{"20260131120000_16_5_1_out": "log 8", "20260131120000_16_5_2_out": "log 8"}, Options{Layout: []string{"bmk-kit"}, Map: map[string]string{"client": "client_log"}}, nil)
	if len(m.batch.Runs) != 2 {
		t.Errorf("%d runs", len(m.batch.Runs))
	}
}

// A client that came no further than the others is no part of a sum.
func TestClientOfFewerRuns(t *testing.T) {
	m, _ := checkFactors(t, map[string]string{
		"20260131120000_16_5_1_out": logText(8, 5, 1) + logText(8, 5, 2), "20260131120000_16_5_2_out": logText(8, 5, 3),
	}, Options{Layout: []string{"bmk-kit"}}, nil)
	if _, ok := m.problem("clients-missing"); !ok || len(m.batch.Runs) != 1 {
		t.Errorf("%d runs, %v", len(m.batch.Runs), m.batch.Problems)
	}
}

// Tests that do unlike things are not pooled when nothing names them.
func TestUnnamedTests(t *testing.T) {
	readOnly := strings.ReplaceAll(logText(8, 5, 1), "write:                           16020", "write:                           0")
	m, s := checkFactors(t, map[string]string{"a.log": "log 8", "b.log": readOnly}, Options{}, nil)
	if a, b := m.run(t, "a.log").Workload, m.run(t, "b.log").Workload; a != "oltp_read_write" || b == a || b == "" {
		t.Errorf("%q and %q", a, b)
	}
	if !mentions(s.Notes, "guessed from the statements") {
		t.Errorf("%q", s.Notes)
	}
}

// Failed starts say the same thing and are no copies of each other.
func TestFailedStartsAreNoCopies(t *testing.T) {
	m, _ := checkFactors(t, map[string]string{"a.log": failedLog + failedLog, "b.log": failedLog, "c.log": "log 8"}, Options{}, nil)
	if len(m.ids) != 4 {
		t.Errorf("%d runs told apart", len(m.ids))
	}
}

// When a log carries time stamps, they say when its runs began.
func TestStampedLogs(t *testing.T) {
	var b strings.Builder
	for i, line := range strings.Split(logText(8, 30, 1), "\n") {
		fmt.Fprintf(&b, "2026-01-31 12:00:%02d %s\n", min(i, 59), line)
	}
	m, s := checkFactors(t, map[string]string{"a.log": b.String(), "b.log": "== run 1 ==\nSat Jan 31 23:59:30 UTC 2026\n" + logText(8, 5, 2) + "Sun Feb  1 00:10:00 UTC 2026\n" + logText(8, 5, 3)}, Options{}, nil)
	if r := m.run(t, "a.log"); !r.Started.Equal(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)) || r.StartedFrom != "log" {
		t.Errorf("%s from %s", r.Started, r.StartedFrom)
	}
	var began []string
	for _, r := range m.batch.Runs {
		if r.Source == "b.log" {
			began = append(began, r.Started.Format(time.RFC3339))
		}
	}
	if !slices.Equal(began, []string{"2026-01-31T23:59:30Z", "2026-02-01T00:10:00Z"}) {
		t.Errorf("%q", began)
	}
	if !mentions(s.Notes, "read as UTC") {
		t.Errorf("%q", s.Notes)
	}
}

// What ts and journald write has no year: it is the last such moment before the file
// was written.
func TestStampsWithoutYear(t *testing.T) {
	stamped := func(month string, day int) string {
		var b strings.Builder
		for i, line := range strings.Split(logText(8, 30, day), "\n") {
			fmt.Fprintf(&b, "%s %2d 12:00:%02d bench1 sysbench[4711]: %s\n", month, day, min(i, 59), line)
		}
		return b.String()
	}
	dir := tree(t, map[string]string{"a.log": stamped("Dec", 31), "b.log": stamped("Jan", 2)})
	written := time.Date(2026, 1, 2, 12, 0, 5, 0, time.UTC)
	for _, name := range []string{"a.log", "b.log"} {
		if err := os.Chtimes(filepath.Join(dir, name), written, written); err != nil {
			t.Fatal(err)
		}
	}
	m, s := ingestTree(t, Options{}, dir)
	for name, want := range map[string]time.Time{"a.log": time.Date(2025, 12, 31, 12, 0, 0, 0, time.UTC), "b.log": time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)} {
		if r := m.run(t, name); !r.Started.Equal(want) || r.StartedFrom != "log" {
			t.Errorf("%s: %s from %s", name, r.Started, r.StartedFrom)
		}
	}
	if !mentions(s.Notes, "without a year") {
		t.Errorf("%q", s.Notes)
	}
}

// A script's lines above the runs fill factors and what else a run is known by.
func TestBannersFillRuns(t *testing.T) {
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{"all.log": "=== version=8.0 day=2026-03-02 order=1 pool=32 ===\n" + logText(8, 5, 1) + "=== version=8.4.3 day=2026-03-03 order=2 pool=32G ===\n" + logText(8, 5, 2)}))
	if len(m.batch.Runs) != 2 || !mentions(s.Guesses, "pool, version: from the lines that a script wrote") {
		t.Fatalf("%d runs, %q", len(m.batch.Runs), s.Guesses)
	}
	r := m.batch.Runs[1]
	if r.Day != "2026-03-03" || r.Order != 2 || r.Factors["version"].String() != "8.4.3" || len(r.Factors) < 2 {
		t.Errorf("%+v", r)
	}
}

// The folder gives the day; the times of the files still give the order.
func TestOrderFromMtime(t *testing.T) {
	dir := tree(t, map[string]string{"2026-01-31/a.log": "log 8", "2026-01-31/b.log": "log 8", "2026-02-02/c.log": "log 8"})
	for i, name := range []string{"b", "a"} {
		at := time.Date(2026, 1, 31, 10+i, 0, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(dir, "2026-01-31", name+".log"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	m := &memory{}
	if _, err := Run(t.Context(), []string{dir}, Options{DayFromMtime: true}, m); err != nil {
		t.Fatal(err)
	}
	a, b, c := m.run(t, "2026-01-31/a.log"), m.run(t, "2026-01-31/b.log"), m.run(t, "2026-02-02/c.log")
	if !b.Started.Before(a.Started) || a.Day != "2026-01-31" || a.StartedFrom != "mtime" || !c.Started.IsZero() { // c was copied since
		t.Errorf("%s %s %s", a.Started, b.Started, c.Started)
	}
}

// Other load generators, side by side.
func TestOtherTools(t *testing.T) {
	m, _ := checkFactors(t, map[string]string{
		"h/vu8.txt": "Vuser 1:8 Active Virtual Users configured\nVuser 1:TEST RESULT : System achieved 112135 NOPM from 260515 MariaDB TPM\n",
		"s/a.txt":   "Benchmark\n\tAverage number of seconds to run all queries: 0.500 seconds\n\tMinimum number of seconds to run all queries: 0.480 seconds\n\tMaximum number of seconds to run all queries: 0.530 seconds\n\tNumber of clients running queries: 16\n\tAverage number of queries per client: 62\n",
		"t/a.txt":   "real\t0m1.250s\nuser\t0m0.400s\nsys\t0m0.100s\n",
		"b/sb.o.x":  "log 8", "b/sb.time.x": "1.00user 2.50system 1:02:03.5elapsed 99%CPU (0avgtext+0avgdata 1000maxresident)k\n",
	}, Options{}, nil)
	for source, tool := range map[string]string{"h/vu8.txt": "HammerDB", "s/a.txt": "mysqlslap", "t/a.txt": "time", "b/sb.o.x": "sysbench"} {
		if r := m.run(t, source); r.Tool != tool || r.Status != datasets.Complete {
			t.Errorf("%s: %s %s", source, r.Tool, r.Status)
		}
	}
	if len(m.batch.Runs) != 4 {
		t.Errorf("%d runs: resource usage beside a log is no run of its own", len(m.batch.Runs))
	}
}

// A table of runs that an export wrote comes back as it was.
func TestOwnTable(t *testing.T) {
	parts, err := filepath.Glob("../datasets/mariadb-allocators/runs/*.arrow")
	if err != nil || len(parts) == 0 {
		t.Fatal("no shipped data set")
	}
	set, err := datasets.Open("../datasets/mariadb-allocators")
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := set.Runs()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, p := range parts {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(p)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m := &memory{}
	if _, err := Run(t.Context(), []string{dir}, Options{}, m); err != nil {
		t.Fatal(err)
	}
	got := map[string]datasets.Run{}
	for _, r := range m.batch.Runs {
		got[r.ID] = r
	}
	if len(got) != len(want) {
		t.Fatalf("%d runs of %d", len(got), len(want))
	}
	for _, w := range want {
		g := got[w.ID]
		if g.Status != w.Status || g.Threads != w.Threads || g.Workload != w.Workload || g.Day != w.Day || !g.Started.Equal(w.Started) || g.Metrics["tps"] != w.Metrics["tps"] ||
			g.Metrics["latency_p95"] != w.Metrics["latency_p95"] || g.Factors["allocator"] != w.Factors["allocator"] || g.Duration != w.Duration {
			t.Fatalf("%s:\n%+v\nnot\n%+v", w.ID, g, w)
		}
	}
	// The data set itself is not read a second time.
	if s, err := Run(t.Context(), []string{"../datasets/mariadb-allocators/runs"}, Options{}, &memory{}); err != nil || s.Runs > 0 {
		t.Errorf("%v, %d runs", err, s.Runs)
	}
}

package export

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/pprof/profile"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// hostile are texts that a format could lose, cut, calculate or take for another
// type.
var hostile = []string{"=1+1", "+1", "-1", "@x", "'=x", "''", "\t=x", "a,b", "a\"b", "a;b", "a\\b", "a\nb", "a\r\nb", " x ", "NaN", "null", "true", "007", "1e5", "日本語", "\u202eabc", "a/b:c=d%41", "..", "<b>|*"}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		noError(t, err)
		return v
	}
}

// sample is a data set with every table, nulls in every column that may have them
// and hostile texts.
func sample(t testing.TB) *datasets.Reader {
	t.Helper()
	dir := t.TempDir()
	b := &datasets.Batch{
		Columns: []datasets.Column{{Name: "label", Kind: datasets.TextKind, Role: datasets.Factor, Guess: "path segment 1"}, {Name: "numa", Kind: datasets.BoolKind, Role: datasets.Condition},
			{Name: "scale", Kind: datasets.FloatKind, Role: datasets.Factor}, {Name: "pool", Kind: datasets.IntKind, Role: datasets.Condition},
			{Name: "tps", Role: datasets.Metric, Unit: unit.Of("tps")}, {Name: "latency_p95", Role: datasets.Metric, Unit: unit.Of("latency_p95")}},
		Settings: []datasets.Setting{{Source: "my.cnf", Name: "sql_mode", Value: "=A,B"}},
		Problems: []datasets.Problem{{Source: "9.log", Line: 3, Kind: "odd-line", Text: "-x \"y\"", Count: 2}},
	}
	for i := range 24 {
		id := fmt.Sprintf("%016x", i+1)
		source := fmt.Sprintf("a=b/%d.log", i)
		r := datasets.Run{ID: id, Source: source, Part: 1, SHA256: strings.Repeat("0f", 32), Tool: "sysbench", ToolVersion: "1.0.20", Workload: []string{"oltp_read_only", "oltp_read_write"}[i%2],
			Status: datasets.Complete, Threads: 1 << (i % 3), Duration: 3, Day: []string{"2026-01-30", "2026-01-31", ""}[i/8], Started: time.Date(2026, 1, 30, 12, i, 0, 123456000, time.UTC), StartedFrom: "log",
			Factors: map[string]datasets.Value{"label": datasets.Text(hostile[i%len(hostile)]), "numa": datasets.Bool(i%3 == 0), "scale": datasets.Float(1.5 * float64(i)), "pool": datasets.Int(int64(i) << 40)},
			Metrics: map[string]float64{"tps": 1000.25 + float64(i), "latency_p95": 0.1 / float64(i+1)}}
		if i%5 == 4 {
			r.Status, r.Started, r.Duration = datasets.Truncated, time.Time{}, math.NaN()
			delete(r.Factors, "label")
			delete(r.Factors, "numa")
			delete(r.Factors, "pool")
			delete(r.Metrics, "tps")
		}
		b.Runs = append(b.Runs, r)
		b.Sources = append(b.Sources, datasets.Source{Path: source, SHA256: fmt.Sprintf("%064x", i), Size: 10, Kind: "sysbench log", Tool: "sysbench", Version: "1.0.20", Runs: 1})
		for k := range 3 {
			line := datasets.Interval{RunID: id, T: float64(k + 1), Threads: float64(r.Threads), TPS: 1000.5 + float64(k), QPS: math.NaN(), Reads: 1. / 3, Writes: 1e-300, Other: 1e300, LatencyPct: 0.001 * float64(k), Percentile: 95,
				Errors: 0, Reconnects: math.NaN(), QueueLength: math.NaN(), Concurrency: math.NaN()}
			if k == 2 {
				line.Threads--
			}
			b.Intervals.Add(line)
		}
		b.Buckets = append(b.Buckets, datasets.Bucket{RunID: id, Value: 0.001, Count: int64(i)}, datasets.Bucket{RunID: id, Value: 0.002, Count: 1 << 40})
		b.Stacks = append(b.Stacks, datasets.Stack{RunID: id, Event: "cycles", Comm: "mariadbd", Frames: []string{"main", hostile[i%len(hostile)], "operator;"}, Weight: 3, Samples: math.NaN()})
		if i == 0 {
			b.Stacks = append(b.Stacks, datasets.Stack{RunID: id, Event: "cycles", Comm: "swapper", Weight: 1, Samples: 1})
		}
		b.Counters = append(b.Counters, datasets.Counter{RunID: id, Event: "instructions:u", Value: 1e12, RunningPct: 99.5, Variance: math.NaN()})
		b.Waits = append(b.Waits, datasets.Wait{RunID: id, Event: "wait/io", Count: 5, Sum: 0.25, AvgSessions: math.NaN()})
		b.Series.Add(datasets.Sample{RunID: id, T: 1, Source: "mpstat", Metric: "%idle", Value: 12.5})
		b.Settings = append(b.Settings, datasets.Setting{RunID: id, Source: source, Name: "version", Value: "10.11"})
	}
	w := must(datasets.OpenWriter(dir))(t)
	noError(t, w.Add(b))
	noError(t, w.Commit())
	noError(t, w.Close())
	return must(datasets.Open(dir))(t)
}

// content is all that a data set holds.
type content struct {
	Runs     []datasets.Run
	Columns  []datasets.Column
	Sources  []datasets.Source
	Lines    []datasets.Interval
	Buckets  []datasets.Bucket
	Stacks   []datasets.Stack
	Counters []datasets.Counter
	Waits    []datasets.Wait
	Series   []datasets.Sample
	Settings []datasets.Setting
	Problems []datasets.Problem
}

func contentOf(t testing.TB, r *datasets.Reader) content {
	t.Helper()
	var c content
	var err error
	c.Runs, c.Columns, err = r.Runs()
	noError(t, err)
	c.Sources = r.Sources()
	noError(t, r.Intervals(func(rows []datasets.Interval) error { c.Lines = append(c.Lines, rows...); return nil }))
	noError(t, r.Buckets(func(rows []datasets.Bucket) error { c.Buckets = append(c.Buckets, rows...); return nil }))
	noError(t, r.Stacks(func(rows []datasets.Stack) error { c.Stacks = append(c.Stacks, rows...); return nil }))
	noError(t, r.Counters(func(rows []datasets.Counter) error { c.Counters = append(c.Counters, rows...); return nil }))
	noError(t, r.Waits(func(rows []datasets.Wait) error { c.Waits = append(c.Waits, rows...); return nil }))
	noError(t, r.Series(func(rows []datasets.Sample) error { c.Series = append(c.Series, rows...); return nil }))
	noError(t, r.Settings(func(rows []datasets.Setting) error { c.Settings = append(c.Settings, rows...); return nil }))
	c.Problems = must(r.Problems())(t)
	return c
}

func same(t testing.TB, what string, got, want any, options ...cmp.Option) {
	t.Helper()
	options = append(options, cmpopts.EquateNaNs(), cmp.Comparer(func(a, b datasets.Value) bool { return a == b }), cmpopts.EquateEmpty())
	if d := cmp.Diff(want, got, options...); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func exported(t testing.TB, r *datasets.Reader, opt Options) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	must(Write(t.Context(), r, dir, opt))(t)
	return dir
}

// back is a data set made of an export.
func back(t testing.TB, dir string) *datasets.Reader {
	t.Helper()
	into := t.TempDir()
	w := must(datasets.OpenWriter(into))(t)
	noError(t, Read(dir, w.Add))
	noError(t, w.Commit())
	noError(t, w.Close())
	return must(datasets.Open(into))(t)
}

// What is exported and read back is the same data set, in every format, with and
// without partitions.
func TestRoundTrip(t *testing.T) {
	r := sample(t)
	want := contentOf(t, r)
	byID := cmpopts.SortSlices(func(a, b datasets.Run) bool { return a.ID < b.ID })
	byName := cmpopts.SortSlices(func(a, b datasets.Column) bool { return a.Name < b.Name })
	byRow := []cmp.Option{cmpopts.SortSlices(func(a, b datasets.Interval) bool { return a.RunID+fmt.Sprint(a.T) < b.RunID+fmt.Sprint(b.T) }),
		cmpopts.SortSlices(func(a, b datasets.Bucket) bool { return a.RunID+fmt.Sprint(a.Value) < b.RunID+fmt.Sprint(b.Value) }),
		cmpopts.SortSlices(func(a, b datasets.Stack) bool { return a.RunID+a.Comm < b.RunID+b.Comm }),
		cmpopts.SortSlices(func(a, b datasets.Counter) bool { return a.RunID < b.RunID }), cmpopts.SortSlices(func(a, b datasets.Wait) bool { return a.RunID < b.RunID }),
		cmpopts.SortSlices(func(a, b datasets.Sample) bool { return a.RunID < b.RunID }), cmpopts.SortSlices(func(a, b datasets.Setting) bool { return a.RunID+a.Name < b.RunID+b.Name })}
	for _, name := range tableFormats() {
		same(t, name, contentOf(t, back(t, exported(t, r, Options{Format: name}))), want)
		for _, by := range [][]string{{"workload", "day"}, {"workload", "threads"}, {"label"}, {"order", "pool", "numa", "scale"}} {
			got := contentOf(t, back(t, exported(t, r, Options{Format: name, PartitionBy: by})))
			same(t, fmt.Sprint(name, " by ", by), got, want, append(byRow, byID, byName)...)
		}
	}
}

// A table that has a column of its own by the name of a partition keeps it.
func TestOwnColumnIsNoPartition(t *testing.T) {
	for path := range files(t, exported(t, sample(t), Options{Format: "csv", PartitionBy: []string{"threads", "workload"}})) {
		if strings.HasPrefix(path, "/runs/") != strings.Contains(path, "/threads=") && strings.HasPrefix(path, "/intervals/") {
			t.Error(path)
		}
	}
}

// Rows that partitions take by turns are copied once on their way: what is
// allocated for them stays a few times what they take.
func TestPartitionsByTurns(t *testing.T) {
	const runs, lines, places = 1200, 500, 4
	b := &datasets.Batch{}
	for i := range runs {
		id := fmt.Sprintf("%016x", i)
		b.Runs = append(b.Runs, datasets.Run{ID: id, Source: id + ".log", Part: 1, Workload: fmt.Sprint("w", i%places), Status: datasets.Complete})
		for k := range lines {
			b.Intervals.Add(datasets.Interval{RunID: id, T: float64(k), TPS: float64(i*lines + k)})
		}
	}
	dir := t.TempDir()
	w := must(datasets.OpenWriter(dir))(t)
	noError(t, w.Add(b))
	noError(t, w.Commit())
	noError(t, w.Close())
	r := must(datasets.Open(dir))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out := exported(t, r, Options{Format: "parquet", Tables: []string{"intervals"}, PartitionBy: []string{"workload"}})
	runtime.ReadMemStats(&after)
	size := uint64(14 * 8 * runs * lines)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 6*size {
		t.Errorf("%d MB were allocated for %d MB of rows", spent>>20, size>>20)
	}
	for place := range places {
		f := must(os.Open(filepath.Join(out, "intervals", fmt.Sprintf("workload=w%d", place), "part-0.parquet")))(t)
		defer f.Close()
		table := must(datasets.OpenForeign(f))(t)
		defer table.Close()
		row := 0
		noError(t, table.Each(func(values []datasets.Value) error {
			run := row/lines*places + place
			if got, _ := values[3].Number(); got != float64(run*lines+row%lines) {
				return fmt.Errorf("row %d of w%d has tps %v", row, place, got)
			}
			row++
			return nil
		}))
		if row != runs*lines/places {
			t.Errorf("w%d has %d rows", place, row)
		}
	}
}

// The same input gives the same bytes.
func TestDeterministic(t *testing.T) {
	r := sample(t)
	for _, name := range tableFormats() {
		opt := Options{Format: name, PartitionBy: []string{"workload"}}
		same(t, name, files(t, exported(t, r, opt)), files(t, exported(t, r, opt)))
	}
}

func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	noError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all[filepath.ToSlash(strings.TrimPrefix(path, dir))] = string(raw)
		return err
	}))
	return all
}

// Only what belongs to the runs that were asked for, and of their report lines
// only the part that was asked for, is exported.
func TestChoice(t *testing.T) {
	r := sample(t)
	runs, columns, err := r.Runs()
	noError(t, err)
	for _, name := range tableFormats() {
		dir := exported(t, r, Options{Format: name, Runs: runs[:2], Columns: columns, Done: []string{"first | two"},
			Span: func(id string) (float64, float64) { return 1, 2 }})
		got := contentOf(t, back(t, dir))
		if len(got.Runs) != 2 || len(got.Lines) != 2 || got.Lines[0].T != 2 || len(got.Buckets) != 4 || len(got.Stacks) != 3 || len(got.Settings) != 3 || len(got.Sources) != 2 {
			t.Errorf("%s: %d runs, %d lines, %d buckets, %d stacks, %d settings, %d sources", name, len(got.Runs), len(got.Lines), len(got.Buckets), len(got.Stacks), len(got.Settings), len(got.Sources))
		}
		if readme := files(t, dir)["/README.md"]; !strings.Contains(readme, `- first \| two`) || !strings.Contains(readme, "| tps | number | 1/s | higher | metric |") {
			t.Errorf("README.md says\n%s", readme)
		}
	}
	one := exported(t, r, Options{Format: "csv", Tables: []string{"intervals"}})
	same(t, "tables", slices.Sorted(maps.Keys(files(t, one))), []string{"/README.md", "/datapackage.json", "/intervals/part-0.csv"})
}

// CSV, to the letter.
func TestCSV(t *testing.T) {
	cell := func(text, want string) {
		t.Helper()
		if got := string(appendCSV(nil, text)); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
	cell("plain", "plain")
	cell("", `""`)
	cell("a,b", `"a,b"`)
	cell(`a"b`, `"a""b"`)
	cell("a\r\nb", "\"a\r\nb\"")
	cell("=1+1", "'=1+1")
	cell("+1", "'+1")
	cell("-1", "'-1")
	cell("@x", "'@x")
	cell("\tx", "\"'\tx\"")
	cell("'=x", "''=x")
	cell("'x", "'x")
	for _, s := range hostile {
		cells, err := csvRows(bufio.NewReader(strings.NewReader("head\r\n" + string(appendCSV(nil, s)) + "\r\n")))()
		if err != nil || len(cells) != 1 || cells[0].text != s {
			t.Errorf("%q comes back as %v, %v", s, cells, err)
		}
	}
	// No cell of a whole export begins a formula.
	for name, text := range files(t, exported(t, sample(t), Options{Format: "csv"})) {
		if !strings.HasSuffix(name, ".csv") {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		noError(t, err)
		for _, c := range slices.Concat(rows...) {
			if _, err := strconv.ParseFloat(c, 64); err != nil && c != "" && strings.IndexByte("=+-@\t\r", c[0]) >= 0 {
				t.Errorf("%s: the cell %q is a formula", name, c)
			}
		}
	}
}

func TestHive(t *testing.T) {
	for _, s := range append(hostile, "plain", "2026-01-31", "\x00", "a.b") {
		escaped := hiveEscape(s)
		if strings.ContainsAny(escaped, "/\\:*?\"<>|=\n") || strings.HasPrefix(escaped, ".") {
			t.Errorf("%q is no name of a folder: %q", s, escaped)
		}
		if level, ok, err := hiveLevel(escaped); level != s || !ok || err != nil {
			t.Errorf("%q comes back as %q", s, level)
		}
	}
	r := &datasets.Run{Workload: "a/b", Threads: 8}
	if got := hivePath(r, []string{"workload", "threads", "day"}); got != "workload=a%2Fb/threads=8/day=__HIVE_DEFAULT_PARTITION__/" {
		t.Error(got)
	}
}

func tableFormats() []string { return slices.Sorted(maps.Keys(formats)) }

// Stacks have a profile of each run, or of each partition.
func TestProfiles(t *testing.T) {
	r := sample(t)
	names := func(opt Options) []string {
		t.Helper()
		var names []string
		for name, content := range files(t, exported(t, r, opt)) {
			if strings.HasPrefix(name, "/stacks/") {
				names = append(names, strings.TrimPrefix(name, "/stacks/"))
				if strings.HasSuffix(name, ".pb.gz") {
					p := must(profile.Parse(strings.NewReader(content)))(t)
					if len(p.Sample) == 0 {
						t.Errorf("%s has no samples", name)
					}
				} else if !strings.Contains(content, "mariadbd;main;") {
					t.Errorf("%s: %q", name, content)
				}
			}
		}
		slices.Sort(names)
		return names
	}
	runs, columns, err := r.Runs()
	noError(t, err)
	same(t, "pprof of two runs", names(Options{Format: "pprof", Runs: runs[:2], Columns: columns}), []string{"0000000000000001.pb.gz", "0000000000000002.pb.gz"})
	same(t, "folded of two runs", names(Options{Format: "folded", Runs: runs[:2], Columns: columns}), []string{"0000000000000001.cycles.folded", "0000000000000002.cycles.folded"})
	same(t, "pprof by workload", names(Options{Format: "pprof", PartitionBy: []string{"workload"}}), []string{"workload=oltp_read_only/profile.pb.gz", "workload=oltp_read_write/profile.pb.gz"})
	refuses(t, "pprof holds stacks and no other table", filepath.Join(t.TempDir(), "x"), Options{Format: "pprof", Tables: []string{"runs"}})
}

func TestNormalise(t *testing.T) {
	run := func(label, workload string) datasets.Run {
		return datasets.Run{Workload: workload, Factors: map[string]datasets.Value{"label": datasets.Text(label), "n": datasets.Int(1)}}
	}
	given := []datasets.Run{run("jemalloc", "rw"), run(" JEmalloc", "RW"), run("jemalloc", "rw"), run("tc  malloc", "ro")}
	normal, changes := Normalise(given)
	same(t, "runs", normal, []datasets.Run{run("jemalloc", "rw"), run("jemalloc", "rw"), run("jemalloc", "rw"), run("tc malloc", "ro")})
	same(t, "changes", changes, []string{`label: " JEmalloc" is written "jemalloc" (1 runs)`, `label: "tc  malloc" is written "tc malloc" (1 runs)`, `workload: "RW" is written "rw" (1 runs)`})
	if given[1].Workload != "RW" || given[1].Factors["label"] != datasets.Text(" JEmalloc") {
		t.Error("the runs that were given have changed")
	}
}

func refuses(t *testing.T, want, dir string, opt Options) {
	t.Helper()
	if _, err := Write(t.Context(), sample(t), dir, opt); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("want an error with %q, not %v", want, err)
	}
}

func TestRefusals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	noError(t, os.Mkdir(dir, 0o755))
	refuses(t, `no format "xls"; there are arrow, csv, jsonl, parquet, folded, pprof`, dir, Options{Format: "xls"})
	refuses(t, `no rows in a table "interval"; it has runs, intervals`, dir, Options{Format: "csv", Tables: []string{"interval"}})
	refuses(t, `cannot partition by "tps"`, dir, Options{Format: "csv", PartitionBy: []string{"tps"}})
	refuses(t, `cannot partition by "nothing"`, dir, Options{Format: "csv", PartitionBy: []string{"nothing"}})
	noError(t, os.WriteFile(filepath.Join(dir, "mine.txt"), []byte("x"), 0o644))
	refuses(t, "is not empty", dir, Options{Format: "csv"})
	refuses(t, "it is no export", dir, Options{Format: "csv", Replace: true})
	if entries := must(os.ReadDir(filepath.Dir(dir)))(t); len(entries) != 1 {
		t.Errorf("something is left: %v", entries)
	}
}

// An export appears whole or not at all, and an earlier one goes only then.
func TestAtomic(t *testing.T) {
	r := sample(t)
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	must(Write(t.Context(), r, dir, Options{Format: "csv"}))(t)
	before := files(t, dir)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Write(stopped, r, dir, Options{Format: "parquet", Replace: true}); err == nil {
		t.Error("a stopped export has no error")
	}
	same(t, "the earlier export", files(t, dir), before)
	must(Write(t.Context(), r, dir, Options{Format: "parquet", Replace: true}))(t)
	if entries := must(os.ReadDir(parent))(t); len(entries) != 1 {
		t.Errorf("something is left beside it: %v", entries)
	}
	if _, ok := files(t, dir)["/runs/part-0.parquet"]; !ok {
		t.Error("it was not replaced")
	}
}

// What was changed since is not read.
func TestReadRefusals(t *testing.T) {
	refuses := func(want string, change func(dir string)) {
		t.Helper()
		dir := exported(t, sample(t), Options{Format: "csv"})
		change(dir)
		err := Read(dir, func(*datasets.Batch) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, not %v", want, err)
		}
	}
	edit := func(name string, with func([]byte) []byte) func(string) {
		return func(dir string) {
			file := filepath.Join(dir, filepath.FromSlash(name))
			raw := must(os.ReadFile(file))(t)
			noError(t, os.WriteFile(file, with(raw), 0o644))
		}
	}
	refuses("not as it was written", edit("runs/part-0.csv", func(b []byte) []byte { return bytes.Replace(b, []byte("sysbench"), []byte("sysbunch"), 1) }))
	refuses("this program reads", edit(packageFile, func(b []byte) []byte { return bytes.Replace(b, []byte("export/1"), []byte("export/9"), 1) }))
	refuses("is damaged", edit(packageFile, func(b []byte) []byte { return b[:100] }))
	refuses("without the table runs", edit(packageFile, func(b []byte) []byte {
		return bytes.Replace(b, []byte(`"name": "runs"`), []byte(`"name": "ruins"`), 1)
	}))
	refuses("leads out of the folder", edit(packageFile, func(b []byte) []byte {
		return bytes.ReplaceAll(b, []byte("runs/part-0.csv"), []byte("../part-0.csv"))
	}))
}

// datapackage.json has the keys that are documented.
func TestPackage(t *testing.T) {
	var p map[string]any
	noError(t, json.Unmarshal([]byte(files(t, exported(t, sample(t), Options{Format: "jsonl"}))["/datapackage.json"]), &p))
	same(t, "keys", slices.Sorted(maps.Keys(p)), []string{"cleaned", "created_by", "format", "noisefloor", "profile", "resources", "sources"})
	if !IsExport(exported(t, sample(t), Options{Format: "jsonl"})) || IsExport(t.TempDir()) {
		t.Error("IsExport is wrong")
	}
	for table, columns := range tablesOf(t, sample(t)) { // every column that always has the same name is described
		for _, c := range columns {
			if _, ok := descriptions[table+"."+c]; !ok && table != runsTable {
				t.Errorf("%s.%s is not described", table, c)
			}
		}
	}
}

// Every number of a sysbench log is described, and a table without runs is not
// partitioned: Arrow cannot tell the type of a partition that only has no level.
func TestShipped(t *testing.T) {
	r := must(datasets.Open("../mariadb-allocators"))(t)
	dir := exported(t, r, Options{Format: "csv", PartitionBy: []string{"workload"}})
	var p pack
	noError(t, json.Unmarshal([]byte(files(t, dir)["/datapackage.json"]), &p))
	for _, table := range p.Resources {
		if table.Name == "settings" {
			same(t, "settings", table.Path, []string{"settings/part-0.csv"})
		}
		for _, f := range table.Schema.Fields {
			if f.Role == string(datasets.Metric) && f.Description == "" {
				t.Errorf("%s.%s is not described", table.Name, f.Name)
			}
		}
	}
}

func tablesOf(t *testing.T, r *datasets.Reader) map[string][]string {
	t.Helper()
	tables := map[string][]string{}
	for _, name := range r.Tables() {
		for _, f := range must(r.Schema(name))(t).Fields() {
			tables[name] = append(tables[name], f.Name)
		}
	}
	return tables
}

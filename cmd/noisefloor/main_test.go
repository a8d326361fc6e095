package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs one command and returns what it printed.
func call(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(context.Background(), strings.NewReader(""), &out, &err, args)
	return out.String(), err.String(), code
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A log and its gzipped or renamed copy are one run, and the numbers say so.
func TestCopiesAreSaid(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.log", "b.log", "again/a.log"} {
		tps := 100.0
		if name == "b.log" {
			tps = 110
		}
		write(t, filepath.Join(dir, "logs", name), blogLog(4, 2, 5, tps))
	}
	_, said, code := call(t, "ingest", filepath.Join(dir, "logs"), "--out", filepath.Join(dir, "ds"))
	if code != exitDone || !strings.Contains(said, "runs: 3, complete: 3, files: 3\ncopies: 1 of these runs") {
		t.Errorf("exit status %d: %s", code, said)
	}
	if info, _, _ := call(t, "info", filepath.Join(dir, "ds")); !strings.Contains(info, "runs: 2,") {
		t.Errorf("info says\n%s", info)
	}
}

// blogLog is a sysbench log as a blog keeps it: indentation lost, the middle cut
// to a line of two dots.
func blogLog(threads, first, last int, tps float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\nRunning the test with following options:\nNumber of threads: %d\nReport intermediate results every 1 second(s)\nInitializing random number generator from current time\nInitializing worker threads...\nThreads started!\n", threads)
	line := func(second int) {
		fmt.Fprintf(&b, "[ %ds ] thds: %d tps: %.2f qps: %.2f (r/w/o: %.2f/%.2f/%.2f) lat (ms,95%%): 5.00 err/s: 0.00 reconn/s: 0.00\n", second, threads, tps, 20*tps, 14*tps, 4*tps, 2*tps)
	}
	for second := 1; second <= 10; second++ {
		line(second)
	}
	b.WriteString("..\n")
	for second := first; second <= last; second++ {
		line(second)
	}
	n := int(300*tps + 0.5)
	fmt.Fprintf(&b, `SQL statistics:
queries performed:
read: %d
write: %d
other: %d
total: %d
transactions: %d (%.2f per sec.)
queries: %d (%.2f per sec.)
ignored errors: 0 (0.00 per sec.)
reconnects: 0 (0.00 per sec.)
General statistics:
total time: 300.0000s
total number of events: %d
Latency (ms):
min: 4.66
avg: 8.22
max: 117.24
95th percentile: 12.08
sum: 2399733.89
Threads fairness:
events (avg/stddev): 36505.8750/71.89
execution time (avg/stddev): 299.9667/0.00
`, 14*n, 4*n, 2*n, 20*n, n, tps, 20*n, 20*tps, n)
	return b.String()
}

// One run an arm of two versions at two thread counts, as in a published claim of +8 and +14 %: nobody can tell.
func TestOneRunAnArm(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name           string
		threads, first int
		tps            float64
	}{
		{"9.6.0_t1", 1, 298, 186.89}, {"9.7.0-er_t1", 1, 295, 201.93}, {"9.6.0_t8", 8, 295, 854.72}, {"9.7.0-er_t8", 8, 295, 973.46},
	} {
		write(t, filepath.Join(dir, c.name+".log"), blogLog(c.threads, c.first, 300, c.tps))
	}
	out, errs, code := call(t, "report", dir)
	if code != exitDone {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	for _, want := range []string{"unsupported", "+8.0 %", "+13.9 %", "9.7.0-er", "alternating"} {
		if !strings.Contains(out, want) {
			t.Errorf("not a word of %q in\n%s", want, out)
		}
	}
	for _, never := range []string{"faster", "slower"} {
		if strings.Contains(out, "is "+never) || strings.Contains(out, "% "+never) {
			t.Errorf("one run an arm, and the report says %s:\n%s", never, out)
		}
	}
	if want := "intervals 11..297 missing, and alike in 3 more files"; !strings.Contains(errs, want) {
		t.Errorf("the missing report lines are not named:\n%s", errs)
	}
	for _, line := range strings.Split(out, "\n") {
		if n := len([]rune(line)); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// The JSON has the documented keys, and unknown is null.
func TestJSON(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "t.csv"), "version,day,threads,tps\na1,d1,8,100\nb1,d1,8,101\n")
	out, errs, code := call(t, "report", dir, "--json")
	if code != exitDone {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"schema", "version", "seed", "inputs", "design", "comparisons", "variance", "steady", "scaling", "crossovers", "history", "profile", "plan", "warnings"} {
		if _, ok := doc[key]; !ok {
			t.Errorf("no key %q", key)
		}
	}
	row := doc["comparisons"].([]any)[0].(map[string]any)
	if row["verdict"] != "unsupported" || row["lo"] != nil || row["p"] != nil || math.Abs(row["ratio"].(float64)-1.01) > 1e-12 {
		t.Errorf("unsupported row: %v", row)
	}
}

// Bad input: a clear sentence and exit status 3.
func TestNothingUsable(t *testing.T) {
	fatal := "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta2)\n\nFATAL: unable to connect to MySQL server on socket 'x.sock', aborting...\nFATAL: error 2002: Can't connect\nFATAL: `thread_init' function failed: connection creation failed\n"
	for _, c := range []struct {
		name  string
		build func(t *testing.T, dir string)
		want  string
	}{
		{"an empty folder", func(t *testing.T, dir string) {}, "no file in"},
		{"a folder of pictures", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "a.jpg"), "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01")
			write(t, filepath.Join(dir, "b.jpg"), "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01")
		}, "2"},
		{"a binary named .log", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "run.log"), "\x7fELF\x02\x01\x01\x00\x00\x00"+strings.Repeat("\x00\x01\xfe", 500))
		}, "run.log"},
		{"a failed run", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "run.log"), fatal) }, "complete"},
		{"a newer data set", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "dataset.json"), `{"schema":"noisefloor/99"}`)
		}, "newer"},
	} {
		dir := t.TempDir()
		c.build(t, dir)
		_, errs, code := call(t, "report", dir)
		if code != exitNothing || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit status %d, want %d and a word of %q:\n%s", c.name, code, exitNothing, c.want, errs)
		}
	}
	if _, errs, code := call(t, "report", filepath.Join(t.TempDir(), "nowhere")); code != exitNothing || !strings.Contains(errs, "nowhere") {
		t.Errorf("a path that is not there: %d, %s", code, errs)
	}
}

// Whoever reads the answer through head has the page all the same.
func TestPageOfAClosedPipe(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "report.html")
	read, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	read.Close()
	var errs bytes.Buffer
	table := filepath.Join("..", "..", "docs", "examples", "faster.csv")
	if code := run(context.Background(), strings.NewReader(""), stdout, &errs, []string{"report", table, "--html", page}); code != exitDone {
		t.Fatalf("exit status %d: %s", code, &errs)
	}
	if _, err := os.Stat(page); err != nil {
		t.Error(err)
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "t.csv"), "version,day,threads,tps\na1,d1,8,100\nb1,d1,8,101\n")
	for _, c := range []struct{ args, want string }{
		{"report", "requires at least 1 arg"},
		{"report " + dir + " --by verison", `did you mean "version"?`},
		{"report " + dir + " --bye version", `did you mean --by?`},
		{"report " + dir + " --margin 0", "want a share"},
		{"report " + dir + " --where threads>", "column 9"},
		{"report " + dir + " --adjust hol", "holm"},
		{"reprot " + dir, "report"},
		{"ingest " + dir, "out"},
		{"report " + dir + " --set tps=5", "measured"},
	} {
		_, errs, code := call(t, strings.Fields(c.args)...)
		if code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit status %d, want %d and %q:\n%s", c.args, code, exitUsage, c.want, errs)
		}
	}
}

// Ingest twice: the second call changes nothing.
func TestIngestTwice(t *testing.T) {
	logs, ds := t.TempDir(), filepath.Join(t.TempDir(), "ds")
	write(t, filepath.Join(logs, "9.6.0_t1.log"), blogLog(1, 298, 300, 186.89))
	manifest := func() string {
		if _, errs, code := call(t, "ingest", logs, "--out", ds); code != exitDone {
			t.Fatal(errs)
		}
		text, err := os.ReadFile(filepath.Join(ds, "dataset.json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if first, second := manifest(), manifest(); first != second {
		t.Errorf("the second ingest changed\n%s\nto\n%s", first, second)
	}
	write(t, filepath.Join(logs, "9.7.0_t1.log"), blogLog(1, 298, 300, 200))
	manifest()
	if out, errs, _ := call(t, "info", ds); !strings.Contains(out, "runs: 2") {
		t.Errorf("a run was added, info says\n%s%s", out, errs)
	}
}

package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"noisefloor/datasets"
)

func TestRunsAndIntervals(t *testing.T) {
	log := logText(8, 5, 1) + logText(16, 7, 2)
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{"sweep.log": log}))
	if s.Runs != 2 || s.Complete != 2 || s.Intervals != 12 || m.batch.Intervals.Len() != 12 || s.Bytes != int64(len(log)) {
		t.Fatalf("%+v", s)
	}
	for i, r := range m.batch.Runs {
		if r.Part != i+1 || r.Tool != "sysbench" || r.ToolVersion != "1.0.20" || r.Threads != []int{8, 16}[i] || math.IsNaN(r.Duration) || r.Metrics["tps"] == 0 || r.Source != "sweep.log" || len(r.SHA256) != 64 {
			t.Errorf("run %d: %+v", i, r)
		}
		if n := len(slices.DeleteFunc(m.batch.Intervals.Rows(), func(v datasets.Interval) bool { return v.RunID != r.ID })); n != []int{5, 7}[i] {
			t.Errorf("run %d has %d intervals", i, n)
		}
		if _, ok := r.Metrics["duration_s"]; ok {
			t.Error("duration_s is a built-in column, not a metric")
		}
	}
	if src := m.batch.Sources; len(src) != 1 || src[0].Runs != 2 || src[0].Kind != "sysbench log" || src[0].Size != int64(len(log)) || src[0].SHA256 != m.batch.Runs[0].SHA256 {
		t.Errorf("sources %+v", src)
	}
	if c := m.columns["tps"]; c.Role != datasets.Metric || c.Unit.Name != "1/s" {
		t.Errorf("tps: %+v", c)
	}
}

func TestTables(t *testing.T) {
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{
		"results.csv":  "group,day,instance,qps,p99_us\nw,d1,l2,8554,4730\nw,d1,l2,8554,4730\ns,,l4,9233,3150\n",
		"results.yaml": "host: db7\ninstance: l9\n",
		"series.csv":   "day,run,elapsed,tps\nd1,1,1,100.5\nd1,1,2,101.5\nd1,1,3,101.5\nd1,1,4,101\nd1,1,5,102\nd1,1,6,101\nd1,1,7,100\nd1,1,8,100.1\nd1,1,9,102\nd1,1,10,101\nd1,1,11,102\n",
		"names.csv":    "first,last\na,b\nc,d\n",
	}))
	if s.Runs != 3 || s.Complete != 3 {
		t.Fatalf("%+v %v", s, m.batch.Problems)
	}
	ids := map[string]bool{}
	for _, r := range m.batch.Runs {
		ids[r.ID] = true
	}
	if len(ids) != 3 {
		t.Error("equal rows must stay two measurements")
	}
	if got := m.factors(m.batch.Runs[2]); got != "host=db7 group=s instance=l4" || m.batch.Runs[2].Part != 3 {
		t.Errorf("a cell knows better than a file beside the table: %s", got)
	}
	if p, ok := m.problem("intervals-in-table"); !ok || p.Source != "series.csv" {
		t.Errorf("problems %v", m.batch.Problems)
	}
	m, _ = ingestTree(t, Options{Map: map[string]string{"p99_us": "latency_p99", "group": "", "Instance": "host"}, Set: map[string]string{"day": "d9"}},
		tree(t, map[string]string{"r.csv": "group,day,instance,qps,p99_us\nw,d1,l2,8554,4730\nw,d1,l2,8559,4730\n"}))
	if got := m.factors(m.batch.Runs[0]); got != "day=d9 host=l2" {
		t.Errorf("got %s", got)
	}
}

func TestSameBatchesForAnyNumberOfWorkers(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("b%d/run%d_%dth.log", i%3, i%5, 1+i%4)] = logText(1+i%4, 50+i, i) + logText(1+i%4, 20, 1000+i)
		files[fmt.Sprintf("p/run%d.log", i)] = logText(3, 9, i)
		files[fmt.Sprintf("p/run%d.folded", i)] = fmt.Sprintf("mariadbd;a;b %d\nmariadbd;a;c 3\n", i)
		files[fmt.Sprintf("p/run%d.perf-stat.txt", i)] = fmt.Sprintf(" Performance counter stats for 'x':\n\n   %d      cycles\n", i)
		files[fmt.Sprintf("alone/run%d.folded", i)] = fmt.Sprintf("mariadbd;a;b %d\nmariadbd;a;c 3\n", i)
	}
	files["t.csv"] = "arm,tps\nbase,1.5\nnew,2.5\nbroken\n"
	files["x/README.txt"] = "hello, this is a text\n"
	dir := tree(t, files)
	if err := os.WriteFile(filepath.Join(dir, "s.tar.gz"), squeeze(t, "gz", pack(t, "q/run9_2th.log", logText(2, 9, 77), "q/run8_2th.log", logText(2, 9, 78))), 0o644); err != nil {
		t.Fatal(err)
	}
	one, first := ingestTree(t, Options{Workers: 1}, dir)
	four, second := ingestTree(t, Options{Workers: 4}, dir)
	for i := range one.batch.Runs { // NaN is not equal to itself
		if one.batch.Runs[i].ID != four.batch.Runs[i].ID || one.factors(one.batch.Runs[i]) != four.factors(four.batch.Runs[i]) {
			t.Fatalf("run %d: %+v, %+v", i, one.batch.Runs[i], four.batch.Runs[i])
		}
	}
	if fmt.Sprint(one.batch) != fmt.Sprint(four.batch) || !reflect.DeepEqual(first, second) || !reflect.DeepEqual(one.columns, four.columns) {
		t.Error("the rows depend on the number of workers")
	}
	if a, b := dataset(t, Options{Workers: 1}, t.TempDir(), dir), dataset(t, Options{Workers: 4}, t.TempDir(), dir); a != b {
		t.Errorf("the data set depends on the number of workers:\n%s\n%s", a, b)
	}
}

// dataset ingests into a data set and gives its dataset.json.
func dataset(t *testing.T, opt Options, out string, paths ...string) string {
	t.Helper()
	w, err := datasets.OpenWriter(out)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := Run(context.Background(), paths, opt, w); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, "dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSecondIngestAddsNothing(t *testing.T) {
	dir := tree(t, map[string]string{"a/run1_8th.log": "log 8", "a/run2_8th.log": "log 8", "a/meta.json": `{"host": "db7", "x": 1.5}`, "t.csv": "arm,tps\nbase,1.5\nnew,2.5\nragged\n",
		"v.txt": "Variable_name\tValue\nautocommit\tON\n"})
	m := &memory{}
	for range 2 {
		if _, err := Run(context.Background(), []string{dir}, Options{}, m); err != nil {
			t.Fatal(err)
		}
	}
	if m.fresh != 4 {
		t.Errorf("%d different runs, want 4", m.fresh)
	}
	out := t.TempDir()
	first := dataset(t, Options{}, out, dir)
	if second := dataset(t, Options{}, out, dir); second != first {
		t.Errorf("the second ingest changed the data set:\n%s\n%s", first, second)
	}
	// The data set lies in the folder that is read: it is no source of its own.
	if err := os.CopyFS(filepath.Join(dir, "ds"), os.DirFS(out)); err != nil {
		t.Fatal(err)
	}
	again, s := ingestTree(t, Options{}, dir)
	if len(again.batch.Runs) != 4 || len(s.Skipped) != 0 {
		t.Errorf("%d runs, skipped %v", len(again.batch.Runs), s.Skipped)
	}
}

func TestSecretsAreNotStored(t *testing.T) {
	const command = "mysql -uroot -phunter2 -e x"
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{
		"a.log":                    "sysbench oltp_read_write --mysql-password=hunter2 --threads=8 run\n" + logText(8, 5, 1) + command + "\n",
		"a.json":                   `{"mysql_password": "hunter2", "cmd": "tool --password=hunter2", "url": "mysql://u:hunter2@h/d", "args": ["--token", "hunter2"], "password=hunter2": 3}`,
		"t.csv":                    "arm,token,note,tps\nbase,hunter2,password=hunter2,1.5\nnew,hunter2,x,2.5\nbad password=hunter2\n",
		"heading.csv":              "arm,threads,--password=hunter2,tps\nbase,8,x,1.5\nnew,8,y,2.5\n",
		"vars.txt":                 "Variable_name\tValue\nautocommit\tON\nreport_password\thunter2\ninit_connect\tSET @password := 'hunter2'\n",
		"my.cnf":                   "[client]\npassword = hunter2\n[mysqld]\ninit_connect = \"SET x='--password=hunter2'\"\nroot:hunter2@tcp(h:1)/x\n",
		"unknown.txt":              "what is this password=hunter2 thing\nand this\n",
		"run_password=hunter2.log": "log 4",
		// A command line, whatever the tool calls it.
		"more/continued.log": "sysbench oltp_read_write --tables=4 --mysql-password=\\\nhunter2 --mysql-user=x \\\n  --pgsql-password \\\n hunter2 --db-ps-mode=disable run\n" + logText(8, 5, 2),
		"more/title.log":     "=== rootPassword: hunter2 ===\n" + logText(8, 5, 3) + "--- private-token: hunter2 ---\n" + logText(8, 5, 4),
		"more/pair.log":      "### pt-archiver h=db1,u=root,p=hunter2 pool=8G ###\n" + logText(8, 5, 5),
		"folded/x.folded":    command + ";main;run 42\n" + "mysqld;" + command + ";b 7\n",
		"fio/x.log":          command + ": (groupid=0, jobs=1): err= 0: pid=99: Mon Jan  1 12:00:00 2024\n  read : io=1024.0MB, bw=102400KB/s, iops=25600, runt= 10240msec\n",
		"pi/x.json":          `{"AlignedStartTime": 1527026400, "AlignedEndTime": 1527026460, "Keys": [{"Dimensions": {"db.wait_event.name": "` + command + `"}, "Total": 0.75}]}`,
		"stat/x.txt":         "\n Performance counter stats for '" + command + "':\n\n    13,405,391,552      cycles\n        11,703      password=hunter2\n\n      10.001521311 seconds time elapsed\n\n",
		"host/x.log":         logText(8, 5, 6),
		"host/x.txt":         "Linux root:hunter2@db1:22 6.1.0 #1 SMP Debian x86_64 GNU/Linux\n",
		"fatal/x.log":        "sysbench 1.0.20\n\nFATAL: unable to connect with DSN 'root:hunter2@tcp(db1:3306)/x'\n",
	}))
	if dump := fmt.Sprintf("%+v %+v %+v", m.batch, m.columns, s); strings.Contains(dump, "hunter2") {
		i := strings.Index(dump, "hunter2")
		t.Errorf("...%s...", dump[max(0, i-150):min(len(dump), i+50)])
	}
	if !mentions(s.Notes, "mysql_password") || !mentions(s.Notes, "token") {
		t.Errorf("notes %q", s.Notes)
	}
	if r := m.run(t, "more/continued.log"); r.Factors["tables"] != datasets.Int(4) || r.Factors["db_ps_mode"] != datasets.Text("disable") {
		t.Errorf("%v", r.Factors)
	}
}

// What only looks like a secret is a factor as any other.
func TestNoSecrets(t *testing.T) {
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{
		"t.csv":          "branch,pass,token,tps\nsecret,1,8,1.5\nsecret,2,8,1.6\nmain,1,16,2.5\nmain,2,16,2.6\n",
		"x/token-8.log":  logText(8, 5, 1),
		"x/token-16.log": logText(8, 5, 2),
		"x/meta.yaml":    "default_authentication_plugin: caching_sha2_password\npassword_history: 0\nflags: -O2 -pthread\n",
	}))
	if len(m.batch.Runs) != 6 {
		t.Fatalf("%d runs, %q", len(m.batch.Runs), s.Notes)
	}
	for _, r := range m.batch.Runs {
		got := fmt.Sprint(r.Factors)
		want := []string{"branch:", "token:", "pass:"}
		if r.Source != "t.csv" {
			want = []string{"token:", "caching_sha2_password", "password_history:0", "-O2 -pthread"}
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %s in %s", r.Source, w, got)
			}
		}
	}
}

func TestNothingUsable(t *testing.T) {
	jpeg := "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01"
	binary := string([]byte{0, 1, 2, 3, 250, 251, 0, 7, 9, 200, 0, 0, 1, 1, 1, 254})
	wide := ""
	for i := range 3000 {
		wide += fmt.Sprint("c", i, ",")
	}
	wide += "tps\n" + strings.Repeat("1,", 3000) + "2\n"
	for _, c := range []struct {
		what  string
		files map[string]string
		want  string
	}{
		{"an empty folder", map[string]string{}, "there is no file in "},
		{"pictures", map[string]string{"a.jpg": jpeg, "b.jpg": jpeg}, "only 2 images"},
		{"a binary called .log", map[string]string{"a.log": binary}, "a.log is no log and no table of runs but a binary file"},
		{"an empty log", map[string]string{"a.log": "\n"}, "a.log is no log and no table of runs but an empty file"},
		{"a mixture", map[string]string{"a.jpg": jpeg, "b.txt": "hello there\n", "c.md": "# Hi\n\ntext\n"}, "only 1 image, 1 unknown text, 1 document"},
		{"a run that failed", map[string]string{"a.log": failedLog}, "FATAL: unable to connect to MySQL server on host 'db7'"},
		{"a table too wide", map[string]string{"a.csv": wide}, "a.csv: table: 3001 columns; a table of runs has at most 2000"},
		{"a heading without end", map[string]string{"a.csv": "tps," + strings.Repeat("column,", 20_000) + "\n1,2\n"}, "a.csv: no format that is known, with a first line of more than 64 kB"},
		{"metadata alone", map[string]string{"a.json": `{"a": 1}`}, "metadata without a run"},
		{"variables alone", map[string]string{"v.txt": "Variable_name\tValue\nautocommit\tON\n"}, "server variables"},
	} {
		m, s := ingestTree(t, Options{}, tree(t, c.files))
		if !strings.Contains(s.Nothing, c.want) || strings.Contains(s.Nothing, "\n") {
			t.Errorf("%s: %q, want %q", c.what, s.Nothing, c.want)
		}
		if c.what != "a run that failed" && len(m.batch.Runs) > 0 {
			t.Errorf("%s: %d runs", c.what, len(m.batch.Runs))
		}
	}
	_, s := ingestTree(t, Options{}, filepath.Join(t.TempDir(), "missing"))
	if !strings.Contains(s.Nothing, "missing cannot be read: no such file or directory") {
		t.Errorf("a missing PATH: %q", s.Nothing)
	}
}

// The list of known changes is the verb history's, and nothing that was not
// understood.
func TestKnownChangesAreNoProblem(t *testing.T) {
	for _, text := range []string{"- at: 8.40\n  note: redo log resized\n", "# ours\n\n- {at: 2026-01-31, metric: tps}\n"} {
		m, _ := ingestTree(t, Options{}, tree(t, map[string]string{"a.log": "log 8", "known-changes.yaml": text}))
		if len(m.batch.Runs) != 1 || len(m.batch.Problems) > 0 {
			t.Errorf("%q: %d runs, problems %v", text, len(m.batch.Runs), m.batch.Problems)
		}
	}
}

// A folder without permission: root may read everything, so the error comes from
// a walker whose reading fails.
func TestUnreadableFolder(t *testing.T) {
	dir := tree(t, map[string]string{"a/x.log": "log 8", "b/y.log": "log 8"})
	in, err := prepare([]string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.roots = roots([]string{dir})
	w := &walker{in: in, seen: map[string]bool{}, readDir: func(path string) ([]fs.DirEntry, error) {
		if filepath.Base(path) == "a" {
			return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}
		}
		return os.ReadDir(path)
	}}
	w.top(context.Background(), dir)
	if len(in.disk) != 1 || in.disk[0].Rel != "b/y.log" || len(in.problems.list) != 1 || in.problems.list[0].Text != "permission denied" || in.problems.list[0].Source != "a" {
		t.Errorf("%d files, problems %v", len(in.disk), in.problems.list)
	}
	in.disk = nil
	in.summary.Files = 0
	in.finish()
	if !strings.Contains(in.summary.Nothing, "cannot be read: permission denied") {
		t.Errorf("%q", in.summary.Nothing)
	}
}

func TestCancelAndBrokenSink(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("%02d.log", i)] = logText(8, 300, i)
	}
	dir := tree(t, files)
	ctx, cancel := context.WithCancel(context.Background())
	m := &memory{}
	_, err := Run(ctx, []string{dir}, Options{Workers: 4, Progress: func(p Progress) {
		if p.Runs > 0 {
			cancel()
		}
	}}, m)
	if !errors.Is(err, context.Canceled) || len(m.batch.Runs) == 30 || m.batch.Intervals.Len() != 300*len(m.batch.Runs) {
		t.Errorf("%v after %d runs with %d intervals", err, len(m.batch.Runs), m.batch.Intervals.Len())
	}
	full := errors.New("no space left on device")
	if _, err := Run(context.Background(), []string{dir}, Options{}, &memory{fail: full}); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

func TestProgress(t *testing.T) {
	dir := tree(t, map[string]string{"a.log": "log 8", "b.log": "log 8"})
	var last Progress
	m := &memory{}
	if _, err := Run(context.Background(), []string{dir}, Options{Progress: func(p Progress) { last = p }}, m); err != nil {
		t.Fatal(err)
	}
	if last.Files != 2 || last.TotalFiles != 2 || last.Bytes != last.TotalBytes || last.Runs != 2 {
		t.Errorf("%+v", last)
	}
}

func TestQueueBoundsWhatWaits(t *testing.T) {
	q := newQueue(3, 100)
	fill := func() *part {
		return &part{Batch: datasets.Batch{Intervals: datasets.IntervalsOf(make([]datasets.Interval, 60)...)}}
	}
	go func() {
		for range 5 {
			q.push(0, fill())
		}
		q.finish(0, nil)
	}()
	go func() {
		for task := 1; task < 3; task++ {
			q.push(task, fill())
			q.push(task, fill())
			q.finish(task, nil)
		}
	}()
	var got []int
	for task := range 3 {
		n := 0
		for {
			p, err := q.next()
			if err != nil {
				t.Fatal(err)
			}
			if p == nil {
				break
			}
			n++
		}
		_ = task
		got = append(got, n)
	}
	if !slices.Equal(got, []int{5, 2, 2}) {
		t.Errorf("got %v", got)
	}
}

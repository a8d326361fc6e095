package timecmd

import (
	"math"
	"slices"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/scantest"
)

// The texts have the shape of real reports; their numbers are ours.
const (
	bash    = "== 102 entries\n\nreal\t1m2.345s\nuser\t0m0.400s\nsys\t0m0.100s\n\nreal\t0m3.000s\nuser\t0m1.500s\nsys\t0m0.250s\n"
	posix   = "real 62.34\nuser 0.40\nsys 0.10\n"
	comma   = "real\t0m1,500s\nuser\t0m0,400s\nsys\t0m0,100s\n"
	gnuTime = "Command exited with non-zero status 1\n1.00user 2.50system 1:02:03.5elapsed 99%CPU (0avgtext+0avgdata 1000maxresident)k\n0inputs+328outputs (3major+4832minor)pagefaults 0swaps\n" +
		"152.00user 479.93system 10:35.09elapsed 99%CPU (0avgtext+0avgdata 21424maxresident)k\n0inputs+328outputs (0major+4832minor)pagefaults 0swaps\n"
	gnuVerbose = "\tCommand being timed: \"./lookup 102\"\n\tUser time (seconds): 0.40\n\tSystem time (seconds): 0.10\n\tPercent of CPU this job got: 98%\n" +
		"\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02.34\n\tMaximum resident set size (kbytes): 21424\n\tMajor (requiring I/O) page faults: 1\n\tExit status: 0\n"
	zshell    = "./lookup 102  0.40s user 0.10s system 98% cpu 0.512 total\n./lookup 202  0.80s user 0.20s system 98% cpu 1:01.024 total\n"
	tcShell   = "0.400u 0.100s 1:02.34 99.1%\t0+0k 0+328io 0pf+0w\n"
	fishShell = "\n________________________________________________________\nExecuted in    1.04 mins    fish           external\n   usr time  400.00 millis  123.00 micros  399.88 millis\n   sys time    0.10 secs    45.00 micros    0.10 secs\n"
)

var logs = []string{bash, posix, comma, gnuTime, gnuVerbose, zshell, tcShell, fishShell}

func is(t *testing.T, r load.Run, status datasets.Status, want map[string]float64) {
	t.Helper()
	if r.Status != status || len(r.Metrics) != len(want) {
		t.Errorf("%s", scantest.Dump(r))
	}
	for name, v := range want {
		if math.Abs(r.Metrics[name]-v) > 1e-12*v {
			t.Errorf("%s is %v, want %v", name, r.Metrics[name], v)
		}
	}
}

func TestShells(t *testing.T) {
	f := scantest.Text(t, Tool, bash)
	if len(f.Runs) != 2 || len(f.Problems) != 1 {
		t.Fatalf("%v", f)
	}
	is(t, f.Runs[0], datasets.Complete, map[string]float64{"elapsed": 62.345, "user_time": .4, "system_time": .1})
	is(t, f.Runs[1], datasets.Complete, map[string]float64{"elapsed": 3, "user_time": 1.5, "system_time": .25})
	is(t, scantest.Text(t, Tool, posix).Runs[0], datasets.Complete, map[string]float64{"elapsed": 62.34, "user_time": .4, "system_time": .1})
	is(t, scantest.Text(t, Tool, comma).Runs[0], datasets.Complete, map[string]float64{"elapsed": 1.5, "user_time": .4, "system_time": .1})
	is(t, scantest.Text(t, Tool, tcShell).Runs[0], datasets.Complete, map[string]float64{"elapsed": 62.34, "user_time": .4, "system_time": .1})
	is(t, scantest.Text(t, Tool, fishShell).Runs[0], datasets.Complete, map[string]float64{"elapsed": 62.4, "user_time": .4, "system_time": .1})
	z := scantest.Text(t, Tool, zshell)
	is(t, z.Runs[1], datasets.Complete, map[string]float64{"elapsed": 61.024, "user_time": .8, "system_time": .2})
	if z.Runs[1].Options["timed"] != datasets.Text("./lookup 202") {
		t.Errorf("%v", z)
	}
}

// What was typed above a report is what it is of; a report without is of nothing known.
func TestTyped(t *testing.T) {
	f := scantest.Text(t, Tool, "base\n$ time ./run.sh base\n\nreal\t0m12.31s\nuser\t0m1.20s\nsys\t0m0.30s\n"+
		"time -p is not typed\n[me@db7 ~]# time -p mysql -psecret -e 'select 1'\nreal 11.01\nuser 1.10\nsys 0.30\n\nreal 11.01\nuser 1.10\nsys 0.30\n")
	want := []datasets.Value{datasets.Text("./run.sh base"), datasets.Text("mysql -p(removed) -e 'select 1'"), {}}
	for i, r := range f.Runs {
		if i >= len(want) || r.Options["timed"] != want[i] {
			t.Errorf("%d: %v", i, r.Options)
		}
	}
	if len(f.Runs) != 3 || len(f.Problems) != 1 || f.Problems[0].Count != 2 {
		t.Errorf("%v", f)
	}
}

// A line above reports is what they are of, until another stands there. Of two lines
// nobody knows.
func TestTitles(t *testing.T) {
	report := "\nreal\t0m12.31s\nuser\t0m1.20s\nsys\t0m0.30s\n"
	f := scantest.Text(t, Tool, "baseline\n"+report+report+"8.4 -psecret\n"+report+"1000000\n"+report+"patched\n1 row in set\n"+report+report)
	var got []string
	for _, r := range f.Runs {
		got = append(got, r.Options["timed"].String())
	}
	if want := []string{"baseline", "baseline", "8.4 -p(removed)", "1000000", "", ""}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestGNU(t *testing.T) {
	f := scantest.Text(t, Tool, gnuTime)
	if len(f.Runs) != 2 {
		t.Fatalf("%v", f)
	}
	is(t, f.Runs[0], datasets.FatalWithSummary, map[string]float64{"elapsed": 3723.5, "user_time": 1, "system_time": 2.5, "max_rss_bytes": 1024000, "major_faults": 3, "minor_faults": 4832})
	is(t, f.Runs[1], datasets.Complete, map[string]float64{"elapsed": 635.09, "user_time": 152, "system_time": 479.93, "max_rss_bytes": 21938176, "major_faults": 0, "minor_faults": 4832})
	v := scantest.Text(t, Tool, gnuVerbose)
	is(t, v.Runs[0], datasets.Complete, map[string]float64{"elapsed": 62.34, "user_time": .4, "system_time": .1, "max_rss_bytes": 21938176, "major_faults": 1})
}

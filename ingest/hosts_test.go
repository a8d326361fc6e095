package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
)

// vmstatText has an average since the start and then so many reports, in which
// the idle time counts up from first.
func vmstatText(reports, first int) string {
	var b strings.Builder
	b.WriteString("procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n")
	row := " %d  0      0 9000000   1000  10000    0    0     1     1    1    1  1  1 %d  0  0\n"
	fmt.Fprintf(&b, row, 0, 99)
	for i := range reports {
		fmt.Fprintf(&b, row, i+1, first+i)
	}
	return b.String()
}

// mpstatText has a report each second from 12:00:00 plus from to 12:00:00 plus to, of
// the host db7.
func mpstatText(from, to int) string {
	clock := func(s int) string { return fmt.Sprintf("12:%02d:%02d", s/60, s%60) }
	text := "Linux 6.8.0 (db7) \t01/31/2026 \t_x86_64_\t(2 CPU)\n\n" + clock(from-1) + "     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
	for s := from; s <= to; s++ {
		text += fmt.Sprintf("%s     all    1.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   %d.00\n", clock(s), s%60)
	}
	return text
}

// idle lists the idle times of each run: "run1.log vmstat: 1=40 2=41".
func idle(m *memory) (list []string) {
	source := map[string]string{}
	for _, r := range m.batch.Runs {
		source[r.ID] = r.Source
	}
	found := map[string][]string{}
	for _, v := range m.batch.Series.Rows() {
		if v.Metric == "cpu_idle_pct" {
			key := source[v.RunID] + " " + v.Source + ":"
			found[key] = append(found[key], fmt.Sprintf("%g=%g", v.T, v.Value))
		}
	}
	for key, values := range found {
		list = append(list, key+" "+strings.Join(values, " "))
	}
	slices.Sort(list)
	return list
}

func TestHostSeries(t *testing.T) {
	is := func(what string, opt Options, files map[string]string, problems []string, want ...string) Summary {
		t.Helper()
		m, s := ingestTree(t, opt, tree(t, files))
		if g, w := strings.Join(idle(m), "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%s: got\n%s\nwant\n%s", what, g, w)
		}
		var kinds []string
		for _, p := range m.batch.Problems {
			kinds = append(kinds, p.Kind)
		}
		if !slices.Equal(kinds, problems) {
			t.Errorf("%s: problems %v", what, m.batch.Problems)
		}
		if s.Samples != m.batch.Series.Len() {
			t.Errorf("%s: %d samples said, %d there", what, s.Samples, m.batch.Series.Len())
		}
		return s
	}
	log := func(mark int) string { return logText(8, 3, mark) }
	s := is("the same stem; several tools", Options{}, map[string]string{"run1.log": log(1), "run1.vmstat.txt": vmstatText(3, 40), "run1.mpstat.txt": mpstatText(1, 3), "run2.log": log(2), "run2.vmstat.txt": vmstatText(3, 50)}, nil,
		"run1.log mpstat: 1=1 2=2 3=3", "run1.log vmstat: 1=40 2=41 3=42", "run2.log vmstat: 1=50 2=51 3=52")
	if !mentions(s.Notes, "vmstat writes no times: its reports are taken to be 1 s apart") {
		t.Errorf("not said: %q", s.Notes)
	}
	if !mentions(s.Joined, "vmstat: 2 files joined to the logs by name, the first run1.vmstat.txt") {
		t.Errorf("not said: %q", s.Joined)
	}
	is("the only log of the folder", Options{}, map[string]string{"a/sysbench.log": log(1), "a/vm-of-monday.txt": vmstatText(3, 40), "b/x.log": log(2)}, nil, "a/sysbench.log vmstat: 1=40 2=41 3=42")
	s = is("a name that fits no log", Options{}, map[string]string{"a.log": log(1), "b.log": log(2), "monday.vmstat.txt": vmstatText(3, 40)}, nil)
	if !slices.ContainsFunc(s.Skipped, func(k Skipped) bool { return k.Kind == "vmstat without a run" }) {
		t.Errorf("not said: %+v", s.Skipped)
	}
	is("overruled", Options{Join: []string{"monday*=b.log"}}, map[string]string{"a.log": log(1), "b.log": log(2), "monday.vmstat.txt": vmstatText(3, 40)}, nil, "b.log vmstat: 1=40 2=41 3=42")
	is("overruled by the folder's own file", Options{}, map[string]string{"a.log": log(1), "b.log": log(2), "a.vmstat.txt": vmstatText(3, 40), "noisefloor.yaml": "noisefloor:\n  join: [a.vmstat.txt=b.log]\n"}, nil, "b.log vmstat: 1=40 2=41 3=42")
	is("to no log", Options{Join: []string{"a.vmstat.txt="}}, map[string]string{"a.log": log(1), "a.vmstat.txt": vmstatText(3, 40)}, nil)
	is("to a log that is not there", Options{Join: []string{"a.vmstat.txt=c.log"}}, map[string]string{"a.log": log(1), "a.vmstat.txt": vmstatText(3, 40)}, []string{"not-joined"})
	// Every second report of a run of 10 s; what was reported after its end is left out.
	s = is("the interval that fits", Options{}, map[string]string{"run1.log": logText(8, 10, 1), "run1.vmstat.txt": vmstatText(6, 40)}, nil, "run1.log vmstat: 2=40 4=41 6=42 8=43 10=44 12=45")
	if !mentions(s.Notes, "2 s apart") {
		t.Errorf("not said: %q", s.Notes)
	}
	is("no interval fits", Options{}, map[string]string{"run1.log": log(1), "run1.vmstat.txt": vmstatText(9, 40)}, []string{"interval-guessed"}, "run1.log vmstat: 1=40 2=41 3=42 4=43")
	// The log says when it began: the times of both count.
	stamped := func(hour, second, mark int) string {
		var b strings.Builder
		for line := range strings.Lines(log(mark)) {
			if strings.HasPrefix(line, "[ ") {
				second++
			}
			fmt.Fprintf(&b, "2026-01-31T%02d:00:%02dZ %s", hour, second, line)
		}
		return b.String()
	}
	s = is("times of both", Options{}, map[string]string{"run1.log": stamped(12, 10, 1), "run1.mpstat.txt": mpstatText(5, 20)}, nil, "run1.log mpstat: -1=9 0=10 1=11 2=12 3=13 4=14")
	if !mentions(s.Notes, "100 values of host statistics lie before or after the runs") {
		t.Errorf("not said: %q", s.Notes)
	}
	is("times that cannot be of one zone", Options{}, map[string]string{"run1.log": stamped(9, 10, 1), "run1.mpstat.txt": mpstatText(5, 7)}, []string{"contradiction", "clocks-differ"}, "run1.log mpstat: 0=5 1=6 2=7")
	// Times of day alone, of a run that is known to have begun a second before midnight.
	top := ""
	for i, clock := range []string{"23:59:56", "23:59:58", "00:00:00", "00:00:02", "00:00:04", "00:00:06"} {
		top += fmt.Sprintf("top - %s up 1 day,  3:04,  2 users,  load average: 0.15, 0.10, 0.09\n%%Cpu(s):  1.0 us,  1.0 sy,  0.0 ni, %d.0 id,  0.0 wa\n\n", clock, 40+i)
	}
	is("times of day", Options{}, map[string]string{"run1.log": "Sat Jan 31 23:59:59 UTC 2026\n" + logText(8, 5, 1), "top.txt": top}, nil, "run1.log top: -1=41 1=42 3=43 5=44")
	is("times of day of another zone", Options{}, map[string]string{"run1.log": "Sat Jan 31 14:59:59 UTC 2026\n" + logText(8, 5, 1), "top.txt": top}, nil, "run1.log top: 2=41 4=42 6=43")
	// One file over several runs: each gets its part.
	is("by time", Options{}, map[string]string{"a.log": stamped(12, 10, 1), "b.log": stamped(12, 30, 2), "mpstat.txt": mpstatText(1, 40)}, nil,
		"a.log mpstat: 0=10 1=11 2=12 3=13 4=14", "b.log mpstat: 0=30 1=31 2=32 3=33 4=34")
	is("by time, which one run does not tell", Options{}, map[string]string{"a.log": stamped(12, 10, 1), "b.log": log(2), "mpstat.txt": mpstatText(1, 40)}, []string{"series-without-run"}, "a.log mpstat: 0=10 1=11 2=12 3=13 4=14")
	is("several runs, and no times", Options{}, map[string]string{"a.log": log(1), "b.log": log(2), "vmstat.txt": vmstatText(3, 40)}, []string{"series-without-run"})
	is("several runs in one log", Options{}, map[string]string{"a.log": log(1) + log(2), "a.vmstat.txt": vmstatText(3, 40)}, []string{"series-without-run"})
	is("two hosts", Options{}, map[string]string{"a.log": log(1), "a.client.mpstat.txt": strings.Replace(mpstatText(1, 3), "db7", "gen1", 1), "a.mpstat.txt": mpstatText(1, 3)}, []string{"contradiction"},
		"a.log mpstat db7: 1=1 2=2 3=3", "a.log mpstat gen1: 1=1 2=2 3=3")
	is("only the average since the start", Options{}, map[string]string{"a.log": log(1), "a.vmstat.txt": vmstatText(0, 0)}, []string{"nothing-measured"})
	is("a run that did not start", Options{}, map[string]string{"a.log": "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nFATAL: Thread initialization failed!\n", "a.vmstat.txt": vmstatText(3, 1)}, []string{"fatal", "series-without-run"})
}

// Several side files of one run stand side by side in the data set, and stay when
// one of them is read again.
func TestSideFilesOfOneRun(t *testing.T) {
	dir := tree(t, map[string]string{"run1.log": logText(8, 3, 1), "run1.vmstat.txt": vmstatText(3, 40), "run1.mpstat.txt": mpstatText(1, 3),
		"run1.stat.csv": "     0.500000000,3,,cycles,1,100.00,,\n     1.000000000,4,,cycles,1,100.00,,\n", "run1.time.txt": "real\t0m3.250s\nuser\t0m0.400s\nsys\t0m0.100s\n"})
	set := t.TempDir()
	for range 2 {
		w, err := datasets.OpenWriter(set)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), []string{dir}, Options{}, w); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		r, err := datasets.Open(set)
		if err != nil {
			t.Fatal(err)
		}
		rows := map[string]int{}
		if err := r.Series(func(list []datasets.Sample) error {
			for _, v := range list {
				rows[v.Source]++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		counted := map[string]float64{}
		if err := r.Counters(func(list []datasets.Counter) error {
			for _, c := range list {
				counted[c.Event] = c.Value
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if rows["vmstat"] != 3*17 || rows["mpstat"] != 30 || rows["perf stat"] != 2 || len(rows) != 3 {
			t.Errorf("rows %v", rows)
		}
		if counted["time user"] != .4 || counted["time elapsed"] != 3.25 || counted["cycles"] != 7 {
			t.Errorf("counters %v", counted)
		}
		r.Close()
	}
}

// Metadata whose name fits no log is nobody's beside several logs: a guess would
// put it on unrelated runs.
func TestMetadataOfOthers(t *testing.T) {
	files := map[string]string{"a_8.log": logText(8, 2, 1), "b_8.log": logText(8, 2, 2), "pmm-dashboard.json": `{"pool": "7G"}`, "a_8.json": `{"pool": "8G"}`, "params.txt": "disk: nvme\n",
		"lscpu.txt": "Architecture:        x86_64\nCPU op-mode(s):      32-bit, 64-bit\nCPU(s):              16\nModel name:          AMD EPYC 7443P\n"}
	_, s := checkFactors(t, files, Options{}, map[string]string{
		"a_8.log": "threads=8 arch=x86_64 cores=16 cpu=AMD EPYC 7443P disk=nvme path1=a pool=8G",
		"b_8.log": "threads=8 arch=x86_64 cores=16 cpu=AMD EPYC 7443P disk=nvme path1=b",
	})
	if !slices.ContainsFunc(s.Skipped, func(k Skipped) bool { return k.Kind == "metadata without a run" && k.First == "pmm-dashboard.json" }) {
		t.Errorf("not said: %+v", s.Skipped)
	}
	delete(files, "a_8.log")
	delete(files, "a_8.json") // then it can only be of the other
	checkFactors(t, files, Options{}, map[string]string{"b_8.log": "threads=8 arch=x86_64 cores=16 cpu=AMD EPYC 7443P disk=nvme pool=7G"})
}

// Where the names of the logs say nothing the folder is the run, and many such
// folders are said in one line.
func TestMetadataOfNamelessLogs(t *testing.T) {
	files := map[string]string{}
	for i, pool := range []string{"10G", "20G"} {
		dir := "run_" + pool + "/"
		files[dir+"result.txt"], files[dir+"stdout.log"] = logText(8, 2, 2*i), logText(8, 2, 2*i+1)
		files[dir+"bench_params.json"], files[dir+"whatever.yaml"] = `{"pool": "`+pool+`"}`, "disk: nvme\n"
	}
	m, s := ingestTree(t, Options{}, tree(t, files))
	for i := range m.batch.Runs {
		if r := &m.batch.Runs[i]; r.Value("disk").String() != "nvme" || !strings.Contains(r.Source, r.Value("pool").String()) {
			t.Errorf("%s: %v", r.Source, r.Factors)
		}
	}
	// Of several of a kind above the logs nobody knows which is whose.
	files["setup.01"], files["setup.02"], files["machine.yaml"] = "disk: ssd\n", "disk: hdd\n", "rack: 7\n"
	m, s = ingestTree(t, Options{}, tree(t, files))
	if r := &m.batch.Runs[0]; r.Value("disk").String() != "nvme" || r.Value("rack").String() != "7" || len(m.batch.Problems) > 0 {
		t.Errorf("%v %v", r.Factors, m.batch.Problems)
	}
	if !slices.ContainsFunc(s.Skipped, func(k Skipped) bool { return k.Kind == "metadata without a run" && k.Files == 2 }) {
		t.Errorf("%+v", s.Skipped)
	}
	if !mentions(s.Joined, "bench_params.json: 2 files of metadata for what is in and below their folders, the first run_10G/bench_params.json") || len(s.Joined) != 3 {
		t.Errorf("%q", s.Joined)
	}
}

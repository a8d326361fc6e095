package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
)

const (
	foldedText = "mariadbd;a;b 12\nmariadbd;a;c 3\n"
	statText   = " Performance counter stats for process id '4711':\n\n    1,000      cycles\n    2,000      instructions\n\n      10.5 seconds time elapsed\n"
	scriptText = "mariadbd 1 2.5: 100 cycles: \n\tffffffff8225fd19 halt+0x19 ([kernel.kallsyms])\n\t          8a71f0 main (/usr/bin/x)\n\n"
	reportText = "# Samples: 3  of event 'cycles'\n# Event count (approx.): 100\n#\n# Overhead  Command   Symbol\n# ........  ........  ......\n    50.00%  mariadbd  [.] f\n"
	headedText = "# ========\n# captured on    : Mon Nov 30 09:22:14 2026\n# hostname : db7\n# os release : 6.8.0\n# perf version : 6.1.0\n# ========\n#\n" + scriptText
)

// measured lists what is in the rows beside the runs: "source: event stack weight".
func besideOf(m *memory) (list []string) {
	source := map[string]string{}
	for _, r := range m.batch.Runs {
		source[r.ID] = r.Source
	}
	for _, s := range m.batch.Stacks {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s: %s %s;%s %v", source[s.RunID], s.Event, s.Comm, strings.Join(s.Frames, ";"), s.Weight)))
	}
	for _, c := range m.batch.Counters {
		list = append(list, fmt.Sprintf("%s: %s %v", source[c.RunID], c.Event, c.Value))
	}
	for _, v := range m.batch.Series.Rows() {
		list = append(list, fmt.Sprintf("%s: %s at %v %v", source[v.RunID], v.Metric, v.T, v.Value))
	}
	slices.Sort(list)
	return list
}

func TestBeside(t *testing.T) {
	is := func(what string, files map[string]string, runs int, want ...string) (*memory, Summary) {
		t.Helper()
		m, s := ingestTree(t, Options{}, tree(t, files))
		if len(m.batch.Runs) != runs {
			t.Errorf("%s: %d runs, want %d", what, len(m.batch.Runs), runs)
		}
		if g, w := strings.Join(besideOf(m), "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%s: got\n%s\nwant\n%s\nproblems %v", what, g, w, m.batch.Problems)
		}
		return m, s
	}
	log := logText(8, 5, 1)
	is("the same name", map[string]string{"run1.log": log, "run1.folded": foldedText, "run1.perf-stat.txt": statText, "run2.log": logText(8, 5, 2)}, 2,
		"run1.log:  mariadbd;a;b 12", "run1.log:  mariadbd;a;c 3", "run1.log: cycles 1000", "run1.log: instructions 2000", "run1.log: seconds elapsed 10.5")
	is("the only log of the folder", map[string]string{"a/sysbench.log": log, "a/perf.script.txt": scriptText, "b/sysbench.log": logText(8, 5, 2)}, 2, "a/sysbench.log: cycles mariadbd;main;halt 100")
	is("more words", map[string]string{"run1.log": log, "run1.offcpu.folded": foldedText, "run1.oncpu.folded": "mariadbd;z 7\n"}, 1,
		"run1.log: offcpu mariadbd;a;b 12", "run1.log: offcpu mariadbd;a;c 3", "run1.log: oncpu mariadbd;z 7")
	_, s := is("one recording in several forms", map[string]string{"run1.log": log, "run1.folded": foldedText, "run1.script.txt": scriptText, "run1.report.txt": reportText}, 1, "run1.log: cycles mariadbd;main;halt 100")
	if len(s.Skipped) != 2 || s.Skipped[0].Note != "the same recording is read as perf script" {
		t.Errorf("skipped %+v", s.Skipped)
	}
	m, _ := is("alone", map[string]string{"v9.6.0/perf.txt": headedText, "v9.7.0/perf.txt": strings.Replace(headedText, "db7", "db8", 1), "v9.7.0/perf.json": `{"pool": "32G"}`}, 2,
		"v9.6.0/perf.txt: cycles mariadbd;main;halt 100", "v9.7.0/perf.txt: cycles mariadbd;main;halt 100")
	r := m.batch.Runs[0]
	if r.Host != "db7" || r.Tool != "perf" || r.ToolVersion != "6.1.0" || r.Factors["kernel"] != datasets.Text("6.8.0") || r.Factors["version"] != datasets.Text("9.6.0") || r.Started.Format("2006-01-02 15:04") != "2026-11-30 09:22" {
		t.Errorf("%+v", r)
	}
	if pool := m.batch.Runs[1].Factors["pool"]; pool != datasets.Text("32G") {
		t.Errorf("pool %v: the note beside a profile is the profile's", pool)
	}
	is("alone, with counters of the same name", map[string]string{"x/one.folded": foldedText, "x/one.perf-stat.txt": statText, "y/two.folded": "a;b 1\n"}, 2,
		"x/one.folded:  mariadbd;a;b 12", "x/one.folded:  mariadbd;a;c 3", "x/one.folded: cycles 1000", "x/one.folded: instructions 2000", "x/one.folded: seconds elapsed 10.5", "y/two.folded:  a;b 1")
	m, _ = is("of several runs", map[string]string{"run1.log": log + logText(8, 5, 2), "run1.folded": foldedText}, 2)
	if p, ok := m.problem("profile-without-run"); !ok || !strings.Contains(p.Text, "holds 2 runs") {
		t.Errorf("problems %v", m.batch.Problems)
	}
	m, _ = is("nothing in it", map[string]string{"run1.log": log, "empty.perf-stat.txt": " Performance counter stats for 'x':\n\n"}, 1)
	if p, ok := m.problem("nothing-measured"); !ok || p.Source != "empty.perf-stat.txt" {
		t.Errorf("problems %v", m.batch.Problems)
	}
	m, _ = is("intervals", map[string]string{"run1.log": log, "run1.stat.csv": "     0.500000000,3,,cycles,1,100.00,,\n     1.000000000,4,,cycles,1,100.00,,\n"}, 1,
		"run1.log: cycles 7", "run1.log: cycles at 0.5 3", "run1.log: cycles at 1 4", "run1.log: seconds elapsed 1")
	if len(m.batch.Problems) > 0 {
		t.Errorf("problems %v", m.batch.Problems)
	}
}

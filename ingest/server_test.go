package ingest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func statusText(selects, uptime int) string {
	return fmt.Sprintf("Variable_name\tValue\nCom_commit\t7\nCom_select\t%d\nThreads_running\t3\nUptime\t%d\n", selects, uptime)
}

func waitText(seconds int) string {
	return fmt.Sprintf("EVENT_NAME\tCOUNT_STAR\tSUM_TIMER_WAIT\nwait/io/a\t%d\t%d000000000000\n", seconds, seconds)
}

// saidBeside lists what is in the tables counters and waits: "source: event value".
func saidBeside(m *memory) (list []string) {
	source := map[string]string{}
	for _, r := range m.batch.Runs {
		source[r.ID] = r.Source
	}
	for _, c := range m.batch.Counters {
		if c.Value != 0 {
			list = append(list, fmt.Sprintf("%s: %s %.3g", source[c.RunID], c.Event, c.Value))
		}
	}
	for _, w := range m.batch.Waits {
		list = append(list, fmt.Sprintf("%s: %s %.3g", source[w.RunID], w.Event, w.AvgSessions))
	}
	slices.Sort(list)
	return list
}

func TestSnapshotsOfARun(t *testing.T) {
	is := func(what string, files map[string]string, opt Options, runs int, want ...string) (*memory, Summary) {
		t.Helper()
		m, s := ingestTree(t, opt, tree(t, files))
		if len(m.batch.Runs) != runs {
			t.Errorf("%s: %d runs, want %d", what, len(m.batch.Runs), runs)
		}
		if g, w := strings.Join(saidBeside(m), "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%s: got\n%s\nwant\n%s\nproblems %v\nskipped %v", what, g, w, m.batch.Problems, s.Skipped)
		}
		return m, s
	}
	log, other := logText(8, 5, 1), logText(8, 5, 2) // 5 s
	before, after := statusText(100, 10), statusText(160, 16)
	m, s := is("before and after", map[string]string{"run1.log": log, "run1.status.before.txt": before, "run1.status.after.txt": after, "run1.waits.before.txt": waitText(1), "run1.waits.after.txt": waitText(11), "run2.log": other}, Options{}, 2,
		"run1.log: Com_select 60", "run1.log: seconds elapsed 5", "run1.log: wait/io/a 2")
	if len(m.batch.Problems) > 0 || !mentions(s.Joined, "server status: 2 files joined") || !mentions(s.Joined, "wait summary: 2 files joined") {
		t.Errorf("%v %v", m.batch.Problems, s.Joined)
	}
	is("folders", map[string]string{"a/sysbench.log": log, "a/before/status.txt": before, "a/after/status.txt": after, "b/sysbench.log": other}, Options{}, 2, "a/sysbench.log: Com_select 60", "a/sysbench.log: seconds elapsed 5")
	is("the words do not matter in their order", map[string]string{"x.log": log, "mysql-global-status-begin": before, "mysql-global-status-end": after}, Options{}, 1, "x.log: Com_select 60", "x.log: seconds elapsed 5")
	is("repeated in one file", map[string]string{"x.log": log, "mysqladmin.out": before + after}, Options{}, 1, "x.log: Com_select 60", "x.log: seconds elapsed 5")
	m, s = is("one of all runs of a folder", map[string]string{"run1_2G_8.log": log, "run2_2G_8.log": other, "2G.status.txt": before}, Options{}, 2)
	if p := m.batch.Problems; len(p) != 1 || p[0].Kind != "one-snapshot" || p[0].Source != "2G.status.txt" || !strings.HasPrefix(p[0].Text, "2 logs lie beside it: ") {
		t.Errorf("%v", p)
	}
	_, s = is("of none of several", map[string]string{"a.log": log, "b.log": other, "monday7.status.txt": before + after}, Options{}, 2)
	if skippedFor(s, "server status", "belongs to no single run") != 1 {
		t.Errorf("%+v", s.Skipped)
	}
	m, _ = is("one only", map[string]string{"run1.log": log, "run1.status.txt": before}, Options{}, 1)
	if p := m.batch.Problems; len(p) != 1 || p[0].Kind != "one-snapshot" || p[0].Source != "run1.status.txt" {
		t.Errorf("%v", p)
	}
	m, _ = is("started again", map[string]string{"run1.log": log, "run1.status.before.txt": after, "run1.status.after.txt": before}, Options{}, 1)
	if p := m.batch.Problems; len(p) != 1 || p[0].Kind != "restarted" {
		t.Errorf("%v", p)
	}
	is("as the user says", map[string]string{"a.log": log, "b.log": other, "monday1.txt": before + after}, Options{Join: []string{"monday1.txt=b.log"}}, 2, "b.log: Com_select 60", "b.log: seconds elapsed 5")
	is("apart, as the user says", map[string]string{"a.log": log, "mysqladmin.out": before + after}, Options{Join: []string{"mysqladmin.out="}}, 1)
	is("without a log", map[string]string{"x/status.before.txt": before, "x/status.after.txt": after, "y/status.before.txt": statusText(1, 3), "y/status.after.txt": statusText(9, 5)}, Options{}, 2,
		"x/status.after.txt: Com_select 60", "x/status.after.txt: seconds elapsed 6", "y/status.after.txt: Com_select 8", "y/status.after.txt: seconds elapsed 2")
	m, s = is("nothing but one", map[string]string{"status.txt": before}, Options{}, 0)
	if s.Nothing == "" || len(m.batch.Problems) != 1 {
		t.Errorf("%+v", s)
	}
	is("pt-stalk below a log", map[string]string{"run/sysbench.log": log, "run/pt-stalk/2026_01_31_12_00_01-mysqladmin": before + after, "run/pt-stalk/2026_01_31_12_00_01-opentables1": "Database\tTable\tIn_use\tName_locked\nx\ty\t0\t0\n"}, Options{}, 1,
		"run/sysbench.log: Com_select 60", "run/sysbench.log: seconds elapsed 5")
	m, _ = is("pt-stalk alone", map[string]string{"2026_01_31_12_00_01-mysqladmin": before + after, "2026_01_31_13_00_01-mysqladmin": statusText(500, 99) + statusText(501, 100)}, Options{}, 2,
		"2026_01_31_12_00_01-mysqladmin: Com_select 60", "2026_01_31_12_00_01-mysqladmin: seconds elapsed 6", "2026_01_31_13_00_01-mysqladmin: Com_select 1", "2026_01_31_13_00_01-mysqladmin: seconds elapsed 1")
	if r := m.run(t, "2026_01_31_12_00_01-mysqladmin"); r.Tool != "pt-stalk" || r.Started.Format("15:04:05") != "12:00:01" {
		t.Errorf("%+v", r)
	}
	// An innodb_metrics table over time, told by its timestamps.
	is("metrics over time", map[string]string{"run1.log": log, "run1.innodb.txt": "timestamp,adaptive_hash_searches,buffer_pool_reads\n1778869636.19,5,100\n1778869641.19,5,170\n", "run2.log": other}, Options{}, 2,
		"run1.log: buffer_pool_reads 70", "run1.log: seconds elapsed 5")
}

// An export of sessions is cut to each run that it covers.
func TestExportOfSessions(t *testing.T) {
	export := "timestamp,CPU,wait/io/table/sql/handler\n"
	for second := 1; second <= 20; second++ {
		export += fmt.Sprintf("2026-01-31T12:00:%02dZ,%d,1\n", second, second)
	}
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{
		"a/run.log": "Sat Jan 31 12:00:00 UTC 2026\n" + logText(8, 5, 1), "b/run.log": "Sat Jan 31 12:00:10 UTC 2026\n" + logText(8, 5, 2), "pi.csv": export,
	}))
	// By hand: the mean of 1 to 5, and of 11 to 15.
	want := []string{"a/run.log: CPU 3", "a/run.log: wait/io/table/sql/handler 1", "b/run.log: CPU 13", "b/run.log: wait/io/table/sql/handler 1"}
	if got := saidBeside(m); !slices.Equal(got, want) {
		t.Errorf("got %q\nproblems %v\n%v", got, m.batch.Problems, s.Joined)
	}
	for _, v := range m.batch.Series.Rows() {
		if v.T < 1 || v.T > 5 || v.Metric == "CPU" && v.Value != math.Round(v.Value) {
			t.Errorf("%+v", v)
		}
	}
}

func TestSettingsOfARun(t *testing.T) {
	m, _ := ingestTree(t, Options{}, tree(t, map[string]string{
		"x/variables.txt": "Variable_name\tValue\nautocommit\tON\nback_log\t80\n", "x/run1.log": logText(8, 5, 1), "x/deep/run2.log": logText(8, 5, 2),
		"y/run3.variables.txt": "Variable_name\tValue\nautocommit\tOFF\nssl_key\t/secret\n", "y/run3.log": logText(8, 5, 3), "y/run4.log": logText(8, 5, 4), "y/my.cnf": "[mysqld]\nback_log=90\n",
	}))
	for source, want := range map[string]string{"x/run1.log": "x/variables.txt", "x/deep/run2.log": "x/variables.txt", "y/run3.log": "y/run3.variables.txt", "y/run4.log": "y/my.cnf"} {
		if got := m.run(t, source).Factors[settingsFrom].String(); got != want {
			t.Errorf("%s: settings from %q, want %q", source, got, want)
		}
	}
	// The report of pt-mysql-summary goes before an option file, and by name.
	m, _ = ingestTree(t, Options{}, tree(t, map[string]string{
		"run1_2G_8.log": logText(8, 5, 1), "run1_4G_8.log": logText(8, 5, 2), "my.cnf": "[mysqld]\nback_log=90\n",
		"2G-pt-mysql-summary.txt": "# Percona Toolkit MySQL Summary Report #######\n# Report On Port 3306 #######\n  Version | 8.0.36\n# Configuration File #######\n[mysqld]\nversion = 7\nback_log = 80\n# The End #######\n",
	}))
	for source, want := range map[string]string{"run1_2G_8.log": "2G-pt-mysql-summary.txt", "run1_4G_8.log": "my.cnf"} {
		if got := m.run(t, source).Factors[settingsFrom].String(); got != want {
			t.Errorf("%s: settings from %q, want %q", source, got, want)
		}
	}
	if got := fmt.Sprint(m.batch.Settings); got != "[{ 2G-pt-mysql-summary.txt version 8.0.36} { 2G-pt-mysql-summary.txt back_log 80} { my.cnf back_log 90}]" {
		t.Error(got)
	}
}

func TestSecretVariables(t *testing.T) {
	m, _ := ingestTree(t, Options{}, tree(t, map[string]string{"x.log": logText(8, 5, 1), "variables.txt": "Variable_name\tValue\nautocommit\tOFF\nssl_key\t/secret\n"}))
	for _, v := range m.batch.Settings {
		if v.Name == "ssl_key" && v.Value != "(removed)" {
			t.Errorf("%+v", v)
		}
	}
}

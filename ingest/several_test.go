package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
)

// scopedCounters lists counters with their scope: "source [scope]: event value".
func scopedCounters(m *memory) (list []string) {
	for _, c := range m.batch.Counters {
		i := slices.IndexFunc(m.batch.Runs, func(r datasets.Run) bool { return r.ID == c.RunID })
		list = append(list, fmt.Sprintf("%s [%s]: %s %.4g", m.batch.Runs[i].Source, c.Scope, c.Event, c.Value))
	}
	slices.Sort(list)
	return list
}

// Snapshots beside several runs.
func TestSnapshotsOfSeveralRuns(t *testing.T) {
	is := func(what string, files map[string]string, problems []string, want ...string) (*memory, Summary) {
		t.Helper()
		m, s := ingestTree(t, Options{}, tree(t, files))
		if g, w := strings.Join(scopedCounters(m), "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%s: got\n%s\nwant\n%s\n%v", what, g, w, s.Skipped)
		}
		var told []string
		for _, p := range m.batch.Problems {
			told = append(told, p.Source+": "+p.Kind)
		}
		if !slices.Equal(told, problems) {
			t.Errorf("%s: problems %v", what, m.batch.Problems)
		}
		return m, s
	}
	const both = "[server, several runs]"
	one, two := logText(8, 5, 1), logText(8, 5, 2)
	before, after := statusText(100, 10), statusText(340, 26)
	// One before all and one behind: the difference is of both, in 16 s.
	want := []string{"a.log " + both + ": Com_select 240", "a.log " + both + ": seconds elapsed 16", "b.log " + both + ": Com_select 240", "b.log " + both + ": seconds elapsed 16"}
	_, s := is("around", map[string]string{"a.log": one, "b.log": two, "status.before.txt": before, "status.after.txt": after}, nil, want...)
	if !mentions(s.Joined, "server status of several runs: 2 files beside the logs by name, which count where one was taken before the runs and one behind them, the first status.after.txt") {
		t.Errorf("%q", s.Joined)
	}
	is("folders around", map[string]string{"a.log": one, "b.log": two, "before/status.txt": before, "after/status.txt": after}, nil, want...)
	is("by name", map[string]string{"a_2G.log": one, "b_2G.log": two, "c_4G.log": logText(8, 5, 3), "2G.status.before.txt": before, "2G.status.after.txt": after}, nil,
		"a_2G.log "+both+": Com_select 240", "a_2G.log "+both+": seconds elapsed 16", "b_2G.log "+both+": Com_select 240", "b_2G.log "+both+": seconds elapsed 16")
	is("beside those of one", map[string]string{"a.log": one, "b.log": two, "status.before.txt": before, "status.after.txt": after, "b.status.before.txt": before, "b.status.after.txt": statusText(130, 15)}, nil,
		want[0], want[1], "b.log [server]: Com_commit 0", "b.log [server]: Com_select 30", "b.log [server]: seconds elapsed 5")
	is("not around", map[string]string{"a.log": one, "b.log": two, "status.before.txt": before, "status.after.txt": statusText(340, 12)}, []string{"a.log: several-runs", "b.log: several-runs"})
	is("waits around", map[string]string{"a.log": one, "b.log": two, "waits.before.txt": waitText(1), "waits.after.txt": waitText(11)}, []string{"waits.before.txt: several-runs"})
	is("three without times", map[string]string{"a.log": one, "b.log": two, "status.txt": before + after + statusText(341, 27)}, []string{"status.txt: several-runs"})
	// Snapshots that go on over both: each takes its part. 10 a second while a goes on, 2 between, 20 while b does.
	var text strings.Builder
	count := 100
	for second := range 31 {
		fmt.Fprintf(&text, "TS %d.0 2026-01-31 12:00:%02d\n%s", 1769860800+second, second, statusText(count, 50+second))
		switch {
		case second >= 10 && second < 15:
			count += 10
		case second >= 20 && second < 25:
			count += 20
		default:
			count += 2
		}
	}
	at := func(second int, log string) string {
		return fmt.Sprintf("Sat Jan 31 12:00:%02d UTC 2026\n%s", second, log)
	}
	m, _ := is("over time", map[string]string{"a.log": at(10, one), "b.log": at(20, two), "status.txt": text.String()}, nil,
		"a.log [server]: Com_commit 0", "a.log [server]: Com_select 50", "a.log [server]: seconds elapsed 5", "b.log [server]: Com_commit 0", "b.log [server]: Com_select 100", "b.log [server]: seconds elapsed 5")
	var rates []string
	for _, v := range m.batch.Series.Rows() {
		if v.Metric == "Com_select/s" {
			rates = append(rates, fmt.Sprintf("%g=%g", v.T, v.Value))
		}
	}
	if got := strings.Join(rates, " "); got != "0=2 1=10 2=10 3=10 4=10 5=10 0=2 1=20 2=20 3=20 4=20 5=20" {
		t.Errorf("%s", got)
	}
	// A table of innodb_metrics goes on over both as well: 7 a second.
	dump := "timestamp,adaptive_hash_searches,buffer_pool_reads\n"
	for second := range 31 {
		dump += fmt.Sprintf("%d.0,5,%d\n", 1769860800+second, 7*second)
	}
	is("metrics over time", map[string]string{"a.log": at(10, one), "b.log": at(20, two), "innodb.csv": dump}, nil,
		"a.log [InnoDB metrics]: adaptive_hash_searches 0", "a.log [InnoDB metrics]: buffer_pool_reads 35", "a.log [InnoDB metrics]: seconds elapsed 5",
		"b.log [InnoDB metrics]: adaptive_hash_searches 0", "b.log [InnoDB metrics]: buffer_pool_reads 35", "b.log [InnoDB metrics]: seconds elapsed 5")
	is("over time, of one nobody knows when", map[string]string{"a.log": at(10, one), "b.log": two, "status.txt": text.String()}, []string{"b.log: several-runs"},
		"a.log [server]: Com_commit 0", "a.log [server]: Com_select 50", "a.log [server]: seconds elapsed 5")
	is("over another time", map[string]string{"a.log": at(10, one), "b.log": at(50, two), "status.txt": text.String()}, []string{"b.log: several-runs"},
		"a.log [server]: Com_commit 0", "a.log [server]: Com_select 50", "a.log [server]: seconds elapsed 5")
}

// Passwords stand in command lines, process lists, settings and statements; none of
// them gets into the data set or into what is said.
func TestSecretsBesideRuns(t *testing.T) {
	stalk := "run/pt-stalk/2026_01_31_12_00_01-"
	ts := "TS 1769860802.5 2026-01-31 12:00:02\n"
	banner := "Linux 6.8.0 (db7) \t01/31/2026 \t_x86_64_\t(2 CPU)\n\n"
	files := map[string]string{
		"run/sysbench.log": logText(8, 5, 1),
		"run/pidstat.txt":  banner + "12:00:00      UID       PID    %usr  Command\n12:00:01        0         1   10.19  sysbench --mysql-password=hunter2 run\n12:00:02        0         1   torn  mysql -phunter2\nmysqld --password=hunter2\n",
		"run/top.txt": strings.Repeat("top - 12:00:01 up 1 day,  3:04,  2 users,  load average: 0.15, 0.10, 0.09\n\n  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n"+
			" 99 root      20   0 8193.3g 119608  23872 S  67.0   0.5   0:01.54 sysbench --mysql-password=hunter2\n9 x --password=hunter2\n", 2),
		"run/pt-mysql-summary.txt": "# Percona Toolkit MySQL Summary Report #####\n# Report On Port 3306 ####\n Version | 8.0.36\n# Noteworthy Variables ####\n init_connect | SET PASSWORD = 'hunter2'\n report_password | hunter2\nbroken --password=hunter2\n" +
			"# Configuration File ####\n[client]\npassword = hunter2\n[mysqld]\nwsrep_sst_auth = sst:hunter2\n# The End ####\n",
		"run/pt-summary.txt":  "# Percona Toolkit System Summary Report ######\n    Hostname | db7\n# Notable Processes ######\n  1 mysqld --password=hunter2\n",
		"run/mext.txt":        "Aborted_clients 1 2 3\nCom_x 1 2 3\nmysqladmin -uroot -phunter2 ext\nUptime 1 2 3\n",
		stalk + "variables":   "Variable_name\tValue\nautocommit\tON\nreport_password\thunter2\nwsrep_sst_auth\tsst:hunter2\ninit_connect\tSET PASSWORD FOR a = PASSWORD('hunter2')\n",
		stalk + "processlist": ts + "*** 1. row ***\n   Id: 1\n Info: CREATE USER x IDENTIFIED BY 'hunter2'\n",
		stalk + "ps":          "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\nroot         1  0.0  0.0  16000  9000 ?        Ss   09:00   0:01 mysqld --password=hunter2\n",
		stalk + "innodbstatus1": "2026-01-31 12:00:01 0x7f INNODB MONITOR OUTPUT\n------------\nTRANSACTIONS\n------------\nHistory list length 3\nSET PASSWORD = 'hunter2'\nmysql --password=hunter2\n" +
			"ROW OPERATIONS\n0 queries inside InnoDB, 0 queries in queue\nEND OF INNODB MONITOR OUTPUT\nmysql --password=hunter2\n",
		stalk + "df": ts + "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/vda 1 2 3 4% /mnt/password=hunter2\n//nas --password=hunter2\n",
	}
	m, s := ingestTree(t, Options{}, tree(t, files))
	if all := fmt.Sprintf("%+v %+v", m.batch, s); strings.Contains(all, "hunter2") {
		at := strings.Index(all, "hunter2")
		t.Errorf("... %s", all[max(0, at-300):at+20])
	}
	if m.batch.Series.Len() == 0 || len(m.batch.Settings) < 4 {
		t.Errorf("%d values, settings %v, problems %v", m.batch.Series.Len(), m.batch.Settings, m.batch.Problems)
	}
}

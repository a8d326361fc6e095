package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func skippedFor(s Summary, kind, note string) int {
	for _, k := range s.Skipped {
		if k.Kind == kind && strings.HasPrefix(k.Note, note) {
			return k.Files
		}
	}
	return 0
}

// Settings and metadata with numbers are for the folders with the same.
func TestNumbered(t *testing.T) {
	files := map[string]string{"config.sh": "threads=\"4 8\"\nengine=InnoDB\n"}
	for i := 1; i <= 3; i++ {
		files[fmt.Sprintf("my.cnf.%02d", i)] = fmt.Sprintf("[mysqld]\ninnodb_buffer_pool_size = %dG\n", i)
		files[fmt.Sprintf("config.%02d", i)] = fmt.Sprintf("engine=E%d\nrows=%d\n", i, 100*i)
		for _, threads := range []int{4, 8} {
			files[fmt.Sprintf("res%02d/sysbench.%d.res", i, threads)] = logText(threads, 3, 10*i+threads)
		}
	}
	m, s := ingestTree(t, Options{}, tree(t, files))
	for _, r := range m.batch.Runs {
		number := r.Source[3:5]
		if got := r.Factors[settingsFrom].String(); got != "my.cnf."+number {
			t.Errorf("%s: settings from %s", r.Source, got)
		}
		if got := r.Factors["engine"].String(); got != "E"+number[1:] {
			t.Errorf("%s: engine %s", r.Source, got)
		}
	}
	// What the file with the number says counts before what that for all says, and a list of levels is no number.
	if len(m.batch.Problems) > 0 || !mentions(s.Notes, "threads in metadata is the list of what a sweep goes through") {
		t.Errorf("%v %q", m.batch.Problems, s.Notes)
	}
	if !mentions(s.Joined, "config.01 and the files like it: 3 files for 6 logs in folders with their numbers") || !mentions(s.Joined, "my.cnf.01 and the files like it: 3 files for 6 logs") {
		t.Errorf("%q", s.Joined)
	}
	// One that is alone of its kind is for its folder too.
	m, _ = ingestTree(t, Options{}, tree(t, map[string]string{"config.sh": "engine=InnoDB\n", "config.02": "engine=RocksDB\n", "res01/a.log": logText(4, 3, 1), "res02/a.log": logText(4, 3, 2)}))
	for source, engine := range map[string]string{"res01/a.log": "InnoDB", "res02/a.log": "RocksDB"} {
		if got := m.run(t, source).Factors["engine"].String(); got != engine {
			t.Errorf("%s: engine %s", source, got)
		}
	}
	// Two folders with the number 1: nobody knows which.
	files["old01/sysbench.4.res"] = logText(4, 3, 99)
	m, s = ingestTree(t, Options{}, tree(t, files))
	if r := m.run(t, "res01/sysbench.4.res"); !r.Factors[settingsFrom].IsNull() || r.Factors["engine"].String() != "InnoDB" || skippedFor(s, "my.cnf without a run", oneOfSeveral) != 1 {
		t.Errorf("%v %+v", r.Factors, s.Skipped)
	}
}

// What is no number is one problem, of the file that says it.
func TestMisreadMetadata(t *testing.T) {
	m, _ := ingestTree(t, Options{}, tree(t, map[string]string{"a.log": logText(4, 3, 1), "b.log": logText(8, 3, 2), "params.txt": "threads: many\n"}))
	if p := m.batch.Problems; len(p) != 1 || p[0].Kind != "bad-value" || p[0].Source != "params.txt" {
		t.Errorf("%v", p)
	}
	for text, want := range map[string]bool{"1 2 4": true, "1,2,4": true, "[1, 2, 4]": true, "(1 2)": true, "8": false, "many": false, "": false, "1 two": false} {
		if isLevels(text) != want {
			t.Errorf("%q", text)
		}
	}
}

// Host files whose names have the words of one log, of several, or of none.
func TestHostFilesByName(t *testing.T) {
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{"sysbench.1.res": logText(1, 3, 1), "iostat.ro.1.res": vmstatText(3, 40), "sysbench.2.res": logText(2, 3, 2), "iostat.ro.2.res": vmstatText(3, 50)}))
	want := []string{"sysbench.1.res vmstat: 1=40 2=41 3=42", "sysbench.2.res vmstat: 1=50 2=51 3=52"}
	if got := idle(m); !slices.Equal(got, want) {
		t.Errorf("%q, skipped %+v", got, s.Skipped)
	}
	_, s = ingestTree(t, Options{}, tree(t, map[string]string{"sysbench.ro.long.1.res": logText(1, 3, 1), "sysbench.ro.short.1.res": logText(1, 3, 2), "iostat.ro.1.res": vmstatText(3, 40)}))
	if skippedFor(s, "vmstat without a run", "its name fits several logs beside it, and it writes no times") != 1 {
		t.Errorf("%+v", s.Skipped)
	}
	// Beside one log they can only be of others; the folder of the second has no log at all.
	_, s = ingestTree(t, Options{}, tree(t, map[string]string{"sysbench.log": logText(1, 3, 1), "1.sql_no_1_sar.txt": vmstatText(3, 40), "1.sql_no_2_sar.txt": vmstatText(3, 50), "x/1.sar.txt": vmstatText(3, 60), "x/status.txt": statusText(1, 2)}))
	if skippedFor(s, "vmstat without a run", oneOfSeveral) != 2 || skippedFor(s, "vmstat without a run", "no log lies beside it") != 1 {
		t.Errorf("%+v", s.Skipped)
	}
}

// The files that pt-stalk starts without times are as far apart as those that it
// stamps say, and began with them.
func TestCollection(t *testing.T) {
	stalk := "run/pt-stalk/2026_01_31_12_00_01-"
	ts := func(second int) string {
		return fmt.Sprintf("TS %d.5 2026-01-31 12:00:%02d\n", 1769860800+second, second)
	}
	meminfo := func(free int) string {
		return fmt.Sprintf("MemTotal:       24683652 kB\nMemFree:        %d kB\n", free)
	}
	session := func(state string) string {
		return "*************************** 1. row ***************************\n     Id: 1\n   User: u\n   Host: h\n     db: d\nCommand: Query\n   Time: 0\n  State: " + state + "\n   Info: SET PASSWORD = 'hunter2'\n"
	}
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{
		"run/sysbench.log": "Sat Jan 31 12:00:00 UTC 2026\n" + logText(8, 30, 1),
		stalk + "vmstat":   vmstatText(4, 40), stalk + "vmstat-overall": vmstatText(1, 90), stalk + "meminfo": ts(2) + meminfo(100) + ts(4) + meminfo(200) + ts(6) + meminfo(300),
		stalk + "processlist": session("Updating") + session("Commit"), stalk + "pmap": "1: mysqld --password=hunter2\n", stalk + "interrupts": ts(2) + "           CPU0       CPU1\n  0:        126          0   IO-APIC\n",
		stalk + "diskstats": ts(2) + "254 0 vda 10 0 80 10 0 0 0 0 0 10 10\n" + ts(4) + "254 0 vda 20 0 160 20 0 0 0 0 0 20 20\n", stalk + "lock-waits": ts(2) + "who_blocks: thread 7\n",
		stalk + "trigger": "2026_01_31_12_00_01 Check results\n", stalk + "sysctl": "vm.swappiness = 10\nkernel.x = 1\n",
	}))
	if got, want := idle(m), []string{"run/sysbench.log vmstat: 4.5=40 6.5=41 8.5=42 10.5=43"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	var free []string
	for _, v := range m.batch.Series.Rows() {
		if v.Source == "meminfo" {
			free = append(free, fmt.Sprintf("%g=%g", v.T, v.Value/1024))
		}
	}
	if want := []string{"2.5=100", "4.5=200", "6.5=300"}; !slices.Equal(free, want) {
		t.Errorf("%q", free)
	}
	var others []string
	for _, v := range m.batch.Series.Rows() {
		if v.Metric == "device_reads_per_s vda" || v.Metric == "threads_by_state Commit" {
			others = append(others, fmt.Sprintf("%s: %g=%g", v.Metric, v.T, v.Value))
		}
	}
	if want := []string{"device_reads_per_s vda: 4.5=5", "threads_by_state Commit: 2.5=0", "threads_by_state Commit: 4.5=1"}; !slices.Equal(slices.Sorted(slices.Values(others)), want) {
		t.Errorf("%q", others)
	}
	if mentions(s.Notes, "writes no times") || len(m.batch.Problems) > 0 {
		t.Errorf("%q %v", s.Notes, m.batch.Problems)
	}
	for note, files := range map[string]int{"one report over": 1, "counts of the kernel": 1, "what single sessions did": 1, "about the machine": 2, "notes of the collection": 1} {
		if skippedFor(s, string(otherStalk), note) != files {
			t.Errorf("%s: %+v", note, s.Skipped)
		}
	}
}

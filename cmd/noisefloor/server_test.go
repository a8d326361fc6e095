package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordings are what serverstat's record.sh made; its README says how.
func recording(name string) string {
	return filepath.Join("..", "..", "ingest", "serverstat", "testdata", name+".tar.xz")
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got/want-1) > 1e-4 {
		t.Errorf("%s is %v, want %v", what, number(got), want)
	}
}

func number(p *float64) any {
	if p == nil {
		return nil
	}
	return *p
}

// The numbers are of a Python script over the same files: the sum of
// SUM_TIMER_WAIT between the first and the last summary over the time between
// them, or the run's where that is a little shorter; the mean of two runs.
func TestRecordedWaits(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	doc := profiled(t, "profile", "waits", recording("runs"), "--by", "flush", "--html", page)
	socket := doc.row(t, "wait/io/socket/sql/client_connection", "wait", "sessions")
	near(t, "in the base", socket.Base, 0.54032)
	near(t, "the difference", socket.Diff, 1.0150680-.5403208)
	if *socket.Call != "unsupported" || socket.Lo != nil {
		t.Errorf("one day: %+v", socket)
	}
	for _, r := range doc.Profile {
		if r.Symbol == "idle" || strings.HasPrefix(r.Symbol, "stage/") {
			t.Errorf("%s is no wait", r.Symbol)
		}
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(html), "average active sessions against seconds of the run") {
		t.Error("no picture over time")
	}
}

// By the same script: Com_commit and Innodb_data_fsyncs over sysbench's transactions.
// Uptime is in whole seconds, so that its time is the run's.
func TestRecordedStatus(t *testing.T) {
	doc := profiled(t, "profile", "counters", recording("runs"), "--by", "flush")
	found := 0
	for _, c := range doc.Comparisons {
		if c.Metric == "innodb_data_fsyncs_per_transaction" {
			near(t, c.Metric, c.Ratio, 0.000925130/0.671932) // geometric means
			found++
		}
		if c.Metric == "com_commit_per_transaction" {
			near(t, c.Metric, c.Ratio, 1)
			found++
		}
		if strings.HasPrefix(c.Metric, "uptime") || strings.HasPrefix(c.Metric, "threads_running") {
			t.Errorf("%s is no count", c.Metric)
		}
	}
	if found != 2 {
		t.Errorf("%d of 2 metrics", found)
	}
	_, stderr, _ := call(t, "profile", "counters", recording("runs"), "--by", "flush")
	if !strings.Contains(stderr, "more counters of the server were read; --event NAME shows one") {
		t.Error(stderr)
	}
	if doc := profiled(t, "profile", "counters", recording("runs"), "--by", "flush", "--event", "Handler_commit"); len(doc.Comparisons) != 2 {
		t.Errorf("%+v", doc.Comparisons)
	}
	stdout, _, _ := call(t, "info", recording("runs"))
	if !strings.Contains(stdout, "innodb_flush_log_at_trx_commit  1 (2), 2 (2)") || strings.Contains(stdout, "server_uid") {
		t.Errorf("info says\n%s", stdout)
	}
}

// waited writes runs of two versions on some days with a summary before and after
// each, of 100 s: waits for the log grow by half a session, the others do not.
func waited(t *testing.T, days int) string {
	t.Helper()
	dir := t.TempDir()
	for day := range days {
		for arm, version := range []string{"9.6.0", "9.7.0"} {
			for rep := range 2 {
				wobble := .004*float64((3*day+2*day*arm+7*rep)%5) + .0001*float64(4*day+2*arm+rep)
				stem := filepath.Join(dir, version, fmt.Sprintf("2026-01-%02d", day+1), fmt.Sprintf("run%d", rep+1))
				write(t, stem+".log", blogLog(8, 11, 300, 1000*(1+wobble)))
				seconds := 300.0 // of the log
				summary := func(log, table float64) string {
					return fmt.Sprintf("EVENT_NAME\tCOUNT_STAR\tSUM_TIMER_WAIT\nidle\t5\t900000000000000\nwait/io/file/innodb/innodb_log_file\t10\t%.0f\nwait/io/table/sql/handler\t100\t%.0f\nwait/synch/cond/sql/COND_manager\t1\t5\n", log*1e12, table*1e12)
				}
				write(t, stem+".waits.before.txt", summary(1000, 2000))
				write(t, stem+".waits.after.txt", summary(1000+seconds*(1+.5*float64(arm)+wobble), 2000+seconds*(2+wobble)))
			}
		}
	}
	return dir
}

func TestWhichWaitsGrew(t *testing.T) {
	dir := waited(t, 4)
	doc := profiled(t, "profile", "waits", dir, "--by", "version", "--base", "9.6.0")
	log := doc.row(t, "wait/io/file/innodb/innodb_log_file", "wait", "sessions")
	if *log.Call != "grew" || math.Abs(*log.Diff-.5) > .02 || !(*log.Lo > .45) || !(*log.Q < .05) || log.Runs != 16 {
		t.Errorf("%+v: %v from %v, q %v", log, *log.Diff, *log.Lo, *log.Q)
	}
	if table := doc.row(t, "wait/io/table/sql/handler", "wait", "sessions"); *table.Call != "not shown" || math.Abs(*table.Base-2) > .02 {
		t.Errorf("%+v", table)
	}
	// Emptied in one run: that run says nothing about it, the others still do.
	write(t, filepath.Join(dir, "9.7.0", "2026-01-01", "run1.waits.after.txt"), "EVENT_NAME\tCOUNT_STAR\tSUM_TIMER_WAIT\nwait/io/file/innodb/innodb_log_file\t1\t1\n")
	stdout, _, code := call(t, "profile", "waits", dir, "--by", "version", "--base", "9.6.0")
	if code != exitDone || !strings.Contains(stdout, "the summary was emptied in between") {
		t.Errorf("%d\n%s", code, stdout)
	}
}

// What was collected goes to the run beside it; alone it is a run of its own.
func TestCollections(t *testing.T) {
	for name, want := range map[string][]string{
		"pt-stalk":         {"runs: 1, complete: 1", "joined: server status: 1 file", "joined: InnoDB status: 2 files", "joined: vmstat: 1 file", "joined: df: 1 file", "1 output of pt-stalk or pt-mysql-summary, notes of the collection"},
		"pt-mysql-summary": {"runs: 1, complete: 1", "joined: server status: 2 files", "output of pt-stalk or pt-mysql-summary, empty: the server had nothing to say"},
	} {
		_, stderr, code := call(t, "ingest", recording(name), "--out", filepath.Join(t.TempDir(), "ds"))
		if code != exitDone {
			t.Fatalf("%s: %d\n%s", name, code, stderr)
		}
		for _, w := range want {
			if !strings.Contains(stderr, w) {
				t.Errorf("%s: %q is not said\n%s", name, w, stderr)
			}
		}
	}
}

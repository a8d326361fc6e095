package serverstat

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// rowsOf writes what texts say about a run, a line each, and their problems.
func rowsOf(run Run, texts ...io.Reader) (list []scantest.Record, err error) {
	var parts []*Part
	var problems []scantest.Record
	report := func(p datasets.Problem) {
		problems = append(problems, scantest.Problem(p))
	}
	for i, text := range texts {
		found, broken := Scan(text, Options{TZ: time.UTC}, report)
		if broken != nil {
			err = broken
		}
		for _, p := range found.Parts {
			p.Source = fmt.Sprint("text ", i)
			parts = append(parts, p)
		}
		for _, s := range found.Settings {
			list = append(list, scantest.Record{Text: "setting " + s[0] + " = " + s[1]})
		}
	}
	inScan := len(problems)
	rows := Join(parts, run, report)
	for _, c := range rows.Counters {
		list = append(list, scantest.Record{Text: fmt.Sprintf("[%s] %s = %.12g%s", c.Scope, c.Event, c.Value, c.Unit)})
	}
	for _, w := range rows.Waits {
		list = append(list, scantest.Record{Text: fmt.Sprintf("%s: %.6g times, %.6g s, %.6g sessions", w.Event, w.Count, w.Sum, w.AvgSessions)})
	}
	for _, s := range rows.Series.Rows() {
		list = append(list, scantest.Record{Text: fmt.Sprintf("%.6g s: %s %.6g", s.T, s.Metric, s.Value)})
	}
	// Those of Join are about all texts and come last, without a line.
	for i := inScan; i < len(problems); i++ {
		list = append(list, scantest.Record{Text: problems[i].Text})
	}
	return append(list, problems[:inScan]...), err
}

var unknown = Run{Duration: math.NaN()}

func told(text io.Reader) ([]scantest.Record, error) { return rowsOf(unknown, text) }

func finds(t *testing.T, text string, want ...string) {
	t.Helper()
	scantest.Finds(t, told, text, want...)
}

// pair checks two files around a run.
func pair(t *testing.T, run Run, before, after string, want ...string) {
	t.Helper()
	scantest.Finds(t, func(io.Reader) ([]scantest.Record, error) {
		return rowsOf(run, strings.NewReader(before), strings.NewReader(after))
	}, before+after, want...)
}

func status(rows ...string) string {
	return "Variable_name\tValue\n" + strings.ReplaceAll(strings.Join(rows, "\n"), " ", "\t") + "\n"
}

func TestStatus(t *testing.T) {
	// A level is a value over time and no count; what is no number is passed by.
	finds(t, status("Com_select 100", "Threads_running 4", "Ssl_cipher x", "Uptime 10")+status("Com_select 150", "Threads_running 2", "Ssl_cipher x", "Uptime 20"),
		"[server] Com_select = 50", "[server] seconds elapsed = 10s", "10 s: Com_select/s 5", "0 s: Threads_running 4", "10 s: Threads_running 2")
	// Counts that stand still get no series, those that begin to move one from the beginning.
	finds(t, status("Com_a 1", "Com_b 7", "Uptime 10")+status("Com_a 1", "Com_b 7", "Uptime 11")+status("Com_a 5", "Com_b 7", "Uptime 13"),
		"[server] Com_a = 4", "[server] Com_b = 0", "[server] seconds elapsed = 3s", "1 s: Com_a/s 0", "3 s: Com_a/s 2")
	// Without headings a name that comes again begins a snapshot; upper case is information_schema's.
	finds(t, "COM_SELECT\t1\nUPTIME\t5\nCOM_SELECT\t3\nUPTIME\t7\n", "[server] Com_select = 2", "[server] seconds elapsed = 2s", "2 s: Com_select/s 1")
	// Variables in the same file are settings.
	finds(t, "Variable_name\tValue\nautocommit\tON\n"+status("Com_select 1", "Uptime 1")+status("Com_select 2", "Uptime 2"),
		"setting autocommit = ON", "[server] Com_select = 1", "[server] seconds elapsed = 1s", "1 s: Com_select/s 1")
	finds(t, status("Com_select 1", "Uptime 1"), "one-snapshot 1: one server status: it counts since the start of the server, a run needs one before it and one after")
}

func TestTimesOfSnapshots(t *testing.T) {
	// pt-stalk, and a harness that prints a date, have finer clocks than Uptime.
	finds(t, "TS 1796058361.50 2026-11-30 17:06:01\n"+status("Com_select 1", "Uptime 5")+"TS 1796058362.75 2026-11-30 17:06:02\n"+status("Com_select 6", "Uptime 6"),
		"[server] Com_select = 5", "[server] seconds elapsed = 1.25s", "1.25 s: Com_select/s 4")
	// A clock that was set: the server's own seconds count.
	finds(t, "2026-11-30 17:06:01\n"+status("Com_select 1", "Uptime 5")+"2026-11-30 18:06:02\n"+status("Com_select 6", "Uptime 6"),
		"[server] Com_select = 5", "[server] seconds elapsed = 1s", "1 s: Com_select/s 5")
	// The series stand where the run has its seconds.
	pair(t, Run{Started: time.Unix(1796058360, 0), Duration: 100}, "TS 1796058362 x\n"+status("Threads_running 3", "Com_select 1", "Uptime 5")+"TS 1796058363 x\n"+status("Threads_running 4", "Com_select 5", "Uptime 6"), "",
		"[server] Com_select = 4", "[server] seconds elapsed = 1s", "3 s: Com_select/s 4", "2 s: Threads_running 3", "3 s: Threads_running 4")
	// SELECT NOW() between the statements.
	finds(t, "now()\n2026-11-30 17:06:01\n"+status("Com_select 1")+"now()\n2026-11-30 17:06:03\n"+status("Com_select 6"), "[server] Com_select = 5", "[server] seconds elapsed = 2s", "2 s: Com_select/s 2.5")
}

func TestRelative(t *testing.T) {
	// mysqladmin --relative: differences, and the words are zeros.
	block := func(rows ...string) string {
		s := "+---+---+\n| Variable_name | Value |\n+---+---+\n"
		for _, r := range rows {
			name, value, _ := strings.Cut(r, " ")
			s += "| " + name + " | " + value + " |\n"
		}
		return s + "+---+---+\n\n"
	}
	finds(t, block("Com_select 161552", "Innodb_buffer_pool_load_status 0", "Threads_running 2", "Uptime 86")+block("Com_select 17807", "Innodb_buffer_pool_load_status 0", "Threads_running 2", "Uptime 1")+
		block("Com_select 14195", "Innodb_buffer_pool_load_status 0", "Threads_running -3", "Uptime 1"),
		"[server] Com_select = 32002", "[server] seconds elapsed = 2s", "1 s: Com_select/s 17807", "2 s: Com_select/s 14195", "0 s: Threads_running 2", "1 s: Threads_running 4", "2 s: Threads_running 1")
}

func TestResets(t *testing.T) {
	const restarted = "restarted 1: Uptime fell from 86 to 3 s: the server was started again; nothing is counted over that"
	pair(t, unknown, status("Com_select 100", "Uptime 86"), status("Com_select 7", "Uptime 3"), restarted)
	finds(t, status("Com_select 100", "Uptime 86")+status("Com_select 7", "Uptime 3"), restarted)
	// FLUSH STATUS, and a counter of 32 bits that has come around.
	finds(t, status("Com_select 100", "Bytes_sent 4294967290", "Uptime 1")+status("Com_select 110", "Bytes_sent 10", "Uptime 2"),
		"[server] Com_select = 10", "[server] seconds elapsed = 1s", "1 s: Com_select/s 10", "went-back 1: 1 counts fell and are left out, the first Bytes_sent from 4.29497e+09 to 10",
		"@6 went-back 1: Bytes_sent fell from 4.29497e+09 to 10: it was reset, or this is another server")
	finds(t, status("Com_select 100", "Com_x 18446744073709551614", "Uptime 1")+status("Com_select 110", "Com_x 18446744073709551614", "Uptime 2"),
		"[server] Com_select = 10", "[server] seconds elapsed = 1s", "1 s: Com_select/s 10", "@3 impossible-value 2: Com_x 18446744073709551614")
	finds(t, status("Com_select 100", "Uptime 1")+status("Com_select 110", "Uptime 1"), "[server] Com_select = 10")
}

func TestBeforeAndAfter(t *testing.T) {
	before, after := status("Com_select 100", "Uptime 10"), status("Com_select 160", "Uptime 73")
	// What the server did between the snapshots it did in the run, but for a moment.
	pair(t, Run{Duration: 60}, before, after, "[server] Com_select = 60", "[server] seconds elapsed = 60s")
	pair(t, Run{Duration: 10}, before, after, "[server] Com_select = 60", "[server] seconds elapsed = 63s", "longer-than-run 1: the snapshots are 63 s apart and the run takes 10 s: what the server did besides is in the difference")
	pair(t, Run{Duration: 600}, before, after, "[server] Com_select = 60", "[server] seconds elapsed = 63s")
	// A status says how far apart the summaries beside it are.
	pair(t, unknown, before+"event_name\tcount_star\tsum_timer_wait\nwait/a\t1\t0\n", after+"event_name\tcount_star\tsum_timer_wait\nwait/a\t7\t63000000000000\n",
		"[server] Com_select = 60", "[server] seconds elapsed = 63s", "wait/a: 6 times, 63 s, 1 sessions")
}

func summary(rows ...string) string {
	return "EVENT_NAME\tCOUNT_STAR\tSUM_TIMER_WAIT\n" + strings.ReplaceAll(strings.Join(rows, "\n"), " ", "\t") + "\n"
}

func TestWaits(t *testing.T) {
	// Sessions without anything to do are not active; an event that was not there is new.
	pair(t, Run{Duration: 10}, summary("idle 1 5", "wait/io/a 10 1000000000000", "stage/x 1 1"), summary("idle 9 9000000000000", "wait/io/a 30 21000000000000", "wait/lock/b 1 5000000000000"),
		"wait/io/a: 20 times, 20 s, NaN sessions", "wait/lock/b: 1 times, 5 s, NaN sessions")
	// By thread, user or instance: they add up.
	pair(t, unknown, "thread_id\tevent_name\tcount_star\tsum_timer_wait\n1\twait/a\t1\t1000000000000\n2\twait/a\t1\t1000000000000\n", "thread_id\tevent_name\tcount_star\tsum_timer_wait\n1\twait/a\t3\t3000000000000\n3\twait/a\t4\t4000000000000\n",
		"wait/a: 5 times, 5 s, NaN sessions")
	// Several with times: sessions over time, each second its own.
	finds(t, "TS 1796058361 x\n"+summary("wait/a 0 0")+"TS 1796058362 x\n"+summary("wait/a 5 500000000000")+"TS 1796058364 x\n"+summary("wait/a 9 2500000000000"),
		"wait/a: 9 times, 2.5 s, 0.833333 sessions", "1 s: wait/a 0.5", "3 s: wait/a 1")
	// TRUNCATE TABLE in between.
	pair(t, unknown, summary("wait/a 10 1000", "wait/b 10 1000", "wait/c 10 1000"), summary("wait/a 1 100", "wait/b 1 100", "wait/c 1 100"),
		"went-back 1: 3 of 3 waits fell, the first wait/a: the summary was emptied in between, or this is another server; no waits")
	// The waits of a table go with its definition, the others stay.
	pair(t, unknown, summary("wait/a 1 0", "wait/b 1 0", "wait/c 1 0", "wait/io/table/sql/handler 10 1000"), summary("wait/a 1 1000000000000", "wait/b 1 0", "wait/c 1 0", "wait/io/table/sql/handler 1 100"),
		"wait/a: 0 times, 1 s, NaN sessions", "wait/io/table/sql/handler: NaN times, NaN s, NaN sessions", "went-back 1: 1 counts fell and are left out, the first wait/io/table/sql/handler from 1e-09 to 1e-10")
	finds(t, summary("wait/a 1 1"), "one-snapshot 1: one wait summary: it counts since the start of the server, a run needs one before it and one after")
}

func TestWaitsForPeople(t *testing.T) {
	sys := func(rows ...string) string {
		return "events\ttotal\ttotal_latency\n" + strings.ReplaceAll(strings.Join(rows, "\n"), " ", "\t") + "\n"
	}
	text := func(a, b string) string { return strings.ReplaceAll(sys(a)+sys(b), "_", " ") }
	for _, c := range []struct {
		a, b string
		want string
	}{ // half of the last digit of both is less than a twentieth of the difference, or it is not said
		{"wait/a 1 1.00_s", "wait/a 3 3.50_s", "wait/a: 2 times, 2.5 s, NaN sessions"},
		{"wait/a 1 1.50_m", "wait/a 3 00:02:30.50", "wait/a: 2 times, 60.5 s, NaN sessions"},
		{"wait/a 1 500.00_ms", "wait/a 3 1.00_h", "wait/a: 2 times, 3599.5 s, NaN sessions"},
		{"wait/a 1 1.54_m", "wait/a 3 1.55_m", "rounded 1: the times are rounded for people, so that the difference of 1 events means nothing; sys.x$waits_global_by_latency has them whole"},
	} {
		a := strings.NewReplacer("events", "events", "total_latency", "total_latency")
		finds(t, a.Replace(strings.ReplaceAll(text(c.a, c.b), "total latency", "total_latency")), c.want)
	}
	// A list of the largest: what a newcomer had before is not known.
	finds(t, summary("wait/a 9 9000000000000", "wait/b 5 5000000000000")+summary("wait/a 10 12000000000000", "wait/c 8 7000000000000"),
		"wait/a: 1 times, 3 s, NaN sessions", "cut-list 1: both summaries end at 2 events: what 1 of the last one had before is not known, and they are left out")
}

func TestInnoDBMetrics(t *testing.T) {
	head := "NAME\tSUBSYSTEM\tCOUNT\tSTATUS\tTYPE\tCOMMENT\n"
	pair(t, unknown, head+"lock_deadlocks\tlock\t1\tenabled\tcounter\tx\nlock_x\tlock\t1\tdisabled\tcounter\tx\nbuffer_pool_pages_dirty\tbuffer\t5\tenabled\tvalue\tx\nlock_rec_locks\tlock\t5\tenabled\tcounter\tCurrent number of\n",
		head+"lock_deadlocks\tlock\t3\tenabled\tcounter\tx\nlock_x\tlock\t1\tdisabled\tcounter\tx\nbuffer_pool_pages_dirty\tbuffer\t4\tenabled\tvalue\tx\nlock_rec_locks\tlock\t4\tenabled\tcounter\tCurrent number of\n",
		"[InnoDB metrics] lock_deadlocks = 2", "0 s: buffer_pool_pages_dirty 5", "0 s: lock_rec_locks 5")
}

const monitorText = `=====================================
2026-11-30 09:37:23 0x7ff5200676c0 INNODB MONITOR OUTPUT
=====================================
Per second averages calculated from the last 14 seconds
----------
SEMAPHORES
----------
--Thread 139 has waited at btr0cur.cc line 123 for 0.00 seconds the semaphore:
OS WAIT ARRAY INFO: reservation count 38, signal count 38
Mutex spin waits 43, rounds 526, OS waits 12
RW-shared spins 18, OS waits 17; RW-excl spins 3, OS waits 8
------------
TRANSACTIONS
------------
Trx id counter 30566
History list length 12
DELETE FROM t WHERE password='History list length 99'
--------
FILE I/O
--------
Pending normal aio reads: 0 [0, 0, 0, 0] , aio writes: 2 [0, 0, 0, 0] ,
Pending flushes (fsync) log: 1; buffer pool: 0
28 OS file reads, 19 OS file writes, 14 OS fsyncs
0.50 reads/s, 16384 avg bytes/read, 4.75 writes/s, 1.00 fsyncs/s
---
LOG
---
Log sequence number 2634567
Log flushed up to   2634560
Last checkpoint at  2634500
----------------------
BUFFER POOL AND MEMORY
----------------------
Buffer pool size   8191
Modified db pages  7
Pages read 152, created 1, written 5
Buffer pool hit rate 999 / 1000, young-making rate 0 / 1000 not 0 / 1000
----------------------
INDIVIDUAL BUFFER POOL INFO
----------------------
Modified db pages  3
--------------
ROW OPERATIONS
--------------
0 read views open inside InnoDB
Number of rows inserted 1, updated 2, deleted 3, read 4
0.00 inserts/s, 1.00 updates/s, 0.00 deletes/s, 7.50 reads/s
----------------------------
END OF INNODB MONITOR OUTPUT
============================
`

func TestInnoDBStatus(t *testing.T) {
	later := strings.NewReplacer("09:37:23", "09:37:33", "2634567", "2734567", "2634560", "2734567", "deleted 3, read 4", "deleted 3, read 104", "14 OS fsyncs", "64 OS fsyncs", "Pages read 152", "Pages read 252").Replace(monitorText)
	want := []string{
		"[InnoDB status] Innodb_lsn_current = 100000", "[InnoDB status] Innodb_lsn_flushed = 100007", "[InnoDB status] Innodb_lsn_last_checkpoint = 0", "[InnoDB status] Innodb_mutex_os_waits = 0",
		"[InnoDB status] Innodb_mutex_spin_rounds = 0", "[InnoDB status] Innodb_mutex_spin_waits = 0", "[InnoDB status] Innodb_os_file_reads = 0", "[InnoDB status] Innodb_os_file_writes = 0",
		"[InnoDB status] Innodb_os_fsyncs = 50", "[InnoDB status] Innodb_os_wait_reservations = 0", "[InnoDB status] Innodb_os_wait_signals = 0", "[InnoDB status] Innodb_pages_created = 0",
		"[InnoDB status] Innodb_pages_read = 100", "[InnoDB status] Innodb_pages_written = 0", "[InnoDB status] Innodb_rows_deleted = 0", "[InnoDB status] Innodb_rows_inserted = 0",
		"[InnoDB status] Innodb_rows_read = 100", "[InnoDB status] Innodb_rows_updated = 0", "[InnoDB status] Innodb_s_lock_os_waits = 0", "[InnoDB status] Innodb_s_lock_spin_waits = 0",
		"[InnoDB status] Innodb_x_lock_os_waits = 0", "[InnoDB status] Innodb_x_lock_spin_waits = 0", "[InnoDB status] seconds elapsed = 10s"}
	batch := func(text string) string {
		return "Type\tName\tStatus\nInnoDB\t\t" + strings.ReplaceAll(strings.ReplaceAll("\n"+text, `\`, `\\`), "\n", `\n`) + "\n"
	}
	vertical := func(text string) string {
		return "*************************** 1. row ***************************\n  Type: InnoDB\n  Name: \nStatus: \n" + text
	}
	for _, text := range []string{monitorText + later, batch(monitorText) + batch(later), vertical(monitorText) + vertical(later)} {
		list, err := told(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var got, series []string
		for _, r := range list {
			if r.Line > 0 {
				t.Errorf("%v", r)
			} else if strings.HasPrefix(r.Text, "[") {
				got = append(got, r.Text)
			} else {
				series = append(series, r.Text)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s", strings.Join(got, "\n"))
		}
		for _, s := range []string{"0 s: Innodb_history_list_length 12", "10 s: Innodb_checkpoint_age 100067", "0 s: Innodb_threads_at_semaphores 1", "0 s: Innodb row reads/s 7.5", "0 s: Innodb_pending_aio_writes 2",
			"0 s: Innodb_buffer_pool_pages_dirty 7", "10 s: Innodb_os_fsyncs/s 5", "0 s: Innodb file writes/s 4.75", "0 s: Innodb_buffer_pool_hits_in_1000 999"} {
			if !strings.Contains("\n"+strings.Join(series, "\n")+"\n", "\n"+s+"\n") {
				t.Errorf("no %q in\n%s", s, strings.Join(series, "\n"))
			}
		}
	}
	// What SHOW GLOBAL STATUS counts too is not counted twice.
	list, _ := rowsOf(unknown, strings.NewReader(status("Innodb_rows_read 4", "Uptime 1")+monitorText), strings.NewReader(status("Innodb_rows_read 104", "Uptime 11")+later))
	n := 0
	for _, r := range list {
		if strings.Contains(r.Text, "] Innodb_rows_read") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d times", n)
	}
}

func TestOldInnoDBStatus(t *testing.T) {
	if v := bigNumber("3 126456789"); v != 3*4294967296+126456789 {
		t.Error(v)
	}
	s := &scanner{opt: Options{TZ: time.UTC}}
	if got := s.monitorTime("120330  2:33:19 INNODB MONITOR OUTPUT"); !got.Equal(time.Date(2012, 3, 30, 2, 33, 19, 0, time.UTC)) {
		t.Error(got)
	}
}

func TestSideBySide(t *testing.T) { // pt-mysql-summary's mysql-status-defer
	finds(t, "Com_select 12 15\nThreads_running 3 1\nUptime 100 110\n", "[server] Com_select = 3", "[server] seconds elapsed = 10s", "10 s: Com_select/s 0.3", "0 s: Threads_running 3", "10 s: Threads_running 1")
}

// What pt-mext -r writes as differences is what it writes without -r in full. The
// numbers are those of the files.
func TestMext(t *testing.T) {
	recorded := scantest.Recorded(t)
	for name, want := range map[string][]string{
		"mext":   {"[server] Com_commit = 2461", "[server] Questions = 49190", "[server] seconds elapsed = 3s", "2 s: Com_commit/s 678", "1 s: Innodb_buffer_pool_pages_dirty 567"},
		"mext-r": {"[server] Com_commit = 2461", "[server] Questions = 49232", "[server] seconds elapsed = 3s", "2 s: Com_commit/s 674", "1 s: Innodb_buffer_pool_pages_dirty 567"},
	} {
		text := recorded["testdata/"+name+".txt"]
		if k := Sniff([]byte(text)); k != Status {
			t.Errorf("%s: %q", name, k)
		}
		list, err := told(strings.NewReader(text))
		var all []string
		for _, r := range list {
			all = append(all, r.Text)
		}
		for _, w := range want {
			if !slices.Contains(all, w) {
				t.Errorf("%s: no %q in\n%s\n%v", name, w, strings.Join(all, "\n"), err)
			}
		}
	}
	// A server that was started again between two of them; a row that lost a column.
	finds(t, "Com_select 100 5 9\nCom_x 50 1 2\nUptime 100 10 20\n", "restarted 1: Uptime fell from 100 to 10 s: the server was started again; nothing is counted over that")
	finds(t, "Com_select 100 150 190\nCom_x 50 51\nUptime 100 110 120\n", "[server] Com_select = 90", "[server] seconds elapsed = 20s", "10 s: Com_select/s 5", "20 s: Com_select/s 4", "@2 torn-line 1: Com_x 50 51")
	// Percona spells these as the variables are.
	finds(t, "Aborted_clients 0 0 0\nrocksdb_rows_read 4 5 6\nUptime 1 2 3\n", "[server] Aborted_clients = 0", "[server] Rocksdb_rows_read = 2", "[server] seconds elapsed = 2s", "1 s: Rocksdb_rows_read/s 1")
	finds(t, status("Com_x 1", "rocksdb_rows_read 4", "rocksdb_memtable_total 7", "Uptime 1")+status("Com_x 1", "rocksdb_rows_read 5", "rocksdb_memtable_total 6", "Uptime 2"),
		"[server] Com_x = 0", "[server] Rocksdb_rows_read = 1", "[server] seconds elapsed = 1s", "0 s: Rocksdb_memtable_total 7", "1 s: Rocksdb_memtable_total 6", "1 s: Rocksdb_rows_read/s 1")
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]Kind{
		status("Aborted_clients 0", "Com_select 1"): Status, status("Threads_running 0"): Status, "Com_select 1\nCom_delete 0\n": Status, "| Com_select | 1 |\n| Com_x | 1 |\n": Status,
		summary("wait/a 1 1"): Waits, "events\ttotal\ttotal_latency\n": Waits, "   event_name: wait/a\n   count_star: 5\n": Waits, monitorText: InnoDB, "NAME\tSUBSYSTEM\tCOUNT\tSTATUS\n": Metrics,
		"Variable_name\tValue\nautocommit\tON\n": "", "SCHEMA_NAME\tDIGEST\tDIGEST_TEXT\tCOUNT_STAR\tSUM_TIMER_WAIT\n": "", "# Instances ####\nCom_select 1 1\nCom_x 1 1\n": "", "name,count\na,1\n": "", "": "",
		"binlog\tACTIVE\nINNODB_TRX\tACTIVE\nINNODB_LOCKS\tACTIVE\n": "",
	} {
		if got := Sniff([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestScanner(t *testing.T) {
	texts := []string{status("Com_select 1", "Uptime 1") + status("Com_select 2", "Uptime 2"), monitorText, summary("wait/a 1 1") + summary("wait/a 1 1")}
	recorded := scantest.Recorded(t)
	for _, name := range sorted(recorded) {
		texts = append(texts, recorded[name])
	}
	texts = append(texts, scrape("86", "1.5e+06", "100", "5", "2")+scrape("96", "1.6e+06", "350", "4", "3"))
	for _, form := range sorted(lists) {
		texts = append(texts, "TS 1796079741.5\n"+lists[form]+"TS 1796079742.5\n"+lists[form])
	}
	scantest.Check(t, told, texts...)
}

func TestCut(t *testing.T) {
	for name, text := range scantest.Recorded(t) {
		t.Run(name, func(t *testing.T) { scantest.Cut(t, counted, scantest.AtMost, text) })
	}
}

// counted is told without what only the whole text knows: that one of the snapshots
// is missing, and averages.
func counted(text io.Reader) (list []scantest.Record, err error) {
	all, err := told(text)
	for _, r := range all {
		if r.Line == 0 && oneSnapshot.MatchString(r.Text) {
			continue
		}
		r.Text = averages.ReplaceAllString(r.Text, "")
		list = append(list, r)
	}
	return list, err
}

var (
	oneSnapshot = regexp.MustCompile(`^one-snapshot `)
	averages    = regexp.MustCompile(`, \S+ sessions$`)
)

func FuzzScan(f *testing.F) {
	for _, text := range scantest.Recorded(f) {
		f.Add([]byte(text))
	}
	f.Add([]byte(monitorText + monitorText))
	f.Add([]byte(scrape("86", "1.5e+06", "100", "5", "2") + scrape("96", "1.6e+06", "350", "4", "3")))
	for _, form := range sorted(lists) {
		f.Add([]byte(lists[form] + lists[form]))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := Scan(bytes.NewReader(text), Options{TZ: time.UTC}, func(p datasets.Problem) {
			if p.Kind == "" || p.Count < 1 || len(p.Text) > 200 {
				t.Fatalf("%+v", p)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		rows := Join(found.Parts, Run{Duration: 10}, func(datasets.Problem) {})
		for _, c := range rows.Counters {
			if c.Event == "" || c.Value < 0 || math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
				t.Fatalf("%+v", c)
			}
		}
		for _, w := range rows.Waits {
			if w.Event == "" || w.Sum < 0 || math.IsInf(w.Sum, 0) {
				t.Fatalf("%+v", w)
			}
		}
		for _, s := range rows.Series.Rows() {
			if s.Metric == "" || math.IsNaN(s.Value) || math.IsNaN(s.T) || s.T < 0 {
				t.Fatalf("%+v", s)
			}
		}
		Sniff(text)
	})
}

const dumpText = "timestamp,dml_updates,buffer_pool_pages_dirty,lock_x,log_lsn_checkpoint_age\n1778869636.19,100,5,3,10\n1778869637.25,150,7,3,20\n1778869638.19,300,6,3,5\n"

func dumped(text io.Reader) (list []scantest.Record, err error) {
	p, err := ScanDump(text, time.UTC, func(p datasets.Problem) {
		list = append(list, scantest.Record{Line: p.Line, Text: p.Kind + ": " + p.Text})
	})
	if p.Snapshots == 0 {
		return list, err
	}
	rows := Join([]*Part{p}, unknown, func(datasets.Problem) {})
	var facts []scantest.Record
	for _, c := range rows.Counters {
		facts = append(facts, scantest.Record{Text: fmt.Sprintf("%s = %.6g%s", c.Event, c.Value, c.Unit)})
	}
	for _, s := range rows.Series.Rows() {
		facts = append(facts, scantest.Record{Text: fmt.Sprintf("%.6g s: %s %.6g", s.T, s.Metric, s.Value)})
	}
	return append(facts, list...), err
}

func TestDump(t *testing.T) {
	is := func(text string, want ...string) {
		t.Helper()
		scantest.Finds(t, dumped, text, want...)
	}
	is(dumpText, "dml_updates = 200", "lock_x = 0", "seconds elapsed = 2s", "0 s: buffer_pool_pages_dirty 5", "1.06 s: buffer_pool_pages_dirty 7", "2 s: buffer_pool_pages_dirty 6",
		"1.06 s: dml_updates/s 47.1698", "2 s: dml_updates/s 159.574", "0 s: log_lsn_checkpoint_age 10", "1.06 s: log_lsn_checkpoint_age 20", "2 s: log_lsn_checkpoint_age 5")
	// The last row has lost digits, another is short.
	is(dumpText[:len(dumpText)-1], "dml_updates = 50", "lock_x = 0", "seconds elapsed = 1.06s", "0 s: buffer_pool_pages_dirty 5", "1.06 s: buffer_pool_pages_dirty 7", "1.06 s: dml_updates/s 47.1698",
		"0 s: log_lsn_checkpoint_age 10", "1.06 s: log_lsn_checkpoint_age 20", "@4 cut-line: 1778869638.19,300,6,3,5")
	is("timestamp,a,b\n1778869636.19,100\nsoon,1,2\n", "@2 unknown-line: 1778869636.19,100")
	is("timestamp,history_list_length\n2026-04-09 21:36:29,0\n2026-04-09 21:36:31,4028\n", "0 s: history_list_length 0", "2 s: history_list_length 4028")
	scantest.Check(t, dumped, dumpText)
}

func FuzzDump(f *testing.F) {
	f.Add([]byte(dumpText))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := dumped(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	})
}

// A run takes its part of the steps that it lies in; one over which the server was
// started again is nobody's.
func TestDuring(t *testing.T) {
	var text strings.Builder
	for i, row := range []string{"0 10", "10 11", "30 12", "5 1", "6 2", "8 3"} { // Com_select, Uptime: started again before the fourth
		v := strings.Fields(row)
		fmt.Fprintf(&text, "TS %d.0\n%s", 1769860800+i, status("Com_select "+v[0], "Threads_running 3", "Uptime "+v[1]))
	}
	found, err := Scan(strings.NewReader(text.String()), Options{TZ: time.UTC}, nil)
	if err != nil || len(found.Parts) != 1 {
		t.Fatal(found, err)
	}
	began := time.Unix(1769860800, 0)
	for _, c := range []struct {
		from, seconds   float64
		selects, covers float64
		why             string
	}{
		{0, 2, 30, 2, ""}, {.5, 1, 15, 1, ""}, // half of 10 and half of 20
		{1, 4, 23, 3, "only 3 of the 4 s of the run lie between snapshots"}, // 20, nothing over the restart, 1 and 2
		{20, 2, 0, 0, "no snapshots are of the time of the run"},
	} {
		rows, why := found.Parts[0].During(Run{Started: began.Add(seconds(c.from)), Duration: c.seconds})
		got := map[string]float64{}
		for _, r := range rows.Counters {
			got[r.Event] = r.Value
		}
		if math.Abs(got["Com_select"]-c.selects) > 1e-9 || math.Abs(got[Elapsed]-c.covers) > 1e-9 || why != c.why {
			t.Errorf("%v: %v %q", c, got, why)
		}
	}
}

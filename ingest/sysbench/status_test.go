package sysbench

import (
	"fmt"
	"strings"
	"testing"
)

// statuses writes how each run of a text ended and how many report lines it has.
func statuses(got result) string {
	var words []string
	for _, r := range got.runs {
		words = append(words, fmt.Sprintf("%s/%d", r.Status, r.Intervals.Len()))
	}
	return strings.Join(words, " ")
}

func TestStatuses(t *testing.T) {
	fatal := "FATAL: The event queue is full. This means the worker threads are unable to keep up with the specified event generation rate\n"
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"blank", "\n \n", ""},
		{"prose", "We ran sysbench and all was well.\n", ""},
		{"complete", complete10, "complete/2"},
		{"no line end", strings.TrimRight(complete10, "\n"), "complete/2"},
		{"two runs", complete10 + complete10, "complete/2 complete/2"},
		{"fatal, then a summary", started10 + two + fatal + summary10, "fatal-with-summary/2"},
		{"forced", started10 + two + "FATAL: The --max-time limit has expired, forcing shutdown...\n" + summary10, "forced-shutdown/2"},
		{"forced, by the summary", started10 + two + strings.Replace(summary10, "\nGeneral", "\nNumber of unfinished transactions on forced shutdown: 398\n\nGeneral", 1), "forced-shutdown/2"},
		{"an option is no shutdown", log05, "complete/2"},
		{"killed", started10 + two, "truncated/2"},
		{"killed before its first report", started10, "truncated/0"},
		{"died of a FATAL", logFatal, "truncated/1"},
		{"killed in the option block", header10, "truncated/0"},
		{"killed in the summary", started10 + two + summary10[:strings.Index(summary10, "Threads fairness")], "truncated/2"},
		{"killed, next run behind", started10 + two + complete10, "truncated/2 complete/2"},
		{"killed in a line, next run behind", started10 + two[:20] + complete10, "truncated/0 complete/2"},
		{"refused", logRefused, "failed-to-start/0"},
		{"refused twice, then well", logRefused + logRefused + complete10, "failed-to-start/0 failed-to-start/0 complete/2"},
		{"one FATAL", "FATAL: --histogram cannot be used with --percentile=0\n", "failed-to-start/0"},
		{"no FATAL", "invalid option: --bogus=1\n", "failed-to-start/0"},
		{"FATAL behind a good run", complete10 + "FATAL: Cannot find benchmark 'x': no such built-in test, file or module\n", "complete/2 failed-to-start/0"},
		{"version only", header10[:strings.Index(header10, "\n")], "empty/0"},
		{"help", logHelp, "help-text/0"},
		{"old help", "sysbench 0.5:  multi-threaded system evaluation benchmark\n\nUsage: sysbench [general-options]... --test=<test-name> [test-options]... command\n\nGeneral options:\n  --num-threads=N   number of threads to use [1]\n", "help-text/0"},
		{"help of a test", header10[:strings.Index(header10, "\n")] + "\n\ncpu options:\n  --cpu-max-prime=N upper limit for primes generator [10000]\n\n", "help-text/0"},
		{"help behind a killed run", started10 + two + "Usage:\n  sysbench [options]... [testname] [command]\n", "truncated/2 help-text/0"},
		{"killed, the next with time stamps", started10 + two + mapped(complete10, func(l string) string { return "2026-01-31 12:00:01 " + l }), "truncated/2 complete/2"},
		{"a FATAL of 100 KB", started10 + two + "FATAL: mysql_drv_query() returned error 1 (x) for query '" + strings.Repeat("x", 100000) + "'\n" + summary10, "fatal-with-summary/2"},
		{"a checkpoint first", "[ 2s ] Checkpoint report:\n" + summary10, "truncated/0"},
		{"file test of 0.4", log04File, "complete/0"},
		{"memory test of 0.4", log04Memory, "complete/0"},
		{"help, then a run", logHelp + complete10, "help-text/0 complete/2"},
		{"prepare", logPrepare, ""},
		{"prepare, run, cleanup", logPrepare + complete10 + logCleanup, "complete/2"},
		{"prepare fails", logPrepare + "FATAL: mysql_drv_query() returned error 1050 (Table 'sbtest2' already exists) for query 'CREATE TABLE sbtest2(\nid INTEGER)'\n", ""},
		{"no version line", complete10[strings.Index(complete10, "Running"):], "complete/2"},
		{"no option block", two + summary10, "complete/2"},
		{"summary only", summary10, "complete/0"},
		{"summaries only", summary10 + "prose\n" + summary10, "complete/0 complete/0"},
		{"no headers, two runs", two + summary10 + two + summary10, "complete/2 complete/2"},
		{"no headers, no summaries", two + two, "truncated/2 truncated/2"},
		{"report lines kept of two runs", lines5 + lines5, "complete/5 complete/5"},
		{"report lines of a hook", csvRows + "3,4,505.00,10100.00,7070.00,2020.00,1010.00,12.40,0.00,0.00\n", "complete/3"},
		{"report lines from the middle", strings.ReplaceAll(lines5, "[ ", "[ 1"), "truncated/5"},
		{"report lines, then a whole log", lines5 + complete10, "truncated/5 complete/2"},
		{"one line of a summary", "    transactions:                        2000   (999.50 per sec.)\n", "truncated/0"},
		{"one line each of two", "transactions: 2000 (999.50 per sec.)\ntransactions: 2001 (999.90 per sec.)\n", "truncated/0 truncated/0"},
		{"other versions behind each other", log0412 + log05 + log11, "complete/0 complete/2 complete/0"},
		{"warnings before the version", "WARNING: --num-threads is deprecated, use --threads instead\n" + complete10, "complete/2"},
		{"statistics of --debug behind", complete10 + "DEBUG: Verbose per-thread statistics:\n\nDEBUG:     thread #  0: min: 0.0002s\n", "complete/2"},
	} {
		if got := statuses(scanText(t, c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestMissingVersionLineKeepsOptions(t *testing.T) {
	r, _ := one(t, complete10[strings.Index(complete10, "Running"):])
	if r.Version != "" || r.Threads != 4 || r.Options["report_interval_s"].String() != "1" {
		t.Errorf("got %s", dump(r))
	}
	r, _ = one(t, two+summary10)
	if r.Threads != 4 {
		t.Errorf("threads %d of the report lines, want 4", r.Threads)
	}
}

// The workload, by the lines of the test or by the command line before the run.
func TestWorkloads(t *testing.T) {
	for _, c := range []struct{ before, want, options string }{
		{"", "", ""},
		{"+ sysbench oltp_read_write --mysql-password=hunter2 --tables=10 --table-size=1000000 --threads=4 --time=300 --skip-trx=on run\n", "oltp_read_write", "skip_trx=true table_size=1000000 tables=10 time_s=300"},
		{"$ /usr/bin/sysbench /usr/share/sysbench/oltp_point_select.lua --rand-type=pareto --rate=12.5 run > log 2>&1\n", "oltp_point_select", "rand_type=pareto rate=12.5"},
		{"sysbench --test=/opt/tests/oltp.lua --num-threads=4 \\\n  --max-time=60 --max-requests=0 \\\n  run\n", "oltp", "max_events=0 time_s=60"},
		{"LUA_PATH=/opt/?.lua numactl -N 0 /opt/bin/sysbench --time=60 'bulk_insert' run\n", "bulk_insert", "time_s=60"},
		{"sysbench cpu run\n", "cpu", ""},
		{"sysbench oltp_read_only --tables=$TABLES --time=60 run\n", "oltp_read_only", "time_s=60"},
		{"sysbench oltp_read_write --tables=10 run\nsysbench oltp_read_write --tables=10 cleanup\n", "", ""},
		{"sysbench oltp_read_write --tables=10 prepare\n", "", ""},
		{"Results of sysbench on db1\n", "", ""},
		{"sysbench oltp_read_only --db-url=mysql://u:hunter2@db1/x --auth-token=hunter2 run\n", "oltp_read_only", "db_url=mysql://u:(removed)@db1/x"},
	} {
		got := scanText(t, c.before+complete10)
		r := got.runs[len(got.runs)-1]
		var options []string
		for _, name := range strings.Fields(c.options) {
			name, _, _ = strings.Cut(name, "=")
			options = append(options, name+"="+r.Options[name].String())
		}
		if r.Workload != c.want || strings.Join(options, " ") != c.options {
			t.Errorf("%q: workload %q options %v, want %q %s", c.before, r.Workload, r.Options, c.want, c.options)
		}
		if n := len(strings.Fields(c.options)) + 1; len(r.Options) != n { // and report_interval_s
			t.Errorf("%q: options %v", c.before, r.Options)
		}
	}
	for text, want := range map[string]string{logCPU: "cpu", logFileio: "fileio_rndrw", logMemory: "memory_write", log0412: "oltp_simple", log04File: "fileio_rndrw", log04Memory: "memory_write"} {
		if r, _ := one(t, text); r.Workload != want {
			t.Errorf("workload %q, want %q", r.Workload, want)
		}
	}
	// The command line is for one run only.
	got := scanText(t, "sysbench oltp_read_only --time=60 run\n"+complete10+complete10)
	if got.runs[1].Workload != "" {
		t.Errorf("the second run has the workload %q of the first", got.runs[1].Workload)
	}
}

// What watched a run names its command behind it.
func TestCommandBehind(t *testing.T) {
	perf := "\n Performance counter stats for './tpcc.lua --pgsql-password=hunter2 --time=600 --tables=%d --scale=48 run':\n\n   2,299,833,680      iTLB-loads\n\n     600.39 seconds time elapsed\n\n"
	got := scanText(t, complete10+fmt.Sprintf(perf, 10)+complete10+fmt.Sprintf(perf, 20)+
		"sysbench oltp_read_only --tables=1 run\n"+complete10+"\tCommand being timed: \"sysbench oltp_write_only --tables=2 --time=9 run\"\n")
	if len(got.runs) != 3 {
		t.Fatalf("%d runs", len(got.runs))
	}
	for i, want := range []string{"tpcc 10 600", "tpcc 20 600", "oltp_read_only 1 9"} {
		r := got.runs[i]
		if said := r.Workload + " " + r.Options["tables"].String() + " " + r.Options["time_s"].String(); said != want {
			t.Errorf("run %d: %s, want %s", i+1, said, want)
		}
		if strings.Contains(dump(r), "hunter2") {
			t.Errorf("a password: %s", dump(r))
		}
	}
}

func TestOptions(t *testing.T) {
	r, problems := one(t, `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)
Running the test with following options:
Number of threads: 16
Target transaction rate: 100/sec, with jitter 20 usec
Report intermediate results every 10 second(s)
Report checkpoint(s) at 2, 4 seconds
Debug mode enabled.
Additional request validation enabled.
Initializing random number generator from seed (42).
`)
	want := `part 1 version 1.0.20 threads 16 status truncated workload ""
option checkpoints 2, 4
option debug true
option rate 100
option report_interval_s 10
option seed 42
option validate true
`
	if got := dump(r); got != want || len(problems) > 0 {
		t.Errorf("got %s problems %v", got, problems)
	}
}

func TestSniff(t *testing.T) {
	for _, text := range []string{complete10, log0412, log05, log11, logFatal, logRefused, logPrepare, logHelp, two, summary10,
		complete10[30:], logFatal[300:], "\xff\xfe" + wide(complete10), "\ufeff" + complete10, "prose\n> " + complete10,
		"2026-01-31 12:00:01 " + complete10, "FATAL: --histogram cannot be used with --percentile=0\n", "\x00\x01garbage" + complete10[10:]} {
		if !Sniff([]byte(text)) {
			t.Errorf("not recognised: %q", text[:min(len(text), 80)])
		}
	}
	for _, text := range []string{"", "We ran sysbench and all was well.\n", "version,threads,tps\n9.6,8,921.00\n", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"2026-01-31 12:00:01 UTC [123] FATAL:  sorry, too many clients already\n", "FATAL: the disk is full\n", "total time: 3s\nThroughput:\n",
		"#!/bin/sh\nsysbench oltp_read_write --threads=8 run\n", "[ 10s ] waiting\n", "{\"tps\": 921.00}\n", "top - 12:00:01 up 3 days\n"} {
		if Sniff([]byte(text)) {
			t.Errorf("taken for sysbench: %q", text)
		}
	}
}

// lines5 are the report lines of a run of five seconds, as grep keeps them.
var lines5 = func() string {
	var b strings.Builder
	for i := range 5 {
		fmt.Fprintf(&b, "[ %ds ] thds: 8 tps: %d.00 qps: %d.00 (r/w/o: 0.00/0.00/0.00) lat (ms,95%%): 9.22 err/s: 0.00 reconn/s: 0.00\n", i+1, 100+i, 2000)
	}
	return b.String()
}()

// What the summary would have said is the mean of the report lines: by hand,
// (101+102+103+104)/4, as what the first line covers is not certain.
func TestExtract(t *testing.T) {
	got := scanText(t, lines5)
	r := got.runs[0]
	if r.Metrics["tps"] != 102.5 || r.Metrics["duration_s"] != 5 || len(r.Metrics) != 2 || len(got.problems) != 1 || got.problems[0].Kind != KindExtract {
		t.Errorf("%v %v", r.Metrics, got.problems)
	}
}

// One event is one transaction in the tests that come with sysbench, and the threads
// did all of them.
func TestEventsDisagree(t *testing.T) {
	log := "sysbench oltp_read_write --threads=8 run\n" + oltp(8, 20)
	r, problems := one(t, log)
	if len(problems) > 0 {
		t.Fatalf("the plain log: %v", problems)
	}
	_, problems = one(t, strings.Replace(log, fmt.Sprintf("total number of events:              %.0f", r.Metrics["events"]), "total number of events:              777", 1))
	if len(problems) != 1 || problems[0].Kind != KindEvents || problems[0].Count != 2 {
		t.Errorf("%v", problems)
	}
}

package sysbench

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/scantest"
)

// result is everything that a scan gave, kept.
type result struct {
	runs     []Run
	problems []datasets.Problem
}

func scanFrom(in io.Reader) (result, error) {
	var got result
	err := Scan(in, func(r *Run) error {
		kept := *r
		kept.Options, kept.Metrics = maps.Clone(r.Options), maps.Clone(r.Metrics)
		kept.Intervals, kept.Buckets = r.Intervals.Clone(), slices.Clone(r.Buckets)
		got.runs = append(got.runs, kept)
		return nil
	}, func(p datasets.Problem) { got.problems = append(got.problems, p) })
	return got, err
}

func scanText(t *testing.T, text string) result {
	t.Helper()
	got, err := scanFrom(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// one scans a text that holds one run.
func one(t *testing.T, text string) (Run, []datasets.Problem) {
	t.Helper()
	got := scanText(t, text)
	if len(got.runs) != 1 {
		t.Fatalf("found %d runs, want 1; problems: %v", len(got.runs), got.problems)
	}
	return got.runs[0], got.problems
}

// dump writes a run without its rows, one fact a line, in a fixed order.
func dump(r Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "part %d version %s threads %d status %s workload %q\n", r.Part, r.Version, r.Threads, r.Status, r.Workload)
	for _, name := range slices.Sorted(maps.Keys(r.Options)) {
		fmt.Fprintf(&b, "option %s %v\n", name, r.Options[name])
	}
	for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
		fmt.Fprintf(&b, "metric %s %v\n", name, r.Metrics[name])
	}
	return b.String()
}

// records is the scanner as scantest sees it: runs, their rows, then problems.
func records(text io.Reader) ([]scantest.Record, error) {
	got, err := scanFrom(text)
	var found []scantest.Record
	for _, r := range got.runs {
		found = append(found, scantest.Record{Line: r.FirstLine, Text: fmt.Sprintf("%s%d %x %v %v", dump(r), r.LastLine, r.Hash, r.Intervals.Rows(), r.Buckets)})
	}
	for _, p := range got.problems {
		// They come at the end, in an order of their own; the line is part of the text.
		found = append(found, scantest.Record{Line: math.MaxInt, Text: fmt.Sprint(p)})
	}
	return found, err
}

func TestProperties(t *testing.T) {
	scantest.Check(t, records, "", complete10, oltp(8, 30), pgo(300, 298, "transactions: 56068 (186.89 per sec.)"),
		log05+log0412+log11, logCPU, logCheckpoint, logRate, logFileio, logMemory, logFatal, logRefused+complete10,
		logPrepare, logHelp, strings.ReplaceAll(complete10, "\n", "\r"), strings.ReplaceAll(complete10, "\n", "\r\n"),
		"\xff\xfe"+wide(complete10), strings.Repeat("x", 3*lines.MaxLine)+"\n"+complete10, logFatal[:500]+"\x00\x00\x00"+complete10)
}

func TestProblemsComeInOrder(t *testing.T) {
	got := scanText(t, "prose\n"+logRefused+strings.Replace(oltp(4, 20), "[ 7s ]", "[ 7s", 1)+"more prose\n"+complete10)
	if !slices.IsSortedFunc(got.problems, func(a, b datasets.Problem) int { return a.Line - b.Line }) {
		t.Errorf("not in the order of lines: %v", got.problems)
	}
}

// The totals are those of shared/data/pgo-9.6-9.7/README.md; so are the missing
// intervals, 11..297 in one log and 11..294 in the others.
func TestTotalsOfPublishedLogs(t *testing.T) {
	for _, c := range []struct {
		resume   int
		totals   string
		tps, qps float64
		missing  string
	}{
		{298, "transactions: 56068 (186.89 per sec.)\nqueries: 1121360 (3737.81 per sec.)", 186.89, 3737.81, "intervals 11..297 missing"},
		{295, "transactions: 60581 (201.93 per sec.)\nqueries: 1211620 (4038.70 per sec.)", 201.93, 4038.70, "intervals 11..294 missing"},
		{295, "transactions: 256422 (854.72 per sec.)\nqueries: 5128440 (17094.31 per sec.)", 854.72, 17094.31, "intervals 11..294 missing"},
		{295, "transactions: 292047 (973.46 per sec.)\nqueries: 5840940 (19469.20 per sec.)", 973.46, 19469.20, "intervals 11..294 missing"},
	} {
		r, problems := one(t, pgo(300, c.resume, c.totals))
		if r.Metrics["tps"] != c.tps || r.Metrics["qps"] != c.qps {
			t.Errorf("tps %v qps %v, want %v %v", r.Metrics["tps"], r.Metrics["qps"], c.tps, c.qps)
		}
		if r.Status != datasets.Complete || r.Intervals.Len() != 10+301-c.resume {
			t.Errorf("%s with %d intervals", r.Status, r.Intervals.Len())
		}
		want := []datasets.Problem{{Line: 18, Kind: KindMissing, Text: c.missing, Count: 1}}
		if !slices.Equal(problems, want) {
			t.Errorf("problems %v, want %v", problems, want)
		}
	}
}

// show writes what an interval says and leaves out what it does not.
func show(iv datasets.Interval) string {
	var words []string
	add := func(name string, v float64) {
		if !math.IsNaN(v) {
			words = append(words, fmt.Sprintf("%s=%v", name, v))
		}
	}
	add("t", iv.T)
	add("thds", iv.Threads)
	add("tps", iv.TPS)
	add("qps", iv.QPS)
	add("r", iv.Reads)
	add("w", iv.Writes)
	add("o", iv.Other)
	add("lat", iv.LatencyPct)
	add("pct", iv.Percentile)
	add("err", iv.Errors)
	add("reconn", iv.Reconnects)
	add("queue", iv.QueueLength)
	add("conc", iv.Concurrency)
	return strings.Join(words, " ")
}

// Each line as sysbench prints it, read by hand.
func TestIntervalForms(t *testing.T) {
	for _, c := range [][2]string{
		{"[ 10s ] thds: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) lat (ms,95%): 14.46 err/s: 0.25 reconn/s: 0.50", // 1.0, 1.1
			"t=10 thds=8 tps=921 qps=18443.03 r=12915.02 w=3686.01 o=1842 lat=0.01446 pct=95 err=0.25 reconn=0.5"},
		{"[ 10s ] thds: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) lat (ms,99%): 14.46 err/s 3.99 reconn/s: 0.00", // report_default
			"t=10 thds=8 tps=921 qps=18443.03 r=12915.02 w=3686.01 o=1842 lat=0.01446 pct=99 err=3.99 reconn=0"},
		{"[ 10s ] thds: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) lat (ms, 99%): 14.46 err/s 3.99 reconn/s: 0.00", // a blank more
			"t=10 thds=8 tps=921 qps=18443.03 r=12915.02 w=3686.01 o=1842 lat=0.01446 pct=99 err=3.99 reconn=0"},
		{"[ 10s ] thds: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) lat (ms,95%): 14.46 err/s: 0.00 reconn/s: 0.00 no: 419.00 pt: 401.25 os: 40.00 dl: 41.00 sl: 39.00", // tpcc fork
			"t=10 thds=8 tps=921 qps=18443.03 r=12915.02 w=3686.01 o=1842 lat=0.01446 pct=95 err=0 reconn=0"},
		{"[ 10s ] thds: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) lat (ms,0%): 0.00 err/s: 0.00 reconn/s: 0.00", // --percentile=0
			"t=10 thds=8 tps=921 qps=18443.03 r=12915.02 w=3686.01 o=1842 err=0 reconn=0"},
		{"[ 10s ] thds: 8 tps: 0.00 qps: 12.00 (r/w/o: 12.00/0.00/0.00) lat (ms,95%): 0.00 err/s: 0.00 reconn/s: 0.00", // a stall: nothing finished
			"t=10 thds=8 tps=0 qps=12 r=12 w=0 o=0 pct=95 err=0 reconn=0"},
		{"[ 10s ] thds: 2 eps: 2880.52 lat (ms,95%): 3.19", "t=10 thds=2 tps=2880.52 lat=0.00319 pct=95"},                                     // cpu
		{"[ 10s ] thds: 2 tps: 5.00 qps: nan (r/w/o: 1.00/2.00/3.00) lat (ms,95%): 3.19", "t=10 thds=2 tps=5 r=1 w=2 o=3 lat=0.00319 pct=95"}, // nan is null
		{"[  10s] threads: 8, tps: 921.00", "t=10 thds=8 tps=921"},                                                                            // 2010
		{"[  10s] threads: 8, tps: 921.00, reads/s: 12915.02, writes/s: 3686.01", "t=10 thds=8 tps=921 r=12915.02 w=3686.01"},                 // 2011
		{"[  10s] threads: 8, tps: 921.00, reads/s: 12915.02, writes/s: 3686.01 response time: 9.21ms (95%), 14.46ms (99%)", // two percentiles
			"t=10 thds=8 tps=921 r=12915.02 w=3686.01 lat=0.00921 pct=95"},
		{"[  10s] threads: 8, tps: 921.00, reads/s: 12915.02, writes/s: 3686.01 response time: 14.46ms (99%)", // 0.4
			"t=10 thds=8 tps=921 r=12915.02 w=3686.01 lat=0.01446 pct=99"},
		{"[  10s] threads: 8, tps: 921.00, reads: 12915.02, writes: 3686.01, response time: 14.46ms (95%), errors: 1.00, reconnects:  0.00", // 0.5
			"t=10 thds=8 tps=921 r=12915.02 w=3686.01 lat=0.01446 pct=95 err=1 reconn=0"},
		{"[  10s] threads: 8, tps: 921.00, reads: 12915.02, writes: 3686.01, response time: 14460.10us (95%), errors: 1.00, reconnects:  0.00", // patched 0.5
			"t=10 thds=8 tps=921 r=12915.02 w=3686.01 lat=0.0144601 pct=95 err=1 reconn=0"},
		{"[  10s] threads: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) latency: 14.46ms (95%) errors/s: 1.00 reconnects/s: 0.00", // 2017-01-11
			"t=10 thds=8 tps=921 qps=18443.03 r=12915.02 w=3686.01 o=1842 lat=0.01446 pct=95 err=1 reconn=0"},
		{"[  10s] threads: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) latency (ms,95%): 14.46 errors/s: 1.00 reconnects/s: 0.00", // 2017-01-29
			"t=10 thds=8 tps=921 qps=18443.03 r=12915.02 w=3686.01 o=1842 lat=0.01446 pct=95 err=1 reconn=0"},
		{"[  10s] threads: 16, tps: 18446842801212211200.00, reads: 5.00, writes: 7.00, response time: 60.10ms (95%), errors: 0.00, reconnects:  0.00", // sysbench#14
			"t=10 thds=16 r=5 w=7 lat=0.0601 pct=95 err=0 reconn=0"},
		{"[   3s] reads: 1.70 MB/s writes: 0.00 MB/s fsyncs: 0.00/s response time: 54.416ms (95%)", "t=3 lat=0.054416 pct=95"},
		{"[   3s] reads: 1.70 MiB/s writes: 0.00 MiB/s fsyncs: 0.00/s latency: 54.416 ms (95th pct.)", "t=3 lat=0.054416 pct=95"},
		{"[ 3s ] reads: 298.30 MiB/s writes: 198.87 MiB/s fsyncs: 1270.78/s latency (ms,95%): 0.021", "t=3 lat=2.1e-05 pct=95"},
		{"[ 2s ] 864.24 MiB/sec", "t=2"},
		{"[   2s] 864.24 MB/sec,", "t=2"},
		{"[ 20ms ] thds: 8 tps: 921.00 qps: 5.00", "t=0.02 thds=8 tps=921 qps=5"}, // a hacked 1.1
	} {
		r, _ := one(t, c[0]+"\n")
		if r.Intervals.Len() != 1 {
			t.Errorf("%s\ngave %d intervals", c[0], r.Intervals.Len())
		} else if got := show(r.Intervals.At(0)); got != c[1] {
			t.Errorf("%s\ngave %s\nwant %s", c[0], got, c[1])
		}
	}
}

func TestNoInterval(t *testing.T) {
	for line, kind := range map[string]string{
		"[ 10s ] thds: 8 tps: qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00)": KindBroken,
		"[ 10s ] thds: 8":                          KindBroken,
		"[ 10s ] thds: 8 tps: 921.00.5 qps: 5.00":  KindBroken,
		"[ 10s ] thds: 8 tps: 1. qps: 5.00":        KindBroken,
		"[ 10s ] queue length: 0, concurrency: x":  KindForeign + " " + KindBroken,
		"[ 10s ] reads: 1.70 MB/s writes: 0.00":    KindBroken,
		"[ 10s ] events per ms: 3":                 KindForeign,
		"[ xs ] thds: 8 tps: 921.00":               KindForeign,
		"[10:00:00] thds: 8":                       KindForeign,
		"2,8,921.00,18443.03,12915.02,3686.01,1.0": KindForeign, // CSV hook, not read yet
	} {
		got := scanText(t, started10+line+"\n")
		if got.runs[0].Intervals.Len() != 0 {
			t.Errorf("%q gave %v", line, got.runs[0].Intervals.Rows())
		}
		if len(got.problems) != 1 || !strings.Contains(kind, got.problems[0].Kind) || !strings.Contains(line, got.problems[0].Text) {
			t.Errorf("%q gave problems %v, want one %s", line, got.problems, kind)
		}
	}
}

func TestQueue(t *testing.T) {
	r, problems := one(t, logRate)
	if got, want := show(r.Intervals.At(0)), "t=1 thds=2 tps=15.93 qps=254.88 r=223.02 w=0 o=31.86 lat=0.00297 pct=99 err=0 reconn=0 queue=7 conc=2"; got != want || len(problems) > 0 {
		t.Errorf("got %s, problems %v", got, problems)
	}
}

// TestRuns compares whole runs with what is read from their text by hand.
func TestRuns(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"1.0", complete10, `part 1 version 1.0.20 threads 4 status complete workload ""
option report_interval_s 1
metric duration_s 2.001
metric errors 3
metric errors_per_s 1.5
metric events 2000
metric fairness_events_avg 500
metric fairness_events_sd 21.01
metric fairness_time_avg 2.0001
metric fairness_time_sd 0.01
metric latency_avg 0.004
metric latency_max 0.05878
metric latency_min 0.00159
metric latency_p95 0.02574
metric latency_sum 8.00069
metric other 4000
metric other_per_s 1999.000499750125
metric qps 19990
metric queries 40000
metric reads 28000
metric reads_per_s 13993.003498250875
metric reconnects 0
metric reconnects_per_s 0
metric tps 999.5
metric transactions 2000
metric writes 8000
metric writes_per_s 3998.00099950025
`},
		{"1.1", log11, `part 1 version 1.1.0-df89d34 threads 16 status complete workload ""
option rate 143
option seed 42
option warmup_s 10
metric duration_s 18.0003
metric eps 143.0086
metric errors 0
metric errors_per_s 0
metric events 2574
metric fairness_events_avg 160.875
metric fairness_events_sd 12.14
metric fairness_time_avg 4.6614
metric fairness_time_sd 1.13
metric latency_avg 0.02897
metric latency_max 0.68133
metric latency_min 0.00739
metric latency_p99 0.06805
metric latency_sum 74.58125
metric other 12849
metric other_per_s 713.8214363093949
metric qps 2860.17
metric queries 51483
metric reads 36039
metric reads_per_s 2002.1332977783704
metric reconnects 0
metric reconnects_per_s 0
metric tps 143.01
metric transactions 2574
metric writes 2595
metric writes_per_s 144.16426392893453
`},
		{"0.5", log05, `part 1 version 0.5 threads 100 status complete workload ""
option forced_shutdown_s 31
option report_interval_s 10
metric duration_s 20.001
metric errors 109
metric errors_per_s 5.45
metric events 13400
metric fairness_events_avg 134
metric fairness_events_sd 7.53
metric fairness_time_avg 20.0002
metric fairness_time_sd 0.37
metric latency_avg 1.0508
metric latency_max 115.9451
metric latency_min 0.03161
metric latency_p95 5.38415
metric latency_sum 2000.0192
metric other 26800
metric other_per_s 1339.93
metric qps 13399.330033498325
metric queries 268000
metric reads 187600
metric reads_per_s 9379.531023448826
metric reconnects 0
metric reconnects_per_s 0
metric requests 241200
metric requests_per_s 12059.4
metric tps 669.97
metric transactions 13400
metric writes 53600
metric writes_per_s 2679.866006699665
`},
		{"0.4.12", log0412, `part 1 version 0.4.12 threads 128 status complete workload "oltp_simple"
metric duration_s 60.0037
metric errors 2
metric errors_per_s 0.03
metric events 2.026289e+06
metric fairness_events_avg 15830.3828
metric fairness_events_sd 69.09
metric fairness_time_avg 59.966
metric fairness_time_sd 0
metric latency_avg 0.00379
metric latency_max 0.02734
metric latency_min 0.0012
metric latency_p95 0.00786
metric latency_sum 7675.6435
metric other 2.026289e+06
metric other_per_s 33769.4
metric qps 67538.8017738906
metric queries 4.052578e+06
metric reads 2.026289e+06
metric reads_per_s 33769.4008869453
metric requests 2.026289e+06
metric requests_per_s 33769.4
metric tps 33769.4
metric transactions 2.026289e+06
metric writes 0
metric writes_per_s 0
`},
		{"cpu", logCPU, `part 1 version 1.0.20 threads 2 status complete workload "cpu"
option cpu_max_prime 10000
option report_interval_s 1
metric duration_s 2.0021
metric eps 2901.2
metric events 5803
metric fairness_events_avg 2901.5
metric fairness_events_sd 1
metric fairness_time_avg 1.9876
metric fairness_time_sd 0.01
metric latency_avg 0.00068
metric latency_max 0.01245
metric latency_min 0.00023
metric latency_p95 0.00319
metric latency_sum 3.97516
`},
		{"fileio", logFileio, `part 1 version 1.0.20 threads 2 status complete workload "fileio_rndrw"
option report_interval_s 1
metric duration_s 2.0027
metric eps 50059.41978329256
metric events 100254
metric fairness_events_avg 50127
metric fairness_events_sd 2052
metric fairness_time_avg 1.975
metric fairness_time_sd 0
metric fsyncs_per_s 1285.84
metric latency_avg 6e-05
metric latency_max 0.02747
metric latency_min 0
metric latency_p95 2e-05
metric latency_sum 5.94998
metric read_bytes_per_s 3.145728e+08
metric reads_per_s 19257.56
metric writes_per_s 12838.37
metric written_bytes_per_s 2.10239488e+08
`},
		{"memory", logMemory, `part 1 version 1.0.20 threads 2 status complete workload "memory_write"
option memory_block_size 1KiB
option memory_scope global
option memory_total_size 102400MiB
option report_interval_s 1
metric bytes_per_s 1.254096896e+09
metric duration_s 2.0068
metric eps 1.2270211281642416e+06
metric events 2.462386e+06
metric fairness_events_avg 1.231193e+06
metric fairness_events_sd 522693
metric fairness_time_avg 0.301
metric fairness_time_sd 0.14
metric latency_avg 0
metric latency_max 0.01328
metric latency_min 0
metric latency_p95 0
metric latency_sum 0.6019
metric operations 2.462386e+06
metric operations_per_s 1.22560888e+06
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, problems := one(t, c.text)
			if got := dump(r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if len(problems) > 0 {
				t.Errorf("problems %v", problems)
			}
			if lines := strings.Count(strings.TrimRight(c.text, "\n"), "\n") + 1; r.FirstLine != 1 || r.LastLine != lines {
				t.Errorf("lines %d..%d, want 1..%d", r.FirstLine, r.LastLine, lines)
			}
		})
	}
}

func TestHistogram(t *testing.T) {
	r, _ := one(t, logCPU)
	want := []datasets.Bucket{{Value: 0.000218, Count: 103}, {Value: 0.000222, Count: 4000}, {Value: 0.012307, Count: 1700}}
	if !slices.Equal(r.Buckets, want) {
		t.Errorf("got %v, want %v", r.Buckets, want)
	}
}

func TestPercentileDisabled(t *testing.T) {
	r, problems := one(t, strings.Replace(complete10, "95th percentile:                       25.74", "percentile stats:               disabled", 1))
	if _, ok := r.Metrics["latency_p95"]; ok || r.Status != datasets.Complete || len(problems) > 0 {
		t.Errorf("got %s, problems %v", dump(r), problems)
	}
}

// A checkpoint report is not the final summary: the totals are those after it,
// and that is said.
func TestCheckpoints(t *testing.T) {
	r, problems := one(t, logCheckpoint)
	if r.Status != datasets.Complete || r.Metrics["transactions"] != 1100 || math.Abs(r.Metrics["tps"]-1100/2.0041) > 1e-9 || r.Metrics["latency_max"] != 0.11245 || r.Metrics["latency_p95"] != 0 || r.Intervals.Len() != 2 {
		t.Errorf("got %s", dump(r))
	}
	want := []datasets.Problem{{Line: 1, Kind: KindCheckpoint, Text: "sysbench counts anew at each checkpoint: the totals are added up over 2 reports, percentiles left out", Count: 1}}
	if !slices.Equal(problems, want) {
		t.Errorf("problems %v", problems)
	}
	killed, _ := one(t, logCheckpoint[:strings.Index(logCheckpoint, "[ 2s ]")])
	if killed.Status != datasets.Truncated || len(killed.Metrics) > 0 {
		t.Errorf("killed behind a checkpoint: %s", dump(killed))
	}
	twice, _ := one(t, strings.Replace(logCheckpoint, "[ 2s ] thds", "x", 1)) // no report line between the two
	if twice.Status != datasets.Complete || twice.Metrics["transactions"] != 1100 {
		t.Errorf("two summaries in a row: %s", dump(twice))
	}
}

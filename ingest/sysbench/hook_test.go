package sysbench

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"noisefloor/datasets"
)

// The texts have the shape of what hooks print; their numbers are ours.
const (
	hookStart = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 4
Report intermediate results every 1 second(s)
Initializing random number generator from current time


Initializing worker threads...

Threads started!

`
	csvRows  = "1,4,500.00,10000.00,7000.00,2000.00,1000.00,12.50,0.00,0.00\n2,4,510.00,10200.00,7140.00,2040.00,1020.00,12.30,1.00,0.00\n"
	csvTotal = "2,0,505.00,10100.00,7070.00,2020.00,1010.00,12.40,0.50,0.00\n"
	bmkRows  = "time,thds,tps,qps,r,w,o,lat99,err/s,reconn/s\n" + csvRows + "\nFinal report :\ntime,thds,tps,qps,r,w,o,lat99,err/s,reconn/s\n2,4,505.00,10100.00,7070.00,2020.00,1010.00,12.40,0.50,0.00\n"
	semi     = "1;4;1722.96\n2;4;1767.10\n"
	report   = `  {
    "time":    %d,
    "threads": %d,
    "tps": %s,
    "qps": {
      "total": 10000.00,
      "reads": 7000.00,
      "writes": 2000.00,
      "other": 1000.00
    },
    "latency": 12.50,
    "errors": 0.00,
    "reconnects": 0.00
  }`
	cumulative = `{
    "errors":    0,
    "events": 3490,
    "latency_avg": 0.0011367430,
    "latency_max": 0.0118967580,
    "latency_min": 0.0010090690,
    "latency_pct": 0.0011838966,
    "latency_sum": 7.9935770120,
    "other":    0,
    "reads":    0,
    "reconnects":    0,
    "threads_running":    0,
    "time_interval": 2.0056693560,
    "time_total": 2.0038433020,
    "writes":    0
}

`
	testSummary = `Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
      12.213 |****************************************    900
      12.435 |*****                                       115

TEST SUMMARY:
TotalTime,RunningThreads,totalEvents,Events/s,Tot Operations,operations/s,tot reads,reads/s,Tot writes,writes/s,oterOps/s,latencyPct95(μs) ,Tot errors,errors/s,Tot reconnects,reconnects/s,Latency(ms) min, Latency(ms) max, Latency(ms) avg, Latency(ms) sum
2,1,1015.00,507.50,20300.00,10150.00,14210.00,7105.00,4060.00,2030.00,1015.00,12.43,1.00,0.50,0.00,0.00,0.01,0.02,0.01,8.00
`
)

// decimalCommas writes a log as a locale without decimal points does.
func decimalCommas(log string) string { return strings.ReplaceAll(log, ".", ",") }

func jsonOf(t, threads int, tps string) string { return fmt.Sprintf(report, t, threads, tps) }

var (
	jsonOld    = hookStart + jsonOf(1, 4, "500.00") + ",\n" + jsonOf(2, 4, "510.00") + ",\n"
	jsonNew    = hookStart + "[\n" + jsonOf(1, 4, "500.00") + ",\n" + jsonOf(2, 4, "510.00") + "\n]\n[\n" + jsonOf(2, 0, "505.00") + "\n]\n"
	jsonKilled = hookStart + "[\n" + jsonOf(1, 4, "500.00") + ",\n" + jsonOf(2, 4, "510.00")
	hookLogs   = map[string]string{
		"csv": hookStart + csvRows + csvTotal, "csv killed": hookStart + csvRows, "csv and summary": hookStart + csvRows + summary10, "bmk": hookStart + bmkRows,
		"semicolon": hookStart + semi + cumulative, "json": jsonNew, "json before 1.0.14": jsonOld, "json killed": jsonKilled,
		"commas": hookStart + decimalCommas(csvRows+csvTotal), "bmk with commas": hookStart + decimalCommas(bmkRows), "commas alone": decimalCommas(csvRows + csvTotal),
		"test summary": hookStart + csvRows + testSummary, "csv alone": csvRows + csvTotal, "bmk alone": bmkRows, "json alone": strings.TrimPrefix(jsonNew, hookStart),
	}
)

func TestHooks(t *testing.T) {
	whole := func(name string, status datasets.Status, percentile float64, want map[string]float64) {
		t.Helper()
		r, _ := one(t, hookLogs[name])
		if r.Status != status || r.Intervals.Len() != 2 || r.Threads != 4 {
			t.Errorf("%s: %s%v", name, dump(r), r.Intervals)
			return
		}
		iv := r.Intervals.At(1)
		if iv.T != 2 || iv.TPS != 510 && iv.TPS != 1767.1 || iv.Percentile != percentile && !(math.IsNaN(iv.Percentile) && math.IsNaN(percentile)) {
			t.Errorf("%s: %v", name, show(iv))
		}
		for n, v := range want {
			if r.Metrics[n] != v {
				t.Errorf("%s: %s is %v, want %v", name, n, r.Metrics[n], v)
			}
		}
	}
	totals := map[string]float64{"tps": 505, "qps": 10100, "reads_per_s": 7070, "writes_per_s": 2020, "other_per_s": 1010, "errors_per_s": .5, "duration_s": 2, "latency_p95": .0124}
	whole("csv", datasets.Complete, 95, totals)
	whole("csv alone", datasets.Complete, 95, totals)
	whole("commas", datasets.Complete, 95, totals)
	whole("commas alone", datasets.Complete, 95, totals)
	whole("csv killed", datasets.Truncated, 95, nil)
	whole("csv and summary", datasets.Complete, 95, map[string]float64{"transactions": 2000})
	totals["latency_p99"] = .0124
	delete(totals, "latency_p95")
	whole("bmk", datasets.Complete, 99, totals)
	whole("bmk with commas", datasets.Complete, 99, totals)
	whole("bmk alone", datasets.Complete, 99, totals)
	whole("json", datasets.Complete, 95, map[string]float64{"tps": 505, "qps": 10000, "latency_p95": .0125})
	whole("json alone", datasets.Complete, 95, map[string]float64{"tps": 505})
	whole("json before 1.0.14", datasets.Truncated, 95, nil)
	whole("json killed", datasets.Truncated, 95, nil)
	whole("semicolon", datasets.Complete, math.NaN(), map[string]float64{"events": 3490, "duration_s": 2.003843302, "latency_avg": .001136743, "latency_p95": .0011838966})
	whole("test summary", datasets.Complete, 95, map[string]float64{"transactions": 1015, "tps": 507.5, "queries": 20300, "qps": 10150, "reads": 14210, "latency_p95": .01243, "latency_min": .01, "latency_sum": 8})
	if r, _ := one(t, hookLogs["test summary"]); len(r.Buckets) != 2 || r.Mix != "oltp_read_write" {
		t.Errorf("%s%v", dump(r), r.Buckets)
	}
}

// The percentile of a hook that does not name it is that of the command line.
// Rows with commas are no numbers with commas, whatever stands in front of them.
func TestHooksInDisguise(t *testing.T) {
	for _, log := range []string{hookStart + csvRows + csvTotal, hookStart + bmkRows, hookStart + semi} {
		plain, _ := one(t, log)
		for _, prefix := range []string{"Jan 31 12:00:01 ", "[2026-01-31 12:00:01] ", "sysbench-1  | 2026-01-31T12:00:01.123Z ", "[pod/bench-x7k/sysbench] ", "> ", "<14>Jan 31 12:00:01 bench1 sysbench[7]: "} {
			r, problems := one(t, mapped(log, func(l string) string { return prefix + l }))
			if got := dump(r); got != dump(plain) || r.Intervals.Len() != plain.Intervals.Len() {
				t.Errorf("%s: got\n%s\nwant\n%s\nproblems %v", prefix, got, dump(plain), problems)
			}
		}
	}
	r, problems := one(t, hookStart+strings.ReplaceAll(semi, ".", ","))
	if rows := r.Intervals.Rows(); len(rows) != 2 || rows[0].TPS != 1722.96 {
		t.Errorf("decimal commas: %v, problems %v", rows, problems)
	}
}

func TestHookPercentile(t *testing.T) {
	r, problems := one(t, "sysbench x.lua --percentile=99 run\n"+hookStart+csvRows+csvTotal)
	if r.Intervals.At(0).Percentile != 99 || r.Metrics["latency_p99"] != .0124 || len(problems) > 0 {
		t.Errorf("%s%v", dump(r), problems)
	}
	if _, problems := one(t, hookStart+csvRows); len(problems) != 1 || problems[0].Kind != KindPercentile {
		t.Errorf("%v", problems)
	}
}

// A row for no running threads is a report line when others follow.
func TestNoThreadsForAWhile(t *testing.T) {
	r, _ := one(t, hookStart+csvRows+"3,0,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00\n4,4,500.00,10000.00,7000.00,2000.00,1000.00,12.50,0.00,0.00\n")
	if r.Intervals.Len() != 4 || r.Intervals.At(2).T != 3 || r.Status != datasets.Truncated {
		t.Errorf("%s%v", dump(r), r.Intervals)
	}
}

func TestHooksCutAtEveryByte(t *testing.T) {
	for name, text := range hookLogs {
		if name == "csv and summary" {
			continue // the same as any summary
		}
		whole := scanText(t, text)
		for end := range len(text) {
			if err := partOf(scanText(t, text[:end]), whole); err != "" {
				t.Fatalf("%s, cut behind %q: %s", name, text[max(0, end-60):end], err)
			}
		}
	}
}

func TestSniffHooks(t *testing.T) {
	for name, text := range hookLogs {
		if !Sniff([]byte(text)) {
			t.Errorf("%s: not recognised", name)
		}
	}
	for _, text := range []string{"1,2,3,4,5,6,7,8,9,10\n", "a,b\n1,2\n", "{\n\"time\": 60,\n\"threads\": 8,\n\"tables\": 10\n}\n", "1;2;3\n"} {
		if Sniff([]byte(text)) {
			t.Errorf("%q: taken for a log", text)
		}
	}
}

// A harness tells in META lines what it runs.
func TestHarness(t *testing.T) {
	meta := "META: testIdentifyer=x;dimension=large;runNumber=2;execCommand=run;subtest=select_run_inlist;execDate=2024-05-31_16_21_12;engine=innodb;mysqlproducer=MySQL;mysqlversion=8.4.0;password=hunter2\n"
	got := scanText(t, meta+"THREADS=4\nRUNNING Test x Thread=4 [START] 2024-05-31_16_21_12\n"+hookStart+csvRows+csvTotal+strings.Replace(meta, "8.4.0", "9.0.1", 1)+hookStart+csvRows+csvTotal)
	if len(got.runs) != 2 {
		t.Fatalf("%v", got)
	}
	a, b := got.runs[0], got.runs[1]
	if a.Workload != "select_run_inlist" || a.Factors["version"] != datasets.Text("8.4.0") || b.Factors["version"] != datasets.Text("9.0.1") || a.Factors["rep"] != datasets.Int(2) ||
		a.Stamp != "2024-05-31T16:21:12" || b.Stamp != "" || len(a.Factors) != 6 {
		t.Errorf("%v %v %q %q", a.Factors, b.Factors, a.Stamp, b.Stamp)
	}
}

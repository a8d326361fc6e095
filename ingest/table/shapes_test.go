package table

import (
	"bytes"
	"strings"
	"testing"

	"noisefloor/datasets"
)

// The tables here are written by us, as people keep results; what is wanted was
// counted and worked out by hand.

func TestRepetitionsInHeadings(t *testing.T) {
	const want = "build=base run=1 value=3120.4; build=base run=2 value=3099.8; build=new run=1 value=3171.3; build=new run=2 value=3155"
	checkRuns(t, "with their mean", "build,run1,run2,avg\nbase,3120.4,3099.8,3110.1\nnew,3171.3,3155.0,3163.15\n", want)
	checkRuns(t, "in two words", "build,Run 1,Run 2\nbase,3120.4,3099.8\nnew,3171.3,3155.0\n", want)
	named := strings.ReplaceAll(want, "run=1 value", "run=1 tps")
	named = strings.ReplaceAll(named, "run=2 value", "run=2 tps")
	checkRuns(t, "of a metric", "build,tps_1,tps_2\nbase,3120.4,3099.8\nnew,3171.3,3155.0\n", named)
	checkRuns(t, "without a gap", "build,tps1,tps2\nbase,3120.4,3099.8\nnew,3171.3,3155.0\n", named)
	checkRuns(t, "from nought", "build,tps #0,tps #1\nbase,3120.4,3099.8\n", "build=base run=0 tps=3120.4; build=base run=1 tps=3099.8")
	checkRuns(t, "of two metrics", "| version | TPS run 1 | TPS run 2 | p95 run 1 (ms) | p95 run 2 (ms) |\n|---|---|---|---|---|\n| 8.0 | 3120 | 3099 | 3.1 | 3.2 |\n",
		"run=1 version=8.0 latency_p95=0.0031 tps=3120; run=2 version=8.0 latency_p95=0.0032 tps=3099")
	checkRuns(t, "threads are doubled", "build,tps 1,tps 8,tps 64\nbase,412,3021,9120\n", "threads=1 build=base tps=412; threads=8 build=base tps=3021; threads=64 build=base tps=9120")
	checkRuns(t, "threads are named", "build,24 threads,48 threads\nbase,412,3021\n", "threads=24 build=base value=412; threads=48 build=base value=3021")
	// Percentiles, cores and quartiles are numbered for other reasons.
	checkColumns(t, "build,tps,p95,p99\nbase,412.5,3.1,4.2\nnew,413.5,3.2,4.1\n", "f build, m tps, m p95, m p99")
	checkColumns(t, "db,read_95th,read_99th\na,3.5,4.5\nb,3.25,4.25\n", "f db, m read_95th, m read_99th")
	checkColumns(t, "build,core 1,core 2\nbase,41.5,31.25\nnew,42.5,30.5\n", "f build, m core_1, m core_2")
}

func TestDaysInHeadings(t *testing.T) {
	for name, headings := range map[string]string{"dates": "build,2026-03-01,2026-03-02", "weekdays": "build,Mon,Tue", "numbered": "build,day 1,day 2"} {
		_, runs, _ := read(t, []byte(headings+"\nbase,3120.4,3099.8\nnew,3171.3,3155.0\n"))
		days := strings.Split(headings, ",")[1:]
		if len(runs) != 4 || runs[0].Day != days[0] || runs[1].Day != days[1] || runs[3].Metrics["value"] != 3155 || runs[3].Factors["build"] != datasets.Text("new") {
			t.Errorf("%s: %d runs, %s", name, len(runs), inShort(runs))
		}
	}
	_, runs, _ := read(t, []byte("threads;01.03.2026 tps;02.03.2026 tps\n8;3120,4;3099,8\n"))
	if len(runs) != 2 || runs[0].Day != "2026-03-01" || runs[1].Metrics["tps"] != 3099.8 {
		t.Errorf("German dates: %s", inShort(runs))
	}
}

func TestArmsInHeadings(t *testing.T) {
	checkRuns(t, "seconds", "query,8.0.42 (s),9.3.0 (s)\nQ1,12.31,11.45\nQ2,0.42,n/a\n", "query=Q1 version=8.0.42 time=12.31; query=Q1 version=9.3.0 time=11.45; query=Q2 version=8.0.42 time=0.42")
	checkRuns(t, "two words", "threads,MySQL 8.0 tps,MariaDB 11.4 tps\n8,3120,3221\n", "threads=8 build=MySQL 8.0 tps=3120; threads=8 build=MariaDB 11.4 tps=3221")
	checkRuns(t, "in brackets", "threads,tps (glibc),tps (jemalloc)\n8,3120,3221\n", "threads=8 allocator=glibc tps=3120; threads=8 allocator=jemalloc tps=3221")
	checkRuns(t, "arms and repetitions", "threads,base run1 tps,base run2 tps,new run1 tps,new run2 tps\n8,1,2,3,4\n",
		"threads=8 arm=base run=1 tps=1; threads=8 arm=base run=2 tps=2; threads=8 arm=new run=1 tps=3; threads=8 arm=new run=2 tps=4")
	checkRuns(t, "a metric of no known name", "threads,base tps,new tps,base spill,new spill\n8,1,2,3,4\n", "threads=8 arm=base spill=3 tps=1; threads=8 arm=new spill=4 tps=2")
	// What was made of both is of neither.
	s, runs, _ := read(t, []byte("threads,base tps,new tps,speedup,diff %\n1,412.3,398.2,0.966,-3.42%\n8,3021.5,2987.1,0.989,-1.14%\n"))
	if got := inShort(runs[:2]); got != "threads=1 arm=base tps=412.3; threads=1 arm=new tps=398.2" || !strings.Contains(s.String(), "left out as one number for several runs speedup, diff %") {
		t.Errorf("%s\n%s", got, s)
	}
}

func TestNamedBesideArms(t *testing.T) {
	const text = "threads,base tps,new tps,speedup\n1,412.3,398.2,0.966\n"
	d, _ := Sniff([]byte(text), true)
	all, err := Study(strings.NewReader(text), d, map[string]string{"speedup": "gain"})
	if err != nil || columns(all[0]) != "b threads, tps, tps, m gain" {
		t.Errorf("%v: %s", err, columns(all[0]))
	}
}

func TestTwoRowsOfHeadings(t *testing.T) {
	const want = "threads=1 version=8.0.42 cpu=4.1 latency_p95=0.00291 tps=412.3; threads=1 version=9.3.0 cpu=4.2 latency_p95=0.00302 tps=398.2"
	checkRuns(t, "merged cells", ",8.0.42,,,9.3.0,,\nthreads,tps,p95 ms,cpu,tps,p95 ms,cpu\n1,412.3,2.91,4.1,398.2,3.02,4.2\n", want)
	checkRuns(t, "repeated cells", "threads,8.0.42,8.0.42,9.3.0,9.3.0\n,tps,p95 ms,tps,p95 ms\n1,412.3,2.91,398.2,3.02\n", "threads=1 version=8.0.42 latency_p95=0.00291 tps=412.3; threads=1 version=9.3.0 latency_p95=0.00302 tps=398.2")
	checkRuns(t, "units below", "threads,throughput,latency p95,cpu\n,tx/s,ms,%\n1,412.3,2.91,4.1\n8,3021.5,3.30,31\n", "threads=1 cpu_pct=4.1 latency_p95=0.00291 throughput=412.3; threads=8 cpu_pct=31 latency_p95=0.0033 throughput=3021.5")
	checkRuns(t, "exponents", "threads,tps,p95 (us)\n1,4.123E+02,4.44E+03\n8,3021.5,2.37e3\n", "threads=1 latency_p95=0.00444 tps=412.3; threads=8 latency_p95=0.00237 tps=3021.5")
	checkRuns(t, "units in brackets, semicolons", "threads;throughput;p95\n;(1/s);[ms]\n1;412,3;2,91\n", "threads=1 latency_p95=0.00291 throughput=412.3")
	checkRuns(t, "pandas", ",tps,tps,p95 ms,p95 ms\nversion,8.0,9.3,8.0,9.3\nthreads,,,,\n1,412.3,398.2,2.91,3.02\n", "threads=1 version=8.0 latency_p95=0.00291 tps=412.3; threads=1 version=9.3 latency_p95=0.00302 tps=398.2")
	checkRuns(t, "pandas, statistics", "version,threads,tps,tps\n,,mean,std\n8.0,1,412.3,2.1\n9.3,1,398.2,3.1\n", "threads=1 version=8.0 tps=412.3 tps_std=2.1; threads=1 version=9.3 tps=398.2 tps_std=3.1")
	// A first row of words is a row.
	checkRuns(t, "words", "build,engine,tps\nbase,innodb,1.5\nnew,innodb,2.5\n", "build=base engine=innodb tps=1.5; build=new engine=innodb tps=2.5")
}

func TestSeveralTables(t *testing.T) {
	const want = "threads=1 section=Server A tps=412.3; threads=8 section=Server A tps=3021.5; threads=1 section=Server B tps=430.3; threads=8 section=Server B tps=3221.5"
	const a, b = "threads,tps\n1,412.3\n8,3021.5\n", "threads,tps\n1,430.3\n8,3221.5\n"
	checkRuns(t, "captions", "Server A\n"+a+"\nServer B\n"+b, want)
	checkRuns(t, "captions of a spreadsheet", "Server A,\n"+a+",\nServer B,\n"+b, want)
	checkRuns(t, "CR LF", strings.ReplaceAll("# Server A\n"+a+"\n# Server B\n"+b, "\n", "\r\n"), want)
	checkRuns(t, "versions", "8.0.42\n"+a+"\n9.3.0\n"+b, strings.NewReplacer("section=Server A", "version=8.0.42", "section=Server B", "version=9.3.0").Replace(want))
	checkRuns(t, "no captions", a+"\n"+b, strings.NewReplacer("section=Server A ", "", "section=Server B ", "").Replace(want))
	checkRuns(t, "other headings", a+"\nbuild,p95_ms\nbase,3.1\nnew,3.2\n", "threads=1 tps=412.3; threads=8 tps=3021.5; build=base latency_p95=0.0031; build=new latency_p95=0.0032")
	p := checkRuns(t, "a broken row in the second, a note", "Server A\n"+a+"\nServer B\n"+strings.Replace(b, "8,", "4\n8,", 1)+"\nmeasured at night\n", want)
	if len(p) != 1 || p[0].Kind != "ragged-row" || p[0].Line != 9 || p[0].Count != 2 || p[0].Text != "1 cells under 2 headings" {
		t.Errorf("%v", p)
	}
	drawn := func(text string) string {
		return "|" + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), ",", "|"), "\n", "|\n|") + "|\n"
	}
	table := func(text string) string { return strings.Replace(drawn(text), "\n", "\n|---|---|\n", 1) }
	document := "# Results\n\nOf March.\n\n## Server A\n\n" + table(a) + "\nAnd then\n\n## Server B\n\n" + table(b)
	checkRuns(t, "Markdown", document, want)
	checkRuns(t, "bold", "**Server A**\n\n"+table(a)+"\n**Server B**:\n\n"+table(b), want)
	checkRuns(t, "a table of something else", document+"\n## Machine\n\n|part|value|\n|---|---|\n|CPU|64|\n|RAM|256 GB|\n", want)
	checkRuns(t, "another metric", document+"\n## Latency\n\n"+table("threads,p95 (ms)\n1,2.5\n"), want+"; threads=1 section=Latency latency_p95=0.0025")
	checkRuns(t, "headings in headings", "## One\n### 1\n"+table("build,tps\nx,5\n")+"## Two\n### 1\n"+table("build,tps\nx,6\n"), "build=x section=One tps=5; build=x section=Two tps=6")
}

func TestRowsPerMetric(t *testing.T) {
	const want = "threads=8 build=base latency_p95=0.0031 tps=3120.4; threads=8 build=new latency_p95=0.003 tps=3171.3"
	checkRuns(t, "long", "build,threads,metric,value,unit\nbase,8,tps,3120.4,1/s\nbase,8,p95,3.1,ms\nnew,8,tps,3171.3,1/s\nnew,8,p95,3.0,ms\n", want)
	checkRuns(t, "in any order", "build,threads,metric,value\nbase,8,tps,3120.4\nnew,8,tps,3171.3\nnew,8,p95 (ms),3.0\nbase,8,p95 (ms),3.1\n", want)
	checkRuns(t, "JSON", `{"build":"base","threads":8,"name":"tps","result":3120.4}`+"\n"+`{"build":"base","threads":8,"name":"p95_ms","result":3.1}`+"\n"+`{"build":"new","threads":8,"name":"tps","result":3171.3}`+"\n"+`{"build":"new","threads":8,"name":"p95_ms","result":3.0}`+"\n", want)
	checkRuns(t, "a metric again is another run", "metric,value\ntps,1.5\np95 ms,3\ntps,2.5\np95 ms,4\n", "latency_p95=0.003 tps=1.5; latency_p95=0.004 tps=2.5")
	checkRuns(t, "a column per arm", ",8.0.42,9.3.0\ntps,3120.4,3171.3\np95 ms,3.1,3.0\nbogus,1,2\n", "version=8.0.42 bogus=1 latency_p95=0.0031 tps=3120.4; version=9.3.0 bogus=2 latency_p95=0.003 tps=3171.3")
	checkRuns(t, "a column of the change", "metric,baseline,candidate,change\ntps,3120.4,3171.3,+1.6%\ncpu (%),81,82,+1\n", "arm=baseline cpu_pct=81 tps=3120.4; arm=candidate cpu_pct=82 tps=3171.3")
	s, _, _ := read(t, []byte("build,metric,value\nbase,tps,3120.4\nbase,p95 (ms),3.1\nnew,tps,3171.3\n"))
	var tps bool
	for _, c := range s.Declared() {
		tps = tps || c.Name == "tps" && c.Role == datasets.Metric && c.Unit.Name == "1/s"
		if c.Name == "value" || c.Name == "metric" {
			t.Errorf("declared: %+v", c)
		}
	}
	if !tps {
		t.Errorf("tps is not declared: %+v", s.Declared())
	}
	// Kinds of statements are no metrics.
	checkRuns(t, "statements", "operation,tps\nreads,5.5\nwrites,6.5\n", "operation=reads tps=5.5; operation=writes tps=6.5")
	checkRuns(t, "statements without a unit", "operation,value\nreads,5.5\nwrites,6.5\n", "operation=reads value=5.5; operation=writes value=6.5")
}

func TestUnitsInCells(t *testing.T) {
	checkRuns(t, "times", "server\tQPS\tp99\nps\t12.3k\t4.1ms\nma\t12900\t3.9ms\n", "server=ps latency_p99=0.0041 qps=12300; server=ma latency_p99=0.0039 qps=12900")
	checkRuns(t, "a rate", "| Kind | Transaction qps |\n|---|---|\n| Select | 29832qps |\n| Range | 21237qps|\n", "kind=Select transaction_qps=29832; kind=Range transaction_qps=21237")
	checkRuns(t, "percents", "build;cpu %;hits;tps\nbase;45,2%;99,1%;1,5\nnew;44.9;98,9%;2,5\n", "build=base cpu_pct=45.2 hits=0.991 tps=1.5; build=new cpu_pct=44.9 hits=0.989 tps=2.5")
	s, runs, _ := read(t, []byte("codec,speed\nzstd,478 MB/s\nlz4,602 MB/s\n"))
	if c := s.Columns[1]; c.Unit.Name != "B/s" || c.Unit.Better.String() != "higher" || runs[0].Metrics["speed"] != 478e6 {
		t.Errorf("%+v, %s", c, inShort(runs))
	}
	// To the last digit, as if the number had been written in seconds.
	_, runs, _ = read(t, []byte("build,p95_ms,p99_us\nbase,2.91,13.9\nnew,2.92,0.07\n"))
	if r := runs[0]; r.Metrics["latency_p95"] != 0.00291 || r.Metrics["latency_p99"] != 0.0000139 || runs[1].Metrics["latency_p99"] != 7e-8 {
		t.Errorf("%v", r.Metrics)
	}
}

func TestUnitsInAColumn(t *testing.T) {
	s, _, _ := read(t, []byte("name,real_time,cpu_time,time_unit\nBM_a/10,91.2,91.0,ns\nBM_a/1000,2.61,2.60,us\n"))
	checkRuns(t, "of all times", "name,real_time,cpu_time,time_unit\nBM_a/10,91.2,91.0,ns\nBM_a/1000,2.61,2.60,us\n", "name=BM_a/10 cpu_time=9.1e-08 real_time=9.12e-08; name=BM_a/1000 cpu_time=2.6e-06 real_time=2.61e-06")
	if !strings.Contains(s.String(), "units time_unit") {
		t.Error(s)
	}
	checkRuns(t, "of the only number", "build,cost,unit\nbase,3.5,ms\nnew,3.25,ms\n", "build=base cost=0.0035; build=new cost=0.00325")
	checkRuns(t, "of no number", "unit,tps\na12,3.5\na13,3.25\n", "unit=a12 tps=3.5; unit=a13 tps=3.25")
	checkRuns(t, "below arms", "| Query | MySQL 8.0 | MariaDB 11.4 | Diff |\n|---|---|---|---|\n| Q1 | 850 ms | 1.2 s | +41% |\n| Q2 | 1m 12s | 65 s | -10% |\n", "build=MySQL 8.0 query=Q1 time=0.85; build=MariaDB 11.4 query=Q1 time=1.2; build=MySQL 8.0 query=Q2 time=72; build=MariaDB 11.4 query=Q2 time=65")
	checkRuns(t, "per minute", "version,rows/min\n8.0,1.2M\n9.3,1.3M\n", "version=8.0 rows_per_min=1.2e+06; version=9.3 rows_per_min=1.3e+06")
	checkRuns(t, "labels of PerfKitBenchmarker", `{"metric":"tps","value":3120.4,"unit":"tps","labels":"|cloud:GCP|,|threads:8|","run_uri":"u1"}`+"\n"+`{"metric":"latency_p95","value":3.1,"unit":"ms","labels":"|cloud:GCP|,|threads:8|","run_uri":"u1"}`+"\n", "threads=8 cloud=GCP run_uri=u1 latency_p95=0.0031 tps=3120.4")
}

func TestSeveralNumbersInACell(t *testing.T) {
	s, runs, _ := read(t, []byte("| Threads | TPS | Latency (avg/.95/max) |\n|---|---|---|\n| 8 | 428.9 | 18.65 / 21.89 / 116.06 |\n| 16 | 731.67 | 21.86 / 25.28 / 120.59 |\n"))
	if got := inShort(runs); got != "threads=8 tps=428.9; threads=16 tps=731.67" || !strings.Contains(s.String(), "left out as several numbers in a cell Latency (avg/.95/max)") {
		t.Errorf("%s\n%s", got, s)
	}
}

func TestSumsBelowThreads(t *testing.T) {
	p := checkRuns(t, "an average", "threads,base tps,new tps\n16,12,13\n64,23,24\nAverage,17.5,18.5\n", "threads=16 arm=base tps=12; threads=16 arm=new tps=13; threads=64 arm=base tps=23; threads=64 arm=new tps=24")
	if len(p) != 1 || p[0].Kind != "summary-row" {
		t.Errorf("%v", p)
	}
}

func TestAlignedBelowATitle(t *testing.T) {
	checkRuns(t, "runs", "Loading 100M rows, seconds\n\nversion   run1    run2\n5.7.44    1234.1  1240.2\n8.0.42    1190.4  1188.0\n9.3.0     1170.0  1169.1\n",
		"run=1 version=5.7.44 value=1234.1; run=2 version=5.7.44 value=1240.2; run=1 version=8.0.42 value=1190.4; run=2 version=8.0.42 value=1188; run=1 version=9.3.0 value=1170; run=2 version=9.3.0 value=1169.1")
	checkRuns(t, "reStructuredText", "Results\n=======\n\n=======  ======\nthreads  tps\n=======  ======\n1        412.3\n8        3021.5\n64       9120.7\n=======  ======\n", "threads=1 tps=412.3; threads=8 tps=3021.5; threads=64 tps=9120.7")
}

func TestRunsThatFailed(t *testing.T) {
	p := checkRuns(t, "words for numbers", "version,threads,tps,p99 (ms)\n8.0,1,410.2,n.a.\n8.0,64,-,crash\n8.4,1,401.9,3.4\n8.4,64,12011,DNF\n9.0,1,399.2,3.5\n9.0,64,12400,190\n",
		"threads=1 version=8.0 tps=410.2; threads=1 version=8.4 latency_p99=0.0034 tps=401.9; threads=64 version=8.4 tps=12011; threads=1 version=9.0 latency_p99=0.0035 tps=399.2; threads=64 version=9.0 latency_p99=0.19 tps=12400")
	if len(p) != 2 || p[0].Kind != "bad-cell" || p[0].Count != 2 || p[1].Kind != "row-without-number" {
		t.Errorf("%v", p)
	}
	_, runs, _ := read(t, []byte(`{"build":"base","result":{"tps":3120.4,"lat":{"p95_ms":3.1}},"config":{"threads":8},"ok":true}`+"\n"+`{"build":"new","result":{"tps":3171.3,"lat":{"p95_ms":3.0}},"config":{"threads":8},"ok":false}`+"\n"))
	if got := inShort(runs); got != "threads=8 build=base latency_p95=0.0031 tps=3120.4; threads=8 build=new latency_p95=0.003 tps=3171.3" || runs[0].Status != datasets.Complete || runs[1].Status != datasets.FatalWithSummary {
		t.Errorf("%s, %s, %s", got, runs[0].Status, runs[1].Status)
	}
}

func TestDaysInCells(t *testing.T) {
	s, runs, _ := checkColumns(t, "Datum;Version;Threads;Transaktionen/s;Latenz 95% (ms)\n01.03.2026;8.0.42;8;3.120,4;3,1\n02.03.2026;8.0.42;8;3.099,8;3,2\n", "b day, f version, b threads, m transaktionen_per_s, m latency_p95")
	if runs[1].Day != "2026-03-02" || runs[0].Metrics["latency_p95"] != 0.0031 || s.Columns[3].Unit.Better.String() != "higher" {
		t.Errorf("%+v", runs[1])
	}
	checkColumns(t, "instance,tps\n5.5.21,3120.5\n5.5.22,3099.5\n", "f instance, m tps")
	checkColumns(t, "build date,tps\n2026-03-01,3120.5\n2026-03-02,3099.5\n", "f build_date, m tps")
}

// Rows without headings are no table: one number is no level of a wide one.
func TestNoHeadings(t *testing.T) {
	for text, is := range map[string]bool{"furniture|1\nlinen|4\nbath|2\n": false, "base\t8\nnew\t16\n": false, "build,8,16\nbase,412.5,503.5\n": true} {
		if d, ok := Sniff([]byte(text), true); ok != is {
			t.Errorf("%q: a table is %v: %v", text, ok, d)
		}
	}
}

func TestNumbersThatNameThings(t *testing.T) {
	d, ok := Sniff([]byte(`[{"wsnm":"a","wsid":178},{"wsnm":"b","wsid":303}]`), true)
	if !ok {
		t.Fatal("no table")
	}
	all, err := Study(strings.NewReader(`[{"wsnm":"a","wsid":178},{"wsnm":"b","wsid":303}]`), d, nil)
	if err != nil || all[0].Telling() {
		t.Errorf("%v: taken for results: %s", err, all)
	}
	checkColumns(t, "test_id,custkey,tps\n1788,77,5.5\n303,12,6.5\n", "f test_id, f custkey, m tps")
}

func TestMeansOfRuns(t *testing.T) {
	s, _, _ := checkColumns(t, "build,n,tps_mean,tps_sd,p95_mean_ms\nbase,5,3120.4,41.2,3.4\nnew,5,3181.0,38.7,3.3\n", "f build, f n, m tps, m tps_sd, m latency_p95")
	if c := s.Columns[3]; c.Unit.Better.String() != "neither" && c.Unit.Better != 0 {
		t.Errorf("a spread has no better side: %+v", c.Unit)
	}
	checkColumns(t, "| build | TPS (mean ± sd, n=5) |\n|---|---|\n| base | 3120.4 ± 41.2 |\n| new | 3181.0 ± 38.7 |\n", "f build, m tps")
}

func FuzzShapes(f *testing.F) {
	for _, text := range []string{",8.0.42,,9.3.0,\nthreads,tps,p95,tps,p95\n1,2,3,4,5\n", "threads,tps\n,1/s\n1,2\n", "A\na,tps\nx,1\n\nB\na,tps\ny,2\n\"\n\nz,3\n", "metric,value,unit\ntps,1,1/s\n", "## a\n|x|tps|\n|-|-|\n|1|2|\n## b\n|x|tps|\n|-|-|\n|1|2|\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, ok := Sniff(data, true)
		if !ok {
			return
		}
		all, err := Study(bytes.NewReader(data), d, nil)
		if err != nil {
			return
		}
		for _, s := range all {
			for _, c := range s.Columns {
				if (c.Use == Arm || c.Use == Metric) && c.Name == "" {
					t.Errorf("a metric without a name: %+v", c)
				}
			}
		}
	})
}

func TestNoneIsALevelAmongWords(t *testing.T) {
	checkRuns(t, "a compression", "compression,tps\nnone,412.5\nzstd,398.25\n", "compression=none tps=412.5; compression=zstd tps=398.25")
	checkRuns(t, "as Python writes what is not there", "compression,tps\nNone,412.5\nzstd,398.25\n", "tps=412.5; compression=zstd tps=398.25")
	checkRuns(t, "among numbers", "bp,tps\nnone,412.5\n8,398.25\n", "tps=412.5; bp=8 tps=398.25")
}

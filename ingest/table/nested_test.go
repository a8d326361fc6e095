package table

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
)

func TestLinesOfPairs(t *testing.T) {
	const want = "threads=8 version=8.0.42 tps=1234.5; threads=8 version=8.4.5 tps=1334.5"
	checkRuns(t, "equals signs", "version=8.0.42 threads=8 tps=1234.5\nversion=8.4.5 threads=8 tps=1334.5\n", want)
	checkRuns(t, "commas and quotes", "# all\nversion=\"8.0.42\", threads=8, tps=1234.5\n\nversion=\"8.4.5\", threads=8, tps=1334.5\n", want)
	checkRuns(t, "colons behind a word", "RESULT version: 8.0.42, threads: 8, tps: 1234.5\nRESULT version: 8.4.5, threads: 8, tps: 1334.5\n", want)
	checkRuns(t, "units", "threads=8 tps=1.5k p95=12.3ms\nthreads=16 tps=2k p95=13ms\n", "threads=8 latency_p95=0.0123 tps=1500; threads=16 latency_p95=0.013 tps=2000")
	_, runs, _ := read(t, []byte("2026-01-31 12:00:00 threads=8 tps=1234.5\n2026-01-31 12:10:00 threads=8 tps=1334.5\n"))
	if len(runs) != 2 || runs[1].Started.Format(time.DateTime) != "2026-01-31 12:10:00" {
		t.Errorf("%v", inShort(runs))
	}
	for _, text := range []string{
		"level=info msg=started duration=12ms\nlevel=info msg=done duration=15ms\n",                                                       // the log of a program
		"We reached tps=100 with threads=8 in the end, which was good\nand then tps=200 with threads=16 on another machine that we had\n", // prose
		"threads=8 tps=100\n",              // one line is a map
		"a=1 b=2\na=3 b=4\n",               // nothing is a rate
		"tps=fast qps=slow\ntps=x qps=y\n", // nor a number
	} {
		if d, ok := Sniff([]byte(text), true); ok {
			t.Errorf("%q is taken for %s", text, d)
		}
	}
}

func TestQueryTimes(t *testing.T) {
	const want = "query=Q1 elapsed=12.34; query=Q2 elapsed=0.45; query=Q3 elapsed=3.21"
	checkRuns(t, "colons", "TPC-H on 8.0.42\nQ1: 12.34 s\nQ2: 0.45 s\nQ3: 3.21 s\n", want)
	checkRuns(t, "files", "tpch-q1.sql  12340 ms\ntpch-q2.sql 450 ms\ntpch-q3.sql 3210 ms\n", want)
	checkRuns(t, "words", "Query 1 took 12.34 seconds\nQuery 2 took 0.45 seconds\nQuery 3 took 3.21 seconds\n", want)
	if d, ok := Sniff([]byte("q1 2026\nq2 2027\n"), true); ok {
		t.Errorf("two quarters are %s", d)
	}
}

// Trees are read where Object is asked, for only ingest knows whether they describe a
// log beside them.
func TestTrees(t *testing.T) {
	const want = "threads=1 version=8.0.42 tps=100; threads=8 version=8.0.42 tps=700; threads=1 version=8.4.5 tps=101; threads=8 version=8.4.5 tps=720"
	for name, c := range map[string]struct{ text, want string }{
		"lists in lists":      {`{"all":[{"version":"8.0.42","runs":[{"threads":1,"tps":100},{"threads":8,"tps":700}]},{"version":"8.4.5","runs":[{"threads":1,"tps":101},{"threads":8,"tps":720}]}]}`, want},
		"levels":              {`{"8.0.42":{"threads_1":{"tps":100},"8 threads":{"tps":700}},"8.4.5":{"threads_1":{"tps":101},"8 threads":{"tps":720}}}`, want},
		"YAML":                {"password: hunter2\nruns:\n  - version: 8.0.42\n    threads: 1\n    tps: 100\n  - {version: 8.0.42, threads: 8, tps: 700}\n  - {version: 8.4.5, threads: 1, tps: 101}\n  - version: 8.4.5\n    threads: 8\n    tps: 720\n", want},
		"levels of something": {`{"pool":{"a":{"tps":100,"latency":{"p95_ms":1.5}},"b":{"tps":700,"latency":{"p95_ms":2.5}}}}`, "key1=a latency_p95=0.0015 tps=100; key1=b latency_p95=0.0025 tps=700"},
		"one map":             {"version = 8.0.42\nthreads = 8\ntps = 700\npassword = hunter2\n", "threads=8 version=8.0.42 tps=700"},
		"one line":            {"version=8.0.42 threads=8 tps=700\n", "threads=8 version=8.0.42 tps=700"},
		"one object":          {`{"version": "8.0.42", "threads": 8, "result": {"tps": 700}}`, "threads=8 version=8.0.42 tps=700"},
	} {
		all := Object([]byte(c.text), nil)
		if all == nil {
			t.Errorf("%s: no runs", name)
			continue
		}
		var runs []*datasets.Run
		if err := all.Read(strings.NewReader(c.text), time.UTC, func(r *datasets.Run, _ int, _ *Inside) error { runs = append(runs, r); return nil }, func(p datasets.Problem) { t.Errorf("%s: %v", name, p) }); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(inShort(runs), "result_tps", "tps"); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
	for _, text := range []string{`{"a": {"b": 1}, "c": {"b": 2}}`, `{"name": "x", "scripts": {"a": "b"}}`, "threads: 8\nduration: 60\n", "threads: 8\nmax_tps: 100\n", "volumes:\n  - {size: 100, iops: 3000, throughput: 125}\n  - {size: 200, iops: 6000, throughput: 250}\n", "size: 100\niops: 3000\n", "rw=randread\nlatency_target=50000\nlatency_window=5000000\n", "export TPS=100\nexport THREADS=8\n", "A report\nof mine\ntps: 100\nqps: 200\n", "- hosts: all\n  tasks: []\n", "x", ""} {
		if all := Object([]byte(text), nil); all != nil {
			t.Errorf("%s: %s", text, all)
		}
	}
	if d, ok := Sniff([]byte("---\n- version: 8.0.42\n  threads: 8\n  tps: 1234.5\n- version: 8.4.5\n  threads: 8\n  tps: 1334.5\n"), true); !ok || d.Markup != "YAML" {
		t.Errorf("a list in YAML is %s", d)
	}
}

func FuzzObject(f *testing.F) {
	f.Add([]byte(`{"8.0.42":{"1":{"tps":100},"8":{"tps":700}},"8.4.5":{"1":{"tps":101}}}`))
	f.Add([]byte("runs:\n  - {version: 8.0.42, threads: 8, tps: 700}\n  - {version: 8.4.5, threads: 1, tps: 101}\n"))
	f.Add([]byte("threads=8 tps=700 p95=1ms\nthreads=9 tps=800 p95=2ms\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(leaves(text)) > 1000*len(text)+1000 {
			t.Fatal("much of little")
		}
		all := Object(text, nil)
		if all == nil {
			return
		}
		if err := all.Read(bytes.NewReader(text), time.UTC, func(*datasets.Run, int, *Inside) error { return nil }, func(datasets.Problem) {}); err != nil {
			t.Fatal(err)
		}
	})
}

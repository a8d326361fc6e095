package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
)

// inShort writes "threads=1 arm=glibc tps=953.1" for each run.
func inShort(runs []*datasets.Run) string {
	var all []string
	for _, r := range runs {
		var parts []string
		if r.Threads > 0 {
			parts = append(parts, fmt.Sprintf("threads=%d", r.Threads))
		}
		for _, name := range slices.Sorted(maps.Keys(r.Factors)) {
			parts = append(parts, fmt.Sprintf("%s=%s", name, r.Factors[name]))
		}
		for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
			parts = append(parts, fmt.Sprintf("%s=%.6g", name, r.Metrics[name]))
		}
		all = append(all, strings.Join(parts, " "))
	}
	return strings.Join(all, "; ")
}

func checkRuns(t *testing.T, name, text, want string) []datasets.Problem {
	t.Helper()
	_, runs, problems := read(t, []byte(text))
	if got := inShort(runs); got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
	}
	return problems
}

func TestDrawn(t *testing.T) {
	const want = "threads=1 build=base tps=953.1; threads=8 build=base tps=3120; threads=1 build=patched tps=960.4"
	checkRuns(t, "Markdown", "# Results\n\nOn *one* machine | two days.\n\n| build | threads | tps |\n|:--|--:|---|\n| base | 1 | 953.1 |\n| base | 8 | **3,120** |\n| patched | 1 | 960.4 ± 3.1 |\n\nSo much for that.\n", want)
	checkRuns(t, "Markdown without outer bars", "build | threads | tps\n--- | --- | ---\nbase | 1 | 953.1\nbase | 8 | 3120\npatched | 1 | 960.4\n", want)
	checkRuns(t, "the mysql client", "+---------+---------+-------+\n| build   | threads | tps   |\n+---------+---------+-------+\n| base    |       1 | 953.1 |\n| base    |       8 |  3120 |\n| patched |       1 | 960.4 |\n+---------+---------+-------+\n3 rows in set\n", want)
	checkRuns(t, "psql", " build   | threads |  tps  \n---------+---------+-------\n base    |       1 | 953.1\n base    |       8 |  3120\n patched |       1 | 960.4\n(3 rows)\n", want)
	p := checkRuns(t, "two tables", "| build | threads | tps |\n|---|---|---|\n| base | 1 | 953.1 |\n\n| build | threads | tps |\n|---|---|---|\n| base | 8 | 3120 |\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n| build | threads | tps |\n|---|---|---|\n| patched | 1 | 960.4 |\n", want)
	if len(p) != 0 {
		t.Errorf("%v", p)
	}
}

func TestAligned(t *testing.T) {
	checkRuns(t, "one blank", "threads tps p95_ms\n1 953.1 1.25\n8 3120.0 2.50\n16 3300.0 5.00\n", "threads=1 latency_p95=0.00125 tps=953.1; threads=8 latency_p95=0.0025 tps=3120; threads=16 latency_p95=0.005 tps=3300")
	checkRuns(t, "two blanks and a ruler", "system      tps     p95 (ms)\n----------  ------  --------\nMySQL 8.0   953.1       1.25\nMySQL 9.7   960.4       1.20\nMariaDB 11  940.0       1.30\n",
		"system=MySQL 8.0 latency_p95=0.00125 tps=953.1; system=MySQL 9.7 latency_p95=0.0012 tps=960.4; system=MariaDB 11 latency_p95=0.0013 tps=940")
	for _, prose := range []string{"This is prose about 3 things\nand 4 others in 5 lines of\nsix words or 7 words each\n8 and so on and on\n", "a b\n1 2\n"} {
		if d, ok := Sniff([]byte(prose), true); ok {
			t.Errorf("%q: taken for %v", prose, d)
		}
	}
}

func TestJSON(t *testing.T) {
	const want = "threads=8 build=base latency_p95=0.0123 tps=953.2; threads=16 build=base latency_p95=0.0223 tps=1953.2"
	lines := `{"build": "base", "threads": 8, "tps": 953.2, "latency": {"p95_ms": 12.3}, "tags": [1, {"a": 2}]}` + "\n" + `{"threads": 16, "build": "base", "tps": 1953.2, "latency": {"p95_ms": 22.3}}` + "\n"
	checkRuns(t, "lines", lines, want)
	checkRuns(t, "a list", "[\n"+strings.Replace(strings.TrimSpace(lines), "\n", ",\n", 1)+"\n]\n", want)
	checkRuns(t, "pretty", strings.ReplaceAll("["+strings.Replace(strings.TrimSpace(lines), "\n", ",", 1)+"]", ", ", ",\n    "), want)
	p := checkRuns(t, "a broken line", strings.Replace(lines, "\n", "\n{\"build\": \n", 1), want)
	if len(p) != 1 || p[0].Line != 2 {
		t.Errorf("%v", p)
	}
	if _, ok := Sniff([]byte(`{"build": "base", "threads": 8, "tps": 953.2}`), true); ok {
		t.Error("one object is metadata, no table")
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"15,398,029": 15398029, "4.73E+03": 4730, "12.3k": 12300, "1.2M": 1.2e6, "12 %": .12, "953.2 ± 12": 953.2, "**953.2**": 953.2, "−5": -5, "2.5 ms": .0025, "3 MiB": 3 << 20,
		"1m2.5s": 62.5, "1h 2m 3s": 3723, "1.23x": 1.23, "1 234.5": 1234.5, "100 µs": 1e-4} {
		if got, ok := (Dialect{}).number(text); !ok || math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"", "8.0.42", "r8g.2xlarge", "5 apples", "2026-01-31", "12:30", "1,23", "x"} {
		if got, ok := (Dialect{}).number(text); ok {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestThousandsInHeadings(t *testing.T) {
	for _, heading := range []string{"ktps", "TPS (k)", "tps, thousands", "kTPS", "tps [x1000]"} {
		sep := "\t" // a heading may hold a comma
		_, runs, _ := read(t, []byte("threads"+sep+heading+"\n1"+sep+"12.5\n8"+sep+"100.25\n"))
		if len(runs) != 2 || runs[1].Metrics["tps"] != 100250 {
			t.Errorf("%s: %s", heading, inShort(runs))
		}
	}
}

func TestWide(t *testing.T) {
	checkRuns(t, "versions", "threads,8.0.42,9.7.0\n1,953,960\n8,3120,3150\n", "threads=1 version=8.0.42 value=953; threads=1 version=9.7.0 value=960; threads=8 version=8.0.42 value=3120; threads=8 version=9.7.0 value=3150")
	checkRuns(t, "named metrics", "threads,glibc tps,jemalloc tps,glibc p95 (ms),jemalloc p95 (ms)\n1,953,960,1.5,1.4\n8,3120,3150,3.5,\n",
		"threads=1 allocator=glibc latency_p95=0.0015 tps=953; threads=1 allocator=jemalloc latency_p95=0.0014 tps=960; threads=8 allocator=glibc latency_p95=0.0035 tps=3120; threads=8 allocator=jemalloc tps=3150")
	checkRuns(t, "behind", "threads,tps_before,tps_after\n1,953,960\n8,3120,3150\n", "threads=1 arm=before tps=953; threads=1 arm=after tps=960; threads=8 arm=before tps=3120; threads=8 arm=after tps=3150")
	checkRuns(t, "threads", "| build | 1 | 8 | 64 |\n|---|---|---|---|\n| base | 953 | 3120 | 5000 |\n| patched | 960 | 3150 | 5100 |\n",
		"threads=1 build=base value=953; threads=8 build=base value=3120; threads=64 build=base value=5000; threads=1 build=patched value=960; threads=8 build=patched value=3150; threads=64 build=patched value=5100")
	s, _, _ := read(t, []byte("compressor,ratio,seconds\nzstd,2.9,1.25\nxz,3.4,9.75\nlz4,2.1,0.31\n"))
	if columns(s) != "f compressor, m ratio, m seconds" {
		t.Error(columns(s))
	}
}

func TestWideNames(t *testing.T) {
	text := "threads,8.0.42,9.7.0\n1,953,960\n8,3120,3150\n"
	d, _ := Sniff([]byte(text), true)
	all, err := Study(strings.NewReader(text), d, map[string]string{"value": "tps"})
	if s := all[0]; err != nil || s.Columns[1].Name != "tps" || s.Columns[1].Unit.Name != "1/s" {
		t.Errorf("%v %+v", err, all)
	}
}

// A cell that people merged says for all rows below it what it says for the first;
// where empty cells may mean anything they stay empty.
func TestMergedCells(t *testing.T) {
	const want = "threads=1 build=base tps=100; threads=8 build=base tps=801; threads=1 build=patched tps=102; threads=8 build=patched tps=821"
	checkRuns(t, "Markdown", "| build | threads | tps |\n|---|---|---|\n| base | 1 | 100 |\n| | 8 | 801 |\n| patched | 1 | 102 |\n| | 8 | 821 |\n", want)
	checkRuns(t, "a line between the groups", "build,threads,tps\nbase,1,100\n,8,801\n,,\npatched,1,102\n,8,821\n", want)
	checkRuns(t, "groups of other length", "build,threads,tps\nbase,1,100\n,8,801\n,64,3301\npatched,1,102\n,8,821\n", strings.Replace(want, "801;", "801; threads=64 build=base tps=3301;", 1))
	checkRuns(t, "repetitions alone", "build,tps\nbase,100.1\n,100.2\npatched,102.1\n,102.2\n", "build=base tps=100.1; build=base tps=100.2; build=patched tps=102.1; build=patched tps=102.2")
	checkRuns(t, "groups in groups", "suite,build,threads,tps\nro,base,1,100\n,,8,801\n,new,1,102\n,,8,821\nrw,base,1,50\n,,8,401\n,new,1,51\n,,8,411\n",
		"threads=1 build=base suite=ro tps=100; threads=8 build=base suite=ro tps=801; threads=1 build=new suite=ro tps=102; threads=8 build=new suite=ro tps=821; threads=1 build=base suite=rw tps=50; threads=8 build=base suite=rw tps=401; threads=1 build=new suite=rw tps=51; threads=8 build=new suite=rw tps=411")
	s, _, _ := read(t, []byte("build,threads,tps\nbase,1,100\n,8,801\npatched,1,102\n,8,821\n"))
	if !strings.Contains(s.String(), "build (an empty cell is the one above, a guess)") {
		t.Errorf("not said: %s", s)
	}
	checkRuns(t, "notes now and then", "note,threads,tps\nslow,1,100\n,8,801\ncold,1,102\ncold,8,821\n", "threads=1 note=slow tps=100; threads=8 tps=801; threads=1 note=cold tps=102; threads=8 note=cold tps=821")
	checkRuns(t, "notes of unlike rows", "note,threads,tps\nslow,1,100\n,8,801\n,16,900\ncold,2,102\n,4,821\n", "threads=1 note=slow tps=100; threads=8 tps=801; threads=16 tps=900; threads=2 note=cold tps=102; threads=4 tps=821")
	checkRuns(t, "the first row without", "build,threads,tps\n,1,100\n,8,801\nnew,1,102\n,8,821\n", "threads=1 tps=100; threads=8 tps=801; threads=1 build=new tps=102; threads=8 tps=821")
	checkRuns(t, "a column behind", "threads,build,tps\n1,base,100\n8,,801\n1,new,102\n8,,821\n", "threads=1 build=base tps=100; threads=8 tps=801; threads=1 build=new tps=102; threads=8 tps=821")
}

func TestTitleAbove(t *testing.T) {
	const want = "threads=8 build=base tps=801.2; threads=8 build=new tps=812.3"
	for _, title := range []string{"Results of March\n", "Results of March, second try\n\n", "MySQL 8.0.36 vs 8.0.37\n====\n\n", "Results of March,,\n"} {
		checkRuns(t, title, title+"build,threads,tps\nbase,8,801.2\nnew,8,812.3\n", want)
	}
	checkRuns(t, "semicolons", "MySQL 8.0.36 vs 8.0.37\nbuild;threads;tps\nbase;8;801,2\nnew;8;812,3\n", want)
	if d, ok := Sniff([]byte("one\ntwo\nthree\nfour\nfive\nsix\nbuild,tps\nbase,1\n"), true); ok {
		t.Errorf("below six lines of anything: %v", d)
	}
}

func TestListsMeasureNothing(t *testing.T) {
	for text, telling := range map[string]bool{
		"pr,title,author,merged,files\n14023,Fix redo,ann,2026-03-01,4\n14011,Add index,bob,2026-03-02,12\n13987,Drop x,ann,2026-03-05,3\n": false,
		"Bug\tSynopsis\tReporter\n114023\tFix redo\tann\n114011\tAdd index\tbob\n113987\tDrop x\tann\n":                                     false,
		"pr,author,tps\n14023,ann,801.5\n14011,bob,812.5\n":                                                                                 true,
		"penguins,weight\n14023,801.5\n14011,812.5\n":                                                                                       true, // no known name, but nothing else either
		"# Tiers\n\n| Tier (innodb_buffer_pool_size) | Character |\n|---|---|\n| 2G | I/O bound |\n| 12G | mixed |\n| 32G | in memory |\n":  false,
		"title,score\nannual,801.5\nmonthly,812.5\n":                                                                                        false,
		"Region,Country,Units Sold,Unit Price\nAsia,Laos,4484,651.2\nAsia,Nepal,1075,47.4\nAsia,Laos,975,47.5\n":                            false,
		"user,pid,size_off\nann,4484,651\nann,1075,47\nbob,975,47\n":                                                                        false,
		"pid,tps\n4484,651.2\n1075,647.4\n975,647.5\n":                                                                                      true,
		"title,tps (1/s)\nannual,801.5\nmonthly,812.5\n":                                                                                    true,
		"owner,ops per second\nann,801.5\nbob,812.5\n":                                                                                      true,
		"l_shipmode,revenue\n" + strings.Repeat("MAIL,801.5\nSHIP,812.75\n", 50):                                                            true, // levels that come back
		"name,revenue\n" + numberedRows(100):                                                                                                false,
		"name,revenue\n" + numberedRows(99):                                                                                                 true,
		"name,tps\n" + numberedRows(100):                                                                                                    true,
		"run,revenue\n" + numberedRows(100):                                                                                                 true,
		"name,threads,revenue\n" + strings.ReplaceAll(numberedRows(100), ",", ",8,"):                                                        true, // says something of runs
	} {
		d, ok := Sniff([]byte(text), true)
		if !ok {
			t.Errorf("%q is no table", text)
			continue
		}
		if all, err := Study(strings.NewReader(text), d, nil); err != nil || all[0].Telling() != telling {
			t.Errorf("%q: %v: %s", text, err, all)
		}
	}
}

// numberedRows are rows with a name each.
func numberedRows(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "c%d,%g\n", i, 800.5+float64(i))
	}
	return b.String()
}

// A table in JSON is read as it comes, however long; what is bounded is one object.
func TestLongJSON(t *testing.T) {
	const most = maxObject + maxObject/4
	for _, form := range []struct{ what, begin, between, end string }{{"lines", "", "\n", ""}, {"list", "[", ",\n", "]"}} {
		var b strings.Builder
		n := 0
		for b.WriteString(form.begin); b.Len() < most; n++ {
			fmt.Fprintf(&b, `{"build":"b%d","note":"%s","tps":%d}%s`, n%3, strings.Repeat("x", 4<<10), 800+n%97, form.between)
		}
		b.WriteString(`{"build":"b1","tps":1,"late":2.5}` + form.end)
		n++
		d, ok := Sniff([]byte(b.String()[:64<<10]), false)
		if !ok {
			t.Fatalf("%s: no table", form.what)
		}
		s, err := study(strings.NewReader(b.String()), d, nil)
		if err != nil || s.Rows != n || !strings.Contains(s.Headings(), "late") {
			t.Fatalf("%s: %d rows under %s (%v), want %d", form.what, s.Rows, s.Headings(), err, n)
		}
		read := 0
		err = s.Read(strings.NewReader(b.String()), time.UTC, func(r *datasets.Run, number int) error {
			if read++; number != read {
				t.Errorf("%s: row %d is told as %d", form.what, read, number)
			}
			return nil
		}, func(p datasets.Problem) {
			if p.Kind != "long-text" {
				t.Errorf("%s: %v", form.what, p)
			}
		})
		if read != n || err != nil {
			t.Errorf("%s: read %d rows (%v), want %d", form.what, read, err, n)
		}
	}
	huge := `[{"build":"a","tps":1},
{"build":"b","note":"` + strings.Repeat("x", most) + `"}]`
	var told []datasets.Problem
	s := Schema{Dialect: Dialect{Form: JSON, Encoding: "UTF-8"}, keys: []string{"build", "tps"}, Columns: []Column{{Name: "build"}, {Name: "tps", Use: Metric, Scale: 1}}}
	err := s.Read(strings.NewReader(huge), time.UTC, func(*datasets.Run, int) error { return nil }, func(p datasets.Problem) { told = append(told, p) })
	if err != nil || len(told) != 1 || told[0].Text != errHuge.Error() {
		t.Errorf("a huge object: %v, %v", told, err)
	}
}

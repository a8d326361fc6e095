package group

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

// rows writes runs as a table: the first line names the columns, metrics have a
// value with a decimal point, and "-" is null.
func rows(t *testing.T, text string) ([]datasets.Run, []datasets.Column) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	names := strings.Fields(lines[0])
	columns := map[string]datasets.Column{}
	var runs []datasets.Run
	for n, line := range lines[1:] {
		r := datasets.Run{ID: fmt.Sprint(n), Tool: "sysbench", Status: datasets.Complete, Duration: math.NaN(),
			Factors: map[string]datasets.Value{}, Metrics: map[string]float64{}}
		for i, word := range strings.Fields(line) {
			if word == "-" {
				continue
			}
			var whole int
			_, err := fmt.Sscanf(word+" ", "%d ", &whole)
			isWhole := err == nil && fmt.Sprint(whole) == word
			switch name := names[i]; name {
			case "tps", "qps", "eps", "reads", "writes", "other", "transactions", "latency_p95", "latency_p99":
				var v float64
				if _, err := fmt.Sscan(word, &v); err != nil {
					t.Fatal(err)
				}
				r.Metrics[name] = v
				columns[name] = datasets.Column{Name: name, Role: datasets.Metric, Kind: datasets.FloatKind}
			case "threads":
				r.Threads = whole
			case "order":
				r.Order = whole
			case "day":
				r.Day = word
			case "session":
				r.Session = word
			case "launch":
				r.Launch = word
			case "host":
				r.Host = word
			case "workload":
				r.Workload = word
			case "status":
				r.Status = datasets.Status(word)
			case "start":
				at, err := time.Parse("2006-01-02T15:04", word)
				if err != nil {
					t.Fatal(err)
				}
				r.Started, r.StartedFrom = at, "log"
			default:
				role := datasets.Factor
				if slices.Contains([]string{"kernel", "memory", "load1", "table_size", "rate"}, name) {
					role = datasets.Condition
				}
				c := datasets.Column{Name: name, Role: role, Kind: datasets.TextKind}
				r.Factors[name] = datasets.Text(word)
				if isWhole {
					c.Kind = datasets.IntKind
					r.Factors[name] = datasets.Int(int64(whole))
				} else if strings.Contains(word, ".") && strings.Count(word, ".") == 1 {
					var v float64
					if _, err := fmt.Sscan(word, &v); err == nil {
						c.Kind = datasets.FloatKind
						r.Factors[name] = datasets.Float(v)
					}
				}
				columns[name] = c
			}
		}
		runs = append(runs, r)
	}
	var list []datasets.Column
	for _, name := range names {
		if c, ok := columns[name]; ok {
			list = append(list, c)
		}
	}
	return runs, list
}

func analyse(t *testing.T, text string, opt Options) (Design, []Cell, []analysis.Warning) {
	t.Helper()
	runs, columns := rows(t, text)
	d, cells, warnings, err := Analyse(runs, columns, opt)
	if err != nil {
		t.Fatal(err)
	}
	return d, cells, warnings
}

func wantRole(t *testing.T, d Design, name string, role Role) {
	t.Helper()
	for _, f := range d.Factors {
		if f.Name == name {
			if f.Role != role {
				t.Errorf("%s is %s (%s), want %s", name, f.Role, f.Why, role)
			}
			return
		}
	}
	t.Errorf("%s: no such factor", name)
}

func labels(cells []Cell) string {
	var l []string
	for _, c := range cells {
		l = append(l, c.Metric+": "+Words(c.Stratum))
	}
	return strings.Join(l, "; ")
}

const versions = `
version threads rep day tps  latency_p95
9.10.0  8       1   d1  110. 0.01
9.6.0   8       1   d1  100. 0.01
9.10.0  1       1   d1  11.  0.01
9.6.0   1       1   d1  10.  0.01
9.10.0  8       2   d2  110. 0.01
9.6.0   8       2   d2  100. 0.01
9.10.0  1       2   d2  11.  0.01
9.6.0   1       2   d2  10.  0.01
`

func TestVersionIsCompared(t *testing.T) {
	d, cells, _ := analyse(t, versions, Options{})
	if d.By != "version" || d.Base != "9.6.0" || !slices.Equal(d.Arms, []string{"9.6.0", "9.10.0"}) {
		t.Errorf("by %q, base %q, arms %v; want version, 9.6.0 the lowest as a version", d.By, d.Base, d.Arms)
	}
	wantRole(t, d, "threads", Stratum)
	wantRole(t, d, "rep", Noise)
	want := "tps: 1 thread; tps: 8 threads; latency_p95: 1 thread; latency_p95: 8 threads"
	if got := labels(cells); got != want {
		t.Errorf("cells %s\nwant  %s", got, want)
	}
	if n := len(cells[0].Pair(1)); n != 4 {
		t.Errorf("%d runs in the first cell, want 4", n)
	}
}

func TestByAndBaseAsAsked(t *testing.T) {
	d, _, _ := analyse(t, versions, Options{By: "version", Base: "9.10.0"})
	if d.Base != "9.10.0" {
		t.Errorf("base %q", d.Base)
	}
	d, _, _ = analyse(t, versions, Options{By: "threads"}) // a natural stratum may be compared when asked
	if d.By != "threads" || d.Base != "1" {
		t.Errorf("by %q base %q", d.By, d.Base)
	}
	wantRole(t, d, "version", Stratum)
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{By: "verison"}, `did you mean "version"?`},
		{Options{By: "version", Base: "9.60"}, `did you mean "9.6.0"?`},
		{Options{Metrics: []string{"tsp"}}, `did you mean "tps"?`},
		{Options{Ignore: []string{"thread"}}, `did you mean "threads"?`},
		{Options{By: "rep2"}, `did you mean "rep"?`},
	} {
		runs, columns := rows(t, versions)
		if _, _, _, err := Analyse(runs, columns, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.opt, err, c.want)
		}
	}
}

// Two builds in folders named after them, pool sizes, thread counts: the shape of a public study.
func TestFolderNamesAsArms(t *testing.T) {
	d, cells, _ := analyse(t, `
path1         tier threads rep tps
mysql         2G   1       1   10.
mysql-non-pgo 2G   1       1   9.
mysql         12G  1       1   10.
mysql-non-pgo 12G  1       1   9.
mysql         2G   1       2   10.
mysql-non-pgo 12G  1       2   9.
`, Options{})
	if d.By != "path1" || d.Base != "mysql" {
		t.Errorf("by %q base %q choices %v", d.By, d.Base, d.Choices)
	}
	if got := labels(cells); got != "tps: tier 2G; tps: tier 12G" {
		t.Errorf("cells %s", got)
	}
}

func TestSeveralCandidatesGiveNoVerdict(t *testing.T) {
	d, cells, _ := analyse(t, `
version allocator tps
a1      je        1.
a1      tc        1.
b1      je        1.
b1      tc        1.
`, Options{})
	if d.By != "" || !slices.Equal(d.Choices, []string{"version", "allocator"}) {
		t.Errorf("by %q choices %v", d.By, d.Choices)
	}
	if len(cells) != 4 {
		t.Errorf("%d cells: both factors must be held equal", len(cells))
	}
}

func TestBaseByName(t *testing.T) {
	d, _, _ := analyse(t, "config tps\nalpha 1.\nBaseline 1.\n", Options{})
	if d.Base != "Baseline" || d.BaseWhy != "by its name" {
		t.Errorf("base %q %s", d.Base, d.BaseWhy)
	}
}

func TestBaseWithout(t *testing.T) {
	d, _, _ := analyse(t, "path1 tps\nwith 1.\nwithout 1.\n", Options{})
	if d.Base != "without" || d.BaseWhy != "by its name" {
		t.Errorf("base %q %s", d.Base, d.BaseWhy)
	}
	for text, want := range map[string]string{
		"patched-8.0.36 1.\nstock-8.0.36 1.\n": "stock-8.0.36",
		"mysqld-opt 1.\nmysqld-orig 1.\n":      "mysqld-orig",
		"a-old 1.\nb-old 1.\n":                 "a-old", // both have the word, so it says nothing
		"8.0.1-old 1.\n8.0.0 1.\n":             "8.0.1-old",
		"glibc 1.\nglibc-control 1.\nje 1.\n":  "glibc",
		"a-b 1.\norigin-trunk 1.\nz 1.\n":      "origin-trunk",
		"domain 1.\naltered 1.\n":              "altered", // inside a word it is none
	} {
		if d, _, _ := analyse(t, "build tps\n"+text, Options{}); d.Base != want {
			t.Errorf("%q: base %q", text, d.Base)
		}
	}
}

// A column called server or db names machines, or what ran.
func TestServerByName(t *testing.T) {
	for levels, by := range map[[2]string]string{
		{"PS-8.0.35", "PS-8.0.36"}:   "server",
		{"MySQL", "SeekDB"}:          "server",
		{"mysql8", "ps8"}:            "server",
		{"mysql1", "mysql2"}:         "",
		{"db1", "db2"}:               "",
		{"10.0.0.1", "10.0.0.2"}:     "",
		{"mysql-1.lab", "node8.lab"}: "",
	} {
		d, _, _ := analyse(t, "server threads tps\n"+levels[0]+" 8 1.\n"+levels[0]+" 16 1.\n"+levels[1]+" 8 1.\n"+levels[1]+" 16 1.\n", Options{})
		if d.By != by || (by == "") != slices.Contains(d.Conditions, "server") {
			t.Errorf("%v: by %q, conditions %v", levels, d.By, d.Conditions)
		}
	}
}

// What moves with the arm: a host of its own refuses; a library is the change itself.
func TestMovesWithTheArm(t *testing.T) {
	d, cells, _ := analyse(t, `
allocator malloc_library host kernel rep tps
glibc     system         h1   6.1    1   1.
glibc     system         h1   6.1    2   1.
jemalloc  je5            h2   6.1    1   1.
jemalloc  je5            h2   6.1    2   1.
`, Options{})
	if d.By != "allocator" {
		t.Fatalf("by %q, choices %v", d.By, d.Choices)
	}
	if len(d.Aliased) != 1 || d.Aliased[0] != (Moves{"host", [2]string{"glibc", "jemalloc"}, [2]string{"h1", "h2"}}) {
		t.Errorf("aliased %v", d.Aliased)
	}
	if !slices.Equal(d.AlsoDiffers, []string{"malloc_library"}) {
		t.Errorf("also differs %v", d.AlsoDiffers)
	}
	wantRole(t, d, "host", Condition)
	wantRole(t, d, "malloc_library", Alias)
	if len(cells) != 1 {
		t.Errorf("%d cells: a condition that moves with the arm is no stratum", len(cells))
	}
	// The version of a server moves with what is a server, and with nothing else.
	for _, c := range []struct{ by, rows, aliased string }{
		{"version", "13 13.22 1.\n18 18beta3 1.\n", ""}, {"path1", "13 13.22 1.\n18 18beta3 1.\n", ""}, {"build", "pg 13.22 1.\nmy 8.4.3 1.\n", ""},
		{"path1", "1 13.22 1.\n8 8.4.3 1.\n", "server_version"}, {"allocator", "a 8.0.36 1.\nb 8.4.3 1.\n", "server_version"},
	} {
		runs, columns := rows(t, c.by+" server_version tps\n"+c.rows)
		for i := range columns {
			if columns[i].Name == "server_version" {
				columns[i].Role = datasets.Condition
			}
		}
		d, _, _, err := Analyse(runs, columns, Options{By: c.by})
		var got string
		for _, m := range d.Aliased {
			got += m.Condition
		}
		if got != c.aliased || err != nil {
			t.Errorf("%s: aliased %v, %v", c.by, d.Aliased, err)
		}
	}
	d, _, _ = analyse(t, "arm host tps\na h1 1.\nb h2 1.\n", Options{By: "arm", Ignore: []string{"host"}})
	if len(d.Aliased) != 0 {
		t.Errorf("--ignore host still refuses: %v", d.Aliased)
	}
}

// A host known from side files of some runs only, the same everywhere, splits nothing.
func TestHostKnownInPart(t *testing.T) {
	d, cells, _ := analyse(t, "arm host tps\na h1 1.\na - 1.\nb h1 1.\nb - 1.\n", Options{})
	if len(d.Aliased) != 0 || len(cells) != 1 {
		t.Errorf("aliased %v, %d cells", d.Aliased, len(cells))
	}
}

// Another machine every day, both arms on each: the day block takes it up. Another table size is a stratum.
func TestConditionsByDay(t *testing.T) {
	table := `
arm kernel table_size day tps
a   6.1.1  100        d1  1.
b   6.1.1  100        d1  1.
a   6.1.2  200        d2  1.
b   6.1.2  200        d2  1.
a   6.1.2  200        d3  1.
b   6.1.2  200        d3  1.
`
	d, cells, warnings := analyse(t, table, Options{})
	wantRole(t, d, "kernel", Condition)
	wantRole(t, d, "table_size", Stratum)
	if len(cells) != 2 {
		t.Errorf("%d cells, want one a table size", len(cells))
	}
	if !slices.Contains(warnings, analysis.Warning(analysis.PooledOverDays{Condition: "kernel", Levels: 2})) {
		t.Errorf("no word about the kernel: %v", warnings)
	}
}

// What names a session is no stratum: held equal, each would be alone.
func TestSessionNames(t *testing.T) {
	d, cells, _ := analyse(t, `
allocator seed session day tps
je        7    s1      d1  1.
tc        7    s1      d1  1.
je        9    s2      d2  1.
tc        9    s2      d2  1.
`, Options{})
	wantRole(t, d, "seed", Noise)
	if d.By != "allocator" || len(cells) != 1 {
		t.Errorf("by %q, %d cells", d.By, len(cells))
	}
}

// ... also where only the times of the runs tell their days. The load is what it is.
func TestDayNames(t *testing.T) {
	text := `
allocator d  threads start            tps
je        1  8       2026-01-31T10:00 1.
tc        1  8       2026-01-31T10:10 1.
je        2  8       2026-02-01T10:00 1.
tc        2  8       2026-02-01T10:10 1.
`
	d, cells, _ := analyse(t, text, Options{})
	wantRole(t, d, "d", Noise)
	if len(cells) != 1 {
		t.Errorf("%d cells", len(cells))
	}
	d, _, _ = analyse(t, strings.ReplaceAll(text, " 2  8 ", " 2  16"), Options{})
	wantRole(t, d, "threads", Stratum)
}

// res_t16_1.log, res_t16_2.log: the last number counts repetitions.
func TestCountsRepetitions(t *testing.T) {
	d, cells, _ := analyse(t, "path1 path2 tps\npgo 1 1.\npgo 2 1.\nplain 1 1.\nplain 2 1.\n", Options{})
	wantRole(t, d, "path2", Noise)
	if d.By != "path1" || len(cells) != 1 {
		t.Errorf("by %q, %d cells", d.By, len(cells))
	}
	_, cells, _ = analyse(t, "path1 path2 tps\npgo 16 1.\npgo 64 1.\nplain 16 1.\nplain 64 1.\n", Options{})
	if len(cells) != 2 {
		t.Errorf("16 and 64 are set, not counted: %d cells", len(cells))
	}
}

func TestLabels(t *testing.T) {
	d, cells, _ := analyse(t, `
arm load1 ended_at note tps
a   0.5   x        n1   1.
b   0.6   y        n2   1.
a   0.6   z        n3   1.
b   0.5   x        n4   1.
`, Options{})
	for _, name := range []string{"load1", "ended_at", "note"} {
		wantRole(t, d, name, Label)
	}
	if len(cells) != 1 {
		t.Errorf("%d cells", len(cells))
	}
}

// A name of the test, which the log says too, is no rival of the name of the arm.
func TestNameOfTheLoad(t *testing.T) {
	d, cells, _ := analyse(t, `
path1   path2 workload threads tps
mongodb run_a a        8       1.
mongodb run_b b        8       1.
redis   run_a a        8       1.
redis   run_b b        8       1.
`, Options{})
	if d.By != "path1" || len(cells) != 2 {
		t.Errorf("by %q, choices %v, %d cells", d.By, d.Choices, len(cells))
	}
	d, _, _ = analyse(t, "path1 path2 workload tps\nx p a 1.\nx q a 1.\ny p a 1.\ny q a 1.\n", Options{})
	if len(d.Choices) != 2 {
		t.Errorf("by %q, choices %v", d.By, d.Choices)
	}
}

// One run of each and nothing else that varies: the name of the run is the change.
func TestOneRunOfEach(t *testing.T) {
	for _, c := range []struct {
		name, text, by string
		choices, cells int
	}{
		{"products", "path1 threads tps\nK8s 8 1.\nOpenEBS 8 2.\nplain 8 3.\n", "path1", 0, 1},
		{"steps that people set", "path1 tps\niops1000 1.\niops2000 2.\niops3000 3.\n", "path1", 0, 1},
		{"other workloads beside", "path1 workload tps\na.static ro 1.\na.dynamic ro 2.\nb.static rw 3.\nb.dynamic rw 4.\n", "path1", 0, 1},
		{"the same day, other words", "path1 tps\nmysql-20260130 1.\nmariadb-20260130 2.\npercona-20260131 3.\n", "path1", 0, 1},
		{"a column that names versions", "config tps\nA 1.\nB 2.\nC 3.\n", "config", 0, 1},
		{"numbered settings", "path1 tps\ncnf1 1.\ncnf2 2.\ncnf3 3.\n", "path1", 0, 1},
		{"two names of the same", "path1 path2 tps\na x 1.\nb y 2.\nc z 3.\n", "path1", 0, 1},
		{"two names of not quite the same", "path1 path2 tps\na - 1.\nb y 2.\nc z 3.\nd w 4.\n", "", 2, 4},
		{"too many to be arms", "path1 tps\na 1.\nb 1.\nc 1.\nd 1.\ne 1.\nf 1.\ng 1.\nh 1.\ni 1.\nj 1.\nk 1.\nl 1.\nm 1.\n", "", 1, 13},
		{"counted", "path1 tps\ntest1 1.\ntest2 2.\ntest3 3.\n", "", 0, 1},
		{"times", "path1 tps\nrw_20260130_150841 1.\nrw_20260130_150902 2.\nrw_20260130_150930 3.\n", "", 0, 1},
		{"hashes", "path1 tps\nrun-3f9a01c 1.\nrun-77b0e12 2.\nrun-0a11bc9 3.\n", "", 0, 1},
		{"counted by the tool", "sysbench threads tps\n1 8 1.\n2 8 1.\n3 8 1.\n", "", 0, 1},
		{"remarks", "note tps\nslow 1.\nagain 2.\nfinal 3.\n", "", 0, 1},
		{"names of runs beside arms", "arm path1 tps\na x 1.\na y 1.\nb z 2.\nb w 2.\n", "arm", 0, 1},
	} {
		d, cells, _ := analyse(t, c.text, Options{})
		if d.By != c.by || len(d.Choices) != c.choices || len(cells) != c.cells {
			t.Errorf("%s: by %q, choices %v, %d cells (%s); want %q, %d, %d", c.name, d.By, d.Choices, len(cells), labels(cells), c.by, c.choices, c.cells)
		}
	}
}

// What the load generator was told is no label where every run has another: they
// are points of a sweep, and no runs of one thing.
func TestAskedIsNoLabel(t *testing.T) {
	for _, name := range []string{"rate", "table_size"} {
		d, cells, _ := analyse(t, "path1 threads "+name+" tps\na 250 10 10.\nb 250 60 60.\nc 250 110 110.\nd 250 160 160.\n", Options{})
		wantRole(t, d, name, Stratum)
		if len(cells) != 4 {
			t.Errorf("%s: %d cells", name, len(cells))
		}
	}
}

// A published table: three runs within hours, two days, two instance sizes of one run each.
func TestPublishedTable(t *testing.T) {
	d, cells, _ := analyse(t, `
group  day instance    qps
within d1  r8g.2xlarge 8554.
within d1  r8g.2xlarge 8459.
within d1  r8g.2xlarge 8460.
across d2  r8g.2xlarge 9118.
across d3  r8g.2xlarge 8450.
size   -   r8g.2xlarge 8450.
size   -   r8g.4xlarge 9233.
`, Options{})
	if d.By != "instance" || d.Base != "r8g.2xlarge" {
		t.Errorf("by %q base %q choices %v", d.By, d.Base, d.Choices)
	}
	if got := labels(cells); got != "qps: group across; qps: group size; qps: group within" {
		t.Errorf("cells %s", got)
	}
}

func TestDays(t *testing.T) {
	for _, c := range []struct{ name, table, want string }{
		{"a gap of six hours begins a day", "start tps\n2026-05-15T01:00 1.\n2026-05-15T06:59 1.\n2026-05-15T12:59 1.\n", "2026-05-15"}, // the same date: one day
		{"runs after midnight stay", "start tps\n2026-05-15T22:00 1.\n2026-05-16T01:00 1.\n", "2026-05-15"},
		{"the next evening", "start tps\n2026-05-15T22:00 1.\n2026-05-16T01:00 1.\n2026-05-16T22:00 1.\n", "2026-05-15 2026-05-16"},
		{"sessions of one date", "session start tps\ns1 2026-05-15T01:00 1.\ns2 2026-05-15T22:00 1.\n", "2026-05-15"},
		{"declared days stay apart", "day start tps\nd1 2026-05-15T01:00 1.\nd2 2026-05-15T03:00 1.\n", "d1 d2"},
		{"sessions without a clock", "session tps\ns2 1.\ns10 1.\n", "s2 s10"},
		{"unknown", "tps\n1.\n", ""},
	} {
		d, _, _ := analyse(t, c.table, Options{})
		if got := strings.Join(d.Days, " "); got != c.want {
			t.Errorf("%s: days %q, want %q", c.name, got, c.want)
		}
	}
	_, _, warnings := analyse(t, "day start tps\nd1 2026-05-15T01:00 1.\nd2 2026-05-15T03:00 1.\n", Options{})
	if !slices.Contains(warnings, analysis.Warning(analysis.DaysClose{First: "d1", Second: "d2", Hours: 2})) {
		t.Errorf("days two hours apart, and nothing said: %v", warnings)
	}
}

// Four days without a pause are one sitting, and that is said; a night is not.
func TestLongSitting(t *testing.T) {
	table := "start tps\n"
	for h := range 80 {
		table += time.Date(2026, 5, 15, h, 0, 0, 0, time.UTC).Format("2006-01-02T15:04") + " 1.\n"
	}
	d, _, warnings := analyse(t, table, Options{})
	if len(d.Days) != 1 || !slices.Contains(warnings, analysis.Warning(analysis.LongSitting{Day: "2026-05-15", Hours: 79})) {
		t.Errorf("days %v, %v", d.Days, warnings)
	}
	if _, _, warnings := analyse(t, "start tps\n2026-05-15T20:00 1.\n2026-05-16T01:00 1.\n2026-05-16T06:00 1.\n", Options{}); len(warnings) > 0 {
		t.Errorf("a night: %v", warnings)
	}
}

func TestMetricsAsAsked(t *testing.T) {
	runs, columns := rows(t, "version tps qps\n9.6.0 1. 16.\n9.7.0 2. 32.\n")
	_, cells, _, err := Analyse(runs, columns, Options{Metrics: []string{"tps", "qps/tps", "tps"}})
	if err != nil || len(cells) != 2 || cells[1].Metric != "qps/tps" {
		t.Errorf("named twice: %d cells, %v", len(cells), err)
	}
	for _, metric := range []string{"tps/", "/tps", "qps/tps/tps", "/"} {
		if _, _, _, err := Analyse(runs, columns, Options{Metrics: []string{metric}}); err == nil || !strings.Contains(err.Error(), "a ratio is of two metrics") {
			t.Errorf("%s: %v", metric, err)
		}
	}
	if near := Nearest("C", []string{"A", "B"}); near != "" {
		t.Errorf("C is meant as %s: no letter in common", near)
	}
}

// What only the logs of another tool differ in is not the change.
func TestChangeOfTheUsualTool(t *testing.T) {
	runs, columns := rows(t, "path1 path2 threads tps\ngr res 1 1.\ngr res 8 1.\nplain res 1 2.\nplain res 8 2.\n- load - -\n- check - -\n")
	runs[4].Tool, runs[5].Tool = "time", "time"
	d, _, _, err := Analyse(runs, columns, Options{})
	if err != nil || d.By != "path1" {
		t.Errorf("by %q of %v, %v", d.By, d.Choices, err)
	}
}

// A name that goes further into detail than the arm leaves nothing to compare.
func TestSplits(t *testing.T) {
	d, _, _ := analyse(t, "version path1 set threads tps\n9.6.0 a s 8 1.\n9.6.0 b s 8 1.\n9.6.0 b u 16 1.\n9.7.0 c s 8 1.\n9.7.0 d u 8 1.\n9.7.0 d s 16 1.\n", Options{})
	if !slices.Equal(d.Splits, []string{"path1"}) {
		t.Errorf("splits %v", d.Splits)
	}
	wantRole(t, d, "path1", Stratum)
}

// OLTP beside tests of the processor: each has its throughput, a stray run none.
func TestThroughputsOfMixedTests(t *testing.T) {
	for _, c := range []struct{ cpu, oltp, want string }{
		{"ttt", "tt", "eps tps"},
		{"t", "tttt", "tps"},
		{"tt", "tttttt", "tps eps"},
		{"", "t", "tps"},
		{"0", "7", "qps"},
		{"0", "0", "tps"},
	} {
		if c.cpu == "0" {
			_, cells, _ := analyse(t, "workload threads tps qps\n"+strings.Repeat("oltp 1 0. "+c.oltp+".\n", 2), Options{})
			if cells[0].Metric != c.want {
				t.Errorf("no transactions, %s queries: %s", c.oltp, cells[0].Metric)
			}
			continue
		}
		text := "workload threads tps qps eps\n" + strings.Repeat("cpu 1 - - 9.\n", len(c.cpu)) + strings.Repeat("oltp 1 5. 7. -\n", len(c.oltp))
		_, cells, _ := analyse(t, text, Options{})
		var got []string
		for _, cell := range cells {
			got = append(got, cell.Metric)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%d and %d runs: %v, want %s", len(c.cpu), len(c.oltp), got, c.want)
		}
	}
}

func TestLeftOut(t *testing.T) {
	_, cells, warnings := analyse(t, `
arm threads status    tps
a   1       complete  1.
b   1       complete  1.
b   1       truncated 1.
b   2       truncated 1.
- 1 complete 1.
`, Options{})
	if !slices.Equal(cells[0].LeftOut, []int{0, 1}) {
		t.Errorf("left out %v", cells[0].LeftOut)
	}
	for _, w := range []analysis.Warning{analysis.LeftOutUnplaced{Runs: 1}, analysis.NoArm{By: "arm", Runs: 1}} {
		if !slices.Contains(warnings, w) {
			t.Errorf("missing %#v in %v", w, warnings)
		}
	}
}

// A profiler slows what it watches: such runs take part only when asked for.
func TestProfiledAside(t *testing.T) {
	runs, columns := rows(t, "arm tps\na 1.\nb 1.\na 2.\nb 2.\n")
	for i := range runs {
		runs[i].Factors["profiled"] = datasets.Bool(i > 1)
	}
	columns = append(columns, datasets.Column{Name: "profiled", Kind: datasets.BoolKind, Role: datasets.Condition})
	for _, c := range []struct {
		where string
		value float64
	}{{"", 1}, {"profiled==true", 2}} {
		var opt Options
		if c.where != "" {
			opt.Where = []string{c.where}
		}
		_, cells, warnings, err := Analyse(runs, columns, opt)
		if err != nil || len(cells) != 1 || len(cells[0].Runs) != 2 || cells[0].Runs[0].Value != c.value {
			t.Errorf("where %q: %v, cells %+v", c.where, err, cells)
		}
		if said := slices.Contains(warnings, analysis.Warning(analysis.ProfiledAside{Runs: 2})); said != (c.where == "") {
			t.Errorf("where %q: %v", c.where, warnings)
		}
	}
}

// A summary table beside the logs it was made from.
func TestTablesAside(t *testing.T) {
	runs, columns := rows(t, "arm tps\na 1.\nb 1.\na 2.\nb 2.\n")
	runs[2].Tool, runs[3].Tool = "", ""
	runs[2].Source, runs[3].Source = "README.md", "old.csv"
	_, cells, warnings, err := Analyse(runs, columns, Options{})
	if err != nil || len(cells) != 1 || len(cells[0].Runs) != 2 || !slices.Contains(warnings, analysis.Warning(analysis.TablesAside{Rows: 2, First: "README.md"})) {
		t.Errorf("%v, cells %+v, warnings %v", err, cells, warnings)
	}
	// How long a command took summarises nothing, and nothing it.
	runs[0].Tool, runs[0].Metrics = "time", map[string]float64{"elapsed": 12}
	runs[1].Tool, runs[1].Metrics = "time", map[string]float64{"elapsed": 13}
	if _, cells, _, err = Analyse(runs, columns, Options{Metrics: []string{"tps"}}); err != nil || len(cells) != 1 || len(cells[0].Runs) != 2 {
		t.Errorf("%v, cells %+v", err, cells)
	}
}

// Results kept twice, as a spreadsheet and in a document that names one metric
// otherwise and knows no days.
func TestTableRepeated(t *testing.T) {
	runs, columns := rows(t, "arm day tps latency_p95 qps queries\na d1 100. .02 5. -\nb d1 104. .03 6. -\na d2 90. .04 7. -\nb d2 95. .05 8. -\na - 100. .02 - 5.\nb - 95. .05 - 8.\n")
	for i := range runs {
		runs[i].Tool, runs[i].Source = "", "results.csv"
		if i > 3 {
			runs[i].Source = "results.md"
		}
	}
	want := analysis.Warning(analysis.TableRepeated{Rows: 2, Source: "results.md", Of: "results.csv"})
	if _, cells, warnings, err := Analyse(runs, columns, Options{Metrics: []string{"tps"}}); err != nil || len(cells) != 1 || len(cells[0].Runs) != 4 || !slices.Contains(warnings, want) {
		t.Errorf("%v, cells %+v, warnings %v", err, cells, warnings)
	}
	for _, other := range []map[string]float64{{"tps": 95, "latency_p95": .06}, {"tps": 95}} { // another number, or one that may be equal by chance
		runs[5].Metrics = other
		if _, _, warnings, err := Analyse(runs, columns, Options{Metrics: []string{"tps"}}); err != nil || slices.Contains(warnings, want) {
			t.Errorf("%v: %v, %v", other, err, warnings)
		}
	}
}

// A pile of unrelated logs gets no verdict unless asked for.
func TestTooManyArms(t *testing.T) {
	table := "path1 tps\n"
	for i := range 2 * (mostArms + 1) {
		table += fmt.Sprintf("log%c 1.\n", 'a'+rune(i/2))
	}
	if d, _, _ := analyse(t, table, Options{}); d.By != "" || !slices.Equal(d.Choices, []string{"path1"}) {
		t.Errorf("by %q, choices %v", d.By, d.Choices)
	}
	if d, _, _ := analyse(t, table, Options{By: "path1"}); d.By != "path1" {
		t.Errorf("by %q as asked", d.By)
	}
}

func TestInterleaved(t *testing.T) {
	for _, c := range []struct {
		name, orders string
		want         int
	}{
		{"a before b, both days", "1 2 3 4 1 2 3 4", -1},
		{"counterbalanced", "1 2 3 4 3 4 1 2", 1},
		{"alternating", "1 3 2 4 1 3 2 4", 1},
		{"unknown", "0 0 0 0 0 0 0 0", 0},
	} {
		var o [8]int
		if _, err := fmt.Sscan(c.orders, &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6], &o[7]); err != nil {
			t.Fatal(err)
		}
		table := "arm day order tps\n"
		for i, n := range o {
			table += fmt.Sprintf("%c d%d %d 1.\n", 'a'+rune(i/2%2), 1+i/4, n)
		}
		if d, _, _ := analyse(t, table, Options{}); d.Interleaved != c.want {
			t.Errorf("%s: %d, want %d", c.name, d.Interleaved, c.want)
		}
	}
}

// Order numbers of two sessions of one date say nothing about each other.
func TestOrderOfTwoSessions(t *testing.T) {
	d, cells, _ := analyse(t, `
arm session    day        order tps
a   morning    2026-05-15 1     1.
a   morning    2026-05-15 2     1.
b   evening    2026-05-15 1     1.
b   evening    2026-05-15 2     1.
`, Options{})
	if d.Interleaved != 0 || !math.IsNaN(cells[0].Runs[0].Slot) {
		t.Errorf("interleaved %d, slot %v; nobody knows", d.Interleaved, cells[0].Runs[0].Slot)
	}
}

func TestRatioMetric(t *testing.T) {
	_, cells, _ := analyse(t, "arm qps tps\na 20. 10.\nb 30. 10.\n", Options{Metrics: []string{"qps/tps"}})
	if got := cells[0].Runs[1].Value; got != 3 {
		t.Errorf("30/10 = %v", got)
	}
}

func TestCompareValues(t *testing.T) {
	sorted := []datasets.Value{{}, datasets.Int(2), datasets.Float(2.5), datasets.Int(10), datasets.Text("2G"),
		datasets.Text("9.6.0"), datasets.Text("9.7.0-er"), datasets.Text("9.7.0"), datasets.Text("9.10.0"), datasets.Text("12G"), datasets.Text("a"), datasets.Text("b")}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := CompareValues(a, b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%v against %v: %d", a, b, got)
			}
		}
	}
}

// The caller's slice is left alone: order is data.
func TestInputUntouched(t *testing.T) {
	runs, columns := rows(t, versions)
	before := slices.Clone(runs)
	if _, _, _, err := Analyse(runs, columns, Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		if runs[i].ID != before[i].ID {
			t.Fatalf("row %d moved", i)
		}
	}
}

// What was run to warm up is no contender, unless the phase is asked about.
func TestPhaseAside(t *testing.T) {
	runs, columns := rows(t, "arm tps\na 1.\nb 1.\na 2.\nb 2.\n")
	for i := range runs {
		runs[i].Factors["phase"] = datasets.Text([]string{"run", "warmup"}[i/2])
	}
	columns = append(columns, datasets.Column{Name: "phase", Kind: datasets.TextKind, Role: datasets.Factor})
	for _, c := range []struct {
		opt   Options
		value float64
		arms  string
	}{{Options{}, 1, "a b"}, {Options{Where: []string{"phase==warmup"}}, 2, "a b"}, {Options{By: "phase"}, 1, "run warmup"}} {
		d, cells, warnings, err := Analyse(runs, columns, c.opt)
		if err != nil || len(cells) == 0 || cells[0].Runs[0].Value != c.value || strings.Join(d.Arms, " ") != c.arms {
			t.Errorf("%+v: %v, arms %v, cells %+v", c.opt, err, d.Arms, cells)
		}
		if said := slices.Contains(warnings, analysis.Warning(analysis.PhaseAside{Runs: 2, Phases: "warmup"})); said != (c.arms == "a b" && c.value == 1) {
			t.Errorf("%+v: %v", c.opt, warnings)
		}
	}
}

// rep2 is what a second number that counts repetitions is called.
func TestSecondRepetitionIsNoise(t *testing.T) {
	d, cells, _ := analyse(t, "arm rep rep2 tps\na 1 1 1.\na 1 2 1.\nb 1 1 1.\nb 1 2 1.\n", Options{})
	if len(cells) != 1 || d.By != "arm" {
		t.Errorf("by %q, %d cells", d.By, len(cells))
	}
}

// Runs that sent other statements are told apart by their counts, whatever they are
// called; a few rolled back transactions are no other test.
func TestMixesDiffer(t *testing.T) {
	for _, c := range []struct {
		name, table string
		want        []analysis.Warning
	}{
		{"other ranges", "arm reads writes other transactions tps\na 1400. 400. 200. 100. 1.\nb 1000. 400. 200. 100. 1.\n", []analysis.Warning{analysis.MixesDiffer{Statement: "reads", Least: 10, Most: 14, Strata: 1}}},
		{"without begin and commit, of one stratum", "arm threads other transactions tps\na 1 200. 100. 1.\nb 1 0. 100. 1.\na 8 200. 100. 1.\nb 8 200. 100. 1.\n",
			[]analysis.Warning{analysis.MixesDiffer{Statement: "other", Least: 0, Most: 2, Stratum: "1 thread", Strata: 1}}},
		{"rolled back", "arm reads writes transactions tps\na 1400. 400. 100. 1.\nb 1500. 440. 100. 1.\n", nil},
		{"at the threshold", "arm reads transactions tps\na 1000. 1000. 1.\nb 1300. 1000. 1.\n", nil},
		{"above it", "arm reads transactions tps\na 1000. 1000. 1.\nb 1301. 1000. 1.\n", []analysis.Warning{analysis.MixesDiffer{Statement: "reads", Least: 1, Most: 1.301, Strata: 1}}},
		{"tests in strata of their own", "arm workload reads transactions tps\na x 1000. 100. 1.\nb x 1000. 100. 1.\na y 1400. 100. 1.\nb y 1400. 100. 1.\n", nil},
		{"no transactions", "arm reads transactions tps\na 1400. 0. 1.\nb 10. 100. 1.\n", nil},
		{"tests that no log tells apart", "arm workload tps\na update_or_insert 1.\nb update_or_insert 1.\n", []analysis.Warning{analysis.WorkloadsAlike{Workload: datasets.UpdateOrInsert, Runs: 2}}},
	} {
		runs, columns := rows(t, c.table)
		for i := range runs {
			runs[i].Workload = strings.ReplaceAll(runs[i].Workload, "_", " ")
		}
		_, _, warnings, err := Analyse(runs, columns, Options{})
		if err != nil || !slices.Equal(warnings, c.want) {
			t.Errorf("%s: %v, %v", c.name, err, warnings)
		}
	}
}

// The throughput of runs that kept their rate is the rate.
func TestRateKept(t *testing.T) {
	for _, c := range []struct {
		name, table string
		want        []analysis.Warning
	}{
		{"kept", "arm rate tps\na 500 501.\nb 500 499.\na 900 900.\nb 900 901.\n", []analysis.Warning{analysis.RateKept{Rate: 500, Stratum: "rate 500", Strata: 2}}},
		{"kept by one arm", "arm rate tps\na 500 501.\nb 500 420.\n", nil},
		{"no rate", "arm tps\na 500.\nb 500.\n", nil},
	} {
		runs, columns := rows(t, c.table)
		_, _, warnings, err := Analyse(runs, columns, Options{})
		if err != nil || !slices.Equal(warnings, c.want) {
			t.Errorf("%s: %v, %v", c.name, err, warnings)
		}
	}
}

// A column server that names the base is what is compared, and no machine.
func TestServersThatAreArms(t *testing.T) {
	if d, _, _ := analyse(t, "server tps\nbase 1.\npatched 1.\nbase 2.\npatched 2.\n", Options{}); d.By != "server" || d.Base != "base" {
		t.Errorf("by %q, base %q", d.By, d.Base)
	}
	if d, _, _ := analyse(t, "server tps\nx1 1.\nx2 1.\nx1 2.\nx2 2.\n", Options{}); d.By != "" {
		t.Errorf("by %q", d.By)
	}
}

package sysbench

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
)

// A text that ends anywhere yields a part of what the whole text yields, and no
// number that the whole text does not have.
func TestCutAtEveryByte(t *testing.T) {
	for name, text := range map[string]string{
		"1.0":        oltp(8, 12),
		"three runs": complete10 + logFatal + log11,
		"0.5":        log05 + log05,
		"0.4":        log0412 + log04File,
		"0.4 memory": log04Memory,
		"cpu":        logCPU,
		"fileio":     logFileio,
		"memory":     logMemory,
		"checkpoint": logCheckpoint,
		"rate":       logRate,
		"blog":       pgo(30, 28, "transactions: 56068 (186.89 per sec.)"),
		"tail":       started10 + strings.ReplaceAll(two, "reconn/s: 0.00", "reconn/s: 10.00 no: 12.00 pt: 13.00"),
		"CR":         strings.ReplaceAll(complete10, "\n", "\r"),
		"ts":         mapped(complete10, func(l string) string { return "2026-01-31 12:00:01 " + l }),
		"echo":       "sysbench oltp_read_write --tables=10 --time=300 run\n" + complete10,
	} {
		whole := scanText(t, text)
		for end := range len(text) {
			got := scanText(t, text[:end])
			if err := partOf(got, whole); err != "" {
				t.Fatalf("%s, cut behind %q: %s", name, text[max(0, end-60):end], err)
			}
		}
	}
}

// partOf says what the runs of a cut text have that those of the whole text do
// not.
func partOf(cut, whole result) string {
	if len(cut.runs) > len(whole.runs) {
		return fmt.Sprintf("%d runs of %d", len(cut.runs), len(whole.runs))
	}
	for i, r := range cut.runs {
		of := whole.runs[i]
		last := i == len(cut.runs)-1
		switch {
		case r.FirstLine != of.FirstLine || r.LastLine > of.LastLine || r.Part != of.Part:
			return fmt.Sprintf("run %d has lines %d..%d, not %d..%d", i, r.FirstLine, r.LastLine, of.FirstLine, of.LastLine)
		case !last && dump(r) != dump(of):
			return fmt.Sprintf("run %d, before the cut, is %s", i, dump(r))
		case r.Status == datasets.Complete && dump(r) != dump(of):
			return fmt.Sprintf("run %d is complete as %s", i, dump(r))
		case r.Threads != of.Threads && r.Threads != 0, r.Version != of.Version && r.Version != "", !strings.HasPrefix(of.Workload, r.Workload):
			return fmt.Sprintf("run %d is %s", i, dump(r))
		case r.Intervals.Len() > of.Intervals.Len() || len(r.Buckets) > len(of.Buckets):
			return fmt.Sprintf("run %d has %d intervals", i, r.Intervals.Len())
		case !slices.Equal(r.Buckets, of.Buckets[:len(r.Buckets)]):
			return fmt.Sprintf("run %d has buckets %v", i, r.Buckets)
		}
		for name, v := range r.Metrics {
			if w, ok := of.Metrics[name]; !ok || v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
				return fmt.Sprintf("run %d: %s is %v, not %v", i, name, v, w)
			}
		}
		for name, v := range r.Options {
			if w := of.Options[name]; v != w {
				return fmt.Sprintf("run %d: %s is %v, not %v", i, name, v, w)
			}
		}
		for k, iv := range r.Intervals.Rows() {
			got, want := show(iv), show(of.Intervals.At(k))
			// The queue length stands in a line of its own behind the report line.
			if got != want && !strings.HasPrefix(want, got+" queue=") {
				return fmt.Sprintf("run %d: interval %s, not %s", i, got, want)
			}
		}
	}
	return ""
}

// What stands behind the cut does not make the cut number whole.
func TestCutAndContinued(t *testing.T) {
	text := oltp(8, 5)
	whole := scanText(t, text)
	for end := 1; end < len(text); end++ {
		for _, behind := range []string{"\x00\x00\x00\x00\n", complete10} {
			got := scanText(t, text[:end]+behind)
			if n := len(got.runs); n > 0 && behind == complete10 {
				got.runs = got.runs[:n-1] // the run behind
			}
			for i, r := range got.runs {
				for name, v := range r.Metrics {
					if i == 0 && v != whole.runs[0].Metrics[name] {
						t.Fatalf("cut behind %q, then %q: %s is %v", text[max(0, end-60):end], behind[:4], name, v)
					}
				}
				if i == 0 && r.Intervals.Len() > 5 {
					t.Fatalf("cut behind %q, then %q: %d intervals", text[max(0, end-60):end], behind[:4], r.Intervals.Len())
				}
			}
		}
	}
}

func TestProblems(t *testing.T) {
	iv := func(t int) string {
		return fmt.Sprintf("[ %ds ] thds: 4 tps: 1000.00 qps: 20000.00 (r/w/o: 14000.00/4000.00/2000.00) lat (ms,95%%): 25.74 err/s: 2.00 reconn/s: 0.00\n", t)
	}
	ivs := func(times ...int) string {
		var b strings.Builder
		for _, t := range times {
			b.WriteString(iv(t))
		}
		return b.String()
	}
	of := func(old, new string) string { return strings.Replace(complete10, old, new, 1) }
	ten := strings.Replace(started10, "every 1 second", "every 10 second", 1)
	for _, c := range []struct {
		name, text string
		want       []string // "line kind count: text"
	}{
		{"a gap", started10 + ivs(1, 2, 5, 6), []string{"15 intervals-missing 1: intervals 3..4 missing"}},
		{"a gap of one", started10 + ivs(1, 2, 4), []string{"15 intervals-missing 1: interval 3 missing"}},
		{"two gaps", started10 + ivs(1, 3, 4, 9), []string{"14 intervals-missing 2: interval 2 missing"}},
		{"a gap at the start", started10 + ivs(4, 5), []string{"13 intervals-missing 1: intervals 1..3 missing"}},
		{"a gap at the end", started10 + ivs(1, 2) + strings.Replace(summary10, "2.0010s", "9.0010s", 1),
			[]string{"1 rate-disagrees 2: 2000 transactions in 9.001 s are 222.20 per s, the log says 999.50", "14 intervals-missing 1: intervals 3..9 missing"}},
		{"a step of ten", ten + ivs(10, 20, 50), []string{"15 intervals-missing 1: intervals 30..40 missing"}},
		{"rounded times", ten + ivs(10, 21, 30, 40), nil},
		{"a gap without header", ivs(322, 324, 336, 338), []string{"3 intervals-missing 1: intervals 326..334 missing"}},
		{"a marked gap", started10 + ivs(1, 2) + "...\n" + ivs(5), []string{"15 intervals-missing 1: intervals 3..4 missing"}},
		{"[snip]", started10 + ivs(1, 2) + "[snip]\n" + ivs(5), []string{"15 intervals-missing 1: intervals 3..4 missing"}},
		{"a mark, no gap", started10 + ivs(1, 2) + "...\n" + ivs(3), []string{"15 text-cut 1: ..."}},
		{"a mark at the end", started10 + ivs(1, 2) + "...\n", []string{"15 text-cut 1: ..."}},
		{"a mark in prose", "prose...\n...\n", []string{"1 foreign-line 1: prose..."}},
		{"repeated", started10 + ivs(1, 2, 2, 2, 3), []string{"15 intervals-repeated 2: interval 2 stands more than once"}},
		{"backwards", started10 + ivs(1, 2, 3, 2, 3), []string{"16 intervals-backwards 1: interval 2 comes after interval 3"}},
		{"totals", of("transactions:                        2000   (999.50", "transactions:                        2100   (1049.48"),
			[]string{"1 totals-disagree 1: the report lines add up to 2000 in 2 s, the summary says 2100 in 2.001 s"}},
		{"rate", of("(999.50", "(999.00"), nil},
		{"rate wrong", of("(999.50", "(900.00"), []string{"1 rate-disagrees 1: 2000 transactions in 2.001 s are 999.50 per s, the log says 900.00"}},
		{"percentile", of("58.78", "20.00"), []string{"1 percentile-above-max 1: latency_p95 is 0.02574 s, latency_max 0.02 s"}},
		{"32 bits", of("28000", "-28000"), []string{"17 counter-wrapped 1: read: -28000"}},
		{"64 bits", of("     1.59", "18446744073709.55"), []string{"31 counter-wrapped 1: min: 18446744073709.55"}},
		{"prose", "a\n\n" + complete10 + "b\nc\n", []string{"1 foreign-line 3: a"}},
		{"rulers", "----\n====\n```\n" + complete10 + "******\n", nil},
		{"NUL", started10 + iv(1) + iv(2)[:20] + "\x00\x00\x00\x00\x00", []string{"14 nul-bytes 1:", "14 torn-line 1: [ 2s ] thds: 4 tps:"}},
		{"torn", started10 + iv(1) + iv(2)[:20], []string{"14 torn-line 1: [ 2s ] thds: 4 tps:"}},
		{"glued", started10 + iv(1) + iv(2)[:22] + complete10, []string{"14 torn-line 1: [ 2s ] thds: 4 tps: 10"}},
		{"fatal", logFatal, []string{"14 fatal 3: FATAL: mysql_drv_query() returned error 1053 (Server shutdown in progress) for query 'SELECT d_next_o_id, d_tax"}},
		{"refused", logRefused, []string{"11 fatal 4: FATAL: unable to connect to MySQL server on host 'db1', port 3306, aborting..."}},
		{"a query without end", started10 + "FATAL: mysql_drv_query() returned error 1053 (x) for query 'SELECT\nFROM x\nWHERE\n" + iv(1) + "prose\n",
			[]string{"13 fatal 1: FATAL: mysql_drv_query() returned error 1053 (x) for query 'SELECT", "17 foreign-line 1: prose"}},
		{"0.4", started10 + "ALERT: failed to execute MySQL query: `SELECT c FROM sbtest WHERE id=5045`:\nALERT: Error 1213 Deadlock found\n" + two + summary10,
			[]string{"13 alert 2: ALERT: failed to execute MySQL query: `SELECT c FROM sbtest WHERE id=5045`:"}},
		{"warning", "WARNING: --num-threads is deprecated, use --threads instead\n" + complete10, []string{"1 warning 1: WARNING: --num-threads is deprecated, use --threads instead"}},
		{"prepare", logPrepare, nil},
		{"file test of 0.4", log04File, nil},
		{"memory test of 0.4", log04Memory, nil},
	} {
		var got []string
		for _, p := range scanText(t, c.text).problems {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d %s %d: %s", p.Line, p.Kind, p.Count, strings.Join(strings.Fields(p.Text), " "))))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestImpossibleMetricsAreNaN(t *testing.T) {
	r, _ := one(t, strings.NewReplacer("28000", "-28000", "     1.59", "18446744073709.55").Replace(complete10))
	for _, name := range []string{"reads", "latency_min", "reads_per_s"} {
		if v, ok := r.Metrics[name]; !ok || !math.IsNaN(v) {
			t.Errorf("%s is %v", name, v)
		}
	}
}

func TestManyGapsAreOneRecord(t *testing.T) {
	var b strings.Builder
	b.WriteString(started10)
	for i := range 10000 {
		intervalLine(&b, 1+2*i, 4)
	}
	got := scanText(t, b.String())
	if len(got.problems) != 1 || got.problems[0].Count != 9999 {
		t.Errorf("%v", got.problems)
	}
}

// No password leaves the scanner.
func TestPasswords(t *testing.T) {
	for _, line := range []string{
		"mysql -uroot -phunter2 -e 'select 1'",
		"mysql -uroot '-phunter2' sbtest",
		"sysbench oltp_read_write --mysql-password=hunter2 run",
		"sysbench oltp_read_write --mysql-password 'hunter2' run",
		"sysbench --pgsql-password='hunter2 hunter2' oltp_read_write run",
		`run.sh "--mysql-password=hunter2 hunter2" now`,
		`  --mysql-password="hunter2" \`,
		"export MYSQL_PWD=hunter2",
		"PGPASSWORD=hunter2 psql",
		`{"user": "root", "password": "hunter2"}`,
		"password: hunter2",
		"Password : 'hunter2'",
		"CREATE USER x IDENTIFIED BY 'hunter2'",
		"CREATE USER x IDENTIFIED WITH mysql_native_password AS 'hunter2'",
		"connecting to mysql://root:hunter2@db1:3306/sbtest",
		"dsn root:hunter2@tcp(db1:3306)/sbtest",
		"sshpass -p hunter2 ssh db1",
		"api-key=hunter2 token: hunter2 secret=hunter2",
		"--mysql-password=hun'ter2'hunter2",
		"FATAL: cannot connect with --mysql-password=hunter2",
		"WARNING: --mysql-password=hunter2 is deprecated",
		"[ 1s ] thds: 8 password=hunter2",
		strings.Repeat("x", 150) + " --mysql-password=" + strings.Repeat("hunter2", 20),
		strings.Repeat("--mysql-password=hunter2 ", 5000),
	} {
		for _, text := range []string{line, line + "\n" + complete10, started10 + line + "\n", started10 + line, "2026-01-31 12:00:01 " + line + "\n"} {
			got := scanText(t, text)
			all := fmt.Sprint(got.problems)
			for _, r := range got.runs {
				all += dump(r)
			}
			if strings.Contains(all, "hunter2") || strings.Contains(all, "ter2") {
				t.Errorf("%q: the password came out: %s", line[:min(len(line), 100)], all)
			}
		}
	}
	const useful = "FATAL: error 1045: Access denied for user 'x'@'y' (using password: NO)"
	if got := lines.Presentable(useful); got != useful {
		t.Errorf("%q became %q", useful, got)
	}
}

func TestPresentable(t *testing.T) {
	for _, c := range [][2]string{
		{"a\tb\x1b[1mc\x00", "a bc "},
		{"\xff\xfeab", "?ab"},
		{strings.Repeat("ä", 200), strings.Repeat("ä", 98) + "..."},
	} {
		got := lines.Presentable(c[0])
		if got != c[1] || len(got) > lines.MaxText {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}

// The hash is that of the bytes between the first and the last line of the run,
// whatever is between them and however far apart they are: what
// sed -n 'first,lastp' and sha256sum give, but for the last line end.
func TestHash(t *testing.T) {
	noise := strings.Repeat("a line of something else, as long as lines are in this world\n", 20000)
	text := noise + oltp(1, 20000) + noise + complete10 + noise + strings.Replace(complete10, "General statistics:", noise+"General statistics:", 1) +
		noise + logFatal + noise + oltp(2, 8000) + "\n" + noise
	all := strings.Split(text, "\n")
	for _, size := range []int{1 << 30, 4096, 333} {
		got, err := scanFrom(&slow{strings.NewReader(text), size})
		if err != nil || len(got.runs) != 5 {
			t.Fatalf("%d runs, %v", len(got.runs), err)
		}
		for _, r := range got.runs {
			want := sha256.Sum256([]byte(strings.Join(all[r.FirstLine-1:r.LastLine], "\n")))
			if r.Hash != want {
				t.Errorf("run %d, lines %d..%d, read in pieces of %d: another hash", r.Part, r.FirstLine, r.LastLine, size)
			}
		}
	}
}

type slow struct {
	in   io.Reader
	size int
}

func (s *slow) Read(b []byte) (int, error) { return s.in.Read(b[:min(len(b), s.size)]) }

// A log that grew keeps the hashes of the runs it had.
func TestGrownLog(t *testing.T) {
	before := scanText(t, complete10+logRefused)
	after := scanText(t, complete10+logRefused+oltp(8, 10))
	for i, r := range before.runs {
		if r.Hash != after.runs[i].Hash {
			t.Errorf("run %d has another hash", i)
		}
	}
}

func TestChunks(t *testing.T) {
	const rows = 150000
	text := complete10 + oltp(8, rows) + complete10
	var parts []int
	var times []float64
	collect := func(part int, rows *datasets.Intervals) {
		parts = append(parts, part)
		times = append(times, rows.Columns()[datasets.ColumnT]...)
	}
	var found []string
	s := Scanner{
		Chunk: func(part int, rows *datasets.Intervals) error { collect(part, rows); return nil },
		Found: func(r *Run) error {
			found = append(found, fmt.Sprintf("%d %s %d", r.Part, r.Status, r.Intervals.Len()))
			if r.Part == 2 {
				collect(r.Part, &r.Intervals)
			}
			return nil
		},
		Problem: func(p datasets.Problem) { t.Errorf("problem %v", p) },
	}
	if err := s.Scan(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"1 complete 2", "2 complete 18928", "3 complete 2"}; !slices.Equal(found, want) { // 150000 - 2 x 65536
		t.Errorf("found %q, want %q", found, want)
	}
	if !slices.Equal(parts, []int{2, 2, 2}) || len(times) != rows {
		t.Errorf("chunks of parts %v, %d rows", parts, len(times))
	}
	for i, at := range times {
		if at != float64(i+1) {
			t.Fatalf("row %d is for second %v", i, at)
		}
	}
}

func TestCallerErrors(t *testing.T) {
	full := fmt.Errorf("the disk is full")
	calls := 0
	err := Scan(strings.NewReader(complete10+complete10), func(*Run) error { calls++; return full }, nil)
	if err != full || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	s := Scanner{Chunk: func(int, *datasets.Intervals) error { return full }}
	if err := s.Scan(strings.NewReader(oltp(8, 70000))); err != full {
		t.Errorf("error %v", err)
	}
	if err := Scan(strings.NewReader(complete10), nil, nil); err != nil {
		t.Errorf("without callbacks: %v", err)
	}
}

// A line of 100 MB is cut, named, and what follows is read.
func TestEndlessLine(t *testing.T) {
	for _, b := range []byte{'x', 0} {
		in := io.MultiReader(strings.NewReader(complete10), io.LimitReader(same(b), 100<<20), strings.NewReader("\n"+complete10))
		got, err := scanFrom(in)
		if err != nil || statuses(got) != "complete/2 complete/2" {
			t.Fatalf("%q: %s, %v", b, statuses(got), err)
		}
		if len(got.problems) != 1 || got.problems[0].Kind != KindLong || len(got.problems[0].Text) > lines.MaxText {
			t.Errorf("%q: problems %v", b, got.problems)
		}
	}
}

// same is an endless text of one byte.
type same byte

func (s same) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(s)
	}
	return len(b), nil
}

// Lines just as long as is allowed, and one byte longer.
func TestLongestLine(t *testing.T) {
	for _, n := range []int{lines.MaxLine - 1, lines.MaxLine, lines.MaxLine + 1, lines.MaxLine + 2} {
		for _, end := range []string{"\n", "\r\n", "\r", ""} {
			text := []byte(strings.Repeat("x", n) + end)
			kind := KindForeign
			if n > lines.MaxLine {
				kind = KindLong
			}
			for _, in := range []io.Reader{bytes.NewReader(text), &slow{bytes.NewReader(text), 1000}} {
				got, _ := scanFrom(in)
				if len(got.problems) != 1 || got.problems[0].Kind != kind {
					t.Errorf("%d bytes and %q: %v", n, end, got.problems)
				}
			}
		}
	}
}

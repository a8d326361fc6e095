package table

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// read sniffs, studies and reads a table.
func read(t *testing.T, text []byte) (Schema, []*datasets.Run, []datasets.Problem) {
	t.Helper()
	d, ok := Sniff(text, true)
	if !ok {
		t.Fatalf("not taken for a table: %.60q", text)
	}
	all, err := Study(bytes.NewReader(text), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if usable, _ := all.Usable(); len(usable) > 0 {
		all = usable
	}
	var runs []*datasets.Run
	var problems []datasets.Problem
	err = all.Read(bytes.NewReader(text), time.UTC, func(r *datasets.Run, _ int, _ *Inside) error { runs = append(runs, r); return nil },
		func(p datasets.Problem) { problems = append(problems, p) })
	if err != nil {
		t.Fatal(err)
	}
	return all[0], runs, problems
}

// columns is the schema in short: m tps, f arm, b day.
func columns(s Schema) string {
	var parts []string
	for _, c := range s.Columns {
		parts = append(parts, map[Use]string{Metric: "m ", Factor: "f ", Builtin: "b ", Secret: "secret ", Clock: "clock "}[c.Use]+c.Name)
	}
	return strings.Join(parts, ", ")
}

func checkColumns(t *testing.T, text, want string) (Schema, []*datasets.Run, []datasets.Problem) {
	t.Helper()
	s, runs, problems := read(t, []byte(text))
	if got := columns(s); got != want {
		t.Errorf("%.60q:\ngot  %s\nwant %s", text, got, want)
	}
	return s, runs, problems
}

func TestRoles(t *testing.T) {
	// A load test as people keep it: one row a run, microseconds in the heading, an empty day.
	s, runs, problems := checkColumns(t, "group,day,instance,qps,queries,p99_us,avg_us\nw,d1,l2,8554,15398029,4730,2340\nw,d1,l2,8459,15226641,4490,2370\nw,d1,l2,8460,15228216,4320,2360\n"+
		"a,d2,l2,9118,16412667,4600,2090\na,d3,l2,8450,15210198,4440,2360\ns,,l2,8450,15210198,4440,2360\ns,,l4,9233,16618969,3150,2060\n",
		"f group, b day, f instance, m qps, m queries, m latency_p99, m latency_avg")
	if len(runs) != 7 || len(problems) != 0 || s.Rows != 7 {
		t.Errorf("%d runs, %v", len(runs), problems)
	}
	if r := runs[0]; r.Day != "d1" || r.Metrics["qps"] != 8554 || math.Abs(r.Metrics["latency_p99"]-.00473) > 1e-15 || r.Factors["instance"] != datasets.Text("l2") || r.Status != datasets.Complete {
		t.Errorf("first row: %+v", r)
	}
	if runs[5].Day != "" {
		t.Errorf("an empty cell is no value: %q", runs[5].Day)
	}
	// Size against time, two systems.
	_, runs, _ = checkColumns(t, "entries,system,seconds_per_100k\n2,h,1.516\n2,d,4.8\n102,h,2.6\n102,d,4.9\n252,h,4.4\n252,d,4.9\n", "f entries, f system, m "+heading("seconds_per_100k"))
	if runs[0].Factors["entries"] != datasets.Int(2) {
		t.Errorf("entries: %v", runs[0].Factors["entries"])
	}
	// Known by name although every number differs; rising whole numbers although the name says nothing.
	checkColumns(t, "processors,throughput\n1,20\n4,78\n8,130\n12,170\n", "f processors, m throughput")
	checkColumns(t, "load,throughput\n1,64.9\n18,995.9\n36,1652.4\n", "f load, m throughput")
	// Quoted numbers, a built-in day, replicates, one measurement without a known name.
	_, runs, _ = checkColumns(t, "\"day\",\"run\",\"y\"\n\"1\",\"1\",24.1042125\n\"1\",\"2\",26.6786326\n\"2\",\"1\",25.5\n", "b day, f run, m y")
	if runs[1].Day != "1" || runs[1].Factors["run"] != datasets.Int(2) {
		t.Errorf("second row: %+v", runs[1])
	}
	// Whole numbers that repeat are a factor, unless nothing else was measured.
	var wide strings.Builder
	wide.WriteString("diameter,plate,sample\n")
	for i := range 24 {
		fmt.Fprintf(&wide, "%d,%c,%c\n", 20+i*7%5, 'a'+i/6, 'A'+i%6)
	}
	checkColumns(t, wide.String(), "m diameter, f plate, f sample")
	checkColumns(t, "Batch,Yield\nA,1545\nA,1440\nB,1540\nB,1555\nC,1595\nC,1550\n", "f batch, m yield")
	// Built-in columns by the other words people use, and a clash.
	_, runs, _ = checkColumns(t, "threads,hostname,started,version,tps,nthreads\n8,db1,2026-01-31 10:00:00,9.10,100.5,8\n16,db1,2026-01-31 11:00:00,9.9,180.5,16\n",
		"b threads, b host, b started_at, f version, m tps, f nthreads")
	if r := runs[0]; r.Threads != 8 || r.Host != "db1" || r.Factors["version"] != datasets.Text("9.10") || !r.Started.Equal(time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("built-in: %+v", r)
	}
}

// A separator at the end of the heading row alone.
func TestHeadingsEndInASeparator(t *testing.T) {
	_, runs, problems := checkColumns(t, "workload,threads,tps,\nro,1,100.5\nro,2,190.25\n", "b workload, b threads, m tps, f column4")
	if len(runs) != 2 || len(problems) > 0 {
		t.Errorf("%d runs, %v", len(runs), problems)
	}
}

// A time column with nights between the rows says when each run began.
func TestTimesOfRuns(t *testing.T) {
	var b strings.Builder
	b.WriteString("time,commit,score\n")
	for i := range 20 {
		fmt.Fprintf(&b, "2026.01.%02d 3:00:00 +0100,a%d,%g\n", i+1, i, 100+float64(i*i%7)/8)
	}
	_, runs, _ := checkColumns(t, b.String(), "b started_at, f commit, m score")
	if want := time.Date(2026, 1, 20, 2, 0, 0, 0, time.UTC); len(runs) != 20 || !runs[19].Started.Equal(want) {
		t.Errorf("%d runs, the last at %v", len(runs), runs[len(runs)-1].Started)
	}
	_, runs, _ = checkColumns(t, "time,score\n1609466400,154023.5\n1609552800,138455.5\n1609639200,143112\n", "b started_at, m score")
	if runs[0].Started.Year() != 2021 {
		t.Errorf("epoch: %v", runs[0].Started)
	}
}

// heading is what the unit package makes of a heading.
func heading(h string) string {
	name, _, _, _ := known(h)
	if name == "" {
		return h
	}
	return name
}

func TestIntervalsAreNotRuns(t *testing.T) {
	for _, text := range []string{
		"day,run,interval,tps\nd1,1,1,100.5\nd1,1,2,101.5\n",
		"t_s,tps\n1,100.5\n2,101\n",
		"timestamp,nopm,tpm\n" + stamps(),
		"time,value\n1,23.5\n2,22.5\n3,25.5\n4,24.5\n",
	} {
		s, _, _ := read(t, []byte(text))
		if _, ok := s.Intervals(); !ok {
			t.Errorf("%.50q: taken for runs: %s", text, columns(s))
		}
	}
	for _, text := range []string{ // runs
		"timestamp,tps\n2026-01-31T10:00:00Z,100.5\n2026-01-31T11:00:00Z,101.5\n",
		"timestamp,tps\n1772445600,23.5\n1772449200,22.5\n1772452800,25.5\n1772456400,24.5\n",
		"query,time\nq1,1\nq2,2\nq3,3\nq4,4\n",
		"time,rss\n1.1,23.5\n2.0,22.5\n3.2,25.5\n4.4,24.5\n",
	} {
		s, _, _ := read(t, []byte(text))
		if h, ok := s.Intervals(); ok {
			t.Errorf("%.50q: one row is a run, but %s", text, h)
		}
	}
}

// Exports of a dashboard have a row each 15 s, each minute and so on; runs begin when
// the one before is done.
func TestExportOfADashboard(t *testing.T) {
	for _, c := range []struct {
		step   func(i int) time.Duration
		inside bool
	}{
		{func(int) time.Duration { return time.Minute }, true},
		{func(int) time.Duration { return 15 * time.Second }, true},
		{func(i int) time.Duration { return time.Minute + time.Duration(i%3)*time.Second }, false},
		{func(int) time.Duration { return 5 * time.Minute }, false},
	} {
		text, at := "\"Time\",\"db1 tps\",\"db2 tps\"\n", time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
		for i := range 20 {
			text += fmt.Sprintf("%s,%d.5,%d.5\n", at.Format(time.DateTime), 800+i*i%7, 900+i*i%11)
			at = at.Add(c.step(i))
		}
		if s, _, _ := read(t, []byte(text)); (s.of(Clock) >= 0) != c.inside {
			t.Errorf("%v: %s", c.step(0), columns(s))
		}
	}
}

func TestSamplesAreNotRuns(t *testing.T) {
	rows := func(n int, heading, begin string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%d.5,%d.5\n", begin, 800+i*i%7, 900+i*i%11)
		}
		return heading + b.String()
	}
	for _, c := range []struct {
		text    string
		samples bool
	}{
		{rows(manyRows, "base_tps,new_tps\n", ""), true},
		{rows(manyRows-1, "base_tps,new_tps\n", ""), false},
		{rows(manyRows, "build,base_tps,new_tps\n", "x,"), false},
	} {
		if s, _, _ := read(t, []byte(c.text)); s.Samples() != c.samples {
			t.Errorf("%.50q: %s", c.text, columns(s))
		}
	}
}

func stamps() string {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "%d,%d,%d\n", 1775348319+i, 107760+i*i%7, 220000-i)
	}
	return b.String()
}

func TestDialects(t *testing.T) {
	const semicolon = "Fäden;Durchsatz;tps\n8;1.234,5;100,25\n16;2.345,5;180,5\n"
	const japanese1 = "構成,スレッド数,tps\n基準,8,100.5\n変更,8,101.5\n基準,16,180.5\n変更,16,181.5\n"
	encode := func(e encoding.Encoding, s string) []byte {
		b, err := e.NewEncoder().Bytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	utf16 := func(order unicode.Endianness, bom unicode.BOMPolicy) encoding.Encoding {
		return unicode.UTF16(order, bom)
	}
	for _, c := range []struct {
		what, encoding string
		text           []byte
		comma          bool
		tps            float64 // of the first row
	}{
		{"semicolon", "UTF-8", []byte(semicolon), true, 100.25},
		{"semicolon in Windows encoding", "windows-1252", encode(charmap.Windows1252, semicolon), true, 100.25},
		{"Shift_JIS", "Shift_JIS", encode(japanese.ShiftJIS, japanese1), false, 100.5},
		{"UTF-8 with mark", "UTF-8", append([]byte("\xef\xbb\xbf"), japanese1...), false, 100.5},
		{"UTF-16 little", "UTF-16LE", encode(utf16(unicode.LittleEndian, unicode.UseBOM), japanese1), false, 100.5},
		{"UTF-16 big", "UTF-16BE", encode(utf16(unicode.BigEndian, unicode.UseBOM), japanese1), false, 100.5},
		{"UTF-16 without mark", "UTF-16LE", encode(utf16(unicode.LittleEndian, unicode.IgnoreBOM), "arm,tps\nbase,100.5\nnew,101.5\n"), false, 100.5},
		{"tab", "UTF-8", []byte("arm\ttps\tn\nbase\t100.5\t1\nnew\t101.5\t2\n"), false, 100.5},
		{"tab and grouped thousands", "UTF-8", []byte("arm\ttps\nbase\t1,234\nnew\t2,345\n"), false, 1234},
		{"semicolon and three digits", "UTF-8", []byte("arm;tps\nbase;1,234\nnew;2,345\n"), true, 1.234},
		{"CR LF, comment, quotes", "UTF-8", []byte("# made by hand\r\narm,tps\r\n\"base, old\",\"15,398,029\"\r\nnew,2\r\n"), false, 15398029},
		{"title and note of a spreadsheet", "UTF-8", []byte("\xef\xbb\xbfResults of Q1,,\r\n# machine: db7; 64 cores,,\r\n\"by hand, twice\",,\r\n,,\r\n\r\narm,tps,n\r\nbase,100.5,1\r\nnew,101.5,2\r\n"), false, 100.5},
		{"comma at the line end", "UTF-8", []byte("arm,tps\nbase,100.5,\nnew,101.5,\n"), false, 100.5},
		{"no line end at the end", "UTF-8", []byte("arm,tps\nbase,100.5\nold,99.5\nnew,101.5"), false, 100.5},
	} {
		s, runs, problems := read(t, c.text)
		if s.Dialect.Encoding != c.encoding || s.Dialect.DecimalComma != c.comma || len(problems) != 0 || len(runs) < 2 {
			t.Errorf("%s: %+v, %d runs, problems %v", c.what, s.Dialect, len(runs), problems)
			continue
		}
		if runs[0].Metrics["tps"] != c.tps {
			t.Errorf("%s: tps %v, want %v", c.what, runs[0].Metrics["tps"], c.tps)
		}
	}
}

func TestNotATable(t *testing.T) {
	for _, text := range []string{
		"", "a\n1\n", "Dear all, this is prose\nand it goes on, with commas\nor without\n", "1,2\n3,4\n", "a,a\n1,2\n",
		"a;b;c 12\nd;e;f 3\n", "name,comment\nx,y\nz,w\n", "\x00\x01\x02\x03,\x00\n", "a,b\n",
	} {
		if d, ok := Sniff([]byte(text), true); ok {
			t.Errorf("%.40q: taken for a table, %+v", text, d)
		}
	}
}

func TestBadRows(t *testing.T) {
	_, runs, problems := read(t, []byte("arm,tps,lat_ms\nbase,100.5,3\nnew,101\nnew,oops,4\nbase,\"102,5\narm,tps,lat_ms\nnew,103,5\nnew,,\nnew,104,NA\n"+
		strings.Repeat("new,105,6\n", 30)))
	kinds := map[string]int{}
	for _, p := range problems {
		kinds[p.Kind] = p.Line
	}
	// Lines by hand: 3 has two cells, 4 a word for a number, 5 an open quote, 6 the headings, 8 no number.
	if want := map[string]int{"ragged-row": 3, "bad-cell": 4, "broken-row": 5, "headings-again": 6, "row-without-number": 8}; !maps.Equal(kinds, want) {
		t.Errorf("got %v, want %v", kinds, want)
	}
	if len(runs) != 34 {
		t.Errorf("%d runs, want 34", len(runs))
	}
	if _, ok := runs[1].Metrics["tps"]; ok || len(runs[1].Metrics) != 1 {
		t.Errorf("a bad cell is no value: %v", runs[1].Metrics)
	}
}

func TestSecretColumnIsNotRead(t *testing.T) {
	s, runs, _ := read(t, []byte("arm,password,command,tps\nbase,hunter2,tool --password=hunter2 x,1.5\nnew,hunter2,tool --password=hunter2 y,2.5\n"))
	if columns(s) != "f arm, secret password, f command, m tps" {
		t.Errorf("got %s", columns(s))
	}
	for _, r := range runs {
		for name, v := range r.Factors {
			if strings.Contains(v.String(), "hunter2") {
				t.Errorf("%s: %s", name, v)
			}
		}
	}
}

func TestReaderLines(t *testing.T) {
	r := newReader(strings.NewReader("a,\"b\nc\",d\n\n\"x\"\"y\",z\nlast"), ',')
	var got []string
	for {
		cells, line, err := r.next()
		if err == io.EOF {
			break
		}
		got = append(got, fmt.Sprintf("%d:%q %v", line, cells, err))
	}
	if want := []string{`1:["a" "b\nc" "d"] <nil>`, `4:["x\"y" "z"] <nil>`, `5:["last"] <nil>`}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	r = newReader(strings.NewReader(strings.Repeat("x", 2*maxLine)+"\na,b\n"), ',')
	if _, line, err := r.next(); err != errLong || line != 1 {
		t.Errorf("long line: %d, %v", line, err)
	}
	if cells, line, err := r.next(); err != nil || line != 2 || len(cells) != 2 {
		t.Errorf("behind the long line: %q, %d, %v", cells, line, err)
	}
}

func FuzzTable(f *testing.F) {
	for _, s := range []string{"arm,tps\nbase,1.5\nnew,2\n", "a;b\n1,5;x\n", "\xff\xfea\x00,\x00b\x00\n\x001\x00", "a,b\n\"1,2\n3,4\n", "\x8d\x5c,tps\n1,2\n", "a|b\n1|2\n"} {
		f.Add([]byte(s))
	}
	for _, text := range []string{
		"prose\n\n| build | 1 | 8 |\n|---|---|---|\n| base | 953.1 | **3,120** |\n| patched | 960.4 ± 3 | 1.2k |\n", "+-----+-----+\n| a   | tps |\n+-----+-----+\n| x   | 1 |\n+-----+-----+\n",
		"system      tps     p95 (ms)\n----------  ------  --------\nMySQL 8.0   953.1       1.25\nMySQL 9.7   960.4       1.20\nMariaDB 11  940.0       1.30\n",
		"{\"build\": \"base\", \"tps\": 953.2, \"latency\": {\"p95_ms\": 12.3}}\n{\"tps\": 1}\n", "[{\"build\": \"base\", \"tps\": 953.2},\n{\"tps\": [1, {}]}]", "threads,8.0.42,9.7.0\n1,953,960\n8,3120,3150\n",
		"threads\tglibc ktps\tjemalloc ktps\n1\t0.953\t1m2.5s\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, ok := Sniff(data, true)
		if !ok {
			return
		}
		s, err := Study(bytes.NewReader(data), d, nil)
		if err != nil {
			return
		}
		line := 0
		rows := 0
		for _, table := range s {
			rows += table.Rows * table.perRow()
		}
		err = s.Read(bytes.NewReader(data), time.UTC, func(r *datasets.Run, number int, _ *Inside) error {
			if number < 1 || number > rows {
				t.Fatalf("row %d of %d", number, rows)
			}
			return nil
		}, func(p datasets.Problem) {
			if p.Line < line || p.Line < 1 {
				t.Fatalf("line %d after %d", p.Line, line)
			}
			line = p.Line
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestNamesGiven(t *testing.T) {
	text := []byte("#,P[us],Total,junk\n8,1500,100.5,1.5\n16,2500,180.5,2.5\n")
	d, ok := Sniff(text, true)
	if !ok {
		t.Fatal("# is a heading where a separator follows")
	}
	all, err := Study(bytes.NewReader(text), d, map[string]string{"#": "threads", "P[us]": "latency_p95", "total": "tps", "junk": ""})
	if err != nil {
		t.Fatal(err)
	}
	s := all[0]
	if len(s.Columns) != 4 || s.Columns[0].Name != "threads" || s.Columns[0].Use != Builtin || s.Columns[1].Name != "latency_p95" || s.Columns[1].Scale != 1e-6 ||
		s.Columns[2].Name != "tps" || s.Columns[2].Unit.Name != "1/s" || s.Columns[3].Use != Left {
		t.Errorf("got %+v", s.Columns)
	}
}

func TestRulesOfEveryScanner(t *testing.T) {
	const text = "arm,day,note,tps\nbase,d1,\"a, \"\"b\"\"\",100.5\nnew,d1,x\nnew,d2,\"open,101.5\nnew,d2,y,oops\nnew,d3,z,102.5\n" + "new,d3,z,102.5\nnew,d3,z,1.5\nnew,d3,z,2.5\nnew,d3,z,3.5\nnew,d3,z,4.5\nnew,d3,z,5.5\nnew,d3,z,6.5\n"
	s, _, _ := read(t, []byte(text))
	scantest.Check(t, func(in io.Reader) (found []scantest.Record, err error) {
		line := 0
		err = s.Read(in, time.UTC, func(r *datasets.Run, number int) error {
			found = append(found, scantest.Record{Line: line, Text: fmt.Sprintf("%d %v %v %s", number, r.Factors, r.Metrics, r.Day)})
			return nil
		}, func(p datasets.Problem) {
			line = p.Line
			found = append(found, scantest.Record{Line: line, Text: p.Kind + p.Text})
		})
		return found, err
	}, text, "", "arm,day,note,tps\n", "arm,day,note,tps\r\nx,d1,,1\r\n")
}

// One cell that tells day from month tells for the column, else a guess is said.
func TestDatesOfAColumn(t *testing.T) {
	for text, want := range map[string]string{
		"12/03/2026,1\n13/03/2026,2\n":               "2026-03-12 2026-03-13",
		"03/12/2026,1\n03/13/2026,2\n":               "2026-03-12 2026-03-13",
		"12/03/2026 10:00:00,1\n13/03/2026,2\n":      "2026-03-12 2026-03-13",
		"12/03/2026,1\n11/03/2026,2\n":               "2026-03-12 2026-03-11 a guess",
		"02.03.26,1\n14.03.26,2\n":                   "2026-03-02 2026-03-14",
		"3/2/26 9:05,1\n3/14/26,2\n":                 "2026-03-02 2026-03-14",
		"26-03-02,1\n26-03-14,2\n":                   "2026-03-02 2026-03-14",
		"12/03/2026,1\n13/03/2026,2\n03/13/2026,3\n": " 2026-03-13 2026-03-13", // both orders: the first stays open
	} {
		schema, runs, _ := read(t, []byte("date,tps\n"+text))
		var days []string
		for _, r := range runs {
			days = append(days, r.Day)
		}
		if strings.Contains(schema.String(), "a guess") {
			days = append(days, "a guess")
		}
		if got := strings.Join(days, " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Whole statements as names of queries are kept by how they begin, and apart.
func TestLongTexts(t *testing.T) {
	long := "SELECT a, b\n  FROM " + strings.Repeat("t, ", 60)
	_, runs, problems := read(t, []byte(fmt.Sprintf("query,elapsed_s\n\"%su\",1\n\"%sv\",2\n\"%su\",3\nSELECT 1,4\n", long, long, long)))
	if len(runs) != 4 || len(problems) != 1 || problems[0].Kind != "long-text" || problems[0].Count != 3 {
		t.Fatalf("%d runs, problems %v", len(runs), problems)
	}
	a, b, c, d := runs[0].Factors["query"].String(), runs[1].Factors["query"].String(), runs[2].Factors["query"].String(), runs[3].Factors["query"].String()
	if a == b || a != c || len(a) > 70 || !strings.HasPrefix(a, "SELECT a, b FROM t, t,") || d != "SELECT 1" {
		t.Errorf("%q, %q, %q, %q", a, b, c, d)
	}
}

func TestSummaryRows(t *testing.T) {
	_, runs, problems := read(t, []byte("build,run,tps\nbase,1,100.5\nbase,2,101.5\nbase,Avg.,101\nnew,1,102.5\nnew,2,103.5\nnew,avg,103\n"))
	if len(runs) != 4 || len(problems) != 1 || problems[0].Kind != "summary-row" || problems[0].Line != 4 || problems[0].Count != 2 {
		t.Errorf("%d runs, problems %v", len(runs), problems)
	}
	_, runs, problems = read(t, []byte("query,execution_time\nq1,1.5\nq2,2.5\nTotal Time Taken - ,4.0\nGeomean,1.9\ntotal_orders,3.5\n"))
	if len(runs) != 3 || len(problems) != 1 || problems[0].Kind != "summary-row" || problems[0].Count != 2 {
		t.Errorf("%d runs, problems %v", len(runs), problems)
	}
	// Where a column says which statistic a row is, its rows stay.
	if _, runs, _ := read(t, []byte("build,statistic,tps\nbase,mean,100.5\nbase,median,101.5\nnew,mean,102.5\n")); len(runs) != 3 {
		t.Errorf("%d runs", len(runs))
	}
}

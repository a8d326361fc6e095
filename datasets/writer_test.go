package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"noisefloor/datasets/unit"
)

func TestOpenRefuses(t *testing.T) {
	refuse := func(what, manifest string, want error) {
		t.Helper()
		dir := t.TempDir()
		if manifest != "" {
			noError(t, os.WriteFile(filepath.Join(dir, manifestFile), []byte(manifest), 0o666))
		}
		if _, err := Open(dir); !errors.Is(err, want) {
			t.Errorf("%s: Open says %v, want %v", what, err, want)
		}
		if manifest == "" {
			return // a writer begins a data set there
		}
		w, err := OpenWriter(dir)
		if !errors.Is(err, want) {
			t.Errorf("%s: OpenWriter says %v, want %v", what, err, want)
		}
		if w != nil {
			w.Close()
		}
		wantSame(t, what, manifestBytes(t, dir), manifest) // nothing was overwritten
	}
	refuse("empty folder", "", ErrNotDataset)
	refuse("no JSON", "hello", ErrNotDataset)
	refuse("other JSON", `{"name": "x"}`, ErrNotDataset)
	refuse("other schema", `{"schema": "other/1"}`, ErrNotDataset)
	refuse("newer", `{"schema": "noisefloor/2", "tables": []}`, ErrNewerSchema)
	refuse("much newer", `{"schema": "noisefloor/next"}`, ErrNewerSchema)
	if _, err := Open(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, ErrNotDataset) {
		t.Errorf("missing folder: %v", err)
	}
	dir := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, manifestFile), []byte(`{"schema": "noisefloor/1", "tables": {"runs": {"parts": [{"file": "../x.arrow"}]}}}`), 0o666))
	_, err := Open(dir)
	contains(t, err, "outside the folder")
}

// A data set folder may hold a README and raw logs, before and after.
func TestOtherFilesStay(t *testing.T) {
	dir := t.TempDir()
	noError(t, os.MkdirAll(filepath.Join(dir, "raw"), 0o777))
	noError(t, os.MkdirAll(filepath.Join(dir, "runs"), 0o777))
	others := []string{"README.md", "raw/1.tar.xz", "runs/notes.arrow", "runs/README"}
	for _, name := range others {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666))
	}
	addTo(t, dir, testBatch("a.log", 1))
	left := []string{"runs/0123456789abcdef.arrow", "intervals/fedcba9876543210.arrow", ".noisefloor-77-1.tmp"}
	for _, name := range left { // of a writer that was killed
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o666))
	}
	wantSame(t, "runs with leftovers", len(readAll(t, dir).Runs), 1)
	addTo(t, dir, testBatch("b.log", 1))
	files := filesOf(t, dir)
	for _, name := range others {
		if !slices.Contains(files, name) {
			t.Errorf("%s is gone", name)
		}
	}
	for _, name := range left {
		if slices.Contains(files, name) {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestEmptyDataSet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	addTo(t, dir)
	wantSame(t, "content", readAll(t, dir), content{})
}

func TestCloseCommitsNothing(t *testing.T) {
	dir := t.TempDir()
	addTo(t, dir, testBatch("a.log", 1))
	before := manifestBytes(t, dir)
	w := must(OpenWriter(dir))(t)
	noError(t, w.Add(testBatch("b.log", 2)))
	if !w.HasRun("b.log#1") || !w.HasRun("a.log#1") || w.HasRun("c.log#1") {
		t.Error("HasRun knows committed and staged runs, and no others")
	}
	if s, ok := w.SourceAt("b.log"); !ok || s.SHA256 != "sha of b.log" {
		t.Errorf("SourceAt of a staged source: %v %v", s, ok)
	}
	noError(t, w.Close())
	noError(t, w.Close())
	wantSame(t, manifestFile, manifestBytes(t, dir), before)
	onlyListed(t, dir)
	contains(t, w.Add(testBatch("b.log", 2)), "closed")
	contains(t, w.Commit(), "closed")
}

func TestTwiceIsOnce(t *testing.T) {
	dir := t.TempDir()
	a, b := testBatch("a.log", 3), testBatch("b.log", 2)
	addTo(t, dir, a, b)
	before, rows := manifestBytes(t, dir), readAll(t, dir)
	addTo(t, dir, a, b)                  // another writer
	addTo(t, dir, b, a, a, b, a)         // in another order, several times
	addTo(t, dir)                        // nothing
	addTo(t, dir, testBatch("b.log", 1)) // fewer runs of a source than before: a grown file adds only its new runs
	addTo(t, dir, a, b)
	wantSame(t, manifestFile, manifestBytes(t, dir), before)
	wantSame(t, "rows", readAll(t, dir), rows)

	other := t.TempDir() // the same rows give the same bytes elsewhere
	addTo(t, other, a, b)
	wantSame(t, manifestFile, manifestBytes(t, other), before)
	onlyListed(t, dir)
}

func TestColumnsTravel(t *testing.T) {
	dir := t.TempDir()
	b := testBatch("a.log", 1)
	b.Columns = []Column{
		{Name: "version", Kind: TextKind, Role: Factor, Guess: "path segment 1"},
		{Name: "rep", Kind: IntKind, Role: Factor},
		{Name: "kernel", Kind: TextKind, Role: Condition, Guess: "metadata"},
		{Name: "cost", Role: Metric, Unit: unit.Unit{Name: "EUR", Better: unit.Lower}},
		{Name: "nobody_has_it", Kind: TextKind, Role: Factor},
	}
	b.Runs[0].Factors["kernel"] = Text("6.1")
	b.Runs[0].Factors["numa"] = Bool(true) // not declared
	b.Runs[0].Metrics["cost"] = 3
	addTo(t, dir, b)
	wantSame(t, "columns", readAll(t, dir).Columns, []Column{ // metrics first
		{Name: "cost", Kind: FloatKind, Role: Metric, Unit: unit.Unit{Name: "EUR", Better: unit.Lower}},
		{Name: "latency_p95", Kind: FloatKind, Role: Metric, Unit: unit.Unit{Name: "s", Better: unit.Lower}},
		{Name: "tps", Kind: FloatKind, Role: Metric, Unit: unit.Unit{Name: "1/s", Better: unit.Higher}},
		{Name: "version", Kind: TextKind, Role: Factor, Guess: "path segment 1"},
		{Name: "rep", Kind: IntKind, Role: Factor},
		{Name: "kernel", Kind: TextKind, Role: Condition, Guess: "metadata"},
		{Name: "numa", Kind: BoolKind, Role: Factor},
	})
}

func TestUnionWidens(t *testing.T) {
	dir := t.TempDir()
	add := func(id string, factors map[string]Value) {
		t.Helper()
		r := testRun(id, id, 1)
		r.Factors = factors
		addTo(t, dir, &Batch{Runs: []Run{r}})
	}
	add("1", map[string]Value{"int_float": Int(1), "int_text": Int(1), "bool_int": Bool(true), "only_first": Text("x")})
	add("2", map[string]Value{"int_float": Float(1.5), "int_text": Text("big"), "bool_int": Int(2), "only_second": Text("")})
	got := readAll(t, dir)
	wantSame(t, "run 1", got.Runs[0].Factors, map[string]Value{"int_float": Float(1), "int_text": Text("1"), "bool_int": Text("true"), "only_first": Text("x")})
	wantSame(t, "run 2", got.Runs[1].Factors, map[string]Value{"int_float": Float(1.5), "int_text": Text("big"), "bool_int": Text("2"), "only_second": Text("")})
	before := manifestBytes(t, dir)
	add("1", map[string]Value{"int_float": Int(1), "int_text": Int(1), "bool_int": Bool(true), "only_first": Text("x")})
	wantSame(t, manifestFile, manifestBytes(t, dir), before)
}

func TestClashes(t *testing.T) {
	dir := t.TempDir()
	b := testBatch("a.log", 3)
	for i := range b.Runs {
		b.Runs[i].Factors["threads"] = Text("eight")
		b.Runs[i].Factors["tps"] = Text("fast")
		b.Runs[i].Metrics["host"] = 7
	}
	b.Columns = append(b.Columns, Column{Name: "threads", Kind: TextKind}, Column{Name: "tps", Kind: TextKind})
	addTo(t, dir, b)
	got := readAll(t, dir)
	wantSame(t, "runs", got.Runs, testBatch("a.log", 3).Runs)
	wantSame(t, "problems", got.Problems, []Problem{
		b.Problems[0],
		{Source: "a.log", Kind: "factor-clash", Text: `factor "threads" is left out: it has the name of a built-in column`, Count: 3},
		{Source: "a.log", Kind: "factor-clash", Text: `factor "tps" is left out: other runs have a metric of that name`, Count: 3},
		{Source: "a.log", Kind: "metric-clash", Text: `metric "host" is left out: it has the name of a built-in column`, Count: 3},
	})
	before := manifestBytes(t, dir)
	addTo(t, dir, b)
	wantSame(t, manifestFile, manifestBytes(t, dir), before)
}

func TestRowsOfNobody(t *testing.T) {
	reject := func(what string, b *Batch, parts ...string) {
		t.Helper()
		dir := t.TempDir()
		addTo(t, dir, testBatch("a.log", 1))
		w := must(OpenWriter(dir))(t)
		defer w.Close()
		contains(t, w.Add(b), parts...)
		contains(t, w.Commit(), parts...) // a half added batch is not committed
		wantSame(t, what, len(readAll(t, dir).Runs), 1)
	}
	reject("interval", &Batch{Intervals: IntervalsOf(testIntervals("x", 1)...)}, `run "x"`)
	reject("bucket", &Batch{Buckets: []Bucket{{RunID: "y"}}}, `run "y"`)
	reject("stack", &Batch{Stacks: []Stack{{RunID: "s"}}}, `stacks of run "s"`)
	reject("counter", &Batch{Counters: []Counter{{RunID: "c"}}}, `counters of run "c"`)
	reject("wait", &Batch{Waits: []Wait{{RunID: "w"}}}, `waits of run "w"`)
	reject("sample", &Batch{Series: samplesOf(Sample{RunID: "t"})}, `series of run "t"`)
	reject("setting", &Batch{Settings: []Setting{{RunID: "z"}}}, `run "z"`)
	reject("no ID", &Batch{Runs: []Run{{Source: "b.log"}}}, "b.log", "none")
	reject("ID that is no text", &Batch{Runs: []Run{{ID: "\xff"}}}, "none")

	dir := t.TempDir() // rows of a known run are not news
	addTo(t, dir, testBatch("a.log", 1))
	addTo(t, dir, &Batch{Intervals: IntervalsOf(testIntervals("a.log#1", 9)...)})
	wantSame(t, "intervals", len(readAll(t, dir).Intervals), 5)
}

func TestTextThatIsNoUTF8(t *testing.T) {
	dir := t.TempDir()
	b := testBatch("a\xff.log", 1)
	id := "0123456789abcdef"
	b.Runs[0].ID = id
	b.Runs[0].Factors = map[string]Value{"bad\xffname": Text("bad\xffvalue")}
	b.Intervals, b.Buckets = Intervals{}, nil
	b.Stacks = []Stack{{RunID: id, Event: "\xff", Comm: "\xff", Frames: []string{"", "\xff", ""}}}
	b.Counters, b.Waits, b.Series = nil, nil, Samples{}
	b.Settings = []Setting{{id, "\xff", "\xff", "\xff"}}
	addTo(t, dir, b)
	got := readAll(t, dir)
	wantSame(t, "factors", got.Runs[0].Factors, map[string]Value{"bad\uFFFDname": Text("bad\uFFFDvalue")})
	wantSame(t, "stacks", got.Stacks, []Stack{{RunID: id, Event: "\uFFFD", Comm: "\uFFFD", Frames: []string{"", "\uFFFD", ""}}})
	wantSame(t, "settings", got.Settings, []Setting{{id, "\uFFFD", "\uFFFD", "\uFFFD"}})
	wantSame(t, "source", got.Sources[0].Path, "a\uFFFD.log")
	before := manifestBytes(t, dir)
	addTo(t, dir, b)
	wantSame(t, manifestFile, manifestBytes(t, dir), before)
}

// Seventeen parts and more become few, and all rows stay, in order.
func TestMerge(t *testing.T) {
	dir, remove := fastDir(t)
	defer remove()
	var want content
	for i := range 40 {
		b := testBatch(fmt.Sprintf("%02d.log", i), 1)
		if i%3 == 0 {
			b.Runs[0].Factors[fmt.Sprintf("only_%d", i)] = Int(int64(i))
			b.Runs[0].Factors["mixed"] = Int(int64(i))
		} else {
			b.Runs[0].Factors["mixed"] = Float(.5)
		}
		addTo(t, dir, b)
		if b.Runs[0].Factors["mixed"] != Float(.5) {
			b.Runs[0].Factors["mixed"] = Float(float64(i))
		}
		want.Runs = append(want.Runs, b.Runs...)
		want.Intervals = append(want.Intervals, b.Intervals.Rows()...)
		want.Buckets = append(want.Buckets, b.Buckets...)
		want.Stacks = append(want.Stacks, b.Stacks...)
		want.Counters = append(want.Counters, b.Counters...)
		want.Waits = append(want.Waits, b.Waits...)
		want.Series = append(want.Series, b.Series.Rows()...)
		want.Settings = append(want.Settings, b.Settings...)
		want.Problems = append(want.Problems, b.Problems...)
		want.Sources = append(want.Sources, b.Sources...)
		for _, table := range tableNames {
			if n := len(partsOf(t, dir, table)); n > maxParts {
				t.Fatalf("after %d commits %s has %d parts", i+1, table, n)
			}
		}
	}
	got := readAll(t, dir)
	got.Columns = nil
	wantSame(t, "rows", got, want)
	onlyListed(t, dir)
}

func TestMergeFew(t *testing.T) {
	parts := func(rows ...int64) []part {
		p := make([]part, len(rows))
		for i, n := range rows {
			p[i] = part{Rows: n}
		}
		return p
	}
	add := func(old []part) (part, error) {
		n := int64(0)
		for _, p := range old {
			n += p.Rows
		}
		return part{Rows: n}, nil
	}
	is := func(given, want []part) {
		t.Helper()
		kept := slices.Clone(given)
		got, err := mergeFew(given, 5000, add)
		noError(t, err)
		wantSame(t, "parts", got, want)
		wantSame(t, "the given parts", given, kept)
	}
	is(parts(1, 2, 3), parts(1, 2, 3))
	is(parts(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9), parts(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9))
	is(parts(100, 50, 20, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7), parts(100, 50, 20, 9, 7, 7, 7, 7, 7)) // the smallest neighbours

	full := func(n int) []part { return slices.Repeat([]part{{Rows: 1000, Bytes: fullPart}}, n) }
	is(full(maxFull), full(maxFull))
	is(append(full(40), parts(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)...), append(full(40), parts(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)...))
	is(append(full(40), parts(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)...), append(full(40), parts(9, 1, 1, 1, 1, 1, 1, 1, 1)...))
	is(parts(slices.Repeat([]int64{5000}, maxParts+1)...), parts(slices.Repeat([]int64{5000}, maxParts+1)...)) // by their rows
	is(full(maxFull+maxParts+1), append(parts(9000), full(maxFull+maxParts-8)...))                             // too many of these too
}

// A part of more rows than a chunk has several record batches with one
// dictionary. They wait in memory as they are, or packed in the file.
func TestLargePart(t *testing.T) {
	t.Run("plain", func(t *testing.T) { testLargePart(t, math.MaxInt64, 0) })
	t.Run("packed late", func(t *testing.T) { testLargePart(t, 8<<20, 1) })
	t.Run("packed", func(t *testing.T) { testLargePart(t, 0, 1) })
}

func testLargePart(t *testing.T, large int64, files int) {
	dir := t.TempDir()
	b := &Batch{}
	for k := range 3 {
		r := testRun(fmt.Sprintf("run%d", k), "big.log", k+1)
		b.Runs = append(b.Runs, r)
		b.Intervals.Add(testIntervals(r.ID, chunkRows-10)...)
	}
	given := b.Intervals.Columns()
	given[ColumnTPS][5], given[ColumnErrors][chunkRows+1] = math.NaN(), math.Inf(1)
	w := must(OpenWriter(dir))(t)
	w.disk.large = large
	noError(t, w.Add(b))
	wantSame(t, "files before the commit", len(filesOf(t, dir)), files)
	noError(t, w.Commit())
	noError(t, w.Close())
	onlyListed(t, dir)
	wantSame(t, "parts", len(partsOf(t, dir, "intervals")), 1)
	r := must(Open(dir))(t)
	defer r.Close()
	at := 0
	noError(t, r.Intervals(func(rows []Interval) error {
		for _, row := range rows {
			if want := b.Intervals.At(at); bitsOf(row) != bitsOf(want) || row.RunID != want.RunID {
				t.Fatalf("row %d is %+v, want %+v", at, row, want)
			}
			at++
		}
		return nil
	}))
	wantSame(t, "rows", at, b.Intervals.Len())
}

// bitsOf makes intervals comparable, NaN included.
func bitsOf(r Interval) [13]uint64 {
	var bits [13]uint64
	for i, f := range []float64{r.T, r.Threads, r.TPS, r.QPS, r.Reads, r.Writes, r.Other, r.LatencyPct, r.Percentile, r.Errors, r.Reconnects, r.QueueLength, r.Concurrency} {
		bits[i] = math.Float64bits(f)
	}
	return bits
}

// Long ingests commit by themselves, so that what is done survives Ctrl-C.
func TestCommitsByItself(t *testing.T) {
	check := func(what string, limit func(*Writer)) {
		t.Helper()
		dir := t.TempDir()
		w := must(OpenWriter(dir))(t)
		limit(w)
		for i := range 20 {
			noError(t, w.Add(testBatch(fmt.Sprintf("%02d.log", i), 2)))
		}
		noError(t, w.Close()) // without Commit
		got := readAll(t, dir)
		if n := len(got.Runs); n < 20 || n >= 40 || len(got.Intervals) != 5*n {
			t.Errorf("%s: %d runs and %d intervals were committed", what, n, len(got.Intervals))
		}
	}
	check("bytes", func(w *Writer) { w.limits.bytes = 30 << 10 })
	check("heap", func(w *Writer) { w.limits.heap = 25 << 10 })
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	first := must(OpenWriter(dir))(t)
	_, err := openWriter(dir, 50*time.Millisecond)
	if !errors.Is(err, ErrLocked) {
		t.Errorf("second writer: %v, want ErrLocked", err)
	}
	contains(t, err, dir, "try again")
	released := time.AfterFunc(100*time.Millisecond, func() { first.Close() })
	defer released.Stop()
	second := must(openWriter(dir, 5*time.Second))(t) // waits for the first
	noError(t, second.Add(testBatch("a.log", 1)))
	noError(t, second.Commit())
	noError(t, second.Close())
}

func TestDamagedPart(t *testing.T) {
	dir := t.TempDir()
	addTo(t, dir, testBatch("a.log", 2))
	file := filepath.Join(dir, partsOf(t, dir, "intervals")[0].File)
	whole := must(os.ReadFile(file))(t)

	noError(t, os.WriteFile(file, whole[:len(whole)-8], 0o666))
	_, err := Open(dir)
	contains(t, err, "copy the folder again")

	for at := 8; at < len(whole)-8; at += 40 { // the same size, other bytes
		hurt := slices.Clone(whole)
		for i := range 8 {
			hurt[at+i] ^= 0x5a
		}
		noError(t, os.WriteFile(file, hurt, 0o666))
		r := must(Open(dir))(t)
		contains(t, r.Intervals(func([]Interval) error { return nil }), "intervals/", "damaged")
		r.Close()
	}
	noError(t, os.Remove(file))
	_, err = Open(dir)
	contains(t, err, "missing")
}

// dataset.json is written by hand; what encoding/json makes of the same is the truth.
func TestManifestAsJSON(t *testing.T) {
	m := newManifest()
	m.setParts(runsTable, []part{{File: "runs/0123456789abcdef.arrow", Rows: 2, Bytes: 1000, SHA256: "0123"}})
	for n, sources := range [][]*Source{{}, {
		{Path: "a.log", SHA256: "ab", Size: 12, Kind: "sysbench log", Tool: "sysbench", Version: "1.0.20", Runs: 3},
		{Path: "<ä>\t\"b\\c\" & \u2028\x7f.log", Kind: "table", Size: -1},
	}} {
		var got, want bytes.Buffer
		noError(t, m.write(&got, sources))
		m.Sources = []Source{}
		for _, s := range sources {
			m.Sources = append(m.Sources, *s)
		}
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", " ")
		noError(t, enc.Encode(m))
		wantSame(t, fmt.Sprint(n, " sources"), got.String(), want.String())
	}
}

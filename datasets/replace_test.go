package datasets

import (
	"slices"
	"strings"
	"testing"
)

func TestChangedDescription(t *testing.T) {
	dir := t.TempDir()
	a, b := testBatch("a.log", 3), testBatch("b.log", 3)
	addTo(t, dir, a)
	addTo(t, dir, b)
	parts := partsOf(t, dir, "intervals")

	changed := testBatch("a.log", 3)
	for i := range changed.Runs {
		changed.Runs[i].Factors = map[string]Value{"build": Text("pgo")}
		changed.Runs[i].Started = testTime
		changed.Runs[i].Host = "tux"
	}
	addTo(t, dir, changed)
	got := readAll(t, dir)
	wantSame(t, "runs", got.Runs, append(slices.Clone(changed.Runs), b.Runs...)) // in place
	wantSame(t, "intervals", got.Intervals, append(a.Intervals.Rows(), b.Intervals.Rows()...))
	wantSame(t, "parts of intervals", partsOf(t, dir, "intervals"), parts)
	onlyListed(t, dir)

	// Within one session: staged, changed while staged, committed, changed again.
	w := must(OpenWriter(dir))(t)
	c := testBatch("c.log", 1)
	noError(t, w.Add(c))
	c.Runs[0].Host = "first"
	noError(t, w.Add(c))
	noError(t, w.Commit())
	c.Runs[0].Host = "second"
	noError(t, w.Add(c))
	noError(t, w.Commit())
	noError(t, w.Close())
	got = readAll(t, dir)
	wantSame(t, "host", got.Runs[6].Host, "second")
	wantSame(t, "number of runs", len(got.Runs), 7)
}

// A file that moved is not a copy: the run's row follows it.
func TestMovedFile(t *testing.T) {
	dir := t.TempDir()
	b := testBatch("old/a.log", 1)
	addTo(t, dir, b)
	b.Runs[0].Source = "new/a.log"
	b.Runs[0].Factors["path1"] = Text("new")
	addTo(t, dir, b)
	got := readAll(t, dir)
	wantSame(t, "runs", got.Runs, b.Runs)
	wantSame(t, "intervals", got.Intervals, b.Intervals.Rows())
}

func TestCopies(t *testing.T) {
	copyOf := func(b *Batch, source string) *Batch {
		c := testBatch(source, len(b.Runs))
		for i := range c.Runs {
			c.Runs[i].ID = b.Runs[i].ID
		}
		c.Intervals, c.Buckets, c.Settings = b.Intervals, b.Buckets, nil
		c.Stacks, c.Counters, c.Waits, c.Series = b.Stacks, b.Counters, b.Waits, Samples{}
		return c
	}
	b := testBatch("b.log.gz", 2)
	a := copyOf(b, "a.log")
	check := func(what string, batches ...*Batch) {
		t.Helper()
		dir := t.TempDir()
		addTo(t, dir, batches...)
		got := readAll(t, dir)
		wantSame(t, what+": runs", got.Runs, a.Runs) // the first path in order
		wantSame(t, what+": intervals", got.Intervals, b.Intervals.Rows())
		wantSame(t, what+": buckets", got.Buckets, b.Buckets)
		want := Problem{Source: "b.log.gz", Kind: "copy", Text: "holds the same run as a.log", Count: 2}
		if !slices.Contains(got.Problems, want) {
			t.Errorf("%s: problems are %+v, want %+v among them", what, got.Problems, want)
		}
		before := manifestBytes(t, dir)
		addTo(t, dir, batches...)
		wantSame(t, what+" again", manifestBytes(t, dir), before)
	}
	check("in order", a, b)
	check("against order", b, a)
	both := &Batch{Sources: append(slices.Clone(a.Sources), b.Sources...), Columns: a.Columns}
	both.Problems = append(slices.Clone(a.Problems), b.Problems...)
	both.Runs = append(slices.Clone(a.Runs), b.Runs...)
	both.Intervals = IntervalsOf(append(a.Intervals.Rows(), b.Intervals.Rows()...)...)
	both.Buckets = append(slices.Clone(a.Buckets), b.Buckets...)
	both.Stacks, both.Counters, both.Waits = b.Stacks, b.Counters, b.Waits
	check("in one batch", both)

	// One file that has the same log twice, one after the other.
	twice := testBatch("c.log", 1)
	again := twice.Runs[0]
	again.Part = 2
	want := twice.Intervals.Rows()
	twice.Runs = append(twice.Runs, again)
	twice.Intervals.Add(want...)
	dir := t.TempDir()
	addTo(t, dir, twice)
	got := readAll(t, dir)
	wantSame(t, "twice: runs", got.Runs, twice.Runs[:1])
	wantSame(t, "twice: intervals", got.Intervals, want)
}

func TestLongerVersionReplacesTruncated(t *testing.T) {
	version := func(id string, status Status, n int) *Batch {
		b := testBatch("live.log", 1)
		b.Runs[0].ID, b.Runs[0].Status, b.Runs[0].Duration = id, status, float64(n)
		b.Intervals = IntervalsOf(testIntervals(id, n)...)
		b.Buckets = []Bucket{{id, .001, int64(n)}}
		b.Stacks, b.Counters, b.Waits, b.Series = nil, nil, nil, Samples{}
		addBeside(b, id)
		b.Settings = []Setting{{id, "live.log", "version", id}}
		b.Sources[0].SHA256 = "sha of " + id
		return b
	}
	other := testBatch("other.log", 2)
	short, long, whole := version("short", Truncated, 3), version("long", Truncated, 7), version("whole", Complete, 9)
	check := func(what, dir string, want *Batch) {
		t.Helper()
		got := readAll(t, dir)
		wantSame(t, what+": runs", got.Runs, append(slices.Clone(other.Runs), want.Runs...))
		wantSame(t, what+": intervals", got.Intervals, append(other.Intervals.Rows(), want.Intervals.Rows()...))
		wantSame(t, what+": buckets", got.Buckets, append(slices.Clone(other.Buckets), want.Buckets...))
		wantSame(t, what+": stacks", got.Stacks, append(slices.Clone(other.Stacks), want.Stacks...))
		wantSame(t, what+": series", got.Series, append(other.Series.Rows(), want.Series.Rows()...))
		wantSame(t, what+": settings", got.Settings, append(slices.Clone(other.Settings), want.Settings...))
		wantSame(t, what+": sources", len(got.Sources), 2)
		wantSame(t, what+": problems", len(got.Problems), 2)
		onlyListed(t, dir)
	}
	dir := t.TempDir()
	addTo(t, dir, other, short)
	check("truncated", dir, short)
	addTo(t, dir, long)
	check("longer", dir, long)
	addTo(t, dir, whole)
	check("complete", dir, whole)
	before := manifestBytes(t, dir)
	addTo(t, dir, whole)
	wantSame(t, manifestFile, manifestBytes(t, dir), before)

	dir = t.TempDir() // all in one session, committed or not
	addTo(t, dir, other, short, long, whole)
	check("one session", dir, whole)

	dir = t.TempDir()
	addTo(t, dir, other, long)
	addTo(t, dir, short) // what is shorter replaces nothing
	wantSame(t, "runs after a shorter one", len(readAll(t, dir).Runs), 4)
	addTo(t, dir, version("gone", Empty, 0))
	wantSame(t, "runs after an empty one", len(readAll(t, dir).Runs), 5)

	dir = t.TempDir()
	addTo(t, dir, other, whole)
	addTo(t, dir, version("next", Complete, 99)) // what is complete is replaced by nothing
	wantSame(t, "runs after another complete one", len(readAll(t, dir).Runs), 4)
}

func TestSettingsAreReplaced(t *testing.T) {
	dir := t.TempDir()
	server := func(value string) *Batch {
		return &Batch{Settings: []Setting{{"", "my.cnf", "sync_binlog", value}, {"", "my.cnf", "port", "3306"}}}
	}
	a := testBatch("a.log", 1)
	addTo(t, dir, a, server("0"))
	addTo(t, dir, server("0"), server("1"), server("2"), server("2"))
	want := append(slices.Clone(a.Settings), server("2").Settings...)
	wantSame(t, "settings", readAll(t, dir).Settings, want)
	meta := &Batch{Runs: a.Runs, Settings: []Setting{{a.Runs[0].ID, "a.json", "lscpu", "x86"}}} // later, for a known run
	addTo(t, dir, meta)
	addTo(t, dir, meta)
	wantSame(t, "settings", readAll(t, dir).Settings, append(want, meta.Settings...))
	onlyListed(t, dir)
}

func TestProblemsOfAReReadSource(t *testing.T) {
	dir := t.TempDir()
	problem := func(source, text string) Problem {
		return Problem{Source: source, Line: 1, Kind: "k", Text: text, Count: 1}
	}
	addTo(t, dir, &Batch{Problems: []Problem{problem("a", "old"), problem("a", "gone"), problem("b", "stays")}})
	addTo(t, dir, &Batch{Problems: []Problem{problem("a", "new")}}, &Batch{Problems: []Problem{problem("a", "second batch")}})
	wantSame(t, "problems", readAll(t, dir).Problems, []Problem{problem("a", "new"), problem("a", "second batch"), problem("b", "stays")})
	addTo(t, dir, &Batch{Sources: []Source{{Path: "a"}}}) // read again, nothing wrong with it now
	wantSame(t, "problems", readAll(t, dir).Problems, []Problem{problem("b", "stays")})
	addTo(t, dir, &Batch{Sources: []Source{{Path: "b"}}})
	wantSame(t, "problems", readAll(t, dir).Problems, []Problem(nil))
	onlyListed(t, dir)
	long := strings.Repeat("ä", 150)
	addTo(t, dir, &Batch{Problems: []Problem{problem("c", "x"+long)}})
	wantSame(t, "cut text", readAll(t, dir).Problems[0].Text, "x"+strings.Repeat("ä", 99)) // 199 bytes, no half character
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	source := func(path, sha string) Source { return Source{Path: path, SHA256: sha, Size: 7, Kind: "sysbench"} }
	addTo(t, dir, &Batch{Sources: []Source{source("b", "1"), source("a", "1"), source("c", "3")}})
	w := must(OpenWriter(dir))(t)
	noError(t, w.Add(&Batch{Sources: []Source{source("b", "2")}}))
	for path, sha := range map[string]string{"a": "1", "b": "2", "c": "3", "d": ""} {
		if s, ok := w.SourceAt(path); s.SHA256 != sha || ok != (sha != "") {
			t.Errorf("SourceAt(%s) = %+v %v, want %q", path, s, ok, sha)
		}
	}
	noError(t, w.Commit())
	noError(t, w.Close())
	wantSame(t, "sources", readAll(t, dir).Sources, []Source{source("a", "1"), source("b", "2"), source("c", "3")})
}

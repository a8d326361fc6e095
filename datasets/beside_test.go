package datasets

import (
	"fmt"
	"slices"
	"testing"
)

// What was measured beside a run may come later, and other rows replace what was
// there of their table, and of no other run.
func TestBesideIsReplaced(t *testing.T) {
	dir := t.TempDir()
	a, b := testBatch("a.log", 1), testBatch("b.log", 2)
	addTo(t, dir, a)
	addTo(t, dir, b)
	id := a.Runs[0].ID
	profile := func(weights ...float64) *Batch {
		p := &Batch{}
		for _, w := range weights {
			p.Stacks = append(p.Stacks, Stack{RunID: id, Frames: []string{"main", fmt.Sprint(w)}, Weight: w, Samples: 1})
		}
		return p
	}
	check := func(what string, want []Stack) {
		t.Helper()
		got := readAll(t, dir)
		wantSame(t, what+": stacks", got.Stacks, want)
		wantSame(t, what+": counters", got.Counters, append(slices.Clone(a.Counters), b.Counters...))
		wantSame(t, what+": intervals", got.Intervals, append(a.Intervals.Rows(), b.Intervals.Rows()...))
		onlyListed(t, dir)
	}
	check("at first", append(slices.Clone(a.Stacks), b.Stacks...))
	addTo(t, dir, profile(1, 2, 3))
	check("other rows", append(slices.Clone(b.Stacks), profile(1, 2, 3).Stacks...))
	before := manifestBytes(t, dir)
	addTo(t, dir, profile(1, 2, 3))
	wantSame(t, manifestFile, manifestBytes(t, dir), before)
	addTo(t, dir, profile(1), profile(2, 1), profile(2, 1)) // in one session
	check("the last counts", append(slices.Clone(b.Stacks), profile(2, 1).Stacks...))
}

// Each side file of a run is a source of series of its own: a later one replaces
// what it gave before, and nothing of the others.
func TestSeriesOfSeveralSources(t *testing.T) {
	dir := t.TempDir()
	a := testBatch("a.log", 1)
	a.Series = Samples{}
	addTo(t, dir, a)
	series := func(source string, values ...float64) (list []Sample) {
		for i, v := range values {
			list = append(list, Sample{RunID: a.Runs[0].ID, T: float64(i), Source: source, Metric: "cpu_idle_pct", Value: v})
		}
		return list
	}
	check := func(what string, want ...[]Sample) {
		t.Helper()
		wantSame(t, what, readAll(t, dir).Series, slices.Concat(want...))
		onlyListed(t, dir)
	}
	table, counted, vmstat := series(TableSource, 1, 2), series("perf stat", 3), series("vmstat", 4, 5)
	addTo(t, dir, &Batch{Series: samplesOf(table...)}, &Batch{Series: samplesOf(counted...)}) // in one session
	addTo(t, dir, &Batch{Series: samplesOf(vmstat...)})
	check("one after the other", table, counted, vmstat)
	before := manifestBytes(t, dir)
	addTo(t, dir, &Batch{Series: samplesOf(slices.Concat(vmstat, table)...)})
	wantSame(t, manifestFile, manifestBytes(t, dir), before)
	counted = series("perf stat", 6, 7)
	addTo(t, dir, &Batch{Series: samplesOf(counted...)})
	check("one of them anew", table, vmstat, counted)
}

// The rows of a run may be scattered over the batch; they are kept together.
func TestBesideInAnyOrder(t *testing.T) {
	dir := t.TempDir()
	a, b := testBatch("a.log", 1), testBatch("b.log", 1)
	first, second := a.Series.Rows(), b.Series.Rows()
	both := &Batch{Runs: append(slices.Clone(a.Runs), b.Runs...), Series: samplesOf(second[0], first[0], second[1], first[1])}
	addTo(t, dir, both)
	wantSame(t, "series", readAll(t, dir).Series, append(second, first...))
}

// Deep stacks begin a new record batch before a list could be too long, and a
// large part of stacks comes back as it was.
func TestLargeStacks(t *testing.T) {
	dir, remove := fastDir(t)
	defer remove()
	a := testBatch("a.log", 1)
	frames := make([]string, 1000)
	for i := range frames {
		frames[i] = fmt.Sprintf("f%d", i%100)
	}
	a.Stacks = nil
	for i := range chunkRows + 100 {
		a.Stacks = append(a.Stacks, Stack{RunID: a.Runs[0].ID, Frames: frames[i%7 : i%11+7], Weight: float64(i)})
		if i%1000 == 0 {
			a.Stacks[i].Frames = frames[i/1000:]
		}
	}
	w := must(OpenWriter(dir))(t)
	w.disk.small, w.disk.large, w.disk.dictionary, w.disk.items = 0, 0, 0, 20_000
	noError(t, w.Add(a))
	noError(t, w.Commit())
	noError(t, w.Close())
	got := readAll(t, dir).Stacks
	wantSame(t, "stacks", len(got), len(a.Stacks))
	for i, want := range a.Stacks { // cmp.Diff takes a quarter of a minute for them
		if got[i].Weight != want.Weight || !slices.Equal(got[i].Frames, want.Frames) {
			t.Fatalf("stack %d is %v, want %v", i, got[i], want)
		}
	}
}

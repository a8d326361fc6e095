package datasets

import (
	"slices"
	"testing"
)

// The rows of a run that come before it are kept with it, once, and not without it.
func TestAhead(t *testing.T) {
	dir := t.TempDir()
	before, whole := testBatch("a.log", 2), testBatch("b.log", 1)
	rows := whole.Intervals.Rows()
	if len(rows) < 3 {
		t.Fatalf("%d rows are too few", len(rows))
	}
	id := whole.Runs[0].ID
	pieces := func() []*Batch {
		last := *whole
		last.Intervals = IntervalsOf(rows[2:]...)
		return []*Batch{{Ahead: id, Intervals: IntervalsOf(rows[:1]...)}, {Ahead: id, Intervals: IntervalsOf(rows[1:2]...)}, &last}
	}

	w := must(OpenWriter(dir))(t)
	noError(t, w.Add(before))
	for _, b := range pieces()[:2] {
		noError(t, w.Add(b))
	}
	noError(t, w.Commit()) // the run is cut off
	if w.Add(before) == nil {
		t.Error("more can be added to a run that was cut off")
	}
	noError(t, w.Close())
	got := readAll(t, dir)
	wantSame(t, "runs before", got.Runs, before.Runs)
	wantSame(t, "rows before", got.Intervals, before.Intervals.Rows())
	onlyListed(t, dir)

	for range 2 { // the second time it is known
		addTo(t, dir, pieces()...)
		got = readAll(t, dir)
		wantSame(t, "runs", got.Runs, append(slices.Clone(before.Runs), whole.Runs...))
		wantSame(t, "rows", got.Intervals, append(before.Intervals.Rows(), rows...))
		onlyListed(t, dir)
	}

	w = must(OpenWriter(t.TempDir()))(t)
	if err := w.Add(&Batch{Intervals: IntervalsOf(rows...)}); err == nil {
		t.Error("rows of a run that nobody announced are taken")
	}
	w.Close()
}

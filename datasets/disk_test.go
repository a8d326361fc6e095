package datasets

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// fullDisk is a file on a disk with so many bytes left. The files of a writer
// share them.
type fullDisk struct {
	file
	left    *int
	noSync  bool // the disk notices only when it has to keep its word
	written *int
}

func (f fullDisk) Write(b []byte) (int, error) {
	*f.written += len(b)
	if f.noSync {
		return f.file.Write(b)
	}
	if len(b) > *f.left {
		n, _ := f.file.Write(b[:*f.left])
		*f.left = 0
		return n, syscall.ENOSPC
	}
	*f.left -= len(b)
	return f.file.Write(b)
}

func (f fullDisk) Sync() error {
	if f.noSync {
		if *f.left--; *f.left < 0 {
			return syscall.ENOSPC
		}
	}
	return f.file.Sync()
}

// fillUp lets the writer's disk fill up after so many bytes, or so many syncs.
func fillUp(w *Writer, left int, noSync bool) (written *int) {
	create := w.disk.create
	written = new(int)
	w.disk.create = func(path string) (file, error) {
		f, err := create(path)
		return fullDisk{f, &left, noSync, written}, err
	}
	return written
}

func TestDiskFillsUp(t *testing.T) {
	base, more := testBatch("a.log", 2), testBatch("b.log", 3)
	more.Runs[0].ID = base.Runs[0].ID // a changed row, so that parts are rewritten too
	more.Intervals, more.Buckets, more.Settings = IntervalsOf(more.Intervals.Rows()[5:]...), more.Buckets[3:], more.Settings[2:]
	more.Stacks, more.Counters, more.Waits, more.Series = more.Stacks[2:], more.Counters[1:], more.Waits[1:], samplesOf(more.Series.Rows()[2:]...)
	try := func(left int, noSync bool) (committed bool, written int) {
		t.Helper()
		dir, remove := fastDir(t)
		defer remove()
		addTo(t, dir, base)
		before, rows := manifestBytes(t, dir), readAll(t, dir)
		w := must(OpenWriter(dir))(t)
		count := fillUp(w, left, noSync)
		err := w.Add(more)
		if err == nil {
			err = w.Commit()
		}
		if err == nil {
			noError(t, w.Close())
			return true, *count
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%d left: error is %v", left, err)
		}
		contains(t, err, dir, "full", "make room")
		contains(t, w.Commit(), "full") // it stays broken
		noError(t, w.Close())
		wantSame(t, manifestFile, manifestBytes(t, dir), before)
		wantSame(t, "rows", readAll(t, dir), rows)
		onlyListed(t, dir)

		addTo(t, dir, more) // room was made
		wantSame(t, "runs after room was made", len(readAll(t, dir).Runs), 4)
		return false, 0
	}
	committed, written := try(1<<30, false)
	if !committed {
		t.Fatal("a large disk is full")
	}
	const steps = 20
	for i := range steps {
		left := written * i / steps
		if committed, _ := try(left, false); committed {
			t.Errorf("%d of %d bytes were enough", left, written)
		}
	}
	for syncs := range 30 {
		if committed, _ := try(syncs, true); committed {
			if syncs < 5 {
				t.Errorf("only %d syncs: every part and %s need one", syncs, manifestFile)
			}
			return
		}
	}
	t.Error("a commit of eight tables syncs more than 30 files")
}

// The disk may fill up before Commit, while packed rows are written.
func TestDiskFillsUpWhilePacking(t *testing.T) {
	dir := t.TempDir()
	addTo(t, dir, testBatch("a.log", 1))
	w := must(OpenWriter(dir))(t)
	fillUp(w, 1<<20, false)
	w.disk.large = 0
	b := &Batch{}
	for k := range 8 {
		r := testRun(fmt.Sprint(k), "big.log", k+1)
		b.Runs = append(b.Runs, r)
		b.Intervals.Add(testIntervals(r.ID, chunkRows)...)
	}
	contains(t, w.Add(b), dir, "full")
	onlyListed(t, dir)
	noError(t, w.Close())
	wantSame(t, "runs", len(readAll(t, dir).Runs), 1)
}

func TestOtherDiskErrors(t *testing.T) {
	dir := t.TempDir()
	w := must(OpenWriter(dir))(t)
	defer w.Close()
	w.disk.create = func(string) (file, error) { return nil, errors.New("no luck") }
	noError(t, w.Add(testBatch("a.log", 1)))
	err := w.Commit()
	contains(t, err, dir, "no luck", "as it was")
}

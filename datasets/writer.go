package datasets

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	// lockWait is how long a writer waits for another to finish.
	lockWait = 5 * time.Second
	// commitBytes of staged rows are committed without being asked: what is
	// done survives Ctrl-C, and parts stay large enough to be few.
	commitBytes = 256 << 20
	// commitHeap likewise, of what stays in memory as it is: runs and dictionaries.
	commitHeap = 24 << 20
)

// Writer adds batches to a data set. It holds the data set's lock, so there is
// one at a time; readers are not disturbed. After an error it does nothing more
// but return that error. Its methods are for one goroutine.
type Writer struct {
	disk   *disk
	lock   *flock.Flock
	made   bool      // the folder did not exist before
	m      *manifest // as committed, but for the sources
	err    error
	limits struct{ bytes, heap int64 }

	columns *columnSet
	index   *runIndex
	sources map[string]*Source // by path

	committed    bool // there is a dataset.json
	sourcesDirty bool
	marksDirty   bool

	problems      map[string][]Problem // by source, all of the data set
	problemsDirty bool
	untouched     map[string]bool // sources with problems that were not read since the writer was opened

	copies int // of runs that stand in two places

	ahead *aheadRun // whose rows are coming; nil = none

	// Staged for the next commit.
	runs      []Run
	staged    map[string]int // place of a run among them, by ID
	runsHeap  int64
	intervals *stage
	buckets   *stage
	stacks    *beside
	counters  *beside
	waits     *beside
	series    *beside
	settings  *stage

	settingIndex   *settingIndex // nil until the first setting
	stagedSettings map[settingGroup]bool

	// Changes to committed rows.
	changedRuns     map[string]Run
	droppedRuns     map[string]bool
	droppedSettings map[settingGroup]bool
}

// OpenWriter opens the data set in dir for adding, or begins a new one; other
// files in the folder stay as they are. If another writer is at work it waits
// some seconds and then gives up with ErrLocked. ErrNewerSchema says that this
// program is too old for the data set.
func OpenWriter(dir string) (*Writer, error) { return openWriter(dir, lockWait) }

func openWriter(dir string, wait time.Duration) (*Writer, error) {
	made := !exists(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make a data set in %s: %w", dir, err)
	}
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o666))
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	locked, err := lock.TryLockContext(ctx, 20*time.Millisecond)
	if !locked {
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("%s: %w: waited %v; try again when it has finished", dir, ErrLocked, wait)
		}
		return nil, fmt.Errorf("cannot lock the data set: %w", err)
	}
	w := &Writer{disk: newDisk(dir), lock: lock, made: made}
	w.limits.bytes, w.limits.heap = commitBytes, commitHeap
	if err := w.load(); err != nil {
		lock.Unlock()
		return nil, err
	}
	return w, nil
}

// load reads what a writer has to know of the rows that are there.
func (w *Writer) load() error {
	m, _, err := readManifest(w.disk.dir)
	w.committed = err == nil
	if errors.Is(err, ErrNotDataset) && !exists(filepath.Join(w.disk.dir, manifestFile)) {
		m, err = newManifest(), nil
	}
	if err != nil {
		return err
	}
	w.m = m
	w.disk.sweep(m.files())

	w.index = newRunIndex()
	w.intervals = newStage(intervalsLayout, w.disk)
	w.buckets = newStage(histogramsLayout, w.disk)
	w.stacks = newBeside(stacksLayout, w.disk)
	w.counters = newBeside(countersLayout, w.disk)
	w.waits = newBeside(waitsLayout, w.disk)
	w.series = newBeside(seriesLayout, w.disk)
	w.settings = newStage(settingsLayout, w.disk)
	w.sources = make(map[string]*Source, len(m.Sources))
	for i := range m.Sources {
		w.sources[m.Sources[i].Path] = &m.Sources[i]
	}
	m.Sources = nil
	w.loadMarks()
	w.forgetChanges()

	if w.columns, err = w.scanRuns(); err != nil {
		return err
	}
	w.problems, w.untouched = map[string][]Problem{}, map[string]bool{}
	return w.withParts(problemsTable, func(parts []*partFile) error {
		all, err := readProblems(parts)
		for _, p := range all {
			w.problems[p.Source] = append(w.problems[p.Source], p)
			w.untouched[p.Source] = true
		}
		return err
	})
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// withParts opens the committed parts of a table for the time of use.
func (w *Writer) withParts(table string, use func([]*partFile) error) error {
	parts, err := openParts(w.disk.dir, w.m.Tables[table].Parts)
	if err != nil {
		return err
	}
	defer closeParts(parts)
	return use(parts)
}

// scanRuns indexes the committed runs and gives their columns.
func (w *Writer) scanRuns() (columns *columnSet, err error) {
	err = w.withParts(runsTable, func(parts []*partFile) error {
		if columns, err = runColumnsOf(parts); err != nil {
			return err
		}
		return eachRun(parts, columns, func(runs []Run) error {
			for i := range runs {
				w.index.put(&runs[i], w.index.row(&runs[i]), false)
			}
			return nil
		})
	})
	return columns, err
}

// HasRun tells whether a run is in the data set or staged for it.
func (w *Writer) HasRun(id string) bool {
	_, ok := w.index.get(id)
	return ok
}

// SourceAt gives the source of that path, if it has been read into the data set
// or is staged for it.
func (w *Writer) SourceAt(path string) (Source, bool) {
	s, ok := w.sources[validText(path)]
	if !ok {
		return Source{}, false
	}
	return *s, true
}

// StillThere says that some sources are as they were and are not given again:
// their runs are where they were, so that the same run elsewhere is a copy.
func (w *Writer) StillThere(source func(path string) bool) { w.index.seenAt(source) }

// aheadRun is the run that Batch.Ahead announces.
type aheadRun struct {
	id    string
	fresh bool // its rows are to be added
}

// Copies is how many of the runs that were added are copies of others and count once.
func (w *Writer) Copies() int { return w.copies }

// Commit makes everything that was added part of the data set, at once: a
// reader, or a machine that loses power, sees all of it or nothing. Of a run that
// has not come to its end nothing is kept, and the writer is at its own.
func (w *Writer) Commit() error {
	if w.err == nil && w.ahead != nil { // what came before it is committed
		w.fail(errors.New("datasets: a run was cut off; nothing more can be added"))
		return nil
	}
	if w.err == nil {
		if err := w.commit(); err != nil {
			w.fail(w.disk.explain(err))
		}
	}
	return w.err
}

// fail ends the use of the writer and removes what it has lying on the disk.
func (w *Writer) fail(err error) {
	w.err = err
	for _, s := range w.stages() {
		s.reset()
	}
	w.disk.sweep(w.m.files())
}

// Close releases the data set for other writers. What was added since the last
// Commit is lost; a new data set without any leaves no folder behind.
func (w *Writer) Close() error {
	if w.lock == nil {
		return nil
	}
	if w.err == nil {
		w.fail(errors.New("datasets: the writer is closed"))
	}
	lock := w.lock
	w.lock = nil
	if w.made && !w.committed {
		w.disk.abandon()
	}
	return lock.Unlock()
}

// stagedTooMuch tells whether it is time to commit without being asked.
func (w *Writer) stagedTooMuch() bool {
	total, heap := w.runsHeap, w.runsHeap
	for _, s := range w.stages() {
		total += s.bytes()
		heap += s.textBytes()
	}
	return total >= w.limits.bytes || heap >= w.limits.heap
}

// stages are the fixed tables that grow; problems are written anew each time.
func (w *Writer) stages() []*stage {
	list := []*stage{w.intervals, w.buckets}
	for _, b := range w.besideTables() {
		list = append(list, b.stage)
	}
	return append(list, w.settings)
}

func (w *Writer) besideTables() []*beside {
	return []*beside{w.stacks, w.counters, w.waits, w.series}
}

// forgetChanges empties what was staged, once it is committed.
func (w *Writer) forgetChanges() {
	clear(w.runs) // drop the maps
	w.runs, w.runsHeap = w.runs[:0], 0
	w.staged = map[string]int{}
	for _, s := range w.stages() {
		s.reset()
	}
	for _, b := range w.besideTables() {
		clear(b.staged)
		clear(b.dropped)
	}
	w.stagedSettings = map[settingGroup]bool{}
	w.changedRuns = map[string]Run{}
	w.droppedRuns = map[string]bool{}
	w.droppedSettings = map[settingGroup]bool{}
}

// sortedSources gives the sources in the order of dataset.json.
func (w *Writer) sortedSources() []*Source {
	return slices.SortedFunc(maps.Values(w.sources), func(a, b *Source) int { return strings.Compare(a.Path, b.Path) })
}

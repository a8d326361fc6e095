package datasets

import (
	"errors"
	"math"
	"reflect"
	"slices"
)

const (
	// maxParts is how many parts a table may have: each costs a reader a file
	// and a dictionary. Above it, mergeParts neighbours are merged into one. Parts
	// of fullPart bytes, as a long ingest writes them, do not count up to maxFull of
	// them: to merge 10 GB of logs took as long as to read them.
	maxParts   = 16
	mergeParts = 9
	fullPart   = 64 << 20
	maxFull    = 128
	// fullRuns are full likewise, as merging holds the ID of every run in memory.
	fullRuns = 64 << 10
)

// commit writes what is staged. The order makes it safe against a kill at any
// time: parts under temporary names, their final names, the folders, then
// dataset.json, which alone says what belongs to the data set.
func (w *Writer) commit() error {
	next := w.m.clone()
	if err := w.commitRuns(next); err != nil {
		return err
	}
	for _, s := range w.stages() {
		if err := w.commitStage(next, s); err != nil {
			return err
		}
	}
	if err := w.commitProblems(next); err != nil {
		return err
	}
	if !w.committed || w.sourcesDirty || !reflect.DeepEqual(next.Tables, w.m.Tables) {
		if err := w.replaceManifest(next); err != nil {
			return err
		}
	}
	w.problemsDirty = false
	w.keepMarks()
	w.forgetChanges()
	w.disk.sweep(next.files())
	return nil
}

// replaceManifest makes the new parts the data set.
func (w *Writer) replaceManifest(next *manifest) error {
	for _, table := range append([]string{""}, tableNames...) {
		if err := w.disk.sync(table); err != nil {
			return err
		}
	}
	f, err := w.disk.temp()
	if err != nil {
		return err
	}
	if err := next.write(f, w.sortedSources()); err != nil {
		w.disk.discard(f)
		return err
	}
	if err := w.disk.keep(f, manifestFile); err != nil {
		return err
	}
	w.m, w.committed, w.sourcesDirty = next, true, false // from here on, whatever happens
	return w.disk.sync("")
}

// commitRuns writes the staged runs and rewrites the parts with changed or
// replaced ones.
func (w *Writer) commitRuns(next *manifest) error {
	parts := next.Tables[runsTable].Parts
	if len(w.changedRuns)+len(w.droppedRuns) > 0 {
		var kept []part
		for _, p := range parts {
			switch p, rows, err := w.rewriteRuns(p); {
			case err != nil:
				return err
			case rows > 0:
				kept = append(kept, p)
			}
		}
		parts = kept
	}
	if len(w.runs) > 0 {
		p, err := writeRuns(w.disk, w.columns, func(yield func([]Run) error) error { return yield(w.runs) })
		if err != nil {
			return err
		}
		parts = append(slices.Clip(parts), p)
	}
	parts, err := mergeFew(parts, fullRuns, func(old []part) (part, error) {
		files, err := openParts(w.disk.dir, old)
		if err != nil {
			return part{}, err
		}
		defer closeParts(files)
		return writeRuns(w.disk, w.columns, func(yield func([]Run) error) error { return eachRun(files, w.columns, yield) })
	})
	next.setParts(runsTable, parts)
	return err
}

// rewriteRuns gives the part with the changes made, or p itself if it has none
// of the changed runs; rows tells what is left.
func (w *Writer) rewriteRuns(p part) (rewritten part, rows int64, err error) {
	f, err := openPart(w.disk.dir, p)
	if err != nil {
		return part{}, 0, err
	}
	defer f.f.Close()
	parts := []*partFile{f}
	touched := false
	source := func(yield func([]Run) error) error {
		return eachRun(parts, w.columns, func(runs []Run) error {
			kept := runs[:0]
			for _, r := range runs {
				changed, isChanged := w.changedRuns[r.ID]
				isDropped := w.droppedRuns[r.ID]
				touched = touched || isChanged || isDropped
				if isChanged {
					r = changed
				}
				if !isDropped {
					kept = append(kept, r)
				}
			}
			return yield(kept)
		})
	}
	err = source(func(runs []Run) error {
		rows += int64(len(runs))
		return nil
	})
	if err != nil || !touched || rows == 0 {
		return p, rows, err
	}
	rewritten, err = writeRuns(w.disk, w.columns, source)
	return rewritten, rows, err
}

// commitStage writes the staged rows of a fixed table and rewrites the parts
// that have rows of replaced runs or settings.
func (w *Writer) commitStage(next *manifest, s *stage) error {
	table := s.layout.name
	parts := next.Tables[table].Parts
	if w.hasDropped(table) {
		var kept []part
		for _, p := range parts {
			switch p, err := w.rewriteRows(s.layout, p); {
			case err != nil:
				return err
			case p.Rows > 0:
				kept = append(kept, p)
			}
		}
		parts = kept
	}
	if s.rows > 0 {
		p, err := s.write()
		if err != nil {
			return err
		}
		parts = append(slices.Clip(parts), p)
	}
	parts, err := mergeFew(parts, math.MaxInt64, func(old []part) (part, error) {
		return w.copyRows(s.layout, old, nil)
	})
	next.setParts(table, parts)
	return err
}

// hasDropped tells whether a fixed table has committed rows that are replaced.
func (w *Writer) hasDropped(table string) bool {
	n := len(w.droppedRuns)
	if table == settingsTable {
		n += len(w.droppedSettings)
	}
	for _, b := range w.besideTables() {
		if b.layout.name == table {
			n += len(b.dropped)
		}
	}
	return n > 0
}

// dropped gives the owners whose rows in a table are replaced, nil in a table
// that has none.
func (w *Writer) dropped(table string) map[owner]bool {
	for _, b := range w.besideTables() {
		if b.layout.name == table {
			return b.dropped
		}
	}
	return nil
}

// rewriteRows gives the part without the rows that were replaced, or p itself
// if it has none of them.
func (w *Writer) rewriteRows(l *layout, p part) (part, error) {
	dropped := w.dropped(l.name)
	touched := map[string]bool{} // runs
	for o := range dropped {
		touched[o.run] = true
	}
	gone := func(v *view, i int) bool {
		run := v.text(0, i)
		return w.droppedRuns[run] || touched[run] && dropped[l.ownerOf(run, v.text(1, i))]
	}
	if l.name == settingsTable {
		gone = func(v *view, i int) bool {
			run, source := v.text(0, i), v.text(1, i)
			return w.droppedRuns[run] || w.droppedSettings[settingGroup{run, source}]
		}
	}
	found := errors.New("found")
	err := w.views(l, []part{p}, func(v *view) error {
		if l.name != settingsTable && !slices.ContainsFunc(v.texts[0].dict, func(run string) bool { return w.droppedRuns[run] || touched[run] }) {
			return nil // the dictionary is small and says enough
		}
		for i := range v.n {
			if gone(v, i) {
				return found
			}
		}
		return nil
	})
	if !errors.Is(err, found) {
		return p, err
	}
	return w.copyRows(l, []part{p}, gone)
}

// copyRows writes the rows of some parts to a new one, but for those that are
// gone. If none is left the result has no rows and no file.
func (w *Writer) copyRows(l *layout, parts []part, gone func(v *view, row int) bool) (part, error) {
	s := newStage(l, w.disk)
	defer s.reset()
	err := w.views(l, parts, func(v *view) error { return s.addView(v, gone) })
	if err != nil || s.rows == 0 {
		return part{}, err
	}
	return s.write()
}

// views yields the record batches of committed or just written parts.
func (w *Writer) views(l *layout, parts []part, yield func(*view) error) error {
	files, err := openParts(w.disk.dir, parts)
	if err != nil {
		return err
	}
	defer closeParts(files)
	for _, f := range files {
		if err := f.views(l, yield); err != nil {
			return err
		}
	}
	return nil
}

// mergeFew merges neighbours until there are few parts: each time the run of
// mergeParts with the fewest rows, so that a row is rewritten about once per
// sixteenfold growth of its table, and the order of rows stays. A part of fullRows is
// full, whatever its size.
func mergeFew(parts []part, fullRows int64, merge func([]part) (part, error)) ([]part, error) {
	for len(parts) > maxParts {
		full := 0
		for _, p := range parts {
			if p.Bytes >= fullPart || p.Rows >= fullRows {
				full++
			}
		}
		if len(parts)-min(full, maxFull) <= maxParts {
			break
		}
		best, fewest := 0, int64(-1)
		for i := range len(parts) - mergeParts + 1 {
			rows := int64(0)
			for _, p := range parts[i : i+mergeParts] {
				rows += p.Rows
			}
			if fewest < 0 || rows < fewest {
				best, fewest = i, rows
			}
		}
		p, err := merge(parts[best : best+mergeParts])
		if err != nil {
			return nil, err
		}
		parts = slices.Replace(slices.Clone(parts), best, best+mergeParts, p)
	}
	return parts, nil
}

// commitProblems writes the problems anew if any has changed: they are few.
func (w *Writer) commitProblems(next *manifest) error {
	if !w.problemsDirty {
		return nil
	}
	sources := make([]string, 0, len(w.problems))
	for source := range w.problems {
		sources = append(sources, source)
	}
	slices.Sort(sources)
	s := newStage(problemsLayout, w.disk)
	defer s.reset()
	for _, source := range sources {
		for i := range w.problems[source] {
			if err := s.addProblem(&w.problems[source][i]); err != nil {
				return err
			}
		}
	}
	if s.rows == 0 {
		next.setParts(problemsTable, nil)
		return nil
	}
	p, err := s.write()
	next.setParts(problemsTable, []part{p})
	return err
}

package datasets

import (
	"bytes"
	"fmt"
)

// yieldRows is how many rows a reader hands over at a time: few enough to stay
// in the processor's cache.
const yieldRows = 4096

// Reader gives the rows of a data set as it was when it was opened, whatever
// writers do meanwhile. Its methods may be called from several goroutines.
type Reader struct {
	dir   string
	m     *manifest
	parts map[string][]*partFile
}

// Open opens the data set in dir. The error is ErrNotDataset if there is none
// and ErrNewerSchema if this program is too old for it.
func Open(dir string) (*Reader, error) {
	var before []byte
	for {
		m, raw, err := readManifest(dir)
		if err != nil {
			return nil, err
		}
		r := &Reader{dir: dir, m: m, parts: map[string][]*partFile{}}
		for table, list := range m.Tables {
			if r.parts[table], err = openParts(dir, list.Parts); err != nil {
				break
			}
		}
		if err == nil {
			return r, nil
		}
		r.Close()
		// A writer may have replaced parts since dataset.json was read: then
		// it has changed, and is read again.
		if !isGone(err) {
			return nil, err
		}
		if bytes.Equal(raw, before) {
			return nil, fmt.Errorf("%s: a part that its %s lists is missing: copy the whole folder: %w", dir, manifestFile, err)
		}
		before = raw
	}
}

// Close closes the files. The garbage collector does so as well, but later.
func (r *Reader) Close() error {
	for _, parts := range r.parts {
		closeParts(parts)
	}
	return nil
}

// Counts gives the number of rows of each table.
func (r *Reader) Counts() map[string]int64 {
	counts := make(map[string]int64, len(r.m.Tables))
	for table, list := range r.m.Tables {
		counts[table] = list.Rows
	}
	return counts
}

// Sources gives the files that were read, by path. The slice is the reader's.
func (r *Reader) Sources() []Source { return r.m.Sources }

// Runs gives all runs and the factor and metric columns that they have beyond
// the built-in ones. A column that has different types in different parts is
// widened: whole numbers to numbers, anything else to text. Runs with the same
// factors may share one map of them: clone it before you write to it.
func (r *Reader) Runs() ([]Run, []Column, error) {
	columns, err := runColumnsOf(r.parts[runsTable])
	if err != nil {
		return nil, nil, err
	}
	runs := make([]Run, 0, r.m.Tables[runsTable].Rows)
	shared := newSharedFactors()
	err = eachRun(r.parts[runsTable], columns, func(batch []Run) error {
		for i := range batch {
			batch[i].Factors = shared.of(batch[i].Factors)
		}
		runs = append(runs, batch...)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return runs, columns.list, nil
}

// Intervals yields the report lines of all runs; those of a run come in order
// and together. The slice is valid until yield returns.
func (r *Reader) Intervals(yield func([]Interval) error) error {
	return eachRow(r.parts[intervalsTable], intervalsLayout, (*view).interval, yield)
}

// Buckets yields the histogram buckets of all runs, likewise.
func (r *Reader) Buckets(yield func([]Bucket) error) error {
	return eachRow(r.parts[histogramsTable], histogramsLayout, (*view).bucket, yield)
}

// Stacks yields the stacks of all runs, likewise. Frames may be kept.
func (r *Reader) Stacks(yield func([]Stack) error) error {
	return eachRow(r.parts[stacksTable], stacksLayout, (*view).stack, yield)
}

// Counters yields the counted events of all runs, likewise.
func (r *Reader) Counters(yield func([]Counter) error) error {
	return eachRow(r.parts[countersTable], countersLayout, (*view).counter, yield)
}

// Waits yields the wait events of all runs, likewise.
func (r *Reader) Waits(yield func([]Wait) error) error {
	return eachRow(r.parts[waitsTable], waitsLayout, (*view).wait, yield)
}

// Series yields the time series of all runs, likewise.
func (r *Reader) Series(yield func([]Sample) error) error {
	return eachRow(r.parts[seriesTable], seriesLayout, (*view).sample, yield)
}

// Settings yields the variables of all runs and servers, likewise.
func (r *Reader) Settings(yield func([]Setting) error) error {
	return eachRow(r.parts[settingsTable], settingsLayout, (*view).setting, yield)
}

// Problems gives what was not understood, by source.
func (r *Reader) Problems() ([]Problem, error) {
	return readProblems(r.parts[problemsTable])
}

func readProblems(parts []*partFile) ([]Problem, error) {
	var all []Problem
	err := eachRow(parts, problemsLayout, (*view).problem, func(p []Problem) error {
		all = append(all, p...)
		return nil
	})
	return all, err
}

// eachRow yields the rows of a fixed table in slices of bounded size.
func eachRow[R any](parts []*partFile, l *layout, fill func(*view, int, *R), yield func([]R) error) error {
	rows := make([]R, 0, yieldRows)
	for _, p := range parts {
		err := p.views(l, func(v *view) error {
			for i := range v.n {
				rows = rows[:len(rows)+1]
				fill(v, i, &rows[len(rows)-1])
				if len(rows) == yieldRows {
					if err := yield(rows); err != nil {
						return err
					}
					rows = rows[:0]
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return yield(rows)
}

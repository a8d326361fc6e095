// Package export writes the tables of a data set for other programs: Parquet for
// DuckDB, Spark, polars and R, Arrow for whatever maps it into memory, CSV for a
// spreadsheet, JSON lines for a pipe, and stacks as pprof or folded text.
//
// A folder is written at once: it appears under its name when everything in it is
// complete, with a datapackage.json that says what each column is, where the data
// come from and what was done to them, and the SHA-256 of each file, and a
// README.md that says the same to people. The same data set and choices give the
// same bytes. Read reads such a folder back.
package export

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"

	"noisefloor/datasets"
)

// Options are the choices of the user; of the zero value only Format is missing.
type Options struct {
	Format string   // one of Formats
	Tables []string // nil = all that have rows
	// Runs are those to export with what belongs to them, and Columns describes
	// their factors and metrics; nil = all of the data set.
	Runs    []datasets.Run
	Columns []datasets.Column
	// Span gives the time of a run that is kept: report lines with from < t <= to;
	// nil = all of it.
	Span func(runID string) (from, to float64)
	// PartitionBy names built-in columns and factors of runs; each of their levels
	// has a folder of its own, named as Hive does: day=2026-01-31.
	PartitionBy []string
	// Done says in sentences what was left out and changed, for the data dictionary.
	Done    []string
	Version string // of the program
	// Replace lets an earlier export of the same name go.
	Replace bool
}

// Written is what an export has written.
type Written struct {
	Tables []Table
	Bytes  int64
}

// Formats are the names of the formats: of tables first, then of profiles.
func Formats() []string {
	return append(slices.Sorted(maps.Keys(formats)), slices.Sorted(maps.Keys(profileFormats))...)
}

// format is a way to write a table.
type format struct {
	ext string
	// open begins a file. texts has the values of dictionary columns, if the format
	// needs to know them beforehand.
	open func(out *file, schema *arrow.Schema, texts dictionaries) (writer, error)
	// needsTexts: the rows are read twice, first for the values of dictionaries.
	needsTexts bool
}

var formats = map[string]format{
	"parquet": {ext: "parquet", open: newParquet},
	"arrow":   {ext: "arrow", open: newArrow, needsTexts: true},
	"csv":     {ext: "csv", open: newCSV},
	"jsonl":   {ext: "jsonl", open: newJSONLines},
}

// writer writes the rows of one file, a group of records at a time.
type writer interface {
	write(group []arrow.Record) error
	close() error
}

// Write exports a data set to the folder dir, which must not be there yet, or be
// empty. On an error, and when ctx ends, nothing is left of it.
func Write(ctx context.Context, r *datasets.Reader, dir string, opt Options) (Written, error) {
	profiles, isProfile := profileFormats[opt.Format]
	if _, ok := formats[opt.Format]; !ok && !isProfile {
		return Written{}, fmt.Errorf("there is no format %q; there are %s", opt.Format, strings.Join(Formats(), ", "))
	}
	e, err := newExport(ctx, r, opt)
	if err != nil {
		return Written{}, err
	}
	f, err := newFolder(dir, opt.Replace)
	if err != nil {
		return Written{}, err
	}
	e.folder = f
	if isProfile {
		err = e.stacks(profiles)
	} else {
		err = e.tables()
	}
	if err == nil {
		err = e.describe()
	}
	if err == nil {
		err = f.finish()
	}
	if err != nil {
		f.discard()
		return Written{}, err
	}
	return e.written(), nil
}

// export is one export on its way.
type export struct {
	ctx    context.Context
	r      *datasets.Reader
	opt    Options
	format format
	folder *folder
	places
	names []string // tables
	done  []*tableExport
}

func newExport(ctx context.Context, r *datasets.Reader, opt Options) (*export, error) {
	e := &export{ctx: ctx, r: r, opt: opt, format: formats[opt.Format], names: opt.Tables}
	if opt.Runs == nil {
		var err error
		if e.opt.Runs, e.opt.Columns, err = r.Runs(); err != nil {
			return nil, err
		}
	}
	have := r.Tables()
	if _, isProfile := profileFormats[opt.Format]; isProfile {
		if len(e.names) > 0 && !slices.Equal(e.names, []string{stacksTable}) {
			return nil, fmt.Errorf("%s holds %s and no other table", opt.Format, stacksTable)
		}
		e.names = []string{stacksTable}
	}
	if e.names == nil {
		e.names = have
	}
	for _, name := range e.names {
		if !slices.Contains(have, name) {
			return nil, fmt.Errorf("the data set has no rows in a table %q; it has %s", name, strings.Join(have, ", "))
		}
	}
	for _, name := range opt.PartitionBy {
		if name == "run_id" || !isFactor(name, e.opt.Columns) {
			return nil, fmt.Errorf("cannot partition by %q: it is no factor of the runs", name)
		}
	}
	e.places = placesBy(e.opt.Runs, opt.PartitionBy)
	return e, nil
}

// tables writes the tables one after the other.
func (e *export) tables() error {
	for _, name := range e.names {
		t := &tableExport{export: e, name: name, at: e.places, parts: map[string]*part{}, texts: map[string]dictionaries{}}
		read := t.rows
		if name == runsTable {
			read = t.runs
		}
		rows, err := read()
		if err == nil && len(t.at.by) > 0 {
			var alone bool
			if alone, err = t.runless(rows); alone {
				t.at = placesBy(t.opt.Runs, nil)
			}
		}
		if err == nil {
			err = t.write(rows)
		}
		e.done = append(e.done, t)
		if err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	return nil
}

const (
	runsTable      = "runs"
	intervalsTable = "intervals"
)

// rowsAtOnce is how many rows a row group of Parquet and a batch of rows under way
// have: enough for dictionaries and statistics to pay, 30 MB of report lines.
const rowsAtOnce = 1 << 18

// isFactor tells what runs can be told apart by.
func isFactor(name string, columns []datasets.Column) bool {
	if _, ok := datasets.Builtin(name); ok {
		return true
	}
	return slices.ContainsFunc(columns, func(c datasets.Column) bool { return c.Name == name && c.Role != datasets.Metric })
}

// stopped says that the context ended.
func (e *export) stopped() error {
	if e.ctx.Err() != nil {
		return errors.New("the export was stopped; nothing of it was kept")
	}
	return nil
}

// folder is the folder in the making.
type folder struct {
	final, temp string
	replaces    bool
}

func newFolder(dir string, replace bool) (*folder, error) {
	dir = filepath.Clean(dir)
	f := &folder{final: dir, temp: filepath.Join(filepath.Dir(dir), fmt.Sprintf(".noisefloor-export-%d-%s", os.Getpid(), filepath.Base(dir)))}
	switch entries, err := os.ReadDir(dir); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, err
	case len(entries) > 0 && !replace:
		return nil, fmt.Errorf("%s is not empty: name another folder, or say --replace if it is an earlier export", dir)
	case len(entries) > 0:
		if _, err := os.Stat(filepath.Join(dir, packageFile)); err != nil {
			return nil, fmt.Errorf("%s is not replaced: it has no %s, so it is no export", dir, packageFile)
		}
		f.replaces = true
	default:
		f.replaces = true // empty
	}
	if err := os.RemoveAll(f.temp); err != nil { // of a process of the same number that was killed
		return nil, err
	}
	return f, os.MkdirAll(f.temp, 0o777)
}

// finish gives the folder its name, after its files have reached the disk.
func (f *folder) finish() error {
	if err := syncTree(f.temp); err != nil {
		return err
	}
	if f.replaces {
		old := f.temp + "-old"
		if err := os.Rename(f.final, old); err != nil {
			return err
		}
		if err := os.Rename(f.temp, f.final); err != nil {
			return errors.Join(err, os.Rename(old, f.final))
		}
		return os.RemoveAll(old)
	}
	if err := os.Rename(f.temp, f.final); err != nil {
		return err
	}
	return datasets.SyncFolder(filepath.Dir(f.final))
}

func (f *folder) discard() { os.RemoveAll(f.temp) }

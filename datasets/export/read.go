package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// IsExport tells whether a folder is an export that Read reads.
func IsExport(dir string) bool {
	raw, err := os.ReadFile(filepath.Join(dir, packageFile))
	if err != nil {
		return false
	}
	var head struct {
		Schema string `json:"noisefloor"`
	}
	return json.Unmarshal(raw, &head) == nil && strings.HasPrefix(head.Schema, "noisefloor/export/")
}

// Read gives an export back as batches for a datasets.Writer: runs with what
// belongs to them, and where they came from. Files that are not as they were
// written are an error. The report lines go by in batches; everything else is held
// in memory.
func Read(dir string, add func(*datasets.Batch) error) error {
	in := &reading{dir: dir, add: add}
	if err := in.open(); err != nil {
		return err
	}
	var rest datasets.Batch
	for i := range in.pack.Resources {
		if r := &in.pack.Resources[i]; r.Name != intervalsTable {
			if err := in.table(r, func(rec arrow.Record) error { return rest.AddRecord(r.Name, in.columns, rec) }); err != nil {
				return err
			}
		}
	}
	in.runs, in.rest = map[string]*datasets.Run{}, rest
	for i := range rest.Runs {
		in.runs[rest.Runs[i].ID] = &rest.Runs[i]
	}
	for _, b := range rest.Buckets {
		if in.buckets == nil {
			in.buckets = map[string][]datasets.Bucket{}
		}
		in.buckets[b.RunID] = append(in.buckets[b.RunID], b)
	}
	return in.hand()
}

// reading is an export that is being read.
type reading struct {
	dir     string
	add     func(*datasets.Batch) error
	pack    pack
	columns []datasets.Column
	rest    datasets.Batch // all but report lines
	runs    map[string]*datasets.Run
	buckets map[string][]datasets.Bucket
	given   map[string]bool
	batch   datasets.Batch
}

func (in *reading) open() error {
	raw, err := os.ReadFile(filepath.Join(in.dir, packageFile))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &in.pack); err != nil {
		return fmt.Errorf("%s: %s is damaged: %w", in.dir, packageFile, err)
	}
	if in.pack.Schema != schemaName {
		return fmt.Errorf("%s: its %s is %q, this program reads %q", in.dir, packageFile, in.pack.Schema, schemaName)
	}
	hasRuns := false
	for _, r := range in.pack.Resources {
		if r.Name == runsTable {
			hasRuns = true
			in.columns = columnsOf(r.Schema.Fields)
		}
	}
	if !hasRuns {
		return fmt.Errorf("%s is an export without the table %s, which says what the others are about", in.dir, runsTable)
	}
	return nil
}

// columnsOf are the factors and metrics among fields.
func columnsOf(fields []packedField) []datasets.Column {
	var columns []datasets.Column
	for _, f := range fields {
		if _, isBuiltin := datasets.Builtin(f.Name); isBuiltin {
			continue
		}
		c := datasets.Column{Name: f.Name, Role: datasets.Role(f.Role), Guess: f.Guess}
		for kind, name := range tableTypes {
			if name == f.Type && kind != datasets.Null {
				c.Kind = kind
			}
		}
		if c.Role == datasets.Metric {
			c.Unit.Name = f.Unit
			for _, b := range []unit.Better{unit.Higher, unit.Lower} {
				if b.String() == f.Better {
					c.Unit.Better = b
				}
			}
		}
		columns = append(columns, c)
	}
	return columns
}

// linesAtOnce is how many report lines a batch has at least, but for the last.
const linesAtOnce = 1 << 18

// hand hands everything over: runs with their report lines as these go by, then
// the runs without any, then what belongs to no run.
func (in *reading) hand() error {
	in.given = map[string]bool{}
	in.batch.Columns = in.columns
	for _, s := range in.pack.Sources {
		in.batch.Sources = append(in.batch.Sources, datasets.Source{Path: s.Path, SHA256: strings.TrimPrefix(s.Hash, "sha256:"), Size: s.Bytes, Kind: s.Kind, Tool: s.Tool, Version: s.Version, Runs: s.Runs})
	}
	for i := range in.pack.Resources {
		if r := &in.pack.Resources[i]; r.Name == intervalsTable {
			if err := in.table(r, in.lines); err != nil {
				return err
			}
		}
	}
	for i := range in.rest.Runs {
		in.take(in.rest.Runs[i].ID)
	}
	b, rest := &in.batch, &in.rest
	b.Stacks, b.Counters, b.Waits, b.Series, b.Settings, b.Problems = rest.Stacks, rest.Counters, rest.Waits, rest.Series, rest.Settings, rest.Problems
	return in.add(b)
}

// take puts a run into the batch.
func (in *reading) take(id string) bool {
	run := in.runs[id]
	if run == nil || in.given[id] {
		return run != nil
	}
	in.given[id] = true
	in.batch.Runs = append(in.batch.Runs, *run)
	in.batch.Buckets = append(in.batch.Buckets, in.buckets[id]...)
	return true
}

func (in *reading) lines(rec arrow.Record) error {
	var some datasets.Batch
	if err := some.AddRecord(intervalsTable, nil, rec); err != nil {
		return err
	}
	for from := 0; from < some.Intervals.Len(); {
		id, to := some.Intervals.Run(from)
		if !in.given[id] && in.batch.Intervals.Len() >= linesAtOnce {
			if err := in.add(&in.batch); err != nil {
				return err
			}
			in.batch = datasets.Batch{Columns: in.columns}
		}
		if !in.take(id) {
			return fmt.Errorf("report lines of run %q, which is not in %s", id, runsTable)
		}
		in.batch.Intervals.AddRun(id, &some.Intervals, from, to)
		from = to
	}
	return nil
}

// table reads the files of a table, with the columns that stand in their paths.
func (in *reading) table(r *resource, yield func(arrow.Record) error) error {
	for _, f := range r.Files {
		if err := in.file(r, f, yield); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(in.dir, filepath.FromSlash(f.Path)), err)
		}
	}
	return nil
}

func (in *reading) file(r *resource, f packedFile, yield func(arrow.Record) error) error {
	if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
		return errors.New("the path leads out of the folder")
	}
	file, err := os.Open(filepath.Join(in.dir, filepath.FromSlash(f.Path)))
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	if got := "sha256:" + hex.EncodeToString(sum.Sum(nil)); got != f.Hash {
		return fmt.Errorf("the file is not as it was written: its SHA-256 is not the one in %s", packageFile)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var own []packedField // that stand in the file
	levels := map[string]string{}
	for _, segment := range strings.Split(f.Path, "/") {
		if name, level, ok := strings.Cut(segment, "="); ok {
			name, _, err := hiveLevel(name)
			if err != nil {
				return err
			}
			levels[name] = level
		}
	}
	var partitions []packedField
	for _, field := range r.Schema.Fields {
		if field.In == "path" {
			partitions = append(partitions, field)
		} else {
			own = append(own, field)
		}
	}
	whole := func(rec arrow.Record) error {
		for _, p := range partitions {
			var err error
			if rec, err = withLevel(rec, p, levels[p.Name]); err != nil {
				return err
			}
		}
		return yield(rec)
	}
	switch r.Format {
	case "parquet", "arrow":
		table, err := datasets.OpenForeign(file)
		if err != nil {
			return err
		}
		defer table.Close()
		if len(table.Skipped) > 0 {
			return errors.New(strings.Join(table.Skipped, "; "))
		}
		return table.Records(whole)
	case "csv":
		return readText(own, csvRows(bufio.NewReaderSize(file, 1<<16)), whole)
	case "jsonl":
		return readText(own, jsonRows(bufio.NewReaderSize(file, 1<<16), own), whole)
	}
	return fmt.Errorf("there is no format %q", r.Format)
}

// withLevel adds the column of a partition to a record.
func withLevel(rec arrow.Record, field packedField, level string) (arrow.Record, error) {
	text, known, err := hiveLevel(level)
	if err != nil {
		return nil, err
	}
	b := array.NewBuilder(memory.DefaultAllocator, fieldTypes[field.Type])
	for range rec.NumRows() {
		if !known {
			b.AppendNull()
		} else if err := appendText(b, text); err != nil {
			return nil, err
		}
	}
	s := rec.Schema()
	fields := append(append([]arrow.Field{}, s.Fields()...), arrow.Field{Name: field.Name, Type: fieldTypes[field.Type], Nullable: true})
	meta := s.Metadata()
	return array.NewRecord(arrow.NewSchema(fields, &meta), append(append([]arrow.Array{}, rec.Columns()...), b.NewArray()), rec.NumRows()), nil
}

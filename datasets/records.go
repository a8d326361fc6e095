package datasets

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"noisefloor/datasets/unit"
)

// Tables lists the tables of the data set that have rows.
func (r *Reader) Tables() []string {
	var tables []string
	for _, table := range tableNames {
		if r.m.Tables[table].Rows > 0 {
			tables = append(tables, table)
		}
	}
	return tables
}

// Schema gives the columns of a table that has rows: those of any of its parts,
// a column that has different types in different parts as wide as Runs gives it.
func (r *Reader) Schema(table string) (*arrow.Schema, error) {
	if !slices.Contains(r.Tables(), table) {
		return nil, fmt.Errorf("the data set %s has no table %q; it has %v", r.dir, table, r.Tables())
	}
	var fields []arrow.Field
	at := map[string]int{}
	checkAll(r.parts[table])
	for _, p := range r.parts[table] {
		err := p.read(func(f *ipc.FileReader) error {
			for _, field := range f.Schema().Fields() {
				i, known := at[field.Name]
				if !known {
					at[field.Name] = len(fields)
					fields = append(fields, field)
					continue
				}
				t, err := widestType(fields[i].Type, field.Type)
				if err != nil {
					return fmt.Errorf("part %s, column %q: %w", p.File, field.Name, err)
				}
				field.Type, field.Nullable = t, field.Nullable || fields[i].Nullable
				fields[i] = field // later parts know better what a column is
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return arrow.NewSchema(fields, tableMetadata(table)), nil
}

// widestType is widen for types of Arrow.
func widestType(a, b arrow.DataType) (arrow.DataType, error) {
	if arrow.TypeEqual(a, b) {
		return a, nil
	}
	ka, err := kindOf(a)
	if err != nil {
		return nil, err
	}
	kb, err := kindOf(b)
	if err != nil {
		return nil, err
	}
	return fieldOf(Column{Kind: widen(ka, kb)}).Type, nil
}

// Records yields the rows of a table in order as record batches of the schema
// that Schema gives; each batch has dictionaries of its own. It is for
// analysis/frame and datasets/export; everything else takes rows.
func (r *Reader) Records(table string, yield func(arrow.Record) error) error {
	schema, err := r.Schema(table)
	if err != nil {
		return err
	}
	for _, p := range r.parts[table] {
		dicts := dictCache{}
		err := p.records(func(rec arrow.Record) error {
			columns := make([]arrow.Array, len(schema.Fields()))
			for i, f := range schema.Fields() {
				var err error
				if columns[i], err = asType(columnOf(rec, f.Name), f, dicts, int(rec.NumRows())); err != nil {
					return fmt.Errorf("part %s, column %q: %w", p.File, f.Name, err)
				}
			}
			return yield(array.NewRecord(schema, columns, rec.NumRows()))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// asType gives a column of n rows the type of the field. nil is all null.
func asType(arr arrow.Array, f arrow.Field, dicts dictCache, n int) (arrow.Array, error) {
	switch {
	case arr == nil:
		return array.MakeArrayOfNull(memory.DefaultAllocator, f.Type, n), nil
	case arrow.TypeEqual(arr.DataType(), f.Type):
		return arr, nil
	case f.Type.ID() == arrow.FLOAT64:
		v, err := floatsOf(arr, n)
		if err != nil {
			return nil, err
		}
		return floatArray(slices.Clone(v)), nil
	case f.Type.ID() == arrow.INT64:
		v, isNull, err := intsOf(arr, n)
		if err != nil {
			return nil, err
		}
		b := array.NewInt64Builder(memory.DefaultAllocator)
		for i := range n {
			if isNull(i) {
				b.AppendNull()
			} else {
				b.Append(v[i])
			}
		}
		return b.NewArray(), nil
	}
	// Text, which holds everything.
	value, err := valuesOf(arr, f.Name, dicts, n)
	if err != nil {
		return nil, err
	}
	d := &dictionary{}
	codes := make([]int32, n)
	for i := range codes {
		codes[i] = nullCode
		if arr.IsValid(i) {
			codes[i] = d.codeOf(value(i).String())
		}
	}
	return codeArray(codes, d.array()), nil
}

// RunTable writes runs as record batches of one schema: the columns that any of
// the runs has.
type RunTable struct {
	Schema *arrow.Schema
	plan   *runPlan
}

// NewRunTable takes all runs that will be written.
func NewRunTable(runs []Run, columns []Column) (*RunTable, error) {
	plan, err := planRuns(setOf(columns), func(yield func([]Run) error) error { return yield(runs) })
	if err != nil {
		return nil, err
	}
	return &RunTable{plan.schema(), plan}, nil
}

// Records yields some of the runs.
func (t *RunTable) Records(runs []Run, yield func(arrow.Record) error) error {
	for batch := range slices.Chunk(runs, runsPerRecord) {
		if err := yield(t.plan.record(t.Schema, batch)); err != nil {
			return err
		}
	}
	return nil
}

func setOf(columns []Column) *columnSet {
	set := &columnSet{}
	for _, c := range columns {
		set.add(c)
	}
	return set
}

// Builtin describes a built-in column of runs; false if there is none of that name.
func Builtin(name string) (Column, bool) {
	for i := range builtins {
		if b := &builtins[i]; b.name == name {
			c := Column{Name: name, Role: b.role, Unit: unit.Unit{Name: b.unit}, Kind: TextKind}
			switch {
			case b.count != nil:
				c.Kind = IntKind
			case b.number != nil:
				c.Kind = FloatKind
			}
			return c, true
		}
	}
	return Column{}, false
}

// AddRecord adds the rows of a record of a table to the batch; columns describes
// the factors and metrics of runs.
func (b *Batch) AddRecord(table string, columns []Column, rec arrow.Record) error {
	switch table {
	case runsTable:
		runs, err := runsOf(rec, dictCache{}, setOf(columns))
		b.Runs = append(b.Runs, runs...)
		return err
	case intervalsTable:
		var rows []Interval
		err := addRecord(rec, intervalsLayout, (*view).interval, &rows)
		b.Intervals.Add(rows...)
		return err
	case histogramsTable:
		return addRecord(rec, histogramsLayout, (*view).bucket, &b.Buckets)
	case stacksTable:
		return addRecord(rec, stacksLayout, (*view).stack, &b.Stacks)
	case countersTable:
		return addRecord(rec, countersLayout, (*view).counter, &b.Counters)
	case waitsTable:
		return addRecord(rec, waitsLayout, (*view).wait, &b.Waits)
	case seriesTable:
		var rows []Sample
		err := addRecord(rec, seriesLayout, (*view).sample, &rows)
		b.Series.Add(rows...)
		return err
	case settingsTable:
		return addRecord(rec, settingsLayout, (*view).setting, &b.Settings)
	case problemsTable:
		return addRecord(rec, problemsLayout, (*view).problem, &b.Problems)
	}
	return fmt.Errorf("there is no table %q", table)
}

func addRecord[R any](rec arrow.Record, l *layout, fill func(*view, int, *R), into *[]R) error {
	v, err := viewOf(rec, l, dictCache{})
	if err != nil {
		return err
	}
	at := len(*into)
	*into = append(*into, make([]R, v.n)...)
	for i := range v.n {
		fill(v, i, &(*into)[at+i])
	}
	return nil
}

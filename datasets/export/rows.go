package export

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"noisefloor/datasets"
)

// tableExport is one table on its way.
type tableExport struct {
	*export
	name    string
	schema  *arrow.Schema // of the files
	at      places
	parts   map[string]*part
	texts   map[string]dictionaries // by place
	pending int                     // rows that wait in all parts
	read    int                     // rows that were read since the waiting ones were copied
	writing chan error              // gives the outcome of the group that is being written; nil = none is
}

// part is the file of one partition and the rows that wait to be written to it.
type part struct {
	place   string
	out     *file
	w       writer
	wait    []arrow.Record
	copied  int // the first of wait are copies
	waiting int // rows of wait
	rows    int64
}

// rowSource yields the rows of a table with the place where they belong. It can be
// asked twice.
type rowSource func(yield func(place string, rec arrow.Record) error) error

// runs gives the runs, partition by partition. The factors that partitions are
// made by stand in the names of folders, and so not in the files.
func (t *tableExport) runs() (rowSource, error) {
	table, err := datasets.NewRunTable(t.opt.Runs, t.opt.Columns)
	if err != nil {
		return nil, err
	}
	var kept []int
	var fields []arrow.Field
	for i, f := range table.Schema.Fields() {
		if !slices.Contains(t.opt.PartitionBy, f.Name) {
			kept, fields = append(kept, i), append(fields, f)
		}
	}
	meta := table.Schema.Metadata()
	t.schema = arrow.NewSchema(fields, &meta)
	byPlace := map[int][]datasets.Run{}
	for _, r := range t.opt.Runs {
		byPlace[t.at.of[r.ID]] = append(byPlace[t.at.of[r.ID]], r)
	}
	return func(yield func(place string, rec arrow.Record) error) error {
		for _, k := range slices.Sorted(maps.Keys(byPlace)) {
			err := table.Records(byPlace[k], func(rec arrow.Record) error {
				columns := make([]arrow.Array, len(kept))
				for c, i := range kept {
					columns[c] = rec.Column(i)
				}
				return yield(t.at.folders[k], array.NewRecord(t.schema, columns, rec.NumRows()))
			})
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// rows gives the rows of another table that belong to an exported run, or to none.
func (t *tableExport) rows() (rowSource, error) {
	var err error
	if t.schema, err = t.r.Schema(t.name); err != nil {
		return nil, err
	}
	// A column of its own says more than the folder would: the threads of an interval.
	if slices.ContainsFunc(t.opt.PartitionBy, t.schema.HasField) {
		t.at = placesBy(t.opt.Runs, slices.DeleteFunc(slices.Clone(t.opt.PartitionBy), t.schema.HasField))
	}
	return func(yield func(place string, rec arrow.Record) error) error {
		return t.r.Records(t.name, func(rec arrow.Record) error {
			if err := t.stopped(); err != nil {
				return err
			}
			place, err := t.placesIn(rec)
			if err != nil {
				return err
			}
			n := int(rec.NumRows())
			t.read += n
			for i := 0; i < n; {
				from, k := i, place(i)
				for i++; i < n && place(i) == k; i++ {
				}
				if k < 0 {
					continue
				}
				if err := yield(t.at.folders[k], rec.NewSlice(int64(from), int64(i))); err != nil {
					return err
				}
			}
			return nil
		})
	}, nil
}

// runless tells whether no row of a table belongs to a run. Readers that see only the
// partition without a level cannot tell the types of its columns, and such a table has
// nothing to be partitioned by.
func (t *tableExport) runless(rows rowSource) (bool, error) {
	none := t.at.of[""]
	for id, place := range t.at.of {
		if id != "" && place == none {
			return false, nil // runs without a level
		}
	}
	found := errors.New("a row of a run")
	err := rows(func(place string, _ arrow.Record) error {
		if place != t.at.folders[none] {
			return found
		}
		return nil
	})
	if err == found {
		return false, nil
	}
	return err == nil, err
}

// placesIn tells of each row of a record which place it belongs to, -1 for none.
func (t *tableExport) placesIn(rec arrow.Record) (func(row int) int, error) {
	ids, isIDs := columnOf(rec, "run_id").(*array.Dictionary)
	if !isIDs { // problems
		return func(int) int { return t.at.whole }, nil
	}
	names, ok := ids.Dictionary().(*array.String)
	if !ok {
		return nil, fmt.Errorf("run_id has the type %s", ids.DataType())
	}
	place := make([]int, names.Len())
	from, to := make([]float64, names.Len()), make([]float64, names.Len())
	times, isTimed := columnOf(rec, "t_s").(*array.Float64)
	trims := t.opt.Span != nil && isTimed && t.name == intervalsTable
	for code := range place {
		id := names.Value(code)
		k, ok := t.at.of[id]
		if !ok {
			k = -1
		}
		place[code] = k
		if trims && k >= 0 {
			from[code], to[code] = t.opt.Span(id)
		}
	}
	return func(row int) int {
		if ids.IsNull(row) {
			return t.at.of[""]
		}
		code := ids.GetValueIndex(row)
		if trims && !(times.Value(row) > from[code] && times.Value(row) <= to[code]) {
			return -1
		}
		return place[code]
	}, nil
}

func columnOf(rec arrow.Record, name string) arrow.Array {
	at := rec.Schema().FieldIndices(name)
	if len(at) == 0 {
		return nil
	}
	return rec.Column(at[0])
}

// write reads the rows and writes them.
func (t *tableExport) write(rows rowSource) (err error) {
	defer func() { err = cmp.Or(err, t.written()) }()
	if t.format.needsTexts {
		err := rows(func(place string, rec arrow.Record) error {
			if t.texts[place] == nil {
				t.texts[place] = dictionaries{}
			}
			return t.texts[place].learn(rec)
		})
		if err != nil {
			return err
		}
	}
	if err := rows(t.add); err != nil {
		return err
	}
	for _, place := range slices.Sorted(maps.Keys(t.parts)) {
		p := t.parts[place]
		if err := cmp.Or(t.flush(p, p.waiting), t.written()); err != nil {
			return err
		}
		if err := p.w.close(); err != nil {
			return err
		}
		if err := p.out.close(); err != nil {
			return err
		}
	}
	return nil
}

// mostPending is how many rows may wait in all partitions together: about 100 MB of
// report lines.
const mostPending = 4 * rowsAtOnce

// add takes rows of one place in.
func (t *tableExport) add(place string, rec arrow.Record) error {
	p := t.parts[place]
	if p == nil {
		out, err := t.folder.create(t.name + "/" + place + "part-0." + t.format.ext)
		if err != nil {
			return err
		}
		p = &part{place: place, out: out}
		if p.w, err = t.format.open(out, t.schema, t.texts[place]); err != nil {
			return err
		}
		t.parts[place] = p
	}
	p.wait = append(p.wait, rec)
	p.waiting += int(rec.NumRows())
	t.pending += int(rec.NumRows())
	for p.waiting >= rowsAtOnce {
		if err := t.flush(p, rowsAtOnce); err != nil {
			return err
		}
	}
	// What waits keeps the whole records that it is a part of in memory.
	if t.read >= rowsAtOnce {
		return t.settle()
	}
	return nil
}

// settle copies what waits out of the records it came in, and writes what waits
// most if it is too much.
func (t *tableExport) settle() error {
	t.read = 0
	for _, p := range t.parts {
		if len(p.wait) == p.copied {
			continue
		}
		rec, err := joined(t.schema, p.wait[p.copied:])
		if err != nil {
			return err
		}
		clear(p.wait[p.copied:])
		p.wait = append(p.wait[:p.copied], rec)
		p.copied++
	}
	for t.pending > mostPending {
		var most *part
		for _, place := range slices.Sorted(maps.Keys(t.parts)) {
			if p := t.parts[place]; most == nil || p.waiting > most.waiting {
				most = p
			}
		}
		if err := t.flush(most, most.waiting); err != nil {
			return err
		}
	}
	return nil
}

// flush writes the first rows that wait, while the next are read.
func (t *tableExport) flush(p *part, rows int) error {
	if rows == 0 {
		return nil
	}
	var group []arrow.Record
	for need := rows; need > 0; {
		rec := p.wait[0]
		n := int(rec.NumRows())
		if n <= need {
			p.wait[0] = nil // or the part would keep it
			group, p.wait, need = append(group, rec), p.wait[1:], need-n
			p.copied = max(p.copied-1, 0)
			continue
		}
		group = append(group, rec.NewSlice(0, int64(need)))
		p.wait[0] = rec.NewSlice(int64(need), int64(n))
		need = 0
	}
	p.waiting -= rows
	t.pending -= rows
	p.rows += int64(rows)
	if err := t.written(); err != nil {
		return err
	}
	done := make(chan error, 1)
	t.writing = done
	go func() { done <- p.w.write(group) }()
	return nil
}

// written waits for the group that is being written.
func (t *tableExport) written() error {
	if t.writing == nil {
		return nil
	}
	err := <-t.writing
	t.writing = nil
	return err
}

// together makes one record of several.
func together(schema *arrow.Schema, recs []arrow.Record) (arrow.Record, error) {
	if len(recs) == 1 {
		return recs[0], nil
	}
	return joined(schema, recs)
}

// joined is a copy of several records.
func joined(schema *arrow.Schema, recs []arrow.Record) (arrow.Record, error) {
	columns := make([]arrow.Array, len(schema.Fields()))
	rows := int64(0)
	for _, rec := range recs {
		rows += rec.NumRows()
	}
	for c := range columns {
		pieces := make([]arrow.Array, len(recs))
		for i, rec := range recs {
			pieces[i] = rec.Column(c)
		}
		var err error
		if columns[c], err = array.Concatenate(pieces, memory.DefaultAllocator); err != nil {
			return nil, err
		}
	}
	return array.NewRecord(schema, columns, rows), nil
}

package frame

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/go-gota/gota/series"

	"noisefloor/datasets"
)

// FromRecords makes a frame of so many rows that come as record batches of one
// schema.
func FromRecords(schema *arrow.Schema, rows int, each func(yield func(arrow.Record) error) error) (Frame, error) {
	f := Frame{fields: map[string]arrow.Field{}, meta: schema.Metadata()}
	for _, field := range schema.Fields() {
		if seriesType(field.Type) == "" {
			return Frame{}, fmt.Errorf("frame: gota has no column for %q of type %s", field.Name, field.Type)
		}
		if _, twice := f.fields[field.Name]; twice || field.Name == "" {
			return Frame{}, fmt.Errorf("frame: gota needs a name of its own for each column, not %q", field.Name)
		}
		f.fields[field.Name] = field
	}
	if len(f.fields) == 0 {
		return Frame{}, fmt.Errorf("frame: a table without columns")
	}
	// The next records are decompressed while others are being copied.
	records := make(chan arrow.Record, 2)
	enough := make(chan struct{})
	var failed error
	go func() {
		defer close(records)
		failed = each(func(rec arrow.Record) error {
			rec.Retain()
			select {
			case records <- rec:
				return nil
			case <-enough:
				rec.Release()
				return errRagged
			}
		})
	}()
	columns := make([]series.Series, schema.NumFields())
	fill := make([]filler, len(columns))
	err := onBoth(len(columns), func(c int) error {
		columns[c], fill[c] = newFiller(schema.Field(c), rows)
		return nil
	})
	at := 0
	for rec := range records {
		if err == nil {
			n := int(rec.NumRows())
			if int(rec.NumCols()) != len(columns) || n > rows-at {
				err = errRagged
			} else {
				err = onBoth(len(columns), func(c int) error { return fill[c](at, rec.Column(c)) })
			}
			if at += n; err != nil {
				close(enough)
			}
		}
		rec.Release()
	}
	switch {
	case err != nil:
	case failed != nil:
		err = failed
	case at != rows:
		err = errRagged
	}
	f.DataFrame = newFrame(columns, rows)
	return f, err
}

// onBoth does something with each of n columns on two goroutines, which halve the
// time; more find no memory bandwidth.
func onBoth(n int, do func(c int) error) error {
	errs := make([]error, n)
	var next atomic.Int32
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for c := int(next.Add(1)) - 1; c < n; c = int(next.Add(1)) - 1 {
				errs[c] = do(c)
			}
		})
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// filler writes a column of a record batch into the frame, from row at on.
type filler func(at int, arr arrow.Array) error

// newFiller makes a column, all of it zero and nothing null, and what fills it.
func newFiller(field arrow.Field, rows int) (series.Series, filler) {
	switch t := seriesType(field.Type); t {
	case series.Float:
		s, cells := newColumn[float64](field.Name, t, rows)
		return s, func(at int, arr arrow.Array) error { return fillFloats(cells[at:], arr) }
	case series.Int:
		s, cells := newColumn[int](field.Name, t, rows)
		return s, func(at int, arr arrow.Array) error { return fillInts(cells[at:], arr) }
	case series.Bool:
		s, cells := newColumn[bool](field.Name, t, rows)
		return s, func(at int, arr arrow.Array) error { return fillBools(cells[at:], arr) }
	default:
		s, cells := newColumn[string](field.Name, t, rows)
		return s, func(at int, arr arrow.Array) error { return fillTexts(cells[at:], arr) }
	}
}

func fillFloats(cells []cell[float64], arr arrow.Array) error {
	switch a := arr.(type) {
	case *array.Float64:
		put(cells, a, a.Float64Values())
	case *array.Float32:
		put(cells, a, a.Float32Values())
	default:
		return errType(arr)
	}
	return nil
}

func fillInts(cells []cell[int], arr arrow.Array) error {
	switch a := arr.(type) {
	case *array.Int64:
		put(cells, a, a.Int64Values())
	case *array.Int32:
		put(cells, a, a.Int32Values())
	case *array.Int16:
		put(cells, a, a.Int16Values())
	case *array.Int8:
		put(cells, a, a.Int8Values())
	case *array.Uint32:
		put(cells, a, a.Uint32Values())
	case *array.Uint16:
		put(cells, a, a.Uint16Values())
	case *array.Uint8:
		put(cells, a, a.Uint8Values())
	default:
		return errType(arr)
	}
	return nil
}

func fillBools(cells []cell[bool], arr arrow.Array) error {
	a, ok := arr.(*array.Boolean)
	if !ok {
		return errType(arr)
	}
	putEach(cells, a, a.Value)
	return nil
}

func fillTexts(cells []cell[string], arr arrow.Array) error {
	switch a := arr.(type) {
	case *array.String:
		putEach(cells, a, func(i int) string { return strings.Clone(a.Value(i)) })
	case *array.LargeString:
		putEach(cells, a, func(i int) string { return strings.Clone(a.Value(i)) })
	case *array.Timestamp:
		write := timeWriter(a.DataType().(*arrow.TimestampType))
		putEach(cells, a, func(i int) string { return write(a.Value(i)) })
	case *array.List:
		items, err := itemsOf(a.ListValues())
		if err != nil {
			return err
		}
		var list []string
		putEach(cells, a, func(i int) string {
			list = list[:0]
			for from, to := a.ValueOffsets(i); from < to; from++ {
				list = append(list, items(int(from)))
			}
			return datasets.Fold(list)
		})
	case *array.Dictionary:
		texts, err := textsOf(a.Dictionary())
		if err != nil {
			return err
		}
		if codes, ok := a.Indices().(*array.Int32); ok {
			putEach(cells, a, func(i int) string { return texts[codes.Value(i)] })
		} else {
			putEach(cells, a, func(i int) string { return texts[a.GetValueIndex(i)] })
		}
	default:
		return errType(arr)
	}
	return nil
}

func errType(arr arrow.Array) error {
	return fmt.Errorf("frame: gota has no column for %s", arr.DataType())
}

type number interface {
	int | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | float32 | float64
}

// put writes numbers into cells that are zero.
func put[V, W number](cells []cell[V], arr arrow.Array, values []W) {
	if arr.NullN() > 0 {
		putEach(cells, arr, func(i int) V { return V(values[i]) })
		return
	}
	for i, v := range values {
		cells[i].value = V(v)
	}
}

// putEach writes values into cells that are zero.
func putEach[V any](cells []cell[V], arr arrow.Array, value func(i int) V) {
	for i := range arr.Len() {
		if arr.IsValid(i) {
			cells[i].value = value(i)
		} else {
			cells[i].null = true
		}
	}
}

// itemsOf gives the texts that lists are made of.
func itemsOf(arr arrow.Array) (func(i int) string, error) {
	if a, ok := arr.(*array.Dictionary); ok {
		texts, err := textsOf(a.Dictionary())
		return func(i int) string { return texts[a.GetValueIndex(i)] }, err
	}
	texts, err := textsOf(arr)
	return func(i int) string { return texts[i] }, err
}

func textsOf(dict arrow.Array) ([]string, error) {
	texts := make([]string, dict.Len())
	switch d := dict.(type) {
	case *array.String:
		for i := range texts {
			texts[i] = strings.Clone(d.Value(i))
		}
	case *array.LargeString:
		for i := range texts {
			texts[i] = strings.Clone(d.Value(i))
		}
	default:
		return nil, fmt.Errorf("frame: gota has no column for a dictionary of %s", dict.DataType())
	}
	return texts, nil
}

// timeLayouts write a point in time in UTC with as many decimals as its unit has,
// so that texts sort as times do.
var timeLayouts = map[arrow.TimeUnit]string{
	arrow.Second: "2006-01-02T15:04:05Z", arrow.Millisecond: "2006-01-02T15:04:05.000Z",
	arrow.Microsecond: "2006-01-02T15:04:05.000000Z", arrow.Nanosecond: "2006-01-02T15:04:05.000000000Z",
}

func timeWriter(t *arrow.TimestampType) func(arrow.Timestamp) string {
	layout := timeLayouts[t.Unit]
	return func(ts arrow.Timestamp) string { return ts.ToTime(t.Unit).UTC().Format(layout) }
}

// Record gives the frame back to Arrow as one record batch. A column whose type
// is not known, because gota made it, is text, int64, float64 or boolean. A
// dictionary is in order of first appearance. NaN is null, as everywhere in
// noisefloor.
func (f Frame) Record() (arrow.Record, error) {
	if f.Err != nil {
		return nil, f.Err
	}
	var fields []arrow.Field
	var columns []arrow.Array
	for c, name := range f.Names() {
		field, known := f.fields[name]
		if !known || seriesType(field.Type) != f.Types()[c] {
			field = arrow.Field{Name: name, Nullable: true, Type: plainTypes[f.Types()[c]]}
		}
		arr, err := f.column(c, field)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", name, err)
		}
		fields, columns = append(fields, field), append(columns, arr)
	}
	return array.NewRecord(arrow.NewSchema(fields, &f.meta), columns, int64(f.Nrow())), nil
}

var plainTypes = map[series.Type]arrow.DataType{
	series.String: arrow.BinaryTypes.String, series.Int: arrow.PrimitiveTypes.Int64,
	series.Float: arrow.PrimitiveTypes.Float64, series.Bool: arrow.FixedWidthTypes.Boolean,
}

// column makes the Arrow array of one column.
func (f Frame) column(c int, field arrow.Field) (arrow.Array, error) {
	b := array.NewBuilder(memory.DefaultAllocator, field.Type)
	defer b.Release()
	b.Reserve(f.Nrow())
	for i := range f.Nrow() {
		e := f.Elem(i, c)
		if e.IsNA() {
			b.AppendNull()
			continue
		}
		if err := appendTo(b, e); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return b.NewArray(), nil
}

func appendTo(b array.Builder, e series.Element) error {
	switch b := b.(type) {
	case *array.ListBuilder:
		b.Append(true)
		for _, item := range datasets.Unfold(e.String()) {
			if err := appendTo(b.ValueBuilder(), &text{is: item}); err != nil {
				return err
			}
		}
		return nil
	case *array.StringBuilder:
		b.Append(e.String())
		return nil
	case *array.LargeStringBuilder:
		b.Append(e.String())
		return nil
	case *array.BinaryDictionaryBuilder:
		return b.AppendString(e.String())
	case *array.TimestampBuilder:
		t := b.Type().(*arrow.TimestampType)
		when, err := time.Parse(timeLayouts[t.Unit], e.String())
		if err != nil {
			return fmt.Errorf("%q is no point in time: %w", e.String(), err)
		}
		ts, err := arrow.TimestampFromTime(when, t.Unit)
		b.Append(ts)
		return err
	case *array.Float64Builder:
		b.Append(e.Float())
		return nil
	case *array.Float32Builder:
		b.Append(float32(e.Float()))
		return nil
	case *array.BooleanBuilder:
		v, err := e.Bool()
		b.Append(v)
		return err
	}
	v, err := e.Int()
	if err != nil {
		return err
	}
	var lo, hi int64
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(int64(v))
		return nil
	case *array.Int32Builder:
		lo, hi = math.MinInt32, math.MaxInt32
		b.Append(int32(v))
	case *array.Int16Builder:
		lo, hi = math.MinInt16, math.MaxInt16
		b.Append(int16(v))
	case *array.Int8Builder:
		lo, hi = math.MinInt8, math.MaxInt8
		b.Append(int8(v))
	case *array.Uint32Builder:
		hi = math.MaxUint32
		b.Append(uint32(v))
	case *array.Uint16Builder:
		hi = math.MaxUint16
		b.Append(uint16(v))
	case *array.Uint8Builder:
		hi = math.MaxUint8
		b.Append(uint8(v))
	default:
		return fmt.Errorf("cannot make a column of type %s", b.Type())
	}
	if int64(v) < lo || int64(v) > hi {
		return fmt.Errorf("%d does not fit into %s", v, b.Type())
	}
	return nil
}

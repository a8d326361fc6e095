package frame

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"noisefloor/datasets"
)

// FromRecords makes a frame of so many rows that come as record batches of one
// schema.
func FromRecords(schema *arrow.Schema, rows int, each func(yield func(arrow.Record) error) error) (Frame, error) {
	f := Frame{fields: map[string]arrow.Field{}, meta: schema.Metadata()}
	var one []series.Series
	for _, field := range schema.Fields() {
		t := seriesType(field.Type)
		if t == "" {
			return Frame{}, fmt.Errorf("frame: gota has no column for %q of type %s", field.Name, field.Type)
		}
		if _, twice := f.fields[field.Name]; twice || field.Name == "" {
			return Frame{}, fmt.Errorf("frame: gota needs a name of its own for each column, not %q", field.Name)
		}
		f.fields[field.Name] = field
		one = append(one, series.New(nil, t, field.Name)) // one null
	}
	if len(one) == 0 {
		return Frame{}, fmt.Errorf("frame: a table without columns")
	}
	// The next records are decompressed while there is no room for them yet, and
	// while others are being copied.
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
	// gota copies what it is given, and boxes every number on the way. So the
	// frame is its first row, as many times as there are rows, and then filled in
	// place where it differs.
	first, some := <-records
	if some && first.NumRows() > 0 && int(first.NumCols()) == len(one) {
		for c := range one {
			_ = fill(one[c], 0, array.NewSlice(first.Column(c), 0, 1)) // an error comes once more below
		}
	}
	f.DataFrame = dataframe.New(one...).Subset(make([]int, rows))
	var columns []series.Series // not Col, which copies
	f.Capply(func(column series.Series) series.Series {
		columns = append(columns, column)
		return series.New(nil, series.Int, "") // of no use
	})
	at := 0
	var err error
	for rec := first; some; rec, some = <-records {
		if err == nil {
			if err = take(columns, rec, at, rows); err != nil {
				close(enough)
			}
			at += int(rec.NumRows())
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
	return f, err
}

// take fills in a record from row at on, of so many rows.
func take(columns []series.Series, rec arrow.Record, at, rows int) error {
	if int(rec.NumCols()) != len(columns) || at+int(rec.NumRows()) > rows {
		return errRagged
	}
	errs := make([]error, rec.NumCols())
	var wait sync.WaitGroup
	for half := range 2 { // two goroutines halve the time; more find no memory bandwidth
		wait.Go(func() {
			for c := half; c < len(errs); c += 2 {
				errs[c] = fill(columns[c], at, rec.Column(c))
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// cell is the element that numbers are handed to gota in: Set takes an Element
// as it is, while a number would be boxed and the text "NaN" taken for null.
type cell struct {
	series.Element
	number float64
	whole  int
	text   string
	yes    bool
}

func (c *cell) Float() float64      { return c.number }
func (c *cell) Int() (int, error)   { return c.whole, nil }
func (c *cell) String() string      { return c.text }
func (c *cell) Bool() (bool, error) { return c.yes, nil }

// fill writes a column of a record batch into the frame, from row at on. All cells
// there are still the same.
func fill(column series.Series, at int, arr arrow.Array) error {
	var c cell
	n := arr.Len()
	set := func(i int) { column.Elem(at + i).Set(&c) }
	if n == 0 {
		return nil
	}
	same := column.Elem(at).Float()
	areNull := column.Elem(at).IsNA()
	each := func(value func(i int)) {
		if arr.NullN() == n && areNull {
			return
		}
		for i := range n {
			if arr.IsValid(i) {
				value(i)
				set(i)
			} else if !areNull {
				column.Elem(at + i).Set(nil)
			}
		}
	}
	switch a := arr.(type) {
	case *array.Float64:
		values := a.Float64Values()
		switch {
		case arr.NullN() > 0 || areNull:
			each(func(i int) { c.number = values[i] })
		default:
			for i, v := range values {
				if math.Float64bits(v) != math.Float64bits(same) { // there are two zeros
					c.number = v
					set(i)
				}
			}
		}
	case *array.Float32:
		each(func(i int) { c.number = float64(a.Value(i)) })
	case *array.Boolean:
		each(func(i int) { c.yes = a.Value(i) })
	case *array.Int64:
		each(func(i int) { c.whole = int(a.Value(i)) })
	case *array.Int32:
		each(func(i int) { c.whole = int(a.Value(i)) })
	case *array.Int16:
		each(func(i int) { c.whole = int(a.Value(i)) })
	case *array.Int8:
		each(func(i int) { c.whole = int(a.Value(i)) })
	case *array.Uint32:
		each(func(i int) { c.whole = int(a.Value(i)) })
	case *array.Uint16:
		each(func(i int) { c.whole = int(a.Value(i)) })
	case *array.Uint8:
		each(func(i int) { c.whole = int(a.Value(i)) })
	case *array.String:
		each(func(i int) { c.text = strings.Clone(a.Value(i)) })
	case *array.LargeString:
		each(func(i int) { c.text = strings.Clone(a.Value(i)) })
	case *array.Timestamp:
		write := timeWriter(a.DataType().(*arrow.TimestampType))
		each(func(i int) { c.text = write(a.Value(i)) })
	case *array.List:
		items, err := itemsOf(a.ListValues())
		if err != nil {
			return err
		}
		var list []string
		each(func(i int) {
			list = list[:0]
			for from, to := a.ValueOffsets(i); from < to; from++ {
				list = append(list, items(int(from)))
			}
			c.text = datasets.Fold(list)
		})
	case *array.Dictionary:
		texts, err := textsOf(a.Dictionary())
		if err != nil {
			return err
		}
		each(func(i int) { c.text = texts[a.GetValueIndex(i)] })
	default:
		return fmt.Errorf("frame: gota has no column for %s", arr.DataType())
	}
	return nil
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
			if err := appendTo(b.ValueBuilder(), &cell{text: item}); err != nil {
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

package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// Foreign is a table in an Arrow or Parquet file that any program may have
// written. Close it after use.
type Foreign struct {
	Format string // "arrow" or "parquet"
	// Columns are those that can be read; Skipped says of the others why not.
	Columns []ForeignColumn
	Skipped []string
	Rows    int64 // -1 if only reading on tells

	each  func(yield func(arrow.Record) error) error
	close func() error
}

// ForeignColumn is a column of a Foreign table. Kind is what its values are; a
// point in time is a text in RFC 3339, in UTC if the file says so, a day one like
// 2026-01-31.
type ForeignColumn struct {
	Name     string
	Kind     Kind
	Metadata map[string]string // "unit", "role", ... if noisefloor wrote it
}

// IsForeign tells an Arrow or Parquet file by its first bytes.
func IsForeign(head []byte) bool {
	return bytes.HasPrefix(head, []byte(parquetMagic)) || bytes.HasPrefix(head, []byte(arrowMagic)) || bytes.HasPrefix(head, []byte(streamMark))
}

// foreignFile is what Arrow's and Parquet's readers ask of a file.
type foreignFile interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// OpenForeign opens such a table. The file is the caller's to close.
func OpenForeign(f foreignFile) (t *Foreign, err error) {
	defer damaged(&err)
	head := make([]byte, len(arrowMagic))
	if _, err := f.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("the file is too short for a table: %w", err)
	}
	switch {
	case bytes.HasPrefix(head, []byte(parquetMagic)):
		return openParquet(f)
	case bytes.Equal(head, []byte(arrowMagic)):
		return openArrowFile(f)
	case bytes.HasPrefix(head, []byte(streamMark)):
		return openArrowStream(f)
	}
	return nil, errors.New("neither an Arrow nor a Parquet file")
}

// streamMark begins each message of an Arrow stream.
const streamMark = "\xff\xff\xff\xff"

// Close releases what reading took.
func (t *Foreign) Close() error { return t.close() }

// Records yields the rows in order as record batches of the columns.
func (t *Foreign) Records(yield func(arrow.Record) error) (err error) {
	defer damaged(&err)
	return t.each(yield)
}

// Each yields the rows in order, a value for each of the columns. The slice is
// valid until yield returns.
func (t *Foreign) Each(yield func(row []Value) error) error {
	row := make([]Value, len(t.Columns))
	return t.Records(func(rec arrow.Record) error {
		cells := make([]func(i int) Value, rec.NumCols())
		for c := range cells {
			var err error
			if cells[c], err = foreignCells(rec.Column(c)); err != nil {
				return fmt.Errorf("column %q: %w", rec.ColumnName(c), err)
			}
		}
		for i := range int(rec.NumRows()) {
			for c := range cells {
				row[c] = Value{}
				if rec.Column(c).IsValid(i) {
					row[c] = cells[c](i)
				}
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// damaged turns a panic of Arrow's readers into an error.
func damaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the table is damaged: %v", r)
	}
}

// describe sorts the fields of a schema into those that can be read and others.
func (t *Foreign) describe(fields []arrow.Field) (read []int) {
	for i, f := range fields {
		kind, err := foreignKind(f.Type)
		if err != nil {
			t.Skipped = append(t.Skipped, fmt.Sprintf("column %q: %v", f.Name, err))
			continue
		}
		c := ForeignColumn{Name: f.Name, Kind: kind, Metadata: map[string]string{}}
		for k, key := range f.Metadata.Keys() {
			c.Metadata[key] = f.Metadata.Values()[k]
		}
		t.Columns = append(t.Columns, c)
		read = append(read, i)
	}
	return read
}

// pick takes the columns that can be read out of record batches.
func pick(read []int, all int, yield func(arrow.Record) error) func(arrow.Record) error {
	if len(read) == all {
		return yield
	}
	return func(rec arrow.Record) error {
		fields, columns := make([]arrow.Field, len(read)), make([]arrow.Array, len(read))
		for k, i := range read {
			fields[k], columns[k] = rec.Schema().Field(i), rec.Column(i)
		}
		return yield(array.NewRecord(arrow.NewSchema(fields, nil), columns, rec.NumRows()))
	}
}

func openArrowFile(f foreignFile) (*Foreign, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if err := checkFooter(f, size); err != nil {
		return nil, fmt.Errorf("not an Arrow file that can be read: %w", err)
	}
	r, err := ipc.NewFileReader(io.NewSectionReader(f, 0, size), ipc.WithAllocator(memoryFor(size)))
	if err != nil {
		return nil, fmt.Errorf("not an Arrow file that can be read: %w", err)
	}
	t := &Foreign{Format: "arrow", Rows: -1, close: r.Close}
	read := t.describe(r.Schema().Fields())
	t.each = func(yield func(arrow.Record) error) error {
		yield = pick(read, len(r.Schema().Fields()), yield)
		for i := range r.NumRecords() {
			rec, err := r.RecordAt(i)
			if err != nil {
				return err
			}
			if err := yield(rec); err != nil {
				return err
			}
		}
		return nil
	}
	return t, nil
}

// openArrowStream opens the format that is sent over networks.
func openArrowStream(f foreignFile) (*Foreign, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if err := checkStream(f, size); err != nil {
		return nil, fmt.Errorf("not an Arrow stream that can be read: %w", err)
	}
	open := func() (*ipc.Reader, error) {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		r, err := ipc.NewReader(f, ipc.WithAllocator(memoryFor(size)))
		if err != nil {
			return nil, fmt.Errorf("not an Arrow stream that can be read: %w", err)
		}
		return r, nil
	}
	r, err := open()
	if err != nil {
		return nil, err
	}
	fields := r.Schema().Fields()
	r.Release()
	t := &Foreign{Format: "arrow", Rows: -1, close: func() error { return nil }}
	read := t.describe(fields)
	t.each = func(yield func(arrow.Record) error) error {
		r, err := open()
		if err != nil {
			return err
		}
		defer r.Release()
		yield = pick(read, len(fields), yield)
		for r.Next() {
			if err := yield(r.Record()); err != nil {
				return err
			}
		}
		if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	}
	return t, nil
}

// foreignKind says what the values of a column will be.
func foreignKind(t arrow.DataType) (Kind, error) {
	switch t := t.(type) {
	case *arrow.BooleanType:
		return BoolKind, nil
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type, *arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type:
		return IntKind, nil
	case *arrow.Uint64Type, *arrow.Float16Type, *arrow.Float32Type, *arrow.Float64Type, *arrow.Decimal128Type:
		return FloatKind, nil
	case *arrow.StringType, *arrow.LargeStringType, *arrow.TimestampType, *arrow.Date32Type, *arrow.Date64Type:
		return TextKind, nil
	case *arrow.NullType:
		return Null, nil
	case *arrow.DictionaryType:
		return foreignKind(t.ValueType)
	case *arrow.ListType:
		if kind, err := foreignKind(t.Elem()); err == nil && kind == TextKind {
			return TextKind, nil
		}
	}
	return Null, fmt.Errorf("a column of type %s is not read", t)
}

// foreignCells gives the value of a row; not for null.
func foreignCells(arr arrow.Array) (func(i int) Value, error) {
	switch a := arr.(type) {
	case *array.Boolean:
		return func(i int) Value { return Bool(a.Value(i)) }, nil
	case *array.Int8:
		return func(i int) Value { return Int(int64(a.Value(i))) }, nil
	case *array.Int16:
		return func(i int) Value { return Int(int64(a.Value(i))) }, nil
	case *array.Int32:
		return func(i int) Value { return Int(int64(a.Value(i))) }, nil
	case *array.Int64:
		return func(i int) Value { return Int(a.Value(i)) }, nil
	case *array.Uint8:
		return func(i int) Value { return Int(int64(a.Value(i))) }, nil
	case *array.Uint16:
		return func(i int) Value { return Int(int64(a.Value(i))) }, nil
	case *array.Uint32:
		return func(i int) Value { return Int(int64(a.Value(i))) }, nil
	case *array.Uint64:
		return func(i int) Value { return Float(float64(a.Value(i))) }, nil
	case *array.Float16:
		return func(i int) Value { return Float(float64(a.Value(i).Float32())) }, nil
	case *array.Float32:
		return func(i int) Value { return Float(float64(a.Value(i))) }, nil
	case *array.Float64:
		return func(i int) Value { return Float(a.Value(i)) }, nil
	case *array.Decimal128:
		scale := a.DataType().(*arrow.Decimal128Type).Scale
		return func(i int) Value { return Float(a.Value(i).ToFloat64(scale)) }, nil
	case *array.String:
		return func(i int) Value { return Text(validText(a.Value(i))) }, nil
	case *array.LargeString:
		return func(i int) Value { return Text(validText(a.Value(i))) }, nil
	case *array.Timestamp:
		t := a.DataType().(*arrow.TimestampType)
		layout := "2006-01-02T15:04:05.999999999" // without a zone, as the file has it
		if t.TimeZone != "" {
			layout = time.RFC3339Nano
		}
		return func(i int) Value { return Text(a.Value(i).ToTime(t.Unit).UTC().Format(layout)) }, nil
	case *array.Date32:
		return func(i int) Value { return Text(a.Value(i).ToTime().UTC().Format(time.DateOnly)) }, nil
	case *array.Date64:
		return func(i int) Value { return Text(a.Value(i).ToTime().UTC().Format(time.DateOnly)) }, nil
	case *array.Null:
		return func(int) Value { return Value{} }, nil
	case *array.Dictionary:
		values, err := foreignCells(a.Dictionary())
		return func(i int) Value {
			if at := a.GetValueIndex(i); a.Dictionary().IsValid(at) {
				return values(at)
			}
			return Value{}
		}, err
	case *array.List:
		items, err := foreignCells(a.ListValues())
		return func(i int) Value {
			from, to := a.ValueOffsets(i)
			var folded []string
			for k := from; k < to; k++ {
				folded = append(folded, items(int(k)).String())
			}
			return Text(Fold(folded))
		}, err
	}
	return nil, fmt.Errorf("a column of type %s is not read", arr.DataType())
}

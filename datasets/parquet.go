package datasets

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	pq "github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// Parquet is read here column by column. Arrow's own bridge, pqarrow, would bring
// gRPC with it.
const (
	parquetMagic = "PAR1"
	// arrowSchemaKey names the Arrow schema that writers leave in a Parquet file.
	arrowSchemaKey = "ARROW:schema"
)

func openParquet(f foreignFile) (*Foreign, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	r, err := pq.NewParquetReader(noClose{f}, pq.WithReadProps(parquet.NewReaderProperties(memoryFor(size))))
	if err != nil {
		return nil, fmt.Errorf("not a Parquet file that can be read: %w", err)
	}
	t := &Foreign{Format: "parquet", Rows: r.NumRows(), close: r.Close}
	stored := storedSchema(r)
	var fields []arrow.Field
	var leaves []int
	root := r.MetaData().Schema
	for i := range root.NumColumns() {
		leaf := root.Column(i)
		name, isList := columnName(leaf)
		field := arrow.Field{Name: name, Nullable: true, Type: leafType(leaf)}
		switch {
		case field.Type == nil, leaf.MaxRepetitionLevel() > 0 && !isList:
			t.Skipped = append(t.Skipped, fmt.Sprintf("column %q: a column of type %s is not read", leaf.Path(), leaf.PhysicalType()))
			continue
		case isList:
			field.Type = arrow.ListOf(field.Type)
		}
		if known, ok := stored[name]; ok {
			field.Metadata = known
		}
		fields, leaves = append(fields, field), append(leaves, i)
	}
	read := t.describe(fields)
	sch := make([]arrow.Field, len(read))
	for k, i := range read {
		sch[k] = fields[i]
	}
	t.each = func(yield func(arrow.Record) error) error {
		for g := range r.NumRowGroups() {
			group := r.RowGroup(g)
			columns := make([]arrow.Array, len(read))
			for k, i := range read {
				if columns[k], err = readLeaf(group, leaves[i], root.Column(leaves[i]), fields[i], size); err != nil {
					return fmt.Errorf("column %q: %w", fields[i].Name, err)
				}
				if int64(columns[k].Len()) != group.NumRows() {
					return fmt.Errorf("column %q has %d rows of %d", fields[i].Name, columns[k].Len(), group.NumRows())
				}
			}
			if err := yield(array.NewRecord(arrow.NewSchema(sch, nil), columns, group.NumRows())); err != nil {
				return err
			}
		}
		return nil
	}
	return t, nil
}

// noClose keeps the Parquet reader from closing a file that is not its own.
type noClose struct{ foreignFile }

// storedSchema gives the metadata of the fields that the writer knew in Arrow.
func storedSchema(r *pq.Reader) map[string]arrow.Metadata {
	found := map[string]arrow.Metadata{}
	text := r.MetaData().KeyValueMetadata().FindValue(arrowSchemaKey)
	if text == nil {
		return found
	}
	raw, err := base64.StdEncoding.DecodeString(*text)
	if err != nil || checkStream(bytes.NewReader(raw), int64(len(raw))) != nil {
		return found
	}
	s, err := ipc.NewReader(bytes.NewReader(raw))
	if err != nil {
		return found
	}
	defer s.Release()
	for _, f := range s.Schema().Fields() {
		found[f.Name] = f.Metadata
	}
	return found
}

// columnName gives the name that a leaf has as a column, and tells a list, whose
// path goes on below its name: "stack.list.element".
func columnName(leaf *schema.Column) (name string, isList bool) {
	path := leaf.ColumnPath()
	if leaf.MaxRepetitionLevel() == 1 && len(path) == 3 {
		return path[0], true
	}
	return strings.Join(path, "."), false
}

// leafType is the Arrow type of a leaf, nil if it has none here.
func leafType(leaf *schema.Column) arrow.DataType {
	if t, ok := leaf.LogicalType().(*schema.TimestampLogicalType); ok && leaf.PhysicalType() == parquet.Types.Int64 {
		return timestampOf(t.TimeUnit(), t.IsAdjustedToUTC())
	}
	if t, ok := leaf.LogicalType().(schema.TimestampLogicalType); ok && leaf.PhysicalType() == parquet.Types.Int64 {
		return timestampOf(t.TimeUnit(), t.IsAdjustedToUTC())
	}
	switch leaf.PhysicalType() {
	case parquet.Types.Boolean:
		return arrow.FixedWidthTypes.Boolean
	case parquet.Types.Int32:
		switch leaf.ConvertedType() {
		case schema.ConvertedTypes.Date:
			return arrow.FixedWidthTypes.Date32
		case schema.ConvertedTypes.None, schema.ConvertedTypes.NA, schema.ConvertedTypes.Int8, schema.ConvertedTypes.Int16, schema.ConvertedTypes.Int32,
			schema.ConvertedTypes.Uint8, schema.ConvertedTypes.Uint16, schema.ConvertedTypes.Uint32:
			return arrow.PrimitiveTypes.Int64
		}
	case parquet.Types.Int64:
		switch leaf.ConvertedType() {
		case schema.ConvertedTypes.None, schema.ConvertedTypes.NA, schema.ConvertedTypes.Int64, schema.ConvertedTypes.Uint64:
			return arrow.PrimitiveTypes.Int64
		case schema.ConvertedTypes.TimestampMillis:
			return timestampOf(schema.TimeUnitMillis, true)
		case schema.ConvertedTypes.TimestampMicros:
			return timestampOf(schema.TimeUnitMicros, true)
		}
	case parquet.Types.Int96:
		return timestampOf(schema.TimeUnitNanos, false)
	case parquet.Types.Float, parquet.Types.Double:
		return arrow.PrimitiveTypes.Float64
	case parquet.Types.ByteArray:
		if leaf.ConvertedType() != schema.ConvertedTypes.Decimal {
			return arrow.BinaryTypes.String
		}
	}
	return nil
}

func timestampOf(unit schema.TimeUnitType, isUTC bool) arrow.DataType {
	t := &arrow.TimestampType{Unit: map[schema.TimeUnitType]arrow.TimeUnit{
		schema.TimeUnitMillis: arrow.Millisecond, schema.TimeUnitMicros: arrow.Microsecond, schema.TimeUnitNanos: arrow.Nanosecond}[unit]}
	if isUTC {
		t.TimeZone = "UTC"
	}
	return t
}

// leafRows is how many values are read at a time.
const leafRows = 8192

// readLeaf reads a column of a row group.
func readLeaf(group *pq.RowGroupReader, leaf int, descr *schema.Column, field arrow.Field, size int64) (arrow.Array, error) {
	mem := memoryFor(size) // what is built of it has its own, since nobody gives it back
	column, err := openColumn(group, leaf, descr, mem)
	if err != nil {
		return nil, err
	}
	b := array.NewBuilder(mem, field.Type)
	defer b.Release()
	into := &leafBuilder{out: b, full: column.Descriptor().MaxDefinitionLevel()}
	if list, ok := b.(*array.ListBuilder); ok {
		into.list, into.out = list, list.ValueBuilder()
	}
	levels := leafLevels{def: make([]int16, leafRows), rep: make([]int16, leafRows)}
	switch r := column.(type) {
	case *pq.BooleanColumnChunkReader:
		err = drain(r, levels, into, func(v bool) { into.out.(*array.BooleanBuilder).Append(v) })
	case *pq.Int32ColumnChunkReader:
		switch out := into.out.(type) {
		case *array.Date32Builder:
			err = drain(r, levels, into, func(v int32) { out.Append(arrow.Date32(v)) })
		case *array.Int64Builder:
			isUnsigned := column.Descriptor().ConvertedType() == schema.ConvertedTypes.Uint32
			err = drain(r, levels, into, func(v int32) {
				if isUnsigned {
					out.Append(int64(uint32(v)))
				} else {
					out.Append(int64(v))
				}
			})
		}
	case *pq.Int64ColumnChunkReader:
		switch out := into.out.(type) {
		case *array.TimestampBuilder:
			err = drain(r, levels, into, func(v int64) { out.Append(arrow.Timestamp(v)) })
		case *array.Int64Builder:
			err = drain(r, levels, into, out.Append)
		}
	case *pq.Int96ColumnChunkReader:
		err = drain(r, levels, into, func(v parquet.Int96) {
			into.out.(*array.TimestampBuilder).Append(arrow.Timestamp(v.ToTime().UnixNano()))
		})
	case *pq.Float32ColumnChunkReader:
		err = drain(r, levels, into, func(v float32) { into.out.(*array.Float64Builder).Append(float64(v)) })
	case *pq.Float64ColumnChunkReader:
		err = drain(r, levels, into, into.out.(*array.Float64Builder).Append)
	case *pq.ByteArrayColumnChunkReader:
		err = drain(r, levels, into, func(v parquet.ByteArray) {
			into.out.(*array.StringBuilder).Append(validText(string(v)))
		})
	default:
		err = errors.New("its type is not read")
	}
	if err != nil {
		return nil, err
	}
	return b.NewArray(), nil
}

type leafLevels struct{ def, rep []int16 }

// leafBuilder puts values and nulls where the levels say.
type leafBuilder struct {
	out  array.Builder      // of the values
	list *array.ListBuilder // nil if the column is none
	full int16              // definition level of a value
}

// leafReader is a column chunk reader of one type of value.
type leafReader[V any] interface {
	HasNext() bool
	Err() error
	ReadBatch(batchSize int64, values []V, defLvls, repLvls []int16) (total int64, valuesRead int, err error)
}

// drain reads a column to its end.
func drain[V any](r leafReader[V], levels leafLevels, into *leafBuilder, add func(V)) error {
	values := make([]V, leafRows)
	for r.HasNext() {
		rows, n, err := r.ReadBatch(leafRows, values, levels.def, levels.rep)
		if err != nil {
			return err
		}
		if rows == 0 && n == 0 {
			break
		}
		at := 0
		for i := range int(rows) {
			if into.full > 0 && levels.def[i] < into.full {
				into.addNull(levels.def[i], levels.rep[i])
				continue
			}
			if at >= n {
				return errors.New("it has fewer values than its levels say")
			}
			if into.list != nil && levels.rep[i] == 0 {
				into.list.Append(true)
			}
			add(values[at])
			at++
		}
	}
	return r.Err()
}

// addNull adds what is not there: a null, a null list, or a list without items.
func (b *leafBuilder) addNull(def, rep int16) {
	if b.list == nil {
		b.out.AppendNull()
		return
	}
	// The levels of a list count down from an item: null item (if items may be
	// null), no item, no list (if lists may be null).
	if rep == 0 {
		b.list.Append(true)
	}
}

package export

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	pq "github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// parquetWriter writes each group of rows as a row group with statistics. Arrow's
// own bridge to Parquet, pqarrow, would bring gRPC with it, and writes one column
// after the other.
type parquetWriter struct {
	w      *pq.Writer // nil before the first rows
	out    *file
	fields []arrow.Field
	root   *schema.GroupNode
	meta   metadata.KeyValueMetadata
}

// columnsAtOnce is how many columns of a row group are encoded at a time.
const columnsAtOnce = 4

func newParquet(out *file, s *arrow.Schema, _ dictionaries) (writer, error) {
	var nodes schema.FieldList
	for _, f := range s.Fields() {
		node, err := parquetNode(f)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", f.Name, err)
		}
		nodes = append(nodes, node)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1)
	if err != nil {
		return nil, err
	}
	stored, err := storedSchema(s)
	if err != nil {
		return nil, err
	}
	meta := metadata.NewKeyValueMetadata()
	if err := meta.Append("ARROW:schema", stored); err != nil {
		return nil, err
	}
	return &parquetWriter{out: out, fields: s.Fields(), root: root, meta: meta}, nil
}

// begin opens the file, once the first rows show which columns repeat themselves.
func (p *parquetWriter) begin(group []arrow.Record) {
	options := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Snappy), parquet.WithCreatedBy("noisefloor"), parquet.WithBatchSize(8192)}
	for c, f := range p.fields {
		if !repeats(group, c) {
			options = append(options, parquet.WithDictionaryFor(f.Name, false))
		}
	}
	p.w = pq.NewParquetWriter(p.out, p.root, pq.WithWriterProps(parquet.NewWriterProperties(options...)), pq.WithWriteMetadata(p.meta))
}

// repeats tells whether a dictionary of a column of numbers pays, by a sample of
// 4096: with 1/32 of them seen before there are some 65 000 different numbers
// (n^2/2 over the repeats, as birthdays do). Parquet gives a dictionary up at
// 131 072, and to have begun it takes longer than everything else together.
func repeats(group []arrow.Record, c int) bool {
	const most = 4096
	rows := rowsOf(group)
	if rows < 2*most {
		return true
	}
	seen := make(map[float64]bool, most)
	sampled, at := 0, 0 // at: the next row of the sample, in the record
	for _, rec := range group {
		a, isFloat := rec.Column(c).(*array.Float64)
		if !isFloat {
			return true
		}
		for ; at < a.Len(); at += rows / most {
			if a.IsValid(at) {
				seen[a.Value(at)] = true
				sampled++
			}
		}
		at -= a.Len()
	}
	return sampled-len(seen) >= sampled/32
}

func rowsOf(group []arrow.Record) (rows int) {
	for _, rec := range group {
		rows += int(rec.NumRows())
	}
	return rows
}

// parquetNode is the column of a Parquet file for an Arrow field.
func parquetNode(f arrow.Field) (schema.Node, error) {
	rep := parquet.Repetitions.Required
	if f.Nullable {
		rep = parquet.Repetitions.Optional
	}
	switch t := f.Type.(type) {
	case *arrow.BooleanType:
		return schema.NewPrimitiveNode(f.Name, rep, parquet.Types.Boolean, -1, -1)
	case *arrow.Int64Type:
		return schema.NewPrimitiveNode(f.Name, rep, parquet.Types.Int64, -1, -1)
	case *arrow.Float64Type:
		return schema.NewPrimitiveNode(f.Name, rep, parquet.Types.Double, -1, -1)
	case *arrow.TimestampType:
		return schema.NewPrimitiveNodeLogical(f.Name, rep, schema.NewTimestampLogicalType(true, schema.TimeUnitMicros), parquet.Types.Int64, -1, -1)
	case *arrow.DictionaryType, *arrow.StringType:
		return schema.NewPrimitiveNodeLogical(f.Name, rep, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)
	case *arrow.ListType:
		item, err := parquetNode(arrow.Field{Name: "element", Type: t.Elem()})
		if err != nil {
			return nil, err
		}
		return schema.ListOfWithName(f.Name, item, rep, -1)
	}
	return nil, fmt.Errorf("a column of type %s is not written", f.Type)
}

// storedSchema is what Arrow's readers find types and metadata of fields in. Texts
// are plain there, though they are dictionaries on the disk: to put those of several
// files and row groups together is more than some readers can.
func storedSchema(s *arrow.Schema) (string, error) {
	fields := slices.Clone(s.Fields())
	for i, f := range fields {
		switch f.Type.(type) {
		case *arrow.ListType:
			fields[i].Type = arrow.ListOfField(arrow.Field{Name: "element", Type: arrow.BinaryTypes.String})
		case *arrow.DictionaryType:
			fields[i].Type = arrow.BinaryTypes.String
		}
	}
	meta := s.Metadata()
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(arrow.NewSchema(fields, &meta)))
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

func (p *parquetWriter) write(group []arrow.Record) error {
	if p.w == nil {
		p.begin(group)
	}
	rg := p.w.AppendBufferedRowGroup()
	errs := make([]error, len(p.fields))
	slots := make(chan struct{}, columnsAtOnce)
	var wait sync.WaitGroup
	for c := range p.fields {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			column, err := rg.Column(c)
			coded := false
			if err == nil {
				coded, err = writeCoded(column, group, c)
			}
			for i := 0; !coded && i < len(group) && err == nil; i++ {
				err = writeColumn(column, group[i].Column(c))
			}
			errs[c] = err
		})
	}
	wait.Wait()
	for c, err := range errs {
		if err != nil {
			return fmt.Errorf("column %q: %w", p.fields[c].Name, err)
		}
	}
	if err := rg.Close(); err != nil {
		return err
	}
	return p.out.err
}

func (p *parquetWriter) close() error {
	if p.w == nil {
		p.begin(nil)
	}
	if err := p.w.Close(); err != nil {
		return err
	}
	return p.out.err
}

// writeColumn writes an Arrow column with its definition levels: 1 for a value, 0
// for null.
func writeColumn(column pq.ColumnChunkWriter, arr arrow.Array) error {
	optional := column.Descr().MaxDefinitionLevel() > 0
	switch a := arr.(type) {
	case *array.Float64:
		return writeValues(column.(*pq.Float64ColumnChunkWriter).WriteBatch, a, a.Float64Values(), optional)
	case *array.Int64:
		return writeValues(column.(*pq.Int64ColumnChunkWriter).WriteBatch, a, a.Int64Values(), optional)
	case *array.Timestamp:
		return writeValues(column.(*pq.Int64ColumnChunkWriter).WriteBatch, a, arrow.Int64Traits.CastFromBytes(arrow.TimestampTraits.CastToBytes(a.TimestampValues())), optional)
	case *array.Boolean:
		values := make([]bool, a.Len())
		for i := range values {
			values[i] = a.Value(i)
		}
		return writeValues(column.(*pq.BooleanColumnChunkWriter).WriteBatch, a, values, optional)
	case *array.List:
		return writeLists(column.(*pq.ByteArrayColumnChunkWriter), a)
	}
	text, err := byteArrays(arr)
	if err != nil {
		return err
	}
	values := make([]parquet.ByteArray, arr.Len())
	for i := range values {
		if arr.IsValid(i) {
			values[i] = text(i)
		}
	}
	return writeValues(column.(*pq.ByteArrayColumnChunkWriter).WriteBatch, arr, values, optional)
}

// byteArrays gives the texts of a column; not of nulls.
func byteArrays(arr arrow.Array) (func(i int) parquet.ByteArray, error) {
	switch a := arr.(type) {
	case *array.String:
		return func(i int) parquet.ByteArray { return parquet.ByteArray(a.Value(i)) }, nil
	case *array.Dictionary:
		words, ok := a.Dictionary().(*array.String)
		if !ok {
			break
		}
		all := make([]parquet.ByteArray, words.Len())
		for i := range all {
			all[i] = parquet.ByteArray(words.Value(i))
		}
		return func(i int) parquet.ByteArray { return all[a.GetValueIndex(i)] }, nil
	}
	return nil, fmt.Errorf("a column of type %s is not written", arr.DataType())
}

// ones are the levels of a column without nulls.
var ones = slices.Repeat([]int16{1}, rowsAtOnce)

func writeValues[V any](write func(values []V, def, rep []int16) (int64, error), arr arrow.Array, values []V, optional bool) error {
	switch {
	case !optional:
		_, err := write(values, nil, nil)
		return err
	case arr.NullN() == 0:
		for len(values) > 0 { // ones are enough for a row group
			n := min(len(values), len(ones))
			if _, err := write(values[:n], ones[:n], nil); err != nil {
				return err
			}
			values = values[n:]
		}
		return nil
	}
	def := make([]int16, arr.Len())
	known := make([]V, 0, arr.Len()-arr.NullN())
	for i := range def {
		if arr.IsValid(i) {
			def[i] = 1
			known = append(known, values[i])
		}
	}
	_, err := write(known, def, nil)
	return err
}

// writeLists writes lists that are never null of texts that are never null: level
// 1 for an item, 0 for a list without any.
func writeLists(column *pq.ByteArrayColumnChunkWriter, a *array.List) error {
	text, err := byteArrays(a.ListValues())
	if err != nil {
		return err
	}
	full := column.Descr().MaxDefinitionLevel()
	var values []parquet.ByteArray
	var def, rep []int16
	for i := range a.Len() {
		from, to := a.ValueOffsets(i)
		if from == to {
			def, rep = append(def, full-1), append(rep, 0)
		}
		for k := from; k < to; k++ {
			values, def = append(values, text(int(k))), append(def, full)
			rep = append(rep, min(int16(k-from), 1))
		}
	}
	if len(def) == 0 {
		return nil
	}
	_, err = column.WriteBatch(values, def, rep)
	return err
}

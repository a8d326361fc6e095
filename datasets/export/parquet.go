package export

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// parquetWriter writes each group of rows as a row group with statistics, its
// columns encoded side by side. Arrow's own writers encode one column after the
// other, copy each page several times, and write the levels of a column without
// nulls bit by bit; pqarrow would bring gRPC, too. So pages are made here
// (encoder.go, chunk.go), and what describes them by Arrow.
type parquetWriter struct {
	out    *file
	schema *schema.Schema
	meta   *metadata.FileMetaDataBuilder
	groups int16
}

const (
	parquetMagic = "PAR1"
	// columnsAtOnce bounds how many columns of a row group are encoded at a time.
	columnsAtOnce = 4
)

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
	p := &parquetWriter{out: out, schema: schema.NewSchema(root)}
	p.meta = metadata.NewFileMetadataBuilder(p.schema, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithCreatedBy("noisefloor")), meta)
	_, err = out.Write([]byte(parquetMagic))
	return p, err
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

// encoded is a column of a row group, or why there is none.
type encoded struct {
	chunk *chunk
	err   error
}

func (p *parquetWriter) write(group []arrow.Record) error {
	columns := make([]chan encoded, p.schema.NumColumns())
	for c := range columns {
		columns[c] = make(chan encoded, 1)
	}
	var next atomic.Int32
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), columnsAtOnce) {
		wait.Go(func() {
			for c := int(next.Add(1)) - 1; c < len(columns); c = int(next.Add(1)) - 1 {
				chunk, err := encodeColumn(p.schema.Column(c), piecesOf(group, c))
				columns[c] <- encoded{chunk, err}
			}
		})
	}
	defer wait.Wait()
	rows := p.meta.AppendRowGroup()
	for _, rec := range group {
		rows.SetNumRows(int(rows.NumRows() + rec.NumRows()))
	}
	size := int64(0)
	for c := range columns { // the next ones are encoded while one is written
		e := <-columns[c]
		if e.err == nil {
			e.err = p.add(rows.NextColumnChunk(), e.chunk)
		}
		if e.err != nil {
			return fmt.Errorf("column %q: %w", p.schema.Column(c).Path(), e.err)
		}
		size += e.chunk.uncompressed
		chunks.Put(e.chunk)
	}
	p.groups++
	return rows.Finish(size, p.groups-1)
}

func piecesOf(group []arrow.Record, c int) []arrow.Array {
	arrs := make([]arrow.Array, len(group))
	for i, rec := range group {
		arrs[i] = rec.Column(c)
	}
	return arrs
}

// add writes a column and describes it.
func (p *parquetWriter) add(m *metadata.ColumnChunkMetaDataBuilder, c *chunk) error {
	at := p.out.size
	if _, err := p.out.Write(c.body); err != nil {
		return err
	}
	info := metadata.ChunkMetaInfo{NumValues: c.values, IndexPageOffset: -1, DataPageOffset: at + c.dictionary, CompressedSize: int64(len(c.body)), UncompressedSize: c.uncompressed}
	encodings := metadata.EncodingStats{DataEncodingStats: map[parquet.Encoding]int32{parquet.Encodings.Plain: c.pages}}
	if c.dictionary > 0 {
		info.DictPageOffset = at
		encodings.DictEncodingStats = map[parquet.Encoding]int32{parquet.Encodings.Plain: 1}
		encodings.DataEncodingStats = map[parquet.Encoding]int32{parquet.Encodings.RLEDict: c.pages}
	}
	m.SetStats(c.stats)
	return m.Finish(info, c.dictionary > 0, false, encodings, nil)
}

// close writes the footer.
func (p *parquetWriter) close() error {
	meta, err := p.meta.Finish()
	if err != nil {
		return err
	}
	n, err := meta.WriteTo(p.out, nil)
	if err != nil {
		return err
	}
	_, err = p.out.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), parquetMagic...))
	return err
}

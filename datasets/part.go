package datasets

import (
	"bufio"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/zeebo/xxh3"

	"noisefloor/datasets/unit"
)

const (
	partSuffix  = ".arrow"
	partNameLen = 16 // hex digits of the content's hash
)

// How a part is compressed depends on its size before compression. zstd packs
// best, but report lines are noise to it: Arrow v15, which has one zstd setting
// only, takes ten times as long for them as with lz4 (20 s and 2 s for 9 million
// rows; 18 % and 28 % of the size). So parts that take long anyway are lz4, those
// of fixed tables by way of a wordPacker, four times as fast again. At
// the other end Arrow makes a new zstd encoder of 2 MB for each dictionary and
// record batch, and small parts are not compressed at all, nor those of many small
// dictionaries: the runs of 250 MB of logs took 15 ms, in which everybody waited.
const (
	smallPart       = 64 << 10
	largePart       = 4 << 20
	smallDictionary = 16 << 10 // bytes of a part for each dictionary that it has
)

var dictionaryType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}

var listType = arrow.ListOfField(arrow.Field{Name: "item", Type: dictionaryType})

// partWriter writes one part: an Arrow IPC file under a temporary name, then
// renamed to the hash of its content.
type partWriter struct {
	disk  *disk
	table string
	f     file
	out   *bufio.Writer
	sum   hash.Hash
	size  int64
	err   error           // the first of Write; Arrow does not always hand it on
	ipc   *ipc.FileWriter // nil if the rows were packed beforehand
	rows  int64

	behind int64 // so many bytes are on their way to the disk
}

// partHash is XXH3 of 128 bits, in the order of bytes that xxh128sum prints.
type partHash struct{ *xxh3.Hasher }

func newPartHash() hash.Hash { return partHash{xxh3.New()} }

func (partHash) Size() int { return 16 }

func (h partHash) Sum(b []byte) []byte {
	sum := h.Sum128().Bytes()
	return append(b, sum[:]...)
}

// beginPart begins a part without content.
func beginPart(d *disk, table string) (*partWriter, error) {
	f, err := d.temp()
	if err != nil {
		return nil, err
	}
	return &partWriter{disk: d, table: table, f: f, out: bufio.NewWriterSize(f, 1<<16), sum: newPartHash()}, nil
}

// newPart begins a part of about so many bytes before compression.
func newPart(d *disk, table string, schema *arrow.Schema, bytes int64) (*partWriter, error) {
	p, err := beginPart(d, table)
	if err != nil {
		return nil, err
	}
	options := []ipc.Option{ipc.WithSchema(schema)}
	switch {
	case bytes >= d.large:
		options = append(options, ipc.WithLZ4())
	case bytes >= d.small && bytes >= d.dictionary*dictionariesOf(schema):
		options = append(options, ipc.WithZstd())
	}
	p.ipc, err = ipc.NewFileWriter(p, options...)
	if err != nil {
		p.abort()
		return nil, err
	}
	return p, nil
}

func dictionariesOf(schema *arrow.Schema) (n int64) {
	for _, f := range schema.Fields() {
		if f.Type == arrow.DataType(dictionaryType) || f.Type == arrow.DataType(listType) {
			n++
		}
	}
	return n
}

// Write implements io.WriteSeeker for Arrow, which only ever appends.
func (p *partWriter) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.sum.Write(b)
	p.size += int64(n)
	if p.size-p.behind >= writeEvery {
		writeBehind(p.f, p.behind, p.size-p.behind)
		p.behind = p.size
	}
	if err != nil && p.err == nil {
		p.err = err
	}
	return n, err
}

// writeEvery so many bytes a part is sent to the disk while it is still being
// written, so that the sync at its end need not wait long.
const writeEvery = 8 << 20

// Seek tells Arrow the position and refuses to change it.
func (p *partWriter) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("datasets: a part is written from front to back")
	}
	return p.size, nil
}

// write appends one record batch and releases it. Every error counts: Arrow
// v15's Close returns nil after a failed Write.
func (p *partWriter) write(rec arrow.Record) error {
	defer rec.Release()
	err := p.ipc.Write(rec)
	if p.err != nil {
		err = p.err
	}
	p.rows += rec.NumRows()
	return err
}

// finish gives the part its name. The folder is not synced yet.
func (p *partWriter) finish() (part, error) {
	var err error
	if p.ipc != nil {
		err = p.ipc.Close()
	}
	if err == nil {
		err = p.out.Flush()
	}
	if p.err != nil {
		err = p.err
	}
	if err != nil {
		p.abort()
		return part{}, err
	}
	digest := hex.EncodeToString(p.sum.Sum(nil))
	done := part{File: p.table + "/" + digest[:partNameLen] + partSuffix, Rows: p.rows, Bytes: p.size, XXH3: digest}
	return done, p.disk.keep(p.f, done.File)
}

func (p *partWriter) abort() {
	p.disk.discard(p.f)
}

// write makes a part of the staged rows.
func (s *stage) write() (part, error) {
	if s.packed != nil || s.layout.packs() && s.bytes() >= s.disk.large {
		return s.writePacked()
	}
	schema := s.layout.schema()
	p, err := newPart(s.disk, s.layout.name, schema, s.bytes())
	if err != nil {
		return part{}, err
	}
	dicts := s.dictArrays()
	err = s.each(func(c *chunk) error { return p.write(s.layout.record(schema, c, dicts)) })
	if err != nil {
		p.abort()
		return part{}, err
	}
	return p.finish()
}

func (s *stage) writePacked() (part, error) {
	if err := s.pack(); err != nil {
		return part{}, err
	}
	p, err := s.packed.finish(s.dictArrays())
	if err == nil {
		s.packed = nil // it is no longer ours to remove
	}
	return p, err
}

func (s *stage) dictArrays() []arrow.Array {
	dicts := make([]arrow.Array, len(s.dicts))
	for k, d := range s.dicts {
		dicts[k] = d.array()
	}
	return dicts
}

// schema is the Arrow schema of a fixed table.
func (l *layout) schema() *arrow.Schema {
	fields := make([]arrow.Field, len(l.columns))
	for i, c := range l.columns {
		fields[i] = arrow.Field{Name: c.name, Nullable: c.cell == textCell || c.cell == floatCell}
		switch c.cell {
		case textCell:
			fields[i].Type = dictionaryType
		case floatCell:
			fields[i].Type = arrow.PrimitiveTypes.Float64
			fields[i].Metadata = unitMetadata(c.unit)
		case intCell:
			fields[i].Type = arrow.PrimitiveTypes.Int64
		case listCell:
			fields[i].Type = listType
		}
	}
	return arrow.NewSchema(fields, tableMetadata(l.name))
}

func tableMetadata(table string) *arrow.Metadata {
	md := arrow.NewMetadata([]string{"noisefloor.table"}, []string{table})
	return &md
}

func unitMetadata(u unit.Unit) arrow.Metadata {
	return arrow.NewMetadata([]string{"unit", "better"}, []string{u.Name, u.Better.String()})
}

// record makes a record batch of a chunk without copying it.
func (l *layout) record(schema *arrow.Schema, c *chunk, dicts []arrow.Array) arrow.Record {
	columns := make([]arrow.Array, 0, len(l.columns))
	codes, floats, ints, lists := 0, 0, 0, 0
	for _, col := range l.columns {
		switch col.cell {
		case listCell:
			columns = append(columns, c.lists[lists].array(c.n, dicts[len(c.codes)+lists]))
			lists++
		case textCell:
			columns = append(columns, codeArray(c.codes[codes][:c.n], dicts[codes]))
			codes++
		case floatCell:
			columns = append(columns, floatArray(c.floats[floats][:c.n]))
			floats++
		case intCell:
			v := c.ints[ints][:c.n]
			columns = append(columns, array.NewInt64Data(fixedWidth(arrow.PrimitiveTypes.Int64, len(v), arrow.Int64Traits.CastToBytes(v), nil, 0)))
			ints++
		}
	}
	return array.NewRecord(schema, columns, int64(c.n))
}

// fixedWidth wraps plain memory as Arrow data.
func fixedWidth(t arrow.DataType, n int, values, valid []byte, nulls int) *array.Data {
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(values)}
	if nulls > 0 {
		buffers[0] = memory.NewBufferBytes(valid)
	}
	return array.NewData(t, n, buffers, nil, nulls, 0)
}

// floatArray wraps numbers; a NaN is null, and its cell stays NaN below the
// validity bitmap, so that a reader that ignores the bitmap sees no false 0.
func floatArray(v []float64) arrow.Array {
	var valid []byte
	nulls := 0
	for _, x := range v {
		if math.IsNaN(x) {
			valid, nulls = validity(len(v), func(i int) bool { return !math.IsNaN(v[i]) })
			break
		}
	}
	return array.NewFloat64Data(fixedWidth(arrow.PrimitiveTypes.Float64, len(v), arrow.Float64Traits.CastToBytes(v), valid, nulls))
}

// codeArray wraps dictionary codes. The cell below a null becomes 0: readers
// may check that codes are inside the dictionary without looking at nulls.
func codeArray(codes []int32, dict arrow.Array) arrow.Array {
	var valid []byte
	nulls := 0
	for _, c := range codes {
		if c == nullCode {
			valid, nulls = validity(len(codes), func(i int) bool { return codes[i] != nullCode })
			for i, c := range codes {
				codes[i] = max(c, 0)
			}
			break
		}
	}
	data := fixedWidth(dictionaryType, len(codes), arrow.Int32Traits.CastToBytes(codes), valid, nulls)
	data.SetDictionary(dict.Data())
	return array.NewDictionaryData(data)
}

// array wraps the lists of n rows.
func (l *codeLists) array(n int, dict arrow.Array) arrow.Array {
	offsets := append(make([]int32, 1, n+1), l.ends[:n]...)
	items := codeArray(l.codes, dict)
	data := array.NewData(listType, n, []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets))}, []arrow.ArrayData{items.Data()}, 0, 0)
	return array.NewListData(data)
}

// validity builds the bitmap of the rows that are not null.
func validity(n int, ok func(i int) bool) (bits []byte, nulls int) {
	bits = make([]byte, (n+7)/8)
	for i := range n {
		if ok(i) {
			bits[i/8] |= 1 << (i % 8)
		} else {
			nulls++
		}
	}
	return bits, nulls
}

// array is the dictionary as Arrow has it. It is never empty: some readers
// check codes below nulls against it.
func (d *dictionary) array() arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Reserve(len(d.values))
	for _, s := range d.values {
		b.Append(s)
	}
	if len(d.values) == 0 {
		b.Append("")
	}
	return b.NewArray()
}

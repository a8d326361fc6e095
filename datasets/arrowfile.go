package datasets

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	flatbuffers "github.com/google/flatbuffers/go"
)

// Numbers of Arrow's format, from Message.fbs, Schema.fbs and File.fbs: Arrow v15
// keeps the generated code to itself.
const (
	arrowMagic     = "ARROW1"
	metadataV5     = 4
	isRecordBatch  = 3 // of the union MessageHeader
	messageHeader  = 2 // slot of the header in a Message
	compressionLZ4 = 0
)

// fileBlock is where a message lies in the file.
type fileBlock struct {
	offset     int64
	meta, body int64 // lengths
}

// arrowFile writes an Arrow file of record batches that are compressed already,
// which Arrow's own writer cannot. That one writes schema and dictionaries.
//
// The dictionaries come last, because they are complete only with the last row.
// Readers of files find them by the footer and do not mind.
type arrowFile struct {
	part    *partWriter
	layout  *layout
	schema  []byte      // the message
	batches []fileBlock // as the footer lists them
	dicts   []fileBlock
	payload func(ipc.Payload) error // what to do with Arrow's next message
	err     error
}

// beginFile writes what comes before the first record batch.
func (l *layout) beginFile(p *partWriter) (*arrowFile, error) {
	f := &arrowFile{part: p, layout: l}
	f.write([]byte(arrowMagic + "\x00\x00"))
	f.payload = func(p ipc.Payload) error {
		meta := p.Meta()
		defer meta.Release()
		f.schema = bytes.Clone(meta.Bytes())
		f.message(f.schema, func() {})
		return f.err
	}
	// Without a batch it writes the schema alone.
	if err := ipc.NewWriterWithPayloadWriter(f, ipc.WithSchema(l.schema())).Close(); err != nil {
		return nil, err
	}
	return f, f.err
}

// batch writes a record batch, whose body is in pieces.
func (f *arrowFile) batch(b *packedBatch, body [][]byte) error {
	f.batches = append(f.batches, f.message(b.metadata(), func() {
		for _, piece := range body {
			f.write(piece)
		}
	}))
	f.part.rows += int64(b.rows)
	return f.err
}

// end writes the dictionaries and the footer.
func (f *arrowFile) end(dicts []arrow.Array) error {
	messages := 0
	f.payload = func(p ipc.Payload) error {
		messages++
		if messages == 1 || messages > 1+len(dicts) {
			return nil // the schema once more, and the empty batch
		}
		meta := p.Meta()
		defer meta.Release()
		f.dicts = append(f.dicts, f.message(meta.Bytes(), func() {
			if err := p.SerializeBody(f.part); f.err == nil {
				f.err = err
			}
		}))
		return f.err
	}
	schema := f.layout.schema()
	w := ipc.NewWriterWithPayloadWriter(f, ipc.WithSchema(schema), ipc.WithLZ4())
	// A batch without rows, because dictionaries travel with batches.
	none := newChunk(f.layout)
	rec := f.layout.record(schema, &none, dicts)
	defer rec.Release()
	if err := w.Write(rec); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	f.footer()
	return f.err
}

// Start, WritePayload and Close make it an ipc.PayloadWriter.
func (f *arrowFile) Start() error { return nil }

func (f *arrowFile) WritePayload(p ipc.Payload) error { return f.payload(p) }

func (f *arrowFile) Close() error { return f.err }

func (f *arrowFile) write(b []byte) {
	if f.err == nil {
		_, f.err = f.part.Write(b)
	}
}

// message writes an encapsulated message: a marker, the length of the metadata,
// the metadata, padding, and the body.
func (f *arrowFile) message(metadata []byte, body func()) fileBlock {
	at := f.part.size
	padded := (len(metadata) + 7) / 8 * 8
	f.write(binary.LittleEndian.AppendUint32([]byte{0xff, 0xff, 0xff, 0xff}, uint32(padded)))
	f.write(metadata)
	f.write(make([]byte, padded-len(metadata)))
	begin := f.part.size
	body()
	return fileBlock{at, begin - at, f.part.size - begin}
}

// metadata is the message that describes the body of a record batch.
func (b *packedBatch) metadata() []byte {
	fb := flatbuffers.NewBuilder(1 << 10)
	fb.StartVector(16, len(b.buffers), 8)
	for _, at := range slices.Backward(b.buffers) {
		pair(fb, int64(at[0]), int64(at[1]))
	}
	buffers := fb.EndVector(len(b.buffers))
	fb.StartVector(16, len(b.nulls), 8)
	for _, nulls := range slices.Backward(b.nulls) {
		pair(fb, int64(b.rows), int64(nulls))
	}
	nodes := fb.EndVector(len(b.nulls))
	fb.StartObject(2)
	fb.PrependInt8Slot(0, compressionLZ4, -1) // also if it is the default, as Arrow does
	compression := fb.EndObject()

	fb.StartObject(5)
	fb.PrependInt64Slot(0, int64(b.rows), 0)
	fb.PrependUOffsetTSlot(1, nodes, 0)
	fb.PrependUOffsetTSlot(2, buffers, 0)
	fb.PrependUOffsetTSlot(3, compression, 0)
	batch := fb.EndObject()

	fb.StartObject(5)
	fb.PrependInt16Slot(0, metadataV5, 0)
	fb.PrependByteSlot(1, isRecordBatch, 0)
	fb.PrependUOffsetTSlot(messageHeader, batch, 0)
	fb.PrependInt64Slot(3, int64(b.size), 0)
	fb.Finish(fb.EndObject())
	return fb.FinishedBytes()
}

// pair prepends a struct of two longs.
func pair(fb *flatbuffers.Builder, first, second int64) {
	fb.Prep(8, 16)
	fb.PrependInt64(second)
	fb.PrependInt64(first)
}

// footer ends the file: the end of the stream, the schema once more, and where
// dictionaries and record batches lie.
func (f *arrowFile) footer() {
	f.write([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	fb := flatbuffers.NewBuilder(8 << 10)
	blocks := func(list []fileBlock) flatbuffers.UOffsetT {
		fb.StartVector(24, len(list), 8)
		for _, b := range slices.Backward(list) {
			fb.Prep(8, 24)
			fb.PrependInt64(b.body)
			fb.Pad(4)
			fb.PrependInt32(int32(b.meta))
			fb.PrependInt64(b.offset)
		}
		return fb.EndVector(len(list))
	}
	batches, dicts := blocks(f.batches), blocks(f.dicts)

	// All offsets inside of a message are relative, so the schema is used where it
	// lies in a copy of its message.
	fb.StartVector(1, len(f.schema), 8)
	for _, c := range slices.Backward(f.schema) {
		fb.PrependByte(c)
	}
	message := &flatbuffers.Table{Bytes: f.schema, Pos: flatbuffers.GetUOffsetT(f.schema)}
	header := flatbuffers.UOffsetT(message.Offset(4 + 2*messageHeader))
	schema := fb.Offset() - message.Indirect(message.Pos+header)
	fb.EndVector(len(f.schema))

	fb.StartObject(5)
	fb.PrependInt16Slot(0, metadataV5, 0)
	fb.PrependUOffsetTSlot(1, schema, 0)
	fb.PrependUOffsetTSlot(2, dicts, 0)
	fb.PrependUOffsetTSlot(3, batches, 0)
	fb.Finish(fb.EndObject())
	footer := fb.FinishedBytes()
	f.write(footer)
	f.write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), arrowMagic...))
}

package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
)

// Arrow v15 allocates what the lengths in the footer of a file say before it looks
// whether there is so much. Of files that nobody vouches for the lengths are looked
// at first. Slots as in File.fbs and Schema.fbs.
const (
	footerSchema, footerDictionaries, footerBatches = 1, 2, 3
	schemaFields, schemaMetadata                    = 1, 2
	fieldChildren, fieldMetadata                    = 5, 6

	maxFields = 100_000
	maxNested = 16
)

var errFooter = errors.New("its footer is damaged")

// checkFooter compares the lengths in the footer of an Arrow file with its size.
func checkFooter(f io.ReaderAt, size int64) (err error) {
	defer damaged(&err)
	end := make([]byte, 4+len(arrowMagic)) // length and magic
	at := size - int64(len(end))
	if at < 0 {
		return errFooter
	}
	if _, err := f.ReadAt(end, at); err != nil {
		return err
	}
	n := int64(int32(binary.LittleEndian.Uint32(end)))
	if n < 8 || n > at || !bytes.HasSuffix(end, []byte(arrowMagic)) {
		return errFooter
	}
	c := &footerCheck{buf: make([]byte, n), fields: maxFields}
	if _, err := f.ReadAt(c.buf, at-n); err != nil {
		return err
	}
	footer := flatbuffers.Table{Bytes: c.buf, Pos: flatbuffers.GetUOffsetT(c.buf)}
	c.vector(footer, footerDictionaries, 24)
	c.vector(footer, footerBatches, 24)
	if schema, ok := c.child(footer, footerSchema); ok {
		c.vector(schema, schemaMetadata, 4)
		c.all(schema, schemaFields, 0)
	}
	return c.err
}

// checkStream compares the lengths of the messages of an Arrow stream with its size.
func checkStream(f io.ReaderAt, size int64) (err error) {
	defer damaged(&err)
	const headerType, bodyLength, isSchema = 1, 3, 1 // slots of a Message, and of its union
	head := make([]byte, 8)
	for at := int64(0); at < size; {
		n, err := f.ReadAt(head, at)
		if n < len(head) {
			return fmt.Errorf("it ends within a message: %w", err)
		}
		meta := int64(int32(binary.LittleEndian.Uint32(head[4:])))
		switch {
		case !bytes.HasPrefix(head, []byte(streamMark)):
			return errors.New("a message does not begin as one")
		case meta == 0: // the end
			return nil
		case meta < 8 || meta > size-at-8:
			return errors.New("a message is longer than the file")
		}
		buf := make([]byte, meta)
		if _, err := f.ReadAt(buf, at+8); err != nil {
			return err
		}
		message := flatbuffers.Table{Bytes: buf, Pos: flatbuffers.GetUOffsetT(buf)}
		if message.GetByteSlot(flatbuffers.VOffsetT(4+2*headerType), 0) == isSchema {
			c := &footerCheck{buf: buf, fields: maxFields}
			if schema, ok := c.child(message, messageHeader); ok {
				c.vector(schema, schemaMetadata, 4)
				c.all(schema, schemaFields, 0)
			}
			if c.err != nil {
				return c.err
			}
		}
		body := message.GetInt64Slot(flatbuffers.VOffsetT(4+2*bodyLength), 0)
		if at += 8 + meta; body < 0 || body > size-at {
			return errors.New("the body of a message is longer than the file")
		}
		at += body
	}
	return nil
}

type footerCheck struct {
	buf    []byte
	fields int
	err    error
}

func (c *footerCheck) child(t flatbuffers.Table, slot int) (flatbuffers.Table, bool) {
	o := flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*slot)))
	if o == 0 {
		return t, false
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(o + t.Pos)}, true
}

// vector gives the length of a vector, whose members take at least size bytes.
func (c *footerCheck) vector(t flatbuffers.Table, slot, size int) int {
	o := flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*slot)))
	if o == 0 {
		return 0
	}
	n := t.VectorLen(o)
	if start := int(t.Vector(o)); n < 0 || start < 0 || start > len(c.buf) || n > (len(c.buf)-start)/size {
		c.err = fmt.Errorf("%w: a list of %d", errFooter, n)
		return 0
	}
	return n
}

// all checks the fields of a schema, or the children of a field.
func (c *footerCheck) all(t flatbuffers.Table, slot, depth int) {
	n := c.vector(t, slot, 4)
	if c.fields -= n; c.fields < 0 || depth > maxNested {
		c.err = fmt.Errorf("%w: too many columns", errFooter)
	}
	if c.err != nil || n == 0 {
		return
	}
	start := t.Vector(flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*slot))))
	for i := range n {
		field := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(4*i))}
		c.vector(field, fieldMetadata, 4)
		if c.all(field, fieldChildren, depth+1); c.err != nil {
			return
		}
	}
}

// boundedMemory refuses to give out more than it has: a damaged length must not ask
// for what a file of its size cannot need. Columns that repeat pack well, and 64 MB
// are little for any.
type boundedMemory struct{ left int64 }

func memoryFor(size int64) memory.Allocator { return &boundedMemory{left: 256*size + 64<<20} }

func (m *boundedMemory) take(n int) {
	if m.left -= int64(n); m.left < 0 {
		panic("it asks for more memory than a file of its size can need")
	}
}

func (m *boundedMemory) Allocate(size int) []byte {
	m.take(size)
	return memory.DefaultAllocator.Allocate(size)
}

func (m *boundedMemory) Reallocate(size int, b []byte) []byte {
	m.take(size - len(b))
	return memory.DefaultAllocator.Reallocate(size, b)
}

func (m *boundedMemory) Free(b []byte) {
	m.take(-len(b))
	memory.DefaultAllocator.Free(b)
}

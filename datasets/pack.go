package datasets

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
)

// blockRows is how many rows are compressed at a time: as many numbers as an LZ4
// block holds. 14 columns of them stay in the cache from the rows they came in
// until they are packed.
const blockRows = lz4Block / arrow.Float64SizeBytes

// packed is a part in the making whose rows are compressed as they come and
// written batch by batch.
type packed struct {
	layout *layout
	words  wordPacker

	rows    int // of the batch in the making
	columns []packedColumn
	body    []byte // its memory is used again
	file    *arrowFile
}

// packedColumn is a column of the batch in the making.
type packedColumn struct {
	frame []byte // blocks of an LZ4 frame
	valid []byte // bitmap of the rows that are not null
	nulls int
}

// packedBatch is where the buffers of a record batch lie in its body.
type packedBatch struct {
	rows    int
	nulls   []int    // by column
	buffers [][2]int // offset in the body and length; bitmap and cells by turns
	size    int      // of the body
}

func newPacked(l *layout, d *disk) (*packed, error) {
	part, err := beginPart(d, l.name)
	if err != nil {
		return nil, err
	}
	p := &packed{layout: l, columns: make([]packedColumn, len(l.columns))}
	for k := range p.columns {
		p.columns[k].valid = make([]byte, chunkRows/8)
	}
	if p.file, err = l.beginFile(part); err != nil {
		part.abort()
		return nil, err
	}
	return p, nil
}

// add packs the rows of a chunk. All but the last add of a part add whole
// blocks.
func (p *packed) add(c *chunk) error {
	for from := 0; from < c.n; from += blockRows {
		to := min(from+blockRows, c.n)
		codes, floats, ints := 0, 0, 0
		for k, col := range p.layout.columns {
			to8 := (p.rows + to - from + 7) / 8
			into := &p.columns[k]
			valid := into.valid[p.rows/8 : to8]
			switch col.cell {
			case textCell:
				into.addCodes(c.codes[codes][from:to], valid)
				codes++
			case floatCell:
				into.addFloats(&p.words, c.floats[floats][from:to], valid)
				floats++
			case intCell:
				into.frame = p.words.append(into.frame, arrow.Int64Traits.CastToBytes(c.ints[ints][from:to]))
				ints++
			}
		}
		p.rows += to - from
		if p.rows == chunkRows {
			if err := p.endBatch(); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFloats: a NaN is null, and its cell stays NaN below the validity bitmap, so
// that a reader that ignores the bitmap sees no false 0.
func (c *packedColumn) addFloats(words *wordPacker, v []float64, valid []byte) {
	b := arrow.Float64Traits.CastToBytes(v)
	c.frame = words.append(c.frame, b)
	nulls := 0
	if !bytes.Equal(b[8:], b[:len(b)-8]) { // else all cells are the same, as in half of the columns
		for _, x := range v {
			if x != x {
				nulls++
			}
		}
	} else if math.IsNaN(v[0]) {
		nulls = len(v)
	}
	c.addValid(valid, len(v), nulls, func(i int) bool { return !math.IsNaN(v[i]) })
}

// addCodes: the cell below a null becomes 0, because readers may check that
// codes are inside the dictionary without looking at nulls.
func (c *packedColumn) addCodes(codes []int32, valid []byte) {
	nulls := 0
	for _, code := range codes {
		if code == nullCode {
			nulls++
		}
	}
	c.addValid(valid, len(codes), nulls, func(i int) bool { return codes[i] != nullCode })
	if nulls > 0 {
		for i, code := range codes {
			codes[i] = max(code, 0)
		}
	}
	c.frame = appendBytes(c.frame, arrow.Int32Traits.CastToBytes(codes))
}

func (c *packedColumn) addValid(valid []byte, n, nulls int, ok func(i int) bool) {
	c.nulls += nulls
	switch nulls {
	case n:
		clear(valid)
	case 0:
		for i := range valid {
			valid[i] = 0xff
		}
		if n%8 > 0 {
			valid[n/8] = 1<<(n%8) - 1
		}
	default:
		bits, _ := validity(n, ok)
		copy(valid, bits)
	}
}

// endBatch makes the rows so far a record batch.
func (p *packed) endBatch() error {
	b := packedBatch{rows: p.rows}
	body := p.body[:0]
	// A buffer is its length before compression and a frame.
	buffer := func(length int, add func()) {
		at := len(body)
		if length > 0 {
			body = binary.LittleEndian.AppendUint64(body, uint64(length))
			body = append(body, lz4Begin...)
			add()
			body = append(body, lz4End...)
		}
		b.buffers = append(b.buffers, [2]int{at, len(body) - at})
		for len(body)%8 > 0 {
			body = append(body, 0)
		}
	}
	for k, col := range p.layout.columns {
		c := &p.columns[k]
		bitmap := c.valid[:(p.rows+7)/8]
		if c.nulls == 0 {
			bitmap = nil
		}
		buffer(len(bitmap), func() { body = appendBytes(body, bitmap) })
		width := arrow.Float64SizeBytes
		if col.cell == textCell {
			width = arrow.Int32SizeBytes
		}
		buffer(width*p.rows, func() { body = append(body, c.frame...) })
		b.nulls = append(b.nulls, c.nulls)
		c.frame, c.nulls = c.frame[:0], 0
	}
	p.rows = 0
	p.body, b.size = body, len(body)
	return p.file.batch(&b, body)
}

// finish writes the batch in the making and what comes after the last one.
func (p *packed) finish(dicts []arrow.Array) (part, error) {
	if p.rows > 0 {
		if err := p.endBatch(); err != nil {
			return part{}, err
		}
	}
	if err := p.file.end(dicts); err != nil {
		return part{}, err
	}
	return p.file.part.finish()
}

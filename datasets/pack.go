package datasets

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// blockRows is how many rows at most are compressed at a time: as many numbers as an LZ4
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
	file    *arrowFile
}

// packedColumn is a column of the batch in the making.
type packedColumn struct {
	frame []byte // blocks of an LZ4 frame
	valid []byte // bitmap of the rows that are not null, zeros behind them
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

// block makes room in the batch for the rows of a block.
func (p *packed) block(rows int) error {
	if p.rows+rows > chunkRows {
		return p.endBatch()
	}
	return nil
}

// add packs the rows of a chunk.
func (p *packed) add(c *chunk) error {
	for from := 0; from < c.n; from += blockRows {
		to := min(from+blockRows, c.n)
		if err := p.block(to - from); err != nil {
			return err
		}
		codes, floats, ints := 0, 0, 0
		for k, col := range p.layout.columns {
			into := &p.columns[k]
			switch col.cell {
			case textCell:
				into.addCodes(p.rows, c.codes[codes][from:to])
				codes++
			case floatCell:
				v := c.floats[floats][from:to]
				var nulls int
				into.frame, nulls = p.words.appendFloats(into.frame, v)
				into.addFloats(p.rows, v, nulls)
				floats++
			case intCell:
				into.frame = p.words.append(into.frame, arrow.Int64Traits.CastToBytes(c.ints[ints][from:to]))
				ints++
			}
		}
		p.rows += to - from
	}
	return nil
}

// addBlocks adds rows of a run that are packed already.
func (p *packed) addBlocks(run int32, rows *Intervals, blocks []intervalBlock) error {
	for i := range blocks {
		b := &blocks[i]
		if err := p.block(b.rows); err != nil {
			return err
		}
		runs, code := &p.columns[0], uint64(run)
		runs.addValid(p.rows, b.rows, 0, nil)
		runs.frame = appendRepeat(runs.frame, code<<32|code, b.rows*arrow.Int32SizeBytes)
		for k := range p.columns[1:] {
			into := &p.columns[1+k]
			into.frame = append(into.frame, rows.blockBytes(b, k)...)
			into.addFloats(p.rows, rows.columns[k][b.from:][:b.rows], b.nulls[k])
		}
		p.rows += b.rows
	}
	return nil
}

// appendFloats appends numbers as a block of a frame and counts those that are null.
// Their cells stay NaN below the validity bitmap, so that a reader that ignores the
// bitmap sees no false 0.
func (p *wordPacker) appendFloats(dst []byte, v []float64) (frame []byte, nulls int) {
	b := arrow.Float64Traits.CastToBytes(v)
	if isRepeat(b) { // as half of the columns are
		if math.IsNaN(v[0]) {
			nulls = len(v)
		}
		return appendRepeat(dst, math.Float64bits(v[0]), len(b)), nulls
	}
	if isRamp(v) {
		return appendRamp(dst, b), 0
	}
	return p.append(dst, b), countNulls(v)
}

// countNulls: a sum tells whether there are any; two sums, as each addition waits for
// the one before.
func countNulls(v []float64) (nulls int) {
	a, b := 0.0, 0.0
	rest := v
	for ; len(rest) >= 4; rest = rest[4:] {
		a, b = a+(rest[0]+rest[1]), b+(rest[2]+rest[3])
	}
	for _, x := range rest {
		a += x
	}
	if !math.IsNaN(a + b) { // as infinities make it, too
		return 0
	}
	for _, x := range v {
		if math.IsNaN(x) {
			nulls++
		}
	}
	return nulls
}

// addFloats takes numbers, some of them null, as the rows from at on.
func (c *packedColumn) addFloats(at int, v []float64, nulls int) {
	c.addValid(at, len(v), nulls, func(i int) bool { return !math.IsNaN(v[i]) })
}

// addCodes: the cell below a null becomes 0, because readers may check that
// codes are inside the dictionary without looking at nulls.
func (c *packedColumn) addCodes(at int, codes []int32) {
	nulls := 0
	for _, code := range codes {
		if code == nullCode {
			nulls++
		}
	}
	c.addValid(at, len(codes), nulls, func(i int) bool { return codes[i] != nullCode })
	if nulls > 0 {
		for i, code := range codes {
			codes[i] = max(code, 0)
		}
	}
	if b := arrow.Int32Traits.CastToBytes(codes); isRepeat(b) {
		c.frame = appendRepeat(c.frame, binary.LittleEndian.Uint64(b), len(b))
	} else {
		c.frame = appendBytes(c.frame, b)
	}
}

// addValid says which of n rows from at on are not null.
func (c *packedColumn) addValid(at, n, nulls int, ok func(i int) bool) {
	c.nulls += nulls
	switch nulls {
	case n:
	case 0:
		bitutil.SetBitsTo(c.valid, int64(at), int64(n), true)
	default:
		for i := range n {
			bitutil.SetBitTo(c.valid, at+i, ok(i))
		}
	}
}

// endBatch makes the rows so far a record batch.
func (p *packed) endBatch() error {
	b := packedBatch{rows: p.rows}
	var body [][]byte
	add := func(piece []byte) {
		body = append(body, piece)
		b.size += len(piece)
	}
	// A buffer is its length before compression and a frame.
	buffer := func(length int, blocks []byte) {
		at := b.size
		if length > 0 {
			add(append(binary.LittleEndian.AppendUint64(nil, uint64(length)), lz4Begin...))
			add(blocks)
			add(lz4End)
		}
		b.buffers = append(b.buffers, [2]int{at, b.size - at})
		add(make([]byte, -b.size&7))
	}
	for k, col := range p.layout.columns {
		c := &p.columns[k]
		if bitmap := c.valid[:(p.rows+7)/8]; c.nulls > 0 {
			buffer(len(bitmap), appendBytes(nil, bitmap))
		} else {
			buffer(0, nil)
		}
		width := arrow.Float64SizeBytes
		if col.cell == textCell {
			width = arrow.Int32SizeBytes
		}
		buffer(width*p.rows, c.frame)
		b.nulls = append(b.nulls, c.nulls)
	}
	if err := p.file.batch(&b, body); err != nil {
		return err
	}
	for k := range p.columns {
		c := &p.columns[k]
		c.frame, c.nulls = c.frame[:0], 0
		clear(c.valid)
	}
	p.rows = 0
	return nil
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

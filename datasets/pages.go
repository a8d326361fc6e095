package datasets

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"sync"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	pq "github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// Arrow v15 reads on without end in a page of Parquet that holds fewer levels, or of
// a required column fewer values, than its header says. So pages are counted before
// they are decoded.

var errPage = errors.New("a page holds fewer values than its header says")

// openColumn is group.Column with pages that are checked.
func openColumn(group *pq.RowGroupReader, leaf int, descr *schema.Column, mem memory.Allocator) (pq.ColumnChunkReader, error) {
	pages, err := group.GetColumnPageReader(leaf)
	if err != nil {
		return nil, err
	}
	buffers := &sync.Pool{New: func() any { return memory.NewResizableBuffer(mem) }}
	return pq.NewColumnReader(descr, &checkedPages{PageReader: pages, descr: descr}, mem, buffers), nil
}

type checkedPages struct {
	pq.PageReader
	descr *schema.Column
	err   error
}

func (p *checkedPages) Next() bool {
	if p.err != nil || !p.PageReader.Next() {
		return false
	}
	p.err = p.check(p.Page())
	return p.err == nil
}

func (p *checkedPages) Err() error {
	if p.err != nil {
		return p.err
	}
	return p.PageReader.Err()
}

func (p *checkedPages) check(page pq.Page) error {
	values, want := page.Data(), int(page.NumValues())
	if want < 0 {
		return errPage
	}
	repeated, defined := width(p.descr.MaxRepetitionLevel()), width(p.descr.MaxDefinitionLevel())
	switch page := page.(type) {
	case *pq.DataPageV1:
		for _, level := range []struct {
			width    int
			encoding parquet.Encoding
		}{{repeated, page.RepetitionLevelEncoding()}, {defined, page.DefinitionLevelEncoding()}} {
			if level.width == 0 {
				continue
			}
			if level.encoding == parquet.Encodings.BitPacked { // without runs, as files had it once
				bytes := (int64(want)*int64(level.width) + 7) / 8
				if bytes > int64(len(values)) {
					return errPage
				}
				values = values[bytes:]
				continue
			}
			runs, rest, err := lengthAndRuns(values)
			if err != nil {
				return err
			}
			if !holds(runs, level.width, want) {
				return errPage
			}
			values = rest
		}
	case *pq.DataPageV2:
		rep, def := int(page.RepetitionLevelByteLen()), int(page.DefinitionLevelByteLen())
		if rep < 0 || def < 0 || rep > len(values) || def > len(values)-rep {
			return errPage
		}
		if repeated > 0 && !holds(values[:rep], repeated, want) || defined > 0 && !holds(values[rep:rep+def], defined, want) {
			return errPage
		}
		values = values[rep+def:]
	default: // of a dictionary
		return nil
	}
	if defined > 0 { // levels are counted, and each read goes on by them
		return nil
	}
	return p.checkValues(values, parquet.Encoding(page.Encoding()), want)
}

// checkValues counts the values of a column that has no nulls.
func (p *checkedPages) checkValues(values []byte, encoding parquet.Encoding, want int) error {
	enough := true
	switch encoding {
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		enough = want == 0 || len(values) > 0 && holds(values[1:], int(values[0]), want)
	case parquet.Encodings.RLE:
		runs, _, err := lengthAndRuns(values)
		if err != nil {
			return err
		}
		enough = holds(runs, 1, want)
	case parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaByteArray, parquet.Encodings.DeltaLengthByteArray:
		// block size, miniblocks, values
		var n uint64
		for range 3 {
			var size int
			if n, size = binary.Uvarint(values); size <= 0 {
				return errPage
			}
			values = values[size:]
		}
		enough = n >= uint64(want)
	case parquet.Encodings.Plain:
		enough = p.descr.PhysicalType() != parquet.Types.Boolean || want <= 8*len(values) // Arrow misses the end of other types itself
	}
	if !enough {
		return errPage
	}
	return nil
}

// width is how many bits a level takes.
func width(most int16) int { return bits.Len16(uint16(most)) }

func lengthAndRuns(data []byte) (runs, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, errPage
	}
	n := binary.LittleEndian.Uint32(data)
	if uint64(n) > uint64(len(data)-4) {
		return nil, nil, errPage
	}
	return data[4 : 4+n], data[4+n:], nil
}

// holds tells whether runs of Parquet's RLE and bit-packed hybrid are so many values
// of so many bits.
func holds(runs []byte, width, want int) bool {
	for want > 0 {
		header, size := binary.Uvarint(runs)
		if size <= 0 || header < 2 || width > 32 { // a run of nothing
			return false
		}
		runs = runs[size:]
		count, bytes := header>>1, uint64(width+7)/8
		if header&1 == 1 { // groups of eight
			bytes = count * uint64(width)
			if count > uint64(want) || bytes > uint64(len(runs)) { // the last may be cut
				return min(8*uint64(len(runs))/uint64(max(width, 1)), 8*count) >= uint64(want)
			}
			count *= 8
		}
		if bytes > uint64(len(runs)) {
			return false
		}
		if count >= uint64(want) {
			return true
		}
		want -= int(count)
		runs = runs[bytes:]
	}
	return true
}

package export

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// chunk is a column of a row group, encoded: its pages, that of the dictionary
// first.
type chunk struct {
	body         []byte
	dictionary   int64 // length of the page of the dictionary; 0 = there is none
	uncompressed int64 // length of the body if it were not compressed
	values       int64 // with nulls
	pages        int32 // of data
	stats        metadata.EncodedStatistics
}

// chunks have their memory used again.
var chunks = sync.Pool{New: func() any { return &chunk{} }}

const (
	// A page has so many rows, a megabyte of numbers, or fewer if that much text.
	pageRows  = 1 << 17
	pageBytes = 1 << 20
	// mostStatistics is how long the smallest and largest text may be to be told.
	mostStatistics = 4096
)

// Numbers of parquet.thrift.
const (
	dataPage, dictionaryPage                  = 0, 2
	plainEncoding, rleEncoding, codesEncoding = 0, 3, 8
)

// header is the header of a page in Thrift's compact protocol: its kind, sizes, and
// what a page of data or of a dictionary has besides.
func header(dst []byte, kind, uncompressed, compressed, values, encoding int) []byte {
	ints := func(list ...int) {
		for _, v := range list {
			const nextFieldI32 = 0x15
			dst = binary.AppendVarint(append(dst, nextFieldI32), int64(v))
		}
	}
	const field5Struct, field7Struct, stop = 0x2c, 0x4c, 0 // counted from field 3
	ints(kind, uncompressed, compressed)
	if kind == dictionaryPage {
		dst = append(dst, field7Struct)
		ints(values, encoding)
	} else {
		dst = append(dst, field5Struct)
		ints(values, encoding, rleEncoding, rleEncoding)
	}
	return append(dst, stop, stop)
}

var snappy = func() compress.Codec {
	codec, err := compress.GetCodec(compress.Codecs.Snappy)
	if err != nil {
		panic(err) // never: it is built in
	}
	return codec
}()

// page compresses and appends a page.
func (c *chunk) page(kind int, content []byte, values, encoding int) {
	var room [64]byte
	most := int(snappy.CompressBound(int64(len(content))))
	guess := header(room[:0], kind, len(content), most, values, encoding)
	at := len(c.body)
	if need := at + len(guess) + most; need > cap(c.body) {
		c.body = append(make([]byte, 0, need+need/4), c.body...)
	}
	space := c.body[at : at+len(guess)+most]
	packed := snappy.Encode(space[len(guess):], content)
	head := header(room[:0], kind, len(content), len(packed), values, encoding)
	if len(head) < len(guess) {
		copy(space[len(head):], packed)
	}
	copy(space, head)
	c.body = c.body[:at+len(head)+len(packed)]
	c.uncompressed += int64(len(head) + len(content))
	if kind == dictionaryPage {
		c.dictionary = int64(len(c.body))
	} else {
		c.pages++
	}
}

// levels are where a column has values: in definition levels one below most for a
// null, or for a list without items, and repetition levels of 1 for the items of a
// list but the first.
type levels struct {
	n    int
	most byte   // the definition level of a value; 0 = there are no nulls
	defs []byte // nil = all are values
	reps []byte // nil = no lists
}

// rows appends all pages of a column. size tells of each value how many bytes it
// takes, nil that they are no more than 8; put appends some values.
func (c *chunk) rows(l *levels, buffer *[]byte, encoding int, size func(i int) int, put func(dst []byte, from, to int) []byte) {
	c.values = int64(l.n)
	value := 0
	for from := 0; from < l.n; {
		first := value
		to := min(from+pageRows, l.n)
		switch {
		case size != nil || l.reps != nil:
			to, value = l.cut(from, value, size)
		case l.defs != nil:
			value += bytes.Count(l.defs[from:to], []byte{l.most})
		default:
			value += to - from
		}
		page := (*buffer)[:0]
		if l.reps != nil {
			page = appendLevels(page, l.reps[from:to], 1)
		}
		switch {
		case l.defs != nil:
			page = appendLevels(page, l.defs[from:to], bits.Len8(l.most))
		case l.most > 0:
			page = sized(page, func(dst []byte) []byte { return appendRun(dst, l.most, to-from, bits.Len8(l.most)) })
		}
		page = put(page, first, value)
		c.page(dataPage, page, to-from, encoding)
		*buffer = page
		from = to
	}
}

// cut ends a page that begins at a row and a value, in front of a whole row.
func (l *levels) cut(from, value int, size func(i int) int) (to, values int) {
	bytes := 0
	for to = from; to < l.n; to++ {
		if begins := l.reps == nil || l.reps[to] == 0; begins && (to-from >= pageRows || bytes >= pageBytes) {
			break
		}
		if l.defs != nil && l.defs[to] < l.most {
			continue
		}
		if size != nil {
			bytes += size(value)
		}
		value++
	}
	return to, value
}

func appendLevels(dst, levels []byte, width int) []byte {
	return sized(dst, func(dst []byte) []byte { return appendCodes(dst, levels, width) })
}

// sized puts the length of what is appended before it.
func sized(dst []byte, add func([]byte) []byte) []byte {
	at := len(dst)
	dst = add(append(dst, 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// appendCodes writes small numbers of so many bits each as Parquet's hybrid of runs
// and of packed bits, in eights.
func appendCodes[T byte | int32](dst []byte, codes []T, width int) []byte {
	packed := 0 // the first of those that are to be packed
	for i := 0; i < len(codes); {
		end := i + 1
		for end < len(codes) && codes[end] == codes[i] {
			end++
		}
		from := packed + (i-packed+7)/8*8 // where the run can begin
		if end-from >= 8 {
			dst = appendRun(appendPacked(dst, codes[packed:from], width), codes[from], end-from, width)
			packed = end
		}
		i = end
	}
	return appendPacked(dst, codes[packed:], width)
}

func appendRun[T byte | int32](dst []byte, code T, n, width int) []byte {
	dst = binary.AppendUvarint(dst, uint64(n)<<1)
	for ; width > 0; width -= 8 {
		dst = append(dst, byte(code))
		code = T(uint32(code) >> 8)
	}
	return dst
}

func appendPacked[T byte | int32](dst []byte, codes []T, width int) []byte {
	if len(codes) == 0 {
		return dst
	}
	return packBits(binary.AppendUvarint(dst, uint64((len(codes)+7)/8)<<1|1), codes, width)
}

// packBits writes numbers of so many bits, the first lowest, with zeros at the end up
// to a multiple of eight.
func packBits[T byte | int32](dst []byte, codes []T, width int) []byte {
	var word uint64
	filled := 0
	for _, code := range codes {
		word |= uint64(code) << filled
		if filled += width; filled >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(word))
			word >>= 32
			filled -= 32
		}
	}
	for left := filled + (8-len(codes)%8)%8*width; left > 0; left -= 8 {
		dst = append(dst, byte(word))
		word >>= 8
	}
	return dst
}

// describe sets the statistics of a column whose values are these, each at least
// once, besides nulls.
func (c *chunk) describe(column *schema.Column, nulls int, update func(metadata.TypedStatistics)) error {
	s := metadata.NewStatistics(column, memory.DefaultAllocator)
	s.IncNulls(int64(nulls))
	update(s)
	var err error
	if c.stats, err = s.Encode(); err != nil {
		return err
	}
	c.stats.ApplyStatSizeLimits(mostStatistics)
	c.stats.Signed = column.SortOrder() == schema.SortSIGNED
	return nil
}

// appendTexts is how texts stand in a page.
func appendTexts(dst []byte, texts ...parquet.ByteArray) []byte {
	for _, text := range texts {
		dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(text))), text...)
	}
	return dst
}

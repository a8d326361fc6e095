package export

import (
	"bytes"
	"fmt"
	"math/bits"
	"sync"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// encoder makes chunks of columns. What it holds is memory to be used again.
type encoder struct {
	page   []byte
	codes  []int32
	defs   []byte
	known  []uint64 // numbers of pieces that have nulls, without them
	pieces [][]uint64
	table  numberTable
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// encodeColumn encodes a column of a row group that comes in pieces.
func encodeColumn(column *schema.Column, pieces []arrow.Array) (*chunk, error) {
	e := encoders.Get().(*encoder)
	defer func() {
		clear(e.pieces) // they are parts of records
		encoders.Put(e)
	}()
	c := chunks.Get().(*chunk)
	*c = chunk{body: c.body[:0]}
	l := &levels{most: byte(column.MaxDefinitionLevel())}
	for _, arr := range pieces {
		l.n += arr.Len()
	}
	var err error
	switch pieces[0].(type) {
	case *array.Float64, *array.Int64, *array.Timestamp:
		err = e.numbers(c, column, l, pieces)
	case *array.Boolean:
		err = e.booleans(c, column, l, pieces)
	case *array.List:
		err = e.lists(c, column, l, pieces)
	default:
		err = e.texts(c, column, l, pieces)
	}
	c.values = int64(l.n)
	return c, err
}

// nulls fills in the definition levels of a column that is no list and gives how
// many nulls it has.
func (e *encoder) nulls(l *levels, pieces []arrow.Array) (nulls int) {
	for _, arr := range pieces {
		nulls += arr.NullN()
	}
	if nulls == 0 {
		return 0
	}
	l.defs = append(e.defs[:0], make([]byte, l.n)...)
	e.defs = l.defs
	at := 0
	for _, arr := range pieces {
		defs := l.defs[at : at+arr.Len()]
		at += arr.Len()
		eachKnown(arr, func(i int) { defs[i] = l.most })
	}
	return nulls
}

// eachKnown goes through the rows that are not null.
func eachKnown(arr arrow.Array, yield func(i int)) {
	if arr.NullN() == arr.Len() {
		return
	}
	for i := range arr.Len() {
		if arr.IsValid(i) {
			yield(i)
		}
	}
}

func (e *encoder) numbers(c *chunk, column *schema.Column, l *levels, pieces []arrow.Array) error {
	nulls := e.nulls(l, pieces)
	e.known, e.pieces = e.known[:0], e.pieces[:0]
	for _, arr := range pieces {
		values := bitsOf(arr)
		if arr.NullN() > 0 {
			from := len(e.known)
			eachKnown(arr, func(i int) { e.known = append(e.known, values[i]) })
			values = e.known[from:]
		}
		e.pieces = append(e.pieces, values)
	}
	dictionary, codes := e.numberCodes(l.n - nulls)
	distinct := e.pieces
	if dictionary != nil {
		distinct = [][]uint64{dictionary}
		c.page(dictionaryPage, arrow.Uint64Traits.CastToBytes(dictionary), len(dictionary), plainEncoding)
		c.coded(l, &e.page, len(dictionary), codes)
	} else {
		piece, at := 0, 0 // what follows is in this piece, at this value
		c.rows(l, &e.page, plainEncoding, nil, func(dst []byte, from, to int) []byte {
			for n := to - from; n > 0; {
				rest := e.pieces[piece][at:]
				if len(rest) == 0 {
					piece, at = piece+1, 0
					continue
				}
				rest = rest[:min(n, len(rest))]
				dst = append(dst, arrow.Uint64Traits.CastToBytes(rest)...)
				at += len(rest)
				n -= len(rest)
			}
			return dst
		})
	}
	return c.describe(column, nulls, func(s metadata.TypedStatistics) {
		for _, piece := range distinct {
			raw := arrow.Uint64Traits.CastToBytes(piece)
			switch s := s.(type) {
			case *metadata.Float64Statistics:
				s.Update(arrow.Float64Traits.CastFromBytes(raw), 0)
			case *metadata.Int64Statistics:
				s.Update(arrow.Int64Traits.CastFromBytes(raw), 0)
			}
		}
	})
}

// bitsOf are the bits of numbers of eight bytes.
func bitsOf(arr arrow.Array) []uint64 {
	var raw []byte
	switch a := arr.(type) {
	case *array.Float64:
		raw = arrow.Float64Traits.CastToBytes(a.Float64Values())
	case *array.Int64:
		raw = arrow.Int64Traits.CastToBytes(a.Int64Values())
	case *array.Timestamp:
		raw = arrow.TimestampTraits.CastToBytes(a.TimestampValues())
	}
	return arrow.Uint64Traits.CastFromBytes(raw)
}

// coded appends the pages of a column whose values are codes into a dictionary.
func (c *chunk) coded(l *levels, buffer *[]byte, distinct int, codes []int32) {
	width := max(1, bits.Len(uint(distinct-1)))
	c.rows(l, buffer, codesEncoding, nil, func(dst []byte, from, to int) []byte {
		return appendCodes(append(dst, byte(width)), codes[from:to], width)
	})
}

func (e *encoder) booleans(c *chunk, column *schema.Column, l *levels, pieces []arrow.Array) error {
	nulls := e.nulls(l, pieces)
	var values []bool
	var packed []byte
	for _, arr := range pieces {
		a := arr.(*array.Boolean)
		eachKnown(a, func(i int) {
			bit := byte(0)
			if a.Value(i) {
				bit = 1
			}
			values, packed = append(values, a.Value(i)), append(packed, bit)
		})
	}
	c.rows(l, &e.page, plainEncoding, nil, func(dst []byte, from, to int) []byte { return packBits(dst, packed[from:to], 1) })
	return c.describe(column, nulls, func(s metadata.TypedStatistics) { s.(*metadata.BooleanStatistics).Update(values, 0) })
}

// lists are lists that are never null of texts that are never null.
func (e *encoder) lists(c *chunk, column *schema.Column, l *levels, pieces []arrow.Array) error {
	l.n = 0
	l.defs, l.reps = []byte{}, []byte{}
	items := make([]arrow.Array, len(pieces))
	values := 0
	for p, arr := range pieces {
		a := arr.(*array.List)
		begin, end := int64(0), int64(0)
		for i := range a.Len() {
			from, to := a.ValueOffsets(i)
			if end = to; i == 0 {
				begin = from
			}
			if from == to {
				l.defs, l.reps = append(l.defs, l.most-1), append(l.reps, 0)
			}
			for k := from; k < to; k++ {
				l.defs, l.reps = append(l.defs, l.most), append(l.reps, byte(min(k-from, 1)))
			}
		}
		items[p] = array.NewSlice(a.ListValues(), begin, end)
		values += items[p].Len()
	}
	l.n = len(l.defs)
	return e.codedTexts(c, column, l, items, l.n-values)
}

func (e *encoder) texts(c *chunk, column *schema.Column, l *levels, pieces []arrow.Array) error {
	return e.codedTexts(c, column, l, pieces, e.nulls(l, pieces))
}

// mostDictionary is from how many bytes on a dictionary of texts is too much for
// whoever reads it.
const mostDictionary = 1 << 20

func (e *encoder) codedTexts(c *chunk, column *schema.Column, l *levels, pieces []arrow.Array, nulls int) error {
	distinct, codes, err := e.textCodes(pieces)
	if err != nil {
		return err
	}
	size := func(i int) int { return 4 + len(distinct[codes[i]]) }
	all, plain := 0, 0
	for _, text := range distinct {
		all += 4 + len(text)
	}
	for i := range codes {
		if plain += size(i); plain >= 2*all {
			break
		}
	}
	if len(distinct) > 0 && plain >= 2*all && all <= mostDictionary {
		c.page(dictionaryPage, appendTexts(e.page[:0], distinct...), len(distinct), plainEncoding)
		c.coded(l, &e.page, len(distinct), codes)
	} else {
		c.rows(l, &e.page, plainEncoding, size, func(dst []byte, from, to int) []byte {
			for _, code := range codes[from:to] {
				dst = appendTexts(dst, distinct[code])
			}
			return dst
		})
	}
	return c.describe(column, nulls, func(s metadata.TypedStatistics) { s.(*metadata.ByteArrayStatistics).Update(distinct, 0) })
}

// textCodes codes texts in the order of their first appearance, nulls left out.
func (e *encoder) textCodes(pieces []arrow.Array) (distinct []parquet.ByteArray, codes []int32, err error) {
	codes = e.codes[:0]
	defer func() { e.codes = codes[:0] }()
	code := map[string]int32{}
	codeOf := func(text string) int32 {
		k, known := code[text]
		if !known {
			k = int32(len(distinct))
			code[text] = k
			distinct = append(distinct, parquet.ByteArray(text))
		}
		return k
	}
	var last arrow.ArrayData // the dictionary of the piece before
	var here []int32         // its 1 + codes; 0 = not met yet
	for _, arr := range pieces {
		switch a := arr.(type) {
		case *array.String:
			eachKnown(a, func(i int) { codes = append(codes, codeOf(a.Value(i))) })
			continue
		case *array.Dictionary:
			texts, isText := a.Dictionary().(*array.String)
			indices, isCoded := a.Indices().(*array.Int32)
			if !isText || !isCoded {
				break
			}
			if of := a.Data().Dictionary(); of != last {
				last, here = of, make([]int32, texts.Len())
			}
			nulls := a.NullN() > 0
			for i, at := range indices.Int32Values() {
				if nulls && a.IsNull(i) {
					continue
				}
				if here[at] == 0 {
					here[at] = codeOf(texts.Value(int(at))) + 1
				}
				codes = append(codes, here[at]-1)
			}
			continue
		}
		return nil, nil, fmt.Errorf("a column of type %s is not written", arr.DataType())
	}
	return distinct, codes, nil
}

// mostCodes is how many different numbers of a row group a dictionary may have.
const mostCodes = 1 << 16

// numberCodes codes so many numbers in the order of their first appearance; nil if
// a dictionary does not pay.
func (e *encoder) numberCodes(n int) (dictionary []uint64, codes []int32) {
	if n == 0 {
		return nil, nil
	}
	codes = e.codes[:0]
	defer func() { e.codes = codes[:0] }()
	if v, ok := e.constant(); ok {
		codes = append(codes, make([]int32, n)...)
		return []uint64{v}, codes
	}
	if !e.repeats(n) {
		return nil, nil
	}
	e.table.clear()
	last, lastCode := uint64(0), int32(-1)
	for _, piece := range e.pieces {
		for _, v := range piece {
			if v != last || lastCode < 0 {
				if last, lastCode = v, e.table.code(v); len(e.table.values) > mostCodes {
					return nil, nil
				}
			}
			codes = append(codes, lastCode)
		}
	}
	if len(e.table.values) > n/2 {
		return nil, nil
	}
	return e.table.values, codes
}

// constant tells whether all numbers are the same, as half of the columns are.
func (e *encoder) constant() (uint64, bool) {
	var first uint64
	some := false
	for _, piece := range e.pieces {
		if len(piece) == 0 {
			continue
		}
		if !some {
			some, first = true, piece[0]
		}
		raw := arrow.Uint64Traits.CastToBytes(piece)
		if piece[0] != first || !bytes.Equal(raw[8:], raw[:len(raw)-8]) {
			return 0, false
		}
	}
	return first, some
}

// repeats tells whether a dictionary of numbers may pay, by a sample of 4096: with
// 1/32 of them seen before there are some 65 000 different numbers (n^2/2 over the
// repeats, as birthdays do).
func (e *encoder) repeats(n int) bool {
	const most = 4096
	if n < 2*most {
		return true
	}
	e.table.clear()
	sampled, at := 0, 0 // at: the next of the sample, in the piece
	for _, piece := range e.pieces {
		for ; at < len(piece); at += n / most {
			e.table.code(piece[at])
			sampled++
		}
		at -= len(piece)
	}
	return sampled-len(e.table.values) >= sampled/32
}

// numberTable gives numbers codes from 0 on, up to mostCodes+1 of them. A map of Go
// takes several times as long.
type numberTable struct {
	places []int32 // 1 + code, by the hash of its number; 0 = free
	values []uint64
}

func (t *numberTable) clear() {
	if t.places == nil {
		t.places = make([]int32, 2*mostCodes)
	}
	clear(t.places)
	t.values = t.values[:0]
}

func (t *numberTable) code(v uint64) int32 {
	const golden = 0x9e3779b97f4a7c15 // Knuth: 2^64 over the golden ratio
	i := int(v * golden >> (64 - 17))
	for ; t.places[i] != 0; i = (i + 1) % len(t.places) {
		if code := t.places[i] - 1; t.values[code] == v {
			return code
		}
	}
	t.values = append(t.values, v)
	t.places[i] = int32(len(t.values))
	return int32(len(t.values)) - 1
}

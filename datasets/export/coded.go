package export

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	pq "github.com/apache/arrow/go/v15/parquet/file"
)

// mostCodes is how many different values a column of a row group may have to be
// coded here: for more, Parquet may want no dictionary.
const mostCodes = 1 << 12

// preseeded is what an encoder of Parquet can do when it makes a dictionary.
type preseeded interface {
	PutDictionary(arrow.Array) error
	NumEntries() int
}

// writeCoded writes a column of a row group that repeats a few values: the
// dictionary first, then the codes, which is what Parquet makes of the values
// anyway, boxing and hashing each. It gives false, and has written nothing, if the
// column is none of these or has nulls.
func writeCoded(column pq.ColumnChunkWriter, group []arrow.Record, c int) (bool, error) {
	into, ok := column.CurrentEncoder().(preseeded)
	if !ok {
		return false, nil
	}
	var dictionary arrow.Array
	var codes []int32
	switch group[0].Column(c).(type) {
	case *array.Float64:
		dictionary, codes = numberCodes(group, c)
	case *array.Dictionary:
		dictionary, codes = textCodes(group, c)
	}
	if dictionary == nil {
		return false, nil
	}
	if err := into.PutDictionary(dictionary); err != nil {
		return false, err
	}
	if into.NumEntries() != dictionary.Len() {
		// Never: all are different. The values follow as they are.
		column.FallbackToPlain()
		return false, nil
	}
	if s := column.PageStatistics(); s != nil {
		s.IncNumValues(int64(len(codes)))
		if err := s.UpdateFromArrow(dictionary, false); err != nil {
			return false, err
		}
	}
	optional := column.Descr().MaxDefinitionLevel() > 0
	for len(codes) > 0 {
		n := min(len(codes), len(ones))
		var def []int16
		if optional {
			def = ones[:n]
		}
		indices := array.NewInt32Data(array.NewData(arrow.PrimitiveTypes.Int32, n, []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(codes[:n]))}, nil, 0, 0))
		if err := column.WriteDictIndices(indices, def, nil); err != nil {
			return false, err
		}
		codes = codes[n:]
	}
	return true, nil
}

// numberCodes codes numbers in the order of their first appearance; nil if they are
// too many, or some are null.
func numberCodes(group []arrow.Record, c int) (arrow.Array, []int32) {
	var values []float64
	codes := make([]int32, 0, rowsOf(group))
	code := map[uint64]int32{}
	last, lastCode := uint64(0), int32(-1)
	for _, rec := range group {
		a, ok := rec.Column(c).(*array.Float64)
		if !ok || a.NullN() > 0 {
			return nil, nil
		}
		for _, v := range a.Float64Values() {
			if bits := math.Float64bits(v); bits != last || lastCode < 0 {
				k, known := code[bits]
				if !known {
					if k = int32(len(values)); k == mostCodes {
						return nil, nil
					}
					code[bits] = k
					values = append(values, v)
				}
				last, lastCode = bits, k
			}
			codes = append(codes, lastCode)
		}
	}
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray(), codes
}

// textCodes is numberCodes for texts, whose codes are those of a record each.
func textCodes(group []arrow.Record, c int) (arrow.Array, []int32) {
	codes := make([]int32, 0, rowsOf(group))
	code := map[string]int32{}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	for _, rec := range group {
		a, ok := rec.Column(c).(*array.Dictionary)
		if !ok || a.NullN() > 0 {
			return nil, nil
		}
		words, ok := a.Dictionary().(*array.String)
		if !ok {
			return nil, nil
		}
		here := make([]int32, words.Len()) // 1 + code; 0 = not met yet
		for i := range a.Len() {
			at := a.GetValueIndex(i)
			if here[at] == 0 {
				word := words.Value(at)
				k, known := code[word]
				if !known {
					if k = int32(b.Len()); k == mostCodes {
						return nil, nil
					}
					code[word] = k
					b.Append(word)
				}
				here[at] = k + 1
			}
			codes = append(codes, here[at]-1)
		}
	}
	return b.NewArray(), codes
}

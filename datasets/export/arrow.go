package export

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// dictionaries are the texts of the dictionary columns of a file, by column: an
// Arrow file has one dictionary for each, before its rows.
type dictionaries map[int]*words

// words are texts in order of first appearance.
type words struct {
	codes  map[string]int32
	values []string
}

func (w *words) code(s string) int32 {
	if c, ok := w.codes[s]; ok {
		return c
	}
	c := int32(len(w.values))
	w.codes[s] = c
	w.values = append(w.values, s)
	return c
}

// learn takes in the texts that occur in a record.
func (d dictionaries) learn(rec arrow.Record) error {
	for c, arr := range rec.Columns() {
		dict, codes, err := coded(arr)
		if err != nil {
			return fmt.Errorf("column %q: %w", rec.ColumnName(c), err)
		}
		if dict == nil {
			continue
		}
		if d[c] == nil {
			d[c] = &words{codes: map[string]int32{}}
		}
		seen := make([]bool, dict.Len())
		codes(func(code int) {
			if !seen[code] {
				seen[code] = true
				d[c].code(dict.Value(code))
			}
		})
	}
	return nil
}

// coded gives the dictionary of a column of texts, or of lists of texts, and goes
// through the codes that are not null; nil if the column has none.
func coded(arr arrow.Array) (dict *array.String, codes func(yield func(code int)), err error) {
	from, to := 0, arr.Len()
	if list, ok := arr.(*array.List); ok {
		first, _ := list.ValueOffsets(0)
		last := first
		if list.Len() > 0 {
			_, last = list.ValueOffsets(list.Len() - 1)
		}
		from, to = int(first), int(last)
		arr = list.ListValues()
	}
	a, ok := arr.(*array.Dictionary)
	if !ok {
		return nil, nil, nil
	}
	if dict, ok = a.Dictionary().(*array.String); !ok {
		return nil, nil, fmt.Errorf("a column of type %s is not written", arr.DataType())
	}
	return dict, func(yield func(code int)) {
		for i := from; i < to; i++ {
			if a.IsValid(i) {
				yield(a.GetValueIndex(i))
			}
		}
	}, nil
}

// arrowWriter writes each group of rows as a record batch.
type arrowWriter struct {
	w      *ipc.FileWriter
	schema *arrow.Schema
	texts  dictionaries
	dicts  map[int]arrow.Array
}

func newArrow(out *file, s *arrow.Schema, texts dictionaries) (writer, error) {
	w := &arrowWriter{schema: s, texts: texts, dicts: map[int]arrow.Array{}}
	for c, words := range texts {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		b.AppendValues(words.values, nil)
		if len(words.values) == 0 { // some readers check the codes below nulls
			b.Append("")
		}
		w.dicts[c] = b.NewArray()
	}
	var err error
	w.w, err = ipc.NewFileWriter(out, ipc.WithSchema(s), ipc.WithLZ4(), ipc.WithCompressConcurrency(min(runtime.GOMAXPROCS(0), 4)))
	return w, err
}

// Seek tells Arrow the position and refuses to change it.
func (f *file) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("export: a file is written from front to back")
	}
	return f.size, nil
}

func (w *arrowWriter) write(group []arrow.Record) error {
	rec, err := together(w.schema, group)
	if err != nil {
		return err
	}
	columns := make([]arrow.Array, rec.NumCols())
	for c := range columns {
		columns[c] = rec.Column(c)
		if words := w.texts[c]; words != nil {
			if columns[c], err = recoded(columns[c], words, w.dicts[c]); err != nil {
				return fmt.Errorf("column %q: %w", rec.ColumnName(c), err)
			}
		}
	}
	return w.w.Write(array.NewRecord(w.schema, columns, rec.NumRows()))
}

func (w *arrowWriter) close() error { return w.w.Close() }

// recoded gives a column of texts, or of lists of texts, the dictionary of its
// file.
func recoded(arr arrow.Array, words *words, dict arrow.Array) (arrow.Array, error) {
	if list, ok := arr.(*array.List); ok {
		items, err := recoded(list.ListValues(), words, dict)
		if err != nil {
			return nil, err
		}
		old := list.Data()
		data := array.NewData(list.DataType(), old.Len(), old.Buffers(), []arrow.ArrayData{items.Data()}, old.NullN(), old.Offset())
		return array.NewListData(data), nil
	}
	a := arr.(*array.Dictionary)
	own := a.Dictionary().(*array.String)
	codes := make([]int32, own.Len()) // of the file
	known := make([]bool, own.Len())
	b := array.NewInt32Builder(memory.DefaultAllocator)
	b.Reserve(a.Len())
	for i := range a.Len() {
		if a.IsNull(i) {
			b.AppendNull()
			continue
		}
		code := a.GetValueIndex(i)
		if !known[code] {
			known[code] = true
			codes[code] = words.code(own.Value(code))
		}
		b.Append(codes[code])
	}
	return array.NewDictionaryArray(arr.DataType(), b.NewArray(), dict), nil
}

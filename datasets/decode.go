package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// partFile is a part that is open for reading. An open part stays readable
// after a writer has replaced and removed it.
type partFile struct {
	part
	f      *os.File
	verify sync.Once
	intact error // nil if the bytes have the hash that dataset.json says
}

func openPart(dir string, p part) (*partFile, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(p.File)))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() != p.Bytes {
		err = fmt.Errorf("%s: %s has %d bytes, %s says %d: copy the folder again", dir, p.File, info.Size(), manifestFile, p.Bytes)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &partFile{part: p, f: f}, nil
}

// openParts opens the parts of one table, or none of them.
func openParts(dir string, parts []part) ([]*partFile, error) {
	var open []*partFile
	for _, p := range parts {
		f, err := openPart(dir, p)
		if err != nil {
			closeParts(open)
			return nil, err
		}
		open = append(open, f)
	}
	return open, nil
}

func closeParts(parts []*partFile) {
	for _, p := range parts {
		p.f.Close()
	}
}

// read calls use with the Arrow file of the part. A damaged file is an
// error that names it; the hash is checked first, because Arrow trusts what it
// reads as far as to allocate whatever a damaged length says.
func (p *partFile) read(use func(*ipc.FileReader) error) error {
	if p.verify.Do(p.check); p.intact != nil {
		return p.intact
	}
	var r *ipc.FileReader
	err := p.guard(func() (err error) {
		r, err = ipc.NewFileReader(io.NewSectionReader(p.f, 0, p.Bytes))
		return err
	})
	if err != nil {
		return err
	}
	defer r.Close()
	return use(r)
}

// guard turns what Arrow returns or panics with, when it reads a file that it
// does not like, into an error that names the part.
func (p *partFile) guard(read func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("part %s is damaged: %v", p.File, r)
		}
	}()
	if err := read(); err != nil {
		return fmt.Errorf("part %s is damaged: %w", p.File, err)
	}
	return nil
}

// checkAll compares parts with their hashes side by side. What came out is told by
// what reads them.
func checkAll(parts []*partFile) {
	var next atomic.Int32
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
				parts[i].verify.Do(parts[i].check)
			}
		})
	}
	wait.Wait()
}

// check compares the part with its hash.
func (p *partFile) check() {
	sum, want := newPartHash(), p.XXH3
	if want == "" {
		sum, want = sha256.New(), p.SHA256
	}
	buffer := make([]byte, min(p.Bytes, 1<<20)+1) // io.Copy reads 32 kB at a time
	if _, err := io.CopyBuffer(sum, io.NewSectionReader(p.f, 0, p.Bytes), buffer); err != nil {
		p.intact = err
	} else if digest := hex.EncodeToString(sum.Sum(nil)); digest != want {
		p.intact = fmt.Errorf("part %s is damaged: its hash is not the one in %s: copy the folder again", p.File, manifestFile)
	}
}

// records yields the record batches of the part, one at a time.
func (p *partFile) records(yield func(arrow.Record) error) error {
	return p.read(func(r *ipc.FileReader) error {
		for i := range r.NumRecords() {
			var rec arrow.Record
			err := p.guard(func() (err error) {
				rec, err = r.RecordAt(i)
				return err
			})
			if err != nil {
				return err
			}
			err = yield(rec)
			rec.Release()
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// view is a record batch of a fixed table with its columns by cell type, as
// chunk has them.
type view struct {
	n      int
	texts  []textColumn
	floats [][]float64
	ints   [][]int64
	lists  []listColumn
}

func (v *view) text(column, row int) string { return v.texts[column].at(row) }

// textColumn is a column of codes into texts.
type textColumn struct {
	codes []int32
	dict  []string
}

// at gives the text of a row; null is "".
func (c *textColumn) at(row int) string {
	if code := c.codes[row]; code >= 0 {
		return c.dict[code]
	}
	return ""
}

// listColumn is a column of lists of codes into texts.
type listColumn struct {
	items   textColumn
	offsets []int32 // one more than rows
	spare   []string
}

func (l *listColumn) codes(row int) []int32 {
	return l.items.codes[l.offsets[row]:l.offsets[row+1]]
}

// spareTexts are allocated at a time for the lists of rows that are handed out.
const spareTexts = 4096

// at gives the list of a row, which the caller may keep; nil if it is empty.
func (l *listColumn) at(row int) []string {
	codes := l.codes(row)
	n := len(codes)
	if n == 0 {
		return nil
	}
	if len(l.spare) < n {
		l.spare = make([]string, max(n, spareTexts))
	}
	list := l.spare[:n:n]
	l.spare = l.spare[n:]
	for i, code := range codes {
		list[i] = l.items.dict[code]
	}
	return list
}

// views yields the record batches of a part as the layout wants them: a column
// that the part does not have is null, or 0 in a column that knows no null.
func (p *partFile) views(l *layout, yield func(*view) error) error {
	dicts := dictCache{}
	return p.records(func(rec arrow.Record) error {
		v, err := viewOf(rec, l, dicts)
		if err != nil {
			return fmt.Errorf("part %s, %w", p.File, err)
		}
		return yield(v)
	})
}

func viewOf(rec arrow.Record, l *layout, dicts dictCache) (*view, error) {
	v := &view{n: int(rec.NumRows())}
	for _, c := range l.columns {
		var err error
		arr := columnOf(rec, c.name)
		switch c.cell {
		case textCell:
			var t textColumn
			t, err = dicts.texts(arr, c.name, v.n)
			v.texts = append(v.texts, t)
		case floatCell:
			var f []float64
			f, err = floatsOf(arr, v.n)
			v.floats = append(v.floats, f)
		case intCell:
			var i []int64
			i, _, err = intsOf(arr, v.n)
			v.ints = append(v.ints, i)
		case listCell:
			var l listColumn
			l, err = dicts.lists(arr, c.name, v.n)
			v.lists = append(v.lists, l)
		}
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", c.name, err)
		}
	}
	return v, nil
}

// columnOf gives the column of that name, nil if there is none.
func columnOf(rec arrow.Record, name string) arrow.Array {
	at := rec.Schema().FieldIndices(name)
	if len(at) == 0 {
		return nil
	}
	return rec.Column(at[0])
}

// dictCache keeps the dictionaries of one part as texts, by column.
type dictCache map[string]cachedDict

type cachedDict struct {
	data  arrow.ArrayData
	texts []string
}

// texts reads a text column, dictionary-encoded or plain.
func (d dictCache) texts(arr arrow.Array, name string, n int) (textColumn, error) {
	switch arr := arr.(type) {
	case nil:
		codes := make([]int32, n)
		for i := range codes {
			codes[i] = nullCode
		}
		return textColumn{codes: codes}, nil
	case *array.String:
		c := textColumn{codes: make([]int32, n), dict: make([]string, n)}
		for i := range n {
			c.codes[i], c.dict[i] = int32(i), arr.Value(i)
			if arr.IsNull(i) {
				c.codes[i] = nullCode
			}
		}
		return c, nil
	case *array.Dictionary:
		data := arr.Data().Dictionary()
		cached, ok := d[name]
		if !ok || cached.data != data {
			values, ok := arr.Dictionary().(*array.String)
			if !ok {
				return textColumn{}, typeError(arr)
			}
			cached = cachedDict{data, make([]string, values.Len())}
			for i := range cached.texts {
				cached.texts[i] = values.Value(i)
			}
			d[name] = cached
		}
		return textColumn{codes: codesOf(arr, n), dict: cached.texts}.checked()
	}
	return textColumn{}, typeError(arr)
}

// lists reads a column of lists of texts; null is an empty list.
func (d dictCache) lists(arr arrow.Array, name string, n int) (listColumn, error) {
	if arr == nil {
		return listColumn{offsets: make([]int32, n+1)}, nil
	}
	list, ok := arr.(*array.List)
	if !ok {
		return listColumn{}, typeError(arr)
	}
	items := list.ListValues()
	texts, err := d.texts(items, name, items.Len())
	if err != nil {
		return listColumn{}, err
	}
	offsets := list.Offsets()[list.Data().Offset():][:n+1]
	for i, at := range offsets {
		if at < 0 || int(at) > len(texts.codes) || i > 0 && at < offsets[i-1] {
			return listColumn{}, fmt.Errorf("row %d points outside the items", i)
		}
	}
	for _, code := range texts.codes {
		if code == nullCode {
			return listColumn{}, errors.New("an item is null")
		}
	}
	return listColumn{items: texts, offsets: offsets}, nil
}

// floatsOf reads a column of numbers; null is NaN. The result is shared with
// the column where that is possible: do not write to it.
func floatsOf(arr arrow.Array, n int) ([]float64, error) {
	var v []float64
	switch a := arr.(type) {
	case nil:
		v = make([]float64, n)
		for i := range v {
			v[i] = math.NaN()
		}
		return v, nil
	case *array.Float64:
		if a.NullN() == 0 {
			return a.Float64Values(), nil
		}
		v = append(v, a.Float64Values()...)
	case *array.Int64:
		v = make([]float64, n)
		for i, x := range a.Int64Values() {
			v[i] = float64(x)
		}
	default:
		return nil, typeError(arr)
	}
	for i := range v {
		if arr.IsNull(i) {
			v[i] = math.NaN()
		}
	}
	return v, nil
}

// intsOf reads a column of whole numbers and a function that tells nulls.
func intsOf(arr arrow.Array, n int) ([]int64, func(int) bool, error) {
	switch a := arr.(type) {
	case nil:
		return make([]int64, n), func(int) bool { return true }, nil
	case *array.Int64:
		return a.Int64Values(), a.IsNull, nil
	case *array.Int32:
		v := make([]int64, n)
		for i, x := range a.Int32Values() {
			v[i] = int64(x)
		}
		return v, a.IsNull, nil
	}
	return nil, nil, typeError(arr)
}

func typeError(arr arrow.Array) error {
	return fmt.Errorf("cannot use a column of type %s here", arr.DataType())
}

// isGone tells that a part was removed under a reader.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// codesOf gives the codes of a dictionary column; null is nullCode.
func codesOf(arr *array.Dictionary, n int) []int32 {
	if idx, ok := arr.Indices().(*array.Int32); ok && arr.NullN() == 0 {
		return idx.Int32Values()
	}
	codes := make([]int32, n)
	for i := range codes {
		codes[i] = nullCode
		if arr.IsValid(i) {
			codes[i] = int32(arr.GetValueIndex(i))
		}
	}
	return codes
}

// checked refuses codes that point outside the dictionary.
func (c textColumn) checked() (textColumn, error) {
	for i, code := range c.codes {
		if int(code) >= len(c.dict) || code < nullCode {
			return textColumn{}, fmt.Errorf("row %d points outside the dictionary", i)
		}
	}
	return c, nil
}

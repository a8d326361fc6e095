package datasets

import (
	"bytes"
	"io"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
)

// chunkRows is the size of a record batch. It bounds the memory of a writer: a
// chunk of intervals is 7 MB, and as much again while it is compressed.
const chunkRows = 1 << 16

// nullCode stands for null in a column of dictionary codes.
const nullCode int32 = -1

// dictionary gives each distinct text of a column a code. All text columns of
// all tables are dictionary-encoded, even those that hardly repeat: some readers
// (polars) join a column only with one of the same kind.
type dictionary struct {
	codes  map[string]int32
	values []string
	bytes  int64
}

// code gives the code of a text; "" is null.
func (d *dictionary) code(s string) int32 {
	if s == "" {
		return nullCode
	}
	return d.codeOf(s)
}

// codeOf gives the code of a text, "" being a text like any other.
func (d *dictionary) codeOf(s string) int32 {
	if c, ok := d.codes[s]; ok {
		return c
	}
	if d.codes == nil {
		d.codes = map[string]int32{}
	}
	c := int32(len(d.values))
	d.codes[s] = c
	d.values = append(d.values, s)
	d.bytes += int64(len(s)) + 64 // 64: about what map and slice take for it
	return c
}

// chunk is a number of rows of a fixed table, column by column.
type chunk struct {
	n      int
	codes  [][]int32
	floats [][]float64
	ints   [][]int64
}

func newChunk(l *layout) chunk {
	return chunk{
		codes:  make([][]int32, l.count(textCell)),
		floats: make([][]float64, l.count(floatCell)),
		ints:   make([][]int64, l.count(intCell)),
	}
}

// resize makes room for n rows in all and keeps the first c.n.
func (c *chunk) resize(n int) {
	for k := range c.codes {
		c.codes[k] = slices.Grow(c.codes[k][:c.n], n-c.n)[:n]
	}
	for k := range c.floats {
		c.floats[k] = slices.Grow(c.floats[k][:c.n], n-c.n)[:n]
	}
	for k := range c.ints {
		c.ints[k] = slices.Grow(c.ints[k][:c.n], n-c.n)[:n]
	}
}

// cells is one column of a chunk as memory.
type cells struct {
	width int
	data  []byte
}

// cells gives the first c.n rows of every column.
func (c *chunk) cells() []cells {
	var all []cells
	for _, v := range c.codes {
		all = append(all, cells{arrow.Int32SizeBytes, arrow.Int32Traits.CastToBytes(v[:c.n])})
	}
	for _, v := range c.floats {
		all = append(all, cells{arrow.Float64SizeBytes, arrow.Float64Traits.CastToBytes(v[:c.n])})
	}
	for _, v := range c.ints {
		all = append(all, cells{arrow.Int64SizeBytes, arrow.Int64Traits.CastToBytes(v[:c.n])})
	}
	return all
}

// stage collects the rows of one fixed table for one new part. A part has one
// dictionary per text column, which has to be complete before the first record
// batch is written; so full chunks wait in a spool file and memory holds one.
type stage struct {
	layout *layout
	disk   *disk
	dicts  []*dictionary
	cur    chunk
	size   int   // rows that cur has memory for
	rows   int64 // staged in all
	spool  *spool
}

func newStage(l *layout, d *disk) *stage {
	s := &stage{layout: l, disk: d, cur: newChunk(l)}
	s.reset()
	return s
}

// reset forgets all rows and keeps the memory.
func (s *stage) reset() {
	if s.spool != nil {
		s.spool.remove()
		s.spool = nil
	}
	s.dicts = make([]*dictionary, s.layout.count(textCell))
	for k := range s.dicts {
		s.dicts[k] = &dictionary{}
	}
	s.cur.n, s.rows = 0, 0
}

// bytes is what the staged rows take: in memory or, but for their texts, in
// the spool.
func (s *stage) bytes() int64 { return s.rows*s.layout.rowBytes() + s.textBytes() }

func (s *stage) textBytes() int64 {
	n := int64(0)
	for _, d := range s.dicts {
		n += d.bytes
	}
	return n
}

// room reserves up to want rows: the caller fills rows at .. at+n-1 of cur.
func (s *stage) room(want int) (at, n int, err error) {
	if s.cur.n == chunkRows {
		if err := s.spoolChunk(); err != nil {
			return 0, 0, err
		}
	}
	if free := s.size - s.cur.n; free < want && s.size < chunkRows {
		s.size = min(chunkRows, max(2*s.size, s.cur.n+want))
		s.cur.resize(s.size)
	}
	at = s.cur.n
	n = min(want, s.size-at)
	s.cur.n += n
	s.rows += int64(n)
	return at, n, nil
}

func (s *stage) spoolChunk() error {
	if s.spool == nil {
		sp, err := newSpool(s.disk)
		if err != nil {
			return err
		}
		s.spool = sp
	}
	if err := s.spool.append(&s.cur); err != nil {
		return err
	}
	s.cur.n = 0
	return nil
}

// each yields the staged rows in order, at most chunkRows at a time. The chunk
// is the caller's until it returns.
func (s *stage) each(yield func(*chunk) error) error {
	if s.spool == nil {
		if s.cur.n == 0 {
			return nil
		}
		return yield(&s.cur)
	}
	if s.cur.n > 0 {
		if err := s.spoolChunk(); err != nil {
			return err
		}
	}
	return s.spool.each(&s.cur, yield)
}

// spool keeps full chunks in a file: the plain memory of each column, but only
// the first cell of a column whose cells are all the same. Half of the columns
// of a sysbench log are such (threads, percentile, errors, what it does not
// print), so this halves what goes through the file.
type spool struct {
	disk   *disk
	f      file
	chunks []spooled
}

type spooled struct {
	rows int
	same [][]byte // per column: the one cell, or nil if the file has them
}

func newSpool(d *disk) (*spool, error) {
	f, err := d.temp()
	if err != nil {
		return nil, err
	}
	return &spool{disk: d, f: f}, nil
}

func (s *spool) append(c *chunk) error {
	e := spooled{rows: c.n}
	for _, col := range c.cells() {
		// All cells are the same if the column equals itself, shifted by one.
		if bytes.Equal(col.data[col.width:], col.data[:len(col.data)-col.width]) {
			e.same = append(e.same, bytes.Clone(col.data[:col.width]))
			continue
		}
		e.same = append(e.same, nil)
		if _, err := s.f.Write(col.data); err != nil {
			return err
		}
	}
	s.chunks = append(s.chunks, e)
	return nil
}

// each reads the chunks back, one after the other, into c.
func (s *spool) each(c *chunk, yield func(*chunk) error) error {
	if _, err := s.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	for _, e := range s.chunks {
		c.n = e.rows
		for k, col := range c.cells() {
			if one := e.same[k]; one != nil {
				for i := copy(col.data, one); i < len(col.data); i *= 2 {
					copy(col.data[i:], col.data[:i])
				}
				continue
			}
			if _, err := io.ReadFull(s.f, col.data); err != nil {
				return err
			}
		}
		if err := yield(c); err != nil {
			return err
		}
	}
	return nil
}

func (s *spool) remove() { s.disk.discard(s.f) }

// addView appends the rows of a record batch that are not gone; gone may be nil.
func (s *stage) addView(v *view, gone func(v *view, row int) bool) error {
	translate := make([]translation, len(v.texts))
	for k := range translate {
		translate[k] = newTranslation(v.texts[k].dict, s.dicts[k])
	}
	for from := 0; from < v.n; {
		to := v.n
		if gone != nil {
			if gone(v, from) {
				from++
				continue
			}
			to = from + 1
			for to < v.n && !gone(v, to) {
				to++
			}
		}
		for from < to {
			at, n, err := s.room(to - from)
			if err != nil {
				return err
			}
			for k := range v.floats {
				copy(s.cur.floats[k][at:at+n], v.floats[k][from:])
			}
			for k := range v.ints {
				copy(s.cur.ints[k][at:at+n], v.ints[k][from:])
			}
			for k := range v.texts {
				for i, code := range v.texts[k].codes[from : from+n] {
					s.cur.codes[k][at+i] = translate[k].code(code)
				}
			}
			from += n
		}
	}
	return nil
}

// translation turns the codes of one dictionary into those of another, which
// gets only the texts that are used.
type translation struct {
	from []string
	to   *dictionary
	done []int32 // 1 + code in to; 0 = not used yet
}

func newTranslation(from []string, to *dictionary) translation {
	return translation{from, to, make([]int32, len(from))}
}

func (t *translation) code(code int32) int32 {
	if code < 0 {
		return nullCode
	}
	if t.done[code] == 0 {
		t.done[code] = 1 + t.to.code(t.from[code])
	}
	return t.done[code] - 1
}

package datasets

import "slices"

// chunkRows is the size of a record batch: of intervals 7 MB before compression.
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
	last   int32 // code of the text asked for last: the next is often the same
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
	if len(d.values) > 0 && d.values[d.last] == s {
		return d.last
	}
	if c, ok := d.codes[s]; ok {
		d.last = c
		return c
	}
	if d.codes == nil {
		d.codes = map[string]int32{}
	}
	c := int32(len(d.values))
	d.codes[s], d.last = c, c
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
	lists  []codeLists
}

// codeLists is a column of lists of dictionary codes.
type codeLists struct {
	ends  []int32 // in codes, by row
	codes []int32
}

// add sets the list of a row, the one after those that are there.
func (l *codeLists) add(row, n int, code func(i int) int32) {
	for i := range n {
		l.codes = append(l.codes, code(i))
	}
	l.ends[row] = int32(len(l.codes))
}

func newChunk(l *layout) chunk {
	return chunk{
		codes:  make([][]int32, l.count(textCell)),
		floats: make([][]float64, l.count(floatCell)),
		ints:   make([][]int64, l.count(intCell)),
		lists:  make([]codeLists, l.count(listCell)),
	}
}

// resize makes room for n rows in all and keeps the first c.n.
func (c *chunk) resize(n int) {
	for k := range c.codes {
		c.codes[k] = slices.Grow(c.codes[k][:c.n], n-c.n)[:n]
	}
	for k, column := range staggered(len(c.floats), n) {
		copy(column, c.floats[k][:c.n])
		c.floats[k] = column
	}
	for k := range c.ints {
		c.ints[k] = slices.Grow(c.ints[k][:c.n], n-c.n)[:n]
	}
	for k := range c.lists {
		c.lists[k].ends = slices.Grow(c.lists[k].ends[:c.n], n-c.n)[:n]
	}
}

// stage collects the rows of one fixed table for one new part. They are kept as
// they are until they are so many that their part will be LZ4; from then on they
// are packed as they come.
type stage struct {
	layout *layout
	disk   *disk
	dicts  []*dictionary // of the text columns, then of the lists
	full   []chunk       // before cur
	cur    chunk
	size   int   // rows that cur has memory for
	rows   int64 // staged in all
	items  int64 // of their lists
	packed *packed
}

func newStage(l *layout, d *disk) *stage {
	s := &stage{layout: l, disk: d, cur: newChunk(l)}
	s.reset()
	return s
}

// reset forgets all rows and keeps the memory of a chunk.
func (s *stage) reset() {
	if s.packed != nil {
		s.packed.file.part.abort()
		s.packed = nil
	}
	s.dicts = make([]*dictionary, s.layout.count(textCell)+s.layout.count(listCell))
	for k := range s.dicts {
		s.dicts[k] = &dictionary{}
	}
	s.full, s.cur.n, s.rows, s.items = nil, 0, 0, 0
	for k := range s.cur.lists {
		s.cur.lists[k].codes = s.cur.lists[k].codes[:0]
	}
}

// bytes is what the staged rows take before they are packed.
func (s *stage) bytes() int64 { return s.rows*s.layout.rowBytes() + 4*s.items + s.textBytes() }

func (s *stage) textBytes() int64 {
	n := int64(0)
	for _, d := range s.dicts {
		n += d.bytes
	}
	return n
}

// room reserves up to want rows: the caller fills rows at .. at+n-1 of cur.
func (s *stage) room(want int) (at, n int, err error) {
	if s.cur.n == s.most() || s.cur.items() >= s.disk.items {
		if err := s.roll(); err != nil {
			return 0, 0, err
		}
	}
	if free := s.size - s.cur.n; free < want && s.size < s.most() {
		s.size = min(s.most(), max(2*s.size, s.cur.n+want))
		s.cur.resize(s.size)
	}
	at = s.cur.n
	n = min(want, s.size-at)
	s.cur.n += n
	s.rows += int64(n)
	return at, n, nil
}

// chunkItems is how many list items a chunk has about: far from what an Arrow list
// can count.
const chunkItems = 1 << 24

func (c *chunk) items() int64 {
	n := int64(0)
	for k := range c.lists {
		n += int64(len(c.lists[k].codes))
	}
	return n
}

// packs tells whether large parts of the table are packed here. Lists are left to
// Arrow: stacks are few beside report lines.
func (l *layout) packs() bool { return l.count(listCell) == 0 }

// most is how many rows cur may have.
func (s *stage) most() int {
	if s.packed != nil {
		return blockRows
	}
	return chunkRows
}

// roll empties cur, which is full.
func (s *stage) roll() error {
	if s.packed == nil && (s.bytes() < s.disk.large || !s.layout.packs()) {
		s.full = append(s.full, s.cur)
		s.cur, s.size = newChunk(s.layout), 0
		return nil
	}
	return s.pack()
}

// pack packs all rows that are not packed yet.
func (s *stage) pack() error {
	if s.packed == nil {
		p, err := newPacked(s.layout, s.disk)
		if err != nil {
			return err
		}
		s.packed = p
	}
	err := s.each(s.packed.add)
	s.full, s.cur.n = nil, 0
	if s.size > blockRows {
		s.cur, s.size = newChunk(s.layout), 0
	}
	return err
}

// each yields the rows that are not packed, in order, at most chunkRows at a
// time.
func (s *stage) each(yield func(*chunk) error) error {
	for i := range s.full {
		if err := yield(&s.full[i]); err != nil {
			return err
		}
	}
	if s.cur.n == 0 {
		return nil
	}
	return yield(&s.cur)
}

// addView appends the rows of a record batch that are not gone; gone may be nil.
func (s *stage) addView(v *view, gone func(v *view, row int) bool) error {
	translate := make([]translation, 0, len(s.dicts))
	for k := range v.texts {
		translate = append(translate, newTranslation(v.texts[k].dict, s.dicts[k]))
	}
	for k := range v.lists {
		translate = append(translate, newTranslation(v.lists[k].items.dict, s.dicts[len(v.texts)+k]))
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
			for k := range v.lists {
				t := &translate[len(v.texts)+k]
				for i := range n {
					codes := v.lists[k].codes(from + i)
					s.cur.lists[k].add(at+i, len(codes), func(j int) int32 { return t.item(codes[j]) })
					s.items += int64(len(codes))
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

// item is code in a list, where "" is a text like any other.
func (t *translation) item(code int32) int32 {
	if t.done[code] == 0 {
		t.done[code] = 1 + t.to.codeOf(t.from[code])
	}
	return t.done[code] - 1
}

package datasets

import (
	"math"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v15/arrow"
)

// The numbers of an Interval, as columns of Intervals: in the order of the table.
const (
	ColumnT = iota
	ColumnThreads
	ColumnTPS
	ColumnQPS
	ColumnReads
	ColumnWrites
	ColumnOther
	ColumnLatencyPct
	ColumnPercentile
	ColumnErrors
	ColumnReconnects
	ColumnQueueLength
	ColumnConcurrency
	intervalNumbers
)

// IntervalColumns are columns of the same length.
type IntervalColumns [intervalNumbers][]float64

// Intervals are report lines column by column, as a data set has them: a log has
// millions of them. The rows of a run follow each other. The zero value holds none.
//
// Half of the columns of a run are level: all rows have the same number there, which
// is kept once.
type Intervals struct {
	rows    int
	columns IntervalColumns // with room for more rows
	varies  [intervalNumbers]bool
	level   [intervalNumbers]float64 // of all rows, unless they vary; the column is not written then
	runs    []runRows

	blocks []intervalBlock // rows that are packed
	packed []byte          // their LZ4 blocks, one behind the other
}

// intervalBlock is where the numbers of some rows of a run lie in Intervals.packed.
type intervalBlock struct {
	from, rows int
	at         [1 + intervalNumbers]int // by column; the next begins where it ends
	nulls      [intervalNumbers]int
}

// runRows are the rows of a run, up to end; those after the last have none.
type runRows struct {
	id  string
	end int
}

// IntervalsOf gives rows as columns.
func IntervalsOf(rows ...Interval) (t Intervals) {
	t.Add(rows...)
	return t
}

// Len is the number of rows.
func (t *Intervals) Len() int { return t.rows }

// Columns gives the numbers of all rows.
func (t *Intervals) Columns() (c IntervalColumns) {
	for k := range c {
		c[k] = t.Column(k)
	}
	return c
}

// Column gives those of one column.
func (t *Intervals) Column(k int) []float64 {
	t.vary(k)
	return t.columns[k][:t.rows]
}

// vary writes a level column, as it does not stay so or is asked for.
func (t *Intervals) vary(k int) {
	if !t.varies[k] {
		t.varies[k] = true
		fill(t.columns[k][:t.rows], t.level[k])
	}
}

func fill(rows []float64, v float64) {
	for i := range rows {
		rows[i] = v
	}
}

// Cut forgets all but the first n rows and keeps the memory.
func (t *Intervals) Cut(n int) {
	if t.rows = n; n == 0 {
		clear(t.varies[:])
	}
	t.blocks, t.packed = t.blocks[:0], t.packed[:0]
	for k, r := range t.runs {
		if r.end >= n {
			t.runs = t.runs[:k]
			if from := t.start(k); from < n {
				t.runs = append(t.runs, runRows{r.id, n})
			}
			return
		}
	}
}

// start is the first row of the k-th run.
func (t *Intervals) start(k int) int {
	if k == 0 {
		return 0
	}
	return t.runs[k-1].end
}

// Run gives the run of row i, and the first row after it of another.
func (t *Intervals) Run(i int) (id string, end int) {
	k, _ := slices.BinarySearchFunc(t.runs, i, func(r runRows, i int) int {
		if r.end <= i {
			return -1
		}
		return 1
	})
	if k == len(t.runs) {
		return "", t.rows
	}
	return t.runs[k].id, t.runs[k].end
}

// own gives the rows that have no run one.
func (t *Intervals) own(id string) {
	if t.start(len(t.runs)) < t.rows {
		t.runs = append(t.runs, runRows{id, t.rows})
	}
}

// Room makes room for n more rows, which Free and Level are to write column by column;
// Filled adds the first n of them.
func (t *Intervals) Room(n int) {
	if room := len(t.columns[0]); room < t.rows+n {
		t.grow(max(t.rows+n, 4*room))
	}
}

// Free gives the cells of a column for the rows that there is room for. Of those that
// Level has given a number it has none.
func (t *Intervals) Free(k int) []float64 {
	t.vary(k)
	return t.columns[k][t.rows:]
}

// Level makes v the number of the next n rows in a column.
func (t *Intervals) Level(k, n int, v float64) {
	switch {
	case t.rows == 0:
		t.varies[k], t.level[k] = false, v
	case t.varies[k] || math.Float64bits(v) != math.Float64bits(t.level[k]):
		fill(t.Free(k)[:n], v)
	}
}

func (t *Intervals) Filled(n int) { t.rows += n }

func (t *Intervals) grow(n int) {
	for k, column := range staggered(intervalNumbers, n) {
		if t.varies[k] {
			copy(column, t.columns[k][:t.rows])
		}
		t.columns[k] = column
	}
}

// staggered makes columns of n numbers with one cache line between them: if they
// began at the same place in their pages, as large slices do, writing a row would
// throw them out of the cache.
func staggered(columns, n int) [][]float64 {
	const line = 8
	all := make([]float64, columns*(n+line))
	made := make([][]float64, columns)
	for k := range made {
		made[k] = all[k*(n+line):][:n:n]
	}
	return made
}

// Add adds rows.
func (t *Intervals) Add(rows ...Interval) {
	if n := t.rows + len(rows); n > len(t.columns[0]) {
		t.grow(max(16, n, 2*t.rows))
	}
	for i := range rows {
		iv := &rows[i]
		if iv.RunID != "" {
			if n := len(t.runs); n > 0 && t.runs[n-1] == (runRows{iv.RunID, t.rows}) {
				t.runs = t.runs[:n-1] // to come back longer
			} else {
				t.own("")
			}
		}
		for k, v := range iv.Numbers() {
			t.Level(k, 1, v)
		}
		t.rows++
		if iv.RunID != "" {
			t.own(iv.RunID)
		}
	}
}

// AddRun adds the rows of others from one up to another as those of a run.
func (t *Intervals) AddRun(id string, others *Intervals, from, to int) {
	t.Room(to - from)
	for k := range t.columns {
		if others.varies[k] {
			copy(t.Free(k), others.columns[k][from:to])
		} else {
			t.Level(k, to-from, others.level[k])
		}
	}
	t.Filled(to - from)
	t.own(id)
}

// TakeRun makes t the rows of a run; rows gets the memory of t, and is empty. t
// was empty.
func (t *Intervals) TakeRun(id string, rows *Intervals) {
	*t, *rows = *rows, *t
	t.runs, rows.runs = rows.runs[:0], nil
	t.own(id)
}

// usualRow is what a packed report line takes in bytes, the noisiest with two to spare.
const usualRow = 40

// fewRows are not packed by Pack: short blocks hardly get smaller.
const fewRows = 1 << 10

var wordPackers = sync.Pool{New: func() any { return new(wordPacker) }}

// Pack packs the rows of long runs as a data set will have them, so that Writer.Add,
// which is for one goroutine, finds that done. The rows must not change any more.
func (t *Intervals) Pack() {
	if t.rows < fewRows {
		return
	}
	words := wordPackers.Get().(*wordPacker)
	defer wordPackers.Put(words)
	t.packed = slices.Grow(t.packed, t.rows*usualRow+outSize)
	for k, r := range t.runs {
		from := t.start(k)
		n := r.end - from
		if n < fewRows {
			continue
		}
		for blocks, i := (n+blockRows-1)/blockRows, 0; i < blocks; i++ {
			t.packBlock(words, from+n*i/blocks, from+n*(i+1)/blocks)
		}
	}
}

func (t *Intervals) packBlock(words *wordPacker, from, to int) {
	b := intervalBlock{from: from, rows: to - from}
	for k, column := range t.columns {
		b.at[k] = len(t.packed)
		if t.varies[k] {
			t.packed, b.nulls[k] = words.appendFloats(t.packed, column[from:to])
			continue
		}
		v := t.level[k]
		if math.IsNaN(v) {
			b.nulls[k] = b.rows
		}
		t.packed = appendRepeat(t.packed, math.Float64bits(v), b.rows*arrow.Float64SizeBytes)
	}
	b.at[intervalNumbers] = len(t.packed)
	t.blocks = append(t.blocks, b)
}

// packedRows gives the blocks that are n rows from one on, nil if they are not packed.
func (t *Intervals) packedRows(from, n int) []intervalBlock {
	at := func(row int) int {
		i, _ := slices.BinarySearchFunc(t.blocks, row, func(b intervalBlock, row int) int { return b.from - row })
		return i
	}
	blocks := t.blocks[at(from):at(from+n)]
	for _, b := range blocks {
		if b.from != from {
			return nil
		}
		from, n = from+b.rows, n-b.rows
	}
	if n != 0 {
		return nil
	}
	return blocks
}

// blockBytes gives the LZ4 block of the k-th column.
func (t *Intervals) blockBytes(b *intervalBlock, k int) []byte { return t.packed[b.at[k]:b.at[k+1]] }

// Numbers gives those of a report line in the order of the columns.
func (iv *Interval) Numbers() [intervalNumbers]float64 {
	return [...]float64{
		iv.T, iv.Threads, iv.TPS, iv.QPS, iv.Reads, iv.Writes, iv.Other, iv.LatencyPct, iv.Percentile,
		iv.Errors, iv.Reconnects, iv.QueueLength, iv.Concurrency,
	}
}

// Set writes the numbers of row i.
func (t *Intervals) Set(i int, iv *Interval) {
	for k, v := range iv.Numbers() {
		if t.varies[k] || math.Float64bits(v) != math.Float64bits(t.level[k]) {
			t.Column(k)[i] = v
		}
	}
}

// At gives row i.
func (t *Intervals) At(i int) (iv Interval) {
	iv.RunID, _ = t.Run(i)
	columns := t.Columns()
	fillInterval(&iv, columns[:], i)
	return iv
}

// fillInterval takes the numbers of row i from the columns of the table.
func fillInterval(iv *Interval, f [][]float64, i int) {
	iv.T, iv.Threads, iv.TPS, iv.QPS = f[ColumnT][i], f[ColumnThreads][i], f[ColumnTPS][i], f[ColumnQPS][i]
	iv.Reads, iv.Writes, iv.Other = f[ColumnReads][i], f[ColumnWrites][i], f[ColumnOther][i]
	iv.LatencyPct, iv.Percentile = f[ColumnLatencyPct][i], f[ColumnPercentile][i]
	iv.Errors, iv.Reconnects = f[ColumnErrors][i], f[ColumnReconnects][i]
	iv.QueueLength, iv.Concurrency = f[ColumnQueueLength][i], f[ColumnConcurrency][i]
}

// Rows gives all rows.
func (t *Intervals) Rows() []Interval {
	rows := make([]Interval, t.rows)
	for i := range rows {
		rows[i] = t.At(i)
	}
	return rows
}

// Clone gives a copy that shares no memory.
func (t *Intervals) Clone() (copied Intervals) {
	copied.AddRun("", t, 0, t.rows)
	copied.runs = slices.Clone(t.runs)
	return copied
}

package datasets

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
)

// beside is a table of what was measured beside the report lines of a run:
// stacks, counters, waits, series. It comes from other files than the run itself,
// perhaps at a later ingest, so the rows of a run are replaced as a whole when a
// batch has others than before; of series those of one source of a run, because
// vmstat, iostat and perf stat each write a file of their own.
type beside struct {
	*stage
	seed maphash.Seed
	// known is, by hash of the owner, a hash of its rows in the data set or
	// staged; nil until the first row is added, which most ingests never do.
	known  map[uint64]uint64
	staged map[owner]bool
	// dropped owners have their committed rows replaced.
	dropped map[owner]bool
}

// owner is whose rows are replaced together.
type owner struct{ run, source string }

// ownerOf gives the owner of a row by its first two texts.
func (l *layout) ownerOf(run, second string) owner {
	if l.name == seriesTable {
		return owner{run, second}
	}
	return owner{run, ""}
}

func newBeside(l *layout, d *disk) *beside {
	return &beside{stage: newStage(l, d), seed: maphash.MakeSeed(), staged: map[owner]bool{}, dropped: map[owner]bool{}}
}

// cells are one row of a table, by cell type and in the order of the layout.
type cells struct {
	texts  []string
	floats []float64
	list   []string

	before []cleanText // of the row before, whose texts are often the same
}

// cleanText is a text as it was given and as the file will give it back.
type cleanText struct {
	given, clean string
	hash         uint64
}

func (r *Stack) cells(c *cells) {
	c.texts = append(c.texts, r.RunID, r.Event, r.Comm)
	c.floats = append(c.floats, r.Weight, r.Samples)
	c.list = r.Frames
}

func (r *Counter) cells(c *cells) {
	c.texts = append(c.texts, r.RunID, r.Event, r.Unit, r.Scope)
	c.floats = append(c.floats, r.Value, r.RunningPct, r.Variance)
}

func (r *Wait) cells(c *cells) {
	c.texts = append(c.texts, r.RunID, r.Event)
	c.floats = append(c.floats, r.Count, r.Sum, r.AvgSessions)
}

// The inverses of cells.

func (v *view) stack(i int, r *Stack) {
	*r = Stack{RunID: v.text(0, i), Event: v.text(1, i), Comm: v.text(2, i), Frames: v.lists[0].at(i), Weight: v.floats[0][i], Samples: v.floats[1][i]}
}

func (v *view) counter(i int, r *Counter) {
	*r = Counter{RunID: v.text(0, i), Event: v.text(1, i), Unit: v.text(2, i), Scope: v.text(3, i), Value: v.floats[0][i], RunningPct: v.floats[1][i], Variance: v.floats[2][i]}
}

func (v *view) wait(i int, r *Wait) {
	*r = Wait{RunID: v.text(0, i), Event: v.text(1, i), Count: v.floats[0][i], Sum: v.floats[1][i], AvgSessions: v.floats[2][i]}
}

func (v *view) sample(i int, r *Sample) {
	*r = Sample{RunID: v.text(0, i), Source: v.text(1, i), Metric: v.text(2, i), T: v.floats[0][i], Value: v.floats[1][i]}
}

// clean makes a row what the file will give back.
func (c *cells) clean(seed maphash.Seed) {
	for i, t := range c.texts {
		if i == len(c.before) {
			c.before = append(c.before, cleanText{hash: maphash.String(seed, "")})
		}
		b := &c.before[i]
		if b.given != t {
			b.given, b.clean = t, validText(t)
			b.hash = maphash.String(seed, b.clean)
		}
		c.texts[i] = b.clean
	}
}

// hash adds the row to the hash of the rows before it. The order counts.
func (c *cells) hash(seed maphash.Seed, sum uint64) uint64 {
	for i := range c.texts {
		sum = fold(sum, c.before[i].hash)
	}
	for _, f := range c.floats {
		sum = foldNumber(sum, f)
	}
	for _, t := range c.list {
		sum = fold(sum, maphash.String(seed, validText(t)))
	}
	return fold(sum, uint64(len(c.list)))
}

// fold adds a word to a hash, as wyhash does.
func fold(sum, x uint64) uint64 {
	high, low := bits.Mul64(sum^0x9e3779b97f4a7c15, x^0xe7037ed1a0b428db)
	return high ^ low
}

func foldNumber(sum uint64, f float64) uint64 {
	if f != f {
		f = math.NaN() // any is null
	}
	return fold(sum, math.Float64bits(f))
}

// addCells stages a row.
func (s *stage) addCells(c *cells) error {
	at, _, err := s.room(1)
	if err != nil {
		return err
	}
	for k, t := range c.texts {
		s.cur.codes[k][at] = s.dicts[k].code(t)
	}
	for k, f := range c.floats {
		s.cur.floats[k][at] = f
	}
	if len(s.cur.lists) > 0 {
		dict := s.dicts[len(c.texts)]
		s.cur.lists[0].add(at, len(c.list), func(i int) int32 { return dict.codeOf(validText(c.list[i])) })
		s.items += int64(len(c.list))
	}
	return nil
}

// besideRows are the rows of one of the tables in a batch, by owner: sorted out
// before anything is staged.
type besideRows struct {
	table  *beside
	owners []ownedRows
	at     map[owner]int // in owners
	stage  func(o owner, from, to int) error
}

type ownedRows struct {
	owner owner
	spans [][2]int // of rows of the batch
	hash  uint64
}

// add says that the rows from one up to another are an owner's, and gives all that
// are.
func (g *besideRows) add(o owner, from, to int) *ownedRows {
	k, known := g.at[o]
	if !known {
		if g.at == nil {
			g.at = map[owner]int{}
		}
		k = len(g.owners)
		g.at[o] = k
		g.owners = append(g.owners, ownedRows{owner: o})
	}
	r := &g.owners[k]
	if last := len(r.spans) - 1; last >= 0 && r.spans[last][1] == from {
		r.spans[last][1] = to
	} else {
		r.spans = append(r.spans, [2]int{from, to})
	}
	return r
}

func (w *Writer) groupBeside(b *Batch) ([]besideRows, error) {
	stacks, err1 := groupRows(w, w.stacks, b.Stacks, (*Stack).cells, (*view).stack)
	counters, err2 := groupRows(w, w.counters, b.Counters, (*Counter).cells, (*view).counter)
	waits, err3 := groupRows(w, w.waits, b.Waits, (*Wait).cells, (*view).wait)
	series, err4 := w.groupSamples(&b.Series)
	return []besideRows{stacks, counters, waits, series}, errors.Join(err1, err2, err3, err4)
}

func groupRows[R any](w *Writer, t *beside, rows []R, spread func(*R, *cells), read func(*view, int, *R)) (besideRows, error) {
	var c cells
	cellsOf := func(r *R) *cells {
		c.texts, c.floats = c.texts[:0], c.floats[:0]
		spread(r, &c)
		c.clean(t.seed)
		return &c
	}
	group := besideRows{table: t, stage: func(_ owner, from, to int) error {
		for i := range rows[from:to] {
			if err := t.addCells(cellsOf(&rows[from+i])); err != nil {
				return err
			}
		}
		return nil
	}}
	if len(rows) == 0 {
		return group, nil
	}
	if t.known == nil {
		known := map[uint64]uint64{}
		err := w.withParts(t.layout.name, func(parts []*partFile) error {
			return eachRow(parts, t.layout, read, func(rows []R) error {
				for i := range rows {
					c := cellsOf(&rows[i])
					key := t.key(owner{run: c.texts[0]})
					known[key] = c.hash(t.seed, known[key])
				}
				return nil
			})
		})
		if err != nil {
			return group, err
		}
		t.known = known
	}
	for i := range rows {
		c := cellsOf(&rows[i])
		r := group.add(owner{run: c.texts[0]}, i, i+1)
		r.hash = c.hash(t.seed, r.hash)
	}
	return group, nil
}

func (b *beside) key(o owner) uint64 { return maphash.Comparable(b.seed, o) }

// has tells whether the owner has just these rows already.
func (b *beside) has(r ownedRows) bool {
	hash, known := b.known[b.key(r.owner)]
	return known && hash == r.hash
}

// addBeside stages the rows of the owners that are new or have other rows now.
func (w *Writer) addBeside(tables []besideRows, in *incoming) error {
	for _, group := range tables {
		t := group.table
		for _, r := range group.owners {
			here := in.runs[r.owner.run]
			if here == nil && !w.HasRun(r.owner.run) {
				return fmt.Errorf("datasets: the batch has %s of run %q but not the run", t.layout.name, r.owner.run)
			}
			// A fresh run has no rows yet, whatever is remembered of a run of
			// that ID that was replaced.
			if fresh := here != nil && here.fresh; !fresh {
				if t.has(r) {
					continue
				}
				if _, known := t.known[t.key(r.owner)]; known {
					t.dropped[r.owner] = true
				}
			}
			t.known[t.key(r.owner)] = r.hash
			t.staged[r.owner] = true
			for _, rows := range r.spans {
				if err := group.stage(r.owner, rows[0], rows[1]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

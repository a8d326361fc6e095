package datasets

import (
	"hash/maphash"
)

// runIndex is what a writer remembers of each run of the data set: enough to
// tell a known run from a new one, and a changed one from an equal one, in less
// than 30 bytes: a table may have millions. A run's hash is 64 bits, as long as its
// ID; that of its row 32, as only a changed row is compared.
type runIndex struct {
	seed  maphash.Seed
	runs  [][]knownRun // in pieces, so that nothing is copied while it grows
	slots [slotPieces]slots
	// Runs say where in this list their source is. The same source may stand there
	// more than once.
	sources []string
	// Truncated runs by place: a longer version of one comes with the same
	// source and part, but another ID.
	truncated map[runPlace]truncatedRun
}

// knownRun has no uint64, which would round its size up.
type knownRun struct {
	high, low uint32 // hash of the ID
	row       uint32 // hash of the row
	part      int32
	source    uint32 // place in the list of sources, and the flags
}

const (
	seenFlag = 1 << 31 // added, or found again, since the writer was opened
	goneFlag = 1 << 30 // dropped

	indexPiece = 1 << 12
	slotPieces = 1 << 8
)

func (k *knownRun) seen() bool { return k.source&seenFlag != 0 }

// slots is a hash table with open addressing: 1 + the number of a run, 0 = free.
type slots struct {
	number []uint32
	used   int
}

// runPlace is where a run stands in its source.
type runPlace struct {
	source string
	part   int
}

type truncatedRun struct {
	id       string
	duration float64
}

func newRunIndex() *runIndex {
	return &runIndex{seed: maphash.MakeSeed(), truncated: map[runPlace]truncatedRun{}}
}

func (x *runIndex) at(number uint32) *knownRun {
	return &x.runs[number/indexPiece][number%indexPiece]
}

// find gives what is known of a run, or the free slot that waits for it.
func (x *runIndex) find(key uint64) (known *knownRun, free *uint32) {
	t := &x.slots[key%slotPieces]
	mask := uint32(len(t.number) - 1)
	for i := uint32(key>>32) & mask; ; i = (i + 1) & mask {
		slot := &t.number[i]
		if *slot == 0 {
			return nil, slot
		}
		if k := x.at(*slot - 1); k.high == uint32(key>>32) && k.low == uint32(key) {
			return k, nil
		}
	}
}

func (x *runIndex) get(id string) (knownRun, bool) {
	key := maphash.String(x.seed, id)
	if len(x.slots[key%slotPieces].number) == 0 {
		return knownRun{}, false
	}
	k, _ := x.find(key)
	if k == nil || k.source&goneFlag != 0 {
		return knownRun{}, false
	}
	return *k, true
}

// put remembers a run, or what has changed of it; row is the hash of its row.
func (x *runIndex) put(r *Run, row uint32, seen bool) {
	x.drop(r.ID)
	if n := len(x.sources); n == 0 || x.sources[n-1] != r.Source {
		x.sources = append(x.sources, r.Source)
	}
	k := x.entry(maphash.String(x.seed, r.ID))
	k.row, k.part, k.source = row, int32(r.Part), uint32(len(x.sources)-1)
	if seen {
		k.source |= seenFlag
	}
	if r.Status == Truncated {
		x.truncated[x.place(*k)] = truncatedRun{r.ID, r.Duration}
	}
}

// entry gives the place for what is known of a run.
func (x *runIndex) entry(key uint64) *knownRun {
	t := &x.slots[key%slotPieces]
	if t.used*4 >= len(t.number)*3 {
		x.grow(t)
	}
	known, free := x.find(key)
	if known != nil {
		return known
	}
	if n := len(x.runs); n == 0 || len(x.runs[n-1]) == indexPiece {
		x.runs = append(x.runs, make([]knownRun, 0, indexPiece))
	}
	last := &x.runs[len(x.runs)-1]
	*last = append(*last, knownRun{high: uint32(key >> 32), low: uint32(key)})
	t.used++
	*free = uint32((len(x.runs)-1)*indexPiece + len(*last))
	return x.at(*free - 1)
}

func (x *runIndex) grow(t *slots) {
	old := t.number
	t.number = make([]uint32, max(4, 2*len(old)))
	for _, number := range old {
		if number > 0 {
			k := x.at(number - 1)
			_, free := x.find(uint64(k.high)<<32 | uint64(k.low))
			*free = number
		}
	}
}

// place gives where a run stands.
func (x *runIndex) place(k knownRun) runPlace {
	return runPlace{x.sources[k.source&^(seenFlag|goneFlag)], int(k.part)}
}

// drop forgets a run. Its entry waits for its return.
func (x *runIndex) drop(id string) {
	k, ok := x.get(id)
	if !ok {
		return
	}
	if x.truncated[x.place(k)].id == id {
		delete(x.truncated, x.place(k))
	}
	x.entry(maphash.String(x.seed, id)).source |= goneFlag
}

// replacedBy gives the ID of the truncated run that r is a longer version of,
// or "". An unknown duration counts as longer.
func (x *runIndex) replacedBy(r *Run) string {
	old, ok := x.truncated[runPlace{r.Source, r.Part}]
	switch {
	case !ok || old.id == r.ID:
		return ""
	case r.Status == FailedToStart || r.Status == HelpText || r.Status == Empty:
		return "" // something else has been written to that file
	case r.Status == Truncated && r.Duration < old.duration:
		return ""
	}
	return old.id
}

// row hashes everything a run's row has. The cells are added up, so that the
// order of the maps does not matter.
func (x *runIndex) row(r *Run) uint32 {
	sum := uint64(0)
	add := func(name string, v Value) {
		if !v.IsNull() {
			sum += hashCell(x.seed, name, v)
		}
	}
	for i := range builtins {
		add(builtins[i].name, builtins[i].value(r))
	}
	for name, v := range r.Factors {
		add(name, v)
	}
	for name, m := range r.Metrics {
		add(name, Float(m))
	}
	return uint32(sum)
}

func hashCell(seed maphash.Seed, name string, v Value) uint64 {
	type cell struct {
		name  string
		value Value
	}
	return maphash.Comparable(seed, cell{name, v})
}

// seenAt notes that the runs of some sources were found again.
func (x *runIndex) seenAt(source func(path string) bool) {
	for _, piece := range x.runs {
		for i := range piece {
			if k := &piece[i]; !k.seen() && source(x.place(*k).source) {
				k.source |= seenFlag
			}
		}
	}
}

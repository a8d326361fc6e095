package datasets

import (
	"hash/maphash"
)

// runIndex is what a writer remembers of each run of the data set: enough to
// tell a known run from a new one, and a changed one from an equal one, in some
// 70 bytes. Hashes are 64 bits, as long as a run's ID.
type runIndex struct {
	seed maphash.Seed
	runs map[uint64]knownRun // by hash of the ID
	// Runs say where in this list their source is: a table may have a million. The
	// same source may stand there more than once.
	sources []string
	// Truncated runs by place: a longer version of one comes with the same
	// source and part, but another ID.
	truncated map[runPlace]truncatedRun
}

type knownRun struct {
	row    uint64 // hash of the row
	source int32
	part   int32
	staged int32 // 1 + its place among the runs not yet committed; 0 = committed
	seen   bool  // added, or found again, since the writer was opened
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
	return &runIndex{
		seed:      maphash.MakeSeed(),
		runs:      map[uint64]knownRun{},
		truncated: map[runPlace]truncatedRun{},
	}
}

func (x *runIndex) key(id string) uint64 { return maphash.String(x.seed, id) }

func (x *runIndex) get(id string) (knownRun, bool) {
	k, ok := x.runs[x.key(id)]
	return k, ok
}

// put remembers a run, or what has changed of it.
func (x *runIndex) put(r *Run, k knownRun) {
	x.drop(r.ID)
	if n := len(x.sources); n == 0 || x.sources[n-1] != r.Source {
		x.sources = append(x.sources, r.Source)
	}
	k.source, k.part = int32(len(x.sources)-1), int32(r.Part)
	x.runs[x.key(r.ID)] = k
	if r.Status == Truncated {
		x.truncated[x.place(k)] = truncatedRun{r.ID, r.Duration}
	}
}

// place gives where a run stands.
func (x *runIndex) place(k knownRun) runPlace { return runPlace{x.sources[k.source], int(k.part)} }

// drop forgets a run.
func (x *runIndex) drop(id string) {
	k, ok := x.get(id)
	if ok && x.truncated[x.place(k)].id == id {
		delete(x.truncated, x.place(k))
	}
	delete(x.runs, x.key(id))
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
func (x *runIndex) row(r *Run) uint64 {
	type cell struct {
		name  string
		value Value
	}
	sum := uint64(0)
	add := func(name string, v Value) {
		if !v.IsNull() {
			sum += maphash.Comparable(x.seed, cell{name, v})
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
	return sum
}

// seenAt notes that the runs of some sources were found again.
func (x *runIndex) seenAt(source func(path string) bool) {
	for key, k := range x.runs {
		if !k.seen && source(x.sources[k.source]) {
			k.seen = true
			x.runs[key] = k
		}
	}
}

// committed notes that a staged run is in a part now.
func (x *runIndex) committed(id string) {
	if k, ok := x.get(id); ok {
		k.staged = 0
		x.runs[x.key(id)] = k
	}
}

package group

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

type measured struct {
	name  string
	value float64
}

// rowsRepeated counts rows of tables that say in all columns what an earlier row
// says. Copies of logs are found where logs are read; of a row nobody can say
// whether it is a copy, unless it has a running number: then one is enough, else
// a third of all has to look like that.
func (s *survey) rowsRepeated() (w analysis.RowsRepeated, ok bool) {
	seed := maphash.MakeSeed()
	seen := map[uint64]bool{}
	numbered := false
	for i := range s.runs {
		r := &s.runs[i]
		if r.Tool != "" {
			continue
		}
		w.Of++
		var h maphash.Hash
		h.SetSeed(seed)
		for _, f := range s.factors {
			maphash.WriteComparable(&h, s.values[f.Name].of[i])
		}
		maphash.WriteComparable(&h, r.Started.UnixNano())
		key := h.Sum64()
		for name, v := range r.Metrics { // in any order
			key += maphash.Comparable(seed, measured{name, v})
		}
		if seen[key] {
			w.Rows++
			numbered = numbered || r.Order > 0 || !r.Started.IsZero()
		}
		seen[key] = true
	}
	return w, w.Rows > 0 && (numbered || 3*w.Rows >= w.Of)
}

// manyTables: of so many somebody made no copies by hand.
const manyTables = 100

// copiedTables gives for a table whose rows all say what rows of another say, in
// each metric that both have, the source of that other: results that somebody
// keeps as a spreadsheet and in a document. The longer one stays, else the one
// that knows more days.
func copiedTables(runs []datasets.Run) map[string]string {
	type table struct {
		source  string
		rows    []*datasets.Run
		days    int
		metrics map[string]bool
	}
	of := map[string]*table{}
	for i := range runs {
		r := &runs[i]
		if r.Tool != "" {
			continue
		}
		t := of[r.Source]
		if t == nil {
			if len(of) == manyTables {
				return nil
			}
			t = &table{source: r.Source, metrics: map[string]bool{}}
			of[r.Source] = t
		}
		t.rows = append(t.rows, r)
		if r.Day != "" {
			t.days++
		}
		for name := range r.Metrics {
			t.metrics[name] = true
		}
	}
	tables := slices.SortedFunc(maps.Values(of), func(a, b *table) int {
		return cmp.Or(cmp.Compare(len(b.rows), len(a.rows)), cmp.Compare(b.days, a.days), cmp.Compare(a.source, b.source))
	})
	seed := maphash.MakeSeed()
	copied := map[string]string{}
	for i, t := range tables {
		for _, other := range tables[:i] {
			if copied[other.source] != "" {
				continue
			}
			shared := slices.DeleteFunc(slices.Collect(maps.Keys(t.metrics)), func(name string) bool { return !other.metrics[name] })
			here, enough := said(seed, t.rows, shared)
			if !enough || len(here) < 2 {
				continue
			}
			there, _ := said(seed, other.rows, shared)
			all := true
			for key := range here {
				all = all && there[key]
			}
			if all {
				copied[t.source] = other.source
				break
			}
		}
	}
	return copied
}

// said is what each row says of metrics; not enough if one says less than two of
// them, as a single number may be equal by chance.
func said(seed maphash.Seed, rows []*datasets.Run, metrics []string) (keys map[uint64]bool, enough bool) {
	keys, enough = map[uint64]bool{}, true
	for _, r := range rows {
		key, known := uint64(0), 0
		for _, name := range metrics { // in any order
			if v, ok := r.Metrics[name]; ok {
				key += maphash.Comparable(seed, measured{name, v})
				known++
			}
		}
		if known < 2 {
			enough = false
			continue
		}
		keys[key] = true
	}
	return keys, enough
}

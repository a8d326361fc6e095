package group

import (
	"hash/maphash"

	"noisefloor/analysis"
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

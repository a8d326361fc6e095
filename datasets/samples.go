package datasets

import (
	"hash/maphash"
	"slices"
)

// Samples are values of time series column by column, as a data set has them: a
// machine that is watched for an hour gives a million. The rows of a run and of one
// source follow each other. The zero value holds none.
type Samples struct {
	T, Value []float64
	Metric   []int32  // index of Names
	Names    []string // of metrics, each once

	numbers map[string]int32 // of the names
	owners  []sampleRows
}

// sampleRows are the rows of a source of a run, up to end; those after the last have
// none.
type sampleRows struct {
	owner
	end int
}

// Len is the number of rows.
func (s *Samples) Len() int { return len(s.T) }

// Number gives the number that a metric has in Metric.
func (s *Samples) Number(metric string) int32 {
	n, known := s.numbers[metric]
	if !known {
		if s.numbers == nil {
			s.numbers = map[string]int32{}
		}
		n = int32(len(s.Names))
		s.numbers[metric] = n
		s.Names = append(s.Names, metric)
	}
	return n
}

// Append adds a row, which belongs to no run yet.
func (s *Samples) Append(metric int32, t, value float64) {
	s.T, s.Value, s.Metric = append(s.T, t), append(s.Value, value), append(s.Metric, metric)
}

// Grow makes room for n more rows.
func (s *Samples) Grow(n int) {
	s.T, s.Value, s.Metric = slices.Grow(s.T, n), slices.Grow(s.Value, n), slices.Grow(s.Metric, n)
}

// AddAll adds all rows of others.
func (s *Samples) AddAll(others *Samples) {
	s.Own("", "")
	numbers := make([]int32, len(others.Names))
	for k, name := range others.Names {
		numbers[k] = s.Number(name)
	}
	s.Grow(others.Len())
	others.eachOwner(func(o owner, from, to int) {
		s.T, s.Value = append(s.T, others.T[from:to]...), append(s.Value, others.Value[from:to]...)
		for _, k := range others.Metric[from:to] {
			s.Metric = append(s.Metric, numbers[k])
		}
		s.Own(o.run, o.source)
	})
}

// Cut forgets all but the first n rows, of which none belongs to a run yet.
func (s *Samples) Cut(n int) { s.T, s.Value, s.Metric = s.T[:n], s.Value[:n], s.Metric[:n] }

// Sieve gives samples without rows in the memory of s, in which metrics have the same
// numbers: whoever reads the rows of s in order may append them, one for each that was
// read.
func (s *Samples) Sieve() Samples {
	return Samples{T: s.T[:0], Value: s.Value[:0], Metric: s.Metric[:0], Names: s.Names, numbers: s.numbers}
}

// Own gives the rows that belong to no run to one, and to a source of it.
func (s *Samples) Own(run, source string) {
	n := len(s.owners)
	switch from := s.owned(); {
	case from == s.Len():
	case n > 0 && s.owners[n-1].owner == owner{run, source}:
		s.owners[n-1].end = s.Len()
	default:
		s.owners = append(s.owners, sampleRows{owner{run, source}, s.Len()})
	}
}

// OfRun gives all rows to a run.
func (s *Samples) OfRun(id string) {
	for k := range s.owners {
		s.owners[k].run = id
	}
}

// owned is how many rows belong to runs.
func (s *Samples) owned() int {
	if len(s.owners) == 0 {
		return 0
	}
	return s.owners[len(s.owners)-1].end
}

// Add adds rows.
func (s *Samples) Add(rows ...Sample) {
	for i := range rows {
		r := &rows[i]
		s.Own("", "")
		s.Append(s.Number(r.Metric), r.T, r.Value)
		s.Own(r.RunID, r.Source)
	}
}

// Rows gives all rows.
func (s *Samples) Rows() []Sample {
	rows := make([]Sample, 0, s.Len())
	s.eachOwner(func(o owner, from, to int) {
		for i := from; i < to; i++ {
			rows = append(rows, Sample{RunID: o.run, T: s.T[i], Source: o.source, Metric: s.Names[s.Metric[i]], Value: s.Value[i]})
		}
	})
	return rows
}

// eachOwner yields the rows of each source of a run.
func (s *Samples) eachOwner(yield func(o owner, from, to int)) {
	from := 0
	for _, r := range s.owners {
		yield(r.owner, from, r.end)
		from = r.end
	}
	if from < s.Len() {
		yield(owner{}, from, s.Len())
	}
}

// groupSamples is groupRows for series.
func (w *Writer) groupSamples(s *Samples) (besideRows, error) {
	t := w.series
	names := make([]string, len(s.Names))
	for k, name := range s.Names {
		names[k] = validText(name)
	}
	group := besideRows{table: t, stage: func(o owner, from, to int) error { return t.addSamples(o, s, names, from, to) }}
	if s.Len() == 0 {
		return group, nil
	}
	if t.known == nil {
		known := map[uint64]uint64{}
		err := w.views(t.layout, w.m.Tables[t.layout.name].Parts, func(v *view) error {
			runs, sources, metrics := &v.texts[0], &v.texts[1], &v.texts[2]
			hashes := t.hashes(metrics.dict)
			for from, to := 0, 0; from < v.n; from = to {
				for to < v.n && runs.codes[to] == runs.codes[from] && sources.codes[to] == sources.codes[from] {
					to++
				}
				key := t.key(owner{runs.at(from), sources.at(from)})
				known[key] = hashSamples(known[key], hashes, metrics.codes[from:to], v.floats[0][from:to], v.floats[1][from:to])
			}
			return nil
		})
		if err != nil {
			return group, err
		}
		t.known = known
	}
	hashes := t.hashes(names)
	s.eachOwner(func(o owner, from, to int) {
		r := group.add(owner{validText(o.run), validText(o.source)}, from, to)
		r.hash = hashSamples(r.hash, hashes, s.Metric[from:to], s.T[from:to], s.Value[from:to])
	})
	return group, nil
}

// hashes gives the hash of no name, and behind it those of names.
func (b *beside) hashes(names []string) []uint64 {
	list := []uint64{maphash.String(b.seed, "")}
	for _, name := range names {
		list = append(list, maphash.String(b.seed, name))
	}
	return list
}

// hashSamples adds rows to the hash of the rows before them, each row as one word: only
// that waits for the row before.
func hashSamples(sum uint64, hashes []uint64, metric []int32, t, value []float64) uint64 {
	for i, k := range metric {
		sum = fold(sum, foldNumber(foldNumber(hashes[1+k], t[i]), value[i]))
	}
	return sum
}

// addSamples stages rows of one source of a run.
func (s *stage) addSamples(o owner, rows *Samples, names []string, from, to int) error {
	run, source, metric := s.dicts[0].code(o.run), s.dicts[1].code(o.source), newTranslation(names, s.dicts[2])
	for from < to {
		at, n, err := s.room(to - from)
		if err != nil {
			return err
		}
		copy(s.cur.floats[0][at:at+n], rows.T[from:])
		copy(s.cur.floats[1][at:at+n], rows.Value[from:])
		runs, sources, metrics := s.cur.codes[0][at:at+n], s.cur.codes[1][at:at+n], s.cur.codes[2][at:at+n]
		for i, k := range rows.Metric[from : from+n] {
			runs[i], sources[i], metrics[i] = run, source, metric.code(k)
		}
		from += n
	}
	return nil
}

package datasets

import (
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// eachRun yields the runs of the parts, their values as wide as columns says.
func eachRun(parts []*partFile, columns *columnSet, yield func([]Run) error) error {
	for _, p := range parts {
		dicts := dictCache{}
		err := p.records(func(rec arrow.Record) error {
			runs, err := runsOf(rec, dicts, columns)
			if err != nil {
				return fmt.Errorf("part %s, %w", p.File, err)
			}
			return yield(runs)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func runsOf(rec arrow.Record, dicts dictCache, columns *columnSet) ([]Run, error) {
	runs := make([]Run, rec.NumRows())
	// Counted for each run: of the columns of unlike tables a run has a few.
	factors, metrics := make([]int32, len(runs)), make([]int32, len(runs))
	for i, f := range rec.Schema().Fields() {
		c, ok := columns.get(f.Name)
		if !ok {
			continue
		}
		have := factors
		if c.Role == Metric {
			have = metrics
		}
		for row := range have {
			if rec.Column(i).IsValid(row) {
				have[row]++
			}
		}
	}
	for i := range runs {
		runs[i].Duration = math.NaN()
		runs[i].Factors = make(map[string]Value, factors[i])
		runs[i].Metrics = make(map[string]float64, metrics[i])
	}
	for i := range builtins {
		if err := builtins[i].read(rec, dicts, runs); err != nil {
			return nil, fmt.Errorf("column %q: %w", builtins[i].name, err)
		}
	}
	for i, f := range rec.Schema().Fields() {
		if c, ok := columns.get(f.Name); ok {
			if err := readColumn(rec.Column(i), dicts, c, runs); err != nil {
				return nil, fmt.Errorf("column %q: %w", f.Name, err)
			}
		}
	}
	return runs, nil
}

// read fills a built-in column of the runs.
func (b *builtin) read(rec arrow.Record, dicts dictCache, runs []Run) error {
	arr := columnOf(rec, b.name)
	if arr == nil {
		return nil
	}
	switch {
	case b.text != nil:
		t, err := dicts.texts(arr, b.name, len(runs))
		if err != nil {
			return err
		}
		for i := range runs {
			*b.text(&runs[i]) = t.at(i)
		}
	case b.count != nil:
		v, isNull, err := intsOf(arr, len(runs))
		if err != nil {
			return err
		}
		for i := range runs {
			if !isNull(i) {
				*b.count(&runs[i]) = int(v[i])
			}
		}
	case b.number != nil:
		v, err := floatsOf(arr, len(runs))
		if err != nil {
			return err
		}
		for i := range runs {
			*b.number(&runs[i]) = v[i]
		}
	case b.time != nil:
		ts, ok := arr.(*array.Timestamp)
		if !ok {
			return typeError(arr)
		}
		for i := range runs {
			if ts.IsValid(i) {
				*b.time(&runs[i]) = time.UnixMicro(int64(ts.Value(i))).UTC()
			}
		}
	}
	return nil
}

// readColumn fills a factor or metric of the runs; null leaves the key out.
func readColumn(arr arrow.Array, dicts dictCache, c Column, runs []Run) error {
	if c.Role == Metric {
		v, err := floatsOf(arr, len(runs))
		if err != nil {
			return err
		}
		for i := range runs {
			if !math.IsNaN(v[i]) {
				runs[i].Metrics[c.Name] = v[i]
			}
		}
		return nil
	}
	value, err := valuesOf(arr, c.Name, dicts, len(runs))
	if err != nil {
		return err
	}
	for i := range runs {
		if arr.IsValid(i) {
			runs[i].Factors[c.Name] = value(i).as(c.Kind)
		}
	}
	return nil
}

// valuesOf gives the value of a row of a column of n rows; not for null.
func valuesOf(arr arrow.Array, name string, dicts dictCache, n int) (func(i int) Value, error) {
	switch a := arr.(type) {
	case *array.Boolean:
		return func(i int) Value { return Bool(a.Value(i)) }, nil
	case *array.Float64:
		return func(i int) Value { return Float(a.Value(i)) }, nil
	case *array.Int64, *array.Int32:
		v, _, _ := intsOf(arr, n)
		return func(i int) Value { return Int(v[i]) }, nil
	}
	t, err := dicts.texts(arr, name, n)
	return func(i int) Value { return Text(t.dict[t.codes[i]]) }, err
}

// sharedFactors gives runs with the same factors one map: it takes more memory than
// the rest of a run, and repeats and thread counts of an arm have the same.
type sharedFactors struct {
	seed  maphash.Seed
	known map[uint64]map[string]Value // by hash
}

// sharedMost is how many are known: where they do not come back, nothing is gained
// by looking for them.
const sharedMost = 1 << 14

func newSharedFactors() *sharedFactors {
	return &sharedFactors{maphash.MakeSeed(), map[uint64]map[string]Value{}}
}

func (s *sharedFactors) of(factors map[string]Value) map[string]Value {
	sum := uint64(0)
	for name, v := range factors {
		sum += hashCell(s.seed, name, v)
	}
	known, ok := s.known[sum]
	if ok && maps.Equal(known, factors) {
		return known
	}
	if len(s.known) == sharedMost {
		clear(s.known)
	}
	s.known[sum] = factors
	return factors
}

package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows that were packed before they were added are the rows that were given, wherever
// they come to lie in blocks and batches: runs of all lengths, with nulls here and
// there, twice in a batch, or known already.
func TestPackedRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var batches []*Batch
	for i, lengths := range [][]int{{5, 3000}, {fewRows - 1}, {fewRows}, {blockRows + 1, 7, 2 * blockRows}, {chunkRows + 13}, {20_001, 1500}} {
		b := &Batch{}
		for k, n := range lengths {
			id := fmt.Sprintf("%d-%d", i, k)
			rows := benchIntervals(id, n, rng)
			if k == 0 {
				for range n / 10 {
					rows[rng.IntN(n)].LatencyPct = math.NaN()
				}
			}
			b.Runs = append(b.Runs, testRun(id, id+".log", 1))
			b.Intervals.Add(rows...)
		}
		batches = append(batches, b)
	}
	twice := &Batch{Runs: []Run{testRun("twice", "a.log", 1), testRun("twice", "b.log", 1)}}
	copied := benchIntervals("twice", 2000, rng)
	twice.Intervals.Add(slices.Concat(copied, copied)...)
	batches = append(batches, twice, batches[3])

	written := func(large int64, pack bool) Intervals {
		dir := t.TempDir()
		w := must(OpenWriter(dir))(t)
		w.disk.large = large
		for _, b := range batches {
			given := *b
			given.Intervals = b.Intervals.Clone()
			if pack {
				given.Intervals.Pack()
			}
			noError(t, w.Add(&given))
		}
		noError(t, w.Commit())
		noError(t, w.Close())
		return IntervalsOf(readAll(t, dir).Intervals...)
	}
	want := written(math.MaxInt64, false) // as Arrow writes them
	for _, large := range []int64{0, largePart} {
		for _, pack := range []bool{false, true} {
			got := written(large, pack)
			if !slices.Equal(got.runs, want.runs) {
				t.Errorf("large %d, packed %v: other runs", large, pack)
			}
			for k, column := range want.Columns() {
				if !slices.EqualFunc(got.Columns()[k], column, func(a, b float64) bool { return a == b || a != a && b != b }) {
					t.Errorf("large %d, packed %v: column %d differs", large, pack, k)
				}
			}
		}
	}
}

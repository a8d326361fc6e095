package datasets

import (
	"fmt"
	"runtime"
	"testing"
)

// Runs of unlike tables: each has a few of very many columns, and takes the memory
// of these few.
func TestUnlikeRunsAreSmall(t *testing.T) {
	const tables, columns, rows = 200, 5, 20
	b := &Batch{}
	for k := range tables {
		for c := range columns {
			b.Columns = append(b.Columns, Column{Name: fmt.Sprintf("f%d_%d", k, c), Kind: IntKind, Role: Factor}, Column{Name: fmt.Sprintf("m%d_%d", k, c), Kind: FloatKind, Role: Metric})
		}
		for i := range rows {
			r := testRun(fmt.Sprintf("%016x", k*rows+i), fmt.Sprintf("t%d.csv", k), i+1)
			r.Factors, r.Metrics = map[string]Value{}, map[string]float64{}
			for c := range columns {
				r.Factors[fmt.Sprintf("f%d_%d", k, c)] = Int(int64(i))
				r.Metrics[fmt.Sprintf("m%d_%d", k, c)] = float64(i)
			}
			b.Runs = append(b.Runs, r)
		}
	}
	dir := t.TempDir()
	addTo(t, dir, b)
	r := must(Open(dir))(t)
	defer r.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	runs, _, err := r.Runs()
	noError(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if len(runs) != tables*rows || len(runs[77].Factors) != columns || len(runs[77].Metrics) != columns {
		t.Fatalf("%d runs, %v, %v", len(runs), runs[77].Factors, runs[77].Metrics)
	}
	if each := int(after.HeapAlloc-before.HeapAlloc) / len(runs); each > 4<<10 {
		t.Errorf("%d bytes a run of %d factors and metrics", each, columns)
	}
	runtime.KeepAlive(runs)
}

package group

import (
	"fmt"
	"runtime"
	"testing"

	"noisefloor/datasets"
)

// Rows of unlike tables: a factor that few runs have costs little for the others.
func TestUnlikeTablesAreSmall(t *testing.T) {
	const tables, rows, factors = 200, 20, 4
	var runs []datasets.Run
	var columns []datasets.Column
	for k := range tables {
		for f := range factors {
			columns = append(columns, datasets.Column{Name: fmt.Sprintf("f%d_%d", k, f), Kind: datasets.TextKind, Role: datasets.Factor})
		}
		for i := range rows {
			r := datasets.Run{ID: fmt.Sprint(k, i), Status: datasets.Complete, Factors: map[string]datasets.Value{}, Metrics: map[string]float64{"tps": float64(1000 + i)}}
			for f := range factors {
				r.Factors[fmt.Sprintf("f%d_%d", k, f)] = datasets.Text(fmt.Sprint(i % (f + 2)))
			}
			runs = append(runs, r)
		}
	}
	columns = append(columns, datasets.Column{Name: "tps", Kind: datasets.FloatKind, Role: datasets.Metric})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := newSurvey(runs, columns, Options{})
	runtime.ReadMemStats(&after)
	if len(s.factors) != tables*factors {
		t.Fatalf("%d factors", len(s.factors))
	}
	// Four bytes a run and factor are 13 MB; a value each would be 100.
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 30 {
		t.Errorf("%d MB allocated for %d runs and %d factors", mb, len(runs), len(s.factors))
	}
}

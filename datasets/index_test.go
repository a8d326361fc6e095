package datasets

import (
	"fmt"
	"runtime"
	"testing"
)

// A table may have millions of rows, and each is remembered.
func TestIndexIsSmall(t *testing.T) {
	const runs = 300_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := newRunIndex()
	for i := range runs {
		r := Run{ID: fmt.Sprintf("%016x", i), Source: "results.csv", Part: i + 1}
		x.put(&r, uint32(i), false)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (after.HeapAlloc - before.HeapAlloc) / runs; each > 32 {
		t.Errorf("%d bytes a run", each)
	}
	for i := range runs {
		if k, ok := x.get(fmt.Sprintf("%016x", i)); !ok || k.row != uint32(i) || x.place(k) != (runPlace{"results.csv", i + 1}) {
			t.Fatalf("run %d is %+v, %v", i, k, ok)
		}
	}
	if _, ok := x.get("a run that nobody gave"); ok {
		t.Error("there is a run that nobody gave")
	}
}

// What is dropped is unknown until it is given again, at whatever place.
func TestIndexForgets(t *testing.T) {
	x := newRunIndex()
	r := Run{ID: "0123456789abcdef", Source: "a.log", Part: 1, Status: Truncated}
	x.put(&r, 1, false)
	x.drop(r.ID)
	x.drop(r.ID)
	if _, ok := x.get(r.ID); ok || len(x.truncated) > 0 {
		t.Errorf("still there, %v", x.truncated)
	}
	r.Source = "b.log"
	x.put(&r, 2, true)
	if k, ok := x.get(r.ID); !ok || k.row != 2 || !k.seen() || x.place(k) != (runPlace{"b.log", 1}) {
		t.Errorf("%+v, %v", k, ok)
	}
	if n := len(x.runs[0]); n != 1 {
		t.Errorf("%d entries for one run", n)
	}
}

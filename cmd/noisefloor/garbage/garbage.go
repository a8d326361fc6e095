// Package garbage lets the heap of the program grow before it is collected, unless GOGC
// says how. It imports next to nothing, so that it is initialized before the packages
// that compile expressions: collecting among these is a third of the program's start.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// heapRoom may be used before the collector runs at all: an ingest has some tens
	// of MB that live, and collecting at twice that is a third of its time.
	heapRoom = 144 << 20
	// garbage is how much of it, in percent of what lives, waits for the collector in
	// a larger heap: a report of 100 000 runs holds 0.3 GB, and the usual 100 doubles
	// that.
	garbage = 50
	// memoryRoom is what a heap that could do with less is held below, gaps between
	// its pieces included. Larger ones get an eighth for gaps.
	memoryRoom = 208 << 20
)

// The heap grows to heapRoom, or by garbage if that is more.
func init() {
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	// What nothing refers to is finalized after each collection, and is there for the
	// next one when its finalizer is set again.
	var collected func(*[16]byte)
	collected = func(mark *[16]byte) {
		runtime.SetFinalizer(mark, collected)
		metrics.Read(live)
		n := max(live[0].Value.Uint64(), heapRoom/8)
		debug.SetGCPercent(max(garbage, int(100*heapRoom/n)-100))
		debug.SetMemoryLimit(max(memoryRoom, int64(n+5*n/8)))
	}
	collected(new([16]byte))
}

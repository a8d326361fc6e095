package ingest

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/archive"
	"noisefloor/ingest/sysbench"
)

// bounded is a sink that keeps no rows.
type bounded struct {
	runs  []datasets.Run
	rows  map[string]int // by run
	most  int            // rows of a batch
	ahead int
}

func (b *bounded) Add(batch *datasets.Batch) error {
	b.runs = append(b.runs, batch.Runs...)
	b.most = max(b.most, batch.Intervals.Len())
	for _, iv := range batch.Intervals.Rows() {
		b.rows[iv.RunID]++
	}
	if batch.Ahead != "" {
		b.ahead++
	}
	return nil
}

// A log larger than memory should hold comes in pieces, under the ID and with the
// hash that it has when it is read as a whole.
func TestHugeLog(t *testing.T) {
	const rows = 700_000
	text := logText(8, rows, 1)
	if len(text) < hugeLog {
		t.Fatalf("%d bytes are not huge", len(text))
	}
	dir := tree(t, map[string]string{"run_8th.log": text})
	var id string
	if err := sysbench.Scan(strings.NewReader(text), func(r *sysbench.Run) error { id = runID(r, false, "run_8th.log"); return nil }, nil); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(text))

	sink := &bounded{rows: map[string]int{}}
	s, err := Run(context.Background(), []string{dir}, Options{}, sink)
	if err != nil {
		t.Fatal(err)
	}
	if len(sink.runs) != 1 || sink.runs[0].ID != id || sink.rows[id] != rows || s.Intervals != rows {
		t.Errorf("%d runs, rows %v; want %d of %s", len(sink.runs), sink.rows, rows, id)
	}
	if sink.ahead == 0 || sink.most > 1<<16 {
		t.Errorf("%d pieces, %d rows at a time", sink.ahead, sink.most)
	}
	if sink.runs[0].SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("hash %q", sink.runs[0].SHA256)
	}
}

// Ctrl-C does not wait for a large log to be read.
func TestReadAheadStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, size := range []int64{bigLog, hugeLog} {
		f := &file{tool: &sysbench.Tool, content: &noContent, around: &noAround}
		f.readAhead(ctx, &archive.File{Size: size, Body: bufio.NewReader(strings.NewReader(logText(8, 5, 1)))})
		if f.sha != "" {
			t.Errorf("%d bytes were read after the end", size)
		}
	}
}

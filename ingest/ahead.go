package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/archive"
	"noisefloor/ingest/internal/load"
)

const (
	// bigLog is hashed before it is scanned, because every run carries the hash of
	// its file and a big file's runs are handed on before its end.
	bigLog = 16 << 20
	// hugeLog is scanned twice: a run is known by the hash of all its lines, and the
	// lines of one run may be more than memory holds.
	hugeLog = 64 << 20
)

// ahead is what the first reading of a huge log found: the IDs of its runs.
type ahead struct {
	ids  map[int]string // by part
	rows map[int]bool   // a chunk of that part had a line with throughput
}

// readAhead reads a big log while looking. If it breaks on the way, the scan will
// say so.
func (f *file) readAhead(ctx context.Context, it *archive.File) {
	switch {
	case it.Size < bigLog:
	case it.Size < hugeLog:
		h := &hashingReader{in: it.Body, ctx: ctx, sum: sha256.New()}
		if _, err := io.Copy(io.Discard, h); err == nil {
			f.sha = h.hex()
		}
	default:
		var sum [sha256.Size]byte
		a := &ahead{ids: map[int]string{}, rows: map[int]bool{}}
		text := &hashingReader{in: it.Body, ctx: ctx} // the scanner hashes
		err := f.tool.Scan(text, load.Out{Text: &sum, Chunk: a.look, Found: func(r *load.Run) error {
			a.ids[r.Part] = runID(r, a.rows[r.Part], f.source)
			return nil
		}})
		if err == nil {
			own := f.contents()
			own.size, own.ahead = text.n, a
			f.sha = hex.EncodeToString(sum[:])
		}
	}
}

// look takes note of rows that are gone when the run is found.
func (a *ahead) look(part int, rows *datasets.Intervals) error {
	a.rows[part] = a.rows[part] || anyThroughput(rows)
	return nil
}

// chunk hands rows of a run on that is not read to its end.
func (s *scanner) chunk(f *file) func(part int, rows *datasets.Intervals) error {
	if f.ahead == nil || f.team != nil {
		return nil
	}
	return func(part int, rows *datasets.Intervals) error {
		if s.part.rows() > 1 { // what came before
			if err := s.flush(); err != nil {
				return err
			}
		}
		b := &s.part.Batch
		b.Ahead = f.ahead.ids[part]
		b.Intervals.TakeRun(b.Ahead, rows)
		return s.flush()
	}
}

package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"noisefloor/datasets"
)

// BenchmarkRun reads a tree of logs of 300 report lines each into a data set; the
// comparison with other programs is in cmd/noisefloor.
func BenchmarkRun(b *testing.B) {
	const runs = 1500
	dir := b.TempDir()
	size := int64(0)
	for i := range runs {
		path := filepath.Join(dir, []string{"9.6.0", "9.7.0"}[i%2], fmt.Sprintf("run%d_Tier12G_RW_%dth.log", i/16, 1<<(i/2%8)))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		text := logText(1<<(i/2%8), 300, i)
		size += int64(len(text))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(size)
	for b.Loop() {
		w, err := datasets.OpenWriter(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		s, err := Run(context.Background(), []string{dir}, Options{}, w)
		if err == nil {
			err = w.Commit()
		}
		if err != nil || s.Runs != runs {
			b.Fatal(s.Runs, err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

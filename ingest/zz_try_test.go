package ingest
import ("testing";"context";"noisefloor/datasets")
func BenchmarkBig(b *testing.B) {
	for b.Loop() {
		w, err := datasets.OpenWriter(b.TempDir())
		if err != nil { b.Fatal(err) }
		s, err := Run(context.Background(), []string{"/tmp/tree"}, Options{}, w)
		if err == nil { err = w.Commit() }
		if err != nil { b.Fatal(s.Runs, err) }
		w.Close()
		b.SetBytes(s.Bytes)
	}
}

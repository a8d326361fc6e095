package ingest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"noisefloor/datasets"
	"noisefloor/ingest"
)

// runs is the smallest sink.
type runs []datasets.Run

func (r *runs) Add(b *datasets.Batch) error {
	*r = append(*r, b.Runs...)
	return nil
}

// A folder of results, as it lies about: nothing is configured, and what was
// guessed is said.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	table := "version,rep,threads,tps,p95_ms\n9.6.0,1,8,854.72,12.1\n9.7.0,1,8,973.46,10.3\n"
	if err := os.WriteFile(filepath.Join(dir, "results.csv"), []byte(table), 0o644); err != nil {
		panic(err)
	}
	var sink runs
	summary, err := ingest.Run(context.Background(), []string{dir}, ingest.Options{}, &sink)
	if err != nil {
		panic(err)
	}
	for _, guess := range summary.Guesses {
		fmt.Println(guess)
	}
	for _, r := range sink {
		fmt.Println(r.Value("version"), r.Threads, "threads", r.Metrics["tps"], "tps")
	}
	// Output:
	// results.csv: CSV: metrics tps, latency_p95 (p95_ms); factors version, rep; built-in threads
	// 9.6.0 8 threads 854.72 tps
	// 9.7.0 8 threads 973.46 tps
}

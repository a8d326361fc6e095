//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// pyarrowWrite reads the parts of a table in memory and times the writing of one
// Parquet file, made durable as ours is.
const pyarrowWrite = `
import os, sys, time
import pyarrow, pyarrow.parquet
out, parts = sys.argv[1], sys.argv[2:]
table = pyarrow.concat_tables(pyarrow.ipc.open_file(pyarrow.memory_map(p)).read_all() for p in parts).unify_dictionaries()
start = time.perf_counter()
with open(out, "wb") as f:
    pyarrow.parquet.write_table(table, f)
    f.flush()
    os.fsync(f.fileno())
print(time.perf_counter() - start, table.num_rows)
`

// BenchmarkExportAgainstPyarrow exports 10 million report lines from the data set
// to Parquet, reading, hashing and all, in turn with pyarrow writing the same table
// that it already has in memory. Bar: as fast as pyarrow, memory bounded.
func BenchmarkExportAgainstPyarrow(b *testing.B) {
	python := os.Getenv("NOISEFLOOR_PYTHON")
	if python == "" {
		b.Fatal("NOISEFLOOR_PYTHON names no Python with pyarrow: just bench sets it")
	}
	dir := b.TempDir()
	binary, data := built(b, dir), filepath.Join(dir, "dataset")
	manyRuns(b, data, 50, 1000)
	parts, err := filepath.Glob(filepath.Join(data, "intervals", "*.arrow"))
	if err != nil || len(parts) == 0 {
		b.Fatal(err, parts)
	}
	var ours, theirs, ratios []float64
	var peak int64
	b.ResetTimer()
	for range max(3, b.N) {
		tables, one := filepath.Join(dir, "tables"), filepath.Join(dir, "one.parquet")
		seconds, memory := timed(b, exec.Command(binary, "export", data, "--to", "parquet", "--out", tables, "--table", "intervals", "--quiet"))
		out, err := exec.Command(python, append([]string{"-c", pyarrowWrite, one}, parts...)...).Output()
		if err != nil {
			b.Fatal(err)
		}
		took, rows, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		other, err := strconv.ParseFloat(took, 64)
		if err != nil || rows != "10000000" {
			b.Fatal(err, string(out))
		}
		ours, theirs, ratios = append(ours, seconds), append(theirs, other), append(ratios, other/seconds)
		peak = max(peak, memory)
		os.RemoveAll(tables)
		os.Remove(one)
	}
	b.StopTimer()
	b.ReportMetric(mid(ratios), "x-pyarrow")
	b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
	b.Logf("the export %.2f s, pyarrow %.2f s (medians of %d, in turn)", mid(ours), mid(theirs), len(ours))
}

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"noisefloor/datasets"
)

// An export is read back as it was: the folder with everything, a single file of
// it with its runs.
func TestReadsItsOwnExports(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 {
		write(t, filepath.Join(dir, "logs", fmt.Sprintf("build%d/run%d.log", i%2, i/2)), blogLog(8, 290, 300, 1000+float64(i)))
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"ingest", at("logs"), "--out", at("set")},
		{"export", at("set"), "--to", "parquet", "--out", at("parquet")},
		{"export", at("set"), "--to", "arrow", "--out", at("arrow")},
		{"ingest", at("parquet"), "--out", at("from-parquet")},
		{"ingest", at("arrow"), "--out", at("from-arrow")},
	} {
		if _, stderr, code := call(t, args...); code != exitDone {
			t.Fatalf("%v: %s", args, stderr)
		}
	}
	runs := func(set string) string {
		r, err := datasets.Open(at(set))
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := r.Runs()
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		if err := r.Intervals(func(l []datasets.Interval) error { rows += len(l); return nil }); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(rows)
		for _, run := range all {
			text += fmt.Sprintf(" %s %s %v %v %v %v", run.ID, run.Status, run.Threads, run.Duration, run.Factors, run.Metrics)
		}
		return text
	}
	want := runs("set")
	for _, set := range []string{"from-parquet", "from-arrow"} {
		if got := runs(set); got != want {
			t.Errorf("%s:\n%s\nnot\n%s", set, got, want)
		}
	}
	found, err := filepath.Glob(at("parquet/runs/*.parquet"))
	if err != nil || len(found) != 1 {
		t.Fatalf("files of runs in the export: %v", found)
	}
	if _, stderr, code := call(t, "ingest", found[0], "--out", at("from-file")); code != exitDone || !strings.Contains(stderr, "runs: 4, complete: 4") {
		t.Errorf("%s: %s", found[0], stderr)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"noisefloor/datasets/export"
)

// did runs the command and gives its stdout; it must end well.
func did(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), strings.NewReader(""), &stdout, &stderr, args); code != exitDone {
		t.Fatalf("%v: exit status %d\n%s", args, code, stderr.String())
	}
	return stdout.String()
}

// verdictsOf are the comparisons of a report, as JSON has them.
func verdictsOf(t *testing.T, path string) any {
	t.Helper()
	var doc struct {
		Comparisons []map[string]any `json:"comparisons"`
	}
	if err := json.Unmarshal([]byte(did(t, "report", path, "--json", "--quiet")), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Comparisons) == 0 {
		t.Fatalf("%s: no comparisons", path)
	}
	return doc.Comparisons
}

// What is exported and read again gives the same report, in every format.
func TestExportKeepsVerdicts(t *testing.T) {
	for _, source := range []string{"faster.csv", "one-day.csv"} {
		source = filepath.Join("..", "..", "docs", "examples", source)
		want := verdictsOf(t, source)
		for _, format := range []string{"arrow", "csv", "jsonl", "parquet"} {
			out := filepath.Join(t.TempDir(), "out")
			did(t, "export", source, "--to", format, "--out", out, "--quiet")
			if d := cmp.Diff(want, verdictsOf(t, out)); d != "" {
				t.Errorf("%s through %s:\n%s", source, format, d)
			}
		}
	}
}

// The runs of an export that other programs have read and written again give the
// same verdicts.
func TestVerdictsThroughOtherPrograms(t *testing.T) {
	python := os.Getenv("NOISEFLOOR_PYTHON")
	if python == "" {
		t.Log("NOISEFLOOR_PYTHON is not set: CI takes the runs through pyarrow, pandas, polars and DuckDB")
		return
	}
	source := filepath.Join("..", "..", "docs", "examples", "faster.csv")
	want := verdictsOf(t, source)
	for _, format := range []string{"arrow", "csv", "jsonl", "parquet"} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		did(t, "export", source, "--to", format, "--out", out, "--quiet")
		c := exec.Command(python, "../../datasets/export/testdata/through.py", out, filepath.Join(dir, "through"))
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		files, err := filepath.Glob(filepath.Join(dir, "through", "*.*")) // CSV and Parquet of each
		if err != nil || len(files) != 8 {
			t.Fatal(err, files)
		}
		for _, file := range files {
			if d := cmp.Diff(want, verdictsOf(t, file)); d != "" {
				t.Errorf("%s through %s:\n%s", format, filepath.Base(file), d)
			}
		}
	}
}

// --clean does what it says and says what it does.
func TestExportClean(t *testing.T) {
	shipped := filepath.Join("..", "..", "datasets", "mariadb-allocators")
	out := filepath.Join(t.TempDir(), "out")
	text := did(t, "export", shipped, "--to", "csv", "--out", out, "--clean", "--where", "threads==2 && workload==oltp_read_only", "--table", "runs,intervals", "--quiet")
	if !strings.Contains(text, "runs: ") || strings.Contains(text, "histograms") {
		t.Errorf("it says %q", text)
	}
	raw, err := os.ReadFile(filepath.Join(out, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	var pack struct {
		Cleaned   []string
		Resources []struct {
			Name   string
			Schema struct{ Fields []struct{ Name string } }
		}
	}
	if err := json.Unmarshal(raw, &pack); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(pack.Cleaned, "; ")
	for _, want := range []string{"runs match threads==2", "runs are complete", "steady_tps in runs", "at the end of a run"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said: %s", want, said)
		}
	}
	if !slices.ContainsFunc(pack.Resources[0].Schema.Fields, func(f struct{ Name string }) bool { return f.Name == "steady_tps" }) {
		t.Error("there is no steady_tps")
	}
	if !export.IsExport(out) {
		t.Error("it is no export")
	}
}

// What is said of cleaned data is what is said of all: the cut is not made again where
// the lines before it are gone.
func TestExportCleanVerdicts(t *testing.T) {
	shipped := filepath.Join("..", "..", "datasets", "mariadb-allocators")
	said := func(data string) string {
		text, _, _ := strings.Cut(did(t, "compare", data, "--quiet"), "216 runs from") // and whence
		return text
	}
	want := said(shipped)
	if !strings.Contains(want, "are left out in 2 of 8 strata") {
		t.Fatalf("nothing is cut:\n%s", want)
	}
	for _, format := range []string{"parquet", "csv"} {
		out := filepath.Join(t.TempDir(), format)
		did(t, "export", shipped, "--to", format, "--out", out, "--clean", "--partition-by", "workload,day", "--quiet")
		if got := said(out); got != want {
			t.Errorf("%s:\n%s\nnot\n%s", format, got, want)
		}
	}
}

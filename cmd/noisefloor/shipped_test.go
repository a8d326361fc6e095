package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"noisefloor/datasets"
)

var shipped = filepath.Join("..", "..", "datasets", "mariadb-allocators")

// The Arrow parts that ship are what their raw logs give.
func TestShippedPartsMatchRawLogs(t *testing.T) {
	again := filepath.Join(t.TempDir(), "ds")
	if _, errs, code := call(t, "ingest", filepath.Join(shipped, "raw"), "--out", again); code != exitDone {
		t.Fatal(errs)
	}
	want, wantCounts := readRuns(t, again)
	got, gotCounts := readRuns(t, shipped)
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmp.Comparer(func(a, b datasets.Value) bool { return a == b })); diff != "" {
		t.Errorf("runs from raw/ (-) and shipped (+) differ; just dataset rebuilds them:\n%s", diff)
	}
	if diff := cmp.Diff(wantCounts, gotCounts); diff != "" {
		t.Errorf("rows from raw/ (-) and shipped (+):\n%s", diff)
	}
}

func readRuns(t *testing.T, dir string) (map[string]datasets.Run, map[string]int64) {
	t.Helper()
	r, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	runs, _, err := r.Runs()
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]datasets.Run{}
	for _, run := range runs {
		byID[run.ID] = run
	}
	return byID, r.Counts()
}

// The README's first command: with one recorded day nothing can be claimed, and
// the page says so.
func TestShippedReport(t *testing.T) {
	page := filepath.Join(t.TempDir(), "report.html")
	out, errs, code := call(t, "report", shipped, "--by", "allocator", "--html", page)
	if code != exitDone {
		t.Fatal(errs)
	}
	for _, want := range []string{"glibc", "jemalloc", "tcmalloc", "glibc-control"} {
		if !strings.Contains(out, want) {
			t.Errorf("not a word of %s in\n%s", want, out)
		}
	}
	r, err := datasets.Open(shipped)
	if err != nil {
		t.Fatal(err)
	}
	runs, _, err := r.Runs()
	if err != nil {
		t.Fatal(err)
	}
	days := map[string]bool{}
	for _, run := range runs {
		days[run.Day] = true
	}
	if len(days) == 1 && (!strings.Contains(out, "unsupported") || strings.Contains(out, "% faster") || strings.Contains(out, "% slower")) {
		t.Errorf("one day, and not every verdict is unsupported:\n%s", out)
	}
}

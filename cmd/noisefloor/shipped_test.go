package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"noisefloor/datasets"
)

var (
	shipped  = filepath.Join("..", "..", "datasets", "mariadb-allocators")
	versions = filepath.Join("..", "..", "datasets", "mariadb-versions")
)

// The Arrow parts that ship are what their raw logs give.
func TestShippedPartsMatchRawLogs(t *testing.T) {
	for _, dir := range []string{shipped, versions} {
		again := filepath.Join(t.TempDir(), "ds")
		if _, errs, code := call(t, "ingest", filepath.Join(dir, "raw"), "--out", again); code != exitDone {
			t.Fatal(errs)
		}
		want, wantCounts := readRuns(t, again)
		got, gotCounts := readRuns(t, dir)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmp.Comparer(func(a, b datasets.Value) bool { return a == b })); diff != "" {
			t.Errorf("runs from %s/raw (-) and shipped (+) differ; just dataset rebuilds them:\n%s", dir, diff)
		}
		if diff := cmp.Diff(wantCounts, gotCounts); diff != "" {
			t.Errorf("rows from %s/raw (-) and shipped (+):\n%s", dir, diff)
		}
		if diff := cmp.Diff(profilesOf(t, again), profilesOf(t, dir)); diff != "" {
			t.Errorf("stacks from %s/raw (-) and shipped (+):\n%s", dir, diff)
		}
	}
}

// profilesOf gives the weight in every stack of every run.
func profilesOf(t *testing.T, dir string) map[string]float64 {
	t.Helper()
	r, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	weights := map[string]float64{}
	err = r.Stacks(func(rows []datasets.Stack) error {
		for _, s := range rows {
			weights[s.RunID+" "+s.Comm+";"+strings.Join(s.Frames, ";")] += s.Weight
		}
		return nil
	})
	if err != nil || len(weights) == 0 {
		t.Fatalf("%d stacks, %v", len(weights), err)
	}
	return weights
}

// Of the names that say the same, the plain one is compared.
func TestShippedVersionsReport(t *testing.T) {
	out, errs, code := call(t, "report", versions)
	if code != exitDone {
		t.Fatal(errs)
	}
	if !strings.Contains(out, "Compared: version (") {
		t.Errorf("version is not what is compared in\n%s", out)
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

// The README's first command: two days that differ by a factor of two carry no claim.
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
	if !strings.Contains(out, "24 inconclusive") || strings.Contains(out, "% faster") || strings.Contains(out, "% slower") {
		t.Errorf("not every verdict is inconclusive:\n%s", out)
	}
}

// What docs/verdicts.md says of the A/A control is what its command finds.
func TestShippedFalseVerdicts(t *testing.T) {
	out, errs, code := call(t, "compare", shipped, "--by", "allocator", "--base", "glibc", "--where", "allocator=~^glibc", "--json")
	if code != exitDone {
		t.Fatal(errs)
	}
	var found struct {
		Comparisons []struct{ Verdict string }
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, c := range found.Comparisons {
		if c.Verdict == "faster" || c.Verdict == "slower" {
			wrong++
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "verdicts.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(fmt.Sprintf("%d rows, %d false verdict", len(found.Comparisons), wrong), " 0 false", " no false", 1)
	if !strings.Contains(string(page), want) {
		t.Errorf("docs/verdicts.md does not say %q", want)
	}
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kindsIn are the kinds of warning declared in files of package analysis.
func kindsIn(t *testing.T, files ...string) []string {
	t.Helper()
	declared := regexp.MustCompile(`Kind\(\) string\s*\{ return "([^"]*)" \}`)
	var kinds []string
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			kinds = append(kinds, m[1])
		}
	}
	return kinds
}

// Every verdict and every warning of a comparison, of the design, of spread,
// of warm-up, of curves, series and profiles has its picture and its sentence.
func TestEveryWarningHasItsPicture(t *testing.T) {
	var shown []string
	for _, s := range sections() {
		for _, e := range s.entries {
			if slices.Contains(shown, e.name) {
				t.Errorf("%s is shown twice", e.name)
			}
			shown = append(shown, e.name)
			if !strings.Contains(e.picture, "<svg") || strings.Contains(e.picture, "NaN") || len(e.says) < 20 {
				t.Errorf("%s: %q\n%s", e.name, e.says, e.picture)
			}
		}
	}
	kinds := kindsIn(t, "warnings_compare.go", "warnings_judging.go", "warnings_design.go", "warnings_hosts.go", "warnings_noise.go", "warnings_steady.go", "warnings_scaling.go", "warnings_history.go", "warnings_profile.go")
	if len(kinds) < 60 {
		t.Fatalf("only %d kinds found: the files read otherwise than expected", len(kinds))
	}
	for _, kind := range append(kinds, "faster", "slower", "equivalent", "inconclusive", "unsupported") {
		if !slices.Contains(shown, kind) {
			t.Errorf("%s has no picture", kind)
		}
	}
}

// The page shows what the program says now.
func TestPageIsCurrent(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	text, err := os.ReadFile(filepath.Join(docs, "verdicts.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), begin+table()+end) {
		t.Error("docs/verdicts.md does not show what the program says: just gallery writes it")
	}
	for _, s := range sections() {
		for _, e := range s.entries {
			if picture, err := os.ReadFile(filepath.Join(docs, "pictures", e.name+".svg")); err != nil || string(picture) != e.picture {
				t.Errorf("docs/pictures/%s.svg is not current (%v): just gallery writes it", e.name, err)
			}
		}
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nightlyTable is forty nights of 1000 tps, with a step of so many percent at
// night 25 and a wiggle of 1 %.
func nightlyTable(step float64) string {
	var b strings.Builder
	b.WriteString("day,commit,tps\n")
	for i := range 40 {
		tps := 1000 * (1 + .01*math.Sin(float64(i*i)))
		if i >= 25 {
			tps *= 1 + step/100
		}
		fmt.Fprintf(&b, "2026-%02d-%02d,%07x,%.2f\n", 9+i/30, 1+i%30, 0xabc0000+i*4099, tps)
	}
	return b.String()
}

// historyOf runs the verb with --json and gives the document.
func historyOf(t *testing.T, wantCode int, args ...string) map[string]any {
	t.Helper()
	out, errs, code := call(t, append([]string{"history", "--json"}, args...)...)
	if code != wantCode {
		t.Fatalf("%v: exit status %d, want %d\n%s", args, code, wantCode, errs)
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func changesOf(doc map[string]any, i int) []any {
	return doc["history"].([]any)[i].(map[string]any)["changes"].([]any)
}

func TestHistoryGate(t *testing.T) {
	dir := t.TempDir()
	slower, quiet := filepath.Join(dir, "slower", "n.csv"), filepath.Join(dir, "quiet", "n.csv")
	write(t, slower, nightlyTable(-6))
	write(t, quiet, nightlyTable(0))
	gate := func(want int, text string, args ...string) {
		t.Helper()
		out, errs, code := call(t, append([]string{"history", "--by", "day"}, args...)...)
		if code != want || !strings.Contains(out+errs, text) {
			t.Errorf("%v: exit status %d, want %d and %q\n%s%s", args, code, want, text, out, errs)
		}
	}
	gate(0, "no change in 40 points", quiet, "--gate", "slower")
	gate(0, "slower", slower)
	gate(1, "2026-09-26", slower, "--gate", "slower")  // since when
	gate(1, "%", slower, "--gate", "slower")           // how large
	gate(1, "p <0.001", slower, "--gate", "slower")    // how sure
	gate(1, "2026-09-25", slower, "--gate", "changed") // which neighbours
	gate(0, "no change", quiet, "--gate", "changed")
	gate(2, "slower or changed", slower, "--gate", "faster")
	gate(2, "no factor", slower, "--by", "dya")

	// A faster newest level fails only the gate for both directions.
	faster := filepath.Join(dir, "faster", "n.csv")
	write(t, faster, nightlyTable(6))
	gate(0, "faster", faster, "--gate", "slower")
	gate(1, "faster", faster, "--gate", "changed")

	// Known beside the data, it trips nothing.
	write(t, filepath.Join(dir, "slower", "known-changes.yaml"), "- at: 2026-09-26\n  metric: tps\n  note: fsync is real now\n")
	gate(0, "fsync is real now", slower, "--gate", "slower")
	gate(0, "fsync is real now", filepath.Dir(slower), "--gate", "slower")
	write(t, filepath.Join(dir, "slower", "known-changes.yaml"), "- at: 2026-09-02\n")
	gate(1, "2026-09-02 is acknowledged, but no such change", slower, "--gate", "slower")
	write(t, filepath.Join(dir, "slower", "known-changes.yaml"), "- since: 2026-09-02\n")
	gate(2, "known-changes.yaml: want a list of changes", slower)
	elsewhere := filepath.Join(dir, "k.yaml")
	write(t, elsewhere, "- {at: '2026-09-26', where: {threads: 8}}\n")
	gate(1, "", slower, "--gate", "slower", "--known", elsewhere) // another stratum

	// Six versions on six days: the design cannot answer.
	six := filepath.Join(dir, "six.csv")
	write(t, six, "version,day,tps\n8.0.9,2026-01-01,100\n8.0.11,2026-01-02,101\n8.0.12,2026-01-03,80\n8.0.28,2026-01-04,81\n8.0.30,2026-01-05,79\n8.4.0,2026-01-06,80\n")
	out, errs, code := call(t, "history", six, "--gate", "slower")
	if code != 4 || !strings.Contains(strings.Join(strings.Fields(out), " "), "run all of them on the same 3 days") {
		t.Errorf("exit status %d, want 4\n%s%s", code, out, errs)
	}
}

// YAML reads 8.40 as the number 8.4; a version is meant.
func TestKnownChangesAsWritten(t *testing.T) {
	known, err := parseKnown([]byte("- at: 8.40 # since May\n- {at: '8.40', where: {pool: 012, build: \"a b\"}}\n- at: 2026-01-31\n  note: |\n    two\n    lines\n"))
	if err != nil {
		t.Fatal(err)
	}
	if known[0].At != "8.40" || known[1].At != "8.40" || known[2].At != "2026-01-31" || known[2].Note != "two\nlines\n" {
		t.Errorf("%q", known)
	}
	if w := known[1].Where; w["pool"] != "012" || w["build"] != "a b" {
		t.Errorf("%q", w)
	}
	for _, bad := range []string{"- at: [8.40]\n", "- at:\n  metric: tps\n", "- at: {a: b}\n"} {
		if known, err := parseKnown([]byte(bad)); err == nil {
			t.Errorf("%q is taken: %q", bad, known)
		}
	}
}

// Commits whose runs say when they began need no list: their order is that of
// their runs.
func TestHistoryOfCommitsInTime(t *testing.T) {
	var b strings.Builder
	b.WriteString("time,commit,tps\n")
	for i := 29; i >= 0; i-- { // newest first
		level := 1000.
		if i >= 18 {
			level = 940
		}
		fmt.Fprintf(&b, "2026.01.%02d 3:00:00 +0100,%07x,%g\n", i+1, 0xabc1234*(i+3)%0xfffffff, level+float64(i*i%7))
	}
	file := filepath.Join(t.TempDir(), "nights.csv")
	write(t, file, b.String())
	out, errs, code := call(t, "history", file)
	if code != 0 || !strings.Contains(out, "Changes over commit, 30 points (by when they were first run): 1 change in 1 series") || !strings.Contains(out, "slower") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
}

// One night is no series yet: a gate cannot answer.
func TestHistoryOfOnePoint(t *testing.T) {
	one := filepath.Join(t.TempDir(), "one.csv")
	write(t, one, "day,version,tps\n2026-01-01,1,100\n2026-01-01,2,101\n")
	out, errs, code := call(t, "history", one, "--by", "day", "--gate", "slower")
	if code != 4 || !strings.Contains(out, "all runs have the same day: one point is no series yet") {
		t.Errorf("exit status %d, want 4\n%s%s", code, out, errs)
	}
}

func TestHistoryOrder(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "n.csv")
	write(t, table, nightlyTable(-6))
	var log strings.Builder // newest first, and every other commit was not measured
	for i := 79; i >= 0; i-- {
		if i%2 == 0 {
			fmt.Fprintf(&log, "%07x%s 2026-09-01T%02d:%02d:00Z\n", 0xabc0000+i/2*4099, strings.Repeat("0", 33), i/60, i%60)
		} else {
			fmt.Fprintf(&log, "fff%037x 2026-09-01T%02d:%02d:00Z\n", i, i/60, i%60)
		}
	}
	order := filepath.Join(dir, "order")
	write(t, order, log.String())
	doc := historyOf(t, 0, table, "--order", order)
	h := doc["history"].([]any)[0].(map[string]any)
	changes := changesOf(doc, 0)
	if h["series"] != "commit" || !strings.Contains(h["order"].(string), "dates") || len(changes) != 1 {
		t.Fatalf("series %v, order %v, %d changes", h["series"], h["order"], len(changes))
	}
	c := changes[0].(map[string]any)
	if c["at"] != fmt.Sprintf("%07x", 0xabc0000+25*4099) || c["unmeasured"] != 1. {
		t.Errorf("at %v, %v unmeasured", c["at"], c["unmeasured"])
	}
	if _, _, code := call(t, "history", table, "--order", filepath.Join(dir, "nothing")); code != 2 {
		t.Errorf("a missing list: exit status %d", code)
	}
}

// The keys that DESIGN promises stand in the document, with the numbers.
func TestHistoryJSON(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "n.csv")
	write(t, table, nightlyTable(-6))
	doc := historyOf(t, 0, table, "--by", "day", "--direction", "slower", "--min-effect", "1%")
	h := doc["history"].([]any)[0].(map[string]any)
	if h["series"] != "day" || h["false_alarm_rate"] != .05 {
		t.Errorf("series %v, false alarm rate %v", h["series"], h["false_alarm_rate"])
	}
	c := changesOf(doc, 0)[0].(map[string]any)
	for key, want := range map[string]any{"at": "2026-09-26", "before": "2026-09-25", "verdict": "slower", "acknowledged": nil} {
		if c[key] != want {
			t.Errorf("%s is %v, want %v", key, c[key], want)
		}
	}
	ratio, lo, hi, p := c["ratio"].(float64), c["lo"].(float64), c["hi"].(float64), c["p"].(float64)
	if math.Abs(ratio-.94) > .006 || !(lo < .94 && .94 < hi) || !(p > 0 && p < .001) {
		t.Errorf("ratio %g (%g to %g), p %g; truth .94", ratio, lo, hi, p)
	}
	if got := changesOf(historyOf(t, 0, table, "--by", "day", "--direction", "faster"), 0); len(got) != 0 {
		t.Errorf("slower is not faster: %v", got)
	}
	if got := changesOf(historyOf(t, 0, table, "--by", "day", "--min-effect", "20%"), 0); len(got) != 0 {
		t.Errorf("6 %% is below 20 %%: %v", got)
	}
}

func TestHistoryPage(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "h.html")
	out, errs, code := call(t, "history", filepath.Join("..", "..", "docs", "examples", "nightly.csv"), "--html", page)
	if code != 0 {
		t.Fatalf("exit status %d\n%s%s", code, out, errs)
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg", "Changes over day", "kernel changes at the same point"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("no %q on the page", want)
		}
	}
}

// builds.csv, truth seed 13: logs of 8.0 -.12, of the build -.05, -.02 more with 8.0;
// the build explains .06 of the .19 of the whole change.
func TestHistoryFactors(t *testing.T) {
	table := filepath.Join("..", "..", "docs", "examples", "builds.csv")
	doc := historyOf(t, 0, table, "--factors", "build,version")
	f := doc["factors"].([]any)[0].(map[string]any)
	effect := func(kind, factor, level string, truth float64) {
		t.Helper()
		for _, e := range f["effects"].([]any) {
			e := e.(map[string]any)
			if e["kind"] == kind && e["factor"] == factor && e["level"] == level {
				if lo, hi := e["lo"].(float64), e["hi"].(float64); !(lo < math.Exp(truth) && math.Exp(truth) < hi) {
					t.Errorf("%s of %s %s: %g to %g, truth %g", kind, factor, level, lo, hi, math.Exp(truth))
				}
				return
			}
		}
		t.Errorf("no %s of %s %s", kind, factor, level)
	}
	effect("main", "build", "no-lto", -.05-.02/3)
	effect("main", "version", "5.7.44", -.03)
	effect("main", "version", "8.0.42", -.13)
	share := f["shares"].([]any)[0].(map[string]any)
	if lo, hi, truth := share["lo"].(float64), share["hi"].(float64), .06/.19; share["factor"] != "build" || !(lo < truth && truth < hi) {
		t.Errorf("share %v, truth %g", share, truth)
	}
	if _, errs, code := call(t, "history", table, "--factors", "build,vresion"); code != 2 || !strings.Contains(errs, `did you mean "version"`) {
		t.Errorf("exit status %d, %s", code, errs)
	}
	if _, errs, code := call(t, "history", table, "--factors", "build"); code != 2 || !strings.Contains(errs, "two factors") {
		t.Errorf("exit status %d, %s", code, errs)
	}
}

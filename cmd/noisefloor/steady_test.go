//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// warmLog is a log of so many seconds, the first of which are slow.
func warmLog(threads, seconds, slow int, rng *rand.Rand) string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	makeLog(w, rng, threads, seconds)
	_ = w.Flush() // to memory
	lines := strings.Split(b.String(), "\n")
	second := 0
	for i, line := range lines {
		if !strings.HasPrefix(line, "[ ") {
			continue
		}
		second++
		tps := 1000 * (1 + 0.005*rng.NormFloat64())
		if second <= slow {
			tps *= 0.5
		}
		lines[i] = fmt.Sprintf("[ %ds ] thds: %d tps: %.2f qps: %.2f (r/w/o: %.2f/%.2f/%.2f) lat (ms,95%%): 5.00 err/s: 0.00 reconn/s: 0.00", second, threads, tps, 20*tps, 14*tps, 4*tps, 2*tps)
	}
	return strings.Join(lines, "\n")
}

func TestSteadyVerb(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(5, 5))
	for day := 1; day <= 2; day++ {
		for rep := 1; rep <= 2; rep++ {
			for _, version := range []string{"9.6.0", "9.7.0"} {
				slow := 0
				if version == "9.7.0" && rep == 2 {
					slow = 30
				}
				write(t, filepath.Join(dir, fmt.Sprintf("2026-01-0%d", day), fmt.Sprintf("%s_r%d_8th.log", version, rep)), warmLog(8, 120, slow, rng))
			}
		}
	}
	page := filepath.Join(t.TempDir(), "steady.html")
	out, errs, code := call(t, "steady", dir, "--html", page, "--quiet")
	if code != exitDone {
		t.Fatal(errs)
	}
	for _, want := range []string{"6 flat, 2 warm-up", "9.7.0_r2_8th.log", "the first 30 s are left out", "ess", "steady mean"} {
		if !strings.Contains(out, want) {
			t.Errorf("no word of %q in\n%s", want, out)
		}
	}
	out, _, _ = call(t, "report", dir, "--json", "--quiet")
	var doc struct {
		Steady      []map[string]any
		Comparisons []map[string]any
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Steady) != 8 || doc.Comparisons[0]["cut_s"] != 30.0 {
		t.Errorf("%d runs, cut %v", len(doc.Steady), doc.Comparisons[0]["cut_s"])
	}
	for _, s := range doc.Steady {
		if v, ok := s["steady_tps"].(float64); !ok || math.Abs(v/1000-1) > 0.005 || s["common_cut_s"] != 30.0 {
			t.Errorf("%v", s)
		}
	}
	out, _, _ = call(t, "report", dir, "--json", "--quiet", "--keep-warmup")
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Comparisons[0]["cut_s"] != nil {
		t.Errorf("warm-up kept, and a cut of %v", doc.Comparisons[0]["cut_s"])
	}
}

package ingest

import (
	"fmt"
	"testing"
)

// A harness starts a process for each 256 threads, steps through the arms forth and
// back, and names its logs by the threads of all.
func TestProcesses(t *testing.T) {
	files := map[string]string{}
	for step, arm := range []string{"base", "pgo", "pgo", "base"} {
		for _, threads := range []int{64, 256, 512, 1024} {
			n := max(1, threads/256)
			for p := 1; p <= n; p++ {
				files[fmt.Sprintf("b-%02d-%s-%d.p%d.log", step+1, arm, threads, p)] = fmt.Sprintf("log %d", threads/n)
			}
		}
	}
	m, s := checkFactors(t, files, Options{}, map[string]string{
		"b-01-base-64.p1.log":   "threads=64 order=1 path2=base",
		"b-03-pgo-1024.p1.log":  "threads=1024 order=3 path2=pgo",
		"b-04-base-512.p1.log":  "threads=512 order=4 path2=base",
		"b-02-pgo-256.p1.log":   "threads=256 order=2 path2=pgo",
		"b-04-base-1024.p1.log": "threads=1024 order=4 path2=base",
	})
	if len(m.batch.Runs) != 16 || !mentions(s.Joined, "24 logs of parallel clients") || !mentions(s.Guesses, "running order of base, pgo: a guess") {
		t.Errorf("%d runs\n%v\n%v", len(m.batch.Runs), s.Joined, s.Guesses)
	}
	if r := m.run(t, "b-01-base-1024.p1.log"); r.Clients != 4 {
		t.Errorf("%d clients", r.Clients)
	}
}

// Numbers that do not add up to the threads in the name number something else.
func TestNoProcesses(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"repetitions":     {"base-64.p1.log": "log 64", "base-64.p2.log": "log 64", "new-64.p1.log": "log 64", "new-64.p2.log": "log 64"},
		"one is missing":  {"base-64.p1.log": "log 32", "base-64.p3.log": "log 32", "new-64.p1.log": "log 32", "new-64.p2.log": "log 32"},
		"nothing is said": {"base.p1.log": "log 32", "base.p2.log": "log 32"},
		"several words":   {"base-64.p1.log": "log 32", "base-64.q2.log": "log 32"},
	} {
		m, s := ingestTree(t, Options{}, tree(t, files))
		if len(m.batch.Runs) != len(files) || len(s.Joined) > 0 {
			t.Errorf("%s: %d runs of %d logs, %v", name, len(m.batch.Runs), len(files), s.Joined)
		}
	}
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{"a/16_lg-01.log": "log 16", "a/16_lg-02.log": "log 16", "a/64_lg-01.log": "log 64", "a/64_lg-02.log": "log 64"}))
	if len(m.batch.Runs) != 2 || !mentions(s.Joined, "4 logs of parallel clients") {
		t.Errorf("load generators: %d runs, %v", len(m.batch.Runs), s.Joined)
	}
}

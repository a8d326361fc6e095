//go:build linux

package main

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A real recording becomes stacks with as many samples as perf counts in it.
func TestWriteFolded(t *testing.T) {
	if _, err := exec.LookPath("perf"); err != nil {
		t.Skip("perf is not installed")
	}
	const recording = "../../ingest/perfdata/testdata/file.data"
	to := filepath.Join(t.TempDir(), "x.folded.gz")
	if err := writeFolded(t.Context(), recording, to); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../ingest/perfdata/testdata/file.txt")
	if err != nil {
		t.Fatal(err)
	}
	samples := 0
	for line := range strings.Lines(string(text)) {
		stack, count, _ := strings.Cut(strings.TrimSpace(line), " ")
		n := 0
		for _, c := range count {
			n = 10*n + int(c-'0')
		}
		samples += n
		if !strings.HasPrefix(stack, "tiny;") {
			t.Errorf("%s is not of the program", stack)
		}
	}
	if want := strings.Count(string(script), "cpu-clock:u: "); samples != want {
		t.Errorf("%d samples in\n%swant %d", samples, text, want)
	}
}

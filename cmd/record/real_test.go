//go:build linux

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A whole session with the real server and the real load generator, as small as
// it can be: every arm starts, is verified, runs, and the archive is packed.
func TestRealSession(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	err := run(context.Background(), &stdout, &stderr, strings.Fields(
		"--out "+dir+" --session tiny --seconds 1 --warmup 1 --threads 1 --tables 1 --table-size 1000 --launches 1 --sweeps 1 --profile-seconds 0 --busy-ok"))
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	for _, arm := range allocators {
		if !strings.Contains(stdout.String(), arm) {
			t.Errorf("not a word of %s in\n%s", arm, stdout.String())
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "raw", "tiny.tar.xz")); err != nil || info.Size() == 0 {
		t.Errorf("no archive: %v\n%s", err, stdout.String())
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"noisefloor/datasets"
)

// A real process gets a real signal in the middle of an ingest: what it leaves is a
// data set, it says how far it came, and the same call goes on from there.
func TestSignalKeepsWhatIsRead(t *testing.T) {
	dir := t.TempDir()
	binary := built(t, dir)
	logs, set := filepath.Join(dir, "logs"), filepath.Join(dir, "set")
	if err := os.Mkdir(logs, 0o755); err != nil {
		t.Fatal(err)
	}
	const files = 40
	for i := range files {
		var b bytes.Buffer
		fmt.Fprintf(&b, "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\nNumber of threads: 8\nReport intermediate results every 1 second(s)\n\nThreads started!\n\n")
		for s := range 5000 {
			fmt.Fprintf(&b, "[ %ds ] thds: 8 tps: %d.00 qps: 20000.00 (r/w/o: 14000.00/4000.00/2000.00) lat (ms,95%%): 9.22 err/s: 0.00 reconn/s: 0.00\n", s+1, 1000+i)
		}
		if err := os.WriteFile(filepath.Join(logs, fmt.Sprintf("run%d.log", i)), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	call := func() (*exec.Cmd, *bytes.Buffer) {
		c := exec.Command(binary, "ingest", logs, "--out", set)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, &stderr
	}
	runs := func() int {
		r, err := datasets.Open(set)
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := r.Runs()
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	// The machine decides how long a good moment takes to come; a call that was
	// done before its signal is repeated with an earlier one.
	for wait := 200 * time.Millisecond; ; wait /= 2 {
		os.RemoveAll(set)
		c, stderr := call()
		time.Sleep(wait)
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		err := c.Wait()
		exit, ok := err.(*exec.ExitError)
		if !ok && wait > time.Millisecond {
			continue // it was done
		}
		if !ok {
			t.Fatalf("never interrupted: %v", err)
		}
		if exit.Sys().(syscall.WaitStatus).Signaled() {
			continue // before it listens
		}
		if exit.ExitCode() != exitStopped || !strings.Contains(stderr.String(), "stopped ") || !strings.Contains(stderr.String(), "goes on from there") {
			t.Fatalf("exit status %d: %s", exit.ExitCode(), stderr)
		}
		if _, err := os.Stat(filepath.Join(set, "dataset.json")); err != nil { // stopped before the first run
			continue
		}
		if n := runs(); n > files {
			t.Fatalf("%d runs", n)
		}
		break
	}
	c, stderr := call()
	if err := c.Wait(); err != nil {
		t.Fatalf("the second call: %v: %s", err, stderr)
	}
	if n := runs(); n != files {
		t.Errorf("%d runs of %d after the second call", n, files)
	}
}

// built makes the program that runs as a process of its own.
func built(t testing.TB, dir string) string {
	t.Helper()
	binary := filepath.Join(dir, "noisefloor")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

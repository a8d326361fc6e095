//go:build linux

package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// perfArgs sample all threads of one process. cpu-clock, because virtual machines often have no hardware counters; 199 a
// second, a prime, so that samples do not keep step with anything periodic.
var perfArgs = []string{"record", "-q", "-e", "cpu-clock", "-F", "199", "-g"}

// startPerf records pid into file until the returned function is called.
func startPerf(pid int, file string) (stop func() error, err error) {
	c := exec.Command("perf", append(slices.Clone(perfArgs), "-o", file, "-p", fmt.Sprint(pid))...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stderr strings.Builder
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("perf (Debian package linux-perf): %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended: // it ends at once when it may not record
		return nil, fmt.Errorf("perf record: %w: %s", errors.Join(err, errors.New("ended at once")), strings.TrimSpace(stderr.String()))
	case <-time.After(500 * time.Millisecond): // until it has attached
	}
	return func() error {
		if err := c.Process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return err
		}
		select {
		case err := <-ended:
			// perf ends by the signal that it was sent, after it has written its file.
			if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); err != nil && (!ok || !status.Signaled() || status.Signal() != syscall.SIGINT) {
				return fmt.Errorf("perf record: %w: %s", err, strings.TrimSpace(stderr.String()))
			}
			return nil
		case <-time.After(30 * time.Second):
			return errors.Join(errors.New("perf record did not end within 30 s and was killed"), c.Process.Kill())
		}
	}, nil
}

// writeFolded turns perf's file into folded stacks, compressed.
func writeFolded(ctx context.Context, perfFile, to string) error {
	c := exec.CommandContext(ctx, "perf", "script", "-i", perfFile, "--no-inline", "-F", "comm,ip,sym,dso")
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	stacks, foldErr := fold(out)
	if foldErr != nil {
		io.Copy(io.Discard, out) // let perf end
	}
	if err := errors.Join(foldErr, c.Wait()); err != nil {
		return fmt.Errorf("perf script: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	if len(stacks) == 0 {
		return errors.New("perf script: no samples")
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	for _, stack := range slices.Sorted(maps.Keys(stacks)) {
		if _, err := fmt.Fprintf(z, "%s %d\n", stack, stacks[stack]); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return errors.Join(z.Close(), f.Close())
}

// fold counts the stacks of perf script -F comm,ip,sym,dso, root first:
//
//	mariadbd
//		           97c3d malloc (/usr/lib/x86_64-linux-gnu/libc.so.6)
//		          8a71f0 [unknown] (/usr/sbin/mariadbd)
//
// A frame without a symbol is named by its library, [mariadbd], as inferno and stackcollapse-perf do: in a stripped
// jemalloc that is all there is to see of it. It stays [unknown] when the library is unknown too.
func fold(r io.Reader) (map[string]int, error) {
	stacks := map[string]int{}
	var frames []string // leaf first
	comm := ""
	flush := func() {
		if comm != "" {
			slices.Reverse(frames)
			stacks[strings.Join(append([]string{comm}, frames...), ";")]++
		}
		comm, frames = "", frames[:0]
	}
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, 1<<20) // a C++ symbol can be thousands of bytes long
	for scan.Scan() {
		line := scan.Text()
		switch {
		case strings.TrimSpace(line) == "":
			flush()
		case line[0] != ' ' && line[0] != '\t':
			flush()
			comm = clean(line)
		default:
			frames = append(frames, frame(line))
		}
	}
	flush()
	return stacks, scan.Err()
}

func frame(line string) string {
	_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(strings.Replace(rest, " (deleted))", ")", 1))
	sym, dso := rest, "[unknown]"
	if i := strings.LastIndex(rest, "("); i >= 0 && strings.HasSuffix(rest, ")") && (i == 0 || rest[i-1] == ' ') {
		sym, dso = strings.TrimSpace(rest[:i]), rest[i+1:len(rest)-1]
	}
	if sym == "" || sym == "[unknown]" {
		sym = "[" + strings.Trim(filepath.Base(dso), "[]") + "]"
	}
	return clean(sym)
}

func clean(name string) string {
	return strings.ReplaceAll(strings.TrimSpace(name), ";", ":")
}

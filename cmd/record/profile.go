//go:build linux

package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"noisefloor/datasets"
	"noisefloor/datasets/export"
	"noisefloor/ingest/perfscript"
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

// writeFolded turns perf's file into folded stacks, compressed. The event is printed although there is only one, because
// without it and without a time a header is too little to be told from a frame.
func writeFolded(ctx context.Context, perfFile, to string) error {
	c := exec.CommandContext(ctx, "perf", "script", "-i", perfFile, "--no-inline", "-F", "comm,tid,event,ip,sym,dso")
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	profile, scanErr := perfscript.Scan(out, nil)
	if scanErr != nil {
		io.Copy(io.Discard, out) // let perf end
	}
	if err := errors.Join(scanErr, c.Wait()); err != nil {
		return fmt.Errorf("perf script: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	if profile.Len() == 0 {
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
	err = export.Folded(z, profile.First, func(yield func([]datasets.Stack) error) error { return yield(profile.Rows()) })
	return errors.Join(err, z.Close(), f.Close())
}

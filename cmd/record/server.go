//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// serverOptions are all that differs from MariaDB's own defaults, beside where its files are.
var serverOptions = []string{
	"--no-defaults", // must be the first
	"--skip-networking",
	"--skip-log-bin",
	"--skip-name-resolve",
	"--performance-schema=OFF",
	"--max-connections=200",
	"--innodb-buffer-pool-size=512M", // the tables fit: the allocator is measured, not the disk
	"--innodb-log-file-size=512M",
	"--innodb-flush-log-at-trx-commit=2", // no fsync a commit, whose time is the disk's
}

const (
	socketName   = "mariadb.sock" // in the data folder, which is the server's and sysbench's working folder
	startTimeout = 60 * time.Second
	stopTimeout  = 120 * time.Second
)

// library is what an arm preloads and who ships it; an arm that is missing here runs on glibc.
var library = map[string]struct{ file, debian string }{
	"jemalloc": {"libjemalloc.so.2", "libjemalloc2"},
	"tcmalloc": {"libtcmalloc_minimal.so.4", "libtcmalloc-minimal4 (libtcmalloc-minimal4t64 from Debian 13 and Ubuntu 24.04 on)"},
}

// preload returns the path of the arm's allocator, "" for glibc.
func preload(arm string) (string, error) {
	lib, ok := library[arm]
	if !ok {
		return "", nil
	}
	for _, pattern := range []string{"/usr/lib/*-linux-gnu/", "/usr/lib64/"} {
		found, err := filepath.Glob(pattern + lib.file)
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			return found[0], nil
		}
	}
	return "", fmt.Errorf("%s is neither in /usr/lib/*-linux-gnu nor in /usr/lib64; install the Debian package %s", lib.file, lib.debian)
}

// Server is one running mariadbd.
type Server struct {
	arm     Arm
	dir     string // the data folder
	command *exec.Cmd
	exited  chan struct{} // closed when the process has ended
	log     string
	// Allocator is the library found in the process's memory map, Malloc what the server itself says.
	Allocator, Malloc, Version string
}

// start starts mariadbd on the data folder dir and waits until it answers.
func start(ctx context.Context, dir string, arm Arm) (*Server, error) {
	lib, err := preload(arm.Name)
	if err != nil {
		return nil, err
	}
	program, err := arm.server()
	if err != nil {
		return nil, err
	}
	tmp := dir + ".tmp"
	if err := os.MkdirAll(tmp, 0o700); err != nil {
		return nil, err
	}
	s := &Server{arm: arm, dir: dir, exited: make(chan struct{}), log: dir + ".err"}
	args := append(slices.Concat(serverOptions, arm.options()), "--datadir="+dir, "--tmpdir="+tmp, "--socket="+socketName, "--pid-file=mariadbd.pid")
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	// Not CommandContext: Ctrl-C ends the runs, and the server is then shut down cleanly by stop.
	s.command = exec.Command(program, args...)
	s.command.Dir = dir
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's Ctrl-C is for us alone
	s.command.Env = arm.environment(lib)
	log, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s.command.Stdout, s.command.Stderr = log, log
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("mariadbd does not start (Debian package mariadb-server): %w", err)
	}
	go func() {
		s.command.Wait() // its status is of no use: whoever notices the end reads the log
		close(s.exited)
	}()
	if err := s.ready(ctx, lib); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (s *Server) ready(ctx context.Context, lib string) error {
	deadline := time.Now().Add(startTimeout)
	for {
		if _, err := os.Stat(filepath.Join(s.dir, socketName)); err == nil {
			if _, err := s.query(ctx, "SELECT 1"); err == nil {
				break
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.exited:
			return fmt.Errorf("mariadbd ended while starting; the end of its log:\n%s", s.tail())
		case <-time.After(100 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("mariadbd does not answer after %s; the end of its log:\n%s", startTimeout, s.tail())
		}
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", s.command.Process.Pid))
	if err != nil {
		return err
	}
	if lib != "" {
		if lib, err = filepath.EvalSymlinks(lib); err != nil {
			return err
		}
	}
	if s.Allocator, err = s.arm.allocator(string(maps), lib); err != nil {
		return err
	}
	if s.Malloc, err = s.query(ctx, "SELECT @@version_malloc_library"); err != nil {
		return err
	}
	s.Version, err = s.query(ctx, "SELECT @@version")
	return err
}

func (s *Server) query(ctx context.Context, sql string) (string, error) {
	out, err := s.client(ctx, "--skip-column-names", "--execute="+sql)
	return strings.TrimSpace(out), err
}

// client runs the mariadb client; its batch form escapes tabs and line ends inside values.
func (s *Server) client(ctx context.Context, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "mariadb", append([]string{"--no-defaults", "--batch", "--user=root", "--socket=" + socketName}, args...)...)
	c.Dir = s.dir
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("mariadb client: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// stop shuts the server down cleanly; one that does not end in time is killed, and that is an error.
func (s *Server) stop() error {
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.exited:
		return nil
	case <-time.After(stopTimeout):
	}
	if err := s.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.exited
	return fmt.Errorf("mariadbd did not shut down within %s and was killed; the end of its log:\n%s", stopTimeout, s.tail())
}

func (s *Server) tail() string {
	data, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	if len(data) > 2000 {
		data = data[len(data)-2000:]
	}
	return string(data)
}

// find looks in /usr/sbin too, which is not in an ordinary user's PATH.
func find(program string) string {
	if path, err := exec.LookPath(program); err == nil {
		return path
	}
	return filepath.Join("/usr/sbin", program)
}

//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Sidecar is the JSON file beside a run's log: what the log itself does not say.
type Sidecar struct {
	Allocator       string  `json:"allocator,omitempty"` // the arm, without --servers
	Version         string  `json:"version,omitempty"`   // the arm, with --servers
	Launch          string  `json:"launch"`
	Session         string  `json:"session"`
	Day             string  `json:"day"`
	Order           int     `json:"order"`
	Block           int     `json:"block"`
	Sweep           int     `json:"sweep"`
	Profiled        bool    `json:"profiled"`
	Workload        string  `json:"workload"`
	Threads         int     `json:"threads"`
	Tables          int     `json:"tables"`
	TableSize       int     `json:"table_size"`
	Seconds         int     `json:"seconds"`
	StartedAt       string  `json:"started_at"`
	EndedAt         string  `json:"ended_at"`
	ServerVersion   string  `json:"server_version"`
	MallocLibrary   string  `json:"malloc_library"`
	AllocatorPath   string  `json:"allocator_path"`
	GlibcVersion    string  `json:"glibc_version"`
	SysbenchVersion string  `json:"sysbench_version"`
	SysbenchCommand string  `json:"sysbench_command"`
	Kernel          string  `json:"kernel"`
	OS              string  `json:"os"`
	CPU             string  `json:"cpu"`
	Cores           int     `json:"cores"`
	MemoryBytes     int64   `json:"memory_bytes"`
	Host            string  `json:"host"`
	Load1Before     float64 `json:"load1_before"`
	Load1After      float64 `json:"load1_after"`
	StealS          float64 `json:"steal_s"` // during the run, over all CPUs, as idle_s
	IdleS           float64 `json:"idle_s"`
	ExitStatus      int     `json:"exit_status"` // 128 + the signal when one ended it, as in a shell
}

// stamp is RFC 3339 with microseconds.
const stamp = "2006-01-02T15:04:05.000000Z07:00"

// sysbenchGrace is how long after its time a run may still finish its last transactions before it counts as hung.
const sysbenchGrace = 60 * time.Second

func sysbenchArgs(workload string, threads, tables, tableSize int, more ...string) []string {
	return append([]string{workload, "--db-driver=mysql", "--mysql-socket=" + socketName, "--mysql-user=root",
		"--mysql-db=sbtest", fmt.Sprintf("--tables=%d", tables), fmt.Sprintf("--table-size=%d", tableSize),
		fmt.Sprintf("--threads=%d", threads)}, more...)
}

// sysbench runs in the server's data folder, so that the socket has a short name in its command and messages.
func sysbench(ctx context.Context, srv *Server, log *os.File, args []string) (int, error) {
	c := exec.CommandContext(ctx, "sysbench", args...)
	c.Dir = srv.dir
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 5 * time.Second
	err := c.Run()
	if c.ProcessState == nil {
		return 0, fmt.Errorf("sysbench (Debian package sysbench): %w", err)
	}
	if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return c.ProcessState.ExitCode(), nil
}

// unrecorded runs sysbench for its effect: prepare, warm-up.
func unrecorded(ctx context.Context, srv *Server, args []string) error {
	log, err := os.Create(srv.dir + ".sysbench")
	if err != nil {
		return err
	}
	defer log.Close()
	code, err := sysbench(ctx, srv, log, args)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && code != 0 {
		said, _ := os.ReadFile(log.Name())
		err = fmt.Errorf("sysbench %s: exit status %d:\n%s", strings.Join(args, " "), code, said)
	}
	return err
}

// moment is what is read just before and just after a run.
type moment struct {
	at                time.Time
	load, idle, steal float64
}

func observe() (moment, error) {
	load, err := load1()
	if err != nil {
		return moment{}, err
	}
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return moment{}, err
	}
	idle, steal, err := cpuTimes(string(stat))
	return moment{time.Now(), load, idle, steal}, err
}

// measure executes one run and writes its log and sidecar. An exit status is not an error; an error means no record.
func (s *session) measure(ctx context.Context, srv *Server, l Launch, r Run) (Sidecar, string, error) {
	args := sysbenchArgs(r.Workload, r.Threads, s.tables, s.tableSize, fmt.Sprintf("--time=%d", r.Seconds),
		"--report-interval=1", "--histogram", "--percentile=95", "run")
	stem := filepath.Join(s.folder, l.Dir(), r.Stem())
	log, err := os.Create(stem + ".log")
	if err != nil {
		return Sidecar{}, "", err
	}
	defer log.Close()
	limited, cancel := context.WithTimeout(ctx, time.Duration(r.Seconds)*time.Second+sysbenchGrace)
	defer cancel()
	before, err := observe()
	if err != nil {
		return Sidecar{}, "", err
	}
	code, err := sysbench(limited, srv, log, args)
	if err != nil {
		return Sidecar{}, "", err
	}
	after, err := observe()
	if err != nil {
		return Sidecar{}, "", err
	}
	side := Sidecar{
		Launch: fmt.Sprintf("%s-%02d", s.session, l.Number), Session: s.session, Day: s.day,
		Order: r.Order, Block: l.Block, Sweep: r.Sweep, Profiled: r.Profiled, Workload: r.Workload, Threads: r.Threads,
		Tables: s.tables, TableSize: s.tableSize, Seconds: r.Seconds,
		StartedAt: before.at.Format(stamp), EndedAt: after.at.Format(stamp),
		ServerVersion: srv.Version, MallocLibrary: srv.Malloc, AllocatorPath: s.redact(srv.Allocator), GlibcVersion: s.host.Glibc,
		SysbenchVersion: s.host.Sysbench, SysbenchCommand: "sysbench " + strings.Join(args, " "),
		Kernel: s.host.Kernel, OS: s.host.OS, CPU: s.host.CPU, Cores: s.host.Cores, MemoryBytes: s.host.MemoryBytes, Host: s.host.Hash,
		Load1Before: before.load, Load1After: after.load,
		StealS: hundredths(after.steal - before.steal), IdleS: hundredths(after.idle - before.idle), ExitStatus: code,
	}
	if s.servers == "" {
		side.Allocator = l.Arm
	} else {
		side.Version = l.Arm
	}
	if err := writeJSON(stem+".json", side); err != nil {
		return Sidecar{}, "", err
	}
	text, err := os.ReadFile(stem + ".log")
	return side, tps(string(text)), err
}

var transactions = regexp.MustCompile(`(?m)^\s*transactions:\s+\d+\s+\(([0-9.]+) per sec`)

// tps is sysbench's own transactions a second, for the progress line only; "-" when the log ends before it.
func tps(log string) string {
	if m := transactions.FindStringSubmatch(log); m != nil {
		return m[1]
	}
	return "-"
}

// hundredths takes off what subtracting floats adds: /proc/stat counts hundredths of a second.
func hundredths(seconds float64) float64 {
	return float64(int64(seconds*userHz+0.5)) / userHz
}

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// prepare makes the data folder that each launch of an arm starts from.
func prepare(ctx context.Context, s settings, arm Arm, dir string) (version string, err error) {
	script, err := arm.installer()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(find(script))
	if err != nil {
		return "", fmt.Errorf("mariadb-install-db (Debian package mariadb-server): %w", err)
	}
	args := []string{"--no-defaults", "--datadir=" + dir}
	if arm.Base != "" {
		args = append(args, "--basedir="+arm.Base, "--force") // a host name that is in no table of hosts is no reason to stop
	}
	for _, option := range []string{"--auth-root-authentication-method=normal", "--skip-test-db"} {
		if name, _, _ := strings.Cut(option, "="); strings.Contains(string(text), name) { // not in the scripts before 10.4
			args = append(args, option)
		}
	}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	c := exec.CommandContext(ctx, script, args...)
	c.Env = arm.environment("")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("mariadb-install-db (Debian package mariadb-server): %w:\n%s", err, out)
	}
	srv, err := start(ctx, dir, arm)
	if err != nil {
		return "", err
	}
	_, err = srv.query(ctx, "CREATE DATABASE sbtest")
	if err == nil {
		err = unrecorded(ctx, srv, sysbenchArgs("oltp_read_only", 1, s.tables, s.tableSize, "prepare"))
	}
	return srv.Version, errors.Join(err, srv.stop())
}

// copyData gives a launch its own copy, and waits until it is on the disk: its half gigabyte of dirty pages would
// otherwise be written during the first runs.
func copyData(ctx context.Context, from, to string) error {
	if out, err := exec.CommandContext(ctx, "cp", "-a", "--reflink=auto", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w: %s", err, out)
	}
	syscall.Sync()
	return nil
}

// pack replaces the session's folder by one archive.
func pack(ctx context.Context, raw, session string) (string, error) {
	archive := filepath.Join(raw, session+".tar.xz")
	script := `set -o pipefail; tar --sort=name --owner=0 --group=0 --numeric-owner -C "$1" -cf - "$2" | xz -9e > "$3"`
	if out, err := exec.CommandContext(ctx, "bash", "-c", script, "pack", raw, session, archive+".part").CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("packing: %w: %s", err, out), os.Remove(archive+".part"))
	}
	if err := os.Rename(archive+".part", archive); err != nil {
		return "", err
	}
	return archive, os.RemoveAll(filepath.Join(raw, session))
}

//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tooManyFailures in a row mean that the machine or the server is broken, and an hour of empty logs helps nobody.
const tooManyFailures = 3

// session is one recording under way.
type session struct {
	settings
	stdout, stderr io.Writer
	plan           []Launch
	began          time.Time
	day            string
	host           Host
	folder, work   string // raw/<session>; the temporary folder
	total          int
	noPerf         bool
	// done counts recorded runs, skipped those that would have been profiled.
	done, skipped, failed, inARow int
	lowLoad, highLoad, steal      float64
}

// sessionFile is session.json; ended and complete are filled in at the end.
type sessionFile struct {
	Session         string   `json:"session"`
	Seed            uint64   `json:"seed"`
	Started         string   `json:"started"`
	Ended           string   `json:"ended"`
	Complete        bool     `json:"complete"`
	Host            string   `json:"host"`
	Kernel          string   `json:"kernel"`
	OS              string   `json:"os"`
	CPU             string   `json:"cpu"`
	Cores           int      `json:"cores"`
	MemoryBytes     int64    `json:"memory_bytes"`
	ServerVersion   string   `json:"server_version"`
	GlibcVersion    string   `json:"glibc_version"`
	SysbenchVersion string   `json:"sysbench_version"`
	PerfVersion     string   `json:"perf_version"`
	PerfOptions     string   `json:"perf_options"`
	ServerOptions   []string `json:"server_options"`
	WarmupSeconds   int      `json:"warmup_seconds"`
	Plan            []Run    `json:"plan"`
}

func (s *session) write(version string, complete bool) error {
	f := sessionFile{
		Session: s.session, Seed: s.seed, Started: s.began.Format(stamp), Complete: complete,
		Host: s.host.Hash, Kernel: s.host.Kernel, OS: s.host.OS, CPU: s.host.CPU, Cores: s.host.Cores, MemoryBytes: s.host.MemoryBytes,
		ServerVersion: version, GlibcVersion: s.host.Glibc, SysbenchVersion: s.host.Sysbench, PerfVersion: s.host.Perf,
		PerfOptions: strings.Join(perfArgs, " "), ServerOptions: serverOptions, WarmupSeconds: s.Warmup,
	}
	for _, l := range s.plan {
		f.Plan = append(f.Plan, l.Runs...)
	}
	if s.done > 0 || complete {
		f.Ended = time.Now().Format(stamp)
	}
	return writeJSON(filepath.Join(s.folder, "session.json"), f)
}

// record records one session and packs it.
func record(ctx context.Context, stdout, stderr io.Writer, set settings, plan []Launch, now time.Time) (err error) {
	s := &session{settings: set, stdout: stdout, stderr: stderr, plan: plan, began: now, day: now.Format("2006-01-02"),
		total: count(plan), lowLoad: math.Inf(1)}
	raw := filepath.Join(s.out, "raw")
	if s.host, err = readHost(ctx); err != nil {
		return err
	}
	for _, arm := range s.Arms {
		if _, err := preload(arm); err != nil {
			return err
		}
	}
	for program, debian := range map[string]string{"tar": "tar", "xz": "xz-utils", "bash": "bash", "mariadb": "mariadb-client", "mariadb-install-db": "mariadb-server"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s is not installed; it is in the Debian package %s", program, debian)
		}
	}
	if s.ProfileSeconds > 0 && s.host.Perf == "" {
		s.withoutPerf(errors.New("perf does not run (Debian package linux-perf)"))
	}
	temp, err := os.MkdirTemp("", "noisefloor-record-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if s.work, err = filepath.EvalSymlinks(temp); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "session %s, seed %d: %d runs, about %.0f minutes; preparing the data\n", s.session, s.seed, s.total,
		math.Ceil(s.Remaining(plan, 0).Minutes()))
	template := filepath.Join(s.work, "template")
	versions := map[string]bool{}
	for _, name := range s.templates() {
		version, err := prepare(ctx, set, s.arm(name), template+"-"+name)
		if err != nil {
			return fmt.Errorf("preparing the data for %s: %w", name, err)
		}
		versions[version] = true
	}
	version := strings.Join(slices.Sorted(maps.Keys(versions)), " ")
	if err := os.MkdirAll(raw, 0o755); err != nil {
		return err
	}
	s.folder = filepath.Join(raw, s.session)
	if err := os.Mkdir(s.folder, 0o755); err != nil {
		return err
	}
	if err := s.write(version, false); err != nil {
		return err
	}
	for _, l := range plan {
		if err = s.launch(ctx, template+"-"+s.templateOf(l.Arm), l); err != nil {
			err = fmt.Errorf("%s: %w", l.Dir(), err)
			break
		}
	}
	complete := err == nil && s.done+s.skipped == s.total
	err = errors.Join(err, s.write(version, complete))
	fmt.Fprintf(stdout, "recorded %d of %d runs, %d failed, %.1f minutes, load %.2f to %.2f, %.2f s stolen\n", s.done, s.total,
		s.failed, time.Since(s.began).Minutes(), s.lowLoad, s.highLoad, s.steal)
	if !complete || err != nil {
		return errors.Join(err, fmt.Errorf("the session is not complete; what is done is in %s", s.folder))
	}
	archive, err := pack(ctx, raw, s.session)
	if err != nil {
		return fmt.Errorf("the session is complete, in %s: %w", s.folder, err)
	}
	fmt.Fprintln(stdout, archive)
	return nil
}

// templates are the arms that need a data folder of their own: allocators share one, a server upgrades what an older one
// wrote.
func (s *session) templates() []string {
	if s.servers == "" {
		return s.Arms[:1]
	}
	return s.Arms
}

func (s *session) templateOf(arm string) string {
	if s.servers == "" {
		return s.Arms[0]
	}
	return arm
}

func (s *session) withoutPerf(err error) {
	s.noPerf = true
	fmt.Fprintf(s.stderr, "record: carrying on without profiles: %v\n", err)
}

// launch starts a server on fresh data, runs what is planned on it, and shuts it down.
func (s *session) launch(ctx context.Context, template string, l Launch) (err error) {
	data := filepath.Join(s.work, "data")
	if err := copyData(ctx, template, data); err != nil {
		return err
	}
	srv, err := start(ctx, data, s.arm(l.Arm))
	if err != nil {
		return err
	}
	var profiled []Run
	err = s.runs(ctx, srv, l, &profiled)
	err = errors.Join(err, srv.stop())
	for _, r := range profiled { // only now: folding takes a CPU
		if err != nil {
			break
		}
		if err := writeFolded(ctx, s.perfFile(r), filepath.Join(s.folder, l.Dir(), r.Stem()+".folded.gz")); err != nil {
			s.withoutPerf(err)
		}
	}
	return errors.Join(err, os.RemoveAll(data), os.RemoveAll(data+".tmp"))
}

func (s *session) perfFile(r Run) string { return filepath.Join(s.work, r.Stem()+".perf") }

func (s *session) runs(ctx context.Context, srv *Server, l Launch, profiled *[]Run) error {
	dir := filepath.Join(s.folder, l.Dir())
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	variables, err := srv.client(ctx, "--execute=SHOW GLOBAL VARIABLES")
	if err != nil {
		return err
	}
	hostname, err := os.Hostname()
	if err != nil {
		return err
	}
	variables = redactVariables(s.redact(variables), s.work, hostname, s.host.Hash)
	if err := os.WriteFile(filepath.Join(dir, "variables.tsv"), []byte(variables), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s: %s, malloc %q\n", l.Dir(), srv.Allocator, srv.Malloc)
	if s.Warmup > 0 {
		if err := unrecorded(ctx, srv, sysbenchArgs("oltp_read_only", warmupThreads, s.tables, s.tableSize, fmt.Sprintf("--time=%d", s.Warmup), "run")); err != nil {
			return fmt.Errorf("warm-up: %w", err)
		}
	}
	for _, r := range l.Runs {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped by a signal: %w", err)
		}
		stopPerf := func() error { return nil }
		if r.Profiled {
			if !s.noPerf {
				if stopPerf, err = startPerf(srv.command.Process.Pid, s.perfFile(r)); err != nil {
					s.withoutPerf(err)
				}
			}
			if s.noPerf {
				s.skipped++
				continue
			}
		}
		side, rate, err := s.measure(ctx, srv, l, r)
		if perfErr := stopPerf(); perfErr != nil {
			s.withoutPerf(perfErr)
		} else if r.Profiled {
			*profiled = append(*profiled, r)
		}
		if err != nil {
			return err
		}
		if err := s.book(ctx, l, r, side, rate); err != nil {
			return err
		}
	}
	return nil
}

// book counts a run and prints its line; the error ends the session.
func (s *session) book(ctx context.Context, l Launch, r Run, side Sidecar, rate string) error {
	s.done++
	s.steal += side.StealS
	s.lowLoad, s.highLoad = min(s.lowLoad, side.Load1Before), max(s.highLoad, side.Load1Before)
	kind := ""
	if r.Profiled {
		kind = " (profiled)"
	}
	fmt.Fprintf(s.stdout, "%d/%d  %-13s  %-15s  %2d threads  %9s tps  %s left%s\n", r.Order, s.total, l.Arm, r.Workload, r.Threads,
		rate, s.Remaining(s.plan, r.Order).Round(time.Second), kind)
	if side.ExitStatus == 0 {
		s.inARow = 0
		return nil
	}
	s.failed++
	s.inARow++
	if ctx.Err() != nil {
		return fmt.Errorf("stopped by a signal during run %d, whose log ends early (exit_status %d)", r.Order, side.ExitStatus)
	}
	fmt.Fprintf(s.stderr, "record: run %d failed with exit status %d; its log is kept: %s\n", r.Order, side.ExitStatus, r.Stem()+".log")
	if s.inARow >= tooManyFailures {
		return fmt.Errorf("%d runs in a row failed; read the last logs", s.inARow)
	}
	return nil
}

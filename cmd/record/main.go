//go:build linux

// Record measures MariaDB with sysbench under several memory allocators, or several servers against each other, and keeps
// every log, so that you have real runs to ask "is this change real?" of.
//
// It starts a MariaDB of its own in a temporary folder (unix socket only; nothing that runs already is touched), gives each
// arm the same number of launches in a random order within blocks, and writes one sysbench log and one JSON sidecar a run.
// The arm glibc-control is glibc under another name: whatever differs between it and glibc is noise.
//
//	go run ./cmd/record --dry-run    what would run, in which order, and how long it takes
//	go run ./cmd/record              one session, about an hour, into datasets/mariadb-allocators/raw/<session>.tar.xz
//	go run ./cmd/record --servers FOLDER --out datasets/mariadb-versions    the servers unpacked in FOLDER's subfolders
//
// Needs the Debian packages mariadb-server sysbench libjemalloc2 libtcmalloc-minimal4 (libtcmalloc-minimal4t64 in newer
// releases) xz-utils, and linux-perf for the profiles.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // under nohup the session outlives its terminal
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	if err := run(ctx, os.Stdout, os.Stderr, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "record:", err)
		}
		os.Exit(1)
	}
}

// busyLoad is the one-minute load average above which somebody else is using the machine: on an idle one it is below 0.1,
// and one busy process alone brings it to 1.
const busyLoad = 0.5

type settings struct {
	Design
	out, session   string
	servers        string
	tables         int
	tableSize      int
	seed           uint64
	busyOK, dryRun bool
}

func parse(stderr io.Writer, args []string) (settings, error) {
	var s settings
	var threads string
	f := flag.NewFlagSet("record", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.out, "out", "datasets/mariadb-allocators", "the data set's folder; the session goes to raw/ in it")
	f.StringVar(&s.session, "session", "", "name of the session (default: the date and the first free letter)")
	f.IntVar(&s.Seconds, "seconds", 25, "seconds a run")
	f.IntVar(&s.Warmup, "warmup", 10, "seconds of unrecorded warm-up a launch")
	f.StringVar(&threads, "threads", "1,2,4,8", "thread counts")
	f.IntVar(&s.tables, "tables", 4, "sysbench tables")
	f.IntVar(&s.tableSize, "table-size", 100000, "rows a table")
	f.IntVar(&s.Launches, "launches", 2, "server starts an arm, each in a block of its own")
	f.IntVar(&s.Sweeps, "sweeps", 2, "sweeps over workloads and threads a launch")
	f.Uint64Var(&s.seed, "seed", 0, "seed of the order (default: from the session's date and letter)")
	f.IntVar(&s.ProfileSeconds, "profile-seconds", 15, "seconds of each profiled run, 0 = no profiles")
	f.StringVar(&s.servers, "servers", "", "compare the servers unpacked in the subfolders of this folder, by version, instead of allocators")
	f.BoolVar(&s.busyOK, "busy-ok", false, "record although the machine is busy")
	f.BoolVar(&s.dryRun, "dry-run", false, "print the schedule and the minutes, run nothing")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	for _, word := range strings.Split(threads, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return s, fmt.Errorf("--threads: want counts such as 1,2,4,8, got %q", threads)
		}
		s.Threads = append(s.Threads, n)
	}
	if s.Seconds < 1 || s.Warmup < 0 || s.Launches < 1 || s.Sweeps < 1 || s.ProfileSeconds < 0 || s.tables < 1 || s.tableSize < 1 {
		return s, errors.New("seconds, launches, sweeps, tables and table-size are at least 1, warmup and profile-seconds at least 0")
	}
	s.Arms = allocators
	if s.servers != "" {
		folder, err := filepath.Abs(s.servers)
		if err != nil {
			return s, err
		}
		s.servers = folder
		if s.Arms, err = servers(folder); err != nil {
			return s, err
		}
	}
	if strings.ContainsAny(s.session, "/\\ ") || strings.HasPrefix(s.session, ".") {
		return s, fmt.Errorf("--session %q: want a plain name such as 2026-11-30a", s.session)
	}
	return s, nil
}

// arm is a level of the design with where its server is.
func (s settings) arm(name string) Arm {
	if s.servers == "" {
		return Arm{Name: name}
	}
	return Arm{Name: name, Base: filepath.Join(s.servers, name)}
}

// redact hides where the servers were unpacked.
func (s settings) redact(text string) string {
	if s.servers == "" {
		return text
	}
	return strings.ReplaceAll(text, s.servers, "$SERVERS")
}

func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	s, err := parse(stderr, args)
	if err != nil {
		return err
	}
	now := time.Now()
	raw := filepath.Join(s.out, "raw")
	if s.session == "" {
		if s.session, err = freeSession(raw, now); err != nil {
			return err
		}
	} else if taken(raw, s.session) {
		return fmt.Errorf("session %s is already in %s; sessions are never rewritten, choose another name", s.session, raw)
	}
	if s.seed == 0 {
		s.seed = defaultSeed(s.session, now)
	}
	plan := s.Design.Plan(s.seed)
	if s.dryRun {
		printPlan(stdout, s, plan)
		return nil
	}
	load, err := load1()
	if err != nil {
		return err
	}
	if load > busyLoad && !s.busyOK {
		return fmt.Errorf("load average is %.2f, above %.1f: something else is running and would be in every number; wait a minute, or say --busy-ok", load, busyLoad)
	}
	return record(ctx, stdout, stderr, s, plan, now)
}

func printPlan(w io.Writer, s settings, plan []Launch) {
	for _, l := range plan {
		fmt.Fprintf(w, "block %d  %s\n", l.Block, l.Dir())
		for _, r := range l.Runs {
			fmt.Fprintf(w, "  %s\n", r.Stem())
		}
	}
	fmt.Fprintf(w, "session %s, seed %d: %d launches, %d runs, about %.0f minutes\n", s.session, s.seed, len(plan),
		count(plan), math.Ceil(s.Design.Remaining(plan, 0).Minutes()))
}

func taken(raw, session string) bool {
	for _, name := range []string{session, session + ".tar.xz"} {
		if _, err := os.Lstat(filepath.Join(raw, name)); err == nil {
			return true
		}
	}
	return false
}

func freeSession(raw string, now time.Time) (string, error) {
	for letter := 'a'; letter <= 'z'; letter++ {
		if name := now.Format("2006-01-02") + string(letter); !taken(raw, name) {
			return name, nil
		}
	}
	return "", errors.New("all 26 sessions of today are taken; name one with --session")
}

// defaultSeed is the date and the number of the letter as one decimal, 2026113001 for 2026-11-30a: a second session of a
// day gets another order, and the number stays far below 2^53, which JSON readers keep exactly.
func defaultSeed(session string, now time.Time) uint64 {
	day, letter := now, uint64(0)
	if len(session) == len("2026-11-30a") {
		if t, err := time.Parse("2006-01-02", session[:10]); err == nil && session[10] >= 'a' && session[10] <= 'z' {
			day, letter = t, uint64(session[10]-'a')+1
		}
	}
	n, err := strconv.ParseUint(day.Format("20060102"), 10, 64)
	if err != nil {
		panic("record: " + err.Error()) // eight digits, until the year 10000
	}
	return n*100 + letter
}

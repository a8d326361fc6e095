//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"time"
)

var workloads = []string{"oltp_read_only", "oltp_read_write"}

const (
	warmupThreads  = 2
	profileThreads = 4
	// launchSeconds is what a launch costs beside its runs: copy, sync, start, shutdown, folding the profiles.
	launchSeconds = 9
	// runSeconds is what a run costs beside its time: connecting, the report.
	runSeconds = 0.1
)

// Design is what is run how often; Plan says in which order.
type Design struct {
	Arms                            []string
	Launches, Sweeps                int
	Threads                         []int
	Seconds, Warmup, ProfileSeconds int
}

// Launch is one start of the server and the runs on it.
type Launch struct {
	Number, Block int // from 1
	Arm           string
	Runs          []Run
}

// Run is one planned execution of sysbench.
type Run struct {
	Order    int    `json:"order"` // from 1, through the session
	Launch   int    `json:"launch"`
	Block    int    `json:"block"`
	Arm      string `json:"arm"`
	Sweep    int    `json:"sweep"` // a profiled run has the number after the last sweep
	Workload string `json:"workload"`
	Threads  int    `json:"threads"`
	Seconds  int    `json:"seconds"`
	Profiled bool   `json:"profiled"`
}

func (l Launch) Dir() string { return fmt.Sprintf("launch%02d-%s", l.Number, l.Arm) }

// Stem is the name of the run's files without their endings.
func (r Run) Stem() string {
	part := fmt.Sprintf("sweep%d", r.Sweep)
	if r.Profiled {
		part = "profile"
	}
	return fmt.Sprintf("%03d_%s_%dth_%s", r.Order, r.Workload, r.Threads, part)
}

// Plan orders the session: each block holds every arm once in random order, so that a drift of the machine meets all arms
// alike; each sweep holds every workload and thread count once in random order. Profiled runs come last in a launch,
// because perf slows what it watches. The same seed gives the same order.
func (d Design) Plan(seed uint64) []Launch {
	rng := rand.New(rand.NewPCG(seed, 0))
	var plan []Launch
	order := 0
	for block := 1; block <= d.Launches; block++ {
		for _, a := range rng.Perm(len(d.Arms)) {
			l := Launch{Number: len(plan) + 1, Block: block, Arm: d.Arms[a]}
			add := func(r Run) {
				order++
				r.Order, r.Launch, r.Block, r.Arm = order, l.Number, block, l.Arm
				l.Runs = append(l.Runs, r)
			}
			for sweep := 1; sweep <= d.Sweeps; sweep++ {
				for _, cell := range rng.Perm(len(workloads) * len(d.Threads)) {
					add(Run{Sweep: sweep, Workload: workloads[cell/len(d.Threads)], Threads: d.Threads[cell%len(d.Threads)], Seconds: d.Seconds})
				}
			}
			if d.ProfileSeconds > 0 {
				for _, w := range rng.Perm(len(workloads)) {
					add(Run{Sweep: d.Sweeps + 1, Workload: workloads[w], Threads: profileThreads, Seconds: d.ProfileSeconds, Profiled: true})
				}
			}
			plan = append(plan, l)
		}
	}
	return plan
}

func count(plan []Launch) (n int) {
	for _, l := range plan {
		n += len(l.Runs)
	}
	return n
}

// Remaining is the time that is planned after the first done runs.
func (d Design) Remaining(plan []Launch, done int) time.Duration {
	seconds := 0.0
	for _, l := range plan {
		for i, r := range l.Runs {
			if r.Order <= done {
				continue
			}
			if i == 0 {
				seconds += launchSeconds + float64(d.Warmup)
			}
			seconds += float64(r.Seconds) + runSeconds
		}
	}
	return time.Duration(seconds * float64(time.Second))
}

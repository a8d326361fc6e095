// Package datasets says what a run, an interval, a histogram bucket, a setting
// and a problem are, and keeps them as a folder that any Arrow reader opens.
// It is the seam between ingest, which writes rows, and analysis, which reads
// them; neither knows the other.
package datasets

import (
	"math"
	"time"

	"noisefloor/datasets/unit"
)

// Status says how a run ended. Only Complete runs feed verdicts.
type Status string

const (
	Complete         Status = "complete"
	FatalWithSummary Status = "fatal-with-summary"
	ForcedShutdown   Status = "forced-shutdown"
	Truncated        Status = "truncated"
	FailedToStart    Status = "failed-to-start"
	HelpText         Status = "help-text"
	Empty            Status = "empty"
)

// UpdateOrInsert is the workload of a run of which no more is known than that it
// wrote once a transaction.
const UpdateOrInsert = "update or insert"

// Role says what a column of runs is for.
type Role string

const (
	Key       Role = "key"       // identity and provenance
	Factor    Role = "factor"    // describes a run: version, allocator, threads
	Condition Role = "condition" // a factor that is not the change itself: host, kernel, memory
	Metric    Role = "metric"    // measured: tps, latency_avg
)

// Column describes one factor or metric column of runs beyond the built-in
// ones. It travels as field metadata.
type Column struct {
	Name  string
	Kind  Kind
	Role  Role
	Unit  unit.Unit // metrics only
	Guess string    // how a factor was found, in words: "path segment 1", "metadata"; "" if declared
}

// Run is one execution of the load generator: one row of the table runs.
// Unknown text is "", an unknown count is 0, an unknown number is NaN; all
// three are null in the file.
type Run struct {
	ID          string // 16 hex of SHA-256 over the run's own decompressed bytes
	Source      string // relative to the PATH given, "/" between, archive members after "!"
	Part        int    // n-th run in the file, from 1
	SHA256      string // of the source file, decompressed
	Tool        string
	ToolVersion string
	Workload    string
	Status      Status
	Threads     int
	Clients     int
	Duration    float64 // seconds
	Host        string
	Session     string
	Day         string // "" = unknown
	Launch      string
	Order       int       // place in the session's running order, from 1
	Started     time.Time // zero = unknown
	StartedFrom string    // log, name, sidecar, side-file, mtime

	Factors map[string]Value   // by column name
	Metrics map[string]float64 // by column name, base units
}

// Value gives a built-in column or a factor of the run by name; null when the
// run has none.
func (r *Run) Value(name string) Value {
	text := func(s string) Value {
		if s == "" {
			return Value{}
		}
		return Text(s)
	}
	count := func(n int) Value {
		if n == 0 {
			return Value{}
		}
		return Int(int64(n))
	}
	switch name {
	case "run_id":
		return text(r.ID)
	case "source":
		return text(r.Source)
	case "part":
		return count(r.Part)
	case "sha256":
		return text(r.SHA256)
	case "tool":
		return text(r.Tool)
	case "tool_version":
		return text(r.ToolVersion)
	case "workload":
		return text(r.Workload)
	case "status":
		return text(string(r.Status))
	case "threads":
		return count(r.Threads)
	case "clients":
		return count(r.Clients)
	case "duration_s":
		return Float(r.Duration)
	case "host":
		return text(r.Host)
	case "session":
		return text(r.Session)
	case "day":
		return text(r.Day)
	case "launch":
		return text(r.Launch)
	case "order":
		return count(r.Order)
	case "started_at":
		if r.Started.IsZero() {
			return Value{}
		}
		return Text(r.Started.UTC().Format(time.RFC3339Nano))
	case "started_from":
		return text(r.StartedFrom)
	}
	return r.Factors[name]
}

// Metric gives a metric of the run by name; NaN when the run has none.
func (r *Run) Metric(name string) float64 {
	if v, ok := r.Metrics[name]; ok {
		return v
	}
	return math.NaN()
}

// Interval is one report line inside a run. NaN is null.
type Interval struct {
	RunID       string
	T           float64 // seconds since the start of the run
	Threads     float64 // running threads
	TPS         float64
	QPS         float64
	Reads       float64 // per second, like all rates here
	Writes      float64
	Other       float64
	LatencyPct  float64 // seconds, at Percentile
	Percentile  float64 // 95 for p95
	Errors      float64 // per second
	Reconnects  float64 // per second
	QueueLength float64
	Concurrency float64
}

// Bucket is one latency bucket of a run's histogram.
type Bucket struct {
	RunID string
	Value float64 // seconds: the centre, in log, of the bucket
	Count int64
}

// Stack is what one event of a profile found in one distinct call stack of a
// run, in one command.
type Stack struct {
	RunID   string
	Event   string   // "cycles", "cpu-clock:u"; "" where the profile does not say
	Comm    string   // name of the thread or process; "" where the profile does not say
	Frames  []string // root first
	Weight  float64  // in the unit of the event: cycles, nanoseconds, or samples
	Samples float64  // NaN where only weights are known
}

// Counter is one event that was counted over a run, as perf stat prints it.
type Counter struct {
	RunID      string
	Event      string  // "instructions", "cycles:u", "tma_retiring"
	Value      float64 // NaN: not counted
	Unit       string  // "s", "%", "Joules"; "" for a plain count
	RunningPct float64 // 100 = counted all the time, less = scaled up from that share
	Scope      string  // "" for all of it, else "CPU0", "S0-D0-C0", "mariadbd-4711", a cgroup, or what the server counted: ServerScope, ...
	Variance   float64 // relative standard error of the mean over repeats: 0.01 = 1 %; NaN: one repeat
}

// Scopes of what a server counted itself, which is neither all nor a part of what
// perf counts beside it.
const (
	ServerScope        = "server" // SHOW GLOBAL STATUS
	InnoDBScope        = "InnoDB status"
	InnoDBMetricsScope = "InnoDB metrics"

	// SeveralRuns ends the scope of what was counted over several runs together, each
	// of which has it: it says what these did, and nothing of one of them.
	SeveralRuns = ", several runs"
)

// Wait is how often and how long the sessions of a run waited for one event.
type Wait struct {
	RunID       string
	Event       string
	Count       float64
	Sum         float64 // seconds, over all sessions; NaN = waited for, but nobody knows how long
	AvgSessions float64 // sum / wall time: how many sessions waited on average
}

// TableSource is the source of samples from a table of intervals.
const TableSource = "table"

// SteadyFrom is the metric of runs whose report lines are cut already: how many
// seconds of them were left out.
const SteadyFrom = "steady_from_s"

// Sample is one value of a time series beside the report lines of a run.
type Sample struct {
	RunID  string
	T      float64 // seconds since the start of the run, or of the series if that is unknown
	Source string  // the tool: "perf stat", "mpstat"
	Metric string
	Value  float64
}

// Setting is one variable of a run or of a server.
type Setting struct {
	RunID  string // "" when it belongs to no single run
	Source string
	Name   string
	Value  string
}

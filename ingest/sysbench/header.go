package sysbench

import (
	"bytes"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/digits"
)

// version reads the line that starts a run. The version does not tell the form
// of the lines that follow: "sysbench 1.0:" logs have the lines of 0.5.
//
//	sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)
//	sysbench 1.1.0-df89d34 (using system LuaJIT 2.1.0-beta3)
//	sysbench 0.4.12:  multi-threaded system evaluation benchmark
func (s *scan) version(b []byte) verdict {
	v, ok := versionOf(b)
	if !ok {
		return foreign
	}
	s.strong, s.worded = true, true
	if !s.nextClient() {
		s.begin()
	}
	s.run.Version = v
	return mine
}

func versionOf(b []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(b, []byte("sysbench "))
	if !ok {
		return "", false
	}
	v, rest, _ := bytes.Cut(rest, []byte(" "))
	rest = bytes.TrimSpace(rest)
	if len(v) == 0 || v[0]-'0' > 9 {
		return "", false
	}
	luajit := (bytes.HasPrefix(rest, []byte("(using bundled LuaJIT ")) || bytes.HasPrefix(rest, []byte("(using system LuaJIT "))) &&
		bytes.HasSuffix(rest, []byte(")"))
	if !luajit && string(rest) != "multi-threaded system evaluation benchmark" {
		return "", false
	}
	return string(bytes.TrimSuffix(v, []byte(":"))), true
}

// running reads the title of the option block. It belongs to the version line
// before it; without one it starts a run itself.
func (s *scan) running() verdict {
	s.strong, s.worded = true, true
	if s.belongs() != mine || s.header || s.rows > 0 || s.seen != 0 {
		s.begin()
	}
	s.header = true
	return mine
}

// threads reads "Number of threads: 16", the only key that every run has.
func (s *scan) threads(b, val []byte) verdict {
	n, size, decimals := digits.Fixed(val, 0)
	if size != len(val) || decimals > 0 || s.torn {
		return s.broken(b)
	}
	if s.belongs() != mine || s.rows > 0 || s.seen != 0 || s.run.Threads != 0 {
		s.begin()
	}
	s.run.Threads = int(n)
	return mine
}

// phrases are lines that are known by how they start and have nothing to read
// but, here and there, a hint at the test or at how far the run came.
var phrases = []struct {
	start    string
	workload string
	means    meaning
}{
	{start: "Threads started!", means: starts},
	{start: "Initializing worker threads..."},
	{start: "Warming up for "},
	{start: "Done."},
	{start: "Time limit exceeded, exiting..."},
	{start: "Event limit exceeded, exiting..."},
	{start: "Initializing random number generator from "},
	{start: "Random number generator seed is 0 and will be ignored"},
	{start: "No DB drivers specified, using "},
	{start: "value  ------------- distribution ------------- count"},

	{start: "Usage:"},
	{start: "invalid option: ", means: fails}, // sysbench 1.0 prints this without FATAL
	{start: "LUA PANIC", means: fails},
	{start: "PANIC: unprotected error in call to Lua API", means: fails},

	{start: "Doing CPU performance benchmark", workload: "cpu"},
	{start: "Running memory speed test with the following options", workload: "memory"},
	{start: "Doing memory operations speed test", workload: "memory"},
	{start: "Doing thread subsystem performance test", workload: "threads"},
	{start: "Thread yields per test: ", workload: "threads"},
	{start: "Doing mutex performance test", workload: "mutex"},
	{start: "Merging requests ", workload: "fileio"},
	{start: "Block size "},
	{start: "Number of IO requests: "},
	{start: "Number of random requests for random IO: "},
	{start: "Read/Write ratio for combined random IO test: "},
	{start: "Periodic FSYNC enabled, calling fsync() each "},
	{start: "Calling fsync() "},
	{start: "Using synchronous I/O mode"},
	{start: "Using asynchronous I/O mode"},
	{start: "Using fast mmap I/O mode"},
	{start: "Using slow mmap I/O mode"},
	{start: "Using checksums validation."},
	{start: "Doing sequential "},
	{start: "Doing random "},
	{start: "Doing OLTP test.", workload: "oltp"},
	{start: "Running simple OLTP test"},
	{start: "Running mixed OLTP test"},
	{start: "Running non-transactional"},
	{start: "Running stored procedure"},
	{start: "Doing read-only test"},
	{start: "Doing write-only test"},
	{start: "Using Uniform distribution"},
	{start: "Using Gaussian distribution"},
	{start: "Using Special distribution"},
	{start: "Using Pareto distribution"},
	{start: "Skipping BEGIN/COMMIT"},
	{start: `Using "BEGIN" for starting transactions`},
	{start: `Using "LOCK TABLES `},
	{start: "Using auto_inc on the id column"},
	{start: "Not using auto_inc on the id column"},
	{start: "Maximum number of requests for OLTP test is limited to "},

	{start: "Creating table ", means: prepares},
	{start: "Creating tables: ", means: prepares},
	{start: "Creating a secondary index on ", means: prepares},
	{start: "Creating secondary indexes on ", means: prepares},
	{start: "Creating files for the test...", means: prepares},
	{start: "Creating file ", means: prepares},
	{start: "Extra file open flags: ", workload: "fileio"},
	{start: "Reusing existing file ", means: prepares},
	{start: "Preallocating ", means: prepares},
	{start: "Inserting ", means: prepares},
	{start: "Dropping table ", means: prepares},
	{start: "Removing test files...", means: prepares},
	{start: "Preloading table ", means: prepares},
	{start: "Prewarming table ", means: prepares},
	{start: "adding indexes ", means: prepares},
	{start: "loading tables: ", means: prepares},
	{start: "waiting on tables ", means: prepares},
}

type meaning int8

const (
	nothing meaning = iota
	starts
	fails
	prepares
)

func (s *scan) phrase(b []byte) verdict {
	if v := s.option(b); v != foreign {
		return v
	}
	// "cpu options:", of sysbench cpu help, comes right behind the version line.
	if usage(b) || s.untouched() && bytes.HasSuffix(b, []byte(" options:")) && bytes.Count(b, []byte(" ")) == 1 {
		return s.helped()
	}
	if bytes.HasPrefix(b, []byte("Read ")) && bytes.Contains(b, []byte("  Total transferred ")) {
		return s.transferred(b)
	}
	for i := range phrases {
		p := &phrases[i]
		if b[0] != p.start[0] || len(b) < len(p.start) || string(b[:len(p.start)]) != p.start {
			continue
		}
		s.mode(b)
		s.saying = "" // "(last message repeated" would mean this line
		switch {
		case p.means == fails:
			return s.failed(b)
		case s.belongs() != mine:
		case p.means == starts:
			s.started = true
		case p.means == prepares:
			s.prepared = true
		case p.workload != "":
			s.names(p.workload)
		}
		return s.belongs()
	}
	return foreign
}

// names tells the test of the open run, if no command line has.
func (s *scan) names(workload string) {
	if s.run.Workload == "" {
		s.run.Workload = workload
	}
}

// option reads the lines of the option block that have no colon.
//
//	Report intermediate results every 1 second(s)
//	Report checkpoint(s) at 2, 4 seconds
//	Forcing shutdown in 160 seconds
//	Initializing random number generator from seed (42).
//	Debug mode enabled.
//	Additional request validation enabled.
func (s *scan) option(b []byte) verdict {
	between := func(before, after string) ([]byte, bool) {
		val, ok := bytes.CutPrefix(b, []byte(before))
		if !ok {
			return nil, false
		}
		return bytes.CutSuffix(val, []byte(after))
	}
	set := func(name string, v datasets.Value) verdict {
		if s.belongs() == mine {
			s.run.Options[name] = v
		}
		return s.belongs()
	}
	if val, ok := between("Report intermediate results every ", " second(s)"); ok {
		if v, size, _ := digits.Fixed(val, 0); size == len(val) && v > 0 && s.belongs() == mine {
			s.step, s.said = v, true
		}
		return set("report_interval_s", typed(val))
	}
	if val, ok := between("Report checkpoint(s) at ", " seconds"); ok {
		return set("checkpoints", datasets.Text(string(val)))
	}
	if val, ok := between("Forcing shutdown in ", " seconds"); ok {
		return set("forced_shutdown_s", typed(val))
	}
	if val, ok := between("Initializing random number generator from seed (", ")."); ok {
		return set("seed", typed(val))
	}
	switch string(b) {
	case "Debug mode enabled.":
		return set("debug", datasets.Bool(true))
	case "Additional request validation enabled.":
		return set("validate", datasets.Bool(true))
	}
	return foreign
}

// headed reads the lines of the option block that have a colon.
//
//	Running the test with following options:
//	Number of threads: 16
//	Warmup time: 10s
//	Target transaction rate: 100/sec, with jitter 20 usec
//	Validation checks: on.
//	Prime numbers limit: 10000
//	block size: 1KiB
func (s *scan) headed(b, key, val []byte) verdict {
	switch string(key) {
	case "Running the test with following options", "Running the test with the following options":
		return s.running()
	case "Number of threads":
		return s.threads(b, val)
	case "Warmup time":
		if s.belongs() == mine && bytes.HasSuffix(val, []byte("s")) {
			s.run.Options["warmup_s"] = typed(val[:len(val)-1])
		}
	case "Target transaction rate":
		if rate, _, ok := bytes.Cut(val, []byte("/sec")); ok && s.belongs() == mine {
			s.run.Options["rate"] = typed(rate)
		}
	case "Validation checks":
		if s.belongs() == mine {
			s.run.Options["validate"] = datasets.Bool(true)
		}
	case "Prime numbers limit", "Primer numbers limit", "Maximum prime number checked in CPU test":
		if s.belongs() == mine && !s.torn {
			s.run.Options["cpu_max_prime"] = typed(val)
		}
		return s.hint("cpu")
	case "Memory block size", "Memory transfer size", "Memory operations type", "Memory scope type":
		s.hint("memory")
		return s.memory(key, val)
	case "block size", "total size", "operation", "scope":
		if s.belongs() != mine || !strings.HasPrefix(s.run.Workload, "memory") {
			return foreign
		}
		return s.memory(key, val)
	default:
		return foreign
	}
	return s.belongs()
}

// memory reads how the memory test goes about it.
func (s *scan) memory(key, val []byte) verdict {
	if s.belongs() != mine || s.torn {
		return s.belongs()
	}
	switch words := bytes.Fields(key); string(words[len(words)-1]) {
	case "size":
		name := "memory_block_size"
		if string(key) == "total size" || string(key) == "Memory transfer size" {
			name = "memory_total_size"
		}
		s.run.Options[name] = datasets.Text(string(val))
	case "operation", "type":
		if bytes.Contains(key, []byte("scope")) {
			s.run.Options["memory_scope"] = datasets.Text(string(val))
			break
		}
		if mode := string(val); mode == "read" || mode == "write" || mode == "none" {
			s.refine("memory", mode)
		}
	case "scope":
		s.run.Options["memory_scope"] = datasets.Text(string(val))
	}
	return mine
}

func (s *scan) hint(workload string) verdict {
	if s.belongs() == mine {
		s.names(workload)
	}
	return s.belongs()
}

// usage tells the first line of the help text, which is what old scripts with
// removed options (--test, --max-time) have in their logs.
//
//	Usage: sysbench [general-options]... --test=<test-name> [test-options]... command
//	Usage:
//	  sysbench [options]... [testname] [command]
func usage(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("Usage:")), " ")
	return bytes.HasPrefix(b, []byte("sysbench [")) || bytes.HasPrefix(b, []byte("sysbench --test=<test-name>"))
}

func (s *scan) helped() verdict {
	s.strong = true
	if s.belongs() != mine || s.started || s.rows > 0 || s.seen != 0 {
		s.begin()
	}
	s.help = true
	return mine
}

// untouched tells whether the open run has its version line and nothing more.
func (s *scan) untouched() bool {
	return s.belongs() == mine && !s.header && !s.started && s.rows == 0 && s.seen == 0
}

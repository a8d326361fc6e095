package sysbench

import (
	"bytes"
	"math"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/digits"
)

// A section is a part of the summary; its title tells what "min:" or "total:"
// below it means, and nothing else does, since the indentation may be lost.
type section int8

const (
	noSection section = iota
	sqlSection
	queriesSection
	generalSection
	throughputSection
	latencySection
	bareLatencySection // "Latency (ms)": numbers without unit
	fairnessSection
	cpuSection
	fileSection
	histogramSection
)

// sectionOf gives the section of a title and whether it is so peculiar that it
// may start a run: a summary that was pasted without the lines before it.
func sectionOf(title []byte) (sec section, starts bool) {
	switch string(title) {
	case "SQL statistics", "OLTP test statistics":
		return sqlSection, true
	case "queries performed":
		return queriesSection, false
	case "General statistics", "Test execution summary":
		return generalSection, true
	case "Throughput":
		return throughputSection, false
	case "response time", "per-request statistics", "Latency statistics":
		return latencySection, false
	case "Latency (ms)":
		return bareLatencySection, false
	case "Threads fairness":
		return fairnessSection, false
	case "CPU speed":
		return cpuSection, true
	case "File operations":
		return fileSection, true
	}
	return noSection, false
}

// enter reads the title of a section. A section that comes twice, or one after
// the end of the summary, is the next run's.
func (s *scan) enter(sec section, starts bool) verdict {
	s.query = 0
	again := s.seen&(1<<sec) != 0
	switch {
	case s.belongs() != mine:
		if !starts {
			return foreign
		}
		s.begin()
	case s.checkpoint && (s.checkpointDone || again):
		s.leaveCheckpoint()
	case !s.checkpoint && again:
		s.begin()
	}
	s.seen |= 1 << sec
	s.section = sec
	switch sec {
	case sqlSection:
		s.strong = true
	case cpuSection:
		s.names("cpu")
	case fileSection:
		s.names("fileio")
	}
	return mine
}

// checkpointed reads "[ 2s ] Checkpoint report:", after which comes a summary
// that is not the last.
func (s *scan) checkpointed(t float64) verdict {
	if s.belongs() != mine {
		s.begin()
	}
	if s.checkpoint {
		s.leaveCheckpoint()
	}
	s.started, s.checkpoint, s.checkpointDone, s.seen, s.section = true, true, false, 0, noSection
	s.checkpoints++
	s.run.Options["last_checkpoint_s"] = datasets.Float(t)
	return mine
}

func (s *scan) leaveCheckpoint() {
	if s.checkpointDone {
		s.segments.fold()
	}
	s.segments.at = nil
	s.checkpoint, s.checkpointDone, s.seen, s.section = false, false, 0, noSection
}

// keyed reads "key: value" lines.
//
//	sysbench 0.4, 0.5                               1.0                               1.1
//	OLTP test statistics:                           SQL statistics:                   SQL statistics:
//	    queries performed:                              queries performed:                queries performed:
//	        read:              2026289                      read:     784952                  read:     3603894
//	    transactions:  2026289 (33769.40 per sec.)      transactions: 56068 (186.89 per sec.)
//	    deadlocks:           0 (0.00 per sec.)          queries:  1121360 (3737.81 per sec.)
//	    read/write requests: 2026289 (33769.40 per sec.)
//	    other operations:  2026289 (33769.40 per sec.)  ignored errors: 0 (0.00 per sec.)
//	Test execution summary:                         General statistics:               Throughput:
//	    total time:          60.0037s                   total time:  300.0038s            events/s (eps):  143.0086
//	    total number of events: 2026289                 total number of events: 56068     time elapsed:  1800.0389s
//	    total time taken by event execution: 7675.6435                                    total number of events: 257421
//	    per-request statistics:                     Latency (ms):                     Latency (ms):
//	         min:              1.20ms                    min:          4.42                min:          7.39
//	         approx.  95 percentile: 7.86ms              95th percentile: 6.79             95th percentile: 68.05
//	                                                     sum:     299950.61                sum:    7458185.25
//	Threads fairness:                               Threads fairness:                 Threads fairness:
//	    events (avg/stddev):   15830.3828/69.09         events (avg/stddev): 56068.0000/0.00
//	    execution time (avg/stddev): 59.9660/0.00       execution time (avg/stddev): 299.9506/0.00
func (s *scan) keyed(b []byte) verdict {
	key, val, ok := bytes.Cut(b, []byte(":"))
	if !ok {
		if bytes.HasPrefix(b, []byte("Latency histogram (values are in milliseconds)")) && s.belongs() == mine {
			return s.enter(histogramSection, false)
		}
		return foreign
	}
	val = bytes.TrimLeft(val, " \t")
	if len(val) == 0 {
		if sec, starts := sectionOf(key); sec != noSection {
			return s.enter(sec, starts)
		}
	}
	if v := s.headed(b, key, val); v != foreign {
		return v
	}
	switch string(key) {
	case "transactions":
		return s.countRate(b, val, "transactions", "tps")
	case "queries":
		return s.countRate(b, val, "queries", "qps")
	}
	if s.belongs() != mine {
		return foreign
	}
	switch string(key) {
	case "ignored errors", "deadlocks":
		return s.countRate(b, val, "errors", "errors_per_s")
	case "reconnects":
		return s.countRate(b, val, "reconnects", "reconnects_per_s")
	case "read/write requests":
		return s.countRate(b, val, "requests", "requests_per_s")
	case "other operations":
		return s.countRate(b, val, "other", "other_per_s")
	case "total time", "time elapsed":
		return s.value(b, val, 0, 4, "s", maxSeconds, "duration_s")
	case "total number of events":
		return s.count(b, val, "events")
	case "total time taken by event execution":
		return s.value(b, val, 0, 4, "s", maxSeconds, "latency_sum")
	case "events/s (eps)":
		return s.value(b, val, 0, 4, "", maxRate, "eps")
	case "events per second":
		return s.value(b, val, 0, 2, "", maxRate, "eps")
	case "events (avg/stddev)":
		s.strong = true
		return s.pair(b, val, "fairness_events_avg", "fairness_events_sd")
	case "execution time (avg/stddev)":
		v := s.pair(b, val, "fairness_time_avg", "fairness_time_sd")
		if v == mine {
			s.checkpointDone = s.checkpoint
			s.finished = !s.checkpoint
		}
		return v
	case "Number of unfinished transactions on forced shutdown":
		s.forced = true
		return s.count(b, val, "unfinished_transactions")
	case "reads/s", "writes/s", "fsyncs/s":
		return s.value(b, val, 0, 2, "", maxRate, string(key[:len(key)-2])+"_per_s")
	case "percentile stats": // disabled
		return mine
	case "Total operations", "Operations performed":
		return s.operations(b, val)
	}
	switch s.section {
	case queriesSection:
		switch string(key) {
		case "read":
			return s.count(b, val, "reads")
		case "write":
			return s.count(b, val, "writes")
		case "other":
			return s.count(b, val, "other")
		case "total":
			return s.count(b, val, "queries")
		}
	case throughputSection:
		switch string(key) {
		case "read, MiB/s":
			return s.mebibytes(b, val, "read_bytes_per_s")
		case "written, MiB/s":
			return s.mebibytes(b, val, "written_bytes_per_s")
		case "read", "write", "fsync":
			return s.iops(b, key, val)
		}
	case latencySection, bareLatencySection:
		switch string(key) {
		case "min":
			return s.latency(b, val, "latency_min")
		case "avg":
			return s.latency(b, val, "latency_avg")
		case "max":
			return s.latency(b, val, "latency_max")
		case "sum":
			return s.latency(b, val, "latency_sum")
		}
		return s.percentile(b, key, val)
	}
	return foreign
}

// numeric reads the lines of a summary that start with a digit.
//
//	95th percentile:                        6.79
//	       0.218 |**                                       103
//	2404.67 MiB transferred (1196.88 MiB/sec)
//	128 files, 24Mb each
//	64MiB total file size
//	223.51 Requests/sec executed
func (s *scan) numeric(b []byte) verdict {
	if s.belongs() != mine {
		return foreign
	}
	if s.section == histogramSection {
		if v := s.bucket(b); v != foreign {
			return v
		}
	}
	_, size, _ := number(b, 0)
	rest := bytes.TrimLeft(b[size:], blanks)
	switch {
	case bytes.Contains(rest, []byte("percentile:")):
		return s.keyed(b)
	case bytes.HasPrefix(rest, []byte("MiB transferred (")), bytes.HasPrefix(rest, []byte("MB transferred (")):
		_, rate, _ := bytes.Cut(rest, []byte("("))
		v, size, _ := number(rate, 0)
		if size == 0 || !bytes.HasSuffix(rate, []byte("B/sec)")) {
			return s.broken(b)
		}
		s.names("memory")
		s.limited(b, "bytes_per_s", v*mebibyte, maxRate)
		return mine
	case string(rest) == "Requests/sec executed":
		s.names("fileio")
		v, _, _ := number(b, 0)
		s.limited(b, "requests_per_s", v, maxRate)
		return mine
	case bytes.HasPrefix(rest, []byte("files, ")), bytes.HasSuffix(rest, []byte(" total file size")):
		s.names("fileio")
		return mine
	}
	return foreign
}

// bucket reads a row of the histogram. value is the centre, on the log scale, of
// one of 1024 buckets.
func (s *scan) bucket(b []byte) verdict {
	v, size, _ := digits.Fixed(b, 3)
	rest := bytes.TrimLeft(b[size:], blanks)
	if size == 0 || len(rest) == 0 || rest[0] != '|' {
		return foreign
	}
	rest = bytes.TrimLeft(rest[1:], "*"+blanks)
	n, size, decimals := digits.Fixed(rest, 0)
	if size == 0 || size != len(rest) || decimals > 0 || s.torn {
		return s.broken(b)
	}
	s.run.Buckets = append(s.run.Buckets, datasets.Bucket{Value: v, Count: int64(n)})
	return mine
}

// put keeps a metric of the run, or of the checkpoint at hand.
func (s *scan) put(name string, v float64) {
	to := s.run.Metrics
	if s.checkpoint {
		if s.segments.at == nil {
			s.segments.at = map[string]float64{}
		}
		to = s.segments.at
	}
	to[name] = v
}

// blanks are what may stand between numbers: copies turn them into tabs.
const blanks = " \t"

// limited keeps a metric that can be true, and NaN for one that cannot.
func (s *scan) limited(b []byte, name string, v, limit float64) {
	if !(v >= 0 && v <= limit) {
		s.note(KindWrapped, b)
		v = math.NaN()
	}
	s.put(name, v)
}

// value reads a number and its unit. Where the unit is missing, a number that
// may have been cut must have all its decimals.
func (s *scan) value(b, val []byte, shift, decimals int, unit string, limit float64, name string) verdict {
	v, size, had := number(val, shift)
	switch rest := string(val[size:]); {
	case size == 0, rest != "" && rest != unit:
		return s.broken(b)
	case rest == "" && s.torn && (unit != "" || had != decimals):
		return s.broken(b)
	}
	s.limited(b, name, v, limit)
	return mine
}

// latency reads "4.42" (milliseconds, by the title), "1.20ms" or "0.0012s".
func (s *scan) latency(b, val []byte, name string) verdict {
	switch {
	case bytes.HasSuffix(val, []byte("ms")):
		return s.value(b, val, 3, 2, "ms", maxSeconds, name)
	case bytes.HasSuffix(val, []byte("s")):
		return s.value(b, val, 0, 4, "s", maxSeconds, name)
	case s.section == bareLatencySection:
		return s.value(b, val, 3, 2, "", maxSeconds, name)
	}
	return s.broken(b)
}

// percentile reads "95th percentile", "approx.  95 percentile" and
// "approx.  95th percentile".
func (s *scan) percentile(b, key, val []byte) verdict {
	key = bytes.TrimLeft(bytes.TrimPrefix(key, []byte("approx.")), blanks)
	_, size, decimals := digits.Fixed(key, 0)
	word := string(bytes.TrimPrefix(key[size:], []byte("th")))
	if size == 0 || decimals > 0 || word != " percentile" {
		return foreign
	}
	return s.latency(b, val, "latency_p"+string(key[:size]))
}

// count reads a whole number. A 32-bit counter of old versions wraps below zero.
func (s *scan) count(b, val []byte, name string) verdict {
	v, size, decimals := number(val, 0)
	if size == 0 || size != len(val) || decimals > 0 || s.torn {
		return s.broken(b)
	}
	s.limited(b, name, v, maxRate)
	return mine
}

// countRate reads "56068 (186.89 per sec.)". As the one line that people cut out
// of a log, "transactions:" or "queries:", it may start a run.
func (s *scan) countRate(b, val []byte, count, rate string) verdict {
	n, size, decimals := number(val, 0)
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(val[size:], blanks), []byte("("))
	perSec, rateSize, _ := number(bytes.TrimLeft(rest, blanks), 0)
	tail := string(bytes.TrimLeft(rest, blanks)[rateSize:])
	if size == 0 || decimals > 0 || !ok || rateSize == 0 || tail != " per sec.)" {
		if s.belongs() == mine {
			return s.broken(b)
		}
		return foreign
	}
	if _, again := s.run.Metrics[rate]; s.belongs() != mine || again && !s.checkpoint {
		s.begin()
	}
	s.limited(b, count, n, maxRate)
	s.limited(b, rate, perSec, maxRate)
	return mine
}

// pair reads "56068.0000/0.00".
func (s *scan) pair(b, val []byte, avg, sd string) verdict {
	v, size, _ := number(val, 0)
	rest, ok := bytes.CutPrefix(val[size:], []byte("/"))
	w, n, decimals := number(rest, 0)
	if size == 0 || !ok || n == 0 || n != len(rest) || s.torn && decimals != 2 {
		return s.broken(b)
	}
	s.limited(b, avg, v, maxRate)
	s.limited(b, sd, w, maxRate)
	return mine
}

// operations reads the summary of the memory test; the old file test has a line
// that starts the same way.
//
//	Total operations: 2462386 (1225608.88 per second)
//	Operations performed: 104857600 (1836714.05 ops/sec)
//	Operations performed:  6008 Read, 3997 Write, 12800 Other = 22805 Total
func (s *scan) operations(b, val []byte) verdict {
	n, size, _ := number(val, 0)
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(val[size:], blanks), []byte("("))
	rate, rateSize, _ := number(bytes.TrimLeft(rest, blanks), 0)
	if size == 0 || !ok || rateSize == 0 || rest[len(rest)-1] != ')' {
		if bytes.HasSuffix(val, []byte(" Total")) {
			s.names("fileio")
			return s.fileOperations(b, val)
		}
		return s.broken(b)
	}
	s.names("memory")
	s.limited(b, "operations", n, maxRate)
	s.limited(b, "operations_per_s", rate, maxRate)
	return mine
}

const mebibyte = 1 << 20

func (s *scan) mebibytes(b, val []byte, name string) verdict {
	v, size, decimals := number(val, 0)
	if size == 0 || size != len(val) || s.torn && decimals != 2 {
		return s.broken(b)
	}
	s.limited(b, name, v*mebibyte, maxRate)
	return mine
}

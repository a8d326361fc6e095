package sysbench

import (
	"bytes"
	"maps"
	"slices"

	"noisefloor/ingest/internal/digits"
	"noisefloor/ingest/internal/load"
)

// clients are the processes that BMK-kit starts side by side when one would have
// too many threads. Their reports stand one behind the other below a line that
// says how many clients there are in all: one measurement.
//
//	Clients: 32768
//	sysbench 1.1.0 (using bundled LuaJIT 2.1.0-beta3)
//	Number of threads: 20000
//	…
//	sysbench 1.1.0 (using bundled LuaJIT 2.1.0-beta3)
//	Number of threads: 12768
type clients struct {
	want  int        // threads of all, 0: one process
	parts []load.Run // of the processes before the one at hand
}

// announced reads "Clients: 32768", which holds for the next run.
func (s *scan) announced(b []byte) verdict {
	val, ok := bytes.CutPrefix(b, []byte("Clients: "))
	if !ok {
		return foreign
	}
	n, size, decimals := digits.Fixed(val, 0)
	if size != len(val) || decimals > 0 || s.torn || n > 1e9 {
		return foreign
	}
	s.coming = int(n)
	return apart
}

// nextClient goes on to the report of the next process of the same measurement; false
// if there is none to come.
func (s *scan) nextClient() bool {
	c := s.clients
	if !s.open || !s.finished || s.coming > 0 || c.want == 0 {
		return false
	}
	have := s.run.Threads
	for _, p := range c.parts {
		have += p.Threads
	}
	if have >= c.want {
		return false
	}
	c.parts = append(c.parts, s.client())
	s.state = state{clients: c}
	s.run.Threads = 0
	clear(s.run.Metrics)
	s.run.Intervals.Cut(0)
	s.run.Buckets = s.run.Buckets[:0]
	return true
}

// client gives the report of the process at hand, settled.
func (s *scan) client() load.Run {
	s.settle()
	r := s.run
	r.Options, r.Metrics = maps.Clone(r.Options), maps.Clone(r.Metrics)
	r.Intervals, r.Buckets = r.Intervals.Clone(), slices.Clone(r.Buckets)
	return r
}

// sumClients makes one run of the processes of a measurement.
func (s *scan) sumClients() {
	all := load.Sum(append(s.clients.parts, s.client()))
	r := &s.run
	r.Threads, r.Clients, r.Status = all.Threads, all.Clients, all.Status
	clear(r.Options)
	maps.Copy(r.Options, all.Options)
	clear(r.Metrics)
	maps.Copy(r.Metrics, all.Metrics)
	r.Intervals = all.Intervals
	r.Buckets = append(r.Buckets[:0], all.Buckets...)
}

// segments are the counts of the checkpoint reports before the last summary:
// sysbench starts its counters anew at each checkpoint.
type segments struct {
	at     map[string]float64 // of the checkpoint at hand
	before map[string]float64 // of those before it, added up
	whole  int                // checkpoints whose report was read to its end
}

// counted are the metrics of a summary that add up over its segments.
var counted = []string{"transactions", "queries", "reads", "writes", "other", "errors", "reconnects", "requests", "events", "operations", "latency_sum"}

// fold takes the checkpoint at hand into those before.
func (g *segments) fold() {
	if g.at == nil {
		return
	}
	g.whole++
	if g.before == nil {
		g.before, g.at = g.at, nil
		return
	}
	for _, name := range counted {
		if v, ok := g.at[name]; ok {
			g.before[name] += v
		}
	}
	g.before["latency_min"] = min(g.before["latency_min"], g.at["latency_min"])
	g.before["latency_max"] = max(g.before["latency_max"], g.at["latency_max"])
	g.at = nil
}

// wholeRun makes the totals those of the whole run, whose checkpoints they leave
// out. What cannot be added up is dropped, and everything where a report is
// missing.
func (s *scan) wholeRun() {
	m := s.run.Metrics
	last := maps.Clone(m)
	clear(m)
	if !s.finished || s.segments.whole != s.checkpoints {
		return
	}
	m["duration_s"] = last["duration_s"]
	for _, name := range counted {
		if v, ok := last[name]; ok {
			m[name] = v + s.segments.before[name]
		}
	}
	if low, ok := last["latency_min"]; ok {
		m["latency_min"] = min(low, s.segments.before["latency_min"])
		m["latency_max"] = max(last["latency_max"], s.segments.before["latency_max"])
	}
	if m["events"] > 0 {
		if sum, ok := m["latency_sum"]; ok {
			m["latency_avg"] = sum / m["events"]
		}
	}
	if seconds := m["duration_s"]; seconds > 0 {
		for count, rate := range map[string]string{"transactions": "tps", "queries": "qps", "errors": "errors_per_s", "reconnects": "reconnects_per_s", "operations": "operations_per_s"} {
			if n, ok := m[count]; ok {
				m[rate] = n / seconds
			}
		}
	}
}

package sysbench

import (
	"cmp"
	"maps"
	"math"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
)

// begin ends the open run and starts another one at the line at hand.
func (s *scan) begin() {
	s.finish()
	s.state = state{}
	s.query = 0
	r := &s.run
	clear(r.Options)
	clear(r.Metrics)
	r.Intervals.Cut(0)
	*r = Run{
		Part: s.parts + 1, FirstLine: s.rd.Number, LastLine: s.rd.Number,
		Options: r.Options, Metrics: r.Metrics, Factors: map[string]datasets.Value{}, Intervals: r.Intervals, Buckets: r.Buckets[:0],
	}
	s.echo.give(r)
	maps.Copy(r.Factors, s.notes)
	s.giveTitles(r)
	if v, ok := r.Factors["subtest"]; ok {
		r.Workload = v.String()
		delete(r.Factors, "subtest")
	}
	if r.Stamp = lines.Moment(s.raw); r.Stamp == "" {
		r.Stamp = cmp.Or(s.dated, lines.Yearless(s.raw))
	}
	s.dated = ""
	s.clients.want, s.coming = s.coming, 0
	s.rd.Track()
	s.open = true
}

// own makes the line at hand the last of the open run so far.
func (s *scan) own() {
	if s.open {
		s.run.LastLine = s.rd.Number
		s.rd.Mark()
	}
}

// finish gives the open run to the caller.
func (s *scan) finish() {
	if !s.open {
		return
	}
	s.open = false
	if s.prepared && !s.header && s.rows == 0 {
		s.rd.Forget()
		return
	}
	if len(s.clients.parts) > 0 {
		s.sumClients()
	} else {
		s.settle()
	}
	s.missingClients()
	s.hostSays()
	s.run.Hash = s.rd.Digest()
	s.parts++
	if s.err == nil && s.Found != nil {
		s.err = s.Found(&s.run)
	}
}

// settle works out what follows from the lines of the open run.
func (s *scan) settle() {
	s.settleHooks()
	if s.run.Status = s.status(); s.isExtract() {
		s.extracted()
	} else {
		s.worded = true
	}
	s.complete()
	s.check()
}

func (s *scan) status() datasets.Status {
	silent := s.rows == 0 && !s.started && len(s.run.Metrics) == 0
	switch {
	case s.help:
		return datasets.HelpText
	case s.finished && s.forced:
		return datasets.ForcedShutdown
	case s.finished && s.fatal:
		return datasets.FatalWithSummary
	case s.finished:
		return datasets.Complete
	case silent && s.fatal:
		return datasets.FailedToStart
	case silent && !s.header:
		return datasets.Empty
	}
	return datasets.Truncated
}

// complete adds the rates that follow from what was printed.
func (s *scan) complete() {
	if s.checkpoints > 0 {
		s.wholeRun()
	}
	m := s.run.Metrics
	if s.run.Workload == "" {
		s.run.Mix = s.mix()
	}
	seconds, ok := m["duration_s"]
	if !ok || !(seconds > 0) {
		return
	}
	rate := func(name, count string) {
		n, counted := m[count]
		if _, printed := m[name]; counted && !printed {
			m[name] = n / seconds
		}
	}
	rate("reads_per_s", "reads")
	rate("writes_per_s", "writes")
	rate("other_per_s", "other")
	rate("qps", "queries")
	if _, sql := m["tps"]; !sql {
		rate("eps", "events")
	}
}

// interval adds the report line in s.iv.
func (s *scan) interval() verdict {
	iv := &s.iv
	s.strong = true
	s.query = 0
	if !s.open || s.finished || s.help || s.restarts(iv.T) {
		s.begin()
		s.run.StampAfter = iv.T
	}
	s.clocked(s.raw, iv.T)
	if s.checkpoint {
		s.leaveCheckpoint()
	}
	if iv.Percentile == 0 { // --percentile=0
		iv.Percentile, iv.LatencyPct = math.NaN(), math.NaN()
	}
	if iv.LatencyPct == 0 && iv.TPS == 0 {
		iv.LatencyPct = math.NaN()
	}
	if s.run.Threads == 0 && iv.Threads >= 1 {
		s.run.Threads = int(iv.Threads)
	}
	s.tick(iv.T, iv.TPS)
	if s.run.Intervals.Len() == chunkRows && s.Chunk != nil && s.err == nil && s.clients.want == 0 {
		s.err = s.Chunk(s.run.Part, &s.run.Intervals)
		s.run.Intervals.Cut(0)
	}
	s.run.Intervals.Add(*iv)
	return mine
}

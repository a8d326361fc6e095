package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/load"
)

// log reads the log of a load generator.
func (s *scanner) log(f *file, h *hashingReader, source *datasets.Source) error {
	source.Tool = f.tool.Name
	found := func(r *load.Run) error {
		if err := h.ctx.Err(); err != nil {
			return err
		}
		source.Runs++
		source.Version = r.Version
		if f.team != nil {
			f.team.take(f, r)
			return nil
		}
		s.keep(f, r)
		if f.sha != "" && s.part.rows() >= partRows {
			return s.flush()
		}
		return nil
	}
	out := load.Out{Found: found, Chunk: s.chunk(f), Others: &s.in.hashing, Problem: func(p datasets.Problem) {
		p.Source = f.source
		s.problem(p)
	}}
	var sum [sha256.Size]byte
	if f.sha == "" {
		out.Text = &sum
	}
	err := f.tool.Scan(h, out)
	if f.sha == "" {
		h.known = hex.EncodeToString(sum[:])
	}
	if f.team != nil {
		f.sha = h.known
	}
	return err
}

// keep puts a run and its rows into the part.
func (s *scanner) keep(f *file, r *load.Run) {
	id := s.idOf(f, r)
	run := datasets.Run{ID: id, Source: f.source, Part: r.Part, SHA256: f.sha, Tool: f.tool.Name, ToolVersion: r.Version, Workload: r.Workload, Status: r.Status,
		Threads: r.Threads, Clients: r.Clients, Host: r.Host, Duration: math.NaN(), Factors: make(map[string]datasets.Value, len(r.Options)+len(f.told)), Metrics: make(map[string]float64, len(r.Metrics))}
	for name, v := range r.Metrics {
		if name == "duration_s" {
			run.Duration = v
			continue
		}
		run.Metrics[name] = v
	}
	maps.Copy(run.Factors, r.Options)
	for name, v := range r.Factors {
		if builtin, ok := column.Builtin(name); ok && column.Fill(&run, builtin, v, s.in.tz) == nil {
			continue
		}
		run.Factors[name] = v
	}
	if t, ok := s.in.stamped(f, r); ok {
		run.Started, run.StartedFrom = t, "log"
	}
	s.declareRun(&run, r)
	s.in.apply(f, &run, s.problem)
	if run.Workload == "" && r.Mix != "" {
		run.Workload = r.Mix
		s.in.mixes.Store(true)
		if r.Mix == datasets.UpdateOrInsert {
			s.in.alike.Store(true)
		}
	}
	b := &s.part.Batch
	b.Runs = append(b.Runs, run)
	if b.Intervals.Len() == 0 { // the first run of the part
		b.Intervals.TakeRun(id, &r.Intervals)
	} else {
		b.Intervals.AddRun(id, &r.Intervals, 0, r.Intervals.Len())
	}
	at := len(b.Buckets)
	b.Buckets = append(b.Buckets, r.Buckets...)
	for i := at; i < len(b.Buckets); i++ {
		b.Buckets[i].RunID = id
	}
	r.Series.OfRun(id)
	b.Series.AddAll(&r.Series)
}

// teams ends the files of parallel clients in this disk file and keeps the sums
// of those that are the last of their measurement.
func (s *scanner) teams(ctx context.Context) error {
	for _, f := range s.file.files {
		if f.team != nil {
			close(f.team.done[f])
		}
	}
	for _, f := range s.file.files {
		if f.team == nil {
			continue
		}
		s.in.hashing.Leave()
		err := f.team.wait(ctx, f)
		s.in.hashing.Enter()
		if err != nil {
			return err
		}
		err = f.team.finish(f, func(first *file, sum *load.Run) error {
			s.keep(first, sum)
			if s.part.rows() >= partRows {
				return s.flush()
			}
			return nil
		}, s.problem)
		if err != nil {
			return err
		}
	}
	return nil
}

// runID tells a run by its bytes. Runs that were killed early may have the same
// bytes several times in a log, so that their number counts; of a run that brought
// nothing they are the same as of every other that failed in the same way: it is
// known by its place.
func runID(r *load.Run, hadThroughput bool, source string) string {
	sum := r.Hash
	if len(r.Metrics) == 0 && !hadThroughput && !anyThroughput(&r.Intervals) {
		sum = sha256.Sum256(fmt.Appendf(nil, "%x %s %d", r.Hash, source, r.Part))
	} else if r.Status != datasets.Complete {
		sum = sha256.Sum256(fmt.Appendf(nil, "%x %d", r.Hash, r.Part))
	}
	return hex.EncodeToString(sum[:8])
}

func anyThroughput(rows *datasets.Intervals) bool {
	return slices.ContainsFunc(rows.Column(datasets.ColumnTPS), func(tps float64) bool { return tps > 0 })
}

// idOf is the ID of a run, of a huge log the one that its first rows went under.
func (s *scanner) idOf(f *file, r *load.Run) string {
	if f.ahead == nil {
		return runID(r, false, f.source)
	}
	id := runID(r, f.ahead.rows[r.Part], f.source)
	if known := f.ahead.ids[r.Part]; known != id && known != "" {
		_ = s.changed(f)
		return known
	}
	return id
}

// declareRun declares the metrics and options of a run.
func (s *scanner) declareRun(r *datasets.Run, of *load.Run) {
	var metrics []string
	for name := range r.Metrics {
		if !s.declared[name] { // few are new
			metrics = append(metrics, name)
		}
	}
	slices.Sort(metrics)
	for _, name := range metrics {
		s.declare(datasets.Column{Name: name, Kind: datasets.FloatKind, Role: datasets.Metric}, true)
	}
	for _, name := range sortedKeys(r.Factors) {
		if _, told := s.in.columns[name]; !told {
			role, guess := datasets.Condition, "the log"
			if _, noted := of.Factors[name]; noted {
				role, guess = column.Role(name), "a harness in the log"
				s.in.noted.Store(name, true)
			}
			s.declare(datasets.Column{Name: name, Kind: r.Factors[name].Kind(), Role: role, Guess: guess}, false)
		}
	}
}

package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/activesessions"
	"noisefloor/ingest/folded"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/stacks"
	"noisefloor/ingest/perfdata"
	"noisefloor/ingest/perfreport"
	"noisefloor/ingest/perfscript"
	"noisefloor/ingest/perfstat"
	"noisefloor/ingest/pprofile"
	"noisefloor/ingest/serverstat"
	"noisefloor/ingest/timecmd"
)

// Files of what was measured beside a run: profiles and counters. They belong to
// the log of the same name, run1.log and run1.perf.data, or to the only log of
// their folder; a file that belongs to no log is a run of its own.
const (
	perfScript   kind = "perf script"
	perfData     kind = "perf.data"
	foldedStacks kind = "profile (folded stacks)"
	pprofProfile kind = "pprof profile"
	perfReport   kind = "perf report"
	perfStat     kind = "perf stat"
	timeReport   kind = "time report"
)

// profileKinds give stacks, the best first: of one recording that was kept in
// several forms only one is read.
var profileKinds = []kind{perfScript, perfData, pprofProfile, foldedStacks, perfReport}

// isBeside tells files of what was measured beside a run.
func (k kind) isBeside() bool {
	return k == perfStat || k == timeReport || k.isServer() || slices.Contains(profileKinds, k)
}

// beside is what such a file is to others.
type beside struct {
	of *file // the log it belongs to, or the other such file; nil: it is a run of its own
	// others: an export of sessions covers many runs, each takes its part; snapshots
	// may lie around several.
	others []*file
	label  string // words that its name has more than the log's: offcpu
}

// joinBeside finds the log of every profile and counter file in its folder. Those
// without one are added to the neighbours, so that the notes beside them are
// theirs.
func (in *ingest) joinBeside(neighboursOf func(*file) *neighbours, at func(root int, folder string) *neighbours) {
	joined := map[kind]*joint{}
	anyLogs := slices.ContainsFunc(in.files, func(f *file) bool { return f.tool != nil || f.kind == runTable })
	for _, f := range in.files {
		if !f.kind.isBeside() {
			continue
		}
		here := neighboursOf(f)
		logs, said := in.partnersAsked(f)
		switch {
		case said:
			if len(logs) == 1 || len(logs) > 1 && f.kind.isServer() {
				f.contents().beside = beside{of: logs[0], others: logs[1:]}
			} else if f.kind.isServer() {
				f.contents().passedBy = true
			} else {
				here.add(f)
			}
		case f.kind.isServer():
			in.joinServer(f, here, nearest(f, at), anyLogs)
		default:
			if of, label := here.owner(f); of != nil {
				f.contents().beside = beside{of: of, label: label}
			} else {
				here.add(f)
			}
		}
		if f.beside.of == nil {
			continue
		}
		if len(f.beside.others) > 0 && f.kind != activeSessions {
			book(joined, f.kind+ofSeveral, f, 1)
		} else {
			book(joined, f.kind, f, 1)
		}
		for _, l := range append([]*file{f.beside.of}, f.beside.others...) {
			own := l.surroundings()
			own.besides = append(own.besides, f)
		}
	}
	in.sayJoined(joined)
	for _, f := range in.files {
		in.oneForm(f)
	}
}

// ofSeveral says that files lie beside more than one run.
const ofSeveral = " of several runs"

// owner finds the log that a profile belongs to, and what its name says beyond the
// log's. A file with the name of several logs belongs to none.
func (n *neighbours) owner(f *file) (log *file, label string) {
	mine := f.core()
	if found := n.named(mine); len(found) == 1 && len(mine) > 0 {
		return found[0], ""
	}
	if len(n.logs) == 1 && n.logs[0].tool != nil && len(mine) == 0 {
		return n.logs[0], ""
	}
	if len(n.logs) > manyPairs {
		return nil, ""
	}
	for _, l := range n.logs {
		words := l.core()
		if len(words) == 0 || !isPart(words, mine) || log != nil && len(words) < len(log.core()) {
			continue
		}
		if log != nil && len(words) == len(log.core()) {
			return nil, ""
		}
		log = l
	}
	if log == nil {
		return nil, ""
	}
	var more []string
	rest := log.core()
	for _, w := range mine {
		if len(rest) > 0 && rest[0] == w {
			rest = rest[1:]
			continue
		}
		more = append(more, w)
	}
	return log, strings.Join(more, "-")
}

// oneForm passes by what repeats a profile of the same run in another form.
func (in *ingest) oneForm(log *file) {
	best := map[string]*file{} // by label
	all := log.besides
	if slices.Contains(profileKinds, log.kind) {
		all = append([]*file{log}, all...)
	}
	for _, f := range all {
		at := slices.Index(profileKinds, f.kind)
		if at < 0 {
			continue
		}
		if was := best[f.beside.label]; was == nil || f != log && was != log && at < slices.Index(profileKinds, was.kind) {
			best[f.beside.label] = f
		}
	}
	if len(log.besides) == 0 {
		return
	}
	log.surroundings().besides = slices.DeleteFunc(log.besides, func(f *file) bool {
		b := best[f.beside.label]
		if b == nil || b == f || b.kind == f.kind || !slices.Contains(profileKinds, f.kind) {
			return false
		}
		f.contents().passedBy = true
		in.skip(f.kind, "the same recording is read as "+string(b.kind), f.source)
		return true
	})
}

// measured is what such a file holds. Rows have no RunID yet.
type measured struct {
	of       []string // sources of the logs: several of an export of sessions, and of snapshots beside several
	stacks   []datasets.Stack
	counters []datasets.Counter
	series   datasets.Samples
	parts    []placedPart // snapshots, whose differences need those of other files
	load     *activesessions.Load

	// What it says about itself, for a run of its own.
	tool, version, host, kernel, started string
	duration                             float64
}

// beside reads a profile or counters.
func (s *scanner) beside(f *file, h *hashingReader, source *datasets.Source) error {
	m := &measured{duration: math.NaN()}
	report := func(p datasets.Problem) {
		p.Source = f.source
		s.problem(p)
	}
	var err error
	switch f.kind {
	case perfScript:
		var p *stacks.Profile
		p, err = perfscript.Scan(h, report)
		m.profile(p)
	case perfData:
		var p *stacks.Profile
		p, err = s.perfData(h, report)
		m.profile(p)
	case foldedStacks:
		m.tool = "folded stacks"
		m.stacks, err = folded.Scan(h, report)
	case pprofProfile:
		m.tool = "pprof"
		m.stacks, m.duration, err = pprofile.Scan(h, report)
	case perfReport:
		m.tool = "perf"
		var r perfreport.Report
		r, err = perfreport.Scan(h, report)
		m.stacks = r.Stacks
	case timeReport:
		m.tool = timecmd.Tool.Name
		m.counters, err = timeCounters(h, report)
	case perfStat:
		m.tool = "perf"
		var st perfstat.Stat
		st, err = perfstat.Scan(h, report)
		m.counters, m.series, m.started = st.Counters, st.Series, st.Started
		for _, c := range st.Counters {
			if c.Event == perfstat.Elapsed && c.Scope == "" {
				m.duration = c.Value
			}
		}
	}
	if f.isDump() {
		err = s.dump(f, h, m, report)
	} else if f.kind == activeSessions {
		err = s.sessions(h, m, report)
	} else if f.kind.isServer() {
		err = s.server(f, h, m, report)
	}
	if f.beside.label != "" {
		for i := range m.stacks {
			if m.stacks[i].Event == "" {
				m.stacks[i].Event = f.beside.label
			}
		}
	}
	source.Tool, source.Version = m.tool, m.version
	s.part.measured = append(s.part.measured, m)
	if f.beside.of != nil {
		m.of = []string{f.beside.of.source}
		for _, l := range f.beside.others {
			m.of = append(m.of, l.source)
		}
		return err
	}
	m.of = []string{f.source}
	if err == nil {
		_, err = io.Copy(io.Discard, h)
	}
	switch {
	case err != nil:
	case s.alone(f, m):
	case m.rows() == 0:
		s.problem(datasets.Problem{Source: f.source, Kind: "nothing-measured", Text: "looks like " + article(string(f.kind)) + ", but nothing is in it", Count: 1})
	default:
		s.ownRun(f, h, m)
		source.Runs = 1
	}
	return err
}

// timeCounters makes counters of what time says of a command: "time user" and so
// on, because perf stat may count the same beside the same run.
func timeCounters(h *hashingReader, report func(datasets.Problem)) (list []datasets.Counter, err error) {
	reports := 0
	err = timecmd.Scan(h, load.Out{Problem: report, Found: func(r *load.Run) error {
		if reports++; reports > 1 {
			return nil
		}
		for _, name := range sortedKeys(r.Metrics) {
			if u := unitOf(name).Name; u != "1/s" {
				list = append(list, datasets.Counter{Event: "time " + strings.TrimSuffix(name, "_time"), Value: r.Metrics[name], Unit: strings.TrimPrefix(u, "1"), RunningPct: 100, Variance: math.NaN()})
			}
		}
		return nil
	}})
	if reports > 1 {
		report(datasets.Problem{Line: 1, Kind: "several-reports", Text: "of several commands: nobody knows which of them was the run beside it", Count: reports})
		return nil, err
	}
	return list, err
}

func (m *measured) rows() int {
	return len(m.stacks) + len(m.counters) + m.series.Len() + len(m.parts) + m.loads()
}

func (m *measured) profile(p *stacks.Profile) {
	m.tool = "perf"
	m.stacks = p.Rows()
	m.version, m.host, m.kernel, m.started = p.Meta["perf version"], p.Meta["hostname"], p.Meta["os release"], p.Meta["captured on"]
}

// perfData reads a recording, which is read at many places: from the disk, or from
// a copy in a temporary file if it comes out of an archive.
func (s *scanner) perfData(h *hashingReader, report func(datasets.Problem)) (*stacks.Profile, error) {
	if f, ok := h.in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return perfdata.Scan(f, info.Size(), s.in.machine, report)
		}
	}
	copied, err := os.CreateTemp("", "noisefloor-perf-data-")
	if err != nil {
		return &stacks.Profile{}, err
	}
	defer os.Remove(copied.Name())
	defer copied.Close()
	size, err := io.Copy(copied, h)
	if err != nil {
		return &stacks.Profile{}, err
	}
	return perfdata.Scan(copied, size, s.in.machine, report)
}

// perfTime is how perf writes a moment: Mon Nov 30 09:22:14 2026.
const perfTime = "Mon Jan _2 15:04:05 2006"

// stalkTime is how pt-stalk does.
const stalkTime = "2006_01_02_15_04_05"

// ownRun makes a run of a profile or counters without a log.
func (s *scanner) ownRun(f *file, h *hashingReader, m *measured) {
	sum, err := hex.DecodeString(h.hex())
	if err != nil || len(sum) != sha256.Size {
		return
	}
	run := datasets.Run{ID: hex.EncodeToString(sum[:8]), Source: f.source, Part: 1, Tool: m.tool, ToolVersion: m.version, Status: datasets.Complete,
		Duration: m.duration, Host: m.host, Factors: map[string]datasets.Value{}, Metrics: map[string]float64{}}
	for _, layout := range []string{perfTime, stalkTime} {
		if t, err := time.ParseInLocation(layout, m.started, s.in.tz); err == nil {
			run.Started, run.StartedFrom = t, "log"
		}
	}
	if m.kernel != "" {
		run.Factors["kernel"] = datasets.Text(m.kernel)
		s.declare(datasets.Column{Name: "kernel", Kind: datasets.TextKind, Role: datasets.Condition, Guess: "the profile"}, false)
	}
	s.in.apply(f, &run, s.problem)
	s.part.Runs = append(s.part.Runs, run)
}

// held is what has been read of a log and of the files beside it, until all of it
// is there: the rows of one run go to the sink together.
type held struct {
	runs     []string
	run      serverstat.Run // the last of them
	finished bool
	came     int
	measured []*measured
}

// hold takes what a part has of runs with files beside them, and hands on what is
// complete.
func (in *ingest) hold(sink Sink, p *part) error {
	for i := range p.Runs {
		if h := in.held[p.Runs[i].Source]; h != nil {
			h.runs = append(h.runs, p.Runs[i].ID)
			h.run = serverstat.Run{Started: p.Runs[i].Started, Duration: p.Runs[i].Duration}
		}
	}
	for _, src := range p.Sources {
		if h := in.held[src.Path]; h != nil {
			h.finished = true
		}
	}
	touched := map[string]bool{}
	for i := range p.Sources {
		touched[p.Sources[i].Path] = true
	}
	for _, m := range p.measured {
		for _, of := range m.of {
			touched[of] = true
			h := in.held[of]
			h.came++
			h.measured = append(h.measured, m)
		}
	}
	for _, of := range sortedKeys(touched) {
		h := in.held[of]
		if h == nil || !h.finished || h.came < in.expected[of] {
			continue
		}
		delete(in.held, of)
		if err := in.handOn(sink, of, h); err != nil {
			return err
		}
	}
	return nil
}

// handOn gives the rows of a run to the sink.
func (in *ingest) handOn(sink Sink, of string, h *held) error {
	rows := 0
	for _, m := range h.measured {
		rows += m.rows()
	}
	if rows == 0 {
		return nil
	}
	runs := slices.Compact(slices.Sorted(slices.Values(h.runs)))
	if len(runs) != 1 {
		return sink.Add(&datasets.Batch{Problems: []datasets.Problem{{Source: of, Kind: "profile-without-run", Text: quoted(sayRun(of, len(runs))), Count: 1}}})
	}
	b := &datasets.Batch{}
	for _, m := range h.measured {
		b.Stacks = append(b.Stacks, m.stacks...)
		b.Counters = append(b.Counters, m.counters...)
		b.Series.AddAll(&m.series)
	}
	said := fromServer(of, h, func(p datasets.Problem) {
		b.Problems = append(b.Problems, p)
	})
	b.Counters, b.Waits = append(b.Counters, said.Counters...), append(b.Waits, said.Waits...)
	b.Series.AddAll(&said.Series)
	b.Series.OfRun(runs[0])
	for i := range b.Stacks {
		b.Stacks[i].RunID = runs[0]
	}
	for i := range b.Counters {
		b.Counters[i].RunID = runs[0]
	}
	for i := range b.Waits {
		b.Waits[i].RunID = runs[0]
	}
	in.summary.Problems += len(b.Problems)
	in.summary.Waits += len(b.Waits)
	in.summary.Samples += b.Series.Len()
	in.summary.Stacks += len(b.Stacks)
	in.summary.Counters += len(b.Counters)
	tidy(b, in.cleaned)
	return sink.Add(b)
}

// expectBeside counts the files that each run waits for.
func (in *ingest) expectBeside() {
	in.held, in.expected = map[string]*held{}, map[string]int{}
	for _, f := range in.files {
		if f.passed {
			continue
		}
		n := len(f.besides)
		if f.kind.isBeside() && f.beside.of == nil && !f.passedBy {
			n++
		}
		if n > 0 {
			in.held[f.source], in.expected[f.source] = &held{}, n
		}
	}
}

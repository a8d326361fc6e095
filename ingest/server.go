package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/datasets/natural"
	"noisefloor/ingest/activesessions"
	"noisefloor/ingest/hoststat"
	"noisefloor/ingest/internal/naming"
	"noisefloor/ingest/serverstat"
)

// What a server or a cloud says about the server while runs go on. Unlike a
// profile, such a file is no run of its own beside logs: a snapshot that belongs to
// no run says nothing.
const (
	serverStatus  = kind(serverstat.Status)
	waitSummary   = kind(serverstat.Waits)
	innodbStatus  = kind(serverstat.InnoDB)
	innodbMetrics = kind(serverstat.Metrics)
	processList   = kind(serverstat.Sessions)

	activeSessions kind = "export of active sessions"
)

var serverKinds = []kind{serverStatus, waitSummary, innodbStatus, innodbMetrics, processList, activeSessions}

// isServer tells these files.
func (k kind) isServer() bool { return slices.Contains(serverKinds, k) }

// serverWords are what the names of such files say about their kind, beyond
// sideWords, which logs may have as well.
var serverWords = []string{"waits", "wait", "events", "event", "summary", "pfs", "performance", "schema", "perfschema", "innodbstatus", "innodbstatus1", "innodbstatus2", "mysqladmin", "extended", "ext", "global",
	"engine", "metrics", "snapshot", "snapshots", "snap", "show", "mysql", "mariadb", "server", "db", "defer", "latency", "by", "pt", "stalk", "processlist", "process", "list", "proclist", "full"}

// whenWords say where a snapshot stands: -1 before the run, 1 behind it.
var whenWords = map[string]int{"before": -1, "begin": -1, "beginning": -1, "start": -1, "pre": -1, "first": -1, "t0": -1, "after": 1, "end": 1, "stop": 1, "post": 1, "last": 1, "t1": 1}

// when tells by its path where a snapshot stands; status.before.txt, after/status.txt.
func (f *file) when() int {
	for _, w := range naming.Words(strings.ToLower(f.name() + "/" + base(f.Folder()))) {
		if at := whenWords[w]; at != 0 {
			return at
		}
	}
	return 0
}

func base(folder string) string { return folder[strings.LastIndexByte(folder, '/')+1:] }

// serverCore is what the name of such a file says beyond its kind and place.
func serverCore(name string) []string {
	if m := collected.FindStringSubmatch(name); m != nil {
		return naming.Words(m[1])
	}
	return slices.DeleteFunc(core(name), func(w string) bool { return slices.Contains(serverWords, w) || whenWords[w] != 0 })
}

// home is the folder whose logs a file may belong to: that above one called before
// or after.
func (f *file) home() string {
	folder := f.Folder()
	if f.kind.isServer() && whenWords[strings.ToLower(base(folder))] != 0 {
		return parent(folder)
	}
	return folder
}

// nearest gives the neighbours of a file that are logs, in its folder or in one of
// the two above it: run1/sysbench.log, run1/pt-stalk/2026_01_31_12_00_01-mysqladmin.
// nil if there are none.
func nearest(f *file, at func(root int, folder string) *neighbours) *neighbours {
	folder := f.home()
	for range 3 {
		if n := at(f.root, folder); n != nil && slices.ContainsFunc(n.logs, (*file).isRun) {
			return n
		}
		if folder == "" || !isCollected(f.name()) && !onlyServer(base(folder)) {
			return nil
		}
		folder = parent(folder)
	}
	return nil
}

// onlyServer tells folders that are called for what is in them: mysql, status,
// pt-stalk.
func onlyServer(folder string) bool {
	return len(core(folder)) == 0 || !slices.ContainsFunc(core(folder), func(w string) bool {
		return !slices.Contains(serverWords, w) && whenWords[w] == 0
	})
}

// onlyNear gives the one log that a collected file lies near, as a list.
func onlyNear(f *file, at func(root int, folder string) *neighbours) []*file {
	if n := nearest(f, at); n != nil {
		if only := n.onlyRun(); only != nil {
			return []*file{only}
		}
	}
	return nil
}

// isRun tells logs and tables from files that can only lie beside them.
func (f *file) isRun() bool { return f.tool != nil || f.kind == runTable }

// joinServer finds the run of a snapshot: a log of the same name, or the only one of
// the folder. Where there are no logs at all, the files of one name and folder are
// the run. anyLogs tells whether there are any below the PATHs.
func (in *ingest) joinServer(f *file, here, logs *neighbours, anyLogs bool) {
	f.surroundings().coreWords = serverCore(f.name())
	own := f.contents()
	if logs != nil {
		if of, _ := logs.owner(f); of != nil && of.isRun() {
			own.beside.of = of
		} else if only := logs.onlyRun(); only != nil && (len(f.core()) == 0 || collected.MatchString(f.name())) {
			own.beside.of = only
		}
		if f.beside.of != nil {
			return
		}
	}
	if all := logs.sharing(f); all != nil && f.kind != activeSessions {
		own.beside.of, own.beside.others = all[0], all[1:]
		return
	}
	if f.kind == activeSessions {
		if all := in.below(f); len(all) > 0 {
			own.beside.of, own.beside.others = all[0], all[1:]
			return
		}
	}
	if anyLogs {
		own.passedBy = true
		in.skip(f.kind, "belongs to no single run: nothing is counted of it", f.source)
		return
	}
	for _, other := range here.named(f.core()) {
		if other.kind.isServer() {
			own.beside.of = other
			return
		}
	}
	here.add(f)
}

// below gives the logs in the folder of a file and below it, or where there are none
// those of the folder above.
func (in *ingest) below(f *file) (logs []*file) {
	folder := f.Folder()
	for range 2 {
		for _, l := range in.files {
			if l.isRun() && l.root == f.root && (folder == "" || l.Folder() == folder || strings.HasPrefix(l.Folder(), folder+"/")) {
				logs = append(logs, l)
			}
		}
		if len(logs) > 0 {
			return logs
		}
		folder = parent(folder)
	}
	return nil
}

// onlyRun gives the log of a folder that has one.
func (n *neighbours) onlyRun() (only *file) {
	for _, l := range n.logs {
		if l.isRun() {
			if only != nil {
				return nil
			}
			only = l
		}
	}
	return only
}

// settingsFrom is the column that says whose settings were a run's: the source of
// rows in the table settings.
const settingsFrom = "settings_from"

// settingKinds are the files of settings, what the server says first: an option file
// may not be all that it was started with.
var settingKinds = []kind{variables, serverSummary, optionFile}

// joinSettings finds the variables of every run, or else its option file: of the same
// name, or the nearest up the tree.
func (in *ingest) joinSettings(logsAt func(root int, folder string) *neighbours) {
	type place struct {
		root   int
		folder string
	}
	general := map[place]*file{}
	better := func(was, f *file) bool {
		return was == nil || slices.Index(settingKinds, f.kind) < slices.Index(settingKinds, was.kind)
	}
	alike := map[string]int{}
	for _, f := range in.files {
		if slices.Contains(settingKinds, f.kind) {
			alike[kindOf(f)]++
		}
	}
	for _, f := range in.files {
		if !slices.Contains(settingKinds, f.kind) {
			continue
		}
		f.surroundings().coreWords = serverCore(f.name())
		partners, _ := logsAt(f.root, f.Folder()).partners(f)
		if partners == nil && isCollected(f.name()) {
			partners = onlyNear(f, logsAt)
		} else if partners == nil && alike[kindOf(f)] > 1 {
			partners = in.withNumber(f, false)
			if in.bookNumbered(f, len(partners)); partners == nil {
				in.skip(f.kind+" without a run", oneOfSeveral, f.source)
				continue
			}
		}
		for _, l := range partners {
			if better(l.settings, f) {
				l.surroundings().settings = f
			}
		}
		if at := (place{f.root, f.Folder()}); partners == nil && better(general[at], f) {
			general[at] = f
		}
	}
	for _, f := range in.files {
		if !f.isMeasured() || len(general) == 0 {
			continue
		}
		for folder := f.Folder(); f.settings == nil; folder = parent(folder) {
			if of := general[place{f.root, folder}]; of != nil {
				f.surroundings().settings = of
			}
			if folder == "" {
				break
			}
		}
	}
}

// isDump tells a table of innodb_metrics over time that lies beside runs.
func (f *file) isDump() bool {
	return f.kind == hostFile && f.host.Kind == hoststat.InnoDB && 0 < len(f.hosts) && len(f.hosts) <= mostSharing
}

// joinDumps adds these to what their runs wait for.
func (in *ingest) joinDumps() {
	for _, f := range in.files {
		if !f.isDump() {
			if f.kind == hostFile && f.host.Kind == hoststat.InnoDB && len(f.hosts) > 0 {
				in.skip(kind(f.host.Kind), "beside too many runs: start time read, the values not", f.source)
			}
			continue
		}
		own := f.contents()
		own.beside.of, own.beside.others = f.hosts[0], f.hosts[1:]
		for _, l := range f.hosts {
			log := l.surroundings()
			log.besides = append(log.besides, f)
		}
	}
}

// dump reads such a table.
func (s *scanner) dump(f *file, h *hashingReader, m *measured, report func(datasets.Problem)) error {
	p, err := serverstat.ScanDump(h, s.in.tz, report)
	if p.Source = f.source; p.Snapshots > 0 {
		m.parts = append(m.parts, placedPart{p, f.when(), f.source})
	}
	m.tool = "mysql"
	return err
}

// server reads snapshots.
func (s *scanner) server(f *file, h *hashingReader, m *measured, report func(datasets.Problem)) error {
	at := s.in.collections[f.collectionOf()]
	found, err := serverstat.Scan(h, serverstat.Options{TZ: s.in.tz, From: at.from, Every: at.every}, report)
	for _, p := range found.Parts {
		p.Source = f.source
		m.parts = append(m.parts, placedPart{p, f.when(), f.source})
	}
	for _, v := range found.Settings {
		setting(v[0], v[1], s.setting(f))
	}
	m.tool = "mysql"
	if c := collected.FindStringSubmatch(f.name()); c != nil {
		m.tool, m.started = "pt-stalk", c[1]
	} else if len(found.Parts) > 0 && !found.Parts[0].First.At.IsZero() {
		m.started = found.Parts[0].First.At.Format(perfTime)
	}
	return err
}

// sessions reads an export of active sessions.
func (s *scanner) sessions(h *hashingReader, m *measured, report func(datasets.Problem)) (err error) {
	m.tool = "active sessions"
	m.load, err = activesessions.Scan(h, s.in.tz, report)
	return err
}

func (m *measured) loads() int {
	if m.load == nil || m.load.Empty() {
		return 0
	}
	return 1
}

// alone says of snapshots that have no second one and cannot get one that they are
// no run.
func (s *scanner) alone(f *file, m *measured) bool {
	if !f.kind.isServer() || len(f.besides) > 0 || len(m.parts) == 0 || slices.ContainsFunc(m.parts, func(p placedPart) bool { return p.Snapshots > 1 }) {
		return false
	}
	m.parts = nil
	s.problem(datasets.Problem{Source: f.source, Kind: "one-snapshot", Text: "one " + string(f.kind) + ", and no run beside it: " + serverstat.Lonely(serverstat.Kind(f.kind)), Count: 1})
	return true
}

// placedPart is a part and where it stands.
type placedPart struct {
	*serverstat.Part
	when   int
	source string
}

// fromServer takes the differences of all snapshots of a run, and its part of
// exports of sessions and of snapshots that several runs have.
func fromServer(of string, h *held, problem func(datasets.Problem)) serverstat.Rows {
	var own, shared []placedPart
	var sharing []string // logs
	for _, m := range h.measured {
		if len(m.of) == 1 {
			own = append(own, m.parts...)
		} else if len(m.parts) > 0 {
			shared = append(shared, m.parts...)
			sharing = m.of
		}
	}
	var rows serverstat.Rows
	if len(own) > 0 {
		rows = serverstat.Join(inPlace(own), h.run, problem)
	}
	if len(shared) > 0 {
		s := several{of: of, logs: sharing, run: h.run, problem: problem}
		rows = s.rows(inPlace(shared), rows)
	}
	summed := len(rows.Waits)
	for _, m := range h.measured {
		if m.loads() == 0 {
			continue
		}
		waits, series, why := m.load.During(h.run.Started, h.run.Duration)
		if why != "" {
			problem(datasets.Problem{Source: of, Kind: "active-sessions", Text: why, Count: 1})
		}
		rows.Waits = append(rows.Waits, waits...)
		rows.Series.Add(series...)
	}
	if summed > 0 && len(rows.Waits) > summed {
		rows.Waits = rows.Waits[summed:]
		problem(datasets.Problem{Source: of, Kind: "two-sources", Text: "sessions stand in an export and in a wait summary: the export counts, which has those on the CPU too", Count: 1})
	}
	return rows
}

// inPlace gives parts in the order in which they are taken to have been written.
func inPlace(parts []placedPart) []*serverstat.Part {
	slices.SortStableFunc(parts, func(a, b placedPart) int {
		return cmp.Or(cmp.Compare(a.when, b.when), natural.Compare(a.source, b.source))
	})
	list := make([]*serverstat.Part, len(parts))
	for i, p := range parts {
		list[i] = p.Part
	}
	return list
}

// sayRun is a problem of files beside a log that holds no run or several.
func sayRun(of string, runs int) string {
	if runs > 1 {
		return fmt.Sprintf("%s holds %d runs: nobody knows which of them it was", of, runs)
	}
	return "no run is in " + of + ", which it lies beside"
}

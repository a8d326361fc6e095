package ingest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/hoststat"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/layout"
	"noisefloor/ingest/internal/naming"
	"noisefloor/ingest/runmeta"
	"noisefloor/ingest/table"
)

// manyKeys: a map with more keys is a dump of settings, not a note about a run;
// hundreds of names are no factors.
const manyKeys = 64

// asked is what the user says of side files that fit a pattern.
type asked struct {
	side layout.List
	log  layout.List // empty: they belong to no log
	name string      // what the log is called
}

// partnersAsked gives the logs that the user names for a file.
func (in *ingest) partnersAsked(f *file) (logs []*file, said bool) {
	for _, a := range in.asked {
		if !a.side.Fits(f.rel) {
			continue
		}
		for _, log := range in.files {
			if log != f && log.isMeasured() && log.root == f.root && a.log.Fits(log.rel) {
				logs = append(logs, log)
			}
		}
		if said = true; len(logs) == 0 && a.name != "" {
			in.problems.add(datasets.Problem{Source: f.source, Kind: "not-joined", Text: "--join names a log that is not there: " + a.name, Count: 1})
		}
		break
	}
	return logs, said
}

// scoped is a metadata file as one log sees it.
type scoped struct {
	file *file
	// own: it is about this log and no other; times in it are the run's.
	own bool
	// numbered: it is for the folder of its number, and says what is different there.
	numbered bool
}

// join finds for every log and table the metadata that applies and the side files
// of the same run. Files of one run lie side by side and share their names but
// for the word that says what they are:
//
//	run1_Tier12G_RW_128th.sysbench.txt  run1_Tier12G_RW_128th.iostat.txt
//	sysbench.ro.32.res                  iostat.32.res
//
// A name that is part of the logs' names (Tier12G.yaml) belongs to all of these; a
// name that only says what the file is (params.txt, vmstat.txt, lscpu.txt) to the
// whole folder, and metadata of that name to the folders below it too. Any other
// name belongs to the log beside it if there is only one, and in a folder without
// logs to those below it. Beside several logs it is nobody's: a guess would be
// wrong as often as right.
func (in *ingest) join() {
	in.dropReports()
	in.takeObjects()
	type place struct {
		root   int
		folder string
	}
	folders := map[place]*neighbours{}
	neighboursOf := func(f *file) *neighbours {
		at := place{f.root, f.home()}
		if folders[at] == nil {
			folders[at] = &neighbours{}
		}
		return folders[at]
	}
	for _, f := range in.files {
		if f.isMeasured() && !f.kind.isBeside() && !(f.tool != nil && f.tool.Beside) {
			neighboursOf(f).add(f)
		}
	}
	neighboursAt := func(root int, folder string) *neighbours {
		if n := folders[place{root, folder}]; n != nil && len(n.logs) > 0 {
			return n
		}
		return nil
	}
	in.joinSettings(neighboursAt)
	in.besideLogs(neighboursOf)
	for _, f := range in.files {
		if f.tool != nil && f.tool.Beside {
			neighboursOf(f).add(f)
		}
	}
	in.joinBeside(neighboursOf, neighboursAt)
	general := map[place][]*file{} // metadata for everything in and below a folder
	alike := map[string]int{}      // files whose names differ in numbers: host files, and metadata in folders without logs
	for _, f := range in.files {
		if f.kind == hostFile || f.isNote() && neighboursAt(f.root, f.Folder()) == nil {
			alike[kindOf(f)]++
		}
	}
	joined := map[kind]*joint{}
	for _, f := range in.files {
		if f.kind != hostFile && !f.isNote() {
			continue
		}
		if f.kind == machineFile {
			f.surroundings().coreWords = serverCore(f.name())
		}
		at := place{f.root, f.Folder()}
		here := neighboursAt(at.root, at.folder)
		logs, said := in.partnersAsked(f)
		exact := said
		if !said {
			logs, exact = here.partners(f)
		}
		means := len(f.core()) == 0 && !said // by its name the folder
		if !said && f.isNote() && !means {
			means = onlyWords(f.core(), naming.NoteWords) || here.nameless()
		}
		one := here != nil && len(here.logs) == 1 && (f.kind != hostFile || alike[kindOf(f)] == 1 || isCollected(f.name()))
		if here != nil && logs == nil && !said && (one || means && f.kind == hostFile) {
			logs = here.logs
		}
		if f.kind == hostFile {
			why := ""
			if logs == nil && !said && f.host.Kind == hoststat.Prometheus {
				logs = in.below(f) // its times say which
			}
			if logs == nil && !said {
				logs, why = hostLogs(f, here, neighboursAt)
			}
			f.contents().hosts = logs
			for _, l := range logs {
				own := l.surroundings()
				own.sides = append(own.sides, f)
			}
			k := kind(f.host.Kind)
			if len(logs) > 1 {
				k += ofSeveral
			}
			if book(joined, k, f, len(logs)); len(logs) == 0 {
				in.skip(kind(f.host.Kind)+" without a run", why, f.source)
			}
			continue
		}
		if logs == nil && here == nil && !said && !means && in.noteByNumber(f, alike[kindOf(f)]) {
			continue
		}
		if means || logs == nil && here == nil && !said {
			general[at] = append(general[at], f)
			continue
		}
		for _, l := range logs {
			own := l.surroundings()
			own.metas = append(own.metas, &scoped{file: f, own: len(logs) == 1 && (exact || len(here.logs) == 1)})
		}
		if book(joined, f.kind, f, len(logs)); len(logs) == 0 {
			in.skip("metadata without a run", noPartner(here)+"; metadata.json, params.txt and the like are for all", f.source)
		}
	}
	in.joinIndexes()
	used := map[*file]int{}
	for at, here := range folders {
		for _, l := range here.logs {
			slices.SortStableFunc(l.metas, func(a, b *scoped) int { return len(b.file.core()) - len(a.file.core()) })
			for dir := at.folder; ; dir = parent(dir) {
				for _, m := range general[place{at.root, dir}] {
					own := l.surroundings()
					own.metas = append(own.metas, &scoped{file: m, own: len(here.logs) == 1 && dir == at.folder})
					used[m]++
				}
				if dir == "" {
					break
				}
			}
		}
	}
	byName := map[string]int{} // of metadata for whole folders
	for f := range used {
		byName[f.name()]++
	}
	for _, f := range in.files {
		if n := used[f]; n > 0 {
			switch many := byName[f.name()]; {
			case many == 1:
				in.summary.Joined = append(in.summary.Joined, fmt.Sprintf("%s: metadata for %s in and below its folder", f.source, counted(n, "file")))
			case many > 1:
				in.summary.Joined = append(in.summary.Joined, fmt.Sprintf("%s: %d files of metadata for what is in and below their folders, the first %s", f.name(), many, f.source))
			}
			byName[f.name()] = 0
		} else if slices.Contains(general[place{f.root, f.Folder()}], f) {
			in.skip("metadata without a run", noPartner(nil), f.source)
		}
	}
	in.joinDumps()
	in.sayJoined(joined)
	in.sayNumbered()
	in.countLeftOut()
}

// dropReports passes by pages with tables where there is anything else that holds runs:
// they are made of it, and would count it twice.
func (in *ingest) dropReports() {
	isPage := func(f *file) bool { return f.tool == nil && f.kind == runTable && f.tables.IsPage() }
	if !slices.ContainsFunc(in.files, isPage) || !slices.ContainsFunc(in.files, func(f *file) bool { return f.isMeasured() && !isPage(f) }) {
		return
	}
	for _, f := range in.files {
		if isPage(f) {
			f.kind, f.contents().tables = document, nil
			in.skip("page with tables", "beside what it may be made of", f.source)
		}
	}
}

// takeObjects takes objects of results (8.0.42.json, 9.3.0.json) for the runs, where
// there is no run that they could describe.
func (in *ingest) takeObjects() {
	if slices.ContainsFunc(in.files, (*file).isMeasured) {
		return
	}
	for _, f := range in.files {
		if f.kind == metadata && f.tables != nil {
			f.kind, f.contents().meta = runTable, &runmeta.Map{}
		}
	}
}

func (in *ingest) sayJoined(joined map[kind]*joint) {
	for _, k := range sortedKinds(joined) {
		j := joined[k]
		if j.files > 0 {
			how := "joined to the logs by name"
			if of, several := strings.CutSuffix(string(k), ofSeveral); several && !kind(of).isServer() {
				how = "beside the logs by name, each of which has what came during its run, if times tell"
			} else if several { // whether there is one of each is seen when they are read
				how = "beside the logs by name, which count where one was taken before the runs and one behind them"
			}
			in.summary.Joined = append(in.summary.Joined, fmt.Sprintf("%s: %s %s, the first %s", k, counted(j.files, "file"), how, j.first))
		}
	}
}

const oneOfSeveral = "one of several of its kind, and nothing says which runs are its"

// noPartner says why a file belongs to no run.
func noPartner(here *neighbours) string {
	if here == nil {
		return "no log lies beside it or below it"
	}
	return "several logs lie beside it, and its name has nothing of theirs"
}

// hostLogs finds the logs of a host file whose name does not say them outright: of
// iostat.ro.1 beside sysbench.1, and of what pt-stalk collected near a log. Where
// several logs fit, only times can tell which of them it is of. why says what is in
// the way.
func hostLogs(f *file, here *neighbours, at func(root int, folder string) *neighbours) (logs []*file, why string) {
	if isCollected(f.name()) {
		if logs = onlyNear(f, at); logs != nil {
			return logs, ""
		}
	}
	if here == nil {
		return nil, noPartner(nil)
	}
	if of, _ := here.owner(f); of != nil {
		return []*file{of}, ""
	}
	if len(here.logs) == 1 {
		return nil, oneOfSeveral
	}
	if len(here.logs) <= manyPairs && len(f.core()) > 0 {
		for _, l := range here.logs {
			if isPart(f.core(), l.core()) {
				logs = append(logs, l)
			}
		}
	}
	if len(logs) > 0 && f.host.Clock < 0 && f.host.Epoch.IsZero() {
		return nil, "its name fits several logs beside it, and it writes no times"
	}
	return logs, noPartner(here)
}

// besideLogs tells reports about the run of a log beside them (sb.time.x beside
// sb.o.x) from reports that are all there is.
func (in *ingest) besideLogs(logsOf func(*file) *neighbours) {
	for _, f := range in.files {
		if f.tool == nil || !f.tool.Beside {
			continue
		}
		if of, _ := logsOf(f).owner(f); of != nil {
			f.kind, f.tool = timeReport, nil
			continue
		}
		if found, _ := logsOf(f).partners(f); len(found) > 0 {
			f.kind, f.tool = kind(f.tool.Name+" beside several logs"), nil
			in.skip(f.kind, "which of them it is about nobody knows", f.source)
		}
	}
}

// isMap tells the files that are maps of what is said about runs.
func (f *file) isMap() bool { return f.kind == metadata || f.kind == machineFile }

// isNote tells a note about runs from a dump of settings, and from a map that says
// nothing (a noisefloor.yaml that only configures).
func (f *file) isNote() bool {
	return f.isMap() && len(f.meta.Entries) > 0 && len(f.meta.Entries) <= manyKeys
}

// joint counts the side files of one kind that found their logs.
type joint struct {
	files, logs int
	first       string
}

func book(joined map[kind]*joint, k kind, f *file, logs int) {
	if logs == 0 {
		return
	}
	j := joined[k]
	if j == nil {
		j = &joint{first: f.source}
		joined[k] = j
	}
	j.files++
}

func sortedKinds(joined map[kind]*joint) []kind {
	var list []kind
	for k := range joined {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// Said gives what the metadata of a file says under a key, "" if nothing.
func (f *file) Said(key string) string {
	if f.sayings == nil && len(f.metas) > 0 {
		f.surroundings().sayings = map[string]string{}
		for _, m := range slices.Backward(f.metas) { // the nearest last, so that it counts
			for _, e := range m.file.meta.Entries {
				f.sayings[e.Key] = e.Value.String()
			}
		}
	}
	if slices.Contains(f.forgotten, key) {
		return ""
	}
	return f.sayings[key]
}

// metaKeys lists all keys of the metadata of some files, sorted.
func metaKeys(files []*file) []string {
	keys := map[string]bool{}
	done := map[*file]bool{}
	for _, f := range files {
		for _, m := range f.metas {
			if !done[m.file] {
				done[m.file] = true
				for _, e := range m.file.meta.Entries {
					keys[e.Key] = true
				}
			}
		}
	}
	return sortedKeys(keys)
}

// metaSays gives what all metadata files together say about a log, the nearest
// first; contradictions between files at the same distance are problems.
func (in *ingest) metaSays(f *file) []named {
	var list []named
	from := map[string]*scoped{}
	for _, m := range f.metas {
		for _, e := range m.file.meta.Entries {
			if slices.Contains(f.forgotten, e.Key) || !in.means(m, e) {
				continue
			}
			if was := from[e.Key]; was != nil {
				if before, _ := was.file.meta.Get(e.Key); before != e.Value && was.numbered == m.numbered && was.file.Folder() == m.file.Folder() && len(was.file.core()) == len(m.file.core()) {
					in.problems.add(datasets.Problem{Source: m.file.source, Kind: "contradiction", Text: e.Key + " is " + e.Value.String() + " here and " + before.String() + " in " + was.file.source, Count: 1})
				}
				continue
			}
			from[e.Key] = m
			list = append(list, named{moment(e, m.own), e.Value, "metadata"})
		}
	}
	return list
}

// means tells whether a value fits the column that its key names: threads="1 2 4" is
// what a harness goes through, and each log knows its own. What is no such list and
// fits nothing is one problem, however many logs it is said of.
func (in *ingest) means(m *scoped, e runmeta.Entry) bool {
	builtin, ok := column.Builtin(in.rename(moment(e, m.own)))
	if !ok {
		return true
	}
	var probe datasets.Run
	err := column.Fill(&probe, builtin, e.Value, in.tz)
	if err == nil {
		return true
	}
	if (builtin == "threads" || builtin == "clients") && isLevels(e.Value.String()) {
		in.note("%s in metadata is the list of what a sweep goes through; each log says its own", e.Key)
	} else {
		in.problems.add(datasets.Problem{Source: m.file.source, Kind: "bad-value", Text: fmt.Sprintf("%s %s: %v", e.Key, e.Value, err), Count: 1})
	}
	return false
}

// isLevels tells a list of whole numbers: 1 2 4, 1,2,4, [1, 2, 4], (1 2 4).
func isLevels(text string) bool {
	list := strings.FieldsFunc(strings.Trim(text, "()[]{}"), func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '|' })
	return len(list) > 1 && !slices.ContainsFunc(list, func(w string) bool { return strings.Trim(w, "0123456789") != "" })
}

// moment spells the keys of a beginning and an end. When a session began is not
// when each of its runs did; the ending _at tells every reader that it is no factor.
func moment(e runmeta.Entry, own bool) string {
	key, spelled := e.Key, ""
	isTime := func() bool { _, _, err := column.Time(e.Value.String(), time.UTC); return err == nil }
	switch builtin, _ := column.Builtin(key); {
	case builtin == "started_at", (key == "start" || key == "begin") && isTime():
		spelled = "started_at"
	case key == "end" && isTime():
		spelled = "ended_at"
	case key == "ended", key == "end_time", key == "ended_at", key == "finished_at", key == "finished":
		spelled = "ended_at"
	default:
		return key
	}
	if !own {
		return "session_" + spelled
	}
	return spelled
}

// countLeftOut says which keys were left out, by name.
func (in *ingest) countLeftOut() {
	names, unread, twice := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, f := range in.files {
		for _, s := range f.meta.Secrets {
			names[s] = true
		}
		for _, s := range f.meta.Unread {
			unread[s] = true
		}
		for _, s := range f.meta.Twice {
			twice[s] = true
		}
		for _, c := range f.tables.Columns() {
			if c.Use == table.Secret {
				names[column.Name(c.Heading)] = true
			}
		}
	}
	if len(names) > 0 {
		in.note("left out because the name says secret: %s", strings.Join(sortedKeys(names), ", "))
	}
	if len(unread) > 0 {
		in.note("left out as lists or texts of several lines: %s", naming.Show(sortedKeys(unread)))
	}
	if len(twice) > 0 {
		in.note("twice in one file with two values, of which the first counts: %s", naming.Show(sortedKeys(twice)))
	}
}

// settingsOf gives a map with many keys as settings.
func settingsOf(f *file, m runmeta.Map) []datasets.Setting {
	var list []datasets.Setting
	for _, e := range m.Entries {
		list = append(list, datasets.Setting{Source: f.source, Name: e.Key, Value: e.Value.String()})
	}
	return list
}

package ingest

import (
	"fmt"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/runmeta"
	"noisefloor/ingest/table"
)

// manyKeys: a map with more keys is a dump of settings, not a note about a run;
// hundreds of names are no factors.
const manyKeys = 64

// scoped is a metadata file as one log sees it.
type scoped struct {
	file *file
	// own: it is about this log and no other; times in it are the run's.
	own bool
}

// join finds for every log and table the metadata that applies and the side files
// of the same run. Files of one run lie side by side and share their names but
// for the word that says what they are:
//
//	run1_Tier12G_RW_128th.sysbench.txt  run1_Tier12G_RW_128th.iostat.txt
//	sysbench.ro.32.res                  iostat.32.res
//
// A name that is part of the logs' names (Tier12G.vars.txt) belongs to all of
// these; a name that says nothing (params.txt, vmstat.txt) to the whole folder.
func (in *ingest) join() {
	type place struct {
		root   int
		folder string
	}
	folders := map[place]*neighbours{}
	neighboursOf := func(f *file) *neighbours {
		at := place{f.root, f.folder()}
		if folders[at] == nil {
			folders[at] = &neighbours{byCore: map[string][]*file{}}
		}
		return folders[at]
	}
	for _, f := range in.files {
		if f.isMeasured() && !f.kind.isBeside() && !(f.tool != nil && f.tool.Beside) {
			neighboursOf(f).add(f)
		}
	}
	in.besideLogs(neighboursOf)
	for _, f := range in.files {
		if f.tool != nil && f.tool.Beside {
			neighboursOf(f).add(f)
		}
	}
	in.joinBeside(neighboursOf)
	general := map[place][]*file{} // metadata for everything in and below a folder
	joined := map[kind]*joint{}
	for _, f := range in.files {
		if f.kind != hostFile && !f.isNote() {
			continue
		}
		f.coreWords = core(f.name())
		at := place{f.root, f.folder()}
		logs, exact := folders[at].partners(f)
		if f.kind == hostFile {
			if logs == nil && folders[at] != nil && len(f.coreWords) == 0 {
				logs = folders[at].logs
			}
			f.partners = len(logs)
			for _, l := range logs {
				l.sides = append(l.sides, f)
			}
			book(joined, kind(f.host.Kind), f, len(logs))
			continue
		}
		if logs == nil {
			general[at] = append(general[at], f)
			continue
		}
		for _, l := range logs {
			l.metas = append(l.metas, &scoped{f, exact && len(logs) == 1})
		}
		book(joined, metadata, f, len(logs))
	}
	used := map[*file]int{}
	for at, here := range folders {
		for _, l := range here.logs {
			slices.SortStableFunc(l.metas, func(a, b *scoped) int { return len(b.file.coreWords) - len(a.file.coreWords) })
			for dir := at.folder; ; dir = parent(dir) {
				for _, m := range general[place{at.root, dir}] {
					l.metas = append(l.metas, &scoped{m, len(here.logs) == 1 && dir == at.folder})
					used[m]++
				}
				if dir == "" {
					break
				}
			}
		}
	}
	for _, f := range in.files {
		if n := used[f]; n > 0 {
			in.summary.Joined = append(in.summary.Joined, fmt.Sprintf("%s: metadata for %s in and below its folder", f.source, counted(n, "file")))
		} else if f.isNote() && !isJoined(joined, f) {
			in.skip("metadata without a run", "no log lies beside it or below it", f.source)
		}
	}
	in.sayJoined(joined)
	in.countSecrets()
}

func (in *ingest) sayJoined(joined map[kind]*joint) {
	for _, k := range sortedKinds(joined) {
		j := joined[k]
		if j.files > 0 {
			in.summary.Joined = append(in.summary.Joined, fmt.Sprintf("%s: %s joined to the logs by name, the first %s", k, counted(j.files, "file"), j.first))
		}
	}
}

// besideLogs tells reports about the run of a log beside them (sb.time.x beside
// sb.o.x) from reports that are all there is.
func (in *ingest) besideLogs(logsOf func(*file) *neighbours) {
	for _, f := range in.files {
		if f.tool == nil || !f.tool.Beside {
			continue
		}
		f.coreWords = core(f.name())
		if found, _ := logsOf(f).partners(f); len(found) == 0 {
			continue
		}
		f.kind, f.tool = kind(f.tool.Name+" beside a log"), nil
		in.skip(f.kind, notYet, f.source)
	}
}

// isNote tells a note about runs from a dump of settings, and from a map that says
// nothing (a noisefloor.yaml that only configures).
func (f *file) isNote() bool {
	return f.kind == metadata && len(f.meta.Entries) > 0 && len(f.meta.Entries) <= manyKeys
}

// joint counts the side files of one kind that found their logs.
type joint struct {
	files int
	first string
	which map[*file]bool
}

func book(joined map[kind]*joint, k kind, f *file, logs int) {
	if logs == 0 {
		return
	}
	j := joined[k]
	if j == nil {
		j = &joint{first: f.source, which: map[*file]bool{}}
		joined[k] = j
	}
	j.files++
	j.which[f] = true
}

func isJoined(joined map[kind]*joint, f *file) bool {
	j := joined[f.kind]
	return j != nil && j.which[f]
}

func sortedKinds(joined map[kind]*joint) []kind {
	var list []kind
	for k := range joined {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// core is what a file name says apart from what kind of file it is.
func core(name string) []string {
	return slices.DeleteFunc(words(strings.ToLower(name)), func(w string) bool { return slices.Contains(sideWords, w) })
}

// neighbours are the logs and tables of one folder.
type neighbours struct {
	logs   []*file
	byCore map[string][]*file
}

func (n *neighbours) add(f *file) {
	f.coreWords = core(f.name())
	key := strings.Join(f.coreWords, "/")
	n.logs = append(n.logs, f)
	n.byCore[key] = append(n.byCore[key], f)
}

// manyPairs bounds the search for names that are part of others: in a folder of
// tens of thousands of files only equal names are joined.
const manyPairs = 2000

// partners finds the logs in the same folder whose names say the same as the side
// file's, or if there is none, those whose names say that and more.
func (n *neighbours) partners(f *file) (found []*file, exact bool) {
	mine := f.coreWords
	if n == nil || len(mine) == 0 {
		return nil, false
	}
	if found := n.byCore[strings.Join(mine, "/")]; found != nil {
		return found, true
	}
	if len(n.logs) > manyPairs {
		return nil, false
	}
	for _, l := range n.logs {
		if isPart(mine, l.coreWords) {
			found = append(found, l)
		}
	}
	return found, false
}

// isPart tells whether all words of part come in whole, in this order.
func isPart(part, whole []string) bool {
	for _, w := range whole {
		if len(part) > 0 && part[0] == w {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// said gives what the metadata of a file says under a key, "" if nothing.
func (f *file) said(key string) string {
	if f.sayings == nil {
		f.sayings = map[string]string{}
		for _, m := range slices.Backward(f.metas) { // the nearest last, so that it counts
			for _, e := range m.file.meta.Entries {
				f.sayings[e.Key] = e.Value.String()
			}
		}
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
	from := map[string]*file{}
	for _, m := range f.metas {
		for _, e := range m.file.meta.Entries {
			if was := from[e.Key]; was != nil {
				if before, _ := was.meta.Get(e.Key); before != e.Value && was.folder() == m.file.folder() && len(was.coreWords) == len(m.file.coreWords) {
					in.problems.add(datasets.Problem{Source: m.file.source, Kind: "contradiction", Text: e.Key + " is " + e.Value.String() + " here and " + before.String() + " in " + was.source, Count: 1})
				}
				continue
			}
			from[e.Key] = m.file
			list = append(list, named{moment(e.Key, m.own), e.Value, "metadata"})
		}
	}
	return list
}

// moment spells the keys of a beginning and an end. When a session began is not
// when each of its runs did; the ending _at tells every reader that it is no factor.
func moment(key string, own bool) string {
	spelled := key
	switch builtin, _ := column.Builtin(key); {
	case builtin == "started_at":
		spelled = "started_at"
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

// countSecrets says which keys were left out, by name.
func (in *ingest) countSecrets() {
	names := map[string]bool{}
	for _, f := range in.files {
		for _, s := range f.meta.Secrets {
			names[s] = true
		}
		for _, c := range f.schema.Columns {
			if c.Use == table.Secret {
				names[column.Name(c.Heading)] = true
			}
		}
	}
	if len(names) > 0 {
		in.note("left out because the name says secret: %s", strings.Join(sortedKeys(names), ", "))
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

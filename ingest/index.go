package ingest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/naming"
	"noisefloor/ingest/runmeta"
	"noisefloor/ingest/table"
)

// A small table that names logs says what these are, as people keep it beside logs
// whose names only count:
//
//	file,build,rep
//	001.log,base,1
//	002.log,patched,1

// indexOf reads what a table says about each of the files that it names; head is all of
// it. A file of several rows has several runs, and nobody knows which row is of which.
func (in *ingest) indexOf(head []byte, tables table.Tables) map[string]*runmeta.Map {
	column, cells := tables.Paths()
	if head == nil || len(cells) == 0 || len(tables) > 1 {
		return nil
	}
	index := map[string]*runmeta.Map{}
	err := tables[0].Read(bytes.NewReader(head), in.tz, func(run *datasets.Run, _ int) error {
		m := &runmeta.Map{}
		for _, c := range tables[0].Columns {
			if v := run.Value(c.Name); c.Name != column && (c.Use == table.Factor || c.Use == table.Builtin) && !v.IsNull() {
				m.Entries = append(m.Entries, runmeta.Entry{Key: c.Name, Value: v})
			}
		}
		path := run.Value(column).String()
		if _, again := index[path]; again {
			m = nil
		}
		index[path] = m
		return nil
	}, func(datasets.Problem) {})
	if err != nil {
		return nil
	}
	return index
}

// joinIndexes gives the rows of such tables to the logs in and below their folders.
func (in *ingest) joinIndexes() {
	if !slices.ContainsFunc(in.files, func(f *file) bool { return f.index != nil }) {
		return
	}
	byName := map[string][]*file{}
	for _, l := range in.files {
		if l.tool != nil {
			byName[naming.Stem(l.name())] = append(byName[naming.Stem(l.name())], l)
		}
	}
	for _, f := range in.files {
		found := 0
		for _, path := range sortedKeys(f.index) {
			m, log := f.index[path], f.listed(path, byName)
			if m == nil || log == nil {
				continue
			}
			row := &file{root: f.root, rel: f.rel, source: f.source, kind: metadata, content: &content{meta: m, host: noContent.host}, around: &around{coreWords: log.core()}}
			own := log.surroundings()
			own.metas = append(own.metas, &scoped{file: row, own: true})
			found++
		}
		switch {
		case found > 0:
			in.summary.Joined = append(in.summary.Joined, fmt.Sprintf("%s: its rows describe %s that they name", f.source, counted(found, "log")))
		case len(f.index) > 0 && f.kind == metadata:
			in.skip("list of files", "no log that it names is there", f.source)
		}
		if f.index != nil {
			f.contents().index = nil
		}
	}
}

// listed finds the log that a row names: the only one in and below the folder that is
// called so, or else the one whose path ends so.
func (f *file) listed(path string, byName map[string][]*file) (log *file) {
	path = strings.TrimPrefix(strings.ReplaceAll(path, `\`, "/"), "./")
	var below, same []*file
	for _, l := range byName[naming.Stem(base(path))] {
		if l.root != f.root || f.Folder() != "" && !strings.HasPrefix(l.Folder()+"/", f.Folder()+"/") {
			continue
		}
		below = append(below, l)
		if strings.HasSuffix("/"+l.Folder()+"/"+l.name(), "/"+path) {
			same = append(same, l)
		}
	}
	switch {
	case len(below) == 1:
		return below[0]
	case len(same) == 1:
		return same[0]
	}
	return nil
}

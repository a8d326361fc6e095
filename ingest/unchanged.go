package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"noisefloor/datasets"
)

// A second call passes by what the first has read: files that are on the disk as
// they were, of which the same is said as then, and beside which the same files
// lie, unchanged too. The mark of a source tells it. It is given when everything of
// the file is in the data set, so that a call that was stopped loses nothing.

// Remembering is a Sink that knows what it was given in earlier calls.
// *datasets.Writer is one.
type Remembering interface {
	Sink
	SourceAt(path string) (datasets.Source, bool)
	StillThere(source func(path string) bool)
}

// settled is how old a file must be for its time to tell the next change: clocks of
// file systems are coarse.
const settled = 2 * time.Second

// group are files that are read together: a log and what lies beside it.
type group struct {
	of      *group // the group that this one became a part of
	waiting int    // files that are not read yet
	changed bool
	read    []readFile // to be marked when all are
}

type readFile struct {
	file   *file
	source datasets.Source
}

func (g *group) root() *group {
	for g.of != nil {
		g = g.of
	}
	return g
}

func (g *group) join(other *group) {
	if a, b := g.root(), other.root(); a != b {
		b.of = a
		a.changed = a.changed || b.changed
	}
}

// program tells this build of the program from others, which may read more.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// diskMark tells a file on the disk from what it may become, "" if that cannot be
// told.
func (in *ingest) diskMark(d *diskFile) string {
	if in.memory == nil || d.MTime.IsZero() || in.called.Sub(d.MTime) < settled || in.program == "" {
		return ""
	}
	return short(sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d", in.program, d.Path, d.Size, d.MTime.UnixNano())))
}

func short(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:6]) }

// rememberedSHA gives the hash of a file that has not changed.
func (in *ingest) rememberedSHA(f *file, d *diskFile) string {
	mark := in.diskMark(d)
	if mark == "" {
		return ""
	}
	if s, ok := in.memory.SourceAt(f.source); ok && len(s.Mark) > len(mark) && s.Mark[:len(mark)] == mark {
		return s.SHA256
	}
	return ""
}

// grouped gives the group of a file that does not stand alone.
func (f *file) grouped() *group {
	if f.group == nil {
		f.group = &group{}
	}
	return f.group
}

// passUnchanged finds the files that need not be read, and says so.
func (in *ingest) passUnchanged() {
	if in.memory == nil {
		return
	}
	said := map[string][]datasets.Problem{} // by source
	for _, p := range in.problems.list {
		said[p.Source] = append(said[p.Source], p)
	}
	for _, f := range in.files {
		in.eachRelated(f, func(other *file) { f.grouped().join(other.grouped()) })
	}
	for _, d := range in.disk {
		disk := in.diskMark(d)
		for _, f := range d.files {
			if f.isMap() { // read while looking
				continue
			}
			if disk != "" {
				f.mark = disk + in.saidMark(f, said[f.source])
			}
			s, _ := in.memory.SourceAt(f.source)
			f.passed = f.mark != "" && s.Mark == f.mark
			if !f.passed && f.group != nil {
				f.group.root().changed = true
			}
		}
	}
	passed := map[string]bool{}
	for _, f := range in.files {
		if f.passed = f.passed && (f.group == nil || !f.group.root().changed); f.passed {
			passed[f.source] = true
			s, _ := in.memory.SourceAt(f.source)
			in.summary.Known += s.Runs
			in.summary.Unchanged++
		}
	}
	if len(passed) == 0 {
		return
	}
	in.started += in.summary.Known
	in.problems.list = slices.DeleteFunc(in.problems.list, func(p datasets.Problem) bool { return passed[p.Source] }) // they are known
	in.memory.StillThere(func(path string) bool { return passed[path] })
}

// eachRelated yields the files that a file is read together with.
func (in *ingest) eachRelated(f *file, yield func(*file)) {
	for _, other := range slices.Concat(f.besides, f.sides, f.hosts, f.beside.others) {
		yield(other)
	}
	if f.beside.of != nil {
		yield(f.beside.of)
	}
	if f.team != nil {
		for _, other := range f.team.files {
			if other != f {
				yield(other)
			}
		}
	}
}

// saidMark is a hash of what is said about a file, and of what lies beside it.
func (in *ingest) saidMark(f *file, problems []datasets.Problem) string {
	h := sha256.New()
	o := &in.opt
	fmt.Fprintln(h, f.kind, in.tz, o.DayFromMtime, o.MaxSize, o.MaxRatio, f.day.Unix(), f.seriesSource, f.beside.label, f.passedBy, problems)
	for _, name := range sortedKeys(o.Map) {
		fmt.Fprintln(h, name, o.Map[name])
	}
	for _, c := range f.told {
		d := in.columns[c.name]
		fmt.Fprintln(h, c.name, c.value.Kind(), c.value, c.from, c.rank, d.Kind, d.Role, d.Guess)
	}
	if f.kind == runTable {
		io.WriteString(h, f.tables.String())
	}
	in.eachRelated(f, func(other *file) { fmt.Fprintln(h, other.source) })
	return "-" + short([sha256.Size]byte(h.Sum(nil)))
}

// mark completes a source that was read, or keeps it until its group is.
func (in *ingest) mark(f *file, source *datasets.Source) {
	if f.group == nil {
		source.Mark = f.mark
	}
}

// expectGroups counts the files that each group waits for.
func (in *ingest) expectGroups() {
	in.marking = map[string]*file{}
	for _, f := range in.files {
		if f.group == nil || f.passed || f.isMap() {
			continue
		}
		f.group.root().waiting++
		if f.mark != "" {
			in.marking[f.source] = f
		}
	}
}

// remember keeps the sources of a part that are marked when their group is read.
func (in *ingest) remember(p *part) {
	for _, s := range p.Sources {
		f := in.marking[s.Path]
		if f == nil {
			continue
		}
		delete(in.marking, s.Path)
		s.Mark = f.mark
		g := f.group.root()
		g.read = append(g.read, readFile{f, s})
		if f.team == nil { // the sum of a team comes behind its files
			in.came(f)
		}
	}
}

func (in *ingest) came(f *file) {
	g := f.group.root()
	if g.waiting--; g.waiting == 0 {
		in.whole = append(in.whole, g)
	}
}

// seal marks the sources of the groups whose last file has been read and handed on.
func (in *ingest) seal(sink Sink) error {
	for _, g := range in.whole {
		b := datasets.Batch{}
		for _, r := range g.read {
			if in.held[r.source.Path] != nil || in.courses[r.file] != nil {
				b.Sources = nil // a file beside it could not be read: the next call tries again
				break
			}
			b.Sources = append(b.Sources, r.source)
		}
		g.read = nil
		if err := sink.Add(&b); err != nil {
			return err
		}
	}
	in.whole = nil
	return nil
}

package ingest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/encoding/unicode"

	"noisefloor/datasets"
	"noisefloor/ingest/hoststat"
	"noisefloor/ingest/internal/archive"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/naming"
	"noisefloor/ingest/internal/secret"
	"noisefloor/ingest/machine"
	"noisefloor/ingest/runmeta"
	"noisefloor/ingest/table"
)

// file is one file of use, with what was read of it before the runs. A folder may
// have a hundred thousand, nearly all of them logs with nothing beside them: what
// only some have stands apart.
type file struct {
	disk    *diskFile
	root    int
	rel     string // relative to the PATH
	source  string // in the data set
	place   int32  // n-th file in its disk file
	threads int32  // of a log: from its head, 0 if it is not there
	mtime   int64  // nanoseconds since 1970, 0 = unknown
	begins  uint64 // hash of how it begins
	kind    kind
	tool    *load.Tool // of a log
	sha     string     // of tables and metadata, which are read whole, and of big logs
	told    []claim    // what is guessed from the path, then the outcome
	mark    string     // see unchanged.go
	group   *group     // of those that it is read together with; nil = it stands alone
	passed  bool       // it is in the data set already, unchanged

	*content // read by all, written by way of contents
	*around  // read by all, written by way of surroundings
}

// content is what a file has that is no ordinary log.
type content struct {
	tables       table.Tables            // of a file of tables, and of an object that might be one row; the next two are empty for others, too
	meta         *runmeta.Map            // of metadata
	host         *hoststat.Head          // of a side file
	ahead        *ahead                  // of a huge log
	size         int64                   // of tables, metadata and huge logs
	hosts        []*file                 // of a side file: the logs it belongs to
	day          time.Time               // of a side file: the midnight before its first report
	seriesSource string                  // of a side file
	beside       beside                  // of a profile or counters
	passedBy     bool                    // a better form of the same profile is read
	pathColumn   string                  // of a table: the column with the paths of logs
	cells        map[string]*file        // of a table: what these say
	index        map[string]*runmeta.Map // of a table: what it says of the files that it names
}

// around is what lies beside a log and is said about it.
type around struct {
	team      *teamwork // of the log of one of several clients
	together  int32     // threads of all of them, where their names say so
	metas     []*scoped // of a log or table: nearest first
	sides     []*file   // of a log: its host statistics
	besides   []*file   // of a log: the profiles and counters of its run
	settings  *file     // of a log: the variables of its server; nil = unknown
	laidOut   []named   // from a layout
	matched   bool      // a layout matched
	coreWords []string
	sayings   map[string]string // what the metadata says, by key
	forgotten []string          // keys of it that the path knows better
}

// What files have that have nothing of it; never written.
var (
	noContent = content{meta: &runmeta.Map{}, host: &hoststat.Head{}}
	noAround  around
)

// contents gives what is the file's own of it, to be written.
func (f *file) contents() *content {
	if f.content == &noContent {
		own := noContent
		f.content = &own
	}
	return f.content
}

// surroundings likewise.
func (f *file) surroundings() *around {
	if f.around == &noAround {
		f.around = &around{}
	}
	return f.around
}

// isMeasured tells whether the file holds runs.
func (f *file) isMeasured() bool {
	return f.tool != nil || f.kind == runTable || f.kind.isBeside() && f.beside.of == nil && !f.passedBy
}

// segments cuts the path into folders and name; an archive is a folder, without
// the ending of its name.
func (f *file) segments() []string {
	var list []string
	archives := strings.Split(secret.Clean(f.rel), "!")
	for i, part := range archives {
		steps := strings.Split(part, "/")
		if i < len(archives)-1 {
			steps[len(steps)-1] = naming.Stem(steps[len(steps)-1])
		}
		list = append(list, steps...)
	}
	return list
}

func parent(rel string) string {
	i := strings.LastIndexByte(rel, '/')
	if i < 0 {
		return ""
	}
	return rel[:i]
}

// isPacked tells whether the file is in an archive.
func (f *file) isPacked() bool { return strings.Contains(f.rel, "!") }

// name is the file's own name.
func (f *file) name() string { return f.rel[strings.LastIndexAny(f.rel, "/!")+1:] }

// looked is what looking at one disk file gave.
type looked struct {
	files    []*file
	stamps   []stamps // of files of pt-stalk
	skipped  []skippedFile
	problems []datasets.Problem
	members  int
	inside   bool // it is a container
	xz       bool // with xz streams
	err      error
}

type skippedFile struct {
	kind         kind
	note, source string
}

// look reads the heads of all files, and of some files everything: what is needed
// before the first run can be described.
func (in *ingest) look(ctx context.Context) error {
	var wait sync.WaitGroup
	var order sync.Mutex
	var failed error
	waiting, merged := map[int]*looked{}, 0
	next := make(chan int)
	oneXZ := make(chan struct{}, 1)
	for range in.opt.Workers {
		wait.Go(func() {
			for i := range next {
				r := in.lookAt(ctx, in.disk[i], oneXZ)
				in.looked.Add(1)
				order.Lock()
				for waiting[i] = &r; waiting[merged] != nil && failed == nil; merged++ {
					failed = in.merge(in.disk[merged], waiting[merged])
					delete(waiting, merged)
				}
				order.Unlock()
			}
		})
	}
	wait.Go(func() {
		defer close(next)
		for i := range in.disk {
			next <- i
		}
	})
	in.sayLooking(&wait)
	return cmp.Or(failed, ctx.Err())
}

// merge takes what was found of the next disk file.
func (in *ingest) merge(d *diskFile, r *looked) error {
	d.files, d.members, d.container, d.xz = r.files, r.members, r.inside, r.xz
	in.summary.Files += r.members
	in.files = append(in.files, r.files...)
	for _, s := range r.skipped {
		in.skip(s.kind, s.note, s.source)
	}
	for _, p := range r.problems {
		in.problems.add(p)
		if in.unread == "" && !slices.ContainsFunc(r.skipped, func(s skippedFile) bool { return p.Text == article(string(s.kind)) }) {
			in.unread = p.Source + ": " + p.Text
		}
	}
	for _, s := range r.stamps {
		in.collect(s)
	}
	return r.err
}

// sayLooking reports how far the workers are until they are done.
func (in *ingest) sayLooking(workers *sync.WaitGroup) {
	progress := Progress{Looking: true, TotalFiles: len(in.disk)}
	for _, d := range in.disk {
		progress.TotalBytes += d.Size
	}
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	ticks := time.NewTicker(reportEach)
	defer ticks.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticks.C:
			if in.opt.Progress != nil {
				progress.Files, progress.Bytes = int(in.looked.Load()), in.onDisk.Load()
				in.opt.Progress(progress)
			}
		}
	}
}

func (in *ingest) lookAt(ctx context.Context, d *diskFile, oneXZ chan struct{}) (r looked) {
	open := in.opener(func(rel, kind, text string) {
		r.problems = append(r.problems, datasets.Problem{Source: in.source(d.root, rel), Kind: kind, Text: text, Count: 1})
	})
	open.OneXZ = oneXZ
	r.err = open.Open(ctx, d.Disk, func(it *archive.File) error {
		r.inside, r.xz = r.inside || !it.Plain, it.XZ
		f := &file{disk: d, root: d.root, rel: it.Rel, source: in.source(d.root, it.Rel), place: int32(r.members),
			begins: maphash.Bytes(in.seed, it.Head), content: &noContent, around: &noAround}
		if !it.MTime.IsZero() {
			f.mtime = it.MTime.UnixNano()
		}
		r.members++
		in.lookInto(ctx, f, it, &r, d)
		return nil
	})
	return r
}

// opener opens files as the options say.
func (in *ingest) opener(problem func(rel, kind, text string)) archive.Opener {
	return archive.Opener{MaxSize: in.opt.MaxSize, MaxRatio: in.opt.MaxRatio, Ignored: in.ignore.Fits, Problem: problem, Read: &in.onDisk}
}

// notYet is what the summary says of formats that are recognised only.
const notYet = "recognised, not read yet"

func (in *ingest) lookInto(ctx context.Context, f *file, it *archive.File, r *looked, d *diskFile) {
	s := sniff(it.Head, it.Whole, f.name())
	if s.dialect.Form == table.Columnar && it.Plain && isPartOfSet(d) {
		return // raw logs beside a data set are read, the data set itself is not
	}
	if s.tool == nil && !it.Whole {
		n := len(it.Head)
		it.Deepen() // a preamble may be long, and a table is known by its rows
		if !s.decided(it.Head[:n], it.Head) {
			s = sniff(it.Head, it.Whole, f.name())
		}
	}
	f.kind, f.tool = s.kind, s.tool
	if of := f.collectionOf(); of != "" {
		r.stamps = append(r.stamps, stamps{of, hoststat.Stamps(it.Head)})
	}
	problem := func(kind, text string) {
		r.problems = append(r.problems, datasets.Problem{Source: f.source, Kind: kind, Text: text, Count: 1})
	}
	skip := func(k kind, note string) { r.skipped = append(r.skipped, skippedFile{k, note, f.source}) }
	if f.tool != nil {
		if f.tool.Threads != nil {
			f.threads = int32(f.tool.Threads(it.Head))
		}
		if it.Plain {
			f.sha = in.rememberedSHA(f, d)
		}
		if f.sha == "" {
			f.readAhead(ctx, it)
		}
		r.files = append(r.files, f)
		return
	}
	switch s.kind {
	case hostFile:
		host := hoststat.ReadHead(s.host, decoded(it.Head))
		f.contents().host = &host
	case variables, optionFile, serverSummary, perfScript, perfData, foldedStacks, pprofProfile, perfReport, perfStat, serverStatus, waitSummary, innodbStatus, innodbMetrics, processList, activeSessions:
	case metadata, machineFile:
		data, sha, err := slurp(it.Body, runmeta.MaxSize)
		if err != nil {
			problem("not-read", string(s.kind)+": "+err.Error())
			return
		}
		f.sha, f.contents().size = sha, int64(len(data))
		var meta runmeta.Map
		if s.kind == machineFile {
			meta, err = machine.Parse(utf8Text(data))
		} else {
			meta, err = runmeta.Parse(utf8Text(data))
		}
		meta = meta.Without("noisefloor") // the configuration, see config.go
		f.contents().meta = &meta
		if s.kind == metadata {
			f.contents().tables = table.Object(utf8Text(data), in.names)
		}
		switch {
		case errors.Is(err, runmeta.ErrNotMap):
			skip(unknown, "")
			problem("not-read", "looks like metadata but is no map of keys and values")
			return
		case err != nil:
			problem("broken-metadata", err.Error())
		}
	case runTable:
		if !in.study(ctx, f, it, s.dialect, problem, skip) {
			return
		}
	case ownPart:
		return // raw logs beside it are read, the data set itself is not
	case changeList:
		skip(s.kind, "noisefloor history reads it")
		return
	default:
		note := notYet
		if s.kind.isProblem() {
			note = ""
			problem("not-read", describeUnread(s.kind, it.Head))
		} else if s.kind == document {
			note = ""
		} else if s.kind == otherStalk {
			note = otherCollected(f.name(), len(bytes.TrimSpace(it.Head)) == 0)
		}
		skip(s.kind, note)
		return
	}
	r.files = append(r.files, f)
}

// isPartOfSet tells the parts of a data set, which lie in a folder for each table
// below its list of parts, from tables that somebody keeps.
func isPartOfSet(d *diskFile) bool {
	f, err := os.Open(filepath.Join(filepath.Dir(filepath.Dir(d.Path)), "dataset.json"))
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, archive.HeadSize)
	n, _ := io.ReadFull(f, head)
	return manifest.Match(head[:n])
}

// study reads a table to learn its columns.
func (in *ingest) study(ctx context.Context, f *file, it *archive.File, d table.Dialect, problem func(kind, text string), skip func(kind, string)) bool {
	var all []byte
	if it.Whole {
		all = bytes.Clone(it.Head)
	}
	h := &hashingReader{in: it.Body, ctx: ctx, sum: sha256.New()}
	tables, err := table.Study(h, d, in.names)
	if err == nil {
		_, err = io.Copy(io.Discard, h)
	}
	if errors.Is(err, table.ErrPart) {
		skip("table of an export", err.Error())
		return false
	}
	if err != nil {
		problem("not-read", "table: "+err.Error())
		return false
	}
	usable, others := tables.Usable()
	if len(usable) == 0 {
		schema := others[0]
		if heading, ok := schema.Intervals(); ok && !schema.OfIntervals() {
			skip("table of intervals", "one row seems to be a moment inside a run, not a run")
			problem("intervals-in-table", "column "+heading+" seems to be a time inside a run; if it is, call it t_s: --map t_s="+heading)
			return false
		}
		if index := in.indexOf(all, others); index != nil {
			own := f.contents()
			f.kind, own.index, own.size, f.sha = metadata, index, h.n, h.hex()
			return true
		}
		if schema.Samples() {
			skip("table of intervals", "so many rows that nothing tells apart seem to be moments inside a run, not runs")
			problem("intervals-in-table", fmt.Sprintf("%d rows and no column that tells them apart: moments of one run need a column t_s with its seconds, runs a column run", schema.Rows))
			return false
		}
		if d.Form == table.Drawn { // a drawing in a document, the output of some program
			skip(document, "")
			return false
		}
		skip("table without measurements", "")
		problem("not-read", "a table in which nothing is known as a measurement: "+schema.Headings()+"; --map tps=COLUMN names one")
		return false
	}
	for _, s := range others {
		problem("another-table", fmt.Sprintf("line %d: a table in which nothing is known as a measurement: %s", s.Line(), s.Headings()))
	}
	own := f.contents()
	own.tables, own.index, own.size = usable, in.indexOf(all, usable), h.n
	f.sha = h.hex()
	return true
}

// slurp reads a whole small file.
func slurp(r io.Reader, most int) ([]byte, string, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, "", err
	}
	if len(data) > most {
		return nil, "", errors.New("longer than " + strconv.Itoa(most>>10) + " kB")
	}
	sum := sha256.Sum256(data)
	return data, hex.EncodeToString(sum[:]), nil
}

// utf8Text decodes UTF-16 with a byte order mark, as PowerShell writes it.
func utf8Text(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte("\xff\xfe")) && !bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return data
	}
	text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
	if err != nil {
		return data
	}
	return text
}

// describeUnread says what a file is that nobody reads.
func describeUnread(k kind, head []byte) string {
	text := article(string(k))
	if k == unknown {
		line := secret.Clean(strings.ToValidUTF8(string(bytes.TrimSpace(firstLines(bytes.TrimSpace(head), 1))), "?"))
		if len(line) > 100 {
			line = line[:100] + "..."
		}
		text = "no format that is known"
		if len(head) >= archive.HeadSize && !bytes.ContainsAny(head, "\r\n") {
			text += fmt.Sprintf(", with a first line of more than %d kB", len(head)>>10)
		}
		text += "; it begins: " + strings.ToValidUTF8(line, "?")
	}
	return text
}

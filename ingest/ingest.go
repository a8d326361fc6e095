package ingest

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/layout"
	"noisefloor/ingest/internal/naming"
	"noisefloor/ingest/internal/secret"
	"noisefloor/ingest/internal/sums"
	"noisefloor/ingest/perfdata"
)

// Options say what is known beforehand. The zero value guesses everything.
type Options struct {
	Layout []string          // templates; the first that matches a file describes it
	Set    map[string]string // key=value for every run
	Map    map[string]string // other names: what a file or a guess calls it -> what it is to be called; "" leaves it out
	// Ignore holds patterns of paths to pass by, as in layouts ("*" one segment,
	// "**" any); a pattern without "/" is a name at any depth.
	Ignore []string
	// Join says which log a side file belongs to where its name does not: entries
	// "vmstat.txt=run7.log" of two such patterns; nothing behind "=" is no log.
	Join []string
	TZ   *time.Location // of times written without a zone; nil is UTC
	// DayFromMtime takes the time of a file for the end of its run where nothing
	// else says when it ran.
	DayFromMtime bool

	MaxSize  int64   // bytes of one decompressed file; 0 is 64 GiB
	MaxRatio float64 // decompressed to compressed, beyond the first 64 MiB; 0 is 1000
	Workers  int     // files read at a time; 0 is the number of CPUs, at most 8
	Progress func(Progress)
	Stdin    io.Reader // what the PATH "-" reads; nil is os.Stdin
}

// Progress is how far an ingest is. It looks at all files before it reads those of
// use, which are counted one by one then, in archives too.
type Progress struct {
	Looking           bool
	Files, TotalFiles int
	Bytes, TotalBytes int64 // on disk
	Runs              int
}

// Sink takes the rows. A batch has whole runs: the intervals and buckets of a run
// come with it. The batch belongs to the ingest and is used again afterwards.
// *datasets.Writer is a Sink.
type Sink interface{ Add(*datasets.Batch) error }

// Summary is what an ingest did, in numbers and in sentences for a person.
type Summary struct {
	Files     int   // that were looked at, archive members apart
	Bytes     int64 // decompressed, of everything that was read
	Runs      int
	Complete  int // runs that may feed verdicts
	Intervals int
	Stacks    int // distinct ones, of all profiles
	Counters  int
	Samples   int // of time series beside the runs
	Unchanged int // files that were read in an earlier call, and not again
	Known     int // runs of these
	Waits     int
	Problems  int // kinds of thing not understood, over all files

	Guesses []string // how factors were found: "rep: 3 levels (1, 2, 3), from the file name"
	Joined  []string // which files were read together
	Skipped []Skipped
	Notes   []string // what else a person should know: zones assumed, secrets left out
	Config  Config   // what noisefloor.yaml files in the PATHs say

	// Nothing says in one sentence why there is nothing to analyse; "" if there is.
	Nothing string
}

// Skipped is a kind of file whose content was not read, or not all of it.
type Skipped struct {
	Kind  string
	Files int
	Note  string // what was read of it, "" if nothing
	First string // the first such file
}

// Presets are the layouts that are known by name.
var Presets = layout.Presets

// named is one thing said about a run.
type named struct {
	name  string
	value datasets.Value
	from  string // how a column says it was found
}

const (
	defaultMaxSize  = 64 << 30
	defaultMaxRatio = 1000
)

// Run reads everything below the paths into the sink. Bad files are problem
// records; the error is one of the options, of the sink, or of the context.
// After a cancelled context the sink has whole runs only.
func Run(ctx context.Context, paths []string, opt Options, sink Sink) (Summary, error) {
	in, err := prepare(paths, opt)
	if err != nil {
		return Summary{}, err
	}
	defer in.cleanUp()
	in.memory, _ = sink.(Remembering)
	in.program, in.called = program(), time.Now()
	if err := in.walk(ctx, paths); err != nil {
		return in.summary, err
	}
	if err := in.look(ctx); err != nil {
		return in.summary, err
	}
	if err := in.describe(); err != nil {
		return in.summary, err
	}
	err = in.scan(ctx, sink)
	in.finish()
	return in.summary, err
}

// ingest is the state of one Run.
type ingest struct {
	opt     Options
	layouts layout.List
	ignore  layout.List
	asked   []asked
	set     []named
	tz      *time.Location
	tzSaid  bool // a zone was given
	seed    maphash.Seed

	roots   []root
	disk    []*diskFile              // in the order of the walk
	files   []*file                  // that are of use, members of archives too, in that order
	paths   map[naming.File][]string // what is guessed from
	cells   []*file                  // logs that only the cells of tables name
	temp    string                   // where stdin is kept, "" if there is none
	columns map[string]datasets.Column
	dropped []string          // metadata keys that only repeat the threads
	results map[string]bool   // metadata keys left out because they are results
	names   map[string]string // Options.Map, by heading and by column name
	sayings map[saying]*saying

	courses map[*file]*course    // host files that are not handed on yet
	waitFor map[string][]*course // likewise, by source of a log
	windows map[string][]window  // runs beside which host files lie, by source
	untimed map[string][]float64 // assumed intervals of host files without times, by tool
	outside int                  // values before and after the runs

	collections map[string]collection // of pt-stalk, by path
	numbered    numberedLogs          // made when it is asked for
	byNumber    map[string]*joint     // what was found there, by kind of name

	memory  Remembering // the sink, if it knows what it was given before
	program string
	called  time.Time
	marking map[string]*file // sources that are marked when their group is read
	whole   []*group         // that have been read to their last file

	held     map[string]*held // runs that wait for files beside them, by source
	expected map[string]int   // such files, by source of the run
	machine  *perfdata.Machine

	problems problemList
	skipped  map[passed]*Skipped
	order    []passed // by appearance
	summary  Summary
	unread   string // why the first file was not, where that is not its kind alone
	started  int    // runs that got under way
	failed   string // what the first run that did not said about it
	cannot   []string

	looked atomic.Int64 // files on the disk
	onDisk atomic.Int64 // bytes on the disk that are looked at or read

	hashing sums.Group // the workers that scan
	cleaned cleaned    // by the sink

	// Found out by the workers.
	noted   sync.Map    // factors that scripts wrote above the runs in their logs
	mixes   atomic.Bool // workloads were guessed from what runs did
	alike   atomic.Bool // some of them may be of several kinds
	noYear  atomic.Bool // time stamps without a year were read
	unzoned atomic.Bool // time stamps without a zone were read
}

// root is one PATH.
type root struct {
	path   string
	prefix string // in front of every source, where there are several PATHs
}

func prepare(paths []string, opt Options) (*ingest, error) {
	in := &ingest{opt: opt, tz: opt.TZ, tzSaid: opt.TZ != nil, seed: maphash.MakeSeed(), skipped: map[passed]*Skipped{}, columns: map[string]datasets.Column{}, names: map[string]string{}, sayings: map[saying]*saying{}, results: map[string]bool{}, untimed: map[string][]float64{}, cleaned: cleaned{}, collections: map[string]collection{}}
	if len(paths) == 0 {
		return nil, errors.New("no PATH given")
	}
	if in.opt.Workers <= 0 {
		in.opt.Workers = min(runtime.NumCPU(), 8)
	}
	if in.opt.MaxSize <= 0 {
		in.opt.MaxSize = defaultMaxSize
	}
	if in.opt.MaxRatio <= 0 {
		in.opt.MaxRatio = defaultMaxRatio
	}
	in.machine = perfdata.Here()
	if in.opt.Stdin == nil {
		in.opt.Stdin = os.Stdin
	}
	if err := in.readConfigs(paths); err != nil {
		return nil, err
	}
	if in.tz == nil {
		in.tz = time.UTC
	}
	for _, from := range sortedKeys(in.opt.Map) {
		in.names[from] = in.opt.Map[from]
		if name := column.Name(from); name != "" {
			in.names[name] = in.opt.Map[from]
		}
	}
	var err error
	if in.layouts, err = layout.Parse(layout.Expand(in.opt.Layout)...); err != nil {
		return nil, err
	}
	if in.ignore, err = layout.Parse(in.opt.Ignore...); err != nil {
		return nil, err
	}
	for _, entry := range in.opt.Join {
		side, log, ok := strings.Cut(entry, "=")
		if !ok || side == "" {
			return nil, fmt.Errorf("--join %q: want a side file and the log it belongs to, vmstat.txt=run7.log", entry)
		}
		a := asked{name: log}
		if a.side, err = layout.Parse(side); err == nil && log != "" {
			a.log, err = layout.Parse(log)
		}
		if err != nil {
			return nil, fmt.Errorf("--join %q: %w", entry, err)
		}
		in.asked = append(in.asked, a)
	}
	for _, key := range slices.Sorted(maps.Keys(opt.Set)) {
		name := column.Name(key)
		switch {
		case name == "":
			return nil, fmt.Errorf("--set %s=: no name; use letters, digits and _", key)
		case unit.Of(name).Better != unit.Neither && name != "duration_s":
			return nil, fmt.Errorf("--set %s=: that is measured, not set", key)
		case secret.Name(key) && !secret.Plain(key, opt.Set[key]):
			return nil, fmt.Errorf("--set %s=: a secret has no place in a data set", key)
		}
		v := column.Value(name, opt.Set[key])
		if builtin, ok := column.Builtin(name); ok {
			var probe datasets.Run
			if err := column.Fill(&probe, builtin, v, in.tz); err != nil {
				return nil, fmt.Errorf("--set %s=%s: %w", key, opt.Set[key], err)
			}
		}
		in.set = append(in.set, named{name, v, ""})
	}
	return in, nil
}

// rename gives the name that the user wants for a factor; "" leaves it out.
func (in *ingest) rename(name string) string {
	if to, ok := in.names[name]; ok {
		return column.Name(to)
	}
	return name
}

func (in *ingest) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(in.summary.Notes, text) {
		in.summary.Notes = append(in.summary.Notes, text)
	}
}

// passed is what files are passed by for.
type passed struct {
	kind kind
	note string
}

func (in *ingest) skip(what kind, note, source string) {
	k := passed{what, note}
	s := in.skipped[k]
	if s == nil {
		s = &Skipped{Kind: string(what), Note: note, First: source}
		in.skipped[k] = s
		in.order = append(in.order, k)
	}
	s.Files++
}

func (in *ingest) cleanUp() {
	if in.temp != "" {
		os.Remove(in.temp)
	}
}

// finish completes the summary.
func (in *ingest) finish() {
	in.sayLogs()
	s := &in.summary
	for _, k := range in.order {
		s.Skipped = append(s.Skipped, *in.skipped[k])
	}
	if in.started > 0 {
		return
	}
	s.Nothing = in.nothing()
	if in.unread != "" && in.summary.Runs == 0 {
		s.Nothing += "; " + quoted(in.unread)
	}
}

// nothing says why there is nothing to analyse.
func (in *ingest) nothing() string {
	where := make([]string, len(in.roots))
	for i, r := range in.roots {
		where[i] = r.path
	}
	place := strings.Join(where, ", ")
	if in.summary.Runs > 0 {
		return fmt.Sprintf("no run in %s got under way (%s looked at): %s", place, counted(in.summary.Runs, "run"), in.failed)
	}
	var parts []string
	for _, k := range in.order {
		s := in.skipped[k]
		parts = append(parts, counted(s.Files, s.Kind))
	}
	switch {
	case len(in.cannot) > 0 && in.summary.Files == 0:
		return strings.Join(in.cannot, "; ")
	case in.summary.Files == 0:
		return fmt.Sprintf("there is no file in %s", place)
	case in.summary.Files == 1 && len(in.order) == 1:
		return fmt.Sprintf("%s is no log and no table of runs but %s", in.skipped[in.order[0]].First, article(string(in.order[0].kind)))
	}
	others := map[kind]int{}
	for _, f := range in.files {
		if slices.Contains(settingKinds, f.kind) {
			others[f.kind]++
		}
	}
	for _, k := range settingKinds {
		if others[k] > 0 {
			parts = append(parts, counted(others[k], string(k)))
		}
	}
	text := "there is no log and no table of runs in " + place
	if len(parts) > 0 {
		text += ", only " + strings.Join(parts, ", ")
	}
	if len(in.cannot) > 0 {
		text += "; " + strings.Join(in.cannot, "; ")
	}
	return text
}

// counted writes "1 image", "3 images".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	switch {
	case strings.HasSuffix(what, "s") || strings.HasSuffix(what, " without a run") || strings.HasSuffix(what, "text") || strings.HasSuffix(what, "data") || strings.HasPrefix(what, "profile"):
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func article(what string) string {
	if strings.ContainsAny(what[:1], "aeiouAEIOU") {
		return "an " + what
	}
	return "a " + what
}

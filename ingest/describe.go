package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/naming"
	"noisefloor/ingest/internal/secret"
)

// rank says who wins when two say different things about a run. What a log says
// about itself stands between guesses and what was written down on purpose.
type rank int8

const (
	guessedRank rank = iota
	sideRank
	metaRank
	layoutRank
	setRank
)

// claim is what the description of a file says about all its runs.
type claim struct {
	*saying
	value datasets.Value
}

// saying is what claims have in common, one for all files.
type saying struct {
	name    string
	from    string // how a column says it was found
	builtin string // "" for a factor
	rank    rank
}

// claim makes one.
func (in *ingest) claim(n named, r rank) claim {
	builtin, ok := column.Builtin(n.name)
	if !ok {
		builtin = ""
	}
	s := saying{n.name, n.from, builtin, r}
	if in.sayings[s] == nil {
		in.sayings[s] = &s
	}
	return claim{in.sayings[s], n.value}
}

// describe settles what is said about the runs of every file.
func (in *ingest) describe() error {
	in.join()
	var logs, tables, profiles []*file
	for _, f := range in.files {
		if !f.isMeasured() {
			continue
		}
		if parts, ok := in.layouts.Match(f.rel); ok {
			own := f.surroundings()
			own.matched = true
			for _, p := range parts {
				own.laidOut = append(own.laidOut, named{p.Name, datasets.Text(secret.Clean(p.Text)), "layout"})
			}
		}
		switch {
		case f.matched:
		case f.tool != nil:
			logs = append(logs, f)
		case f.kind.isBeside():
			profiles = append(profiles, f)
		default:
			tables = append(tables, f)
		}
	}
	typeLayouts(in.files)
	if err := in.sayLayouts(slices.Concat(logs, profiles), tables); err != nil {
		return err
	}
	in.readPaths(in.files)
	// Apart: a table of results beside the logs has a name of its own kind.
	in.guess(logs)
	in.guess(tables)
	in.guess(profiles)
	in.paths = nil
	in.sayTables()
	in.guessCells()
	in.dropRepeats()
	dates := in.dateOrder()
	in.nameSeries()
	in.dateHosts(dates)
	for _, f := range in.files {
		if f.isMeasured() {
			in.claims(f, dates)
		}
	}
	for _, f := range in.cells {
		in.claims(f, dates)
	}
	in.teams()
	in.typeFactors()
	if len(in.results) > 0 {
		in.note("results in metadata files are not read, the logs are: %s", strings.Join(sortedKeys(in.results), ", "))
	}
	return nil
}

func (in *ingest) sayLayouts(logs, tables []*file) error {
	if len(in.layouts) == 0 {
		return nil
	}
	others := slices.Concat(logs, tables)
	matched := 0
	for _, f := range in.files {
		if f.matched {
			matched++
		}
	}
	if matched == 0 && len(others) > 0 {
		return fmt.Errorf("no file matches --layout, which is held against the path below PATH, such as %s", others[0].rel)
	}
	if matched > 0 {
		in.summary.Guesses = append(in.summary.Guesses, fmt.Sprintf("%s described by --layout", counted(matched, "file")))
	}
	if len(others) > 0 {
		in.summary.Guesses = append(in.summary.Guesses, fmt.Sprintf("%s matched by no --layout, the first %s: factors guessed from the path", counted(len(others), "file"), others[0].source))
	}
	return nil
}

// typeLayouts turns the texts of a layout into values: a name whose texts all are
// numbers is a number.
func typeLayouts(files []*file) {
	whole := map[string]bool{}
	kinds := map[string]datasets.Kind{}
	for _, f := range files {
		for _, n := range f.laidOut {
			if _, ok := whole[n.name]; !ok {
				whole[n.name] = !column.Textual(n.name)
			}
			whole[n.name] = whole[n.name] && naming.NumberWord.MatchString(n.value.String())
			kinds[n.name] = column.Unify(kinds[n.name], column.Value(n.name, n.value.String()).Kind())
		}
	}
	for _, f := range files {
		for i := range f.laidOut {
			n := &f.laidOut[i]
			if _, builtin := column.Builtin(n.name); builtin {
				continue // Fill knows what it needs; launch 01 stays 01
			}
			v := column.Value(n.name, n.value.String())
			if whole[n.name] {
				v = column.Value("", strings.TrimLeft(n.value.String(), "0"))
				if v.IsNull() {
					v = datasets.Int(0)
				}
				n.value = v
				continue
			}
			n.value = column.Convert(v, kinds[n.name])
		}
	}
}

// sayTables says what the columns of the tables were taken for, once per kind of
// table.
func (in *ingest) sayTables() {
	first := map[string]string{}
	count := map[string]int{}
	var order []string
	for _, f := range in.files {
		if f.kind != runTable {
			continue
		}
		text := f.tables.String()
		if count[text]++; count[text] == 1 {
			first[text] = f.source
			order = append(order, text)
		}
	}
	for _, text := range order {
		who := first[text]
		if n := count[text]; n > 1 {
			who = fmt.Sprintf("%s and %s like it", who, counted(n-1, "table"))
		}
		in.summary.Guesses = append(in.summary.Guesses, who+": "+text)
	}
}

// guessCells guesses from the paths of logs that stand in the cells of a table, as
// from those of logs that are there.
func (in *ingest) guessCells() {
	for _, f := range in.files {
		if f.kind != runTable {
			continue
		}
		column, cells := f.tables.Paths()
		if len(cells) < 2 {
			continue
		}
		logs := make([]*file, len(cells))
		own := f.contents()
		own.pathColumn, own.cells = column, map[string]*file{}
		for i, cell := range cells {
			logs[i] = &file{rel: strings.TrimPrefix(strings.ReplaceAll(cell, `\`, "/"), "./"), source: f.source, kind: runTable, content: &noContent, around: &noAround}
			own.cells[cell] = logs[i]
		}
		in.summary.Guesses = append(in.summary.Guesses, fmt.Sprintf("%s: from the paths in its column %s:", f.source, column))
		in.readPaths(logs)
		in.guess(logs)
		in.cells = append(in.cells, logs...)
	}
}

func (in *ingest) guess(files []*file) {
	files, copies := packedCopies(files)
	if len(files) == 0 { // and no copies
		return
	}
	var prefixes []string
	if len(in.roots) > 1 {
		for _, f := range files {
			prefix := in.roots[f.root].prefix
			if f.source == prefix { // the PATH is this file: its name says it all
				prefix = ""
			}
			prefixes = append(prefixes, prefix)
		}
	}
	in.naming().Read(asNamed(files), in.paths, prefixes, metaKeys(files))
	for f, of := range copies {
		f.told = of.told
	}
}

// packedCopies takes out the files that lie unpacked beside their archive as well:
// its path would count as what varies. Where only some of an archive were unpacked,
// and nothing else is there, these are taken out. They are told by name and beginning.
func packedCopies(files []*file) (rest []*file, copies map[*file]*file) {
	type twin struct {
		name   string
		begins uint64
	}
	lie := [2]map[twin]*file{{}, {}} // unpacked, and in archives
	place := func(f *file) int {
		if f.isPacked() {
			return 1
		}
		return 0
	}
	for _, f := range files {
		lie[place(f)][twin{f.name(), f.begins}] = f
	}
	all := func(side int) bool {
		for t := range lie[side] {
			if lie[1-side][t] == nil {
				return false
			}
		}
		return true
	}
	out := 1
	if all(0) && !all(1) {
		out = 0
	}
	copies = map[*file]*file{}
	for _, f := range files {
		if of := lie[1-out][twin{f.name(), f.begins}]; of != nil && place(f) == out {
			copies[f] = of
		} else {
			rest = append(rest, f)
		}
	}
	return rest, copies
}

// claims collects what is said about a file's runs; the highest rank wins, and of
// one rank the first.
func (in *ingest) claims(f *file, dates dateOrder) {
	var all []claim
	add := func(r rank, list []named) {
		for _, n := range list {
			if n.name = in.rename(n.name); n.name == "" || slices.Contains(in.dropped, n.name) {
				continue
			}
			if _, number := n.value.Number(); r == metaRank && number && isResult(n.name) {
				in.results[n.name] = true
				continue
			}
			all = append(all, in.claim(n, r))
		}
	}
	add(setRank, in.set)
	add(layoutRank, f.laidOut)
	add(metaRank, in.metaSays(f))
	add(sideRank, in.sideSays(f, dates))
	if f.settings != nil {
		add(sideRank, []named{{settingsFrom, datasets.Text(f.settings.source), "the folder"}})
	}
	for _, c := range f.told { // guesses are renamed already
		if !slices.Contains(in.dropped, c.name) {
			all = append(all, c)
		}
	}
	taken := map[string]bool{}
	told := all[:0]
	for _, c := range all {
		target := cmp.Or(c.builtin, c.name)
		if taken[target] {
			continue
		}
		if c.builtin != "" {
			var probe datasets.Run
			if err := column.Fill(&probe, c.builtin, c.value, in.tz); err != nil {
				in.problems.add(datasets.Problem{Source: f.source, Kind: "bad-value", Text: fmt.Sprintf("%s %s: %v", c.name, c.value, err), Count: 1})
				continue
			}
		}
		taken[target] = true
		told = append(told, c)
	}
	f.told = slices.Clone(told)
}

// typeFactors gives each factor one type over all files, and declares it.
func (in *ingest) typeFactors() {
	distinct := map[string]map[datasets.Value]bool{}
	count := map[string]int{}
	all := slices.Concat(in.files, in.cells)
	for _, f := range all {
		for _, c := range f.told {
			if c.builtin != "" {
				continue
			}
			d := in.columns[c.name]
			if d.Name == "" {
				d = datasets.Column{Name: c.name, Role: column.Role(c.name), Guess: c.from}
				if c.name == settingsFrom {
					d.Role = datasets.Key
				}
				distinct[c.name] = map[datasets.Value]bool{}
			}
			d.Kind = column.Unify(d.Kind, c.value.Kind())
			in.columns[c.name] = d
			distinct[c.name][c.value] = true
			count[c.name]++
		}
	}
	for name, d := range in.columns {
		if d.Guess == "metadata" && len(distinct[name]) == count[name] && isLabel(d.Kind, count[name]) {
			d.Role, d.Guess = datasets.Condition, "metadata: a label, different for each run"
			in.columns[name] = d
		}
	}
	for _, f := range all {
		for i, c := range f.told {
			if c.builtin == "" {
				f.told[i].value = column.Convert(c.value, in.columns[c.name].Kind)
			}
		}
	}
}

// isLabel: a number in the metadata that never comes back was measured and not
// set: a load average, a process id. A few whole numbers may be a sweep.
func isLabel(k datasets.Kind, levels int) bool {
	return k == datasets.FloatKind && levels >= 3 || k == datasets.IntKind && levels >= 12
}

// resultWords are in the names of results and hardly in those of settings
// (long_query_time is one of these).
var resultWords = strings.Fields("tps qps eps rps iops throughput nopm tpm tpmc latency lat transactions queries errors reconnects p50 p75 p90 p95 p98 p99 p999")

// isResult tells results from descriptions among metadata keys: avg_nopm, tps,
// total_errors. Harnesses get their own sums wrong now and then, and no result
// is a factor.
func isResult(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "_"), func(word string) bool { return slices.Contains(resultWords, word) })
}

// apply puts the description of a file on one of its runs.
func (in *ingest) apply(f *file, run *datasets.Run, problem func(datasets.Problem)) {
	for _, c := range f.told {
		if c.builtin == "" {
			if was := run.Factors[c.name]; was.IsNull() || c.rank == setRank {
				run.Factors[c.name] = c.value
			}
			continue
		}
		if !in.outranks(f, run, c, problem) {
			continue
		}
		if err := column.Fill(run, c.builtin, c.value, in.tz); err == nil && c.builtin == "started_at" {
			run.StartedFrom = map[rank]string{guessedRank: "name", sideRank: "side-file", metaRank: "sidecar", layoutRank: "name", setRank: "sidecar"}[c.rank]
		}
	}
	if run.Day == "" && run.Session == "" && run.Started.IsZero() { // what metadata of several runs say of their sitting
		if t, _, err := column.Time(run.Factors["session_started_at"].String(), in.tz); err == nil {
			run.Day = t.In(in.tz).Format(time.DateOnly)
		}
	}
	if run.Started.IsZero() && in.opt.DayFromMtime && f.mtime != 0 {
		ended := time.Unix(0, f.mtime).UTC()
		started := ended
		if run.Duration > 0 {
			started = ended.Add(-seconds(run.Duration))
		}
		// Where the folder gives the day, the time of the file may still give the order:
		// unless it was copied since, and is of another day.
		if date := func(t time.Time) string { return t.In(in.tz).Format(time.DateOnly) }; run.Day == "" || date(started) == run.Day || date(ended) == run.Day {
			run.Started, run.StartedFrom = started, "mtime"
		}
	}
}

// outranks tells whether a claim fills a built-in column of a run that its log may
// have filled already.
func (in *ingest) outranks(f *file, run *datasets.Run, c claim, problem func(datasets.Problem)) bool {
	was := run.Value(c.builtin)
	switch {
	case was.IsNull():
		// The start that files name is that of the first run; when the others in
		// the same log began nobody knows.
		return c.builtin != "started_at" || run.Part == 1 || f.kind == runTable
	case c.rank == setRank:
		return true
	case f.kind == runTable, c.rank == guessedRank, was.String() == c.value.String():
		return false // a cell of the row itself, and the log itself, know better than a path
	case c.builtin == "started_at":
		if t, _, err := column.Time(c.value.String(), in.tz); err == nil && t.Sub(run.Started).Abs() < aboutNow {
			return false
		}
	case c.builtin == "workload":
		return true // written down on purpose: more telling than the script's name
	}
	if x, ok := c.value.Number(); ok {
		if y, ok := was.Number(); ok && x == y {
			return false
		}
	}
	problem(datasets.Problem{Source: f.source, Kind: "contradiction", Count: 1,
		Text: fmt.Sprintf("%s is %s in the log and %s in the %s; the log's is kept", c.builtin, was, c.value, c.where())})
	return false
}

func (c claim) where() string {
	switch c.rank {
	case metaRank:
		return "metadata"
	case layoutRank:
		return "layout"
	}
	return "side file"
}

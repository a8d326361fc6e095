package naming

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/datasets/natural"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/secret"
)

// guesser names what varies in the paths of a group of files, without any
// configuration, and says so.
type guesser struct {
	files  []File
	paths  map[File][]string
	prefix []string // the name of each file's PATH, if there are several PATHs
	keys   []string // of the metadata of all
	*Names

	taken  map[string]levels // columns so far
	order  []string
	nth    int // path1, path2, ... so far
	denied []denial
	agreed map[int]bool // files whose names say the threads of the log; nil = none
}

// guess gives each file its guessed values, in g.files' order.
func (g *guesser) guess() {
	g.taken = map[string]levels{}
	g.together()
	paths, threads := make([][]string, len(g.files)), make([]int, len(g.files))
	for i, f := range g.files {
		paths[i], threads[i] = g.paths[f], threadsOf(f)
	}
	for _, s := range slots(paths, g.prefix, threads) {
		columns := s.align()
		slices.SortStableFunc(columns, func(a, b levels) int { return shapeLast(a) - shapeLast(b) })
		for _, l := range columns {
			g.take(l)
		}
	}
	g.findOrder()
	for _, name := range g.order {
		g.keep(name, g.taken[name])
	}
	for _, d := range g.denied {
		if g.agreed == nil || d.apart || strings.HasPrefix(d.word, "thr") { // t4_8th: four tables
			g.Problem(d.problem)
		}
	}
}

// denial is a name that says another number of threads than its log, by a word that
// may stand for something else.
type denial struct {
	word    string
	apart   bool // by names that say nothing else of threads
	problem datasets.Problem
}

// shapeLast: columns with a shape come first, so that a word that only repeats
// one of them is dropped and not the other way round.
func shapeLast(l levels) int {
	if l.name == "" {
		return 1
	}
	return 0
}

// take names one thing that the names say, or drops it.
func (g *guesser) take(l levels) {
	list, _ := l.distinct()
	if len(list) == 0 || secret.Name(l.name) && slices.ContainsFunc(list, func(v string) bool { return !secret.Plain(l.name, v) }) {
		return
	}
	if key := g.coarser(l); key != "" {
		if l.name == "version" || l.name == "kernel" { // either may be of something else
			g.say("%s in %s says more than %s in the metadata; both are kept", Show(list), l.place, key)
			l.name = ""
		} else {
			g.say("%s in %s says more than %s in the metadata, and counts", Show(list), l.place, key)
			for _, f := range g.files {
				f.Forget(key)
			}
		}
	}
	switch l.name {
	case Ambiguous:
		for i, v := range l.values {
			if v != "" {
				g.Problem(datasets.Problem{Source: g.files[i].Source(), Kind: Ambiguous, Count: 1,
					Text: v + " in the path: " + column.ErrAmbiguous.Error() + ", or give --set day="})
			}
		}
		return
	case "day", "session", "workload": // also constant ones: the log does not say them
		if !g.isKnown(l, list) {
			g.add(l.name, l)
		}
		return
	case "started_at":
		g.times(l, len(list))
		return
	}
	if g.isThreads(l, list) {
		return
	}
	if l.name == threadsNamed+"t" && isCount(list) && !g.knowsThreads() {
		l.name = "" // t1.csv, t2.csv: tests, or tables
	}
	if strings.HasPrefix(l.name, threadsNamed) && !l.varies() && !g.knowsThreads() {
		g.add("threads", l) // no log says it
		return
	}
	if !l.varies() || g.isKnown(l, list) {
		return
	}
	if words, numbers, inOrder, ok := crossed(l); l.name == "" && ok {
		what, name := "each repeated", "rep"
		if inOrder {
			what, name = "in this order", "order"
		}
		g.say("%s in %s are read as %s, %s (%s): a guess", Show(list), l.place, Show(distinctOf(words)), what, Show(distinctOf(numbers)))
		g.take(words)
		g.add(name, numbers)
		return
	}
	if word, numbers, ok := again(l); l.name == "" && ok {
		g.say("%s in %s are taken for repetitions of %s: a guess; with {arm} in --layout they are compared", Show(list), l.place, word)
		g.add("rep", numbers)
		return
	}
	l, list = g.spell(l, list)
	if !l.varies() {
		return
	}
	name := l.name
	if slices.Contains(metricWords, name) {
		name = ""
	}
	switch {
	case slices.Contains(processWords, name) && isCount(list):
		name = Client
	case name == "d" && l.place != fileName && Counting(setOf(list)):
		name = "day"
		for i, v := range l.values {
			if v != "" {
				l.values[i] = "d" + v
			}
		}
		g.say("d%s in %s are taken for days: a guess", strings.Join(list, ", d"), l.place)
	case strings.HasPrefix(name, threadsNamed):
		name = g.threadsName(strings.TrimPrefix(name, threadsNamed))
	case name != "":
	case l.glued && g.repeats(l, list):
		name = "rep"
		g.say("%s behind the versions in %s are taken for repetitions: a guess", Show(list), l.place)
	case l.glued && g.glue(l):
		return
	case len(list) > 1 && all(list, isWeekday):
		name = "day"
		g.say("%s in %s are taken for days: a guess", Show(list), l.place)
	case all(list, isDaytime):
		name = "daytime"
	case all(list, hasProduct):
		name = "build"
	case all(list, func(v string) bool { return v == lacking || isAllocator(v) }):
		name = "allocator"
	case all(list, isWorkload), mostStatements(list):
		name = "workload"
	}
	g.add(name, l)
}

func all(list []string, is func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !is(s) })
}

// times: a moment that several files share is when a batch began: their day.
func (g *guesser) times(l levels, distinct int) {
	count := 0
	for _, v := range l.values {
		if v != "" {
			count++
		}
	}
	if distinct == count {
		g.add("started_at", l)
		return
	}
	for i, v := range l.values {
		if v != "" {
			l.values[i] = v[:len("2006-01-02")]
		}
	}
	g.add("day", l)
}

// isThreads drops a number that is the number of threads the log names: always, or
// mostly where the word beside it says threads. A name that says another number than
// its log is a problem, also if it is the same name everywhere.
func (g *guesser) isThreads(l levels, list []string) bool {
	says := strings.HasPrefix(l.name, threadsNamed) || l.name == "threads"
	same, other := 0, 0
	first, number := -1, 0   // that another number stands in
	apart := g.agreed != nil // from the names that say the threads
	for i, v := range l.values {
		n, err := strconv.Atoi(v)
		switch {
		case v == "":
			continue
		case err != nil:
			return false
		case g.files[i].Threads() == 0:
		case n == threadsOf(g.files[i]):
			same++
		default:
			if other++; first < 0 {
				first, number = i, n
			}
		}
		apart = apart && !g.agreed[i]
	}
	mostly := same >= other || apart
	if other > 0 && says && (mostly || !l.varies()) {
		word := strings.TrimPrefix(l.name, threadsNamed)
		g.denied = append(g.denied, denial{word, apart, datasets.Problem{Source: g.files[first].Source(), Kind: "contradiction", Count: other,
			Text: fmt.Sprintf("threads is %d in the log and %d in %s (beside %q); the log's is kept", g.files[first].Threads(), number, l.place, word)}})
	}
	if isTheirs := other == 0 && same > 0 || other > 0 && says && mostly; !isTheirs {
		return false
	}
	if other == 0 && g.agreed == nil {
		g.agreed = map[int]bool{}
	}
	for i, v := range l.values {
		if other == 0 && v != "" {
			g.agreed[i] = true
		}
		if n, err := strconv.Atoi(v); err == nil && g.files[i].Threads() == 0 {
			g.Tell(g.files[i], "threads", datasets.Int(int64(n)), "")
		}
	}
	always := "always"
	if other > 0 {
		always = "but for " + counted(other)
	}
	if l.varies() && same > 0 {
		g.say("threads: %s in %s %s equals the threads in the log; not a factor of its own", Show(list), l.place, always)
	}
	return true
}

// threadsName: the number beside such a word is the threads where no log says
// otherwise, and else something that only looks like it.
func (g *guesser) threadsName(word string) string {
	switch {
	case !g.knowsThreads():
		return "threads"
	case word == "threads" || word == "thread":
		return "threads_named"
	}
	return word
}

func (g *guesser) knowsThreads() bool {
	return slices.ContainsFunc(g.files, func(f File) bool { return f.Threads() > 0 })
}

// arms are what the levels under comparison are called in metadata; sittings tell
// runs or groups of them apart.
var (
	arms     = []string{"version", "server_version", "build", "allocator", "arm", "config", "workload"}
	sittings = []string{"session", "day", "launch", "order", "sweep", "block", "profiled"}
)

// isKnown drops what a metadata file says too, in the same or in other words.
func (g *guesser) isKnown(l levels, list []string) bool {
	for _, key := range g.keys {
		if key == l.name && g.saidOfAll(key) {
			return true // what is written down counts, not what a name looks like
		}
		if key == "started_at" || column.Role(key) == datasets.Condition {
			continue
		}
		same := true
		forth, back := map[string]string{}, map[string]string{}
		for i, v := range l.values {
			said := g.files[i].Said(key)
			if v == "" || said == "" {
				same = false
				forth = nil
				break
			}
			same = same && (said == v || strings.TrimLeft(v, "0") == said)
			if was, ok := forth[v]; ok && was != said {
				forth = nil
				break
			}
			if was, ok := back[said]; ok && was != v {
				forth = nil
				break
			}
			forth[v], back[said] = said, v
		}
		unique := len(forth) == len(g.files)
		// Other words for the same levels: of the folders base and patched and the
		// metadata pool=32G and pool=64G both are kept, since either may be what
		// people call the arms.
		said := slices.Contains(arms, key) || slices.Contains(repWords, key) || slices.Contains(sittings, key)
		if same || said && l.name == "" && forth != nil && len(forth) > 1 && (!unique || key == "order") {
			g.say("%s in %s says the same as %s in the metadata; not a factor of its own", Show(list), l.place, key)
			return true
		}
	}
	return false
}

// coarser gives the key of the metadata that says of all files what l says, but one
// thing where l tells several apart: 9.7.0 of the folders 9.7.0 and 9.7.0-patched, the
// date of the setup of all days.
func (g *guesser) coarser(l levels) string {
	if l.name == "" || l.name == "rep" {
		return ""
	}
	for _, key := range g.keys {
		if builtin, _ := column.Builtin(key); key != l.name && builtin != l.name || key == "started_at" || !g.saidOfAll(key) || slices.Contains(l.values, "") {
			continue
		}
		of, more := map[string]string{}, false
		for i, v := range l.values {
			said := g.files[i].Said(key)
			if l.name == "day" && v == dayAfter(said) { // a sitting over midnight
				v, _ = column.Date(said)
			}
			if was, ok := of[said]; ok && was != v {
				more = true
			}
			of[said] = v
		}
		if more {
			return key
		}
	}
	return ""
}

// dayAfter gives the day after a date, "" if it is none.
func dayAfter(date string) string {
	day, err := column.Date(date)
	if err != nil {
		return ""
	}
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return t.AddDate(0, 0, 1).Format(time.DateOnly)
}

// saidOfAll tells whether the metadata of every file has the key.
func (g *guesser) saidOfAll(key string) bool {
	return !slices.ContainsFunc(g.files, func(f File) bool { return f.Said(key) == "" })
}

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, v := range list {
		set[v] = true
	}
	return set
}

func distinctOf(l levels) []string {
	list, _ := l.distinct()
	return list
}

// repeats tells the numbers of runs, 8.0-1, 8.0-2, 8.4-1, from those of releases:
// they count, and a version has several.
func (g *guesser) repeats(l levels, list []string) bool {
	v, ok := g.taken["version"]
	if !ok || !isCount(list) {
		return false
	}
	number := map[string]string{}
	for i, n := range l.values {
		if was, ok := number[v.values[i]]; ok && was != n {
			return true
		}
		number[v.values[i]] = n
	}
	return false
}

// glue puts the number behind a version back to it: 8.0.42-33.
func (g *guesser) glue(l levels) bool {
	v, ok := g.taken["version"]
	if !ok || v.place != l.place {
		return false
	}
	for i, number := range l.values {
		if number != "" {
			v.values[i] += "-" + number
		}
	}
	return true
}

// add books a column under its name; "" is the next path number.
func (g *guesser) add(name string, l levels) {
	if name == "" {
		for _, k := range g.order {
			if slices.Equal(g.taken[k].values, l.values) {
				list, _ := l.distinct()
				g.say("%s in %s repeats %s", Show(list), l.place, k)
				return
			}
		}
		g.nth++
		name = "path" + strconv.Itoa(g.nth)
	}
	was, ok := g.taken[name]
	if ok && slices.Equal(was.values, l.values) {
		return // a session's folder inside an archive of the same name
	}
	if ok && (name == "day" || name == "session" || name == "started_at") {
		// The nearest to the file is the run's own.
		for i, v := range l.values {
			if v != "" {
				was.values[i] = v
			}
		}
		was.place += " and " + l.place
		g.taken[name] = was
		return
	}
	if ok && was.name != "" && apart(was.values, l.values) { // bp25 in a folder here, in another there
		for i, v := range l.values {
			if v != "" {
				was.values[i] = v
			}
		}
		if was.place != l.place {
			was.place += " and " + l.place
		}
		g.taken[name] = was
		return
	}
	for base, n := name, 2; ok; n++ {
		name = base + strconv.Itoa(n)
		_, ok = g.taken[name]
	}
	l.values = slices.Clone(l.values)
	g.taken[name] = l
	g.order = append(g.order, name)
}

// apart tells whether no file has a value in both.
func apart(a, b []string) bool {
	for i := range a {
		if a[i] != "" && b[i] != "" {
			return false
		}
	}
	return true
}

// keep types a column's values, gives them to the files and says so.
func (g *guesser) keep(name string, l levels) {
	list, absent := l.distinct()
	to := g.Rename(name)
	if to == "" {
		g.say("%s: left out as asked", name)
		return
	}
	_, isBuiltin := column.Builtin(to) // Fill knows what it needs; launch 01 stays 01
	whole := all(list, NumberWord.MatchString) && !column.Textual(name)
	kind := datasets.Null
	value := func(text string) datasets.Value {
		if isBuiltin {
			return datasets.Text(text)
		}
		if whole {
			if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				return datasets.Int(n)
			}
		}
		return column.Value(name, text)
	}
	for _, v := range list {
		kind = column.Unify(kind, value(v).Kind())
	}
	from := "path: " + l.place
	for i, v := range l.values {
		if v == "" {
			continue
		}
		g.Tell(g.files[i], to, column.Convert(value(v), kind), from)
		if date := strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz"); name == "session" {
			if day, err := column.Date(date); err == nil {
				g.Tell(g.files[i], "day", datasets.Text(day), from)
			}
		}
	}
	label := to
	if to != name {
		label += " (" + name + ")"
	}
	more := ""
	if absent {
		more = ", not in every name"
	}
	if len(list) == 1 {
		g.say("%s: %s, from %s%s", label, list[0], l.place, more)
		return
	}
	g.say("%s: %d levels (%s), from %s%s", label, len(list), Show(list), l.place, more)
}

// shownLevels is how many levels a sentence names.
const shownLevels = 6

// Show lists levels or names in natural order (2G, 12G, 32G), of many the first and the
// last.
func Show(list []string) string {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, natural.Compare)
	if len(sorted) > shownLevels {
		return strings.Join(sorted[:shownLevels-1], ", ") + ", ..., " + sorted[len(sorted)-1]
	}
	return strings.Join(sorted, ", ")
}

func counted(files int) string {
	if files == 1 {
		return "1 file"
	}
	return strconv.Itoa(files) + " files"
}

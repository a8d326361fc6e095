package table

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/secret"
)

// Use is what a column of a table is for.
type Use int8

const (
	Factor   Use = iota
	Metric       // measured
	Builtin      // fills a built-in column of runs: threads, day, host, ...
	Secret       // holds passwords: never read
	Clock        // time inside a run
	Left         // left out as asked
	Arm          // of a wide table: the metric Name at some levels
	Beside       // of a wide table: a number that is of none of its runs alone
	Named        // names of the metrics, in a table with a row for each
	Units        // units of such metrics, or of those of other columns
	Several      // several numbers in a cell
	Identity     // the run that a row of an export is
	Status       // how that run ended
	Turn         // which run of several: Warmup, Run 1, Run 2
)

// Column is one column of a table and what it was taken for.
type Column struct {
	Heading string
	Name    string // the column of runs that it fills
	Use     Use
	Kind    datasets.Kind
	Unit    unit.Unit
	Scale   float64 // metrics: cell times Scale is in the base unit
	Why     string
	Levels  []level       // that an arm is
	unitAt  int           // a metric: where its units stand in each row, counted from 1
	Role    datasets.Role // "": what its name says
	Dates   column.Order  // of cells like 03/04/2026 and 26-03-02
	Guess   string        // what that order was guessed by, if it was
	Carried bool          // an empty cell means the one above
	Warm    bool          // of turns: some are warm-ups
}

// dates gives the order of numbers in which the cells are to be read as dates, and
// what that is guessed by, if it is.
func (t *tally) dates() (order column.Order, guess string) {
	var numbers, known []string
	for _, cell := range slices.Sorted(maps.Keys(t.levels)) {
		date, _, _ := strings.Cut(cell, " ")
		if column.HasOrder(date) {
			numbers = append(numbers, date)
		} else if day, err := column.Date(date); err == nil {
			known = append(known, day)
		}
	}
	return column.Settle(numbers, known)
}

// ordered writes the date that a cell begins with as 2026-01-31.
func ordered(cell string, order column.Order) string {
	date, clock, more := strings.Cut(cell, " ")
	day, ok := order.In(date)
	switch {
	case !ok:
		return cell
	case more:
		return day + " " + clock
	}
	return day
}

// maxLevels bounds what is remembered of one column.
const maxLevels = 1000

// tally is what Study learns about one column.
type tally struct {
	cells, numbers, whole, bools int
	levels                       map[string]*cellNumber // what they were read as, where that took more than digits
	many                         bool                   // more than maxLevels
	rising                       bool                   // every number above the one before
	even                         bool                   // and by the same step
	last, first                  float64
	steps                        int // rows whose distance to the row before is below half a minute, or up to two and always the same
	stride                       float64
	epochs                       int    // numbers that are seconds since 1970 of about now
	stamp                        bool   // its heading says that it holds moments
	suffixed                     int    // numbers with a unit behind them
	unit                         string // the unit behind the first number
}

// plain: pass 1, 2, 3 are repetitions.
func (t *tally) plain(name string) bool {
	for level := range t.levels {
		if !secret.Plain(name, level) {
			return false
		}
	}
	return !t.many
}

func (t *tally) add(d Dialect, cell string) {
	if isNull(cell) {
		return
	}
	t.cells++
	n, ok := t.read(d, cell)
	f := n.v
	if strings.EqualFold(cell, "true") || strings.EqualFold(cell, "false") {
		t.bools++
	}
	if !ok {
		if t.stamp {
			t.moment(cell)
		}
		return
	}
	if t.numbers == 0 {
		t.first, t.rising, t.even = f, true, true
	} else {
		step := f - t.last
		if t.numbers == 1 {
			t.stride = step
		}
		t.rising = t.rising && step > 0
		t.even = t.even && math.Abs(step-t.stride) < 1e-6*t.stride
		if step >= 0 && step < 30 {
			t.steps++
		}
	}
	t.last = f
	t.numbers++
	if n.suffix {
		t.suffixed++
	}
	if t.unit == "" && n.inBase {
		t.unit = n.unit
	}
	if f > 1e9 && f < 4e9 {
		t.epochs++
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		t.whole++
	}
}

// read is measure that remembers levels: 8.0.42 in a million rows is tried as a number
// once.
func (t *tally) read(d Dialect, cell string) (n cellNumber, ok bool) {
	known, is := t.levels[cell]
	if known != nil {
		return *known, *known != cellNumber{}
	}
	if n, ok = d.measure(cell); is || t.many {
		return n, ok
	}
	if _, plain := decimal(cell, 0); !plain {
		known = &cellNumber{}
		*known = n
	}
	t.levels[strings.Clone(cell)] = known // and not the line that it is cut from
	t.many = len(t.levels) > maxLevels
	return n, ok
}

// moment follows the times of a column of date and time as step does for numbers.
func (t *tally) moment(cell string) {
	at, _, err := column.Time(cell, time.UTC)
	if err != nil {
		return
	}
	f := float64(at.UnixMilli()) / 1000
	if step := f - t.last; t.last > 0 && step >= 0 && (step < 30 || step <= 120 && (step == t.stride || t.stride == 0)) {
		t.steps++
		t.stride = step
	}
	t.last = f
}

// numeric forgives one cell in twenty that is no number ("timeout", "killed").
func (t *tally) numeric() bool { return t.cells > 0 && t.numbers*20 >= t.cells*19 }

func (t *tally) integers() bool { return t.numeric() && t.whole == t.numbers }

// few: the levels of a factor come back; those of a measurement hardly do.
func (t *tally) few() bool { return !t.many && len(t.levels) <= 32 && len(t.levels)*2 <= t.cells }

// factorNames are number columns that are set and not measured, whatever their levels.
var factorNames = map[string]bool{}

// clockNames are times inside a run: such a table has the intervals of runs, not runs.
var clockNames = map[string]bool{}

// elapsedNames are such times if they go up from row to row, and else how long each run took.
var elapsedNames = map[string]bool{"elapsed": true, "elapsed_s": true, "sec": true, "second": true}

func init() {
	for _, n := range strings.Fields(`run rep repetition repeat iteration iter trial round sweep block attempt series seed part group
		processors procs processes cpus cores users vus concurrency connections workers terminals depth dop schemas tables table_size
		rows entries size buffer_pool pool bp port instance node shards partitions level rate warehouses scale version percentile`) {
		factorNames[n] = true
	}
	for _, n := range strings.Fields("interval t_s t time_s") {
		clockNames[n] = true
	}
}

// decide gives every column its use.
func decide(headings []string, tallies []*tally, rows int, names map[string]string) []Column {
	columns := make([]Column, len(headings))
	for i, h := range headings {
		columns[i] = one(secret.Clean(strings.TrimSpace(h)), i, tallies[i], rows, names)
	}
	// A few values at even times, and nothing that a run could differ in.
	if rows > 3 && !slices.ContainsFunc(columns, func(c Column) bool { return c.Use != Metric }) {
		for i, t := range tallies {
			if c := &columns[i]; isStamp(c.Name) && t.numbers == rows && t.even && t.stride <= 120 {
				c.Use, c.Why = Clock, "time inside a run"
			}
		}
	}
	needMetric(columns, tallies)
	uniqueNames(columns)
	return columns
}

func one(heading string, place int, t *tally, rows int, names map[string]string) Column {
	name := column.Name(heading)
	to, mapped := names[heading]
	if !mapped && name != "" {
		to, mapped = names[name]
	}
	if mapped {
		name = column.Name(to)
		if name == "" {
			return Column{Heading: heading, Use: Left, Why: "left out as asked"}
		}
	}
	if name == "" {
		name = "column" + strconv.Itoa(place+1)
	}
	c := Column{Heading: heading, Name: name, Kind: t.kind(name), Scale: 1}
	builtin, isBuiltin := column.Builtin(unwrapped(name))
	switch {
	case (secret.Name(heading) || secret.Name(name)) && !t.plain(name):
		c.Use, c.Why = Secret, "its name says password, token or key"
	case t.cells == 0:
		c.Use, c.Why = Factor, "no values"
	case clockNames[name] && (len(t.levels) > 1 || rows == 1), (isStamp(name) || elapsedNames[name] || t.epochs == t.numbers) && rows > 10 && t.steps*10 > rows*9:
		c.Use, c.Why = Clock, "time inside a run"
	case !isBuiltin && isStamp(name) && t.fits("started_at"):
		c.Use, c.Name, c.Why = Builtin, "started_at", "when each run began"
		c.Dates, c.Guess = t.dates()
	case isBuiltin && t.fits(builtin):
		c.Use, c.Name, c.Why = Builtin, builtin, "built-in column"
		if builtin == "day" || builtin == "started_at" {
			c.Dates, c.Guess = t.dates()
		}
	case t.ends(name):
		c.Use, c.Name, c.Why = Status, "status", "how each run ended"
	case !mapped && t.dated(name):
		c.Use, c.Name, c.Why = Builtin, "day", "dates"
		c.Dates, c.Guess = t.dates()
	case !t.numeric() && t.numbers*2 >= t.cells && t.numbers > 0 && isMeasure(heading):
		c.number(heading, mapped, t)
	case t.several():
		c.Use, c.Why = Several, "several numbers in a cell"
	case !t.numeric() || column.Textual(name):
		c.Use, c.Why = Factor, "text"
	case factorNames[name], isSetting(name):
		c.Use, c.Why = Factor, "known by name"
	default:
		c.number(heading, mapped, t)
	}
	return c
}

// number decides between a measurement and a factor with numbers for levels.
func (c *Column) number(heading string, mapped bool, t *tally) {
	name, u, scale, ok := known(heading)
	if _, stated, _ := unit.Heading(heading); stated == "" && t.unit != "" && heading != "" { // 3.1ms below p95
		if in := heading + " (" + t.unit + ")"; isMeasure(in) {
			name, u, scale, ok = known(in)
		}
	}
	if mapped {
		// The new name says what it is, the heading still says in which unit.
		var stated string
		_, stated, scale = unit.Heading(heading)
		name, u = c.Name, unit.With(c.Name, stated)
		ok = u.Name != ""
	}
	// A size or a count (memory: 16, 32) may be set as well as measured; one that comes back was set.
	if ok && !(u.Better == unit.Neither && t.integers() && t.few()) {
		c.Use, c.Name, c.Unit, c.Scale, c.Kind, c.Why = Metric, name, u, scale, datasets.FloatKind, "known metric"
		return
	}
	switch {
	case t.integers() && t.few():
		c.Use, c.Why = Factor, fmt.Sprintf("whole numbers, %d levels", len(t.levels))
	case t.integers() && t.rising && t.cells > 1:
		c.Use, c.Why = Factor, "whole numbers, rising"
	case isKey(name, t):
		c.Use, c.Why = Factor, "numbers that name things"
	default:
		c.Use, c.Kind, c.Why = Metric, datasets.FloatKind, "numbers that do not repeat"
	}
}

// isKey tells whole numbers that name things: wsid, c_custkey, zip code.
func isKey(name string, t *tally) bool {
	last := name[strings.LastIndexByte(name, '_')+1:]
	return t.integers() && (strings.HasSuffix(last, "id") || strings.HasSuffix(last, "key") || slices.Contains(keyWords, last))
}

var keyWords = strings.Fields("no nr num number code idx index year zip port")

// isSetting tells what a server was told from what it did: Tier (innodb_buffer_pool_size).
func isSetting(name string) bool {
	return slices.ContainsFunc([]string{"buffer_pool_size", "buffer_pool_instances", "io_capacity", "log_file_size", "redo_log_capacity", "max_connections"},
		func(setting string) bool { return strings.HasSuffix(name, setting) })
}

func isStamp(name string) bool {
	switch name {
	case "timestamp", "time", "epoch", "ts", "datetime", "unixtime", "seconds", "s":
		return true
	}
	return false
}

// fits tells whether the cells can fill the built-in column.
func (t *tally) fits(builtin string) bool {
	if builtin == "started_at" {
		return t.moments()
	}
	if isCount(builtin) && builtin != "duration_s" {
		return t.counts()
	}
	return builtin != "duration_s" || t.numeric()
}

// counts: whole numbers, and words only for what sums up the rows above.
func (t *tally) counts() bool {
	for cell := range t.levels {
		if _, ok := (Dialect{}).number(cell); !ok && !slices.Contains(summaries, column.Name(cell)) {
			return t.integers()
		}
	}
	return t.numbers > 0 && t.whole == t.numbers
}

// several are cells with more than one number: 18.65 / 21.89 / 116.06.
var several = regexp.MustCompile(`^[\d.,]+ ?[\pL/]*(?: / [\d.,]+ ?[\pL/]*)+$`)

func (t *tally) several() bool {
	for cell := range t.levels {
		if !several.MatchString(cell) {
			return false
		}
	}
	return t.cells > 0
}

// moments tells whether most of some cells are times.
func (t *tally) moments() bool {
	const enough = 20
	cells := slices.Sorted(maps.Keys(t.levels))
	cells = cells[:min(len(cells), enough)]
	good := 0
	order, _ := t.dates()
	for _, c := range cells {
		if _, _, err := column.Time(ordered(c, order), time.UTC); err == nil {
			good++
		}
	}
	return good*2 > len(cells)
}

// isCount: built-in columns that hold numbers.
func isCount(builtin string) bool {
	return builtin == "threads" || builtin == "clients" || builtin == "order" || builtin == "duration_s"
}

// dated tells whether all cells of a column are dates, those of runs and not of
// what ran.
func (t *tally) dated(name string) bool {
	if t.cells == 0 || t.many || slices.ContainsFunc(strings.Split(name, "_"), func(w string) bool { return slices.Contains(made, w) }) {
		return false
	}
	order, _ := t.dates()
	for cell := range t.levels {
		if _, err := column.Date(ordered(cell, order)); err != nil || column.IsVersion(cell) || len(cell) < len("1/1/26") || !strings.ContainsAny(cell, "-/.") {
			return false
		}
	}
	return true
}

// made are words in the names of dates of what ran.
var made = strings.Fields("build built release released version commit committed compiled snapshot tag branch revision")

// ends tells whether a column says how runs ended.
func (t *tally) ends(name string) bool {
	if !slices.Contains(endNames, unwrapped(name)) || t.cells == 0 || t.many {
		return false
	}
	for cell := range t.levels {
		if ended(cell) == "" {
			return false
		}
	}
	return true
}

var (
	endNames = strings.Fields("ok success succeeded successful passed completed status outcome")
	good     = strings.Fields("ok true yes y success succeeded successful pass passed complete completed done finished")
	bad      = strings.Fields("false no n fail failed failure error timeout timed_out crash crashed killed aborted oom")
)

// ended gives the status that a cell says, "" if it says none.
func ended(cell string) datasets.Status {
	word := column.Name(cell)
	switch {
	case slices.Contains(good, word):
		return datasets.Complete
	case slices.Contains(bad, word):
		return datasets.FatalWithSummary
	}
	return ""
}

func (t *tally) kind(name string) datasets.Kind {
	switch {
	case column.Textual(name), t.suffixed > 0: // 32G stays 32G
		return datasets.TextKind
	case t.integers() && t.numbers == t.cells:
		return datasets.IntKind
	case t.numeric() && t.numbers == t.cells:
		return datasets.FloatKind
	case t.cells > 0 && t.bools == t.cells:
		return datasets.BoolKind
	}
	return datasets.TextKind
}

// needMetric: a table without a measurement has none to compare. Then the number
// column that takes the most values is the one (penicillin: diameter by plate
// and sample). A list of logs, one a row, has none.
func needMetric(columns []Column, tallies []*tally) {
	best := -1
	for i, c := range columns {
		switch {
		case c.Use == Metric, c.hasPaths(tallies[i]) && len(tallies[i].levels) == tallies[i].cells:
			return
		case c.Use == Factor && tallies[i].numeric() && !factorNames[c.Name] && !isSetting(c.Name) && !column.Textual(c.Name) && !isKey(c.Name, tallies[i]):
			if best < 0 || len(tallies[i].levels) > len(tallies[best].levels) {
				best = i
			}
		}
	}
	if best >= 0 {
		columns[best].Use, columns[best].Kind, columns[best].Why = Metric, datasets.FloatKind, "the number column with the most values"
	}
}

// uniqueNames keeps two headings that mean the same (p99 and latency_p99) apart.
func uniqueNames(columns []Column) {
	seen := map[string]bool{}
	for i := range columns {
		c := &columns[i]
		if c.Use == Secret || c.Use == Clock || c.Use == Left || c.Use == Beside || c.Use == Several {
			continue
		}
		if seen[c.Name] {
			if c.Use == Builtin {
				c.Use, c.Why = Factor, "a second column for "+c.Name
			}
			c.Name = column.Name(c.Heading)
		}
		for base, n := c.Name, 2; seen[c.Name]; n++ {
			c.Name = base + strconv.Itoa(n)
		}
		seen[c.Name] = true
	}
}

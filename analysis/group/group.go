// Package group turns rows into keyed samples: it finds the factor under
// comparison and its base, decides what each other factor is for, places every
// run on a day, and says what was pooled over and what moves together with the
// arm. Every choice is explained, because a wrong guess here makes a right
// interval about the wrong question.
//
// The road: roles.go (what is each factor for), by.go (which one is compared,
// against what), day.go (when), cells.go (strata x metrics).
package group

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// Options are the user's choices; the zero value guesses everything.
type Options struct {
	By      string   // factor under comparison
	Base    string   // its level to compare against
	Ignore  []string // factors, conditions or "order" that must not refuse or split
	Metrics []string // first is primary; "a/b" forms a ratio per run
	Where   []string // expressions that every run must match; see Where
	// X is a factor with numbers that curves are drawn against: no stratum, and
	// not the change. Runs without such a number take part in nothing.
	X string
	// FromMtime counts file times as start times; without it a run whose only
	// date is a file's has no day.
	FromMtime bool
}

// Field is a factor and its level.
type Field struct {
	Name  string
	Value datasets.Value
}

// Role is what a factor does in this design.
type Role string

const (
	By        Role = "by"        // the change itself
	Axis      Role = "x"         // what curves are drawn against
	Stratum   Role = "stratum"   // held equal in one comparison
	Noise     Role = "noise"     // replication: rep, day, launch, session, order
	Condition Role = "condition" // not the change, does not split: moves with the arm or with the day
	Alias     Role = "alias"     // says the same as another factor
	Label     Role = "label"     // unique to a run, or measured per run
	Constant  Role = "constant"
)

// Factor is one factor of the data set and what it is for.
type Factor struct {
	Name   string
	Role   Role
	Levels []datasets.Value // in print order: versions as versions, numbers as numbers
	Runs   []int            // runs per level, parallel to Levels
	Null   int              // runs without a value
	Why    string           // "moves with version", "says the same as threads", ...
}

// Design is what the experiment looks like before any statistics.
type Design struct {
	By      string // "" = none found
	ByWhy   string
	Choices []string // candidates when By is "" because there are several
	Base    string
	BaseWhy string
	Arms    []string // base first
	Factors []Factor
	Days    []string // known days, in time order
	// Interleaved: 1 arms alternate, 0 unknown, -1 one arm always ran first.
	Interleaved int
	Conditions  []string // known of the machine: host, kernel, ...
	Aliased     []Moves  // conditions and loads that move with the arm
	AlsoDiffers []string // what changes because of the arm: variables, versions
	Splits      []string // strata of which no two arms share a level: held equal, they leave nothing to compare
	Matched     int      // runs that the filter lets through, incomplete ones too
	Runs        []Placed // every usable run, for the picture of arms x days x runs
}

// Moves is a condition that is different in every arm that it is known for.
type Moves struct {
	Condition string
	Arms      [2]string // base and contender
	Levels    [2]string // as they are there
}

// Placed is where one run stands in the design.
type Placed struct {
	RunID  string
	Arm    string
	Day    string // "" unknown
	Launch string
	Slot   float64 // NaN unknown
}

// Cell is one stratum and metric, ready for compare and noise.
type Cell struct {
	Metric   string
	Unit     unit.Unit
	Primary  bool
	Stratum  []Field
	Runs     []compare.Run // Arm indexes Design.Arms
	RunIDs   []string      // parallel to Runs
	Xs       []float64     // parallel to Runs, with Options.X
	LeftOut  []int         // incomplete runs, per arm
	Exposure []float64     // seconds observed, per arm; 0 = unknown
	Warnings []analysis.Warning
}

// Pair takes the base and one contender out of the cell, numbered 0 and 1.
func (c *Cell) Pair(contender int) []compare.Run {
	n := 0
	for i := range c.Runs {
		if arm := c.Runs[i].Arm; arm == 0 || arm == contender {
			n++
		}
	}
	pair := make([]compare.Run, 0, n)
	for _, r := range c.Runs {
		switch r.Arm {
		case 0:
			pair = append(pair, r)
		case contender:
			r.Arm = 1
			pair = append(pair, r)
		}
	}
	return pair
}

// unknownNamed is how many unknown fields the words of a stratum have at most: of
// tables with little in common each lacks nearly all that the others have.
const unknownNamed = 4

// Words prints a stratum as people say it: "8 threads, oltp_read_write".
func Words(stratum []Field) string {
	unknown := 0
	for _, f := range stratum {
		if f.Value.IsNull() {
			unknown++
		}
	}
	tooMany := unknown > unknownNamed && unknown < len(stratum)
	var text strings.Builder // tables with nothing in common have thousands of fields
	for _, f := range stratum {
		if tooMany && f.Value.IsNull() {
			continue
		}
		if text.Len() > 0 {
			text.WriteString(", ")
		}
		value := f.Value.String()
		switch {
		case f.Value.IsNull():
			text.WriteString(f.Name + " unknown")
		case f.Name == "threads" && f.Value == datasets.Int(1):
			text.WriteString("1 thread")
		case f.Name == "threads":
			text.WriteString(value + " threads")
		case f.Name == "workload":
			text.WriteString(value)
		default:
			text.WriteString(f.Name + " " + value)
		}
	}
	return text.String()
}

// Analyse finds the design in the rows and sorts the complete runs into cells,
// in print order: metric, then strata with numbers ascending. The error is for
// a name that the user gave and that is not there.
func Analyse(runs []datasets.Run, columns []datasets.Column, opt Options) (Design, []Cell, []analysis.Warning, error) {
	if len(opt.Where) > 0 {
		kept, err := Where(runs, columns, opt.Where)
		if err != nil {
			return Design{}, nil, nil, err
		}
		if len(kept) == 0 && len(runs) > 0 {
			return Design{}, nil, nil, NoMatch{Runs: len(runs), Where: opt.Where, NeverSeen: neverSeen(runs, columns, opt.Where)}
		}
		runs = kept
	}
	compared, aside := setAside(runs, opt)
	s := newSurvey(compared, columns, opt)
	s.design.Matched = len(runs)
	s.warnings = append(s.warnings, aside...)
	if err := s.checkNames(); err != nil {
		return Design{}, nil, nil, err
	}
	s.placeDays()
	s.placeSlots()
	s.sortRoles()
	if err := s.chooseBy(); err != nil {
		return Design{}, nil, nil, err
	}
	s.settleRoles()
	s.placeRuns()
	cells, err := s.cells()
	if err != nil {
		return Design{}, nil, nil, err
	}
	if w, any := s.rowsRepeated(); any {
		s.warnings = append(s.warnings, w)
	}
	if w, any := errorsSeen(runs, cells); any {
		s.warnings = append(s.warnings, w)
	}
	s.warnings = append(s.warnings, hostDoubts(compared, cells)...)
	return s.design, cells, s.warnings, nil
}

// NoMatch: the filter leaves nothing.
type NoMatch struct {
	Runs  int // there were
	Where []string
	// NeverSeen says which level no run has; "" if it is not a matter of one.
	NeverSeen string
}

func (e NoMatch) Error() string {
	hint := e.NeverSeen
	if hint == "" {
		hint = "noisefloor info lists factors and levels"
	}
	return fmt.Sprintf("--where %s: none of the %d runs matches; %s", strings.Join(e.Where, " and "), e.Runs, hint)
}

// errorsSeen says how often transactions failed, if nobody asked for it: a build
// that fails fast is fast.
func errorsSeen(runs []datasets.Run, cells []Cell) (analysis.ErrorsSeen, bool) {
	const metric = "errors_per_s"
	if slices.ContainsFunc(cells, func(c Cell) bool { return c.Metric == metric }) {
		return analysis.ErrorsSeen{}, false
	}
	w := analysis.ErrorsSeen{Of: len(runs)}
	for i := range runs {
		if v, ok := runs[i].Metrics[metric]; ok && v > 0 {
			w.Runs++
			w.Most = max(w.Most, v)
		}
	}
	return w, w.Runs > 0
}

// asidePhases are what is run before and after what is measured.
var asidePhases = []string{"warmup", "prewarmup", "prewarm", "preheat", "prepare", "preload", "cleanup"}

// setAside takes out what stands beside the runs to be compared: runs under a
// profiler, which slows what it watches, runs that only warm up or prepare, rows of
// tables that lie beside logs, which usually are a summary of them, and tables that
// say again what another one says. Who names these in --where or --by gets them.
func setAside(runs []datasets.Run, opt Options) ([]datasets.Run, []analysis.Warning) {
	var warnings []analysis.Warning
	apart := func(factor string, isApart func(*datasets.Run) bool, warn func(n int) analysis.Warning) {
		if opt.By == factor || slices.ContainsFunc(opt.Where, func(w string) bool { return strings.Contains(w, factor) }) {
			return
		}
		n := 0
		for i := range runs {
			if isApart(&runs[i]) {
				n++
			}
		}
		if n == 0 || n == len(runs) {
			return
		}
		rest := make([]datasets.Run, 0, len(runs)-n)
		for i := range runs {
			if !isApart(&runs[i]) {
				rest = append(rest, runs[i])
			}
		}
		runs = rest
		warnings = append(warnings, warn(n))
	}
	apart("profiled", func(r *datasets.Run) bool { return r.Value("profiled") == datasets.Bool(true) },
		func(n int) analysis.Warning { return analysis.ProfiledAside{Runs: n} })
	phases := map[string]bool{}
	apart("phase", func(r *datasets.Run) bool {
		phase := r.Value("phase").String()
		aside := slices.Contains(asidePhases, phase)
		if aside {
			phases[phase] = true
		}
		return aside
	}, func(n int) analysis.Warning { return analysis.PhaseAside{Runs: n, Phases: joined(phases)} })
	loaded := false
	for i := range runs {
		loaded = loaded || isLoadTest(&runs[i])
	}
	if loaded {
		first := ""
		apart("source", func(r *datasets.Run) bool {
			if r.Tool == "" {
				first = cmp.Or(first, r.Source)
			}
			return r.Tool == ""
		}, func(n int) analysis.Warning { return analysis.TablesAside{Rows: n, First: first} })
	}
	copied := copiedTables(runs)
	for _, source := range slices.Sorted(maps.Keys(copied)) {
		apart("source", func(r *datasets.Run) bool { return r.Tool == "" && r.Source == source },
			func(n int) analysis.Warning {
				return analysis.TableRepeated{Rows: n, Source: source, Of: copied[source]}
			})
	}
	return runs, warnings
}

// isLoadTest: a log that tables may summarise. How long a command took and what a
// profile sampled is no such thing.
func isLoadTest(r *datasets.Run) bool {
	if r.Tool == "" {
		return false
	}
	for name := range r.Metrics {
		if strings.HasPrefix(name, "latency") || strings.HasPrefix(unit.Of(name).Name, "1/") {
			return true
		}
	}
	return false
}

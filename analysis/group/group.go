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
	"fmt"
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
	Aliased     []Moves  // conditions that move with the arm
	AlsoDiffers []string // what changes because of the arm: variables, versions
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
	LeftOut  []int         // incomplete runs, per arm
	Exposure []float64     // seconds observed, per arm; 0 = unknown
	Warnings []analysis.Warning
}

// Pair takes the base and one contender out of the cell, numbered 0 and 1.
func (c *Cell) Pair(contender int) []compare.Run {
	var pair []compare.Run
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

// Words prints a stratum as people say it: "8 threads, oltp_read_write".
func Words(stratum []Field) string {
	text := ""
	for _, f := range stratum {
		if text != "" {
			text += ", "
		}
		switch {
		case f.Value.IsNull():
			text += f.Name + " unknown"
		case f.Name == "threads" && f.Value == datasets.Int(1):
			text += "1 thread"
		case f.Name == "threads":
			text += f.Value.String() + " threads"
		case f.Name == "workload":
			text += f.Value.String()
		default:
			text += f.Name + " " + f.Value.String()
		}
	}
	return text
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
			return Design{}, nil, nil, fmt.Errorf("--where: none of the %d runs matches", len(runs))
		}
		runs = kept
	}
	runs, profiled := withoutProfiled(runs, opt)
	s := newSurvey(runs, columns, opt)
	if profiled > 0 {
		s.warnings = append(s.warnings, analysis.ProfiledAside{Runs: profiled})
	}
	if err := s.checkNames(); err != nil {
		return Design{}, nil, nil, err
	}
	s.placeDays()
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
	return s.design, cells, s.warnings, nil
}

// withoutProfiled sets runs marked profiled apart where others are not: a
// profiler slows what it watches, so they are there for their profiles. Who asks
// about them by name gets them.
func withoutProfiled(runs []datasets.Run, opt Options) (rest []datasets.Run, apart int) {
	const mark = "profiled"
	asked := opt.By == mark || slices.ContainsFunc(opt.Where, func(w string) bool { return strings.Contains(w, mark) })
	isProfiled := func(r datasets.Run) bool { return r.Value(mark) == datasets.Bool(true) }
	if asked || !slices.ContainsFunc(runs, func(r datasets.Run) bool { return !isProfiled(r) }) {
		return runs, 0
	}
	for _, r := range runs {
		if isProfiled(r) {
			apart++
		} else {
			rest = append(rest, r)
		}
	}
	return rest, apart
}

// Package report turns the answers of the other packages into what people and
// programs read: one HTML page, text tables, and one JSON document.
//
//  1. reading.go takes the tables of a data set; build.go makes the Report of them,
//     part by part: judge.go the comparisons, then variance.go, curves.go,
//     history_build.go, profile.go, waits.go and steady.go, which also finds the cut
//     that values come after. plan.go and gate.go are asked for apart.
//  2. What a part says in sentences and tables stands in its _words.go; words.go,
//     tables.go, doubts.go and answer.go have what all parts share.
//  3. text.go, markdown.go and html.go put these on paper (with the _text.go and
//     _page.go of a part, and pictures.go), json.go with the _json.go for programs,
//     figures.go for notebooks.
package report

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/analysis/steady"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// Num is a number in JSON: NaN and infinities are null, never 0.
type Num float64

// MarshalJSON writes full precision, or null for what is unknown.
func (n Num) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Part is one of the questions that a report answers, named as the verb that
// asks it alone.
type Part string

const (
	PartCompare  Part = "compare"
	PartVariance Part = "variance"
	PartSteady   Part = "steady"
	PartProfile  Part = "profile"
	PartWaits    Part = "waits"
	PartScaling  Part = "scaling"
	PartPlan     Part = "plan" // only where it is asked for
	PartHistory  Part = "history"
)

// Report is everything that one call found, before it is printed.
type Report struct {
	Version string
	Seed    uint64
	Parts   []Part // that were asked for; nil = all
	// KeepWarmup: whole runs are compared, whatever their course.
	KeepWarmup bool
	Inputs     Inputs
	Design     group.Design
	// Comparisons are in print order: by metric (primary first), contender,
	// then stratum. Headlines has one per metric and contender.
	Comparisons []Comparison
	Headlines   []Headline
	Lone        []Lone // strata of the primary metric that one of the two arms lacks
	Gate        *Gate  // nil = none was asked
	Adjust      string // of a family of rows; "" = holm
	Variance    []Variance
	Curves      []Curves
	// Steady has one entry per run, SteadyStrata one per stratum; both are empty
	// where nothing has report lines.
	Steady       []Steady
	SteadyStrata []SteadyStratum
	Series       []Series // runs over time, for the page
	Plan         *Planned // nil: not asked for
	Next         []string // what to run next, as sentences
	Profiles     []Profiled
	Waits        []Waited
	Confidence   float64       // of the intervals of profiles and waits; 0 = 0.95
	History      []History     // series over versions, commits or days, by metric, then stratum
	Events       []Event       // their changes, put together
	Factors      []FactorStudy // studies of two factors
	FalseAlarm   float64       // of History, for each metric; 0 = 0.05
	Warnings     []analysis.Warning
}

// Has tells whether a part was asked for.
func (r *Report) Has(p Part) bool { return len(r.Parts) == 0 || slices.Contains(r.Parts, p) }

// asked tells whether a part was asked for by its name.
func (r *Report) asked(p Part) bool { return slices.Contains(r.Parts, p) }

// Inputs is what was read.
type Inputs struct {
	Sources  []datasets.Source
	Problems []datasets.Problem
	Runs     int // all
	Complete int
	Folder   string   // as the user typed it
	Where    []string // the filter, as the user typed it
	Used     int      // runs that matched it
}

// Comparison is one row: a metric, a stratum, a contender against the base.
type Comparison struct {
	Metric    string
	Unit      unit.Unit
	Primary   bool
	Stratum   []group.Field
	BaseLevel string
	Level     string // the contender
	compare.Result
	Doubts []analysis.Warning  // of the grouping: residue, pooled, left out
	Runs   []compare.Run       // the values behind the row, for the pictures
	Cross  *compare.CrossCheck // nil where there is none
	// LeftOut are the incomplete runs of the base and of the contender.
	LeftOut [2]int
	// Cut is where the values begin, in seconds, the same for all runs of the
	// stratum: 0 if nothing had to be cut, NaN if the values are of whole runs.
	Cut float64
}

// Lone is a stratum in which a contender and the base cannot be compared, as one
// of them has no complete run there.
type Lone struct {
	Stratum []group.Field
	Level   string // the contender
	Lacks   string // the arm without runs
	LeftOut int    // runs of it that did not complete
}

// Headline is the geometric mean over the strata that both arms have.
type Headline struct {
	Metric    string
	Unit      unit.Unit
	BaseLevel string
	Level     string
	compare.Result
	Strata  int
	Dropped []string // strata left out of it, by label
	Cut     float64  // as in Comparison
}

// Variance is the noise of one metric in one stratum.
type Variance struct {
	Metric  string
	Unit    unit.Unit
	Stratum []group.Field
	noise.Result
}

// Series is the time series of one run, for the page.
type Series struct {
	RunID   string
	Arm     string
	Stratum []group.Field
	Day     string
	Order   int
	Oddness float64 // robust z of the run's mean inside its cell; oddest drawn first
	T, Y    []float64
	Class   steady.Class
	Cut     float64 // common cut of the stratum, in seconds; NaN if there is none
	Started time.Time
}

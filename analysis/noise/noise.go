// Package noise says how much of the spread between runs is repeatability, how
// much the server launch and how much the day, and what change this machine
// could show at all: the noise floor.
//
// Analyse is the whole answer for one metric in one stratum. Below it stand
// the tools, usable alone: REML fits variance components of nested or crossed
// designs, ANOVA gives their mean squares, MLS, ProfileSD and Total their
// intervals, and Contrast tests a fixed effect by Kenward-Roger and by
// Satterthwaite.
//
// What cannot be known from a design is NaN, never 0, and a Warning says what
// to run to know it.
package noise

import "noisefloor/analysis"

// Levels of nesting, from the outside in. A design uses a prefix-closed subset.
const (
	Day      = "day"
	DayArm   = "day:arm"
	Launch   = "launch"
	RunLevel = "run"
	Interval = "interval"
)

// Ways by which a component's bounds were found.
const (
	MethodMLS       = "mls"
	MethodProfile   = "reml-profile"
	MethodChiSquare = "chi-square"
	MethodUnknown   = "unknown"
)

// Run is the value of one metric for one run, or for one interval of a run,
// with its place in the design.
type Run struct {
	Arm    int
	Day    string // "" = unknown
	Launch string // "" = unknown; unique within day and arm at least
	// Run names the run that an interval belongs to, unique within the launch;
	// "" = the value is a whole run.
	Run    string
	Within Within // of a whole run, what its intervals say; may be empty
	Value  float64
}

// Options are the choices of the user; the zero value is the published default.
type Options struct {
	Confidence float64  // 0 = 0.95
	Designs    []Design // whose noise floor to tell; nil = 1x1, 1x3, 1x10, 2x3, 3x3, 5x3, 10x3
}

// Design is how many runs an arm on how many days, all arms on every day.
type Design struct{ Days, RunsPerDay int }

// Component is one variance component.
type Component struct {
	Level string
	Var   float64 // of log values; NaN = unknown (one day only)
	// SDRel is sqrt(Var), the SD of the log values: a relative spread as a
	// fraction. It is not exp(sqrt(Var)) - 1, so that 100 SDRel is the percent
	// that a coefficient of variation would say (9118 and 8450 on two days:
	// 5.4 %); the two differ by half their square, .15 % at 5.4 %.
	SDRel  float64
	Lo, Hi float64 // bounds of SDRel; NaN = unknown, +Inf allowed for Hi
	Share  float64 // of the total of known components
	DF     float64 // of that level's mean square
	Method string  // "mls", "reml-profile", "chi-square", "unknown"
}

// Result is the noise of one metric in one stratum.
type Result struct {
	Days, Launches, Runs, Intervals int     // 0 days or launches: unknown
	Mean                            float64 // geometric, days equal and arms equal, in the metric's unit
	Components                      []Component
	Repeatability                   analysis.Estimate // SD of runs inside a day and launch, fraction
	DayToDay                        analysis.Estimate // SD of day means beyond repeatability, fraction; NaN if one day
	Total                           analysis.Estimate // SD of one run on one day, of what is known
	Floors                          []Floor
	Variances                       Variances // what to plan with
	Warnings                        []analysis.Warning
}

// Floor is the smallest relative change that a design of Days x RunsPerDay an
// arm, all arms on every day, detects with 80 % power at 5 %: exp(delta SE) - 1.
type Floor struct {
	Days, RunsPerDay int
	// MDE is a fraction; NaN = cannot answer, or nothing is known of what the
	// days do. Lo..Hi is its range from the uncertainty of the components; with
	// MDE unknown for that reason Lo still bounds it from below and Hi is +Inf.
	MDE, Lo, Hi float64
}

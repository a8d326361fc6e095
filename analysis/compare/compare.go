// Package compare says whether a change is real, or that the design cannot
// tell and what would have to be run instead.
//
// The default rule is the same for every design that can answer: on each day
// that both arms share, take the difference of the arms' mean logs; the
// estimate is the mean of those differences with equal weight, its standard
// error sd/sqrt(days), and t has days-1 degrees of freedom. It needs no model
// of what a day or a launch does, and its false verdicts stay at 5 % whatever
// they do (docs/calibration.md).
//
// Judge answers for one metric in one stratum. Adjust then makes the verdicts
// of a family (strata x contenders) hold together, Headline averages over
// strata, and Sentence puts any of it in words. A design that cannot answer
// gets Unsupported with a refusal in Warnings; a number that could mislead has
// its doubt beside it.
package compare

import (
	"math"

	"noisefloor/analysis"
)

// Run is one run's value of one metric, with its place in the design.
type Run struct {
	Arm    int     // 0 = base, 1 = contender
	Day    string  // "" = unknown
	Launch string  // "" = unknown; launch names are unique within day and arm at least
	Slot   float64 // when it ran relative to the others: unix seconds or order number; NaN = unknown
	Value  float64 // base units; NaN and infinities are left out, said
	ID     string  // names the run in a warning; may be ""
	// Histogram of what the run measured; nil = none. Options.Quantile reads it.
	Histogram *Histogram
}

// Scale is how two arms are set against each other.
type Scale string

const (
	Ratio      Scale = "ratio"      // logs: contender / base
	Difference Scale = "difference" // contender - base, for rates that are often zero
)

// Options are the choices of the user; the zero value is the published default.
type Options struct {
	Confidence float64 // 0 = 0.95; a verdict is given at level 1 - Confidence
	// Margin is the smallest relative change anyone cares about; 0 = 0.01. The
	// difference scale has none, and nothing on it is called equivalent.
	Margin      float64
	Scale       Scale // "" = Ratio
	Better      int   // +1 higher is better, -1 lower is better, 0 neither
	IgnoreOrder bool  // let a design pass in which one arm always ran first
	Looks       int   // 0 or 1 = one look at the planned number of days; more = a look after each day
	PlannedDays int   // 0 = not planned
	// Grid is the ratio of neighbouring values the metric can take (1.01817 for
	// sysbench percentiles), 0 for a continuous one.
	Grid float64
	// Ceiling is the largest value that the metric can take, 0 for none: a run that
	// reads it may have been worse.
	Ceiling float64
	// Quantile asks for this quantile (0.95) of all that the runs of a day and arm
	// measured, instead of the mean of Values, if every run has a Histogram.
	Quantile float64
	// Median takes the median of the runs of a launch, and of the launches of a
	// day and arm, instead of their means.
	Median bool
	// Method is "" for the default rule, or one of MethodNames.
	Method string
	Seed   uint64 // of a permutation too long to go through
	// Maximum refuses a verdict on the largest of many values.
	Maximum bool
	Donor   *Donor // noise for a design without its own; nil = none
	// Aliased are conditions fully aliased with the arm (host, kernel, memory);
	// any makes the verdict unsupported.
	Aliased   []string
	DayReason string     // why days are unknown, as a clause; may be ""
	LeftOut   [2]int     // incomplete runs left out, per arm
	Exposure  [2]float64 // seconds observed, per arm, for rates; 0 = unknown
}

func (o Options) withDefaults() Options {
	if o.Confidence == 0 {
		o.Confidence = 0.95
	}
	if o.Margin == 0 {
		o.Margin = 0.01
	}
	if o.Scale == "" {
		o.Scale = Ratio
	}
	if !(o.Confidence > 0 && o.Confidence < 1) {
		panic("compare: confidence must lie between 0 and 1")
	}
	if !(o.Margin > 0) {
		panic("compare: margin must be above 0")
	}
	if err := CheckMethod(o.Method); err != nil {
		panic("compare: " + err.Error())
	}
	if !(o.Quantile >= 0 && o.Quantile < 1) {
		panic("compare: a quantile lies between 0 and 1")
	}
	if o.Grid != 0 && !(o.Grid > 1) {
		panic("compare: grid is the ratio of neighbouring values and above 1")
	}
	if o.Scale == Difference {
		o.Grid, o.Quantile = 0, 0
	}
	if o.Quantile > 0 && o.Grid == 0 {
		panic("compare: a quantile of histograms needs the ratio of their buckets in Grid")
	}
	return o
}

// level is the probability of a false verdict that the user accepts. Looking
// after each day, a fifth of it at every look keeps the whole at or below it
// (measured for 5 %: at most 5.2 % up to 10 days).
func (o Options) level() float64 {
	level := 1 - o.Confidence
	if o.Confidence == 0.95 {
		level = 0.05 // 1 - 0.95 is not
	}
	if o.Looks > 1 {
		level /= 5
	}
	return level
}

// mostLooks is how many looks the fifth of the level was measured for.
const mostLooks = 10

// Design is everything that was seen of the experiment.
type Design struct {
	SharedDays  []string // days that both arms have, in time order
	DroppedDays []string // days not used, because an arm (or, in a headline, a stratum) is missing
	Days        [2]int   // distinct days per arm; 0 = unknown
	Launches    [2]int   // 0 = unknown
	Runs        [2]int
}

// Side is one arm of a comparison, as far as the estimate uses it.
type Side struct {
	Runs, Days, Launches int     // 0 days or launches: unknown
	Mean                 float64 // geometric (ratio) or arithmetic (difference) mean, days equal, in the metric's unit
}

// Methods of a Result: the rules that can give a verdict.
const (
	DayDifferences         = "day-differences"
	DayMeansPooled         = "day-means-pooled"
	DayMeansPooledAndWelch = "day-means-pooled-and-welch"
	BorrowedNoise          = "borrowed-noise"
	NoMethod               = "none"
)

// Result is the answer for one metric in one stratum. NaN is unknown.
// For Scale Ratio, Estimate/Lo/Hi are ratios contender/base; for Difference,
// differences in the metric's unit. What is relative (NoiseFloor, Settle) is
// relative to the base mean on either scale.
type Result struct {
	Scale           Scale
	Better          int
	Base, Contender Side
	Design          Design
	Estimate        float64
	Lo, Hi          float64 // marginal, at Confidence; NaN if unsupported
	LoAdj, HiAdj    float64 // Bonferroni over the family; set by Adjust
	Confidence      float64
	Level           float64 // a verdict needs an adjusted p below this
	P, DF, SE       float64 // two-sided p; SE on the log (or difference) scale
	PAdjusted       float64 // set by Adjust
	PEquiv          float64 // larger of the two one-sided p against the margin; NaN on the difference scale
	PEquivAdjusted  float64 // set by Adjust
	Family          int     // comparisons adjusted for; 1 = alone, 0 = not tested
	Tests           []Test  // behind P and the interval; the least favourable counts
	Method          string  // DayDifferences, DayMeansPooled, DayMeansPooledAndWelch, BorrowedNoise, NoMethod, or one of MethodNames
	Aggregate       Aggregate
	Verdict         analysis.Verdict
	Margin          float64 // NaN on the difference scale
	ExceedsMargin   bool    // all of LoAdj..HiAdj lies beyond the margin
	DaysPlanned     int     // 0 = not planned
	Looks           int     // as asked: more than 1 = after each day
	NoiseFloor      analysis.Estimate
	Settle          Settle // what would settle an inconclusive row; zero if nothing is known
	Conditional     *Conditional
	Warnings        []analysis.Warning // refusals first
}

// Aggregate is how the runs of a day and arm make one value.
type Aggregate string

const (
	MeanOfRuns       Aggregate = "mean-of-runs"
	MedianOfRuns     Aggregate = "median-of-runs"
	MergedHistograms Aggregate = "merged-histograms"
)

// Conditional is an interval for one shared day only, launches as replicates.
type Conditional struct {
	Lo, Hi   float64
	Launches int    // fewest launches of an arm
	Tests    []Test // behind the interval, which holds those of all
}

// Settle is a design that would see the observed effect or, if that is smaller,
// the margin.
type Settle struct {
	Days, RunsPerDay int
	Effect           float64 // relative change it would detect with 80 % power
}

// blank is a result that knows nothing yet; it is the one place where results
// begin.
func blank(opt Options) Result {
	nan := math.NaN()
	side := Side{Mean: nan}
	r := Result{
		Scale: opt.Scale, Better: opt.Better, Base: side, Contender: side,
		Estimate: nan, Lo: nan, Hi: nan, LoAdj: nan, HiAdj: nan,
		Confidence: opt.Confidence, Level: opt.level(),
		P: nan, DF: nan, SE: nan, PAdjusted: nan, PEquiv: nan, PEquivAdjusted: nan,
		Method: NoMethod, Aggregate: MeanOfRuns, Verdict: analysis.Unsupported, Margin: opt.Margin, DaysPlanned: opt.PlannedDays, Looks: opt.Looks,
		NoiseFloor: analysis.Estimate{Value: nan, Lo: nan, Hi: nan, Confidence: 0.95},
	}
	if opt.Scale == Difference {
		r.Margin = nan
	}
	return r
}

// fromWork brings a number of the working scale (logs, or the unit itself) back to
// what Estimate is counted in.
func (r *Result) fromWork(x float64) float64 {
	if r.Scale == Ratio {
		return math.Exp(x)
	}
	return x
}

// Package steady says whether a run reached a steady state, from when on, and
// what its mean is worth once neighbouring intervals are known to be alike.
//
// Analyse looks at the report lines of one run and gives it a class: flat,
// warm-up, slow-down, no steady state, or too short to tell. It follows Barrett,
// Bolz-Tereick, Killick, Mount and Tratt (2017), "Virtual machine warmup blows
// hot and cold": mark spikes, cut the series where its mean or variance
// changes, join from the end backwards what is equal, and ask what came before.
// Beyond that paper, it asks whether the last stretch still climbs, and lets a
// level that leaves for a short while and comes back be one level.
//
// A cut that depends on the run depends on the outcome. For a comparison, take
// Common over all runs of a stratum and Mean after that one cut.
//
// The drain at the end, when threads of the load generator have finished
// already, does not belong to the run: the caller leaves such lines out.
package steady

import (
	"math"

	"noisefloor/analysis"
	"noisefloor/datasets/unit"
)

// Class is what the course of a run looks like.
type Class string

const (
	Flat          Class = "flat"
	WarmUp        Class = "warm-up"         // what the cut removes was worse
	SlowDown      Class = "slow-down"       // what the cut removes was better
	NoSteadyState Class = "no steady state" // still changing in the last quarter
	TooShort      Class = "too short to tell"
)

// Settled says whether the run has a steady part.
func (c Class) Settled() bool { return c == Flat || c == WarmUp || c == SlowDown }

// Options are the choices of the user; the zero value is the published default.
type Options struct {
	// Better tells warm-up from slow-down: Lower for latencies; Neither counts as
	// Higher.
	Better unit.Better
	// Margin is the relative difference below which two levels are one; 0 = 0.01.
	Margin float64
}

const (
	// needIntervals is the shortest series that says anything: of 20 intervals the
	// last quarter is 5, the shortest segment.
	needIntervals = 20
	// lastQuarter of the run must lie in the steady part.
	lastQuarter = 0.25
	// fewEffective is where the standard error becomes a guess: a spread from 10
	// values is known to about a quarter of itself (1/sqrt(2 (n-1))).
	fewEffective = 10
)

// Segment is a stretch of the run with one mean and one variance.
type Segment struct {
	Start, End float64 // seconds
	Mean, SD   float64 // spikes left out
	// Steady: part of the steady level. A segment after the cut that is not
	// steady is an excursion.
	Steady bool
}

// Result is what is known of the course of one run. NaN is unknown.
type Result struct {
	Class Class
	// Cut is the time of the last line before the steady part: the lines with
	// t > Cut are steady. 0 for flat, unless lines have times of 0 or below.
	Cut   float64
	First int     // the first steady line, an index into the caller's slices; -1 if none
	Kept  float64 // seconds from the cut to the end
	// Start and End in seconds are what the lines cover, the first line's interval included.
	Start, End float64
	Intervals  int       // lines with a value
	Segments   []Segment // in time order

	// Of the steady part, spikes and excursions included.
	Mean, SE, ESS float64
	Tau           float64 // intervals per independent one, Intervals after the cut / ESS

	MSER5    float64 // cut by that rule, in seconds, as a cross-check; NaN if it finds none
	Spikes   []int   // indices into the caller's slices
	Blocked  int     // intervals averaged into one to look for the cut; 0 = none
	Warnings []analysis.Warning
}

// Analyse looks at one run: y[i] is the value of the report line at t[i]
// seconds. NaN and infinities are lines without a value; gaps in t are missing
// lines.
func Analyse(t, y []float64, opt Options) Result {
	if len(t) != len(y) {
		panic("steady: times and values differ in number")
	}
	if opt.Margin == 0 {
		opt.Margin = 0.01
	}
	if !(opt.Margin > 0) {
		panic("steady: margin must be above 0")
	}
	nan := math.NaN()
	r := Result{Class: TooShort, Cut: nan, First: -1, Kept: nan, Start: nan, End: nan, Mean: nan, SE: nan, ESS: nan, Tau: nan, MSER5: nan}
	warn := func(w analysis.Warning) { r.Warnings = append(r.Warnings, w) }

	run, seen := read(t, y)
	if seen.backwards > 0 {
		warn(analysis.TimesOutOfOrder{Lines: seen.backwards})
	}
	r.Intervals = run.len()
	if r.Intervals > 0 {
		r.Start, r.End = run.t[0]-run.step, run.t[r.Intervals-1]
	}
	if r.Intervals < needIntervals {
		warn(analysis.TooFewIntervals{Have: r.Intervals, Need: needIntervals})
		return r
	}
	if missing := seen.lines - r.Intervals; missing > 0 {
		// Below half, more of the run is unseen than seen, and a warm-up may end
		// anywhere in between.
		tooMany := missing > r.Intervals
		warn(analysis.IntervalsMissing{Missing: missing, Of: seen.lines, TooMany: tooMany})
		if tooMany {
			return r
		}
	}

	smooth, spikes := run.withoutSpikes()
	for _, i := range spikes {
		r.Spikes = append(r.Spikes, run.from[i])
	}
	if len(spikes) > 0 {
		warn(analysis.SpikesKept{Intervals: len(spikes)})
	}
	if smooth, r.Blocked = smooth.inBlocks(); r.Blocked > 0 {
		warn(analysis.AveragedInBlocks{Intervals: r.Intervals, PerBlock: r.Blocked})
	}

	course := newCourse(smooth, run, opt.Margin)
	part, refusal := course.steadyPart()
	if refusal == nil && opt.Better != unit.Lower && course.stopped(part) {
		refusal = analysis.Stopped{At: run.t[course.firstLine(part)-1]}
	}
	r.Segments = course.segments(part, refusal == nil)
	byMSER := mser5(run.y)
	if byMSER >= 0 {
		r.MSER5 = run.cutBefore(byMSER)
	}
	if refusal != nil {
		r.Class = NoSteadyState
		warn(refusal)
		return r
	}

	first := course.firstLine(part)
	r.Class = course.class(part, opt.Better)
	r.Cut, r.First = run.cutBefore(first), run.from[first]
	r.Kept = r.End - max(r.Cut, r.Start)
	kept := run.after(first)
	r.Mean, r.SE, r.ESS = kept.mean()
	r.Tau = float64(kept.len()) / r.ESS
	for _, w := range course.doubts(part) {
		warn(w)
	}
	switch {
	case r.SE == 0:
		warn(analysis.ZeroSpread{Level: "interval"})
	case r.ESS < fewEffective:
		warn(analysis.FewEffective{ESS: r.ESS, Intervals: kept.len()})
	}
	if byMSER >= 0 && byMSER != first {
		other, otherSE, _ := run.after(byMSER).mean()
		if math.Abs(other-r.Mean) > max(opt.Margin*math.Abs(r.Mean), 2*math.Hypot(r.SE, otherSE)) {
			warn(analysis.CutDisputed{Cut: r.Cut, Mean: r.Mean, OtherCut: r.MSER5, OtherMean: other})
		}
	}
	return r
}

// Common is the cut for all runs of a stratum, of both arms: the latest found.
// It is ok only if every run has a steady state and the cut leaves at least the
// last quarter of each; otherwise the totals of the whole run stand for all,
// and the warning says why.
func Common(results []Result) (cut float64, ok bool, warnings []analysis.Warning) {
	refusal := analysis.NoCommonCut{Of: len(results), Cut: math.Inf(-1)}
	for _, r := range results {
		switch {
		case r.Class.Settled():
			refusal.Cut = max(refusal.Cut, r.Cut)
		case r.Class == NoSteadyState:
			refusal.Unsteady++
		default:
			refusal.TooShort++
		}
	}
	for _, r := range results {
		if r.Class.Settled() && r.End-refusal.Cut < lastQuarter*(r.End-r.Start) {
			refusal.Late++
		}
	}
	if len(results) == 0 || refusal.Unsteady+refusal.TooShort+refusal.Late > 0 {
		return math.NaN(), false, []analysis.Warning{refusal}
	}
	return refusal.Cut, true, nil
}

// Mean is the mean of the lines with t > cut, its standard error with the
// autocorrelation counted in, and the number of independent values that the
// lines are worth. For an interval use Student's t with ess-1 degrees of
// freedom.
func Mean(t, y []float64, cut float64) (mean, se, ess float64) {
	if len(t) != len(y) {
		panic("steady: times and values differ in number")
	}
	run, _ := read(t, y)
	first := 0
	for first < run.len() && !(run.t[first] > cut) {
		first++
	}
	return run.after(first).mean()
}

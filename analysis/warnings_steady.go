package analysis

import (
	"fmt"
	"math"
)

// The doubts about the course of one run: whether it settled, from when on, and
// what its mean is worth.

// TooFewIntervals: too little of a run to see a course in.
type TooFewIntervals struct{ Have, Need int }

func (TooFewIntervals) Kind() string { return "too-few-intervals" }
func (w TooFewIntervals) Text() string {
	return fmt.Sprintf("%s with a value, and it takes %d to tell warm-up from steady state: run longer, or report more often (--report-interval=1).", Counted(w.Have, "interval"), w.Need)
}

// IntervalsMissing: report lines that should be there are not, or have no value.
type IntervalsMissing struct {
	Missing, Of int
	TooMany     bool // so many that nothing is said of the course
}

func (IntervalsMissing) Kind() string { return "intervals-missing" }
func (w IntervalsMissing) Text() string {
	seen := fmt.Sprintf("%d of %s have no value (a log cut in the middle, or a stall during which nothing was reported)", w.Missing, Counted(w.Of, "interval"))
	if w.TooMany {
		return seen + ": more than half, so nothing is said of warm-up; keep the whole log."
	}
	return seen + ": the mean and its error are of what was seen."
}

// TimesOutOfOrder: report lines that go back in time.
type TimesOutOfOrder struct{ Lines int }

func (TimesOutOfOrder) Kind() string { return "times-out-of-order" }
func (w TimesOutOfOrder) Text() string {
	return fmt.Sprintf("the time goes back at %s: read in order of time here; look whether the log holds more than one run.", Counted(w.Lines, "line"))
}

// LevelStillChanges: the last change of level comes too late.
type LevelStillChanges struct {
	At, Of float64 // seconds: the change, and the end of the run
}

func (LevelStillChanges) Kind() string { return "level-still-changes" }
func (w LevelStillChanges) Text() string {
	return fmt.Sprintf("the level still changes at %.0f s of %.0f, in the last quarter, so there is no steady state: run longer, and look at what happened then.", w.At, w.Of)
}

// StillTrending: what would be the steady part climbs or falls all along.
type StillTrending struct {
	From, To float64 // fitted values at both ends
	Seconds  float64
}

func (StillTrending) Kind() string { return "still-trending" }
func (w StillTrending) Text() string {
	way := "rises"
	if w.To < w.From {
		way = "falls"
	}
	return fmt.Sprintf("it still %s, from %.4g to %.4g over the last %.0f s (a buffer pool that fills, a log that grows?), so there is no steady state: warm up before the run, or run longer.", way, w.From, w.To, w.Seconds)
}

// Stopped: nothing is done any more.
type Stopped struct{ At float64 }

func (Stopped) Kind() string { return "stopped" }
func (w Stopped) Text() string {
	return fmt.Sprintf("nothing is done any more after %.0f s: the server or the load generator hung; look at the error log.", w.At)
}

// Excursions: within the steady part the level leaves and comes back.
type Excursions struct {
	Times   int
	Seconds float64
	Change  float64 // mean of the excursions against the level, a fraction; NaN if the level is 0
}

func (Excursions) Kind() string { return "excursions" }
func (w Excursions) Text() string {
	change := ""
	if !math.IsNaN(w.Change) {
		change = fmt.Sprintf(" (%+.2g %% there)", 100*w.Change)
	}
	times := "once"
	if w.Times > 1 {
		times = fmt.Sprintf("%d times", w.Times)
	}
	return fmt.Sprintf("the level leaves and comes back %s, for %.0f s in all%s, as checkpoints and flushing do: counted in the mean and in its error.", times, w.Seconds, change)
}

// SpikesKept: single intervals far from their neighbours.
type SpikesKept struct{ Intervals int }

func (SpikesKept) Kind() string { return "spikes-kept" }
func (w SpikesKept) Text() string {
	verb := "stand"
	if w.Intervals == 1 {
		verb = "stands"
	}
	return fmt.Sprintf("%s %s far outside the neighbours: marked, not used in looking for the cut, kept in the mean.", Counted(w.Intervals, "interval"), verb)
}

// AveragedInBlocks: a long series was looked at in coarser steps.
type AveragedInBlocks struct{ Intervals, PerBlock int }

func (AveragedInBlocks) Kind() string { return "averaged-in-blocks" }
func (w AveragedInBlocks) Text() string {
	return fmt.Sprintf("%s were averaged %d at a time to look for the cut, which is that coarse; mean and error are from the intervals themselves.", Counted(w.Intervals, "interval"), w.PerBlock)
}

// FewEffective: intervals so alike their neighbours that they say little.
type FewEffective struct {
	ESS       float64
	Intervals int
}

func (FewEffective) Kind() string { return "few-effective" }
func (w FewEffective) Text() string {
	return fmt.Sprintf("the %d steady intervals follow each other so closely that they are worth %.1f independent ones: the standard error within this run is itself a guess; run longer.", w.Intervals, w.ESS)
}

// CutDisputed: a second rule cuts elsewhere, and it matters.
type CutDisputed struct {
	Cut, Mean           float64
	OtherCut, OtherMean float64
}

func (CutDisputed) Kind() string { return "cut-disputed" }
func (w CutDisputed) Text() string {
	return fmt.Sprintf("MSER-5 would cut at %.0f s instead of %.0f s, which gives a mean of %.4g instead of %.4g: look at the series before trusting either.", w.OtherCut, w.Cut, w.OtherMean, w.Mean)
}

// NoCommonCut: the runs of a stratum cannot all be cut at one time.
type NoCommonCut struct {
	Unsteady int // runs without a steady state
	TooShort int // runs too short to tell
	Late     int // runs of which the latest cut would leave less than a quarter
	Of       int
	Cut      float64 // the latest cut, for Late
}

func (NoCommonCut) Kind() string { return "no-common-cut" }
func (w NoCommonCut) Text() string {
	why := ""
	add := func(n int, clause string) {
		if n == 0 {
			return
		}
		if why != "" {
			why += ", "
		}
		why += fmt.Sprintf("%d %s", n, clause)
	}
	add(w.Unsteady, "without a steady state")
	add(w.TooShort, "too short to tell")
	add(w.Late, fmt.Sprintf("of which the cut at %.0f s, that another needs, leaves less than a quarter", w.Cut))
	if why == "" {
		why = "none"
	}
	return fmt.Sprintf("no cut that fits all %s (%s): the totals of the whole run are compared instead, for all, warm-up included.", Counted(w.Of, "run"), why)
}

// NoReportLines: logs without report lines show no course.
type NoReportLines struct{}

func (NoReportLines) Kind() string { return "no-report-lines" }
func (NoReportLines) Text() string {
	return "the logs have no report lines, so whether the runs warmed up is unknown: the totals of the whole run are compared, warm-up included; --report-interval=1 would tell."
}

// WholeRun: a metric that only the whole run has, where the other metrics leave
// the warm-up out.
type WholeRun struct{ Cut float64 } // seconds

func (WholeRun) Kind() string { return "whole-run" }
func (w WholeRun) Text() string {
	return fmt.Sprintf("this metric is known for whole runs only: it includes the first %.4g s, which throughput leaves out as warm-up.", w.Cut)
}

// LinesLack: report lines without a metric that the totals have.
type LinesLack struct {
	Metric   string
	Runs, Of int
}

func (LinesLack) Kind() string { return "lines-lack" }
func (w LinesLack) Text() string {
	return fmt.Sprintf("the report lines of %d of %s do not say %s after the cut: the totals of the whole run are compared, for all, warm-up included.", w.Runs, Counted(w.Of, "run"), w.Metric)
}

// HeadlineWholeRuns: the strata do not all have a steady part.
type HeadlineWholeRuns struct{}

func (HeadlineWholeRuns) Kind() string { return "headline-whole-runs" }
func (HeadlineWholeRuns) Text() string {
	return "some strata have no common steady part, so the average over the strata takes the totals of whole runs in all of them, warm-up included."
}

// CurveWholeRuns: some levels of a curve have no steady part.
type CurveWholeRuns struct {
	X           string
	Lacking, Of int // levels
}

func (CurveWholeRuns) Kind() string { return "curve-whole-runs" }
func (w CurveWholeRuns) Text() string {
	return fmt.Sprintf("at %d of %d levels of %s no cut fits all runs, so that the totals of whole runs are drawn at all levels, warm-up included: noisefloor steady tells which runs.", w.Lacking, w.Of, w.X)
}

package analysis

import (
	"fmt"
	"math"
	"strings"
)

// The doubts about the noise itself: what its parts are, and what they cannot
// be told from.

// TooFewForNoise: nothing was repeated, so no spread shows.
type TooFewForNoise struct{ Runs, Arms int }

func (TooFewForNoise) Kind() string { return "too-few-for-noise" }
func (w TooFewForNoise) Text() string {
	return fmt.Sprintf("%s in %s repeat nothing, so no spread can be seen: repeat each at least 3 times on at least 3 days.", Counted(w.Runs, "run"), Counted(w.Arms, "arm"))
}

// DayToDayUnknown: all runs are of one day, or nobody knows of which.
type DayToDayUnknown struct {
	Days int // 1, or 0 for unknown days
	Runs int
}

func (DayToDayUnknown) Kind() string { return "day-to-day-unknown" }
func (w DayToDayUnknown) Text() string {
	if w.Days == 0 {
		return "no run says its day, so day-to-day spread is unknown (not zero) and hides in repeatability if there were several; --set day=..., {day} in --layout or --day-from mtime would tell."
	}
	what := fmt.Sprintf("all %d runs are", w.Runs)
	if w.Runs == 1 {
		what = "the only run is"
	}
	return what + " of one day: day-to-day spread is unknown, not zero, and has no upper bound; repeat on at least 2 more days."
}

// DayMovesWithArm: every arm ran on one day of its own.
type DayMovesWithArm struct{ Days int }

func (DayMovesWithArm) Kind() string { return "day-moves-with-arm" }
func (w DayMovesWithArm) Text() string {
	return fmt.Sprintf("each arm ran on one day of its own (%d in all): what the day does cannot be told from what the arm does; run all arms on the same days.", w.Days)
}

// OneComponent: two levels of the design cannot be told apart. Their sum
// stands at Shown, if it is known at all, and the other is unknown.
type OneComponent struct {
	Outer, Inner string
	Shown        string // "" = not known either
}

func (OneComponent) Kind() string { return "one-component" }
func (w OneComponent) Text() string {
	shown := ""
	if w.Shown != "" {
		shown = ", shown as " + w.Shown
	}
	return fmt.Sprintf("%s and %s are one component here%s: there is one %s per %s everywhere; two or more would tell them apart.", w.Outer, w.Inner, shown, w.Inner, w.Outer)
}

// DayArmUnknown: too few days have several arms.
type DayArmUnknown struct{ SharedDays int }

func (DayArmUnknown) Kind() string { return "day-arm-unknown" }
func (w DayArmUnknown) Text() string {
	shared := "the arms share no day"
	if w.SharedDays > 0 {
		shared = fmt.Sprintf("the arms share %s", Counted(w.SharedDays, "day"))
	}
	return shared + ": how much their difference changes from day to day (day:arm) is unknown and counts as day-to-day spread; run the arms on the same days, two or more."
}

// RestartsUnknown: runs do not say to which start of the server they belong.
type RestartsUnknown struct{}

func (RestartsUnknown) Kind() string { return "restarts-unknown" }
func (RestartsUnknown) Text() string {
	return "which runs share a start of the server is unknown: what a restart changes is part of repeatability or of the day here; --set launch=... or {launch} in --layout would tell."
}

// WideInterval: a spread that is hardly known.
type WideInterval struct {
	Level  string
	Lo, Hi float64 // relative SDs, fractions
	DF     float64
}

func (WideInterval) Kind() string { return "wide-interval" }
func (w WideInterval) Text() string {
	more := w.Level
	if i := strings.IndexByte(more, ':'); i > 0 {
		more = more[:i]
	}
	if more == "launch" {
		more = "launche"
	}
	return fmt.Sprintf("the spread of %s lies anywhere between %s and %s (%s): an interval so wide that it says almost nothing; it takes more %ss.",
		w.Level, spreadText(w.Lo), spreadText(w.Hi), dfText(w.DF), more)
}

// ZeroSpread: equal values where noise was expected.
type ZeroSpread struct{ Level string }

func (ZeroSpread) Kind() string { return "zero-spread" }
func (w ZeroSpread) Text() string {
	return fmt.Sprintf("values at level %s are all equal, so its variance is 0: more likely the metric is too coarse than the machine without noise; take a finer metric or longer runs.", w.Level)
}

// FloorFromDayToDay: nothing shows how the difference of two arms varies from
// day to day.
type FloorFromDayToDay struct{}

func (FloorFromDayToDay) Kind() string { return "floor-from-day-to-day" }
func (FloorFromDayToDay) Text() string {
	return "how much the difference of two arms changes from day to day is not known here; the noise floor takes all of the day-to-day spread for it, which is an upper bound: arms interleaved on the same days usually see less."
}

// VarianceNotConverged: the search for the variance components ended early.
type VarianceNotConverged struct{ Slope float64 }

func (VarianceNotConverged) Kind() string { return "variance-not-converged" }
func (w VarianceNotConverged) Text() string {
	return fmt.Sprintf("the variance components did not settle (slope %.2g left): take them as rough, and report the data as a bug of noisefloor.", w.Slope)
}

// spreadText is a fraction as percent with two digits that count: 2.4 %, 170 %.
func spreadText(fraction float64) string {
	p := 100 * fraction
	if p >= 100 {
		unit := math.Pow(10, math.Floor(math.Log10(p))-1)
		return fmt.Sprintf("%.0f %%", math.Round(p/unit)*unit)
	}
	return fmt.Sprintf("%.2g %%", p)
}

func dfText(df float64) string {
	if df == 1 {
		return "1 degree of freedom"
	}
	return fmt.Sprintf("%.3g degrees of freedom", df)
}

// RowsAlike: intervals that were taken as independent are not.
type RowsAlike struct{ Correlation float64 }

func (RowsAlike) Kind() string { return "rows-alike" }
func (w RowsAlike) Text() string {
	return fmt.Sprintf("neighbouring rows of a run are alike (correlation %.2f) and were taken as independent, so the share of the run is too large; if they stand in time order, name their time in seconds t_s and it is counted in.", w.Correlation)
}

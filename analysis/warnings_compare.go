package analysis

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The doubts about a comparison, and the reasons for which it is refused.

// Refusal is a warning that forbids a verdict: the row is unsupported. Its
// Text is Why and Do put together.
type Refusal interface {
	Warning
	Why() string // what the design lacks, as a clause
	Do() string  // what to run or to say instead, as a clause
}

func refusalText(r Refusal) string { return r.Why() + "; " + r.Do() + "." }

// Remedy is the smallest design that answers: both arms on three days. AtBest
// is the smallest change it could show if the days were no worse than the runs
// inside a day, as a fraction; NaN where no cell has two runs.
type Remedy struct{ AtBest float64 }

// Do says what to run.
func (r Remedy) Do() string {
	const run = "run both arms, alternating, on at least 3 days: with 3 runs an arm a day "
	if !(r.AtBest > 0) || math.IsInf(r.AtBest, 1) {
		return run + "the spread inside a day shows as well as the spread between days"
	}
	return run + "that shows a change of " + asPercent(r.AtBest) + " at best (from the spread between runs), less well if the days disagree"
}

// MissingArm: one arm has no run at all.
type MissingArm struct {
	Arm string // base or contender
	Remedy
}

func (MissingArm) Kind() string   { return "missing-arm" }
func (w MissingArm) Why() string  { return "the " + w.Arm + " has no complete run here" }
func (w MissingArm) Text() string { return refusalText(w) }

// NotPositive: values that have no logarithm.
type NotPositive struct{ Runs int }

func (NotPositive) Kind() string { return "not-positive" }
func (w NotPositive) Why() string {
	return fmt.Sprintf("%s with a value of zero or below, and a ratio of such values means nothing", Counted(w.Runs, "run"))
}
func (NotPositive) Do() string {
	return "look at the logs for why they read so: a run that measured nothing should not count as complete; or choose a metric that is never zero"
}
func (w NotPositive) Text() string { return refusalText(w) }

// TooLarge: the arithmetic overflows.
type TooLarge struct{}

func (TooLarge) Kind() string   { return "too-large" }
func (TooLarge) Why() string    { return "the values are too large to be subtracted" }
func (TooLarge) Do() string     { return "look at the logs: no benchmark counts that far" }
func (w TooLarge) Text() string { return refusalText(w) }

// DayUnknown: runs that no day is known for, in a design that needs them.
type DayUnknown struct {
	Runs   int    // without a day
	Of     int    // all
	Reason string // why, as a clause; may be ""
	Remedy
}

func (DayUnknown) Kind() string { return "day-unknown" }
func (w DayUnknown) Why() string {
	which := "the day of these runs is unknown"
	if w.Runs < w.Of {
		which = fmt.Sprintf("the day of %d of %d runs is unknown", w.Runs, w.Of)
	}
	if w.Reason != "" {
		which += " (" + w.Reason + ")"
	}
	return which + ", so they count as one day"
}
func (w DayUnknown) Do() string {
	return "say the days with --set day=..., with {day} in --layout, with a column day in a table or with --day-from mtime; if it was one day, " + w.Remedy.Do()
}
func (w DayUnknown) Text() string { return refusalText(w) }

// OneRunAnArm: nothing was repeated.
type OneRunAnArm struct{ Remedy }

func (OneRunAnArm) Kind() string   { return "one-run-an-arm" }
func (OneRunAnArm) Why() string    { return "there is one run an arm, which shows no spread at all" }
func (w OneRunAnArm) Text() string { return refusalText(w) }

// OneSharedDay: both arms ran on one day, and no other day helps.
type OneSharedDay struct {
	Day string
	Remedy
}

func (OneSharedDay) Kind() string { return "one-shared-day" }
func (w OneSharedDay) Why() string {
	return "the arms share one day only (" + w.Day + "), and what another day would do to either is unknown"
}
func (w OneSharedDay) Text() string { return refusalText(w) }

// SeparateSingleDays: each arm ran on one day of its own.
type SeparateSingleDays struct {
	Base, Contender string // the days
	Remedy
}

func (SeparateSingleDays) Kind() string { return "separate-single-days" }
func (w SeparateSingleDays) Why() string {
	return fmt.Sprintf("the base ran on %s only and the contender on %s only: the day cannot be told from the change", w.Base, w.Contender)
}
func (w SeparateSingleDays) Text() string { return refusalText(w) }

// TooFewDays: no shared days, and an arm without days to repeat.
type TooFewDays struct {
	Base, Contender int // days of each
	Remedy
}

func (TooFewDays) Kind() string { return "too-few-days" }
func (w TooFewDays) Why() string {
	return fmt.Sprintf("the arms share no day, and the base has %s, the contender %s", Counted(w.Base, "day"), Counted(w.Contender, "day"))
}
func (w TooFewDays) Text() string { return refusalText(w) }

// UnevenDays: too few days, of too uneven weight, for a t test on day means.
type UnevenDays struct {
	Base, Contender, Shared int // days of each arm, and those both have
	Remedy
}

func (UnevenDays) Kind() string { return "uneven-days" }
func (w UnevenDays) Why() string {
	return fmt.Sprintf("the arms share %d of their %d and %d days, with unequal numbers of days or of runs a day, too few and too uneven for a t test", w.Shared, w.Base, w.Contender)
}
func (w UnevenDays) Text() string { return refusalText(w) }

// SameOrder: one arm always ran first.
type SameOrder struct{ First string } // base or contender

func (SameOrder) Kind() string { return "same-order" }
func (w SameOrder) Why() string {
	return fmt.Sprintf("on every shared day all runs of the %s came before all of the other arm: any drift inside a day (caches, disk, heat) looks like the change", w.First)
}
func (SameOrder) Do() string {
	return "alternate the arms inside each day, or pass --ignore order if you know that nothing drifts"
}
func (w SameOrder) Text() string { return refusalText(w) }

// AliasedConditions: conditions that change exactly when the arm does. A name
// may have its levels in brackets behind it.
type AliasedConditions struct{ Names []string }

func (AliasedConditions) Kind() string { return "aliased-conditions" }
func (w AliasedConditions) Why() string {
	verb := "changes"
	if len(w.Names) > 1 {
		verb = "change"
	}
	return fmt.Sprintf("%s %s together with the arm and cannot be told from it", strings.Join(w.Names, " and "), verb)
}
func (w AliasedConditions) Do() string {
	var bare []string // without the levels in brackets that a caller may add
	for _, name := range w.Names {
		name, _, _ = strings.Cut(name, " (")
		bare = append(bare, name)
	}
	return fmt.Sprintf("run both arms under the same %s, or pass --ignore %s if it cannot matter", strings.Join(bare, " and "), strings.Join(bare, ","))
}
func (w AliasedConditions) Text() string { return refusalText(w) }

// NoSpread: what the days show does not vary, so the metric is coarser than the
// noise.
type NoSpread struct{}

func (NoSpread) Kind() string { return "no-spread" }
func (NoSpread) Why() string {
	return "the days agree to the last digit, so the metric is too coarse to show its own noise"
}
func (NoSpread) Do() string {
	return "take a finer metric (a mean instead of a percentile), more digits, or longer runs"
}
func (w NoSpread) Text() string { return refusalText(w) }

// NoSharedStratum: the headline has nothing to average.
type NoSharedStratum struct{ Remedy }

func (NoSharedStratum) Kind() string { return "no-shared-stratum" }
func (NoSharedStratum) Why() string {
	return "no stratum has usable runs of both arms on days that most strata share"
}
func (w NoSharedStratum) Text() string { return refusalText(w) }

// OrderUnknown: nobody knows which arm ran first.
type OrderUnknown struct{ Days, Of int } // shared days without a known order

func (OrderUnknown) Kind() string { return "order-unknown" }
func (w OrderUnknown) Text() string {
	return fmt.Sprintf("in which order the arms ran is unknown on %d of %d shared days: if one arm always came first, drift looks like the change; logs with start times, or an order in the metadata, would tell.", w.Days, w.Of)
}

// OrderLeans: the arms are not in blocks, but one ran earlier for the most part.
type OrderLeans struct {
	First string  // base or contender
	Pairs float64 // share of pairs of runs of one day in which it ran first
}

func (OrderLeans) Kind() string { return "order-leans" }
func (w OrderLeans) Text() string {
	return fmt.Sprintf("the %s ran first in %.0f %% of the pairs of runs of one day: a drift inside a day (caches, disk, heat) shows in part as the change; let each arm begin as often as the other.", w.First, 100*w.Pairs)
}

// OrderIgnored: one arm always ran first, and the user said to go on.
type OrderIgnored struct{ First string }

func (OrderIgnored) Kind() string { return "order-ignored" }
func (w OrderIgnored) Text() string {
	return fmt.Sprintf("the %s always ran first, and order was ignored as asked: if anything drifts inside a day (caches, disk, heat), that is in the change.", w.First)
}

// ArmsInSequence: arms on days of their own, one after the other.
type ArmsInSequence struct{ First string }

func (ArmsInSequence) Kind() string { return "arms-in-sequence" }
func (w ArmsInSequence) Text() string {
	return fmt.Sprintf("all days of the %s came before all days of the other arm: whatever changed on this host between the two looks like the change; mixing the days would tell.", w.First)
}

// DaysAlike: the differences of neighbouring days resemble each other.
type DaysAlike struct {
	Days        int
	Correlation float64
}

func (DaysAlike) Kind() string { return "days-alike" }
func (w DaysAlike) Text() string {
	return fmt.Sprintf("the difference of the arms moves slowly from day to day (neighbouring days correlate by %.2f): then %d days tell less than as many independent ones, and more than 5 %% of such verdicts are false; days further apart, or a restart and fresh data for each, would tell.", w.Correlation, w.Days)
}

// DaysDropped: days with one arm only, not used.
type DaysDropped struct{ Days []string }

func (DaysDropped) Kind() string { return "days-dropped" }
func (w DaysDropped) Text() string {
	return fmt.Sprintf("not used, because not everything compared here ran on it: %s.", strings.Join(w.Days, ", "))
}

// RunsWithoutDay: runs left out because their day is unknown, where the others
// suffice.
type RunsWithoutDay struct {
	Runs   int
	Reason string
}

func (RunsWithoutDay) Kind() string { return "runs-without-day" }
func (w RunsWithoutDay) Text() string {
	why := ""
	if w.Reason != "" {
		why = " (" + w.Reason + ")"
	}
	return fmt.Sprintf("%s of unknown day%s not used; --set day=..., {day} in --layout or --day-from mtime would place them.", Counted(w.Runs, "run"), why)
}

// LaunchAliased: one start of the server in an arm.
type LaunchAliased struct{ Base, Contender int }

func (LaunchAliased) Kind() string { return "launch-aliased" }
func (w LaunchAliased) Text() string {
	return fmt.Sprintf("%s of the base, %s of the contender: what one start of the server does (memory layout, link order) cannot be told from the change, not even for that day; restart the server between runs.", launches(w.Base), launches(w.Contender))
}

// LaunchUnknown: nobody knows whether the server was restarted.
type LaunchUnknown struct{}

func (LaunchUnknown) Kind() string { return "launch-unknown" }
func (LaunchUnknown) Text() string {
	return "whether the server was restarted between runs is unknown: runs of one launch do not repeat the launch, so there is no interval even for that day; --set launch=... or {launch} in --layout would tell."
}

// OnlyThatDay: the conditional interval and what it is worth.
type OnlyThatDay struct {
	Day      string // "" = unknown
	Launches int    // fewest of an arm
}

func (OnlyThatDay) Kind() string { return "only-that-day" }
func (w OnlyThatDay) Text() string {
	when := "on " + w.Day
	if w.Day == "" {
		when = "on that day, if all of it ran on one day"
	}
	return fmt.Sprintf("the conditional interval holds %s alone (at least %s an arm): it says nothing about another day.", when, launches(w.Launches))
}

// WildRun is a run far from its cell.
type WildRun struct {
	ID    string // "" = unnamed
	Arm   string
	Day   string
	Value float64
}

// WildRuns: runs beyond 5 MAD of their cell. They stay in.
type WildRuns struct{ Runs []WildRun }

func (WildRuns) Kind() string { return "wild-runs" }
func (w WildRuns) Text() string {
	const most = 3 // named in the sentence; the struct has them all
	var names []string
	for i, r := range w.Runs {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(w.Runs)-most))
			break
		}
		name := strings.TrimSpace(r.ID + " " + r.Arm)
		if r.Day != "" {
			name += " on " + r.Day
		}
		names = append(names, name+" ("+strconv.FormatFloat(r.Value, 'g', 5, 64)+")")
	}
	return fmt.Sprintf("%s far from the others of the same arm and day (more than 5 median deviations): %s. Kept: look at their logs.", Counted(len(w.Runs), "run"), strings.Join(names, ", "))
}

// GridWidened: the metric moves in steps that are coarser than its noise.
type GridWidened struct{ Step float64 } // relative, as a fraction

func (GridWidened) Kind() string { return "grid-widened" }
func (w GridWidened) Text() string {
	return fmt.Sprintf("this metric moves in steps of %s, coarser than the spread of the runs: the interval is a step wider at both ends.", asPercent(w.Step))
}

// LossesDiffer: the arms lost different numbers of runs.
type LossesDiffer struct{ Base, Contender int }

func (LossesDiffer) Kind() string { return "losses-differ" }
func (w LossesDiffer) Text() string {
	return fmt.Sprintf("%s of the base and %d of the contender did not complete and are left out: losses may depend on the arm, and then the rest is not a fair sample.", Counted(w.Base, "run"), w.Contender)
}

// AllZero: nothing was ever counted; the bounds are 95 % upper bounds of the
// rate, NaN without a known exposure.
type AllZero struct{ UpperBase, UpperContender float64 }

func (AllZero) Kind() string { return "all-zero" }
func (w AllZero) Text() string {
	if math.IsNaN(w.UpperBase) || math.IsNaN(w.UpperContender) {
		return "every run of both arms reads zero: that shows few, not none; how few needs the time observed."
	}
	return fmt.Sprintf("every run of both arms reads zero: with 95 %% confidence at most %.2g per second in the base and %.2g in the contender (3 / seconds observed).", w.UpperBase, w.UpperContender)
}

// AloneItWouldStand: significant alone, not among the family.
type AloneItWouldStand struct{ Family int }

func (AloneItWouldStand) Kind() string { return "alone-it-would-stand" }
func (w AloneItWouldStand) Text() string {
	return fmt.Sprintf("alone it would stand; among the %d looked at it does not.", w.Family)
}

// NoBetterSide: a real change of something that is neither good nor bad.
type NoBetterSide struct{ Change float64 } // relative (or absolute on the difference scale), signed

func (NoBetterSide) Kind() string { return "no-better-side" }
func (w NoBetterSide) Text() string {
	direction := "more"
	if w.Change < 0 {
		direction = "less"
	}
	return "this changed (" + direction + " in the contender), but neither direction of it is better, so it is not called faster or slower."
}

// PlannedDays: the verdict is valid at the planned number of days.
type PlannedDays struct{ Have, Planned int }

func (PlannedDays) Kind() string { return "planned-days" }
func (w PlannedDays) Text() string {
	return fmt.Sprintf("%d of %d planned days: a verdict holds its 5 %% at the planned number only; looking after every day makes 14 to 23 %% false.", w.Have, w.Planned)
}

// NotFinite: runs without a usable number.
type NotFinite struct{ Runs int }

func (NotFinite) Kind() string { return "not-finite" }
func (w NotFinite) Text() string {
	return fmt.Sprintf("%s without a finite number for this metric, left out.", Counted(w.Runs, "run"))
}

// StrataDropped: strata that the headline leaves out.
type StrataDropped struct{ Labels []string }

func (StrataDropped) Kind() string { return "strata-dropped" }
func (w StrataDropped) Text() string {
	return fmt.Sprintf("not in the headline, because they lack an arm, a usable value, or days that the others have: %s.", strings.Join(w.Labels, ", "))
}

// asPercent prints a fraction as a percentage of two significant digits.
func asPercent(x float64) string {
	p := 100 * math.Abs(x)
	switch {
	case p >= 10:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	case p >= 1:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(p, 'g', 2, 64) + " %"
}

func launches(n int) string {
	if n == 1 {
		return "1 server launch"
	}
	return strconv.Itoa(n) + " server launches"
}

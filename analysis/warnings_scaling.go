package analysis

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The doubts about a curve: which law it follows, how far the data carry it, and
// what its intervals rest on.

// TooFewLevels: laws that would go through any points so few.
type TooFewLevels struct {
	Laws       string // with commas
	Have, Need int    // Need is that of the law that needs least
}

// And adds a law.
func (w TooFewLevels) And(law string, have, need int) TooFewLevels {
	if w.Laws != "" {
		law = w.Laws + ", " + law
	}
	return TooFewLevels{law, have, min(w.Need, need)}
}

func (TooFewLevels) Kind() string { return "too-few-levels" }
func (w TooFewLevels) Text() string {
	return fmt.Sprintf("%d levels are too few for %s, which takes %d or more: with fewer it goes through any points, and nothing could contradict it.", w.Have, w.Laws, w.Need)
}

// LawNotFitted: a law that found no curve, or does not apply.
type LawNotFitted struct{ Law, Reason string }

func (LawNotFitted) Kind() string { return "law-not-fitted" }
func (w LawNotFitted) Text() string {
	return fmt.Sprintf("%s was not fitted: %s.", w.Law, w.Reason)
}

// OneDayCurve: no second day, so the curve has no interval.
type OneDayCurve struct {
	Days    int // 1, or 0 for unknown days
	Levels  int
	Runs    int
	Unknown int // runs that say no day
}

func (OneDayCurve) Kind() string { return "one-day-curve" }
func (w OneDayCurve) Text() string {
	runs := "all runs are of one day"
	switch {
	case w.Days == 0 && w.Unknown == 0:
		runs = "no two days have the levels"
	case w.Days == 0 && w.Unknown == w.Runs:
		runs = "no run says its day"
	case w.Days == 0:
		runs = fmt.Sprintf("%d of %s say no day, so all count as one", w.Unknown, Counted(w.Runs, "run"))
	}
	if w.Runs <= w.Levels {
		runs += fmt.Sprintf(", and %d levels of one run each repeat nothing", w.Levels)
	}
	return runs + ": the curve describes these runs, and there is no interval for it, as what another day would change is unknown. Run the levels on at least 2 more days."
}

// PartialDays: days with few of the levels, which say little about the curve.
type PartialDays struct {
	Days, Of int
	Pooled   bool // fewer than two days are whole, so that all count as one
}

func (PartialDays) Kind() string { return "partial-days" }
func (w PartialDays) Text() string {
	if w.Pooled {
		return fmt.Sprintf("the levels are spread over %s, of which fewer than two have half of them: all count as one day, and what days do is in the curve; run all levels on each day.", Counted(w.Of, "day"))
	}
	return fmt.Sprintf("%d of %s have fewer than half of the levels and are left out: a part of a curve says nothing about how the whole moves from day to day.", w.Days, Counted(w.Of, "day"))
}

// NoLawFits: every law misses by more than the days explain.
type NoLawFits struct {
	Closest string
	Misfit  float64 // fraction
	At      float64 // level
	OneDay  bool    // judged by how runs scatter, as there are no days to judge by
	Alone   bool    // there is one run a level, which shows no scatter at all
}

func (NoLawFits) Kind() string { return "no-law-fits" }
func (w NoLawFits) Text() string {
	more := "the days explain"
	switch {
	case w.Alone:
		more = "runs of one level usually scatter, although nothing repeats here that could tell"
	case w.OneDay:
		more = "the runs scatter, even if days moved single levels twice as much as that"
	}
	return fmt.Sprintf("none of these laws describes the data: the closest, %s, misses the mean at %s by %s, more than %s; look at the points, and use the values level by level.", w.Closest, levelText(w.At), spreadText(w.Misfit), more)
}

// LawMisses: the law that was asked for does not describe the data.
type LawMisses struct {
	Law    string
	Misfit float64
	At     float64
	P      float64
}

func (LawMisses) Kind() string { return "law-misses" }
func (w LawMisses) Text() string {
	p := ""
	if !math.IsNaN(w.P) {
		p = fmt.Sprintf(" (lack of fit p = %.2g)", w.P)
	}
	return fmt.Sprintf("%s does not describe the data%s: it misses the mean at %s by %s; its terms are numbers without a meaning here.", w.Law, p, levelText(w.At), spreadText(w.Misfit))
}

// MisfitUntested: levels of one run each have no scatter to hold a misfit against.
type MisfitUntested struct {
	Law    string
	Misfit float64
	At     float64
}

func (MisfitUntested) Kind() string { return "misfit-untested" }
func (w MisfitUntested) Text() string {
	return fmt.Sprintf("nothing repeats, so nothing tells whether %s is wrong where it misses (by %s at %s) or the runs scatter that much; run the levels again.", w.Law, spreadText(w.Misfit), levelText(w.At))
}

// LawsAlike: another law does as well.
type LawsAlike struct {
	Law, Other            string
	Weight, OtherWeight   float64
	Difference            float64 // largest distance of the two inside the range, a fraction
	DifferenceBeyondRange float64 // at twice the last level
}

func (LawsAlike) Kind() string { return "laws-alike" }
func (w LawsAlike) Text() string {
	text := fmt.Sprintf("%s describes the data about as well as %s (weights %.2f and %.2f)", w.Other, w.Law, w.OtherWeight, w.Weight)
	return text + fmt.Sprintf(": inside the range they differ by up to %s, at twice the last level by %s; believe neither beyond the data.", spreadText(w.Difference), spreadText(w.DifferenceBeyondRange))
}

// TermAtBound: a term would like to be where it cannot be.
type TermAtBound struct {
	Term  string
	Bound float64
}

func (TermAtBound) Kind() string { return "term-at-bound" }
func (w TermAtBound) Text() string {
	return fmt.Sprintf("%s ended on its bound %s, so its interval goes to one side only: the data show none of it, or another law bends better.", w.Term, levelText(w.Bound))
}

// Superlinear: throughput per client rises.
type Superlinear struct {
	From, To float64 // levels
	Gain     float64 // of throughput per client, a fraction
}

func (Superlinear) Kind() string { return "superlinear" }
func (w Superlinear) Text() string {
	return fmt.Sprintf("throughput per client rises from %s to %s by %s, which contention cannot do: caches that warm, group commit, or a single client that waits; the law is held at sigma = 0.", levelText(w.From), levelText(w.To), spreadText(w.Gain))
}

// PeakOutside: the curve turns where nothing was measured.
type PeakOutside struct{ At, Lowest, Highest float64 }

func (PeakOutside) Kind() string { return "peak-outside" }
func (w PeakOutside) Text() string {
	side := "above the highest"
	if w.At < w.Lowest {
		side = "below the lowest"
	}
	return fmt.Sprintf("the best value would be at %s, %s level measured (%s to %s): that is the law talking, not the data; measure there before you set it.", levelText(w.At), side, levelText(w.Lowest), levelText(w.Highest))
}

// NoPeak: the curve is still getting better where the levels end.
type NoPeak struct{ Last float64 }

func (NoPeak) Kind() string { return "no-peak" }
func (w NoPeak) Text() string {
	return fmt.Sprintf("no best level shows: the curve still gets better at %s, where the levels end.", levelText(w.Last))
}

// PeakOpen: one side of the peak's interval is not known.
type PeakOpen struct{ Upper bool }

func (PeakOpen) Kind() string { return "peak-open" }
func (w PeakOpen) Text() string {
	side := "lower"
	if w.Upper {
		side = "upper"
	}
	return "the place of the peak has no " + side + " bound: a curve that does not turn there is as likely; more levels around the peak, or more days, would tell."
}

// KneeAtEdge: the knee ended where only two levels stand on one side.
type KneeAtEdge struct{ At float64 }

func (KneeAtEdge) Kind() string { return "knee-at-edge" }
func (w KneeAtEdge) Text() string {
	return fmt.Sprintf("the knee ended at %s, the last place that leaves two levels beside it: it may lie farther out; measure more levels there.", levelText(w.At))
}

// SearchUnsettled: a curve that is not found again once some runs are left out.
type SearchUnsettled struct{ Law, Without string }

func (SearchUnsettled) Kind() string { return "search-unsettled" }
func (w SearchUnsettled) Text() string {
	return fmt.Sprintf("%s is not found again without %s, so there are no intervals: its terms rest on single days; run more levels or more days.", w.Law, w.Without)
}

// NoSharedCurveDays: two curves without two days in common.
type NoSharedCurveDays struct{ Shared int }

func (NoSharedCurveDays) Kind() string { return "no-shared-curve-days" }
func (w NoSharedCurveDays) Text() string {
	shared := "the arms share no known day"
	if w.Shared > 0 {
		shared = "the arms share " + Counted(w.Shared, "day") + " only"
	}
	return shared + ": their ratio and where they cross have no interval; run both arms on the same days, at least 3."
}

// CurveClaimRefused: the comparison of the same runs refuses a verdict, so the
// curves give none either.
type CurveClaimRefused struct{ Because, Why, Do string } // Because is the kind of the refusal

func (CurveClaimRefused) Kind() string { return "curve-claim-refused" }
func (w CurveClaimRefused) Text() string {
	return "no stretch of levels is called faster or slower: " + w.Why + "; " + w.Do + "."
}

// CrossingOpen: a crossing whose interval leaves the measured range.
type CrossingOpen struct{ At float64 }

func (CrossingOpen) Kind() string { return "crossing-open" }
func (w CrossingOpen) Text() string {
	return fmt.Sprintf("where the curves cross near %s is known on one side at most: on the other they cannot be told apart up to the end of the range.", levelText(w.At))
}

// CurveUnknown: a group of runs that gave no curve.
type CurveUnknown struct{ Metric, Stratum, Reason string }

func (CurveUnknown) Kind() string { return "curve-unknown" }
func (w CurveUnknown) Text() string {
	return fmt.Sprintf("no curve for %s: %s.", w.Metric, strings.TrimPrefix(w.Reason, "scaling: "))
}

// NoCurveFactor: nothing numeric varies that a curve could be drawn against.
type NoCurveFactor struct{ Have []string }

func (NoCurveFactor) Kind() string { return "no-curve-factor" }
func (w NoCurveFactor) Text() string {
	if len(w.Have) == 0 {
		return "no factor with numbers has three levels or more, so there is no curve to draw; --x names another one."
	}
	return "no factor with numbers has three levels or more, so there is no curve to draw; --x takes one of " + strings.Join(w.Have, ", ") + "."
}

// levelText prints a level or a bound as people write it.
func levelText(v float64) string {
	if v >= 1000 && v < 1e7 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

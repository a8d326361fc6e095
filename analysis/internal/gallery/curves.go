package main

import (
	"fmt"
	"strings"

	"noisefloor/analysis"
)

// levels draws runs at 1, 2, 4, ... threads: a column of the strip is a level, with
// the values of each arm; - is a level that an arm lacks. An arm is a line of values,
// x and ! as in parse.
func levels(arms ...string) string {
	var lines []string
	for i := range strings.Fields(arms[0]) {
		for a, arm := range arms {
			if v := strings.Fields(arm)[i]; v != "-" {
				lines = append(lines, fmt.Sprintf("%d %c %s", 1<<i, 'A'+a, v))
			}
		}
	}
	return strip(lines...)
}

// Curves that bend, and go on rising.
const (
	bends = "10 18 31 44 46 38"
	rises = "10 17 26 36 45 53"
)

func curves() section {
	return section{"Doubts about curves", "A shaded column is a number of threads, 1, 2, 4 and so on; discs and squares are the means of two arms.", []entry{
		warning(analysis.TooFewLevels{Laws: "amdahl, usl", Have: 3, Need: 4}, levels("10 18 31")),
		warning(analysis.NoCurveFactor{Have: []string{"table_size"}}, strip("d1 A 100 101", "d2 A 97 98")),
		warning(analysis.CurveUnknown{Metric: "errors_per_s", Reason: "scaling: a value is 0, and a curve is fitted to logarithms"}, levels("0! 2 3 5 4 6")),
		warning(analysis.CurveWholeRuns{X: "threads", Lacking: 2, Of: 6}, levels("10 18! 31 44! 46 38")),
		warning(analysis.OneDayCurve{Days: 1, Levels: 6, Runs: 6}, levels(bends)),
		warning(analysis.PartialDays{Days: 1, Of: 4}, levels(bends, "11 19 - - - -")),
		warning(analysis.NoLawFits{Closest: "usl", Misfit: .21, At: 4}, levels("10 18 52! 30 46 38")),
		warning(analysis.LawMisses{Law: "usl", Misfit: .04, At: 4, P: .01}, levels("10 18 34! 44 46 38")),
		warning(analysis.MisfitUntested{Law: "usl", Misfit: .06, At: 4}, levels("10 18 35! 44 46 38")),
		warning(analysis.LawsAlike{Law: "usl", Other: "peak", Weight: .55, OtherWeight: .41, Difference: .01, DifferenceBeyondRange: .22}, levels(rises)),
		warning(analysis.LawNotFitted{Law: "segmented", Reason: "it takes 5 levels"}, levels("10 18 31 44")),
		warning(analysis.SearchUnsettled{Law: "peak", Without: "day d3"}, levels("10 18 25 44 36 38")),
		warning(analysis.TermAtBound{Term: "kappa", Bound: 0}, levels(rises)),
		warning(analysis.Superlinear{From: 1, To: 2, Gain: .18}, levels("10 24! 40 55 57 50")),
		warning(analysis.PeakOutside{At: 140, Lowest: 1, Highest: 32}, levels(rises)),
		warning(analysis.NoPeak{Last: 32}, levels(rises)),
		warning(analysis.PeakOpen{Upper: true}, levels("10 18 31 44 46 46")),
		warning(analysis.KneeAtEdge{At: 16}, levels("10 20 40 80 158 170!")),
		warning(analysis.NoSharedCurveDays{Shared: 1}, levels(bends, "11 19 32 42 43 36")),
		warning(analysis.CurveClaimRefused{Because: "one-shared-day", Why: "the arms share one day only (d1), and what another day would do to either is unknown", Do: "run both arms, alternating, on at least 3 days"}, levels(bends, "11 19 32 42 43 36")),
		warning(analysis.CrossingOpen{At: 4}, levels(bends, "10 19 31! 43 46 37")),
	}}
}

func changes() section {
	steps := []string{"5.6 A 100 101", "5.7 A 99 100", "8.0 A 94 93", "8.4 A 94 94", "9.7 A 93 94"}
	return section{"Doubts about a series", "A shaded column is a version, a commit or a day, in its order.", []entry{
		warning(analysis.NoSeries{Varying: []string{"allocator"}}, strip("5.6 A 100 101", "9.7 A 94 95")),
		warning(analysis.OnePoint{Over: "version"}, strip("9.7 A 100 101 99")),
		warning(analysis.NothingRepeats{Points: 4, Need: 6}, strip("5.6 A 100", "5.7 A 99", "8.0 A 94", "8.4 A 95")),
		warning(analysis.WildPoints{Labels: []string{"8.0"}, Of: 5}, strip("5.6 A 100", "5.7 A 99", "8.0 A 70!", "8.4 A 100", "9.7 A 101")),
		warning(analysis.ChangesTooSmall{Changes: 1, MinEffect: .02}, strip("5.6 A 100 101", "5.7 A 100 100", "8.0 A 99 99", "8.4 A 99 98")),
		warning(analysis.PointsInSequence{}, strip(steps...)),
		warning(analysis.MovesAlong{Condition: "kernel", Before: "6.1", After: "6.5"}, strip(steps...)),
		warning(analysis.NotInOrder{Labels: []string{"0123abc"}}, strip(append([]string{"0123abc A 98x"}, steps...)...)),
		warning(analysis.OrderAgainstTime{}, strip("9.7 A 93 94", "8.4 A 94 94", "8.0 A 94 93", "5.7 A 99 100", "5.6 A 100 101")),
		warning(analysis.UnusedAcknowledgement{At: "8.4", Metric: "tps"}, strip(steps...)),
		warning(analysis.LevelsMissing{Labels: []string{"9.7 of version"}}, strip("5.6 A 100 101", "5.6 B 104 105", "8.0 A 94 93", "8.0 B 97 98", "9.7 B 99x 98x")),
		warning(analysis.ShareUnknown{}, strip("5.6 A 100 103", "5.6 B 101 99", "8.0 A 99 102", "8.0 B 100 101")),
	}}
}

func profiles() section {
	return section{"Doubts about profiles", "A profile is a run that was recorded.", []entry{
		warning(analysis.ProfilesOfOneArm{Runs: 2, By: "version"}, strip("d1 A 100! 101", "d1 B 104 105", "d2 A 93! 94", "d2 B 97 98")),
	}}
}

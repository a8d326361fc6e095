package analysis

import (
	"fmt"
	"strings"
)

// The doubts about a series over versions, commits or dates.

// NothingRepeats: a series too short to learn its noise from its own scatter,
// without replicates that would tell it.
type NothingRepeats struct {
	Points, Need int
	Days         int  // 0 = unknown
	UnitsUnknown bool // several runs a point, of unknown launches
}

func (NothingRepeats) Kind() string { return "nothing-repeats" }
func (w NothingRepeats) Why() string {
	points := Counted(w.Points, "point")
	switch {
	case w.Points < 2:
		return fmt.Sprintf("a series needs two points at least, and has %d", w.Points)
	case w.Days == 0:
		return fmt.Sprintf("the day of these runs is unknown, and %s are too few to learn the noise from their scatter", points)
	case w.Days == 1 && w.UnitsUnknown:
		return "all of it ran on one day, and whether the server was restarted between runs is unknown: runs of one launch do not repeat the launch"
	case w.Days == 1:
		return fmt.Sprintf("%s with one launch each on one day show no spread", points)
	}
	return fmt.Sprintf("%s, each on a day of its own, do not tell a change from what the day does", points)
}
func (w NothingRepeats) Do() string {
	do := fmt.Sprintf("run all of them on the same 3 days, or collect at least %d points", w.Need)
	if w.Days == 1 && w.UnitsUnknown {
		do = "--set launch=... or {launch} in --layout would tell; for more than that day, " + do
	}
	if w.Days == 0 && w.Points > 1 {
		do = "--set day=..., {day} in --layout, a column day in a table or --day-from mtime would tell; if it was one day, " + do
	}
	return do
}
func (w NothingRepeats) Text() string { return refusalText(w) }

// NoSeries: no factor is an order in time.
type NoSeries struct{ Varying []string }

func (NoSeries) Kind() string { return "no-series" }
func (w NoSeries) Text() string {
	const need = "a series needs three versions, commits or days at least"
	if len(w.Varying) == 0 {
		return need + "."
	}
	return fmt.Sprintf("%s; --by names another factor (%s).", need, strings.Join(w.Varying, ", "))
}

// OnePoint: all runs have the same level of what the series would run over.
type OnePoint struct{ Over string }

func (OnePoint) Kind() string { return "one-point" }
func (w OnePoint) Text() string {
	return fmt.Sprintf("all runs have the same %s: one point is no series yet.", w.Over)
}

// WildPoints: points far from their neighbours on both sides.
type WildPoints struct {
	Labels []string
	Of     int
}

func (WildPoints) Kind() string { return "wild-points" }
func (w WildPoints) Text() string {
	const most = 5 // named in the sentence; the struct has them all
	names := w.Labels
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(", and %d more", len(w.Labels)-most)
	}
	return fmt.Sprintf("%d of %s far from what is around them (more than 6 robust SDs from the median of five): %s%s. What is around them stands in for them, so that a bad night is no change.",
		len(w.Labels), Counted(w.Of, "point"), strings.Join(names, ", "), more)
}

// ChangesTooSmall: changes that are there and that nobody asked for.
type ChangesTooSmall struct {
	Changes   int
	MinEffect float64
}

func (ChangesTooSmall) Kind() string { return "changes-too-small" }
func (w ChangesTooSmall) Text() string {
	return fmt.Sprintf("%s smaller than %s left out, as asked with --min-effect.", Counted(w.Changes, "change"), asPercent(w.MinEffect))
}

// PointsInSequence: every point ran on days of its own.
type PointsInSequence struct{}

func (PointsInSequence) Kind() string { return "points-in-sequence" }
func (PointsInSequence) Text() string {
	return "each point ran on days of its own: whatever changed on this host between them looks like the change; running the neighbours of a change again on the same days would tell."
}

// MovesAlong: a condition changes at the very place.
type MovesAlong struct{ Condition, Before, After string }

func (MovesAlong) Kind() string { return "moves-along" }
func (w MovesAlong) Text() string {
	return fmt.Sprintf("%s changes at the same point (%s before, %s after): it may be the cause; run both neighbours under one of them.", w.Condition, w.Before, w.After)
}

// NotInOrder: points that the list of commits does not have.
type NotInOrder struct{ Labels []string }

func (NotInOrder) Kind() string { return "not-in-order" }
func (w NotInOrder) Text() string {
	return fmt.Sprintf("not in the list of commits, or there more than once, and left out: %s.", strings.Join(w.Labels, ", "))
}

// OrderAgainstTime: later names were measured earlier throughout.
type OrderAgainstTime struct{}

func (OrderAgainstTime) Kind() string { return "order-against-time" }
func (OrderAgainstTime) Text() string {
	return "the list says oldest first, but its later commits were measured earlier: if it is newest first, as git log prints, turn it with tac."
}

// UnusedAcknowledgement: a known change that was not found.
type UnusedAcknowledgement struct{ At, Metric string }

func (UnusedAcknowledgement) Kind() string { return "unused-acknowledgement" }
func (w UnusedAcknowledgement) Text() string {
	what := w.At
	if w.Metric != "" {
		what += " of " + w.Metric
	}
	return fmt.Sprintf("the change at %s is acknowledged, but no such change is found: a spelling, or it is gone.", what)
}

// LevelsMissing: combinations of factors that nobody ran.
type LevelsMissing struct{ Labels []string }

func (LevelsMissing) Kind() string { return "levels-missing" }
func (w LevelsMissing) Text() string {
	return fmt.Sprintf("left out of the factor study, because not every combination was run with them: %s.", strings.Join(w.Labels, ", "))
}

// ShareUnknown: the whole change is not clear enough to be shared out.
type ShareUnknown struct{}

func (ShareUnknown) Kind() string { return "share-unknown" }
func (ShareUnknown) Text() string {
	return "the whole change is not clearly different from none, so which share of it a factor explains cannot be told."
}

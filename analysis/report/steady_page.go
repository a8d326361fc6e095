package report

import (
	"fmt"

	"noisefloor/analysis"
)

// steadySection is what the page says about warm-up, above the pictures of the
// runs over time.
type steadySection struct {
	Heading      string
	Strata, Runs *htmlTable
	Note         string
	MoreRuns     string
}

// rowsOnPage is how many rows of a table of runs, files or problems the page
// holds: a browser, and a reader, can take so many, and --json has all.
const rowsOnPage = 500

func newSteadySection(r *Report) *steadySection {
	if len(r.Steady) == 0 {
		return nil
	}
	strata := newHTMLTable(SteadyStrata(r.SteadyStrata))
	s := &steadySection{Heading: steadyHeading(r), Strata: &strata}
	if r.asked(PartSteady) {
		rows := r.Steady[:min(rowsOnPage, len(r.Steady))]
		runs := newHTMLTable(steadyRuns(rows))
		s.Runs, s.Note, s.MoreRuns = &runs, steadyNote, andMore(len(r.Steady), "run")
	}
	return s
}

// andMore says how many of so many things the page leaves out; "" if none.
func andMore(all int, noun string) string {
	if all <= rowsOnPage {
		return ""
	}
	return fmt.Sprintf("The first %d of %s; --json has all.", rowsOnPage, analysis.Counted(all, noun))
}

// opening is the heading of a page that gives no verdict because none was asked
// for.
func opening(r *Report) string {
	runs := analysis.Counted(r.Inputs.Used, "run")
	switch {
	case r.asked(PartSteady) && len(r.Steady) > 0:
		return steadyHeading(r) + "."
	case r.asked(PartSteady):
		return noReportLines
	case r.Plan != nil:
		return r.Plan.sentence()
	case r.asked(PartVariance):
		return "How far " + runs + " scatter, and what change could be seen."
	}
	return "About " + runs + "."
}

// planSection is what the page says about a plan, below its heading.
type planSection struct {
	Basis                 string
	PerDaysHead, GridHead string
	PerDays, Grid         *htmlTable
}

func newPlanSection(p *Planned) *planSection {
	if p == nil {
		return nil
	}
	s := &planSection{Basis: p.basis(), PerDaysHead: p.perDaysHead(), GridHead: p.gridHead()}
	grid := newHTMLTable(designGrid(p))
	s.Grid = &grid
	if len(p.PerDays) > 0 {
		perDays := newHTMLTable(Designs(p.PerDays, p.Options.Detect))
		s.PerDays = &perDays
	}
	return s
}

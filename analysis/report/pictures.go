package report

import (
	"html/template"
	"math"
	"slices"

	"noisefloor/analysis/compare"
	"noisefloor/analysis/figure"
	"noisefloor/analysis/group"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// picture is a figure in two widths, one for desks and paper, one for phones;
// the page shows one of them.
type picture struct {
	Wide, Narrow template.HTML
	draw         func(width float64) figure.Figure
}

const (
	wideWidth   = 760.0 // the page's text column
	narrowWidth = 328.0 // a phone of 360 pixels less its margins
	levelsWidth = 328.0 // throughput against threads: several stand in a row
)

// newPicture draws both widths. Figures escape what they print.
func newPicture(draw func(width float64) figure.Figure) picture {
	return picture{template.HTML(draw(wideWidth).SVG()), template.HTML(draw(narrowWidth).SVG()), draw}
}

// forest draws the rows whose change is a ratio; differences have no common
// axis.
func forest(rows []Comparison) *picture {
	rows = slices.DeleteFunc(slices.Clone(rows), func(c Comparison) bool {
		return c.Scale == compare.Difference || math.IsNaN(c.Estimate)
	})
	if len(rows) == 0 {
		return nil
	}
	several := len(levels(rows)) > 1
	decimals := changeDecimals(rows)
	var changes []figure.Change
	for _, c := range rows {
		change := figure.Change{
			Label:    stratumWords(c.Stratum),
			Estimate: c.Estimate - 1, Lo: c.Lo - 1, Hi: c.Hi - 1,
			Floor: c.NoiseFloor.Value, Verdict: c.Verdict,
			Note: typeset(changeWords(&c, decimals)),
		}
		if !math.IsNaN(c.Lo) && !math.IsNaN(c.Hi) {
			change.Note += " (" + typeset(intervalWords(&c, decimals)) + ")"
		}
		if several {
			change.Group = table.Visible(c.Level) + " against " + table.Visible(c.BaseLevel)
		}
		if change.Label == "" {
			change.Label = "all runs"
		}
		changes = append(changes, change)
	}
	better := map[unit.Better]int{unit.Higher: 1, unit.Lower: -1}[rows[0].Unit.Better]
	p := newPicture(func(width float64) figure.Figure {
		return figure.Forest("Change of "+table.Visible(rows[0].Metric), changes, rows[0].Margin, better, width)
	})
	return &p
}

// designPicture draws where each run stands; nil without runs.
func designPicture(d group.Design) *picture {
	arms := visibleAll(d.Arms)
	if len(arms) == 0 {
		arms = []string{"all runs"}
	}
	var places []figure.Place
	for _, run := range d.Runs {
		arm := slices.Index(d.Arms, run.Arm)
		if len(d.Arms) == 0 {
			arm = 0
		}
		if arm >= 0 {
			places = append(places, figure.Place{Arm: arm, Day: table.Visible(run.Day), Launch: run.Launch, Slot: run.Slot})
		}
	}
	if len(places) == 0 {
		return nil
	}
	p := newPicture(func(width float64) figure.Figure {
		return figure.Design("Arms, days and runs in running order", arms, visibleAll(d.Days), places, width)
	})
	return &p
}

// strataAtOnce is how many strata a picture of variance shows before the rest
// folds away.
const strataAtOnce = 6

// spreadPictures draws the variance of some strata, and apart, of the rest.
func spreadPictures(rows []Variance) (first, rest *picture) {
	unknown, _ := unknownLevels(rows)
	n := min(len(rows), strataAtOnce)
	return spreadPicture(rows[:n], unknown), spreadPicture(rows[n:], unknown)
}

// spreadPicture leaves out the levels that are unknown everywhere.
func spreadPicture(rows []Variance, unknown []string) *picture {
	if len(rows) == 0 || len(unknown) == len(levelNames) {
		return nil
	}
	var all []figure.Spread
	for i := range rows {
		for _, s := range spreads(&rows[i]) {
			if slices.Contains(unknown, s.Level) {
				continue
			}
			s.Note = typeset(s.Note)
			all = append(all, s)
		}
	}
	p := newPicture(func(width float64) figure.Figure {
		return figure.Spreads("How far runs, launches and days scatter: "+table.Visible(rows[0].Metric), all, width)
	})
	return &p
}

// levelPictures draw a metric against the numeric factor of the strata, one
// picture for each setting of the other factors.
func levelPictures(r *Report, metric string) []template.HTML {
	rows := rowsOf(r, metric)
	x := levelFactor(rows)
	if x == "" {
		return nil
	}
	var names []string
	points := map[string][]figure.Point{}
	based := map[string]bool{} // strata whose base runs are in
	for _, c := range rows {
		n, ok := level(c.Stratum, x).Number()
		if !ok {
			continue
		}
		name := stratumWords(slices.DeleteFunc(slices.Clone(c.Stratum), func(f group.Field) bool { return f.Name == x }))
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		contender := max(1, slices.Index(r.Design.Arms, c.Level))
		stratum := stratumWords(c.Stratum)
		for _, run := range c.Runs {
			arm := contender
			if run.Arm == 0 {
				if based[stratum] { // it stands in the rows of every contender
					continue
				}
				arm = 0
			}
			points[name] = append(points[name], figure.Point{X: n, Y: run.Value, Arm: arm})
		}
		based[stratum] = true
	}
	arms := visibleAll(r.Design.Arms)
	yName := metricWords(metric, rows[0].Unit)
	var pictures []template.HTML
	for _, name := range names {
		if len(points[name]) == 0 {
			continue
		}
		title := yName + " against " + table.Visible(x)
		label := yName
		if name != "" {
			title, label = title+", "+name, name
		}
		pictures = append(pictures, template.HTML(figure.Levels(title, arms, points[name], table.Visible(x), label, levelsWidth).SVG()))
	}
	return pictures
}

// levelFactor is the numeric factor with a curve in it: threads, else the one
// with most levels, at least three.
func levelFactor(rows []Comparison) string {
	count := map[string]map[datasets.Value]bool{}
	best := ""
	for _, c := range rows {
		for _, f := range c.Stratum {
			if _, ok := f.Value.Number(); !ok {
				continue
			}
			if count[f.Name] == nil {
				count[f.Name] = map[datasets.Value]bool{}
			}
			count[f.Name][f.Value] = true
		}
	}
	if len(count["threads"]) > 1 {
		return "threads"
	}
	for name, levels := range count {
		n, most := len(levels), len(count[best])
		if n >= 3 && (n > most || n == most && name < best) {
			best = name
		}
	}
	return best
}

// seriesGroup is the small multiples of one stratum, on one range.
type seriesGroup struct {
	Stratum string
	Panels  []panel
}

type panel struct {
	Arm, About string
	Ink        string // class of the arm's colour
	Picture    template.HTML
}

// seriesGroups draws single runs over time, those without a steady state first,
// then the oddest: strata in the
// order of their oddest run, and within, runs by how odd they are.
func seriesGroups(r *Report) (groups []seriesGroup, shown int) {
	series := slices.Clone(r.Series)
	slices.SortStableFunc(series, compareSeries)
	series = series[:min(len(series), panelsShown)]
	byStratum := map[string][]Series{}
	var names []string
	for _, s := range series {
		name := stratumWords(s.Stratum)
		if byStratum[name] == nil {
			names = append(names, name)
		}
		byStratum[name] = append(byStratum[name], s)
	}
	for _, name := range names {
		lo, hi, length := math.Inf(1), math.Inf(-1), 0.0
		for _, s := range byStratum[name] {
			for i, y := range s.Y {
				if !math.IsNaN(y) && !math.IsInf(y, 0) {
					lo, hi, length = math.Min(lo, y), math.Max(hi, y), math.Max(length, s.T[i])
				}
			}
		}
		if !(lo <= hi) { // nothing but gaps
			lo, hi = 0, 1
		}
		g := seriesGroup{Stratum: name}
		for _, s := range byStratum[name] {
			arm := max(0, slices.Index(r.Design.Arms, s.Arm))
			title := "Run of " + table.Visible(s.Arm) + " over time"
			g.Panels = append(g.Panels, panel{
				Arm: table.Visible(s.Arm), About: panelWords(s, len(r.Design.Days)), Ink: figure.ArmInk(arm).Class(),
				Picture: template.HTML(figure.Panel(title, s.T, s.Y, arm, lo, hi, length, s.Cut).SVG()),
			})
		}
		groups = append(groups, g)
	}
	return groups, len(series)
}

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/figure"
	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/analysis/table"
)

// Spreads is the table of variance: how far runs, launches and days scatter.
func Spreads(rows []Variance) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: headMetric, Fields: []string{"metric", "unit"}}}}
	names := stratumNames(len(rows), func(i int) []group.Field { return rows[i].Stratum })
	t.Columns = append(t.Columns, stratumColumns(names, len(rows), func(i int) []group.Field { return rows[i].Stratum })...)
	t.Columns = append(t.Columns,
		table.Column{Head: headRuns, Fields: []string{"days", "launches", "runs"}},
		table.Column{Head: runToRun, Fields: []string{"run_sd", "run_lo", "run_hi"}},
		table.Column{Head: launchToLaunch, Fields: []string{"launch_sd", "launch_lo", "launch_hi"}},
		table.Column{Head: dayToDay, Fields: []string{"day_sd", "day_lo", "day_hi"}},
	)
	for _, v := range rows {
		row := []table.Cell{{Text: v.Metric, Values: []any{v.Metric, v.Unit.Name}}}
		row = append(row, stratumCells(names, v.Stratum)...)
		row = append(row, table.Cell{Text: sizeWords(&v), Values: []any{unlessZero(v.Days), unlessZero(v.Launches), v.Runs}})
		for _, s := range spreads(&v) {
			row = append(row, table.Cell{Text: s.Note, Values: []any{s.SD, s.Lo, s.Hi}})
		}
		t.Add(row...)
	}
	return t
}

// someNamed is how many strata a sentence names before it only counts them.
const someNamed = 3

// informed are the strata whose spread is known, if there are any: rows that say
// "unknown" would hide them, and a sentence counts those.
func informed(rows []Variance) (known []Variance, note string) {
	var names []string
	for _, v := range rows {
		if slices.ContainsFunc(spreads(&v), func(s figure.Spread) bool { return !math.IsNaN(s.SD) }) {
			known = append(known, v)
		} else {
			names = append(names, stratumWords(v.Stratum))
		}
	}
	if len(known) == 0 || len(names) == 0 {
		return rows, ""
	}
	where := ""
	if len(names) <= someNamed {
		where = " (" + strings.Join(names, "; ") + ")"
	}
	return known, fmt.Sprintf("In %d of %d strata%s no run is repeated, so nothing is known of the spread there.", len(names), len(rows), where)
}

func sizeWords(v *Variance) string {
	if v.Days == 0 {
		return analysis.Counted(v.Runs, "run") + ", day unknown"
	}
	return analysis.Counted(v.Runs, "run") + " on " + analysis.Counted(v.Days, "day")
}

// spreads are the three levels that people ask about, from the inside out, with
// their words.
func spreads(v *Variance) []figure.Spread {
	row := figure.Spread{Group: stratumWords(v.Stratum)}
	run, launch, day := row, row, row
	run.Level, launch.Level, day.Level = runToRun, launchToLaunch, dayToDay
	run.SD, run.Lo, run.Hi = v.Repeatability.Value, v.Repeatability.Lo, v.Repeatability.Hi
	launch.SD, launch.Lo, launch.Hi = math.NaN(), math.NaN(), math.NaN()
	for _, c := range v.Components {
		if c.Level == noise.Launch {
			launch.SD, launch.Lo, launch.Hi = c.SDRel, c.Lo, c.Hi
		}
	}
	day.SD, day.Lo, day.Hi = v.DayToDay.Value, v.DayToDay.Lo, v.DayToDay.Hi
	run.Note = spreadWords(run, "unknown (no repeated run)")
	launch.Note = spreadWords(launch, unknownBecause(v.Launches, "launch"))
	day.Note = spreadWords(day, unknownBecause(v.Days, "day"))
	return []figure.Spread{run, launch, day}
}

// Levels of variance as people say them.
const (
	runToRun       = "run to run"
	launchToLaunch = "launch to launch"
	dayToDay       = "day to day"
)

var levelNames = []string{runToRun, launchToLaunch, dayToDay}

// unknownLevels are those that no row knows, all for the same reason: a
// sentence says so once.
func unknownLevels(rows []Variance) (heads []string, note string) {
	var said []string
	for i, head := range levelNames {
		first := spreads(&rows[0])[i]
		all := !slices.ContainsFunc(rows, func(v Variance) bool {
			s := spreads(&v)[i]
			return !math.IsNaN(s.SD) || s.Note != first.Note
		})
		if all {
			heads = append(heads, head)
			said = append(said, head+": "+first.Note)
		}
	}
	if len(said) > 0 {
		note = sentenceCase(strings.Join(said, "; ")) + "."
	}
	return heads, note
}

// unknownBecause says in words why a component is unknown: it is never 0.
func unknownBecause(n int, noun string) string {
	switch n {
	case 0:
		return "unknown (no " + noun + " named)"
	case 1:
		return "unknown (one " + noun + ")"
	}
	return "unknown"
}

func spreadWords(s figure.Spread, unknown string) string {
	if math.IsNaN(s.SD) {
		return unknown
	}
	d := min(max(1, table.Decimals(2, 100*s.SD)), 2)
	words := bound(s.SD, d) + " %"
	if math.IsNaN(s.Lo) && math.IsNaN(s.Hi) {
		return words
	}
	// No-break spaces hold a bound to its bracket.
	return fmt.Sprintf("%s (%s\u00a0to\u00a0%s)", words, bound(s.Lo, d), bound(s.Hi, d))
}

// mostPercent is the largest percentage that is spelled out: beyond it, digits
// suggest knowledge that an interval on one degree of freedom does not have.
const mostPercent = 1000

// bound prints a fraction as a percentage without its sign.
func bound(x float64, decimals int) string {
	switch x *= 100; {
	case math.IsNaN(x):
		return "unknown"
	case x > mostPercent && !math.IsInf(x, 0):
		return fmt.Sprintf(">%d", mostPercent)
	case x >= 100: // decimals say nothing here
		decimals = 0
	}
	return table.Fixed(x, decimals)
}

// Floors is the table of what designs could detect: a column for each design.
func Floors(rows []Variance) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: headMetric, Fields: []string{"metric"}}}}
	names := stratumNames(len(rows), func(i int) []group.Field { return rows[i].Stratum })
	t.Columns = append(t.Columns, stratumColumns(names, len(rows), func(i int) []group.Field { return rows[i].Stratum })...)
	designs := floorDesigns(rows)
	for _, d := range designs {
		key := fmt.Sprintf("mde_%dx%d", d.Days, d.RunsPerDay)
		t.Columns = append(t.Columns, table.Column{Head: designWords(d), Fields: []string{key, key + "_lo", key + "_hi"}})
	}
	for _, v := range rows {
		row := []table.Cell{table.Word(v.Metric)}
		row = append(row, stratumCells(names, v.Stratum)...)
		for _, d := range designs {
			cell := table.Cell{Values: []any{nil, nil, nil}}
			if f, ok := floorOf(&v, d); ok {
				cell = table.Cell{Text: floorWords(f), Values: []any{f.MDE, f.Lo, f.Hi}}
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	return t
}

// floorDesigns are the designs whose floors were asked for.
func floorDesigns(rows []Variance) []noise.Design {
	var designs []noise.Design
	for _, v := range rows {
		for _, f := range v.Floors {
			if d := (noise.Design{Days: f.Days, RunsPerDay: f.RunsPerDay}); !slices.Contains(designs, d) {
				designs = append(designs, d)
			}
		}
	}
	return designs
}

func floorOf(v *Variance, d noise.Design) (noise.Floor, bool) {
	for _, f := range v.Floors {
		if f.Days == d.Days && f.RunsPerDay == d.RunsPerDay {
			return f, true
		}
	}
	return noise.Floor{}, false
}

// silentDesigns are those that say nothing in any row. A sentence says so
// better than columns of it.
func silentDesigns(rows []Variance) (heads []string, note string) {
	var oneDay, unknown []string
	for _, d := range floorDesigns(rows) {
		none := !slices.ContainsFunc(rows, func(v Variance) bool {
			f, ok := floorOf(&v, d)
			return ok && !silent(f)
		})
		switch {
		case none && d.Days < 2:
			oneDay = append(oneDay, designWords(d))
		case none:
			unknown = append(unknown, designWords(d))
		}
	}
	if len(oneDay) > 0 {
		note = "Cannot tell, whatever the change: " + joined(oneDay, "or") + "."
	}
	if len(unknown) > 0 {
		note = strings.TrimSpace(note + " Unknown from these runs: " + joined(unknown, "and") + ".")
	}
	return append(oneDay, unknown...), note
}

func designWords(d noise.Design) string {
	return analysis.Counted(d.Days, "day") + " x " + analysis.Counted(d.RunsPerDay, "run")
}

// silent tells a floor that says nothing at all.
func silent(f noise.Floor) bool { return math.IsNaN(f.MDE) && !(f.Lo > 0) }

// floorWords: a design without an answer says so, it does not detect 0. What
// days do may be unknown; then the spread inside a day is a lower bound.
func floorWords(f noise.Floor) string {
	switch {
	case !math.IsNaN(f.MDE):
		return spreadWords(figure.Spread{SD: f.MDE, Lo: f.Lo, Hi: f.Hi}, "")
	case f.Lo > 0:
		return "at least " + bound(f.Lo, min(max(1, table.Decimals(2, 100*f.Lo)), 2)) + " %"
	case f.Days < 2:
		return "cannot tell"
	}
	return "unknown"
}

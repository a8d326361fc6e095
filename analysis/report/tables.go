package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/figure"
	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// tones repeat the verdict's word in colour.
var tones = map[analysis.Verdict]table.Tone{
	analysis.Faster:       table.Green,
	analysis.Slower:       table.Vermillion,
	analysis.Equivalent:   table.Blue,
	analysis.Inconclusive: table.Orange,
	analysis.Unsupported:  table.Grey,
}

// Heads of columns that a narrow print leaves out when they say the same on
// every row, or when there is no room for more than the answer.
const (
	headMetric    = "metric"
	headBase      = "base"
	headContender = "contender"
	headBaseMean  = "base mean"
	headMean      = "contender mean"
	headRuns      = "runs"
	headDays      = "days"
)

// Comparisons is the table of the answers: a row for each metric, stratum and
// contender. Its CSV has every number in full precision.
func Comparisons(rows []Comparison) *table.Table {
	t := &table.Table{}
	t.Columns = append(t.Columns, table.Column{Head: headMetric, Fields: []string{"metric", "unit", "scale"}})
	names := stratumNames(len(rows), func(i int) []group.Field { return rows[i].Stratum })
	t.Columns = append(t.Columns, stratumColumns(names, len(rows), func(i int) []group.Field { return rows[i].Stratum })...)
	confidence := "interval"
	if len(rows) > 0 && rows[0].Confidence > 0 {
		confidence = percentWords(rows[0].Confidence) + " interval"
	}
	t.Columns = append(t.Columns,
		table.Column{Head: headBase, Fields: []string{"base"}},
		table.Column{Head: headContender, Fields: []string{"contender"}},
		table.Column{Head: "change", Align: table.Right, Fields: []string{"estimate"}},
		table.Column{Head: confidence, Align: table.Right, Fields: []string{"lo", "hi"}},
		table.Column{Head: "p\u00a0adj", Align: table.Right, Fields: []string{"p_adjusted"}},
		table.Column{Head: "verdict", Fields: []string{"verdict"}},
		table.Column{Head: "noise floor", Align: table.Right, Fields: []string{"noise_floor"}},
		table.Column{Head: headDays, Fields: []string{"days_planned", "looks"}},
		table.Column{Head: headBaseMean, Align: table.Right, Fields: []string{"base_mean"}},
		table.Column{Head: headMean, Align: table.Right, Fields: []string{"contender_mean"}},
		table.Column{Head: headRuns, Align: table.Right, Fields: []string{"base_runs", "contender_runs", "base_days", "contender_days"}},
	)
	decimals := changeDecimals(rows)
	means := meanFormats(rows)
	for _, c := range rows {
		row := []table.Cell{{Text: c.Metric, Values: []any{c.Metric, c.Unit.Name, string(c.Scale)}}}
		row = append(row, stratumCells(names, c.Stratum)...)
		mean := means[c.Metric]
		row = append(row,
			table.Word(c.BaseLevel),
			table.Word(c.Level),
			table.Cell{Text: changeWords(&c, decimals), Values: []any{c.Estimate}},
			table.Cell{Text: intervalWords(&c, decimals), Values: []any{c.Lo, c.Hi}},
			table.Cell{Text: pValue(c.PAdjusted), Values: []any{c.PAdjusted}},
			table.Cell{Text: string(c.Verdict), Values: []any{string(c.Verdict)}, Tone: tones[c.Verdict]},
			table.Cell{Text: percent(c.NoiseFloor.Value, decimals), Values: []any{c.NoiseFloor.Value}},
			table.Cell{Text: daysWords(c.Result), Values: []any{unlessZero(c.DaysPlanned), looks(c.Looks)}},
			table.Cell{Text: mean(c.Base.Mean), Values: []any{c.Base.Mean}},
			table.Cell{Text: mean(c.Contender.Mean), Values: []any{c.Contender.Mean}},
			table.Cell{Text: runsWords(c.Result), Values: []any{c.Base.Runs, c.Contender.Runs, unlessZero(c.Base.Days), unlessZero(c.Contender.Days)}},
		)
		t.Add(row...)
	}
	return t
}

// stratumNames are the factors that strata are made of, in order of appearance.
func stratumNames(n int, stratum func(i int) []group.Field) []string {
	var names []string
	for i := range n {
		for _, f := range stratum(i) {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// stratumColumns has numbers on the right, words on the left.
func stratumColumns(names []string, n int, stratum func(i int) []group.Field) []table.Column {
	columns := make([]table.Column, len(names))
	for i, name := range names {
		columns[i] = table.Column{Head: name, Align: table.Right, Fields: []string{name}}
		for j := range n {
			if v := level(stratum(j), name); v.Kind() == datasets.TextKind {
				columns[i].Align = table.Left
			}
		}
	}
	return columns
}

func stratumCells(names []string, stratum []group.Field) []table.Cell {
	cells := make([]table.Cell, len(names))
	for i, name := range names {
		v := level(stratum, name)
		cells[i] = table.Cell{Text: v.String(), Values: []any{v}}
	}
	return cells
}

func level(stratum []group.Field, name string) datasets.Value {
	for _, f := range stratum {
		if f.Name == name {
			return f.Value
		}
	}
	return datasets.Value{}
}

func unlessZero(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// changeDecimals gives the column of changes enough digits for its intervals.
func changeDecimals(rows []Comparison) int {
	var widths []float64
	for _, c := range rows {
		if c.Scale != compare.Difference {
			widths = append(widths, 100*(c.Hi-c.Lo))
		}
	}
	// One decimal at least, so that a small change does not print as 0 %; two
	// at most, since nobody acts on a thousandth of a percent.
	return min(max(1, table.Decimals(2, widths...)), 2)
}

func changeWords(c *Comparison, decimals int) string {
	v := 100 * (c.Estimate - 1)
	if c.Scale == compare.Difference {
		v, decimals = c.Estimate, table.Decimals(2, c.Estimate)
	}
	if math.IsNaN(v) {
		return "-"
	}
	return strings.TrimSpace(table.Signed(v, decimals) + " " + changeUnit(c))
}

// intervalWords prints both bounds. An observation has none; where one day
// alone can be spoken for, its bounds stand in brackets.
func intervalWords(c *Comparison, decimals int) string {
	lo, hi, format := c.Lo, c.Hi, "%s to %s"
	if (math.IsNaN(lo) || math.IsNaN(hi)) && c.Conditional != nil {
		lo, hi, format = c.Conditional.Lo, c.Conditional.Hi, "[%s to %s]"
	}
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return "-"
	}
	if c.Scale == compare.Difference {
		decimals = table.Decimals(2, hi-lo)
	} else {
		lo, hi = 100*(lo-1), 100*(hi-1)
	}
	return strings.TrimSpace(fmt.Sprintf(format, table.Signed(lo, decimals), table.Signed(hi, decimals)) + " " + changeUnit(c))
}

// changeUnit is what a change is counted in.
func changeUnit(c *Comparison) string {
	switch {
	case c.Scale != compare.Difference:
		return "%"
	case c.Unit.Name == "1":
		return ""
	}
	return c.Unit.Name
}

const conditionalNote = "In brackets: an interval for that one day alone, with server launches as replicates. It is no verdict."

// runsWords counts runs and days of both arms: "9 + 9 on 3 days".
func runsWords(r compare.Result) string {
	words := fmt.Sprintf("%d + %d", r.Base.Runs, r.Contender.Runs)
	switch b, c := r.Base.Days, r.Contender.Days; {
	case b == 0 && c == 0:
		return words + ", day unknown"
	case b == c:
		return words + " on " + counted(b, "day")
	default:
		return words + fmt.Sprintf(" on %d + %d days", b, c)
	}
}

// daysWords are the days now, and those planned: a verdict holds its level at the
// planned number.
func daysWords(r compare.Result) string {
	have := min(r.Base.Days, r.Contender.Days)
	switch {
	case r.Verdict == analysis.Unsupported:
		return "-"
	case r.DaysPlanned > 0:
		return fmt.Sprintf("%d of %d", have, r.DaysPlanned)
	}
	return strconv.Itoa(have)
}

// daysNote says once what holds for the days of all rows; the column is dropped
// if they are as many.
func daysNote(rows []Comparison) (note string, drop bool) {
	var words []string
	for _, c := range rows {
		if w := daysWords(c.Result); w != "-" && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	how := "not planned"
	switch {
	case len(words) == 0:
		return "", true
	case rows[0].Looks > 1:
		how = "looked at after each"
	case rows[0].DaysPlanned > 0:
		how = "planned"
	}
	if len(words) > 1 {
		return "Days: " + how + ".", false
	}
	if how != "planned" {
		how = ", " + how
	} else {
		how = " " + how
	}
	return "Days: " + words[0] + how + ".", true
}

// tableNotes say below a table what holds for all of its rows.
func tableNotes(r *Report, rows []Comparison) string {
	var notes []string
	if note, _ := daysNote(rows); note != "" {
		notes = append(notes, note)
	}
	family := 0
	for _, c := range rows {
		family = max(family, c.Family)
	}
	if family > 1 {
		adjust := r.Adjust
		if adjust == "" {
			adjust = "holm"
		}
		note := fmt.Sprintf("p adj: %s over %d rows", adjust, family)
		all := headlinesOf(r, rows[0].Metric)
		switch over := slices.ContainsFunc(all, func(h Headline) bool { return h.Strata > 1 }); {
		case over && len(all) > 1:
			note += fmt.Sprintf("; the answers for all strata together are a family of their own, of %d", len(all))
		case over:
			note += "; the answer for all strata together is a test of its own, at its own level"
		}
		notes = append(notes, note+".")
	}
	if slices.ContainsFunc(rows, func(c Comparison) bool { return c.Conditional != nil }) {
		notes = append(notes, conditionalNote)
	}
	return strings.Join(notes, " ")
}

// percentWords prints a level such as .95 as "95 %".
func percentWords(p float64) string {
	return strconv.FormatFloat(math.Round(p*1e4)/100, 'g', -1, 64) + " %"
}

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

func sizeWords(v *Variance) string {
	if v.Days == 0 {
		return counted(v.Runs, "run") + ", day unknown"
	}
	return counted(v.Runs, "run") + " on " + counted(v.Days, "day")
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
	return counted(d.Days, "day") + " x " + counted(d.RunsPerDay, "run")
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

// meanDigits are the significant digits of a mean: runs that repeat to a tenth
// of a percent can still be told apart.
const meanDigits = 4

// meanFormats prints the means of each metric on one scale. The unit is said
// where it is not the metric's base unit, which stands in the heading.
func meanFormats(rows []Comparison) map[string]func(float64) string {
	means := map[string][]float64{}
	units := map[string]unit.Unit{}
	for _, c := range rows {
		means[c.Metric] = append(means[c.Metric], c.Base.Mean, c.Contender.Mean)
		units[c.Metric] = c.Unit
	}
	formats := map[string]func(float64) string{}
	for metric, values := range means {
		scale := unit.ScaleFor(units[metric], values...)
		suffix := ""
		if scale.Unit != units[metric].Name && scale.Unit != "" {
			suffix = " " + scale.Unit
		}
		formats[metric] = func(v float64) string { return scale.Format(v, meanDigits) + suffix }
	}
	return formats
}

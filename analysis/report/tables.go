package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
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
		return words + " on " + analysis.Counted(b, "day")
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

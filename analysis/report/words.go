package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/table"
	"noisefloor/datasets/unit"
)

// The words that text and page share, so that both say the same.

// stratumWords names a stratum as a person would: "8 threads, oltp_read_only".
// The empty stratum is "".
func stratumWords(fields []group.Field) string { return table.Visible(group.Words(fields)) }

// nothingCompared is the answer where there is no comparison.
func nothingCompared(r *Report) string {
	runs := analysis.Counted(r.Inputs.Runs, "run")
	if len(r.Inputs.Where) > 0 {
		runs = analysis.Counted(r.Inputs.Used, "run")
	}
	switch {
	case len(r.Design.Choices) > 0:
		return "No verdict: " + analysis.NoComparison{Choices: visibleAll(r.Design.Choices)}.Text()
	case r.Inputs.Runs == 0:
		return "No run was found, so there is nothing to say."
	case r.Design.By == "" && len(r.Events) > 0:
		answer := "No arms are compared, as nothing varies that could be the change. " + historyLines(r)[0].Sentence
		if more := len(r.Events) - 1; more > 0 {
			answer += " " + analysis.Counted(more, "more change") + " below."
		}
		return answer
	case r.Design.By == "":
		return fmt.Sprintf("No verdict: nothing varies that could be the change. This describes the noise of %s.", runs)
	}
	why := "."
	if splits := r.Design.Splits; len(splits) > 0 {
		why = fmt.Sprintf(", as no two of them share a level of %s; --ignore %s compares them all the same.", joined(splits, "or"), strings.Join(visibleAll(splits), ","))
	}
	return fmt.Sprintf("No verdict: no two arms of %s have runs that can be compared%s", table.Visible(r.Design.By), why)
}

// tally counts the verdicts of one metric: "2 slower, 1 inconclusive".
func tally(rows []Comparison) string {
	var parts []string
	for _, v := range verdicts {
		n := 0
		for _, c := range rows {
			if c.Verdict == v {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(parts, ", ")
}

var verdicts = []analysis.Verdict{analysis.Faster, analysis.Slower, analysis.Equivalent, analysis.Inconclusive, analysis.Unsupported}

// designLines say in three lines what was compared, on which days, and what
// moves with the arm.
func designLines(r *Report) []string {
	d := r.Design
	if historyAlone(r) {
		lines := []string{daysLine(d)}
		if names := aliasedNames(d.Aliased); len(names) > 0 && len(r.History) > 0 && r.History[0].Over == d.By {
			lines = append(lines, fmt.Sprintf("Not the same at all points, so that a change may be its doing: %s.", joined(names, "and")))
		}
		return lines
	}
	var lines []string
	if d.By == "" {
		line := "Compared: nothing."
		if len(d.Choices) > 0 {
			line = fmt.Sprintf("Compared: nothing; %s could be the change.", joined(d.Choices, "or"))
			if some := analysis.Some(visibleAll(d.Choices), "factors"); len(some) < len(d.Choices) {
				line = fmt.Sprintf("Compared: nothing; %s could be the change.", strings.Join(some, ", "))
			}
		}
		lines = append(lines, line)
	} else {
		line := fmt.Sprintf("Compared: %s%s; base %s%s", table.Visible(d.By), because(d.ByWhy), table.Visible(d.Base), because(d.BaseWhy))
		if len(d.Arms) > 1 {
			line += ", against " + joined(d.Arms[1:], "and")
		}
		lines = append(lines, line+".")
	}
	days := daysLine(d)
	if slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return slices.ContainsFunc(c.Warnings, leans) }) {
		days = strings.Replace(days, interleaved, "Order: mixed, but one arm ran first for the most part.", 1)
	}
	lines = append(lines, days)
	if line := warmupLine(r); line != "" {
		lines = append(lines, line)
	}
	var moves []string
	if len(d.Aliased) > 0 {
		moves = append(moves, fmt.Sprintf("Moves with the arm, so it cannot be told from it: %s.", joined(aliasedWords(d.Aliased), "and")))
	}
	if len(d.AlsoDiffers) > 0 {
		moves = append(moves, fmt.Sprintf("Also differs, as part of the change: %s.", joined(d.AlsoDiffers, "and")))
	}
	if len(d.Aliased) == 0 && d.By != "" {
		moves = append(moves, conditionsWords(d.Conditions))
	}
	if len(moves) > 0 {
		lines = append(lines, strings.Join(moves, " "))
	}
	return lines
}

// conditionsWords says what the silence about conditions is worth.
func conditionsWords(known []string) string {
	if len(known) == 0 {
		return "Of host, kernel and memory nothing is known: whether they move with the arm cannot be told."
	}
	return fmt.Sprintf("No condition of the machine that is known (%s) moves with the arm.", joined(known, "and"))
}

// aliasedWords names the conditions that move with the arm, with their levels:
// "host (a for glibc, b for jemalloc)".
func aliasedWords(moves []group.Moves) []string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = fmt.Sprintf("%s (%s for %s, %s for %s)", m.Condition, m.Levels[0], m.Arms[0], m.Levels[1], m.Arms[1])
	}
	return words
}

// aliasedNames are the conditions alone, each once.
func aliasedNames(moves []group.Moves) []string {
	names := []string{}
	for _, m := range moves {
		if !slices.Contains(names, m.Condition) {
			names = append(names, m.Condition)
		}
	}
	return names
}

const interleaved = "Order: the arms are interleaved."

func leans(w analysis.Warning) bool { return w.Kind() == analysis.OrderLeans{}.Kind() }

func daysLine(d group.Design) string {
	line := "Days: "
	switch len(d.Days) {
	case 0:
		line += "unknown"
	case 1:
		line += "1 (" + table.Visible(d.Days[0]) + ")"
	default:
		line += fmt.Sprintf("%d (%s to %s)", len(d.Days), table.Visible(d.Days[0]), table.Visible(d.Days[len(d.Days)-1]))
	}
	unknown := 0
	for _, p := range d.Runs {
		if p.Day == "" {
			unknown++
		}
	}
	if unknown > 0 && len(d.Days) > 0 {
		line += fmt.Sprintf(", and %s of unknown day", analysis.Counted(unknown, "run"))
	}
	line += "."
	if len(d.Arms) > 1 {
		switch d.Interleaved {
		case 1:
			line += " " + interleaved
		case -1:
			line += " Order: one arm always ran first, so a drift looks like the change."
		default:
			line += " Order: unknown."
		}
	}
	return line
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + table.Visible(why) + ")"
}

// leftOut says in one line how many runs did not take part.
func leftOut(r *Report) string {
	n := r.Inputs.Runs - r.Inputs.Complete
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("Left out: %d of %s, not complete.", n, analysis.Counted(r.Inputs.Runs, "run"))
}

// metricWords is a metric with its unit and its better side.
func metricWords(metric string, u unit.Unit) string {
	words := table.Visible(metric)
	var about []string
	if u.Name != "" && u.Name != "1" {
		about = append(about, u.Name)
	}
	if u.Better != unit.Neither {
		about = append(about, u.Better.String()+" is better")
	}
	if len(about) > 0 {
		words += " (" + strings.Join(about, ", ") + ")"
	}
	return words
}

// metrics are the metrics of the comparisons in print order.
func metrics(r *Report) []string {
	return distinct(r.Comparisons, func(c Comparison) string { return c.Metric })
}

// primaryMetric carries the headline.
func primaryMetric(r *Report) string {
	for _, c := range r.Comparisons {
		if c.Primary {
			return c.Metric
		}
	}
	if len(r.Comparisons) > 0 {
		return r.Comparisons[0].Metric
	}
	if len(r.Headlines) > 0 {
		return r.Headlines[0].Metric
	}
	return ""
}

func rowsOf(r *Report, metric string) []Comparison {
	var rows []Comparison
	for _, c := range r.Comparisons {
		if c.Metric == metric {
			rows = append(rows, c)
		}
	}
	return rows
}

// percent prints a fraction as a percentage.
func percent(x float64, decimals int) string {
	if math.IsNaN(x) {
		return "-"
	}
	return table.Fixed(100*x, decimals) + " %"
}

// pValue prints a probability: three decimals say all that a p can.
func pValue(p float64) string {
	switch {
	case math.IsNaN(p):
		return "-"
	case p < .001:
		return "<0.001"
	}
	return table.Fixed(p, 3)
}

func visibleAll(names []string) []string {
	shown := make([]string, len(names))
	for i, s := range names {
		shown[i] = table.Visible(s)
	}
	return shown
}

// joined lists names: "a", "a and b", "a, b and c".
func joined(names []string, last string) string {
	shown := visibleAll(names)
	if len(shown) < 2 {
		return strings.Join(shown, "")
	}
	return strings.Join(shown[:len(shown)-1], ", ") + " " + last + " " + shown[len(shown)-1]
}

// provenanceLine says what was read and with what, so that a number can be
// found again.
func provenanceLine(r *Report) string {
	line := analysis.Counted(r.Inputs.Runs, "run")
	if n := len(r.Inputs.Sources); n > 0 {
		line += " from " + analysis.Counted(n, "file")
	}
	switch r.Inputs.Folder {
	case "":
	case "-":
		line += " from standard input"
	default:
		line += " in " + table.Visible(r.Inputs.Folder)
	}
	if len(r.Inputs.Where) > 0 {
		line += fmt.Sprintf(", of which %d are looked at, --where %s", r.Inputs.Used, joined(r.Inputs.Where, "and"))
	}
	if r.Version != "" {
		line += "; noisefloor " + table.Visible(r.Version)
	}
	return line + fmt.Sprintf(", seed %d.", r.Seed)
}

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

// Text prints the report for people: the answer first, then what it rests on.
func Text(w io.Writer, r *Report, s table.Screen) error {
	p := &printer{&terminal{w: w, screen: s}}
	p.answers(r)
	if len(r.Design.Factors) == 0 && r.Plan != nil { // planned without data
		return p.failed()
	}
	p.next(r)
	p.design(r)
	p.history(r)
	for _, metric := range metrics(r) {
		p.comparisons(r, rowsOf(r, metric))
	}
	p.curves(r)
	if r.Has(PartVariance) {
		p.variance(r)
	}
	if r.Has(PartSteady) {
		p.steady(r)
	}
	p.profiles(r)
	all := doubts(r)
	if r.asked(PartSteady) {
		all = append(all, runDoubts(r)...)
	}
	p.doubts(all[:min(doubtsShown, len(all))])
	if more := len(all) - doubtsShown; more > 0 {
		p.prose("", fmt.Sprintf("and %s more; --json lists them.", analysis.Counted(more, "doubt")))
	}
	p.inputs(r)
	return p.failed()
}

// paper is what a report is printed on: how a heading, a sentence, a verdict and a
// table look there. It keeps the first error, so that each line need not ask for it.
type paper interface {
	section(head string, body func())
	prose(bullet, text string) // bullet is "- " or ""
	verdict(l line)
	table(t *table.Table)
	gap() // between blocks of a section
	failed() error
}

// printer puts a report on paper.
type printer struct{ paper }

// answers is what was asked: verdicts, the plan, the changes of a series.
func (p *printer) answers(r *Report) {
	if r.Has(PartCompare) || r.Has(PartProfile) || r.Has(PartWaits) {
		p.answer(r)
	}
	if r.Plan != nil {
		p.plan(r.Plan)
	}
	if historyAlone(r) {
		for _, l := range historyLines(r) {
			p.verdict(l)
		}
	}
}

// next stands before all detail: who reads no further knows what to do.
func (p *printer) next(r *Report) {
	if len(r.Next) == 0 {
		return
	}
	p.section("What to run next", func() {
		for _, sentence := range r.Next {
			p.prose("- ", table.Visible(sentence))
		}
	})
}

func (p *printer) design(r *Report) {
	p.section("Design", func() {
		for _, line := range designLines(r) {
			p.prose("", line)
		}
	})
}

// doubtsShown is how many doubts a report says.
const doubtsShown = 60

func (p *printer) doubts(all []doubt) {
	if len(all) == 0 {
		return
	}
	p.section("Doubts", func() {
		for _, d := range all {
			if d.Where != "" {
				d.Text += " [" + d.Where + "]"
			}
			p.prose("- ", d.Text)
		}
	})
}

func (p *printer) answer(r *Report) {
	a := newAnswer(r)
	for _, l := range a.Lines {
		p.verdict(l)
	}
	for _, s := range a.Then {
		p.verdict(line{Sentence: s})
	}
	for _, l := range a.Others {
		p.verdict(l)
	}
	if len(a.Exceptions) > 0 {
		p.gap()
		p.prose("", "One stratum at a time")
		for _, l := range a.Exceptions {
			p.verdict(l)
		}
	}
}

func (p *printer) comparisons(r *Report, rows []Comparison) {
	t, heading := narrowed(rows, headMetric, headBaseMean, headMean, headRuns)
	p.section(heading, func() {
		p.table(t)
		if notes := tableNotes(r, rows); notes != "" {
			p.prose("", notes)
		}
	})
}

// narrowed is the table of one metric without what its heading says (the
// metric, and the arms where they are the same on every row) and without
// columns that say nothing.
func narrowed(rows []Comparison, drop ...string) (t *table.Table, heading string) {
	heading = "Change of " + metricWords(rows[0].Metric, rows[0].Unit)
	if base, ok := same(rows, func(c Comparison) string { return c.BaseLevel }); ok {
		drop = append(drop, headBase)
		arms := "against " + table.Visible(base)
		if contender, ok := same(rows, func(c Comparison) string { return c.Level }); ok {
			drop = append(drop, headContender)
			arms = table.Visible(contender) + " " + arms
		}
		heading += ", " + arms
	}
	heading += aggregateWords(rows)
	if margin := rows[0].Margin; margin > 0 { // none on the difference scale
		heading += ", margin " + percentWords(margin)
	}
	heading += ": " + tally(rows)
	if _, same := daysNote(rows); same {
		drop = append(drop, headDays)
	}
	t = Comparisons(rows).Without(drop...)
	return t.Without(silentColumns(t)...), heading
}

// aggregateWords say how the runs of a day make one value, where that is not
// their mean or the metric is a percentile, which has no mean in itself.
func aggregateWords(rows []Comparison) string {
	aggregate, ok := same(rows, func(c Comparison) string { return string(c.Aggregate) })
	switch {
	case !ok:
		return ""
	case compare.Aggregate(aggregate) == compare.MergedHistograms:
		return ", from the histograms of a day's runs merged"
	case compare.Aggregate(aggregate) == compare.MedianOfRuns:
		return ", median of a day's runs"
	case percentileOf(rows[0].Metric) > 0:
		return ", mean of per-run " + strings.TrimPrefix(rows[0].Metric, "latency_")
	}
	return ""
}

// silentColumns are those without a number in any row: where all is unsupported
// there is neither p nor noise floor.
func silentColumns(t *table.Table) []string {
	var heads []string
	for i, c := range t.Columns {
		if !slices.ContainsFunc(t.Rows, func(row []table.Cell) bool { return row[i].Text != "-" }) {
			heads = append(heads, c.Head)
		}
	}
	return heads
}

// same tells whether all rows agree.
func same(rows []Comparison, value func(Comparison) string) (string, bool) {
	first := value(rows[0])
	return first, !slices.ContainsFunc(rows, func(c Comparison) bool { return value(c) != first })
}

func (p *printer) variance(r *Report) {
	metrics, rest := varianceShown(r)
	for _, metric := range metrics {
		rows := varianceOf(r, metric)
		if r.asked(PartVariance) {
			p.section("What the spread is made of: "+metricWords(metric, rows[0].Unit), func() {
				p.table(Components(rows).Without(headMetric))
			})
		}
		rows, without := informed(rows)
		p.section("How far runs scatter: "+metricWords(metric, rows[0].Unit), func() {
			unknown, note := unknownLevels(rows)
			if len(unknown) < len(levelNames) {
				p.table(Spreads(rows).Without(append(unknown, headMetric)...))
			}
			if note = strings.TrimSpace(note + " " + without); note != "" {
				p.prose("", note)
			}
		})
		if len(floorDesigns(rows)) == 0 {
			continue
		}
		p.section(floorsHeading(metric), func() {
			silent, note := silentDesigns(rows)
			if len(silent) < len(floorDesigns(rows)) {
				p.table(Floors(rows).Without(append(silent, headMetric)...))
			}
			if note != "" {
				p.prose("", note)
			}
		})
	}
	if rest != "" {
		p.gap()
		p.prose("", rest)
	}
}

func floorsHeading(metric string) string {
	return "Smallest change of " + table.Visible(metric) + " that a design detects (80 % power at 5 %)"
}

// varianceMetrics are the metrics whose noise was measured, in print order.
func varianceMetrics(r *Report) []string {
	return distinct(r.Variance, func(v Variance) string { return v.Metric })
}

// metricsShown is how many metrics a report shows the noise of.
const metricsShown = 12

// varianceShown are those, and what is said of the others.
func varianceShown(r *Report) (metrics []string, rest string) {
	metrics = varianceMetrics(r)
	if more := len(metrics) - metricsShown; more > 0 && !r.asked(PartVariance) {
		return metrics[:metricsShown], fmt.Sprintf("The noise of %s: noisefloor variance shows it, and --json has it.", analysis.Counted(more, "more metric"))
	}
	return metrics, ""
}

func varianceOf(r *Report, metric string) []Variance {
	var rows []Variance
	for _, v := range r.Variance {
		if v.Metric == metric {
			rows = append(rows, v)
		}
	}
	return rows
}

// problemsShown is how many kinds of problems the text names; the rest is
// counted, and --json has all.
const problemsShown = 10

func (p *printer) inputs(r *Report) {
	p.gap()
	if line := leftOut(r); line != "" {
		p.prose("", line)
	}
	problems := datasets.Gather(r.Inputs.Problems)
	for i, problem := range problems {
		if i == problemsShown {
			p.prose("", fmt.Sprintf("and %s more; --json lists them.", analysis.Counted(len(problems)-i, "problem")))
			break
		}
		p.prose("", "Problem: "+table.Visible(problem.String()))
	}
	p.prose("", provenanceLine(r))
}

package report

import (
	"slices"

	"noisefloor/analysis/figure"
	"noisefloor/analysis/profile"
	"noisefloor/analysis/steady"
	"noisefloor/analysis/table"
)

// The sentences, tables and pictures of the page one by one, for notebooks. A picture
// that there is nothing for has a zero Height.

// AnswerSentences are what the report says first, each behind its verdict.
func AnswerSentences(r *Report) (sentences []string) {
	a := pageAnswer(r)
	say := func(lines []line) {
		for _, l := range lines {
			said := l.Sentence
			if l.Verdict != "" {
				said = string(l.Verdict) + ": " + said
			}
			sentences = append(sentences, said)
		}
	}
	say(a.Lines)
	sentences = append(sentences, a.Then...)
	say(a.Others)
	say(a.Exceptions)
	return sentences
}

// DesignSentences say what is compared with what, on which days, in which order.
func DesignSentences(r *Report) []string { return designLines(r) }

// DoubtSentences are the warnings, those about everything first, each with the rows
// that it is about; of more than most, how many more there are.
func DoubtSentences(r *Report, most int) (sentences []string) {
	shown, rest := someDoubts(r, most)
	for _, d := range shown {
		said := d.Text
		if d.Where != "" {
			said += " (" + d.Where + ")"
		}
		sentences = append(sentences, said)
	}
	if rest != "" {
		sentences = append(sentences, rest)
	}
	return sentences
}

// ForestFigure draws the changes of the rows of one metric with their intervals.
func ForestFigure(rows []Comparison) figure.Figure { return forest(rows).figure() }

// SpreadFigure draws how far runs, launches and days scatter in one metric.
func SpreadFigure(rows []Variance) figure.Figure {
	if len(rows) == 0 {
		return figure.Figure{}
	}
	unknown, _ := unknownLevels(rows)
	return spreadPicture(rows, unknown).figure()
}

// DesignFigure draws which arm ran when.
func DesignFigure(r *Report) figure.Figure { return designPicture(r.Design).figure() }

func (p *picture) figure() figure.Figure {
	if p == nil {
		return figure.Figure{}
	}
	return p.draw(wideWidth)
}

// Verdicts is the table of the answers of one metric without what is the same on
// every row, for people.
func Verdicts(rows []Comparison) *table.Table {
	if len(rows) == 0 {
		return &table.Table{}
	}
	t, _ := narrowed(rows, headMetric, headBaseMean, headMean, headRuns)
	return t
}

// Of gives the rows of one metric; "" is the one that is answered first.
func (r *Report) Of(metric string) ([]Comparison, []Variance) {
	if metric == "" {
		metric = primaryMetric(r)
	}
	if metrics := varianceMetrics(r); metric == "" && len(metrics) > 0 { // nothing is compared
		metric = metrics[0]
	}
	return rowsOf(r, metric), varianceOf(r, metric)
}

// CurveFigures draws the curves of a group: the values, then the ratio of each
// contender to the base.
func CurveFigures(c *Curves) (all []figure.Figure) {
	for _, p := range curvePictures(c) {
		all = append(all, p.figure())
	}
	return all
}

// CurveTable is the table of the terms of a group's curves, an arm a row; where no
// law describes the data, that of the levels.
func CurveTable(c *Curves) *table.Table {
	if !c.described() {
		return levelTable(c)
	}
	return curveTerms(c)
}

// SeriesFigure draws one run over time, with its cut.
func SeriesFigure(s Series) figure.Figure {
	lo, hi := slices.Min(s.Y), slices.Max(s.Y)
	return figure.Panel("Run of "+table.Visible(s.Arm)+" over time", s.T, s.Y, 0, lo, hi, s.T[len(s.T)-1], s.Cut)
}

// BarFigure draws the symbols whose share of the samples differs most.
func BarFigure(p *Profiled) figure.Figure {
	rows, _ := rowsShown(p.Rows, profile.Share)
	return barPicture(rows[:min(len(rows), barsDrawn)], profile.Share, p.BaseLevel, p.Level).figure()
}

// FlameFigure draws the stacks of both arms as a differential flame graph.
func FlameFigure(p *Profiled) figure.Figure { return flamePicture(p).figure() }

// CurvesOf gives the curves of one metric.
func (r *Report) CurvesOf(metric string) (groups []Curves) {
	for _, c := range r.Curves {
		if c.Metric == metric {
			groups = append(groups, c)
		}
	}
	return groups
}

// Restless gives up to n runs that are not flat, those without a steady state first.
func (r *Report) Restless(n int) (runs []Series) {
	for _, s := range r.Series {
		if s.Class != steady.Flat {
			runs = append(runs, s)
		}
	}
	slices.SortStableFunc(runs, compareSeries)
	return runs[:min(n, len(runs))]
}

// SteadySentences say how many runs are steady, and what is cut.
func SteadySentences(r *Report) []string { return []string{steadyHeading(r) + ".", warmupLine(r)} }

// HistoryFigure draws a series with its levels and changes.
func HistoryFigure(h *History) figure.Figure { return historyPicture(h).figure() }

// HistorySentences say what the series show.
func HistorySentences(r *Report) (sentences []string) {
	for _, l := range historyLines(r) {
		sentences = append(sentences, l.Sentence)
	}
	return sentences
}

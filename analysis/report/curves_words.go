package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/figure"
	"noisefloor/analysis/scaling"
	"noisefloor/analysis/table"
	"noisefloor/datasets/unit"
)

// heading names what the curves are of: "tps against threads, oltp_read_only".
func (c *Curves) heading() string {
	h := "Curves: " + metricWords(c.Metric, c.Unit) + " against " + table.Visible(c.X)
	if s := stratumWords(c.Stratum); s != "" {
		h += ", " + s
	}
	return h
}

// sentences say what the curves show, the law first.
func (c *Curves) sentences() []string {
	lines := []string{c.lawSentence()}
	for i := range c.Curves {
		if s := c.peakSentence(&c.Curves[i]); s != "" {
			lines = append(lines, s)
		}
	}
	for i := range c.Pairs {
		lines = append(lines, c.rangeSentence(&c.Pairs[i]))
		lines = append(lines, c.crossingSentences(&c.Pairs[i])...)
	}
	return lines
}

func (c *Curves) lawSentence() string {
	if c.Law == "" {
		for _, choice := range c.Choices {
			if choice.Law == c.Closest {
				return fmt.Sprintf("Law: none of those tried describes the data; %s is drawn as the closest, which is %s off at %s.", c.Closest, percent(choice.Misfit, 1), c.place(choice.MisfitAt))
			}
		}
	}
	s := fmt.Sprintf("Law: %s, %s", c.Law, lawWords[c.Law])
	fitted := 0
	var chosen scaling.Choice
	for _, choice := range c.Choices {
		if choice.Have >= choice.Need && choice.Converged {
			fitted++
		}
		if choice.Law == c.Law {
			chosen = choice
		}
	}
	if fitted > 1 && chosen.Weight > .005 { // less is that of a law whose betters are rejected
		s += fmt.Sprintf("; weight %s of %d laws tried", table.Fixed(chosen.Weight, 2), fitted)
	}
	if !math.IsNaN(chosen.LackOfFitP) {
		s += "; lack of fit p = " + pValue(chosen.LackOfFitP)
		s = strings.Replace(s, "= <", "< ", 1)
	}
	return s + fmt.Sprintf("; farthest from a level's mean: %s at %s.", percent(chosen.Misfit, 1), levelWords(chosen.MisfitAt))
}

func (c *Curves) peakSentence(curve *scaling.Curve) string {
	name := ""
	if len(c.Arms) > 1 {
		name = " of " + table.Visible(c.arm(curve.Arm))
	}
	if !c.described() {
		return c.bestLevel(name, curve)
	}
	p := curve.Peak
	if p == nil {
		return ""
	}
	s := fmt.Sprintf("Best%s: %s at %s%s", name, c.valueWords(p.Y.Value), c.place(p.X.Value), rangeWords(p.X))
	if !p.Within {
		s += ", outside the levels measured"
	}
	return s + "."
}

// bestLevel is the best mean measured, where no curve says more.
func (c *Curves) bestLevel(name string, curve *scaling.Curve) string {
	best := -1
	for i, o := range curve.Observed {
		if best < 0 || (o.Mean > curve.Observed[best].Mean) == (c.Unit.Better != unit.Lower) {
			best = i
		}
	}
	if best < 0 || c.Unit.Better == unit.Neither {
		return ""
	}
	return fmt.Sprintf("Best level measured%s: %s at %s.", name, c.valueWords(curve.Observed[best].Mean), c.place(curve.Observed[best].X))
}

func (c *Curves) rangeSentence(p *scaling.Pair) string {
	contender, base := table.Visible(c.arm(p.Arm)), table.Visible(c.arm(0))
	if len(p.Ranges) == 0 {
		if p.Days < 2 || refusedPair(p) {
			return fmt.Sprintf("%s against %s: no claim; %s.", contender, base, c.ratioWords(p))
		}
		return fmt.Sprintf("%s against %s: nowhere apart, as the band of their ratio holds 1 at every level; %s.", contender, base, c.ratioWords(p))
	}
	var parts []string
	for _, r := range p.Ranges {
		if r.From == r.To {
			parts = append(parts, fmt.Sprintf("%s at %s", c.better(r.Above), c.place(r.To)))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s from %s to %s", c.better(r.Above), levelWords(r.From), c.place(r.To)))
	}
	if p.ByLevel {
		return fmt.Sprintf("%s against %s: %s (%s band over all levels).", contender, base, strings.Join(parts, ", "), percentWords(p.Ratio[0].Confidence))
	}
	return fmt.Sprintf("%s against %s: %s (%s band of the whole curve).", contender, base, strings.Join(parts, ", "), percentWords(p.Ratio[0].Confidence))
}

func refusedPair(p *scaling.Pair) bool {
	for _, w := range p.Warnings {
		if _, is := w.(analysis.CurveClaimRefused); is {
			return true
		}
	}
	return false
}

// ratioWords is the observed ratio at both ends.
func (c *Curves) ratioWords(p *scaling.Pair) string {
	first, last := p.Ratio[0], p.Ratio[len(p.Ratio)-1]
	return fmt.Sprintf("observed %s %% at %s, %s %% at %s", table.Signed(100*(first.Value-1), 1), levelWords(first.X), table.Signed(100*(last.Value-1), 1), levelWords(last.X))
}

func (c *Curves) crossingSentences(p *scaling.Pair) []string {
	var lines []string
	for _, x := range p.Crossings {
		interval := rangeWords(x.Estimate)
		if interval == "" && p.Days > 1 {
			continue // the curves cannot be told apart on either side
		}
		if interval == "" { // nothing is claimed of either side
			lines = append(lines, fmt.Sprintf("%s and %s: the curves cross at %s; there is no interval for it.", table.Visible(c.arm(0)), table.Visible(c.arm(p.Arm)), c.place(x.Value)))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s and %s cross at %s%s: above it %s is %s.", table.Visible(c.arm(0)), table.Visible(c.arm(p.Arm)),
			c.place(x.Value), interval, table.Visible(c.arm(p.Arm)), c.better(x.Above)))
	}
	return lines
}

// levelWords prints a number with three digits, whole where it is large.
func levelWords(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case math.Abs(v) >= 1000 && math.Abs(v) < 1e7:
		return table.Fixed(v, 0)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// place is a level as people say it: "8 threads", "table_size 1000".
func (c *Curves) place(v float64) string {
	x := table.Visible(c.X)
	if strings.HasSuffix(x, "s") {
		return levelWords(v) + " " + x
	}
	return x + " " + levelWords(v)
}

// rangeWords is an interval in brackets, "" where nothing is known of it.
func rangeWords(e analysis.Estimate) string {
	switch lo, hi := math.IsNaN(e.Lo), math.IsNaN(e.Hi); {
	case lo && hi:
		return ""
	case lo:
		return fmt.Sprintf(" (at most %s)", levelWords(e.Hi))
	case hi:
		return fmt.Sprintf(" (at least %s)", levelWords(e.Lo))
	}
	return fmt.Sprintf(" (%s to %s)", levelWords(e.Lo), levelWords(e.Hi))
}

// valueWords prints a value of the metric with its unit.
func (c *Curves) valueWords(v float64) string {
	scale := unit.ScaleFor(c.Unit, v)
	return strings.TrimSpace(scale.Format(v, meanDigits) + " " + scale.Unit)
}

// curveTerms is the table of the terms: an arm a row.
func curveTerms(c *Curves) *table.Table {
	t := &table.Table{}
	several := len(c.Arms) > 1
	if several {
		t.Columns = append(t.Columns, table.Column{Head: "arm", Fields: []string{"arm"}})
	}
	for _, term := range c.Curves[0].Terms {
		head := strings.ReplaceAll(term.Name, "_", " ")
		if u := c.termUnit(term.Unit); u != "1" && u != "" && term.Unit != scaling.OfX {
			head += " (" + table.Visible(u) + ")"
		}
		t.Columns = append(t.Columns, table.Column{Head: head, Align: table.Right, Fields: []string{term.Name, term.Name + "_lo", term.Name + "_hi"}})
	}
	t.Columns = append(t.Columns,
		table.Column{Head: "misfit", Align: table.Right, Fields: []string{"misfit"}},
		table.Column{Head: "lack of fit p", Align: table.Right, Fields: []string{"lack_of_fit_p"}},
		table.Column{Head: headRuns, Align: table.Right, Fields: []string{"runs", "days"}})
	for i := range c.Curves {
		curve := &c.Curves[i]
		var row []table.Cell
		if several {
			row = append(row, table.Word(c.arm(curve.Arm)))
		}
		for _, term := range curve.Terms {
			row = append(row, table.Cell{Text: levelWords(term.Value) + rangeWords(term.Estimate), Values: []any{term.Value, term.Lo, term.Hi}})
		}
		days := ", day unknown"
		if curve.Days > 0 {
			days = " on " + analysis.Counted(curve.Days, "day")
		}
		row = append(row,
			table.Cell{Text: percent(curve.Misfit, 1), Values: []any{curve.Misfit}},
			table.Cell{Text: pValue(curve.LackOfFitP), Values: []any{curve.LackOfFitP}},
			table.Cell{Text: strconv.Itoa(curve.Runs) + days, Values: []any{curve.Runs, unlessZero(curve.Days)}})
		t.Add(row...)
	}
	return t
}

// described tells whether the curves are of a law, which then has terms.
func (c *Curves) described() bool { return c.Law != "" || c.Asked }

// levelTable is the table of what was measured, for where no law describes it: a
// level a row, the mean of each arm, and how each contender's differs.
func levelTable(c *Curves) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: table.Visible(c.X), Align: table.Right, Fields: []string{c.X}}}}
	var means []float64
	for i := range c.Curves {
		name := c.arm(c.Curves[i].Arm)
		head := name
		if head == "" {
			head = "mean"
		}
		t.Columns = append(t.Columns, table.Column{Head: head, Align: table.Right, Fields: []string{"mean", "runs"}})
		for _, o := range c.Curves[i].Observed {
			means = append(means, o.Mean)
		}
	}
	for i := range c.Pairs {
		t.Columns = append(t.Columns, table.Column{Head: c.arm(c.Pairs[i].Arm) + ", change", Align: table.Right, Fields: []string{"ratio", "band_lo", "band_hi"}})
	}
	decimals := table.Decimals(meanDigits, means...)
	for _, x := range c.Levels {
		row := []table.Cell{{Text: levelWords(x), Values: []any{x}}}
		for i := range c.Curves {
			cell := table.Cell{Text: "-", Values: []any{nil, 0}}
			for _, o := range c.Curves[i].Observed {
				if o.X == x {
					cell = table.Cell{Text: table.Fixed(o.Mean, decimals), Values: []any{o.Mean, o.Runs}}
				}
			}
			row = append(row, cell)
		}
		for i := range c.Pairs {
			cell := table.Cell{Text: "-", Values: []any{nil, nil, nil}}
			for _, p := range c.Pairs[i].Ratio {
				if p.X == x {
					d := scaling.Difference{Ratio: true, Estimate: analysis.Estimate{Value: p.Value, Lo: p.BandLo, Hi: p.BandHi}}
					cell = table.Cell{Text: differenceWords(d), Values: []any{p.Value, p.BandLo, p.BandHi}}
				}
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	return t
}

// differ tells whether there are terms to compare.
func (c *Curves) differ() bool { return len(c.Pairs) > 0 && len(c.Pairs[0].Differences) > 0 }

// curveDifferences is the table of how the contenders' terms compare.
func curveDifferences(c *Curves) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: headContender, Fields: []string{"contender"}}}}
	for _, d := range c.Pairs[0].Differences {
		head := strings.ReplaceAll(d.Name, "_", " ")
		if d.Ratio {
			head += ", change"
		} else {
			head += ", difference"
		}
		t.Columns = append(t.Columns, table.Column{Head: head, Align: table.Right, Fields: []string{d.Name, d.Name + "_lo", d.Name + "_hi"}})
	}
	for i := range c.Pairs {
		p := &c.Pairs[i]
		row := []table.Cell{table.Word(c.arm(p.Arm))}
		for _, want := range c.Pairs[0].Differences {
			cell := table.Cell{Text: "-", Values: []any{nil, nil, nil}}
			for _, d := range p.Differences {
				if d.Name == want.Name {
					cell = table.Cell{Text: differenceWords(d), Values: []any{d.Value, d.Lo, d.Hi}}
				}
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	return t
}

func differenceWords(d scaling.Difference) string {
	e := d.Estimate
	if d.Ratio {
		e.Value, e.Lo, e.Hi = 100*(e.Value-1), 100*(e.Lo-1), 100*(e.Hi-1)
		if math.IsNaN(e.Lo) || math.IsNaN(e.Hi) {
			return table.Signed(e.Value, 1) + " %"
		}
		return fmt.Sprintf("%s %% (%s to %s)", table.Signed(e.Value, 1), table.Signed(e.Lo, 1), table.Signed(e.Hi, 1))
	}
	s := signedWords(e.Value)
	if math.IsNaN(e.Lo) || math.IsNaN(e.Hi) {
		return s
	}
	return fmt.Sprintf("%s (%s to %s)", s, signedWords(e.Lo), signedWords(e.Hi))
}

func signedWords(v float64) string {
	if v > 0 {
		return "+" + levelWords(v)
	}
	return levelWords(v)
}

// curves prints the section of each group.
func (p *printer) curves(r *Report) {
	for i := range r.Curves {
		c := &r.Curves[i]
		p.section(c.heading(), func() {
			for _, s := range c.sentences() {
				p.prose("", s)
			}
			p.gap()
			p.table(CurveTable(c))
			if c.differ() {
				p.gap()
				p.table(curveDifferences(c))
			}
		})
	}
}

// ratiosDrawn is for how many contenders the page draws the ratio; sentences and
// tables have all.
const ratiosDrawn = 5

// curvePictures are the curves, and each contender's ratio.
func curvePictures(c *Curves) []picture {
	plot := figure.CurvePlot{
		Title: c.heading(), Arms: visibleAll(c.Arms), XName: table.Visible(c.X), YName: metricWords(c.Metric, c.Unit), LogX: c.LogX,
	}
	if len(plot.Arms) == 0 {
		plot.Arms = []string{"all runs"}
	}
	for i := range c.Curves {
		curve := &c.Curves[i]
		drawn := figure.Curve{Arm: curve.Arm}
		for _, pt := range curve.Points {
			p := figure.BandPoint{X: pt.X, Y: pt.Value, Lo: pt.BandLo, Hi: pt.BandHi}
			if !c.described() { // a band of what is known to be wrong promises something
				p.Lo, p.Hi = math.NaN(), math.NaN()
			}
			drawn.Line = append(drawn.Line, p)
		}
		for _, o := range curve.Observed {
			drawn.Levels = append(drawn.Levels, figure.Level{X: o.X, Mean: o.Mean, Low: o.Low, High: o.High})
		}
		if p := curve.Peak; p != nil && p.Within {
			drawn.Peak = &figure.Mark{X: p.X.Value, Y: p.Y.Value, Lo: p.X.Lo, Hi: p.X.Hi}
			plot.Notes = append(plot.Notes, c.peakSentence(curve))
		}
		plot.Curves = append(plot.Curves, drawn)
	}
	var ratios []figure.CurvePlot
	for i := range c.Pairs[:min(len(c.Pairs), ratiosDrawn)] {
		p := &c.Pairs[i]
		ratio := figure.CurvePlot{
			Title: table.Visible(c.arm(p.Arm)) + " against " + table.Visible(c.arm(0)), XName: plot.XName, LogX: c.LogX, One: 1,
			YName: table.Visible(c.arm(p.Arm)) + " / " + table.Visible(c.arm(0)) + ": ratio of " + table.Visible(c.Metric),
			Notes: []string{typeset(c.rangeSentence(p))},
		}
		for _, s := range c.crossingSentences(p) {
			ratio.Notes = append(ratio.Notes, typeset(s))
		}
		drawn := figure.Curve{Arm: p.Arm}
		for _, pt := range p.Ratio {
			drawn.Line = append(drawn.Line, figure.BandPoint{X: pt.X, Y: pt.Value, Lo: pt.BandLo, Hi: pt.BandHi})
		}
		drawn.Levels = ratioLevels(c, p.Arm)
		ratio.Curves = []figure.Curve{drawn}
		for _, x := range p.Crossings {
			mark := figure.Mark{X: x.Value, Lo: x.Lo, Hi: x.Hi}
			ratio.Crossings = append(ratio.Crossings, mark)
			if len(c.Pairs) == 1 {
				plot.Crossings = append(plot.Crossings, mark)
			}
		}
		ratios = append(ratios, ratio)
	}
	var pictures []picture
	for _, plot := range append([]figure.CurvePlot{plot}, ratios...) {
		pictures = append(pictures, newPicture(plot.Draw))
	}
	return pictures
}

// ratioLevels are the ratios of the means, level by level.
func ratioLevels(c *Curves, arm int) []figure.Level {
	base := map[float64]float64{}
	var levels []figure.Level
	for i := range c.Curves {
		for _, o := range c.Curves[i].Observed {
			switch c.Curves[i].Arm {
			case 0:
				base[o.X] = o.Mean
			case arm:
				if b, ok := base[o.X]; ok {
					levels = append(levels, figure.Level{X: o.X, Mean: o.Mean / b, Low: math.NaN(), High: math.NaN()})
				}
			}
		}
	}
	return levels
}

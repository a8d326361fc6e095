package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/history"
	"noisefloor/analysis/table"
)

// The sentences and tables of series, which text and page share.

// metricAt names a series: "tps at 8 threads, oltp_read_only".
func metricAt(metric string, stratum []group.Field) string {
	if words := stratumWords(stratum); words != "" {
		return table.Visible(metric) + " at " + words
	}
	return table.Visible(metric)
}

// stepWords prints the size of a change with its interval.
func stepWords(ratio, lo, hi float64, additive bool, unit string) (change, interval string) {
	suffix := " %"
	convert := func(x float64) float64 { return 100 * (x - 1) }
	if additive {
		convert = func(x float64) float64 { return x }
		if suffix = " " + unit; unit == "1" || unit == "" {
			suffix = ""
		}
	}
	d := min(max(1, table.Decimals(2, convert(hi)-convert(lo))), 2)
	if additive {
		d = table.Decimals(2, convert(hi)-convert(lo), convert(ratio))
	}
	if math.IsNaN(ratio) {
		return "-", "-"
	}
	change = table.Signed(convert(ratio), d) + suffix
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return change, "-"
	}
	return change, table.Signed(convert(lo), d) + " to " + table.Signed(convert(hi), d) + suffix
}

func (h *History) step(j int) (change, interval string) {
	c := &h.Changes[j]
	return stepWords(c.Ratio, c.Lo, c.Hi, h.Additive, h.Unit.Name)
}

// bracket names the neighbours that a change lies between.
func (h *History) bracket(j int) string {
	c := &h.Changes[j]
	label := func(i int) string { return table.Visible(h.Points[i].Label) }
	words := label(c.Before) + " to " + label(c.At)
	if c.Unmeasured > 0 {
		words += " (" + analysis.Counted(c.Unmeasured, "commit") + " between)"
	}
	return words
}

// mayBe says at which other points the level may have begun; "" if at none.
func (h *History) mayBe(j int) string {
	c := &h.Changes[j]
	if c.AtLo == c.AtHi {
		return ""
	}
	return table.Visible(h.Points[c.AtLo].Label) + " to " + table.Visible(h.Points[c.AtHi].Label)
}

// sentence says what changed, since when, how large, how sure.
func (h *History) sentence(j int) string {
	c := &h.Changes[j]
	change, interval := h.step(j)
	s := fmt.Sprintf("%s changed by %s (%s) from %s on; the last before it is %s", metricAt(h.Metric, h.Stratum), change, interval,
		table.Visible(h.Points[c.At].Label), table.Visible(h.Points[c.Before].Label))
	if c.Unmeasured > 0 {
		s += fmt.Sprintf(", with %s between that nobody measured", analysis.Counted(c.Unmeasured, "commit"))
	}
	if m := h.mayBe(j); m != "" {
		s += "; it may as well have begun anywhere from " + m
	}
	s += "; p " + pText(c.PAdjusted) + " for such a change anywhere in the series"
	if c.PAdjusted > c.P*1.5 {
		s += ", all series counted"
	}
	if note := h.Notes[j]; note != "" {
		s += "; known: " + table.Visible(note)
	}
	return s + "."
}

func pText(p float64) string {
	text := pValue(p)
	if strings.HasPrefix(text, "<") {
		return text
	}
	return "= " + text
}

// quiet says what a series without a change shows.
func (h *History) quiet() string {
	s := fmt.Sprintf("%s: no change in %s", metricAt(h.Metric, h.Stratum), analysis.Counted(used(h.Points), "point"))
	if !math.IsNaN(h.Detectable) {
		d := table.Signed(h.Detectable, table.Decimals(2, h.Detectable)) + " " + h.Unit.Name
		if !h.Additive {
			d = percent(h.Detectable, min(max(1, table.Decimals(2, 100*h.Detectable)), 2))
		}
		s += fmt.Sprintf("; a step of %s in its middle would be found half of the time", d)
	}
	return s + "."
}

func used(points []history.Level) int {
	n := 0
	for _, p := range points {
		if p.Runs > 0 {
			n++
		}
	}
	return n
}

// historyAlone: the verb history, which says nothing of arms.
func historyAlone(r *Report) bool { return slices.Equal(r.Parts, []Part{PartHistory}) }

// historyLines are the first lines of the answer: one for each event, of its
// clearest primary change, with the others behind it.
func historyLines(r *Report) []line {
	var lines []line
	for _, e := range r.Events {
		lead := e.Members[0]
		for _, m := range e.Members {
			if r.History[m.History].Primary && !r.History[lead.History].Primary {
				lead = m
			}
		}
		h := &r.History[lead.History]
		l := line{h.Changes[lead.Change].Verdict, h.sentence(lead.Change)}
		if h.Conditional {
			l.Sentence = "On that one day: " + l.Sentence
		}
		var also []string
		for _, m := range e.Members {
			if m != lead {
				o := &r.History[m.History]
				change, interval := o.step(m.Change)
				also = append(also, fmt.Sprintf("%s %s (%s)", metricAt(o.Metric, o.Stratum), change, interval))
			}
		}
		if n := len(also); n > alsoNamed {
			also = append(also[:alsoNamed], fmt.Sprintf("and %d more", n-alsoNamed))
		}
		if len(also) > 0 {
			l.Sentence += " With it: " + strings.Join(also, "; ") + "."
		}
		lines = append(lines, l)
	}
	for i := range r.Factors {
		if f := &r.Factors[i]; f.answers() {
			lines = append(lines, line{f.Whole.Verdict, f.shareSentence()})
		}
	}
	if len(lines) > 0 {
		return lines
	}
	var refused []string
	for i := range r.History {
		h := &r.History[i]
		if h.Basis != history.BasisNone {
			switch {
			case !h.Primary:
			case h.Conditional:
				lines = append(lines, line{analysis.Unsupported, "On that one day: " + h.quiet()})
			default:
				lines = append(lines, line{Sentence: h.quiet()})
			}
			continue
		}
		for _, w := range h.Warnings {
			if refusal, ok := w.(analysis.Refusal); ok && !slices.Contains(refused, refusal.Why()) {
				refused = append(refused, refusal.Why())
				lines = append(lines, line{analysis.Unsupported, sentenceCase(table.Visible(w.Text()))})
			}
		}
	}
	return lines
}

// alsoNamed is how many further series an event names; the table has all.
const alsoNamed = 4

// historyHeading names the series and says what is promised about them.
func historyHeading(r *Report) string {
	h := &r.History[0]
	n := 0
	for i := range r.History {
		n += len(r.History[i].Changes)
	}
	return fmt.Sprintf("Changes over %s, %s (%s): %s in %s", table.Visible(h.Over), analysis.Counted(len(h.Points), "point"), h.Order, analysis.Counted(n, "change"), seriesWords(len(r.History)))
}

// historyNotes are the sentences under the table: where the noise comes from,
// and what the false-alarm rate is.
func historyNotes(r *Report) []string {
	var notes []string
	add := func(s string) {
		if !slices.Contains(notes, s) {
			notes = append(notes, s)
		}
	}
	hidden := 0
	for i := range r.History {
		h := &r.History[i]
		hidden += h.Hidden
		switch h.Basis {
		case history.BasisSeries:
			add("The noise is learnt from how far the points scatter around their level, with what neighbouring points have in common.")
		case history.BasisBlocks:
			add("The noise is learnt from the days that all points share.")
		case history.BasisDays:
			add("The noise is learnt from the days inside the points.")
		case history.BasisLaunches:
			add("The noise is learnt from what was repeated inside the one day, so all of this is about that day alone: no verdict on any other.")
		}
	}
	for _, metric := range distinct(r.History, func(h History) string { return h.Metric }) {
		all := 0.
		for _, h := range r.History {
			if h.Metric == metric && h.Basis != history.BasisNone {
				all += h.FalseAlarm
			}
		}
		if all > 0 {
			add(fmt.Sprintf("Of experiments in which nothing changes, at most %s show any change of a metric (simulated, docs/history.md); p is the chance of so clear a change anywhere.", percentWords(falseAlarmOf(r))))
		}
	}
	if hidden > 0 {
		add(fmt.Sprintf("%s in the other direction not shown, as asked with --direction; --json has the levels.", analysis.Counted(hidden, "change")))
	}
	return notes
}

func falseAlarmOf(r *Report) float64 {
	if r.FalseAlarm == 0 {
		return .05
	}
	return r.FalseAlarm
}

// Heads of columns that the text leaves out.
const (
	headMayBegin = "may begin at"
	headFrom     = "level before"
	headTo       = "after"
)

// Histories is the table of changes.
func Histories(rows []History) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: headMetric, Fields: []string{"metric", "unit"}}}}
	stratum := func(i int) []group.Field { return rows[i].Stratum }
	names := stratumNames(len(rows), stratum)
	t.Columns = append(t.Columns, stratumColumns(names, len(rows), stratum)...)
	t.Columns = append(t.Columns,
		table.Column{Head: "between", Fields: []string{"before", "at"}},
		table.Column{Head: headMayBegin, Fields: []string{"at_lo", "at_hi"}},
		table.Column{Head: "change", Align: table.Right, Fields: []string{"ratio"}},
		table.Column{Head: "interval", Align: table.Right, Fields: []string{"lo", "hi"}},
		table.Column{Head: "p\u00a0adj", Align: table.Right, Fields: []string{"p_adjusted"}},
		table.Column{Head: "verdict", Fields: []string{"verdict"}},
		table.Column{Head: headFrom, Align: table.Right, Fields: []string{"from"}},
		table.Column{Head: headTo, Align: table.Right, Fields: []string{"to"}},
		table.Column{Head: "known", Fields: []string{"acknowledged"}},
	)
	for i := range rows {
		h := &rows[i]
		for j := range h.Changes {
			c := &h.Changes[j]
			change, interval := h.step(j)
			d := table.Decimals(3, c.From, c.To)
			label := func(i int) string { return h.Points[i].Label }
			row := []table.Cell{{Text: h.Metric, Values: []any{h.Metric, h.Unit.Name}}}
			row = append(row, stratumCells(names, h.Stratum)...)
			row = append(row,
				table.Cell{Text: h.bracket(j), Values: []any{label(c.Before), label(c.At)}},
				table.Cell{Text: orDash(h.mayBe(j)), Values: []any{label(c.AtLo), label(c.AtHi)}},
				table.Cell{Text: change, Values: []any{c.Ratio}},
				table.Cell{Text: interval, Values: []any{c.Lo, c.Hi}},
				table.Cell{Text: pValue(c.PAdjusted), Values: []any{c.PAdjusted}},
				table.Cell{Text: orDash(string(c.Verdict)), Values: []any{string(c.Verdict)}, Tone: tones[c.Verdict]},
				table.Cell{Text: table.Fixed(c.From, d), Values: []any{c.From}},
				table.Cell{Text: table.Fixed(c.To, d), Values: []any{c.To}},
				table.Cell{Text: orDash(h.Notes[j]), Values: []any{h.Notes[j]}},
			)
			t.Add(row...)
		}
	}
	return t.Without(silentColumns(t)...)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Effects is the table of a factor study: main effects, what they are at each
// level of the other factor, and the interactions.
func Effects(f *FactorStudy) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Head: "effect", Fields: []string{"factor", "level", "base", "other", "other_level", "other_base"}},
		{Head: "change", Align: table.Right, Fields: []string{"ratio"}},
		{Head: "interval", Align: table.Right, Fields: []string{"lo", "hi"}},
		{Head: "p\u00a0adj", Align: table.Right, Fields: []string{"p_adjusted"}},
		{Head: "verdict", Fields: []string{"verdict"}},
	}}
	add := func(e *history.Effect) {
		change, interval := stepWords(e.Ratio, e.Lo, e.Hi, f.Additive, f.Unit.Name)
		p := "-"
		if e.At == "" {
			p = pValue(e.PAdjusted)
		}
		t.Add(
			table.Cell{Text: f.effectWords(e), Values: []any{e.Factor, e.Level, e.Base, e.At, e.Other[1], e.Other[0]}},
			table.Cell{Text: change, Values: []any{e.Ratio}},
			table.Cell{Text: interval, Values: []any{e.Lo, e.Hi}},
			table.Cell{Text: p, Values: []any{e.PAdjusted}},
			table.Cell{Text: orDash(string(e.Verdict)), Values: []any{string(e.Verdict)}, Tone: tones[e.Verdict]},
		)
	}
	for i := range f.Effects {
		add(&f.Effects[i])
	}
	add(&f.Whole)
	return t
}

func (f *FactorStudy) effectWords(e *history.Effect) string {
	v := table.Visible
	switch {
	case e.Factor == "":
		return fmt.Sprintf("all of it: %s against %s", v(e.Level), v(e.Base))
	case e.At != "":
		other := f.Factors[0]
		if e.Factor == other {
			other = f.Factors[1]
		}
		return fmt.Sprintf("- %s %s against %s, with %s %s", v(e.Factor), v(e.Level), v(e.Base), v(other), v(e.At))
	case e.Other[1] != "":
		return fmt.Sprintf("interaction: %s %s against %s, with %s %s over the same with %s", v(e.Factor), v(e.Level), v(e.Base), v(f.Factors[1]), v(e.Other[1]), v(e.Other[0]))
	}
	return fmt.Sprintf("%s %s against %s", v(e.Factor), v(e.Level), v(e.Base))
}

// shareSentence says how the whole change is divided.
func (f *FactorStudy) shareSentence() string {
	change, interval := stepWords(f.Whole.Ratio, f.Whole.Lo, f.Whole.Hi, f.Additive, f.Unit.Name)
	v := table.Visible
	s := fmt.Sprintf("%s: from %s to %s it changes by %s (%s)", metricAt(f.Metric, f.Stratum), v(f.Whole.Base), v(f.Whole.Level), change, interval)
	if math.IsNaN(f.Shares[0].Share) {
		return s + ", which is too unsure to be shared out between " + v(f.Factors[0]) + " and " + v(f.Factors[1]) + "."
	}
	for i, sh := range f.Shares {
		s += [...]string{"; ", ", "}[i] + fmt.Sprintf("%s explains %s of that (%s to %s)", v(sh.Factor), percent(sh.Share, 0), percent(sh.Lo, 0), percent(sh.Hi, 0))
	}
	return s + ", on the log scale, the interaction split evenly."
}

// answers tells whether the first lines of the verb's answer say what the study
// found.
func (f *FactorStudy) answers() bool { return f.Primary && f.Failed == "" }

func (f *FactorStudy) heading() string {
	return fmt.Sprintf("Effects of %s and %s on %s", table.Visible(f.Factors[0]), table.Visible(f.Factors[1]), metricAt(f.Metric, f.Stratum))
}

// replicates says what the intervals rest on.
func (f *FactorStudy) replicates() string {
	fewest, most := math.MaxInt, 0
	for _, c := range f.Cells {
		fewest, most = min(fewest, c.Units), max(most, c.Units)
	}
	n := fmt.Sprint(fewest)
	if most > fewest {
		n += " to " + fmt.Sprint(most)
	}
	switch f.Basis {
	case history.BasisBlocks:
		return n + " days, each with every combination; what differs from day to day is the noise."
	case history.BasisDays:
		return n + " days for each combination, of its own."
	case history.BasisLaunches:
		return n + " loads or launches for each combination, on one day: the intervals speak for that day alone, and no verdict is given."
	}
	return ""
}

func seriesWords(n int) string {
	if n == 1 {
		return "1 series"
	}
	return fmt.Sprintf("%d series", n)
}

// history prints the series of a report and its factor studies.
func (p *printer) history(r *Report) {
	if len(r.History) > 0 {
		p.section(historyHeading(r), func() {
			if slices.ContainsFunc(r.History, func(h History) bool { return len(h.Changes) > 0 }) {
				t := Histories(r.History)
				drop := []string{headMayBegin, headFrom, headTo} // the sentences have what a person asks of these
				if metrics := distinct(r.History, func(h History) string { return h.Metric }); len(metrics) == 1 {
					drop = append(drop, headMetric)
				}
				p.table(t.Without(drop...))
			}
			if !historyAlone(r) { // else the answer above says it
				for _, l := range historyLines(r) {
					p.prose("- ", l.Sentence)
				}
			} else if len(r.Events) > 0 {
				for _, s := range quietSeries(r) {
					p.prose("- ", s)
				}
			}
			for _, s := range historyNotes(r) {
				p.prose("", s)
			}
		})
	}
	for i := range r.Factors {
		f := &r.Factors[i]
		p.section(f.heading(), func() {
			if f.Failed != "" {
				p.prose("", table.Visible(f.Failed))
				return
			}
			if !f.answers() {
				p.prose("", f.shareSentence())
			}
			p.table(Effects(f))
			if s := f.replicates(); s != "" {
				p.prose("", "Replicates: "+s)
			}
		})
	}
}

// quietSeries are the series without a change, each in a sentence.
func quietSeries(r *Report) []string {
	var all []string
	for i := range r.History {
		if h := &r.History[i]; len(h.Changes) == 0 && h.Basis != history.BasisNone {
			all = append(all, h.quiet())
		}
	}
	return all
}

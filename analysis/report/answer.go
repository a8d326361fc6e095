package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

// answer is what the report says first.
type answer struct {
	Lines      []line   // the primary metric; never empty
	Then       []string // what to run, where no line says it
	Others     []line   // the other metrics
	Exceptions []line   // strata of the primary metric that claim something else
}

// line is a verdict and its sentence. Verdict is "" where nothing was compared.
type line struct {
	Verdict  analysis.Verdict
	Sentence string
}

// newAnswer puts headlines into words: for all strata together, contender by
// contender, where there is such a headline; else stratum by stratum.
func newAnswer(r *Report) (a answer) {
	if !r.Has(PartCompare) && (r.Has(PartProfile) || r.Has(PartWaits)) {
		return profileAnswer(r)
	}
	if !r.Has(PartCompare) && r.Has(PartScaling) {
		return curveAnswer(r)
	}
	defer func() {
		if r.Gate != nil {
			a.Then = append(a.Then, sentenceCase(r.Gate.Text())+".")
		}
	}()
	primary := primaryMetric(r)
	results := headlinesOf(r, primary)
	if len(results) == 0 {
		for _, c := range rowsOf(r, primary) {
			a.Lines = append(a.Lines, line{c.Verdict, c.sentence()})
		}
		if len(a.Lines) == 0 {
			a.Lines = []line{{Sentence: nothingCompared(r)}}
		}
		return a
	}
	why, refused := commonRefusal(results)
	if refused && len(results) > 1 {
		a.Lines = []line{{analysis.Unsupported, "No verdict on " + table.Visible(r.Design.By) + ": " + why + "."}}
		a.Then = []string{observed(results) + "."}
		if advice := sentenceCase(do(results[0])) + "."; !slices.Contains(r.Next, advice) { // else it stands right below
			a.Then = append(a.Then, advice)
		}
	} else {
		for _, h := range results {
			a.Lines = append(a.Lines, line{h.word(), h.sentence(r)})
		}
	}
	for _, metric := range headlineMetrics(r) {
		if metric == primary {
			continue
		}
		others := headlinesOf(r, metric)
		if same, ok := commonRefusal(others); refused && ok && same == why {
			a.Others = append(a.Others, line{analysis.Unsupported, table.Visible(metric) + ": no verdict for the same reason. " + observed(others) + "."})
			continue
		}
		for _, h := range others {
			a.Others = append(a.Others, line{h.word(), h.sentence(r)})
		}
	}
	for _, h := range results {
		if h.Strata < 2 {
			continue
		}
		for _, c := range rowsOf(r, primary) {
			if c.Level == h.Level && c.Verdict != h.word() && claims(c.Verdict) {
				a.Exceptions = append(a.Exceptions, line{c.Verdict, c.sentence() + withinHours(r, c.Verdict) + withWarmup(c.Verdict, c.Doubts)})
			}
		}
	}
	return a
}

// claims tells the verdicts that say something about the change from those
// that say something about the design.
func claims(v analysis.Verdict) bool {
	return v == analysis.Faster || v == analysis.Slower || v == analysis.Equivalent
}

// commonRefusal tells whether all contenders were refused for one and the same
// reason, which is then said once.
func commonRefusal(results []Headline) (why string, ok bool) {
	for i, h := range results {
		var whys []string
		for _, w := range h.Warnings {
			if refusal, ok := w.(analysis.Refusal); ok {
				whys = append(whys, table.Visible(refusal.Why()))
			}
		}
		if h.Verdict != analysis.Unsupported || len(whys) == 0 {
			return "", false
		}
		said := strings.Join(whys, ", and ")
		if i > 0 && said != why {
			return "", false
		}
		why = said
	}
	return why, len(results) > 0
}

// do is what to run instead of a design that was refused.
func do(h Headline) string {
	for _, w := range h.Warnings {
		if refusal, ok := w.(analysis.Refusal); ok {
			return table.Visible(refusal.Do())
		}
	}
	return ""
}

// observed lists what was seen, without a claim.
func observed(results []Headline) string {
	var parts []string
	for _, h := range results {
		c := Comparison{Unit: h.Unit, Result: h.Result}
		change := "nothing"
		if w, ok := h.opposite(); ok {
			change = fmt.Sprintf("%s %% at %s to %s %% at %s", table.Signed(100*w.Lowest, 1), w.Down, table.Signed(100*w.Most, 1), w.Up)
		} else if !math.IsNaN(h.Estimate) {
			change = changeWords(&c, min(max(1, table.Decimals(2, 100*(h.Estimate-1))), 2))
		}
		parts = append(parts, table.Visible(h.Level)+" "+change)
	}
	return "Observed, without a claim: " + strings.Join(parts, ", ")
}

// opposite tells whether the strata go both ways under this headline.
func (h *Headline) opposite() (analysis.OppositeStrata, bool) {
	for _, w := range h.Warnings {
		if w, ok := w.(analysis.OppositeStrata); ok {
			return w, true
		}
	}
	return analysis.OppositeStrata{}, false
}

// word is the verdict that stands before the sentence: none where the strata
// have opposite ones.
func (h *Headline) word() analysis.Verdict {
	if w, ok := h.opposite(); ok && w.Claimed {
		return ""
	}
	return h.Verdict
}

func (c *Comparison) sentence() string {
	return sentence(c.Result, c.Metric, c.BaseLevel, c.Level, stratumWords(c.Stratum))
}

// withinHours says how far a claim reaches whose days are hardly days; "" where they are.
func withinHours(r *Report, v analysis.Verdict) string {
	apart := 0.
	for _, w := range r.Warnings {
		if close, ok := w.(analysis.DaysClose); ok {
			apart = max(apart, close.Hours)
		}
	}
	if apart == 0 || !claims(v) {
		return ""
	}
	return fmt.Sprintf("; this holds within %.0f hours, as days so close are hardly days", max(1, math.Round(apart)))
}

// withWarmup stands beside a claim whose runs warmed up and could not be cut: what
// the arms do in their first seconds is in it. "" where there is no such thing.
func withWarmup(v analysis.Verdict, doubts []analysis.Warning) string {
	for _, w := range doubts {
		if cut, ok := w.(analysis.NoCommonCut); ok && claims(v) && cut.Cut > 0 {
			return fmt.Sprintf("; but some runs warm up for %.0f s, and as no cut fits all of them, that is in it", cut.Cut)
		}
	}
	return ""
}

func (h *Headline) sentence(r *Report) string {
	var strata [][]group.Field
	var rowDoubts []analysis.Warning
	for _, c := range r.Comparisons {
		if c.Metric == h.Metric && c.Level == h.Level && !slices.Contains(h.Dropped, stratumWords(c.Stratum)) {
			strata = append(strata, c.Stratum)
			rowDoubts = append(rowDoubts, c.Doubts...)
		}
	}
	return sentence(h.Result, h.Metric, h.BaseLevel, h.Level, strataWords(strata)) + withinHours(r, h.Verdict) + withWarmup(h.Verdict, rowDoubts)
}

// sentence is what compare says; names from outside are made visible first.
func sentence(r compare.Result, metric, base, contender, stratum string) string {
	return compare.Sentence(r, table.Visible(metric), table.Visible(base), table.Visible(contender), stratum)
}

// strataWords names several strata together: "1 to 8 threads and 2 levels of
// workload, taken together". One stratum has its own name.
func strataWords(strata [][]group.Field) string {
	if len(strata) == 0 {
		return ""
	}
	if len(strata) == 1 {
		return stratumWords(strata[0])
	}
	var parts []string
	for _, name := range stratumNames(len(strata), func(i int) []group.Field { return strata[i] }) {
		var seen []datasets.Value
		low, high, numbers := math.Inf(1), math.Inf(-1), true
		for _, s := range strata {
			v := level(s, name)
			if !slices.Contains(seen, v) {
				seen = append(seen, v)
			}
			n, ok := v.Number()
			numbers = numbers && ok
			low, high = math.Min(low, n), math.Max(high, n)
		}
		switch {
		case len(seen) == 1:
			parts = append(parts, stratumWords([]group.Field{{Name: name, Value: seen[0]}}))
		case numbers && name == "threads":
			parts = append(parts, fmt.Sprintf("%g to %g threads", low, high))
		case numbers:
			parts = append(parts, fmt.Sprintf("%s %g to %g", table.Visible(name), low, high))
		default:
			parts = append(parts, fmt.Sprintf("%d levels of %s", len(seen), table.Visible(name)))
		}
	}
	return strings.Join(parts, " and ") + ", taken together"
}

func headlinesOf(r *Report, metric string) []Headline {
	var hs []Headline
	for _, h := range r.Headlines {
		if h.Metric == metric {
			hs = append(hs, h)
		}
	}
	return hs
}

func headlineMetrics(r *Report) []string {
	return distinct(r.Headlines, func(h Headline) string { return h.Metric })
}

func sentenceCase(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// addComparisons judges every metric, one family after the other. whole are the
// cells before any cut, for averages over strata of which some have none.
func (r *Report) addComparisons(in Input, courses *runCourses, cells, whole []group.Cell, opt Options) error {
	if r.Design.By == "" {
		r.Warnings = append(r.Warnings, analysis.NoComparison{Choices: r.Design.Choices})
	}
	r.Adjust = opt.Adjust
	j := judging{Report: r, cells: cells, opt: opt, runs: in.Runs, lender: newLender(in, opt)}
	for _, metric := range distinct(cells, func(c group.Cell) string { return c.Metric }) {
		j.averaged = cells
		if courses.mixed(cells, whole, metric) {
			j.averaged = whole
		}
		if err := j.metric(metric); err != nil {
			return err
		}
	}
	r.sayCuts(courses, cells, whole)
	r.Next = next(r)
	return nil
}

// sayCuts notes on each row where its values begin. An average over strata begins
// with the latest of theirs.
func (r *Report) sayCuts(courses *runCourses, cells, whole []group.Cell) {
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		c.Cut = courses.used(c.Metric, c.Stratum)
	}
	for i := range r.Headlines {
		h := &r.Headlines[i]
		h.Cut = math.Inf(-1)
		for _, c := range r.Comparisons {
			if c.Metric == h.Metric && c.Level == h.Level {
				h.Cut = max(h.Cut, c.Cut) // NaN stays
			}
		}
		if courses.mixed(cells, whole, h.Metric) {
			h.Cut = math.NaN()
		}
	}
}

// onGrid tells whether a percentile moves in the steps of sysbench: all runs are
// sysbench's, or, in a table of whatever made it, every value is one that
// sysbench prints.
func onGrid(runs []datasets.Run, metric string) bool {
	if percentileOf(metric) == 0 {
		return false
	}
	if !slices.ContainsFunc(runs, func(r datasets.Run) bool { return r.Tool != "sysbench" }) {
		return true
	}
	step, any := math.Log(sysbenchGrid), false
	return !slices.ContainsFunc(runs, func(r datasets.Run) bool {
		v, known := r.Metrics[metric]
		if !known || math.IsNaN(v) {
			return false
		}
		any = true
		ms := 1000 * v
		printed := math.Round(100*sysbenchLeast*math.Exp(step*math.Round(math.Log(ms/sysbenchLeast)/step))) / 100
		return !(math.Abs(printed-ms) < 1e-9*printed)
	}) && any
}

// judging is one call of addComparisons.
type judging struct {
	*Report
	cells    []group.Cell
	averaged []group.Cell // for the headline, parallel to cells
	opt      Options
	runs     []datasets.Run
	gridded  bool // the metric at hand is a percentile of sysbench
	lender   *lender
}

// metric judges every contender in every stratum of one metric, which is one
// family, and each contender over all strata, which is another: of several
// contenders, none of which changed anything, one would soon be in the headline.
func (j *judging) metric(metric string) error {
	first, firstHeadline := len(j.Comparisons), len(j.Headlines)
	j.gridded = onGrid(j.runs, metric)
	var options []compare.Options // of the rows
	for contender := 1; contender < len(j.Design.Arms); contender++ {
		var strata []compare.Stratum
		var lone []string // strata that only one of the two arms has
		for i := range j.cells {
			c := &j.cells[i]
			if c.Metric != metric {
				continue
			}
			pair := c.Pair(contender)
			if len(pair) == 0 {
				continue
			}
			lacks, both := lackingArm(pair)
			o := j.rowOptions(c, contender)
			if !both {
				lone = append(lone, stratumWords(c.Stratum))
				lost := o.LeftOut[lacks]
				if c.Primary {
					arm := [2]string{j.Design.Base, j.Design.Arms[contender]}[lacks]
					j.Lone = append(j.Lone, Lone{Stratum: c.Stratum, Level: j.Design.Arms[contender], Lacks: arm, LeftOut: lost})
				}
				if lost == 0 { // that it was never run is no answer, that it never completed is one
					j.notCompared(c, contender, lacks)
					continue
				}
			}
			j.Comparisons = append(j.Comparisons, Comparison{
				Metric: metric, Unit: c.Unit, Primary: c.Primary, Stratum: c.Stratum, BaseLevel: j.Design.Base, Level: j.Design.Arms[contender],
				Result: compare.Judge(pair, o), Doubts: c.Warnings, Runs: pair, LeftOut: o.LeftOut,
			})
			options = append(options, o)
			if both {
				strata = append(strata, compare.Stratum{Label: stratumWords(c.Stratum), Runs: j.averaged[i].Pair(contender), Donor: o.Donor})
			}
		}
		if len(strata) == 0 || isRate(metric) { // a mean over strata of unlike rates means nothing
			continue
		}
		result, dropped := compare.Headline(strata, j.pairOptions(metric, contender))
		if &j.averaged[0] != &j.cells[0] {
			result.Warnings = append(result.Warnings, analysis.HeadlineWholeRuns{})
		}
		j.Headlines = append(j.Headlines, Headline{Metric: metric, Unit: unit.Of(metric), BaseLevel: j.Design.Base, Level: j.Design.Arms[contender],
			Result: result, Strata: len(strata) - len(dropped), Dropped: append(dropped, lone...)})
	}
	rows := j.Comparisons[first:]
	family := make([]*compare.Result, len(rows))
	for i := range rows {
		family[i] = &rows[i].Result
	}
	if err := compare.Adjust(family, j.opt.Adjust); err != nil {
		return err
	}
	var headlines []*compare.Result
	for i := firstHeadline; i < len(j.Headlines); i++ {
		headlines = append(headlines, &j.Headlines[i].Result)
	}
	if err := compare.Adjust(headlines, j.opt.Adjust); err != nil {
		return err
	}
	for i := range rows {
		rows[i].Cross = compare.Check(rows[i].Runs, &rows[i].Result, options[i])
	}
	for i := firstHeadline; i < len(j.Headlines); i++ {
		h := &j.Headlines[i]
		if w, ok := opposite(h, rows); ok {
			h.Result.Warnings = append(h.Result.Warnings, w)
		}
	}
	return nil
}

// notCompared says which strata of the primary metric have no row, once for all
// that lack the same arm.
func (j *judging) notCompared(c *group.Cell, contender, lacks int) {
	if !c.Primary {
		return
	}
	w := analysis.NotCompared{Base: j.Design.Base, Contender: j.Design.Arms[contender], Lacks: [2]string{j.Design.Base, j.Design.Arms[contender]}[lacks]}
	label := stratumWords(c.Stratum)
	for i, was := range j.Warnings {
		if was, ok := was.(analysis.NotCompared); ok && was.Contender == w.Contender && was.Lacks == w.Lacks {
			was.Strata = append(was.Strata, label)
			j.Warnings[i] = was
			return
		}
	}
	w.Strata = []string{label}
	j.Warnings = append(j.Warnings, w)
}

// lackingArm tells which arm has no run, if one has none.
func lackingArm(pair []compare.Run) (lacks int, both bool) {
	var have [2]bool
	for _, r := range pair {
		have[r.Arm] = true
	}
	if have[1] {
		return 0, have[0]
	}
	return 1, false
}

// oppositeSeen is how large changes in both directions have to be, where no
// row has a verdict, before a mean over them is not told: what gates want seen.
const oppositeSeen = 0.05

// opposite looks for strata that go both ways under a headline: verdicts that
// do or, where the headline has none, large observations.
func opposite(h *Headline, rows []Comparison) (analysis.OppositeStrata, bool) {
	var low, high *Comparison
	faster, slower := false, false
	for i := range rows {
		c := &rows[i]
		if c.Level != h.Level || c.Scale != compare.Ratio || !(c.Estimate > 0) || slices.Contains(h.Dropped, stratumWords(c.Stratum)) {
			continue
		}
		faster = faster || c.Verdict == analysis.Faster
		slower = slower || c.Verdict == analysis.Slower
		if low == nil || c.Estimate < low.Estimate {
			low = c
		}
		if high == nil || c.Estimate > high.Estimate {
			high = c
		}
	}
	claimed := faster && slower
	if low == nil || !claimed && !(h.Verdict == analysis.Unsupported && low.Estimate < 1-oppositeSeen && high.Estimate > 1+oppositeSeen) {
		return analysis.OppositeStrata{}, false
	}
	return analysis.OppositeStrata{Down: stratumWords(low.Stratum), Up: stratumWords(high.Stratum), Lowest: low.Estimate - 1, Most: high.Estimate - 1, Claimed: claimed}, true
}

// pairOptions are the same in every stratum of a contender.
func (j *judging) pairOptions(metric string, contender int) compare.Options {
	o := compare.Options{
		Confidence: j.opt.Confidence, Margin: j.opt.Margin, Better: direction(unit.Of(metric)), Aliased: aliased(j.Design, contender),
		IgnoreOrder: slices.Contains(j.opt.Group.Ignore, "order"), Method: j.opt.Method, Median: j.opt.Median, Seed: j.opt.Seed,
		Looks: j.opt.Looks, PlannedDays: j.opt.Planned, Maximum: isMaximum(metric),
	}
	if isRate(metric) {
		o.Scale = compare.Difference
	}
	if j.gridded {
		o.Grid, o.Ceiling, o.Quantile = sysbenchGrid, sysbenchCeiling, percentileOf(metric)
	}
	return o
}

func (j *judging) rowOptions(c *group.Cell, contender int) compare.Options {
	o := j.pairOptions(c.Metric, contender)
	o.LeftOut = [2]int{c.LeftOut[0], c.LeftOut[contender]}
	o.Exposure = [2]float64{c.Exposure[0], c.Exposure[contender]}
	o.Donor = j.lender.donor(c, o)
	return o
}

// isRate: errors and reconnects are often zero and have no logarithm. A ratio of
// them to something is asked for as one.
func isRate(metric string) bool {
	return !strings.Contains(metric, "/") && (strings.HasSuffix(metric, "errors_per_s") || strings.HasSuffix(metric, "reconnects_per_s"))
}

// isMaximum: the slowest of all events.
func isMaximum(metric string) bool { return metric == "latency_max" || metric == "max_latency" }

func direction(u unit.Unit) int {
	switch u.Better {
	case unit.Higher:
		return 1
	case unit.Lower:
		return -1
	}
	return 0
}

func aliased(design group.Design, contender int) []string {
	var names []string
	for _, m := range design.Aliased {
		if m.Arms[1] == design.Arms[contender] {
			names = append(names, fmt.Sprintf("%s (%s, %s)", m.Condition, m.Levels[0], m.Levels[1]))
		}
	}
	return names
}

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// Input is what a report is made of: the tables of one data set.
type Input struct {
	Folder    string // as the user typed it
	Runs      []datasets.Run
	Columns   []datasets.Column
	Sources   []datasets.Source
	Problems  []datasets.Problem
	Intervals func(yield func([]datasets.Interval) error) error // nil: no time series
}

// Options are the user's choices; the zero value is the published default.
type Options struct {
	Group      group.Options
	Confidence float64 // 0 = 0.95
	Margin     float64 // 0 = 0.01
	Adjust     string  // "" = holm
	Seed       uint64
	Version    string
	Parts      []Part // nil = all
}

// sysbenchGrid is the ratio of neighbouring values that a percentile of
// sysbench >= 1.0 can take: 1024 bins, equal in log, from 0.001 to 100 000 ms.
var sysbenchGrid = math.Pow(100_000/0.001, 1.0/1023)

// Build asks every part of the analysis that applies. The error is for a name
// that the user gave and that is not there.
func Build(in Input, opt Options) (*Report, error) {
	design, cells, warnings, err := group.Analyse(in.Runs, in.Columns, opt.Group)
	if err != nil {
		return nil, err
	}
	r := &Report{Version: opt.Version, Seed: opt.Seed, Parts: opt.Parts, Design: design, Warnings: warnings,
		Inputs: Inputs{Sources: in.Sources, Problems: in.Problems, Runs: len(in.Runs), Folder: in.Folder, Where: opt.Group.Where, Used: design.Matched}}
	for i := range in.Runs {
		if in.Runs[i].Status == datasets.Complete {
			r.Inputs.Complete++
		}
	}
	if r.Has(PartVariance) {
		r.addVariance(cells)
	}
	if r.Has(PartCompare) {
		if err := r.addComparisons(in, cells, opt); err != nil {
			return nil, err
		}
	}
	if r.Has(PartSteady) {
		if err := r.addSeries(in, cells); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Report) addVariance(cells []group.Cell) {
	for i := range cells {
		v, err := variance(&cells[i])
		if err != nil {
			r.Warnings = append(r.Warnings, analysis.NoiseUnknown{Metric: cells[i].Metric, Stratum: stratumWords(cells[i].Stratum), Reason: err.Error()})
			continue
		}
		r.Variance = append(r.Variance, v)
	}
}

func (r *Report) addComparisons(in Input, cells []group.Cell, opt Options) error {
	if r.Design.By == "" {
		r.Warnings = append(r.Warnings, analysis.NoComparison{Choices: r.Design.Choices})
	}
	gridded := allSysbench(in.Runs)
	for _, metric := range distinct(cells, func(c group.Cell) string { return c.Metric }) {
		if err := r.compare(r.Design, cells, metric, gridded, opt); err != nil {
			return err
		}
	}
	r.Next = next(r)
	return nil
}

func allSysbench(runs []datasets.Run) bool {
	return !slices.ContainsFunc(runs, func(r datasets.Run) bool { return r.Tool != "sysbench" })
}

func variance(c *group.Cell) (Variance, error) {
	runs := make([]noise.Run, len(c.Runs))
	for i, r := range c.Runs {
		runs[i] = noise.Run{Arm: r.Arm, Day: r.Day, Launch: r.Launch, Value: r.Value}
	}
	result, err := noise.Analyse(runs, noise.Options{})
	return Variance{Metric: c.Metric, Unit: c.Unit, Stratum: c.Stratum, Result: result}, err
}

// compare judges every contender in every stratum of one metric, which is one
// family, and each contender over all strata, which is a claim of its own.
func (r *Report) compare(design group.Design, cells []group.Cell, metric string, gridded bool, opt Options) error {
	first := len(r.Comparisons)
	for contender := 1; contender < len(design.Arms); contender++ {
		var strata []compare.Stratum
		var lone []string // strata that only one of the two arms has
		for i := range cells {
			c := &cells[i]
			if c.Metric != metric {
				continue
			}
			pair := c.Pair(contender)
			if !bothArms(pair) {
				if len(pair) > 0 {
					lone = append(lone, stratumWords(c.Stratum))
				}
				continue
			}
			r.Comparisons = append(r.Comparisons, Comparison{
				Metric: metric, Unit: c.Unit, Primary: c.Primary, Stratum: c.Stratum, BaseLevel: design.Base, Level: design.Arms[contender],
				Result: compare.Judge(pair, rowOptions(design, c, contender, gridded, opt)), Doubts: c.Warnings, Runs: pair,
			})
			strata = append(strata, compare.Stratum{Label: stratumWords(c.Stratum), Runs: pair})
		}
		if len(strata) == 0 || isRate(metric) { // a mean over strata of unlike rates means nothing
			continue
		}
		result, dropped := compare.Headline(strata, pairOptions(design, unit.Of(metric), contender, opt))
		r.Headlines = append(r.Headlines, Headline{Metric: metric, Unit: unit.Of(metric), BaseLevel: design.Base, Level: design.Arms[contender],
			Result: result, Strata: len(strata) - len(dropped), Dropped: append(dropped, lone...)})
	}
	family := make([]*compare.Result, 0, len(r.Comparisons)-first)
	for i := first; i < len(r.Comparisons); i++ {
		family = append(family, &r.Comparisons[i].Result)
	}
	if err := compare.Adjust(family, opt.Adjust); err != nil {
		return err
	}
	for i := first; i < len(r.Comparisons); i++ {
		c := &r.Comparisons[i]
		c.Cross = crossCheck(c.Runs, &c.Result)
	}
	return nil
}

func bothArms(pair []compare.Run) bool {
	var have [2]bool
	for _, r := range pair {
		have[r.Arm] = true
	}
	return have[0] && have[1]
}

// pairOptions are the same in every stratum of a contender.
func pairOptions(design group.Design, u unit.Unit, contender int, opt Options) compare.Options {
	return compare.Options{Confidence: opt.Confidence, Margin: opt.Margin, Better: direction(u), Aliased: aliased(design, contender),
		IgnoreOrder: slices.Contains(opt.Group.Ignore, "order")}
}

func rowOptions(design group.Design, c *group.Cell, contender int, gridded bool, opt Options) compare.Options {
	o := pairOptions(design, c.Unit, contender, opt)
	o.LeftOut = [2]int{c.LeftOut[0], c.LeftOut[contender]}
	o.Exposure = [2]float64{c.Exposure[0], c.Exposure[contender]}
	if isRate(c.Metric) {
		o.Scale = compare.Difference
	}
	if gridded && strings.HasPrefix(c.Metric, "latency_p") {
		o.Grid = sysbenchGrid
	}
	return o
}

// isRate: errors and reconnects are often zero and have no logarithm.
func isRate(metric string) bool {
	return strings.HasSuffix(metric, "errors_per_s") || strings.HasSuffix(metric, "reconnects_per_s")
}

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

// panelsShown is how many single runs the page draws.
const panelsShown = 60

// addSeries picks the runs that the page draws, the oddest of each stratum, and
// reads their report lines.
func (r *Report) addSeries(in Input, cells []group.Cell) error {
	if in.Intervals == nil {
		return nil
	}
	var candidates []Series
	strata := 0
	for i := range cells {
		if cells[i].Primary {
			candidates = append(candidates, oddest(&cells[i], r.Design.Arms)...)
			strata++
		}
	}
	if strata == 0 {
		return nil
	}
	perStratum := max(1, panelsShown/strata)
	wanted := map[string]int{}
	taken := map[string]int{}
	for _, s := range candidates { // already oddest first within their stratum
		label := stratumWords(s.Stratum)
		if taken[label] < perStratum && len(r.Series) < panelsShown {
			taken[label]++
			wanted[s.RunID] = len(r.Series)
			r.Series = append(r.Series, s)
		}
	}
	started := map[string]*datasets.Run{}
	for i := range in.Runs {
		started[in.Runs[i].ID] = &in.Runs[i]
	}
	err := in.Intervals(func(rows []datasets.Interval) error {
		for i := range rows {
			if n, ok := wanted[rows[i].RunID]; ok && !math.IsNaN(rows[i].TPS) {
				r.Series[n].T = append(r.Series[n].T, rows[i].T)
				r.Series[n].Y = append(r.Series[n].Y, rows[i].TPS)
			}
		}
		return nil
	})
	r.Series = slices.DeleteFunc(r.Series, func(s Series) bool { return len(s.T) == 0 })
	for i := range r.Series {
		if run := started[r.Series[i].RunID]; run != nil {
			r.Series[i].Order, r.Series[i].Started = run.Order, run.Started
		}
	}
	return err
}

// madToSD makes the median absolute deviation an SD for normal values: 1/Phi^-1(3/4).
const madToSD = 1.4826

// oddest sorts the runs of a cell by how far they lie from the median of their
// arm, in robust SDs of the log.
func oddest(c *group.Cell, arms []string) []Series {
	byArm := map[int][]float64{}
	for _, r := range c.Runs {
		byArm[r.Arm] = append(byArm[r.Arm], math.Log(r.Value))
	}
	series := make([]Series, len(c.Runs))
	for i, r := range c.Runs {
		logs := byArm[r.Arm]
		centre := median(logs)
		off := make([]float64, len(logs))
		for j, v := range logs {
			off[j] = math.Abs(v - centre)
		}
		odd := math.Abs(math.Log(r.Value)-centre) / (madToSD * median(off))
		if math.IsNaN(odd) {
			odd = 0
		}
		name := ""
		if len(arms) > 0 {
			name = arms[r.Arm]
		}
		series[i] = Series{RunID: c.RunIDs[i], Arm: name, Stratum: c.Stratum, Day: r.Day, Oddness: odd}
	}
	slices.SortStableFunc(series, func(a, b Series) int { return cmp.Compare(b.Oddness, a.Oddness) })
	return series
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	if n == 0 {
		return math.NaN()
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// next says what to run, each thing once: the remedy of each kind of refusal
// (of all strata together where there is such a headline, as it has most runs
// behind it), then what would settle the inconclusive rows.
func next(r *Report) []string {
	primary := primaryMetric(r)
	var said, sentences []string
	remedy := func(ws []analysis.Warning) {
		for _, w := range ws {
			if refusal, ok := w.(analysis.Refusal); ok && !slices.Contains(said, w.Kind()) {
				said = append(said, w.Kind())
				sentences = append(sentences, sentenceCase(refusal.Do())+".")
			}
		}
	}
	for i := range r.Headlines {
		if r.Headlines[i].Metric == primary {
			remedy(r.Headlines[i].Warnings)
		}
	}
	var neediest *Comparison
	open := 0
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.Metric != primary {
			continue
		}
		remedy(c.Warnings)
		if c.Verdict == analysis.Inconclusive {
			open++
			if c.Settle.Days > 0 && (neediest == nil || c.Settle.Days > neediest.Settle.Days) {
				neediest = c
			}
		}
	}
	if neediest != nil {
		most := ""
		if stratum := stratumWords(neediest.Stratum); stratum != "" && open > 1 {
			most = "; " + stratum + " needs most"
		}
		sentences = append(sentences, fmt.Sprintf("To settle what is inconclusive (%s): both arms on %d days, %s an arm a day%s.",
			counted(open, "row"), neediest.Settle.Days, counted(neediest.Settle.RunsPerDay, "run"), most))
	}
	return sentences
}

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/datasets"
)

// Input is what a report is made of: the tables of one data set.
type Input struct {
	Folder    string // as the user typed it
	Runs      []datasets.Run
	Columns   []datasets.Column
	Sources   []datasets.Source
	Problems  []datasets.Problem
	Intervals func(yield func([]datasets.Interval) error) error // nil: no report lines
	Buckets   func(yield func([]datasets.Bucket) error) error   // nil: no histograms
	Stacks    func(yield func([]datasets.Stack) error) error    // nil: no profiles
	Waits     func(yield func([]datasets.Wait) error) error
	Series    func(yield func([]datasets.Sample) error) error
	Settings  func(yield func([]datasets.Setting) error) error // nil: of no server
}

// Options are the user's choices; the zero value is the published default.
type Options struct {
	Group      group.Options
	Confidence float64 // 0 = 0.95
	Margin     float64 // 0 = 0.01
	Adjust     string  // "" = holm
	Method     string  // "" = the default rule
	Median     bool    // of the runs of a day, instead of their mean
	Looks      int     // more than 1: after each day
	Planned    int     // days; 0 = not planned
	Noise      *Noise  // to borrow from; nil = none
	KeepWarmup bool    // whole runs count, whatever their course
	Seed       uint64
	Version    string
	Parts      []Part // nil = all
	Profile    ProfileOptions
	Curves     CurveOptions
	History    HistoryOptions
}

// sysbenchGrid is the ratio of neighbouring values that a percentile of
// sysbench >= 1.0 can take: 1024 bins, equal in log, from 0.001 ms to
// sysbenchCeiling, 100 s.
var sysbenchGrid = math.Pow(100_000/sysbenchLeast, 1.0/1023)

const (
	sysbenchLeast   = 0.001 // ms; printed are two decimals
	sysbenchCeiling = 100   // s
)

// Build asks every part of the analysis that applies. The error is for a name
// that the user gave and that is not there.
func Build(in Input, opt Options) (*Report, error) {
	r := &Report{Version: opt.Version, Seed: opt.Seed, Parts: opt.Parts, KeepWarmup: opt.KeepWarmup, Confidence: opt.Confidence,
		Inputs: Inputs{Sources: in.Sources, Problems: in.Problems, Runs: len(in.Runs), Folder: in.Folder, Where: opt.Group.Where}}
	for i := range in.Runs {
		if in.Runs[i].Status == datasets.Complete {
			r.Inputs.Complete++
		}
	}
	var err error
	if in.Runs, in.Columns, err = group.Settings(in.Runs, in.Columns, in.Settings, opt.Group, append(slices.Clone(opt.History.Factors), opt.Curves.X)...); err != nil {
		return nil, err
	}
	profiles, sessions, err := r.look(&in, opt)
	if err != nil {
		return nil, err
	}
	if r.only(PartProfile) || r.only(PartWaits) { // nothing that the course of a run would change
		in.Intervals, in.Buckets = nil, nil
	}
	histograms, err := readHistograms(&in, opt.Group.Metrics)
	if err != nil {
		return nil, err
	}
	first := opt.Group
	if slices.Equal(opt.Parts, []Part{PartHistory}) {
		first.By, first.Base = "", "" // what the series runs over is no arm
	}
	design, cells, warnings, err := group.Analyse(in.Runs, in.Columns, first)
	if err != nil {
		return nil, err
	}
	settings, err := design.SettingsOfArms(in.Runs, in.Settings)
	if err != nil {
		return nil, err
	}
	design.AlsoDiffers = append(design.AlsoDiffers, settings...)
	giveHistograms(cells, histograms)
	r.Design, r.Warnings, r.Inputs.Used = design, append(warnings, readingDoubts(in.Problems)...), design.Matched
	courses, cut, err := r.addSteady(in, cells, opt)
	if err != nil {
		return nil, err
	}
	if r.Has(PartVariance) || r.asked(PartPlan) {
		if err := r.addVariance(in, courses, cut, opt); err != nil {
			return nil, err
		}
	}
	if r.Has(PartScaling) {
		if err := r.addCurves(in, courses, opt); err != nil {
			return nil, err
		}
	}
	if r.Has(PartCompare) {
		if err := r.addComparisons(in, courses, cut, cells, opt); err != nil {
			return nil, err
		}
	}
	if r.Has(PartProfile) {
		if err := r.addProfiles(in, profiles, opt); err != nil {
			return nil, err
		}
	}
	if r.Has(PartWaits) {
		if err := r.addWaits(in, sessions, opt); err != nil {
			return nil, err
		}
	}
	if r.Has(PartHistory) {
		if err := r.addHistory(in, courses, opt); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// panelsShown is how many single runs the page draws.
const panelsShown = 60

// oddestRuns are the runs of the primary metric, oddest first in each stratum, and
// among them those that the page draws: so many of each stratum.
func oddestRuns(cells []group.Cell, arms []string) (candidates []Series, drawn map[string]bool, perStratum int) {
	strata := 0
	for i := range cells {
		if cells[i].Primary {
			strata++
		}
	}
	drawn, perStratum = map[string]bool{}, max(1, panelsShown/max(1, strata))
	for i := range cells {
		if !cells[i].Primary {
			continue
		}
		series := oddest(&cells[i], arms)
		for _, s := range series[:min(perStratum, len(series))] {
			if len(drawn) < panelsShown {
				drawn[s.RunID] = true
			}
		}
		candidates = append(candidates, series...)
	}
	return candidates, drawn, perStratum
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
	centre, spread := map[int]float64{}, map[int]float64{}
	for arm, logs := range byArm {
		centre[arm] = analysis.Median(logs)
		for i, v := range logs {
			logs[i] = math.Abs(v - centre[arm])
		}
		spread[arm] = madToSD * analysis.Median(logs)
	}
	series := make([]Series, len(c.Runs))
	for i, r := range c.Runs {
		odd := math.Abs(math.Log(r.Value)-centre[r.Arm]) / spread[r.Arm]
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

// withoutContained drops sentences that another one says as well, among more.
func withoutContained(sentences []string) []string {
	bare := func(s string) string { return strings.ToLower(strings.TrimSuffix(s, ".")) }
	return slices.DeleteFunc(slices.Clone(sentences), func(s string) bool {
		return slices.ContainsFunc(sentences, func(other string) bool { return s != other && strings.Contains(bare(other), bare(s)) })
	})
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
	sentences = withoutContained(sentences)
	if neediest != nil {
		most := ""
		if stratum := stratumWords(neediest.Stratum); stratum != "" && open > 1 {
			most = "; " + stratum + " needs most"
		}
		sentences = append(sentences, fmt.Sprintf("To settle what is inconclusive (%s): both arms on %d days, %s an arm a day%s.",
			analysis.Counted(open, "row"), neediest.Settle.Days, analysis.Counted(neediest.Settle.RunsPerDay, "run"), most))
	}
	return sentences
}

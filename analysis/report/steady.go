package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/analysis/steady"
	"noisefloor/datasets"
)

// Steady is the course of one run over time.
type Steady struct {
	RunID   string
	Name    string // of its log
	Arm     string // "" where nothing is compared
	Day     string
	Stratum []group.Field
	Metric  string // whose course it is
	steady.Result
	// CommonCut is the cut of all runs of the stratum, in seconds, and SteadyTPS the
	// mean of Metric after it; NaN where the stratum has no common cut.
	CommonCut, SteadyTPS float64
}

// SteadyStratum is how the runs of a stratum are cut.
type SteadyStratum struct {
	Stratum []group.Field
	Runs    int
	Classes map[steady.Class]int
	Cut     float64          // seconds; NaN = the whole runs stand for all
	Why     analysis.Warning // there is no cut; nil if there is, or if nothing is known of the course
}

// runCourses is what the report lines say about the runs of the cells.
type runCourses struct {
	at      map[string]int // run ID -> place in runs
	runs    []Steady
	stratum []int           // of each run
	within  []noise.Within  // of each run: intervals of the part that counts
	rows    [][][]float64   // of each run without times: its values per metric asked for
	strata  []SteadyStratum // in the order of the cells
	place   map[string]int  // words of a stratum -> place in strata
	metrics []int           // those of the cells that report lines have
	// throughput is what lines count per second: transactions (or events), queries.
	throughput [2]string
	kept       []keptSeries // for the page
	// keepWarmup: the whole run counts, whatever the course.
	keepWarmup bool
	keeping    sync.Mutex // kept
}

type keptSeries struct {
	run  int
	t, y []float64
}

// newCourses finds the runs of the cells and their strata.
func newCourses(design group.Design, cells []group.Cell) *runCourses {
	have := map[string]int{}
	most := 0 // runs that have the same metric
	for i := range cells {
		n := have[cells[i].Metric] + len(cells[i].RunIDs)
		have[cells[i].Metric], most = n, max(most, n)
	}
	c := &runCourses{at: make(map[string]int, most), place: map[string]int{}, throughput: [2]string{"tps", "qps"}, runs: make([]Steady, 0, most), stratum: make([]int, 0, most)}
	for i := range cells {
		cell := &cells[i]
		key := stratumWords(cell.Stratum)
		n, known := c.place[key]
		if !known {
			n = len(c.strata)
			c.place[key] = n
			c.strata = append(c.strata, SteadyStratum{Stratum: cell.Stratum, Classes: map[steady.Class]int{}, Cut: math.NaN()})
		}
		if cell.Metric == "eps" {
			c.throughput[0] = cell.Metric
		}
		for part := range strings.SplitSeq(cell.Metric, "/") {
			if m := lineMetric(part); m >= 0 && !slices.Contains(c.metrics, m) {
				c.metrics = append(c.metrics, m)
			}
		}
		for j, id := range cell.RunIDs {
			if _, known := c.at[id]; known {
				continue
			}
			run := cell.Runs[j]
			s := Steady{RunID: id, Name: run.ID, Day: run.Day, Stratum: cell.Stratum, CommonCut: math.NaN(), SteadyTPS: math.NaN()}
			if len(design.Arms) > 0 {
				s.Arm = design.Arms[run.Arm]
			}
			c.at[id] = len(c.runs)
			c.runs, c.stratum = append(c.runs, s), append(c.stratum, n)
			c.strata[n].Runs++
		}
	}
	c.within = make([]noise.Within, len(c.runs))
	return c
}

// read looks at every run, and keeps the series of those that the page draws:
// those in odd, and the first of each stratum that have no steady state.
func (c *runCourses) read(in Input, odd map[string]bool, perStratum int) error {
	for i := range c.runs {
		c.runs[i].Result = steady.Analyse(nil, nil, steady.Options{}) // no lines: too short to tell
	}
	untimed := make([]bool, len(c.runs))
	err := eachRunsLines(in.Intervals, c.wanted, []int{0, 1}, func(l *lines) {
		s := &c.runs[l.run]
		y := l.values[0]
		s.Metric = c.throughput[0]
		if !anyKnown(y) {
			y = l.values[1]
			s.Metric = c.throughput[1]
		}
		untimed[l.run] = len(l.t) > 0 && !anyKnown(l.t)
		s.Result = steady.Analyse(l.t, y, steady.Options{})
		if s.First == 0 { // the whole run is its steady part, and measured
			c.within[l.run] = noise.Within{Intervals: s.Intervals, SE: s.SE / s.Mean, SD: s.SE / s.Mean * math.Sqrt(s.ESS), DF: s.ESS - 1}
		} else {
			c.within[l.run] = within(l.t, y, math.Inf(-1))
		}
		if odd[s.RunID] || s.Class == steady.NoSteadyState {
			c.keep(keptSeries{l.run, slices.Clone(l.t), slices.Clone(y)}, odd, perStratum)
		}
	})
	if err != nil {
		return err
	}
	c.trim(odd, perStratum)
	if slices.Contains(untimed, true) {
		c.rows = make([][][]float64, len(c.runs))
		err = eachRunsLines(in.Intervals, c.wanted, c.metrics, func(l *lines) {
			if untimed[l.run] {
				for _, v := range l.values {
					c.rows[l.run] = append(c.rows[l.run], slices.Clone(v))
				}
			}
		})
	}
	return err
}

// name calls the runs by their logs: by the file, with as much of the path as
// tells all runs apart.
func (c *runCourses) name(runs []datasets.Run) {
	source := make([]string, len(c.runs))
	for i := range runs {
		if k, ok := c.at[runs[i].ID]; ok {
			source[k] = runs[i].Source
			if runs[i].Part > 1 {
				source[k] += fmt.Sprintf("#%d", runs[i].Part)
			}
		}
	}
	for parts := 1; ; parts++ {
		seen := make(map[string]bool, len(source))
		more := false
		for i, s := range source {
			at := len(s)
			for range parts {
				at = strings.LastIndexAny(s[:max(0, at)], "/!")
			}
			c.runs[i].Name = s[at+1:]
			more = more || at >= 0
			seen[c.runs[i].Name] = true
		}
		if len(seen) == len(source) || !more {
			return
		}
	}
}

func (c *runCourses) wanted(id string) (int, bool) {
	i, ok := c.at[id]
	return i, ok
}

func within(t, y []float64, cut float64) noise.Within {
	mean, se, ess := steady.Mean(t, y, cut)
	w := noise.Within{SE: se / mean, SD: se / mean * math.Sqrt(ess), DF: ess - 1}
	for i, v := range y {
		if !math.IsNaN(v) && t[i] > cut {
			w.Intervals++
		}
	}
	return w
}

// keep remembers a series. Which are kept must not depend on who comes first:
// of those without a steady state, the first in the order of the data.
func (c *runCourses) keep(k keptSeries, odd map[string]bool, perStratum int) {
	c.keeping.Lock()
	defer c.keeping.Unlock()
	c.kept = append(c.kept, k)
	if len(c.kept) > len(odd)+4*perStratum*len(c.strata) {
		c.trim(odd, perStratum)
	}
}

func (c *runCourses) trim(odd map[string]bool, perStratum int) {
	slices.SortFunc(c.kept, func(a, b keptSeries) int { return cmp.Compare(a.run, b.run) })
	have := make([]int, len(c.strata))
	c.kept = slices.DeleteFunc(c.kept, func(k keptSeries) bool {
		if odd[c.runs[k.run].RunID] {
			return false
		}
		n := c.stratum[k.run]
		have[n]++
		return have[n] > perStratum
	})
}

// cut finds the common cut of each stratum.
func (c *runCourses) cut(in Input) {
	logs := map[string]bool{} // runs of a tool, not rows of a table
	was := map[string]float64{}
	for i := range in.Runs {
		logs[in.Runs[i].ID] = in.Runs[i].Tool != ""
		if from, ok := in.Runs[i].Metrics[datasets.SteadyFrom]; ok && !math.IsNaN(from) {
			was[in.Runs[i].ID] = from
		}
	}
	members, cuts := make([][]steady.Result, len(c.strata)), make([][]float64, len(c.strata))
	lined, logged := make([]bool, len(c.strata)), make([]bool, len(c.strata))
	for i := range c.runs {
		n := c.stratum[i]
		members[n] = append(members[n], c.runs[i].Result)
		if from, ok := was[c.runs[i].RunID]; ok {
			cuts[n] = append(cuts[n], from)
		}
		c.strata[n].Classes[c.runs[i].Class]++
		lined[n] = lined[n] || c.within[i].Intervals > 0
		logged[n] = logged[n] || logs[c.runs[i].RunID]
	}
	for n := range c.strata {
		s := &c.strata[n]
		switch {
		case len(cuts[n]) == len(members[n]) && slices.Min(cuts[n]) == slices.Max(cuts[n]):
			s.Cut = cuts[n][0] // an export that was cleaned: no line before it is left to be judged
		case lined[n]:
			cut, ok, doubts := steady.Common(members[n])
			if ok {
				s.Cut = cut
			} else if logged[n] {
				s.Why = doubts[0]
			}
		case logged[n]:
			s.Why = analysis.NoReportLines{}
		}
	}
	for i := range c.runs {
		s := &c.runs[i]
		if s.CommonCut = c.strata[c.stratum[i]].Cut; s.CommonCut == s.Cut {
			s.SteadyTPS = s.Mean
		}
	}
}

// measure takes the means of the metrics after the common cut, for runs of
// strata that cut something. It gives them per run; nil for the others.
func (c *runCourses) measure(in Input) ([][]float64, error) {
	means := make([][]float64, len(c.runs))
	wanted := func(id string) (int, bool) {
		i, ok := c.at[id]
		return i, ok && c.runs[i].CommonCut > 0
	}
	if !slices.ContainsFunc(c.runs, func(s Steady) bool { return s.CommonCut > 0 }) {
		return means, nil
	}
	metrics := append([]int{0, 1}, c.metrics...)
	err := eachRunsLines(in.Intervals, wanted, metrics, func(l *lines) {
		s := &c.runs[l.run]
		own := l.values[0]
		if !anyKnown(own) {
			own = l.values[1]
		}
		s.SteadyTPS, _, _ = steady.Mean(l.t, own, s.CommonCut)
		if !c.keepWarmup {
			c.within[l.run] = within(l.t, own, s.CommonCut)
		}
		for _, values := range l.values[2:] {
			mean, _, _ := steady.Mean(l.t, values, s.CommonCut)
			means[l.run] = append(means[l.run], mean)
		}
	})
	return means, err
}

// cutCells puts the means after the common cut into copies of the cells and says
// what is not cut.
func (c *runCourses) cutCells(cells []group.Cell, means [][]float64) []group.Cell {
	cut := slices.Clone(cells)
	for i := range cut {
		cell := &cut[i]
		s := &c.strata[c.place[stratumWords(cell.Stratum)]]
		doubt := func(w analysis.Warning) { cell.Warnings = append(slices.Clone(cell.Warnings), w) }
		per := strings.Split(cell.Metric, "/")
		inLines := !slices.ContainsFunc(per, func(name string) bool { return lineMetric(name) < 0 })
		switch {
		case s.Why != nil && inLines:
			doubt(s.Why)
		case s.Cut > 0 && !inLines:
			doubt(analysis.WholeRun{Cut: s.Cut})
		case s.Cut > 0:
			runs := slices.Clone(cell.Runs)
			lacking := 0
			for j, id := range cell.RunIDs {
				m := means[c.at[id]]
				value := func(name string) float64 {
					if k := slices.Index(c.metrics, lineMetric(name)); k < len(m) {
						return m[k]
					}
					return math.NaN()
				}
				v := value(per[0])
				if len(per) == 2 {
					v /= value(per[1])
				}
				if math.IsNaN(v) || math.IsInf(v, 0) {
					lacking++
				}
				runs[j].Value = v
			}
			if lacking > 0 {
				doubt(analysis.LinesLack{Metric: cell.Metric, Runs: lacking, Of: len(runs)})
				continue
			}
			cell.Runs = runs
		}
	}
	return cut
}

// used is the cut that the values of a metric have in a stratum; NaN if they are
// of whole runs.
func (c *runCourses) used(metric string, stratum []group.Field) float64 {
	for part := range strings.SplitSeq(metric, "/") {
		if lineMetric(part) < 0 || c.keepWarmup {
			return math.NaN()
		}
	}
	return c.strata[c.place[stratumWords(stratum)]].Cut
}

// mixed tells whether strata of a metric differ in what their values cover: the
// whole run here, the part after a cut there.
func (c *runCourses) mixed(cells, whole []group.Cell, metric string) bool {
	some, all := false, true
	for i := range cells {
		if cells[i].Metric != metric || len(cells[i].Runs) == 0 {
			continue
		}
		// Without a cut of more than 0 nothing was replaced, and without a refusal
		// nothing had to be: the whole run is its steady part.
		replaced := &cells[i].Runs[0] != &whole[i].Runs[0]
		some = some || replaced
		s := &c.strata[c.place[stratumWords(cells[i].Stratum)]]
		all = all && (replaced || s.Cut == 0)
	}
	return some && !all
}

// series gives those that the page draws: of each stratum first the runs without
// a steady state, then the oddest.
func (c *runCourses) series(candidates []Series, perStratum int) []Series {
	about := map[string]*Series{}
	for i := range candidates {
		about[candidates[i].RunID] = &candidates[i]
	}
	var all []Series
	for _, k := range c.kept {
		run := &c.runs[k.run]
		s := about[run.RunID]
		if s == nil {
			continue
		}
		s.T, s.Y, s.Class, s.Cut = k.t, k.y, run.Class, run.CommonCut
		all = append(all, *s)
	}
	slices.SortStableFunc(all, compareSeries)
	taken := map[string]int{}
	var shown []Series
	for _, s := range all {
		label := stratumWords(s.Stratum)
		if taken[label] < perStratum && len(shown) < panelsShown {
			taken[label]++
			shown = append(shown, s)
		}
	}
	return shown
}

// compareSeries puts the runs that need a look first.
func compareSeries(a, b Series) int {
	unsteady := func(s Series) int {
		if s.Class == steady.NoSteadyState {
			return 0
		}
		return 1
	}
	odd := func(s Series) float64 {
		if math.IsNaN(s.Oddness) {
			return 0
		}
		return math.Abs(s.Oddness)
	}
	return cmp.Or(cmp.Compare(unsteady(a), unsteady(b)), cmp.Compare(odd(b), odd(a)))
}

// addSteady reads the report lines, if there are any, and gives the cells as the
// other parts are to see them: after the common cut of their stratum, unless
// the warm-up is to be kept.
func (r *Report) addSteady(in Input, cells []group.Cell, opt Options) (*runCourses, []group.Cell, error) {
	c := newCourses(r.Design, cells)
	if in.Intervals == nil || len(c.strata) == 0 {
		return c, cells, nil
	}
	c.keepWarmup = opt.KeepWarmup
	c.name(in.Runs)
	candidates, odd, perStratum := oddestRuns(cells, r.Design.Arms)
	if err := c.read(in, odd, perStratum); err != nil {
		return nil, nil, err
	}
	c.cut(in)
	means, err := c.measure(in)
	if err != nil {
		return nil, nil, err
	}
	if c.lined() {
		r.SteadyStrata = c.strata
	}
	if r.Has(PartSteady) && c.lined() {
		r.Steady = c.runs
		r.Series = c.series(candidates, perStratum)
		r.placeSeries(in.Runs)
	}
	if !opt.KeepWarmup {
		cells = c.cutCells(cells, means)
	}
	return c, cells, nil
}

// lined tells whether any run has report lines with times: of a table of totals
// there is nothing to say.
func (c *runCourses) lined() bool {
	return slices.ContainsFunc(c.within, func(w noise.Within) bool { return w.Intervals > 0 })
}

// placeSeries says when the runs of the series ran.
func (r *Report) placeSeries(runs []datasets.Run) {
	at := map[string]*Series{}
	for i := range r.Series {
		at[r.Series[i].RunID] = &r.Series[i]
	}
	for i := range runs {
		if s := at[runs[i].ID]; s != nil {
			s.Order, s.Started = runs[i].Order, runs[i].Started
		}
	}
}

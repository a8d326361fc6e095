package compare

import (
	"fmt"
	"math"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/noise"
)

// Methods that take the place of the default rule when asked for by name. They
// answer in the same designs and the same refusals hold; the day stays the unit
// in all of them. docs/calibration.md has their false verdicts.
const (
	KenwardRoger  = "kr"             // mixed model of runs, launches, days; Kenward and Roger (1997)
	Satterthwaite = "satterthwaite"  // the same model; Satterthwaite's degrees of freedom
	MannWhitney   = "mann-whitney"   // rank sums of day means, the days of the arms not paired
	HodgesLehmann = "hodges-lehmann" // signed ranks of daily differences, the median of their means
	WelchT        = "welch"          // t on day means, the days of the arms not paired
	Permutation   = "permutation"    // signs of daily differences, or day means between arms
)

// MethodNames are the methods that can be asked for.
var MethodNames = []string{KenwardRoger, Satterthwaite, MannWhitney, HodgesLehmann, WelchT, Permutation}

// CheckMethod refuses a method that does not exist; "" is the default rule.
func CheckMethod(name string) error {
	if name == "" {
		return nil
	}
	for _, known := range MethodNames {
		if name == known {
			return nil
		}
	}
	return fmt.Errorf("no method is called %q: %s; without --method the default rule", name, strings.Join(MethodNames, ", "))
}

// named is the test of a method asked for by name, or the refusal of data that
// are too few for it.
func (t *table) named(r rule, method string) (Test, analysis.Warning) {
	base, contender := means(r.cells[0]), means(r.cells[1])
	paired := r.method == DayDifferences
	var test Test
	switch method {
	case KenwardRoger, Satterthwaite:
		return t.mixed(method)
	case WelchT:
		return Welch(base, contender), nil
	case MannWhitney:
		test = rankSum(base, contender)
	case HodgesLehmann:
		if paired {
			test = signedRank(base, contender)
		} else {
			test = rankSum(base, contender)
		}
	case Permutation:
		if paired {
			test = signFlips(base, contender, t.opt.Seed)
		} else {
			test = relabelled(base, contender, t.opt.Seed)
		}
	}
	if smallest := test.exact.smallest(); !(smallest < t.opt.level()) {
		return test, analysis.TooFewForMethod{Method: method, Days: min(len(base), len(contender)), Smallest: smallest, Level: t.opt.level()}
	}
	return test, nil
}

// mixed fits log y ~ arm + (1|day) + (1|day:arm) + (1|launch), with the terms
// that the design can tell apart, and tests the arm.
func (t *table) mixed(method string) (Test, analysis.Warning) {
	var all []observation // days with one arm too: the model knows what to do with them
	for arm := range 2 {
		for _, c := range t.cells(arm, true) {
			if len(c.members) == 0 { // a mean over strata: the day is all there is
				all = append(all, observation{Run{Arm: arm, Day: c.day}, c.mean})
			}
			for i, m := range c.members {
				all = append(all, observation{m, c.values[i]})
			}
		}
	}
	test, _, err := mixedTest(all, method)
	if err != nil {
		return Test{SE: math.NaN()}, analysis.MethodFailed{Method: method, Reason: err.Error()}
	}
	return test, nil
}

// observation is a run on the working scale.
type observation struct {
	Run
	y float64
}

func mixedTest(all []observation, method string) (test Test, model string, err error) {
	m, model := mixedModel(all)
	fit, err := noise.REML(m)
	switch {
	case err != nil:
		return Test{}, "", err
	case !fit.Status.Converged:
		return Test{}, "", fmt.Errorf("the fit did not converge")
	}
	kr, satterthwaite := noise.Contrast(fit, []float64{0, 1})
	if method == Satterthwaite {
		kr = satterthwaite
	}
	if !(kr.DF > 0) {
		return Test{}, "", fmt.Errorf("the data say nothing about its degrees of freedom")
	}
	return Test{Estimate: kr.Estimate, SE: kr.SE, DF: kr.DF}, model, nil
}

// mixedModel numbers the groups of the runs. A term whose groups are single
// rows, or the groups of the term before, is left out: it would be the
// residual, or that term, under another name.
func mixedModel(all []observation) (m noise.Model, name string) {
	var days, cells, starts numbering
	var day, cell, launch []int
	known := true
	for _, r := range all {
		m.Y = append(m.Y, r.y)
		m.X = append(m.X, 1, float64(r.Arm))
		day = append(day, days.of(r.Day))
		cell = append(cell, cells.of([2]any{r.Day, r.Arm}))
		launch = append(launch, starts.of([3]any{r.Day, r.Arm, r.Launch}))
		known = known && r.Launch != ""
	}
	var terms []string
	if len(days) < len(m.Y) {
		m.Groups, terms = append(m.Groups, day), append(terms, "day")
	}
	if len(cells) < len(m.Y) && len(cells) > len(days) {
		m.Groups, terms = append(m.Groups, cell), append(terms, "day:arm")
	}
	if known && len(starts) < len(m.Y) && len(starts) > len(cells) {
		m.Groups, terms = append(m.Groups, launch), append(terms, "launch")
	}
	return m, strings.Join(terms, " + ")
}

// numbering hands out 0, 1, 2, ... in order of appearance.
type numbering map[any]int

func (n *numbering) of(key any) int {
	if *n == nil {
		*n = numbering{}
	}
	if _, ok := (*n)[key]; !ok {
		(*n)[key] = len(*n)
	}
	return (*n)[key]
}

// CrossCheck is the same question asked of another method. It gives no verdict.
type CrossCheck struct {
	Method           string
	Estimate, Lo, Hi float64 // as those of the Result
	P, DF            float64
}

// Check asks another method about a result of the default rule: Kenward-Roger on
// the mixed model, which people who fit lme4 with pbkrtest would report (its
// false verdicts run from 0 to 6 % where those of the default rule stay at 5).
// Where a method was asked for by name it is the other way round. nil where the
// design has no verdict on ratios, or the model no fit.
func Check(runs []Run, r *Result, opt Options) *CrossCheck {
	if r.Scale != Ratio || len(r.Tests) == 0 || r.Method == BorrowedNoise {
		return nil
	}
	if opt.Method != "" {
		opt.Method = ""
		other := Judge(runs, opt)
		if len(other.Tests) == 0 {
			return nil
		}
		return &CrossCheck{Method: other.Method, Estimate: other.Estimate, Lo: other.Lo, Hi: other.Hi, P: other.P, DF: other.DF}
	}
	if r.Method != DayDifferences {
		return nil
	}
	var all []observation
	for _, run := range runs {
		if run.Day != "" { // the default rule does not use it either
			all = append(all, observation{run, math.Log(run.Value)})
		}
	}
	test, model, err := mixedTest(all, KenwardRoger)
	if err != nil {
		return nil
	}
	lo, hi := test.Interval(r.Confidence)
	return &CrossCheck{Method: "kenward-roger, " + model, Estimate: math.Exp(test.Estimate), Lo: math.Exp(lo), Hi: math.Exp(hi), P: test.P(), DF: test.DF}
}

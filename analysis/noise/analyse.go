package noise

import (
	"errors"
	"fmt"
	"math"

	"noisefloor/analysis"
)

// Analyse tells the noise of one metric in one stratum: logs of the values
// with the arm as fixed effect and day, day:arm, launch and run as random, as
// far as the design tells them apart. The error means that there is no answer
// at all: no runs, or values that have no logarithm.
func Analyse(runs []Run, opt Options) (Result, error) {
	if opt.Confidence == 0 {
		opt.Confidence = 0.95
	}
	if !(opt.Confidence > 0 && opt.Confidence < 1) {
		panic("noise: confidence must lie between 0 and 1")
	}
	if err := checkValues(runs); err != nil {
		return Result{}, err
	}
	l, left := newLayout(runs)
	r := Result{Days: l.days, Launches: l.launches, Runs: l.runs, Intervals: l.intervals, Mean: l.mean()}
	if left > 0 {
		r.Warnings = append(r.Warnings, analysis.RunsWithoutDay{Runs: left})
	}
	s := l.structure()
	s.estimate(opt.Confidence)
	components := s.components()
	r.Repeatability = estimateOf(components, RunLevel, opt.Confidence)
	r.DayToDay = estimateOf(components, Day, opt.Confidence)
	r.Components = l.withIntervals(components, opt.Confidence)
	r.Total = s.total(opt.Confidence)
	r.Warnings = append(append(r.Warnings, s.doubts()...), l.neighbours()...)
	r.Variances = s.variances()
	var doubts []analysis.Warning
	r.Floors, doubts = s.floors(opt)
	r.Warnings = append(r.Warnings, doubts...)
	return r, nil
}

func checkValues(runs []Run) error {
	if len(runs) == 0 {
		return errors.New("noise: no runs")
	}
	for i, r := range runs {
		switch {
		case math.IsNaN(r.Value) || math.IsInf(r.Value, 0):
			return fmt.Errorf("noise: value %d is %v: leave runs without a number out", i, r.Value)
		case r.Value <= 0:
			return fmt.Errorf("noise: value %d is %v: relative spread needs logs and logs need positive values; leave such runs out or take a metric that is never 0", i, r.Value)
		}
	}
	return nil
}

// layout is where each value stands, as group numbers.
type layout struct {
	first float64
	y     []float64 // log(value/first)
	arm   []int     // 0..arms-1
	arms  int
	day   []int // nil = no day is known
	cell  []int // day and arm
	// launch is nil unless every run names its launch; run is nil unless some
	// run has several values, which are intervals then.
	launch, run []int
	within      Within // of all runs; empty unless each has it

	days, launches, runs, intervals int
	shared                          int // days with several arms
}

// newLayout places the runs. Runs without a day are left out, and counted,
// where others have one.
func newLayout(all []Run) (*layout, int) {
	var used []Run
	for _, r := range all {
		if r.Day != "" {
			used = append(used, r)
		}
	}
	dayKnown := len(used) > 0
	if !dayKnown {
		used = all
	}
	l := &layout{first: used[0].Value}
	var day numbering[string]
	var arm numbering[int]
	var cell numbering[[2]int]
	var launch, run numbering[key]
	launchKnown := true
	for _, r := range used {
		l.y = append(l.y, logRatio(r.Value, l.first))
		d := day.of(r.Day)
		a := arm.of(r.Arm)
		c := cell.of([2]int{d, a})
		u := launch.of(key{c, r.Launch})
		var value int
		if r.Run == "" {
			value = run.one() // a run of its own
		} else {
			value = run.of(key{u, r.Run})
		}
		launchKnown = launchKnown && r.Launch != ""
		l.day, l.arm, l.cell = append(l.day, d), append(l.arm, a), append(l.cell, c)
		l.launch, l.run = append(l.launch, u), append(l.run, value)
	}
	l.arms, l.days, l.runs = arm.next, day.next, run.next
	l.launches = launch.next
	l.shared = sharedDays(l)
	if !dayKnown {
		l.day, l.days = nil, 0
	}
	if !launchKnown {
		l.launch, l.launches = nil, 0
	}
	if l.runs < len(used) {
		l.intervals = len(used)
	} else {
		l.run, l.within = nil, poolWithin(used)
		l.intervals = l.within.Intervals
	}
	return l, len(all) - len(used)
}

type key struct {
	outer int
	name  string
}

// numbering hands out 0, 1, 2, ... in order of appearance.
type numbering[K comparable] struct {
	seen map[K]int
	next int
}

func (n *numbering[K]) of(k K) int {
	if n.seen == nil {
		n.seen = make(map[K]int)
	}
	v, ok := n.seen[k]
	if !ok {
		v = n.one()
		n.seen[k] = v
	}
	return v
}

// one is a number for what appears once.
func (n *numbering[K]) one() int {
	n.next++
	return n.next - 1
}

func sharedDays(l *layout) int {
	arms := make(map[int]map[int]bool)
	for i, d := range l.day {
		if arms[d] == nil {
			arms[d] = make(map[int]bool)
		}
		arms[d][l.arm[i]] = true
	}
	shared := 0
	for _, a := range arms {
		if len(a) > 1 {
			shared++
		}
	}
	return shared
}

// logRatio is log(v/first). Near 1 it goes by log1p of the exact difference,
// so that a large common offset costs no digits; the quotient of extreme
// values may overflow where the difference of their logs does not.
func logRatio(v, first float64) float64 {
	ratio := v / first
	switch {
	case ratio > 0.5 && ratio < 2:
		return math.Log1p((v - first) / first)
	case ratio > 1e-300 && ratio < 1e300:
		return math.Log(ratio)
	}
	return math.Log(v) - math.Log(first)
}

// mean is the geometric mean with arms, days within an arm, launches within a
// day, and runs within a launch each of equal weight.
func (l *layout) mean() float64 {
	y := l.y
	chain := [][]int{l.arm}
	for _, g := range [][]int{l.cell, l.launch, l.run} {
		if g != nil {
			chain = append(chain, g)
		}
	}
	groups := chain
	for level := len(groups) - 1; level >= 0; level-- {
		inner := groups[level]
		size := 0
		for _, g := range inner {
			size = max(size, g+1)
		}
		sum, count := make([]float64, size), make([]float64, size)
		outer := make([][]int, level)
		for k := range outer {
			outer[k] = make([]int, size)
		}
		for i, g := range inner {
			sum[g] += y[i]
			count[g]++
			for k := range outer {
				outer[k][g] = groups[k][i]
			}
		}
		for g := range sum {
			sum[g] /= count[g]
		}
		y, groups = sum, outer
	}
	var total float64
	for _, v := range y {
		total += v
	}
	half := math.Exp(total / float64(len(y)) / 2) // squared last: the whole may overflow
	return l.first * half * half
}

func estimateOf(components []Component, level string, confidence float64) analysis.Estimate {
	for _, c := range components {
		if c.Level == level {
			return analysis.Estimate{Value: c.SDRel, Lo: c.Lo, Hi: c.Hi, Confidence: confidence}
		}
	}
	return unknown(confidence)
}

func unknown(confidence float64) analysis.Estimate {
	return analysis.Estimate{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Confidence: confidence}
}

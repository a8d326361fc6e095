package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/internal/truth"
)

// Studies of what is asked for with a flag.

// fewReps bounds studies that promise nothing and cost much.
const fewReps = 2000

func methodStudy() *study {
	s := &study{
		title: "Methods asked for by name",
		text: fmt.Sprintf("False verdicts of the default rule and of what `--method` puts in its place, on the same experiments (at most %d a cell), over those that each method answers (*-* = none). "+
			"Nothing is promised. kr pools what it takes for zero and keeps the days' degrees of freedom; satterthwaite does the opposite; mann-whitney and welch do not pair the days; "+
			"hodges-lehmann and permutation need six shared days.", fewReps),
		columns: append([]string{"default"}, compare.MethodNames...),
	}
	s.overDesigns([]int{1, 3}, func(n truth.Nested, reps int, rng *rand.Rand) []share { return methodCell(n, min(reps, fewReps), rng) })
	return s
}

func methodCell(n truth.Nested, reps int, rng *rand.Rand) []share {
	methods := append([]string{""}, compare.MethodNames...)
	found := make([]share, len(methods))
	l := lab{truth: n}
	for range reps {
		l.draw(rng)
		for i, method := range methods {
			r := compare.Judge(l.runs, compare.Options{Better: 1, IgnoreOrder: true, Method: method})
			if r.Verdict != analysis.Unsupported {
				found[i].add(changed(r))
			}
		}
	}
	return found
}

func borrowedStudy() *study {
	s := &study{
		title: "Borrowed noise",
		text: "No true change. The borrower has one day only; its noise is measured on other days of the same host, by other runs. *Shared*: both arms on one day, against the donor's daily ratios. " +
			"*Separate*: each arm on a day of its own, against the spread of one arm's days. *One arm*: both arms on one day, against the spread of one arm's days, an upper bound. " +
			"False verdicts, promised at most 5. sd(day x arm) in units of sd(run); sd(day) is 4.",
		labels:  []string{"donor days", "donor runs", "borrower runs", "sd(day x arm)"},
		columns: []string{"shared", "separate", "one arm"},
		promise: func(s *study) []string {
			var broken []string
			for column := range s.columns {
				broken = append(broken, promiseAtMost(column, .05, .05)(s)...)
			}
			return broken
		},
	}
	for _, days := range []int{3, 5, 10} {
		for _, runs := range [][2]int{{3, 3}, {5, 1}, {1, 5}, {1, 1}} {
			for _, dayArm := range []float64{0, .5, 2} {
				donor := truth.Nested{Days: days, Runs: runs[0], SDRun: sdRun, SDDay: 4 * sdRun, SDDayArm: dayArm * sdRun}
				shared := donor
				shared.Days, shared.Runs = 1, runs[1]
				separate := shared
				separate.Days = 2
				separate.Keep = func(arm, day, _ int) bool { return arm == day }
				s.cells = append(s.cells, cell{
					labels:   []string{strconv.Itoa(days), strconv.Itoa(runs[0]), strconv.Itoa(runs[1]), number(dayArm)},
					simulate: func(reps int, rng *rand.Rand) []share { return borrowedCell(donor, shared, separate, reps, rng) },
				})
			}
		}
	}
	return s
}

func borrowedCell(donor, shared, separate truth.Nested, reps int, rng *rand.Rand) []share {
	found := make([]share, 3)
	lender, together, apart := lab{truth: donor}, lab{truth: shared}, lab{truth: separate}
	opt := compare.Options{Better: 1, IgnoreOrder: true}
	judge := func(i int, l *lab, d compare.Donor) {
		opt.Donor = &d
		if r := compare.Judge(l.runs, opt); r.Method == compare.BorrowedNoise {
			found[i].add(changed(r))
		}
	}
	for range reps {
		lender.draw(rng)
		together.draw(rng)
		apart.draw(rng)
		both := compare.NewDonor("donor", lender.runs, opt)
		var alone []compare.Run
		for _, r := range lender.runs {
			if r.Arm == 0 {
				alone = append(alone, r)
			}
		}
		one := compare.NewDonor("donor", alone, opt)
		judge(0, &together, both)
		judge(1, &apart, one)
		judge(2, &together, one)
	}
	return found
}

func gateStudy() *study {
	const margin = .01
	s := &study{
		title: "Gates in A/A",
		text: "How often a gate stops a change that is none: families of strata of one metric without a true change, *slower* promised at most 3, *changed* at most 5.5. " +
			"*No answer* is exit status 4 of `--gate slower`, where the noise floor passes `--detect 5%`. *Worse passes* is how often `--gate not-worse` lets a change through that is exactly a margin (1 %) worse in every stratum, promised at most 5.5; " +
			"*same passes* how often it lets one through that changes nothing. Runs spread by .3 %, a third of the margin.",
		labels:  []string{"strata", "days", "runs"},
		columns: []string{"slower", "changed", "no answer", "worse passes", "same passes"},
		promise: func(s *study) []string {
			broken := promiseAtMost(0, .03, .025)(s)
			broken = append(broken, promiseAtMost(1, .055, .05)(s)...)
			return append(broken, promiseAtMost(3, .055, .05)(s)...)
		},
	}
	for _, strata := range []int{1, 4, 16} {
		for _, days := range []int{3, 5, 10} {
			n := truth.Nested{Days: days, Runs: 3, SDRun: .003, SDDay: .03, SDDayArm: .001}
			s.cells = append(s.cells, cell{
				labels: []string{strconv.Itoa(strata), strconv.Itoa(days), strconv.Itoa(n.Runs)},
				simulate: func(reps int, rng *rand.Rand) []share {
					found := make([]share, 5)
					same, worse := lab{truth: n}, lab{truth: n}
					worse.truth.Effect = -math.Log1p(margin)
					for range reps {
						rows := gateFamily(&same, strata, rng)
						slower := askAll(compare.GateSlower, rows)
						found[0].add(slower == compare.Failed)
						found[1].add(askAll(compare.GateChanged, rows) == compare.Failed)
						found[2].add(slower == compare.CannotAnswer)
						found[4].add(askAll(compare.GateNotWorse, rows) == compare.Passed)
						found[3].add(askAll(compare.GateNotWorse, gateFamily(&worse, strata, rng)) == compare.Passed)
					}
					return found
				},
			})
		}
	}
	return s
}

func gateFamily(l *lab, strata int, rng *rand.Rand) []*compare.Result {
	rows := make([]*compare.Result, strata)
	l.opt = compare.Options{Better: 1, IgnoreOrder: true}
	for i := range rows {
		r := l.judge(rng)
		rows[i] = &r
	}
	if err := compare.Adjust(rows, ""); err != nil {
		panic(err)
	}
	return rows
}

func askAll(g compare.Gate, rows []*compare.Result) compare.Outcome {
	worst := compare.Passed
	for _, r := range rows {
		outcome, _ := g.Ask(r, .05)
		worst = max(worst, outcome)
	}
	return worst
}

// bins is the grid of sysbench's percentiles and histograms: 1024 values, equal in
// log, from .001 to 100 000 ms.
var bins = func() (values [1024]float32) {
	for i := range values {
		values[i] = float32(1e-6 * math.Pow(binRatio, float64(i)))
	}
	return values
}()

var binRatio = math.Pow(1e8, 1./1023)

func histogramStudy() *study {
	s := &study{
		title: "Percentiles",
		text: "p95 latency without a true change, 3 runs an arm a day, latencies of a run lognormal with an SD of logs of .25, at most 2000 a cell; sd(run) moves the whole run and is given in steps of sysbench's grid (1.8 %). " +
			"*Merged* reads the histograms of a day and arm together, promised at most 5.5 (false `equivalent` at a margin of 1 % likewise, where the true change is the margin). " +
			"*Printed* takes the mean of per-run p95 with the interval a step wider, promised at most 5.5; *without* as if the printed values were exact (with next to no noise the place inside a bucket, known to a hundredth of a step, begins to show in *merged equivalent*); *no spread* is the share of experiments that are unsupported for it.",
		labels:  []string{"days", "sd(run)", "sd(day x arm)"},
		columns: []string{"merged", "merged equivalent", "printed", "without", "no spread"},
		promise: func(s *study) []string {
			broken := promiseAtMost(0, .055, .05)(s)
			broken = append(broken, promiseAtMost(1, .055, .05)(s)...)
			return append(broken, promiseAtMost(2, .055, .05)(s)...)
		},
	}
	for _, days := range []int{3, 10} {
		for _, spread := range []float64{.05, .5, 1} {
			for _, dayArm := range []float64{0, .5} {
				sd := spread * math.Log(binRatio)
				n := truth.Nested{Days: days, Runs: 3, Mean: math.Log(.010), SDRun: sd, SDDay: 2 * sd, SDDayArm: dayArm * sd}
				s.cells = append(s.cells, cell{
					labels:   []string{strconv.Itoa(days), number(spread), number(dayArm)},
					simulate: func(reps int, rng *rand.Rand) []share { return histogramCell(n, min(reps, fewReps), rng) },
				})
			}
		}
	}
	return s
}

func histogramCell(n truth.Nested, reps int, rng *rand.Rand) []share {
	const margin = .01
	found := make([]share, 5)
	merged := compare.Options{Better: -1, IgnoreOrder: true, Grid: binRatio, Quantile: .95}
	printed, without := merged, merged
	printed.Quantile = 0
	without.Quantile, without.Grid = 0, 0
	l := lab{truth: n}
	for range reps {
		l.draw(rng)
		// A spread of the logs' SD less a step would let the place of a value in
		// its bin be known: each experiment has its own.
		offset := rng.Float64() * math.Log(binRatio)
		measure(l.runs, offset, 0)
		if r := compare.Judge(l.runs, merged); r.Method == compare.DayDifferences {
			found[0].add(changed(r))
		}
		r := compare.Judge(l.runs, printed)
		found[4].add(r.Verdict == analysis.Unsupported)
		if r.Verdict != analysis.Unsupported {
			found[2].add(changed(r))
		}
		if r := compare.Judge(l.runs, without); r.Verdict != analysis.Unsupported {
			found[3].add(changed(r))
		}
		l.draw(rng)
		measure(l.runs, offset, math.Log1p(margin))
		if r := compare.Judge(l.runs, merged); r.Method == compare.DayDifferences {
			found[1].add(r.PEquiv < r.Level)
		}
	}
	return found
}

// measure turns the value of each run into what sysbench would have kept of
// latencies around it: a histogram, and a p95 that is the centre of a bucket.
func measure(runs []compare.Run, offset, effect float64) {
	const (
		sdLog  = .25
		events = 1e6
	)
	for i := range runs {
		r := &runs[i]
		centre := math.Log(r.Value) + offset + effect*float64(r.Arm)
		h := &compare.Histogram{}
		var below float64
		place := func(log float64) float64 { return (log - math.Log(1e-6)) / math.Log(binRatio) }
		first, last := int(place(centre-4*sdLog)), int(place(centre+4*sdLog))
		var reached float64
		r.Value = math.NaN()
		for bin := first; bin <= last; bin++ {
			edge := math.Log(1e-6) + (float64(bin)+.5)*math.Log(binRatio)
			cumulative := .5 * math.Erfc((centre-edge)/sdLog/math.Sqrt2)
			count := math.Round(events * (cumulative - below))
			below = cumulative
			if count == 0 {
				continue
			}
			h.Centres, h.Counts = append(h.Centres, bins[bin]), append(h.Counts, uint32(count))
			if reached += count; math.IsNaN(r.Value) && reached >= .95*events {
				r.Value = float64(bins[bin])
			}
		}
		r.Histogram = h
	}
}

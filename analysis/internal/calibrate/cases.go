package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/internal/truth"
)

func studies() []*study {
	return []*study{
		gridStudy(), separateStudy(), oneSharedStudy(), conditionalStudy(), equivalenceStudy(),
		familyStudy(), orderStudy(), looksStudy(), borrowedStudy(), gateStudy(), histogramStudy(), robustStudy(), methodStudy(),
	}
}

// promiseAtMost promises that a column stays at or below a bound; nominal is
// what it would be if all assumptions held exactly.
func promiseAtMost(column int, bound, nominal float64) func(*study) []string {
	return func(s *study) (broken []string) {
		for _, c := range s.cells {
			if f := c.found[column]; !f.atMost(bound, nominal) {
				broken = append(broken, fmt.Sprintf("%s: %v %% %s", c.name(), f, s.columns[column]))
			}
		}
		return broken
	}
}

// separate is a design of arms on days of their own: the first of the days for
// the base, the rest for the contender.
func separate(base, contender int) truth.Nested {
	return truth.Nested{
		Days: base + contender, Runs: 3, SDRun: sdRun,
		Keep: func(arm, day, _ int) bool { return (day < base) == (arm == 0) },
	}
}

func separateStudy() *study {
	s := &study{
		title: "Arms on days of their own",
		text: "t on day means: pooled if both arms have the same number of days and of runs a day, else from three days an arm the larger p of pooled and Welch, else unsupported (answered 0). " +
			"sd(day) in units of sd(run), 3 runs a day unless lost. *False* is promised at most 6 at stretch 1. Beside it what pooled and Welch alone would have said. " +
			"Stretch 4, tabulated: the last day spreads four times as much as the first, so the contender spreads more than the base.",
		labels:  []string{"base days", "contender days", "sd(day)", "missing", "stretch"},
		columns: []string{"answered", "false", "pooled alone", "Welch alone"},
		promise: func(s *study) []string {
			same := *s
			same.cells = slices.DeleteFunc(slices.Clone(s.cells), func(c cell) bool { return c.labels[4] != "1" })
			return promiseAtMost(1, .06, .05)(&same)
		},
	}
	for _, days := range [][2]int{{2, 2}, {2, 3}, {3, 3}, {3, 5}, {3, 10}, {5, 5}} {
		for _, day := range []float64{0, 1, 4} {
			for _, rough := range []struct{ missing, stretch float64 }{{0, 1}, {.2, 1}, {0, 4}} {
				n := separate(days[0], days[1])
				n.SDDay, n.Missing, n.UnevenDays = day*sdRun, rough.missing, rough.stretch
				s.cells = append(s.cells, cell{
					labels:   []string{strconv.Itoa(days[0]), strconv.Itoa(days[1]), number(day), number(100*rough.missing) + " %", number(rough.stretch)},
					simulate: func(reps int, rng *rand.Rand) []share { return dayMeansCell(n, reps, rng) },
				})
			}
		}
	}
	return s
}

// dayMeansCell judges a design with fewer than two shared days, and sets the t
// tests on all its day means beside the verdict.
func dayMeansCell(n truth.Nested, reps int, rng *rand.Rand) []share {
	found := make([]share, 4)
	l := lab{truth: n, opt: compare.Options{Better: 1}}
	for range reps {
		r := l.judge(rng)
		ok := r.Verdict != analysis.Unsupported
		found[0].add(ok)
		if ok {
			found[1].add(changed(r))
		}
		base, contender := dayMeans(l.drawn, 0), dayMeans(l.drawn, 1)
		if len(base) < 2 || len(contender) < 2 {
			continue
		}
		found[2].add(compare.Pooled(base, contender).P() < .05)
		found[3].add(compare.Welch(base, contender).P() < .05)
	}
	return found
}

// dayMeans are the mean logs of an arm's days.
func dayMeans(runs []truth.Run, arm int) []float64 {
	var means []float64
	var sum float64
	var n int
	flush := func() {
		if n > 0 {
			means = append(means, sum/float64(n))
		}
		sum, n = 0, 0
	}
	for i, r := range runs {
		if i > 0 && r.Day != runs[i-1].Day {
			flush()
		}
		if r.Arm == arm {
			sum, n = sum+math.Log(r.Value), n+1
		}
	}
	flush()
	return means
}

func oneSharedStudy() *study {
	s := &study{
		title: "One shared day among days of their own",
		text: "The arms overlap on one day. Day means that share a day agree more than the t test thinks, so with equal runs a day the pooled test is cautious (at sd(day) 4 it hardly ever speaks). " +
			"With unequal runs it holds where the arms mirror each other (1 2 against 2 1) but passes 5 where one arm has more runs than the other (1 1 against 5 5), and where days differ it sees next to nothing; " +
			"so unequal runs on two days an arm are unsupported (answered 0). Promised at most 6.",
		labels:  []string{"base days x runs", "contender days x runs", "sd(day)", "sd(day x arm)"},
		columns: []string{"answered", "false", "pooled alone", "Welch alone"},
		promise: promiseAtMost(1, .06, .05),
	}
	for _, d := range []struct {
		name [2]string
		runs [2][]int // per arm, per day
	}{
		{[2]string{"1 1 -", "- 1 1"}, [2][]int{{1, 1, 0}, {0, 1, 1}}},
		{[2]string{"3 3 -", "- 3 3"}, [2][]int{{3, 3, 0}, {0, 3, 3}}},
		{[2]string{"1 2 -", "- 2 1"}, [2][]int{{1, 2, 0}, {0, 2, 1}}},
		{[2]string{"1 5 -", "- 5 1"}, [2][]int{{1, 5, 0}, {0, 5, 1}}},
		{[2]string{"5 1 -", "- 1 5"}, [2][]int{{5, 1, 0}, {0, 1, 5}}},
		{[2]string{"1 5 -", "- 1 5"}, [2][]int{{1, 5, 0}, {0, 1, 5}}},
		{[2]string{"5 1 -", "- 5 1"}, [2][]int{{5, 1, 0}, {0, 5, 1}}},
		{[2]string{"1 1 -", "- 5 5"}, [2][]int{{1, 1, 0}, {0, 5, 5}}},
		{[2]string{"3 3 3 - -", "- - 3 3 3"}, [2][]int{{3, 3, 3, 0, 0}, {0, 0, 3, 3, 3}}},
		{[2]string{"1 3 5 - - -", "- - 5 3 1 1"}, [2][]int{{1, 3, 5, 0, 0, 0}, {0, 0, 5, 3, 1, 1}}},
	} {
		for _, day := range []float64{0, 1, 4} {
			for _, dayArm := range []float64{0, 2} {
				n := truth.Nested{
					Days: len(d.runs[0]), Runs: 5, SDRun: sdRun, SDDay: day * sdRun, SDDayArm: dayArm * sdRun,
					Keep: func(arm, day, run int) bool { return run < d.runs[arm][day] },
				}
				s.cells = append(s.cells, cell{
					labels:   []string{d.name[0], d.name[1], number(day), number(dayArm)},
					simulate: func(reps int, rng *rand.Rand) []share { return dayMeansCell(n, reps, rng) },
				})
			}
		}
	}
	return s
}

func conditionalStudy() *study {
	s := &study{
		title: "The conditional interval of one shared day",
		text: "How often the 95 % interval with launches as replicates misses the truth of that day: pooled if the launches of both arms are alike in number and runs, else the wider of pooled and Welch. " +
			"The verdict itself is unsupported in every experiment (column *answered*). sd(launch) in units of sd(run). Promised: at most 6 %.",
		labels:  []string{"launches", "runs of each", "sd(launch)"},
		columns: []string{"answered", "misses", "pooled alone", "Welch alone"},
		promise: promiseAtMost(1, .06, .05),
	}
	for _, launches := range [][2]int{{2, 2}, {2, 3}, {2, 6}, {3, 3}, {3, 10}, {5, 5}} {
		for _, uneven := range []bool{false, true} {
			for _, sd := range []float64{0, 1, 2} {
				most := max(launches[0], launches[1])
				const runs = 4
				n := truth.Nested{
					Days: 1, Launches: most, Runs: runs, SDRun: sdRun, SDLaunch: sd * sdRun, SDDay: 4 * sdRun,
					Keep: func(arm, _, run int) bool {
						// Uneven: every second launch of the base has one run, the others four.
						launch, within := run/runs, run%runs
						return launch < launches[arm] && !(uneven && arm == 0 && launch%2 == 1 && within > 0)
					},
				}
				label := "4"
				if uneven {
					label = "4, 1, 4 ... and 4"
				}
				s.cells = append(s.cells, cell{
					labels:   []string{fmt.Sprintf("%d and %d", launches[0], launches[1]), label, number(sd)},
					simulate: func(reps int, rng *rand.Rand) []share { return conditionalCell(n, reps, rng) },
				})
			}
		}
	}
	return s
}

func conditionalCell(n truth.Nested, reps int, rng *rand.Rand) []share {
	found := make([]share, 4)
	l := lab{truth: n, opt: compare.Options{Better: 1}}
	for range reps {
		r := l.judge(rng)
		found[0].add(r.Verdict != analysis.Unsupported)
		if r.Conditional == nil { // a random order put one arm first
			continue
		}
		found[1].add(!(r.Conditional.Lo <= 1 && 1 <= r.Conditional.Hi))
		base, contender := launchMeans(l.drawn, 0), launchMeans(l.drawn, 1)
		found[2].add(compare.Pooled(base, contender).P() < .05)
		found[3].add(compare.Welch(base, contender).P() < .05)
	}
	return found
}

// launchMeans are the mean logs of an arm's launches on the only day.
func launchMeans(runs []truth.Run, arm int) []float64 {
	sums, counts := map[string]float64{}, map[string]float64{}
	var names []string
	for _, r := range runs {
		if r.Arm != arm {
			continue
		}
		if counts[r.Launch] == 0 {
			names = append(names, r.Launch)
		}
		sums[r.Launch] += math.Log(r.Value)
		counts[r.Launch]++
	}
	means := make([]float64, len(names))
	for i, name := range names {
		means[i] = sums[name] / counts[name]
	}
	return means
}

func equivalenceStudy() *study {
	const margin = .01
	s := &study{
		title: "False equivalence",
		text: "The true change is exactly the margin (1 %), so `equivalent` is false; the standard error is a fraction of the margin. Promised at most 5.5. " +
			"Beside it, how often `equivalent` is found when there is no change at all.",
		labels:  []string{"days", "runs", "margin / SE", "missing"},
		columns: []string{"false", "found"},
		promise: promiseAtMost(0, .055, .05),
	}
	for _, days := range []int{2, 3, 5, 10} {
		for _, runs := range []int{1, 3} {
			for _, ratio := range []float64{3, 10} {
				for _, missing := range []float64{0, .2} {
					n := truth.Nested{Days: days, Runs: runs, SDDay: .05, Missing: missing}
					n.SDRun = margin / ratio * math.Sqrt(float64(days*runs)/2)
					s.cells = append(s.cells, cell{
						labels: []string{strconv.Itoa(days), strconv.Itoa(runs), number(ratio), number(100*missing) + " %"},
						simulate: func(reps int, rng *rand.Rand) []share {
							found := make([]share, 2)
							atMargin := lab{truth: n, opt: compare.Options{Better: 1, Margin: margin, IgnoreOrder: true}}
							same := atMargin
							atMargin.truth.Effect = math.Log1p(margin)
							for range reps {
								for i, l := range []*lab{&atMargin, &same} {
									if r := l.judge(rng); r.Method == compare.DayDifferences {
										found[i].add(r.PEquiv < r.Level)
									}
								}
							}
							return found
						},
					})
				}
			}
		}
	}
	return s
}

func familyStudy() *study {
	s := &study{
		title: "Families and headlines",
		text: "Strata without a true change, 3 days x 3 runs. *Any* is the share of families in which any stratum is called faster or slower, promised at most 5.5 for holm (none: as if each stood alone). " +
			"*Headline* is the share of false headline verdicts, promised 4.3 to 5.7, coverage of its interval beside it.",
		labels:  []string{"strata", "adjust", "missing"},
		columns: []string{"any", "headline", "headline coverage"},
		promise: func(s *study) (broken []string) {
			for _, c := range s.cells {
				if c.labels[1] == "holm" && !c.found[0].atMost(.055, .05) {
					broken = append(broken, fmt.Sprintf("%s: %v %% with any false verdict", c.name(), c.found[0]))
				}
				if !c.found[1].near(.05, .007) {
					broken = append(broken, fmt.Sprintf("%s: %v %% false headlines", c.name(), c.found[1]))
				}
			}
			return broken
		},
	}
	for _, strata := range []int{2, 8} {
		for _, method := range []string{"holm", "bh", "none"} {
			for _, missing := range []float64{0, .2} {
				s.cells = append(s.cells, cell{
					labels:   []string{strconv.Itoa(strata), method, number(100*missing) + " %"},
					simulate: func(reps int, rng *rand.Rand) []share { return familyCell(strata, method, missing, reps, rng) },
				})
			}
		}
	}
	return s
}

func familyCell(strata int, method string, missing float64, reps int, rng *rand.Rand) []share {
	found := make([]share, 3)
	opt := compare.Options{Better: 1, IgnoreOrder: true}
	labs := make([]lab, strata)
	for i := range labs {
		labs[i] = lab{opt: opt, truth: truth.Nested{
			Days: 3, Runs: 3, Mean: float64(i), SDRun: sdRun * float64(1+i%3), SDDay: 4 * sdRun, SDDayArm: .5 * sdRun, Missing: missing,
		}}
	}
	rows, family, all := make([]compare.Result, strata), make([]*compare.Result, strata), make([]compare.Stratum, strata)
	for range reps {
		for i := range labs {
			rows[i] = labs[i].judge(rng)
			family[i] = &rows[i]
			all[i] = compare.Stratum{Label: strconv.Itoa(i), Runs: labs[i].runs}
		}
		if err := compare.Adjust(family, method); err != nil {
			panic(err)
		}
		anyFalse := false
		for _, r := range rows {
			anyFalse = anyFalse || r.Verdict == analysis.Faster || r.Verdict == analysis.Slower
		}
		found[0].add(anyFalse)
		if h, _ := compare.Headline(all, opt); h.Method == compare.DayDifferences {
			found[1].add(changed(h))
			found[2].add(covers(h, 0))
		}
	}
	return found
}

func orderStudy() *study {
	s := &study{
		title: "Drift and order",
		text: "5 days x 3 runs an arm without a true change, but a drift per slot of the day (in units of sd(run)). *Refused* is the share that is unsupported for its order; " +
			"*false* the share of false verdicts among the others, *ignored* with `--ignore order`. Tabulated: where the order is refused, *ignored* shows why. With a random order, a block happens now and then.",
		labels:  []string{"order", "drift"},
		columns: []string{"refused", "false", "ignored"},
	}
	for _, o := range []truth.Order{truth.Blocks, truth.Counterbalanced, truth.Alternating, truth.Random} {
		for _, drift := range []float64{0, .1, .2} {
			n := truth.Nested{Days: 5, Runs: 3, SDRun: sdRun, SDDay: sdRun, Order: o, Drift: drift * sdRun}
			s.cells = append(s.cells, cell{
				labels: []string{o.String(), number(drift)},
				simulate: func(reps int, rng *rand.Rand) []share {
					found := make([]share, 3)
					l := lab{truth: n, opt: compare.Options{Better: 1}}
					for range reps {
						r := l.judge(rng)
						found[0].add(r.Verdict == analysis.Unsupported)
						if r.Verdict != analysis.Unsupported {
							found[1].add(changed(r))
						}
						opt := l.opt
						opt.IgnoreOrder = true
						found[2].add(changed(compare.Judge(l.runs, opt)))
					}
					return found
				},
			})
		}
	}
	return s
}

func looksStudy() *study {
	s := &study{
		title:  "Looking again",
		text:   "A test after each further shared day, stopping at the first verdict; no true change, 3 runs an arm a day. *5 %* is what happens without `--looks daily`, *daily* with it, promised at most 5.5.",
		labels: []string{"days from", "to"}, columns: []string{"5 %", "daily"},
		promise: promiseAtMost(1, .055, .05),
	}
	for _, days := range [][2]int{{2, 5}, {2, 10}, {3, 10}} {
		n := truth.Nested{Days: days[1], Runs: 3, SDRun: sdRun, SDDay: sdRun}
		s.cells = append(s.cells, cell{
			labels: []string{strconv.Itoa(days[0]), strconv.Itoa(days[1])},
			simulate: func(reps int, rng *rand.Rand) []share {
				found := make([]share, 2)
				l := lab{truth: n}
				for range reps {
					l.draw(rng)
					for column, looks := range []int{1, days[1]} {
						ever := false
						for have := days[0]; have <= days[1] && !ever; have++ {
							end := have * 2 * n.Runs // runs come day by day
							ever = changed(compare.Judge(l.runs[:end], compare.Options{Better: 1, Looks: looks}))
						}
						found[column].add(ever)
					}
				}
				return found
			},
		})
	}
	return s
}

func robustStudy() *study {
	s := &study{
		title: "Where normal theory does not hold",
		text: "The default rule without a true change: run noise with three degrees of freedom, one run in twenty 10 sd(run) too slow, days that grow four times as noisy. " +
			"Tabulated, nothing promised: heavy tails make a t test cautious rather than rash.",
		labels:  []string{"noise", "days", "runs"},
		columns: []string{"false", "coverage"},
	}
	for _, kind := range []struct {
		name string
		set  func(*truth.Nested)
	}{
		{"normal", func(*truth.Nested) {}},
		{"t3", func(n *truth.Nested) { n.T3 = true }},
		{"one wild run in twenty", func(n *truth.Nested) { n.Wild, n.WildBy = .05, 10*sdRun }},
		{"uneven days", func(n *truth.Nested) { n.UnevenDays = 4 }},
	} {
		for _, days := range []int{2, 3, 5, 10} {
			for _, runs := range []int{1, 3} {
				n := truth.Nested{Days: days, Runs: runs, SDRun: sdRun, SDDay: 4 * sdRun, SDDayArm: .5 * sdRun}
				kind.set(&n)
				s.cells = append(s.cells, cell{
					labels: []string{kind.name, strconv.Itoa(days), strconv.Itoa(runs)},
					simulate: func(reps int, rng *rand.Rand) []share {
						found := make([]share, 2)
						l := lab{truth: n, opt: compare.Options{Better: 1}}
						for range reps {
							r := l.judge(rng)
							found[0].add(changed(r))
							found[1].add(covers(r, 0))
						}
						return found
					},
				})
			}
		}
	}
	return s
}

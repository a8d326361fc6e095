package main

import (
	"fmt"
	"math"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
)

type section struct {
	title, text string
	entries     []entry
}

// entry is one verdict or warning: its picture, and what the program says.
type entry struct {
	name, picture, says string
}

// judged finds the warning in what compare says about the very runs of the
// picture.
func judged(kind string, opt compare.Options, lines ...string) entry {
	r := judge(opt, lines)
	for _, w := range r.Warnings {
		if w.Kind() == kind {
			return entry{kind, strip(lines...), w.Text()}
		}
	}
	panic(fmt.Sprintf("gallery: no warning %s, but %s and %d others", kind, r.Verdict, len(r.Warnings)))
}

// verdict is one of the five, with compare's sentence.
func verdict(v analysis.Verdict, lines ...string) entry {
	r := judge(compare.Options{}, lines)
	if r.Verdict != v {
		panic(fmt.Sprintf("gallery: %s, want %s", r.Verdict, v))
	}
	return entry{string(v), strip(lines...), compare.Sentence(r, "tps", "9.6.0", "9.7.0", "") + "."}
}

func judge(opt compare.Options, lines []string) compare.Result {
	marks := parse(lines)
	var runs []compare.Run
	for _, m := range marks {
		if !m.aside {
			runs = append(runs, m.run)
		}
	}
	if opt.Better == 0 {
		opt.Better = 1
	}
	return compare.Judge(runs, opt)
}

// warning is one whose runs are no matter of compare.
func warning(w analysis.Warning, picture string) entry {
	return entry{w.Kind(), picture, w.Text()}
}

// pair is a quiet session of three days that warnings are drawn on.
var pair = []string{"d1 A 100 101", "d1 B 104 105", "d2 A 93 94", "d2 B 97 98", "d3 A 106 105", "d3 B 110 110"}

// ringed is such a session with a run that something else disturbed.
var ringed = []string{"d1 A 100 101", "d1 B 104 105", "d2 A 93 94", "d2 B 97 71!", "d3 A 106 105", "d3 B 110 110"}

func sections() []section {
	return []section{verdicts(), refusals(), doubts(), asked(), grouping(), spread(), warmUp(), curves(), changes(), profiles()}
}

func verdicts() section {
	return section{"The verdicts in pictures", "Discs are runs of the base, squares of the contender, left to right in the order they ran; a shaded column is a day. Rings mark the run that is spoken of, hollow marks take no part.", []entry{
		verdict(analysis.Faster, "d1 A 100 101", "d1 B 108 109", "d2 A 93 94", "d2 B 101 101", "d3 A 106 105", "d3 B 113 115"),
		verdict(analysis.Slower, "d1 A 108 109", "d1 B 100 101", "d2 A 101 101", "d2 B 93 94", "d3 A 113 115", "d3 B 106 105"),
		verdict(analysis.Equivalent, "d1 A 100 100.1", "d1 B 100.1 100", "d2 A 93 93.1", "d2 B 93.2 93", "d3 A 106 106", "d3 B 106.1 106", "d4 A 98 98.1", "d4 B 98 98.2"),
		verdict(analysis.Inconclusive, "d1 A 100 104", "d1 B 106 103", "d2 A 93 97", "d2 B 92 96", "d3 A 106 101", "d3 B 109 108"),
		verdict(analysis.Unsupported, "d1 A 100 101 100 102", "d1 B 108 109 107 108"),
	}}
}

func refusals() section {
	return section{"Refusals", "The row is unsupported. The sentence says what the design lacks and what to run.", []entry{
		judged("one-shared-day", compare.Options{}, "d1 A 100 101 100", "d1 B 108 109 107"),
		judged("one-run-an-arm", compare.Options{}, "d1 A 100", "d1 B 108"),
		judged("day-unknown", compare.Options{}, "? A 100 101 99", "? B 108 109 107"),
		judged("separate-single-days", compare.Options{}, "d1 A 100 101 99", "d2 B 108 109 107"),
		judged("too-few-days", compare.Options{}, "d1 A 100 101", "d2 B 108 109", "d3 B 103 104"),
		judged("uneven-days", compare.Options{}, "d1 A 100", "d2 A 95 96 95", "d3 B 108 107", "d4 B 103"),
		judged("same-order", compare.Options{}, "block", "d1 A 100 101 102", "d1 B 103 104 105", "d2 A 95 96 97", "d2 B 98 99 100"),
		judged("aliased-conditions", compare.Options{Aliased: []string{"host (db1, db2)"}}, pair...),
		judged("no-spread", compare.Options{}, "d1 A 100 100", "d1 B 102 102", "d2 A 100 100", "d2 B 102 102", "d3 A 100 100", "d3 B 102 102"),
		judged("not-positive", compare.Options{}, "d1 A 100 0!", "d1 B 104 105", "d2 A 93 94", "d2 B 97 98"),
		judged("missing-arm", compare.Options{}, "d1 A 100 101", "d1 B 104x 0x", "d2 A 93 94", "d2 B 97x 0x"),
		judged("maximum-of-many", compare.Options{Maximum: true}, "d1 A 100 300", "d1 B 120 180", "d2 A 700 110", "d2 B 160 220"),
		judged("too-few-for-method", compare.Options{Method: compare.Permutation}, pair...),
		judged("method-failed", compare.Options{Method: compare.KenwardRoger}, "d1 A 100", "d1 B 104", "d2 A 100", "d2 B 104"),
		{"too-large", strip("d1 A 1e308 1.1e308", "d1 B 1.2e308 1.1e308", "d2 A 1e308 1e308", "d2 B 1e308 1.1e308"), analysis.TooLarge{}.Text()},
		{"no-shared-stratum", strip("d1 A 100 101", "d2 B 210 211", "d3 A 400 402"), analysis.NoSharedStratum{Remedy: analysis.Remedy{AtBest: math.NaN()}}.Text()},
	}}
}

func doubts() section {
	alone := judge(compare.Options{}, []string{"d1 A 100 101", "d1 B 104 105", "d2 A 93 94", "d2 B 97 99", "d3 A 106 105", "d3 B 112 112"})
	return section{"Doubts beside a verdict", "The verdict stands; what could make it wrong stands beside it.", []entry{
		judged("order-unknown", compare.Options{}, append([]string{"unplaced"}, pair...)...),
		judged("order-leans", compare.Options{}, "block", "d1 A 100 101", "d1 B 104 105", "d2 A 93 94", "d2 B 97 98", "d3 A 106 105", "d3 B 110 110", "d4 A 99 98", "d4 B 103 101", "swap", "d5 B 103 102", "d5 A 100 101"),
		judged("order-ignored", compare.Options{IgnoreOrder: true}, "block", "d1 A 100 101", "d1 B 104 105", "d2 A 95 96", "d2 B 99 101"),
		judged("arms-in-sequence", compare.Options{}, "d1 A 100 101", "d2 A 97 98", "d3 A 101 101", "d4 B 108 109", "d5 B 106 106", "d6 B 110 111"),
		judged("days-alike", compare.Options{}, "d1 A 100", "d1 B 101", "d2 A 95", "d2 B 96.5", "d3 A 103", "d3 B 105", "d4 A 99", "d4 B 102", "d5 A 104", "d5 B 108", "d6 A 97", "d6 B 101.5", "d7 A 100", "d7 B 106", "d8 A 98", "d8 B 104", "d9 A 101", "d9 B 108"),
		judged("days-dropped", compare.Options{}, append([]string{"d0 A 99! 98!"}, pair...)...),
		judged("runs-without-day", compare.Options{}, append(append([]string{}, pair...), "? A 99! 98!")...),
		judged("launch-aliased", compare.Options{}, "d1 A/1 100 101 100", "d1 B/1 108 109 107"),
		judged("launch-unknown", compare.Options{}, "d1 A 100 101 100", "d1 B 108 109 107"),
		judged("only-that-day", compare.Options{}, "d1 A/1 100 101", "d1 A/2 103 104", "d1 B/1 108 109", "d1 B/2 112 111"),
		judged("wild-runs", compare.Options{}, "d1 A 100 101 100", "d1 B 104 105 80!", "d2 A 93 94 93", "d2 B 97 98 97"),
		judged("grid-widened", compare.Options{Better: -1, Grid: 1.01817}, "d1 A 10 10", "d1 B 10.18 10.18", "d2 A 10 10", "d2 B 10.18 10.18", "d3 A 10 10", "d3 B 10.36 10.36"),
		judged("at-ceiling", compare.Options{Better: -1, Grid: 1.01817, Ceiling: 100}, "d1 A 91 89", "d1 B 100! 100!", "d2 A 90 92", "d2 B 98 100!"),
		judged("losses-differ", compare.Options{LeftOut: [2]int{0, 2}}, append([]string{"d1 B 20x 10x"}, pair...)...),
		judged("all-zero", compare.Options{Scale: compare.Difference, Exposure: [2]float64{1200, 1200}}, "d1 A 0 0", "d1 B 0 0", "d2 A 0 0", "d2 B 0 0"),
		warning(analysis.AloneItWouldStand{Family: 24}, strip("d1 A 100 101", "d1 B 104 105", "d2 A 93 94", "d2 B 97 99", "d3 A 106 105", "d3 B 112 112")).only(alone.P < .05),
		warning(analysis.NoBetterSide{Change: .05}, strip(pair...)),
		judged("planned-days", compare.Options{PlannedDays: 10}, pair...),
		warning(analysis.NotFinite{Runs: 1}, strip(append([]string{"d1 A 96x"}, pair...)...)),
		warning(analysis.StrataDropped{Labels: []string{"512 threads"}}, strip(append([]string{"d4 A 80x 81x"}, pair...)...)),
		warning(analysis.OppositeStrata{Down: "64 threads", Up: "8 threads", Lowest: -.18, Most: .21, Claimed: true}, strip("8-threads A 100 101", "8-threads B 121 122", "64-threads A 160 161", "64-threads B 131 132")),
		warning(analysis.Residue{Factor: "host", Levels: []string{"db1", "db2"}}, strip("d1 A 100 108!", "d1 B 104 112!", "d2 A 93 101!", "d2 B 97 105!")),
	}}
}

func asked() section {
	donor := compare.Donor{Name: "nightly/", Ratio: compare.Spread{SD: .012, DF: 9}}
	return section{"What was asked for", "Choices of the user that change what a verdict rests on.", []entry{
		judged("noise-borrowed", compare.Options{Donor: &donor}, "d1 A 100 101", "d1 B 108 109"),
		judged("donor-lacks", compare.Options{Donor: &donor}, "d1 A 100 101", "d2 B 108 109"),
		judged("method-asked", compare.Options{Method: compare.WelchT}, pair...),
		judged("one-look-would-stand", compare.Options{Looks: 10}, "d1 A 100", "d1 B 104", "d2 A 100", "d2 B 105", "d3 A 100", "d3 B 107", "d4 A 100", "d4 B 111"),
		warning(analysis.ManyLooks{Days: 14, Most: 10}, strip(pair...)),
	}}
}

func grouping() section {
	return section{"How the rows were put together", "Said once for the whole data set, or on the rows that it is about.", []entry{
		warning(analysis.PooledOverDays{Condition: "kernel", Levels: 3}, strip(pair...)),
		warning(analysis.ProfiledAside{Runs: 2}, strip(append([]string{"d1 A 70x", "d1 B 72x"}, pair...)...)),
		warning(analysis.PhaseAside{Runs: 2, Phases: "warmup"}, strip(append([]string{"d1 A 70x", "d1 B 72x"}, pair...)...)),
		warning(analysis.TablesAside{Rows: 2, First: "summary.csv"}, strip(append([]string{"d1 A 100x", "d1 B 104x"}, pair...)...)),
		warning(analysis.TableRepeated{Rows: 4, Source: "results.md", Of: "results.csv"}, strip(append([]string{"d1 A 100x", "d1 B 104x"}, pair...)...)),
		warning(analysis.RowsRepeated{Rows: 6, Of: 12}, strip("d1 A 100 100!", "d1 B 104 104!", "d2 A 93 93!", "d2 B 97 97!", "d3 A 106 106!", "d3 B 110 110!")),
		warning(analysis.MixesDiffer{Statement: "reads", Least: 10, Most: 14, Stratum: "8 threads", Strata: 1}, strip(pair...)),
		warning(analysis.RateKept{Rate: 500, Stratum: "8 threads", Strata: 1}, strip("d1 A 100", "d1 B 100", "d2 A 100", "d2 B 100")),
		warning(analysis.WorkloadsAlike{Workload: "update or insert", Runs: 8}, strip(pair...)),
		warning(analysis.DaysClose{First: "morning", Second: "evening", Hours: 3.5}, strip("morning A 100 101", "morning B 104 105", "evening A 100 100", "evening B 104 104")),
		warning(analysis.LongSitting{Day: "d1", Hours: 95}, strip("d1 A 100 101 99 98 100 101", "d1 B 104 105 103 102 104 106")),
		warning(analysis.NoComparison{Choices: []string{"version", "allocator"}}, strip("d1 A 100 101", "d2 A 98 99", "d3 A 103 102")),
		warning(analysis.NoArm{By: "version", Runs: 2}, strip(append([]string{"d1 A 98x", "d2 A 95x"}, pair...)...)),
		warning(analysis.NotCompared{Base: "9.6.0", Contender: "9.7.0", Lacks: "9.6.0", Strata: []string{"512 threads"}}, strip("8-threads A 100 101", "8-threads B 104 105", "512-threads B 98 96")),
		warning(analysis.LeftOutUnplaced{Runs: 2}, strip(append([]string{"? A 20x 10x"}, pair...)...)),
		warning(analysis.ErrorsSeen{Runs: 3, Of: 12, Most: 4.2}, strip(pair...)),
		warning(analysis.StolenCPU{Runs: 2, Of: 12, Most: 4.5, Worst: "9.7.0/run3.log"}, strip(ringed...)),
		warning(analysis.Swapping{Runs: 1, Of: 12, Most: 2.4e6, Worst: "9.7.0/run3.log"}, strip(ringed...)),
		warning(analysis.OtherLoad{Runs: 1, Of: 12, Idle: 21, Usual: 44, Worst: "9.7.0/run3.log"}, strip(ringed...)),
		warning(analysis.MetricMissing{Metric: "latency_p95", Runs: 1}, strip(append([]string{"d2 B 96x"}, pair...)...)),
		warning(analysis.UnequalDuration{Shortest: 60, Longest: 300}, strip(pair...)),
	}}
}

func spread() section {
	return section{"Doubts about how far runs scatter", "A dot is a spread, the bar what it could be.", []entry{
		warning(analysis.TooFewForNoise{Runs: 2, Arms: 2}, bars("run", "launch", "day")),
		warning(analysis.DayToDayUnknown{Days: 1, Runs: 20}, bars("run 1 0.8 1.5", "launch 1.5 0.9 4", "day")),
		warning(analysis.DayMovesWithArm{Days: 2}, strip("d1 A 100 101 99", "d2 B 108 109 107")),
		warning(analysis.OneComponent{Outer: "day:arm", Inner: "run", Shown: "run"}, bars("run 1.4 1 2.2", "day:arm", "day 4 2 9")),
		warning(analysis.DayArmUnknown{SharedDays: 1}, bars("run 1 0.8 1.5", "day:arm", "day 4 2 9")),
		warning(analysis.RestartsUnknown{}, bars("run 1 0.8 1.5", "launch", "day 4 2 9")),
		warning(analysis.WideInterval{Level: "day", Lo: .024, Hi: 1.7, DF: 1}, bars("run 0.6 0.4 2", "day 5.4 2.4 10")),
		warning(analysis.ZeroSpread{Level: "run"}, bars("run 0 0 0", "day 4 2 9")),
		warning(analysis.FloorFromDayToDay{}, bars("run 1 0.8 1.5", "day 4 2 9")),
		warning(analysis.RowsAlike{Correlation: .82}, series(0, course(80, func(i int) float64 { return 100 + 18*math.Sin(float64(i)/9) })...)),
		warning(analysis.VarianceNotConverged{Slope: .02}, bars("run 1 0 10", "day 4 0 10")),
		warning(analysis.NoiseUnknown{Metric: "errors_per_s", Stratum: "8 threads", Reason: "value 3 is 0: relative spread needs logs"}, bars("run", "day")),
	}}
}

// course is a run with a little noise on a level; a level of 0 stays.
func course(n int, level func(i int) float64) []float64 {
	y := make([]float64, n)
	for i := range y {
		if y[i] = level(i); y[i] > 0 {
			y[i] += 3 * math.Sin(float64(i*i))
		}
	}
	return y
}

func warmUp() section {
	flat := func(int) float64 { return 100 }
	warm := func(i int) float64 { return 100 - 40*math.Exp(-float64(i)/6) }
	return section{"Warm-up and steady state", "Throughput of one run; the dashed line is the cut.", []entry{
		warning(analysis.TooFewIntervals{Have: 8, Need: 20}, series(0, course(8, flat)...)),
		warning(analysis.IntervalsMissing{Missing: 20, Of: 80}, series(0, course(80, func(i int) float64 {
			if i >= 30 && i < 50 {
				return math.NaN()
			}
			return 100
		})...)),
		warning(analysis.TimesOutOfOrder{Lines: 2}, series(0, course(60, flat)...)),
		warning(analysis.LevelStillChanges{At: 255, Of: 300}, series(0, course(80, func(i int) float64 { return 100 - 20*float64(i/68) })...)),
		warning(analysis.StillTrending{From: 128, To: 199, Seconds: 200}, series(0, course(80, func(i int) float64 { return 60 + 45*(1-math.Exp(-float64(i)/40)) })...)),
		warning(analysis.Stopped{At: 210}, series(0, course(80, func(i int) float64 {
			if i > 55 {
				return 0
			}
			return 100
		})...)),
		warning(analysis.Excursions{Times: 2, Seconds: 24, Change: -.3}, series(.12, course(80, func(i int) float64 {
			switch {
			case i < 10:
				return 70
			case i > 30 && i < 37, i > 60 && i < 67:
				return 70
			}
			return 100
		})...)),
		warning(analysis.SpikesKept{Intervals: 3}, series(.12, course(80, func(i int) float64 {
			switch {
			case i < 10:
				return 70
			case i == 25, i == 48, i == 70:
				return 30
			}
			return 100
		})...)),
		warning(analysis.AveragedInBlocks{Intervals: 21600, PerBlock: 11}, series(0, course(240, flat)...)),
		warning(analysis.FewEffective{ESS: 6.3, Intervals: 70}, series(.1, course(80, func(i int) float64 { return 100 + 18*math.Sin(float64(i)/9) })...)),
		warning(analysis.CutDisputed{Cut: 40, Mean: 812, OtherCut: 110, OtherMean: 829}, series(.15, course(80, func(i int) float64 {
			switch {
			case i < 12:
				return 70
			case i < 34:
				return 94
			}
			return 100
		})...)),
		warning(analysis.NoReportLines{}, series(0)),
		warning(analysis.WholeRun{Cut: 60}, series(.2, course(80, warm)...)),
		warning(analysis.LinesLack{Metric: "latency_p95", Runs: 2, Of: 12}, series(.2, course(80, warm)...)),
		warning(analysis.HeadlineWholeRuns{}, series(0, course(80, func(i int) float64 { return 60 + .5*float64(i) })...)),
		warning(analysis.NoCommonCut{Unsteady: 1, Of: 12}, series(0, course(80, func(i int) float64 { return 60 + .5*float64(i) })...)),
	}}
}

// only holds a picture to what its warning says.
func (e entry) only(holds bool) entry {
	if !holds {
		panic("gallery: the picture of " + e.name + " does not show it")
	}
	return e
}

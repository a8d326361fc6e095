package report

import (
	"math"
	"strings"
	"time"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// The reports below are written by hand: no statistics made these numbers, they
// are here to be printed.

var nan = math.NaN()

var (
	tps    = unit.Unit{Name: "1/s", Better: unit.Higher}
	second = unit.Unit{Name: "s", Better: unit.Lower}
	perSec = unit.Unit{Name: "1/s", Better: unit.Lower}
)

// evil is what an arm, a path or a level could be called.
const evil = `</svg><script>alert("x")</script>`

func stratum(threads int64, workload string) []group.Field {
	return []group.Field{{Name: "threads", Value: datasets.Int(threads)}, {Name: "workload", Value: datasets.Text(workload)}}
}

// judged is a result with an interval; p is adjusted.
func judged(v analysis.Verdict, ratio, lo, hi, p float64) compare.Result {
	side := compare.Side{Runs: 9, Days: 3, Launches: 6, Mean: 1000}
	contender := side
	contender.Mean = 1000 * ratio
	return compare.Result{
		Scale: compare.Ratio, Better: 1, Base: side, Contender: contender,
		Estimate: ratio, Lo: lo, Hi: hi, LoAdj: lo - .004, HiAdj: hi + .004, Confidence: .95, Level: .05,
		P: p / 3, PAdjusted: p, PEquiv: .2, PEquivAdjusted: .4, DF: 2, SE: .004, Family: 6,
		Tests: []compare.Test{{Estimate: math.Log(ratio), SE: .004, DF: 2}}, Method: compare.DayDifferences,
		Verdict: v, Margin: .01, ExceedsMargin: v == analysis.Faster || v == analysis.Slower,
		NoiseFloor: analysis.Estimate{Value: .026, Lo: .014, Hi: .16, Confidence: .95},
	}
}

// refused is an observation without a claim.
func refused(ratio float64, refusal analysis.Refusal) compare.Result {
	r := judged(analysis.Unsupported, ratio, nan, nan, nan)
	r.LoAdj, r.HiAdj, r.P, r.PEquiv, r.PEquivAdjusted, r.DF, r.SE = nan, nan, nan, nan, nan, nan, nan
	r.Base.Days, r.Contender.Days, r.Base.Launches, r.Contender.Launches = 1, 1, 2, 2
	r.NoiseFloor = analysis.Estimate{Value: nan, Lo: nan, Hi: nan}
	r.Tests, r.Method, r.ExceedsMargin, r.Family = nil, compare.NoMethod, false, 0
	r.Warnings = []analysis.Warning{refusal}
	return r
}

// full is a report with every verdict, several strata, two other metrics and
// names that want to break the page.
func full() *Report {
	const read, write = "oltp_read_only", "oltp_read_write"
	arms := []string{"glibc", "jemalloc", "tcmalloc", evil}
	r := &Report{
		Version: "0.1.0", Seed: 1,
		Design: group.Design{
			By: "allocator", ByWhy: "the only factor that varies and could be the change", Base: "glibc", BaseWhy: "first by name", Arms: arms,
			Days: []string{"2026-11-28", "2026-11-29", "2026-11-30"}, Interleaved: 1,
			AlsoDiffers: []string{"ld_preload"},
			Factors: []group.Factor{
				{Name: "allocator", Role: group.By, Levels: []datasets.Value{datasets.Text("glibc"), datasets.Text("jemalloc"), datasets.Text("tcmalloc"), datasets.Text(evil)}},
				{Name: "threads", Role: group.Stratum, Levels: []datasets.Value{datasets.Int(1), datasets.Int(8), datasets.Int(64)}},
				{Name: "workload", Role: group.Stratum, Levels: []datasets.Value{datasets.Text(read), datasets.Text(write)}},
			},
		},
	}
	day := analysis.OneSharedDay{Day: "2026-11-28", Remedy: analysis.Remedy{AtBest: .031}}
	alone := judged(analysis.Inconclusive, 1.021, 1.004, 1.039, .08)
	alone.Warnings = []analysis.Warning{analysis.AloneItWouldStand{Family: 6}}
	alone.Settle = compare.Settle{Days: 6, RunsPerDay: 3, Effect: .02}
	thatDay := refused(1.034, day)
	thatDay.Conditional = &compare.Conditional{Lo: 1.012, Hi: 1.057, Launches: 2}
	thatDay.Warnings = append(thatDay.Warnings, analysis.OnlyThatDay{Day: "2026-11-28", Launches: 2})
	order := analysis.OrderUnknown{Days: 1, Of: 3}

	add := func(metric string, u unit.Unit, level string, threads int64, workload string, res compare.Result) {
		res.Better = map[unit.Better]int{unit.Higher: 1, unit.Lower: -1}[u.Better]
		if res.Verdict != analysis.Unsupported {
			res.Warnings = append(res.Warnings, order)
		}
		c := Comparison{Metric: metric, Unit: u, Primary: metric == "tps", Stratum: stratum(threads, workload), BaseLevel: "glibc", Level: level, Result: res}
		if metric == "latency_p95" {
			c.Base.Mean, c.Contender.Mean = .0123, .0123*res.Estimate
		}
		for i := range 18 {
			value := 900 * math.Pow(float64(threads), .8) * (1 + .01*math.Sin(float64(7*i)+float64(threads)))
			if i%2 == 1 {
				value *= res.Estimate
			}
			c.Runs = append(c.Runs, compare.Run{Arm: i % 2, Day: r.Design.Days[i/6], Slot: float64(i), Value: value})
		}
		r.Comparisons = append(r.Comparisons, c)
	}
	add("tps", tps, "jemalloc", 1, read, judged(analysis.Equivalent, 1.001, .996, 1.006, .9))
	add("tps", tps, "jemalloc", 8, read, judged(analysis.Slower, .959, .95, .968, .0004))
	add("tps", tps, "jemalloc", 64, read, judged(analysis.Slower, .921, .907, .936, .00004))
	add("tps", tps, "jemalloc", 8, write, judged(analysis.Faster, 1.052, 1.038, 1.066, .002))
	add("tps", tps, "tcmalloc", 1, read, judged(analysis.Inconclusive, 1.012, .987, 1.038, .51))
	add("tps", tps, "tcmalloc", 8, read, alone)
	add("tps", tps, "tcmalloc", 64, read, judged(analysis.Equivalent, .999, .993, 1.005, .8))
	add("tps", tps, "tcmalloc", 8, write, thatDay)
	add("tps", tps, evil, 1, read, refused(1.3, day))
	add("tps", tps, evil, 8, read, refused(.81, day))
	add("latency_p95", second, "jemalloc", 8, read, judged(analysis.Slower, 1.09, 1.05, 1.13, .01))
	add("latency_p95", second, "tcmalloc", 8, read, judged(analysis.Faster, .93, .9, .96, .02))
	none := judged(analysis.Inconclusive, .002, -.004, .008, .6)
	none.Scale, none.Margin, none.ExceedsMargin = compare.Difference, nan, false
	none.Base.Mean, none.Contender.Mean = .001, .003
	add("errors_per_s", perSec, "jemalloc", 8, read, none)

	jemalloc := judged(analysis.Slower, .966, .955, .978, .006)
	jemalloc.Warnings = []analysis.Warning{analysis.StrataDropped{Labels: []string{"8 threads, " + write}}}
	r.Headlines = []Headline{
		{Metric: "tps", Unit: tps, BaseLevel: "glibc", Level: "jemalloc", Result: jemalloc, Strata: 3, Dropped: []string{"8 threads, " + write}},
		{Metric: "tps", Unit: tps, BaseLevel: "glibc", Level: "tcmalloc", Result: judged(analysis.Inconclusive, 1.009, .99, 1.028, .3), Strata: 4},
		{Metric: "tps", Unit: tps, BaseLevel: "glibc", Level: evil, Result: refused(1.02, day), Strata: 2},
		{Metric: "latency_p95", Unit: second, BaseLevel: "glibc", Level: "jemalloc", Result: judged(analysis.Slower, 1.09, 1.05, 1.13, .01), Strata: 1},
	}
	r.Headlines[3].Better = -1

	for i, s := range [][]group.Field{stratum(1, read), stratum(8, read), stratum(64, read), stratum(8, write)} {
		r.Variance = append(r.Variance, spreadOf("tps", tps, s, 3, .01+.002*float64(i)))
	}
	place(r, 18)
	series(r, 80)
	r.Next = []string{
		"Run " + evil + " on two more days, alternating with glibc: 3 days with 3 runs an arm a day show 3.1 %.",
		"For tcmalloc at 8 threads, 6 days with 3 runs an arm a day would show 2 %.",
	}
	r.Warnings = []analysis.Warning{analysis.PooledOverDays{Condition: "kernel", Levels: 2}}
	r.Inputs = Inputs{Folder: "results/" + evil, Runs: 90, Complete: 88,
		Sources: []datasets.Source{
			{Path: "2026-11-28/glibc/run1_8th.sysbench.txt", SHA256: strings.Repeat("0123456789abcdef", 4), Size: 24816, Kind: "sysbench", Tool: "sysbench", Version: "1.0.20", Runs: 1},
			{Path: evil + "/a\"b'c\u202egnp.log", SHA256: strings.Repeat("fedcba9876543210", 4), Size: 120, Kind: "sysbench", Tool: "sysbench", Version: "1.0.20", Runs: 1},
		},
		Problems: []datasets.Problem{
			{Source: "2026-11-29/" + evil, Line: 17, Kind: "unknown line", Text: "\x1b[31mFATAL\x1b[0m <b>bold</b>", Count: 3},
			{Source: "notes.txt", Kind: "not a log", Text: "", Count: 1},
		},
	}
	return r
}

// spreadOf is the noise of a stratum; one day leaves the day unknown.
func spreadOf(metric string, u unit.Unit, s []group.Field, days int, sd float64) Variance {
	v := Variance{Metric: metric, Unit: u, Stratum: s, Result: noise.Result{
		Days: days, Launches: 2 * days, Runs: 6 * days, Mean: 1000,
		Repeatability: analysis.Estimate{Value: sd, Lo: .6 * sd, Hi: 1.9 * sd, Confidence: .95},
		DayToDay:      analysis.Estimate{Value: 1.6 * sd, Lo: 0, Hi: 20 * sd, Confidence: .95},
		Components: []noise.Component{
			{Level: noise.Day, Var: 2.56 * sd * sd, SDRel: 1.6 * sd, Lo: 0, Hi: 20 * sd, Share: .6, DF: 2, Method: noise.MethodMLS},
			{Level: noise.Launch, Var: .25 * sd * sd, SDRel: .5 * sd, Lo: 0, Hi: 1.5 * sd, Share: .1, DF: 3, Method: noise.MethodMLS},
			{Level: noise.RunLevel, Var: sd * sd, SDRel: sd, Lo: .6 * sd, Hi: 1.9 * sd, Share: .3, DF: 12, Method: noise.MethodChiSquare},
		},
	}}
	for _, d := range []noise.Design{{Days: 1, RunsPerDay: 1}, {Days: 1, RunsPerDay: 3}, {Days: 1, RunsPerDay: 10}, {Days: 3, RunsPerDay: 3}, {Days: 10, RunsPerDay: 3}} {
		f := noise.Floor{Days: d.Days, RunsPerDay: d.RunsPerDay, MDE: nan, Lo: nan, Hi: nan}
		if d.Days > 1 {
			f.MDE = 9 * sd / float64(d.Days)
			f.Lo, f.Hi = .6*f.MDE, 3*f.MDE
		}
		v.Floors = append(v.Floors, f)
	}
	if days == 1 {
		v.DayToDay = analysis.Estimate{Value: nan, Lo: nan, Hi: nan}
		v.Components[0] = noise.Component{Level: noise.Day, Var: nan, SDRel: nan, Lo: nan, Hi: nan, Share: nan, DF: nan, Method: noise.MethodUnknown}
		for i := range v.Floors {
			if v.Floors[i].Days > 1 {
				v.Floors[i].Lo, v.Floors[i].MDE, v.Floors[i].Hi = v.Floors[i].MDE, nan, math.Inf(1)
			}
		}
	}
	return v
}

// place puts n runs an arm on each day, two launches each, in turn; the third
// arm lacks the second day.
func place(r *Report, n int) {
	slot := 0.0
	for d, day := range r.Design.Days {
		for i := range n {
			for a := range r.Design.Arms {
				arm := r.Design.Arms[(a+i)%len(r.Design.Arms)]
				if d == 1 && (a+i)%len(r.Design.Arms) == 2 {
					continue
				}
				slot++
				r.Design.Runs = append(r.Design.Runs, group.Placed{Arm: arm, Day: day, Launch: day + arm + string(rune('a'+2*i/n)), Slot: slot})
			}
		}
	}
}

// series adds n runs of 25 intervals; every seventh warms up, one breaks off.
func series(r *Report, n int) {
	for i := range n {
		s := Series{
			RunID: "run", Arm: r.Design.Arms[i%max(1, len(r.Design.Arms))], Stratum: stratum(int64(1)<<(3*(i%3)), "oltp_read_only"),
			Day: "2026-11-28", Order: i + 1, Oddness: 3 * math.Sin(float64(i)), Started: time.Date(2026, 11, 28, 9, i, 0, 0, time.UTC),
		}
		for t := range 25 {
			y := 1000 + 200*float64(i%3) + 15*math.Sin(float64(i*t)) + 8*math.Cos(float64(3*t+i))
			if i%7 == 0 {
				y -= 250 * math.Exp(-float64(t)/5)
			}
			if i == 3 && t > 10 && t < 15 {
				y = nan
			}
			s.T, s.Y = append(s.T, float64(t+1)), append(s.Y, y)
		}
		r.Series = append(r.Series, s)
	}
}

// oneDay is one recorded session: everything is unsupported, for one reason.
func oneDay() *Report {
	r := &Report{Version: "0.1.0", Seed: 1, Design: group.Design{
		By: "allocator", ByWhy: "as asked with --by", Base: "glibc", BaseWhy: "first by name", Arms: []string{"glibc", "glibc-b", "jemalloc", "tcmalloc"},
		Days: []string{"2026-11-30"}, Interleaved: 1,
	}}
	ratios := map[string]float64{"glibc-b": 1.002, "jemalloc": .959, "tcmalloc": 1.013}
	for _, arm := range r.Design.Arms[1:] {
		day := analysis.OneSharedDay{Day: "2026-11-30", Remedy: analysis.Remedy{AtBest: .026}}
		for _, threads := range []int64{1, 2, 4, 8} {
			res := refused(ratios[arm]+.001*float64(threads), day)
			res.Conditional = &compare.Conditional{Lo: res.Estimate - .03, Hi: res.Estimate + .03, Launches: 2}
			c := Comparison{Metric: "tps", Unit: tps, Primary: true, Stratum: stratum(threads, "oltp_read_only"), BaseLevel: "glibc", Level: arm, Result: res}
			for i := range 8 {
				value := 700 * math.Pow(float64(threads), .6) * (1 + .015*math.Sin(float64(5*i)+float64(threads)))
				if i%2 == 1 {
					value *= res.Estimate
				}
				c.Runs = append(c.Runs, compare.Run{Arm: i % 2, Day: "2026-11-30", Value: value})
			}
			r.Comparisons = append(r.Comparisons, c)
		}
		r.Headlines = append(r.Headlines, Headline{Metric: "tps", Unit: tps, BaseLevel: "glibc", Level: arm, Result: refused(ratios[arm], day), Strata: 4})
	}
	for _, threads := range []int64{1, 2, 4, 8} {
		r.Variance = append(r.Variance, spreadOf("tps", tps, stratum(threads, "oltp_read_only"), 1, .008))
	}
	place(r, 16)
	series(r, 30)
	r.Next = []string{"Run the same session on two more days: 3 days with 4 runs an arm a day show 2.6 % at best."}
	r.Inputs = Inputs{Folder: "datasets/mariadb-allocators", Runs: 64, Complete: 64, Sources: []datasets.Source{{Path: "raw/2026-11-30.tar.xz!a.log", SHA256: strings.Repeat("ab", 32), Size: 1234, Kind: "sysbench", Tool: "sysbench", Version: "1.0.20", Runs: 1}}}
	return r
}

// describeOnly has noise and nothing to compare.
func describeOnly() *Report {
	r := &Report{Version: "0.1.0", Seed: 1, Design: group.Design{Choices: []string{"version", evil}, Days: []string{"2026-11-28", "2026-11-29"}}}
	r.Variance = []Variance{spreadOf("tps", tps, nil, 2, .012)}
	r.Warnings = []analysis.Warning{analysis.NoComparison{Choices: r.Design.Choices}}
	r.Inputs = Inputs{Folder: "results", Runs: 12, Complete: 12}
	for i := range 12 {
		r.Design.Runs = append(r.Design.Runs, group.Placed{Day: r.Design.Days[i/6], Slot: nan})
	}
	return r
}

// oneRun is the least there can be.
func oneRun() *Report {
	r := &Report{Version: "0.1.0", Seed: 1}
	v := spreadOf("tps", tps, nil, 1, .01)
	v.Runs, v.Launches, v.Days = 1, 0, 0
	v.Repeatability, v.Components, v.Floors = analysis.Estimate{Value: nan, Lo: nan, Hi: nan}, nil, nil
	r.Variance = []Variance{v}
	r.Design.Runs = []group.Placed{{Slot: nan}}
	r.Inputs = Inputs{Folder: "-", Runs: 1, Complete: 1}
	return r
}

// nothing is a report of an empty folder; the command does not get so far, and
// printing must not fail.
func nothing() *Report { return &Report{} }

func samples() map[string]*Report {
	return map[string]*Report{"full": full(), "one-day": oneDay(), "describe-only": describeOnly(), "one-run": oneRun(), "nothing": nothing(), "curves": curveReport(), "history": changed()}
}

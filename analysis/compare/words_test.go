package compare

import (
	"math"
	"strings"
	"testing"

	"noisefloor/analysis"
)

func TestSentence(t *testing.T) {
	nan := math.NaN()
	row := func(v analysis.Verdict, better int, estimate, lo, hi float64) Result {
		r := blank(Options{Better: better}.withDefaults())
		r.Verdict, r.Estimate, r.Lo, r.Hi = v, estimate, lo, hi
		r.PAdjusted, r.P, r.Tests, r.Family = .5, .5, make([]Test, 1), 1
		if v == analysis.Faster || v == analysis.Slower {
			r.PAdjusted, r.P = .001, .001
		}
		r.NoiseFloor.Value = .026
		return r
	}
	check := func(r Result, metric, stratum, want string) {
		t.Helper()
		if got := Sentence(r, metric, "glibc", "jemalloc", stratum); got != want {
			t.Errorf("\n%s, want\n%s", got, want)
		}
	}
	slower := row(analysis.Slower, 1, .959, .950, .968)
	check(slower, "tps", "8 threads", "jemalloc is 4.1 % slower than glibc at 8 threads, 95 % interval 3.2 to 5.0 %")
	check(slower, "tps", "", "jemalloc is 4.1 % slower than glibc, 95 % interval 3.2 to 5.0 %")
	check(slower, "qps", "", "jemalloc is 4.1 % slower in qps than glibc, 95 % interval 3.2 to 5.0 %")
	check(slower, "cache_hits", "", "jemalloc has 4.1 % lower cache hits than glibc (worse), 95 % interval 3.2 to 5.0 %")
	check(row(analysis.Faster, 1, 1.0041, 1.0032, 1.0050), "tps", "", "jemalloc is 0.41 % faster than glibc, 95 % interval 0.32 to 0.50 %; smaller than the 1 % that matters")
	check(row(analysis.Faster, 1, 3.5, 2.9, 4.2), "tps", "", "jemalloc is 250 % faster than glibc, 95 % interval 190 to 320 %")
	check(row(analysis.Faster, -1, .959, .950, .968), "latency_p95", "8 threads", "jemalloc has 4.1 % lower p95 latency than glibc at 8 threads (better), 95 % interval 3.2 to 5.0 %")
	check(row(analysis.Slower, -1, 1.041, 1.032, 1.050), "latency_avg", "", "jemalloc has 4.1 % higher mean latency than glibc (worse), 95 % interval 3.2 to 5.0 %")

	check(row(analysis.Equivalent, 1, 1.001, .997, 1.006), "tps", "8 threads",
		"jemalloc against glibc at 8 threads: no difference worth naming: within 1 % (seen +0.1 %, 95 % interval -0.3 to +0.6 %)")
	unsure := row(analysis.Inconclusive, 1, 1.012, .992, 1.033)
	check(unsure, "tps", "8 threads", "jemalloc against glibc at 8 threads: cannot tell, this design sees no less than 2.6 % (seen +1.2 %, 95 % interval -0.8 to +3.3 %)")
	unsure.Settle = Settle{Days: 6, RunsPerDay: 3, Effect: .0113}
	check(unsure, "latency_p95", "", "jemalloc against glibc, p95 latency: cannot tell, this design sees no less than 2.6 % (seen +1.2 %, 95 % interval -0.8 to +3.3 %); 6 days with 3 runs an arm a day would show 1.1 %")
	unsure.Settle = Settle{}
	unsure.Warnings = []analysis.Warning{analysis.AloneItWouldStand{Family: 4}}
	check(unsure, "tps", "", "jemalloc against glibc: cannot tell, this design sees no less than 2.6 % (seen +1.2 %, 95 % interval -0.8 to +3.3 %); alone it would stand; among the 4 looked at it does not")
	wide := row(analysis.Inconclusive, 1, 1.1, .01, 120)
	wide.NoiseFloor.Value = 43
	check(wide, "tps", "", "jemalloc against glibc: cannot tell, this design sees no less than a change of 1000 % (seen +10 %, 95 % interval -99 to over +1000 %)")

	neither := row(analysis.Inconclusive, 0, 1.2, 1.1, 1.3)
	neither.PAdjusted = .01
	check(neither, "context_switches", "", "jemalloc has 20.0 % higher context switches than glibc (neither better nor worse in itself), 95 % interval 10.0 to 30.0 %")

	errors := row(analysis.Slower, -1, .3, .1, .5)
	errors.Scale = Difference
	check(errors, "errors_per_s", "8 threads", "jemalloc has 0.3 more errors per second than glibc at 8 threads (worse), 95 % interval 0.1 to 0.5")
	errors.Verdict, errors.Estimate, errors.Lo, errors.Hi = analysis.Faster, -.3, -.5, -.1
	check(errors, "errors_per_s", "", "jemalloc has 0.3 fewer errors per second than glibc (better), 95 % interval 0.1 to 0.5")
	none := row(analysis.Inconclusive, -1, 0, nan, nan)
	none.Scale, none.Tests, none.PAdjusted = Difference, nil, nan
	none.Warnings = []analysis.Warning{analysis.AllZero{UpperBase: .03, UpperContender: .01}}
	check(none, "errors_per_s", "", "jemalloc against glibc, errors per second: cannot tell, every run of both arms reads zero: with 95 % confidence at most 0.03 per second in the base and 0.01 in the contender (3 / seconds observed)")
}

// An interval that reaches beyond the margin does not contradict the verdict
// below it. R 4.2.2: t.test(log(1 + c(12, -9, 5, 4, -2)/1000)), conf.level .95
// and .90.
func TestSentenceOfBothSides(t *testing.T) {
	r := Judge(session("d1 A 1000", "d1 B 1012", "d2 B 991", "d2 A 1000", "d3 A 1000", "d3 B 1005", "d4 B 1004", "d4 A 1000", "d5 A 1000", "d5 B 998"), Options{Better: 1})
	wantVerdict(t, "both sides", r, analysis.Equivalent)
	want := "9.7 against 9.6: no difference worth naming: within 1 % (seen +0.2 %, 95 % interval -0.8 to +1.2 %); each side has its 5 %, so the 90 % interval decides: -0.6 to +1.0 %"
	if got := Sentence(r, "tps", "9.6", "9.7", ""); got != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
}

// Unsupported says why in the first clause, what was seen, and what to run.
func TestSentenceOfRefusals(t *testing.T) {
	check := func(r Result, want string) {
		t.Helper()
		if got := Sentence(r, "tps", "9.6", "9.7", "8 threads"); got != want {
			t.Errorf("\n%s, want\n%s", got, want)
		}
	}
	check(Judge(session("d1 A 100", "d2 B 108"), Options{}),
		"9.7 against 9.6 at 8 threads: unsupported, as there is one run an arm, which shows no spread at all (observed: +8.0 %); "+
			"run both arms, alternating, on at least 3 days: with 3 runs an arm a day the spread inside a day shows as well as the spread between days")
	check(Judge(session("? A 100", "? B 92"), Options{}),
		"9.7 against 9.6 at 8 threads: unsupported, as there is one run an arm, which shows no spread at all, and the day of these runs is unknown, so they count as one day (observed: -8.0 %); "+
			"run both arms, alternating, on at least 3 days: with 3 runs an arm a day the spread inside a day shows as well as the spread between days")
	check(Judge(session("? A 100 102", "? B 110 112.2"), Options{}),
		"9.7 against 9.6 at 8 threads: unsupported, as the day of these runs is unknown, so they count as one day (observed: +10.0 %); "+
			"say the days with --set day=..., with {day} in --layout, with a column day in a table or with --day-from mtime; if it was one day, "+
			"run both arms, alternating, on at least 3 days: with 3 runs an arm a day that shows a change of 3.8 % at best (from the spread between runs), less well if the days disagree")
	check(Judge(inBlocks(session("d1 A 100 102", "d1 B 110 112.2"), 0, "d1"), Options{}),
		"9.7 against 9.6 at 8 threads: unsupported, as the arms share one day only (d1), and what another day would do to either is unknown (observed: +10.0 %); "+
			"run both arms, alternating, on at least 3 days: with 3 runs an arm a day that shows a change of 3.8 % at best (from the spread between runs), less well if the days disagree")
}

// Whatever the result, the sentence has no holes.
func TestSentenceHasNoHoles(t *testing.T) {
	for _, c := range refusals {
		s := Sentence(Judge(c.runs, c.opt), "errors_per_s", "a", "b", "8 threads")
		for _, hole := range []string{"NaN", "Inf", "%!", "  "} {
			if strings.Contains(s, hole) {
				t.Errorf("%s: %q", c.name, s)
			}
		}
	}
}

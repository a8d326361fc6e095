package compare

import (
	"fmt"
	"math"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

// Eight days of one run an arm, the data of testdata/methods.R.
var (
	methodBase      = []float64{100.1, 103.2, 98.7, 101.9, 99.4, 104.8, 97.3, 102.6}
	methodContender = []float64{102.3, 104.9, 101.8, 102.4, 103.9, 105.5, 100.4, 106.9}
)

func logs(x []float64) []float64 {
	l := make([]float64, len(x))
	for i, v := range x {
		l[i] = math.Log(v)
	}
	return l
}

func pairedDays(base, contender []float64) []Run {
	var lines []string
	for i := range base {
		lines = append(lines, fmt.Sprintf("d%d A %v", i+1, base[i]), fmt.Sprintf("d%d B %v", i+1, contender[i]))
	}
	return session(lines...)
}

// Every method against R (testdata/methods.R).
func TestMethodsAgainstR(t *testing.T) {
	check := func(method string, p, estimate, lo, hi float64) {
		t.Helper()
		r := Judge(pairedDays(methodBase, methodContender), Options{Better: 1, Method: method})
		near(t, method+" p", r.P, p, 1e-6)
		near(t, method+" estimate", math.Log(r.Estimate), estimate, 1e-6)
		near(t, method+" lo", math.Log(r.Lo), lo, 1e-6)
		near(t, method+" hi", math.Log(r.Hi), hi, 1e-6)
		if r.Method != method {
			t.Errorf("method %q, want %q", r.Method, method)
		}
		warned[analysis.MethodAsked](t, r)
	}
	check(HodgesLehmann, .0078125, .0242211557857, .0106167173658, .0378200012542)
	check(MannWhitney, .0829836829837, .0232875083691, -.00195122013126, .0510877234134)
	check(WelchT, .0515256887623, .0246564559846, -.000188109046076, .0495010210153)
	check(Permutation, .0078125, .0246564559846, .0110973133474, .0378200012542)
	// One run a cell: the mixed model is balanced, and the t test of differences.
	check(KenwardRoger, .00216617477274, .0246564559846, .0122951120283, .0370177999409)
	check(Satterthwaite, .00216617477274, .0246564559846, .0122951120283, .0370177999409)
}

// Other confidences, unequal arms, ties, and the approximations for many days.
func TestExactTestsAgainstR(t *testing.T) {
	x, y := logs(methodBase), logs(methodContender)
	lo, hi := signedRank(x, y).Interval(.98)
	near(t, "signed rank, 98 %, lo", lo, .00577597670295, 1e-9)
	near(t, "signed rank, 98 %, hi", hi, .0426663348685, 1e-9)

	uneven := rankSum([]float64{x[0], x[1], x[2], x[3], x[4], x[5], x[7]}, y[:5])
	near(t, "rank sum, 7 and 5, p", uneven.P(), .343434343434, 1e-9)
	near(t, "rank sum, 7 and 5, estimate", uneven.Estimate, .0168404177952, 1e-9)
	lo, hi = uneven.Interval(.95)
	near(t, "rank sum, 7 and 5, lo", lo, -.00862487378176, 1e-9)
	near(t, "rank sum, 7 and 5, hi", hi, .037259211784, 1e-9)

	zero := make([]float64, 7)
	near(t, "signed rank, ties", signedRank(zero, []float64{1, 2, 2, 3, 5, -1, 4}).P(), .046875, 1e-12)
	near(t, "rank sum, ties", rankSum([]float64{1, 2, 2, 3}, []float64{2, 4, 5, 5, 6}).P(), .0634920634921, 1e-9)

	long := make([]float64, 60)
	for i := range long {
		long[i] = math.Sin(float64(i+1)) + float64(i+1)/300
	}
	near(t, "signed rank of 60", signedRank(make([]float64, 60), long).P(), .121233366477, 1e-9)
	var a, b []float64
	for i := 1; i <= 30; i++ {
		a, b = append(a, math.Cos(float64(i))), append(b, math.Sin(float64(i))+.5)
	}
	near(t, "rank sum of 30 and 30", rankSum(a, b).P(), .00508422172364, 1e-9)
	near(t, "relabelled", relabelled(x[:5], []float64{y[0], y[1], y[2], y[3], y[4], y[5], y[7]}, 1).P(), .020202020202, 1e-9)
}

// Arrangements that are drawn agree with those gone through, and with themselves.
func TestDrawnArrangements(t *testing.T) {
	var base, contender []float64
	for i := range 20 { // 2^20 signings: drawn
		base, contender = append(base, math.Sin(float64(i))), append(contender, math.Sin(float64(i))+.3+math.Cos(float64(7*i)))
	}
	one, again := signFlips(base, contender, 1), signFlips(base, contender, 1)
	paired := Paired(base, contender)
	if one.P() != again.P() {
		t.Error("the same seed gives another p")
	}
	near(t, "p", one.P(), paired.P(), .15) // the t test agrees where values are that many
	lo, hi := one.Interval(.95)
	wantLo, wantHi := paired.Interval(.95)
	near(t, "width", hi-lo, wantHi-wantLo, .05)
}

// P and interval agree about zero, for every method and with a grid.
func TestNamedMethodsAgreeWithTheirIntervals(t *testing.T) {
	for _, method := range MethodNames {
		for seed := range uint64(60) {
			r := Judge(draw(truth.Nested{Days: 8, Runs: 2, SDRun: .01, SDDay: .02, Effect: .008}, seed), Options{Better: 1, Method: method})
			if r.Method != method || !(r.Lo <= r.Estimate && r.Estimate <= r.Hi) {
				t.Errorf("%s, seed %d: %s, %v in %v to %v, %v", method, seed, r.Method, r.Estimate, r.Lo, r.Hi, kinds(r))
			}
			if (r.Lo <= 1 && 1 <= r.Hi) != (r.P >= .05) {
				t.Errorf("%s, seed %d: %v to %v, but p %v", method, seed, r.Lo, r.Hi, r.P)
			}
		}
	}
}

// Arms on days of their own: the unpaired ones answer, by the same design table.
func TestNamedMethodsOnSeparateDays(t *testing.T) {
	runs := session("d1 A 100 101", "d2 A 97 98", "d3 A 99 102", "d4 A 101 101", "d5 B 118 119", "d6 B 116 116", "d7 B 119 120", "d8 B 117 121")
	for _, method := range MethodNames {
		r := Judge(runs, Options{Better: 1, Method: method})
		wantVerdict(t, method, r, analysis.Faster)
	}
}

// A headline of one stratum is the row, whatever the method; of several, the mixed
// model sees days.
func TestNamedMethodsInHeadlines(t *testing.T) {
	runs := draw(truth.Nested{Days: 7, Runs: 3, SDRun: .01, SDDay: .001, Effect: .05}, 1)
	for _, method := range MethodNames {
		opt := Options{Better: 1, Method: method}
		one, _ := Headline([]Stratum{{Label: "8", Runs: runs}}, opt)
		if row := Judge(runs, opt); one.P != row.P || one.Lo != row.Lo {
			t.Errorf("%s: headline p %v, row %v", method, one.P, row.P)
		}
		two, _ := Headline([]Stratum{{Label: "8", Runs: runs}, {Label: "64", Runs: runs}}, opt)
		wantVerdict(t, method, two, analysis.Faster)
	}
}

// Medians of launches and of days; by hand.
func TestMedian(t *testing.T) {
	r := Judge(session("d1 A 100 400 100", "d1 B 200 200 200", "d2 A 100 100 100", "d2 B 202 1 202"), Options{Median: true})
	near(t, "estimate", r.Estimate, math.Sqrt(2*2.02), 1e-12)
	if r.Aggregate != MedianOfRuns {
		t.Errorf("aggregate %s", r.Aggregate)
	}
	r = Judge(session("d1 A/1 100", "d1 A/2 100", "d1 A/3 900", "d1 B/1 200", "d2 A/1 100", "d2 B/1 202"), Options{Median: true})
	near(t, "of launches", r.Estimate, math.Sqrt(2*2.02), 1e-12)
}

// Looks beyond those that the level was shared out for.
func TestManyLooks(t *testing.T) {
	n := truth.Nested{Days: 11, Runs: 1, SDRun: .01}
	if w := warned[analysis.ManyLooks](t, Judge(draw(n, 1), Options{Looks: 2})); w != (analysis.ManyLooks{Days: 11, Most: 10}) {
		t.Errorf("%+v", w)
	}
	n.Days = 10
	silent[analysis.ManyLooks](t, Judge(draw(n, 1), Options{Looks: 2}))
}

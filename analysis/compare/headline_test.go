package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/truth"
)

// One stratum is its own headline.
func TestHeadlineOfOneStratum(t *testing.T) {
	runs := draw(truth.Nested{Days: 4, Runs: 3, SDRun: .01, SDDay: .1, Effect: .03}, 1)
	h, dropped := Headline([]Stratum{{Label: "8 threads", Runs: runs}}, Options{Better: 1})
	r := Judge(runs, Options{Better: 1})
	if len(dropped) != 0 || show(h) != show(r) {
		t.Errorf("headline\n%s\nstratum\n%s", show(h), show(r))
	}
}

// By hand: ratios 1.1 and 1.2 on day 1, 1.3 and 1.2 on day 2.
func TestHeadlineIsTheGeometricMean(t *testing.T) {
	h, _ := Headline([]Stratum{
		{Label: "1 thread", Runs: session("d1 A 100", "d1 B 110", "d2 A 100", "d2 B 130")},
		{Label: "8 threads", Runs: session("d1 A 500", "d1 B 600", "d2 A 700", "d2 B 840")},
	}, Options{})
	d1, d2 := math.Log(1.1*1.2)/2, math.Log(1.3*1.2)/2
	near(t, "ratio", h.Estimate, math.Exp((d1+d2)/2), 1e-12)
	near(t, "se", h.SE, math.Abs(d2-d1)/2, 1e-9)
	if h.DF != 1 || h.Base.Runs != 4 || h.Base.Days != 2 {
		t.Errorf("df %v, base %+v", h.DF, h.Base)
	}
}

// A day that lacks the slow stratum of one arm must not make that arm look
// fast: the day goes.
func TestHeadlineNeedsEveryStratumOnADay(t *testing.T) {
	fast := session("d1 A 1000", "d1 B 1001", "d2 A 1000", "d2 B 1000", "d3 A 1001", "d3 B 1000")
	slow := session("d1 A 10", "d1 B 10.01", "d2 A 10", "d2 B 10", "d3 A 10.01")
	h, dropped := Headline([]Stratum{{Label: "fast", Runs: fast}, {Label: "slow", Runs: slow}}, Options{Better: 1})
	if len(dropped) != 0 || !slices.Equal(h.Design.SharedDays, []string{"d1", "d2"}) || !slices.Equal(h.Design.DroppedDays, []string{"d3"}) {
		t.Errorf("strata dropped %v, days %v used and %v dropped", dropped, h.Design.SharedDays, h.Design.DroppedDays)
	}
	if math.Abs(h.Estimate-1) > .001 {
		t.Errorf("ratio %v, want 1", h.Estimate)
	}
	warned[analysis.DaysDropped](t, h)
}

// Of a stratum or the days, what leaves fewer cells goes.
func TestHeadlineKeepsTheMostCells(t *testing.T) {
	all := func(days int) []Run { return draw(truth.Nested{Days: days, Runs: 1, SDRun: .01}, 1) }
	check := func(name string, want []string, days int, strata ...Stratum) {
		t.Helper()
		h, dropped := Headline(strata, Options{})
		if !slices.Equal(dropped, want) || len(h.Design.SharedDays) != days {
			t.Errorf("%s: dropped %v and used days %v, want %v and %d days", name, dropped, h.Design.SharedDays, want, days)
		}
		if len(dropped) > 0 {
			if w := warned[analysis.StrataDropped](t, h); !slices.Equal(w.Labels, dropped) {
				t.Errorf("%s: the warning names %v", name, w.Labels)
			}
		}
	}
	check("all complete", nil, 5, Stratum{Label: "1", Runs: all(5)}, Stratum{Label: "2", Runs: all(5)})
	// 3 strata x 2 days = 6 against 2 strata x 5 days = 10.
	check("one stratum short by three days", []string{"3"}, 5, Stratum{Label: "1", Runs: all(5)}, Stratum{Label: "2", Runs: all(5)}, Stratum{Label: "3", Runs: all(2)})
	// 3 strata x 4 days = 12 against 2 strata x 5 days = 10.
	check("one stratum short by a day", nil, 4, Stratum{Label: "1", Runs: all(5)}, Stratum{Label: "2", Runs: all(5)}, Stratum{Label: "3", Runs: all(4)})
	// A set that can answer comes before a larger one that cannot: 3 strata x 1
	// day against 2 strata x 2 days,
	check("one stratum of one day", []string{"3"}, 2, Stratum{Label: "1", Runs: all(2)}, Stratum{Label: "2", Runs: all(2)}, Stratum{Label: "3", Runs: all(1)})
	// but not a minority of the strata: 1 stratum x 3 days.
	check("three strata of one day", nil, 1, Stratum{Label: "1", Runs: all(3)}, Stratum{Label: "2", Runs: all(1)}, Stratum{Label: "3", Runs: all(1)}, Stratum{Label: "4", Runs: all(1)})
	check("a stratum without contender", []string{"2"}, 3, Stratum{Label: "1", Runs: all(3)}, Stratum{Label: "2", Runs: session("d1 A 1", "d2 A 1")})
	// Strata on days of their own have no day in common: nothing to average
	// over, but one of two is half of them.
	check("strata on different days", []string{"2"}, 2, Stratum{Label: "1", Runs: session("d1 A 1", "d1 B 2", "d2 A 1", "d2 B 3")}, Stratum{Label: "2", Runs: session("d3 A 1", "d3 B 2")})
	check("a stratum with a zero", []string{"2"}, 3, Stratum{Label: "1", Runs: all(3)}, Stratum{Label: "2", Runs: session("d1 A 0", "d1 B 1", "d2 A 1", "d2 B 1")})
}

func TestHeadlineOfNothing(t *testing.T) {
	h, dropped := Headline([]Stratum{{Label: "1", Runs: session("d1 A 1")}}, Options{})
	wantVerdict(t, "no contender anywhere", h, analysis.Unsupported)
	warned[analysis.NoSharedStratum](t, h)
	if !slices.Equal(dropped, []string{"1"}) {
		t.Errorf("dropped %v, want 1", dropped)
	}
	h, dropped = Headline([]Stratum{{Label: "1", Runs: session("d1 A 1", "d1 B 1")}, {Label: "2", Runs: session("d2 A 1", "d2 B 1")}, {Label: "3", Runs: session("d3 A 1", "d3 B 1")}}, Options{})
	wantVerdict(t, "three strata on three days", h, analysis.Unsupported)
	warned[analysis.NoSharedStratum](t, h)
	if len(dropped) != 3 {
		t.Errorf("dropped %v, want all three", dropped)
	}
}

// Base first in every stratum of every day is the same block order, though the
// strata come one after the other and the arms alternate over the day.
func TestHeadlineOrder(t *testing.T) {
	stratum := func(shift float64) []Run {
		runs := inBlocks(session("d1 A 100 101", "d1 B 110 111", "d2 A 100 101", "d2 B 111 113"), 0, "d1", "d2")
		for i := range runs {
			runs[i].Slot += shift
		}
		return runs
	}
	h, _ := Headline([]Stratum{{Label: "1", Runs: stratum(0)}, {Label: "2", Runs: stratum(10000)}}, Options{})
	warned[analysis.SameOrder](t, h)
	other := session("d1 A 100 101", "d1 B 110 111", "d2 A 100 101", "d2 B 111 113")
	h, _ = Headline([]Stratum{{Label: "1", Runs: stratum(0)}, {Label: "2", Runs: other}}, Options{})
	silent[analysis.SameOrder](t, h)
}

// Launches that sweep all strata carry a conditional interval; launches of
// each stratum's own do not.
func TestHeadlineConditional(t *testing.T) {
	sweep := func(a, b string) []Stratum {
		return []Stratum{
			{Label: "1", Runs: session("d1 A/1 100", "d1 B/1 110", "d1 A/2 102", "d1 B/2 114")},
			{Label: "2", Runs: session("d1 A/"+a+" 200", "d1 B/1 220", "d1 A/"+b+" 204", "d1 B/2 226")},
		}
	}
	h, _ := Headline(sweep("1", "2"), Options{})
	if h.Conditional == nil || h.Conditional.Launches != 2 {
		t.Errorf("common launches: conditional %+v", h.Conditional)
	}
	h, _ = Headline(sweep("7", "8"), Options{})
	if h.Conditional != nil {
		t.Errorf("launches of each stratum's own: conditional %+v", h.Conditional)
	}
	warned[analysis.LaunchUnknown](t, h)
}

// The order of strata and runs plays no role.
func TestHeadlineInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var strata []Stratum
	for i := range 6 {
		n := truth.Nested{Days: 4, Runs: 2, SDRun: .02, SDDay: .1, Missing: .3}
		strata = append(strata, Stratum{Label: fmt.Sprint(i+7, " threads"), Runs: draw(n, uint64(i))})
	}
	want, wantDropped := Headline(strata, Options{Better: 1})
	for range 20 {
		rng.Shuffle(len(strata), func(i, j int) { strata[i], strata[j] = strata[j], strata[i] })
		rng.Shuffle(len(strata[0].Runs), func(i, j int) { r := strata[0].Runs; r[i], r[j] = r[j], r[i] })
		got, dropped := Headline(strata, Options{Better: 1})
		if show(got) != show(want) || !slices.Equal(dropped, wantDropped) {
			t.Fatalf("%s\n%s", show(got), show(want))
		}
	}
}

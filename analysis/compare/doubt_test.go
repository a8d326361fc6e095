package compare

import (
	"math"
	"slices"
	"testing"

	"noisefloor/analysis"
)

// days in letters, in the order the runs ran: A is the base.
func ordered(days ...string) []Run {
	var runs []Run
	for d, letters := range days {
		for i, l := range letters {
			y := 100 + float64(d*7%5) + float64((5*i+3*d)%11)/10
			runs = append(runs, Run{Arm: int(l - 'A'), Day: string(rune('a' + d)), Slot: float64(100*d + i), Value: y})
		}
	}
	return runs
}

func TestOrderLeans(t *testing.T) {
	for _, c := range []struct {
		what  string
		days  []string
		first string // "" = balanced enough
		pairs float64
	}{
		{"blocks, all but one day the same way", []string{"AAABBB", "AAABBB", "AAABBB", "AAABBB", "BBBAAA"}, "base", .8},
		{"the same, the other way round", []string{"BBBAAA", "BBBAAA", "BBBAAA", "BBBAAA", "AAABBB"}, "contender", .8},
		{"no block, but nearly", []string{"AABABB", "AABABB", "AABABB"}, "base", 8. / 9},
		{"alternating, the base always first", []string{"ABAB", "ABAB", "ABAB"}, "", 0}, // a half, by hand: 3 of 4 pairs
		{"alternating in turns", []string{"ABAB", "BABA", "ABAB"}, "", 0},
		{"blocks in turns", []string{"AABB", "BBAA", "AABB", "BBAA"}, "", 0},
		{"one run each, mostly the base first", []string{"AB", "AB", "AB", "AB", "BA"}, "base", .8},
	} {
		r := Judge(ordered(c.days...), Options{Better: 1})
		w, ok := find[analysis.OrderLeans](r.Warnings)
		if ok != (c.first != "") || w.First != c.first || ok && math.Abs(w.Pairs-c.pairs) > 1e-12 {
			t.Errorf("%s: %v %+v", c.what, ok, w)
		}
		if r.Verdict == analysis.Unsupported {
			t.Errorf("%s: a doubt, and no refusal: %v", c.what, r.Warnings)
		}
		if _, ok := find[analysis.OrderLeans](Judge(ordered(c.days...), Options{Better: 1, IgnoreOrder: true}).Warnings); ok {
			t.Errorf("%s: said although order was to be ignored", c.what)
		}
	}
	// A block on every day is refused, and that says it all.
	if r := Judge(ordered("AABB", "AABB", "AABB"), Options{Better: 1}); len(r.Warnings) != 1 || r.Warnings[0].Kind() != "same-order" {
		t.Errorf("blocks: %v", r.Warnings)
	}
	// Where one day is unknown the others still say what they say.
	runs := ordered("AABABB", "AABABB", "AABABB", "ABBA")
	runs[len(runs)-1].Slot = math.NaN()
	if r := Judge(runs, Options{Better: 1}); len(r.Warnings) > 2 || !slices.Equal(kinds(r), []string{"order-leans", "order-unknown"}) {
		t.Errorf("one day unknown: %v", r.Warnings)
	}
}

// A rate that is mostly zero has no spread to be far by; a ratio that is mostly
// one value has.
func TestWildAmongZeros(t *testing.T) {
	var runs []Run
	for d := range 4 {
		for i := range 8 {
			v := 0.
			if i == 2*d {
				v = .5
			}
			runs = append(runs, Run{Arm: i % 2, Day: string(rune('a' + d)), Slot: float64(100*d + i), Value: v})
		}
	}
	silent[analysis.WildRuns](t, Judge(runs, Options{Scale: Difference, Better: -1}))
	for i := range runs {
		runs[i].Value++
	}
	if w := warned[analysis.WildRuns](t, Judge(runs, Options{Better: -1})); len(w.Runs) != 4 {
		t.Errorf("%d runs, want 4", len(w.Runs))
	}
}

// wandering are days of one run an arm, who begins taking turns, with these
// differences in percent.
func wandering(differences ...int) []Run {
	var runs []Run
	for i, d := range differences {
		values := [2]float64{100, 100 * math.Exp(float64(d)/100)}
		for k := range 2 {
			arm := (i + k) % 2
			runs = append(runs, Run{Arm: arm, Day: string(rune('a' + i)), Slot: float64(10*i + k), Value: values[arm]})
		}
	}
	return runs
}

// Ten days whose differences wander, and the same differences in another order.
// By hand: steps of 1 nine times, squares about the mean 82.5, so 1 - 9/165.
func TestDaysAlike(t *testing.T) {
	w := warned[analysis.DaysAlike](t, Judge(wandering(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), Options{}))
	near(t, "correlation", w.Correlation, 1-9/165., 1e-12)
	if w.Days != 10 {
		t.Errorf("%d days, want 10", w.Days)
	}
	silent[analysis.DaysAlike](t, Judge(wandering(7, 2, 9, 4, 5, 10, 1, 8, 3, 6), Options{}))
	silent[analysis.DaysAlike](t, Judge(wandering(1, 2, 3, 4, 5, 6, 7), Options{})) // too few to see it
}

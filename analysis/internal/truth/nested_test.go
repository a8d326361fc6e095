package truth

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func TestSameSeedSameRuns(t *testing.T) {
	n := Nested{Days: 3, Runs: 2, Launches: 2, SDDay: .1, SDRun: .02, Missing: .1, Order: Random}
	a, b := n.Draw(nil, source(1)), n.Draw(nil, source(1))
	if !slices.Equal(a, b) {
		t.Error("two draws with one seed differ")
	}
	if slices.Equal(a, n.Draw(nil, source(2))) {
		t.Error("two seeds give the same runs")
	}
}

// Without noise every value is the model's mean.
func TestNoNoiseIsTheMean(t *testing.T) {
	n := Nested{Days: 2, Runs: 3, Mean: math.Log(100), Effect: math.Log(1.1)}
	for _, r := range n.Draw(nil, source(1)) {
		if want := []float64{100, 110}[r.Arm]; math.Abs(r.Value-want) > 1e-9 {
			t.Errorf("arm %d: %v, want %v", r.Arm, r.Value, want)
		}
	}
}

func TestDesign(t *testing.T) {
	check := func(name string, n Nested, want int) {
		t.Helper()
		if got := len(n.Draw(nil, source(1))); got != want {
			t.Errorf("%s: %d runs, want %d", name, got, want)
		}
	}
	check("2 arms x 3 days x 4 runs", Nested{Days: 3, Runs: 4}, 24)
	check("2 arms x 3 days x 2 launches x 4 runs", Nested{Days: 3, Launches: 2, Runs: 4}, 48)
	check("base on day 1, contender on day 2", Nested{Days: 2, Runs: 4, Keep: func(arm, day, _ int) bool { return arm == day }}, 8)
	check("second run kept only", Nested{Days: 2, Runs: 4, Keep: func(_, _, run int) bool { return run == 1 }}, 4)
	check("all lost", Nested{Days: 2, Runs: 4, Missing: 1}, 0)
}

func TestOrders(t *testing.T) {
	check := func(o Order, want string) {
		t.Helper()
		var got []byte
		for _, r := range (Nested{Days: 2, Runs: 2, Order: o}).Draw(nil, source(1)) {
			got = append(got, "AB"[r.Arm])
		}
		if string(got) != want {
			t.Errorf("%v: %s, want %s", o, got, want)
		}
	}
	check(Alternating, "ABABBABA")
	check(Blocks, "AABBAABB")
	check(Counterbalanced, "AABBBBAA")
}

// Slots ascend over the whole session, and drift follows them within a day.
func TestDriftFollowsSlots(t *testing.T) {
	runs := Nested{Days: 2, Runs: 2, Drift: .01}.Draw(nil, source(1))
	for i, r := range runs {
		if i > 0 && r.Slot <= runs[i-1].Slot {
			t.Errorf("slot %v after %v", r.Slot, runs[i-1].Slot)
		}
		if want := .01 * float64(i%4); math.Abs(math.Log(r.Value)-want) > 1e-12 {
			t.Errorf("run %d: log %v, want %v", i, math.Log(r.Value), want)
		}
	}
}

// The spread of daily differences is the one that VarDifference promises:
// 20 000 days, so the standard error of the variance is 1 %; 4 of them.
func TestVarDifference(t *testing.T) {
	check := func(name string, n Nested) {
		t.Helper()
		n.Days = 20000
		sums := map[string][2]float64{}
		for _, r := range n.Draw(nil, source(3)) {
			s := sums[r.Day]
			s[r.Arm] += math.Log(r.Value)
			sums[r.Day] = s
		}
		runs := n.Runs * max(1, n.Launches)
		var ss float64
		for _, s := range sums {
			d := (s[1] - s[0]) / float64(runs)
			ss += d * d
		}
		got := ss / float64(n.Days)
		want := n.VarDifference([2]int{runs, runs}, [2]int{n.Launches, n.Launches})
		if math.Abs(got/want-1) > .04 {
			t.Errorf("%s: variance %v, want %v", name, got, want)
		}
	}
	check("runs only", Nested{Runs: 3, SDDay: .5, SDRun: .02})
	check("arm by day", Nested{Runs: 3, SDDay: .5, SDDayArm: .01, SDRun: .02})
	check("launches", Nested{Runs: 2, Launches: 2, SDLaunch: .03, SDRun: .02})
}

// t noise with 3 df is scaled to the same standard deviation. Its fourth
// moment is infinite, so the check is of the quartile: t quantile .75 at 3 df
// is .76489 (tables), over sqrt(3).
func TestT3Scale(t *testing.T) {
	n := Nested{Days: 1, Runs: 20000, SDRun: 1, T3: true}
	var logs []float64
	for _, r := range n.Draw(nil, source(4)) {
		logs = append(logs, math.Log(r.Value))
	}
	slices.Sort(logs)
	got, want := logs[len(logs)*3/4], .76489/math.Sqrt(3)
	if math.Abs(got-want) > .02 {
		t.Errorf("upper quartile %v, want %v", got, want)
	}
}

func TestWildShare(t *testing.T) {
	n := Nested{Days: 1, Runs: 10000, Wild: .05, WildBy: 1}
	hit := 0
	for _, r := range n.Draw(nil, source(5)) {
		if r.Value < .5 {
			hit++
		}
	}
	if share := float64(hit) / 20000; math.Abs(share-.05) > .007 { // 4 binomial sd = .0062
		t.Errorf("%v of the runs are wild, want .05", share)
	}
}

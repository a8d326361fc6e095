package noise_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"noisefloor/analysis/compare"
	"noisefloor/analysis/internal/truth"
	"noisefloor/analysis/noise"
)

func plan(t *testing.T, v noise.Variances, opt noise.PlanOptions) noise.Plan {
	t.Helper()
	p, err := noise.NewPlan(v, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func percentSquared(p float64) float64 { return p * p / 1e4 }

// By hand: delta SE with delta 16.3, 5.7, 3.8, 3.1 at 2, 3, 5, 10 shared days
// (METHODS.md section 8) and SE^2 = 2 (.005^2 + .01^2/3)/days.
func TestPlanRows(t *testing.T) {
	v := noise.Variances{Run: percentSquared(1), DayArm: percentSquared(0.5)}
	p := plan(t, v, noise.PlanOptions{Days: []int{2, 3, 5, 10}, Runs: []int{3}})
	for i, delta := range []float64{16.3, 5.65, 3.76, 3.14} {
		want := math.Expm1(delta * math.Sqrt(2*(percentSquared(0.5)+percentSquared(1)/3)/float64(p.Rows[i].Days)))
		if got := p.Rows[i].MDE; math.Abs(got.Value/want-1) > 0.005 || got.Lo != got.Value || got.Hi != got.Value || p.Rows[i].Planned != got.Value {
			t.Errorf("%d days: %+v, want %g, and no range around what is given", p.Rows[i].Days, got, want)
		}
	}
}

// The floors of Analyse and the rows of a plan are the same thing.
func TestPlanAgreesWithFloors(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, n := range []truth.Nested{
		{Days: 4, Runs: 3, SDDay: 0.03, SDDayArm: 0.01, SDRun: 0.01},
		{Days: 5, Launches: 3, Runs: 2, SDDay: 0.03, SDDayArm: 0.01, SDLaunch: 0.02, SDRun: 0.01},
	} {
		var runs []noise.Run
		for _, r := range n.Draw(nil, rng) {
			runs = append(runs, noise.Run{Arm: r.Arm, Day: r.Day, Launch: r.Launch, Value: r.Value})
		}
		r, err := noise.Analyse(runs, noise.Options{Designs: []noise.Design{{3, 6}, {10, 6}}})
		if err != nil {
			t.Fatal(err)
		}
		p := plan(t, r.Variances, noise.PlanOptions{Days: []int{3, 10}, Runs: []int{6}, Launches: max(1, n.Launches)})
		for i, f := range r.Floors {
			row := p.Rows[i]
			for name, pair := range map[string][2]float64{"mde": {row.MDE.Value, f.MDE}, "lo": {row.MDE.Lo, f.Lo}, "hi": {row.MDE.Hi, f.Hi}} {
				if math.Abs(pair[0]/pair[1]-1) > 1e-9 {
					t.Errorf("%d days: %s %g, floor %g", f.Days, name, pair[0], pair[1])
				}
			}
			if !(row.Planned > row.MDE.Value && row.Planned < row.MDE.Hi) {
				t.Errorf("planned %g is not between %g and %g", row.Planned, row.MDE.Value, row.MDE.Hi)
			}
		}
	}
}

// The best design is the cheapest of all: no other that sees the change costs
// less, and the runs a day follow the rule of the real numbers.
func TestPlanIsCheapest(t *testing.T) {
	for _, c := range []struct {
		run, dayArm, day, costDay float64
		separate                  bool
	}{{1, 0.5, 0, 10, false}, {2, 0.3, 0, 50, false}, {0.5, 1, 0, 1, false}, {1, 0, 0, 20, false}, {1, 0.2, 1.5, 20, true}} {
		v := noise.Variances{Run: percentSquared(c.run), DayArm: percentSquared(c.dayArm), Day: percentSquared(c.day)}
		opt := noise.PlanOptions{Detect: 0.01, CostDay: c.costDay, CostRun: 1, Separate: c.separate}
		for d := 2; d <= 100; d++ {
			opt.Days = append(opt.Days, d)
		}
		for r := 1; r <= 50; r++ {
			opt.Runs = append(opt.Runs, r)
		}
		p := plan(t, v, opt)
		var best noise.PlanRow
		for _, row := range p.Rows {
			if row.Planned <= opt.Detect && (best.Days == 0 || row.Cost < best.Cost) {
				best = row
			}
		}
		if best.Days == 0 || p.Best != best {
			t.Errorf("%+v: best %+v, of all %+v", c, p.Best, best)
		}
		want := math.Sqrt(c.costDay / 2 * percentSquared(c.run) / percentSquared(c.dayArm))
		if c.separate {
			want = math.Sqrt(c.costDay * percentSquared(c.run) / (percentSquared(c.day) + percentSquared(c.dayArm)))
		}
		if math.Abs(p.Ratio/want-1) > 1e-12 && !(math.IsInf(want, 1) && math.IsInf(p.Ratio, 1)) {
			t.Errorf("%+v: ratio %g, want %g", c, p.Ratio, want)
		}
		for i := 1; i < len(p.PerDays); i++ {
			if p.PerDays[i].Days <= p.PerDays[i-1].Days || p.PerDays[i].RunsPerDay >= p.PerDays[i-1].RunsPerDay {
				t.Errorf("%+v: %+v", c, p.PerDays)
			}
		}
	}
}

// The promised power holds: of simulated experiments run by the plan, with the
// true spreads given, the default rule of package compare sees the change as
// often as the plan says.
func TestPlannedPower(t *testing.T) {
	const reps = 2000
	rng := rand.New(rand.NewPCG(8, 2))
	for _, c := range []struct {
		n        truth.Nested
		detect   float64
		family   int
		launches int
	}{
		{truth.Nested{SDDay: 0.05, SDDayArm: 0.004, SDRun: 0.01}, 0.01, 1, 1},
		{truth.Nested{SDDay: 0.02, SDDayArm: 0.01, SDRun: 0.005}, 0.02, 1, 1},
		{truth.Nested{SDDay: 0.02, SDDayArm: 0.003, SDLaunch: 0.01, SDRun: 0.005}, 0.02, 1, 2},
		{truth.Nested{SDDay: 0.02, SDDayArm: 0.003, SDRun: 0.01}, 0.02, 8, 1},
	} {
		v := noise.Variances{Run: c.n.SDRun * c.n.SDRun, Launch: c.n.SDLaunch * c.n.SDLaunch, DayArm: c.n.SDDayArm * c.n.SDDayArm}
		p := plan(t, v, noise.PlanOptions{Detect: c.detect, Family: c.family, Launches: c.launches, CostDay: 10, CostRun: 1})
		row := p.Best
		c.n.Days, c.n.Runs = row.Days, row.RunsPerDay
		if c.n.SDLaunch > 0 { // runs of the generator are those of a launch
			c.n.Launches = row.Launches
			c.n.Runs = row.RunsPerDay / row.Launches
			if c.n.Runs*row.Launches != row.RunsPerDay {
				row = plan(t, v, noise.PlanOptions{Detect: c.detect, Family: c.family, Launches: c.launches, Days: []int{row.Days}, Runs: []int{c.n.Runs * row.Launches}}).Rows[0]
			}
		}
		c.n.Effect = math.Log1p(c.detect)
		seen := 0
		var draw []truth.Run
		for range reps {
			draw = c.n.Draw(draw[:0], rng)
			runs := make([]compare.Run, len(draw))
			for i, r := range draw {
				runs[i] = compare.Run{Arm: r.Arm, Day: r.Day, Launch: r.Launch, Slot: r.Slot, Value: r.Value}
			}
			if compare.Judge(runs, compare.Options{}).P < 0.05/float64(c.family) {
				seen++
			}
		}
		got := float64(seen) / reps
		t.Logf("%d days x %d runs, family %d: planned %.1f %%, seen %.1f %%", row.Days, row.RunsPerDay, c.family, 100*row.Power, 100*got)
		// 2 points (METHODS.md section 3) and three standard errors of the simulation.
		if math.Abs(got-row.Power) > 0.02+3*math.Sqrt(row.Power*(1-row.Power)/reps) || row == p.Best && row.Power < 0.8 {
			t.Errorf("%d days x %d runs: planned %.3f, seen %.3f", row.Days, row.RunsPerDay, row.Power, got)
		}
	}
}

// Planned from a pilot, on the 80 % upper bound of its spread, a plan has the
// power it promises in about 80 of 100 pilots, where one on the spread itself
// has it in about half.
func TestPlanFromPilots(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	truths := noise.Variances{Run: percentSquared(1), DayArm: percentSquared(0.6)}
	const pilots = 400
	enough, naive := 0, 0
	for range pilots {
		var runs []noise.Run
		for _, r := range (truth.Nested{Days: 5, Runs: 3, SDDay: 0.02, SDDayArm: 0.006, SDRun: 0.01}).Draw(nil, rng) {
			runs = append(runs, noise.Run{Arm: r.Arm, Day: r.Day, Value: r.Value})
		}
		pilot, err := noise.Analyse(runs, noise.Options{})
		if err != nil {
			t.Fatal(err)
		}
		holds := func(v noise.Variances) bool {
			best := plan(t, v, noise.PlanOptions{Detect: 0.01, CostDay: 4, CostRun: 1}).Best
			if best.Days == 0 {
				return true // more than 100 days: enough in any case
			}
			return plan(t, truths, noise.PlanOptions{Detect: 0.01, Days: []int{best.Days}, Runs: []int{best.RunsPerDay}}).Rows[0].Power >= 0.8
		}
		if holds(pilot.Variances) {
			enough++
		}
		known := pilot.Variances
		known.Cov = [4][4]float64{}
		if holds(known) {
			naive++
		}
	}
	t.Logf("of %d pilots %d plans have the power on the upper bound, %d on the estimate", pilots, enough, naive)
	if enough < pilots*72/100 || naive > pilots*65/100 {
		t.Errorf("%d and %d of %d", enough, naive, pilots)
	}
}

func TestPlanUnknown(t *testing.T) {
	nan := math.NaN()
	for name, v := range map[string]noise.Variances{
		"one day":      {Run: 1e-4, DayArm: nan},
		"no repeats":   {Run: nan, DayArm: 1e-4},
		"no spread":    {},
		"no fit":       {Run: nan, Launch: nan, DayArm: nan, Day: nan},
		"unknown days": {Run: 1e-4, Day: nan},
	} {
		if p, err := noise.NewPlan(v, noise.PlanOptions{}); err == nil {
			t.Errorf("%s: %+v", name, p.Best)
		}
	}
	// So far off that no design sees it: said by an empty best.
	p := plan(t, noise.Variances{Run: 1, DayArm: 1}, noise.PlanOptions{})
	if p.Best.Days != 0 || len(p.Rows) == 0 {
		t.Errorf("%+v", p)
	}
}

func TestSchedule(t *testing.T) {
	for _, c := range []struct{ days, runs, launches, arms int }{{3, 1, 1, 2}, {2, 1, 1, 2}, {5, 3, 3, 2}, {4, 5, 2, 3}, {6, 4, 1, 4}, {1, 2, 2, 2}, {3, 3, 3, 1}} {
		name := fmt.Sprintf("%+v", c)
		slots := noise.Schedule(c.days, c.runs, c.launches, c.arms, rand.New(rand.NewPCG(1, 0)))
		again := noise.Schedule(c.days, c.runs, c.launches, c.arms, rand.New(rand.NewPCG(1, 0)))
		if len(slots) != c.days*c.runs*c.arms {
			t.Fatalf("%s: %d runs", name, len(slots))
		}
		type cell struct{ day, arm int }
		reps, launches := map[cell]int{}, map[cell]map[int]bool{}
		owner := map[int]cell{}
		ahead := map[[2]int]int{} // rounds in which one arm stands before another
		var round []int
		for i, s := range slots {
			if s != again[i] {
				t.Fatalf("%s: the seed does not settle the order", name)
			}
			k := cell{s.Day, s.Arm}
			reps[k]++
			if s.Rep != reps[k] {
				t.Errorf("%s: rep %d, want %d", name, s.Rep, reps[k])
			}
			if was, ok := owner[s.Launch]; ok && was != k {
				t.Errorf("%s: launch %d serves two arms or days", name, s.Launch)
			}
			owner[s.Launch] = k
			if launches[k] == nil {
				launches[k] = map[int]bool{}
			}
			if !launches[k][s.Launch] {
				launches[k][s.Launch] = true
				round = append(round, s.Arm)
			}
			if len(round) == c.arms && (i+1 == len(slots) || slots[i+1].Launch != s.Launch) {
				for a := range round {
					for b := a + 1; b < len(round); b++ {
						ahead[[2]int{round[a], round[b]}]++
					}
				}
				round = nil
			}
		}
		for k, n := range reps {
			if n != c.runs || len(launches[k]) != c.launches {
				t.Errorf("%s: %+v has %d runs on %d launches", name, k, n, len(launches[k]))
			}
		}
		// Each pair is in either order as often, but for an odd round.
		for a := range c.arms {
			for b := range a {
				if d := ahead[[2]int{a, b}] - ahead[[2]int{b, a}]; d < -1 || d > 1 {
					t.Errorf("%s: arm %d stands before arm %d in %d rounds, behind in %d", name, a, b, ahead[[2]int{a, b}], ahead[[2]int{b, a}])
				}
			}
		}
	}
}

// What a schedule orders is never refused for its order.
func TestScheduleIsNoBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 4))
	for seed := range uint64(50) {
		for _, runs := range []int{1, 2, 3} {
			var in []compare.Run
			for _, s := range noise.Schedule(3, runs, runs, 2, rand.New(rand.NewPCG(seed, 0))) {
				in = append(in, compare.Run{Arm: s.Arm, Day: fmt.Sprint(s.Day), Launch: fmt.Sprint(s.Launch), Slot: float64(100*s.Day + s.Order), Value: 100 * math.Exp(0.01*rng.NormFloat64())})
			}
			if r := compare.Judge(in, compare.Options{}); r.Method != compare.DayDifferences {
				t.Fatalf("seed %d, %d runs: %s, %v", seed, runs, r.Verdict, r.Warnings)
			}
		}
	}
}

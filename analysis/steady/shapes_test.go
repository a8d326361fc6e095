package steady

import (
	"math/rand/v2"
	"testing"

	"noisefloor/analysis/internal/truth"
)

// shape is a kind of run whose answer is known.
type shape struct {
	name   string
	truth  Class // "" = depends on where the run happens to end
	course func(n int, rng *rand.Rand) []float64
}

var shapes = func() (all []shape) {
	for _, c := range truth.Courses {
		all = append(all, shape{c.Name, Class(c.Class), c.Draw})
	}
	return all
}()

func constant(n int, v float64) []float64 { return truth.Constant(n, v) }

// first sets the first part of a flat course to what f says of 0 to 1.
func first(share float64, f func(x float64) float64) func(int, *rand.Rand) []float64 {
	return func(n int, _ *rand.Rand) []float64 { return truth.First(n, share, f) }
}

func bimodal(n int, stay float64, rng *rand.Rand) []float64 { return truth.Bimodal(n, stay, rng) }

func addNoise(y []float64, sd, phi float64, rng *rand.Rand) []float64 {
	return truth.AddAR(y, sd, phi, rng)
}

func scaled(y []float64, by float64) []float64 {
	for i := range y {
		y[i] *= by
	}
	return y
}

// seconds are the times of a report line a second.
func seconds(n int) []float64 {
	t := make([]float64, n)
	for i := range t {
		t[i] = float64(i + 1)
	}
	return t
}

// TestConfusion prints how often each shape gets each class, and holds the
// share of right answers against bars below what 200 runs of each showed.
func TestConfusion(t *testing.T) {
	const n, reps, sd = 300, 40, 0.03
	classes := []Class{Flat, WarmUp, SlowDown, NoSteadyState}
	// Least percentage right at phi 0, .3, .6.
	bars := map[string][3]int{
		"flat":                 {95, 92, 92}, // 100 98 100
		"one step up at 1/5":   {95, 95, 95}, // 100 100 99
		"ramp over 1/5":        {92, 92, 90}, // 99 98 98
		"exponential, 1/20":    {80, 85, 90}, // 91 94 98: the rest sees the tail as a trend
		"slow-down at 3/10":    {95, 95, 95}, // 100 100 99
		"slow fill to the end": {97, 97, 92}, // 100 100 98
		"gentle climb, 8 %":    {88, 82, 40}, // 97 93 59
		"step down at 17/20":   {97, 97, 97}, // 100 100 100
		"stall 10 s a minute":  {70, 70, 65}, // 84 83 80: a run that begins in a stall reads as warm-up
		"stall 3 s a minute":   {85, 85, 85}, // 95 94 93
		"spikes":               {92, 92, 88}, // 100 99 96
		"bimodal, 6 s each":    {75, 65, 65}, // 90 82 86
	}
	t.Logf("%d intervals, noise %.0f %% of the level, %d runs each; %% per class", n, 100*sd, reps)
	t.Logf("%-22s %4s %6s %8s %10s %10s   %s", "shape", "phi", "flat", "warm-up", "slow-down", "no steady", "truth")
	for _, s := range shapes {
		for k, phi := range []float64{0, 0.3, 0.6} {
			rng := rand.New(rand.NewPCG(1, uint64(k)))
			count := map[Class]int{}
			for range reps {
				y := scaled(addNoise(s.course(n, rng), sd, phi, rng), 1000)
				count[Analyse(seconds(n), y, Options{}).Class]++
			}
			percent := func(c Class) int { return (100*count[c] + reps/2) / reps }
			t.Logf("%-22s %4.1f %6d %8d %10d %10d   %s", s.name, phi, percent(classes[0]), percent(classes[1]), percent(classes[2]), percent(classes[3]), s.truth)
			if s.truth == "" {
				continue
			}
			if got, bar := percent(s.truth), bars[s.name][k]; bar == 0 || got < bar {
				t.Errorf("%s at phi %.1f: %d %% right, want %d %%", s.name, phi, got, bar)
			}
		}
	}
}

// The case of METHODS.md, section 4: 60 intervals, the first third 2 sd low.
func TestPenalty(t *testing.T) {
	const n, reps, sd = 60, 1000, 0.03
	low := first(1.0/3, func(float64) float64 { return 1 - 2*sd })
	flat := first(0, nil)
	// 4000 runs: found in 82.6, 81.1, 83.7 %, called warm-up in 81.9, 79.2, 77.5 %;
	// flat runs: cut in 0.0, 0.1, 2.4 %, no steady state in 0.8, 1.0, 2.2 %.
	foundBar := [3]float64{0.78, 0.77, 0.79}
	falseBar := [3]float64{0.02, 0.025, 0.065}
	for k, phi := range []float64{0, 0.3, 0.6} {
		rng := rand.New(rand.NewPCG(2, uint64(k)))
		var found, falseCut, falseNone, right float64
		for range reps {
			r := Analyse(seconds(n), addNoise(low(n, nil), sd, phi, rng), Options{})
			if len(r.Segments) > 1 {
				found++
			}
			if r.Class == WarmUp {
				right++
			}
			switch r := Analyse(seconds(n), addNoise(flat(n, nil), sd, phi, rng), Options{}); r.Class {
			case Flat:
			case NoSteadyState:
				falseNone++
			default:
				falseCut++
			}
		}
		found, right, falseCut, falseNone = found/reps, right/reps, falseCut/reps, falseNone/reps
		t.Logf("phi %.1f: change found %.1f %%, called warm-up %.1f %%; flat series: false cut %.1f %%, false no steady state %.1f %%", phi, 100*found, 100*right, 100*falseCut, 100*falseNone)
		if found < foundBar[k] {
			t.Errorf("phi %.1f: found %.3f, want %.3f", phi, found, foundBar[k])
		}
		if falseCut+falseNone > falseBar[k] {
			t.Errorf("phi %.1f: false %.3f, want at most %.3f", phi, falseCut+falseNone, falseBar[k])
		}
	}
}

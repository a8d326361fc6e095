package truth

import (
	"math"
	"math/rand/v2"
)

// Course is a kind of run over time whose answer is known.
type Course struct {
	Name string
	// Class is what the run is, as package steady spells it; "" where it depends
	// on where the run happens to end.
	Class string
	// Draw gives n values relative to the level at which the run settles, without
	// noise.
	Draw func(n int, rng *rand.Rand) []float64
}

// Courses are the shapes that benchmark runs come in.
var Courses = []Course{
	{"flat", "flat", first(0, nil)},
	{"one step up at 1/5", "warm-up", first(0.2, func(float64) float64 { return 0.85 })},
	{"ramp over 1/5", "warm-up", first(0.2, func(x float64) float64 { return 0.6 + 0.4*x })},
	{"exponential, 1/20", "warm-up", first(1, func(x float64) float64 { return 1 - 0.4*math.Exp(-20*x) })},
	{"slow-down at 3/10", "slow-down", first(0.3, func(float64) float64 { return 1.15 })},
	// A buffer pool that fills: 128 -> 199 tps in published logs.
	{"slow fill to the end", "no steady state", first(1, func(x float64) float64 { return 0.64 + 0.36*x })},
	{"gentle climb, 8 %", "no steady state", first(1, func(x float64) float64 { return 0.96 + 0.08*x })},
	{"step down at 17/20", "no steady state", first(0.85, func(float64) float64 { return 1.15 })},
	{"stall 10 s a minute", "flat", func(n int, rng *rand.Rand) []float64 { return stalls(n, 10, 60, 0.6, rng) }},
	{"stall 3 s a minute", "flat", func(n int, rng *rand.Rand) []float64 { return stalls(n, 3, 60, 0.4, rng) }},
	{"spikes", "flat", func(n int, rng *rand.Rand) []float64 {
		y := Constant(n, 1)
		for range 1 + n/100 {
			y[rng.IntN(n)] = 0.3
		}
		return y
	}},
	{"bimodal, 6 s each", "flat", func(n int, rng *rand.Rand) []float64 { return Bimodal(n, 6, rng) }},
	{"bimodal, 60 s each", "", func(n int, rng *rand.Rand) []float64 { return Bimodal(n, 60, rng) }},
}

// Constant is n times v.
func Constant(n int, v float64) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = v
	}
	return y
}

// First is a flat course whose first share is what f says of 0 to 1.
func First(n int, share float64, f func(x float64) float64) []float64 {
	y := Constant(n, 1)
	k := int(share * float64(n))
	for i := range k {
		y[i] = f(float64(i) / float64(k))
	}
	return y
}

func first(share float64, f func(x float64) float64) func(int, *rand.Rand) []float64 {
	return func(n int, _ *rand.Rand) []float64 { return First(n, share, f) }
}

func stalls(n, long, every int, depth float64, rng *rand.Rand) []float64 {
	y := Constant(n, 1)
	phase := rng.IntN(every)
	for i := range y {
		if (i+phase)%every < long {
			y[i] = depth
		}
	}
	return y
}

// Bimodal stays at .92 or 1.08 for exponential times of the given mean.
func Bimodal(n int, stay float64, rng *rand.Rand) []float64 {
	y := make([]float64, n)
	low := rng.IntN(2) == 0
	for i := range y {
		if rng.Float64() < 1/stay {
			low = !low
		}
		if y[i] = 1.08; low {
			y[i] = 0.92
		}
	}
	return y
}

// AddAR adds AR(1) noise to y, whose standard deviation is sd whatever phi, and
// gives it back.
func AddAR(y []float64, sd, phi float64, rng *rand.Rand) []float64 {
	e := rng.NormFloat64()
	for i := range y {
		y[i] += sd * e
		e = phi*e + math.Sqrt(1-phi*phi)*rng.NormFloat64()
	}
	return y
}

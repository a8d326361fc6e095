package truth

import (
	"math"
	"math/rand/v2"
)

// Series is a series of points over versions or nights: an AR(1) process of
// mean 0 and standard deviation 1, with steps.
type Series struct {
	Points int
	Phi    float64 // autocorrelation of neighbours
	T3     bool    // innovations with Student's t with 3 df, scaled to variance 1
	Steps  []Step
}

// Step raises all points from At on.
type Step struct {
	At int // from 0
	By float64
}

// Draw fills y, which has Points values.
func (s Series) Draw(y []float64, rng *rand.Rand) {
	innovation := rng.NormFloat64
	if s.T3 {
		innovation = func() float64 { return t3(rng) }
	}
	scale := math.Sqrt(1 - s.Phi*s.Phi)
	x := innovation()
	if s.T3 && s.Phi > 0 { // the stationary distribution has no simple form
		for range 50 {
			x = s.Phi*x + scale*innovation()
		}
	}
	for i := range y {
		y[i] = x
		x = s.Phi*x + scale*innovation()
	}
	for _, step := range s.Steps {
		for i := step.At; i < len(y); i++ {
			y[i] += step.By
		}
	}
}

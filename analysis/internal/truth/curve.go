package truth

import (
	"math"
	"math/rand/v2"
)

// CurveRun is one simulated run at a level of a number.
type CurveRun struct {
	Arm   int
	Day   string
	X     float64
	Value float64
}

// Curve is the model of curves:
//
//	log y[a,d,x,r] = log F(a, x) + D[d] + AD[a,d] + C[a,d,x] + e[a,d,x,r]
//
// with independent normal D, AD, C, e of the given standard deviations: a day
// that is good or bad for all, for an arm, for one level of an arm, and a run.
type Curve struct {
	Levels     []float64
	Days, Runs int // runs of each arm and level a day
	Arms       int // 0 = 1
	F          func(arm int, x float64) float64

	SDDay, SDDayArm, SDCell, SDRun float64
	Missing                        float64 // probability that a run was lost
}

// Draw appends the runs of one simulated experiment to dst.
func (c Curve) Draw(dst []CurveRun, rng *rand.Rand) []CurveRun {
	arms := max(1, c.Arms)
	for d := range c.Days {
		day := c.SDDay * rng.NormFloat64()
		for arm := range arms {
			ofArm := day + c.SDDayArm*rng.NormFloat64()
			for _, x := range c.Levels {
				cell := math.Log(c.F(arm, x)) + ofArm + c.SDCell*rng.NormFloat64()
				for range c.Runs {
					log := cell + c.SDRun*rng.NormFloat64()
					if c.Missing > 0 && rng.Float64() < c.Missing {
						continue
					}
					dst = append(dst, CurveRun{Arm: arm, Day: DayName(d), X: x, Value: math.Exp(log)})
				}
			}
		}
	}
	return dst
}

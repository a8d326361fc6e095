package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"noisefloor/analysis"
)

// Any small design, however lopsided, has an answer in which bounds hold their
// estimate, what is unknown is NaN, shares add up and no search fails.
func TestAnyDesign(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 26))
	for trial := range 600 {
		days, arms, launches, runs := 1+rng.IntN(4), 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(4)
		missing, ties := 0.6*rng.Float64(), rng.IntN(3) == 0
		sd := []float64{0, 1e-4, 0.01, 0.2}[rng.IntN(4)]
		var in []Run
		for d := range days {
			day := sd * rng.NormFloat64()
			for a := range arms {
				for l := range launches {
					for r := range runs {
						v := 100 * math.Exp(day+0.01*rng.NormFloat64())
						if ties {
							v = math.Round(v)
						}
						run := Run{Arm: a, Day: fmt.Sprint(d), Launch: fmt.Sprint(l), Value: v}
						if trial%4 == 0 {
							run.Run = fmt.Sprint(r / 2)
						}
						if rng.Float64() >= missing {
							in = append(in, run)
						}
					}
				}
			}
		}
		if len(in) == 0 {
			continue
		}
		r, err := Analyse(in, Options{})
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		var share float64
		known := false
		for _, c := range r.Components {
			if math.IsNaN(c.Var) {
				if !math.IsNaN(c.Lo) || !math.IsNaN(c.Hi) || !math.IsNaN(c.Share) {
					t.Errorf("trial %d: unknown with bounds: %+v", trial, c)
				}
				continue
			}
			if c.Var < 0 || c.Lo > c.SDRel || c.Hi < c.SDRel || math.IsInf(c.Hi, 0) {
				t.Errorf("trial %d: %+v", trial, c)
			}
			if c.Method != MethodUnknown && (math.IsNaN(c.Lo) || math.IsNaN(c.Hi)) {
				t.Errorf("trial %d: no bounds: %+v", trial, c)
			}
			known = known || c.Var > 0
			share += c.Share
		}
		if known {
			near(t, "shares", share, 1, 1e-12)
		}
		for _, w := range r.Warnings {
			if w, failed := w.(analysis.VarianceNotConverged); failed {
				t.Errorf("trial %d: %s", trial, w.Text())
			}
		}
		for _, f := range r.Floors {
			if !math.IsNaN(f.MDE) && !(f.MDE > 0 && f.Lo <= f.MDE && f.MDE <= f.Hi) {
				t.Errorf("trial %d: %+v", trial, f)
			}
		}
		if t.Failed() {
			t.Fatalf("design: %+v", in)
		}
	}
}

package steady_test

import (
	"fmt"
	"math"

	"noisefloor/analysis/steady"
)

// Two runs of a stratum: the second needs 30 s to warm up, and so both are
// looked at after 30 s.
func Example() {
	run := func(warmUp int) (t, y []float64) {
		for i := range 120 {
			level := 900.0
			if i < warmUp {
				level = 700
			}
			t = append(t, float64(i+1))
			y = append(y, level+10*math.Sin(float64(i*i)))
		}
		return t, y
	}
	t1, y1 := run(0)
	t2, y2 := run(30)
	first, second := steady.Analyse(t1, y1, steady.Options{}), steady.Analyse(t2, y2, steady.Options{})
	fmt.Printf("%s, cut at %.0f s\n", first.Class, first.Cut)
	fmt.Printf("%s, cut at %.0f s\n", second.Class, second.Cut)

	cut, ok, _ := steady.Common([]steady.Result{first, second})
	mean, se, _ := steady.Mean(t1, y1, cut)
	fmt.Printf("common cut %.0f s (%v): %.0f +- %.1f tps\n", cut, ok, mean, se)
	// Output:
	// flat, cut at 0 s
	// warm-up, cut at 30 s
	// common cut 30 s (true): 901 +- 0.8 tps
}

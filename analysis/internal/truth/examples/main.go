// Examples writes the simulated tables that docs/verdicts.md shows verdicts on:
// one whose truth is known for each verdict. just examples runs it.
package main

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"noisefloor/analysis/internal/truth"
)

// examples: spreads are SDs of logs, effects true relative changes.
var examples = []struct {
	name    string
	threads []int
	effect  float64
	truth.Nested
}{
	{"faster", []int{8, 64}, 0.05, truth.Nested{Days: 5, Runs: 3, SDDay: 0.04, SDDayArm: 0.005, SDRun: 0.01}},
	{"slower", []int{8, 64}, -0.03, truth.Nested{Days: 5, Runs: 3, SDDay: 0.07, SDDayArm: 0.004, SDRun: 0.008}},
	{"equivalent", []int{8}, 0, truth.Nested{Days: 8, Runs: 3, SDDay: 0.04, SDDayArm: 0.002, SDRun: 0.005}},
	{"inconclusive", []int{8}, 0.02, truth.Nested{Days: 3, Runs: 2, SDDay: 0.07, SDDayArm: 0.01, SDRun: 0.02}},
	{"one-day", []int{8}, 0, truth.Nested{Days: 1, Runs: 10, SDDay: 0.04, SDDayArm: 0.02, SDRun: 0.01}},
	{"same-order", []int{8}, 0, truth.Nested{Days: 4, Runs: 3, SDDay: 0.04, SDRun: 0.005, Order: truth.Blocks, Drift: 0.003}},
}

func main() {
	histories()
	for i, e := range examples {
		rng := rand.New(rand.NewPCG(uint64(i+1), 0))
		var out bytes.Buffer
		fmt.Fprintln(&out, "version,threads,day,order,tps")
		for k, threads := range e.threads {
			n := e.Nested
			n.Mean = math.Log(900 * math.Sqrt(float64(threads)))
			n.Effect = math.Log1p(e.effect)
			for _, r := range n.Draw(nil, rng) {
				version := [2]string{"9.6.0", "9.7.0"}[r.Arm]
				order := int(r.Slot)%1000 + 1 + k*2*n.Runs // one thread count after the other
				fmt.Fprintf(&out, "%s,%d,%s,%d,%.2f\n", version, threads, r.Day, order, r.Value)
			}
		}
		write(e.name, out.Bytes())
	}
	write("curves", curves())
}

// curves is a sweep over threads of two versions on five days: the Universal
// Scalability Law with sigma .03 and .02, kappa 3e-4 and 2e-4, lambda 900 and 860,
// so that they cross at 5.8 threads and peak at 57 and 70.
func curves() []byte {
	f := func(arm int, n float64) float64 {
		return []float64{900, 860}[arm] * n / (1 + []float64{.03, .02}[arm]*(n-1) + []float64{3e-4, 2e-4}[arm]*n*(n-1))
	}
	c := truth.Curve{Levels: []float64{1, 2, 4, 8, 16, 32, 64, 128}, Days: 5, Runs: 2, Arms: 2, F: f, SDDay: .04, SDDayArm: .005, SDCell: .005, SDRun: .01}
	var out bytes.Buffer
	fmt.Fprintln(&out, "version,threads,day,order,tps")
	before := map[truth.CurveRun]int{} // runs of the same arm, day and level so far
	days := map[string]int{}
	for _, r := range c.Draw(nil, rand.New(rand.NewPCG(7, 0))) {
		if _, seen := days[r.Day]; !seen {
			days[r.Day] = len(days)
		}
		place := r
		place.Value = 0
		// Arms take turns, one level after the other; who is first changes daily.
		order := 4*int(math.Log2(r.X)) + 2*before[place] + (r.Arm+days[r.Day])%2 + 1
		before[place]++
		fmt.Fprintf(&out, "%s,%.0f,%s,%d,%.2f\n", [2]string{"9.6.0", "9.7.0"}[r.Arm], r.X, r.Day, order, r.Value)
	}
	return out.Bytes()
}

func write(name string, text []byte) {
	if err := os.WriteFile(filepath.Join("docs", "examples", name+".csv"), text, 0o644); err != nil {
		log.Fatal(err)
	}
}

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
		if err := os.WriteFile(filepath.Join("docs", "examples", e.name+".csv"), out.Bytes(), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

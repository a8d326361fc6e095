package main

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"noisefloor/analysis/internal/truth"
)

// histories writes the tables that docs/history.md shows changes and factor
// studies on.
func histories() {
	save("versions", versions())
	save("nightly", nightly())
	save("builds", builds())
}

func save(name string, table []byte) {
	if err := os.WriteFile(filepath.Join("docs", "examples", name+".csv"), table, 0o644); err != nil {
		log.Fatal(err)
	}
}

// versions: seven versions on the same four days, in rounds; 8.0.28 is 6 %
// slower and 8.4.0 another 3 %. Days differ by 4 %, versions on a day by 0.4 %,
// runs by 0.5 %.
func versions() []byte {
	rng := rand.New(rand.NewPCG(11, 0))
	names := []string{"5.7.44", "8.0.9", "8.0.11", "8.0.28", "8.0.42", "8.4.0", "9.7.0-er"}
	levels := []float64{0, 0, 0, -.06, -.06, -.09, -.09}
	var b bytes.Buffer
	fmt.Fprintln(&b, "version,threads,day,order,tps,latency_p95_ms")
	for day := range 4 {
		today := .04 * rng.NormFloat64()
		own := make([]float64, len(names))
		for i := range own {
			own[i] = .004 * rng.NormFloat64()
		}
		order := 0
		for range 2 {
			for _, i := range rng.Perm(len(names)) {
				order++
				tps := 2500 * math.Exp(levels[i]+today+own[i]+.005*rng.NormFloat64())
				fmt.Fprintf(&b, "%s,8,2026-11-%02d,%d,%.2f,%.3f\n", names[i], 2+7*day, order, tps, 8/tps*1550*math.Exp(.004*rng.NormFloat64()))
			}
		}
	}
	return b.Bytes()
}

// nightly: ninety nights of one to three runs at 8 and 64 threads, neighbours
// alike (0.3), noise 1 %; the kernel changes with night 40 and makes both 3 %
// slower, 64 threads gain 5 % from night 70 on.
func nightly() []byte {
	rng := rand.New(rand.NewPCG(12, 0))
	var b bytes.Buffer
	fmt.Fprintln(&b, "day,kernel,threads,tps")
	first := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	var series [2][]float64
	for k := range series {
		series[k] = make([]float64, 90)
		s := truth.Series{Points: 90, Phi: .3, Steps: []truth.Step{{At: 40, By: -3}}}
		if k == 1 {
			s.Steps = append(s.Steps, truth.Step{At: 70, By: 5})
		}
		s.Draw(series[k], rng)
	}
	for night := range 90 {
		kernel := "6.1.0"
		if night >= 40 {
			kernel = "6.12.3"
		}
		for k, threads := range []int{8, 64} {
			for range 1 + rng.IntN(3) {
				tps := 900 * math.Sqrt(float64(threads)) * math.Exp(.01*series[k][night]+.003*rng.NormFloat64())
				fmt.Fprintf(&b, "%s,%s,%d,%.1f\n", first.AddDate(0, 0, night).Format(time.DateOnly), kernel, threads, tps)
			}
		}
	}
	return b.Bytes()
}

// builds: three versions in two builds on the same five days, three runs each;
// 8.0 is 12 % slower than 5.6, the build without LTO 5 % slower, and 2 % more so with
// 8.0.
func builds() []byte {
	rng := rand.New(rand.NewPCG(13, 0))
	var b bytes.Buffer
	fmt.Fprintln(&b, "build,version,day,order,tps")
	type arm struct{ build, version int }
	for day := range 5 {
		today := .04 * rng.NormFloat64()
		var arms []arm
		own := map[arm]float64{}
		for build := range 2 {
			for version := range 3 {
				own[arm{build, version}] = .004 * rng.NormFloat64()
				for range 3 {
					arms = append(arms, arm{build, version})
				}
			}
		}
		for order, i := range rng.Perm(len(arms)) {
			a := arms[i]
			y := []float64{0, -.03, -.12}[a.version] - .05*float64(a.build) + own[a] + today + .006*rng.NormFloat64()
			if a.build == 1 && a.version == 2 {
				y -= .02
			}
			fmt.Fprintf(&b, "%s,%s,2026-12-%02d,%d,%.2f\n", []string{"base", "no-lto"}[a.build], []string{"5.6.51", "5.7.44", "8.0.42"}[a.version], 1+day, order+1, 3000*math.Exp(y))
		}
	}
	return b.Bytes()
}

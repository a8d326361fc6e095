package truth

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Profiles are the profiles of a session of two arms: what each symbol takes of
// a run is drawn around its true share, day by day and launch by launch, and
// the profiler then takes samples of it.
type Profiles struct {
	Days, Launches, Runs int       // as in Nested; Launches 0 = not recorded
	Samples              int       // of a run
	Shares               []float64 // true shares of the base by symbol; any positive numbers
	Effect               []float64 // by symbol: log(contender/base) before shares are formed; nil = none

	// Standard deviations of the logs of what a symbol takes, each drawn for
	// itself.
	SDDayArm, SDLaunch, SDRun float64
}

// Profile is one simulated run: how many samples fell into each symbol.
type Profile struct {
	Arm    int
	Day    string
	Launch string // "" if the design has no launches
	Slot   float64
	Counts []int
}

// Zipf are the shares of n symbols as profiles have them: a few large ones and a
// long tail.
func Zipf(n int) []float64 {
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = math.Pow(float64(i+3), -1.1)
	}
	return shares
}

// Draw gives the runs of one simulated session, the arms alternating.
func (p Profiles) Draw(rng *rand.Rand) []Profile {
	n := len(p.Shares)
	noise := func(sd float64) []float64 {
		v := make([]float64, n)
		if sd > 0 {
			for i := range v {
				v[i] = sd * rng.NormFloat64()
			}
		}
		return v
	}
	var runs []Profile
	sums := make([]float64, n)
	for d := range p.Days {
		byArm := [2][]float64{noise(p.SDDayArm), noise(p.SDDayArm)}
		for l := range max(1, p.Launches) {
			var byLaunch [2][]float64
			name := ""
			if p.Launches > 0 {
				byLaunch = [2][]float64{noise(p.SDLaunch), noise(p.SDLaunch)}
				name = strconv.Itoa(l + 1)
			}
			for r := range p.Runs {
				for second := range 2 {
					arm := (second + d + l + r) % 2
					e := noise(p.SDRun)
					sum := 0.0
					for i := range sums {
						log := byArm[arm][i] + e[i]
						if byLaunch[arm] != nil {
							log += byLaunch[arm][i]
						}
						if arm == 1 && p.Effect != nil {
							log += p.Effect[i]
						}
						sum += p.Shares[i] * math.Exp(log)
						sums[i] = sum
					}
					counts := make([]int, n)
					for range p.Samples {
						i, _ := slices.BinarySearch(sums, sum*rng.Float64())
						counts[min(i, n-1)]++
					}
					launch := name
					if launch != "" {
						launch = string("bc"[arm]) + launch
					}
					runs = append(runs, Profile{Arm: arm, Day: DayName(d), Launch: launch, Slot: float64(d*1000 + (l*p.Runs+r)*2 + second), Counts: counts})
				}
			}
		}
	}
	return runs
}

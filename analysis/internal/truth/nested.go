// Package truth draws benchmark runs whose answer is known, so that every
// estimator can be held against it: recovery, coverage, false alarms, power.
// Randomness is an argument; the same generator and the same seed give the same
// runs.
package truth

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// Run is one simulated run. The fields mean what those of compare.Run mean;
// this package imports no estimator, so that estimators' own tests may use it.
type Run struct {
	Arm    int    // 0 = base, 1 = contender
	Day    string // "d01", "d02", ... in time order
	Launch string // "" if the design has no launches
	Slot   float64
	Value  float64
}

// Nested is the model of METHODS.md section 1, for two arms:
//
//	log y[a,d,l,r] = mean + a*effect + D[d] + AD[a,d] + L[a,d,l] + e[a,d,l,r] + drift*slot
//
// with independent normal D, AD, L, e of the given standard deviations. The
// zero value of every field but Days and Runs is the simple case.
type Nested struct {
	Days     int // days of the session, each with both arms unless Keep says otherwise
	Launches int // of each arm a day; 0 = launches are not recorded and add nothing
	Runs     int // of each launch (of each arm a day, without launches)

	Mean   float64 // log of the base value on a typical day
	Effect float64 // log(contender/base): the truth to be found

	// Standard deviations of logs.
	SDDay, SDDayArm, SDLaunch, SDRun float64

	// Keep says which runs of the balanced design were made; nil = all. Run counts
	// from 0 over the arm's day.
	Keep    func(arm, day, run int) bool
	Missing float64 // probability that a run was lost, of any arm alike

	Order Order
	Drift float64 // added to the log per slot of the day

	// What normal theory does not expect.
	T3         bool    // e has Student's t with 3 df, scaled to SDRun
	Wild       float64 // share of runs hit by something else on the machine,
	WildBy     float64 // which lowers their log by this
	UnevenDays float64 // SDDayArm and SDRun of the last day over those of the first, geometric between; 0 = 1
}

// Order is how the arms of a day follow each other.
type Order int

const (
	Alternating     Order = iota // ABAB, next day BABA
	Blocks                       // AABB on every day
	Counterbalanced              // AABB, next day BBAA
	Random                       // a fresh random order each day
)

func (o Order) String() string {
	return [...]string{"alternating", "blocks", "counterbalanced", "random"}[o]
}

// Draw appends the runs of one simulated session to dst.
func (n Nested) Draw(dst []Run, rng *rand.Rand) []Run {
	launches := max(1, n.Launches)
	for d := range n.Days {
		dayEffect := n.SDDay * rng.NormFloat64()
		stretch := n.stretch(d)
		var dayArm [2]float64
		for arm := range dayArm {
			dayArm[arm] = n.SDDayArm * stretch * rng.NormFloat64()
		}
		// A unit of the running order is a launch with all its runs, or a run.
		units, perUnit := n.Runs, 1
		if n.Launches > 0 {
			units, perUnit = launches, n.Runs
		}
		slot := 0
		var done [2]int // units of each arm so far
		for _, arm := range n.sequence(d, units, rng) {
			var launchEffect float64
			name := ""
			if n.Launches > 0 {
				launchEffect = n.SDLaunch * rng.NormFloat64()
				name = strconv.Itoa(done[arm] + 1)
			}
			for r := range perUnit {
				e := n.SDRun * stretch * n.noise(rng)
				hit := n.Wild > 0 && rng.Float64() < n.Wild
				lost := n.Missing > 0 && rng.Float64() < n.Missing
				log := n.Mean + float64(arm)*n.Effect + dayEffect + dayArm[arm] + launchEffect + e + n.Drift*float64(slot)
				if hit {
					log -= n.WildBy
				}
				if !lost && (n.Keep == nil || n.Keep(arm, d, done[arm]*perUnit+r)) {
					dst = append(dst, Run{Arm: arm, Day: DayName(d), Launch: name, Slot: float64(d*1000 + slot), Value: math.Exp(log)})
				}
				slot++
			}
			done[arm]++
		}
	}
	return dst
}

// noise is standard normal, or t3.
func (n Nested) noise(rng *rand.Rand) float64 {
	if n.T3 {
		return t3(rng)
	}
	return rng.NormFloat64()
}

// t3 is t with 3 df over its standard deviation sqrt(3).
func t3(rng *rand.Rand) float64 {
	z := rng.NormFloat64()
	var chi float64
	for range 3 {
		x := rng.NormFloat64()
		chi += x * x
	}
	return z / math.Sqrt(chi/3) / math.Sqrt(3)
}

func (n Nested) stretch(day int) float64 {
	if n.UnevenDays == 0 || n.Days < 2 {
		return 1
	}
	return math.Pow(n.UnevenDays, float64(day)/float64(n.Days-1))
}

// sequence is the order of the arms on a day, each with so many units.
func (n Nested) sequence(day, units int, rng *rand.Rand) []int {
	first := 0
	if n.Order != Blocks {
		first = day % 2
	}
	s := make([]int, 2*units)
	for i := range s {
		switch n.Order {
		case Alternating:
			s[i] = (first + i) % 2
		default:
			s[i] = (first + i/units) % 2
		}
	}
	if n.Order == Random {
		rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	}
	return s
}

// VarDifference is the true variance of the difference of the arms on a day of
// so many launches and runs each: the day itself cancels.
func (n Nested) VarDifference(runs, launches [2]int) float64 {
	v := 2 * n.SDDayArm * n.SDDayArm
	for arm := range 2 {
		if n.Launches > 0 {
			v += n.SDLaunch * n.SDLaunch / float64(launches[arm])
		}
		v += n.SDRun * n.SDRun / float64(runs[arm])
	}
	return v
}

// DayName names days so that they sort in time order.
func DayName(day int) string {
	if day < len(dayNames) {
		return dayNames[day]
	}
	return "d" + strconv.Itoa(day+1)
}

// dayNames saves the simulations a million small allocations.
var dayNames = func() (names [99]string) {
	for i := range names {
		names[i] = "d" + strconv.Itoa((i+1)/10) + strconv.Itoa((i+1)%10)
	}
	return names
}()

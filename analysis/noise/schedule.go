package noise

import "math/rand/v2"

// Slot is one run of a schedule, in the order to run.
type Slot struct {
	Day    int // from 1
	Order  int // from 1 on each day
	Arm    int // 0 = base
	Launch int // start of the server, from 1 over the whole schedule
	Rep    int // n-th run of the arm on that day, from 1
}

// Schedule gives the order in which to run a design of so many days, runs and
// launches an arm a day: in rounds, in each of which every arm has one launch.
// The order inside a round is random, and every second round reverses the one
// before, over nights too: each arm then comes first as often as any other, as
// far as whole pairs of rounds go, and no arm is always ahead of another.
func Schedule(days, runs, launches, arms int, rng *rand.Rand) []Slot {
	if days < 1 || runs < 1 || launches < 1 || launches > runs || arms < 1 {
		panic("noise: a schedule needs days, runs, arms, and a launch for every run at most")
	}
	var slots []Slot
	var sequence []int
	launch, round := 0, 0
	for day := 1; day <= days; day++ {
		done := make([]int, arms)
		order := 0
		for k := range launches {
			sequence = nextRound(sequence, round, arms, rng)
			round++
			// Runs that do not divide evenly go to the first launches.
			n := runs / launches
			if k < runs%launches {
				n++
			}
			for _, arm := range sequence {
				launch++
				for range n {
					order++
					done[arm]++
					slots = append(slots, Slot{Day: day, Order: order, Arm: arm, Launch: launch, Rep: done[arm]})
				}
			}
		}
	}
	return slots
}

// nextRound is a random order, or the reverse of the last one.
func nextRound(last []int, round, arms int, rng *rand.Rand) []int {
	if round%2 == 0 {
		return rng.Perm(arms)
	}
	reversed := make([]int, arms)
	for i, arm := range last {
		reversed[arms-1-i] = arm
	}
	return reversed
}

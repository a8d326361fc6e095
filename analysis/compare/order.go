package compare

import (
	"math"

	"noisefloor/analysis"
)

// order is how the arms of one day follow each other.
type order int8

const (
	orderUnknown order = iota
	mixed              // interleaved in any way
	baseFirst          // every run of the base before every run of the contender
	contenderFirst
)

// orderOf also calls one run an arm a block: if the base always runs first and
// the contender always second, a drift (or a cold cache) is as much in the
// difference as with ten runs each. Counterbalancing costs nothing there.
func orderOf(base, contender *cell) order {
	switch {
	case math.IsNaN(base.first) || math.IsNaN(contender.first):
		return orderUnknown
	case base.last < contender.first:
		return baseFirst
	case contender.last < base.first:
		return contenderFirst
	}
	return mixed
}

// checkOrder refuses a design whose shared days all have the same block
// order. One day in another order, or interleaved, and drift no longer adds up
// in one direction. Days of unknown order are doubted, not refused.
func checkOrder(shared []*day, ignore bool) analysis.Warning {
	if len(shared) == 0 {
		return nil
	}
	unknown := 0
	same := shared[0].order
	for _, d := range shared {
		if d.order == orderUnknown {
			unknown++
		}
		if d.order != same {
			same = mixed
		}
	}
	if unknown > 0 {
		return analysis.OrderUnknown{Days: unknown, Of: len(shared)}
	}
	if same == mixed {
		return nil
	}
	first := armName(0)
	if same == contenderFirst {
		first = armName(1)
	}
	if ignore {
		return analysis.OrderIgnored{First: first}
	}
	return analysis.SameOrder{First: first}
}

// checkSequence doubts arms on days of their own that follow each other, all
// of one before all of the other.
func checkSequence(base, contender []*cell) analysis.Warning {
	span := func(cs []*cell) (first, last float64) {
		first, last = math.Inf(1), math.Inf(-1)
		for _, c := range cs {
			first, last = min(first, c.first), max(last, c.last)
		}
		return first, last
	}
	b0, b1 := span(base)
	c0, c1 := span(contender)
	// Where no run says when it was, the names of the days do: they come sorted.
	before := func(first, then []*cell) bool { return analysis.Natural(first[len(first)-1].day, then[0].day) < 0 }
	unknown := math.IsNaN(b0) || math.IsNaN(c0)
	switch {
	case b1 < c0, unknown && before(base, contender):
		return analysis.ArmsInSequence{First: armName(0)}
	case c1 < b0, unknown && before(contender, base):
		return analysis.ArmsInSequence{First: armName(1)}
	}
	return nil
}

func armName(arm int) string { return [...]string{"base", "contender"}[arm] }

package compare

import (
	"math"
	"slices"
	"sort"

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
// in full. Days of unknown order are doubted, not refused.
func checkOrder(shared []*day, ignore bool) (ws []analysis.Warning) {
	if len(shared) == 0 {
		return nil
	}
	if !ignore {
		ws = append(ws, checkLeaning(shared))
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
		return append(ws, analysis.OrderUnknown{Days: unknown, Of: len(shared)})
	}
	if same == mixed {
		return ws
	}
	first := armName(0)
	if same == contenderFirst {
		first = armName(1)
	}
	if ignore {
		return []analysis.Warning{analysis.OrderIgnored{First: first}}
	}
	return []analysis.Warning{analysis.SameOrder{First: first}}
}

// leaning is how much of all possible precedence one arm may have, over the
// days, before it is said: 1 is a block on every day, in the same order. Of
// ABAB on every day it is a half, and of an order drawn at random seldom more.
const leaning = 0.5

// checkLeaning doubts a design that is no block, but in which one arm ran earlier
// for the most part: a drift does not add up in full, and adds up.
func checkLeaning(shared []*day) analysis.Warning {
	known, sum := 0, 0.
	for _, d := range shared {
		if d.order != orderUnknown {
			known++
			sum += d.lean
		}
	}
	mean := sum / float64(known) // NaN without one
	switch {
	case mean > leaning:
		return analysis.OrderLeans{First: armName(0), Pairs: (1 + mean) / 2}
	case mean < -leaning:
		return analysis.OrderLeans{First: armName(1), Pairs: (1 - mean) / 2}
	}
	return nil
}

// leanOf is the share of pairs of runs, one of each arm, in which the base ran
// first, less the share in which the contender did.
func leanOf(base, contender *cell) float64 {
	var slots [2][]float64
	for arm, c := range []*cell{base, contender} {
		for _, r := range c.members {
			slots[arm] = append(slots[arm], r.Slot)
		}
	}
	slices.Sort(slots[1])
	sum := 0
	for _, at := range slots[0] {
		before := sort.SearchFloat64s(slots[1], at)
		behind := len(slots[1]) - sort.Search(len(slots[1]), func(i int) bool { return slots[1][i] > at })
		sum += behind - before
	}
	return float64(sum) / float64(len(slots[0])*len(slots[1]))
}

// checkSequence doubts arms on days of their own that follow each other, all
// of one before all of the other. Days come in time order (sortDays).
func (t *table) checkSequence() analysis.Warning {
	first, last := [2]int{len(t.days), len(t.days)}, [2]int{-1, -1}
	for i, d := range t.days {
		for arm, c := range d.arm {
			if c != nil && d.name != "" {
				first[arm], last[arm] = min(first[arm], i), i
			}
		}
	}
	for arm := range 2 {
		if last[arm] < first[1-arm] {
			return analysis.ArmsInSequence{First: armName(arm)}
		}
	}
	return nil
}

func armName(arm int) string { return [...]string{"base", "contender"}[arm] }

package history

import (
	"cmp"
	"slices"
)

// Mark is a change of one series, in points that all series count alike.
type Mark struct {
	Series, Change int // whose it is
	AtLo, At, AtHi int
}

// Event is one thing that happened: changes of several metrics or strata that
// may have begun at the same point.
type Event struct {
	AtLo, At, AtHi int // the points at which all of them may have begun; At is that of the clearest
	Marks          []Mark
}

// Events puts marks together that could be one: the place that is known best
// comes first, and takes what overlaps it. A series changes once in an event.
func Events(marks []Mark) []Event {
	sorted := slices.Clone(marks)
	slices.SortStableFunc(sorted, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.AtHi-a.AtLo, b.AtHi-b.AtLo), cmp.Compare(a.At, b.At), cmp.Compare(a.Series, b.Series))
	})
	var events []Event
	for _, m := range sorted {
		best, distance := -1, 0
		for i, e := range events {
			if m.AtLo > e.AtHi || m.AtHi < e.AtLo || slices.ContainsFunc(e.Marks, func(o Mark) bool { return o.Series == m.Series }) {
				continue
			}
			if d := max(m.At-e.At, e.At-m.At); best < 0 || d < distance {
				best, distance = i, d
			}
		}
		if best < 0 {
			events = append(events, Event{m.AtLo, m.At, m.AtHi, []Mark{m}})
			continue
		}
		e := &events[best]
		e.AtLo, e.AtHi = max(e.AtLo, m.AtLo), min(e.AtHi, m.AtHi)
		e.Marks = append(e.Marks, m)
	}
	for i := range events {
		slices.SortFunc(events[i].Marks, func(a, b Mark) int { return cmp.Compare(a.Series, b.Series) })
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return events
}

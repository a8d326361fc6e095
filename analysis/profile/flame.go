package profile

import (
	"slices"
	"strings"
)

// Flame is a frame of a flame graph with what each arm spent in it and below.
type Flame struct {
	Name     string
	Weight   []float64 // by arm
	Children []*Flame  // in the order they were met
	index    map[string]*Flame
}

// NewFlame is the root of the flame graph of so many arms.
func NewFlame(name string, arms int) *Flame { return &Flame{Name: name, Weight: make([]float64, arms)} }

// Add puts a stack, root first, under f. Frames without a symbol, "[mariadbd]",
// that call each other directly become one: of a stripped binary nothing tells
// them apart, and they bury what has a name.
func (f *Flame) Add(arm int, frames []string, weight float64) {
	f.Weight[arm] += weight
	for _, name := range frames {
		if name == f.Name && strings.HasPrefix(name, "[") {
			continue
		}
		child := f.index[name]
		if child == nil {
			if f.index == nil {
				f.index = map[string]*Flame{}
			}
			child = NewFlame(name, len(f.Weight))
			f.index[name] = child
			f.Children = append(f.Children, child)
		}
		f = child
		f.Weight[arm] += weight
	}
}

// JoinRenamed gives the graph with the process that one arm calls otherwise than the
// other (mysqld, mariadbd) as one: below different roots nothing could be compared.
// It is a process only if each arm has most of its samples there and the other arm
// has none.
func (f *Flame) JoinRenamed(arms [2]int) *Flame {
	only := func(here, there int) int {
		return slices.IndexFunc(f.Children, func(c *Flame) bool { return c.Weight[there] == 0 && 2*c.Weight[here] > f.Weight[here] })
	}
	a, b := only(arms[0], arms[1]), only(arms[1], arms[0])
	if a < 0 || b < 0 {
		return f
	}
	joined := *f
	one := merged(f.Children[a], f.Children[b])
	one.Name = f.Children[a].Name + " | " + f.Children[b].Name
	joined.Children = append([]*Flame{one}, slices.DeleteFunc(slices.Clone(f.Children), func(c *Flame) bool { return c == f.Children[a] || c == f.Children[b] })...)
	return &joined
}

// merged has the weights and the children of both, frame by frame.
func merged(a, b *Flame) *Flame {
	sum := NewFlame(a.Name, len(a.Weight))
	for arm := range sum.Weight {
		sum.Weight[arm] = a.Weight[arm] + b.Weight[arm]
	}
	sum.Children = slices.Clone(a.Children)
	for _, c := range b.Children {
		if i := slices.IndexFunc(sum.Children, func(other *Flame) bool { return other.Name == c.Name }); i >= 0 {
			sum.Children[i] = merged(sum.Children[i], c)
		} else {
			sum.Children = append(sum.Children, c)
		}
	}
	return sum
}

package profile

import "strings"

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

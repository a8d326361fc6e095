// Package stacks counts call stacks: every scanner of profiles fills a Set, which
// keeps each distinct stack once, however many samples there are.
package stacks

import (
	"cmp"
	"slices"
	"strings"

	"noisefloor/datasets"
)

// A Set is distinct stacks with what was measured in them. The zero value is
// empty.
type Set struct {
	names  []string
	codes  map[string]Name
	table  []int32 // open addressing by hash: 1 + index in list, 0 is free
	list   []stack
	frames []Name // of all stacks, one after the other, root first
}

// Name is the code of an event, a command or a frame in one Set.
type Name uint32

type stack struct {
	hash            uint64
	event, comm     Name
	from, n         int // in frames
	weight, samples float64
}

// Name gives the code of a text.
func (s *Set) Name(text []byte) Name {
	if c, ok := s.codes[string(text)]; ok {
		return c
	}
	return s.named(string(text))
}

// NameOf is Name of a string.
func (s *Set) NameOf(text string) Name {
	if c, ok := s.codes[text]; ok {
		return c
	}
	return s.named(strings.Clone(text))
}

func (s *Set) named(text string) Name {
	if s.codes == nil {
		s.codes = map[string]Name{}
	}
	c := Name(len(s.names))
	s.names = append(s.names, text)
	s.codes[text] = c
	return c
}

// Text is the text of a code.
func (s *Set) Text(c Name) string { return s.names[c] }

// Len gives the number of distinct stacks.
func (s *Set) Len() int { return len(s.list) }

// Add counts a stack. The frames are the caller's; root first.
func (s *Set) Add(event, comm Name, frames []Name, weight, samples float64) {
	h := uint64(event)<<32 | uint64(comm)
	for _, f := range frames {
		// Multiplying by 2^64 over the golden ratio (Knuth) spreads the codes, which
		// are small numbers; the rotation keeps the order of frames.
		h = (h<<23 | h>>41) ^ uint64(f)
		h *= 0x9e3779b97f4a7c15
	}
	h ^= h >> 29
	if 2*len(s.list) >= len(s.table) {
		s.grow()
	}
	mask := uint64(len(s.table) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		k := s.table[at]
		if k == 0 {
			s.table[at] = int32(len(s.list) + 1)
			s.list = append(s.list, stack{h, event, comm, len(s.frames), len(frames), weight, samples})
			s.frames = append(s.frames, frames...)
			return
		}
		if e := &s.list[k-1]; e.hash == h && e.event == event && e.comm == comm && slices.Equal(s.frames[e.from:e.from+e.n], frames) {
			e.weight += weight
			e.samples += samples
			return
		}
	}
}

func (s *Set) grow() {
	s.table = make([]int32, max(1<<10, 2*len(s.table)))
	mask := uint64(len(s.table) - 1)
	for i := range s.list {
		at := s.list[i].hash & mask
		for s.table[at] != 0 {
			at = (at + 1) & mask
		}
		s.table[at] = int32(i + 1)
	}
}

// Merge counts all stacks of another set as well.
func (s *Set) Merge(o *Set) {
	codes := make([]Name, len(o.names))
	for i, text := range o.names {
		codes[i] = s.NameOf(text)
	}
	var frames []Name
	for i := range o.list {
		e := &o.list[i]
		frames = frames[:0]
		for _, f := range o.frames[e.from : e.from+e.n] {
			frames = append(frames, codes[f])
		}
		s.Add(codes[e.event], codes[e.comm], frames, e.weight, e.samples)
	}
}

// Rows gives the stacks ordered by event, command and frames, so that the order of
// the samples and the number of readers do not show.
func (s *Set) Rows() []datasets.Stack {
	rank := s.ranks()
	order := make([]int32, len(s.list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &s.list[a], &s.list[b]
		if c := cmp.Or(cmp.Compare(rank[x.event], rank[y.event]), cmp.Compare(rank[x.comm], rank[y.comm])); c != 0 {
			return c
		}
		return slices.CompareFunc(s.frames[x.from:x.from+x.n], s.frames[y.from:y.from+y.n], func(f, g Name) int { return cmp.Compare(rank[f], rank[g]) })
	})
	texts := make([]string, len(s.frames))
	rows := make([]datasets.Stack, len(order))
	for i, k := range order {
		e := &s.list[k]
		frames := texts[:e.n:e.n]
		texts = texts[e.n:]
		for j, f := range s.frames[e.from : e.from+e.n] {
			frames[j] = s.names[f]
		}
		if e.n == 0 {
			frames = nil
		}
		rows[i] = datasets.Stack{Event: s.names[e.event], Comm: s.names[e.comm], Frames: frames, Weight: e.weight, Samples: e.samples}
	}
	return rows
}

// ranks gives the place of each name in the order of the texts.
func (s *Set) ranks() []int32 {
	sorted := make([]int32, len(s.names))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortFunc(sorted, func(a, b int32) int { return strings.Compare(s.names[a], s.names[b]) })
	rank := make([]int32, len(s.names))
	for place, c := range sorted {
		rank[c] = int32(place)
	}
	return rank
}

package profile

import (
	"math"
	"slices"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
)

// Run is the profile of one run for one event. The Value of the embedded place
// is not used.
type Run struct {
	compare.Run
	Transactions float64   // of the run, while it was profiled; NaN = unknown
	Weight       float64   // of all samples: their number, or the sum of their periods
	Samples      float64   // how many there were
	Self, Total  []float64 // weight by symbol; may be shorter than the list of symbols

	uncounted []float64 // weights of the stacks that do not say how many samples they are
}

// Collect gathers stacks into runs, one event only. The zero value is ready.
type Collect struct {
	Symbols []string
	Runs    []*Run
	index   map[string]int
	stamp   []int // by symbol: number of the last stack that it was in
	stacks  int
}

// noStack is what a sample without any frame counts for.
const noStack = "[no stack]"

// Open appends a run, to which Add then adds stacks.
func (c *Collect) Open(place compare.Run, transactions float64) *Run {
	r := &Run{Run: place, Transactions: transactions}
	c.Runs = append(c.Runs, r)
	return r
}

// Add counts one stack of a run, root first; samples is NaN where only weights
// are known. A symbol that calls itself counts once towards its total.
func (c *Collect) Add(r *Run, frames []string, weight, samples float64) {
	if !(weight > 0) || math.IsInf(weight, 0) {
		return
	}
	r.Weight += weight
	if samples > 0 {
		r.Samples += samples
	} else {
		r.uncounted = append(r.uncounted, weight)
	}
	c.stacks++
	leaf := noStack
	if n := len(frames); n > 0 {
		leaf = frames[n-1]
	}
	self := c.symbol(leaf)
	r.Self = grown(r.Self, self)
	r.Self[self] += weight
	total := func(s int) {
		if c.stamp[s] != c.stacks {
			c.stamp[s] = c.stacks
			r.Total = grown(r.Total, s)
			r.Total[s] += weight
		}
	}
	total(self)
	for _, f := range frames {
		total(c.symbol(f))
	}
}

func (c *Collect) symbol(name string) int {
	i, ok := c.index[name]
	if !ok {
		if c.index == nil {
			c.index = map[string]int{}
		}
		i = len(c.Symbols)
		c.index[name] = i
		c.Symbols = append(c.Symbols, name)
		c.stamp = append(c.stamp, 0)
	}
	return i
}

// Pair takes the base (arm 0) and one contender out of the runs, numbered 0 and
// 1.
func (c *Collect) Pair(contender int) *Collect {
	p := &Collect{Symbols: c.Symbols}
	for _, r := range c.Runs {
		switch r.Arm {
		case 0:
			p.Runs = append(p.Runs, r)
		case contender:
			one := *r
			one.Arm = 1
			p.Runs = append(p.Runs, &one)
		}
	}
	return p
}

// usable are the runs that have samples, which are counted at last; a profile
// of nothing has no shares.
func (c *Collect) usable() []*Run {
	runs := slices.DeleteFunc(slices.Clone(c.Runs), func(r *Run) bool { return !(r.Weight > 0) })
	for _, r := range runs {
		if len(r.uncounted) > 0 {
			one := sampleWeight(r.uncounted)
			for _, w := range r.uncounted {
				r.Samples += w / one
			}
			r.uncounted = nil
		}
	}
	return runs
}

// mostCounted is the median weight of a stack up to which weights are taken for
// counts. Most distinct stacks of a profile are seen once or twice; a period of
// cycles or instructions is a hundred times this at any usual frequency.
const mostCounted = 10_000

// sampleWeight is what one sample weighs where only weights are known: 1 if
// samples were counted, else what the median stack does.
func sampleWeight(weights []float64) float64 {
	if m := analysis.Median(weights); m > mostCounted {
		return m
	}
	return 1
}

func grown(v []float64, i int) []float64 {
	if i < len(v) {
		return v
	}
	return append(v, make([]float64, i+1-len(v))...)
}

func at(v []float64, i int) float64 {
	if i < len(v) {
		return v[i]
	}
	return 0
}

package steady

import (
	"math"
	"slices"
)

// series is what is left of a run's report lines once those without a value are
// out.
type series struct {
	t, y []float64
	// slot is the position on the grid of report intervals: it rises by 1 from line
	// to line, by more over a hole.
	slot []int
	from []int   // where each came from, an index into what this was made of: the caller's slices, or the series before
	step float64 // seconds between two lines
}

func (s series) len() int { return len(s.y) }

func (s series) after(first int) series {
	return series{t: s.t[first:], y: s.y[first:], slot: s.slot[first:], from: s.from[first:], step: s.step}
}

// cutBefore is the time after which lines belong to the part that begins with
// line k: the time of the line before it.
func (s series) cutBefore(k int) float64 {
	if k > 0 {
		return s.t[k-1]
	}
	return min(0, s.t[0]-s.step)
}

// sighting is what was noticed while reading.
type sighting struct {
	lines     int // lines that should be there, those missing included
	backwards int // lines with a time before that of the line above
}

// tooLarge: squares of larger values overflow, and no benchmark counts that
// far; such a value is no value.
const tooLarge = 1e150

// read sorts out which lines have a value and where holes are. The caller's
// slices are left alone.
func read(t, y []float64) (series, sighting) {
	var seen sighting
	order := make([]int, 0, len(t))
	for i := range t {
		if math.IsNaN(t[i]) || math.Abs(t[i]) > tooLarge {
			continue // a line that cannot be placed
		}
		if len(order) > 0 && t[i] < t[order[len(order)-1]] {
			seen.backwards++
		}
		order = append(order, i)
	}
	if seen.backwards > 0 {
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case t[a] < t[b]:
				return -1
			case t[a] > t[b]:
				return 1
			}
			return 0
		})
	}
	n := len(order)
	s := series{step: usualStep(t, order), t: make([]float64, 0, n), y: make([]float64, 0, n), slot: make([]int, 0, n), from: make([]int, 0, n)}
	slot := 0
	for k, i := range order {
		if k > 0 {
			slot += holes(t[i]-t[order[k-1]], s.step)
		}
		if math.Abs(y[i]) <= tooLarge { // false for NaN
			s.t, s.y = append(s.t, t[i]), append(s.y, y[i])
			s.slot, s.from = append(s.slot, slot), append(s.from, i)
		}
	}
	if len(order) > 0 {
		seen.lines = slot + 1
	}
	return s, seen
}

// usualStep is the median time from line to line; 0 if time never advances.
func usualStep(t []float64, order []int) float64 {
	steps := make([]float64, 0, len(order))
	for k := 1; k < len(order); k++ {
		if d := t[order[k]] - t[order[k-1]]; d > 0 {
			steps = append(steps, d)
		}
	}
	if len(steps) == 0 {
		return 0
	}
	if slices.Min(steps) == slices.Max(steps) { // as nearly always
		return steps[0]
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// holes is how many intervals lie between two neighbouring lines: 1 is no hole.
// Two lines of one time are neighbours all the same.
func holes(d, step float64) int {
	const most = 1 << 20 // keeps a leap of the clock countable
	if step == 0 {
		return 1
	}
	return int(min(max(1, math.Round(d/step)), most))
}

const (
	// spikeWindow is how many intervals a spike is held against, itself in the
	// middle. Barrett et al. (2017) take 200 of 2000; a run of 60 to 900 intervals
	// needs a shorter one, and 51 still has 5 values beyond P10 and beyond P90 each,
	// so that a stall of up to 5 intervals is a spike and a longer one a segment.
	spikeWindow = 51
	// spikeWidth is how many times P90 - P10 a spike lies from the median (Barrett
	// et al. 2017): 7.7 standard deviations of normal noise.
	spikeWidth = 3
)

// withoutSpikes leaves out the lines that stand far outside of their
// neighbours, and names them. Nothing at the very start is a spike: there it
// cannot be told from a short warm-up, and the cut has to deal with it.
func (s series) withoutSpikes() (series, []int) {
	n := s.len()
	width := min(spikeWindow, n)
	sorted := slices.Clone(s.y[:width])
	slices.Sort(sorted)
	p10, p90 := (width-1)/10, width-1-(width-1)/10
	// Values on a coarse grid can have P10 = P90; one step of it is no spike.
	least := resolution(s.y)

	kept := series{step: s.step, t: make([]float64, 0, n), y: make([]float64, 0, n), slot: make([]int, 0, n), from: make([]int, 0, n)}
	var spikes []int
	lo, started := 0, false
	for i, y := range s.y {
		for want := min(max(0, i-width/2), n-width); lo < want; lo++ {
			replace(sorted, s.y[lo], s.y[lo+width])
		}
		far := math.Abs(y-sorted[width/2]) > spikeWidth*max(sorted[p90]-sorted[p10], least)
		started = started || !far
		if far && started {
			spikes = append(spikes, i)
			continue
		}
		kept.t, kept.y = append(kept.t, s.t[i]), append(kept.y, y)
		kept.slot, kept.from = append(kept.slot, s.slot[i]), append(kept.from, i)
	}
	return kept, spikes
}

// replace puts a value in the place of another and keeps the order.
func replace(sorted []float64, old, by float64) {
	i, _ := slices.BinarySearch(sorted, old)
	for ; i+1 < len(sorted) && sorted[i+1] < by; i++ {
		sorted[i] = sorted[i+1]
	}
	for ; i > 0 && sorted[i-1] > by; i-- {
		sorted[i] = sorted[i-1]
	}
	sorted[i] = by
}

// resolution is the smallest step between neighbours that are not equal: the
// grid of values that come from one, next to nothing for others. 0 if all are
// equal.
func resolution(y []float64) float64 {
	least := math.Inf(1)
	for i := 1; i < len(y); i++ {
		if d := math.Abs(y[i] - y[i-1]); d > 0 {
			least = min(least, d)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// mostPoints is the longest series that is looked at point by point.
const mostPoints = 2000

// inBlocks averages a long series block by block. A rest at the end goes into
// the last block.
func (s series) inBlocks() (series, int) {
	n := s.len()
	if n <= mostPoints {
		return s, 0
	}
	per := (n + mostPoints - 1) / mostPoints
	b := series{step: s.step * float64(per)}
	for lo := 0; lo+per <= n; lo += per {
		hi := lo + per
		if hi+per > n {
			hi = n
		}
		sum := 0.0
		for _, y := range s.y[lo:hi] {
			sum += y
		}
		b.t, b.y = append(b.t, s.t[hi-1]), append(b.y, sum/float64(hi-lo))
		b.slot, b.from = append(b.slot, s.slot[lo]/per), append(b.from, s.from[lo])
	}
	return b, per
}

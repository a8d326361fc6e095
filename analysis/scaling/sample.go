package scaling

import (
	"cmp"
	"math"
	"slices"
)

// sample is the runs of one arm, averaged: runs within a launch, launches within
// a day and level. Cells of a day stand together.
type sample struct {
	axis  axis
	days  []string // in the order of names; "" is a day of its own, unknown
	start []int    // of each day's cells, and the end of the last
	level []int    // per cell, into axis.levels
	y     []float64
	n     []int // runs of each cell
	runs  int

	// How runs of one cell scatter: squares of logs, degrees of freedom, and the
	// mean number of runs of a cell.
	within   float64
	withinDF int
	perCell  float64
}

// newSample averages the runs of an arm; logs, unless natural.
func newSample(runs []Run, arm int, a axis, natural bool) *sample {
	type place struct {
		day    string
		x      float64
		launch string
	}
	sums, counts := map[place]float64{}, map[place]int{}
	var places []place
	s := &sample{axis: a}
	for _, r := range runs {
		if r.Arm != arm {
			continue
		}
		s.runs++
		v := r.Value
		if !natural {
			v = math.Log(v)
		}
		p := place{r.Day, r.X, r.Launch}
		if counts[p] == 0 {
			places = append(places, p)
		}
		sums[p] += v
		counts[p]++
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.x, b.x), cmp.Compare(a.launch, b.launch))
	})
	for i := 0; i < len(places); {
		at := places[i]
		var sum float64
		launches := 0
		for ; i < len(places) && places[i].day == at.day && places[i].x == at.x; i++ {
			sum += sums[places[i]] / float64(counts[places[i]])
			launches++
		}
		if len(s.days) == 0 || s.days[len(s.days)-1] != at.day {
			s.days = append(s.days, at.day)
			s.start = append(s.start, len(s.y))
		}
		s.n = append(s.n, s.scatter(runs, arm, at.day, at.x))
		level, _ := slices.BinarySearch(a.levels, at.x)
		s.level = append(s.level, level)
		s.y = append(s.y, sum/float64(launches))
	}
	s.start = append(s.start, len(s.y))
	s.perCell = float64(s.runs) / float64(max(1, len(s.y)))
	return s
}

// scatter adds the squares of a cell's runs, and counts them.
func (s *sample) scatter(runs []Run, arm int, day string, x float64) int {
	var n, sum, squares float64
	for _, r := range runs {
		if r.Arm == arm && r.Day == day && r.X == x {
			log := math.Log(r.Value)
			n, sum, squares = n+1, sum+log, squares+log*log
		}
	}
	s.within += math.Max(0, squares-sum*sum/n)
	s.withinDF += int(n) - 1
	return int(n)
}

// levels is how many levels of the axis the arm has.
func (s *sample) levels() int {
	seen := map[int]bool{}
	for _, k := range s.level {
		seen[k] = true
	}
	return len(seen)
}

// only keeps some days.
func (s *sample) only(keep func(day string) bool) *sample {
	kept := &sample{axis: s.axis, within: s.within, withinDF: s.withinDF, perCell: s.perCell}
	for d, day := range s.days {
		if keep(day) {
			kept.days = append(kept.days, day)
			kept.start = append(kept.start, len(kept.y))
			kept.level = append(kept.level, s.level[s.start[d]:s.start[d+1]]...)
			kept.y = append(kept.y, s.y[s.start[d]:s.start[d+1]]...)
			for _, n := range s.n[s.start[d]:s.start[d+1]] {
				kept.n = append(kept.n, n)
				kept.runs += n
			}
		}
	}
	kept.start = append(kept.start, len(kept.y))
	return kept
}

// wholeDays leaves out days with fewer than half of the arm's levels.
func (s *sample) wholeDays() *sample {
	whole := map[string]bool{}
	for d, day := range s.days {
		if 2*(s.start[d+1]-s.start[d]) >= s.levels() {
			whole[day] = true
		}
	}
	if len(whole) == len(s.days) {
		return s
	}
	return s.only(func(day string) bool { return whole[day] })
}

// means are the mean of each level's cells, NaN where there is none.
func (s *sample) means() []float64 {
	sum, n := make([]float64, len(s.axis.levels)), make([]float64, len(s.axis.levels))
	for i, k := range s.level {
		sum[k] += s.y[i]
		n[k]++
	}
	for k := range sum {
		sum[k] /= n[k]
	}
	return sum
}

// logMeans are the logs of means, with gaps filled from the level before, to
// start a search from.
func (s *sample) logMeans(natural bool) []float64 {
	means := s.means()
	last := math.NaN()
	for k, v := range means {
		if natural {
			v = math.Log(v)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			v = last
		}
		means[k], last = v, v
	}
	for k := len(means) - 2; k >= 0; k-- { // the first levels may be the gap
		if math.IsNaN(means[k]) {
			means[k] = means[k+1]
		}
	}
	return means
}

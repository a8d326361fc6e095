package scaling

import (
	"cmp"
	"math"
	"slices"
	"strings"
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

	// How runs of one cell scatter: squares of logs and degrees of freedom of each
	// level, and the mean number of runs of a cell.
	within   []float64
	withinDF []int
	perCell  float64
}

// scatter is the variance of the logs of runs of one cell, that of the median
// level: a single level that jumps is no excuse for a law. df is that of all.
func (s *sample) scatter() (variance float64, df int) {
	var of []float64
	for k, n := range s.withinDF {
		if n > 0 {
			of, df = append(of, s.within[k]/float64(n)), df+n
		}
	}
	if len(of) == 0 {
		return math.NaN(), 0
	}
	slices.Sort(of)
	return of[len(of)/2], df
}

// newSample averages the runs of an arm; logs, unless natural.
func newSample(runs []Run, arm int, a axis, natural bool) *sample {
	own := runs
	if slices.ContainsFunc(runs, func(r Run) bool { return r.Arm != arm }) {
		own = slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Arm != arm })
	}
	order := func(a, b Run) int {
		if c := strings.Compare(a.Day, b.Day); c != 0 {
			return c
		}
		if a.X != b.X {
			return cmp.Compare(a.X, b.X)
		}
		return strings.Compare(a.Launch, b.Launch)
	}
	if !slices.IsSortedFunc(own, order) {
		own = slices.Clone(own)
		slices.SortStableFunc(own, order)
	}
	s := &sample{axis: a, runs: len(own), within: make([]float64, len(a.levels)), withinDF: make([]int, len(a.levels)), level: make([]int, 0, len(own)), y: make([]float64, 0, len(own)), n: make([]int, 0, len(own))}
	for len(own) > 0 {
		end := 1
		for end < len(own) && own[end].Day == own[0].Day && own[end].X == own[0].X {
			end++
		}
		s.add(own[:end], natural)
		own = own[end:]
	}
	s.start = append(s.start, len(s.y))
	s.perCell = float64(s.runs) / float64(max(1, len(s.y)))
	return s
}

// add makes a cell of the runs of one day and level, launch by launch.
func (s *sample) add(runs []Run, natural bool) {
	if len(s.days) == 0 || s.days[len(s.days)-1] != runs[0].Day {
		s.days = append(s.days, runs[0].Day)
		s.start = append(s.start, len(s.y))
	}
	level, _ := slices.BinarySearch(s.axis.levels, runs[0].X)
	s.level = append(s.level, level)
	s.n = append(s.n, len(runs))
	s.withinDF[level] += len(runs) - 1
	if len(runs) == 1 {
		y := runs[0].Value
		if !natural {
			y = math.Log(y)
		}
		s.y = append(s.y, y)
		return
	}
	var mean, logs, squares float64
	launches := 0
	for i := 0; i < len(runs); {
		var sum float64
		n := 0
		for first := runs[i].Launch; i < len(runs) && runs[i].Launch == first; i++ {
			v := runs[i].Value
			log := math.Log(v)
			logs, squares = logs+log, squares+log*log
			if !natural {
				v = log
			}
			sum += v
			n++
		}
		mean += sum / float64(n)
		launches++
	}
	s.y = append(s.y, mean/float64(launches))
	s.within[level] += math.Max(0, squares-logs*logs/float64(len(runs)))
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

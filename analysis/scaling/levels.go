package scaling

import (
	"math"
	"math/rand/v2"
	"slices"

	"noisefloor/analysis"
)

// Where no law describes the data, the arms are still compared level by level:
// the daily differences of their means, with a band over all levels at once.

// byLevel fills the ratio and the ranges of a pair from the levels that both arms
// have on shared days; where they share none, the ratio of their means over all
// days is what was seen, without an interval.
func (p *Pair) byLevel(base, contender *sample, opt Options, rng *rand.Rand) {
	p.ByLevel, p.Ratio, p.Ranges, p.Crossings = true, nil, nil, nil
	a := base.axis
	days := base.days
	if p.Days == 0 {
		days = []string{""}
	}
	logs := func(s *sample) map[string]map[int]float64 { // by day and level
		m := map[string]map[int]float64{}
		n := map[int]float64{}
		for d, day := range s.days {
			if p.Days == 0 {
				day = ""
			}
			if m[day] == nil {
				m[day] = map[int]float64{}
			}
			for i := s.start[d]; i < s.start[d+1]; i++ {
				v, level := s.y[i], s.level[i]
				if opt.Natural {
					v = math.Log(v)
				}
				if p.Days > 0 {
					m[day][level] = v
					continue
				}
				n[level]++
				m[day][level] += (v - m[day][level]) / n[level]
			}
		}
		return m
	}
	ofBase, ofContender := logs(base), logs(contender)
	differences := make([][]float64, len(a.levels)) // of each level, day by day
	for _, day := range days {
		for k := range a.levels {
			x, ok := ofBase[day][k]
			y, both := ofContender[day][k]
			if ok && both {
				differences[k] = append(differences[k], y-x)
			}
		}
	}
	var levels, several []int // with a difference, and with days to tell its spread
	var dayCounts []int
	for k, d := range differences {
		if len(d) > 0 {
			levels = append(levels, k)
		}
		if len(d) > 1 {
			several, dayCounts = append(several, k), append(dayCounts, len(d))
		}
	}
	factors := slices.Repeat([]float64{math.NaN()}, len(a.levels))
	if len(several) > 0 {
		for i, f := range widenEach(levelBends(differences, several), dayCounts, opt.Confidence, rng) {
			factors[several[i]] = f
		}
	}
	last := 0
	for _, k := range levels {
		d, factor := differences[k], factors[k]
		log, se := mean(d), deviation(d)/math.Sqrt(float64(len(d)))
		half, wide := quantile(len(d), opt.Confidence)*se, factor*se
		pt := Point{X: a.levels[k], Estimate: analysis.Estimate{Value: math.Exp(log), Lo: math.Exp(log - half), Hi: math.Exp(log + half), Confidence: opt.Confidence},
			BandLo: math.Exp(log - wide), BandHi: math.Exp(log + wide)}
		p.Ratio = append(p.Ratio, pt)
		now := 0
		switch {
		case pt.BandLo > 1:
			now = 1
		case pt.BandHi < 1:
			now = -1
		}
		switch {
		case now == 0:
		case now == last:
			p.Ranges[len(p.Ranges)-1].To = pt.X
		default:
			p.Ranges = append(p.Ranges, Range{From: pt.X, To: pt.X, Above: now > 0})
		}
		last = now
	}
}

// levelBends are the directions in which daily differences move: all levels
// alike, and each level by itself. How much of each does not follow from single
// levels, so it is pooled.
func levelBends(differences [][]float64, levels []int) bend {
	var alone, aloneDF float64
	days := len(differences[levels[0]])
	for _, k := range levels {
		days = min(days, len(differences[k]))
	}
	ofDay := make([]float64, days)
	for d := range ofDay {
		for _, k := range levels {
			ofDay[d] += (differences[k][d] - mean(differences[k])) / float64(len(levels))
		}
	}
	for _, k := range levels {
		for d := range ofDay {
			alone += sq(differences[k][d] - mean(differences[k]) - ofDay[d])
		}
	}
	aloneDF = float64((days - 1) * (len(levels) - 1))
	variance := alone / math.Max(1, aloneDF)
	together := math.Sqrt(math.Max(0, sq(deviation(ofDay))-variance/float64(len(levels))))
	directions := bend{make([]float64, len(levels))}
	for i := range levels {
		directions[0][i] = together
		one := make([]float64, len(levels))
		one[i] = math.Sqrt(variance)
		directions = append(directions, one)
	}
	return directions
}

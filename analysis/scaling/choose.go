package scaling

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Choice is how one law describes all arms together.
type Choice struct {
	Law        string
	Parameters int     // of a curve
	AICc       float64 // NaN where the cells are too few for it
	Weight     float64 // Akaike's: the share of belief among the laws tried
	// LackOfFitP is the probability of such misfit if the law were true, against
	// how far the days disagree about each level; NaN with one day.
	LackOfFitP float64
	Misfit     float64 // largest relative distance of a level's mean from the law
	MisfitAt   float64 // the level
	Have, Need int     // levels; fewer than needed and the law was not fitted
	Converged  bool

	fits  []*fit  // per arm; nil if not fitted
	onRun float64 // bound of LackOfFitP from how runs scatter, for one day
}

// fitted tells whether the law takes part in the choice.
func (c *Choice) fitted() bool { return c.fits != nil }

// rejected: the misfit is more than the days explain, and more than anyone cares
// about.
func (c *Choice) rejected(margin float64) bool {
	p := c.LackOfFitP
	if math.IsNaN(p) {
		p = c.onRun
	}
	if math.IsNaN(p) {
		return c.Misfit > untested
	}
	return p < significance && c.Misfit > margin
}

// untested is the misfit at which a law is given up where nothing repeats: runs
// of one level scatter by a few percent, and by 6 % at most in published sweeps.
const untested = .1

// dayLevel is how much days may move single levels, in units of how runs scatter,
// where one day cannot show it. Twice as much is more than is seen in practice;
// a law that misses by more than even that is wrong.
const dayLevel = 2

// significance is the level of the lack-of-fit test: a true law is rejected in
// one of twenty data sets.
const significance = .05

// try fits one law to all arms.
func try(f *fitter, fam family, samples []*sample) Choice {
	c := Choice{Law: fam.name, Parameters: fam.parameters, AICc: math.NaN(), LackOfFitP: math.NaN(), Misfit: math.NaN(), MisfitAt: math.NaN(), Need: fam.levelsNeeded()}
	a := samples[0].axis
	c.Have = len(a.levels)
	for _, s := range samples {
		c.Have = min(c.Have, s.levels())
	}
	if c.Have < c.Need || a.lo() < fam.least {
		return c
	}
	l := fam.bind(a)
	var fits []*fit
	c.Converged = true
	var test misfit
	cells, parameters, rss := 0, 1, 0.0 // one variance for all arms
	squares, df := 0.0, 0               // of cell means, if days moved levels that much
	for _, s := range samples {
		one := f.fit(l, s, s.logMeans(f.natural), nil, false)
		if !one.ok() {
			c.Converged = false
			return c
		}
		fits = append(fits, one)
		cells += len(s.y)
		parameters += len(one.p) + len(s.days)
		rss += one.rss
		test.add(one.misfit(f.natural))
		if v, n := s.scatter(); n > 0 {
			squares, df = squares+v*float64(n)*(sq(dayLevel)+1/s.perCell), df+n
		}
		if at, dev := one.worst(f.natural); !(math.Abs(dev) <= c.Misfit) {
			c.Misfit, c.MisfitAt = math.Abs(dev), at
		}
	}
	c.fits = fits
	c.AICc = aicc(rss, cells, parameters)
	c.LackOfFitP = test.p()
	c.onRun = math.NaN()
	if test.daysDF == 0 && df > 0 {
		ofRuns := test
		ofRuns.days, ofRuns.daysDF = squares, df
		c.onRun = ofRuns.p()
	}
	return c
}

// aicc is Akaike's information criterion for normal residuals, corrected for few
// cells (Hurvich & Tsai 1989); NaN where there are too few even for that. It is
// that of R: n (log(2 pi rss/n) + 1) + 2k + 2k(k+1)/(n-k-1).
func aicc(rss float64, n, k int) float64 {
	if n-k-1 < 1 {
		return math.NaN()
	}
	nf, kf := float64(n), float64(k)
	rss = math.Max(rss, nf*exact)
	return nf*(math.Log(2*math.Pi*rss/nf)+1) + 2*kf + 2*kf*(kf+1)/(nf-kf-1)
}

// exact is a squared residual that is nothing but rounding.
const exact = 1e-28

// misfit sets what a law leaves between levels against how far the days disagree
// about each level.
type misfit struct {
	law, days     float64 // sums of squares
	lawDF, daysDF int
}

func (m *misfit) add(o misfit) {
	m.law, m.days, m.lawDF, m.daysDF = m.law+o.law, m.days+o.days, m.lawDF+o.lawDF, m.daysDF+o.daysDF
}

// p is the lack-of-fit test: F of both mean squares. Runs of one day at one level
// agree better than days do, so they are no yardstick: as one they would reject a
// true law in half of the data sets where days move single levels as much as runs
// scatter.
func (m *misfit) p() float64 {
	if m.lawDF < 1 || m.daysDF < 1 {
		return math.NaN()
	}
	if !(m.days > 0) {
		return math.NaN() // the days agree to the last digit: no yardstick
	}
	// The tail of F by the incomplete beta function, exact also where it is tiny.
	return mathext.RegIncBeta(float64(m.daysDF)/2, float64(m.lawDF)/2, m.days/(m.days+m.law))
}

// misfit splits the squares that the law leaves into those that any curve would
// leave, a free mean for each level beside the days, and the rest.
func (f *fit) misfit(natural bool) misfit {
	s := f.s
	y := s.y
	if natural { // days are factors there, not terms
		y = make([]float64, len(s.y))
		for i := range y {
			y[i] = math.Log(s.y[i])
		}
	}
	days, rank := daysAlone(s, y)
	var law float64
	for d := range s.days { // on logs, each day's mean taken off
		var m float64
		from, to := s.start[d], s.start[d+1]
		off := make([]float64, to-from)
		for i := range off {
			off[i] = y[from+i] - f.law.logShape(f.p, s.axis.levels[s.level[from+i]], nil)
			m += off[i] / float64(to-from)
		}
		for _, v := range off {
			law += sq(v - m)
		}
	}
	return misfit{
		law: math.Max(0, law-days), lawDF: rank - len(f.p),
		days: days, daysDF: len(y) - len(s.days) - rank,
	}
}

// daysAlone gives the sum of squares that day means and level means leave, and
// how many independent contrasts of levels there are: least squares by
// Gram-Schmidt on the columns of the levels, days taken off.
func daysAlone(s *sample, y []float64) (ss float64, rank int) {
	off := func(v []float64) {
		for d := range s.days {
			cells := v[s.start[d]:s.start[d+1]]
			m := mean(cells)
			for i := range cells {
				cells[i] -= m
			}
		}
	}
	left := append([]float64{}, y...)
	off(left)
	var columns [][]float64
	for k := range s.axis.levels {
		v := make([]float64, len(y))
		for i, level := range s.level {
			if level == k {
				v[i] = 1
			}
		}
		off(v)
		length := dot(v, v)
		for range 2 { // twice is enough (Giraud, Langou & Rozložník 2005)
			for _, c := range columns {
				project(v, c)
			}
		}
		norm := dot(v, v)
		if !(norm > 1e-9*length) {
			continue // it follows from the others
		}
		for i := range v {
			v[i] /= math.Sqrt(norm)
		}
		columns = append(columns, v)
		project(left, v)
	}
	return dot(left, left), len(columns)
}

// project takes the part along the unit vector c off v.
func project(v, c []float64) {
	p := dot(v, c)
	for i := range v {
		v[i] -= p * c[i]
	}
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// worst is the level whose mean lies farthest from the law, and how far, as a
// fraction.
func (f *fit) worst(natural bool) (x, deviation float64) {
	s := f.s
	sum, n := make([]float64, len(s.axis.levels)), make([]float64, len(s.axis.levels))
	for d := range s.days {
		for i := s.start[d]; i < s.start[d+1]; i++ {
			y := s.y[i]
			if natural {
				y = math.Log(y)
			}
			sum[s.level[i]] += y - f.logs[d]
			n[s.level[i]]++
		}
	}
	x, deviation = math.NaN(), math.NaN()
	for k, level := range s.axis.levels {
		if dev := math.Expm1(sum[k]/n[k] - f.law.logShape(f.p, level, nil)); !math.IsNaN(dev) && !(math.Abs(dev) <= math.Abs(deviation)) {
			x, deviation = level, dev
		}
	}
	return x, deviation
}

// choose picks a law: among those that are not rejected, the one with the least
// AICc. Where AICc is not defined for any (four points, say), among the laws with
// fewest parameters the one that leaves least. None is picked if all are rejected;
// closest is the one that no level is farther from than it must be.
func choose(choices []Choice, margin float64) (chosen, closest int) {
	chosen, closest = -1, -1
	for i := range choices {
		c := &choices[i]
		if !c.fitted() {
			continue
		}
		if closest < 0 || c.Misfit < choices[closest].Misfit {
			closest = i
		}
		if !c.rejected(margin) && (chosen < 0 || better(c, &choices[chosen])) {
			chosen = i
		}
	}
	weigh(choices)
	return chosen, closest
}

func better(a, b *Choice) bool {
	switch hasA, hasB := !math.IsNaN(a.AICc), !math.IsNaN(b.AICc); {
	case hasA && hasB:
		return a.AICc < b.AICc
	case hasA != hasB:
		return hasA
	case a.Parameters != b.Parameters:
		return a.Parameters < b.Parameters
	}
	return a.left() < b.left()
}

func (c *Choice) left() (rss float64) {
	for _, f := range c.fits {
		rss += f.rss
	}
	return rss
}

// weigh turns AICc into Akaike's weights (Burnham & Anderson 2002, eq. 2.9).
func weigh(choices []Choice) {
	least := math.Inf(1)
	for _, c := range choices {
		least = math.Min(least, orInf(c.AICc))
	}
	var sum float64
	for i := range choices {
		choices[i].Weight = math.NaN()
		if c := choices[i].AICc; !math.IsNaN(c) {
			choices[i].Weight = math.Exp((least - c) / 2)
			sum += choices[i].Weight
		}
	}
	for i := range choices {
		choices[i].Weight /= sum
	}
}

func orInf(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

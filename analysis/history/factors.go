package history

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis"
)

// Study tells the effects of two factors apart, such as the version and the
// build: how much each changes the metric by itself (main effects), whether the
// effect of one depends on the other (interaction), and which share of a change
// in both is due to each.
type Study struct {
	Factors [2]string
	Levels  [2][]string // the first of each is the base
	Cells   []Cell      // by the first factor's levels, then the second's
	Effects []Effect
	// Whole is the change from both bases to both last levels; Shares say how
	// much of it, on the log scale, each factor explains.
	Whole       Effect
	Shares      []Share
	Basis       Basis
	Conditional bool
	DF          float64
	Noise       float64 // SD of a cell's mean, relative
	Warnings    []analysis.Warning
}

// Cell is one combination of levels.
type Cell struct {
	Levels [2]string
	Value  float64
	Runs   int
	Units  int // days, launches or loads that repeat it
}

// Effect is a ratio of means (a difference if additive). A main effect is the
// mean over the other factor's levels; At names the one level of the other
// factor that a simple effect holds at; Other makes it an interaction: the
// effect at Other[1] over the effect at Other[0].
type Effect struct {
	Factor        string
	Level, Base   string
	At            string
	Other         [2]string // levels of the other factor; "" = no interaction
	Ratio, Lo, Hi float64
	P, PAdjusted  float64
	Verdict       analysis.Verdict
	Confidence    float64
}

// Share is how much of the whole change one factor explains: 1 is all of it.
type Share struct {
	Factor        string
	Share, Lo, Hi float64 // NaN where the whole change is too unsure to be shared
}

// Combination is the runs of one pair of levels, as indices into the levels.
type Combination struct {
	Levels [2]int
	Runs   []Run
}

// Factors makes a study. Replicates are what repeats a combination: days that
// all of them share, days of their own, or the outermost unit (launch, load)
// inside the only day; runs inside a unit are averaged. The error means that
// nothing can be told.
func Factors(names [2]string, levels [2][]string, combinations []Combination, opt Options) (Study, error) {
	st := Study{Factors: names, Noise: math.NaN()}
	grid := make([][]*Combination, len(levels[0]))
	for i := range grid {
		grid[i] = make([]*Combination, len(levels[1]))
	}
	for i := range combinations {
		c := &combinations[i]
		if slices.ContainsFunc(c.Runs, func(r Run) bool { _, ok := opt.working(r.Value); return ok }) {
			grid[c.Levels[0]][c.Levels[1]] = c
		}
	}
	keep, missing := fullGrid(grid, names, levels)
	if len(missing) > 0 {
		st.Warnings = append(st.Warnings, analysis.LevelsMissing{Labels: missing})
	}
	for f := range 2 {
		for _, i := range keep[f] {
			st.Levels[f] = append(st.Levels[f], levels[f][i])
		}
		if len(keep[f]) < 2 {
			return st, fmt.Errorf("a factor study needs two levels of %s and of %s with all four combinations run; --where or another choice of --factors", names[0], names[1])
		}
	}
	var points []Point
	for _, i := range keep[0] {
		for _, j := range keep[1] {
			points = append(points, Point{Label: levels[0][i] + ", " + levels[1][j], Runs: grid[i][j].Runs})
		}
	}
	d := newDesign(points, opt, len(points))
	st.Warnings = append(st.Warnings, d.warnings...)
	m := newContrasts(d)
	st.Basis, st.Conditional, st.DF = m.kind, m.conditional, m.df
	st.Warnings = append(st.Warnings, m.warnings...)
	for k := range points {
		st.Cells = append(st.Cells, Cell{
			Levels: [2]string{st.Levels[0][k/len(keep[1])], st.Levels[1][k%len(keep[1])]},
			Value:  opt.natural(m.values[k]), Runs: d.levels[k].Runs, Units: m.units[k],
		})
	}
	st.effects(m, opt)
	st.share(m, opt)
	return st, nil
}

// fullGrid drops the level that lacks most combinations until none is missing.
func fullGrid(grid [][]*Combination, names [2]string, levels [2][]string) (keep [2][]int, missing []string) {
	for i := range levels[0] {
		keep[0] = append(keep[0], i)
	}
	for j := range levels[1] {
		keep[1] = append(keep[1], j)
	}
	for {
		worst, factor, at := 0., 0, -1
		count := func(f, level int) float64 {
			n := 0
			other := keep[1-f]
			for _, o := range other {
				if f == 0 && grid[level][o] == nil || f == 1 && grid[o][level] == nil {
					n++
				}
			}
			return float64(n) / float64(max(1, len(other)))
		}
		for f := range 2 {
			for i, level := range keep[f] {
				if share := count(f, level); share > worst {
					worst, factor, at = share, f, i
				}
			}
		}
		if at < 0 {
			return keep, missing
		}
		missing = append(missing, names[factor]+" "+levels[factor][keep[factor][at]])
		keep[factor] = slices.Delete(keep[factor], at, at+1)
	}
}

// contrasts gives sums of the cells' means, with coefficients, and their
// (co)variances.
type contrasts struct {
	basis
	units []int
	days  [][]float64 // cells on the days that all share; nil = the variance is pooled
}

func newContrasts(d *design) contrasts {
	n := len(d.usable)
	m := contrasts{units: make([]int, n)}
	if b, ok := d.blocks(); ok {
		// As in a comparison of two arms, the contrast is taken on each day, and
		// its scatter over the days is its own noise: what differs from day to day
		// may be one factor's effect more than the other's.
		m.basis = b
		for _, day := range d.days {
			row := make([]float64, 0, n)
			for _, cells := range d.cells {
				if i := slices.IndexFunc(cells, func(c cell) bool { return c.day == day }); i >= 0 {
					row = append(row, cells[i].mean)
				}
			}
			if len(row) == n {
				m.days = append(m.days, row)
			}
		}
		m.df = float64(len(m.days) - 1)
		for i := range m.units {
			m.units[i] = len(m.days)
		}
		return m
	}
	var ok bool
	if m.basis, ok = d.ownDays(); ok {
		for i, cells := range d.cells {
			m.units[i] = len(cells)
		}
		return m
	}
	if m.basis, ok = d.inDay(); ok {
		for i, cells := range d.cells {
			m.units[i] = len(cells[0].units)
		}
		return m
	}
	m.basis = d.none()
	return m
}

func dotProduct(a, b []float64) float64 {
	sum := 0.
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// estimate is the contrast.
func (m *contrasts) estimate(c []float64) float64 { return dotProduct(c, m.values) }

// covariance of two contrasts' estimates.
func (m *contrasts) covariance(a, b []float64) float64 {
	if m.kind == BasisNone {
		return math.NaN()
	}
	if m.days == nil {
		sum := 0.
		for i := range a {
			w := 1.
			if m.weights != nil {
				w = m.weights[i]
			}
			sum += a[i] * b[i] / w
		}
		return m.variance * sum
	}
	n := float64(len(m.days))
	ea, eb, sum := m.estimate(a), m.estimate(b), 0.
	for _, row := range m.days {
		sum += (dotProduct(a, row) - ea) * (dotProduct(b, row) - eb)
	}
	return sum / (n - 1) / n
}

func (m *contrasts) quantile(confidence float64) float64 {
	if !(m.df >= 1) {
		return math.NaN()
	}
	return distuv.StudentsT{Sigma: 1, Nu: m.df}.Quantile(.5 + confidence/2)
}

// effect tests one contrast.
func (m *contrasts) effect(e Effect, c []float64, opt Options) Effect {
	step := m.estimate(c)
	se := math.Sqrt(m.covariance(c, c))
	t := m.quantile(opt.confidence())
	e.Ratio, e.Lo, e.Hi = opt.natural(step), opt.natural(step-t*se), opt.natural(step+t*se)
	e.Confidence, e.P = opt.confidence(), math.NaN()
	if se > 0 && m.df >= 1 {
		e.P = 2 * distuv.StudentsT{Sigma: 1, Nu: m.df}.Survival(math.Abs(step)/se)
	}
	e.PAdjusted = e.P
	return e
}

// effects are all main effects against the base, the simple ones behind them,
// and the interactions. Main effects and interactions are one family (Holm);
// the simple effects are what they consist of.
func (st *Study) effects(m contrasts, opt Options) {
	n0, n1 := len(st.Levels[0]), len(st.Levels[1])
	at := func(f, own, other int) int {
		if f == 0 {
			return own*n1 + other
		}
		return other*n1 + own
	}
	size := [2]int{n0, n1}
	var family []int
	for f := range 2 {
		for level := 1; level < size[f]; level++ {
			e := Effect{Factor: st.Factors[f], Level: st.Levels[f][level], Base: st.Levels[f][0]}
			c := make([]float64, n0*n1)
			for other := range size[1-f] {
				c[at(f, level, other)] += 1 / float64(size[1-f])
				c[at(f, 0, other)] -= 1 / float64(size[1-f])
			}
			family = append(family, len(st.Effects))
			st.Effects = append(st.Effects, m.effect(e, c, opt))
			for other := range size[1-f] {
				simple := e
				simple.At = st.Levels[1-f][other]
				c := make([]float64, n0*n1)
				c[at(f, level, other)], c[at(f, 0, other)] = 1, -1
				st.Effects = append(st.Effects, m.effect(simple, c, opt))
			}
		}
	}
	for i := 1; i < n0; i++ {
		for j := 1; j < n1; j++ {
			c := make([]float64, n0*n1)
			c[i*n1+j], c[i*n1], c[j], c[0] = 1, -1, -1, 1
			e := Effect{Factor: st.Factors[0], Level: st.Levels[0][i], Base: st.Levels[0][0], Other: [2]string{st.Levels[1][0], st.Levels[1][j]}}
			family = append(family, len(st.Effects))
			st.Effects = append(st.Effects, m.effect(e, c, opt))
		}
	}
	holm(st.Effects, family)
	for k := range st.Effects {
		e := &st.Effects[k]
		e.Verdict = st.verdict(e, opt)
	}
	c := make([]float64, n0*n1)
	c[n0*n1-1], c[0] = 1, -1
	st.Whole = m.effect(Effect{Level: st.Levels[0][n0-1] + ", " + st.Levels[1][n1-1], Base: st.Levels[0][0] + ", " + st.Levels[1][0]}, c, opt)
	st.Whole.Verdict = st.verdict(&st.Whole, opt)
	if m.kind != BasisNone && m.days == nil {
		st.Noise = math.Sqrt(m.variance)
	}
}

// holm adjusts the p of the effects in the family (Holm 1979).
func holm(effects []Effect, family []int) {
	order := slices.Clone(family)
	slices.SortStableFunc(order, func(a, b int) int {
		switch pa, pb := effects[a].P, effects[b].P; {
		case pa < pb:
			return -1
		case pa > pb:
			return 1
		}
		return 0
	})
	least := 0.
	for k, i := range order {
		if math.IsNaN(effects[i].P) {
			continue
		}
		least = max(least, min(1, effects[i].P*float64(len(order)-k)))
		effects[i].PAdjusted = least
	}
}

// verdict is for main effects and the whole change; an interaction is neither
// faster nor slower, and simple effects are not tested by themselves.
func (st *Study) verdict(e *Effect, opt Options) analysis.Verdict {
	switch {
	case st.Basis == BasisNone || st.Conditional || math.IsNaN(e.P):
		return analysis.Unsupported
	case e.At != "" || e.Other[1] != "":
		return ""
	case e.PAdjusted >= 1-opt.confidence():
		return analysis.Inconclusive
	}
	step := e.Ratio - 1
	if opt.Additive {
		step = e.Ratio
	}
	switch {
	case opt.Better*sign(step) > 0:
		return analysis.Faster
	case opt.Better*sign(step) < 0:
		return analysis.Slower
	}
	return ""
}

// share divides the whole change, from both bases to both last levels, between
// the factors. Each factor's part is the mean of its effect at the other's base
// and at the other's last level, so that the parts add up and the interaction
// is split evenly (Kitagawa 1955, "Components of a difference between two
// rates"; Shapley's value for two). The interval is Fieller's (1954, "Some
// problems in interval estimation"), which has no end where the whole change
// could be nothing.
func (st *Study) share(m contrasts, opt Options) {
	n1 := len(st.Levels[1])
	cells := len(st.Levels[0]) * n1
	last0, last1 := (len(st.Levels[0])-1)*n1, n1-1
	whole := make([]float64, cells)
	whole[last0+last1], whole[0] = 1, -1
	parts := [2][]float64{make([]float64, cells), make([]float64, cells)}
	for _, p := range []struct {
		f, to, from int
	}{{0, last0, 0}, {0, last0 + last1, last1}, {1, last1, 0}, {1, last0 + last1, last0}} {
		parts[p.f][p.to] += .5
		parts[p.f][p.from] -= .5
	}
	d, vd := m.estimate(whole), m.covariance(whole, whole)
	t := m.quantile(opt.confidence())
	known := d*d > t*t*vd
	if !known && m.kind != BasisNone {
		st.Warnings = append(st.Warnings, analysis.ShareUnknown{})
	}
	for f := range 2 {
		s := Share{Factor: st.Factors[f], Share: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
		if known {
			n, vn, cov := m.estimate(parts[f]), m.covariance(parts[f], parts[f]), m.covariance(parts[f], whole)
			s.Share = n / d
			a, b, c := d*d-t*t*vd, n*d-t*t*cov, n*n-t*t*vn
			root := math.Sqrt(max(0, b*b-a*c))
			s.Lo, s.Hi = (b-root)/a, (b+root)/a
		}
		st.Shares = append(st.Shares, s)
	}
}

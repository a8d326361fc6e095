package noise

import (
	"errors"
	"math"

	"noisefloor/analysis"
)

// structure is what a layout lets one estimate: which levels are components of
// their own, which are one with another, and which are not seen at all.
type structure struct {
	l        *layout
	levels   []level // outermost first; the last is the rows themselves
	kept     []int   // levels that are random terms of the model
	residual int     // the level the model's residual stands for; -1 = nothing to estimate
	merged   int     // the level that has one row per group and so is one with the rows; -1 = none
	fit      *Fit    // nil if nothing could be fitted
	zeros    []int   // levels whose values are all equal
	failed   bool
}

type level struct {
	name     string
	group    []int // nil: nobody knows, or the rows themselves
	variance analysis.Estimate
	df       float64
	method   string
	index    int // place in fit.Var; -1 = none
	inOuter  int // the level it cannot be told from, -1 = the arm; noOuter = it can
}

const noOuter = -2

func (l *layout) structure() *structure {
	s := &structure{l: l, residual: -1, merged: -1}
	add := func(name string, group []int) {
		s.levels = append(s.levels, level{name: name, group: group, index: -1, inOuter: noOuter,
			variance: unknown(math.NaN()), df: math.NaN(), method: MethodUnknown})
	}
	add(Day, l.day)
	if l.arms > 1 {
		add(DayArm, l.cell)
	}
	if l.launch != nil {
		add(Launch, l.launch)
	}
	if l.run != nil {
		add(RunLevel, l.run)
		add(Interval, nil)
	} else {
		add(RunLevel, nil)
	}
	s.choose()
	return s
}

// choose goes from the outermost level in and keeps each that adds dimensions
// to what the arms and the levels around it explain already. A level that
// explains every row exactly leaves no residual: it takes the residual's place.
func (s *structure) choose() {
	rank, last := s.l.arms, -1
	rows := len(s.levels) - 1
	for i := range s.levels[:rows] {
		lev := &s.levels[i]
		if lev.group == nil {
			continue
		}
		if r := rankWithArms(s.l.arm, s.l.arms, lev.group); r > rank {
			s.kept = append(s.kept, i)
			rank, last = r, i
		} else {
			lev.inOuter = last
		}
	}
	switch {
	case rank < len(s.l.y):
		s.residual = rows
	case len(s.kept) > 0:
		s.merged = last
		s.kept = s.kept[:len(s.kept)-1]
		s.residual = last
		if s.levels[last].name == Launch {
			// One run a launch: what the launch does is part of what repeats
			// from run to run, so the sum is called run. At day or day:arm
			// the sum stays outside, where taking it for the whole is safe.
			s.residual = rows
		}
	}
}

// rankWithArms is the dimension of the span of arm and group indicators: their
// number less one for each connected component of the graph that joins an arm
// to a group where they share a row.
func rankWithArms(arm []int, arms int, group []int) int {
	size := 0
	for _, g := range group {
		size = max(size, g+1)
	}
	parent := make([]int, arms+size)
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	rank := 0
	for i, g := range group {
		if a, b := find(arm[i]), find(arms+g); a != b {
			parent[a] = b
			rank++ // a spanning forest has one edge per dimension
		}
	}
	return rank
}

// estimate fits what choose kept. Where the innermost rows do not differ, that
// variance is 0, and the groups' values are the rows of the next level out.
func (s *structure) estimate(confidence float64) {
	if s.residual < 0 {
		return
	}
	y, arm := s.l.y, s.l.arm
	var groups [][]int
	for _, k := range s.kept {
		groups = append(groups, s.levels[k].group)
	}
	terms, residual := s.kept, s.residual
	for {
		m := Model{Y: y, X: armColumns(arm, s.l.arms), Groups: groups}
		table, err := ANOVA(m)
		if err != nil {
			s.failed = true
			return
		}
		line := table.Lines[len(terms)]
		// Doubles that differ by a few rounding errors are equal, and so are their logs.
		zero := line.SS <= sq(4*0x1p-52*max(1, largest(y)))*float64(len(y))
		var fit Fit
		if !zero {
			fit, err = REML(m)
			zero = errors.Is(err, ErrNoResidual)
			if err != nil && !zero {
				s.failed = true
				return
			}
		}
		if !zero {
			s.setFit(fit, table, terms, residual, confidence)
			return
		}
		s.zeros = append(s.zeros, residual)
		lev := &s.levels[residual]
		lev.variance = analysis.Estimate{Value: 0, Lo: 0, Hi: math.NaN(), Confidence: confidence}
		lev.df = float64(line.DF)
		if len(terms) == 0 {
			return
		}
		residual, terms = terms[len(terms)-1], terms[:len(terms)-1]
		var ok bool
		if y, arm, groups, ok = oneRowPerGroup(y, arm, groups); !ok {
			return
		}
	}
}

// oneRowPerGroup keeps one row of each innermost group, for rows that are equal
// there, and drops that term. It is false if a group spans several arms.
func oneRowPerGroup(y []float64, arm []int, groups [][]int) ([]float64, []int, [][]int, bool) {
	inner, outer := groups[len(groups)-1], groups[:len(groups)-1]
	armOf := make(map[int]int)
	var newY []float64
	var newArm []int
	newGroups := make([][]int, len(outer))
	for i, g := range inner {
		if a, seen := armOf[g]; seen {
			if a != arm[i] {
				return nil, nil, nil, false
			}
			continue
		}
		armOf[g] = arm[i]
		newY, newArm = append(newY, y[i]), append(newArm, arm[i])
		for k := range outer {
			newGroups[k] = append(newGroups[k], outer[k][i])
		}
	}
	return newY, newArm, newGroups, true
}

func largest(y []float64) float64 {
	var m float64
	for _, v := range y {
		m = max(m, math.Abs(v))
	}
	return m
}

// armColumns is one indicator column per arm.
func armColumns(arm []int, arms int) []float64 {
	x := make([]float64, len(arm)*arms)
	for i, a := range arm {
		x[i*arms+a] = 1
	}
	return x
}

func (s *structure) setFit(fit Fit, table Table, terms []int, residual int, confidence float64) {
	s.fit = &fit
	for t, k := range terms {
		lev := &s.levels[k]
		line, inner := table.Lines[t], table.Lines[t+1]
		lev.index, lev.df = t, float64(line.DF)
		if table.Balanced {
			lev.variance, lev.method = MLS(line, inner, confidence), MethodMLS
		} else {
			lev.method = MethodProfile
			sd, err := ProfileSD(fit, t, confidence)
			lev.variance = analysis.Estimate{Lo: sq(sd.Lo), Hi: sq(sd.Hi), Confidence: confidence}
			s.failed = s.failed || err != nil
		}
		lev.include(fit.Var[t])
	}
	line := table.Lines[len(terms)]
	lev := &s.levels[residual]
	lev.index, lev.df, lev.method = len(terms), float64(line.DF), MethodChiSquare
	lev.variance = chiSquare(line.MS(), lev.df, confidence)
	lev.include(fit.Var[len(terms)])
	s.failed = s.failed || !fit.Status.Converged
}

// include makes v the estimate. Bounds come from mean squares, v from REML,
// which pools them when a component is 0: in the rare case that it falls
// outside, the bounds are widened to it, which cannot cost coverage.
func (lev *level) include(v float64) {
	lev.variance.Value = v
	lev.variance.Lo = min(lev.variance.Lo, v)
	lev.variance.Hi = max(lev.variance.Hi, v)
}

func (s *structure) components() []Component {
	var out []Component
	for _, lev := range s.levels {
		v := lev.variance
		out = append(out, Component{Level: lev.name, Var: v.Value, SDRel: math.Sqrt(v.Value), Lo: math.Sqrt(v.Lo), Hi: math.Sqrt(v.Hi), DF: lev.df, Method: lev.method})
	}
	setShares(out)
	return out
}

func setShares(components []Component) {
	var total float64
	for _, c := range components {
		if !math.IsNaN(c.Var) {
			total += c.Var
		}
	}
	for i := range components {
		c := &components[i]
		if c.Share = math.NaN(); total > 0 {
			c.Share = c.Var / total
		}
	}
}

func (s *structure) total(confidence float64) analysis.Estimate {
	if s.fit == nil {
		return unknown(confidence)
	}
	e, _ := Total(*s.fit, confidence)
	return analysis.Estimate{Value: math.Sqrt(e.Value), Lo: math.Sqrt(e.Lo), Hi: math.Sqrt(e.Hi), Confidence: confidence}
}

func (s *structure) find(name string) *level {
	for i := range s.levels {
		if s.levels[i].name == name {
			return &s.levels[i]
		}
	}
	return nil
}

// wide is the ratio of the upper bound to the estimate above which an interval
// says almost nothing: one degree of freedom has 32, two have 6.3.
const wide = 10

// doubts are the warnings about the structure and its estimates.
func (s *structure) doubts() []analysis.Warning {
	var w []analysis.Warning
	l := s.l
	if s.residual < 0 {
		w = append(w, analysis.TooFewForNoise{Runs: l.runs, Arms: l.arms})
	}
	day, dayArm, launch := s.find(Day), s.find(DayArm), s.find(Launch)
	dayShown := s.residual >= 0 && l.days > 1 && day.inOuter == noOuter
	switch {
	case l.days < 2:
		w = append(w, analysis.DayToDayUnknown{Days: l.days, Runs: l.runs})
	case !dayShown && s.residual >= 0:
		w = append(w, analysis.DayMovesWithArm{Days: l.days})
	case dayArm != nil && dayArm.inOuter != noOuter:
		w = append(w, analysis.DayArmUnknown{SharedDays: l.shared})
	}
	rows := s.levels[len(s.levels)-1].name
	if s.merged >= 0 {
		w = append(w, analysis.OneComponent{Outer: s.levels[s.merged].name, Inner: rows, Shown: s.levels[s.residual].name})
	}
	switch {
	case launch == nil:
		w = append(w, analysis.RestartsUnknown{})
	case launch.inOuter != noOuter && (s.merged < 0 || launch.inOuter != s.merged):
		outer, shown := Day, ""
		if dayArm != nil {
			outer = DayArm
		}
		if launch.inOuter >= 0 {
			shown = s.levels[launch.inOuter].name
		}
		w = append(w, analysis.OneComponent{Outer: outer, Inner: Launch, Shown: shown})
	}
	for _, k := range s.zeros {
		w = append(w, analysis.ZeroSpread{Level: s.levels[k].name})
	}
	for _, c := range s.components() {
		if c.Var > 0 && c.Hi > wide*c.SDRel {
			w = append(w, analysis.WideInterval{Level: c.Level, Lo: c.Lo, Hi: c.Hi, DF: c.DF})
		}
	}
	if s.failed {
		slope := math.NaN()
		if s.fit != nil {
			slope = s.fit.Status.Slope
		}
		w = append(w, analysis.VarianceNotConverged{Slope: slope})
	}
	return w
}

package history

import (
	"math"
	"slices"

	"noisefloor/analysis"
)

// fewestPoints is how long a series must be before its noise can be learnt from
// itself: with fewer, even a step of three SDs is found less than half of the
// time, and two levels of three points leave nothing to learn from.
const fewestPoints = 10

// design is a series with its runs averaged: within a unit, units within a day.
type design struct {
	opt      Options
	points   []Point
	levels   []Level
	usable   []int     // points with a value
	values   []float64 // per usable point, on the working scale
	cells    [][]cell  // per usable point, its days in the order of days; nil = too many points
	days     []string  // known ones, in order
	runs     int
	warnings []analysis.Warning
}

// cell is what one point did on one day.
type cell struct {
	day         string
	mean        float64   // of the units' means
	units       []float64 // means of the outermost units; nil = some run does not say its unit
	first, last float64   // slots; NaN = unknown
}

// newDesign keeps the cells of so many points at most: of a million points only
// the values are needed.
func newDesign(points []Point, opt Options, most int) *design {
	d := &design{opt: opt, points: points, levels: make([]Level, len(points))}
	refused := 0
	seen := map[string]bool{}
	d.usable, d.values = make([]int, 0, len(points)), make([]float64, 0, len(points))
	var single [1]cell
	for i := range points {
		l := &d.levels[i]
		*l = Level{Label: points[i].Label, Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Segment: -1}
		runs := points[i].Runs
		if len(runs) == 1 {
			r := &runs[0]
			if v, ok := opt.working(r.Value); ok {
				single[0] = cell{day: r.Day, mean: v, first: r.Slot, last: r.Slot}
				if slices.ContainsFunc(r.Nest, func(unit string) bool { return unit != "" }) {
					single[0].units = []float64{v}
				}
				l.Value, l.Lo, l.Hi, l.Runs = r.Value, r.Value, r.Value, 1
				d.add(i, single[:], seen, most)
				continue
			}
		}
		usable := 0
		for j := range runs {
			if _, ok := opt.working(runs[j].Value); ok {
				usable++
			} else if !math.IsNaN(runs[j].Value) {
				refused++
			}
		}
		if usable == 0 {
			continue
		}
		if usable < len(runs) {
			runs = slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { _, ok := opt.working(r.Value); return !ok })
		}
		cells := byDay(runs, opt)
		l.Lo, l.Hi = runs[0].Value, runs[0].Value
		for j := range runs {
			l.Lo, l.Hi = min(l.Lo, runs[j].Value), max(l.Hi, runs[j].Value)
		}
		l.Runs = len(runs)
		l.Value = opt.natural(cellMean(cells))
		d.add(i, cells, seen, most)
	}
	slices.SortFunc(d.days, analysis.Natural)
	if refused > 0 {
		d.warnings = append(d.warnings, analysis.NotPositive{Runs: refused})
	}
	return d
}

// add keeps a point with its cells, and the days that were not seen before.
func (d *design) add(point int, cells []cell, seen map[string]bool, most int) {
	l := &d.levels[point]
	for i := range cells {
		day := cells[i].day
		if day == "" {
			continue
		}
		l.Days++
		if !seen[day] {
			seen[day] = true
			d.days = append(d.days, day)
		}
	}
	d.usable, d.values = append(d.usable, point), append(d.values, cellMean(cells))
	d.runs += l.Runs
	if len(d.usable) > most {
		d.cells = nil
		return
	}
	d.cells = append(d.cells, slices.Clone(cells))
}

// byDay makes the cells of one point, in the order of days.
func byDay(runs []Run, opt Options) []cell {
	sorted := slices.Clone(runs)
	slices.SortStableFunc(sorted, func(a, b Run) int { return analysis.Natural(a.Day, b.Day) })
	var cells []cell
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j].Day == sorted[i].Day {
			j++
		}
		cells = append(cells, newCell(sorted[i:j], opt))
		i = j
	}
	return cells
}

// cellMean is the point's value: its days count equally.
func cellMean(cells []cell) float64 {
	sum := 0.
	for i := range cells {
		sum += cells[i].mean
	}
	return sum / float64(len(cells))
}

// newCell averages the runs of one day from the inside out: runs of one
// innermost unit, then unit by unit.
func newCell(runs []Run, opt Options) cell {
	c := cell{day: runs[0].Day, first: math.Inf(1), last: math.Inf(-1)}
	for i := range runs {
		c.first, c.last = min(c.first, runs[i].Slot), max(c.last, runs[i].Slot) // NaN stays NaN
	}
	level := unitLevel(runs)
	if level < 0 {
		c.mean = nestedMean(runs, 0, opt)
		return c
	}
	for _, unit := range byUnit(runs, level) {
		c.units = append(c.units, nestedMean(unit, level+1, opt))
	}
	c.mean = mean(c.units)
	return c
}

// unitLevel is the outermost level of nesting that all runs name and that has
// several units; the innermost named one if none has; -1 if none is named.
func unitLevel(runs []Run) int {
	named := -1
	for level := range runs[0].Nest {
		if slices.ContainsFunc(runs, func(r Run) bool { return level >= len(r.Nest) || r.Nest[level] == "" }) {
			continue
		}
		named = level
		if slices.ContainsFunc(runs, func(r Run) bool { return r.Nest[level] != runs[0].Nest[level] }) {
			return level
		}
	}
	return named
}

func byUnit(runs []Run, level int) [][]Run {
	var units [][]Run
	at := map[string]int{}
	for _, r := range runs {
		name := ""
		if level < len(r.Nest) {
			name = r.Nest[level]
		}
		i, ok := at[name]
		if !ok {
			i = len(units)
			at[name] = i
			units = append(units, nil)
		}
		units[i] = append(units[i], r)
	}
	return units
}

func nestedMean(runs []Run, level int, opt Options) float64 {
	if len(runs) == 0 || level >= len(runs[0].Nest) {
		sum := 0.
		for _, r := range runs {
			v, _ := opt.working(r.Value)
			sum += v
		}
		return sum / float64(len(runs))
	}
	units := byUnit(runs, level)
	sum := 0.
	for _, unit := range units {
		sum += nestedMean(unit, level+1, opt)
	}
	return sum / float64(len(units))
}

// basis is how the points are to be judged.
type basis struct {
	kind        Basis
	conditional bool
	values      []float64 // on the working scale, of the usable points
	weights     []float64 // 1/variance, mean 1; nil = equal
	variance    float64   // of a point of weight 1, from replicates
	df          float64
	warnings    []analysis.Warning
}

// basis decides what the noise is learnt from, the strongest evidence first:
// days that the points share; units inside the one day there was, which speaks
// for that day alone; the scatter of a long series; days of each point's own.
func (d *design) basis() basis {
	n := len(d.usable)
	if n < 2 {
		return d.none()
	}
	if n <= mostReplicated {
		if b, ok := d.blocks(); ok {
			return b
		}
		if b, ok := d.inDay(); ok {
			return b
		}
	}
	if n >= fewestPoints {
		return d.series()
	}
	if b, ok := d.ownDays(); ok {
		return b
	}
	return d.none()
}

// mostReplicated is how many points are judged by replicates inside them. More
// of them tell their noise by themselves, and simulating their null would take
// seconds.
const mostReplicated = 200

// none says why nothing can be told.
func (d *design) none() basis {
	b := basis{kind: BasisNone, variance: math.NaN(), df: math.NaN()}
	unknown := slices.ContainsFunc(d.cells, func(c []cell) bool { return c[0].units == nil })
	w := analysis.NothingRepeats{Points: len(d.usable), Need: fewestPoints, Days: len(d.days), UnitsUnknown: unknown && d.runs > len(d.usable)}
	b.warnings = []analysis.Warning{w}
	b.values = d.values
	return b
}

// blocks: two days or more on which all points ran. What a day does to all of
// them cancels, and what is left of point x day is the noise; with two days, of
// n - 1 degrees of freedom.
func (d *design) blocks() (basis, bool) {
	var shared []string
	for _, first := range d.cells[0] {
		all := first.day != "" && !slices.ContainsFunc(d.cells, func(c []cell) bool {
			return !slices.ContainsFunc(c, func(c cell) bool { return c.day == first.day })
		})
		if all {
			shared = append(shared, first.day)
		}
	}
	n, days := len(d.usable), len(shared)
	if days < 2 {
		return basis{}, false
	}
	dropped := slices.DeleteFunc(slices.Clone(d.days), func(day string) bool { return slices.Contains(shared, day) })
	table := make([][]float64, n) // points x shared days
	for i, cells := range d.cells {
		for _, c := range cells {
			if slices.Contains(shared, c.day) {
				table[i] = append(table[i], c.mean)
			}
		}
	}
	b := basis{kind: BasisBlocks, values: make([]float64, n)}
	dayMean := make([]float64, days)
	grand := 0.
	for i := range table {
		b.values[i] = mean(table[i])
		grand += b.values[i] / float64(n)
		for j, v := range table[i] {
			dayMean[j] += v / float64(n)
		}
	}
	ss := 0.
	for i := range table {
		for j, v := range table[i] {
			e := v - b.values[i] - dayMean[j] + grand
			ss += e * e
		}
	}
	b.df = float64((n - 1) * (days - 1))
	b.variance = ss / b.df / float64(days)
	if len(dropped) > 0 {
		b.warnings = append(b.warnings, analysis.DaysDropped{Days: dropped})
	}
	return b, true
}

// ownDays: points that share no days, but have several each: the scatter of
// day means inside the points is the noise.
func (d *design) ownDays() (basis, bool) {
	groups := make([][]float64, len(d.cells))
	for i, cells := range d.cells {
		for _, c := range cells {
			if c.day == "" {
				return basis{}, false
			}
			groups[i] = append(groups[i], c.mean)
		}
	}
	b, ok := pooled(groups)
	if !ok {
		return b, false
	}
	b.kind = BasisDays
	b.warnings = append(b.warnings, analysis.PointsInSequence{})
	return b, true
}

// inDay: launches, loads or whatever is the outermost unit that repeats, where
// all runs are of one day (or of an unknown one, as far as anyone can tell).
func (d *design) inDay() (basis, bool) {
	groups := make([][]float64, len(d.cells))
	fewest := math.MaxInt
	for i, cells := range d.cells {
		if len(d.days) > 1 || len(cells) > 1 || cells[0].units == nil {
			return basis{}, false
		}
		groups[i] = cells[0].units
		fewest = min(fewest, len(groups[i]))
	}
	b, ok := pooled(groups)
	if !ok {
		return b, false
	}
	b.kind, b.conditional = BasisLaunches, true
	day := ""
	if len(d.days) == 1 {
		day = d.days[0]
	}
	b.warnings = append(b.warnings, analysis.OnlyThatDay{Day: day, Launches: fewest})
	return b, true
}

// pooled learns one variance from replicates inside the points; it needs two
// degrees of freedom.
func pooled(groups [][]float64) (basis, bool) {
	var b basis
	ss, smallest := 0., math.Inf(1)
	for _, g := range groups {
		m := mean(g)
		b.values = append(b.values, m)
		for _, v := range g {
			ss += (v - m) * (v - m)
		}
		b.df += float64(len(g) - 1)
		b.weights = append(b.weights, float64(len(g)))
		smallest = min(smallest, float64(len(g)))
	}
	if b.df < 2 {
		return basis{}, false
	}
	average := mean(b.weights)
	for i := range b.weights {
		b.weights[i] /= average
	}
	b.variance = ss / b.df / average
	return b, true
}

// series: the points' scatter around their level is the noise, days and
// launches included. Points with fewer runs count less, as far as the scatter
// inside the points explains that between them.
func (d *design) series() basis {
	b := basis{kind: BasisSeries, values: d.values}
	if len(d.days) == 1 {
		b.conditional = true
		b.warnings = append(b.warnings, analysis.OnlyThatDay{Day: d.days[0], Launches: 1})
	}
	if d.runs == len(d.usable) {
		return b
	}
	var inside, df float64
	sizes := make([]float64, len(d.usable))
	for i, point := range d.usable {
		for _, r := range d.points[point].Runs {
			if v, ok := d.opt.working(r.Value); ok {
				inside += (v - d.values[i]) * (v - d.values[i])
				sizes[i]++
			}
		}
		df += sizes[i] - 1
	}
	if df < 1 || slices.Min(sizes) == slices.Max(sizes) {
		return b
	}
	inside /= df
	_, total := roughNoise(b.values)
	expected := 0. // of the scatter between points, what the runs inside explain
	for _, size := range sizes {
		expected += inside / size / float64(len(sizes))
	}
	between := max(0, total-expected)
	if inside == 0 || between == 0 && inside == 0 {
		return b
	}
	for _, size := range sizes {
		b.weights = append(b.weights, 1/(between+inside/size))
	}
	average := mean(b.weights)
	for i := range b.weights {
		b.weights[i] /= average
	}
	return b
}

// separated tells on how many days both the points a..b-1 and the points b..c-1
// ran, on how many of them the running order is unknown, and whether on all of
// them the older ones came first (-1), the newer ones (1), or neither (0).
func (d *design) separated(a, b, c int) (days, unknown, side int) {
	type span struct{ first, last float64 }
	spans := func(from, to int) map[string]span {
		m := map[string]span{}
		for _, cells := range d.cells[from:to] {
			for _, c := range cells {
				s, ok := m[c.day]
				if !ok {
					s = span{c.first, c.last}
				}
				m[c.day] = span{min(s.first, c.first), max(s.last, c.last)} // NaN stays NaN
			}
		}
		return m
	}
	old, young := spans(a, b), spans(b, c)
	sides := map[int]int{}
	for day, o := range old {
		y, ok := young[day]
		if !ok {
			continue
		}
		days++
		switch {
		case math.IsNaN(o.first) || math.IsNaN(y.first):
			unknown++
		case o.last < y.first:
			sides[-1]++
		case y.last < o.first:
			sides[1]++
		}
	}
	for s, n := range sides {
		if n == days {
			side = s
		}
	}
	return days, unknown, side
}

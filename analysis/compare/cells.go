package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
)

// cell is what one arm did on one day: all that any rule looks at.
type cell struct {
	day      string
	mean     float64  // mean over launches of their means over runs, on the working scale
	runs     []int    // number of runs; one entry a stratum (a headline has several)
	launches []launch // by name; nil if the launch of any run is unknown
	first    float64  // slots of the first and the last run; NaN if any is unknown
	last     float64
	values   []float64 // of the runs, on the working scale
	members  []Run     // parallel to values
}

type launch struct {
	name string
	mean float64
	runs int
}

func (c *cell) size() int {
	n := 0
	for _, r := range c.runs {
		n += r
	}
	return n
}

// day holds the cells of one day; an arm that did not run is nil.
type day struct {
	name  string // "" = unknown
	arm   [2]*cell
	order order
	lean  float64 // leanOf the arms; 0 where the order is unknown
}

func (d *day) shared() bool { return d.arm[0] != nil && d.arm[1] != nil }

// table is a design with its values.
type table struct {
	opt         Options // with defaults
	scale       Scale
	aggregate   Aggregate
	days        []*day // known ones in time order, the unknown one last
	notFinite   int
	notPositive int
	strata      int      // averaged in it
	lost        []string // days gone before the table was made (headlines)
	ss          float64  // squares of runs around the mean of their cell, and
	ssDF        int      // their degrees of freedom
	allZero     bool
	largest     float64 // absolute value on the working scale, what rounding errors are relative to
	atCeiling   int
}

// tabulate averages runs within a launch and launches within day and arm.
func tabulate(runs []Run, opt Options) *table {
	scale := opt.Scale
	sorted := slices.Clone(runs) // the caller's order is data
	// Sorted by everything, so that the sums below do not depend on the order
	// of the input, to the last bit.
	slices.SortFunc(sorted, func(a, b Run) int {
		return cmp.Or(strings.Compare(a.Day, b.Day), cmp.Compare(a.Arm, b.Arm), strings.Compare(a.Launch, b.Launch),
			cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Value, b.Value), strings.Compare(a.ID, b.ID))
	})
	t := &table{opt: opt, scale: scale, aggregate: MeanOfRuns, allZero: true, strata: 1}
	if opt.Median {
		t.aggregate = MedianOfRuns
	}
	if scale == Ratio {
		t.largest = 1 // a value has a relative rounding error, so its log an absolute one
	}
	kept := sorted[:0]
	values := make([]float64, 0, len(sorted))
	for _, r := range sorted {
		if r.Arm != 0 && r.Arm != 1 {
			panic("compare: an arm is 0 (base) or 1 (contender)")
		}
		if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) {
			t.notFinite++
			continue
		}
		v := r.Value
		if v != 0 {
			t.allZero = false
		}
		if opt.Ceiling > 0 && v >= opt.Ceiling {
			t.atCeiling++
		}
		if scale == Ratio {
			if v <= 0 {
				t.notPositive++
			}
			v = math.Log(v)
		}
		t.largest = max(t.largest, math.Abs(v))
		kept = append(kept, r)
		values = append(values, v)
	}
	if opt.Quantile > 0 && len(kept) > 0 && !slices.ContainsFunc(kept, func(r Run) bool { return r.Histogram == nil }) {
		t.aggregate = MergedHistograms
	}
	for i := 0; i < len(kept); {
		j := i + 1
		for j < len(kept) && kept[j].Day == kept[i].Day && kept[j].Arm == kept[i].Arm {
			j++
		}
		c := t.newCell(kept[i:j], values[i:j])
		t.place(kept[i].Arm, c)
		_, ss := meanAndSquares(c.values)
		t.ss += ss
		t.ssDF += len(c.values) - 1
		i = j
	}
	for _, d := range t.days {
		if d.shared() {
			if d.order = orderOf(d.arm[0], d.arm[1]); d.order != orderUnknown {
				d.lean = leanOf(d.arm[0], d.arm[1])
			}
		}
	}
	t.sortDays()
	return t
}

func (t *table) newCell(members []Run, values []float64) *cell {
	c := &cell{day: members[0].Day, runs: []int{len(members)}, members: members, values: values, first: math.Inf(1), last: math.Inf(-1)}
	known := true
	var centres []float64
	for i := 0; i < len(members); {
		j := i + 1
		for j < len(members) && members[j].Launch == members[i].Launch {
			j++
		}
		m := t.centre(members[i:j], values[i:j])
		centres = append(centres, m)
		known = known && members[i].Launch != ""
		c.launches = append(c.launches, launch{name: members[i].Launch, mean: m, runs: j - i})
		i = j
	}
	switch t.aggregate {
	case MergedHistograms: // a quantile of all, not the mean of those of the launches
		c.mean = t.quantile(members)
	case MedianOfRuns:
		c.mean = analysis.Median(centres)
	default:
		c.mean = mean(centres)
	}
	if !known {
		c.launches = nil
	}
	for _, r := range members {
		if math.IsNaN(r.Slot) {
			c.first, c.last = math.NaN(), math.NaN()
			break
		}
		c.first, c.last = min(c.first, r.Slot), max(c.last, r.Slot)
	}
	return c
}

// centre is the value of the runs of a launch taken together.
func (t *table) centre(members []Run, values []float64) float64 {
	switch t.aggregate {
	case MergedHistograms:
		return t.quantile(members)
	case MedianOfRuns:
		return analysis.Median(values)
	}
	return mean(values)
}

// place puts a cell on its day; cells come sorted by day.
func (t *table) place(arm int, c *cell) {
	if n := len(t.days); n == 0 || t.days[n-1].name != c.day {
		t.days = append(t.days, &day{name: c.day})
	}
	t.days[len(t.days)-1].arm[arm] = c
}

// sortDays puts known days in time order: by their slots if those run on from
// day to day, else by name, with numbers in names read as numbers.
func (t *table) sortDays() {
	span := func(d *day) (first, last float64) {
		first, last = math.Inf(1), math.Inf(-1)
		for _, c := range d.arm {
			if c != nil {
				first, last = min(first, c.first), max(last, c.last) // NaN if either is
			}
		}
		return first, last
	}
	byName := func(a, b *day) int {
		if (a.name == "") != (b.name == "") {
			return cmp.Compare(b.name, a.name) // unknown last
		}
		return analysis.Natural(a.name, b.name)
	}
	slices.SortFunc(t.days, byName)
	known := t.days
	if n := len(known); n > 0 && known[n-1].name == "" {
		known = known[:n-1]
	}
	bySlot := slices.Clone(known)
	slices.SortStableFunc(bySlot, func(a, b *day) int {
		first, _ := span(a)
		second, _ := span(b)
		return cmp.Compare(first, second)
	})
	for i := range bySlot {
		first, last := span(bySlot[i])
		if math.IsNaN(first) || math.IsNaN(last) {
			return
		}
		if i > 0 {
			if _, before := span(bySlot[i-1]); !(before < first) {
				return
			}
		}
	}
	copy(known, bySlot)
}

// cells of one arm; only days with a name if known is set.
func (t *table) cells(arm int, known bool) []*cell {
	var cs []*cell
	for _, d := range t.days {
		if c := d.arm[arm]; c != nil && !(known && d.name == "") {
			cs = append(cs, c)
		}
	}
	return cs
}

// sharedDays are known days with both arms.
func (t *table) sharedDays() []*day {
	var ds []*day
	for _, d := range t.days {
		if d.name != "" && d.shared() {
			ds = append(ds, d)
		}
	}
	return ds
}

// unknownDay is the day without a name, or nil.
func (t *table) unknownDay() *day {
	if n := len(t.days); n > 0 && t.days[n-1].name == "" {
		return t.days[n-1]
	}
	return nil
}

func runsIn(cs ...*cell) int {
	n := 0
	for _, c := range cs {
		if c != nil {
			n += c.size()
		}
	}
	return n
}

// launchesIn counts launches; 0 if any is unknown.
func launchesIn(cs []*cell) int {
	n := 0
	for _, c := range cs {
		if c.launches == nil {
			return 0
		}
		n += len(c.launches)
	}
	return n
}

// withinSD is the spread of runs around the mean of their cell, pooled; NaN
// if no cell has two.
func (t *table) withinSD() float64 {
	if t.ssDF == 0 {
		return math.NaN()
	}
	return math.Sqrt(t.ss / float64(t.ssDF))
}

func (t *table) design() Design {
	var d Design
	for _, s := range t.sharedDays() {
		d.SharedDays = append(d.SharedDays, s.name)
	}
	for arm := range 2 {
		all := t.cells(arm, false)
		d.Days[arm] = len(t.cells(arm, true))
		d.Launches[arm] = launchesIn(all)
		d.Runs[arm] = runsIn(all...)
	}
	return d
}

func mean(x []float64) float64 {
	m, _ := meanAndSquares(x)
	return m
}

// meanAndSquares gives the mean and the sum of squares around it, in two
// passes.
func meanAndSquares(x []float64) (m, ss float64) {
	if len(x) == 0 {
		return math.NaN(), 0
	}
	for _, v := range x {
		m += v
	}
	m /= float64(len(x))
	for _, v := range x {
		ss += (v - m) * (v - m)
	}
	return m, ss
}

package compare

import (
	"cmp"
	"math"
	"slices"

	"noisefloor/analysis"
)

// Stratum is one stratum's runs of a pair of arms.
type Stratum struct {
	Label string // "8 threads"
	Runs  []Run
	Donor *Donor // noise for a design without its own; nil = none
}

// Headline is the change over all strata that both arms have: the geometric
// mean of their ratios per day, then the same rule as for one stratum. It is a
// test of its own at its own level, apart from the family of the strata.
//
// A day counts only if every stratum ran on it, with the arm in question: a
// day that lacks the slow stratum would look fast. Where strata lack days,
// either the stratum or the days must go, and whichever way leaves more cells
// (stratum x arm x day) is taken, as long as half of the strata stay. That
// choice sees which runs exist, never what they measured, so it cannot favour
// an arm.
func Headline(strata []Stratum, opt Options) (result Result, dropped []string) {
	opt = opt.withDefaults()
	sorted := slices.Clone(strata)
	slices.SortStableFunc(sorted, func(a, b Stratum) int { return analysis.Natural(a.Label, b.Label) })
	var in []*candidate
	notPositive := 0
	for _, s := range sorted {
		c := newCandidate(s, opt)
		notPositive += c.table.notPositive
		if c.usable() {
			in = append(in, c)
		} else {
			dropped = append(dropped, s.Label)
		}
	}
	var n notes
	kept := mostCells(in)
	for _, c := range in {
		if !slices.Contains(kept, c) {
			dropped = append(dropped, c.label)
		}
	}
	slices.SortFunc(dropped, analysis.Natural)
	if len(kept) == 0 && notPositive > 0 {
		n.add(analysis.NotPositive{Runs: notPositive})
	} else if len(kept) == 0 {
		n.add(analysis.NoSharedStratum{Remedy: analysis.Remedy{AtBest: math.NaN()}})
	}
	if len(kept) == 0 {
		result = blank(opt)
		result.Warnings = n.refusals
		return result, dropped
	}
	if len(dropped) > 0 {
		n.add(analysis.StrataDropped{Labels: dropped})
	}
	opt.Donor = widestDonor(kept)
	return average(kept, opt).judge(opt, n), dropped
}

// place is one arm on one day.
type place struct {
	day string
	arm int
}

// candidate is a stratum that could take part.
type candidate struct {
	label string
	table *table
	donor *Donor
	cells map[place]*cell
}

func newCandidate(s Stratum, opt Options) *candidate {
	c := &candidate{label: s.Label, table: tabulate(s.Runs, opt), donor: s.Donor, cells: map[place]*cell{}}
	for _, d := range c.table.days {
		for arm, x := range d.arm {
			if x != nil {
				c.cells[place{d.name, arm}] = x
			}
		}
	}
	return c
}

// usable: both arms are there, and all values have a logarithm.
func (c *candidate) usable() bool {
	var arms [2]bool
	for p := range c.cells {
		arms[p.arm] = true
	}
	return arms[0] && arms[1] && c.table.notPositive == 0
}

// mostCells drops strata one at a time, always the one whose going leaves the
// most places that all others have, and keeps the set with the most cells;
// sets that can answer at all come first, and more strata before fewer. A
// headline about a minority of the strata would be none, so half of them stay;
// nil if such strata have nothing of both arms in common.
func mostCells(in []*candidate) (best []*candidate) {
	alive := slices.Clone(in)
	bestRank, bestCells := 0, 0
	for 2*len(alive) >= len(in) && len(alive) > 0 {
		common := commonPlaces(alive)
		rank, cells := answers(common), len(alive)*len(common)
		if rank > bestRank || (rank == bestRank && cells > bestCells) {
			best, bestRank, bestCells = slices.Clone(alive), rank, cells
		}
		alive = withoutWorst(alive)
	}
	return best
}

func commonPlaces(cs []*candidate) []place {
	var common []place
	for p := range cs[0].cells {
		if !slices.ContainsFunc(cs, func(c *candidate) bool { return c.cells[p] == nil }) {
			common = append(common, p)
		}
	}
	return common
}

// answers ranks what a set of places supports: 0 nothing, as an arm is missing;
// 1 an observation; 2 perhaps a verdict.
func answers(places []place) int {
	var seen, own [2]int // places; those on known days
	shared := 0
	for _, p := range places {
		seen[p.arm]++
		if p.day == "" {
			continue
		}
		own[p.arm]++
		if p.arm == 0 && slices.Contains(places, place{p.day, 1}) {
			shared++
		}
	}
	switch {
	case seen[0] == 0 || seen[1] == 0:
		return 0
	case shared >= 2 || (own[0] >= 2 && own[1] >= 2):
		return 2
	}
	return 1
}

// withoutWorst drops the candidate whose going gives the others most places in
// common; of equals the one whose places fewest others have, then the one with
// fewest, then the last by label.
func withoutWorst(cs []*candidate) []*candidate {
	have := map[place]int{} // candidates that have it
	for _, c := range cs {
		for p := range c.cells {
			have[p]++
		}
	}
	gain := make([]int, len(cs))    // places that only this one lacks
	company := make([]int, len(cs)) // candidates at its places, summed
	for i, c := range cs {
		for p, n := range have {
			switch {
			case c.cells[p] != nil:
				company[i] += n
			case n == len(cs)-1:
				gain[i]++
			}
		}
	}
	worst := 0
	for i := range cs {
		if cmp.Or(cmp.Compare(gain[i], gain[worst]), cmp.Compare(company[worst]*len(cs[i].cells), company[i]*len(cs[worst].cells)), cmp.Compare(len(cs[worst].cells), len(cs[i].cells))) >= 0 {
			worst = i
		}
	}
	return slices.Delete(slices.Clone(cs), worst, worst+1)
}

// average makes one table of the places that all strata have: the mean over
// strata of each cell.
func average(cs []*candidate, opt Options) *table {
	t := &table{opt: opt, scale: opt.Scale, aggregate: cs[0].table.aggregate, allZero: true, strata: len(cs)}
	common := commonPlaces(cs)
	slices.SortFunc(common, func(a, b place) int {
		return cmp.Or(analysis.Natural(a.day, b.day), cmp.Compare(a.arm, b.arm))
	})
	for _, p := range common {
		var cells []*cell
		for _, c := range cs {
			cells = append(cells, c.cells[p])
		}
		t.place(p.arm, averageCell(p.day, cells))
	}
	for _, c := range cs {
		t.ss += c.table.ss
		t.ssDF += c.table.ssDF
		t.notFinite += c.table.notFinite
		t.atCeiling += c.table.atCeiling
		if c.table.aggregate != t.aggregate { // some strata have histograms, some have not
			t.aggregate = MeanOfRuns
		}
		t.allZero = t.allZero && c.table.allZero
		t.largest = max(t.largest, c.table.largest)
		for _, d := range c.table.days {
			i := slices.IndexFunc(t.days, func(x *day) bool { return x.name == d.name })
			if d.name != "" && (i < 0 || !sameArms(t.days[i], d)) && !slices.Contains(t.lost, d.name) {
				t.lost = append(t.lost, d.name)
			}
		}
	}
	for _, d := range t.days {
		if d.shared() {
			d.order, d.lean = averageOrder(d.name, cs)
		}
	}
	t.sortDays()
	slices.SortFunc(t.lost, analysis.Natural)
	return t
}

func sameArms(a, b *day) bool {
	return (a.arm[0] != nil) == (b.arm[0] != nil) && (a.arm[1] != nil) == (b.arm[1] != nil)
}

func averageCell(name string, cells []*cell) *cell {
	if len(cells) == 1 {
		return cells[0]
	}
	out := &cell{day: name, first: math.Inf(1), last: math.Inf(-1)}
	means := make([]float64, 0, len(cells))
	sameLaunches := true
	for _, c := range cells {
		means = append(means, c.mean)
		out.runs = append(out.runs, c.runs...)
		out.first, out.last = min(out.first, c.first), max(out.last, c.last)
		sameLaunches = sameLaunches && c.launches != nil && slices.EqualFunc(c.launches, cells[0].launches,
			func(a, b launch) bool { return a.name == b.name })
	}
	out.mean = mean(means)
	if !sameLaunches {
		return out
	}
	for i, l := range cells[0].launches {
		out.launches = append(out.launches, launch{name: l.name})
		var ms []float64
		for _, c := range cells {
			ms = append(ms, c.launches[i].mean)
			out.launches[i].runs += c.launches[i].runs
		}
		out.launches[i].mean = mean(ms)
	}
	return out
}

// averageOrder: a day is a block only if every stratum ran its arms in that
// order. Sweeping strata one after the other, base first in each, is a block
// in each, though the arms alternate over the day.
func averageOrder(name string, cs []*candidate) (out order, lean float64) {
	for i, c := range cs {
		base, contender := c.cells[place{name, 0}], c.cells[place{name, 1}]
		o := orderOf(base, contender)
		switch {
		case o == orderUnknown:
			return orderUnknown, 0
		case i == 0:
			out = o
		case o != out:
			out = mixed
		}
		lean += leanOf(base, contender) / float64(len(cs))
	}
	return out, lean
}

package report

import (
	"slices"

	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/datasets"
)

// Noise is where noise may be borrowed from: numbers, which stand for the
// primary metric, or the runs of other data.
type Noise struct {
	Name    string
	Given   *compare.Donor
	Runs    []datasets.Run
	Columns []datasets.Column
}

// lender finds the donor of each row.
type lender struct {
	noise *Noise
	opt   Options
	runs  map[string]*datasets.Run // of the borrower, by id
	cells map[string]*lentCells    // by metric
}

// lentCells are the donor's strata of a metric.
type lentCells struct {
	arms  int
	cells []group.Cell
	runs  map[string]*datasets.Run
}

func newLender(in Input, opt Options) *lender {
	if opt.Noise == nil {
		return nil
	}
	return &lender{noise: opt.Noise, opt: opt, runs: byID(in.Runs), cells: map[string]*lentCells{}}
}

func byID(runs []datasets.Run) map[string]*datasets.Run {
	ids := make(map[string]*datasets.Run, len(runs))
	for i := range runs {
		ids[runs[i].ID] = &runs[i]
	}
	return ids
}

// donor is the noise for a row; nil if nothing was to be borrowed. One that fits
// nothing is returned as well, so that the row says so.
func (l *lender) donor(c *group.Cell, options compare.Options) *compare.Donor {
	if l == nil {
		return nil
	}
	none := &compare.Donor{Name: l.noise.Name}
	if l.noise.Given != nil {
		if !c.Primary || options.Scale == compare.Difference { // another metric has another noise
			return none
		}
		return l.noise.Given
	}
	lent := l.of(c.Metric)
	for i := range lent.cells {
		d := &lent.cells[i]
		if l.fits(c, d, lent) {
			return lent.noisiest(d, l.noise.Name, options)
		}
	}
	return none
}

// of sorts the donor's runs as those of the borrower are sorted, with a factor
// of its own under comparison if it lacks that one.
func (l *lender) of(metric string) *lentCells {
	if lent, ok := l.cells[metric]; ok {
		return lent
	}
	lent := &lentCells{runs: byID(l.noise.Runs)}
	opt := l.opt.Group
	opt.Metrics, opt.Where = []string{metric}, nil
	nightly := l.nightly()
	for _, by := range []string{opt.By, ""} {
		opt.By, opt.Base = by, ""
		opt.Ignore = slices.Concat(opt.Ignore, nightly)
		design, cells, _, err := group.Analyse(l.noise.Runs, l.noise.Columns, opt)
		if err == nil {
			lent.arms, lent.cells = len(design.Arms), cells
			break
		}
		opt.Ignore = slices.DeleteFunc(slices.Clone(opt.Ignore), func(name string) bool { return name != "order" })
	}
	l.cells[metric] = lent
	return lent
}

// nightly are the factors of the donor that change from day to day only, as a commit
// does, and that the borrower does not have: what they change is a part of how days differ.
func (l *lender) nightly() (names []string) {
	for _, c := range l.noise.Columns {
		if c.Role != datasets.Metric && !l.has(c.Name) && changesByDay(l.noise.Runs, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

func (l *lender) has(name string) bool {
	for _, r := range l.runs {
		if !r.Value(name).IsNull() {
			return true
		}
	}
	return false
}

func changesByDay(runs []datasets.Run, name string) bool {
	of := map[string]datasets.Value{}
	levels := map[datasets.Value]bool{}
	for i := range runs {
		v := runs[i].Value(name)
		if was, known := of[runs[i].Day]; runs[i].Day == "" || known && was != v {
			return false
		}
		of[runs[i].Day], levels[v] = v, true
	}
	return len(levels) > 1
}

// fits tells whether donor and borrower agree in all that either holds equal.
func (l *lender) fits(c, d *group.Cell, lent *lentCells) bool {
	borrower, donor := l.runs[c.RunIDs[0]], lent.runs[d.RunIDs[0]]
	agree := func(fields []group.Field, other *datasets.Run) bool {
		for _, f := range fields {
			if v := other.Value(f.Name); !v.IsNull() && v != f.Value {
				return false
			}
		}
		return true
	}
	if !agree(c.Stratum, donor) || !agree(d.Stratum, borrower) {
		return false
	}
	for _, name := range []string{"threads", "workload"} { // what always matters, though it may not vary
		if a, b := borrower.Value(name), donor.Value(name); !a.IsNull() && !b.IsNull() && a != b {
			return false
		}
	}
	return true
}

// noisiest takes, of several contenders, the one whose days differ most.
func (lent *lentCells) noisiest(d *group.Cell, name string, options compare.Options) *compare.Donor {
	worst := compare.NewDonor(name, d.Pair(0), options)
	for contender := 1; contender < lent.arms; contender++ {
		donor := compare.NewDonor(name, d.Pair(contender), options)
		if donor.Ratio.SD > worst.Ratio.SD {
			worst.Ratio = donor.Ratio
		}
		if donor.Day.SD > worst.Day.SD {
			worst.Day = donor.Day
		}
	}
	return &worst
}

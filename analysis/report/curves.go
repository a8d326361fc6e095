package report

import (
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/scaling"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// Curves are the curves of one metric in one stratum, an arm each.
type Curves struct {
	Metric  string
	Unit    unit.Unit
	X       string // the factor they are drawn against
	Stratum []group.Field
	Arms    []string // base first
	Asked   bool     // for the law that is drawn
	scaling.Result
}

// CurveOptions are the choices about curves; the zero value makes them all.
type CurveOptions struct {
	X       string // factor; "" = threads, else the number with most levels
	Law     string // "" = the one that describes the data best
	Natural bool   // least squares on the values, not on their logs
}

// Levels that a factor needs to be drawn against: three are the least that can
// contradict a line; a report, which was not asked for curves, waits for four.
const (
	curveLevels       = 3
	reportCurveLevels = 4
)

// clientNames are factors that count clients at work, against which the laws of
// throughput make sense.
var clientNames = []string{"threads", "clients", "connections", "users", "concurrency", "processes", "workers", "virtual_users", "vu", "load"}

// addCurves groups the runs again, without the axis among the strata, and fits
// each group.
func (r *Report) addCurves(in Input, courses *runCourses, opt Options) error {
	if law := opt.Curves.Law; law != "" && !slices.Contains(scaling.Laws(), law) {
		return scaling.UnknownLaw{Name: law}
	}
	asked := len(r.Parts) > 0
	least := reportCurveLevels
	if asked {
		least = curveLevels
	}
	o := opt.Group
	o.X = opt.Curves.X
	if o.X == "" {
		o.X = curveFactor(r.Design, least, opt.Group.By)
	}
	if o.X == "" {
		if asked {
			r.Warnings = append(r.Warnings, analysis.NoCurveFactor{Have: numericFactors(r.Design)})
		}
		return nil
	}
	design, cells, warnings, err := group.Analyse(in.Runs, in.Columns, o)
	if err != nil {
		return err
	}
	if len(r.Parts) == 1 {
		r.Design, r.Warnings = design, warnings
	}
	if len(opt.Group.Metrics) == 0 {
		cells = slices.DeleteFunc(cells, func(c group.Cell) bool { return !c.Primary })
	}
	cells, doubts, err := r.regrouped(in, courses, design, o.X, cells)
	if err != nil {
		return err
	}
	for i := range cells {
		c := &cells[i]
		curves, err := newCurves(design, c, o.X, opt)
		curves.Warnings = append(curves.Warnings, doubts[i]...)
		switch {
		case err == nil:
			r.Curves = append(r.Curves, curves)
		case asked:
			r.Warnings = append(r.Warnings, analysis.CurveUnknown{Metric: c.Metric, Stratum: stratumWords(c.Stratum), Reason: err.Error()})
		}
	}
	return nil
}

func newCurves(design group.Design, c *group.Cell, x string, opt Options) (Curves, error) {
	runs := make([]scaling.Run, len(c.Runs))
	for i, r := range c.Runs {
		runs[i] = scaling.Run{Arm: r.Arm, Day: r.Day, Launch: r.Launch, X: c.Xs[i], Value: r.Value}
	}
	curves := Curves{Metric: c.Metric, Unit: c.Unit, X: x, Stratum: c.Stratum, Arms: design.Arms, Asked: opt.Curves.Law != ""}
	var err error
	curves.Result, err = scaling.Analyse(runs, scaling.Options{
		Arms: max(1, len(design.Arms)), Law: opt.Curves.Law, Natural: opt.Curves.Natural, Better: direction(c.Unit),
		Clients:    c.Unit.Better == unit.Higher && slices.Contains(clientNames, x),
		Confidence: opt.Confidence, Margin: opt.Margin, Seed: opt.Seed,
	})
	for i := range curves.Pairs {
		p := &curves.Pairs[i]
		if refusal := claimRefused(design, c, p.Arm, opt); refusal != nil {
			p.Ranges = nil
			p.Warnings = slices.DeleteFunc(p.Warnings, func(w analysis.Warning) bool { _, is := w.(analysis.NoSharedCurveDays); return is })
			p.Warnings = append(p.Warnings, analysis.CurveClaimRefused{Because: refusal.Kind(), Why: refusal.Why(), Do: refusal.Do()})
		}
	}
	return curves, err
}

// claimRefused asks the rule of comparisons level by level: a design that cannot answer
// at any level cannot answer for the curves.
func claimRefused(design group.Design, c *group.Cell, contender int, opt Options) analysis.Refusal {
	var first analysis.Refusal
	judging := judging{Report: &Report{Design: design}, opt: opt}
	options := judging.pairOptions(c.Metric, contender) // noise is not borrowed for curves
	for _, x := range slices.Compact(slices.Sorted(slices.Values(c.Xs))) {
		level := *c
		level.Runs = nil
		for i, r := range c.Runs {
			if c.Xs[i] == x {
				level.Runs = append(level.Runs, r)
			}
		}
		pair := level.Pair(contender)
		if _, both := lackingArm(pair); !both {
			continue
		}
		result := compare.Judge(pair, options)
		if result.Verdict != analysis.Unsupported {
			return nil
		}
		for _, w := range result.Warnings {
			if refusal, ok := w.(analysis.Refusal); ok && first == nil {
				first = refusal
			}
		}
	}
	return first
}

// curveFactor is what curves are drawn against unless asked: threads, else the
// factor with most numbers. The compared factor counts where it was only guessed.
func curveFactor(d group.Design, least int, by string) string {
	best, most := "", least-1
	for _, f := range d.Factors {
		isBy := f.Role == group.By && by == ""
		if f.Role != group.Stratum && !isBy || len(f.Levels) < least {
			continue
		}
		if slices.ContainsFunc(f.Levels, func(v datasets.Value) bool { _, ok := v.Number(); return !ok }) {
			continue
		}
		if f.Name == "threads" {
			return f.Name
		}
		if len(f.Levels) > most {
			best, most = f.Name, len(f.Levels)
		}
	}
	return best
}

func numericFactors(d group.Design) []string {
	var names []string
	for _, f := range d.Factors {
		if _, ok := f.Levels[0].Number(); ok && len(f.Levels) > 1 && (f.Role == group.Stratum || f.Role == group.By) {
			names = append(names, f.Name)
		}
	}
	return names
}

// arm names the arm of a curve; a single one has no name.
func (c *Curves) arm(i int) string {
	if i >= len(c.Arms) {
		return ""
	}
	return c.Arms[i]
}

// termUnit spells out what a term is counted in: "1/s", "threads", "1/s per
// threads".
func (c *Curves) termUnit(u scaling.Unit) string {
	y := c.Unit.Name
	switch u {
	case scaling.OfX:
		return c.X
	case scaling.OfY:
		return y
	case scaling.YPerX:
		if y == "" {
			y = c.Metric
		}
		one := strings.TrimSuffix(c.X, "s")
		if stem, ok := strings.CutSuffix(c.X, "ies"); ok {
			one = stem + "y"
		}
		return y + " per " + one
	}
	return "1"
}

// lawWords say what a law is about.
var lawWords = map[string]string{
	"linear":     "a straight line",
	"power":      "a power of x",
	"amdahl":     "Amdahl's law: a share sigma of the work is done by one at a time",
	"gustafson":  "Gustafson's law: a line, with a share alpha that does not grow",
	"usl":        "the Universal Scalability Law: contention sigma, coherency kappa",
	"peak":       "a parabola in logs: a turn in the middle",
	"saturating": "saturation: from a start to a plateau",
	"segmented":  "two lines with a knee",
}

// better tells whether the contender is the better one where its value is higher
// (above) or lower: faster, slower, or only higher and lower.
func (c *Curves) better(above bool) string {
	switch {
	case c.Unit.Better == unit.Neither && above:
		return "higher"
	case c.Unit.Better == unit.Neither:
		return "lower"
	case above == (c.Unit.Better == unit.Higher):
		return string(analysis.Faster)
	}
	return string(analysis.Slower)
}

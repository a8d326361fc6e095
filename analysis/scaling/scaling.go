// Package scaling draws curves through runs at several levels of a number:
// throughput against threads, seconds against entries. It says which law describes
// them, if any does, with intervals for its terms, for the curve, for the best
// level and for the knee; and of two arms, from where to where one is ahead of the
// other, and where they cross.
//
// It refuses what the runs cannot carry: an interval from one day, a peak outside
// the levels as "the best", a law with as many terms as there are levels. "None of
// these laws describes the data" is an answer.
//
// Laws are fitted by least squares on logs, where a percent counts the same at
// every level, or on the values themselves (Options.Natural). Each day has a scale
// of its own in the fit. Intervals leave out one day at a time.
package scaling

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"noisefloor/analysis"
)

// Run is one run: where it stands, and what it measured.
type Run struct {
	Arm    int // from 0; 0 is the base
	Day    string
	Launch string
	X      float64
	Value  float64
}

// Options are the caller's choices; the zero value is the published default.
type Options struct {
	Arms       int     // how many; 0 = 1
	Law        string  // "" = choose among Laws
	Clients    bool    // x counts clients at work and the value is their throughput
	Better     int     // 1 more is better, -1 less is, 0 neither
	Natural    bool    // least squares on the values, not their logs
	LinearX    bool    // the axis grows by steps; else it doubles where levels do
	Confidence float64 // 0 = 0.95
	Margin     float64 // misfit that nobody cares about; 0 = 0.01
	Seed       uint64  // of the band's factor
}

// Result is all curves of one group of runs. All arms have the same law, so that
// their terms can be compared.
type Result struct {
	Law      string // "" = none describes the data; Curves are then of Closest
	Closest  string // the law that is drawn
	LogX     bool
	Levels   []float64
	Choices  []Choice
	Curves   []Curve // per arm that has runs
	Pairs    []Pair  // each contender against the base
	Warnings []analysis.Warning
}

// gridPoints are about a point per ten pixels of a picture.
const gridPoints = 65

// doubling is from which ratio of neighbouring levels, in the middle of them, an
// axis is taken to double: 1, 2, 4, 8 does, 150, 300, 450, 600 does not.
const doubling = 1.5

// alike is from which share of belief on a second law is mentioned.
const alike = .1

// Analyse fits the laws. The error means that there is no curve at all.
func Analyse(runs []Run, opt Options) (Result, error) {
	if opt.Confidence == 0 {
		opt.Confidence = .95
	}
	if opt.Margin == 0 {
		opt.Margin = .01
	}
	opt.Arms = max(1, opt.Arms)
	families, err := candidates(opt)
	if err != nil {
		return Result{}, err
	}
	if err := usable(runs, opt); err != nil {
		return Result{}, err
	}
	runs, unknown := placed(runs, opt.Arms)
	a := newAxis(runs, opt.LinearX)
	res := Result{LogX: a.log, Levels: a.levels}
	if len(a.levels) < 2 {
		return res, errors.New("scaling: all runs have the same level")
	}
	var samples []*sample
	var arms []int
	for arm := range opt.Arms {
		s := newSample(runs, arm, a, opt.Natural)
		if len(s.y) == 0 {
			continue
		}
		if whole := s.wholeDays(); len(whole.days) < len(s.days) {
			pooled := len(whole.days) < 2
			res.warn(analysis.PartialDays{Days: len(s.days) - len(whole.days), Of: len(s.days), Pooled: pooled})
			if s = whole; pooled {
				for i := range runs {
					if runs[i].Arm == arm {
						runs[i].Day = ""
					}
				}
				s = newSample(runs, arm, a, opt.Natural)
			}
		}
		samples, arms = append(samples, s), append(arms, arm)
	}
	f := newFitter(opt.Natural)
	for _, fam := range families {
		res.Choices = append(res.Choices, try(f, fam, samples))
	}
	chosen, closest := choose(res.Choices, opt.Margin)
	if closest < 0 {
		return res, res.noCurve()
	}
	at := closest
	if chosen >= 0 {
		at = chosen
		res.Law = res.Choices[chosen].Law
	}
	res.Closest = res.Choices[at].Law
	res.doubts(at, chosen, opt)

	l := families[at].bind(a)
	none := res.Law == "" && opt.Law == ""
	opt.Law = res.Closest
	rng := rand.New(rand.NewPCG(opt.Seed, 0))
	grid := a.grid()
	for i, s := range samples {
		c := newCurve(f.replicate(l, s), opt, grid, rng)
		c.Arm, c.Law = arms[i], res.Closest
		c.Observed = observed(runs, arms[i], a, opt.Natural)
		if days := c.Days; days == 1 {
			if s.days[0] == "" {
				c.Days = 0
			}
			res.warn(analysis.OneDayCurve{Days: c.Days, Levels: s.levels(), Runs: s.runs, Unknown: unknown[arms[i]]})
		}
		if none { // what the closest law says is about the law
			c.Peak, c.Warnings = nil, nil
		}
		if opt.Clients {
			c.superlinear()
		}
		res.Curves = append(res.Curves, c)
	}
	for i := 1; i < len(res.Curves); i++ {
		if arms[0] == 0 {
			p := newPair(f, l, res.Law != "", &res.Curves[0], &res.Curves[i], opt, grid, rng)
			if none {
				p.Differences = nil
			}
			if len(p.Ratio) == 0 { // no law, and no level that both have
				continue
			}
			res.Pairs = append(res.Pairs, p)
		}
	}
	return res, nil
}

// usable refuses what has no curve.
func usable(runs []Run, opt Options) error {
	bad := 0
	for _, r := range runs {
		if r.Arm < 0 || r.Arm >= opt.Arms {
			panic(fmt.Sprintf("scaling: arm %d of %d", r.Arm, opt.Arms))
		}
		if !(r.Value > 0) || math.IsInf(r.Value, 1) || !known(r.X) {
			bad++
		}
	}
	switch {
	case len(runs) == 0:
		return errors.New("scaling: there are no runs")
	case bad > 0:
		return fmt.Errorf("scaling: %d of %d runs have a value of zero or below, or none, and a curve of shares needs them above zero; look at the logs for why", bad, len(runs))
	}
	return nil
}

// placed gives the runs with their days, and how many of each arm say none. Where
// some runs of an arm do and some do not, the arm's days cannot be told apart, and
// all its runs count as one unknown day.
func placed(runs []Run, arms int) ([]Run, []int) {
	unknown := make([]int, arms)
	for _, r := range runs {
		if r.Day == "" {
			unknown[r.Arm]++
		}
	}
	runs = slices.Clone(runs)
	for i := range runs {
		if unknown[runs[i].Arm] > 0 {
			runs[i].Day = ""
		}
	}
	return runs, unknown
}

func newAxis(runs []Run, linear bool) axis {
	a := axis{levels: make([]float64, 0, len(runs))}
	for _, r := range runs {
		a.levels = append(a.levels, r.X)
	}
	slices.Sort(a.levels)
	a.levels = slices.Compact(a.levels)
	if linear || a.levels[0] <= 0 || len(a.levels) < 2 {
		return a
	}
	ratios := make([]float64, 0, len(a.levels))
	for i := 1; i < len(a.levels); i++ {
		ratios = append(ratios, a.levels[i]/a.levels[i-1])
	}
	slices.Sort(ratios)
	a.log = ratios[len(ratios)/2] >= doubling
	return a
}

// grid is the levels, and between them points at equal steps of the axis.
func (a axis) grid() []float64 {
	grid := slices.Clone(a.levels)
	for i := range gridPoints {
		u := float64(i) / (gridPoints - 1)
		if !slices.ContainsFunc(a.levels, func(x float64) bool { return math.Abs(a.unit(x)-u) < 1e-9 }) {
			grid = append(grid, a.at(u))
		}
	}
	slices.Sort(grid)
	return grid
}

func observed(runs []Run, arm int, a axis, natural bool) []Observed {
	var list []Observed
	for _, x := range a.levels {
		o := Observed{X: x, Low: inf, High: -inf}
		var sum float64
		for _, r := range runs {
			if r.Arm == arm && r.X == x {
				v := r.Value
				o.Low, o.High, o.Runs = math.Min(o.Low, v), math.Max(o.High, v), o.Runs+1
				if !natural {
					v = math.Log(v)
				}
				sum += v
			}
		}
		if o.Runs == 0 {
			continue
		}
		o.Mean = sum / float64(o.Runs)
		if !natural {
			o.Mean = math.Exp(o.Mean)
		}
		list = append(list, o)
	}
	return list
}

func (r *Result) warn(w analysis.Warning) {
	if !slices.Contains(r.Warnings, w) {
		r.Warnings = append(r.Warnings, w)
	}
}

// noCurve says why no law was fitted.
func (r *Result) noCurve() error {
	easiest := r.Choices[0]
	for _, c := range r.Choices {
		if c.Have >= c.Need && !c.Converged {
			return fmt.Errorf("scaling: the search for %s found no curve, or its levels must be above zero", c.Law)
		}
		if c.Need < easiest.Need {
			easiest = c
		}
	}
	return fmt.Errorf("scaling: %s", analysis.TooFewLevels{Laws: easiest.Law, Have: easiest.Have, Need: easiest.Need}.Text())
}

// doubts are those about the choice of the law.
func (r *Result) doubts(at, chosen int, opt Options) {
	c := &r.Choices[at]
	few := analysis.TooFewLevels{Need: math.MaxInt}
	for _, o := range r.Choices {
		if o.Have < o.Need {
			few = few.And(o.Law, o.Have, o.Need)
		} else if !o.fitted() {
			reason := "the search found no curve"
			if !(r.Levels[0] > 0) {
				reason = "it needs levels above zero"
			}
			r.warn(analysis.LawNotFitted{Law: o.Law, Reason: reason})
		}
	}
	if few.Laws != "" {
		r.warn(few)
	}
	switch {
	case chosen < 0 && opt.Law != "":
		r.warn(analysis.LawMisses{Law: c.Law, Misfit: c.Misfit, At: c.MisfitAt, P: c.LackOfFitP})
	case chosen < 0:
		r.warn(analysis.NoLawFits{Closest: c.Law, Misfit: c.Misfit, At: c.MisfitAt, OneDay: math.IsNaN(c.LackOfFitP), Alone: math.IsNaN(c.LackOfFitP) && math.IsNaN(c.onRun)})
	}
	if chosen < 0 {
		return
	}
	if math.IsNaN(c.LackOfFitP) && math.IsNaN(c.onRun) && c.Misfit > opt.Margin {
		r.warn(analysis.MisfitUntested{Law: c.Law, Misfit: c.Misfit, At: c.MisfitAt})
	}
	for i := range r.Choices {
		o := &r.Choices[i]
		if i == at || !(o.Weight > alike) || o.rejected(opt.Margin) {
			continue
		}
		w := analysis.LawsAlike{Law: c.Law, Other: o.Law, Weight: c.Weight, OtherWeight: o.Weight}
		for k := range c.fits {
			a := c.fits[k].s.axis
			differ := func(x float64) float64 { return math.Abs(math.Expm1(o.fits[k].log(x) - c.fits[k].log(x))) }
			for _, x := range a.grid() {
				w.Difference = math.Max(w.Difference, differ(x))
			}
			w.DifferenceBeyondRange = math.Max(w.DifferenceBeyondRange, differ(2*a.hi()))
		}
		if math.Max(w.Difference, w.DifferenceBeyondRange) > opt.Margin { // else they are one curve
			r.warn(w)
		}
	}
}

// superlinear tells whether throughput per client rises, where the law holds
// sigma at 0 and the days, if there are several, do not explain it.
func (c *Curve) superlinear() {
	held := false
	for i, t := range c.Terms {
		if t.Name != "sigma" || t.Value > 0 {
			continue
		}
		beyond := func(f *fit) float64 { return f.values()[i] }
		e := estimate(beyond(c.reps.wide), of(c.reps.wideWithout, beyond), t.Confidence)
		held = e.Value < 0 && !(e.Hi >= 0) // NaN with one day
	}
	if !held || len(c.Observed) == 0 {
		return
	}
	first := c.Observed[0]
	w := analysis.Superlinear{From: first.X}
	for _, o := range c.Observed {
		if gain := o.Mean/o.X/(first.Mean/first.X) - 1; gain > w.Gain {
			w.To, w.Gain = o.X, gain
		}
	}
	if w.Gain > 0 {
		c.Warnings = append(c.Warnings, w)
	}
}

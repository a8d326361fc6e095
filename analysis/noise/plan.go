package noise

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/power"
)

// Variances are what a design averages over: variances of log values. A level
// that cannot be told from one inside it is 0 and counted there; NaN is unknown.
type Variances struct {
	Run    float64 // of runs of one launch
	Launch float64 // of launches of one day and arm
	DayArm float64 // of what a day does to one arm and not to another
	Day    float64 // of what a day does to all arms
	// StandIn: nothing shows DayArm, and all that days do stands there instead, an
	// upper bound.
	StandIn bool
	// Cov is the covariance of these four as estimated. All 0: they are given.
	Cov [4][4]float64
}

// variances are those of the structure's fit.
func (s *structure) variances() Variances {
	nan := math.NaN()
	v := Variances{Run: nan, Launch: nan, DayArm: nan, Day: nan}
	if s.fit == nil {
		return v
	}
	var weight [4][]float64 // of each fitted variance in Run, Launch, DayArm, Day
	for i := range weight {
		weight[i] = make([]float64, len(s.fit.Var))
	}
	set := func(w []float64, lev *level, value float64) {
		if lev != nil && lev.index >= 0 {
			w[lev.index] = value
		}
	}
	set(weight[0], s.find(RunLevel), 1)
	if s.l.run != nil {
		set(weight[0], s.find(Interval), float64(s.l.runs)/float64(s.l.intervals))
	}
	set(weight[1], s.find(Launch), 1)
	between, standIn := s.between()
	set(weight[2], between, 1)
	v.StandIn = standIn
	if !standIn {
		set(weight[3], s.find(Day), 1)
	}
	cov, err := s.fit.varCov()
	for i := range weight {
		for j := range weight {
			if v.Cov[i][j] = nan; err == nil {
				v.Cov[i][j] = dot(weight[i], multiply(cov, weight[j], len(s.fit.Var)))
			}
		}
	}
	v.Run, v.Launch, v.Day = dot(weight[0], s.fit.Var), dot(weight[1], s.fit.Var), dot(weight[3], s.fit.Var)
	if between != nil {
		v.DayArm = dot(weight[2], s.fit.Var)
	}
	return v
}

// ofArm is the variance of an arm's mean on one day, as far as it does not cancel
// in the difference of two arms, with the degrees of freedom of its estimate
// (Satterthwaite 1946); +Inf if it is given.
func (v Variances) ofArm(d dayOfRuns, separate bool) (variance, df float64) {
	w := [4]float64{1 / float64(d.runs), 1 / float64(d.launches), 1, 0}
	value := [4]float64{v.Run, v.Launch, v.DayArm, v.Day}
	if separate && !v.StandIn {
		w[3] = 1
	}
	var error float64
	for i := range w {
		if w[i] == 0 {
			continue
		}
		variance += w[i] * value[i]
		for j := range w {
			error += w[i] * w[j] * v.Cov[i][j]
		}
	}
	if error == 0 {
		return variance, math.Inf(1)
	}
	return variance, 2 * sq(variance) / error
}

// dayOfRuns is what one arm does on one day.
type dayOfRuns struct{ runs, launches int }

// PlanOptions are the choices of the user; the zero value is the published
// default.
type PlanOptions struct {
	Detect float64 // relative change that is to be seen; 0 = 0.01
	Power  float64 // how often; 0 = 0.8
	Level  float64 // false verdicts allowed; 0 = 0.05
	Family int     // comparisons that share Level; 0 = 1
	Arms   int     // all of them on every day, unless Separate; 0 = 2
	// Separate: each arm has days of its own, as many as are asked for.
	Separate bool
	Launches int     // of an arm a day; 0 = a launch for every run
	CostDay  float64 // of setting up a day, in any unit
	CostRun  float64 // of one run, in the same; 0 = 1
	// Days and Runs (of an arm a day) of the table; nil = the usual ones.
	Days, Runs []int
}

func (o PlanOptions) withDefaults() PlanOptions {
	set := func(v *float64, standard float64) {
		if *v == 0 {
			*v = standard
		}
	}
	set(&o.Detect, 0.01)
	set(&o.Power, floorPower)
	set(&o.Level, floorAlpha)
	set(&o.CostRun, 1)
	o.Family, o.Arms = max(1, o.Family), max(2, o.Arms)
	if o.Days == nil {
		o.Days = []int{2, 3, 4, 5, 7, 10, 15, 20}
	}
	if o.Runs == nil {
		o.Runs = []int{1, 3, 5, 10}
	}
	return o
}

// PlanRow is one design and what it would see.
type PlanRow struct {
	Days, RunsPerDay, Launches int // an arm; Launches a day
	// MDE is the smallest relative change that it detects; Lo..Hi from the
	// chi-square range of the spread.
	MDE analysis.Estimate
	// Planned is the same with the spread at its 80 % upper bound, and Power the
	// chance to see Detect then.
	Planned, Power float64
	Cost           float64 // of all arms
}

// Plan is what to run.
type Plan struct {
	Best PlanRow // the cheapest that sees Detect; zero Days if none does
	// PerDays is the cheapest for each number of days that can: what fewer days cost.
	PerDays []PlanRow
	Rows    []PlanRow // Days x Runs of the options
	Level   float64   // what Family leaves to each comparison
	// Ratio is the number of runs an arm a day at which another day and more runs
	// cost the same for what they bring; +Inf if days do nothing.
	Ratio    float64
	Warnings []analysis.Warning
}

const (
	// planQuantile: a plan that takes the observed spread is too small half of the
	// time; its 80 % upper bound is the usual guard (Browne 1995, Statistics in
	// Medicine 14, 1933-1940).
	planQuantile = 0.80
	mostDays     = 100 // nobody follows a longer plan
	mostRuns     = 50  // an arm a day
)

// NewPlan enumerates days x runs. The daily differences of two arms on shared
// days have variance 2 (DayArm + Launch/launches + Run/runs), and a t test on
// them days-1 degrees of freedom; on days of their own the day adds its variance,
// and there are 2 days-2. The error says what is not known.
func NewPlan(v Variances, opt PlanOptions) (Plan, error) {
	opt = opt.withDefaults()
	switch {
	case math.IsNaN(v.DayArm):
		return Plan{}, errors.New("noise: what the day does is unknown, from one day: run a pilot on 3 days, or say --sd with day:arm")
	case math.IsNaN(v.Run) || math.IsNaN(v.Launch) || math.IsNaN(v.Day):
		return Plan{}, errors.New("noise: nothing was repeated, so the spread is unknown: run a pilot, or say --sd with run and day:arm")
	case v.Run+v.Launch+v.DayArm+v.Day <= 0:
		return Plan{}, errors.New("noise: no spread at all: the metric is too coarse to plan with")
	}
	p := planner{v: v, opt: opt, level: opt.Level / float64(opt.Family), deltas: map[int]float64{}}
	plan := Plan{Level: p.level, Ratio: p.ratio()}
	if v.StandIn {
		plan.Warnings = append(plan.Warnings, analysis.FloorFromDayToDay{})
	}
	for _, days := range opt.Days {
		for _, runs := range opt.Runs {
			plan.Rows = append(plan.Rows, p.row(days, runs))
		}
	}
	// Where the ratio is, the optimum of the real numbers is; whole ones lie near.
	most := int(min(mostRuns, max(10, 2*math.Ceil(plan.Ratio))))
	for days := 2; days <= mostDays; days++ {
		runs := p.fewestRuns(days, most)
		if runs == 0 {
			continue
		}
		row := p.row(days, runs)
		if plan.Best.Days == 0 || row.Cost < plan.Best.Cost {
			plan.Best = row
		}
		if n := len(plan.PerDays); n == 0 || row.RunsPerDay < plan.PerDays[n-1].RunsPerDay {
			plan.PerDays = append(plan.PerDays, row)
		}
		if runs == 1 {
			break // more days of one run only cost more
		}
	}
	return plan, nil
}

type planner struct {
	v      Variances
	opt    PlanOptions
	level  float64
	deltas map[int]float64 // by degrees of freedom
}

// ratio of the optimum in real numbers (Cochran 1977, section 10.6, for two-stage
// samples): the derivative of the variance by its cost is the same in both
// directions.
func (p *planner) ratio() float64 {
	perRun, perDay := p.v.Run, p.v.DayArm
	if p.opt.Launches == 0 {
		perRun += p.v.Launch // a launch for every run
	} else {
		perDay += p.v.Launch / float64(p.opt.Launches)
	}
	sharing := float64(p.opt.Arms) // arms that share what a day costs
	if p.opt.Separate {
		sharing = 1
		if !p.v.StandIn {
			perDay += p.v.Day
		}
	}
	return math.Sqrt(p.opt.CostDay / (sharing * p.opt.CostRun) * perRun / perDay)
}

func (p *planner) cell(runs int) dayOfRuns {
	if p.opt.Launches == 0 {
		return dayOfRuns{runs, runs}
	}
	return dayOfRuns{runs, min(runs, p.opt.Launches)}
}

func (p *planner) df(days int) int {
	if p.opt.Separate {
		return 2*days - 2
	}
	return days - 1
}

// detects is the log ratio that so many days see with a given variance of an
// arm's day.
func (p *planner) detects(days int, variance float64) float64 {
	df := p.df(days)
	delta, ok := p.deltas[df]
	if !ok {
		delta = power.Delta(float64(df), p.level, p.opt.Power)
		p.deltas[df] = delta
	}
	return delta * math.Sqrt(2*variance/float64(days))
}

// upper is the 80 % upper bound of a variance.
func upper(variance, df float64) float64 {
	if math.IsInf(df, 1) || !(df > 0) {
		return variance
	}
	return df * variance / distuv.ChiSquared{K: df}.Quantile(1-planQuantile)
}

// fewestRuns an arm a day that see what is to be detected; 0 = not even most.
func (p *planner) fewestRuns(days, most int) int {
	goal := math.Log1p(p.opt.Detect)
	for runs := 1; runs <= most; runs++ {
		if p.detects(days, upper(p.v.ofArm(p.cell(runs), p.opt.Separate))) <= goal {
			return runs
		}
	}
	return 0
}

func (p *planner) row(days, runs int) PlanRow {
	c := p.cell(runs)
	variance, df := p.v.ofArm(c, p.opt.Separate)
	row := PlanRow{Days: days, RunsPerDay: runs, Launches: c.launches, Cost: p.cost(days, runs)}
	change := func(variance float64) float64 { return math.Expm1(p.detects(days, variance)) }
	row.MDE = analysis.Estimate{Value: change(variance), Lo: change(variance), Hi: change(variance), Confidence: 0.95}
	if !math.IsInf(df, 1) {
		bounds := chiSquare(variance, df, row.MDE.Confidence)
		row.MDE.Lo, row.MDE.Hi = change(bounds.Lo), change(bounds.Hi)
	}
	high := upper(variance, df)
	row.Planned = change(high)
	se := math.Sqrt(2 * high / float64(days))
	row.Power = power.Power(float64(p.df(days)), math.Log1p(p.opt.Detect)/se, p.level)
	return row
}

func (p *planner) cost(days, runs int) float64 {
	arms := float64(p.opt.Arms)
	perDay := p.opt.CostDay + arms*float64(runs)*p.opt.CostRun
	if p.opt.Separate {
		perDay = arms * (p.opt.CostDay + float64(runs)*p.opt.CostRun)
	}
	return float64(days) * perDay
}

package noise

import (
	"math"

	"noisefloor/analysis"
	"noisefloor/analysis/internal/power"
)

// The noise floor is what a two-sided test at floorAlpha detects with
// probability floorPower (DESIGN.md, section 2).
const (
	floorAlpha = 0.05
	floorPower = 0.80
)

var usualDesigns = []Design{{1, 1}, {1, 3}, {1, 10}, {2, 3}, {3, 3}, {5, 3}, {10, 3}}

// floors tells what each design detects: exp(delta SE) - 1 with
// SE^2 = 2 (var day:arm + var launch/l + var run/r)/D and delta from the
// noncentral t with D - 1 degrees of freedom, since the daily differences of
// two arms are what is tested. Launches a day are taken as in these data. The
// range puts a chi-square on SE^2 with Satterthwaite's degrees of freedom. One
// day cannot answer, however many runs it has.
func (s *structure) floors(opt Options) ([]Floor, []analysis.Warning) {
	designs := opt.Designs
	if designs == nil {
		designs = usualDesigns
	}
	between, standIn := s.between()
	var doubts []analysis.Warning
	if between != nil && standIn {
		doubts = append(doubts, analysis.FloorFromDayToDay{})
	}
	var cov []float64
	var covErr error
	if s.fit != nil {
		cov, covErr = s.fit.varCov()
	}
	var out []Floor
	for _, d := range designs {
		f := Floor{Days: d.Days, RunsPerDay: d.RunsPerDay, MDE: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
		if d.Days < 2 || d.RunsPerDay < 1 || s.fit == nil || covErr != nil {
			out = append(out, f)
			continue
		}
		delta := power.Delta(float64(d.Days-1), floorAlpha, floorPower)
		change := func(variance float64) float64 {
			return math.Expm1(delta * math.Sqrt(2*variance/float64(d.Days)))
		}
		inside := s.insideDay(d.RunsPerDay)
		if between == nil {
			// Whatever days do, it is at least this.
			if e, _ := combine(inside, s.fit.Var, cov, opt.Confidence); e.Value > 0 {
				f.Lo, f.Hi = change(e.Lo), math.Inf(1)
			}
			out = append(out, f)
			continue
		}
		all := append([]float64(nil), inside...)
		if between.index >= 0 {
			all[between.index] = 1
		}
		if e, _ := combine(all, s.fit.Var, cov, opt.Confidence); e.Value > 0 {
			f.MDE, f.Lo, f.Hi = change(e.Value), change(e.Lo), change(e.Hi)
		}
		switch {
		case standIn:
			// Both arms may share all of the day's effect.
			f.Lo = 0
			if e, _ := combine(inside, s.fit.Var, cov, opt.Confidence); e.Value > 0 {
				f.Lo = change(e.Lo)
			}
		case s.merged >= 0 && between == &s.levels[s.merged]:
			// day:arm and run are one here: it may all be noise that more
			// runs average out.
			all[between.index] = 1 / float64(d.RunsPerDay)
			if e, _ := combine(all, s.fit.Var, cov, opt.Confidence); e.Value > 0 {
				f.Lo = change(e.Lo)
			}
		}
		out = append(out, f)
	}
	return out, doubts
}

// between is the level whose variance a difference of two arms on one day
// keeps however many runs the day has: day:arm if it is known. Else the whole
// day-to-day spread stands in, as an upper bound. nil = nothing is known.
func (s *structure) between() (lev *level, standIn bool) {
	if lev = s.find(DayArm); lev != nil && !math.IsNaN(lev.variance.Value) {
		return lev, false
	}
	if lev = s.find(Day); !math.IsNaN(lev.variance.Value) {
		return lev, true
	}
	return nil, false
}

// insideDay is the weight of each fitted variance in the mean of one arm's
// runs on one day, the day's own effect apart.
func (s *structure) insideDay(runs int) []float64 {
	weight := make([]float64, len(s.fit.Var))
	r := float64(runs)
	set := func(name string, w float64) {
		if lev := s.find(name); lev != nil && lev.index >= 0 {
			weight[lev.index] = w
		}
	}
	if s.l.launches > 0 {
		cells := 0
		for _, c := range s.l.cell {
			cells = max(cells, c+1)
		}
		perDay := math.Round(float64(s.l.launches) / float64(cells))
		set(Launch, 1/min(r, max(1, perDay)))
	}
	set(RunLevel, 1/r)
	if s.l.intervals > 0 {
		set(Interval, float64(s.l.runs)/float64(s.l.intervals)/r)
	}
	return weight
}

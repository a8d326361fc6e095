package report

import (
	"maps"
	"math"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/profile"
	"noisefloor/datasets"
)

// Profiled is where one event went in one stratum: the change from the base to
// a contender, or, if Level is "", the usual shares in the arm BaseLevel.
type Profiled struct {
	Event     string
	Stratum   []group.Field
	BaseLevel string
	Level     string
	profile.Result
	Flame  *profile.Flame // by arm, shares
	Arms   [2]int         // of Flame: base and contender
	Doubts []analysis.Warning
}

// Waited is what sessions waited for in one stratum, base against contender.
type Waited struct {
	Stratum   []group.Field
	BaseLevel string
	Level     string
	profile.Result
	Courses [2]Course // base and contender
	Doubts  []analysis.Warning
}

// Course is what an arm waited for over time, on average over its runs.
type Course struct {
	InRunOrder bool // T counts runs instead of seconds
	T          []float64
	Events     map[string][]float64 // average active sessions, parallel to T
}

// ProfileOptions are the choices about profiles alone.
type ProfileOptions struct {
	Event      string  // "" = every event, each for itself
	MinSamples float64 // as in profile.Options
	Top        bool    // the usual shares of each arm instead of their differences
}

// presence is the metric of runs that have a profile (or waits): group sorts runs
// into strata by their metrics, and a profile needs no other.
const presence = "profile"

// beside sorts the runs that something was recorded beside into strata. The error
// is for a name that the user gave and that is not there.
func beside(in Input, has map[string]bool, opt group.Options) (group.Design, []group.Cell, []analysis.Warning, error) {
	runs := withBeside(in.Runs, has, opt)
	for i := range runs {
		runs[i].Metrics = map[string]float64{presence: 1}
	}
	opt.Metrics = []string{presence}
	return group.Analyse(runs, in.Columns, opt)
}

// withBeside are the runs that something was recorded beside. That they ran
// under a profiler is no reason to set them aside here, or to split them.
func withBeside(all []datasets.Run, has map[string]bool, opt group.Options) []datasets.Run {
	var runs []datasets.Run
	named := opt.By == "profiled" || slices.ContainsFunc(opt.Where, func(w string) bool { return strings.Contains(w, "profiled") })
	for _, r := range all {
		if !has[r.ID] {
			continue
		}
		if !named {
			r.Factors = maps.Clone(r.Factors)
			delete(r.Factors, "profiled")
		}
		runs = append(runs, r)
	}
	return runs
}

// besideOptions compares profiles by what the report compares; varies is false if
// the runs that have them are all of one arm.
func (r *Report) besideOptions(in Input, has map[string]bool, opt Options) (_ group.Options, varies bool) {
	g := opt.Group
	g.By, g.Base = r.Design.By, r.Design.Base
	if g.By == "" {
		return g, false
	}
	levels := map[string]bool{}
	for i := range in.Runs {
		if run := &in.Runs[i]; has[run.ID] && run.Status == datasets.Complete {
			if v := run.Value(g.By); !v.IsNull() {
				levels[v.String()] = true
			}
		}
	}
	return g, levels[g.Base] && len(levels) > 1
}

// sampled is what a first look at the stacks finds.
type sampled struct {
	events  []string // that are asked for
	weights map[eventRun]float64
	has     map[string]bool // runs
}

// eventRun is one event in one run.
type eventRun struct{ event, run string }

func sample(in Input, event string) (sampled, error) {
	s := sampled{weights: map[eventRun]float64{}, has: map[string]bool{}}
	if in.Stacks == nil {
		return s, nil
	}
	var known []string
	err := in.Stacks(func(rows []datasets.Stack) error {
		for i := range rows {
			row := &rows[i]
			if !slices.Contains(known, row.Event) {
				known = append(known, row.Event)
			}
			if row.Weight > 0 && (event == "" || row.Event == event) {
				s.weights[eventRun{row.Event, row.RunID}] += row.Weight
				s.has[row.RunID] = true
			}
		}
		return nil
	})
	s.events = known
	if event != "" && len(known) > 0 {
		if !slices.Contains(known, event) {
			return s, group.Unknown{What: "event", Name: event, Known: known}
		}
		s.events = []string{event}
	}
	return s, err
}

// addProfiles answers for every event, stratum and contender that has stacks.
func (r *Report) addProfiles(in Input, s sampled, opt Options) error {
	if len(s.has) == 0 {
		return nil
	}
	g, varies := r.besideOptions(in, s.has, opt)
	if !varies {
		g.By, g.Base = "", ""
		if !r.only(PartProfile) {
			r.Warnings = append(r.Warnings, analysis.ProfilesOfOneArm{Runs: len(s.has), By: r.Design.By})
			return nil
		}
	}
	design, cells, warnings, err := beside(in, s.has, g)
	if err != nil {
		return err
	}
	if !varies { // whatever may vary among the profiles was not asked for
		design.By, design.Arms = "", nil
		for i := range cells {
			for j := range cells[i].Runs {
				cells[i].Runs[j].Arm = 0
			}
		}
	}
	for _, w := range warnings {
		r.warn(w)
	}
	byEvent, err := gather(in, cells, max(1, len(design.Arms)), s.weights)
	if err != nil {
		return err
	}
	for _, event := range s.events {
		r.addEvent(event, design, cells, byEvent[event], opt)
	}
	return nil
}

// warn notes a warning about everything, once.
func (r *Report) warn(w analysis.Warning) {
	same := func(x analysis.Warning) bool { return x.Kind() == w.Kind() && x.Text() == w.Text() }
	if !slices.ContainsFunc(r.Warnings, same) {
		r.Warnings = append(r.Warnings, w)
	}
}

// only tells whether nothing but one part was asked for.
func (r *Report) only(p Part) bool { return len(r.Parts) == 1 && r.Parts[0] == p }

// gathered is the profile of one event in one stratum.
type gathered struct {
	*profile.Collect
	flame *profile.Flame
	runs  map[string]*profile.Run
}

// gather reads the stacks into the strata that their runs belong to.
func gather(in Input, cells []group.Cell, arms int, weights map[eventRun]float64) (map[string][]gathered, error) {
	type place struct{ cell, run int }
	places := map[string]place{}
	inArm := make([][]int, len(cells))
	for c := range cells {
		inArm[c] = make([]int, arms)
		for i, id := range cells[c].RunIDs {
			places[id] = place{c, i}
			inArm[c][cells[c].Runs[i].Arm]++
		}
	}
	transactions := map[string]float64{}
	for i := range in.Runs {
		transactions[in.Runs[i].ID] = transactionsOf(&in.Runs[i])
	}
	byEvent := map[string][]gathered{}
	var frames []string
	err := in.Stacks(func(rows []datasets.Stack) error {
		for i := range rows {
			s := &rows[i]
			at, ok := places[s.RunID]
			weight := weights[eventRun{s.Event, s.RunID}]
			if !ok || !(weight > 0) {
				continue
			}
			strata := byEvent[s.Event]
			if strata == nil {
				strata = make([]gathered, len(cells))
				for c := range strata {
					strata[c] = gathered{&profile.Collect{}, profile.NewFlame("all", arms), map[string]*profile.Run{}}
				}
				byEvent[s.Event] = strata
			}
			g := strata[at.cell]
			arm := cells[at.cell].Runs[at.run].Arm
			run := g.runs[s.RunID]
			if run == nil {
				run = g.Open(cells[at.cell].Runs[at.run], transactions[s.RunID])
				g.runs[s.RunID] = run
			}
			g.Add(run, s.Frames, s.Weight, s.Samples)
			frames = frames[:0]
			if s.Comm != "" {
				frames = append(frames, s.Comm)
			}
			frames = append(frames, s.Frames...)
			g.flame.Add(arm, frames, s.Weight/weight/float64(inArm[at.cell][arm]))
		}
		return nil
	})
	return byEvent, err
}

// transactionsOf is how many transactions (or events of sysbench's tests
// without any) a run made; NaN if it does not say. The profile is taken to cover
// the run.
func transactionsOf(r *datasets.Run) float64 {
	for _, total := range []string{"transactions", "events"} {
		if v := r.Metric(total); v > 0 {
			return v
		}
	}
	for _, rate := range []string{"tps", "eps"} {
		if v := r.Metric(rate) * r.Duration; v > 0 {
			return v
		}
	}
	return math.NaN()
}

func (r *Report) addEvent(event string, design group.Design, cells []group.Cell, strata []gathered, opt Options) {
	first := len(r.Profiles)
	for c := range strata {
		g, cell := strata[c], &cells[c]
		if len(g.Runs) == 0 {
			continue
		}
		blank := Profiled{Event: event, Stratum: cell.Stratum, Flame: g.flame, Doubts: cell.Warnings}
		if design.By == "" || opt.Profile.Top {
			for arm := range max(1, len(design.Arms)) {
				p := blank
				p.Result = profile.Top(g.arm(arm), profileOptions(opt, nil))
				p.Arms = [2]int{arm, arm}
				if len(design.Arms) > 0 {
					p.BaseLevel = design.Arms[arm]
				}
				if len(p.Rows) > 0 {
					r.Profiles = append(r.Profiles, p)
				}
			}
			continue
		}
		for contender := 1; contender < len(design.Arms); contender++ {
			pair := g.Pair(contender)
			if !slices.ContainsFunc(pair.Runs, inArm(0)) || !slices.ContainsFunc(pair.Runs, inArm(1)) {
				continue
			}
			p := blank
			p.BaseLevel, p.Level, p.Arms = design.Base, design.Arms[contender], [2]int{0, contender}
			o := profileOptions(opt, aliased(design, contender))
			o.LeftOut = [2]int{cell.LeftOut[0], cell.LeftOut[contender]}
			p.Result = profile.Diff(pair, o)
			r.Profiles = append(r.Profiles, p)
		}
	}
	var family []*profile.Result
	for i := first; i < len(r.Profiles); i++ {
		family = append(family, &r.Profiles[i].Result)
	}
	profile.Adjust(family...)
}

// arm is the profile of one arm alone.
func (g gathered) arm(arm int) *profile.Collect {
	c := &profile.Collect{Symbols: g.Symbols}
	for _, run := range g.Runs {
		if run.Arm == arm {
			c.Runs = append(c.Runs, run)
		}
	}
	return c
}

func inArm(arm int) func(*profile.Run) bool {
	return func(r *profile.Run) bool { return r.Arm == arm }
}

func profileOptions(opt Options, aliased []string) profile.Options {
	return profile.Options{Confidence: opt.Confidence, Aliased: aliased, MinSamples: opt.Profile.MinSamples,
		IgnoreOrder: slices.Contains(opt.Group.Ignore, "order")}
}

// look takes a first look at what lies beside the runs. A report about nothing
// else is about the runs that have it.
func (r *Report) look(in *Input, opt Options) (profiles sampled, sessions waiting, err error) {
	if r.Has(PartProfile) {
		if profiles, err = sample(*in, opt.Profile.Event); err != nil {
			return profiles, sessions, err
		}
	}
	if r.Has(PartWaits) {
		if sessions, err = waits(*in, opt.Profile.Event); err != nil {
			return profiles, sessions, err
		}
	}
	switch {
	case r.only(PartProfile):
		in.Runs = withBeside(in.Runs, profiles.has, opt.Group)
	case r.only(PartWaits):
		in.Runs = withBeside(in.Runs, sessions.has(), opt.Group)
	}
	return profiles, sessions, nil
}

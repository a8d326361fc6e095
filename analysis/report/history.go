package report

import (
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/history"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// HistoryOptions are the choices about series over versions, commits or dates;
// the zero value is the published default.
type HistoryOptions struct {
	Order        *history.Order   // of commits; nil = none was given
	FalseAlarm   float64          // 0 = 0.05
	MinSegment   int              // 0 = as short as can be told
	MinEffect    float64          // smallest relative change worth telling
	Direction    analysis.Verdict // Slower or Faster: only those are told; "" = both
	Acknowledged []Acknowledgement
	Factors      []string // two of them: a factor study
}

// Acknowledgement is a change that people know about: it is told as such and
// trips no gate.
type Acknowledgement struct {
	At     string            // first point of the new level, or one at which it may have begun
	Metric string            // "" = any
	Where  map[string]string // levels of the stratum; others are free
	Note   string
}

// History is one metric of one stratum over the points of a series.
type History struct {
	Over    string // the factor that the points are levels of
	Order   string // how they were put in order, in words
	Metric  string
	Unit    unit.Unit
	Primary bool
	Stratum []group.Field
	Notes   []string // parallel to Changes: why it is acknowledged; "" = it is not
	Hidden  int      // changes in the direction that was not asked for
	// Additive changes are differences: the metric can be zero.
	Additive bool
	history.Result
}

// Event is one thing that happened: changes of several series at one point.
type Event struct {
	Before, At string // the clearest of them
	Members    []EventMember
}

// EventMember is a change, by its place in Report.History.
type EventMember struct{ History, Change int }

// FactorStudy is a study of two factors for one metric of one stratum.
type FactorStudy struct {
	Metric  string
	Unit    unit.Unit
	Primary bool
	Stratum []group.Field
	history.Study
	Failed   string // why there is no study
	Additive bool
}

// Names of factors that are an order in time.
var (
	commitNames  = []string{"commit", "git_commit", "commit_id", "commit_hash", "build_commit", "revision", "rev", "sha", "git_sha", "hash"}
	versionNames = []string{"version", "server_version", "release", "mysql_version", "mariadb_version", "build_version"}
	dateNames    = []string{"day", "date", "night", "commit_date", "build_date"}
)

const (
	fewestVersions = 3  // that make a series without being asked for
	fewestDays     = 10 // of which a report makes a series by itself
)

// addHistory finds the factor that is an order in time, and looks for changes
// along it.
func (r *Report) addHistory(in Input, courses *runCourses, opt Options) error {
	if len(opt.History.Factors) > 0 {
		return r.addFactors(in, courses, opt)
	}
	asked := len(opt.Parts) > 0
	r.FalseAlarm = opt.History.FalseAlarm
	over := seriesFactor(r.Design, in.Runs, opt, asked)
	if over == "" {
		if asked {
			r.Warnings = append(r.Warnings, analysis.NoSeries{Varying: orderable(r.Design)})
		}
		return nil
	}
	if levelsOf(r.Design, over) == 1 {
		r.Warnings = append(r.Warnings, analysis.OnePoint{Over: over})
		return nil
	}
	runs := in.Runs
	if over == "day" {
		runs = withDays(runs, r.Design)
	}
	o := opt.Group
	o.By, o.Base = over, ""
	design, cells, _, err := group.Analyse(runs, in.Columns, o)
	if err != nil {
		return err
	}
	cells, doubts, err := r.regrouped(in, courses, design, "", cells)
	if err != nil {
		return err
	}
	labels, why, place, warnings := order(over, design.Arms, runs, opt.History.Order)
	r.Warnings = append(r.Warnings, warnings...)
	byID := map[string]*datasets.Run{}
	for i := range runs {
		byID[runs[i].ID] = &runs[i]
	}
	first := len(r.History)
	for _, metric := range distinct(cells, func(c group.Cell) string { return c.Metric }) {
		r.addSeriesOf(metric, cells, doubts, design, labels, place, byID, onGrid(in.Runs, metric), opt)
	}
	for i := first; i < len(r.History); i++ {
		h := &r.History[i]
		h.Over, h.Order = over, why
		h.direct(opt.History.Direction)
		h.moves(design, runs, labels)
	}
	r.acknowledge(opt.History.Acknowledged)
	if asked && slices.ContainsFunc(r.History, func(h History) bool { return h.Conditional }) {
		r.Next = append(r.Next, "For more than that one day: run all of them on the same 3 days at least, in mixed order, with a restart of the server before each.")
	}
	r.Events = events(r.History, first)
	return nil
}

// seriesFactor chooses what the series runs over: as asked; commits, if there is
// a list of them; versions; commits, if all runs say when they began; days.
func seriesFactor(d group.Design, runs []datasets.Run, opt Options, asked bool) string {
	if asked && opt.Group.By != "" {
		return opt.Group.By
	}
	levels := func(name string) int { return levelsOf(d, name) }
	if opt.History.Order != nil {
		for _, name := range commitNames {
			if levels(name) > 1 {
				return name
			}
		}
	}
	for _, name := range versionNames {
		if levels(name) >= fewestVersions {
			return name
		}
	}
	for _, f := range d.Factors {
		if len(f.Levels) >= fewestVersions && f.Role != group.Label && allVersions(f.Levels) {
			return f.Name
		}
	}
	need := fewestDays
	if asked {
		need = fewestVersions
	}
	for _, name := range commitNames { // their order is that of their runs
		if n := levels(name); n >= need && len(firstStarts(name, runs)) == n {
			return name
		}
	}
	if len(d.Days) >= need {
		return "day"
	}
	return ""
}

func levelsOf(d group.Design, name string) int {
	for _, f := range d.Factors {
		if f.Name == name {
			return len(f.Levels)
		}
	}
	return 0
}

func allVersions(levels []datasets.Value) bool {
	return !slices.ContainsFunc(levels, func(v datasets.Value) bool { return v.Kind() != datasets.TextKind || !analysis.IsVersion(v.String()) })
}

// orderable are factors that could be named as a series.
func orderable(d group.Design) []string {
	var names []string
	for _, f := range d.Factors {
		if len(f.Levels) >= 2 && f.Role != group.Label && f.Role != group.Noise {
			names = append(names, f.Name)
		}
	}
	return names
}

// withDays writes the day that each run was placed on into the run.
func withDays(runs []datasets.Run, d group.Design) []datasets.Run {
	if !slices.ContainsFunc(runs, func(r datasets.Run) bool { return r.Day == "" }) {
		return runs
	}
	day := map[string]string{}
	for _, p := range d.Runs {
		day[p.RunID] = p.Day
	}
	dated := slices.Clone(runs)
	for i := range dated {
		if dated[i].Day == "" {
			dated[i].Day = day[dated[i].ID]
		}
	}
	return dated
}

// order puts the levels of the factor in order, oldest first, and gives their
// places in a list of commits, if there is one.
func order(over string, levels []string, runs []datasets.Run, list *history.Order) (labels []string, why string, place map[string]int, warnings []analysis.Warning) {
	labels = slices.Clone(levels)
	started := firstStarts(over, runs)
	if list != nil {
		place = map[string]int{}
		var missing []string
		labels = slices.DeleteFunc(labels, func(l string) bool {
			at, ok := list.Place(l)
			place[l] = at
			if !ok {
				missing = append(missing, l)
			}
			return !ok
		})
		if len(labels) > 0 {
			if len(missing) > 0 {
				warnings = append(warnings, analysis.NotInOrder{Labels: missing})
			}
			slices.SortStableFunc(labels, func(a, b string) int { return place[a] - place[b] })
			if backwards(labels, started) && strings.HasPrefix(list.Why, "as listed") {
				warnings = append(warnings, analysis.OrderAgainstTime{})
			}
			return labels, "by the list of commits (" + list.Why + ")", place, warnings
		}
		warnings = append(warnings, analysis.NotInOrder{Labels: missing})
		labels, place = slices.Clone(levels), nil
	}
	all := func(is func(string) bool) bool {
		return !slices.ContainsFunc(labels, func(l string) bool { return !is(l) })
	}
	isDate := func(l string) bool { _, ok := history.ParseDate(l); return ok }
	switch {
	case slices.Contains(dateNames, over) && all(isDate):
		slices.SortStableFunc(labels, history.CompareDates)
		why = "by date"
	case slices.Contains(versionNames, over), all(analysis.IsVersion):
		slices.SortStableFunc(labels, analysis.Versions)
		why = "as versions"
	case all(isDate):
		slices.SortStableFunc(labels, history.CompareDates)
		why = "by date"
	case len(started) == len(labels):
		slices.SortStableFunc(labels, func(a, b string) int { return started[a].Compare(started[b]) })
		why = "by when they were first run"
	default:
		slices.SortStableFunc(labels, analysis.Natural)
		why = "by name"
	}
	return labels, why, nil, warnings
}

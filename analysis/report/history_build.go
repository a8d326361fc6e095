package report

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/history"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
)

// firstStarts is when each level was first run, for those of which all runs have
// a start time.
func firstStarts(over string, runs []datasets.Run) map[string]time.Time {
	first, unknown := map[string]time.Time{}, map[string]bool{}
	for i := range runs {
		name, t := runs[i].Value(over).String(), runs[i].Started
		switch was, ok := first[name]; {
		case t.IsZero():
			unknown[name] = true
		case !ok || t.Before(was):
			first[name] = t
		}
	}
	for name := range unknown {
		delete(first, name)
	}
	return first
}

// backwards tells whether each level was first run before the one that stands
// before it in the list.
func backwards(labels []string, started map[string]time.Time) bool {
	for i, l := range labels {
		if _, ok := started[l]; !ok || i > 0 && !started[l].Before(started[labels[i-1]]) {
			return false
		}
	}
	return len(labels) > 2
}

// nestNames are units between day and launch, outermost first: a load is the
// data loaded anew.
var nestNames = []string{"load", "reload", "data_load"}

// nest is the units that a run stands in, between day and run.
func nest(r *datasets.Run) []string {
	var units []string
	for _, name := range nestNames {
		if v := r.Value(name); !v.IsNull() {
			units = append(units, v.String())
		}
	}
	if len(units) == 0 || r.Launch != "" {
		units = append(units, r.Launch)
	}
	return units
}

// addSeriesOf looks for changes in every stratum of one metric, which is one
// family.
func (r *Report) addSeriesOf(metric string, cells []group.Cell, doubts [][]analysis.Warning, design group.Design, labels []string, place map[string]int, byID map[string]*datasets.Run, gridded bool, opt Options) {
	var series [][]history.Point
	o := historyOptions(metric, gridded, opt)
	first := len(r.History)
	var said [][]analysis.Warning
	for i := range cells {
		c := &cells[i]
		if c.Metric != metric {
			continue
		}
		at := map[string]int{}
		points := make([]history.Point, len(labels))
		for j, l := range labels {
			points[j] = history.Point{Label: l, Place: -1}
			if place != nil {
				points[j].Place = place[l]
			}
			at[l] = j
		}
		positive := true
		used := map[string]bool{}
		for k, run := range c.Runs {
			j, ok := at[design.Arms[run.Arm]]
			if !ok {
				continue // not in the list of commits
			}
			used[design.Arms[run.Arm]] = true
			positive = positive && run.Value > 0
			points[j].Runs = append(points[j].Runs, history.Run{Day: run.Day, Nest: nest(byID[c.RunIDs[k]]), Slot: run.Slot, Value: run.Value})
		}
		if len(used) < 2 {
			continue
		}
		o.Additive = o.Additive || !positive
		series, said = append(series, points), append(said, doubts[i])
		r.History = append(r.History, History{Metric: metric, Unit: c.Unit, Primary: c.Primary, Stratum: c.Stratum})
	}
	for i, result := range history.Family(series, o) {
		result.Warnings = append(result.Warnings, said[i]...)
		r.History[first+i].Result = result
		r.History[first+i].Notes = make([]string, len(result.Changes))
		r.History[first+i].Additive = o.Additive
	}
}

func historyOptions(metric string, gridded bool, opt Options) history.Options {
	o := history.Options{
		Confidence: opt.Confidence, FalseAlarm: opt.History.FalseAlarm, MinSegment: opt.History.MinSegment, MinEffect: opt.History.MinEffect,
		Better: direction(unit.Of(metric)), Additive: isRate(metric), IgnoreOrder: slices.Contains(opt.Group.Ignore, "order"),
		Rand: rand.New(rand.NewPCG(opt.Seed, 0)),
	}
	if gridded && strings.HasPrefix(metric, "latency_p") {
		o.Grid = sysbenchGrid
	}
	return o
}

// worse is -1 for a change for the worse, 1 for the better, 0 for neither; also
// where the verdict is unsupported.
func (h *History) worse(c *history.Change) int {
	step := c.Ratio - 1
	if h.Additive {
		step = c.Ratio
	}
	switch d := float64(direction(h.Unit)); {
	case d*step > 0:
		return 1
	case d*step < 0:
		return -1
	}
	return 0
}

// direct leaves the changes of one direction.
func (h *History) direct(only analysis.Verdict) {
	want := map[analysis.Verdict]int{analysis.Slower: -1, analysis.Faster: 1}[only]
	if want == 0 {
		return
	}
	kept := h.Changes[:0]
	for i := range h.Changes {
		if h.worse(&h.Changes[i]) == want {
			kept = append(kept, h.Changes[i])
		} else {
			h.Hidden++
		}
	}
	h.Changes = kept
	h.Notes = h.Notes[:len(kept)]
}

// moves finds what changes at the very point of a change: conditions of the
// machine, and where the series is over days or commits, whatever follows them
// (the version, on the day it was installed) and stays for some points.
func (h *History) moves(design group.Design, runs []datasets.Run, labels []string) {
	if len(h.Changes) == 0 {
		return
	}
	for _, f := range design.Factors {
		condition := slices.ContainsFunc(design.Aliased, func(m group.Moves) bool { return m.Condition == f.Name })
		along := f.Role == group.Condition || f.Role == group.Alias && !slices.Contains(versionNames, h.Over)
		if !condition && (!along || 2*len(f.Levels) > len(labels)) || f.Name == h.Over || len(f.Levels) < 2 {
			continue
		}
		levels := map[string][]string{}
		for i := range runs {
			l, v := runs[i].Value(h.Over).String(), runs[i].Value(f.Name)
			if !v.IsNull() && !slices.Contains(levels[l], v.String()) {
				levels[l] = append(levels[l], v.String())
			}
		}
		for i := range h.Changes {
			c := &h.Changes[i]
			before, after := levels[labels[c.Before]], levels[labels[c.At]]
			if len(before) == 0 || len(after) == 0 || slices.ContainsFunc(before, func(l string) bool { return slices.Contains(after, l) }) {
				continue
			}
			c.Warnings = append(c.Warnings, analysis.MovesAlong{Condition: f.Name, Before: strings.Join(before, ", "), After: strings.Join(after, ", ")})
		}
	}
}

// acknowledge marks the changes that people know about, and says which of what
// they know was not found.
func (r *Report) acknowledge(known []Acknowledgement) {
	for _, a := range known {
		used := false
		for i := range r.History {
			h := &r.History[i]
			if a.Metric != "" && a.Metric != h.Metric || !a.holds(h.Stratum) {
				continue
			}
			for j := range h.Changes {
				c := &h.Changes[j]
				for at := c.AtLo; at <= c.AtHi; at++ {
					if h.Points[at].Label == a.At {
						h.Notes[j] = orNote(a.Note)
						used = true
					}
				}
			}
		}
		if !used {
			r.Warnings = append(r.Warnings, analysis.UnusedAcknowledgement{At: a.At, Metric: a.Metric})
		}
	}
}

func orNote(note string) string {
	if note == "" {
		return "acknowledged"
	}
	return note
}

func (a *Acknowledgement) holds(stratum []group.Field) bool {
	for name, want := range a.Where {
		if level(stratum, name).String() != want {
			return false
		}
	}
	return true
}

// events puts the changes of all series together.
func events(all []History, first int) []Event {
	var marks []history.Mark
	for i := first; i < len(all); i++ {
		for j, c := range all[i].Changes {
			marks = append(marks, history.Mark{Series: i, Change: j, AtLo: c.AtLo, At: c.At, AtHi: c.AtHi})
		}
	}
	var found []Event
	for _, e := range history.Events(marks) {
		var members []EventMember
		clearest := e.Marks[0]
		for _, m := range e.Marks {
			members = append(members, EventMember{m.Series, m.Change})
			if m.At == e.At {
				clearest = m
			}
		}
		h := &all[clearest.Series]
		c := h.Changes[clearest.Change]
		found = append(found, Event{Before: h.Points[c.Before].Label, At: h.Points[c.At].Label, Members: members})
	}
	return found
}

// addFactors makes a study of two factors in every stratum of every metric.
func (r *Report) addFactors(in Input, courses *runCourses, opt Options) error {
	names := opt.History.Factors
	if len(names) != 2 || names[0] == names[1] {
		return fmt.Errorf("--factors: want two factors, such as build,version")
	}
	for _, name := range names {
		if !slices.ContainsFunc(r.Design.Factors, func(f group.Factor) bool { return f.Name == name }) {
			var known []string
			for _, f := range r.Design.Factors {
				known = append(known, f.Name)
			}
			return group.Unknown{What: "factor", Name: name, Known: known}
		}
	}
	// The two together are what is compared: whatever follows either of them is
	// no stratum then.
	pair := names[0] + " x " + names[1]
	runs := slices.Clone(in.Runs)
	all := [2][]string{}
	for i := range runs {
		var v [2]datasets.Value
		for f, name := range names {
			v[f] = runs[i].Value(name)
			if s := v[f].String(); !v[f].IsNull() && !slices.Contains(all[f], s) {
				all[f] = append(all[f], s)
			}
		}
		if !v[0].IsNull() && !v[1].IsNull() {
			runs[i].Factors = maps.Clone(runs[i].Factors)
			if runs[i].Factors == nil {
				runs[i].Factors = map[string]datasets.Value{}
			}
			runs[i].Factors[pair] = datasets.Text(v[0].String() + " x " + v[1].String())
		}
	}
	o := opt.Group
	o.By, o.Base = pair, ""
	design, cells, _, err := group.Analyse(runs, append(slices.Clone(in.Columns), datasets.Column{Name: pair, Kind: datasets.TextKind, Role: datasets.Factor}), o)
	if err != nil {
		return fmt.Errorf("--factors %s,%s: %w", names[0], names[1], err)
	}
	cells, doubts, err := r.regrouped(in, courses, design, "", cells)
	if err != nil {
		return err
	}
	byID := map[string]*datasets.Run{}
	for i := range runs {
		byID[runs[i].ID] = &runs[i]
	}
	levels := [2][]string{studyLevels(names[0], all[0]), studyLevels(names[1], all[1])}
	gridded := map[string]bool{}
	for _, metric := range distinct(cells, func(c group.Cell) string { return c.Metric }) {
		gridded[metric] = onGrid(in.Runs, metric)
	}
	for i := range cells {
		c := &cells[i]
		var combinations []history.Combination
		index := map[[2]int]int{}
		ho := historyOptions(c.Metric, gridded[c.Metric], opt)
		for k, run := range c.Runs {
			raw := byID[c.RunIDs[k]]
			at := [2]int{slices.Index(levels[0], raw.Value(names[0]).String()), slices.Index(levels[1], raw.Value(names[1]).String())}
			if _, ok := index[at]; !ok {
				index[at] = len(combinations)
				combinations = append(combinations, history.Combination{Levels: at})
			}
			n := &combinations[index[at]]
			n.Runs = append(n.Runs, history.Run{Day: run.Day, Nest: nest(raw), Slot: run.Slot, Value: run.Value})
			ho.Additive = ho.Additive || run.Value <= 0
		}
		study, err := history.Factors([2]string{names[0], names[1]}, levels, combinations, ho)
		study.Warnings = append(study.Warnings, doubts[i]...)
		f := FactorStudy{Metric: c.Metric, Unit: c.Unit, Primary: c.Primary, Stratum: c.Stratum, Additive: ho.Additive, Study: study}
		if err != nil {
			f.Failed = err.Error()
		}
		r.Factors = append(r.Factors, f)
	}
	return nil
}

// studyLevels: the base first, by its name or as the lowest version.
func studyLevels(name string, levels []string) []string {
	sorted := slices.Clone(levels)
	if slices.Contains(versionNames, name) || !slices.ContainsFunc(sorted, func(l string) bool { return !analysis.IsVersion(l) }) {
		slices.SortStableFunc(sorted, analysis.Versions)
		return sorted
	}
	slices.SortStableFunc(sorted, analysis.Natural)
	for i, l := range sorted {
		if group.IsBaseName(l) {
			return append([]string{l}, slices.Delete(sorted, i, i+1)...)
		}
	}
	return sorted
}

// AskHistory puts a gate's question to the newest level of each series: it fails
// if that is slower than the one before (or faster, for GateChanged) and nobody
// knows about it, until another change follows; else it cannot be answered if a
// series cannot tell. Only the primary metric can make it unanswerable, unless
// metrics were named.
func (r *Report) AskHistory(kind compare.Gate, named bool) Gate {
	g := Gate{Kind: kind, Detect: math.NaN()}
	if len(r.History) == 0 {
		g.note(compare.CannotAnswer, "there is no series")
	}
	for i := range r.History {
		h := &r.History[i]
		n := len(h.Changes)
		open := n > 0 && h.Notes[n-1] == ""
		switch {
		case !h.Supported(), open && h.Changes[n-1].Verdict == analysis.Unsupported:
			if h.Primary || named {
				g.note(compare.CannotAnswer, metricAt(h.Metric, h.Stratum)+": this design cannot tell")
			}
		case open && (h.Changes[n-1].Verdict == analysis.Slower || kind == compare.GateChanged):
			g.note(compare.Failed, strings.TrimSuffix(h.sentence(n-1), "."))
		}
	}
	return g
}

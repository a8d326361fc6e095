package report

import (
	"fmt"
	"slices"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/table"
)

// doubt is one warning, said once, with the rows that it is about.
type doubt struct {
	Kind  string
	Text  string
	Where string // "" = everything
}

// someDoubts are the first doubts, and how many more there are; "" if none.
func someDoubts(r *Report, most int) (shown []doubt, rest string) {
	all := doubts(r)
	if more := len(all) - most; more > 0 {
		return all[:most], fmt.Sprintf("and %s more, in the whole report", analysis.Counted(more, "doubt"))
	}
	return all, ""
}

// found is a warning and the rows it stands on.
type found struct {
	kind, text       string
	compared, spread []int // rows
	headlines        []string
	curves           []string
	series           []string
	general          bool
	varies           bool // the numbers in it differ from row to row
	refusal          bool
}

func (f *found) curve(name string) {
	if !slices.Contains(f.curves, name) {
		f.curves = append(f.curves, name)
	}
}

// doubts gathers all warnings: those about everything first, then each with
// the rows it stands on. Equal sentences are one doubt.
func doubts(r *Report) []doubt {
	var all []*found
	at := map[string]*found{}
	note := func(w analysis.Warning) *found {
		key, text := w.Kind()+"\x00"+w.Text(), table.Visible(w.Text())
		refusal, refused := w.(analysis.Refusal)
		if _, counts := w.(analysis.NoCommonCut); counts { // runs without a cut, a number a stratum
			key = w.Kind()
		}
		if refused { // what to run depends on the row, why does not
			key = w.Kind() + "\x00" + refusal.Why()
		}
		if claim, ok := w.(analysis.CurveClaimRefused); ok {
			key = w.Kind() + "\x00" + claim.Why
		}
		f := at[key]
		if f == nil {
			f = &found{kind: w.Kind(), text: text, refusal: refused}
			at[key], all = f, append(all, f)
		}
		f.varies = f.varies || f.text != text
		return f
	}
	once := func(rows []int, i int) []int {
		if len(rows) > 0 && rows[len(rows)-1] == i {
			return rows
		}
		return append(rows, i)
	}
	for _, w := range r.Warnings {
		if _, answer := w.(analysis.NoComparison); !answer { // the first line of the page says it
			note(w).general = true
		}
	}
	compared := make([]rowName, len(r.Comparisons))
	for i, c := range r.Comparisons {
		compared[i] = rowName{c.Metric, c.Level, stratumWords(c.Stratum)}
		for _, w := range slices.Concat(c.Result.Warnings, c.Doubts) {
			f := note(w)
			f.compared = once(f.compared, i)
		}
	}
	for _, h := range r.Headlines {
		for _, w := range h.Result.Warnings {
			if f := note(w); len(f.compared) == 0 {
				f.headlines = append(f.headlines, "headline of "+table.Visible(h.Metric)+" for "+table.Visible(h.Level))
			}
		}
	}
	spread := make([]rowName, len(r.Variance))
	for i, v := range r.Variance {
		spread[i] = rowName{metric: v.Metric, stratum: stratumWords(v.Stratum)}
		for _, w := range v.Result.Warnings {
			f := note(w)
			f.spread = once(f.spread, i)
		}
	}
	for i := range r.Curves {
		c := &r.Curves[i]
		of := "curves of " + table.Visible(c.Metric)
		if s := stratumWords(c.Stratum); s != "" {
			of += ", " + s
		}
		for _, w := range c.Result.Warnings {
			note(w).curve(of)
		}
		for j := range c.Curves {
			for _, w := range c.Curves[j].Warnings {
				note(w).curve(strings.TrimSuffix(of+" for "+table.Visible(c.arm(c.Curves[j].Arm)), " for "))
			}
		}
		for j := range c.Pairs {
			for _, w := range c.Pairs[j].Warnings {
				note(w).curve(of + " for " + table.Visible(c.arm(c.Pairs[j].Arm)))
			}
		}
	}

	warnings, places := profileDoubts(r)
	for i, w := range warnings {
		if f := note(w); places[i] == "" {
			f.general = true
		} else if len(f.compared) == 0 {
			f.headlines = append(f.headlines, places[i])
		}
	}
	for i := range r.History {
		h := &r.History[i]
		name := metricAt(h.Metric, h.Stratum)
		for _, w := range h.Warnings {
			if _, answer := w.(analysis.NothingRepeats); answer && historyAlone(r) {
				continue // the first line says it
			}
			f := note(w)
			f.series = append(f.series, name)
		}
		for j, c := range h.Changes {
			for _, w := range c.Warnings {
				f := note(w)
				f.series = append(f.series, "change of "+name+" at "+table.Visible(h.Points[h.Changes[j].At].Label))
			}
		}
	}
	for i := range r.Factors {
		for _, w := range r.Factors[i].Warnings {
			f := note(w)
			f.series = append(f.series, "effects on "+metricAt(r.Factors[i].Metric, r.Factors[i].Stratum))
		}
	}

	var everywhere, somewhere []doubt
	for _, f := range all {
		d := doubt{Kind: f.kind, Text: f.text}
		if f.varies {
			d.Text += " (The numbers are those of the first of these rows.)"
		}
		if n := distinct(f.series, func(s string) string { return s }); len(n) > 0 && len(n) == len(r.History) && n[0] == metricAt(r.History[0].Metric, r.History[0].Stratum) && len(f.compared)+len(f.spread)+len(f.curves) == 0 {
			f.general = true // all series
		}
		inAll := len(f.compared) > 0 && len(f.compared) == len(compared)
		switch {
		case f.refusal && len(r.Headlines) > 0 && (inAll || len(f.compared)+len(f.spread)+len(f.curves)+len(f.series) == 0):
			// The answer itself says it.
		case inAll || f.general:
			everywhere = append(everywhere, d)
		default:
			parts := append(placeNames(compared, f.compared), f.headlines...)
			if n := len(f.series); n > seriesNamed {
				parts = append(parts, fmt.Sprintf("%d series and changes of them", n))
			} else {
				parts = append(parts, f.series...)
			}
			if of := placeNames(spread, f.spread); len(of) > 0 {
				parts = append(parts, "spread of "+strings.Join(of, ", "))
			}
			parts = append(parts, f.curves...)
			d.Where = strings.Join(parts, ". ")
			somewhere = append(somewhere, d)
		}
	}
	return append(everywhere, somewhere...)
}

// seriesNamed is how many series a doubt names before it counts them.
const seriesNamed = 4

// rowName is what tells a row of a table from the others.
type rowName struct{ metric, level, stratum string }

// placeNames names rows, metric by metric: "tps: jemalloc; tcmalloc at 8
// threads". All rows of a contender are the contender, all rows of a metric the
// metric; metrics with the same rows are named together.
func placeNames(all []rowName, rows []int) []string {
	hit := make([]bool, len(all))
	for _, i := range rows {
		hit[i] = true
	}
	metrics := distinct(all, func(p rowName) string { return p.metric })
	levels := distinct(all, func(p rowName) string { return p.level })
	var where []string // rows of a metric in words; "" = all
	of := map[string][]string{}
	for _, metric := range metrics {
		var parts []string
		hits, total := 0, 0
		for _, level := range levels {
			var in, out []string
			for i, p := range all {
				switch {
				case p.metric != metric || p.level != level:
				case hit[i]:
					in = append(in, p.stratum)
				default:
					out = append(out, p.stratum)
				}
			}
			hits, total = hits+len(in), total+len(in)+len(out)
			name := table.Visible(level)
			if len(levels) == 1 {
				name = ""
			}
			if len(in) > 0 {
				part := strings.TrimSpace(name + " " + strataNames(in, out))
				parts = append(parts, strings.TrimPrefix(part, "at "))
			}
		}
		if hits == 0 {
			continue
		}
		w := strings.Join(parts, "; ")
		if hits == total {
			w = ""
		}
		if of[w] == nil {
			where = append(where, w)
		}
		of[w] = append(of[w], metric)
	}
	var names []string
	for _, w := range where {
		name := strings.Join(analysis.Some(visibleAll(of[w]), "metrics"), ", ")
		switch {
		case w != "" && len(metrics) == 1:
			name = w
		case w != "":
			name += ": " + w
		}
		names = append(names, name)
	}
	return analysis.Some(names, "of them")
}

// strataNamed is how many strata a doubt names before it counts them; --json
// has each doubt on its row.
const strataNamed = 6

// strataNames says in which of the strata something holds; "" is in all.
func strataNames(in, out []string) string {
	switch {
	case len(out) == 0:
		return ""
	case len(in) <= strataNamed:
		return "at " + strings.Join(in, "; at ")
	case len(out) <= strataNamed:
		return "but for " + strings.Join(out, "; ")
	}
	return fmt.Sprintf("in %d of %d strata", len(in), len(in)+len(out))
}

// distinct are the values of some rows, each once, in order.
func distinct[T any](rows []T, value func(T) string) []string {
	var names []string
	for _, row := range rows {
		if v := value(row); !slices.Contains(names, v) {
			names = append(names, v)
		}
	}
	return names
}

// levels are the contenders of some rows, in order.
func levels(rows []Comparison) []string {
	return distinct(rows, func(c Comparison) string { return c.Level })
}

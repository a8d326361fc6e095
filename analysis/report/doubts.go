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

// doubts gathers all warnings: those about everything first, then each with
// the rows it stands on. Equal sentences are one doubt.
func doubts(r *Report) []doubt {
	type found struct {
		kind, text string
		rows       []int // comparisons
		places     []string
		general    bool
		varies     bool // the numbers in it differ from row to row
	}
	var all []*found
	at := map[string]*found{}
	note := func(w analysis.Warning) *found {
		key, text := w.Kind()+"\x00"+w.Text(), table.Visible(w.Text())
		if refusal, ok := w.(analysis.Refusal); ok { // what to run depends on the row, why does not
			key = w.Kind() + "\x00" + refusal.Why()
		}
		f := at[key]
		if f == nil {
			f = &found{kind: w.Kind(), text: text}
			at[key], all = f, append(all, f)
		}
		f.varies = f.varies || f.text != text
		return f
	}
	for _, w := range r.Warnings {
		note(w).general = true
	}
	for i, c := range r.Comparisons {
		for _, w := range slices.Concat(c.Result.Warnings, c.Doubts) {
			if f := note(w); len(f.rows) == 0 || f.rows[len(f.rows)-1] != i {
				f.rows = append(f.rows, i)
			}
		}
	}
	for _, h := range r.Headlines {
		for _, w := range h.Result.Warnings {
			f := note(w)
			if len(f.rows) == 0 {
				f.places = append(f.places, "headline of "+table.Visible(h.Metric)+" for "+table.Visible(h.Level))
			}
		}
	}
	for _, v := range r.Variance {
		for _, w := range v.Result.Warnings {
			f := note(w)
			place := "spread of " + table.Visible(v.Metric)
			if s := stratumWords(v.Stratum); s != "" {
				place += ", " + s
			}
			if len(f.rows) == 0 {
				f.places = append(f.places, place)
			}
		}
	}

	var everywhere, somewhere []doubt
	for _, f := range all {
		d := doubt{Kind: f.kind, Text: f.text}
		if f.varies {
			d.Text += " (The numbers are those of the first of these rows.)"
		}
		if f.general || len(f.rows) > 0 && len(f.rows) == len(r.Comparisons) {
			everywhere = append(everywhere, d)
			continue
		}
		d.Where = strings.Join(slices.Concat(rowNames(r, f.rows), f.places), "; ")
		somewhere = append(somewhere, d)
	}
	return append(everywhere, somewhere...)
}

// rowNames names rows by what tells them apart; all rows of a metric are
// named by the metric.
func rowNames(r *Report, rows []int) []string {
	var names []string
	severalMetrics, severalLevels := len(metrics(r)) > 1, len(levels(r.Comparisons)) > 1
	for _, metric := range metrics(r) {
		var of []string
		total := 0
		for i, c := range r.Comparisons {
			if c.Metric != metric {
				continue
			}
			total++
			if !slices.Contains(rows, i) {
				continue
			}
			var parts []string
			if severalLevels {
				parts = append(parts, table.Visible(c.Level))
			}
			if s := stratumWords(c.Stratum); s != "" {
				parts = append(parts, s)
			}
			of = append(of, strings.Join(parts, " at "))
		}
		switch {
		case len(of) == 0:
		case len(of) == total && severalMetrics:
			names = append(names, "all of "+table.Visible(metric))
		case severalMetrics:
			names = append(names, fmt.Sprintf("%s of %s", strings.Join(of, "; "), table.Visible(metric)))
		default:
			names = append(names, of...)
		}
	}
	return names
}

// levels are the contenders of some rows, in order.
func levels(rows []Comparison) []string {
	var names []string
	for _, c := range rows {
		if !slices.Contains(names, c.Level) {
			names = append(names, c.Level)
		}
	}
	return names
}

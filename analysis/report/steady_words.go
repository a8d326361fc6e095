package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/steady"
	"noisefloor/analysis/table"
)

var classes = []steady.Class{steady.Flat, steady.WarmUp, steady.SlowDown, steady.NoSteadyState, steady.TooShort}

// warmupLine says in the design what part of the runs counts; "" where nothing
// is known of it.
func warmupLine(r *Report) string {
	if len(r.SteadyStrata) == 0 {
		return ""
	}
	if r.KeepWarmup {
		return "Warm-up: kept, as asked with --keep-warmup."
	}
	lo, hi, without := math.Inf(1), math.Inf(-1), 0
	for _, s := range r.SteadyStrata {
		if math.IsNaN(s.Cut) {
			without++
			continue
		}
		lo, hi = min(lo, s.Cut), max(hi, s.Cut)
	}
	all := len(r.SteadyStrata)
	where := "all runs"
	if without > 0 {
		where = fmt.Sprintf("%d of %s", all-without, analysis.Counted(all, "stratum"))
		where = strings.Replace(where, "stratums", "strata", 1)
	}
	line := ""
	switch {
	case without == all:
		line = "no cut fits all runs of a stratum, so whole runs count, warm-up included"
	case hi <= 0:
		line = "none to cut in " + where
	case lo == hi:
		line = fmt.Sprintf("the first %s s are left out in %s", seconds(hi), where)
	case lo <= 0:
		line = fmt.Sprintf("up to %s s are left out in %s, in each stratum the same for all of its runs", seconds(hi), where)
	default:
		line = fmt.Sprintf("the first %s to %s s are left out in %s, in each stratum the same for all of its runs", seconds(lo), seconds(hi), where)
	}
	if 0 < without && without < all {
		line += "; in the others no cut fits all runs, and whole runs count"
	}
	return "Warm-up: " + line + ". noisefloor steady shows it run by run."
}

func seconds(s float64) string { return strconv.FormatFloat(math.Round(10*s)/10, 'f', -1, 64) }

func secondsOrDash(s float64) string {
	if math.IsNaN(s) {
		return "-"
	}
	return seconds(s) + " s"
}

const headCut = "cut"

// SteadyStrata is the table of how the strata are cut.
func SteadyStrata(rows []SteadyStratum) *table.Table {
	t := &table.Table{}
	of := func(i int) []group.Field { return rows[i].Stratum }
	names := stratumNames(len(rows), of)
	t.Columns = append(stratumColumns(names, len(rows), of), table.Column{Head: headRuns, Align: table.Right, Fields: []string{"runs"}})
	var shown []steady.Class
	for _, class := range classes {
		if slices.ContainsFunc(rows, func(s SteadyStratum) bool { return s.Classes[class] > 0 }) {
			shown = append(shown, class)
			t.Columns = append(t.Columns, table.Column{Head: string(class), Align: table.Right, Fields: []string{strings.ReplaceAll(strings.ReplaceAll(string(class), " ", "_"), "-", "_")}})
		}
	}
	t.Columns = append(t.Columns, table.Column{Head: headCut, Align: table.Right, Fields: []string{"cut_s"}})
	for _, s := range rows {
		row := append(stratumCells(names, s.Stratum), table.Cell{Text: fmt.Sprint(s.Runs), Values: []any{s.Runs}})
		for _, class := range shown {
			n := s.Classes[class]
			row = append(row, table.Cell{Text: fmt.Sprint(n), Values: []any{n}})
		}
		cut := secondsOrDash(s.Cut)
		if math.IsNaN(s.Cut) {
			cut = "whole runs"
		}
		t.Add(append(row, table.Cell{Text: cut, Values: []any{s.Cut}})...)
	}
	return t
}

// SteadyRuns is the table of the runs, one by one.
func SteadyRuns(rows []Steady) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "run", Fields: []string{"run_id", "log"}}}}
	of := func(i int) []group.Field { return rows[i].Stratum }
	names := stratumNames(len(rows), of)
	t.Columns = append(t.Columns, stratumColumns(names, len(rows), of)...)
	t.Columns = append(t.Columns,
		table.Column{Head: "arm", Fields: []string{"arm"}},
		table.Column{Head: "day", Fields: []string{"day"}},
		table.Column{Head: "class", Fields: []string{"class"}},
		table.Column{Head: headCut, Align: table.Right, Fields: []string{"cut_s"}},
		table.Column{Head: "kept", Align: table.Right, Fields: []string{"kept_s"}},
		table.Column{Head: "mean", Align: table.Right, Fields: []string{"mean"}},
		table.Column{Head: "se", Align: table.Right, Fields: []string{"se"}},
		table.Column{Head: "ess", Align: table.Right, Fields: []string{"ess"}},
		table.Column{Head: "steady mean", Align: table.Right, Fields: []string{"common_cut_s", "steady_tps"}},
		table.Column{Head: "doubts", Fields: []string{"warnings"}},
	)
	var means, errors []float64
	for _, s := range rows {
		means, errors = append(means, s.Mean, s.SteadyTPS), append(errors, s.SE)
	}
	d := min(table.Decimals(meanDigits, means...), max(0, table.Decimals(2, errors...)))
	number := func(v float64, decimals int) string {
		if math.IsNaN(v) {
			return "-"
		}
		return table.Fixed(v, decimals)
	}
	for _, s := range rows {
		var kinds []string
		for _, w := range s.Warnings {
			if !slices.Contains(kinds, w.Kind()) {
				kinds = append(kinds, w.Kind())
			}
		}
		row := append([]table.Cell{{Text: s.Name, Values: []any{s.RunID, s.Name}}}, stratumCells(names, s.Stratum)...)
		doubts := strings.Join(kinds, ", ")
		t.Add(append(row,
			table.Word(s.Arm), table.Word(s.Day), table.Word(string(s.Class)),
			table.Cell{Text: secondsOrDash(s.Cut), Values: []any{s.Cut}},
			table.Cell{Text: secondsOrDash(s.Kept), Values: []any{s.Kept}},
			table.Cell{Text: number(s.Mean, d), Values: []any{s.Mean}},
			table.Cell{Text: number(s.SE, d), Values: []any{s.SE}},
			table.Cell{Text: number(s.ESS, 0), Values: []any{s.ESS}},
			table.Cell{Text: number(s.SteadyTPS, d), Values: []any{s.CommonCut, s.SteadyTPS}},
			table.Word(doubts),
		)...)
	}
	return t
}

// blankColumns are those without a word in any row, or with the same in all: arm
// and day where nothing is compared or there is one day.
func blankColumns(t *table.Table, heads ...string) []string {
	var blank []string
	for i, c := range t.Columns {
		if slices.Contains(heads, c.Head) && !slices.ContainsFunc(t.Rows, func(row []table.Cell) bool { return row[i].Text != t.Rows[0][i].Text }) {
			blank = append(blank, c.Head)
		}
	}
	return blank
}

// steadyRuns is the table as text and page print it.
func steadyRuns(rows []Steady) *table.Table {
	t := SteadyRuns(rows)
	drop := blankColumns(t, "arm", "day")
	if !slices.ContainsFunc(rows, func(s Steady) bool { return len(s.Warnings) > 0 }) {
		drop = append(drop, "doubts")
	}
	// Where nothing is cut both means are the same.
	if !slices.ContainsFunc(rows, func(s Steady) bool { return s.SteadyTPS != s.Mean && !math.IsNaN(s.SteadyTPS) }) {
		drop = append(drop, "steady mean")
	}
	return t.Without(drop...)
}

// steadyHeading names the metric and counts the classes.
func steadyHeading(r *Report) string {
	count := map[steady.Class]int{}
	for _, s := range r.Steady {
		count[s.Class]++
	}
	var parts []string
	for _, class := range classes {
		if n := count[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
	}
	metrics := distinct(r.Steady, func(s Steady) string { return s.Metric })
	metrics = slices.DeleteFunc(metrics, func(metric string) bool { return metric == "" }) // of runs without report lines
	return fmt.Sprintf("Whether runs are steady (%s): %s", strings.Join(metrics, ", "), strings.Join(parts, ", "))
}

// steadyNote explains the columns.
const steadyNote = "Mean, its standard error (se, with the likeness of neighbours counted in) and the number of independent values it is worth (ess) are of the run's own steady part; steady mean is after the cut that all runs of the stratum share, which is what comparisons use."

// runDoubts says each kind of doubt about single runs once, with the first run it
// is about and how many there are.
func runDoubts(r *Report) []doubt {
	type found struct {
		d     doubt
		first string
		runs  int
	}
	var all []*found
	at := map[string]*found{}
	for _, s := range r.Steady {
		seen := map[string]bool{}
		for _, w := range s.Warnings {
			kind := w.Kind()
			if seen[kind] {
				continue
			}
			seen[kind] = true
			f := at[kind]
			if f == nil {
				f = &found{d: doubt{Kind: kind, Text: table.Visible(w.Text())}, first: table.Visible(s.Name)}
				at[kind], all = f, append(all, f)
			}
			f.runs++
		}
	}
	doubts := make([]doubt, len(all))
	for i, f := range all {
		doubts[i] = f.d
		doubts[i].Text = f.d.Kind + ": " + f.d.Text
		doubts[i].Where = f.first
		if f.runs > 1 {
			doubts[i].Where += " and " + analysis.Counted(f.runs-1, "other run")
		}
	}
	return doubts
}

// steady prints the part about warm-up: by stratum in a whole report, run by run
// where nothing else was asked for.
func (p *printer) steady(r *Report) {
	if len(r.Steady) == 0 {
		if len(r.Parts) > 0 {
			p.section("Whether runs are steady", func() { p.prose("", noReportLines) })
		}
		return
	}
	p.section(steadyHeading(r), func() {
		p.table(SteadyStrata(r.SteadyStrata))
	})
	if len(r.Parts) == 0 {
		return
	}
	for rest := r.Steady; len(rest) > 0; {
		stratum := stratumWords(rest[0].Stratum)
		n := slices.IndexFunc(rest, func(s Steady) bool { return stratumWords(s.Stratum) != stratum })
		if n < 0 {
			n = len(rest)
		}
		head := "Run by run"
		if stratum != "" {
			head += ", " + stratum
		}
		one := slices.Clone(rest[:n])
		for i := range one {
			one[i].Stratum = nil // the heading says it
		}
		p.section(head, func() { p.table(steadyRuns(one)) })
		rest = rest[n:]
	}
	p.gap()
	p.prose("", steadyNote)
}

const noReportLines = "Nothing here has report lines, so the course of the runs is unknown. sysbench prints them with --report-interval=1."

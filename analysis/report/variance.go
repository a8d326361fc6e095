package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/analysis/noise"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

// addVariance asks how far the runs of each cell scatter, and inside them the
// intervals where those are known.
func (r *Report) addVariance(in Input, courses *runCourses, cells []group.Cell, opt Options) error {
	inside, err := courses.inside(in, cells)
	if err != nil {
		return err
	}
	for i := range cells {
		cell := &cells[i]
		result, err := noise.Analyse(courses.noiseRuns(cell, inside[cell.Metric]), noise.Options{Confidence: opt.Confidence})
		if err != nil {
			r.Warnings = append(r.Warnings, analysis.NoiseUnknown{Metric: cell.Metric, Stratum: stratumWords(cell.Stratum), Reason: err.Error()})
			continue
		}
		if !r.Has(PartCompare) { // else they stand on the comparison
			result.Warnings = append(result.Warnings, cell.Warnings...)
		}
		r.Variance = append(r.Variance, Variance{Metric: cell.Metric, Unit: cell.Unit, Stratum: cell.Stratum, Result: result})
	}
	return nil
}

// inner is what a table of intervals says inside one run. Without times the
// values are rows in no order.
type inner struct{ t, y []float64 }

// inside gives, by metric and run, the intervals that are no report lines of a
// log: rows without times, and metrics that only a series has.
func (c *runCourses) inside(in Input, cells []group.Cell) (map[string]map[int]*inner, error) {
	inside := map[string]map[int]*inner{}
	others := false
	for i := range cells {
		metric := cells[i].Metric
		if inside[metric] != nil {
			continue
		}
		inside[metric] = map[int]*inner{}
		m := lineMetric(metric)
		others = others || m < 0
		for k, of := range c.metrics {
			for run, values := range c.rows {
				if of == m && values != nil && anyKnown(values[k]) {
					inside[metric][run] = &inner{y: values[k]}
				}
			}
		}
	}
	if !others || in.Series == nil {
		return inside, nil
	}
	err := in.Series(func(rows []datasets.Sample) error {
		for i := range rows {
			s := &rows[i]
			run, ok := c.at[s.RunID]
			byRun := inside[s.Metric]
			if !ok || byRun == nil || s.Source != datasets.TableSource || math.IsNaN(s.Value) {
				continue
			}
			if byRun[run] == nil {
				byRun[run] = &inner{}
			}
			byRun[run].y = append(byRun[run].y, s.Value)
			if !math.IsNaN(s.T) {
				byRun[run].t = append(byRun[run].t, s.T)
			}
		}
		return nil
	})
	return inside, err
}

// noiseRuns are the runs of a cell with what is known inside them.
func (c *runCourses) noiseRuns(cell *group.Cell, inside map[int]*inner) []noise.Run {
	runs := make([]noise.Run, 0, len(cell.Runs))
	for j, r := range cell.Runs {
		i := c.at[cell.RunIDs[j]]
		run := noise.Run{Arm: r.Arm, Day: r.Day, Launch: r.Launch, Value: r.Value}
		switch known := inside[i]; {
		case known != nil && len(known.t) < len(known.y):
			run.Run = cell.RunIDs[j]
			for _, v := range known.y {
				if run.Value = v; !math.IsNaN(v) {
					runs = append(runs, run)
				}
			}
			continue
		case known != nil:
			run.Within = within(known.t, known.y, math.Inf(-1))
		case c.runs[i].Metric != "" && lineMetric(c.runs[i].Metric) == lineMetric(cell.Metric):
			run.Within = c.within[i]
		}
		runs = append(runs, run)
	}
	return runs
}

// Components is the table of variance components: a row for each level of each
// stratum.
func Components(rows []Variance) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: headMetric, Fields: []string{"metric"}}}}
	names := stratumNames(len(rows), func(i int) []group.Field { return rows[i].Stratum })
	t.Columns = append(t.Columns, stratumColumns(names, len(rows), func(i int) []group.Field { return rows[i].Stratum })...)
	confidence := "interval"
	for _, v := range rows {
		if v.Total.Confidence > 0 {
			confidence = percentWords(v.Total.Confidence) + " interval"
		}
	}
	t.Columns = append(t.Columns,
		table.Column{Head: "level", Fields: []string{"level"}},
		table.Column{Head: "spread (SD)", Align: table.Right, Fields: []string{"sd_rel"}},
		table.Column{Head: confidence, Align: table.Right, Fields: []string{"lo", "hi"}},
		table.Column{Head: "share", Align: table.Right, Fields: []string{"share"}},
		table.Column{Head: "df", Align: table.Right, Fields: []string{"df"}},
		table.Column{Head: "method", Fields: []string{"method"}},
	)
	for _, v := range rows {
		for _, c := range v.Components {
			row := []table.Cell{table.Word(v.Metric)}
			row = append(row, stratumCells(names, v.Stratum)...)
			d := min(max(1, table.Decimals(2, 100*c.SDRel)), 3)
			spread, bounds, df := "unknown", "-", "-"
			if !math.IsNaN(c.SDRel) {
				spread = bound(c.SDRel, d) + " %"
			}
			if !math.IsNaN(c.Lo) && !math.IsNaN(c.Hi) {
				bounds = fmt.Sprintf("%s to %s %%", bound(c.Lo, d), bound(c.Hi, d))
			}
			if !math.IsNaN(c.DF) {
				df = strconv.FormatFloat(math.Round(c.DF*10)/10, 'f', -1, 64)
			}
			t.Add(append(row,
				table.Word(strings.ReplaceAll(c.Level, ":", " x ")),
				table.Cell{Text: spread, Values: []any{c.SDRel}},
				table.Cell{Text: bounds, Values: []any{c.Lo, c.Hi}},
				table.Cell{Text: percent(c.Share, 0), Values: []any{c.Share}},
				table.Cell{Text: df, Values: []any{c.DF}},
				table.Word(c.Method),
			)...)
		}
	}
	return t
}

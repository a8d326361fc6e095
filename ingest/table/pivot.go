package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
)

// Tables with a row per metric:
//
//	build,threads,metric,value,unit
//	base,8,tps,3120.4,1/s
//	base,8,p95,3.1,ms
//
//	metric,8.0.42,9.3.0
//	tps,3120.4,3171.3
//	p95 (ms),3.1,3.0
//
// The rows that agree in all but the metric are one run.

// namings are headings of columns that can only hold names of metrics.
var namings = []string{"metric", "metrics", "metric_name", "measure", "kpi"}

// valueNames are headings of columns of numbers that something else names.
var valueNames = []string{unnamed, "result", "val", "measured", "number", "metric_value", "measurement", "score"}

// pivot finds the column of names and makes that of values an arm without a
// level. rows are the first of the table.
func pivot(columns []Column, tallies []*tally, rows [][]string) (metrics []Column) {
	value := -1
	for i, c := range columns {
		switch {
		case c.Use == Arm && c.Name != unnamed:
			return nil
		case c.Use == Arm:
			value = i
		case c.Use == Metric && (value >= 0 || c.Unit.Name != "" && !slices.Contains(valueNames, c.Name)):
			return nil
		case c.Use == Metric:
			value = i
		}
	}
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Use == Factor && c.Role == "" && namesMetrics(c, tallies, columns) })
	if value < 0 || at < 0 {
		return nil
	}
	columns[at].Use, columns[at].Why = Named, "its cells name what was measured"
	if c := &columns[value]; c.Use == Metric {
		c.Use, c.Why = Arm, "what another column names"
	}
	units := -1
	for i := range columns {
		if c := &columns[i]; c.Use == Factor && (c.Name == "unit" || c.Name == "units") {
			c.Use, c.Why, units = Units, "units of another column", i
		}
	}
	stated := map[string]string{}
	for _, cells := range rows {
		if units >= 0 && len(cells) > max(at, units) && stated[cells[at]] == "" {
			stated[cells[at]] = cells[units]
		}
	}
	for _, cell := range slices.Sorted(maps.Keys(tallies[at].levels)) {
		metrics = append(metrics, measured(cell, stated[cell]))
	}
	return metrics
}

func namesMetrics(c Column, tallies []*tally, columns []Column) bool {
	t := tallies[slices.IndexFunc(columns, func(o Column) bool { return o.Heading == c.Heading })]
	if t.many || t.numeric() || t.cells == 0 {
		return false
	}
	if slices.Contains(namings, c.Name) {
		return true
	}
	good, better := 0, 0 // names of metrics, and of those that have a better side
	for cell := range t.levels {
		if _, u, _, ok := known(cell); ok {
			if good++; u.Better != unit.Neither {
				better++
			}
		}
	}
	return good > 1 && better > 0 && good*5 >= len(t.levels)*3
}

// measured is the metric that a cell names, in the unit that another states.
func measured(cell, stated string) Column {
	heading := strings.TrimSpace(cell)
	if _, ok := unit.Factor(stated); ok {
		heading += " (" + strings.TrimSpace(stated) + ")"
	} else if strings.TrimSpace(stated) == "%" {
		heading += " %"
	}
	c := Column{Use: Metric, Kind: datasets.FloatKind}
	var ok bool
	if c.Name, c.Unit, c.Scale, ok = known(heading); !ok {
		c.Name, c.Scale = column.Name(cell), 1
	}
	return c
}

// of is the first column of a use, -1 if there is none.
func (s Schema) of(use Use) int {
	return slices.IndexFunc(s.Columns, func(c Column) bool { return c.Use == use })
}

// named gives the metric that is measured in a row of a table with a row for each.
func (s Schema) named(cells []string) (c Column, ok bool) {
	at, units := s.of(Named), s.of(Units)
	if at < 0 {
		return c, false
	}
	stated := ""
	if units >= 0 {
		stated = s.cell(cells[units])
	}
	c = measured(s.cell(cells[at]), stated)
	return c, true
}

// A gatherer makes runs of rows that hold a metric each.
type gatherer struct {
	list []gathered
	at   map[string]int
}

type gathered struct {
	run    *datasets.Run
	cells  []string
	number int
}

// add puts the metrics of a row to its run; one that comes again begins another.
func (g *gatherer) add(r *datasets.Run, cells []string, number int) error {
	key := key(r)
	if i, ok := g.at[key]; ok {
		run := g.list[i].run
		again := false
		for name := range r.Metrics {
			_, has := run.Metrics[name]
			again = again || has
		}
		if !again {
			maps.Copy(run.Metrics, r.Metrics)
			return nil
		}
	}
	if g.at == nil {
		g.at = map[string]int{}
	}
	g.at[key] = len(g.list)
	g.list = append(g.list, gathered{r, slices.Clone(cells), number})
	return nil
}

// key is what the rows of one run agree in; when a row was written is none of it.
func key(r *datasets.Run) string {
	return fmt.Sprint(r.Factors, r.Threads, r.Clients, r.Day, "\x00", r.Workload, "\x00", r.Host, "\x00", r.Session, "\x00", r.Launch, r.Order)
}

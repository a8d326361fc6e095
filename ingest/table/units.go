package table

import (
	"strings"

	"noisefloor/datasets/unit"
)

// Units in a column of their own, a row each:
//
//	name,real_time,cpu_time,time_unit
//	lookup/10,91.2,91.0,ns
//	lookup/1000,2.61,2.60,us
//
// time_unit is that of all times whose headings state none, cost_unit that of the
// column cost, and unit that of the only metric without one.
func unitColumns(columns []Column, tallies []*tally) {
	for at := range columns {
		c := &columns[at]
		what, isUnit := strings.CutSuffix("_"+strings.TrimSuffix(c.Name, "s"), "_unit")
		if c.Use != Factor || !isUnit || tallies[at].cells == 0 || tallies[at].many {
			continue
		}
		one := ""
		for one = range tallies[at].levels {
			if _, ok := unit.Factor(one); !ok {
				one = ""
				break
			}
		}
		var of []int
		for i, m := range columns {
			_, stated, _ := unit.Heading(m.Heading)
			if m.Use == Metric && stated == "" && (what == "" || what == "_"+m.Name || what == "_time" && m.Unit.Name == "s") {
				of = append(of, i)
			}
		}
		if one == "" || len(of) == 0 || what == "" && len(of) > 1 {
			continue
		}
		c.Use, c.Why = Units, "units of other columns"
		for _, i := range of {
			columns[i].unitAt, columns[i].Unit = at+1, unit.With(columns[i].Name, one)
		}
	}
}

// inUnit gives a metric as its row counts it.
func (s Schema) inUnit(c *Column, cells []string) *Column {
	if c.unitAt == 0 {
		return c
	}
	own := *c
	if scale, ok := unit.Factor(s.cell(cells[c.unitAt-1])); ok {
		own.Scale = scale
	}
	return &own
}

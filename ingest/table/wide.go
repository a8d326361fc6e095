package table

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
)

// Wide tables have several runs in a row, one column for each: per arm, per
// repetition, per day, per number of threads, or per each of several.
//
//	threads,8.0.42,9.7.0                 tps or whatever it is: one metric without a name
//	threads,glibc tps,jemalloc tps,glibc p95 (ms),jemalloc p95 (ms)
//	build,threads,run1,run2,run3,avg
//	build,Mon,Tue,Wed
//
// Each cell below such a heading belongs to a run of its own, and the levels in
// the heading are factors of it. What stands beside them and says no level, as a
// mean or a speed-up, was made of them or is none of any one of them.

// unnamed is what a metric is called that no heading names. --map 'tps=value'
// gives it a name.
const unnamed = "value"

// melt turns the columns of a wide table into those of arms.
func melt(columns []Column, tallies []*tally, names map[string]string) {
	found := map[int]Column{}
	sets := map[string]map[string]bool{} // the levels that a metric has columns for
	for i, c := range columns {
		if c.Use != Metric && c.Use != Factor || !tallies[i].numeric() || names[c.Heading] != "" {
			continue
		}
		levels, rest, stated := apart(c.Heading)
		if stated == "" {
			stated = tallies[i].unit
		}
		if len(levels) == 0 {
			continue
		}
		wide := Column{Heading: c.Heading, Use: Arm, Kind: datasets.FloatKind, Levels: levels, Why: "a level in the heading"}
		if !wide.measures(rest, stated, names) && slices.ContainsFunc(levels, func(l level) bool { return l.factor == aNumber }) {
			continue // core 1, core 2
		}
		found[i] = wide
		if sets[wide.Name] == nil {
			sets[wide.Name] = map[string]bool{}
		}
		sets[wide.Name][fmt.Sprint(levels)] = true
	}
	shared := map[string]bool{} // levels of metrics that have several
	for metric, levels := range sets {
		if len(levels) > 1 && (metric != unnamed || !hasKnown(columns, found)) {
			maps.Copy(shared, levels)
		}
	}
	maps.DeleteFunc(found, func(_ int, c Column) bool { return !shared[fmt.Sprint(c.Levels)] })
	if !settle(found) {
		return
	}
	for i := range columns {
		if c, ok := found[i]; ok {
			columns[i] = c
		} else if c := columns[i]; c.Use == Metric && names[c.Heading] == "" && names[column.Name(c.Heading)] == "" {
			columns[i].Use, columns[i].Why = Beside, "one number for several runs"
		}
	}
}

// measures names the metric by what is left of a heading, and its unit; false if
// that is none that is known.
func (c *Column) measures(rest, stated string, names map[string]string) (ok bool) {
	bare := rest == ""
	if bare {
		rest = unnamed
		if to := column.Name(names[unnamed]); to != "" {
			rest = to
		} else if unit.With("", stated).Name == "s" {
			rest = "time"
		}
	}
	heading := rest
	if stated != "" {
		heading += " (" + stated + ")"
	}
	if c.Name, c.Unit, c.Scale, ok = known(heading); !ok {
		c.Name = column.Name(rest)
	}
	return ok || bare
}

// hasKnown tells whether a metric has a name in a column of its own, so that
// headings of nothing but a level have one too.
func hasKnown(columns []Column, found map[int]Column) bool {
	for i, c := range columns {
		if _, wide := found[i]; !wide && c.Use == Metric && c.Unit.Name != "" {
			return true
		}
	}
	return false
}

// settle names the factors of the levels; false if there are no two columns, or
// numbers among them that number nothing.
func settle(found map[int]Column) bool {
	var arms, numbers []string
	bare := false
	for _, c := range found {
		for _, l := range c.Levels {
			switch l.factor {
			case anArm:
				arms = append(arms, l.value)
			case aNumber:
				numbers = append(numbers, l.value)
				bare = bare || len(c.Levels) == 1 && c.Unit.Name == ""
			}
		}
	}
	number := numberName(numbers, bare)
	if len(found) < 2 || len(numbers) > 0 && number == "" {
		return false
	}
	for _, c := range found {
		for k := range c.Levels {
			switch c.Levels[k].factor {
			case anArm:
				c.Levels[k].factor = armName(arms)
			case aNumber:
				c.Levels[k].factor = number
			}
		}
	}
	return true
}

// numberName tells runs, which are numbered one by one, from threads, which are
// doubled; bare numbers for headings are threads if they can be.
func numberName(texts []string, bare bool) string {
	var numbers []int
	doubled := true
	for _, text := range texts {
		n, _ := strconv.Atoi(text)
		numbers = append(numbers, n)
		doubled = doubled && isPower(n)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	inOrder := len(numbers) > 1 && numbers[0] < 2 && numbers[len(numbers)-1]-numbers[0] == len(numbers)-1
	switch {
	case inOrder && !(bare && doubled):
		return runLevel
	case doubled:
		return "threads"
	}
	return ""
}

// armName names the factor by what its levels look like.
func armName(arms []string) string {
	all := func(f func(string) bool) bool {
		return !slices.ContainsFunc(arms, func(a string) bool { return !f(a) })
	}
	switch {
	case all(column.IsVersion):
		return "version"
	case all(column.IsAllocator):
		return "allocator"
	case all(column.IsProduct):
		return "build"
	}
	return "arm"
}

// sets lists the levels that rows have a run for, in their order.
func (s Schema) sets() [][]level {
	var list [][]level
	for _, c := range s.Columns {
		if c.Use == Arm && !slices.ContainsFunc(list, func(l []level) bool { return slices.Equal(l, c.Levels) }) {
			list = append(list, c.Levels)
		}
	}
	return list
}

// perRow is how many runs a row may hold.
func (s Schema) perRow() int { return max(1, len(s.sets())) }

// at gives the run of a row whose other cells are read that has these levels.
func (s Schema) at(row *datasets.Run, levels []level, cells []string, bad func(c *Column, cell string)) *datasets.Run {
	r := *row
	r.Factors, r.Metrics = maps.Clone(row.Factors), maps.Clone(row.Metrics)
	for _, l := range levels {
		switch l.factor {
		case "threads":
			r.Threads, _ = strconv.Atoi(l.value)
		case "clients":
			r.Clients, _ = strconv.Atoi(l.value)
		case "day":
			r.Day = l.value
			if day, err := column.Date(l.value); err == nil {
				r.Day = day
			}
		default:
			v := datasets.Text(l.value)
			if n, err := strconv.Atoi(l.value); err == nil && l.factor == runLevel {
				v = datasets.Int(int64(n))
			}
			r.Factors[l.factor] = v
		}
	}
	named, isNamed := s.named(cells)
	for i := range s.Columns {
		c := &s.Columns[i]
		cell := s.cell(cells[i])
		if c.Use != Arm || !slices.Equal(c.Levels, levels) || isNull(cell) {
			continue
		}
		n, ok := s.Dialect.measure(cell)
		switch {
		case !ok:
			bad(c, cell)
		case isNamed:
			r.Metrics[named.Name] = n.in(&named)
		default:
			r.Metrics[c.Name] = n.in(c)
		}
	}
	return &r
}

// levelFactors gives the factors in the headings and what kind their levels are
// of, in their order.
func (s Schema) levelFactors() (list []datasets.Column) {
	for _, levels := range s.sets() {
		for _, l := range levels {
			kind := datasets.TextKind
			if l.factor == runLevel {
				kind = datasets.IntKind
			}
			at := slices.IndexFunc(list, func(d datasets.Column) bool { return d.Name == l.factor })
			if at < 0 {
				list = append(list, datasets.Column{Name: l.factor, Kind: kind, Role: column.Role(l.factor), Guess: "headings of the table"})
			}
		}
	}
	return list
}

// sayArms says in words how a wide table was read.
func (s Schema) sayArms() string {
	var metrics, per []string
	for _, f := range s.levelFactors() {
		var values []string
		for _, levels := range s.sets() {
			for _, l := range levels {
				if l.factor == f.Name && !slices.Contains(values, l.value) {
					values = append(values, l.value)
				}
			}
		}
		per = append(per, f.Name+" ("+strings.Join(values, ", ")+")")
	}
	measured := s.metrics
	for _, c := range s.Columns {
		if c.Use == Arm && s.metrics == nil {
			measured = append(measured, c)
		}
	}
	for _, c := range measured {
		name := c.Name
		if name == unnamed {
			name += " (no heading names it; --map tps=" + unnamed + " does)"
		}
		if !slices.Contains(metrics, name) {
			metrics = append(metrics, name)
		}
	}
	switch {
	case len(metrics) == 0:
		return ""
	case len(per) == 0:
		return "; one row per metric for " + strings.Join(metrics, ", ")
	}
	return fmt.Sprintf("; one column per %s for %s", strings.Join(per, " and "), strings.Join(metrics, ", "))
}

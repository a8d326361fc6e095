package table

import (
	"fmt"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"noisefloor/datasets"
	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
)

// Wide tables have one column per arm, or per number of threads:
//
//	threads,8.0.42,9.7.0                 tps or whatever it is: one metric without a name
//	threads,glibc tps,jemalloc tps,glibc p95 (ms),jemalloc p95 (ms)
//	build,1,8,64                         one column per number of threads
//
// Each cell below such a heading becomes a run of its own, and the level in the
// heading a factor. It is done only where the headings are levels for sure.

// isLevel tells headings that are a level by themselves: a version, or a number of
// threads, which people raise by powers of two.
func isLevel(heading string) bool {
	if n, err := strconv.Atoi(heading); err == nil {
		return n > 0 && bits.OnesCount(uint(n)) == 1
	}
	return strings.Count(heading, ".") >= 2 && column.IsVersion(heading)
}

// isArm tells words that name one of the things compared.
func isArm(word string) bool {
	return word != "" && (column.IsVersion(word) || column.IsProduct(word) || column.IsAllocator(word) || column.IsSide(word))
}

// isArmHeading tells headings that are nothing but a level: MySQL 8.0.42, glibc.
func isArmHeading(heading string) bool {
	if isLevel(heading) {
		return true
	}
	return heading != "" && !slices.ContainsFunc(between.Split(heading, -1), func(w string) bool { return !isArm(w) })
}

// unnamed is what a metric is called that no heading names. --map 'tps=value'
// gives it a name.
const unnamed = "value"

// melt turns the columns of a wide table into arms; it gives the name of the
// factor that their headings are the levels of, "" if the table is not wide.
func melt(columns []Column, tallies []*tally, names map[string]string) string {
	if name := meltLevels(columns, tallies, names); name != "" {
		return name
	}
	return meltNamed(columns, tallies)
}

// meltLevels: headings that are nothing but levels.
func meltLevels(columns []Column, tallies []*tally, names map[string]string) string {
	var at []int
	numbers := true
	for i, c := range columns {
		heading := strings.TrimSpace(c.Heading)
		_, err := strconv.Atoi(heading)
		switch {
		case c.Use == Metric && c.Unit.Name != "" && !isArmHeading(heading):
			return "" // a metric has a name here, so that the others have one too
		case !tallies[i].numeric(), !isArmHeading(heading), names[heading] != "":
			continue
		}
		numbers = numbers && err == nil
		at = append(at, i)
	}
	if len(at) < 2 {
		return ""
	}
	metric := unnamed
	if to := column.Name(names[unnamed]); to != "" {
		metric = to
	}
	name, u, scale, _ := known(metric)
	for _, i := range at {
		c := &columns[i]
		*c = Column{Heading: c.Heading, Name: name, Use: Arm, Kind: datasets.FloatKind, Unit: u, Scale: scale, Arm: strings.TrimSpace(c.Heading), Why: "a level for a heading"}
	}
	if numbers {
		return "threads"
	}
	return armName(columns)
}

var between = regexp.MustCompile(`[\s_/]+|\s*[-:]\s+`)

// meltNamed: headings of a level and a metric.
func meltNamed(columns []Column, tallies []*tally) string {
	type found struct {
		column   Column
		arm      string
		original int
	}
	levels := map[string]map[string]bool{} // arms by metric
	var all []found
	for i, c := range columns {
		if !tallies[i].numeric() || c.Use != Metric && c.Use != Factor {
			continue
		}
		label, inside, bracketed := unitInBrackets(c.Heading)
		words := between.Split(strings.TrimSpace(label), -1)
		if len(words) < 2 {
			continue
		}
		for _, side := range []struct {
			arm  string
			rest []string
		}{{words[0], words[1:]}, {words[len(words)-1], words[:len(words)-1]}} {
			rest := strings.Join(side.rest, "_")
			if bracketed {
				rest += " (" + inside + ")"
			}
			name, u, scale, ok := known(rest)
			if !isArm(side.arm) || !ok {
				continue
			}
			all = append(all, found{Column{Heading: c.Heading, Name: name, Use: Arm, Kind: datasets.FloatKind, Unit: u, Scale: scale, Arm: side.arm, Why: "a level and a metric in the heading"}, side.arm, i})
			if levels[name] == nil {
				levels[name] = map[string]bool{}
			}
			levels[name][side.arm] = true
			break
		}
	}
	for name, arms := range levels {
		if len(arms) < 2 {
			delete(levels, name)
		}
	}
	if len(levels) == 0 {
		return ""
	}
	for _, f := range all {
		if levels[f.column.Name] != nil {
			columns[f.original] = f.column
		}
	}
	return armName(columns)
}

// unitInBrackets takes "p95 (ms)" apart where it is a unit.
func unitInBrackets(heading string) (label, inside string, ok bool) {
	for _, pair := range []string{"()", "[]"} {
		rest, ends := strings.CutSuffix(strings.TrimSpace(heading), pair[1:])
		if at := strings.LastIndex(rest, pair[:1]); ends && at > 0 {
			if _, isUnit := unit.Factor(rest[at+1:]); isUnit {
				return rest[:at], rest[at+1:], true
			}
		}
	}
	return heading, "", false
}

// armName names the factor by what its levels look like.
func armName(columns []Column) string {
	is := func(f func(string) bool) bool {
		return !slices.ContainsFunc(columns, func(c Column) bool { return c.Use == Arm && !f(c.Arm) })
	}
	switch {
	case is(column.IsVersion):
		return "version"
	case is(column.IsAllocator):
		return "allocator"
	case is(column.IsProduct):
		return "build"
	}
	return "arm"
}

// arms lists the levels in the headings, in their order.
func (s Schema) arms() []string {
	var list []string
	for _, c := range s.Columns {
		if c.Use == Arm && !slices.Contains(list, c.Arm) {
			list = append(list, c.Arm)
		}
	}
	return list
}

// armRun gives the run of one arm in a row whose other cells are read.
func (s Schema) armRun(row *datasets.Run, arm string, cells []string, bad func(c *Column, cell string)) *datasets.Run {
	r := *row
	r.Factors, r.Metrics = maps.Clone(row.Factors), maps.Clone(row.Metrics)
	if s.ArmName == "threads" {
		r.Threads, _ = strconv.Atoi(arm)
	} else {
		r.Factors[s.ArmName] = datasets.Text(arm)
	}
	for i := range s.Columns {
		c := &s.Columns[i]
		cell := s.cell(cells[i])
		if c.Use != Arm || c.Arm != arm || isNull(cell) {
			continue
		}
		n, ok := s.Dialect.measure(cell)
		if !ok {
			bad(c, cell)
			continue
		}
		r.Metrics[c.Name] = n.times(c.Scale)
	}
	return &r
}

// times gives the number in the base unit of its column.
func (n cellNumber) times(scale float64) float64 {
	if n.inBase {
		return n.v
	}
	return n.v * scale
}

// sayArms says in words how a wide table was read.
func (s Schema) sayArms() string {
	if s.ArmName == "" {
		return ""
	}
	var metrics []string
	for _, c := range s.Columns {
		if c.Use == Arm && !slices.Contains(metrics, c.Name) {
			metrics = append(metrics, c.Name)
		}
	}
	return fmt.Sprintf("; one column per %s (%s) for %s", s.ArmName, strings.Join(s.arms(), ", "), strings.Join(metrics, ", "))
}

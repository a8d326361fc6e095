package table

import (
	"slices"
	"strings"

	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
)

// Heads is how the headings of a table are written.
type Heads int8

const (
	OneRow Heads = iota
	// Cells that a spreadsheet merged stand above the headings:
	//
	//	,8.0.42,,9.3.0,
	//	threads,tps,p95,tps,p95
	Grouped
	// Units stand below them:
	//
	//	threads,throughput,latency p95
	//	,tx/s,ms
	UnitsBelow
	// The name of the first column stands alone below them, as pandas writes it:
	//
	//	,tps,tps,p95,p95
	//	version,8.0,9.3,8.0,9.3
	//	threads,,,,
	Indexed
)

// headings reads the headings.
func (h Heads) headings(r rows) ([]string, error) {
	first, _, err := r.next()
	if err != nil || h == OneRow {
		return slices.Clone(first), err
	}
	first = slices.Clone(first)
	second, _, err := r.next()
	switch {
	case err != nil:
		return first, err
	case h == UnitsBelow:
		return withUnits(first, second), nil
	}
	both := underGroups(first, second)
	if h == Indexed {
		third, _, err := r.next()
		if err != nil {
			return both, err
		}
		both[0] = strings.TrimSpace(third[0])
	}
	return both, nil
}

// headsOf tells how the headings are written that the first three rows of a text
// begin with, and gives them; nil if these are none.
func headsOf(first, second, third []string) (Heads, []string) {
	if areHeadings(first) {
		if areUnits(first, second) {
			return UnitsBelow, withUnits(first, second)
		}
		return OneRow, first
	}
	if both := underGroups(first, second); areGroups(first, second) && areHeadings(both) {
		if len(third) == len(both) && strings.TrimSpace(third[0]) != "" && strings.Join(third[1:], "") == "" {
			both[0] = strings.TrimSpace(third[0])
			return Indexed, both
		}
		return Grouped, both
	}
	return OneRow, nil
}

// areGroups: names of several groups, merged over names that come again below.
func areGroups(groups, names []string) bool {
	if len(groups) > len(names) || slices.ContainsFunc(names, func(n string) bool { return looksNumeric(n) && !isLevel(n) && !column.IsVersion(n) }) {
		return false
	}
	merged, seen := false, map[string]bool{}
	for _, g := range groups {
		g = strings.TrimSpace(g)
		if looksNumeric(g) && !isLevel(g) {
			return false
		}
		merged = merged || g == "" || seen[g]
		seen[g] = true
	}
	delete(seen, "")
	again := len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names)
	return merged && again && len(seen) > 1
}

// underGroups puts what stands above before each heading.
func underGroups(groups, names []string) []string {
	both := make([]string, len(names))
	group := ""
	for i, name := range names {
		if i < len(groups) && strings.TrimSpace(groups[i]) != "" {
			group = strings.TrimSpace(groups[i])
		}
		both[i] = strings.TrimSpace(group + " " + strings.TrimSpace(name))
	}
	return both
}

// areUnits: a row with a unit at least, and nothing but units.
func areUnits(names, cells []string) bool {
	units := 0
	for _, c := range cells {
		switch c = bareUnit(c); {
		case c == "":
		case !isUnit(c):
			return false
		default:
			units++
		}
	}
	return units > 0 && len(cells) <= len(names)
}

func isUnit(text string) bool {
	_, ok := unit.Factor(text)
	return ok || text == "%" || text == "#" || isRate(text)
}

// isRate: tps, qps.
func isRate(text string) bool { return slices.Contains(rates, column.Name(text)) }

// bareUnit takes the brackets off.
func bareUnit(cell string) string {
	return strings.Trim(strings.TrimSpace(cell), "()[]")
}

// withUnits puts units behind the headings that have one.
func withUnits(names, units []string) []string {
	all := slices.Clone(names)
	for i, u := range units {
		if u = bareUnit(u); u != "" && u != "#" && i < len(all) {
			all[i] = strings.TrimSpace(all[i]) + " (" + u + ")"
		}
	}
	return all
}

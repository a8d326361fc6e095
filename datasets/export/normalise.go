package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"noisefloor/datasets"
)

// Normalise gives runs in which a level of a factor that is text is spelled in one
// way: without blanks around it and double blanks in it, and where levels differ
// in nothing but capital letters, as most runs have it. It says what it has
// changed; the runs it is given stay as they are.
func Normalise(runs []datasets.Run) (normal []datasets.Run, changes []string) {
	normal = slices.Clone(runs)
	names := map[string]bool{}
	for i := range normal {
		normal[i].Factors = maps.Clone(normal[i].Factors)
		for name, v := range normal[i].Factors {
			if v.Kind() == datasets.TextKind {
				names[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		changes = append(changes, respell(name, len(normal), func(i int) (string, bool) {
			v := normal[i].Factors[name]
			return v.String(), v.Kind() == datasets.TextKind
		}, func(i int, level string) { normal[i].Factors[name] = datasets.Text(level) })...)
	}
	for _, b := range []struct {
		name string
		of   func(*datasets.Run) *string
	}{{"workload", func(r *datasets.Run) *string { return &r.Workload }}, {"host", func(r *datasets.Run) *string { return &r.Host }}} {
		changes = append(changes, respell(b.name, len(normal), func(i int) (string, bool) {
			s := *b.of(&normal[i])
			return s, s != ""
		}, func(i int, level string) { *b.of(&normal[i]) = level })...)
	}
	return normal, changes
}

// respell gives each level of one factor its one spelling.
func respell(name string, n int, get func(i int) (string, bool), set func(i int, level string)) []string {
	spellings := map[string]map[string]int{} // by level in small letters
	tidy := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for i := range n {
		if s, ok := get(i); ok {
			key := strings.ToLower(tidy(s))
			if spellings[key] == nil {
				spellings[key] = map[string]int{}
			}
			spellings[key][tidy(s)]++
		}
	}
	best := map[string]string{}
	for key, counts := range spellings {
		best[key] = slices.MaxFunc(slices.Sorted(maps.Keys(counts)), func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
	}
	changed := map[[2]string]int{}
	for i := range n {
		s, ok := get(i)
		if !ok {
			continue
		}
		if level := best[strings.ToLower(tidy(s))]; level != s {
			changed[[2]string{s, level}]++
			set(i, level)
		}
	}
	var said []string
	for pair, runs := range changed {
		said = append(said, fmt.Sprintf("%s: %q is written %q (%d runs)", name, pair[0], pair[1], runs))
	}
	slices.Sort(said)
	return said
}

package naming

import (
	"slices"
	"strings"
	"unicode"

	"noisefloor/datasets/natural"
)

// spell joins levels that differ in nothing but capitals, hyphens, underlines and
// blanks: MySQL8, mysql8 and mysql-8 are one server, written by three hands. The
// spelling of most files stays.
func (g *guesser) spell(l levels, list []string) (levels, []string) {
	alike := map[string][]string{}
	for _, v := range list {
		b := bareName(v)
		alike[b] = append(alike[b], v)
	}
	if len(alike) == len(list) {
		return l, list
	}
	count := map[string]int{}
	for _, v := range l.values {
		count[v]++
	}
	as := map[string]string{}
	for _, bare := range sorted(alike) {
		names := alike[bare]
		if len(names) == 1 || len(bare) < 2 { // a and A may be two arms
			continue
		}
		slices.SortFunc(names, func(a, b string) int {
			if count[a] != count[b] {
				return count[b] - count[a]
			}
			return natural.Compare(a, b)
		})
		for _, v := range names {
			as[v] = names[0]
		}
		g.say("%s in %s are read as one level, %s: a guess; a --layout that names it keeps them apart", Show(names), l.place, names[0])
	}
	l.values = slices.Clone(l.values)
	for i, v := range l.values {
		if to, ok := as[v]; ok {
			l.values[i] = to
		}
	}
	list, _ = l.distinct()
	return l, list
}

// bareName is a name without what hands write differently. Between digits something
// stays: 8.0.4-2 is not 8.0.42.
func bareName(name string) string {
	var b strings.Builder
	before := rune(0)
	apart := false
	for _, r := range name {
		if r == '-' || r == '_' || r == ' ' {
			apart = true
			continue
		}
		if apart && unicode.IsDigit(before) && unicode.IsDigit(r) {
			b.WriteByte('-')
		}
		apart = false
		before = r
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

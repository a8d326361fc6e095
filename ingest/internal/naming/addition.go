package naming

import (
	"slices"
	"strings"
	"unicode"
)

// addition: one word that some names have behind the others is one of two levels,
// 8.0.42 and 8.0.42-patched, or part of the only level that has it: O2, O3, O3-lto.
func (s slot) addition(found []levels, rest levels) []levels {
	list, _ := rest.distinct()
	with, all := 0, 0
	for i, segment := range s.segments {
		if segment != "" {
			all++
		}
		if rest.values[i] != "" {
			with++
		}
	}
	if len(list) != 1 || !isAddition(list[0]) || with == all || 10*with < all {
		return append(found, rest)
	}
	for k, l := range found {
		if !l.varies() && l.name != "version" && l.name != "kernel" || slices.Contains(noAddition, l.name) || strings.HasPrefix(l.name, threadsNamed) {
			continue
		}
		if of := l.beside(rest, true); len(of) == 1 && of[0] != "" && slices.Contains(l.beside(rest, false), of[0]) {
			l.values = slices.Clone(l.values)
			for i, v := range rest.values {
				if v != "" {
					l.values[i] += "-" + v
				}
			}
			found[k] = l
			return found
		}
	}
	for i, segment := range s.segments {
		if segment != "" && rest.values[i] == "" {
			rest.values[i] = lacking
		}
	}
	return append(found, rest)
}

// lacking is the level of a name without the word that others have.
const lacking = "without"

// noAddition are what no word belongs to.
var noAddition = []string{"rep", "day", "session", "started_at", "workload", Ambiguous}

// isAddition tells words: no bare numbers, nothing that is a factor by another rule.
func isAddition(word string) bool {
	lower := strings.ToLower(word)
	return strings.IndexFunc(word, unicode.IsLetter) >= 0 && !IsSideWord[lower] && !isWorkload(lower) && !isWeekday(lower) && !isDaytime(lower) && !hasProduct(word)
}

// beside gives the levels of l where the other has a value, or where it has none.
func (l levels) beside(other levels, has bool) (list []string) {
	for i, v := range l.values {
		if (other.values[i] != "") == has && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

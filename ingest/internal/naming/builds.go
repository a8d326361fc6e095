package naming

import (
	"strings"
	"unicode"
)

// builds: where one word varies in names that all hold a server's name, the words
// together name the build: mysql-pgo, mysql-lto. Of two words that do not cross, as one
// goes with a few of the other, both together are a name as well: origin-trunk,
// feature-x, feature-y.
func (s slot) builds(cut [][]token, shapes []string, free []levels) []levels {
	var vary []levels
	for _, l := range free {
		if l.varies() {
			vary = append(vary, l)
		}
	}
	if len(vary) == 2 && nested(vary[0], vary[1]) {
		return []levels{s.rest(cut, shapes)}
	}
	if len(vary) != 1 || len(free) < 2 {
		return free
	}
	whole := s.rest(cut, shapes)
	for _, v := range whole.values {
		if v != "" && !hasProduct(v) {
			return free
		}
	}
	return []levels{whole}
}

// nested tells whether each word of one of two levels goes with one word of the other,
// which has fewer.
func nested(a, b levels) bool {
	pairs := map[[2]string]bool{}
	for i, v := range a.values {
		if w := b.values[i]; v != "" || w != "" {
			if !named(v) || !named(w) {
				return false
			}
			pairs[[2]string{v, w}] = true
		}
	}
	of, _ := a.distinct()
	others, _ := b.distinct()
	return a.name == "" && b.name == "" && len(of) != len(others) && len(pairs) == max(len(of), len(others))
}

// named tells a word from a number.
func named(word string) bool { return strings.ContainsFunc(word, unicode.IsLetter) }

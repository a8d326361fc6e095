package natural

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Versions orders versions as they were released: numbers as numbers
// (5.6.51 < 5.7.44 < 8.0.9 < 8.0.11 < 8.0.42), what comes before a release before
// it (9.7.0-er < 9.7.0-rc1 < 9.7.0 < 9.7.0-2), and names without a number, such
// as main or trunk, last. Words before the number do not count: v8.0.42 and
// mysql-8.0.42 stand beside 8.0.42.
func Versions(a, b string) int {
	x, y := parseVersion(a), parseVersion(b)
	return cmp.Or(
		-cmp.Compare(min(len(x.numbers), 1), min(len(y.numbers), 1)), // those with numbers first
		slices.CompareFunc(x.numbers, y.numbers, compareDigits),
		cmp.Compare(x.stage, y.stage),
		Compare(strings.ToLower(x.rest), strings.ToLower(y.rest)),
		Compare(a, b),
	)
}

// version is a version's text taken apart.
type version struct {
	numbers []string // digits between dots, without zeros in front
	stage   int      // released is 0, before it below, after it above
	rest    string
}

// stages are words for what is published before a release, the earliest first.
// er and ea are early releases; dmr is a development milestone.
var stages = []string{"snapshot", "dev", "alpha", "m", "dmr", "beta", "preview", "pre", "ea", "er", "rc"}

func parseVersion(s string) version {
	i := strings.IndexFunc(s, unicode.IsDigit)
	if i < 0 {
		return version{rest: s}
	}
	var v version
	s = s[i:]
	for {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		v.numbers = append(v.numbers, strings.TrimLeft(s[:n], "0"))
		s = s[n:]
		if len(s) < 2 || s[0] != '.' || s[1] < '0' || s[1] > '9' {
			break
		}
		s = s[1:]
	}
	v.rest, v.stage = strings.TrimLeft(s, separators), stage(s)
	return v
}

const separators = "-._~+ "

// stage is what a text after a number says: 0 nothing, below that a word for what
// comes before the release of this number, above it anything else. A word of one
// letter counts after a separator only: 5.7.1-m2, and 2m is a size.
func stage(s string) int {
	word := strings.TrimLeft(s, separators)
	if word == "" {
		return 0
	}
	apart := len(word) < len(s)
	word = strings.ToLower(word)
	if n := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); n >= 0 {
		word = word[:n]
	}
	if i := slices.Index(stages, word); i >= 0 && (apart || len(word) > 1) {
		return i - len(stages)
	}
	return 1
}

// compareDigits compares whole numbers of any length.
func compareDigits(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// IsVersion tells whether a text has the shape of a version: number.number,
// perhaps with words around it.
func IsVersion(s string) bool { return len(parseVersion(s).numbers) > 1 }

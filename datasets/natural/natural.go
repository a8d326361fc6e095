// Package natural sorts names as people do.
package natural

import (
	"cmp"
	"strings"
)

// Compare sorts names with runs of digits read as numbers, as people sort days
// and versions: day-9 < day-10, 9.6.0 < 9.10.0, 2G < 12G, 9.7.0-er < 9.7.0 < 9.7.0-2.
func Compare(a, b string) int {
	for a != "" && b != "" {
		da, db := digits(a), digits(b)
		if da > 0 && db > 0 {
			na, nb := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if c := cmp.Or(cmp.Compare(len(na), len(nb)), strings.Compare(na, nb), cmp.Compare(da, db)); c != 0 {
				return c
			}
			a, b = a[da:], b[db:]
			if x, y := stage(a), stage(b); min(x, y) < 0 && x != y {
				return cmp.Compare(x, y)
			}
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits counts those that a name begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

package naming

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var againShape = regexp.MustCompile(`^(.*[A-Za-z])[-_. ](\d{1,3})$`)

// again tells foo and foo.2 from two levels: of one word, the first time it is bare and
// then it has a number of its own, which counts from 0, 1 or 2. opt and opt2 may be two
// attempts at a change.
func again(l levels) (word string, numbers levels, ok bool) {
	numbers = l
	numbers.values = make([]string, len(l.values))
	list, absent := l.distinct()
	if absent || len(list) < 2 {
		return "", l, false
	}
	word = slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) })
	if slices.Contains(machineWords, strings.ToLower(word)) {
		return "", l, false
	}
	counts := map[int]bool{}
	for i, v := range l.values {
		if v == word {
			continue
		}
		m := againShape.FindStringSubmatch(v)
		if m == nil || m[1] != word || m[2][0] == '0' && m[2] != "0" {
			return "", l, false
		}
		n, _ := strconv.Atoi(m[2])
		counts[n] = true
		numbers.values[i] = m[2]
	}
	first := 2
	switch {
	case counts[0]:
		first = 0
	case counts[1]:
		first = 1
	}
	for n := range len(counts) {
		if !counts[first+n] {
			return "", l, false
		}
	}
	for i, number := range numbers.values {
		if number == "" {
			if numbers.values[i] = strconv.Itoa(first - 1); first == 0 {
				numbers.values[i] = strconv.Itoa(len(counts))
			}
		}
	}
	return word, numbers, true
}

package ingest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wordAndNumber is a word that counts: A1, base2, old-1, mysql-pgo_3; numberAndWord
// has the number first.
var (
	wordAndNumber = regexp.MustCompile(`^(.*[A-Za-z])[-_. ]?(\d{1,3})$`)
	numberAndWord = regexp.MustCompile(`^(\d{1,3})[-_. ]?([A-Za-z].*)$`)
)

// crossed tells A1, A2, B1, B2 from four levels: every word has the same numbers,
// but for one in four at most, and these count from 0 or 1; base, base2, new, new2
// too. Where each number comes once, it is the order: 1A, 2B, 3B, 4A. Words for
// machines are left alone.
func crossed(l levels) (words, numbers levels, order, ok bool) {
	words, numbers = l, l
	words.values, numbers.values = make([]string, len(l.values)), make([]string, len(l.values))
	type pair struct {
		word   string
		number int
	}
	levelOf := map[pair]string{}
	wordCount, numberCount := map[string]int{}, map[int]int{}
	list, _ := l.distinct()
	implied := slices.ContainsFunc(list, func(v string) bool { return strings.HasSuffix(v, "2") }) &&
		!slices.ContainsFunc(list, func(v string) bool { return strings.HasSuffix(v, "1") || strings.HasSuffix(v, "0") })
	for i, v := range l.values {
		if v == "" {
			continue
		}
		p := pair{}
		if m := wordAndNumber.FindStringSubmatch(v); m != nil {
			p.word = m[1]
			p.number, _ = strconv.Atoi(m[2])
		} else if m := numberAndWord.FindStringSubmatch(v); m != nil {
			p.word = m[2]
			p.number, _ = strconv.Atoi(m[1])
		} else if p = (pair{v, 1}); !implied {
			return l, l, false, false
		}
		p.word = strings.Trim(p.word, "-_. ")
		if slices.Contains(machineWords, strings.ToLower(p.word)) {
			return l, l, false, false
		}
		words.values[i], numbers.values[i] = p.word, strconv.Itoa(p.number)
		if was, ok := levelOf[p]; ok && was != v {
			return l, l, false, false // run1, run01
		} else if !ok {
			levelOf[p] = v
			wordCount[p.word]++
			numberCount[p.number]++
		}
	}
	from := 1
	if numberCount[0] > 0 {
		from = 0
	}
	for i := range len(numberCount) {
		if numberCount[from+i] == 0 {
			return l, l, false, false
		}
	}
	for _, n := range wordCount {
		if n < 2 {
			return l, l, false, false
		}
	}
	if len(wordCount) < 2 {
		return l, l, false, false
	}
	return words, numbers, len(numberCount) == len(levelOf), len(numberCount) == len(levelOf) || 4*len(levelOf) >= 3*len(wordCount)*len(numberCount)
}

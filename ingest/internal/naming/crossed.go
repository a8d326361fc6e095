package naming

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

// findOrder finds the numbers of steps that stand apart from their arms: 01-base,
// 02-new, 03-new, 04-base. Each number is of one arm, and each arm has several.
func (g *guesser) findOrder() {
	if _, taken := g.taken["order"]; taken {
		return
	}
	for at, name := range g.order {
		steps := g.taken[name]
		list, absent := steps.distinct()
		if !strings.HasPrefix(name, "path") || steps.name != "" || absent || len(list) < 4 || !isCount(list) {
			continue
		}
		for _, other := range g.order {
			arms := g.taken[other]
			if other == name || arms.place != steps.place || arms.name != "" || !eachOfOne(steps, arms) {
				continue
			}
			g.say("%s in %s are read as the running order of %s: a guess", Show(list), steps.place, Show(distinctOf(arms)))
			g.order[at], g.taken["order"] = "order", steps
			delete(g.taken, name)
			return
		}
	}
}

// isCount tells 01, 02, 03 and 0, 1, 2 from numbers that mean something.
func isCount(list []string) bool {
	set := map[string]bool{}
	for _, text := range list {
		n, err := strconv.Atoi(text)
		if err != nil {
			return false
		}
		set[strconv.Itoa(n)] = true
	}
	return len(set) == len(list) && Counting(set)
}

// eachOfOne tells whether every step is of one arm, and every arm has two steps or more.
func eachOfOne(steps, arms levels) bool {
	arm, count := map[string]string{}, map[string]int{}
	for i, step := range steps.values {
		if was, ok := arm[step]; ok && was != arms.values[i] {
			return false
		} else if !ok {
			arm[step] = arms.values[i]
			count[arms.values[i]]++
		}
	}
	for _, n := range count {
		if n < 2 {
			return false
		}
	}
	return len(count) > 1
}

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

package naming

import (
	"hash/maphash"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wordBefore is the word of a token like cold-16.
var wordBefore = regexp.MustCompile(`^([A-Za-z]+)[-_. ]\d+$`)

// dropThreads takes the threads of the log out of the names, which then line up
// better: cpu_16, memory_1K_16, load.pxc. A number is theirs where all names that
// differ in nothing else name as many threads as their logs, two of them at least,
// or at the place of such a number. What it took are the values of the level that
// it gives.
func (s slot) dropThreads(cut [][]token) levels {
	said := levels{place: s.place, name: threadsNamed}
	if s.threads == nil {
		return said
	}
	type hole struct {
		at   int
		rest uint64 // hash of the name without the number: there may be 100 000 of them
	}
	type filled struct {
		hole
		number int
	}
	reps := s.repsAreThreads(cut)
	seed := maphash.MakeSeed()
	holes := make([][]filled, len(cut))
	first, several, other := map[hole]int{}, map[hole]bool{}, map[hole]bool{}
	for i, ts := range cut {
		for k, t := range ts {
			text := t.value
			if t.name == "" {
				text = t.text
			}
			n, err := strconv.Atoi(text)
			if err != nil || t.name == "rep" && !reps {
				continue
			}
			h := hole{k, maphash.Comparable(seed, [2]string{s.segments[i][:t.from], s.segments[i][t.to():]})}
			holes[i] = append(holes[i], filled{h, n})
			switch was, ok := first[h]; {
			case s.threads[i] == 0:
			case n != s.threads[i]:
				other[h] = true
			case !ok:
				first[h] = n
			case n != was:
				several[h] = true
			}
		}
	}
	places := map[int]bool{}
	for h := range several {
		if !other[h] {
			places[h.at] = true
		}
	}
	for i, list := range holes {
		for _, h := range list {
			if !places[h.at] || other[h.hole] {
				continue
			}
			if said.values == nil {
				said.values = make([]string, len(cut))
			}
			said.values[i] = strconv.Itoa(h.number)
			rest := cut[i][h.at+1:]
			if t := cut[i][h.at]; !strings.HasPrefix(t.name, threadsNamed) {
				if m := wordBefore.FindStringSubmatch(t.text); m != nil { // of cold-16 the word stays
					rest = append([]token{{text: m[1], from: t.from}}, rest...)
				}
			}
			cut[i] = slices.Concat(cut[i][:h.at], rest)
			break
		}
	}
	return said
}

// repsAreThreads tells whether what looks like the number of a repetition is that of
// the threads in each name that has one, and does not count: res.1, res.8, res.64
// beside res.thr1, res.thr8, res.thr64.
func (s slot) repsAreThreads(cut [][]token) bool {
	numbers := map[string]bool{}
	for i, ts := range cut {
		for _, t := range ts {
			if t.name != "rep" {
				continue
			}
			if t.value != strconv.Itoa(s.threads[i]) {
				return false
			}
			numbers[t.value] = true
		}
	}
	return len(numbers) > 1 && !Counting(numbers)
}

// dropCount takes the number that all names end in out of them, where it counts 1, 2,
// 3 and names without it come back: base_1, base_new_1, base_2 are two arms, repeated;
// O2-1 and O3-lto-1 too.
func (s slot) dropCount(cut [][]token) []levels {
	l := levels{place: s.place, name: "rep", values: make([]string, len(cut))}
	words := map[string]bool{} // that hyphens tie to the number
	first, again := map[string]string{}, false
	for i, ts := range cut {
		if ts == nil {
			continue
		}
		if len(ts) == 0 || len(ts) == 1 && ts[0].name == "" {
			return nil
		}
		t, before := ts[len(ts)-1], ts[max(0, len(ts)-2)].text
		l.values[i] = t.text
		if t.name != "" {
			m := wordBefore.FindStringSubmatch(t.text)
			if m == nil || slices.Contains(numberKeys, strings.ToLower(m[1])) {
				return nil
			}
			before = m[1]
			l.values[i] = t.text[len(before)+1:]
		}
		words[t.name] = true
		if t.glued || !NumberWord.MatchString(l.values[i]) || slices.Contains(settingWords, strings.ToLower(before)) {
			return nil
		}
		rest := s.segments[i][:t.to()-len(l.values[i])]
		was, ok := first[rest]
		if again = again || ok && was != l.values[i]; !ok {
			first[rest] = l.values[i]
		}
	}
	list, _ := l.distinct()
	if len(list) < 2 || len(first) < 2 || !again || !isCount(list) || len(words) == 1 && !words[""] {
		return nil
	}
	for i, ts := range cut {
		if ts == nil {
			continue
		}
		last := len(ts) - 1
		cut[i] = ts[:last]
		if m := wordBefore.FindStringSubmatch(ts[last].text); m != nil {
			cut[i] = append(slices.Clip(cut[i]), token{text: m[1], from: ts[last].from})
		}
	}
	return []levels{l}
}

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
			if err != nil || t.name == "rep" {
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

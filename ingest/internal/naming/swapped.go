package naming

import (
	"slices"
	"strings"
)

// swapped finds in names of unequal words those that take each other's place: names
// that differ in such a word alone have two levels of one thing.
//
//	ps80_ext4_nvme_large_select   ps80_tuned_small_select
//	ps80_ext4_nvme_large_write    ps80_tuned_small_write
//	ps80_ext4_nvme_small_select   ...
//
// It is believed where words take their places in several names, no name has two of
// them, and the levels come back: there are fewer of them than names.
func (s slot) swapped(cut [][]token, shapes []string) []levels {
	free := make([][]token, len(cut)) // per file: what has no shape
	names := map[string][]string{}
	for i, ts := range cut {
		free[i] = slices.DeleteFunc(slices.Clone(ts), func(t token) bool { return slices.Contains(shapes, t.name) })
		if ts != nil {
			words := texts(free[i])
			names[strings.Join(words, "\x00")] = words
		}
	}
	if len(names) < fewestSwapped || len(names) > mostSwapped {
		return nil
	}
	var found []levels
	for _, class := range classes(names) {
		l := levels{place: s.place, values: make([]string, len(cut))}
		for i, ts := range free {
			if at := slices.IndexFunc(ts, func(t token) bool { return class[t.text] }); at >= 0 {
				l.values[i] = ts[at].text
				free[i] = slices.Delete(ts, at, at+1)
			}
		}
		found = append(found, l)
	}
	if found == nil {
		return nil
	}
	if rest := s.level(free); rest.varies() {
		found = append(found, rest)
	}
	count := 0
	for _, l := range found {
		list, _ := l.distinct()
		count += len(list)
	}
	if count >= len(names) {
		return nil
	}
	return found
}

// fewestSwapped is how many names two words that take each other's place need; mostSwapped
// bounds the search.
const (
	fewestSwapped = 6
	mostSwapped   = 2000
)

func texts(ts []token) []string {
	words := make([]string, len(ts))
	for i, t := range ts {
		words[i] = t.text
	}
	return words
}

// classes gives the sets of words that take each other's place in two names or more,
// where no name has two words of a set and half of the names have one. A server's name
// is of the build, whatever stands behind it.
func classes(names map[string][]string) []map[string]bool {
	contexts := map[string][]string{} // a name without one of its words
	for _, key := range sorted(names) {
		words := names[key]
		for k, word := range words {
			context := slices.Clone(words)
			context[k] = "\x01"
			in := strings.Join(context, "\x00")
			contexts[in] = append(contexts[in], word)
		}
	}
	of := map[string]map[string]bool{} // the class of a word
	places := map[string]int{}         // in how many contexts a word has others
	for _, in := range sorted(contexts) {
		words := contexts[in]
		if len(words) < 2 {
			continue
		}
		class := map[string]bool{}
		for _, word := range words {
			if places[word]++; class[word] { // and with it all that were of its class
				continue
			}
			class[word] = true
			for w := range of[word] {
				class[w] = true
			}
		}
		for word := range class {
			of[word] = class
		}
	}
	var list []map[string]bool
	for _, word := range sorted(of) {
		class := of[word]
		if first := sorted(class)[0]; first != word {
			continue // seen
		}
		have, several := 0, false
		for _, words := range names {
			n := 0
			for _, w := range words {
				if class[w] {
					n++
				}
			}
			have += min(n, 1)
			several = several || n > 1
		}
		rare := false
		for w := range class {
			rare = rare || places[w] < 2 || isProduct(w)
		}
		if !several && !rare && 2*have >= len(names) {
			list = append(list, class)
		}
	}
	return list
}

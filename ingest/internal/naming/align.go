package naming

import (
	"fmt"
	"slices"
	"strings"

	"noisefloor/ingest/internal/column"
)

// A slot is one level of the paths: folder 1, folder 2, ..., or the file name.
// align lines up the tokens of all names in a slot and gives what varies.
type slot struct {
	place    string   // in words: "folder 2", "the file name"
	segments []string // per file; "" where a file has no such folder
	threads  []int    // per file: as its log says, 0 = unknown
}

const fileName = "the file name"

// levels is one varying thing in a slot: what each file says, and how it is
// recognised.
type levels struct {
	place  string
	name   string   // of the shape, "" if it has none
	values []string // per file; "" = nothing
	glued  bool     // every value is a number behind a version
}

// align cuts every segment and lines up the tokens: named ones by name, the
// others by their position if every name has equally many. If not, what is left
// of each name is one level: mysql, mysql-non-pgo.
func (s slot) align() []levels {
	cut := s.tokens()
	if usual, others := s.apart(cut); others != nil {
		// A word that the usual names have all is no level because the odd one lacks it.
		of := slices.DeleteFunc(usual.align(), func(l levels) bool {
			list, _ := l.distinct()
			return l.name == "" && len(list) < 2
		})
		return append(of, others.align()...)
	}
	var found []levels
	if said := s.dropThreads(cut); said.values != nil {
		found = append(found, said)
	}
	count := s.dropCount(cut)
	return append(s.lines(found, cut), count...)
}

// lines lines up what is left of the names.
func (s slot) lines(found []levels, cut [][]token) []levels {
	shaped, n, equal := lineUp(cut)
	for _, name := range shaped {
		found = append(found, s.named(cut, name)...)
	}
	if !equal {
		rest := s.rest(cut, shaped)
		if _, _, _, ok := crossed(rest); !ok {
			if parts := s.parts(cut, shaped); parts != nil {
				return append(found, parts...)
			}
			if swapped := s.swapped(cut, shaped); swapped != nil {
				return append(found, swapped...)
			}
		}
		return s.addition(found, rest)
	}
	var free []levels
	for k := range n {
		free = append(free, s.position(cut, shaped, k))
	}
	settingNumbers(free)
	return append(found, s.builds(cut, shaped, free)...)
}

func (s slot) tokens() [][]token {
	known := map[string][]token{} // folders repeat
	for _, segment := range s.segments {
		if segment != "" {
			known[segment] = nil
		}
	}
	cutAll(known)
	cut := make([][]token, len(s.segments))
	for i, segment := range s.segments {
		cut[i] = known[segment]
	}
	nameEngines(known)
	s.splitThreads(cut)
	return cut
}

// splitThreads: 8.1, 8.2, 32.1 are threads and repetitions, and 8.1 no version, where
// each name has the threads of its log there, and they differ.
func (s slot) splitThreads(cut [][]token) {
	if s.threads == nil {
		return
	}
	at := make([]int, len(cut)) // the token of each name
	seen, versions := map[int]bool{}, false
	for i, ts := range cut {
		if ts == nil {
			continue
		}
		number := fmt.Sprint(s.threads[i])
		at[i] = slices.IndexFunc(ts, func(t token) bool {
			major, minor, two := strings.Cut(t.text, ".")
			return t.name == "" && t.text == number || t.name == "version" && two && major == number && NumberWord.MatchString(minor)
		})
		if at[i] < 0 {
			return
		}
		seen[s.threads[i]] = true
		versions = versions || ts[at[i]].name == "version"
	}
	if !versions || len(seen) < 2 {
		return
	}
	for i, ts := range cut {
		if ts != nil && ts[at[i]].name == "version" {
			major, minor, _ := strings.Cut(ts[at[i]].text, ".")
			from := ts[at[i]].from
			cut[i] = slices.Concat(ts[:at[i]], []token{{text: major, from: from}, {text: minor, from: from + len(major) + 1}}, ts[at[i]+1:])
		}
	}
}

// nameEngines gives engines their name where the segments have several, once each at
// most: innodb_flush_0 has a setting of one.
func nameEngines(known map[string][]token) {
	isEngine := func(t token) bool { return t.name == "" && slices.Contains(engines, strings.ToLower(t.text)) }
	found := map[string]bool{}
	for _, ts := range known {
		for i, t := range ts {
			if !isEngine(t) {
				continue
			}
			if slices.ContainsFunc(ts[i+1:], isEngine) || i+1 < len(ts) && slices.Contains(settingWords, strings.ToLower(ts[i+1].text)) {
				return
			}
			found[strings.ToLower(t.text)] = true
		}
	}
	if len(found) < 2 {
		return
	}
	for _, ts := range known {
		if i := slices.IndexFunc(ts, isEngine); i >= 0 {
			ts[i].name, ts[i].value = "engine", strings.ToLower(ts[i].text)
		}
	}
}

// apart takes names of files out that have nothing in common with nearly all others: a
// test.log beside a hundred node1_run7_8th.log lines up with none of them. Of
// folders the odd one may be an arm.
func (s slot) apart(cut [][]token) (usual slot, others *slot) {
	if s.place != fileName {
		return s, nil
	}
	type common struct{ name, text string }
	word := func(t token) common { // what names have in common
		if t.name != "" {
			return common{name: t.name}
		}
		return common{text: t.text}
	}
	count := map[common]int{}
	all := 0
	for _, ts := range cut {
		for k, t := range ts {
			w := word(t)
			if !slices.ContainsFunc(ts[:k], func(t token) bool { return word(t) == w }) {
				count[w]++
			}
		}
		if ts != nil {
			all++
		}
	}
	usual = slot{place: s.place, segments: make([]string, len(s.segments)), threads: s.threads}
	odd := slot{place: s.place, segments: make([]string, len(s.segments)), threads: s.threads}
	n := 0
	for i, ts := range cut {
		if slices.ContainsFunc(ts, func(t token) bool { return 10*count[word(t)] >= 9*all }) {
			usual.segments[i] = s.segments[i]
		} else if ts != nil {
			odd.segments[i] = s.segments[i]
			n++
		}
	}
	if n == 0 || n == all {
		return s, nil
	}
	return usual, &odd
}

// lineUp finds the shapes that are levels of their own and tells whether every
// segment has as many tokens beside them, and how many.
func lineUp(cut [][]token) (shaped []string, n int, equal bool) {
	var everywhere, somewhere []string
	for _, name := range names(cut) {
		if inAll(cut, name) {
			everywhere = append(everywhere, name)
		} else {
			somewhere = append(somewhere, name)
		}
	}
	// A shape in some names only may be a level of its own (9.7.0, trunk) or an
	// addition (retry1). Whatever makes the names equally long is right, unless one
	// number is all that it says: 10.6 and 10.6-MDEV-30123.
	if n, equal = unshaped(cut, everywhere); equal {
		return everywhere, n, true
	}
	all := slices.Concat(everywhere, somewhere)
	added := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return slices.Contains(somewhere, name) && name != "rep" && name != "day" && name != "started_at" && !strings.HasPrefix(name, threadsNamed) && !slices.Contains(setNames, name)
	})
	if n, equal = unshaped(cut, all); equal && !slices.ContainsFunc(all, func(name string) bool { return !slices.Contains(added, name) && saysOne(cut, name) }) {
		return all, n, true
	}
	// run7, 16th and bp27GB are additions beside whatever other names.
	return added, 0, false
}

// saysOne tells whether all names that have a word with its number have the same.
func saysOne(cut [][]token, name string) bool {
	value := ""
	for _, ts := range cut {
		for _, t := range ts {
			if t.name != name {
				continue
			}
			if !wordBefore.MatchString(t.text) && !nameNumber.MatchString(t.text) || value != "" && t.text != value {
				return false
			}
			value = t.text
		}
	}
	return true
}

// names lists the shapes in a slot in the order of their appearance.
func names(cut [][]token) []string {
	var list []string
	for _, ts := range cut {
		for _, t := range ts {
			if t.name != "" && !slices.Contains(list, t.name) {
				list = append(list, t.name)
			}
		}
	}
	return list
}

func inAll(cut [][]token, name string) bool {
	for _, ts := range cut {
		if ts != nil && !slices.ContainsFunc(ts, func(t token) bool { return t.name == name }) {
			return false
		}
	}
	return true
}

// unshaped counts the tokens that are none of the shapes; equal tells whether
// every segment has the same number.
func unshaped(cut [][]token, shapes []string) (n int, equal bool) {
	n = -1
	for _, ts := range cut {
		if ts == nil {
			continue
		}
		count := 0
		for _, t := range ts {
			if !slices.Contains(shapes, t.name) {
				count++
			}
		}
		if n >= 0 && count != n {
			return 0, false
		}
		n = count
	}
	return max(n, 0), true
}

// named gives the values of one shape; a shape that comes twice in a name (two
// versions) gives two.
func (s slot) named(cut [][]token, name string) []levels {
	var found []levels
	for i, ts := range cut {
		nth := 0
		for _, t := range ts {
			if t.name != name {
				continue
			}
			if nth == len(found) {
				found = append(found, levels{place: s.place, name: name, values: make([]string, len(cut))})
			}
			found[nth].values[i] = t.value
			nth++
		}
	}
	return found
}

// position gives the k-th token without a shape of every name.
func (s slot) position(cut [][]token, shapes []string, k int) levels {
	l := levels{place: s.place, values: make([]string, len(cut)), glued: true}
	version := false
	for i, ts := range cut {
		if ts == nil {
			continue
		}
		nth := 0
		for _, t := range ts {
			if slices.Contains(shapes, t.name) {
				continue
			}
			if nth == k {
				l.values[i] = t.text
				l.glued = l.glued && t.glued
				version = version || t.name == "version"
			}
			nth++
		}
	}
	if version {
		l.name = "version" // 9.6.0, 9.7.0, trunk
	}
	return l
}

// rest joins what has no shape in each name.
func (s slot) rest(cut [][]token, shapes []string) levels {
	lists := make([][]token, len(cut))
	for i, ts := range cut {
		for _, t := range ts {
			if !slices.Contains(shapes, t.name) {
				lists[i] = append(lists[i], t)
			}
		}
	}
	return s.level(lists)
}

// level writes the tokens of each name, without what begins or ends them all.
func (s slot) level(lists [][]token) levels {
	for drop(lists, func(ts []token) int { return 0 }) {
	}
	for drop(lists, func(ts []token) int { return len(ts) - 1 }) {
	}
	l := levels{place: s.place, values: make([]string, len(lists)), glued: true}
	for i, ts := range lists {
		if len(ts) == 0 {
			continue
		}
		l.glued = l.glued && len(ts) == 1 && ts[0].glued // 8.0.42-33 beside 8.4.0
		l.values[i] = written(s.segments[i], ts)
	}
	return l
}

// written gives tokens as they stand in a segment, with hyphens where something with a
// shape stands between.
func written(segment string, ts []token) string {
	text := segment[ts[0].from:ts[len(ts)-1].to()]
	length := 0
	for _, t := range ts {
		length += len(t.text) + 1
	}
	if length-1 == len(text) {
		return text
	}
	parts := make([]string, len(ts))
	for k, t := range ts {
		parts[k] = t.text
	}
	return strings.Join(parts, "-")
}

// settingNumbers names a number by the words before it where these say that the
// server is told it: innodb_flush_0, sync_binlog_1, config_1. A number behind other words
// (bench_1, bench_2) may count repetitions.
func settingNumbers(free []levels) {
	for k := range free {
		list, _ := free[k].distinct()
		if free[k].name != "" || !free[k].varies() || !all(list, NumberWord.MatchString) {
			continue
		}
		var before []string
		told := 0 // of these, up to the first that tells
		for j := k - 1; j >= 0; j-- {
			word, absent := free[j].distinct()
			if len(word) != 1 || absent || free[j].name != "" || !wordOnly.MatchString(word[0]) {
				break
			}
			if before = append(before, word[0]); slices.Contains(settingWords, strings.ToLower(word[0])) {
				told = len(before)
			}
		}
		if before = before[:told]; told > 0 {
			slices.Reverse(before)
			free[k].name = column.Name(strings.Join(before, "_"))
		}
	}
}

// drop takes off the token at one end if all lists have the same there and all
// keep at least one other.
func drop(lists [][]token, end func([]token) int) bool {
	text := ""
	for _, ts := range lists {
		if ts == nil {
			continue
		}
		if len(ts) < 2 {
			return false
		}
		t := ts[end(ts)].text
		if text == "" {
			text = t
		}
		if t != text || isProduct(t) {
			return false
		}
	}
	if text == "" {
		return false
	}
	for i, ts := range lists {
		if ts != nil {
			at := end(ts)
			lists[i] = slices.Concat(ts[:at], ts[at+1:])
		}
	}
	return true
}

// distinct gives the levels in order of appearance; absent is one of them where
// only some files have a value.
func (l levels) distinct() (list []string, absent bool) {
	seen := map[string]bool{}
	for _, v := range l.values {
		if v == "" {
			absent = true
		} else if !seen[v] {
			seen[v] = true
			list = append(list, v)
		}
	}
	return list, absent
}

func (l levels) varies() bool {
	first := ""
	for i, v := range l.values {
		if i == 0 {
			first = v
		} else if v != first {
			return true
		}
	}
	return false
}

// slots lays the paths side by side: folders from the left, the file name last.
func slots(paths [][]string, prefix []string, threads []int) []slot {
	deepest := 0
	for _, p := range paths {
		deepest = max(deepest, len(p)-1)
	}
	var list []slot
	if prefix != nil {
		list = append(list, slot{place: "the PATH", segments: prefix, threads: threads})
	}
	for d := range deepest {
		s := slot{place: fmt.Sprintf("folder %d", d+1), segments: make([]string, len(paths)), threads: threads}
		for i, p := range paths {
			if d < len(p)-1 {
				s.segments[i] = p[d]
			}
		}
		list = append(list, s)
	}
	files := slot{place: fileName, segments: make([]string, len(paths)), threads: threads}
	for i, p := range paths {
		files.segments[i] = p[len(p)-1]
	}
	return append(list, files)
}

package naming

import (
	"fmt"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/pattern"
)

// Words in paths that say what a run was for, or that it is one more of its kind.
// They are no levels of anything: they are taken out of the names, which then line
// up with those of the other runs.
//
//	base/warmup.log  base/measure.log          phase: warmup, run
//	run1.log  run1-retry.log  run1 (copy).log  attempt: retry, copy

// phaseFactor and attemptFactor are the columns of what they say, measuring is the
// phase of the runs that count.
const (
	phaseFactor   = "phase"
	attemptFactor = "attempt"
	measuring     = "run"
)

var (
	phaseShape = regexp.MustCompile(`(?i)(?:^|[^0-9A-Za-z])((?:pre)?warm[-_ ]?up|prewarm|preheat|prepare|preload|clean[-_ ]?up)(\d?)(?:$|[^0-9A-Za-z])`)
	// measureShape is the whole name of what is measured beside these.
	measureShape = regexp.MustCompile(`(?i)^(?:measure|measured|measurement|measuring|run|bench|benchmark|main|test|real|actual|timed)$`)
	// 01_warmup, 02_run: the steps of a script, numbered with a zero.
	steps     = regexp.MustCompile(`^0\d$`)
	stepShape = regexp.MustCompile(`(?i)^(0\d)[-_. ](?:measure|measured|measurement|measuring|run|bench|benchmark|main|test)$`)
	// retryShape: words that are said of nothing but a run. secondShape: words that are
	// said of other things too (zero-copy), and count where the first run lies there.
	retryShape  = pattern.MustCompile(`(?i)(?:[-_. (]+|^)(re-?try\d?|retried|re-?run\d?|redone)\)?`)
	secondShape = pattern.MustCompile(`(?i)[-_. (]+((?:again|bis|ter|copy|bak|backup|dup|duplicate|2nd|3rd|second|third)[-_ ]?\d?)\)?|[-_ ]*\((\d)\)|^(copy) of |\.(?:log|txt|out)\.(\d)$`)
)

// readPhases takes the words for what a run was for out of the paths, which lie
// parallel to the files, and gives these what they say.
func (n *Names) readPhases(files []File, paths [][]string) {
	places := map[int]bool{} // from the left, of folders; -1 is the file name
	place := func(p []string, i int) int {
		if i == len(p)-1 {
			return -1
		}
		return i
	}
	phases := make([]string, len(paths))
	others := false // runs without such a word
	var words []string
	for k, p := range paths {
		for i, segment := range p {
			if m := phaseOf(segment); m != nil {
				phases[k] = strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(segment[m[2]:m[3]]))
				places[place(p, i)] = true
				words = append(words, phases[k])
			}
		}
		others = others || p != nil && phases[k] == ""
	}
	if len(words) == 0 || !others {
		return
	}
	for k, p := range paths {
		if p == nil {
			continue
		}
		for i, segment := range p {
			if m := phaseOf(segment); m != nil {
				as := ""
				if m[4] < m[5] { // warmup1 beside run1
					as = measuring
				}
				p[i] = strings.Trim(segment[:m[2]]+as+segment[m[3]:], "-_ .")
				if steps.MatchString(p[i]) {
					p[i] = measuring + p[i]
				}
			} else if m := stepShape.FindStringSubmatch(segment); m != nil && places[place(p, i)] {
				p[i] = measuring + m[1]
			} else if places[place(p, i)] && measureShape.MatchString(segment) {
				p[i] = ""
			}
		}
		phase := phases[k]
		if phase == "" {
			phase = measuring
		}
		n.extra(files[k], phaseFactor, phase)
	}
	n.say("%s: %s by the name, which no verb compares unless --where or --by names the phase", phaseFactor, countedWords(words))
}

// phaseOf finds the word in a segment.
func phaseOf(segment string) []int {
	lower := strings.ToLower(segment)
	if !strings.Contains(lower, "warm") && !strings.Contains(lower, "pre") && !strings.Contains(lower, "clean") {
		return nil // spares most names the search
	}
	return phaseShape.FindStringSubmatchIndex(segment)
}

// readAttempts finds runs of a name that was run before.
func (n *Names) readAttempts(files []File, paths [][]string) {
	type second struct {
		file, segment int
		word, name    string // without the word
		sure          bool
	}
	var all []second
	measured := 0
	for k, s := range onAll(paths, func(p []string) (s second) {
		for i, segment := range p {
			s = second{segment: i, sure: true}
			if s.word, s.name = without(retryShape, segment); s.word == "" {
				s.word, s.name = without(secondShape, segment)
				s.sure = false
			}
			if s.word != "" {
				break
			}
		}
		return s
	}) {
		if paths[k] != nil {
			measured++
		}
		if s.word != "" {
			s.file = k
			all = append(all, s)
		}
	}
	if len(all) == 0 || len(all) == measured {
		return
	}
	there := map[string]bool{}
	for _, p := range paths {
		there[strings.Join(p, "/")] = true
	}
	var words []string
	for _, s := range all {
		p := paths[s.file]
		was := p[s.segment]
		if s.segment == len(p)-1 {
			s.name = Stem(s.name) // run1.log.bak
		}
		if p[s.segment] = s.name; !s.sure && (s.name == "" || !there[strings.Join(p, "/")]) {
			p[s.segment] = was
			continue
		}
		words = append(words, s.word)
		n.extra(files[s.file], attemptFactor, s.word)
	}
	if len(words) > 0 {
		n.say("%s: %s by the name: more runs of what is called the same without it", attemptFactor, countedWords(words))
	}
}

// without takes a word out of a segment if it stands there by itself.
func without(shape *pattern.Pattern, segment string) (word, rest string) {
	for _, m := range shape.FindAllStringSubmatchIndex(segment) {
		if m[1] < len(segment) && strings.IndexByte("-_. ", segment[m[1]]) < 0 && segment[m[1]-1] != ' ' {
			continue
		}
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				word = strings.ToLower(segment[m[g]:m[g+1]])
			}
		}
		return word, strings.Trim(segment[:m[0]]+segment[m[1]:], "-_ .")
	}
	return "", segment
}

func (n *Names) extra(f File, name, value string) {
	if to := n.Rename(name); to != "" {
		n.Tell(f, to, datasets.Text(value), "path")
	}
}

// countedWords lists words with how often they come: retry (2), bis (1).
func countedWords(words []string) string {
	count := map[string]int{}
	for _, w := range words {
		count[w]++
	}
	var list []string
	for _, w := range sorted(count) {
		list = append(list, fmt.Sprintf("%s (%d)", w, count[w]))
	}
	return strings.Join(list, ", ")
}

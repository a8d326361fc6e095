package table

import (
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
)

// A level is what a heading says besides what was measured:
//
//	8.0.42                    an arm
//	TPS run 2                 the second run
//	MySQL 8.0.42 p95 (ms)     an arm of two words
//	2026-03-01, Mon, day 2    a day
//	64 threads, 64            a number of threads
type level struct {
	factor, value string // the factor is one of the kinds below, threads, clients, run or day
}

// Factors whose name shows only where all headings of a table are seen.
const (
	anArm    = ""  // named by what its levels look like
	aNumber  = "#" // runs or numbers of threads
	runLevel = "run"
)

var (
	between = regexp.MustCompile(`[\s_/,]+|\s*[-:]\s+`)
	// A word and a number, in one or two words.
	countedWord = regexp.MustCompile(`^(?i)([a-z]+)[-#]?(\d+)$`)
	numberWord  = regexp.MustCompile(`^(?i)(\d+)([a-z]+)$`)
	runWords    = strings.Fields("run rep repetition repeat iter iteration trial round attempt pass try sample measurement")
	threadWords = strings.Fields("thread threads thr thds")
	clientWords = strings.Fields("client clients conn conns connection connections user users vu vus vuser vusers")
	weekdays    = regexp.MustCompile(`^(?i)(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$`)
)

// countsOf gives the factor that a word before or behind a number names.
func countsOf(word string) (factor string, ok bool) {
	word = strings.ToLower(word)
	switch {
	case slices.Contains(runWords, word):
		return runLevel, true
	case slices.Contains(threadWords, word):
		return "threads", true
	case slices.Contains(clientWords, word):
		return "clients", true
	case word == "day":
		return "day", true
	}
	return "", false
}

// isDay tells dates and days of the week; 8.0.42 is a version.
func isDay(word string) bool {
	if column.IsVersion(word) {
		return false
	}
	if _, err := column.Date(word); err == nil {
		return true
	}
	return column.HasOrder(word) || weekdays.MatchString(word)
}

// isLevel tells headings that are a level by themselves: a version, a day, or a
// number of threads, which people raise by powers of two.
func isLevel(heading string) bool {
	if n, err := strconv.Atoi(heading); err == nil {
		return isDay(heading) || isPower(n)
	}
	return strings.Count(heading, ".") >= 2 && column.IsVersion(heading) || isDay(heading)
}

func isPower(n int) bool { return n > 0 && bits.OnesCount(uint(n)) == 1 }

// isArm tells words that name one of the things compared; ms is a unit here.
func isArm(word string) bool {
	_, isUnit := unit.Factor(word)
	return word != "" && !isUnit && (column.IsVersion(word) || column.IsProduct(word) || column.IsAllocator(word) || column.IsSide(word))
}

// apart takes a heading to pieces: its levels, a unit in brackets, and what is left
// of it, which names the metric if anything does.
func apart(heading string) (levels []level, rest, stated string) {
	label, stated, bracketed := unitInBrackets(heading)
	if !bracketed {
		label = strings.NewReplacer("(", " ", ")", " ", "[", " ", "]", " ").Replace(label)
	}
	var words, left []string
	for _, w := range between.Split(strings.TrimSpace(label), -1) {
		if m := countedWord.FindStringSubmatch(w); m != nil && isKnown(m[1]) { // tps1, tps2
			words = append(words, m[1], m[2])
		} else if w != "" {
			words = append(words, w)
		}
	}
	for i := 0; i < len(words); i++ {
		if l, n := levelAt(words[i:]); n > 0 {
			levels = append(levels, l)
			i += n - 1
			continue
		}
		left = append(left, words[i])
	}
	if arm, more := armOf(left); arm != "" {
		levels, left = append(levels, level{anArm, arm}), more
	}
	return levels, strings.Join(left, "_"), stated
}

// levelAt reads a level at the beginning of some words and tells how many it is
// made of; 0 if there is none.
func levelAt(words []string) (l level, n int) {
	word := words[0]
	if m := countedWord.FindStringSubmatch(word); m != nil {
		if factor, ok := countsOf(m[1]); ok {
			return numbered(factor, m[2]), 1
		}
	}
	if m := numberWord.FindStringSubmatch(word); m != nil {
		if factor, ok := countsOf(m[2]); ok && factor != runLevel {
			return numbered(factor, m[1]), 1
		}
	}
	if isDay(word) {
		return level{"day", word}, 1
	}
	if len(words) > 1 {
		next := strings.TrimPrefix(words[1], "#")
		if factor, ok := countsOf(word); ok && isNumber(next) {
			return numbered(factor, next), 2
		}
		if factor, ok := countsOf(words[1]); ok && factor != runLevel && isNumber(word) {
			return numbered(factor, word), 2
		}
	}
	if number := strings.TrimPrefix(word, "#"); isNumber(number) {
		return level{aNumber, number}, 1
	}
	return level{}, 0
}

func numbered(factor, number string) level {
	if factor == "day" {
		number = "day " + number
	}
	return level{factor, number}
}

func isNumber(word string) bool {
	return word != "" && len(word) < 6 && strings.Trim(word, "0123456789") == ""
}

// armOf takes the words of an arm off the beginning of some words, or else off
// their end.
func armOf(words []string) (arm string, rest []string) {
	n := 0
	for n < len(words) && isArm(words[n]) {
		n++
	}
	if n > 0 {
		return strings.Join(words[:n], " "), words[n:]
	}
	n = len(words)
	for n > 0 && isArm(words[n-1]) {
		n--
	}
	return strings.Join(words[n:], " "), words[:n]
}

// unitInBrackets takes "p95 (ms)" apart where it is a unit.
func unitInBrackets(heading string) (label, inside string, ok bool) {
	for _, pair := range []string{"()", "[]"} {
		rest, ends := strings.CutSuffix(strings.TrimSpace(heading), pair[1:])
		if at := strings.LastIndex(rest, pair[:1]); ends && at > 0 {
			if _, isUnit := unit.Factor(rest[at+1:]); isUnit {
				return rest[:at], rest[at+1:], true
			}
		}
	}
	return heading, "", false
}

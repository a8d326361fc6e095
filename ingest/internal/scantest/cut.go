package scantest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A text is cut at every byte of its last cuts bytes, and at as many places in what
// stands above.
const cuts = 150

// Cut scans the texts as a disk that was full or a process that was killed leaves
// them: cut at any byte. What is left says what whole lines say, or some of what the
// whole text says: the last number is not read when it may go on, as 921 may have
// been 921.43. A line that is lost so is named as a problem. Behind the end of a line
// nobody can tell whether more was to come: rule says what is wrong with the facts of
// some lines, given those of all. Facts are the records without a line. Which of the
// kinds of text the first line begins is for others to find out.
func Cut(t *testing.T, scan Scan, rule func(some, all []string) string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		c := cutter{scan: scan, text: text, ends: []int{0}, known: map[int][]string{}}
		for line := range strings.SplitAfterSeq(text, "\n") {
			c.ends = append(c.ends, c.ends[len(c.ends)-1]+len(line))
		}
		step := max(1, len(text)/cuts)
		for at := 0; at < len(text); at++ {
			if at%step > 0 && at < len(text)-cuts {
				continue
			}
			line, whole := slices.BinarySearch(c.ends, at)
			wrong := ""
			if whole || step > 1 && at < len(text)-cuts {
				wrong = rule(c.lines(t, line), c.lines(t, len(c.ends)-1))
			}
			if wrong == "" && !whole {
				wrong = c.inside(t, line-1, at)
			}
			if wrong != "" {
				t.Fatalf("cut behind %q: %s", text[max(0, at-80):at], wrong)
			}
		}
	}
}

// cutter cuts a text.
type cutter struct {
	scan  Scan
	text  string
	ends  []int            // of the lines, from 0 on
	known map[int][]string // facts of the first lines
}

// read gives the facts of a text and how many problems it has.
func (c *cutter) read(t *testing.T, text string) (facts []string, problems int) {
	list, err := c.scan(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Line > 0 {
			problems++
		} else {
			facts = append(facts, r.Text)
		}
	}
	return facts, problems
}

// lines gives the facts of the first n lines.
func (c *cutter) lines(t *testing.T, n int) []string {
	facts, ok := c.known[n]
	if !ok {
		facts, _ = c.read(t, c.text[:c.ends[n]])
		c.known[n] = facts
	}
	return facts
}

// inside tells what is wrong with the text up to a byte of a line, n lines before it.
func (c *cutter) inside(t *testing.T, n, at int) string {
	got, problems := c.read(t, c.text[:at])
	after := c.lines(t, n+1)
	if slices.Equal(got, after) {
		return ""
	}
	if problems == 0 && n > 0 && strings.TrimSpace(c.text[c.ends[n]:at]) != "" {
		return fmt.Sprintf("%q is missing, and nothing says so", added(after, got))
	}
	if Partly(got, c.lines(t, len(c.ends)-1)) == "" {
		return ""
	}
	for before := n; before >= 0; before-- { // what the line belongs to may begin above
		if slices.Equal(got, c.lines(t, before)) {
			return ""
		}
	}
	return fmt.Sprintf("%q is said by no whole lines", added(got, c.lines(t, n)))
}

// Partly is the rule of most: some of the facts, in their order.
func Partly(some, all []string) string {
	for _, fact := range some {
		i := slices.Index(all, fact)
		if i < 0 {
			return fmt.Sprintf("%q is not in the whole, or sooner", fact)
		}
		all = all[i+1:]
	}
	return ""
}

var lastNumber = regexp.MustCompile(`^(.*?)(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(\D*)$`)

// AtMost is the rule where lines are added up, or differences taken over them: the
// last number of a fact is no larger than it is in the whole.
func AtMost(some, all []string) string {
	sums := map[string]float64{}
	for _, fact := range all {
		name, n := numbered(fact)
		sums[name] = n
	}
	for _, fact := range some {
		name, n := numbered(fact)
		if most, ok := sums[name]; !ok || n > most {
			return fmt.Sprintf("%q is more than %v in the whole", fact, most)
		}
	}
	return ""
}

// numbered takes the last number out of a fact.
func numbered(fact string) (name string, n float64) {
	m := lastNumber.FindStringSubmatch(fact)
	if m == nil {
		return fact, 0
	}
	n, _ = strconv.ParseFloat(m[2], 64)
	return m[1] + m[3], n
}

// added is the first fact of list that old does not have.
func added(list, old []string) string {
	for _, fact := range list {
		if !slices.Contains(old, fact) {
			return fact
		}
	}
	return ""
}

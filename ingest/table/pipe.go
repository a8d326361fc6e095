package table

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// Tables drawn with bars, in Markdown, by the mysql client, by psql and in prose
// around them:
//
//	| threads | glibc (tps) | jemalloc (tps) |
//	|--------:|------------:|---------------:|
//	|       1 |       953.1 |          960.4 |
//
//	+---------+--------+
//	| threads | tps    |
//	+---------+--------+
//	|       1 | 953.10 |
//	+---------+--------+

var errOther = errors.New("another table in the same file")

// isRuler tells the line below headings, and the borders of a table.
func isRuler(line string) bool {
	return strings.Trim(line, "|+-:= \t\u2500\u2502\u253c\u251c\u2524") == "" && strings.ContainsAny(line, "-=\u2500")
}

func hasBar(line string) bool { return strings.ContainsAny(line, "|\u2502") }

// bars cuts a line at its bars; those at both ends are no separators.
func bars(line string) []string {
	line = strings.ReplaceAll(strings.TrimSpace(line), "\u2502", "|")
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = line[:len(line)-1]
	}
	const hidden = "\x00"
	cells := strings.Split(strings.ReplaceAll(line, `\|`, hidden), "|")
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(c), hidden, "|")
	}
	return cells
}

// sniffPipe finds the first drawn table of a text: headings with a ruler below
// them and rows of as many cells. skip counts the lines above the headings.
func sniffPipe(text []byte) (skip int, ok bool) {
	lines := strings.Split(string(bytes.ReplaceAll(text, []byte("\r"), nil)), "\n")
	for i := 0; i+2 < len(lines); i++ {
		if !hasBar(lines[i]) || isRuler(lines[i]) || !isRuler(lines[i+1]) || !strings.ContainsAny(lines[i+1], "|+\u253c") {
			continue
		}
		headings := bars(lines[i])
		if len(headings) < 2 || !areNames(headings) {
			continue
		}
		rows, numbers := 0, 0
		for _, line := range lines[i+2:] {
			if !hasBar(line) {
				break
			}
			if cells := bars(line); len(cells) == len(headings) && !isRuler(line) {
				rows++
				if slices.ContainsFunc(cells, holdsNumber) {
					numbers++
				}
			}
		}
		if rows > 0 && numbers*2 >= rows {
			return i, true
		}
	}
	return 0, false
}

// areNames is areHeadings where rulers show what the headings are: numbers may be
// among them, as levels of a factor.
func areNames(cells []string) bool {
	seen := map[string]bool{}
	for _, c := range cells {
		if c == "" {
			continue
		}
		if seen[c] || len(c) > 120 {
			return false
		}
		seen[c] = true
	}
	return len(seen) >= 2 && len(seen) >= len(cells)-1
}

// pipeReader gives the rows of a drawn table, and of the tables with the same
// headings behind it.
type pipeReader struct {
	*reader
	headings []string
	inside   bool // the line before was a row
	foreign  bool // in a table with other headings
}

func (p *pipeReader) next() ([]string, int, error) {
	for {
		text, err := p.readLine()
		line := p.line
		if err != nil {
			return nil, line, err
		}
		switch {
		case !hasBar(text) && !isRuler(text):
			p.inside, p.foreign = false, false
			continue
		case isRuler(text), p.foreign:
			continue
		}
		cells := bars(text)
		if p.headings == nil {
			p.headings, p.inside = slices.Clone(cells), true
			return cells, line, nil
		}
		if !p.inside && !slices.Equal(cells, p.headings) {
			p.foreign = true
			return nil, line, errOther
		}
		again := !p.inside
		p.inside = true
		if again {
			continue // the same headings above more rows
		}
		return cells, line, nil
	}
}

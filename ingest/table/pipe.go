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

// errCut is about the last row.
var errCut = errors.New("the end of the line is missing")

func barred(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, "|") || strings.HasSuffix(line, "\u2502")
}

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

// sniffPipe finds the first drawn table of a text; skip counts the lines above
// its headings.
func sniffPipe(text []byte) (skip int, ok bool) {
	lines := strings.Split(string(bytes.ReplaceAll(text, []byte("\r"), nil)), "\n")
	for i := range lines {
		if headings, _ := drawnAt(lines, i); headings != nil {
			return i, true
		}
	}
	return 0, false
}

// drawnAt gives the headings of the table that begins at a line: with a ruler below
// them and rows of as many cells. end is the first line behind it.
func drawnAt(lines []string, at int) (headings []string, end int) {
	if at+2 >= len(lines) || !hasBar(lines[at]) || isRuler(lines[at]) || !isRuler(lines[at+1]) || !strings.ContainsAny(lines[at+1], "|+\u253c") {
		return nil, 0
	}
	headings = bars(lines[at])
	if len(headings) < 2 || !areNames(headings) {
		return nil, 0
	}
	rows, numbers := 0, 0
	for end = at + 2; end < len(lines) && (hasBar(lines[end]) || isRuler(lines[end])); end++ {
		if cells := bars(lines[end]); len(cells) == len(headings) && !isRuler(lines[end]) {
			rows++
			if slices.ContainsFunc(cells, holdsNumber) {
				numbers++
			}
		}
	}
	if rows == 0 || numbers*2 < rows {
		return nil, 0
	}
	return headings, end
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
	bar      bool // behind the last one
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
		p.closed = barred(text)
		if p.unended() && p.bar {
			return nil, line, errCut
		}
		if p.headings == nil {
			p.headings, p.inside, p.bar = slices.Clone(cells), true, barred(text)
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

package table

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Columns that blanks keep apart, as programs and people print them:
//
//	threads      tps    p95 ms
//	-------  -------  --------
//	      1    953.1      1.23
//	MySQL 8.0  960.4      1.20        two blanks between the columns

var gaps = regexp.MustCompile(`\t+ *| {2,}\t*`)

// cutAligned cuts a line at every blank, or only where two stand together.
func cutAligned(line string, wide bool) []string {
	line = strings.TrimSpace(line)
	if wide {
		return gaps.Split(line, -1)
	}
	return strings.Fields(line)
}

// sniffAligned tells whether a text is a table of aligned columns, and which
// blanks keep them apart. There must be three rows, all alike, with numbers in
// the same places: words and numbers come side by side in many texts.
func sniffAligned(text []byte) (wide, ok bool) {
	for _, wide := range []bool{true, false} { // a blank may be inside a cell, two hardly are
		if alignedShape(text, wide) >= 2 {
			return wide, true
		}
	}
	return false, false
}

func alignedShape(text []byte, wide bool) int {
	const least = 3
	var headings []string
	var where []bool // the columns with numbers
	rows, same := 0, 0
	for _, line := range strings.Split(string(bytes.ReplaceAll(text, []byte("\r"), nil)), "\n") {
		if strings.TrimSpace(line) == "" || isRuler(line) {
			continue
		}
		cells := cutAligned(line, wide)
		if headings == nil {
			if headings = cells; len(headings) < 2 || !areHeadings(headings) {
				return 0
			}
			continue
		}
		if rows++; rows > sampleRows {
			break
		}
		if len(cells) != len(headings) {
			continue
		}
		here := make([]bool, len(cells))
		for i, c := range cells {
			here[i] = holdsNumber(c) || isNull(c)
		}
		switch {
		case where == nil:
			where = here
		case !slices.Equal(where, here):
			continue
		}
		same++
	}
	if rows < least || same*10 < rows*9 || !slices.Contains(where, true) {
		return 0
	}
	return len(headings)
}

// alignedReader gives the rows of such a table.
type alignedReader struct {
	*reader
	wide bool
}

func (a *alignedReader) next() ([]string, int, error) {
	for {
		text, err := a.readLine()
		if err != nil {
			return nil, a.line, err
		}
		if strings.TrimSpace(text) == "" || isRuler(text) {
			continue
		}
		return cutAligned(text, a.wide), a.line, nil
	}
}

// rows is what all forms of tables are read through.
type rows interface {
	// next gives the cells of the next record and the number of its first line.
	next() (cells []string, line int, err error)
}

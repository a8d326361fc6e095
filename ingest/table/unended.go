package table

import (
	"fmt"
	"strings"

	"noisefloor/datasets"
)

// lastCells watches the last cells of rows for one that a cut has shortened: the last
// of all, if its line has no end. Where all numbers above have as many decimals it
// tells by itself; else nobody knows, as one table in twelve ends so.
type lastCells struct {
	rows, decimals int
	uneven         bool
}

func (l *lastCells) add(cell string) {
	if l.uneven {
		return
	}
	n := decimals(cell)
	l.uneven = l.rows > 0 && n != l.decimals
	l.rows, l.decimals = l.rows+1, n
}

// alike is how many rows show that a column has a fixed number of decimals.
const alike = 2

// judge says what is wrong with the last cell of a line without an end; lost, that it
// has fewer decimals than all others.
func (l *lastCells) judge(cell string, line int) (p datasets.Problem, lost bool) {
	n := decimals(cell)
	fixed := l.rows >= alike && !l.uneven && l.decimals > 0
	switch {
	case fixed && n == l.decimals:
		return p, false
	case fixed && n >= 0 && n < l.decimals:
		return datasets.Problem{Line: line, Kind: "cut-line", Text: fmt.Sprintf("the last line has no end, and of its last cell digits are missing: %s", short(cell)), Count: 1}, true
	}
	return datasets.Problem{Line: line, Kind: "no-line-end", Text: fmt.Sprintf("the last line has no end: if the file was cut, there may have been more of its last cell, %s", short(cell)), Count: 1}, false
}

// decimals counts the digits behind the last point or comma of a number; -1 if the
// cell is none.
func decimals(cell string) int {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return -1
	}
	n := 0
	for i := range len(cell) {
		switch c := cell[i]; {
		case c == '.' || c == ',':
			n = len(cell) - i - 1
		case c-'0' > 9 && c != '+' && c != '-':
			return -1
		}
	}
	return n
}

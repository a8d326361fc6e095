package table

import (
	"slices"
	"strings"
)

// A group that is named once, in its first row, as people merge cells:
//
//	| build   | threads | tps |
//	|---------|--------:|----:|
//	| base    |       1 | 100 |
//	|         |       8 | 801 |
//	| patched |       1 | 102 |
//	|         |       8 | 821 |

// carryRows is how many rows tell whether a table is like that; people merge no
// cells in tables wider than carryColumns.
const (
	carryRows    = 2000
	carryColumns = 50
)

// carry marks the columns, from the left, whose empty cells mean the cell above:
// their first cell is full, groups have two rows or more, and either all have
// equally many or another column begins anew in each. An empty cell may mean
// nothing, too, so that this is said as a guess.
func carry(columns []Column, rows [][]string) {
	for i := range columns {
		if columns[i].Use != Factor && columns[i].Use != Builtin || !carries(columns, rows, i) {
			return
		}
		columns[i].Carried = true
	}
}

func carries(columns []Column, rows [][]string, at int) bool {
	var begins []int
	for n, cells := range rows {
		if cells[at] != "" {
			begins = append(begins, n)
		}
	}
	if len(begins) == 0 || begins[0] != 0 || len(begins) == len(rows) {
		return false
	}
	begins = append(begins, len(rows))
	equal := true
	for k := range len(begins) - 1 {
		size := begins[k+1] - begins[k]
		if size < 2 {
			return false
		}
		equal = equal && size == begins[1]-begins[0]
	}
	if len(begins) > 2 && equal {
		return true
	}
	for i := at + 1; i < len(columns); i++ {
		if columns[i].Use != Factor && columns[i].Use != Builtin {
			continue
		}
		anew := true
		for k := range len(begins) - 1 {
			first := rows[begins[k]][i]
			anew = anew && first != "" && first == rows[0][i] && !slices.ContainsFunc(rows[begins[k]+1:begins[k+1]], func(cells []string) bool { return cells[i] == first })
		}
		if anew {
			return true
		}
	}
	return false
}

// above fills the empty cells of a row that mean those above. before is the row
// before, filled.
func above(columns []Column, before, cells []string) {
	if len(before) != len(cells) {
		return
	}
	for i := range columns {
		if !columns[i].Carried || strings.TrimSpace(cells[i]) != "" {
			return // a new group: nothing right of its name is of the old one
		}
		cells[i] = before[i]
	}
}

// Package table sets results in rows and columns for people: text that fits
// the screen and never cuts a name, Markdown for a pull request and CSV for a
// spreadsheet, all out of one Table.
//
// A table that is too wide wraps its names onto further lines; if that is not
// enough it turns every row into a block of lines. Numbers are never wrapped
// and nothing is ever shortened.
package table

import "slices"

// Align says on which side of its column a cell stands.
type Align int8

const (
	Left  Align = iota // words: may be wrapped
	Right              // numbers and intervals: kept on one line
)

// Tone is a colour of the terminal's 256-colour set; the zero Tone is none.
// Colour only ever repeats what the words say.
type Tone uint8

// The neighbours, in the 256-colour set, of the colours of Okabe and Ito,
// "Color Universal Design" (2008), which readers with any kind of colour
// vision tell apart.
const (
	Green      Tone = 36  // bluish green
	Vermillion Tone = 166 // vermillion
	Blue       Tone = 32  // blue
	Orange     Tone = 214 // orange
	Grey       Tone = 245 // grey
)

// Column is the head of a column.
type Column struct {
	Head  string
	Align Align
	// Fields names what the column becomes in CSV, one name for each of its
	// cells' Values: an interval is lo and hi. None means one field, the text,
	// under Head.
	Fields []string
}

// Cell is one cell: its text for people, and in full precision for CSV.
type Cell struct {
	Text   string
	Values []any // parallel to Column.Fields: string, float64, int, bool; nil and NaN are empty
	Tone   Tone
}

// Table is a table before it is printed. Each row has a cell for each column.
type Table struct {
	Columns []Column
	Rows    [][]Cell
}

// Word is a cell that is its own value.
func Word(s string) Cell { return Cell{Text: s, Values: []any{s}} }

// Add appends a row.
func (t *Table) Add(cells ...Cell) {
	if len(cells) != len(t.Columns) {
		panic("table: a row needs one cell for each column")
	}
	t.Rows = append(t.Rows, cells)
}

// Without is the table less the columns of these heads.
func (t *Table) Without(heads ...string) *Table {
	keep := make([]int, 0, len(t.Columns))
	for i, c := range t.Columns {
		if !slices.Contains(heads, c.Head) {
			keep = append(keep, i)
		}
	}
	rest := &Table{}
	for _, i := range keep {
		rest.Columns = append(rest.Columns, t.Columns[i])
	}
	for _, row := range t.Rows {
		cells := make([]Cell, len(keep))
		for j, i := range keep {
			cells[j] = row[i]
		}
		rest.Rows = append(rest.Rows, cells)
	}
	return rest
}

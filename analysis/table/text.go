package table

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Screen is what a text is printed on.
type Screen struct {
	Width  int  // in cells; 0 = 100, the width of what is piped
	Colour bool // repeat verdicts in colour
}

// pipedWidth is the width where nobody says one: it fits a code review.
const pipedWidth = 100

// ScreenOf finds out what w is: a terminal has its own width, and colour
// unless NO_COLOR is set (no-color.org); anything else gets 100 columns and
// none.
func ScreenOf(w io.Writer) Screen {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return Screen{}
	}
	s := Screen{Colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		s.Width = width
	}
	return s
}

// Columns is the width in cells.
func (s Screen) Columns() int {
	if s.Width <= 0 {
		return pipedWidth
	}
	return s.Width
}

// Paint colours a text that already says the same in words.
func (s Screen) Paint(text string, tone Tone) string {
	if !s.Colour || tone == 0 || text == "" {
		return text
	}
	return fmt.Sprintf("\x1b[38;5;%dm%s\x1b[0m", tone, text)
}

// Bold sets a head apart on a terminal.
func (s Screen) Bold(text string) string {
	if !s.Colour || text == "" {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

const (
	gap  = 2 // spaces between columns
	hang = 2 // indent of the second line of a name, so that it does not look like a row
	// slimmest is the width below which a column of names is not wrapped:
	// narrower, names turn into towers of letters.
	slimmest = 14
)

// noBreak is the no-break space: it keeps on one line what it joins, and is
// printed as a space.
const noBreak = "\u00a0"

// Text prints the table for people.
func (t *Table) Text(w io.Writer, s Screen) error {
	shown := t.visible()
	var b strings.Builder
	if widths := shown.fit(s.Columns(), longestPiece); widths != nil {
		shown.grid(&b, widths, s)
	} else if widths := shown.fit(s.Columns(), anywhere); widths != nil {
		shown.grid(&b, widths, s)
	} else {
		shown.stack(&b, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// visible is the table with nothing hidden in its texts.
func (t *Table) visible() *Table {
	shown := &Table{Columns: make([]Column, len(t.Columns)), Rows: make([][]Cell, len(t.Rows))}
	for i, c := range t.Columns {
		c.Head = Visible(c.Head)
		shown.Columns[i] = c
	}
	for i, row := range t.Rows {
		shown.Rows[i] = make([]Cell, len(row))
		for j, c := range row {
			c.Text = strings.TrimRight(Visible(c.Text), " ")
			shown.Rows[i][j] = c
		}
	}
	return shown
}

// anywhere says that a name may be broken between any two characters.
func anywhere(string) int { return 0 }

// fit finds column widths that add up to at most width; nil if there are none.
// piece is the width of what stays on one line in a name.
func (t *Table) fit(width int, piece func(string) int) []int {
	widths := make([]int, len(t.Columns))
	least := make([]int, len(t.Columns))
	total := gap * (len(t.Columns) - 1)
	for i, c := range t.Columns {
		natural, slim := Width(c.Head), longestPiece(c.Head)
		for _, row := range t.Rows {
			w := Width(row[i].Text)
			natural = max(natural, w)
			if c.Align == Right {
				slim = max(slim, w)
			} else {
				slim = max(slim, piece(row[i].Text)+hang, min(w, slimmest))
			}
		}
		widths[i], least[i] = natural, min(natural, slim)
		total += natural
	}
	for total > width {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return nil
		}
		widths[widest]--
		total--
	}
	return widths
}

// grid prints a head, a rule and the rows.
func (t *Table) grid(b *strings.Builder, widths []int, s Screen) {
	heads := make([][]string, len(t.Columns))
	rules := make([][]string, len(t.Columns))
	height := 1
	for i, c := range t.Columns {
		heads[i] = Wrap(c.Head, widths[i], 0)
		rules[i] = []string{strings.Repeat("-", widths[i])}
		height = max(height, len(heads[i]))
	}
	for i, lines := range heads { // heads stand on the rule
		heads[i] = append(make([]string, height-len(lines)), lines...)
	}
	t.lines(b, heads, widths, func(_ int, text string) string { return s.Bold(text) })
	t.lines(b, rules, widths, func(_ int, text string) string { return text })
	texts := make([][]string, len(t.Columns))
	for _, row := range t.Rows {
		for i, c := range row {
			texts[i] = Wrap(c.Text, widths[i], hang)
		}
		t.lines(b, texts, widths, func(i int, text string) string { return s.Paint(text, row[i].Tone) })
	}
}

// lines prints the lines of one row, which is as high as its tallest cell.
func (t *Table) lines(b *strings.Builder, texts [][]string, widths []int, paint func(i int, text string) string) {
	height := 1
	for _, lines := range texts {
		height = max(height, len(lines))
	}
	for h := range height {
		owed := 0 // spaces not yet written, so that no line ends in one
		for i, lines := range texts {
			text := ""
			if h < len(lines) {
				text = lines[h]
			}
			pad := widths[i] - Width(text)
			if t.Columns[i].Align == Right {
				owed, pad = owed+pad, 0
			}
			if text != "" {
				b.WriteString(strings.Repeat(" ", owed))
				b.WriteString(paint(i, strings.ReplaceAll(text, noBreak, " ")))
				owed = 0
			}
			owed += pad + gap
		}
		b.WriteByte('\n')
	}
}

// stack prints each row as a block, a line for each column.
func (t *Table) stack(b *strings.Builder, s Screen) {
	label := 0
	for _, c := range t.Columns {
		label = max(label, Width(c.Head))
	}
	for n, row := range t.Rows {
		if n > 0 {
			b.WriteByte('\n')
		}
		for i, c := range row {
			head := t.Columns[i].Head
			if c.Text == "" {
				continue
			}
			b.WriteString(head)
			pad := label - Width(head) + gap
			for _, text := range Wrap(c.Text, max(s.Columns()-label-gap, slimmest), hang) {
				text = strings.ReplaceAll(text, noBreak, " ")
				fmt.Fprintf(b, "%s%s\n", strings.Repeat(" ", pad), s.Paint(text, c.Tone))
				pad = label + gap
			}
		}
	}
}

package nb

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"noisefloor/analysis"
	"noisefloor/analysis/figure"
	"noisefloor/analysis/frame"
	"noisefloor/analysis/table"
	"noisefloor/datasets/unit"
)

// textWidth is how wide the text is that stands in for a table: a notebook scrolls.
const textWidth = 200

// rowsShown is how many rows of a data frame are shown.
const rowsShown = 20

// Table shows a table of a report, or a data frame with the units of its columns;
// of a long frame the first rows.
func Table(t any) {
	shown, rest, err := tableOf(t)
	if err != nil {
		stop(err)
	}
	if len(shown.Rows) == 0 {
		Say("No table: there is nothing in it.")
		return
	}
	var text strings.Builder
	if err := shown.Text(&text, table.Screen{Width: textWidth}); err != nil {
		stop(err)
	}
	page := htmlOf(shown)
	if rest != "" {
		text.WriteString(rest)
		page += "<div>" + html.EscapeString(rest) + "</div>"
	}
	show(strings.TrimRight(text.String(), "\n"), protocol.MIMETextHTML, page, nil)
}

func tableOf(t any) (shown *table.Table, rest string, err error) {
	switch t := t.(type) {
	case *table.Table:
		return t, "", nil
	case frame.Frame:
		return frameTable(t)
	case dataframe.DataFrame:
		return frameTable(frame.Frame{}.Of(t))
	}
	return nil, "", fmt.Errorf("Table shows a *table.Table, a frame.Frame or a dataframe.DataFrame, not a %T", t)
}

// digits are the significant ones of the largest number in a column of a data frame.
// All its numbers have as many decimals as that, but where some are less than a
// farBelow of it: then each has its own digits.
const digits, farBelow = 4, 1000

func frameTable(f frame.Frame) (*table.Table, string, error) {
	if f.Err != nil {
		return nil, "", f.Err
	}
	rows := min(f.Nrow(), rowsShown)
	t := &table.Table{Rows: make([][]table.Cell, rows)}
	for c, name := range f.Names() {
		column := table.Column{Head: name}
		write := func(e series.Element) string { return e.String() }
		switch f.Types()[c] {
		case series.Int:
			column.Align = table.Right
		case series.Float:
			column.Align = table.Right
			values := make([]float64, rows)
			for r := range rows {
				values[r] = f.Elem(r, c).Float()
			}
			u := f.Unit(name)
			var scale unit.Scale // none: a number without a unit stays what it is
			if u.Name != "" && u.Name != "1" {
				scale = unit.ScaleFor(u, values...)
			}
			format := formatOf(scale, values)
			write = func(e series.Element) string { return format(e.Float()) }
			if scale.Unit != "" {
				column.Head += " (" + scale.Unit + ")"
			} else if whole(values) {
				write = func(e series.Element) string { return strconv.FormatFloat(e.Float(), 'f', 0, 64) }
			}
		}
		t.Columns = append(t.Columns, column)
		for r := range rows {
			text := "–"
			if e := f.Elem(r, c); !e.IsNA() {
				text = write(e)
			}
			t.Rows[r] = append(t.Rows[r], table.Word(text))
		}
	}
	if n := f.Nrow() - rows; n > 0 {
		return t, fmt.Sprintf("and %d more rows", n), nil
	}
	return t, "", nil
}

func formatOf(scale unit.Scale, values []float64) func(float64) string {
	least, most := math.Inf(1), 0.
	for _, v := range values {
		if v = math.Abs(v); v > 0 && !math.IsInf(v, 1) {
			least, most = min(least, v), max(most, v)
		}
	}
	if most > farBelow*least {
		return func(v float64) string { return scale.Format(v, digits) }
	}
	decimals := table.Decimals(digits, scale.Of(most))
	return func(v float64) string { return table.Fixed(scale.Of(v), decimals) }
}

// whole tells numbers that are all whole and short enough to be written out.
func whole(values []float64) bool {
	for _, v := range values {
		if !math.IsNaN(v) && (v != math.Trunc(v) || math.Abs(v) > 1e9) {
			return false
		}
	}
	return true
}

// verdictColours are those of Okabe and Ito, "Color Universal Design" (2008),
// which can be read on a light and on a dark notebook; the word and its sign
// stand beside them.
var verdictColours = map[analysis.Verdict]string{
	analysis.Faster: "#009e73", analysis.Slower: "#d55e00", analysis.Equivalent: "#0072b2", analysis.Inconclusive: "#b87a00", analysis.Unsupported: "#808080",
}

// htmlOf writes a table for a notebook. The styles stand in the cells, because
// pages that show notebooks drop style sheets.
func htmlOf(t *table.Table) string {
	var b strings.Builder
	b.WriteString("<table><thead><tr>")
	align := func(i int) string {
		if t.Columns[i].Align == table.Right {
			return "text-align:right;white-space:nowrap"
		}
		return "text-align:left"
	}
	for i, c := range t.Columns {
		fmt.Fprintf(&b, `<th style="%s">%s</th>`, align(i), html.EscapeString(table.Visible(c.Head)))
	}
	b.WriteString("</tr></thead><tbody>\n")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for i, c := range row {
			text := html.EscapeString(table.Typeset(table.Visible(c.Text)))
			style := align(i)
			if colour, ok := verdictColours[analysis.Verdict(c.Text)]; ok {
				style += ";font-weight:bold;color:" + colour
				text = html.EscapeString(figure.Glyph(analysis.Verdict(c.Text))) + "\u00a0" + text
			}
			fmt.Fprintf(&b, `<td style="%s">%s</td>`, style, text)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

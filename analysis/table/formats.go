package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Markdown prints the table as GitHub reads it. What a name could mean in
// Markdown or HTML is escaped, and numbers are kept on one line.
func (t *Table) Markdown(w io.Writer) error {
	var b strings.Builder
	row := func(n int, text func(i int) string) {
		for i := range n {
			b.WriteString("| ")
			b.WriteString(text(i))
			b.WriteByte(' ')
		}
		b.WriteString("|\n")
	}
	n := len(t.Columns)
	row(n, func(i int) string { return Markdown(t.Columns[i].Head) })
	row(n, func(i int) string {
		if t.Columns[i].Align == Right {
			return "---:"
		}
		return ":---"
	})
	for _, cells := range t.Rows {
		row(n, func(i int) string {
			if t.Columns[i].Align == Right {
				return strings.ReplaceAll(Markdown(cells[i].Text), " ", "\u00a0")
			}
			return Markdown(cells[i].Text)
		})
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown escapes a text, so that it reads as it is inside a Markdown paragraph,
// list or table. An underscore between letters (oltp_read_write) needs no escape on
// GitHub and stays readable. Nothing in it calls a person (@name), refers to an issue
// (#1) or becomes a link: no escape holds GitHub off these, a zero-width space does.
func Markdown(s string) string {
	var b strings.Builder
	runes := []rune(strings.TrimSpace(Visible(s)))
	inWord := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	next := func(i int) rune { // a space is behind the end
		if i+1 < len(runes) {
			return runes[i+1]
		}
		return ' '
	}
	for i, r := range runes {
		switch r {
		case '<':
			b.WriteString("&lt;")
			continue
		case '>':
			b.WriteString("&gt;")
			continue
		case '&':
			b.WriteString("&amp;")
			continue
		case '\\', '|', '*', '`', '[', ']', '~', '$':
			b.WriteByte('\\')
		case '_':
			if !inWord(i-1) || !inWord(i+1) {
				b.WriteByte('\\')
			}
		case '@', '#':
			if i == 0 && r == '#' { // a heading
				b.WriteByte('\\')
			}
			b.WriteRune(r)
			if inWord(i + 1) {
				b.WriteString("&#8203;")
			}
			continue
		case ':', '!': // http://, an image
			if next(i) == '/' || next(i) == '[' {
				b.WriteByte('\\')
			}
		case '.', ')': // www., and the "1." that begins a list
			if i >= 3 && strings.EqualFold(string(runes[i-3:i]), "www") || onlyDigits(runes[:i]) && next(i) == ' ' {
				b.WriteByte('\\')
			}
		case '-', '+', '=': // a list, a rule, the line under a heading
			if i == 0 && (next(i) == ' ' || next(i) == r) {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func onlyDigits(runes []rune) bool {
	for _, r := range runes {
		if r < '0' || r > '9' {
			return false
		}
	}
	return len(runes) > 0
}

// CSV prints the table for programs: full precision, base units, what is
// unknown is empty.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var record []string
	for _, c := range t.Columns {
		if len(c.Fields) == 0 {
			record = append(record, c.Head)
		}
		record = append(record, c.Fields...)
	}
	out.Write(record) // an error stays in out and comes back from Error
	for _, row := range t.Rows {
		record = record[:0]
		for i, c := range row {
			fields := len(t.Columns[i].Fields)
			switch {
			case fields == 0:
				record = append(record, c.Text)
			case len(c.Values) != fields:
				panic("table: a cell needs one value for each field of its column")
			}
			for _, v := range c.Values[:fields] {
				record = append(record, plain(v))
			}
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}

// plain prints one value for CSV.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"noisefloor/datasets"
)

// timeLayout writes a point in time in UTC; texts sort as times do.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// textWriter writes rows as lines of text.
type textWriter struct {
	out  *file
	cell func(arr arrow.Array) (func(b []byte, i int) []byte, error)
	// next stands before each cell, end after the last.
	next []string
	end  string
}

func (w *textWriter) write(group []arrow.Record) error {
	var line []byte
	for _, rec := range group {
		cells := make([]func(b []byte, i int) []byte, rec.NumCols())
		for c := range cells {
			var err error
			if cells[c], err = w.cell(rec.Column(c)); err != nil {
				return fmt.Errorf("column %q: %w", rec.ColumnName(c), err)
			}
		}
		for i := range int(rec.NumRows()) {
			line = line[:0]
			for c := range cells {
				line = append(line, w.next[c]...)
				line = cells[c](line, i)
			}
			line = append(line, w.end...)
			if _, err := w.out.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *textWriter) close() error { return w.out.err }

// newCSV writes RFC 4180 with a head line. Null is an empty cell, an empty text is
// "". A text that a spreadsheet would take for a formula has an apostrophe before
// it, and so has one that begins like that already, so that nothing is lost.
func newCSV(out *file, s *arrow.Schema, _ dictionaries) (writer, error) {
	w := &textWriter{out: out, cell: csvCell, end: "\r\n"}
	var head []byte
	for c, f := range s.Fields() {
		w.next = append(w.next, "")
		if c > 0 {
			w.next[c] = ","
			head = append(head, ',')
		}
		head = appendCSV(head, f.Name)
	}
	_, err := out.Write(append(head, "\r\n"...))
	return w, err
}

// newJSONLines writes one object a line, null as null.
func newJSONLines(out *file, s *arrow.Schema, _ dictionaries) (writer, error) {
	w := &textWriter{out: out, cell: jsonCell, end: "}\n"}
	for c, f := range s.Fields() {
		begin := ","
		if c == 0 {
			begin = "{"
		}
		w.next = append(w.next, begin+string(appendJSON(nil, f.Name))+":")
	}
	return w, nil
}

func csvCell(arr arrow.Array) (func(b []byte, i int) []byte, error) {
	return plainCell(arr, "", appendCSV, func(b []byte, items []string) []byte { return appendCSV(b, datasets.Fold(items)) })
}

func jsonCell(arr arrow.Array) (func(b []byte, i int) []byte, error) {
	return plainCell(arr, "null", appendJSON, func(b []byte, items []string) []byte {
		b = append(b, '[')
		for i, s := range items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, s)
		}
		return append(b, ']')
	})
}

// plainCell writes the cells of a column; text and list say how such are written.
func plainCell(arr arrow.Array, null string, text func(b []byte, s string) []byte, list func(b []byte, items []string) []byte) (func(b []byte, i int) []byte, error) {
	var write func(b []byte, i int) []byte
	switch a := arr.(type) {
	case *array.Float64:
		write = func(b []byte, i int) []byte {
			v := a.Value(i)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return append(b, null...)
			}
			return strconv.AppendFloat(b, v, 'g', -1, 64)
		}
	case *array.Int64:
		write = func(b []byte, i int) []byte { return strconv.AppendInt(b, a.Value(i), 10) }
	case *array.Boolean:
		write = func(b []byte, i int) []byte { return strconv.AppendBool(b, a.Value(i)) }
	case *array.Timestamp:
		write = func(b []byte, i int) []byte {
			return text(b, a.Value(i).ToTime(a.DataType().(*arrow.TimestampType).Unit).UTC().Format(timeLayout))
		}
	case *array.List:
		items, err := textsOf(a.ListValues())
		if err != nil {
			return nil, err
		}
		write = func(b []byte, i int) []byte {
			from, to := a.ValueOffsets(i)
			texts := make([]string, 0, to-from)
			for k := from; k < to; k++ {
				texts = append(texts, items(int(k)))
			}
			return list(b, texts)
		}
	default:
		texts, err := textsOf(arr)
		if err != nil {
			return nil, err
		}
		write = func(b []byte, i int) []byte { return text(b, texts(i)) }
	}
	return func(b []byte, i int) []byte {
		if arr.IsNull(i) {
			return append(b, null...)
		}
		return write(b, i)
	}, nil
}

// textsOf gives the texts of a column; not of nulls.
func textsOf(arr arrow.Array) (func(i int) string, error) {
	switch a := arr.(type) {
	case *array.String:
		return a.Value, nil
	case *array.Dictionary:
		if words, ok := a.Dictionary().(*array.String); ok {
			return func(i int) string { return words.Value(a.GetValueIndex(i)) }, nil
		}
	}
	return nil, fmt.Errorf("a column of type %s is not written", arr.DataType())
}

// isFormula tells what spreadsheets calculate (OWASP, "CSV Injection"): a text that
// begins with = + - @, a tab or a line end, behind apostrophes of ours.
func isFormula(s string) bool {
	s = strings.TrimLeft(s, "'")
	return s != "" && strings.IndexByte("=+-@\t\r\n", s[0]) >= 0
}

// unformula takes off what appendCSV has put before a text.
func unformula(s string) string {
	if strings.HasPrefix(s, "'") && isFormula(s) {
		return s[1:]
	}
	return s
}

func appendCSV(b []byte, s string) []byte {
	if isFormula(s) {
		s = "'" + s
	}
	if s != "" && !strings.ContainsAny(s, ",\"\r\n;\t") && s[0] != ' ' && s[len(s)-1] != ' ' {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

func appendJSON(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c < ' ' || c == 0x7f:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				b = append(b, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = append(b, `\ufffd`...)
		case r == '\u2028', r == '\u2029': // line ends to JavaScript
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return append(b, '"')
}

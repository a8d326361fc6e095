package activesessions

import (
	"io"
	"strings"

	"noisefloor/ingest/internal/lines"
)

// fields appends the cells of a line to a list: it is cut at a separator, but not
// inside of quotes.
func fields(list []string, line, separator string) []string {
	for {
		if rest, quoted := strings.CutPrefix(line, `"`); quoted {
			value, after, closed := strings.Cut(rest, `"`)
			if closed {
				list = append(list, strings.TrimSpace(value))
				_, next, more := strings.Cut(after, separator)
				if line = next; !more {
					return list
				}
				continue
			}
		}
		value, rest, more := strings.Cut(line, separator)
		list = append(list, strings.TrimSpace(value))
		if line = rest; !more {
			return list
		}
	}
}

// table reads a table with a heading; a last line without an end may have lost
// digits and is left out.
func (s *scanner) table(text io.Reader) error {
	var sh shape
	known := false
	return lines.Each(text, 1<<20, func(number int, line []byte, whole bool) {
		row := strings.ToValidUTF8(strings.TrimRight(string(line), "\r\x00 "), "\ufffd")
		switch {
		case strings.TrimSpace(row) == "":
		case !known:
			if sh, known = shapeOf(row); !known {
				s.problems.Add("unknown-line", number, []byte(row))
			}
		case !whole:
			s.problems.Add("cut-line", number, []byte(row))
		default:
			s.row(number, row, &sh)
		}
	})
}

func (s *scanner) row(line int, row string, sh *shape) {
	s.cells = fields(s.cells[:0], row, sh.separator)
	cells := s.cells
	if sh.at >= len(cells) {
		s.problems.Add("unknown-line", line, []byte(row))
		return
	}
	at, ok := s.moment(cells[sh.at])
	if !ok {
		s.problems.Add("bad-time", line, []byte(row))
		return
	}
	value := func(i int) (float64, bool) {
		if i >= len(cells) || cells[i] == "" {
			return 0, false
		}
		text := cells[i]
		if sh.decimalMark {
			text = strings.Replace(text, ",", ".", 1)
		}
		v, ok := number(text)
		if !ok && !strings.EqualFold(text, "null") && text != "-" {
			s.problems.Add("bad-number", line, []byte(row))
		}
		return v, ok
	}
	if sh.event >= 0 {
		if v, ok := value(sh.value); ok && sh.event < len(cells) && cells[sh.event] != "" {
			s.add(line, cells[sh.event], at, v)
		}
		return
	}
	if sh.value >= 0 { // of all events, beside a column for each
		if v, ok := value(sh.value); ok {
			s.add(line, "", at, v)
		}
	}
	for i, name := range sh.columns[:min(len(cells), len(sh.columns))] {
		switch name {
		case "":
			continue
		case "DBLoad":
			name = ""
		case "DBLoadCPU":
			name = "CPU"
		case "DBLoadNonCPU":
			name = "other than CPU"
		}
		if v, ok := value(i); ok {
			s.add(line, name, at, v)
		}
	}
}

package hoststat

import (
	"bytes"
	"encoding/csv"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// What dstat and its heir dool print on a screen: a line of groups and a line of
// columns, again after each screenful, and a line for each report. Groups stand
// between bars; numbers have the unit of their size behind them, of 1024 where it
// is bytes and of 1000 where it is a count:
//
//	You did not select any stats, using -cdngy by default.
//	----system---- --total-cpu-usage-- -dsk/total- -net/total- ---paging-- ---system--
//	     time     |usr sys idl wai stl| read  writ| recv  send|  in   out | int   csw
//	30-11 17:00:40| 87  13   0   0   0| 452k  126M| 990B  990B|   0     0 |2405  4376
//	09-06 19:30:28|                   |           |           |           |              nothing to tell yet
//
// dool draws the bars and lines in Unicode and writes the month's name:
//
//	──total─cpu─usage──┬─dsk/total─┬─net/total─┬───load─avg───┬─────system────
//	usr sys idl wai stl│ read  writ│ recv  send│ 1m   5m  15m │      time
//	 67  15  17   0   0│  31M  138M│   0     0 │4.13 6.95 5.31│Nov-30 17:12:07
//
// With --output it is a CSV with four lines about the call before the groups:
//
//	"Host:","db7",,,,"User:","root"
//	"system","total cpu usage",,,,,"dsk/total",,"net/total",
//	"time","usr","sys","idl","wai","stl","read","writ","recv","send"
//	30-11 17:01:50,94.527,5.473,0,0,0,0,262144,990,990
//
// The year stands nowhere.
func (s *scanner) dstat(line []byte) {
	text := string(line)
	if bytes.IndexByte(line, barByte) >= 0 {
		text = drawn.Replace(text)
	}
	trimmed := strings.TrimSpace(text)
	switch {
	case s.head.columns != nil && !s.csv && trimmed != "" && trimmed[0]-'0' <= 9:
		s.dstatRow(line, s.screen(text))
	case trimmed == "", strings.HasPrefix(trimmed, "You did not select"), strings.HasPrefix(trimmed, "Using default plugins"):
	case strings.HasPrefix(trimmed, `"`):
		s.dstatCSVHead(line, trimmed)
	case s.csv:
		s.cells = s.cells[:0]
		for cell := range strings.SplitSeq(trimmed, ",") {
			s.cells = append(s.cells, cell)
		}
		s.dstatRow(line, s.cells)
	case strings.Trim(trimmed, "-[0123456789;mlh ") == "":
	case strings.HasPrefix(trimmed, "--") || strings.Contains(trimmed, "--|-") || strings.Contains(trimmed, "-- --") || strings.HasPrefix(trimmed, "-") && strings.HasSuffix(trimmed, "-"):
		s.groups = nil
		for _, g := range strings.FieldsFunc(trimmed, func(r rune) bool { return r == ' ' || r == '|' }) {
			s.groups = append(s.groups, strings.ReplaceAll(strings.Trim(g, "-"), "-", " "))
		}
		s.head = heading{}
	case s.groups == nil:
		s.problems.Add("unknown-line", s.line, line)
	case s.head.columns == nil:
		s.dstatColumns(line, strings.Split(trimmed, "|"))
	default:
		s.dstatRow(line, s.screen(text))
	}
}

// screen gives the cells of a row on a screen.
func (s *scanner) screen(text string) []string {
	s.cells = s.cells[:0]
	group := 0
	for part := range strings.SplitSeq(text, "|") {
		from := len(s.cells)
		for word := range strings.FieldsSeq(part) {
			s.cells = append(s.cells, word)
		}
		if group < len(s.widths) {
			switch n := len(s.cells) - from; {
			case n > 1 && s.widths[group] == 1: // a date and a time
				s.cells = append(s.cells[:from], strings.Join(s.cells[from:], " "))
			case n == 0: // nothing to tell yet
				s.cells = append(s.cells, make([]string, s.widths[group])...)
			}
		}
		group++
	}
	return s.cells
}

// barByte begins a bar or line of dool.
const barByte = 0xe2

// drawn are the bars and lines of dool.
var drawn = strings.NewReplacer("│", "|", "┬", "|", "─", "-", "┄", "-")

// dstatColumns reads the line of columns on a screen, a part for each group.
func (s *scanner) dstatColumns(line []byte, parts []string) {
	if len(parts) != len(s.groups) {
		s.problems.Add("torn-line", s.line, line)
		s.groups = nil
		return
	}
	s.widths, s.places = nil, nil
	for i, part := range parts {
		names := strings.Fields(part)
		s.widths = append(s.widths, len(names))
		for _, name := range names {
			s.dstatColumn(s.groups[i], name)
		}
	}
}

// dstatColumn adds a column.
func (s *scanner) dstatColumn(group, name string) {
	of := ""
	kind, which, isDevice := strings.Cut(group, "/")
	if isDevice && which != "total" {
		of = which
	}
	if cpu, ok := strings.CutSuffix(kind, " usage"); ok && strings.HasPrefix(cpu, "cpu") { // cpu0 usage
		kind, of = "cpu", cpu
	}
	switch kind {
	case "total cpu usage", "total usage", "total":
		kind = "cpu"
	}
	c, known := dstatColumns[kind+" "+name]
	if !known {
		c = meaning{spelled(kind + " " + name), 1}
	}
	if name == "time" || name == "epoch" {
		c = meaning{}
	}
	s.head.columns = append(s.head.columns, c)
	s.places = append(s.places, place{name, of})
}

// place is what a column of dstat is of.
type place struct{ name, of string }

// dstatCSVHead reads what stands above the rows of a CSV.
func (s *scanner) dstatCSVHead(line []byte, text string) {
	r := csv.NewReader(strings.NewReader(text))
	r.LazyQuotes = true
	cells, err := r.Read()
	if err != nil {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	switch name := cells[0]; {
	case strings.HasPrefix(name, "Dstat ") || strings.HasPrefix(name, "dool ") || strings.HasPrefix(name, "Dool ") || strings.HasPrefix(name, "pcp-dstat"):
		s.booted, s.csv, s.groups, s.head = false, true, nil, heading{}
	case name == "Author:" || name == "Host:" || name == "Cmdline:":
	case s.groups == nil:
		for _, g := range cells {
			if g == "" && len(s.groups) > 0 {
				g = s.groups[len(s.groups)-1]
			}
			s.groups = append(s.groups, g)
		}
	case len(cells) != len(s.groups):
		s.problems.Add("torn-line", s.line, line)
		s.groups = nil
	default:
		s.head, s.places = heading{}, nil
		for i, name := range cells {
			s.dstatColumn(s.groups[i], name)
		}
		s.groups = nil // the next heading begins with its groups
	}
}

// dstatRow reads a report.
func (s *scanner) dstatRow(line []byte, cells []string) {
	if len(cells) != len(s.head.columns) {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	values := slices.Grow(s.values[:0], len(cells))[:len(cells)]
	clear(values)
	s.values = values
	timed := false
	var clock time.Duration
	var moment time.Time
	for i, cell := range cells {
		ok := true
		switch s.places[i].name {
		case "time":
			clock, ok = dstatTime(cell)
			timed = true
		case "epoch":
			var at float64
			at, ok = number(cell)
			moment, timed = time.UnixMicro(int64(at*1e6)), true
		default:
			base := 1000.0
			if strings.Contains(s.head.columns[i].metric, "bytes") {
				base = 1024
			}
			values[i], ok = sized(cell, base)
		}
		if !ok {
			s.problems.Add("torn-line", s.line, line)
			return
		}
	}
	switch {
	case !moment.IsZero():
		s.moment("", moment)
	case timed:
		s.ofDay("", clock)
	default:
		s.next()
	}
	s.record(s.rowsOf(""))
}

// dstatDay is a date without a year: 30-11 or Nov-30.
var dstatDay = regexp.MustCompile(`^(?:\d{1,2}-\d{1,2}|[A-Z][a-z]{2}-\d{1,2}) `)

func dstatTime(cell string) (time.Duration, bool) {
	at := dstatDay.FindString(cell)
	if at == "" {
		return 0, false
	}
	t, rest, ok := timeOfDay(cell[len(at):])
	return t, ok && rest == ""
}

// sized reads 452k and 990B; base is what k is.
func sized(cell string, base float64) (float64, bool) {
	scale, digits := 1.0, cell
	if n := len(cell) - 1; n > 0 {
		if i := strings.IndexByte("BkMGTP", cell[n]); i >= 0 {
			digits = cell[:n]
			for range i {
				scale *= base
			}
		}
	}
	v, ok := number(digits)
	if len(digits) < len(cell) && (math.IsNaN(v) || strings.Contains(digits, ",")) {
		return 0, false
	}
	return v * scale, ok
}

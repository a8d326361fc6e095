// Package client cuts what the clients of MySQL and MariaDB print (mysql, mariadb,
// mysqladmin) into rows, however it was printed, and hands on every other line:
// the dates that harnesses put in between, and the text of SHOW ENGINE INNODB
// STATUS, which is one value of many lines.
package client

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"

	"noisefloor/ingest/internal/lines"
)

// A Row is one row of a result.
type Row struct {
	Line    int
	Result  int      // number of the result in the text, from 1
	Columns []string // headings in small letters; nil where the client printed none
	Cells   []string // good until the next row
}

// Cell gives the cell of the first of some columns that the row has.
func (r *Row) Cell(columns ...string) (string, bool) {
	for _, name := range columns {
		if i := slices.Index(r.Columns, name); i >= 0 && i < len(r.Cells) {
			return r.Cells[i], true
		}
	}
	return "", false
}

// longest line that is looked at: SHOW ENGINE INNODB STATUS in a batch is one line
// of up to a megabyte, escaped.
const longest = 4 << 20

// Scan reads a text to its end. Every row goes to row, every other line to other,
// in the order of the text; a last line without an end goes to cut. The error is
// that of the reader.
func Scan(text io.Reader, row func(*Row), other, cut func(line int, text string)) error {
	s := scanner{give: row, other: other}
	var bare []byte
	err := lines.Each(text, longest, func(number int, line []byte, whole bool) {
		if bytes.IndexByte(line, escape) >= 0 {
			bare = lines.Bare(bare[:0], line)
			line = bare
		}
		text := strings.ToValidUTF8(string(lines.TrimEnd(line)), "\ufffd")
		// The end of a drawn row tells by itself that it is whole.
		closed := strings.HasSuffix(text, "|") && strings.Count(text, "|") > len(s.columns) || strings.HasSuffix(text, "-+")
		if !whole && !closed && text != "" {
			if slices.Contains(s.columns, statement) || s.pending != nil && slices.Contains(s.pending.Columns, "command") {
				text = ""
			}
			s.vertical(nil)
			cut(number, text)
			return
		}
		s.line(number, text)
	})
	s.vertical(nil)
	return err
}

// escape begins a sequence for a terminal.
const escape = 0x1b

type scanner struct {
	give  func(*Row)
	other func(line int, text string)

	row     Row
	cells   []string // of the row, in memory that is used again
	results int
	form    form
	sep     string // of separated: tab or comma
	ruler   int    // rulers of a drawn table since its top
	pending *Row   // of vertical, whose cells still come
	colon   int    // of vertical: where the colons stand
	columns []string
	torn    string // of drawn: how a row begins whose statement has several lines
}

// statement is the column of a process list that has the statement of a session. It
// may have many lines, which are not given to anybody.
const statement = "info"

// form is how the result is written that the last row came from.
type form int8

const (
	none form = iota
	separated
	drawn
	vertical
	spaced
)

var (
	ruler   = regexp.MustCompile(`^\+(?:-+\+)+$`)
	rowMark = regexp.MustCompile(`^\*{5,} *(\d+)\. row \*{5,}$`)
	cell    = regexp.MustCompile(`^(\s*)([A-Za-z_$@(][\w$@().*]*):(?: (.*))?$`)
	valued  = regexp.MustCompile(`^(?:[A-Z]|rocksdb_|wsrep_)[A-Za-z0-9_]+(?:[ \t]+-?\d+(?:\.\d+)?)+$`)
	heading = regexp.MustCompile(`^[A-Za-z_@][\w@().* ]*$`)
)

// known are the headings that a result is known by, and what stands under a row of
// a result that lost its indentation.
var known = wordSet(`variable_name variable_value value event_name events event_class count_star sum_timer_wait min_timer_wait avg_timer_wait max_timer_wait
	total total_latency avg_latency max_latency min_latency name subsystem count type status comment enabled now() sysdate() current_timestamp current_timestamp() unix_timestamp()
	object_schema object_name object_type object_instance_begin thread_id user host schema_name digest digest_text file_name index_name max_count min_count avg_count id db command time state info`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// line reads one line:
//
//	Variable_name	Value
//	Aborted_clients	0
//	+-----------------+-------+
//	| Variable_name   | Value |
//	+-----------------+-------+
//	| Aborted_clients | 0     |
//	*************************** 1. row ***************************
//	Variable_name: Aborted_clients
//	        Value: 0
//	"Variable_name","Value"
//	Aborted_clients 0 12
func (s *scanner) line(number int, text string) {
	trimmed := strings.TrimSpace(text)
	if s.form == drawn && slices.Contains(s.columns, statement) && s.tear(number, trimmed) || s.inStatement(text, trimmed) {
		return
	}
	switch {
	case trimmed == "":
		if s.form == drawn {
			s.form = none
		}
		return
	case trimmed[0] == '+' && ruler.MatchString(trimmed):
		s.vertical(nil)
		s.rule()
		return
	case trimmed[0] == '*' && rowMark.MatchString(trimmed):
		s.mark(number, rowMark.FindStringSubmatch(trimmed)[1])
		return
	case trimmed[0] == '|' && len(trimmed) > 1 && trimmed[len(trimmed)-1] == '|':
		s.vertical(nil)
		s.drawn(number, trimmed)
		return
	}
	if s.pending != nil {
		if s.cell(text) {
			return
		}
		if strings.Contains(text, "\t") && isHeading(strings.Split(text, "\t")) {
			s.vertical(nil)
			s.separated(number, text, "\t")
			return
		}
		// The value goes on over many lines, as the text of InnoDB does.
		s.other(number, text)
		return
	}
	switch {
	case strings.IndexByte(text, '\t') >= 0:
		s.separated(number, text, "\t")
	case s.form == separated && s.sep == "," && !isMoment(trimmed), mayHead(text) && isHeading(commas(text)):
		s.separated(number, text, ",")
	case trimmed[len(trimmed)-1]-'0' <= 9 && valued.MatchString(trimmed) && !strings.HasPrefix(trimmed, "TS "): // that is a time
		s.spaced(number, trimmed)
	default:
		if s.form == separated && s.sep == "\t" || s.form == spaced {
			s.form = none // what follows is another result, or there is a date in between
			s.columns = nil
		}
		s.other(number, text)
	}
}

func (s *scanner) begin(f form, columns []string) {
	s.form, s.columns = f, columns
	s.results++
}

func (s *scanner) send(number int, cells []string) {
	s.row = Row{Line: number, Result: s.results, Columns: s.columns, Cells: cells}
	s.give(&s.row)
}

// isHeading tells headings from values: names only, half of them well known.
func isHeading(cells []string) bool {
	if slices.ContainsFunc(cells, func(c string) bool { return c == "" || c[0] < '@' }) { // a value, as in nearly every row
		return false
	}
	n := 0
	for _, c := range cells {
		if len(c) < 30 && known[strings.ToLower(c)] {
			n++
		}
	}
	return n > 0 && n*2 >= len(cells) && !slices.ContainsFunc(cells, func(c string) bool { return !heading.MatchString(c) })
}

// mayHead tells most lines from the headings of a CSV before they are cut: all names
// of columns begin with letters.
func mayHead(text string) bool {
	several := false
	for {
		name, rest, more := strings.Cut(text, ",")
		if name = strings.TrimLeft(name, " \f\v\""); name == "" || name[0] < '@' {
			return false
		}
		if !more {
			return several
		}
		several, text = true, rest
	}
}

func small(cells []string) []string {
	list := make([]string, len(cells))
	for i, c := range cells {
		list[i] = strings.ToLower(strings.TrimSpace(c))
	}
	return list
}

// separated is a row of a batch, or of a CSV export.
func (s *scanner) separated(number int, text, sep string) {
	var cells []string
	if sep == "," {
		cells = commas(text)
	} else {
		cells = s.split(text, sep[0])
		for i, c := range cells {
			cells[i] = unescaped(c)
		}
	}
	if isHeading(cells) {
		s.begin(separated, small(cells))
		s.sep = sep
		return
	}
	if s.form != separated || s.sep != sep {
		s.begin(separated, nil)
		s.sep = sep
	}
	s.send(number, cells)
}

// split is strings.Split; what it gave before is gone.
func (s *scanner) split(text string, sep byte) []string {
	s.cells = s.cells[:0]
	for {
		i := strings.IndexByte(text, sep)
		if i < 0 {
			s.cells = append(s.cells, text)
			return s.cells
		}
		s.cells = append(s.cells, text[:i])
		text = text[i+1:]
	}
}

// unescaped undoes what the client does to a value in a batch.
func unescaped(c string) string {
	if strings.IndexByte(c, '\\') < 0 {
		return c
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\0`, "").Replace(c)
}

// commas cuts a line of a CSV; quotes are doubled inside of quotes.
func commas(text string) []string {
	var cells []string
	for {
		quoted, isQuoted := strings.CutPrefix(text, `"`)
		if !isQuoted {
			c, rest, more := strings.Cut(text, ",")
			cells = append(cells, strings.TrimSpace(c))
			if text = rest; !more {
				return cells
			}
			continue
		}
		var b strings.Builder
		for {
			part, rest, closed := strings.Cut(quoted, `"`)
			b.WriteString(part)
			if quoted = rest; !closed || !strings.HasPrefix(rest, `"`) {
				break
			}
			b.WriteByte('"')
			quoted = rest[1:]
		}
		cells = append(cells, b.String())
		_, rest, more := strings.Cut(quoted, ",")
		if text = rest; !more {
			return cells
		}
	}
}

// rule is a line above the heading of a drawn table, below it, or below the rows.
// The one below the rows may be the one above the next heading, or stand before it.
func (s *scanner) rule() {
	if s.form == drawn && s.ruler == 1 && s.columns != nil {
		s.ruler = 2
		return
	}
	s.form, s.ruler, s.columns = drawn, 1, nil
}

// tear puts the lines of a drawn row together whose statement has several:
//
//	| 12 | root | localhost | NULL | Query |    1 | User sleep | SELECT SLEEP(6),
//	 'x' |    0.000 |
func (s *scanner) tear(number int, line string) bool {
	begins, ends := strings.HasPrefix(line, "|"), strings.HasSuffix(line, "|")
	switch {
	case ruler.MatchString(line), isMoment(line): // here at the latest it has ended
		s.torn = ""
		return false
	case s.torn != "" && ends:
		row := s.torn + " " + line
		s.torn = ""
		s.drawn(number, row)
	case s.torn == "" && begins && ends:
		return false
	case s.torn == "" && begins:
		s.torn = line
	}
	return true
}

// inStatement takes a line of a statement that is printed as a cell below others, and
// ends the row where it can be none.
func (s *scanner) inStatement(text, trimmed string) bool {
	switch {
	case s.pending == nil || !slices.Contains(s.pending.Columns, statement) || rowMark.MatchString(trimmed):
		return false
	case isMoment(trimmed), ruler.MatchString(trimmed), strings.Contains(text, "\t") && isHeading(strings.Split(text, "\t")):
		s.vertical(nil)
		return false
	}
	s.cell(text)
	return true
}

// isMoment tells the line of a harness that says when it was, and no statement with a
// date in it.
func isMoment(line string) bool {
	return strings.HasPrefix(line, "TS ") || len(line) < 60 && !strings.ContainsAny(line, "'\"`()=<>,;") && lines.Moment([]byte(line)) != ""
}

func (s *scanner) drawn(number int, text string) {
	cells := s.split(text[1:len(text)-1], '|')
	if n := len(s.columns); n > 0 && len(cells) > n {
		cells[n-1] = strings.Join(cells[n-1:], "|")
		cells = cells[:n]
	}
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	switch {
	case s.form == drawn && s.ruler == 1 && s.columns == nil, isHeading(cells):
		s.begin(drawn, small(cells))
		return
	case s.form != drawn: // the rulers and headings were filtered out
		s.begin(drawn, nil)
	}
	s.send(number, cells)
}

// mark begins a row that is printed one cell below the other.
func (s *scanner) mark(number int, nth string) {
	s.vertical(nil)
	if s.form != vertical || nth == "1" {
		s.begin(vertical, nil)
	}
	s.pending = &Row{Line: number, Result: s.results}
	s.colon = -1
}

// cell takes one cell of such a row: the client puts the colons below each other;
// where the indentation is lost, the well-known names are left.
func (s *scanner) cell(text string) bool {
	m := cell.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	name, at := strings.ToLower(m[2]), len(m[1])+len(m[2])
	if s.colon >= 0 && at != s.colon && !(m[1] == "" && known[name]) || slices.Contains(s.pending.Columns, name) {
		return false
	}
	if s.colon < 0 {
		s.colon = at
	}
	s.pending.Columns = append(s.pending.Columns, name)
	s.pending.Cells = append(s.pending.Cells, m[3])
	return true
}

// vertical ends the row that is pending.
func (s *scanner) vertical(next *Row) {
	if p := s.pending; p != nil && len(p.Columns) > 0 {
		s.columns = p.Columns
		s.send(p.Line, p.Cells)
	}
	s.pending = next
}

// spaced is a row whose tabs have become blanks, and what pt-mysql-summary makes of
// two statuses and pt-mext of many: name, first value, second value, ...
func (s *scanner) spaced(number int, text string) {
	if s.form != spaced {
		s.begin(spaced, nil)
	}
	s.send(number, strings.Fields(text))
}

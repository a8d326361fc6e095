package hoststat

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"noisefloor/ingest/internal/digits"
)

// row records the cells of a row under the heading; a row that does not fit it is
// torn, and none of it is used.
func (s *scanner) row(line []byte, cells []string, device string) {
	if s.head.skip {
		return
	}
	if len(cells) != len(s.head.columns) {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	s.values = s.values[:0]
	for _, cell := range cells {
		v, ok := number(cell)
		if !ok {
			s.problems.Add("torn-line", s.line, line)
			return
		}
		s.values = append(s.values, v)
	}
	s.record(s.rowsOf(device))
}

// record records the values of a row.
func (s *scanner) record(rows *rowsOf) {
	if s.since {
		return
	}
	out := &s.out.Samples
	if out.Len()+len(s.values) > MaxSamples {
		for i, c := range s.head.columns {
			s.put(c, s.deviceAt(rows, i), s.values[i])
		}
		return
	}
	t, metric, value := roomy(out.T, len(s.values)), roomy(out.Metric, len(s.values)), roomy(out.Value, len(s.values))
	for i := range s.head.columns {
		c, v := &s.head.columns[i], s.values[i]
		if (c.metric == "" || !(v >= 0 && v <= mostPercent)) && !s.counts(c, v) {
			continue
		}
		if rows.series[i] < 0 {
			rows.series[i] = s.metric(c.metric, s.deviceAt(rows, i))
		}
		t, metric, value = append(t, s.now), append(metric, rows.series[i]), append(value, v*c.scale)
	}
	out.T, out.Metric, out.Value = t, metric, value
}

// roomy makes room for n more; twice as much if it must, as most rows are yet to come.
func roomy[E any](list []E, n int) []E {
	if cap(list)-len(list) >= n {
		return list
	}
	return slices.Grow(list, max(n, len(list), 1<<12))
}

// deviceAt is what the value of a column is of.
func (s *scanner) deviceAt(rows *rowsOf, column int) string {
	if s.places != nil {
		return s.places[column].of
	}
	return rows.device
}

// rowsOf is what is known of the rows of a device below a heading.
type rowsOf struct {
	device string
	series []int32 // of the columns, by number; below 0: none yet
}

func (s *scanner) rowsOf(device string) *rowsOf {
	rows, known := s.head.rows[device]
	if !known {
		rows = &rowsOf{device, make([]int32, len(s.head.columns))}
		for i := range rows.series {
			rows.series[i] = -1
		}
		if s.head.rows == nil {
			s.head.rows = map[string]*rowsOf{}
		}
		if len(s.head.rows) < mostDevices {
			s.head.rows[device] = rows
		}
	}
	return rows
}

// mostDevices and mostTables bound what is kept to read the next lines faster.
const (
	mostDevices = 1000
	mostTables  = 50
)

// Nearly every line is a row of plain numbers under a heading that has been read.
// Such a row needs neither words nor the questions what else it might be: no heading,
// date or message is a row of as many numbers as the heading has names. Everything
// else is left to those who ask.

// plain takes the values of a text that is as many plain numbers as there are columns.
func (s *scanner) plain(text []byte) bool {
	s.values = s.values[:0]
	for {
		text = text[blanks(text):]
		if len(text) == 0 {
			return len(s.values) > 0 && len(s.values) == len(s.head.columns)
		}
		v, size, _ := digits.Fixed(text, 0)
		if size == 0 {
			v, size = plainNumber(text)
		}
		if size == 0 || size < len(text) && text[size] != ' ' || len(s.values) == len(s.head.columns) {
			return false
		}
		s.values, text = append(s.values, v), text[size:]
	}
}

// blanks counts those that a text begins with.
func blanks(text []byte) (n int) {
	for len(text) >= 8 { // right-aligned numbers: how many no branch could guess
		same := bits.TrailingZeros64(binary.LittleEndian.Uint64(text)^0x2020202020202020) / 8
		if n += same; same < 8 {
			return n
		}
		text = text[8:]
	}
	for len(text) > 0 && text[0] == ' ' {
		n, text = n+1, text[1:]
	}
	return n
}

// named takes the name of the device off a row of a table that has one, and the
// values that follow.
func (s *scanner) named(row []byte) (rows *rowsOf, ok bool) {
	if s.head.skip {
		return nil, false
	}
	if s.head.device == "" {
		if !s.plain(row) {
			return nil, false
		}
		return s.rowsOf(""), true
	}
	n := bytes.IndexByte(row, ' ')
	if n <= 0 || !s.plain(row[n:]) {
		return nil, false
	}
	rows, known := s.head.names[string(row[:n])]
	if !known {
		rows = s.rowsOf(deviceName(s.head.device, string(row[:n])))
		if len(s.head.names) < mostDevices {
			s.head.names[string(row[:n])] = rows
		}
	}
	return rows, true
}

// timed cuts off the time of day that a row of mpstat or sar begins with.
func timed(line []byte) (clock time.Duration, row []byte, ok bool) {
	n := bytes.IndexByte(line, ' ')
	if n <= 0 {
		return 0, nil, false
	}
	row = bytes.TrimLeft(line[n:], " ")
	if len(row) > 2 && row[1] == 'M' && row[2] == ' ' && (row[0] == 'A' || row[0] == 'P') {
		n, row = len(line)-len(row)+2, bytes.TrimLeft(row[2:], " ")
	}
	clock, rest, ok := timeOfDay(string(line[:n]))
	return clock, row, ok && rest == ""
}

// exactDigits a float64 always holds.
const exactDigits = 15

// plainNumber reads digits, a point or comma among them, at the beginning of a text;
// size is 0 if it has none, or more than are exact.
func plainNumber[text string | []byte](t text) (v float64, size int) {
	digits, power := 0, 0 // both sides of the division are exact
	for ; size < len(t); size++ {
		if c := t[size]; c-'0' <= 9 {
			digits, power = 10*digits+int(c-'0'), 10*power
		} else if (c == '.' || c == ',') && power == 0 {
			power = 1
		} else {
			break
		}
	}
	if size > exactDigits || size == 1 && power > 0 {
		return 0, 0
	}
	return float64(digits) / float64(max(power, 1)), size
}

// number reads a cell: with a decimal point or comma; "-", "nan" and nothing are
// no value.
func number(cell string) (float64, bool) {
	if v, size := plainNumber(cell); size > 0 && size == len(cell) {
		return v, true
	}
	switch cell {
	case "", "-", "--", "nan", "-nan", "NaN", "N/A":
		return math.NaN(), true
	}
	if len(cell) > 32 {
		return 0, false
	}
	for i := range len(cell) {
		if c := cell[i]; c-'0' > 9 && strings.IndexByte(".,-+eE", c) < 0 {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64)
	return v, err == nil
}

// words is strings.Fields; what it gave before is gone.
func (s *scanner) words(text string) []string {
	s.cells = s.cells[:0]
	from := -1 // where the word at hand begins
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf: // blanks of other scripts
			return append(s.cells[:0], strings.Fields(text)...)
		case c == ' ' || c-'\t' <= '\r'-'\t':
			if from >= 0 {
				s.cells, from = append(s.cells, text[from:i]), -1
			}
		case from < 0:
			from = i
		}
	}
	if from >= 0 {
		s.cells = append(s.cells, text[from:])
	}
	return s.cells
}

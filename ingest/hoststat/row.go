package hoststat

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
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
	s.record(device)
}

// record records the values of a row.
func (s *scanner) record(device string) {
	series := s.seriesOf(device)
	for i := range s.head.columns {
		c, v := &s.head.columns[i], s.values[i]
		if !s.counts(c, v) {
			continue
		}
		if series[i] < 0 {
			if s.places != nil {
				device = s.places[i].of
			}
			series[i] = s.metric(c.metric, device)
		}
		s.out.Samples.Append(series[i], s.now, v*c.scale)
	}
}

// seriesOf gives the numbers of the series of the columns; below 0 is none yet.
func (s *scanner) seriesOf(device string) []int32 {
	list, known := s.head.series[device]
	if !known {
		list = make([]int32, len(s.head.columns))
		for i := range list {
			list[i] = -1
		}
		if s.head.series == nil {
			s.head.series = map[string][]int32{}
		}
		if len(s.head.series) < mostDevices {
			s.head.series[device] = list
		}
	}
	return list
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
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		v, size := plainNumber(text[i:])
		if i += size; size == 0 || i < len(text) && text[i] != ' ' {
			return false
		}
		s.values = append(s.values, v)
	}
	return len(s.values) > 0 && len(s.values) == len(s.head.columns)
}

// named takes the name of the device off a row of a table that has one, and the
// values that follow.
func (s *scanner) named(row []byte) (device string, ok bool) {
	if s.head.skip {
		return "", false
	}
	if s.head.device == "" {
		return "", s.plain(row)
	}
	n := bytes.IndexByte(row, ' ')
	if n <= 0 || !s.plain(row[n:]) {
		return "", false
	}
	device, known := s.head.names[string(row[:n])]
	if !known {
		device = deviceName(s.head.device, string(row[:n]))
		if len(s.head.names) < mostDevices {
			s.head.names[string(row[:n])] = device
		}
	}
	return device, true
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
	for word := range strings.FieldsSeq(text) {
		s.cells = append(s.cells, word)
	}
	return s.cells
}

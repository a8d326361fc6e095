package sysbench

import (
	"bytes"
	"slices"
)

// Sniff tells from the first bytes of a file (64 KiB are enough, and they may
// start anywhere) whether it looks like output of sysbench: a line among them
// that nothing else prints.
func Sniff(head []byte) bool {
	s := scans.Get().(*scan)
	defer scans.Put(s)
	s.reset(&Scanner{}, bytes.NewReader(head))
	var before []byte // the words of the line before, rows apart: a heading comes again and again
	for !s.strong {
		line, whole, ok := s.rd.Next()
		if !ok {
			break
		}
		if isRow(line) {
			continue
		}
		if words := bytes.TrimLeft(line, " :.,/-0123456789"); len(words) > 0 {
			if bytes.Equal(words, before) {
				continue
			}
			before = append(before[:0], words...)
		}
		s.line(line, whole)
	}
	s.rd.Release()
	return s.strong
}

// isRow tells a row of a table, of vmstat and the like: it ends with five numbers
// between blanks, or with thirty between commas, as no line of sysbench does.
func isRow(line []byte) bool {
	blanks, commas, inside := 0, 0, false
	for _, c := range slices.Backward(line) {
		switch {
		case c-'0' <= 9 || c == '.':
			inside = true
			continue
		case c == ' ' && commas == 0:
			if inside {
				blanks++
			}
		case c == ',' && blanks == 0:
			commas++
		default:
			return false
		}
		if inside = false; blanks == 5 || commas == 30 {
			return true
		}
	}
	return false
}

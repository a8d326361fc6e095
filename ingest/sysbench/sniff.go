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
	for !s.strong {
		line, whole, ok := s.rd.Next()
		if !ok {
			break
		}
		if !isRow(line) {
			s.line(line, whole)
		}
	}
	s.rd.Release()
	return s.strong
}

// isRow tells a row of a table, of vmstat and the like: it ends with five numbers
// between blanks, as no line of sysbench does.
func isRow(line []byte) bool {
	numbers, inside := 0, false
	for _, c := range slices.Backward(line) {
		switch {
		case c-'0' <= 9 || c == '.':
			inside = true
		case c != ' ':
			return false
		case inside:
			if inside, numbers = false, numbers+1; numbers == 5 {
				return true
			}
		}
	}
	return false
}

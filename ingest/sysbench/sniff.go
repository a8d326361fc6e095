package sysbench

import (
	"bytes"

	"noisefloor/ingest/internal/lines"
)

// Sniff tells from the first bytes of a file (64 KiB are enough, and they may
// start anywhere) whether it looks like output of sysbench: a line among them
// that nothing else prints.
func Sniff(head []byte) bool {
	s := scans.Get().(*scan)
	defer scans.Put(s)
	s.reset(&Scanner{}, bytes.NewReader(head))
	s.sniffs = true
	var before []byte // the words of the line before, rows apart: a heading comes again and again
	for !s.strong {
		line, whole, ok := s.rd.Next()
		if !ok {
			break
		}
		if lines.IsRow(line) {
			continue
		}
		if words := lines.Words(line); len(words) > 0 {
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

package sysbench

import "bytes"

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
		s.line(line, whole)
	}
	s.rd.Release()
	return s.strong
}

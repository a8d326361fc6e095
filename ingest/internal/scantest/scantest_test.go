package scantest

import (
	"bufio"
	"io"
	"testing"
)

// lines is the smallest scanner: every line is a record.
func lines(text io.Reader) (found []Record, err error) {
	in := bufio.NewReader(text)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if line != "" {
			found = append(found, Record{n, line})
		}
		if err == io.EOF {
			return found, nil
		}
		if err != nil {
			return found, err
		}
	}
}

func TestCheck(t *testing.T) { Check(t, lines, "", "one", "one\ntwo\r\n\nthree") }

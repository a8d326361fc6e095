package table

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

const (
	maxLine = 1 << 20 // bytes; longer is no row of a table of runs
	// maxOpen is how many lines a quoted cell may run over. Without a limit one
	// quote too many swallows the rest of the file.
	maxOpen = 20
)

var (
	errLong  = errors.New("line of more than 1 MB")
	errQuote = errors.New("a quote is not closed")
)

// reader cuts a text into records. encoding/csv would do but for broken files:
// it gives up, or runs to the end of the file, where we want the line number and
// the next row.
type reader struct {
	in    *bufio.Reader
	sep   byte
	line  int // number of the line read last
	end   int // the last line that is read, 0 if all are
	ahead []string
	cells []string
	text  []byte // of a line longer than the buffer

	endless bool // the line read last is that of the file and has no end
	closed  bool // its last cell has a quote or a bar behind it
}

// unended tells that the last cell may have been longer.
func (r *reader) unended() bool { return r.endless && !r.closed }

func newReader(in io.Reader, sep byte) *reader {
	return &reader{in: buffered(in), sep: sep}
}

// buffered gives a head of a file in memory no more room than it needs.
func buffered(in io.Reader) *bufio.Reader {
	size := 64 << 10
	if head, ok := in.(*bytes.Reader); ok {
		size = min(size, head.Len())
	}
	return bufio.NewReaderSize(in, size)
}

// next gives the cells of the next record and the number of its first line. An
// error other than io.EOF and those of the underlying reader is about this record
// only; go on.
func (r *reader) next() (cells []string, line int, err error) {
	for {
		text, err := r.readLine()
		line = r.line
		if err != nil {
			return nil, line, err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		return r.record(text, line)
	}
}

func (r *reader) record(text string, line int) ([]string, int, error) {
	var more []string
	for {
		cells, open := r.split(text)
		if !open {
			return cells, line, nil
		}
		if len(more) == maxOpen || len(text) > maxLine {
			break
		}
		next, err := r.readLine()
		if err != nil {
			break
		}
		more = append(more, next)
		text += "\n" + next
	}
	// The quote was the mistake: read the lines behind it as rows of their own.
	r.ahead = append(more, r.ahead...)
	r.line -= len(more)
	return nil, line, errQuote
}

func (r *reader) readLine() (string, error) {
	if r.end > 0 && r.line >= r.end {
		return "", io.EOF
	}
	if len(r.ahead) > 0 {
		text := r.ahead[0]
		r.ahead = r.ahead[1:]
		r.line++
		return text, nil
	}
	text, err := r.readBytes()
	return string(text), err
}

// readBytes gives the next line, good until the one behind it.
func (r *reader) readBytes() ([]byte, error) {
	r.text = r.text[:0]
	for {
		text, err := r.in.ReadSlice('\n')
		if err == bufio.ErrBufferFull || len(r.text) > 0 {
			r.text = append(r.text, text...)
			text = r.text
		}
		if err == bufio.ErrBufferFull {
			if len(text) > maxLine {
				r.line++
				return nil, r.skipLine()
			}
			continue
		}
		if err != nil && (err != io.EOF || len(text) == 0) {
			return nil, err
		}
		r.line++
		r.endless = err == io.EOF && text[len(text)-1] != '\r'
		return bytes.TrimRight(text, "\r\n\x00"), nil
	}
}

func (r *reader) skipLine() error {
	for {
		_, err := r.in.ReadSlice('\n')
		switch {
		case err == nil, err == io.EOF:
			return errLong
		case err != bufio.ErrBufferFull:
			return err
		}
	}
}

// split cuts a line into cells; open tells that a quoted cell does not end in it.
// A quote inside a cell that does not begin with one is an ordinary character.
func (r *reader) split(text string) (cells []string, open bool) {
	cells = r.cells[:0]
	r.closed = false
	for {
		if strings.HasPrefix(text, `"`) {
			cell, rest, closed := quoted(text[1:])
			if !closed {
				return nil, true
			}
			i := strings.IndexByte(rest, r.sep)
			if i < 0 {
				cells = append(cells, cell+rest)
				r.closed = rest == ""
				break
			}
			cells = append(cells, cell+rest[:i])
			text = rest[i+1:]
			continue
		}
		i := strings.IndexByte(text, r.sep)
		if i < 0 {
			cells = append(cells, text)
			break
		}
		cells = append(cells, text[:i])
		text = text[i+1:]
	}
	r.cells = cells
	return cells, false
}

// quoted reads up to the closing quote; two quotes are one.
func quoted(text string) (cell, rest string, closed bool) {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '"')
		if i < 0 {
			return "", "", false
		}
		b.WriteString(text[:i])
		text = text[i+1:]
		if !strings.HasPrefix(text, `"`) {
			return b.String(), text, true
		}
		b.WriteByte('"')
		text = text[1:]
	}
}

package lines

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}

// Each calls use for every line of a text without its LF or CR LF and without a
// byte order mark, number from 1. Only the first longest bytes of a line are given;
// the bytes are good until use returns. whole is false for a last line without an
// end: a number there may have lost its last digits. The error is that of the reader.
func Each(text io.Reader, longest int, use func(number int, line []byte, whole bool)) error {
	in := buffers.Get().(*bufio.Reader)
	in.Reset(text)
	defer func() {
		in.Reset(nil)
		buffers.Put(in)
	}()
	var kept []byte // of a line that is longer than the buffer
	for number := 1; ; {
		piece, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull || len(kept) > 0 {
			kept = append(kept, piece[:min(len(piece), longest+1-len(kept))]...) // one more: the LF
			if err == bufio.ErrBufferFull {
				continue
			}
			piece = kept
		}
		if len(piece) > 0 {
			line, whole := bytes.CutSuffix(piece, []byte("\n"))
			if whole {
				line = bytes.TrimSuffix(line, []byte("\r"))
			}
			if number == 1 {
				line = bytes.TrimPrefix(line, BOM)
			}
			use(number, line[:min(len(line), longest)], whole)
			number++
		}
		kept = kept[:0]
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// TrimEnd takes blanks, a CR and what a crash leaves off the end of a line.
func TrimEnd(line []byte) []byte {
	n := len(line)
	for n > 0 && (line[n-1] == ' ' || line[n-1] == '\r' || line[n-1] == 0) {
		n--
	}
	return line[:n]
}

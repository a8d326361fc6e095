package perfscript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/stacks"
)

const (
	// pieceSize is how much text a worker takes at a time: large beside a stack,
	// small beside a cache of the processor's last level.
	pieceSize = 1 << 20
	// maxPiece is how far a piece grows while no end of a sample is found in it.
	maxPiece = 16 << 20
	// maxWorkers is where reading the text becomes slower than counting it.
	maxWorkers = 8
)

// piece is a part of a text that begins with a sample.
type piece struct {
	text []byte
	line int // number of its first line
	last bool
}

// Scan reads a text to its end. The error is that of the reader; what is wrong with
// the text goes to problem, once per kind, in the order of lines.
func Scan(text io.Reader, problem func(datasets.Problem)) (*stacks.Profile, error) {
	in := splitter{in: text, line: 1}
	first, err := in.next()
	first.text = bytes.TrimPrefix(first.text, []byte("\ufeff"))
	workers := []*worker{{}}
	if first.last || err != nil {
		workers[0].read(first)
	} else {
		workers, err = share(&in, first)
	}
	p := &stacks.Profile{}
	merge(p, workers, problem)
	return p, err
}

// share reads a long text with several workers.
func share(in *splitter, first piece) ([]*worker, error) {
	n := min(runtime.GOMAXPROCS(0), maxWorkers)
	workers := make([]*worker, n)
	todo, free := make(chan piece, n), make(chan []byte, 2*n+1)
	var wait sync.WaitGroup
	for i := range workers {
		w := &worker{}
		workers[i] = w
		wait.Go(func() {
			for p := range todo {
				w.read(p)
				free <- p.text[:0]
			}
		})
	}
	var err error
	for p := first; ; {
		todo <- p
		if p.last || err != nil {
			break
		}
		select {
		case in.spare = <-free:
		default:
		}
		p, err = in.next()
	}
	close(todo)
	wait.Wait()
	return workers, err
}

// merge puts together what the workers have found.
func merge(p *stacks.Profile, workers []*worker, problem func(datasets.Problem)) {
	byKind := map[string]oddity{}
	firstLine := 0
	for i, w := range workers {
		if i == 0 {
			p.Set = w.set
		} else {
			p.Set.Merge(&w.set)
		}
		p.Lost += w.lost
		if w.meta != nil {
			p.Meta = w.meta
		}
		if w.first > 0 && (firstLine == 0 || w.first < firstLine) {
			firstLine, p.First = w.first, w.firstName
		}
		for _, q := range w.problems {
			was, known := byKind[q.kind]
			if known && was.line < q.line {
				q.line, q.text = was.line, was.text
			}
			q.count += was.count
			byKind[q.kind] = q
		}
	}
	if p.Lost > 0 {
		byKind["lost-samples"] = oddity{kind: "lost-samples", text: fmt.Sprintf("perf lost %.0f samples while recording", p.Lost), count: 1}
	}
	if problem == nil {
		return
	}
	list := slices.Collect(maps.Values(byKind))
	slices.SortFunc(list, func(a, b oddity) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return strings.Compare(a.kind, b.kind)
	})
	for _, q := range list {
		problem(datasets.Problem{Line: q.line, Kind: q.kind, Text: q.text, Count: q.count})
	}
}

// splitter cuts a text between samples.
type splitter struct {
	in    io.Reader
	rest  []byte // read but not handed out
	spare []byte // memory to use
	line  int
	err   error
}

// next gives the next piece. The error is that of the reader, which comes with the
// last piece.
func (s *splitter) next() (piece, error) {
	buf := s.spare
	s.spare = nil
	if cap(buf) < pieceSize {
		buf = make([]byte, 0, pieceSize)
	}
	buf = append(buf[:0], s.rest...)
	for want := pieceSize; ; want *= 2 {
		buf = slices.Grow(buf, max(0, want-len(buf)))
		for len(buf) < want && s.err == nil {
			n, err := s.in.Read(buf[len(buf):want])
			buf, s.err = buf[:len(buf)+n], err
		}
		end := len(buf)
		if s.err == nil {
			if end = cutAt(buf); end == 0 && want < maxPiece {
				continue
			} else if end == 0 {
				end = len(buf)
			}
		}
		s.rest = append(s.rest[:0], buf[end:]...)
		p := piece{text: buf[:end], line: s.line, last: s.err != nil}
		s.line += bytes.Count(p.text, newline)
		if s.err != nil && !errors.Is(s.err, io.EOF) {
			return p, s.err
		}
		return p, nil
	}
}

var newline = []byte("\n")

// cutAt finds the last place in a piece where a sample ends: behind a blank line,
// or before a header, or 0.
func cutAt(buf []byte) int {
	end := len(buf)
	for _, blank := range []string{"\n\n", "\n\r\n"} {
		if i := bytes.LastIndex(buf, []byte(blank)); i >= 0 {
			return i + len(blank)
		}
	}
	for tries := 0; tries < 1000; tries++ {
		at := bytes.LastIndexByte(buf[:end], '\n') + 1
		if at == 0 {
			return 0
		}
		line := bytes.Trim(buf[at:end], space)
		if end < len(buf) && len(line) > 0 { // not the line that the piece cuts off
			if _, ok := parseFrame(line); !ok {
				if _, ok := parseHeader(line); ok {
					return at
				}
			}
		}
		end = at - 1
	}
	return 0
}

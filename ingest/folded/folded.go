// Package folded reads stacks as flame graph tools write them, one distinct stack a
// line: its frames with semicolons between them, the root first, and its weight.
//
//	mariadbd;start_thread;do_command;row_search_mvcc 42
//	mariadbd;start_thread;do_command;row_search_mvcc_[k] 42.5
//	cksum;_start;__libc_start_main;main;cksum 31 56
//
// Two weights are the two sides of a difference (difffolded.pl,
// inferno-diff-folded): they become the events "before" and "after". The first frame
// is taken for the command, because the tools that fold what perf and bpftrace
// record put it there.
package folded

import (
	"bytes"
	"io"
	"math"
	"strconv"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/stacks"
)

// longest is where a line is cut off: Java stacks of a thousand frames have 100 kB.
const longest = 4 << 20

// sampled lines decide whether the file is a difference: a command may end in a
// number too ("my thread 1;f 3"), but not in all of them.
const sampled = 100

// Events of the two sides of a difference.
const (
	Before = "before"
	After  = "after"
)

// Scan reads a text to its end and gives its stacks without a RunID, ordered by
// command and frames. The error is that of the reader; lines that are no stacks go
// to problem.
func Scan(text io.Reader, problem func(datasets.Problem)) ([]datasets.Stack, error) {
	s := scanner{}
	var head [][]byte
	var numbers []int
	err := lines.Each(text, longest, func(number int, line []byte, whole bool) {
		line = bytes.TrimRight(line, " \t\r\x00")
		if len(line) == 0 || line[0] == '#' {
			return
		}
		if !whole { // 12 may have been 1250
			s.problems.Add("cut-line", number, line)
			return
		}
		if head != nil || !s.decided {
			head, numbers = append(head, bytes.Clone(line)), append(numbers, number)
			if len(head) == sampled {
				s.take(head, numbers)
				head = nil
			}
			return
		}
		s.line(number, line)
	})
	s.take(head, numbers)
	if problem != nil {
		s.problems.Each(problem)
	}
	return s.set.Rows(), err
}

type scanner struct {
	set      stacks.Set
	problems lines.Problems
	decided  bool
	two      bool // weights a line
	frames   []stacks.Name
}

// take decides what the file is by its first lines, and reads them.
func (s *scanner) take(head [][]byte, numbers []int) {
	if !s.decided {
		stacks, two := 0, 0
		for _, line := range head {
			if rest, _, ok := cutWeight(line); ok {
				stacks++
				if rest, _, ok := cutWeight(rest); ok && len(rest) > 0 {
					two++
				}
			}
		}
		s.decided, s.two = true, two > 0 && two == stacks
	}
	for i, line := range head {
		s.line(numbers[i], line)
	}
}

func (s *scanner) line(number int, line []byte) {
	stack, after, ok := cutWeight(line)
	before := math.NaN()
	if ok && s.two {
		stack, before, ok = cutWeight(stack)
	}
	if !ok || len(stack) == 0 {
		s.problems.Add("bad-line", number, line)
		return
	}
	comm, rest, deeper := bytes.Cut(bytes.ToValidUTF8(stack, []byte("\ufffd")), []byte(";"))
	s.frames = s.frames[:0]
	for deeper {
		var frame []byte
		frame, rest, deeper = bytes.Cut(rest, []byte(";"))
		s.frames = append(s.frames, s.set.Name(frame))
	}
	name := s.set.Name(comm)
	if !s.two {
		s.set.Add(s.set.NameOf(""), name, s.frames, after, math.NaN())
		return
	}
	for _, side := range []struct {
		event  string
		weight float64
	}{{Before, before}, {After, after}} {
		if side.weight > 0 {
			s.set.Add(s.set.NameOf(side.event), name, s.frames, side.weight, math.NaN())
		}
	}
}

// cutWeight cuts the number behind the last blank off.
func cutWeight(line []byte) (stack []byte, weight float64, ok bool) {
	i := bytes.LastIndexAny(line, " \t")
	if i < 0 {
		return nil, 0, false
	}
	digits := line[i+1:]
	if len(bytes.Trim(digits, "0123456789.")) > 0 || len(digits) > 30 {
		return nil, 0, false
	}
	weight, err := strconv.ParseFloat(string(digits), 64)
	return bytes.TrimRight(line[:i], " \t"), weight, err == nil
}

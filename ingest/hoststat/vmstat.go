package hoststat

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// What vmstat prints: two lines of heading, again after each screenful, then a
// line for each report, with -t its time at the end. gu is new in procps 4, -a has
// inact and active instead of buff and cache, -w only makes the columns wider:
//
//	procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----
//	 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC
//	29  0      0 18864256 114132 5052988    0    0  2650  7081 1279 2328 54 14 32  1  0 2026-11-30 17:00:37
//
// The zone of the heading is UTC or the host's own, by its short name.
func (s *scanner) vmstat(line []byte) {
	if s.booted && s.plain(line) {
		s.next()
		s.record(s.rowsOf(""))
		return
	}
	text := strings.TrimSpace(string(line))
	switch {
	case text == "":
		return
	case text[0]-'0' > 9 && vmstatTop.Match(line):
		if !s.stamp.IsZero() && s.after == 0 { // called again, behind a line with the time
			s.booted = false
		}
		return
	case strings.HasPrefix(text, "r ") || strings.HasPrefix(text, "r\t"):
		s.head = heading{text: text}
		for _, name := range strings.Fields(text) {
			c, known := vmstatColumns[name]
			if !known && strings.ToUpper(name) == name { // the zone
				s.utc = name == "UTC"
				continue
			}
			if !known {
				c = meaning{spelled(name), 1}
			}
			s.head.columns = append(s.head.columns, c)
		}
		if s.mega {
			s.megabytes()
		}
		return
	case s.head.columns == nil:
		s.problems.Add("unknown-line", s.line, line)
		return
	}
	var t time.Time
	cells := s.words(text)
	if n := len(cells) - 2; n > 0 && len(cells[n]) == len(time.DateOnly) && strings.Count(cells[n], "-") == 2 {
		zone := s.opt.TZ
		if s.utc {
			zone = time.UTC
		}
		var err error
		if t, err = time.ParseInLocation(time.DateTime, cells[n]+" "+cells[n+1], zone); err != nil {
			s.problems.Add("torn-line", s.line, line)
			return
		}
		cells = cells[:n]
	}
	if len(cells) != len(s.head.columns) || bytes.ContainsFunc(line, isLetter) {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	if !s.booted {
		s.vmstatUnit(cells)
	}
	if t.IsZero() {
		s.next()
	} else {
		s.moment("", t)
	}
	s.row(line, cells, "")
}

// leastMemory in kB: no machine that serves a database has less. With -S M the
// columns of memory hold MiB, which the file does not say.
const leastMemory = 200_000

// vmstatUnit looks at the first report whether memory can be in kB.
func (s *scanner) vmstatUnit(cells []string) {
	sum := 0.0
	for i, c := range s.head.columns {
		if strings.HasPrefix(c.metric, "memory_") {
			v, _ := number(cells[i])
			sum += v
		}
	}
	if sum > 0 && sum < leastMemory {
		s.mega = true
		s.megabytes()
		s.tell("unit-guessed", "memory is taken to be in MiB, as vmstat -S M writes it: in kB it would be "+strconv.Itoa(int(sum/1024))+" MB in all")
	}
}

// megabytes gives the columns that -S changes another scale.
func (s *scanner) megabytes() {
	for i, c := range s.head.columns {
		if c.scale == kB && !strings.HasPrefix(c.metric, "io_") {
			s.head.columns[i].scale = mB
		}
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

package hoststat

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// What iostat, mpstat and sar print. A banner, then tables; above each the names
// of its columns. mpstat and sar have the time in the first column, iostat -t on
// a line before its tables:
//
//	Linux 6.8.0-60-generic (db7) 	05/15/2026 	_x86_64_	(80 CPU)
//
//	avg-cpu:  %user   %nice %system %iowait  %steal   %idle
//	           3.13    0.00    1.27    2.66    0.00   92.94
//
//	Device            r/s     rMB/s   rrqm/s  %rrqm r_await rareq-sz     w/s ...
//	nvme0n1          0.00      0.00     0.00   0.00    0.00     0.00    0.00 ...
//
//	Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s avgrq-sz avgqu-sz ...      before 11.7
//	05/15/26 17:00:37                                            iostat -t
//	2026-05-15T17:00:37+0000                                     iostat -t with S_TIME_FORMAT=ISO
//
//	05:00:37 PM     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
//	05:00:38 PM     all   66,17   19,90   13,43    0,00    0,00    0,50    0,00    0,00    0,00    0,00
//	Average:     all   68.50   18.17   13.00    0.00    0.00    0.33    0.00    0.00    0.00    0.00
//
//	17:05:01     LINUX RESTART	(2 CPU)                          sar, of a file of several days
//
// sadf -d has one row for each device and time:
//
//	# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util
//	db7;1;2026-11-30 17:00:39 UTC;vda;596.08;458.82;2611.76;1058.82;6.93;0.05;0.08;2.75
func (s *scanner) sysstat(line []byte) {
	switch {
	case len(line) == 0:
		return
	case bytes.HasPrefix(line, []byte("Linux ")) && banner.MatchString(string(line)):
		s.booted = false // another call of the tool was written into the same file
		s.head = heading{}
		return
	case bytes.HasPrefix(line, []byte("# hostname;")) || s.head.device == sadfTable:
		s.sadf(line)
		return
	}
	if s.kind == Iostat {
		if rows, ok := s.named(line); ok {
			s.record(rows)
			return
		}
		if head, known := s.tables[string(line)]; known {
			s.report(head)
			return
		}
		s.iostat(line, string(line))
		return
	}
	if clock, row, ok := timed(line); ok {
		if rows, ok := s.named(row); ok {
			s.within(clock)
			if rows.device != "" || s.head.device != "node" {
				s.record(rows)
			}
			return
		}
		if head, known := s.tables[string(row)]; known {
			s.head, s.began = head, clock
			return
		}
	}
	text := string(line)
	clock, rest, ok := timeOfDay(text)
	if !ok {
		if first, _, _ := strings.Cut(text, " "); !strings.HasSuffix(first, ":") { // Average: in any language
			s.problems.Add("unknown-line", s.line, line)
		}
		return
	}
	if strings.Contains(rest, "LINUX RESTART") || strings.Contains(rest, "LINUX-RESTART") {
		s.tell("restart", "the machine was started again")
		return
	}
	cells := s.words(rest)
	if s.isHeading(rest, cells) {
		s.head, s.began = s.table(rest, cells), clock
		return
	}
	if s.head.columns == nil && !s.head.skip {
		s.problems.Add("unknown-line", s.line, line)
		return
	}
	s.within(clock)
	s.device(line, cells)
}

// within goes to the report at a time of day of the table at hand, and begins it
// unless another row has.
func (s *scanner) within(clock time.Duration) {
	if c := s.courses[s.head.text]; c != nil && s.clock(c) == clock {
		s.now = c.last
		return
	}
	s.ofDay(s.head.text, clock)
	s.since = s.kind == Mpstat && clock == s.began // mpstat without an interval
}

// clock is the time of day of the last report of a course.
func (s *scanner) clock(c *course) time.Duration {
	t := c.last - c.days
	if !s.opt.Day.IsZero() {
		t -= float64(s.opt.Day.Unix())
	}
	return time.Duration(t * float64(time.Second))
}

// iostat reads its line; a report begins with the time, or else with the first
// table that it has.
func (s *scanner) iostat(line []byte, text string) {
	if t, ok := isoTime(text); ok {
		s.moment("", t)
		s.timed = true
		return
	}
	if date, rest, ok := strings.Cut(text, " "); ok && date != "" && (dated(date) || strings.HasPrefix(text, "Time: ")) {
		if clock, _, ok := timeOfDay(strings.TrimSpace(rest)); ok {
			s.ofDay("", clock)
			s.timed = true
			return
		}
	}
	cells := s.words(text)
	if len(cells) == 0 {
		return
	}
	if s.isHeading(text, cells) {
		if cells[0] != cpuTable {
			cells[0] = "DEV" // Device:, Disque, Gerät
		}
		s.report(s.table(text, cells))
		return
	}
	if s.head.columns == nil {
		s.problems.Add("unknown-line", s.line, line)
		return
	}
	s.device(line, cells)
}

// cpuTable begins the heading of the CPUs.
const cpuTable = "avg-cpu:"

// report goes to a table of iostat, the first of a report or another of it.
func (s *scanner) report(head heading) {
	isCPU := strings.HasPrefix(head.text, cpuTable)
	if !s.timed && (isCPU || !s.cpuOnly) {
		s.next()
	}
	s.cpuOnly, s.head = isCPU, head
}

// table takes the names of the columns that follow, which stand in a line.
func (s *scanner) table(line string, cells []string) heading {
	if head, known := s.tables[line]; known {
		return head
	}
	head := heading{text: strings.Join(cells, " "), device: deviceColumns[cells[0]]}
	names := cells
	if head.device != "" || cells[0] == cpuTable {
		names = cells[1:]
	}
	// Tables of many numbers of little use: interrupts by their numbers.
	if head.device == "" && cells[0] != cpuTable && !isColumn(cells[0]) || head.device == "cpu" && len(names) > 1 && !strings.HasPrefix(names[0], "%") {
		head.skip = true
		s.problems.Add("table-not-read", s.line, []byte(head.text))
		return head
	}
	for _, name := range names {
		head.columns = append(head.columns, sysstatColumn(name, head.device))
	}
	head.rows, head.names = map[string]*rowsOf{}, map[string]*rowsOf{}
	if len(s.tables) < mostTables {
		s.tables[line] = head
	}
	return head
}

// device reads a row, whose first cell may say what it is of.
func (s *scanner) device(line []byte, cells []string) {
	of := ""
	if len(cells) == 0 {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	if s.head.device != "" {
		of, cells = deviceName(s.head.device, cells[0]), cells[1:]
		if of == "" && s.head.device == "node" { // all nodes are all CPUs, which stand above
			return
		}
	}
	s.row(line, cells, of)
}

// deviceName spells what a row is of: "" is all CPUs.
func deviceName(device, name string) string {
	switch {
	case device != "cpu" && device != "node":
		return name
	case name == "all" || name == "-1":
		return ""
	}
	return device + name
}

// isHeading tells the names of columns from a row: no name is a number, and one
// at least is known to be a name. sar has tables with none of these.
func (s *scanner) isHeading(line string, cells []string) bool {
	if _, known := s.tables[line]; known {
		return true
	}
	numbers := slices.ContainsFunc(cells, func(cell string) bool { _, ok := number(cell); return ok })
	return !numbers && (slices.ContainsFunc(cells, isColumn) || s.kind == Sar && len(cells) > 1)
}

// isColumn tells a name that only a column has.
func isColumn(name string) bool {
	_, known := sysstatColumns[name]
	return known || name == "tps" || len(name) > 2 && (strings.HasSuffix(name, "/s") || name[0] == '%')
}

// sadfTable is the device of a heading of sadf -d, whose rows name no device in
// their first column but the host.
const sadfTable = "sadf"

func (s *scanner) sadf(line []byte) {
	cells := strings.Split(string(line), ";")
	if cells[0] == "# hostname" {
		names := cells[min(len(cells), 3):]
		s.head = heading{text: string(line), device: sadfTable, skip: len(names) == 0}
		of := ""
		if len(names) > 0 {
			of = deviceColumns[names[0]]
		}
		s.sadfOf = of
		if of != "" {
			names = names[1:]
		}
		for _, name := range names {
			s.head.columns = append(s.head.columns, sysstatColumn(strings.TrimSuffix(name, "[...]"), of))
		}
		return
	}
	if len(cells) < 4 || s.head.skip {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	t, ok := sadfTime(cells[2], s.opt.TZ)
	if !ok {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	if strings.HasPrefix(cells[3], "LINUX-RESTART") {
		s.tell("restart", "the machine was started again")
		return
	}
	if c := s.course(s.head.text); c.last != float64(t.Unix()) {
		s.moment(s.head.text, t)
	} else {
		s.now = c.last
	}
	cells, of := cells[3:], ""
	if s.sadfOf != "" && len(cells) > 0 {
		of, cells = deviceName(s.sadfOf, cells[0]), cells[1:]
		if of == "" && s.sadfOf == "node" {
			return
		}
	}
	s.row(line, cells, of)
}

// sadfTime reads 2026-11-30 17:00:39 UTC, or without the zone the time of the host.
func sadfTime(text string, zone *time.Location) (time.Time, bool) {
	if utc, ok := strings.CutSuffix(text, " UTC"); ok {
		text, zone = utc, time.UTC
	}
	t, err := time.ParseInLocation(time.DateTime, text, zone)
	return t, err == nil
}

// isoTime reads a line of iostat -t: 2026-05-15T17:00:37+0000.
func isoTime(text string) (time.Time, bool) {
	if !strings.Contains(text, "T") {
		return time.Time{}, false
	}
	for _, form := range []string{"2006-01-02T15:04:05-0700", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07:00"} {
		if t, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func dated(text string) bool {
	d := date(text)
	return d.Known() || d.Doubtful()
}

// timeOfDay reads the time that a line begins with, of 12 or 24 hours.
func timeOfDay(text string) (t time.Duration, rest string, ok bool) {
	text = strings.TrimLeft(text, " ")
	hours := 2 // digits
	if len(text) > 1 && text[1]-'0' > 9 {
		hours = 1
	}
	end := hours + len(":00:00")
	if len(text) < end {
		return 0, "", false
	}
	for i := range end {
		mark := i == hours || i == hours+3
		if mark && strings.IndexByte(":.,", text[i]) < 0 || !mark && text[i]-'0' > 9 { // 21,06,15 in some locales
			return 0, "", false
		}
	}
	two := func(i int) int { return int(10*(text[i]-'0') + text[i+1] - '0') }
	hour, minute, second := int(text[0]-'0'), two(hours+1), two(hours+4)
	if hours == 2 {
		hour = two(0)
	}
	rest = text[end:]
	for _, half := range []string{" AM", " PM", "AM", "PM"} {
		after, has := strings.CutPrefix(rest, half)
		if !has || !endsWord(after) {
			continue
		}
		rest = after
		switch afternoon := half[len(half)-2] == 'P'; {
		case afternoon && hour < 12:
			hour += 12
		case !afternoon && hour == 12:
			hour = 0
		}
		break
	}
	if !endsWord(rest) {
		return 0, "", false
	}
	t = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	return t, strings.TrimSpace(rest), hour <= 23 && minute <= 59 && second <= 60
}

// endsWord tells whether a text begins behind a word.
func endsWord(text string) bool { return text == "" || strings.IndexByte(" \t\r\n\f", text[0]) >= 0 }

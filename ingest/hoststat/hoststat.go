// Package hoststat reads what vmstat, iostat, mpstat, sar, dstat (dool), pidstat, top,
// free, /proc/diskstats and Prometheus said while a run went on: which host, which kernel, how many CPUs, when
// it began, and how busy CPUs, devices, memory and the server's process were over
// time. sysbench writes none of this into its logs. Of InnoDB metric dumps it reads
// the head alone.
package hoststat

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"time"

	"noisefloor/ingest/internal/column"
)

// Kind is the tool that wrote a file.
type Kind string

const (
	Iostat  Kind = "iostat"
	Mpstat  Kind = "mpstat"
	Pidstat Kind = "pidstat"
	Sar     Kind = "sar"
	Vmstat  Kind = "vmstat"
	Dstat   Kind = "dstat"
	Top     Kind = "top"
	Free    Kind = "free"
	Meminfo Kind = "meminfo"
	Df      Kind = "df"
	Disks   Kind = "diskstats"
	InnoDB  Kind = "innodb metrics"
)

// Head is what the first lines of a file say. Unknown text is "", an unknown
// number 0.
type Head struct {
	Kind   Kind
	Host   string
	Kernel string
	Arch   string
	CPUs   int
	Date   Date
	// Clock is the time of day of the first row since midnight, -1 if unknown.
	Clock time.Duration
	// Zone is "UTC" where the file says so, else "" (the local time of the host).
	Zone string
	// Epoch is the first row's time where the file counts seconds since 1970.
	Epoch time.Time
}

// Date is a calendar date, perhaps without a year, perhaps with day and month in
// doubt: then First and Second are what was written, in that order.
type Date struct {
	Year, Month, Day int
	First, Second    int
}

// Known tells whether day and month are known.
func (d Date) Known() bool { return d.Month > 0 }

// Doubtful tells whether day and month were written but cannot be told apart.
func (d Date) Doubtful() bool { return d.Month == 0 && d.First > 0 }

// Resolve settles a doubtful date by the order that the host writes dates in.
func (d Date) Resolve(monthFirst bool) Date {
	switch {
	case !d.Doubtful():
	case monthFirst:
		d.Month, d.Day = d.First, d.Second
	default:
		d.Month, d.Day = d.Second, d.First
	}
	return d
}

// Order tells how day and month were written where one of the two is above 12:
// 1 month first, -1 day first, 0 unknown.
func (d Date) Order() int {
	switch {
	case d.First > 12:
		return -1
	case d.Second > 12:
		return 1
	}
	return 0
}

// banner is the first line of every sysstat tool:
//
//	Linux 6.8.0-60-generic (db7.example.org) 	05/15/2026 	_x86_64_	(80 CPU)
//	Linux 6.8.0-60-generic (db7) 	2026-05-15 	_x86_64_	(80 CPU)
//	Linux 3.10.0-1062.1.2.el7.x86_64 (localhost.localdomain) 	30.11.2021 	_x86_64_	(1 CPU)
//	Linux 6.8.0 (db7) 	2026年05月15日 	_x86_64_	(80 CPU)
var (
	banner = regexp.MustCompile(`^(Linux|FreeBSD|Darwin|SunOS) (\S+) \(([^)]*)\)\s+(\S+)(?:\s+_?([\w-]+?)_?\s+\((\d+) CPU\))?\s*$`)
	cjk    = regexp.MustCompile(`^(\d{4})年(\d{1,2})月(\d{1,2})日$`)
	slash  = regexp.MustCompile(`^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$`)
	iso    = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)

	// dstat: 15-05 15:38:05| 99   1 ...
	dstatRow = regexp.MustCompile(`^(\d{1,2})-(\d{1,2}) (\d{2}):(\d{2}):(\d{2})\s*\|`)
	doolRow  = regexp.MustCompile(`(?:^|[|│])(?:\x1b\[[\d;]*m)*([A-Z][a-z]{2}-\d{1,2}) (\d{2}:\d{2}:\d{2})\s*(?:$|[|│,])`)
	perIRQ   = regexp.MustCompile(`%iowait\s+%irq`)
	sarAll   = regexp.MustCompile(`%iowait\s+%steal`)
	csvDate  = regexp.MustCompile(`"Date:","(\d{2} [A-Z][a-z]{2} \d{4}) (\d{2}:\d{2}:\d{2})`)
	// vmstat -t: ... 97  0  0 2021-09-16 20:33:13, under a heading that ends in the zone
	vmstatRow = regexp.MustCompile(`^[\s\d]+\s(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})\s*$`)
	vmstatTop = regexp.MustCompile(`^[\s-]*procs[\s-]+-+(memory|swap)`)
	dstatTop  = regexp.MustCompile(`^(?:\x1b\[[\d;?]*[a-z])*-+[a-z0-9/-]+-+(?:\x1b\[[\d;]*m)?[ |]-+[a-z0-9/]`)
	doolTop   = regexp.MustCompile(`^(?:\x1b\[[\d;?]*[a-z])*[─┄]+[a-z0-9/─┄]+[─┄](?:\x1b\[[\d;]*m)?┬`)
	dstatCSV  = regexp.MustCompile(`^"(?:Dstat |[Dd]ool |pcp-dstat)`)
	jsonTop   = regexp.MustCompile(`^\s*\{\s*(?:"sysstat"|$)`)
	epochCell = regexp.MustCompile(`^\s*(\d{10}(?:\.\d+)?)\s*$`)
)

// Sniff tells which tool wrote a file, "" if none of these. The head should hold
// the first 4 KB; a long first line (InnoDB's 300 columns) may be cut.
func Sniff(head []byte) Kind {
	lines := first(head, 12)
	if len(lines) > 0 {
		if k := repeats(head, lines); k != "" {
			return k
		}
	}
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "top - ") && topFirst.MatchString(strings.TrimSpace(line)):
			return Top
		case banner.MatchString(line):
			return sysstat(lines[i+1:])
		case i == 0 && strings.HasPrefix(line, "# hostname;interval;timestamp;"):
			return Sar
		case i == 0 && matrix.Match(head):
			return Prometheus
		case i == 0 && jsonTop.MatchString(line):
			return sysstatJSON(head)
		case vmstatTop.MatchString(line):
			return Vmstat
		case strings.HasPrefix(line, "You did not select any stats, using -cdngy"), dstatTop.MatchString(line),
			strings.HasPrefix(line, "Using default plugins: "), dstatCSV.MatchString(line), doolTop.MatchString(line):
			return Dstat
		case i == 0 && isInnoDB(line):
			return InnoDB
		}
	}
	return ""
}

// sysstat tells the tools with one banner apart by their headings.
func sysstat(lines []string) Kind {
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "Device"), strings.HasPrefix(line, "avg-cpu:"), strings.HasPrefix(line, "Disque"), strings.HasPrefix(line, "Gerät"):
			return Iostat
		case strings.Contains(line, " UID ") || strings.Contains(line, " PID "):
			return Pidstat
		case strings.Contains(line, "CPU ") && (perIRQ.MatchString(line) || strings.Contains(line, "%usr") && !sarAll.MatchString(line)):
			return Mpstat
		case strings.Contains(line, "CPU ") && strings.Contains(line, "%us"), strings.Contains(line, "runq-sz"), strings.Contains(line, "kbmemfree"), strings.Contains(line, "rxpck/s"):
			return Sar
		case strings.Contains(line, "/s"):
			if _, _, ok := timeOfDay(line); ok {
				return Sar
			}
		}
	}
	return Iostat // cut behind the banner: the commonest
}

// sysstatJSON tells the tools that write JSON apart.
func sysstatJSON(head []byte) Kind {
	switch has := func(key string) bool { return bytes.Contains(head, []byte(`"`+key+`"`)) }; {
	case !has("sysstat") || !has("hosts"):
		return ""
	case has("file-date"):
		return Sar
	case has("cpu-load") || has("sum-interrupts"):
		return Mpstat
	}
	return Iostat
}

func isInnoDB(line string) bool {
	return strings.HasPrefix(line, "timestamp,") && (strings.Contains(line, "buffer_pool") || strings.Contains(line, "buffer_flush") || strings.Contains(line, "adaptive_hash") || strings.Contains(line, "history_list_length"))
}

// first gives up to n lines that are not blank, without their line ends.
func first(head []byte, n int) []string {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	var lines []string
	for line := range bytes.Lines(head) {
		if text := strings.TrimRight(string(line), "\r\n\x00"); strings.TrimSpace(text) != "" {
			if lines = append(lines, text); len(lines) == n {
				break
			}
		}
	}
	return lines
}

// ReadHead reads the head of a file of the given kind.
func ReadHead(kind Kind, head []byte) Head {
	h := Head{Kind: kind, Clock: -1}
	switch kind {
	case Vmstat:
		h.vmstat(first(head, 12))
	case Dstat:
		h.dstat(first(head, 12))
	case InnoDB:
		h.innodb(head)
	case Prometheus: // an answer may begin long before the run
	case Top:
		for _, line := range first(head, 12) {
			if m := topFirst.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				h.clock(m[1])
				break
			}
		}
	case Free, Meminfo, Df, Disks:
		if stamps := Stamps(head); len(stamps) > 0 {
			h.Epoch = stamps[0]
		}
	default:
		switch {
		case isJSON(head):
			h.json(head)
		case bytes.HasPrefix(head, []byte("# hostname;")):
			h.sadf(first(head, 12))
		default:
			h.sysstat(first(head, 12))
		}
	}
	return h
}

// json takes what the first kilobytes say; the file may be large.
func (h *Head) json(head []byte) {
	get := func(key string) string {
		m := regexp.MustCompile(`"` + key + `":\s*"?([^",}\n]*)`).FindSubmatch(head)
		if m == nil {
			return ""
		}
		return strings.TrimSpace(string(m[1]))
	}
	h.Host, h.Kernel, h.Arch, h.Date = get("nodename"), get("release"), get("machine"), date(get("date"))
	h.CPUs, _ = strconv.Atoi(get("number-of-cpus"))
	if at := get("file-date"); at != "" {
		h.Date = date(at)
		if get("utc") == "1" {
			h.Zone = "UTC"
		}
	}
	for _, key := range []string{"timestamp", "time"} {
		t := get(key)
		if iso, ok := isoTime(t); ok {
			h.Epoch = iso
			return
		}
		if _, rest, ok := strings.Cut(t, " "); ok {
			t = rest
		}
		if h.clock(t) {
			return
		}
	}
}

// sadf: db7;1;2026-11-30 17:00:39 UTC;-1;67.33;...
func (h *Head) sadf(lines []string) {
	for _, line := range lines {
		cells := strings.Split(line, ";")
		if len(cells) < 4 || strings.HasPrefix(line, "#") {
			continue
		}
		if t, ok := sadfTime(cells[2], time.UTC); ok {
			h.Host, h.Date = cells[0], Date{Year: t.Year(), Month: int(t.Month()), Day: t.Day()}
			h.Clock = t.Sub(t.Truncate(24 * time.Hour))
			if strings.HasSuffix(cells[2], " UTC") {
				h.Zone = "UTC"
			}
		}
		return
	}
}

func (h *Head) sysstat(lines []string) {
	for i, line := range lines {
		m := banner.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		h.Kernel, h.Host, h.Date, h.Arch = m[2], m[3], date(m[4]), m[5]
		h.CPUs, _ = strconv.Atoi(m[6])
		for _, row := range lines[i+1:] {
			if h.clock(row) {
				return
			}
		}
		return
	}
}

// clock reads the time of day that begins a row (mpstat, pidstat, sar), or that
// fills a line of its own (iostat -t), or the seconds since 1970 of pidstat -h.
func (h *Head) clock(row string) bool {
	row = strings.TrimSpace(row)
	if t, ok := isoTime(row); ok {
		h.Epoch = t
		return true
	}
	if day, rest, ok := strings.Cut(row, " "); ok && h.Kind == Iostat { // iostat -t: 05/15/2026 03:38:05 PM
		if d := date(day); d.Known() || d.Doubtful() {
			row = rest
		}
	}
	if cell, _, _ := strings.Cut(row, " "); epochCell.MatchString(cell) {
		if t, _, err := column.Time(cell, time.UTC); err == nil {
			h.Epoch = t
			return true
		}
	}
	t, _, ok := timeOfDay(row)
	if ok {
		h.Clock = t
	}
	return ok
}

// dstat writes day and month in this order whatever the locale, and no year. The
// first row is empty and stands for the start.
func (h *Head) dstat(lines []string) {
	for _, line := range lines {
		if host, ok := strings.CutPrefix(line, `"Host:",`); ok { // dstat --output
			h.Host = strings.Trim(strings.SplitN(host, ",", 2)[0], `"`)
		}
		if m := csvDate.FindStringSubmatch(line); m != nil { // "Date:","30 Nov 2026 17:01:44 UTC"
			if t, err := time.Parse("02 Jan 2006", m[1]); err == nil {
				h.Date = Date{Year: t.Year(), Month: int(t.Month()), Day: t.Day()}
				h.clock(m[2])
			}
			return
		}
		if m := doolRow.FindStringSubmatch(line); m != nil {
			if t, err := time.Parse("Jan-2", m[1]); err == nil {
				h.Date = Date{Month: int(t.Month()), Day: t.Day()}
				h.clock(m[2])
			}
			return
		}
		m := dstatRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		day, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2])
		if month < 1 || month > 12 || day < 1 || day > 31 {
			return
		}
		h.Date = Date{Month: month, Day: day}
		h.clock(m[3] + ":" + m[4] + ":" + m[5])
		return
	}
}

func (h *Head) vmstat(lines []string) {
	for _, line := range lines {
		if strings.HasSuffix(strings.TrimSpace(line), " UTC") {
			h.Zone = "UTC"
		}
		if strings.IndexByte(line, ':') < 0 {
			continue
		}
		if m := vmstatRow.FindStringSubmatch(line); m != nil {
			h.Date = date(m[1])
			h.clock(m[2])
			return
		}
	}
}

// innodb: a CSV whose first column is seconds since 1970.
func (h *Head) innodb(head []byte) {
	_, row, ok := bytes.Cut(head, []byte("\n"))
	if !ok {
		return
	}
	cell, _, _ := bytes.Cut(row, []byte(","))
	if m := epochCell.FindStringSubmatch(string(cell)); m != nil {
		if t, _, err := column.Time(m[1], time.UTC); err == nil {
			h.Epoch = t
		}
	}
	if day, clock, ok := strings.Cut(strings.TrimSpace(string(cell)), " "); ok { // 2026-04-09 21:36:29, which zone nobody says
		if h.Date = date(day); h.Date.Known() {
			h.clock(clock)
		}
	}
}

// date reads the date of a banner. Two digits of year are of this century.
func date(text string) Date {
	if m := iso.FindStringSubmatch(text); m != nil {
		return checked(m[1], m[2], m[3])
	}
	if m := cjk.FindStringSubmatch(text); m != nil {
		return checked(m[1], m[2], m[3])
	}
	m := slash.FindStringSubmatch(text)
	if m == nil {
		return Date{}
	}
	a, _ := strconv.Atoi(m[1])
	b, _ := strconv.Atoi(m[2])
	year, _ := strconv.Atoi(m[3])
	if year < 100 {
		year += 2000
	}
	d := Date{Year: year, First: a, Second: b}
	switch {
	case a < 1 || b < 1 || a > 31 || b > 31 || a > 12 && b > 12:
		return Date{}
	case b > 12:
		d.Month, d.Day = a, b
	case a > 12:
		d.Month, d.Day = b, a
	case a == b:
		d.Month, d.Day = a, a
	}
	return d
}

func checked(year, month, day string) Date {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return Date{}
	}
	return Date{Year: y, Month: m, Day: d}
}

package hoststat

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"noisefloor/ingest/machine"
)

// free -s, and what pt-stalk and other loops copy every second under a line with
// the time: /proc/meminfo and df.

var (
	// TS 1796069307.775333103 2026-11-30 20:08:27
	stamp       = regexp.MustCompile(`^TS (\d{10}(?:\.\d+)?)(?: (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d))?\b`)
	freeHeading = regexp.MustCompile(`^\s+total\s+used\s+free\s+shared\b`)
	freeRow     = regexp.MustCompile(`(?m)^Mem:\s+\d`)
	meminfoRow  = regexp.MustCompile(`^([A-Za-z][\w()]*):\s+(\d+)(?: kB)?$`)
	dfHeading   = regexp.MustCompile(`^Filesystem\s+(?:(1K|1024|512|1M|1G)-blocks|Size)\s+Used\s+Avail(?:able)?\s+(?:Use%|Capacity)\s+Mounted on$`)
)

// Stamps gives the times that stand in lines of their own in the head of a file, in
// the zone of the host as far as they say it.
func Stamps(head []byte) (list []time.Time) {
	for line := range strings.Lines(string(head)) {
		if t, ok := stamped(line); ok {
			list = append(list, t)
		}
	}
	return list
}

func stamped(line string) (time.Time, bool) {
	m := stamp.FindStringSubmatch(line)
	if m == nil {
		return time.Time{}, false
	}
	at, err := strconv.ParseFloat(m[1], 64)
	t := time.UnixMicro(int64(at * 1e6)).UTC()
	if local, broken := time.Parse(time.DateTime, m[2]); broken == nil {
		if offset := local.Sub(t).Round(15 * time.Minute); offset.Abs() <= 14*time.Hour {
			t = t.In(time.FixedZone("", int(offset.Seconds())))
		}
	}
	return t, err == nil
}

// repeats tells a text of one of these and of /proc/diskstats by its first lines. What they say once
// is about the machine, or about nothing.
func repeats(head []byte, lines []string) Kind {
	body := lines
	_, isStamped := stamped(lines[0])
	if isStamped {
		body = lines[1:]
	}
	switch {
	case len(body) == 0:
		return ""
	case freeHeading.MatchString(body[0]) && (isStamped || len(freeRow.FindAll(head, 3)) == 3):
		return Free
	case isStamped && strings.HasPrefix(body[0], "MemTotal:"):
		return Meminfo
	case isStamped && dfHeading.MatchString(body[0]):
		return Df
	case isStamped && diskRow.MatchString(body[0]):
		return Disks
	}
	return ""
}

// freeColumns are those of the row Mem; available is what programs can have.
var freeColumns = map[string]string{"used": "memory_used_bytes", "free": "memory_free_bytes", "buffers": "memory_buffers_bytes", "cache": "memory_cache_bytes", "cached": "memory_cache_bytes",
	"buff/cache": "memory_buffers_and_cache_bytes", "available": "memory_available_bytes"}

// free reads a line, with or without -h, -m, -g, -b, -w and -t:
//
//	               total        used        free      shared  buff/cache   available
//	Mem:        24683652     1595708     7504872        8956    15981260    23087944
//	Mem:            23Gi       1.5Gi       7.2Gi       8.7Mi        15Gi        22Gi
//	Swap:              0           0           0
//
// Numbers without a unit are KiB unless there would be too little of them: what
// their unit is, the file does not say.
func (s *scanner) free(line []byte) {
	text := string(line)
	cells := strings.Fields(text)
	switch {
	case len(cells) == 0 || cells[0] == "Total:" || cells[0] == "Low:" || cells[0] == "High:" || strings.HasPrefix(text, "-/+"):
		return
	case freeHeading.MatchString(text):
		s.head = heading{text: text}
		for _, name := range cells {
			s.head.columns = append(s.head.columns, meaning{freeColumns[name], 1})
		}
		s.next()
		return
	case s.head.columns == nil || cells[0] != "Mem:" && cells[0] != "Swap:" || len(cells) < 4 || len(cells) > len(s.head.columns)+1:
		s.problems.Add("unknown-line", s.line, line)
		return
	}
	values := make([]float64, len(cells)-1)
	for i, cell := range cells[1:] {
		digits := strings.TrimRight(cell, "BKMGTPEi")
		v, ok := number(digits)
		if !ok {
			s.problems.Add("torn-line", s.line, line)
			return
		}
		if i == 0 && cells[0] == "Mem:" { // the total tells the unit of all
			s.unit = 1024
			if bytes, ok := machine.Memory(digits, ""); ok && v > 0 {
				s.unit = float64(bytes) / v
			}
		}
		if values[i] = v * s.unit; len(digits) < len(cell) {
			bytes, _ := machine.Memory(digits, cell[len(digits):])
			values[i] = float64(bytes)
		}
	}
	for i, c := range s.head.columns[:len(values)] {
		if cells[0] == "Swap:" {
			c.metric = map[int]string{1: "swap_used_bytes", 2: "swap_free_bytes"}[i]
		}
		s.put(c, "", values[i])
	}
}

// meminfoNames are the lines that move while a database works.
var meminfoNames = map[string]string{"MemFree": "memory_free_bytes", "MemAvailable": "memory_available_bytes", "Buffers": "memory_buffers_bytes", "Cached": "memory_cache_bytes", "SwapCached": "swap_cached_bytes",
	"Active": "memory_active_bytes", "Inactive": "memory_inactive_bytes", "SwapFree": "swap_free_bytes", "Dirty": "memory_dirty_bytes", "Writeback": "memory_writeback_bytes", "AnonPages": "memory_anonymous_bytes",
	"Slab": "memory_slab_bytes", "PageTables": "memory_page_tables_bytes", "Committed_AS": "memory_commit_bytes", "AnonHugePages": "memory_anonymous_huge_bytes"}

// meminfo reads a line of /proc/meminfo:
//
//	TS 1796069307.776081947 2026-11-30 20:08:27
//	MemTotal:       24683652 kB
//	HugePages_Total:       0
func (s *scanner) meminfo(line []byte) {
	m := meminfoRow.FindStringSubmatch(string(line))
	switch {
	case len(line) == 0:
		return
	case m == nil:
		s.problems.Add("unknown-line", s.line, line)
		return
	case m[1] == "MemTotal":
		s.next()
		return
	case s.reports == 0:
		s.problems.Add("unknown-line", s.line, line)
		return
	}
	v, _ := strconv.ParseFloat(m[2], 64)
	s.put(meaning{meminfoNames[m[1]], kB}, "", v)
}

// df reads a line; the name of a device that is too long stands in a line of its
// own:
//
//	TS 1796069307.775333103 2026-11-30 20:08:27
//	Filesystem              1K-blocks     Used Available Use% Mounted on
//	/dev/vda                264212084 36554360  58946904  39% /
//	tmpfs                    24683652        0  24683652   0% /dev/shm
//
// File systems in memory are left out.
func (s *scanner) df(line []byte) {
	text := string(line)
	if m := dfHeading.FindStringSubmatch(text); m != nil {
		s.head = heading{text: text}
		s.unit = map[string]float64{"": 1, "512": 512, "1K": kB, "1024": kB, "1M": mB, "1G": 1 << 30}[m[1]]
		s.next()
		return
	}
	cells := strings.Fields(text)
	switch {
	case len(cells) < 2:
		return
	case s.head.text == "":
		s.problems.Add("unknown-line", s.line, line)
		return
	}
	at := 1
	for at < len(cells) && !strings.HasSuffix(cells[at], "%") && cells[at] != "-" {
		at++
	}
	if at < 3 || at+1 >= len(cells) {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	if at > 3 && inMemory[cells[0]] {
		return
	}
	used, ok := sized(strings.ReplaceAll(cells[at-2], "K", "k"), 1024)
	free, isFree := sized(strings.ReplaceAll(cells[at-1], "K", "k"), 1024)
	if !ok || !isFree {
		s.problems.Add("torn-line", s.line, line)
		return
	}
	mount := strings.Join(cells[at+1:], " ")
	s.put(meaning{"filesystem_used_bytes", s.unit}, mount, used)
	s.put(meaning{"filesystem_available_bytes", s.unit}, mount, free)
}

var inMemory = map[string]bool{"tmpfs": true, "devtmpfs": true, "udev": true, "none": true, "shm": true, "cgroup": true, "cgmfs": true}

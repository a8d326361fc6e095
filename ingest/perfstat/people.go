package perfstat

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"noisefloor/ingest/internal/digits"
)

var (
	peopleHead = regexp.MustCompile(`(?m)^#\s+time\s.*counts\s+unit\s+events`)
	// decimals always have digits behind them: metrics, the time elapsed, and the
	// times of intervals.
	decimals      = regexp.MustCompile(`#\s+\d+([.,])\d+|(?m:^\s*\d+)([.,])\d{9}\s`)
	targetLine    = regexp.MustCompile(`Performance counter stats for (.*?)(?: \(\d+ runs\))?:$`)
	intervalTime  = regexp.MustCompile(`^\s*(\d+[.,]\d{9})\s`)
	varianceShare = regexp.MustCompile(`\(\s*\+-\s*([\d.,]+)%\s*\)`)
	runningShare  = regexp.MustCompile(`[(\[]\s*([\d.,]+)%\s*[)\]]`)
	timeLine      = regexp.MustCompile(`^\s*([\d., '\x{a0}\x{202f}]+?)(?:\s+\+-\s+[\d.,]+)?\s+seconds (time elapsed|user|sys)\s*$`)
	metricPart    = regexp.MustCompile(`^\s*(-?[\d.,]+|-?nan)\s*(%?)\s*(\S.*?)\s*$`)
)

// units are what perf prints between a value and its event.
var units = []string{"msec", "ms", "usec", "ns", "nsec", "sec", "s", "Joules", "J", "KiB", "MiB", "GiB", "KB", "MB", "GB", "%", "Hz", "MHz", "GHz", "C", "Watts", "W", "bytes"}

// people reads a line that is made for people:
//
//	 Performance counter stats for process id '1193720' (5 runs):
//
//	          5,347.41 msec cpu-clock                 #    0.535 CPUs utilized            ( +-  0.21% )
//	   186.462.389.466 cycles                    #    3,306 GHz                     [83,25%]
//	       1545,410842 task-clock (msec)         #    0,994 CPUs utilized
//	   <not supported>      bus-cycles
//	S0-D0-C0           1             207.30 msec cpu-clock                        #    1.000 CPUs utilized
//	CPU0                     7881      context-switches                 #   36.299 K/sec
//	            bash-2595          <not counted> msec cpu-clock
//	     0.100284738               3.95 msec cpu-clock                        #    0.039 CPUs utilized
//	         1,234,567      cycles                    /system.slice/mariadb.service        (83.25%)
//	                                             #    1,70  stalled cycles per insn [83,35%]
//	         TopdownL1                 #     41.3 %  tma_frontend_bound       (63.00%)
//
//	           0.11363 +- 0.00203 seconds time elapsed  ( +-  1.78% )
//	       0.003147000 seconds user
func (s *scanner) people(line string) (row, string) {
	r := newRow()
	if m := find(targetLine, line, "stats for "); m != nil {
		s.block++
		if s.stat.Target == "" {
			s.stat.Target = m[1]
		}
		return r, nothing
	}
	if m := find(varianceShare, line, "+-"); m != nil {
		r.variance, _ = parseNumber(m[1], s.comma)
		line = strings.Replace(line, m[0], "", 1)
	}
	if m := find(runningShare, line, "%"); m != nil {
		r.running, _ = parseNumber(m[1], s.comma)
		line = strings.Replace(line, m[0], "", 1)
	}
	if m := find(timeLine, line, "seconds "); m != nil {
		return s.seconds(r, m[1], m[2])
	}
	if m := intervalTime.FindStringSubmatch(line); m != nil {
		r.time, _ = parseNumber(m[1], s.comma)
		line = line[len(m[0]):]
	}
	left, metric, computed := strings.Cut(line, "#")
	words := cells(left, s.comma)
	at := slices.IndexFunc(words, func(w string) bool { return isValue(w, s.comma) })
	if at < 0 {
		if !computed {
			if s.block == 0 && math.IsNaN(r.time) {
				return r, nothing // the program's own output
			}
			return r, "unknown-line"
		}
		return s.metric(r, metric)
	}
	if at+1 < len(words) && isValue(words[at+1], s.comma) { // how many CPUs a part has
		at++
		r.scope = strings.Join(words[:at-1], " ")
	} else {
		r.scope = strings.Join(words[:at], " ")
	}
	if s.block == 0 && math.IsNaN(r.time) {
		return r, nothing
	}
	if words[at] == notCounted || words[at] == notSupported {
		r.missing = words[at]
	} else {
		r.value, _ = parseNumber(words[at], s.comma)
	}
	rest := words[at+1:]
	if len(rest) > 1 && slices.Contains(units, rest[0]) {
		r.unit, rest = rest[0], rest[1:]
	}
	if len(rest) == 0 {
		return r, "unknown-line"
	}
	r.event, rest = rest[0], rest[1:]
	if len(rest) > 0 && rest[0] == "(msec)" { // perf before 4.17
		r.unit, rest = "msec", rest[1:]
	}
	if len(rest) > 0 { // a cgroup
		r.scope = strings.TrimSpace(r.scope + " " + strings.Join(rest, " "))
	}
	return r, ""
}

// find is FindStringSubmatch where every match has that word in it.
func find(re *regexp.Regexp, line, word string) []string {
	if !strings.Contains(line, word) {
		return nil
	}
	return re.FindStringSubmatch(line)
}

func (s *scanner) seconds(r row, value, which string) (row, string) {
	var ok bool
	r.value, ok = parseNumber(strings.TrimSpace(value), s.comma)
	if !ok {
		return r, "unknown-line"
	}
	r.unit = "s"
	r.event = map[string]string{"time elapsed": Elapsed, "user": User, "sys": Sys}[which]
	return r, ""
}

// isMetricLine tells a metric with a line of its own from a comment.
func isMetricLine(trimmed string) bool { return metricPart.MatchString(trimmed[1:]) }

func (s *scanner) metric(r row, text string) (row, string) {
	m := metricPart.FindStringSubmatch(text)
	if m == nil {
		return r, nothing
	}
	v, ok := parseNumber(m[1], s.comma)
	if !ok {
		return r, nothing // nan
	}
	r.value, r.unit, r.event, r.metric = v, m[2], m[3], true
	return r, ""
}

func isValue(word string, comma bool) bool {
	if word == notCounted || word == notSupported {
		return true
	}
	_, ok := parseNumber(word, comma)
	return ok
}

// cells cuts a line at its blanks, but not inside "<not counted>" nor between the
// thousands of a locale that has blanks there: one blank, and three digits behind it.
func cells(line string, comma bool) []string {
	list := make([]string, 0, 8)
	for from := 0; from < len(line); {
		if line[from] == ' ' || line[from] == '\t' {
			from++
			continue
		}
		to := from
		for to < len(line) && line[to] != '\t' && (line[to] != ' ' || strings.HasPrefix(line[from:], "<not ") && to == from+4 || thousands(line, from, to)) {
			to++
		}
		list = append(list, line[from:to])
		from = to
	}
	return list
}

// thousands tells whether the blank at to is inside of the number that begins at from.
func thousands(line string, from, to int) bool {
	if to+3 >= len(line) || to-from == 0 || !digits.Only(line[to+1:to+4]) || to+4 < len(line) && line[to+4] >= '0' && line[to+4] <= '9' {
		return false
	}
	first := line[from:to]
	if i := strings.LastIndexByte(first, ' '); i >= 0 {
		first = first[i+1:]
	}
	return len(first) <= 3 && digits.Only(first)
}

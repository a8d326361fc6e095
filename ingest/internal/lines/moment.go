package lines

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// How logs and harnesses write a moment, date and time of day:
//
//	2026-01-31 12:00:01.123 …   2017-07-07 11:15:29,849 …   2026-01-31T12:00:01.123456789Z stdout F …   2016/06/20 16:16:03
//	######----- Tue Jan 23 00:42:32 UTC 2024 -----######
//	Tue Mar 2 03:00:06 EST 2021
//	Wed Jan 17 05:38:05 PM UTC 2024     Wed 17 Jan 2024 05:38:05 PM UTC
//	{"__REALTIME_TIMESTAMP":"1769860801123456", …}
//	BLOCK: [START] select_run_inlist … 2024-05-31_16_21_12
var (
	isoMoment  = regexp.MustCompile(`(20\d\d)[-/](\d\d)[-/](\d\d)[ T_](\d\d)[:_-](\d\d)[:_-](\d\d)(?:[.,](\d{1,9}))?( ?(?:Z|UTC|[+-]\d\d:?\d\d))?`)
	dateMoment = regexp.MustCompile(`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]?\d \d\d:\d\d:\d\d (?:[AP]M )?[A-Z]{2,5} 20\d\d` +
		`|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [ \d]\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) 20\d\d \d\d:\d\d:\d\d [AP]M [A-Z]{2,5}`)
	journal    = regexp.MustCompile(`"__REALTIME_TIMESTAMP"\s*:\s*"(1[4-9]\d{8})(\d{6})"`)
	epochFirst = regexp.MustCompile(`^(1[4-9]\d{8})(\.\d+)?[ \t|]`)
)

// Moment finds a date with a time of day in a line and writes it so that it can
// be read: 2026-01-31T12:00:01.123Z, without the zone where there is none; "" if
// there is no such thing.
func Moment(line []byte) string {
	line = line[:min(len(line), 400)]
	if hasYear(line) {
		if m := isoMoment.FindSubmatch(line); m != nil {
			text := string(m[1]) + "-" + string(m[2]) + "-" + string(m[3]) + "T" + string(m[4]) + ":" + string(m[5]) + ":" + string(m[6])
			if len(m[7]) > 0 {
				text += "." + string(m[7])
			}
			zone := strings.TrimSpace(string(m[8]))
			switch {
			case zone == "UTC":
				zone = "Z"
			case len(zone) == 5: // +0200
				zone = zone[:3] + ":" + zone[3:]
			}
			return text + zone
		}
		if bytes.IndexByte(line, ':') >= 0 {
			if m := dateMoment.Find(line); m != nil {
				return string(m)
			}
		}
	}
	if len(line) > 0 && line[0] == '{' {
		if m := journal.FindSubmatch(line); m != nil {
			return string(m[1]) + "." + string(m[2])
		}
	}
	if len(line) > 0 && line[0] == '1' {
		if m := epochFirst.FindSubmatch(line); m != nil {
			return string(m[1]) + string(m[2])
		}
	}
	return ""
}

// Yearless gives the date and time of day that a line begins with where these have no
// year, as ts and journald write them: Jan 31 12:00:01; "" if there are none.
func Yearless(line []byte) string {
	line = bytes.TrimLeft(line, "[( ")
	for _, shape := range [...]string{"Aaa dd dd:dd:dd", "Aaa _d dd:dd:dd"} {
		if after, ok := shaped(line, shape); ok {
			return string(line[:len(line)-len(after)])
		}
	}
	return ""
}

// OnlyMoment tells a line that says nothing but when it was written.
func OnlyMoment(line []byte) bool {
	for _, shape := range []*regexp.Regexp{isoMoment, dateMoment} {
		if at := shape.FindIndex(line); at != nil {
			return !bytes.ContainsFunc(slices.Concat(line[:at[0]], line[at[1]:]), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		}
	}
	return false
}

// WithoutMoment cuts the dates and times of day out of a line.
func WithoutMoment(line []byte) []byte {
	for _, shape := range []*regexp.Regexp{isoMoment, dateMoment, loneMoment} {
		line = shape.ReplaceAll(line, []byte(" "))
	}
	return line
}

var loneMoment = regexp.MustCompile(`\b(?:20\d\d[-/.]\d\d[-/.]\d\d|\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?)\b`)

// hasYear looks for 20xx as a word of its own before the expressions do, which
// take a hundred times as long.
func hasYear(line []byte) bool {
	for i := 0; i+4 <= len(line); i++ {
		if line[i] != '2' || line[i+1] != '0' || line[i+2]-'0' > 9 || line[i+3]-'0' > 9 {
			continue
		}
		if (i == 0 || line[i-1]-'0' > 9) && (i+4 == len(line) || line[i+4]-'0' > 9) {
			return true
		}
	}
	return false
}

// Clock finds the time of day that a line begins with, for logs whose stamps have
// no date.
func Clock(line []byte) (d time.Duration, ok bool) {
	line = bytes.TrimLeft(line, "[( ")
	for _, shape := range [...]string{"Aaa dd ", "Aaa _d "} {
		if after, ok := shaped(line, shape); ok {
			line = after
		}
	}
	if _, ok := shaped(line, "dd:dd:dd"); !ok {
		return 0, false
	}
	two := func(i int) time.Duration { return time.Duration(line[i]-'0')*10 + time.Duration(line[i+1]-'0') }
	d = two(0)*time.Hour + two(3)*time.Minute + two(6)*time.Second
	return d, d < 24*time.Hour
}

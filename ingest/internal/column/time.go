package column

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/digits"
)

// ErrAmbiguous: 03/04/2026 is the third of April or the fourth of March.
var ErrAmbiguous = errors.New("day and month cannot be told apart; write 2026-04-03")

// MonthName is a month in English, as in 31-Jan-2026, in a regular expression.
const MonthName = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

var (
	isoDate   = regexp.MustCompile(`^(\d{4})[-/._]?(\d{2})[-/._]?(\d{2})$`)
	anyDate   = regexp.MustCompile(`^(\d{1,2})[-/._](\d{1,2})[-/._](\d{4})$`)
	dayMonth  = regexp.MustCompile(`^(?i)(\d{1,2})[-/._ ]?(` + MonthName + `)[-/._ ]?(\d{4})$`)
	yearMonth = regexp.MustCompile(`^(?i)(\d{4})[-/._ ]?(` + MonthName + `)[-/._ ]?(\d{1,2})$`)
	monthDay  = regexp.MustCompile(`^(?i)(` + MonthName + `)[-/._ ](\d{1,2}),?[-/._ ](\d{4})$`)
)

// Date reads a calendar date and gives it as 2026-01-31.
func Date(text string) (string, error) {
	text = strings.TrimSpace(text)
	if m := isoDate.FindStringSubmatch(text); m != nil {
		return civil(m[1], m[2], m[3])
	}
	if m := dayMonth.FindStringSubmatch(text); m != nil {
		return civil(m[3], Month(m[2]), m[1])
	}
	if m := yearMonth.FindStringSubmatch(text); m != nil {
		return civil(m[1], Month(m[2]), m[3])
	}
	if m := monthDay.FindStringSubmatch(text); m != nil {
		return civil(m[3], Month(m[1]), m[2])
	}
	m := anyDate.FindStringSubmatch(text)
	if m == nil {
		return "", errors.New("not a date; write 2026-01-31")
	}
	a, _ := strconv.Atoi(m[1])
	b, _ := strconv.Atoi(m[2])
	switch {
	case a > 12 || a == b || b <= 12 && strings.Count(text, ".") == 2: // with points nobody puts the month first
		return civil(m[3], m[2], m[1])
	case b > 12:
		return civil(m[3], m[1], m[2])
	}
	return "", ErrAmbiguous
}

// Month gives the number of a month's name.
func Month(name string) string {
	const first = "janfebmaraprmayjunjulaugsepoctnovdec"
	return strconv.Itoa(strings.Index(first, strings.ToLower(name[:3]))/3 + 1)
}

func civil(year, month, day string) (string, error) {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if y < 1990 || y > 2200 || t.Month() != time.Month(m) || t.Day() != d {
		return "", fmt.Errorf("there is no day %s-%s-%s", year, month, day)
	}
	return t.Format(time.DateOnly), nil
}

// withZone and withoutZone are the ways people and programs write a moment.
var (
	withZone = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -0700", "2006-01-02 15:04:05 -0700 MST",
		"20060102T150405Z07:00", time.RFC1123Z, "Mon Jan _2 15:04:05 -0700 2006"}
	withName    = []string{"2006-01-02 15:04:05.999999999 MST", time.UnixDate, time.RFC1123, "Mon Jan _2 03:04:05 PM MST 2006", "Mon _2 Jan 2006 03:04:05 PM MST"}
	withoutZone = []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02_15:04:05", "2006-01-02_15-04-05", "2006-01-02-15-04-05",
		"2006-01-02_15_04_05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02-15-04", "2006/01/02 15:04:05", "2006/01/02 15:04", "20060102_150405", "20060102-150405",
		"20060102T150405", "20060102150405", time.ANSIC}
)

var errNoTime = errors.New("not a time; write 2026-01-31T15:04:05Z")

// Time reads a moment; without a zone it is taken in tz. zoned tells which.
func Time(text string, tz *time.Location) (t time.Time, zoned bool, err error) {
	if text = strings.TrimSpace(text); text == "" {
		return time.Time{}, false, errNoTime // not tried in all the ways, for each row of a table
	}
	if isEpoch(text) {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return time.Time{}, false, err
		}
		if f > 1e11 {
			f /= 1000 // milliseconds
		}
		sec, frac := math.Modf(f)
		return time.Unix(int64(sec), int64(math.Round(frac*1e6))*1000).UTC(), true, nil
	}
	if layout := usual(text); layout != "" {
		if t, ok := clear(text, tz); ok {
			return plausible(t, false)
		}
		if t, err := time.ParseInLocation(layout, text, tz); err == nil {
			return plausible(t, false)
		}
	}
	for _, layout := range withZone {
		if t, err := time.Parse(layout, text); err == nil {
			return plausible(t, true)
		}
	}
	for _, layout := range withName {
		t, err := time.ParseInLocation(layout, text, tz)
		if err != nil {
			continue
		}
		// Go makes up an offset of 0 for a zone name that it does not know.
		if name, offset := t.Zone(); name == "UTC" || name == "GMT" || offset != 0 {
			return plausible(t, true)
		}
		return plausible(time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), tz), false)
	}
	for _, layout := range withoutZone {
		if t, err := time.ParseInLocation(layout, text, tz); err == nil {
			return plausible(t, false)
		}
	}
	if date, clock, ok := strings.Cut(text, " "); ok { // 2026.01.31 3:04:05 +0100
		day, err := Date(date)
		if errors.Is(err, ErrAmbiguous) {
			return time.Time{}, false, err
		}
		if err == nil {
			for _, zone := range []string{" -0700", "Z07:00", ""} {
				for _, digits := range []string{"15:04:05", "15:04"} {
					if t, err := time.ParseInLocation("2006-01-02 "+digits+zone, day+" "+clock, tz); err == nil {
						return plausible(t, zone != "")
					}
				}
			}
		}
	}
	return time.Time{}, false, errNoTime
}

// isEpoch tells seconds since 1970, perhaps with a fraction, or milliseconds.
func isEpoch(text string) bool {
	whole, fraction, isFraction := strings.Cut(text, ".")
	n := len(whole)
	return (n == 9 || n == 10 || n == 13) && digits.Only(whole) && (!isFraction || digits.Only(fraction))
}

// usual is the way most programs write a moment without a zone, which needs none of
// the others tried before it; "" for any other text.
func usual(text string) string {
	const shape = "dddd-dd-dd dd:dd:dd"
	if len(text) < len(shape) {
		return ""
	}
	for i := range text {
		c := byte('d')
		if i < len(shape) {
			c = shape[i]
		}
		switch {
		case c == 'd' && text[i]-'0' <= 9, c == text[i], i == len("dddd-dd-dd") && text[i] == 'T', i == len(shape) && text[i] == '.':
		default:
			return ""
		}
	}
	if text[len("dddd-dd-dd")] == 'T' {
		return withoutZone[0]
	}
	return withoutZone[1]
}

// clear reads such a moment where nothing about it has to be looked up.
func clear(text string, tz *time.Location) (time.Time, bool) {
	two := func(i int) int { return 10*int(text[i]-'0') + int(text[i+1]-'0') }
	month, day, hour, minute, second := two(5), two(8), two(11), two(14), two(17)
	days := 30 + (month+month/8)%2
	if month == 2 {
		days = 28
	}
	if len(text) > len(time.DateTime) || month < 1 || month > 12 || day < 1 || day > days || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	return time.Date(100*two(0)+two(2), time.Month(month), day, hour, minute, second, 0, tz), true
}

func plausible(t time.Time, zoned bool) (time.Time, bool, error) {
	if y := t.Year(); y < 1990 || y > 2200 {
		return time.Time{}, false, fmt.Errorf("the year %d is not plausible", y)
	}
	return t.UTC(), zoned, nil
}

// Fill puts a value into the built-in column of a run. The error says what is
// wrong with the value; the run is then unchanged.
func Fill(r *datasets.Run, builtin string, v datasets.Value, tz *time.Location) error {
	if v.IsNull() {
		return nil
	}
	switch builtin {
	case "threads":
		return count(&r.Threads, v)
	case "clients":
		return count(&r.Clients, v)
	case "order":
		return count(&r.Order, v)
	}
	text := v.String()
	switch builtin {
	case "workload":
		r.Workload = text
	case "host":
		r.Host = text
	case "session":
		r.Session = text
	case "launch":
		r.Launch = text
	case "tool":
		r.Tool = text
	case "tool_version":
		r.ToolVersion = text
	case "day":
		date, _, _ := strings.Cut(strings.Replace(text, "T", " ", 1), " ")
		day, err := Date(date)
		switch {
		case errors.Is(err, ErrAmbiguous):
			return err
		case err != nil: // "d1" is as good a name for a day as a date
		case date == text:
			text = day
		default: // a moment of that day
			t, _, err := Time(text, tz)
			if err != nil {
				break
			}
			if text = day; r.Started.IsZero() {
				r.Started = t
			}
		}
		r.Day = text
	case "duration_s":
		f, ok := v.Number()
		if !ok || f <= 0 || math.IsInf(f, 0) {
			return errors.New("not a number of seconds")
		}
		r.Duration = f
	case "started_at":
		t, _, err := Time(text, tz)
		if err != nil {
			return err
		}
		r.Started = t
	default:
		return errors.New("no built-in column of this name can be filled")
	}
	return nil
}

// count takes whole positive numbers, also from text: "8", "08".
func count(to *int, v datasets.Value) error {
	f, ok := v.Number()
	if !ok {
		var err error
		if f, err = strconv.ParseFloat(v.String(), 64); err != nil {
			return errors.New("not a number")
		}
	}
	if f < 1 || f > math.MaxInt32 || f != math.Trunc(f) {
		return errors.New("not a whole number above 0")
	}
	*to = int(f)
	return nil
}

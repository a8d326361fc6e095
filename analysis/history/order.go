package history

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"noisefloor/analysis"
)

// Order is a list of names, oldest first: the commits of a branch, say.
type Order struct {
	Names []string
	Why   string // how it was told which end is the oldest
	place map[string]int
	index []string // the names in alphabetical order, to look beginnings up
}

// ReadOrder reads such a list: what git log or git rev-list prints, or one name a
// line. Git prints the newest first unless asked otherwise, so dates decide
// where there are any, then where HEAD stands, then the form: a plain list is
// taken as it stands, oldest first.
func ReadOrder(text string) (*Order, error) {
	var names []string
	var dates []time.Time
	head, logForm := -1, false
	subjects := 0 // hashes with words behind them, as git log --oneline prints
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		fields := strings.Fields(strings.TrimLeft(line, "*|/\\ ")) // --graph draws these
		switch {
		case len(fields) == 0, strings.HasPrefix(line, "#"):
			continue
		case fields[0] == "commit" && len(fields) > 1 && isHash(fields[1]):
			logForm = true
			fields = fields[1:]
		case logForm:
			if rest, ok := strings.CutPrefix(line, "Date:"); ok {
				if t, ok := ParseDate(strings.TrimSpace(rest)); ok {
					dates = append(dates, t)
				}
			}
			continue
		}
		if strings.Contains(line, "(HEAD") {
			head = len(names)
		}
		names = append(names, fields[0])
		if len(fields) > 1 && isHash(fields[0]) {
			subjects++
		}
		if !logForm && len(fields) > 1 {
			if t, ok := dateIn(fields[1:]); ok {
				dates = append(dates, t)
			}
		}
	}
	if len(names) == 0 {
		return nil, errors.New("no name in the list: it takes one commit or version a line, as git rev-list --reverse prints them")
	}
	o := &Order{Names: names, Why: "as listed, oldest first"}
	newestFirst := false
	switch n := len(dates); {
	case n > 1 && n == len(names) && !dates[0].Equal(dates[n-1]):
		newestFirst = dates[0].After(dates[n-1])
		o.Why = "oldest first by the dates in it"
	case head >= 0 && len(names) > 1:
		newestFirst = 2*head < len(names)
		o.Why = "HEAD is the newest"
	case logForm, subjects == len(names):
		newestFirst = true
		o.Why = "git log prints the newest first"
	}
	if newestFirst {
		slices.Reverse(o.Names)
	}
	o.place = make(map[string]int, len(names))
	for i, name := range o.Names {
		if _, twice := o.place[name]; !twice {
			o.place[name] = i
		}
	}
	o.index = slices.Sorted(slices.Values(o.Names))
	return o, nil
}

// Place is where a name stands in the list. A commit may be named by the
// beginning of its hash (seven digits or more), or as git describe does:
// v8.0-12-gabc1234. It is false for what is not there or could be several.
func (o *Order) Place(name string) (int, bool) {
	if i, ok := o.place[name]; ok {
		return i, true
	}
	if i := strings.LastIndex(name, "-g"); i >= 0 {
		name = name[i+2:]
	}
	if !isHash(name) {
		return 0, false
	}
	name = strings.ToLower(name)
	i, _ := slices.BinarySearch(o.index, name)
	if i < len(o.index) && strings.HasPrefix(o.index[i], name) {
		if i+1 < len(o.index) && strings.HasPrefix(o.index[i+1], name) && o.index[i+1] != o.index[i] {
			return 0, false
		}
		return o.place[o.index[i]], true
	}
	// The list may have the shorter names.
	if i > 0 && isHash(o.index[i-1]) && strings.HasPrefix(name, o.index[i-1]) {
		return o.place[o.index[i-1]], true
	}
	return 0, false
}

// isHash: seven hexadecimal digits or more, which is what git prints at least.
func isHash(s string) bool {
	if len(s) < 7 {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", r) }) < 0
}

// dateForms are the dates that people and git write.
var dateForms = []string{
	time.RFC3339, "2006-01-02 15:04:05 -0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly,
	"2006/01/02", "20060102", "Mon Jan 2 15:04:05 2006 -0700", "2 Jan 2006", "Jan 2 2006", "2006-01",
}

// ParseDate reads a date in one of the usual forms; day and month in numbers
// only are read year first. Seconds since 1970 are a date too.
func ParseDate(s string) (time.Time, bool) {
	for _, form := range dateForms {
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	if len(s) == 10 {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 {
			return time.Unix(n, 0).UTC(), true
		}
	}
	return time.Time{}, false
}

// dateIn finds a date among the words of a line.
func dateIn(fields []string) (time.Time, bool) {
	for i := range fields {
		for _, words := range []int{3, 2, 1} {
			if i+words <= len(fields) {
				if t, ok := ParseDate(strings.Trim(strings.Join(fields[i:i+words], " "), "()[],")); ok {
					return t, true
				}
			}
		}
	}
	return time.Time{}, false
}

// CompareDates orders names by the dates they are, those that are none last.
func CompareDates(a, b string) int {
	x, xok := ParseDate(a)
	y, yok := ParseDate(b)
	switch {
	case xok && yok:
		return cmp.Or(x.Compare(y), analysis.Natural(a, b))
	case xok:
		return -1
	case yok:
		return 1
	}
	return analysis.Natural(a, b)
}

package naming

import (
	"strconv"
	"strings"
)

// Dates without a year: mar02, 2-mar. Such words are also the names of servers:
//
//	mar10/ my80/              no days
//	mar10/ mar11/             days in March, or MariaDB 10 and 11?
//	mar10/ mar11/ mar28/      days

// eachShort calls use for the dates without a year in a segment.
func eachShort(segment string, use func(from, to int, m []string)) {
	if namesMonth(segment) {
		found(monthAndDay, segment, use)
	}
}

// dropShort: mar10 beside my80 is a server and no day. Of nine in ten names of one
// level, or of the files, a date is expected.
func (d *pathDates) dropShort(files []File, paths [][]string) {
	if len(d.short) == 0 {
		return
	}
	type count struct {
		short      bool // there is a date without a year
		dated, all int
	}
	levels := map[int]*count{} // -1 = the file name
	for k, p := range paths {
		for i, segment := range p {
			if files[k].IsSettled() || segment == "" {
				continue
			}
			if i == len(p)-1 {
				i = -1
			}
			if levels[i] == nil {
				levels[i] = &count{}
			}
			c := levels[i]
			c.all++
			dated := dateShape.MatchString(segment)
			eachShort(segment, func(_, _ int, _ []string) { dated, c.short = true, true })
			if dated {
				c.dated++
			}
		}
	}
	for _, c := range levels {
		if c.short && 10*c.dated >= 9*c.all {
			return
		}
	}
	clear(d.short)
}

// dayOrVersion is the factor of words that are either: it is held equal, and compared
// by nobody who does not say so.
const dayOrVersion = "day_or_version"

// isServer tells mar10, mar11 and mar12: days in March, and what people call MariaDB
// 10, 11 and 12.
func isServer(short string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.ToLower(short), "mar"))
	return err == nil && n >= 10 && n <= 12
}

// doubtShort looks for a reason to believe in days where all dates without a year may
// be servers: such a day in another date, in a file beside a log, or as the time of a
// file. Where files beside the logs all name other days, they are servers. Without
// either nobody can tell.
func (n *Names) doubtShort(d *pathDates, files []File, paths [][]string) {
	for short := range d.short {
		if !isServer(short) {
			return
		}
	}
	beside := false
	for k, p := range paths {
		for _, segment := range p {
			days := false
			eachShort(segment, func(_, _ int, m []string) {
				dated, agrees := files[k].WasOn(monthOf(m), dayOf(m), d.known)
				beside = beside || dated
				days = days || agrees
			})
			if days && !files[k].IsSettled() {
				return
			}
		}
	}
	words := Show(sorted(d.short))
	if len(d.short) == 0 {
		return
	}
	if d.server = dayOrVersion; beside {
		d.server = "version"
		n.say("version: %s in the paths are no days, as the files beside the logs are of others: a guess", words)
	} else {
		n.say("%s: %s in the paths are days in March or versions of MariaDB, which nothing here tells: held equal and not compared; --by %[1]s compares them, --map day=%[1]s makes them days", dayOrVersion, words)
	}
	clear(d.short)
}

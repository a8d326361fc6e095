package column

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Order is how somebody puts the three numbers of a date.
type Order int8

const (
	AnyOrder   Order = iota
	DayFirst         // 31/01/2026, 31.01.26
	MonthFirst       // 01/31/2026, 1/31/26
	YearFirst        // 26-01-31
)

func (o Order) String() string {
	return [...]string{"any order", "day first", "month first", "year first"}[o]
}

// threeNumbers is a date whose order its form does not tell.
var threeNumbers = regexp.MustCompile(`^(\d{1,2})([-/._])(\d{1,2})([-/._])(\d{4}|\d{2})$`)

// firstYear of two digits: sysbench is of 2004. The last leaves room.
const firstYear, lastYear = 2004, 2049

// HasOrder tells dates of three numbers, which need an order to be read.
func HasOrder(text string) bool {
	m := threeNumbers.FindStringSubmatch(text)
	return m != nil && m[2] == m[4]
}

// In reads a date of three numbers in an order, as 2026-01-31.
func (o Order) In(text string) (day string, ok bool) {
	if o == AnyOrder {
		return "", false
	}
	m := threeNumbers.FindStringSubmatch(text)
	if m == nil || m[2] != m[4] {
		return "", false
	}
	d, month, year := m[1], m[3], m[5]
	switch o {
	case MonthFirst:
		d, month = month, d
	case YearFirst:
		if len(year) == 4 || len(d) != 2 {
			return "", false
		}
		d, year = year, d
	}
	if len(year) == 2 {
		year = "20" + year
		if y, _ := strconv.Atoi(year); y < firstYear || y > lastYear {
			return "", false
		}
	}
	day, err := civil(year, month, d)
	return day, err == nil
}

// Settle finds the order in which all of some dates of one writer are to be read.
// Where several make dates of them all, the one that brings them closest to each
// other and to the known days is taken, and else the usual one of their form;
// guess then says which it was. AnyOrder: none makes dates of them all.
func Settle(texts, known []string) (order Order, guess string) {
	type reading struct {
		order Order
		days  []string
		span  time.Duration
	}
	var readings []reading
	usual := []Order{DayFirst, MonthFirst, YearFirst}
	if len(texts) > 0 && strings.ContainsAny(texts[0], "-_") {
		usual = []Order{YearFirst, DayFirst, MonthFirst}
	}
	points := !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(s, ".") })
	for _, o := range usual {
		r := reading{order: o}
		for _, text := range texts {
			if day, ok := o.In(text); ok {
				r.days = append(r.days, day)
			}
		}
		if len(r.days) < len(texts) || len(texts) == 0 {
			continue
		}
		if points && o == DayFirst { // with points nobody puts the month first
			return o, ""
		}
		all := slices.Concat(r.days, known)
		first, _ := time.Parse(time.DateOnly, slices.Min(all))
		last, _ := time.Parse(time.DateOnly, slices.Max(all))
		r.span = last.Sub(first)
		same := slices.ContainsFunc(readings, func(s reading) bool { return slices.Equal(s.days, r.days) })
		if !same { // 05/05/2026
			readings = append(readings, r)
		}
	}
	if len(readings) == 0 {
		return AnyOrder, ""
	}
	best := readings[0]
	for _, r := range readings[1:] {
		if r.span < best.span {
			best = r
		}
	}
	closest := !slices.ContainsFunc(readings, func(r reading) bool { return r.order != best.order && r.span == best.span })
	switch {
	case len(readings) == 1:
		return best.order, ""
	case closest:
		return best.order, "since that brings the dates closest together"
	}
	return best.order, "as such dates usually are written"
}

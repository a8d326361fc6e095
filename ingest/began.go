package ingest

import (
	"fmt"
	"math"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/hoststat"
	"noisefloor/ingest/internal/naming"
)

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// dateOrder says how the hosts of this ingest write dates like 04/05/2026:
// 1 month first, -1 day first, 0 unknown.
type dateOrder int

// dateOrder looks for a date that can be read in one way only, or for one beside
// it that is known otherwise: hosts of one test bed have one locale.
func (in *ingest) dateOrder() dateOrder {
	monthFirst, dayFirst := false, false
	vote := func(order int) {
		monthFirst = monthFirst || order > 0
		dayFirst = dayFirst || order < 0
	}
	for _, f := range in.files {
		if f.kind == hostFile {
			vote(f.host.Date.Order())
		}
		for _, a := range f.sides {
			d := a.host.Date
			if !d.Doubtful() {
				continue
			}
			settle := func(month, day int) {
				switch {
				case d.First == month && d.Second == day:
					vote(1)
				case d.First == day && d.Second == month:
					vote(-1)
				}
			}
			for _, b := range f.sides {
				if b.host.Date.Known() {
					settle(b.host.Date.Month, b.host.Date.Day)
				}
			}
			for _, c := range f.told { // what its path says
				var year, month, day int
				if n, _ := fmt.Sscanf(c.value.String(), "%4d-%2d-%2d", &year, &month, &day); n == 3 && (c.name == "day" || c.name == "started_at") {
					settle(month, day)
				}
			}
		}
	}
	switch {
	case monthFirst && !dayFirst:
		return 1
	case dayFirst && !monthFirst:
		return -1
	}
	return 0
}

// sideSays gives what the host statistics beside a log say: host, kernel, CPUs,
// and when the run began.
func (in *ingest) sideSays(f *file, order dateOrder) []named {
	var list []named
	host := ""
	for _, s := range f.sides {
		from := "side file: " + string(s.host.Kind)
		if s.host.Host != "" {
			if host != "" && host != s.host.Host {
				in.problems.add(datasets.Problem{Source: s.source, Kind: "contradiction", Text: "another host here (" + s.host.Host + ") than in the other side files of the run (" + host + ")", Count: 1})
				continue
			}
			host = s.host.Host
			list = append(list, named{"host", datasets.Text(host), from})
		}
		if s.host.Kernel != "" {
			list = append(list, named{"kernel", datasets.Text(s.host.Kernel), from})
		}
		if s.host.CPUs > 0 {
			list = append(list, named{"cores", datasets.Int(int64(s.host.CPUs)), from})
		}
	}
	t, day := in.began(f, order)
	switch {
	case !t.IsZero():
		list = append(list, named{"started_at", datasets.Text(t.UTC().Format(time.RFC3339Nano)), "side file"})
	case day != "":
		list = append(list, named{"day", datasets.Text(day), "side file"})
	}
	return list
}

// began finds when a run began from its side files: a clock that counts from
// 1970, else a date with a time of day, else only a date.
func (in *ingest) began(f *file, order dateOrder) (t time.Time, day string) {
	var dated *hoststat.Head
	for _, s := range f.sides {
		if !s.host.Epoch.IsZero() && len(s.hosts) == 1 && !isCollected(s.name()) {
			return s.host.Epoch, ""
		}
	}
	for _, s := range f.sides {
		h := *s.host
		if h.Date.Doubtful() {
			if order == 0 {
				in.problems.add(datasets.Problem{Source: s.source, Kind: naming.Ambiguous, Count: 1,
					Text: fmt.Sprintf("%02d/%02d: day and month cannot be told apart, and no other date here settles it; give --set day= or {day} in --layout", h.Date.First, h.Date.Second)})
				continue
			}
			h.Date = h.Date.Resolve(order > 0)
		}
		if !h.Date.Known() {
			continue
		}
		if h.Date.Year == 0 && !in.findYear(f, s, &h.Date) {
			continue
		}
		if h.Clock >= 0 && len(s.hosts) == 1 && !isCollected(s.name()) { // pt-stalk waits until something is wrong
			zone := in.tz
			if h.Zone == "UTC" {
				zone = time.UTC
			} else if !in.tzSaid {
				in.note("times without a zone are read as UTC; --tz says otherwise")
			}
			return time.Date(h.Date.Year, time.Month(h.Date.Month), h.Date.Day, 0, 0, 0, 0, zone).Add(h.Clock), ""
		}
		if dated == nil {
			dated = &h
		}
	}
	if dated == nil {
		return time.Time{}, ""
	}
	return time.Time{}, fmt.Sprintf("%04d-%02d-%02d", dated.Date.Year, dated.Date.Month, dated.Date.Day)
}

// findYear completes a date without a year (dstat) from another side file of the
// run, else from one of the same folder, else from the path, else from the time
// of the file, which is said.
func (in *ingest) findYear(f, side *file, d *hoststat.Date) bool {
	for _, s := range f.sides {
		if s.host.Date.Year > 0 && near(s.host.Date, *d) {
			d.Year = s.host.Date.Year
			return true
		}
	}
	years := map[int]bool{}
	for _, s := range in.files {
		if s.kind == hostFile && s.root == side.root && s.host.Date.Year > 0 && s.Folder() == side.Folder() {
			years[s.host.Date.Year] = true
		}
	}
	if len(years) == 1 {
		for d.Year = range years {
		}
		return true
	}
	for _, c := range f.told { // guessed
		if c.name == "day" || c.name == "started_at" {
			var year int
			if n, _ := fmt.Sscanf(c.value.String(), "%4d", &year); n == 1 && year > 1990 {
				d.Year = year
				return true
			}
		}
	}
	if side.mtime == 0 {
		in.problems.add(datasets.Problem{Source: side.source, Kind: "date-without-year", Count: 1,
			Text: fmt.Sprintf("day %d of month %d, and nothing names the year; give --set day= or {day} in --layout", d.Day, d.Month)})
		return false
	}
	// The latest year that does not put the run behind its file.
	written := time.Unix(0, side.mtime).UTC()
	d.Year = written.Year()
	if time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC).After(written.Add(24 * time.Hour)) {
		d.Year--
	}
	in.note("dates without a year (%s) take the year of the file's own time: a guess", strings.ToLower(string(side.host.Kind)))
	return true
}

// near: the same day, or the one before or after, over midnight.
func near(a, b hoststat.Date) bool {
	if !a.Known() {
		return a.Doubtful() && (a.First == b.Day || a.Second == b.Day)
	}
	at := func(d hoststat.Date) time.Time {
		return time.Date(2000, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC)
	}
	days := math.Abs(at(a).Sub(at(b)).Hours() / 24)
	return days <= 1 || days >= 364
}

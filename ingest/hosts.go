package ingest

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/hoststat"
	"noisefloor/ingest/internal/secret"
)

// What a machine did while runs went on, vmstat and the like, belongs to the run
// whose name the file has, or to the only log of its folder; if there are several
// such runs, each gets what was reported between its start and its end.

// readsSeries tells the tools of which more than the head is read.
func readsSeries(k hoststat.Kind) bool { return k != hoststat.InnoDB }

// course is a host file that was read, until all its logs are.
type course struct {
	file    *file
	series  hoststat.Series
	waiting int // logs that are not read yet
	came    bool
}

// window is a run as host statistics see it.
type window struct {
	id      string
	started time.Time
	seconds float64 // NaN: unknown
}

// began is the start in seconds since 1970.
func (w window) began() float64 { return float64(w.started.UnixMicro()) / 1e6 }

// expectHosts notes which logs each host file waits for.
func (in *ingest) expectHosts() {
	in.courses, in.windows, in.waitFor = map[*file]*course{}, map[string][]window{}, map[string][]*course{}
	for _, f := range in.files {
		if f.kind != hostFile || len(f.hosts) == 0 || !readsSeries(f.host.Kind) || f.passed {
			continue
		}
		c := &course{file: f, waiting: len(f.hosts)}
		in.courses[f] = c
		for _, log := range f.hosts {
			in.waitFor[log.source] = append(in.waitFor[log.source], c)
		}
	}
}

// series reads the values of a host file.
func (s *scanner) series(f *file, h *hashingReader) error {
	series, err := hoststat.Scan(f.host.Kind, h, s.in.placed(f, hoststat.Options{Day: f.day, TZ: s.in.tz}), func(p datasets.Problem) {
		p.Source = f.source
		s.problem(p)
	})
	s.part.courses = append(s.part.courses, &course{file: f, series: series})
	return err
}

// holdHosts takes what a part has of runs and of host files, and hands on what is
// complete.
func (in *ingest) holdHosts(sink Sink, p *part) error {
	for i := range p.Runs {
		r := &p.Runs[i]
		if in.waitFor[r.Source] == nil || r.Status == datasets.FailedToStart || r.Status == datasets.HelpText || r.Status == datasets.Empty {
			continue
		}
		w := window{id: r.ID, started: r.Started, seconds: r.Duration}
		if r.Status != datasets.Complete && r.Status != datasets.FatalWithSummary {
			w.seconds = math.NaN() // how long it went on nobody knows
		}
		in.windows[r.Source] = append(in.windows[r.Source], w)
	}
	var ready []*course
	for _, src := range p.Sources {
		for _, c := range in.waitFor[src.Path] {
			if c.waiting--; c.waiting == 0 && c.came {
				ready = append(ready, c)
			}
		}
	}
	for _, came := range p.courses {
		c := in.courses[came.file]
		c.series, c.came = came.series, true
		if c.waiting == 0 {
			ready = append(ready, c)
		}
	}
	for _, c := range ready {
		if err := in.handOnSeries(sink, c); err != nil {
			return err
		}
	}
	return nil
}

// handOnRest hands on the host files some of whose logs could not be opened.
func (in *ingest) handOnRest(sink Sink) error {
	for _, f := range in.files {
		if c := in.courses[f]; c != nil && c.came {
			if err := in.handOnSeries(sink, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// handOnSeries gives the samples of a host file to the runs they belong to.
func (in *ingest) handOnSeries(sink Sink, c *course) error {
	delete(in.courses, c.file)
	f, s := c.file, &c.series
	b := &datasets.Batch{}
	problem := func(kind, text string) {
		b.Problems = append(b.Problems, datasets.Problem{Source: f.source, Kind: kind, Text: text, Count: 1})
	}
	var runs []window
	for _, log := range f.hosts {
		runs = append(runs, in.windows[log.source]...)
	}
	switch {
	case s.Samples.Len() == 0 && s.Reports == 0 && !math.IsNaN(s.Start) && f.host.Kind != hoststat.Sar:
		problem("nothing-measured", "its only report is the average since the start of the machine, or of the processes")
	case s.Samples.Len() == 0:
		problem("nothing-measured", "looks like "+article(string(f.host.Kind))+", but no value is in it")
	case len(runs) == 0:
		problem("series-without-run", "no run got under way in "+f.hosts[0].source+", which it lies beside")
	case len(runs) == 1:
		b.Series = in.oneRun(f, s, runs[0], problem)
	default:
		b.Series = in.severalRuns(f, s, runs, problem)
	}
	in.summary.Samples += b.Series.Len()
	s.Samples = datasets.Samples{}
	if b.Series.Len()+len(b.Problems) == 0 {
		return nil
	}
	in.summary.Problems += len(b.Problems)
	tidy(b, in.cleaned)
	return sink.Add(b)
}

// oneRun gives all that was reported during the run to it.
func (in *ingest) oneRun(f *file, s *hoststat.Series, w window, problem func(kind, text string)) datasets.Samples {
	last := s.Samples.T[s.Samples.Len()-1]
	offset, step := s.Start, 1.0
	switch {
	case s.Clock == hoststat.Reports:
		var fits bool
		if step, fits = reportEvery(s.Reports, w.seconds); !fits {
			problem("interval-guessed", fmt.Sprintf("%s writes no times, and %d reports fit no usual interval in a run of %s: 1 s is assumed", f.host.Kind, s.Reports, lengthWords(w.seconds)))
		}
		in.untimed[string(f.host.Kind)] = append(in.untimed[string(f.host.Kind)], step)
	case f.host.Kind == hoststat.Prometheus && !ofRun(s.Start, last, w):
		problem("series-without-run", fmt.Sprintf("it tells of %s to %s: the run went on at another time, or nobody knows when (another zone? --tz)", clockWords(s.Start), clockWords(last)))
		return datasets.Samples{}
	case s.Clock == hoststat.Moments && !w.started.IsZero():
		began := w.began()
		if last < began || s.Start > began+w.seconds {
			problem("clocks-differ", fmt.Sprintf("it tells of %s to %s and the run began at %s: taken to have begun together (another zone? --tz)", clockWords(s.Start), clockWords(last), clockWords(began)))
			break
		}
		offset = began
	case s.Clock == hoststat.OfDay && !w.started.IsZero():
		if began, fits := in.thatDay(s.Start, last, w); fits {
			offset = began
		}
	}
	kept := s.Samples.Sieve()
	until := w.seconds + max(step, reportSlack)
	for i, t := range s.Samples.T {
		t = (t - offset) * step
		if t < -reportSlack || t > until {
			in.outside++
			continue
		}
		kept.Append(s.Samples.Metric[i], t, s.Samples.Value[i])
	}
	kept.Own(w.id, f.seriesSource)
	return kept
}

// ofRun tells whether an answer of Prometheus, which may be of any time, is of the run.
func ofRun(first, last float64, w window) bool {
	if w.started.IsZero() {
		return last-first <= 1.5*w.seconds
	}
	return last >= w.began() && first <= w.began()+w.seconds
}

// thatDay gives the start of a run as a time of day, on the day of reports that say
// no more than that; fits is false if they are of another time.
func (in *ingest) thatDay(first, last float64, w window) (began float64, fits bool) {
	const day = 24 * 60 * 60
	t := w.started.In(in.tz)
	hour, minute, second := t.Clock()
	began = float64(hour*3600+minute*60+second) + float64(t.Nanosecond())/1e9
	switch {
	case first-began > day/2: // before midnight
		began += day
	case began-first > day/2:
		began -= day
	}
	return began, last >= began && !(first > began+w.seconds)
}

// reportSlack is how many seconds a report may lie outside of the run it belongs
// to: both clocks tell whole seconds.
const reportSlack = 1

// severalRuns gives each run what was reported during it.
func (in *ingest) severalRuns(f *file, s *hoststat.Series, runs []window, problem func(kind, text string)) (kept datasets.Samples) {
	known := 0
	for _, w := range runs {
		if !w.started.IsZero() && w.seconds > 0 {
			known++
		}
	}
	if s.Clock != hoststat.Moments || known == 0 {
		why := "they have no start times"
		if s.Clock != hoststat.Moments {
			why = "it has no times with a date"
		}
		problem("series-without-run", fmt.Sprintf("it lies beside %d runs, and nobody knows what was reported during which: %s", len(runs), why))
		return kept
	}
	if known < len(runs) {
		problem("series-without-run", fmt.Sprintf("%d of the %d runs that it lies beside have no start time, and so get nothing of it", len(runs)-known, len(runs)))
	}
	runs = slices.DeleteFunc(runs, func(w window) bool { return w.started.IsZero() || !(w.seconds > 0) })
	slices.SortStableFunc(runs, func(a, b window) int { return a.started.Compare(b.started) })
	kept = s.Samples.Sieve()
	before := 0 // whose the row before is
	for k, t := range s.Samples.T {
		i := sort.Search(len(runs), func(i int) bool { return runs[i].began() > t })
		if i == 0 || t > runs[i-1].began()+runs[i-1].seconds+reportSlack {
			in.outside++
			continue
		}
		if before > 0 && i != before {
			kept.Own(runs[before-1].id, f.seriesSource)
		}
		before = i
		kept.Append(s.Samples.Metric[k], t-runs[i-1].began(), s.Samples.Value[k])
	}
	if before > 0 {
		kept.Own(runs[before-1].id, f.seriesSource)
	} else {
		problem("series-without-run", fmt.Sprintf("it tells of %s to %s, when none of the %d runs beside it went on (another zone? --tz)", clockWords(s.Start), clockWords(s.Samples.T[s.Samples.Len()-1]), len(runs)))
	}
	return kept
}

func clockWords(epoch float64) string {
	return time.Unix(int64(epoch), 0).UTC().Format("2006-01-02 15:04:05")
}

// usualIntervals are those that people give vmstat and iostat.
var usualIntervals = []float64{1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 300, 600}

// reportEvery guesses how far reports without times are apart: as far as fits the
// run that they were made for. Tools are often started some time before it or
// stopped after.
func reportEvery(reports int, seconds float64) (step float64, fits bool) {
	best := math.Inf(1)
	for _, every := range usualIntervals {
		if off := math.Abs(math.Log(float64(reports) * every / seconds)); off < best {
			best, step = off, every
		}
	}
	if !(best < math.Log(1.5)) {
		return 1, false
	}
	return step, true
}

// sayHosts says what was assumed about times.
func (in *ingest) sayHosts() {
	for _, kind := range sortedKeys(in.untimed) {
		steps := slices.Compact(slices.Sorted(slices.Values(in.untimed[kind])))
		var words []string
		for _, s := range steps {
			words = append(words, fmt.Sprintf("%g s", s))
		}
		in.note("%s writes no times: its reports are taken to be %s apart, as that fits the runs, and to begin with them", kind, strings.Join(words, ", "))
	}
	if in.outside > 0 {
		in.note("%d values of host statistics lie before or after the runs and are left out", in.outside)
	}
}

// nameSeries gives the series of a host file the name of its tool; where a run has
// several files of one tool, of its client and of its server, with the host or the
// name of the file behind it.
func (in *ingest) nameSeries() {
	for _, f := range in.files {
		if f.kind != hostFile {
			continue
		}
		own := f.contents()
		own.seriesSource = string(f.host.Kind)
		for _, log := range f.hosts {
			for _, other := range log.sides {
				if other == f || other.host.Kind != f.host.Kind {
					continue
				}
				which := secret.Clean(f.name())
				if f.host.Host != "" && other.host.Host != "" && f.host.Host != other.host.Host {
					which = f.host.Host
				}
				own.seriesSource = string(f.host.Kind) + " " + which
			}
		}
	}
}

// dateHosts settles the day on which the times of each host file begin.
func (in *ingest) dateHosts(order dateOrder) {
	for _, f := range in.files {
		if f.kind != hostFile || len(f.hosts) == 0 || f.host.Clock < 0 {
			continue
		}
		if c, ok := in.collections[f.collectionOf()]; ok {
			year, month, day := c.from.Date()
			f.contents().day = time.Date(year, month, day, 0, 0, 0, 0, c.from.Location())
			continue
		}
		d := f.host.Date
		if d.Doubtful() && order != 0 {
			d = d.Resolve(order > 0)
		}
		if !d.Known() || d.Year == 0 && !in.findYear(f.hosts[0], f, &d) {
			continue
		}
		zone := in.tz
		if f.host.Zone == "UTC" {
			zone = time.UTC
		}
		f.contents().day = time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, zone)
	}
}

// lengthWords says how long a run was; one that was killed does not tell.
func lengthWords(seconds float64) string {
	if math.IsNaN(seconds) {
		return "unknown length"
	}
	return fmt.Sprintf("%.0f s", seconds)
}

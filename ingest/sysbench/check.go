package sysbench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/datasets"
)

// pace follows the times of the report lines of one run.
type pace struct {
	rows  int
	step  float64 // seconds between report lines; 0: not known yet
	said  bool    // step comes from the option block
	first float64
	last  float64
	at    int     // line number of the last report line
	sum   float64 // transactions or events, from the report lines
	took  float64 // the seconds that are in it
	odd   bool    // a gap, a repeat: the sum means nothing
	cut   int     // line number of ".." since the last report line, 0: none
	cutBy []byte
}

// restarts tells whether a report line at t starts the clock anew: another run
// whose header is missing.
func (p *pace) restarts(t float64) bool {
	return p.rows > 0 && t < p.last && p.step > 0 && t < 1.5*p.step
}

// tick takes the time and rate of the next report line.
func (s *scan) tick(t, tps float64) {
	p := &s.pace
	p.rows++
	p.at = s.rd.Number
	apart := t - p.last
	if p.rows == 1 {
		p.first, apart = t, t
		if !p.said || t == 0 { // an excerpt may start anywhere
			p.last, p.odd = t, true
			return
		}
	}
	if !p.said && p.rows == 2 && apart > 0 {
		p.step = apart
		if p.first > 0 {
			p.step = min(p.first, apart)
		}
	}
	p.last = t
	// Half a step: the times are rounded to seconds.
	if d := apart - p.step; d > -p.step/2 && d < p.step/2 && p.cut == 0 {
		p.sum += tps * apart
		p.took += apart
		return
	}
	switch {
	case apart == 0:
		p.odd = true
		s.note(KindRepeated, fmt.Appendf(nil, "interval %v stands more than once", t))
	case apart < 0:
		p.odd = true
		s.note(KindBackwards, fmt.Appendf(nil, "interval %v comes after interval %v", t, t-apart))
	case p.step > 0 && apart >= 1.5*p.step:
		line := s.rd.Number
		if p.cut > 0 {
			line = p.cut
		}
		s.missing(t-apart, t-p.step, line)
	default:
		p.sum += tps * apart
		p.took += apart
	}
	s.uncut()
}

// missing records that no report line stands for the times after last up to to.
func (s *scan) missing(last, to float64, line int) {
	s.odd = true
	n := math.Round((to - last) / s.step)
	text := fmt.Sprintf("intervals %v..%v missing", last+s.step, last+n*s.step)
	if n == 1 {
		text = fmt.Sprintf("interval %v missing", last+s.step)
	}
	s.tell(KindMissing, line, text)
	s.cut = 0
}

// cutHere remembers a line like "..": the next report line shows what it stands
// for.
func (s *scan) cutHere(b []byte) {
	if s.belongs() != mine {
		return
	}
	s.uncut()
	s.cut, s.cutBy = s.rd.Number, append(s.cutBy[:0], b...)
}

// uncut records a cut that took no report line away, or none that is known.
func (s *scan) uncut() {
	if s.cut > 0 {
		s.problems.Add(KindCut, s.cut, s.cutBy)
		s.cut = 0
	}
}

// check compares the numbers of a run that has ended with each other.
func (s *scan) check() {
	m := s.run.Metrics
	if s.finished && s.rows > 0 && s.step > 0 {
		// The reporter may stop just before its last line is due, so that one line
		// less is normal.
		end := math.Floor(m["duration_s"]/s.step) * s.step
		if end-s.last >= 1.5*s.step || s.cut > 0 && end-s.last >= s.step/2 {
			s.missing(s.last, end, s.at)
		}
	}
	s.uncut()
	if s.checkpoints > 0 && s.finished {
		if s.segments.whole == s.checkpoints {
			s.contradict(KindCheckpoint, "sysbench counts anew at each checkpoint: the totals are added up over %d reports, percentiles left out", s.checkpoints+1)
		} else {
			s.contradict(KindCheckpoint, "the report of a checkpoint is missing, and with it the totals of the run")
		}
		return
	}

	highest := m["latency_max"]
	var above []string
	for name, v := range m {
		if v > highest && highest > 0 && strings.HasPrefix(name, "latency_p") {
			above = append(above, name)
		}
	}
	slices.Sort(above)
	for _, name := range above {
		s.contradict(KindAboveMax, "%s is %v s, latency_max %v s", name, m[name], highest)
	}
	s.clockSteps()
	seconds := m["duration_s"]
	if s.run.Status != datasets.Complete || !(seconds >= 1) {
		return
	}
	for _, of := range [...][2]string{{"transactions", "tps"}, {"queries", "qps"}} {
		count, rate := of[0], of[1]
		n, counted := m[count]
		printed, rated := m[rate]
		// The rates are printed with two decimals; their clock and that of the total
		// time are read one after the other, up to some milliseconds apart.
		rounding := 0.005 + printed*0.01/seconds
		if s.hooked.rounded {
			rounding += printed * 0.5 / seconds
		}
		if counted && rated && math.Abs(n/seconds-printed) > rounding {
			s.contradict(KindRate, "%.0f %s in %v s are %.2f per s, the log says %.2f", n, count, seconds, n/seconds, printed)
		}
	}
	s.checkEvents()
	total, ok := m["transactions"]
	if !ok {
		total, ok = m["events"]
	}
	if rate, printed := m["tps"]; !ok && printed {
		total, ok = rate*seconds, true // a hook prints rates only
	}
	// Only where the report lines cover the run: 2 % of the time missing at the end
	// are 2 % of the sum.
	const tolerance = 0.02
	if !ok || s.odd || s.rows == 0 || !(math.Abs(seconds-s.last) <= tolerance*seconds) {
		return
	}
	if math.Abs(s.sum/s.last-total/seconds) > tolerance*total/seconds {
		s.contradict(KindTotals, "the report lines add up to %.0f in %v s, the summary says %.0f in %v s", s.sum, s.last, total, seconds)
	}
}

// checkEvents holds the number of events against the transactions, of which one is an
// event in the tests that come with sysbench, and against the events of the threads,
// which in 1.1 begin to count at the end of the warm-up, not quite together.
func (s *scan) checkEvents() {
	const tolerance = 0.01
	m := s.run.Metrics
	events, ok := m["events"]
	if !ok || s.run.Clients > 0 {
		return
	}
	differ := func(n float64) bool { return math.Abs(events-n) > tolerance*max(events, n)+1 }
	if n := m["transactions"]; n > 0 && strings.HasPrefix(s.run.Workload, "oltp") && differ(n) {
		s.contradict(KindEvents, "%.0f events, %.0f transactions", events, n)
	}
	if n := m["fairness_events_avg"] * float64(s.run.Threads); n > 0 && differ(n) {
		s.contradict(KindEvents, "%.0f events, and %v of each of the %d threads", events, m["fairness_events_avg"], s.run.Threads)
	}
}

func (s *scan) contradict(kind, format string, args ...any) {
	s.tell(kind, s.run.FirstLine, fmt.Sprintf(format, args...))
}

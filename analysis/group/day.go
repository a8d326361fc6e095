package group

import (
	"cmp"
	"math"
	"slices"
	"time"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

// dayGap separates days: start times closer than this belong to one sitting at
// the machine, also over midnight.
const dayGap = 6 * time.Hour

// placeDays gives every run its day: the declared day; else its session (those
// that began on one calendar date are one day); else start times clustered by
// gaps of six hours, clusters that began on one calendar date joined; else
// unknown. Runs after midnight stay with the cluster they began in.
func (s *survey) placeDays() {
	s.days = make([]string, len(s.runs))
	sessionStart := map[string]time.Time{}
	for i := range s.runs {
		r := &s.runs[i]
		if t := s.started(r); !t.IsZero() && r.Session != "" {
			if was, ok := sessionStart[r.Session]; !ok || t.Before(was) {
				sessionStart[r.Session] = t
			}
		}
	}
	var timed []int // runs that only a clock can place
	for i := range s.runs {
		r := &s.runs[i]
		switch {
		case r.Day != "":
			s.days[i] = r.Day
		case r.Session != "" && !sessionStart[r.Session].IsZero():
			s.days[i] = sessionStart[r.Session].Format(time.DateOnly)
		case r.Session != "":
			s.days[i] = r.Session
		case !s.started(r).IsZero():
			timed = append(timed, i)
		}
	}
	slices.SortStableFunc(timed, func(a, b int) int { return s.runs[a].Started.Compare(s.runs[b].Started) })
	label := ""
	var began time.Time
	for n, i := range timed {
		t := s.runs[i].Started
		if n == 0 || t.Sub(s.runs[timed[n-1]].Started) >= dayGap {
			label, began = t.Format(time.DateOnly), t
		}
		s.days[i] = label
		ends := n == len(timed)-1 || s.runs[timed[n+1]].Started.Sub(t) >= dayGap
		if on := t.Sub(began); ends && on > 24*time.Hour {
			s.warnings = append(s.warnings, analysis.LongSitting{Day: label, Hours: on.Hours()})
		}
	}
	s.orderDays()
}

// started is the start time, zero when unknown. A file's time is only believed
// when asked for: a clone or an untar sets it to now.
func (s *survey) started(r *datasets.Run) time.Time {
	if r.StartedFrom == "mtime" && !s.opt.FromMtime {
		return time.Time{}
	}
	return r.Started
}

// orderDays lists the days by their first start (by name where no time is
// known) and says when two of them lie closer together than days do.
func (s *survey) orderDays() {
	type span struct {
		day         string
		first, last time.Time
	}
	byName := map[string]*span{}
	var spans []*span
	for i, day := range s.days {
		if day == "" {
			continue
		}
		sp := byName[day]
		if sp == nil {
			sp = &span{day: day}
			byName[day] = sp
			spans = append(spans, sp)
		}
		t := s.started(&s.runs[i])
		if t.IsZero() {
			continue
		}
		if sp.first.IsZero() || t.Before(sp.first) {
			sp.first = t
		}
		if t.After(sp.last) {
			sp.last = t
		}
	}
	slices.SortFunc(spans, func(a, b *span) int {
		if a.first.IsZero() || b.first.IsZero() {
			return analysis.Natural(a.day, b.day)
		}
		return cmp.Or(a.first.Compare(b.first), analysis.Natural(a.day, b.day))
	})
	for i, sp := range spans {
		s.design.Days = append(s.design.Days, sp.day)
		if i == 0 || sp.first.IsZero() || spans[i-1].last.IsZero() {
			continue
		}
		if gap := sp.first.Sub(spans[i-1].last); gap < dayGap {
			s.warnings = append(s.warnings, analysis.DaysClose{First: spans[i-1].day, Second: sp.day, Hours: gap.Hours()})
		}
	}
}

// placeSlots says when each run ran relative to the others of its day: by start time
// if every run of the day has one, else by order number, else unknown.
func (s *survey) placeSlots() {
	timed, ordered := map[string]bool{}, map[string]bool{}
	type place struct {
		day   string
		order int
	}
	taken := map[place]bool{} // two runs with one number, as of two sessions: no running order
	for i := range s.runs {
		day := s.days[i]
		if _, seen := timed[day]; !seen {
			timed[day], ordered[day] = true, true
		}
		timed[day] = timed[day] && !s.started(&s.runs[i]).IsZero()
		at := place{day, s.runs[i].Order}
		ordered[day] = ordered[day] && at.order > 0 && !taken[at]
		taken[at] = true
	}
	s.slots = make([]float64, len(s.runs))
	for i := range s.runs {
		switch day := s.days[i]; {
		case timed[day]:
			s.slots[i] = float64(s.runs[i].Started.UnixMicro()) / 1e6
		case ordered[day]:
			s.slots[i] = float64(s.runs[i].Order)
		default:
			s.slots[i] = math.NaN()
		}
	}
}

// placeRuns fills the picture of arms x days x runs.
func (s *survey) placeRuns() {
	s.design.Runs = make([]Placed, 0, len(s.runs))
	for i := range s.runs {
		s.design.Runs = append(s.design.Runs, Placed{
			RunID: s.runs[i].ID, Arm: s.armOf(&s.runs[i]), Day: s.days[i], Launch: s.runs[i].Launch, Slot: s.slots[i],
		})
	}
}

func (s *survey) armOf(r *datasets.Run) string {
	if s.design.By == "" {
		return ""
	}
	return r.Value(s.design.By).String()
}

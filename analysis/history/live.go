package history

// Live is a series that grows. A change whose new level has lasted long enough
// is settled: it stays, and only the points since are looked at again, so that a
// new point costs no more than the level it belongs to. Alarms therefore do not
// flicker as more points come in.
//
// Looking after every new point is looking often, and the false-alarm rate
// holds for each look by itself: it is 1 % unless asked otherwise, and
// docs/history-tables.md has what that comes to over many.
type Live struct {
	opt     Options
	points  []Point
	from    int // first point of the level that is not settled
	settled []Change
	open    []Change
}

// NewLive is an empty series.
func NewLive(opt Options) *Live {
	opt.FalseAlarm = orElse(opt.FalseAlarm, liveFalseAlarm)
	return &Live{opt: opt}
}

// liveFalseAlarm is the rate of one of many looks.
const liveFalseAlarm = .01

// Append adds the newest point and looks at the last level again.
func (l *Live) Append(p Point) {
	l.points = append(l.points, p)
	r := Analyse(l.points[l.from:], l.opt)
	l.open = r.Changes
	for i := range l.open {
		c := &l.open[i]
		c.Before, c.At, c.AtLo, c.AtHi = c.Before+l.from, c.At+l.from, c.AtLo+l.from, c.AtHi+l.from
	}
	for len(l.open) > 0 && len(l.points)-l.open[0].At >= fewestPoints {
		l.from = l.open[0].At
		l.settled = append(l.settled, l.open[0])
		l.open = l.open[1:]
	}
}

// Changes are all that were found so far, the newest last.
func (l *Live) Changes() []Change {
	return append(l.settled[:len(l.settled):len(l.settled)], l.open...)
}

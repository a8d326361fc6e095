package serverstat

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"noisefloor/ingest/internal/lines"
)

// course follows the snapshots of one kind through a text.
type course struct {
	part     *Part
	problems *lines.Problems
	cur      *Snapshot           // being filled; nil between two
	stamped  bool                // the last moment stands at a snapshot already
	relative bool                // mysqladmin --relative
	elapsed  float64             // seconds from the first to the last; NaN once unknown
	times    []float64           // at which there is a value of the series
	series   map[string][]point  // by metric, at the end
	gauges   map[string]*[]point // of levels, by their names
	rates    map[string]*[]point // of counts, by their names
	samples  int
	moments  []float64 // of process lists: when they were taken
}

func newCourse(k Kind, problems *lines.Problems) *course {
	return &course{part: &Part{Kind: k, gauges: map[string]bool{}, broken: map[string]bool{}}, problems: problems, series: map[string][]point{}, gauges: map[string]*[]point{}, rates: map[string]*[]point{}}
}

// point is a value of a series.
type point struct{ t, value float64 }

// maxSamples bounds the series of a text: 150 variables that move, every second for
// three hours.
const maxSamples = 1 << 21

// end ends the snapshot that is being filled.
func (c *course) end() {
	n, p := c.cur, c.part
	c.cur = nil
	if n == nil || len(n.Values) == 0 {
		return
	}
	switch p.Kind {
	case Status:
		c.absolute(n)
	case Sessions:
		n.none(p.gauges)
	}
	p.Snapshots++
	before := p.Last
	p.Last = n
	if before == nil {
		p.First = n
		c.levels(n)
		return
	}
	if p.restarted == "" {
		p.restarted = restarted(before, n)
	}
	seconds, ok := between(before, n)
	if !ok {
		c.elapsed = math.NaN()
	}
	c.elapsed += seconds
	fell := p.fell(before, n)
	if len(fell) > 0 && p.restarted == "" {
		c.wentBack(n, fell[0], before.Values[fell[0]], n.Values[fell[0]])
	}
	c.step(before, n, seconds)
}

func (c *course) wentBack(n *Snapshot, name string, from, to float64) {
	c.problems.Add("went-back", n.Line, fmt.Appendf(nil, "%s fell from %.6g to %.6g: it was reset, or this is another server", name, from, to))
}

// absolute adds the differences of mysqladmin --relative up again.
func (c *course) absolute(n *Snapshot) {
	p := c.part
	c.relative = c.relative || n.relative()
	if !c.relative {
		return
	}
	for _, name := range alwaysWords {
		delete(n.Values, name)
	}
	if p.Last == nil {
		return
	}
	for name, v := range n.Values {
		n.Values[name] = p.Last.Values[name] + v
	}
	n.Uptime = p.Last.Uptime + n.Uptime
}

// restarted says what shows that the server was started again; "" if nothing does.
func restarted(a, b *Snapshot) string {
	if b.Uptime < a.Uptime {
		return fmt.Sprintf("Uptime fell from %.0f to %.0f s: the server was started again", a.Uptime, b.Uptime)
	}
	return ""
}

// fell lists the counts that fell, sorted. Of innodb_metrics not everything says
// what it is: one that falls by itself is a level.
func (p *Part) fell(a, b *Snapshot) (list []string) {
	defer func() {
		if p.Kind == Metrics && len(list)*4 < len(a.Values) {
			for _, name := range list {
				p.gauges[name] = true
				delete(p.broken, name)
			}
			list = nil
		}
	}()
	for name, v := range a.Values {
		if w, ok := b.Values[name]; ok && w < v && !p.level(name) && v-w > b.rounded[name]+a.rounded[name] {
			p.broken[name] = true
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func (p *Part) level(name string) bool {
	if p.Kind != Status {
		return p.gauges[name]
	}
	is, known := p.gauges[name]
	if !known {
		is = Level(name)
		p.gauges[name] = is
	}
	return is
}

// between gives the seconds from one snapshot to another: by the clock, and by the
// server's own where the two disagree, as after a change of the clock.
func between(a, b *Snapshot) (seconds float64, ok bool) {
	up := b.Uptime - a.Uptime
	if a.At.IsZero() || b.At.IsZero() {
		return up, up > 0
	}
	seconds = b.At.Sub(a.At).Seconds()
	if up > 0 && math.Abs(seconds-up) > max(2, up/20) {
		seconds = up
	}
	return seconds, seconds > 0
}

// step adds what happened from one snapshot to the next to the series: counts per
// second, waits as sessions, levels as they are.
func (c *course) step(a, b *Snapshot, seconds float64) {
	if math.IsNaN(c.elapsed) {
		return
	}
	if !(seconds > 0) || b.Uptime < a.Uptime {
		c.levels(b)
		return
	}
	c.stepped(seconds)
	for name, v := range b.Values {
		have := c.rates[name] // a count, unless what moves may turn out to be a level
		if (have == nil || c.part.Kind == Metrics) && c.part.level(name) {
			c.addLevel(name, v)
			continue
		}
		was, known := a.Values[name]
		if !known && c.part.Kind != Waits || v < was {
			continue
		}
		rate := (v - was) / seconds
		if c.part.Kind == Metrics && !worth[name] {
			continue
		}
		if have == nil {
			if rate == 0 {
				continue
			}
			have = new([]point)
			c.rates[name] = have
		}
		c.addRate(have, rate)
	}
	c.ended()
	c.tooLong(b)
}

// addRate adds what happened in the last step to the series of a count, which begins
// with the first that is not 0.
func (c *course) addRate(series *[]point, rate float64) {
	if len(*series) == 0 && rate == 0 {
		return
	}
	if len(*series) == 0 { // it stood still until now
		for _, t := range c.times[:len(c.times)-1] {
			*series = append(*series, c.point(t, 0))
		}
	}
	*series = append(*series, c.point(c.elapsed, rate))
}

// tooLong ends the series where they have become too many.
func (c *course) tooLong(n *Snapshot) {
	if c.samples > maxSamples {
		c.problems.Add("too-long", n.Line, []byte("the values over time from here on are left out, the counts are not"))
		c.elapsed = math.NaN()
	}
}

// stepped notes a step of so many seconds, which ends now and whose counts are known.
func (c *course) stepped(seconds float64) {
	c.times = append(c.times, c.elapsed)
	c.part.steps = append(c.part.steps, [2]float64{c.elapsed - seconds, c.elapsed})
}

func (c *course) point(t, value float64) point {
	c.samples++
	return point{t, value}
}

// levels adds the levels of a snapshot to the series.
func (c *course) levels(n *Snapshot) {
	if math.IsNaN(c.elapsed) {
		return
	}
	for name, v := range n.Values {
		if c.part.level(name) {
			c.addLevel(name, v)
		}
	}
	c.ended()
}

// addLevel adds the level of a snapshot to its series.
func (c *course) addLevel(name string, v float64) {
	if strings.HasPrefix(name, "Uptime") {
		return
	}
	series := c.gauges[name]
	if series == nil {
		series = new([]point)
		c.gauges[name] = series
		for _, t := range c.moments { // no session was in that state before
			*series = append(*series, c.point(t, 0))
		}
	}
	*series = append(*series, c.point(c.elapsed, v))
}

// ended notes when a list of sessions was taken whose levels are known.
func (c *course) ended() {
	if c.part.Kind == Sessions {
		c.moments = append(c.moments, c.elapsed)
	}
}

// finish ends the course at the end of the text. The last of several snapshots may
// have been cut there: what it does not have any more is not what stopped.
func (c *course) finish() {
	p := c.part
	if n := c.cur; n != nil && p.Last != nil && p.Snapshots > 0 && p.Kind != Sessions {
		lost := 0
		for name := range p.Last.Values {
			if _, ok := n.Values[name]; !ok {
				lost++
			}
		}
		ends := n.falling && p.Last.falling && len(n.Values) == len(p.Last.Values) // a list of the largest, whose end changes
		if lost > 0 && !ends && (p.Kind != Waits || lost > len(p.Last.Values)/10) {
			c.problems.Add("cut-snapshot", n.Line, fmt.Appendf(nil, "the last snapshot has %d names less than the one before it and is left out", lost))
			c.cur = nil
		}
	}
	c.end()
	if len(c.times) < 2 && p.Kind == Waits { // a bar is no picture over time
		return
	}
	for name, levels := range c.gauges {
		c.series[name] = *levels
	}
	for name, rates := range c.rates {
		if p.Kind != Waits {
			name += "/s"
		}
		c.series[name] = *rates
	}
	rows := 0
	for name, values := range c.series {
		if p.Kind != Waits && !slices.ContainsFunc(values, func(at point) bool { return at.value != values[0].value }) {
			c.series[name] = values[:1] // it stands still
		}
		rows += len(c.series[name])
	}
	p.Series.Grow(rows)
	for _, name := range sorted(c.series) {
		values := c.series[name]
		metric := p.Series.Number(name)
		for _, at := range values {
			p.Series.Append(metric, at.t, at.value)
		}
	}
	p.Series.Own("", string(p.Kind))
}

func sorted[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

package datasets

import (
	"noisefloor/datasets/unit"
)

// Names of the tables, which are also the names of their folders.
const (
	runsTable       = "runs"
	intervalsTable  = "intervals"
	histogramsTable = "histograms"
	stacksTable     = "stacks"
	countersTable   = "counters"
	waitsTable      = "waits"
	seriesTable     = "series"
	settingsTable   = "settings"
	problemsTable   = "problems"
)

var tableNames = []string{runsTable, intervalsTable, histogramsTable, stacksTable, countersTable, waitsTable, seriesTable, settingsTable, problemsTable}

// cellType is what the cells of a fixed column are.
type cellType int8

const (
	textCell  cellType = iota // dictionary-encoded; "" is null
	floatCell                 // NaN is null
	intCell                   // never null
	listCell                  // of dictionary-encoded texts, never null
)

// layout is a table whose columns never vary: all but runs.
type layout struct {
	name    string
	columns []layoutColumn
}

type layoutColumn struct {
	name string
	cell cellType
	unit unit.Unit
}

func text(name string) layoutColumn   { return layoutColumn{name: name, cell: textCell} }
func texts(name string) layoutColumn  { return layoutColumn{name: name, cell: listCell} }
func whole(name string) layoutColumn  { return layoutColumn{name: name, cell: intCell} }
func metric(name string) layoutColumn { return layoutColumn{name, floatCell, unit.Of(name)} }
func number(name, unitName string) layoutColumn {
	return layoutColumn{name, floatCell, unit.Unit{Name: unitName}}
}

// The order of the columns of one cell type is the order in which
// addIntervals, addBuckets, ... and their readers take them.
var (
	intervalsLayout = &layout{intervalsTable, []layoutColumn{
		text("run_id"), number("t_s", "s"), number("threads", "1"), metric("tps"), metric("qps"),
		metric("reads_per_s"), metric("writes_per_s"), metric("other_per_s"),
		metric("latency_pct"), number("percentile", "%"), metric("errors_per_s"), metric("reconnects_per_s"),
		number("queue_length", "1"), number("concurrency", "1"),
	}}
	histogramsLayout = &layout{histogramsTable, []layoutColumn{text("run_id"), number("value_s", "s"), whole("count")}}
	stacksLayout     = &layout{stacksTable, []layoutColumn{text("run_id"), text("event"), text("comm"), texts("stack"), number("weight", "1"), number("samples", "1")}}
	countersLayout   = &layout{countersTable, []layoutColumn{text("run_id"), text("event"), number("value", "1"), text("unit"), number("running_pct", "%"), text("scope"), number("variance", "1")}}
	waitsLayout      = &layout{waitsTable, []layoutColumn{text("run_id"), text("event"), number("count", "1"), number("sum_s", "s"), number("avg_sessions", "1")}}
	seriesLayout     = &layout{seriesTable, []layoutColumn{text("run_id"), number("t_s", "s"), text("source"), text("metric"), number("value", "1")}}
	settingsLayout   = &layout{settingsTable, []layoutColumn{text("run_id"), text("source"), text("name"), text("value")}}
	problemsLayout   = &layout{problemsTable, []layoutColumn{text("source"), whole("line"), text("kind"), text("text"), whole("count")}}
)

// count gives how many columns have the cell type.
func (l *layout) count(cell cellType) int {
	n := 0
	for _, c := range l.columns {
		if c.cell == cell {
			n++
		}
	}
	return n
}

// rowBytes is what one row takes in memory, its texts and the items of its lists
// apart.
func (l *layout) rowBytes() int64 {
	return 4*int64(l.count(textCell)+l.count(listCell)) + 8*int64(l.count(floatCell)+l.count(intCell))
}

// addIntervals appends n rows of a run, the first of them row from.
func (s *stage) addIntervals(id string, rows *Intervals, from, n int) error {
	code := s.dicts[0].code(id)
	if blocks := rows.packedRows(from, n); blocks != nil && (s.packed != nil || s.bytes()+int64(n)*s.layout.rowBytes() >= s.disk.large) {
		if err := s.pack(); err != nil {
			return err
		}
		s.rows += int64(n)
		return s.packed.addBlocks(code, rows, blocks)
	}
	for to := from + n; from < to; {
		at, n, err := s.room(to - from)
		if err != nil {
			return err
		}
		ids := s.cur.codes[0][at : at+n]
		for i := range ids {
			ids[i] = code
		}
		for k, column := range s.cur.floats {
			if rows.varies[k] {
				copy(column[at:at+n], rows.columns[k][from:])
			} else {
				fill(column[at:at+n], rows.level[k])
			}
		}
		from += n
	}
	return nil
}

// interval is the inverse of addIntervals for one row.
func (v *view) interval(i int, r *Interval) {
	r.RunID = v.text(0, i)
	fillInterval(r, v.floats, i)
}

func (s *stage) addBuckets(rows []Bucket) error {
	for len(rows) > 0 {
		at, n, err := s.room(len(rows))
		if err != nil {
			return err
		}
		for i := range rows[:n] {
			s.cur.codes[0][at+i] = s.dicts[0].code(rows[i].RunID)
			s.cur.floats[0][at+i] = rows[i].Value
			s.cur.ints[0][at+i] = rows[i].Count
		}
		rows = rows[n:]
	}
	return nil
}

func (v *view) bucket(i int, r *Bucket) {
	*r = Bucket{RunID: v.text(0, i), Value: v.floats[0][i], Count: v.ints[0][i]}
}

func (s *stage) addSetting(r *Setting) error {
	at, _, err := s.room(1)
	if err != nil {
		return err
	}
	for k, t := range [...]string{r.RunID, r.Source, r.Name, r.Value} {
		s.cur.codes[k][at] = s.dicts[k].code(t)
	}
	return nil
}

func (v *view) setting(i int, r *Setting) {
	*r = Setting{RunID: v.text(0, i), Source: v.text(1, i), Name: v.text(2, i), Value: v.text(3, i)}
}

func (s *stage) addProblem(r *Problem) error {
	at, _, err := s.room(1)
	if err != nil {
		return err
	}
	for k, t := range [...]string{r.Source, r.Kind, r.Text} {
		s.cur.codes[k][at] = s.dicts[k].code(t)
	}
	s.cur.ints[0][at], s.cur.ints[1][at] = int64(r.Line), int64(r.Count)
	return nil
}

func (v *view) problem(i int, r *Problem) {
	*r = Problem{Source: v.text(0, i), Line: int(v.ints[0][i]), Kind: v.text(1, i), Text: v.text(2, i), Count: int(v.ints[1][i])}
}

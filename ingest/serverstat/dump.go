package serverstat

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/digits"
	"noisefloor/ingest/internal/lines"
)

// ScanDump reads innodb_metrics as a table with a column for each metric and a row
// for each moment, the first cell in seconds since 1970 or in words, in tz:
//
//	timestamp,adaptive_hash_searches,buffer_pool_reads,...
//	1778869636.19,0,14,...
//
//	timestamp,history_list_length
//	2026-04-09 21:36:29,0
//
// A last row without an end may have lost digits and is left out.
func ScanDump(text io.Reader, tz *time.Location, problem func(datasets.Problem)) (*Part, error) {
	var problems lines.Problems
	d := &dump{course: newCourse(Metrics, &problems)}
	err := lines.Each(text, longestRow, func(number int, line []byte, whole bool) {
		line = bytes.TrimRight(line, " \t\r\x00")
		switch {
		case len(line) == 0:
		case d.columns == nil:
			d.heading(string(line))
		case !whole:
			problems.Add("cut-line", number, line)
		case !d.row(number, line, tz):
			problems.Add("unknown-line", number, line)
		}
	})
	d.finish()
	if problem != nil {
		problems.Each(problem)
	}
	return d.part, err
}

const longestRow = 1 << 20

// dump is a course whose snapshots are rows of one table: what they hold is told by
// the place and not by the name, three hundred times a row.
type dump struct {
	*course
	columns []int // what the cells behind the first hold, as index of values; -1: nothing
	values  []dumpValue
	level   []bool // of values
	levels  []int  // those of them that are kept over time
	counts  []int  // likewise of the others
	none    []float64
	now     []float64 // of the row at hand; NaN: none
	first   []float64
	last    []float64
}

// dumpValue is a column.
type dumpValue struct {
	name   string
	series []point // as level, or as rate
	rates  []point // before it turned out to be a level
}

func (d *dump) heading(line string) {
	known := make(map[string]int, strings.Count(line, ","))
	d.columns = []int{}
	for i, name := range strings.Split(strings.ToValidUTF8(line, "\ufffd"), ",") {
		name = strings.Trim(strings.TrimSpace(name), `"`)
		at, ok := known[name]
		switch {
		case i == 0:
			continue
		case name == "" || len(name) > longestName || !ok && len(known) == maxNames:
			at = -1
		case !ok:
			at = len(d.values)
			known[name] = at
			d.values = append(d.values, dumpValue{name: name})
			d.level = append(d.level, metricLevel(name))
			d.none = append(d.none, math.NaN())
		}
		d.columns = append(d.columns, at)
	}
	d.now = make([]float64, len(d.values))
	d.sort()
}

// sort finds the columns that are kept over time.
func (d *dump) sort() {
	d.levels, d.counts = d.levels[:0], d.counts[:0]
	for k, isLevel := range d.level {
		switch name := d.values[k].name; {
		case isLevel && !strings.HasPrefix(name, "Uptime"):
			d.levels = append(d.levels, k)
		case !isLevel && worth[name]:
			d.counts = append(d.counts, k)
		}
	}
}

// isLevel notes that a column is no count.
func (d *dump) isLevel(k int) {
	d.level[k] = true
	c := &d.values[k]
	c.series, c.rates = nil, c.series
	d.sort()
}

// row takes a row.
func (d *dump) row(number int, line []byte, tz *time.Location) bool {
	cell, rest, _ := bytes.Cut(line, []byte(","))
	at, _, err := column.Time(strings.Trim(strings.TrimSpace(string(cell)), `"`), tz)
	if err != nil {
		return false
	}
	copy(d.now, d.none)
	some := false
	for _, k := range d.columns {
		if len(rest) == 0 {
			return false // a row that is shorter than its heading
		}
		v, ok, behind := cutNumber(rest)
		if rest = behind; !ok || k < 0 {
			continue
		}
		some = true
		d.now[k] = v
		if v < 0 && !d.level[k] {
			d.isLevel(k)
		}
	}
	if some {
		d.take(&Snapshot{Line: number, At: at, Uptime: math.NaN()})
	}
	return true
}

// cutNumber reads the first cell of a row and gives what stands behind its comma.
// Most numbers are whole and below 2^53.
func cutNumber(row []byte) (v float64, ok bool, rest []byte) {
	switch whole, n := digits.Whole(row); {
	case n == 0:
	case n == len(row):
		return float64(whole), true, nil
	case row[n] == ',':
		return float64(whole), true, row[n+1:]
	}
	cell, rest, _ := bytes.Cut(row, []byte(","))
	v, err := strconv.ParseFloat(string(bytes.TrimSpace(cell)), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0), rest
}

// take is course.end for the row at hand, whose values n does not have yet.
func (d *dump) take(n *Snapshot) {
	p := d.part
	p.Snapshots++
	before := p.Last
	p.Last = n
	if before == nil {
		p.First = n
		d.first = slices.Clone(d.now)
		d.last = slices.Clone(d.now)
		d.addLevels()
		return
	}
	seconds, ok := between(before, n)
	if !ok {
		d.elapsed = math.NaN()
	}
	d.elapsed += seconds
	d.fallen(n)
	d.rates(n, seconds)
	d.last, d.now = d.now, d.last
}

// fallen is Part.fell.
func (d *dump) fallen(n *Snapshot) {
	var list []int
	for k, v := range d.last {
		if d.now[k] < v && !d.level[k] {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		return
	}
	had := 0
	for _, v := range d.last {
		if v == v {
			had++
		}
	}
	if len(list)*4 < had {
		for _, k := range list {
			d.isLevel(k)
			delete(d.part.broken, d.values[k].name)
		}
		return
	}
	first := list[0]
	for _, k := range list {
		d.part.broken[d.values[k].name] = true
		if d.values[k].name < d.values[first].name {
			first = k
		}
	}
	d.wentBack(n, d.values[first].name, d.last[first], d.now[first])
}

// rates is course.step.
func (d *dump) rates(n *Snapshot, seconds float64) {
	if math.IsNaN(d.elapsed) {
		return
	}
	d.addLevels()
	d.stepped(seconds)
	for _, k := range d.counts {
		if was, v := d.last[k], d.now[k]; v >= was {
			d.addRate(&d.values[k].series, (v-was)/seconds)
		}
	}
	d.tooLong(n)
}

func (d *dump) addLevels() {
	for _, k := range d.levels {
		if v := d.now[k]; v == v {
			d.values[k].series = append(d.values[k].series, d.point(d.elapsed, v))
		}
	}
}

// finish makes a Part of what was counted by place.
func (d *dump) finish() {
	p := d.part
	for k := range d.values {
		c := &d.values[k]
		levels, rates := []point(nil), c.series
		if d.level[k] {
			p.gauges[c.name] = true
			levels, rates = c.series, c.rates
		}
		if len(levels) > 0 {
			d.series[c.name] = levels
		}
		if len(rates) > 0 {
			d.series[c.name+"/s"] = rates
		}
		for _, of := range []struct {
			n      *Snapshot
			values []float64
		}{{p.First, d.first}, {p.Last, d.last}} {
			if of.n == nil {
				continue
			}
			if of.n.Values == nil {
				of.n.Values = make(map[string]float64, len(d.values))
			}
			if of.values[k] == of.values[k] {
				of.n.Values[c.name] = of.values[k]
			}
		}
	}
	d.course.finish()
}

// metricLevel tells by its name what is no count: the table itself says so in its
// column type, but not everybody keeps that.
func metricLevel(name string) bool {
	for _, part := range []string{"_avg_", "_pct_", "_per_call", "_pending_", "_age", "_active_", "_current_", "n_to_flush"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, end := range []string{"_max", "_avg", "_size", "_pages_total", "_pages_data", "_pages_dirty", "_pages_free", "_pages_misc", "_bytes_data", "_bytes_dirty", "_history_len", "history_list_length", "_open_files", "_avg_time", "_locks"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// worth are the counts of innodb_metrics that are kept over time; three hundred every
// second would be more than all else of a run.
var worth = wordSet(`dml_reads dml_inserts dml_updates dml_deletes buffer_pool_reads buffer_pool_wait_free buffer_data_reads buffer_data_written buffer_pages_read buffer_pages_written os_data_reads os_data_writes
	os_data_fsyncs os_log_bytes_written os_log_fsyncs log_write_requests log_writes log_waits buffer_flush_adaptive_total_pages buffer_flush_background_total_pages buffer_flush_sync_total_pages buffer_flush_neighbor_total_pages
	buffer_LRU_batch_flush_total_pages buffer_LRU_get_free_waits lock_deadlocks lock_timeouts lock_row_lock_waits lock_row_lock_time trx_rw_commits trx_ro_commits trx_rollbacks index_page_splits index_page_merge_attempts
	adaptive_hash_searches adaptive_hash_searches_btree ibuf_merges purge_del_mark_records`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

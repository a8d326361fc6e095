package serverstat

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
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
	c := newCourse(Metrics, &problems)
	var names []string
	err := lines.EachWhole(text, longestRow, func(number int, line []byte, whole bool) {
		line = bytes.TrimRight(line, " \t\r\x00")
		switch {
		case len(line) == 0:
		case names == nil:
			for _, name := range strings.Split(strings.ToValidUTF8(string(line), "\ufffd"), ",") {
				names = append(names, strings.Trim(strings.TrimSpace(name), `"`))
			}
		case !whole:
			problems.Add("cut-line", number, line)
		default:
			if !c.dumped(number, line, names, tz) {
				problems.Add("unknown-line", number, line)
			}
		}
	})
	c.finish()
	if problem != nil {
		problems.Each(problem)
	}
	return c.part, err
}

const longestRow = 1 << 20

// dumped takes a row.
func (c *course) dumped(number int, line []byte, names []string, tz *time.Location) bool {
	cell, rest, _ := bytes.Cut(line, []byte(","))
	at, _, err := column.Time(strings.Trim(strings.TrimSpace(string(cell)), `"`), tz)
	if err != nil {
		return false
	}
	n := newSnapshot(number)
	n.At = at
	for _, name := range names[1:] {
		if len(rest) == 0 {
			return false // a row that is shorter than its heading
		}
		cell, rest, _ = bytes.Cut(rest, []byte(","))
		v, err := strconv.ParseFloat(string(bytes.TrimSpace(cell)), 64)
		if err != nil || name == "" {
			continue
		}
		n.set(name, v, false)
		if v < 0 || metricLevel(name) {
			c.part.gauges[name] = true
		}
	}
	c.cur = n
	c.end()
	return true
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

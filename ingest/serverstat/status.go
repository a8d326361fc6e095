package serverstat

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"noisefloor/ingest/internal/digits"
)

// variable takes a row of SHOW GLOBAL STATUS, or of SHOW GLOBAL VARIABLES in the
// same file, whose names begin with a small letter:
//
//	Innodb_rows_read	109413
//	| Threads_running                | 1                                                |
//	Innodb_buffer_pool_load_status	Buffer pool(s) load completed at 261130 17:03:39
//	INNODB_ROWS_READ	109413                    from information_schema
//	innodb_buffer_pool_size	134217728
func (s *scanner) variable(line int, name, value string) {
	name = strings.TrimSpace(name)
	if name == "" || (strings.IndexByte(name, ' ') >= 0 || strings.IndexByte(name, '\t') >= 0) && !isNumber(value) {
		s.problems.Add("unknown-line", line, []byte(name+" "+value))
		return
	}
	if rest, ok := strings.CutPrefix(name, "rocksdb_"); ok && s.courses[Status] != nil && s.courses[Status].cur != nil { // Percona's spelling, among those of a status
		name = "Rocksdb_" + rest
	}
	if c := name[0]; c >= 'a' && c <= 'z' && !strings.HasPrefix(name, "wsrep_") && !strings.HasPrefix(name, "option_tracker") {
		s.found.Settings = append(s.found.Settings, [2]string{name, value})
		return
	}
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.ToUpper(r) != r }) { // as SHOW spells it
		name = name[:1] + strings.ToLower(name[1:])
	}
	n := s.snapshot(Status, line)
	if _, twice := n.Values[name]; twice || n.words[name] {
		s.end(Status)
		n = s.snapshot(Status, line)
	}
	v, err := parsed(strings.TrimSpace(value))
	if err != nil {
		if n.words == nil {
			n.words = map[string]bool{}
		}
		n.words[name] = true
		return
	}
	if v >= 1<<63 { // a difference of the server's own that has gone below zero
		if !Level(name) {
			s.problems.Add("impossible-value", line, []byte(name+" "+value))
		}
		return
	}
	n.add(name, v)
	if name == "Uptime" {
		n.Uptime = v
	}
}

// parsed is strconv.ParseFloat, which few counts need.
func parsed(text string) (float64, error) {
	if v, ok := digits.All(text, 0); ok {
		return v, nil
	}
	return strconv.ParseFloat(text, 64)
}

// levels are the status variables that are no counts since the start of the
// server.
var levels = regexp.MustCompile(`^(?:Threads_(?:running|connected|cached)|Threadpool_.*threads|Open_(?:files|tables|table_definitions|streams)|(?:Slave|Replica)_open_temp_tables|Prepared_stmt_count` +
	`|Key_blocks_.*|Qcache_(?:free_.*|queries_in_cache|total_blocks)|Uptime.*|Max_used_connections|Memory_used.*|Global_connection_memory|Last_query_.*|Compression|Tc_log_.*|Acl_.*|Aria_pagecache_blocks_.*` +
	`|Binlog_snapshot_position|Delayed_insert_threads|Not_flushed_delayed_rows|Innodb_buffer_pool_(?:pages_(?:data|dirty|free|misc|total|latched|old)|bytes_.*|.*_status.*)|Innodb_page_size` +
	`|Innodb_.*pending.*|Innodb_row_lock_(?:current_waits|time_avg|time_max)|Innodb_current_row_locks|Innodb_history_list_length|Innodb_checkpoint_.*|Innodb_mem_.*|Innodb_ibuf_(?:free_list|segment_size|size)` +
	`|Innodb_num_open_files|Innodb_available_undo_logs|Innodb_undo_tablespaces_.*|Innodb_redo_log_(?:resize_status|logical_size|physical_size|capacity_resized|read_only|enabled)|Innodb_.*trx_id.*|Innodb_purge_undo_no` +
	`|Innodb_adaptive_hash_(?:heap_size|cells)|Innodb_(?:read_views_memory|descriptors_memory)|Innodb_encryption_(?:num_key_requests|rotation_estimated_iops)|Innodb_bp_.*|(?:Mysqlx_s|S)sl_(?:ctx_verify_.*|default_timeout|session_cache_size|verify_.*|used_session_.*)` +
	`|Mysqlx_(?:sessions|worker_threads.*|socket|port|address)|Error_log_(?:buffered_bytes|expired_.*|latest_write)|Caching_.*|Rpl_.*(?:status|clients|avg.*)|wsrep_.*(?:_avg|_queue|_size|_min|_max|_conf_id|_index|_interval|_distance|_window|_committed|thread_count|_conf_id)` +
	`|Rocksdb_(?:.*(?:memory|size|_current.*|usage|cache)|memtable_(?:total|unflushed)|num_(?:iterators|snapshots))|Current_tls_.*|Audit_.*size.*|Binlog_(?:gtid_index_.*_avg)|Subquery_cache_.*avg|Resource_group_.*|Net_buffer_length|Performance_schema_session_connect_attrs_longest_seen)$`)

// Level tells a status variable that goes up and down from one that counts.
func Level(name string) bool { return levels.MatchString(name) }

// alwaysWords are variables whose values are words, which mysqladmin --relative
// prints as the number 0.
var alwaysWords = []string{"Innodb_buffer_pool_load_status", "Innodb_buffer_pool_dump_status", "Innodb_buffer_pool_resize_status", "Binlog_snapshot_file", "Compression", "Slave_running", "Innodb_have_atomic_builtins",
	"Innodb_have_punch_hole", "Rsa_public_key", "Ssl_cipher_list", "Ssl_session_cache_mode", "Innodb_redo_log_resize_status", "Current_tls_version", "Tls_library_version", "wsrep_provider_name", "wsrep_cluster_status"}

// relative tells a snapshot of mysqladmin --relative, whose values are differences
// from the one before: the first one too, from nothing.
func (n *Snapshot) relative() bool {
	for _, name := range alwaysWords {
		if v, ok := n.Values[name]; ok && v == 0 {
			return true
		}
	}
	return n.Values["Uptime"] < 0 || n.Values["Threads_running"] < 0 || n.Values["Threads_connected"] < 0 || n.Values["Open_tables"] < 0
}

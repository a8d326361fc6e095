package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"noisefloor/analysis/group"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

// differing is a variable that was not the same for all runs.
type differing struct {
	name   string
	values []string // with their runs: "1 (24 runs)", the commonest first
}

// fleeting variables differ from start to start of a server, or with the place of
// its files, and say nothing about how it was set.
var fleeting = []string{"server_uuid", "server_uid", "pid_file", "socket", "mysqlx_socket", "hostname", "port", "mysqlx_port", "report_host", "report_port", "timestamp", "pseudo_thread_id", "rand_seed1", "rand_seed2",
	"last_insert_id", "identity", "insert_id", "gtid_executed", "gtid_purged", "gtid_binlog_pos", "gtid_binlog_state", "gtid_current_pos", "gtid_slave_pos", "datadir", "basedir", "tmpdir", "slave_load_tmpdir", "replica_load_tmpdir",
	"general_log_file", "slow_query_log_file", "log_error", "log_bin_basename", "log_bin_index", "relay_log_basename", "relay_log_index", "aria_log_dir_path", "innodb_data_home_dir", "innodb_log_group_home_dir",
	"innodb_tmpdir", "plugin_dir", "character_sets_dir", "lc_messages_dir", "secure_file_priv", "innodb_undo_directory", "error_count", "warning_count", "external_user", "proxy_user", "innodb_buffer_pool_filename",
	"innodb_history_list_length", "last_gtid", "server_id", "log_tc_size", "ft_stopword_file", "in_transaction", "error_log"}

// settingsThatDiffer compares the variables of all runs that have some. missing is how
// many only some of the servers have, or only some option files name, and those that
// do agree on.
func settingsThatDiffer(runs []datasets.Run, settings func(func([]datasets.Setting) error) error) (list []differing, missing int, err error) {
	used := map[string]int{} // runs by source
	for i := range runs {
		if v := runs[i].Value(group.SettingsFrom); !v.IsNull() {
			used[v.String()]++
		}
	}
	if len(used) < 2 {
		return nil, 0, nil
	}
	values := map[string]map[string]string{} // by name and source
	err = settings(func(rows []datasets.Setting) error {
		for _, s := range rows {
			if used[s.Source] == 0 || slices.Contains(fleeting, s.Name) {
				continue
			}
			if values[s.Name] == nil {
				values[s.Name] = map[string]string{}
			}
			values[s.Name][s.Source] = group.SpellSetting(s.Value) // the last of two counts
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		runsOf := map[string]int{}
		for source, n := range used {
			if v, ok := values[name][source]; ok {
				runsOf[v] += n
			}
		}
		if len(runsOf) < 2 {
			if len(values[name]) < len(used) {
				missing++
			}
			continue
		}
		d := differing{name: name}
		for _, v := range slices.SortedFunc(maps.Keys(runsOf), func(a, b string) int { return cmp.Or(cmp.Compare(runsOf[b], runsOf[a]), strings.Compare(a, b)) }) {
			shown := v
			if len(shown) > 60 {
				shown = strings.ToValidUTF8(shown[:57], "") + "..."
			}
			d.values = append(d.values, fmt.Sprintf("%s (%d)", shown, runsOf[v]))
		}
		list = append(list, d)
	}
	return list, missing, nil
}

// settingsShown bounds the list in info; two versions differ in a hundred variables.
const settingsShown = 25

func settingsTable(list []differing) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "server setting"}, {Head: "differs (runs)"}}}
	for _, d := range list[:min(len(list), settingsShown)] {
		t.Add(table.Word(d.name), table.Word(some(d.values)))
	}
	return t
}

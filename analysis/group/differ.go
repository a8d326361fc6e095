package group

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"noisefloor/datasets"
)

// Differing is a server setting that was not the same for all runs.
type Differing struct {
	Name   string
	Values []string          // with their runs: "1 (24)", the commonest first
	of     map[string]string // by source
}

// fleeting variables differ from start to start of a server, or with the place of
// its files, and say nothing about how it was set.
var fleeting = []string{"server_uuid", "server_uid", "pid_file", "socket", "mysqlx_socket", "hostname", "port", "mysqlx_port", "report_host", "report_port", "timestamp", "pseudo_thread_id", "rand_seed1", "rand_seed2",
	"last_insert_id", "identity", "insert_id", "gtid_executed", "gtid_purged", "gtid_binlog_pos", "gtid_binlog_state", "gtid_current_pos", "gtid_slave_pos", "datadir", "basedir", "tmpdir", "slave_load_tmpdir", "replica_load_tmpdir",
	"general_log_file", "slow_query_log_file", "log_error", "log_bin_basename", "log_bin_index", "relay_log_basename", "relay_log_index", "aria_log_dir_path", "innodb_data_home_dir", "innodb_log_group_home_dir",
	"innodb_tmpdir", "plugin_dir", "character_sets_dir", "lc_messages_dir", "secure_file_priv", "innodb_undo_directory", "error_count", "warning_count", "external_user", "proxy_user", "innodb_buffer_pool_filename",
	"innodb_history_list_length", "last_gtid", "server_id", "log_tc_size", "ft_stopword_file", "in_transaction", "error_log"}

// DifferingSettings compares the variables of all runs that have some. missing is how
// many only some of the servers have, or only some option files name, and those that
// do agree on.
func DifferingSettings(runs []datasets.Run, settings func(func([]datasets.Setting) error) error) (list []Differing, missing int, err error) {
	used := map[string]int{} // runs by source
	for i := range runs {
		if v := runs[i].Value(SettingsFrom); !v.IsNull() {
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
			values[s.Name][s.Source] = SpellSetting(s.Value) // the last of two counts
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
		d := Differing{Name: name, of: values[name]}
		for _, v := range slices.SortedFunc(maps.Keys(runsOf), func(a, b string) int { return cmp.Or(cmp.Compare(runsOf[b], runsOf[a]), strings.Compare(a, b)) }) {
			shown := v
			if len(shown) > 60 {
				shown = strings.ToValidUTF8(shown[:57], "") + "..."
			}
			d.Values = append(d.Values, fmt.Sprintf("%s (%d)", shown, runsOf[v]))
		}
		list = append(list, d)
	}
	return list, missing, nil
}

// mostSettings: where more than so many settings differ, each in its own way, they
// describe servers and not what was changed.
const mostSettings = 3

// untold names the settings in which runs differ and that no factor tells
// apart: r01.log to r24.log of one server that was set in two ways. Of several that
// say the same, one.
func untold(runs []datasets.Run, columns []datasets.Column, settings func(func([]datasets.Setting) error) error) ([]string, error) {
	for i := range runs {
		if runs[i].Status == datasets.Complete && runs[i].Value(SettingsFrom).IsNull() {
			return nil, nil
		}
	}
	list, _, err := DifferingSettings(runs, settings)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	told := map[string]bool{partition(runs, func(*datasets.Run) string { return "" }): true}
	for _, name := range slices.Concat(builtins, columnNames(columns)) {
		if name != SettingsFrom {
			told[partition(runs, func(r *datasets.Run) string { return r.Value(name).String() })] = true
		}
	}
	slices.SortStableFunc(list, func(a, b Differing) int { return rank(a.Name) - rank(b.Name) }) // the version, of all that comes with it
	var names []string
	for _, d := range list {
		same := partition(runs, func(r *datasets.Run) string { return d.of[r.Value(SettingsFrom).String()] })
		if !told[same] {
			told[same] = true
			names = append(names, d.Name)
		}
	}
	if len(names) > mostSettings {
		return nil, nil
	}
	return names, nil
}

// SettingsOfArms says which server settings change with the arm, each arm having one
// value of its own: what a my.cnf beside each arm tells. Many, as of two versions, are
// counted.
func (d *Design) SettingsOfArms(runs []datasets.Run, settings func(func([]datasets.Setting) error) error) ([]string, error) {
	if d.By == "" || settings == nil {
		return nil, nil
	}
	list, _, err := DifferingSettings(runs, settings)
	if err != nil {
		return nil, err
	}
	type place struct{ source, arm string }
	places := map[place]bool{}
	for i := range runs {
		if arm := runs[i].Value(d.By).String(); slices.Contains(d.Arms, arm) { // a filter may leave two of three
			places[place{runs[i].Value(SettingsFrom).String(), arm}] = true
		}
	}
	var said []string
	for _, s := range list {
		of := map[string]string{} // by arm
		one := s.Name != settingName(strings.TrimPrefix(d.By, settingPrefix))
		for p := range places {
			v, known := s.of[p.source]
			if !known {
				continue
			}
			if was, again := of[p.arm]; again && was != v {
				one = false
			}
			of[p.arm] = v
		}
		if values := slices.Sorted(maps.Values(of)); !one || len(slices.Compact(values)) < 2 {
			continue
		}
		base, contender := of[d.Arms[0]], of[d.Arms[1]]
		if len(d.Arms) == 2 && len(base)+len(contender) <= 40 {
			s.Name += fmt.Sprintf(" (%s for %s, %s for %s)", base, d.Arms[0], contender, d.Arms[1])
		}
		said = append(said, s.Name)
	}
	if len(said) > mostArms {
		return []string{fmt.Sprintf("%d server settings (noisefloor info names them)", len(said))}, nil
	}
	return said, nil
}

func columnNames(columns []datasets.Column) (names []string) {
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}

// partition tells how a value splits the complete runs: equal texts, equal splits.
func partition(runs []datasets.Run, value func(*datasets.Run) string) string {
	var b strings.Builder
	place := map[string]int{}
	for i := range runs {
		if runs[i].Status != datasets.Complete {
			continue
		}
		v := value(&runs[i])
		if _, ok := place[v]; !ok {
			place[v] = len(place)
		}
		fmt.Fprintf(&b, "%d ", place[v])
	}
	return b.String()
}

package group

import (
	"fmt"
	"strings"
	"testing"

	"noisefloor/datasets"
)

func TestSettingsAsFactors(t *testing.T) {
	given := []datasets.Setting{
		{Source: "a/vars", Name: "innodb_buffer_pool_size", Value: "8589934592"}, {Source: "b/my.cnf", Name: "innodb-buffer-pool-size", Value: "16G"},
		{Source: "a/vars", Name: "innodb_flush_neighbors", Value: "OFF"}, {Source: "b/my.cnf", Name: "innodb_flush_neighbors", Value: "1"},
		{Source: "a/vars", Name: "innodb_io_capacity", Value: "10.000000"}, {Source: "b/my.cnf", Name: "innodb_io_capacity", Value: "10"},
		{Source: "a/vars", Name: "long_query_time", Value: "1"}, {Source: "b/my.cnf", Name: "long_query_time", Value: "0.5"},
		{Source: "a/vars", Name: "version", Value: "8.0.42"}, {Source: "b/my.cnf", Name: "sync_binlog", Value: "0"},
		{Source: "elsewhere", Name: "back_log", Value: "80"},
	}
	settings := func(yield func([]datasets.Setting) error) error { return yield(given) }
	fresh := func() ([]datasets.Run, []datasets.Column) {
		runs, columns := rows(t, "arm version tps\nx 8.0.36 1.\nx 8.0.37 1.\ny 8.0.36 1.\ny 8.0.37 1.\n")
		for i := range runs {
			runs[i].Factors[SettingsFrom] = datasets.Text([]string{"a/vars", "b/my.cnf"}[i/2])
		}
		return runs, append(columns, datasets.Column{Name: SettingsFrom, Kind: datasets.TextKind, Role: datasets.Key})
	}
	for _, c := range []struct {
		name string
		opt  Options
		want string // arms, or what the error says
	}{
		{"a size of an option file is bytes", Options{By: "innodb_buffer_pool_size"}, "8589934592 17179869184"},
		{"with the prefix", Options{By: "setting:innodb_buffer_pool_size"}, "8589934592 17179869184"},
		{"as option files spell it", Options{By: "setting:innodb-buffer-pool-size"}, "8589934592 17179869184"},
		{"1 is ON", Options{By: "innodb_flush_neighbors"}, "OFF ON"},
		{"fractions", Options{By: "long_query_time"}, "0.5 1"},
		{"equal numbers", Options{By: "innodb_io_capacity"}, "all runs have the same innodb_io_capacity"},
		{"a factor of the name goes first", Options{By: "version"}, "8.0.36 8.0.37"},
		{"unless the setting is meant", Options{By: "setting:version"}, "all runs have the same setting:version"},
		{"of some servers only", Options{By: "sync_binlog"}, "all runs have the same sync_binlog"},
		{"of another server", Options{By: "setting:back_log"}, "setting:back_log: no run has this server setting, of 6 that there are"},
		{"a slip", Options{By: "setting:innodb_bufer_pool_size"}, `did you mean "innodb_buffer_pool_size"?`},
		{"a slip without the prefix", Options{By: "innodb_bufer_pool_size"}, `no factor and no server setting is called "innodb_bufer_pool_size"; did you mean "innodb_buffer_pool_size"?`},
		{"a factor's slip", Options{By: "versio"}, `did you mean "version"?`},
		{"a condition", Options{By: "version", Where: []string{"innodb_buffer_pool_size>9e9 && arm==y"}}, "8.0.36 8.0.37"},
		{"that nothing meets", Options{Where: []string{"innodb_buffer_pool_size<1"}}, "none of the 4 runs matches"},
	} {
		runs, columns := fresh()
		with, more, err := Settings(runs, columns, settings, c.opt)
		var d Design
		if err == nil {
			d, _, _, err = Analyse(with, more, c.opt)
		}
		got := strings.Join(d.Arms, " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if len(runs[0].Factors) != 3 {
			t.Fatalf("%s: the runs given were changed: %v", c.name, runs[0].Factors)
		}
	}
	runs, columns := rows(t, "arm tps\nx 1.\ny 1.\n")
	if _, _, err := Settings(runs, columns, settings, Options{By: "setting:sync_binlog"}); err == nil || !strings.Contains(err.Error(), "no run has server settings") {
		t.Errorf("%v", err)
	}
	if _, same, err := Settings(runs, columns, nil, Options{By: "sync_binlog"}); err != nil || len(same) != len(columns) {
		t.Errorf("without settings: %v, %v", same, err)
	}
}

// Where names do not tell what was changed, the server's own settings may.
func TestSettingsThatNothingTells(t *testing.T) {
	settings := func(yield func([]datasets.Setting) error) error {
		return yield([]datasets.Setting{{Source: "a", Name: "innodb_flush_log_at_trx_commit", Value: "1"}, {Source: "b", Name: "innodb_flush_log_at_trx_commit", Value: "2"},
			{Source: "a", Name: "sync_binlog", Value: "1"}, {Source: "b", Name: "sync_binlog", Value: "30"}, {Source: "a", Name: "hostname", Value: "h"}, {Source: "b", Name: "hostname", Value: "i"}})
	}
	for _, c := range []struct{ name, rows, want string }{
		{"two that come together", "rep tps\n1 1.\n2 1.\n1 1.\n2 1.\n", "innodb_flush_log_at_trx_commit"},
		{"an arm says it", "arm tps\nx 1.\nx 1.\ny 1.\ny 1.\n", "arm"},
	} {
		runs, columns := rows(t, c.rows)
		for i := range runs {
			runs[i].Factors[SettingsFrom] = datasets.Text([]string{"a", "b"}[i/2])
		}
		columns = append(columns, datasets.Column{Name: SettingsFrom, Kind: datasets.TextKind, Role: datasets.Key})
		with, more, err := Settings(runs, columns, settings, Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, _, _, err := Analyse(with, more, Options{})
		if err != nil || d.By != c.want {
			t.Errorf("%s: compared %q, want %q (%v)", c.name, d.By, c.want, err)
		}
	}
}

func TestSettingsOfArms(t *testing.T) {
	given := []datasets.Setting{
		{Source: "x", Name: "sync_binlog", Value: "1"}, {Source: "y", Name: "sync_binlog", Value: "0"}, {Source: "y2", Name: "sync_binlog", Value: "0"},
		{Source: "x", Name: "innodb_io_capacity", Value: "200"}, {Source: "y", Name: "innodb_io_capacity", Value: "200"}, {Source: "y2", Name: "innodb_io_capacity", Value: "400"},
		{Source: "x", Name: "init_connect", Value: strings.Repeat("a", 40)}, {Source: "y", Name: "init_connect", Value: "b"}, {Source: "y2", Name: "init_connect", Value: "b"},
		{Source: "y", Name: "back_log", Value: "80"},
	}
	settings := func(yield func([]datasets.Setting) error) error { return yield(given) }
	runs, columns := rows(t, "arm tps\nx 1.\nx 1.\ny 1.\ny 1.\n")
	for i, source := range []string{"x", "x", "y", "y2"} {
		runs[i].Factors[SettingsFrom] = datasets.Text(source)
	}
	d, _, _, err := Analyse(runs, columns, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.SettingsOfArms(runs, settings); err != nil || strings.Join(got, "; ") != "init_connect; sync_binlog (1 for x, 0 for y)" {
		t.Errorf("%q, %v", got, err)
	}
	for i := range mostArms { // as of two versions
		for _, source := range []string{"x", "y", "y2"} {
			given = append(given, datasets.Setting{Source: source, Name: fmt.Sprint("setting", i), Value: source[:1]})
		}
	}
	if got, err := d.SettingsOfArms(runs, settings); err != nil || strings.Join(got, "; ") != "14 server settings (noisefloor info names them)" {
		t.Errorf("%q, %v", got, err)
	}
}

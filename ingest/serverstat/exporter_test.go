package serverstat

import "testing"

// scrape is what mysqld_exporter 0.14.0 serves, a few of its two thousand lines.
func scrape(uptime, selects, reads, dirty, running string) string {
	return `# HELP go_goroutines Number of goroutines that currently exist.
# TYPE go_goroutines gauge
go_goroutines 10
# HELP mysql_exporter_collector_duration_seconds Collector time duration.
# TYPE mysql_exporter_collector_duration_seconds gauge
mysql_exporter_collector_duration_seconds{collector="collect.global_status"} 0.002379714
# HELP mysql_global_status_buffer_pool_pages Innodb buffer pool pages by state.
# TYPE mysql_global_status_buffer_pool_pages gauge
mysql_global_status_buffer_pool_pages{state="dirty"} ` + dirty + `
# HELP mysql_global_status_commands_total Total number of executed MySQL commands.
# TYPE mysql_global_status_commands_total counter
mysql_global_status_commands_total{command="select"} ` + selects + `
# TYPE mysql_global_status_innodb_row_ops_total counter
mysql_global_status_innodb_row_ops_total{operation="read"} ` + reads + `
# TYPE mysql_global_status_threads_running untyped
mysql_global_status_threads_running ` + running + `
# TYPE mysql_global_status_uptime untyped
mysql_global_status_uptime ` + uptime + `
mysql_global_variables_innodb_buffer_pool_size 1.34217728e+08
mysql_version_info{innodb_version="10.11.19",version="10.11.19-MariaDB"} 1
`
}

// SHOW GLOBAL STATUS beside two real answers of the exporter gave the same 441 counts.
func TestExporter(t *testing.T) {
	before, after := scrape("86", "1.61552e+06", "100", "5", "2"), scrape("96", "1.61652e+06", "350", "4", "3")
	if Sniff([]byte(before)) != Status {
		t.Errorf("taken for %q", Sniff([]byte(before)))
	}
	pair(t, unknown, before, after, "setting innodb_buffer_pool_size = 134217728", "setting innodb_buffer_pool_size = 134217728",
		"[server] Com_select = 1000", "[server] Innodb_rows_read = 250", "[server] seconds elapsed = 10s",
		"0 s: Innodb_buffer_pool_pages_dirty 5", "0 s: Threads_running 2", "10 s: Innodb_buffer_pool_pages_dirty 4", "10 s: Threads_running 3")
	if k := Sniff([]byte("# HELP node_load1 1m load average.\n# TYPE node_load1 gauge\nnode_load1 0.32\n")); k != "" {
		t.Errorf("taken for %q", k)
	}
}

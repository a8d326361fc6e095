package serverstat

import (
	"regexp"
	"strconv"
	"strings"
)

// What mysqld_exporter serves at /metrics, kept before and after a run with curl: the
// status in the words of Prometheus, the variables, and much else:
//
//	# HELP mysql_global_status_uptime Generic metric from SHOW GLOBAL STATUS.
//	# TYPE mysql_global_status_uptime untyped
//	mysql_global_status_uptime 86
//	mysql_global_status_commands_total{command="select"} 1.61552e+06
//	mysql_global_variables_innodb_buffer_pool_size 1.34217728e+08
var (
	exported  = regexp.MustCompile(`^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|Inf|NaN)|NaN)(?: \d+)?$`)
	exporters = regexp.MustCompile(`^(?:mysqld?|go|process|promhttp|node|scrape)_`)
	oneLabel  = regexp.MustCompile(`^(\w+)="([^"]*)"$`)
)

// families are the metrics into which the exporter puts several variables.
var families = map[string]string{"commands_total": "Com_", "handlers_total": "Handler_", "innodb_row_ops_total": "Innodb_rows_", "buffer_pool_pages": "Innodb_buffer_pool_pages_",
	"buffer_pool_page_changes_total": "Innodb_buffer_pool_pages_", "connection_errors_total": "Connection_errors_", "performance_schema_lost_total": "Performance_schema_"}

// Exported gives the status variable that a metric of the exporter is about; "" if it
// is about none. of is the value of its only label.
func Exported(metric, of string) string {
	name, ok := strings.CutPrefix(metric, "mysql_global_status_")
	switch {
	case !ok || name == "":
		return ""
	case families[name] != "":
		if of == "" {
			return ""
		}
		return families[name] + of
	case of != "":
		return ""
	case name == "buffer_pool_dirty_pages":
		return "Innodb_buffer_pool_pages_dirty"
	case strings.HasPrefix(name, "wsrep_"):
		return name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// exporter takes a line of the exporter; what is not of the status or a variable says
// nothing about the server.
func (s *scanner) exporter(number int, line string) bool {
	m := exported.FindStringSubmatch(line)
	if m == nil || !exporters.MatchString(m[1]) {
		return false
	}
	of := ""
	if m[2] != "" {
		label := oneLabel.FindStringSubmatch(m[2])
		if label == nil {
			return true
		}
		of = label[2]
	}
	if name, ok := strings.CutPrefix(m[1], "mysql_global_variables_"); ok && m[2] == "" {
		if v, err := strconv.ParseFloat(m[3], 64); err == nil {
			s.found.Settings = append(s.found.Settings, [2]string{name, strconv.FormatFloat(v, 'f', -1, 64)})
		}
	} else if name := Exported(m[1], of); name != "" {
		s.variable(number, name, m[3])
	}
	return true
}

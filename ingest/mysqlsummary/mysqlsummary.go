// Package mysqlsummary reads the report of pt-mysql-summary: how the server of a
// run was set, as far as the report tells it, by the names of its variables.
//
// The counts in it ("Status Counters") are rounded to one digit or two, and of the
// time since the server began: they say nothing about a run and are not read. Its
// option file is handed on line by line.
package mysqlsummary

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/pattern"
)

var (
	title   = pattern.MustCompile(`(?m)^# (?:Percona Toolkit MySQL Summary Report|Instances) #{5,}\r?$`)
	section = regexp.MustCompile(`^# (\S.*?) #{4,}$`)
	row     = regexp.MustCompile(`^ *(\S.*?) *\| ?(.*)$`)
	name    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// Sniff tells whether a text begins like such a report.
func Sniff(head []byte) bool { return title.Match(head) }

// names of variables by section and key; of the sections that stand here without
// keys, these are the names of variables themselves. What is a state of the moment
// (Buffer Pool Fill, Checkpoint Age) is not here.
var names = map[string]map[string]string{
	"Report On Port": {"Hostname": "hostname", "Version": "version", "Datadir": "datadir"},
	"Table cache":    {"Size": "table_open_cache"},
	"MyISAM":         {"Key Cache": "key_buffer_size"},
	"InnoDB": {"Version": "innodb_version", "Buffer Pool Size": "innodb_buffer_pool_size", "File Per Table": "innodb_file_per_table", "Page Size": "innodb_page_size", "Log File Size": "innodb_log_file_size",
		"Log Buffer Size": "innodb_log_buffer_size", "Flush Method": "innodb_flush_method", "Flush Log At Commit": "innodb_flush_log_at_trx_commit", "Checksums": "innodb_checksums", "Doublewrite": "innodb_doublewrite",
		"I/O Capacity": "innodb_io_capacity", "Thread Concurrency": "innodb_thread_concurrency", "Concurrency Tickets": "innodb_concurrency_tickets", "Commit Concurrency": "innodb_commit_concurrency",
		"Txn Isolation Level": "tx_isolation", "Adaptive Flushing": "innodb_adaptive_flushing", "Adaptive Checkpoint": "innodb_adaptive_checkpoint"},
	"Binary Logging":       {},
	"Noteworthy Variables": {},
}

const configFile = "Configuration File"

const longest = 64 << 10

// Scan reads a report:
//
//	# Percona Toolkit MySQL Summary Report #######################
//	# Report On Port 12345 #######################################
//	                  Version | 8.0.32-24 Percona Server (GPL), Release 24
//	# Status Counters (Wait 10 Seconds) ##########################
//	Variable                                Per day  Per second     11 secs
//	Bytes_received                          3000000          35         600
//	# InnoDB #####################################################
//	         Buffer Pool Size | 16.0M
//	            Log File Size | 2 * 5.0M = 10.0M
//	# Noteworthy Variables #######################################
//	     Auto-Inc Incr/Offset | 1/1
//	         join_buffer_size | 256k
//	log_queries_not_using_indexes | OFF
//	# Configuration File #########################################
//	              Config File | /etc/mysql/my.cnf
//
//	[mysqld]
//	innodb_buffer_pool_size             = 16M
//	# The End ####################################################
//
// Sizes are rounded, as they stand there. Of several reports in one file the first
// is read. The error is that of the reader.
func Scan(text io.Reader, setting func(name, value string), option func(line string), problem func(datasets.Problem)) error {
	s := scanner{setting: setting, option: option}
	var bare []byte
	err := lines.Each(text, longest, func(number int, line []byte, whole bool) {
		bare = lines.Bare(bare[:0], line)
		line = bytes.TrimRight(bare, " \t\r\x00")
		switch {
		case s.over || len(line) == 0:
		case !whole:
			s.problems.Add("cut-line", number, line)
		default:
			s.line(number, line)
		}
	})
	if problem != nil {
		s.problems.Each(problem)
	}
	return err
}

type scanner struct {
	setting  func(name, value string)
	option   func(line string)
	problems lines.Problems
	section  string
	reports  int
	over     bool
}

func (s *scanner) line(number int, line []byte) {
	text := strings.ToValidUTF8(string(line), "\ufffd")
	if m := section.FindStringSubmatch(text); m != nil {
		s.section, _, _ = strings.Cut(m[1], " On Port ")
		if s.section == "Report" {
			s.section = "Report On Port"
			if s.reports++; s.reports > 1 {
				s.over = true
				s.problems.Add("several-reports", number, []byte("another report begins: the first is read"))
			}
		}
		return
	}
	if s.section == configFile {
		if !strings.Contains(text, " | ") {
			s.option(text)
		}
		return
	}
	keys, wanted := names[s.section]
	if !wanted {
		return
	}
	m := row.FindStringSubmatch(text)
	if m == nil {
		s.problems.Add("unknown-line", number, line)
		return
	}
	variable := keys[m[1]]
	if variable == "" && len(keys) == 0 && name.MatchString(m[1]) {
		variable = m[1]
	}
	value := strings.TrimSpace(m[2])
	if variable == "version" { // 8.0.32-24 Percona Server (GPL), Release 24
		value, _, _ = strings.Cut(value, " ")
	}
	if variable != "" && value != "" {
		s.setting(variable, value)
	}
}

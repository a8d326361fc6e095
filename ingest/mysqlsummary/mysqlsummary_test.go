package mysqlsummary

import (
	"io"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

func told(text io.Reader) (list []scantest.Record, err error) {
	var problems []scantest.Record
	err = Scan(text, func(name, value string) {
		list = append(list, scantest.Record{Text: name + "=" + value})
	}, func(line string) {
		list = append(list, scantest.Record{Text: "option " + line})
	}, func(p datasets.Problem) { problems = append(problems, scantest.Problem(p)) })
	return append(list, problems...), err
}

func says(t *testing.T, text string, want ...string) {
	t.Helper()
	if !Sniff([]byte(text)) {
		t.Errorf("nobody's:\n%.100s", text)
	}
	scantest.Finds(t, told, text, want...)
}

// The values are those of the file, read by eye.
func TestRecorded(t *testing.T) {
	says(t, scantest.Recorded(t)["testdata/mariadb-10.11.txt"], "hostname=vm", "version=10.11.19-MariaDB-0+deb12u1", "datadir=/srv/db/d/", "table_open_cache=2000", "key_buffer_size=128.0M",
		"default_storage_engine=InnoDB", "flush_time=0", "sql_mode=STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION", "join_buffer_size=256k", "sort_buffer_size=2M", "read_buffer_size=128k",
		"read_rnd_buffer_size=256k", "bulk_insert_buffer=0.00", "max_heap_table_size=16M", "tmp_table_size=16M", "max_allowed_packet=16M", "thread_stack=292k", "log_warnings=2", "log_queries_not_using_indexes=OFF", "log_slave_updates=OFF",
		"option [client-server]", "option socket                              = /run/mysqld/mysqld.sock")
}

// What MySQL 8.0 and Percona Server have besides, after the source of
// pt-mysql-summary 3.5; a second report behind the first; a report that was cut.
const written = `# Percona Toolkit MySQL Summary Report #######################
# Report On Port 3306 ########################################
                  Version | 8.0.36-28 Percona Server (GPL), Release 28
# Processlist ################################################
  Command                        COUNT(*) Working SUM(Time) MAX(Time)
# InnoDB #####################################################
         Buffer Pool Size | 12.0G
         Buffer Pool Fill | 25%
            Log File Size | 2 * 2.0G = 4.0G
               XA Support |
      Flush Log At Commit | 1
           Checkpoint Age | 0
# Binary Logging #############################################
                  Binlogs | 2
              sync_binlog | 1
broken
# Configuration File #########################################
              Config File | /etc/my.cnf

[client]
password                            = hunter2
[mysqld]
innodb_buffer_pool_size             = 12G
# The End ####################################################
`

func TestWritten(t *testing.T) {
	want := []string{"version=8.0.36-28", "innodb_buffer_pool_size=12.0G", "innodb_log_file_size=2 * 2.0G = 4.0G", "innodb_flush_log_at_trx_commit=1", "sync_binlog=1",
		"option [client]", "option password                            = hunter2", "option [mysqld]", "option innodb_buffer_pool_size             = 12G", "@16 unknown-line 1: broken"}
	says(t, written, want...)
	says(t, written+written, append(want, "@26 several-reports 1: another report begins: the first is read")...)
	says(t, written[:strings.Index(written, "| 12.0G")+4], "version=8.0.36-28", "@7 cut-line 1:          Buffer Pool Size | 12")
	if Sniff([]byte("# Instances of a class\n# MySQL Summary\n")) {
		t.Error("prose is taken for a report")
	}
}

func TestScanner(t *testing.T) {
	scantest.Check(t, told, written, scantest.Recorded(t)["testdata/mariadb-10.11.txt"])
}

func TestCut(t *testing.T) {
	scantest.Cut(t, told, scantest.Partly, written, scantest.Recorded(t)["testdata/mariadb-10.11.txt"])
}

func FuzzScan(f *testing.F) {
	for _, text := range scantest.Recorded(f) {
		f.Add([]byte(text))
	}
	f.Add([]byte(written))
	f.Fuzz(func(t *testing.T, text []byte) {
		Sniff(text)
		list, err := told(strings.NewReader(string(text)))
		for _, r := range list {
			if err != nil || len(r.Text) > longest+100 || r.Text == "" {
				t.Fatalf("%v %v", r, err)
			}
		}
	})
}

package ingest

import (
	"io"
	"slices"
	"strings"
	"testing"

	"noisefloor/ingest/internal/scantest"
)

func variablesIn(text io.Reader) (found []scantest.Record, err error) {
	cut := 0
	found, err = settingsIn(func(text io.Reader, add func(name, value string)) error {
		return readVariables(text, add, func(line int) { cut = line })
	})(text)
	if cut > 0 {
		found = append(found, scantest.Record{Line: cut, Text: "cut"})
	}
	return found, err
}

func settingsIn(read func(io.Reader, func(name, value string)) error) scantest.Scan {
	return func(text io.Reader) (found []scantest.Record, err error) {
		err = read(text, func(name, value string) { found = append(found, scantest.Record{Text: name + "=" + value}) })
		return found, err
	}
}

func checkSettings(t *testing.T, read scantest.Scan, text string, want ...string) {
	t.Helper()
	found, err := read(strings.NewReader(text))
	var got []string
	for _, r := range found {
		got = append(got, r.Text)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%.40q: %v\ngot  %q\nwant %q", text, err, got, want)
	}
}

func TestVariables(t *testing.T) {
	checkSettings(t, variablesIn, "mysql: [Warning] Using a password on the command line interface can be insecure.\nVariable_name\tValue\nautocommit\tON\nbasedir\t\n", "autocommit=ON", "basedir=")
	checkSettings(t, variablesIn, "+----+----+\n| Variable_name | Value |\n+----+----+\n| autocommit | ON |\n| sep | a|b |\n+----+----+\n", "autocommit=ON", "sep=a|b")
	checkSettings(t, variablesIn, "*** 1. row ***\nVariable_name: autocommit\n        Value: ON\n*** 2. row ***\nVariable_name: basedir\n        Value:\n", "autocommit=ON", "basedir=")
	checkSettings(t, variablesIn, "report_password\thunter2\nautocommit\tON\n", "report_password=(removed)", "autocommit=ON")
}

func TestOptionFile(t *testing.T) {
	checkSettings(t, settingsIn(readOptions), "# c\n[mysqld]\ninnodb-buffer-pool-size = 12G # big\nskip_name_resolve\n!include x\n[mysqld-8.0]\nport=1\n[client]\nport = 3306\n[mysqldump]\nquick\n",
		"innodb_buffer_pool_size=12G", "skip_name_resolve=ON", "port=1", "client.port=3306", "mysqldump.quick=ON")
	checkSettings(t, settingsIn(readOptions), "[client]\npassword hunter2\nreport_password | hunter2\nuser\n", "client.user=ON") // no option names
	checkSettings(t, settingsIn(readOptions), "[mysqld]\ninit_connect=\"SET a # b\"\nmax_connections=1\nmax_connections=2\n", "init_connect=SET a # b", "max_connections=1", "max_connections=2")
}

func TestLooseOption(t *testing.T) {
	checkSettings(t, settingsIn(readOptions), "[mysqld]\nloose-innodb-x = 1\n", "innodb_x=1")
}

func TestSettingsRulesOfEveryScanner(t *testing.T) {
	scantest.Check(t, variablesIn, "Variable_name\tValue\nautocommit\tON\n", "| a | b |\n", "Variable_name: a\nValue: b\n", "")
	scantest.Check(t, settingsIn(readOptions), "[mysqld]\na=b # c\nskip-x\n[client]\nport=1\n", "")
	scantest.Cut(t, variablesIn, scantest.Partly, "Variable_name\tValue\nautocommit\tON\nmax_connections\t151\n", "+----+----+\n| Variable_name | Value |\n+----+----+\n| autocommit | ON |\n| max_connections | 151 |\n+----+----+\n",
		"*** 1. row ***\nVariable_name: autocommit\n        Value: ON\n*** 2. row ***\nVariable_name: max_connections\n        Value: 151\n")
}

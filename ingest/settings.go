package ingest

import (
	"io"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
	"noisefloor/ingest/internal/secret"
	"noisefloor/ingest/mysqlsummary"
)

const (
	maxSettings = 5000 // of one file; a server has about 900 variables
	maxValue    = 4096
)

// readVariables reads SHOW GLOBAL VARIABLES as the client prints it: in columns
// with tabs, in a drawn table, or one below the other:
//
//	autocommit	ON
//	| autocommit | ON |
//	Variable_name: autocommit
//	        Value: ON
//
// A last line without an end has lost a part of its value and goes to cut.
func readVariables(in io.Reader, add func(name, value string), cut func(line int)) error {
	name := ""
	return eachLine(in, func(number int, line string, whole bool) {
		trimmed := strings.TrimSpace(line)
		switch {
		case !whole && trimmed != "" && !strings.HasPrefix(trimmed, "+--"):
			cut(number)
		case strings.HasPrefix(trimmed, "+--"), strings.HasPrefix(trimmed, "****"), strings.HasPrefix(trimmed, "mysql: [Warning]"):
		case strings.HasPrefix(trimmed, "|"):
			cells := strings.SplitN(strings.Trim(trimmed, "|"), "|", 2)
			if len(cells) == 2 {
				setting(cells[0], cells[1], add)
			}
		case strings.HasPrefix(trimmed, "Variable_name: "):
			name = strings.TrimPrefix(trimmed, "Variable_name: ")
		case name != "" && strings.HasPrefix(trimmed, "Value:"):
			setting(name, strings.TrimPrefix(trimmed, "Value:"), add)
			name = ""
		default:
			if key, value, ok := strings.Cut(line, "\t"); ok {
				setting(key, value, add)
			}
		}
	})
}

// serverSummary reads the report of pt-mysql-summary: what it says about variables,
// and of its option file what it says besides.
func (s *scanner) serverSummary(f *file, in io.Reader) error {
	said := map[string]bool{}
	var options strings.Builder
	err := mysqlsummary.Scan(in, func(name, value string) {
		said[name] = true
		setting(name, value, s.setting(f))
	}, func(line string) { options.WriteString(line + "\n") }, func(p datasets.Problem) {
		p.Source = f.source
		s.problem(p)
	})
	if err != nil {
		return err
	}
	return readOptions(strings.NewReader(options.String()), func(name, value string) {
		if !said[name] {
			s.setting(f)(name, value)
		}
	})
}

// serverSections of an option file are read by the server itself; the options of
// other programs keep the section in their name.
var serverSections = map[string]bool{"mysqld": true, "mariadb": true, "mariadbd": true, "server": true, "mysql_server": true}

// readOptions reads a my.cnf: "-" and "_" are the same in names, an option
// without a value is ON, the last of two counts and comes last. A last line without
// an end is read: the editors of people leave it out as often as a cut does.
func readOptions(in io.Reader, add func(name, value string)) error {
	section := ""
	return eachLine(in, func(_ int, line string, _ bool) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' || line[0] == '!' {
			return
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[] \t")
			return
		}
		key, value, hasValue := strings.Cut(line, "=")
		key = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(key), "-", "_"), "loose_") // loose-: whoever does not know it passes it by
		value = strings.TrimSpace(value)
		if i := strings.Index(value, " #"); i >= 0 && !strings.HasPrefix(value, `"`) && !strings.HasPrefix(value, "'") {
			value = strings.TrimSpace(value[:i])
		}
		value = strings.Trim(value, `"'`)
		if !hasValue {
			value = "ON"
		}
		if base, _, _ := strings.Cut(section, "-"); section != "" && !serverSections[base] {
			key = section + "." + key
		}
		setting(key, value, add)
	})
}

func setting(name, value string, add func(name, value string)) {
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case name == "" || name == "Variable_name" || len(name) > 128 || strings.ContainsAny(name, " \t|"): // in what is no name may be a password
		return
	case secret.Name(name) && !secret.Plain(name, value):
		value = secret.Removed
	default:
		value = secret.Clean(value)
	}
	if len(value) > maxValue {
		value = value[:maxValue]
	}
	add(strings.ToValidUTF8(secret.Clean(name), "\uFFFD"), strings.ToValidUTF8(value, "\uFFFD"))
}

// eachLine calls use for every line; a line longer than a megabyte is cut.
func eachLine(in io.Reader, use func(number int, line string, whole bool)) error {
	const longest = 1 << 20
	return lines.Each(in, longest, func(number int, line []byte, whole bool) {
		if number <= maxSettings*4 {
			use(number, strings.TrimRight(string(line), "\r\x00"), whole)
		}
	})
}

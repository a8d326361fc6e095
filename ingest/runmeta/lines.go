package runmeta

import (
	"bytes"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
)

var (
	section = regexp.MustCompile(`^\[{1,2}\s*[\w.\- "']{1,60}\s*\]{1,2}$`)
	// The key of a line: up to three words, of which the first begins with a letter. "12:30",
	// "http://x", "a:b" and a command with its options, "mysqld --port=3306", are none.
	keyed = regexp.MustCompile(`^(?:export\s+)?["']?(\pL[\pL\pN_.\-/]{0,47}(?: [\pL\pN_./()][\pL\pN_.\-/()]{0,23}){0,2})["']?\s*(?:=|:(?:\s|$))`)
	entry = regexp.MustCompile(`^\s*-(?:\s|$)`)
)

// Sniff tells whether the beginning of a file looks like a map of keys and
// values. Every line must: one line of prose, and it is not.
func Sniff(head []byte, whole bool) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	text := bytes.TrimRight(bytes.TrimSpace(head), "\x00")
	if len(text) == 0 {
		return false
	}
	if text[0] == '{' {
		rest := bytes.TrimLeft(text[1:], " \t\r\n")
		return len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'' || rest[0] == '}' || rest[0] == '/') && !records(text)
	}
	if !whole { // the last line may be cut
		if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
			text = text[:i]
		}
	}
	found, rows := 0, 0
	cells := -1     // of each line so far, 0: not all have as many
	deeper := false // inside a nested YAML value
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, " \t\r\n")
		trimmed := strings.TrimSpace(line)
		indented := trimmed != line
		switch {
		case trimmed == "" || trimmed == "---" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";"):
		case section.MatchString(trimmed):
			deeper = false
		case isMessage(trimmed):
		case keyed.MatchString(trimmed) && !strings.HasPrefix(afterKey(trimmed), "//"):
			found++
			if n := strings.Count(trimmed, ","); n == cells || cells < 0 {
				cells, rows = n, rows+1
			} else {
				cells = 0
			}
			deeper = strings.HasSuffix(trimmed, ":") || strings.HasSuffix(trimmed, "|") || strings.HasSuffix(trimmed, ">") || deeper && indented
		case deeper && (indented || entry.MatchString(line)):
		default:
			return false
		}
	}
	if rows == found && rows >= someRows && cells >= 2 {
		return false // scan_range=100,5869,5030,4311: a table without headings
	}
	return found > 0
}

// someRows is how many lines of equally many cells make a table.
const someRows = 3

// records tells a stream of JSON objects, one a line, from one object.
func records(text []byte) bool {
	first, rest, more := bytes.Cut(text, []byte("\n"))
	first, rest = bytes.TrimSpace(first), bytes.TrimSpace(rest)
	return more && len(first) > 1 && first[len(first)-1] == '}' && len(rest) > 0 && rest[0] == '{'
}

// isMessage: what a program says (mysql: [Warning] Using a password) has a colon,
// and what another requires (pandas==1.3) an equals sign, and neither is a value.
func isMessage(line string) bool { return message.MatchString(line) }

var message = regexp.MustCompile(`^[\w.\-/]+(?:: \[(?:Warning|Note|ERROR|Error)\]|==\d)`)

func afterKey(line string) string { return line[len(keyed.FindString(line)):] }

// style tells key = value from key: value by the first line that has either.
func style(text []byte) byte {
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";") {
			continue
		}
		if section.MatchString(trimmed) {
			return '='
		}
		if m := strings.TrimRight(keyed.FindString(trimmed), " \t"); m != "" {
			return m[len(m)-1]
		}
	}
	return ':'
}

// parseLines reads what is no strict YAML or TOML: key = value and key: value,
// with or without [sections], quotes and comments. The names of sections are
// joined to their keys.
func parseLines(text []byte) (Map, error) {
	c := newCollector()
	prefix := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' || line == "---" {
			continue
		}
		if section.MatchString(line) {
			prefix = strings.Trim(line, "[] \"'")
			continue
		}
		m := keyed.FindStringSubmatch(line)
		if m == nil || isMessage(line) {
			continue
		}
		value, quoted := unquote(strings.TrimSpace(afterKey(line)))
		if quoted {
			c.add(join(prefix, m[1]), datasets.Text(value))
		} else {
			c.text(join(prefix, m[1]), value)
		}
	}
	if len(c.m.Entries)+len(c.m.Secrets) == 0 {
		return c.m, ErrNotMap
	}
	return c.m, nil
}

// unquote takes off quotes, or else a comment behind the value.
func unquote(value string) (string, bool) {
	if len(value) > 1 && (value[0] == '"' || value[0] == '\'') {
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			return value[1 : 1+end], true
		}
	}
	for _, mark := range []string{" #", "\t#", " ;"} {
		if i := strings.Index(value, mark); i >= 0 {
			value = strings.TrimSpace(value[:i])
		}
	}
	return value, false
}

// versionIn finds how a version was written, because a parser that makes a number
// of 9.10 has lost it.
func versionIn(text []byte, key string) (string, bool) {
	if !strings.HasSuffix(column.Name(key), "version") {
		return "", false
	}
	m := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(key) + `\s*=\s*([0-9][0-9.]*)\s*(?:#.*)?$`).FindSubmatch(text)
	if m == nil {
		return "", false
	}
	return string(m[1]), true
}

// Package runmeta reads what people write down about their runs beside the
// logs: a JSON, YAML or TOML map, an INI file, or lines of "key: value" or
// key=value, also slightly broken ones. It gives the keys as column names and
// the values with their types. Values whose key says password, token or key are
// never given, only the key.
package runmeta

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
	"unique"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/secret"
)

// MaxSize is the longest file that is taken for a map about a run; the longest
// seen beside real logs is a PMM export of 200 kB.
const MaxSize = 1 << 20

const (
	maxEntries = 2000
	maxDepth   = 32   // of nested maps
	maxText    = 4096 // bytes of one value
)

// Map is what one file says. Keys of nested maps are joined by "_".
type Map struct {
	Entries []Entry // in the order of the file; each key once, the first wins
	Secrets []string
	Unread  []string // keys of lists that hold more than plain values, and of texts of several lines
	Twice   []string // keys that came again with another value
}

// Entry is one key with its value.
type Entry struct {
	Key   string
	Value datasets.Value
}

// ErrNotMap: this is no map of keys and values at all.
var ErrNotMap = errors.New("not a map of keys and values")

// Get gives the value of a key.
func (m *Map) Get(key string) (datasets.Value, bool) {
	for _, e := range m.Entries {
		if e.Key == key {
			return e.Value, true
		}
	}
	return datasets.Value{}, false
}

// Without is the map without the keys of one nested map, and without room for more:
// a folder may have 100 000.
func (m Map) Without(prefix string) Map {
	m.Entries = slices.DeleteFunc(slices.Clone(m.Entries), func(e Entry) bool { return e.Key == prefix || strings.HasPrefix(e.Key, prefix+"_") })
	return m
}

// envelope are the keys in which an API says that it has answered, and what.
var envelope = []string{"status", "success", "ok", "code", "status_code", "error", "errors", "message", "msg", "warnings", "infos", "result_type", "data_result_type", "api_version"}

// bare leaves out the envelope of an answer of an API, {"status":"success",
// "data":{...}}: nothing of it is about a run.
func (m Map) bare() Map {
	if !slices.ContainsFunc(m.Entries, func(e Entry) bool {
		return slices.Contains([]string{"status", "success", "ok", "code"}, e.Key) && slices.Contains([]string{"success", "ok", "true", "0", "200"}, strings.ToLower(e.Value.String()))
	}) || !slices.ContainsFunc(m.Entries, func(e Entry) bool {
		return strings.HasPrefix(e.Key, "data_") || strings.HasPrefix(e.Key, "result_")
	}) {
		return m
	}
	kept := m
	kept.Entries = nil
	for _, e := range m.Entries {
		if !slices.Contains(envelope, e.Key) {
			kept.Entries = append(kept.Entries, e)
		}
	}
	return kept
}

// withoutData takes the values out of a Secret of Kubernetes, whose keys may be called
// anything.
func (m Map) withoutData() Map {
	if v, _ := m.Get("kind"); v != datasets.Text("Secret") {
		return m
	}
	m.Entries = slices.DeleteFunc(m.Entries, func(e Entry) bool {
		isData := strings.HasPrefix(e.Key, "data_") || strings.HasPrefix(e.Key, "string_data_")
		if isData {
			m.Secrets = append(m.Secrets, e.Key)
		}
		return isData
	})
	return m
}

// Parse reads a map. The error says what broke; what was read before it is given
// too. ErrNotMap means that there was nothing to read.
func Parse(data []byte) (m Map, err error) {
	defer func() {
		// A stranger's text must not end the ingest, whatever a parser makes of it.
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser gave up: %v", r)
		}
	}()
	if len(data) > MaxSize {
		return Map{}, fmt.Errorf("longer than %d bytes", MaxSize)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.TrimRight(data, "\x00 \t\r\n") // the NUL tail of a crashed machine
	text := bytes.TrimSpace(data)
	if len(text) == 0 || !utf8.Valid(text) {
		return Map{}, ErrNotMap
	}
	if text[0] == '{' {
		m, err := parseJSON(text)
		return m.withoutData().bare(), err
	}
	if text[0] == '[' && !section.Match(firstLine(text)) {
		return Map{}, ErrNotMap
	}
	if style(text) == '=' {
		if m, err := parseTOML(text); err == nil {
			return m, nil
		}
		return parseLines(text)
	}
	if m, err := parseYAML(data); err == nil {
		return m.withoutData(), nil
	}
	return parseLines(text)
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.TrimSpace(line)
}

// collector fills a Map.
type collector struct {
	m    Map
	seen map[string]datasets.Value
}

func newCollector() *collector { return &collector{seen: map[string]datasets.Value{}} }

// text adds a value as it was written, unquoted: its type is guessed.
func (c *collector) text(key, value string) {
	c.add(key, column.Value(column.Name(key), value))
}

func (c *collector) add(key string, v datasets.Value) {
	name := column.Name(secret.Clean(key))
	if name == "" || v.IsNull() {
		return
	}
	if (secret.Name(key) || secret.Name(name)) && !secret.Plain(name, v.String()) {
		c.m.Secrets = append(c.m.Secrets, name)
		return
	}
	if v.Kind() == datasets.TextKind {
		s := secret.Clean(v.String())
		if strings.Contains(strings.TrimSpace(s), "\n") { // a script in a manifest, notes: no condition
			c.m.Unread = append(c.m.Unread, name)
			return
		}
		if len(s) > maxText {
			s = strings.ToValidUTF8(s[:maxText], "")
		}
		if s == "" {
			return
		}
		v = datasets.Text(s)
	}
	if was, ok := c.seen[name]; ok {
		if was != v {
			c.m.Twice = append(c.m.Twice, name)
		}
		return
	}
	if len(c.m.Entries) >= maxEntries {
		return
	}
	c.seen[name] = v
	c.m.Entries = append(c.m.Entries, Entry{unique.Make(name).Value(), v})
}

func (c *collector) list(key string, plain []string, whole bool) {
	if !whole {
		c.m.Unread = append(c.m.Unread, column.Name(secret.Clean(key)))
		return
	}
	c.add(key, datasets.Text(strings.Join(plain, " ")))
}

func join(prefix, key string) string {
	if prefix == "" {
		return key
	}
	return prefix + "_" + key
}

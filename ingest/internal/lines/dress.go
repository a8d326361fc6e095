package lines

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// BOM is the byte order mark in UTF-8.
var BOM = []byte("\ufeff")

// Bare copies text to dst without colour codes and other terminal sequences.
func Bare(dst, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			dst = append(dst, text[i])
			continue
		}
		i += sequence(text[i:]) - 1
	}
	return dst
}

// Uncoloured is Bare for a line that has such sequences only before its text and behind
// it, which needs no copy.
func Uncoloured(text []byte) (bare []byte, ok bool) {
	for len(text) > 0 && text[0] == 0x1b {
		text = text[sequence(text):]
	}
	first := bytes.IndexByte(text, 0x1b)
	if first < 0 {
		return text, true
	}
	for rest := text[first:]; len(rest) > 0; rest = rest[sequence(rest):] {
		if rest[0] != 0x1b {
			return nil, false
		}
	}
	return text[:first], true
}

// sequence is the length of the one that text begins with.
func sequence(text []byte) int {
	if len(text) < 2 {
		return len(text)
	}
	i := 2
	switch text[1] {
	case '[': // ESC [ 1;31 m: parameters, then one letter
		for i < len(text) && (text[i] < '@' || text[i] > '~') {
			i++
		}
	case ']': // ESC ] title BEL
		for i < len(text) && text[i] != 7 {
			i++
		}
	default:
		return i
	}
	return min(i+1, len(text))
}

// Undress takes one layer of what others put in front of a line, or returns b
// itself.
//
//	> [ 1s ] thds: 8 tps: …                                        quoted
//	| [ 1s ] thds: 8 tps: … |                                      table cell
//	2026-01-31 12:00:01 [ 1s ] thds: 8 tps: …                      ts, harness
//	2026-01-31T12:00:01.123456789Z [ 1s ] thds: …                  docker logs -t, kubectl --timestamps
//	2026-01-31T12:00:01.123456789Z stdout F [ 1s ] …               container runtime file
//	[12:00:01.123] [ 1s ] thds: 8 tps: …
//	Jan 31 12:00:01 [ 1s ] thds: 8 tps: …                          ts
//	Jan 31 12:00:01 bench1 sysbench[4711]: [ 1s ] …                journald
//	1769860801.123 [ 1s ] thds: …                                  ts %.s
//	sysbench-1  | [ 1s ] thds: 8 …                                 docker compose
//	[pod/bench-x7k/sysbench] [ 1s ] thds: …                        kubectl --prefix
//	bench-x7k2p sysbench [ 1s ] thds: …                            stern
//	bench01: [ 1s ] thds: 8 …                                      pdsh, clush
//	bench01<tab>[ 1s ] thds: 8 …                                   parallel --tag
//	CPU 0 sysbench 1.0.11 (using bundled LuaJIT …)                 a harness of several processes
//	<14>1 2026-01-31T12:00:01Z bench1 sysbench 4711 - - [ 1s ] …   syslog, RFC 5424
//	2026-01-31 12:00:01,849 41b2ddaa MainThread INFO     [ 1s ] …  a harness in Python
//	{"log":"[ 1s ] thds: …\n","stream":"stdout","time":"2026-…"}   docker, json-file
//	{"MESSAGE":"[ 1s ] thds: …","_HOSTNAME":"bench1", …}           journalctl -o json
//	<pre><code>[ 1s ] thds: 8 …                          a page on the web
//	"[ 1s ] thds: 8 …",                                            stdout_lines of Ansible
//	Sat 2026-01-31 12:00:01 UTC bench1 sysbench[4711]: [ 1s ] …    journalctl -o short-full
//	[  100.123456] bench1 sysbench[4711]: [ 1s ] …                 journalctl -o short-monotonic
//	2026-01-31T12:00:01.123456Z 01O [ 1s ] thds: …                 GitLab
func Undress(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	for _, quote := range [...]string{">", "|", "│"} {
		if rest, ok := bytes.CutPrefix(b, []byte(quote)); ok {
			rest = bytes.TrimSuffix(bytes.TrimSpace(rest), []byte(quote))
			return bytes.TrimSpace(rest)
		}
	}
	switch b[0] {
	case '{':
		return wrapped(b)
	case '"':
		return unquoted(b)
	}
	b = unranked(b)
	if rest, ok := untagged(b); ok {
		return rest
	}
	if bytes.HasPrefix(b, []byte("[pod/")) {
		if i := bytes.IndexByte(b, ']'); i > 0 {
			return bytes.TrimSpace(b[i+1:])
		}
	}
	if rest, ok := shaped(b, "CPU d"); ok && (len(rest) == 0 || rest[0] == ' ') {
		return bytes.TrimSpace(rest)
	}
	if rest, ok := stamped(b); ok {
		return logged(rest)
	}
	// A service name of docker compose has no blanks but those of the padding.
	if i := bytes.IndexByte(b[:min(len(b), 64)], '|'); i > 0 && (i+1 == len(b) || b[i+1] == ' ') {
		name := bytes.TrimRight(b[:i], " ")
		if len(name) > 0 && !bytes.ContainsAny(name, " \t[") {
			return bytes.TrimSpace(b[i+1:])
		}
	}
	if rest, ok := found(b); ok {
		return rest
	}
	if rest, ok := named(b); ok {
		return rest
	}
	return b
}

// found returns what follows a file name, a line number or both, as grep and cat -n
// write them.
func found(b []byte) (rest []byte, ok bool) {
	n := bytes.IndexAny(b[:min(len(b), 256)], ": \t")
	if n <= 0 || b[n] == ' ' || bytes.HasPrefix(b[n:], []byte("://")) {
		return nil, false
	}
	numbered := len(bytes.Trim(b[:n], "0123456789")) == 0
	switch rest = b[n+1:]; {
	case b[n] == '\t' && !numbered, numbered && len(rest) > 0 && rest[0]-'0' <= 9: // 12:00
		return nil, false
	case !numbered && (bytes.IndexByte(b[:n], '.') <= 0 || len(bytes.Trim(b[:n], "0123456789.")) == 0): // 10.0.0.1:3306
		return nil, false
	}
	return bytes.TrimSpace(rest), true
}

// untagged takes the first tag of a page off a line.
func untagged(b []byte) (rest []byte, ok bool) {
	if i := bytes.IndexByte(b, '>'); i > 0 && isTag(b) {
		return bytes.TrimSpace(b[i+1:]), true
	}
	return b, false
}

// Untagged takes the tags of a page off the end of a line, and hard blanks out of it.
func Untagged(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == '>' {
		i := bytes.LastIndexByte(b, '<')
		if i < 0 || !isTag(b[i:]) {
			break
		}
		b = bytes.TrimSpace(b[:i])
	}
	for _, hard := range [...][]byte{[]byte("&nbsp;"), []byte("\u00a0")} {
		if bytes.Contains(b, hard) {
			b = bytes.TrimSpace(bytes.ReplaceAll(b, hard, []byte(" ")))
		}
	}
	return b
}

func isTag(b []byte) bool { return len(b) > 2 && b[0] == '<' && (b[1] == '/' || b[1]|0x20-'a' < 26) }

// named returns what follows the name of a host or of a pod and its container: of
// words that are a name and nothing else, since they have a digit, a point or a
// hyphen.
func named(b []byte) (rest []byte, ok bool) {
	n := bytes.IndexFunc(b[:min(len(b), 64)], func(r rune) bool {
		return !(r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-')
	})
	if n <= 0 || b[0] == '-' || !bytes.ContainsAny(b[:n], "0123456789.-") || len(bytes.Trim(b[:n], "0123456789.-")) == 0 {
		return nil, false
	}
	rest = b[n+1:]
	switch {
	case b[n] == '\t', b[n] == ':' && (len(rest) == 0 || rest[0] == ' '):
		return bytes.TrimSpace(rest), true
	case b[n] == ' ':
		container, line, _ := bytes.Cut(rest, []byte(" "))
		if len(container) > 0 && len(bytes.Trim(container, "abcdefghijklmnopqrstuvwxyz0123456789-")) == 0 && bytes.IndexByte(b[:n], '-') > 0 {
			return bytes.TrimSpace(line), true
		}
	}
	return nil, false
}

// wrapped returns the line that a logging service put into an object of JSON, or b
// itself.
func wrapped(b []byte) []byte {
	if !bytes.Contains(b, []byte(`"log"`)) && !bytes.Contains(b, []byte(`"MESSAGE"`)) {
		return b
	}
	if text := dockerLine(b); text != nil {
		return text
	}
	var object struct {
		Log     *string `json:"log"`
		Message *string `json:"MESSAGE"`
	}
	if json.Unmarshal(b, &object) != nil {
		return b
	}
	for _, text := range [...]*string{object.Log, object.Message} {
		if text != nil && len(*text) < len(b) {
			return bytes.TrimSpace([]byte(*text))
		}
	}
	return b
}

// dockerLine returns the line in an object as Docker writes it, if nothing in it is
// escaped but its end; nil for any other object.
func dockerLine(b []byte) []byte {
	text, ok := bytes.CutPrefix(b, []byte(`{"log":"`))
	end := bytes.IndexByte(text, '"')
	if !ok || end < 0 {
		return nil
	}
	text, rest := text[:end], text[end:]
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte(`\n`)), []byte(`\r`))
	stamp, ok := bytes.CutPrefix(rest, []byte(`","stream":"stdout","time":"`))
	stamp, closed := bytes.CutSuffix(stamp, []byte(`"}`))
	if !ok || !closed || len(bytes.Trim(stamp, "0123456789-:.TZ+")) > 0 || bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '\\' || r == utf8.RuneError }) {
		return nil
	}
	return bytes.TrimSpace(text)
}

// unquoted returns the line that stands as one text in a list of JSON, or b itself.
func unquoted(b []byte) []byte {
	var text string
	if item := bytes.TrimSuffix(b, []byte(",")); len(item) < 2 || item[len(item)-1] != '"' || json.Unmarshal(item, &text) != nil || len(text) >= len(b) {
		return b
	}
	return bytes.TrimSpace([]byte(text))
}

// unranked takes off the priority of syslog, <14> or <14>1.
func unranked(b []byte) []byte {
	if b[0] != '<' {
		return b
	}
	rest := bytes.TrimLeft(b[1:], "0123456789")
	if len(rest) < 2 || rest[0] != '>' || len(b)-len(rest) == 1 {
		return b
	}
	return bytes.TrimPrefix(rest[1:], []byte("1 "))
}

// stamped returns what follows a time stamp at the start of b.
func stamped(b []byte) (rest []byte, ok bool) {
	rest = b
	closing := byte(0)
	switch b[0] {
	case '[':
		closing, rest = ']', b[1:]
		if n := len(bytes.TrimLeft(rest, " 0123456789")); n < len(rest) { // since the machine started
			if after, ok := shaped(rest[len(rest)-n:], ".dddddd]"); ok && len(after) > 0 && after[0] == ' ' {
				return bytes.TrimSpace(after), true
			}
		}
	case '(':
		closing, rest = ')', b[1:]
	}
	day := false
	if after, ok := shaped(rest, "Aaa dddd-"); ok { // the day of the week
		rest = rest[len(rest)-len(after)-len("dddd-"):]
	}
	for _, shape := range [...]string{"dddd-dd-dd", "dddd/dd/dd", "Aaa dd", "Aaa _d"} {
		if after, ok := shaped(rest, shape); ok && len(after) > 0 && (after[0] == ' ' || after[0] == 'T') {
			rest, day = after[1:], true
			break
		}
	}
	after, ok := shaped(rest, "dd:dd:dd")
	if !ok && !day {
		after, ok = shaped(rest, "dddddddddd") // seconds since 1970
	}
	if !ok {
		return nil, false
	}
	// Fraction, then zone: Z, +02:00, +0200, " UTC".
	if len(after) > 0 && (after[0] == '.' || after[0] == ',') {
		after = bytes.TrimLeft(after[1:], "0123456789")
	}
	if zone, ok := bytes.CutPrefix(after, []byte(" UTC")); ok {
		after = zone
	}
	if len(after) > 0 && (after[0] == 'Z' || after[0] == '+' || after[0] == '-') {
		after = bytes.TrimLeft(after[1:], "0123456789:")
	}
	if closing != 0 {
		if len(after) == 0 || after[0] != closing {
			return nil, false
		}
		after = after[1:]
	}
	after = bytes.TrimLeft(after, ":|-")
	if len(after) > 0 && after[0] != ' ' && after[0] != '\t' {
		return nil, false
	}
	return bytes.TrimSpace(after), true
}

// shaped tells whether b starts with the shape (d digit, _ blank, A and a
// letters, anything else itself) and returns the rest.
func shaped(b []byte, shape string) ([]byte, bool) {
	if len(b) < len(shape) {
		return nil, false
	}
	for i := range len(shape) {
		c := b[i]
		ok := c == shape[i]
		switch shape[i] {
		case 'd':
			ok = c-'0' <= 9
		case '_':
			ok = c == ' '
		case 'A':
			ok = c-'A' <= 'Z'-'A'
		case 'a':
			ok = c-'a' <= 'z'-'a'
		}
		if !ok {
			return nil, false
		}
	}
	return b[len(shape):], true
}

// logged takes off what a logging service or a harness writes between the time and
// the line: host and process, stream and flag, or the level.
func logged(b []byte) []byte {
	for _, stream := range [...]string{"stdout F", "stderr F", "stdout P", "stderr P"} {
		if rest, ok := bytes.CutPrefix(b, []byte(stream)); ok && (len(rest) == 0 || rest[0] == ' ') {
			return bytes.TrimSpace(rest)
		}
	}
	for _, stream := range [...]string{"ddO", "ddE"} { // of GitLab; + goes on with the line before
		if rest, ok := shaped(b, stream); ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '+') {
			return bytes.TrimSpace(bytes.TrimPrefix(rest, []byte("+")))
		}
	}
	// "bench1 sysbench[4711]: " has its process number before the first "]:".
	if i := bytes.Index(b[:min(len(b), 160)], []byte("]:")); i > 0 && (i+2 == len(b) || b[i+2] == ' ') {
		j := bytes.LastIndexByte(b[:i], '[')
		if j > 0 && len(bytes.Trim(b[j+1:i], "0123456789")) == 0 && bytes.Count(b[:j], []byte(" ")) <= 1 {
			return bytes.TrimSpace(b[i+2:])
		}
	}
	// "bench1 sysbench 4711 - - " and "41b2ddaa MainThread INFO     ": at most five words.
	rest, dashes := b, 0
	for range 5 {
		word, after, _ := bytes.Cut(rest, []byte(" "))
		rest = bytes.TrimLeft(after, " ")
		if string(word) == "-" {
			if dashes++; dashes == 2 {
				return rest
			}
		}
		switch string(bytes.Trim(word, "[]|")) { // "DEBUG: " is what sysbench itself writes
		case "INFO", "DEBUG", "NOTICE":
			return rest
		}
	}
	return b
}

// CutMark tells the line that people leave where they took lines out: "..",
// "...", "[...]", "[snip]", "-- snip --", "…".
func CutMark(b []byte) bool {
	word := bytes.Trim(b, ".[]<>()-=*~#: …")
	if len(word) > len("output truncated") {
		return false
	}
	switch string(bytes.ToLower(word)) {
	case "":
		return bytes.Contains(b, []byte("..")) || bytes.Contains(b, []byte("…"))
	case "snip", "snipped", "cut", "skipped", "omitted", "truncated", "lines omitted", "output omitted", "output truncated":
		return len(word) < len(b)
	}
	return false
}

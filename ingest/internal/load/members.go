package load

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Members walks through an object of JSON that comes line by line, as programs print
// it for people, or in one line.
type Members struct {
	path  []string // keys of the open objects and lists but the outermost, "" in a list
	lists []bool   // which of the open ones are lists
	key   string
	next  expected
}

// expected is what may come next.
type expected int8

const (
	aValue expected = iota
	aKey
	aColon
	aComma
)

// A Member is a text, a number or a word of an object of JSON, or the end of an object
// or list in it. Path are the keys from the outermost one on; the members of a list
// have none, "".
type Member struct {
	Path   []string
	Text   string
	Closed bool
}

var jsonToken = regexp.MustCompile(`^\s*(?:("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)|([{}\[\]:,]))`)

const maxNesting = 32

// Line takes the next line and gives what is in it. A line that does not go on where
// the one before ended is none of the object.
func (m *Members) Line(line string) (found []Member, ok bool) {
	at := Members{path: slices.Clone(m.path), lists: slices.Clone(m.lists), key: m.key, next: m.next}
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		t := jsonToken.FindStringSubmatch(line)
		if t == nil || !at.take(t[1], t[2], t[3], &found) {
			return nil, false
		}
		line = line[len(t[0]):]
	}
	*m = at
	return found, true
}

func (m *Members) take(quoted, word, sign string, found *[]Member) bool {
	list := len(m.lists) > 0 && m.lists[len(m.lists)-1]
	if list {
		m.key = ""
	}
	var text string
	if quoted != "" && json.Unmarshal([]byte(quoted), &text) != nil {
		return false
	}
	switch {
	case quoted != "" && m.next == aKey:
		m.key, m.next = text, aColon
	case quoted+word != "":
		if m.next != aValue || len(m.lists) == 0 {
			return false
		}
		*found = append(*found, Member{Path: append(slices.Clone(m.path), m.key), Text: text + word})
		m.next = aComma
	case sign == ":":
		if m.next != aColon {
			return false
		}
		m.next = aValue
	case sign == ",":
		if m.next != aComma || len(m.lists) == 0 {
			return false
		}
		if m.next = aKey; list {
			m.next = aValue
		}
	case sign == "{", sign == "[":
		if m.next != aValue || len(m.lists) >= maxNesting {
			return false
		}
		if len(m.lists) > 0 {
			m.path = append(m.path, m.key)
		}
		m.lists = append(m.lists, sign == "[")
		if m.next = aKey; sign == "[" {
			m.next = aValue
		}
	default:
		if len(m.lists) == 0 || list != (sign == "]") || m.next == aColon {
			return false
		}
		*found = append(*found, Member{Path: slices.Clone(m.path), Closed: true})
		m.lists = m.lists[:len(m.lists)-1]
		m.path = m.path[:max(0, len(m.path)-1)]
		if m.next = aComma; len(m.lists) == 0 {
			m.next = aValue // another object
		}
	}
	return true
}

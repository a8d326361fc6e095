package secret

import (
	"regexp"
	"strings"
)

// anotherKey is how a text goes on behind a value: {"a": "b", "c": 3}, a=b&c=d.
var anotherKey = regexp.MustCompile(`^\s*\\?["']?[\w.-]+\\?["']?\s*[=:]`)

// length of the value that a text begins with: a list in brackets, or a word as a
// shell takes it, quoted, bare or both. Inside of a quote that was opened before, the
// value goes up to where that is closed.
func length(s string, inside byte) int {
	switch {
	case s == "":
		return 0
	case inside != 0:
		return closing(s, inside)
	case strings.HasPrefix(s, `\"`), strings.HasPrefix(s, `\'`):
		if i := strings.Index(s[2:], s[:2]); i >= 0 {
			return i + 4
		}
		return len(s)
	case s[0] == '{' || s[0] == '[':
		return bracketed(s)
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\r', '\n':
			return i
		case '\\':
			if rest := s[i+1:]; rest != "" && strings.IndexByte(`"'`, rest[0]) >= 0 && ends(rest[1:]) {
				return i
			}
			i++
		case '"', '\'':
			if i > 0 && ends(s[i+1:]) { // of a quote around it all
				return i
			}
			if i += 1 + closing(s[i+1:], c); i >= len(s) {
				return len(s)
			}
		case ',', ';', '&', ')', '}', ']', '<':
			if rest := s[i+1:]; i > 0 && (ends(rest) || c == '<' || anotherKey.MatchString(rest)) {
				return i
			}
		}
	}
	return len(s)
}

// ends tells that a value before this is over.
func ends(rest string) bool { return rest == "" || strings.IndexByte(" \t\r\n,;)}]>\"'", rest[0]) >= 0 }

// closing is where a quote ends that was opened before: not at one behind a backslash,
// nor at a doubled one.
func closing(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == quote && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i
		}
	}
	return len(s)
}

func bracketed(s string) int {
	open, shut, depth := s[0], s[0]+2, 0 // of { and [ alike
	for i := range len(s) {
		switch s[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

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
	case s[0] == '{' || s[0] == '[':
		return bracketed(s)
	}
	// Quotes of a quoted text: \"x y\" and "x y" doubled.
	if open := quotedQuote.FindString(s); open != "" && !ends(s[len(open):]) {
		if i := strings.Index(s[len(open):], open); i >= 0 {
			return i + 2*len(open)
		}
		return len(s)
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\r', '\n':
			return i
		case '\\':
			rest := strings.TrimLeft(s[i:], `\`)
			if i+1 == len(s) || rest != "" && isQuote(rest[0]) && ends(rest[1:]) { // the line goes on
				return i
			}
			i++
		case '"', '\'', '`':
			if i > 0 && ends(s[i+1:]) { // of a quote around it all
				return i
			}
			if i += 1 + closing(s[i+1:], c); i >= len(s) {
				return len(s)
			}
		case ',', ';', '&', ')', '}', ']', '<':
			if rest := s[i+1:]; i > 0 && (ends(rest) || c == '<' && rest[0] == '/' || anotherKey.MatchString(rest)) {
				return i
			}
		}
	}
	return len(s)
}

var quotedQuote = regexp.MustCompile("^(?:\\\\+[\"'`]|\"\"|'')")

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// ends tells that a value before this is over.
func ends(rest string) bool {
	return rest == "" || strings.IndexByte(" \t\r\n,;)}]>\"'`", rest[0]) >= 0
}

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

var (
	lineStart   = regexp.MustCompile(`(?:^|\n)[\s>+#*-]*$`)
	blockMark   = regexp.MustCompile(`^[|>][+-]?\d?[ \t]*\n`)
	belowTheKey = regexp.MustCompile(`[:=]\s*\n[ \t]*$`)
)

// wholeLine: what stands behind "Password: " at the start of a line is all of it.
func (f found) wholeLine() bool {
	return strings.TrimSpace(f.joint) != "" && strings.ContainsAny(f.joint[len(f.joint)-1:], " \t") && lineStart.MatchString(f.before)
}

// isNested tells a value that begins in the line below, as YAML has it.
func (f found) isNested(rest string) bool {
	return belowTheKey.MatchString(f.joint) || blockMark.MatchString(rest)
}

// nested is the length of a value in the lines below: as far as they stand deeper than
// the line of the name.
func (f found) nested(rest string) int {
	own := indent(f.before[strings.LastIndexByte(f.before, '\n')+1:] + ".")
	end := len(blockMark.FindString(rest))
	line := f.joint[strings.LastIndexByte(f.joint, '\n')+1:] + rest // with what it is indented by
	if end > 0 {
		line = rest[end:]
	}
	for before := len(line) - len(rest[end:]); line != ""; before = 0 {
		this, next, more := strings.Cut(line, "\n")
		if indent(this) <= own && strings.TrimSpace(this) != "" {
			break
		}
		end += len(this) - before
		if line = next; more {
			end++
		}
	}
	return len(strings.TrimRight(rest[:end], "\n"))
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// prose tells words and signs of a sentence from what is made up.
func prose(word string) bool {
	lower := strings.ToLower(word)
	return (word == lower || word == strings.ToUpper(word)) && strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz,.;:!?()-=") == ""
}

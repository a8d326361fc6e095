package table

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible shows what a reader could not see, or what could act on a terminal:
// control characters, direction marks and bytes that are no UTF-8 come out as
// \n, \u202e, \xff. Names from logs, paths and metadata pass through it before
// they are printed, so that no name can rewrite the line it stands on.
func Visible(s string) string {
	if !strings.ContainsFunc(s, hidden) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case hidden(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// hidden tells characters that are not seen and change what is: controls, line
// and paragraph separators, direction marks, embeddings and isolates, the
// zero-width space and the byte-order mark. The joiners U+200C and U+200D stay:
// Persian and emoji are written with them.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r):
		return true
	case r == '\u061c', r == '\u200b', r == '\u200e', r == '\u200f', r == '\ufeff':
		return true
	case r == '\u2028', r == '\u2029':
		return true
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return false
}

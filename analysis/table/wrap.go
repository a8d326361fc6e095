package table

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// cells measures text as a terminal sets it. Ambiguous characters (Greek,
// arrows) are one cell wide whatever the locale, so that output is the same
// everywhere.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// Width is the number of terminal cells that a text fills.
func Width(s string) int { return cells.StringWidth(s) }

// Wrap breaks a text into lines of at most width cells, the second and later
// ones indented by hang spaces. It breaks at spaces; a word longer than a line
// is broken after a separator (/ _ - . , = : ;), and where it has none,
// anywhere. No character but spaces at a break is lost.
func Wrap(s string, width, hang int) []string {
	if Width(s) <= width {
		return []string{s}
	}
	if hang >= width {
		hang = 0
	}
	var lines []string
	line, room := "", width
	flush := func() {
		lines = append(lines, line)
		line, room = strings.Repeat(" ", hang), width-hang
	}
	started := false // the line holds a word
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ' ' }) {
		w := Width(word)
		if started && w+1 <= room {
			line, room = line+" "+word, room-w-1
			continue
		}
		if started {
			flush()
		}
		for w > room {
			head, tail := breakWord(word, room)
			line += head
			flush()
			word, w = tail, Width(tail)
		}
		line, room, started = line+word, room-w, true
	}
	if started || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// breakWord splits a word that is wider than room into a head that fits and
// the rest. The head is never empty.
func breakWord(word string, room int) (head, tail string) {
	fits, after := 0, 0 // byte offsets: the longest head, and the longest that ends in a separator
	for i, r := range word {
		end := i + len(string(r))
		if Width(word[:end]) > room && fits > 0 {
			break
		}
		fits = end
		if separator(r) {
			after = end
		}
	}
	// A separator near the start would leave most of the line empty.
	if after > 0 && Width(word[:after]) >= room/3 {
		fits = after
	}
	return word[:fits], word[fits:]
}

func separator(r rune) bool { return strings.ContainsRune("/_-.,=:;!|+", r) }

// longestPiece is the width of the longest stretch without a place to break:
// what no-break spaces join is one stretch, whatever separators are in it.
func longestPiece(s string) int {
	longest := 0
	for word := range strings.SplitSeq(s, " ") {
		if strings.Contains(word, noBreak) {
			longest = max(longest, Width(word))
			continue
		}
		for len(word) > 0 {
			end := strings.IndexFunc(word, separator) + 1
			if end == 0 {
				end = len(word)
			}
			longest = max(longest, Width(word[:end]))
			word = word[end:]
		}
	}
	return longest
}

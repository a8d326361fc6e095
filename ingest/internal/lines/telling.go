package lines

import (
	"bytes"
	"slices"
)

// IsRow tells a row of a table, of vmstat and the like: it ends with five numbers
// between blanks, or with thirty between commas, as no line of a load generator does.
func IsRow(line []byte) bool {
	blanks, commas, inside := 0, 0, false
	for _, c := range slices.Backward(line) {
		switch {
		case c-'0' <= 9 || c == '.':
			inside = true
			continue
		case c == ' ' && commas == 0:
			if inside {
				blanks++
			}
		case c == ',' && blanks == 0:
			commas++
		default:
			return false
		}
		if inside = false; blanks == 5 || commas == 30 {
			return true
		}
	}
	return false
}

// Words is what a line says beside the numbers that it begins with, a time mostly:
// headings that come again and again have the same.
func Words(line []byte) []byte { return bytes.TrimLeft(line, " :.,/-0123456789") }

// Telling is a text without its rows, and without the headings that come again
// between them: who wrote it, the few other lines tell.
func Telling(text []byte) []byte {
	var told []byte
	var headings [4][]byte // that were kept last
	kept, rows := 0, false // rows: behind the last line that was kept
	for line := range bytes.Lines(text) {
		if IsRow(bytes.TrimRight(line, "\r\n")) {
			rows = true
			continue
		}
		words := bytes.TrimRight(Words(line), "\r\n")
		if rows && slices.ContainsFunc(headings[:], func(h []byte) bool { return bytes.Equal(h, words) }) {
			continue
		}
		told = append(told, line...)
		if len(words) > 0 {
			headings[kept%len(headings)] = words
			kept, rows = kept+1, false
		}
	}
	return told
}

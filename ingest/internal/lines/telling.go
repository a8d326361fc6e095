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
func Words(line []byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] >= ',' && line[0] <= ':') { // , - . / digits and :
		line = line[1:]
	}
	return line
}

// soon is after how many other lines a table has its first row.
const soon = 16

// Telling is a text without its rows, and without the headings that come again
// between them: who wrote it, the few other lines tell. A text that does not begin as a
// table is given back as it is.
func Telling(text []byte) []byte {
	var told []byte
	from := 0              // what is not in told yet
	var headings [4][]byte // that were kept last
	kept, rows := 0, false // rows: behind the last line that was kept
	for at := 0; at < len(text); {
		line := text[at:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		begin := at
		at += len(line)
		line = withoutEnd(line)
		isRow := IsRow(line)
		if rows = rows || isRow; !isRow {
			words := Words(line)
			again := rows && slices.ContainsFunc(headings[:], func(h []byte) bool { return bytes.Equal(h, words) })
			if !again && len(words) > 0 {
				headings[kept%len(headings)] = words
				kept, rows = kept+1, false
			}
			if kept == soon && from == 0 {
				return text
			}
			if !again {
				continue
			}
		}
		told = append(told, text[from:begin]...)
		from = at
	}
	if from == 0 {
		return text
	}
	return append(told, text[from:]...)
}

func withoutEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

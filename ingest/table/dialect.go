// Package table reads tables with named columns, one row per run: CSV, TSV,
// semicolon CSV with decimal commas, in UTF-8, UTF-16, Shift_JIS or Windows
// encoding, as spreadsheets and scripts write them. What a column means is
// guessed from its heading and its cells, and every guess can be printed.
//
//  1. Sniff finds encoding and separator from the head of the file.
//  2. Study reads the whole file once, finds its tables and decides what each
//     column is: a
//     built-in column of runs (threads, day, host, ...), a factor, or a metric
//     with its unit.
//  3. Read gives the rows as runs. A ragged or broken row is a problem with its
//     line number and no run.
package table

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"noisefloor/ingest/internal/column"
)

// A Form is how the cells of a row are told apart.
type Form int8

const (
	Delimited Form = iota // by Separator
	Drawn                 // by bars: Markdown, mysql, psql
	Aligned               // by blanks
	Spaced                // by two blanks or more
	JSON                  // by the keys of objects
	Columnar              // Arrow and Parquet
)

// Dialect is how a table is written.
type Dialect struct {
	Encoding     string // UTF-8, UTF-16LE, UTF-16BE, Shift_JIS, windows-1252
	Separator    byte
	DecimalComma bool
	Skip         int // lines above the headings: comments, the prose around a table
	Form         Form
	Markup       string // how the text is written, if it must be made into Form first
	Heads        Heads

	blocks    []block // where the table stands, if not in one piece from Skip on
	captioned bool    // the captions of the blocks are a column
}

var encodings = map[string]encoding.Encoding{
	"UTF-8":        utf.UTF8BOM,
	"UTF-16LE":     utf.UTF16(utf.LittleEndian, utf.UseBOM),
	"UTF-16BE":     utf.UTF16(utf.BigEndian, utf.UseBOM),
	"Shift_JIS":    japanese.ShiftJIS,
	"windows-1252": charmap.Windows1252,
}

func (d Dialect) decode(r io.Reader) io.Reader {
	e := encodings[d.Encoding]
	if e == nil {
		e = utf.UTF8BOM
	}
	text := transform.NewReader(r, e.NewDecoder())
	if m := markupOf(d.Markup); m != nil {
		return &recaster{in: text, markup: m}
	}
	return text
}

// String says the dialect in words: "TSV in Shift_JIS", "CSV with ; and decimal comma".
func (d Dialect) String() string {
	text := map[Form]string{Drawn: "table with bars", Aligned: "aligned columns", Spaced: "aligned columns", JSON: "JSON", Columnar: "Arrow or Parquet"}[d.Form]
	if d.Form == Delimited {
		text = map[byte]string{',': "CSV", '\t': "TSV", ';': "CSV with ;", '|': "table with |"}[d.Separator]
	}
	if d.Markup != "" {
		text = d.Markup
	}
	if d.DecimalComma {
		text += " and decimal comma"
	}
	if d.Encoding != "UTF-8" {
		text += " in " + d.Encoding
	}
	return text
}

// sampleRows is how many rows of the head are looked at.
const sampleRows = 50

// Sniff tells whether the head of a file is a table with named columns. whole
// means that the head is the whole file.
func Sniff(head []byte, whole bool) (Dialect, bool) {
	d := Dialect{Encoding: charset(head)}
	if d.Encoding == "" {
		return d, false
	}
	text, _ := io.ReadAll(d.decode(bytes.NewReader(head))) // a cut last character is not an error here
	if !whole {
		if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
			text = text[:i+1]
		}
	}
	if sniffJSON(text, whole) {
		d.Form = JSON
		return d, true
	}
	last := len(markups) - 1
	if d.sniffMarkup(text, whole, markups[:last]) {
		return d, true
	}
	if skip, ok := sniffPipe(text); ok {
		d.Form, d.Skip = Drawn, skip
		d.DecimalComma = d.commas(text)
		return d, true
	}
	if d.sniffMarkup(text, whole, markups[last:]) {
		return d, true
	}
	for isComment(text) || isTitle(text) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
		d.Skip++
	}
	if d.separate(text) {
		return d, true
	}
	if d.align(text) {
		return d, true
	}
	for range titleLines {
		var title []byte
		var more bool
		if title, text, more = bytes.Cut(text, []byte("\n")); !more || len(title) > longTitle {
			break
		}
		d.Skip++
		if d.separate(text) || d.align(text) {
			return d, true
		}
	}
	return d, false
}

// titleLines of prose may stand above the headings, none of them as long as
// longTitle.
const (
	titleLines = 5
	longTitle  = 200
)

// separate finds the separator that cuts a text into the most columns.
func (d *Dialect) separate(text []byte) bool {
	most := 1
	piece, _, several := bytes.Cut(text, []byte("\n\n")) // another table may stand behind, or notes
	for _, sep := range []byte{'\t', ';', ',', '|'} {
		n, heads := shape(text, sep)
		if n == 0 && several && bytes.Count(piece, []byte("\n")) >= 2 {
			n, heads = shape(piece, sep)
		}
		if n > most {
			most, d.Separator, d.Heads = n, sep, heads
		}
	}
	if most > 1 {
		d.DecimalComma = d.commas(text)
	}
	return most > 1
}

// align finds columns that blanks keep apart.
func (d *Dialect) align(text []byte) bool {
	wide, ok := sniffAligned(text)
	if !ok {
		return false
	}
	if d.Form = Aligned; wide {
		d.Form = Spaced
	}
	d.DecimalComma = d.commas(text)
	return true
}

// isComment: a line that begins with #, unless # is itself the heading of the
// first column.
func isComment(text []byte) bool {
	return len(text) > 1 && text[0] == '#' && !bytes.ContainsRune([]byte("\t;,|"), rune(text[1]))
}

// isTitle: a line with one cell, or none, and the separators that a spreadsheet
// writes for the empty cells beside it.
func isTitle(text []byte) bool {
	line, _, more := bytes.Cut(text, []byte("\n"))
	title := bytes.TrimRight(line, ",;\t \r")
	if !more || len(title) == len(bytes.TrimRight(line, " \r")) {
		return more && len(title) == 0
	}
	if len(title) > 2 && title[0] == '"' && bytes.IndexByte(title[1:], '"') == len(title)-2 {
		return true
	}
	return !bytes.ContainsAny(title, ",;\t")
}

// charset tells the encoding of a text; "" means that it is none.
func charset(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return "UTF-16LE"
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "UTF-16BE"
	}
	even, odd := 0, 0
	for i, b := range head {
		if b == 0 {
			if i%2 == 0 {
				even++
			} else {
				odd++
			}
		}
	}
	switch half := len(head) / 2; {
	case half > 4 && odd > half*3/4 && even == 0:
		return "UTF-16LE"
	case half > 4 && even > half*3/4 && odd == 0:
		return "UTF-16BE"
	case even+odd > 0:
		return ""
	}
	if validUTF8(head) {
		return "UTF-8"
	}
	if isShiftJIS(head) {
		return "Shift_JIS"
	}
	return "windows-1252"
}

// validUTF8 forgives a character that the end of the head cut.
func validUTF8(head []byte) bool {
	for range utf8.UTFMax {
		if utf8.Valid(head) {
			return true
		}
		if len(head) == 0 || head[len(head)-1] < utf8.RuneSelf {
			return false
		}
		head = head[:len(head)-1]
	}
	return utf8.Valid(head)
}

// isShiftJIS: every byte above ASCII is half-width katakana or leads a valid pair,
// and most pairs begin with 0x81 to 0x9f, as kana and common kanji do. A letter of
// a Windows encoding (\xe4 before d) can look like a pair too, but not like these.
func isShiftJIS(head []byte) bool {
	pairs, usual := 0, 0
	for i := 0; i < len(head); i++ {
		b := head[i]
		switch {
		case b < 0x80 || b >= 0xa1 && b <= 0xdf:
		case b >= 0x81 && b <= 0x9f || b >= 0xe0 && b <= 0xfc:
			if i+1 == len(head) {
				break // cut by the end of the head
			}
			i++
			if next := head[i]; next < 0x40 || next == 0x7f || next > 0xfc {
				return false
			}
			pairs++
			if b <= 0x9f {
				usual++
			}
		default:
			return false
		}
	}
	return usual > 0 && usual*2 >= pairs
}

// shape gives the number of columns if text, cut at sep, is a table with named
// columns; 0 if it is not.
func shape(text []byte, sep byte) (columns int, heads Heads) {
	r := newReader(bytes.NewReader(text), sep)
	first, _, err := r.next()
	if err != nil || len(first) < 2 {
		return 0, heads
	}
	first = slices.Clone(first)
	second, _, err := r.next()
	second = slices.Clone(second)
	third, _, after := r.next()
	heads, headings := headsOf(first, second, third)
	if headings == nil {
		return 0, heads
	}
	rows, same, numbers := 0, 0, 0
	paths := slices.IndexFunc(headings, func(h string) bool { return slices.Contains(pathNames, column.Name(h)) })
	count := func(cells []string, err error) {
		rows++
		if err != nil || len(fitCells(cells, headings)) != len(headings) {
			return
		}
		if same++; slices.ContainsFunc(cells, holdsNumber) || paths >= 0 && paths < len(cells) && isPath(cells[paths]) {
			numbers++
		}
	}
	if heads == OneRow && err != io.EOF {
		count(second, err)
	}
	if heads != Indexed && after != io.EOF {
		count(third, after)
	}
	for rows < sampleRows {
		cells, _, err := r.next()
		if err == io.EOF {
			break
		}
		count(cells, err)
	}
	// Real tables have a ragged row now and then; prose with commas has little else.
	if rows == 0 || same*3 < rows*2 || numbers*2 < same {
		return 0, heads
	}
	return len(headings), heads
}

// areHeadings: names, not numbers; all different, none long like a sentence. Numbers
// may be levels of a wide table, which has several.
func areHeadings(cells []string) bool {
	seen := map[string]bool{}
	words, numbers := 0, 0
	for _, c := range cells {
		c = strings.TrimSpace(c)
		if !isLevel(c) {
			words++
		} else if looksNumeric(c) {
			numbers++
		}
		if c == "" {
			continue // the unnamed index column of a data frame
		}
		if looksNumeric(c) && !isLevel(c) || seen[c] || utf8.RuneCountInString(c) > 60 || strings.ContainsAny(c, "\r\n") || c != "#" && !isLevel(c) && !strings.ContainsFunc(c, unicode.IsLetter) {
			return false
		}
		seen[c] = true
	}
	return words > 0 && numbers != 1 && len(seen) >= 2 && len(seen) >= len(cells)-1
}

// fitCells drops empty cells behind the last column, a separator at the end of a
// row, and adds them below headings that are one.
func fitCells(cells, headings []string) []string {
	for len(cells) > len(headings) && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	for len(cells) < len(headings) && strings.Join(headings[len(cells):], "") == "" {
		cells = append(cells, "")
	}
	return cells
}

// commas tells whether the comma is the decimal mark. Where every cell can be
// read both ways (1,234) the separator decides: people write ; between the cells
// because the comma is taken.
func (d Dialect) commas(text []byte) bool {
	if d.Separator == ',' && d.Form == Delimited {
		return false
	}
	if d.Form != Drawn { // the comments are cut off already
		d.Skip = 0
	}
	r, err := d.rows(bytes.NewReader(text), nil)
	if err != nil {
		return false
	}
	either := false
	for range sampleRows {
		cells, _, err := r.next()
		if err == io.EOF {
			break
		}
		for _, c := range cells {
			c = bare(c)
			switch {
			case threes.MatchString(c):
				either = true
			case european.MatchString(c):
				return true
			case grouped.MatchString(c):
				return false
			}
		}
	}
	return either && d.Separator == ';'
}

// null cells hold no value.
func isNull(cell string) bool {
	if len(cell) > len("n. a.") || cell != "" && cell[0]-'0' <= 9 { // most of millions of cells
		return false
	}
	switch strings.ToLower(cell) {
	case "", "-", "--", "---", "–", "—", "?", "na", "n/a", "#n/a", "n.a.", "n. a.", "nan", "null", "nil", "none", "tbd", `\n`:
		return true
	}
	return false
}

// isNone tells the word that is a level among words that name what was set: a
// compression, a scheduler. Python writes None for what it does not have.
func isNone(cell string) bool { return cell == "none" || cell == "NONE" }

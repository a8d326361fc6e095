package table

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Several tables in one file: one for each server with its name above, or those of
// a report with prose between.
//
//	Server A: MySQL 8.0.42
//	threads,tps
//	1,412.3
//
//	Server B: MariaDB 11.4
//	threads,tps
//	1,430.3
//
// Tables with the same headings are one table; what stands above each of them is
// one more column of it, where that differs.

// A block is a stretch of lines with one table and its headings.
type block struct {
	skip, lines int // lines above it, and how many it has
	caption     string
}

// maxDocument is how long a text is looked through for more than its first table.
const maxDocument = 8 << 20

// section is what the column of captions is called, if these do not say it.
const section = "section"

// found is a block and its headings.
type found struct {
	block
	headings []string
	heads    Heads
}

// parts gives the dialect of each table in a text.
func (d Dialect) parts(text []byte) []Dialect {
	lines := strings.Split(string(bytes.ReplaceAll(text, []byte("\r"), nil)), "\n")
	var all []found
	switch d.Form {
	case Drawn:
		all = drawnBlocks(lines)
	case Delimited:
		all = d.delimitedBlocks(lines)
	}
	captions := map[string]bool{}
	for _, f := range all {
		captions[f.caption] = true
	}
	var parts []Dialect
	for i, f := range all {
		if slices.ContainsFunc(all[:i], f.isLike) {
			continue
		}
		part := d
		part.Skip, part.Heads, part.captioned = f.skip, f.heads, len(captions) > 1
		var own []string
		for _, other := range all[i:] {
			if f.isLike(other) {
				part.blocks = append(part.blocks, other.block)
				own = append(own, lines[other.skip:other.skip+other.lines]...)
			}
		}
		sample := part
		sample.Skip, sample.blocks = 0, nil
		part.DecimalComma = sample.commas([]byte(strings.Join(own, "\n")))
		parts = append(parts, part)
	}
	if len(all) < 2 {
		return []Dialect{d}
	}
	return parts
}

func (f found) isLike(other found) bool {
	return f.heads == other.heads && slices.Equal(f.headings, other.headings)
}

// delimitedBlocks finds the tables of a text that begins with one; empty lines or
// lines of one cell are between them.
func (d Dialect) delimitedBlocks(lines []string) []found {
	cells := func(line string) []string {
		c, _ := (&reader{sep: d.Separator}).split(line)
		return c
	}
	isGap := func(line string) bool {
		all, open := (&reader{sep: d.Separator}).split(line)
		if open {
			return false
		}
		full := 0
		for _, c := range all {
			if strings.TrimSpace(c) != "" {
				full++
			}
		}
		return full < 2
	}
	stretch := func(at int) int { // where the lines without a gap end
		for at < len(lines) && !isGap(lines[at]) {
			at++
		}
		return at
	}
	var all []found
	caption := ""
	for at := 0; at < len(lines); at++ {
		if at < d.Skip || isGap(lines[at]) {
			if c := trimCaption(strings.Join(cells(lines[at]), " ")); c != "" && len(c) <= longCaption {
				caption = c
			}
			continue
		}
		end := stretch(at)
		first := len(all) == 0
		n, heads := shape([]byte(strings.Join(lines[at:end], "\n")), d.Separator)
		if n < 2 && !first { // more rows of the table before
			if strings.TrimSpace(strings.Join(lines[at:end], "")) != "" {
				all[len(all)-1].lines = end - all[len(all)-1].skip
			}
		} else {
			if first {
				heads = d.Heads
			}
			var rows [3][]string
			for i := range rows {
				if at+i < end && (i == 0 || heads != OneRow) {
					rows[i] = cells(lines[at+i])
				}
			}
			_, headings := headsOf(rows[0], rows[1], rows[2])
			all = append(all, found{block{at, end - at, caption}, headings, heads})
		}
		at = end - 1
	}
	if n := len(all); n > 0 { // notes below the last are its rows, to be named
		all[n-1].lines = len(lines) - all[n-1].skip
	}
	return all
}

var (
	hashed = regexp.MustCompile(`^(#{1,6})\s+(.*?)[\s#]*$`)
	bold   = regexp.MustCompile(`^(?:\*\*|__)(.+?)(?:\*\*|__):?$`)
)

// longCaption is how many letters a line above a table has at most to be its name.
const longCaption = 60

func trimCaption(line string) string { return strings.Trim(line, "#*_:=-\t ,;|\"") }

// drawnBlocks finds the drawn tables of a document; the headings above each, but
// those above all of them, name it.
func drawnBlocks(lines []string) []found {
	var all []found
	var above [][]string
	levels := make([]string, 7) // of headings, and what stands right above a table
	for i := 0; i+2 < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if m := hashed.FindStringSubmatch(line); m != nil {
			levels[len(m[1])-1] = trimCaption(m[2])
			clear(levels[len(m[1]):])
			continue
		}
		if m := bold.FindStringSubmatch(line); m != nil && len(line) <= longCaption {
			levels[6] = trimCaption(m[1])
		} else if strings.HasSuffix(line, ":") && len(line) <= longCaption && !hasBar(line) {
			levels[6] = trimCaption(line)
		}
		headings, end := drawnAt(lines, i)
		if headings == nil {
			continue
		}
		all = append(all, found{block: block{skip: i, lines: end - i}, headings: headings})
		above = append(above, slices.Clone(levels))
		levels[6] = ""
		i = end - 1
	}
	for i := range all {
		var own []string
		for k, l := range above[i] {
			if l != "" && slices.ContainsFunc(above, func(o []string) bool { return o[k] != l }) {
				own = append(own, l)
			}
		}
		all[i].caption = strings.Join(own, " / ")
	}
	return all
}

// A blockReader gives the rows of all blocks of a table.
type blockReader struct {
	d        Dialect
	text     *reader
	left     []block
	caption  string
	headings []string
	inside   rows
}

// openBlocks places a reader behind the headings of the first block.
func (d Dialect) openBlocks(text io.Reader) (rows, []string, error) {
	b := &blockReader{d: d, text: newReader(text, d.Separator), left: d.blocks}
	headings, err := b.begin()
	if err != nil {
		return nil, nil, err
	}
	b.headings = headings
	if d.captioned {
		headings = append(slices.Clone(headings), d.captionName())
	}
	return b, headings, nil
}

// captionName names the column of captions by what they look like.
func (d Dialect) captionName() string {
	var arms []string
	for _, b := range d.blocks {
		if arm, rest := armOf(between.Split(b.caption, -1)); len(rest) > 0 || arm == "" {
			return section
		}
		arms = append(arms, strings.ReplaceAll(b.caption, " ", ""))
	}
	return armName(arms)
}

// begin goes to the next block and reads its headings.
func (b *blockReader) begin() ([]string, error) {
	if len(b.left) == 0 {
		return nil, io.EOF
	}
	next := b.left[0]
	b.left, b.caption = b.left[1:], next.caption
	b.text.end = 0
	for b.text.line < next.skip {
		if _, err := b.text.readLine(); err != nil && err != errLong {
			return nil, err
		}
	}
	b.text.end = next.skip + next.lines
	b.inside = b.d.cut(b.text)
	return b.d.Heads.headings(b.inside)
}

func (b *blockReader) unended() bool { return b.text.unended() }

func (b *blockReader) next() ([]string, int, error) {
	for {
		cells, line, err := b.inside.next()
		if err != io.EOF {
			if err == nil && b.d.captioned {
				cells = append(fitCells(cells, b.headings), b.caption)
			}
			return cells, line, err
		}
		if _, err := b.begin(); err != nil {
			return nil, line, err
		}
	}
}

package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A markup is a way of writing tables that is made into another one before it is read:
// those of pages into bars, pairs of keys and values into objects. Rows keep the number
// of their line as far as that is possible.
type markup struct {
	name   string
	tells  func(text []byte) bool
	recast func(text []byte) []byte
	form   Form // of what comes out
}

var markups = []markup{
	{"MediaWiki", isMediaWiki, mediaWikiTables, Drawn},
	{"Confluence", isConfluence, confluenceTables, Drawn},
	{"AsciiDoc", isAsciiDoc, asciiDocTables, Drawn},
	{"reStructuredText", isSimple, simpleTables, Drawn},
	{pairLines, arePairs, pairObjects, JSON},
	{"list of query times", areQueryTimes, queryObjects, JSON},
	{"YAML", isYAMLList, leaves, JSON},
	{"HTML", isHTML, htmlTables, Drawn}, // the last: Markdown may have some of it beside its own tables
}

// documents are told by what is in them, where nothing else may be their meaning: see
// Object.
var documents = []markup{
	{"tree of runs", nil, leaves, JSON},
	{"keys and values", nil, oneObject, JSON},
}

func markupOf(name string) *markup {
	for i := range documents {
		if documents[i].name == name {
			return &documents[i]
		}
	}
	for i := range markups {
		if markups[i].name == name {
			return &markups[i]
		}
	}
	return nil
}

// sniffMarkup finds the first table of a page.
func (d *Dialect) sniffMarkup(text []byte, whole bool, among []markup) bool {
	for i := range among {
		m := &among[i]
		if !m.tells(text) {
			continue
		}
		if !whole && m.name == "YAML" { // the last item is cut
			text = text[:max(0, bytes.LastIndex(text, []byte("\n- "))+1)]
		}
		plain := m.recast(text)
		if m.form == JSON {
			if sniffJSON(plain, whole) {
				d.Form, d.Markup = JSON, m.name
				return true
			}
			continue
		}
		if skip, ok := sniffPipe(plain); ok {
			d.Form, d.Markup, d.Skip = m.form, m.name, skip
			d.DecimalComma = d.commas(plain)
			return true
		}
	}
	return false
}

var errDocument = fmt.Errorf("a page of more than %d MB", maxDocument>>20)

// A recaster reads a document whole and gives it as the markup recasts it.
type recaster struct {
	in     io.Reader
	markup *markup
	out    *bytes.Reader
}

func (r *recaster) Read(p []byte) (int, error) {
	if r.out == nil {
		text, err := io.ReadAll(io.LimitReader(r.in, maxDocument+1))
		switch {
		case len(text) > maxDocument:
			return 0, errDocument
		case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
			return 0, err
		}
		r.out = bytes.NewReader(r.markup.recast(text))
	}
	return r.out.Read(p)
}

// A drawing is a document with its tables drawn with bars.
type drawing struct {
	text  bytes.Buffer
	lines int
	rows  int // of the table at hand
	width int // of its first row
}

// at fills up so that the next line is the one with a number, counted from 1; in a
// table with rulers, which say nothing.
func (d *drawing) at(line int) {
	for d.lines < line-1 {
		if d.rows > 0 {
			d.text.WriteString("|-|")
		}
		d.end()
	}
}

func (d *drawing) end() {
	d.text.WriteByte('\n')
	d.lines++
}

// prose writes a line that stands outside of tables.
func (d *drawing) prose(line int, text string) {
	d.close()
	d.at(line)
	d.text.WriteString(strings.ReplaceAll(text, "|", "/"))
	d.end()
}

// row writes one of the table at hand; the first are the headings, one line early to
// make room for the ruler.
func (d *drawing) row(line int, cells []string) {
	if len(cells) == 0 {
		return
	}
	if d.rows == 0 {
		line--
		d.width = len(cells)
	}
	d.at(line)
	d.rows++
	for _, c := range cells {
		d.text.WriteString("| ")
		d.text.WriteString(strings.ReplaceAll(strings.Join(strings.Fields(c), " "), "|", `\|`))
		d.text.WriteByte(' ')
	}
	d.text.WriteByte('|')
	d.end()
	if d.rows == 1 {
		d.text.WriteString(strings.Repeat("|-", d.width) + "|")
		d.end()
	}
}

// close ends the table at hand.
func (d *drawing) close() {
	if d.rows > 0 {
		d.rows = 0
		d.end()
	}
}

func (d *drawing) bytes() []byte { return d.text.Bytes() }

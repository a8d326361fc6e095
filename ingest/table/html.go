package table

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"
)

// Tables of a page that was saved, in any nesting and with or without end tags:
//
//	<h2>Read only</h2>
//	<table border=1><tr><th>version<th>threads<th>tps
//	<tr><td>8.0.42</td><td>8</td><td><b>1,234.5</b> <!-- best --></td></tr>
//	<tr><td rowspan=2>8.4.5 &amp; newer</td><td>8</td><td>1&nbsp;334.5</td></tr>
//	</table>

func isHTML(text []byte) bool {
	for at := text; ; {
		i := bytes.IndexByte(at, '<')
		if i < 0 {
			return false
		}
		if at = at[i+1:]; len(at) > 5 && strings.EqualFold(string(at[:5]), "table") && bytes.IndexByte([]byte(" \t\r\n>"), at[5]) >= 0 {
			return true
		}
	}
}

// maxSpan is how far a cell reaches at most; more is a mistake of a page.
const maxSpan = 100

// A page is read tag by tag.
type page struct {
	drawing
	line   int
	cell   strings.Builder
	inCell bool
	span   int // columns of the cell
	down   int // rows of it
	cells  []string
	spans  map[int]spanned // by column: cells that reach down
	title  strings.Builder
	naming bool // inside a heading or a caption
	tables int  // that are open
	heads  bool // the row at hand has cells of headings
	bare   bool // the table has none at all
}

type spanned struct {
	text string
	rows int
}

func htmlTables(text []byte) []byte {
	p := &page{line: 1}
	for len(text) > 0 {
		i := bytes.IndexByte(text, '<')
		if i < 0 {
			i = len(text)
		}
		p.words(text[:i])
		if text = text[i:]; len(text) == 0 {
			break
		}
		n := p.tag(text)
		p.line += bytes.Count(text[:n], []byte("\n"))
		text = text[n:]
	}
	p.endRow()
	return p.bytes()
}

func (p *page) words(text []byte) {
	switch {
	case p.inCell:
		p.cell.Write(text)
	case p.naming && p.title.Len() < 200:
		p.title.Write(text[:min(len(text), 200)])
	}
	p.line += bytes.Count(text, []byte("\n"))
}

// tag takes what stands at the beginning of text and gives its length.
func (p *page) tag(text []byte) int {
	upTo := func(end string) int {
		if i := bytes.Index(text, []byte(end)); i >= 0 {
			return i + len(end)
		}
		return len(text)
	}
	if bytes.HasPrefix(text, []byte("<!--")) {
		return upTo("-->")
	}
	n := upTo(">")
	inside := text[1:n]
	closing := len(inside) > 0 && inside[0] == '/'
	inside = bytes.TrimPrefix(inside, []byte("/"))
	end := bytes.IndexFunc(inside, func(r rune) bool { return !(r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9') })
	if end <= 0 { // 3 < 4
		p.words(text[:1])
		return 1
	}
	switch name := strings.ToLower(string(inside[:end])); name {
	case "script", "style", "svg":
		if !closing {
			return upTo("</" + string(inside[:end]))
		}
	case "table":
		p.endRow()
		p.close()
		p.spans, p.bare = map[int]spanned{}, false
		if p.tables++; closing {
			p.tables = max(0, p.tables-2)
		}
	case "tr":
		p.endRow()
	case "td", "th":
		p.endCell()
		if !closing && p.tables > 0 {
			p.heads = p.heads || name == "th"
			p.inCell, p.span, p.down = true, attribute(inside, "colspan"), attribute(inside, "rowspan")
		}
	case "thead", "tbody", "tfoot":
		p.endRow()
	case "h1", "h2", "h3", "h4", "h5", "h6", "caption":
		p.name(name, closing)
	case "br", "p", "div", "li":
		p.cell.WriteByte(' ')
	}
	return n
}

// name writes the headings of a page as those of Markdown, which name the tables
// below them; a caption belongs to its table.
func (p *page) name(tag string, closing bool) {
	text := plainText(p.title.String())
	if p.title.Reset(); p.naming && closing && text != "" && p.rows == 0 && !p.inCell {
		if tag == "caption" {
			p.prose(p.line, "**"+text+"**")
		} else {
			p.prose(p.line, strings.Repeat("#", int(tag[1]-'0'))+" "+text)
		}
	}
	p.naming = !closing
}

func plainText(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

func (p *page) endCell() {
	if !p.inCell {
		return
	}
	p.carry()
	text := plainText(p.cell.String())
	p.cell.Reset()
	p.inCell = false
	for range p.span {
		if len(p.cells) >= maxColumns {
			return
		}
		if p.down > 1 {
			p.spans[len(p.cells)] = spanned{text, p.down - 1}
		}
		p.cells = append(p.cells, text)
	}
}

// carry sets the cells in that reach down from rows above.
func (p *page) carry() {
	for len(p.cells) < maxColumns {
		s, ok := p.spans[len(p.cells)]
		if !ok {
			return
		}
		if s.rows--; s.rows == 0 {
			delete(p.spans, len(p.cells))
		} else {
			p.spans[len(p.cells)] = s
		}
		p.cells = append(p.cells, s.text)
	}
}

func (p *page) endRow() {
	if p.endCell(); len(p.cells) > 0 {
		p.carry()
		// A first row with measurements in it is none of headings.
		p.bare = p.bare || p.rows == 0 && !p.heads && slices.ContainsFunc(p.cells, isMeasured)
		if !p.bare {
			p.row(p.line, p.cells)
		}
		p.cells, p.heads = p.cells[:0], false
	}
	p.cell.Reset()
}

func isMeasured(cell string) bool {
	_, ok := Dialect{}.measure(cell)
	return ok && strings.ContainsAny(cell, ".,") && strings.Count(cell, ".") < 2
}

// attribute finds a number in a tag, 1 if it is not there.
func attribute(tag []byte, name string) int {
	_, rest, ok := strings.Cut(strings.ToLower(string(tag[:min(len(tag), 1000)])), name)
	rest = strings.TrimLeft(rest, " =\"'")
	end := strings.IndexFunc(rest+" ", func(r rune) bool { return r < '0' || r > '9' })
	n, err := strconv.Atoi(rest[:end])
	if !ok || err != nil || n < 1 || n > maxSpan {
		return 1
	}
	return n
}

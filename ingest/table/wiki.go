package table

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"noisefloor/ingest/internal/pattern"
)

func linesOf(text []byte) []string {
	return strings.Split(string(bytes.ReplaceAll(text, []byte("\r"), nil)), "\n")
}

var (
	mediaWiki  = pattern.MustCompile(`(?m)^\s*\{\|.*\n`)
	confluence = pattern.MustCompile(`(?m)^\s*\|\|[^|\n]+\|\|.*\|\|\s*\n\s*\|[^|]`)
	asciiDoc   = pattern.MustCompile(`(?m)^\|===+\s*$`)
	simple     = regexp.MustCompile(`(?m)^ *=+(?: +=+)+\s*?\n.*\S.*\n *=+(?: +=+)+\s*?$`)
)

func isMediaWiki(text []byte) bool  { return mediaWiki.Match(text) }
func isConfluence(text []byte) bool { return confluence.Match(text) }
func isAsciiDoc(text []byte) bool   { return asciiDoc.Match(text) }
func isSimple(text []byte) bool     { return bytes.Contains(text, []byte("= ")) && simple.Match(text) }

// mediaWikiTables draws tables of MediaWiki, whose cells stand in a line of their own
// or side by side, with or without a style:
//
//	== Read only ==
//	{| class="wikitable"
//	|+ Results
//	! version !! threads !! style="color:red" | tps
//	|-
//	| 8.0.42 || 8 || 1234.5
//	|-
//	| 8.4.5
//	| align="right" | 8
//	| '''1334.5'''
//	|}
func mediaWikiTables(text []byte) []byte {
	var d drawing
	var cells []string
	inside := false
	end := func(line int) {
		d.row(line, cells)
		cells = cells[:0]
	}
	for i, line := range linesOf(text) {
		n := i + 1
		line = strings.TrimSpace(line)
		switch {
		case !inside && strings.HasPrefix(line, "{|"):
			d.close()
			inside = true
		case !inside:
			if title := strings.Trim(line, "= "); strings.HasPrefix(line, "==") && title != "" {
				d.prose(n, strings.Repeat("#", min(6, (len(line)-len(strings.TrimLeft(line, "=")))))+" "+title)
			}
		case strings.HasPrefix(line, "|}"):
			end(n - 1)
			d.close()
			inside = false
		case strings.HasPrefix(line, "|-"):
			end(n - 1)
		case strings.HasPrefix(line, "|+"):
			d.prose(n, "**"+strings.TrimSpace(line[2:])+"**")
		case strings.HasPrefix(line, "!"), strings.HasPrefix(line, "|"):
			rest := line[1:]
			if line[0] == '!' {
				rest = strings.ReplaceAll(rest, "!!", "||")
			}
			for _, cell := range strings.Split(rest, "||") {
				if style, content, ok := strings.Cut(cell, "|"); ok && strings.Contains(style, "=") {
					cell = content
				}
				cells = append(cells, strings.ReplaceAll(strings.TrimSpace(cell), "'''", ""))
			}
		}
	}
	end(d.lines + 1)
	return d.bytes()
}

// confluenceTables draws tables of Confluence and Jira:
//
//	||version||threads||tps||
//	|8.0.42|8|1234.5|
func confluenceTables(text []byte) []byte {
	var d drawing
	for i, line := range linesOf(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "||"):
			d.close()
			d.row(i+1, strings.Split(strings.Trim(line, "|"), "||"))
		case strings.HasPrefix(line, "|") && d.rows > 0:
			d.row(i+1, bars(line))
		default:
			if d.close(); len(line) > 3 && line[0] == 'h' && line[2] == '.' && line[1]-'1' < 6 {
				d.prose(i+1, strings.Repeat("#", int(line[1]-'0'))+" "+strings.TrimSpace(line[3:]))
			}
		}
	}
	return d.bytes()
}

var (
	asciiColumns = regexp.MustCompile(`\bcols="?([^"\]]*)"?`)
	asciiCell    = regexp.MustCompile(`(?:^|\s)(?:\d+[.+*]*\d*[+*])?[<^>.]*[adehlmsv]?\|`)
)

// asciiDocTables draws tables of AsciiDoc, whose rows are cut by the number of columns
// and may go over several lines:
//
//	.Read only
//	[cols="3*",options="header"]
//	|===
//	|version |threads |tps
//
//	|8.0.42
//	|8
//	|1234.5
//	|===
func asciiDocTables(text []byte) []byte {
	var d drawing
	var cells []string
	columns, inside := 0, false
	for i, line := range linesOf(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "|==="):
			inside, cells = !inside, nil
			if !inside {
				d.close()
				columns = 0
			}
		case !inside:
			if m := asciiColumns.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, "[") {
				columns = len(strings.Split(m[1], ","))
				if n, err := strconv.Atoi(strings.TrimRight(strings.SplitN(m[1], "*", 2)[0], " ")); err == nil && columns == 1 && strings.Contains(m[1], "*") {
					columns = min(max(n, 1), maxColumns)
				}
			} else if strings.HasPrefix(line, "==") {
				d.prose(i+1, strings.Replace(line, "=", "#", len(line)-len(strings.TrimLeft(line, "="))))
			} else if len(line) > 1 && line[0] == '.' && line[1] != '.' && line[1] != ' ' {
				d.prose(i+1, "**"+line[1:]+"**")
			}
		case line != "":
			at := asciiCell.FindAllStringIndex(line, -1)
			if len(at) == 0 {
				if len(cells) > 0 {
					cells[len(cells)-1] += " " + line
				}
				continue
			}
			for k, m := range at {
				stop := len(line)
				if k+1 < len(at) {
					stop = at[k+1][0]
				}
				cells = append(cells, strings.TrimSpace(line[m[1]:stop]))
			}
			if columns == 0 {
				columns = len(cells)
			}
			for len(cells) >= columns {
				d.row(i+1, cells[:columns])
				cells = slices.Clone(cells[columns:])
			}
		}
	}
	return d.bytes()
}

// simpleTables draws the simple tables of reStructuredText, whose columns are where
// their rulers are; the last may be longer:
//
//	Read only
//	=========
//
//	======= ======= ======
//	version threads tps
//	======= ======= ======
//	8.0.42  8       1234.5
//	======= ======= ======
func simpleTables(text []byte) []byte {
	lines := linesOf(text)
	var d drawing
	var columns [][2]int
	rulers := 0
	for i, line := range lines {
		ruler := strings.Trim(line, " =") == "" && strings.Contains(strings.TrimSpace(line), "= ")
		switch {
		case ruler && (columns == nil || rulers == 2):
			again := rulers == 2 && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != ""
			d.close()
			columns, rulers = nil, 0
			if !again && i+2 < len(lines) && strings.Trim(lines[i+2], " =") == "" && strings.Contains(lines[i+2], "=") {
				columns, rulers = spansOf(line), 1
			}
		case ruler:
			rulers++
		case columns != nil:
			if strings.TrimSpace(line) == "" {
				continue
			}
			d.row(i+1, cutAt(line, columns))
		case i+1 < len(lines) && len(line) > 0 && len(lines[i+1]) >= len(strings.TrimSpace(line)) && strings.Trim(lines[i+1], "=") == "" && lines[i+1] != "":
			d.prose(i+1, "# "+line)
		case i+1 < len(lines) && len(line) > 0 && len(lines[i+1]) >= len(strings.TrimSpace(line)) && strings.Trim(lines[i+1], "-") == "" && lines[i+1] != "":
			d.prose(i+1, "## "+line)
		}
	}
	return d.bytes()
}

func spansOf(ruler string) (columns [][2]int) {
	for i := 0; i < len(ruler); i++ {
		if ruler[i] == '=' {
			if i == 0 || ruler[i-1] != '=' {
				columns = append(columns, [2]int{i, i})
			}
			columns[len(columns)-1][1] = i + 1
		}
	}
	return columns
}

func cutAt(line string, columns [][2]int) (cells []string) {
	letters := []rune(line)
	for i, c := range columns {
		from, to := min(c[0], len(letters)), min(c[1], len(letters))
		if i == len(columns)-1 {
			to = len(letters)
		}
		cells = append(cells, strings.TrimSpace(string(letters[from:to])))
	}
	return cells
}

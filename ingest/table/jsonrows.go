package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
)

// Tables in JSON: one object a line, or a list of objects.
//
//	{"build": "base", "threads": 8, "tps": 953.2, "latency": {"p95": 0.0123}}
//	[{"build": "base", "threads": 8}, {"build": "patched", "threads": 8}]
//
// Keys of objects inside are joined with "_"; lists inside are left out.

// maxObject bounds one object over several lines, which is held in memory.
const maxObject = 16 << 20

var (
	errJSON = errors.New("not an object of names and values")
	errOpen = errors.New("the list has no end: the file may have been cut")
	errHuge = fmt.Errorf("an object of more than %d MB", maxObject>>20)
)

// sniffJSON tells whether a text is a table in JSON: two objects at least (the
// head of a file may cut the second), or one line of a flat one in a list.
func sniffJSON(text []byte, whole bool) bool {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	r := newJSONReader(bytes.NewReader(text))
	n, bad, numbers := 0, 0, 0
	for range sampleRows {
		row, _, err := r.object()
		if errors.Is(err, errJSON) && (!whole || r.broken) || errors.Is(err, errOpen) || err == io.EOF {
			break
		}
		if errors.Is(err, errJSON) && r.lines != nil {
			bad++
			continue
		}
		if err != nil {
			return false
		}
		if n++; slices.ContainsFunc(row, func(c pair) bool { return c.number }) {
			numbers++
		}
	}
	// One object is a map: metadata.
	return (n >= 2 || n == 1 && text[0] == '[') && numbers*2 >= n && bad*3 <= n+1
}

type pair struct {
	key, text string
	number    bool
}

// A jsonReader gives the objects of a text: line by line where its first line is
// an object, so that a broken line is one row lost, and else one behind the other.
type jsonReader struct {
	lines    *reader // nil: objects over several lines
	in       *countLines
	dec      *json.Decoder
	list     bool
	broken   bool // nothing behind can be read
	pairs    bool // of each line as it is in the file: its last number may be cut
	headings []string
	place    map[string]int // of a heading
	learns   bool           // keys that are not known yet become headings
	cells    []string
	sent     bool
	objects  flattener
}

// countLines remembers where the lines end that are read ahead.
type countLines struct {
	in     io.Reader
	n      int64
	at     []int64
	passed int   // lines before these
	taken  int64 // bytes before the object that is read
}

// line gives the number of the line at an offset. The next one is behind it.
func (c *countLines) line(offset int64) int {
	n, _ := slices.BinarySearch(c.at, offset)
	c.at, c.passed, c.taken = c.at[n:], c.passed+n, offset
	return c.passed + 1
}

func (c *countLines) Read(p []byte) (int, error) {
	if c.n-c.taken > maxObject {
		return 0, errHuge
	}
	n, err := c.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.at = append(c.at, c.n+int64(i))
		}
	}
	c.n += int64(n)
	return n, err
}

func newJSONReader(in io.Reader) *jsonReader {
	b := buffered(in)
	head, _ := b.Peek(64 << 10)
	first, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	if first = bytes.TrimSpace(first); len(first) > 0 && first[0] == '{' && json.Valid(first) {
		return &jsonReader{lines: &reader{in: b}}
	}
	c := &countLines{in: b}
	return &jsonReader{in: c, dec: json.NewDecoder(c), list: len(first) > 0 && first[0] == '['}
}

// object reads the next object; errJSON is about this one only.
func (r *jsonReader) object() (row []pair, line int, err error) {
	if r.lines != nil {
		for {
			text, err := r.lines.readBytes()
			if err != nil {
				return nil, r.lines.line, err
			}
			if len(bytes.TrimSpace(text)) == 0 {
				continue
			}
			if !json.Valid(text) {
				return nil, r.lines.line, errJSON
			}
			row, err := r.objects.flat(string(text))
			return row, r.lines.line, err
		}
	}
	at := func() int { return r.in.line(r.dec.InputOffset()) }
	if r.broken {
		return nil, at(), io.EOF
	}
	if r.list && r.dec.InputOffset() == 0 {
		if _, err := r.dec.Token(); err != nil {
			return nil, 1, err
		}
	}
	if r.list && !r.dec.More() {
		r.broken = true
		if _, err := r.dec.Token(); err != nil {
			return nil, at(), errOpen
		}
		return nil, at(), io.EOF
	}
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		var syntax *json.SyntaxError
		switch {
		case err == io.EOF && r.list: // behind a comma
			r.broken, err = true, errOpen
		case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
			r.broken, err = true, errJSON
		case errors.Is(err, errHuge):
			r.broken = true
		}
		return nil, at(), err
	}
	row, err = r.objects.flat(string(raw))
	return row, at(), err
}

// A flattener gives the members of objects in their order.
type flattener struct {
	text string
	at   int
	key  []byte // of the object at hand, those above it before
	row  []pair // of the object before: its keys come again
}

const maxDepth = 8

// flat takes apart an object that is valid JSON. The row is good until the next.
func (f *flattener) flat(text string) ([]pair, error) {
	f.text, f.at, f.key, f.row = text, 0, f.key[:0], f.row[:0]
	if f.next() != '{' {
		return nil, errJSON
	}
	if err := f.members(0); err != nil {
		return nil, err
	}
	return f.row, nil
}

// next gives the byte behind blanks.
func (f *flattener) next() byte {
	for ; f.at < len(f.text); f.at++ {
		switch c := f.text[f.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (f *flattener) members(depth int) error {
	if depth > maxDepth {
		return errJSON
	}
	above := len(f.key)
	for f.at++; f.next() != '}'; {
		if f.text[f.at] == ',' {
			f.at++
			f.next()
		}
		if f.key = f.key[:above]; above > 0 {
			f.key = append(f.key, '_')
		}
		f.key = append(f.key, f.words()...)
		f.next()
		f.at++ // the colon
		switch c := f.next(); c {
		case '{':
			if err := f.members(depth + 1); err != nil {
				return err
			}
		case '[':
			f.list()
		case '"':
			text := f.words()
			if labels := labelsIn(text); labels != nil {
				f.row = append(f.row, labels...)
				continue
			}
			f.add(text, false)
		default:
			from := f.at
			for f.at < len(f.text) && strings.IndexByte(",}] \t\r\n", f.text[f.at]) < 0 {
				f.at++
			}
			text := f.text[from:f.at]
			if c == 'n' { // null
				text = ""
			}
			f.add(text, c == '-' || c-'0' <= 9)
		}
	}
	f.at++
	f.key = f.key[:above]
	return nil
}

func (f *flattener) add(text string, number bool) {
	if n := len(f.row); n < cap(f.row) && f.row[:n+1][n].key == string(f.key) {
		f.row = append(f.row, pair{f.row[:n+1][n].key, text, number})
		return
	}
	f.row = append(f.row, pair{string(f.key), text, number})
}

// words reads a text in quotes.
func (f *flattener) words() string {
	from := f.at
	plain := true
	for f.at++; f.text[f.at] != '"'; f.at++ {
		if c := f.text[f.at]; c == '\\' {
			plain = false
			f.at++
		} else if c >= utf8.RuneSelf {
			plain = false
		}
	}
	f.at++
	if plain {
		return f.text[from+1 : f.at-1]
	}
	var text string
	_ = json.Unmarshal([]byte(f.text[from:f.at]), &text) // which is valid
	return text
}

// list passes by a list.
func (f *flattener) list() {
	for open := 0; ; {
		switch f.text[f.at] {
		case '[', '{':
			open++
		case ']', '}':
			open--
		case '"':
			f.words()
			continue
		}
		if f.at++; open == 0 {
			return
		}
	}
}

// Object reads a document as a table of one row, an object or a map in any writing, or
// of a row for each run inside, if these hold a result for certain: a rate of work or a
// latency. Else it is nil, as for all that only describes.
func Object(text []byte, names map[string]string) Tables {
	if leaves(text) != nil {
		return results(text, "tree of runs", names)
	}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		return results(text, "", names)
	}
	return results(text, "keys and values", names)
}

func results(text []byte, markup string, names map[string]string) Tables {
	all, err := Study(bytes.NewReader(text), Dialect{Encoding: "UTF-8", Form: JSON, Markup: markup}, names)
	if err != nil || len(all) != 1 || all[0].Rows < 1 || markup != "tree of runs" && all[0].Rows != 1 {
		return nil
	}
	isIt := isResult
	if markup == "keys and values" {
		volume := slices.ContainsFunc(all[0].Columns, func(c Column) bool { return c.Name == "iops" })
		isIt = func(c Column) bool { return isResult(c) && !isGiven(c.Name, volume) }
	}
	if _, inside := all[0].Intervals(); inside || !slices.ContainsFunc(all[0].Columns, isIt) {
		return nil
	}
	return all
}

// given are rates that somebody asked for.
var given = regexp.MustCompile(`(?:^|_)(?:target|max|min|limit|goal|expected|required|window|percentile|threshold|timeout|interval)(?:_|$)`)

// isGiven tells settings from results. volume says that there is a number of operations
// that a disk was ordered with, beside which the throughput was ordered too.
func isGiven(name string, volume bool) bool {
	return given.MatchString(name) || name == "iops" || volume && name == "throughput"
}

func isResult(c Column) bool {
	rate := c.Unit.Better == unit.Higher && (c.Unit.Name == "1/s" || c.Unit.Name == "1/min")
	return c.Use == Metric && (rate || strings.HasPrefix(c.Name, "latency"))
}

// labelsIn takes apart what PerfKitBenchmarker writes into one text:
//
//	|cloud:GCP|,|threads:8|
func labelsIn(text string) (labels []pair) {
	if len(text) < 2 || text[0] != '|' || text[len(text)-1] != '|' {
		return nil
	}
	for _, label := range strings.Split(text[1:len(text)-1], "|,|") {
		key, value, ok := strings.Cut(label, ":")
		if !ok || key == "" {
			return nil
		}
		labels = append(labels, pair{key, value, false})
	}
	return labels
}

// next gives the headings first, then the rows in their order.
func (r *jsonReader) next() ([]string, int, error) {
	if !r.sent {
		r.sent = true
		return r.headings, 1, nil
	}
	row, line, err := r.object()
	if err != nil {
		return nil, line, err
	}
	for _, p := range row {
		if _, known := r.place[p.key]; r.learns && !known && column.Name(p.key) != "" {
			r.head(p.key)
		}
	}
	r.cells = slices.Grow(r.cells[:0], len(r.headings))[:len(r.headings)]
	clear(r.cells)
	for _, p := range row {
		if i, ok := r.place[p.key]; ok {
			r.cells[i] = p.text
		}
	}
	return r.cells, line, nil
}

func (r *jsonReader) unended() bool { return r.pairs && r.lines != nil && r.lines.endless }

// head takes a key for a heading.
func (r *jsonReader) head(key string) {
	if r.place == nil {
		r.place = map[string]int{}
	}
	r.place[key] = len(r.headings)
	r.headings = append(r.headings, key)
}

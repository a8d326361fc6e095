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
		if errors.Is(err, errJSON) && (!whole || r.broken) || err == io.EOF {
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
	headings []string
	place    map[string]int // of a heading
	learns   bool           // keys that are not known yet become headings
	cells    []string
	sent     bool
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
			text, err := r.lines.readLine()
			if err != nil {
				return nil, r.lines.line, err
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			if !json.Valid([]byte(text)) {
				return nil, r.lines.line, errJSON
			}
			row, err := flat([]byte(text))
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
		return nil, at(), io.EOF
	}
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
			r.broken, err = true, errJSON
		case errors.Is(err, errHuge):
			r.broken = true
		}
		return nil, at(), err
	}
	row, err = flat(raw)
	return row, at(), err
}

// flat gives the members of an object in their order.
func flat(raw json.RawMessage) ([]pair, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errJSON
	}
	return members(dec, "", 0)
}

const maxDepth = 8

func members(dec *json.Decoder, prefix string, depth int) ([]pair, error) {
	if depth > maxDepth {
		return nil, errJSON
	}
	var row []pair
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, ok := t.(string)
		if !ok {
			return nil, errJSON
		}
		if prefix != "" {
			key = prefix + "_" + key
		}
		if t, err = dec.Token(); err != nil {
			return nil, err
		}
		switch v := t.(type) {
		case json.Delim:
			if v == '{' {
				inner, err := members(dec, key, depth+1)
				if err != nil {
					return nil, err
				}
				row = append(row, inner...)
				continue
			}
			for open := 1; open > 0; { // a list
				t, err := dec.Token()
				if err != nil {
					return nil, err
				}
				switch t {
				case json.Delim('['), json.Delim('{'):
					open++
				case json.Delim(']'), json.Delim('}'):
					open--
				}
			}
		case json.Number:
			row = append(row, pair{key, v.String(), true})
		case nil:
			row = append(row, pair{key, "", false})
		case string:
			if labels := labelsIn(v); labels != nil {
				row = append(row, labels...)
				continue
			}
			row = append(row, pair{key, v, false})
		default:
			row = append(row, pair{key, fmt.Sprint(v), false})
		}
	}
	_, err := dec.Token()
	return row, err
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

// head takes a key for a heading.
func (r *jsonReader) head(key string) {
	if r.place == nil {
		r.place = map[string]int{}
	}
	r.place[key] = len(r.headings)
	r.headings = append(r.headings, key)
}

package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/secret"
)

// Results in trees, of JSON or YAML: lists of runs inside of what they have in common,
// and maps whose keys are levels of what was varied. Each leaf is a run with all that
// stands above it:
//
//	{"host": "db1", "results": [{"threads": 1, "tps": 100}, {"threads": 8, "tps": 700}]}
//	{"8.0.42": {"1": {"tps": 100}, "8": {"tps": 700}}, "8.4.5": {"1": {"tps": 101}, "8": {"tps": 720}}}
//	{"threads_1": {"tps": 100}, "threads_8": {"tps": 700}}
//
//	- version: 8.0.42
//	  threads: 8
//	  tps: 1234.5

// A branch is a node of a tree: a plain text, a list, or a map in its order.
type branch struct {
	text   string
	number bool
	keys   []string // of a map
	inner  []*branch
	list   bool
}

func (b *branch) plain() bool { return !b.list && b.keys == nil }

// maxLeaves is how many runs a tree may have; more is no document that people keep.
const maxLeaves = 100_000

var errTree = fmt.Errorf("not a tree of runs")

func treeOfJSON(dec *json.Decoder, depth int) (*branch, error) {
	t, err := dec.Token()
	if err != nil || depth > 4*maxDepth {
		return nil, errTree
	}
	switch v := t.(type) {
	case json.Delim:
		b := &branch{list: v == '['}
		if !b.list {
			b.keys = []string{}
		}
		for dec.More() {
			if !b.list {
				key, err := dec.Token()
				name, ok := key.(string)
				if err != nil || !ok {
					return nil, errTree
				}
				b.keys = append(b.keys, name)
			}
			inner, err := treeOfJSON(dec, depth+1)
			if err != nil {
				return nil, err
			}
			b.inner = append(b.inner, inner)
		}
		_, err := dec.Token()
		return b, err
	case json.Number:
		return &branch{text: v.String(), number: true}, nil
	case nil:
		return &branch{}, nil
	case string:
		return &branch{text: v}, nil
	}
	return &branch{text: fmt.Sprint(t)}, nil
}

func treeOfYAML(n ast.Node, depth int) *branch {
	if n == nil || depth > 4*maxDepth {
		return &branch{}
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		b := &branch{keys: []string{}}
		for _, v := range n.Values {
			if v.Key != nil && v.Key.GetToken() != nil {
				b.keys, b.inner = append(b.keys, v.Key.GetToken().Value), append(b.inner, treeOfYAML(v.Value, depth+1))
			}
		}
		return b
	case *ast.MappingValueNode:
		if n.Key == nil || n.Key.GetToken() == nil {
			return &branch{}
		}
		return &branch{keys: []string{n.Key.GetToken().Value}, inner: []*branch{treeOfYAML(n.Value, depth+1)}}
	case *ast.SequenceNode:
		b := &branch{list: true}
		for _, v := range n.Values {
			b.inner = append(b.inner, treeOfYAML(v, depth+1))
		}
		return b
	case *ast.IntegerNode, *ast.FloatNode:
		return &branch{text: n.GetToken().Value, number: true}
	case *ast.StringNode:
		return &branch{text: n.Value}
	case *ast.BoolNode:
		return &branch{text: n.GetToken().Value}
	}
	return &branch{}
}

// tree reads a document; nil if it is none.
func tree(text []byte) (root *branch) {
	defer func() {
		if recover() != nil { // a stranger's text must not end the ingest, whatever a parser makes of it
			root = nil
		}
	}()
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil
	}
	if text[0] == '{' || text[0] == '[' {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		root, err := treeOfJSON(dec, 0)
		if err != nil || dec.More() {
			return nil
		}
		return root
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil || len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil
	}
	return treeOfYAML(file.Docs[0].Body, 0)
}

// leaves gives the runs of a tree as objects of JSON, a line each; nil if fewer than
// two of them hold a result.
func leaves(text []byte) []byte {
	root := tree(text)
	if root == nil || root.plain() {
		return nil
	}
	w := &walker{}
	w.walk(root, nil, 1)
	if w.results < 2 || w.others > w.results || w.results > maxLeaves {
		return nil
	}
	return w.out.Bytes()
}

var yamlList = regexp.MustCompile(`\A(?:---[ \t]*\r?\n|[ \t]*#.*\n|[ \t]*\r?\n)*- +["']?[A-Za-z][\w -]*["']?:(?:\s|$)`)

func isYAMLList(text []byte) bool { return yamlList.Match(text) }

var oneKey = regexp.MustCompile(`^([A-Za-z][\w .()/%-]{0,60}?)\s*[=:]\s*(\S.*)$`)

// oneObject makes the keys and values of a text one object, several of them in a line
// or one. A text with other lines than these is prose.
func oneObject(text []byte) []byte {
	var row []pair
	others := 0
	for _, line := range linesOf(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "export ") || strings.HasPrefix(line, "#!") {
			return nil // a script
		}
		if pairs := pairsIn([]byte(line)); pairs != nil {
			row = append(row, pairs...)
		} else if m := oneKey.FindStringSubmatch(line); m != nil {
			row = append(row, pair{key: m[1], text: strings.Trim(m[2], `"'`)})
		} else if line != "" && line[0] != '#' && line[0] != '[' && line != "---" {
			others++
		}
	}
	if others*5 > len(row) {
		return nil
	}
	row = slices.DeleteFunc(row, func(p pair) bool { return secret.Name(p.key) })
	if len(row) == 0 || len(row) > maxColumns {
		return nil
	}
	return object(row)
}

type walker struct {
	out             bytes.Buffer
	results, others int
}

// walk writes the runs below b. above is what stands over them.
func (w *walker) walk(b *branch, above []pair, level int) {
	if w.results > maxLeaves || level > maxDepth {
		return
	}
	if b.list {
		for _, inner := range b.inner {
			if inner.keys != nil {
				w.walk(inner, above, level+1)
			}
		}
		return
	}
	if w.leaf(b, above) {
		return
	}
	own := slices.Clone(above)
	for i, inner := range b.inner {
		if inner.plain() && !secret.Name(b.keys[i]) {
			own = append(own, pair{b.keys[i], inner.text, inner.number})
		}
	}
	levels := b.areLevels()
	for i, inner := range b.inner {
		switch {
		case inner.plain():
		case levels:
			w.walk(inner, append(slices.Clone(own), levelOf(b.keys[i], level)), level+1)
		default:
			w.walk(inner, own, level)
		}
	}
}

// leaf writes b if it is a run: a map with a result in it, or one map further inside
// that says what kind of number it is.
func (w *walker) leaf(b *branch, above []pair) bool {
	if b.areLevels() {
		return false
	}
	row := slices.Clone(above)
	for i, inner := range b.inner {
		switch {
		case secret.Name(b.keys[i]):
		case inner.plain():
			row = append(row, pair{b.keys[i], inner.text, inner.number})
		case inner.keys != nil && !inner.areLevels():
			for k, last := range inner.inner {
				if last.plain() && !secret.Name(inner.keys[k]) {
					row = append(row, pair{b.keys[i] + "_" + inner.keys[k], last.text, last.number})
				}
			}
		}
	}
	if !hasResult(row[len(above):]) {
		if len(row) > len(above) && len(b.inner) == len(row)-len(above) {
			w.others++
		}
		return false
	}
	w.results++
	w.out.Write(object(row))
	w.out.WriteByte('\n')
	return true
}

// areLevels: at least two maps with keys in common, and nothing else beside them but
// plain values.
func (b *branch) areLevels() bool {
	var first *branch
	n := 0
	for _, inner := range b.inner {
		if inner.plain() || inner.list {
			continue
		}
		if n++; first == nil {
			first = inner
		} else if !slices.ContainsFunc(inner.keys, func(k string) bool { return slices.Contains(first.keys, k) }) {
			return false
		}
	}
	return n >= 2
}

var (
	wordFirst   = regexp.MustCompile(`^([A-Za-z][A-Za-z_ ]*?)[-_= :]*(\d+)$`)
	numberFirst = regexp.MustCompile(`^(\d+)[-_ ]*([A-Za-z][A-Za-z_ ]*)$`)
	release     = regexp.MustCompile(`(?i)^(?:[a-z][a-z ]*[-_ ]?)?v?\d+\.\d+(?:\.\d+)*(?:[-_]\w+)*$`)
)

// levelOf says what a key is a level of: of what it names (threads_8, 8 threads), of
// the version, or of what stands at its depth.
func levelOf(key string, level int) pair {
	for i, form := range []*regexp.Regexp{wordFirst, numberFirst} {
		if m := form.FindStringSubmatch(key); m != nil {
			if _, known := column.Builtin(column.Name(m[1+i])); known {
				return pair{column.Name(m[1+i]), m[2-i], true}
			}
		}
	}
	if release.MatchString(key) {
		return pair{"version", key, false}
	}
	return pair{fmt.Sprintf("key%d", level), strings.TrimSpace(key), false}
}

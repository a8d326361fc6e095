package runmeta

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/pelletier/go-toml/v2"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
)

// parseYAML walks the syntax tree and not a decoded value: the tree keeps the
// order, keeps 9.10 apart from 9.1, and does not expand aliases into gigabytes.
func parseYAML(data []byte) (Map, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return Map{}, errors.New("not YAML")
	}
	c := newCollector()
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		switch doc.Body.(type) {
		case *ast.MappingNode, *ast.MappingValueNode:
			c.yaml("", doc.Body, 1)
		default:
			return Map{}, ErrNotMap
		}
	}
	if len(c.m.Entries)+len(c.m.Secrets)+len(c.m.Unread) == 0 {
		return c.m, ErrNotMap
	}
	return c.m, nil
}

func (c *collector) yaml(key string, n ast.Node, depth int) {
	if depth > maxDepth || n == nil {
		return
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			c.yaml(key, v, depth)
		}
	case *ast.MappingValueNode:
		if n.Key != nil && n.Key.GetToken() != nil {
			c.yaml(join(key, n.Key.GetToken().Value), n.Value, depth+1)
		}
	case *ast.AnchorNode:
		c.yaml(key, n.Value, depth+1)
	case *ast.TagNode:
		c.yaml(key, n.Value, depth+1)
	case *ast.SequenceNode:
		var plain []string
		for _, v := range n.Values {
			s, ok := scalar(v)
			if !ok {
				c.list(key, nil, false)
				return
			}
			plain = append(plain, s)
		}
		c.list(key, plain, true)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		c.text(key, n.GetToken().Value)
	default:
		if s, ok := scalar(n); ok {
			c.add(key, datasets.Text(s))
		}
	}
}

func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		if n.Value == nil {
			return "", true
		}
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func parseTOML(text []byte) (Map, error) {
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		return Map{}, errors.New("not TOML")
	}
	c := newCollector()
	c.toml("", tree, text, 1)
	if len(c.m.Entries)+len(c.m.Secrets)+len(c.m.Unread) == 0 {
		return c.m, ErrNotMap
	}
	return c.m, nil
}

func (c *collector) toml(prefix string, tree map[string]any, text []byte, depth int) {
	if depth > maxDepth {
		return
	}
	for _, k := range slices.Sorted(maps.Keys(tree)) {
		key := join(prefix, k)
		switch v := tree[k].(type) {
		case map[string]any:
			c.toml(key, v, text, depth+1)
		case string:
			c.add(key, datasets.Text(v))
		case int64:
			if written, ok := versionIn(text, k); ok {
				c.add(key, datasets.Text(written))
			} else {
				c.add(key, datasets.Int(v))
			}
		case float64:
			if written, ok := versionIn(text, k); ok {
				c.add(key, datasets.Text(written))
			} else {
				c.add(key, datasets.Float(v))
			}
		case bool:
			c.add(key, datasets.Bool(v))
		case time.Time:
			c.add(key, datasets.Text(v.Format(time.RFC3339Nano)))
		case []any:
			plain, whole := plainList(v)
			c.list(key, plain, whole)
		default: // a local date or time
			c.text(key, column.Value("", fmt.Sprint(v)).String())
		}
	}
}

func plainList(list []any) ([]string, bool) {
	var plain []string
	for _, v := range list {
		switch v.(type) {
		case map[string]any, []any:
			return nil, false
		}
		plain = append(plain, fmt.Sprint(v))
	}
	return plain, true
}

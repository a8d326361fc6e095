package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// notebook is what the checks read of an .ipynb file (nbformat 4).
type notebook struct {
	name  string
	Cells []cell `json:"cells"`
}

type cell struct {
	Type    string   `json:"cell_type"`
	Source  text     `json:"source"`
	Outputs []output `json:"outputs"`
	Count   *int     `json:"execution_count"`
}

func (c *cell) isCode() bool { return c.Type == "code" && strings.TrimSpace(string(c.Source)) != "" }

type output struct {
	Type  string          `json:"output_type"`
	Name  string          `json:"name"` // of a stream
	Text  text            `json:"text"` // of a stream
	Data  map[string]text `json:"data"` // by MIME type
	Value string          `json:"evalue"`
}

// text is a string that nbformat may write as a list of lines. Anything else, such
// as JSON data, stays as it is written.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	var one string
	var lines []string
	switch {
	case json.Unmarshal(raw, &one) == nil:
		*t = text(one)
	case json.Unmarshal(raw, &lines) == nil:
		*t = text(strings.Join(lines, ""))
	default:
		*t = text(raw)
	}
	return nil
}

func readNotebook(file string) (*notebook, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseNotebook(file, raw)
}

func parseNotebook(name string, raw []byte) (*notebook, error) {
	n := &notebook{name: name}
	if err := json.Unmarshal(raw, n); err != nil {
		return nil, fmt.Errorf("%s is no notebook: %w", name, err)
	}
	for i := range n.Cells {
		n.Cells[i].Outputs = joined(n.Cells[i].Outputs)
	}
	return n, nil
}

// joined makes one output of the pieces that a stream came in.
func joined(outputs []output) []output {
	var all []output
	for _, o := range outputs {
		if n := len(all); n > 0 && o.Type == "stream" && all[n-1].Type == "stream" && all[n-1].Name == o.Name {
			all[n-1].Text += o.Text
			continue
		}
		all = append(all, o)
	}
	return all
}

// tidied is an executed notebook as it is committed: without the times of its
// execution, its streams in one piece, in the layout of nbformat.
func tidied(raw []byte) ([]byte, error) {
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	cells, _ := doc["cells"].([]any)
	for _, c := range cells {
		c, ok := c.(map[string]any)
		if !ok {
			continue
		}
		if meta, ok := c["metadata"].(map[string]any); ok {
			delete(meta, "execution")
		}
		if outputs, ok := c["outputs"].([]any); ok {
			c["outputs"] = joinedStreams(outputs)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(doc); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func joinedStreams(outputs []any) []any {
	all := []any{}
	var last map[string]any
	for _, o := range outputs {
		o, _ := o.(map[string]any)
		if o["output_type"] == "stream" && last != nil && last["output_type"] == "stream" && last["name"] == o["name"] {
			last["text"] = lines(streamText(last["text"]) + streamText(o["text"]))
			continue
		}
		if o["output_type"] == "stream" {
			o["text"] = lines(streamText(o["text"]))
		}
		all = append(all, o)
		last = o
	}
	return all
}

func streamText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, "")
	case []any:
		var b strings.Builder
		for _, line := range v {
			fmt.Fprint(&b, line)
		}
		return b.String()
	}
	return ""
}

// lines are a text as nbformat writes it, a line each, for the diff to be read.
func lines(s string) []string { return slices.Collect(strings.Lines(s)) }

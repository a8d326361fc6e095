package runmeta

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
)

var errCut = errors.New("the end is missing")

// parseJSON reads an object, after repair if it is not quite JSON. Real ones:
//
//	{"cache-size":196,"user-threads":84}"
//	{ "threads": 8, }
func parseJSON(text []byte) (Map, error) {
	m, rest, err := decode(text)
	if err == nil {
		rest = bytes.TrimSpace(rest)
		if len(rest) > 0 && (rest[0] == '{' || rest[0] == '[') {
			return Map{}, ErrNotMap // a stream of records
		}
		return m, nil
	}
	whole, cut := repair(text)
	fixed, _, again := decode(whole)
	switch {
	case again == nil && cut:
		return fixed, errCut
	case again == nil:
		return fixed, nil
	case cut:
		m = fixed // the end of m may be a part of a number
	}
	return m, fmt.Errorf("not JSON: %w", err)
}

// decode reads the first object and gives what stands behind it.
func decode(text []byte) (Map, []byte, error) {
	c := newCollector()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if _, err := d.Token(); err != nil { // the opening brace
		return c.m, nil, err
	}
	err := c.object(d, "", 1)
	return c.m, text[d.InputOffset():], err
}

// object reads up to the closing brace. Token by token, because a map would lose
// the order and hide keys that come twice.
func (c *collector) object(d *json.Decoder, prefix string, depth int) error {
	if depth > maxDepth {
		return errors.New("nested too deep")
	}
	for {
		t, err := d.Token()
		if err != nil {
			return noEOF(err)
		}
		if t == json.Delim('}') {
			return nil
		}
		key, _ := t.(string)
		if err := c.member(d, join(prefix, key), depth); err != nil {
			return err
		}
	}
}

func (c *collector) member(d *json.Decoder, key string, depth int) error {
	t, err := d.Token()
	if err != nil {
		return noEOF(err)
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return c.object(d, key, depth+1)
		}
		plain, whole, err := array(d, depth+1)
		if err == nil {
			c.list(key, plain, whole)
		}
		return err
	case string:
		c.add(key, datasets.Text(t))
	case json.Number:
		c.add(key, column.Value(column.Name(key), t.String()))
	case bool:
		c.add(key, datasets.Bool(t))
	}
	return nil // null is no value
}

// array reads up to the closing bracket; whole is false if it holds more than
// plain values.
func array(d *json.Decoder, depth int) (plain []string, whole bool, err error) {
	if depth > maxDepth {
		return nil, false, errors.New("nested too deep")
	}
	whole = true
	for inside := 0; ; {
		t, err := d.Token()
		if err != nil {
			return nil, false, noEOF(err)
		}
		switch t := t.(type) {
		case json.Delim:
			switch {
			case t == ']' && inside == 0:
				return plain, whole, nil
			case t == '[' || t == '{':
				inside++
				whole = false
			default:
				inside--
			}
		default:
			if inside == 0 && len(plain) < 100 {
				plain = append(plain, fmt.Sprint(t))
			}
		}
	}
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// repair makes JSON of what hand-written and shell-written files get wrong: text
// behind the last brace, a comma before a closing brace, // and # comments,
// single quotes, NaN, an end that was cut off. What may go on behind a cut is left
// out: a number, a word, a text without its closing quote.
func repair(text []byte) (out []byte, cut bool) {
	out = make([]byte, 0, len(text)+8)
	var open []byte            // closing braces still owed
	i, member, list := 0, 0, 0 // where the last member begins in out, and that with the outermost open list
	valued, torn := false, false
	for i < len(text) {
		ch := text[i]
		switch {
		case ch == '"' || ch == '\'':
			end := endOfString(text, i)
			torn = end >= len(text)
			out = appendString(out, text[i+1:min(end, len(text))])
			i = end + 1
			continue
		case ch == ':':
			valued = true
		case ch == ',':
			member, valued = len(out), false
		case ch == '{':
			open = append(open, '}')
			member, valued = len(out)+1, false
		case ch == '[':
			if !bytes.ContainsRune(open, ']') {
				list = member
			}
			open = append(open, ']')
		case ch == '}' || ch == ']':
			out = dropComma(out)
			if len(open) == 0 || open[len(open)-1] != ch {
				return out, false // as broken as before
			}
			open = open[:len(open)-1]
			if len(open) == 0 {
				return append(out, ch), false
			}
		case ch == '#' || ch == '/' && i+1 < len(text) && text[i+1] == '/':
			if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(text)
			}
			continue
		case (ch == 'e' || ch == 'E') && len(out) > 0 && out[len(out)-1] >= '0' && out[len(out)-1] <= '9': // 1e5
		case ch >= 'A' && ch <= 'Z' || ch >= 'a' && ch <= 'z':
			end := i
			for end < len(text) && (text[end] == '_' || text[end] >= '0' && text[end] <= '9' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z') {
				end++
			}
			torn = end == len(text)
			switch word := string(text[i:end]); word {
			case "true", "false", "null":
				out = append(out, word...)
			case "True":
				out = append(out, "true"...)
			case "False":
				out = append(out, "false"...)
			case "NaN", "Infinity", "None":
				out = append(out, "null"...)
			default:
				out = appendString(out, text[i:end]) // a key without quotes
			}
			i = end
			continue
		}
		out = append(out, ch)
		i++
	}
	last := bytes.TrimRight(out, " \t\r\n")
	if n := bytes.IndexByte(open, ']'); n >= 0 {
		out, open = out[:list], open[:n]
	} else if torn || !valued || len(last) == 0 || !bytes.ContainsRune([]byte(`"}]`), rune(last[len(last)-1])) {
		out = out[:member]
	}
	out = dropComma(out)
	for n := len(open) - 1; n >= 0; n-- {
		out = append(out, open[n])
	}
	return out, len(open) > 0
}

// endOfString gives the place of the closing quote, or the end of the text.
func endOfString(text []byte, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[from]:
			return i
		}
	}
	return len(text)
}

// appendString writes a string that stood between either kind of quotes.
func appendString(out, s []byte) []byte {
	var decoded string
	if json.Unmarshal(append(append([]byte{'"'}, s...), '"'), &decoded) != nil {
		decoded = string(bytes.ReplaceAll(s, []byte(`\'`), []byte(`'`)))
	}
	quoted, err := json.Marshal(decoded)
	if err != nil {
		return append(out, `""`...)
	}
	return append(out, quoted...)
}

func dropComma(out []byte) []byte {
	trimmed := bytes.TrimRight(out, " \t\r\n")
	if len(trimmed) > 0 && trimmed[len(trimmed)-1] == ',' {
		return trimmed[:len(trimmed)-1]
	}
	return out
}

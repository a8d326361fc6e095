package table

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"noisefloor/datasets/unit"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/lines"
)

// Lines of keys and values, a run in each, as scripts print them, behind a time or
// not; an equals sign or a colon may stand between:
//
//	threads=8 tps=1234.5 qps=24690.0 p95=12.3ms
//	2026-01-31 12:00:00 version=8.0.42, threads=8, tps=1234.5
//	RESULT version: 8.0.42, threads: 8, tps: 1234.5
var (
	equals = regexp.MustCompile(`([A-Za-z][\w./%-]*) ?= ?("[^"]*"|[^\s,;=]+)`)
	colons = regexp.MustCompile(`(?:^[A-Z]+:?\s+|^|[,;]\s*)([A-Za-z][\w ./%()-]*?)\s*:\s+("[^"]*"|[^\s,;:]+(?: ?[a-zA-Z/%]+)?)`)
)

// pairsIn takes a line apart; nil if it is no line of pairs. A line with more words
// outside of them than pairs is prose, or the log of a program.
func pairsIn(line []byte) (row []pair) {
	if len(line) > maxPairs || bytes.IndexByte(line, '{') >= 0 {
		return nil
	}
	var found [][]int
	form := equals
	if bytes.Count(line, []byte("=")) >= 2 { // spares most lines the search
		found = form.FindAllSubmatchIndex(line, -1)
	}
	if len(found) < 2 && bytes.Count(line, []byte(":")) >= 2 {
		form = colons
		found = form.FindAllSubmatchIndex(line, -1)
	}
	if len(found) < 2 {
		return nil
	}
	before := line[:found[0][2]]
	rest := append(lines.WithoutMoment(before), ' ')
	for i, m := range found {
		row = append(row, pair{key: string(line[m[2]:m[3]]), text: strings.Trim(string(line[m[4]:m[5]]), `"`)})
		if i > 0 {
			rest = append(rest, line[found[i-1][1]:m[0]]...)
			rest = append(rest, ' ')
		}
	}
	rest = append(rest, line[found[len(found)-1][1]:]...)
	if words := len(bytes.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t,;|[]()-", r) })); words > 2 {
		return nil
	}
	if when := lines.Moment(before); when != "" {
		row = append([]pair{{key: "started_at", text: when}}, row...)
	}
	return row
}

const maxPairs = 4 << 10 // bytes of a line

// hasResult tells whether a row names a rate of work, without which it may be
// anything.
func hasResult(row []pair) bool {
	volume := slices.ContainsFunc(row, func(p pair) bool { return column.Name(p.key) == "iops" })
	for _, p := range row {
		name := column.Name(p.key)
		u := unit.Of(name)
		if !isGiven(name, volume) && u.Better == unit.Higher && (u.Name == "1/s" || u.Name == "1/min") && holdsNumber(p.text) {
			return true
		}
	}
	return false
}

// arePairs: two lines of results at least, and little else in the text. A line with a
// time inside a run is a report line, not a run.
func arePairs(text []byte) bool {
	results, others := 0, 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if row := pairsIn(line); row != nil && hasResult(row) {
			results++
		} else if bytes.ContainsAny(line, "0123456789") {
			others++
		}
		if results+others == sampleRows || others*3 > sampleRows {
			break
		}
	}
	return results >= 2 && others*3 <= results
}

const pairLines = "lines of keys and values"

// pairObjects writes each line of pairs as an object, on its line, which ends as that did.
func pairObjects(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		if row := pairsIn(bytes.TrimSpace(line)); row != nil && hasResult(row) {
			out.Write(object(row))
		}
		if bytes.HasSuffix(line, []byte("\n")) {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}

// object writes a row as JSON, its numbers as they are written.
func object(row []pair) []byte {
	var out bytes.Buffer
	for i, p := range row {
		out.WriteByte(",{"[min(1, max(0, 1-i))])
		key, _ := json.Marshal(p.key)
		out.Write(key)
		out.WriteByte(':')
		if json.Valid([]byte(p.text)) && p.text[0] != '"' && p.text[0] != '{' && p.text[0] != '[' {
			out.WriteString(p.text)
			continue
		}
		text, _ := json.Marshal(p.text)
		out.Write(text)
	}
	out.WriteByte('}')
	return out.Bytes()
}

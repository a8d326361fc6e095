// Package hyperfine reads what hyperfine --export-json writes: each execution of a
// command is a run with its elapsed time.
package hyperfine

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/column"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
	"noisefloor/ingest/internal/secret"
)

// Tool is hyperfine for the registry of ingest.
var Tool = load.Tool{Name: "hyperfine", Sniff: Sniff, Scan: Scan}

var telling = pattern.MustCompile(`(?s)\A\s*\{\s*"results"\s*:\s*\[\s*\{\s*"command"\s*:.*?"(?:stddev|median|times|exit_codes)"\s*:`)

// Sniff tells whether the head of a file comes from hyperfine.
func Sniff(head []byte) bool { return telling.Match(head) }

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// maxTimes is how many executions of one command are read.
const maxTimes = 100_000

// The document, as it stands in real files (source: hyperfine, src/benchmark/benchmark_result.rs):
//
//	{
//	  "results": [
//	    {
//	      "command": "./lookup 102",
//	      "mean": 0.0123, "stddev": 0.0011, "median": 0.0121,
//	      "user": 0.003, "system": 0.002, "min": 0.011, "max": 0.015,
//	      "times": [0.011, 0.0121, 0.0138],
//	      "memory_usage_byte": [21938176, 21938176, 21942272],      from 1.19 on
//	      "exit_codes": [0, 0, 0],
//	      "parameters": { "threads": "8" }
//	    }
//	  ]
//	}
//
// user and system are means over all executions and belong to none of them.
type parser struct {
	members load.Members
	result
}

// result is the command at hand.
type result struct {
	said       []string // what tells it from others
	command    string
	times      []float64
	memory     []float64
	codes      []string
	parameters [][2]string
	tooMany    bool

	whole bool
	at    int // of times, the run at hand
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	found, ok := p.members.Line(string(line))
	if !ok {
		return load.Foreign
	}
	for _, m := range found {
		switch ends := m.Closed && len(m.Path) == 2 && m.Path[0] == "results"; {
		case ends:
			p.give(b)
		case !m.Closed:
			p.value(b, m.Path, m.Text)
		}
	}
	if b.Open() {
		return load.Mine
	}
	return load.Apart
}

func (p *parser) value(b *load.Book, path []string, text string) {
	if len(path) < 3 || path[0] != "results" || path[1] != "" {
		return
	}
	p.said = append(p.said, text)
	switch key := path[2]; {
	case len(path) == 3 && key == "command":
		b.Begin()
		p.result = result{said: []string{text}, command: text}
	case len(path) == 4 && key == "parameters":
		p.parameters = append(p.parameters, [2]string{path[3], text})
	case len(path) != 4 || path[3] != "":
	case len(p.times) >= maxTimes && key == "times":
		p.tooMany = true
	case key == "times":
		p.times = append(p.times, load.Number(text))
	case key == "memory_usage_byte":
		p.memory = append(p.memory, load.Number(text))
	case key == "exit_codes":
		p.codes = append(p.codes, text)
	}
}

// give makes runs of a command that is read to its end.
func (p *parser) give(b *load.Book) {
	if !b.Open() {
		return
	}
	if p.tooMany {
		b.Note("too-many", []byte(fmt.Sprintf("only the first %d executions of a command are read", maxTimes)))
	}
	p.whole = true
	said := strings.Join(p.said, "\x00")
	for i, elapsed := range p.times {
		if beside := fmt.Sprintf("%s\x00%d", said, i); i == 0 {
			b.Beside = beside
		} else {
			b.BeginCell(beside)
		}
		p.at = i
		r := &b.Run
		r.Factors = map[string]datasets.Value{}
		if arm := p.arm(); arm != "" {
			r.Factors["arm"] = load.Typed("arm", arm)
		}
		for _, parameter := range p.parameters {
			switch name, value := column.Name(parameter[0]), parameter[1]; {
			case name == "", secret.Name(parameter[0]) && !secret.Plain(name, value):
			case name == "threads" && load.Count(value) > 0:
				r.Threads = load.Count(value)
			default:
				r.Factors[name] = load.Typed(name, value)
			}
		}
		r.Metrics["elapsed"] = elapsed
		if len(p.memory) == len(p.times) {
			r.Metrics["max_rss_bytes"] = p.memory[i]
		}
	}
}

// arm is what was compared: the command, with the names of parameters for their values,
// which are factors of their own.
func (p *parser) arm() string {
	words := strings.Fields(secret.CleanCommand(p.command))
	for i, word := range words {
		for _, parameter := range p.parameters {
			if name, value, pair := strings.Cut(word, "="); word == parameter[1] {
				words[i] = "{" + parameter[0] + "}"
			} else if pair && value == parameter[1] {
				words[i] = name + "={" + parameter[0] + "}"
			}
		}
	}
	return strings.Join(words, " ")
}

func (p *parser) End(b *load.Book) bool {
	switch {
	case !p.whole:
		b.Run.Status = datasets.Truncated
	case len(p.times) == 0:
		b.Note("no-times", []byte("a command without times of its executions: "+secret.CleanCommand(p.command)))
		return false
	case len(p.codes) == len(p.times) && !slices.Contains([]string{"0", "null"}, p.codes[p.at]):
		b.Run.Status = datasets.FatalWithSummary
	default:
		b.Run.Status = datasets.Complete
	}
	return true
}

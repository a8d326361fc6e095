package lines

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/secret"
)

// Problems collects what was not understood of one text, one record a kind: the
// first case with its line, and how many there were.
type Problems struct {
	list []datasets.Problem
	at   map[string]int // index in list by kind

	above []byte // text of the last case
	line  int    // of it
}

// Add records one more case of a kind. It may be the password that the case on the line
// above asked for.
func (p *Problems) Add(kind string, line int, text []byte) {
	p.add(kind, line, func() string {
		if line != p.line+1 {
			return Presentable(string(text))
		}
		return PresentableBelow(string(p.above), string(text))
	})
	p.above, p.line = append(p.above[:0], text[:min(len(text), 10*MaxText)]...), line
}

// AddLine is Add for what the line at hand of a reader says. It may be the password
// that the line above asked for, or what was taken off in front of it.
func (p *Problems) AddLine(rd *Reader, kind string, text []byte) {
	p.add(kind, rd.Number, func() string {
		above, line := bytes.Split(rd.Above(someAbove), []byte("\n")), rd.Line()
		for i, b := range above {
			for under := Undress(b); len(under) < len(b); under = Undress(b) {
				b = under
			}
			above[i] = b
		}
		if bytes.Contains(line, text) && !strings.Contains(secret.CleanCommand(string(line)), secret.CleanCommand(string(text))) {
			text = bytes.TrimSpace(line)
		}
		indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		return presentable(string(indent)+string(text), func(text string) string {
			return strings.TrimSpace(secret.CleanBelow(string(bytes.Join(above, []byte("\n"))), text))
		})
	})
}

func (p *Problems) add(kind string, line int, text func() string) {
	if i, ok := p.at[kind]; ok {
		p.list[i].Count++
		return
	}
	if p.at == nil {
		p.at = map[string]int{}
	}
	p.at[kind] = len(p.list)
	p.list = append(p.list, datasets.Problem{Line: line, Kind: kind, Text: text(), Count: 1})
}

// More counts n further cases of a kind.
func (p *Problems) More(kind string, n int) {
	if i, ok := p.at[kind]; ok {
		p.list[i].Count += n
	}
}

// Each gives the problems in the order of lines.
func (p *Problems) Each(give func(datasets.Problem)) {
	slices.SortStableFunc(p.list, func(a, b datasets.Problem) int { return cmp.Compare(a.Line, b.Line) })
	for _, problem := range p.list {
		give(problem)
	}
}

// someAbove is how many lines may stand between the name of a secret and its last line:
// a private key of 2048 bits has 26.
const someAbove = 30

// MaxText is the length of a problem text, by the definition of datasets.Problem.
const MaxText = 200

// Presentable makes a piece of a stranger's text fit to be stored and shown:
// without passwords, valid UTF-8, on one line, not longer than MaxText.
func Presentable(text string) string { return presentable(text, secret.CleanCommand) }

// PresentableBelow is Presentable for a text that may go on with a value which the line
// above began.
func PresentableBelow(above, text string) string {
	return presentable(text, func(text string) string { return secret.CleanBelow(above, text) })
}

func presentable(text string, clean func(string) string) string {
	if len(text) > 10*MaxText {
		text = text[:10*MaxText]
		if i := strings.LastIndexByte(text, ' '); i > 0 {
			text = text[:i] // the last word may be a user:password that has lost its @host
		}
	}
	text = strings.ToValidUTF8(clean(text), "?")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	if len(text) <= MaxText {
		return text
	}
	end := MaxText - len("...")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

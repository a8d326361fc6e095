package report

import (
	"io"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/table"
)

// terminal is paper of so many columns.
type terminal struct {
	w        io.Writer
	screen   table.Screen
	err      error
	verdicts int  // printed so far
	started  bool // anything printed
}

func (p *terminal) print(s string) {
	p.started = true
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}

func (p *terminal) failed() error { return p.err }

func (p *terminal) gap() { p.print("\n") }

func (p *terminal) section(head string, body func()) {
	if p.started {
		p.gap()
	}
	for _, line := range table.Wrap(head, p.screen.Columns(), 2) {
		p.print(p.screen.Bold(line) + "\n")
	}
	body()
}

// prose prints a sentence, wrapped, with its further lines below the first
// word.
func (p *terminal) prose(bullet, text string) {
	lines := table.Wrap(bullet+text, p.screen.Columns(), len(bullet))
	p.print(strings.Join(lines, "\n") + "\n")
}

func (p *terminal) table(t *table.Table) {
	if p.err == nil {
		p.err = t.Text(p.w, p.screen)
	}
}

// verdictWidth is the width of the longest verdict: sentences stand beside it.
const verdictWidth = len(analysis.Inconclusive) + 2

// verdict prints the word, then the sentence beside it.
func (p *terminal) verdict(l line) {
	if l.Verdict == "" && p.verdicts == 0 { // nothing was compared
		p.prose("", l.Sentence)
		return
	}
	p.verdicts++
	room := max(p.screen.Columns()-verdictWidth, 20)
	word := p.screen.Paint(string(l.Verdict), tones[l.Verdict])
	pad := verdictWidth - len(l.Verdict)
	for i, text := range table.Wrap(l.Sentence, room, 0) {
		if i > 0 {
			word, pad = "", verdictWidth
		}
		p.print(word + strings.Repeat(" ", pad) + text + "\n")
	}
}

package report

import (
	"fmt"
	"io"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/table"
)

// Markdown prints the report for a pull request: verdicts, the tables of strata, the
// design, doubts, what to run next. Where one part was asked for by its name, its
// tables stand there too.
func Markdown(w io.Writer, r *Report) error {
	m := &markdown{w: w, room: commentRoom}
	p := &printer{m}
	p.answers(r)
	p.next(r)
	if r.Has(PartCompare) {
		for _, metric := range metrics(r) {
			p.comparisons(r, rowsOf(r, metric))
		}
	}
	if r.asked(PartHistory) {
		p.history(r)
	}
	if r.asked(PartScaling) {
		p.curves(r)
	}
	if r.asked(PartVariance) {
		p.variance(r)
	}
	if r.asked(PartSteady) {
		p.steady(r)
	}
	if r.asked(PartProfile) || r.asked(PartWaits) {
		p.profiles(r)
	}
	if len(r.Design.Factors) > 0 || r.Plan == nil {
		p.design(r)
	}
	shown, rest := someDoubts(r, doubtsInComment)
	p.doubts(shown)
	if rest != "" {
		p.prose("- ", rest)
	}
	m.finish(strings.TrimSpace(provenanceLine(r) + " " + leftOut(r) + " " + problemsCounted(r)))
	return m.failed()
}

func problemsCounted(r *Report) string {
	if len(r.Inputs.Problems) == 0 {
		return ""
	}
	return sentenceCase(analysis.Counted(len(r.Inputs.Problems), "problem")) + " while reading."
}

const (
	// commentRoom is what is written of a report: GitHub takes 65 536 characters.
	commentRoom = 60_000
	// rowsInComment and doubtsInComment are as many as anyone reads there.
	rowsInComment   = 40
	doubtsInComment = 8
)

// markdown is the paper of a pull request: GitHub-flavoured Markdown without HTML.
// What does not fit a comment is left out, and counted.
type markdown struct {
	w      io.Writer
	err    error
	room   int
	last   byte // kind of block: ' ' paragraph, '-' item; 0 = nothing written yet
	missed int  // blocks
}

func (m *markdown) failed() error { return m.err }

func (m *markdown) gap() {} // each block has its own

// block writes one line, or the lines of a table. Items of a list stand together.
func (m *markdown) block(kind byte, text string) {
	if len(text) > m.room {
		m.missed++
		return
	}
	m.room -= len(text)
	if m.last != 0 && !(kind == '-' && m.last == '-') {
		text = "\n" + text
	}
	m.last = kind
	if m.err == nil {
		_, m.err = io.WriteString(m.w, text+"\n")
	}
}

func (m *markdown) section(head string, body func()) {
	m.block(' ', "**"+table.Markdown(head)+"**")
	body()
}

func (m *markdown) prose(bullet, text string) {
	kind := byte(' ')
	if bullet != "" {
		kind = '-'
	}
	m.block(kind, bullet+table.Markdown(text))
}

func (m *markdown) verdict(l line) {
	word := ""
	if l.Verdict != "" {
		word = "**" + string(l.Verdict) + "**: "
	}
	m.block('-', "- "+word+table.Markdown(l.Sentence))
}

func (m *markdown) table(t *table.Table) {
	more := max(0, len(t.Rows)-rowsInComment)
	shown := &table.Table{Columns: t.Columns, Rows: t.Rows[:len(t.Rows)-more]}
	var text strings.Builder
	if err := shown.Markdown(&text); err != nil && m.err == nil {
		m.err = err
	}
	m.block(' ', strings.TrimSuffix(text.String(), "\n"))
	if more > 0 {
		m.block(' ', fmt.Sprintf("and %s more, in the whole report.", analysis.Counted(more, "row")))
	}
}

// finish writes the last line, which has its room whatever came before.
func (m *markdown) finish(line string) {
	if m.missed > 0 {
		line = fmt.Sprintf("%s left out here: a comment has no room for them. ", sentenceCase(analysis.Counted(m.missed, "block"))) + line
	}
	line = table.Markdown(line)
	m.room = max(m.room, len(line))
	m.block(' ', line)
}

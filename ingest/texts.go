package ingest

import (
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/secret"
)

// tidy cleans the texts of a batch, the last thing before it is handed on. Scanners
// take out by name what they know to be a password; what nobody thought of (a command
// line as the name of a process, a login as the name of a host) ends here.
func tidy(b *datasets.Batch, known cleaned) {
	for i := range b.Runs {
		r := &b.Runs[i]
		clean(&r.Workload, &r.ToolVersion, &r.Host, &r.Session, &r.Launch)
		for name, v := range r.Factors {
			if v.Kind() != datasets.TextKind {
				continue
			}
			if text := secret.Clean(v.String()); text != v.String() {
				r.Factors[name] = datasets.Text(text)
			}
		}
	}
	for i := range b.Stacks {
		s := &b.Stacks[i]
		clean(&s.Comm)
		for k := range s.Frames {
			if f := s.Frames[k]; k == 0 || strings.ContainsAny(f, "=@\"") || strings.Contains(f, " -") || strings.Contains(f, ": ") || strings.Contains(f, "://") { // a command, and no function
				clean(&s.Frames[k])
			}
		}
	}
	for i := range b.Counters {
		known.clean(&b.Counters[i].Event, &b.Counters[i].Scope)
	}
	for i := range b.Waits {
		known.clean(&b.Waits[i].Event)
	}
	for i := range b.Series.Names {
		known.clean(&b.Series.Names[i])
	}
	for i := range b.Problems {
		b.Problems[i].Text = quoted(b.Problems[i].Text)
	}
}

func clean(texts ...*string) {
	for _, t := range texts {
		*t = secret.Clean(*t)
	}
}

// cleaned are names of what was measured, which every run has again, as they are after
// cleaning; nil remembers nothing.
type cleaned map[string]string

// mostCleaned bounds it: a server has two thousand names.
const mostCleaned = 1 << 14

func (known cleaned) clean(names ...*string) {
	for _, name := range names {
		text, ok := known[*name]
		if !ok {
			text = secret.Clean(*name)
			if known != nil && len(known) < mostCleaned {
				known[*name] = text
			}
		}
		*name = text
	}
}

// quoted cleans and shortens what a problem quotes.
func quoted(text string) string {
	const longest = 200
	text = text[:min(len(text), 20*longest)] // a secret may be longer than what is shown
	text = secret.Clean(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "")
	}
	return text
}

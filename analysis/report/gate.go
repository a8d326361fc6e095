package report

import (
	"fmt"
	"strings"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/table"
)

// Gate is the answer to one yes-or-no question about all rows.
type Gate struct {
	Kind    compare.Gate
	Detect  float64
	Outcome compare.Outcome
	// Reasons say which rows kept it from passing, those of the outcome only.
	Reasons []string
}

// Ask puts a gate's question to every stratum and contender: it fails if any row
// fails it, else cannot be answered if any row cannot answer. Headlines are not
// asked, as they are the same runs again. The percentile that stands beside the
// throughput unasked may fail the gate, but not make it unanswerable; metrics
// named with --metric may do both.
func (r *Report) Ask(kind compare.Gate, detect float64, named bool) Gate {
	g := Gate{Kind: kind, Detect: detect}
	if len(r.Comparisons) == 0 {
		g.note(compare.CannotAnswer, strings.TrimSuffix(nothingCompared(r), "."))
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		row := table.Visible(c.Metric) + " of " + table.Visible(c.Level)
		if s := stratumWords(c.Stratum); s != "" {
			row += " at " + s
		}
		outcome, why := kind.Ask(&c.Result, detect)
		if outcome == compare.CannotAnswer && !c.Primary && !named {
			continue
		}
		g.note(outcome, row+": "+why)
		if c.LeftOut[0] != c.LeftOut[1] && c.Primary {
			g.note(compare.CannotAnswer, fmt.Sprintf("%s: the arms lost different numbers of runs (%d of %s, %d of %s)",
				row, c.LeftOut[0], table.Visible(c.BaseLevel), c.LeftOut[1], table.Visible(c.Level)))
		}
	}
	for _, l := range r.Lone {
		g.note(compare.CannotAnswer, l.words())
	}
	return g
}

// note takes what one row answered; the worst answer is the gate's.
func (g *Gate) note(o compare.Outcome, reason string) {
	if o > g.Outcome {
		g.Outcome, g.Reasons = o, nil
	}
	if o == g.Outcome && o != compare.Passed {
		g.Reasons = append(g.Reasons, reason)
	}
}

// Text says in one line how the gate went, and why.
func (g Gate) Text() string {
	const most = 3 // rows that a line of a build log names
	word := map[compare.Outcome]string{compare.Passed: "passed", compare.CannotAnswer: "cannot be answered", compare.Failed: "failed"}[g.Outcome]
	s := fmt.Sprintf("gate %s: %s", g.Kind, word)
	reasons := g.Reasons
	if len(reasons) > most {
		reasons = append(reasons[:most:most], fmt.Sprintf("and %d more", len(g.Reasons)-most))
	}
	if len(reasons) > 0 {
		s += ": " + strings.Join(reasons, "; ")
	}
	return s
}

// words say why a stratum was not compared.
func (l Lone) words() string {
	s := table.Visible(l.Level)
	if at := stratumWords(l.Stratum); at != "" {
		s += " at " + at
	}
	s += ": " + table.Visible(l.Lacks) + " has no complete run there"
	if l.LeftOut > 0 {
		s += fmt.Sprintf(" (%s left out)", analysis.Counted(l.LeftOut, "run"))
	}
	return s
}

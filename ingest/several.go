package ingest

import (
	"fmt"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/serverstat"
)

// Snapshots of a server that lie beside several runs. Where they go on over time,
// each run takes what was counted while it went on. Of one before all runs and one
// behind them each run gets the difference, which is of all together.

// mostSharing is how many runs may have one difference: each gets some hundred rows.
const mostSharing = 256

// sharing gives the logs that a file of snapshots lies beside, nil if there is one or
// none: those that have its name in theirs, or all where its name only says what is
// in it.
func (n *neighbours) sharing(f *file) (logs []*file) {
	if n == nil {
		return nil
	}
	logs = n.logs
	if len(f.core()) > 0 {
		logs, _ = n.partners(f)
	}
	logs = slices.DeleteFunc(slices.Clone(logs), func(l *file) bool { return !l.isRun() })
	if len(logs) < 2 || len(logs) > mostSharing {
		return nil
	}
	return logs
}

// several is a run that has snapshots with others.
type several struct {
	of      string   // its log
	logs    []string // all that have them
	run     serverstat.Run
	problem func(datasets.Problem)
}

// all tells a problem that all of the runs have, once.
func (s *several) all(p datasets.Problem) {
	if s.of == s.logs[0] {
		p.Text = fmt.Sprintf("%d logs lie beside it: %s", len(s.logs), p.Text)
		s.problem(p)
	}
}

// rows adds to the rows of the run what the snapshots say. What it has of its own is
// not counted again.
func (s *several) rows(parts []*serverstat.Part, own serverstat.Rows) serverstat.Rows {
	has := map[string]bool{}
	for _, c := range own.Counters {
		has[c.Scope] = true
	}
	waits := len(own.Waits) > 0
	for _, k := range serverstat.Kinds {
		more := s.kind(k, parts)
		for _, c := range more.Counters {
			if !has[strings.TrimSuffix(c.Scope, datasets.SeveralRuns)] {
				own.Counters = append(own.Counters, c)
			}
		}
		if own.Series.AddAll(&more.Series); !waits {
			own.Waits = append(own.Waits, more.Waits...)
		}
	}
	return own
}

func (s *several) kind(k serverstat.Kind, parts []*serverstat.Part) (rows serverstat.Rows) {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p *serverstat.Part) bool { return p.Kind != k })
	if len(parts) == 0 {
		return rows
	}
	snapshots := 0
	for _, p := range parts {
		snapshots += p.Snapshots
	}
	of := datasets.Problem{Source: parts[0].Source, Line: parts[0].First.Line, Kind: "several-runs", Count: 1}
	switch {
	case snapshots == 1:
		of.Kind, of.Text = "one-snapshot", fmt.Sprintf("one %s: %s", k, serverstat.Lonely(k))
	case snapshots == 2 && k == serverstat.Waits:
		of.Text = "the difference of two summaries is of all of them together, and says nothing of one"
	case snapshots == 2:
		around, ok := serverstat.Around(parts, s.run, s.all)
		if !ok {
			s.problem(datasets.Problem{Source: s.of, Kind: of.Kind, Text: "the snapshots in " + of.Source + " do not lie around the run", Count: 1})
		}
		return around
	case slices.ContainsFunc(parts, func(p *serverstat.Part) bool { return p.First.At.IsZero() || p.Snapshots < 2 }):
		of.Text = "its snapshots have no times, and nobody knows which of them are of which run"
	default:
		why := ""
		for _, p := range parts {
			var more serverstat.Rows
			if more, why = p.During(s.run); more.Seconds > 0 {
				rows = more
				break
			}
		}
		if why != "" {
			s.problem(datasets.Problem{Source: s.of, Kind: of.Kind, Text: of.Source + ": " + why, Count: 1})
		}
		return rows
	}
	s.all(of)
	return rows
}

package report

import (
	"noisefloor/analysis"
	"noisefloor/analysis/group"
	"noisefloor/datasets"
)

// Read takes the tables of a data set. What was counted beside the runs, and what
// their machine did meanwhile, are metrics of theirs: instructions_per_transaction
// and cpu_idle_pct are metrics to every question.
func Read(r *datasets.Reader) (Input, error) {
	runs, columns, err := Runs(r)
	if err != nil {
		return Input{}, err
	}
	problems, err := r.Problems()
	if err != nil {
		return Input{}, err
	}
	return Input{Runs: runs, Columns: columns, Sources: r.Sources(), Problems: problems,
		Intervals: r.Intervals, Buckets: r.Buckets, Stacks: r.Stacks, Waits: r.Waits, Series: r.Series, Settings: r.Settings}, nil
}

// Runs gives the runs of a data set with what was counted beside them.
func Runs(r *datasets.Reader) ([]datasets.Run, []datasets.Column, error) {
	runs, columns, err := r.Runs()
	if err == nil && r.Counts()["counters"] > 0 {
		columns, _, err = group.Counters(runs, columns, r.Counters)
	}
	if err == nil && r.Counts()["series"] > 0 {
		columns, err = group.Hosts(runs, columns, r.Series)
	}
	return runs, columns, err
}

// disagreements are the problem records in which a log contradicts itself.
var disagreements = map[string]bool{"totals-disagree": true, "rate-disagrees": true, "events-disagree": true}

// readingDoubts turns problem records that bear on the numbers into warnings.
func readingDoubts(problems []datasets.Problem) []analysis.Warning {
	files := map[string]bool{}
	first := ""
	for _, p := range problems {
		if !disagreements[p.Kind] {
			continue
		}
		if files[p.Source] = true; first == "" {
			first = p.String()
		}
	}
	if len(files) == 0 {
		return nil
	}
	return []analysis.Warning{analysis.RecordedDisagree{Files: len(files), First: first}}
}

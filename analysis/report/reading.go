package report

import (
	"noisefloor/analysis"
	"noisefloor/datasets"
)

// disagreements are the problem records in which a log contradicts itself.
var disagreements = map[string]bool{"totals-disagree": true, "rate-disagrees": true}

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

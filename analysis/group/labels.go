package group

import (
	"slices"
	"strings"

	"noisefloor/datasets"
)

// isLabel tells a name tag or a measurement of the moment from a setting.
func (s *survey) isLabel(f *Factor, c datasets.Column) bool {
	if f.Name == s.opt.By || slices.Contains(askedNames, f.Name) {
		return false
	}
	return isMeasured(f, c) || s.isUnique(f) && !slices.Contains(byNames, f.Name) && f.Name != "threads" && f.Name != "workload" && f.Name != "timed" && !s.numericFew(f)
}

// areIDs tells the numbers that a pipeline counts its jobs by, 8812030843, or stamps,
// from sizes, which are round.
func areIDs(levels []datasets.Value) bool {
	for _, v := range levels {
		if text := v.String(); len(text) < 6 || digits(text) != len(text) || strings.HasSuffix(text, "000") {
			return false
		}
	}
	return true
}

// areHashes tells commits and digests.
func areHashes(levels []datasets.Value) bool {
	letters := false
	for _, v := range levels {
		text := strings.ToLower(v.String())
		if len(text) < 7 || strings.Trim(text, "0123456789abcdef") != "" {
			return false
		}
		letters = letters || digits(text) < len(text)
	}
	return letters
}

// isUnique: each run that has it has another.
func (s *survey) isUnique(f *Factor) bool {
	known := len(s.runs) - f.Null
	return known > 2 && len(f.Levels) == known
}

// isMeasured: a fractional number among the conditions (load average, steal time:
// nobody sets those), a time stamp, a whole command line.
func isMeasured(f *Factor, c datasets.Column) bool {
	for _, end := range []string{"_at", "_command", "_time", "_path", "_file"} {
		if strings.HasSuffix(f.Name, end) {
			return true
		}
	}
	return f.Name == "command" || f.Name == "exit_status" || c.Role == datasets.Condition && c.Kind == datasets.FloatKind
}

// numericFew: a table of one run per size (entries, rows, threads) has numbers
// that are all different and still are the x axis, not name tags.
func (s *survey) numericFew(f *Factor) bool {
	_, number := f.Levels[0].Number()
	return number && s.declared[f.Name].Role == datasets.Factor
}

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

// jobNames are what pipelines call the number of a job.
var jobNames = []string{"build", "build_number", "build_id", "build_no", "job", "job_id", "job_number", "pipeline", "pipeline_id", "run_id", "run_number", "workflow_run"}

// numbersJobs tells the numbers of a pipeline's jobs, 1186 to 1191, from those of what
// was built: another factor has words for what they ran, and says each of them of
// several jobs.
func (s *survey) numbersJobs(f *Factor) bool {
	if f.Null > 0 || len(f.Levels) < 4 || s.isUnique(f) || !slices.Contains(jobNames, f.Name) && !strings.HasPrefix(f.Name, "path") {
		return false
	}
	first, _ := f.Levels[0].Number()
	last, _ := f.Levels[len(f.Levels)-1].Number()
	if slices.ContainsFunc(f.Levels, func(v datasets.Value) bool { return !isNumber(v) }) || last-first >= 4*float64(len(f.Levels)) || first < 10 {
		return false
	}
	return slices.ContainsFunc(s.factors, func(g *Factor) bool {
		if slices.Contains(builtins, g.Name) || len(g.Levels) < 2 || isNumber(g.Levels[0]) || !s.follows(g.Name, f.Name) {
			return false
		}
		jobs := make([]map[int32]bool, len(g.Levels))
		for i, level := range s.values[g.Name].of {
			if level >= 0 {
				if jobs[level] == nil {
					jobs[level] = map[int32]bool{}
				}
				jobs[level][s.values[f.Name].of[i]] = true
			}
		}
		return !slices.ContainsFunc(jobs, func(of map[int32]bool) bool { return len(of) < 2 })
	})
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
	for _, end := range []string{"_at", "_timestamp", "_command", "_time", "_path", "_file"} {
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

package table

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"noisefloor/datasets"
)

// A column that says which turn of one measurement a row was, whatever its heading:
//
//	| Phase  | TPS      |
//	|--------|---------:|
//	| Warmup | 2 198.60 |
//	| Run 1  | 2 196.37 |
//	| Run 2  | 2 275.58 |
//
// These are repetitions and what was run before them, and no levels of anything.

var turnShape = regexp.MustCompile(`(?i)^(?:(?:(?:run|rep|repetition|repeat|iteration|iter|trial|round|pass|attempt|measurement)[ #_-]*)?(\d{1,4})|((?:pre)?warm[-_ ]?up|prewarm|preheat)[ #_-]*\d{0,4})$`)

// turns makes such a column one where all of its cells say so. Numbers alone are
// factors as ever.
func turns(columns []Column, tallies []*tally, s Schema) {
	for i := range columns {
		c, t := &columns[i], tallies[i]
		if c.Use != Factor || t.many || t.numeric() || len(t.levels) < 2 {
			continue
		}
		runs, warm := 0, 0
		for level := range t.levels {
			switch m := turnShape.FindStringSubmatch(s.cell(level)); {
			case m == nil && !slices.Contains(summaries, strings.ToLower(strings.Trim(s.cell(level), ".: "))):
				runs = -len(t.levels)
			case m == nil:
			case m[2] != "":
				warm++
			default:
				runs++
			}
		}
		taken := slices.ContainsFunc(columns, func(o Column) bool { return o.Heading != c.Heading && (o.Name == "rep" || o.Name == "phase") })
		if runs <= 0 || taken || warm == 0 && slices.Contains(counted, c.Name) {
			continue
		}
		c.Use, c.Name, c.Kind, c.Why, c.Warm = Turn, "rep", datasets.IntKind, "runs and what came before them", warm > 0
		return
	}
}

// turn says of a run which it was.
func (c *Column) turn(run *datasets.Run, cell string) bool {
	m := turnShape.FindStringSubmatch(cell)
	if m == nil {
		return false
	}
	phase := "run"
	if m[2] != "" {
		phase = strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(m[2]))
	} else if n, err := strconv.Atoi(m[1]); err == nil {
		run.Factors[c.Name] = datasets.Int(int64(n))
	}
	if c.Warm {
		run.Factors["phase"] = datasets.Text(phase)
	}
	return true
}

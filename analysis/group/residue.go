package group

import (
	"slices"

	"noisefloor/analysis"
	"noisefloor/datasets"
)

// residue finds what runs of one arm and day, pooled in a cell, differ in although
// it is no repetition: conditions inside an arm, and factors that were to be
// ignored. (The word is benchproc's.)
func (s *survey) residue(runs []int) []analysis.Warning {
	type place struct{ arm, day string }
	var warnings []analysis.Warning
	for _, f := range s.factors {
		asked := f.Role == Noise && s.ignored(f.Name) && !isNoise(f.Name)
		if f.Role != Condition && !asked {
			continue
		}
		seen := map[place]datasets.Value{}
		var levels []datasets.Value
		for _, i := range runs {
			v := s.values[f.Name][i]
			if v.IsNull() {
				continue
			}
			at := place{s.armOf(&s.runs[i]), s.days[i]}
			was, ok := seen[at]
			if !ok {
				seen[at] = v
				continue
			}
			for _, level := range []datasets.Value{was, v} {
				if was != v && !slices.Contains(levels, level) {
					levels = append(levels, level)
				}
			}
		}
		if len(levels) == 0 {
			continue
		}
		slices.SortFunc(levels, CompareValues)
		w := analysis.Residue{Factor: f.Name, Asked: asked}
		for _, v := range levels {
			w.Levels = append(w.Levels, v.String())
		}
		warnings = append(warnings, w)
	}
	return warnings
}

package group

import (
	"slices"

	"noisefloor/analysis"
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
		seen := map[place]int32{}
		var levels []int32
		of := s.values[f.Name].of
		for _, i := range runs {
			v := of[i]
			if v < 0 {
				continue
			}
			at := place{s.armOf(&s.runs[i]), s.days[i]}
			was, ok := seen[at]
			if !ok {
				seen[at] = v
				continue
			}
			for _, level := range []int32{was, v} {
				if was != v && !slices.Contains(levels, level) {
					levels = append(levels, level)
				}
			}
		}
		if len(levels) == 0 {
			continue
		}
		slices.Sort(levels)
		w := analysis.Residue{Factor: f.Name, Asked: asked}
		for _, v := range levels {
			w.Levels = append(w.Levels, f.Levels[v].String())
		}
		warnings = append(warnings, w)
	}
	return warnings
}

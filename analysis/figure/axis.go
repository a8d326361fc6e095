package figure

import (
	"math"
	"strconv"
	"strings"
)

// scale maps values to pixels; with log set, in proportion to the logarithm.
type scale struct {
	lo, hi float64 // values
	p0, p1 float64 // pixels of lo and hi
	log    bool
}

func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		v, lo, hi = math.Log(v), math.Log(lo), math.Log(hi)
	}
	return s.p0 + (v-lo)/(hi-lo)*(s.p1-s.p0)
}

// clamp is at, kept inside the scale; out says on which side v lies beyond.
func (s scale) clamp(v float64) (pixel float64, out int) {
	switch {
	case v < s.lo:
		return s.p0, -1
	case v > s.hi:
		return s.p1, 1
	}
	return s.at(v), 0
}

// ticks are round numbers from lo to hi, about want of them, in steps of 1, 2
// or 5 times a power of ten.
func ticks(lo, hi float64, want int) []float64 {
	if !(hi > lo) || want < 1 {
		return []float64{lo}
	}
	raw := (hi - lo) / float64(want)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * power
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*power*1.0001 { // rounding must not skip a step
			step = m * power
			break
		}
	}
	var at []float64
	for n := math.Ceil(lo/step - 1e-9); n*step <= hi+step*1e-9; n++ {
		at = append(at, n*step)
	}
	return at
}

// tickLabels prints ticks with as many decimals as their step needs.
func tickLabels(at []float64) []string {
	decimals := 0
	for decimals < 9 {
		ok := true
		for _, v := range at {
			scaled := v * math.Pow(10, float64(decimals))
			ok = ok && math.Abs(scaled-math.Round(scaled)) < 1e-6*math.Max(1, math.Abs(scaled))
		}
		if ok {
			break
		}
		decimals++
	}
	labels := make([]string, len(at))
	for i, v := range at {
		labels[i] = minus(strconv.FormatFloat(v+0, 'f', decimals, 64))
	}
	return labels
}

// minus sets a real minus sign, which is as wide as a plus.
func minus(s string) string {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		if strings.Trim(rest, "0.") == "" {
			return rest
		}
		return "−" + rest
	}
	return s
}

// short prints a number with three digits for the edge of a small picture:
// 12.3k, 840, 0.012.
func short(v float64) string {
	abs, unit := math.Abs(v), ""
	switch {
	case abs >= 1e9:
		v, unit = v/1e9, "G"
	case abs >= 1e6:
		v, unit = v/1e6, "M"
	case abs >= 1e4:
		v, unit = v/1e3, "k"
	}
	decimals := 0
	if abs = math.Abs(v); abs > 0 {
		decimals = min(max(0, 2-int(math.Floor(math.Log10(abs)))), 9)
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if decimals > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return minus(s) + unit
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

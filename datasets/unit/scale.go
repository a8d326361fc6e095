package unit

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Scale is how one column prints its numbers: all in the same unit, so that
// they can be compared by eye. The zero Scale prints base units.
type Scale struct {
	Unit   string  // "ms", "MiB", "k/s"; the base unit if it is not scaled
	Factor float64 // base units per printed unit; 0 is 1
}

// step is a unit to print in, and from which size of number on.
type step struct {
	from, factor float64
	prefix, unit string
}

var (
	timeSteps = []step{{1, 1, "", "s"}, {1e-3, 1e-3, "", "ms"}, {1e-6, 1e-6, "", "µs"}, {0, 1e-9, "", "ns"}}
	byteSteps = []step{{1 << 40, 1 << 40, "Ti", "B"}, {1 << 30, 1 << 30, "Gi", "B"}, {1 << 20, 1 << 20, "Mi", "B"}, {1 << 10, 1 << 10, "Ki", "B"}, {0, 1, "", "B"}}
	// Rates and counts keep six digits before they are scaled: 45123 tps is
	// read more easily, and compared more exactly, than 45.1 k.
	countSteps = []step{{1e9, 1e9, "G", ""}, {1e6, 1e6, "M", ""}, {1e5, 1e3, "k", ""}, {0, 1, "", ""}}
)

// ScaleFor chooses the scale of a column by the median size of its numbers;
// zeros and what is not finite have no say.
func ScaleFor(u Unit, values ...float64) Scale {
	var sizes []float64
	for _, v := range values {
		if v = math.Abs(v); v > 0 && !math.IsInf(v, 0) {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) == 0 {
		return Scale{Unit: shown(u.Name), Factor: 1}
	}
	slices.Sort(sizes)
	middle := sizes[len(sizes)/2]
	base, per, isRate := strings.Cut(u.Name, "/")
	steps := countSteps
	switch {
	case base == "s" && !isRate:
		steps = timeSteps
	case base == "B":
		steps = byteSteps
	case base != "1" && base != "":
		return Scale{Unit: u.Name, Factor: 1} // a compound unit: no prefix is sure to be right
	}
	for _, s := range steps {
		if middle >= s.from {
			text := s.prefix + s.unit
			if isRate {
				if text == "" {
					text = "1"
				}
				text += "/" + per
			}
			return Scale{Unit: text, Factor: s.factor}
		}
	}
	return Scale{Unit: shown(u.Name), Factor: 1}
}

// shown gives a base unit as it is printed: a plain number has none.
func shown(name string) string {
	if name == "1" {
		return ""
	}
	return name
}

// Of is a number in the unit of the scale.
func (s Scale) Of(v float64) float64 {
	if s.Factor != 0 {
		v /= s.Factor
	}
	return v
}

// Format prints a number in the unit of the scale, without the unit, to so many
// significant digits but never rounding away digits before the point: 1234.6
// to three digits is "1235". NaN, the unknown, is "–".
func (s Scale) Format(v float64, digits int) string {
	if math.IsNaN(v) {
		return "–"
	}
	v = s.Of(v)
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "-∞"
	case v == 0:
		return "0"
	}
	// The exponent after rounding: 9.996 to three digits is 10.0.
	sci := strconv.FormatFloat(v, 'e', max(digits, 1)-1, 64)
	exponent, _ := strconv.Atoi(sci[strings.IndexByte(sci, 'e')+1:])
	return strconv.FormatFloat(v, 'f', max(0, digits-1-exponent), 64)
}

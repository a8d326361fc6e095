package perfstat

import (
	"math"
	"strconv"
	"strings"
)

// parseNumber reads a number as perf prints it in any locale:
//
//	60,243.87   186.462.389.466   56397,171142   1 234 567 (blank, no-break or narrow)   1'234
//
// comma tells that the decimal point is one.
func parseNumber(text string, comma bool) (float64, bool) {
	if v, ok := plain(text); ok {
		return v, true
	}
	point := byte('.')
	if comma {
		point = ','
	}
	var b strings.Builder
	digits, points := 0, 0
	for i, r := range text {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
			digits++
		case r == '-' && i == 0:
			b.WriteRune(r)
		case r == rune(point):
			b.WriteByte('.')
			points++
		case strings.ContainsRune(grouping, r):
		default:
			return math.NaN(), false
		}
	}
	if digits == 0 || points > 1 {
		return math.NaN(), false
	}
	v, err := strconv.ParseFloat(b.String(), 64)
	return v, err == nil
}

// plain reads what most counts are: digits, as many as a float64 always holds.
func plain(text string) (float64, bool) {
	const most = 15
	if len(text) == 0 || len(text) > most {
		return 0, false
	}
	n := 0
	for i := range len(text) {
		digit := text[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + int(digit)
	}
	return float64(n), true
}

// grouping is what stands between thousands somewhere in the world: glibc's
// thousands_sep has the blank, the no-break and the narrow no-break blank, both
// apostrophes, the point and the comma.
const grouping = " \u00a0\u202f'\u2019.,"

// baseUnit gives the factor to the base unit, and its name.
func baseUnit(unit string) (float64, string) {
	switch unit {
	case "msec", "ms":
		return 1e-3, "s"
	case "usec":
		return 1e-6, "s"
	case "ns", "nsec":
		return 1e-9, "s"
	case "KiB":
		return 1 << 10, "B"
	case "MiB":
		return 1 << 20, "B"
	case "GiB":
		return 1 << 30, "B"
	}
	return 1, unit
}

func blockName(n int) string { return "block " + strconv.Itoa(n) }

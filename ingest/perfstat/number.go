package perfstat

import (
	"math"
	"strconv"
	"strings"

	"noisefloor/ingest/internal/digits"
)

// parseNumber reads a number as perf prints it in any locale:
//
//	60,243.87   186.462.389.466   56397,171142   1 234 567 (blank, no-break or narrow)   1'234
//
// comma tells that the decimal point is one.
func parseNumber(text string, comma bool) (float64, bool) {
	if v, ok := plain(text, comma); ok {
		return v, true
	}
	point := byte('.')
	if comma {
		point = ','
	}
	var room [32]byte
	bare := room[:0] // without grouping
	numbers, points := 0, 0
	for i, r := range text {
		switch {
		case r >= '0' && r <= '9':
			bare = append(bare, byte(r))
			numbers++
		case r == '-' && i == 0:
			bare = append(bare, '-')
		case r == rune(point):
			bare = append(bare, '.')
			points++
		case strings.ContainsRune(grouping, r):
		default:
			return math.NaN(), false
		}
	}
	if numbers == 0 || points > 1 {
		return math.NaN(), false
	}
	if v, ok := digits.All(string(bare), 0); ok {
		return v, true
	}
	v, err := strconv.ParseFloat(string(bare), 64)
	return v, err == nil
}

// plain reads what most counts are: digits, as many as a float64 always holds, with a
// point where that is the decimal point.
func plain(text string, comma bool) (float64, bool) {
	v, size, decimals := digits.Fixed([]byte(text), 0)
	return v, size > 0 && size == len(text) && !(comma && decimals > 0)
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

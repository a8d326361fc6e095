package table

import (
	"math"
	"strconv"
)

// Decimals is how many digits after the point a column needs, so that its
// smallest number still shows digits significant ones; all numbers of a column
// print with the same. Zero, NaN and infinities do not count.
func Decimals(digits int, values ...float64) int {
	need := 0
	for _, v := range values {
		v = math.Abs(v)
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		need = max(need, digits-1-int(math.Floor(math.Log10(v))))
	}
	return min(need, maxDecimals)
}

// maxDecimals keeps one tiny number from filling a column with zeros.
const maxDecimals = 6

// Fixed prints a number with so many decimals; unknown is "". A rounded zero
// has no sign, infinity is ∞.
func Fixed(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "-∞"
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if s[0] == '-' && zero(s[1:]) {
		return s[1:]
	}
	return s
}

// Signed is Fixed with a plus before what is above zero.
func Signed(v float64, decimals int) string {
	s := Fixed(v, decimals)
	if v > 0 && s != "" && !zero(s) {
		return "+" + s
	}
	return s
}

func zero(s string) bool {
	for _, r := range s {
		if r != '0' && r != '.' {
			return false
		}
	}
	return true
}

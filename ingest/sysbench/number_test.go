package sysbench

import (
	"math"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text     string
		v        float64
		size     int
		decimals int
	}{
		{"921.00 ", 921, 6, 2},
		{"0.00", 0, 4, 2},
		{"12", 12, 2, 0},
		{"-12.5/", -12.5, 5, 1},
		{"+3", 3, 2, 0},
		{"999999999999999", 999999999999999, 15, 0},
		{"9999999999999999", 1e16, 16, 0}, // 16 digits: strconv
		{"18446744073709551615", 18446744073709551615, 20, 0},
		{"0.1000000000000000055511151231257827", 0.1, 36, 34},
		{"nan", math.NaN(), 3, 0},
		{"-nan ", math.NaN(), 4, 0},
		{"inf", math.NaN(), 3, 0},
		{strings.Repeat("9", 400), math.NaN(), 400, 0},
		{"", 0, 0, 0},
		{".5", 0, 0, 0},
		{"5.", 0, 0, 0},
		{"5.x", 0, 0, 0},
		{"-", 0, 0, 0},
		{"x", 0, 0, 0},
		{" 5", 0, 0, 0},
	} {
		v, size, decimals := number([]byte(c.text), 0)
		if v != c.v && !(math.IsNaN(v) && math.IsNaN(c.v)) || size != c.size || decimals != c.decimals {
			t.Errorf("%q: %v, %d bytes, %d decimals", c.text, v, size, decimals)
		}
	}
}

package sysbench

import (
	"math"
	"strconv"

	"noisefloor/ingest/internal/digits"
)

// number is digits.Fixed for any number that printf writes: also signed, with more
// digits than a float64 holds, nan and inf.
func number(b []byte, shift int) (v float64, size, decimals int) {
	if v, size, decimals = digits.Fixed(b, shift); size > 0 {
		return v, size, decimals
	}
	i := 0
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	if len(b)-i >= 3 {
		switch string(b[i : i+3]) {
		case "nan", "inf":
			return math.NaN(), i + 3, 0
		}
	}
	count := func() (n int) {
		for i < len(b) && b[i]-'0' <= 9 {
			i++
			n++
		}
		return n
	}
	if count() == 0 {
		return 0, 0, 0
	}
	if i < len(b) && b[i] == '.' {
		i++
		if decimals = count(); decimals == 0 {
			return 0, 0, 0
		}
	}
	v, err := strconv.ParseFloat(string(b[:i])+"e-"+strconv.Itoa(shift), 64)
	if err != nil { // out of range: hundreds of digits
		v = math.NaN()
	}
	return v, i, decimals
}

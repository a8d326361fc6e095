package sysbench

import (
	"math"
	"strconv"
)

// pow10 holds the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// maxDigits is the number of decimal digits that always fit into the 53 bits of
// a float64.
const maxDigits = 15

// fixed reads the plain number (12, 921.00) at the start of b and divides it by
// 10^shift: with shift 3 milliseconds become seconds. It returns the number of
// bytes read and of decimals among them. size is 0 for everything else: signs,
// words, more than 15 digits.
//
// Both sides of the one division are exact, so the result is the float64 nearest
// to the decimal number, the one that strconv.ParseFloat finds (Clinger 1990,
// "How to read floating point numbers accurately", the fast path).
func fixed(b []byte, shift int) (v float64, size, decimals int) {
	var m uint64
	i := 0
	for ; i < len(b); i++ {
		c := b[i] - '0'
		if c > 9 {
			break
		}
		m = m*10 + uint64(c)
	}
	digits := i
	if i > 0 && i < len(b) && b[i] == '.' {
		i++
		for ; i < len(b); i++ {
			c := b[i] - '0'
			if c > 9 {
				break
			}
			m = m*10 + uint64(c)
		}
		decimals = i - digits - 1
		digits += decimals
		if decimals == 0 {
			return 0, 0, 0
		}
	}
	if digits == 0 || digits > maxDigits {
		return 0, 0, 0
	}
	return float64(m) / pow10[decimals+shift], i, decimals
}

// number is fixed for any number that printf writes: also signed, with more
// digits than a float64 holds, nan and inf.
func number(b []byte, shift int) (v float64, size, decimals int) {
	if v, size, decimals = fixed(b, shift); size > 0 {
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
	digits := func() (n int) {
		for i < len(b) && b[i]-'0' <= 9 {
			i++
			n++
		}
		return n
	}
	if digits() == 0 {
		return 0, 0, 0
	}
	if i < len(b) && b[i] == '.' {
		i++
		if decimals = digits(); decimals == 0 {
			return 0, 0, 0
		}
	}
	v, err := strconv.ParseFloat(string(b[:i])+"e-"+strconv.Itoa(shift), 64)
	if err != nil { // out of range: hundreds of digits
		v = math.NaN()
	}
	return v, i, decimals
}

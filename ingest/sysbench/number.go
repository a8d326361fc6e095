package sysbench

import (
	"encoding/binary"
	"math"
	"math/bits"
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
	if m, n, decimals := short(b); n > 0 {
		if decimals+shift == 0 {
			return float64(int64(m)), n, 0
		}
		return float64(int64(m)) / pow10[decimals+shift], n, decimals
	}
	var m uint64
	point := -1
	size = len(b)
	for i, c := range b {
		if c -= '0'; c <= 9 {
			m = m*10 + uint64(c)
			continue
		}
		if c+'0' != '.' || point >= 0 {
			size = i
			break
		}
		point = i
	}
	digits := size
	if point >= 0 {
		digits--
		decimals = size - point - 1
	}
	if digits == 0 || digits > maxDigits || point == 0 || point == size-1 {
		return 0, 0, 0
	}
	return float64(int64(m)) / pow10[decimals+shift], size, decimals
}

// short reads the numbers that report lines are full of, one to seven digits with
// two decimals or none (921.00, 8), without their point; n is 0 for any other. It
// takes eight bytes at a time, because the length of the number is what a loop over
// its digits cannot guess (Lemire 2018, "Quickly parsing eight digits").
func short(b []byte) (m uint64, n, decimals int) {
	if len(b) < 11 {
		return 0, 0, 0
	}
	w := binary.LittleEndian.Uint64(b) ^ 0x3030303030303030 // '0' becomes 0
	// The high bit of the first byte above 9; what the sum carries goes beyond it.
	others := (w + 0x7676767676767676 | w) & 0x8080808080808080
	digits := bits.TrailingZeros64(others) / 8
	if digits == 0 || digits == 8 {
		return 0, 0, 0
	}
	w <<= 64 - 8*digits // as if zeros stood before it
	w = uint64(eightDigits(w))
	if b[digits] != '.' {
		return w, digits, 0
	}
	tenth, hundredth := b[digits+1]-'0', b[digits+2]-'0'
	if tenth > 9 || hundredth > 9 || b[digits+3]-'0' <= 9 {
		return 0, 0, 0
	}
	return w*100 + uint64(tenth)*10 + uint64(hundredth), digits + 3, 2
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

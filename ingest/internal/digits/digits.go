// Package digits reads plain numbers fast, and as exactly as strconv does.
package digits

import (
	"encoding/binary"
	"math/bits"
)

// Pow10 holds the powers of ten that a float64 holds exactly.
var Pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// Max is the number of decimal digits that always fit into the 53 bits of
// a float64.
const Max = 15

// Fixed reads the plain number (12, 921.00) at the start of b and divides it by
// 10^shift: with shift 3 milliseconds become seconds. It returns the number of
// bytes read and of decimals among them. size is 0 for everything else: signs,
// words, more than 15 digits.
//
// Both sides of the one division are exact, so the result is the float64 nearest
// to the decimal number, the one that strconv.ParseFloat finds (Clinger 1990,
// "How to read floating point numbers accurately", the fast path).
func Fixed(b []byte, shift int) (v float64, size, decimals int) {
	if m, n, decimals := short(b); n > 0 {
		if decimals+shift == 0 {
			return float64(int64(m)), n, 0
		}
		return float64(int64(m)) / Pow10[decimals+shift], n, decimals
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
	if digits == 0 || digits > Max || point == 0 || point == size-1 || decimals+shift >= len(Pow10) {
		return 0, 0, 0
	}
	return float64(int64(m)) / Pow10[decimals+shift], size, decimals
}

// All is Fixed for a text that is one plain number and nothing else.
func All(text string, shift int) (v float64, ok bool) {
	v, size, _ := Fixed([]byte(text), shift)
	return v, size > 0 && size == len(text)
}

// Only tells a text of digits, one at least.
func Only[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i]-'0' > 9 {
			return false
		}
	}
	return len(text) > 0
}

// short reads the numbers that report lines are full of, one to seven digits with
// two decimals or none (921.00, 8), without their point; n is 0 for any other.
func short(b []byte) (m uint64, n, decimals int) {
	if len(b) < 11 {
		return 0, 0, 0
	}
	w, digits := leading(b)
	if digits == 0 || digits == 8 {
		return 0, 0, 0
	}
	w = uint64(Eight(w))
	if b[digits] != '.' {
		return w, digits, 0
	}
	tenth, hundredth := b[digits+1]-'0', b[digits+2]-'0'
	if tenth > 9 || hundredth > 9 || b[digits+3]-'0' <= 9 {
		return 0, 0, 0
	}
	return w*100 + uint64(tenth)*10 + uint64(hundredth), digits + 3, 2
}

// Whole reads the whole number at the start of b, of up to Max digits, and tells how
// many these are; 0 for everything else.
func Whole(b []byte) (v int64, size int) {
	if len(b) < 16 {
		for size < len(b) && b[size]-'0' <= 9 {
			v = 10*v + int64(b[size]-'0')
			if size++; size > Max {
				return 0, 0
			}
		}
		return v, size
	}
	w, n := leading(b)
	if n < 8 {
		return Eight(w), n
	}
	low, more := leading(b[8:])
	if more == 8 {
		return 0, 0
	}
	return Eight(w)*whole[more] + Eight(low), 8 + more
}

// whole are powers of ten.
var whole = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// leading gives the digits that eight bytes begin with, as Eight takes them, and how
// many these are. It takes eight bytes at a time, because the length of the number is
// what a loop over its digits cannot guess.
func leading(b []byte) (w uint64, n int) {
	w = binary.LittleEndian.Uint64(b) ^ 0x3030303030303030 // '0' becomes 0
	// The high bit of the first byte above 9; what the sum carries goes beyond it.
	others := (w + 0x7676767676767676 | w) & 0x8080808080808080
	n = bits.TrailingZeros64(others) / 8
	return w << (64 - 8*n), n // as if zeros stood before it
}

// Eight gives the number whose digits, as values, are the bytes of w, the
// last one on top (Lemire 2018, "Quickly parsing eight digits").
func Eight(w uint64) int64 {
	w = (w * (1 + 10<<8)) >> 8 & 0x00ff00ff00ff00ff
	w = (w * (1 + 100<<16)) >> 16 & 0x0000ffff0000ffff
	return int64((w * (1 + 10000<<32)) >> 32)
}

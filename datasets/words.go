package datasets

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/pierrec/lz4/v4"
)

// lz4Block is how many bytes a block of our LZ4 frames has at most, which is also
// how far a match can reach.
const lz4Block = 64 << 10

// lz4Begin begins a frame of independent blocks of at most 64 kB without
// checksums; its third byte from the end on: flags, block size, and a hash of
// both. lz4End ends it.
var (
	lz4Begin = []byte{0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82}
	lz4End   = []byte{0, 0, 0, 0}
)

// lz4Stored marks a block that is not compressed, in its length.
const lz4Stored = 1 << 31

// wordPacker writes LZ4 blocks of numbers of eight bytes. The format is that of
// every LZ4 reader, the search is made for columns of report lines: a number is
// compared with the last one that was about the same as a whole, or else with the
// last one that had the same lower half, which in a number of two decimals says
// what stands behind the point. A match is then made longer by the bytes that the
// neighbours share. Looking at every byte, as LZ4 does for text, takes several
// times as long and finds no more.
type wordPacker struct {
	whole [1 << wholeBits]uint16 // index of the last word of a hash
	low   [1 << lowBits]uint16   // likewise, of the hash of its lower half
}

const (
	wholeBits = 13 // as many hashes as words in a block
	lowBits   = 11 // a hundred fractions, with some exponents each
)

// append appends src, at most lz4Block bytes, as a block of a frame.
func (p *wordPacker) append(dst, src []byte) []byte {
	at := len(dst)
	dst = slices.Grow(dst, 4+lz4.CompressBlockBound(len(src)))
	return sealBlock(p.pack(append(dst, 0, 0, 0, 0), src), at, src)
}

// appendBytes is append for what is not made of words of eight bytes.
func appendBytes(dst, src []byte) []byte {
	at := len(dst)
	bound := lz4.CompressBlockBound(len(src))
	dst = append(slices.Grow(dst, 4+bound), 0, 0, 0, 0)
	n, err := lz4.CompressBlock(src, dst[at+4:at+4+bound], nil)
	if err != nil {
		n = len(src) // never: the room is enough for anything
	}
	if n == 0 {
		n = len(src)
	}
	return sealBlock(dst[:at+4+n], at, src)
}

// sealBlock puts its length before the block that begins at at, and src in its
// place if that is not longer.
func sealBlock(dst []byte, at int, src []byte) []byte {
	size := len(dst) - at - 4
	if size >= len(src) {
		dst = append(dst[:at+4], src...)
		size = len(src) | lz4Stored
	}
	binary.LittleEndian.PutUint32(dst[at:], uint32(size))
	return dst
}

// pack appends src as the bare block. dst has room for it.
func (p *wordPacker) pack(dst, src []byte) []byte {
	w := arrow.Uint64Traits.CastFromBytes(src)
	if len(w) > 4 && bytes.Equal(src[8:], src[:len(src)-8]) { // all the same, as half of the columns are
		dst = appendMatch(dst, src[:8], 8, len(src)-16)
		return appendLiterals(dst, src[:8], 0)
	}
	end := len(w) - 1 // LZ4 wants the last five bytes as they are, and matches to begin seven before
	anchor := 0       // src before it is in dst
	p.whole, p.low = [1 << wholeBits]uint16{}, [1 << lowBits]uint16{}
	out := dst[:cap(dst)]
	at := len(dst)
	for i := 0; i < end; {
		x := w[i]
		whole := &p.whole[x*0x9e3779b97f4a7c15>>(64-wholeBits)] // Knuth: 2^64 over the golden ratio
		low := &p.low[uint32(x)*0x9e3779b1>>(32-lowBits)]
		j := int(*whole)
		if w[j] != x {
			j = int(*low)
		}
		*whole, *low = uint16(i), uint16(i)
		same := x ^ w[j]
		if uint32(same) != 0 || j >= i {
			i++
			continue
		}
		next := i
		for same == 0 {
			if next++; next == end {
				break
			}
			same = w[next] ^ w[j+next-i]
		}
		from, to := 8*i, 8*next
		if next < end {
			to += bits.TrailingZeros64(same) / 8
		}
		if j > 0 {
			from -= bits.LeadingZeros64(w[i-1]^w[j-1]) / 8
		}
		from = max(anchor, from)
		if n := to - from; n > lz4Shortest { // three bytes write it
			literals := from - anchor
			if literals <= 8 && n < lz4Shortest+15 { // the usual case, at once
				out[at] = byte(literals<<4 | (n - lz4Shortest))
				binary.LittleEndian.PutUint64(out[at+1:], binary.LittleEndian.Uint64(src[anchor:]))
				binary.LittleEndian.PutUint16(out[at+1+literals:], uint16(8*(i-j)))
				at += 3 + literals
			} else {
				at = len(appendMatch(out[:at], src[anchor:from], 8*(i-j), n))
			}
			anchor = to
		}
		i = max(next, i+1)
	}
	return appendLiterals(out[:at], src[anchor:], 0)
}

// lz4Shortest is the length of the shortest match.
const lz4Shortest = 4

// appendMatch appends literals, then n bytes that stand offset bytes before
// already. A long repeat, as in half of the columns, would overlap itself: readers
// in Go and others copy such a match byte by byte. So it is written as matches that
// end before they overlap, each of them nearly twice as far as the last.
func appendMatch(dst, literals []byte, offset, n int) []byte {
	period, have := offset, offset
	for n >= max(offset, 16) {
		step := max(offset-8, 8)
		dst = appendSequence(dst, literals, offset, step)
		literals, have, n = nil, have+step, n-step
		offset = have - have%period
	}
	return appendSequence(dst, literals, offset, n)
}

func appendSequence(dst, literals []byte, offset, n int) []byte {
	n -= lz4Shortest
	dst = appendLiterals(dst, literals, byte(min(n, 15)))
	dst = append(dst, byte(offset), byte(offset>>8))
	if n >= 15 {
		dst = appendLength(dst, n-15)
	}
	return dst
}

func appendLiterals(dst, literals []byte, match byte) []byte {
	n := len(literals)
	dst = append(dst, byte(min(n, 15))<<4|match)
	if n >= 15 {
		dst = appendLength(dst, n-15)
	}
	return append(dst, literals...)
}

func appendLength(dst []byte, n int) []byte {
	for ; n >= 255; n -= 255 {
		dst = append(dst, 255)
	}
	return append(dst, byte(n))
}

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

	like  [blockRows]uint16 // by index
	words [blockRows]uint64 // a block that is not full
}

// A block whose first sample of words take more than worth bytes each, of eight, is
// stored as it is: packing takes longer than writing what it saves.
const (
	sample = blockRows / 8
	worth  = 5.2
)

// outSize is room for more than a block can take, and a power of two.
const outSize = 2 * lz4Block

// What cuts an index to a row of a block, and a place in that room.
const row, place = blockRows - 1, outSize - 1

const (
	wholeBits = 13 // as many hashes as words in a block
	lowBits   = 11 // a hundred fractions, with some exponents each
)

// append appends src, at most lz4Block bytes, as a block of a frame.
func (p *wordPacker) append(dst, src []byte) []byte {
	if isRepeat(src) {
		return appendRepeat(dst, binary.LittleEndian.Uint64(src), len(src))
	}
	return sealBlock(p.pack(append(dst, 0, 0, 0, 0), src), len(dst), src)
}

// isRepeat tells whether src is the same eight bytes over and over.
func isRepeat(src []byte) bool {
	n := len(src)
	return n > 32 && bytes.Equal(src[8:], src[:n-8])
}

// appendRepeat is append for n bytes that are the same word over and over.
func appendRepeat(dst []byte, word uint64, n int) []byte {
	at := len(dst)
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], word)
	dst = appendMatch(append(dst, 0, 0, 0, 0), w[:], 8, n-16)
	dst = appendLiterals(dst, w[:], 0)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// isRamp tells whether v rises by the same step all the way, as the time of report
// lines does.
func isRamp(v []float64) bool {
	if len(v) < 8 || !(v[1] > v[0]) {
		return false
	}
	for i := 2; i < len(v); i++ {
		if v[i]-v[i-1] != v[1]-v[0] {
			return false
		}
	}
	return true
}

// appendRamp is append for that: a word is like the one before it but for a byte or
// two, which need not be searched for.
func appendRamp(dst, src []byte) []byte {
	begin := len(dst)
	dst = slices.Grow(dst, 4+outSize+24)
	out := (*[outSize + 24]byte)(dst[begin+4 : cap(dst)])
	words := arrow.Uint64Traits.CastFromBytes(src)
	at, anchor, from := 0, 0, 8         // from here on the bytes are those of the word before
	for i := 1; i < len(words)-1; i++ { // the end as in pack
		differ := words[i] ^ words[i-1]
		to := 8*i + bits.TrailingZeros64(differ)/8
		if n := to - from; n > lz4Shortest {
			if literals := from - anchor; literals < 8 {
				at &= place
				binary.LittleEndian.PutUint64(out[at:], binary.LittleEndian.Uint64(src[anchor:])<<8|uint64(literals<<4|(n-lz4Shortest)))
				binary.LittleEndian.PutUint16(out[at+1+literals&7:], 8)
				at += 3 + literals
			} else {
				at = len(appendSequence(out[:at], src[anchor:from], 8, n))
			}
			anchor = to
		}
		from = 8*(i+1) - bits.LeadingZeros64(differ)/8
	}
	return sealBlock(appendLiterals(dst[:begin+4+at], src[anchor:], 0), begin, src)
}

// appendBytes is append for what is not made of words of eight bytes.
func appendBytes(dst, src []byte) []byte {
	at := len(dst)
	bound := lz4.CompressBlockBound(len(src))
	dst = append(slices.Grow(dst, 4+bound), 0, 0, 0, 0)
	n, err := lz4.CompressBlock(src, dst[at+4:at+4+bound], nil)
	if err != nil {
		n = 0 // never: the room is enough for anything
	}
	return sealBlock(dst[:at+4+n], at, src)
}

// sealBlock puts its length before the block that begins at at, and src in its
// place if that is not longer or the block is empty.
func sealBlock(dst []byte, at int, src []byte) []byte {
	size := len(dst) - at - 4
	if size >= len(src) || size == 0 {
		dst = append(dst[:at+4], src...)
		size = len(src) | lz4Stored
	}
	binary.LittleEndian.PutUint32(dst[at:], uint32(size))
	return dst
}

// pack appends src as the bare block, and nothing if that is not worth its time.
func (p *wordPacker) pack(dst, src []byte) []byte {
	words := arrow.Uint64Traits.CastFromBytes(src)
	if len(words) < blockRows {
		copy(p.words[:], words)
		words = p.words[:]
	}
	w := (*[blockRows]uint64)(words)
	end := len(src)/8 - 1 // LZ4 wants the last five bytes as they are, and matches to begin seven before
	clear(p.whole[:])
	clear(p.low[:])
	p.find(w, 1, min(sample, end))
	anchor := 0 // src before it is in out
	at := 0
	dst = slices.Grow(dst, outSize+24)
	out := (*[outSize + 24]byte)(dst[len(dst):cap(dst)])
	before := w[0]
	sampled := end <= sample
	for i := 1; i < end; {
		if i >= sample && !sampled {
			if float64(at) > worth*float64(i) {
				return dst
			}
			sampled = true
			p.find(w, sample, end)
		}
		x, j := w[i&row], int(p.like[i&row])
		same := x ^ w[j&row]
		if uint32(same) != 0 || j == 0 {
			before = x
			i++
			continue
		}
		from := max(anchor, 8*i-bits.LeadingZeros64(before^w[(j-1)&row])/8)
		to := 8*i + bits.TrailingZeros64(same)/8
		if anchor > 8*(i-1) && same|(w[(i+1)&row]^w[(j+1)&row]) != 0 {
			if n := to - from; n > lz4Shortest { // three bytes write it
				literals := from - anchor // fewer than eight, of the word before
				at &= place
				binary.LittleEndian.PutUint64(out[at:], before>>(anchor&7*8)<<8|uint64(literals<<4|(n-lz4Shortest)))
				binary.LittleEndian.PutUint16(out[at+1+literals&7:], uint16(8*(i-j)))
				at += 3 + literals
				anchor = to
			}
			before = x
			i++
			continue
		}
		// A long one.
		next := i
		for same == 0 && next < end-1 {
			next++
			same = w[next&row] ^ w[(j+next-i)&row]
		}
		to = 8*next + bits.TrailingZeros64(same)/8
		if n := to - from; n > lz4Shortest {
			at = len(appendMatch(out[:at], src[anchor:from], 8*(i-j), n))
			anchor = to
		}
		i = max(next, i+1)
		before = w[(i-1)&row]
	}
	return appendLiterals(dst[:len(dst)+at], src[anchor:], 0)
}

// find looks for a word before each that is like it; 0 is none. Arrays, and places
// in them cut to their size, show the compiler that all is within bounds.
func (p *wordPacker) find(w *[blockRows]uint64, from, to int) {
	for i := from; i < to; i++ {
		x := w[i&row]
		whole := &p.whole[x*0x9e3779b97f4a7c15>>(64-wholeBits)] // Knuth: 2^64 over the golden ratio
		low := &p.low[uint32(x)*0x9e3779b1>>(32-lowBits)]
		j := *low
		if k := *whole; w[int(k)&row] == x {
			j = k
		}
		p.like[i&row] = j
		*whole, *low = uint16(i), uint16(i)
	}
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

package sysbench

import (
	"encoding/binary"
	"math"

	"noisefloor/datasets"
)

// A shape is where the numbers of a report line stand and how many digits they
// have. Neighbouring lines nearly always share it. A line of a known shape is read
// without looking for the end of any number, which is what a parser spends its time
// on: the processor cannot guess it.
type shape struct {
	size, words int // of the line in bytes, and rounded up to words of eight
	// text is the line, '0' for every digit; its last word ends with the line. slack
	// is 0x76 below digits and 0x7f below everything else: added to the difference
	// from text, it sets the high bit of each byte that is not as it must be.
	text, slack [maxShape / 8]uint64
	numbers     [numbers]place
}

// place is where a number stands in a line.
type place struct {
	end   int     // of its digits before the point
	mask  uint64  // of those digits in the eight bytes before end
	parts bool    // two decimals follow
	scale float64 // what its digits without the point are divided by
}

// The numbers of a report line without further counters, in their order.
const (
	seconds = iota
	threads
	tps
	qps
	reads
	writes
	other
	percentile
	latencyMS
	errors
	reconnects
	numbers
)

const (
	maxShape   = 192                // bytes of a line
	firstDigit = len("[ ")          // of the seconds
	asciiZeros = 0x3030303030303030 // eight times '0'
	highBits   = 0x8080808080808080
)

// learn takes the shape of a line that parseThds has read, or becomes that of no
// line if there are further counters or unusual numbers in it.
func (s *shape) learn(b []byte) {
	*s = shape{}
	if len(b) > maxShape {
		return
	}
	var text, slack [maxShape]byte
	for i := range b {
		text[i], slack[i] = b[i], 0x7f
	}
	digits := func(i int) (n int) {
		for i+n < len(b) && b[i+n]-'0' <= 9 {
			text[i+n], slack[i+n] = '0', 0x76
			n++
		}
		return n
	}
	k := 0
	for i := 0; i < len(b); i++ {
		n := digits(i)
		if n == 0 {
			continue
		}
		if n > 8 || k == numbers {
			return
		}
		i += n
		p := place{end: i, mask: ^uint64(0) << (64 - 8*n), scale: 1}
		if i < len(b) && b[i] == '.' {
			if digits(i+1) != 2 || k == seconds {
				return
			}
			p.parts, p.scale = true, 100
			i += len(".00")
		}
		if k == latencyMS {
			p.scale *= 1000
		}
		s.numbers[k] = p
		k++
	}
	if k < numbers {
		return
	}
	s.size, s.words = len(b), (len(b)+7)/8
	for w := range s.words {
		at := min(8*w, len(b)-8)
		s.text[w] = binary.LittleEndian.Uint64(text[at:])
		s.slack[w] = binary.LittleEndian.Uint64(slack[at:])
	}
}

// read is parseThds for lines of the shape; it says no to any other.
func (s *shape) read(b []byte, iv *datasets.Interval) bool {
	if len(b) != s.size || s.size == 0 {
		return false
	}
	last := s.words - 1
	differ := binary.LittleEndian.Uint64(b[len(b)-8:]) ^ s.text[last]
	bad := differ | (differ + s.slack[last])
	for w := range last {
		differ := binary.LittleEndian.Uint64(b[8*w:]) ^ s.text[w]
		bad |= differ | (differ + s.slack[w])
	}
	if bad&highBits != 0 {
		return false
	}
	// Fewer than eight bytes stand before the end of the seconds.
	top := 64 - 8*(s.numbers[seconds].end-firstDigit)
	iv.T = float64(eightDigits((binary.LittleEndian.Uint64(b[firstDigit:]) ^ asciiZeros) << top))
	iv.Threads = s.number(b, threads)
	iv.TPS = s.number(b, tps)
	iv.QPS = s.number(b, qps)
	iv.Reads = s.number(b, reads)
	iv.Writes = s.number(b, writes)
	iv.Other = s.number(b, other)
	iv.Percentile = s.number(b, percentile)
	iv.LatencyPct = s.number(b, latencyMS)
	iv.Errors = s.number(b, errors)
	iv.Reconnects = s.number(b, reconnects)
	iv.QueueLength, iv.Concurrency = math.NaN(), math.NaN()
	return true
}

// number gives the same float64 as fixed: both sides of the division are exact.
func (s *shape) number(b []byte, k int) float64 {
	p := &s.numbers[k]
	w := (binary.LittleEndian.Uint64(b[p.end-8:]) ^ asciiZeros) & p.mask
	if w == 0 && !p.parts {
		return 0
	}
	m := eightDigits(w)
	if p.parts {
		m = 100*m + 10*int64(b[p.end+1]-'0') + int64(b[p.end+2]-'0')
	}
	return float64(m) / p.scale
}

// eightDigits gives the number whose digits, as values, are the bytes of w, the
// last one on top (Lemire 2018, "Quickly parsing eight digits").
func eightDigits(w uint64) int64 {
	w = (w * (1 + 10<<8)) >> 8 & 0x00ff00ff00ff00ff
	w = (w * (1 + 100<<16)) >> 16 & 0x0000ffff0000ffff
	return int64((w * (1 + 10000<<32)) >> 32)
}

// shapes holds those of the lines read last, two of each length.
type shapes [128]struct {
	of    [2]shape
	older int
}

// parse is parseThds by way of the shapes that are known.
func (s *shapes) parse(b []byte, iv *datasets.Interval) bool {
	known := &s[len(b)%len(s)]
	if known.of[0].read(b, iv) || known.of[1].read(b, iv) {
		return true
	}
	if !parseThds(b, iv) {
		return false
	}
	known.of[known.older].learn(b)
	known.older ^= 1
	return true
}

package sysbench

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/digits"
)

// A shape is where the numbers of a report line stand, how many digits they have,
// and which of them hardly ever change: those belong to the text. Neighbouring
// lines nearly always share it. A line of a known shape is read without looking for
// the end of any number, which is what a parser spends its time on: the processor
// cannot guess it. What others put in front of a line or behind it is part of its
// shape, but for the digits there, which are those of a clock.
type shape struct {
	size, words int // of the line with its end in bytes and in words of eight
	// text is the line, '0' for every digit of a number that changes; its last word
	// ends with the line. slack is 0x76 below those digits and 0x7f below everything
	// else: added to the difference from text, it sets the high bit of each byte that
	// is not as it must be.
	text, slack         [32]uint64
	lastText, lastSlack uint64
	lastAt              uint8

	places   [maxNumbers]place // of the numbers that change, the seconds apart
	changes  int               // how many
	secondAt uint8             // where the seconds begin
	second   uint              // bits that their digits leave free of a word
	kind

	line []byte // it was learned from
}

// kind says which numbers are part of the text, by column, and what they are, as
// bits: NaN, of a column that the line does not have, is to be the same as NaN.
type kind struct {
	fixed [lineColumns]bool
	are   [lineColumns]uint64
}

// place is where a number stands in a line: its digits before the point in one word
// of eight bytes and those behind it in another, so that both words together hold
// them without a gap. The masks leave the values of the digits.
type place struct {
	whole, parts     uint64
	scale            float64 // what the digits without the point are divided by
	wholeAt, partsAt uint8   // where the words begin
	column           uint8
}

// A window is a line with what comes behind it, as long as a word at any uint8
// needs.
type window = [1<<8 - 1 + 8]byte

const (
	maxNumbers = 16
	maxShape   = 248                // bytes of a line with its end
	digitBits  = 0x0f0f0f0f0f0f0f0f // turn eight digits into their values
	highBits   = 0x8080808080808080
)

// lineColumns are those of which a report line itself tells.
const lineColumns = datasets.ColumnReconnects + 1

// A standing is where in a text the number for each column begins, counted from the
// end; 0: it has none.
type standing struct {
	columns [lineColumns]int
	latency float64 // what the latency is divided by to be seconds
}

// notRead is the column of a number that is for none.
const notRead = lineColumns

// stand finds the numbers of a report line: which column each is for, by where it
// begins.
func stand(b []byte) (columns [maxShape]uint8, latency float64) {
	end := bytes.IndexByte(b, ']') + 1
	rest := bytes.TrimSpace(b[end:])
	from := end + bytes.Index(b[end:], rest)
	var in standing
	var iv datasets.Interval
	parseFields(rest, &iv, &in)
	for i := range columns {
		columns[i] = notRead
	}
	columns[bytes.IndexAny(b, "0123456789")] = datasets.ColumnT
	for column, behind := range in.columns {
		if behind > 0 {
			columns[from+len(rest)-behind] = uint8(column)
		}
	}
	return columns, in.latency
}

// learn takes the shape of a line that has been read as iv, or becomes that of no
// line if there are unusual numbers in it. The report begins at front and ends before
// back. Zeros are fixed, and what is set for a whole run; of old, unless it is nil,
// what is as it was.
func (s *shape) learn(b []byte, front, back int, iv *datasets.Interval, old *shape) {
	*s = shape{line: append(s.line[:0], b...)}
	if len(b) > maxShape || b[len(b)-1] != '\n' || iv.LatencyPct == 0 || iv.Percentile == 0 { // these are not what they seem
		return
	}
	for column := range s.fixed {
		s.fixed[column], s.are[column] = true, math.Float64bits(math.NaN())
	}
	columns, latency := stand(b[front:back])
	values := iv.Numbers()
	var text, slack [maxShape]byte
	for i := range b {
		text[i], slack[i] = b[i], 0x7f
	}
	for i := 0; i < len(b); i++ {
		from, digits := i, digitsAt(b, i)
		if digits == 0 {
			continue
		}
		i += digits
		if from < front || from >= back {
			for j := from; j < i; j++ {
				text[j], slack[j] = '0', 0x76
			}
			continue
		}
		column := columns[from-front]
		p := place{column: column, wholeAt: uint8(i - 8), partsAt: uint8(i - 8), scale: 1}
		room := 8
		if i < len(b) && b[i] == '.' {
			if digitsAt(b, i+1) != 2 {
				return
			}
			i += len(".00")
			p.wholeAt, p.partsAt = uint8(i-len(".00")-6), uint8(i-8)
			p.parts, p.scale, room = digitBits&^(1<<48-1), 100, 6
		}
		if digits > room {
			return
		}
		p.whole = digitBits << (8 * (room - digits)) &^ p.parts
		if column == datasets.ColumnLatencyPct {
			p.scale *= latency
		}
		switch {
		case column == notRead:
			if i < len(b) && b[i] == '%' {
				continue
			}
		case column == datasets.ColumnT:
			if p.parts != 0 {
				return
			}
			s.fixed[column] = false
			s.secondAt, s.second = uint8(from), uint(64-8*digits)
		default:
			fixed := values[column] == 0
			if old != nil {
				fixed = old.fixed[column] && bytes.Equal(old.line[from:i], b[from:i])
			}
			if fixed || column == datasets.ColumnThreads {
				s.are[column] = math.Float64bits(values[column])
				continue
			}
			s.fixed[column] = false
			s.places[s.changes] = p
			s.changes++
		}
		for j := from; j < i; j++ {
			if b[j] != '.' {
				text[j], slack[j] = '0', 0x76
			}
		}
	}
	// Lines of one kind are read together, and of two glued together the order differs.
	slices.SortFunc(s.places[:s.changes], func(a, b place) int { return int(a.column) - int(b.column) })
	s.are[datasets.ColumnPercentile] = math.Float64bits(iv.Percentile)
	if !s.agrees(b, iv) {
		return
	}
	s.size, s.words = len(b), len(b)/8
	for i := range s.words {
		s.text[i], s.slack[i] = binary.LittleEndian.Uint64(text[8*i:]), binary.LittleEndian.Uint64(slack[8*i:])
	}
	last := len(b) - 8
	s.lastText, s.lastSlack, s.lastAt = binary.LittleEndian.Uint64(text[last:]), binary.LittleEndian.Uint64(slack[last:]), uint8(last)
}

// agrees tells whether the shape reads its line as it has been read: a number may
// have a sign, or be impossible.
func (s *shape) agrees(b []byte, iv *datasets.Interval) bool {
	values := iv.Numbers()
	var w window
	copy(w[:], b)
	for k, p := range s.places[:s.changes] {
		var v [1]float64
		if read(v[:], k, []*window{&w}, []*shape{s}); v[0] != values[p.column] {
			return false
		}
	}
	for column, fixed := range s.fixed {
		if is := values[column]; fixed && s.are[column] != math.Float64bits(is) {
			return false
		}
	}
	return s.seconds(&w) == iv.T
}

func digitsAt(b []byte, i int) (n int) {
	for i+n < len(b) && b[i+n]-'0' <= 9 {
		n++
	}
	return n
}

// begins tells whether a line of the shape begins at w.
func (s *shape) begins(w *window) bool {
	differ := binary.LittleEndian.Uint64(w[s.lastAt:]) ^ s.lastText
	bad := differ | (differ + s.lastSlack)
	for i := range s.words & (len(s.text) - 1) {
		differ := binary.LittleEndian.Uint64(w[8*i:]) ^ s.text[i]
		bad |= differ | (differ + s.slack[i])
	}
	return bad&highBits == 0 && s.size > 0
}

// fork is the first word in which the texts of two shapes differ.
func (s *shape) fork(of *shape) int {
	for i := range s.words & (len(s.text) - 1) {
		if s.text[i] != of.text[i] {
			return i
		}
	}
	return 0
}

// misses gives 1 if that word of a line is none of the shape, else 0. Lines go to
// and fro between two shapes, as a number gains and loses a digit, and the processor
// cannot guess which is next: this is no branch.
func (s *shape) misses(w *window, word int) int {
	i := word & (len(s.text) - 1)
	differ := binary.LittleEndian.Uint64(w[8*i:]) ^ s.text[i]
	bad := (differ | (differ + s.slack[i])) & highBits
	return int((bad | -bad) >> 63)
}

// seconds is the time of a line of the shape, before which there may be no eight
// bytes.
func (s *shape) seconds(b *window) float64 {
	return float64(digits.Eight(binary.LittleEndian.Uint64(b[s.secondAt:]) & digitBits << (s.second & 63)))
}

// read gives the k-th number that changes of lines and their shapes, which are of
// one kind. It is the float64 that digits.Fixed gives: both sides of the division are
// exact.
func read(into []float64, k int, windows []*window, shapes []*shape) {
	windows, shapes = windows[:len(into)], shapes[:len(into)]
	for i := range into {
		b, p := windows[i], &shapes[i].places[k&(maxNumbers-1)]
		w := binary.LittleEndian.Uint64(b[p.wholeAt:])&p.whole | binary.LittleEndian.Uint64(b[p.partsAt:])&p.parts
		into[i] = float64(digits.Eight(w)) / p.scale
	}
}

// shapes holds those of the lines read last, two of each length.
type shapes [128]struct {
	of    [2]shape
	older int
}

// find gives the shape of the line at w of that size, nil if it is not known.
func (s *shapes) find(w *window, size int) *shape {
	known := &s[size%len(s)]
	for i := range known.of {
		if of := &known.of[i]; of.size == size && of.begins(w) {
			return of
		}
	}
	return nil
}

// learn takes the shape of a line that has been read as iv, and whose report begins at
// front and ends before back.
func (s *shapes) learn(b []byte, front, back int, iv *datasets.Interval) {
	var w window
	if copy(w[:], b); len(b) == 0 || s.find(&w, len(b)) != nil {
		return
	}
	known := &s[len(b)%len(s)]
	for i := range known.of {
		if of := &known.of[i]; of.size == len(b) && alike(of.line, b) {
			old := *of
			of.line = nil // remains old's
			of.learn(b, front, back, iv, &old)
			return
		}
	}
	known.of[known.older].learn(b, front, back, iv, nil)
	known.older ^= 1
}

// alike tells whether two lines of the same length differ in nothing but digits.
func alike(a, b []byte) bool {
	for i, c := range a {
		if c != b[i] && (c-'0' > 9 || b[i]-'0' > 9) {
			return false
		}
	}
	return true
}

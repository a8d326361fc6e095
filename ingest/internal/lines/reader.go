package lines

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"noisefloor/ingest/internal/sums"
)

const (
	// BufferSize is how much of a text is in memory.
	BufferSize = 256 << 10
	// MaxLine is the longest line that is looked at. Report lines have about 120
	// bytes; the longest real ones are queries quoted in FATAL messages.
	MaxLine = 64 << 10
)

// A Reader cuts a text into lines and hashes the lines of one run. A line ends
// at LF, at CR LF or at a CR that stands alone. It is made by NewReader and used
// for text after text.
type Reader struct {
	in       io.Reader
	err      error // of in; io.EOF at the end
	buf      []byte
	pos, end int // buf[pos:end] was read from in but not yet returned
	lf, cr   finder
	base     int64 // offset in the text of buf[0]

	// The line returned last.
	Number      int    // from 1
	Start, Stop int64  // offsets of its first byte and of its line end
	Long        bool   // only the first MaxLine bytes were returned
	kept        []byte // those bytes, when the rest had to be read over

	// The run whose bytes are hashed.
	hashing bool
	sum     hash.Hash // of its bytes before the offset fed
	fed     int64
	until   int64     // end of the run's last line so far
	past    hash.Hash // sum as it was at until, once fed has gone beyond
	others  *sums.Group

	// The text as a whole. Most files hold one run that begins with them, so a run
	// at the beginning is hashed for both until it ends.
	whole  hash.Hash // of the text before the offset hashed; nil: nobody wants it
	hashed int64
	shared bool // sum is the hash of the text instead
	wide   bool // whole is fed with the text before it is decoded
}

// NewReader gives a reader without a text.
func NewReader() *Reader { return &Reader{buf: make([]byte, BufferSize), sum: sha256.New()} }

// Err is the error that ended the text, io.EOF at its end.
func (r *Reader) Err() error { return r.err }

// Release lets go of the text.
func (r *Reader) Release() { r.in = nil }

// Forget ends the hashing of a run that turned out to be none.
func (r *Reader) Forget() { r.hashing = false }

// Reset begins a text; whole, unless it is nil, gets the bytes of all of it. It is
// hashed together with the texts of others, nil being nobody.
func (r *Reader) Reset(in io.Reader, whole hash.Hash, others *sums.Group) {
	*r = Reader{in: in, buf: r.buf, lf: finder{c: '\n', at: -1}, cr: finder{c: '\r', at: -1}, kept: r.kept, sum: r.sum, whole: whole, others: others}
	const head = 64 // bytes: no more than these, or the size of the reads would matter
	for r.end < head && r.err == nil {
		r.fill()
	}
	if wide := wideEncoding(r.buf[:min(r.end, head)]); wide != nil {
		var rest io.Reader = in
		if r.err != nil {
			rest = failed{r.err}
		}
		all := io.MultiReader(bytes.NewReader(bytes.Clone(r.buf[:r.end])), rest)
		if r.wide = true; whole != nil {
			all = io.TeeReader(all, whole)
		}
		r.in, r.end, r.err = transform.NewReader(all, wide.NewDecoder()), 0, nil
	}
}

// failed is a reader that has come to its end, or to its error.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// wideEncoding tells a text in UTF-16, as PowerShell writes it, by its byte order
// Mark or, without one, by its zeros: all in the same half of the pairs. nil is
// for every other text.
func wideEncoding(head []byte) encoding.Encoding {
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(head) / 2
	if pairs < 8 {
		return nil
	}
	switch {
	case zeros[0] == 0 && zeros[1] >= pairs*3/4:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zeros[1] == 0 && zeros[0] >= pairs*3/4:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// Next returns the next line without its end; the bytes are good until the next
// call. whole is false for a line that the end of the text cut off.
func (r *Reader) Next() (text []byte, whole, ok bool) {
	n, width := r.lineEnd()
	// One byte more than MaxLine, because a CR at the end is not part of the line.
	for width == 0 && r.err == nil && r.end-r.pos <= MaxLine+1 {
		r.fill()
		n, width = r.lineEnd()
	}
	if width == 0 {
		n = r.end - r.pos
		if n == 0 {
			return nil, false, false
		}
	}
	r.Number++
	r.Start = r.base + int64(r.pos)
	r.Long = n > MaxLine
	if r.Long && width == 0 {
		r.kept = append(r.kept[:0], r.buf[r.pos:r.pos+MaxLine]...)
		return r.kept, r.skip(), true
	}
	text = r.buf[r.pos : r.pos+min(n, MaxLine)]
	r.Stop = r.Start + int64(n)
	r.pos += n + width
	return text, width > 0, true
}

// Line is the line returned last with its end, for as long as it is good.
func (r *Reader) Line() []byte {
	if r.Start < r.base {
		return nil // it was longer than the buffer
	}
	return r.between(r.Start, r.base+int64(r.pos))
}

// Above are the n lines with something in them above the one returned last, as far as
// they are in memory.
func (r *Reader) Above(n int) []byte {
	above := bytes.TrimRight(r.buf[:max(0, r.Start-r.base)], " \t\r\n")
	from := len(above)
	for ; n > 0 && from > 0; n-- {
		from = bytes.LastIndexAny(bytes.TrimRight(above[:from], "\r\n"), "\r\n") + 1
	}
	return above[from:]
}

// Rest is what of the text is in memory behind the line returned last.
func (r *Reader) Rest() []byte { return r.buf[r.pos:r.end] }

// Took says that the next n lines, which are size bytes with their ends and the last
// of them of length last, need not be returned: it is as if the last one had been.
func (r *Reader) Took(n, size, last int) {
	r.Number += n
	r.pos += size
	r.Start = r.base + int64(r.pos-last)
	r.Stop = r.base + int64(r.pos-len("\n"))
	if last > 1 && r.buf[r.pos-2] == '\r' {
		r.Stop--
	}
}

// skip reads over the rest of a long line and tells whether its end was found.
func (r *Reader) skip() (whole bool) {
	for r.err == nil {
		r.pos = r.end - 1 // the last byte may be the CR of a CR LF
		r.fill()
		if n, width := r.lineEnd(); width > 0 {
			r.Stop = r.base + int64(r.pos+n)
			r.pos += n + width
			return true
		}
	}
	r.pos = r.end
	r.Stop = r.base + int64(r.end)
	return false
}

// lineEnd finds the end of the line that starts at pos: n bytes of text, then a
// line end of width bytes; width 0 if it is not in the buffer (yet).
func (r *Reader) lineEnd() (n, width int) {
	lf := r.lf.find(r.buf, r.pos, r.end)
	cr := r.cr.find(r.buf, r.pos, r.end)
	switch {
	case cr < lf && cr+1 == lf && lf < r.end:
		return cr - r.pos, 2
	case cr < lf && (cr+1 < r.end || r.err != nil): // at the end, an LF may follow
		return cr - r.pos, 1
	case lf < cr:
		return lf - r.pos, 1
	}
	return 0, 0
}

// A finder finds the next c in a buffer and looks at each byte only once, however
// often it is asked.
type finder struct {
	c     byte
	at    int // index of a c; the next one unless it is below pos
	clear int // there is no c from the last pos to here
}

// find returns the index of the first c in buf[pos:end], end if there is none.
func (f *finder) find(buf []byte, pos, end int) int {
	if f.at >= pos {
		return f.at
	}
	from := max(pos, f.clear)
	if i := bytes.IndexByte(buf[from:end], f.c); i >= 0 {
		f.at = from + i
		return f.at
	}
	f.clear = end
	return end
}

// fill reads more of the text behind buf[pos:end].
func (r *Reader) fill() {
	if r.end == len(r.buf) {
		r.pass(r.base + int64(r.pos))
		copy(r.buf, r.buf[r.pos:r.end])
		r.base += int64(r.pos)
		r.end -= r.pos
		r.lf.at, r.lf.clear = r.lf.at-r.pos, r.lf.clear-r.pos
		r.cr.at, r.cr.clear = r.cr.at-r.pos, r.cr.clear-r.pos
		r.pos = 0
	}
	for range 100 { // as bufio: a reader that gives nothing that often is broken
		n, err := r.in.Read(r.buf[r.end:])
		r.end += n
		if r.err = err; n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// Track starts to hash a run at the line returned last.
func (r *Reader) Track() {
	r.part()
	r.hashing = true
	r.sum.Reset()
	r.shared = r.Start == 0 && r.whole != nil && !r.wide
	r.fed, r.until, r.past = r.Start, r.Start, nil
}

// Mark says that the line returned last belongs to the run.
func (r *Reader) Mark() { r.until, r.past = r.Stop, nil }

// Digest gives the SHA-256 of the run's bytes: from the first of its first line
// to the last of its last line, whatever lies between, the last line end apart.
func (r *Reader) Digest() (sum [sha256.Size]byte) {
	r.hashing = false
	of := r.sum
	switch {
	case r.until > r.fed:
		r.others.Write(r.sum, r.between(r.fed, r.until))
		r.fed = r.until
	case r.past != nil:
		of = r.past
	}
	of.Sum(sum[:0])
	return sum
}

// pass hashes the bytes before the offset to, which are about to leave the
// buffer. Bytes beyond the run's last line may still turn out to be inside the
// run, so the sum is kept as it was at that line.
func (r *Reader) pass(to int64) {
	r.passWhole(to)
	if !r.hashing {
		return
	}
	if own := min(r.until, to); own > r.fed {
		r.others.Write(r.sum, r.between(r.fed, own))
		r.fed = own
	}
	if to > r.fed {
		if r.past == nil {
			r.past = cloned(r.sum)
		}
		r.others.Write(r.sum, r.between(r.fed, to))
		r.fed = to
	}
}

// passWhole is pass for the text as a whole.
func (r *Reader) passWhole(to int64) {
	r.part()
	if r.whole != nil && !r.wide && !r.shared && to > r.hashed {
		r.others.Write(r.whole, r.between(r.hashed, to))
		r.hashed = to
	}
}

// part gives the text a hash of its own once the run that it shared one with has
// ended.
func (r *Reader) part() {
	if r.shared && !r.hashing {
		r.shared = false
		r.whole, r.sum = r.sum, r.whole
		r.hashed = r.fed
	}
}

// DigestWhole gives the SHA-256 of everything that was read. No run is open.
func (r *Reader) DigestWhole() (sum [sha256.Size]byte) {
	r.hashing = false
	r.passWhole(r.base + int64(r.end))
	r.whole.Sum(sum[:0])
	return sum
}

func (r *Reader) between(from, to int64) []byte { return r.buf[from-r.base : to-r.base] }

func cloned(h hash.Hash) hash.Hash {
	c, err := h.(hash.Cloner).Clone()
	if err != nil {
		panic("sysbench: SHA-256 cannot be cloned: " + err.Error())
	}
	return c
}

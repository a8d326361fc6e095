package archive

import (
	"io"
	"sync/atomic"
)

// Counter counts what is read through it.
type Counter struct {
	In    io.Reader
	Total *atomic.Int64 // of all files together; nil = nobody asks
	n     int64
}

func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.In.Read(p)
	c.add(int64(n))
	return n, err
}

func (c *Counter) add(n int64) {
	c.n += n
	if c.Total != nil {
		c.Total.Add(n)
	}
}

// Fill counts what need not be read of so many bytes.
func (c *Counter) Fill(size int64) { c.add(size - c.n) }

// ratioFrom: below this a high ratio costs nothing and is ordinary, such as a
// log of zeros.
const ratioFrom = 64 << 20

// boundedReader refuses what grows too far.
type boundedReader struct {
	in     io.Reader
	packed *Counter
	n, max int64
	ratio  float64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	b.n += int64(n)
	switch {
	case b.n > b.max:
		return max(0, n-int(b.n-b.max)), errTooBig
	case b.n > ratioFrom && float64(b.n) > b.ratio*float64(b.packed.n):
		return n, errRatio
	}
	return n, err
}

package perfdata

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// decoder reads numbers from bytes. Reading beyond the end gives zeros, and short
// says so.
type decoder struct {
	b     []byte
	order binary.ByteOrder
	short bool
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.short, d.b = true, nil
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) skip(n int) { d.take(n) }

func (d *decoder) u32() uint32 {
	if b := d.take(4); b != nil {
		return d.order.Uint32(b)
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if b := d.take(8); b != nil {
		return d.order.Uint64(b)
	}
	return 0
}

// text reads a length and so many bytes, padded with NULs.
func (d *decoder) text() string { return cString(d.take(int(int32(d.u32())))) }

// cString is the text before the first NUL.
func cString(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

func hexOf(id []byte) string {
	s := hex.EncodeToString(id)
	if strings.Trim(s, "0") == "" {
		return ""
	}
	return s
}

func clean(s string) string { return strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd")) }

package archive

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// maxDictionary bounds the memory that a compressed file may ask for; xz -9 asks
// for 64 MiB.
const maxDictionary = 128 << 20

// compression gives how to open a compressed stream, nil if it is none.
func compression(head []byte) func(io.Reader) (io.Reader, func(), error) {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return func(r io.Reader) (io.Reader, func(), error) {
			z, err := gzip.NewReader(r)
			return z, func() {}, err
		}
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return func(r io.Reader) (io.Reader, func(), error) {
			z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxDictionary))
			if err != nil {
				return nil, nil, err
			}
			return z, z.Close, nil
		}
	case isXZ(head):
		return func(r io.Reader) (io.Reader, func(), error) {
			if n := xzDictionary(head); n > maxDictionary {
				return nil, nil, fmt.Errorf("it needs a dictionary of %d MiB; pack it with xz -9 or less", n>>20)
			}
			z, err := xz.NewReader(r)
			return z, func() {}, err
		}
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) > 9 && head[3] >= '1' && head[3] <= '9' && (string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90"):
		return func(r io.Reader) (io.Reader, func(), error) { return bzip2.NewReader(r), func() {}, nil }
	}
	return nil
}

func isXZ(head []byte) bool { return bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")) }

// xzDictionary reads the size of the LZMA2 dictionary from the first block header
// (the .xz file format 1.1.0, sections 3.1 and 5.3.1); 0 if it is not found.
func xzDictionary(head []byte) int64 {
	const header = 12
	if len(head) < header+8 || head[header] == 0 {
		return 0
	}
	size := (int(head[header]) + 1) * 4
	block := head[header:min(len(head), header+size)]
	flags, at := block[1], 2
	skip := func() {
		for at < len(block) && block[at]&0x80 != 0 {
			at++
		}
		at++
	}
	if flags&0x40 != 0 {
		skip() // compressed size
	}
	if flags&0x80 != 0 {
		skip() // uncompressed size
	}
	for range int(flags&3) + 1 {
		if at+2 >= len(block) {
			return 0
		}
		if block[at] == 0x21 && block[at+1] == 1 {
			n, err := lzma.DecodeDictCap(block[at+2])
			if err != nil {
				return 0
			}
			return n
		}
		at += 2 + int(block[at+1])
	}
	return 0
}

// isTar knows the magic, and old archives by the checksum of their first header.
func isTar(head []byte) bool {
	if len(head) < 512 {
		return false
	}
	if string(head[257:262]) == "ustar" {
		return true
	}
	if head[0] == 0 || head[156] != 0 && (head[156] < '0' || head[156] > '7') {
		return false
	}
	sum := 0
	for i, b := range head[:512] {
		if i >= 148 && i < 156 {
			b = ' '
		}
		sum += int(b)
	}
	field := strings.Trim(string(head[148:156]), " \x00")
	var want int
	if n, err := fmt.Sscanf(field, "%o", &want); n != 1 || err != nil {
		return false
	}
	return sum == want
}

func isZip(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

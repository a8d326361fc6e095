package ingest

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"noisefloor/datasets"
)

// maxNesting is how many archives and compressions may lie around a file: a log.gz
// in a tar.xz in a tar.gz is five.
const maxNesting = 6

// maxDictionary bounds the memory that a compressed file may ask for; xz -9 asks
// for 64 MiB.
const maxDictionary = 128 << 20

var (
	errTooBig    = errors.New("it grows beyond the size limit when decompressed")
	errRatio     = errors.New("it is compressed more than any log could be; a decompression bomb?")
	errNested    = fmt.Errorf("more than %d archives in one another", maxNesting)
	errEncrypted = errors.New("it is encrypted; unpack it")
)

// item is a file that is not itself a container, seen from wherever it lies.
type item struct {
	rel   string // of the disk file, then "!" and the name for each archive around it
	mtime time.Time
	head  []byte // headSize bytes, or all of them; good until body is read
	whole bool   // head is all
	body  *bufio.Reader
	size  int64 // bytes, about if it is compressed
	plain bool  // the disk file itself, neither packed nor compressed
}

// deepen takes more of the file into the head.
func (it *item) deepen() {
	var err error
	it.head, err = it.body.Peek(deepHead)
	it.whole = err != nil
}

// opener looks into one disk file.
type opener struct {
	in      *ingest
	file    *diskFile
	visit   func(*item) error
	problem func(datasets.Problem)
	alone   chan struct{} // if not nil, held while an xz stream is open
	held    bool
}

// errStop ends a visit without being an error.
var errStop = errors.New("stop")

// open calls visit for the file, or for every file inside it, in order. What is
// wrong with the container is a problem; the error is that of visit or of the
// context. xz streams need much memory, so that only one is to be open at a
// time: alone, if not nil, has room for one.
func (in *ingest) open(ctx context.Context, d *diskFile, alone chan struct{}, visit func(*item) error, problem func(datasets.Problem)) error {
	o := &opener{in: in, file: d, visit: visit, problem: problem, alone: alone}
	defer func() {
		if o.held {
			<-alone
		}
	}()
	f, err := os.Open(d.path)
	if err != nil {
		o.broken(d.rel, err)
		return nil
	}
	defer f.Close()
	counted := &countingReader{in: f, also: &in.onDisk}
	defer func() { counted.add(d.size - counted.n) }() // what need not be read
	var magic [4]byte
	if n, _ := f.ReadAt(magic[:], 0); isZip(magic[:n]) {
		err = o.zip(ctx, f, d.size, counted, d.rel, 1)
	} else {
		err = o.stream(ctx, counted, counted, d.rel, d.size, d.mtime, 0)
	}
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

// broken notes what cannot be read of a file.
func (o *opener) broken(rel string, err error) {
	kind := "unreadable"
	switch {
	case errors.Is(err, errTooBig), errors.Is(err, errRatio), errors.Is(err, errNested), errors.Is(err, errEncrypted):
		kind = "refused"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, zstd.ErrMagicMismatch), err.Error() == "xz: invalid header magic bytes": // the first header was right
		kind, err = "damaged-archive", errors.New("something else stands behind the compressed text; that is not read")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		kind, err = "damaged-archive", errors.New("it ends too early")
	default:
		var pathErr *os.PathError
		if errors.As(err, &pathErr) {
			err = pathErr.Err
		} else {
			kind = "damaged-archive"
		}
	}
	o.problem(datasets.Problem{Source: o.in.source(o.file.root, rel), Kind: kind, Text: err.Error(), Count: 1})
}

var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, deepHead) }}

// packedBytes is how many bytes of a log one compressed byte counts for.
const packedBytes = 10

// stream looks at one stream of so many bytes. packed counts what the outermost
// compression has read.
func (o *opener) stream(ctx context.Context, r io.Reader, packed *countingReader, rel string, size int64, mtime time.Time, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b := buffers.Get().(*bufio.Reader)
	b.Reset(r)
	defer func() {
		b.Reset(nil)
		buffers.Put(b)
	}()
	head, err := b.Peek(headSize)
	if err != nil && err != io.EOF && len(head) == 0 { // what can be read of a damaged file is read
		o.broken(rel, err)
		return nil
	}
	if open := compression(head); open != nil {
		if depth == maxNesting {
			o.broken(rel, errNested)
			return nil
		}
		if isXZ(head) && o.alone != nil && !o.held {
			select {
			case o.alone <- struct{}{}:
				o.held, o.file.xz = true, true
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		plain, closer, err := open(b)
		if err != nil {
			o.broken(rel, err)
			return nil
		}
		defer closer()
		bounded := &boundedReader{in: plain, packed: packed, max: o.in.opt.MaxSize, ratio: o.in.opt.MaxRatio}
		return o.stream(ctx, bounded, packed, rel, packedBytes*size, mtime, depth+1)
	}
	if isTar(head) || isZip(head) {
		if depth == maxNesting {
			o.broken(rel, errNested)
			return nil
		}
		if isZip(head) {
			return o.innerZip(ctx, b, rel, depth+1)
		}
		return o.tar(ctx, b, packed, rel, depth+1)
	}
	return o.visit(&item{rel: rel, mtime: mtime, head: head, whole: err != nil, body: b, size: size, plain: depth == 0})
}

func (o *opener) tar(ctx context.Context, r io.Reader, packed *countingReader, rel string, depth int) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			o.broken(rel, err)
			return nil
		}
		name := memberName(h.Name)
		if h.Typeflag == tar.TypeDir || name == "" || isHidden(name) || o.in.ignored(rel+"!"+name) {
			continue
		}
		if h.Typeflag != tar.TypeReg {
			o.problem(datasets.Problem{Source: o.in.source(o.file.root, rel+"!"+name), Kind: "not-a-file", Text: "a link or device in an archive, passed by", Count: 1})
			continue
		}
		if err := o.stream(ctx, t, packed, rel+"!"+name, min(h.Size, o.in.opt.MaxSize), h.ModTime, depth); err != nil {
			return err
		}
	}
}

// innerZip reads a zip inside an archive from a copy on the disk.
func (o *opener) innerZip(ctx context.Context, r io.Reader, rel string, depth int) error {
	f, err := os.CreateTemp("", "noisefloor-zip-")
	if err != nil {
		o.broken(rel, err)
		return nil
	}
	defer os.Remove(f.Name())
	defer f.Close()
	size, err := io.Copy(f, r)
	if err != nil {
		o.broken(rel, err)
		return nil
	}
	return o.zip(ctx, f, size, &countingReader{}, rel, depth)
}

func isZip(head []byte) bool { return bytes.HasPrefix(head, []byte("PK\x03\x04")) }

// zip is read where it lies on the disk: its table of contents stands at its end.
// counted counts what has been read of it.
func (o *opener) zip(ctx context.Context, f *os.File, size int64, counted *countingReader, rel string, depth int) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		o.broken(rel, err)
		return nil
	}
	if slices.ContainsFunc(z.File, func(m *zip.File) bool { return m.Name == "[Content_Types].xml" || m.Name == "META-INF/manifest.xml" }) {
		o.problem(datasets.Problem{Source: o.in.source(o.file.root, rel), Kind: "not-read", Text: "a file of an office program; save its tables as CSV", Count: 1})
		return nil
	}
	for i, m := range z.File {
		z.File[i] = nil // 100 000 members are 20 MB, and what is known of them grows meanwhile
		name := memberName(m.Name)
		if m.Mode().IsDir() || name == "" || isHidden(name) || o.in.ignored(rel+"!"+name) {
			continue
		}
		member := rel + "!" + name
		if !m.Mode().IsRegular() {
			o.problem(datasets.Problem{Source: o.in.source(o.file.root, member), Kind: "not-a-file", Text: "a link or device in an archive, passed by", Count: 1})
			continue
		}
		if m.Flags&1 != 0 {
			o.broken(member, errEncrypted)
			continue
		}
		r, err := m.Open()
		if err != nil {
			o.broken(member, err)
			continue
		}
		packed := &countingReader{n: int64(m.CompressedSize64)}
		bounded := &boundedReader{in: r, packed: packed, max: o.in.opt.MaxSize, ratio: o.in.opt.MaxRatio}
		size := int64(min(m.UncompressedSize64, uint64(o.in.opt.MaxSize))) // it gives no more than it says
		err = o.stream(ctx, bounded, packed, member, size, m.Modified, depth)
		r.Close()
		counted.add(int64(m.CompressedSize64))
		if err != nil {
			return err
		}
	}
	return nil
}

// memberName makes a plain relative name of what an archive says. It is only a
// name: nothing is ever written under it.
func memberName(name string) string {
	name = path.Clean("/" + strings.ReplaceAll(printable(name), `\`, "/"))
	return strings.TrimPrefix(name, "/")
}

func isHidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") || strings.HasPrefix(name, "__MACOSX/")
}

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

// countingReader counts what was read.
type countingReader struct {
	in   io.Reader
	n    int64
	also *atomic.Int64 // for all files together; nil = nobody asks
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.add(int64(n))
	return n, err
}

func (c *countingReader) add(n int64) {
	c.n += n
	if c.also != nil {
		c.also.Add(n)
	}
}

// boundedReader refuses what grows too far.
type boundedReader struct {
	in     io.Reader
	packed *countingReader
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

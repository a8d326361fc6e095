// Package archive looks into a file on the disk: compressed files and archives, in
// one another too, are told by their content, and what they hold is visited in
// order as if it lay there unpacked. How deep, how large and how dense it may be
// is bounded, and what is wrong is said once and passed by.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// HeadSize of a file is enough for most logs; deepHead for the others, because
// preambles of harnesses are long (720 lines of EXPLAIN in one collection).
const (
	HeadSize = 8 << 10
	deepHead = 64 << 10
)

// maxNesting is how many archives and compressions may lie around a file: a log.gz
// in a tar.xz in a tar.gz is five.
const maxNesting = 6

var (
	errTooBig    = errors.New("it grows beyond the size limit when decompressed")
	errRatio     = errors.New("it is compressed more than any log could be; a decompression bomb?")
	errNested    = fmt.Errorf("more than %d archives in one another", maxNesting)
	errEncrypted = errors.New("it is encrypted; unpack it")
)

// ErrStop of a visit ends the visits without being an error.
var ErrStop = errors.New("stop")

// Disk is a file on the disk.
type Disk struct {
	Path  string // as the operating system has it
	Rel   string // what it is called
	Size  int64
	MTime time.Time
}

// File is a file that is not itself a container, seen from wherever it lies.
type File struct {
	Rel   string // of the disk file, then "!" and the name for each archive around it
	MTime time.Time
	Head  []byte // HeadSize bytes, or all of them; good until Body is read
	Whole bool   // Head is all
	Body  *bufio.Reader
	Size  int64 // bytes, about if it is compressed
	Plain bool  // the disk file itself, neither packed nor compressed
	XZ    bool  // its disk file has xz streams
}

// Deepen takes more of the file into the head.
func (f *File) Deepen() {
	var err error
	f.Head, err = f.Body.Peek(deepHead)
	f.Whole = err != nil
}

// Opener says how files are opened.
type Opener struct {
	MaxSize  int64   // bytes of one decompressed file
	MaxRatio float64 // decompressed to compressed, where that is much
	Ignored  func(rel string) bool
	Problem  func(rel, kind, text string)
	Read     *atomic.Int64 // bytes on the disk that are done with
	// An xz stream needs much memory. OneXZ, if not nil, has room for one: only
	// that many files with xz streams are open at a time.
	OneXZ chan struct{}
}

// looking is at one disk file.
type looking struct {
	Opener
	visit func(*File) error
	xz    bool // a stream was met, and the turn is held
}

// Open calls visit for the file, or for every file inside it, in order. What is
// wrong with the container is a problem; the error is that of visit or of the
// context.
func (o Opener) Open(ctx context.Context, d Disk, visit func(*File) error) error {
	l := &looking{Opener: o, visit: visit}
	defer func() {
		if l.xz && l.OneXZ != nil {
			<-l.OneXZ
		}
	}()
	f, err := os.Open(d.Path)
	if err != nil {
		l.broken(d.Rel, err)
		return nil
	}
	defer f.Close()
	counted := &Counter{In: f, Total: o.Read}
	defer counted.Fill(d.Size)
	var magic [4]byte
	if n, _ := f.ReadAt(magic[:], 0); isZip(magic[:n]) {
		err = l.zip(ctx, f, d.Size, counted, d.Rel, 1)
	} else {
		err = l.stream(ctx, counted, counted, d.Rel, d.Size, d.MTime, 0)
	}
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

// broken notes what cannot be read of a file.
func (l *looking) broken(rel string, err error) {
	kind, text := Fault(err)
	l.Problem(rel, kind, text)
}

// Fault is the problem that an error of opening or reading a file is.
func Fault(err error) (kind, text string) {
	var pathErr *os.PathError
	switch {
	case errors.Is(err, errTooBig), errors.Is(err, errRatio), errors.Is(err, errNested), errors.Is(err, errEncrypted):
		return "refused", err.Error()
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, zstd.ErrMagicMismatch), err.Error() == "xz: invalid header magic bytes": // the first header was right
		return "damaged-archive", "something else stands behind the compressed text; that is not read"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "damaged-archive", "it ends too early"
	case errors.As(err, &pathErr):
		return "unreadable", pathErr.Err.Error()
	}
	return "damaged-archive", err.Error()
}

var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, deepHead) }}

// packedBytes is how many bytes of a log one compressed byte counts for.
const packedBytes = 10

// stream looks at one stream of so many bytes. packed counts what the outermost
// compression has read.
func (l *looking) stream(ctx context.Context, r io.Reader, packed *Counter, rel string, size int64, mtime time.Time, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b := buffers.Get().(*bufio.Reader)
	b.Reset(r)
	defer func() {
		b.Reset(nil)
		buffers.Put(b)
	}()
	head, err := b.Peek(HeadSize)
	if err != nil && err != io.EOF && len(head) == 0 { // what can be read of a damaged file is read
		l.broken(rel, err)
		return nil
	}
	if open := compression(head); open != nil {
		if depth == maxNesting {
			l.broken(rel, errNested)
			return nil
		}
		if isXZ(head) && !l.xz {
			if l.OneXZ != nil {
				select {
				case l.OneXZ <- struct{}{}:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			l.xz = true
		}
		plain, closer, err := open(b)
		if err != nil {
			l.broken(rel, err)
			return nil
		}
		defer closer()
		bounded := &boundedReader{in: plain, packed: packed, max: l.MaxSize, ratio: l.MaxRatio}
		return l.stream(ctx, bounded, packed, rel, packedBytes*size, mtime, depth+1)
	}
	if isTar(head) || isZip(head) {
		if depth == maxNesting {
			l.broken(rel, errNested)
			return nil
		}
		if isZip(head) {
			return l.innerZip(ctx, b, rel, depth+1)
		}
		return l.tar(ctx, b, packed, rel, depth+1)
	}
	return l.visit(&File{Rel: rel, MTime: mtime, Head: head, Whole: err != nil, Body: b, Size: size, Plain: depth == 0, XZ: l.xz})
}

func (l *looking) tar(ctx context.Context, r io.Reader, packed *Counter, rel string, depth int) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			l.broken(rel, err)
			return nil
		}
		name := memberName(h.Name)
		member := rel + "!" + name
		if h.Typeflag == tar.TypeDir || name == "" || isHidden(name) || l.Ignored(member) {
			continue
		}
		if h.Typeflag != tar.TypeReg {
			l.Problem(member, "not-a-file", "a link or device in an archive, passed by")
			continue
		}
		if err := l.stream(ctx, t, packed, member, min(h.Size, l.MaxSize), h.ModTime, depth); err != nil {
			return err
		}
	}
}

// innerZip reads a zip inside an archive from a copy on the disk.
func (l *looking) innerZip(ctx context.Context, r io.Reader, rel string, depth int) error {
	f, err := os.CreateTemp("", "noisefloor-zip-")
	if err != nil {
		l.broken(rel, err)
		return nil
	}
	defer os.Remove(f.Name())
	defer f.Close()
	size, err := io.Copy(f, r)
	if err != nil {
		l.broken(rel, err)
		return nil
	}
	return l.zip(ctx, f, size, &Counter{}, rel, depth)
}

// zip is read where it lies on the disk: its table of contents stands at its end.
// counted counts what has been read of it.
func (l *looking) zip(ctx context.Context, f *os.File, size int64, counted *Counter, rel string, depth int) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		l.broken(rel, err)
		return nil
	}
	if slices.ContainsFunc(z.File, func(m *zip.File) bool { return m.Name == "[Content_Types].xml" || m.Name == "META-INF/manifest.xml" }) {
		l.Problem(rel, "not-read", "a file of an office program; save its tables as CSV")
		return nil
	}
	for i, m := range z.File {
		z.File[i] = nil // 100 000 members are 20 MB, and what is known of them grows meanwhile
		name := memberName(m.Name)
		member := rel + "!" + name
		if m.Mode().IsDir() || name == "" || isHidden(name) || l.Ignored(member) {
			continue
		}
		if !m.Mode().IsRegular() {
			l.Problem(member, "not-a-file", "a link or device in an archive, passed by")
			continue
		}
		if m.Flags&1 != 0 {
			l.broken(member, errEncrypted)
			continue
		}
		r, err := m.Open()
		if err != nil {
			l.broken(member, err)
			continue
		}
		packed := &Counter{n: int64(m.CompressedSize64)}
		bounded := &boundedReader{in: r, packed: packed, max: l.MaxSize, ratio: l.MaxRatio}
		size := int64(min(m.UncompressedSize64, uint64(l.MaxSize))) // it gives no more than it says
		err = l.stream(ctx, bounded, packed, member, size, m.Modified, depth)
		r.Close()
		counted.add(int64(m.CompressedSize64))
		if err != nil {
			return err
		}
	}
	return nil
}

package archive

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/ulikunitz/xz"
)

// Every file is visited in order under its whole name, what is hidden or ignored is
// not, and all bytes of the disk are counted, also those that were not read.
func TestOpen(t *testing.T) {
	inner := tarred(t, "a.log", "one", ".hidden", "two", "b.bak", "three", "c/../d.log", strings.Repeat("four", HeadSize))
	outer := tarred(t, "x/in.tgz", gzipped(t, inner), "e\xff.log", "five")
	path := filepath.Join(t.TempDir(), "o.tar")
	if err := os.WriteFile(path, []byte(outer), 0o644); err != nil {
		t.Fatal(err)
	}
	var read atomic.Int64
	open := Opener{MaxSize: 1 << 30, MaxRatio: 1000, Read: &read,
		Ignored: func(rel string) bool { return strings.HasSuffix(rel, ".bak") },
		Problem: func(rel, kind, text string) { t.Errorf("%s: %s: %s", rel, kind, text) }}
	var seen []string
	visit := func(f *File) error {
		seen = append(seen, fmt.Sprintf("%s %.4s %v", f.Rel, f.Head, f.Whole))
		return nil
	}
	disk := Disk{Path: path, Rel: "o.tar", Size: int64(len(outer))}
	if err := open.Open(t.Context(), disk, visit); err != nil {
		t.Fatal(err)
	}
	want := "o.tar!x/in.tgz!a.log one true, o.tar!x/in.tgz!d.log four false, o.tar!e%FF.log five true"
	if got := strings.Join(seen, ", "); got != want {
		t.Errorf("visited %s\nwant %s", got, want)
	}
	if read.Load() != disk.Size {
		t.Errorf("%d bytes counted of %d", read.Load(), disk.Size)
	}
	read.Store(0)
	if err := open.Open(t.Context(), disk, func(*File) error { return ErrStop }); err != nil || read.Load() != disk.Size {
		t.Errorf("stopped: %v, %d bytes", err, read.Load())
	}
}

func tarred(t *testing.T, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: members[i], Mode: 0o644, Size: int64(len(members[i+1])), ModTime: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, members[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestXZDictionary(t *testing.T) {
	for _, size := range []int{1 << 20, 64 << 20} {
		var b bytes.Buffer
		w, err := xz.WriterConfig{DictCap: size}.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := xzDictionary(b.Bytes()); got != int64(size) {
			t.Errorf("dictionary of %d bytes, want %d", got, size)
		}
	}
	if xzDictionary([]byte("\xfd7zXZ\x00")) != 0 {
		t.Error("a cut header")
	}
}

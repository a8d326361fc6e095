package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"noisefloor/datasets"
)

// file is a file in the making: buffered, hashed, and its first error kept, since
// the writers of Arrow do not always hand it on.
type file struct {
	path string // relative to the folder
	f    *os.File
	out  *bufio.Writer
	sum  hash.Hash
	size int64
	err  error
}

func (f *folder) create(path string) (*file, error) {
	full := filepath.Join(f.temp, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return nil, err
	}
	out, err := os.Create(full)
	if err != nil {
		return nil, err
	}
	return &file{path: path, f: out, out: bufio.NewWriterSize(out, 1<<16), sum: sha256.New()}, nil
}

// bigWrite is from where on hashing and writing at the same time pays.
const bigWrite = 256 << 10

func (f *file) Write(b []byte) (int, error) {
	var wait sync.WaitGroup
	if len(b) >= bigWrite {
		wait.Go(func() { f.sum.Write(b) })
	} else {
		f.sum.Write(b)
	}
	n, err := f.out.Write(b)
	wait.Wait()
	f.size += int64(n)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n, err
}

// close makes the file durable.
func (f *file) close() error {
	err := errors.Join(f.err, f.out.Flush(), f.f.Sync(), f.f.Close())
	if errors.Is(err, syscall.ENOSPC) {
		return errors.Join(errors.New("the disk is full; nothing of the export was kept"), err)
	}
	return err
}

func (f *file) sha256() string { return hex.EncodeToString(f.sum.Sum(nil)) }

// syncTree makes the names in a folder and its folders durable.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return datasets.SyncFolder(path)
	})
}

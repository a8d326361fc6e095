package datasets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// Everything that a writer leaves behind while it works has this prefix, so
// that the next writer knows what to remove.
const (
	tempPrefix = ".noisefloor-"
	lockFile   = ".noisefloor.lock"
)

// file is what a writer needs of an *os.File.
type file interface {
	io.ReadWriteSeeker
	io.Closer
	Name() string
	Sync() error
}

// disk is the folder of a data set, as its one writer sees it.
type disk struct {
	dir    string
	create func(path string) (file, error) // os.OpenFile; tests let the disk fill up
	temps  int

	small, large, dictionary, items int64 // smallPart, largePart, smallDictionary and chunkItems, but for tests
}

func newDisk(dir string) *disk {
	return &disk{dir: dir, small: smallPart, large: largePart, dictionary: smallDictionary, items: chunkItems, create: func(path string) (file, error) {
		// The permissions are those of any file the user makes, unlike os.CreateTemp.
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	}}
}

// path gives the place of a file named in dataset.json.
func (d *disk) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// temp makes a temporary file beside dataset.json, from where it can be renamed
// into any table. The lock makes its name unique.
func (d *disk) temp() (file, error) {
	d.temps++
	return d.create(filepath.Join(d.dir, fmt.Sprintf("%s%d-%d.tmp", tempPrefix, os.Getpid(), d.temps)))
}

// keep gives a written temporary file its final name, after its bytes have
// reached the disk.
func (d *disk) keep(f file, name string) error {
	err := f.Sync()
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(d.path(name)), 0o777)
	}
	if err == nil {
		err = os.Rename(f.Name(), d.path(name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// discard removes a temporary file.
func (d *disk) discard(f file) {
	f.Close()
	os.Remove(f.Name())
}

// sync makes the names in a folder durable.
func (d *disk) sync(folder string) error {
	err := SyncFolder(d.path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a table without parts has no folder yet
	}
	return err
}

// SyncFolder makes the names in a folder durable.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced there, and need not be
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err // EINVAL: some network and container file systems do not sync folders
	}
	return nil
}

// sweep removes what belongs to no data set: parts that dataset.json does not
// list and temporary files, both left by a writer that was killed or by a
// commit that replaced them. Other people's files stay.
func (d *disk) sweep(listed map[string]bool) {
	for _, e := range d.entries("") {
		if strings.HasPrefix(e, tempPrefix) && strings.HasSuffix(e, ".tmp") {
			os.Remove(d.path(e))
		}
	}
	for _, table := range tableNames {
		for _, e := range d.entries(table) {
			if name := table + "/" + e; isPartName(e) && !listed[name] {
				os.Remove(d.path(name)) // fails on Windows while a reader has it open; the next writer tries again
			}
		}
	}
}

func (d *disk) entries(folder string) []string {
	entries, _ := os.ReadDir(d.path(folder)) // what cannot be listed need not be swept
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// isPartName tells "0123456789abcdef.arrow" from other files in a table's folder.
func isPartName(name string) bool {
	hex, ok := strings.CutSuffix(name, partSuffix)
	return ok && len(hex) == partNameLen && strings.Trim(hex, "0123456789abcdef") == ""
}

// explain says in words what went wrong while writing.
func (d *disk) explain(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("the disk that holds %s is full; the data set is as it was after its last commit: make room and run the same command again: %w", d.dir, err)
	}
	return fmt.Errorf("cannot write the data set %s, which is as it was after its last commit: %w", d.dir, err)
}

// abandon removes a folder that holds nothing but what a writer without a commit
// leaves. Removing a folder that holds anything else fails, which is as wanted.
func (d *disk) abandon() {
	d.sweep(nil)
	for _, table := range tableNames {
		os.Remove(d.path(table))
	}
	if left := d.entries(""); len(left) == 1 && left[0] == lockFile {
		os.Remove(d.path(lockFile)) // still held, and the folder is ours alone
		os.Remove(d.dir)
	}
}

package datasets

import (
	"os"

	"golang.org/x/sys/unix"
)

// writeBehind has the kernel begin to write n bytes of a file to the disk, and does
// not wait for it. What goes wrong the sync at the end tells.
func writeBehind(f file, from, n int64) {
	if f, ok := f.(*os.File); ok {
		_ = unix.SyncFileRange(int(f.Fd()), from, n, unix.SYNC_FILE_RANGE_WRITE)
	}
}

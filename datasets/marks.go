package datasets

import (
	"bufio"
	"os"
	"strings"
)

// marksFile keeps the marks of sources beside the data set and not in it: they are
// about files on this disk and this program, and no two machines write the same.
// A data set without it is whole; its sources are read again, that is all.
//
// A line has the mark, how the SHA-256 that the source had then begins, and its path:
//
//	41f20e7ad0a6-9b4a6c3e2f10 9f86d081884c7d65 9.7.0/run1_128th.log
const marksFile = ".noisefloor.read"

// loadMarks gives the sources their marks.
func (w *Writer) loadMarks() {
	f, err := os.Open(w.disk.path(marksFile))
	if err != nil {
		return
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		mark, rest, _ := strings.Cut(lines.Text(), " ")
		sha, path, _ := strings.Cut(rest, " ")
		if s := w.sources[path]; s != nil && shortSHA(s) == sha {
			s.Mark = mark
		}
	}
}

func shortSHA(s *Source) string { return s.SHA256[:min(len(s.SHA256), 16)] }

// keepMarks writes the marks of what has been committed. Where that fails they are
// missed by the next call, which then reads more than it has to.
func (w *Writer) keepMarks() {
	if !w.marksDirty {
		return
	}
	w.marksDirty = false
	f, err := w.disk.temp()
	if err != nil {
		return
	}
	out := bufio.NewWriterSize(f, 1<<16)
	for _, s := range w.sources {
		if s.Mark != "" && !strings.Contains(s.Path, "\n") {
			for _, text := range []string{s.Mark, " ", shortSHA(s), " ", s.Path, "\n"} {
				out.WriteString(text) // the error stays until Flush
			}
		}
	}
	if out.Flush() != nil {
		w.disk.discard(f)
		return
	}
	_ = w.disk.keep(f, marksFile)
}

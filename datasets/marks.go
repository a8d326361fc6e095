package datasets

import (
	"encoding/json"
	"os"
)

// marksFile keeps the marks of sources beside the data set and not in it: they are
// about files on this disk and this program, and no two machines write the same.
// A data set without it is whole; its sources are read again, that is all.
const marksFile = ".noisefloor.read"

// keptMark is the mark of a source as it was read with those bytes.
type keptMark struct {
	Mark   string `json:"mark"`
	SHA256 string `json:"sha256"`
}

// loadMarks gives the sources their marks.
func (w *Writer) loadMarks() {
	raw, err := os.ReadFile(w.disk.path(marksFile))
	if err != nil {
		return
	}
	var kept map[string]keptMark
	if json.Unmarshal(raw, &kept) != nil {
		return
	}
	for path, k := range kept {
		if s, ok := w.sources[path]; ok && s.SHA256 == k.SHA256 {
			s.Mark = k.Mark
			w.sources[path] = s
		}
	}
}

// keepMarks writes the marks of what has been committed. Where that fails they are
// missed by the next call, which then reads more than it has to.
func (w *Writer) keepMarks() {
	if !w.marksDirty {
		return
	}
	w.marksDirty = false
	kept := map[string]keptMark{}
	for path, s := range w.sources {
		if s.Mark != "" {
			kept[path] = keptMark{s.Mark, s.SHA256}
		}
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return
	}
	f, err := w.disk.temp()
	if err != nil {
		return
	}
	if _, err := f.Write(raw); err != nil {
		w.disk.discard(f)
		return
	}
	_ = w.disk.keep(f, marksFile)
}

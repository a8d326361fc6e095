package ingest

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/archive"
	"noisefloor/ingest/internal/secret"
)

// diskFile is one file on the disk: a log, or a container of many.
type diskFile struct {
	archive.Disk // its name relative to the PATH, "/" between, valid UTF-8
	root         int

	container bool
	xz        bool    // it has xz streams
	members   int     // files inside, or 1
	files     []*file // those of use, in order
}

// walker lists the files of one PATH.
type walker struct {
	in      *ingest
	root    int
	seen    map[string]bool // real folders
	links   []link          // folders that links point to: read after the real ones
	readDir func(string) ([]fs.DirEntry, error)
}

type link struct{ path, rel string }

// walk lists the files below every PATH, in the order of their names.
func (in *ingest) walk(ctx context.Context, paths []string) error {
	in.roots = roots(paths)
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := &walker{in: in, root: i, seen: map[string]bool{}, readDir: os.ReadDir}
		if path == "-" {
			if err := w.stdin(); err != nil {
				return err
			}
			continue
		}
		w.top(ctx, path)
	}
	return ctx.Err()
}

// roots gives every PATH the name that its sources have in front, as short as it
// may be: nothing if there is one PATH, its last folders if there are several.
func roots(paths []string) []root {
	list := make([]root, len(paths))
	for i, p := range paths {
		list[i].path = p
	}
	if len(paths) == 1 {
		return list
	}
	parts := make([][]string, len(paths))
	for i, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil || p == "-" {
			abs = p
		}
		parts[i] = strings.Split(strings.Trim(archive.Printable(filepath.ToSlash(abs)), "/"), "/")
	}
	for depth := 1; ; depth++ {
		seen := map[string]int{}
		longer := false
		for i, p := range parts {
			list[i].prefix = strings.Join(p[max(0, len(p)-depth):], "/")
			seen[list[i].prefix]++
			longer = longer || depth < len(p)
		}
		if len(seen) == len(paths) || !longer {
			return list
		}
	}
}

// top takes one PATH, a file or a folder.
func (w *walker) top(ctx context.Context, path string) {
	info, err := os.Stat(path)
	if err != nil {
		w.cannot(path, "", err)
		return
	}
	name := archive.Printable(filepath.Base(path))
	if !info.IsDir() {
		w.file(path, name, info)
		return
	}
	w.folder(ctx, path, "")
	for len(w.links) > 0 { // a link may lead to further links
		next := w.links[0]
		w.links = w.links[1:]
		if isLoop(next.path) {
			w.in.problems.add(datasets.Problem{Source: w.source(next.rel), Kind: "link-loop", Text: "the link points to a folder that it lies in; passed by", Count: 1})
			continue
		}
		w.folder(ctx, next.path, next.rel)
	}
}

// isLoop tells whether a link points to a folder above itself.
func isLoop(path string) bool {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false // folder says what is wrong
	}
	here, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(target, here)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// folder lists a folder, each real one once.
func (w *walker) folder(ctx context.Context, path, rel string) {
	if ctx.Err() != nil {
		return
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		w.cannot(path, rel, err)
		return
	}
	if abs, err := filepath.Abs(real); err == nil {
		real = abs
	}
	if w.seen[real] {
		w.in.skip("link to a folder that is read anyway", "", w.source(rel))
		return
	}
	w.seen[real] = true
	entries, err := w.readDir(path)
	if err != nil {
		w.cannot(path, rel, err)
	}
	for _, e := range entries { // os.ReadDir sorts; what it read before an error counts
		name := archive.Printable(e.Name())
		next := name
		if rel != "" {
			next = rel + "/" + name
		}
		w.entry(ctx, filepath.Join(path, e.Name()), next, e)
	}
}

func (w *walker) entry(ctx context.Context, path, rel string, e fs.DirEntry) {
	switch {
	case w.in.ignore.Fits(rel):
		w.in.skip("passed by as asked", "", w.source(rel))
		return
	case strings.HasPrefix(e.Name(), ".noisefloor"): // the lock of a data set
		return
	case strings.HasPrefix(e.Name(), "."):
		w.in.skip("hidden file", "", w.source(rel))
		return
	case e.IsDir():
		w.folder(ctx, path, rel)
		return
	}
	info, err := e.Info()
	if err == nil && e.Type()&fs.ModeSymlink != 0 {
		info, err = os.Stat(path)
		if err == nil && info.IsDir() {
			w.links = append(w.links, link{path, rel})
			return
		}
	}
	if err != nil {
		w.cannot(path, rel, err)
		return
	}
	w.file(path, rel, info)
}

// file notes a file. What is no file (a pipe would be read for ever) is a problem.
func (w *walker) file(path, rel string, info fs.FileInfo) {
	if !info.Mode().IsRegular() {
		what := "device"
		switch mode := info.Mode(); {
		case mode&fs.ModeNamedPipe != 0:
			what = "named pipe"
		case mode&fs.ModeSocket != 0:
			what = "socket"
		}
		w.in.skip(kind(what), "", w.source(rel))
		w.in.problems.add(datasets.Problem{Source: w.source(rel), Kind: "not-a-file", Text: "a " + what + ", passed by", Count: 1})
		return
	}
	if strings.HasSuffix(path, rel) {
		rel = path[len(path)-len(rel):] // one text for both
	}
	w.in.disk = append(w.in.disk, &diskFile{root: w.root, Disk: archive.Disk{Path: path, Rel: rel, Size: info.Size(), MTime: info.ModTime()}})
}

// stdin keeps what comes in a temporary file: it is read twice, like every other.
func (w *walker) stdin() error {
	if w.in.temp != "" {
		return errors.New("the PATH - may be given once")
	}
	f, err := os.CreateTemp("", "noisefloor-stdin-")
	if err != nil {
		return err
	}
	w.in.temp = f.Name()
	n, err := io.Copy(f, w.in.opt.Stdin)
	err = errors.Join(err, f.Close())
	if err != nil {
		return fmt.Errorf("keeping stdin in %s: %w", f.Name(), err)
	}
	w.in.disk = append(w.in.disk, &diskFile{root: w.root, Disk: archive.Disk{Path: f.Name(), Rel: "stdin", Size: n}})
	return nil
}

func (w *walker) source(rel string) string { return w.in.source(w.root, rel) }

// cannot names a file or folder that could not be read.
func (w *walker) cannot(path, rel string, err error) {
	reason := err.Error()
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		reason = pathErr.Err.Error()
	}
	w.in.cannot = append(w.in.cannot, fmt.Sprintf("%s cannot be read: %s", secret.Clean(archive.Printable(path)), reason))
	if rel == "" {
		rel = archive.Printable(filepath.Base(path))
	}
	w.in.problems.add(datasets.Problem{Source: w.source(rel), Kind: "unreadable", Text: reason, Count: 1})
}

// source is the name of a file in the data set and wherever it is printed.
func (in *ingest) source(root int, rel string) string {
	rel = secret.Clean(rel) // run_password=x.log
	if prefix := in.roots[root].prefix; prefix != "" && in.roots[root].path != "-" {
		if prefix == rel || strings.HasSuffix(prefix, "/"+rel) { // the PATH is this file
			return prefix
		}
		return prefix + "/" + rel
	}
	return rel
}

// problemList collects problems, one per source, kind and text.
type problemList struct {
	list []datasets.Problem
	seed maphash.Seed
	at   map[uint64]int32 // by hash: each of 300 000 empty files is a problem
}

func (l *problemList) add(p datasets.Problem) {
	if l.at == nil {
		l.at, l.seed = map[uint64]int32{}, maphash.MakeSeed()
	}
	key := maphash.Comparable(l.seed, [3]string{p.Source, p.Kind, p.Text})
	if i, ok := l.at[key]; ok {
		l.list[i].Count += max(p.Count, 1)
		return
	}
	p.Count = max(p.Count, 1)
	l.at[key] = int32(len(l.list))
	l.list = append(l.list, p)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

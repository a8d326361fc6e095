package ingest

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/hoststat"
	"noisefloor/ingest/runmeta"
)

// into reads a folder into a data set, as a call of the command does.
func into(t *testing.T, set, dir string, opt Options) Summary {
	t.Helper()
	w, err := datasets.OpenWriter(set)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	s, err := Run(t.Context(), []string{dir}, opt, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	return s
}

// longAgo is a time that can be told from that of the next change.
var longAgo = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// old gives files that time.
func old(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		err := filepath.Walk(path, func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() {
				return err
			}
			return os.Chtimes(path, longAgo, longAgo)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// rows counts what a data set holds: "runs 3, intervals 9, series 51, problems 1".
func rows(t *testing.T, set string) string {
	t.Helper()
	r, err := datasets.Open(set)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := r.Counts()
	return fmt.Sprintf("runs %d, intervals %d, series %d, problems %d", n["runs"], n["intervals"], n["series"], n["problems"])
}

func TestUnchangedFilesArePassedBy(t *testing.T) {
	dir := tree(t, map[string]string{"a/run1.log": logText(8, 3, 1), "a/run1.vmstat.txt": vmstatText(3, 40), "b/run1.log": logText(8, 3, 2), "c/run1.log": logText(8, 3, 3) + "what is this\n", "c/run2.log": logText(8, 3, 4)})
	old(t, dir)
	set := t.TempDir()
	step := func(what string, opt Options, unchanged, runs int, holds string) {
		t.Helper()
		s := into(t, set, dir, opt)
		if s.Unchanged != unchanged || s.Runs != runs || s.Nothing != "" {
			t.Errorf("%s: %d unchanged with %d runs, %d runs read, %q", what, s.Unchanged, s.Known, s.Runs, s.Nothing)
		}
		if got := rows(t, set); got != holds {
			t.Errorf("%s: the data set holds %s", what, got)
		}
	}
	const all = "runs 4, intervals 12, series 51, problems 1"
	step("first", Options{}, 0, 4, all)
	step("again", Options{}, 5, 0, all)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// A side file that changed brings its log back, and nothing else.
	write("a/run1.vmstat.txt", vmstatText(2, 70))
	old(t, filepath.Join(dir, "a/run1.vmstat.txt"))
	step("another vmstat", Options{}, 3, 1, "runs 4, intervals 12, series 34, problems 1")
	// The same size, another time.
	write("b/run1.log", logText(8, 3, 5))
	step("another log", Options{}, 4, 1, "runs 5, intervals 15, series 34, problems 1")
	// A file that was just written may be written again within the same tick.
	step("just written", Options{}, 4, 1, "runs 5, intervals 15, series 34, problems 1")
	old(t, filepath.Join(dir, "b/run1.log"))
	step("settled", Options{}, 4, 1, "runs 5, intervals 15, series 34, problems 1")
	step("settled, again", Options{}, 5, 0, "runs 5, intervals 15, series 34, problems 1")
	// What is said about the runs is another: they are described anew.
	step("--set", Options{Set: map[string]string{"host": "db9"}}, 0, 4, "runs 5, intervals 15, series 34, problems 1")
	step("--set again", Options{Set: map[string]string{"host": "db9"}}, 5, 0, "runs 5, intervals 15, series 34, problems 1")
	// A copy of what is passed by is known to be one.
	write("d.log", logText(8, 3, 3))
	old(t, filepath.Join(dir, "d.log"))
	s := into(t, set, dir, Options{Set: map[string]string{"host": "db9"}})
	if s.Runs == 0 {
		t.Error("the new log was not read")
	}
	if got := rows(t, set); got != "runs 5, intervals 15, series 34, problems 2" {
		t.Errorf("a copy: the data set holds %s", got)
	}
	// The data set of another machine has no marks: everything is read again.
	if err := os.Remove(filepath.Join(set, ".noisefloor.read")); err != nil {
		t.Fatal(err)
	}
	if s := into(t, set, dir, Options{}); s.Unchanged != 0 {
		t.Errorf("%d unchanged without marks", s.Unchanged)
	}
}

// stopping cancels after so many batches.
type stopping struct {
	*datasets.Writer
	left   int
	cancel context.CancelFunc
}

func (s *stopping) Add(b *datasets.Batch) error {
	if s.left--; s.left == 0 {
		s.cancel()
	}
	return s.Writer.Add(b)
}

// A call that is stopped anywhere leaves a good data set, and the next one goes on
// from there: in the end everything is in it, once.
func TestStoppedAndCalledAgain(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		name := fmt.Sprintf("v%d/run%d", i%2, i)
		files[name+".log"] = logText(8, 3, i)
		if i%4 == 0 {
			files[name+".vmstat.txt"] = vmstatText(3, i)
			files[name+".folded"] = foldedText
		}
	}
	dir := tree(t, files)
	old(t, dir)
	whole := t.TempDir()
	into(t, whole, dir, Options{})
	want := rows(t, whole)
	if !strings.HasPrefix(want, "runs 40, intervals 120, series 510,") {
		t.Fatal(want)
	}
	set := t.TempDir()
	read := 0
	for left := 2; ; left += 7 {
		w, err := datasets.OpenWriter(set)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s, err := Run(ctx, []string{dir}, Options{Workers: 1}, &stopping{w, left, cancel})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stopped := err != nil
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		read += s.Runs
		if !stopped {
			break
		}
	}
	if got := rows(t, set); got != want {
		t.Errorf("after all the stops it holds %s, want %s", got, want)
	}
	if s := into(t, set, dir, Options{}); s.Unchanged != len(files) || s.Runs != 0 {
		t.Errorf("at last: %d unchanged, %d runs read", s.Unchanged, s.Runs)
	}
}

// Of an archive the members count one by one.
func TestStoppedInAnArchive(t *testing.T) {
	const logs, lines = 6, 9000 // more than wait for the sink; for these vmstat is too short, which is a problem
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range logs {
		name := fmt.Sprintf("run%d.log", i)
		for name, text := range map[string]string{name: logText(8, lines, i), name + ".vmstat.txt": vmstatText(3, i)} {
			m, err := z.Create(name)
			if err == nil {
				_, err = m.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	dir := tree(t, map[string]string{"all.zip": b.String()})
	old(t, dir)
	set := t.TempDir()
	w, err := datasets.OpenWriter(set)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	first, err := Run(ctx, []string{dir}, Options{}, &stopping{w, 6, cancel})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	second := into(t, set, dir, Options{})
	if first.Runs == 0 || second.Known == 0 || second.Known+second.Runs != logs {
		t.Errorf("%d runs in the first call; %d known, %d read in the second", first.Runs, second.Known, second.Runs)
	}
	if got, want := rows(t, set), fmt.Sprintf("runs %d, intervals %d, series %d, problems %d", logs, logs*lines, logs*51, logs); got != want {
		t.Errorf("it holds %s, want %s", got, want)
	}
	if s := into(t, set, dir, Options{}); s.Unchanged != 2*logs || s.Runs != 0 {
		t.Errorf("at last: %d unchanged, %d runs read", s.Unchanged, s.Runs)
	}
}

// What no file has of its own is shared, and stays as it is.
func TestMain(m *testing.M) {
	status := m.Run()
	if !reflect.DeepEqual(noContent, content{meta: &runmeta.Map{}, host: &hoststat.Head{}}) || !reflect.DeepEqual(noAround, around{}) {
		fmt.Fprintln(os.Stderr, "what all files share was written:", noContent, noAround)
		status = 1
	}
	os.Exit(status)
}

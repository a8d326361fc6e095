//go:build unix

package ingest

import (
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"syscall"
	"testing"
)

func TestHostilePaths(t *testing.T) {
	dir := tree(t, map[string]string{"real/a_8th.log": "log 8", ".hidden/b.log": "log 8", "sp ace/\"q\"<b>.log": "log 8"})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(dir, "caf\xe9.log"), []byte(logText(8, 5, 50)), 0o644))
	must(os.WriteFile(filepath.Join(dir, "line\nend.log"), []byte(logText(8, 5, 51)), 0o644))
	must(os.Symlink(dir, filepath.Join(dir, "real", "loop")))
	must(os.Symlink("self", filepath.Join(dir, "self")))
	must(os.Symlink("real", filepath.Join(dir, "alias")))
	must(os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	outside := tree(t, map[string]string{"c.log": logText(8, 5, 60)})
	must(os.Symlink(outside, filepath.Join(dir, "to-outside")))
	must(syscall.Mkfifo(filepath.Join(dir, "pipe.log"), 0o644))
	socket, err := net.Listen("unix", filepath.Join(dir, "s.sock"))
	must(err)
	defer socket.Close()
	m, _ := ingestTree(t, Options{}, dir)
	var sources []string
	for _, r := range m.batch.Runs {
		sources = append(sources, r.Source)
	}
	if want := []string{"caf%E9.log", "line%0Aend.log", "real/a_8th.log", "sp ace/\"q\"<b>.log", "to-outside/c.log"}; !slices.Equal(sources, want) {
		t.Errorf("got %q", sources)
	}
	problems := map[string]string{}
	for _, p := range m.batch.Problems {
		problems[p.Source] = p.Kind
	}
	if want := map[string]string{"real/loop": "link-loop", "self": "unreadable", "dangling": "unreadable", "pipe.log": "not-a-file", "s.sock": "not-a-file"}; !reflect.DeepEqual(problems, want) {
		t.Errorf("got %v", problems)
	}
}

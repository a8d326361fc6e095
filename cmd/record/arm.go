//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"noisefloor/datasets/natural"
)

// Arm is one level compared: the installed server under an allocator, or a server of its own.
type Arm struct {
	Name string
	// Base is the folder of an unpacked server (bin, share, and libs that it wants beside the system's); "" = the installed
	// one.
	Base string
}

// allocators are the arms without --servers; glibc-control is the A/A control.
var allocators = []string{"glibc", "jemalloc", "tcmalloc", "glibc-control"}

// servers lists the unpacked servers in folder, one a subfolder that is named as its version, oldest first.
func servers(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, err := (Arm{e.Name(), filepath.Join(folder, e.Name())}).server(); err == nil {
			names = append(names, e.Name())
		}
	}
	if len(names) < 2 {
		return nil, fmt.Errorf("--servers %s: want at least two subfolders with a bin/mariadbd or bin/mysqld, have %d", folder, len(names))
	}
	slices.SortFunc(names, natural.Compare)
	return names, nil
}

// server is the path of the arm's server program.
func (a Arm) server() (string, error) {
	if a.Base == "" {
		return find("mariadbd"), nil
	}
	return a.program("bin/mariadbd", "bin/mysqld")
}

// installer is the path of the script that makes an empty data folder.
func (a Arm) installer() (string, error) {
	if a.Base == "" {
		return "mariadb-install-db", nil
	}
	return a.program("scripts/mariadb-install-db", "scripts/mysql_install_db", "bin/mysql_install_db")
}

func (a Arm) program(names ...string) (string, error) {
	for _, name := range names {
		path := filepath.Join(a.Base, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s has none of %s", a.Base, strings.Join(names, ", "))
}

// options are what a server of its own is started and installed with, to find its own files.
func (a Arm) options() []string {
	if a.Base == "" {
		return nil
	}
	return []string{"--basedir=" + a.Base, "--lc-messages-dir=" + filepath.Join(a.Base, "share")}
}

// environment is ours without what chooses an allocator or a library, and with what the arm asks for.
func (a Arm) environment(preload string) (env []string) {
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "LD_PRELOAD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "MALLOC_CONF":
			continue
		}
		if !strings.HasPrefix(name, "MALLOC_") && !strings.HasPrefix(name, "TCMALLOC_") {
			env = append(env, e)
		}
	}
	if preload != "" {
		env = append(env, "LD_PRELOAD="+preload)
	}
	if a.Base != "" {
		env = append(env, "LD_LIBRARY_PATH="+filepath.Join(a.Base, "libs"))
	}
	return env
}

// allocator says which library serves malloc in a process, by its memory map. An allocator arm must have the wanted one (a
// resolved path, "" = glibc's); a server of its own brings what it was built with.
func (a Arm) allocator(maps, want string) (string, error) {
	libc, found := mallocs(maps)
	switch {
	case a.Base != "" && len(found) == 1:
		return found[0], nil
	case len(found) == 0 && want == "" && libc != "":
		return libc, nil
	case len(found) == 1 && want != "" && found[0] == want:
		return want, nil
	case a.Base != "":
		return "", errors.New("the server has loaded more than one allocator: " + strings.Join(found, ", "))
	case want == "":
		want = "only glibc's"
	}
	return "", fmt.Errorf("the server has loaded the wrong allocator: want %s, have glibc %q and %q", want, libc, found)
}

// mallocs finds glibc and the other allocators in a process's memory map.
func mallocs(maps string) (libc string, others []string) {
	seen := map[string]bool{}
	for line := range strings.Lines(maps) {
		f := strings.Fields(line)
		if len(f) < 6 || seen[f[5]] {
			continue
		}
		seen[f[5]] = true
		switch base := filepath.Base(f[5]); {
		case strings.HasPrefix(base, "libc.so.") || strings.HasPrefix(base, "libc-2."):
			libc = f[5]
		case strings.Contains(base, "jemalloc"), strings.Contains(base, "tcmalloc"), strings.Contains(base, "mimalloc"):
			others = append(others, f[5])
		}
	}
	return libc, others
}

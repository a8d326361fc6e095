package ingest

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// mar10 and mar11 are days in March or servers, as what lies beside them says.
func TestDaysOrServers(t *testing.T) {
	iostat := "Linux 6.8.0 (db7) 05/20/2026 _x86_64_ (8 CPU)\n\nDevice tps kB_read/s\nsda 1.00 2.00\n"
	in := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 23, 59, 0, 0, time.UTC)
	}
	for _, c := range []struct {
		name    string
		files   map[string]string
		written time.Time
		run     string
		want    string
		said    string
	}{
		{"nothing tells", grid("%s/%s_%s.log", "mar10 mar11", "base patched", "8"), in(2026, 5, 1),
			"mar10/base_8.log", "threads=8 day_or_version=mar10 path1=base", "mar10, mar11 in the paths are days in March or versions of MariaDB, which nothing here tells"},
		{"in a name", grid("res_%s-%s_%s.log", "Mar10 Mar11", "base patched", "8"), in(2026, 5, 1),
			"res_Mar11-base_8.log", "threads=8 day_or_version=Mar11 path1=base", "--map day=day_or_version makes them days"},
		{"written on such a day", grid("%s/%s_%s.log", "mar10 mar11", "base patched", "8"), in(2026, 3, 11),
			"mar10/base_8.log", "threads=8 day=03-10 path1=base", "taken for days without a year"},
		{"files beside are of other days", with(grid("%s/%s_%s.log", "mar10 mar11", "base patched", "8"), iostat, "mar10/base_8.iostat"), in(2026, 5, 1),
			"mar10/base_8.log", "threads=8 day=2026-05-20 host=db7 cores=8 kernel=6.8.0 path1=base version=mar10", "version: mar10, mar11 in the paths are no days"},
		{"a written zero", grid("%s/%s_%s.log", "mar09 mar10", "base patched", "8"), in(2026, 5, 1),
			"mar10/base_8.log", "threads=8 day=03-10 path1=base", "taken for days without a year"},
	} {
		dir := tree(t, c.files)
		for name := range maps.Keys(c.files) {
			if err := os.Chtimes(filepath.Join(dir, name), c.written, c.written); err != nil {
				t.Fatal(err)
			}
		}
		m, s := ingestTree(t, Options{}, dir)
		if got := m.factors(m.run(t, c.run)); got != c.want || !mentions(s.Guesses, c.said) {
			t.Errorf("%s:\ngot  %s\nwant %s\n%q", c.name, got, c.want, s.Guesses)
		}
	}
	m, _ := checkFactors(t, grid("%s/%s_%s.log", "mar10 mar11", "base patched", "8"), Options{Map: map[string]string{"day_or_version": "day"}}, nil)
	if got := m.run(t, "mar10/base_8.log").Day; got != "mar10" {
		t.Errorf("as --map says: day %q", got)
	}
}

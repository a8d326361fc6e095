//go:build linux

package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var published = Design{Arms: allocators, Launches: 2, Sweeps: 2, Threads: []int{1, 2, 4, 8}, Seconds: 25, Warmup: 10, ProfileSeconds: 15}

func TestEveryBlockHasEachArmOnce(t *testing.T) {
	for seed := range uint64(50) {
		seen := map[int]map[string]int{}
		for _, l := range published.Plan(seed) {
			if seen[l.Block] == nil {
				seen[l.Block] = map[string]int{}
			}
			seen[l.Block][l.Arm]++
		}
		want := map[string]int{"glibc": 1, "jemalloc": 1, "tcmalloc": 1, "glibc-control": 1}
		if len(seen) != 2 || !maps.Equal(seen[1], want) || !maps.Equal(seen[2], want) {
			t.Fatalf("seed %d: blocks hold %v", seed, seen)
		}
	}
}

func TestEverySweepHasEachCellOnce(t *testing.T) {
	order := 0
	stems := map[string]bool{}
	for _, l := range published.Plan(7) {
		cells := map[Run]int{}
		for i, r := range l.Runs {
			if order++; r.Order != order {
				t.Fatalf("run %d has order %d", order, r.Order)
			}
			if stems[r.Stem()] {
				t.Errorf("two runs are called %s", r.Stem())
			}
			stems[r.Stem()] = true
			if r.Profiled != (i >= 16) {
				t.Errorf("run %d of %s: profiled is %v", i, l.Dir(), r.Profiled)
			}
			cells[Run{Sweep: r.Sweep, Workload: r.Workload, Threads: r.Threads}]++
		}
		if len(cells) != 18 { // by hand: 2 sweeps x 2 workloads x 4 thread counts, and 2 profiles
			t.Errorf("%s: %d different cells, want 18", l.Dir(), len(cells))
		}
	}
	if order != 144 {
		t.Errorf("%d runs, want 144", order)
	}
}

func TestSameSeedSameOrder(t *testing.T) {
	if !reflect.DeepEqual(published.Plan(2026113001), published.Plan(2026113001)) {
		t.Error("the same seed gave two orders")
	}
	if reflect.DeepEqual(published.Plan(2026113001), published.Plan(2026113002)) {
		t.Error("two seeds gave the same order")
	}
}

func TestRemaining(t *testing.T) {
	plan := published.Plan(1)
	if all := published.Remaining(plan, 0); all < 58*time.Minute || all > 62*time.Minute {
		t.Errorf("the default session takes %s, want about an hour", all)
	}
	if left := published.Remaining(plan, count(plan)); left != 0 {
		t.Errorf("%s left after the last run", left)
	}
}

func TestDefaultSeed(t *testing.T) {
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for session, want := range map[string]uint64{"2026-11-30a": 2026113001, "2026-11-30c": 2026113003, "mine": 2026120100} {
		if got := defaultSeed(session, now); got != want {
			t.Errorf("%s: seed %d, want %d", session, got, want)
		}
	}
}

func TestRedactVariables(t *testing.T) {
	const in = "Variable_name\tValue\ndatadir\t/tmp/nf-1/data/\nhostname\tvm\nslow_query_log_file\tvm-slow.log\n" +
		"plugin_dir\t/usr/vm/plugin/\npid_file\t/tmp/nf-1/data/vm.pid\nserver_uid\tfXdYp7Z=\nversion\tvmx 1\ninit_connect\t\n"
	const want = "Variable_name\tValue\ndatadir\t$DATA/data/\nhostname\t0123456789ab\nslow_query_log_file\t0123456789ab-slow.log\n" +
		"plugin_dir\t/usr/vm/plugin/\npid_file\t$DATA/data/0123456789ab.pid\nserver_uid\t(removed)\nversion\tvmx 1\ninit_connect\t\n"
	if got := redactVariables(in, "/tmp/nf-1", "vm", "0123456789ab"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := redactVariables("hostname\tdb1.example.org\nlog\tdb1.log\n", "/t", "db1.example.org", "h"); got != "hostname\th\nlog\th.log\n" {
		t.Errorf("a name with a domain: %q", got)
	}
}

func TestFingerprint(t *testing.T) {
	// printf noisefloor0123 | sha256sum | head -c 12
	if got := fingerprint("0123\n"); got != "a292e82b2a5f" {
		t.Errorf("got %s", got)
	}
}

func TestCheckMaps(t *testing.T) {
	const libc = "7f00-7f01 r-xp 00000000 fe:00 1 /usr/lib/x86_64-linux-gnu/libc.so.6\n7f01-7f02 rw-p 00000000 00:00 0\n"
	const je = "7f02-7f03 r-xp 00000000 fe:00 2 /usr/lib/x86_64-linux-gnu/libjemalloc.so.2\n"
	const tc = "7f04-7f05 r-xp 00000000 fe:00 3 /usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4.5.10\n"
	for _, c := range []struct {
		name, maps, want string
		ok               bool
	}{
		{"glibc alone", libc, "", true},
		{"glibc wanted, jemalloc there", libc + je, "", false},
		{"jemalloc", libc + je + je, "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", true},
		{"preload was ignored", libc, "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", false},
		{"two at once", libc + je + tc, "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", false},
		{"nothing", "", "", false},
	} {
		if _, err := (Arm{}).allocator(c.maps, c.want); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestCPUTimes(t *testing.T) {
	idle, steal, err := cpuTimes("cpu  6214 0 3705 37023 850 0 254 374 0 0\ncpu0 1\n")
	if err != nil || idle != 370.23 || steal != 3.74 {
		t.Errorf("idle %v, steal %v, %v", idle, steal, err)
	}
	for _, bad := range []string{"", "cpu 1 2 3", "cpu a b c d e f g h"} {
		if _, _, err := cpuTimes(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestTPS(t *testing.T) {
	// sysbench 1.0.20
	if got := tps("SQL statistics:\n    transactions:                        3541   (1767.22 per sec.)\n"); got != "1767.22" {
		t.Errorf("got %q", got)
	}
	if got := tps("FATAL: unable to connect\n"); got != "-" {
		t.Errorf("got %q", got)
	}
}

func TestDryRun(t *testing.T) {
	var out, warn bytes.Buffer
	if err := run(context.Background(), &out, &warn, []string{"--dry-run", "--out", t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "block "); n != 8 || !strings.Contains(out.String(), "144 runs, about 6") {
		t.Errorf("%d launches:\n%s", n, out.String())
	}
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"--threads", "1,x"}, {"--threads", "0"}, {"--seconds", "0"}, {"--session", "../a"}, {"extra"}} {
		if err := run(context.Background(), &bytes.Buffer{}, &bytes.Buffer{}, append(args, "--dry-run")); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestServersAreTakenByVersion(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"10.11.5/bin/mariadbd", "10.2.11/bin/mysqld", "10.1.8/bin/mysqld", "notes/README"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got, err := servers(dir)
	if want := []string{"10.1.8", "10.2.11", "10.11.5"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if _, err := servers(filepath.Join(dir, "notes")); err == nil {
		t.Error("a folder without servers is accepted")
	}
}

package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/naming"
)

const tiers = "{build}/{version}/run{rep}_Tier{pool}_{_}_{threads}th.sysbench.txt"

func TestLayout(t *testing.T) {
	files := map[string]string{
		"mysql/9.7.0/run1_Tier12G_RW_16th.sysbench.txt":   "log 16",
		"other/9.10/run2_Tier2G_RO_16th.sysbench.txt":     "log 16",
		"other/9.10/deeper/run2_Tier2G_16th.sysbench.txt": "log 16",
	}
	_, s := checkFactors(t, files, Options{Layout: []string{"nothing/{x}", tiers}}, map[string]string{
		"mysql/9.7.0/run1_Tier12G_RW_16th.sysbench.txt": "threads=16 build=mysql pool=12G rep=1 version=9.7.0",
		"other/9.10/run2_Tier2G_RO_16th.sysbench.txt":   "threads=16 build=other pool=2G rep=2 version=9.10",
	})
	if !mentions(s.Guesses, "1 file matched by no --layout, the first other/9.10/deeper/run2_Tier2G_16th.sysbench.txt") {
		t.Errorf("%q", s.Guesses)
	}
	checkFactors(t, files, Options{Layout: []string{"**/run{rep}_*"}}, map[string]string{
		"mysql/9.7.0/run1_Tier12G_RW_16th.sysbench.txt":   "threads=16 rep=1",
		"other/9.10/deeper/run2_Tier2G_16th.sysbench.txt": "threads=16 rep=2",
	})
	checkFactors(t, map[string]string{"2026-01-31/a.log": "log 4", "20260201/b.log": "log 4"}, Options{Layout: []string{"{day}/{arm}.log"}}, map[string]string{
		"2026-01-31/a.log": "threads=4 day=2026-01-31 arm=a",
		"20260201/b.log":   "threads=4 day=2026-02-01 arm=b",
	})
}

func TestNearestMetadataWins(t *testing.T) {
	checkFactors(t, map[string]string{
		"params.yaml":      "server:\n  version: 9.10\nstorage: SSD\nkernel: far\nhost: far\n",
		"a/meta.toml":      "storage = \"NVMe\"\nkernel = \"near\"\n",
		"a/run1.json":      `{"kernel": "mine", "started": "2026-01-31T10:00:00+09:00", "note": "x"}`,
		"a/run1.log":       "log 8",
		"a/run2.log":       "log 8",
		"b/run1.log":       "log 8",
		"b/deep/run9.json": `{"note": "no log has this name, but one lies here"}`,
		"b/deep/run3.log":  "log 8",
		"c/other.json":     `{"note": "nothing lies here"}`,
	}, Options{Map: map[string]string{"path1": "", "path2": "", "rep": "repeat"}}, map[string]string{
		"a/run1.log":      "threads=8 host=far started_from=sidecar kernel=mine note=x repeat=1 server_version=9.10 storage=NVMe",
		"a/run2.log":      "threads=8 host=far kernel=near repeat=2 server_version=9.10 storage=NVMe",
		"b/run1.log":      "threads=8 host=far kernel=far repeat=1 server_version=9.10 storage=SSD",
		"b/deep/run3.log": "threads=8 host=far kernel=far note=no log has this name, but one lies here repeat=3 server_version=9.10 storage=SSD",
	})
}

func TestSetBeatsLayoutBeatsMetadataBeatsGuess(t *testing.T) {
	files := map[string]string{"run1_Tier2G_8th.log": "log 8", "run2_Tier2G_8th.log": "log 8", "meta.json": `{"tier": "m", "rep": 7, "day": "2026-01-01", "host": "m"}`}
	want := func(opt Options, expected string) {
		t.Helper()
		checkFactors(t, files, opt, map[string]string{"run1_Tier2G_8th.log": expected})
	}
	want(Options{}, "threads=8 day=2026-01-01 host=m rep=7 tier=m")
	want(Options{Layout: []string{"run{rep}_Tier{tier}_{host}.log"}}, "threads=8 day=2026-01-01 host=8th rep=1 tier=2G")
	want(Options{Layout: []string{"run{rep}_Tier{tier}_{host}.log"}, Set: map[string]string{"tier": "s", "day": "20260202", "threads": "4"}}, "threads=4 day=2026-02-02 host=8th rep=1 tier=s")
}

func TestTheLogKnowsItsThreads(t *testing.T) {
	m, _ := checkFactors(t, map[string]string{"a_1th.log": "log 8", "b_2th.log": "log 8", "a_1th.json": `{"threads": 16}`}, Options{}, map[string]string{
		"a_1th.log": "threads=8 path1=a th=1",
	})
	if p, ok := m.problem("contradiction"); !ok || !strings.Contains(p.Text, "threads is 8 in the log and 16 in the metadata") {
		t.Errorf("problems %v", m.batch.Problems)
	}
}

func TestConfigFile(t *testing.T) {
	files := map[string]string{
		"noisefloor.yaml": "host: db7\nnoisefloor:\n  layout: '{arm}-{n}.log'\n  map: {number: n}\n  by: arm\n  base: old\n  ignore: [host, 'skip/**', '*.bak']\n  tz: Asia/Tokyo\n",
		"new-1.log":       "log 8", "old-2.log": "log 8", "skip/x-1.log": "log 8", "new-1.bak": "log 8",
		"new-1.json": `{"started_at": "2026-01-31 10:00:00"}`,
	}
	dir := tree(t, files)
	m, s := ingestTree(t, Options{}, dir)
	if got := m.factors(m.run(t, "new-1.log")); got != "threads=8 host=db7 started_from=sidecar arm=new number=1" {
		t.Errorf("got %s", got)
	}
	if s.Runs != 2 || s.Config.By != "arm" || s.Config.Base != "old" || !slices.Equal(s.Config.Ignore, []string{"host"}) {
		t.Errorf("%d runs, %+v", s.Runs, s.Config)
	}
	if r := m.run(t, "new-1.log"); !r.Started.Equal(time.Date(2026, 1, 31, 1, 0, 0, 0, time.UTC)) {
		t.Errorf("the zone of the file: %s", r.Started)
	}
	// What the caller says comes first.
	m, _ = ingestTree(t, Options{Layout: []string{"{build}.log"}, TZ: time.UTC}, dir)
	if r := m.run(t, "new-1.log"); r.Factors["build"] != datasets.Text("new-1") || r.Started.Hour() != 10 {
		t.Errorf("got %v, %s", r.Factors, r.Started)
	}
	for _, bad := range []string{"noisefloor:\n  colour: red\n", "noisefloor: [1]\n", "noisefloor:\n  by: [a]\n", "noisefloor:\n  tz: Mars/Olympus\n", "noisefloor:\n  layout: '{a'\n", ": :\n\t- x", "a: &b\n  - *b\nnoisefloor:\n  by: x\n"} {
		dir := tree(t, map[string]string{"noisefloor.yaml": bad, "a.log": "log 8"})
		if _, err := Run(context.Background(), []string{dir}, Options{}, &memory{}); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestBadOptions(t *testing.T) {
	dir := tree(t, map[string]string{"a.log": "log 8"})
	for _, opt := range []Options{{Layout: []string{"{a"}}, {Set: map[string]string{"": "x"}}, {Set: map[string]string{"password": "x"}}, {Set: map[string]string{"threads": "many"}},
		{Set: map[string]string{"day": "03/04/2026"}}, {Ignore: []string{"{"}}} {
		if _, err := Run(context.Background(), []string{dir}, opt, &memory{}); err == nil {
			t.Errorf("%+v: no error", opt)
		}
	}
	if _, err := Run(context.Background(), nil, Options{}, &memory{}); err == nil {
		t.Error("no PATH: no error")
	}
}

func TestSeveralPaths(t *testing.T) {
	dir := tree(t, map[string]string{"old/run1.log": "log 8", "new/run1.log": "log 8", "x/new/run1.log": "log 8", "old/run2.log": "log 8"})
	at := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	m, s := ingestTree(t, Options{}, at("old", "new")...)
	if got := m.factors(m.run(t, "new/run1.log")); got != "threads=8 path1=new rep=1" {
		t.Errorf("got %s\n%q", got, s.Guesses)
	}
	m, _ = ingestTree(t, Options{}, at("new", "x/new")...)
	m.run(t, "x/new/run1.log")
	m, _ = ingestTree(t, Options{}, at("old/run1.log", "old/run2.log")...)
	if got := m.factors(m.run(t, "run2.log")); got != "threads=8 rep=2" {
		t.Errorf("two files: %s", got)
	}
	m, _ = ingestTree(t, Options{}, at("old/run1.log")...)
	m.run(t, "run1.log")
}

func TestDayFromMtime(t *testing.T) {
	dir := tree(t, map[string]string{"a.log": "log 8"})
	end := time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "a.log"), end, end); err != nil {
		t.Fatal(err)
	}
	m, _ := ingestTree(t, Options{DayFromMtime: true}, dir)
	r := m.run(t, "a.log")
	if d := end.Sub(r.Started); r.StartedFrom != "mtime" || d < 5*time.Second || d > 7*time.Second {
		t.Errorf("started %s, from %s", r.Started, r.StartedFrom)
	}
	m, _ = ingestTree(t, Options{}, dir)
	if r := m.run(t, "a.log"); !r.Started.IsZero() || r.StartedFrom != "" {
		t.Errorf("not asked for, but %s", r.Started)
	}
}

func TestAmbiguousDates(t *testing.T) {
	iostat := func(date string) string {
		return "Linux 6.8.0 (db7) \t" + date + " \t_x86_64_\t(8 CPU)\n\nDevice r/s\nsda 0\n"
	}
	m, _ := ingestTree(t, Options{}, tree(t, map[string]string{"a.log": "log 8", "a.iostat": iostat("04/05/2026")}))
	if p, ok := m.problem(naming.Ambiguous); !ok || m.run(t, "a.log").Day != "" || !strings.Contains(p.Text, "--set day=") {
		t.Errorf("problems %v, day %q", m.batch.Problems, m.run(t, "a.log").Day)
	}
	m, _ = ingestTree(t, Options{}, tree(t, map[string]string{"a.log": "log 8", "a.iostat": iostat("04/05/2026"), "b.log": "log 8", "b.iostat": iostat("04/29/2026")}))
	if d := m.run(t, "a.log").Day; d != "2026-04-05" {
		t.Errorf("another date settles the order, but the day is %q", d)
	}
	m, _ = ingestTree(t, Options{}, tree(t, map[string]string{"run_03-04-2026.log": "log 8"}))
	if _, ok := m.problem(naming.Ambiguous); !ok {
		t.Errorf("problems %v", m.batch.Problems)
	}
}

func TestDateWithoutYear(t *testing.T) {
	const dstat = "You did not select any stats, using -cdngy by default.\n----system---- ----total-usage----\n     time     |usr sys\n29-04 21:30:49|         \n"
	dir := tree(t, map[string]string{"a.log": "log 8", "a.dstat.txt": dstat})
	end := time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "a.dstat.txt"), end, end); err != nil {
		t.Fatal(err)
	}
	m, s := ingestTree(t, Options{TZ: time.FixedZone("JST", 9*3600)}, dir)
	// The last 29 April before the file was written, in the zone asked for.
	if r := m.run(t, "a.log"); !r.Started.Equal(time.Date(2025, 4, 29, 12, 30, 49, 0, time.UTC)) || !mentions(s.Notes, "a guess") {
		t.Errorf("started %s; notes %q", r.Started, s.Notes)
	}
}

func TestResultsInMetadataAreNoFactors(t *testing.T) {
	_, s := checkFactors(t, map[string]string{
		"a.log": "log 8", "a.json": `{"arm": "x", "avg_nopm": 1775350133, "tps": 7, "p99_latency": 3.5, "memory": 32, "seconds": 900, "percentile": 95, "throughput": "high"}`,
	}, Options{}, map[string]string{"a.log": "threads=8 arm=x memory=32 percentile=95 seconds=900 throughput=high"})
	if !mentions(s.Notes, "avg_nopm, p99_latency, tps") {
		t.Errorf("notes %q", s.Notes)
	}
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("run%d.log", i)] = "log 8"
		files[fmt.Sprintf("run%d.json", i)] = fmt.Sprintf(`{"pid": %d, "pool": %d, "heat": %d.5}`, 1000+i, i/2, i)
	}
	m, _ := ingestTree(t, Options{}, tree(t, files))
	if m.columns["pid"].Role != datasets.Condition || m.columns["pool"].Role != datasets.Factor || m.columns["heat"].Role != datasets.Condition {
		t.Errorf("got %+v", m.columns)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type profiledRow struct {
	Symbol      string   `json:"symbol"`
	Kind        string   `json:"kind"`
	Scale       string   `json:"scale"`
	Base        *float64 `json:"base"`
	Diff        *float64 `json:"diff"`
	Lo          *float64 `json:"lo"`
	Q           *float64 `json:"q"`
	Runs        int      `json:"runs"`
	Call        *string  `json:"call"`
	Conditional *struct {
		Q *float64 `json:"q"`
	} `json:"conditional"`
}

type profiledDoc struct {
	Profile     []profiledRow `json:"profile"`
	Comparisons []struct {
		Metric string   `json:"metric"`
		Better string   `json:"better"`
		Ratio  *float64 `json:"ratio"`
		Lo     *float64 `json:"lo"`
	} `json:"comparisons"`
}

func profiled(t *testing.T, args ...string) *profiledDoc {
	t.Helper()
	stdout, stderr, code := call(t, append(args, "--json")...)
	if code != exitDone {
		t.Fatalf("%v: exit status %d\n%s", args, code, stderr)
	}
	var doc profiledDoc
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

func (d *profiledDoc) row(t *testing.T, symbol, kind, scale string) profiledRow {
	t.Helper()
	for _, r := range d.Profile {
		if r.Symbol == symbol && r.Kind == kind && r.Scale == scale {
			return r
		}
	}
	t.Fatalf("no row %s %s %s among %d", symbol, kind, scale, len(d.Profile))
	return profiledRow{}
}

// Our own A/A recordings: glibc and glibc-control are one build, so that nothing
// may be called changed.
func TestOurControlIsNotCalled(t *testing.T) {
	doc := profiled(t, "profile", "diff", shipped, "--by", "allocator", "--base", "glibc", "--where", `allocator in [glibc, glibc-control]`)
	if len(doc.Profile) < 300 {
		t.Fatalf("only %d rows", len(doc.Profile))
	}
	for _, r := range doc.Profile {
		if *r.Call == "grew" || *r.Call == "shrank" {
			t.Errorf("%s %s is called %s, q %v", r.Symbol, r.Kind, *r.Call, *r.Q)
		}
	}
}

func recorded(t *testing.T, days int) string {
	t.Helper()
	dir := t.TempDir()
	recordedIn(t, dir, days, 0)
	return dir
}

// recordedIn writes two versions on some days: logs with profiles and counters
// beside them. In 9.7.0 parse takes twice the samples, and a transaction takes a
// tenth more of them and 2 % fewer instructions. All is faster by such a share.
func recordedIn(t *testing.T, dir string, days int, faster float64) {
	t.Helper()
	for day := range days {
		for arm, version := range []string{"9.6.0", "9.7.0"} {
			for rep := range 2 {
				wobble := 1 + .004*float64((3*day+5*arm+7*rep)%5) + .0001*float64(4*day+2*arm+rep) + faster // equal logs would be one run
				stem := filepath.Join(dir, version, fmt.Sprintf("2026-01-%02d", day+1), fmt.Sprintf("run%d", rep+1))
				write(t, stem+".log", blogLog(8, 11, 300, 1000*wobble))
				parse := 1000 * (1 + arm)
				write(t, stem+".folded", fmt.Sprintf("mariadbd;main;parse %d\nmariadbd;main;execute %d\n", parse+(day*13+rep*29+arm*7)%40, 9000+(day*31+rep*17+arm*11)%90))
				write(t, stem+".perf-stat.txt", fmt.Sprintf(" Performance counter stats for process id '4711':\n\n    %d      cycles\n    %d      instructions\n\n      100.0 seconds time elapsed\n",
					int(4e11*wobble), int(6e11*wobble*(1-.02*float64(arm))*(1+.0005*float64((day+rep)%3)))))
			}
		}
	}
}

func TestProfileDiff(t *testing.T) {
	dir := recorded(t, 4)
	page := filepath.Join(t.TempDir(), "page.html")
	doc := profiled(t, "profile", "diff", dir, "--by", "version", "--base", "9.6.0", "--html", page)
	parse := doc.row(t, "parse", "self", "share")
	if *parse.Call != "grew" || !(*parse.Lo > .07 && *parse.Diff < .09) || parse.Runs != 16 || !(*parse.Q < .05) { // 1000 of 10000, then 2000 of 11000
		t.Errorf("%+v: %v, q %v", parse, *parse.Diff, *parse.Q)
	}
	if all := doc.row(t, "[all]", "total", "per-transaction"); *all.Call != "grew" {
		t.Errorf("%+v", all)
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Differential flame graph", "2 of 2 symbols changed their share", "<title>parse: 9.6.0 "} {
		if !strings.Contains(string(html), want) {
			t.Errorf("no %q on the page:\n%.3000s", want, html[strings.Index(string(html), "<h1"):])
		}
	}
	if top := profiled(t, "profile", "top", dir).row(t, "parse", "self", "share"); top.Call != nil || top.Diff != nil || !(*top.Lo < *top.Base) {
		t.Errorf("%+v", top)
	}
}

func TestProfileOfOneRunAnArm(t *testing.T) {
	dir := recorded(t, 1)
	for _, version := range []string{"9.6.0", "9.7.0"} {
		for _, end := range []string{".log", ".folded", ".perf-stat.txt"} {
			if err := os.Remove(filepath.Join(dir, version, "2026-01-01", "run2"+end)); err != nil {
				t.Fatal(err)
			}
		}
	}
	parse := profiled(t, "profile", "diff", dir)
	if r := parse.row(t, "parse", "self", "share"); *r.Call != "unsupported" || r.Lo != nil || r.Q != nil || !(*r.Diff > .07) {
		t.Errorf("%+v", r)
	}
}

// Counters are metrics: of their own verb, and of every other.
func TestProfileCounters(t *testing.T) {
	dir := recorded(t, 4)
	wants := map[string]float64{"instructions_per_transaction": .98, "cycles_per_transaction": 1, "ipc": .98}
	for _, args := range [][]string{{"profile", "counters", dir}, {"report", dir, "--metric", "tps,instructions_per_transaction,cycles_per_transaction,ipc"}, {"compare", dir, "--metric", "instructions_per_transaction,cycles_per_transaction,ipc"}} {
		doc := profiled(t, args...)
		found := 0
		for _, c := range doc.Comparisons {
			want, ok := wants[c.Metric]
			if !ok {
				continue
			}
			found++
			if c.Ratio == nil || *c.Ratio < want-.002 || *c.Ratio > want+.002 {
				t.Errorf("%v: %s %v, want %v", args, c.Metric, c.Ratio, want)
			}
			if better := map[bool]string{true: "neither", false: "lower"}[c.Metric == "ipc"]; c.Better != better {
				t.Errorf("%v: %s is better %s", args, c.Metric, c.Better)
			}
		}
		if found != 3 {
			t.Errorf("%v: %d of 3 metrics", args, found)
		}
	}
	if stdout, _, _ := call(t, "profile", "counters", dir, "--event", "cycles"); !strings.Contains(stdout, "cycles_per_transaction") || strings.Contains(stdout, "instructions") {
		t.Errorf("--event cycles prints\n%s", stdout)
	}
}

func TestProfileUsage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "9.6.0", "run1.log"), blogLog(8, 11, 300, 1000))
	for _, verb := range []string{"diff", "top", "waits", "counters"} {
		if _, stderr, code := call(t, "profile", verb, dir); code != exitNothing || !strings.Contains(stderr, "holds no ") {
			t.Errorf("profile %s without any: %d %s", verb, code, stderr)
		}
	}
	if _, stderr, code := call(t, "profile", "counters", recorded(t, 1), "--event", "cycle"); code != exitUsage || !strings.Contains(stderr, `did you mean "cycles"?`) {
		t.Errorf("%d %s", code, stderr)
	}
}

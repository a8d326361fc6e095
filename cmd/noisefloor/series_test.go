package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// withMpstat writes four runs a version, beside which mpstat ran: in one of them
// something else kept the processors busy, and a hypervisor took some time.
func withMpstat(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for arm, version := range []string{"9.6.0", "9.7.0"} {
		for rep := range 4 {
			stem := filepath.Join(dir, version, fmt.Sprintf("2026-01-%02d", rep+1), "run1")
			write(t, stem+".log", blogLog(8, 3, 300, 1000+float64(10*arm+rep)))
			idle, steal := 40+arm, 0.0
			if arm == 1 && rep == 2 {
				idle, steal = 20, 3.5
			}
			text := fmt.Sprintf("Linux 6.8.0 (db7) \t01/%02d/2026 \t_x86_64_\t(2 CPU)\n\n17:00:00     CPU    %%usr    %%sys %%iowait    %%irq   %%soft  %%steal   %%idle\n", rep+1)
			for s := range 300 {
				text += fmt.Sprintf("17:%02d:%02d     all   50.00    5.00    0.00    0.00    0.00   %5.2f   %5.2f\n", (s+1)/60, (s+1)%60, steal, float64(idle))
			}
			write(t, stem+".mpstat.txt", text)
		}
	}
	return dir
}

func TestInfoSeries(t *testing.T) {
	dir := withMpstat(t)
	out := did(t, "info", dir)
	for _, want := range []string{"series: of 8 runs 8 have mpstat", "the processors were idle 20 % of the time in 9.7.0/2026-01-03/run1.log and 41 % in the other runs", "the hypervisor took processor time from 1 of 8 runs, up to 3.5 %"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	out = did(t, "info", dir, "--series")
	for _, want := range []string{"mpstat  cpu_idle_pct       8   37.9        20.0         41.0  %", "3 more were 0 all the time"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out := did(t, "info", dir, "--series=cpu_steal", "--where", "version==9.6.0"); !strings.Contains(out, "1 more were 0 all the time") {
		t.Errorf("%s", out)
	}
	// What the machine did is a metric as any other.
	if out := did(t, "variance", dir, "--metric", "cpu_idle_pct"); !strings.Contains(out, "cpu_idle_pct") {
		t.Errorf("%s", out)
	}
	if text := strings.Join(strings.Fields(did(t, "report", dir)), " "); !strings.Contains(text, "the hypervisor took processor time") && !strings.Contains(text, "stolen") {
		t.Errorf("the report says nothing of it:\n%s", text)
	}
	tables := filepath.Join(t.TempDir(), "tables")
	did(t, "export", dir, "--to", "csv", "--table", "series", "--out", tables)
	if names, err := filepath.Glob(filepath.Join(tables, "series", "*.csv")); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
}

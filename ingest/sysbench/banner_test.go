package sysbench

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Scripts tee a whole evening into one file, and write above each run which it is.
func TestBanners(t *testing.T) {
	log := oltp(8, 3)
	for _, c := range []struct{ name, text, want string }{
		{"pairs between rulers", "===== 2026-03-02 08:14:00 version=8.0.36 threads=8 rep=1 =====\n" + log + "===== version=8.4.3 threads=8 rep=2 =====\n" + log,
			"rep=1 version=8.0.36|rep=2 version=8.4.3"},
		{"bare pairs", "engine=innodb, pool=32G\n" + log, "engine=innodb pool=32G"},
		{"a line for the arm, lines for its runs", "### version=9.7.0 ###\n--- run=1 ---\n" + log + "--- run=2 ---\n" + log + "### version=9.6.0 ###\n--- run=1 ---\n" + log,
			"rep=1 version=9.7.0|rep=2 version=9.7.0|rep=1 version=9.6.0"},
		{"in words", "--- MySQL 8.4.3, 16 threads ---\n" + log + "--- MariaDB 11.4 ---\n" + log, "title=MySQL version=8.4.3|title=MariaDB version=11.4"},
		{"behind time stamps", "2026-03-02 08:14:00 === build=pgo ===\n" + mapped(log, func(l string) string { return "2026-03-02 08:14:00 " + l }), "build=pgo"},
		{"below a run that was killed", started10 + two + "=== arm=b ===\n" + log, "|arm=b"},
		{"secrets, files and what is new each time", "=== password=hunter2 pid=4711 log=/tmp/x user=root arm=a ===\n" + log, "arm=a"},
		{"of the run that is over", log + "=== done: version=8.0.36 rc=0 ===\n" + log, "|"},
		{"results", log + "=== tps=100 ===\n" + log, "|"},
		{"a script", "echo \"=== version=$v ===\"\n" + log, ""},
		{"a line of a script", "LOG=yes\n" + log, ""},
		{"the trace of a shell", "+ i=3\n" + log, ""},
		{"prose", "we tried it with tables=10 and found nothing\n" + log, ""},
		{"inside a run", started10 + "x=1\n" + two + log, "|"},
		{"titles", "### jemalloc ###\n--- 8 threads, run 1/3 ---\n" + log + "--- 8 threads, run 2/3 ---\n" + log + "### glibc ###\n--- 8 threads, run 1/3 ---\n" + log, "title=jemalloc|title=jemalloc|title=glibc"},
		{"titles behind two rulers", "===== Memory =====\n--- Sequential Write (1K block) ---\n" + log + "--- Random Write (1K block) ---\n" + log,
			"title=Memory title2=Sequential Write (1K block)|title=Memory title2=Random Write (1K block)"},
		{"a title between rulers", "==========\n huge pages\n==========\n" + log + "==========\n 4K pages\n==========\n" + log, "title=huge pages|title=4K pages"},
		{"a warm-up first", "--- Warm-up (10s) ---\n" + log + "--- Run 1/3 ---\n" + log, "title=Warm-up (10s)|"},
		{"prose", "# We ran this one after the other on the old host without any load\n" + log, ""},
		{"a few words directly above", "kunlun oltp.lua, read only\n" + log + "\nTue Mar 2 03:00:06 EST 2021\npercona-mysql-8.0.22 oltp.lua, read only\n" + log + log,
			"title=kunlun oltp.lua, read only|title=percona-mysql-8.0.22 oltp.lua, read only|"},
		{"times directly above", "user 0m1.52s and system 0m2.1s\n" + log + "waited for 1.5 s then\n" + log, "|"},
		{"versions of the server", "=== version 8.4.3 ===\n" + log + "=== server version: 9.0.1 ===\n" + log, "version=8.4.3|version=9.0.1"},
		{"versions of something else", "=== kernel version 5.15.0 ===\n" + log, "title=kernel version 5.15.0"},
		{"commands", "# $ make run\n" + log + "sudo /opt/pcm/bin/power sample\n" + log, "|"},
		{"words further above", "kunlun oltp.lua, read only\n\n" + log, ""},
		{"a kernel", "### Linux 5.15.0 ###\n" + log, "title=Linux 5.15.0"},
	} {
		var got []string
		for _, r := range scanText(t, c.text).runs {
			var list []string
			for _, name := range slices.Sorted(maps.Keys(r.Factors)) {
				list = append(list, fmt.Sprintf("%s=%s", name, r.Factors[name]))
			}
			got = append(got, strings.Join(list, " "))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: got %q, want %q", c.name, s, c.want)
		}
	}
	for _, line := range []string{"=== workload=oltp_read_only ===", "Workload: oltp_read_only", "Test = /usr/share/sysbench/oltp_read_only.lua"} {
		got := scanText(t, line+"\n"+log)
		if w := got.runs[0].Workload; w != "oltp_read_only" || len(got.problems) > 0 {
			t.Errorf("%s: workload %q, problems %v", line, w, got.problems)
		}
	}
	var environment strings.Builder
	for i := range 30 {
		fmt.Fprintf(&environment, "VARIABLE_%d=x\n", i)
	}
	if r := scanText(t, environment.String()+log).runs[0]; len(r.Factors) > maxNotes {
		t.Errorf("%v", r.Factors)
	}
}

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A folder for each configuration, with what the server said of itself in one and
// the option file in the other.
func TestCompareByServerSetting(t *testing.T) {
	dir := t.TempDir()
	for arm, config := range []string{"c1", "c2"} {
		for day := range 3 {
			for rep := range 2 {
				tps := 1000 * (1 + .1*float64(arm) + .001*float64(arm+2*day+7*rep))
				write(t, filepath.Join(dir, config, fmt.Sprintf("2026-01-%02d", day+1), fmt.Sprintf("run%d.log", rep+1)), blogLog(8, 11, 300, tps))
			}
		}
	}
	write(t, filepath.Join(dir, "c1", "variables.txt"), "Variable_name\tValue\nautocommit\tON\nback_log\t80\ninnodb_buffer_pool_size\t8589934592\n")
	write(t, filepath.Join(dir, "c2", "my.cnf"), "[mysqld]\ninnodb-buffer-pool-size = 16G\n")
	for _, c := range []struct {
		args string
		want []string
		code int
	}{
		{"info", []string{"innodb_buffer_pool_size  16G (6), 8589934592 (6)", "each of these can be what is compared, or a condition of --where: --by innodb_buffer_pool_size"}, exitDone},
		{"info --by innodb_buffer_pool_size", []string{"compared: innodb_buffer_pool_size (a server setting, as asked with --by), base 8589934592 (the\n  lowest)"}, exitDone},
		{"compare --by setting:innodb_buffer_pool_size", []string{"17179869184 is 10", "Also differs, as part of the change: c."}, exitDone},
		{"compare --by c --where innodb_buffer_pool_size<9e9", []string{"all runs have the same c, there is nothing to compare"}, exitUsage},
		{"report --by setting:innodb_buffer_pool", []string{`no run has this server setting, of 3 that there are; did you mean "innodb_buffer_pool_size"?`}, exitUsage},
		{"scaling --x innodb_buffer_pool_size", []string{"no curve for tps: 1 levels are too few"}, exitDone},
	} {
		verb, more, _ := strings.Cut(c.args, " ")
		stdout, stderr, code := call(t, append([]string{verb, dir, "--quiet"}, strings.Fields(more)...)...)
		for _, want := range c.want {
			if code != c.code || !strings.Contains(stdout+stderr, want) {
				t.Errorf("%s: %d, want %q\n%s%s", c.args, code, want, stdout, stderr)
			}
		}
	}
}

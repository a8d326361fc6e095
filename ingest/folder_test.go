package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// grid plants a log for every choice of words: grid("%s/%s_%s.log", "mar02 mar03",
// "base patched", "1 8"). The last choice is the number of threads.
func grid(pattern string, choices ...string) map[string]string {
	files := map[string]string{}
	var fill func(name string, left []string)
	fill = func(name string, left []string) {
		for _, word := range strings.Fields(left[0]) {
			named := strings.Replace(name, "%s", word, 1)
			if len(left) > 1 {
				fill(named, left[1:])
				continue
			}
			files[named] = "log 8"
			if strings.Trim(word, "0123456789") == "" {
				files[named] = "log " + word
			}
		}
	}
	fill(pattern, choices)
	return files
}

// with adds files.
func with(files map[string]string, text string, names ...string) map[string]string {
	for _, name := range names {
		files[name] = text
	}
	return files
}

// Folders that people made over years, each with one run and what is found out about
// it. said is a part of a guess, problem of a problem's text; "" is none of either.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		name          string
		files         map[string]string
		run, want     string
		said, problem string
	}{
		// Repetitions and arms.
		{"a number behind a server's name", with(map[string]string{}, "log 8", "maria_10.6_1.log", "maria_10.6_2.log", "maria_11.4_1.log", "maria_11.4_2.log"),
			"maria_11.4_2.log", "threads=8 rep=2 version=11.4", "", ""},
		{"a hyphen before the number, a word more in some", with(map[string]string{}, "log 8", "O2-1.log", "O2-2.log", "O3-1.log", "O3-2.log", "O3-lto-1.log", "O3-lto-2.log"),
			"O3-lto-2.log", "threads=8 path1=O3-lto rep=2", "", ""},
		{"a number that all names tie to one word", grid("%s-shard-%s_%s.log", "base new", "1 2", "8 16"), "new-shard-2_8.log", "threads=8 path1=new shard=2", "", ""},
		{"takes of one ladder", with(map[string]string{}, "log 8", "8.0.log", "8.0_take2.log", "8.4.log", "8.4_take2.log"), "8.4_take2.log", "threads=8 rep=2 version=8.4", "", ""},
		{"machines behind a hyphen or a line", grid("%s_node_%s_%s.log", "base new", "1 2", "8 16"), "new_node_2_8.log", "threads=8 node=2 path1=new", "", ""},
		{"an allocator and none", with(map[string]string{}, "log 8", "run1_rw.log", "run2_rw.log", "run1_rw_with_jemalloc.log", "run2_rw_with_jemalloc.log"), "run2_rw_with_jemalloc.log", "threads=8 workload=rw allocator=jemalloc rep=2", "allocator: 2 levels (jemalloc, without)", ""},
		{"what was tried is no repetition", grid("sb_%s_config_%s_%s.log", "ro rw", "1 2 3", "8 16"), "sb_ro_config_2_8.log", "threads=8 workload=ro config=2", "", ""},
		{"a ticket and none", grid("%s/rw_%s.log", "10.6 10.6-MDEV-30123", "8 16"), "10.6-MDEV-30123/rw_8.log", "threads=8 workload=rw version=10.6-MDEV-30123", "", ""},
		{"what git describe says", grid("mysql-%s/rw_%s.log", "8.0.36-12-gabc1234 8.0.36-27-gdef5678", "8 16"),
			"mysql-8.0.36-27-gdef5678/rw_8.log", "threads=8 workload=rw version=8.0.36-27-gdef5678", "", ""},
		{"kernels by their flavour", grid("%s/rw_%s.log", "5.15.0-91-generic 5.14.0-362.el9.x86_64", "8 16"),
			"5.14.0-362.el9.x86_64/rw_8.log", "threads=8 workload=rw kernel=5.14.0-362.el9.x86_64", "", ""},
		{"what else has versions", grid("8.0.36_%s_%s.log", "fw1.2 fw1.3", "8 16"), "8.0.36_fw1.2_8.log", "threads=8 path1=fw1.2", "", ""},
		{"a version that ends the names", grid("%s_%s.log", "base new", "fw1.1 fw1.2"), "new_fw1.2.log", "threads=8 path1=new path2=fw1.2", "", ""},
		{"revisions of a patch", grid("%s_%s.log", "v1 v2 v3", "8 16"), "v2_8.log", "threads=8 path1=v2", "", ""},
		{"machines of other clouds", grid("%s/%s.log", "VM.Standard.E4.Flex Standard_D8s_v5", "8 16"), "Standard_D8s_v5/8.log", "threads=8 instance=Standard_D8s_v5", "", ""},
		// Days.
		{"a folder each for year, month and day", grid("%s/%s_%s.log", "2026/03/02 2026/03/03 2026/04/01", "base patched", "1 8"),
			"2026/04/01/base_8.log", "threads=8 day=2026-04-01 path1=base", "day: 3 levels (2026-03-02, 2026-03-03, 2026-04-01), from folder 3", ""},
		{"year and month, the day in the name", grid("%s-%s_%s.log", "2026/03/02 2026/03/03", "base patched", "8"),
			"2026/03/02-base_8.log", "threads=8 day=2026-03-02 path1=base", "", ""},
		{"month and day in one folder", grid("%s/%s_%s.log", "2026/0302 2026/0303", "base patched", "8"),
			"2026/0303/base_8.log", "threads=8 day=2026-03-03 path1=base", "", ""},
		{"a folder each for year and month", grid("%s/%s_%s.log", "2026/03 2026/04", "base patched", "8"),
			"2026/04/base_8.log", "threads=8 month=2026-04 path1=base", "month: 2 levels (2026-03, 2026-04)", ""},
		{"months and days without a year", grid("%s/%s_%s.log", "mar02 mar03 apr01", "base patched", "1 8"),
			"mar02/base_1.log", "threads=1 day=03-02 path1=base", "taken for days without a year", ""},
		{"a month that is none", grid("%s/%s_%s.log", "mar10 my80", "2026-03-02 2026-03-03", "8"),
			"mar10/2026-03-02_8.log", "threads=8 day=2026-03-02 path1=mar10", "", ""},
		{"days of March, since there are more than servers", grid("%s/%s_%s.log", "mar10 mar11 mar28", "base patched", "8"),
			"mar11/base_8.log", "threads=8 day=03-11 path1=base", "taken for days without a year", ""},
		{"days of March, as another date says", grid("%s/%s_%s.log", "mar10 2026-03-11", "base patched", "8"),
			"mar10/base_8.log", "threads=8 day=2026-03-10 path1=base", "take the year of the others", ""},
		{"the year of the others", grid("%s/%s_%s.log", "mar02 2026-03-03", "base patched", "8"),
			"mar02/base_8.log", "threads=8 day=2026-03-02 path1=base", "take the year of the others (2026): a guess", ""},
		{"two digits of the year", grid("%s/%s_%s.log", "26-03-02 26-03-03", "base patched", "8"),
			"26-03-02/base_8.log", "threads=8 day=2026-03-02 path1=base", "read year first (2026-03-02), which makes dates of them all", ""},
		{"two digits of the year, last", grid("%s/%s_%s.log", "02.03.26 14.03.26", "base patched", "8"),
			"02.03.26/base_8.log", "threads=8 day=2026-03-02 path1=base", "read day first (2026-03-02)", ""},
		{"two digits of a year that may be any", grid("%s/%s_%s.log", "12-03-14", "base patched", "8"),
			"12-03-14/base_8.log", "threads=8 day=2012-03-14 path1=base", "read year first (2012-03-14): a guess", ""},
		{"six digits", grid("%s/%s_%s.log", "260302 260303", "base patched", "8"),
			"260302/base_8.log", "threads=8 day=2026-03-02 path1=base", "dates like 260302 in the paths are read year first (2026-03-02): a guess", ""},
		{"six digits that are rows", grid("rows_%s/%s_%s.log", "100000 201010", "base patched", "8"),
			"rows_201010/base_8.log", "threads=8 path1=201010 path2=base", "", ""},
		{"month and day in four digits", grid("%s/%s_%s.log", "0302 0304", "base patched", "8"),
			"0302/base_8.log", "threads=8 day=03-02 path1=base", "day: folders like 0302 are taken for days, month first: a guess", ""},
		{"four digits that are no dates", grid("%s/%s_%s.log", "0512 2048", "base patched", "8"),
			"0512/base_8.log", "threads=8 path1=512 path2=base", "", ""},
		{"days of a week", grid("%s/%s/%s.log", "mon tue wed", "base patched", "8"),
			"tue/base/8.log", "threads=8 day=tue path1=base", "mon, tue, wed in folder 1 are taken for days: a guess", ""},
		{"days that are counted", grid("%s/%s/t%s.log", "base patched", "d1 d2 d3", "8"),
			"base/d2/t8.log", "threads=8 day=d2 path1=base", "d1, d2, d3 in folder 2 are taken for days: a guess", ""},
		{"parts of a day", grid("%s_%s_%s.log", "glibc jemalloc", "morning evening", "8"),
			"glibc_morning_8.log", "threads=8 allocator=glibc daytime=morning", "", ""},
		{"weeks", grid("week%s/%s_%s.log", "09 10", "base patched", "8"),
			"week09/base_8.log", "threads=8 path1=base week=9", "", ""},
		{"month, day and year without points, and a time of day", grid("%s_%s.log", "m5.12xlarge_09202021_2045 m5.large_09212021_0519", "8"),
			"m5.large_09212021_0519_8.log", "threads=8 started_from=name instance=m5.large", "started_at: 2 levels (2021-09-20T20:45:00, 2021-09-21T05:19:00)", ""},
		{"day, month and year without points", grid("%s/%s_%s.log", "28032026 03042026", "base patched", "8"),
			"03042026/base_8.log", "threads=8 day=2026-04-03 path1=base", "", ""},
		{"milliseconds since 1970", grid("%s_%s.log", "1772445600123 1772449200456", "8"),
			"1772449200456_8.log", "threads=8 started_from=name", "", ""},
		{"rows that end like a year", grid("%s/%s_%s.log", "50002000 99002010", "base patched", "8"),
			"50002000/base_8.log", "threads=8 path1=50002000 path2=base", "", ""},
		{"with a time of day", grid("%s_14-30-15_%s.log", "26-03-02 26-03-03", "8"),
			"26-03-02_14-30-15_8.log", "threads=8 started_from=name", "", ""},
		{"one date tells the order of all", grid("%s/%s_%s.log", "03-04-2026 28-03-2026", "base patched", "8"),
			"03-04-2026/base_8.log", "threads=8 day=2026-04-03 path1=base", "dates like 03-04-2026 in the paths are read day first", ""},
		{"the order that brings dates together", grid("%s/%s_%s.log", "04-03-2026 04-05-2026", "base patched", "8"),
			"04-03-2026/base_8.log", "threads=8 day=2026-04-03 path1=base", "", "04-03-2026 in the path is read month first, 2026-04-03: a guess, since that brings the dates closest together"},
		{"versions are no dates", grid("%s/%s_%s.log", "10.11.12 10.11.14", "base patched", "8"),
			"10.11.12/base_8.log", "threads=8 path1=base version=10.11.12", "", ""},

		// An arm and a repetition in one word.
		{"letters and digits", with(map[string]string{}, "log 8", "A1.log", "A2.log", "B1.log", "B2.log"),
			"B2.log", "threads=8 path1=B rep=2", "A1, A2, B1, B2 in the file name are read as A, B, each repeated (1, 2): a guess", ""},
		{"words and numbers", grid("%s_%s.log", "base1 base2 patch1 patch2", "1 8"),
			"patch2_8.log", "threads=8 path1=patch rep=2", "", ""},
		{"with hyphens, one missing", grid("%s/t%s.log", "old-1 old-2 old-3 new-1 new-2", "1 8"),
			"new-2/t8.log", "threads=8 path1=new rep=2", "", ""},
		{"builds", grid("%s/t%s.log", "mysql-pgo-1 mysql-pgo-2 mysql-lto-1 mysql-lto-2", "8"),
			"mysql-lto-2/t8.log", "threads=8 build=mysql-lto rep=2", "", ""},
		{"machines", grid("%s/t%s.log", "db1 db2 app1 app2", "8"),
			"db1/t8.log", "threads=8 path1=db1", "", ""},
		{"three of a kind", grid("%s/t%s.log", "opt1 opt2 opt3", "8"),
			"opt2/t8.log", "threads=8 opt=2", "", ""},
		{"no cross", grid("%s/t%s.log", "c4 c5 m6 m7", "8"),
			"c4/t8.log", "threads=8 path1=c4", "", ""},

		{"the first without a number", grid("%s/t%s.log", "base base2 new new2", "1 8"),
			"base/t8.log", "threads=8 path1=base rep=1", "", ""},
		{"again, with a number of its own", grid("%s/t%s.log", "foo foo.2 foo.3", "1 8"),
			"foo.3/t8.log", "threads=8 rep=3", "foo, foo.2, foo.3 in folder 1 are taken for repetitions of foo: a guess", ""},
		{"again, counted from 1", grid("%s_%s.log", "foo foo_1", "2 8"), "foo_8.log", "threads=8 rep=0", "", ""},
		{"again, counted from 0", grid("%s/%s.log", "x y", "out_file out_file_0 out_file_1"), "x/out_file_0.log", "threads=8 path1=x rep=0", "", ""},
		{"branches", grid("%s/t%s.log", "origin-trunk feature-x feature-y", "1 8"), "feature-x/t8.log", "threads=8 path1=feature-x", "", ""},
		{"a setting and none", grid("%s/t%s.log", "foo foo-16", "8"), "foo-16/t8.log", "threads=8 path1=foo-16", "", ""},
		{"one more machine", grid("%s/t%s.log", "db db-2", "8"), "db-2/t8.log", "threads=8 path1=db-2", "", ""},
		{"a second change", grid("%s/t%s.log", "opt opt2", "8"), "opt2/t8.log", "threads=8 path1=opt2", "", ""},

		// Several hands.
		{"capitals and hyphens", grid("%s/t%s.log", "MySQL8 mysql8 mysql-8 maria", "8"),
			"mysql-8/t8.log", "threads=8 build=MySQL8", "MySQL8, mysql-8, mysql8 in folder 1 are read as one level, MySQL8: a guess", ""},
		{"the spelling of most", with(grid("%s/t%s.log", "read_only Read-Only_x all", "8"), "log 9", "read-only_x/t9.log", "read-only_x/t9b.log"),
			"Read-Only_x/t8.log", "threads=8 path1=read-only_x", "", ""},
		{"one letter may be two arms", grid("%s/t%s.log", "a A", "8"), "A/t8.log", "threads=8 path1=A", "", ""},
		{"numbers stay apart", grid("%s/t%s.log", "1-12 11-2 112", "8"), "112/t8.log", "threads=8 path1=112", "", ""},
		{"parts of several words", grid("sb_%s-%s-%s_%s.log", "pareto uniform", "p_sel ranges", "thread_pool one_thread_each", "1 8"),
			"sb_uniform-ranges-one_thread_each_8.log", "threads=8 path1=uniform path2=ranges path3=one_thread_each", "", ""},
		{"one part more in some", with(grid("%s-%s-%s.log", "pareto uniform", "p_sel ranges", "pool one_thread"), "log 8", "uniform-p_sel-slow_each-pool.log", "uniform-p_sel-slow_each-one_thread.log"),
			"uniform-p_sel-slow_each-pool.log", "threads=8 path1=uniform path2=p_sel-slow_each path3=pool", "", ""},
		{"parts that do not cross", with(map[string]string{}, "log 8", "a-p_sel1.log", "b-ranges.log", "c-one_two.log"),
			"b-ranges.log", "threads=8 path1=b-ranges", "", ""},
		{"settings of some", with(map[string]string{}, "log 8", "maria.bp25.io2000.log", "maria.bp25.log", "mysql_x.bp140.io2000.log", "mysql_x.io4000.log"),
			"mysql_x.bp140.io2000.log", "threads=8 bp=140 build=mysql_x io=2000", "", ""},
		{"Markdown is no server", with(map[string]string{}, "log 8", "base.md", "patched.md"), "base.md", "threads=8 path1=base", "", ""},
		{"a distribution is part of the version", grid("%s/t%s.log", "11.8.6-MariaDB-ubu2404 12.2.2-MariaDB-ubu2404 9.7.0-er2", "8"),
			"9.7.0-er2/t8.log", "threads=8 version=9.7.0-er2", "", ""},
		{"two attempts at one arm", grid("%s_%s.log", "base opt opt2", "1 8"), "opt2_8.log", "threads=8 path1=opt2", "", ""},
		{"a name that is part of the others", grid("base%s_%s.log", "_1 _2 _new_1 _new_2", "1 8"),
			"base_new_2_8.log", "threads=8 path1=base_new rep=2", "", ""},
		{"an order and an arm", with(map[string]string{}, "log 8", "1A.log", "2B.log", "3B.log", "4A.log"),
			"4A.log", "threads=8 order=4 path1=A", "1A, 2B, 3B, 4A in the file name are read as A, B, in this order (1, 2, 3, 4): a guess", ""},
		{"a word tied to the threads", grid("%s-%s-%s.log", "base new", "cold warm", "1 8"),
			"new-warm-8.log", "threads=8 path1=new path2=warm", "", ""},
		{"a word tied to a repetition", with(map[string]string{}, "log 8", "base-cold-1.log", "base-cold-2.log", "base-warm-1.log", "base-warm-2.log"),
			"base-warm-2.log", "threads=8 path1=warm rep=2", "", ""},
		{"a setting and its number", grid("innodb_flush_%s/bp%s/t%s.log", "0 1 2", "8G 32G", "1 8"),
			"innodb_flush_2/bp8G/t8.log", "threads=8 bp=8G innodb_flush=2", "", ""},

		// What is run beside the measurement.
		{"a warm-up beside the measurement", with(map[string]string{}, "log 8", "base/measure.log", "base/warmup.log", "new/measure.log", "new/warmup.log"),
			"base/measure.log", "threads=8 path1=base phase=run", "phase: warmup (2) by the name", ""},
		{"warm-ups in the name", with(grid("%s_%s.log", "base new", "1 8"), "log 8", "base_8_warm-up.log", "new_8_warm-up.log"),
			"new_8_warm-up.log", "threads=8 path1=new phase=warmup", "", ""},
		{"a warm-up beside the arms", with(map[string]string{}, "log 8", "base.log", "new.log", "warmup.log"),
			"new.log", "threads=8 path1=new phase=run", "", ""},
		{"a first run is the warm-up", with(map[string]string{}, "log 8", "warmup1.log", "run1.log", "run2.log"),
			"run2.log", "threads=8 phase=run rep=2", "", ""},
		{"numbered steps", with(map[string]string{}, "log 8", "base/01_warm-up.log", "base/02_run.log", "base/03_run.log", "new/01_warm-up.log", "new/02_run.log", "new/03_run.log"),
			"new/03_run.log", "threads=8 path1=new phase=run rep=3", "", ""},
		{"all of it is about warm-up", grid("warmup/%s_%s.log", "base new", "8"), "warmup/new_8.log", "threads=8 path1=new", "", ""},
		{"a cold and a warm pool", grid("%s_%s.log", "cold warm", "8"), "warm_8.log", "threads=8 path1=warm", "", ""},

		// Again.
		{"retry and rerun", with(grid("%s/run%s.log", "base new", "1 2"), "log 8", "base/run1-retry.log", "new/run2-rerun.log"),
			"new/run2-rerun.log", "threads=8 attempt=rerun path1=new rep=2", "attempt: rerun (1), retry (1) by the name", ""},
		{"a copy, a second and bis", with(grid("%s/run%s.log", "base new", "1 2"), "log 8", "base/run1 (copy).log", "new/run2_bis.log", "base/run2 (2).log", "new/Copy of run1.log"),
			"base/run2 (2).log", "threads=8 attempt=2 path1=base rep=2", "attempt: 2 (1), bis (1), copy (2) by the name", ""},
		{"rotated and kept", with(grid("%s/run%s.log", "base new", "1"), "log 8", "base/run1.log.1", "new/run1.log.bak"),
			"new/run1.log.bak", "threads=8 attempt=bak path1=new", "", ""},
		{"a copy of nothing is a word", grid("%s_%s.log", "zero-copy no-copy", "8"), "zero-copy_8.log", "threads=8 path1=zero", "", ""},

		// Names of unequal words.
		{"words that take each other's place", grid("%s_%s_%s.log", "MY840_iron_xfs_nvme MY840_tuned", "large small", "select write"),
			"MY840_tuned_small_write.log", "threads=8 workload=write build=MY840_tuned path1=small", "path1: 2 levels (large, small)", ""},
		{"builds and what was done to them are one", with(map[string]string{}, "log 8", "mysql.log", "mysql-pgo.log", "mysql-non-pgo.log", "mariadb.log", "mariadb-pgo.log", "mariadb-non-pgo.log"),
			"mariadb-non-pgo.log", "threads=8 build=mariadb-non-pgo", "", ""},
		{"engines", with(map[string]string{}, "log 8", "res.log", "res_innodb_io1.log", "res_rocksdb_io1.log", "res_innodb.log", "res_RocksDB_io1_direct.log"),
			"res_RocksDB_io1_direct.log", "threads=8 engine=rocksdb path1=res-io1-direct", "engine: 2 levels (innodb, rocksdb), from the file name, not in every name", ""},
		{"a setting of one engine", with(map[string]string{}, "log 8", "rocksdb_1.log", "innodb_flush_1.log", "innodb_flush_2.log"),
			"innodb_flush_1.log", "threads=8 path1=innodb_flush_1", "", ""},
		{"numbers of runs behind versions", with(map[string]string{}, "log 8", "r8.0-1.log", "r8.0-2.log", "r8.4-1.log", "r8.4-2.log"),
			"r8.4-2.log", "threads=8 rep=2 version=8.4", "1, 2 behind the versions in the file name are taken for repetitions", ""},
		// Threads.
		{"another number of threads in all names", with(map[string]string{}, "log 8", "base_16t.log", "new_16t.log"),
			"new_16t.log", "threads=8 path1=new", "", `threads is 8 in the log and 16 in the file name (beside "t"); the log's is kept`},
		{"another number in one name", with(grid("%s_thr%s.log", "base new", "8 16"), "log 4", "other_thr8.log"),
			"other_thr8.log", "threads=4 path1=other", "threads: 8, 16 in the file name always equals", "threads is 4 in the log and 8 in the file name"},
		{"a number beside the threads", grid("%s_t4_%sth.log", "base new", "8 16"), "new_t4_8th.log", "threads=8 path1=new", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, s := checkFactors(t, c.files, Options{}, map[string]string{c.run: c.want})
			if !mentions(s.Guesses, c.said) {
				t.Errorf("not said: %s\n%s", c.said, strings.Join(s.Guesses, "\n"))
			}
			told := ""
			for _, p := range m.batch.Problems {
				told += p.Text + "\n"
			}
			if !strings.Contains(told, c.problem) || c.problem == "" && told != "" {
				t.Errorf("problems %q, want %q", told, c.problem)
			}
		})
	}
}

// A table names the logs that it was made from.
func TestPathsInCells(t *testing.T) {
	for _, c := range []struct{ name, table, want string }{
		{"folders", "Path,threads,tps\nbase/run1.log,8,801.2\nbase/run2.log,8,803.2\nnew/run1.log,8,812.3\nnew/run2.log,8,813.3\n", "threads=8 path=new/run2.log path1=new rep=2"},
		{"a name alone, the threads in it", "file,tps\nbase_8th_r1.log,801.2\nbase_8th_r2.log,803.2\nnew_8th_r1.log,812.3\nnew_8th_r2.log,813.3\n", "threads=8 file=new_8th_r2.log path1=new rep=2"},
		{"as Windows writes it, dated", `log;tps
res\03-04-2026\base.log;801,2
res\03-04-2026\new.log;803,2
res\28-03-2026\base.log;812,3
res\28-03-2026\new.log;813,3
`, `day=2026-03-28 log=res\28-03-2026\new.log path1=new`},
		{"the row knows better", "path,threads,tps\nbase_8th.log,16,801.2\nnew_8th.log,16,803.2\n", "threads=16 path=new_8th.log path1=new"},
		{"no paths", "output,tps\nfull,801.2\nshort,803.2\n", "output=short"},
	} {
		m, s := ingestTree(t, Options{}, tree(t, map[string]string{"r.csv": c.table}))
		if last := m.batch.Runs[len(m.batch.Runs)-1]; m.factors(last) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s\n%s", c.name, m.factors(last), c.want, strings.Join(s.Guesses, "\n"))
		}
		if said := mentions(s.Guesses, "r.csv: from the paths in its column"); said != (c.name != "no paths") {
			t.Errorf("%s: %q", c.name, s.Guesses)
		}
	}
}

// What Prometheus answers is no note about the run beside it.
func TestPrometheusBesideLogs(t *testing.T) {
	matrix := `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"mysql_global_status_threads_running","job":"mysql"},"values":[[1772445600,"3"],[1772445615,"9"]]}]}}`
	_, s := checkFactors(t, map[string]string{"base.log": "log 8", "new.log": "log 8", "new.json": matrix, "new.prom": "# HELP node_load1 1m load average.\n# TYPE node_load1 gauge\nnode_load1 0.32\n"}, Options{},
		map[string]string{"new.log": "threads=8 path1=new"})
	if len(s.Skipped) != 1 || s.Skipped[0].Kind != "metrics for Prometheus" || s.Problems != 1 {
		t.Errorf("skipped %+v, %d problems", s.Skipped, s.Problems)
	}
	// Runs that know when they began take their own time of it, whatever else it tells of.
	var values []string
	for i := range 24 {
		values = append(values, fmt.Sprintf(`[%d,"%d"]`, 1769860800+10*i, i)) // 12:00:00 on
	}
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{"base.log": "Sat Jan 31 12:00:30 UTC 2026\n" + logText(8, 30, 1), "new.log": "Sat Jan 31 12:02:00 UTC 2026\n" + logText(8, 20, 2),
		"metrics.json": `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"node_load1"},"values":[` + strings.Join(values, ",") + `]}]}}`}))
	var got []string
	for _, v := range m.batch.Series.Rows() {
		got = append(got, fmt.Sprintf("%g: %s %g", v.T, v.Metric, v.Value))
	}
	if want := []string{"0: load1 3", "10: load1 4", "20: load1 5", "30: load1 6", "0: load1 12", "10: load1 13", "20: load1 14"}; !slices.Equal(got, want) || s.Problems > 0 {
		t.Errorf("%q, %+v", got, m.batch.Problems)
	}
}

// What one name has and the others have not.
func TestAdditions(t *testing.T) {
	checkFactors(t, map[string]string{"8.0.36/1.log": "log 8", "8.0.36/2.log": "log 8", "8.0.36-patched/1.log": "log 8", "8.0.36-patched/2.log": "log 8"}, Options{},
		map[string]string{"8.0.36/1.log": "threads=8 path1=1 version=8.0.36", "8.0.36-patched/2.log": "threads=8 path1=2 version=8.0.36-patched"})
	checkFactors(t, map[string]string{"O2/1.log": "log 8", "O3/1.log": "log 8", "O3-lto/1.log": "log 8"}, Options{},
		map[string]string{"O2/1.log": "threads=8 path1=O2", "O3/1.log": "threads=8 path1=O3", "O3-lto/1.log": "threads=8 path1=O3-lto"})
	checkFactors(t, map[string]string{"rw_t8_r1.log": "log 8", "rw_t8_r2.log": "log 8", "rw_t8_cold_r1.log": "log 8", "rw_t8_cold_r2.log": "log 8"}, Options{},
		map[string]string{"rw_t8_r1.log": "threads=8 workload=rw path1=without rep=1", "rw_t8_cold_r2.log": "threads=8 workload=rw path1=cold rep=2"})
	// Metadata that know less than the names.
	checkFactors(t, map[string]string{"meta.yaml": "version: 8.0.36\n", "8.0.36/1.log": "log 8", "8.0.36/2.log": "log 8", "8.0.36-patched/1.log": "log 8", "8.0.36-patched/2.log": "log 8"}, Options{},
		map[string]string{"8.0.36/1.log": "threads=8 path1=8.0.36 path2=1 version=8.0.36", "8.0.36-patched/2.log": "threads=8 path1=8.0.36-patched path2=2 version=8.0.36"})
}

func TestKernelsInNames(t *testing.T) {
	checkFactors(t, map[string]string{"kernel-5.15/1回目.log": "log 8", "kernel-6.8/1回目.log": "log 8", "kernel-5.15/2回目.log": "log 8", "kernel-6.8/2回目.log": "log 8"}, Options{},
		map[string]string{"kernel-5.15/1回目.log": "threads=8 kernel=5.15 rep=1", "kernel-6.8/2回目.log": "threads=8 kernel=6.8 rep=2"})
	checkFactors(t, map[string]string{"linux-5.15.0-91-generic/a.log": "log 8", "linux-6.8.0-rc1/a.log": "log 8"}, Options{},
		map[string]string{"linux-5.15.0-91-generic/a.log": "threads=8 kernel=5.15.0-91-generic", "linux-6.8.0-rc1/a.log": "threads=8 kernel=6.8.0-rc1"})
}

// When a session began says on which day its runs were, where nothing else does.
func TestDayOfASession(t *testing.T) {
	m, _ := ingestTree(t, Options{}, tree(t, map[string]string{"a/meta.json": `{"created_at": "2026-03-02T23:10:00Z"}`, "a/1.log": "log 8", "a/2.log": "log 8",
		"b/meta.json": `{"created_at": "2026-03-04T10:00:00Z", "day": "2026-03-03"}`, "b/1.log": "log 8", "b/2.log": "log 8"}))
	if a, b := m.run(t, "a/2.log"), m.run(t, "b/1.log"); a.Day != "2026-03-02" || b.Day != "2026-03-03" || !a.Started.IsZero() {
		t.Errorf("%s, %s", m.factors(a), m.factors(b))
	}
}

// The day that the path says settles which number of a date is the month.
func TestDateOrderOfTheFolder(t *testing.T) {
	iostat := "Linux 5.15.0 (db1) \t03/02/26 \t_x86_64_\t(8 CPU)\n\n03/02/26 10:00:00\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n          50.00    0.00   15.28    0.37    0.00   34.35\n\nDevice            r/s     rkB/s     w/s     wkB/s  %util\nvda              1.00      2.00    3.00      4.00   5.00\n\n"
	checkFactors(t, map[string]string{"2026-03-02/run1.log": "log 8", "2026-03-02/run1.iostat": iostat}, Options{},
		map[string]string{"2026-03-02/run1.log": "threads=8 day=2026-03-02 host=db1 started_from=side-file cores=8 kernel=5.15.0"})
}

// 8.1 is no version of a server where 8 are the threads of its log.
func TestThreadsBeforeADot(t *testing.T) {
	checkFactors(t, map[string]string{"base.8.1": "log 8", "base.8.2": "log 8", "base.32.1": "log 32", "base.32.2": "log 32", "new.8.1": "log 8", "new.8.2": "log 8", "new.32.1": "log 32", "new.32.2": "log 32"}, Options{},
		map[string]string{"base.8.1": "threads=8 path1=base rep=1", "new.32.2": "threads=32 path1=new rep=2"})
	checkFactors(t, map[string]string{"8.0/t8.log": "log 8", "8.0/t9.log": "log 9", "8.4/t8.log": "log 8"}, Options{}, map[string]string{"8.4/t8.log": "threads=8 version=8.4"})
}

// res.8 is no eighth result where its log has 8 threads, and other names say so.
func TestThreadsLikeRepetitions(t *testing.T) {
	checkFactors(t, map[string]string{"old/res.1.txt": "log 1", "old/res.8.txt": "log 8", "new/res.thr1.txt": "log 1", "new/res.thr8.txt": "log 8"}, Options{},
		map[string]string{"old/res.8.txt": "threads=8 path1=old", "new/res.thr8.txt": "threads=8 path1=new"})
	checkFactors(t, map[string]string{"t1/res.1.txt": "log 1", "t2/res.2.txt": "log 2", "t2/res.1.txt": "log 2"}, Options{},
		map[string]string{"t1/res.1.txt": "threads=1 rep=1", "t2/res.2.txt": "threads=2 rep=2"})
}

// ReadOnly and readwrite are workloads, as read_only is, and no arms.
func TestWorkloadsWrittenAsOneWord(t *testing.T) {
	checkFactors(t, map[string]string{"ReadOnly_BufferPool8G.log": "log 8", "ReadOnly_BufferPool16G.log": "log 8", "ReadWrite_BufferPool8G.log": "log 8", "ReadWrite_BufferPool16G.log": "log 8"}, Options{},
		map[string]string{"ReadOnly_BufferPool8G.log": "threads=8 workload=ReadOnly buffer_pool=8G"})
}

func TestStartInMetadata(t *testing.T) {
	checkFactors(t, map[string]string{"a/run.log": "log 8", "a/run.yaml": "start: 2026-03-02T10:00:00Z\nend: 2026-03-02T10:01:00Z\n", "b/run.log": "log 8", "b/run.yaml": "start: 7\n"}, Options{},
		map[string]string{"a/run.log": "threads=8 started_from=sidecar ended_at=2026-03-02T10:01:00Z path1=a", "b/run.log": "threads=8 path1=b start=7"})
}

// What a path tells apart and the metadata of all do not.
func TestMetadataOfAllIsCoarser(t *testing.T) {
	for _, c := range []struct{ names, metadata, run, want string }{
		{"%s/%s.log|8.0.36 8.4.3|a b", `{"version": 4, "name": "x"}`, "8.4.3/a.log", "threads=8 name=x path1=8.4.3 path2=a version=4"},
		{"%s/%s.log|2026-03-01 2026-03-02|a b", `{"date": "2026-02-20", "name": "x"}`, "2026-03-02/a.log", "threads=8 day=2026-03-02 name=x path1=a"},
		{"%s/%s.log|2026-03-01 2026-03-02|a b", `{"date": "2026-03-01", "name": "x"}`, "2026-03-02/a.log", "threads=8 day=2026-03-01 name=x path1=a"}, // a night
		{"%s/%s.log|a b|ro wo", `{"workload": "oltp", "name": "x"}`, "a/ro.log", "threads=8 workload=ro name=x path1=a"},
		{"tables_%s/%s.log|10 20|a b", `{"tables": 5, "name": "x"}`, "tables_20/a.log", "threads=8 name=x path1=a tables=20"},
		{"%s/run%s.log|a b|1 2", `{"rep": 5, "name": "x"}`, "a/run2.log", "threads=8 name=x path1=a rep=5"}, // no arm
	} {
		parts := strings.Split(c.names, "|")
		files := grid(parts[0], parts[1:]...)
		for name := range files {
			files[name] = "log 8"
		}
		files["meta.json"] = c.metadata
		checkFactors(t, files, Options{}, map[string]string{c.run: c.want})
	}
}

package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
)

// The folders here have the shapes that eight known harnesses leave behind; the
// contents are our own.

func TestBuildsByVersionByTier(t *testing.T) {
	files := map[string]string{}
	for _, build := range []string{"mysql", "mysql-non-pgo"} {
		for _, tier := range []string{"2G", "12G"} {
			for rep := 1; rep <= 2; rep++ {
				for _, threads := range []int{1, 16} {
					files[fmt.Sprintf("benchmark_logs/%s/9.7.0/run%d_Tier%s_RW_%dth.sysbench.txt", build, rep, tier, threads)] = fmt.Sprintf("log %d", threads)
				}
			}
		}
	}
	cell := "benchmark_logs/mysql/9.7.0/run1_Tier12G_RW_16th"
	files[cell+".iostat.txt"] = "Linux 6.8.0-60-generic (db7) \t04/29/2026 \t_x86_64_\t(80 CPU)\n\nDevice r/s\nsda 0.00\n\nDevice r/s\nsda 5.00\n"
	files[cell+".dstat.txt"] = "You did not select any stats, using -cdngy by default.\n----system---- ----total-usage----\n     time     |usr sys\n29-04 21:30:49|         \n29-04 21:30:50|  7   1\n"
	files[cell+".vmstat.txt"] = "procs -----------memory---------- ---swap--\n r  b   swpd   free   buff  cache\n 4  0   4352 75045820 2608760 99350112\n 5  0   4352 75045820 2608760 99350112\n"
	files["benchmark_logs/mysql/9.7.0/Tier12G.vars.txt"] = "autocommit\tON\nauto_increment_increment\t1\nback_log\t4096\nadmin_ssl_key\t/etc/key.pem\n"
	files["benchmark_logs/mysql/9.7.0/Tier12G.cnf.txt"] = "[mysqld]\ninnodb-buffer-pool-size = 12G # the tier\nskip-name-resolve\n[client]\npassword=hunter2\n"
	m, s := checkFactors(t, files, Options{}, map[string]string{
		cell + ".sysbench.txt": "threads=16 workload=RW host=db7 started_from=side-file build=mysql cores=80 kernel=6.8.0-60-generic rep=1 settings_from=benchmark_logs/mysql/9.7.0/Tier12G.vars.txt tier=12G",
		"benchmark_logs/mysql-non-pgo/9.7.0/run2_Tier2G_RW_1th.sysbench.txt": "threads=1 workload=RW build=mysql-non-pgo rep=2 tier=2G",
	})
	if r := m.run(t, cell+".sysbench.txt"); !r.Started.Equal(time.Date(2026, 4, 29, 21, 30, 49, 0, time.UTC)) {
		t.Errorf("started %s", r.Started)
	}
	for _, g := range []string{"build: 2 levels (mysql, mysql-non-pgo), from folder 2", "tier: 2 levels (2G, 12G), from the file name", "rep: 2 levels (1, 2)", "threads: 1, 16 in the file name always equals"} {
		if !mentions(s.Guesses, g) {
			t.Errorf("not said: %s\n%s", g, strings.Join(s.Guesses, "\n"))
		}
	}
	if !mentions(s.Notes, "UTC") {
		t.Errorf("dstat has no zone, but nothing is said: %q", s.Notes)
	}
	if s.Runs != 16 || s.Complete != 16 || s.Problems != 0 || s.Samples != 1+2+6 || s.Nothing != "" {
		t.Errorf("%+v\n%v", s, m.batch.Problems)
	}
	settings := map[string]string{}
	for _, x := range m.batch.Settings {
		settings[x.Name] = x.Value
	}
	if settings["autocommit"] != "ON" || settings["admin_ssl_key"] != "(removed)" || settings["innodb_buffer_pool_size"] != "12G" || settings["skip_name_resolve"] != "ON" || settings["client.password"] != "(removed)" {
		t.Errorf("settings %v", settings)
	}
}

func TestDatedTPCC(t *testing.T) {
	_, s := checkFactors(t, map[string]string{
		"res-tpcc-8.0.21-2020-07-16-15-30/mysql-8.0.21.BP140.NVMe.io15000/res.thr56txt":   "log 56",
		"res-tpcc-8.0.21-2020-07-16-15-30/mariadb-10.5.4.BP140.NVMe.io15000/res.thr56txt": "log 56",
		"res-tpcc-8.0.21-2020-07-29-16-25/mariadb-10.5.4.BP25.NVMe.io6000/res.thr8txt":    "log 8",
		"res-tpcc-8.0.21-2020-07-29-16-25/mariadb-10.5.4.BP25.NVMe.io6000/params.txt":     "server: ps8\nbuffer_pool: 25\nthreads: 8\nstorage: NVMe\nhost: node1\n",
	}, Options{}, map[string]string{
		"res-tpcc-8.0.21-2020-07-16-15-30/mysql-8.0.21.BP140.NVMe.io15000/res.thr56txt": "threads=56 workload=tpcc day=2020-07-16 bp=140 build=mysql io=15000 version=8.0.21",
		"res-tpcc-8.0.21-2020-07-29-16-25/mariadb-10.5.4.BP25.NVMe.io6000/res.thr8txt":  "threads=8 workload=tpcc day=2020-07-29 host=node1 bp=25 buffer_pool=25 build=mariadb io=6000 server=ps8 storage=NVMe version=10.5.4",
	})
	if !mentions(s.Guesses, "day: 2 levels (2020-07-16, 2020-07-29), from folder 1") {
		t.Errorf("%q", s.Guesses)
	}
}

func TestBrokenParameterFiles(t *testing.T) {
	_, s := checkFactors(t, map[string]string{
		"results/res-OLTP-RW-longwrite/mongowt.BP196/thr84/res.txt":       "log 84",
		"results/res-OLTP-RW-longwrite/mongowt.BP196/thr84/runparam.json": `{"cache-size":196,"user-threads":84}"`,
		"results/res-OLTP-RW-longwrite/mongowt.BP100/thr84/res.txt":       "log 84",
		"results/res-OLTP-RW-longwrite/mongowt.BP100/thr84/runparam.json": `{"cache-size":100,"user-threads":84}"`,
		"results/res-OLTP-RW-longwrite/mongowt.BP100/thr31/res.txt":       "log 31",
		"results/res-OLTP-RW-longwrite/mongowt.BP100/thr31/runparam.json": `{"cache-size":100,"user-threads":31}"`,
	}, Options{}, map[string]string{
		"results/res-OLTP-RW-longwrite/mongowt.BP196/thr84/res.txt": "threads=84 workload=OLTP-RW cache_size=196",
		"results/res-OLTP-RW-longwrite/mongowt.BP100/thr31/res.txt": "threads=31 workload=OLTP-RW cache_size=100",
	})
	if !mentions(s.Guesses, "says the same as cache_size") || !mentions(s.Guesses, "user_threads in the metadata always equals") {
		t.Errorf("%q", s.Guesses)
	}
}

// The same numbers under other names, in the metadata of some runs only: what the
// path and the log say of all is kept.
func TestMetadataRepeatsPath(t *testing.T) {
	files := map[string]string{}
	for i, bp := range []string{"4", "20", "100", "4", "20", "100", "100"} {
		threads := []string{"8", "16", "84"}[i/3]
		folder := "wt"
		if i < 3 {
			folder = "rocks"
			files[folder+"/m.BP"+bp+"/thr"+threads+"/runparam.json"] = `{"cachesize":` + bp + `}`
		} else {
			files[folder+"/m.BP"+bp+"/thr"+threads+"/runparam.json"] = `{"cache":` + bp + `,"userthread":` + threads + `,"sync":60}`
		}
		files[folder+"/m.BP"+bp+"/thr"+threads+"/res.txt"] = "log " + threads
	}
	files["rocks/m.BP4/thr1/res.txt"], files["rocks/m.BP4/thr1/runparam.json"] = "log 1", `{"cachesize":4,"userthread":1}`
	_, s := checkFactors(t, files, Options{}, map[string]string{
		"rocks/m.BP20/thr8/res.txt": "threads=8 bp=20 path1=rocks",
		"wt/m.BP20/thr16/res.txt":   "threads=16 bp=20 path1=wt sync=60",
		"rocks/m.BP4/thr1/res.txt":  "threads=1 bp=4 path1=rocks",
	})
	for _, want := range []string{"bp: cachesize in the metadata always equals it", "bp: cache in the metadata always equals it", "userthread in the metadata always equals the threads"} {
		if !mentions(s.Guesses, want) {
			t.Errorf("not a word of %q in %q", want, s.Guesses)
		}
	}
}

func TestSeriesAndRepeats(t *testing.T) {
	m, _ := checkFactors(t, map[string]string{
		"series15/res04/sysbench.ro.32.res": "log 32", "series15/res04/sysbench.rw.32.res": "log 32", "series15/res05/sysbench.ro.8.res": "log 8",
		"series16/res04/sysbench.ro.32.res": "log 32",
		"series15/res04/iostat.32.res":      "Linux 3.10.0 (perf1) \t2015-03-14 \t_x86_64_\t(32 CPU)\n\nDevice: r/s\nsda 0\n",
	}, Options{}, map[string]string{
		"series15/res04/sysbench.ro.32.res": "threads=32 workload=ro day=2015-03-14 host=perf1 cores=32 kernel=3.10.0 rep=4 series=15",
		"series15/res05/sysbench.ro.8.res":  "threads=8 workload=ro rep=5 series=15",
		"series16/res04/sysbench.ro.32.res": "threads=32 workload=ro rep=4 series=16",
	})
	if k := m.columns["rep"].Kind; k != datasets.IntKind {
		t.Errorf("rep is of kind %d", k)
	}
}

func TestBuildsAndConfigurationsInDots(t *testing.T) {
	checkFactors(t, map[string]string{
		"x.ma120101_rel_withdbg.z12b_c32r128.pk1/sb.o.point-query.range100.pk1.dop40":  "log 40",
		"x.ma120101_rel_withdbg.z12b_c32r128.pk1/sb.o.update-index.range100.pk1.dop40": "log 40",
		"x.ma100230_rel_withdbg.z12b_c32r128.pk1/sb.o.point-query.range10.pk1.dop1":    "log 1",
		"x.ma100230_rel_withdbg.z12b_c32r128.pk1/sb.vm.point-query.range10.pk1.dop1":   "procs -----------memory---------- ---swap--\n r  b   swpd\n 4  0   4352\n",
	}, Options{}, map[string]string{
		"x.ma120101_rel_withdbg.z12b_c32r128.pk1/sb.o.update-index.range100.pk1.dop40": "threads=40 workload=update-index build=ma120101 range=100",
		"x.ma100230_rel_withdbg.z12b_c32r128.pk1/sb.o.point-query.range10.pk1.dop1":    "threads=1 workload=point-query build=ma100230 range=10",
	})
}

func TestDatedSuites(t *testing.T) {
	m, _ := checkFactors(t, map[string]string{
		"small_2024-05-31_16_21.txt": "log 8", "small_2024-06-01_09_00.txt": "log 8", "large_2024-05-31_20_00.txt": "log 8",
	}, Options{}, map[string]string{
		"small_2024-05-31_16_21.txt": "threads=8 started_from=name path1=small",
		"large_2024-05-31_20_00.txt": "threads=8 started_from=name path1=large",
	})
	if r := m.run(t, "small_2024-05-31_16_21.txt"); !r.Started.Equal(time.Date(2024, 5, 31, 16, 21, 0, 0, time.UTC)) {
		t.Errorf("started %s", r.Started)
	}
}

func TestOptionsInScriptNames(t *testing.T) {
	checkFactors(t, map[string]string{
		"sb11-OLTP_RO_10M_8tab-pareto-p_sel1-notrx-socket.sh-threadpool.txt": "log 64",
		"sb11-OLTP_RO_10M_8tab-pareto-p_sel1-notrx-socket.sh-default.txt":    "log 64",
		"sb11-OLTP_RW_10M_1tab-pareto-p_sel1-notrx-socket.sh-default.txt":    "log 64",
	}, Options{}, map[string]string{
		"sb11-OLTP_RO_10M_8tab-pareto-p_sel1-notrx-socket.sh-threadpool.txt": "threads=64 workload=OLTP_RO path1=threadpool tab=8",
		"sb11-OLTP_RW_10M_1tab-pareto-p_sel1-notrx-socket.sh-default.txt":    "threads=64 workload=OLTP_RW path1=default tab=1",
	})
}

func TestLabelsWithBlanks(t *testing.T) {
	m, _ := checkFactors(t, map[string]string{
		"run_20260405_001738_vu64_3600s_BP 10G sweep/result.txt":        "log 64",
		"run_20260405_001738_vu64_3600s_BP 10G sweep/bench_params.json": `{"timestamp": "2026-04-05T00:17:38+00:00", "warehouses": 1000, "label": "BP 10G sweep"}`,
		"run_20260406_001738_vu32_3600s_BP 20G sweep/result.txt":        "log 32",
		"run_20260406_001738_vu32_3600s_BP 20G sweep/bench_params.json": `{"timestamp": "2026-04-06T00:17:38+00:00", "warehouses": 1000, "label": "BP 20G sweep"}`,
	}, Options{}, map[string]string{
		"run_20260405_001738_vu64_3600s_BP 10G sweep/result.txt": "threads=64 started_from=sidecar bp=10G label=BP 10G sweep warehouses=1000",
	})
	if m.columns["warehouses"].Role != datasets.Condition {
		t.Errorf("data size is a condition: %+v", m.columns["warehouses"])
	}
}

// The layout of our own recorder: one archive a session, a folder a launch, a
// JSON file beside each log.
func TestOwnRecorder(t *testing.T) {
	files := map[string]string{}
	order := 0
	for launch, arm := range []string{"jemalloc", "glibc-control", "glibc"} {
		for sweep := 1; sweep <= 2; sweep++ {
			for _, threads := range []int{1, 8} {
				order++
				stem := fmt.Sprintf("2026-11-30a/launch%02d-%s/%03d_oltp_read_only_%dth_sweep%d", launch+1, arm, order, threads, sweep)
				number, profiled := sweep, sweep == 2 && threads == 8
				if profiled {
					number = 3
					stem = fmt.Sprintf("2026-11-30a/launch%02d-%s/%03d_oltp_read_only_%dth_profile", launch+1, arm, order, threads)
					files[stem+".folded"] = "mariadbd;a;b 12\nmariadbd;a;c 3\n"
				}
				files[stem+".log"] = fmt.Sprintf("log %d", threads)
				files[stem+".json"] = fmt.Sprintf(`{"allocator": %q, "launch": "2026-11-30a-%02d", "session": "2026-11-30a", "day": "2026-11-30", "order": %d, "sweep": %d, "profiled": %v,
"workload": "oltp_read_only", "threads": %d, "tables": 4, "started_at": "2026-11-30T10:%02d:34.866194Z", "ended_at": "2026-11-30T10:%02d:59.9Z", "server_version": "10.11.19-MariaDB",
"kernel": "6.18", "cores": 2, "host": "242df6817b06", "load1_before": %d.25, "exit_status": 0}`, arm, launch+1, order, number, profiled, threads, order, order, order)
			}
		}
		files[fmt.Sprintf("2026-11-30a/launch%02d-%s/variables.tsv", launch+1, arm)] = "Variable_name\tValue\nallow_suspicious_udfs\tOFF\nmax_connections\t200\n"
	}
	files["2026-11-30a/session.json"] = `{"session": "2026-11-30a", "seed": 2026113001, "started": "2026-11-30T10:00:00Z", "host": "242df6817b06", "server_options": ["--a", "--b"], "plan": [{"order": 1}]}`
	first := "2026-11-30a/launch01-jemalloc/001_oltp_read_only_1th_sweep1.log"
	m, s := checkFactors(t, files, Options{}, map[string]string{
		first: "threads=1 workload=oltp_read_only day=2026-11-30 session=2026-11-30a launch=2026-11-30a-01 order=1 host=242df6817b06 started_from=sidecar allocator=jemalloc cores=2 " +
			"ended_at=2026-11-30T10:01:59.9Z exit_status=0 kernel=6.18 load1_before=1.25 profiled=false seed=2026113001 server_options=--a --b server_version=10.11.19-MariaDB session_started_at=2026-11-30T10:00:00Z settings_from=2026-11-30a/launch01-jemalloc/variables.tsv sweep=1 tables=4",
	})
	for _, name := range []string{"path1", "version", "rep", "size"} {
		if c, ok := m.columns[name]; ok {
			t.Errorf("guessed beside the metadata: %+v\n%s", c, strings.Join(s.Guesses, "\n"))
		}
	}
	for name, role := range map[string]datasets.Role{"allocator": datasets.Factor, "server_version": datasets.Factor, "kernel": datasets.Condition, "tables": datasets.Condition,
		"load1_before": datasets.Condition, "ended_at": datasets.Condition, "exit_status": datasets.Condition, "sweep": datasets.Factor} {
		if m.columns[name].Role != role {
			t.Errorf("%s is a %s", name, m.columns[name].Role)
		}
	}
	if len(m.batch.Settings) != 6 || m.batch.Settings[0].Source != "2026-11-30a/launch01-jemalloc/variables.tsv" {
		t.Errorf("settings %v", m.batch.Settings)
	}
	if len(s.Skipped) != 0 || s.Problems != 0 {
		t.Errorf("skipped %v, problems %v", s.Skipped, m.batch.Problems)
	}
	profiled := map[string]bool{}
	for _, r := range m.batch.Runs {
		if r.Factors["profiled"] == datasets.Bool(true) {
			profiled[r.ID] = true
		}
	}
	if len(profiled) != 3 || len(m.batch.Stacks) != 6 || s.Stacks != 6 {
		t.Errorf("%d profiled runs, stacks %v", len(profiled), m.batch.Stacks)
	}
	for _, stack := range m.batch.Stacks {
		if !profiled[stack.RunID] || stack.Comm != "mariadbd" {
			t.Errorf("%+v is of no profiled run", stack)
		}
	}
}

// Repeated runs are told by their names also where other files have names of
// another kind.
func TestRunsBesideOtherNames(t *testing.T) {
	checkFactors(t, map[string]string{
		"host1/delay_0/run1.txt": "log 8", "host1/delay_0/run2.txt": "log 8", "host1/delay_5/run1.txt": "log 8", "host1/delay_5/run2.txt": "log 8",
		"share/tests/api_sql_mysql.t": failedLog, "share/tests/cmd_run.t": failedLog,
	}, Options{}, map[string]string{
		"host1/delay_0/run1.txt": "threads=8 path1=host1 path2=delay_0 rep=1",
		"host1/delay_5/run2.txt": "threads=8 path1=host1 path2=delay_5 rep=2",
	})
}

// What a file of docker compose says of its containers is nothing that a run was
// made with; its version is not the server's.
func TestComposeIsNoMetadata(t *testing.T) {
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{
		"docker-compose.yml": "version: '3.1'\n\nservices:\n\n  # the server\n  db:\n    restart: always\n    image: mysql:8.0\n    environment:\n      TZ: UTC\n",
		"a.log":              "log 8",
	}))
	for name := range m.batch.Runs[0].Factors {
		if strings.HasPrefix(name, "services") || name == "version" {
			t.Errorf("factor %s", name)
		}
	}
	if len(s.Skipped) != 1 || s.Skipped[0].Kind != "description of containers" {
		t.Errorf("%+v", s.Skipped)
	}
}

// The number behind a version is a part of it also where another version has none.
func TestVersionsOfForks(t *testing.T) {
	checkFactors(t, map[string]string{
		"mysql/9.7.0/r1.log": "log 8", "ps/8.4.9-9/r1.log": "log 8", "ps/9.7.0/r1.log": "log 8",
	}, Options{}, map[string]string{
		"mysql/9.7.0/r1.log": "threads=8 build=mysql version=9.7.0",
		"ps/8.4.9-9/r1.log":  "threads=8 build=ps version=8.4.9-9",
		"ps/9.7.0/r1.log":    "threads=8 build=ps version=9.7.0",
	})
}

// One odd name does not cost the others their factors.
func TestOddNameBesideMany(t *testing.T) {
	files := map[string]string{"smoke.log": "log 8"}
	for node := 1; node <= 2; node++ {
		for rep := 1; rep <= 3; rep++ {
			for _, test := range []string{"cpu_T008", "cpu_T016", "mem200"} {
				threads := "log 8"
				if test == "cpu_T016" {
					threads = "log 16"
				}
				files[fmt.Sprintf("vipers-node%d_sysbench%d_%s.log", node, rep, test)] = threads
			}
		}
	}
	checkFactors(t, files, Options{}, map[string]string{
		"vipers-node1_sysbench2_cpu_T016.log": "threads=16 node=1 path1=cpu sysbench=2",
		"vipers-node2_sysbench3_mem200.log":   "threads=8 node=2 path1=mem200 sysbench=3",
		"smoke.log":                           "threads=8 path2=smoke",
	})
}

// Folders of custom tests are the workload, also with one odd name among them.
func TestCustomTests(t *testing.T) {
	files := map[string]string{}
	for _, test := range []string{"confusion", "insert_auto", "oltp_notrx", "select_group_by", "update_non_index"} {
		for rep := 1; rep <= 2; rep++ {
			files[fmt.Sprintf("%s/%d/a.log", test, rep)] = "log 8"
		}
	}
	checkFactors(t, files, Options{}, map[string]string{"confusion/1/a.log": "threads=8 workload=confusion path1=1"})
	checkFactors(t, map[string]string{"select-opt/a.log": "log 8", "insert-opt/a.log": "log 8", "plain/a.log": "log 8"}, Options{}, map[string]string{
		"plain/a.log": "threads=8 path1=plain",
	})
}

// A number behind the name of a metric hides no metric.
func TestMetricInName(t *testing.T) {
	m, _ := checkFactors(t, map[string]string{"on/tps-1.log": "log 8", "on/tps-2.log": "log 8", "off/tps-1.log": "log 8"}, Options{}, map[string]string{
		"on/tps-2.log": "threads=8 path1=on path2=2",
	})
	if r := m.run(t, "on/tps-1.log"); !(r.Metrics["tps"] > 0) {
		t.Errorf("%v", r.Metrics)
	}
}

// What other programs write in columns of numbers is no profile.
func TestNumbersAreNoStacks(t *testing.T) {
	m, _ := ingestTree(t, Options{}, tree(t, map[string]string{
		"a.log": "log 8", "run1.9026": "1777879493 8469 75759869 9079 3094\n1777879503 9701 79991821 7118 2951\n",
		"19.ans": "   3001001 amalg #1   358\n   5002002 import #2   503\n", "menu.sh": "E='echo';trap \"R;exit\" 2\n$E a; b 1\n",
	}))
	if len(m.batch.Runs) != 1 {
		t.Errorf("%d runs", len(m.batch.Runs))
	}
}

// A parser that holds a sample of a log is no run, results of TPC-C are.
func TestSourcesAreNoLogs(t *testing.T) {
	sample := "package x\n\nconst sample = `\n" + logText(8, 5, 1) + "`\n"
	m, s := ingestTree(t, Options{}, tree(t, map[string]string{
		"results/a.tpc.c": "log 8", "parse/parse_test.go": sample, "parse/main.c": "#include <stdio.h>\n" + logText(8, 5, 1), "analysis.ipynb": `{"cells": [], "x": 1}`, "menu.tcl": "set a; b 12\n",
		"sysbench/tests/t/run.t": "  $ sysbench oltp_read_only run\n  sysbench * (glob)\n" + strings.ReplaceAll("\n"+logText(8, 5, 1), "\n", "\n  "), "answers/1.ans": "l_shipmode,revenue\nMAIL,801.5\nSHIP,812.75\n",
		"package.json": `{"name": "x", "version": "1.0.0", "dependencies": {"mysql2": "^2.3.3"}}`,
	}))
	if len(m.batch.Runs) != 1 || len(m.batch.Problems) > 0 {
		t.Errorf("%d runs, %v", len(m.batch.Runs), m.batch.Problems)
	}
	if !slices.ContainsFunc(s.Skipped, func(k Skipped) bool { return k.Kind == "document" && k.Files == 7 }) {
		t.Errorf("%+v", s.Skipped)
	}
}

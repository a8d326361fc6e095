package layout

import (
	"strings"
	"testing"
)

func TestLayoutMatch(t *testing.T) {
	check := func(template, path, want string) {
		t.Helper()
		l, err := Parse(template)
		if err != nil {
			t.Fatal(err)
		}
		found, ok := l.Match(path)
		var parts []string
		for _, n := range found {
			parts = append(parts, n.Name+"="+n.Text)
		}
		got := strings.Join(parts, " ")
		if !ok {
			got = "no"
		}
		if got != want {
			t.Errorf("%s on %s: got %q, want %q", template, path, got, want)
		}
	}
	check("{a}_{b}.log", "x_y_z.log", "a=x b=y_z") // the first takes the shortest
	check("{a}/{a}.log", "x/x.log", "a=x")
	check("{a}/{a}.log", "x/y.log", "no")
	check("{a}.log", "x/y.log", "no") // a name has no /
	check("*/{a}.log", "x/y.log", "a=y")
	check("**/{a}.log", "y.log", "a=y")
	check("**/{a}.log", "p/q/y.log", "a=y")
	check("r+{a}(1).log", "r+x(1).log", "a=x") // no regular expression
	check("{a}{_}.log", "x1.log", "a=x")
	check("./{a}.log", "x.log", "a=x")
	for _, bad := range []string{"", "{a", "a}", "{}", "{a b}", "{1}", "{password}", "^(", "^(?P<password>x)", "^(?P<1>x)", "{" + strings.Repeat("a", 41) + "}"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func FuzzLayout(f *testing.F) {
	f.Add("{a}/{b}.log", "x/y.log")
	f.Add("**/{a}_*{_}", "p/q_r")
	f.Add("{a}{a}", "xx")
	f.Fuzz(func(t *testing.T, template, path string) {
		l, err := Parse(template)
		if err != nil {
			return
		}
		found, ok := l.Match(path)
		for _, n := range found {
			if v := n.Text; !ok || v == "" || strings.Contains(v, "/") {
				t.Fatalf("%q on %q: %s=%q", template, path, n.Name, v)
			}
		}
	})
}

// Every preset takes the path that its line in the help shows, and no other does.
func TestPresets(t *testing.T) {
	for path, want := range map[string]string{
		"x/mysql-pgo/9.7.0/run1_Tier12G_RW_16th.sysbench.txt":                                   "percona-2026: build=mysql-pgo version=9.7.0 rep=1 pool=12G mode=RW threads=16",
		"res-tpcc-8.0.21-2020-07-16-15-30/mariadb-10.5.4.BP140/res.thr56txt":                    "percona-2020: series=8.0.21 session=2020-07-16-15-30 day=2020-07-16 build=mariadb-10.5.4 pool=140 threads=56",
		"res-tpcc-8.0.21-2020-07-29-16-25/mariadb-BP25.NVMe.io15000/res.thr56txt":               "percona-2020: series=8.0.21 session=2020-07-29-16-25 day=2020-07-29 build=mariadb pool=25 storage=NVMe io_capacity=15000 threads=56",
		"res-tpcc--2020-01-17-16-37/1/res.thr1.txt":                                             "percona-2020: session=2020-01-17-16-37 day=2020-01-17 build=1 threads=1",
		"res-tpcc-8.0.21-2020-07-18-06-29/mysql-8.0.21.BP140.lru256.NVME/res.thr56txt":          "percona-2020: series=8.0.21 session=2020-07-18-06-29 day=2020-07-18 build=mysql-8.0.21 pool=140 lru=256 storage=NVME threads=56",
		"res-mysql-8.0.21-tpcc-NVME-BP25GB-2020-07-29-08-59/io5000/res.thr56.txt":               "percona-2020: build=mysql-8.0.21 storage=NVME pool=25 session=2020-07-29-08-59 day=2020-07-29 io_capacity=5000 threads=56",
		"res-mariadb-10.5.5-BP140-NVMe-tpcc-2020-08-13-05-52/io15000/res.thr56.txt":             "percona-2020: build=mariadb-10.5.5 pool=140 storage=NVMe session=2020-08-13-05-52 day=2020-08-13 io_capacity=15000 threads=56",
		"bench/x.ma120101_rel_withdbg.z12b_c32r128.pk1/sb.met.hot-points.range100.pk1.dop8":     "mdcallag: build=ma120101_rel_withdbg cnf=z12b machine=c32r128 pk=1 workload=hot-points range_size=100 threads=8",
		"results/res-OLTP-RW-thread-scale-pm1725-8t-rocks/mongowt.BP200/thr31/res.txt":          "percona-2016: series=OLTP-RW-thread-scale-pm1725-8t-rocks build=mongowt pool=200 threads=31",
		"Archive/sysbench-runs/series22/res06/sysbench.ro.128.res":                              "hgxl64: series=22 rep=06 workload=ro threads=128",
		"series01/res1/sysbench.128.res":                                                        "hgxl64: series=01 rep=1 threads=128",
		"bench/x.ma120101_rel_withdbg.z12b_c32r128.pk1/sb.o.point-query.range100.pk1.dop40":     "mdcallag: build=ma120101_rel_withdbg cnf=z12b machine=c32r128 pk=1 workload=point-query range_size=100 threads=40",
		"logs/percona-840_select_2024-05-31_16_21.txt":                                          "tusamarco: suite=percona-840_select day=2024-05-31",
		"sb11-OLTP_RO_10M_8tab-uniform-p_sel1-reconnect-notrx-socket.sh-thread_pool_hybrid.txt": "bmk-kit: workload=OLTP_RO rows=10M tables=8 rand_type=uniform options=p_sel1-reconnect-notrx-socket handler=thread_pool_hybrid",
		"log/20260131120000_64_300_2_out":                                                       "bmk-kit: started_at=20260131120000 users=64 seconds=300 client=2",
		"results/run_20260405_001738_vu64_3600s_BP 10G sweep/result.txt":                        "tpcc-framework: started_at=20260405_001738 threads=64 seconds=3600 pool=10G label=sweep",
	} {
		got := ""
		for _, p := range Presets {
			layouts, err := Parse(p.templates...)
			if err != nil {
				t.Fatal(err)
			}
			if found, ok := layouts.Match(path); ok {
				got += p.Name + ":"
				for _, n := range found {
					got += " " + n.Name + "=" + n.Text
				}
			}
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", path, got, want)
		}
	}
}

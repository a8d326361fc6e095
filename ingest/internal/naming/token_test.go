package naming

import (
	"strconv"
	"strings"
	"testing"
)

// cut writes the tokens of a name: named ones as name=value, others as they are.
func cut(segment string) string {
	var parts []string
	for _, t := range tokens(segment) {
		switch {
		case t.name != "":
			parts = append(parts, t.name+"="+t.value)
		case t.glued:
			parts = append(parts, "~"+t.text)
		default:
			parts = append(parts, t.text)
		}
	}
	return strings.Join(parts, " | ")
}

func TestTokens(t *testing.T) {
	for segment, want := range map[string]string{
		"run1_Tier12G_RW_128th":            "rep=1 | tier=12G | workload=RW | threads:th=128",
		"9.7.0-er_t8":                      "version=9.7.0-er | threads:t=8",
		"9.6":                              "version=9.6",
		"0.95":                             "0 | 95", // no server has this version
		"mysql-non-pgo":                    "mysql | non | pgo",
		"mysql8.0.42":                      "mysql | version=8.0.42",
		"ps-8.0.42-33":                     "ps | version=8.0.42 | ~33",
		"r8.0-1":                           "version=8.0 | ~1",
		"rel10.11_8th":                     "version=10.11 | threads:th=8",
		"v10.11.6-rc1":                     "version=10.11.6-rc1",
		"res-tpcc-8.0.21-2020-07-16-15-30": "res | workload=tpcc | version=8.0.21 | started_at=2020-07-16T15:30:00",
		"mariadb-10.5.4.BP140.NVMe":        "mariadb | version=10.5.4 | bp=140 | NVMe",
		"2026-01-31":                       "day=2026-01-31",
		"x20260131y":                       "x20260131y", // inside a word it is no date
		"x_20260131":                       "x | day=2026-01-31",
		"2026-11-30a":                      "session=2026-11-30a",
		"2026-13-01":                       "2026 | 13 | 01",
		"20260204_083512":                  "started_at=2026-02-04T08:35:12",
		"2026-02-04T08:35:12Z":             "started_at=2026-02-04T08:35:12",
		"20260131_64th":                    "day=2026-01-31 | threads:th=64",
		"1779094865_x":                     "started_at=2026-05-18T09:01:05 | x", // date -u -d @1779094865
		"03-04-2026":                       "ambiguous-date=03-04-2026",
		"31-01-2026":                       "day=2026-01-31",
		"threads=8_bp=32G":                 "threads=8 | bp=32G",
		"run1_buffer_pool=32G":             "rep=1 | buffer_pool=32G",
		"run=3,mode=a-b":                   "rep=3 | mode=a-b",
		"rep-1":                            "rep=1",
		"run_2":                            "rep=2",
		"r3":                               "rep=3",
		"RDS-RW-200k-16T":                  "RDS | workload=RW | size=200k | threads:t=16",
		"GP1.2TB":                          "gp=1 | size=2TB",
		"r1234":                            "commit=r1234",
		"Results (threads=32)":             "Results | threads=32",
		"02-Mar-2026":                      "day=2026-03-02",
		"run_2Mar2026_8th":                 "run | day=2026-03-02 | threads:th=8",
		"2026-March-02":                    "day=2026-03-02",
		"Mar 2 2026":                       "day=2026-03-02",
		"mar02_8th":                        "day=03-02 | threads:th=8",
		"base-2mar":                        "base | day=03-02",
		"mar32":                            "mar=32",
		"marathon-2-2026":                  "marathon=2 | 2026",
		"r8g.2xlarge":                      "instance=r8g.2xlarge",
		"t2-small-200k":                    "instance=t2-small | size=200k",
		"Aurora-5tables-db.r5.xlarge-1":    "Aurora | tables=5 | instance=r5.xlarge | 1",
		"x_n1-standard-16_8th":             "x | instance=n1-standard-16 | threads:th=8",
		"ps8-large":                        "ps8 | large",
		"launch-02":                        "launch=02",
		"day3":                             "day=day3",
		"night3":                           "day=night3",
		"02.03.2026":                       "day=2026-03-02",
		"oltp_read_write_16":               "workload=oltp_read_write | 16",
		"oltp-8":                           "oltp | 8",
		"sysbench.ro.32":                   "sysbench | workload=ro | 32",
		"pareto-p_sel1":                    "pareto | p | sel=1",
		"32G":                              "size=32G",
		"10M_8tab":                         "size=10M | tab=8",
		"3600s":                            "time=3600s",
		"df1c3ae":                          "commit=df1c3ae",
		"deadline":                         "deadline",
		"BP 10G sweep":                     "bp=10G | sweep",
		"基準_8th":                           "基準 | threads:th=8",
		"":                                 "",
		"___":                              "",
	} {
		if got := cut(segment); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", segment, got, want)
		}
	}
}

func TestStem(t *testing.T) {
	for name, want := range map[string]string{
		"a.log": "a", "a.log.gz": "a", "run1.sysbench.txt": "run1", "res.thr56txt": "res.thr56", "9.7.0-er_t8.log": "9.7.0-er_t8", "8.0.42": "8.0.42", ".log": ".log",
		"sysbench.ro.32.res": "sysbench.ro.32", "s.tar.xz": "s", "noend": "noend", "a.LOG": "a",
	} {
		if got := Stem(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestAlign(t *testing.T) {
	check := func(want string, segments ...string) {
		t.Helper()
		var parts []string
		for _, l := range (slot{place: "here", segments: segments}).align() {
			if l.varies() {
				parts = append(parts, l.name+"("+strings.Join(l.values, ",")+")")
			}
		}
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", segments, got, want)
		}
	}
	check("(mysql,mysql-non-pgo)", "mysql", "mysql-non-pgo")
	check("(mysql-pgo,mysql-lto)", "mysql-pgo", "mysql-lto")
	check("(pgo,lto)", "x-pgo", "x-lto")
	check("(a,c) (b,d)", "a-b", "c-d")
	check("version(9.7.0,trunk)", "9.7.0", "trunk")
	check("rep(1,2) (without,retry1)", "run1", "run2_retry1")
	check("(hot-points,scan)", "sb.o.hot-points.x", "sb.o.scan.x")
	check("", "same", "same")
	check("(deep,)", "deep", "")
	check("version(8.0.1,8.0.2) (5,6)", "8.0.1-5", "8.0.2-6")
	check("version(8.0.1,8.0.2) version(9.0.1,9.0.2)", "8.0.1_9.0.1", "8.0.2_9.0.2")
	check("version(4.9.62-21.56,4.9.76-3.78)", "net-4.9.62-21.56-x", "net-4.9.76-3.78-x")
	check("rep(,2,r)", "node1-x-2020-08-21-11-34", "node1-x-2020-08-21-11-34-r2", "node1-x-2020-08-21-11-34-r")
}

// Names that do not line up, because several tests or tools lie in one folder: the
// threads of the log are no part of what the test is called.
func TestThreadsInUnequalNames(t *testing.T) {
	for _, c := range []struct {
		want  string
		names string // with the threads of the log
	}{
		{"threads:(8,16,4,8,) (cpu_io,cpu_io,memory_1K,memory_1K,load)", "cpu_io_8=8 cpu_io_16=16 memory_1K_4=4 memory_1K_8=8 load=0"},
		{"threads:(8,16,) (res,res,single.node)", "res_thr8=8 res_thr16=16 single.node=0"},
		{"(cpu-8,cpu-16,memory_1K)", "cpu-8=1 cpu-16=1 memory_1K=1"}, // something else
		{"(x,x,x) (1,2,3)", "x_1=1 x_2=2 x_3=1"},                     // once or twice by chance
		{"threads:(1,2,1,4) workload(rw,rw,rw,rw) rep(1,1,2,3)", "rw_1_1=1 rw_2_1=2 rw_1_2=1 rw_4_3=0"},
		{"threads:(1,2,1,2,4) workload(rw,rw,rw,rw,rw) rep(1,1,2,2,1)", "rw_1_1=1 rw_2_1=2 rw_1_2=1 rw_2_2=2 rw_4_1=0"}, // of a log that does not say
	} {
		var s slot
		for _, word := range strings.Fields(c.names) {
			name, threads, _ := strings.Cut(word, "=")
			n, _ := strconv.Atoi(threads)
			s.segments, s.threads = append(s.segments, name), append(s.threads, n)
		}
		var parts []string
		for _, l := range s.align() {
			parts = append(parts, l.name+"("+strings.Join(l.values, ",")+")")
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.names, got, c.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"run1_Tier12G_RW_128th", "9.7.0-er_t8", "2026-01-31_x=1", "mysql8.0.42-33", "\xff_1", "基準=2G"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "\uFFFD") // as names are
		at := 0
		for _, x := range tokens(s) {
			if x.from < at || x.to() > len(s) || x.text == "" || s[x.from:x.to()] != x.text {
				t.Fatalf("%q: token %+v", s, x)
			}
			at = x.to()
		}
		Stem(s)
		(slot{segments: []string{s, "x_1"}}).align()
	})
}

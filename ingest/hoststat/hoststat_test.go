package hoststat

import (
	"testing"
	"time"
)

// The heads are written here after real ones of sysstat 12.5, procps 4, dstat 0.7.4.
const (
	iostatHead = "Linux 6.8.0-60-generic (db7.example.org) \t05/15/2026 \t_x86_64_\t(80 CPU)\n\nDevice            r/s     rMB/s\nsda              0.00      0.00\n"
	dstatHead  = "You did not select any stats, using -cdngy by default.\n----system---- ----total-usage---- -dsk/total-\n     time     |usr sys idl wai stl| read  writ\n" +
		"15-05 15:38:05|                   |           \n15-05 15:38:06| 99   1   0   0   0|   0   317M\n"
	vmstatHead = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n" +
		" 4  0   4352 75045820 2608760 99350112    0    0  3365  3913 1696    0  0  0 100  0  0\n"
	innodbHead = "timestamp,adaptive_hash_pages_added,buffer_pool_reads\n1779094865.303,0,12\n"
)

func TestSniff(t *testing.T) {
	for text, want := range map[string]Kind{
		iostatHead: Iostat, dstatHead: Dstat, vmstatHead: Vmstat, innodbHead: InnoDB,
		"Linux 6.8.0 (h) \t2026-05-15 \t_x86_64_\t(2 CPU)\n\n15:38:05     CPU    %usr   %nice\n15:38:06     all    1.00\n":                  Mpstat,
		"Linux 6.8.0 (h) \t05/15/26 \t_aarch64_\t(2 CPU)\n\n# Time        UID       PID    %usr\n1692579199      0         1    0.00\n":     Pidstat,
		"Linux 6.8.0 (h) \t05/15/26 \t_x86_64_\t(2 CPU)\n\n12:00:01 AM     CPU     %user     %nice\n":                                       Sar,
		"\"Dstat 0.7.3 CSV output\"\n\"Author:\",\"x\"\n\"Host:\",\"db7\",,,,\"User:\",\"u\"\n":                                             Dstat,
		"Linux 6.8.0 (h) \t05/15/2026 \t_x86_64_\t(2 CPU)\n\n05/15/2026 03:38:05 PM\navg-cpu:  %user   %nice %system\n           0.1 0 0\n": Iostat,
		"timestamp,nopm,tpm\n1,2,3\n":         "",
		"Linux is a kernel (mostly)\n":        "",
		"a,b\n1,2\n":                          "",
		"sysbench 1.0.20 (using bundled LuaJ": "",
		"":                                    "",
	} {
		if got := Sniff([]byte(text)); got != want {
			t.Errorf("%.40q: got %q, want %q", text, got, want)
		}
	}
}

func read(t *testing.T, text string) Head {
	t.Helper()
	kind := Sniff([]byte(text))
	if kind == "" {
		t.Fatalf("%.40q: no kind", text)
	}
	return ReadHead(kind, []byte(text))
}

func TestReadHead(t *testing.T) {
	h := read(t, iostatHead)
	if h.Host != "db7.example.org" || h.Kernel != "6.8.0-60-generic" || h.CPUs != 80 || h.Arch != "x86_64" || h.Date.Year != 2026 || h.Date.Month != 5 || h.Date.Day != 15 || h.Date.Order() != 1 || h.Clock != -1 {
		t.Errorf("iostat: %+v", h)
	}
	h = read(t, dstatHead)
	if h.Date != (Date{Month: 5, Day: 15}) || h.Clock != 15*time.Hour+38*time.Minute+5*time.Second {
		t.Errorf("dstat: %+v", h)
	}
	h = read(t, innodbHead)
	if !h.Epoch.Equal(time.Date(2026, 5, 18, 9, 1, 5, 303e6, time.UTC)) { // date -u -d @1779094865
		t.Errorf("innodb: %+v", h)
	}
	h = read(t, vmstatHead)
	if h.Date.Known() || h.Clock != -1 {
		t.Errorf("vmstat: %+v", h)
	}
	h = read(t, "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n r  b   swpd   free  inact active   si   so    bi    bo   in   cs us sy id wa st                 UTC\n"+
		" 2  0      0 2794716 295968 312724    0    0     1     3   29   57  0  0 99  0  0 2021-09-16 20:33:13\n")
	if h.Date != (Date{Year: 2021, Month: 9, Day: 16}) || h.Clock != 20*time.Hour+33*time.Minute+13*time.Second || h.Zone != "UTC" {
		t.Errorf("vmstat -t: %+v", h)
	}
	h = read(t, "Linux 6.8.0 (h) \t05/15/2026 \t_x86_64_\t(2 CPU)\n\n05/15/2026 03:38:05 PM\navg-cpu:  %user\n")
	if h.Clock != 15*time.Hour+38*time.Minute+5*time.Second {
		t.Errorf("iostat -t: %+v", h)
	}
	h = read(t, "Linux 6.8.0 (h) \t2026年05月15日 \t_x86_64_\t(2 CPU)\n\n12時00分01秒 CPU %usr\n")
	if h.Date != (Date{Year: 2026, Month: 5, Day: 15}) {
		t.Errorf("Japanese locale: %+v", h)
	}
	h = read(t, "Linux 6.8.0 (h) \t05/15/26 \t_x86_64_\t(2 CPU)\n\n# Time        UID       PID    %usr\n1692579199      0         1    0.00\n")
	if h.Epoch.Unix() != 1692579199 || h.Date.Year != 2026 {
		t.Errorf("pidstat -h: %+v", h)
	}
}

func TestDoubtfulDate(t *testing.T) {
	d := date("04/05/2026")
	if d.Known() || !d.Doubtful() || d.Order() != 0 {
		t.Errorf("04/05/2026: %+v", d)
	}
	if r := d.Resolve(true); r.Month != 4 || r.Day != 5 {
		t.Errorf("month first: %+v", r)
	}
	if r := d.Resolve(false); r.Month != 5 || r.Day != 4 {
		t.Errorf("day first: %+v", r)
	}
	if d := date("15/05/2026"); d.Order() != -1 || d.Month != 5 {
		t.Errorf("15/05/2026: %+v", d)
	}
	for _, bad := range []string{"", "40/40/2026", "0/1/2026", "2026-13-01", "today"} {
		if d := date(bad); d.Known() || d.Doubtful() {
			t.Errorf("%s: %+v", bad, d)
		}
	}
}

func FuzzReadHead(f *testing.F) {
	for _, s := range []string{iostatHead, dstatHead, vmstatHead, innodbHead} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if kind := Sniff(data); kind != "" {
			h := ReadHead(kind, data)
			if h.Date.Month < 0 || h.Date.Month > 12 || h.Date.Day > 31 || h.Clock < -1 || h.Clock > 25*time.Hour {
				t.Fatalf("%+v", h)
			}
		}
	})
}

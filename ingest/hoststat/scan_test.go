package hoststat

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

var recordingDay = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

// kindOf sniffs a text as ingest does.
func kindOf(text string) Kind { return Sniff([]byte(text[:min(len(text), 8<<10)])) }

// told writes what a scan of a kind gives, times from its start.
func told(kind Kind, day time.Time) func(io.Reader) ([]scantest.Record, error) {
	return func(text io.Reader) (list []scantest.Record, err error) {
		var problems []scantest.Record
		s, err := Scan(kind, text, Options{Day: day}, func(p datasets.Problem) {
			problems = append(problems, scantest.Problem(p))
		})
		for _, v := range s.Samples.Rows() {
			list = append(list, scantest.Record{Text: fmt.Sprintf("%.9g s: %s %.9g", v.T-s.Start, v.Metric, v.Value)})
		}
		return append(list, problems...), err
	}
}

// finds checks what is in a text on the day of the recordings.
func finds(t *testing.T, text string, want ...string) {
	t.Helper()
	kind := kindOf(text)
	if kind == "" {
		t.Errorf("nobody's:\n%s", text)
	}
	scantest.Finds(t, told(kind, recordingDay), text, want...)
}

// has checks some of the samples of a recording.
func has(t *testing.T, name string, kind Kind, clock Clock, start, reports, samples int, some ...string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := kindOf(string(data)); got != kind {
		t.Errorf("%s: taken for %q", name, got)
	}
	s, err := Scan(kind, strings.NewReader(string(data)), Options{Day: recordingDay}, nil)
	if err != nil {
		t.Error(err)
	}
	at := s.Start
	if clock == Moments {
		at -= float64(recordingDay.Unix())
	}
	if s.Clock != clock || int(at) != start || s.Reports != reports || s.Samples.Len() != samples {
		t.Errorf("%s: clock %d from %v, %d reports, %d samples", name, s.Clock, at, s.Reports, s.Samples.Len())
	}
	var all []string
	for _, v := range s.Samples.Rows() {
		all = append(all, fmt.Sprintf("%.9g s: %s %.9g", v.T-s.Start, v.Metric, v.Value))
	}
	for _, want := range some {
		if !slices.Contains(all, want) {
			t.Errorf("%s: no %q in\n%s", name, want, strings.Join(all, "\n"))
		}
	}
}

// The numbers are those of the files, read by eye: bytes = kB x 1024, waits in
// seconds = ms / 1000.
func TestRecorded(t *testing.T) {
	const h17 = 17 * 3600
	has(t, "vmstat", Vmstat, Reports, 0, 3, 3*17, "1 s: runnable 21", "3 s: io_write_bytes_per_s 401182720", "2 s: cpu_user_pct 88", "1 s: memory_free_bytes 1.93169981e+10")
	has(t, "vmstat-t", Vmstat, Moments, h17+37, 3, 3*17, "1 s: blocked 1")
	has(t, "vmstat-a", Vmstat, Reports, 0, 2, 2*17, "1 s: memory_inactive_bytes 3.55620045e+09")
	has(t, "vmstat-twn-SM", Vmstat, Moments, h17+37, 3, 3*18, "1 s: memory_free_bytes 1.93168671e+10", "2 s: io_write_bytes_per_s 27222016", "1 s: cpu_guest_pct 0")
	has(t, "iostat-dxm", Iostat, Reports, 0, 2, 44, "1 s: device_reads_per_s vda 62", "1 s: device_write_wait_s vda 6e-05", "1 s: device_read_bytes_per_s vda 912261.12")
	has(t, "iostat", Iostat, Reports, 0, 2, 20, "1 s: cpu_idle_pct 0")
	has(t, "iostat-c", Iostat, Reports, 0, 2, 12, "1 s: cpu_nice_pct 19.4")
	has(t, "iostat-xtk-iso", Iostat, Moments, h17+37, 2, 56, "1 s: device_util_pct vda 2.8", "2 s: device_write_bytes_per_s vda 26984939.5")
	has(t, "iostat-s", Iostat, Moments, h17+37, 2, 18)
	has(t, "iostat-json", Iostat, Moments, h17+37, 2, 56, "1 s: device_util_pct vda 2.8", "1 s: cpu_nice_pct 19.5", "1 s: device_reads_merged_pct vda 20.51")
	has(t, "mpstat", Mpstat, Moments, h17+38, 3, 30, "0 s: cpu_user_pct 66.17", "2 s: cpu_softirq_pct 0.5")
	has(t, "mpstat-P-ALL", Mpstat, Moments, h17+38, 3, 90, "1 s: cpu_user_pct cpu1 87.88", "1 s: cpu_user_pct 70.35")
	has(t, "mpstat-A", Mpstat, Moments, h17+38, 2, 86, "0 s: cpu_user_pct node0 66.19")
	has(t, "mpstat-json", Mpstat, Moments, h17+38, 3, 90, "1 s: cpu_user_pct cpu1 87.88")
	has(t, "dstat", Dstat, Reports, 0, 3, 39, "1 s: device_write_bytes_per_s 421527552", "1 s: interrupts_per_s 2216")
	has(t, "dstat-long", Dstat, Moments, h17+39, 3, 66, "1 s: memory_used_bytes 714080256", "1 s: load15 2.37", "3 s: net_receive_bytes_per_s 1063936")
	has(t, "dstat-csv", Dstat, Reports, 0, 2, 26, "2 s: device_write_bytes_per_s 876544")
	has(t, "dstat-csv-t", Dstat, Moments, h17+109, 2, 44, "1 s: cpu_user_pct 94.527", "1 s: memory_cache_bytes 4.94483456e+09")
	has(t, "dool", Dstat, Moments, h17+727, 2, 24, "2 s: device_write_bytes_per_s 4228096", "1 s: load1 4.13")
	has(t, "dool-ascii", Dstat, Moments, h17+729, 2, 44, "2 s: memory_available_bytes 2.44813136e+10")
	has(t, "dool-csv", Dstat, Moments, h17+731, 2, 18, "1 s: cpu_user_pct 85.859")
	has(t, "sar", Sar, Moments, h17+38, 3, 228, "1 s: device_util_pct vda 9.6", "2 s: context_switches_per_s 2923.76", "0 s: net_receive_packets_per_s eth0 14.71", "0 s: memory_available_bytes 2.42876252e+10", "2 s: load1 12.24")
	has(t, "sar-P-ALL", Sar, Moments, h17+39, 3, 90, "2 s: cpu_nice_pct cpu0 34")
	has(t, "sadf-d", Sar, Moments, h17+39, 3, 189, "1 s: device_util_pct vda 11.6", "0 s: cpu_user_pct 67.33")
	has(t, "sadf-j", Sar, Moments, h17+39, 3, 69, "2 s: load1 12.24", "0 s: memory_dirty_bytes 950489088", "0 s: memory_inactive_bytes 3.56154163e+09")
}

const top = "Linux 6.8.0 (db7) \t11/30/2026 \t_x86_64_\t(2 CPU)\n\n"

// Older versions and other locales, written after the manuals and sources of
// sysstat 9 to 12 and procps 3 and 4.
func TestVariants(t *testing.T) {
	// Before sysstat 11.7: a colon behind Device, sectors, svctm; decimal commas.
	finds(t, top+"Device:         rrqm/s   wrqm/s     r/s     w/s    rsec/s    wsec/s avgrq-sz avgqu-sz   await  svctm  %util\nsda               0,00     1,00    2,00    3,00     4,00     5,00    16,00     0,50    2,50   1,00   7,00\n"+
		"\nDevice:         rrqm/s   wrqm/s     r/s     w/s    rsec/s    wsec/s avgrq-sz avgqu-sz   await  svctm  %util\nsda               0,00     1,00    2,00    3,00     4,00     5,00    16,00     0,50    2,50   1,00   7,50\n",
		"1 s: device_reads_merged_per_s sda 0", "1 s: device_writes_merged_per_s sda 1", "1 s: device_reads_per_s sda 2", "1 s: device_writes_per_s sda 3",
		"1 s: device_read_bytes_per_s sda 2048", "1 s: device_write_bytes_per_s sda 2560", "1 s: device_request_bytes sda 8192", "1 s: device_queue sda 0.5", "1 s: device_wait_s sda 0.0025", "1 s: device_service_s sda 0.001", "1 s: device_util_pct sda 7.5")
	// The same tool called twice into one file: two averages since the start.
	one := "Device            tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsda              1.00         2.00         3.00          4          5\n\n"
	finds(t, top+one+one+top+one+one, "1 s: device_transfers_per_s sda 1", "1 s: device_read_bytes_per_s sda 2048", "1 s: device_write_bytes_per_s sda 3072",
		"2 s: device_transfers_per_s sda 1", "2 s: device_read_bytes_per_s sda 2048", "2 s: device_write_bytes_per_s sda 3072")
	// 12 hours, over midnight; a German average.
	finds(t, top+"11:59:58 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest   %idle\n11:59:59 PM  all    1.00    0.00    0.00    0.00    0.00    0.00    2.50    0.00   96.50\n"+
		"12:00:00 AM  all    2.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   98.00\nDurchschn.:  all    1.50    0.00    0.00    0.00    0.00    0.00    0.00    0.00   98.00\n",
		"0 s: cpu_user_pct 1", "0 s: cpu_nice_pct 0", "0 s: cpu_system_pct 0", "0 s: cpu_iowait_pct 0", "0 s: cpu_irq_pct 0", "0 s: cpu_softirq_pct 0", "0 s: cpu_steal_pct 2.5", "0 s: cpu_guest_pct 0", "0 s: cpu_idle_pct 96.5",
		"1 s: cpu_user_pct 2", "1 s: cpu_nice_pct 0", "1 s: cpu_system_pct 0", "1 s: cpu_iowait_pct 0", "1 s: cpu_irq_pct 0", "1 s: cpu_softirq_pct 0", "1 s: cpu_steal_pct 0", "1 s: cpu_guest_pct 0", "1 s: cpu_idle_pct 98")
	// mpstat without an interval tells the average since the start alone.
	finds(t, top+"17:00:37     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n17:00:37     all   66.17   19.90   13.43    0.00    0.00    0.50    0.00    0.00    0.00    0.00\n")
	// sar of a file: table after table, each over the same times; a restart; tables of other things.
	finds(t, top+"00:00:01        CPU     %user     %nice   %system   %iowait    %steal     %idle\n00:10:01        all      1.00      0.00      0.00      0.00      0.00     99.00\n00:20:01        all      2.00      0.00      0.00      0.00      0.00     98.00\n"+
		"\n00:21:00     LINUX RESTART\t(2 CPU)\n\n00:00:01     pswpin/s pswpout/s\n00:10:01         0.00      4.00\n00:20:01         0.00      0.00\n\n00:00:01    dentunusd   file-nr  inode-nr    pty-nr\n00:10:01         1434      1440     62380         3\n",
		"0 s: cpu_user_pct 1", "0 s: cpu_nice_pct 0", "0 s: cpu_system_pct 0", "0 s: cpu_iowait_pct 0", "0 s: cpu_steal_pct 0", "0 s: cpu_idle_pct 99",
		"600 s: cpu_user_pct 2", "600 s: cpu_nice_pct 0", "600 s: cpu_system_pct 0", "600 s: cpu_iowait_pct 0", "600 s: cpu_steal_pct 0", "600 s: cpu_idle_pct 98",
		"0 s: swap_in_pages_per_s 0", "0 s: swap_out_pages_per_s 4", "600 s: swap_in_pages_per_s 0", "600 s: swap_out_pages_per_s 0",
		"@7 restart 1: the machine was started again", "@13 table-not-read 1: dentunusd file-nr inode-nr pty-nr")
	// A locale that writes times with commas.
	finds(t, top+"21,06,15     proc/s   cswch/s\n21,06,16       1.00    200.00\nAverage:       1.00    200.00\n", "0 s: processes_created_per_s 1", "0 s: context_switches_per_s 200")
	// The headings come again; -n has them once. A line torn in the middle, as of a killed tool, and words between.
	vm := "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa\n"
	finds(t, vm+" 1  0      0 900000   1000  10000    0    0     1     1    1    1  1  1 98  0\n"+vm+" 2  0      0 900000   1000  10000    8    4     1     1    1    1  1  1 98  0\n 3  0      0 900000   10\nTerminated\n",
		"1 s: runnable 2", "1 s: blocked 0", "1 s: swap_used_bytes 0", "1 s: memory_free_bytes 921600000", "1 s: memory_buffers_bytes 1024000", "1 s: memory_cache_bytes 10240000", "1 s: swap_in_bytes_per_s 8192", "1 s: swap_out_bytes_per_s 4096",
		"1 s: io_read_bytes_per_s 1024", "1 s: io_write_bytes_per_s 1024", "1 s: interrupts_per_s 1", "1 s: context_switches_per_s 1", "1 s: cpu_user_pct 1", "1 s: cpu_system_pct 1", "1 s: cpu_idle_pct 98", "1 s: cpu_iowait_pct 0",
		"@7 torn-line 2:  3  0      0 900000   10")
	// A gap and a clock that is set back.
	rows := "17:00:37     CPU     %user   %idle\n"
	for _, at := range []string{"17:00:38", "17:00:39", "17:00:40", "17:01:40", "17:01:30"} {
		rows += at + "     all      1.00   99.00\n"
	}
	finds(t, top+rows, "0 s: cpu_user_pct 1", "0 s: cpu_idle_pct 99", "1 s: cpu_user_pct 1", "1 s: cpu_idle_pct 99", "2 s: cpu_user_pct 1", "2 s: cpu_idle_pct 99", "62 s: cpu_user_pct 1", "62 s: cpu_idle_pct 99", "52 s: cpu_user_pct 1", "52 s: cpu_idle_pct 99",
		"@7 gap 1: 60 s without a report, which come every 1 s", "@8 clock-step 1: the clock goes back by 10 s")
	// Numbers that cannot be, and none at all.
	finds(t, top+"17:00:37     CPU     %user   %idle\n17:00:38     all      -nan   99.00\n17:00:39     all     -3.00   99.00\n", "0 s: cpu_idle_pct 99", "1 s: cpu_idle_pct 99", "@5 impossible-number 1: cpu_user_pct -3")
	// dstat before 0.8 says nothing yet in its first row; one CPU by itself.
	finds(t, "----system---- -----cpu0-usage----\n     time     |usr sys idl wai stl\n30-11 19:30:28|                   \n30-11 19:30:29| 15   1  81   3   0\n",
		"1 s: cpu_user_pct cpu0 15", "1 s: cpu_system_pct cpu0 1", "1 s: cpu_idle_pct cpu0 81", "1 s: cpu_iowait_pct cpu0 3", "1 s: cpu_steal_pct cpu0 0")
	// JSON that ends in the middle, and JSON that breaks.
	report := `{"timestamp": "17:00:%02d", "cpu-load": [{"cpu": "all", "usr": 1.5, "idle": 98.5}]}`
	whole := `{"sysstat": {"hosts": [{"nodename": "db7", "statistics": [` + fmt.Sprintf(report, 38) + "," + fmt.Sprintf(report, 39)
	finds(t, whole+`, {"timestamp": "17:0`, "0 s: cpu_idle_pct 98.5", "0 s: cpu_user_pct 1.5", "1 s: cpu_idle_pct 98.5", "1 s: cpu_user_pct 1.5", "@1 broken-json 1: after 2 reports: unexpected EOF")
	finds(t, whole+"\x00\x00", "0 s: cpu_idle_pct 98.5", "0 s: cpu_user_pct 1.5", "1 s: cpu_idle_pct 98.5", "1 s: cpu_user_pct 1.5", "@1 broken-json 1: after 2 reports: expected comma after array element")
}

// Without a day, times of day count from the midnight before the first.
func TestNoDay(t *testing.T) {
	text := top + "23:59:58     CPU     %user   %idle\n23:59:59     all      1.00   99.00\n00:00:01     all      1.00   98.00\n"
	s, err := Scan(Sar, strings.NewReader(text), Options{}, nil)
	if err != nil || s.Clock != OfDay || s.Start != 86399 || s.Samples.T[3] != 86401 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestScanner(t *testing.T) {
	texts := map[Kind][]string{}
	recorded := scantest.Recorded(t)
	for _, name := range slices.Sorted(maps.Keys(recorded)) {
		kind := kindOf(recorded[name])
		texts[kind] = append(texts[kind], recorded[name])
	}
	for kind, list := range texts {
		t.Run(string(kind), func(t *testing.T) { scantest.Check(t, told(kind, recordingDay), list...) })
	}
}

func TestCut(t *testing.T) {
	for name, text := range scantest.Recorded(t) {
		kind := kindOf(text)
		t.Run(name, func(t *testing.T) { scantest.Cut(t, told(kind, recordingDay), scantest.Partly, text) })
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range scantest.Recorded(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		kind := Sniff(text)
		if kind == "" {
			kind = []Kind{Iostat, Mpstat, Sar, Vmstat, Dstat, Pidstat, Top, Free, Meminfo, Df, Disks, Prometheus}[len(text)%12]
		}
		ReadHead(kind, text)
		s, err := Scan(kind, strings.NewReader(string(text)), Options{Day: recordingDay}, func(p datasets.Problem) {
			if len(p.Text) > 200 || p.Kind == "" || p.Count < 1 || p.Line < 1 {
				t.Fatalf("problem %+v", p)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range s.Samples.Rows() {
			if !(v.Value >= 0) || math.IsInf(v.Value, 0) || v.Metric == "" || math.IsNaN(v.T) {
				t.Fatalf("%+v", v)
			}
		}
	})
}

package hoststat

import (
	"strings"
	"testing"

	"noisefloor/datasets"
)

// The numbers are those of the files, read by eye: bytes = kB x 1024.
func TestProcessesRecorded(t *testing.T) {
	const at = 20*3600 + 16*60 + 41
	has(t, "pidstat", Pidstat, Moments, at+1, 2, 2*2*15, "0 s: process_read_bytes_per_s mariadbd 0")
	has(t, "pidstat-u-iso", Pidstat, Moments, at+1, 3, 3*2*5, "1 s: process_cpu_pct mariadbd 64", "2 s: process_cpu_system_pct sysbench 18")
	has(t, "pidstat-h", Pidstat, Moments, at+1, 2, 2*2*15, "0 s: process_write_bytes_per_s mariadbd 3338240", "1 s: process_resident_bytes mariadbd 122896384", "1 s: process_minor_faults_per_s sysbench 14")
	has(t, "pidstat-Hh", Pidstat, Moments, at+1, 2, 2*2*10, "1 s: process_cpu_pct mariadbd 63")
	has(t, "pidstat-C-l", Pidstat, Moments, at+1, 1, 3*5, "0 s: process_cpu_pct sysbench 23.15")
	has(t, "pidstat-t", Pidstat, Moments, at+1, 1, 5, "0 s: process_cpu_pct mariadbd 59") // without the threads
	has(t, "pidstat-T-ALL", Pidstat, Moments, at+1, 1, 10)                                // without the times of children
	has(t, "pidstat-vsR", Pidstat, Moments, at+1, 1, 4, "0 s: process_threads mariadbd 17", "0 s: process_files sysbench 9")
	has(t, "pidstat-once", Pidstat, Moments, at, 1, 0) // since the processes began
	has(t, "top", Top, Moments, at, 2, 2*(17+2*5), "1 s: load5 13.14", "1 s: cpu_user_pct 49.6", "2 s: process_cpu_pct mariadbd 74.5", "1 s: process_resident_bytes mariadbd 122605568", "1 s: memory_available_bytes 2.34055795e+10")
	has(t, "top-c-E-g", Top, Moments, at, 2, 2*(17+2*5), "2 s: process_cpu_pct sysbench 28", "3 s: process_resident_bytes mariadbd 122997965")
	has(t, "top-H", Top, Moments, at, 1, 18, "1 s: cpu_idle_pct 0", "1 s: thread_cpu_pct mariadbd 132") // the sum of 17 threads
	has(t, "top-1", Top, Moments, at, 1, 3+8+3+2*5, "1 s: cpu_nice_pct cpu0 23.7")
	has(t, "free-s", Free, Reports, 0, 3, 3*6, "2 s: memory_free_bytes 6.96569856e+09")
	has(t, "free-h-s", Free, Reports, 0, 3, 3*6, "2 s: memory_free_bytes 6.97932186e+09") // 6.5Gi
	has(t, "free-w-m-t-s", Free, Reports, 0, 3, 3*7, "3 s: memory_buffers_bytes 243269632", "1 s: swap_used_bytes 0")
	has(t, "df", Df, Moments, at, 3, 3*2, "0 s: filesystem_used_bytes / 4.13427384e+10")
	has(t, "meminfo", Meminfo, Moments, at, 3, 3*15, "0 s: memory_dirty_bytes 849428480")
	has(t, "vmstat-TS", Vmstat, Moments, at, 3, 3*17) // each call's first report is left out
}

// Older versions, other options and other locales, written after the sources of
// sysstat 9 to 12 and procps 3 and 4.
func TestProcessVariants(t *testing.T) {
	// 12 hours, over midnight; users by name; a number that the caller may not see; processes of one name.
	finds(t, top+"11:59:58 PM     USER       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command\n11:59:59 PM    mysql      9950     -1.00     -1.00     -1.00       0  mysqld\n"+
		"11:59:59 PM     root      9951      1.00      2.00      0.00       0  /usr/bin/sysbench\n11:59:59 PM     root      9952      3.00      0.50      0.00       0  sysbench\n12:00:00 AM     root      9952      4.00      0.00      0.00       0  sysbench\n",
		"0 s: process_read_bytes_per_s sysbench 4096", "0 s: process_write_bytes_per_s sysbench 2560", "0 s: process_cancelled_write_bytes_per_s sysbench 0",
		"1 s: process_read_bytes_per_s sysbench 4096", "1 s: process_write_bytes_per_s sysbench 0", "1 s: process_cancelled_write_bytes_per_s sysbench 0")
	// sysstat 9: no users, seconds since 1970 with -h; decimal commas; a killed tool.
	finds(t, top+"#      Time       PID    %usr %system  %guest    %CPU   CPU  Command\n 1796069280      9950   39,00   20,00    0,00   59,00     1  mysqld\n\n#      Time       PID    %usr %system  %guest    %CPU   CPU  Command\n"+
		" 1796069285      9950   40,00   20,00    0,00   60,00     1  mysqld\n 1796069285      99\n 1796069290      9950   40,00   20,00    0,",
		"0 s: process_cpu_user_pct mysqld 39", "0 s: process_cpu_system_pct mysqld 20", "0 s: process_cpu_guest_pct mysqld 0", "0 s: process_cpu_pct mysqld 59",
		"5 s: process_cpu_user_pct mysqld 40", "5 s: process_cpu_system_pct mysqld 20", "5 s: process_cpu_guest_pct mysqld 0", "5 s: process_cpu_pct mysqld 60", "@8 torn-line 2:  1796069285      99")
	// One report with -h may be of the time since the start.
	finds(t, top+"# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n20:08:00        0      8218   39.00   20.00    0.00    0.00   59.00     1  mysqld\n")
	// procps 3.2 and 3.3; a locale with commas; a server that is gone.
	first := "top - 14:05:13 up 10 days,  3:04,  2 users,  load average: 0.15, 0.10, 0.09\n"
	old := "Tasks: 123 total,   1 running, 122 sleeping,   0 stopped,   0 zombie\nCpu(s):  2.3%us,  0.8%sy,  0.0%ni, 96.7%id,  0.1%wa,  0.0%hi,  0.0%si,  0.0%st\nMem:  32870888k total, 32541556k used,   329332k free,   155776k buffers\n" +
		"Swap:  2096472k total,      180k used,  2096292k free, 10276648k cached\n\n  PID USER      PR  NI  VIRT  RES  SHR S %CPU %MEM    TIME+  COMMAND\n 2345 mysql     20   0 26.5g  20g 5120 S 15.9 65.3  1234:56 mysqld\n    1 root      20   0 19232 1500 1220 S  0.0  0.0   0:01.00 init\n\n"
	finds(t, first+old+strings.Replace(first, ":13", ":16", 1)+old,
		"3 s: load1 0.15", "3 s: load5 0.1", "3 s: load15 0.09", "3 s: cpu_user_pct 2.3", "3 s: cpu_system_pct 0.8", "3 s: cpu_nice_pct 0", "3 s: cpu_idle_pct 96.7", "3 s: cpu_iowait_pct 0.1", "3 s: cpu_irq_pct 0", "3 s: cpu_softirq_pct 0", "3 s: cpu_steal_pct 0",
		"3 s: memory_used_bytes 3.33225533e+10", "3 s: memory_free_bytes 337235968", "3 s: memory_buffers_bytes 159514624", "3 s: swap_used_bytes 184320", "3 s: swap_free_bytes 2.14660301e+09", "3 s: memory_cache_bytes 1.05232876e+10",
		"3 s: process_virtual_bytes mysqld 2.84541583e+10", "3 s: process_resident_bytes mysqld 2.14748365e+10", "3 s: process_shared_bytes mysqld 5242880", "3 s: process_cpu_pct mysqld 15.9", "3 s: process_memory_pct mysqld 65.3")
	finds(t, first+"%Cpu(s):  2,3 us,  0,8 sy,  0,0 ni,96,9 id\n"+strings.Replace(first, ":13", ":14", 1)+"%Cpu(s):  2,3 us,  0,8 sy,  0,0 ni,100,0 id,  0,0 wa\n%Cpu(s): 2\nKiB Mem : 8009452 to", "1 s: load1 0.15", "1 s: load5 0.1", "1 s: load15 0.09",
		"1 s: cpu_user_pct 2.3", "1 s: cpu_system_pct 0.8", "1 s: cpu_nice_pct 0", "1 s: cpu_idle_pct 100", "1 s: cpu_iowait_pct 0", "@5 torn-line 2: %Cpu(s): 2")
	// All fields, among which the command stands; a command with blanks shifts them.
	all := "   PID USER      PR  NI    VIRT    RES S %CPU COMMAND   PPID nTH\n  2345 mysql     20   0   26.5g    20g S 15.9 mysqld       1  43\n  2346 mysql     20   0   26.5g    20g S 15.9 my sqld       1  43\n  2347 mys\n"
	finds(t, first+all+strings.Replace(first, ":13", ":14", 1)+all, "1 s: load1 0.15", "1 s: load5 0.1", "1 s: load15 0.09", "1 s: process_virtual_bytes mysqld 2.84541583e+10", "1 s: process_resident_bytes mysqld 2.14748365e+10", "1 s: process_cpu_pct mysqld 15.9", "@5 torn-line 2:   2347 mys")
	// Threads of MySQL 8, whose names say what they do; those of one kind are added up.
	threads := "Threads: 4 total,   1 running,   3 sleeping,   0 stopped,   0 zombie\n  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n 9951 mysql     20   0 8193.3g 119608  23872 S  67.0   0.5   0:01.54 connection\n" +
		" 9952 mysql     20   0 8193.3g 119608  23872 S   1.5   0.5   0:01.54 ib_io_wr-1\n 9953 mysql     20   0 8193.3g 119608  23872 S   2.0   0.5   0:01.54 ib_io_wr-2\n   12 root      20   0       0      0      0 S   9.0   0.0   0:01.54 kworker/0:1\n"
	finds(t, first+threads+strings.Replace(first, ":13", ":14", 1)+threads, "1 s: load1 0.15", "1 s: load5 0.1", "1 s: load15 0.09", "1 s: thread_cpu_pct connection 67", "1 s: thread_cpu_pct ib_io_wr 3.5")
	// The device has a line of its own; sizes for people.
	finds(t, "TS 1796069307.5 2026-11-30 20:08:27\nFilesystem            Size  Used Avail Use% Mounted on\n/dev/mapper/VolGroup00-LogVol00\n                      5.7G  1.1G  4.4G  20% /var/lib/my sql\ntmpfs                  12G     0   12G   0% /dev/shm\n",
		"0 s: filesystem_used_bytes /var/lib/my sql 1.18111601e+09", "0 s: filesystem_available_bytes /var/lib/my sql 4.72446403e+09")
	// What is printed once is no series.
	for _, text := range []string{"               total        used        free      shared  buff/cache   available\nMem:        24683652     1595708     7504872        8956    15981260    23087944\n", "Filesystem     1K-blocks     Used Available Use% Mounted on\n/dev/vda       264212084 36554360  58946904  39% /\n"} {
		if k := kindOf(text); k != "" {
			t.Errorf("%s: taken for %s", text, k)
		}
	}
}

// The arguments of a command, in which passwords stand, go nowhere.
func TestNoArguments(t *testing.T) {
	for name, text := range map[string]string{
		"pidstat": "20:16:41      UID       PID    %usr  Command\n20:16:42        0         1   10.19  sysbench --mysql-password=hunter2 run\n20:16:42        0         2   10.19  sh -c MYSQL_PWD=hunter2 mysql -uroot -phunter2\nsysbench --mysql-password=hunter2\n20:16:42     0\n20:16:43   0    1  x  mysql --password=hunter2\n",
		"top":     strings.Repeat("top - 14:05:13 up 10 days,  3:04,  2 users,  load average: 0.15, 0.10, 0.09\n\n  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n 9950 root      20   0 8193.3g 119608  23872 S  67.0   0.5   0:01.54 mariadbd --password=hunter2\n 1 x --password=hunter2\n", 2),
	} {
		if name == "pidstat" {
			text = "Linux 6.8.0 (db7) \t11/30/2026 \t_x86_64_\t(2 CPU)\n\n" + text
		}
		s, err := Scan(kindOf(text), strings.NewReader(text), Options{}, func(p datasets.Problem) {
			if strings.Contains(p.Text, "hunter2") {
				t.Errorf("%s: %v", name, p)
			}
		})
		if err != nil || s.Samples.Len() == 0 {
			t.Errorf("%s: %d samples, %v", name, s.Samples.Len(), err)
		}
		for _, v := range s.Samples.Rows() {
			if strings.Contains(v.Metric, "hunter2") {
				t.Errorf("%s: %+v", name, v)
			}
		}
	}
}

// A tool that writes no times was started at a moment that somebody else knows.
func TestFrom(t *testing.T) {
	text := "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa\n" + strings.Repeat(" 1  0      0 900000   1000  10000    0    0     1     1    1    1  1  1 98  0\n", 3)
	s, err := Scan(Vmstat, strings.NewReader(text), Options{From: recordingDay, Every: 2}, nil)
	if err != nil || s.Clock != Moments || s.Reports != 2 || s.Samples.Len() != 2*16 || s.Samples.T[0]-s.Start != 2 || s.Samples.T[16]-s.Start != 4 || s.Start != float64(recordingDay.Unix()) {
		t.Errorf("%+v %v", s, err)
	}
}

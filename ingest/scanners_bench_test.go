package ingest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"noisefloor/ingest/activesessions"
	"noisefloor/ingest/hoststat"
	"noisefloor/ingest/internal/archive"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/perfstat"
	"noisefloor/ingest/serverstat"
)

// longLogs are the lines that fill the logs of each scanner, as they stand in real
// ones: head once, then body again and again. In the place of # stands another digit
// each time, of @ the seconds, of ^ the time of day, of $ a #.
var longLogs = map[string]struct{ head, body string }{
	"go-tpc": {"", `[Current] DELIVERY - Takes(s): 9.9, Count: 4##, TPM: 24##.2, Sum(ms): 24###.#, Avg(ms): 6#.#, 50th(ms): 5#.#, 90th(ms): 9#.#, 95th(ms): 10#.#, 99th(ms): 15#.#, 99.9th(ms): 2##.#, Max(ms): 3##.#
[Current] NEW_ORDER - Takes(s): 9.9, Count: 45##, TPM: 272##.7, Sum(ms): 135###.0, Avg(ms): 3#.#, 50th(ms): 2#.#, 90th(ms): 4#.#, 95th(ms): 5#.#, 99th(ms): 7#.#, 99.9th(ms): 14#.#, Max(ms): 15#.#
[Current] PAYMENT - Takes(s): 9.9, Count: 43##, TPM: 260##.6, Sum(ms): 64###.0, Avg(ms): 1#.#, 50th(ms): 1#.#, 90th(ms): 2#.#, 95th(ms): 2#.#, 99th(ms): 4#.#, 99.9th(ms): 7#.#, Max(ms): 8#.#
`},
	"tpcc-mysql": {"MEASURING START.\n", "  @, trx: 129##, 95%: 9.4##, 99%: 1#.7##, max_rt: 2##.169, 129##|9#.778, 12##|101.0##, 12##|4##.955, 12##|6##.842\n"},
	"YCSB":       {"YCSB Client 0.17.0\n", "2026-01-31 ^:### @ sec: 12### operations; 12##.# current ops/sec; est completion in # minutes [READ: Count=62##, Max=1####, Min=1##, Avg=3##.##, 90=4##, 99=9##, 99.9=2###, 99.99=9###] [UPDATE: Count=61##, Max=2####, Min=1##, Avg=4##.##, 90=6##, 99=1###, 99.9=3###, 99.99=8###]\n"},
	"go-ycsb":    {"", "READ   - Takes(s): @.0, Count: 1@, OPS: 499##.#, Avg(us): 3##, Min(us): 9#, Max(us): 2####, 50th(us): 2##, 90th(us): 4##, 95th(us): 5##, 99th(us): 9##, 99.9th(us): 2###, 99.99th(us): 9###\nUPDATE - Takes(s): @.0, Count: 1@, OPS: 499##.#, Avg(us): 3##, Min(us): 9#, Max(us): 2####, 50th(us): 2##, 90th(us): 4##, 95th(us): 5##, 99th(us): 9##, 99.9th(us): 2###, 99.99th(us): 9###\n"},
	"pgbench":    {"", "progress: @.0 s, 18##.7 tps, lat 8.4## ms stddev 1#.0##, 0 failed\n"},
	"HammerDB":   {"Vuser 1:Beginning rampup time of 5 minutes\n", "24### MySQL tpm\n24### MySQL tpm\nVuser 1:Rampup # minutes complete ...\n"},
	"BenchBase": {"", `{
 "Start timestamp (milliseconds)": 17315487867##,
 "Current Timestamp (milliseconds)": 17315488478##,
 "Elapsed Time (nanoseconds)": 600000831##,
 "DBMS Type": "MYSQL",
 "DBMS Version": "8.4.3",
 "Benchmark Type": "tpcc",
 "Final State": "EXIT",
 "Measured Requests": 201##,
 "isolation": "TRANSACTION_SERIALIZABLE",
 "scalefactor": "1",
 "terminals": "4",
 "Latency Distribution": {
  "95th Percentile Latency (microseconds)": 217##,
  "Maximum Latency (microseconds)": 2176##,
  "Median Latency (microseconds)": 106##,
  "Minimum Latency (microseconds)": 10##,
  "25th Percentile Latency (microseconds)": 86##,
  "90th Percentile Latency (microseconds)": 186##,
  "99th Percentile Latency (microseconds)": 486##,
  "75th Percentile Latency (microseconds)": 146##,
  "Average Latency (microseconds)": 118##
 },
 "Throughput (requests/second)": 335.39953565156##,
 "Goodput (requests/second)": 330.29999542582##
}
`},
	"perf stat -I":  {"$           time             counts unit events\n", "     @.100284738           3,9##.95 msec cpu-clock                 $   39.5#9 CPUs utilized\n     @.100284738     6,43#,1##,9##      cycles                    $    1.6## GHz                      (83.2#%)\n     @.100284738     5,43#,1##,9##      instructions              $    0.8#  insn per cycle           (83.3#%)\n"},
	"perf stat -x,": {"", "     @.100916619,106.7#,msec,cpu-clock,1067221##,100.00,1.067,CPUs utilized\n     @.100916619,3764##929,,cycles,1067221##,83.2#,3.527,GHz\n     @.100916619,4764##929,,instructions,1067221##,83.3#,1.27,insn per cycle\n"},
	"mpstat": {"Linux 6.8.0-60-generic (bench1) \t05/18/2026 \t_x86_64_\t(80 CPU)\n\n", `^     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
^     all   6#.##    0.00    5.##    0.1#    0.00    0.5#    0.00    0.00    0.00   2#.##
^       0   6#.##    0.00    5.##    0.1#    0.00    0.5#    0.00    0.00    0.00   2#.##
^       1   6#.##    0.00    5.##    0.1#    0.00    0.5#    0.00    0.00    0.00   2#.##
^       2   6#.##    0.00    5.##    0.1#    0.00    0.5#    0.00    0.00    0.00   2#.##

`},
	"iostat": {"Linux 6.8.0-60-generic (bench1) \t05/18/2026 \t_x86_64_\t(80 CPU)\n\n", `avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           3#.13    0.00    1.2#    2.6#    0.00   9#.94

Device            r/s     rMB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wMB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util
loop0            0.00      0.00     0.00   0.00    0.00     0.00    0.00      0.00     0.00   0.00    0.00     0.00    0.00   0.00
nvme0n1       12##.##     1#.##     0.##   0.##    0.##    1#.## 18##.##      1#.##     1.##   0.##    0.##    1#.##    1.##  9#.##

`},
	"vmstat": {"procs -----------memory---------- ---swap-- -----io---- -system-- -------cpu-------\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu\n", " 2#  0   5120 46###### 2624816 126010928    0    0     0 3##### 1##### 8#### 9#  1  2  0  0  0\n"},
	"pidstat": {"Linux 6.8.0-60-generic (bench1) \t05/18/2026 \t_x86_64_\t(80 CPU)\n\n", `^      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
^        0         1    0.##    0.##    0.00    0.##    0.##    11  systemd
^      108      1187  3##.##   2#.##    0.00    0.##  4##.##     3  mysqld
^     1000      1290   1#.##    #.##    0.00    0.##   2#.##     7  sysbench

`},
	"top": {"", `top - ^ up 12 days,  3:04,  2 users,  load average: 1#.12, 8.0#, 4.4#
Tasks: 312 total,   # running, 311 sleeping,   0 stopped,   0 zombie
%Cpu(s): 7#.1 us,  5.# sy,  0.0 ni, 1#.0 id,  0.# wa,  0.0 hi,  0.# si,  0.0 st
MiB Mem :  64300.# total,   2###.1 free,  20###.9 used,  41###.0 buff/cache
MiB Swap:   2048.0 total,   2048.0 free,      0.0 used.  43###.2 avail Mem

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
   1187 mysql     20   0   20.1g  18.2g  4###6 S 15##.3  28.9  93:1#.10 mysqld
   1290 root      20   0  10#3752  34012   6020 S  1#8.9   0.1   3:1#.10 sysbench
      1 root      20   0  167044  12####   8000 S   0.0   0.0   0:09.1# systemd
` + strings.Repeat("     1# root      20   0       0      0      0 I   0.0   0.0   0:0#.1# kworker/#:#H-events_highpri\n", 40) + "\n"},
	"sar":             {"Linux 6.8.0-60-generic (bench1) \t05/18/2026 \t_x86_64_\t(80 CPU)\n\n00:00:00        CPU     %user     %nice   %system   %iowait    %steal     %idle\n", "^        all     6#.##      0.00      5.##      0.1#      0.00     2#.##\n"},
	"active sessions": {"Timestamp,CPU,wait/io/table/sql/handler,wait/synch/mutex/innodb/trx_sys_mutex,wait/io/file/innodb/innodb_log_file\n", "2026-01-31 ^,1.4#,0.4##,0.1###,0.0#\n"},
	"SHOW STATUS":     {"", longStatus("%s\t%s\n", "Variable_name\tValue\n", "")},
	"SHOW STATUS | |": {"", longStatus("| %-40s | %-20s |\n", "+------------------------------------------+----------------------+\n| Variable_name                            | Value                |\n+------------------------------------------+----------------------+\n", "+------------------------------------------+----------------------+\n")},
	"InnoDB status":   {"", monitorText},
	"innodb_metrics":  {"timestamp," + strings.Join(metricNames, ",") + "\n", "17788585@.52" + strings.Repeat(",1###,0,4######", len(metricNames)/3) + "\n"},
}

var metricNames = func() (names []string) {
	for i := range 250 {
		names = append(names, fmt.Sprintf("module_count_%03d", i))
	}
	return names
}()

// longStatus is a SHOW GLOBAL STATUS of 400 variables.
func longStatus(row, head, foot string) string {
	var b strings.Builder
	b.WriteString(head)
	for i, name := range strings.Fields("Aborted_clients Bytes_received Com_select Created_tmp_tables Handler_read_next Innodb_rows_read Open_files Select_scan") {
		for k := range 50 {
			fmt.Fprintf(&b, row, fmt.Sprintf("%s_of_%02d", name, k), "@"+strings.Repeat("#", (i+k)%6))
		}
	}
	fmt.Fprintf(&b, row, "Uptime", "1@")
	return b.String() + foot
}

const monitorText = `=====================================
2026-11-30 ^ 0x7ff5200676c0 INNODB MONITOR OUTPUT
=====================================
Per second averages calculated from the last 10 seconds
-----------------
BACKGROUND THREAD
-----------------
srv_master_thread loops: 1## srv_active, 0 srv_shutdown, 2## srv_idle
srv_master_thread log flush and writes: 3##
----------
SEMAPHORES
----------
OS WAIT ARRAY INFO: reservation count 38###
OS WAIT ARRAY INFO: signal count 38###
RW-shared spins 18###, rounds 540##, OS waits 18##
RW-excl spins 0, rounds 0, OS waits 8##
RW-sx spins 1#, rounds 2##, OS waits #
Spin rounds per wait: 2.## RW-shared, 0.00 RW-excl, 1#.## RW-sx
------------
TRANSACTIONS
------------
Trx id counter 1########
Purge done for trx's n:o < 1######## undo n:o < 0 state: running but idle
History list length 1##
LIST OF TRANSACTIONS FOR EACH SESSION:
---TRANSACTION 421906########, not started
0 lock struct(s), heap size 1128, 0 row lock(s)
---TRANSACTION 1########, ACTIVE 0 sec
3 lock struct(s), heap size 1128, # row lock(s), undo log entries #
MySQL thread id 2##, OS thread handle 1406########### , query id 3####### localhost root
--------
FILE I/O
--------
I/O thread 0 state: waiting for completed aio requests (insert buffer thread)
I/O thread 1 state: waiting for completed aio requests (log thread)
Pending normal aio reads: [0, 0, 0, 0] , aio writes: [0, 0, 0, 0] ,
 ibuf aio reads:, log i/o's:
Pending flushes (fsync) log: 0; buffer pool: 0
6964#### OS file reads, 6489##### OS file writes, 265##### OS fsyncs
1##.00 reads/s, 16384 avg bytes/read, 4##.75 writes/s, 1##.00 fsyncs/s
-------------------------------------
INSERT BUFFER AND ADAPTIVE HASH INDEX
-------------------------------------
Ibuf: size 1, free list len 0, seg size 2, 0 merges
merged operations:
 insert 0, delete mark 0, delete 0
Hash table size 34679, node heap has # buffer(s)
3.9# hash searches/s, 25.6# non-hash searches/s
---
LOG
---
Log sequence number          2634###567
Log buffer assigned up to    2634###567
Log flushed up to            2634###567
Pages flushed up to          2634###567
Last checkpoint at           2634###500
14## log i/o's done, 1.## log i/o's/second
----------------------
BUFFER POOL AND MEMORY
----------------------
Total large memory allocated 137###888
Dictionary memory allocated 408###
Buffer pool size   8191
Free buffers       78##
Database pages     3##
Old database pages 0
Modified db pages  #
Pending reads      0
Pages made young 1##, not young #
0.00 youngs/s, 0.00 non-youngs/s
Pages read 15###, created 1##, written 5###
1#.00 reads/s, 0.## creates/s, 5.## writes/s
Buffer pool hit rate 99# / 1000, young-making rate 0 / 1000 not 0 / 1000
--------------
ROW OPERATIONS
--------------
0 queries inside InnoDB, 0 queries in queue
1 read views open inside InnoDB
Number of rows inserted 1####, updated 2####, deleted 3###, read 4######
1##.00 inserts/s, 2##.00 updates/s, 3#.00 deletes/s, 4###.00 reads/s
----------------------------
END OF INNODB MONITOR OUTPUT
============================
`

// longLog makes a log of about 4 MB.
func longLog(head, body string) string {
	rng := rand.New(rand.NewPCG(3, 0))
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(head, "$", "#"))
	for n := 1; b.Len() < 4<<20; n++ {
		for i := range len(body) {
			switch c := body[i]; c {
			case '#':
				b.WriteByte('0' + byte(rng.IntN(10)))
			case '$':
				b.WriteByte('#')
			case '@':
				fmt.Fprintf(&b, "%d", n)
			case '^':
				b.WriteString(time.Unix(int64(n), 0).UTC().Format(time.TimeOnly))
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// BenchmarkScanners reads a log of each kind but sysbench's, which has its own.
func BenchmarkScanners(b *testing.B) {
	for _, name := range sortedKeys(longLogs) {
		text := longLog(longLogs[name].head, longLogs[name].body)
		scan := scannerOf(name, text)
		if scan == nil {
			b.Fatal(name)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if err := scan(strings.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func scannerOf(name, text string) func(text io.Reader) error {
	switch s := sniff([]byte(text[:archive.HeadSize]), false, "log.txt"); {
	case s.tool != nil:
		return func(text io.Reader) error { return s.tool.Scan(text, load.Out{}) }
	case s.host == hoststat.InnoDB, name == "innodb_metrics":
		return func(text io.Reader) error {
			_, err := serverstat.ScanDump(text, time.UTC, nil)
			return err
		}
	case s.kind == hostFile:
		return func(text io.Reader) error {
			_, err := hoststat.Scan(s.host, text, hoststat.Options{}, nil)
			return err
		}
	case s.kind == activeSessions:
		return func(text io.Reader) error {
			_, err := activesessions.Scan(text, time.UTC, nil)
			return err
		}
	case s.kind == perfStat:
		return func(text io.Reader) error {
			_, err := perfstat.Scan(text, nil)
			return err
		}
	case s.kind.isServer():
		return func(text io.Reader) error {
			_, err := serverstat.Scan(text, serverstat.Options{TZ: time.UTC}, nil)
			return err
		}
	}
	return nil
}

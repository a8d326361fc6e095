package sysbench

import (
	"fmt"
	"strings"
)

// oltp writes a log as sysbench 1.0.20 does: a report line per second, a
// summary that agrees with them.
func oltp(threads, seconds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: %d
Report intermediate results every 1 second(s)
Initializing random number generator from current time


Initializing worker threads...

Threads started!

`, threads)
	total := 0
	for t := 1; t <= seconds; t++ {
		total += intervalLine(&b, t, threads)
	}
	summary(&b, total, threads, seconds)
	return b.String()
}

// intervalLine writes the report line for second t and returns its transactions.
func intervalLine(b *strings.Builder, t, threads int) int {
	n := 900 + t*37%53
	fmt.Fprintf(b, "[ %ds ] thds: %d tps: %d.00 qps: %d.03 (r/w/o: %d.02/%d.01/%d.00) lat (ms,95%%): %d.46 err/s: 0.00 reconn/s: 0.00\n",
		t, threads, n, 20*n, 14*n, 4*n, 2*n, 8+t%7)
	return n
}

func summary(b *strings.Builder, total, threads, seconds int) {
	elapsed := float64(seconds) + 0.0021
	fmt.Fprintf(b, `SQL statistics:
    queries performed:
        read:                            %d
        write:                           %d
        other:                           %d
        total:                           %d
    transactions:                        %-6d (%.2f per sec.)
    queries:                             %-6d (%.2f per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          %.4fs
    total number of events:              %d

Latency (ms):
         min:                                    5.09
         avg:                                    9.36
         max:                                  132.09
         95th percentile:                       13.95
         sum:                              %10.2f

Threads fairness:
    events (avg/stddev):           %.4f/66.58
    execution time (avg/stddev):   %.4f/0.00

`, 14*total, 4*total, 2*total, 20*total, total, float64(total)/elapsed, 20*total, 20*float64(total)/elapsed,
		elapsed, total, 999.5*elapsed*float64(threads), float64(total)/float64(threads), elapsed)
}

// pgo is a log in the shape of shared/data/pgo-9.6-9.7/9.6.0_t1.log, as it was
// published in a blog: indentation and blank lines lost, the middle cut to "..".
// The lines are ours, the totals are those of its README.
func pgo(seconds, resume int, totals string) string {
	var b strings.Builder
	b.WriteString(`sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)
Running the test with following options:
Number of threads: 1
Report intermediate results every 1 second(s)
Initializing random number generator from current time
Initializing worker threads...
Threads started!
`)
	for t := 1; t <= 10; t++ {
		intervalLine(&b, t, 1)
	}
	b.WriteString("..\n")
	for t := resume; t <= seconds; t++ {
		intervalLine(&b, t, 1)
	}
	fmt.Fprintf(&b, `SQL statistics:
queries performed:
read: 784952
write: 224272
other: 112136
total: 1121360
%s
ignored errors: 0 (0.00 per sec.)
reconnects: 0 (0.00 per sec.)
General statistics:
total time: %d.0038s
total number of events: 56068
Latency (ms):
min: 4.42
avg: 5.35
max: 36.29
95th percentile: 6.79
sum: 299950.61
Threads fairness:
events (avg/stddev): 56068.0000/0.00
execution time (avg/stddev): 299.9506/0.00
`, totals, seconds)
	return b.String()
}

// The option block and the summary of runs in other forms.
const (
	header10 = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 4
Report intermediate results every 1 second(s)
Initializing random number generator from current time


Initializing worker threads...

`
	started10 = header10 + "Threads started!\n\n"

	summary10 = `SQL statistics:
    queries performed:
        read:                            28000
        write:                           8000
        other:                           4000
        total:                           40000
    transactions:                        2000   (999.50 per sec.)
    queries:                             40000  (19990.00 per sec.)
    ignored errors:                      3      (1.50 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          2.0010s
    total number of events:              2000

Latency (ms):
         min:                                    1.59
         avg:                                    4.00
         max:                                   58.78
         95th percentile:                       25.74
         sum:                                 8000.69

Threads fairness:
    events (avg/stddev):           500.0000/21.01
    execution time (avg/stddev):   2.0001/0.01

`
	two = `[ 1s ] thds: 4 tps: 1000.00 qps: 20000.00 (r/w/o: 14000.00/4000.00/2000.00) lat (ms,95%): 25.74 err/s: 2.00 reconn/s: 0.00
[ 2s ] thds: 4 tps: 1000.00 qps: 20000.00 (r/w/o: 14000.00/4000.00/2000.00) lat (ms,95%): 25.74 err/s: 1.00 reconn/s: 0.00
`
	complete10 = started10 + two + summary10

	log11 = `sysbench 1.1.0-df89d34 (using bundled LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 16
Warmup time: 10s
Target transaction rate: 143/sec
Initializing random number generator from seed (42).


Initializing worker threads...

Threads started!

Warming up for 10 seconds...

SQL statistics:
    queries performed:
        read:                            36039
        write:                           2595
        other:                           12849
        total:                           51483
    transactions:                        2574   (143.01 per sec.)
    queries:                             51483  (2860.17 per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

Throughput:
    events/s (eps):                      143.0086
    time elapsed:                        18.0003s
    total number of events:              2574

Latency (ms):
         min:                                    7.39
         avg:                                   28.97
         max:                                  681.33
         99th percentile:                       68.05
         sum:                                74581.25

Threads fairness:
    events (avg/stddev):           160.8750/12.14
    execution time (avg/stddev):   4.6614/1.13

`
	log05 = `sysbench 0.5:  multi-threaded system evaluation benchmark

Running the test with following options:
Number of threads: 100
Report intermediate results every 10 second(s)
Random number generator seed is 0 and will be ignored

Forcing shutdown in 31 seconds

Threads started!

[  10s] threads: 100, tps: 668.00, reads: 10735.46, writes: 2767.16, response time: 4341.57ms (95%), errors: 3.70, reconnects:  0.00
[  20s] threads: 100, tps: 672.00, reads: 14597.56, writes: 4151.39, response time: 3064254.72us (95%), errors: 7.20, reconnects:  0.00
OLTP test statistics:
    queries performed:
        read:                            187600
        write:                           53600
        other:                           26800
        total:                           268000
    transactions:                        13400  (669.97 per sec.)
    read/write requests:                 241200 (12059.40 per sec.)
    other operations:                    26800  (1339.93 per sec.)
    ignored errors:                      109    (5.45 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          20.0010s
    total number of events:              13400
    total time taken by event execution: 2000.0192s
    response time:
         min:                                 31.61ms
         avg:                               1050.80ms
         max:                             115945.10ms
         approx.  95 percentile:            5384.15ms

Threads fairness:
    events (avg/stddev):           134.0000/7.53
    execution time (avg/stddev):   20.0002/0.37

`
	log0412 = `sysbench 0.4.12:  multi-threaded system evaluation benchmark

No DB drivers specified, using mysql
Running the test with following options:
Number of threads: 128

Doing OLTP test.
Running simple OLTP test
Doing read-only test
Using Uniform distribution
Skipping BEGIN/COMMIT
Using auto_inc on the id column
Threads started!
Time limit exceeded, exiting...
(last message repeated 127 times)
Done.

OLTP test statistics:
    queries performed:
        read:                            2026289
        write:                           0
        other:                           2026289
        total:                           4052578
    transactions:                        2026289 (33769.40 per sec.)
    deadlocks:                           2      (0.03 per sec.)
    read/write requests:                 2026289 (33769.40 per sec.)
    other operations:                    2026289 (33769.40 per sec.)

Test execution summary:
    total time:                          60.0037s
    total number of events:              2026289
    total time taken by event execution: 7675.6435
    per-request statistics:
         min:                                  1.20ms
         avg:                                  3.79ms
         max:                                 27.34ms
         approx.  95 percentile:               7.86ms

Threads fairness:
    events (avg/stddev):           15830.3828/69.09
    execution time (avg/stddev):   59.9660/0.00

`
	log04File = `sysbench 0.4.12:  multi-threaded system evaluation benchmark

Running the test with following options:
Number of threads: 16

Extra file open flags: 0
128 files, 24Mb each
3Gb total file size
Block size 16Kb
Number of random requests for random IO: 10000
Read/Write ratio for combined random IO test: 1.50
Periodic FSYNC enabled, calling fsync() each 100 requests.
Calling fsync() at the end of test, Enabled.
Using synchronous I/O mode
Doing random r/w test
Threads started!
Done.

Operations performed:  6008 Read, 3997 Write, 12800 Other = 22805 Total
Read 93.875Mb  Written 62.453Mb  Total transferred 156.33Mb  (2.9644Mb/sec)
  189.72 Requests/sec executed
` + tail04
	log04Memory = `sysbench 0.4.12:  multi-threaded system evaluation benchmark

Running the test with following options:
Number of threads: 16
Validation checks: on.

Doing memory operations speed test
Memory block size: 1K

Memory transfer size: 102400M

Memory operations type: write
Memory scope type: global
Threads started!
Done.

Operations performed: 104857600 (1836714.05 ops/sec)

102400.00 MB transferred (1793.67 MB/sec)

` + tail04
	tail04 = `
Test execution summary:
    total time:                          52.7348s
    total number of events:              10005
    total time taken by event execution: 434.9929
    per-request statistics:
         min:                                  0.01ms
         avg:                                 43.48ms
         max:                               1105.16ms
         approx.  95 percentile:             180.46ms

Threads fairness:
    events (avg/stddev):           625.3125/46.52
    execution time (avg/stddev):   27.1871/1.19

`
	logCPU = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 2
Report intermediate results every 1 second(s)
Initializing random number generator from current time


Prime numbers limit: 10000

Initializing worker threads...

Threads started!

[ 1s ] thds: 2 eps: 2880.52 lat (ms,95%): 3.19
[ 2s ] thds: 2 eps: 2923.22 lat (ms,95%): 3.25
Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
       0.218 |**                                       103
       0.222 |****************************************  4000
      12.307 |                                         1700
 
CPU speed:
    events per second:  2901.20

General statistics:
    total time:                          2.0021s
    total number of events:              5803

Latency (ms):
         min:                                    0.23
         avg:                                    0.68
         max:                                   12.45
         95th percentile:                        3.19
         sum:                                 3975.16

Threads fairness:
    events (avg/stddev):           2901.5000/1.00
    execution time (avg/stddev):   1.9876/0.01

`
	logCheckpoint = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 2
Report intermediate results every 1 second(s)
Report checkpoint(s) at 1 seconds
Initializing random number generator from current time


Initializing worker threads...

Threads started!

[ 1s ] thds: 2 tps: 500.00 qps: 500.00 (r/w/o: 500.00/0.00/0.00) lat (ms,95%): 3.19 err/s: 0.00 reconn/s: 0.00
[ 1s ] Checkpoint report:
SQL statistics:
    queries performed:
        read:                            500
        write:                           0
        other:                           0
        total:                           500
    transactions:                        500    (499.00 per sec.)
    queries:                             500    (499.00 per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          1.0021s
    total number of events:              500

Latency (ms):
         min:                                    0.23
         avg:                                    0.68
         max:                                  112.45
         95th percentile:                        3.19
         sum:                                  339.16

Threads fairness:
    events (avg/stddev):           250.0000/1.00
    execution time (avg/stddev):   0.9876/0.01

[ 2s ] thds: 2 tps: 600.00 qps: 600.00 (r/w/o: 600.00/0.00/0.00) lat (ms,95%): 3.25 err/s: 0.00 reconn/s: 0.00
SQL statistics:
    queries performed:
        read:                            600
        write:                           0
        other:                           0
        total:                           600
    transactions:                        600    (598.80 per sec.)
    queries:                             600    (598.80 per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          2.0041s
    total number of events:              600

Latency (ms):
         min:                                    0.24
         avg:                                    0.69
         max:                                   12.45
         95th percentile:                        3.25
         sum:                                  414.00

Threads fairness:
    events (avg/stddev):           300.0000/1.00
    execution time (avg/stddev):   0.9900/0.01

`
	logRate = started10 + `[ 1s ] thds: 2 tps: 15.93 qps: 254.88 (r/w/o: 223.02/0.00/31.86) lat (ms,99%): 2.97 err/s: 0.00 reconn/s: 0.00
[ 1s ] queue length: 7, concurrency: 2
[ 2s ] thds: 2 tps: 17.06 qps: 272.89 (r/w/o: 238.78/0.00/34.11) lat (ms,99%): 4.65 err/s: 0.00 reconn/s: 0.00
[ 2s ] queue length: 0, concurrency: 1
`
	logFileio = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 2
Report intermediate results every 1 second(s)
Initializing random number generator from current time


Extra file open flags: (none)
4 files, 16MiB each
64MiB total file size
Block size 16KiB
Number of IO requests: 0
Read/Write ratio for combined random IO test: 1.50
Periodic FSYNC enabled, calling fsync() each 100 requests.
Calling fsync() at the end of test, Enabled.
Using synchronous I/O mode
Doing random r/w test
Initializing worker threads...

Threads started!

[ 1s ] reads: 298.30 MiB/s writes: 198.87 MiB/s fsyncs: 1270.78/s latency (ms,95%): 0.021
[ 2s ] reads: 314.19 MiB/s writes: 209.46 MiB/s fsyncs: 1349.57/s latency (ms,95%): 0.028

File operations:
    reads/s:                      19257.56
    writes/s:                     12838.37
    fsyncs/s:                     1285.84

Throughput:
    read, MiB/s:                  300.00
    written, MiB/s:               200.50

General statistics:
    total time:                          2.0027s
    total number of events:              100254

Latency (ms):
         min:                                    0.00
         avg:                                    0.06
         max:                                   27.47
         95th percentile:                        0.02
         sum:                                 5949.98

Threads fairness:
    events (avg/stddev):           50127.0000/2052.00
    execution time (avg/stddev):   1.9750/0.00

`
	logMemory = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 2
Report intermediate results every 1 second(s)
Initializing random number generator from current time


Running memory speed test with the following options:
  block size: 1KiB
  total size: 102400MiB
  operation: write
  scope: global

Initializing worker threads...

Threads started!

[ 1s ] 864.24 MiB/sec
[ 2s ] 1529.00 MiB/sec
Total operations: 2462386 (1225608.88 per second)

2404.67 MiB transferred (1196.00 MiB/sec)


General statistics:
    total time:                          2.0068s
    total number of events:              2462386

Latency (ms):
         min:                                    0.00
         avg:                                    0.00
         max:                                   13.28
         95th percentile:                        0.00
         sum:                                  601.90

Threads fairness:
    events (avg/stddev):           1231193.0000/522693.00
    execution time (avg/stddev):   0.3010/0.14

`
	logFatal = started10 + `[ 1s ] thds: 4 tps: 472.31 qps: 9526.38 (r/w/o: 6678.83/1898.04/949.51) lat (ms,95%): 15.27 err/s: 0.98 reconn/s: 0.00
FATAL: mysql_drv_query() returned error 1053 (Server shutdown in progress) for query 'SELECT d_next_o_id, d_tax
                                          FROM district5
                                         WHERE d_name = 'x'
                                           AND d_id = 1 FOR UPDATE'
(last message repeated 1 times)
FATAL: ` + "`thread_run'" + ` function failed: ./tpcc_run.lua:258: SQL error, errno = 1053, state = '08S01': Server shutdown in progress
`
	logRefused = header10 + `FATAL: unable to connect to MySQL server on host 'db1', port 3306, aborting...
FATAL: error 2003: Can't connect to MySQL server on 'db1' (111)
FATAL: ` + "`thread_init'" + ` function failed: ./tpcc.lua:28: connection creation failed
FATAL: Thread initialization failed!
`
	logPrepare = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Creating table 'sbtest1'...
Inserting 2000 records into 'sbtest1'
Creating a secondary index on 'sbtest1'...
`
	logCleanup = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Dropping table 'sbtest1'...
Dropping table 'sbtest2'...
`
	logHelp = `WARNING: --num-threads is deprecated, use --threads instead
invalid option: --max-requests=0
Usage:
  sysbench [options]... [testname] [command]

Commands implemented by most tests: prepare run cleanup help

General options:
  --threads=N                     number of threads to use [1]
  --time=N                        limit for total execution time in seconds [10]

See 'sysbench <testname> help' for a list of options for each test.
`
)

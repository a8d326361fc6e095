package fio

import (
	"math"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/scantest"
)

// The texts have the shape of real logs; their numbers are ours.
const (
	three = `randread: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32
...
fio-3.28
Starting 4 processes
randread: (groupid=0, jobs=4): err= 0: pid=1234: Mon Jan  1 12:00:00 2024
  read: IOPS=123k, BW=480MiB/s (503MB/s)(28.1GiB/60001msec)
    slat (nsec): min=1200, max=90000, avg=2500.10, stdev=300.20
    clat (usec): min=50, max=20015, avg=312.44, stdev=90.20
     lat (usec): min=52, max=20018, avg=315.01, stdev=90.21
    clat percentiles (usec):
     |  1.00th=[   90],  5.00th=[  120], 50.00th=[  290],
     | 95.00th=[  512], 99.00th=[  900], 99.90th=[ 2100], 99.99th=[ 9000]
   bw (  KiB/s): min=400000, max=500000, per=100.00%, avg=492000.00, stdev=100.00, samples=476
   iops        : min=100000, max=125000, avg=123000.00, stdev=250.00, samples=476
  lat (usec)   : 50=0.01%, 100=1.00%, 250=40.00%
  cpu          : usr=5.00%, sys=20.00%, ctx=7000000, majf=0, minf=150
  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.1%, 16=0.1%, 32=100.0%, >=64=0.0%
     submit    : 0=0.0%, 4=100.0%
     complete  : 0=0.0%, 4=100.0%
     issued rwts: total=7380000,0,0,0 short=0,0,0,0 dropped=0,0,0,0
     latency   : target=0, window=0, percentile=100.00%, depth=32

Run status group 0 (all jobs):
   READ: bw=480MiB/s (503MB/s), 480MiB/s-480MiB/s (503MB/s-503MB/s), io=28.1GiB (30.2GB), run=60001-60001msec

Disk stats (read/write):
  nvme0n1: ios=7370000/10, merge=0/0, ticks=2300000/5, in_queue=2300005, util=99.90%
`
	two = `mix: (groupid=0, jobs=1): err= 0: pid=99: Mon Jan  1 12:00:00 2024
  read : io=1024.0MB, bw=102400KB/s, iops=25600, runt= 10240msec
    clat (usec): min=50, max=900, avg=30.00, stdev=9.00
  write: io=512.0MB, bw=51200KB/s, iops=12800, runt= 10240msec
    clat (msec): min=1, max=2, avg= 1.50, stdev= 0.10
  cpu          : usr=1.00%, sys=2.00%
`
	failed = "x: (groupid=0, jobs=1): err=28 (file:filesetup.c:240, func=write, error=No space left on device): pid=9: Mon Jan  1 12:00:00 2024\n\nRun status group 0 (all jobs):\n"
)

var logs = []string{three, two, failed, jsonTwo, jsonOld}

func is(t *testing.T, r load.Run, status datasets.Status, want map[string]float64) {
	t.Helper()
	if r.Status != status || len(r.Metrics) != len(want) {
		t.Errorf("%s", scantest.Dump(r))
	}
	for name, v := range want {
		if math.Abs(r.Metrics[name]-v) > 1e-12*v {
			t.Errorf("%s is %v, want %v", name, r.Metrics[name], v)
		}
	}
}

func TestThree(t *testing.T) {
	f := scantest.Text(t, Tool, three)
	if len(f.Runs) != 1 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	r := f.Runs[0]
	if r.Workload != "randread" || r.Threads != 4 || r.Version != "3.28" || r.Stamp != "Mon Jan  1 12:00:00 2024" || r.Options["io_depth"] != datasets.Int(32) {
		t.Errorf("%s", scantest.Dump(r))
	}
	is(t, r, datasets.Complete, map[string]float64{"iops": 123000, "read_iops": 123000, "bytes_per_s": 480 << 20, "read_bytes_per_s": 480 << 20, "duration_s": 60.001,
		"read_latency_min": 50e-6, "read_latency_max": .020015, "read_latency_avg": 312.44e-6, "read_latency_p1": 90e-6, "read_latency_p5": 120e-6, "read_latency_p50": 290e-6,
		"read_latency_p95": 512e-6, "read_latency_p99": 900e-6, "read_latency_p999": 2100e-6, "read_latency_p9999": 9000e-6})
}

func TestTwo(t *testing.T) {
	is(t, scantest.Text(t, Tool, two).Runs[0], datasets.Complete, map[string]float64{"iops": 38400, "read_iops": 25600, "write_iops": 12800, "bytes_per_s": 153600 << 10,
		"read_bytes_per_s": 102400 << 10, "write_bytes_per_s": 51200 << 10, "duration_s": 10.24, "read_latency_min": 50e-6, "read_latency_max": 900e-6, "read_latency_avg": 30e-6,
		"write_latency_min": .001, "write_latency_max": .002, "write_latency_avg": .0015})
}

func TestFailed(t *testing.T) {
	is(t, scantest.Text(t, Tool, failed).Runs[0], datasets.FailedToStart, nil)
}

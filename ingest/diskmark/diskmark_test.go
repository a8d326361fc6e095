package diskmark

import (
	"math"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// The texts have the shape of real ones; their numbers are ours.
const (
	seven = `------------------------------------------------------------------------------
CrystalDiskMark 7.0.0 x64 (C) 2007-2019 hiyohiyo
                                  Crystal Dew World: https://crystalmark.info/
------------------------------------------------------------------------------
* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]
* KB = 1000 bytes, KiB = 1024 bytes

[Read]
Sequential 1MiB (Q=  8, T= 1):  3562.312 MB/s [   3397.3 IOPS] <  2354.17 us>
    Random 4KiB (Q= 32, T=16):   398.112 MB/s [  97195.3 IOPS] <  5252.17 us>

[Write]
Sequential 1MiB (Q=  8, T= 1):  2562.500 MB/s [   2443.8 IOPS] <  3254.17 us>

Profile: Default
   Test: 1 GiB (x5) [Interval: 5 sec] <DefaultAffinity=DISABLED>
   Date: 2019/11/09 12:34:56
     OS: Windows 10 Professional [10.0 Build 18363] (x64)
`
	five = `CrystalDiskMark 5.1.2 x64 (C) 2007-2016 hiyohiyo
* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]
   Sequential Read (Q= 32,T= 1) :   562.312 MB/s
  Random Write 4KiB (Q=  8,T= 8) :   398.112 MB/s [ 97195.3 IOPS]
         Sequential Read (T= 1) :   500.1 MB
  Test : 1024 MiB [C: 50.0% (119.0/238.0 GiB)] (x5)  [Interval=5 sec]
`
)

var logs = []string{seven, five}

func TestSeven(t *testing.T) {
	f := scantest.Text(t, Tool, seven)
	if len(f.Runs) != 3 || len(f.Problems) > 0 {
		t.Fatalf("%v", f)
	}
	r := f.Runs[1]
	if r.Workload != "random 4kib read" || r.Threads != 16 || r.Options["queue_depth"] != datasets.Int(32) || r.Version != "7.0.0" ||
		r.Metrics["bytes_per_s"] != 398.112*1e6 || r.Metrics["iops"] != 97195.3 || math.Abs(r.Metrics["latency_avg"]-.00525217) > 1e-15 {
		t.Errorf("%s", scantest.Dump(r))
	}
	if f.Runs[2].Workload != "sequential 1mib write" || f.Runs[2].Metrics["bytes_per_s"] != 2562.5e6 {
		t.Errorf("%s", scantest.Dump(f.Runs[2]))
	}
}

func TestFive(t *testing.T) {
	f := scantest.Text(t, Tool, five)
	if len(f.Runs) != 2 || f.Runs[1].Workload != "random write 4kib" || f.Runs[0].Metrics["bytes_per_s"] != 562.312*1e6 || len(f.Problems) != 1 {
		t.Errorf("%v", f)
	}
}

package hoststat

import (
	"math"
	"os"
	"strings"
	"testing"

	"noisefloor/datasets"
)

// iostat -dxt ran beside the loop; both read the same file of the kernel every 2 s, a
// tenth of a second apart: 5 %. Waits are per request, and iostat rounds them to 10 us.
func TestDisksAsIostat(t *testing.T) {
	read := func(name string) map[string][]datasets.Sample {
		f, err := os.Open("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		kind := Iostat
		if name == "diskstats" {
			kind = Disks
		}
		s, err := Scan(kind, f, Options{Day: recordingDay}, nil)
		if err != nil || s.Reports != 3 {
			t.Fatal(s.Reports, err)
		}
		by := map[string][]datasets.Sample{}
		for _, v := range s.Samples.Rows() {
			by[v.Metric] = append(by[v.Metric], v)
		}
		return by
	}
	ours, theirs := read("diskstats"), read("diskstats-iostat")
	compared := 0
	for name, list := range ours {
		if len(list) != 3 {
			t.Errorf("%s: %d values", name, len(list))
		}
		for i, v := range list {
			if len(theirs[name]) != 3 {
				t.Errorf("iostat has no %s", name)
				break
			}
			want := theirs[name][i].Value
			slack := math.Max(.05*want, map[bool]float64{true: 1e-5, false: .011}[strings.Contains(name, "_wait_s")])
			if math.Abs(v.Value-want) > slack || math.Abs(v.T-theirs[name][i].T) > 1 {
				t.Errorf("%s %d is %v at %v, iostat says %v at %v", name, i, v.Value, v.T, want, theirs[name][i].T)
			}
			compared++
		}
	}
	if compared != 3*18 {
		t.Errorf("%d values compared", compared)
	}
}

func TestDisks(t *testing.T) {
	const stamp = "TS 1796079715.5 2026-11-30 23:01:55\n"
	next := strings.NewReplacer("715.5", "717.5")
	// By hand, over 2 s: 10 reads of 80 sectors in 5 ms, 4 writes of 8 in 2 ms; busy for 500 ms. Partitions, and what stands still for ever, are left out; old kernels have 11 counts.
	finds(t, stamp+"   8 0 sda 100 1 800 10 50 0 400 5 0 1000 20\n   8 1 sda1 90 0 1 1 1 1 1 1 0 1 1\n   7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n"+next.Replace(stamp)+"   8 0 sda 110 3 880 15 54 0 408 7 3 1500 1020\n   8 1 sda1 95 0 1 1 1 1 1 1 0 1 1\n",
		"2 s: device_reads_per_s sda 5", "2 s: device_read_bytes_per_s sda 20480", "2 s: device_reads_merged_per_s sda 1", "2 s: device_read_wait_s sda 0.0005", "2 s: device_read_request_bytes sda 4096",
		"2 s: device_writes_per_s sda 2", "2 s: device_write_bytes_per_s sda 2048", "2 s: device_writes_merged_per_s sda 0", "2 s: device_write_wait_s sda 0.0005", "2 s: device_write_request_bytes sda 1024",
		"2 s: device_queue sda 0.5", "2 s: device_util_pct sda 25")
	// A count that came around, a torn row, one report.
	finds(t, stamp+"   8 0 sda 100 1 800 10 50 0 400 5 0 1000 20\n"+next.Replace(stamp)+"   8 0 sda 110 3 880 9 54 0 408 7 3 1500 1020\n   8 0 sdb 110 3\n",
		"@4 went-back 1: sda: a count fell; it has come around, or this is another device of that name", "@5 unknown-line 1:    8 0 sdb 110 3")
	finds(t, stamp+"   8 0 sda 100 1 800 10 50 0 400 5 0 1000 20\n")
	for _, text := range []string{"   8 0 sda 100 1 800 10 50 0 400 5 0 1000 20\n", stamp + "a b c\n"} {
		if k := kindOf(text); k != "" {
			t.Errorf("%s: taken for %s", text, k)
		}
	}
}

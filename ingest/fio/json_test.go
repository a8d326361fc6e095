package fio

import (
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// The documents have the shape of those that fio 3.33 wrote here, and of 2.x; their
// numbers are ours.
const (
	jsonTwo = `fio: a warning
{
  "fio version" : "fio-3.33",
  "timestamp" : 1774300000,
  "time" : "Mon Mar 23 21:06:40 2026",
  "global options" : {
    "ioengine" : "libaio",
    "iodepth" : "8"
  },
  "jobs" : [
    {
      "jobname" : "mix",
      "groupid" : 0,
      "error" : 0,
      "job options" : {
        "rw" : "randrw",
        "bs" : "16k",
        "iodepth" : "32",
        "numjobs" : "4"
      },
      "read" : {
        "io_bytes" : 1234288640,
        "bw_bytes" : 411292449,
        "bw" : 401652,
        "iops" : 25103.298900,
        "runtime" : 3001,
        "slat_ns" : {
          "min" : 1562,
          "mean" : 52225.958120
        },
        "clat_ns" : {
          "min" : 11347,
          "max" : 38907183,
          "mean" : 280750.644468,
          "percentile" : {
            "1.000000" : 31616,
            "99.900000" : 705608
          }
        }
      },
      "write" : {
        "bw_bytes" : 100,
        "iops" : 2.5,
        "runtime" : 3000
      },
      "trim" : {
        "bw_bytes" : 0,
        "iops" : 0.000000,
        "runtime" : 0
      },
      "job_runtime" : 12000
    },
    {
      "jobname" : "broken",
      "error" : 28
    }
  ],
  "disk_util" : [
    {
      "name" : "vda",
      "util" : 93.5
    }
  ]
}
`
	jsonOld = `{ "fio version" : "fio-2.16", "time" : "Mon Jan  1 12:00:00 2024", "jobs" : [ { "jobname" : "x", "error" : 0, "read" : { "io_bytes" : 65536, "bw" : 1024, "iops" : 256.00, "runtime" : 64000, ` +
		`"clat" : { "min" : 50, "max" : 900, "mean" : 30.5, "percentile" : { "95.000000" : 512 } } }, "write" : { "io_bytes" : 0, "bw" : 0, "iops" : 0.00, "runtime" : 0 } } ] }` + "\n"
)

func TestDocuments(t *testing.T) {
	f := scantest.Text(t, Tool, jsonTwo)
	if len(f.Runs) != 2 || len(f.Problems) != 2 {
		t.Fatalf("%v", f)
	}
	r := f.Runs[0]
	if r.Workload != "mix" || r.Threads != 4 || r.Version != "3.33" || r.Stamp != "Mon Mar 23 21:06:40 2026" || r.StampAfter != 3.001 ||
		r.Options["io_depth"] != datasets.Int(32) || r.Options["io_engine"] != datasets.Text("libaio") || r.Options["block_size"] != datasets.Text("16k") {
		t.Errorf("%s", scantest.Dump(r))
	}
	is(t, r, datasets.Complete, map[string]float64{"iops": 25105.7989, "read_iops": 25103.2989, "write_iops": 2.5, "bytes_per_s": 411292549, "read_bytes_per_s": 411292449, "write_bytes_per_s": 100, "duration_s": 3.001,
		"read_latency_min": 11347e-9, "read_latency_max": .038907183, "read_latency_avg": 280750.644468e-9, "read_latency_p1": 31616e-9, "read_latency_p999": 705608e-9})
	is(t, f.Runs[1], datasets.FailedToStart, nil)
	is(t, scantest.Text(t, Tool, jsonOld).Runs[0], datasets.Complete, map[string]float64{"iops": 256, "read_iops": 256, "bytes_per_s": 1 << 20, "read_bytes_per_s": 1 << 20, "duration_s": 64,
		"read_latency_min": 50e-6, "read_latency_max": 900e-6, "read_latency_avg": 30.5e-6, "read_latency_p95": 512e-6})
}

// Of a document that was cut the job at its end is truncated.
func TestCutDocument(t *testing.T) {
	f := scantest.Text(t, Tool, jsonTwo[:strings.Index(jsonTwo, `      "job_runtime"`)])
	if len(f.Runs) != 1 || f.Runs[0].Status != datasets.Truncated {
		t.Errorf("%v", f)
	}
}

package hyperfine

import (
	"fmt"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/scantest"
)

// The document has the shape of real ones; its commands and numbers are ours.
const two = `{
  "results": [
    {
      "command": "./lookup  -psecret \"a b\" 102",
      "mean": 0.0123,
      "stddev": 0.0011,
      "median": 0.0121,
      "user": 0.003,
      "system": 0.002,
      "min": 0.011,
      "max": 0.0138,
      "times": [
        0.011,
        0.0121,
        0.0138
      ],
      "memory_usage_byte": [
        21938176,
        21938176,
        21942272
      ],
      "exit_codes": [
        0,
        1,
        null
      ],
      "parameters": {
        "threads": "8",
        "n": "102",
        "Pool size": "32G",
        "password": "hunter2"
      }
    },
    {
      "command": "./lookup 202",
      "mean": 1e-2,
      "stddev": null,
      "median": 1e-2,
      "user": 0.003,
      "system": 0.002,
      "min": 1e-2,
      "max": 1e-2,
      "times": [
        1e-2
      ],
      "exit_codes": [
        0
      ]
    }
  ]
}
`

var logs = []string{two, strings.ReplaceAll(two, "\n", " ") + "\n"}

func TestExecutions(t *testing.T) {
	for _, log := range logs {
		f := scantest.Text(t, Tool, log)
		var got []string
		for _, r := range f.Runs {
			got = append(got, fmt.Sprintf("%v %v %s %d %d", r.Metrics["elapsed"], r.Metrics["max_rss_bytes"], r.Status, r.Threads, len(r.Factors)))
		}
		want := []string{"0.011 2.1938176e+07 complete 8 3", "0.0121 2.1938176e+07 fatal-with-summary 8 3", "0.0138 2.1942272e+07 complete 8 3", "0.01 0 complete 0 1"}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(f.Problems) > 0 {
			t.Errorf("%q, problems %v", got, f.Problems)
		}
	}
	if command := scantest.Text(t, Tool, two).Runs[0].Factors["arm"]; command != datasets.Text(`./lookup -p(removed) "a b" {n}`) {
		t.Errorf("command %v", command)
	}
	if pool := scantest.Text(t, Tool, two).Runs[0].Factors["pool_size"]; pool != datasets.Text("32G") {
		t.Errorf("pool %v", pool)
	}
}

// Executions of the same time are two, and the same two in another file of the name.
func TestSameTimes(t *testing.T) {
	f := scantest.Text(t, Tool, `{"results": [{"command": "x", "median": 1, "times": [1, 1], "exit_codes": [0, 0]}]}`)
	if len(f.Runs) != 2 || f.Runs[0].Hash == f.Runs[1].Hash {
		t.Errorf("%v", f)
	}
}

// Of a document that was cut the command at its end is truncated; one without times is
// a problem.
func TestCut(t *testing.T) {
	f := scantest.Text(t, Tool, two[:strings.Index(two, "1e-2\n      ],")])
	if len(f.Runs) != 4 || f.Runs[3].Status != datasets.Truncated {
		t.Errorf("%v", f)
	}
	f = scantest.Text(t, Tool, `{"results": [{"command": "x", "median": 1, "times": null}]}`)
	if len(f.Runs) != 0 || len(f.Problems) != 1 {
		t.Errorf("%v", f)
	}
}

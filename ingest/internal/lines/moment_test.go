package lines

import (
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	for line, want := range map[string]string{
		"2026-01-31 12:00:01 [ 1s ] thds: 8":                          "2026-01-31T12:00:01",
		"2017-07-07 11:15:29,849 41b2ddaa MainThread INFO     sysb":   "2017-07-07T11:15:29.849",
		"2026-01-31T12:00:01.123456789Z stdout F [ 1s ]":              "2026-01-31T12:00:01.123456789Z",
		"2026-01-31T12:00:01+02:00 x":                                 "2026-01-31T12:00:01+02:00",
		"2026-01-31 12:00:01 +0200 x":                                 "2026-01-31T12:00:01+02:00",
		"2026/01/31 12:00:01 UTC x":                                   "2026-01-31T12:00:01Z",
		"######----- Tue Jan 23 00:42:32 UTC 2024 -----######":        "Tue Jan 23 00:42:32 UTC 2024",
		"#### Wed Jan 17 05:38:05 PM UTC 2024 ####":                   "Wed Jan 17 05:38:05 PM UTC 2024",
		"Wed 17 Jan 2024 05:38:05 PM UTC":                             "Wed 17 Jan 2024 05:38:05 PM UTC",
		"Tue Mar  2 03:00:06 EST 2021":                                "Tue Mar  2 03:00:06 EST 2021",
		"RUNNING Test x Thread=1 [START] 2024-05-31_16_21_12":         "2024-05-31T16:21:12",
		"1769860801.123 [ 1s ] thds: 8":                               "1769860801.123",
		"[ 20s ] thds: 8 tps: 2020.00 qps: 1:2:3":                     "",
		"12:00:01 [ 1s ] thds: 8":                                     "",
		"Jan 31 12:00:01 bench1 sysbench[4711]: [ 1s ] thds: 8 tps: ": "",
	} {
		if got := Moment([]byte(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestClock(t *testing.T) {
	for line, want := range map[string]time.Duration{
		"12:00:01 [ 1s ] thds: 8":                       12*time.Hour + time.Second,
		"[23:59:58.123] [ 1s ] thds: 8":                 24*time.Hour - 2*time.Second,
		"Jan 31 00:00:07 bench1 sysbench[4711]: [ 1s ]": 7 * time.Second,
	} {
		if got, ok := Clock([]byte(line)); !ok || got != want {
			t.Errorf("%s: %v %v, want %v", line, got, ok, want)
		}
	}
	for _, line := range []string{"[ 1s ] thds: 8", "", "25:00:00 x", "1:2:3"} {
		if got, ok := Clock([]byte(line)); ok {
			t.Errorf("%s: %v", line, got)
		}
	}
}

package sysbench

import (
	"fmt"
	"strings"
	"testing"

	"noisefloor/datasets"
)

// client is the report of one process of several.
func client(threads int) string {
	return strings.Replace(complete10, "Number of threads: 4", fmt.Sprintf("Number of threads: %d", threads), 1)
}

func TestClients(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // threads/clients/status/transactions of each run
	}{
		{"two processes", "Clients: 6\n" + client(4) + client(2), "6/2/complete/4000 "},
		{"one process", "Clients: 4\n" + client(4) + "Clients: 2\n" + client(2), "4/0/complete/2000 2/0/complete/2000 "},
		{"one missing at the end", "Clients: 6\n" + client(4), "4/0/truncated/0 "},
		{"the line means something else", "Clients: 6\n" + client(4) + "Clients: 4\n" + client(4), "4/0/complete/2000 4/0/complete/2000 "},
		{"a run of its own behind", "Clients: 6\n" + client(4) + client(2) + client(8), "6/2/complete/4000 8/0/complete/2000 "},
	} {
		got := ""
		for _, r := range scanText(t, c.text).runs {
			got += fmt.Sprintf("%d/%d/%s/%.0f ", r.Threads, r.Clients, r.Status, r.Metrics["transactions"])
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	r, _ := one(t, "Clients: 6\n"+client(4)+client(2))
	if r.Intervals.Len() != 2 || r.Intervals.At(0).TPS != 2000 || r.Metrics["tps"] != 1999 || r.Metrics["latency_p95"] != 0 || r.Metrics["latency_max"] == 0 { // by hand: twice 999.50
		t.Errorf("%s%v", dump(r), r.Intervals)
	}
}

// Clients have no chunks, however many lines they report.
func TestManyLinesOfClients(t *testing.T) {
	found := 0
	s := Scanner{
		Chunk: func(int, *datasets.Intervals) error { t.Error("a chunk"); return nil },
		Found: func(r *Run) error { found = r.Intervals.Len(); return nil },
	}
	text := oltp(8, chunkRows+5000)
	if err := s.Scan(strings.NewReader("Clients: 16\n" + text + text)); err != nil || found != chunkRows+5000 {
		t.Errorf("%d lines, %v", found, err)
	}
}

func TestClientsCutAtEveryByte(t *testing.T) {
	text := "Clients: 6\n" + client(4) + client(2)
	whole := scanText(t, text)
	for end := range len(text) {
		cut := scanText(t, text[:end])
		for i := range cut.runs { // threads add up as the reports come
			cut.runs[i].Threads = 0
			if cut.runs[i].Status == datasets.Complete {
				cut.runs[i].Threads = 6
			}
		}
		if err := partOf(cut, whole); err != "" {
			t.Fatalf("cut behind %q: %s", text[max(0, end-60):end], err)
		}
	}
}

// Numbers with commas are the same numbers.
func TestLocales(t *testing.T) {
	plain, _ := one(t, complete10)
	comma := strings.NewReplacer("tps: 1000.00 qps: 20000.00", "tps: 1000,00 qps: 20000,00", "(999.50 per", "(999,50 per", "58.78", "58,78", "2.0010s", "2,0010s").Replace(complete10)
	grouped := strings.NewReplacer("2000   (999.50", "2,000   (999.50", "40000  (19990.00", "40,000  (19,990.00", "(19990.00 per", "(19,990.00 per").Replace(complete10)
	for name, text := range map[string]string{"decimal": comma, "thousands": grouped} {
		if text == complete10 {
			t.Fatalf("%s: nothing was replaced", name)
		}
		got, problems := one(t, text)
		if dump(got) != dump(plain) || fmt.Sprint(got.Intervals.Rows()) != fmt.Sprint(plain.Intervals.Rows()) {
			t.Errorf("%s:\n%s\nnot\n%s", name, dump(got), dump(plain))
		}
		if len(problems) != 1 || problems[0].Kind != KindLocale {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

func TestPlainNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"[ 1s ] thds: 8 tps: 921,00 lat (ms,95%): 14,46":   "[ 1s ] thds: 8 tps: 921.00 lat (ms,95%): 14.46",
		"latency (ms,95%): 0,021":                          "latency (ms,95%): 0.021",
		"[ 1s ] reads: 2,30 MiB/s latency (ms,95%): 1,021": "[ 1s ] reads: 2.30 MiB/s latency (ms,95%): 1.021",
		"transactions: 1,056,068 (3,520.20 per sec.)":      "transactions: 1056068 (3520.20 per sec.)",
		"total: 1.056.068,5":                               "total: 1056068.5",
		"total: 15,398":                                    "total: 15398",
		"total time: 60,0037s":                             "total time: 60.0037s",
		"2017-07-07 11:15:29,849 x: 5":                     "2017-07-07 11:15:29,849 x: 5",
		"FATAL: x IN (1,2)":                                "FATAL: x IN (1,2)",
		"1,2,3":                                            "1,2,3",
		"Report checkpoint(s) at 2, 4 seconds":             "Report checkpoint(s) at 2, 4 seconds",
	} {
		got, _ := plainNumbers(nil, []byte(in))
		if string(got) != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// The clock of time stamps against that of sysbench.
func TestClockSteps(t *testing.T) {
	stamped := func(day string, first, step int) string {
		var b strings.Builder
		for i := range 60 {
			s := first + i*step
			if day != "" {
				fmt.Fprintf(&b, day, 30+s/86400)
			}
			s %= 86400
			fmt.Fprintf(&b, "%02d:%02d:%02d [ %ds ] thds: 4 tps: 1000.00 qps: 20000.00 (r/w/o: 14000.00/4000.00/2000.00) lat (ms,95%%): 25.74 err/s: 2.00 reconn/s: 0.00\n", s/3600, s/60%60, s%60, i+1)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, text string
		step       bool
	}{
		{"no step", stamped("2026-01-%02d ", 3600, 1), false},
		{"over midnight", stamped("2026-01-%02d ", 86400-30, 1), false},
		{"over midnight, time of day only", stamped("", 86400-30, 1), false},
		{"a clock that goes twice as fast", stamped("2026-01-%02d ", 3600, 2), true},
		{"set back", stamped("2026-01-%02d ", 3600, 1) + strings.NewReplacer("[ 60s ]", "[ 61s ]", "01:00:59", "00:30:00").Replace(strings.Split(stamped("2026-01-%02d ", 3600, 1), "\n")[59]) + "\n", true},
	} {
		r, problems := one(t, c.text)
		found := false
		for _, p := range problems {
			found = found || p.Kind == KindClock
		}
		if found != c.step || r.Stamp == "" && !strings.Contains(c.name, "only") || r.StampAfter != 1 {
			t.Errorf("%s: %v, stamp %q after %v s", c.name, problems, r.Stamp, r.StampAfter)
		}
	}
}

package sysbench

import (
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/lines"
)

// BenchmarkScan reads logs of 1.0.x and hashes the whole text besides, as ingest
// does.
func BenchmarkScan(b *testing.B) {
	text := strings.Repeat(oltp(8, 900), 300)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		whole := sha256.New()
		rows := 0
		err := Scan(io.TeeReader(strings.NewReader(text), whole), func(r *Run) error { rows += r.Intervals.Len(); return nil }, nil)
		if err != nil || rows != 900*300 {
			b.Fatal(rows, err)
		}
	}
}

// BenchmarkForms reads logs of each form of report lines.
func BenchmarkForms(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 0))
	for i, form := range reportForms {
		var text strings.Builder
		for t := 1; t <= 20_000; t++ {
			n := func(mean float64) string { return strconv.FormatFloat(mean*(0.9+0.2*rng.Float64()), 'f', 2, 64) }
			text.WriteString(form(t, 64, n(921), n(18443), n(12915), n(3686), n(1842), n(14), "0.00") + "\n")
		}
		b.Run(strconv.Itoa(i), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if err := Scan(strings.NewReader(text.String()), nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSmall is one file of many.
func BenchmarkSmall(b *testing.B) {
	b.SetBytes(int64(len(complete10)))
	b.ReportAllocs()
	for b.Loop() {
		if err := Scan(strings.NewReader(complete10), nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStamped has a time stamp before every line.
func BenchmarkStamped(b *testing.B) {
	text := mapped(strings.Repeat(oltp(8, 900), 30), func(l string) string { return "2026-01-31 12:00:01 " + l })
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := Scan(strings.NewReader(text), nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkForeign has no line of sysbench.
func BenchmarkForeign(b *testing.B) {
	text := strings.Repeat("06:27:14      111    486957   70.80   26.20    0.00    0.00   97.00    27    573.00 mysqld\nand a line of words\n", 10000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := Scan(strings.NewReader(text), nil, func(datasets.Problem) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzScan looks for texts that make the scanner panic, read differently when
// the reads are small, or give out impossible numbers.
func FuzzScan(f *testing.F) {
	for _, text := range []string{complete10, log05, log0412, log11, logCPU, logCheckpoint, logRate, logFileio, logMemory, logFatal, logRefused,
		logPrepare, logHelp, "sysbench oltp_read_write --mysql-password=x --tables=10 \\\n run\n" + complete10,
		"\xff\xfe" + wide(logRate), strings.ReplaceAll(two, "\n", "\r"), "> 2026-01-31 12:00:01 " + two + "..\n", bmkkit(1, 10, 97) + bmkkit(4, 10, 310), started10 + two[:40] + "\x00\x00" + summary10} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, err := records(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := records(&slow{strings.NewReader(string(text)), 3})
		if err != nil || len(pieces) != len(whole) {
			t.Fatalf("%d records in pieces, %d in one, %v", len(pieces), len(whole), err)
		}
		for i := range whole {
			if whole[i] != pieces[i] {
				t.Fatalf("record %d differs in pieces:\n%v\n%v", i, whole[i], pieces[i])
			}
		}
		got, _ := scanFrom(strings.NewReader(string(text)))
		count := strings.Count(string(text), "\n") + strings.Count(string(text), "\r") + 1
		for _, r := range got.runs {
			if r.FirstLine < 1 || r.LastLine < r.FirstLine || r.LastLine > count || r.Status == "" {
				t.Fatalf("run %+v of %d lines", r, count)
			}
			for name, v := range r.Metrics {
				if v < 0 {
					t.Fatalf("%s is %v", name, v)
				}
			}
			for _, iv := range r.Intervals.Rows() {
				if iv.TPS < 0 || iv.TPS > maxRate || iv.LatencyPct < 0 {
					t.Fatalf("interval %+v", iv)
				}
			}
		}
		for _, p := range got.problems {
			if len(p.Text) > lines.MaxText || p.Kind == "" || p.Count < 1 || p.Line < 1 {
				t.Fatalf("problem %+v", p)
			}
		}
		Sniff(text)
	})
}

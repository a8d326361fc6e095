package sysbench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"noisefloor/datasets"
)

// A line of a known shape is read as parseThds reads it, and no other line is
// taken for one: lines that differ in one byte, in the digits of a number, or in
// length.
func TestShapesReadAsParseThds(t *testing.T) {
	var known shapes
	hits := 0
	rapid.Check(t, func(t *rapid.T) {
		digits := func(label string) string {
			return rapid.StringMatching(`[0-9]{1,3}|[0-9]{1,5}|[0-9]{2,6}|[0-9]{4,9}`).Draw(t, label)
		}
		rate := func(label string) string {
			return digits(label) + rapid.SampledFrom([]string{".00", ".07", ".10", ".25", ".38", ".42", ".50", ".61", ".70", ".75", ".84", ".99", "", "", ".5", ".125"}).Draw(t, label+" parts")
		}
		line := fmt.Appendf(nil, "[ %ss ] thds: %s tps: %s qps: %s (r/w/o: %s/%s/%s) lat (ms,%s%%): %s err/s%s %s reconn/s: %s%s",
			digits("t"), digits("thds"), rate("tps"), rate("qps"), rate("r"), rate("w"), rate("o"), rapid.SampledFrom([]string{"95", "99", "0", "99.90"}).Draw(t, "percentile"),
			rate("lat"), rapid.SampledFrom([]string{":", ""}).Draw(t, "colon"), rate("err"), rate("reconn"), rapid.SampledFrom([]string{"", "", "", " no: 1.00"}).Draw(t, "more"))
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		for range rapid.IntRange(1, 3).Draw(t, "lines") {
			var want datasets.Interval
			ok := parseThds(line, &want)
			var w window
			size := copy(w[:], string(line)+end)
			copy(w[size:], line)
			if ok {
				known.learn(w[:size], 0, len(line), &want)
			}
			if of := known.find(&w, size); of != nil {
				hits++
				if got := of.row(&w); !ok || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%q is\n%v, parseThds says %v\n%v", line, got, ok, want)
				}
			}
			at := rapid.IntRange(0, len(line)-1).Draw(t, "at")
			line[at] = rapid.SampledFrom([]byte("0123456789./: \x00\x80\xb0\xff")).Draw(t, "byte")
		}
	})
	if hits == 0 {
		t.Error("no line had a known shape")
	}
}

// row reads one line.
func (s *shape) row(w *window) datasets.Interval {
	rows := datasets.IntervalsOf(datasets.Interval{T: s.seconds(w), QueueLength: math.NaN(), Concurrency: math.NaN()})
	columns := rows.Columns()
	for column, fixed := range s.fixed {
		if fixed {
			columns[column][0] = math.Float64frombits(s.are[column])
		}
	}
	for k, p := range s.places[:s.changes] {
		read(columns[p.column], k, []*window{w}, []*shape{s})
	}
	return rows.At(0)
}

// reportForms are report lines of several versions.
var reportForms = []func(at, threads int, tps, qps, reads, writes, other, latency, errors string) string{
	func(at, threads int, tps, qps, reads, writes, other, latency, errors string) string { // 1.0
		return fmt.Sprintf("[ %ds ] thds: %d tps: %s qps: %s (r/w/o: %s/%s/%s) lat (ms,95%%): %s err/s: %s reconn/s: 0.00", at, threads, tps, qps, reads, writes, other, latency, errors)
	},
	func(at, threads int, tps, qps, reads, writes, other, latency, errors string) string { // a fork of sysbench-tpcc
		return fmt.Sprintf("[ %ds ] thds: %d tps: %s qps: %s (r/w/o: %s/%s/%s) lat (ms,95%%): %s err/s %s reconn/s: 0.00 no: %s pt: 106.10 os: 10.20", at, threads, tps, qps, reads, writes, other, latency, errors, other)
	},
	func(at, threads int, tps, qps, reads, writes, other, latency, errors string) string { // 0.5
		return fmt.Sprintf("[%4ds] threads: %d, tps: %s, reads: %s, writes: %s, response time: %sms (95%%), errors: %s, reconnects:  0.00", at, threads, tps, reads, writes, latency, errors)
	},
	func(at, threads int, tps, qps, reads, writes, other, latency, errors string) string { // a patched one
		return fmt.Sprintf("[%4ds] threads: %d, tps: %s, reads/s: %s, writes/s: %s response time: %sus (95%%), %sms (99%%)", at, threads, tps, reads, writes, qps, latency)
	},
	func(at, threads int, tps, qps, reads, writes, other, latency, errors string) string { // tests without SQL
		return fmt.Sprintf("[ %ds ] thds: %d eps: %s lat (ms,95%%): %s", at, threads, tps, latency)
	},
	func(at, threads int, tps, qps, reads, writes, other, latency, errors string) string { // between 0.5 and 1.0
		return fmt.Sprintf("[ %ds ] threads: %d tps: %s qps: %s (r/w/o: %s/%s/%s) latency: %sms (95%%) errors/s: %s reconnects/s: 0.00", at, threads, tps, qps, reads, writes, other, latency, errors)
	},
}

// Every form has a shape.
func TestShapesOfForms(t *testing.T) {
	for i, form := range reportForms {
		var known shapes
		line := form(1, 4, "90.00", "1800.25", "1260.17", "360.05", "180.03", "14.46", "0.00")
		var s scan
		if iv := &s.iv; !parseThds([]byte(line), iv) {
			_, rest, _ := bracketTime([]byte(line))
			if *iv = unknown(1); !parseFields(rest, iv, &standing{}) {
				t.Fatalf("form %d is none: %s", i, line)
			}
		}
		known.learn([]byte(line+"\n"), 0, len(line), &s.iv)
		var w window
		size := copy(w[:], form(7, 4, "81.75", "1711.25", "1333.33", "361.99", "111.11", "15.07", "0.00")+"\n")
		of := known.find(&w, size)
		if of == nil {
			t.Errorf("form %d has no shape: %s", i, line)
			continue
		}
		if row := of.row(&w); row.T != 7 || row.Threads != 4 || row.TPS != 81.75 || row.Percentile != 95 {
			t.Errorf("form %d is read as %+v", i, row)
		}
	}
}

// dresses are what others put around the lines as they come.
var dresses = []func(line string, k int) string{
	func(line string, k int) string { return line },
	func(line string, k int) string { return line },
	func(line string, k int) string { return fmt.Sprintf("Jan 31 12:%02d:%02d %s", k/60%60, k%60, line) },
	func(line string, k int) string {
		return fmt.Sprintf("2026-01-31T12:%02d:%02d.%dZ %s", k/60%60, k%60, k*7919%1000000, line)
	},
	func(line string, k int) string {
		return fmt.Sprintf("Jan 31 12:%02d:%02d bench%d sysbench[4711]: %s", k/60%60, k%60, k%30/29, line)
	},
	func(line string, k int) string {
		return fmt.Sprintf(`{"log":"%s\n","stream":"stdout","time":"2026-01-31T12:%02d:%02d.%dZ"}`, line, k/60%60, k%60, k*7919%1000000)
	},
	func(line string, k int) string { return "  " + line + strings.Repeat(" ", k%3) },
	func(line string, k int) string { return fmt.Sprintf("%d: %s", k, line) },
	func(line string, k int) string { return "> " + line },
	func(line string, k int) string { return fmt.Sprintf("\x1b[%dm%s\x1b[0m", 31+k%30/28, line) },
	func(line string, k int) string { return "\x1b[1;32m" + line[:5] + "\x1b[0m" + line[5:] },
}

// Lines are the same whether they are read many at a time or one by one, as from a
// reader that gives few bytes at a time; and they are read many at a time.
func TestStretches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		text.WriteString(started10)
		number := func(label string, digits int) string {
			return fmt.Sprintf("%d.%02d", rapid.IntRange(0, []int{9, 99, 1200, 12000, 1100000, 12000000}[digits]).Draw(t, label), rapid.IntRange(0, 99).Draw(t, label+" parts"))
		}
		form := rapid.SampledFrom(reportForms).Draw(t, "form")
		dress := rapid.SampledFrom(dresses).Draw(t, "dress")
		lines := 0
		dressed := func(line string) string {
			lines++
			return dress(line, lines)
		}
		none := rapid.Bool().Draw(t, "no transactions") // as update tests of 0.5 have
		threads, at, step := 4, 0, rapid.SampledFrom([]int{1, 1, 10}).Draw(t, "step")
		for range rapid.IntRange(1, 60).Draw(t, "lines") {
			errors, end := "0.00", "\n"
			switch rapid.SampledFrom([]string{"", "", "", "", "", "", "", "", "", "errors", "still", "threads", "gap", "again", "cr", "restart", "words", "queue", "torn"}).Draw(t, "what") {
			case "errors":
				errors = number("errors", 0)
			case "still":
				text.WriteString(dressed(form(at+step, threads, "0.00", "0.00", "0.00", "0.00", "0.00", "0.00", "0.00")) + "\n")
				at += step
			case "threads":
				threads = rapid.IntRange(0, 20).Draw(t, "threads")
			case "gap":
				at += rapid.IntRange(1, 20).Draw(t, "gap")
			case "again":
				at -= step
			case "cr":
				end = rapid.SampledFrom([]string{"\r\n", "\r"}).Draw(t, "end")
			case "restart":
				at = 0
			case "words":
				text.WriteString("FATAL: something\n")
			case "queue":
				text.WriteString(dressed(fmt.Sprintf("[ %ds ] queue length: 3, concurrency: 2", at)) + "\n")
			case "torn":
				end = "[ 7s ] thds: 4 tps: 1\n"
			}
			at += step
			tps := "0.00"
			if !none {
				tps = number("tps", 2)
			}
			text.WriteString(dressed(form(at, threads, tps, number("qps", rapid.IntRange(2, 5).Draw(t, "large")), number("reads", 3), number("writes", 2), number("other", 1), number("latency", 1), errors)) + end)
		}
		text.WriteString(strings.Repeat("-", len(window{})))
		whole := text.String()
		many, err := records(strings.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		one, err := records(iotest.OneByteReader(strings.NewReader(whole)))
		if err != nil || !slices.Equal(many, one) {
			t.Fatalf("%v, many at a time\n%v\none by one\n%v", err, many, one)
		}
	})
}

// A shape with one line end is not that of the same line with another: lines are
// counted alike.
func TestShapesHaveTheirLineEnd(t *testing.T) {
	text := oltp(8, 300)
	for _, end := range []string{"\n", "\r", "\r\n", "\r", "\n"} {
		r, problems := one(t, strings.ReplaceAll(text, "\n", end))
		if want := strings.Count(strings.TrimSpace(text), "\n") + 1; r.LastLine != want || r.Intervals.Len() != 300 || len(problems) > 0 {
			t.Errorf("%q: %d lines with %d intervals, want %d; %v", end, r.LastLine, r.Intervals.Len(), want, problems)
		}
	}
}

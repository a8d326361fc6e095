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
				known.learn(w[:size], &want)
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
			columns[column][0] = s.are[column]
		}
	}
	for k, p := range s.places[:s.changes] {
		read(columns[p.column], k, []*window{w}, []*shape{s})
	}
	return rows.At(0)
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
		threads, at, step := 4, 0, rapid.SampledFrom([]int{1, 1, 10}).Draw(t, "step")
		for range rapid.IntRange(1, 60).Draw(t, "lines") {
			errors, end := "0.00", "\n"
			switch rapid.SampledFrom([]string{"", "", "", "", "", "", "", "", "", "errors", "still", "threads", "gap", "again", "cr", "restart", "words", "queue", "torn"}).Draw(t, "what") {
			case "errors":
				errors = number("errors", 0)
			case "still":
				fmt.Fprintf(&text, "[ %ds ] thds: %d tps: 0.00 qps: 0.00 (r/w/o: 0.00/0.00/0.00) lat (ms,95%%): 0.00 err/s: 0.00 reconn/s: 0.00\n", at+step, threads)
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
				fmt.Fprintf(&text, "[ %ds ] queue length: 3, concurrency: 2\n", at)
			case "torn":
				end = "[ 7s ] thds: 4 tps: 1\n"
			}
			at += step
			fmt.Fprintf(&text, "[ %ds ] thds: %d tps: %s qps: %s (r/w/o: %s/%s/%s) lat (ms,95%%): %s err/s: %s reconn/s: 0.00%s",
				at, threads, number("tps", 2), number("qps", rapid.IntRange(2, 5).Draw(t, "large")), number("reads", 3), number("writes", 2), number("other", 1), number("latency", 1), errors, end)
		}
		whole := text.String() + strings.Repeat("-", len(window{}))
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

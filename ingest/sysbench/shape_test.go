package sysbench

import (
	"fmt"
	"testing"

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
		for range rapid.IntRange(1, 3).Draw(t, "lines") {
			var want, got datasets.Interval
			ok := parseThds(line, &want)
			if known.parse(line, &got) != ok || ok && fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q is\n%v, parseThds says\n%v", line, got, want)
			}
			for _, s := range known[len(line)%len(known)].of {
				if s.read(line, &got) {
					hits++
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

package table

import "testing"

// What is taken for a number without the expression is one by the expression, too,
// and only what begins like none is spared it.
func TestPlainNumbers(t *testing.T) {
	for _, c := range []struct {
		cell  string
		plain bool
	}{
		{"0", true}, {"953.2", true}, {"-12", true}, {"-0.5", true}, {"007", true},
		{"", false}, {"-", false}, {".", false}, {"5.", false}, {".5", false}, {"1.2.3", false}, {"--1", false}, {"1 000", false}, {"1,5", false}, {"4.73E+03", false}, {"+1", false}, {"−1", false}, {"12 %", false}, {"1m2s", false},
	} {
		if got := isPlain(c.cell); got != c.plain {
			t.Errorf("%q: plain %v", c.cell, got)
		}
		m := quantity.FindStringSubmatch(c.cell)
		if c.plain && (m == nil || m[1] != c.cell || m[2] != "") {
			t.Errorf("%q: by the expression %q", c.cell, m)
		}
		if (m != nil || minutes.MatchString(c.cell)) && !mayBeNumber(c.cell) {
			t.Errorf("%q: a number that is passed by", c.cell)
		}
	}
}

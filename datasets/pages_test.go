package datasets

import "testing"

// Runs of Parquet's hybrid by hand: header, then values.
func TestHolds(t *testing.T) {
	for _, c := range []struct {
		runs  []byte
		width int
		want  int
		ok    bool
	}{
		{nil, 1, 0, true},
		{nil, 1, 1, false},
		{[]byte{8 << 1, 1}, 1, 8, true}, // eight ones
		{[]byte{8 << 1, 1}, 1, 9, false},
		{[]byte{8 << 1}, 1, 8, false},                    // without its value
		{[]byte{0, 1}, 1, 1, false},                      // a run of none
		{[]byte{1<<1 | 1, 0xff}, 1, 8, true},             // a group of eight
		{[]byte{2<<1 | 1, 0xff}, 1, 8, true},             // cut after one of two groups
		{[]byte{2<<1 | 1, 0xff}, 1, 9, false},            //
		{[]byte{3 << 1, 1, 1<<1 | 1, 0xf}, 1, 11, true},  // one after the other
		{[]byte{3 << 1, 1, 1<<1 | 1, 0xf}, 1, 12, false}, //
		{[]byte{8 << 1}, 0, 8, true},                     // values of no bits
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 1, 1, false}, // more groups than there are bytes
		{[]byte{8 << 1, 0, 0}, 9, 8, true},
		{[]byte{8 << 1, 0}, 9, 8, false},
	} {
		if got := holds(c.runs, c.width, c.want); got != c.ok {
			t.Errorf("% x of %d bits holds %d: %v", c.runs, c.width, c.want, got)
		}
	}
}

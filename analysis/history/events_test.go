package history

import (
	"fmt"
	"testing"
)

func TestEvents(t *testing.T) {
	check := func(what, want string, marks ...Mark) {
		t.Helper()
		got := ""
		for _, e := range Events(marks) {
			got += fmt.Sprintf("%d:", e.At)
			for _, m := range e.Marks {
				got += fmt.Sprint(" ", m.Series)
			}
			got += "; "
		}
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	check("none", "")
	check("two metrics at one point", "10: 0 1; ", Mark{0, 0, 10, 10, 10}, Mark{1, 0, 9, 11, 14})
	check("two points", "10: 0; 20: 1; ", Mark{1, 0, 20, 20, 20}, Mark{0, 0, 10, 10, 10})
	check("one series twice is two events", "10: 0; 12: 0; ", Mark{0, 0, 9, 10, 12}, Mark{0, 1, 11, 12, 12})
	check("the nearer of two", "10: 0; 20: 0 1; ", Mark{0, 0, 10, 10, 10}, Mark{0, 1, 20, 20, 20}, Mark{1, 0, 8, 18, 22})
	check("overlap is of all, not of a chain", "10: 0 1; 16: 2; ", Mark{0, 0, 8, 10, 11}, Mark{1, 0, 10, 12, 15}, Mark{2, 0, 13, 16, 17})
}

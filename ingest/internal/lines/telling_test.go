package lines

import "testing"

func TestTelling(t *testing.T) {
	is := func(text, want string) {
		t.Helper()
		if got := string(Telling([]byte(text))); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	is("", "")
	is("Device r/s w/s\nsda 1 2.5 3 4 5 6\n\nDevice r/s w/s\nsda 1 2.5 3 4 5 6\r\n", "Device r/s w/s\n")
	is("12:00:01 CPU %usr\n12:00:02 all 1 2 3 4 5\n12:00:02 CPU %usr\n", "12:00:01 CPU %usr\n")
	is("avg-cpu: %user\n  1 2 3 4 5 6\nDevice r/s\nsda 1 2 3 4 5\navg-cpu: %user\n  1 2 3 4 5 6\nDevice r/s\nlast", "avg-cpu: %user\nDevice r/s\nlast")
	// lines that are alike with no rows between them are no headings
	is("  10, 0(0):0.0|0.0, 0(0):0.0|0.0\n  20, 0(0):0.0|0.0, 0(0):0.0|0.0\n", "  10, 0(0):0.0|0.0, 0(0):0.0|0.0\n  20, 0(0):0.0|0.0, 0(0):0.0|0.0\n")
	is("a 1 2 3 4\n", "a 1 2 3 4\n") // four numbers are no row
}

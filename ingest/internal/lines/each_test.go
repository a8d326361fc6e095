package lines

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

func TestEach(t *testing.T) {
	is := func(text string, want ...string) {
		t.Helper()
		var got []string
		err := Each(iotest.OneByteReader(strings.NewReader(text)), 100_000, func(number int, line []byte, _ bool) {
			if len(line) > 20 {
				line = fmt.Appendf(nil, "%s... %d", line[:3], len(line))
			}
			got = append(got, fmt.Sprintf("%d %s", number, line))
		})
		if err != nil {
			t.Error(err)
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%.50q: got\n%s\nwant\n%s", text, g, w)
		}
	}
	is("")
	is("a", "1 a")
	is("a\n\nb\r\nc", "1 a", "2 ", "3 b", "4 c")
	is("\ufeffa\n", "1 a")
	is("\n", "1 ")
	is(strings.Repeat("x", 70_000)+"\nb\n", "1 xxx... 70000", "2 b")                                                                // longer than the buffer
	is(strings.Repeat("x", 64<<10)+"\nb\n", "1 xxx... 65536", "2 b")                                                                // as long
	is("a\n"+strings.Repeat("y", 300_000)+"\nb\n"+strings.Repeat("z", 300_000), "1 a", "2 yyy... 100000", "3 b", "4 zzz... 100000") // cut
	gone := errors.New("gone")
	if err := Each(iotest.ErrReader(gone), 10, func(int, []byte, bool) {}); err != gone {
		t.Error(err)
	}
}

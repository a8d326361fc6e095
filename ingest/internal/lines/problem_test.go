package lines

import (
	"strings"
	"testing"

	"noisefloor/datasets"
)

// The line below a flag that asks for a password is one, of whatever kind it is; a line
// further down is none.
func TestPasswordBelow(t *testing.T) {
	for _, c := range []struct {
		line int
		want string
	}{{8, "(removed)"}, {9, "hunter2x"}} {
		var p Problems
		p.Add("unknown-line", 7, []byte(`sysbench --mysql-password \`))
		p.Add("cut-line", c.line, []byte("hunter2x"))
		var got []string
		p.Each(func(p datasets.Problem) { got = append(got, p.Text) })
		if len(got) != 2 || !strings.Contains(got[1], c.want) {
			t.Errorf("line %d: %q", c.line, got)
		}
	}
}

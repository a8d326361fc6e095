package group

import (
	"strings"
	"testing"

	"noisefloor/datasets"
)

func TestWhatPipelinesCount(t *testing.T) {
	// A job's number of both arms, and a commit of each run of an arm.
	d, _, _ := analyse(t, "path1 ref sha tps\n8812030843 main a1b2c3d 1.\n8812030843 pr-421 b1b2c3d 1.\n8812124141 main c1b2c3d 1.\n8812124141 pr-421 d1b2c3d 1.\n"+
		"8812030843 main a1b2c3d 1.\n8812030843 pr-421 b1b2c3d 1.\n8812124141 main c1b2c3d 1.\n8812124141 pr-421 d1b2c3d 1.\n", Options{})
	wantRole(t, d, "ref", By)
	wantRole(t, d, "path1", Noise)
	wantRole(t, d, "sha", Noise)
	// The number of each build, which no two runs share.
	d, _, _ = analyse(t, "path1 path2 tps\nmain 1001 1.\nnew 1002 1.\nmain 1003 1.\nnew 1004 1.\n", Options{})
	wantRole(t, d, "path1", By)
	wantRole(t, d, "path2", Label)
}

func TestOnlyTheKernelVaries(t *testing.T) {
	text := "day host kernel tps\nd1 h 5.15.0 1.\nd1 h 6.8.0 1.\nd2 h 5.15.0 1.\nd2 h 6.8.0 1.\n"
	for _, c := range []struct{ name, rows, want string }{
		{"within the days", text, "kernel"},
		{"from day to day", strings.ReplaceAll(strings.ReplaceAll(text, "d1 h 6.8.0", "d1 h 5.15.0"), "d2 h 5.15.0", "d2 h 6.8.0"), ""},
		{"with the host", strings.ReplaceAll(text, "h 6.8.0", "i 6.8.0"), ""},
	} {
		runs, columns := rows(t, c.rows)
		for i := range columns {
			if columns[i].Name == "kernel" {
				columns[i].Role = datasets.Condition
			}
		}
		d, _, _, err := Analyse(runs, columns, Options{})
		if err != nil || d.By != c.want {
			t.Errorf("%s: compared %q, want %q (%v)", c.name, d.By, c.want, err)
		}
	}
}

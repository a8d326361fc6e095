package group

import (
	"fmt"
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
	// The number of a job is no build, where a name and a commit tell these.
	text := "threads build build2 commit tps\n"
	for i, arm := range []string{"base a1b2c3d", "pr42 b1b2c3d", "base a1b2c3d", "pr42 b1b2c3d"} {
		text += fmt.Sprintf("8 %d %s 1.\n64 %[1]d %s 1.\n", 1186+i, arm)
	}
	d, _, _ = analyse(t, text, Options{})
	wantRole(t, d, "build2", By)
	wantRole(t, d, "build", Noise)
	// Where no word tells what it ran, each may be one.
	d, _, _ = analyse(t, "threads build tps\n8 1186 1.\n64 1186 1.\n8 1187 1.\n64 1187 1.\n8 1188 1.\n64 1188 1.\n8 1189 1.\n64 1189 1.\n", Options{})
	wantRole(t, d, "build", By)
}

func TestTwoSizesAreArms(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"tables rep tps\n8 1 1.\n8 2 1.\n16 1 1.\n16 2 1.\n", "tables"},
		{"tables rep tps\n8 1 1.\n8 2 1.\n16 1 1.\n16 2 1.\n32 1 1.\n32 2 1.\n", ""}, // a curve
		{"tables version tps\n8 8.0 1.\n8 8.4 1.\n16 8.0 1.\n16 8.4 1.\n", "version"},
	} {
		runs, columns := rows(t, c.rows)
		for i := range columns {
			if columns[i].Name == "tables" {
				columns[i].Role = datasets.Condition
			}
		}
		if d, _, _, err := Analyse(runs, columns, Options{}); err != nil || d.By != c.want {
			t.Errorf("compared %q, want %q (%v)", d.By, c.want, err)
		}
	}
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

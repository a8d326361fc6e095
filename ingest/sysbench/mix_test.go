package sysbench

import (
	"fmt"
	"testing"

	"noisefloor/datasets"
)

// The counts are those of sysbench 1.0.20 against MariaDB 10.11, 3 s of each test
// with 2 threads.
func TestMixOfSingleStatements(t *testing.T) {
	for _, c := range []struct {
		test                       string
		read, write, other, events int
		want                       string
	}{
		{"oltp_update_index", 0, 4148, 0, 4148, datasets.UpdateOrInsert},
		{"oltp_update_non_index", 0, 5468, 0, 5468, datasets.UpdateOrInsert},
		{"oltp_insert", 0, 3916, 0, 3916, datasets.UpdateOrInsert},
		{"oltp_delete", 0, 3626, 56124, 59750, "delete"},
		{"oltp_point_select", 46520, 0, 0, 46520, "single reads"},
	} {
		r, _ := one(t, fmt.Sprintf("sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\nNumber of threads: 2\n\nThreads started!\n\nSQL statistics:\n    queries performed:\n"+
			"        read:                            %d\n        write:                           %d\n        other:                           %d\n        total:                           %d\n    transactions:                        %d   (1.00 per sec.)\n"+
			"    queries:                             %[4]d   (1.00 per sec.)\n    ignored errors:                      0      (0.00 per sec.)\n    reconnects:                          0      (0.00 per sec.)\n\nGeneral statistics:\n    total time:                          3.0002s\n    total number of events:              %[5]d\n", c.read, c.write, c.other, c.read+c.write+c.other, c.events))
		if r.Mix != c.want {
			t.Errorf("%s: %q", c.test, r.Mix)
		}
	}
}

package sysbench_test

import (
	"fmt"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/sysbench"
)

func ExampleScan() {
	log := `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 8
Report intermediate results every 1 second(s)

Threads started!

[ 1s ] thds: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) lat (ms,95%): 14.46 err/s: 0.00 reconn/s: 0.00
[ 2s ] thds: 8 tps: 922.00 qps: 18441.00 (r/w/o: 12910.00/3689.00/1842.00) lat (ms,95%): 14.21 err/s: 0.00 reconn/s: 0.00
[ 5s ] thds: 8 tps: 930.00 qps: 18600.00 (r/w/o: 13020.00/3720.00/1860.00) lat (ms,95%): 14.21 err/s: 0.00 reconn/s: 0.00
Killed
`
	sysbench.Scan(strings.NewReader(log), func(r *sysbench.Run) error {
		fmt.Printf("%s run with %d threads, %d report lines, the last: %v tps at %v s\n",
			r.Status, r.Threads, r.Intervals.Len(), r.Intervals.At(2).TPS, r.Intervals.At(2).T)
		return nil
	}, func(p datasets.Problem) { fmt.Printf("line %d: %s: %s\n", p.Line, p.Kind, p.Text) })
	// Output:
	// truncated run with 8 threads, 3 report lines, the last: 930 tps at 5 s
	// line 11: intervals-missing: intervals 3..4 missing
	// line 12: foreign-line: Killed
}

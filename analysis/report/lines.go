package report

import (
	"math"
	"runtime"
	"sync"

	"noisefloor/datasets"
)

// lineMetrics are the metrics that report lines have, by their names in runs.
// Lines of tests without SQL count events where others count transactions.
var lineMetrics = []struct {
	names []string
	of    func(*datasets.Interval) float64
}{
	{[]string{"tps", "eps"}, func(i *datasets.Interval) float64 { return i.TPS }},
	{[]string{"qps"}, func(i *datasets.Interval) float64 { return i.QPS }},
	{[]string{"reads_per_s"}, func(i *datasets.Interval) float64 { return i.Reads }},
	{[]string{"writes_per_s"}, func(i *datasets.Interval) float64 { return i.Writes }},
	{[]string{"other_per_s"}, func(i *datasets.Interval) float64 { return i.Other }},
	{[]string{"errors_per_s"}, func(i *datasets.Interval) float64 { return i.Errors }},
	{[]string{"reconnects_per_s"}, func(i *datasets.Interval) float64 { return i.Reconnects }},
}

// lineMetric is the place of a metric in lineMetrics, -1 if report lines do not
// have it: the percentile of an interval is no part of the percentile of a run.
func lineMetric(name string) int {
	for i, m := range lineMetrics {
		for _, n := range m.names {
			if n == name {
				return i
			}
		}
	}
	return -1
}

// lines are the report lines of one run.
type lines struct {
	run     int // as wanted says
	t       []float64
	threads []float64
	values  [][]float64 // of each metric asked for, parallel to t
}

func (l *lines) add(row *datasets.Interval, metrics []int) {
	l.t, l.threads = append(l.t, row.T), append(l.threads, row.Threads)
	for i, m := range metrics {
		l.values[i] = append(l.values[i], lineMetrics[m].of(row))
	}
}

func (l *lines) reset() {
	l.t, l.threads = l.t[:0], l.threads[:0]
	for i := range l.values {
		l.values[i] = l.values[i][:0]
	}
}

// dropDrain leaves out the lines at the end during which threads have finished
// already. More than a quarter of the run is no drain: such a run changes its
// threads on purpose.
func (l *lines) dropDrain() {
	most := 0.0
	for _, n := range l.threads {
		most = max(most, n) // NaN stays NaN, and drops nothing
	}
	n := len(l.t)
	for n > 0 && l.threads[n-1] < most {
		n--
	}
	if 4*n < 3*len(l.t) {
		return
	}
	l.t, l.threads = l.t[:n], l.threads[:n]
	for i := range l.values {
		l.values[i] = l.values[i][:n]
	}
}

// eachRunsLines reads the report lines of the wanted runs, which come together
// in the table, and hands them over run by run, on several goroutines at once.
// What use gets is overwritten after it returns.
func eachRunsLines(intervals func(func([]datasets.Interval) error) error, wanted func(runID string) (int, bool), metrics []int, use func(*lines)) error {
	work := make(chan *lines, 64)
	free := sync.Pool{New: func() any { return &lines{values: make([][]float64, len(metrics))} }}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for l := range work {
				l.dropDrain()
				use(l)
				l.reset()
				free.Put(l)
			}
		})
	}
	var current *lines
	last := ""
	hand := func() {
		if current != nil {
			work <- current
		}
		current = nil
	}
	err := intervals(func(rows []datasets.Interval) error {
		for i := range rows {
			if row := &rows[i]; row.RunID != last || current == nil {
				if row.RunID == last { // not a wanted one
					continue
				}
				hand()
				last = row.RunID
				run, ok := wanted(last)
				if !ok {
					continue
				}
				current = free.Get().(*lines)
				current.run = run
			}
			current.add(&rows[i], metrics)
		}
		return nil
	})
	hand()
	close(work)
	workers.Wait()
	return err
}

// anyKnown tells whether any value is a number.
func anyKnown(values []float64) bool {
	for _, v := range values {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}

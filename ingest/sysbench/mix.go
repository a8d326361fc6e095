package sysbench

import (
	"math"
	"strings"

	"noisefloor/datasets"
)

// mix guesses the test of a run that no text names from what it did: statements
// that read and write in a transaction. Tests that do the same are called the
// same, tests that do not are kept apart, which is what it is for. The logs of
// update_index, update_non_index and insert are alike to the last number (no read,
// one write, nothing other, with sysbench 1.0.20 and MariaDB 10.11), so that the
// name says what they may be; delete counts what it does not find as other.
func (s *scan) mix() string {
	m := s.run.Metrics
	rows := &s.run.Intervals
	per := func(count, rate string, column int) float64 {
		n, ok := m[count]
		d := m["transactions"]
		if !ok || !(d > 0) {
			n, ok = m[rate]
			d = m["tps"]
		}
		if ok && d > 0 {
			return n / d
		}
		sum, all := 0.0, 0.0
		rates := rows.Column(datasets.ColumnTPS)
		for i, v := range rows.Column(column) {
			if tps := rates[i]; v >= 0 && tps >= 0 {
				sum, all = sum+v, all+tps
			}
		}
		return sum / all // NaN without rows
	}
	reads := per("reads", "reads_per_s", datasets.ColumnReads)
	writes := per("writes", "writes_per_s", datasets.ColumnWrites)
	other := per("other", "other_per_s", datasets.ColumnOther)
	if math.IsNaN(reads) || math.IsNaN(writes) || reads+writes == 0 || math.IsInf(reads+writes, 0) {
		return s.withoutSQL()
	}
	// Statements of transactions that were rolled back are in the counts, so that
	// a few percent more than the script says are normal.
	is := func(r, w, o float64) bool {
		near := func(x, want float64) bool { return x >= .97*want-.01 && x <= 1.1*want+.01 }
		return near(reads, r) && near(writes, w) && (math.IsNaN(other) || near(other, o))
	}
	switch {
	case is(14, 4, 2), is(10, 4, 2), is(14, 4, 0):
		return "oltp_read_write"
	case is(14, 0, 2), is(14, 0, 0), is(10, 0, 2), is(10, 0, 0):
		return "oltp_read_only"
	case is(0, 4, 2), is(0, 4, 0):
		return "oltp_write_only"
	case is(13, 13.5, 2):
		return "tpcc" // sysbench-tpcc: 45 % new orders, 43 % payments, ...
	case is(1, 0, 0):
		return "single reads"
	case is(0, 1, 0):
		return datasets.UpdateOrInsert
	case reads == 0 && other > .01 && writes < .99 && writes+other > .97 && writes+other < 1.03:
		return "delete"
	case writes == 0:
		return "reads"
	case reads == 0:
		return "writes"
	}
	return "reads and writes"
}

// withoutSQL: the tests cpu, memory and fileio name themselves, so that what is
// left of the built-in ones is threads and mutex, whose every thread is one event.
func (s *scan) withoutSQL() string {
	m := s.run.Metrics
	_, sql := m["transactions"]
	switch {
	case sql, s.hooked.rows, s.run.Intervals.Len() == 0 && len(m) == 0:
		return ""
	case s.run.Intervals.Len() == 0 && m["events"] == float64(s.run.Threads):
		return "mutex"
	case m["events"] > 0 || s.anyEvents():
		return "threads"
	}
	return ""
}

func (s *scan) anyEvents() bool {
	queries := s.run.Intervals.Column(datasets.ColumnQPS)
	for i, tps := range s.run.Intervals.Column(datasets.ColumnTPS) {
		if tps > 0 && math.IsNaN(queries[i]) {
			return true
		}
	}
	return false
}

// refine tells the modes of the built-in tests apart, which are as different as
// tests are: fileio_rndrw, memory_read. It keeps a name that says more.
func (s *scan) refine(test, mode string) {
	if w := s.run.Workload; w == test || w == "" {
		s.run.Workload = test + "_" + mode
	}
}

// fileModes are the lines that say what the file test does.
var fileModes = map[string]string{
	"Doing random r/w test": "rndrw", "Doing random read test": "rndrd", "Doing random write test": "rndwr",
	"Doing sequential read test": "seqrd", "Doing sequential write (creation) test": "seqwr", "Doing sequential rewrite test": "seqrewr",
	"Doing combined random r/w test": "rndrw",
}

// oltpModes are those of the built-in oltp test of 0.4.
var oltpModes = map[string]string{
	"Doing read-only test": "read_only", "Running simple OLTP test": "simple", "Running non-transactional test": "nontrx",
	"Running stored procedure test": "sp",
}

// mode reads the lines that tell the mode of a test.
func (s *scan) mode(b []byte) {
	if s.belongs() != mine {
		return
	}
	text := strings.TrimSuffix(string(b), ".")
	if m := fileModes[text]; m != "" {
		s.refine("fileio", m)
	}
	if m := oltpModes[text]; m != "" {
		s.refine("oltp", m)
	}
}

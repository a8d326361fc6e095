package sysbench

import (
	"bytes"
	"math"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/digits"
	"noisefloor/ingest/internal/lines"
)

// A cursor walks over a line; bad stays set after the first thing that is not
// as expected.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) text(s string) {
	if len(c.b) >= len(s) && string(c.b[:len(s)]) == s {
		c.b = c.b[len(s):]
		return
	}
	c.bad = true
}

func (c *cursor) num(shift int) float64 {
	v, size, _ := digits.Fixed(c.b, shift)
	c.b = c.b[size:]
	c.bad = c.bad || size == 0
	return v
}

// parseThds reads the report line of sysbench 1.0 and 1.1, the one that fills
// logs. The second form comes from sysbench.report_default of Lua scripts, which
// has no colon after err/s; the third from forks of sysbench-tpcc, which count
// more at the end.
//
//	[ 10s ] thds: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) lat (ms,95%): 14.46 err/s: 0.00 reconn/s: 0.00
//	[ 4s ] thds: 16 tps: 248.00 qps: 7306.07 (r/w/o: 3342.03/3468.03/496.00) lat (ms,95%): 97.55 err/s 1.00 reconn/s: 0.00
//	[ 4s ] thds: 16 tps: 248.00 qps: … reconn/s: 0.00 no: 111.60 pt: 106.10 os: 10.20 dl: 10.00 sl: 10.10
//
// It says no to anything else; the tolerant parser then has a look.
func parseThds(b []byte, iv *datasets.Interval) bool {
	c := cursor{b: b}
	c.text("[ ")
	iv.T = c.num(0)
	c.text("s ] thds: ")
	iv.Threads = c.num(0)
	c.text(" tps: ")
	iv.TPS = c.num(0)
	c.text(" qps: ")
	iv.QPS = c.num(0)
	c.text(" (r/w/o: ")
	if c.bad {
		return false
	}
	iv.Reads = c.num(0)
	c.text("/")
	iv.Writes = c.num(0)
	c.text("/")
	iv.Other = c.num(0)
	c.text(") lat (ms,")
	iv.Percentile = c.num(0)
	c.text("%): ")
	iv.LatencyPct = c.num(3)
	c.text(" err/s")
	if len(c.b) > 0 && c.b[0] == ':' {
		c.b = c.b[1:]
	}
	c.text(" ")
	iv.Errors = c.num(0)
	c.text(" reconn/s: ")
	iv.Reconnects = c.num(0)
	iv.QueueLength, iv.Concurrency = math.NaN(), math.NaN()
	for !c.bad && len(c.b) > 0 {
		c.text(" ")
		i := bytes.IndexByte(c.b, ':')
		if i <= 0 || bytes.IndexByte(c.b[:i], ' ') >= 0 {
			return false
		}
		c.b = c.b[i+1:]
		c.text(" ")
		c.num(0)
	}
	return !c.bad
}

// bracket reads the lines that start with a time in brackets, all forms since
// 2010.
func (s *scan) bracket(b []byte) verdict {
	t, rest, ok := bracketTime(b)
	if !ok {
		return foreign
	}
	iv := &s.iv
	switch {
	case bytes.HasPrefix(rest, []byte("thds:")), bytes.HasPrefix(rest, []byte("threads:")):
		// A line cut by the end of the text may have lost digits of its last
		// number; two decimals, as printf writes them, show that it has not.
		if s.torn && !(parseThds(b, iv) && twoDecimals(b)) {
			return s.broken(b)
		}
		if !parseThds(b, iv) {
			*iv = unknown(t)
			if !parseFields(rest, iv, &standing{}) {
				return s.broken(b)
			}
			s.plausible(iv, b)
		}
		s.learn(b)
		return s.interval()
	case s.torn:
		return s.broken(b)
	case string(rest) == "Checkpoint report:":
		return s.checkpointed(t)
	case bytes.HasPrefix(rest, []byte("queue length:")):
		return s.queue(t, rest)
	case bytes.HasPrefix(rest, []byte("reads:")):
		*iv = unknown(t)
		if !parseFileio(rest, iv) {
			return s.broken(b)
		}
		s.plausible(iv, b)
		v := s.interval()
		s.names("fileio")
		return v
	case bytes.HasSuffix(rest, []byte("MiB/sec")), bytes.HasSuffix(rest, []byte("MB/sec,")):
		*iv = unknown(t) // the memory test reports its throughput only
		return s.interval()
	}
	return foreign
}

// learn takes the shape of the line whose report, b, has just been read. Behind it may
// be what an object of JSON ends with.
func (s *scan) learn(b []byte) {
	line := s.rd.Line()
	front := within(line, b)
	if front < 0 || s.torn {
		return
	}
	back := front + len(b)
	rest := bytes.TrimSpace(line[back:])
	if bare, ok := lines.Uncoloured(rest); ok {
		rest = bare
	}
	if len(rest) == 0 || line[0] == '{' && bytes.IndexByte(rest, '[') < 0 && bytes.IndexByte(line, 0) < 0 {
		s.shapes.learn(line, front, back, &s.iv)
		s.learned = true
	}
}

// within is where a piece of a text begins in it, -1 if it is of another.
func within(text, piece []byte) int {
	at := cap(text) - cap(piece)
	if at < 0 || at+len(piece) > len(text) || len(piece) == 0 || &text[at] != &piece[0] {
		return -1
	}
	return at
}

// bracketTime reads "[  10s] " or "[ 10s ] "; a hacked 1.1 prints "[ 20ms ] ".
func bracketTime(b []byte) (t float64, rest []byte, ok bool) {
	b = bytes.TrimLeft(b[1:], " ")
	t, size, _ := digits.Fixed(b, 0)
	if size == 0 {
		return 0, nil, false
	}
	switch b = b[size:]; {
	case bytes.HasPrefix(b, []byte("s")):
		b = b[1:]
	case bytes.HasPrefix(b, []byte("ms")):
		t, b = t/1000, b[2:]
	default:
		return 0, nil, false
	}
	b = bytes.TrimLeft(b, " ")
	if len(b) == 0 || b[0] != ']' {
		return 0, nil, false
	}
	return t, bytes.TrimSpace(b[1:]), true
}

// unknown is the report line at t of which nothing else is known.
func unknown(t float64) datasets.Interval {
	nan := math.NaN()
	return datasets.Interval{T: t, Threads: nan, TPS: nan, QPS: nan, Reads: nan, Writes: nan, Other: nan,
		LatencyPct: nan, Percentile: nan, Errors: nan, Reconnects: nan, QueueLength: nan, Concurrency: nan}
}

// parseFields reads the "name: value" pairs of every report line with threads.
// The unit of the latency stands in the line and is believed, not the version: a
// patched 0.5 prints microseconds here and milliseconds in its summary.
//
//	thds: 2 eps: 2880.52 lat (ms,95%): 3.19                                            1.0, tests without SQL
//	threads: 8, tps: 921.00, reads/s: 12915.02, writes/s: 3686.01 response time: 14.46ms (99%)               0.4
//	threads: 8, tps: 921.00, reads/s: 12915.02, writes/s: 3686.01 response time: 9.00ms (95%), 14.46ms (99%) 2011
//	threads: 8, tps: 921.00, reads: 12915.02, writes: 3686.01, response time: 14.46ms (95%), errors: 0.00, reconnects:  0.00
//	threads: 8, tps: 921.00, reads: 12915.02, writes: 3686.01, response time: 14460.10us (95%), errors: 0.00, reconnects:  0.00
//	threads: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) latency: 14.46ms (95%) errors/s: 0.00 reconnects/s: 0.00
//	threads: 8 tps: 921.00 qps: 18443.03 (r/w/o: 12915.02/3686.01/1842.00) latency (ms,95%): 14.46 errors/s: 0.00 reconnects/s: 0.00
//
// in tells where the numbers stand.
func parseFields(b []byte, iv *datasets.Interval, in *standing) bool {
	for {
		b = bytes.TrimLeft(b, " ,()")
		if len(b) == 0 {
			return !math.IsNaN(iv.Threads) && !math.IsNaN(iv.TPS)
		}
		key := b[:0]
		for _, odd := range [...]string{"err/s ", "errors/s "} { // no colon
			if bytes.HasPrefix(b, []byte(odd)) {
				key = b[:len(odd)-1]
			}
		}
		switch i := bytes.IndexByte(b, ':'); {
		case len(key) > 0:
			b = b[len(key)+1:]
		case b[0]-'0' <= 9: // a second percentile: the first is the one that later versions print
		case i <= 0:
			return false
		default:
			key, b = b[:i], b[i+1:]
		}
		b = bytes.TrimLeft(b, " ")

		if name, _, _ := bytes.Cut(key, []byte(" (")); len(key) == 0 || string(name) == "lat" || string(name) == "latency" || string(name) == "response time" {
			v, p, shift, rest, ok := latency(key, b)
			if !ok {
				return false
			}
			if len(key) > 0 {
				iv.LatencyPct, iv.Percentile = v, p
				in.columns[datasets.ColumnLatencyPct], in.latency = len(b), digits.Pow10[shift]
			}
			b = rest
			continue
		}
		v, size, _ := number(b, 0)
		if size == 0 {
			return false
		}
		at := len(b)
		b = b[size:]
		switch string(key) {
		case "threads", "thds":
			iv.Threads, in.columns[datasets.ColumnThreads] = v, at
		case "tps", "eps":
			iv.TPS, in.columns[datasets.ColumnTPS] = v, at
		case "qps":
			iv.QPS, in.columns[datasets.ColumnQPS] = v, at
		case "r/w/o":
			c := cursor{b: b}
			iv.Reads, in.columns[datasets.ColumnReads] = v, at
			for i, p := range [...]*float64{&iv.Writes, &iv.Other} {
				c.text("/")
				v, size, _ := number(c.b, 0)
				in.columns[datasets.ColumnWrites+i] = len(c.b)
				*p, c.b, c.bad = v, c.b[size:], c.bad || size == 0
			}
			if c.bad {
				return false
			}
			b = c.b
		case "reads", "reads/s":
			iv.Reads, in.columns[datasets.ColumnReads] = v, at
		case "writes", "writes/s":
			iv.Writes, in.columns[datasets.ColumnWrites] = v, at
		case "err/s", "errors", "errors/s":
			iv.Errors, in.columns[datasets.ColumnErrors] = v, at
		case "reconn/s", "reconnects", "reconnects/s":
			iv.Reconnects, in.columns[datasets.ColumnReconnects] = v, at
		}
		if len(b) > 0 && bytes.IndexByte([]byte(" ,)"), b[0]) < 0 {
			return false
		}
	}
}

// latency reads "14.46ms (95%)", "14460.10us (95%)" or, behind a key that has
// unit and percentile, "14.46". It returns seconds, which are 10^shift of the unit.
func latency(key, b []byte) (v, percentile float64, shift int, rest []byte, ok bool) {
	_, size, _ := number(b, 0)
	rest = b[size:]
	unit := rest
	_, inside, keyed := bytes.Cut(key, []byte("(")) // "ms,95%)"
	if keyed {
		unit = inside
	}
	unit = bytes.TrimLeft(unit, " ") // file tests of 2016: "14.460 ms (95th pct.)"
	switch {
	case bytes.HasPrefix(unit, []byte("us")):
		shift = 6
	case bytes.HasPrefix(unit, []byte("ms")):
		shift = 3
	case !bytes.HasPrefix(unit, []byte("s")):
		return 0, 0, 0, nil, false
	}
	i := bytes.IndexAny(unit, ",(")
	if size == 0 || i < 0 {
		return 0, 0, 0, nil, false
	}
	percentile, digits, _ := digits.Fixed(bytes.TrimLeft(unit[i+1:], " "), 0)
	if !keyed {
		_, rest, ok = bytes.Cut(rest, []byte(")"))
	}
	v, _, _ = number(b, shift)
	return v, percentile, shift, rest, digits > 0 && (keyed || ok)
}

// parseFileio reads the report line of the file test. Reads and writes are bytes
// here, for which an interval has no column: only the latency is kept.
//
//	[   3s] reads: 1.70 MB/s writes: 0.00 MB/s fsyncs: 0.00/s response time: 54.416ms (95%)
//	[ 1s ] reads: 298.30 MiB/s writes: 198.87 MiB/s fsyncs: 1270.78/s latency (ms,95%): 0.021
func parseFileio(b []byte, iv *datasets.Interval) bool {
	_, b, ok := bytes.Cut(b, []byte("/s "))
	for ok && !bytes.HasPrefix(b, []byte("latency")) && !bytes.HasPrefix(b, []byte("response time")) {
		_, b, ok = bytes.Cut(b, []byte("/s "))
	}
	key, value, found := bytes.Cut(b, []byte(":"))
	if !ok || !found {
		return false
	}
	iv.LatencyPct, iv.Percentile, _, b, ok = latency(key, bytes.TrimLeft(value, " "))
	return ok && len(b) == 0
}

// queue reads what a run with a given rate prints after each report line.
//
//	[ 1s ] queue length: 0, concurrency: 2
//	[ 1s ] queue length: 0 concurrency: 2
func (s *scan) queue(t float64, b []byte) verdict {
	c := cursor{b: b}
	c.text("queue length: ")
	length := c.num(0)
	c.b = bytes.TrimPrefix(c.b, []byte(","))
	c.text(" concurrency: ")
	concurrency := c.num(0)
	if c.bad || len(c.b) > 0 {
		return s.broken(b)
	}
	if rows, last := &s.run.Intervals, s.run.Intervals.Len()-1; s.open && last >= 0 && rows.Column(datasets.ColumnT)[last] == t {
		rows.Column(datasets.ColumnQueueLength)[last] = length
		rows.Column(datasets.ColumnConcurrency)[last] = concurrency
	}
	return s.belongs()
}

// twoDecimals tells whether b ends in a number with exactly two decimals.
func twoDecimals(b []byte) bool {
	n := len(b)
	return n >= 4 && b[n-1]-'0' <= 9 && b[n-2]-'0' <= 9 && b[n-3] == '.' && b[n-4]-'0' <= 9
}

// What no real rate, count or time reaches; a counter that went below zero
// prints as 2^64 less a little, divided by whatever it is divided by.
const (
	maxRate    = 1e15 // per second; also for counts
	maxSeconds = 1e9  // 31 years
)

// plausible makes numbers unknown that no run can have.
func (s *scan) plausible(iv *datasets.Interval, b []byte) {
	wrapped := false
	check := func(limit float64, values ...*float64) {
		for _, v := range values {
			if *v < 0 || *v > limit {
				*v, wrapped = math.NaN(), true
			}
		}
	}
	check(maxRate, &iv.Threads, &iv.TPS, &iv.QPS, &iv.Reads, &iv.Writes, &iv.Other, &iv.Errors, &iv.Reconnects)
	check(maxSeconds, &iv.LatencyPct)
	if wrapped {
		s.note(KindWrapped, b)
	}
}

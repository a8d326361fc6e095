// Package mysqlslap reads the reports of mysqlslap and mariadb-slap: one run per
// block or per line of --csv, with the seconds that all queries took.
package mysqlslap

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
)

// Tool is mysqlslap for the registry of ingest.
var Tool = load.Tool{Name: "mysqlslap", Sniff: Sniff, Scan: Scan}

// Sniff tells whether the head of a file comes from mysqlslap. The lines of --csv
// have no headings; their names of the load are what gives them away.
func Sniff(head []byte) bool {
	if bytes.Contains(head, []byte("seconds to run all queries:")) {
		return true
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	return csvRow.Match(bytes.TrimSpace(first))
}

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The lines, as they stand in real reports:
//
//	Benchmark
//		Running for engine innodb
//		Average number of seconds to run all queries: 0.136 seconds
//		Minimum number of seconds to run all queries: 0.132 seconds
//		Maximum number of seconds to run all queries: 0.141 seconds
//		Number of clients running queries: 50
//		Average number of queries per client: 200
//
//	innodb,mixed,0.136,0.132,0.141,50,200
//	,read,0.136,0.132,0.141,50,200
var (
	engine  = regexp.MustCompile(`^Running for engine (\S+)$`)
	seconds = regexp.MustCompile(`^(Average|Minimum|Maximum) number of seconds to run all queries: (\d+\.\d+) seconds$`)
	clients = regexp.MustCompile(`^Number of clients running queries: (\d+)$`)
	queries = regexp.MustCompile(`^Average number of queries per client: (\d+)$`)
	csvRow  = regexp.MustCompile(`^(\w*),(mixed|read|write|key|update),(\d+\.\d{3}),(\d+\.\d{3}),(\d+\.\d{3}),(\d+),(\d+)$`)
	loads   = regexp.MustCompile(`--auto-generate-sql-load-type[= ](\w+)`)
)

type parser struct {
	load     string // of the command line before
	seen     int    // numbers of the block
	complete bool
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if text == "Benchmark" {
		p.begin(b)
		return load.Mine
	}
	if m := at(csvRow); m != nil {
		p.begin(b)
		if m[1] != "" {
			b.Run.Options["engine"] = datasets.Text(m[1])
		}
		b.Run.Workload = m[2]
		p.numbers(b, m[3], m[4], m[5])
		p.size(b, m[6], m[7])
		return load.Mine
	}
	if m := at(engine); m != nil {
		if !b.Open() || p.seen > 0 {
			p.begin(b)
		}
		b.Run.Options["engine"] = datasets.Text(m[1])
		return load.Mine
	}
	if m := at(seconds); m != nil {
		name := map[string]string{"Average": "elapsed", "Minimum": "elapsed_min", "Maximum": "elapsed_max"}[m[1]]
		if _, again := b.Run.Metrics[name]; !b.Open() || p.complete || again {
			p.begin(b)
		}
		p.seen++
		b.Run.Metrics[name] = load.Number(m[2])
		return load.Mine
	}
	if m := at(clients); m != nil {
		if !b.Open() || p.complete {
			p.begin(b)
		}
		p.seen++
		b.Run.Threads = load.Count(m[1])
		return load.Mine
	}
	if m := at(queries); m != nil {
		if !b.Open() || p.complete {
			p.begin(b)
		}
		p.seen++
		p.size(b, "", m[1])
		return load.Mine
	}
	if strings.Contains(text, "slap") && strings.Contains(text, "--") {
		if m := at(loads); m != nil {
			p.load = m[1]
		}
		return load.Apart
	}
	if bytes.Contains(line, []byte("to run all queries:")) || bytes.HasPrefix(line, []byte("Average number of queries")) {
		return load.Broken
	}
	return load.Foreign
}

func (p *parser) begin(b *load.Book) {
	b.Begin()
	p.seen, p.complete = 0, false
	b.Run.Workload = p.load
}

func (p *parser) numbers(b *load.Book, avg, lowest, highest string) {
	m := b.Run.Metrics
	m["elapsed"], m["elapsed_min"], m["elapsed_max"] = load.Number(avg), load.Number(lowest), load.Number(highest)
}

// size takes the clients and the queries of each, the last numbers of a report.
func (p *parser) size(b *load.Book, threads, each string) {
	r := &b.Run
	if threads != "" {
		r.Threads = load.Count(threads)
	}
	_, timed := r.Metrics["elapsed"]
	p.complete = timed && r.Threads > 0
	n := load.Number(each)
	r.Options["queries_per_client"] = load.Typed("", each)
	// It prints 0 queries for each client where there are fewer queries than clients.
	if t := r.Metrics["elapsed"]; p.complete && t > 0 && n > 0 {
		r.Metrics["qps"] = n * float64(r.Threads) / t
	}
}

func (p *parser) End(b *load.Book) bool {
	b.Run.Status = datasets.Truncated
	if p.complete {
		b.Run.Status = datasets.Complete
	}
	return len(b.Run.Metrics) > 0 || p.seen > 0
}

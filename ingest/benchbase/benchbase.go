// Package benchbase reads the summaries of BenchBase and of OLTP-Bench, its older
// name: totals of one run in JSON.
package benchbase

import (
	"io"
	"regexp"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
)

// Tool is BenchBase for the registry of ingest.
var Tool = load.Tool{Name: "BenchBase", Sniff: Sniff, Scan: Scan, Threads: load.CountIn(terminals)}

var telling = pattern.MustCompile(`\A\s*\{(?s:.*?)"(?:Throughput \(requests/second\)|\d\dth Percentile Latency \(microseconds\)|Latency Distribution|Measured Requests)"\s*:`)

// Sniff tells whether the head of a file is such a summary.
func Sniff(head []byte) bool { return telling.Match(head) }

var terminals = regexp.MustCompile(`"terminals"\s*:\s*"?(\d+)"?`)

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The lines, as they stand in real summaries; their order differs from version to
// version, and others write all of it in one:
//
//	{
//	 "Start timestamp (milliseconds)": 1731548786702,
//	 "Current Timestamp (milliseconds)": 1731548847872,
//	 "Elapsed Time (nanoseconds)": 60000083167,
//	 "DBMS Type": "MYSQL",
//	 "DBMS Version": "8.4.3",
//	 "Benchmark Type": "tpcc",
//	 "Final State": "EXIT",
//	 "Measured Requests": 20124,
//	 "isolation": "TRANSACTION_SERIALIZABLE",
//	 "scalefactor": "1",
//	 "terminals": "4",
//	 "Latency Distribution": {
//	  "95th Percentile Latency (microseconds)": 21760,
//	  "Median Latency (microseconds)": 10669,
//	  "Average Latency (microseconds)": 11850
//	 },
//	 "Throughput (requests/second)": 335.3995356515603,
//	 "Goodput (requests/second)": 330.2999954258213
//	}
var (
	member  = regexp.MustCompile(`"([^"]{1,60})"\s*:\s*(?:"([^"]*)"|(-?[\d.]+(?:[eE][-+]?\d+)?)\b|(null)\b)`)
	opened  = regexp.MustCompile(`"Latency Distribution"\s*:\s*\{`)
	latency = regexp.MustCompile(`^(?:(\d\d)th Percentile|(Minimum|Median|Average|Maximum)) Latency \(microseconds\)$`)
)

var spelled = map[string]string{"Minimum": "latency_min", "Median": "latency_p50", "Average": "latency_avg", "Maximum": "latency_max"}

type parser struct {
	seen map[string]bool
	end  string // when the summary was written
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	if line[0] == '{' { // another summary
		b.Finish()
	}
	text := string(line)
	found := member.FindAllStringSubmatch(text, -1)
	if len(found) == 0 {
		if strings.Trim(text, "{}[], ") == "" || opened.MatchString(text) {
			return load.Apart
		}
		return load.Foreign
	}
	for _, m := range found {
		p.member(b, m[1], m[2]+m[3])
	}
	return load.Mine
}

func (p *parser) member(b *load.Book, key, value string) {
	if !b.Open() || p.seen[key] {
		b.Begin()
		p.seen, p.end = map[string]bool{}, ""
	}
	p.seen[key] = true
	r := &b.Run
	if strings.HasPrefix(value, "-") {
		b.Note("impossible-number", []byte(key+" "+value))
		return
	}
	switch key {
	case "Throughput (requests/second)":
		r.Metrics["tps"] = load.Number(value)
	case "Goodput (requests/second)":
		r.Metrics["goodput_per_s"] = load.Number(value)
	case "Measured Requests":
		r.Metrics["requests"] = load.Number(value)
	case "Elapsed Time (nanoseconds)":
		r.Metrics["duration_s"] = load.Shifted(value, 9)
	case "Start timestamp (milliseconds)":
		r.Stamp = moment(value)
	case "Current Timestamp (milliseconds)":
		p.end = moment(value)
	case "Benchmark Type":
		r.Workload = value
	case "DBMS Type":
		option(r, "product", strings.ToLower(value))
	case "DBMS Version":
		option(r, "version", value)
	case "isolation":
		option(r, "isolation", strings.ToLower(strings.TrimPrefix(value, "TRANSACTION_")))
	case "scalefactor":
		option(r, "scale", value)
	case "terminals":
		r.Threads = load.Count(value)
	default:
		if m := latency.FindStringSubmatch(key); m != nil && m[1] != "" {
			r.Metrics["latency_p"+m[1]] = load.Shifted(value, 6)
		} else if m != nil {
			r.Metrics[spelled[m[2]]] = load.Shifted(value, 6)
		}
	}
}

func moment(milliseconds string) string {
	if ms := load.Number(milliseconds); ms > 1e12 && ms < 1e14 {
		return time.UnixMilli(int64(ms)).UTC().Format(time.RFC3339Nano)
	}
	return ""
}

func option(r *load.Run, name, value string) {
	if value != "" {
		r.Options[name] = load.Typed(name, value)
	}
}

func (p *parser) End(b *load.Book) bool {
	_, rate := b.Run.Metrics["tps"]
	_, spread := b.Run.Metrics["latency_max"]
	if b.Run.Stamp == "" { // OLTP-Bench says only when it ended
		b.Run.Stamp, b.Run.StampAfter = p.end, b.Run.Metrics["duration_s"]
	}
	b.Run.Status = datasets.Truncated
	if rate && spread {
		b.Run.Status = datasets.Complete
	}
	return len(b.Run.Metrics) > 0
}

// Package tpccmysql reads what tpcc_start of tpcc-mysql prints: the lines per
// interval, the counts of the five transactions and TpmC.
package tpccmysql

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
)

// Tool is tpcc-mysql for the registry of ingest.
var Tool = load.Tool{Name: "tpcc-mysql", Sniff: Sniff, Scan: Scan}

// Sniff tells whether the head of a file comes from tpcc-mysql.
func Sniff(head []byte) bool {
	if bytes.Contains(head, []byte("###easy### TPC-C Load Generator")) || bytes.Contains(head, []byte("<Raw Results2(sum ver.)>")) {
		return true
	}
	return len(rowAnywhere.FindAllIndex(head, 2)) == 2
}

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The lines, as they stand in real logs. Response times are in milliseconds in
// the report lines since the percentiles came (2014); what the older form counts
// in, its histogram does not say, so that they are not taken.
//
//	*** ###easy### TPC-C Load Generator ***
//	option w with value '1000'
//	  [warehouse]: 1000
//	 [connection]: 32
//	     [rampup]: 10 (sec.)
//	    [measure]: 10800 (sec.)
//	MEASURING START.
//	  10, trx: 12920, 95%: 9.483, 99%: 18.738, max_rt: 213.169, 12919|98.778, 1292|101.096, 1293|443.955, 1293|670.842
//	  10, 1292(0):1.8|2.2, 1291(0):0.6|0.9, 129(0):0.3|0.3, 129(0):2.0|2.0, 130(0):4.6|5.2         before 2014
//	  [0] sc:3342616 lt:0  rt:0  fl:0 avg_rt: 17.7 (5)
//	 in 10800 sec.
//	<TpmC>
//	                 18570.086 TpmC
var (
	rowAnywhere = pattern.MustCompile(`(?m)^\s*\d+, trx: \d+, 95%: [\d.]+, 99%: |^\s*\d+, \d+\(\d+\):[\d.]+\|[\d.]+, \d+\(\d+\):`)
	row         = regexp.MustCompile(`^(\d+), trx: (\d+), 95%: ([\d.]+), 99%: ([\d.]+), max_rt: ([\d.]+), (\d+)\|[\d.]+, (\d+)\|[\d.]+, (\d+)\|[\d.]+, (\d+)\|([\d.]+)$`)
	oldRow      = regexp.MustCompile(`^(\d+), (\d+)\(\d+\):[\d.]+\|[\d.]+, (\d+)\(\d+\):[\d.]+\|[\d.]+, (\d+)\(\d+\):[\d.]+\|[\d.]+, (\d+)\(\d+\):[\d.]+\|[\d.]+, (\d+)\(\d+\):[\d.]+\|([\d.]+)$`)
	looksRow    = regexp.MustCompile(`^\d+, (?:trx: |\d+\(\d+\):)`)
	parameter   = regexp.MustCompile(`^\[(\w+)\]: ?(.*)$`)
	option      = regexp.MustCompile(`^option (\w) (?:with value|\(.*\) with value) '(.*)'$`)
	raw         = regexp.MustCompile(`^\[([0-4])\] sc:(\d+) +lt:(\d+) +rt:(\d+) +fl:(\d+)(?: avg_rt: ([\d.]+) \(\d+\))?$`)
	inSeconds   = regexp.MustCompile(`^in (\d+) sec\.$`)
	tpmc        = regexp.MustCompile(`^(\d+(?:\.\d+)?) TpmC$`)
	rest        = regexp.MustCompile(`^(?:\*{3}|<(?:Parameters|Raw Results|Raw Results2\(sum ver\.\)|Constraint Check|TpmC)>|RAMP-UP TIME|MEASURING START|STOPPING THREADS|\[(?:transaction percentage|response time)|(?:Payment|Order-Status|Delivery|Stock-Level|New-Order): [\d.]+%|option |<Constraint)`)
)

type parser struct {
	measuring bool // the report lines have begun
	summed    bool // in the block that sums over threads
	finished  bool
	counts    [5]float64 // transactions of each kind
	have      bool
	failed    float64
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	switch {
	case bytes.Contains(line, []byte("###easy### TPC-C Load Generator")):
		p.begin(b)
		return load.Mine
	case text == "<TpmC>", text == "<Constraint Check> (all must be [OK])":
		return p.inside(b)
	case text == "<Raw Results>":
		p.summed = false
		return p.inside(b)
	case text == "<Raw Results2(sum ver.)>":
		p.summed = true
		return p.inside(b)
	case text == "MEASURING START.":
		if !b.Open() || p.finished || p.measuring {
			p.begin(b)
		}
		p.measuring = true
		return load.Mine
	}
	if m := at(row); m != nil {
		counts := load.Number(m[2]) + load.Number(m[6]) + load.Number(m[7]) + load.Number(m[8]) + load.Number(m[9])
		p.row(b, load.Number(m[1]), counts, load.Shifted(m[3], 3), 95)
		return load.Mine
	}
	if m := at(oldRow); m != nil {
		counts := load.Number(m[2]) + load.Number(m[3]) + load.Number(m[4]) + load.Number(m[5]) + load.Number(m[6])
		p.row(b, load.Number(m[1]), counts, math.NaN(), math.NaN())
		return load.Mine
	}
	if looksRow.MatchString(text) {
		return load.Broken
	}
	if m := at(raw); m != nil {
		return p.raw(b, m)
	}
	if m := at(parameter); m != nil {
		return p.parameter(b, m[1], m[2])
	}
	if m := at(option); m != nil {
		names := map[string]string{"w": "warehouse", "c": "connection", "r": "rampup", "l": "measure"}
		return p.parameter(b, names[m[1]], m[2])
	}
	if m := at(inSeconds); m != nil {
		if b.Open() {
			b.Run.Metrics["duration_s"] = load.Number(m[1])
		}
		return p.inside(b)
	}
	if m := at(tpmc); m != nil {
		if !b.Open() || p.finished {
			p.begin(b)
		}
		b.Run.Metrics["tpmc"] = load.Number(m[1])
		p.finished = true
		return load.Mine
	}
	if rest.MatchString(text) {
		return p.inside(b)
	}
	return load.Foreign
}

func (p *parser) begin(b *load.Book) {
	b.Begin()
	*p = parser{}
	b.Run.Workload = "tpcc"
}

func (p *parser) inside(b *load.Book) load.Verdict {
	if b.Open() {
		return load.Mine
	}
	return load.Apart
}

func (p *parser) row(b *load.Book, t, counts, latency, percentile float64) {
	if n := b.Run.Intervals.Len(); !b.Open() || p.finished || n > 0 && t < b.Run.Intervals.At(n-1).T {
		p.begin(b)
	}
	p.measuring = true
	if step := b.Step(t); step > 0 {
		b.Row(t, func(iv *datasets.Interval) {
			iv.TPS, iv.LatencyPct, iv.Percentile = counts/step, latency, percentile
		})
	}
}

// raw reads the counts of one kind of transaction: in time (sc), late (lt), and
// failed for good (fl). The block that sums over the threads says them again.
func (p *parser) raw(b *load.Book, m []string) load.Verdict {
	if !b.Open() || p.finished {
		return p.inside(b)
	}
	if p.summed {
		return load.Mine
	}
	p.counts[m[1][0]-'0'] = load.Number(m[2]) + load.Number(m[3])
	p.failed += load.Number(m[5])
	p.have = p.have || m[1] == "4"
	if m[1] == "0" && m[6] != "" {
		b.Run.Metrics["latency_avg"] = load.Shifted(m[6], 3)
	}
	return load.Mine
}

func (p *parser) parameter(b *load.Book, name, value string) load.Verdict {
	if !b.Open() || p.finished {
		return p.inside(b)
	}
	first, _, _ := strings.Cut(value, " ")
	n := load.Count(first)
	if n == 0 {
		return load.Mine
	}
	switch name {
	case "warehouse":
		b.Run.Options["warehouses"] = datasets.Int(int64(n))
	case "connection":
		b.Run.Threads = n
	case "rampup":
		b.Run.Options["rampup_s"] = datasets.Int(int64(n))
	case "measure":
		b.Run.Options["time_s"] = datasets.Int(int64(n))
	}
	return load.Mine
}

func (p *parser) End(b *load.Book) bool {
	r := &b.Run
	r.Status = datasets.Truncated
	if !p.finished {
		return true
	}
	r.Status = datasets.Complete
	if !p.have {
		return true
	}
	m := r.Metrics
	total := 0.0
	for _, n := range p.counts {
		total += n
	}
	m["transactions"], m["new_orders"], m["errors"] = total, p.counts[0], p.failed
	if seconds := m["duration_s"]; seconds > 0 {
		m["tps"], m["errors_per_s"] = total/seconds, p.failed/seconds
		// Printed with three decimals.
		if perMinute := p.counts[0] * 60 / seconds; math.Abs(perMinute-m["tpmc"]) > 0.001+1e-6*perMinute {
			b.Note("rate-disagrees", fmt.Appendf(nil, "%.0f new orders in %v s are %.3f per minute, the log says %.3f", p.counts[0], seconds, perMinute, m["tpmc"]))
		}
	}
	return true
}

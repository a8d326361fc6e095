// Package ycsb reads the summaries of YCSB and of go-ycsb: throughput, and count
// and latencies of each kind of operation; and their status lines as intervals.
package ycsb

import (
	"bytes"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
	"noisefloor/ingest/internal/secret"
)

// Tool is YCSB for the registry of ingest.
var Tool = load.Tool{Name: "YCSB", Sniff: Sniff, Scan: Scan}

var telling = pattern.MustCompile(`(?m)^\[OVERALL\], (?:RunTime|Throughput)|^\[(?:READ|UPDATE|INSERT|SCAN|READ-MODIFY-WRITE)\], (?:Operations|AverageLatency)|current ops/sec;|site\.ycsb\.|com\.yahoo\.ycsb\.|^(?:READ|UPDATE|INSERT|SCAN|TOTAL|READ_MODIFY_WRITE)\s+- Takes\(s\): [\d.]+, Count: \d+, OPS: `)

// Sniff tells whether the head of a file comes from YCSB.
func Sniff(head []byte) bool { return telling.Match(head) }

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error {
	return load.Scan(text, out, &parser{})
}

// The lines, as they stand in real logs:
//
//	Command line: -db site.ycsb.db.JdbcClient -P workloads/workloada -threads 16 -p recordcount=1000000 -t
//	YCSB Client 0.17.0
//	2026-01-31 10:11:12:345 10 sec: 12345 operations; 1234.5 current ops/sec; est completion in 5 minutes [READ: Count=6200, Max=…, …]
//	[OVERALL], RunTime(ms), 10110
//	[OVERALL], Throughput(ops/sec), 98911.96834817013
//	[READ], Operations, 499540
//	[READ], AverageLatency(us), 312.0
//	[READ], 95thPercentileLatency(us), 512
//	[READ], Return=OK, 499540
//	[READ], 0, 1234                                                                    histogram of older versions, in ms
//
// go-ycsb repeats its lines every ten seconds, each counted from the start:
//
//	***************** properties *****************
//	"threadcount"="16"
//	READ   - Takes(s): 10.0, Count: 499540, OPS: 49954.2, Avg(us): 312, Min(us): 90, Max(us): 20015, 50th(us): 290, 90th(us): 450, 95th(us): 512, 99th(us): 900, 99.9th(us): 2100, 99.99th(us): 9000
//	Run finished, takes 1m24.170438017s
var (
	version  = regexp.MustCompile(`^YCSB Client (\S+)$`)
	status   = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d )?(?:\d\d:\d\d:\d\d[:.,]\d+ )?(\d+) sec: (\d+) operations; (?:([\d.]+) current ops/sec;)?.*$`)
	summary  = regexp.MustCompile(`^\[([A-Z][A-Z-]*)\], ([^,]+), (-?[\d.]+(?:E-?\d+)?)$`)
	gcLine   = regexp.MustCompile(`^\[TOTAL_GC`)
	goRow    = regexp.MustCompile(`^([A-Z_]+)\s+- Takes\(s\): ([\d.]+), Count: (\d+), OPS: ([\d.]+)((?:, [\w.]+\(us\): [\d.]+)+)$`)
	goEach   = regexp.MustCompile(`(?:(\d+(?:\.\d+)?)th|(\w+))\(us\): ([\d.]+)`)
	property = regexp.MustCompile(`^"([\w.]+)"="(.*)"$`)
	pctOf    = regexp.MustCompile(`^(\d+)(?:th|nd|st|rd)?PercentileLatency\(us\)$`)
)

type parser struct {
	version  string
	workload string
	threads  int
	options  map[string]string
	phase    string // -load or -t

	finished bool
	inGo     bool
	rows     map[string]goLatest // of go-ycsb: the latest line of each operation
	final    map[string]goLatest // the totals, nil before "Run finished"
	block    map[string]bool     // the operations of the interval at hand
	t, count float64             // end of the interval before, operations up to there
}

// goLatest is a line of go-ycsb, which counts from the start.
type goLatest struct {
	takes, count, ops float64
	times             string
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if m := at(summary); m != nil {
		return p.summary(b, m)
	}
	if m := at(status); m != nil {
		if !b.Open() || p.finished {
			p.begin(b)
		}
		if m[3] != "" && load.Number(m[1]) > 0 {
			b.Row(load.Number(m[1]), func(iv *datasets.Interval) { iv.TPS = load.Number(m[3]) })
		}
		return load.Mine
	}
	if m := at(goRow); m != nil {
		p.goRow(b, m)
		return load.Mine
	}
	if m := at(version); m != nil {
		p.version = m[1]
		return load.Apart
	}
	if m := at(property); m != nil {
		p.option(m[1], m[2])
		return load.Apart
	}
	if rest, ok := strings.CutPrefix(text, "Command line: "); ok {
		p.commandLine(strings.Fields(rest))
		return load.Apart
	}
	switch {
	case strings.HasPrefix(text, "Run finished, takes "):
		if !b.Open() || !p.inGo || p.final != nil { // shorter than the time between two reports
			p.begin(b)
		}
		p.interval(b)
		p.inGo, p.final = true, map[string]goLatest{}
		return load.Mine
	case gcLine.MatchString(text), strings.HasPrefix(text, "Loading workload"), strings.HasPrefix(text, "Starting test"), strings.HasPrefix(text, "DBWrapper: "),
		strings.HasPrefix(text, "java "), strings.HasPrefix(text, "Adding shard node"), strings.HasPrefix(text, "*****"), strings.HasPrefix(text, "Using "):
		return load.Apart
	case bytes.HasPrefix(line, []byte("[OVERALL]")), strings.Contains(text, "current ops/sec"), strings.Contains(text, "- Takes(s): "):
		return load.Broken
	}
	return load.Foreign
}

func (p *parser) begin(b *load.Book) {
	b.Begin()
	p.finished, p.inGo, p.final, p.t, p.count = false, false, nil, 0, 0
	p.rows, p.block = map[string]goLatest{}, map[string]bool{}
	b.Run.Version, b.Run.Workload, b.Run.Threads = p.version, p.workload, p.threads
	for name, value := range p.options {
		b.Run.Options[name] = load.Typed(name, value)
	}
	if p.phase != "" {
		b.Run.Options["phase"] = datasets.Text(p.phase)
	}
}

// commandLine reads the arguments of the client.
func (p *parser) commandLine(words []string) {
	p.options, p.threads, p.phase = map[string]string{}, 0, ""
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch w {
		case "-threads":
			p.threads = load.Count(next)
		case "-P":
			p.workload = next[strings.LastIndexByte(next, '/')+1:]
		case "-load":
			p.phase = "load"
		case "-t":
			p.phase = "run"
		case "-target":
			p.options["rate"] = next
		case "-p":
			if name, value, ok := strings.Cut(next, "="); ok {
				p.option(name, value)
			}
		}
	}
}

// described are the properties that say how a run was made.
var described = map[string]string{"recordcount": "records", "operationcount": "max_events", "fieldcount": "fields", "fieldlength": "field_length",
	"requestdistribution": "rand_type", "readproportion": "read_share", "updateproportion": "update_share", "insertproportion": "insert_share",
	"scanproportion": "scan_share", "maxexecutiontime": "time_s", "target": "rate"}

func (p *parser) option(name, value string) {
	if p.options == nil {
		p.options = map[string]string{}
	}
	switch to := described[name]; {
	case secret.Name(name):
	case name == "threadcount":
		p.threads = load.Count(value)
	case name == "dotransactions":
		p.phase = map[string]string{"true": "run", "false": "load"}[value]
	case to != "":
		p.options[to] = value
	}
}

func (p *parser) summary(b *load.Book, m []string) load.Verdict {
	what, key, value := m[1], m[2], load.Number(m[3])
	if value < 0 {
		b.Note("counter-wrapped", []byte(m[0]))
		value = math.NaN()
	}
	if what == "OVERALL" {
		name := map[string]string{"RunTime(ms)": "duration_s", "Throughput(ops/sec)": "ops"}[key]
		if _, again := b.Run.Metrics[name]; !b.Open() || again {
			p.begin(b)
		}
		switch name {
		case "duration_s":
			b.Run.Metrics[name] = value / 1000
		case "ops":
			b.Run.Metrics[name] = value
			p.finished = true
		}
		return load.Mine
	}
	if !b.Open() {
		return load.Foreign // of a summary whose head was cut off
	}
	name := strings.ToLower(strings.ReplaceAll(what, "-", "_"))
	if what == "CLEANUP" {
		return load.Mine
	}
	p.operation(b, name, key, value)
	return load.Mine
}

func (p *parser) operation(b *load.Book, name, key string, value float64) {
	m := b.Run.Metrics
	if pct := pctOf.FindStringSubmatch(key); pct != nil {
		m[name+"_latency_p"+pct[1]] = value / 1e6
		return
	}
	switch key {
	case "Operations":
		m[name+"_operations"] = value
	case "AverageLatency(us)":
		m[name+"_latency_avg"] = value / 1e6
	case "MinLatency(us)":
		m[name+"_latency_min"] = value / 1e6
	case "MaxLatency(us)":
		m[name+"_latency_max"] = value / 1e6
	default:
		if code, ok := strings.CutPrefix(key, "Return="); ok && code != "OK" && code != "0" {
			m["errors"] += value
		}
	}
}

// goRow takes a line of go-ycsb, which counts from the start. The lines behind
// "Run finished" are the totals.
func (p *parser) goRow(b *load.Book, m []string) {
	op, row := m[1], goLatest{load.Number(m[2]), load.Number(m[3]), load.Number(m[4]), m[5]}
	if _, again := p.final[op]; !b.Open() || p.final == nil && p.finished || again || p.final == nil && row.count < p.rows[op].count {
		p.begin(b)
	}
	p.inGo = true
	if p.final != nil {
		p.final[op] = row
		p.finished = p.isWhole()
		return
	}
	if p.block[op] {
		p.interval(b)
	}
	p.rows[op], p.block[op] = row, true
}

// isWhole tells whether the totals are there of all that was reported on before,
// or where nothing was, the total of all.
func (p *parser) isWhole() bool {
	_, total := p.final["TOTAL"]
	for op := range p.rows {
		if _, ok := p.final[op]; !ok {
			return false
		}
	}
	return total || len(p.rows) > 0
}

// interval adds the lines so far as a report line.
func (p *parser) interval(b *load.Book) {
	t, count := 0.0, 0.0
	for _, op := range slices.Sorted(maps.Keys(p.rows)) {
		t = max(t, p.rows[op].takes)
		if op != "TOTAL" && !strings.HasSuffix(op, "_ERROR") {
			count += p.rows[op].count
		}
	}
	if t > p.t && count >= p.count {
		rate := (count - p.count) / (t - p.t)
		b.Row(t, func(iv *datasets.Interval) { iv.TPS = rate })
		p.t, p.count = t, count
	}
	clear(p.block)
}

func (p *parser) End(b *load.Book) bool {
	r := &b.Run
	r.Status = datasets.Truncated
	if p.finished {
		r.Status = datasets.Complete
	}
	if !p.inGo || !p.finished { // the lines so far are no totals
		return true
	}
	total := 0.0
	sum, summed := p.final["TOTAL"]
	for _, op := range slices.Sorted(maps.Keys(p.final)) {
		row := p.final[op]
		name := strings.ToLower(op)
		switch {
		case op == "TOTAL":
		case strings.HasSuffix(name, "_error"):
			r.Metrics["errors"] += row.count
			continue
		default:
			r.Metrics[name+"_operations"] = row.count
			total += row.ops
		}
		r.Metrics["duration_s"] = max(r.Metrics["duration_s"], row.takes)
		prefix := name + "_latency_"
		if op == "TOTAL" {
			prefix = "latency_"
		}
		for _, e := range goEach.FindAllStringSubmatch(row.times, -1) {
			if e[1] != "" {
				r.Metrics[prefix+"p"+strings.ReplaceAll(e[1], ".", "")] = load.Shifted(e[3], 6)
			} else {
				r.Metrics[prefix+strings.ToLower(e[2])] = load.Shifted(e[3], 6)
			}
		}
	}
	r.Metrics["ops"] = total
	if summed {
		r.Metrics["ops"], r.Metrics["duration_s"] = sum.ops, sum.takes
	}
	return true
}

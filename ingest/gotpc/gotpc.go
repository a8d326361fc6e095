// Package gotpc reads what go-tpc prints: the lines per interval of each kind of
// transaction, their summary, tpmC, and the times of the queries of TPC-H.
package gotpc

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
)

// Tool is go-tpc for the registry of ingest.
var Tool = load.Tool{Name: "go-tpc", Sniff: Sniff, Scan: Scan}

var telling = pattern.MustCompile(`(?m)\[(?:Current|Summary)\] \w+ - Takes\(s\): |\[Summary\] Q\d+: |^\s*tpmC: [\d.]+, (?:tpmTotal|efficiency)`)

// Sniff tells whether the head of a file comes from go-tpc.
func Sniff(head []byte) bool { return telling.Match(head) }

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The lines, as they stand in real logs; before 1.0.9 there was no Max and no
// tpmTotal:
//
//	go-tpc tpcc --warehouses 100 -T 64 --time 10m run
//	[Current] NEW_ORDER - Takes(s): 9.9, Count: 10520, TPM: 63757.6, Sum(ms): 315743.2, Avg(ms): 30.0, 50th(ms): 27.3, 90th(ms): 46.1, 95th(ms): 54.5, 99th(ms): 79.7, 99.9th(ms): 142.6, Max(ms): 151.0
//	[Current] NEW_ORDER_ERR - Takes(s): 9.9, Count: 3, TPM: 18.2, Sum(ms): 100.0, Avg(ms): 33.3, 50th(ms): 27.3, …
//	Finished
//	[Summary] NEW_ORDER - Takes(s): 599.9, Count: 645123, TPM: 64523.0, Sum(ms): 19353690.0, Avg(ms): 30.0, …
//	tpmC: 64523.0, tpmTotal: 143400.1, efficiency: 501.7%
//	[Summary] Q1: 3.96s
var (
	row     = regexp.MustCompile(`^\[(Current|Summary)\] (\w+) - Takes\(s\): ([\d.]+), Count: (\d+), TPM: ([\d.]+)((?:, [\w.]+\(ms\): [\d.]+)+)$`)
	each    = regexp.MustCompile(`(?:(\d+(?:\.\d+)?)th|(\w+))\(ms\): ([\d.]+)`)
	final   = regexp.MustCompile(`^tpmC: ([\d.]+)(?:, tpmTotal: ([\d.]+))?, efficiency: ([\d.]+)%$`)
	query   = regexp.MustCompile(`^\[(?:Current|Summary)\] Q(\d+): (\d+(?:\.\d+)?)s$`)
	threads = regexp.MustCompile(`(?:-T|--threads)[= ]?(\d+)`)
	houses  = regexp.MustCompile(`--warehouses[= ](\d+)`)
	command = regexp.MustCompile(`\bgo-tpc (tpcc|tpch|ch)\b.*\brun\b`)
)

type parser struct {
	command        string
	threads, house int

	// The interval at hand: its kinds so far, what they counted, its length.
	kinds    map[string]bool
	count    float64
	errors   float64
	takes    float64
	p95      float64
	now      float64 // end of the interval before
	finished bool
	summary  bool
	total    float64
	failed   float64
	seconds  float64
	queries  int // of TPC-H in the summary
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if m := at(row); m != nil {
		if m[1] == "Current" {
			p.current(b, m)
		} else {
			p.sum(b, m)
		}
		return load.Mine
	}
	if m := at(final); m != nil {
		if !b.Open() || p.finished {
			p.begin(b, "tpcc")
		}
		b.Run.Metrics["tpmc"] = load.Number(m[1])
		if m[2] != "" {
			b.Run.Metrics["tpm"] = load.Number(m[2])
		}
		p.finished = true
		return load.Mine
	}
	if m := at(query); m != nil {
		if strings.HasPrefix(text, "[Current]") {
			if !b.Open() || p.summary {
				p.begin(b, "tpch")
			}
			p.kinds["Q"+m[1]] = true
			return load.Mine
		}
		name := "q" + m[1] + "_elapsed"
		if _, again := b.Run.Metrics[name]; !b.Open() || again {
			p.begin(b, "tpch")
		}
		b.Run.Metrics[name] = load.Number(m[2])
		p.summary = true
		p.total += load.Number(m[2])
		p.queries++
		// All that ran are in the summary: the sum is whole.
		if p.finished = p.queries == len(p.kinds); p.finished {
			b.Run.Metrics["elapsed"] = p.total
		} else {
			delete(b.Run.Metrics, "elapsed")
		}
		return load.Mine
	}
	switch {
	case strings.Contains(text, "go-tpc ") && command.MatchString(text):
		p.command = command.FindStringSubmatch(text)[1]
		p.threads, p.house = 0, 0
		if m := threads.FindStringSubmatch(text); m != nil {
			p.threads = load.Count(m[1])
		}
		if m := houses.FindStringSubmatch(text); m != nil {
			p.house = load.Count(m[1])
		}
		return load.Apart
	case text == "Finished", strings.HasPrefix(text, "Press Ctrl+C"), strings.HasPrefix(text, "Got signal"):
		if b.Open() {
			return load.Mine
		}
		return load.Apart
	case bytes.HasPrefix(line, []byte("[Current] ")), bytes.HasPrefix(line, []byte("[Summary] ")), bytes.HasPrefix(line, []byte("tpmC: ")):
		return load.Broken
	case strings.HasPrefix(text, "execute run failed"), strings.HasPrefix(text, "[") && strings.Contains(text, "execute "):
		b.Note("alert", line)
		return load.Apart
	}
	return load.Foreign
}

func (p *parser) begin(b *load.Book, workload string) {
	b.Begin()
	*p = parser{command: p.command, threads: p.threads, house: p.house, kinds: map[string]bool{}, p95: math.NaN()}
	b.Run.Workload = workload
	if p.command != "" {
		b.Run.Workload = p.command
	}
	b.Run.Threads = p.threads
	if p.house > 0 {
		b.Run.Options["warehouses"] = datasets.Int(int64(p.house))
	}
}

// current adds a kind to the interval at hand; a kind that comes again belongs to
// the next one.
func (p *parser) current(b *load.Book, m []string) {
	if !b.Open() || p.finished || p.summary {
		p.begin(b, "tpcc")
	}
	if p.kinds[m[2]] {
		p.flush(b)
	}
	p.kinds[m[2]] = true
	if strings.HasSuffix(m[2], "_ERR") {
		p.errors += load.Number(m[4])
	} else {
		p.count += load.Number(m[4])
	}
	p.takes = max(p.takes, load.Number(m[3]))
	if m[2] == "NEW_ORDER" {
		p.p95 = math.NaN()
		if _, value, ok := strings.Cut(m[6], ", 95th(ms): "); ok {
			value, _, _ = strings.Cut(value, ",")
			p.p95 = load.Shifted(value, 3)
		}
	}
}

func (p *parser) flush(b *load.Book) {
	if len(p.kinds) > 0 && p.takes > 0 {
		p.now += p.takes
		b.Row(math.Round(p.now*10)/10, func(iv *datasets.Interval) {
			iv.TPS, iv.Errors = p.count/p.takes, p.errors/p.takes
			iv.LatencyPct = p.p95
			if iv.Percentile = 95; math.IsNaN(p.p95) {
				iv.Percentile = math.NaN()
			}
		})
	}
	clear(p.kinds)
	p.count, p.errors, p.takes, p.p95 = 0, 0, 0, math.NaN()
}

func (p *parser) sum(b *load.Book, m []string) {
	name := strings.ToLower(m[2])
	if _, again := b.Run.Options["seen_"+name]; !b.Open() || p.finished || again {
		p.begin(b, "tpcc")
	}
	if !p.summary {
		// The lines of the last interval are whole: something stands behind them.
		p.flush(b)
		p.summary = true
	}
	b.Run.Options["seen_"+name] = datasets.Bool(true)
	metrics := b.Run.Metrics
	p.seconds = max(p.seconds, load.Number(m[3]))
	if strings.HasSuffix(name, "_err") {
		p.failed += load.Number(m[4])
		return
	}
	p.total += load.Number(m[4])
	if name != "new_order" {
		return
	}
	metrics["new_orders"] = load.Number(m[4])
	for _, e := range each.FindAllStringSubmatch(m[6], -1) {
		v := load.Shifted(e[3], 3)
		switch {
		case e[1] != "":
			metrics["latency_p"+strings.ReplaceAll(e[1], ".", "")] = v
		case e[2] != "Sum":
			metrics["latency_"+strings.ToLower(e[2])] = v
		}
	}
}

func (p *parser) End(b *load.Book) bool {
	r := &b.Run
	for name := range r.Options {
		if strings.HasPrefix(name, "seen_") {
			delete(r.Options, name)
		}
	}
	r.Status = datasets.Truncated
	if p.finished {
		r.Status = datasets.Complete
	}
	m := r.Metrics
	if seconds := p.seconds; p.finished && seconds > 0 {
		m["duration_s"], m["transactions"], m["errors"] = seconds, p.total, p.failed
		m["tps"], m["errors_per_s"] = p.total/seconds, p.failed/seconds
	}
	return true
}

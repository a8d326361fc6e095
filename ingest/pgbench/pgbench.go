// Package pgbench reads the reports of PostgreSQL's pgbench, which people hold
// against MySQL: one run per summary, and its progress lines as intervals.
package pgbench

import (
	"io"
	"regexp"
	"strings"
	"time"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
)

// Tool is pgbench for the registry of ingest.
var Tool = load.Tool{Name: "pgbench", Sniff: Sniff, Scan: Scan, Threads: load.CountIn(clientsLine)}

var telling = pattern.MustCompile(`(?m)number of transactions actually processed: \d|\btps = [\d.]+ \((?:without|including|excluding) |\bprogress: [\d.]+ s, [\d.]+ tps, lat |^pgbench \(\d|^\d+ of \d+ tuples \(\d+%\) .*done \(elapsed `)

// Sniff tells whether the head of a file comes from pgbench.
func Sniff(head []byte) bool { return telling.Match(head) }

var clientsLine = regexp.MustCompile(`(?m)^\s*number of clients: (\d+)\s*$`)

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The lines, as they stand in real reports. Clients are connections, which the data
// set calls threads; the threads of pgbench share them out. The progress of version 15
// counts failed transactions too, with -R the lag and what was skipped:
//
//	pgbench (15.18 (Debian 15.18-0+deb12u1))
//	pgbench (18beta3, server 13.22)                                       a server of another version
//	progress: 1.0 s, 188.7 tps, lat 8.400 ms stddev 11.078, 0 failed, lag 2.195 ms, 7 skipped
//	progress: 1796080788.1 s, 188.7 tps, lat 8.400 ms stddev 11.078                           --progress-timestamp
//	transaction type: <builtin: TPC-B (sort of)>
//	scaling factor: 2
//	query mode: simple
//	number of clients: 4
//	number of threads: 2
//	duration: 4 s
//	number of transactions per client: 200
//	number of transactions actually processed: 400/400
//	number of failed transactions: 0 (0.000%)
//	number of transactions above the 20.0 ms latency limit: 34/782 (4.348%)
//	latency average = 6.177 ms
//	latency average: 6.177 ms                                             before version 9.6
//	rate limit schedule lag: avg 1.261 (max 19.798) ms
//	tps = 588.002122 (without initial connection time)
//	tps = 121.448788 (including reconnection times)                       -C
//	tps = 85.184871 (including connections establishing)                  before version 14, with the next
//	tps = 85.296346 (excluding connections establishing)
//	statement latencies in milliseconds and failures:
//	         0.556           0  BEGIN;
//	SQL script 2: <builtin: simple update>
//	 - 1991 transactions (24.0% of total, tps = 664.351170)
//	 - latency average = 2.570 ms
//	pgbench: error: Run was aborted; the above results are incomplete.
var (
	version   = regexp.MustCompile(`^pgbench \((\d+(?:\.\d+)*\w*)(?: \([^()]*\))?(?:, server (\d+(?:\.\d+)*\w*)(?: \([^()]*\))?)?\)$`)
	progress  = regexp.MustCompile(`^progress: (\d+\.\d+) s, (\d+\.\d+) tps, lat (?:-?nan|NaN|\d+\.\d+) ms stddev (?:-?nan|NaN|\d+\.\d+)(?:, (\d+) failed)?(?:, lag \d+\.\d+ ms)?(?:, \d+ skipped)?(?:, \d+ retried, \d+ retries)?$`)
	said      = regexp.MustCompile(`^(?:(transaction type): (<[^>]*>|[^<].*)|(query mode): (simple|extended|prepared)|(partition method): (range|hash)|(duration): (\d+) s|(scaling factor|number of clients|number of threads|number of transactions per client|maximum number of tries|partitions): (\d+))$`)
	did       = regexp.MustCompile(`^number of transactions actually processed: (\d+)(?:/\d+)?$`)
	counted   = regexp.MustCompile(`^(?:number of (failed transactions|transactions skipped|transactions retried|transactions above the [\d.]+ ms latency limit)|total (number of retries)): (\d+)(?:/\d+)?(?: \(.*\))?$`)
	latency   = regexp.MustCompile(`^latency (average|stddev)(?: =|:) (\d+\.\d+) ms(?: \(including failures\))?$`)
	lag       = regexp.MustCompile(`^rate limit schedule lag: avg (\d+\.\d+) \(max (\d+\.\d+)\) ms$`)
	connect   = regexp.MustCompile(`^(?:initial|average) connection time = \d+\.\d+ ms$`)
	tps       = regexp.MustCompile(`^tps = (\d+\.\d+) \((without initial connection time|including reconnection times|including connections establishing|excluding connections establishing)\)$`)
	script    = regexp.MustCompile(`^(?:SQL script \d+: |statement latencies in milliseconds|- (?:weight: |\d+ transactions |number of |total number of |latency |statement latencies))`)
	statement = regexp.MustCompile(`^\d+\.\d{3}(?:\s+\d+){0,2}\s+\S`)
	command   = regexp.MustCompile(`(?:^|[\s/])pgbench(?:\s.*)?\s--?[A-Za-z]`)
	rate      = regexp.MustCompile(`\s(?:-R ?|--rate[= ])(\d+(?:\.\d+)?)\b`)
	noise     = regexp.MustCompile(`^(?:starting vacuum\.\.\.|end\.$|dropping old tables|NOTICE: |creating (?:tables|primary keys|foreign keys|\d+ partitions)|generating data|\d+ of \d+ tuples|vacuuming\.\.\.|done(?: in|\.)|set primary key)`)
)

const (
	aborted = "pgbench: error: Run was aborted"
	failure = "pgbench: error: "
	fatal   = "pgbench: fatal: "
)

// options are what a report says about how it was made.
var options = map[string]string{"scaling factor": "scale", "query mode": "query_mode", "number of threads": "worker_threads", "duration": "time_s",
	"number of transactions per client": "transactions_per_client", "maximum number of tries": "max_tries", "partition method": "partition_method", "partitions": "partitions"}

var counts = map[string]string{"failed transactions": "errors", "transactions skipped": "transactions_skipped", "transactions retried": "transactions_retried", "number of retries": "retries"}

type parser struct {
	version string
	server  string // its version
	rate    string // of the command line before
	summary bool   // the summary has begun
	done    bool   // it has its end
	aborted bool
	inside  bool // of single scripts and statements, behind the totals
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if m := at(progress); m != nil {
		if !b.Open() || p.summary {
			p.begin(b)
		}
		p.interval(b, m)
		return load.Mine
	}
	if m := at(said); m != nil {
		if !b.Open() || p.done || m[1] != "" && p.summary {
			p.begin(b)
		}
		p.summary = true
		for i := 1; i < len(m); i += 2 {
			if m[i] != "" {
				p.say(b, m[i], m[i+1])
			}
		}
		return load.Mine
	}
	if m := at(version); m != nil {
		if p.version, p.server = m[1], m[2]; p.server == "" { // said where the two differ
			p.server = m[1]
		}
		return load.Apart
	}
	if b.Open() && p.summary {
		if v := p.total(b, text); v != load.Foreign {
			return v
		}
	}
	switch {
	case strings.HasPrefix(text, aborted):
		p.aborted = true
		return load.Mine
	case strings.HasPrefix(text, failure), strings.HasPrefix(text, fatal):
		if !b.Open() || p.done {
			p.begin(b)
		}
		b.Note("client-aborted", line)
		return load.Mine
	case noise.MatchString(text):
		return load.Apart
	case strings.Contains(text, "pgbench") && command.MatchString(text):
		p.rate = ""
		if m := rate.FindStringSubmatch(text); m != nil {
			p.rate = m[1]
		}
		return load.Apart
	case strings.HasPrefix(text, "tps = "), strings.HasPrefix(text, "progress: "), strings.HasPrefix(text, "latency average"):
		return load.Broken
	}
	return load.Foreign
}

func (p *parser) begin(b *load.Book) {
	b.Begin()
	p.summary, p.done, p.aborted, p.inside = false, false, false, false
	b.Run.Version = p.version
	if p.server != "" {
		b.Run.Options["server_version"] = datasets.Text(p.server)
	}
	if p.rate != "" {
		b.Run.Options["rate"] = load.Typed("rate", p.rate)
	}
}

func (p *parser) say(b *load.Book, what, value string) {
	switch what {
	case "transaction type":
		value = strings.TrimPrefix(strings.Trim(value, "<>"), "builtin: ")
		b.Run.Workload = value[strings.LastIndexByte(value, '/')+1:]
	case "number of clients":
		b.Run.Threads = load.Count(value)
	default:
		b.Run.Options[options[what]] = load.Typed(options[what], value)
	}
}

// interval takes a progress line. With --progress-timestamp its time is that of the
// day, and the first is taken to be as long as the second.
func (p *parser) interval(b *load.Book, m []string) {
	t := load.Number(m[1])
	step := b.Step(t)
	b.Row(t, func(iv *datasets.Interval) {
		iv.TPS = load.Number(m[2])
		if m[3] != "" && step > 0 && step < 1e6 {
			iv.Errors = load.Number(m[3]) / step
		}
	})
}

// total takes a line of the summary.
func (p *parser) total(b *load.Book, text string) load.Verdict {
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	metrics := b.Run.Metrics
	if script.MatchString(text) {
		p.inside = true
		return load.Mine
	}
	if p.inside && statement.MatchString(text) {
		return load.Mine
	}
	if m := at(did); m != nil {
		metrics["transactions"] = load.Number(m[1])
		return load.Mine
	}
	if m := at(counted); m != nil {
		name := counts[m[1]+m[2]]
		if name == "" {
			name = "transactions_late"
		}
		metrics[name] = load.Number(m[3])
		return load.Mine
	}
	if m := at(latency); m != nil {
		metrics[map[string]string{"average": "latency_avg", "stddev": "latency_stddev"}[m[1]]] = load.Shifted(m[2], 3)
		return load.Mine
	}
	if m := at(lag); m != nil {
		metrics["lag_avg"], metrics["lag_max"] = load.Shifted(m[1], 3), load.Shifted(m[2], 3)
		return load.Mine
	}
	if m := at(tps); m != nil {
		if m[2] != "including connections establishing" {
			metrics["tps"] = load.Number(m[1])
			p.done = true
		}
		return load.Mine
	}
	if connect.MatchString(text) {
		return load.Mine
	}
	return load.Foreign
}

func (p *parser) End(b *load.Book) bool {
	r := &b.Run
	_, said := r.Metrics["transactions"]
	switch {
	case p.done && p.aborted:
		r.Status = datasets.FatalWithSummary
	case p.done && said:
		r.Status = datasets.Complete
	case r.Intervals.Len() == 0 && !p.summary:
		r.Status = datasets.FailedToStart
	default:
		r.Status = datasets.Truncated
	}
	if t, _ := r.Options["time_s"].Number(); t > 0 && p.done {
		r.Metrics["duration_s"] = t
	} else if n, v := r.Metrics["transactions"], r.Metrics["tps"]; n > 0 && v > 0 {
		r.Metrics["duration_s"] = n / v // as pgbench makes one of the other
	}
	p.fromStart(r)
	return true
}

// fromStart makes times of day seconds of the run.
func (p *parser) fromStart(r *load.Run) {
	if r.Intervals.Len() == 0 || r.Intervals.At(0).T < 1e9 {
		return
	}
	rows := r.Intervals.Rows()
	from := rows[0].T - 1 // the usual -P 1
	if len(rows) > 1 {
		from = rows[0].T - (rows[1].T - rows[0].T)
	}
	for i := range rows {
		rows[i].T -= from
	}
	r.Stamp = time.UnixMicro(int64(from * 1e6)).UTC().Format(time.RFC3339Nano)
	r.Intervals = datasets.IntervalsOf(rows...)
}

// Package fio reads the summary that fio prints, for people or in JSON: one run for
// each job or group of jobs, with operations and bytes per second and latencies of reads
// and writes. fio rounds operations to three or four digits; those of a whole
// group are taken from bytes and block size where that is exact.
package fio

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
)

// Tool is fio for the registry of ingest.
var Tool = load.Tool{Name: "fio", Sniff: Sniff, Scan: Scan}

var telling = pattern.MustCompile(`(?m)^\S.*: \(groupid=\d+, jobs=\d+\): err=|^\s+(?:read|write)\s*: (?:IOPS=|io=)|^\{?\s*"fio version"\s*:`)

// Sniff tells whether the head of a file comes from fio.
func Sniff(head []byte) bool { return telling.Match(head) }

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The lines, as they stand in real logs:
//
//	fio-3.28
//	randread: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32
//	randread: (groupid=0, jobs=4): err= 0: pid=1234: Mon Jan  1 12:00:00 2024
//	  read: IOPS=123k, BW=481MiB/s (504MB/s)(28.2GiB/60001msec)
//	  read : io=1024.0MB, bw=102400KB/s, iops=25600, runt= 10240msec                   2.x
//	    slat (nsec): min=1200, max=90000, avg=2500.10, stdev=300.20
//	    clat (usec): min=50, max=20015, avg=312.44, stdev=90.20
//	     lat (usec): min=52, max=20018, avg=315.01, stdev=90.21
//	    clat percentiles (usec):
//	     | 90.00th=[  450], 95.00th=[  512], 99.00th=[  900], 99.90th=[ 2100],
//	   READ: bw=481MiB/s (504MB/s), 481MiB/s-481MiB/s (504MB/s-504MB/s), io=28.2GiB (30.3GB), run=60001-60001msec
var (
	version    = regexp.MustCompile(`^fio-(\S+)$`)
	plan       = regexp.MustCompile(`^([^:]+): \(g=\d+\): rw=(\w+), bs=(.*?), ioengine=(\w+), iodepth=(\d+)$`)
	group      = regexp.MustCompile(`^([^:]+): \(groupid=\d+, jobs=(\d+)\): err= ?(-?\d+)(?: \(.*\))?: pid=\d+(?:: (.*))?$`)
	direction  = regexp.MustCompile(`^(read|write|trim|sync)\s*: IOPS=([\d.]+[kMG]?), BW=([\d.]+)(B|[KMGT]i?B)/s (?:\([\d.]+[kKMGT]?B/s\))?\(([\d.]+[KMGT]?i?B)/(\d+)msec\).*$`)
	older      = regexp.MustCompile(`^(read|write|trim)\s*: io=[\d.]+[KMGT]?B, bw=([\d.]+)([KMGT]?B)/s, iops=(\d+), runt= ?(\d+)msec$`)
	latency    = regexp.MustCompile(`^(slat|clat|lat) \((nsec|usec|msec|sec)\)\s*: min= *([\d.]+[kMG]?), max= *([\d.]+[kMG]?), avg= *([\d.]+), stdev= *([\d.]+)$`)
	pctTitle   = regexp.MustCompile(`^(clat|lat|slat|sync) percentiles \((nsec|usec|msec|sec)\):$`)
	percentile = regexp.MustCompile(`(\d+\.\d+)th=\[ *(\d+)\]`)
	known      = regexp.MustCompile(`^(?:bw|iops|cpu|lat|IO depths|submit|complete|issued|latency|fsync|sync|Run status|READ|WRITE|TRIM|SYNC|Disk stats|Starting|Jobs|\.\.\.|clat|slat|\w+: ios=|dm-|nvme|sd[a-z]|vd[a-z]|blocksizes|zone)`)
)

var scales = map[string]float64{"nsec": 1e-9, "usec": 1e-6, "msec": 1e-3, "sec": 1,
	"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}

type parser struct {
	version string
	plans   map[string][]string // of the lines before the start, by job
	side    string              // read or write
	scale   float64             // of the percentiles at hand, 0: none
	failed  bool
	msec    float64
	over    bool // the lines of the job went on behind reads and writes

	document *document // nil: the text is for people
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	if v, ok := p.json(b, text); ok {
		return v
	}
	at := func(r *regexp.Regexp) []string { return r.FindStringSubmatch(text) }
	if m := at(version); m != nil {
		p.version = m[1]
		return load.Apart
	}
	if m := at(plan); m != nil {
		if p.plans == nil {
			p.plans = map[string][]string{}
		}
		p.plans[m[1]] = m
		return load.Apart
	}
	if m := at(group); m != nil {
		p.begin(b, m)
		if p.failed = m[3] != "0"; p.failed {
			b.Note("fatal", line)
		}
		return load.Mine
	}
	if !b.Open() {
		if known.MatchString(text) {
			return load.Apart
		}
		return load.Foreign
	}
	if m := at(direction); m != nil {
		p.direction(b, m[1], number(m[2]), load.Number(m[3])*scales[m[4]], load.Number(m[6]))
		return load.Mine
	}
	if m := at(older); m != nil {
		p.direction(b, m[1], load.Number(m[4]), load.Number(m[2])*scales[m[3]], load.Number(m[5]))
		return load.Mine
	}
	if m := at(latency); m != nil {
		if m[1] == "clat" && p.side != "" { // what the percentiles are of
			scale := scales[m[2]]
			prefix := p.side + "_latency_"
			b.Run.Metrics[prefix+"min"], b.Run.Metrics[prefix+"max"], b.Run.Metrics[prefix+"avg"] = number(m[3])*scale, number(m[4])*scale, load.Number(m[5])*scale
		}
		return load.Mine
	}
	if m := at(pctTitle); m != nil {
		if p.scale = 0; m[1] == "clat" {
			p.scale = scales[m[2]]
		}
		return load.Mine
	}
	if strings.HasPrefix(text, "|") || strings.Contains(text, "th=[") {
		for _, m := range percentile.FindAllStringSubmatch(text, -1) {
			if p.scale > 0 && p.side != "" {
				b.Run.Metrics[percentileOf(p.side, m[1])] = load.Number(m[2]) * p.scale
			}
		}
		return load.Mine
	}
	for _, word := range []string{"cpu", "IO depths", "issued", "Run status group"} {
		p.over = p.over || strings.HasPrefix(text, word)
	}
	if p.scale = 0; bytes.HasPrefix(line, []byte("Run status group")) {
		p.side = ""
	}
	if known.MatchString(text) {
		return load.Mine
	}
	if strings.HasPrefix(text, "read") || strings.HasPrefix(text, "write") {
		return load.Broken
	}
	return load.Foreign
}

func (p *parser) begin(b *load.Book, m []string) {
	b.Begin()
	r := &b.Run
	r.Version, r.Workload, r.Threads, r.Stamp = p.version, m[1], load.Count(m[2]), strings.TrimSpace(m[4])
	if plan := p.plans[m[1]]; plan != nil {
		r.Options["rw"] = datasets.Text(plan[2])
		r.Options["block_size"] = load.Typed("", plan[3])
		r.Options["io_engine"] = datasets.Text(plan[4])
		r.Options["io_depth"] = load.Typed("", plan[5])
	}
	p.side, p.scale, p.msec, p.failed, p.over = "", 0, 0, false, false
}

func (p *parser) direction(b *load.Book, side string, iops, bytesPerS, msec float64) {
	p.side, p.scale = side, 0
	m := b.Run.Metrics
	if side == "sync" {
		return
	}
	m[side+"_iops"], m[side+"_bytes_per_s"] = iops, bytesPerS
	p.msec = max(p.msec, msec)
}

// number reads 123k as fio rounds it.
func number(text string) float64 {
	scale := 1.0
	switch {
	case strings.HasSuffix(text, "k"):
		scale = 1e3
	case strings.HasSuffix(text, "M"):
		scale = 1e6
	case strings.HasSuffix(text, "G"):
		scale = 1e9
	}
	return load.Number(strings.TrimRight(text, "kMG")) * scale
}

func (p *parser) End(b *load.Book) bool {
	r := &b.Run
	if p.over && len(r.Metrics) > 0 {
		for _, side := range []string{"read", "write", "trim"} {
			r.Metrics["iops"] += r.Metrics[side+"_iops"]
			r.Metrics["bytes_per_s"] += r.Metrics[side+"_bytes_per_s"]
		}
		r.Metrics["duration_s"] = p.msec / 1000
		r.StampAfter = p.msec / 1000 // the time is that of printing
	}
	switch {
	case len(r.Metrics) == 0 && p.failed:
		r.Status = datasets.FailedToStart
	case len(r.Metrics) == 0, !p.over:
		r.Status = datasets.Truncated
	case p.failed:
		r.Status = datasets.FatalWithSummary
	default:
		r.Status = datasets.Complete
	}
	return true
}

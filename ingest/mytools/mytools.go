// Package mytools reads what the scripts of mytools, a harness for sysbench and the
// insert benchmark, make of many runs: tables with a row for each server, or a column,
// and the report lines of the insert benchmark itself (iibench.py).
package mytools

import (
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
)

// Tool are the tables, for the registry of ingest.
var Tool = load.Tool{Name: "mytools", Sniff: Sniff, Scan: Scan}

var telling = pattern.MustCompile(`(?m)^\s*ips\s+qps\s+rps\s+.*\scpupq\s.*\stag\s*$|^\s*cpu/o\s+.*\so/s\s+dbms\s*$|^\s*sb\.(?:prepare\.)?o\.[\w.-]+\s*\n\d+\t\S+\s*\n|^\s*col-1 : .*\n`)

// Sniff tells whether the head of a file is such a table.
func Sniff(head []byte) bool { return telling.Match(head) }

// Scan reads a text to its end, see load.Tool.
func Scan(text io.Reader, out load.Out) error { return load.Scan(text, out, &parser{}) }

// The tables, as they stand in real files. Of the insert benchmark, a step above them
// or in the name of the file (ips are inserts, rps and wps reads and writes of the
// disks, /q and /i for each query and insert, p50 and p99 those of the rates by the
// second):
//
//	l.i0
//	ips	qps	rps	rmbps	wps	wmbps	rpq	rkbpq	wpi	wkbpi	csps	cpups	cspq	cpupq	dbgb1	dbgb2	rss	maxop	p50	p99	tag
//	139860	0	1238	4.8	51.3	32.2	0.009	0.035	0.000	0.236	15177	45.7	0.109	13	1.3	41.8	2.0	0.265	143193	18274	my5649.cx6d
//	-
//	155814	0	0.0	0.0	1384.1	125.9	0.000	0.000	0.009	0.827	9111	24.4	0.058	6	3.0	43.5	3.0	0.022	NA	NA	20m.my8021.cx6d
//
// Of sysbench, by operation, and its queries per second, a row or a column for each
// server; what is relative to another is no measurement:
//
//	sb.met.point-query.range100.pk1
//	--- absolute
//	cpu/o		cs/o	r/o	rKB/o	wKB/o	o/s	dbms
//	0.000033	0.027	0	0	0.917	110497	x.pg1222_o2nofp.x10a_c32r128.pk1
//	--- relative to first result
//	0.97		0.96	1	1	1.00	1.04	x.pg1322_o2nofp.x10a_c32r128.pk1
//
//	sb.prepare.o.point-query.warm.range100.pk1
//	99009	x.my5649.x6d.pk1
//
//	col-1 : x.my8043_rel_o2nofp.z12a_c32r128.pk1
//	col-2 : x.my9400_rel_o2nofp.z12a_c32r128.pk1
//
//	col-1	col-2	point queries, first run
//	72716	73816	hot-points_range=100
var (
	title  = regexp.MustCompile(`^(?:sb\.(?:prepare\.)?(?:o|met)\.)?([a-z][\w-]*(?:\.[\w-]+)+?)(?:\.pk\d)?(?:\.dop(\d+))?$`)
	arm    = regexp.MustCompile(`^col-(\d+) : (\S.*)$`)
	server = regexp.MustCompile(`^(?:x\.)?(?:(\d+[kmgtb])\.)?([a-z]\w*)\.([a-z]\w*?)(?:\.pk\d)?$`)
	whole  = regexp.MustCompile(`^\d+$`)
)

// measures are the columns: what they are called here, and in which unit they stand.
var measures = map[string]struct {
	name  string
	scale float64
}{
	"rps": {"storage_reads_per_s", 1}, "rmbps": {"storage_read_bytes_per_s", 1 << 20}, "rkbps": {"storage_read_bytes_per_s", 1 << 10},
	"wps": {"storage_writes_per_s", 1}, "wmbps": {"storage_written_bytes_per_s", 1 << 20}, "wkbps": {"storage_written_bytes_per_s", 1 << 10},
	"rpq": {"storage_reads_per_query", 1}, "rkbpq": {"storage_read_bytes_per_query", 1 << 10}, "wpi": {"storage_writes_per_insert", 1}, "wkbpi": {"storage_written_bytes_per_insert", 1 << 10},
	"csps": {"context_switches_per_s", 1}, "cpups": {"cpu_pct", 1}, "cspq": {"context_switches_per_query", 1}, "cpupq": {"cpu_seconds_per_query", 1e-6},
	"dbgb2": {"database_bytes", 1 << 30}, "rss": {"rss_bytes", 1 << 30}, "maxop": {"latency_max", 1}, "p50": {"rate_p50_per_s", 1}, "p99": {"rate_p99_per_s", 1},
	"cpu/o": {"cpu_seconds_per_query", 1}, "cs/o": {"context_switches_per_query", 1}, "r/o": {"storage_reads_per_query", 1}, "rKB/o": {"storage_read_bytes_per_query", 1 << 10},
	"wKB/o": {"storage_written_bytes_per_query", 1 << 10}, "o/s": {"qps", 1},
}

type parser struct {
	step     string   // the title above
	threads  int      // of it
	columns  []string // of the table at hand
	arms     []string // by the number of their column
	relative bool     // what follows are ratios
	rows     map[string]int
}

func (p *parser) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	cells := strings.Fields(text)
	last := cells[len(cells)-1]
	switch {
	case len(cells) > 2 && (cells[0] == "ips" && cells[1] == "qps" && last == "tag" || cells[0] == "cpu/o" && last == "dbms"):
		p.columns, p.relative = cells, false
		return load.Apart
	case cells[0] == "col-1" && len(cells) > 1 && cells[1] != ":":
		p.columns = cells[:1]
		for len(p.columns) < len(cells) && cells[len(p.columns)] == "col-"+strconv.Itoa(len(p.columns)+1) {
			p.columns = cells[:len(p.columns)+1]
		}
		return load.Apart
	case strings.HasPrefix(text, "--- "):
		p.relative = strings.HasPrefix(text, "--- relative")
		return load.Apart
	case strings.HasPrefix(text, "Relative to: "):
		p.relative, p.arms = true, nil
		return load.Apart
	}
	if m := arm.FindStringSubmatch(text); m != nil {
		if n := load.Count(m[1]); n == 1 {
			p.relative, p.arms = p.relative && p.columns == nil, []string{m[2]}
		} else if n == len(p.arms)+1 {
			p.arms = append(p.arms, m[2])
		}
		p.columns = nil
		return load.Apart
	}
	if len(cells) == 1 {
		if m := title.FindStringSubmatch(text); m != nil && !b.Torn {
			p.step, p.threads, p.columns, p.relative = m[1], load.Count(m[2]), nil, false
			if strings.Contains(text, ".o.") {
				p.columns = []string{"qps", "dbms"}
			}
			return load.Apart
		}
		return load.Foreign
	}
	switch {
	case len(p.columns) == 0:
		return load.Foreign
	case p.columns[0] == "col-1":
		return p.abreast(b, text, cells)
	case len(cells) != len(p.columns):
		return load.Foreign
	case b.Torn: // the name of the server may go on
		return load.Broken
	}
	return p.row(b, cells)
}

// row takes the measurements of one server.
func (p *parser) row(b *load.Book, cells []string) load.Verdict {
	if p.relative {
		return load.Apart
	}
	values := map[string]float64{}
	for i, name := range p.columns[:len(cells)-1] {
		v := load.Number(cells[i])
		switch {
		case math.IsNaN(v) && cells[i] != "NA" && cells[i] != "inf", v < 0:
			return load.Broken
		case (name == "ips" || name == "qps") && !whole.MatchString(cells[i]):
			return load.Apart // a ratio: rates have no decimals
		case !math.IsNaN(v) && !math.IsInf(v, 0):
			values[name] = v
		}
	}
	if values["ips"] <= 1 && values["qps"] <= 1 && values["o/s"] == 0 { // ratios again
		return load.Apart
	}
	b.Begin()
	p.names(b, p.step, cells[len(cells)-1])
	b.Run.Threads = p.threads
	m := b.Run.Metrics
	for name, v := range values {
		if as, ok := measures[name]; ok {
			m[as.name] = v * as.scale
		}
	}
	// A step that asks nothing is measured by what it inserts; the inserts beside
	// queries have a rate that is given.
	switch {
	case values["qps"] > 0:
		m["qps"] = values["qps"]
		if ips, ok := values["ips"]; ok {
			m["inserts_per_s"] = ips
		}
	case values["ips"] > 0:
		m["tps"] = values["ips"]
	}
	return load.Mine
}

// abreast takes the queries per second of one test, a column for each server.
func (p *parser) abreast(b *load.Book, text string, cells []string) load.Verdict {
	n := len(p.columns)
	if len(cells) <= n || len(p.arms) != n {
		return load.Foreign
	}
	if p.relative {
		return load.Apart
	}
	for _, c := range cells[:n] {
		if !whole.MatchString(c) {
			return load.Foreign
		}
	}
	if b.Torn {
		return load.Broken
	}
	test := strings.Join(cells[n:], " ")
	for i, c := range cells[:n] {
		b.BeginCell(strconv.Itoa(i))
		p.names(b, test, p.arms[i])
		b.Run.Metrics["qps"] = load.Number(c)
	}
	return load.Mine
}

// names says of which step and server the open run is. Rows of one server without
// titles are the steps in their order.
func (p *parser) names(b *load.Book, step, of string) {
	r := &b.Run
	r.Workload, r.Factors = step, map[string]datasets.Value{}
	b.Beside += step
	if m := server.FindStringSubmatch(of); m != nil {
		r.Factors["build"], r.Factors["cnf"] = datasets.Text(m[2]), datasets.Text(m[3])
		if m[1] != "" {
			r.Factors["size"] = datasets.Text(m[1])
		}
	} else {
		r.Factors["build"] = datasets.Text(of)
	}
	if p.rows == nil {
		p.rows = map[string]int{}
	}
	if p.rows[step+" "+of]++; len(p.rows) > 1<<16 {
		clear(p.rows)
	}
	if n := p.rows[step+" "+of]; step == "" {
		r.Factors["step"] = datasets.Int(int64(n))
	}
}

func (p *parser) End(b *load.Book) bool {
	b.Run.Status = datasets.Complete
	return true
}

package mytools

import (
	"io"
	"math"
	"regexp"
	"strings"

	"noisefloor/datasets"
	"noisefloor/ingest/internal/load"
	"noisefloor/ingest/internal/pattern"
)

// Insert is the insert benchmark (iibench.py), for the registry of ingest.
var Insert = load.Tool{Name: "insert benchmark", Sniff: SniffInsert, Scan: ScanInsert}

var insertTelling = pattern.MustCompile(`(?m)^\s*i_sec\s+t_sec\s+i_ips\s+t_ips\s`)

// SniffInsert tells whether the head of a file is a log of the insert benchmark.
func SniffInsert(head []byte) bool { return insertTelling.Match(head) }

// ScanInsert reads a text to its end, see load.Tool.
func ScanInsert(text io.Reader, out load.Out) error { return load.Scan(text, out, &inserter{}) }

// The lines, as they stand in real logs; i_ is of the interval, t_ since the start,
// max_ in microseconds. Deletes and retries came later:
//
//	i_sec	t_sec	i_ips	t_ips	i_dps	t_dps	i_qps	t_qps	max_i	max_d	max_q	t_ins	t_del	t_query	retry_i	retry_d	retry_q
//	i_sec	t_sec	i_ips	t_ips	i_qps	t_qps	max_i	max_q	t_ins	t_query
//	1.0	1.0	61833	61833	0	0	2919	0	61900	0
//	Query thread: 120405 queries, fetched/query(expected, actual) = ( 10 , 9.998 )
//	Created secondary indexes in 12.3 seconds
//	Totals: 162.2 secs, 61652.3 rows/sec, 10000000 rows, 0 0 0 insert-delete-query retry
//	Done
var (
	totals  = regexp.MustCompile(`^Totals: (\d+\.\d+) secs, (\d+\.\d+) rows/sec, (\d+) rows(?:, (\d+) (\d+) (\d+) insert-delete-query retry)?$`)
	indexed = regexp.MustCompile(`^Created secondary indexes in (\d+\.\d+) seconds$`)
	said    = regexp.MustCompile(`^(?:Query thread: |Using Mongo |Inserting initial tuples|get_min_trxid = |[Dd]one$|\d+$)`)
	numbers = regexp.MustCompile(`^\d+\.\d\s`)
)

type inserter struct {
	columns []string
	total   bool
}

func (p *inserter) Line(b *load.Book, line []byte) load.Verdict {
	text := string(line)
	if strings.HasPrefix(text, "i_sec") {
		if cells := strings.Fields(text); !b.Torn && len(cells) > 3 && cells[1] == "t_sec" {
			b.Begin()
			*p = inserter{columns: cells}
			return load.Mine
		}
		return load.Broken
	}
	if !b.Open() || p.total {
		if said.MatchString(text) {
			return load.Apart
		}
		return load.Foreign
	}
	m := b.Run.Metrics
	if numbers.MatchString(text) {
		return p.interval(b, strings.Fields(text))
	}
	if at := indexed.FindStringSubmatch(text); at != nil {
		m["index_seconds"] = load.Number(at[1])
		return load.Mine
	}
	if at := totals.FindStringSubmatch(text); at != nil {
		p.total = true
		m["duration_s"], m["inserts"] = load.Number(at[1]), load.Number(at[3])
		rate := "tps"
		if m["qps"] > 0 { // as in the tables
			rate = "inserts_per_s"
		}
		if m["inserts"] > 0 {
			m[rate] = load.Number(at[2])
		}
		if at[4] != "" {
			m["retries"] = load.Number(at[4]) + load.Number(at[5]) + load.Number(at[6])
		}
		return load.Mine
	}
	if said.MatchString(text) {
		return load.Mine
	}
	return load.Foreign
}

// interval takes a report line. The longest response of an interval stands in it as
// its 100th percentile.
func (p *inserter) interval(b *load.Book, cells []string) load.Verdict {
	if len(cells) != len(p.columns) || b.Torn {
		return load.Broken
	}
	v := map[string]float64{}
	for i, name := range p.columns {
		if v[name] = load.Number(cells[i]); !(v[name] >= 0) {
			return load.Broken
		}
	}
	b.Row(v["t_sec"], func(iv *datasets.Interval) {
		iv.TPS, iv.QPS = v["i_ips"], v["i_qps"]
		if longest := math.Max(v["max_i"], math.Max(v["max_d"], v["max_q"])); longest > 0 {
			iv.LatencyPct, iv.Percentile = longest/1e6, 100
		}
	})
	delete(b.Run.Metrics, "qps")
	if v["t_query"] > 0 && v["t_sec"] > 0 {
		b.Run.Metrics["qps"] = v["t_query"] / v["t_sec"]
	}
	return load.Mine
}

func (p *inserter) End(b *load.Book) bool {
	b.Run.Status = datasets.Truncated
	if p.total {
		b.Run.Status = datasets.Complete
	} else {
		delete(b.Run.Metrics, "qps") // what it comes to is not known
	}
	return true
}

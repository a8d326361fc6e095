package load

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"noisefloor/datasets"
)

// added are the metrics of which the sum over parallel clients is that of all;
// so is everything per second. A percentile of a sum is no function of the
// percentiles, and neither is fairness between threads: both are left out.
var added = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`tps qps eps ops nopm tpm tpmc transactions queries reads writes other errors reconnects requests events
		operations latency_sum new_orders unfinished_transactions`) {
		added[name] = true
	}
}

func adds(name string) bool {
	return added[name] || strings.HasSuffix(name, "_per_s") || strings.HasSuffix(name, "_operations")
}

// Sum adds up the runs of clients that worked side by side on one server: one
// measurement. A metric that one of them lacks is unknown for all. The parts are
// read only.
func Sum(parts []Run) Run {
	all := parts[0]
	all.LastLine = parts[len(parts)-1].LastLine
	all.Clients, all.Threads, all.Status = 0, 0, datasets.Complete
	all.Options, all.Metrics = maps.Clone(parts[0].Options), map[string]float64{}
	for _, p := range parts {
		all.Threads += p.Threads
		all.Clients += max(p.Clients, 1)
		if p.Status != datasets.Complete && all.Status == datasets.Complete {
			all.Status = p.Status
		}
		for name, v := range p.Options {
			if w, ok := all.Options[name]; !ok || w != v {
				delete(all.Options, name)
			}
		}
	}
	for name := range parts[0].Metrics {
		fold := func(with func(a, b float64) float64) {
			v := parts[0].Metrics[name]
			for _, p := range parts[1:] {
				w, ok := p.Metrics[name]
				if !ok {
					return
				}
				v = with(v, w)
			}
			all.Metrics[name] = v
		}
		switch {
		case adds(name):
			fold(func(a, b float64) float64 { return a + b })
		case name == "latency_min":
			fold(math.Min)
		case name == "latency_max", name == "duration_s", name == "elapsed":
			fold(math.Max)
		}
	}
	if sum, ok := all.Metrics["latency_sum"]; ok && all.Metrics["events"] > 0 {
		all.Metrics["latency_avg"] = sum / all.Metrics["events"]
	}
	all.Intervals, all.Buckets = sumIntervals(parts), sumBuckets(parts)
	return all
}

// sumIntervals adds up the report lines of one time; a time that one of the
// clients does not report on is left out, since its sum would be short.
func sumIntervals(parts []Run) datasets.Intervals {
	type slot struct {
		row  datasets.Interval
		seen int
	}
	at := map[float64]*slot{}
	for i, p := range parts {
		for _, iv := range p.Intervals.Rows() {
			s := at[iv.T]
			switch {
			case s == nil && i == 0:
				iv.LatencyPct, iv.Percentile = math.NaN(), math.NaN()
				at[iv.T] = &slot{iv, 1}
			case s != nil && s.seen == i: // a time that comes twice in a part counts once
				s.seen++
				for _, f := range []struct {
					to *float64
					v  float64
				}{{&s.row.Threads, iv.Threads}, {&s.row.TPS, iv.TPS}, {&s.row.QPS, iv.QPS}, {&s.row.Reads, iv.Reads}, {&s.row.Writes, iv.Writes}, {&s.row.Other, iv.Other},
					{&s.row.Errors, iv.Errors}, {&s.row.Reconnects, iv.Reconnects}, {&s.row.QueueLength, iv.QueueLength}, {&s.row.Concurrency, iv.Concurrency}} {
					*f.to += f.v
				}
			}
		}
	}
	var rows []datasets.Interval
	for _, s := range at {
		if s.seen == len(parts) {
			rows = append(rows, s.row)
		}
	}
	slices.SortFunc(rows, func(a, b datasets.Interval) int { return cmp.Compare(a.T, b.T) })
	return datasets.IntervalsOf(rows...)
}

// sumBuckets adds histograms, whose buckets are the same for all of sysbench 1.x.
// Without that of one client there is none of all.
func sumBuckets(parts []Run) []datasets.Bucket {
	counts := map[float64]int64{}
	for _, p := range parts {
		if len(p.Buckets) == 0 {
			return nil
		}
		for _, b := range p.Buckets {
			counts[b.Value] += b.Count
		}
	}
	var all []datasets.Bucket
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, datasets.Bucket{Value: v, Count: counts[v]})
	}
	return all
}

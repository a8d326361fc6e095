package report

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/datasets"
)

// percentileOf reads the quantile out of a metric's name: .95 of latency_p95. 0
// is none.
func percentileOf(metric string) float64 {
	digits, ok := strings.CutPrefix(metric, "latency_p")
	q, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !(q > 0 && q < 100) {
		return 0
	}
	return q / 100
}

// readHistograms gives the histograms of all runs by run id, if a percentile is
// among the metrics (or none is named, and then one is). Percentiles that only
// the histograms have become metrics of in.Runs, which are replaced: the
// caller's stay as they are.
func readHistograms(in *Input, metrics []string) (map[string]*compare.Histogram, error) {
	if in.Buckets == nil || len(metrics) > 0 && !slices.ContainsFunc(metrics, func(m string) bool { return percentileOf(m) > 0 }) {
		return nil, nil
	}
	all := map[string]*compare.Histogram{}
	err := in.Buckets(func(rows []datasets.Bucket) error {
		for _, b := range rows {
			if !(b.Value > 0) || b.Count <= 0 {
				continue
			}
			h := all[b.RunID]
			if h == nil {
				h = &compare.Histogram{}
				all[b.RunID] = h
			}
			h.Centres = append(h.Centres, float32(b.Value))
			h.Counts = append(h.Counts, uint32(min(b.Count, math.MaxUint32)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	cloned := false
	for _, metric := range metrics {
		q := percentileOf(metric)
		if q == 0 || slices.ContainsFunc(in.Runs, func(r datasets.Run) bool { return !math.IsNaN(r.Metric(metric)) }) {
			continue
		}
		if !cloned {
			in.Runs, cloned = slices.Clone(in.Runs), true
			for i := range in.Runs {
				in.Runs[i].Metrics = maps.Clone(in.Runs[i].Metrics)
			}
		}
		for i := range in.Runs {
			if h := all[in.Runs[i].ID]; h != nil && in.Runs[i].Metrics != nil {
				in.Runs[i].Metrics[metric] = compare.Quantile(q, sysbenchGrid, h)
			}
		}
	}
	return all, nil
}

// giveHistograms hands each run of a percentile's cells its histogram.
func giveHistograms(cells []group.Cell, histograms map[string]*compare.Histogram) {
	for i := range cells {
		if percentileOf(cells[i].Metric) == 0 {
			continue
		}
		for j, id := range cells[i].RunIDs {
			cells[i].Runs[j].Histogram = histograms[id]
		}
	}
}

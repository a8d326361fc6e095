package ingest

import (
	"math"

	"noisefloor/datasets"
	"noisefloor/ingest/table"
)

// lineColumns are the metrics that the table intervals has a column for, by
// name; others become samples.
var lineColumns = map[string]func(*datasets.Interval) *float64{
	"tps":              func(i *datasets.Interval) *float64 { return &i.TPS },
	"eps":              func(i *datasets.Interval) *float64 { return &i.TPS },
	"qps":              func(i *datasets.Interval) *float64 { return &i.QPS },
	"reads_per_s":      func(i *datasets.Interval) *float64 { return &i.Reads },
	"writes_per_s":     func(i *datasets.Interval) *float64 { return &i.Writes },
	"other_per_s":      func(i *datasets.Interval) *float64 { return &i.Other },
	"errors_per_s":     func(i *datasets.Interval) *float64 { return &i.Errors },
	"reconnects_per_s": func(i *datasets.Interval) *float64 { return &i.Reconnects },
}

// addInside adds the rows of a run in a table of intervals to a batch.
func addInside(b *datasets.Batch, runID string, rows *table.Inside) {
	nan := math.NaN()
	inLines := false
	for _, metric := range sortedKeys(rows.Values) {
		if lineColumns[metric] != nil {
			inLines = true
			continue
		}
		for i, v := range rows.Values[metric] {
			if !math.IsNaN(v) {
				b.Series.Append(b.Series.Number(metric), rows.T[i], v)
			}
		}
	}
	b.Series.Own(runID, datasets.TableSource)
	if !inLines {
		return
	}
	for i, t := range rows.T {
		line := datasets.Interval{RunID: runID, T: t, Threads: nan, TPS: nan, QPS: nan, Reads: nan, Writes: nan, Other: nan,
			LatencyPct: nan, Percentile: nan, Errors: nan, Reconnects: nan, QueueLength: nan, Concurrency: nan}
		for metric, column := range lineColumns {
			if values := rows.Values[metric]; values != nil && !math.IsNaN(values[i]) {
				*column(&line) = values[i]
			}
		}
		b.Intervals.Add(line)
	}
}

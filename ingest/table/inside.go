package table

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"noisefloor/datasets"
)

// Inside are the rows of one run in a table of intervals.
type Inside struct {
	T      []float64            // seconds; NaN in a table that only numbers its intervals
	Values map[string][]float64 // by metric, parallel to T; NaN where a cell is empty
}

// OfIntervals tells a table of intervals whose clock says so by its name:
//
//	day,run,interval,tps
//	day,run,t_s,tps
//
// A table whose clock is only known by its numbers may be a log of anything.
func (s Schema) OfIntervals() bool { return s.clock() >= 0 }

// clock is the column of the time inside a run, one in seconds before one that
// only counts; -1 if no name says so.
func (s Schema) clock() int {
	at := -1
	for i, c := range s.Columns {
		if c.Use == Clock && clockNames[c.Name] && (at < 0 || s.Columns[at].Name == counts) {
			at = i
		}
	}
	return at
}

// counts is the name of a clock that numbers intervals and measures no time.
const counts = "interval"

// ReadIntervals gives the runs of a table of intervals: rows with the same
// factors are of one run, wherever they stand, so that a run label counts inside
// its day. The metrics of a run are the means of its rows. number is that of the
// run's first row.
func (s Schema) ReadIntervals(in io.Reader, tz *time.Location, each func(run *datasets.Run, number int, rows *Inside) error, tell func(datasets.Problem)) error {
	clock := s.clock()
	type found struct {
		run    *datasets.Run
		number int
		rows   Inside
	}
	var runs []*found
	at := map[string]*found{}
	err := s.each(in, tz, func(row *datasets.Run, cells []string, number int) error {
		key := fmt.Sprint(key(row), row.Started, row.Duration)
		f := at[key]
		if f == nil {
			f = &found{run: row, number: number, rows: Inside{Values: map[string][]float64{}}}
			at[key], runs = f, append(runs, f)
		}
		t := math.NaN()
		if s.Columns[clock].Name != counts {
			if v, ok := s.Dialect.number(strings.TrimSpace(cells[clock])); ok {
				t = v
			}
		}
		f.rows.T = append(f.rows.T, t)
		for name, v := range row.Metrics {
			f.rows.set(name, v)
		}
		return nil
	}, tell)
	if err != nil {
		return err
	}
	for _, f := range runs {
		f.rows.finish(f.run)
		if err := each(f.run, f.number, &f.rows); err != nil {
			return err
		}
	}
	return nil
}

// set puts a value into the last row.
func (r *Inside) set(metric string, v float64) {
	r.fill(metric, len(r.T)-1)
	r.Values[metric] = append(r.Values[metric], v)
}

// fill makes a metric so many rows long.
func (r *Inside) fill(metric string, n int) {
	for len(r.Values[metric]) < n {
		r.Values[metric] = append(r.Values[metric], nan)
	}
}

// finish sets the means of the run, and counts seconds since 1970 from its first
// row.
func (r *Inside) finish(run *datasets.Run) {
	run.Metrics = map[string]float64{}
	for metric := range r.Values {
		r.fill(metric, len(r.T))
		sum, n := 0.0, 0.0
		for _, v := range r.Values[metric] {
			if !math.IsNaN(v) {
				sum, n = sum+v, n+1
			}
		}
		run.Metrics[metric] = sum / n
	}
	const epoch = 1e9 // seconds since 1970 of any benchmark are above, those of a run below
	if first := slices.Min(r.T); first > epoch {
		for i := range r.T {
			r.T[i] -= first
		}
	}
	if last := slices.Max(r.T); last > 0 && math.IsNaN(run.Duration) {
		run.Duration = last
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/pflag"

	"noisefloor/analysis/group"
	"noisefloor/analysis/report"
	"noisefloor/datasets"
	"noisefloor/datasets/unit"
	"noisefloor/ingest"
)

// ingestFlags are the choices of reading raw files; every verb that takes PATHs
// has them.
type ingestFlags struct {
	layout  []string
	set     []string
	mapping []string
	join    []string
	tz      string
	dayFrom string
	maxSize string
	ratio   float64
}

func (f *ingestFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.layout, "layout", nil, "factors from paths: '{build}/run{rep}_{threads}th.txt' ({_} ignored, * one segment, ** any), a regular expression that begins with ^, or a preset")
	flags.StringArrayVar(&f.set, "set", nil, "key=value for all runs (day=2026-01-31, host=db1)")
	flags.StringSliceVar(&f.mapping, "map", nil, "other names for columns: qps=TotalQPS,threads=#")
	flags.StringArrayVar(&f.join, "join", nil, "side file and the log it belongs to: vmstat.txt=run7.log; nothing behind = is no log")
	flags.StringVar(&f.tz, "tz", "", "time zone of times that carry none (default UTC)")
	flags.StringVar(&f.maxSize, "max-size", "", "largest file after decompression (default 64GiB)")
	flags.Float64Var(&f.ratio, "max-ratio", 0, "how many times larger a file may become beyond its first 64 MiB (default 1000)")
	flags.StringVar(&f.dayFrom, "day-from", "", "mtime: believe file times where nothing else dates a run")
}

func (f *ingestFlags) options() (ingest.Options, error) {
	opt := ingest.Options{Layout: f.layout, Join: f.join, Set: map[string]string{}, Map: map[string]string{}, MaxRatio: f.ratio}
	if f.maxSize != "" {
		digits := strings.TrimRightFunc(f.maxSize, func(r rune) bool { return !unicode.IsDigit(r) })
		n, err := strconv.ParseFloat(digits, 64)
		scale, ok := unit.Factor(strings.TrimPrefix(f.maxSize, digits))
		if digits == f.maxSize {
			scale, ok = 1, true
		}
		if err != nil || !ok || !(n*scale >= 1 && n*scale < 1<<62) {
			return opt, fmt.Errorf("--max-size %q: want a size such as 500MB or 64GiB", f.maxSize)
		}
		opt.MaxSize = int64(n * scale)
	}
	if f.ratio != 0 && !(f.ratio >= 1) {
		return opt, fmt.Errorf("--max-ratio %v: want a number from 1 on", f.ratio)
	}
	for _, kind := range []struct {
		flag  string
		pairs []string
		add   func(key, value string)
	}{
		{"--set", f.set, func(key, value string) { opt.Set[key] = value }},
		// Written name=Column, as people say it; a map needs the column first.
		{"--map", f.mapping, func(key, value string) { opt.Map[value] = key }},
	} {
		for _, pair := range kind.pairs {
			key, value, ok := strings.Cut(pair, "=")
			if !ok || key == "" {
				return opt, fmt.Errorf("%s %q: want key=value", kind.flag, pair)
			}
			kind.add(key, value)
		}
	}
	if f.tz != "" {
		var err error
		if opt.TZ, err = time.LoadLocation(f.tz); err != nil {
			return opt, fmt.Errorf("--tz %q: no such time zone; want a name such as Europe/Berlin", f.tz)
		}
	}
	switch f.dayFrom {
	case "":
	case "mtime":
		opt.DayFromMtime = true
	default:
		return opt, fmt.Errorf("--day-from %q: want mtime", f.dayFrom)
	}
	return opt, nil
}

// opened is a data set to read, and what was learnt on the way to it.
type opened struct {
	*datasets.Reader
	folder string // as the user typed it
	config ingest.Config
	close  func()
}

// Runs gives the runs with what was counted beside them as metrics.
func (o *opened) Runs() ([]datasets.Run, []datasets.Column, error) { return report.Runs(o.Reader) }

// counterMetrics are the metrics that counters give the runs, of one event or
// ("") of all that say most; hidden is how many events are not among these.
func (o *opened) counterMetrics(event string) (metrics []string, hidden int, err error) {
	runs, columns, err := o.Reader.Runs()
	if err != nil {
		return nil, 0, nothingUsable{err}
	}
	_, counted, err := group.Counters(runs, columns, o.Counters)
	if err != nil {
		return nil, 0, nothingUsable{err}
	}
	return counted.Of(event)
}

// open gives a reader of a data set, or of a temporary one made from raw paths.
func (a *app) open(ctx context.Context, paths []string, flags *ingestFlags) (*opened, error) {
	folder := strings.Join(paths, " ")
	if len(paths) == 1 && paths[0] != "-" {
		r, err := datasets.Open(paths[0])
		if err == nil {
			return &opened{Reader: r, folder: folder, close: func() {}}, nil
		}
		if !errors.Is(err, datasets.ErrNotDataset) {
			return nil, nothingUsable{err}
		}
	}
	dir, err := os.MkdirTemp("", "noisefloor-")
	if err != nil {
		return nil, fmt.Errorf("no place for the temporary data set, which TMPDIR may name: %w", err)
	}
	remove := func() { os.RemoveAll(dir) }
	summary, err := a.ingest(ctx, paths, flags, dir)
	if err != nil {
		remove()
		return nil, err
	}
	r, err := datasets.Open(dir)
	if err != nil {
		remove()
		return nil, err
	}
	return &opened{Reader: r, folder: folder, config: summary.Config, close: remove}, nil
}

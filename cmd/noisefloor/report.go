package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"noisefloor/analysis/group"
	"noisefloor/analysis/report"
	"noisefloor/analysis/table"
	"noisefloor/datasets"
)

// fraction is a flag that takes 1% or 0.01.
type fraction float64

func (f *fraction) String() string {
	return strconv.FormatFloat(100*float64(*f), 'g', -1, 64) + "%"
}
func (f *fraction) Type() string { return "1%|0.01" }
func (f *fraction) Set(s string) error {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v < 1) {
		return errors.New("want a share between 0 and 100 %, such as 1% or 0.01")
	}
	*f = fraction(v)
	return nil
}

func (a *app) reportCommand() *cobra.Command {
	var (
		reading    ingestFlags
		grouping   group.Options
		margin     = fraction(0.01)
		confidence = fraction(0.95)
		seed       uint64
		adjust     string
		html       string
		asJSON     bool
	)
	c := &cobra.Command{
		Use:   "report DATASET|PATH...",
		Short: "is the change real: verdicts, noise floor, what to run next; as text, HTML and JSON",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			if dir := filepath.Dir(html); html != "" {
				if info, err := os.Stat(dir); err != nil || !info.IsDir() {
					return fmt.Errorf("--html %s: there is no folder %s", html, dir)
				}
			}
			data, err := a.open(c.Context(), paths, &reading)
			if err != nil {
				return err
			}
			defer data.close()
			opt := report.Options{Group: grouping, Margin: float64(margin), Confidence: float64(confidence), Adjust: adjust, Seed: seed, Version: version()}
			opt.Group.FromMtime = reading.dayFrom == "mtime"
			if opt.Group.By == "" {
				opt.Group.By = data.config.By
			}
			if opt.Group.Base == "" {
				opt.Group.Base = data.config.Base
			}
			opt.Group.Ignore = append(opt.Group.Ignore, data.config.Ignore...)
			r, err := build(data, opt)
			if err != nil {
				return err
			}
			if asJSON {
				err = report.JSON(a.stdout, r)
			} else {
				err = report.Text(a.stdout, r, table.ScreenOf(a.stdout))
			}
			if err != nil || html == "" {
				return err
			}
			if err := writePage(html, r); err != nil {
				return err
			}
			if !a.quiet {
				fmt.Fprintln(a.stderr, "page:", html)
			}
			return nil
		},
	}
	flags := c.Flags()
	reading.register(flags)
	flags.StringVar(&grouping.By, "by", "", "factor under comparison (guessed and said if absent)")
	flags.StringVar(&grouping.Base, "base", "", "its level to compare against (guessed and said if absent)")
	flags.StringSliceVar(&grouping.Ignore, "ignore", nil, "factors or conditions that must not refuse or split (host, order)")
	flags.StringArrayVar(&grouping.Where, "where", nil, `only these runs: 'threads>=8 && workload=="oltp_read_write"'`)
	flags.StringSliceVar(&grouping.Metrics, "metric", nil, "metrics, the first is primary; a/b forms a ratio per run (default: throughput, then latency_p95)")
	flags.Var(&margin, "margin", "smallest relative change that anyone cares about")
	flags.Var(&confidence, "confidence", "level of the intervals")
	flags.StringVar(&adjust, "adjust", "holm", "for looking at many strata: holm, bh or none")
	flags.Uint64Var(&seed, "seed", 1, "seed of everything random")
	flags.StringVar(&html, "html", "", "also write one self-contained page to this file")
	flags.BoolVar(&asJSON, "json", false, "print the JSON document instead of text")
	return c
}

// build reads the data set and puts the answers together.
func build(data *opened, opt report.Options) (*report.Report, error) {
	runs, columns, err := data.Runs()
	if err != nil {
		return nil, nothingUsable{err}
	}
	problems, err := data.Problems()
	if err != nil {
		return nil, nothingUsable{err}
	}
	if len(runs) == 0 {
		return nil, nothingUsable{fmt.Errorf("%s holds no runs", data.folder)}
	}
	if !slices.ContainsFunc(runs, func(r datasets.Run) bool { return r.Status == datasets.Complete }) {
		return nil, nothingUsable{fmt.Errorf("%s holds %d runs, and none of them is complete: noisefloor info says how each ended", data.folder, len(runs))}
	}
	return report.Build(report.Input{
		Folder: data.folder, Runs: runs, Columns: columns, Sources: data.Sources(), Problems: problems, Intervals: data.Intervals,
	}, opt)
}

// writePage writes beside the target and renames, so that a half page is never
// looked at.
func writePage(path string, r *report.Report) error {
	var page bytes.Buffer
	if err := report.HTML(&page, r); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".noisefloor-*.html")
	if err != nil {
		return err
	}
	_, err = f.Write(page.Bytes())
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

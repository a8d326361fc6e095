package main

import (
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

// answerFlags are the choices of every verb that sorts runs into strata and
// answers about them: what is read, what is compared, how it is printed.
type answerFlags struct {
	reading    ingestFlags
	grouping   group.Options
	judging    judgingFlags
	history    *historyFlags // nil but for the verb history
	confidence fraction
	seed       uint64
	curves     report.CurveOptions
	keepWarmup bool
	html       string
	asJSON     bool
	asMarkdown bool
	profile    report.ProfileOptions
	counters   bool   // the metrics are what was counted beside the runs
	needs      string // table without which there is no answer; "" = none
	needsWhat  string // in words
}

// register adds the flags that all such verbs have.
func (f *answerFlags) register(c *cobra.Command) {
	f.judging.margin, f.confidence = 0.01, 0.95
	flags := c.Flags()
	f.reading.register(flags)
	flags.StringVar(&f.grouping.By, "by", "", "factor under comparison (guessed and said if absent)")
	flags.StringVar(&f.grouping.Base, "base", "", "its level to compare against (guessed and said if absent)")
	flags.StringSliceVar(&f.grouping.Ignore, "ignore", nil, "factors or conditions that must not refuse or split (host, order)")
	flags.StringArrayVar(&f.grouping.Where, "where", nil, `only these runs: 'threads>=8 && workload=="oltp_read_write"'`)
	flags.StringSliceVar(&f.grouping.Metrics, "metric", nil, "metrics, the first is primary; a/b forms a ratio per run (default: throughput, then latency_p95)")
	flags.Var(&f.confidence, "confidence", "level of the intervals")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of everything random")
	flags.BoolVar(&f.keepWarmup, "keep-warmup", false, "whole runs count, warm-up included; without it throughput is measured after the cut that all runs of a stratum share")
	flags.StringVar(&f.html, "html", "", "also write one self-contained page to this file")
	flags.BoolVar(&f.asJSON, "json", false, "print the JSON document instead of text")
	flags.BoolVar(&f.asMarkdown, "md", false, "print Markdown for a pull request instead of text")
	c.MarkFlagsMutuallyExclusive("json", "md")
}

// registerJudging adds those of the verbs that give verdicts.
func (f *answerFlags) registerJudging(c *cobra.Command) { f.judging.register(c.Flags()) }

// options puts the flags and what the data's configuration file says together.
func (f *answerFlags) options(data *opened) report.Options {
	opt := report.Options{Group: f.grouping, Confidence: float64(f.confidence), KeepWarmup: f.keepWarmup, Seed: f.seed, Version: version(), Curves: f.curves}
	f.judging.apply(&opt)
	opt.Profile = f.profile
	opt.Group.FromMtime = f.reading.dayFrom == "mtime"
	if opt.Group.By == "" {
		opt.Group.By = data.config.By
	}
	if opt.Group.Base == "" {
		opt.Group.Base = data.config.Base
	}
	opt.Group.Ignore = append(slices.Clone(opt.Group.Ignore), data.config.Ignore...)
	return opt
}

// answer opens the data, asks for the given parts of the report (none = all) and
// prints them as text, Markdown or JSON and, if asked, as a page.
func (a *app) answer(c *cobra.Command, paths []string, f *answerFlags, parts ...report.Part) (*report.Report, error) {
	if err := f.checkPage(); err != nil {
		return nil, err
	}
	if err := f.judging.check(); err != nil {
		return nil, err
	}
	data, err := a.open(c.Context(), paths, &f.reading)
	if err != nil {
		return nil, err
	}
	defer data.close()
	if err := require(data, f.needs, f.needsWhat); err != nil {
		return nil, err
	}
	opt := f.options(data)
	if opt.Noise, err = a.borrow(c.Context(), f.judging.noise); err != nil {
		return nil, err
	}
	if f.counters && len(opt.Group.Metrics) == 0 {
		var hidden int
		if opt.Group.Metrics, hidden, err = data.counterMetrics(f.profile.Event); err != nil {
			return nil, err
		}
		if hidden > 0 {
			fmt.Fprintf(a.stderr, "%d more counters of the server were read; --event NAME shows one\n", hidden)
		}
	}
	opt.Parts = parts
	if err := f.history.apply(&opt.History, paths); err != nil {
		return nil, err
	}
	r, err := build(data, opt)
	if err != nil {
		return nil, err
	}
	answered := f.ask(r)
	return r, errors.Join(answered, a.print(f, r))
}

// checkPage refuses a page that could not be written, before the work.
func (f *answerFlags) checkPage() error {
	if f.html == "" {
		return nil
	}
	dir := filepath.Dir(f.html)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("--html %s: there is no folder %s", f.html, dir)
	}
	return nil
}

// print writes a report as a page, if asked, and as text, Markdown or JSON: the page
// first, which whoever reads the text through head wants whole.
func (a *app) print(f *answerFlags, r *report.Report) error {
	if f.html != "" {
		if err := writePage(f.html, r); err != nil {
			return err
		}
		if !a.quiet {
			defer fmt.Fprintln(a.stderr, "page:", f.html)
		}
	}
	switch {
	case f.asJSON:
		return report.JSON(a.stdout, r)
	case f.asMarkdown:
		return report.Markdown(a.stdout, r)
	}
	return report.Text(a.stdout, r, table.ScreenOf(a.stdout))
}

// build reads the data set and puts the answers together.
func build(data *opened, opt report.Options) (*report.Report, error) {
	in, err := data.input()
	if err != nil {
		return nil, err
	}
	return buildOf(in, opt)
}

func buildOf(in report.Input, opt report.Options) (*report.Report, error) {
	r, err := report.Build(in, opt)
	var none group.NoMatch
	if errors.As(err, &none) {
		err = nothingUsable{err}
	}
	return r, err
}

// input is the tables that a report is made of.
func (data *opened) input() (report.Input, error) {
	in, err := report.Read(data.Reader)
	if err != nil {
		return report.Input{}, nothingUsable{err}
	}
	if len(in.Runs) == 0 {
		return report.Input{}, nothingUsable{fmt.Errorf("%s holds no runs", data.folder)}
	}
	if !slices.ContainsFunc(in.Runs, func(r datasets.Run) bool { return r.Status == datasets.Complete }) {
		return report.Input{}, nothingUsable{fmt.Errorf("%s holds %d runs, and none of them is complete: noisefloor info says how each ended", data.folder, len(in.Runs))}
	}
	in.Folder = data.folder
	return in, nil
}

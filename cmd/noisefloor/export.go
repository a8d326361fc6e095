package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"noisefloor/analysis/group"
	"noisefloor/analysis/report"
	"noisefloor/datasets"
	"noisefloor/datasets/export"
	"noisefloor/datasets/unit"
)

func (a *app) exportCommand() *cobra.Command {
	var reading ingestFlags
	var where []string
	var out string
	var clean bool
	opt := export.Options{Version: version()}
	c := &cobra.Command{
		Use:   "export DATASET|PATH... --to FORMAT --out DIR",
		Short: "the tables for pandas, polars, DuckDB, R, a spreadsheet; cleaned if asked",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			data, err := a.open(c.Context(), paths, &reading)
			if err != nil {
				return err
			}
			defer data.close()
			if err := choose(data, &opt, where, clean); err != nil {
				return err
			}
			written, err := export.Write(c.Context(), data.Reader, out, opt)
			if err != nil {
				return err
			}
			for _, t := range written.Tables {
				fmt.Fprintf(a.stdout, "%s: %d rows in %d %s\n", t.Name, t.Rows, t.Files, plural(t.Files, "file"))
			}
			if !a.quiet {
				for _, done := range opt.Done {
					fmt.Fprintln(a.stderr, "cleaned:", done)
				}
				fmt.Fprintf(a.stderr, "export: %s, %d bytes\n", out, written.Bytes)
			}
			return nil
		},
	}
	flags := c.Flags()
	reading.register(flags)
	flags.StringVar(&opt.Format, "to", "", "format: "+strings.Join(export.Formats(), ", "))
	flags.StringVar(&out, "out", "", "folder to write; it must not be there yet, or be empty")
	flags.StringSliceVar(&opt.Tables, "table", nil, "tables: runs,intervals (default: all that have rows)")
	flags.BoolVar(&clean, "clean", false, "complete runs only, report lines of their common steady part, one spelling for each level")
	flags.StringArrayVar(&where, "where", nil, `only these runs: 'threads>=8 && workload=="oltp_read_write"'`)
	flags.StringSliceVar(&opt.PartitionBy, "partition-by", nil, "a folder for each level of these factors: workload,day")
	flags.BoolVar(&opt.Replace, "replace", false, "replace an earlier export of the same name")
	for _, name := range []string{"to", "out"} {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
	return c
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// choose finds the runs to export and the part of each that is kept, and says what
// was left out.
func choose(data *opened, opt *export.Options, where []string, clean bool) error {
	runs, columns, err := data.Reader.Runs() // as they were read, without what is made of counters
	if err != nil {
		return nothingUsable{err}
	}
	said := func(format string, args ...any) { opt.Done = append(opt.Done, fmt.Sprintf(format, args...)) }
	if len(where) > 0 {
		all := len(runs)
		if runs, columns, err = group.Settings(runs, columns, data.Settings, group.Options{Where: where}); err != nil {
			return err
		}
		if runs, err = group.Where(runs, columns, where); err != nil {
			return err
		}
		said("%d of %d runs match %s", len(runs), all, strings.Join(where, " and "))
	}
	if clean {
		all := len(runs)
		runs = slices.DeleteFunc(runs, func(r datasets.Run) bool { return r.Status != datasets.Complete })
		said("%d of %d runs are complete; the others are left out", len(runs), all)
		var changes []string
		runs, changes = export.Normalise(runs)
		opt.Done = append(opt.Done, changes...)
	}
	if len(runs) == 0 {
		return nothingUsable{errors.New("no run is left to export")}
	}
	opt.Runs, opt.Columns = runs, columns
	if !clean {
		return nil
	}
	return trim(data, opt)
}

// trim keeps of each run what a report counts: what lies behind the one cut that
// all runs of its stratum have in common, less the drain at the end.
func trim(data *opened, opt *export.Options) error {
	in, err := data.input()
	if err != nil {
		return err
	}
	in.Runs, in.Columns = opt.Runs, opt.Columns
	r, err := buildOf(in, report.Options{Group: group.Options{By: data.config.By, Base: data.config.Base, Ignore: data.config.Ignore}, Parts: []report.Part{report.PartSteady}})
	if err != nil {
		return err
	}
	for _, s := range r.SteadyStrata {
		stratum := orAll(group.Words(s.Stratum))
		switch {
		case s.Why != nil:
			opt.Done = append(opt.Done, fmt.Sprintf("%s: no cut fits all %d runs, so that their report lines are kept from the start", stratum, s.Runs))
		case s.Cut > 0:
			opt.Done = append(opt.Done, fmt.Sprintf("%s: report lines up to %g s are left out, in all %d runs alike", stratum, s.Cut, s.Runs))
		case s.Cut <= 0:
			opt.Done = append(opt.Done, fmt.Sprintf("%s: %d runs, steady from the start", stratum, s.Runs))
		}
	}
	type span struct{ from, to float64 }
	kept := map[string]span{}
	steady := map[string][2]float64{} // where the kept part begins, and its throughput
	for _, s := range r.Steady {
		from, to := s.CommonCut, s.End
		if math.IsNaN(from) {
			from = math.Inf(-1)
		}
		if math.IsNaN(to) {
			to = math.Inf(1)
		}
		kept[s.RunID] = span{from, to}
		steady[s.RunID] = [2]float64{s.CommonCut, s.SteadyTPS}
	}
	opt.Done = append(opt.Done, "report lines at the end of a run, when some of its threads have finished, are left out")
	if rest := len(opt.Runs) - len(kept); rest > 0 {
		opt.Done = append(opt.Done, fmt.Sprintf("%d runs that no report compares (under a profiler, rows of tables beside logs) have all their report lines", rest))
	}
	opt.Span = func(id string) (float64, float64) {
		if s, ok := kept[id]; ok {
			return s.from, s.to
		}
		return math.Inf(-1), math.Inf(1)
	}
	addSteady(opt, steady)
	return nil
}

// addSteady adds to the runs where their kept part begins, by which a report knows
// that they are cut, and its throughput, beside the total that the log has.
func addSteady(opt *export.Options, steady map[string][2]float64) {
	names := [2]string{datasets.SteadyFrom, "steady_tps"}
	opt.Runs = slices.Clone(opt.Runs)
	any := false
	for i := range opt.Runs {
		r := &opt.Runs[i]
		if v, ok := steady[r.ID]; ok && !math.IsNaN(v[0]) && !math.IsNaN(v[1]) {
			r.Metrics = maps.Clone(r.Metrics)
			r.Metrics[names[0]], r.Metrics[names[1]] = v[0], v[1]
			any = true
		}
	}
	if any {
		units := [2]unit.Unit{{Name: "s", Better: unit.Neither}, unit.Of(names[1])}
		opt.Columns = slices.Clone(opt.Columns)
		for i, name := range names {
			opt.Columns = append(opt.Columns, datasets.Column{Name: name, Kind: datasets.FloatKind, Role: datasets.Metric, Unit: units[i]})
		}
		opt.Done = append(opt.Done, "steady_tps in runs is the throughput of the report lines that are kept, where a cut fits all runs of the stratum; tps is that of the whole run, as its log has it")
	}
}

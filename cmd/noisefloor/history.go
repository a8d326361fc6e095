package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"noisefloor/analysis"
	"noisefloor/analysis/compare"
	"noisefloor/analysis/history"
	"noisefloor/analysis/report"
)

// historyFlags are the choices of the verb history beyond those of every answer.
type historyFlags struct {
	order      string
	falseAlarm fraction
	minSegment int
	minEffect  string
	direction  string
	factors    []string
	known      string
	gate       string
}

func (a *app) historyCommand() *cobra.Command {
	own := historyFlags{falseAlarm: .05}
	flags := answerFlags{history: &own}
	c := &cobra.Command{
		Use:   "history DATASET|PATH...",
		Short: "which version, commit or day made it slower: changes of level, and factor studies",
		Long: `Looks for changes of level along a factor that is an order in time: commits, if --order has
their list, else versions, else days; --by names another. Points may have any number of runs.

With --factors build,version it tells the effects of two factors apart instead: main effects,
interaction, and which share of the whole change each explains.

Changes that are known and accepted stand in known-changes.yaml beside the data:

    - at: 8.0.30
      metric: tps               # optional, as is where
      where: {threads: 8}
      note: redo log resized

--gate slower exits with 1 if the newest level of a series is slower than the one before and
nobody knows about it, and with 4 if a series cannot tell.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			if err := own.check(); err != nil {
				return err
			}
			flags.judging.gate = own.gate
			_, err := a.answer(c, paths, &flags, report.PartHistory)
			return err
		},
	}
	flags.register(c)
	f := c.Flags()
	f.StringVar(&own.order, "order", "", "file with the commits of the branch, as git log prints them, or one a line, oldest first")
	f.Var(&own.falseAlarm, "false-alarm", "share of experiments without a change that may show one")
	f.IntVar(&own.minSegment, "min-segment", 0, "fewest points of a level (at least 3 where the points themselves tell the noise)")
	f.StringVar(&own.minEffect, "min-effect", "0%", "smallest change worth telling")
	f.StringVar(&own.direction, "direction", "", "tell only changes that are slower, or faster")
	f.StringSliceVar(&own.factors, "factors", nil, "a factor study of two factors instead: build,version")
	f.StringVar(&own.known, "known", "", "file of known changes (default: known-changes.yaml beside the data)")
	f.StringVar(&own.gate, "gate", "", "slower or changed: exit status 1 if the newest level is")
	return c
}

// check refuses what makes no sense, before anything is read.
func (f *historyFlags) check() error {
	if f.minSegment < 0 {
		return errors.New("--min-segment: want a number of points")
	}
	if f.direction != "" {
		if err := oneOf("--direction", f.direction, "slower", "faster"); err != nil {
			return err
		}
	}
	if f.gate != "" {
		if err := oneOf("--gate", f.gate, string(compare.GateSlower), string(compare.GateChanged)); err != nil {
			return err
		}
	}
	if len(f.factors) != 0 && len(f.factors) != 2 {
		return errors.New("--factors: want two factors, such as build,version; --where holds others fixed")
	}
	if len(f.factors) > 0 && f.gate != "" {
		return errors.New("--gate watches a series, and --factors makes a study of two factors: one of them")
	}
	return nil
}

// apply puts the flags and the files they name into the options. A report
// without the verb's flags still has the known changes beside its data.
func (f *historyFlags) apply(o *report.HistoryOptions, paths []string) (err error) {
	if f == nil {
		o.Acknowledged, err = knownChanges("", paths)
		return err
	}
	o.FalseAlarm, o.MinSegment, o.Factors, o.Direction = float64(f.falseAlarm), f.minSegment, f.factors, analysis.Verdict(f.direction)
	if f.minEffect != "0%" && f.minEffect != "0" {
		var effect fraction
		if err := effect.Set(f.minEffect); err != nil {
			return fmt.Errorf("--min-effect %q: %w", f.minEffect, err)
		}
		o.MinEffect = float64(effect)
	}
	if f.order != "" {
		text, err := os.ReadFile(f.order)
		if err != nil {
			return err
		}
		if o.Order, err = history.ReadOrder(string(text)); err != nil {
			return fmt.Errorf("%s: %w", f.order, err)
		}
	}
	o.Acknowledged, err = knownChanges(f.known, paths)
	return err
}

// knownName is the file of known changes beside the data.
const knownName = "known-changes.yaml"

// knownChanges reads the known changes: of the file that was named, else of
// those beside the data.
func knownChanges(named string, paths []string) ([]report.Acknowledgement, error) {
	files := []string{named}
	if named == "" {
		files = nil
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				path = filepath.Dir(path)
			}
			if file := filepath.Join(path, knownName); path != "-" && exists(file) {
				files = append(files, file)
			}
		}
	}
	var all []report.Acknowledgement
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		known, err := parseKnown(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, known...)
	}
	return all, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func parseKnown(data []byte) (known []report.Acknowledgement, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the YAML parser gave up: %v", r)
		}
	}()
	var entries []struct {
		At     asWritten            `yaml:"at"`
		Metric string               `yaml:"metric"`
		Where  map[string]asWritten `yaml:"where"`
		Note   string               `yaml:"note"`
	}
	if err := yaml.UnmarshalWithOptions(data, &entries, yaml.Strict()); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fmt.Errorf("want a list of changes, each with at and perhaps metric, where, note: %s", line)
	}
	for i, e := range entries {
		if e.At == "" {
			return nil, fmt.Errorf("change %d: at is missing: the first version, commit or day of the new level", i+1)
		}
		a := report.Acknowledgement{At: string(e.At), Metric: e.Metric, Note: e.Note}
		for name, level := range e.Where {
			if a.Where == nil {
				a.Where = map[string]string{}
			}
			a.Where[name] = string(level)
		}
		known = append(known, a)
	}
	return known, nil
}

// asWritten is a scalar as its text: 8.40 is a version here, and not the number
// 8.4.
type asWritten string

func (a *asWritten) UnmarshalYAML(text []byte) error {
	plain := strings.TrimSpace(string(text))
	if plain != "" && !strings.ContainsAny(plain[:1], "\"'>|[{!&*") {
		*a = asWritten(plain)
		return nil
	}
	return yaml.Unmarshal(text, (*string)(a))
}

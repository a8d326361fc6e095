package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"noisefloor/analysis/compare"
	"noisefloor/analysis/group"
	"noisefloor/analysis/report"
)

// judgingFlags are the choices of the verbs that give verdicts.
type judgingFlags struct {
	margin  fraction
	adjust  string
	method  string
	within  string
	looks   string
	planned int
	noise   string
	gate    string
	detect  fraction
}

func (f *judgingFlags) register(flags *pflag.FlagSet) {
	f.margin, f.detect = 0.01, 0.05
	flags.Var(&f.margin, "margin", "smallest relative change that anyone cares about")
	flags.StringVar(&f.adjust, "adjust", "holm", "for looking at many strata: holm, bh or none")
	flags.StringVar(&f.method, "method", "", "instead of the default rule: "+strings.Join(compare.MethodNames, ", "))
	flags.StringVar(&f.within, "within", "mean", "value of the runs of a day: mean, or median, which a wild run does not move")
	flags.IntVar(&f.planned, "days-planned", 0, "days of the plan: a verdict holds its level there (default: not planned)")
	flags.StringVar(&f.looks, "looks", "once", "once, or daily: a look after each day, each at a fifth of the level")
	flags.StringVar(&f.noise, "noise", "", "for one day: borrow the noise of a data set, or sd_ratio=1.2%,df=4 (two arms' daily ratios), sd_day=4%,df=6 (one arm's days)")
	flags.StringVar(&f.gate, "gate", "", "exit 1 if anything is slower | changed | not shown to be not-worse, 4 if the design cannot answer")
	flags.Var(&f.detect, "detect", "with --gate: an inconclusive row passes only if it would have seen a change of this size")
}

// check refuses what does not exist before anything is read.
func (f *judgingFlags) check() error {
	if f.adjust == "" { // the verb gives no verdicts
		return nil
	}
	if err := compare.CheckMethod(f.method); err != nil {
		return fmt.Errorf("--method: %w%s", err, meant(f.method, compare.MethodNames))
	}
	if err := oneOf("--within", f.within, "mean", "median"); err != nil {
		return err
	}
	if err := oneOf("--looks", f.looks, "once", "daily"); err != nil {
		return err
	}
	if f.planned < 0 {
		return fmt.Errorf("--days-planned %d: want a number of days", f.planned)
	}
	if f.gate == "" {
		return nil
	}
	var gates []string
	for _, g := range compare.Gates {
		gates = append(gates, string(g))
	}
	return oneOf("--gate", f.gate, gates...)
}

func oneOf(flag, value string, known ...string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("%s %q: want %s%s", flag, value, strings.Join(known, " or "), meant(value, known))
}

func meant(name string, known []string) string {
	if near := group.Nearest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// apply puts the flags into the options.
func (f *judgingFlags) apply(opt *report.Options) {
	opt.Margin, opt.Adjust, opt.Method, opt.Planned = float64(f.margin), f.adjust, f.method, f.planned
	opt.Median = f.within == "median"
	if f.looks == "daily" {
		opt.Looks = max(2, f.planned)
	}
}

// borrow reads the noise to borrow: numbers, or a data set or PATH of other runs.
func (a *app) borrow(ctx context.Context, noise string) (*report.Noise, error) {
	if noise == "" {
		return nil, nil
	}
	if _, err := os.Stat(noise); err != nil && strings.Contains(noise, "=") {
		donor, err := compare.ParseDonor(noise)
		if err != nil {
			return nil, fmt.Errorf("--noise: %w", err)
		}
		return &report.Noise{Name: noise, Given: &donor}, nil
	}
	data, err := a.open(ctx, []string{noise}, &ingestFlags{})
	if err != nil {
		return nil, fmt.Errorf("--noise %s: %w", noise, err)
	}
	defer data.close()
	runs, columns, err := data.Runs()
	if err != nil {
		return nil, nothingUsable{err}
	}
	if len(runs) == 0 {
		return nil, nothingUsable{fmt.Errorf("--noise %s holds no runs", noise)}
	}
	return &report.Noise{Name: noise, Runs: runs, Columns: columns}, nil
}

// ask puts the gate's question, if there is one; nil if it passed.
func (f *answerFlags) ask(r *report.Report) error {
	if f.judging.gate == "" {
		return nil
	}
	named := len(f.grouping.Metrics) > 0
	gate := r.Ask(compare.Gate(f.judging.gate), float64(f.judging.detect), named)
	if f.history != nil {
		gate = r.AskHistory(compare.Gate(f.judging.gate), named)
	}
	r.Gate = &gate
	switch gate.Outcome {
	case compare.Failed:
		return gateError{errors.New(gate.Text()), exitFailed}
	case compare.CannotAnswer:
		return gateError{errors.New(gate.Text()), exitCannotAnswer}
	}
	return nil
}

// gateError is an answer and no failure of the program.
type gateError struct {
	error
	status int
}
